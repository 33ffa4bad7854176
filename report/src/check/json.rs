//! JSON for programs: one object per bot, documented in `docs/check-json.md`. A change that could break its readers
//! increases [`SCHEMA`].

use crate::json::micros;
use cornerman_conformance::{BotReport, CheckResult, Finding, Outcome, Severity, files};
use cornerman_harness::sandbox::{Ended, Isolation, RunReport};
use cornerman_harness::text::{escaped, plain_json};
use schemars::JsonSchema;
use serde::Serialize;
use std::time::Duration;

/// The version of the schema, which each object contains as `schema`.
pub const SCHEMA: u32 = 1;

/// The report about one bot as one line of JSON, without a line feed. If `strict`, a failed should makes `passes`
/// false.
pub fn json(report: &BotReport, strict: bool) -> String {
    let object = BotObject {
        schema: SCHEMA,
        bot: &report.name,
        spec: &report.spec,
        game: report.game(),
        passes: report.passes(strict),
        strict,
        seed: report.seed,
        failed_musts: report.failures(Severity::Must),
        failed_shoulds: report.failures(Severity::Should),
        isolation: report.isolation.as_ref(),
        runs: report.timing.runs,
        runs_planned: report.left_out.map_or(report.timing.runs, |left_out| left_out.planned),
        complete: report.left_out.is_none(),
        slowest: report.timing.slowest.as_ref().map(time),
        early: report.timing.early.iter().map(time).collect(),
        remarks: &report.remarks,
        error: report.kit_failure.as_deref(),
        unfit: report.unfit.as_deref(),
        toolchain: report.toolchain.as_deref(),
        took_ms: report.took.as_millis() as u64,
        kept: report.is_cached,
        checks: report.results.iter().map(|result| check(report, result)).collect(),
    };
    plain_json(serde_json::to_string(&object).expect("a report contains only what JSON can express"))
}

/// The report about a bot.
#[derive(Serialize, JsonSchema)]
#[schemars(title = "Report")]
pub struct BotObject<'a> {
    /// The version of the format.
    schema: u32,
    /// The bot's name.
    bot: &'a str,
    /// The BOT argument on the command line.
    spec: &'a str,
    /// The game that it was checked for.
    game: &'a str,
    /// Whether it is fit to play: no must failed, and with `strict` no should either.
    passes: bool,
    /// Whether shoulds count.
    strict: bool,
    /// The seed of all random choices.
    seed: u64,
    /// How many musts failed.
    failed_musts: usize,
    /// How many shoulds failed.
    failed_shoulds: usize,
    /// The level in force, and why no better one; `null` if no sandbox could be opened.
    isolation: Option<&'a Isolation>,
    /// How often the bot was run.
    runs: u32,
    /// About how often it would have been run without a budget.
    runs_planned: u32,
    /// Whether neither the budget nor `--fast` left anything out. A check that ended early because of what the bot did
    /// counts as complete.
    complete: bool,
    /// Its slowest move; `null` if there was none.
    slowest: Option<TimeObject<'a>>,
    /// The moves at the start of a game, each measured alone.
    early: Vec<TimeObject<'a>>,
    /// Sentences worth reading that fail no check.
    remarks: &'a [String],
    /// Why Cornerman itself failed; `null` if it did not.
    error: Option<&'a str>,
    /// Why there is no bot to check; `null` if there is one.
    unfit: Option<&'a str>,
    /// The version line of its compiler or interpreter; `null` if it has none.
    toolchain: Option<&'a str>,
    /// How long the check took.
    took_ms: u64,
    /// Whether this is the kept verdict of an earlier check.
    kept: bool,
    /// Every check, in the order of the catalogue.
    checks: Vec<CheckObject<'a>>,
}

/// How long a move took.
#[derive(Serialize, JsonSchema)]
struct TimeObject<'a> {
    /// The case that it was made in.
    case: &'a str,
    /// Its wall time.
    wall_us: u64,
}

fn time((case, wall): &(String, Duration)) -> TimeObject<'_> {
    TimeObject { case, wall_us: micros(*wall) }
}

/// What became of a check.
#[derive(Serialize, JsonSchema)]
struct CheckObject<'a> {
    /// Its permanent name.
    id: &'a str,
    /// How severe it is to fail it.
    severity: Severity,
    /// The numbers of the rules.
    requirement: &'a str,
    /// What a bot that passes does.
    title: &'a str,
    /// `pass`, `fail`, `blocked`, `left-out`, `skipped` or `note`.
    outcome: &'static str,
    /// What its failure weighs.
    #[serde(skip_serializing_if = "Option::is_none")]
    weighs: Option<Severity>,
    /// The check that failed, so that this one was not judged.
    #[serde(skip_serializing_if = "Option::is_none")]
    blocked_by: Option<&'a str>,
    /// `budget`, or `fast` after a must that failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    left_out_by: Option<&'static str>,
    /// What was seen, if the check cannot fail.
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<&'a str>,
    /// How to correct the bot, if it failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    hint: Option<String>,
    /// The folder with the exact bytes, if they were written.
    #[serde(skip_serializing_if = "Option::is_none")]
    files: Option<String>,
    /// Every case in which the failure was seen.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    findings: Vec<FindingObject<'a>>,
}

fn check<'a>(report: &BotReport, result: &'a CheckResult) -> CheckObject<'a> {
    let mut object = CheckObject {
        id: &result.check.id,
        severity: result.check.severity,
        requirement: &result.check.requirement,
        title: &result.check.title,
        outcome: outcome_name(&result.outcome),
        weighs: result.failure(),
        blocked_by: None,
        left_out_by: None,
        note: None,
        hint: result.hint(report.language),
        files: result.files.as_ref().map(|files| files.folder.display().to_string()),
        findings: Vec::new(),
    };
    match &result.outcome {
        Outcome::Pass | Outcome::Skipped => {}
        Outcome::Fail(findings) => object.findings = findings.iter().map(finding).collect(),
        Outcome::Blocked { by } => object.blocked_by = Some(by),
        Outcome::LeftOut(why) => object.left_out_by = Some(why.name()),
        Outcome::Note(note) => object.note = Some(note),
    }
    object
}

fn outcome_name(outcome: &Outcome) -> &'static str {
    match outcome {
        Outcome::Pass => "pass",
        Outcome::Fail(_) => "fail",
        Outcome::Blocked { .. } => "blocked",
        Outcome::LeftOut(_) => "left-out",
        Outcome::Skipped => "skipped",
        Outcome::Note(_) => "note",
    }
}

/// A case in which a failure was seen.
#[derive(Serialize, JsonSchema)]
struct FindingObject<'a> {
    /// The arena's name, the place in a game, or the dialogue's name.
    case: &'a str,
    /// The check that this behaviour would fail under normal conditions.
    symptom: &'a str,
    /// How much it weighs.
    severity: Severity,
    /// What the bot did.
    what: &'a str,
    /// Row and column, counted from 1.
    spots: Vec<[u16; 2]>,
    /// The arguments that the bot was given.
    args: Vec<String>,
    /// How its process ended.
    ended: String,
    /// Its wall time.
    wall_us: u64,
    /// Escaped as in C.
    input: String,
    output: String,
    stderr: String,
    /// Only for games in lines.
    #[serde(skip_serializing_if = "Option::is_none")]
    transcript: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    expected: Option<&'a str>,
}

fn finding(finding: &Finding) -> FindingObject<'_> {
    let report = &finding.evidence.report;
    FindingObject {
        case: &finding.evidence.case,
        symptom: finding.cause.check,
        severity: finding.cause.severity,
        what: &finding.cause.what,
        spots: finding.cause.spots.iter().map(|spot| [u16::from(spot.row) + 1, u16::from(spot.col) + 1]).collect(),
        args: finding.evidence.request.args.iter().map(|arg| escaped(arg.as_encoded_bytes())).collect(),
        ended: ended(report),
        wall_us: micros(report.wall),
        input: shortened(&files::input(&finding.evidence)),
        output: shortened(&report.output),
        stderr: escaped(report.stderr_tail(ERROR_LINES).as_bytes()),
        transcript: finding.evidence.transcript.as_ref().map(|all| all.cut(TRANSCRIPT_LINES).join("\n")),
        expected: finding.cause.expected.as_deref(),
    }
}

/// How many lines of a transcript are included at most.
const TRANSCRIPT_LINES: usize = 100;

/// How many lines of standard error are included at most.
const ERROR_LINES: usize = 60;

/// How many bytes of input and of output are included at most.
const MOST: usize = 2048;

/// The first [`MOST`] bytes, escaped.
fn shortened(bytes: &[u8]) -> String {
    escaped(&bytes[..bytes.len().min(MOST)])
}

fn ended(report: &RunReport) -> String {
    match report.ended {
        Ended::Exited(status) => format!("status {status}"),
        Ended::Signalled(signal) => format!("signal {signal}"),
        Ended::TimedOut if report.waits_for_input => "killed because it waited for more input".to_string(),
        Ended::TimedOut => "killed at the hard limit".to_string(),
        Ended::OutOfMemory => "killed because it used too much memory".to_string(),
        Ended::Stopped => "ended with its game".to_string(),
        Ended::Starved => "killed because the machine was too busy".to_string(),
        Ended::TooMuchOutput => "killed because it wrote too much".to_string(),
        Ended::CannotStart { .. } => "not started".to_string(),
    }
}
