//! The rules of Cornerman: games, and the formats of tournaments played with them.
//!
//! Everything here is a function of its arguments. The crate is `no_std`, so neither a clock, a file, a
//! process nor chance can slip in: what varies (a board, a seed, a bot's answer) is handed over by the
//! caller, and the same arguments give the same game for ever.
//!
//! ```
//! use cornerman::game::{Act, Game, Seat, Setup};
//! use cornerman::games::boxing::{Arena, Boxing};
//!
//! let boxing = Boxing::default();
//! let setup = Setup { seats: 2, board: Arena::open().to_bytes().to_vec(), ..Setup::default() };
//! let mut state = boxing.start(&setup).unwrap();
//!
//! // Seat 0 answers with a 1x1 square in the top left corner, exactly as a bot would print it.
//! let mut answer = boxing.view(&state, Seat(0));
//! answer[0] = b'A';
//! let square = boxing.read(&state, Seat(0), &answer).unwrap();
//! boxing.apply(&mut state, &[(Seat(0), Act::Move(square))]);
//! assert!(boxing.to_act(&state).contains(Seat(1)));
//! ```

#![no_std]
#![deny(clippy::disallowed_types, clippy::float_arithmetic)]

extern crate alloc;
#[cfg(test)]
extern crate std;

pub mod contest;
pub mod format;
pub mod formats;
pub mod game;
pub mod games;
pub mod rng;
