//! The contest file: who plays what by which rules in which stages, as an organizer writes it.
//!
//! Plain data comes of it, all checked that can be without building a bot; `docs/contest-file.md` has every key.
//! Paths count from the file's own folder.

mod authors;
mod boards;
mod contest;
mod entrants;
mod recorded;
mod stages;
#[cfg(test)]
mod tests;

pub use entrants::{Entrant, Out, Source as EntrantSource};
pub use stages::{Bonus, DecidedBy, Kind, Quota, RoundBoards, Scoring, Stage, Who};

use crate::bot_file::OwnLimits;
use crate::ruleset::Ruleset;
use crate::sandbox::{Level, Limits};
use crate::toml_file::{Mistake, Source, Within};
use cornerman::games;
use entrants::EntrantText;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;
use toml::Spanned;
use toml::de::{DeTable, Deserializer};

/// A contest as its file says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ContestFile {
    /// The file.
    pub path: PathBuf,
    /// The file, whole.
    pub text: String,
    /// The contest's name for people.
    pub name: String,
    /// The game's name in the registry.
    pub game: String,
    /// The rules.
    pub ruleset: Ruleset,
    /// What all lots are drawn from.
    pub seed: u64,
    /// The boards that the file gives, by number from 0. Those with higher numbers are generated from the seed and
    /// their number.
    pub boards: Vec<Vec<u8>>,
    /// Who competes, in the file's order; groups after those that are in none.
    pub entrants: Vec<Entrant>,
    /// Whether of one author's entries only the last one that is fit plays (B13).
    pub one_entry_per_author: bool,
    /// Entries that do not play: those that were [left out](ContestFile::leave_out).
    pub out: Vec<Out>,
    /// The names of the groups, by number.
    pub groups: Vec<String>,
    /// The organizer's bots, numbered after the entrants: seed programs, then fillers.
    pub organizers: Vec<Entrant>,
    /// Of `organizers`, those that fill up where somebody lacks an opponent, in the order they are taken (F4, S2).
    pub fillers: Vec<usize>,
    /// The stages, in order.
    pub stages: Vec<Stage>,
    /// How many games are played at a time, if the file says.
    pub workers: Option<usize>,
    /// The isolation that the file demands at least.
    pub isolation: Option<Level>,
    /// How long the check of an entry may take, if the file says.
    pub check_budget: Option<Duration>,
    /// What a run of a bot may use: the ruleset's limits with those of the file instead.
    pub limits: Limits,
}

impl ContestFile {
    /// Reads the contest file at `path`. `references` are the names that may follow an `@`.
    ///
    /// # Errors
    /// All mistakes that can be told at once.
    pub fn read(path: &Path, references: &[&str]) -> Result<ContestFile, ContestFileError> {
        match fs::read_to_string(path) {
            Ok(text) => ContestFile::parse(path, &text, references).map_err(ContestFileError::Wrong),
            Err(_) if !path.exists() => {
                let hint = crate::nearest::did_you_mean_file(path);
                Err(ContestFileError::Missing { path: path.into(), hint })
            }
            Err(source) => Err(ContestFileError::Unreadable { path: path.into(), source }),
        }
    }

    /// Reads the contest file `text`, as [`ContestFile::read`] does.
    ///
    /// # Errors
    /// All mistakes that can be told at once.
    pub fn parse(path: &Path, text: &str, references: &[&str]) -> Result<ContestFile, Vec<Mistake>> {
        let source = Source { path, text };
        let one = |mistake| vec![mistake];
        let (top, stage_tables) = top_level(source).map_err(one)?;
        let ruleset = ruleset(source, &top).map_err(one)?;
        let boards = boards::read(source, &top.boards, &ruleset)?;
        let entrants = authors::listed(source, &top, entrants::read(source, &top, references)?)?;
        let mut organizers = entrants::Organizers::new(source, references, &entrants);
        let stages = stages::read(source, stage_tables, top.group_names(), &mut organizers)?;
        let (organizers, fillers) = organizers.with_fillers(top.fillers.as_deref(), &stages)?;
        let file = ContestFile::bare(source, top, ruleset);
        Ok(ContestFile { boards, entrants, organizers, fillers, stages, ..file })
    }

    /// What the top of the file says, without boards, stages and anybody who takes part.
    fn bare(source: Source, top: Top, ruleset: Ruleset) -> ContestFile {
        ContestFile {
            path: source.path.into(),
            text: source.text.to_string(),
            groups: top.group_names().into_iter().map(str::to_string).collect(),
            name: top.name,
            game: ruleset.game().to_string(),
            seed: top.seed.0,
            limits: top.limits.over(ruleset.limits.clone()),
            ruleset,
            workers: top.workers.map(|workers| workers.0 as usize),
            isolation: top.isolation,
            check_budget: top.check_budget_s.map(|seconds| Duration::from_secs(seconds.0)),
            boards: Vec::new(),
            entrants: Vec::new(),
            one_entry_per_author: top.one_entry_per_author.unwrap_or(true),
            out: Vec::new(),
            organizers: Vec::new(),
            fillers: Vec::new(),
            stages: Vec::new(),
        }
    }

    /// For each entrant the place of the one that replaces it: of one author's entries the last one that
    /// `is_eligible` plays (B13), by the organizer's list of authors or, for those that it does not name, by the file.
    /// It is asked with the place in the list of entrants, from the last to the first, and never about an entry that is
    /// replaced.
    ///
    /// # Errors
    /// Those of `is_eligible`.
    pub fn replaced<E>(
        &self,
        mut is_eligible: impl FnMut(usize) -> Result<bool, E>,
    ) -> Result<Vec<Option<usize>>, E> {
        let mut replaced = vec![None; self.entrants.len()];
        let mut plays = BTreeMap::new();
        let mut order: Vec<usize> = (0..self.entrants.len()).collect();
        order.sort_by_key(|&at| (self.entrants[at].listed, at));
        for at in order.into_iter().rev() {
            let author = self.entrants[at].author.as_ref().filter(|_| self.one_entry_per_author);
            replaced[at] = author.and_then(|author| plays.get(author).copied());
            if replaced[at].is_none() && is_eligible(at)? {
                plays.extend(author.map(|author| (author, at)));
            }
        }
        Ok(replaced)
    }

    /// Moves those entrants to [`ContestFile::out`] for whom there is a reason: `why` is asked with the place in the
    /// list of entrants. Who stays is numbered anew, without gaps.
    pub fn leave_out(&mut self, mut why: impl FnMut(usize, &Entrant) -> Option<String>) {
        let mut staying = Vec::new();
        for (at, entry) in std::mem::take(&mut self.entrants).into_iter().enumerate() {
            match why(at, &entry) {
                Some(why) => self.out.push(Out { entry, why }),
                None => staying.push(entry),
            }
        }
        self.entrants = staying;
        self.out.sort_by_key(|out| out.entry.place);
    }
}

/// Why there is no contest.
#[derive(Debug)]
pub enum ContestFileError {
    /// No such file.
    Missing {
        /// What was asked for.
        path: PathBuf,
        /// The nearest that exists.
        hint: String,
    },
    /// The file cannot be read.
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The system's answer.
        source: std::io::Error,
    },
    /// The file makes no sense.
    Wrong(Vec<Mistake>),
}

impl fmt::Display for ContestFileError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            ContestFileError::Missing { path, hint } => write!(f, "no such contest: {}{hint}", path.display()),
            ContestFileError::Unreadable { path, source } => {
                write!(f, "cannot read the contest {}: {source}", path.display())
            }
            ContestFileError::Wrong(mistakes) => {
                let lines: Vec<String> = mistakes.iter().map(ToString::to_string).collect();
                f.write_str(&lines.join("\n"))
            }
        }
    }
}

impl std::error::Error for ContestFileError {}

/// The file without its stages.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Top {
    name: String,
    game: Option<Spanned<String>>,
    ruleset: Option<Spanned<String>>,
    #[serde(default)]
    seed: Within<0, { i64::MAX as u64 }>,
    #[serde(default)]
    boards: Vec<Spanned<String>>,
    #[serde(default)]
    entrants: Vec<Spanned<EntrantText>>,
    #[serde(default)]
    groups: Vec<Group>,
    one_entry_per_author: Option<bool>,
    authors: Option<Spanned<String>>,
    fillers: Option<Vec<Spanned<EntrantText>>>,
    workers: Option<Within<1, 1024>>,
    isolation: Option<Level>,
    check_budget_s: Option<Within<0, 86_400>>,
    #[serde(default)]
    limits: OwnLimits,
}

impl Top {
    fn group_names(&self) -> Vec<&str> {
        self.groups.iter().map(|group| group.name.get_ref().as_str()).collect()
    }
}

/// Entrants that have a preliminary of their own (S1).
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Group {
    name: Spanned<String>,
    entrants: Vec<Spanned<EntrantText>>,
}

/// The keys that every contest file may have, as the reader of its rest does not know of the stages.
const STAGES: &str = "stages";

/// What the file says but for its stages, whose tables come unread: each has its keys by its kind.
fn top_level<'a>(source: Source<'a>) -> Result<(Top, Vec<Spanned<DeTable<'a>>>), Mistake> {
    let explain = |wrong: toml::de::Error| source.explain(&wrong, &[STAGES]);
    let mut whole = DeTable::parse(source.text).map_err(explain)?;
    let stages = whole.get_mut().remove(STAGES);
    let top = Top::deserialize(Deserializer::from(whole)).map_err(explain)?;
    let Some(stages) = stages else {
        let words = "no stages: add one, such as\n  [[stages]]\n  kind = \"all-play-all\"";
        return Err(source.mistake(0, words));
    };
    Ok((top, stages::tables(source, stages)?))
}

fn ruleset(source: Source, top: &Top) -> Result<Ruleset, Mistake> {
    let game = top.game.as_ref().map_or(games::GAMES[0].id, |game| game.get_ref());
    if let (None, Some(asked)) = (games::find(game), &top.game) {
        let hint = crate::nearest::did_you_mean(game, games::GAMES.iter().map(|game| game.id));
        return Err(source.mistake(asked.span().start, format!("unknown game `{game}`{hint}")));
    }
    let folder = folder_of(source.path);
    let (name, at) = match &top.ruleset {
        Some(name) => (name.get_ref().clone(), name.span().start),
        None => (Ruleset::usual_id(game).to_string(), 0),
    };
    let ruleset = Ruleset::find(&name, folder).map_err(|error| source.mistake(at, error.to_string()))?;
    if top.game.is_some() && ruleset.game() != game {
        let words = format!("the ruleset {name} is one of the game {}, not of {game}", ruleset.game());
        return Err(source.mistake(at, words));
    }
    Ok(ruleset)
}

fn folder_of(file: &Path) -> &Path {
    file.parent().unwrap_or(Path::new(""))
}
