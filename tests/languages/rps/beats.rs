//! Beats the opponent's last move; begins with the seed modulo 3.

use std::io::{Lines, StdinLock, stdin};

fn number(lines: &mut Lines<StdinLock>) -> Option<u32> {
    lines.next()?.ok()?.parse().ok()
}

fn main() {
    let mut lines = stdin().lines();
    println!("beats-last in Rust");
    let seed = number(&mut lines).expect("a seed");
    let _rounds = number(&mut lines);
    println!("{}", seed % 3);
    while let Some(other) = number(&mut lines) {
        println!("{}", (other + 1) % 3);
    }
}
