//! An audit as a document and as JSON.

use super::{AuditReport, AuditVerdict, AuditedAnswer, DifferentAnswers, EntrantFindings};
use crate::count;
use crate::doc::{Block, Cell, Column, Document, Line, Section, Table, row};
use crate::json::EntrantJson;
use cornerman::format::EntrantId;
use cornerman_harness::record::{EntrantRecord, Header};
use schemars::JsonSchema;
use serde::Serialize;

/// The most differences of an entrant in a document. JSON has all that [are listed](EntrantFindings::listed).
const MOST_LISTED: usize = 10;

/// How much was compared, and the differences of each entrant that has any.
pub fn document(report: &AuditReport, header: &Header) -> Document {
    let sum = |of: fn(&EntrantFindings) -> usize| report.entrants.values().map(of).sum::<usize>();
    let games = count(report.games, "game");
    let bots = count(report.entrants.len(), "bot");
    let mut compared = vec![
        format!(
            "{} to a view that the bot had answered against other opponents",
            count(sum(|it| it.compared), "answer")
        ),
        format!(
            "{} to a view that it had answered against the same opponents",
            count(sum(|it| it.repeated), "answer")
        ),
    ];
    let never = report.entrants.values().filter(|found| found.compared == 0).count();
    if never > 0 {
        compared.push(format!("nothing to compare for {}", count(never, "bot")));
    }
    if report.listed().next().is_none() {
        compared.push("no bot answered the same view differently".to_string());
    }
    let compared = compared.into_iter().map(Line::from).collect();
    let first = Section::new("", format!("{bots} in {games}")).with(Block::List(compared));
    let others = report.listed().map(|(id, found)| differing(id, found));
    Document {
        title: header.contest.clone(),
        lead: Vec::new(),
        sections: [first].into_iter().chain(others).collect(),
    }
}

/// A section with the differences of a bot.
fn differing(id: EntrantId, found: &EntrantFindings) -> Section {
    let words = match found.verdict() {
        AuditVerdict::Same => " always answers the same view in the same way".to_string(),
        AuditVerdict::NotDeterministic => {
            " is not deterministic, even against the same opponents: nothing can be said".to_string()
        }
        AuditVerdict::ByOpponent if found.repeated == 0 => {
            " answers the same view differently by opponent; it may be random, because it never had a view twice \
             against the same opponents"
                .to_string()
        }
        AuditVerdict::ByOpponent => format!(
            " answers the same view differently by opponent, and always in the same way to the same opponents ({})",
            count(found.repeated, "answer")
        ),
    };
    let section = Section::new("", Line::from(Cell::from(id)).then(words)).with(table(found.listed()));
    match found.listed().len().saturating_sub(MOST_LISTED) {
        0 => section,
        more => section.with(Block::List(vec![format!("… and {more} more, which `--format json` lists").into()])),
    }
}

/// Two rows for each difference.
fn table(differences: &[DifferentAnswers]) -> Table {
    let row = |answer: &AuditedAnswer, before: &str| {
        let opponents = Line::joined(answer.opponents(), ", ");
        row![answer.game, answer.number, opponents, answer.notation.as_str(), before]
    };
    let rows = |difference: &DifferentAnswers| {
        let before = if difference.same_before { "the same" } else { "something else" };
        let [first, second] = &difference.answers;
        [row(first, ""), row(second, before)]
    };
    let columns = [
        Column::name("game"),
        Column::number("move"),
        Column::text("against"),
        Column::text("answer"),
        Column::text("sent before"),
    ];
    Table::new("", columns).rows(differences.iter().take(MOST_LISTED).flat_map(rows))
}

/// What `audit` prints as JSON.
#[derive(Debug, Serialize, JsonSchema)]
pub struct AuditJson {
    /// The contest's name.
    pub contest: String,
    /// The number of games compared.
    pub games: usize,
    /// The entrants that have played, by number.
    pub entrants: Vec<FindingsJson>,
}

/// What was found about an entrant.
#[derive(Debug, Serialize, JsonSchema)]
pub struct FindingsJson {
    /// The entrant.
    #[serde(flatten)]
    pub who: EntrantJson,
    /// `same`, `by-opponent` or `not-deterministic`.
    pub verdict: &'static str,
    /// Its answers to a view that it had already answered against other opponents.
    pub compared: usize,
    /// Its answers to a view that it had already answered against the same opponents.
    pub repeated: usize,
    /// Different answers to the same view.
    pub differences: Vec<DifferenceJson>,
}

/// Two different answers to the same view.
#[derive(Debug, Serialize, JsonSchema)]
pub struct DifferenceJson {
    /// Whether the bot had been sent the same in both games before.
    pub same_before: bool,
    /// The answers, in the order of the contest.
    pub answers: Vec<AnswerJson>,
}

/// An answer.
#[derive(Debug, Serialize, JsonSchema)]
pub struct AnswerJson {
    /// The game.
    pub game: String,
    /// The move.
    #[serde(rename = "move")]
    pub number: u32,
    /// The bot's seat.
    pub seat: u8,
    /// Its opponents, in order of play.
    pub opponents: Vec<EntrantJson>,
    /// The move in the game's notation, or that the answer was illegal.
    pub answer: String,
}

/// The verdict on each entrant that played, with all differences that [are listed](EntrantFindings::listed).
pub fn json(report: &AuditReport, header: &Header, entrants: &[EntrantRecord]) -> AuditJson {
    let answer = |answer: &AuditedAnswer| AnswerJson {
        game: answer.game.to_string(),
        number: answer.number,
        seat: answer.seat.0 + 1,
        opponents: answer.opponents().map(|id| EntrantJson::new(id, entrants)).collect(),
        answer: answer.notation.clone(),
    };
    let difference = |difference: &DifferentAnswers| DifferenceJson {
        same_before: difference.same_before,
        answers: difference.answers.iter().map(answer).collect(),
    };
    let entrant = |(id, found): (&EntrantId, &EntrantFindings)| FindingsJson {
        who: EntrantJson::new(*id, entrants),
        verdict: match found.verdict() {
            AuditVerdict::Same => "same",
            AuditVerdict::ByOpponent => "by-opponent",
            AuditVerdict::NotDeterministic => "not-deterministic",
        },
        compared: found.compared,
        repeated: found.repeated,
        differences: found.listed().iter().map(difference).collect(),
    };
    AuditJson {
        contest: header.contest.clone(),
        games: report.games,
        entrants: report.entrants.iter().map(entrant).collect(),
    }
}
