//! The questions to a bot, and the jobs that ask them in plain conditions: without a state file, with the whole input at
//! once and the output into a pipe. Failures belong to the checks of output, moves, time and running or, on arenas with
//! many marks, to BX-NPLAYER.

use super::attribute::{FULL, MANY_MARKS, ODD_MARK, OWN_MARKS};
use super::case::{self, Case, Group};
use super::{catalogue, cause_of_answer, id, judged_in_plain_conditions};
use crate::catalog::{Id, Severity};
use crate::conduct::is_process_check;
use crate::finding::{Cause, Evidence, Finding};
use crate::jobs::{Job, JobResult};
use crate::protocol::filter::Purpose;
use crate::protocol::filter::question::Question;
use crate::runner::BotRunner;
use cornerman::games::boxing::{Arena, BLOCKED, VACANT};
use cornerman_harness::sandbox::SandboxError;
use std::collections::BTreeSet;
use std::sync::Arc;

/// The arenas from which games start. Answers to them are timed before the bot runs on all processors (B10).
pub(crate) const EARLY: [&str; 2] = ["open", "document-start"];

/// The job that asks `case`.
pub(crate) fn plain_job(case: Case) -> Job {
    let round = case.round;
    let job = plain(move |runner: &mut BotRunner| {
        let question = case.question();
        let evidence = runner.ask(&question, Purpose::Move, &question.request(), None)?;
        let mut found = judged(runner, &case, &question, &evidence);
        if case.group == Group::Marks && !found.findings.is_empty() {
            judge_without_mark(runner, &case, &mut found.findings)?;
        }
        Ok(found)
    });
    job.in_round(round)
}

/// Asks `case` with a usual mark instead of its unusual one. What `found` and this show is not due to the mark.
fn judge_without_mark(runner: &mut BotRunner, case: &Case, found: &mut [Finding]) -> Result<(), SandboxError> {
    const USUAL: u8 = b'C';
    let usual = Case { mark: USUAL, ..case.clone() }.question();
    let evidence = runner.ask(&usual, Purpose::Special, &usual.request(), None)?;
    let shown = usual.cause_of_play(runner, &evidence.report);
    let shared = found.iter_mut().filter(|f| shown.as_ref().is_some_and(|shown| shown.check == f.cause.check));
    for finding in shared {
        finding.conditions.flags &= !ODD_MARK;
    }
    Ok(())
}

/// The jobs that run before all others: they ask the arenas from which games start.
pub(crate) fn early_jobs() -> Vec<Job> {
    EARLY.into_iter().filter_map(|name| case::named(case::fixed(), name)).cloned().map(early_job).collect()
}

/// The job that asks `case`, and notes how long the answer took.
fn early_job(case: Case) -> Job {
    let run = move |runner: &mut BotRunner| {
        let question = case.question();
        let evidence = runner.ask(&question, Purpose::Move, &question.request(), None)?;
        runner.shared.known().timing.early.push((case.name.clone(), evidence.report.wall));
        Ok(judged(runner, &case, &question, &evidence))
    };
    Job { alone: true, ..plain(run) }
}

/// A job in plain conditions, with which the jobs in special conditions are compared.
fn plain(run: impl FnOnce(&mut BotRunner) -> Result<JobResult, SandboxError> + Send + 'static) -> Job {
    Job { comes_first: true, ..Job::new(&judged_in_plain_conditions(), 1, run) }
}

/// What `evidence`, the answer to `case`, shows.
fn judged(runner: &BotRunner, case: &Case, question: &Question, evidence: &Evidence) -> JobResult {
    let seen_by = |cause: &Cause| {
        (case.group == Group::Nplayer && !is_process_check(catalogue(), cause.check)).then_some(id::NPLAYER)
    };
    question.judged(runner, evidence, seen_by, decided_by(case), is_read_before_moves)
}

/// The checks that an answer to `case` judges. Only a full arena shows whether the bot passes (B7), and nothing else
/// of moves.
fn decided_by(case: &Case) -> Vec<Id> {
    let is_full = case.arena.vacant().is_empty();
    let decides = |id: &Id| match case.group {
        Group::Nplayer => *id == id::NPLAYER,
        _ if *id == id::NPLAYER => false,
        _ => group(id) != "moves" || (*id == id::MOV_PASS) == is_full,
    };
    judged_in_plain_conditions().into_iter().filter(decides).collect()
}

/// Whether `id` is a check of form, which an answer has passed if it could be read and fails `failed`, a check of
/// moves.
fn is_read_before_moves(failed: Id, id: Id) -> bool {
    group(failed) == "moves" && group(id) == "output"
}

fn group(id: Id) -> &'static str {
    catalogue().get(id).map_or("", |check| &check.group)
}

/// The question in which the bot with `mark` must answer `arena`.
pub(super) fn question(case: String, about: String, arena: &Arena, mark: u8) -> Question {
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
    /// The question in which the bot must answer the arena of the case, although it has no state file. A bot may keep
    /// all that it knows of a game in that file (B9), so that if it has moved before, a wrong answer is a warning only.
    pub fn question(&self) -> Question {
        let plain = question(self.name.clone(), self.title.clone(), &self.arena, self.mark);
        let has_moved = plain.flags & OWN_MARKS != 0;
        let severity = if has_moved { self.severity.min(Severity::Should) } else { self.severity };
        let odd = if self.group == Group::Marks { ODD_MARK } else { 0 };
        Question { severity, flags: plain.flags | odd, ..plain }
    }
}
