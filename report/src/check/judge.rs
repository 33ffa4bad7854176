//! The report about a judge, as text and as JSON.

use crate::{Style, count, plain};
use cornerman_conformance::judges::{JudgeReport, catalogue};
use cornerman_conformance::lines::Transcript;
use cornerman_conformance::{Check, Finding, Severity};
use cornerman_harness::text::{grouped, plural};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// The version of the JSON.
const SCHEMA: u32 = 1;

/// The most characters of a question, an answer or another detail that are shown.
const SHOWN: usize = 400;

/// The report as lines for people.
pub fn text(report: &JudgeReport, style: Style) -> String {
    let mut text = String::new();
    let game = report.game.as_deref().map_or(String::new(), |game| format!(", the judge of {game}"));
    let judge = plain(&report.judge);
    let failed = |severity| report.findings.iter().filter(|finding| check(finding).severity == severity).count();
    let musts = failed(Severity::Must);
    let shoulds = failed(Severity::Should);
    let verdict = match (musts, shoulds) {
        (0, 0) if report.remarks.is_empty() => style.good("passes"),
        (0, 0) => style.good("passes as far as it was judged"),
        (0, shoulds) => style.good(&format!("passes, with {}", count(shoulds, "warning"))),
        (musts, _) => style.bad(&format!("fails {}", count(musts, "check"))),
    };
    text += &format!("{judge}{}: {verdict}\n", plain(game));
    for finding in &report.findings {
        text += &finding_text(finding, style);
    }
    if !report.unjudged.is_empty() {
        text += "\n";
        let mut reasons: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for (check, why) in &report.unjudged {
            reasons.entry(why).or_default().push(&check.id);
        }
        for (reason, ids) in reasons {
            text += &format!("not judged, because {}: {}\n", plain(reason), ids.join(", "));
        }
    }
    for remark in &report.remarks {
        text += &format!("{}\n", plain(remark));
    }
    if !report.bots.is_empty() {
        text += "\nIts bots in its games; does the better one win?\n";
    }
    for tally in &report.bots {
        text += &format!("  {}\n", plain(tally));
    }
    let games = count(report.games, "game");
    let questions = plural(report.questions, "question");
    text += &format!("\n{} {questions} in {games}", grouped(report.questions));
    if let Some(speed) = report.per_second {
        text += &format!("; it answers {} a second, one at a time", grouped(speed));
    }
    text + "\n"
}

/// The check that the judge fails.
fn check(finding: &Finding) -> &'static Check {
    catalogue().get(finding.check()).expect("a finding's check is in the catalogue")
}

/// The question that the finding is about, the answer, and the end of the judge's standard error; each empty if there
/// is none.
fn asked_and_answered(finding: &Finding) -> [String; 3] {
    let transcript = finding.evidence.transcript.as_ref();
    let question = transcript.map(Transcript::sent).unwrap_or_default();
    let answer = transcript.map(Transcript::received).unwrap_or_default();
    [&question, &answer, &finding.evidence.report.stderr].map(|text| String::from_utf8_lossy(text).into_owned())
}

fn finding_text(finding: &Finding, style: Style) -> String {
    let check = check(finding);
    let [question, answer, errors] = asked_and_answered(finding);
    let id = match check.severity {
        Severity::Must => style.bad(&check.id),
        _ => style.heading(&check.id),
    };
    let mut text = format!("\n{id} ({}): {}\n", check.severity, check.title);
    let mut line = |title: &str, words: &str| {
        if !words.is_empty() {
            text.push_str(&format!("  {title:9} {}\n", plain(shortened(words))));
        }
    };
    line("found", &finding.cause.what);
    line("where", &finding.evidence.case);
    line("asked", &question);
    line("answered", &answer);
    line("expected", &check.expected);
    for error in errors.lines() {
        line("stderr", error);
    }
    line("hint", &check.hint);
    text
}

/// The first [`SHOWN`] characters of `text`, with the number of its bytes if it has more.
fn shortened(text: &str) -> String {
    let mut shown: String = text.chars().take(SHOWN).collect();
    if shown.len() < text.len() {
        shown += &format!("… ({} bytes)", text.len());
    }
    shown
}

/// The report as JSON.
pub fn json(report: &JudgeReport) -> Value {
    let verdict = |id: &str| {
        let finding = report.findings.iter().find(|finding| finding.check() == id);
        let unjudged = report.unjudged.iter().find(|(check, _)| check.id == id);
        match (finding, unjudged) {
            (Some(finding), _) => {
                let [question, answer, errors] = asked_and_answered(finding);
                json!({
                    "outcome": "failed", "what": finding.cause.what, "where": finding.evidence.case,
                    "question": question, "answer": answer, "stderr": errors,
                })
            }
            (None, Some((_, why))) => json!({ "outcome": "not judged", "why": why }),
            (None, None) => json!({ "outcome": "passed" }),
        }
    };
    let checks = catalogue().checks.iter().map(|check| {
        let mut one = json!({ "id": check.id, "severity": check.severity.name(), "title": check.title });
        if let (Value::Object(one), Value::Object(more)) = (&mut one, verdict(&check.id)) {
            one.extend(more);
        }
        one
    });
    let bots = report.bots.iter().map(|tally| {
        json!({
            "bot": tally.bot, "against": tally.against, "games": tally.games, "won": tally.won, "tied": tally.tied,
            "forfeited": tally.forfeited,
        })
    });
    json!({
        "schema": SCHEMA,
        "judge": report.judge,
        "game": report.game,
        "passed": !report.fails(false),
        "checks": checks.collect::<Vec<_>>(),
        "questions": report.questions,
        "games": report.games,
        "questions_per_second": report.per_second,
        "bots": bots.collect::<Vec<_>>(),
        "remarks": report.remarks,
    })
}
