//! The rules of the games that come with Cornerman.

pub mod boxing;
pub mod go;
pub mod rps;
