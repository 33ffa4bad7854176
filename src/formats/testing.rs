//! Plays formats with invented results, for tests: in any order of completion, any number of games at a time.

use crate::format::{
    EntrantId, Field, GameId, Pairing, Plan, Results, Schedule, StageInput, StageRemark, StandingsColumn,
};
use crate::game::{End, Outcome};
use crate::journal::Journal;
use crate::rng::Rng;
use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::Write;

/// More games than any tournament in the tests has. A tournament with this many would never end.
const TOO_MANY: usize = 1_000_000;

/// The order in which the games of a tournament finish.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PlayOrder {
    /// The seed that decides which of the planned games finish next.
    pub seed: u64,
    /// The number of games that finish before the next plan is made, as after an interruption.
    pub batch: usize,
}

impl PlayOrder {
    /// All planned games finish before the next plan is made.
    pub(crate) const ALL_AT_ONCE: PlayOrder = PlayOrder { seed: 0, batch: usize::MAX };
}

/// A tournament played to its end.
#[derive(Debug, PartialEq)]
pub(crate) struct Played {
    /// Every game, by its id.
    pub games: BTreeMap<GameId, Pairing>,
    /// Every outcome.
    pub results: Results,
}

impl Played {
    /// The number of games with a single winner.
    pub(crate) fn games_with_a_winner(&self) -> i64 {
        self.games.keys().filter(|id| self.results.get(**id).unwrap().winners().count() == 1).count() as i64
    }
}

/// The input of a format that needs neither fillers nor random numbers.
pub(crate) fn start(stage: u8, entrants: &[EntrantId]) -> StageInput<'_> {
    static FIELD: Field = Field::new(0, 0);
    static JOURNAL: Journal = Journal::new();
    StageInput { stage, entrants, field: &FIELD, seed: 0, journal: &JOURNAL }
}

/// Plays `format` to its end; `judge` gives the outcome of each game.
pub(crate) fn play(format: &dyn Schedule, order: PlayOrder, judge: impl Fn(&Pairing) -> Outcome) -> Played {
    play_plan(|done| format.plan(done), order, judge)
}

/// Plays the games of each `plan` until it is finished, and checks what every plan guarantees.
pub(crate) fn play_plan(
    mut plan: impl FnMut(&Results) -> Plan,
    order: PlayOrder,
    judge: impl Fn(&Pairing) -> Outcome,
) -> Played {
    let mut played = Played { games: BTreeMap::new(), results: Results::new() };
    let mut rng = Rng::new(order.seed);
    while let Plan::Play(mut games) = plan(&played.results) {
        assert!(!games.is_empty(), "an unfinished plan has no games");
        rng.shuffle(&mut games);
        for game in &games {
            assert_eq!(played.results.get(game.id), None, "{} is planned although it has a result", game.id);
            assert!(all_different(&game.seats), "{}: an entrant plays itself: {:?}", game.id, game.seats);
        }
        for game in games.into_iter().take(order.batch) {
            played.results.insert(game.id, judge(&game));
            assert_eq!(played.games.insert(game.id, game), None, "two planned games have the same id");
        }
        assert!(played.games.len() < TOO_MANY, "the tournament does not end");
    }
    played
}

/// Plays `format` to its end, one complete round at a time; `judge` gives the outcome of each game. Returns the results
/// and the games of each round.
pub(crate) fn play_rounds(
    format: &dyn Schedule,
    judge: impl Fn(&Pairing) -> Outcome,
) -> (Results, Vec<Vec<Pairing>>) {
    let Played { games, results } = play(format, PlayOrder::ALL_AT_ONCE, judge);
    let games: Vec<Pairing> = games.into_values().collect();
    let rounds = games.chunk_by(|a, b| a.id.round == b.id.round).map(<[Pairing]>::to_vec).collect();
    (results, rounds)
}

fn all_different(seats: &[EntrantId]) -> bool {
    seats.iter().enumerate().all(|(at, id)| !seats[..at].contains(id))
}

/// An invented outcome of `game`, always the same for the same game. The stronger entrant usually wins; ties and
/// forfeits occur.
pub(crate) fn invented(game: &Pairing, strength: impl Fn(EntrantId) -> u64) -> Outcome {
    let mut rng = Rng::new(seed_of(game));
    let powers: Vec<u64> = game.seats.iter().map(|&id| strength(id) + rng.below(40)).collect();
    let end = if rng.below(50) == 0 { End::Forfeited } else { End::Played };
    outcome(&powers.iter().map(|power| (power / 4) as i64).collect::<Vec<_>>(), end)
}

/// The outcome in which each seat has these points, and more points mean a better place.
pub(crate) fn outcome(points: &[i64], end: End) -> Outcome {
    let place = |own: &i64| 1 + points.iter().filter(|points| *points > own).count() as u8;
    let territory = points.iter().map(|&points| points.max(0) as u32).collect();
    Outcome { places: points.iter().map(place).collect(), points: points.to_vec(), territory, end }
}

fn seed_of(game: &Pairing) -> u64 {
    let id = game.id;
    let place = [u64::from(id.stage), u64::from(id.round), u64::from(id.table), u64::from(id.game)];
    let seats = game.seats.iter().map(|seat| u64::from(seat.0));
    place.into_iter().chain(seats).fold(0, |seed, part| Rng::new(seed ^ part).draw())
}

/// For each pair, the smaller number first: how often they met, and how often the first of them sat before the second.
pub(crate) fn meetings(played: &Played) -> BTreeMap<(u16, u16), (u32, u32)> {
    let mut meetings = BTreeMap::new();
    for game in played.games.values() {
        for (at, a) in game.seats.iter().enumerate() {
            for b in &game.seats[at + 1..] {
                let count: &mut (u32, u32) = meetings.entry((a.0.min(b.0), a.0.max(b.0))).or_default();
                count.0 += 1;
                count.1 += u32::from(a < b);
            }
        }
    }
    meetings
}

/// The games as text, one line per match: `s1/r1/m1  0-1 board 0: 12-30, 1-0 board 0: 7-7`.
pub(crate) fn games_as_text(played: &Played) -> String {
    let mut text = String::new();
    let mut before = None;
    for (id, game) in &played.games {
        let same_match = before.replace((id.round, id.table, id.stage)) == Some((id.round, id.table, id.stage));
        if same_match {
            text.push_str(", ");
        } else {
            if !text.is_empty() {
                text.push('\n');
            }
            write!(text, "s{}/r{}/m{}  ", id.stage + 1, id.round + 1, id.table + 1).unwrap();
        }
        let seats: Vec<String> = game.seats.iter().map(|seat| alloc::format!("{}", seat.0)).collect();
        let outcome = played.results.get(*id).unwrap();
        let points: Vec<String> = outcome.points.iter().map(|points| alloc::format!("{points}")).collect();
        write!(text, "{} board {}: {}", seats.join("-"), game.board, points.join("-")).unwrap();
        if outcome.end == End::Forfeited {
            text.push_str(" forfeit");
        }
    }
    text
}

/// The standings as text, one line per entrant: place, entrant, figures.
pub(crate) fn standings_as_text(columns: &[StandingsColumn], standings: &[crate::format::Standing]) -> String {
    let mut text = alloc::format!(
        "place entrant {}",
        columns.iter().map(|column| column.name).collect::<Vec<_>>().join(", ")
    );
    for standing in standings {
        write!(text, "\n{} {} {:?}", standing.place, standing.entrant.0, standing.figures).unwrap();
    }
    text
}

/// A whole tournament as text: its games by round, standings and remarks; `of_game` describes an outcome.
pub(crate) fn tournament_as_text(
    format: &dyn Schedule,
    done: &Results,
    rounds: &[Vec<Pairing>],
    of_game: impl Fn(&Outcome) -> String,
) -> String {
    let names = |list: &[EntrantId]| {
        let names: Vec<String> = list.iter().map(|who| alloc::format!("{}", who.0)).collect();
        names.join(" ")
    };
    let mut text = String::new();
    for game in rounds.iter().flatten() {
        let said = of_game(done.get(game.id).unwrap());
        writeln!(text, "{} board {}: {} -> {said}", game.id, game.board, names(&game.seats)).unwrap();
    }
    writeln!(text, "{:?}", format.columns().iter().map(|column| column.name).collect::<Vec<_>>()).unwrap();
    for standing in format.standings(done) {
        writeln!(text, "{:>2}. {:>3} {:?}", standing.place, standing.entrant.0, standing.figures).unwrap();
    }
    for remark in format.remarks(done) {
        match remark {
            StageRemark::Lot { about, order } => writeln!(text, "lot on {about}: {}", names(&order)).unwrap(),
            other => writeln!(text, "{other:?}").unwrap(),
        }
    }
    text
}
