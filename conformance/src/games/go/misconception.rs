//! Misconceptions: wrong boards on which a bot's illegal moves would be legal.
//!
//! A bot that does not remove captured stones, or that swaps columns and rows, plays on occupied points or commits
//! suicide. The mistake helps its author more than the effects, so the mistake is reported. A misconception explains a
//! bot's games if every illegal move of the bot would be legal on the wrong board, and every legal one is on an empty
//! point there. It is reported if that is unlikely to be so by chance. Many misconceptions are wrong ways to read a
//! point: letters and numbers are taken for other columns and rows (G1).

use super::id;
use super::wrong_board::{Board, Removal};
use crate::catalog::Id;
use crate::protocol::lines::game::TEST;
use crate::protocol::lines::{LineEvent, Transcript};
use cornerman::game::Spot;
use cornerman::games::go::{Colour, Illegal, Move, Point, Position, parse_move};
use std::collections::BTreeSet;
use std::rc::Rc;

/// How unlikely it must be that a misconception explains a bot's games by chance, as the negative natural logarithm of
/// the probability.
const ENOUGH: f64 = 3.0;

/// The same for a misconception about captures by known rules. It is smaller, because these misconceptions are
/// frequent.
const ENOUGH_FOR_CAPTURES: f64 = 1.0;

/// Of the wrong ways to read points, the first is reported whose number is at least this part of the greatest one: the
/// most common ones come first. The numbers are those of a bot that chooses at random. With one that takes the first
/// empty point, a board that is shifted by a row or column often seems less likely than the true one.
const NEARLY: f64 = 0.5;

/// The longest chain that a misconception about the length of chains distinguishes from others.
const LONGEST_CHAIN: usize = 5;

/// A game that was played with a bot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct PlayedGame {
    /// The size of the board in lines per side.
    pub size: u8,
    /// The bot's colour.
    pub bot: Colour,
    /// All moves of both colours in order, beginning with black's first one.
    pub moves: Vec<Move>,
}

/// A wrong idea of the board.
#[derive(Clone, Copy, Debug)]
pub(super) struct Misconception {
    /// The check that fails.
    pub check: Id,
    /// In words for the bot's author, after "it plays as if".
    pub why: &'static str,
    /// How it reads the opponent's moves.
    reads: Reading,
    /// Whether it writes moves as if there were a column I, so that its K is really J.
    writes_column_i: bool,
    /// Which captured stones it removes.
    removal: Removal,
}

/// A way to read a move, as a function of its row, its column and the number of the last row. It returns the row and
/// the column of the stone on the bot's board, if it is there. Rows count from the top here.
type Reading = fn(u8, u8, u8) -> Option<(u8, u8)>;

/// The right idea of the board. The others differ from it in one thing.
const RIGHT: Misconception = Misconception {
    check: id::COORD,
    why: "",
    reads: |row, col, _| Some((row, col)),
    writes_column_i: false,
    removal: Removal::All,
};

/// It removes some captured stones and not others, or stones that are not captured, by rules that are not known.
const REMOVES_OTHERS: Misconception = Misconception {
    check: id::CAPTURE,
    why: "some captured stones stay on its board, or others leave it",
    ..RIGHT
};

/// Which captured stones are removed, beginning with the most common rules.
fn removals() -> impl Iterator<Item = (Removal, &'static str)> {
    let of = [
        (Removal::ByTheBot, "its own captured stones stay on the board"),
        (Removal::ByTheOpponent, "the opponent's captured stones stay on the board"),
        (Removal::Nothing, "captured stones stay on the board"),
        (Removal::AwayFromEdge, "captured chains at the edge stay on the board"),
        (Removal::AwayFromCorner, "captured chains in the corner stay on the board"),
        (Removal::StoneByStone, "stones are captured singly, whatever liberties their chains have"),
        (Removal::Diagonally, "diagonal points were adjacent, for chains and liberties"),
        (Removal::AroundTheEdge, "points at opposite edges of the board were adjacent"),
        (Removal::AtMost(1), "only single stones are captured, not chains"),
        (Removal::AtMost(2), "captured chains of three stones and more stay on the board"),
    ];
    let at_most = (3..=LONGEST_CHAIN)
        .map(|most| (Removal::AtMost(most), "long chains stay on the board when they are captured"));
    let at_least = (2..=LONGEST_CHAIN).map(|least| {
        let stay = match least {
            2 => "captured single stones stay on the board",
            _ => "short chains stay on the board when they are captured",
        };
        (Removal::AtLeast(least), stay)
    });
    let orders = (0..256).map(|code| [code & 3, code >> 2 & 3, code >> 4 & 3, code >> 6]);
    let orders = orders.filter(|order| (0..4).all(|which| order.contains(&which)));
    let first_chain = orders
        .map(|order| (Removal::FirstChain(order), "a move captures one chain, and others that it captures stay"));
    of.into_iter().chain(at_most).chain(at_least).chain(first_chain)
}

impl Misconception {
    /// All except [`REMOVES_OTHERS`], which has no rules that could be tried.
    fn all() -> impl Iterator<Item = Misconception> {
        let reads = MISREADINGS.map(|(why, reads)| Misconception { why, reads, ..RIGHT });
        let others = [
            Misconception { why: "it takes I for a column where it writes moves", writes_column_i: true, ..RIGHT },
            Misconception {
                check: id::OCCUPIED,
                why: "the opponent's stones were not on the board",
                reads: |_, _, _| None,
                ..RIGHT
            },
        ];
        let removals =
            removals().map(|(removal, why)| Misconception { check: id::CAPTURE, why, removal, ..RIGHT });
        reads.into_iter().chain(others).chain(removals)
    }

    fn enough(self) -> f64 {
        if self.check == id::CAPTURE { ENOUGH_FOR_CAPTURES } else { ENOUGH }
    }

    /// How unlikely it is that this explains `game` by chance, as a negative logarithm; `None` if it does not.
    fn explains(self, game: &PlayedGame) -> Option<f64> {
        let on_board = |row, col| (row < game.size && col < game.size).then_some(Spot { row, col });
        let own = |Spot { row, col }| on_board(row, if self.writes_column_i { with_column_i(col) } else { col });
        let mut board = Board::new(game.size, game.bot, self.removal);
        let mut surprise = 0.0;
        for Turn { position, m, colour, .. } in turns(game) {
            let Move::Place(spot) = m else { continue };
            if colour != game.bot {
                let seen =
                    (self.reads)(spot.row, spot.col, game.size - 1).and_then(|(row, col)| on_board(row, col));
                if let Some(seen) = seen {
                    board.place(seen, colour);
                }
                continue;
            }
            let is_empty = |spot: Spot| own(spot).is_some_and(|spot| board.at(spot).is_none());
            let is_legal = |spot: Spot| own(spot).is_some_and(|spot| board.is_legal(spot, colour));
            surprise += match position.why_illegal(position.point(spot), colour) {
                None if !is_empty(spot) => return None,
                None => chance(&position, |point| position.at(point).is_none(), is_empty),
                Some(_) if !is_legal(spot) => return None,
                Some(Illegal::Ko) => 0.0,
                Some(Illegal::Occupied(_)) => chance(&position, |point| position.at(point).is_some(), is_legal),
                Some(Illegal::Suicide) => chance(&position, suicide(&position, colour), is_legal),
            };
            board.place(own(spot)?, colour);
        }
        Some(surprise)
    }
}

/// How unlikely it is that a random one of the points that `could` be chosen `fits`, as a negative logarithm.
fn chance(position: &Position, could: impl Fn(Point) -> bool, fits: impl Fn(Spot) -> bool) -> f64 {
    let all: Vec<Point> = position.points().filter(|&point| could(point)).collect();
    let fitting = all.iter().filter(|&&point| fits(position.spot(point))).count();
    (all.len().max(1) as f64 / fitting.max(1) as f64).ln()
}

/// Returns whether a stone of `colour` at a point would be suicide.
fn suicide(position: &Position, colour: Colour) -> impl Fn(Point) -> bool {
    move |point| matches!(position.why_illegal(point, colour), Some(Illegal::Suicide))
}

/// A move of a game.
pub(super) struct Turn {
    /// The position before it.
    pub position: Rc<Position>,
    pub m: Move,
    pub colour: Colour,
    /// The position after it; `None` if it is illegal.
    pub after: Option<Rc<Position>>,
}

/// The moves of `game`, up to and including the first illegal one.
pub(super) fn turns(game: &PlayedGame) -> impl Iterator<Item = Turn> {
    let mut next = Some(Rc::new(Position::new(game.size)));
    game.moves.iter().zip(Colour::BOTH.into_iter().cycle()).map_while(move |(&m, colour)| {
        let position = next.take()?;
        let is_legal = match m {
            Move::Pass => true,
            Move::Place(spot) => position.is_legal(position.point(spot), colour),
        };
        next = is_legal.then(|| {
            let mut after = Position::clone(&position);
            after.make(m, colour);
            Rc::new(after)
        });
        Some(Turn { position, m, colour, after: next.clone() })
    })
}

/// The misconception that explains all of `games` and is the least likely to do so by chance, or [`NEARLY`] so, if
/// there is one; or else [`REMOVES_OTHERS`], if that explains them.
pub(super) fn find(games: &[PlayedGame]) -> Option<Misconception> {
    let ends_illegally = |game: &&PlayedGame| turns(game).last().is_some_and(|turn| turn.after.is_none());
    let is_repeated = games.iter().filter(ends_illegally).nth(1).is_some();
    let explains = |misconception: Misconception| {
        // One move on a stone of the opponent's could have many reasons.
        if misconception.check == id::OCCUPIED && !is_repeated {
            return None;
        }
        let surprise: Option<f64> = games.iter().map(|game| misconception.explains(game)).sum();
        surprise.filter(|&surprise| surprise >= misconception.enough()).map(|surprise| (misconception, surprise))
    };
    let all: Vec<(Misconception, f64)> = Misconception::all().filter_map(explains).collect();
    let Some(&(best, most)) = all.iter().reduce(|best, other| if other.1 > best.1 { other } else { best }) else {
        return removes_others(games).then_some(REMOVES_OTHERS);
    };
    let is_preferred = |&&(other, surprise): &&(Misconception, f64)| {
        best.check == id::COORD && other.check == id::COORD && surprise >= most * NEARLY
    };
    Some(all.iter().find(is_preferred).map_or(best, |&(other, _)| other))
}

/// Whether the illegal move at the end of each game can be explained by captured stones that stay on the bot's board,
/// by stones that these would have captured, or by a stone without liberties of its own that has left it; and whether
/// that is unlikely by chance.
fn removes_others(games: &[PlayedGame]) -> bool {
    let surprise: Option<f64> = games.iter().map(stones_missed).sum();
    surprise.is_some_and(|surprise| surprise >= ENOUGH)
}

/// How unlikely it is that [`removes_others`] explains the illegal move at the end of `game` by chance, as a negative
/// logarithm; `None` if it does not explain it.
fn stones_missed(game: &PlayedGame) -> Option<f64> {
    let mut board = Board::new(game.size, game.bot, Removal::All);
    let mut captures: Vec<(Colour, Vec<Spot>)> = Vec::new();
    // Stones that would have been captured if captured stones had stayed.
    let mut seemingly_gone = BTreeSet::new();
    for Turn { position, m, colour, .. } in turns(game) {
        let Move::Place(spot) = m else { continue };
        match position.why_illegal(position.point(spot), colour) {
            None => {
                let removed = board.place(spot, colour);
                seemingly_gone.remove(&spot);
                captures.extend((!removed.is_empty()).then_some((colour.other(), removed)));
                let all = captures.iter().fold(board.clone(), |board, capture| with_stones(&board, capture));
                seemingly_gone.extend(all.without_liberties(spot));
            }
            Some(Illegal::Ko) => return None,
            Some(Illegal::Occupied(_)) => {
                let fits = |spot| board.is_shut_in(spot) || seemingly_gone.contains(&spot);
                return fits(spot).then(|| chance(&position, |point| position.at(point).is_some(), fits));
            }
            Some(Illegal::Suicide) => {
                let all = captures.iter().fold(board.clone(), |board, capture| with_stones(&board, capture));
                let singly = captures.iter().map(|capture| with_stones(&board, capture));
                let boards: Vec<Board> = singly.chain([all]).collect();
                let fits = |spot| boards.iter().any(|board| board.is_legal(spot, colour));
                return fits(spot).then(|| chance(&position, suicide(&position, colour), fits));
            }
        }
    }
    Some(0.0)
}

/// The board with captured stones of this colour put back on those of their spots that are empty.
fn with_stones(board: &Board, (colour, spots): &(Colour, Vec<Spot>)) -> Board {
    let mut with = board.clone();
    for &spot in spots.iter().filter(|&&spot| board.at(spot).is_none()) {
        with.put(spot, *colour);
    }
    with
}

/// What was sent and received in the game of a dialogue, without tests after the game, each with whether it was sent.
pub(super) fn lines(transcript: &Transcript) -> impl Iterator<Item = (bool, &[u8])> {
    let events = transcript.0.iter().map(|entry| &entry.event);
    let in_game = events.take_while(|event| !matches!(event, LineEvent::Note(what) if what == TEST));
    in_game.filter_map(|event| match event {
        LineEvent::Sent(bytes) => Some((true, bytes.as_slice())),
        LineEvent::Received(bytes) => Some((false, bytes.as_slice())),
        LineEvent::Note(_) => None,
    })
}

/// All moves in a dialogue, sent and received, in order.
pub(super) fn moves(transcript: &Transcript, size: u8) -> Vec<Move> {
    let lines = lines(transcript).flat_map(|(_, bytes)| bytes.split(|&byte| byte == b'\n'));
    lines.filter_map(|line| parse_move(line, size)).collect()
}

/// The column J in notation, on a board that has no column I.
const J: u8 = 8;

/// The row 19, counted from 0 from below, and the column T.
const NINETEENTH: u8 = 18;

/// Wrong ways to read the opponent's moves. The first three may as well be wrong ways to write its own moves. Rows
/// count from below in notation, so swapping letter and number mirrors the board along its other diagonal.
const MISREADINGS: [(&str, Reading); 12] = [
    ("columns and rows are swapped either where it reads moves or where it writes them", |row, col, last| {
        Some((last - col, last - row))
    }),
    ("rows are numbered from the top either where it reads moves or where it writes them", |row, col, last| {
        Some((last - row, col))
    }),
    ("columns are named from the right either where it reads moves or where it writes them", |row, col, last| {
        Some((row, last - col))
    }),
    ("it takes I for a column where it reads moves, so that J to T are too far right", |row, col, _| {
        Some((row, with_column_i(col)))
    }),
    ("it does not put the opponent's stones in column T on its board", |row, col, _| {
        (col != NINETEENTH).then_some((row, col))
    }),
    ("it does not put the opponent's stones in row 19 on its board", |row, col, last| {
        (last - row != NINETEENTH).then_some((row, col))
    }),
    ("it does not put the opponent's stones in the top row on its board", |row, col, _| {
        (row > 0).then_some((row, col))
    }),
    ("it does not put the opponent's stones in row 1 on its board", |row, col, last| {
        (row < last).then_some((row, col))
    }),
    ("it does not put the opponent's stones in column A on its board", |row, col, _| {
        (col > 0).then_some((row, col))
    }),
    ("it puts the opponent's stones one row too high", |row, col, _| Some((row.checked_sub(1)?, col))),
    ("it puts the opponent's stones one row too low", |row, col, _| Some((row + 1, col))),
    ("it puts the opponent's stones one column too far to the right", |row, col, _| Some((row, col + 1))),
];

/// The column of a letter on a board that has a column I.
fn with_column_i(col: u8) -> u8 {
    col + u8::from(col >= J)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn played(bot: Colour, moves: &str) -> PlayedGame {
        let moves = moves.split(' ').map(|word| parse_move(word.as_bytes(), 5).unwrap()).collect();
        PlayedGame { size: 5, bot, moves }
    }

    #[track_caller]
    fn check(why: &str, bot: Colour, moves: &str, explained: bool) {
        let misconception = Misconception::all().find(|misconception| misconception.why == why).unwrap();
        let explains = misconception.explains(&played(bot, moves));
        assert_eq!(explains.is_some(), explained, "{why} {moves}");
    }

    fn found(games: &[PlayedGame]) -> Option<&'static str> {
        find(games).map(|misconception| misconception.why)
    }

    /// Black lives with eyes at A1 and C1. White has lost a stone at A1 and plays C1.
    const TWO_EYES: &str = "A2 A1 B1 A3 B2 B3 C2 C3 D2 D3 D1 E2 pass E1 pass C1";

    const SWAPPED: &str = MISREADINGS[0].0;
    const FROM_TOP: &str = MISREADINGS[1].0;
    const STAY: &str = "captured stones stay on the board";
    const OWN_STAY: &str = "its own captured stones stay on the board";
    const OPPONENTS_STAY: &str = "the opponent's captured stones stay on the board";

    #[test]
    fn a_misconception_explains_moves_that_it_makes_legal() {
        // The bot read A4 as D1, so A4 seems to be empty.
        check(SWAPPED, Colour::White, "A4 A4", true);
        check(SWAPPED, Colour::White, "D4 D4", false);
        check(FROM_TOP, Colour::White, "D4 D4", true);
        check(FROM_TOP, Colour::White, "D3 D3", false);
        check(STAY, Colour::White, TWO_EYES, true);
        check(OWN_STAY, Colour::White, TWO_EYES, true);
        check(OPPONENTS_STAY, Colour::White, TWO_EYES, false);
    }

    #[test]
    fn a_bot_that_plays_where_a_stone_was_captured_knows_of_the_capture() {
        let again = "A2 A1 B1 E5 A1";
        check(STAY, Colour::Black, again, false);
        check(OPPONENTS_STAY, Colour::Black, again, false);
        check(OWN_STAY, Colour::Black, again, true);
    }

    #[test]
    fn one_game_that_it_does_not_explain_refutes_a_misconception() {
        // White's moves beside D2 rule out every other wrong reading of it.
        let swapped = vec![played(Colour::White, "D2 E2 B1 D3 B3 D1 A5 D4 C3 B2 E5 D2"); 6];
        assert_eq!(found(&swapped), Some(SWAPPED));
        assert_ne!(found(&[swapped, vec![played(Colour::White, "C3 C3")]].concat()), Some(SWAPPED));
    }

    #[test]
    fn a_mirrored_board_is_preferred_to_a_shifted_one_that_is_hardly_less_likely_by_chance() {
        let long = played(Colour::Black, "A1 A2 B1 B2 C1 C2 D1 D2 E1 E2 A2");
        let games = [vec![long], vec![played(Colour::Black, "A1 B1 B1"); 5]].concat();
        assert_eq!(found(&games), Some(FROM_TOP));
        let shifted = Misconception { why: "", reads: |row, col, _| Some((row, col + 1)), ..RIGHT };
        let surprise = |misconception: Misconception| -> f64 {
            games.iter().map(|game| misconception.explains(game).expect("it explains all")).sum()
        };
        let from_top = Misconception { reads: MISREADINGS[1].1, ..RIGHT };
        assert!(surprise(from_top) > ENOUGH && surprise(shifted) > surprise(from_top));
    }

    #[test]
    fn a_bot_that_plays_on_stones_of_the_opponent_only_does_not_see_them() {
        let on = |spot: &str| played(Colour::White, &format!("A1 E5 B2 D4 C1 E3 A3 {spot}"));
        let games: Vec<PlayedGame> = ["A1", "B2", "C1", "A3"].repeat(2).into_iter().map(on).collect();
        let forgets = Some("the opponent's stones were not on the board");
        assert_eq!(found(&games), forgets);
        assert_eq!(found(&games[..1]), None);
        let own = played(Colour::White, "A4 B2 C3 B2");
        assert_ne!(found(&[&games[..], &[own]].concat()), forgets);
    }

    #[test]
    fn a_single_illegal_move_is_not_explained_by_coordinates() {
        assert_eq!(found(&[played(Colour::White, "A4 A4")]), None);
    }
}
