//! {{name}} beats the hand that its opponent has shown most often. Run as: ./bot

use std::io::{self, BufRead, Write};

// The hands are 0 rock, 1 paper, 2 scissors. Each is beaten by the next, and scissors by rock.

/// The hand for the next round, from how often the opponent has shown each hand, and the seed. Make
/// it smarter here.
fn choose(shown: [u32; 3], seed: usize) -> usize {
    if shown == [0; 3] {
        return seed % 3;
    }
    let most_often = (0..3).max_by_key(|&hand| shown[hand]).unwrap();
    (most_often + 1) % 3
}

/// Prints a line, and flushes it: otherwise it could stay in the buffer.
fn say(what: impl std::fmt::Display) -> io::Result<()> {
    let mut out = io::stdout();
    writeln!(out, "{what}")?;
    out.flush()
}

fn main() -> io::Result<()> {
    say("{{name}}")?; // the name comes first
    let mut numbers = io::stdin().lock().lines().map(|line| {
        let line = line?;
        line.trim().parse::<usize>().map_err(|_| io::Error::other(format!("not a number: {line:?}")))
    });
    // The seed is the only source of randomness, so that games can be repeated.
    let (Some(seed), Some(rounds)) = (numbers.next(), numbers.next()) else { return Ok(()) };
    let seed = seed?;
    let rounds = rounds?;
    let mut shown = [0; 3];
    for _ in 0..rounds {
        say(choose(shown, seed))?;
        let Some(foe) = numbers.next() else { break }; // the game is over
        shown[foe?] += 1;
    }
    Ok(())
}
