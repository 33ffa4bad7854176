//! The report for people: one line if every check passes. For each failed check it says what went wrong, in which case,
//! and how to fix the bot.

use super::stderr::cause;
use super::{Layout, reproduce};
use crate::style::{Style, wrapped};
use crate::{count, plain};
use cornerman_conformance::{
    BotReport, Check, CheckResult, Emphasis, Finding, LeftOut, LeftOutReason, Outcome, PICTURE_COLUMNS,
    PictureLine, Severity,
};
use cornerman_harness::sandbox::{Ended, Environment, Input, Level, Output, RunRequest};
use cornerman_harness::text::{duration, escaped};
use std::collections::BTreeMap;

/// The column, from 0, where the text after a label begins.
const LABEL: usize = 16;

/// The column, from 0, where a picture begins on a terminal too narrow to put it at [`LABEL`].
const NARROW: usize = 4;

/// How many lines of a transcript are shown at most.
const TRANSCRIPT_LINES: usize = 14;

/// How many checks that were not judged are listed by id at most; more are only counted.
const MORE_BLOCKED: usize = 20;

/// How many further cases are named at most.
const MORE_NAMES: usize = 6;

/// The report about one bot as text that ends with a line feed. What the bot wrote is escaped, and text is wrapped at
/// the width of the style; the headline and the commands to copy are not. A failed should takes one line, unless it
/// fails the bot or the layout is whole.
pub fn text(report: &BotReport, layout: &Layout) -> String {
    let Layout { style, strict, is_whole, .. } = *layout;
    let mut lines = vec![headline(report, strict, style)];
    let mut brief = Vec::new();
    for result in &report.results {
        let (Some(severity), Outcome::Fail(findings)) = (result.failure(), &result.outcome) else { continue };
        if severity.fails(strict) || is_whole {
            lines.push(String::new());
            lines.extend(failure(report, result, severity, findings, layout));
        } else {
            brief.push(in_a_line(result, findings, style));
        }
    }
    let mut notes = notes(report);
    if !brief.is_empty() {
        lines.push(String::new());
        lines.append(&mut brief);
        notes.push("`--verbose` shows failed shoulds in full, and `--run ID` one of them".to_string());
    }
    if notes.len() + lines.len() > 2 {
        lines.push(String::new());
    }
    for note in notes {
        labelled(&mut lines, "note", &note, style);
    }
    lines.join("\n") + "\n"
}

/// A failed should.
fn in_a_line(result: &CheckResult, findings: &[Finding], style: Style) -> String {
    let id = &result.check.id;
    let first = &findings[0];
    let more = if findings.len() > 1 { format!(" and {} more", findings.len() - 1) } else { String::new() };
    let text = format!("{} ({}{more})", first.cause.what, first.evidence.case);
    let text = shortened(&text, style.width.saturating_sub(id.len() + 10).max(40));
    format!("{}  should  {text}", style.warning(id))
}

fn headline(report: &BotReport, strict: bool, style: Style) -> String {
    let name = style.heading(&plain(&report.name));
    if let Some(why) = &report.kit_failure {
        return format!("{} {name}: not checked because of an internal error: {}", style.bad("ERROR"), plain(why));
    }
    if let Some(why) = &report.unfit {
        let why: Vec<String> = why.lines().map(plain).collect();
        return format!("{} {name}: cannot play: {}", style.bad("FAIL "), why.join("\n      "));
    }
    let musts = report.failures(Severity::Must);
    let shoulds = report.failures(Severity::Should);
    let checks = report.results.iter().filter(|result| result.outcome != Outcome::Skipped).count();
    let judged = report.judged();
    let open = report.results.iter().filter(|result| report.is_open(result)).count();
    let (word, verdict) = match (musts, shoulds) {
        (0, n @ 1..) if strict => {
            (style.bad("FAIL (strict)"), format!("{n} of {checks} checks {}, as `should` counts", fail(n)))
        }
        (0, n) if open > 0 => {
            let warn = if n == 0 { String::new() } else { format!(", {n} warn") };
            (style.bad("FAIL "), format!("{open} of {checks} checks could not be judged{warn}"))
        }
        (0, 0) if judged < checks => (style.good("ok   "), format!("{judged} of {checks} checks pass")),
        (0, 0) if checks == 1 => (style.good("ok   "), "the one check passes".to_string()),
        (0, 0) => (style.good("ok   "), format!("all {checks} checks pass")),
        (0, n) => (style.warning("warn "), format!("passes every must, fails {}", count(n, "should"))),
        (n, 0) => (style.bad("FAIL "), format!("{n} of {checks} checks {}", fail(n))),
        (n, m) => (style.bad("FAIL "), format!("{n} of {checks} checks {}, {m} warn", fail(n))),
    };
    let unjudged = match checks - judged {
        0 => String::new(),
        _ if verdict.contains("could not be judged") => String::new(),
        n => format!(", {n} not judged"),
    };
    format!("{word} {name}: {verdict}{unjudged} ({})", facts(report).join("; "))
}

fn fail(n: usize) -> &'static str {
    if n == 1 { "fails" } else { "fail" }
}

/// The number of runs, times, the seed, and the isolation unless it is the best.
fn facts(report: &BotReport) -> Vec<String> {
    let timing = &report.timing;
    let mut facts = match report.left_out {
        None => vec![count(timing.runs, "run")],
        Some(LeftOut { planned, why }) => {
            let runs = if planned > timing.runs { format!(" of {planned}") } else { String::new() };
            let more = match why {
                LeftOutReason::Budget => "`--full` runs all",
                LeftOutReason::Fast => "stopped at the first failed must",
            };
            vec![format!("{}{runs} runs", timing.runs), more.to_string()]
        }
    };
    if report.is_cached {
        facts.push("cached verdict".to_string());
    }
    if let Some((case, wall)) = &timing.slowest {
        facts.push(format!("slowest move {} ({case})", duration(*wall)));
    }
    if let Some(longest) = timing.early.iter().map(|(_, wall)| *wall).max() {
        facts.push(format!("slowest early move {}", duration(longest)));
    }
    if let Some(isolation) = report.isolation.as_ref().filter(|isolation| isolation.level < Level::Namespaced) {
        facts.push(format!("isolation {}", isolation.level));
    }
    facts.push(format!("seed {}", report.seed));
    facts
}

/// Remarks, and which checks were not judged and why.
fn notes(report: &BotReport) -> Vec<String> {
    let mut notes = report.remarks.clone();
    // What was left out comes first.
    let mut unjudged: BTreeMap<(bool, String), Vec<&str>> = BTreeMap::new();
    for result in &report.results {
        let why = match &result.outcome {
            Outcome::Blocked { by } => (true, format!("{by} failed")),
            Outcome::LeftOut(why) => (false, why.in_words().to_string()),
            _ => continue,
        };
        unjudged.entry(why).or_default().push(&result.check.id);
    }
    for ((_, why), ids) in unjudged {
        notes.push(match ids.len() {
            ..=MORE_BLOCKED => format!("not judged because {why}: {}", ids.join(", ")),
            n => format!("{n} other checks were not judged because {why}"),
        });
    }
    if let Some(isolation) = report.isolation.as_ref().filter(|isolation| isolation.level < Level::Restricted) {
        let refused = isolation.refused.iter().map(|r| format!("{} was refused: {}", r.step, r.why));
        let why: String = refused.map(|refused| format!("; {refused}")).collect();
        notes.push(format!("the bot was barely isolated{why}"));
    }
    notes
}

fn failure(
    report: &BotReport,
    result: &CheckResult,
    severity: Severity,
    findings: &[Finding],
    layout: &Layout,
) -> Vec<String> {
    let style = layout.style;
    let Check { id, requirement, title, rule, expected, .. } = result.check;
    let first = &findings[0];
    let name = if severity == Severity::Must { style.bad(id) } else { style.warning(id) };
    let kind = if severity != Severity::Must && layout.strict { "should (strict)" } else { severity.name() };
    let mut lines = vec![format!("{name}  {kind}  {requirement}  {}", style.heading(title))];
    labelled(&mut lines, "problem", &problem(report, result.check, first), style);
    labelled(&mut lines, "case", &case(first), style);
    let indent = if style.width < LABEL + PICTURE_COLUMNS { NARROW } else { LABEL };
    let columns = style.width.saturating_sub(indent);
    lines.extend(picture(report, first, columns, style).into_iter().map(|line| format!("{:indent$}{line}", "")));
    labelled(&mut lines, "rule", rule, style);
    labelled(&mut lines, "expected", first.cause.expected.as_deref().unwrap_or(expected), style);
    labelled(&mut lines, "hint", &result.hint(report.language).unwrap_or_default(), style);
    errors(&mut lines, first, style);
    raw(&mut lines, "reproduce", &reproduce::check_line(report, id, layout), style);
    if let Some(line) = reproduce::bot_line(report, result, &first.evidence, layout) {
        raw(&mut lines, "unconfined", &line, style);
    }
    if let Some(files) = &result.files {
        let folder = plain(files.folder.display());
        raw(&mut lines, "files", &format!("{folder}: {}", files.names.join(", ")), style);
    }
    more(&mut lines, findings, style);
    lines
}

/// The relevant part of what the bot wrote: the start and the end of a dialogue, and the game's own picture.
fn picture(report: &BotReport, finding: &Finding, columns: usize, style: Style) -> Vec<String> {
    let mut lines = Vec::new();
    if let Some(transcript) = &finding.evidence.transcript {
        lines = transcript.cut(TRANSCRIPT_LINES);
    }
    if let Some(suite) = report.suite {
        let picture = suite.picture(finding, columns);
        lines.extend(picture.into_iter().map(|line| painted(line, style)));
    }
    lines
}

fn painted(line: PictureLine, style: Style) -> String {
    let text = match line.emphasis {
        Emphasis::None => line.text,
        Emphasis::Secondary => style.faint(&line.text),
        Emphasis::Wrong => style.bad(&line.text),
    };
    line.margin + &text
}

fn labelled(lines: &mut Vec<String>, label: &str, text: &str, style: Style) {
    let width = style.width.max(LABEL + 26) - LABEL;
    for (at, line) in wrapped(text, width).into_iter().enumerate() {
        raw(lines, if at == 0 { label } else { "" }, &line, style);
    }
}

/// A line that is never wrapped, because readers copy it.
fn raw(lines: &mut Vec<String>, label: &str, text: &str, style: Style) {
    let blanks = LABEL - 2 - label.len();
    lines.push(format!("  {}{:blanks$}{text}", style.faint(label), ""));
}

/// The case of the finding, and its conditions.
fn case(finding: &Finding) -> String {
    let request = &finding.evidence.request;
    let mark =
        request.args.first().filter(|_| request.state_file.is_some() || finding.evidence.transcript.is_none());
    let mark = mark.map_or(String::new(), |mark| {
        let mark = escaped(mark.as_encoded_bytes());
        if mark.len() > 8 { String::new() } else { format!(", mark `{mark}`") }
    });
    let conditions = conditions(request, finding);
    format!("{}: {}{mark}{conditions}", finding.evidence.case, finding.evidence.about)
}

fn conditions(request: &RunRequest, finding: &Finding) -> String {
    let mut words = Vec::new();
    match request.input {
        _ if finding.evidence.transcript.is_some() => {}
        Input::Whole(_) => {}
        Input::Dribbled(_) => words.push("input byte by byte".to_string()),
        Input::LeftOpen(_) => words.push("input left open".to_string()),
    }
    match request.output {
        Output::Pipe => {}
        Output::File => words.push("output to a file".to_string()),
        Output::Broken => words.push("output closed".to_string()),
    }
    if let Some(cwd) = &request.cwd {
        words.push(format!("working directory {}", cwd.display()));
    }
    match request.environment {
        Environment::Usual => {}
        Environment::Minimal => words.push("no environment except PATH".to_string()),
        Environment::Varied => {
            words.push("other variables, another process number, another number of processors".to_string());
        }
    }
    if finding.evidence.state.is_some() && !finding.evidence.about.contains("state file") {
        words.push("with its state file".to_string());
    }
    words.iter().map(|word| format!("; {word}")).collect()
}

/// What the bot did. Under special conditions, the check that this would fail in plain conditions is named as well.
fn problem(report: &BotReport, check: &Check, finding: &Finding) -> String {
    let status = match finding.evidence.report.ended {
        Ended::TooMuchOutput => "; it was stopped because it did not stop writing",
        _ => "",
    };
    let rule = match report.check(finding.cause.check) {
        Some(plain) if plain.id != check.id => format!(" (see {})", plain.id),
        _ => String::new(),
    };
    format!("{}{status}{rule}", finding.cause.what)
}

/// Adds the lines of standard error that show the cause.
fn errors(lines: &mut Vec<String>, finding: &Finding, style: Style) {
    let room = style.width.max(LABEL + 26) - LABEL;
    for (at, line) in cause(&finding.evidence.report.stderr, room).iter().enumerate() {
        raw(lines, if at == 0 { "its stderr" } else { "" }, line, style);
    }
}

/// `line`, cut to `room` characters if it is longer.
fn shortened(line: &str, room: usize) -> String {
    match line.chars().count() {
        n if n <= room => line.to_string(),
        _ => line.chars().take(room - 1).chain(['…']).collect(),
    }
}

fn more(lines: &mut Vec<String>, findings: &[Finding], style: Style) {
    let others = &findings[1..];
    if others.is_empty() {
        return;
    }
    let mut names: Vec<&str> = Vec::new();
    for finding in others {
        if !names.contains(&finding.evidence.case.as_str()) {
            names.push(&finding.evidence.case);
        }
    }
    let dots = names.len() > MORE_NAMES;
    names.truncate(MORE_NAMES);
    let text =
        format!("{}: {}{}", count(others.len(), "more case"), names.join(", "), if dots { ", …" } else { "" });
    labelled(lines, "also", &text, style);
}
