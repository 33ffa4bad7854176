//! What a format does when a bot leaves, and when one is admitted after it has begun: one table each for all formats,
//! shown in `docs/run-a-contest.md`.

/// What becomes of the games of a bot that has left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
pub enum LeftGames {
    /// Played games count; the others are not played.
    Keep,
    /// None of them counts.
    Void,
    /// Played games count; the others are won by the opponent.
    Lost,
}

impl LeftGames {
    /// All of them.
    pub const ALL: [LeftGames; 3] = [LeftGames::Keep, LeftGames::Void, LeftGames::Lost];

    /// Its name on the command line and in the record.
    pub fn name(self) -> &'static str {
        match self {
            LeftGames::Keep => "keep",
            LeftGames::Void => "void",
            LeftGames::Lost => "lost",
        }
    }
}

/// How a format goes on without a bot that has left a stage under way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Departure {
    /// All games are between two and known from the start, so the organizer has the choice.
    Pairs,
    /// All games are known from the start, but are not between two, so they cannot be won by an opponent.
    Groups,
    /// Every game has all entrants, so the others start over.
    Permutations,
    /// Rounds of pairs.
    PairSwiss,
    /// Rounds of games of four.
    Swiss,
    /// Double elimination.
    Brackets,
    /// Single elimination.
    Knockout,
}

impl Departure {
    /// All of them.
    pub const ALL: [Departure; 7] = [
        Departure::Pairs,
        Departure::Groups,
        Departure::Permutations,
        Departure::PairSwiss,
        Departure::Swiss,
        Departure::Brackets,
        Departure::Knockout,
    ];

    /// What the organizer may choose. The first is the default, but in [`Pairs`](Departure::Pairs) and
    /// [`Groups`](Departure::Groups) the second is the default for a bot that has played less than half of its games,
    /// and [`Keep`](LeftGames::Keep) for one that has no open game.
    pub fn choices(self) -> &'static [LeftGames] {
        match self {
            Departure::Pairs => &[LeftGames::Lost, LeftGames::Void, LeftGames::Keep],
            Departure::Groups => &[LeftGames::Keep, LeftGames::Void],
            Departure::Permutations => &[LeftGames::Void],
            Departure::PairSwiss | Departure::Swiss | Departure::Brackets | Departure::Knockout => {
                &[LeftGames::Keep]
            }
        }
    }

    /// Its row in the table of `docs/run-a-contest.md`: the formats, as contest files spell them, and what happens.
    pub fn row(self) -> [&'static str; 2] {
        match self {
            Departure::Pairs => [
                "all-play-all, gauntlet, seeding",
                "`keep`: its open games fall away; `lost`: its open games are won by the others; `void`: all its games leave. \
                 By default `void` before half of its games, then `lost`",
            ],
            Departure::Groups => [
                "all-play-all, gauntlet of games that are not for two",
                "`keep`: its open games fall away; `void`: all its games leave. By default `void` before half of its games, then \
                 `keep`",
            ],
            Departure::Permutations => [
                "permutations",
                "every game has it: all games so far are void, and the next round has one entrant less; the stage ends if too \
                 few are left for a game",
            ],
            Departure::PairSwiss => [
                "pair-swiss",
                "its open match counts to the opponent like a bye; earlier opponents keep its points in Buchholz; it is not paired \
                 from the next round",
            ],
            Departure::Swiss => [
                "swiss",
                "it forfeits its open game (S8), in which a filler has its seat; from the next round fillers make fours; the \
                 number of rounds stays",
            ],
            Departure::Brackets => [
                "brackets",
                "its matches are walkovers: not byes (F4), not meetings (F7), and losses for the stall count (F8); a finalist that \
                 is gone is replaced as F8 says if fewer than four are left",
            ],
            Departure::Knockout => [
                "knockout",
                "its matches are walkovers, that for third place too; if both sides are gone, the one that left later goes on to another one",
            ],
        }
    }
}

/// How a bot takes part in a stage under way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arrival {
    /// In rounds of its own, after all others.
    NewRounds,
    /// In the same rounds, after all others.
    Appended,
    /// From the next round of pairs.
    NextRound,
    /// From the next round, where fillers make fours.
    Filler,
    /// Not at all: who meets whom was drawn among the entrants that the stage began with.
    Never,
}

impl Arrival {
    /// All of them.
    pub const ALL: [Arrival; 5] =
        [Arrival::NewRounds, Arrival::Appended, Arrival::NextRound, Arrival::Filler, Arrival::Never];

    /// Its row in the table of `docs/run-a-contest.md`: the formats, as contest files spell them, and what happens.
    pub fn row(self) -> [&'static str; 2] {
        match self {
            Arrival::NewRounds => {
                ["all-play-all", "it meets all others in new rounds after the last; the rounds of the others stay"]
            }
            Arrival::Appended => [
                "gauntlet, seeding",
                "its games come after those of the others: with the challengers, or with the seed programs; its lot is drawn \
                 among the lots of the others, which keep their order",
            ],
            Arrival::NextRound => [
                "pair-swiss",
                "it plays from the next round, with 0 points and in the last place; the number of rounds stays",
            ],
            Arrival::Filler => [
                "swiss",
                "it plays from the next round, with 0 points and in the last place; it replaces a filler, or more fillers make \
                 fours; the number of rounds stays",
            ],
            Arrival::Never => ["permutations, brackets, knockout", "it is refused"],
        }
    }
}
