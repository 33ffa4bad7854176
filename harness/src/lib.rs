//! Running bots: sandbox, players, referee, and the building of sources.
//!
//! A bot's fault is data here, never an error: the referee cannot fail because a bot did.

#![deny(unsafe_code)]

pub mod bot;
pub mod sandbox;
