//! The opening of the page: the winner, a podium, the final order, and the standings that decided it.

use super::context::{Context, scroll};
use super::entrants::summary;
use crate::standings::{NOT_BEGUN, figure_text, note, title as further_title, why_out};
use cornerman::contest::StageState;
use cornerman::format::{Column, EntrantId, Standing};
use maud::{Markup, html};

/// The most names on a step of the podium; the others are only counted.
const NAMES: usize = 6;

/// A final order of fewer entrants than this is always one table.
const LONG: usize = 16;

/// The winner, the podium and the final order, beside the last stage. An unfinished contest says what is left instead.
pub(super) fn section(context: &Context) -> Markup {
    let tournament = context.tournament();
    let several = tournament.progress.len() > 1;
    let begun = !tournament.results.is_empty();
    let over = tournament.is_over();
    let absent: Vec<EntrantId> = context.survey.absent(tournament.entrants).collect();
    html! {
        section id="standings" aria-labelledby="standings-title" {
            h2 id="standings-title" { @if over { (winner(context)) } @else { "No winner yet" } }
            @let parts = order(context, tournament.order_title());
            div.opening.long[parts.len() > 1] {
                @if over { (podium(context)) } @else { (left(context)) }
                @if begun { @for part in parts { (part) } }
                @if let Some(last) = last_stage(context) { div { (of_stage(context, last, several.then(|| tournament.stage_title(last)).as_deref())) } }
            }
            @if !absent.is_empty() {
                h3 { "Did not play" }
                ul { @for id in absent { li { (context.entrant(id)) ": " (why_out(tournament, id).unwrap_or_default()) } } }
            }
        }
    }
}

/// The final order: two tables to be put side by side, if it is far longer than the last stage.
fn order(context: &Context, title: &str) -> Vec<Markup> {
    let columns = &context.survey.columns;
    let standings = &context.survey.standings;
    let tournament = context.tournament();
    let last = last_stage(context).and_then(|stage| tournament.progress.get(usize::from(stage)));
    let beside = last.map_or(standings.len(), |last| last.standings(tournament.results).len());
    if standings.len() < LONG || standings.len() < 2 * beside {
        return vec![table(context, title, columns, standings)];
    }
    let (first, rest) = standings.split_at(standings.len().div_ceil(2));
    let further = format!("{title}, continued");
    vec![table(context, title, columns, first), table(context, &further, columns, rest)]
}

/// The last stage with standings, which the page shows beside the final order.
pub(super) fn last_stage(context: &Context) -> Option<u8> {
    let shown = context.tournament().stages().filter(|(stage, it)| context.tournament().has_standings(*stage, it));
    shown.last().map(|(stage, _)| stage)
}

/// `Winner: gull`, or all entrants that share first place.
fn winner(context: &Context) -> String {
    let first = context.survey.standings.iter().take_while(|standing| standing.place == 1);
    let names: Vec<String> = first.map(|standing| context.tournament().name(standing.entrant)).collect();
    match &names[..] {
        [one] => format!("Winner: {one}"),
        [all @ .., last] if all.len() < NAMES => format!("First place is shared: {} and {last}", all.join(", ")),
        all => format!("{} share first place", all.len()),
    }
}

/// The first three places, with all entrants that share them, and their games.
fn podium(context: &Context) -> Markup {
    let standings = &context.survey.standings;
    html! {
        ol.podium {
            @for step in standings.chunk_by(|a, b| a.place == b.place).take_while(|step| step[0].place <= 3) {
                @let place = step[0].place;
                li.{ "place-" (place) } value=(place) {
                    p.place { (["1st", "2nd", "3rd"][place as usize - 1]) @if step.len() > 1 { ", shared by " (step.len()) } }
                    ul {
                        @for standing in &step[..step.len().min(NAMES)] {
                            li { strong { (context.entrant(standing.entrant)) } " " span { (summary(context, standing.entrant)) } }
                        }
                        @if step.len() > NAMES { li { "and " (step.len() - NAMES) " more" } }
                    }
                }
            }
        }
    }
}

/// The stages that remain of an unfinished contest.
fn left(context: &Context) -> Markup {
    let tournament = context.tournament();
    html! {
        div {
            @if tournament.results.is_empty() { p { (NOT_BEGUN) } }
            @else { p { "This contest is not over. The order is that of the games played so far." } }
            ul {
                @for (stage, progress) in tournament.stages().filter(|(_, progress)| !progress.is_over()) {
                    li {
                        (tournament.stage_title(stage))
                        @if let StageState::Refused(error) = &progress.state { ": " (error) }
                    }
                }
            }
        }
    }
}

/// The tables of a stage: its standings under this title, unless there is none, and its further rankings.
pub(super) fn of_stage(context: &Context, stage: u8, title: Option<&str>) -> Markup {
    let tournament = context.tournament();
    let Some(progress) = tournament.progress.get(usize::from(stage)) else { return html! {} };
    html! {
        @if let Some(title) = title { (table(context, title, &progress.columns(), &progress.standings(tournament.results))) }
        @for further in progress.further_rankings(tournament.results) {
            @let title = format!("{}. {}", tournament.stage_title(stage), further_title(&further));
            (table(context, &title, &further.columns, &further.standings))
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
