//! A bracket as a drawing: a column for each round, a box for each match, and a line from each match to the next match
//! of each entrant that stays in the bracket.
//!
//! Brackets are paired anew in every round (F4), so there is no fixed tree: a line goes to the match that an entrant
//! really plays next. Winners have a check mark as well as bold letters, and byes have boxes.

use super::context::Context;
use super::svg::{cut, number};
use cornerman::format::{EntrantId, GameId, Match, Part, Round, Side};
use maud::{Markup, html};

const BOX: (f64, f64) = (188.0, 44.0);
/// The height of one side of a match.
const ROW: f64 = 22.0;
/// The gaps between columns, and between the boxes of a column.
const GAP: (f64, f64) = (38.0, 26.0);
const TOP: f64 = 30.0;
const MARGIN: f64 = 4.0;
/// The most characters of a name that fit.
const LETTERS: usize = 18;

/// The positions of all parts of a bracket.
#[derive(Clone, Debug, Default, PartialEq)]
struct Drawing {
    columns: Vec<(f64, String)>,
    boxes: Vec<Placed>,
    /// Lines from the right of an entrant's box to the left of its next one.
    lines: Vec<[(f64, f64); 2]>,
    size: (f64, f64),
}

/// A match or a bye with its position.
#[derive(Clone, Debug, PartialEq)]
struct Placed {
    x: f64,
    y: f64,
    column: usize,
    round: u16,
    content: Content,
}

#[derive(Clone, Debug, PartialEq)]
enum Content {
    Match(Match),
    Bye(EntrantId),
}

impl Placed {
    fn entrants(&self) -> Vec<EntrantId> {
        match &self.content {
            Content::Match(group) => group.sides.iter().map(|side| side.entrant).collect(),
            Content::Bye(id) => vec![*id],
        }
    }

    /// The height of an entrant's row.
    fn row(&self, id: EntrantId) -> Option<f64> {
        let at = self.entrants().iter().position(|other| *other == id)?;
        match self.content {
            Content::Match(_) => Some(self.y + ROW * (at as f64 + 0.5)),
            Content::Bye(_) => Some(self.y + ROW / 2.0),
        }
    }
}

/// The drawing of the parts of these rounds that are called `title`.
pub fn drawing(context: &Context, stage: u8, rounds: &[Round], title: Option<&str>) -> Markup {
    let of_title = |round: &'_ Round| round.parts.iter().find(|part| part.title == title).cloned();
    let parts: Vec<(&Round, Part)> = rounds.iter().filter_map(|round| Some((round, of_title(round)?))).collect();
    let drawing = place(&parts);
    let name = title.unwrap_or("bracket");
    let name = name[..1].to_uppercase() + &name[1..];
    let (width, height) = drawing.size;
    html! {
        svg.bracket viewBox={ "0 0 " (number(width)) " " (number(height)) } width=(number(width)) height=(number(height)) role="group" aria-label=(name) {
            @for (x, words) in &drawing.columns { text.round x=(number(*x)) y="16" { (words) } }
            @for [from, to] in &drawing.lines { path.way d=(way(*from, *to)) {} }
            @for placed in &drawing.boxes { (drawn(context, stage, placed)) }
        }
    }
}

/// Places columns of boxes, each centred, and the lines between them.
fn place(parts: &[(&Round, Part)]) -> Drawing {
    let mut drawing = Drawing::default();
    let most = parts.iter().map(|(_, part)| part.matches.len() + part.byes.len()).max().unwrap_or(0);
    let height = TOP + most as f64 * (BOX.1 + GAP.1);
    for (column, (round, part)) in parts.iter().enumerate() {
        let x = MARGIN + column as f64 * (BOX.0 + GAP.0);
        drawing.columns.push((x, crate::bracket::title(round)));
        let matches = part.matches.iter().cloned().map(Content::Match);
        let all: Vec<Content> = matches.chain(part.byes.iter().map(|&id| Content::Bye(id))).collect();
        let slot = (height - TOP) / all.len().max(1) as f64;
        for (at, content) in all.into_iter().enumerate() {
            let high = if matches!(content, Content::Bye(_)) { ROW } else { BOX.1 };
            let y = TOP + slot * at as f64 + (slot - high) / 2.0;
            drawing.boxes.push(Placed { x, y, column, round: round.number, content });
        }
    }
    for (at, placed) in drawing.boxes.iter().enumerate() {
        for id in placed.entrants() {
            let later = drawing.boxes[at + 1..].iter().filter(|later| later.column > placed.column);
            let next = later.min_by_key(|later| if later.row(id).is_some() { later.column } else { usize::MAX });
            if let Some((next, to)) = next.and_then(|next| Some((next, next.row(id)?)))
                && let Some(from) = placed.row(id)
            {
                drawing.lines.push([(placed.x + BOX.0, from), (next.x, to)]);
            }
        }
    }
    let width = 2.0 * MARGIN + parts.len() as f64 * (BOX.0 + GAP.0) - GAP.0;
    drawing.size = (width.max(1.0), height);
    drawing
}

/// A curve that is level at both ends.
fn way((x, y): (f64, f64), (to_x, to_y): (f64, f64)) -> String {
    let middle = (x + to_x) / 2.0;
    let [x, y, middle, to_x, to_y] = [x, y, middle, to_x, to_y].map(|value| number(value).0);
    format!("M{x} {y}C{middle} {y} {middle} {to_y} {to_x} {to_y}")
}

fn drawn(context: &Context, stage: u8, placed: &Placed) -> Markup {
    match &placed.content {
        Content::Bye(id) => html! {
            g.match.bye {
                rect x=(number(placed.x)) y=(number(placed.y)) width=(BOX.0) height=(ROW) rx="4" {}
                text x=(number(placed.x + 8.0)) y=(number(placed.y + 15.5)) { (named(context, *id)) " · bye" }
            }
        },
        Content::Match(group) => {
            let id = GameId { stage, round: placed.round, table: group.table, game: 0 };
            let target = if group.games > 0 { context.replay(id, None) } else { None };
            let inner = html! {
                rect x=(number(placed.x)) y=(number(placed.y)) width=(BOX.0) height=(BOX.1) rx="4" {}
                @for (at, side) in group.sides.iter().take(2).enumerate() {
                    (one(context, placed, group, at, side))
                }
            };
            let below = below(group);
            html! {
                g.match.open[!group.over] {
                    title { (in_words(context, group)) }
                    @if let Some(target) = target { a href=(target) aria-label=(in_words(context, group)) { (inner) } } @else { (inner) }
                    @if !below.is_empty() {
                        text.note x=(number(placed.x + 8.0)) y=(number(placed.y + BOX.1 + 13.0)) { (below) }
                    }
                }
            }
        }
    }
}

/// One side of a match: name, check mark of the winner, games won, points.
fn one(context: &Context, placed: &Placed, group: &Match, at: usize, side: &Side) -> Markup {
    let y = number(placed.y + ROW * at as f64 + 15.5);
    let won = group.winner == Some(side.entrant);
    html! {
        text.won[won] x=(number(placed.x + 8.0)) y=(y) {
            (named(context, side.entrant)) @if won { " ✓" }
        }
        @if group.games > 0 {
            text.score.won[won] x=(number(placed.x + BOX.0 - 8.0)) y=(y) text-anchor="end" { (side.wins) " · " (side.points) }
        }
    }
}

fn named(context: &Context, id: EntrantId) -> String {
    cut(&context.tournament().name(id), LETTERS)
}

/// The text below a match.
fn below(group: &Match) -> String {
    let state = if !group.over {
        Some("under way")
    } else if group.winner.is_none() {
        Some("tied")
    } else {
        None
    };
    let signed = |note: &&'static str| if *note == "met before" { "↻ met before" } else { *note };
    state.into_iter().chain(group.notes.iter().map(signed)).collect::<Vec<_>>().join(", ")
}

/// `gull 2, tern 0: gull wins; met before`.
fn in_words(context: &Context, group: &Match) -> String {
    let side = |side: &Side| format!("{} {}", context.tournament().name(side.entrant), side.wins);
    let sides: Vec<String> = group.sides.iter().map(side).collect();
    let winner = group.winner.map(|id| format!(": {} wins", context.tournament().name(id))).unwrap_or_default();
    let notes = below(group);
    let notes = if notes.is_empty() { notes } else { format!("; {notes}") };
    format!("{}{winner}{notes}", sides.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn group(table: u32, a: u16, b: u16) -> Match {
        let side = |id| Side { entrant: EntrantId(id), wins: 0, points: 0 };
        Match { table, sides: vec![side(a), side(b)], over: true, ..Match::default() }
    }

    fn part(matches: &[(u16, u16)], byes: &[u16]) -> Part {
        let matches = (0..).zip(matches).map(|(table, (a, b))| group(table, *a, *b)).collect();
        Part { title: None, matches, byes: byes.iter().copied().map(EntrantId).collect() }
    }

    fn placed(parts: &[Part]) -> Drawing {
        let rounds: Vec<Round> =
            (0..).zip(parts).map(|(number, _)| Round { number, ..Round::default() }).collect();
        place(&rounds.iter().zip(parts.iter().cloned()).collect::<Vec<_>>())
    }

    #[test]
    fn boxes_of_a_column_do_not_overlap_and_lie_within_the_drawing() {
        let drawing = placed(&[part(&[(0, 5), (1, 4), (2, 3)], &[6]), part(&[(0, 1)], &[2])]);
        for (at, one) in drawing.boxes.iter().enumerate() {
            assert!(one.x >= 0.0 && one.x + BOX.0 <= drawing.size.0, "{one:?}");
            assert!(one.y >= TOP && one.y + BOX.1 <= drawing.size.1 + 0.1, "{one:?}");
            for other in drawing.boxes[at + 1..].iter().filter(|other| other.column == one.column) {
                assert!(one.y + BOX.1 <= other.y, "{one:?} is over {other:?}");
            }
        }
    }

    #[test]
    fn lines_lead_to_the_next_match_of_the_same_entrant() {
        // 2 has a bye in the second round, 1 and 3 are out after the first, and 4 does not play in the second.
        let drawing = placed(&[part(&[(0, 1), (2, 3)], &[4]), part(&[], &[2]), part(&[(0, 2)], &[4])]);
        let row = |at: usize, id: u16| drawing.boxes[at].row(EntrantId(id)).unwrap();
        let right = |at: usize| drawing.boxes[at].x + BOX.0;
        let wanted = vec![
            [(right(0), row(0, 0)), (drawing.boxes[4].x, row(4, 0))],
            [(right(1), row(1, 2)), (drawing.boxes[3].x, row(3, 2))],
            [(right(2), row(2, 4)), (drawing.boxes[5].x, row(5, 4))],
            [(right(3), row(3, 2)), (drawing.boxes[4].x, row(4, 2))],
        ];
        assert_eq!(drawing.lines, wanted);
    }

    #[test]
    fn a_line_is_level_at_both_ends() {
        assert_eq!(way((0.0, 10.0), (40.0, 30.0)), "M0 10C20 10 20 30 40 30");
    }
}
