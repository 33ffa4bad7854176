//! A game with a bot: moves are asked for, judged by the rules and answered, and what is wrong is named by the check
//! that says most about it (G3–G6).

use super::id;
use super::malformed::malformed_move;
use super::opponent::Opponent;
use crate::fault::Fault;
use crate::lines::{DialogueSession, LineRead};
use crate::text::{duration, escaped};
use cornerman::game::{Action, Game, Seat, Setup};
use cornerman::games::go::{Colour, Go, Move, State, is_move};
use cornerman::rng::Rng;
use std::collections::VecDeque;
use std::io;
use std::time::Duration;

/// A bot's garbage for one move may be so long (G5).
const MOST_GARBAGE: usize = 1 << 20;

/// After a line that looks like a move and is none, the move is waited for so long.
const AFTER_ODD_LINE: Duration = Duration::from_secs(2);

/// So long nothing may come where nothing is due. It is not the bot that is waited for: what is to be found here
/// has been written together with the line before.
pub const UNASKED: Duration = Duration::from_millis(60);

/// No machine holds a bot up for so long.
const BEYOND_DOUBT: Duration = Duration::from_secs(10);

/// No game but those of GO-LONG has so many moves: who leaves then does so because of their number.
pub const MOST_PLIES: usize = 380;

/// A game to be played.
#[derive(Clone, Copy, Debug)]
pub struct GamePlan {
    /// Lines a side.
    pub size: u8,
    /// The bot's colour.
    pub bot: Colour,
    /// Its opponent.
    pub opponent: Opponent,
    /// What the opponent's lots are drawn from.
    pub seed: u64,
    /// After how many moves of both it is broken off.
    pub plies: usize,
    /// Whether `time` is sent before everything else.
    pub time_first: bool,
    /// Whether moves are sent in small letters.
    pub small: bool,
}

impl GamePlan {
    /// The colour, the board and the opponent.
    pub fn in_words(&self) -> String {
        let size = self.size;
        format!("as {} on {size}x{size} against {}", self.bot.name(), self.opponent.in_words())
    }

    /// What the bot is started with (G4).
    pub fn args(&self) -> Vec<std::ffi::OsString> {
        let size = (self.size != Go::default().size).then(|| self.size.to_string());
        [Some(self.bot.name().to_string()), size].into_iter().flatten().map(Into::into).collect()
    }
}

/// A game under way.
pub struct DialogueGame<'t> {
    /// The bot.
    pub session: &'t mut DialogueSession,
    /// What is played.
    pub game: GamePlan,
    /// The position and the moves so far.
    pub state: State,
    /// How many moves of its own were listened after for more.
    pub watched: usize,
    go: Go,
    rng: Rng,
    /// Lines that came and were not looked at yet.
    unread: VecDeque<Vec<u8>>,
    time_sent: bool,
    /// The first garbage line.
    garbage: Option<Fault>,
}

/// A step of a game: it goes on, or there is a fault.
pub type Step = io::Result<Result<(), Fault>>;

impl<'t> DialogueGame<'t> {
    /// The game before its first move. If it is time_first, the bot is told so.
    ///
    /// # Errors
    /// When the system fails.
    pub fn begin(session: &'t mut DialogueSession, game: GamePlan) -> io::Result<DialogueGame<'t>> {
        let go = Go { size: game.size, ..Go::default() };
        let state = go.start(&Setup { seats: 2, ..Setup::default() }).map_err(io::Error::other)?;
        let rng = Rng::new(game.seed);
        if game.time_first {
            session.send(b"time\n")?;
        }
        let time_sent = game.time_first;
        let unread = VecDeque::new();
        Ok(DialogueGame { session, game, state, watched: 0, go, rng, unread, time_sent, garbage: None })
    }

    /// Whether the game is over, or as long as it is to be.
    pub fn is_over(&self) -> bool {
        self.go.to_act(&self.state).is_empty() || self.state.moves().len() >= self.game.plies
    }

    /// Whether two passes ended it.
    pub fn is_played_out(&self) -> bool {
        self.state.moves().ends_with(&[Move::Pass; 2])
    }

    /// Whether the bot is to move.
    pub fn is_bots_turn(&self) -> bool {
        Colour::of(self.state.turn()) == self.game.bot
    }

    /// `time` was sent.
    pub fn note_time_sent(&mut self) {
        self.time_sent = true;
    }

    /// What is said of the game in the end: `fault`, or else its garbage.
    pub fn verdict(&mut self, fault: Option<Fault>) -> Option<Fault> {
        fault.or(self.garbage.take())
    }

    /// The next `plies` moves, as far as the game goes.
    ///
    /// # Errors
    /// When the system fails.
    pub fn go_on(&mut self, plies: usize) -> Step {
        for _ in 0..plies {
            if self.is_over() {
                break;
            }
            let step = if self.is_bots_turn() { self.read_bots_move()? } else { self.send_opponents_move()? };
            if step.is_err() {
                return Ok(step);
            }
        }
        Ok(Ok(()))
    }

    /// The opponent's move, made and told.
    ///
    /// # Errors
    /// When the system fails.
    pub fn send_opponents_move(&mut self) -> Step {
        let line = self.opponents_line();
        self.session.send(line.as_bytes())?;
        Ok(Ok(()))
    }

    /// The opponent's move, made and not told yet.
    pub fn opponents_line(&mut self) -> String {
        let chosen = self.game.opponent.choose(&self.state, &mut self.rng);
        let notation = self.go.notation(&chosen);
        self.make(chosen);
        let line = if self.game.small { notation.to_ascii_lowercase() } else { notation };
        line + "\n"
    }

    fn make(&mut self, m: Move) {
        let seat = self.state.turn();
        self.go.apply(&mut self.state, &[(seat, Action::Move(m))]);
    }

    /// The bot's move, heard and made. After the first ones that are watched it is listened for more.
    ///
    /// # Errors
    /// When the system fails.
    pub fn read_bots_move(&mut self) -> Step {
        let line = match self.line()? {
            Ok(line) => line,
            Err(fault) => return Ok(Err(fault)),
        };
        let seat: Seat = self.state.turn();
        match self.go.read(&self.state, seat, &line) {
            Ok(m) => self.make(m),
            Err(violation) => {
                let id = match violation.kind {
                    _ if !self.has_legal_point() => id::PASS,
                    "occupied" => id::OCCUPIED,
                    "suicide" => id::SUICIDE,
                    "ko" => id::KO,
                    _ => id::COORD,
                };
                let what = format!("{}: {}", self.place(), violation.detail);
                return Ok(Err(self.and_no_point(Fault::of(id, what))));
            }
        }
        if self.watched > 0 {
            self.watched -= 1;
            return self.nothing_more();
        }
        Ok(Ok(()))
    }

    /// Nothing may come now, but garbage.
    ///
    /// # Errors
    /// When the system fails.
    pub fn nothing_more(&mut self) -> Step {
        let more = self.session.read_unsolicited(UNASKED)?;
        let last = self.state.moves().len();
        if more.flood {
            return Ok(Err(Fault::of(id::ONE, format!("after move {last} it wrote without end"))));
        }
        for line in more.lines {
            if is_move(&line, self.game.size) {
                let line = escaped(&line);
                let what = format!("after move {last}, its own, it wrote `{line}` as well");
                return Ok(Err(Fault::of(id::ONE, what)));
            }
            self.note_garbage(&line);
        }
        // The beginning of garbage, or a prompt, is before its next move then.
        Ok(Ok(()))
    }

    /// The next line with a move in it.
    fn line(&mut self) -> io::Result<Result<Vec<u8>, Fault>> {
        let (mut garbage, mut odd) = (0, None);
        let place = self.place();
        loop {
            let heard = match self.unread.pop_front() {
                Some(line) => LineRead::Line(line),
                None if odd.is_some() => self.after_odd_line(&place)?,
                None if self.state.moves().is_empty() && !self.time_sent => match self.opening(&place)? {
                    Ok(heard) => heard,
                    Err(fault) => return Ok(Err(fault)),
                },
                None => self.answer(&place)?,
            };
            let (heard, bytes) = match heard {
                LineRead::Line(line) if is_move(&line, self.game.size) => return Ok(Ok(line)),
                LineRead::Line(line) => {
                    self.note_garbage(&line);
                    odd = malformed_move(&line).map(|id| (id, line.clone())).or(odd);
                    (None, line.len() + 1)
                }
                LineRead::TooLong(line) => {
                    self.note_garbage(&line);
                    (None, line.len())
                }
                other => (Some(other), 0),
            };
            garbage += bytes;
            if garbage > MOST_GARBAGE {
                let what = format!("{place}: more than 1 MiB came, and no move");
                return Ok(Err(Fault::of(id::ONE, what)));
            }
            match (heard, odd.take()) {
                (None, seen) => odd = seen,
                (Some(_), Some((id, line))) => return Ok(Err(self.odd_line(id, &line))),
                (Some(came), None) => return Ok(Err(self.no_line(came))),
            }
        }
    }

    /// What comes when a move is due. A bot may think as long as it likes until it is sent `time`. After a long silence
    /// it is sent that, and has the minimum of the clock from then on (G3).
    ///
    /// # Errors
    /// When the system fails.
    pub fn answer(&mut self, place: &str) -> io::Result<LineRead> {
        if !self.time_sent {
            match self.session.answer(|| place.to_string())? {
                LineRead::TimedOut(rest) if !is_move(&rest, self.game.size) => self.send_time()?,
                heard => return Ok(heard),
            }
        }
        self.session.answer_by_clock(|| place.to_string())
    }

    /// What comes after a line that looks like a move and is none. A bot that does not even think will write no other.
    fn after_odd_line(&mut self, place: &str) -> io::Result<LineRead> {
        let before = self.session.user_time()?;
        let limit = AFTER_ODD_LINE.min(self.session.limits.hard);
        match self.session.read_line(limit)? {
            LineRead::TimedOut(_) if self.session.user_time()?.saturating_sub(before) > limit / 10 => {
                self.answer(place)
            }
            heard => Ok(heard),
        }
    }

    /// What comes when the bot is to open the game. If nothing does in all the time that it has, it may be waiting for a
    /// move first: then that is its fault.
    fn opening(&mut self, place: &str) -> io::Result<Result<LineRead, Fault>> {
        let silence = LineRead::TimedOut(Vec::new());
        let start = self.session.limits.start;
        let mut heard = self.session.read_line(start)?;
        if heard == silence {
            // Who does not even think is asked to hurry sooner.
            if self.session.user_time()? <= start / 10 {
                self.send_time()?;
            }
            heard = self.answer(place)?;
        }
        if heard != silence {
            return Ok(Ok(heard));
        }
        self.session.send(if self.game.size > 9 { b"Q16\n" } else { b"C3\n" })?;
        let fault = |what: String| Fault::of(id::TURN, format!("as black it wrote nothing, {what}"));
        Ok(Err(match self.session.read_line(start)? {
            LineRead::Line(line) => {
                fault(format!("and its first line only when it had been sent a move: `{}`", escaped(&line)))
            }
            _ => {
                let minimum = self.session.limits.hard;
                let what = format!("not even within the minimum of {} after `time` was sent", duration(minimum));
                patient(fault(what), minimum)
            }
        }))
    }

    fn send_time(&mut self) -> io::Result<()> {
        self.time_sent = true;
        self.session.send(b"time\n")
    }

    /// The fault of a bot that named no move in a line that was meant to.
    fn odd_line(&self, id: &'static str, line: &[u8]) -> Fault {
        let what = format!("{}: `{}` is no move, and none followed", self.place(), escaped(line));
        self.and_no_point(Fault::of(if self.has_legal_point() { id } else { id::PASS }, what))
    }

    /// The fault of a bot that wrote no line.
    fn no_line(&self, came: LineRead) -> Fault {
        let place = self.place();
        let limit = duration(self.session.limits.hard);
        let fault = match came {
            LineRead::TimedOut(rest) if rest.is_empty() => {
                let what = format!("{place}: no move within {limit} after `time` was sent");
                patient(Fault::of(self.silent(id::CLOCK), what), self.session.limits.hard)
            }
            LineRead::TimedOut(rest) => {
                let what = format!("{place}: `{}` came, and no line feed after it", escaped(&rest));
                Fault::of(id::LF, what).may_be_load()
            }
            LineRead::Ended(rest) if is_move(&rest, self.game.size) => {
                let what = format!("{place}: `{}` came, and no line feed after it", escaped(&rest));
                Fault::of(id::LF, what).at_its_end()
            }
            _ => Fault::of(self.silent(id::LONG), format!("{place}: no move came")).at_its_end(),
        };
        self.and_no_point(fault)
    }

    /// What silence is laid to: what the opponent had just done, or `otherwise`.
    fn silent(&self, otherwise: &'static str) -> &'static str {
        let moves = self.state.moves();
        let before = &moves[..moves.len().saturating_sub(1)];
        match moves.last() {
            _ if moves.len() >= MOST_PLIES => otherwise,
            Some(m @ Move::Place(_)) if before.contains(m) => id::CAPTURE,
            Some(Move::Pass) => id::PASS,
            _ if !self.has_legal_point() => id::PASS,
            _ => otherwise,
        }
    }

    /// Says of `fault` that nothing but a pass was left, or where the opponent had just played again.
    fn and_no_point(&self, fault: Fault) -> Fault {
        let why = match fault.id {
            id::PASS if !self.has_legal_point() => "; no legal point was left to it",
            id::PASS => "; the opponent had just passed",
            id::CAPTURE => "; the opponent had just played where a stone had been captured",
            _ => return fault,
        };
        Fault { what: fault.what.clone() + why, ..fault }
    }

    fn has_legal_point(&self) -> bool {
        let position = self.state.position();
        position.points().any(|point| position.is_legal(point, self.game.bot))
    }

    /// Remembers the first line that is no move.
    pub fn note_garbage(&mut self, line: &[u8]) {
        let what = format!("{}: `{}` is no move", self.place(), escaped(&line[..line.len().min(60)]));
        self.garbage.get_or_insert_with(|| Fault::of(id::QUIET, what).incidental());
    }

    fn place(&self) -> String {
        format!("move {}", self.state.moves().len() + 1)
    }
}

/// A fault of silence: after a long wait it is not doubted.
fn patient(fault: Fault, waited: Duration) -> Fault {
    if waited < BEYOND_DOUBT { fault.may_be_load() } else { fault }
}
