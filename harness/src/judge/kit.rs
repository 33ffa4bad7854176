//! The kit of a game that a judge knows: what its `hello` says, as the rest of the program asks for it.

use super::game::JudgedGame;
use super::hello::JudgeHello;
use super::program::Judge;
use super::ruleset;
use crate::bot::Bot;
use crate::kit::{AnyKit, BoardError, GameFacts, Mistake, RulesInForce, RulesetKey, SeedUse, SourceFile};
use crate::player::codec::Plain;
use crate::player::protocol::{FaultRules, Lines, Pipe, Protocol};
use crate::ruleset::Ruleset;
use crate::text::Reason;
use crate::toolchain::language::Languages;
use cornerman::formats::{GameDefaults, Repetition};
use cornerman::game::{LiveGame, Seat, Setup, SetupError};
use std::any::Any;
use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

/// Boards of a contest in which everyone plays everyone, if games differ by seed.
const USUAL_BOARDS: u32 = 3;

/// The kit of one judge's game. It is kept for the whole run of this program, as those of built-in games are.
#[derive(Debug)]
pub struct JudgeKit {
    id: &'static str,
    title: &'static str,
    prompt: &'static str,
    /// The word for a point.
    pub unit: &'static str,
    /// The judge.
    pub judge: Arc<Judge>,
}

/// The kit of the game of `judge`.
pub(super) fn kit_for(judge: &Arc<Judge>) -> &'static JudgeKit {
    static KITS: Mutex<BTreeMap<String, &'static JudgeKit>> = Mutex::new(BTreeMap::new());
    let leaked = |text: &str| -> &'static str { Box::leak(text.to_string().into_boxed_str()) };
    let mut kits = KITS.lock().unwrap_or_else(PoisonError::into_inner);
    kits.entry(judge.key.clone()).or_insert_with(|| {
        let JudgeHello { game, title, prompt, unit, .. } = &judge.hello;
        Box::leak(Box::new(JudgeKit {
            id: leaked(game),
            title: leaked(title),
            prompt: leaked(prompt),
            unit: leaked(unit),
            judge: Arc::clone(judge),
        }))
    })
}

/// The rules of a judged game, as its ruleset sets them.
pub struct JudgedRules {
    pub(super) kit: &'static JudgeKit,
    /// The values of the rules, as the JSON object that questions have.
    pub(super) rules: String,
    /// The fewest and the most seats.
    pub(super) seats: (u8, u8),
    /// The folder of the ruleset file; `None` for rules of a record.
    pub(super) folder: Option<PathBuf>,
}

impl JudgedRules {
    /// The kit, which has the judge.
    pub fn kit(&self) -> &'static JudgeKit {
        self.kit
    }

    /// The bots in the folder `bots/` beside the ruleset file, in the order of their names: the weakest should come first.
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
        write!(f, "{} of {}", self.rules, self.kit.judge.name)
    }
}

/// The rules of `ruleset`, if they are a judge's.
pub fn judged(ruleset: &Ruleset) -> Option<&JudgedRules> {
    ruleset.rules_of()
}

impl GameFacts for JudgeKit {
    fn id(&self) -> &'static str {
        self.id
    }

    fn title(&self) -> &'static str {
        self.title
    }

    /// None is built in.
    fn rulesets(&self) -> &'static [(&'static str, &'static str)] {
        &[]
    }

    fn seed_use(&self) -> SeedUse {
        if self.judge.hello.seeded { SeedUse::Draws } else { SeedUse::Unused }
    }

    fn seeds_by_board(&self) -> bool {
        true
    }

    fn marks(&self, wanted: &str, seats: u8) -> Option<Result<Vec<u8>, Reason>> {
        let _ = (wanted, seats);
        None
    }

    fn prompt(&self) -> &'static str {
        self.prompt
    }
}

impl AnyKit for JudgeKit {
    fn keys(&self) -> Vec<RulesetKey> {
        ruleset::keys(&self.judge.hello)
    }

    fn read(&'static self, file: SourceFile) -> Result<Ruleset, Mistake> {
        ruleset::read(file)
    }
}

impl RulesInForce for JudgedRules {
    fn kit(&self) -> &'static dyn AnyKit {
        self.kit
    }

    fn open(&self, setup: &Setup) -> Result<Box<dyn LiveGame>, SetupError> {
        Ok(Box::new(JudgedGame::start(&self.kit.judge, &self.rules, setup)?))
    }

    fn protocol(&self, _: Seat, mark: u8, engine: Option<&str>) -> Option<Protocol> {
        let faults = FaultRules::all("");
        let protocol = if self.kit.judge.hello.filter {
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
        let hello = &self.kit.judge.hello;
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
        let boards = if self.kit.judge.hello.seeded { USUAL_BOARDS } else { 1 };
        GameDefaults { boards, repetition: Repetition::BeginsAlike, ..GameDefaults::default() }
    }

    fn rules(&self) -> &dyn Any {
        self
    }
}
