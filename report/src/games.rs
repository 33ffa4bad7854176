//! The views of the games that come with the kit.

pub mod boxing;
pub mod go;
pub mod rps;
