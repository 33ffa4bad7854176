//! How each of the games that come with the kit is shown.

pub mod boxing;
pub mod go;
pub mod rps;
