//! Whole games (B2, B3, B8): the pipe chain that the rules describe, and games against the bot itself and against
//! built-in opponents.

use crate::budget::Round;
use crate::games::boxing::case::{game_in_progress, question};
use crate::games::boxing::id;
use crate::jobs::Job;
use crate::protocol::cannot_set_up;
use crate::protocol::filter::games::{FilterGame, GamePlan, Player};
use crate::protocol::filter::question::Question;
use crate::protocol::filter::state::A_FEW_MOVES;
use cornerman::game::{InProgress, LiveGame, Reply, Seat, Setup};
use cornerman::games::boxing::{Arena, BLOCKED, Boxing, LARGEST_SQUARE, Square};
use cornerman::rng::Rng;
use std::sync::Arc;

/// Vacant spots at the start of the whole games of BX-SELF, enough for a dozen moves by each seat.
const SELF_VACANT: u32 = 190;

/// Vacant spots at the start of the short game of BX-CHAIN, enough for a few moves by each seat.
const SHORT_CHAIN_VACANT: u32 = 12;

/// Vacant spots at the start of the short games of BX-SELF, enough for a few moves by each seat, or a dozen small ones.
const SHORT_SELF_VACANT: u32 = 32;

/// About how many moves a bot makes in the chain, where it has both seats.
const CHAIN_MOVES: u32 = 160;

/// About how many moves a bot makes in a game against itself.
const SELF_MOVES: u32 = 75;

/// About how many moves a bot makes in a game against a built-in opponent.
const OPPONENT_MOVES: u32 = 42;

/// Vacant spots at the start of the games of BX-NPLAYER, enough for a few moves by each seat.
const NPLAYER_VACANT: u32 = 40;

/// About how many moves a bot makes in a short game.
const SHORT_MOVES: u32 = 15;

const BOT: Player = Player::Bot;

/// An opponent that plays the largest square whose top left corner is the first vacant spot.
const FIRST_FIT: Player = Player::Opponent(|live, _, _| answer(live, first_fit));

/// An opponent that plays the first of the largest squares.
const LARGEST: Player = Player::Opponent(|live, _, _| answer(live, largest));

/// A game among `seats` from `arena`.
fn plan(check: &'static str, name: String, about: &str, seats: &[(Player, u8)], arena: Arena) -> GamePlan {
    let marks: Vec<u8> = seats.iter().map(|(_, mark)| *mark).collect();
    let open = move || {
        let board = arena.to_bytes().to_vec();
        let setup = Setup { seats: marks.len() as u8, board, marks: marks.clone(), seed: 0 };
        let live = InProgress::new(Boxing::default(), &setup).map_err(cannot_set_up)?;
        Ok(Box::new(live) as Box<dyn LiveGame>)
    };
    GamePlan {
        check,
        // What goes wrong among many marks belongs to their own check, unless other arenas show it as well.
        judges_all: check == id::NPLAYER,
        name,
        about: about.to_string(),
        seats: seats.to_vec(),
        open: Arc::new(open),
        max_moves: usize::MAX,
        game: Arc::new(Arenas { passes: check != id::NPLAYER }),
    }
}

/// The positions of a game.
struct Arenas {
    /// Whether the bot is asked to pass the full arena on at the end, as in the pipes of the document (B7).
    passes: bool,
}

impl FilterGame for Arenas {
    fn question(&self, case: String, about: String, live: &dyn LiveGame, _: Seat, mark: u8) -> Question {
        let arena = arena(live);
        question(case, format!("{about}, {} spots vacant", arena.vacant().count()), &arena, mark)
    }

    fn shows_position_to_all(&self) -> bool {
        true
    }

    fn after_the_end(&self, case: String, about: String, live: &dyn LiveGame, mark: u8) -> Option<Question> {
        self.passes.then(|| self.question(case, about, live, Seat(0), mark))
    }
}

fn arena(live: &dyn LiveGame) -> Arena {
    Arena::parse(&live.board()).expect("the board is an arena")
}

/// An arena from which a game starts, with at most this many vacant spots.
fn start(seed: u64, vacant: u32) -> Arena {
    game_in_progress(&mut Rng::new(seed), &[BLOCKED], vacant)
}

/// The first moves of a game of the bot against itself, which give it something to remember.
pub(crate) fn a_few_moves(marks: [u8; 2], seed: u64) -> GamePlan {
    let about = "the first moves of a game against itself";
    let seats = marks.map(|mark| (BOT, mark));
    let plan = plan(id::SELF, "short game".to_string(), about, &seats, Arena::generate(seed));
    GamePlan { max_moves: A_FEW_MOVES, ..plan }
}

/// The jobs of BX-CHAIN, the minimal test that the rules suggest, from the arena `document` or a nearly full one; of
/// BX-SELF, with two short games at the end; and of BX-NPLAYER, with games of more than two players.
pub(crate) fn jobs(document: &Arena, seed: u64) -> Vec<Job> {
    type Seats = &'static [(Player, u8)];
    let game = |check, name: String, about, seats: Seats, arena, moves, round| {
        let plan = plan(check, name, about, seats, arena);
        Job::new(&[check], moves, move |runner| plan.play_whole(runner)).in_round(round)
    };
    let chain = |about, arena, moves, round| {
        game(id::CHAIN, "chain".to_string(), about, &[(BOT, b'A'), (BOT, b'B')], arena, moves, round)
    };
    let nearly_full = start(seed, SHORT_CHAIN_VACANT);
    let mut jobs = vec![
        chain("the pipe chain from the document's sample arena", document.clone(), CHAIN_MOVES, Round::Later),
        chain("the pipe chain from an arena that is nearly full", nearly_full, SHORT_MOVES, Round::Short),
    ];
    let whole = |about, seats: Seats, moves| (id::SELF, about, seats, SELF_VACANT, moves, Round::Later);
    let short = |about, seats: Seats| (id::SELF, about, seats, SHORT_SELF_VACANT, SHORT_MOVES, Round::Short);
    let many = |about, seats: Seats, round| (id::NPLAYER, about, seats, NPLAYER_VACANT, SHORT_MOVES, round);
    const FOUR: Seats = &[(FIRST_FIT, b't'), (BOT, b'u'), (LARGEST, b'v'), (FIRST_FIT, b'w')];
    const SIX: Seats =
        &[(BOT, b'y'), (FIRST_FIT, b'8'), (BOT, b'+'), (LARGEST, b'%'), (FIRST_FIT, b'*'), (FIRST_FIT, b'.')];
    let games = [
        whole("a game against itself", &[(BOT, b'a'), (BOT, b'b')], SELF_MOVES),
        whole("a game against first-fit, moving first", &[(BOT, b'c'), (FIRST_FIT, b'd')], OPPONENT_MOVES),
        whole("a game against first-fit, moving second", &[(FIRST_FIT, b'e'), (BOT, b'f')], OPPONENT_MOVES),
        whole("a game against largest-square, moving first", &[(BOT, b'g'), (LARGEST, b'h')], OPPONENT_MOVES),
        whole("a game against largest-square, moving second", &[(LARGEST, b'i'), (BOT, b'j')], OPPONENT_MOVES),
        whole("a game against itself", &[(BOT, b'k'), (BOT, b'l')], SELF_MOVES),
        short("a short game against itself", &[(BOT, b'p'), (BOT, b'q')]),
        short("a short game against first-fit, moving second", &[(FIRST_FIT, b'r'), (BOT, b's')]),
        many("a game of four players", FOUR, Round::Short),
        many("a game of six players, in two of the seats", SIX, Round::Later),
    ];
    for (number, (check, about, seats, vacant, moves, round)) in (1..).zip(games) {
        let arena = start(seed.wrapping_add(number), vacant);
        jobs.push(game(check, format!("game {number}"), about, seats, arena, moves, round));
    }
    jobs
}

/// The answer of the opponent that plays the square of `choose`.
fn answer(live: &dyn LiveGame, choose: fn(&Arena) -> Square) -> Option<Reply> {
    Some(Reply::Notation(choose(&arena(live)).to_string()))
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
