//! What `why` says of lost games: each with its causes, as text and as JSON, and where a bot lost most.

use super::Cause;
use crate::{count, plain};
use cornerman::format::{EntrantId, GameId};
use schemars::JsonSchema;
use serde::Serialize;
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// A lost game with its causes.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "ExplainedJson")]
pub struct Explained {
    /// Its name.
    pub game: String,
    /// The number of its moves.
    pub moves: usize,
    /// The name of the loser.
    pub lost: String,
    /// The names of those in first place.
    pub won: Vec<String>,
    /// Why, the most general first.
    pub causes: Vec<Cause>,
}

impl Explained {
    /// `s1/r1/m6/g1: jab lost to @parity`, and a line for each cause.
    pub fn text(&self) -> String {
        let winners: Vec<String> = self.won.iter().map(plain).collect();
        let to = if winners.is_empty() { String::new() } else { format!(" to {}", winners.join(", ")) };
        let mut text = format!("{}: {} lost{to}\n", self.game, plain(&self.lost));
        for cause in &self.causes {
            let at = cause.number.map_or_else(String::new, |number| format!("move {number}: "));
            text += &format!("  {at}{}\n", cause.text);
        }
        text
    }
}

/// What `why --format json` prints.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum WhyJson {
    /// For one game.
    Game(Explained),
    /// For all games that a bot lost.
    Bot {
        /// The bot.
        bot: String,
        /// The number of its games.
        played: usize,
        /// The number of those that it lost.
        lost: usize,
        /// Those that are explained.
        games: Vec<Explained>,
    },
}

/// The part of a game in which it was lost, in words that follow `lost`.
fn phase(game: &Explained) -> &'static str {
    if game.causes.iter().any(|cause| cause.kind == "forfeit") {
        return "by a forfeit";
    }
    // The last of the moves that caused it is where it was lost for good.
    let decisive =
        game.causes.iter().filter(|cause| cause.kind != "missed").filter_map(|cause| cause.number).max();
    match decisive {
        None => "at no move that can be named",
        Some(number) if 3 * number as usize <= game.moves => "in the first third of its moves",
        Some(number) if 3 * number as usize <= 2 * game.moves => "in the second third of its moves",
        Some(_) => "in the last third of its moves",
    }
}

/// How many games a bot played against an opponent or from a board, and how many of them it lost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LossTally {
    /// The games that it played.
    pub played: usize,
    /// Those that it lost.
    pub lost: usize,
    /// The first game that it lost.
    pub first: Option<GameId>,
}

impl LossTally {
    /// Counts the game `id`.
    pub fn add(&mut self, id: GameId, is_lost: bool) {
        self.played += 1;
        if is_lost {
            self.lost += 1;
            self.first.get_or_insert(id);
        }
    }
}

/// Where a bot lost: in which part of the `explained` games; of all its games, to whom, and on which three boards most
/// often. A game counts `against` an opponent as lost if that one won it.
pub fn summary(
    explained: &[Explained],
    against: &BTreeMap<EntrantId, LossTally>,
    boards: &BTreeMap<Vec<u8>, LossTally>,
    name: impl Fn(EntrantId) -> String,
) -> String {
    let mut text = String::new();
    let mut phases: BTreeMap<&str, usize> = BTreeMap::new();
    for game in explained {
        *phases.entry(phase(game)).or_default() += 1;
    }
    let mut phases: Vec<(&str, usize)> = phases.into_iter().collect();
    phases.sort_by_key(|(_, games)| Reverse(*games));
    for (phase, games) in phases {
        text += &format!("  {} lost {phase}\n", count(games, "game"));
    }
    let mut winners: Vec<_> = against.iter().filter(|(_, tally)| tally.lost > 0).collect();
    winners.sort_by_key(|(id, tally)| (Reverse(tally.lost), **id));
    for (id, tally) in winners {
        text += &format!("  {} of {} lost to {}\n", tally.lost, count(tally.played, "game"), name(*id));
    }
    let differ = boards.len() > 1;
    let lost_on = boards.iter().filter(|(board, _)| differ && !board.is_empty());
    let mut lost_on: Vec<_> = lost_on.filter_map(|(_, tally)| Some((tally, tally.first?))).collect();
    lost_on.sort_by_key(|(tally, first)| (Reverse(tally.lost), *first));
    for (tally, first) in lost_on.into_iter().take(3) {
        text += &format!("  {} of {} lost on the board of {first}\n", tally.lost, count(tally.played, "game"));
    }
    text
}
