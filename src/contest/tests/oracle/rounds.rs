//! The formats that eliminate: knockout and brackets.

use super::*;

/// Games won and points of the two sides of a match.
#[derive(Clone, Copy, Default, PartialEq)]
struct Score {
    wins: [u32; 2],
    points: [i64; 2],
}

impl Score {
    fn add(&mut self, game: &DueGame, outcome: &Outcome, pair: [EntrantId; 2]) {
        for side in [0, 1] {
            let seat = game.seats.iter().position(|id| *id == pair[side]).unwrap();
            self.wins[side] += u32::from(outcome.places[seat] == 1 && outcome.places[1 - seat] != 1);
            self.points[side] += outcome.points[seat];
        }
    }

    fn is_tied(&self) -> bool {
        self.wins[0] == self.wins[1] && self.points[0] == self.points[1]
    }
}

/// The game with this number in a match, in which the better seed is first in the games with even numbers.
fn game_of_match(round: u16, game: u16, [better, worse]: [EntrantId; 2], board: u32) -> DueGame {
    let seats = if game.is_multiple_of(2) { vec![better, worse] } else { vec![worse, better] };
    DueGame { round, game, seats, board }
}

/// The content of a place of the tree.
#[derive(Clone, Copy, PartialEq)]
enum Place {
    Seed(usize),
    Nobody,
    Unknown,
}

/// Single elimination. Place `n` of a round meets place `n` from the end, and the winner has the better of the two
/// places in the next round.
pub(super) fn knockout(known: &Known, settings: &knockout::KnockoutSettings) -> Derived {
    let n = known.entrants.len();
    let mut places: Vec<Place> =
        (0..n.next_power_of_two()).map(|seed| if seed < n { Place::Seed(seed) } else { Place::Nobody }).collect();
    let mut survived = vec![0; n];
    let mut due = Vec::new();
    let mut third = None;
    let mut round = 0;
    while places.len() > 1 {
        let size = places.len();
        let mut next = Vec::new();
        let mut losers = Vec::new();
        for at in 0..size / 2 {
            next.push(match (places[at], places[size - 1 - at]) {
                (Place::Seed(one), Place::Seed(other)) => {
                    let seeds = [one.min(other), one.max(other)];
                    let (winner, open) = play_match(known, settings, round, seeds);
                    due.extend(open);
                    losers.extend(winner.map(|winner| one + other - winner));
                    winner.map_or(Place::Unknown, Place::Seed)
                }
                (place, Place::Nobody) => place,
                _ => Place::Unknown,
            });
        }
        for place in &next {
            if let Place::Seed(seed) = place {
                survived[*seed] += 1;
            }
        }
        round += 1;
        if size == 4 && settings.third_place && losers.len() == 2 {
            losers.sort();
            let (winner, open) = play_match(known, settings, round, [losers[0], losers[1]]);
            due.extend(open);
            third = winner;
        }
        places = next;
    }
    due.sort();
    let row = |seed: usize| {
        let is_third = settings.third_place.then_some(i64::from(third == Some(seed)));
        (known.entrants[seed], [survived[seed]].into_iter().chain(is_third).collect())
    };
    Derived::new(due, ranked((0..n).map(row).collect()))
}

/// The winner of a match between two seeds, the better one first, or its games that are due.
fn play_match(
    known: &Known,
    settings: &knockout::KnockoutSettings,
    round: u16,
    seeds: [usize; 2],
) -> (Option<usize>, Vec<DueGame>) {
    let pair = seeds.map(|seed| known.entrants[seed]);
    let boards = settings.boards.clone().unwrap_or(vec![BoardNumber(0)]);
    let board = boards[usize::from(round) % boards.len()].0;
    let usual = 2 * settings.games_per_order.get() as u16;
    let most = usual + settings.tie_break_games.get() as u16;
    let mut score = Score::default();
    let mut open = Vec::new();
    for game in 0..most {
        let begins_tie_break = game >= usual && game % 2 == 0;
        if begins_tie_break && !(open.is_empty() && score.is_tied()) {
            break;
        }
        let tie_break_board = settings.tie_break_board.map_or(0, |board| board.0);
        let game = game_of_match(round, game, pair, if game < usual { board } else { tie_break_board });
        match known.outcome(&game) {
            Some(outcome) => score.add(&game, outcome, pair),
            None => open.push(game),
        }
    }
    let is_first =
        |side: usize| (score.wins[side], score.points[side]) > (score.wins[1 - side], score.points[1 - side]);
    match pair.map(|id| known.order_of_leaving(id)) {
        _ if open.is_empty() && is_first(0) => (Some(seeds[0]), open),
        _ if open.is_empty() && is_first(1) => (Some(seeds[1]), open),
        _ if open.is_empty() => {
            let order = known.lot(&format!("round {}, match", round + 1), &pair);
            (Some(seeds[usize::from(order[0] == pair[1])]), open)
        }
        [None, None] => (None, open),
        // The one that stayed, or left later, goes on.
        [one, other] => {
            let is_other = one.is_some_and(|one| other.is_none_or(|other| other > one));
            (Some(seeds[usize::from(is_other)]), Vec::new())
        }
    }
}

/// One of the two brackets.
#[derive(Default)]
struct Bracket {
    /// The seeds in it; the filler's is one more than the last.
    seeds: Vec<usize>,
    /// The number of rounds in a row without a loss.
    calm: u32,
}

/// Double elimination (F4-F8).
pub(super) fn brackets(known: &Known, settings: &brackets::BracketsSettings) -> Derived {
    let n = known.entrants.len();
    let k = (settings.k.get() as usize).min((n.max(1) - 1) / 2).max(1);
    let mut brackets = [Bracket { seeds: (0..n).collect(), calm: 0 }, Bracket::default()];
    let mut out: Vec<(u16, usize)> = Vec::new();
    let mut had_bye = BTreeSet::new();
    let mut met = BTreeSet::new();
    let mut due = Vec::new();
    let mut round = 0;
    let is_over = |winners: usize, losers: usize| {
        winners + losers <= 4 || (winners <= 2 * k && losers <= k && winners + losers <= 8)
    };
    while !is_over(brackets[0].seeds.len(), brackets[1].seeds.len()) {
        let mut lost = [Vec::new(), Vec::new()];
        for (which, bracket) in brackets.iter_mut().enumerate() {
            if which == 0 && bracket.seeds.len() <= 2 * k {
                continue;
            }
            let open;
            (lost[which], open) = play_round(known, settings, round, bracket, &mut had_bye, &mut met);
            due.extend(open);
        }
        if !due.is_empty() {
            break;
        }
        for (bracket, lost) in brackets.iter_mut().zip(&lost) {
            bracket.seeds.retain(|seed| !lost.contains(seed));
        }
        brackets[1].seeds.extend(&lost[0]);
        brackets[1].seeds.sort();
        out.extend(lost[1].iter().map(|seed| (round, *seed)));
        round += 1;
    }
    due.sort();
    let [winners, losers] = brackets.map(|bracket| bracket.seeds);
    let mut finalists = Vec::new();
    if due.is_empty() {
        let mut last_out = out.clone();
        last_out.sort_by_key(|(round, seed)| (Reverse(*round), *seed));
        let is_there = |seed: &usize| !known.has_left(known.entrants[*seed]);
        finalists = winners.iter().chain(&losers).copied().filter(is_there).collect();
        let more = last_out.into_iter().map(|(_, seed)| seed).filter(is_there);
        finalists.extend(more.take(4usize.saturating_sub(finalists.len())));
    }
    let finished = i64::from(round);
    let mut rows: Vec<(usize, i64, i64)> = winners.iter().map(|seed| (*seed, 2, finished)).collect();
    rows.extend(losers.iter().map(|seed| (*seed, 1, finished)));
    rows.extend(out.iter().map(|(round, seed)| (*seed, 0, i64::from(*round) + 1)));
    let row = |(seed, bracket, round): (usize, i64, i64)| {
        let finalist = i64::from(finalists.contains(&seed));
        // The lower the seed, the better.
        (known.entrants[seed], vec![finalist, bracket, round, -(seed as i64 + 1)])
    };
    let mut standings = ranked(rows.into_iter().map(row).collect());
    for standing in &mut standings {
        standing.figures[3] *= -1;
    }
    let advancing = due.is_empty().then(|| finalists.iter().map(|seed| known.entrants[*seed]).collect());
    Derived { advancing, ..Derived::new(due, standings) }
}

/// Plays a round of one bracket. Returns the seeds that lose, and the games that are due.
fn play_round(
    known: &Known,
    settings: &brackets::BracketsSettings,
    round: u16,
    bracket: &mut Bracket,
    had_bye: &mut BTreeSet<usize>,
    met: &mut BTreeSet<[usize; 2]>,
) -> (Vec<usize>, Vec<DueGame>) {
    let filler = known.entrants.len();
    let id = |seed: usize| known.entrants.get(seed).copied().unwrap_or(known.field.fillers[0]);
    let is_unpaired = |seed: usize| known.gone.iter().any(|gone| gone.entrant == id(seed) && gone.round <= round);
    let mut field = bracket.seeds.clone();
    if field.len() % 2 == 1 {
        match field.iter().position(|seed| !had_bye.contains(seed) && !is_unpaired(*seed)) {
            Some(at) => drop(had_bye.insert(field.remove(at))),
            None => field.push(filler),
        }
    }
    let pairs = (0..).find_map(|repeats| pair_up(&field, met, repeats)).unwrap();
    let board = settings.first_board.map_or(0, |board| board.0) + u32::from(round);
    let mut lost = Vec::new();
    let mut ties = Vec::new();
    let mut due = Vec::new();
    let mut is_calm = pairs.iter().any(|[_, worse]| *worse != filler);
    for pair @ [better, worse] in pairs {
        let ids = pair.map(id);
        let mut score = Score::default();
        let mut open = Vec::new();
        for game in [0, 1].map(|game| game_of_match(round, game, ids, board)) {
            match known.outcome(&game) {
                Some(outcome) => score.add(&game, outcome, ids),
                None => open.push(game),
            }
        }
        // One that left in a later round was still there in this one, and had its walkovers.
        let was_gone =
            |seed: &usize| known.gone.iter().any(|gone| gone.entrant == id(*seed) && gone.round <= round + 1);
        let gone: Vec<usize> = pair.into_iter().filter(was_gone).collect();
        if !open.is_empty() && !gone.is_empty() {
            is_calm = false;
            lost.extend(gone);
            continue;
        }
        met.insert(pair);
        is_calm &= open.is_empty();
        if open.is_empty() {
            let side = |at: usize| match settings.decided_by {
                brackets::DecidedBy::Wins => i64::from(score.wins[at]),
                brackets::DecidedBy::Points => score.points[at],
            };
            if side(0) == side(1) {
                ties.push((pair, score));
            } else if side(0) < side(1) {
                lost.push(better);
                is_calm = false;
            } else if worse != filler {
                lost.push(worse);
                is_calm = false;
            }
        }
        due.extend(open);
    }
    bracket.calm = if is_calm { bracket.calm + 1 } else { 0 };
    if bracket.calm == 10 {
        bracket.calm = 0;
        for ([better, worse], score) in
            ties.into_iter().filter(|([_, worse], _)| *worse != filler || settings.lots)
        {
            let [ahead, behind] = score.points;
            let better_wins = if ahead == behind && settings.lots {
                let about = format!("round {}, match", round + 1);
                known.lot(&about, &[id(better), id(worse)])[0] == id(better)
            } else {
                ahead >= behind
            };
            lost.push(if better_wins { worse } else { better });
        }
        lost.retain(|seed| *seed != filler);
    }
    (lost, due)
}

/// The pairs of `field` with at most `repeats` repeats, in which the best meets the worst with which that is possible,
/// then the best of the others, and so on (F4, F7).
fn pair_up(field: &[usize], met: &BTreeSet<[usize; 2]>, repeats: usize) -> Option<Vec<[usize; 2]>> {
    let Some((&best, others)) = field.split_first() else { return Some(Vec::new()) };
    for (at, &worst) in others.iter().enumerate().rev() {
        let repeat = usize::from(met.contains(&[best, worst]));
        let rest = [&others[..at], &others[at + 1..]].concat();
        if repeat <= repeats
            && let Some(mut pairs) = pair_up(&rest, met, repeats - repeat)
        {
            pairs.insert(0, [best, worst]);
            return Some(pairs);
        }
    }
    None
}
