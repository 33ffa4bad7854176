//! The checks of judges: programs that know the rules of a game (`docs/judge.md`).
//!
//! A judge is asked the questions of whole games and, at their positions, questions that games seldom have: about
//! forfeits, nonsense, notation, and with an unknown field. Where one fault fails several checks, only the most
//! specific is reported.

mod engine;
mod session;

pub use self::engine::check_judge;
pub use self::session::BotTally;

use crate::catalog::{Catalogue, Check, Id};
use crate::finding::{Cause, Evidence, Finding};
use crate::protocol::lines::{LineEvent, TimedEvent, Transcript};
use cornerman_harness::bot::Bot;
use cornerman_harness::judge::JudgeFault;
use cornerman_harness::judge::program::LoadError;
use cornerman_harness::judge::question;
use cornerman_harness::ruleset::Ruleset;
use cornerman_harness::sandbox::{Conditions, Ended, RunReport, RunRequest};
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
    /// About how long the check may take. A judge that has failed no must is asked for longer, if this is less than the
    /// 45 seconds in which games are begun.
    pub budget: Duration,
    /// The seed of random moves.
    pub seed: u64,
}

/// What was found out about a judge.
#[derive(Clone, Debug, Default)]
pub struct JudgeReport {
    /// The judge, as its ruleset names it.
    pub judge: String,
    /// Its game, if it says one.
    pub game: Option<String>,
    /// What it does wrong, in the order of the catalogue. The case is the place in a game; the transcript has the
    /// question and the answer, where there are any; and of the process there is only the end of its standard error.
    pub findings: Vec<Finding>,
    /// Checks that could not be judged, each with the reason.
    pub unjudged: Vec<(&'static Check, String)>,
    /// How many questions the check itself asked it, without those that measure its speed.
    pub questions: u64,
    /// How many games were begun to judge it, without those of the same moves and those of bots.
    pub games: u32,
    /// How many questions it answers in a second, one at a time; `None` if that was not measured.
    pub per_second: Option<u64>,
    /// How the bots of its game fared against each other.
    pub bots: Vec<BotTally>,
    /// Why less was judged than usual.
    pub remarks: Vec<String>,
}

impl JudgeReport {
    /// Whether the judge fails a must or, if `strict`, a should.
    pub fn fails(&self, strict: bool) -> bool {
        self.findings.iter().any(|finding| check(finding.check()).severity.fails(strict))
    }
}

/// The report about a judge that could not be loaded because of its answer to `hello`; `None` if there is another
/// reason.
pub fn report_of_hello(error: &LoadError) -> Option<JudgeReport> {
    let LoadError::Hello { judge, fault, errors } = error else { return None };
    let JudgeFault { id, what } = fault;
    let finding = finding(id, what, "its first question", (&question::hello(), b""), errors);
    let why = || "it has to answer `hello` first".to_string();
    let rest = catalogue().checks.iter().filter(|other| other.id != *id).map(|check| (check, why()));
    Some(JudgeReport {
        judge: judge.clone(),
        findings: vec![finding],
        unjudged: rest.collect(),
        questions: 1,
        ..JudgeReport::default()
    })
}

/// The finding that a judge fails the check `id`: `what` it did at `place`, a place in a game in words, when it was
/// asked a question and gave an answer, if it was and did; and the end of its standard error.
fn finding(id: Id, what: &str, place: &str, (question, answer): (&str, &[u8]), errors: &str) -> Finding {
    let sent = LineEvent::Sent(question.as_bytes().to_vec());
    let events = [sent, LineEvent::Received(answer.to_vec())];
    let transcript = events.map(|event| TimedEvent { at: Duration::ZERO, event }).into();
    let evidence = Evidence {
        case: place.to_string(),
        about: String::new(),
        request: RunRequest::for_game(Vec::new()),
        state: None,
        report: RunReport { stderr: errors.as_bytes().to_vec(), ..RunReport::from_ended(Ended::Stopped) },
        transcript: Some(Transcript(transcript)),
    };
    Finding::new(None, Cause::new(id, what), evidence)
}

fn check(id: &str) -> &'static Check {
    catalogue().get(id).unwrap_or_else(|| panic!("the catalogue of judges has no {id}"))
}
