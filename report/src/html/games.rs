//! The pages of matches in a folder, and the seats of a game.

use super::context::{Context, Links, scroll};
use super::layout::{self, Page};
use super::traces::Traces;
use crate::shown;
use crate::style::duration;
use cornerman_harness::record::{GameSummary, RecordError};
use maud::{Markup, html};

/// The page of a match: its games, and the viewer, which opens the first of them.
///
/// # Errors
/// When the record cannot be read.
pub(super) fn page(context: &Context, games: &[GameSummary]) -> Result<String, RecordError> {
    let traces = Traces::from_games(context.source, games.iter().map(|game| game.pairing.id), usize::MAX)?;
    let id = games[0].pairing.id;
    let title = format!("Match {}", id.to_string().rsplit_once('/').map_or("", |(title, _)| title));
    let body = html! {
        header.title { h1 { (title) } p { (context.tournament().stage_title(id.stage)) } }
        (scroll("The games of the match", html! {
            (table(context, games.iter()))
        }))
    };
    let Links::Folder { up } = context.links else { unreachable!("pages of matches are in folders") };
    let page = Page {
        title: &format!("{title}, {}", context.title()),
        up: Some(up),
        live: None,
        contents: &[],
        body,
        script: context.source.view.script(),
        traces: &traces,
        absent: None,
    };
    Ok(layout::whole(&page))
}

/// A table of games, which names the machine of each if there were several.
pub(super) fn table<'a>(context: &Context, games: impl Iterator<Item = &'a GameSummary>) -> Markup {
    let on_several = context.survey.hosts.len() > 1;
    html! {
        table {
            caption { "Games" }
            thead { tr {
                th scope="col" { "game" } th scope="col" { "seats, with points" }
                th.n scope="col" { "moves" } th.n scope="col" { "took" }
                @if on_several { th scope="col" { "played on" } }
            } }
            tbody {
                @for game in games {
                    tr {
                        th scope="row" { (context.game(game.pairing.id, None)) }
                        td { (seats(context, game)) }
                        td.n { (game.moves) }
                        td.n { (duration(game.wall)) }
                        @if on_several { td { (shown(&game.host)) } }
                    }
                }
            }
        }
    }
}

/// The entrants by seat with their points; winners have a check mark.
pub(super) fn seats(context: &Context, game: &GameSummary) -> Markup {
    html! {
        @for (seat, &id) in game.pairing.seats.iter().enumerate() {
            @if seat > 0 { ", " }
            @let place = game.outcome.places[seat];
            @if place == 1 { strong { (context.entrant(id)) " ✓" } } @else { (context.entrant(id)) }
            " " (game.outcome.points[seat])
        }
    }
}
