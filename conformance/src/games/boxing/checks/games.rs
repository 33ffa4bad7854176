//! Whole games (B2, B3, B8): the document's pipe chain, the bot against itself, and against opponents that are
//! played within this process. The state files live as long as the game.

use super::{Asked, Found, Job, Trouble, compared};
use crate::catalog::{Severity, id};
use crate::finding::Evidence;
use crate::games::boxing::case::{Case, under_way};
use crate::games::boxing::runner::{Hand, Purpose};
use cornerman::games::boxing::{Arena, BLOCKED, LARGEST_SQUARE, Square, judge};
use cornerman::lots::Lots;
use cornerman_harness::sandbox::{Order, SandboxError};

/// Vacant spots at the start of the games of BX-SELF: enough for a dozen moves of each seat.
const SELF_VACANT: u32 = 190;

/// Who has a seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Player {
    /// The bot.
    Bot,
    /// Takes the first vacant spot and as much below and right of it as is free.
    FirstFit,
    /// Takes the first of the largest squares.
    Largest,
}

/// Who plays, with which mark, in order of play.
pub type Seats = [(Player, u8); 2];

/// A game to be played.
pub struct Match<'a> {
    /// The check it is for.
    pub check: &'static str,
    /// Its name in reports.
    pub name: &'a str,
    /// Who plays, in words.
    pub about: &'a str,
    /// Who plays, with which mark, in order of play.
    pub seats: Seats,
    /// Stop after so many moves of all seats.
    pub most_moves: usize,
}

/// The document's own minimal test.
pub fn chain(start: &Case) -> Job<'_> {
    Job::new(&[id::CHAIN], |hand| {
        let game = Match {
            check: id::CHAIN,
            name: "chain",
            about: "the pipe chain from the document's sample arena",
            seats: [(Player::Bot, b'A'), (Player::Bot, b'B')],
            most_moves: usize::MAX,
        };
        let claim = hand.claim(b"AB")?;
        let mut arena = start.arena.clone();
        let found = play(hand, &game, &mut arena)?;
        forget(hand, &game)?;
        drop(claim);
        Ok(found)
    })
}

/// The games of BX-SELF, each a job.
pub fn whole_games<'a>(seed: u64) -> Vec<Job<'a>> {
    use Player::{Bot, FirstFit, Largest};
    let games: [(&str, Seats); 6] = [
        ("a game against itself", [(Bot, b'a'), (Bot, b'b')]),
        ("a game against first-fit, as first to move", [(Bot, b'c'), (FirstFit, b'd')]),
        ("a game against first-fit, as second to move", [(FirstFit, b'e'), (Bot, b'f')]),
        ("a game against largest-square, as first to move", [(Bot, b'g'), (Largest, b'h')]),
        ("a game against largest-square, as second to move", [(Largest, b'i'), (Bot, b'j')]),
        ("a game against itself", [(Bot, b'k'), (Bot, b'l')]),
    ];
    let job = |(number, (about, seats)): (u64, (&'static str, Seats))| {
        Job::new(&[id::SELF], move |hand| {
            let name = format!("game {number}");
            let game = Match { check: id::SELF, name: &name, about, seats, most_moves: usize::MAX };
            let marks = seats.map(|(_, mark)| mark);
            let claim = hand.claim(&marks)?;
            let mut arena = under_way(&mut Lots::new(seed.wrapping_add(number)), &[BLOCKED], SELF_VACANT);
            let found = play(hand, &game, &mut arena)?;
            forget(hand, &game)?;
            drop(claim);
            Ok(found)
        })
    };
    (1..).zip(games).map(job).collect()
}

/// Plays `game` on from `arena` with fresh state files, until it is over, a move is not legal, or it is long
/// enough; `arena` is then as it was left. The claim on the marks is the caller's; state files are left.
///
/// # Errors
/// When the sandbox failed.
pub fn play(hand: &mut Hand, game: &Match, arena: &mut Arena) -> Found {
    for (_, mark) in game.seats {
        hand.put_state(mark, None)?;
    }
    for (move_number, &(player, mark)) in (1..=game.most_moves).zip(game.seats.iter().cycle()) {
        if arena.vacancy().is_empty() || hand.shared.given_up() {
            break;
        }
        let square = match player {
            Player::FirstFit => first_fit(arena),
            Player::Largest => largest(arena),
            Player::Bot => match bots_move(hand, game, move_number, arena, mark)? {
                Ok(square) => square,
                Err(found) => return Ok(found),
            },
        };
        arena.fill(square, mark);
    }
    Ok(Vec::new())
}

/// Removes the state files of `game`.
///
/// # Errors
/// When the sandbox failed.
pub fn forget(hand: &mut Hand, game: &Match) -> Result<(), SandboxError> {
    game.seats.iter().try_for_each(|&(_, mark)| hand.put_state(mark, None))
}

fn bots_move(
    hand: &mut Hand,
    game: &Match,
    move_number: usize,
    arena: &Arena,
    mark: u8,
) -> Result<Result<Square, Vec<Trouble>>, SandboxError> {
    let asked = Asked {
        case: format!("{} move {move_number}", game.name),
        about: format!("{}, {} spots vacant", game.about, arena.vacancy().count()),
        arena,
        mark,
        severity: Severity::Must,
    };
    let order = Order::of_move(mark, &arena.to_bytes());
    let state = hand.state(mark)?;
    let evidence = hand.ask_claimed(&asked.case, Purpose::Move, &order, state.as_deref())?;
    let square = legal_square(&asked, &evidence);
    let found = compared(hand, game.check, &asked, evidence, (&order, None))?;
    // A fault that did not come again when the same was asked alone is still a fault: `found` is not empty.
    Ok(match square {
        Some(square) if found.is_empty() => Ok(square),
        _ => Err(found),
    })
}

fn legal_square(asked: &Asked, evidence: &Evidence) -> Option<Square> {
    judge(asked.arena, asked.mark, LARGEST_SQUARE, &evidence.report.output).ok().flatten()
}

fn first_fit(arena: &Arena) -> Square {
    let vacant = arena.vacancy();
    let first = vacant.spots().next().expect("the game is not over");
    let fits = |size: &u8| vacant.fits(Square { row: first.row, col: first.col, size: *size });
    let size = (1..=LARGEST_SQUARE).take_while(fits).last().unwrap_or(1);
    Square { row: first.row, col: first.col, size }
}

fn largest(arena: &Arena) -> Square {
    let vacant = arena.vacancy();
    let size = vacant.largest();
    let corner = vacant.anchors(size).spots().next().expect("the game is not over");
    Square { row: corner.row, col: corner.col, size }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(player: fn(&Arena) -> Square) {
        let mut arena = Arena::generate(3);
        while !arena.vacancy().is_empty() {
            let square = player(&arena);
            assert!(arena.vacancy().fits(square), "{square} in {:?}", arena.rows());
            arena.fill(square, b'A');
        }
    }

    #[test]
    fn built_in_opponents_move_legally_to_the_end() {
        check(first_fit);
        check(largest);
    }
}
