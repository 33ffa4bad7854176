//! How a bot is run (B5): input in pieces or left open, another working directory, an empty environment, output
//! into a file. Whatever it does wrong only then fails the check of that condition.

use super::{Asked, Found, Job, compared};
use crate::catalog::id;
use crate::games::boxing::case::Case;
use crate::games::boxing::runner::{Hand, Purpose};
use crate::games::boxing::verdict;
use cornerman_harness::sandbox::{Ended, Environment, Input, Order, Output};

/// Where nobody can write and no bot is at home, not even as the superuser.
const FOREIGN_FOLDER: &str = "/proc";

/// A condition, as a change of the plain order.
type Condition = fn(&mut Order);

const CONDITIONS: [(&[&str], Condition); 4] = [
    (&[id::RUN_CHUNK], |order| {
        if let Input::Whole(bytes) = &order.input {
            order.input = Input::Dribbled(bytes.clone());
        }
    }),
    (&[id::RUN_CWD], |order| order.cwd = Some(FOREIGN_FOLDER.into())),
    (&[id::RUN_ENV], |order| order.environment = Environment::Minimal),
    (&[id::RUN_FILE], |order| order.output = Output::File),
];

/// A job for every condition, on each of `cases`.
pub fn jobs<'a>(cases: &[&'a Case]) -> Vec<Job<'a>> {
    let mut jobs: Vec<Job> = Vec::new();
    for &case in cases {
        jobs.extend(CONDITIONS.map(|(checks, condition)| {
            Job::new(checks, 1, move |hand| under_condition(hand, checks[0], case, condition))
        }));
    }
    let open = |&case: &&'a Case| Job::new(&[id::RUN_OPEN], 1, move |hand| input_left_open(hand, case));
    jobs.extend(cases.first().map(open));
    jobs
}

fn under_condition(hand: &mut Hand, check: &'static str, case: &Case, condition: Condition) -> Found {
    let plain = Order::of_move(case.mark, &case.input());
    let mut special = plain.clone();
    condition(&mut special);
    let claim = hand.claim(&[case.mark])?;
    let evidence = hand.ask_claimed(&case.name, Purpose::Special, &special, None)?;
    let found = compared(hand, check, &Asked::of(case), evidence, (&plain, None));
    hand.put_state(case.mark, None)?;
    drop(claim);
    found
}

/// BX-RUN-OPEN asks only for an end of the run by itself; a bot that waits for the end of its input is killed.
fn input_left_open(hand: &mut Hand, case: &Case) -> Found {
    let order = Order { input: Input::LeftOpen(case.input()), ..Order::of_move(case.mark, b"") };
    let evidence = hand.ask(&case.name, Purpose::Special, &order, None)?;
    let asked = Asked::of(case);
    if evidence.report.ended != Ended::TimedOut {
        let claim = hand.claim(&[case.mark])?;
        let plain = Order::of_move(case.mark, &case.input());
        let found = compared(hand, id::RUN_OPEN, &asked, evidence, (&plain, None));
        hand.put_state(case.mark, None)?;
        drop(claim);
        return found;
    }
    let fault = verdict::of_end(&evidence.report, &hand.shared.bot.limits);
    Ok(fault.into_iter().map(|fault| asked.trouble(Some(id::RUN_OPEN), fault, evidence.clone())).collect())
}
