//! Standings as tables: the final order, and each stage with the figures that decided it.

use super::context::{Context, scroll};
use crate::standings::{NOT_BEGUN, figure_text, note, title as further_title, why_out};
use cornerman::contest::StageState;
use cornerman::format::{Column, EntrantId, Standing};
use maud::{Markup, html};

/// The final order and the standings of every stage that has begun.
pub fn section(context: &Context) -> Markup {
    let tournament = context.tournament();
    let several = tournament.progress.len() > 1;
    let (shown, others): (Vec<_>, Vec<_>) =
        tournament.stages().partition(|(stage, progress)| tournament.has_standings(*stage, progress));
    let absent: Vec<EntrantId> = context.survey.absent(tournament.entrants).collect();
    html! {
        section id="standings" aria-labelledby="standings-title" {
            h2 id="standings-title" { "Standings" }
            div.tables {
                @if several && tournament.results.is_empty() {
                    div { h3 { "Final order" } p { (NOT_BEGUN) } }
                } @else if several {
                    (table(context, "Final order", &context.survey.columns, &context.survey.standings))
                }
                @for (stage, progress) in &shown {
                    @let title = tournament.stage_title(*stage);
                    (table(context, &title, &progress.columns(), &progress.standings(tournament.results)))
                    @for further in progress.further_rankings(tournament.results) {
                        @let title = format!("{title}. {}", further_title(&further));
                        (table(context, &title, &further.columns, &further.standings))
                    }
                }
            }
            @for (stage, progress) in &others {
                p { (tournament.stage_title(*stage)) @if let StageState::Refused(error) = &progress.state { ": " (error) } }
            }
            @if !absent.is_empty() {
                h3 { "Did not play" }
                ul { @for id in absent { li { (context.entrant(id)) ": " (why_out(tournament, id).unwrap_or_default()) } } }
            }
        }
    }
}

/// A table with a row for each entrant: place, name, figures, notes.
fn table(context: &Context, title: &str, columns: &[Column], standings: &[Standing]) -> Markup {
    let notes: Vec<String> =
        standings.iter().map(|standing| note(context.tournament(), standing.entrant)).collect();
    let noted = notes.iter().any(|note| !note.is_empty());
    let table = html! {
        table.standings {
            caption { (title) }
            thead { tr {
                th.n scope="col" { "place" }
                th scope="col" { "name" }
                @for column in columns { th.n scope="col" { (column.name) } }
                @if noted { th scope="col" { "notes" } }
            } }
            tbody {
                @for (standing, note) in standings.iter().zip(&notes) {
                    tr {
                        td.n { (standing.place) }
                        th scope="row" { (context.entrant(standing.entrant)) }
                        @for (column, figure) in columns.iter().zip(&standing.figures) {
                            td.n { (figure_text(*column, *figure)) }
                        }
                        @if noted { td { (note) } }
                    }
                }
            }
        }
    };
    scroll(title, table)
}
