//! The Swiss systems. A lot decides the seats, and any of several equally good pairings may be played: there the
//! planned games are taken and compared with the rules.

use super::*;

/// Puts entrants with equal figures into the order of their lot, and adds the lot to the figures.
fn with_lots(known: &Known, round: u16, rows: Vec<(EntrantId, Vec<i64>)>) -> Vec<Standing> {
    let mut standings = Vec::new();
    for standing in ranked(rows.clone()) {
        let tied: Vec<EntrantId> =
            rows.iter().filter(|(_, figures)| *figures == standing.figures).map(|(id, _)| *id).collect();
        let first = standing.place;
        let last = first + tied.len() as u32 - 1;
        let order = match tied.len() {
            1 => tied,
            _ => known.lot(&format!("places {first} to {last} after round {}", round + 1), &tied),
        };
        let behind = order.iter().position(|id| *id == standing.entrant).unwrap();
        let lot = if order.len() == 1 { 0 } else { order.len() - behind };
        let figures = standing.figures.into_iter().chain([lot as i64]).collect();
        standings.push(Standing { entrant: standing.entrant, place: first + behind as u32, figures });
    }
    standings.sort_by_key(|standing| standing.place);
    standings
}

/// The games of a round, as far as they are known.
fn games_of_round<'a>(known: &'a Known, round: u16) -> Vec<(&'a Pairing, Option<&'a Outcome>)> {
    let of_round = known.games.iter().filter(|(game, _)| game.id.round == round);
    let games: Vec<_> = of_round.map(|(game, outcome)| (*game, outcome.as_ref())).collect();
    assert!(!games.is_empty(), "{} has no games in round {}", known.name, round + 1);
    games
}

/// The standings until the first round is complete: all share first place.
fn standings_before(ids: &[EntrantId], columns: usize) -> Vec<Standing> {
    ids.iter().map(|&entrant| Standing { entrant, place: 1, figures: vec![0; columns] }).collect()
}

/// Adds the entrants that were admitted to this round, in the last places.
fn arrive(known: &Known, round: u16, columns: usize, order: &mut Vec<EntrantId>, standings: &mut Vec<Standing>) {
    for entrant in known.arriving(round) {
        order.push(entrant);
        standings.push(Standing { entrant, place: standings.len() as u32 + 1, figures: vec![0; columns] });
    }
}

fn board_of_round(board: Option<BoardNumber>, first: Option<BoardNumber>, round: u16) -> u32 {
    match first {
        Some(first) => first.0 + u32::from(round),
        None => board.map_or(0, |board| board.0),
    }
}

/// Points of a game of four: places 1 to 4 have 6, 4, 2 and 0, and equal territory shares (S3).
fn points_of_four(territory: &[u32], seat: usize) -> i64 {
    let mut points = [0; 4];
    for at in 0..4 {
        let above = territory.iter().filter(|other| **other > territory[at]).count();
        let equal = territory.iter().filter(|other| **other == territory[at]).count();
        let places = (above..above + equal).map(|place| 6 - 2 * place as i64);
        points[at] = places.sum::<i64>() / equal as i64;
    }
    points[seat]
}

/// The share of a territory in millionths, rounded half up (S5).
fn share(own: u32, all: u32) -> i64 {
    let [own, all] = [own, all].map(i64::from);
    if all == 0 { 0 } else { (own * 1_000_000) / all + i64::from((own * 1_000_000) % all * 2 >= all) }
}

/// Neighbours in the standings meet in games of four (S2-S6).
pub(super) fn swiss(known: &Known, settings: &SwissSettings) -> Derived {
    let fillers = &known.field.fillers;
    let missing = |players: usize| (4 - players % 4) % 4;
    let begun_with = known.begun_with();
    let first = &fillers[..missing(begun_with.len())];
    let players: Vec<EntrantId> = begun_with.iter().chain(first).copied().collect();
    let fewest = (1..).find(|rounds| 4usize.pow(*rounds) >= players.len()).unwrap();
    let rounds = settings.rounds.map_or(fewest, |rounds| rounds.get()) as u16;
    let mut order = known.lot("the order of round 1", &players);
    let mut totals: BTreeMap<EntrantId, Vec<i64>> = players.iter().map(|id| (*id, vec![0; 3])).collect();
    let mut standings = standings_before(&players, 4);
    let mut due = Vec::new();
    for round in 0..rounds {
        arrive(known, round, 4, &mut order, &mut standings);
        totals.extend(known.arriving(round).into_iter().map(|id| (id, vec![0; 3])));
        let is_gone = |id: &EntrantId| known.gone.iter().any(|gone| gone.entrant == *id && gone.round <= round);
        let left: Vec<EntrantId> =
            order.iter().copied().filter(|id| known.entrants.contains(id) && !is_gone(id)).collect();
        // Fillers that already play go on, the best first.
        let playing = order.iter().filter(|id| fillers.contains(id));
        let more = fillers.iter().filter(|id| !order.contains(id));
        let needed: Vec<EntrantId> = playing.chain(more).copied().take(missing(left.len())).collect();
        let mut seated: Vec<EntrantId> =
            order.iter().copied().filter(|id| left.contains(id) || needed.contains(id)).collect();
        seated.extend(needed.iter().filter(|id| !order.contains(id)));
        if seated.is_empty() {
            break;
        }
        let games = games_of_round(known, round);
        assert_eq!(games.len(), seated.len() / 4, "{}, round {}", known.name, round + 1);
        let mut replaced = Vec::new();
        for ((game, _), four) in games.iter().zip(seated.chunks(4)) {
            let mut four = four.to_vec();
            for gone in known.gone.iter().filter(|gone| gone.round == round + 1) {
                // Its game was open, so a filler has its seat (S8).
                let seat = four.iter().position(|id| *id == gone.entrant);
                if let Some(seat) = seat.filter(|_| !gone.played.contains(&game.id.place())) {
                    four[seat] = *fillers.iter().find(|id| !four.contains(id)).unwrap();
                    replaced.push((game.id, four[seat]));
                }
            }
            assert_eq!(
                BTreeSet::from_iter(&game.seats),
                BTreeSet::from_iter(&four),
                "{}: {}",
                known.name,
                game.id
            );
            assert_eq!(game.board, board_of_round(settings.board, settings.first_board, round));
        }
        due =
            games.iter().filter(|(_, outcome)| outcome.is_none()).map(|(game, _)| DueGame::from(*game)).collect();
        if !due.is_empty() {
            break;
        }
        for (game, outcome) in games {
            let territory = &outcome.unwrap().territory;
            for (seat, id) in game.seats.iter().enumerate().filter(|(_, id)| !replaced.contains(&(game.id, **id)))
            {
                let total = totals.entry(*id).or_insert(vec![0; 3]);
                total[0] += points_of_four(territory, seat);
                total[1] += share(territory[seat], territory.iter().sum());
                total[2] += i64::from(territory[seat]);
            }
        }
        standings = with_lots(known, round, totals.clone().into_iter().collect());
        order = standings.iter().map(|standing| standing.entrant).collect();
    }
    for standing in &mut standings {
        standing.figures.push(i64::from(fillers.contains(&standing.entrant)));
    }
    Derived::new(due, standings)
}

/// What a round of a Swiss of pairs gave an entrant.
#[derive(Clone)]
struct Entry {
    opponent: Option<EntrantId>,
    /// Whether it moved first, in matches of one game.
    was_first: Option<bool>,
    points: i64,
    wins: i64,
}

type Entries = BTreeMap<EntrantId, Vec<Entry>>;

fn points(entries: &Entries, id: EntrantId) -> i64 {
    entries[&id].iter().map(|entry| entry.points).sum()
}

/// How much more often an entrant moved first than second.
fn surplus(entries: &Entries, id: EntrantId) -> i64 {
    entries[&id].iter().filter_map(|entry| entry.was_first).map(|first| if first { 1 } else { -1 }).sum()
}

/// Whether an entrant should move first next: `None` before its first game.
fn should_be_first(entries: &Entries, id: EntrantId) -> Option<bool> {
    let last = entries[&id].iter().filter_map(|entry| entry.was_first).next_back()?;
    Some(match surplus(entries, id) {
        0 => !last,
        surplus => surplus < 0,
    })
}

/// How bad it is that two entrants meet, by each of the rules of `pair_swiss`, the most important first. `better` and
/// `worse` are places in `order`; the place after the last is a bye.
fn badness(entries: &Entries, order: &[EntrantId], better: usize, worse: usize) -> [i64; 7] {
    let one = order[better];
    let Some(&other) = order.get(worse) else {
        let had_bye = entries[&one].iter().any(|entry| entry.opponent.is_none());
        return [i64::from(had_bye), 0, 0, (order.len() - 1 - better) as i64, 0, 0, 0];
    };
    let [own, others] = [one, other].map(|id| surplus(entries, id));
    let is_forbidden = own.min(others) >= 2 || own.max(others) <= -2;
    let met = entries[&one].iter().filter(|entry| entry.opponent == Some(other)).count() as i64;
    let apart = points(entries, one) - points(entries, other);
    let wants = should_be_first(entries, one);
    let clash = wants.is_some() && wants == should_be_first(entries, other);
    let clash = if clash { 1 + own.abs().min(others.abs()) } else { 0 };
    let group = order.iter().filter(|id| points(entries, **id) == points(entries, one)).count();
    let distance = (worse - better) as i64;
    let misplaced = if apart == 0 { (distance - group as i64 / 2).abs() } else { distance };
    [i64::from(is_forbidden), met.min(1), met, 0, apart * apart, clash, misplaced]
}

fn sum(one: [i64; 7], other: [i64; 7]) -> [i64; 7] {
    core::array::from_fn(|rule| one[rule] + other[rule])
}

/// Checks that no pairing is better: among few, all are tried; among many, every exchange between two pairs.
fn check_pairing(known: &Known, entries: &Entries, order: &[EntrantId], pairs: &[(usize, usize)]) {
    let n = order.len() + order.len() % 2;
    let row = |worse: usize| (0..worse).map(|better| badness(entries, order, better, worse)).collect();
    let table: Vec<Vec<[i64; 7]>> = (0..n).map(row).collect();
    let bad = |a: usize, b: usize| table[a.max(b)][a.min(b)];
    if n <= 10 {
        let found = pairs.iter().fold([0; 7], |all, (a, b)| sum(all, bad(*a, *b)));
        assert_eq!(found, least(&(0..n).collect::<Vec<_>>(), &bad), "{}: {pairs:?} of {order:?}", known.name);
    }
    for (at, &(a, b)) in pairs.iter().enumerate() {
        for &(c, d) in &pairs[..at] {
            let now = sum(bad(a, b), bad(c, d));
            let others = [sum(bad(a, c), bad(b, d)), sum(bad(a, d), bad(b, c))];
            assert!(others.iter().all(|other| *other >= now), "{}: {a}-{b}, {c}-{d} of {order:?}", known.name);
        }
    }
}

/// The least badness of all pairings.
fn least(left: &[usize], bad: &impl Fn(usize, usize) -> [i64; 7]) -> [i64; 7] {
    let Some((&first, others)) = left.split_first() else { return [0; 7] };
    let with = |at: usize| {
        let rest = [&others[..at], &others[at + 1..]].concat();
        sum(bad(first, others[at]), least(&rest, bad))
    };
    (0..others.len()).map(with).min().unwrap()
}

/// Entrants with similar scores meet, no one twice, and colours balance (G8).
pub(super) fn pair_swiss(known: &Known, settings: &pair_swiss::PairSwissSettings) -> Derived {
    let begun_with = known.begun_with();
    let n = begun_with.len();
    let by_default = (0..).find(|rounds| 2usize.pow(*rounds) >= n).unwrap() + 1;
    let rounds = settings.rounds.map_or(by_default, |rounds| rounds.get()) as u16;
    let games_of_match = settings.games.get() as usize;
    let mut order = known.lot("the order of round 1", &begun_with);
    let mut entries: Entries = begun_with.iter().map(|id| (*id, Vec::new())).collect();
    let mut standings = standings_before(&begun_with, 5);
    let mut due = Vec::new();
    for round in 0..rounds {
        arrive(known, round, 5, &mut order, &mut standings);
        entries.extend(known.arriving(round).into_iter().map(|id| (id, Vec::new())));
        order.retain(|id| !known.gone.iter().any(|gone| gone.entrant == *id && gone.round <= round));
        if order.len() < 2 {
            break;
        }
        let games = games_of_round(known, round);
        let matches: Vec<_> = games.chunk_by(|(a, _), (b, _)| a.id.table == b.id.table).collect();
        let place = |id: &EntrantId| order.iter().position(|other| other == id).unwrap();
        let mut byes: Vec<usize> = (0..order.len()).collect();
        let mut pairs = Vec::new();
        for games in &matches {
            assert_eq!(games.len(), games_of_match, "{}", known.name);
            let [one, other] = [0, 1].map(|seat| games[0].0.seats[seat]);
            byes.retain(|at| order[*at] != one && order[*at] != other);
            pairs.push((place(&one), place(&other)));
            check_seats(known, settings, &entries, games);
        }
        assert_eq!((byes.len(), 2 * pairs.len() + byes.len()), (order.len() % 2, order.len()), "{}", known.name);
        pairs.extend(byes.iter().map(|at| (*at, order.len())));
        check_pairing(known, &entries, &order, &pairs);
        let is_open = |(game, outcome): &&(&Pairing, Option<&Outcome>)| {
            outcome.is_none() && !game.seats.iter().any(|id| known.has_left(*id))
        };
        due = games.iter().filter(is_open).map(|(game, _)| DueGame::from(*game)).collect();
        if !due.is_empty() {
            break;
        }
        let wins = games_of_match as i64;
        let bye = Entry { opponent: None, was_first: None, points: 2 * wins, wins };
        let has_bye = byes.iter().map(|at| order[*at]);
        let walkovers = matches.iter().filter(|games| games.iter().any(|(_, outcome)| outcome.is_none()));
        // One that left in a later round was still there in this one, and keeps the bye.
        let was_there =
            |id: &EntrantId| !known.gone.iter().any(|gone| gone.entrant == *id && gone.round <= round + 1);
        let walkovers = walkovers.flat_map(|games| games[0].0.seats.iter().copied()).filter(was_there);
        for id in has_bye.chain(walkovers) {
            entries.entry(id).or_default().push(bye.clone());
        }
        for games in matches.iter().filter(|games| games.iter().all(|(_, outcome)| outcome.is_some())) {
            for at in [0, 1] {
                let own = games[0].0.seats[at];
                let opponent = Some(games[0].0.seats[1 - at]);
                let was_first = (games_of_match == 1).then_some(at == 0);
                let mut entry = Entry { opponent, was_first, points: 0, wins: 0 };
                for (game, outcome) in *games {
                    let seat = game.seats.iter().position(|id| *id == own).unwrap();
                    let places = &outcome.unwrap().places;
                    entry.points +=
                        if places[seat] < places[1 - seat] { 2 } else { i64::from(places[0] == places[1]) };
                    entry.wins += i64::from(places[seat] < places[1 - seat]);
                }
                entries.entry(own).or_default().push(entry);
            }
        }
        let against = |own: EntrantId, entry: &Entry| points(&entries, entry.opponent.unwrap_or(own));
        let row = |id: &EntrantId| {
            let buchholz = entries[id].iter().map(|entry| against(*id, entry)).sum();
            let berger = entries[id].iter().map(|entry| entry.points * against(*id, entry)).sum();
            let wins = entries[id].iter().map(|entry| entry.wins).sum();
            (*id, vec![points(&entries, *id), buchholz, berger, wins])
        };
        standings = with_lots(known, round, entries.keys().map(row).collect());
        order = standings.iter().map(|standing| standing.entrant).collect();
    }
    Derived::new(due, standings)
}

/// Checks who moves first in a match, and its boards.
fn check_seats(
    known: &Known,
    settings: &pair_swiss::PairSwissSettings,
    entries: &Entries,
    games: &[(&Pairing, Option<&Outcome>)],
) {
    let first = games[0].0;
    for (game, _) in games {
        assert_eq!(game.board, board_of_round(settings.board, settings.first_board, game.id.round), "{}", game.id);
    }
    let [one, other] = [first.seats[0], first.seats[1]];
    if let Some((second, _)) = games.get(1) {
        assert_eq!(second.seats, [other, one], "{}: {}", known.name, second.id);
        return;
    }
    let [own, others] = [one, other].map(|id| surplus(entries, id));
    let colours = |id: EntrantId| entries[&id].iter().rev().map(|entry| entry.was_first);
    let differ = colours(one).zip(colours(other)).find_map(|(a, b)| a.zip(b).filter(|(a, b)| a != b));
    let is_right = own < others || (own == others && differ.is_none_or(|(was_first, _)| !was_first));
    assert!(is_right, "{}: {one:?} has no right to move first in {}", known.name, first.id);
}
