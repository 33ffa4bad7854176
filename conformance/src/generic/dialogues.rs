//! The dialogues of a game in lines: the bot is sent what its seat may see and answers, and the rules judge the answer.
//! The other seats play random moves, or the bot itself plays them.

use super::line_suite::LineCheckIds;
use super::{args, begin, drawn, seats, view};
use crate::budget::Round;
use crate::catalog::Id;
use crate::fault::Fault;
use crate::lines::protocol::{PATIENT, ends_with_its_input};
use crate::lines::{Dialogue, DialogueSession, GRACE, LineRead};
use cornerman::game::{LiveGame, Reply, Seat};
use cornerman::rng::Rng;
use cornerman_harness::bot::Bot;
use cornerman_harness::ruleset::Ruleset;
use cornerman_harness::sandbox::{Conditions, Line, RunRequest, Session};
use cornerman_harness::text::{duration, escaped};
use std::io;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How long to look for unsolicited output: before the first line is sent, and after each of the first answers. These
/// are short because unsolicited output is usually written together with an answer.
const BEFORE_THE_FIRST: Duration = Duration::from_millis(120);
const AFTER_AN_ANSWER: Duration = Duration::from_millis(50);

/// After this many of the first answers, unsolicited output is looked for.
const WATCHED_ANSWERS: usize = 3;

/// A game is abandoned after this many answers of the bot.
const MOST_ANSWERS: usize = 500;

/// The greatest number of bytes that are read of the line of an opponent.
const LONGEST_LINE: usize = 4096;

/// A game to be played.
#[derive(Clone, Copy, Debug)]
pub(super) struct GamePlan {
    /// The bot's seat.
    pub seat: Seat,
    /// The seed of the game and of random opponents.
    pub seed: u64,
}

/// Makes the dialogues in which games are played with a bot.
#[derive(Clone)]
pub(super) struct LineGames {
    pub ids: LineCheckIds,
    pub ruleset: Ruleset,
    pub bot: Arc<Bot>,
    pub conditions: Conditions,
}

impl LineGames {
    fn dialogue(
        &self,
        check: Option<Id>,
        case: &str,
        game: GamePlan,
        script: impl Fn(&mut DialogueSession, &LineGames) -> io::Result<Option<Fault>> + Send + Sync + 'static,
    ) -> Dialogue {
        let games = self.clone();
        let opponent = if self.meets_itself(game) { "itself" } else { "random moves" };
        Dialogue {
            check,
            case: case.to_string(),
            about: format!("as {} with the seed {} against {opponent}", game.seat, game.seed),
            request: RunRequest::for_game(args(&self.ruleset, game.seat)),
            dribbled: false,
            grace: GRACE,
            round: Round::First,
            moves: 20,
            script: Box::new(move |session| script(session, &games)),
        }
    }

    /// A whole game in plain conditions, which also looks for unsolicited output.
    pub(super) fn watchful(&self, game: GamePlan) -> Dialogue {
        let dialogue = self.dialogue(None, "plain", game, move |session, games| {
            let early = session.read_unsolicited(BEFORE_THE_FIRST)?;
            if let Some(line) = early.lines.first().or(Some(&early.unfinished)).filter(|_| !early.is_nothing()) {
                let what = format!("before anything was sent it wrote `{}`", escaped(line));
                return Ok(Some(Fault::new(games.ids.order, what)));
            }
            OngoingGame::begin(games, session, game)?.go_on(WATCHED_ANSWERS, MOST_ANSWERS)
        });
        Dialogue { grace: PATIENT, ..dialogue }
    }

    /// A whole game.
    pub(super) fn whole(&self, check: Option<Id>, case: &str, game: GamePlan) -> Dialogue {
        self.dialogue(check, case, game, move |session, games| {
            OngoingGame::begin(games, session, game)?.go_on(0, MOST_ANSWERS)
        })
    }

    /// Sends the first line and closes the bot's input, to see whether the answer comes only then.
    pub(super) fn flushes_only_at_end(&self, game: GamePlan) -> Dialogue {
        self.dialogue(None, "end after a line", game, move |session, games| {
            session.send(&view(games.open(game)?.as_ref(), game.seat))?;
            session.close_input();
            let LineRead::Line(line) = session.read_line(session.limits.start)? else { return Ok(None) };
            let what = "no answer came while its input was open, but one came after its input had ended";
            Ok(Some(Fault::new(games.ids.flush, format!("{what}: `{}`", escaped(&line)))))
        })
    }

    /// A game whose input ends after this many answers.
    pub(super) fn input_ends_early(&self, case: &str, game: GamePlan, after: usize) -> Dialogue {
        self.dialogue(Some(self.ids.eof), case, game, move |session, games| {
            let fault = OngoingGame::begin(games, session, game)?.go_on(0, after)?;
            if fault.is_some() {
                return Ok(fault);
            }
            let patience = session.limits.hard;
            ends_with_its_input(session, games.ids.eof, patience).map(Some)
        })
    }

    fn open(&self, game: GamePlan) -> io::Result<Box<dyn LiveGame>> {
        begin(&self.ruleset, game.seed).map_err(io::Error::other)
    }

    /// Whether the bot plays all seats, because the game does not list legal moves.
    fn meets_itself(&self, game: GamePlan) -> bool {
        self.open(game)
            .is_ok_and(|live| live.to_act().iter().next().is_some_and(|seat| live.legal(seat).is_empty()))
    }
}

/// A game in progress.
struct OngoingGame<'t> {
    games: &'t LineGames,
    session: &'t mut DialogueSession,
    live: Box<dyn LiveGame>,
    game: GamePlan,
    rng: Rng,
    answers: usize,
    /// The sessions of the bot in the other seats, if it plays those too.
    others: Vec<Option<Session>>,
}

impl<'t> OngoingGame<'t> {
    fn begin(
        games: &'t LineGames,
        session: &'t mut DialogueSession,
        game: GamePlan,
    ) -> io::Result<OngoingGame<'t>> {
        let others = seats(&games.ruleset).map(|_| None).collect();
        let live = games.open(game)?;
        let rng = Rng::new(game.seed);
        Ok(OngoingGame { games, session, live, game, rng, answers: 0, others })
    }

    /// Plays until the game is over or the bot has answered `most` times. Unsolicited output is looked for after every
    /// answer, and for longer after the first `watched`. Returns the first fault.
    fn go_on(mut self, watched: usize, most: usize) -> io::Result<Option<Fault>> {
        while self.answers < most {
            let to_act = self.live.to_act();
            for seat in to_act.iter() {
                if seat != self.game.seat {
                    if !self.other_answers(seat)? {
                        // The bot plays that seat too. The dialogue in which it is the one judged reports the fault.
                        return Ok(None);
                    }
                } else if let Some(fault) = self.bot_answers(watched)? {
                    return Ok(Some(fault));
                }
            }
            if to_act.is_empty() {
                let last = view(self.live.as_ref(), self.game.seat);
                self.session.send(&last)?;
                break;
            }
        }
        Ok(None)
    }

    /// Lets the bot answer once. Returns the fault of its answer, if it has one.
    fn bot_answers(&mut self, watched: usize) -> io::Result<Option<Fault>> {
        let ids = self.games.ids;
        let seat = self.game.seat;
        let place = format!("turn {}", self.answers + 1);
        self.session.send(&view(self.live.as_ref(), seat))?;
        let limit = duration(self.session.limits.hard);
        let no_line_feed = |rest: &[u8]| format!("{place}: `{}` came without a line feed", escaped(rest));
        Ok(Some(match self.session.answer(|| place.clone())? {
            LineRead::Line(line) if line.trim_ascii().is_empty() => {
                Fault::new(ids.one, format!("{place}: an empty line came where an answer was due"))
            }
            LineRead::Line(line) => match self.live.answer(seat, &line) {
                Ok(_) => {
                    self.answers += 1;
                    return self.nothing_more(if self.answers <= watched {
                        AFTER_AN_ANSWER
                    } else {
                        Duration::ZERO
                    });
                }
                Err(violation) => Fault::new(ids.moves, format!("{place}: {violation}")),
            },
            LineRead::TimedOut(rest) if !rest.is_empty() => Fault::new(ids.lf, no_line_feed(&rest)),
            LineRead::TimedOut(_) if self.session.waits_for_input() => self.held_back(&place)?,
            LineRead::TimedOut(_) => {
                // A bot that answers later is too slow; one that never answers has not begun to play.
                let never = self.answers == 0
                    && !matches!(self.session.read_line(self.session.limits.start)?, LineRead::Line(_));
                let id = if never { ids.ids.start } else { ids.ids.time };
                Fault::new(id, format!("{place}: no answer within {limit}"))
            }
            LineRead::Ended(rest) if !rest.is_empty() => Fault::new(ids.lf, no_line_feed(&rest)).at_its_end(),
            LineRead::Ended(_) => Fault::new(ids.ids.start, format!("{place}: no answer came")).at_its_end(),
            LineRead::TooLong(start) => {
                let what = format!("{place}: a line of more than {} bytes", start.len() - 1);
                Fault::new(ids.one, what)
            }
        }))
    }

    /// The fault of a bot that waits for input instead of answering. Closing its input shows whether it held back.
    fn held_back(&mut self, place: &str) -> io::Result<Fault> {
        let ids = self.games.ids;
        let seat = self.game.seat;
        self.session.close_input();
        let rest = self.session.read_unsolicited(self.session.limits.hard)?;
        Ok(match rest.lines.first() {
            Some(line) if self.live.answer(seat, line).is_ok() => {
                let what = format!("{place}: its answer came only when its input had ended: `{}`", escaped(line));
                Fault::new(ids.flush, what)
            }
            _ => {
                let id = if self.answers == 0 { ids.ids.start } else { ids.ids.time };
                Fault::new(id, format!("{place}: no answer came: it waits for more input"))
            }
        })
    }

    /// Looks for unsolicited output that comes within `time` after an answer, or came with it. Returns the fault, if
    /// there is any.
    fn nothing_more(&mut self, time: Duration) -> io::Result<Option<Fault>> {
        let more = self.session.read_unsolicited(time)?;
        if more.lines.is_empty() && !more.flood && more.unfinished.trim_ascii().is_empty() {
            return Ok(None);
        }
        let line = escaped(more.lines.first().unwrap_or(&more.unfinished));
        Ok(Some(Fault::new(
            self.games.ids.one,
            format!("turn {}: besides its answer it wrote `{line}`", self.answers),
        )))
    }

    /// Makes the move of another seat. Returns whether there was a legal one.
    fn other_answers(&mut self, seat: Seat) -> io::Result<bool> {
        let reply = match drawn(self.live.as_ref(), seat, &mut self.rng) {
            Some(reply) => Some(reply),
            None => self.answer_of_itself(seat)?.map(Reply::Answer),
        };
        Ok(reply.is_some_and(|reply| self.live.play(seat, &reply).is_ok()))
    }

    /// The bot's own answer in another seat; `None` if no line comes in time.
    fn answer_of_itself(&mut self, seat: Seat) -> io::Result<Option<Vec<u8>>> {
        let LineGames { bot, conditions, ruleset, .. } = self.games;
        let session = match self.others[seat.index()].take() {
            Some(session) => Some(session),
            None => {
                let sandbox = bot.sandbox(*conditions).map_err(io::Error::other)?;
                sandbox.start(&RunRequest::for_game(args(ruleset, seat))).map_err(io::Error::other)?.running().ok()
            }
        };
        let Some(mut session) = session else { return Ok(None) };
        session.send(&view(self.live.as_ref(), seat), Instant::now() + bot.limits.hard)?;
        let line = session.line(LONGEST_LINE, Instant::now() + bot.limits.hard)?;
        self.others[seat.index()] = Some(session);
        Ok(if let Line::Read(line) = line { Some(line) } else { None })
    }
}
