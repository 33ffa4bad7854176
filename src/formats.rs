//! The tournament formats there are.

pub mod brackets;
pub mod scoring;
pub mod seeding;
