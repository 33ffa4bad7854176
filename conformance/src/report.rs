//! Reports: for people ([`human`], [`table`]) and for programs ([`json`], [`junit`]).
//!
//! Everything that comes from a bot is escaped, so that its output can never control the terminal. Colours appear only
//! if the [`Style`] asks for them.

mod human;
mod json;
mod junit;
mod reproduce;
mod stderr;

pub use cornerman_harness::style::Style;
pub(crate) use cornerman_harness::text::plain as shown;
pub use cornerman_harness::text::quoted;
pub use human::human;
pub use json::{BotObject, SCHEMA, json};
pub use junit::junit;
pub use stderr::cause;

use crate::bot_report::BotReport;
use crate::catalog::{Catalogue, Severity};
use crate::games::Suite;
use comfy_table::{ContentArrangement, Table, presets};
use cornerman_harness::style::wrapped;

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

/// The greatest width of a game's picture, in columns, on a terminal that is wide enough.
pub const PICTURE: usize = 75;

/// A table of `reports` with a row per bot and a column per group of checks, then for each failed check the bots that
/// failed it. The text ends with a line feed.
pub fn table(reports: &[BotReport], layout: &Layout) -> String {
    let Layout { style, strict, .. } = layout;
    let groups = groups(reports);
    let mut table = Table::new();
    table.load_style(presets::NOTHING);
    table.set_content_arrangement(ContentArrangement::Disabled);
    table.set_header(["bot", "verdict"].into_iter().chain(groups.iter().copied()));
    for report in reports {
        let cells = groups.iter().map(|group| cell(report, group));
        table.add_row([shown(&report.name), word(report, *strict).to_string()].into_iter().chain(cells));
    }
    let mut text: String = table.lines().map(|line| line.trim_end().to_string() + "\n").collect();
    let tally = tally(reports);
    if !tally.is_empty() {
        text.push('\n');
        text.push_str(&tally);
    }
    let unfit: Vec<String> =
        reports.iter().filter(|report| report.unfit.is_some()).map(|report| shown(&report.name)).collect();
    if !unfit.is_empty() {
        text.push_str(&format!("{:17} {:3}  {}\n", "not a bot", unfit.len(), unfit.join(", ")));
    }
    let fit = reports.iter().filter(|report| report.passes(*strict)).count();
    let what = if *strict { "all musts and shoulds" } else { "all musts" };
    text.push_str(&style.heading(&format!("{fit} of {} bots pass {what}", reports.len())));
    text + "\n"
}

/// The catalogues of all checked games, without duplicates.
fn catalogues(reports: &[BotReport]) -> impl Iterator<Item = &'static Catalogue> {
    let mut suites: Vec<&dyn Suite> = Vec::new();
    for suite in reports.iter().filter_map(|report| report.suite) {
        if !suites.contains(&suite) {
            suites.push(suite);
        }
    }
    suites.into_iter().map(|suite| suite.catalogue())
}

/// The groups of all their checks, in the order of the first of each.
fn groups(reports: &[BotReport]) -> Vec<&'static str> {
    let mut groups: Vec<&str> = Vec::new();
    for check in catalogues(reports).flat_map(|catalogue| &catalogue.checks) {
        if !groups.contains(&check.group.as_str()) {
            groups.push(&check.group);
        }
    }
    groups
}

fn word(report: &BotReport, strict: bool) -> &'static str {
    match () {
        () if report.kit_failure.is_some() => "ERROR",
        () if report.unfit.is_some() => "UNFIT",
        () if !report.passes(false) => "FAIL",
        () if !report.passes(strict) => "FAIL (strict)",
        () if report.failures(Severity::Should) > 0 => "warn",
        () => "ok",
    }
}

/// `2 fail 1 warn`, `ok`, or `-` where nothing was judged.
fn cell(report: &BotReport, group: &str) -> String {
    let results = || report.results.iter().filter(|result| result.check.group == group);
    let count = |severity| results().filter(|result| result.failure() == Some(severity)).count();
    let judged = results().any(|result| result.outcome.is_judged());
    match (count(Severity::Must), count(Severity::Should)) {
        (0, 0) if judged => "ok".to_string(),
        (0, 0) => "-".to_string(),
        (0, n) => format!("{n} warn"),
        (n, 0) => format!("{n} fail"),
        (n, m) => format!("{n} fail {m} warn"),
    }
}

fn tally(reports: &[BotReport]) -> String {
    let line = |id: &str| {
        let failing = |report: &&BotReport| {
            report.results.iter().any(|result| result.check.id == id && result.failure().is_some())
        };
        let names: Vec<String> = reports.iter().filter(failing).map(|report| shown(&report.name)).collect();
        (!names.is_empty()).then(|| format!("{id:17} {:3}  {}\n", names.len(), names.join(", ")))
    };
    catalogues(reports).flat_map(|catalogue| &catalogue.checks).filter_map(|check| line(&check.id)).collect()
}
