//! Measures how long the rules take. Prints one line per figure, in nanoseconds, the median of many runs.
//!
//! `cargo bench --bench rules` prints all figures, and `cargo bench --bench rules -- judge` those with `judge` in their
//! name. Compare only figures of the same machine and the same run.

use cornerman::game::{Action, Game, Seat, Setup};
use cornerman::games::boxing::{Arena, Boxing, LARGEST_SQUARE, Square, judge};
use cornerman::games::go::{Colour, Go, Move, Position};
use cornerman::rng::Rng;
use std::hint::black_box;
use std::time::{Duration, Instant};

/// The time that one run should take: long compared with the clock's resolution, short compared with a time slice.
const RUN: Duration = Duration::from_micros(200);
const RUNS: usize = 501;

fn main() {
    let wanted: Vec<String> = std::env::args().skip(1).filter(|arg| !arg.starts_with('-')).collect();
    let figure = |name: &str, work: &mut dyn FnMut()| {
        if wanted.is_empty() || wanted.iter().any(|part| name.contains(part.as_str())) {
            println!("{name:<36} {:>10.1} ns", nanoseconds(work));
        }
    };

    let open = Arena::open();
    let midgame = midgame();
    for (board, arena) in [("open", &open), ("midgame", &midgame)] {
        let square = arena.vacant().squares().filter(|square| square.size <= 4).last().expect("a vacant spot");
        let answer = answered(arena, square);
        let vacancy = arena.vacant();
        figure(&format!("boxing/judge/legal/{board}"), &mut || {
            black_box(judge(black_box(arena), b'A', LARGEST_SQUARE, black_box(&answer))).ok();
        });
        figure(&format!("boxing/judge/no-final-newline/{board}"), &mut || {
            black_box(judge(black_box(arena), b'A', LARGEST_SQUARE, black_box(&answer[..527]))).ok();
        });
        figure(&format!("boxing/fits/{board}"), &mut || {
            black_box(black_box(&vacancy).fits(black_box(square)));
        });
        figure(&format!("boxing/count_squares/{board}"), &mut || {
            black_box(black_box(vacancy).count_squares());
        });
        figure(&format!("boxing/squares/{board}"), &mut || {
            for square in black_box(vacancy).squares() {
                black_box(square);
            }
        });
        figure(&format!("boxing/parse/{board}"), &mut || {
            black_box(Arena::parse(black_box(&answer))).ok();
        });
    }
    moves(&figure);
    figure("boxing/generate", &mut || {
        black_box(Arena::generate(black_box(7)));
    });
    for size in [9, 19] {
        go(size, &figure);
    }
}

/// Calls to the rules that the referee makes for each move, besides judging it.
fn moves(figure: &impl Fn(&str, &mut dyn FnMut())) {
    let boxing = Boxing::default();
    let setup = Setup { seats: 2, board: Arena::open().to_bytes().to_vec(), ..Setup::default() };
    let mut state = boxing.start(&setup).expect("an open arena");
    let square = Square { row: 5, col: 9, size: 4 };
    figure("boxing/apply", &mut || {
        boxing.apply(black_box(&mut state), &[(Seat(0), Action::Move(black_box(square)))]);
    });
    figure("boxing/view", &mut || {
        black_box(boxing.view(black_box(&state), Seat(0)));
    });
}

/// Go on a board of `size` lines: random games until one colour has no move, and calls on a position in mid-game.
fn go(size: u8, figure: &impl Fn(&str, &mut dyn FnMut())) {
    let mut rng = Rng::new(size.into());
    let empty = Position::new(size);
    figure(&format!("go/random_game/{size}x{size}"), &mut || {
        let mut position = black_box(&empty).clone();
        let mut colour = Colour::Black;
        while let Some(point) = position.random_move(colour, &mut rng) {
            position.play(point, colour);
            colour = colour.other();
        }
        black_box(position);
    });
    let go = Go { size, superko: true, ..Go::default() };
    let mut state = go.start(&Setup { seats: 2, ..Setup::default() }).expect("an empty board");
    for _ in 0..u32::from(size) * u32::from(size) / 2 {
        let point =
            state.position().random_move(Colour::for_seat(state.turn()), &mut rng).expect("room for a stone");
        let m = Move::Place(state.position().spot(point));
        let seat = state.turn();
        go.apply(&mut state, &[(seat, Action::Move(m))]);
    }
    let point = state.position().random_move(Colour::for_seat(state.turn()), &mut rng).expect("room for a stone");
    let answer = go.notation(&Move::Place(state.position().spot(point))).into_bytes();
    figure(&format!("go/read/{size}x{size}/superko"), &mut || {
        black_box(go.read(black_box(&state), state.turn(), black_box(&answer))).ok();
    });
    figure(&format!("go/clone/{size}x{size}"), &mut || {
        black_box(black_box(&state).clone());
    });
    figure(&format!("go/area/{size}x{size}"), &mut || {
        black_box(black_box(&state).position().area());
    });
}

/// An arena with twelve squares placed.
fn midgame() -> Arena {
    let mut arena = Arena::generate(4);
    for turn in 0..12 {
        let vacancy = arena.vacant();
        let size = vacancy.largest().min(5);
        let square = vacancy.squares().find(|square| square.size == size).expect("a vacant spot");
        arena.fill(square, b'A' + turn % 2);
    }
    arena
}

fn answered(arena: &Arena, square: Square) -> [u8; 528] {
    let mut after = arena.clone();
    after.fill(square, b'A');
    after.to_bytes()
}

/// The median time of one call of `work`.
fn nanoseconds(work: &mut dyn FnMut()) -> f64 {
    let timed = |work: &mut dyn FnMut(), calls: u32| {
        let start = Instant::now();
        for _ in 0..calls {
            work();
        }
        start.elapsed()
    };
    let mut calls = 1;
    while timed(work, calls) < RUN && calls < 1 << 24 {
        calls *= 2;
    }
    let mut runs: Vec<f64> = (0..RUNS).map(|_| timed(work, calls).as_nanos() as f64 / f64::from(calls)).collect();
    runs.sort_by(f64::total_cmp);
    runs[RUNS / 2]
}
