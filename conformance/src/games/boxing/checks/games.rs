//! Whole games (B2, B3, B8): the document's pipe chain, the bot against itself, and against opponents that are
//! played within this process. The state files live as long as the game.

use super::question;
use crate::attribution::Failure;
use crate::budget::Round;
use crate::games::boxing::case::{Case, under_way};
use crate::games::boxing::id;
use crate::job::Job;
use crate::pipes::question::Failures;
use crate::pipes::{Purpose, job};
use crate::runner::BotRunner;
use cornerman::games::boxing::{Arena, BLOCKED, LARGEST_SQUARE, Square, judge};
use cornerman::rng::Rng;
use cornerman_harness::sandbox::SandboxError;

/// Vacant spots at the start of the games of BX-SELF: enough for a dozen moves of each seat.
const SELF_VACANT: u32 = 190;

/// Vacant spots at the start of the short games of BX-CHAIN and BX-SELF: enough for a few moves of each seat, and for a
/// dozen if they are small.
const SHORT_VACANT: [u32; 2] = [12, 32];

/// How many moves a bot makes, about: in the chain, where it has both seats, in a game against itself, in a game
/// against another, and in a short game.
const MOVES: [u32; 4] = [160, 75, 42, 15];

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
pub struct GamePlan<'a> {
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
pub fn chain(start: &Case) -> Job {
    let arena = start.arena.clone();
    chain_from(arena, "the pipe chain from the document's sample arena", MOVES[0]).in_round(Round::Later)
}

/// The same from an arena that is nearly full.
pub fn short_chain(seed: u64) -> Job {
    let arena = under_way(&mut Rng::new(seed), &[BLOCKED], SHORT_VACANT[0]);
    chain_from(arena, "the pipe chain from an arena that is nearly full", MOVES[3]).in_round(Round::Short)
}

fn chain_from(mut arena: Arena, about: &'static str, runs: u32) -> Job {
    job(&[id::CHAIN], runs, move |runner| {
        let seats = [(Player::Bot, b'A'), (Player::Bot, b'B')];
        let game = GamePlan { check: id::CHAIN, name: "chain", about, seats, most_moves: usize::MAX };
        whole(runner, &game, &mut arena)
    })
}

/// The games of BX-SELF, each a job, and two that are short.
pub fn whole_games(seed: u64) -> Vec<Job> {
    use Player::{Bot, FirstFit, Largest};
    let games: [(&str, Seats); 6] = [
        ("a game against itself", [(Bot, b'a'), (Bot, b'b')]),
        ("a game against first-fit, as first to move", [(Bot, b'c'), (FirstFit, b'd')]),
        ("a game against first-fit, as second to move", [(FirstFit, b'e'), (Bot, b'f')]),
        ("a game against largest-square, as first to move", [(Bot, b'g'), (Largest, b'h')]),
        ("a game against largest-square, as second to move", [(Largest, b'i'), (Bot, b'j')]),
        ("a game against itself", [(Bot, b'k'), (Bot, b'l')]),
    ];
    let short: [(&str, Seats); 2] = [
        ("a short game against itself", [(Bot, b'p'), (Bot, b'q')]),
        ("a short game against first-fit, as second to move", [(FirstFit, b'r'), (Bot, b's')]),
    ];
    let game = |number: u64, about: &'static str, seats: Seats, vacant: u32, runs: u32| {
        job(&[id::SELF], runs, move |runner| {
            let name = format!("game {number}");
            let game = GamePlan { check: id::SELF, name: &name, about, seats, most_moves: usize::MAX };
            let mut arena = under_way(&mut Rng::new(seed.wrapping_add(number)), &[BLOCKED], vacant);
            whole(runner, &game, &mut arena)
        })
    };
    let whole = (1..).zip(games).map(|(number, (about, seats))| {
        let runs = if seats.iter().all(|(player, _)| *player == Bot) { MOVES[1] } else { MOVES[2] };
        game(number, about, seats, SELF_VACANT, runs).in_round(Round::Later)
    });
    let short = (7..).zip(short).map(|(number, (about, seats))| {
        game(number, about, seats, SHORT_VACANT[1], MOVES[3]).in_round(Round::Short)
    });
    whole.chain(short).collect()
}

/// Plays `game` from `arena`, and leaves nothing of it.
fn whole(runner: &mut BotRunner, game: &GamePlan, arena: &mut Arena) -> Failures {
    let claim = runner.claim(&game.seats.map(|(_, mark)| mark))?;
    let found = play(runner, game, arena)?;
    runner.forget(&game.seats.map(|(_, mark)| mark))?;
    drop(claim);
    Ok(found)
}

/// Plays `game` on from `arena` with fresh state files, until it is over, a move is not legal, or it is long
/// enough; `arena` is then as it was left. The claim on the marks is the caller's; state files are left.
///
/// # Errors
/// When the sandbox failed.
pub fn play(runner: &mut BotRunner, game: &GamePlan, arena: &mut Arena) -> Failures {
    runner.forget(&game.seats.map(|(_, mark)| mark))?;
    for (move_number, &(player, mark)) in (1..=game.most_moves).zip(game.seats.iter().cycle()) {
        if arena.vacant().is_empty() || runner.shared.given_up() {
            break;
        }
        let square = match player {
            Player::FirstFit => first_fit(arena),
            Player::Largest => largest(arena),
            Player::Bot => match bots_move(runner, game, move_number, arena, mark)? {
                Ok(square) => square,
                Err(found) => return Ok(found),
            },
        };
        arena.fill(square, mark);
    }
    Ok(Vec::new())
}

fn bots_move(
    runner: &mut BotRunner,
    game: &GamePlan,
    move_number: usize,
    arena: &Arena,
    mark: u8,
) -> Result<Result<Square, Vec<Failure>>, SandboxError> {
    let about = format!("{}, {} spots vacant", game.about, arena.vacant().count());
    let asked = question(format!("{} move {move_number}", game.name), about, arena, mark);
    let order = asked.request();
    let state = runner.state(mark)?;
    let evidence = runner.ask_claimed(&asked.case, Purpose::Move, &order, state.as_deref())?;
    let square = judge(arena, mark, LARGEST_SQUARE, &evidence.report.output).ok().flatten();
    let found = asked.compared(runner, game.check, evidence, (&order, None), true)?;
    // A fault that did not come again when the same was asked alone is still a fault: `found` is not empty.
    Ok(match square {
        Some(square) if found.is_empty() => Ok(square),
        _ => Err(found),
    })
}

fn first_fit(arena: &Arena) -> Square {
    let vacant = arena.vacant();
    let first = vacant.spots().next().expect("the game is not over");
    let fits = |size: &u8| vacant.fits(Square { row: first.row, col: first.col, size: *size });
    let size = (1..=LARGEST_SQUARE).take_while(fits).last().unwrap_or(1);
    Square { row: first.row, col: first.col, size }
}

fn largest(arena: &Arena) -> Square {
    let vacant = arena.vacant();
    let size = vacant.largest();
    let corner = vacant.anchors(size).spots().next().expect("the game is not over");
    Square { row: corner.row, col: corner.col, size }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(player: fn(&Arena) -> Square) {
        let mut arena = Arena::generate(3);
        while !arena.vacant().is_empty() {
            let square = player(&arena);
            assert!(arena.vacant().fits(square), "{square} in {:?}", arena.rows());
            arena.fill(square, b'A');
        }
    }

    #[test]
    fn built_in_opponents_move_legally_to_the_end() {
        check(first_fit);
        check(largest);
    }
}
