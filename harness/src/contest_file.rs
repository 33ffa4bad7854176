//! The contest file: who plays what by which rules in which stages, as an organizer writes it.
//!
//! Plain data comes of it, all checked that can be without building a bot; `docs/contest-file.md` has every key.
//! Paths count from the file's own folder.

mod authors;
mod boards;
mod contest;
mod entrants;
mod keys;
mod recorded;
mod stages;
#[cfg(test)]
mod tests;

pub use entrants::{Entrant, Out, Source as EntrantSource};
pub use recorded::Recorded;
pub use stages::Stage;

use crate::kit::Games;
use crate::ruleset::Ruleset;
use crate::sandbox::{Level, Limits};
use crate::toml_file::{Mistake, Source};
use entrants::References;
use keys::{Top, folder_of, top_level};
use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// What a contest file may name besides files.
#[derive(Clone, Copy)]
pub struct Available<'a> {
    /// The games.
    pub games: &'a Games,
    /// Reference bots: the names that may follow an `@`.
    pub references: &'a [&'a str],
}

/// A contest as its file says.
#[derive(Clone, Debug, PartialEq)]
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
    /// Reads the contest file at `path`, which may name what is `available`.
    ///
    /// # Errors
    /// All mistakes that can be told at once.
    pub fn read(path: &Path, available: Available) -> Result<ContestFile, ContestFileError> {
        match fs::read_to_string(path) {
            Ok(text) => ContestFile::parse(path, &text, available).map_err(ContestFileError::Wrong),
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
    pub fn parse(path: &Path, text: &str, available: Available) -> Result<ContestFile, Vec<Mistake>> {
        let source = Source { path, text };
        let one = |mistake| vec![mistake];
        let (top, stage_tables) = top_level(source).map_err(one)?;
        let ruleset = ruleset(source, &top, available.games).map_err(one)?;
        let references =
            References { ids: available.references, engines: &available.games.engines(), kit: ruleset.kit() };
        let boards = boards::read(source, &top.boards, &ruleset)?;
        let entrants =
            authors::listed(source, &top, entrants::read(source, &top, references)?, references.engines)?;
        let mut organizers = entrants::Organizers::new(source, references, &entrants);
        let seats = ruleset.seats.0..=ruleset.seats.1;
        let stages = stages::read(source, stage_tables, top.group_names(), seats, &mut organizers)?;
        let needed = stages.iter().any(|stage| stage.played.format.fewest_fillers().is_some());
        let (organizers, fillers) = organizers.with_fillers(top.fillers.as_deref(), needed)?;
        Ok(ContestFile {
            path: source.path.into(),
            text: source.text.to_string(),
            groups: top.group_names().into_iter().map(str::to_string).collect(),
            name: top.name,
            game: ruleset.game().to_string(),
            seed: top.seed.0,
            limits: top.limits.applied_to(ruleset.limits.clone()),
            ruleset,
            workers: top.workers.map(|workers| workers.0 as usize),
            isolation: top.isolation,
            check_budget: top.check_budget_s.map(|seconds| Duration::from_secs(seconds.0)),
            boards,
            entrants,
            one_entry_per_author: top.one_entry_per_author.unwrap_or(true),
            out: Vec::new(),
            organizers,
            fillers,
            stages,
        })
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

fn ruleset(source: Source, top: &Top, games: &Games) -> Result<Ruleset, Mistake> {
    let game = top.game.as_ref().map_or(games.usual().id(), |game| game.get_ref());
    let kit = games.find(game);
    if let (None, Some(asked)) = (kit, &top.game) {
        let hint = crate::nearest::did_you_mean(game, games.ids());
        return Err(source.mistake(asked.span().start, format!("unknown game `{game}`{hint}")));
    }
    let folder = folder_of(source.path);
    let (name, at) = match &top.ruleset {
        Some(name) => (name.get_ref().clone(), name.span().start),
        None => (kit.unwrap_or(games.usual()).rulesets()[0].0.to_string(), 0),
    };
    let ruleset = games.ruleset(&name, folder).map_err(|error| source.mistake(at, error.to_string()))?;
    if top.game.is_some() && ruleset.game() != game {
        let words = format!("the ruleset {name} is one of the game {}, not of {game}", ruleset.game());
        return Err(source.mistake(at, words));
    }
    Ok(ruleset)
}
