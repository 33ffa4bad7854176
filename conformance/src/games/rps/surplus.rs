//! Output besides the hands: remarks, lines too many, hands of later rounds, and words of farewell (R3, R5).

use super::game::{AFTER_HAND, OngoingGame, Played};
use super::id;
use crate::fault::Fault;
use crate::lines::{LineRead, UnsolicitedOutput};
use cornerman::games::rps::Hand;
use cornerman_harness::text::escaped;
use std::io;
use std::time::Duration;

/// How long to wait for the next line of a bot that writes too many.
const A_WHILE: Duration = AFTER_HAND.saturating_mul(4);

/// Checks that the bot wrote nothing besides the hand that it has just shown; `more` is what it wrote.
pub(super) fn with_a_hand(game: &mut OngoingGame, mut more: UnsolicitedOutput) -> Played {
    let round = game.bots.len();
    if !is_blank(&more.unfinished) {
        // The rest of the line may be on its way.
        match game.session.read_line(A_WHILE)? {
            LineRead::Line(line) => (more.unfinished, _) = (Vec::new(), more.lines.push(line)),
            LineRead::TimedOut(rest) | LineRead::Ended(rest) | LineRead::TooLong(rest) => more.unfinished = rest,
        }
    }
    let when = if game.was_watched() { format!("round {round}") } else { format!("by round {round}") };
    let fault = match text_in(&more, &when, "in addition to its hand") {
        Some(fault) => fault,
        None if more.lines.is_empty() => return Ok(()),
        None => more_hands(game, &more.lines, &when)?,
    };
    Err(fault.into())
}

/// The fault of a bot that wrote `more` after the last round; `None` if it may. One more hand is allowed, because a bot
/// need not count the rounds (R7).
pub(super) fn after_the_game(more: &UnsolicitedOutput) -> Option<Fault> {
    let when = "after the last round";
    let text = text_in(more, when, "when nothing was due,");
    if text.is_some() || more.lines.len() > 1 {
        let what = format!("{when} it wrote {} lines", more.lines.len());
        return text.or(Some(Fault::new(id::ONE, what)));
    }
    more.gone.then(|| Fault::new(id::SIGNAL, when).if_by_signal())
}

fn is_blank(line: &[u8]) -> bool {
    line.trim_ascii().is_empty()
}

/// The fault of output that is not hands; `None` if `more` has nothing but hands. Blanks before the next line are part
/// of that line.
fn text_in(more: &UnsolicitedOutput, when: &str, besides: &str) -> Option<Fault> {
    let is_hand = |line: &[u8]| Hand::read(line).is_ok();
    let remark = more.lines.iter().find(|line| !is_blank(line) && !is_hand(line));
    if let Some(line) = remark {
        return Some(Fault::new(id::QUIET, format!("{when}: {besides} it wrote `{}`", escaped(line))));
    }
    if more.flood {
        return Some(Fault::new(id::ORDER, format!("{when}: it did not stop writing")));
    }
    if more.lines.iter().any(|line| is_blank(line)) {
        return Some(Fault::new(id::ONE, format!("{when}: {besides} it wrote an empty line")));
    }
    match &more.unfinished {
        rest if is_blank(rest) => None,
        rest if is_hand(rest) => {
            Some(Fault::new(id::LF, format!("{when}: {besides} it wrote `{}` without a line feed", escaped(rest))))
        }
        rest => Some(Fault::new(id::QUIET, format!("{when}: {besides} it wrote `{}`", escaped(rest)))),
    }
}

/// The fault of a bot that wrote `more` hands before it was sent the opponent's. The rest of the game shows whether it
/// wrote a line too many, or did not read one.
fn more_hands(game: &mut OngoingGame, more: &[Vec<u8>], when: &str) -> io::Result<Fault> {
    let rounds = game.plan.rounds;
    let shown = game.bots.len() + more.len();
    let mut total = shown;
    for _ in game.bots.len()..=rounds {
        game.send_hands(1)?;
        match game.session.read_line(A_WHILE)? {
            LineRead::Line(_) => total += 1,
            _ => break,
        }
    }
    total += game.session.read_unsolicited(A_WHILE)?.lines.len();
    // A bot that does not count the rounds shows one hand more.
    let is_repeated = more.iter().all(|line| Hand::read(line).ok().as_ref() == game.bots.last());
    let one_too_many = match total.saturating_sub(rounds) {
        0 => false,
        2 if more.len() == 1 => is_repeated,
        _ => true,
    };
    let lines = if more.len() == 1 { "another line" } else { "more lines" };
    Ok(if one_too_many {
        Fault::new(id::ONE, format!("{when}: it wrote {lines} than one for each round"))
    } else {
        Fault::new(id::ORDER, format!("{when}: it showed the next hand before it was sent the opponent's"))
    })
}
