//! Silence where a hand is due: the bot is too slow, waits for more input than it is sent, or holds back its output
//! (R5, R6).

use super::game::{AFTER_HAND, OngoingGame};
use super::{answers, id};
use crate::fault::Fault;
use crate::lines::LineRead;
use cornerman::games::rps::Hand;
use cornerman_harness::text::{duration, escaped};
use std::io;
use std::time::Duration;

/// How long to wait for output that may have been held back.
const A_WHILE: Duration = AFTER_HAND.saturating_mul(6);

/// The fault of a bot that has shown no hand in the next round. Unless it was seen to wait for input, it gets more time
/// first. Then it is sent more than is due: only a bot that had written its hand shows more hands than it is sent.
///
/// # Errors
/// The system failed.
pub(super) fn in_a_round(game: &mut OngoingGame) -> io::Result<Fault> {
    let at = game.bots.len();
    let limit = duration(game.session.limits.hard);
    let round = at + 1;
    let left = game.plan.rounds - at;
    let too_slow = |what: String| Fault::new(id::TIME, format!("round {round}: {what}"));
    if !game.session.waits_for_input() {
        let patience = game.session.limits.start;
        match game.session.read_line(patience)? {
            LineRead::TimedOut(rest) if rest.is_empty() => {}
            _ => return Ok(too_slow(format!("no hand within {limit}"))),
        }
    }
    let mut shown = lines_after(game, left.min(2) - 1)?;
    let mut held_back = shown >= left.min(2);
    if !held_back && shown == 0 {
        shown += lines_after(game, left.saturating_sub(2))?;
        held_back = shown >= left;
    }
    if !held_back {
        let asked = if shown == 0 { 1 } else { 0 };
        game.send_hands(asked)?;
        game.session.close_input();
        let rest = game.session.read_unsolicited(game.session.limits.hard)?;
        // Only part of very many lines is read.
        held_back = rest.flood || rest.lines.len() >= if shown == 0 { left } else { 1 };
    }
    Ok(if held_back {
        let what = format!("round {round}: its hand came only with later ones, or when its input ended");
        Fault::new(id::FLUSH, what)
    } else if shown > 0 {
        too_slow("it showed no hand before it was sent the opponent's".to_string())
    } else {
        too_slow(format!("no hand within {limit}"))
    })
}

/// Sends this many hands and counts the lines that the bot writes then.
fn lines_after(game: &mut OngoingGame, hands: usize) -> io::Result<usize> {
    game.send_hands(hands)?;
    game.session.read_unsolicited(A_WHILE).map(|output| output.lines.len())
}

/// The fault of a bot that wrote `rest` in the next round and then no line feed in time. Unless it was seen
/// to wait for input, it gets more time first.
///
/// # Errors
/// The system failed.
pub(super) fn in_a_line(game: &mut OngoingGame, rest: &[u8]) -> io::Result<Fault> {
    let round = game.bots.len() + 1;
    let limit = game.session.limits.hard;
    let is_hand = |read: LineRead| matches!(read, LineRead::Line(line) if Hand::read(&line).is_ok());
    if !game.session.waits_for_input() && is_hand(game.session.read_line(limit)?) {
        let what = format!("round {round}: no line feed followed `{}` within {}", escaped(rest), duration(limit));
        return Ok(Fault::new(id::TIME, what));
    }
    game.send_hands(1)?;
    Ok(if is_hand(game.session.read_line(limit)?) {
        let what = format!("round {round}: the line feed after `{}` came only with later output", escaped(rest));
        Fault::new(id::FLUSH, what)
    } else {
        answers::without_line_feed(round, rest)
    })
}
