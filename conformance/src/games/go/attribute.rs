//! Which causes explain the findings in all games of a bot together. A bot stops playing because of what is common to
//! all positions in which it wrote no move, and to no position in which it went on.

use super::misconception::{PlayedGame, Turn, turns};
use super::play::ONLY_A_PASS;
use super::wrong_board::{Board, Removal};
use super::{id, misconception, played};
use crate::attribution::Observations;
use crate::catalog::{Id, Severity};
use crate::finding::{Cause, Evidence, Finding};
use cornerman::game::Spot;
use cornerman::games::go::{Colour, Go, Move, Point, column_letter};
use cornerman_harness::sandbox::Ended;
use std::collections::BTreeSet;

/// The checks of a bot that stops playing.
pub(super) const SILENT: [Id; 4] = [id::TURN, id::LONG, id::CLOCK, id::PASS];

/// Attributes illegal moves and silences to their causes.
pub(super) fn attribute(seen: &mut Observations) {
    let games: Vec<PlayedGame> = seen.plain.iter().map(played).collect();
    illegal_moves(seen, &games);
    shunned_points(seen, &games);
    silences(seen, &games);
    of_one_size(seen, &games);
    same_at_the_end(seen, id::ONE, id::END, |_| true);
    // A bot that dies when the game is over may die when its input ends for the same reason.
    let died = |finding: &Finding| matches!(finding.evidence.report.ended, Ended::Signalled(_));
    same_at_the_end(seen, id::SIGNAL, id::EOF, died);
}

/// Attributes illegal moves to one cause. If all were made where only a pass was left, the bot does not know that it
/// must pass. If all retake a ko, they stay as they are. Otherwise, a misconception that explains all games is their
/// cause.
fn illegal_moves(seen: &mut Observations, games: &[PlayedGame]) {
    let is_illegal = |finding: &&mut Finding| id::ILLEGAL.contains(&finding.cause.check);
    let mut illegal: Vec<&mut Finding> = seen.findings.iter_mut().filter(is_illegal).collect();
    if illegal.iter().all(|finding| finding.cause.expected.as_deref() == Some(ONLY_A_PASS)) {
        for finding in &mut illegal {
            finding.cause.check = id::PASS;
            finding.cause.what = format!("it had no legal point left and did not pass: {}", finding.cause.what);
        }
    } else if illegal.iter().all(|finding| finding.cause.check == id::KO) {
        // Retaking a ko is its own explanation.
    } else if let Some(misconception) = misconception::find(games) {
        let id = misconception.check;
        for finding in &mut illegal {
            // The check of its consequence is blocked.
            if finding.cause.check != id {
                seen.blocked.insert(finding.cause.check, id);
            }
            finding.cause.check = id;
            finding.cause.what = format!("it plays as if {}: {}", misconception.why, finding.cause.what);
        }
    }
}

/// How unlikely it must be that a bot never plays where stones were captured if it chooses at random, as a negative
/// logarithm.
const SHUNS: f64 = 6.0;

/// Even if captured stones stay on its board, a wary bot makes no illegal move: it only never plays on their points,
/// and passes when no others are left. That is legal, so it is a warning.
fn shunned_points(seen: &mut Observations, games: &[PlayedGame]) {
    let explained = [&id::ILLEGAL[..], &[id::CAPTURE]].concat();
    if seen.findings.iter().any(|finding| explained.contains(&finding.cause.check)) {
        return;
    }
    let Some(shunned) = games.iter().map(shunned).collect::<Option<Vec<Shunned>>>() else { return };
    let surprise: f64 = shunned.iter().map(|game| game.surprise).sum();
    let passes = shunned.iter().filter(|game| game.passed).count();
    let first = shunned.iter().position(|game| game.passed);
    if let Some(at) = first.filter(|_| surprise >= SHUNS && passes > 1) {
        let what = format!(
            "in {passes} games it passed although it could play where stones had been captured, and it never did so in \
             any game: captured stones may stay on its board"
        );
        let case = "whole games".to_string();
        let about = "its whole games together".to_string();
        let evidence = Evidence { case, about, ..seen.plain[at].clone() };
        seen.findings.push(Finding::new(None, Cause::new(id::CAPTURE, what).warning(), evidence));
    }
}

/// What a game shows of a bot that never plays where stones were captured.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Shunned {
    /// How unlikely it is that it played on no such point by chance, as a negative logarithm.
    surprise: f64,
    /// Whether it passed when no other point was left, although the opponent had not passed.
    passed: bool,
}

/// What `game` shows of a bot that never plays where stones were captured; `None` if the bot played on such a point, or
/// passed before the opponent did although a board with the captured stones has a free point.
fn shunned(game: &PlayedGame) -> Option<Shunned> {
    let mut board = Board::new(game.size, game.bot, Removal::Nothing);
    let mut found = Shunned::default();
    let mut before = None;
    for Turn { position, m, colour, .. } in turns(game) {
        if colour == game.bot {
            let is_open = |&point: &Point| position.is_legal(point, colour) && !position.is_own_eye(point, colour);
            let open: Vec<Spot> = position.points().filter(is_open).map(|point| position.spot(point)).collect();
            let seen_empty = open.iter().filter(|spot| board.at(**spot).is_none()).count();
            let is_free = || open.iter().any(|&spot| board.is_free(spot, colour));
            match m {
                Move::Place(spot) if board.at(spot).is_some() => return None,
                Move::Place(_) if seen_empty > 0 => {
                    found.surprise += (open.len() as f64 / seen_empty as f64).ln();
                }
                Move::Pass if before != Some(Move::Pass) && is_free() => return None,
                Move::Pass if before != Some(Move::Pass) && seen_empty < open.len() => found.passed = true,
                _ => {}
            }
        }
        if let Move::Place(spot) = m {
            board.place(spot, colour);
        }
        before = Some(m);
    }
    Some(found)
}

/// Silences are due to what was new to the bot in all of them. If there is no such reason, but the bot was silent
/// where it had to pass, and never passed in any game, all silences are due to passing.
fn silences(seen: &mut Observations, games: &[PlayedGame]) {
    let mut silent: Vec<&mut Finding> = seen.findings.iter_mut().filter(|finding| is_silent(finding)).collect();
    let ended: Vec<PlayedGame> = silent.iter().map(|finding| played(&finding.evidence)).collect();
    let passes = games.iter().any(|game| turns(game).any(|turn| turn.colour == game.bot && turn.m == Move::Pass));
    let must_pass = silent.iter().any(|finding| finding.cause.check == id::PASS);
    let (id, why) = match reason(&ended, games) {
        Some(reason) => reason.explanation(),
        None if must_pass && !passes => (id::PASS, "it never wrote `pass` in any game".to_string()),
        None => return,
    };
    let known: Vec<Id> = silent.iter().map(|finding| finding.cause.check).collect();
    for by in seen.blocked.values_mut().filter(|by| known.contains(by)) {
        *by = id;
    }
    for finding in &mut silent {
        finding.cause.check = id;
        finding.cause.what = format!("{why}: {}", finding.cause.what);
    }
}

/// Whether the finding is that the bot wrote nothing in answer to what it was sent last, in plain conditions. If the
/// finding is only a warning, the answer came late.
pub(super) fn is_silent(finding: &Finding) -> bool {
    if finding.cause.severity != Severity::Must {
        return false;
    }
    let transcript = finding.evidence.transcript.as_ref();
    let wrote_nothing = || {
        let last = transcript.and_then(|transcript| misconception::lines(transcript).last());
        last.is_some_and(|(is_sent, _)| is_sent)
    };
    finding.special_check().is_none() && SILENT.contains(&finding.cause.check) && wrote_nothing()
}

/// If a bot fails at least about half of the games on one smaller board, and none on others, its fault is that it
/// cannot play on that size.
fn of_one_size(seen: &mut Observations, games: &[PlayedGame]) {
    let of_rules = |finding: &&mut Finding| id::RULES.contains(&finding.cause.check);
    let mut findings: Vec<&mut Finding> = seen.findings.iter_mut().filter(of_rules).collect();
    let sizes = findings.iter().map(|finding| played(&finding.evidence).size);
    let failed: Vec<u8> = sizes.collect();
    let Some(&size) = failed.first() else { return };
    let all = games.iter().filter(|game| game.size == size && game.bot == Colour::Black).count();
    let others = games.iter().any(|game| game.size != size && game.size != Go::default().size);
    let is_only = failed.iter().all(|&other| other == size) && size != Go::default().size;
    if is_only && others && failed.len() >= all {
        for finding in &mut findings {
            finding.conditions.seen_by = Some(id::SIZE);
        }
    }
}

/// A fault that fails the check `earlier` during a game may also show at its end, and fail the check `end` there, as
/// with a bot that writes two moves in each turn. Findings of `end` for which `is_same` holds are dropped then.
fn same_at_the_end(seen: &mut Observations, earlier: Id, end: Id, is_same: impl Fn(&Finding) -> bool) {
    let follows = |finding: &Finding| finding.cause.check == end && is_same(finding);
    let is_known = seen.in_plain_conditions().any(|finding| finding.cause.check == earlier);
    if is_known && seen.findings.iter().any(follows) {
        seen.findings.retain(|finding| !follows(finding));
        seen.blocked.insert(end, earlier);
    }
}

/// Something that may be new to a bot when it is its turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Reason {
    /// The opponent has just passed.
    Passed,
    /// The opponent has just captured in a ko.
    Ko,
    /// The opponent has just played where a stone had been captured.
    Reoccupied,
    /// The opponent has just captured stones of the bot.
    Lost,
    /// The bot's move before has captured stones.
    Took,
    /// The opponent has just played in this column, counted from the left.
    Column(u8),
    /// The opponent has just played in this row, counted from below.
    Row(u8),
}

impl Reason {
    /// The check that a bot fails if it cannot cope with this, and the reason in words for the bot's author.
    fn explanation(self) -> (Id, String) {
        let (check, what) = match self {
            Reason::Passed => (id::PASS, "the opponent passes"),
            Reason::Ko => (id::KO, "the opponent captures in a ko"),
            Reason::Reoccupied => (id::CAPTURE, "the opponent plays where a stone was captured"),
            Reason::Lost => (id::CAPTURE, "stones of its own are captured"),
            Reason::Took => (id::CAPTURE, "it has captured stones"),
            Reason::Column(col) => {
                return (id::COORD, format!("it never answers a move in column {}", column_letter(col)));
            }
            Reason::Row(row) => return (id::COORD, format!("it never answers a move in row {}", row + 1)),
        };
        (check, format!("it never goes on when {what}"))
    }
}

/// The reason why the bot stopped at the end of each game in `silent`, if there is one that explains all of them.
/// `games` are all games of the bot.
pub(super) fn reason(silent: &[PlayedGame], games: &[PlayedGame]) -> Option<Reason> {
    let ends = silent.iter().map(|game| at_turns(game).pop().unwrap_or_default());
    let common = ends.reduce(|all, end| all.intersection(&end).copied().collect())?;
    let mut answered = BTreeSet::new();
    for game in games {
        let mut turns = at_turns(game);
        if silent.contains(game) {
            turns.pop();
        }
        answered.extend(turns.into_iter().flatten());
    }
    // There are many rows and columns, so a single silence could be explained by chance.
    let is_chance = |reason: &Reason| silent.len() == 1 && matches!(reason, Reason::Column(_) | Reason::Row(_));
    common.into_iter().find(|reason| !answered.contains(reason) && !is_chance(reason))
}

/// What was new to the bot at each of its turns in `game` that follow a move of the opponent, including a last turn in
/// which it did not move.
fn at_turns(game: &PlayedGame) -> Vec<BTreeSet<Reason>> {
    let mut all = Vec::new();
    let mut placed = BTreeSet::<Spot>::new();
    let mut took = false;
    for Turn { position, m, colour, after } in turns(game) {
        let Some(after) = after else { break };
        let captured = after.lost() != position.lost();
        if colour == game.bot {
            took = captured;
        } else {
            let mut new = BTreeSet::new();
            new.extend(took.then_some(Reason::Took));
            match m {
                Move::Pass => _ = new.insert(Reason::Passed),
                Move::Place(spot) => {
                    new.extend(captured.then_some(Reason::Lost));
                    new.extend(after.ko().is_some().then_some(Reason::Ko));
                    new.extend(placed.contains(&spot).then_some(Reason::Reoccupied));
                    new.extend([Reason::Column(spot.col), Reason::Row(game.size - 1 - spot.row)]);
                }
            }
            all.push(new);
        }
        placed.extend(if let Move::Place(spot) = m { Some(spot) } else { None });
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::attribution::example::finding;
    use crate::protocol::lines::{LineEvent, TimedEvent, Transcript};
    use cornerman::games::go::{Colour, parse_move};
    use std::time::Duration;

    #[test]
    fn a_bot_that_is_only_warned_of_late_answers_is_not_silent() {
        let mut silent = finding(None, id::CLOCK);
        let event = LineEvent::Sent(b"pass\n".to_vec());
        silent.evidence.transcript = Some(Transcript(vec![TimedEvent { at: Duration::ZERO, event }]));
        assert!(is_silent(&silent));
        silent.cause.severity = Severity::Should;
        assert!(!is_silent(&silent));
    }

    fn played(moves: &str) -> PlayedGame {
        let moves = moves.split(' ').map(|word| parse_move(word.as_bytes(), 5).unwrap()).collect();
        PlayedGame { size: 5, bot: Colour::White, moves }
    }

    #[track_caller]
    fn check(silent: &[&str], others: &[&str], found: Option<Reason>) {
        let silent: Vec<PlayedGame> = silent.iter().map(|moves| played(moves)).collect();
        let others = others.iter().map(|moves| played(moves));
        let all: Vec<PlayedGame> = silent.iter().cloned().chain(others).collect();
        assert_eq!(reason(&silent, &all), found);
    }

    #[test]
    fn the_reason_is_what_all_silences_have_in_common() {
        check(&["A1 B1 pass"], &["A1 B1 C1 D1"], Some(Reason::Passed));
        check(&["A2 A1 B1", "E2 E1 D1"], &["A2 C3 B1 D1"], Some(Reason::Lost));
        check(&["E5 A1 C3", "A2 B4 C5"], &["A1 B1 D4 E4"], Some(Reason::Column(2)));
    }

    #[test]
    fn what_the_bot_has_coped_with_is_not_the_reason() {
        check(&["A1 B1 pass"], &["A1 B1 pass C1"], None);
        check(&["C3"], &[], None);
    }
}
