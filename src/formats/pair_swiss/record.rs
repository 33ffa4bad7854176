//! The record of an entrant, match by match, and its figures.

use alloc::vec;
use alloc::vec::Vec;

/// The colour of an entrant in a game. In Go, black moves first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum GameColour {
    First,
    Second,
}

/// The points for a win.
const WIN: i64 = 2;
/// The points for a draw.
const DRAW: i64 = 1;

/// The match or bye of an entrant in one round.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct RoundEntry {
    /// The opponent, by its index; `None` for a bye.
    pub opponent: Option<usize>,
    /// The colour; `None` for a bye and in a match of two games, where each side has both.
    pub colour: Option<GameColour>,
    points: i64,
    wins: i64,
}

impl RoundEntry {
    /// A match against `opponent` before its first game.
    pub(super) fn against(opponent: usize, colour: Option<GameColour>) -> RoundEntry {
        RoundEntry { opponent: Some(opponent), colour, ..RoundEntry::default() }
    }

    /// A bye, which counts as a match of `games` games, all won.
    pub(super) fn bye(games: u16) -> RoundEntry {
        let wins = i64::from(games);
        RoundEntry { opponent: None, colour: None, points: WIN * wins, wins }
    }

    /// Adds a game with these places.
    pub(super) fn add(&mut self, own: u8, other: u8) {
        self.points += if own < other { WIN } else { i64::from(own == other) * DRAW };
        self.wins += i64::from(own < other);
    }
}

/// The record of an entrant, round by round.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct EntrantRounds {
    /// The matches and byes, one for each round in which it took part.
    pub matches: Vec<RoundEntry>,
}

impl EntrantRounds {
    /// The points so far.
    pub(super) fn points(&self) -> i64 {
        self.matches.iter().map(|played| played.points).sum()
    }

    /// Whether it has had a bye, or its opponent left before their match was played.
    pub(super) fn had_bye(&self) -> bool {
        self.matches.iter().any(|played| played.opponent.is_none())
    }

    /// How often it has met `other`.
    pub(super) fn met(&self, other: usize) -> usize {
        self.matches.iter().filter(|played| played.opponent == Some(other)).count()
    }
}

/// The figures of each entrant: points, Buchholz, doubled Sonneborn-Berger, wins (see [`super`]). The opponent of a bye
/// counts as having the entrant's own points.
pub(super) fn figures(records: &[EntrantRounds]) -> Vec<Vec<i64>> {
    let points: Vec<i64> = records.iter().map(EntrantRounds::points).collect();
    let of = |(own, record): (usize, &EntrantRounds)| {
        let against = |played: &RoundEntry| points[played.opponent.unwrap_or(own)];
        let buchholz = record.matches.iter().map(against).sum();
        let berger = record.matches.iter().map(|played| played.points * against(played)).sum();
        vec![points[own], buchholz, berger, record.matches.iter().map(|played| played.wins).sum()]
    };
    records.iter().enumerate().map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The record of matches of one game, given as (opponent, own place, other place); without an opponent, of byes.
    fn record(matches: &[(Option<usize>, u8, u8)]) -> EntrantRounds {
        let played = |&(opponent, own, other): &(Option<usize>, u8, u8)| match opponent {
            None => RoundEntry::bye(1),
            Some(opponent) => {
                let mut played = RoundEntry::against(opponent, None);
                played.add(own, other);
                played
            }
        };
        EntrantRounds { matches: matches.iter().map(played).collect() }
    }

    #[test]
    fn figures_are_those_worked_out_by_hand() {
        // 0 beats 1 and draws with 2; 1 has a bye; 2 beats 3; 3 beats 1 in the third round, 0 beats 2.
        let records = [
            record(&[(Some(1), 1, 2), (Some(2), 1, 1), (Some(2), 1, 2)]),
            record(&[(Some(0), 2, 1), (None, 0, 0), (Some(3), 2, 1)]),
            record(&[(Some(3), 1, 2), (Some(0), 1, 1), (Some(0), 2, 1)]),
            record(&[(Some(2), 2, 1), (Some(1), 1, 2)]),
        ];
        let expected =
            [[5, 2 + 3 + 3, 4 + 3 + 6, 2], [2, 5 + 2 + 2, 4, 1], [3, 2 + 5 + 5, 4 + 5, 1], [2, 3 + 2, 4, 1]];
        assert_eq!(figures(&records), expected);
    }

    #[test]
    fn a_bye_in_matches_of_two_games_is_two_wins() {
        let bye = EntrantRounds { matches: vec![RoundEntry::bye(2)] };
        assert_eq!(figures(&[bye]), [[4, 4, 16, 2]]);
    }
}
