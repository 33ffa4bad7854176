//! Games whose rules are a *judge*: a program in any language that reads questions and writes answers, one JSON object
//! a line (`docs/judge.md`). It runs in a sandbox like a bot, and keeps nothing: the state of a game is in its answers
//! and comes back with the next question. So a judge can be asked again, by any process, on any machine.
//!
//! If a judge fails, no bot is to blame. The methods of [`LiveGame`] cannot report that: their errors are those of
//! bots. The failure therefore unwinds the stack ([`failure::throw`]), as a panic does, past everything that would
//! otherwise count the game, to the worker, which reports the game as lost, or to the command.

pub mod answer;
pub mod failure;
mod game;
pub mod hello;
mod picture;
pub mod process;
pub mod program;
pub mod question;
mod ruleset;

pub use failure::{JudgeFailure, JudgeFault};
pub use game::{JudgedGame, bytes_of, text_of};
pub use picture::check_svg;
pub use process::answer_time_of_this_thread;
pub use program::{Judge, JudgeHost};
pub use ruleset::{ReadError, read_judged, ruleset_file};
pub(crate) use ruleset::{is_judged, read};

use crate::bot::Bot;
use crate::kit::{AnyKit, BoardError, GameFacts, Mistake, RulesInForce, RulesetKey, SeedUse, SourceFile};
use crate::player::codec::Plain;
use crate::player::protocol::{FaultRules, Lines, Pipe, Protocol};
use crate::ruleset::Ruleset;
use crate::text::Reason;
use crate::toolchain::language::Languages;
use cornerman::formats::{GameDefaults, Repetition};
use cornerman::game::{LiveGame, Seat, Setup, SetupError};
use hello::JudgeHello;
use std::any::Any;
use std::fmt;
use std::path::PathBuf;

/// The version of the protocol that this program speaks.
pub const VERSION: u32 = 1;

/// The most bytes of an answer without a picture.
pub const MAX_LINE: usize = 1 << 20;
/// The most bytes of an answer with a picture.
pub const MAX_PICTURE_LINE: usize = 4 << 20;
/// The most bytes of a state, a view or a board.
pub const MAX_TEXT: usize = 64 << 10;
/// The most bytes of a text for people: a title, why a move is illegal, what a move did, what a rule is about.
pub const MAX_WORDS: usize = 500;
/// The most legal moves.
pub const MAX_LEGAL: usize = 20_000;
/// The most characters of a move in notation.
pub const MAX_NOTATION: usize = 200;
/// The largest whole number, such as one of points: every language can read it.
pub const MAX_NUMBER: i64 = 1 << 53;

/// The number of boards that an all-play-all has by default, if games differ by seed.
const USUAL_BOARDS: u32 = 3;

/// The rules of a judged game, as its ruleset sets them.
pub struct JudgedRules {
    /// The judge, which is the kit of its game.
    pub judge: &'static Judge,
    /// The values of the rules, as the JSON object that questions have.
    rules: String,
    /// The fewest and the most seats.
    seats: (u8, u8),
    /// The folder of the ruleset file; `None` for rules of a record.
    folder: Option<PathBuf>,
}

impl JudgedRules {
    /// The bots in the folder `bots/` beside the ruleset file, in the order of their names: the weakest should come
    /// first.
    pub fn bots(&self) -> Vec<PathBuf> {
        let Some(folder) = &self.folder else { return Vec::new() };
        let files = std::fs::read_dir(folder.join("bots")).into_iter().flatten().flatten().map(|file| file.path());
        let mut bots: Vec<PathBuf> = files.filter(|path| Bot::is_likely(path, Languages::built_in())).collect();
        bots.sort();
        bots
    }

    /// The values of the rules, as a JSON object.
    pub fn values(&self) -> &str {
        &self.rules
    }
}

impl fmt::Debug for JudgedRules {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{} of {}", self.rules, self.judge.name)
    }
}

/// The rules of `ruleset`; `None` if they are not a judge's.
pub fn judged(ruleset: &Ruleset) -> Option<&JudgedRules> {
    ruleset.rules_of()
}

impl AnyKit for Judge {
    fn facts(&self) -> GameFacts<'_> {
        let JudgeHello { game, title, prompt, seeded, .. } = &self.hello;
        let seed_use = if *seeded { SeedUse::Draws } else { SeedUse::Unused };
        GameFacts { seed_use, seeds_by_board: true, ..GameFacts::new(game, title, prompt) }
    }

    fn marks(&self, _: &str, _: u8) -> Option<Result<Vec<u8>, Reason>> {
        None
    }

    fn keys(&self) -> Vec<RulesetKey> {
        ruleset::keys(&self.hello)
    }

    /// The file names the judge, which need not be this one.
    fn read(&'static self, file: SourceFile) -> Result<Ruleset, Mistake> {
        read(file)
    }
}

impl RulesInForce for JudgedRules {
    fn kit(&self) -> &'static dyn AnyKit {
        self.judge
    }

    fn open(&self, setup: &Setup) -> Result<Box<dyn LiveGame>, SetupError> {
        Ok(Box::new(JudgedGame::start(self.judge, &self.rules, setup)?))
    }

    fn protocol(&self, _: Seat, mark: u8, engine: Option<&str>) -> Option<Protocol> {
        let faults = FaultRules::all("");
        let protocol = if self.judge.hello.filter {
            Protocol::Pipe(Pipe { mark, faults })
        } else {
            let codec = Plain::every_line();
            Protocol::Lines(Lines { args: Vec::new(), greets: false, faults, codec })
        };
        engine.is_none().then_some(protocol)
    }

    fn board(&self, _: u64) -> Vec<u8> {
        Vec::new()
    }

    fn check_board(&self, board: &[u8]) -> Result<(), BoardError> {
        let hello = &self.judge.hello;
        let wrong = |message: String| BoardError { at: None, message };
        if !hello.boards {
            return Err(wrong(format!("{} has no boards that can be written", hello.title)));
        }
        let marks = hello.marks[..usize::from(self.seats.0)].to_vec();
        let setup = Setup { seats: self.seats.0, board: board.to_vec(), marks, seed: 0 };
        self.open(&setup).map(drop).map_err(|error| wrong(error.0))
    }

    fn parse_typed(&self, line: &str) -> Result<String, Reason> {
        let line = line.split_whitespace().collect::<Vec<_>>().join(" ");
        if line.is_empty() { Err("type a move".into()) } else { Ok(line) }
    }

    fn stage_defaults(&self) -> GameDefaults {
        let boards = if self.judge.hello.seeded { USUAL_BOARDS } else { 1 };
        GameDefaults { boards, repetition: Repetition::BeginsAlike, ..GameDefaults::default() }
    }

    fn rules(&self) -> &dyn Any {
        self
    }
}
