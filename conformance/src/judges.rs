//! The checks of judges: programs that know the rules of a game (`docs/judge.md`).
//!
//! A judge is asked the questions of whole games and, at their positions, questions that games seldom have: about
//! forfeits, nonsense, notation, and with an unknown field. What it does wrong is a [`JudgeFinding`]. Where one fault
//! fails several checks, only the most specific is reported.

mod engine;
mod session;

use crate::catalog::{Catalogue, Check, Severity};
use cornerman_harness::bot::Bot;
use cornerman_harness::judge::JudgeFault;
use cornerman_harness::judge::program::LoadError;
use cornerman_harness::judge::{ReadError, read_judged};
use cornerman_harness::kit::SourceFile;
use cornerman_harness::ruleset::Ruleset;
use cornerman_harness::sandbox::Conditions;
use cornerman_harness::style::Style;
use cornerman_harness::text::{count, grouped, plain};
use cornerman_harness::toml_file::FileError;
use serde_json::{Value, json as value};
use std::path::Path;
use std::sync::LazyLock;
use std::time::Duration;

/// The checks of judges.
pub fn catalogue() -> &'static Catalogue {
    static CATALOGUE: LazyLock<Catalogue> =
        LazyLock::new(|| Catalogue::read("judge", include_str!("../catalog/judges.toml"), "check = []"));
    &CATALOGUE
}

/// How a judge is checked.
pub struct JudgeRequest<'a> {
    /// The ruleset that names it.
    pub ruleset: &'a Ruleset,
    /// Bots of its game, which play it if it does not list legal moves.
    pub bots: &'a [Bot],
    /// The isolation of its processes.
    pub conditions: Conditions,
    /// About how long the check may take.
    pub budget: Duration,
    /// The seed of random moves.
    pub seed: u64,
}

/// Something that a judge does wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JudgeFinding {
    /// The check that it fails.
    pub check: &'static Check,
    /// What it did.
    pub what: String,
    /// Where in a game, in words.
    pub place: String,
    /// The question; empty if the finding is not about a question.
    pub question: String,
    /// The answer; empty if there was none.
    pub answer: String,
    /// The end of its standard error.
    pub errors: String,
}

/// What was found out about a judge.
#[derive(Clone, Debug)]
pub struct JudgeReport {
    /// The judge, as its ruleset names it.
    pub judge: String,
    /// Its game, if it says one.
    pub game: Option<String>,
    /// What it does wrong, in the order of the catalogue.
    pub findings: Vec<JudgeFinding>,
    /// Checks that could not be judged, each with the reason.
    pub unjudged: Vec<(&'static Check, String)>,
    /// How many questions it was asked.
    pub questions: u64,
    /// How many games were played.
    pub games: u32,
    /// How many questions it answers in a second, one at a time; `None` if that was not measured.
    pub per_second: Option<u64>,
    /// Why less was judged than usual.
    pub remarks: Vec<String>,
}

impl JudgeReport {
    /// Whether the judge fails a must or, if `strict`, a should.
    pub fn fails(&self, strict: bool) -> bool {
        self.findings.iter().any(|finding| finding.check.severity.fails(strict))
    }
}

/// Checks the judge of a ruleset.
///
/// # Errors
/// When the sandbox fails.
pub fn check_judge(request: &JudgeRequest) -> Result<JudgeReport, cornerman_harness::judge::JudgeFailure> {
    engine::run(request)
}

/// The ruleset at `path`; or, inside `Ok`, why its judge cannot be loaded.
///
/// # Errors
/// When the file cannot be read, or has a mistake that is not about the judge.
pub fn ruleset(path: &Path) -> Result<Result<Ruleset, LoadError>, FileError> {
    let text = std::fs::read_to_string(path).map_err(|source| FileError::Unreadable {
        what: "ruleset",
        path: path.to_path_buf(),
        source,
    })?;
    match read_judged(SourceFile { path, text: &text }) {
        Ok(ruleset) => Ok(Ok(ruleset)),
        Err(ReadError::Judge(error, _)) => Ok(Err(*error)),
        Err(ReadError::Mistake(mistake)) => Err(mistake.into()),
    }
}

/// The report about a judge that could not be loaded because of its answer to `hello`; `None` if there is another
/// reason.
pub fn report_of_hello(error: &LoadError) -> Option<JudgeReport> {
    let LoadError::Hello { judge, fault, errors } = error else { return None };
    let JudgeFault { id, what } = fault;
    let finding = JudgeFinding {
        check: check(id),
        what: what.clone(),
        place: "its first question".to_string(),
        question: cornerman_harness::judge::question::hello(),
        answer: String::new(),
        errors: errors.clone(),
    };
    let why = || "it has to answer `hello` first".to_string();
    let rest = catalogue().checks.iter().filter(|other| other.id != *id).map(|check| (check, why()));
    Some(JudgeReport {
        judge: judge.clone(),
        game: None,
        findings: vec![finding],
        unjudged: rest.collect(),
        questions: 1,
        games: 0,
        per_second: None,
        remarks: Vec::new(),
    })
}

fn check(id: &str) -> &'static Check {
    catalogue().get(id).unwrap_or_else(|| panic!("the catalogue of judges has no {id}"))
}

/// The version of the JSON.
const SCHEMA: u32 = 1;

/// The most characters of a question or answer that are shown.
const SHOWN: usize = 400;

/// The report as lines for people.
pub fn text(report: &JudgeReport, style: Style) -> String {
    let mut text = String::new();
    let game = report.game.as_deref().map_or(String::new(), |game| format!(", the judge of {game}"));
    let judge = plain(&report.judge);
    let failed = |severity| report.findings.iter().filter(|finding| finding.check.severity == severity).count();
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
        text += &one(finding, style);
    }
    if !report.unjudged.is_empty() {
        text += "\n";
        let mut reasons: Vec<&str> = report.unjudged.iter().map(|(_, why)| why.as_str()).collect();
        reasons.dedup();
        for reason in reasons {
            let of_reason = report.unjudged.iter().filter(|(_, why)| why == reason);
            let ids: Vec<&str> = of_reason.map(|(check, _)| check.id.as_str()).collect();
            text += &format!("not judged, because {reason}: {}\n", ids.join(", "));
        }
    }
    for remark in &report.remarks {
        text += &format!("{}\n", plain(remark));
    }
    let games = count(report.games, "game");
    text += &format!("\n{} questions in {games}", grouped(report.questions));
    if let Some(speed) = report.per_second {
        text += &format!("; it answers {} a second, one at a time", grouped(speed));
    }
    text + "\n"
}

fn one(finding: &JudgeFinding, style: Style) -> String {
    let check = finding.check;
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
    line("found", &finding.what);
    line("where", &finding.place);
    line("asked", &finding.question);
    line("answered", &finding.answer);
    line("expected", &check.expected);
    for error in finding.errors.lines() {
        line("stderr", error);
    }
    line("hint", &check.hint);
    text
}

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
        let finding = report.findings.iter().find(|finding| finding.check.id == id);
        let unjudged = report.unjudged.iter().find(|(check, _)| check.id == id);
        match (finding, unjudged) {
            (Some(finding), _) => value!({
                "outcome": "failed", "what": finding.what, "where": finding.place, "question": finding.question,
                "answer": finding.answer, "stderr": finding.errors,
            }),
            (None, Some((_, why))) => value!({ "outcome": "not judged", "why": why }),
            (None, None) => value!({ "outcome": "passed" }),
        }
    };
    let checks = catalogue().checks.iter().map(|check| {
        let mut one = value!({ "id": check.id, "severity": check.severity.name(), "title": check.title });
        if let (Value::Object(one), Value::Object(more)) = (&mut one, verdict(&check.id)) {
            one.extend(more);
        }
        one
    });
    value!({
        "schema": SCHEMA,
        "judge": report.judge,
        "game": report.game,
        "passed": !report.fails(false),
        "checks": checks.collect::<Vec<_>>(),
        "questions": report.questions,
        "games": report.games,
        "questions_per_second": report.per_second,
        "remarks": report.remarks,
    })
}
