//! A game with a bot in a dialogue: its moves are read, judged by the rules and answered. What is wrong is attributed to the
//! check that says most about it (G3–G6).

use super::id;
use super::opponent::Opponent;
use crate::finding::Cause;
use crate::protocol::lines::conditions::Playing;
use crate::protocol::lines::{DialogueSession, Played, Stop, UnsolicitedOutput};
use cornerman::game::{Action, Game, Seat, Setup};
use cornerman::games::go::{Colour, Go, GoState, Move, is_move};
use cornerman::rng::Rng;
use cornerman_harness::text::{count, escaped};
use std::io;
use std::time::Duration;

/// How long the bot must write nothing where no move is expected. This need not be long: the output to be found here
/// was written together with the line before.
pub(super) const UNASKED: Duration = Duration::from_millis(60);

/// How long a bot has to read all that was sent, unless it is seen to wait for more.
const BEFORE_TIME: Duration = Duration::from_millis(500);

/// How long a bot is watched when two passes have ended a game of GO-END.
const AFTER_THE_END: Duration = Duration::from_millis(1200);

/// How long a bot is watched for a last line when its input ends.
const AT_END: Duration = Duration::from_millis(500);

/// What was expected of a bot that made an illegal move where no legal one was left.
pub(super) const ONLY_A_PASS: &str = "`pass`: no legal point was left";

/// How much longer a bot is watched that has just made an illegal move.
const AFTER_ILLEGAL_MOVE: Duration = Duration::from_millis(250);

/// The most moves of both colours in a game other than those of GO-LONG.
pub(super) const MAX_PLIES: usize = 380;

/// A game to be played.
#[derive(Clone, Copy, Debug)]
pub(super) struct GamePlan {
    /// The size of the board in lines per side.
    pub size: u8,
    /// The bot's colour.
    pub bot: Colour,
    pub opponent: Opponent,
    /// The seed of the opponent's random moves.
    pub seed: u64,
    /// The number of moves of both colours after which the game is broken off.
    pub plies: usize,
    /// Whether `time` is sent before the opponent's first move.
    pub time_first: bool,
    /// Whether moves are sent in lower case.
    pub lower_case: bool,
}

impl GamePlan {
    /// A description of the bot's colour, the board and the opponent.
    pub(super) fn in_words(&self) -> String {
        let size = self.size;
        format!("as {} on {size}x{size} against {}", self.bot.name(), self.opponent.in_words())
    }

    /// The arguments with which the bot is started (G4).
    pub(super) fn args(&self) -> Vec<std::ffi::OsString> {
        let size = (self.size != Go::default().size).then(|| self.size.to_string());
        [Some(self.bot.name().to_string()), size].into_iter().flatten().map(Into::into).collect()
    }
}

/// A game in progress in a dialogue.
pub(super) struct DialogueGame<'t> {
    /// The dialogue with the bot.
    pub session: &'t mut DialogueSession,
    /// The plan of the game.
    pub game: GamePlan,
    /// The position and the moves so far.
    pub state: GoState,
    /// The number of the bot's next moves after which it must write nothing more.
    pub watched: usize,
    /// Whether what the bot writes when its input ends is judged.
    pub judges_farewell: bool,
    /// Whether the bot has been sent `time`.
    pub time_sent: bool,
    go: Go,
    rng: Rng,
    /// What is wrong with the first garbage line.
    garbage: Option<Cause>,
}

impl Playing for DialogueGame<'_> {
    fn session(&mut self) -> &mut DialogueSession {
        self.session
    }

    fn until(&mut self, answers: usize) -> Played {
        while count_moves(self.state.moves(), self.game.bot) < answers && !self.is_over() {
            self.play_moves(1)?;
        }
        Ok(())
    }

    fn is_over(&self) -> bool {
        self.go.to_act(&self.state).is_empty() || self.state.moves().len() >= self.game.plies
    }

    fn so_far(&self) -> String {
        count(self.state.moves().len(), "move")
    }
}

impl DialogueGame<'_> {
    /// Begins `game`, plays it as `play` says, and ends it.
    ///
    /// # Errors
    /// As all scripts.
    pub(super) fn script(
        session: &mut DialogueSession,
        game: GamePlan,
        play: impl FnOnce(&mut DialogueGame) -> Played,
    ) -> Played {
        let go = Go { size: game.size, ..Go::default() };
        let state = go.start(&Setup { seats: 2, ..Setup::default() }).map_err(io::Error::other)?;
        let rng = Rng::new(game.seed);
        let mut playing = DialogueGame {
            session,
            game,
            state,
            watched: 0,
            judges_farewell: false,
            go,
            rng,
            time_sent: false,
            garbage: None,
        };
        let played = play(&mut playing);
        playing.finish(played)
    }

    /// Whether two passes ended the game.
    pub(super) fn is_played_out(&self) -> bool {
        self.state.moves().ends_with(&[Move::Pass; 2])
    }

    /// Whether it is the bot's turn.
    pub(super) fn is_bots_turn(&self) -> bool {
        Colour::for_seat(self.state.turn()) == self.game.bot
    }

    /// Ends the game that was `played` so far. A move too many takes precedence over the illegal move that it may have
    /// caused, and a garbage line comes last.
    fn finish(&mut self, played: Played) -> Played {
        let cause = match played {
            Err(Stop::Cause(cause)) if !cause.spots.is_empty() => self.one_too_many(&cause)?.or(Some(cause)),
            Err(Stop::Cause(cause)) => Some(cause),
            Err(stopped) => return Err(stopped),
            Ok(()) if self.is_played_out() => self.after_the_end()?,
            Ok(()) => self.surplus()?,
        };
        if cause.is_none() && self.garbage.is_none() && self.judges_farewell {
            self.session.close_input();
            let more = self.session.read_unsolicited(AT_END)?;
            self.note_all_garbage(&more);
        }
        cause.or(self.garbage.take()).map_or(Ok(()), |cause| Err(cause.into()))
    }

    /// What is wrong with a bot whose illegal move was not its answer, but a second move of the turn before: the answer
    /// follows.
    fn one_too_many(&mut self, illegal: &Cause) -> io::Result<Option<Cause>> {
        let more = self.session.read_unsolicited(AFTER_ILLEGAL_MOVE + self.patience())?;
        let next = more.lines.iter().find(|line| is_move(line, self.game.size));
        Ok(next.map(|line| {
            let line = escaped(line);
            let opponents = match self.state.moves().last() {
                Some(&Move::Place(spot)) => Some(spot),
                _ => None,
            };
            let what = if illegal.spots.iter().copied().eq(opponents) {
                format!("it repeats the opponent's move before its own, `{line}`: {}", illegal.what)
            } else {
                format!("{}; unasked, it then wrote another move, `{line}`", illegal.what)
            };
            Cause::new(id::ONE, what)
        }))
    }

    /// What is wrong with a bot that has written more moves than it had turns when the game is broken off.
    fn surplus(&mut self) -> io::Result<Option<Cause>> {
        let due = usize::from(self.is_bots_turn() && !self.state.moves().is_empty());
        let more = self.session.read_unsolicited(self.patience())?;
        let mut moves = more.lines.iter().filter(|line| is_move(line, self.game.size)).skip(due);
        if let Some(line) = moves.next() {
            let last = self.state.moves().len() + due;
            let what =
                format!("by move {last} it has written one move more than it had turns: `{}`", escaped(line));
            return Ok(Some(Cause::new(id::ONE, what)));
        }
        self.note_all_garbage(&more);
        Ok(None)
    }

    /// What is wrong with a bot that plays on after two passes, or that dies by a signal then (G2).
    fn after_the_end(&mut self) -> io::Result<Option<Cause>> {
        let is_of_end = matches!(self.game.opponent, Opponent::AlwaysPasses | Opponent::PassesBack);
        let longer = if is_of_end { AFTER_THE_END } else { Duration::ZERO };
        let more = self.session.read_unsolicited(self.patience() + longer)?;
        let by_bot = !self.is_bots_turn();
        if let Some(line) = more.lines.iter().find(|line| is_move(line, self.game.size)) {
            let last = if by_bot { "its own" } else { "the opponent's" };
            let what = format!("after two passes had ended the game, {last} last, it wrote `{}`", escaped(line));
            let cause = Cause::new(id::END, what);
            // A bot that passed first learns of the end only from the opponent's pass: passing again does no harm.
            let is_harmless = !by_bot && line.trim_ascii().eq_ignore_ascii_case(b"pass");
            return Ok(Some(if is_harmless { cause.warning() } else { cause }));
        }
        self.note_all_garbage(&more);
        let ended = more.gone && self.garbage.is_none();
        Ok(ended.then(|| Cause::new(id::SIGNAL, "after two passes had ended the game").if_by_signal()))
    }

    /// How long a bot is watched that has nothing to write: the longer, the slower it is.
    pub(super) fn patience(&self) -> Duration {
        UNASKED + self.session.thought / self.session.answers.max(1) * 3
    }

    fn note_all_garbage(&mut self, more: &UnsolicitedOutput) {
        let size = self.game.size;
        for line in more.lines.iter().filter(|line| !is_move(line, size)) {
            self.note_garbage(line);
        }
    }

    /// Plays the next `plies` moves, or as many as the game has left.
    ///
    /// # Errors
    /// As all scripts.
    pub(super) fn play_moves(&mut self, plies: usize) -> Played {
        for _ in 0..plies {
            if self.is_over() {
                break;
            }
            if self.is_bots_turn() {
                self.read_bots_move()?;
                continue;
            }
            if self.game.time_first && !self.time_sent {
                self.send_time_alone()?;
            }
            let line = self.opponents_line();
            self.session.send(line.as_bytes())?;
        }
        Ok(())
    }

    /// Sends `time` when the bot has read all else, and lets it read that before anything else comes.
    fn send_time_alone(&mut self) -> io::Result<()> {
        for line in [b"".as_slice(), b"time\n"] {
            self.session.send(line)?;
            let more = self.session.read_unsolicited(BEFORE_TIME)?;
            self.note_all_garbage(&more);
        }
        self.time_sent = true;
        Ok(())
    }

    /// Makes the opponent's move and returns it as a line, which the caller must send.
    pub(super) fn opponents_line(&mut self) -> String {
        let chosen = self.game.opponent.choose(&self.state, &mut self.rng);
        let notation = self.go.notation(&chosen);
        self.make(chosen);
        let line = if self.game.lower_case { notation.to_ascii_lowercase() } else { notation };
        line + "\n"
    }

    fn make(&mut self, m: Move) {
        let seat = self.state.turn();
        self.go.apply(&mut self.state, &[(seat, Action::Move(m))]);
    }

    /// Reads and makes the bot's move. While moves are watched, the bot must write nothing more after it.
    fn read_bots_move(&mut self) -> Played {
        let line = self.line()?;
        let seat: Seat = self.state.turn();
        match self.go.read(&self.state, seat, &line) {
            Ok(m) => self.make(m),
            Err(violation) => {
                let check = match violation.kind {
                    "occupied" => id::OCCUPIED,
                    "suicide" => id::SUICIDE,
                    "ko" => id::KO,
                    _ => id::COORD,
                };
                let spots = violation.spots;
                let cause = Cause::new(check, format!("{}: {}", self.place(), violation.detail));
                let expected = (!self.has_legal_point()).then(|| ONLY_A_PASS.to_string());
                return Err(Cause { spots, expected, ..cause }.into());
            }
        }
        let watched = self.watched > 0;
        self.watched = self.watched.saturating_sub(1);
        self.expect_no_move(if watched { UNASKED } else { Duration::ZERO })
    }

    /// Checks that the bot, which has just moved, writes no second move within `time`. Garbage is allowed.
    fn expect_no_move(&mut self, time: Duration) -> Played {
        if self.is_played_out() {
            return Ok(());
        }
        let more = self.session.read_unsolicited(time)?;
        let last = self.state.moves().len();
        if more.flood {
            return Err(Cause::new(id::ONE, format!("after move {last} it did not stop writing")).into());
        }
        for line in more.lines {
            if is_move(&line, self.game.size) {
                let line = escaped(&line);
                let what = format!("after move {last}, which was its own, it also wrote `{line}`");
                return Err(Cause::new(id::ONE, what).into());
            }
            self.note_garbage(&line);
        }
        // An unfinished line, such as a prompt, is found in front of the next move.
        Ok(())
    }

    /// Keeps the first line that is not a move.
    pub(super) fn note_garbage(&mut self, line: &[u8]) {
        let what = format!("{}: `{}` is not a move", self.place(), escaped(&line[..line.len().min(60)]));
        self.garbage.get_or_insert_with(|| Cause::new(id::QUIET, what).incidental());
    }

    /// Whether the bot could place a stone.
    pub(super) fn has_legal_point(&self) -> bool {
        let position = self.state.position();
        position.points().any(|point| position.is_legal(point, self.game.bot))
    }

    /// The number of the next move, for reports.
    pub(super) fn place(&self) -> String {
        format!("move {}", self.state.moves().len() + 1)
    }
}

/// The number of moves in `moves` that `bot` made.
pub(super) fn count_moves(moves: &[Move], bot: Colour) -> usize {
    let first = usize::from(bot == Colour::White);
    moves.iter().skip(first).step_by(2).count()
}
