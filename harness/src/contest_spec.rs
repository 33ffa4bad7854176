//! A contest as a value: everything that an organizer decides before it begins, with nothing left to defaults.
//!
//! A [`ContestSpec`] is read from a contest file, or made by `compare`, `spar` and `play --db`. A record stores it
//! as JSON, so that a later version of Cornerman with other defaults continues the contest as it began. The rules, the
//! boards, the programs of the entries and which entries play are elsewhere in the record.

use crate::sandbox::{Level, Limits};
use crate::text::Reason;
use cornerman::contest::{Participants, Stage};
use cornerman::formats::Format;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;
use std::time::Duration;

/// How long the check of an entry may take, unless the contest says otherwise.
pub const CHECK_BUDGET: Duration = Duration::from_secs(60);

/// The version of the JSON form of a [`ContestSpec`]. Changing the meaning of a member requires a new version.
const FORM: u32 = 1;

/// What an organizer decides before a contest begins. `docs/record.md` describes its JSON form, which `cornerman schema
/// contest` prints as a JSON Schema.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ContestSpec {
    /// The version of this form.
    pub(crate) v: u32,
    /// The contest's name for people.
    pub name: String,
    /// The seed for all lots and generated boards.
    pub seed: u64,
    /// All entries, whether they play or not, in the order of the contest file; those without a group come first.
    pub entrants: Vec<BotSpec>,
    /// The names of the groups, by number.
    pub groups: Vec<String>,
    /// Whether only the last eligible entry of each author plays (B13).
    pub one_entry_per_author: bool,
    /// The organizer's bots: seed programs, then fillers.
    pub organizers: Vec<BotSpec>,
    /// The places in `organizers`, from 0, of the bots that play where an entry would have no opponent, in the order in
    /// which they are used (F4, S2).
    pub fillers: Vec<usize>,
    /// The stages, in order.
    pub stages: Vec<StageSpec>,
    /// The least isolation that bots must have; null if any will do.
    #[schemars(with = "Option<String>")]
    pub isolation: Option<Level>,
    /// How many seconds the check of an entry may take.
    pub check_budget_s: u64,
    /// What one run of a bot may use.
    pub limits: BotLimits,
    /// The organizer's texts for everyone.
    pub publish: Publish,
}

/// An entry, or one of the organizer's bots, as the organizer names it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BotSpec {
    /// A path from the contest file's folder, or `@name`.
    pub path: String,
    /// Its name for people; left out for the bot's own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Its author, if the organizer says who it is (B13).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub author: Option<String>,
    /// The number of its group, from 0, if it is in one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub group: Option<usize>,
}

/// A stage of the contest.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct StageSpec {
    /// Its name, for people and for `from` in later stages.
    pub name: String,
    /// Its format, with all settings: the other members.
    #[serde(flatten)]
    #[schemars(with = "FormatSchema")]
    pub format: Format,
    /// The entrants that take part: "all", {"group": 0}, {"best": [{"stage": 0, "top": 4}]}, {"qualified": {"stage": 0}} or
    /// {"tied-for-first": {"stage": 0}}.
    #[schemars(with = "Value")]
    pub who: Participants,
}

/// The members of a stage that are its format's, for the JSON Schema: the rules know nothing of schemas.
#[derive(JsonSchema)]
#[expect(dead_code, reason = "only its schema is used")]
struct FormatSchema {
    /// The format.
    #[schemars(extend("enum" = Format::NAMES))]
    kind: String,
    /// Every key that a contest file can have for this kind.
    #[serde(flatten)]
    settings: BTreeMap<String, Value>,
}

/// What one run of a bot may use, in the units of contest files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BotLimits {
    /// Memory, in MiB.
    pub memory_mib: u64,
    /// Processes and threads at a time.
    pub processes: u64,
    /// Files that a process may have open.
    pub open_files: u64,
    /// The size of a file, in MiB.
    pub file_mib: u64,
}

/// The organizer's texts for everyone. Nothing that is played depends on them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Publish {
    /// What the contest is, in paragraphs with blank lines between them.
    pub introduction: Option<String>,
    /// Whom to ask: an address of a web page or of e-mail, or words.
    pub contact: Option<String>,
    /// The address of a web page with the rules.
    pub rules: Option<String>,
    /// What is said of stages, by their names.
    pub notes: BTreeMap<String, String>,
    /// The contest's colour on pages: `#` and six hexadecimal digits.
    pub accent: Option<String>,
    /// The contest's sign on pages: a few letters, or a pictogram.
    pub mark: Option<String>,
    /// Whether everyone may see what bots wrote to standard error.
    pub logs: bool,
}

impl ContestSpec {
    /// A contest without entrants, with defaults for everything that is not given.
    pub fn new(name: &str, seed: u64, stages: Vec<StageSpec>, limits: &Limits) -> ContestSpec {
        ContestSpec {
            v: FORM,
            name: name.to_string(),
            seed,
            entrants: Vec::new(),
            groups: Vec::new(),
            one_entry_per_author: true,
            organizers: Vec::new(),
            fillers: Vec::new(),
            stages,
            isolation: None,
            check_budget_s: CHECK_BUDGET.as_secs(),
            limits: BotLimits::from(limits),
            publish: Publish::default(),
        }
    }

    /// The stages as the rules know them.
    pub fn played(&self) -> Vec<Stage> {
        let played = |stage: &StageSpec| Stage { format: stage.format.clone(), who: stage.who.clone() };
        self.stages.iter().map(played).collect()
    }

    /// How long the check of an entry may take.
    pub fn check_budget(&self) -> Duration {
        Duration::from_secs(self.check_budget_s)
    }

    /// Its JSON form.
    pub fn to_json(&self) -> String {
        serde_json::to_string_pretty(self).expect("all keys are texts")
    }

    /// The contest whose JSON form this is.
    ///
    /// # Errors
    /// If it has another version or is not a contest; in words.
    pub fn from_json(json: &str) -> Result<ContestSpec, Reason> {
        #[derive(Deserialize)]
        struct Form {
            v: u32,
        }
        let wrong = |error: serde_json::Error| Reason(format!("contest_json: {error}"));
        match serde_json::from_str(json).map_err(wrong)? {
            Form { v: FORM } => serde_json::from_str(json).map_err(wrong),
            Form { v } => Err(format!("contest_json has version {v}, but this kit reads version {FORM}").into()),
        }
    }
}

const MIB: u64 = 1 << 20;

impl From<&Limits> for BotLimits {
    fn from(limits: &Limits) -> BotLimits {
        BotLimits {
            memory_mib: limits.memory / MIB,
            processes: limits.processes,
            open_files: limits.open_files,
            file_mib: limits.file / MIB,
        }
    }
}

impl BotLimits {
    /// `usual`, the limits of the rules, with these in their place.
    pub fn applied_to(self, usual: Limits) -> Limits {
        Limits {
            memory: self.memory_mib.saturating_mul(MIB),
            processes: self.processes,
            open_files: self.open_files,
            file: self.file_mib.saturating_mul(MIB),
            ..usual
        }
    }
}

impl Publish {
    /// The paragraphs of the introduction, each on one line.
    pub fn paragraphs(&self) -> Vec<String> {
        let lines: Vec<&str> = self.introduction.iter().flat_map(|text| text.lines()).map(str::trim).collect();
        let paragraphs = lines.split(|line| line.is_empty()).filter(|lines| !lines.is_empty());
        paragraphs.map(|lines| lines.join(" ")).collect()
    }
}
