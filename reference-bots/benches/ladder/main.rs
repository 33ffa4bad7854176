//! The strength of the reference bots: a line for each rung of the ladders, with a 95 % interval.
//!
//! `cargo bench -p reference-bots --bench ladder` measures all games. After `--`, the name of a game or `solver` measures
//! only that, a number sets the boards of each pairing (the games for `solver` and `rps`), and `1/N`, by default 1/20,
//! the share of its usual positions that a Boxing bot that calculates may look at. The same arguments always play the
//! same games.

mod field;
#[expect(dead_code, reason = "only the rules' tests ask GNU Go for lists of points")]
#[path = "../../../harness/tests/gnugo/gtp.rs"]
mod gtp;
mod held_out;

use cornerman::game::Game;
use cornerman::games::boxing::solver::Solver;
use cornerman::games::boxing::{Arena, LARGEST_SQUARE, Square};
use cornerman::games::go::{Go, Move, parse_move};
use cornerman::rng::Rng;
use gtp::GnuGo;
use reference_bots::games::boxing::{self, BoxingTurn};
use reference_bots::games::{go, rps};
use std::cell::RefCell;
use std::time::{Duration, Instant};

const USAGE: &str = "behind `--`: solver, boxing, rps or go, the boards of a pairing, and 1/N of the positions";
const ROUNDS: u32 = 1000;

struct Options {
    game: Option<String>,
    boards: Option<u64>,
    share: u64,
}

fn main() {
    let mut options = Options { game: None, boards: None, share: 20 };
    // Cargo itself adds `--bench`.
    for argument in std::env::args().skip(1).filter(|argument| argument != "--bench") {
        let share = argument.strip_prefix("1/").and_then(|share| share.parse().ok()).filter(|share| *share > 0);
        match (argument.parse(), share) {
            (Ok(boards), _) => options.boards = Some(boards),
            (_, Some(share)) => options.share = share,
            _ if ["solver", "boxing", "rps", "go"].contains(&argument.as_str()) => options.game = Some(argument),
            _ => {
                eprintln!("error: `{argument}` is not understood; {USAGE}");
                std::process::exit(2);
            }
        }
    }
    let wanted = |game: &str| options.game.as_deref().is_none_or(|wanted| wanted == game);
    if wanted("solver") {
        measure_solver(options.boards.unwrap_or(100));
    }
    if wanted("boxing") {
        measure_boxing(options.boards.unwrap_or(100), options.share);
    }
    if wanted("rps") {
        measure_rps(options.boards.unwrap_or(20));
    }
    if wanted("go") {
        measure_go(options.boards.unwrap_or(20));
    }
}

/// Prints the line of a pairing: how many of its games the stronger bot won.
fn print(stronger: &str, weaker: &str, won: u64, games: u64, more: &str) {
    let [low, high] = interval(won as f64, games as f64).map(|share| share * 100.0);
    let share = 100.0 * won as f64 / games.max(1) as f64;
    println!(
        "{stronger:>10} over {weaker:<10} {share:5.1} % ({low:.1} to {high:.1})   {won} of {games} games{more}"
    );
}

/// The 95 % interval of a share (Wilson, 1927).
fn interval(won: f64, games: f64) -> [f64; 2] {
    const Z: f64 = 1.96;
    let share = won / games;
    let middle = share + Z * Z / (2.0 * games);
    let spread = Z * (share * (1.0 - share) / games + Z * Z / (4.0 * games * games)).sqrt();
    [-1.0, 1.0].map(|sign| (middle + sign * spread) / (1.0 + Z * Z / games))
}

/// A bot of Boxing at the beginning of a game.
fn boxer(id: &str, share: u64) -> Box<dyn FnMut(&BoxingTurn) -> Square> {
    if let Some((_, choose)) = boxing::STRATEGIES.iter().find(|(name, _)| *name == id) {
        return Box::new(*choose);
    }
    let (_, think) = boxing::THINKERS.iter().find(|(name, _)| *name == id).expect("a bot of the ladder");
    let mut notes = Vec::new();
    Box::new(move |turn| think(turn, &mut notes, boxing::POSITIONS / share))
}

/// Each bot above `parity` against the one below it, and `parity` against all bots below.
fn measure_boxing(boards: u64, share: u64) {
    println!("The Boxing Match: {boards} random arenas, each side first once, 1/{share} of the positions");
    let ids: Vec<&str> = boxing::LADDER.bots.iter().map(|bot| bot.id).collect();
    let parity = ids.iter().position(|id| *id == "parity").expect("it is in the ladder");
    let novices = ids[..parity].iter().map(|novice| ("parity", *novice));
    for (stronger, weaker) in novices.chain(ids[parity..].windows(2).map(|pair| (pair[1], pair[0]))) {
        let mut won = 0;
        let mut moves = 0;
        for arena in (0..boards).map(Arena::generate) {
            for seat in 0..2 {
                let mut seats = [boxer(stronger, share), boxer(weaker, share)];
                seats.rotate_left(seat);
                let bout = boxing::bout(&arena, &mut seats).expect("the ladder's bots follow the rules");
                won += u64::from(bout.winner == seat);
                moves += bout.moves as u64;
            }
        }
        let games = 2 * boards;
        print(stronger, weaker, won, games, &format!(", {} moves each", moves / games.max(1)));
    }
}

/// Measures how many moves of games the exact solver decides, from the last move back.
fn measure_solver(games: u64) {
    const POSITIONS: u64 = 20_000_000;
    println!("The solver: the moves of {games} games that it decides, with {POSITIONS} positions a game");
    for pair in ["parity", "random"].into_iter().zip(["greedy", "smallest"]) {
        let (mut moves, mut decided, mut slowest) = (0, 0, Duration::ZERO);
        for seed in 0..games {
            let mut arena = Arena::generate(seed);
            let mut seats = [boxer(pair.0, 1), boxer(pair.1, 1)];
            let mut met = Vec::new();
            while !arena.vacant().is_empty() {
                met.push(arena.vacant());
                let mark = b"AB"[met.len() % 2];
                let turn = BoxingTurn { arena: arena.clone(), mark, replies: Vec::new() };
                arena.fill(seats[(met.len() + seed as usize) % 2](&turn), mark);
            }
            let begun = Instant::now();
            let mut solver = Solver::new(LARGEST_SQUARE, 20);
            moves += met.len();
            decided += met
                .iter()
                .rev()
                .take_while(|vacancy| {
                    let left = POSITIONS.saturating_sub(solver.positions());
                    solver.is_lost(**vacancy, left).is_some()
                })
                .count();
            slowest = slowest.max(begun.elapsed());
        }
        let share = 100.0 * decided as f64 / moves.max(1) as f64;
        let seconds = slowest.as_secs_f64();
        println!(
            "{:>10} and {:<10} {share:5.1} % of {moves} moves; the slowest game took {seconds:.1} s",
            pair.0, pair.1
        );
    }
}

/// All bots and the field against each other; then the top of the ladder against the strategies that are held out.
fn measure_rps(seeds: u64) {
    let entrants: Vec<(&str, rps::Start)> = rps::STRATEGIES.iter().chain(field::FIELD).copied().collect();
    println!("rock-paper-scissors: {} bots, each against each, {seeds} games of {ROUNDS} rounds", entrants.len());
    let mut totals = vec![RpsTotal::default(); entrants.len()];
    for one in 0..entrants.len() {
        for two in one + 1..entrants.len() {
            for margin in rps_margins(seeds, [entrants[one].1, entrants[two].1]) {
                totals[one].add(margin);
                totals[two].add(-margin);
            }
        }
    }
    let mut order: Vec<usize> = (0..entrants.len()).collect();
    order.sort_by(|&a, &b| totals[b].won.total_cmp(&totals[a].won).then(totals[b].margin.cmp(&totals[a].margin)));
    for at in order {
        totals[at].print(entrants[at].0);
    }
    let (id, top) = *rps::STRATEGIES.last().expect("there are bots");
    println!("rock-paper-scissors: {id} against strategies that it was not tuned against, {seeds} games each");
    for (other, start) in held_out::HELD_OUT {
        let mut total = RpsTotal::default();
        for margin in rps_margins(seeds, [top, *start]) {
            total.add(margin);
        }
        total.print(other);
    }
}

/// The margins of the first bot in this number of games, each with other seeds.
fn rps_margins(seeds: u64, bots: [rps::Start; 2]) -> impl Iterator<Item = i64> {
    (0..seeds).map(move |seed| rps::bout(ROUNDS, [2 * seed as u16 + 11, 2 * seed as u16 + 12], bots))
}

/// What a bot has won in games of rock-paper-scissors.
#[derive(Clone, Copy, Default)]
struct RpsTotal {
    games: f64,
    /// Games, of which a tied one is half.
    won: f64,
    /// Rounds won minus lost.
    margin: i64,
}

impl RpsTotal {
    fn add(&mut self, margin: i64) {
        self.games += 1.0;
        self.won += (margin.signum() + 1) as f64 / 2.0;
        self.margin += margin;
    }

    fn print(&self, name: &str) {
        let [low, high] = interval(self.won, self.games).map(|share| share * 100.0);
        let share = 100.0 * self.won / self.games;
        let margin = self.margin as f64 / self.games;
        println!("{name:>12} {share:5.1} % of games ({low:.1} to {high:.1})   {margin:+7.1} rounds a game");
    }
}

/// A player of one game of Go in one seat.
type Player<'a> = Box<dyn FnMut(&go::GoTurn) -> Move + 'a>;

const NINE_LINES: Go = Go { size: 9, komi_halves: 13, superko: false, move_cap: 1000 };

/// Each bot against the one below it, on 9×9, and the last one against GNU Go where that is installed. The bots always play
/// alike, so each game begins with a random move of each side.
fn measure_go(boards: u64) {
    println!("Go: {boards} pairs of games on 9×9, after two random moves");
    for pair in go::STRATEGIES.windows(2) {
        let [weaker, stronger] = [pair[0], pair[1]];
        let players = |board| [stronger.1, weaker.1].map(|choose| after_a_random_move(choose, board));
        print(stronger.0, weaker.0, games_of_go_won(boards, players), 2 * boards, "");
    }
    let options = ["--level", "0", "--seed", "1", "--never-resign", "--capture-all-dead", "--positional-superko"];
    match gtp::program().and_then(|_| GnuGo::start(&options)) {
        Ok(engine) => {
            let engine = RefCell::new(engine);
            let (id, choose) = *go::STRATEGIES.last().expect("there are bots of Go");
            let players = |board| [after_a_random_move(choose, board), gnu_go(&engine, board)];
            print(id, "GNU Go 0", games_of_go_won(boards, players), 2 * boards, "");
        }
        Err(reason) => println!("GNU Go is left out: {reason}"),
    }
}

/// The number of games that the first player wins: one in each seat on each board. `players` makes both players of a game.
fn games_of_go_won<'a>(boards: u64, players: impl Fn(u64) -> [Player<'a>; 2]) -> u64 {
    let mut won = 0;
    for board in 0..boards {
        for seat in 0..2 {
            let mut seats = players(board);
            seats.rotate_left(seat);
            let (outcome, _) = go::bout(&NINE_LINES, seats).expect("both follow the rules");
            won += u64::from(outcome.winners().any(|winner| winner.index() == seat));
        }
    }
    won
}

/// A bot of Go whose first move is drawn by lot.
fn after_a_random_move(choose: go::ChooseMove, seed: u64) -> Player<'static> {
    let mut rng = Some(Rng::new(seed));
    Box::new(move |turn| {
        let drawn = rng.take().and_then(|mut rng| rng.pick(&turn.candidates()).copied());
        drawn.map_or_else(|| choose(turn), |point| turn.at(point))
    })
}

/// GNU Go, whose first move is drawn by lot too.
fn gnu_go(engine: &RefCell<GnuGo>, seed: u64) -> Player<'_> {
    let ask = |command: &str| engine.borrow_mut().ask(command).expect("GNU Go answers");
    for command in ["boardsize 9", "clear_board", "komi 6.5"] {
        ask(command);
    }
    let mut rng = Some(Rng::new(seed));
    Box::new(move |turn| {
        let [own, foe] = [turn.colour.name(), turn.colour.other().name()];
        if let Some(last) = &turn.last {
            ask(&format!("play {foe} {}", NINE_LINES.notation(last)));
        }
        let Some(point) = rng.take().and_then(|mut rng| rng.pick(&turn.candidates()).copied()) else {
            let answer = ask(&format!("genmove {own}"));
            return parse_move(answer.as_bytes(), NINE_LINES.size).expect("GNU Go answers with a move");
        };
        let drawn = turn.at(point);
        ask(&format!("play {own} {}", NINE_LINES.notation(&drawn)));
        drawn
    })
}
