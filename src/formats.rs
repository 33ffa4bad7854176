//! The tournament formats there are.
