//! The tournament formats there are.

pub mod scoring;
