//! The games there are, by name: the one place that knows them all.

pub mod boxing;
pub mod go;
pub mod rps;

use crate::game::{Setup, SetupError, InProgress, LiveGame};
use alloc::boxed::Box;

/// A game of the registry.
pub struct GameInfo {
    /// Its name in files and on the command line.
    pub id: &'static str,
    /// Its name for people.
    pub title: &'static str,
    /// The fewest and the most seats.
    pub seats: (u8, u8),
    /// Sets up a game of it by the usual rules.
    pub open: fn(&Setup) -> Result<Box<dyn LiveGame>, SetupError>,
}

/// Every game, the first one the usual.
pub const GAMES: &[GameInfo] = &[
    GameInfo {
        id: "boxing",
        title: "The Boxing Match",
        seats: (2, crate::game::MAX_SEATS),
        open: |setup| Ok(Box::new(InProgress::new(boxing::Boxing::default(), setup)?)),
    },
    GameInfo {
        id: "rps",
        title: "Rock-paper-scissors",
        seats: (2, 2),
        open: |setup| Ok(Box::new(InProgress::new(rps::Rps::default(), setup)?)),
    },
    GameInfo {
        id: "go",
        title: "Go",
        seats: (2, 2),
        open: |setup| Ok(Box::new(InProgress::new(go::Go::default(), setup)?)),
    },
];

/// The game with this name.
pub fn find(id: &str) -> Option<&'static GameInfo> {
    GAMES.iter().find(|game| game.id == id)
}
