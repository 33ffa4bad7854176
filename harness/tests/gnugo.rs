//! Random games of Go, in which GNU Go must agree after every move on the legal moves, the stones on the board, and the
//! number of captures (G6). There is one trial for each board size and ko rule, with several games each.

mod gtp;

use cornerman::game::{Action, Game, Seat, Setup};
use cornerman::games::go::{Colour, Go, GoState, Move, Point, Position, vertex};
use cornerman::rng::Rng;
use gtp::GnuGo;
use libtest_mimic::{Completion, Failed, Trial};

/// Board sizes and the number of games on each, 50 in all. Small boards have more games, because kos and large captures
/// are more frequent on them.
const BOARDS: [(u8, u64); 5] = [(5, 8), (7, 6), (9, 5), (13, 3), (19, 3)];

pub fn trials() -> Vec<Trial> {
    let mut trials = Vec::new();
    for superko in [false, true] {
        for (size, games) in BOARDS {
            let name = format!("gnugo::{size}x{size}_by_{}", if superko { "superko" } else { "simple_ko" });
            trials.push(Trial::ignorable_test(name, move || agree(size, games, superko)));
        }
    }
    trials
}

fn agree(size: u8, games: u64, superko: bool) -> Result<Completion, Failed> {
    if let Err(missing) = gtp::program() {
        return Ok(Completion::ignored_with(missing));
    }
    let mut gnugo = GnuGo::start(&[if superko { "--positional-superko" } else { "--simple-ko" }])?;
    let go = Go { size, superko, ..Go::default() };
    for seed in 0..games {
        game(&go, &mut gnugo, seed).map_err(|wrong| format!("game {seed}: {wrong}"))?;
    }
    Ok(Completion::Completed)
}

/// Plays one game. In every other one the players also fill their own eyes, which leads to large captures and many kos.
fn game(go: &Go, gnugo: &mut GnuGo, seed: u64) -> Result<(), String> {
    let most = if go.size < 9 { 500 } else { 3 * usize::from(go.size) * usize::from(go.size) };
    let mut rng = Rng::new(seed << 8 | u64::from(go.size));
    let mut state = go.start(&Setup { seats: 2, ..Setup::default() }).map_err(|wrong| wrong.0)?;
    gnugo.ask(&format!("boardsize {}", go.size))?;
    gnugo.ask("clear_board")?;
    while !go.to_act(&state).is_empty() && state.moves().len() < most {
        let seat = state.turn();
        let colour = Colour::for_seat(state.turn());
        let legal = legal_moves(go, &state, seat);
        same(
            &state,
            "legal moves",
            names(state.position(), &legal),
            gnugo.points(&format!("all_legal {}", colour.name()))?,
        )?;
        let playable: Vec<Point> = match seed % 2 {
            0 => legal,
            _ => legal.into_iter().filter(|&point| !state.position().is_own_eye(point, colour)).collect(),
        };
        let m = rng.pick(&playable).map_or(Move::Pass, |&point| Move::Place(state.position().spot(point)));
        gnugo.ask(&format!("play {} {}", colour.name(), go.notation(&m)))?;
        go.apply(&mut state, &[(seat, Action::Move(m))]);
        for colour in Colour::BOTH {
            let stones: Vec<Point> =
                state.position().points().filter(|&p| state.position().at(p) == Some(colour)).collect();
            let theirs = gnugo.points(&format!("list_stones {}", colour.name()))?;
            same(&state, colour.name(), names(state.position(), &stones), theirs)?;
            // GNU Go counts the stones that a colour has captured; we count those that it has lost.
            let taken = gnugo.ask(&format!("captures {}", colour.other().name()))?;
            same(&state, "captures", state.position().lost()[colour as usize].to_string(), taken)?;
        }
    }
    Ok(())
}

fn legal_moves(go: &Go, state: &GoState, seat: Seat) -> Vec<Point> {
    let position = state.position();
    let is_legal = |point: &Point| go.read(state, seat, vertex(position.spot(*point), go.size).as_bytes()).is_ok();
    position.points().filter(is_legal).collect()
}

fn names(position: &Position, points: &[Point]) -> Vec<String> {
    let mut names: Vec<String> = points.iter().map(|&p| vertex(position.spot(p), position.size())).collect();
    names.sort_unstable();
    names
}

fn same<T: PartialEq + std::fmt::Debug>(state: &GoState, what: &str, ours: T, theirs: T) -> Result<(), String> {
    if ours == theirs {
        return Ok(());
    }
    let moves = state.moves().len();
    Err(format!("{what} after {moves} moves: ours {ours:?}, GNU Go's {theirs:?}\n{}", state.diagram()))
}
