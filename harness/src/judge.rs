//! Games whose rules are a *judge*: a program in any language that reads questions and writes answers, one JSON object a
//! line (`docs/judge.md`). It runs in a sandbox like a bot, and keeps nothing: the state of a game is in each answer and
//! comes back with the next question. So a judge can be asked again, by any process, on any machine.
//!
//! A judge that fails is to blame itself, and no bot is. [`LiveGame`](cornerman::game::LiveGame) cannot say so: its
//! errors are those of bots. The failure therefore unwinds the stack ([`failure::throw`]), as a panic does, past
//! everything that would otherwise count the game, to the worker, which reports the game as lost, or to the command.

pub mod answer;
pub mod failure;
mod game;
pub mod hello;
mod kit;
mod picture;
pub mod process;
pub mod program;
pub mod question;
mod ruleset;

pub use failure::{JudgeFailure, JudgeFault};
pub use game::{JudgedGame, bytes_of, text_of};
pub use kit::{JudgedRules, judged};
pub use picture::check_svg;
pub use process::answer_time_of_this_thread;
pub use program::{Judge, JudgeHost};
pub use ruleset::{ReadError, read_judged, ruleset_file};
pub(crate) use ruleset::{is_judged, read};

/// The version of the protocol that this program speaks.
pub const VERSION: u32 = 1;

/// The most bytes of an answer line; of one with a picture.
pub const MAX_LINE: usize = 1 << 20;
/// The most bytes of an answer with a picture.
pub const MAX_PICTURE_LINE: usize = 4 << 20;
/// The most bytes of a state, a view or a board.
pub const MAX_TEXT: usize = 64 << 10;
/// The most bytes of a word for people: an illegal move, what a move did, what a rule is about.
pub const MAX_WORDS: usize = 500;
/// The most legal moves.
pub const MAX_LEGAL: usize = 20_000;
/// The most characters of a move in notation.
pub const MAX_NOTATION: usize = 200;
/// The largest number of points: what every language can read.
pub const MAX_NUMBER: i64 = 1 << 53;
