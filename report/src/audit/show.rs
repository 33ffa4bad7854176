//! An audit as a document.

use super::{AuditReport, AuditVerdict, DifferentAnswers, EntrantFindings};
use crate::count;
use crate::doc::{Block, Column, Document, Line, Listing, Section, Table};

/// The most differences of an entrant in a document. JSON has all.
const MOST_LISTED: usize = 10;

impl AuditReport {
    /// How much was compared, and the differences of each entrant that has any.
    pub fn document(&self) -> Document {
        let sum = |of: fn(&EntrantFindings) -> usize| self.entrants.iter().map(of).sum::<usize>();
        let games = count(self.games, "game");
        let bots = count(self.entrants.len(), "bot");
        let compared = count(sum(|it| it.compared), "answer");
        let repeated = count(sum(|it| it.repeated), "answer");
        let mut lines = vec![
            format!("{compared} to a view that the bot had answered against other opponents"),
            format!("{repeated} to a view that it had answered against the same opponents"),
        ];
        let never = self.entrants.iter().filter(|found| found.compared == 0).count();
        if never > 0 {
            lines.push(format!("nothing to compare for {}", count(never, "bot")));
        }
        if self.listed().next().is_none() {
            lines.push("no bot answered the same view differently".to_string());
        }
        let lines = lines.into_iter().map(Line::from).collect();
        let first = Section::new("", format!("{bots} in {games}")).with(Block::List(lines));
        let sections = [first].into_iter().chain(self.listed().map(differing)).collect();
        Document { title: self.contest.clone(), lead: Vec::new(), sections }
    }
}

/// A section with the differences of a bot.
fn differing(found: &EntrantFindings) -> Section {
    let words = if found.verdict == AuditVerdict::NotDeterministic {
        " is not deterministic, even against the same opponents: nothing can be said".to_string()
    } else if found.repeated == 0 {
        " answers the same view differently by opponent; it may be random, because it never had a view twice against \
         the same opponents"
            .to_string()
    } else {
        let answers = count(found.repeated, "answer");
        format!(
            " answers the same view differently by opponent, and always in the same way to the same opponents ({answers})"
        )
    };
    let title = Line::from(found.who.id()).then(words);
    let section = Section::new("", title).with(table(&found.differences));
    match found.differences.len().saturating_sub(MOST_LISTED) {
        0 => section,
        more => section.with(Block::List(vec![format!("… and {more} more, which `--format json` lists").into()])),
    }
}

/// Two rows for each difference.
fn table(differences: &[DifferentAnswers]) -> Table {
    let rows = differences.iter().take(MOST_LISTED).flat_map(|difference| {
        let before = if difference.same_before { "the same" } else { "something else" };
        difference.answers.iter().zip(["", before])
    });
    Listing(rows).columns(&[
        (Column::name("game"), &|(it, _)| it.game.as_str().into()),
        (Column::number("move"), &|(it, _)| it.number.into()),
        (Column::text("against"), &|(it, _)| Line::joined(&it.opponents, ", ").into()),
        (Column::text("answer"), &|(it, _)| it.answer.as_str().into()),
        (Column::text("sent before"), &|(_, before)| (*before).into()),
    ])
}
