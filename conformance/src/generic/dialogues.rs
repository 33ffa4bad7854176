//! The dialogues of a game in lines: the bot is sent what its seat may see and answers, the rules judge, and the other
//! seats are played by lots or by the bot itself.

use super::line_check_ids::LineCheckIds;
use super::{args, begin, drawn, seats, view};
use crate::budget::Round;
use crate::catalog::Id;
use crate::fault::Fault;
use crate::lines::protocol::{PATIENT, ends_with_its_input};
use crate::lines::{Dialogue, DialogueSession, GRACE, LineRead};
use crate::text::{duration, escaped};
use cornerman::game::{LiveGame, Reply, Seat};
use cornerman::rng::Rng;
use cornerman_harness::bot::Bot;
use cornerman_harness::ruleset::Ruleset;
use cornerman_harness::sandbox::{Conditions, Line, RunRequest, Sandbox, Session};
use std::io;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// What is listened for before the first line is sent, and after each of the first answers. It is not the bot that is
/// waited for: what is found here was written together with the line before.
const BEFORE_THE_FIRST: Duration = Duration::from_millis(120);
const AFTER_AN_ANSWER: Duration = Duration::from_millis(50);

/// The answers after which something more is looked for.
const WATCHED: usize = 3;

/// No game is played on after this many answers of the bot.
const MOST_ANSWERS: usize = 500;

/// No line of an opponent is longer.
const LONGEST_LINE: usize = 4096;

/// A game to be played.
#[derive(Clone, Copy, Debug)]
pub struct GamePlan {
    /// The bot's seat.
    pub seat: Seat,
    /// What the game and the opponents are drawn from.
    pub seed: u64,
}

/// How games are played with a bot.
#[derive(Clone)]
pub struct Play {
    pub ids: LineCheckIds,
    pub ruleset: Ruleset,
    pub bot: Arc<Bot>,
    pub conditions: Conditions,
}

impl Play {
    fn dialogue(
        &self,
        check: Option<Id>,
        case: &str,
        game: GamePlan,
        script: impl Fn(&mut DialogueSession, &Play) -> io::Result<Option<Fault>> + Send + Sync + 'static,
    ) -> Dialogue {
        let play = self.clone();
        let foe = if self.meets_itself(game) { "itself" } else { "one that draws lots" };
        Dialogue {
            check,
            case: case.to_string(),
            about: format!("as {} with the seed {} against {foe}", game.seat, game.seed),
            request: RunRequest::of_game(args(&self.ruleset, game.seat)),
            dribbled: false,
            grace: GRACE,
            round: Round::First,
            moves: 20,
            script: Box::new(move |talk| script(talk, &play)),
        }
    }

    /// A whole game, in which what comes unasked is looked for.
    pub fn watchful(&self, game: GamePlan) -> Dialogue {
        let dialogue = self.dialogue(None, "plain", game, move |talk, play| {
            let early = talk.read_unsolicited(BEFORE_THE_FIRST)?;
            if let Some(line) = early.lines.first().or(Some(&early.unfinished)).filter(|_| !early.is_nothing()) {
                let what = format!("before anything was sent it wrote `{}`", escaped(line));
                return Ok(Some(Fault::of(play.ids.order, what)));
            }
            Playing::begin(play, talk, game)?.go_on(WATCHED, MOST_ANSWERS)
        });
        Dialogue { grace: PATIENT, ..dialogue }
    }

    /// A whole game.
    pub fn whole(&self, check: Option<Id>, case: &str, game: GamePlan) -> Dialogue {
        self.dialogue(check, case, game, move |talk, play| {
            Playing::begin(play, talk, game)?.go_on(0, MOST_ANSWERS)
        })
    }

    /// The first line and the end of input: whether the answer comes out only then.
    pub fn kept_back(&self, game: GamePlan) -> Dialogue {
        self.dialogue(None, "end after a line", game, move |talk, play| {
            talk.send(&view(play.open(game)?.as_ref(), game.seat))?;
            talk.close_input();
            let LineRead::Line(line) = talk.read_line(talk.limits.start)? else { return Ok(None) };
            let what = "no answer came while its input was open, and one once its input had ended";
            Ok(Some(Fault::of(play.ids.flush, format!("{what}: `{}`", escaped(&line)))))
        })
    }

    /// A game whose input ends after this many answers.
    pub fn input_ends_early(&self, case: &str, game: GamePlan, after: usize) -> Dialogue {
        self.dialogue(Some(self.ids.eof), case, game, move |talk, play| {
            let fault = Playing::begin(play, talk, game)?.go_on(0, after)?;
            if fault.is_some() {
                return Ok(fault);
            }
            let patience = talk.limits.hard;
            ends_with_its_input(talk, play.ids.eof, patience).map(Some)
        })
    }

    fn open(&self, game: GamePlan) -> io::Result<Box<dyn LiveGame>> {
        begin(&self.ruleset, game.seed).map_err(io::Error::other)
    }

    /// Whether nothing but the bot itself knows an answer for the other seats.
    fn meets_itself(&self, game: GamePlan) -> bool {
        self.open(game)
            .is_ok_and(|table| table.to_act().iter().next().is_some_and(|seat| table.legal(seat).is_empty()))
    }
}

/// A game under way.
struct Playing<'t> {
    play: &'t Play,
    talk: &'t mut DialogueSession,
    table: Box<dyn LiveGame>,
    game: GamePlan,
    rng: Rng,
    answers: usize,
    /// The bot in the other seats, where it meets itself.
    others: Vec<Option<Session>>,
}

impl<'t> Playing<'t> {
    fn begin(play: &'t Play, talk: &'t mut DialogueSession, game: GamePlan) -> io::Result<Playing<'t>> {
        let others = seats(&play.ruleset).map(|_| None).collect();
        let (table, rng) = (play.open(game)?, Rng::new(game.seed));
        Ok(Playing { play, talk, table, game, rng, answers: 0, others })
    }

    /// Plays until the game is over or the bot has answered `most` times. After the first `watched` answers something
    /// more is looked for.
    fn go_on(mut self, watched: usize, most: usize) -> io::Result<Option<Fault>> {
        while self.answers < most {
            let to_act = self.table.to_act();
            for seat in to_act.iter() {
                if seat != self.game.seat {
                    if !self.other_answers(seat)? {
                        // That is the bot's own fault as well, and seen where it has that seat.
                        return Ok(None);
                    }
                } else if let Err(fault) = self.bot_answers(watched)? {
                    return Ok(Some(fault));
                }
            }
            if to_act.is_empty() {
                let last = view(self.table.as_ref(), self.game.seat);
                self.talk.send(&last)?;
                break;
            }
        }
        Ok(None)
    }

    fn bot_answers(&mut self, watched: usize) -> io::Result<Result<(), Fault>> {
        let (ids, seat) = (self.play.ids, self.game.seat);
        let place = format!("turn {}", self.answers + 1);
        self.talk.send(&view(self.table.as_ref(), seat))?;
        let limit = duration(self.talk.limits.hard);
        let no_line_feed = |rest: &[u8]| format!("{place}: `{}` came, and no line feed after it", escaped(rest));
        Ok(Err(match self.talk.answer(|| place.clone())? {
            LineRead::Line(line) if line.trim_ascii().is_empty() => {
                Fault::of(ids.one, format!("{place}: an empty line came where an answer was due"))
            }
            LineRead::Line(line) => match self.table.answer(seat, &line) {
                Ok(_) => {
                    self.answers += 1;
                    return if self.answers <= watched { self.nothing_more() } else { Ok(Ok(())) };
                }
                Err(violation) => Fault::of(ids.moves, format!("{place}: {violation}")),
            },
            LineRead::TimedOut(rest) if !rest.is_empty() => Fault::of(ids.lf, no_line_feed(&rest)).may_be_load(),
            LineRead::TimedOut(_) => {
                // A bot that answers at all is late; one that does not has not begun.
                let never = self.answers == 0
                    && !matches!(self.talk.read_line(self.talk.limits.start)?, LineRead::Line(_));
                let id = if never { ids.ids.start } else { ids.ids.time };
                Fault::of(id, format!("{place}: no answer within {limit}")).may_be_load()
            }
            LineRead::Ended(rest) if !rest.is_empty() => Fault::of(ids.lf, no_line_feed(&rest)).at_its_end(),
            LineRead::Ended(_) => Fault::of(ids.ids.start, format!("{place}: no answer came")).at_its_end(),
            LineRead::TooLong(start) => {
                let what = format!("{place}: a line without end, more than {} bytes", start.len() - 1);
                Fault::of(ids.one, what)
            }
        }))
    }

    /// Nothing may come until the next line is sent.
    fn nothing_more(&mut self) -> io::Result<Result<(), Fault>> {
        let more = self.talk.read_unsolicited(AFTER_AN_ANSWER)?;
        if more.is_nothing() {
            return Ok(Ok(()));
        }
        let line = escaped(more.lines.first().unwrap_or(&more.unfinished));
        Ok(Err(Fault::of(
            self.play.ids.one,
            format!("turn {}: besides its answer it wrote `{line}`", self.answers),
        )))
    }

    /// The answer of another seat; whether there was a legal one.
    fn other_answers(&mut self, seat: Seat) -> io::Result<bool> {
        let reply = match drawn(self.table.as_ref(), seat, &mut self.rng) {
            Some(reply) => Some(reply),
            None => self.answer_of_itself(seat)?.map(Reply::Answer),
        };
        Ok(reply.is_some_and(|reply| self.table.play(seat, &reply).is_ok()))
    }

    /// What the bot itself answers in another seat.
    fn answer_of_itself(&mut self, seat: Seat) -> io::Result<Option<Vec<u8>>> {
        let Play { bot, conditions, ruleset, .. } = self.play;
        let session = match self.others[seat.index()].take() {
            Some(session) => Some(session),
            None => {
                let sandbox = Sandbox::open(&bot.program, &bot.limits, *conditions).map_err(io::Error::other)?;
                sandbox.start(&RunRequest::of_game(args(ruleset, seat))).map_err(io::Error::other)?.running().ok()
            }
        };
        let Some(mut session) = session else { return Ok(None) };
        session.send(&view(self.table.as_ref(), seat), Instant::now() + bot.limits.hard)?;
        let line = session.line(LONGEST_LINE, Instant::now() + bot.limits.hard)?;
        self.others[seat.index()] = Some(session);
        Ok(if let Line::Read(line) = line { Some(line) } else { None })
    }
}
