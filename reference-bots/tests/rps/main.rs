//! The bots for rock-paper-scissors from outside: as programs on pipes, and in whole games.

mod games;
mod lists;
mod programs;
