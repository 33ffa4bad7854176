//! The result of a comparison of two versions of a bot: a verdict in a sentence, and the figures behind it.

use crate::doc::{Block, Cell, Column, Listing, Section, Table, TableLayout};
use crate::json::rounded;
use crate::played::players;
use crate::rating::points;
use crate::strength::{Decision, Estimate, Interval, Sample, Test, TestState};
use crate::times::{Times, TimesJson};
use crate::{Tournament, count, shown};
use cornerman::format::{EntrantId, Pairing};
use cornerman_harness::record::{Forfeit, GameSummary};
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeMap;

/// How many of the games in which the versions differ most are named at most; with opponents, how many pairs of games.
const NAMED: usize = 3;

/// Why a comparison is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Ending {
    /// The test has decided, or all games that were asked for are played.
    Done,
    /// The bots play the same games again and again.
    Repeats,
    /// It was stopped before either.
    Stopped,
}

/// A comparison of the first two entrants of a tournament, the new version and the old one. Any further entrants
/// are opponents, which both versions have played, and their copies; or else copies of the old version.
pub struct Comparison<'a> {
    /// The tournament.
    pub tournament: &'a Tournament<'a>,
    /// The test, with its observations.
    pub state: &'a TestState,
    /// How many opponents there are: the first entrants after the two.
    pub opponents: usize,
    /// The number of games observed.
    pub games: usize,
    /// Why the comparison is over.
    pub ending: Ending,
    /// The games observed.
    pub played: &'a [GameSummary],
    /// The forfeits in these games.
    pub forfeits: &'a [Forfeit],
    /// The times of moves, also in games that are not observed.
    pub times: &'a Times,
    /// The command that shows a recorded game; the game's name is appended to it.
    pub replay: String,
}

/// The answer that a comparison gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Conclusion {
    /// The new version is stronger.
    Stronger,
    /// It is not weaker by the margin that was asked about.
    NotWeaker,
    /// It is not stronger by the margin that was asked about.
    NotStronger,
    /// It is weaker.
    Weaker,
    /// The test has not decided.
    Open,
}

impl Conclusion {
    /// Whether the answer favours the new version.
    pub fn is_yes(self) -> bool {
        matches!(self, Conclusion::Stronger | Conclusion::NotWeaker)
    }

    fn name(self) -> &'static str {
        match self {
            Conclusion::Stronger => "stronger",
            Conclusion::NotWeaker => "not weaker",
            Conclusion::NotStronger => "not stronger",
            Conclusion::Weaker => "weaker",
            Conclusion::Open => "open",
        }
    }
}

/// A game in which the versions differ.
struct Notable<'a> {
    /// The new version's points minus the opponent's, or those of the best of them; with opponents, minus the same
    /// difference in the old version's game.
    lead: i64,
    /// The new version's game; with opponents, also the old version's.
    games: Vec<&'a GameSummary>,
}

const NEW: EntrantId = EntrantId(0);
const OLD: EntrantId = EntrantId(1);

impl Comparison<'_> {
    /// The answer by the observations so far.
    pub fn answer(&self) -> Conclusion {
        let asks_for_more = self.state.test().hypotheses.low >= 0.0;
        let is_below = |estimate: Estimate| estimate.elo.high < 0.0;
        match (self.state.decision(), self.state.sample().estimate()) {
            (Some(Decision::High), _) if asks_for_more => Conclusion::Stronger,
            (Some(Decision::High), _) => Conclusion::NotWeaker,
            (Some(Decision::Low), Some(estimate)) if !asks_for_more || is_below(estimate) => Conclusion::Weaker,
            (Some(Decision::Low), _) => Conclusion::NotStronger,
            (None, _) => Conclusion::Open,
        }
    }

    /// The verdict, a sentence without its full stop.
    pub fn verdict(&self) -> String {
        let [new, old] = [NEW, OLD].map(|id| self.tournament.name(id));
        let after = format!("after {}", count(self.games, "game"));
        let Some(estimate) = self.state.sample().estimate() else {
            return format!("no game of {new} and {old} has been played");
        };
        let lead = with_margin(estimate.elo);
        let opponents: Vec<String> = self.opponents().map(|id| self.tournament.name(id)).collect();
        let against =
            if opponents.is_empty() { String::new() } else { format!(" against {}", opponents.join(", ")) };
        match self.answer() {
            Conclusion::NotStronger => {
                let asked = self.state.test().hypotheses.high;
                format!("{new} is not stronger than {old} by {asked}{against}: {lead} Elo {after}")
            }
            answer @ (Conclusion::Stronger | Conclusion::NotWeaker | Conclusion::Weaker) => {
                format!("{new} is {} than {old}{against}: {lead} Elo {after}", answer.name())
            }
            Conclusion::Open if self.ending == Ending::Repeats => format!(
                "{new} and {old} play the same games again and again{against}: {new} scores {:.0} % in them, and more \
                 games would say nothing new",
                estimate.score.at * 100.0
            ),
            Conclusion::Open if self.ending == Ending::Stopped => {
                format!("not decided yet whether {new} is stronger than {old}{against}: {lead} Elo {after}")
            }
            Conclusion::Open if estimate.elo.low > 0.0 || estimate.elo.high < 0.0 => {
                let looks = if estimate.elo.low > 0.0 { "stronger" } else { "weaker" };
                format!(
                    "{new} looks {looks} than {old}{against}, but the games are too few to decide it: {lead} Elo {after}"
                )
            }
            Conclusion::Open => {
                let within = estimate.elo.low.abs().max(estimate.elo.high.abs()).ceil();
                format!("no difference found between {new} and {old}{against} within ±{within} Elo {after}")
            }
        }
    }

    /// The opponents, without their copies.
    fn opponents(&self) -> impl Iterator<Item = EntrantId> {
        (2..2 + self.opponents as u16).map(EntrantId)
    }

    /// The verdict, the figures, times, forfeits, and the games in which the versions differ most; without games only
    /// the verdict.
    pub fn sections(&self) -> Vec<Section> {
        let verdict = Section::new("verdict", self.verdict() + ".");
        let Some(estimate) = self.state.sample().estimate() else { return vec![verdict] };
        let [low, high] = self.state.bounds();
        let hypotheses = self.state.test().hypotheses;
        let unit = if hypotheses.normalized { "normalized Elo" } else { "Elo" };
        let interval =
            |it: Interval| format!("{}, 95 % from {} to {}", tenth(it.at), tenth(it.low), tenth(it.high));
        let decided = match self.answer() {
            Conclusion::Open => "undecided",
            _ if self.state.decision() == Some(Decision::High) => "the higher one",
            _ => "the lower one",
        };
        let observation = if self.seats() == 2 { "pairs" } else { "boards" };
        let counts: Vec<String> = self.counts().iter().map(|it| format!("{} {}", it.score, it.pairs)).collect();
        let forfeits = self.forfeits().map(|it| format!("{}: {}", shown(&it.name), it.forfeits));
        let facts = [
            (observation, counts.join("  ")),
            ("Elo", interval(estimate.elo)),
            (
                "normalized Elo",
                estimate.normalized.map_or_else(|| format!("unknown: all {observation} end alike"), interval),
            ),
            ("LOS", crate::rating::percent(estimate.superiority)),
            (
                "LLR",
                format!(
                    "{:.2} within {low:.2} and {high:.2}, for {} or {} {unit}: {decided}",
                    self.state.ratio(),
                    hypotheses.low,
                    hypotheses.high
                ),
            ),
            ("forfeits", forfeits.join("; ")),
        ];
        let facts = facts.map(|(name, words)| (name.to_string(), words.into())).to_vec();
        let verdict = verdict.with(Block::Facts(facts));
        [Some(verdict), self.times.section(), self.notable_section()].into_iter().flatten().collect()
    }

    fn notable_section(&self) -> Option<Section> {
        let notable = self.notable();
        let games = notable.iter().flat_map(|notable| &notable.games);
        let table = Listing(games).columns(&[
            (Column::text("players"), &|game| players(&game.pairing.seats, &game.outcome).into()),
            (Column::text("to see it"), &|game| Cell::Code(format!("{} {}", self.replay, game.pairing.id))),
        ]);
        let table = Table { layout: TableLayout::Bare, ..table };
        (!notable.is_empty()).then(|| Section::new("differ", "Where they differ most").with(table))
    }

    /// The figures as JSON.
    pub fn json(&self) -> ComparisonJson {
        let sample = self.state.sample();
        let estimate = sample.estimate();
        let lead = |notable: &Notable| LeadJson {
            lead: notable.lead,
            games: notable.games.iter().map(|game| game.pairing.id.to_string()).collect(),
        };
        ComparisonJson {
            verdict: self.verdict(),
            answer: self.answer().name(),
            yes: self.answer().is_yes(),
            ending: self.ending,
            games: self.games,
            pairs: sample.len(),
            counts: self.counts(),
            elo: estimate.map(|it| it.elo.rounded()),
            normalized_elo: estimate.and_then(|it| it.normalized).map(Interval::rounded),
            los: estimate.map(|it| rounded(it.superiority, 4)),
            llr: rounded(self.state.ratio(), 2),
            bounds: self.state.bounds().map(|bound| rounded(bound, 2)),
            test: self.state.test(),
            times: self.times.json(self.tournament),
            forfeits: self.forfeits().into(),
            differ_most: self.notable().iter().map(lead).collect(),
        }
    }

    /// The number of seats in a game.
    fn seats(&self) -> u32 {
        self.state.sample().scores.games
    }

    /// The number of pairs with each score: from two losses to two wins if the versions play each other, otherwise
    /// the new version's wins minus the old one's. In games of more than two, the scores that were observed.
    fn counts(&self) -> Vec<CountJson> {
        let Sample { scores, counts } = self.state.sample();
        let lead = |at| (scores.value(at) - 0.5) * f64::from(scores.games);
        let name = |at: usize| match (self.seats(), scores.is_difference()) {
            (2, false) => ["LL", "LD", "DD+WL", "WD", "WW"][at].to_string(),
            (2, true) => format!("{:+}", lead(at)),
            (_, false) => format!("{:.3}", scores.value(at)),
            (_, true) => format!("{:+.2}", lead(at)),
        };
        let is_listed = |(_, count): &(usize, &u64)| self.seats() == 2 || **count > 0;
        counts
            .iter()
            .enumerate()
            .filter(is_listed)
            .map(|(at, pairs)| CountJson { score: name(at), pairs: *pairs })
            .collect()
    }

    /// The names of both versions, and the forfeits of each in words.
    fn forfeits(&self) -> [ForfeitsJson; 2] {
        // Without opponents, all others are copies of the old version.
        let version = |entrant| if self.opponents == 0 && entrant != NEW { OLD } else { entrant };
        [NEW, OLD].map(|id| {
            let mut kinds: BTreeMap<&str, usize> = BTreeMap::new();
            for forfeit in self.forfeits.iter().filter(|forfeit| version(forfeit.entrant) == id) {
                *kinds.entry(&forfeit.kind).or_default() += 1;
            }
            let words: Vec<String> = kinds.iter().map(|(kind, times)| format!("{times} {kind}")).collect();
            let forfeits = if words.is_empty() { "none".to_string() } else { words.join(", ") };
            ForfeitsJson { name: self.tournament.raw_name(id), forfeits }
        })
    }

    /// The games in which the versions differ most in points, the largest difference first; of equal ones, those
    /// that the new version lost come first.
    fn notable(&self) -> Vec<Notable<'_>> {
        let mut found = if self.opponents == 0 {
            let games = self.played.iter();
            games.filter_map(|game| Some(Notable { lead: lead(game, NEW)?, games: vec![game] })).collect()
        } else {
            self.pairs_of_games()
        };
        found.retain(|notable| notable.lead != 0);
        found.sort_by_key(|notable| (std::cmp::Reverse(notable.lead.abs()), notable.lead));
        found.truncate(NAMED);
        found
    }

    /// Each game of the new version against opponents that has a game of the old version in the same circumstances,
    /// with that game.
    fn pairs_of_games(&self) -> Vec<Notable<'_>> {
        let mut old = BTreeMap::new();
        for game in self.played {
            if let Some(key) = circumstances(game, OLD) {
                old.insert(key, game);
            }
        }
        let pair = |game| {
            let other = *old.get(&circumstances(game, NEW)?)?;
            Some(Notable { lead: lead(game, NEW)? - lead(other, OLD)?, games: vec![game, other] })
        };
        self.played.iter().filter_map(pair).collect()
    }
}

/// The round, the board, the other entrants and the seat of the `version` in a game; `None` if it did not play.
fn circumstances(game: &GameSummary, version: EntrantId) -> Option<(u16, u32, Vec<EntrantId>, usize)> {
    let Pairing { id, seats, board } = &game.pairing;
    let seat = seats.iter().position(|entrant| *entrant == version)?;
    let mut others = seats.clone();
    others.remove(seat);
    Some((id.round, *board, others, seat))
}

/// By how many points an entrant is ahead of its opponent, or of the best of them; `None` if it did not play.
fn lead(game: &GameSummary, id: EntrantId) -> Option<i64> {
    let seat = game.pairing.seats.iter().position(|entrant| *entrant == id)?;
    let own = game.outcome.points.get(seat)?;
    let others = game.outcome.points.iter().enumerate().filter(|(at, _)| *at != seat);
    let best = others.map(|(_, points)| points).max()?;
    Some(own - best)
}

/// `+38 ± 14`; to a tenth if the margin is small. `at least +219` if only one end is known.
pub fn with_margin(it: Interval) -> String {
    match it.margin() {
        _ if it.at >= it.high => format!("at least {}", points(it.low)),
        _ if it.at <= it.low => format!("at most {}", points(it.high)),
        margin if margin < 10.0 => format!("{} ± {margin:.1}", tenth(it.at)),
        margin => format!("{} ± {margin:.0}", points(it.at)),
    }
}

/// `+38.2`, `0.0`.
fn tenth(value: f64) -> String {
    let rounded = (value * 10.0).round() / 10.0;
    if rounded == 0.0 { "0.0".to_string() } else { format!("{rounded:+.1}") }
}

/// What `compare` prints as JSON.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ComparisonJson {
    /// The verdict, a sentence.
    pub verdict: String,
    /// `stronger`, `not weaker`, `not stronger`, `weaker` or `open`.
    pub answer: &'static str,
    /// Whether the answer favours the new version.
    pub yes: bool,
    /// `done`, `repeats` (the bots play the same games again and again) or `stopped`.
    #[schemars(with = "String")]
    pub ending: Ending,
    /// The number of games that count.
    pub games: usize,
    /// The number of pairs of them.
    pub pairs: u64,
    /// The number of pairs with each score.
    pub counts: Vec<CountJson>,
    /// The new version's lead; null without games.
    pub elo: Option<Interval>,
    /// The same in normalized Elo.
    pub normalized_elo: Option<Interval>,
    /// The probability that the new version is stronger.
    pub los: Option<f64>,
    /// The logarithm of the likelihood ratio of the two hypotheses.
    pub llr: f64,
    /// Where that decides.
    pub bounds: [f64; 2],
    /// The test.
    pub test: Test,
    /// The times of moves.
    pub times: Vec<TimesJson>,
    /// The forfeits of both versions.
    pub forfeits: Vec<ForfeitsJson>,
    /// The games in which the versions differ most.
    pub differ_most: Vec<LeadJson>,
}

/// How many pairs of games have a score.
#[derive(Debug, Serialize, JsonSchema)]
pub struct CountJson {
    /// The score.
    pub score: String,
    /// The number of pairs.
    pub pairs: u64,
}

/// The forfeits of a version.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ForfeitsJson {
    /// Its name.
    pub name: String,
    /// The forfeits in words.
    pub forfeits: String,
}

/// A game in which the versions differ.
#[derive(Debug, Serialize, JsonSchema)]
pub struct LeadJson {
    /// The new version's points minus the opponent's; with opponents, minus the same difference in the old version's
    /// game.
    pub lead: i64,
    /// The new version's game; with opponents, also the old version's.
    pub games: Vec<String>,
}
