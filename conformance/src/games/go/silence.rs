//! Why a bot stops playing: what all the positions in which it wrote no move have in common, and no position has in
//! which it went on.

use super::id;
use super::misconception::{PlayedGame, Turn, turns};
use cornerman::game::Spot;
use cornerman::games::go::{Move, column_letter};
use std::collections::BTreeSet;

/// Something that may be new to a bot when it is its turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Reason {
    /// The opponent has just passed.
    Passed,
    /// The opponent has just captured in a ko.
    Ko,
    /// The opponent has just played where a stone had been captured.
    Reoccupied,
    /// The opponent has just captured stones of the bot.
    Lost,
    /// The bot's move before has captured stones.
    Took,
    /// The opponent has just played in this column, counted from the left.
    Column(u8),
    /// The opponent has just played in this row, counted from below.
    Row(u8),
}

impl Reason {
    /// The check that a bot fails that cannot cope with it.
    pub(super) fn id(self) -> &'static str {
        match self {
            Reason::Passed => id::PASS,
            Reason::Ko => id::KO,
            Reason::Reoccupied | Reason::Lost | Reason::Took => id::CAPTURE,
            Reason::Column(_) | Reason::Row(_) => id::COORD,
        }
    }

    /// The reason in words, for the bot's author.
    pub(super) fn in_words(self) -> String {
        let what = match self {
            Reason::Passed => "the opponent passes",
            Reason::Ko => "the opponent captures in a ko",
            Reason::Reoccupied => "the opponent plays where a stone was captured",
            Reason::Lost => "stones of its own are captured",
            Reason::Took => "it has captured stones",
            Reason::Column(col) => return format!("it never answers a move in column {}", column_letter(col)),
            Reason::Row(row) => return format!("it never answers a move in row {}", row + 1),
        };
        format!("it never goes on when {what}")
    }

    /// Whether a move in one line is the reason. There are so many lines that this may be chance.
    pub(super) fn is_line(self) -> bool {
        matches!(self, Reason::Column(_) | Reason::Row(_))
    }
}

/// The reason why the bot stopped at the end of each of the games in `silent`, if one explains all; `games` are all of
/// its games.
pub(super) fn reason(silent: &[PlayedGame], games: &[PlayedGame]) -> Option<Reason> {
    let ends = silent.iter().map(|game| at_turns(game).pop().unwrap_or_default());
    let common = ends.reduce(|all, end| all.intersection(&end).copied().collect())?;
    let is_answered = |game: &PlayedGame| !silent.contains(game);
    let answered: BTreeSet<Reason> = games
        .iter()
        .flat_map(|game| {
            let mut turns = at_turns(game);
            if !is_answered(game) {
                turns.pop();
            }
            turns
        })
        .flatten()
        .collect();
    common.into_iter().find(|reason| !answered.contains(reason) && (silent.len() > 1 || !reason.is_line()))
}

/// What was new to the bot at each of its turns in `game`: those that it used, and the one at the end.
fn at_turns(game: &PlayedGame) -> Vec<BTreeSet<Reason>> {
    let mut all = Vec::new();
    let mut placed = BTreeSet::<Spot>::new();
    let mut took = false;
    for Turn { position, m, colour } in turns(game) {
        let lost = |m: Move| {
            let mut after = position.clone();
            after.make(m, colour);
            (after.lost() != position.lost(), after.ko().is_some())
        };
        let is_legal = match m {
            Move::Pass => true,
            Move::Place(spot) => position.is_legal(position.point(spot), colour),
        };
        if !is_legal {
            break;
        }
        let (captured, ko) = lost(m);
        if colour == game.bot {
            took = captured;
        } else {
            let mut new = BTreeSet::new();
            new.extend(took.then_some(Reason::Took));
            match m {
                Move::Pass => _ = new.insert(Reason::Passed),
                Move::Place(spot) => {
                    new.extend(captured.then_some(Reason::Lost));
                    new.extend(ko.then_some(Reason::Ko));
                    new.extend(placed.contains(&spot).then_some(Reason::Reoccupied));
                    new.extend([Reason::Column(spot.col), Reason::Row(game.size - 1 - spot.row)]);
                }
            }
            all.push(new);
        }
        placed.extend(if let Move::Place(spot) = m { Some(spot) } else { None });
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use cornerman::games::go::{Colour, parse_move};

    fn played(moves: &str) -> PlayedGame {
        let moves = moves.split(' ').map(|word| parse_move(word.as_bytes(), 5).unwrap()).collect();
        PlayedGame { size: 5, bot: Colour::White, moves }
    }

    #[track_caller]
    fn check(silent: &[&str], others: &[&str], found: Option<Reason>) {
        let silent: Vec<PlayedGame> = silent.iter().map(|moves| played(moves)).collect();
        let others = others.iter().map(|moves| played(moves));
        let all: Vec<PlayedGame> = silent.iter().cloned().chain(others).collect();
        assert_eq!(reason(&silent, &all), found);
    }

    #[test]
    fn the_reason_is_what_all_silences_have_in_common() {
        check(&["A1 B1 pass"], &["A1 B1 C1 D1"], Some(Reason::Passed));
        check(&["A2 A1 B1", "E2 E1 D1"], &["A2 C3 B1 D1"], Some(Reason::Lost));
        check(&["E5 A1 C3", "A2 B4 C5"], &["A1 B1 D4 E4"], Some(Reason::Column(2)));
    }

    #[test]
    fn what_the_bot_has_coped_with_is_not_the_reason() {
        check(&["A1 B1 pass"], &["A1 B1 pass C1"], None);
        check(&["C3"], &[], None);
    }
}
