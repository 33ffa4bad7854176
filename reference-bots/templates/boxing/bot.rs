//! {{name}} takes the largest square it can find. Run as: ./bot MARK < arena

use std::io::{self, Read, Write};
use std::process::ExitCode;

const WIDTH: usize = 32;
const HEIGHT: usize = 16;
/// A row of spots and its line feed.
const LINE: usize = WIDTH + 1;

type Arena = [u8; HEIGHT * LINE];

/// Whether all spots of the square with its top left corner at (row, col) are vacant.
fn fits(arena: &Arena, row: usize, col: usize, size: usize) -> bool {
    (row..row + size).all(|r| arena[r * LINE + col..][..size].iter().all(|&spot| spot == b'-'))
}

/// Marks one square in the arena. Make it smarter here.
fn make_move(arena: &mut Arena, mark: u8) {
    for size in (1..=HEIGHT).rev() {
        for row in 0..=HEIGHT - size {
            for col in 0..=WIDTH - size {
                if fits(arena, row, col, size) {
                    for r in row..row + size {
                        arena[r * LINE + col..][..size].fill(mark);
                    }
                    return;
                }
            }
        }
    }
}

/// Reads the arena, makes a move, and writes the arena.
fn play(mark: u8) -> io::Result<()> {
    let mut arena = [0; HEIGHT * LINE];
    io::stdin().read_exact(&mut arena)?;
    make_move(&mut arena, mark);
    io::stdout().write_all(&arena)?;
    io::stdout().flush()
}

fn main() -> ExitCode {
    let argument = std::env::args_os().nth(1).unwrap_or_default();
    let done = match argument.as_encoded_bytes() {
        &[mark] => play(mark),
        _ => Err(io::Error::other("usage: bot MARK < arena of 16 lines of 32")),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let _ = writeln!(io::stderr(), "{error}");
            ExitCode::FAILURE
        }
    }
}
