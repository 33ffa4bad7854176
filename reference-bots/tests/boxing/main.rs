//! The Boxing bots from outside: as programs on pipes, and in whole games.

mod games;
mod lists;
mod memory;
mod odd_input;
mod pipes;
mod program;
