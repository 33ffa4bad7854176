//! Whole games of a bot that is started for every move, against itself and against others. Its state files are kept
//! during a game.

use super::Purpose;
use super::question::{Findings, Question};
use crate::catalog::Id;
use crate::finding::Finding;
use crate::runner::BotRunner;
use cornerman::game::{LiveGame, Reply, Seat};
use cornerman_harness::sandbox::SandboxError;
use std::sync::Arc;

/// What a game with one process for each move adds to the protocol.
pub(crate) trait FilterGame: Send + Sync {
    /// The question to `seat`, whose mark is `mark`, in the position of `live`.
    fn question(&self, case: String, about: String, live: &dyn LiveGame, seat: Seat, mark: u8) -> Question;

    /// Whether every seat may see the whole position at any time, so that seats that are not to act can be asked too.
    fn shows_position_to_all(&self) -> bool {
        false
    }

    /// The question to the bot with `mark` when the game is over, if the game asks bots even then.
    fn after_the_end(&self, _case: String, _about: String, _live: &dyn LiveGame, _mark: u8) -> Option<Question> {
        None
    }
}

/// Returns the move of an opponent in a seat, given the number of the move. If it returns `None`, the bot makes this
/// move.
pub(crate) type Move = fn(&dyn LiveGame, Seat, u64) -> Option<Reply>;

/// The player in a seat.
#[derive(Clone, Copy)]
pub(crate) enum Player {
    Bot,
    Opponent(Move),
}

/// A game to be played.
#[derive(Clone)]
pub(crate) struct GamePlan {
    /// The check that fails if the bot does.
    pub check: Id,
    /// Whether whatever goes wrong in the game counts as seen under the conditions of `check`, even if plain
    /// conditions show it as well.
    pub judges_all: bool,
    /// The name of the game in reports.
    pub name: String,
    /// A description of the players.
    pub about: String,
    /// The players and their marks, in order of play.
    pub seats: Vec<(Player, u8)>,
    /// Starts the game.
    pub open: Arc<dyn Fn() -> Result<Box<dyn LiveGame>, SandboxError> + Send + Sync>,
    /// The number of moves, of all seats together, after which the game is broken off.
    pub max_moves: usize,
    pub game: Arc<dyn FilterGame>,
}

/// What became of a game.
pub(crate) enum Played {
    /// The position at its end, or where it was broken off.
    To(Box<dyn LiveGame>),
    /// The bot failed, as these findings show.
    Failed(Vec<Finding>),
}

impl GamePlan {
    /// The marks of the seats.
    pub(crate) fn marks(&self) -> Vec<u8> {
        self.seats.iter().map(|(_, mark)| *mark).collect()
    }

    /// Plays the game to its end, and asks the bot once more if the game wants that.
    pub(crate) fn play_whole(&self, runner: &mut BotRunner) -> Findings {
        runner.claiming(&self.marks(), |runner| {
            let live = match self.play(runner)? {
                Played::Failed(failed) => return Ok(failed),
                Played::To(live) => live,
            };
            if !live.to_act().is_empty() || runner.shared.given_up() {
                return Ok(Vec::new());
            }
            let own = self.seats.iter().find(|(player, _)| matches!(player, Player::Bot));
            let case = format!("{} after the end", self.name);
            let last = own.and_then(|(_, mark)| self.game.after_the_end(case, self.about.clone(), &*live, *mark));
            Ok(last.map_or(Ok((Vec::new(), Vec::new())), |question| self.ask(runner, &question))?.1)
        })
    }

    /// Plays the game until it is over, a move is illegal, or the maximum number of moves is reached. The bot's state
    /// files are removed at the start and left at the end. The caller must hold the claim on the marks.
    pub(crate) fn play(&self, runner: &mut BotRunner) -> Result<Played, SandboxError> {
        for &(player, mark) in &self.seats {
            let kept = if matches!(player, Player::Bot) { None } else { runner.bait(mark) };
            runner.put_state(mark, kept)?;
        }
        let mut live = (self.open)()?;
        for number in 1..=self.max_moves {
            let Some(seat) = live.to_act().iter().next() else { break };
            if runner.shared.given_up() {
                break;
            }
            let (player, mark) = self.seats[seat.index()];
            let drawn = match player {
                Player::Bot => None,
                Player::Opponent(choose) => choose(live.as_ref(), seat, number as u64),
            };
            let reply = match drawn {
                Some(reply) => reply,
                None => {
                    let case = format!("{} move {number}", self.name);
                    let asked = self.game.question(case, self.about.clone(), live.as_ref(), seat, mark);
                    match self.ask(runner, &asked)? {
                        (answer, findings) if findings.is_empty() => Reply::Answer(answer),
                        (_, findings) => return Ok(Played::Failed(findings)),
                    }
                }
            };
            if live.play(seat, &reply).is_err() {
                break;
            }
        }
        Ok(Played::To(live))
    }

    /// The bot's answer to `asked`, and what is wrong with it.
    fn ask(&self, runner: &mut BotRunner, asked: &Question) -> Result<(Vec<u8>, Vec<Finding>), SandboxError> {
        let state = runner.state(asked.mark)?;
        let evidence = runner.ask_claimed(asked, Purpose::Move, &asked.request(), state.as_deref())?;
        let answer = evidence.report.output.clone();
        let mut findings = asked.compared(runner, self.check, evidence, None, true)?;
        if self.judges_all {
            for finding in &mut findings {
                (finding.conditions.seen_by, finding.conditions.interrupted) = (Some(self.check), None);
            }
        }
        Ok((answer, findings))
    }
}
