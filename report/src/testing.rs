//! Tournaments with invented results, for tests.

use crate::Style;
use crate::doc::{self, Section};
use cornerman::contest::{Contest, Field, Participants, Stage};
use cornerman::format::{EntrantId, GameId, Pairing, Plan, Results};
use cornerman::formats::{BoardNumber, Format, RoundCount, brackets, swiss};
use cornerman::game::{End, Outcome, Seat, Setup};
use cornerman_harness::contest_spec::{ContestSpec, StageSpec};
use cornerman_harness::record::{
    EntrantRecord, FaultRecord, GameRecord, GameSummary, Header, MoveRecord, Role, StageRecord, TimeUsed,
};
use cornerman_harness::sandbox::Limits;
use std::time::Duration;

const NAMES: [&str; 12] =
    ["gull", "tern", "heron", "wren", "finch", "robin", "crow", "owl", "stork", "swan", "kite", "lark"];

/// A contest with the games played so far.
pub(crate) struct Played {
    pub header: Header,
    pub entrants: Vec<EntrantRecord>,
    pub contest: Contest,
    pub results: Results,
    pub games: Vec<GameSummary>,
}

impl Played {
    pub(crate) fn tournament(&self) -> crate::Tournament<'_> {
        crate::Tournament::new(&self.header, &self.entrants, &self.contest, &self.results)
    }
}

/// The contest of these named `stages` with at most `most` games played. Entrants with smaller numbers mostly score
/// more points.
pub(crate) fn play(field: Field, stages: Vec<(&str, Stage)>, most: usize) -> Played {
    let named = |(name, _): &(&str, Stage)| StageRecord { name: name.to_string(), ..StageRecord::default() };
    let spec = |(name, stage): &(&str, Stage)| {
        let Stage { format, who } = stage.clone();
        StageSpec { name: name.to_string(), format, who }
    };
    let specs = stages.iter().map(spec).collect();
    let header = Header {
        contest: "Club night".to_string(),
        contest_text: "name = \"Club night\"\n".to_string(),
        contest_json: ContestSpec::new("Club night", 0, specs, &Limits::default()).to_json(),
        stages: stages.iter().map(named).collect(),
        ..Header::default()
    };
    let entries = field.entrants;
    let everyone = field.entrants + field.organizer_bots;
    let contest = Contest::new(field, stages.into_iter().map(|(_, stage)| stage).collect(), 5).unwrap();
    let mut results = Results::new();
    let mut games = Vec::new();
    while let Plan::Play(due) = contest.plan(&results).unwrap() {
        if games.len() == most {
            break;
        }
        for pairing in due.into_iter().take(most - games.len()) {
            let outcome = outcome(&pairing);
            results.insert(pairing.id, outcome.clone());
            games.push(head(pairing, outcome));
        }
    }
    let entrants = (0..everyone).map(|number| entrant(number, entries)).collect();
    Played { header, entrants, contest, results, games }
}

/// A contest in which everyone meets everyone, of this many entrants, with at most `most` games played.
pub(crate) fn everyone(entrants: u16, most: usize) -> Played {
    play(Field::new(entrants, 0), vec![("Everyone", all(Format::AllPlayAll(Default::default())))], most)
}

/// A field of this many entrants, and this many of the organizer's fillers.
pub(crate) fn with_fillers(entrants: u16, fillers: u16) -> Field {
    Field { fillers: (entrants..entrants + fillers).map(EntrantId).collect(), ..Field::new(entrants, fillers) }
}

/// The Modified Swiss format with this many rounds, on the first board.
pub(crate) fn fours(rounds: u32) -> Format {
    let rounds = Some(RoundCount::new(rounds));
    let board = Some(BoardNumber(0));
    Format::Swiss(swiss::SwissSettings { rounds, board, ..Default::default() })
}

/// The format with two brackets, from the third board on.
pub(crate) fn two_brackets() -> Format {
    Format::Brackets(brackets::BracketsSettings { first_board: Some(BoardNumber(2)), ..Default::default() })
}

pub(crate) fn all(format: Format) -> Stage {
    Stage { format, who: Participants::All }
}

fn entrant(number: u16, entries: u16) -> EntrantRecord {
    let name = NAMES.get(usize::from(number)).map_or_else(|| format!("bird {number}"), ToString::to_string);
    let role = if number < entries { Role::Entry } else { Role::Filler };
    EntrantRecord { name, role, ..EntrantRecord::default() }
}

/// These sections as text for a file.
pub(crate) fn text_of(sections: impl IntoIterator<Item = Section>, entrants: &[EntrantRecord]) -> String {
    doc::text(&sections.into_iter().collect::<Vec<_>>(), entrants, Style::plain())
}

/// A game of `pairing` from `setup`, in which nobody has moved and the first seat wins.
pub(crate) fn recorded(pairing: Pairing, setup: Setup) -> GameRecord {
    let seats = usize::from(setup.seats);
    let places = (0..seats).map(|seat| if seat == 0 { 1 } else { 2 }).collect();
    GameRecord {
        pairing,
        setup,
        outcome: Outcome { places, points: vec![0; seats], territory: vec![0; seats], end: End::Played },
        started_ms: 0,
        wall: Duration::ZERO,
        host: String::new(),
        moves: Vec::new(),
        faults: Vec::new(),
        seats: Vec::new(),
    }
}

/// A move that took no time.
pub(crate) fn moved(number: u32, seat: u8, notation: &str) -> MoveRecord {
    let notation = notation.to_string();
    MoveRecord { number, seat: Seat(seat), notation, used: TimeUsed::default(), remarks: Vec::new() }
}

/// A forfeit without an answer, which took no time.
pub(crate) fn forfeited(number: u32, seat: u8, kind: &str, detail: &str) -> FaultRecord {
    FaultRecord {
        number,
        seat: Seat(seat),
        kind: kind.to_string(),
        detail: detail.to_string(),
        view: Vec::new(),
        answer: Vec::new(),
        used: TimeUsed::default(),
        stderr: String::new(),
    }
}

/// The first game of a match on the first board.
pub(crate) fn pairing(round: u16, table: u32, seats: &[u16]) -> Pairing {
    let id = GameId { stage: 0, round, table, game: 0, attempt: 0 };
    Pairing { id, seats: seats.iter().copied().map(EntrantId).collect(), board: 0 }
}

/// Any game between two entrants.
pub(crate) fn summary() -> GameSummary {
    let pairing = pairing(0, 0, &[0, 1]);
    let outcome = outcome(&pairing);
    head(pairing, outcome)
}

/// A summary of a game.
pub(crate) fn head(pairing: Pairing, outcome: Outcome) -> GameSummary {
    GameSummary { pairing, outcome, moves: 10, started_ms: 0, wall: Duration::ZERO, host: String::new() }
}

/// An outcome with territories made from the numbers of the entrants and of the game, so that there are upsets. The
/// largest territory wins; equal ones tie.
fn outcome(pairing: &Pairing) -> Outcome {
    let id = pairing.id;
    let mixed = |who: &EntrantId| {
        let noise = u32::from(who.0) * 37 + id.table * 11 + u32::from(id.round) * 23 + u32::from(id.game) * 7;
        100 - u32::from(who.0) * 2 + noise % 13
    };
    let territory: Vec<u32> = pairing.seats.iter().map(mixed).collect();
    let place = |own: &u32| 1 + territory.iter().filter(|held| *held > own).count() as u8;
    let places: Vec<u8> = territory.iter().map(place).collect();
    let points = places.iter().zip(&territory).map(|(place, held)| i64::from(*place == 1) * i64::from(*held));
    Outcome { points: points.collect(), places, territory, end: End::Played }
}
