//! Arenas asked in plain conditions: no state file, input at once, output into a pipe. What is seen here fails
//! the checks of output, moves, time and running; arenas of many marks are compared with the rest.

use super::{Asked, Found, Job};
use crate::catalog::{Severity, id};
use crate::finding::Evidence;
use crate::games::boxing::case::{Case, Group};
use crate::games::boxing::runner::{Hand, Purpose};
use crate::games::boxing::verdict;
use cornerman_harness::sandbox::Order;

/// The arenas on which the first moves of a game are made, which are measured alone (B10).
pub const EARLY: [&str; 2] = ["open", "document-start"];

/// Asks `case`.
pub fn job(case: &Case) -> Job<'_> {
    Job::new(&[], 1, move |hand| {
        let order = Order::of_move(case.mark, &case.input());
        let evidence = hand.ask(&case.name, Purpose::Move, &order, case.state.as_deref())?;
        Ok(judged(hand, case, evidence))
    })
}

/// Asks `case`, the start of a game, and notes its time.
pub fn early_job(case: &Case) -> Job<'_> {
    let run = move |hand: &mut Hand| {
        let order = Order::of_move(case.mark, &case.input());
        let claim = hand.claim(&[case.mark])?;
        let evidence = hand.ask_alone(&case.name, Purpose::Move, &order, None)?;
        hand.put_state(case.mark, None)?;
        drop(claim);
        hand.shared.note_early(&case.name, &evidence.report);
        Ok(judged(hand, case, evidence))
    };
    Job { alone: true, ..Job::new(&[], 1, run) }
}

fn judged(hand: &Hand, case: &Case, evidence: Evidence) -> Vec<super::Trouble> {
    let faults = verdict::of_run(&case.arena, case.mark, &evidence.report, &hand.shared.bot.limits);
    let seen_by = |fault: &verdict::Fault| {
        let of_running = [id::RUN_EXIT, id::TIME_SOFT, id::RUN_ORPHAN, id::RUN_STDERR].contains(&fault.id);
        (case.group == Group::Nplayer && !of_running).then_some(id::NPLAYER)
    };
    let asked = Asked::of(case);
    faults.into_iter().map(|fault| asked.trouble(seen_by(&fault), fault, evidence.clone())).collect()
}

/// Asks `case` twice and compares.
pub fn twice(case: &Case) -> Job<'_> {
    Job::new(&[id::DETERMINISM], 2, move |hand| -> Found {
        let order = Order::of_move(case.mark, &case.input());
        let first = hand.ask(&case.name, Purpose::Move, &order, None)?;
        let second = hand.ask(&case.name, Purpose::Move, &order, None)?;
        if first.report.output == second.report.output {
            return Ok(Vec::new());
        }
        let what = format!("two different answers to {}", case.title);
        let fault = verdict::Fault { id: id::DETERMINISM, what, spots: Vec::new() };
        let asked = Asked { severity: Severity::Info, ..Asked::of(case) };
        Ok(vec![asked.trouble(Some(id::DETERMINISM), fault, second)])
    })
}
