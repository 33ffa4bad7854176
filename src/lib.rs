//! The rules of Cornerman: the games that bots play, and the tournaments in which they play them.
//!
//! [`game`] has the trait that every game implements, and [`games`] has the games. [`format`](mod@format) has the trait
//! of tournament formats, [`formats`] has the formats, and a [`contest`] consists of stages in such formats.
//!
//! Every result depends on the arguments alone. The crate is `no_std`, so it has no access to clocks, files or
//! processes, and its only random numbers come from seeds ([`rng`]). The caller passes in everything that varies, such
//! as a board, a seed or a bot's answer, and the same arguments always give the same game.
//!
//! ```
//! use cornerman::game::{Action, Game, Seat, Setup};
//! use cornerman::games::boxing::{Arena, Boxing};
//!
//! let boxing = Boxing::default();
//! let setup = Setup { seats: 2, board: Arena::open().to_bytes().to_vec(), ..Setup::default() };
//! let mut state = boxing.start(&setup).unwrap();
//!
//! // Seat 0 answers with a 1x1 square in the top left corner, exactly as a bot prints it.
//! let mut answer = boxing.view(&state, Seat(0));
//! answer[0] = b'A';
//! let square = boxing.read(&state, Seat(0), &answer).unwrap();
//! boxing.apply(&mut state, &[(Seat(0), Action::Move(square))]);
//! assert!(boxing.to_act(&state).contains(Seat(1)));
//! ```

#![warn(unreachable_pub)]
#![no_std]
#![deny(clippy::disallowed_types, clippy::float_arithmetic)]
#![forbid(unsafe_code)]

extern crate alloc;
#[cfg(test)]
extern crate std;

pub mod contest;
pub mod format;
pub mod formats;
pub mod game;
pub mod journal;
pub mod rng;

/// The rules of the games that come with Cornerman.
pub mod games {
    pub mod boxing;
    pub mod go;
    pub mod rps;
}
