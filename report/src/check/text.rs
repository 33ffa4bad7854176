//! The report for people: one line if every check passes and there is nothing to note. For each failed check it says
//! what went wrong, in which case, and how to fix the bot; a failed should may take only a line.

use super::stderr::cause;
use super::{Layout, reproduce};
use crate::style::{Style, wrapped};
use crate::{count, distinct, plain};
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

/// How many checks that were not judged for the same reason are listed by id. If there are more, they are only counted.
const MORE_BLOCKED: usize = 20;

/// How many further cases are named at most.
const MORE_NAMES: usize = 6;

/// The report about one bot as text that ends with a line feed. What the bot wrote is escaped, and text is wrapped at
/// the width of the style; the headline and the commands to copy are not. A failed should takes one line, unless it
/// fails the bot or the layout is whole.
pub fn text(report: &BotReport, layout: &Layout) -> String {
    let Layout { style, strict, is_whole, .. } = *layout;
    let mut text = LabelledLines { lines: vec![headline(report, strict, style)], style };
    let mut brief = Vec::new();
    for result in &report.results {
        let (Some(severity), Outcome::Fail(findings)) = (result.failure(), &result.outcome) else { continue };
        if severity.fails(strict) || is_whole {
            text.lines.push(String::new());
            add_failure(&mut text, report, result, severity, findings, layout);
        } else {
            brief.push(brief_failure(result, findings, style));
        }
    }
    let mut notes = notes(report);
    if !brief.is_empty() {
        text.lines.push(String::new());
        text.lines.append(&mut brief);
        notes.push("`--verbose` shows failed shoulds in full, and `--run ID` one of them".to_string());
    }
    // A single note stands directly below a headline without failures.
    if notes.len() + text.lines.len() > 2 {
        text.lines.push(String::new());
    }
    for note in notes {
        text.add("note", &note);
    }
    text.lines.join("\n") + "\n"
}

/// A report whose details have labels, in a column of their own.
struct LabelledLines {
    lines: Vec<String>,
    style: Style,
}

impl LabelledLines {
    /// The columns to the right of the labels, at least 26.
    fn columns(&self) -> usize {
        self.style.width.max(LABEL + 26) - LABEL
    }

    /// Adds `text`, wrapped, with `label` before its first line.
    fn add(&mut self, label: &str, text: &str) {
        self.add_lines(label, wrapped(text, self.columns()));
    }

    /// Adds lines that are not wrapped, with `label` before the first.
    fn add_lines(&mut self, label: &str, lines: impl IntoIterator<Item = String>) {
        for (at, line) in lines.into_iter().enumerate() {
            let label = if at == 0 { label } else { "" };
            let blanks = LABEL - 2 - label.len();
            self.lines.push(format!("  {}{:blanks$}{line}", self.style.faint(label), ""));
        }
    }
}

/// A failed should in one line.
fn brief_failure(result: &CheckResult, findings: &[Finding], style: Style) -> String {
    let id = &result.check.id;
    let first = &findings[0];
    let more = if findings.len() > 1 { format!(" and {} more", findings.len() - 1) } else { String::new() };
    let problem = format!("{} ({}{more})", first.cause.what, first.evidence.case);
    let text = shortened(&problem, style.width.saturating_sub(id.len() + "  should  ".len()).max(40));
    format!("{}  should  {text}", style.warning(id))
}

/// The verdict on the bot with the figures of the check. If it could not be checked or cannot play, the reason instead.
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
    let failing =
        |failed: usize| format!("{failed} of {checks} checks {}", if failed == 1 { "fails" } else { "fail" });
    let warnings = if shoulds == 0 { String::new() } else { format!(", {shoulds} warn") };
    let unjudged = if judged == checks { String::new() } else { format!(", {} not judged", checks - judged) };
    let (word, verdict) = if musts > 0 {
        (style.bad("FAIL "), failing(musts) + &warnings + &unjudged)
    } else if strict && shoulds > 0 {
        (style.bad("FAIL (strict)"), format!("{}, as `should` counts{unjudged}", failing(shoulds)))
    } else if open > 0 {
        (style.bad("FAIL "), format!("{open} of {checks} checks could not be judged{warnings}"))
    } else if shoulds > 0 {
        let mut musts = report.results.iter().filter(|result| result.check.severity == Severity::Must);
        let all_judged = musts.all(|result| result.outcome.is_judged() || result.outcome == Outcome::Skipped);
        let musts = if all_judged { "passes every must" } else { "fails no must that was judged" };
        (style.warning("warn "), format!("{musts}, fails {}{unjudged}", count(shoulds, "should")))
    } else if judged < checks {
        (style.good("ok   "), format!("{judged} of {checks} checks pass{unjudged}"))
    } else if checks == 1 {
        (style.good("ok   "), "the one check passes".to_string())
    } else {
        (style.good("ok   "), format!("all {checks} checks pass"))
    };
    format!("{word} {name}: {verdict} ({})", facts(report).join("; "))
}

/// The number of runs, whether the verdict is cached, times, the isolation unless it is the best, and the seed.
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

/// Remarks, which checks were not judged and why, and whether the bot was barely isolated.
fn notes(report: &BotReport) -> Vec<String> {
    let mut notes = report.remarks.clone();
    // What was left out comes first, then what was blocked: `false` is less than `true`.
    let mut unjudged: BTreeMap<(bool, String), Vec<&str>> = BTreeMap::new();
    for result in &report.results {
        let why = match &result.outcome {
            Outcome::LeftOut(why) => (false, why.in_words().to_string()),
            Outcome::Blocked { by } => (true, format!("{by} failed")),
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

/// Adds what is known of a failed check.
fn add_failure(
    text: &mut LabelledLines,
    report: &BotReport,
    result: &CheckResult,
    severity: Severity,
    findings: &[Finding],
    layout: &Layout,
) {
    let style = layout.style;
    let Check { id, requirement, title, rule, expected, .. } = result.check;
    let first = &findings[0];
    let name = if severity == Severity::Must { style.bad(id) } else { style.warning(id) };
    let kind = if severity != Severity::Must && layout.strict { "should (strict)" } else { severity.name() };
    text.lines.push(format!("{name}  {kind}  {requirement}  {}", style.heading(title)));
    text.add("problem", &problem(report, result.check, first));
    text.add("case", &case(first));
    let indent = if style.width < LABEL + PICTURE_COLUMNS { NARROW } else { LABEL };
    let columns = style.width.saturating_sub(indent);
    let picture = picture(report, first, columns, style);
    text.lines.extend(picture.into_iter().map(|line| format!("{:indent$}{line}", "")));
    text.add("rule", rule);
    text.add("expected", first.cause.expected.as_deref().unwrap_or(expected));
    text.add("hint", &result.hint(report.language).unwrap_or_default());
    text.add_lines("its stderr", cause(&first.evidence.report.stderr, text.columns()));
    text.add_lines("reproduce", [reproduce::check_line(report, id, layout)]);
    text.add_lines("unconfined", reproduce::bot_line(report, result, &first.evidence, layout));
    if let Some(files) = &result.files {
        let folder = plain(files.folder.display());
        text.add_lines("files", [format!("{folder}: {}", files.names.join(", "))]);
    }
    if findings.len() > 1 {
        text.add("also", &other_cases(&findings[1..]));
    }
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

/// The case of the finding, the bot's mark, and what was unusual about the run.
fn case(finding: &Finding) -> String {
    let request = &finding.evidence.request;
    // In games with one process for each move, the first argument is the mark.
    let is_mark = request.state_file.is_some() || finding.evidence.transcript.is_none();
    let mark = request.args.first().filter(|_| is_mark).map(|mark| escaped(mark.as_encoded_bytes()));
    // A longer argument is not a mark.
    let mark = mark.filter(|mark| mark.len() <= 8).map_or(String::new(), |mark| format!(", mark `{mark}`"));
    let conditions = special_conditions(request, finding);
    format!("{}: {}{mark}{conditions}", finding.evidence.case, finding.evidence.about)
}

/// What was unusual about the run, each part after a semicolon; empty if nothing was.
fn special_conditions(request: &RunRequest, finding: &Finding) -> String {
    let mut words = Vec::new();
    match request.input {
        Input::Dribbled(_) if finding.evidence.transcript.is_none() => {
            words.push("input byte by byte".to_string());
        }
        Input::LeftOpen(_) if finding.evidence.transcript.is_none() => words.push("input left open".to_string()),
        _ => {}
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
    let stopped = match finding.evidence.report.ended {
        Ended::TooMuchOutput => "; it was stopped because it did not stop writing",
        _ => "",
    };
    let plain_check = match report.check(finding.cause.check) {
        Some(plain) if plain.id != check.id => format!(" (see {})", plain.id),
        _ => String::new(),
    };
    format!("{}{stopped}{plain_check}", finding.cause.what)
}

/// `line`, cut to at most `most` characters.
fn shortened(line: &str, most: usize) -> String {
    if line.chars().count() <= most {
        return line.to_string();
    }
    line.chars().take(most - 1).chain(['…']).collect()
}

/// The number of the other cases that fail, and the names of some.
fn other_cases(findings: &[Finding]) -> String {
    let mut names = distinct(findings.iter().map(|finding| finding.evidence.case.as_str()));
    let dots = if names.len() > MORE_NAMES { ", …" } else { "" };
    names.truncate(MORE_NAMES);
    format!("{}: {}{dots}", count(findings.len(), "more case"), names.join(", "))
}
