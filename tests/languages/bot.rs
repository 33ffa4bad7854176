//! Takes the first vacant spot.

use std::io::{self, Read, Write};

fn main() -> io::Result<()> {
    let mut arena = [0; 528];
    io::stdin().read_exact(&mut arena)?;
    let mark = std::env::args().nth(1).and_then(|mark| mark.bytes().next());
    if let Some(vacant) = arena.iter_mut().find(|square| **square == b'-') {
        *vacant = mark.unwrap_or(b'A');
    }
    io::stdout().write_all(&arena)
}
