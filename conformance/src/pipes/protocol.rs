//! What the protocol of every game of a process a move asks of a bot, whatever is played: that it ends, plays in any
//! surroundings, and leaves the file system alone but for its own state file. Games give these checks their ids.

use super::Purpose;
use super::question::{Question, Troubles, fault_of_end};
use crate::bench::Bench;
use crate::catalog::{Id, Severity};
use crate::fault::Fault;
use crate::finding::Evidence;
use crate::settle::Trouble;
use crate::surroundings::Condition;
use crate::trespass::{in_words, is_of_a_runtime, place, touched_always};
use cornerman::lots::Lots;
use cornerman_harness::sandbox::{Ended, Input, Order, SandboxError, Trespass, TrespassKind};
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// A watched run is made this often before a touched file is believed to be the bot's doing.
const WATCHED_RUNS: usize = 3;

/// How Unix programs end when what they write has no reader.
const SIGPIPE: i32 = 13;

/// Asks `question` under `condition`.
///
/// # Errors
/// When the sandbox failed.
pub fn under_condition(bench: &mut Bench, check: Id, question: &Question, condition: Condition) -> Troubles {
    let plain = question.order();
    let mut special = plain.clone();
    condition(&mut special);
    with_order(bench, check, question, &special, None)
}

/// Asks `question` from a state file of `state`, which `words` describe.
///
/// # Errors
/// When the sandbox failed.
pub fn with_state(bench: &mut Bench, check: Id, question: &Question, words: &str, state: &[u8]) -> Troubles {
    let about = format!("{}, with a state file {words}", question.about);
    with_order(bench, check, &Question { about, ..question.clone() }, &question.order(), Some(state))
}

fn with_order(
    bench: &mut Bench,
    check: Id,
    question: &Question,
    special: &Order,
    state: Option<&[u8]>,
) -> Troubles {
    let claim = bench.claim(&[question.mark])?;
    let evidence = bench.ask_claimed(&question.case, Purpose::Special, special, state)?;
    let found = question.compared(bench, check, evidence, (&question.order(), None), false);
    bench.put_state(question.mark, None)?;
    drop(claim);
    found
}

/// Asks `question` and leaves the input open: only an end by itself is asked for; a bot that waits for the end of its input
/// is killed.
///
/// # Errors
/// When the sandbox failed.
pub fn input_left_open(bench: &mut Bench, check: Id, question: &Question) -> Troubles {
    let order = Order { input: Input::LeftOpen(question.input.clone()), ..Order::of_move(question.mark, b"") };
    let evidence = bench.ask(&question.case, Purpose::Special, &order, None)?;
    if evidence.report.ended == Ended::TimedOut {
        return Ok(of_end(bench, check, question, evidence));
    }
    let claim = bench.claim(&[question.mark])?;
    let found = question.compared(bench, check, evidence, (&question.order(), None), false);
    bench.put_state(question.mark, None)?;
    drop(claim);
    found
}

/// Gives an order that is odd: all that is asked of a bot is to end in time and by no signal.
///
/// # Errors
/// When the sandbox failed.
pub fn odd(bench: &mut Bench, check: Id, question: &Question, order: &Order) -> Troubles {
    let evidence = bench.ask(&question.case, Purpose::Special, order, None)?;
    if evidence.report.ended == Ended::Signalled(SIGPIPE) {
        return Ok(Vec::new());
    }
    Ok(of_end(bench, check, question, evidence))
}

fn of_end(bench: &Bench, check: Id, question: &Question, evidence: Evidence) -> Vec<Trouble> {
    let fault = fault_of_end(&bench.shared.ids, &bench.shared.bot.limits, &evidence.report);
    fault.map(|fault| question.trouble(Some(check), fault, evidence)).into_iter().collect()
}

/// Asks `question` twice and compares.
///
/// # Errors
/// When the sandbox failed.
pub fn twice(bench: &mut Bench, check: Id, question: &Question) -> Troubles {
    let first = bench.ask(&question.case, Purpose::Move, &question.order(), None)?;
    let second = bench.ask(&question.case, Purpose::Move, &question.order(), None)?;
    if first.report.output == second.report.output {
        return Ok(Vec::new());
    }
    let what = format!("two different answers to {}", question.about);
    let question = Question { severity: Severity::Info, ..question.clone() };
    Ok(vec![question.trouble(Some(check), Fault::of(check, what), second)])
}

/// State files that no bot wrote: their contents, in words and as bytes; the junk is drawn from `seed`.
pub fn odd_states(seed: u64) -> [(&'static str, Vec<u8>); 5] {
    let mut lots = Lots::new(seed);
    let junk = (0..4096).map(|_| lots.draw() as u8).collect();
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
pub struct Watched {
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
    bench: &mut Bench,
    checks: Watched,
    question: &Question,
    foe: u8,
    own_state: Option<&[u8]>,
) -> Troubles {
    let mut marks = vec![question.mark, foe];
    let first = watched_run(bench, question, foe, own_state, &marks)?;
    if first.report.trespasses.iter().all(|trespass| is_of_a_runtime(&trespass.path)) {
        return Ok(Vec::new());
    }
    // Another game's files may have come and gone: now the marks of all that were touched are claimed.
    marks.extend(first.report.trespasses.iter().filter_map(|trespass| mark_of(&trespass.path)));
    let runs: Result<Vec<Evidence>, SandboxError> =
        (0..WATCHED_RUNS).map(|_| watched_run(bench, question, foe, own_state, &marks)).collect();
    Ok(trespasses(checks, question, foe, runs?))
}

fn watched_run(
    bench: &mut Bench,
    question: &Question,
    foe: u8,
    own_state: Option<&[u8]>,
    marks: &[u8],
) -> Result<Evidence, SandboxError> {
    let order = Order { watch: true, ..question.order() };
    let claim = bench.claim(marks)?;
    bench.put_state(foe, Some(b"none of your business\n"))?;
    let evidence = bench.ask_alone(&question.case, Purpose::Move, &order, own_state)?;
    bench.forget(&[foe, question.mark])?;
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

fn trespasses(checks: Watched, question: &Question, foe: u8, mut runs: Vec<Evidence>) -> Vec<Trouble> {
    let always = touched_always(&runs);
    let evidence = runs.swap_remove(0);
    let foes_file = state_file(foe);
    let seen = evidence.report.trespasses.iter().filter(|trespass| always.contains(&place(&trespass.path)));
    let (foes, others): (Vec<&Trespass>, Vec<&Trespass>) =
        seen.partition(|trespass| trespass.kind == TrespassKind::Opened || trespass.path == foes_file);
    [(checks.apart, foes), (checks.only, others)]
        .into_iter()
        .filter(|(_, seen)| !seen.is_empty())
        .map(|(check, seen)| question.trouble(Some(check), Fault::of(check, in_words(&seen)), evidence.clone()))
        .collect()
}
