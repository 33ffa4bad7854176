//! The opening of a game: the bot's name, which comes before anything else (R3).

use super::game::{OngoingGame, Played};
use super::id;
use crate::fault::Fault;
use crate::lines::{LineRead, UnsolicitedOutput};
use cornerman::games::rps::Hand;
use cornerman_harness::text::{duration, escaped};
use std::io;

/// Reads the bot's first line, which must be its name (R3).
pub(super) fn name(game: &mut OngoingGame) -> Played {
    let limit = game.session.limits.start;
    let without_line_feed =
        |rest: &[u8]| Fault::new(id::LF, format!("it wrote `{}` without a line feed", escaped(rest)));
    Err(match game.session.read_line(limit)? {
        LineRead::Line(line) => match unreadable(&line) {
            None => return Ok(()),
            Some(what) => Fault::new(id::NAME, what),
        },
        LineRead::TimedOut(rest) if rest.is_empty() => after_silence(game)?,
        LineRead::TimedOut(rest) => without_line_feed(&rest),
        LineRead::Ended(rest) if rest.is_empty() => Fault::new(id::NAME, "it wrote no name").at_its_end(),
        LineRead::Ended(rest) => without_line_feed(&rest).at_its_end(),
        LineRead::TooLong(start) => {
            Fault::new(id::NAME, format!("its first line has more than {} bytes", start.len() - 1))
        }
    }
    .into())
}

/// The fault of a bot that has written no name in time: it may be waiting for input, or hold back its output.
fn after_silence(game: &mut OngoingGame) -> io::Result<Fault> {
    let limit = game.session.limits.start;
    let patience = game.session.limits.hard;
    game.send_opening()?;
    if let LineRead::Line(line) = game.session.answer(|| "its name".to_string())? {
        let line = escaped(&line);
        let what = format!("it wrote nothing until it was sent the seed and the rounds, and then `{line}`");
        return Ok(Fault::new(id::NAME, what));
    }
    game.send_hands(game.plan.rounds)?;
    game.session.close_input();
    // The first line is the name; a hand after it was held back.
    Ok(match game.session.read_unsolicited(patience)?.lines.len() {
        ..2 => Fault::new(id::NAME, format!("it wrote nothing within {}", duration(limit))),
        _ => {
            Fault::new(id::FLUSH, "it wrote nothing while its input was open, and everything when the input ended")
        }
    })
}

/// What is wrong with the name in `line`, if anything is.
fn unreadable(line: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(line);
    let name = text.trim();
    if name.is_empty() {
        return Some("its first line was empty".to_string());
    }
    let odd = name.chars().any(|c| c.is_control() || c == char::REPLACEMENT_CHARACTER);
    odd.then(|| format!("its first line is not readable text: `{}`", escaped(line)))
}

/// The fault of a bot that wrote `early` after its name, before the seed was sent; `None` if it wrote nothing.
pub(super) fn before_the_seed(early: &UnsolicitedOutput) -> Option<Fault> {
    if early.is_nothing() {
        return None;
    }
    let hands = early.lines.iter().all(|line| Hand::read(line).is_ok());
    if hands && early.unfinished.is_empty() {
        return Some(Fault::new(id::ORDER, "it showed hands before it was sent the seed and the rounds"));
    }
    let first = early.lines.first().unwrap_or(&early.unfinished);
    let what = format!("after its name, before it was sent anything, it wrote `{}`", escaped(first));
    Some(Fault::new(id::QUIET, what))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_readable_text() {
        assert_eq!(unreadable("Jörg's Bot 1.0\r".as_bytes()), None);
        assert!(unreadable(b" \r").is_some());
        assert!(unreadable(b"\x1b[31mBot").is_some());
        assert!(unreadable(b"Bot\xff").is_some());
    }
}
