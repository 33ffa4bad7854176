//! Arenas in plain conditions: without a state file, with the whole input at once and the output into a pipe. Failures
//! here belong to the checks of output, moves, time and running, or, on arenas with many marks, to BX-NPLAYER.

use crate::attribution::Failure;
use crate::fault::Fault;
use crate::finding::Evidence;
use crate::games::boxing::case::{Case, Group};
use crate::games::boxing::{id, judged_in_plain_conditions};
use crate::job::Job;
use crate::pipes::question::{Failures, Question};
use crate::pipes::{Purpose, job};
use crate::runner::BotRunner;

/// The arenas from which games start. Answers to them are timed while nothing else runs (B10).
pub const EARLY: [&str; 2] = ["open", "document-start"];

/// The job that asks `case`.
pub fn plain_job(case: Case) -> Job {
    plain(move |runner: &mut BotRunner| {
        let question = case.question();
        let evidence = runner.ask(&case.name, Purpose::Move, &question.request(), case.state.as_deref())?;
        Ok(judged(runner, &case, &question, evidence))
    })
}

/// The job that asks `case`, from which games start, and records how long the answer took.
pub fn early_job(case: Case) -> Job {
    let run = move |runner: &mut BotRunner| {
        let question = case.question();
        let claim = runner.claim(&[case.mark])?;
        let evidence = runner.ask_alone(&case.name, Purpose::Move, &question.request(), None)?;
        runner.put_state(case.mark, None)?;
        drop(claim);
        runner.shared.note_early(&case.name, &evidence.report);
        Ok(judged(runner, &case, &question, evidence))
    };
    Job { alone: true, ..plain(run) }
}

/// A job in plain conditions, with which the jobs in special conditions are compared.
fn plain(run: impl FnOnce(&mut BotRunner) -> Failures + Send + 'static) -> Job {
    Job { comes_first: true, ..job(&judged_in_plain_conditions(), 1, run) }
}

fn judged(runner: &BotRunner, case: &Case, question: &Question, evidence: Evidence) -> Vec<Failure> {
    let seen_by = |fault: &Fault| {
        let of_running = runner.shared.ids.is_of_running(fault.id);
        (case.group == Group::Nplayer && !of_running).then_some(id::NPLAYER)
    };
    let faults = question.faults(runner, &evidence.report);
    faults.into_iter().map(|fault| question.failure(seen_by(&fault), fault, evidence.clone())).collect()
}
