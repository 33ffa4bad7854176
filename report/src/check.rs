//! What `check` and `judge` report: for people ([`text`], [`table`]) and for programs ([`json()`], [`junit`]).
//!
//! Everything that comes from a bot is escaped, so that its output can never control the terminal.

mod json;
pub mod judge;
mod junit;
mod reproduce;
mod stderr;
mod text;

pub use json::{BotObject, SCHEMA, json};
pub use junit::junit;
pub use stderr::cause;
pub use text::text;

use crate::doc::{self, Cell, Column, Section, Table};
use crate::{Style, distinct, plain};
use cornerman_conformance::{BotReport, Catalogue, Check, Severity};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// How reports are written.
#[derive(Clone, Debug)]
pub struct Layout {
    /// Colours and width.
    pub style: Style,
    /// Whether a failed should fails the bot.
    pub strict: bool,
    /// Whether failed shoulds are shown with everything that is known, like failed musts, rather than in one line.
    pub is_whole: bool,
    /// The command that runs this program, such as `cornerman`, for the commands that are shown.
    pub program: String,
    /// The options that loading the bots needs, each with a blank before it, such as ` --with book.txt`.
    pub load_options: String,
    /// The other options of `check` that are needed to see a failure again.
    pub check_options: String,
}

impl Layout {
    /// The usual layout in this style.
    pub fn new(style: Style) -> Layout {
        let load_options = String::new();
        let check_options = String::new();
        let program = "cornerman".to_string();
        Layout { style, strict: false, is_whole: false, program, load_options, check_options }
    }
}

/// A table of `reports` with a row per bot and a column per group of checks, then for each failed check the bots that
/// failed it, which programs are not bots, and how many bots pass. The text ends with a line feed.
pub fn table(reports: &[BotReport], layout: &Layout) -> String {
    let Layout { style, strict, .. } = *layout;
    let groups = groups(reports);
    let columns = ["bot", "verdict"].iter().chain(&groups).map(Column::text);
    let rows = reports.iter().map(|report| {
        let mut row: Vec<Cell> = vec![report.name.as_str().into(), verdict(report, strict).into()];
        row.extend(groups.iter().map(|group| Cell::from(failures_in(report, group))));
        row
    });
    let section = Section::default().with(Table::new("", columns).rows(rows));
    let mut text = doc::text(&[section], &[], style);
    let tally = tally(reports);
    if !tally.is_empty() {
        text.push('\n');
        text.push_str(&tally);
    }
    let unfit = names(reports, |report| report.unfit.is_some());
    if !unfit.is_empty() {
        text.push_str(&tally_line("not a bot", &unfit));
    }
    let fit = reports.iter().filter(|report| report.passes(strict)).count();
    let what = if strict { "all musts and shoulds" } else { "all musts" };
    text.push_str(&style.heading(&format!("{fit} of {} bots pass {what}", reports.len())));
    text + "\n"
}

/// The catalogues of all checked games, without duplicates.
fn catalogues(reports: &[BotReport]) -> impl Iterator<Item = &'static Catalogue> {
    let suites = distinct(reports.iter().filter_map(|report| report.suite));
    suites.into_iter().map(|suite| suite.catalogue())
}

/// The groups of all their checks, in the order of the first of each.
fn groups(reports: &[BotReport]) -> Vec<&'static str> {
    distinct(catalogues(reports).flat_map(|catalogue| &catalogue.checks).map(|check| check.group.as_str()))
}

/// The verdict on a bot in a word.
fn verdict(report: &BotReport, strict: bool) -> &'static str {
    if report.kit_failure.is_some() {
        "ERROR"
    } else if report.unfit.is_some() {
        "UNFIT"
    } else if !report.passes(false) {
        "FAIL"
    } else if !report.passes(strict) {
        "FAIL (strict)"
    } else if report.failures(Severity::Should) > 0 {
        "warn"
    } else {
        "ok"
    }
}

/// How many checks of a group a bot fails: `2 fail 1 warn`, `ok`, or `-` if none was judged.
fn failures_in(report: &BotReport, group: &str) -> String {
    let results = || report.results.iter().filter(|result| result.check.group == group);
    let count = |severity| results().filter(|result| result.failure() == Some(severity)).count();
    let is_judged = results().any(|result| result.outcome.is_judged());
    match (count(Severity::Must), count(Severity::Should)) {
        (0, 0) if is_judged => "ok".to_string(),
        (0, 0) => "-".to_string(),
        (0, shoulds) => format!("{shoulds} warn"),
        (musts, 0) => format!("{musts} fail"),
        (musts, shoulds) => format!("{musts} fail {shoulds} warn"),
    }
}

/// A line for each check that a bot fails.
fn tally(reports: &[BotReport]) -> String {
    let mut text = String::new();
    for check in catalogues(reports).flat_map(|catalogue| &catalogue.checks) {
        let failing = names(reports, |report| {
            report.results.iter().any(|result| result.check.id == check.id && result.failure().is_some())
        });
        if !failing.is_empty() {
            text += &tally_line(&check.id, &failing);
        }
    }
    text
}

fn tally_line(what: &str, bots: &[String]) -> String {
    format!("{what:17} {:3}  {}\n", bots.len(), bots.join(", "))
}

/// The names of the bots whose reports `are_wanted`.
fn names(reports: &[BotReport], are_wanted: impl Fn(&BotReport) -> bool) -> Vec<String> {
    reports.iter().filter(|report| are_wanted(report)).map(|report| plain(&report.name)).collect()
}

/// A line for each check of `catalogue`: id, severity, requirement, title.
pub fn list(catalogue: &Catalogue) -> String {
    let line =
        |check: &Check| format!("{:17} {:6} {:6} {}\n", check.id, check.severity, check.requirement, check.title);
    catalogue.checks.iter().map(line).collect()
}

/// Explains a check: the rule, what is expected, and how to fix a bot that fails.
pub fn explain(check: &Check) -> String {
    let Check { id, severity, requirement, title, rule, expected, hint, hints, .. } = check;
    let own = hints.iter().map(|(language, hint)| format!("in {:9} {hint}\n", language.title()));
    format!(
        "{id}: {title}\n\nseverity     {severity}\nrequirement  {requirement}\nrule         {rule}\nexpected     \
         {expected}\nhint         {hint}\n{}",
        own.collect::<String>()
    )
}

/// The checks of `catalogue` for programs: what [`list`] shows.
pub fn list_json(catalogue: &Catalogue) -> Value {
    let one = |check: &Check| {
        let Check { id, severity, requirement, title, .. } = check;
        json!({ "id": id, "severity": severity.name(), "requirement": requirement, "title": title })
    };
    json!({ "schema": SCHEMA, "checks": catalogue.checks.iter().map(one).collect::<Vec<_>>() })
}

/// A check for programs: what [`explain`] shows.
pub fn explain_json(check: &Check) -> Value {
    let Check { id, severity, requirement, title, rule, expected, hint, hints, .. } = check;
    let hints: BTreeMap<&str, &String> = hints.iter().map(|(language, hint)| (language.title(), hint)).collect();
    json!({
        "schema": SCHEMA, "id": id, "severity": severity.name(), "requirement": requirement, "title": title,
        "rule": rule, "expected": expected, "hint": hint, "hints": hints,
    })
}
