//! The reference bots of each game that comes with the kit.

pub mod boxing;
pub mod go;
pub mod rps;
