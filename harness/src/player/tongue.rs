//! What a protocol of a game with a clock says and hears (G4, G5).

use super::Fault;

/// What a protocol says and hears where a game has a clock.
pub trait Tongue {
    /// What asks for a move: `view` is what the bot has not been told yet; `time_is_up` when it is to be told with
    /// it that its budget is used up (G4).
    fn question(&mut self, view: &[u8], time_is_up: bool) -> Vec<u8>;

    /// What tells a bot that is thinking that its budget is used up (G4).
    fn time_is_up(&mut self) -> Vec<u8>;

    /// What a line of the bot's, without its line feed, means.
    fn hear(&mut self, line: Vec<u8>) -> Heard;
}

/// What a line means.
pub enum Heard {
    /// It ends the wait for an answer.
    Answer(Result<Vec<u8>, Fault>),
    /// It belongs to the protocol, and more is to come.
    Noted,
    /// It is ignored and counted (G5).
    Garbage,
}
