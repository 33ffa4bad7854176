//! The section of games that could not be played, forfeits with reasons, conduct, isolation, byes, lots, repeats and
//! notes.

use super::context::{At, Context, scroll};
use crate::plain;
use crate::remarks::in_words;
use crate::style::count;
use crate::unplayed;
use cornerman::format::EntrantId;
use cornerman_harness::record::{Forfeit, Unplayed};
use maud::{Markup, html};
use std::collections::BTreeMap;

/// The most games named for one fault of one entrant.
const GAMES_NAMED: usize = 6;

/// Games not played, forfeits by entrant and kind, and remarks by stage.
pub(super) fn section(context: &Context) -> Markup {
    html! {
        section id="incidents" aria-labelledby="incidents-title" {
            h2 id="incidents-title" { "Forfeits and remarks" }
            (not_played(&context.survey.unplayed))
            (forfeits(context))
            div.tables {
                (conduct(context))
                (isolation(context))
                (remarks(context))
            }
        }
    }
}

fn not_played(games: &[Unplayed]) -> Markup {
    if games.is_empty() {
        return html! {};
    }
    let grid = unplayed::grid(games);
    let rows = html! {
        table {
            caption { (unplayed::title(games)) }
            thead { tr { @for name in &grid.header { th scope="col" { (name) } } } }
            tbody { @for row in &grid.rows { tr { @for cell in row { td.words { (cell) } } } } }
        }
    };
    scroll("Games that could not be played", rows)
}

fn forfeits(context: &Context) -> Markup {
    let forfeits = &context.survey.forfeits;
    if forfeits.is_empty() {
        return html! { p { "There were no forfeits." } };
    }
    let mut by_kind = BTreeMap::<(EntrantId, &str), Vec<&Forfeit>>::new();
    for forfeit in forfeits {
        by_kind.entry((forfeit.entrant, &forfeit.kind)).or_default().push(forfeit);
    }
    let rows = html! {
        table {
            caption { (count(forfeits.len(), "forfeit")) }
            thead { tr {
                th scope="col" { "name" }
                th scope="col" { "fault" }
                th.n scope="col" { "times" }
                th scope="col" { "reason (for the first)" }
                th scope="col" { "games" }
            } }
            tbody {
                @for ((id, kind), all) in &by_kind {
                    tr {
                        th scope="row" { (context.entrant(*id)) }
                        td { (plain(kind)) }
                        td.n { (all.len()) }
                        td.words { (plain(&all[0].detail)) }
                        td { (games(context, all)) }
                    }
                }
            }
        }
    };
    scroll("Forfeits", rows)
}

/// The first few games, each linked at the forfeited move.
fn games(context: &Context, forfeits: &[&Forfeit]) -> Markup {
    let more = forfeits.len().saturating_sub(GAMES_NAMED);
    html! {
        @for (at, forfeit) in forfeits.iter().take(GAMES_NAMED).enumerate() {
            @if at > 0 { ", " }
            (context.game(forfeit.id, Some(At::Forfeit(forfeit.number))))
        }
        @if more > 0 { " and " (more) " more" }
    }
}

/// What entrants did besides playing.
fn conduct(context: &Context) -> Markup {
    let lines: Vec<(EntrantId, String)> =
        crate::conduct::lines(context.tournament(), &context.survey.conduct).collect();
    html! {
        @if !lines.is_empty() {
            div {
                h3 { "Conduct" }
                ul { @for (id, line) in &lines { li { (context.entrant(*id)) ": " (line) } } }
            }
        }
    }
}

fn isolation(context: &Context) -> Markup {
    html! {
        @if !context.survey.weaker_isolations.is_empty() {
            div {
                h3 { "Isolation" }
                ul { @for line in &context.survey.weaker_isolations { li { (line) } } }
            }
        }
    }
}

fn remarks(context: &Context) -> Markup {
    let tournament = context.tournament();
    html! {
        @for (stage, progress) in tournament.stages() {
            @let remarks = progress.remarks(tournament.results);
            @if !remarks.is_empty() {
                div {
                    h3 { (tournament.stage_title(stage)) }
                    ul { @for remark in &remarks { li { (in_words(tournament, remark)) } } }
                }
            }
        }
    }
}
