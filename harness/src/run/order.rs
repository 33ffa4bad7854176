//! The order in which due games are offered, where a tournament has more entrants than sandboxes stay open.

use cornerman::format::Pairing;
use std::collections::BTreeSet;

/// How many games an entrant plays, on average, before games are put into order anew. The more, the fewer sandboxes are
/// opened; the fewer, the more evenly the standings of an unfinished tournament have grown.
const GAMES_A_PASS: usize = 100;

/// Sorts games so that those with the same entrants are near each other, if `places`, the number of sandboxes that
/// stay open, is not enough for all their entrants. A round names every entrant before one comes again, so in the
/// order of the rounds each game would open two sandboxes, which takes longer than a short game.
///
/// The entrants are divided into blocks, of which two have places at a time. Games of the same two blocks keep their
/// order.
pub(super) fn bring_together(games: &mut [Pairing], places: usize) {
    let block = places / 2;
    let entrants = games.iter().flat_map(|pairing| &pairing.seats).collect::<BTreeSet<_>>().len();
    if entrants <= places || block == 0 {
        return;
    }
    let seats = games.first().map_or(1, |pairing| pairing.seats.len().max(1));
    for pass in games.chunks_mut((GAMES_A_PASS * entrants).div_ceil(seats)) {
        pass.sort_by_cached_key(|pairing| {
            let mut blocks: Vec<usize> = pairing.seats.iter().map(|entrant| entrant.index() / block).collect();
            blocks.sort_unstable();
            blocks
        });
    }
}

#[cfg(test)]
mod tests {
    use super::bring_together;
    use cornerman::format::{EntrantId, GameId, Pairing};

    /// All pairs, both ways, round by round as the circle method gives them.
    fn all_play_all(entrants: u16) -> Vec<Pairing> {
        let rounds = entrants - 1;
        let opponents = |round: u16| {
            let on_circle = move |place: u16| (place + round) % rounds;
            let fixed = std::iter::once((rounds, on_circle(0)));
            fixed.chain((1..entrants / 2).map(move |place| (on_circle(place), on_circle(rounds - place))))
        };
        let games = (0..rounds).flat_map(|round| {
            opponents(round).flat_map(move |(a, b)| [[a, b], [b, a]].map(|seats| (round, seats)))
        });
        (0u32..)
            .zip(games)
            .map(|(table, (round, seats))| Pairing {
                id: GameId { stage: 0, round, table, game: 0, attempt: 0 },
                seats: seats.into_iter().map(EntrantId).collect(),
                board: 0,
            })
            .collect()
    }

    /// How many sandboxes are opened if games are played one after another.
    fn openings(games: &[Pairing], places: usize) -> usize {
        let mut idle = Vec::<EntrantId>::new();
        let mut opened = 0;
        for pairing in games {
            for &entrant in &pairing.seats {
                match idle.iter().position(|&other| other == entrant) {
                    Some(at) => {
                        idle.remove(at);
                    }
                    None => opened += 1,
                }
            }
            idle.extend(&pairing.seats);
            let gone = idle.len().saturating_sub(places);
            idle.drain(..gone);
        }
        opened
    }

    #[track_caller]
    fn check(entrants: u16, places: usize, most_openings: usize) {
        let before = all_play_all(entrants);
        let mut games = before.clone();
        bring_together(&mut games, places);
        let opened = openings(&games, places);
        assert!(opened <= most_openings, "{opened} openings, {} before", openings(&before, places));
        games.sort_by_key(|pairing| pairing.id);
        let mut as_planned = before;
        as_planned.sort_by_key(|pairing| pairing.id);
        assert_eq!(games, as_planned, "the same games");
    }

    #[test]
    fn few_sandboxes_are_opened() {
        // Each is opened once.
        check(64, 64, 64);
        // In the order of the rounds it would be nearly two a game, 179,400.
        check(300, 64, 6000);
        check(66, 64, 300);
        // Without enough places, order does not matter.
        check(10, 1, 180);
        check(10, 0, 180);
    }

    #[test]
    fn all_play_about_as_many_games_before_the_next_pass() {
        let mut games = all_play_all(300);
        bring_together(&mut games, 64);
        let mut played = [0; 300];
        for entrant in games[..15_000].iter().flat_map(|pairing| &pairing.seats) {
            played[entrant.index()] += 1;
        }
        assert!(played.iter().all(|many| (98..=102).contains(many)), "{played:?}");
    }
}
