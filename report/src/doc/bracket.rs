//! A bracket as a drawing: a column for each round, a box for each match, and a line from each match to the next match
//! of each entrant that stays in the bracket. The organizer's bots have no lines.
//!
//! Some brackets are paired anew in every round (F4), so no fixed tree is assumed: a line goes to the match that the
//! entrant plays next, and the boxes of a column are ordered so that few lines cross. Winners have a check mark as
//! well as bold letters, and byes have boxes.

use super::links::Links;
use super::svg::{fit, number};
use cornerman::format::{EntrantId, GameId, Match, Part, Round, Side};
use cornerman_harness::record::Role;
use maud::{Markup, html};
use std::collections::BTreeMap;

/// The size of the box of a match of two.
const BOX_WIDTH: f64 = 206.0;
const BOX_HEIGHT: f64 = 2.0 * ROW;
/// The width of an entrant's seed, at the left of its box.
const SEED: f64 = 18.0;
/// The width of the games won and the points of a side, at the right of its box; its name ends before them.
const SCORE: f64 = 76.0;
/// The width of the word behind the name of an entrant with a bye.
const BYE: f64 = 48.0;
/// The width for a note below a match, as if its letters had the size of names. They are smaller: 11 pixels, not 13.
const NOTE: f64 = (BOX_WIDTH - 8.0) * 13.0 / 11.0;
/// The height of one side of a match.
const ROW: f64 = 22.0;
/// The gap between columns. Five columns are as wide as the page.
const COLUMN_GAP: f64 = 34.0;
/// The gap between the boxes of the fullest column.
const BOX_GAP: f64 = 26.0;
/// The height of the titles above the boxes.
const TOP: f64 = 30.0;
const MARGIN: f64 = 4.0;
/// How often all columns are put in order at most.
const SWEEPS: usize = 24;
/// How often the boxes of all columns are moved at most after a sweep.
const PASSES: usize = 8;
/// How many rounds of a long bracket are shown first: the last ones, which decide it.
const LAST: usize = 5;
/// How much is drawn of each end of a line past other columns, or through a tangle.
const STUB: f64 = 12.0;
/// A line that crosses this many others or more is only drawn at its ends.
const TANGLE: usize = 4;

/// A horizontal and a vertical position.
type Point = (f64, f64);

/// The positions of all parts of a bracket.
#[derive(Clone, Debug, Default, PartialEq)]
struct BracketDrawing {
    /// The left edge and the title of each column.
    columns: Vec<(f64, String)>,
    boxes: Vec<PlacedBox>,
    /// Lines from the right of an entrant's box to the left of its next one.
    lines: Vec<(EntrantId, [Point; 2])>,
    /// Width and height.
    size: (f64, f64),
}

impl BracketDrawing {
    /// How many lines between the same columns this line crosses.
    fn crossed(&self, from: Point, to: Point) -> usize {
        let between = self.lines.iter().filter(|(_, ends)| ends.map(|(x, _)| x) == [from.0, to.0]);
        between.filter(|(_, [start, end])| (start.1 - from.1) * (end.1 - to.1) < 0.0).count()
    }
}

/// A match with its position. A bye is a match with one side.
#[derive(Clone, Debug, PartialEq)]
struct PlacedBox {
    x: f64,
    y: f64,
    column: usize,
    round: u16,
    group: Match,
}

impl PlacedBox {
    /// The vertical middle of an entrant's row; `None` if it is not in the box.
    fn row(&self, id: EntrantId) -> Option<f64> {
        let at = entrants(&self.group).iter().position(|other| *other == id)?;
        Some(self.y + ROW * (at as f64 + 0.5))
    }
}

/// The entrants of a match, the upper side first.
fn entrants(group: &Match) -> Vec<EntrantId> {
    group.sides.iter().map(|side| side.entrant).collect()
}

/// One bracket of a stage.
pub(super) struct Bracket<'a> {
    /// Names, and where they lead.
    pub links: &'a Links<'a>,
    /// The stage, from 0.
    pub stage: u8,
    /// Its rounds.
    pub rounds: &'a [Round],
    /// The entrants, the best seed first.
    pub seeds: &'a [EntrantId],
    /// Which of its parts are drawn.
    pub title: Option<&'static str>,
}

impl Bracket<'_> {
    /// Its name as a heading.
    pub(super) fn name(&self) -> String {
        let title = self.title.unwrap_or("bracket");
        title[..1].to_uppercase() + &title[1..]
    }

    /// Its drawing, in a box that `scroll` makes. Of a long bracket, only the last rounds are drawn at first; below is
    /// a map of all rounds that opens the whole drawing.
    pub(super) fn shown(&self, scroll: &dyn Fn(&str, Markup) -> Markup) -> Markup {
        let name = self.name();
        let of_title = |round: &Round| round.parts.iter().find(|part| part.title == self.title).cloned();
        let parts: Vec<(&Round, Part)> =
            self.rounds.iter().filter_map(|round| Some((round, of_title(round)?))).collect();
        let is_entry =
            |id: EntrantId| self.links.entrants.get(id.index()).is_none_or(|one| one.role == Role::Entry);
        let all = place(&parts, &is_entry);
        let earlier = parts.len().saturating_sub(LAST);
        if earlier == 0 {
            return scroll(&name, self.drawing(&all, &name, None));
        }
        let whole = format!("bracket-{}-{name}", self.stage);
        let from = all.columns[earlier].0 - MARGIN;
        let (width, height) = all.size;
        html! {
            (scroll(&name, self.drawing(&place(&parts[earlier..], &is_entry), &name, None)))
            details.part {
                summary {
                    "All " (parts.len()) " rounds"
                    svg.map viewBox={ "0 0 " (number(width)) " " (number(height)) } aria-hidden="true" {
                        use href={ "#" (whole) } {}
                        rect.there x=(number(from)) y="0" width=(number(width - from)) height=(number(height)) {}
                    }
                }
                (scroll(&name, self.drawing(&all, &name, Some(&whole))))
            }
        }
    }

    /// The drawing as SVG; its `id` is for the map that refers to it.
    fn drawing(&self, drawing: &BracketDrawing, name: &str, id: Option<&str>) -> Markup {
        let (width, height) = drawing.size;
        html! {
            svg.bracket id=[id] viewBox={ "0 0 " (number(width)) " " (number(height)) } width=(number(width)) height=(number(height)) role="group" aria-label=(name) {
                @for (x, words) in &drawing.columns { text.round x=(number(*x)) y="16" { (words) } }
                @for (id, [from, to]) in &drawing.lines { path.way data-bot=(self.links.name(*id)) d=(way(*from, *to, drawing.crossed(*from, *to) >= TANGLE)) {} }
                @for placed in &drawing.boxes { (self.drawn(placed)) }
            }
        }
    }

    /// The box of a match, which leads to its first game, or of a bye.
    fn drawn(&self, placed: &PlacedBox) -> Markup {
        match &placed.group.sides[..] {
            [Side { entrant: id, .. }] => html! {
                g.match.bye {
                    rect x=(number(placed.x)) y=(number(placed.y)) width=(BOX_WIDTH) height=(ROW) rx="4" {}
                    (self.seed(placed, placed.y, *id))
                    text data-bot=(self.links.name(*id)) x=(number(placed.x + 8.0 + SEED)) y=(number(placed.y + 15.5)) {
                        (fit(&self.links.name(*id), BOX_WIDTH - 8.0 - SEED - BYE, false)) " · bye"
                    }
                }
            },
            sides => {
                let group = &placed.group;
                let id = GameId {
                    stage: self.stage,
                    round: placed.round,
                    table: group.table,
                    game: 0,
                    attempt: group.attempt,
                };
                let target = (group.games > 0).then(|| self.links.replay(id, None)).flatten();
                let inner = html! {
                    rect x=(number(placed.x)) y=(number(placed.y)) width=(BOX_WIDTH) height=(BOX_HEIGHT) rx="4" {}
                    @for (at, side) in sides.iter().enumerate() {
                        (self.side(placed, group, at, side))
                    }
                };
                let below = below(group);
                let words = in_words(self.links, group);
                html! {
                    g.match.open[!group.over] {
                        title { (words) }
                        @if let Some(target) = target { a href=(target) aria-label=(words) { (inner) } } @else { (inner) }
                        @if !below.is_empty() {
                            text.note x=(number(placed.x + 8.0)) y=(number(placed.y + BOX_HEIGHT + 13.0)) { (fit(&below, NOTE, false)) }
                        }
                    }
                }
            }
        }
    }

    /// One side of a match: seed, name, check mark of the winner, games won, points. The name has a drawing of its own,
    /// which cuts it off where its letters are wider than expected.
    fn side(&self, placed: &PlacedBox, group: &Match, at: usize, side: &Side) -> Markup {
        let top = placed.y + ROW * at as f64;
        let y = number(top + 15.5);
        let won = group.winner == Some(side.entrant);
        // Without games, there is at most the check mark of a walkover.
        let score = if group.games > 0 { SCORE } else { 24.0 };
        let width = BOX_WIDTH - 8.0 - SEED - score;
        html! {
            (self.seed(placed, top, side.entrant))
            svg x=(number(placed.x + 8.0 + SEED)) y=(number(top)) width=(number(width)) height=(ROW) {
                text.won[won] data-bot=(self.links.name(side.entrant)) x="0" y="15.5" {
                    (fit(&self.links.name(side.entrant), width, won))
                }
            }
            @if won || group.games > 0 {
                text.score.won[won] x=(number(placed.x + BOX_WIDTH - 8.0)) y=(y) text-anchor="end" {
                    @if won { "✓ " } @if group.games > 0 { (side.wins) " · " (side.points) }
                }
            }
        }
    }

    /// The seed of an entrant in its row.
    fn seed(&self, placed: &PlacedBox, top: f64, id: EntrantId) -> Markup {
        let seed = self.seeds.iter().position(|other| *other == id);
        html! {
            @if let Some(seed) = seed {
                text.seed x=(number(placed.x + 8.0)) y=(number(top + 15.0)) { (seed + 1) }
            }
        }
    }
}

/// Places columns of boxes, each in the middle of an equal share of its column, and between them the lines of the
/// entrants that `have_lines`.
fn place(parts: &[(&Round, Part)], have_lines: &dyn Fn(EntrantId) -> bool) -> BracketDrawing {
    let mut drawing = BracketDrawing::default();
    let mut columns: Vec<Vec<Match>> = parts.iter().map(|(_, part)| matches_and_byes(part)).collect();
    let ways = ways(&columns, have_lines);
    untangle(&mut columns, &ways);
    let most = columns.iter().map(Vec::len).max().unwrap_or(0);
    let height = TOP + most as f64 * (BOX_HEIGHT + BOX_GAP) + MARGIN;
    for (column, ((round, _), all)) in parts.iter().zip(columns).enumerate() {
        let x = MARGIN + column as f64 * (BOX_WIDTH + COLUMN_GAP);
        drawing.columns.push((x, crate::round_title(round)));
        let slot = (height - TOP - MARGIN) / all.len().max(1) as f64;
        for (at, group) in all.into_iter().enumerate() {
            let high = ROW * group.sides.len() as f64;
            let y = TOP + slot * at as f64 + (slot - high) / 2.0;
            drawing.boxes.push(PlacedBox { x, y, column, round: round.number, group });
        }
    }
    for (id, [from, to]) in ways {
        let find =
            |column| drawing.boxes.iter().find_map(|it| Some((it.x, it.row(id).filter(|_| it.column == column)?)));
        if let (Some((x, y)), Some(end)) = (find(from), find(to)) {
            drawing.lines.push((id, [(x + BOX_WIDTH, y), end]));
        }
    }
    let width = 2.0 * MARGIN + parts.len() as f64 * (BOX_WIDTH + COLUMN_GAP) - COLUMN_GAP;
    drawing.size = (width.max(1.0), height);
    drawing
}

fn matches_and_byes(part: &Part) -> Vec<Match> {
    let bye =
        |id: &EntrantId| Match { sides: vec![Side { entrant: *id, wins: 0, points: 0 }], ..Match::default() };
    part.matches.iter().cloned().chain(part.byes.iter().map(bye)).collect()
}

/// A line: its entrant, and the columns where it begins and ends.
type Way = (EntrantId, [usize; 2]);

/// The lines from each column to the next one in which the same entrant has a box, for the entrants that `have_lines`.
fn ways(columns: &[Vec<Match>], have_lines: &dyn Fn(EntrantId) -> bool) -> Vec<Way> {
    let mut last = BTreeMap::<EntrantId, usize>::new();
    let mut ways = Vec::new();
    for (at, column) in columns.iter().enumerate() {
        for id in column.iter().flat_map(entrants).filter(|id| have_lines(*id)) {
            ways.extend(last.insert(id, at).map(|from| (id, [from, at])));
        }
    }
    ways
}

/// Orders the boxes of every column so that few lines cross: by the heights at which their lines end, from the
/// last column back, which is enough where one side of each match stays. Where both stay, as after a tie, further
/// sweeps in both directions may find a better order, and so may moves of single boxes after each of them.
fn untangle(columns: &mut [Vec<Match>], ways: &[Way]) {
    let mut heights: Vec<BTreeMap<EntrantId, f64>> = columns.iter().map(|column| heights_in(column)).collect();
    let mut fewest = usize::MAX;
    let mut best = columns.to_vec();
    for sweep in 0..SWEEPS {
        let is_backward = sweep % 2 == 0;
        for step in 0..columns.len() {
            let at = if is_backward { columns.len() - 1 - step } else { step };
            let other_end = |&(id, [from, to]): &Way| {
                let (own, other) = if is_backward { (from, to) } else { (to, from) };
                (own == at).then(|| (id, heights[other][&id]))
            };
            let ends: BTreeMap<EntrantId, f64> = ways.iter().filter_map(other_end).collect();
            arrange(&mut columns[at], &ends);
            heights[at] = heights_in(&columns[at]);
        }
        let mut moved = columns.to_vec();
        let crossings = move_boxes(&mut moved, ways);
        if crossings < fewest {
            fewest = crossings;
            best = moved;
        }
        if crossings == 0 {
            break;
        }
    }
    columns.clone_from_slice(&best);
}

/// Moves boxes within their columns, and swaps the sides of boxes, until that makes no fewer lines cross, or for
/// [`PASSES`] passes. Returns how many pairs of lines cross in the end.
fn move_boxes(columns: &mut [Vec<Match>], ways: &[Way]) -> usize {
    let mut heights: Vec<BTreeMap<EntrantId, f64>> = columns.iter().map(|column| heights_in(column)).collect();
    let mut least = crossings(ways, &heights);
    for _ in 0..PASSES {
        for (at, column) in columns.iter_mut().enumerate() {
            let mut ends = BTreeMap::<EntrantId, Vec<(usize, f64)>>::new();
            for (id, [from, to]) in ways.iter().filter(|(_, ends)| ends.contains(&at)) {
                let other = if *from == at { *to } else { *from };
                ends.entry(*id).or_default().push((other, heights[other][id]));
            }
            sift(column, &ends);
            heights[at] = heights_in(column);
        }
        let found = crossings(ways, &heights);
        if found >= least {
            break;
        }
        least = found;
    }
    least
}

/// Swaps the sides of the boxes of one column, and moves one box after the other to where the fewest of its lines
/// cross. `ends` are the other ends of each entrant's lines: a column, and the height there. How many lines of two
/// boxes cross depends only on which one is above.
fn sift(column: &mut [Match], ends: &BTreeMap<EntrantId, Vec<(usize, f64)>>) {
    let lines = |ids: &[EntrantId]| -> Vec<(usize, f64)> {
        ids.iter().filter_map(|id| ends.get(id)).flatten().copied().collect()
    };
    // How many more lines cross if the lines of `a` begin above those of `b` than below.
    let more_crossings = |a: &[(usize, f64)], b: &[(usize, f64)]| -> i64 {
        let pairs = a.iter().flat_map(|a| b.iter().map(move |b| (a, b))).filter(|(a, b)| a.0 == b.0);
        pairs.map(|(a, b)| i64::from(a.1 > b.1) - i64::from(a.1 < b.1)).sum()
    };
    for group in column.iter_mut() {
        let [upper, lower] = entrants(group)[..] else { continue };
        if more_crossings(&lines(&[upper]), &lines(&[lower])) > 0 {
            group.sides.reverse();
        }
    }
    let own: Vec<Vec<(usize, f64)>> = column.iter().map(|group| lines(&entrants(group))).collect();
    let mut order: Vec<usize> = (0..column.len()).collect();
    for moved in 0..column.len() {
        let at = order.iter().position(|other| *other == moved).expect("every box is in the order");
        let mut best = 0;
        let mut place = at;
        let mut change = 0;
        for to in (0..at).rev() {
            change += more_crossings(&own[moved], &own[order[to]]);
            if change < best {
                (best, place) = (change, to);
            }
        }
        change = 0;
        for to in at + 1..order.len() {
            change += more_crossings(&own[order[to]], &own[moved]);
            if change < best {
                (best, place) = (change, to);
            }
        }
        order.remove(at);
        order.insert(place, moved);
    }
    let before = column.to_vec();
    for (place, from) in column.iter_mut().zip(order) {
        *place = before[from].clone();
    }
}

/// The height of each entrant's row in a column, from 0 to 1.
fn heights_in(column: &[Match]) -> BTreeMap<EntrantId, f64> {
    let rows = |(nth, group): (usize, &Match)| {
        let all = entrants(group);
        let height = |side: usize| (nth as f64 + (side as f64 + 0.5) / all.len() as f64) / column.len() as f64;
        all.iter().enumerate().map(|(side, id)| (*id, height(side))).collect::<Vec<_>>()
    };
    column.iter().enumerate().flat_map(rows).collect()
}

/// Orders the boxes of a column, and the sides of each box, by `ends`, the heights of the other ends of their lines. A
/// box without a line stays near its place.
fn arrange(column: &mut [Match], ends: &BTreeMap<EntrantId, f64>) {
    let boxes = column.len() as f64;
    let mut keys = BTreeMap::<EntrantId, f64>::new();
    for (nth, group) in column.iter_mut().enumerate() {
        let found: Vec<f64> = entrants(group).iter().filter_map(|id| ends.get(id)).copied().collect();
        if let [upper, lower] = found[..]
            && upper > lower
        {
            group.sides.reverse();
        }
        let own = (nth as f64 + 0.5) / boxes;
        let mean = if found.is_empty() { own } else { found.iter().sum::<f64>() / found.len() as f64 };
        keys.extend(entrants(group).first().map(|id| (*id, mean)));
    }
    let key = |group: &Match| entrants(group).first().and_then(|id| keys.get(id)).copied().unwrap_or(0.0);
    column.sort_by(|a, b| key(a).total_cmp(&key(b)));
}

/// How many pairs of lines between the same two columns cross.
fn crossings(ways: &[Way], heights: &[BTreeMap<EntrantId, f64>]) -> usize {
    let mut between = BTreeMap::<[usize; 2], Vec<[f64; 2]>>::new();
    for (id, columns) in ways {
        between.entry(*columns).or_default().push(columns.map(|column| heights[column][id]));
    }
    let cross = |a: &[f64; 2], b: &[f64; 2]| (a[0] - b[0]) * (a[1] - b[1]) < 0.0;
    let of_columns = |lines: &Vec<[f64; 2]>| -> usize {
        lines.iter().enumerate().map(|(at, a)| lines[at + 1..].iter().filter(|b| cross(a, b)).count()).sum()
    };
    between.values().map(of_columns).sum()
}

/// The path of a line: a curve that is level at both ends. Of a line that passes other columns, or is `tangled`, only
/// the ends are drawn.
fn way((x, y): (f64, f64), (to_x, to_y): (f64, f64), tangled: bool) -> String {
    let is_cut = tangled || to_x - x > BOX_WIDTH;
    let middle = (x + to_x) / 2.0;
    let before = to_x - STUB;
    let [x, y, middle, before, to_x, to_y] = [x, y, middle, before, to_x, to_y].map(|value| number(value).0);
    if is_cut {
        return format!("M{x} {y}h{STUB}M{before} {to_y}h{STUB}");
    }
    format!("M{x} {y}C{middle} {y} {middle} {to_y} {to_x} {to_y}")
}

/// The text below a match: whether it is under way or tied, and its notes.
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
fn in_words(links: &Links, group: &Match) -> String {
    let side = |side: &Side| format!("{} {}", links.name(side.entrant), side.wins);
    let sides: Vec<String> = group.sides.iter().map(side).collect();
    let winner = group.winner.map(|id| format!(": {} wins", links.name(id))).unwrap_or_default();
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

    fn placed(parts: &[Part]) -> BracketDrawing {
        let rounds: Vec<Round> =
            (0..).zip(parts).map(|(number, _)| Round { number, ..Round::default() }).collect();
        place(&rounds.iter().zip(parts.iter().cloned()).collect::<Vec<_>>(), &|_| true)
    }

    #[test]
    fn boxes_of_a_column_do_not_overlap_and_lie_within_the_drawing() {
        let drawing = placed(&[part(&[(0, 5), (1, 4), (2, 3)], &[6]), part(&[(0, 1)], &[2])]);
        for (at, one) in drawing.boxes.iter().enumerate() {
            assert!(one.x >= 0.0 && one.x + BOX_WIDTH <= drawing.size.0, "{one:?}");
            assert!(one.y >= TOP && one.y + BOX_HEIGHT <= drawing.size.1 + 0.1, "{one:?}");
            for other in drawing.boxes[at + 1..].iter().filter(|other| other.column == one.column) {
                assert!(one.y + BOX_HEIGHT <= other.y, "{one:?} is over {other:?}");
            }
        }
    }

    #[test]
    fn lines_lead_to_the_next_match_of_the_same_entrant() {
        // 2 has a bye in the second round, 1 and 3 are out after the first, and 4 does not play in the second.
        let drawing = placed(&[part(&[(0, 1), (2, 3)], &[4]), part(&[], &[2]), part(&[(0, 2)], &[4])]);
        let row = |at: usize, id: u16| drawing.boxes[at].row(EntrantId(id)).unwrap();
        let right = |at: usize| drawing.boxes[at].x + BOX_WIDTH;
        let wanted = vec![
            (EntrantId(2), [(right(1), row(1, 2)), (drawing.boxes[3].x, row(3, 2))]),
            (EntrantId(0), [(right(0), row(0, 0)), (drawing.boxes[4].x, row(4, 0))]),
            (EntrantId(2), [(right(3), row(3, 2)), (drawing.boxes[4].x, row(4, 2))]),
            (EntrantId(4), [(right(2), row(2, 4)), (drawing.boxes[5].x, row(5, 4))]),
        ];
        assert_eq!(drawing.lines, wanted);
    }

    #[test]
    fn lines_do_not_cross_if_one_side_of_each_match_stays() {
        for entrants in [8, 11, 23, 64] {
            let mut left: Vec<u16> = (0..entrants).collect();
            let mut parts = Vec::new();
            // Each round pairs the best with the worst anew, and the middle one has a bye.
            while left.len() > 1 {
                let bye = if left.len() % 2 == 1 { Some(left.remove(left.len() / 2)) } else { None };
                let pairs: Vec<(u16, u16)> =
                    (0..left.len() / 2).map(|at| (left[at], left[left.len() - 1 - at])).collect();
                parts.push(part(&pairs, bye.as_slice()));
                let winner = |(at, (a, b)): (usize, (u16, u16))| if at % 3 == 0 { b } else { a };
                left = pairs.into_iter().enumerate().map(winner).chain(bye).collect();
                left.sort_unstable();
            }
            let lines: Vec<_> = placed(&parts).lines.into_iter().map(|(_, ends)| ends).collect();
            assert_eq!(
                lines.len(),
                usize::from(entrants) - 1 + parts.iter().map(|part| part.byes.len()).sum::<usize>()
                    - parts.last().map_or(0, |_| 1)
            );
            for (at, [a, b]) in lines.iter().enumerate() {
                let beside = lines[at + 1..].iter().filter(|[c, d]| (a.0, b.0) == (c.0, d.0));
                for [c, d] in beside {
                    assert!((a.1 - c.1) * (b.1 - d.1) > 0.0, "of {entrants}: {:?} crosses {:?}", [a, b], [c, d]);
                }
            }
        }
    }

    #[test]
    fn few_lines_cross_where_both_sides_of_a_tie_stay() {
        let check = |entrants: u16, ties: usize, most: usize| {
            let mut left: Vec<u16> = (0..entrants).collect();
            let mut parts = Vec::new();
            while left.len() > 1 && parts.len() < 8 {
                let bye = if left.len() % 2 == 1 { Some(left.remove(left.len() / 2)) } else { None };
                let pairs: Vec<(u16, u16)> =
                    (0..left.len() / 2).map(|at| (left[at], left[left.len() - 1 - at])).collect();
                parts.push(part(&pairs, bye.as_slice()));
                // One match of every `ties` is a tie. The order of the others changes, so that pairs do not meet again.
                let stay = |(at, (a, b)): (usize, (u16, u16))| if at % ties == 0 { vec![a, b] } else { vec![a] };
                left = bye.into_iter().chain(pairs.into_iter().enumerate().flat_map(stay)).collect();
            }
            let mut columns: Vec<Vec<Match>> = parts.iter().map(matches_and_byes).collect();
            let ways = ways(&columns, &|_| true);
            untangle(&mut columns, &ways);
            let heights: Vec<_> = columns.iter().map(|column| heights_in(column)).collect();
            let found = crossings(&ways, &heights);
            assert!(found <= most, "{entrants} entrants, each {ties}th match a tie: {found} crossings");
        };
        // Sweeps alone leave 30 and 34.
        check(23, 2, 28);
        check(23, 3, 22);
    }

    #[test]
    fn a_line_is_level_at_both_ends() {
        assert_eq!(way((0.0, 10.0), (40.0, 30.0), false), "M0 10C20 10 20 30 40 30");
        // Past another column.
        assert_eq!(way((0.0, 10.0), (320.0, 30.0), false), "M0 10h12M308 30h12");
        // So is one that crosses many others.
        assert_eq!(way((0.0, 10.0), (40.0, 30.0), true), "M0 10h12M28 30h12");
    }
}
