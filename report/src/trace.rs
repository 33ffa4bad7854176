//! The steps of a recorded game of any kind: the changes that each step makes to the board's text.
//!
//! Of each board only the differences from the one before are kept.

use crate::judged::picture;
use cornerman_harness::record::{GameRecord, RecordedAction, actions};
use cornerman_harness::replay::{open, play_again};
use cornerman_harness::ruleset::Ruleset;

/// A recorded game as a list of steps, up to the first that contradicts the rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Trace<'a> {
    /// The board before the first move.
    pub start: Vec<u8>,
    /// Moves and forfeits, in order.
    pub steps: Vec<BoardChange<'a>>,
    /// Why the record cannot be played again to its end; `None` if it can.
    pub wrong: Option<String>,
}

/// A move or a forfeit, with the changes that it makes to the board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct BoardChange<'a> {
    /// The move or forfeit.
    pub action: RecordedAction<'a>,
    /// The board's new text: byte offsets, and the bytes from there on; [`WHOLE`] for all of it.
    pub changes: Vec<(i32, Vec<u8>)>,
    /// Whether it is a forfeit whose seat was shown something other than the board.
    pub other_view: bool,
}

/// In place of an offset: the text replaces the whole board.
pub(crate) const WHOLE: i32 = -1;

impl<'a> Trace<'a> {
    /// Plays `game` again by `ruleset`. If the record was tampered with, or is of other rules, the trace ends before
    /// the first step that is not legal.
    pub(crate) fn from_game(game: &'a GameRecord, ruleset: &Ruleset) -> Trace<'a> {
        let mut trace = Trace { start: game.setup.board.clone(), steps: Vec::new(), wrong: None };
        let mut live = match open(ruleset, &game.setup) {
            Ok(live) => live,
            Err(error) => {
                trace.wrong = Some(error.to_string());
                return trace;
            }
        };
        trace.start = picture(&*live).unwrap_or_else(|| live.board());
        let steps = &mut trace.steps;
        let mut before = trace.start.clone();
        let played = play_again(&mut *live, &actions(game), &mut |step| {
            let other_view = matches!(step.action, RecordedAction::Forfeited(fault) if fault.view != step.before);
            let after = picture(step.live).unwrap_or_else(|| step.after.to_vec());
            steps.push(BoardChange { action: step.action, changes: changes(&before, &after), other_view });
            before = after;
        });
        trace.wrong = played.err().map(|deviation| deviation.to_string());
        trace
    }
}

/// Runs of `after` that differ from `before`; all of `after` if the lengths differ.
fn changes(before: &[u8], after: &[u8]) -> Vec<(i32, Vec<u8>)> {
    if before.len() != after.len() {
        return vec![(WHOLE, after.to_vec())];
    }
    let mut runs: Vec<(i32, Vec<u8>)> = Vec::new();
    for (at, (_, new)) in (0i32..).zip(before.iter().zip(after)).filter(|(_, (old, new))| old != new) {
        match runs.last_mut() {
            Some((start, run)) if *start + run.len() as i32 == at => run.push(*new),
            _ => runs.push((at, vec![*new])),
        }
    }
    runs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_are_runs_of_new_text() {
        let check = |before: &str, after: &str, wanted: &[(i32, &str)]| {
            let found = changes(before.as_bytes(), after.as_bytes());
            let found: Vec<(i32, String)> =
                found.into_iter().map(|(at, run)| (at, String::from_utf8(run).unwrap())).collect();
            let wanted: Vec<(i32, String)> = wanted.iter().map(|(at, run)| (*at, run.to_string())).collect();
            assert_eq!(found, wanted, "{before:?} to {after:?}");
        };
        check("..\n..\n", "..\n..\n", &[]);
        check("..\n..\n", "XX\n.O\n", &[(0, "XX"), (4, "O")]);
        // A captured stone is a change like any other.
        check(".XO\n", "X.O\n", &[(0, "X.")]);
        check("", "01", &[(WHOLE, "01")]);
        check("0121", "01", &[(WHOLE, "01")]);
    }
}
