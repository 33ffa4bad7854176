//! JUnit XML: a test suite per bot and a test case per check. A check that the bot fails is a `failure`. An `error` is
//! always an internal error of Cornerman, never the bot's.

use super::{Style, human, shown};
use crate::bot_report::BotReport;
use crate::catalog::Severity;
use crate::finding::{CheckResult, Outcome};
use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};

/// The reports as one JUnit XML document. A failed should is a failure only if `strict`.
pub fn junit(reports: &[BotReport], strict: bool) -> String {
    let mut all = Report::new("cornerman check");
    all.add_test_suites(reports.iter().map(|report| suite(report, strict)));
    all.to_string().expect("XML is written into memory")
}

fn suite(report: &BotReport, strict: bool) -> TestSuite {
    let mut suite = TestSuite::new(shown(&report.name));
    suite.set_time(report.took);
    suite.add_property(("seed", report.seed.to_string().as_str()));
    if let Some(toolchain) = &report.toolchain {
        suite.add_property(("toolchain", shown(toolchain).as_str()));
    }
    if let Some(isolation) = &report.isolation {
        suite.add_property(("isolation", isolation.level.name()));
    }
    if let Some(why) = &report.kit_failure {
        let mut status = TestCaseStatus::non_success(NonSuccessKind::Error);
        status.set_message(shown(why)).set_type("kit");
        suite.add_test_case(TestCase::new("kit", status));
    }
    if let Some(why) = &report.unfit {
        let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
        status.set_message(shown(why.lines().next().unwrap_or_default())).set_type("intake");
        status.set_description(why.lines().map(shown).collect::<Vec<_>>().join("\n"));
        suite.add_test_case(TestCase::new("intake", status));
    }
    let listed = report.results.iter().filter(|result| result.outcome != Outcome::Skipped);
    suite.add_test_cases(listed.map(|result| case(report, result, strict)));
    suite
}

fn case(report: &BotReport, result: &CheckResult, strict: bool) -> TestCase {
    let check = result.check;
    let mut case = TestCase::new(check.id.as_str(), status(report, result, strict));
    case.set_classname(shown(&report.name));
    case.add_property(("severity", check.severity.name()));
    case.add_property(("requirement", check.requirement.as_str()));
    match (&result.outcome, result.failure()) {
        (Outcome::Note(note), _) => _ = case.set_system_out(shown(note)),
        // A test case that passes has no message, so a warning is put into its output.
        (Outcome::Fail(findings), Some(Severity::Should)) if !strict => {
            case.set_system_out(format!("warning: {}", findings[0].what));
        }
        _ => {}
    }
    case
}

fn status(report: &BotReport, result: &CheckResult, strict: bool) -> TestCaseStatus {
    match (&result.outcome, result.failure()) {
        (Outcome::Fail(findings), Some(severity)) if severity.fails(strict) => {
            let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
            status.set_message(findings[0].what.as_str()).set_type(severity.name());
            let alone = BotReport { results: vec![result.clone()], remarks: Vec::new(), ..report.clone() };
            let text = human(&alone, &Style::plain());
            // Without the headline: its counts are about this one check only.
            status.set_description(text.split_once("\n\n").map_or("", |(_, details)| details).trim_end());
            status
        }
        (Outcome::Blocked { by }, _) => {
            let mut status = TestCaseStatus::skipped();
            status.set_message(format!("not judged because {by} failed"));
            status
        }
        (Outcome::LeftOut(why), _) => {
            let mut status = TestCaseStatus::skipped();
            status.set_message(format!("not judged because {}", why.in_words()));
            status
        }
        _ => TestCaseStatus::success(),
    }
}
