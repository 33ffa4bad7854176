//! Reads contest files, in which an organizer lists the entrants, the rules and the stages of a contest.
//!
//! The result is plain data. Everything is checked that can be checked without building a bot. Paths are relative to
//! the file's own folder. `docs/contest-file.md` describes every key.

mod authors;
mod boards;
mod entrants;
mod keys;
mod publish;
mod recorded;
mod stages;
#[cfg(test)]
mod tests;
pub use boards::{Boards, read_board};
pub use entrants::{Entrant, EntrySource, ExcludedEntry};
pub use publish::is_web_address;
pub use recorded::RecordedContest;

use crate::contest_spec::{CHECK_BUDGET, ContestSpec, StageSpec};
use crate::kit::Games;
use crate::record::{DecisionRecord, with_decisions};
use crate::ruleset::Ruleset;
use crate::sandbox::Limits;
use crate::text::{Reason, with_sources};
use crate::toml_file::{FileError, Mistake, SourceFile, read_toml};
use cornerman::contest::{Contest, ContestError, Field, Participants};
use cornerman::format::EntrantId;
use cornerman::formats::{Format, SettingsError};
use cornerman::journal::Journal;
use entrants::EntrantReferences;
use keys::{Top, TopLevel, folder_of, top_level};
use std::collections::BTreeMap;
use std::fs;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use toml::Spanned;

/// The games and bots that a contest file may refer to by name.
#[derive(Clone, Copy)]
pub struct Available<'a> {
    /// The games.
    pub games: &'a Games,
    /// The reference bots, by the names that may follow an `@`.
    pub references: &'a [&'a str],
}

/// A contest file that has been read: the contest, its rules, and where its bots are.
#[derive(Clone, Debug, PartialEq)]
pub struct ContestFile {
    /// The path of the file.
    pub path: PathBuf,
    /// Its text.
    pub text: String,
    /// The contest.
    pub spec: ContestSpec,
    /// The lines of the file where the stages begin, from 1.
    stage_lines: Vec<usize>,
    /// The rules.
    pub ruleset: Ruleset,
    /// The boards that the file lists, by number from 0. Boards with higher numbers are generated from the seed and
    /// their number.
    pub boards: Vec<Vec<u8>>,
    /// The entries that compete, in the file's order; those without a group come first.
    pub entrants: Vec<Entrant>,
    /// The entries that do not play, moved here by [`ContestFile::exclude`].
    pub excluded: Vec<ExcludedEntry>,
    /// The organizer's bots, numbered after the entrants: seed programs, then fillers.
    pub organizers: Vec<Entrant>,
    /// What held before the first decision, as in [`Header::journal`](crate::record::Header::journal).
    pub journal: Journal,
    /// The organizer's decisions in the record; none if the contest has not begun.
    pub decisions: Vec<DecisionRecord>,
    /// How many games are played at a time, if given.
    pub workers: Option<usize>,
}

impl ContestFile {
    /// Reads the contest file at `path`, which may refer to what is `available`.
    ///
    /// # Errors
    /// If the file cannot be read, or has mistakes. As many mistakes as possible are reported at once.
    pub fn read(path: &Path, available: Available) -> Result<ContestFile, FileError> {
        let shown = path.display();
        if path.is_dir() {
            let files = contest_files_in(path);
            return Err(Reason(format!("{shown} is a folder; a contest is a TOML file in it{files}")).into());
        }
        let text = read_toml("contest", path)?;
        ContestFile::parse(path, &text, available).map_err(FileError::Wrong)
    }

    /// Parses the `text` of the contest file at `path`, which need not exist.
    ///
    /// # Errors
    /// The mistakes, as many as possible at once.
    pub fn parse(path: &Path, text: &str, available: Available) -> Result<ContestFile, Vec<Mistake>> {
        let source = SourceFile { path, text };
        let one = |mistake| vec![mistake];
        let TopLevel { top, rules, stages: stage_tables } = top_level(source).map_err(one)?;
        if top.name.get_ref().trim().is_empty() {
            return Err(one(source.mistake(top.name.span().start, "the `name` is empty")));
        }
        let ruleset = ruleset(source, &top, available.games).map_err(one)?;
        let ruleset = with_changes(source, ruleset, &rules, available.games)?;
        let references = EntrantReferences {
            ids: available.references,
            engines: &available.games.engines(),
            kit: ruleset.kit(),
        };
        let boards = boards::read(source, &top.boards, &ruleset)?;
        let entrants =
            authors::listed(source, &top, entrants::read(source, &top, references)?, references.engines)?;
        let mut organizers = entrants::Organizers::new(source, references, &entrants);
        let seats = ruleset.seats.0..=ruleset.seats.1;
        let defaults = ruleset.rules.stage_defaults();
        let stages = stages::read(source, stage_tables, top.group_names(), seats, &mut organizers, &defaults)?;
        let needed = stages.iter().any(|(stage, _)| stage.format.min_fillers().is_some());
        let (organizers, fillers) = organizers.with_fillers(top.fillers.as_deref(), needed)?;
        let limits = top.limits.applied_to(ruleset.limits.clone());
        let (stages, stage_lines): (Vec<StageSpec>, Vec<usize>) = stages.into_iter().unzip();
        let groups = top.group_names().into_iter().map(str::to_string).collect();
        let spec = ContestSpec {
            entrants: entrants.iter().map(Entrant::to_spec).collect(),
            groups,
            one_entry_per_author: top.one_entry_per_author.unwrap_or(true),
            organizers: organizers.iter().map(Entrant::to_spec).collect(),
            fillers,
            isolation: top.isolation,
            check_budget_s: top.check_budget_s.map_or(CHECK_BUDGET.as_secs(), |seconds| seconds.0),
            publish: top.publish.checked(source, &stages)?,
            ..ContestSpec::new(top.name.get_ref(), top.seed.0, stages, &limits)
        };
        Ok(ContestFile {
            path: source.path.into(),
            text: source.text.to_string(),
            stage_lines,
            organizers,
            workers: top.workers.map(|workers| workers.0 as usize),
            ..ContestFile::without_file(spec, ruleset, boards, entrants)
        })
    }

    /// A contest that no file describes: all `entrants` play one stage of `format`, by `ruleset`. It is called `name`.
    /// Lots, and the boards that follow `boards`, are drawn from `seed`.
    ///
    /// # Errors
    /// If the format is not possible by these rules.
    pub fn of_one_stage(
        name: &str,
        ruleset: Ruleset,
        seed: u64,
        boards: Vec<Vec<u8>>,
        entrants: Vec<Entrant>,
        mut format: Format,
    ) -> Result<ContestFile, SettingsError> {
        format.fill_in_game_defaults(&ruleset.rules.stage_defaults(), 0);
        format.fill_in_defaults(&(ruleset.seats.0..=ruleset.seats.1), 0)?;
        let stages = vec![StageSpec { name: format.name().to_string(), format, who: Participants::All }];
        let spec = ContestSpec {
            entrants: entrants.iter().map(Entrant::to_spec).collect(),
            one_entry_per_author: false,
            ..ContestSpec::new(name, seed, stages, &ruleset.limits)
        };
        let entrants = (0..).zip(entrants).map(|(place, entrant)| Entrant { place, ..entrant }).collect();
        Ok(ContestFile::without_file(spec, ruleset, boards, entrants))
    }

    /// A contest as if no file described it, with an empty text.
    fn without_file(
        spec: ContestSpec,
        ruleset: Ruleset,
        boards: Vec<Vec<u8>>,
        entrants: Vec<Entrant>,
    ) -> ContestFile {
        ContestFile {
            path: PathBuf::from("contest"),
            text: String::new(),
            spec,
            stage_lines: vec![1],
            ruleset,
            boards,
            entrants,
            excluded: Vec::new(),
            organizers: Vec::new(),
            journal: Journal::new(),
            decisions: Vec::new(),
            workers: None,
        }
    }

    /// The id of the game.
    pub fn game(&self) -> &str {
        self.ruleset.game()
    }

    /// The limits for one run of a bot: those of the contest, and for the rest those of the ruleset.
    pub fn limits(&self) -> Limits {
        self.spec.limits.applied_to(self.ruleset.limits.clone())
    }

    /// For each entrant, the place of the entrant that replaces it, if one does: of the entries of one author, only the
    /// last one for which `is_eligible` returns true plays (B13), if the contest has that rule. To find the last, the
    /// entries that the organizer's list of authors does not name come first, as in the contest file, and the others
    /// follow as in that list. `is_eligible` is called with places in the list of entrants, in the reverse of this
    /// order, and never for an entry that is replaced.
    ///
    /// # Errors
    /// The errors of `is_eligible`.
    pub fn replaced<E>(
        &self,
        mut is_eligible: impl FnMut(usize) -> Result<bool, E>,
    ) -> Result<Vec<Option<usize>>, E> {
        let mut replaced = vec![None; self.entrants.len()];
        let mut plays = BTreeMap::new();
        let mut order: Vec<usize> = (0..self.entrants.len()).collect();
        order.sort_by_key(|&at| (self.entrants[at].listed, at));
        for at in order.into_iter().rev() {
            let author = self.entrants[at].author.as_ref().filter(|_| self.spec.one_entry_per_author);
            replaced[at] = author.and_then(|author| plays.get(author).copied());
            if replaced[at].is_none() && is_eligible(at)? {
                plays.extend(author.map(|author| (author, at)));
            }
        }
        Ok(replaced)
    }

    /// Moves the entrants for which `why` returns a reason to [`ContestFile::excluded`]. `why` is called with the place
    /// in the list of entrants. The remaining entrants are renumbered without gaps.
    pub fn exclude(&mut self, mut why: impl FnMut(usize, &Entrant) -> Option<String>) {
        let mut staying = Vec::new();
        for (at, entry) in std::mem::take(&mut self.entrants).into_iter().enumerate() {
            match why(at, &entry) {
                Some(why) => self.excluded.push(ExcludedEntry { entry, why }),
                None => staying.push(entry),
            }
        }
        self.entrants = staying;
        self.excluded.sort_by_key(|excluded| excluded.entry.place);
    }
}

/// The TOML files in `folder` that can be contests, for the end of a message; empty if there are none.
fn contest_files_in(folder: &Path) -> String {
    const MOST: usize = 5;
    let files = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let is_contest = |path: &PathBuf| {
        let begins_a_stage = |text: String| text.lines().any(|line| line.trim() == "[[stages]]");
        path.extension().is_some_and(|kind| kind == "toml") && fs::read_to_string(path).is_ok_and(begins_a_stage)
    };
    let mut files: Vec<PathBuf> = files.filter(is_contest).collect();
    files.sort();
    let mut shown: Vec<String> = files.iter().take(MOST).map(|path| path.display().to_string()).collect();
    shown.extend((files.len() > MOST).then(|| "…".to_string()));
    if shown.is_empty() { String::new() } else { format!(": {}", shown.join(", ")) }
}

/// The ruleset with the `changes`, values that the contest gives to keys of its table `rules`. Its title lists them.
fn with_changes(
    source: SourceFile,
    ruleset: Ruleset,
    changes: &[(Spanned<String>, toml::Value)],
    games: &Games,
) -> Result<Ruleset, Vec<Mistake>> {
    let named: Vec<_> = changes.iter().map(|(key, value)| (key.get_ref().as_str(), value.clone())).collect();
    games.with_rules(ruleset, &named).map_err(|wrong| {
        wrong.into_iter().map(|(at, why)| source.mistake(changes[at].0.span().start, why.0)).collect()
    })
}

/// The ruleset that the file names, or the default one of its game.
fn ruleset(source: SourceFile, top: &Top, games: &Games) -> Result<Ruleset, Mistake> {
    let game = top.game.as_ref().map_or(games.default_game().id(), |game| game.get_ref());
    let kit = games.find(game);
    if let (None, Some(asked)) = (kit, &top.game) {
        let hint = crate::nearest::did_you_mean(game, games.ids());
        return Err(source.mistake(asked.span().start, format!("unknown game `{game}`{hint}")));
    }
    let folder = folder_of(source.path);
    let (name, at) = match &top.ruleset {
        Some(name) => (name.get_ref().clone(), name.span().start),
        None => (kit.unwrap_or(games.default_game()).rulesets()[0].0.to_string(), 0),
    };
    let ruleset = games.ruleset(&name, folder).map_err(|error| source.mistake(at, with_sources(&error)))?;
    if top.game.is_some() && ruleset.game() != game {
        let message = format!("the ruleset {name} is for the game {}, not for {game}", ruleset.game());
        return Err(source.mistake(at, message));
    }
    Ok(ruleset)
}

impl ContestFile {
    /// The contest.
    ///
    /// # Errors
    /// If a stage cannot be played with these entrants; the mistake has the line of the stage.
    pub fn contest(&self) -> Result<Contest, Mistake> {
        let contest = Contest::new(self.field(), self.spec.played(), self.spec.seed);
        let contest = contest.map_err(|error| self.mistake(error))?;
        Ok(contest.with_journal(with_decisions(&self.journal, &self.decisions)))
    }

    /// `error` as a mistake in the line of its stage.
    pub fn mistake(&self, error: ContestError) -> Mistake {
        let line = error.stage.and_then(|number| self.stage_lines.get(usize::from(number)));
        Mistake { path: self.path.clone(), line: line.copied().unwrap_or(1), message: error.why }
    }

    /// The numbers of seats that a game can have.
    fn seats(&self) -> RangeInclusive<u8> {
        self.ruleset.seats.0..=self.ruleset.seats.1
    }

    /// The numbers of entrants, groups and fillers.
    fn field(&self) -> Field {
        let entrants = self.entrants.len() as u16;
        let organizers = self.organizers.len() as u16;
        let members = |group: usize| {
            let of_group = (0..).zip(&self.entrants).filter(move |(_, entrant)| entrant.group == Some(group));
            of_group.map(|(id, _)| EntrantId(id)).collect()
        };
        Field {
            groups: (0..self.spec.groups.len()).map(members).collect(),
            fillers: self.spec.fillers.iter().map(|&place| EntrantId(entrants + place as u16)).collect(),
            seats: self.seats(),
            ..Field::new(entrants, organizers)
        }
    }

    /// The boards of `contest`, which is this file's.
    pub fn boards_of(&self, contest: &Contest) -> Boards {
        Boards::new(&self.ruleset, &self.boards, self.spec.seed, contest)
    }
}
