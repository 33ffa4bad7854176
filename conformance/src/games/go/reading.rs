//! The bot's lines where a move is due, and what is wrong with a bot that writes none: why it is silent decides which check
//! fails (G3–G5, G9).

use super::id;
use super::misconception::PROBE;
use super::play::DialogueGame;
use crate::finding::Cause;
use crate::protocol::lines::{LineEvent, LineRead, Played, TimedEvent};
use cornerman::games::go::{Move, is_move, vertex};
use cornerman_harness::text::{duration, escaped};
use std::io;
use std::time::Duration;

/// The most bytes of garbage that a bot may write before a move (G5).
const MAX_GARBAGE: usize = 1 << 20;

/// How long a silent bot has to write what it holds back, or to end, when its input ends.
const AT_END: Duration = Duration::from_secs(2);

/// The event after which a silent bot may write what it held back.
const ANOTHER: &str = "it was sent another move";

/// A bot that stops playing after this many moves of both colours, more than games in plain conditions have, played on
/// for too short a time (GO-LONG).
const LATE: usize = 40;

impl DialogueGame<'_> {
    /// Reads lines until one is a move.
    ///
    /// # Errors
    /// The system failed.
    pub(super) fn line(&mut self) -> Played<Vec<u8>> {
        let mut garbage = 0;
        let mut malformed = None;
        let place = self.place();
        loop {
            let read = if self.state.moves().is_empty() && !self.time_sent && garbage == 0 {
                self.opening(&place)?
            } else {
                self.answer(&place)?
            };
            let bytes = match read {
                LineRead::Line(line) if is_move(&line, self.game.size) => return Ok(line),
                LineRead::Line(line) => {
                    self.note_garbage(&line);
                    let bytes = line.len() + 1;
                    malformed = malformed_move(&line).map(|id| (id, line)).or(malformed);
                    bytes
                }
                LineRead::TooLong(line) => {
                    self.note_garbage(&line);
                    line.len()
                }
                failed => {
                    return Err(match malformed {
                        Some((id, line)) => self.only_malformed(id, &line),
                        None => self.no_line(failed)?,
                    }
                    .into());
                }
            };
            garbage += bytes;
            if garbage > MAX_GARBAGE {
                let what = format!("{place}: it wrote more than 1 MiB without a move");
                return Err(Cause::new(id::ONE, what).into());
            }
        }
    }

    /// Reads a line where a move is expected. A bot may think for any length of time until it is sent `time`, which
    /// comes after a long silence; from then on it has the clock's minimum for each move (G3). A bot that waits for
    /// input does not think.
    ///
    /// # Errors
    /// The system failed.
    pub(super) fn answer(&mut self, place: &str) -> io::Result<LineRead> {
        if !self.time_sent {
            match self.session.answer(|| place.to_string())? {
                LineRead::TimedOut(rest) if !is_move(&rest, self.game.size) && !self.session.waits_for_input() => {
                    self.send_time()?;
                }
                read => return Ok(read),
            }
        }
        self.session.answer_by_clock(|| place.to_string())
    }

    /// Reads the bot's first line of the game. If the bot writes nothing in all the time that it has, it may be waiting
    /// for a move, and the cause says so.
    fn opening(&mut self, place: &str) -> Played<LineRead> {
        let silence = LineRead::TimedOut(Vec::new());
        let start = self.session.limits.start;
        let mut read = self.session.read_line(start)?;
        if read == silence && !self.session.waits_for_input() {
            // A bot that does not use the processor is not thinking, so it is sent `time` at once.
            if self.session.user_time()? <= start / 10 {
                self.send_time()?;
            }
            read = self.answer(place)?;
        }
        if read != silence {
            return Ok(read);
        }
        Err(self.silence("as black it wrote nothing")?.into())
    }

    fn send_time(&mut self) -> io::Result<()> {
        self.time_sent = true;
        self.session.send(b"time\n")
    }

    /// What is wrong with a bot that wrote the malformed move `line`, which fails the check `id`, and then no move.
    fn only_malformed(&self, id: &'static str, line: &[u8]) -> Cause {
        let what = format!("{}: `{}` is {}, and no move followed", self.place(), escaped(line), notation(line));
        Cause::new(if self.wants_to_pass() { id::PASS } else { id }, what + self.why_pass())
    }

    /// What is wrong with a bot that wrote no line.
    fn no_line(&mut self, read: LineRead) -> io::Result<Cause> {
        let place = self.place();
        let is_meant = |rest: &[u8]| is_move(rest, self.game.size) || malformed_move(rest) == Some(id::COORD);
        let unfinished = |rest: &[u8]| format!("{place}: it wrote `{}` without a line feed", escaped(rest));
        Ok(match read {
            LineRead::TimedOut(rest) if is_meant(&rest) => Cause::new(id::LF, unfinished(&rest)),
            LineRead::Ended(rest) if is_meant(&rest) => Cause::new(id::LF, unfinished(&rest)).at_its_end(),
            LineRead::TimedOut(_) => self.silence(&format!("{place}: it wrote no move"))?,
            _ => {
                let has_played = self.state.moves().len() > 1;
                let id = self.silent(if has_played { id::LONG } else { id::TURN });
                Cause::new(id, format!("{place}: it wrote no move{}", self.why_pass())).at_its_end()
            }
        })
    }

    /// What is wrong with a bot that wrote nothing where a move was due, as `what` says. It is sent another move, then
    /// its input ends: this shows whether it holds moves back, waits for more input, or thinks.
    fn silence(&mut self, what: &str) -> io::Result<Cause> {
        let mut waits = self.session.waits_for_input();
        let at = self.session.transcript.0.last().map_or(Duration::ZERO, |entry| entry.at);
        self.session.transcript.0.push(TimedEvent { at, event: LineEvent::Note(PROBE.to_string()) });
        let line = self.opponents_point();
        self.session.send(line.as_bytes())?;
        let mut held_back = Vec::new();
        let mut then = "";
        for ended in [false, true] {
            if ended {
                self.session.close_input();
            }
            let more = self.session.read_unsolicited(AT_END)?;
            waits |= more.gone;
            held_back.extend(more.lines.into_iter().filter(|line| is_move(line, self.game.size)));
            then = if then.is_empty() && !held_back.is_empty() {
                [ANOTHER, "its input ended"][usize::from(ended)]
            } else {
                then
            };
        }
        if let [first, _, ..] = &held_back[..] {
            let what =
                format!("{what} until {then}, and then two moves, the first of which is `{}`", escaped(first));
            return Ok(Cause::new(id::FLUSH, what));
        }
        let minimum = self.session.limits.hard;
        let until = held_back.first().map(|line| format!(" until {then}, and then `{}`", escaped(line)));
        waits |= until.is_some() && then == ANOTHER;
        let why = until.unwrap_or_else(|| ": it waits for more input".to_string());
        let (id, why) = match (waits, self.state.moves().len()) {
            (false, _) => (id::CLOCK, format!(" within {} after `time` was sent", duration(minimum))),
            (true, ..LATE) => (id::TURN, why),
            (true, _) => (id::LONG, why),
        };
        Ok(Cause::new(self.silent(id), format!("{what}{why}{}", self.why_pass())))
    }

    /// A line with a point where the opponent could play if it were its turn.
    fn opponents_point(&self) -> String {
        let position = self.state.position();
        let mut points = position.points().filter(|&point| position.is_legal(point, self.game.bot.other()));
        let spot = points.nth(self.game.size.into()).map(|point| position.spot(point));
        spot.map_or("pass\n".to_string(), |spot| vertex(spot, self.game.size) + "\n")
    }

    /// The check that a silent bot fails: that of passes if one is concerned, or `otherwise`.
    fn silent(&self, otherwise: &'static str) -> &'static str {
        match self.state.moves().last() {
            Some(Move::Pass) => id::PASS,
            _ if self.wants_to_pass() => id::PASS,
            _ => otherwise,
        }
    }

    /// How a cause is related to passing, in words; empty if it is not.
    fn why_pass(&self) -> &'static str {
        match self.state.moves().last() {
            _ if !self.has_legal_point() => "; it had no legal point left",
            _ if self.wants_to_pass() => "; it had no legal points left but some among its own stones",
            Some(Move::Pass) => "; the opponent had just passed",
            _ => "",
        }
    }

    /// Whether the bot has no legal point left besides those among its own stones, which are or look like eyes.
    fn wants_to_pass(&self) -> bool {
        let position = self.state.position();
        let own = self.game.bot;
        let is_eye = |point| position.neighbours(point).all(|beside| position.at(beside) == Some(own));
        !position.points().any(|point| position.is_legal(point, own) && !is_eye(point))
    }
}

/// The notation of `line`, which is not a move, in words.
fn notation(line: &[u8]) -> &'static str {
    match line.trim_ascii() {
        [b'=' | b'?', ..] => "an answer in GTP and not a move",
        word if is_sgf_point(word) => "a point as in SGF and not a move",
        _ => "not a move",
    }
}

/// Whether `word` is a point in SGF: two small letters. `tt` is a pass there.
fn is_sgf_point(word: &[u8]) -> bool {
    word.len() == 2 && word.iter().all(u8::is_ascii_lowercase) && word != b"tt"
}

/// The check that `line` fails if it was probably meant as a move: a point in another notation or with other text
/// around it, or another word for a pass. `line` must not be a move.
pub(super) fn malformed_move(line: &[u8]) -> Option<&'static str> {
    let text = String::from_utf8_lossy(line.trim_ascii());
    let words: Vec<&str> = text.split([' ', '\t', ',', ';', '(', ')', '-']).filter(|w| !w.is_empty()).collect();
    let number = |word: &str| !word.is_empty() && word.len() <= 3 && word.bytes().all(|b| b.is_ascii_digit());
    let letters = |word: &str| word.bytes().all(|b| b.is_ascii_alphabetic());
    let point = |word: &str| {
        let split = |at: usize| word.is_char_boundary(at).then(|| word.split_at(at));
        let is = |(a, b): (&str, &str)| !a.is_empty() && letters(a) && number(b);
        split(1).is_some_and(is) || word.len() > 1 && split(word.len() - 1).is_some_and(|(a, b)| is((b, a)))
    };
    match words[..] {
        [] => None,
        [a, b] if number(a) && number(b) => Some(id::COORD),
        [a, b] if letters(a) && a.len() == 1 && number(b) => Some(id::COORD),
        [word] if is_sgf_point(word.as_bytes()) => Some(id::COORD),
        [word] if letters(word) => Some(id::PASS),
        [word] if point(word) || number(word) => Some(id::COORD),
        [first, .., last] if point(last) || point(first) => Some(id::COORD),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(line: &str, id: Option<&str>) {
        assert_eq!(malformed_move(line.as_bytes()), id, "{line}");
    }

    #[test]
    fn malformed_moves_are_distinguished_from_other_text() {
        check("I5", Some(id::COORD));
        check("A20", Some(id::COORD));
        check("A0", Some(id::COORD));
        check("16Q", Some(id::COORD));
        check("16 4", Some(id::COORD));
        check("Q-16", Some(id::COORD));
        check("your move? Q16", Some(id::COORD));
        check("resign", Some(id::PASS));
        check("skip\r", Some(id::PASS));
        check("dd", Some(id::COORD));
        check("tt", Some(id::PASS));
        check("= Q16", Some(id::COORD));
        check("", None);
        check("19 + + + O @ + + 19", None);
        check("A B C D E F G", None);
        check("thinking hard about it", None);
    }
}
