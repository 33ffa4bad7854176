//! Whole games (B2, B3, B8): the document's pipe chain, and games against the bot itself and against built-in
//! opponents. State files are kept for the length of a game.

use super::question;
use crate::attribution::Failure;
use crate::budget::Round;
use crate::games::boxing::case::{Case, game_in_progress};
use crate::games::boxing::id;
use crate::job::Job;
use crate::pipes::question::Failures;
use crate::pipes::{Purpose, job};
use crate::runner::BotRunner;
use cornerman::games::boxing::{Arena, BLOCKED, LARGEST_SQUARE, Square, judge};
use cornerman::rng::Rng;
use cornerman_harness::sandbox::SandboxError;

/// Vacant spots at the start of the games of BX-SELF, enough for a dozen moves by each seat.
const SELF_VACANT: u32 = 190;

/// Vacant spots at the start of the short game of BX-CHAIN, enough for a few moves by each seat.
const SHORT_CHAIN_VACANT: u32 = 12;

/// Vacant spots at the start of the short games of BX-SELF, enough for a few moves by each seat, or a dozen small ones.
const SHORT_SELF_VACANT: u32 = 32;

/// The approximate number of moves that a bot makes in the chain, where it has both seats.
const CHAIN_MOVES: u32 = 160;

/// The approximate number of moves that a bot makes in a game against itself.
const SELF_MOVES: u32 = 75;

/// The approximate number of moves that a bot makes in a game against a built-in opponent.
const OPPONENT_MOVES: u32 = 42;

/// Vacant spots at the start of the games of BX-NPLAYER, enough for a few moves by each seat.
const NPLAYER_VACANT: u32 = 40;

/// The approximate number of moves that a bot makes in a short game.
const SHORT_MOVES: u32 = 15;

/// The player in a seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Player {
    Bot,
    /// An opponent that plays the largest square whose top left corner is the first vacant spot.
    FirstFit,
    /// An opponent that plays the first of the largest squares.
    Largest,
}

/// A game to be played.
pub(crate) struct GamePlan<'a> {
    /// The check that fails if the bot does.
    pub check: &'static str,
    /// The name of the game in reports.
    pub name: &'a str,
    /// A description of the players.
    pub about: &'a str,
    /// The players and their marks, in order of play.
    pub seats: &'a [(Player, u8)],
    /// The number of moves, of both seats together, after which the game is broken off.
    pub max_moves: usize,
}

/// The document's own minimal test: BX-CHAIN.
pub(crate) fn chain(start: &Case) -> Job {
    let arena = start.arena.clone();
    chain_from(arena, "the pipe chain from the document's sample arena", CHAIN_MOVES).in_round(Round::Later)
}

/// BX-CHAIN from an arena that is nearly full.
pub(crate) fn short_chain(seed: u64) -> Job {
    let arena = game_in_progress(&mut Rng::new(seed), &[BLOCKED], SHORT_CHAIN_VACANT);
    chain_from(arena, "the pipe chain from an arena that is nearly full", SHORT_MOVES).in_round(Round::Short)
}

fn chain_from(mut arena: Arena, about: &'static str, runs: u32) -> Job {
    job(&[id::CHAIN], runs, move |runner| {
        let seats = &[(Player::Bot, b'A'), (Player::Bot, b'B')];
        let game = GamePlan { check: id::CHAIN, name: "chain", about, seats, max_moves: usize::MAX };
        play_whole(runner, &game, &mut arena)
    })
}

/// The jobs of BX-NPLAYER in which more than two players move in turn.
pub(crate) fn games_of_many(seed: u64) -> Vec<Job> {
    use Player::{Bot, FirstFit, Largest};
    const FOUR: [(Player, u8); 4] = [(FirstFit, b't'), (Bot, b'u'), (Largest, b'v'), (FirstFit, b'w')];
    const SIX: [(Player, u8); 6] =
        [(Bot, b'y'), (FirstFit, b'8'), (Bot, b'+'), (Largest, b'%'), (FirstFit, b'*'), (FirstFit, b'.')];
    let game = |number: u64, about: &'static str, seats: &'static [(Player, u8)], round: Round| {
        let run = move |runner: &mut BotRunner| {
            let name = format!("game {number}");
            let game = GamePlan { check: id::NPLAYER, name: &name, about, seats, max_moves: usize::MAX };
            let mut arena = game_in_progress(&mut Rng::new(seed.wrapping_add(number)), &[BLOCKED], NPLAYER_VACANT);
            play_whole(runner, &game, &mut arena)
        };
        job(&[id::NPLAYER], SHORT_MOVES, run).in_round(round)
    };
    vec![
        game(9, "a game of four players", &FOUR, Round::Short),
        game(10, "a game of six players, in two of the seats", &SIX, Round::Later),
    ]
}

/// The jobs of BX-SELF: a game each, of which two are short.
pub(crate) fn whole_games(seed: u64) -> Vec<Job> {
    use Player::{Bot, FirstFit, Largest};
    type Pair = [(Player, u8); 2];
    let games: [(&str, Pair); 6] = [
        ("a game against itself", [(Bot, b'a'), (Bot, b'b')]),
        ("a game against first-fit, moving first", [(Bot, b'c'), (FirstFit, b'd')]),
        ("a game against first-fit, moving second", [(FirstFit, b'e'), (Bot, b'f')]),
        ("a game against largest-square, moving first", [(Bot, b'g'), (Largest, b'h')]),
        ("a game against largest-square, moving second", [(Largest, b'i'), (Bot, b'j')]),
        ("a game against itself", [(Bot, b'k'), (Bot, b'l')]),
    ];
    let short: [(&str, Pair); 2] = [
        ("a short game against itself", [(Bot, b'p'), (Bot, b'q')]),
        ("a short game against first-fit, moving second", [(FirstFit, b'r'), (Bot, b's')]),
    ];
    let game = |number: u64, about: &'static str, seats: Pair, vacant: u32, runs: u32| {
        job(&[id::SELF], runs, move |runner| {
            let name = format!("game {number}");
            let game = GamePlan { check: id::SELF, name: &name, about, seats: &seats, max_moves: usize::MAX };
            let mut arena = game_in_progress(&mut Rng::new(seed.wrapping_add(number)), &[BLOCKED], vacant);
            play_whole(runner, &game, &mut arena)
        })
    };
    let whole = (1..).zip(games).map(|(number, (about, seats))| {
        let runs = if seats.iter().all(|(player, _)| *player == Bot) { SELF_MOVES } else { OPPONENT_MOVES };
        game(number, about, seats, SELF_VACANT, runs).in_round(Round::Later)
    });
    let short = (7..).zip(short).map(|(number, (about, seats))| {
        game(number, about, seats, SHORT_SELF_VACANT, SHORT_MOVES).in_round(Round::Short)
    });
    whole.chain(short).collect()
}

/// Plays `game` from `arena`, and removes its state files.
fn play_whole(runner: &mut BotRunner, game: &GamePlan, arena: &mut Arena) -> Failures {
    let marks = game.marks();
    let claim = runner.claim(&marks)?;
    let mut found = play(runner, game, arena)?;
    let goes_on = game.check != id::NPLAYER && !runner.shared.given_up();
    if goes_on && found.is_empty() && arena.vacant().is_empty() {
        // Pipes go on after the end of the game, and the bot passes the full arena on (B7).
        let (_, mark) = *game.seats.iter().find(|(player, _)| *player == Player::Bot).expect("the bot plays");
        if let BotsMove::Failed(failures) = bots_move(runner, game, "after the end", arena, mark)? {
            found = failures;
        }
    }
    game.seats.iter().try_for_each(|(_, mark)| runner.put_state(*mark, runner.bait(*mark)))?;
    drop(claim);
    Ok(found)
}

impl GamePlan<'_> {
    /// The marks of the seats.
    fn marks(&self) -> Vec<u8> {
        self.seats.iter().map(|(_, mark)| *mark).collect()
    }
}

/// Plays `game` from `arena`, which is updated with each move. It ends when the arena is full, a move is illegal, or
/// the maximum number of moves is reached. State files are removed at the start and left at the end. The caller must
/// hold the claim on the marks.
///
/// # Errors
/// The sandbox failed.
pub(crate) fn play(runner: &mut BotRunner, game: &GamePlan, arena: &mut Arena) -> Failures {
    for &(player, mark) in game.seats {
        let kept = if player == Player::Bot { None } else { runner.bait(mark) };
        runner.put_state(mark, kept)?;
    }
    for (move_number, &(player, mark)) in (1..=game.max_moves).zip(game.seats.iter().cycle()) {
        if arena.vacant().is_empty() || runner.shared.given_up() {
            break;
        }
        let square = match player {
            Player::FirstFit => first_fit(arena),
            Player::Largest => largest(arena),
            Player::Bot => match bots_move(runner, game, &format!("move {move_number}"), arena, mark)? {
                BotsMove::Legal(Some(square)) => square,
                BotsMove::Legal(None) => break,
                BotsMove::Failed(failures) => return Ok(failures),
            },
        };
        arena.fill(square, mark);
    }
    Ok(Vec::new())
}

/// The result of asking the bot for a move.
enum BotsMove {
    /// A legal move; without a square on a full arena.
    Legal(Option<Square>),
    Failed(Vec<Failure>),
}

fn bots_move(
    runner: &mut BotRunner,
    game: &GamePlan,
    when: &str,
    arena: &Arena,
    mark: u8,
) -> Result<BotsMove, SandboxError> {
    let about = format!("{}, {} spots vacant", game.about, arena.vacant().count());
    let asked = question(format!("{} {when}", game.name), about, arena, mark);
    let request = asked.request();
    let state = runner.state(mark)?;
    let evidence = runner.ask_claimed(&asked, Purpose::Move, &request, state.as_deref())?;
    let played = judge(arena, mark, LARGEST_SQUARE, &evidence.report.output);
    let mut failures = asked.compared(runner, game.check, evidence, (&request, None), true)?;
    if game.check == id::NPLAYER {
        // Arenas with many marks are judged by their own check, unless other arenas show the fault as well.
        for failure in &mut failures {
            (failure.seen_by, failure.interrupted) = (Some(id::NPLAYER), None);
        }
    }
    // A legal move does not suffice: a fault that is not seen again when the same is asked alone is a failure too.
    Ok(match played {
        Ok(square) if failures.is_empty() => BotsMove::Legal(square),
        _ => BotsMove::Failed(failures),
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
