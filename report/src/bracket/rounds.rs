//! The rounds of the formats that have some, in one form.

use crate::Tournament;
use cornerman::contest::{FormatKind, State};
use cornerman::format::{EntrantId, Pairing, PairingId, Remark};
use cornerman::formats::knockout::{By, Knockout};
use cornerman::formats::{brackets, brackets::Brackets, swiss};
use cornerman::game::Outcome;
use cornerman_harness::record::GameHead;
use std::collections::BTreeMap;

/// The rounds of a stage, in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rounds(pub Vec<Round>);

/// One round.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Round {
    /// Which one, from 0.
    pub number: u16,
    /// The board of all its games, if it is one.
    pub board: Option<u32>,
    /// The brackets of it, or all of it.
    pub parts: Vec<Part>,
}

/// One bracket of a round.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Part {
    /// Which bracket, if there are several.
    pub title: Option<&'static str>,
    /// Its matches.
    pub groups: Vec<Group>,
    /// Who has no opponent.
    pub byes: Vec<EntrantId>,
}

/// A match, or a table of more than two.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Group {
    /// Its number in the round, from 0.
    pub table: u32,
    /// Who plays: in a match the better seed first; in a larger group, once it has played, the best first.
    pub sides: Vec<Side>,
    /// How many games have been played.
    pub games: u32,
    /// Whether all have.
    pub over: bool,
    /// Who won it alone.
    pub winner: Option<EntrantId>,
    /// What else is to be known, in words.
    pub notes: Vec<&'static str>,
}

/// Who plays, and what it has gathered in the match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Side {
    /// Who.
    pub entrant: EntrantId,
    /// Games won alone.
    pub wins: u32,
    /// Points; in the Modified Swiss those of the place (S3).
    pub points: i64,
}

impl Rounds {
    /// The rounds of a stage, from 0; `None` while it has not begun, and for formats whose rounds mean nothing.
    /// `games` are those of the contest; only the Swiss systems look at them.
    pub fn of<'a>(
        tournament: &Tournament,
        stage: u8,
        games: impl IntoIterator<Item = &'a GameHead>,
    ) -> Option<Rounds> {
        let progress = tournament.progress.get(usize::from(stage)).filter(|progress| progress.has_begun())?;
        let kind = &tournament.contest.stages().get(usize::from(stage))?.format;
        let (entrants, done) = (&progress.entrants, tournament.results);
        match kind.for_number(entrants.len()) {
            FormatKind::Brackets(settings) => {
                let rounds = Brackets::new(stage, entrants, *settings).ok()?.rounds(done);
                Some(Rounds(rounds.iter().map(|round| two_brackets(tournament, stage, round)).collect()))
            }
            FormatKind::Knockout(settings) => {
                let format = Knockout::new(stage, entrants, settings.clone()).ok()?;
                Some(knockout(&format, 2 * settings.games_per_order, tournament, stage))
            }
            FormatKind::Swiss { .. } => Some(swiss(tournament, stage, games, true)),
            FormatKind::PairSwiss { .. } => Some(swiss(tournament, stage, games, false)),
            _ => None,
        }
    }
}

fn two_brackets(tournament: &Tournament, stage: u8, round: &brackets::Round) -> Round {
    let games = |m: &brackets::Match| games_of(tournament, 2, stage, round.number, m.table);
    let group = |m: &brackets::Match, stalled| Group { games: games(m), ..bracket_match(m, stalled) };
    let part = |title, bracket: &brackets::BracketRound| Part {
        title: Some(title),
        groups: bracket.matches.iter().map(|m| group(m, bracket.stalled)).collect(),
        byes: bracket.bye.into_iter().collect(),
    };
    let parts = [part("winners' bracket", &round.winners), part("losers' bracket", &round.losers)];
    let parts = parts.into_iter().filter(|part| !part.groups.is_empty() || !part.byes.is_empty()).collect();
    Round { number: round.number, board: Some(round.board), parts }
}

fn bracket_match(m: &brackets::Match, stalled: bool) -> Group {
    let side = |at: usize| Side { entrant: m.pair[at], wins: m.wins[at], points: m.points[at] };
    let winner = match m.result {
        Some(brackets::MatchResult::WonBy(id)) => Some(id),
        _ => None,
    };
    let notes = [(m.repeat, "met before"), (m.filler, "filler"), (stalled, "stalled: points decide ties")];
    Group {
        table: m.table,
        sides: vec![side(0), side(1)],
        over: m.result.is_some(),
        winner,
        notes: notes.into_iter().filter(|(holds, _)| *holds).map(|(_, note)| note).collect(),
        ..Group::default()
    }
}

fn knockout(format: &Knockout, games: u16, tournament: &Tournament, stage: u8) -> Rounds {
    let mut rounds: BTreeMap<u16, Part> = BTreeMap::new();
    for m in format.matches(tournament.results) {
        let side = |at: usize| Side { entrant: m.pair[at], wins: m.wins[at], points: m.points[at] };
        let by = match m.winner {
            Some((_, By::Points)) => Some("by points"),
            Some((_, By::Seed)) => Some("the better seed"),
            _ => None,
        };
        rounds.entry(m.round).or_default().groups.push(Group {
            table: m.table,
            sides: vec![side(0), side(1)],
            games: games_of(tournament, games, stage, m.round, m.table),
            over: m.winner.is_some(),
            winner: m.winner.map(|(id, _)| id),
            notes: by.into_iter().chain(m.third_place.then_some("for third place")).collect(),
        });
    }
    add_byes(tournament, stage, &mut rounds);
    Rounds(rounds.into_iter().map(|(number, part)| Round { number, board: None, parts: vec![part] }).collect())
}

/// How many games of a match of so many have been played.
fn games_of(tournament: &Tournament, games: u16, stage: u8, round: u16, table: u32) -> u32 {
    let played = |game: &u16| tournament.results.get(PairingId { stage, round, table, game: *game }).is_some();
    (0..games).filter(played).count() as u32
}

/// The matches of a Swiss system from its games, and those due; with `fours`, points are those of the place (S3).
fn swiss<'a>(
    tournament: &Tournament,
    stage: u8,
    games: impl IntoIterator<Item = &'a GameHead>,
    fours: bool,
) -> Rounds {
    let mut matches: BTreeMap<(u16, u32), Group> = BTreeMap::new();
    for game in games.into_iter().filter(|game| game.pairing.id.stage == stage) {
        let group = group_of(&mut matches, &game.pairing);
        group.games += 1;
        count(group, &game.pairing.seats, &game.outcome, fours);
    }
    if let State::Playing(due) = &tournament.progress[usize::from(stage)].state {
        for pairing in due {
            group_of(&mut matches, pairing).over = false;
        }
    }
    let mut rounds: BTreeMap<u16, Part> = BTreeMap::new();
    for ((round, _), mut group) in matches {
        finish(&mut group);
        rounds.entry(round).or_default().groups.push(group);
    }
    add_byes(tournament, stage, &mut rounds);
    Rounds(rounds.into_iter().map(|(number, part)| Round { number, board: None, parts: vec![part] }).collect())
}

/// The match that a game belongs to; those of its seats are its sides.
fn group_of<'a>(matches: &'a mut BTreeMap<(u16, u32), Group>, pairing: &Pairing) -> &'a mut Group {
    let PairingId { round, table, .. } = pairing.id;
    matches.entry((round, table)).or_insert_with(|| {
        let sides = pairing.seats.iter().map(|&entrant| Side { entrant, wins: 0, points: 0 }).collect();
        Group { table, sides, over: true, ..Group::default() }
    })
}

/// Adds a game to its match.
fn count(group: &mut Group, seats: &[EntrantId], outcome: &Outcome, fours: bool) {
    let territory = <[u32; swiss::SEATS]>::try_from(&outcome.territory[..]).ok().filter(|_| fours);
    let points = territory.map_or_else(|| outcome.points.clone(), |held| swiss::game_points(held).to_vec());
    let alone = outcome.places.iter().filter(|&&place| place == 1).count() == 1;
    for side in &mut group.sides {
        let Some(seat) = seats.iter().position(|&id| id == side.entrant) else { continue };
        side.wins += u32::from(alone && outcome.places[seat] == 1);
        side.points += points[seat];
    }
}

/// Names the winner of a match that is over, and orders a larger group.
fn finish(group: &mut Group) {
    if !group.over {
        return;
    }
    if group.sides.len() > 2 {
        group.sides.sort_by_key(|side| std::cmp::Reverse(side.points));
    } else if let [a, b] = &group.sides[..] {
        group.winner = match a.wins.cmp(&b.wins) {
            std::cmp::Ordering::Greater => Some(a.entrant),
            std::cmp::Ordering::Less => Some(b.entrant),
            std::cmp::Ordering::Equal => None,
        };
    }
}

fn add_byes(tournament: &Tournament, stage: u8, rounds: &mut BTreeMap<u16, Part>) {
    for remark in tournament.progress[usize::from(stage)].remarks(tournament.results) {
        if let Remark::Bye { round, entrant } = remark {
            rounds.entry(round).or_default().byes.push(entrant);
        }
    }
}
