//! Tests of the brackets: small ones worked out by hand, whole ones as text, and properties of all.
//!
//! Seeds count from 1, as in the text that [`tree`] makes: entrant 1 is the best seed.

mod properties;
mod tables;
mod whole;

use super::*;
use crate::format::Field;
use crate::formats::testing::{self, PlayOrder, start};
use crate::game::{End, Outcome};
use alloc::string::{String, ToString};
use core::fmt::Write;

const FILLER: EntrantId = EntrantId(9999);

/// Brackets of the entrants 1 to `n`, with the settings of the published rules.
fn brackets(n: u16) -> Brackets {
    with(n, defaults())
}

fn with(n: u16, settings: BracketsSettings) -> Brackets {
    started(&(1..=n).map(EntrantId).collect::<Vec<_>>(), 0, settings).unwrap()
}

fn started(entrants: &[EntrantId], seed: u64, settings: BracketsSettings) -> Result<Brackets, FormatError> {
    let field = Field { fillers: vec![FILLER], ..Field::new(0, 0) };
    Brackets::new(&StageInput { field: &field, seed, ..start(1, entrants) }, &settings)
}

/// Brackets of the entrants 1 to `n` with lots drawn from `seed`.
fn seeded(n: u16, seed: u64, lots: bool) -> Brackets {
    let entrants: Vec<EntrantId> = (1..=n).map(EntrantId).collect();
    started(&entrants, seed, BracketsSettings { lots, ..defaults() }).unwrap()
}

fn defaults() -> BracketsSettings {
    BracketsSettings { first_board: Some(BoardNumber(40)), ..BracketsSettings::default() }
}

fn k(k: u32) -> BracketsSettings {
    BracketsSettings { k: Bounded::new(k), ..defaults() }
}

/// The outcome with these places and points, by seat.
fn outcome(places: [u8; 2], points: [i64; 2]) -> Outcome {
    Outcome { places: places.to_vec(), points: points.to_vec(), territory: vec![0; 2], end: End::Played }
}

/// The outcome in which this seat wins, or neither.
fn won_by(seat: Option<usize>) -> Outcome {
    match seat {
        Some(0) => outcome([1, 2], [9, 0]),
        Some(_) => outcome([2, 1], [0, 9]),
        None => outcome([1, 1], [5, 5]),
    }
}

/// All results of a tournament in which `game` gives the outcome of each game.
fn play(brackets: &Brackets, game: impl Fn(&Pairing) -> Outcome) -> Results {
    testing::play(brackets, PlayOrder::ALL_AT_ONCE, game).results
}

/// The better seed wins every game; the filler is the lowest seed.
fn better_seed(pairing: &Pairing) -> Outcome {
    won_by(Some(usize::from(pairing.seats[1] < pairing.seats[0])))
}

/// The entrant that comes first in `order` wins; entrants that are not listed are weaker and ordered by seed.
fn stronger(order: &'static [u16]) -> impl Fn(&Pairing) -> Outcome {
    let strength = |id: EntrantId| order.iter().position(|&of| of == id.0).unwrap_or(order.len() + id.index());
    move |pairing| won_by(Some(usize::from(strength(pairing.seats[1]) < strength(pairing.seats[0]))))
}

/// The tournament as text: one line for each bracket of each round, then the finalists. `1>4` is a win, `1=4` a tie,
/// `1-4` an unfinished match, `F` the filler, `*` a repeat; `bye 2` and `stalled` follow the matches.
fn tree(brackets: &Brackets, done: &Results) -> String {
    let mut text = String::new();
    for round in BracketsState::from_results(brackets, done).rounds {
        for (name, side) in [('w', &round.winners), ('l', &round.losers)] {
            if side.matches.is_empty() && side.bye.is_none() {
                continue;
            }
            write!(text, "{}{name}", round.number + 1).unwrap();
            for m in &side.matches {
                write!(text, " {}", result(m)).unwrap();
            }
            if let Some(bye) = &side.bye {
                write!(text, " bye {}", bye.0).unwrap();
            }
            text.push_str(if side.stalled { " stalled\n" } else { "\n" });
        }
    }
    if let Some(finalists) = brackets.advancing(done) {
        let names: Vec<String> = finalists.iter().map(|id| id.0.to_string()).collect();
        writeln!(text, "final {}", names.join(" ")).unwrap();
    }
    text
}

fn result(m: &BracketMatch) -> String {
    let name = |id: EntrantId| if id == FILLER { "F".to_string() } else { id.0.to_string() };
    let [first, second] = m.pair().map(name);
    let repeat = if m.repeat { "*" } else { "" };
    match m.result {
        None => format!("{first}-{second}{repeat}"),
        Some(MatchResult::Tied) => format!("{first}={second}{repeat}"),
        Some(MatchResult::WonBy(winner)) if winner == m.pair()[0] => format!("{first}>{second}{repeat}"),
        Some(MatchResult::WonBy(_)) => format!("{second}>{first}{repeat}"),
    }
}

/// The pairing of `left` by its definition, and its number of repeats: of all pairings with the fewest repeats, the one
/// in which the best seed's opponent is as low as possible, then that of the next seed, and so on.
pub(super) fn by_trying_all(left: &[usize], met: &[Vec<usize>]) -> (usize, Vec<(usize, usize)>) {
    let Some((&best, rest)) = left.split_first() else { return (0, Vec::new()) };
    let options = rest.iter().rev().map(|&other| {
        let others: Vec<usize> = rest.iter().copied().filter(|&member| member != other).collect();
        let (repeats, mut pairs) = by_trying_all(&others, met);
        pairs.insert(0, (best, other));
        (repeats + usize::from(met[best].contains(&other)), pairs)
    });
    // `min_by_key` returns the first minimum, and the lowest opponents come first.
    options.min_by_key(|(repeats, _)| *repeats).expect("an even number")
}
