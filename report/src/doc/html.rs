//! Sections as parts of a page. `maud` escapes whatever is put into them.

use super::links::{self, Links};
use super::{
    Block, Cell, Column, ColumnKind, Favour, Line, Section, Table, TableLayout, answer, bracket, svg, text,
};
use crate::plain;
use cornerman::format::{GameId, Match, Round, Rounds};
use cornerman_harness::text::plain_lines;
use maud::{Markup, html};

/// A section under a heading of the second level.
pub(crate) fn section(section: &Section, links: Links) -> Markup {
    let title = format!("{}-title", section.anchor);
    html! {
        section id=(section.anchor) aria-labelledby=(title) {
            h2 id=(title) { (words(&section.title, links)) }
            (blocks(&section.blocks, 2, links))
        }
    }
}

/// What is below a heading of this level: first the notes, then the other blocks, beside each other if there is room.
pub(crate) fn blocks(blocks: &[Block], level: usize, links: Links) -> Markup {
    let (notes, others): (Vec<&Block>, Vec<&Block>) =
        blocks.iter().partition(|block| matches!(block, Block::Note(_)));
    html! {
        @for note in notes { (block(note, level, links)) }
        @match &others[..] {
            [] => {},
            [one] => (block(one, level, links)),
            several => div.beside { @for one in several { (block(one, level, links)) } },
        }
    }
}

/// A section within another, which is behind its title if it is folded.
fn part(part: &Section, level: usize, links: Links) -> Markup {
    let id = (!part.anchor.is_empty()).then_some(&part.anchor);
    let title = words(&part.title, links);
    if part.folded {
        // Its summary is not a heading, so the headings within it take the level that it would have.
        let inner = blocks(&part.blocks, level - 1, links);
        return html! { details.part id=[id] { summary { (title) } (inner) } };
    }
    let inner = blocks(&part.blocks, level, links);
    html! {
        div id=[id] {
            @if !part.title.is_empty() { (heading(level, title)) }
            (inner)
        }
    }
}

fn heading(level: usize, title: Markup) -> Markup {
    html! { @match level { ..=2 => h2 { (title) }, 3 => h3 { (title) }, _ => h4 { (title) } } }
}

fn block(block: &Block, level: usize, links: Links) -> Markup {
    let line = |line: &Line| words(line, links);
    match block {
        Block::Note(note) => {
            // An organizer's note may be several sentences.
            let is_whole = text::words(note, links.entrants).ends_with(['.', '!', '?', ':']);
            html! { p { (line(note)) @if !is_whole { "." } } }
        }
        Block::List(list) => html! { ul { @for item in list { li { (line(item)) } } } },
        Block::Facts(facts) => html! {
            dl.facts { @for (name, value) in facts { div { dt { (plain(name)) } dd { (line(value)) } } } }
        },
        Block::Table(shown) => table(shown, links),
        Block::Written(text) => html! { pre.answer tabindex="0" { (plain_lines(text.trim_end())) } },
        Block::Answer { shown, answered } => answer::AnswerDifference::between(shown, answered).markup(),
        Block::Rounds { stage, rounds, .. } => drawn_rounds(*stage, rounds, level, links),
        Block::Podium(steps) => podium(steps, links),
        Block::Part(inner) => part(inner, level + 1, links),
    }
}

/// A table that scrolls inside its own box, which the keyboard can reach; behind it, if it is long, the rows that are
/// shown when asked.
fn table(table: &Table, links: Links) -> Markup {
    let name = text::words(&table.caption, links.entrants);
    let rows = &table.rows[..];
    match table.first {
        Some(first) if first < rows.len() => html! {
            (scroll(&name, rows_of(table, &rows[..first], links)))
            details.part { summary { (rows.len() - first) " more" } (scroll(&name, rows_of(table, &rows[first..], links))) }
        },
        _ => scroll(&name, rows_of(table, rows, links)),
    }
}

/// A table with some of its rows.
fn rows_of(table: &Table, rows: &[Vec<Cell>], links: Links) -> Markup {
    let is_matrix = table.layout == TableLayout::Matrix;
    let class = |column: &Column| match column.kind {
        ColumnKind::Number => Some("n"),
        ColumnKind::Wide => Some("words"),
        _ => None,
    };
    let title = |column: &Column| column.entrant.map(|id| links.name(id));
    html! {
        table class=[is_matrix.then_some("heat")] {
            @if !table.caption.is_empty() { caption { (words(&table.caption, links)) } }
            thead { tr { @for column in &table.columns {
                @if column.title.is_empty() { td class=[class(column)] {} }
                @else { th scope="col" class=[class(column)] title=[title(column)] { (plain(&column.title)) } }
            } } }
            tbody { @for row in rows { tr { @for (one, column) in row.iter().zip(&table.columns) {
                @let inner = cell(one, links);
                @match (column.kind, one) {
                    (ColumnKind::Name, _) => th scope="row" { (inner) },
                    (_, Cell::Against(_, favour)) => td class=(tone(*favour)) { (inner) },
                    _ => td class=[class(column)] { (inner) },
                }
            } } } }
        }
    }
}

/// A box that scrolls, with a name for screen readers.
fn scroll(name: &str, content: Markup) -> Markup {
    let name = if name.is_empty() { "Table" } else { name };
    html! { div.scroll tabindex="0" role="group" aria-label=(name) { (content) } }
}

/// A figure with true minus signs.
fn figure_text(text: &str) -> String {
    plain(text).replace('-', "−")
}

/// The class of a cell's colour.
fn tone(favour: Favour) -> String {
    match favour {
        Favour::Same => "self".to_string(),
        Favour::Step(step) => format!("h{step}"),
    }
}

/// The first three places, with the entrants that share them.
fn podium(steps: &[(u32, Vec<Line>)], links: Links) -> Markup {
    /// The most names on a step; the others are only counted.
    const NAMES: usize = 6;
    html! {
        ol.podium {
            @for (place, all) in steps {
                li.{ "place-" (place) } value=(place) {
                    p.place { (ordinal(*place)) @if all.len() > 1 { ", shared by " (all.len()) } }
                    ul {
                        @for one in all.iter().take(NAMES) { li { (words(one, links)) } }
                        @if all.len() > NAMES { li { "and " (all.len() - NAMES) " more" } }
                    }
                }
            }
        }
    }
}

fn ordinal(place: u32) -> String {
    let end = match place {
        1 => "st",
        2 => "nd",
        3 => "rd",
        _ => "th",
    };
    format!("{place}{end}")
}

/// Brackets as drawings, groups of a Swiss system as cards, below a heading of this level.
fn drawn_rounds(stage: u8, rounds: &Rounds, level: usize, links: Links) -> Markup {
    let Some(seeds) = &rounds.seeds else {
        return html! { div.rounds { @for round in &rounds.list { div { (groups(stage, round, level, links)) } } } };
    };
    let titles = crate::distinct(rounds.list.iter().flat_map(|round| &round.parts).map(|part| part.title));
    html! {
        div.drawn {
            p.hint { "In a match: seed, name, games won · points; ✓ the winner. A line leads to the next match in the same bracket." }
            div.brackets {
                @for title in titles {
                    @let bracket = bracket::Bracket { links: &links, stage, rounds: &rounds.list, seeds, title };
                    div {
                        @if title.is_some() { (heading(level + 1, html! { (bracket.name()) })) }
                        (bracket.shown(&scroll))
                    }
                }
            }
        }
    }
}

/// A round as cards, under its title.
fn groups(stage: u8, round: &Round, level: usize, links: Links) -> Markup {
    html! {
        (heading(level + 1, html! { (crate::round_title(round)) }))
        ul.groups {
            @for part in &round.parts {
                @for one in &part.matches { li.card { (card(stage, round, one, links)) } }
                @for id in &part.byes { li.card.bye { (links.entrant(*id)) " · bye" } }
            }
        }
    }
}

/// A match: its members with their points, in the order of their results if there are more than two.
fn card(stage: u8, round: &Round, group: &Match, links: Links) -> Markup {
    let id = GameId { stage, round: round.number, table: group.table, game: 0, attempt: group.attempt };
    let name = format!("m{}", u64::from(group.table) + 1);
    html! {
        p.card-head {
            @if group.games > 0 { (links.game(id, None, &name)) } @else { (name) }
            @if !group.over { " · under way" }
            @else if group.sides.len() == 2 && group.winner.is_none() { " · tied" }
            @for note in &group.notes { " · " (note) }
        }
        ul {
            @for side in &group.sides {
                li {
                    @if group.winner == Some(side.entrant) { strong { (links.entrant(side.entrant)) " ✓" } }
                    @else { (links.entrant(side.entrant)) }
                    @if group.games > 0 {
                        span.n { @if group.sides.len() == 2 { (side.wins) " · " } (side.points) }
                    }
                }
            }
        }
    }
}

/// A line of a page.
pub(crate) fn words(line: &Line, links: Links) -> Markup {
    html! { @for one in &line.0 { (cell(one, links)) } }
}

fn cell(cell: &Cell, links: Links) -> Markup {
    match cell {
        Cell::Code(text) => html! { code { (plain(text)) } },
        Cell::Address(text) => links::address(text),
        Cell::Entrant(id) => links.entrant(*id),
        Cell::Opponent(pair) => html! { span id=(links::meetings_anchor(*pair)) { (links.entrant(pair[1])) } },
        Cell::Meetings(pair, figure) => {
            let figure = figure_text(figure);
            html! { @if let Some(target) = links.meetings(*pair) { a href=(target) { (figure) } } @else { (figure) } }
        }
        Cell::Game(id, at) => links.game(*id, *at, &id.to_string()),
        Cell::Figure(text) => html! { (figure_text(text)) },
        Cell::Drawing(drawing) => svg::drawn(drawing),
        Cell::Strong(inner) => html! { strong { (self::cell(inner, links)) } },
        Cell::Against(inner, _) => self::cell(inner, links),
        Cell::Line(line) => words(line, links),
        other => html! { (text::cell(other, links.entrants)) },
    }
}
