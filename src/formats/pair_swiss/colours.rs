//! Colours: which colour an entrant should have next, how two entrants conflict, and which of a pair moves first.

use super::record::{EntrantRounds, GameColour};
use core::cmp::Ordering;

/// The balance of an entrant's colours so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Balance {
    /// How much more often it has moved first than second; negative if it has moved second more often.
    surplus: i32,
    /// The colour that it should have next; `None` before its first game.
    due: Option<GameColour>,
}

/// The largest surplus that an entrant may have, in either direction.
pub(super) const MAX_SURPLUS: i32 = 2;

impl Balance {
    /// The balance of an entrant with this record.
    pub(super) fn from_record(record: &EntrantRounds) -> Balance {
        let colours = || record.matches.iter().filter_map(|played| played.colour);
        let surplus = colours().map(|colour| if colour == GameColour::First { 1 } else { -1 }).sum();
        let due = match (surplus, colours().next_back()) {
            (_, None) => None,
            (1.., _) | (0, Some(GameColour::First)) => Some(GameColour::Second),
            _ => Some(GameColour::First),
        };
        Balance { surplus, due }
    }

    /// Whether a game between these two would raise a surplus beyond [`MAX_SURPLUS`].
    pub(super) fn forbids(self, other: Balance) -> bool {
        let alike = self.surplus.signum() == other.surplus.signum();
        alike && self.surplus.abs().min(other.surplus.abs()) >= MAX_SURPLUS
    }

    /// The cost of a game between these two: 0 if both can have the colour they should have; otherwise 1 plus the
    /// smaller surplus, which will grow.
    pub(super) fn clash(self, other: Balance) -> u64 {
        if self.due.is_none() || self.due != other.due {
            return 0;
        }
        1 + u64::from(self.surplus.abs().min(other.surplus.abs()).unsigned_abs())
    }
}

/// Whether `one` moves first against `other`; `coin` decides if nothing else does.
pub(super) fn moves_first(one: &EntrantRounds, other: &EntrantRounds, coin: bool) -> bool {
    match Balance::from_record(one).surplus.cmp(&Balance::from_record(other).surplus) {
        Ordering::Less => return true,
        Ordering::Greater => return false,
        Ordering::Equal => {}
    }
    // From the last round back, because an entrant that was admitted late lacks the first rounds.
    let colours = one.matches.iter().rev().zip(other.matches.iter().rev()).map(|(a, b)| (a.colour, b.colour));
    for colour in colours {
        match colour {
            (Some(GameColour::First), Some(GameColour::Second)) => return false,
            (Some(GameColour::Second), Some(GameColour::First)) => return true,
            _ => {}
        }
    }
    coin
}

#[cfg(test)]
mod tests {
    use super::super::record::RoundEntry;
    use super::*;

    /// The record of an entrant that moved first (`f`), moved second (`s`) or had a bye (`-`).
    fn record(colours: &str) -> EntrantRounds {
        let played = |colour| match colour {
            'f' => RoundEntry::against(9, Some(GameColour::First)),
            's' => RoundEntry::against(9, Some(GameColour::Second)),
            _ => RoundEntry::bye(1),
        };
        EntrantRounds { matches: colours.chars().map(played).collect() }
    }

    #[track_caller]
    fn check_first(one: &str, other: &str, expected: Option<bool>) {
        let one = record(one);
        let other = record(other);
        let found = [false, true].map(|coin| moves_first(&one, &other, coin));
        assert_eq!(found, expected.map_or([false, true], |first| [first; 2]));
        let turned = [false, true].map(|coin| moves_first(&other, &one, coin));
        assert_eq!(turned, expected.map_or([false, true], |first| [!first; 2]));
    }

    #[test]
    fn the_entrant_that_was_second_more_often_moves_first() {
        check_first("s", "f", Some(true));
        check_first("sf", "ff", Some(true));
        check_first("ss", "s-", Some(true));
    }

    #[test]
    fn in_balance_the_entrant_that_was_second_when_they_last_differed_moves_first() {
        check_first("fs", "sf", Some(true));
        check_first("fssf", "sfsf", Some(true));
        check_first("sffs", "fsfs", Some(false));
        check_first("sffs", "sf", Some(true));
    }

    #[test]
    fn a_lot_decides_if_nothing_else_does() {
        check_first("", "", None);
        check_first("fs", "fs", None);
        check_first("f-", "-f", None);
    }

    #[track_caller]
    fn check_clash(one: &str, other: &str, cost: u64, forbidden: bool) {
        let one = Balance::from_record(&record(one));
        let other = Balance::from_record(&record(other));
        assert_eq!((one.clash(other), one.forbids(other)), (cost, forbidden));
        assert_eq!((other.clash(one), other.forbids(one)), (cost, forbidden));
    }

    #[test]
    fn two_that_should_have_the_same_colour_clash_by_the_smaller_surplus() {
        check_clash("", "", 0, false);
        check_clash("", "f", 0, false);
        check_clash("f", "s", 0, false);
        check_clash("sf", "fs", 0, false);
        check_clash("sf", "sf", 1, false);
        check_clash("sf", "f", 1, false);
        check_clash("f", "f", 2, false);
        check_clash("ff", "f", 2, false);
        check_clash("ss", "s", 2, false);
    }

    #[test]
    fn two_with_the_largest_surplus_of_the_same_colour_may_not_meet() {
        check_clash("ff", "ff", 3, true);
        check_clash("ss", "ss", 3, true);
        check_clash("ff", "ss", 0, false);
    }
}
