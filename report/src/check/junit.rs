//! JUnit XML: a test suite per bot and a test case per check. A check that makes the bot unfit is a `failure`: it
//! failed, or it was not judged and leaves open whether the bot is fit. An `error` is always an internal error of
//! Cornerman, never the bot's.

use super::Layout;
use crate::{Style, plain};
use cornerman_conformance::{BotReport, CheckResult, Outcome, Severity};
use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};

/// The reports as one JUnit XML document. A failed should is a failure only if `layout.strict`.
pub fn junit(reports: &[BotReport], layout: &Layout) -> String {
    let layout = &Layout { style: Style::plain(), is_whole: true, ..layout.clone() };
    let mut all = Report::new("cornerman check");
    all.add_test_suites(reports.iter().map(|report| suite(report, layout)));
    all.to_string().expect("XML is written into memory")
}

fn suite(report: &BotReport, layout: &Layout) -> TestSuite {
    let mut suite = TestSuite::new(plain(&report.name));
    suite.set_time(report.took);
    suite.add_property(("seed", report.seed.to_string().as_str()));
    if let Some(toolchain) = &report.toolchain {
        suite.add_property(("toolchain", plain(toolchain).as_str()));
    }
    if let Some(isolation) = &report.isolation {
        suite.add_property(("isolation", isolation.level.name()));
    }
    for remark in &report.remarks {
        suite.add_property(("remark", plain(remark).as_str()));
    }
    if let Some(why) = &report.kit_failure {
        let mut status = TestCaseStatus::non_success(NonSuccessKind::Error);
        status.set_message(plain(why)).set_type("kit");
        suite.add_test_case(TestCase::new("kit", status));
    }
    if let Some(why) = &report.unfit {
        let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
        status.set_message(plain(why.lines().next().unwrap_or_default())).set_type("intake");
        status.set_description(why.lines().map(plain).collect::<Vec<_>>().join("\n"));
        suite.add_test_case(TestCase::new("intake", status));
    }
    let listed = report.results.iter().filter(|result| result.outcome != Outcome::Skipped);
    suite.add_test_cases(listed.map(|result| case(report, result, layout)));
    suite
}

fn case(report: &BotReport, result: &CheckResult, layout: &Layout) -> TestCase {
    let check = result.check;
    let mut case = TestCase::new(check.id.as_str(), status(report, result, layout));
    case.set_classname(plain(&report.name)).set_time(result.took);
    // Services show a failure beside its file and line. No answer of a bot shows which of its lines is at fault.
    case.extra.insert("file".into(), plain(&report.spec).into());
    case.extra.insert("line".into(), "1".into());
    case.add_property(("severity", check.severity.name()));
    case.add_property(("requirement", check.requirement.as_str()));
    match &result.outcome {
        Outcome::Note(note) => _ = case.set_system_out(plain(note)),
        // A test case that passes has no message, so a warning is put into its output.
        Outcome::Fail(findings) if !layout.strict && result.failure() == Some(Severity::Should) => {
            case.set_system_out(format!("warning: {}", findings[0].cause.what));
        }
        _ => {}
    }
    case
}

/// The status of a check: a failure only if it makes the bot unfit.
fn status(report: &BotReport, result: &CheckResult, layout: &Layout) -> TestCaseStatus {
    let unjudged = |why: &str| {
        let mut status = if report.is_open(result) {
            TestCaseStatus::non_success(NonSuccessKind::Failure)
        } else {
            TestCaseStatus::skipped()
        };
        status.set_message(format!("not judged because {why}"));
        status
    };
    match (&result.outcome, result.failure()) {
        (Outcome::Fail(findings), Some(severity)) if severity.fails(layout.strict) => {
            let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
            let kind = if severity == Severity::Must { "must" } else { "should (strict)" };
            status.set_message(findings[0].cause.what.as_str()).set_type(kind);
            let alone = BotReport { results: vec![result.clone()], remarks: Vec::new(), ..report.clone() };
            let text = super::text(&alone, layout);
            // Without the headline: its counts are about this one check only.
            status.set_description(text.split_once("\n\n").map_or("", |(_, details)| details).trim_end());
            status
        }
        (Outcome::Blocked { by }, _) => unjudged(&format!("{by} failed")),
        (Outcome::LeftOut(why), _) => unjudged(why.in_words()),
        _ => TestCaseStatus::success(),
    }
}
