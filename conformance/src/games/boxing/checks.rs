//! The jobs of the checks, one file per group. A [`Job`](crate::job::Job) runs the bot and returns the failures that it
//! sees. Once all jobs are done, [`crate::attribution`] decides which check each failure belongs to.

pub mod answers;
pub mod games;
pub mod odd;
pub mod running;
pub mod state;

use super::attribute::{FULL, OWN_MARKS};
use super::case::Case;
use super::verdict;
use crate::catalog::Severity;
use crate::pipes::question::Question;
use cornerman::games::boxing::Arena;
use std::sync::Arc;

/// The question in which the bot with `mark` must answer `arena`.
fn question(case: String, about: String, arena: &Arena, mark: u8) -> Question {
    let full = if arena.vacant().is_empty() { FULL } else { 0 };
    let own_marks = if arena.count(mark) > 0 { OWN_MARKS } else { 0 };
    let (input, arena) = (arena.to_bytes().to_vec(), arena.clone());
    let judge = Arc::new(move |output: &[u8]| verdict::of_answer(&arena, mark, output));
    Question { case, about, input, mark, severity: Severity::Must, circumstances: full | own_marks, judge }
}

impl Case {
    /// The question in which the bot must answer the arena of the case.
    pub fn question(&self) -> Question {
        let plain = question(self.name.clone(), self.title.clone(), &self.arena, self.mark);
        Question { severity: self.severity, ..plain }
    }
}
