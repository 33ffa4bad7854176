//! A game with a bot in a dialogue: its moves are read, judged by the rules and answered. A fault is attributed to the
//! check that says most about it (G3–G6).

use super::id;
use super::malformed::malformed_move;
use super::opponent::Opponent;
use super::script::ScriptResult;
use crate::fault::Fault;
use crate::lines::{DialogueSession, LineRead};
use crate::text::{duration, escaped};
use cornerman::game::{Action, Game, Seat, Setup};
use cornerman::games::go::{Colour, Go, Move, State, is_move};
use cornerman::rng::Rng;
use std::io;
use std::time::Duration;

/// The most bytes of garbage that a bot may write before a move (G5).
const MAX_GARBAGE: usize = 1 << 20;

/// How long a move is awaited after a malformed one.
const AFTER_MALFORMED_MOVE: Duration = Duration::from_secs(2);

/// How long the bot must write nothing where no move is expected. This need not be long: the output to be found here
/// was written together with the line before.
pub const UNASKED: Duration = Duration::from_millis(60);

/// A bot that is silent for this long is at fault: load cannot delay it so much.
const BEYOND_DOUBT: Duration = Duration::from_secs(10);

/// The most moves of both colours in a game other than those of GO-LONG. A bot that stops playing after more moves does
/// so because of their number.
pub const MAX_PLIES: usize = 380;

/// A game to be played.
#[derive(Clone, Copy, Debug)]
pub struct GamePlan {
    /// The size of the board in lines per side.
    pub size: u8,
    /// The bot's colour.
    pub bot: Colour,
    /// Its opponent.
    pub opponent: Opponent,
    /// The seed of the opponent's random moves.
    pub seed: u64,
    /// The number of moves of both colours after which the game is broken off.
    pub plies: usize,
    /// Whether `time` is sent before everything else.
    pub time_first: bool,
    /// Whether moves are sent in lower case.
    pub lower_case: bool,
}

impl GamePlan {
    /// A description of the bot's colour, the board and the opponent.
    pub fn in_words(&self) -> String {
        let size = self.size;
        format!("as {} on {size}x{size} against {}", self.bot.name(), self.opponent.in_words())
    }

    /// The arguments with which the bot is started (G4).
    pub fn args(&self) -> Vec<std::ffi::OsString> {
        let size = (self.size != Go::default().size).then(|| self.size.to_string());
        [Some(self.bot.name().to_string()), size].into_iter().flatten().map(Into::into).collect()
    }
}

/// A game in progress in a dialogue.
pub struct DialogueGame<'t> {
    /// The dialogue with the bot.
    pub session: &'t mut DialogueSession,
    /// The plan of the game.
    pub game: GamePlan,
    /// The position and the moves so far.
    pub state: State,
    /// The number of the bot's next moves after which it must write nothing more.
    pub watched: usize,
    go: Go,
    rng: Rng,
    /// Whether the bot has been sent `time`.
    time_sent: bool,
    /// The fault of the first garbage line.
    garbage: Option<Fault>,
}

/// What the bot wrote when its move was expected.
enum BotLine {
    /// A line with a move, legal or not.
    Move(Vec<u8>),
    /// Something else.
    Fault(Fault),
}

/// What the bot, as black, wrote at the start of the game.
enum Opening {
    /// Something, which may be a move.
    Read(LineRead),
    /// Nothing.
    Fault(Fault),
}

impl<'t> DialogueGame<'t> {
    /// Begins `game`, and sends `time` if the plan says so.
    ///
    /// # Errors
    /// The system failed.
    pub fn begin(session: &'t mut DialogueSession, game: GamePlan) -> io::Result<DialogueGame<'t>> {
        let go = Go { size: game.size, ..Go::default() };
        let state = go.start(&Setup { seats: 2, ..Setup::default() }).map_err(io::Error::other)?;
        let rng = Rng::new(game.seed);
        if game.time_first {
            session.send(b"time\n")?;
        }
        let time_sent = game.time_first;
        Ok(DialogueGame { session, game, state, watched: 0, go, rng, time_sent, garbage: None })
    }

    /// Whether the game is over, or as long as planned.
    pub fn is_over(&self) -> bool {
        self.go.to_act(&self.state).is_empty() || self.state.moves().len() >= self.game.plies
    }

    /// Whether two passes ended the game.
    pub fn is_played_out(&self) -> bool {
        self.state.moves().ends_with(&[Move::Pass; 2])
    }

    /// Whether it is the bot's turn.
    pub fn is_bots_turn(&self) -> bool {
        Colour::of(self.state.turn()) == self.game.bot
    }

    /// Notes that the caller has sent `time`.
    pub fn note_time_sent(&mut self) {
        self.time_sent = true;
    }

    /// The fault to report for the game: `fault`, or else that of its first garbage line.
    pub fn verdict(&mut self, fault: Option<Fault>) -> Option<Fault> {
        fault.or(self.garbage.take())
    }

    /// Plays the next `plies` moves, or as many as the game has left. Returns the first fault.
    ///
    /// # Errors
    /// The system failed.
    pub fn play_moves(&mut self, plies: usize) -> ScriptResult {
        for _ in 0..plies {
            if self.is_over() {
                break;
            }
            if !self.is_bots_turn() {
                let line = self.opponents_line();
                self.session.send(line.as_bytes())?;
            } else if let Some(fault) = self.read_bots_move()? {
                return Ok(Some(fault));
            }
        }
        Ok(None)
    }

    /// Makes the opponent's move and returns it as a line, which the caller must send.
    pub fn opponents_line(&mut self) -> String {
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
    fn read_bots_move(&mut self) -> ScriptResult {
        let line = match self.line()? {
            BotLine::Move(line) => line,
            BotLine::Fault(fault) => return Ok(Some(fault)),
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
                return Ok(Some(self.with_reason(Fault::of(id, what))));
            }
        }
        if self.watched > 0 {
            self.watched -= 1;
            return self.expect_no_move();
        }
        Ok(None)
    }

    /// Checks that the bot, which has just moved, writes no second move. Garbage is allowed.
    fn expect_no_move(&mut self) -> ScriptResult {
        let more = self.session.read_unsolicited(UNASKED)?;
        let last = self.state.moves().len();
        if more.flood {
            return Ok(Some(Fault::of(id::ONE, format!("after move {last} it did not stop writing"))));
        }
        for line in more.lines {
            if is_move(&line, self.game.size) {
                let line = escaped(&line);
                let what = format!("after move {last}, which was its own, it also wrote `{line}`");
                return Ok(Some(Fault::of(id::ONE, what)));
            }
            self.note_garbage(&line);
        }
        // An unfinished line, such as a prompt, is found in front of the next move.
        Ok(None)
    }

    /// Reads lines until one is a move.
    fn line(&mut self) -> io::Result<BotLine> {
        let (mut garbage, mut malformed) = (0, None);
        let place = self.place();
        loop {
            let read = if malformed.is_some() {
                self.after_malformed_move(&place)?
            } else if self.state.moves().is_empty() && !self.time_sent {
                match self.opening(&place)? {
                    Opening::Read(read) => read,
                    Opening::Fault(fault) => return Ok(BotLine::Fault(fault)),
                }
            } else {
                self.answer(&place)?
            };
            let (failed, bytes) = match read {
                LineRead::Line(line) if is_move(&line, self.game.size) => return Ok(BotLine::Move(line)),
                LineRead::Line(line) => {
                    self.note_garbage(&line);
                    malformed = malformed_move(&line).map(|id| (id, line.clone())).or(malformed);
                    (None, line.len() + 1)
                }
                LineRead::TooLong(line) => {
                    self.note_garbage(&line);
                    (None, line.len())
                }
                other => (Some(other), 0),
            };
            garbage += bytes;
            if garbage > MAX_GARBAGE {
                let what = format!("{place}: it wrote more than 1 MiB without a move");
                return Ok(BotLine::Fault(Fault::of(id::ONE, what)));
            }
            match (failed, malformed.take()) {
                (None, seen) => malformed = seen,
                (Some(_), Some((id, line))) => return Ok(BotLine::Fault(self.only_malformed(id, &line))),
                (Some(failed), None) => return Ok(BotLine::Fault(self.no_line(failed))),
            }
        }
    }

    /// Reads a line where a move is expected. A bot may think for any length of time until it is sent `time`. After a
    /// long silence it is sent `time`, and has the clock's minimum for each move from then on (G3).
    ///
    /// # Errors
    /// The system failed.
    pub fn answer(&mut self, place: &str) -> io::Result<LineRead> {
        if !self.time_sent {
            match self.session.answer(|| place.to_string())? {
                LineRead::TimedOut(rest) if !is_move(&rest, self.game.size) => self.send_time()?,
                read => return Ok(read),
            }
        }
        self.session.answer_by_clock(|| place.to_string())
    }

    /// Reads the line after a malformed move. A bot that does not use the processor will not write another one, so its
    /// line is not awaited as long as a move.
    fn after_malformed_move(&mut self, place: &str) -> io::Result<LineRead> {
        let before = self.session.user_time()?;
        let limit = AFTER_MALFORMED_MOVE.min(self.session.limits.hard);
        match self.session.read_line(limit)? {
            LineRead::TimedOut(_) if self.session.user_time()?.saturating_sub(before) > limit / 10 => {
                self.answer(place)
            }
            read => Ok(read),
        }
    }

    /// Reads the bot's first line of the game. If the bot writes nothing in all the time that it has, it may be waiting
    /// for a move, and the fault says so.
    fn opening(&mut self, place: &str) -> io::Result<Opening> {
        let silence = LineRead::TimedOut(Vec::new());
        let start = self.session.limits.start;
        let mut read = self.session.read_line(start)?;
        if read == silence {
            // A bot that does not use the processor is not thinking, so it is sent `time` at once.
            if self.session.user_time()? <= start / 10 {
                self.send_time()?;
            }
            read = self.answer(place)?;
        }
        if read != silence {
            return Ok(Opening::Read(read));
        }
        self.session.send(if self.game.size > 9 { b"Q16\n" } else { b"C3\n" })?;
        let fault = |what: String| Fault::of(id::TURN, format!("as black it wrote nothing{what}"));
        Ok(Opening::Fault(match self.session.read_line(start)? {
            LineRead::Line(line) => fault(format!(" until it was sent a move, and then `{}`", escaped(&line))),
            _ => {
                let minimum = self.session.limits.hard;
                let what = format!(", not even within {} after `time` was sent", duration(minimum));
                patient(fault(what), minimum)
            }
        }))
    }

    fn send_time(&mut self) -> io::Result<()> {
        self.time_sent = true;
        self.session.send(b"time\n")
    }

    /// The fault of a bot that wrote the malformed move `line`, which fails the check `id`, and then no move.
    fn only_malformed(&self, id: &'static str, line: &[u8]) -> Fault {
        let what = format!("{}: `{}` is not a move, and no move followed", self.place(), escaped(line));
        self.with_reason(Fault::of(if self.has_legal_point() { id } else { id::PASS }, what))
    }

    /// The fault of a bot that wrote no line.
    fn no_line(&self, read: LineRead) -> Fault {
        let place = self.place();
        let limit = duration(self.session.limits.hard);
        let fault = match read {
            LineRead::TimedOut(rest) if rest.is_empty() => {
                let what = format!("{place}: no move within {limit} after `time` was sent");
                patient(Fault::of(self.silent(id::CLOCK), what), self.session.limits.hard)
            }
            LineRead::TimedOut(rest) => {
                let what = format!("{place}: it wrote `{}` without a line feed", escaped(&rest));
                Fault::of(id::LF, what).may_be_load()
            }
            LineRead::Ended(rest) if is_move(&rest, self.game.size) => {
                let what = format!("{place}: it wrote `{}` without a line feed", escaped(&rest));
                Fault::of(id::LF, what).at_its_end()
            }
            _ => Fault::of(self.silent(id::LONG), format!("{place}: it wrote no move")).at_its_end(),
        };
        self.with_reason(fault)
    }

    /// The check that a silent bot fails: that of the opponent's last action, or `otherwise`.
    fn silent(&self, otherwise: &'static str) -> &'static str {
        let moves = self.state.moves();
        let before = &moves[..moves.len().saturating_sub(1)];
        match moves.last() {
            _ if moves.len() >= MAX_PLIES => otherwise,
            Some(m @ Move::Place(_)) if before.contains(m) => id::CAPTURE,
            Some(Move::Pass) => id::PASS,
            _ if !self.has_legal_point() => id::PASS,
            _ => otherwise,
        }
    }

    /// Adds to `fault` what the bot probably could not cope with.
    fn with_reason(&self, fault: Fault) -> Fault {
        let why = match fault.id {
            id::PASS if !self.has_legal_point() => "; it had no legal point left",
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

    /// Keeps the first line that is not a move as a fault.
    pub fn note_garbage(&mut self, line: &[u8]) {
        let what = format!("{}: `{}` is not a move", self.place(), escaped(&line[..line.len().min(60)]));
        self.garbage.get_or_insert_with(|| Fault::of(id::QUIET, what).incidental());
    }

    fn place(&self) -> String {
        format!("move {}", self.state.moves().len() + 1)
    }
}

/// A fault of silence, which is certain if the bot was silent for a long time.
fn patient(fault: Fault, waited: Duration) -> Fault {
    if waited < BEYOND_DOUBT { fault.may_be_load() } else { fault }
}
