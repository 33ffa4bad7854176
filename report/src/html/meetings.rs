//! Cross-tables as heat maps: how often each entrant finished ahead of each other one. Every cell has the number; its
//! colour only makes it easier to find.

use super::context::{Context, scroll};
use crate::crosstable::{Crosstable, Meetings};
use crate::style::count;
use cornerman::format::EntrantId;
use maud::{Markup, html};
use std::cmp::Ordering;

/// The number of colours, from all lost to all won; odd, so that there is a middle.
const STEPS: u32 = 9;
/// The most entrants of a cross-table: a larger one would fill most of the page.
const MOST: usize = 200;

/// The cross-table of every stage that has begun.
pub(super) fn section(context: &Context) -> Markup {
    if context.survey.games.is_empty() {
        return html! {};
    }
    let tournament = context.tournament();
    let begun = tournament.stages().filter(|(_, progress)| progress.has_begun()).map(|(stage, _)| stage);
    html! {
        section id="meetings" aria-labelledby="meetings-title" {
            h2 id="meetings-title" { "Who beat whom" }
            p.legend aria-hidden="true" {
                "lost all " @for step in 0..STEPS { span class={ "h" (step) } { " " } } " won all"
            }
            // A stage with rounds is easier to read there, so its cross-table starts folded.
            @let (folded, open): (Vec<u8>, Vec<u8>) = begun.partition(|stage| has_rounds(context, *stage));
            div.tables {
                @for stage in open.into_iter().rev() { (of_stage(context, stage)) }
                @for stage in folded.into_iter().rev() {
                    details id={ "crosstable-" (u16::from(stage) + 1) } {
                        summary { (tournament.stage_title(stage)) }
                        (of_stage(context, stage))
                    }
                }
            }
        }
    }
}

fn has_rounds(context: &Context, stage: u8) -> bool {
    context.survey.rounds.iter().any(|(other, _)| *other == stage)
}

fn of_stage(context: &Context, stage: u8) -> Markup {
    let tournament = context.tournament();
    let crosstable = Crosstable::from_games(tournament, stage, &context.survey.games);
    let title = tournament.stage_title(stage);
    html! {
        (heat_map(context, &title, &crosstable, None))
        @if let Some(tie) = crosstable.tie_margin().filter(|_| crosstable.order().len() <= MOST) {
            (heat_map(context, &title, &crosstable, Some(tie)))
        }
    }
}

/// The table of wins or, given the largest margin that is a tie, of margins (R9).
fn heat_map(context: &Context, title: &str, crosstable: &Crosstable, tie: Option<u32>) -> Markup {
    let order = crosstable.order();
    if order.len() > MOST {
        let json = format!("{} standings DB --format json", context.source.command);
        return html! { p.notice role="note" { (title) ": a cross-table of " (order.len()) " entrants is too large for a page: " code { (json) } " has it." } };
    }
    let columns = crosstable.columns();
    let games = crosstable.games_a_pair();
    let [own, other] = crosstable.sides();
    let is_transposed = crosstable.is_transposed();
    let meetings = |row: EntrantId, column: EntrantId| {
        let (of, against) = if is_transposed { (column, row) } else { (row, column) };
        [crosstable.between(of, against), crosstable.between(against, of)]
    };
    let what = match (tie, games) {
        (Some(tie), _) => {
            format!("margins of the {own} over the {other}, all games together; up to {tie} a tie (R9)")
        }
        (None, Some(games)) => {
            format!("wins of the {own} against the {other}, in {}", count(games, "game"))
        }
        (None, None) => format!("wins of the {own} against the {other} / games"),
    };
    let table = html! {
        table.heat {
            caption { (title) ": " (what) }
            thead { tr {
                th.n scope="col" { "no." }
                th scope="col" { "name" }
                @for at in &columns {
                    th scope="col" title=(context.tournament().name(order[*at])) { (at + 1) }
                }
            } }
            tbody {
                @for (at, row) in order.iter().enumerate() {
                    tr {
                        td.n { (at + 1) }
                        th scope="row" { (context.entrant(*row)) }
                        @for column in &columns {
                            @if at == *column { td.self { "·" } } @else { (cell(meetings(*row, order[*column]), games.is_some(), tie)) }
                        }
                    }
                }
            }
        }
    };
    scroll(title, table)
}

/// The cell of an entrant with the meetings `own` against one with the meetings `other`; `equal` says whether all
/// pairs have met equally often.
fn cell([own, other]: [Meetings; 2], equal: bool, tie: Option<u32>) -> Markup {
    html! {
        @if own.games == 0 { td {} }
        @else if let Some(tie) = tie { td class={ "h" (margin_step(own, tie)) } { (own.margin) } }
        @else if equal { td class={ "h" (step(own, other)) } { (own.wins) } }
        @else { td class={ "h" (step(own, other)) } { (own.wins) "/" (own.games) } }
    }
}

/// The colour of a result, from 0 for all lost to [`STEPS`] - 1 for all won; equal places count half.
fn step(own: Meetings, other: Meetings) -> u32 {
    let twice = own.games + own.wins - other.wins;
    // Rounded to the nearest step.
    (twice * (STEPS - 1) + own.games) / (2 * own.games)
}

/// The same for margins: all won, all lost, or the middle for a tie (R9).
fn margin_step(own: Meetings, tie: u32) -> u32 {
    match own.by_margin(tie) {
        Ordering::Less => 0,
        Ordering::Equal => STEPS / 2,
        Ordering::Greater => STEPS - 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_colour_depends_on_the_share_of_wins() {
        let check = |wins, losses, games, wanted| {
            let own = Meetings { games, wins, margin: 0 };
            let other = Meetings { games, wins: losses, margin: 0 };
            assert_eq!(step(own, other), wanted, "{wins} won, {losses} lost of {games}");
        };
        check(0, 6, 6, 0);
        check(6, 0, 6, 8);
        check(3, 3, 6, 4);
        check(0, 0, 2, 4);
        check(2, 1, 4, 5);
        check(1, 3, 4, 2);
        check(1, 0, 1, 8);
    }
}
