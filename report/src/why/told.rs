//! What `why` says of lost games: each with its causes, as text and as JSON, and where a bot lost most.

use super::{Cause, Explanation};
use crate::count;
use cornerman::format::{EntrantId, GameId};
use schemars::JsonSchema;
use serde::Serialize;
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// A lost game with its causes.
pub struct Explained {
    /// The game.
    pub id: GameId,
    /// The number of legal moves.
    pub moves: usize,
    /// The loser.
    pub loser: EntrantId,
    /// The entrants in first place.
    pub winners: Vec<EntrantId>,
    /// The board that it started from.
    pub board: Vec<u8>,
    /// Why it was lost.
    pub explanation: Explanation,
}

impl Explained {
    /// `s1/r1/m6/g1: jab lost to @parity`, and a line for each cause.
    pub fn text(&self, name: impl Fn(EntrantId) -> String) -> String {
        let winners: Vec<String> = self.winners.iter().map(|id| name(*id)).collect();
        let to = if winners.is_empty() { String::new() } else { format!(" to {}", winners.join(", ")) };
        let mut text = format!("{}: {} lost{to}\n", self.id, name(self.loser));
        for cause in &self.explanation.causes {
            let at = cause.number.map_or_else(String::new, |number| format!("move {number}: "));
            text += &format!("  {at}{}\n", cause.text);
        }
        text
    }

    /// The game and its causes as JSON.
    pub fn json(&self, name: impl Fn(EntrantId) -> String) -> ExplainedJson {
        ExplainedJson {
            game: self.id.to_string(),
            moves: self.moves,
            lost: name(self.loser),
            won: self.winners.iter().map(|id| name(*id)).collect(),
            causes: self.explanation.causes.clone(),
        }
    }
}

/// What `why --format json` prints.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum WhyJson {
    /// For one game.
    Game(ExplainedJson),
    /// For all games that a bot lost.
    Bot {
        /// The bot.
        bot: String,
        /// The number of its games.
        played: usize,
        /// The number of those that it lost.
        lost: usize,
        /// Those that are explained.
        games: Vec<ExplainedJson>,
    },
}

/// A lost game with its causes.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ExplainedJson {
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

/// The part of a game in which it was lost, in words that follow `lost`.
fn phase(game: &Explained) -> &'static str {
    let causes = &game.explanation.causes;
    if causes.iter().any(|cause| cause.kind == "forfeit") {
        return "by a forfeit";
    }
    // The last of the moves that caused it is where it was lost for good.
    let decisive = causes.iter().filter(|cause| cause.kind != "missed").filter_map(|cause| cause.number).max();
    match decisive {
        None => "at no move that can be named",
        Some(number) if 3 * number as usize <= game.moves => "in the first third of its moves",
        Some(number) if 3 * number as usize <= 2 * game.moves => "in the second third of its moves",
        Some(_) => "in the last third of its moves",
    }
}

/// Where a bot lost the `explained` games: in which part of them, against whom, and on which three boards most often.
/// `played` and `boards` have the number of all its games, lost or not, by opponent and by board.
pub fn summary(
    explained: &[Explained],
    played: &BTreeMap<EntrantId, usize>,
    boards: &BTreeMap<Vec<u8>, usize>,
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
    let mut lost_to: BTreeMap<EntrantId, usize> = BTreeMap::new();
    // By board: how often it lost there, and the first such game.
    let mut lost_on: BTreeMap<&[u8], (usize, GameId)> = BTreeMap::new();
    for game in explained {
        for winner in &game.winners {
            *lost_to.entry(*winner).or_default() += 1;
        }
        lost_on.entry(&game.board).or_insert((0, game.id)).0 += 1;
    }
    let mut against: Vec<(EntrantId, usize)> = lost_to.into_iter().collect();
    against.sort_by_key(|(id, lost)| (Reverse(*lost), *id));
    for (id, lost) in against {
        let of = played.get(&id).copied().unwrap_or(lost);
        text += &format!("  {lost} of {} lost to {}\n", count(of, "game"), name(id));
    }
    let mut on: Vec<_> = lost_on.into_iter().filter(|(board, _)| boards.len() > 1 && !board.is_empty()).collect();
    on.sort_by_key(|(_, (lost, id))| (Reverse(*lost), *id));
    for (board, (lost, id)) in on.into_iter().take(3) {
        let of = boards.get(board).copied().unwrap_or(lost);
        text += &format!("  {lost} of {} lost on the board of {id}\n", count(of, "game"));
    }
    text
}
