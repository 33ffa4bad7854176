//! How a game is spoken in lines: what a bot is sent, and which of its lines are answers.

use super::Fault;
use super::clock::GameClock;
use cornerman::game::{Seat, Setup};
use std::borrow::Cow;
use std::sync::Arc;

/// Makes the codec of one game: what it starts from, the seat, and the clock, if the game has one.
pub type CodecFactory = Box<dyn Fn(&Setup, Seat, Option<GameClock>) -> Box<dyn LineCodec> + Send>;

/// One side's lines in one game.
pub trait LineCodec: Send {
    /// What asks for a move. `view` is what the bot has not been sent yet; `time_is_up`: with it the bot is to learn
    /// that its budget is used up (G4).
    fn request_move<'v>(&mut self, view: &'v [u8], time_is_up: bool) -> Cow<'v, [u8]>;

    /// What a thinking bot is sent when its budget is used up (G4).
    fn announce_time_up(&mut self) -> Vec<u8>;

    /// What a line that the bot wrote means. The line comes without its line feed.
    fn receive(&mut self, line: Vec<u8>) -> LineStatus;

    /// What a bot that did not forfeit is sent when the game is over: `view` is what it has not been sent yet (R5).
    fn final_message<'v>(&mut self, view: &'v [u8]) -> Cow<'v, [u8]>;
}

/// What a line means.
pub enum LineStatus {
    /// It ends the wait for an answer.
    Answer(Result<Vec<u8>, Fault>),
    /// It belongs to the protocol, and more is to come.
    Continue,
    /// It is ignored and counted (G5).
    Garbage,
}

/// What a bot is sent when its budget is used up (G4).
const TIME: &[u8] = b"time\n";

/// Views are sent as they are, and answers are read as they come.
#[derive(Clone)]
pub struct Plain {
    is_answer: Option<IsAnswer>,
}

type IsAnswer = Arc<dyn Fn(&[u8]) -> bool + Send + Sync>;

impl Plain {
    /// Every line is an answer.
    pub fn every_line() -> CodecFactory {
        Plain { is_answer: None }.codec()
    }

    /// A line is an answer if `is_answer` says so of its bytes, without the line feed; other lines are garbage (G5).
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
        if is_answer { LineStatus::Answer(Ok(line)) } else { LineStatus::Garbage }
    }

    fn final_message<'v>(&mut self, view: &'v [u8]) -> Cow<'v, [u8]> {
        view.into()
    }
}
