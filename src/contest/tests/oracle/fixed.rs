//! The formats whose games are known from the start: all-play-all, gauntlet, seeding and permutations; and scoring.

use super::*;

/// A game that counts: the entrant in each seat, and the outcome.
type Counted = (Vec<EntrantId>, Outcome);

/// What a game is worth to a seat, most important first.
pub(super) fn worth(kind: ScoringKind, bonus: Bonus, outcome: &Outcome, seat: usize) -> Vec<i64> {
    let own = outcome.points[seat];
    let is_first = outcome.places[seat] == 1;
    let is_alone = outcome.places.iter().filter(|place| **place == 1).count() == 1;
    let won = is_first && is_alone;
    let won_minus_lost = if won { 1 } else { i64::from(is_first) - 1 };
    let extra = match (won, is_first, seat) {
        (true, _, 0) => bonus.first_win,
        (true, ..) => bonus.second_win,
        (_, true, _) if outcome.end == End::Forfeited => 0,
        (_, true, 0) => bonus.first_tie,
        (_, true, _) => bonus.second_tie,
        _ => 0,
    };
    let others = (0..outcome.points.len()).filter(|other| *other != seat).map(|other| outcome.points[other]);
    let margin = if outcome.points.iter().sum::<i64>() == 0 { own } else { own - others.max().unwrap_or(0) };
    match kind {
        ScoringKind::Wins => vec![i64::from(won), own],
        ScoringKind::Bonus => vec![own + i64::from(extra), i64::from(won)],
        ScoringKind::WonMinusLost => vec![won_minus_lost],
        ScoringKind::Margins => vec![margin, won_minus_lost],
    }
}

/// The sum of what these games are worth to an entrant.
fn total(kind: ScoringKind, bonus: Bonus, games: &[Counted], entrant: EntrantId) -> Vec<i64> {
    let mut sum = if kind == ScoringKind::WonMinusLost { vec![0] } else { vec![0, 0] };
    for (seats, outcome) in games {
        if let Some(seat) = seats.iter().position(|id| *id == entrant) {
            let of_game = worth(kind, bonus, outcome, seat);
            sum = sum.iter().zip(of_game).map(|(sum, more)| sum + more).collect();
        }
    }
    sum
}

/// Every game of the stage, if all are known from the start.
pub(super) fn all_games(format: &Format, known: &Known) -> Option<Vec<DueGame>> {
    let entrants = &known.entrants;
    Some(match format {
        Format::AllPlayAll(settings) => {
            let seats = settings.seats.map_or(2, Bounded::get) as usize;
            let groups = subsets(entrants, seats);
            in_every_seat(&groups, &boards(settings), settings.games_per_order.get())
        }
        Format::Gauntlet(settings) => {
            let (challengers, others) = entrants.split_at(settings.challengers.get() as usize);
            let late: Vec<EntrantId> = known.late.iter().map(|(id, _)| *id).collect();
            let first: Vec<EntrantId> = others.iter().copied().filter(|id| !late.contains(id)).collect();
            let beside = settings.seats.map_or(2, Bounded::get) as usize - 1;
            // The groups that sit beside a challenger: neighbours in the order of the opponents, in which the first
            // follows the last; or an entrant that was admitted late, with the first opponents.
            let mut groups: Vec<Vec<EntrantId>> = Vec::new();
            for at in 0..first.len() {
                groups.push((at..at + beside).map(|at| first[at % first.len()]).collect());
            }
            if first.len() == beside {
                groups.truncate(1);
            }
            groups.extend(late.iter().map(|id| [&[*id], &first[..beside - 1]].concat()));
            let groups =
                challengers.iter().flat_map(|one| groups.iter().map(|group| [&[*one], &group[..]].concat()));
            in_every_seat(
                &groups.collect::<Vec<_>>(),
                &boards_of_gauntlet(settings),
                settings.games_per_order.get(),
            )
        }
        Format::Seeding(settings) => {
            let programs = settings.programs.iter().map(|program| known.field.organizer(*program).unwrap());
            let programs: Vec<EntrantId> = programs.collect();
            let pairs: Vec<Vec<EntrantId>> =
                entrants.iter().flat_map(|one| programs.iter().map(|other| vec![*one, *other])).collect();
            in_every_seat(&pairs, &[settings.board.map_or(0, |board| board.0)], 1)
        }
        _ => return None,
    })
}

fn boards(settings: &all_play_all::AllPlayAllSettings) -> Vec<u32> {
    let by_default = if settings.scoring == Some(ScoringKind::Bonus) { vec![0] } else { vec![0, 1, 2] };
    settings.boards.as_ref().map_or(by_default, |boards| boards.iter().map(|board| board.0).collect())
}

fn boards_of_gauntlet(settings: &gauntlet::GauntletSettings) -> Vec<u32> {
    let first = settings.first_board.map_or(0, |board| board.0);
    match (settings.rounds, &settings.boards) {
        (Some(rounds), _) => (first..first + rounds.get()).collect(),
        (None, Some(boards)) => boards.iter().map(|board| board.0).collect(),
        (None, None) => vec![0],
    }
}

/// Every group of this many of `entrants`.
fn subsets(entrants: &[EntrantId], size: usize) -> Vec<Vec<EntrantId>> {
    if size == 0 {
        return vec![vec![]];
    }
    let mut all = Vec::new();
    for (at, first) in entrants.iter().enumerate() {
        for mut group in subsets(&entrants[at + 1..], size - 1) {
            group.insert(0, *first);
            all.push(group);
        }
    }
    all
}

/// The games of these groups: in each, every entrant sits in every seat equally often on each board.
fn in_every_seat(groups: &[Vec<EntrantId>], boards: &[u32], times: u32) -> Vec<DueGame> {
    let mut games = Vec::new();
    for group in groups {
        for turn in 0..group.len() {
            let mut seats = group.clone();
            seats.rotate_left(turn);
            for &board in boards {
                games.extend((0..times).map(|_| DueGame { round: 0, game: 0, seats: seats.clone(), board }));
            }
        }
    }
    games.sort();
    games
}

/// The games of `all` that are due, and those that count.
fn due_and_counted(known: &Known, mut all: Vec<DueGame>) -> (Vec<DueGame>, Vec<Counted>) {
    let what = |id: &EntrantId| {
        let own: Vec<LeftGames> =
            known.gone.iter().filter(|gone| gone.entrant == *id).map(|gone| gone.games).collect();
        if own.contains(&LeftGames::Void) { Some(LeftGames::Void) } else { own.first().copied() }
    };
    let is_void = |seats: &[EntrantId]| seats.iter().any(|id| what(id) == Some(LeftGames::Void));
    let mut counted = Vec::new();
    for (game, outcome) in known.played() {
        let played = DueGame { round: 0, game: 0, seats: game.seats.clone(), board: game.board };
        let at = all.binary_search(&played);
        all.remove(at.unwrap_or_else(|_| panic!("{} is not a game of the stage: {played:?}", game.id)));
        if !is_void(&game.seats) {
            counted.push((game.seats.clone(), outcome.clone()));
        }
    }
    for open in &all {
        let lost = open.seats.iter().position(|id| what(id) == Some(LeftGames::Lost));
        if let Some(seat) = lost.filter(|_| !is_void(&open.seats)) {
            counted.push((open.seats.clone(), known.forfeits[seat].clone()));
        }
    }
    all.retain(|game| game.seats.iter().all(|id| what(id).is_none()));
    (all, counted)
}

/// Everyone meets everyone, in rounds in which no one plays twice (B11, F9, G8, R1).
pub(super) fn all_play_all(known: &Known, settings: &all_play_all::AllPlayAllSettings) -> Derived {
    let format = Format::AllPlayAll(settings.clone());
    let (due, counted) = due_and_counted(known, all_games(&format, known).unwrap());
    if settings.seats.is_none() {
        let mut opponents = BTreeMap::new();
        for (game, _) in &known.games {
            let rounds = rounds_among(known, &game.seats);
            assert!(
                rounds.contains(&usize::from(game.id.round)),
                "{}: {} is not in {rounds:?}",
                known.name,
                game.id
            );
            for at in [0, 1] {
                let before = opponents.insert((game.id.round, game.seats[at]), game.seats[1 - at]);
                assert!(
                    before.is_none_or(|id| id == game.seats[1 - at]),
                    "{}: two opponents in the round of {}",
                    known.name,
                    game.id
                );
            }
        }
    }
    let kind = settings.scoring.unwrap_or(ScoringKind::Wins);
    let bonus = settings.bonus.unwrap_or_default();
    let rows = |games: &[Counted]| -> Vec<(EntrantId, Vec<i64>)> {
        known.entrants.iter().map(|id| (*id, total(kind, bonus, games, *id))).collect()
    };
    let mut totals = rows(&counted);
    if settings.head_to_head.unwrap_or(kind == ScoringKind::Bonus) {
        let equal = |of: &[i64]| -> Vec<EntrantId> {
            totals.iter().filter(|(_, total)| total == of).map(|(id, _)| *id).collect()
        };
        let with_head_to_head = |(id, own): &(EntrantId, Vec<i64>)| {
            let tied = equal(own);
            let among: Vec<Counted> =
                counted.iter().filter(|(seats, _)| seats.iter().all(|id| tied.contains(id))).cloned().collect();
            let between = total(kind, bonus, &among, *id)[0];
            (*id, own.iter().copied().chain([between]).collect())
        };
        totals = totals.iter().map(with_head_to_head).collect();
    }
    Derived::new(due, ranked(totals))
}

/// The rounds in which these entrants may meet: the first rounds, if all were there from the beginning; otherwise the
/// new rounds of the one that was admitted last.
fn rounds_among(known: &Known, seats: &[EntrantId]) -> core::ops::Range<usize> {
    let begun_with = known.begun_with().len();
    let mut last = 0..begun_with - 1 + begun_with % 2;
    let mut own = last.clone();
    for (nth, (late, _)) in known.late.iter().enumerate() {
        last = last.end..last.end + begun_with + nth;
        if seats.contains(late) {
            own = last.clone();
        }
    }
    own
}

/// The first few entrants meet all others.
pub(super) fn gauntlet(known: &Known, settings: &gauntlet::GauntletSettings) -> Derived {
    let format = Format::Gauntlet(settings.clone());
    let (due, counted) = due_and_counted(known, all_games(&format, known).unwrap());
    let bonus = settings.bonus.unwrap_or_default();
    let rows = known.entrants.iter().map(|id| (*id, total(settings.scoring, bonus, &counted, *id)));
    Derived::new(due, ranked(rows.collect()))
}

/// Everyone meets the seed programs. Points rank the entrants, then wins, then a lot (F1-F3).
pub(super) fn seeding(known: &Known, settings: &seeding::SeedingSettings) -> Derived {
    let format = Format::Seeding(settings.clone());
    let (due, counted) = due_and_counted(known, all_games(&format, known).unwrap());
    let row = |id: &EntrantId| (*id, total(ScoringKind::Bonus, settings.bonus, &counted, *id));
    let totals: Vec<(EntrantId, Vec<i64>)> = known.entrants.iter().map(row).collect();
    let with_lot = |(id, own): &(EntrantId, Vec<i64>)| {
        let tied: Vec<EntrantId> = totals.iter().filter(|(_, other)| other == own).map(|(id, _)| *id).collect();
        let lot = if due.is_empty() && tied.len() > 1 {
            let order = known.lot("entrants with equal points and wins (F3)", &tied);
            order.len() - order.iter().position(|other| other == id).unwrap()
        } else {
            0
        };
        (*id, own.iter().copied().chain([lot as i64]).collect())
    };
    Derived::new(due.clone(), ranked(totals.iter().map(with_lot).collect()))
}

/// The entrants that are left play in every order; when one leaves they start over (B12).
pub(super) fn permutations(known: &Known, settings: &permutations::PermutationsSettings) -> Derived {
    let left: Vec<EntrantId> = known.entrants.iter().copied().filter(|id| !known.has_left(*id)).collect();
    let round = known.gone.iter().map(|gone| gone.round).max().unwrap_or(0);
    let board = settings.board.map_or(0, |board| board.0);
    let orders = if left.len() < 2 { Vec::new() } else { orders(&left) };
    let mut due: Vec<DueGame> = orders.into_iter().map(|seats| DueGame { round, game: 0, seats, board }).collect();
    due.sort();
    let mut counted = Vec::new();
    for (game, outcome) in known.played().filter(|(game, _)| game.id.round == round) {
        let played = DueGame { game: 0, ..DueGame::from(game) };
        let at = due.binary_search(&played);
        due.remove(at.unwrap_or_else(|_| panic!("{} is not an order: {played:?}", game.id)));
        counted.push((game.seats.clone(), outcome.clone()));
    }
    let kind = settings.scoring.unwrap_or(ScoringKind::Wins);
    let bonus = settings.bonus.unwrap_or_default();
    let rows = left.iter().map(|id| (*id, total(kind, bonus, &counted, *id)));
    Derived::new(due, ranked(rows.collect()))
}

/// Every order of `entrants`.
fn orders(entrants: &[EntrantId]) -> Vec<Vec<EntrantId>> {
    if entrants.is_empty() {
        return vec![vec![]];
    }
    let mut all = Vec::new();
    for first in entrants {
        let rest: Vec<EntrantId> = entrants.iter().copied().filter(|id| id != first).collect();
        for mut order in orders(&rest) {
            order.insert(0, *first);
            all.push(order);
        }
    }
    all
}
