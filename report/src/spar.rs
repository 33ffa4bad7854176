//! Where a bot stands among known opponents: above, about even with, or below each of them.

use crate::Tournament;
use crate::doc::{Block, Column, Line, Listing, Section};
use crate::json::{EntrantJson, micros, rounded};
use crate::strength::{Decision, Hypotheses, Sample, Scores, Test, TestState, expected_score};
use cornerman::format::EntrantId;
use schemars::JsonSchema;
use serde::Serialize;
use std::time::Duration;

/// Two bots are about even if neither leads by this many Elo: then the weaker one scores about 31 % at least.
const LEAD: f64 = 140.0;

/// The error probability for which the tests are set. As they end after few games, the actual one is about 5 %.
const ERROR: f64 = 0.03;

/// How a bot compares to an opponent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Grade {
    /// It is stronger.
    Above,
    /// Neither is much stronger.
    Even,
    /// It is weaker.
    Below,
}

impl Grade {
    /// The grade in words that a name follows.
    pub fn words(self) -> &'static str {
        match self {
            Grade::Above => "above",
            Grade::Even => "about even with",
            Grade::Below => "below",
        }
    }
}

/// Decides between three hypotheses, a lead of -140, 0 or 140 Elo, by two sequential tests of neighbouring ones (Sobel
/// and Wald, 1949).
#[derive(Clone, Debug)]
pub struct Grading {
    sample: Sample,
    lower: TestState,
    upper: TestState,
}

impl Grading {
    /// A grading without games yet, which will have this many seats.
    pub fn new(seats: usize) -> Grading {
        let scores = Scores::of_meeting(seats);
        let between = |low, high| {
            let hypotheses = Hypotheses { low, high, normalized: false };
            Test { hypotheses, alpha: ERROR, beta: ERROR }.begin(scores)
        };
        Grading { sample: Sample::new(scores), lower: between(-LEAD, 0.0), upper: between(0.0, LEAD) }
    }

    /// The number of games so far.
    fn games(&self) -> u64 {
        u64::from(self.sample.scores.games) * self.sample.len()
    }

    /// Adds a pair of games, or in a game of more than two one from each seat, with the score of this index.
    pub fn add(&mut self, index: usize) {
        self.sample.add(index);
        self.lower.add(index);
        self.upper.add(index);
    }

    /// The pairs so far.
    pub fn sample(&self) -> &Sample {
        &self.sample
    }

    /// The decision, if there is one.
    pub fn decided(&self) -> Option<Grade> {
        match (self.lower.decision(), self.upper.decision()) {
            (_, Some(Decision::High)) => Some(Grade::Above),
            (Some(Decision::Low), _) => Some(Grade::Below),
            (Some(Decision::High), Some(Decision::Low)) => Some(Grade::Even),
            _ => None,
        }
    }

    /// The decision, or else the nearest of the three; `None` without games.
    pub fn nearest(&self) -> Option<Grade> {
        let estimate = self.sample.estimate()?;
        Some(self.decided().unwrap_or(match estimate.score.at {
            score if score > expected_score(LEAD / 2.0) => Grade::Above,
            score if score < expected_score(-LEAD / 2.0) => Grade::Below,
            _ => Grade::Even,
        }))
    }
}

/// An opponent, and how the bot did against it.
#[derive(Clone, Debug)]
pub struct Rung {
    /// The opponent.
    pub opponent: EntrantId,
    /// The pairs of games against it.
    pub grading: Grading,
    /// Whether the bots played the same games again and again.
    pub repeats: bool,
    /// The bot's slowest move against it.
    pub slowest: Duration,
    /// The bot's forfeits against it.
    pub forfeits: usize,
}

/// A ladder of opponents, the weakest first, and how far the first entrant has climbed it.
pub struct Climb<'a> {
    /// The tournament.
    pub tournament: &'a Tournament<'a>,
    /// The rungs that it has reached.
    pub rungs: &'a [Rung],
    /// The opponents that it has not played.
    pub above: &'a [EntrantId],
}

const BOT: EntrantId = EntrantId(0);

impl Climb<'_> {
    /// `left-hook: above @greedy (98 %), about even with @parity (47 %)`.
    pub fn summary(&self) -> String {
        let one = |rung: &Rung| {
            let (grade, estimate) = rung.grading.nearest().zip(rung.grading.sample().estimate())?;
            let games = rung.grading.games();
            // If the interval contains a half, luck alone may explain the score.
            let is_clear = estimate.score.low > 0.5 || estimate.score.high < 0.5;
            let (words, how) = match rung.grading.decided() {
                Some(_) => (grade.words().to_string(), String::new()),
                None if rung.repeats => (grade.words().to_string(), ", always the same games".to_string()),
                None if is_clear => (format!("probably {}", grade.words()), format!(" of {games} games")),
                None => ("not clear against".to_string(), format!(" of {games} games")),
            };
            let name = self.tournament.name(rung.opponent);
            Some(format!("{words} {name} ({:.0} %{how})", estimate.score.at * 100.0))
        };
        let graded: Vec<String> = self.rungs.iter().filter_map(one).collect();
        let name = self.tournament.name(BOT);
        if graded.is_empty() {
            format!("{name}: no game was played")
        } else {
            format!("{name}: {}", graded.join(", "))
        }
    }

    /// The opponent to work on: the first that it is not above.
    pub fn next(&self) -> Option<EntrantId> {
        let not_above = |rung: &&Rung| rung.grading.nearest().is_some_and(|grade| grade != Grade::Above);
        self.rungs.iter().find(not_above).map(|rung| rung.opponent)
    }

    /// The summary and a table.
    pub fn section(&self) -> Section {
        let points = |sample: &Sample| {
            let scored = (0..).zip(&sample.counts).map(|(at, &count)| sample.scores.value(at) * count as f64);
            rounded(scored.sum::<f64>() * f64::from(sample.scores.games), 1)
        };
        let scored = self.rungs.iter().filter_map(|rung| Some((rung, rung.grading.sample().estimate()?.score)));
        let table = Listing(scored).columns(&[
            (Column::name("opponent"), &|(rung, _)| rung.opponent.into()),
            (Column::number("games"), &|(rung, _)| rung.grading.games().into()),
            (Column::number("points"), &|(rung, _)| points(rung.grading.sample()).to_string().into()),
            (Column::number("score"), &|(_, score)| format!("{:.0} %", score.at * 100.0).into()),
            (Column::number("95 %"), &|(_, score)| {
                format!("{:.0} to {:.0} %", score.low * 100.0, score.high * 100.0).into()
            }),
            (Column::number("slowest move"), &|(rung, _)| rung.slowest.into()),
            (Column::number("forfeits"), &|(rung, _)| match rung.forfeits {
                0 => "none".into(),
                some => some.into(),
            }),
        ]);
        let section = Section::new("climb", self.summary() + ".").with(table);
        if self.above.is_empty() {
            return section;
        }
        let above = Line::from("not played: ").then(Line::joined(self.above.iter().copied(), ", "));
        section.with(Block::List(vec![above]))
    }

    /// The climb as JSON.
    pub fn json(&self) -> ClimbJson {
        let one = |rung: &Rung| {
            let sample = rung.grading.sample();
            RungJson {
                who: self.tournament.entrant_json(rung.opponent),
                grade: rung.grading.nearest(),
                decided: rung.grading.decided().is_some(),
                games: rung.grading.games(),
                counts: sample.counts.clone(),
                score: sample.estimate().map(|it| rounded(it.score.at, 4)),
                slowest_us: micros(rung.slowest),
                forfeits: rung.forfeits,
            }
        };
        ClimbJson {
            bot: self.tournament.entrant_json(BOT),
            summary: self.summary(),
            rungs: self.rungs.iter().map(one).collect(),
            not_played: self.above.iter().map(|id| self.tournament.entrant_json(*id)).collect(),
        }
    }
}

/// What `spar` prints as JSON.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ClimbJson {
    /// The bot.
    pub bot: EntrantJson,
    /// Where it stands, in words.
    pub summary: String,
    /// The opponents that it has played, the weakest first.
    pub rungs: Vec<RungJson>,
    /// The opponents that it has not played.
    pub not_played: Vec<EntrantJson>,
}

/// An opponent.
#[derive(Debug, Serialize, JsonSchema)]
pub struct RungJson {
    /// The opponent.
    #[serde(flatten)]
    pub who: EntrantJson,
    /// Whether the bot is `above`, `even` or `below`; null without games.
    #[schemars(with = "Option<String>")]
    pub grade: Option<Grade>,
    /// Whether that is decided.
    pub decided: bool,
    /// The number of games.
    pub games: u64,
    /// The number of pairs of games with each score, from two losses to two wins.
    pub counts: Vec<u64>,
    /// The bot's share of the points.
    pub score: Option<f64>,
    /// Its slowest move.
    pub slowest_us: u64,
    /// The number of its forfeits.
    pub forfeits: usize,
}

#[cfg(test)]
mod tests {
    use super::*;
    use cornerman::rng::Rng;

    /// The grades of 500 simulated bots with this lead, as shares: below, even, above; and the mean number of pairs.
    fn graded(lead: f64) -> ([f64; 3], f64) {
        const BOTS: u32 = 500;
        let mut rng = Rng::new(5);
        let mut shares = [0.0; 3];
        let mut pairs = 0;
        for _ in 0..BOTS {
            let mut grading = Grading::new(2);
            let grade = loop {
                let mut game = || usize::from(rng.below(1_000_000) < (expected_score(lead) * 1e6) as u64) * 2;
                grading.add(game() + game());
                pairs += 1;
                if let Some(grade) = grading.decided() {
                    break grade;
                }
            };
            let at = match grade {
                Grade::Below => 0,
                Grade::Even => 1,
                Grade::Above => 2,
            };
            shares[at] += 1.0 / f64::from(BOTS);
        }
        (shares, f64::from(pairs) / f64::from(BOTS))
    }

    #[test]
    fn bots_are_placed_rightly_nine_times_in_ten() {
        for (lead, at, other) in [(-LEAD, 0, 2), (0.0, 1, 1), (LEAD, 2, 0)] {
            let (shares, pairs) = graded(lead);
            assert!(shares[at] >= 0.88 && pairs < 40.0, "{shares:?} at a lead of {lead}, {pairs} pairs");
            assert!(at == other || shares[other] < 0.005, "{shares:?} at a lead of {lead}");
        }
        assert!(graded(4.0 * LEAD).1 < 12.0, "a large lead is seen soon");
    }

    #[test]
    fn without_a_decision_the_nearest_grade_is_said() {
        let check = |scores: &[usize], wanted| {
            let mut grading = Grading::new(2);
            for score in scores {
                grading.add(*score);
            }
            assert_eq!((grading.decided(), grading.nearest()), (None, wanted), "{scores:?}");
        };
        check(&[], None);
        check(&[4, 3], Some(Grade::Above));
        check(&[2, 2], Some(Grade::Even));
        check(&[1, 0], Some(Grade::Below));
    }
}
