//! Line codecs: which lines a bot is sent in a game, and which of its lines are answers.

use super::Fault;
use super::clock::GameClock;
use cornerman::game::{Seat, Setup};
use std::borrow::Cow;
use std::sync::Arc;

/// Makes the codec of one bot in one game, from the game's setup, the bot's seat and the game's clock, if it has one.
pub type CodecFactory = Box<dyn Fn(&Setup, Seat, Option<GameClock>) -> Box<dyn LineCodec> + Send>;

/// Translates between the game and the lines that one bot is sent and writes, for one game.
pub trait LineCodec: Send {
    /// The bytes that ask the bot for a move. `view` is what it has not been sent yet; with `time_is_up` it also has to
    /// be notified that its budget is used up (G4).
    fn request_move<'v>(&mut self, view: &'v [u8], time_is_up: bool) -> Cow<'v, [u8]>;

    /// The bytes that notify a thinking bot that its budget is used up (G4).
    fn announce_time_up(&mut self) -> Vec<u8>;

    /// Interprets a line that the bot wrote, without its line feed.
    fn receive(&mut self, line: Vec<u8>) -> LineStatus;

    /// The bytes that a bot that did not forfeit is sent when the game is over; `view` is what it has not been sent yet
    /// (R5).
    fn final_message<'v>(&mut self, view: &'v [u8]) -> Cow<'v, [u8]>;
}

/// The meaning of a line that a bot wrote.
pub enum LineStatus {
    /// The answer, or a fault in its place: the wait is over.
    Answer(Result<Vec<u8>, Fault>),
    /// A line that belongs to the protocol, but is not the answer yet.
    Continue,
    /// A line that is ignored and counted (G5).
    Garbage(Vec<u8>),
}

/// The line that notifies a bot that its budget is used up (G4).
const TIME: &[u8] = b"time\n";

/// The codec of a protocol in which views are sent as they are, and an answer is a line.
#[derive(Clone)]
pub struct Plain {
    is_answer: Option<IsAnswer>,
}

type IsAnswer = Arc<dyn Fn(&[u8]) -> bool + Send + Sync>;

impl Plain {
    /// A codec for which every line is an answer.
    pub fn every_line() -> CodecFactory {
        Plain { is_answer: None }.codec()
    }

    /// A codec for which a line is an answer if `is_answer` returns true for its bytes, without the line feed. Other
    /// lines are garbage (G5).
    pub fn lines_matching(is_answer: impl Fn(&[u8]) -> bool + Send + Sync + 'static) -> CodecFactory {
        Plain { is_answer: Some(Arc::new(is_answer)) }.codec()
    }

    fn codec(self) -> CodecFactory {
        Box::new(move |_, _, _| Box::new(self.clone()))
    }
}

impl LineCodec for Plain {
    fn request_move<'v>(&mut self, view: &'v [u8], time_is_up: bool) -> Cow<'v, [u8]> {
        if time_is_up { [TIME, view].concat().into() } else { view.into() }
    }

    fn announce_time_up(&mut self) -> Vec<u8> {
        TIME.to_vec()
    }

    fn receive(&mut self, line: Vec<u8>) -> LineStatus {
        let is_answer = self.is_answer.as_ref().is_none_or(|is| is(&line));
        if is_answer { LineStatus::Answer(Ok(line)) } else { LineStatus::Garbage(line) }
    }

    fn final_message<'v>(&mut self, view: &'v [u8]) -> Cow<'v, [u8]> {
        view.into()
    }
}
