//! The bots for rock-paper-scissors from outside: as programs on pipes, and in whole games.

mod games;
mod lists;
#[path = "../playing/mod.rs"]
mod playing;
mod programs;
