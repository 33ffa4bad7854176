//! What the protocol of every game of a process a move asks of a bot, whatever is played: that it ends, plays in any
//! surroundings, and leaves the file system alone but for its own state file. Games give these checks their ids.

use super::Purpose;
use super::question::{Failures, Question, fault_of_end};
use crate::attribution::Failure;
use crate::catalog::{Id, Severity};
use crate::fault::Fault;
use crate::file_violations::{in_words, is_of_a_runtime, place, touched_always};
use crate::finding::Evidence;
use crate::runner::BotRunner;
use crate::special_conditions::SpecialCondition;
use cornerman::rng::Rng;
use cornerman_harness::sandbox::{Ended, FileViolation, FileViolationKind, Input, RunRequest, SandboxError};
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// A watched run is made this often before a touched file is confirmed to be the bot's doing.
const WATCHED_RUNS: usize = 3;

/// How Unix programs end when what they write has no reader.
const SIGPIPE: i32 = 13;

/// Asks `question` under `condition`.
///
/// # Errors
/// When the sandbox failed.
pub fn under_condition(
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

/// Asks `question` from a state file of `state`, which `words` describe.
///
/// # Errors
/// When the sandbox failed.
pub fn with_state(runner: &mut BotRunner, check: Id, question: &Question, words: &str, state: &[u8]) -> Failures {
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
    let evidence = runner.ask_claimed(&question.case, Purpose::Special, special, state)?;
    let found = question.compared(runner, check, evidence, (&question.request(), None), false);
    runner.put_state(question.mark, None)?;
    drop(claim);
    found
}

/// Asks `question` and leaves the input open: only an end by itself is asked for; a bot that waits for the end of its
/// input is killed.
///
/// # Errors
/// When the sandbox failed.
pub fn input_left_open(runner: &mut BotRunner, check: Id, question: &Question) -> Failures {
    let request =
        RunRequest { input: Input::LeftOpen(question.input.clone()), ..RunRequest::of_move(question.mark, b"") };
    let evidence = runner.ask(&question.case, Purpose::Special, &request, None)?;
    if evidence.report.ended == Ended::TimedOut {
        return Ok(of_end(runner, check, question, evidence));
    }
    let claim = runner.claim(&[question.mark])?;
    let found = question.compared(runner, check, evidence, (&question.request(), None), false);
    runner.put_state(question.mark, None)?;
    drop(claim);
    found
}

/// Gives an order that is odd: all that is asked of a bot is to end in time and by no signal.
///
/// # Errors
/// When the sandbox failed.
pub fn only_has_to_end(runner: &mut BotRunner, check: Id, question: &Question, request: &RunRequest) -> Failures {
    let evidence = runner.ask(&question.case, Purpose::Special, request, None)?;
    if evidence.report.ended == Ended::Signalled(SIGPIPE) {
        return Ok(Vec::new());
    }
    Ok(of_end(runner, check, question, evidence))
}

fn of_end(runner: &BotRunner, check: Id, question: &Question, evidence: Evidence) -> Vec<Failure> {
    let fault = fault_of_end(&runner.shared.ids, &runner.shared.bot.limits, &evidence.report);
    fault.map(|fault| question.failure(Some(check), fault, evidence)).into_iter().collect()
}

/// Asks `question` twice and compares.
///
/// # Errors
/// When the sandbox failed.
pub fn twice(runner: &mut BotRunner, check: Id, question: &Question) -> Failures {
    let first = runner.ask(&question.case, Purpose::Move, &question.request(), None)?;
    let second = runner.ask(&question.case, Purpose::Move, &question.request(), None)?;
    if first.report.output == second.report.output {
        return Ok(Vec::new());
    }
    let what = format!("two different answers to {}", question.about);
    let question = Question { severity: Severity::Info, ..question.clone() };
    Ok(vec![question.failure(Some(check), Fault::of(check, what), second)])
}

/// State files that no bot wrote: their contents, in words and as bytes; the junk is drawn from `seed`.
pub fn junk_states(seed: u64) -> [(&'static str, Vec<u8>); 5] {
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

/// The checks of a watched run.
#[derive(Clone, Copy, Debug)]
pub struct FileChecks {
    /// It opened the state file of another mark.
    pub apart: Id,
    /// It touched other files than its own state file.
    pub only: Id,
}

/// Asks `question` while the file system is watched. `foe` has a state file meanwhile, and the bot one of `own_state`.
///
/// # Errors
/// When the sandbox failed.
pub fn watched(
    runner: &mut BotRunner,
    checks: FileChecks,
    question: &Question,
    foe: u8,
    own_state: Option<&[u8]>,
) -> Failures {
    let mut marks = vec![question.mark, foe];
    let first = watched_run(runner, question, foe, own_state, &marks)?;
    if first.report.file_violations.iter().all(|trespass| is_of_a_runtime(&trespass.path)) {
        return Ok(Vec::new());
    }
    // Another game's files may have come and gone: now the marks of all that were touched are claimed.
    marks.extend(first.report.file_violations.iter().filter_map(|trespass| mark_of(&trespass.path)));
    let runs: Result<Vec<Evidence>, SandboxError> =
        (0..WATCHED_RUNS).map(|_| watched_run(runner, question, foe, own_state, &marks)).collect();
    Ok(file_violations(checks, question, foe, runs?))
}

fn watched_run(
    runner: &mut BotRunner,
    question: &Question,
    foe: u8,
    own_state: Option<&[u8]>,
    marks: &[u8],
) -> Result<Evidence, SandboxError> {
    let request = RunRequest { watch: true, ..question.request() };
    let claim = runner.claim(marks)?;
    runner.put_state(foe, Some(b"none of your business\n"))?;
    let evidence = runner.ask_alone(&question.case, Purpose::Move, &request, own_state)?;
    runner.forget(&[foe, question.mark])?;
    drop(claim);
    Ok(evidence)
}

fn state_file(mark: u8) -> PathBuf {
    Path::new("/tmp").join(OsStr::from_bytes(&[b"arena.".as_slice(), &[mark]].concat()))
}

/// The mark whose state file `path` is, if it is one.
fn mark_of(path: &Path) -> Option<u8> {
    path.as_os_str().as_bytes().last().copied().filter(|mark| state_file(*mark) == path)
}

fn file_violations(checks: FileChecks, question: &Question, foe: u8, mut runs: Vec<Evidence>) -> Vec<Failure> {
    let always = touched_always(&runs);
    let evidence = runs.swap_remove(0);
    let foes_file = state_file(foe);
    let seen = evidence.report.file_violations.iter().filter(|trespass| always.contains(&place(&trespass.path)));
    let (foes, others): (Vec<&FileViolation>, Vec<&FileViolation>) =
        seen.partition(|trespass| trespass.kind == FileViolationKind::Opened || trespass.path == foes_file);
    [(checks.apart, foes), (checks.only, others)]
        .into_iter()
        .filter(|(_, seen)| !seen.is_empty())
        .map(|(check, seen)| question.failure(Some(check), Fault::of(check, in_words(&seen)), evidence.clone()))
        .collect()
}
