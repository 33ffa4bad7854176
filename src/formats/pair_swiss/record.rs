//! What an entrant has done so far, match by match, and the figures that come of it.

use alloc::vec;
use alloc::vec::Vec;

/// Whose turn a game begins with: in Go, black is first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Turn {
    First,
    Second,
}

/// A game won.
const WIN: i64 = 2;
/// A game drawn.
const DRAW: i64 = 1;

/// An entrant's match, or its bye, in one round.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Match {
    /// By its index; nobody in a bye.
    pub opponent: Option<usize>,
    /// First or second; neither in a bye and in a match of two games.
    pub turn: Option<Turn>,
    /// Points from its games.
    points: i64,
    /// Games won.
    wins: i64,
}

impl Match {
    /// A match before its first game.
    pub fn against(opponent: usize, turn: Option<Turn>) -> Match {
        Match { opponent: Some(opponent), turn, ..Match::default() }
    }

    /// Counts as a match of so many games, all won.
    pub fn bye(games: u16) -> Match {
        let wins = i64::from(games);
        Match { opponent: None, turn: None, points: WIN * wins, wins }
    }

    /// Adds a game by the places in it.
    pub fn add(&mut self, own: u8, other: u8) {
        self.points += if own < other { WIN } else { i64::from(own == other) * DRAW };
        self.wins += i64::from(own < other);
    }
}

/// What an entrant has done, round by round.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Record {
    /// One a round.
    pub matches: Vec<Match>,
}

impl Record {
    /// Points so far.
    pub fn points(&self) -> i64 {
        self.matches.iter().map(|played| played.points).sum()
    }

    /// Whether it has had a bye.
    pub fn had_bye(&self) -> bool {
        self.matches.iter().any(|played| played.opponent.is_none())
    }

    /// How often it has met `other`.
    pub fn met(&self, other: usize) -> usize {
        self.matches.iter().filter(|played| played.opponent == Some(other)).count()
    }
}

/// The figures of each entrant: points, Buchholz, doubled Sonneborn-Berger, wins.
pub(super) fn figures(records: &[Record]) -> Vec<Vec<i64>> {
    let points: Vec<i64> = records.iter().map(Record::points).collect();
    let of = |(own, record): (usize, &Record)| {
        let against = |played: &Match| points[played.opponent.unwrap_or(own)];
        let buchholz = record.matches.iter().map(against).sum();
        let berger = record.matches.iter().map(|played| played.points * against(played)).sum();
        vec![points[own], buchholz, berger, record.matches.iter().map(|played| played.wins).sum()]
    };
    records.iter().enumerate().map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The record of matches given as (opponent, own place, other place), one game each; without opponent, byes.
    fn record(matches: &[(Option<usize>, u8, u8)]) -> Record {
        let played = |&(opponent, own, other): &(Option<usize>, u8, u8)| match opponent {
            None => Match::bye(1),
            Some(opponent) => {
                let mut played = Match::against(opponent, None);
                played.add(own, other);
                played
            }
        };
        Record { matches: matches.iter().map(played).collect() }
    }

    #[test]
    fn the_figures_are_those_worked_out_by_hand() {
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
        let bye = Record { matches: vec![Match::bye(2)] };
        assert_eq!(figures(&[bye]), [[4, 4, 16, 2]]);
    }
}
