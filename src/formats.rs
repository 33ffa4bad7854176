//! The tournament formats there are.

pub mod pair_swiss;
pub mod swiss;
