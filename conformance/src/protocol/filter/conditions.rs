//! The jobs of the checks that all games with one process per move share: a bot ends, plays in any environment, and
//! touches no file except its own state file.

use super::question::{Findings, Question, cause_of_end};
use super::{NOTES_OF_ANOTHER, Purpose};
use crate::catalog::{Catalogue, Id, Severity};
use crate::finding::{Cause, Evidence, Finding};
use crate::jobs::Job;
use crate::runner::{BotRunner, IN_FOREIGN_FOLDER, WITHOUT_ENVIRONMENT};
use cornerman_harness::player::marks::mark_of;
use cornerman_harness::sandbox::{Ended, Environment, Input, Output, RunRequest, SandboxError};

/// The signal that ends a program that writes to a closed pipe.
const SIGPIPE: i32 = 13;

/// Turns a request in plain conditions into one in special or odd ones, with the input of the question.
type MakeOdd = fn(&mut RunRequest, &[u8]);

/// Odd conditions: the check, the condition in words, and how it is made.
const ODD_CONDITIONS: [(&str, &str, MakeOdd); 9] = [
    ("ODD-EMPTY", "no input", |request, _| request.input = Input::Whole(Vec::new())),
    ("ODD-SHORT", "the beginning of an input", |request, input| {
        request.input = Input::Whole(input[..input.len() * 4 / 7].to_vec());
    }),
    ("ODD-LONG", "an input twice, and 7 more bytes", |request, input| {
        request.input = Input::Whole([input, input, b"and on\n"].concat());
    }),
    ("ODD-LONG", "100,000 bytes that begin with an input", |request, input| {
        request.input = Input::Whole(input.iter().copied().cycle().take(100_000).collect());
    }),
    ("ODD-CRLF", "an input whose lines end with CR LF", |request, input| {
        let lines = input.split_inclusive(|&byte| byte == b'\n');
        request.input = Input::Whole(lines.flat_map(|line| [line.trim_ascii_end(), b"\r\n"].concat()).collect());
    }),
    ("ODD-NUL", "an input with NUL bytes", |request, input| {
        let nul = |(at, byte): (usize, &u8)| if at % 7 == 3 && *byte != b'\n' { 0 } else { *byte };
        request.input = Input::Whole(input.iter().enumerate().map(nul).collect());
    }),
    ("ODD-NOARG", "no argument", |request, _| request.args.clear()),
    ("ODD-LONGARG", "an argument of 300 characters", |request, _| request.args = vec!["A".repeat(300).into()]),
    ("ODD-EPIPE", "a closed output", |request, _| request.output = Output::Broken),
];

/// A job for each odd condition, with the input of `asked`.
pub(crate) fn odd_jobs(checks: &'static Catalogue, asked: &Question) -> Vec<Job> {
    let odd_job = |(check, words, make_odd): (&str, &str, MakeOdd)| {
        let check = checks.id(check);
        let about = format!("made from `{}`", asked.case);
        let question = Question { case: words.to_string(), about, ..asked.clone() };
        let mut request = question.request();
        make_odd(&mut request, &question.input);
        Job::new(&[check], 1, move |runner| only_has_to_end(runner, check, &question, &request))
    };
    ODD_CONDITIONS.map(odd_job).into()
}

/// Special conditions under which a bot must answer as in plain ones: the check, and how they are made.
const CONDITIONS: [(&str, MakeOdd); 4] = [
    ("CHUNK", |request, input| request.input = Input::Dribbled(input.to_vec())),
    ("CWD", |request, _| IN_FOREIGN_FOLDER(request)),
    ("ENV", |request, _| WITHOUT_ENVIRONMENT(request)),
    ("FILE", |request, _| request.output = Output::File),
];

/// The same of a game whose bots do not read their input to its end.
const LEFT_OPEN: (&str, MakeOdd) = ("OPEN", |request, input| request.input = Input::LeftOpen(input.to_vec()));

/// The names of the checks that have jobs of their own, in special conditions.
pub(crate) fn special() -> impl Iterator<Item = &'static str> {
    let of_state = ["FRESH", "STATE-SEP", "STATE-COLD", "STATE-STALE", "STATE-CORRUPT", "DETERMINISM"];
    let conditions = CONDITIONS.into_iter().chain([LEFT_OPEN]).map(|(name, _)| name);
    conditions.chain(ODD_CONDITIONS.into_iter().map(|(name, ..)| name)).chain(of_state)
}

/// A job for each special condition with each of the questions `asked`, and one for an input that is left open, with
/// the first.
pub(crate) fn condition_jobs(checks: &'static Catalogue, asked: &[Question]) -> Vec<Job> {
    let condition_job = |question: &Question, (name, condition): (&str, MakeOdd)| {
        let check = checks.named(name)?;
        let question = question.clone();
        Some(Job::new(&[check], 1, move |runner| {
            let mut special = question.request();
            condition(&mut special, &question.input);
            with_request(runner, check, &question, &special, None)
        }))
    };
    let usual = asked.iter().flat_map(|question| CONDITIONS.map(|condition| (question, condition)));
    let all = usual.chain(asked.first().map(|question| (question, LEFT_OPEN)));
    all.filter_map(|(question, condition)| condition_job(question, condition)).collect()
}

/// The job that asks `asked` twice.
pub(crate) fn twice_job(checks: &'static Catalogue, asked: Question) -> Job {
    let check = checks.id("DETERMINISM");
    Job::new(&[check], 2, move |runner| twice(runner, check, &asked))
}

/// The job of the checks of touched files. The mark `opponent` has a state file, which the bot must not touch.
pub(crate) fn watched_job(
    checks: &'static Catalogue,
    asked: Question,
    opponent: u8,
    own_state: Option<&'static [u8]>,
) -> Job {
    let checks: Vec<Id> = ["FRESH", "STATE-SEP"].iter().filter_map(|name| checks.named(name)).collect();
    let run = move |runner: &mut BotRunner| watched(runner, &asked, opponent, own_state);
    Job { watched: true, ..Job::new(&checks, 1, run) }
}

/// Asks `question` with `state` in the state file, which `words` describe.
pub(crate) fn with_state(
    runner: &mut BotRunner,
    check: Id,
    question: &Question,
    words: &str,
    state: &[u8],
) -> Findings {
    let about = format!("{}, with a state file {words}", question.about);
    with_request(runner, check, &Question { about, ..question.clone() }, &question.request(), Some(state))
}

/// Asks `question` by the `special` request, and compares the run with one in plain conditions. If the input is left
/// open and the bot waits for its end, there is nothing to compare.
fn with_request(
    runner: &mut BotRunner,
    check: Id,
    question: &Question,
    special: &RunRequest,
    state: Option<&[u8]>,
) -> Findings {
    runner.claiming(&[question.mark], |runner| {
        let evidence = runner.ask_claimed(question, Purpose::Special, special, state)?;
        let is_open = matches!(special.input, Input::LeftOpen(_));
        if is_open && evidence.report.ended == Ended::TimedOut {
            Ok(of_end(runner, check, question, evidence))
        } else {
            question.compared(runner, check, evidence, None, false)
        }
    })
}

/// Runs the odd `request`. The bot must not run to the hard limit, use too much memory, or die by a signal other than
/// SIGPIPE. It may write what it likes: it is killed at the first byte too much, and that is no fault here.
fn only_has_to_end(runner: &mut BotRunner, check: Id, question: &Question, request: &RunRequest) -> Findings {
    let evidence = runner.ask(question, Purpose::Special, request, None)?;
    if evidence.report.ended == Ended::Signalled(SIGPIPE) {
        return Ok(Vec::new());
    }
    Ok(of_end(runner, check, question, evidence))
}

/// The finding that the bot did not end as it must, if it did not.
fn of_end(runner: &BotRunner, check: Id, question: &Question, evidence: Evidence) -> Vec<Finding> {
    let cause = cause_of_end(runner.shared.checks, &runner.shared.bot.limits, &evidence.report);
    cause.map(|cause| question.finding(Some(check), cause, evidence)).into_iter().collect()
}

/// Asks `question` twice, the second time in other surroundings, and compares the answers.
fn twice(runner: &mut BotRunner, check: Id, question: &Question) -> Findings {
    let first = runner.ask(question, Purpose::Move, &question.request(), None)?;
    let again = RunRequest { environment: Environment::Varied, ..question.request() };
    let second = runner.ask(question, Purpose::Move, &again, None)?;
    for run in [&first, &second] {
        if let Some(cause) = question.cause_of_play(runner, &run.report) {
            return Ok(vec![question.finding(None, cause, run.clone()).interrupting(check)]);
        }
    }
    if first.report.output == second.report.output {
        return Ok(Vec::new());
    }
    let what = format!("two different answers to {}", question.about);
    let question = Question { severity: Severity::Info, ..question.clone() };
    Ok(vec![question.finding(Some(check), Cause::new(check, what), second)])
}

/// Asks `question` while the file system is watched. There is a state file of the mark `opponent`, and one with
/// `own_state` for the bot if that is given.
fn watched(runner: &mut BotRunner, question: &Question, opponent: u8, own_state: Option<&[u8]>) -> Findings {
    let marks = [question.mark, opponent];
    let first = watched_run(runner, question, opponent, own_state, &marks)?;
    // Another game may have touched these files. So their marks are claimed when the run is repeated.
    let touched = first.report.file_violations.iter().filter_map(|violation| mark_of(&violation.path));
    let marks: Vec<u8> = marks.into_iter().chain(touched).collect();
    let again = |runner: &mut BotRunner| Ok(watched_run(runner, question, opponent, own_state, &marks)?.report);
    let causes = runner.touched_each_time(Some(question.mark), &first.report, again)?;
    Ok(causes.into_iter().map(|cause| question.finding(None, cause, first.clone())).collect())
}

fn watched_run(
    runner: &mut BotRunner,
    question: &Question,
    opponent: u8,
    own_state: Option<&[u8]>,
    marks: &[u8],
) -> Result<Evidence, SandboxError> {
    let request = RunRequest { watch: true, ..question.request() };
    let _claim = runner.claim(marks)?;
    runner.put_state(opponent, Some(NOTES_OF_ANOTHER))?;
    let evidence = runner.ask_claimed(question, Purpose::Move, &request, own_state)?;
    runner.put_states(&[opponent, question.mark])?;
    Ok(evidence)
}
