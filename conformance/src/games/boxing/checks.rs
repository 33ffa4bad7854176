//! The questions to a bot, and the jobs of the checks of the game's own; those of the protocol are in
//! [`crate::protocol::filter`].

pub(crate) mod answers;
pub(crate) mod games;

use super::attribute::{FULL, MANY_MARKS, ODD_MARK, OWN_MARKS};
use super::case::{Case, Group};
use super::cause_of_answer;
use crate::catalog::Severity;
use crate::protocol::filter::question::Question;
use cornerman::games::boxing::{Arena, BLOCKED, VACANT};
use std::collections::BTreeSet;
use std::sync::Arc;

/// The question in which the bot with `mark` must answer `arena`.
fn question(case: String, about: String, arena: &Arena, mark: u8) -> Question {
    let full = if arena.vacant().is_empty() { FULL } else { 0 };
    let own_marks = if arena.count(mark) > 0 { OWN_MARKS } else { 0 };
    let spots = arena.rows().as_flattened().iter();
    let foes: BTreeSet<u8> = spots.copied().filter(|spot| ![VACANT, BLOCKED, mark].contains(spot)).collect();
    let many_marks = if foes.len() > 1 { MANY_MARKS } else { 0 };
    let flags = full | own_marks | many_marks;
    let input = arena.to_bytes().to_vec();
    let arena = arena.clone();
    let judge = Arc::new(move |output: &[u8]| cause_of_answer(&arena, mark, output));
    Question { case, about, input, mark, severity: Severity::Must, flags, judge }
}

impl Case {
    /// The question in which the bot must answer the arena of the case.
    pub fn question(&self) -> Question {
        let plain = without_notes(question(self.name.clone(), self.title.clone(), &self.arena, self.mark));
        let odd = if self.group == Group::Marks { ODD_MARK } else { 0 };
        let flags = plain.flags | odd;
        Question { severity: self.severity.min(plain.severity), flags, ..plain }
    }
}

/// `question`, asked although the bot has no state file. A bot may keep all that it knows of a game in that file (B9),
/// so that if it has moved before, a wrong answer is a warning only.
fn without_notes(question: Question) -> Question {
    let has_moved = question.flags & OWN_MARKS != 0;
    let severity = if has_moved { Severity::Should } else { question.severity };
    Question { severity, ..question }
}
