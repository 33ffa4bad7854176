//! The checks that all games with one process per move share: a bot ends, plays in any environment, and touches no file
//! except its own state file. Each game has its own ids for them.

use super::question::{Failures, Question, fault_of_end};
use super::{NOTES_OF_ANOTHER, Purpose};
use crate::attribution::Failure;
use crate::catalog::{Id, Severity};
use crate::fault::Fault;
use crate::file_violations::{file_faults, is_of_a_runtime, place, touched_always};
use crate::finding::Evidence;
use crate::runner::BotRunner;
use crate::runner::SpecialCondition;
use cornerman::rng::Rng;
use cornerman_harness::player::marks::{mark_of, move_request};
use cornerman_harness::sandbox::{Ended, Environment, FileViolation, Input, RunRequest, SandboxError};

/// A file counts as touched by the bot if this many watched runs show it.
const WATCHED_RUNS: usize = 3;

/// The signal that ends a program that writes to a closed pipe.
const SIGPIPE: i32 = 13;

/// Asks `question` under `condition`.
///
/// # Errors
/// When the sandbox failed.
pub(crate) fn under_condition(
    runner: &mut BotRunner,
    check: Id,
    question: &Question,
    condition: SpecialCondition,
) -> Failures {
    let plain = question.request();
    let mut special = plain.clone();
    condition(&mut special);
    with_order(runner, check, question, &special, None)
}

/// Asks `question` with `state` in the state file, which `words` describe.
///
/// # Errors
/// When the sandbox failed.
pub(crate) fn with_state(
    runner: &mut BotRunner,
    check: Id,
    question: &Question,
    words: &str,
    state: &[u8],
) -> Failures {
    let about = format!("{}, with a state file {words}", question.about);
    with_order(runner, check, &Question { about, ..question.clone() }, &question.request(), Some(state))
}

fn with_order(
    runner: &mut BotRunner,
    check: Id,
    question: &Question,
    special: &RunRequest,
    state: Option<&[u8]>,
) -> Failures {
    let claim = runner.claim(&[question.mark])?;
    let evidence = runner.ask_claimed(question, Purpose::Special, special, state)?;
    let found = question.compared(runner, check, evidence, (&question.request(), None), false);
    runner.put_state(question.mark, None)?;
    drop(claim);
    found
}

/// Asks `question` and leaves the input open. A bot that waits for the end of its input is killed and fails `check`.
///
/// # Errors
/// When the sandbox failed.
pub(crate) fn input_left_open(runner: &mut BotRunner, check: Id, question: &Question) -> Failures {
    let request =
        RunRequest { input: Input::LeftOpen(question.input.clone()), ..move_request(question.mark, b"") };
    let evidence = runner.ask(question, Purpose::Special, &request, None)?;
    if evidence.report.ended == Ended::TimedOut {
        return Ok(of_end(runner, check, question, evidence));
    }
    let claim = runner.claim(&[question.mark])?;
    let found = question.compared(runner, check, evidence, (&question.request(), None), false);
    runner.put_state(question.mark, None)?;
    drop(claim);
    found
}

/// Runs the odd `request`. The bot only has to end in time, and not by a signal other than SIGPIPE.
///
/// # Errors
/// When the sandbox failed.
pub(crate) fn only_has_to_end(
    runner: &mut BotRunner,
    check: Id,
    question: &Question,
    request: &RunRequest,
) -> Failures {
    let evidence = runner.ask(question, Purpose::Special, request, None)?;
    if evidence.report.ended == Ended::Signalled(SIGPIPE) {
        return Ok(Vec::new());
    }
    Ok(of_end(runner, check, question, evidence))
}

fn of_end(runner: &BotRunner, check: Id, question: &Question, evidence: Evidence) -> Vec<Failure> {
    let fault = fault_of_end(&runner.shared.ids, &runner.shared.bot.limits, &evidence.report);
    fault.map(|fault| question.failure(Some(check), fault, evidence)).into_iter().collect()
}

/// Asks `question` twice, the second time in other surroundings, and compares the answers.
///
/// # Errors
/// When the sandbox failed.
pub(crate) fn twice(runner: &mut BotRunner, check: Id, question: &Question) -> Failures {
    let first = runner.ask(question, Purpose::Move, &question.request(), None)?;
    let again = RunRequest { environment: Environment::Varied, ..question.request() };
    let second = runner.ask(question, Purpose::Move, &again, None)?;
    for run in [&first, &second] {
        if let Some(fault) = question.fault_of_play(runner, &run.report) {
            let failure = question.failure(None, fault, run.clone());
            return Ok(vec![Failure { interrupted: Some(check), ..failure }]);
        }
    }
    if first.report.output == second.report.output {
        return Ok(Vec::new());
    }
    let what = format!("two different answers to {}", question.about);
    let question = Question { severity: Severity::Info, ..question.clone() };
    Ok(vec![question.failure(Some(check), Fault::new(check, what), second)])
}

/// Contents of state files that no bot has written, each with a description. Random bytes are drawn from `seed`.
pub(crate) fn junk_states(seed: u64) -> [(&'static str, Vec<u8>); 5] {
    let mut rng = Rng::new(seed);
    let junk = (0..4096).map(|_| rng.draw() as u8).collect();
    [
        ("that is empty", Vec::new()),
        ("of 4096 random bytes", junk),
        ("of 1 MiB of zeros", vec![0; 1 << 20]),
        ("with words instead of numbers", b"this is not what you wrote\n".repeat(20)),
        ("with a number out of all bounds", b"-99999999999999999999\n".to_vec()),
    ]
}

/// Asks `question` while the file system is watched. There is a state file of the mark `opponent`, and one with
/// `own_state` for the bot if that is given.
///
/// # Errors
/// When the sandbox failed.
pub(crate) fn watched(
    runner: &mut BotRunner,
    question: &Question,
    opponent: u8,
    own_state: Option<&[u8]>,
) -> Failures {
    let mut marks = vec![question.mark, opponent];
    let first = watched_run(runner, question, opponent, own_state, &marks)?;
    let is_noise = |violation: &FileViolation| is_of_a_runtime(&violation.path);
    if runner.watches_every_run() || first.report.file_violations.iter().all(is_noise) {
        return Ok(Vec::new());
    }
    // These may be the files of another game. Claim the marks of all files that were touched, and repeat.
    marks.extend(first.report.file_violations.iter().filter_map(|violation| mark_of(&violation.path)));
    let runs: Result<Vec<Evidence>, SandboxError> =
        (0..WATCHED_RUNS).map(|_| watched_run(runner, question, opponent, own_state, &marks)).collect();
    let mut runs = runs?;
    let always = touched_always(&runs);
    let evidence = runs.swap_remove(0);
    let seen = evidence.report.file_violations.iter().filter(|violation| always.contains(&place(&violation.path)));
    let faults = file_faults(&runner.shared.ids, Some(question.mark), seen);
    Ok(faults.into_iter().map(|fault| question.failure(None, fault, evidence.clone())).collect())
}

fn watched_run(
    runner: &mut BotRunner,
    question: &Question,
    opponent: u8,
    own_state: Option<&[u8]>,
    marks: &[u8],
) -> Result<Evidence, SandboxError> {
    let request = RunRequest { watch: true, ..question.request() };
    let claim = runner.claim(marks)?;
    runner.put_state(opponent, Some(NOTES_OF_ANOTHER))?;
    let evidence = runner.ask_claimed(question, Purpose::Move, &request, own_state)?;
    runner.forget(&[opponent, question.mark])?;
    drop(claim);
    Ok(evidence)
}
