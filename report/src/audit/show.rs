//! An audit as text and as JSON.

use super::{Answer, AuditReport, Difference, Findings, Verdict};
use crate::style::{Grid, count};
use crate::{SCHEMA, Style, name_of, plain, raw_name_of, shown};
use cornerman::format::EntrantId;
use cornerman_harness::record::{EntrantRecord, Header};
use serde_json::{Value, json};

/// The most differences of an entrant that the text lists. JSON has all.
const MOST_LISTED: usize = 10;

/// How much was compared, and the differences of each entrant that has any, for a terminal.
pub fn text(report: &AuditReport, header: &Header, entrants: &[EntrantRecord], style: Style) -> String {
    let sum = |of: fn(&Findings) -> usize| report.entrants.values().map(of).sum::<usize>();
    let compared = sum(|found| found.compared);
    let repeated = sum(|found| found.repeated);
    let games = count(report.games, "game");
    let bots = count(report.entrants.len(), "bot");
    let mut text = format!("{}: {bots} in {games}\n", style.heading(&shown(&header.contest)));
    text +=
        &format!(" {} to a view that the bot had answered against other opponents\n", count(compared, "answer"));
    text += &format!(" {} to a view that it had answered against the same opponents\n", count(repeated, "answer"));
    let never = report.entrants.values().filter(|found| found.compared == 0).count();
    if never > 0 {
        text += &format!(" nothing to compare for {}\n", count(never, "bot"));
    }
    for (id, found) in report.listed() {
        text += &format!("\n{}\n", style.heading(&title(&name_of(entrants, id), found)));
        text += &grid(found.listed(), entrants).text(style);
        let more = found.listed().len().saturating_sub(MOST_LISTED);
        if more > 0 {
            text += &format!(" … and {more} more, which `--format json` lists\n");
        }
    }
    if report.listed().next().is_none() {
        text += "no bot answered the same view differently\n";
    }
    text
}

/// A sentence on the findings about the bot called `name`.
fn title(name: &str, found: &Findings) -> String {
    match found.verdict() {
        Verdict::Same => format!("{name} always answers the same view in the same way"),
        Verdict::NotDeterministic => {
            format!("{name} is not deterministic, even against the same opponents: nothing can be said")
        }
        Verdict::ByOpponent if found.repeated == 0 => format!(
            "{name} answers the same view differently by opponent; it may be random, because it never had a view twice \
             against the same opponents"
        ),
        Verdict::ByOpponent => format!(
            "{name} answers the same view differently by opponent, and always in the same way to the same opponents \
             ({})",
            count(found.repeated, "answer")
        ),
    }
}

/// Two rows for each difference.
fn grid(differences: &[Difference], entrants: &[EntrantRecord]) -> Grid {
    let row = |answer: &Answer, before: &str| {
        let opponents: Vec<String> = answer.opponents().map(|id| name_of(entrants, id)).collect();
        let notation = plain(&answer.notation);
        vec![
            answer.game.to_string(),
            answer.number.to_string(),
            opponents.join(", "),
            notation,
            before.to_string(),
        ]
    };
    let rows = |difference: &Difference| {
        let before = if difference.same_before { "the same" } else { "something else" };
        let [first, second] = &difference.answers;
        [row(first, ""), row(second, before)]
    };
    Grid {
        header: ["game", "move", "against", "answer", "sent before"].map(String::from).into(),
        texts: vec![0, 2, 3, 4],
        rows: differences.iter().take(MOST_LISTED).flat_map(rows).collect(),
    }
}

/// Everything that was found, for each entrant that played.
pub fn json(report: &AuditReport, header: &Header, entrants: &[EntrantRecord]) -> Value {
    let named = |id: EntrantId| json!({ "entrant": id.0, "name": raw_name_of(entrants, id) });
    let answer = |answer: &Answer| {
        json!({
            "game": answer.game.to_string(),
            "move": answer.number,
            "seat": answer.seat.0 + 1,
            "opponents": answer.opponents().map(named).collect::<Vec<_>>(),
            "answer": answer.notation,
        })
    };
    let difference = |difference: &Difference| json!({ "same_before": difference.same_before, "answers": difference.answers.each_ref().map(answer) });
    let entrant = |(id, found): (&EntrantId, &Findings)| {
        let mut value = named(*id);
        value["verdict"] = json!(match found.verdict() {
            Verdict::Same => "same",
            Verdict::ByOpponent => "by-opponent",
            Verdict::NotDeterministic => "not-deterministic",
        });
        value["compared"] = json!(found.compared);
        value["repeated"] = json!(found.repeated);
        value["differences"] = found.listed().iter().map(difference).collect();
        value
    };
    json!({
        "schema": SCHEMA,
        "contest": header.contest,
        "games": report.games,
        "entrants": report.entrants.iter().map(entrant).collect::<Vec<_>>(),
    })
}
