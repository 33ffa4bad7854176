//! What was notable about games: remarks (byes, lots, repeats, fillers, notes), forfeits with their reasons, and games
//! that could not be played because the kit or the machine failed.

use crate::doc::{Cell, Column, GameStep, Line, Listing, Section, words};
use crate::json::EntrantJson;
use crate::{Tournament, count};
use cornerman::contest::StageProgress;
use cornerman::format::StageRemark;
use cornerman_harness::record::{Forfeit, Unplayed, columns_of_remark};
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeMap;

/// The most games named for one fault of one entrant, or for one reason.
const GAMES_NAMED: usize = 3;

/// A line for each remark of a stage, numbered from 0.
pub(crate) fn lines(tournament: &Tournament, stage: u8) -> Vec<Line> {
    let progress = tournament.progress.get(usize::from(stage));
    let remarks = progress.map_or(Vec::new(), |progress| progress.remarks(tournament.results));
    remarks.iter().map(line).collect()
}

/// One remark, with its entrants.
pub(crate) fn line(remark: &StageRemark) -> Line {
    let round = |round: &u16| Line::from(format!("round {}: ", u32::from(*round) + 1));
    match remark {
        StageRemark::Bye { round: at, entrant } => round(at).then(*entrant).then(" has a bye"),
        StageRemark::Repeat { round: at, pair: (a, b) } => {
            round(at).then(*a).then(" and ").then(*b).then(" meet again: nothing else was possible")
        }
        StageRemark::Filler { round: at, entrant } => {
            round(at).then("the organizer's ").then(*entrant).then(" fills an empty seat")
        }
        StageRemark::Lot { about, order } => {
            Line::from(format!("lots drawn for {about}: ")).then(Line::joined(order.iter().copied(), ", "))
        }
        StageRemark::Note(note) => note.as_str().into(),
    }
}

/// Forfeits by entrant and kind, with the first few games and the reason for the first; `None` if there were none.
pub(crate) fn forfeits(forfeits: &[Forfeit]) -> Option<Section> {
    let mut by_kind = BTreeMap::<_, Vec<&Forfeit>>::new();
    for forfeit in forfeits {
        by_kind.entry((forfeit.entrant, &forfeit.kind)).or_default().push(forfeit);
    }
    let game = |forfeit: &&Forfeit| Cell::Game(forfeit.id, Some(GameStep::Forfeit(forfeit.number)));
    let table = Listing(&by_kind).columns(&[
        (Column::name("name"), &|((id, _), _)| (*id).into()),
        (Column::text("fault"), &|((_, kind), _)| kind.as_str().into()),
        (Column::number("times"), &|(_, all)| all.len().into()),
        (Column::text("games"), &|(_, all)| Line::first_of(all.iter().map(game), GAMES_NAMED).into()),
        (Column::wide("reason (for the first)"), &|(_, all)| all[0].detail.as_str().into()),
    ]);
    let section = Section::new("forfeits", count(forfeits.len(), "forfeit")).named("Forfeits");
    (!forfeits.is_empty()).then(|| section.with(table))
}

/// The games that could not be played, by reason; `None` if there were none.
pub(crate) fn unplayed(games: &[Unplayed]) -> Option<Section> {
    let mut by_reason = BTreeMap::<&str, Vec<&Unplayed>>::new();
    for game in games {
        by_reason.entry(game.reason()).or_default().push(game);
    }
    // Only the name, because a link would lead to a replay, and there is none.
    let name = |game: &&Unplayed| game.id.to_string();
    let attempts = |games: &Vec<&Unplayed>| games.iter().map(|game| u64::from(game.attempts)).sum::<u64>();
    let table = Listing(&by_reason).columns(&[
        (Column::name("games"), &|(_, games)| Line::first_of(games.iter().map(name), GAMES_NAMED).into()),
        (Column::number("attempts"), &|(_, games)| attempts(games).into()),
        (Column::wide("why (the last time)"), &|(why, _)| (**why).into()),
    ]);
    let title = format!("{} could not be played", count(games.len(), "game"));
    (!games.is_empty()).then(|| Section::new("unplayed", title).named("Not played").with(table))
}

/// A remark on a stage.
#[derive(Debug, Serialize, JsonSchema)]
pub struct RemarkJson {
    /// `bye`, `repeat`, `filler`, `lot` or `note`.
    pub kind: &'static str,
    /// The stage.
    pub stage: u32,
    /// The round, if it is about one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub round: Option<u32>,
    /// What lots were drawn for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub about: Option<String>,
    /// The entrants that it is about; of lots, in the order drawn.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub entrants: Vec<EntrantJson>,
    /// The remark as people read it.
    pub words: String,
}

/// The remarks of all stages.
pub(crate) fn json(tournament: &Tournament) -> Vec<RemarkJson> {
    let of_stage = |(stage, progress): (u8, &StageProgress)| {
        let remarks = progress.remarks(tournament.results);
        remarks.iter().map(|remark| remark_json(tournament, stage, remark)).collect::<Vec<_>>()
    };
    tournament.stages().flat_map(of_stage).collect()
}

fn remark_json(tournament: &Tournament, stage: u8, remark: &StageRemark) -> RemarkJson {
    let (kind, round, text, entrants) = columns_of_remark(remark);
    RemarkJson {
        kind,
        stage: u32::from(stage) + 1,
        round: round.map(|round| u32::from(round) + 1),
        about: text.filter(|_| kind == "lot").map(str::to_string),
        entrants: entrants.into_iter().map(|id| tournament.entrant_json(id)).collect(),
        words: words(&line(remark), tournament.entrants),
    }
}

#[cfg(test)]
mod tests;
