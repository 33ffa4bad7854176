//! Arenas asked in plain conditions: no state file, input at once, output into a pipe. What is seen here fails
//! the checks of output, moves, time and running; arenas of many marks are compared with the rest.

use crate::bench::Bench;
use crate::fault::Fault;
use crate::finding::Evidence;
use crate::games::boxing::case::{Case, Group};
use crate::games::boxing::{id, judged_in_plain_conditions};
use crate::job::Job;
use crate::pipes::question::{Question, Troubles};
use crate::pipes::{Purpose, job};
use crate::settle::Trouble;

/// The arenas on which the first moves of a game are made, which are measured alone (B10).
pub const EARLY: [&str; 2] = ["open", "document-start"];

/// Asks `case`.
pub fn plain_job(case: Case) -> Job {
    plain(move |bench: &mut Bench| {
        let question = case.question();
        let evidence = bench.ask(&case.name, Purpose::Move, &question.order(), case.state.as_deref())?;
        Ok(judged(bench, &case, &question, evidence))
    })
}

/// Asks `case`, the start of a game, and notes its time.
pub fn early_job(case: Case) -> Job {
    let run = move |bench: &mut Bench| {
        let question = case.question();
        let claim = bench.claim(&[case.mark])?;
        let evidence = bench.ask_alone(&case.name, Purpose::Move, &question.order(), None)?;
        bench.put_state(case.mark, None)?;
        drop(claim);
        bench.shared.note_early(&case.name, &evidence.report);
        Ok(judged(bench, &case, &question, evidence))
    };
    Job { alone: true, ..plain(run) }
}

/// A job that is part of all checks in plain conditions, which all others are compared with.
fn plain(run: impl FnOnce(&mut Bench) -> Troubles + Send + 'static) -> Job {
    Job { comes_first: true, ..job(&judged_in_plain_conditions(), 1, run) }
}

fn judged(bench: &Bench, case: &Case, question: &Question, evidence: Evidence) -> Vec<Trouble> {
    let seen_by = |fault: &Fault| {
        let of_running = bench.shared.ids.is_of_running(fault.id);
        (case.group == Group::Nplayer && !of_running).then_some(id::NPLAYER)
    };
    let faults = question.faults(bench, &evidence.report);
    faults.into_iter().map(|fault| question.trouble(seen_by(&fault), fault, evidence.clone())).collect()
}
