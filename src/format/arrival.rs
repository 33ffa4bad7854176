//! What a format does when a bot is admitted after it has begun: one table for all formats, which `docs/run-a-contest.md`
//! shows.

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
    /// Not at all: who meets whom was drawn among those that were there.
    Never,
}

impl Arrival {
    /// All of them.
    pub const ALL: [Arrival; 5] =
        [Arrival::NewRounds, Arrival::Appended, Arrival::NextRound, Arrival::Filler, Arrival::Never];

    /// The formats that do so, as contest files spell them.
    pub fn formats(self) -> &'static str {
        match self {
            Arrival::NewRounds => "all-play-all",
            Arrival::Appended => "gauntlet, seeding",
            Arrival::NextRound => "pair-swiss",
            Arrival::Filler => "swiss",
            Arrival::Never => "permutations, brackets, knockout",
        }
    }

    /// What happens, in words.
    pub fn rule(self) -> &'static str {
        match self {
            Arrival::NewRounds => {
                "it meets all others in new rounds after the last; the rounds of the others stay"
            }
            Arrival::Appended => {
                "its games come after those of the others: with the challengers, or with the seed programs; its lot is drawn \
                 among the lots of the others, which keep their order"
            }
            Arrival::NextRound => {
                "it plays from the next round, with 0 points and in the last place; the number of rounds stays"
            }
            Arrival::Filler => {
                "it plays from the next round, with 0 points and in the last place; it replaces a filler, or more fillers make \
                 fours; the number of rounds stays"
            }
            Arrival::Never => "it is refused",
        }
    }
}
