//! Reading the bot's hand of a round, so that the most specific fault is found (R5, R6).

use super::game::{OngoingGame, Played};
use super::{id, silence};
use crate::fault::Fault;
use crate::lines::LineRead;
use cornerman::games::rps::Hand;
use cornerman_harness::text::escaped;
use std::io;

/// The most lines that are read after one that is not a hand, to see whether a hand follows.
const MOST_REMARKS: usize = 20;

/// Reads the bot's hand of the next round.
pub(super) fn hand(game: &mut OngoingGame) -> Played<Hand> {
    let round = game.bots.len() + 1;
    let answer = game.session.answer(|| format!("round {round}"))?;
    Err(match answer {
        LineRead::Line(line) => match Hand::read(&line) {
            Ok(hand) => return Ok(hand),
            Err(violation) => not_a_hand(game, &line, violation.detail)?,
        },
        LineRead::TimedOut(rest) if rest.trim_ascii().is_empty() => silence::in_a_round(game)?,
        LineRead::TimedOut(rest) => silence::in_a_line(game, &rest)?,
        LineRead::Ended(rest) if Hand::read(&rest).is_ok() => without_line_feed(round, &rest).at_its_end(),
        LineRead::Ended(rest) => {
            let instead = match rest.trim_ascii() {
                [] => String::new(),
                text => format!(", but `{}`", escaped(text)),
            };
            Fault::new(id::ROUNDS, format!("round {round}: it wrote no hand{instead}")).at_its_end()
        }
        LineRead::TooLong(start) => {
            Fault::new(id::TOKEN, format!("round {round}: it wrote a line of more than {} bytes", start.len() - 1))
        }
    }
    .into())
}

/// The fault of a bot that wrote `rest` in `round` without a line feed.
pub(super) fn without_line_feed(round: usize, rest: &[u8]) -> Fault {
    Fault::new(id::LF, format!("round {round}: it wrote `{}` without a line feed", escaped(rest)))
}

/// The fault of a line that is not a hand: it is a line too many, has text around a hand, or is a wrong token.
fn not_a_hand(game: &mut OngoingGame, line: &[u8], detail: String) -> io::Result<Fault> {
    let round = game.bots.len() + 1;
    let text = escaped(line);
    if prompts(line) {
        return Ok(Fault::new(id::QUIET, format!("round {round}: there is text before the hand: `{text}`")));
    }
    let hand_follows = hand_follows(game)?;
    let is_empty = line.trim_ascii().is_empty();
    Ok(match (is_empty, hand_follows) {
        (true, true) => Fault::new(id::ONE, format!("round {round}: it wrote an empty line before the hand")),
        (true, false) => Fault::new(id::TOKEN, format!("round {round}: it wrote an empty line instead of a hand")),
        (false, true) => {
            Fault::new(id::QUIET, format!("round {round}: it wrote another line before the hand: `{text}`"))
        }
        (false, false) => Fault::new(id::TOKEN, format!("round {round}: {detail}")),
    })
}

/// Whether the bot writes a hand after a line that is not one, although it is sent nothing.
fn hand_follows(game: &mut OngoingGame) -> io::Result<bool> {
    let limit = game.session.limits.hard;
    for _ in 0..MOST_REMARKS {
        match game.session.read_line(limit)? {
            LineRead::Line(line) if Hand::read(&line).is_ok() => return Ok(true),
            LineRead::Line(_) => {}
            _ => break,
        }
    }
    Ok(false)
}

/// Whether `line` is text, such as a prompt, followed by a hand.
fn prompts(line: &[u8]) -> bool {
    let line = line.trim_ascii();
    let Some((b'0'..=b'2', before)) = line.split_last() else { return false };
    let text = before.trim_ascii();
    let apart = text.len() < before.len() || text.last().is_some_and(|byte| b":>?=]".contains(byte));
    apart && !text.is_empty() && !text.iter().any(u8::is_ascii_digit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(line: &str, prompt: bool) {
        assert_eq!(prompts(line.as_bytes()), prompt, "{line}");
    }

    #[test]
    fn text_before_a_hand_is_recognized_and_a_wrong_number_is_not_text() {
        check("your move? 1", true);
        check("> 0", true);
        check("move:2\r", true);
        check("12", false);
        check("-1", false);
        check("0 1", false);
        check("rock", false);
        check("x1", false);
        check("2", false);
    }
}
