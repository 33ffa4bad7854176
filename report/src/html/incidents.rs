//! The section of games that could not be played, forfeits with reasons, void attempts, conduct, isolation, byes, lots,
//! repeats and notes.

use super::context::{At, Context, scroll};
use crate::plain;
use crate::remarks::in_words;
use crate::style::{count, time};
use crate::unplayed;
use cornerman::format::EntrantId;
use cornerman_harness::record::{Incident, IncidentKind, Unplayed};
use maud::{Markup, html};
use std::collections::BTreeMap;

/// The most games named for one fault of one entrant.
const GAMES_NAMED: usize = 6;
/// The most void attempts with a row of their own.
const VOIDS_SHOWN: usize = 100;

/// Games not played, forfeits by entrant and kind, void attempts, and remarks by stage.
pub(super) fn section(context: &Context) -> Markup {
    let incidents = &context.survey.incidents;
    html! {
        section id="incidents" aria-labelledby="incidents-title" {
            h2 id="incidents-title" { "Forfeits and remarks" }
            (not_played(&context.survey.unplayed))
            (forfeits(context, incidents))
            (voids(context, incidents))
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

fn forfeits(context: &Context, incidents: &[Incident]) -> Markup {
    let mut all = BTreeMap::<(EntrantId, &str), Vec<(&Incident, &str)>>::new();
    for incident in incidents {
        if let IncidentKind::Forfeit { kind, detail } = &incident.what {
            all.entry((incident.entrant, kind)).or_default().push((incident, detail));
        }
    }
    if all.is_empty() {
        return html! { p { "There were no forfeits." } };
    }
    let rows = html! {
        table {
            caption { (count(all.values().map(Vec::len).sum(), "forfeit")) }
            thead { tr {
                th scope="col" { "name" }
                th scope="col" { "fault" }
                th.n scope="col" { "times" }
                th scope="col" { "reason (for the first)" }
                th scope="col" { "games" }
            } }
            tbody {
                @for ((id, kind), all) in &all {
                    tr {
                        th scope="row" { (context.entrant(*id)) }
                        td { (plain(kind)) }
                        td.n { (all.len()) }
                        td.words { (plain(all[0].1)) }
                        td { (games(context, all.iter().map(|(incident, _)| *incident))) }
                    }
                }
            }
        }
    };
    scroll("Forfeits", rows)
}

/// The first few games, each linked at the forfeited move.
fn games<'a>(context: &Context, incidents: impl ExactSizeIterator<Item = &'a Incident>) -> Markup {
    let more = incidents.len().saturating_sub(GAMES_NAMED);
    html! {
        @for (at, incident) in incidents.take(GAMES_NAMED).enumerate() {
            @if at > 0 { ", " }
            (context.game(incident.id, Some(At::Forfeit(incident.number))))
        }
        @if more > 0 { " and " (more) " more" }
    }
}

fn voids(context: &Context, incidents: &[Incident]) -> Markup {
    let of_voids = |incident| match incident {
        &Incident { what: IncidentKind::Void { used }, .. } => Some((incident, used)),
        _ => None,
    };
    let all: Vec<_> = incidents.iter().filter_map(of_voids).collect();
    if all.is_empty() {
        return html! {};
    }
    let shown = all.len().min(VOIDS_SHOWN);
    let rest = if shown < all.len() { format!(", the first {shown} of them") } else { String::new() };
    let rows = html! {
        table {
            caption { (count(all.len(), "void attempt")) (rest) ": the machine was held up, and the game was played again (B10)" }
            thead { tr {
                th scope="col" { "game" } th scope="col" { "late" } th.n scope="col" { "move" }
                th.n scope="col" { "took" } th.n scope="col" { "held up for" }
            } }
            tbody {
                @for (incident, used) in all.into_iter().take(shown) {
                    tr {
                        th scope="row" { (context.game(incident.id, None)) }
                        td { (context.entrant(incident.entrant)) }
                        td.n { (incident.number) }
                        td.n { (time(used.wall)) }
                        td.n { (time(used.lag)) }
                    }
                }
            }
        }
    };
    scroll("Void attempts", rows)
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
