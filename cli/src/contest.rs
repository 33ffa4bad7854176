//! A contest that is about to be played: its entries built, checked and named, its boards, and the workers.

mod entries;
pub(crate) mod improvised;
mod progress;
mod sparring;

use crate::options::{Crew, IsolationArgs, LanguagesArgs};
use crate::show::plain;
use crate::{CliError, Exit, Registry};
use cornerman::contest::Contest;
use cornerman::format::{Pairing, Results};
use cornerman_harness::contest_file::{Boards, ContestFile};
use cornerman_harness::machine;
use cornerman_harness::record::{EntrantRecord, Record, Unplayed, Writer};
use cornerman_harness::run::{self, GameContext, LocalWorkers, Planner, Run, RunEnd, Sink, Until, Workers};
use cornerman_harness::sandbox::SandboxPool;
#[cfg(feature = "cluster")]
pub(crate) use entries::spec_of;
pub(crate) use entries::{Entries, entrant_of_spec, identify};
pub(crate) use improvised::{Improvised, OtherSeats, SparringArgs};
pub(crate) use progress::{Losses, ProgressLine, Stop, command_without, resume_command, time_left, to_resume};
pub(crate) use sparring::{IsHopeless, Sparring, SparringHistory, half_points};
use std::path::Path;
use std::sync::Arc;

/// How a contest is prepared.
#[derive(Clone, Copy)]
pub(crate) struct Terms<'a> {
    pub crew: Crew,
    /// How the entries are checked, if they are.
    pub checked: Option<Checked>,
    pub isolation: IsolationArgs,
    pub languages: &'a LanguagesArgs,
}

/// How entries are checked.
#[derive(Clone, Copy)]
pub(crate) struct Checked {
    /// Whether entries that an earlier run has built and checked are built and checked again.
    pub again: bool,
}

/// With more workers per processor than this, a tournament only gets slower.
const MOST_WORKERS_A_PROCESSOR: usize = 4;

/// A contest that is ready to be played.
pub(crate) struct PreparedContest {
    pub file: ContestFile,
    pub entries: Entries,
    /// The contest of `file` with the entrants that play.
    pub contest: Contest,
    pub boards: Boards,
    /// How many games are played at a time.
    pub workers: usize,
    /// Whether each worker is bound to a processor of its own.
    pinned: bool,
    /// The sandboxes of bots between games.
    pub sandboxes: Arc<SandboxPool>,
}

impl PreparedContest {
    /// Builds and checks the entries of `file`. If its record has begun, `entered` are the entrants in it.
    ///
    /// # Errors
    /// When there would be too many workers, an entry does not exist, or too few entries can play.
    pub(crate) fn prepare(
        mut file: ContestFile,
        games: &Registry,
        terms: Terms,
        entered: Option<Vec<EntrantRecord>>,
    ) -> Result<PreparedContest, CliError> {
        let cores = machine::cores();
        let workers = terms.crew.workers.map(usize::from).or(file.workers).unwrap_or(cores);
        if workers > cores {
            let many = format!("{workers} workers share {}", crate::show::count(cores, "processor"));
            if workers > cores * MOST_WORKERS_A_PROCESSOR && !terms.crew.oversubscribe {
                return Err(usage!(
                    "{many}: bots would spend most of the time waiting for each other; use at most {} workers, or add \
                     `--oversubscribe`",
                    cores * MOST_WORKERS_A_PROCESSOR
                ));
            }
            note!("{many}: bots wait for each other, which costs them no time but makes games take longer");
        }
        let sandboxes = SandboxPool::new(reserve_open_files(workers, file.ruleset.seats.1)?);
        let entries = Entries::gather(&mut file, games, terms, entered, &sandboxes)?;
        let contest = file.contest().inspect_err(|_| {
            // The reason may be that too few entries can play.
            for line in entries.absent() {
                note!("{line}");
            }
        })?;
        let boards = file.boards_of(&contest);
        let pinned = workers > 1 && workers <= cores;
        Ok(PreparedContest { file, entries, contest, boards, workers, pinned, sandboxes: Arc::new(sandboxes) })
    }

    /// Applies the decisions in `record` to the contest, loads the bots that they add, and returns the results that
    /// count.
    ///
    /// # Errors
    /// When the record cannot be read, has games that the contest does not plan, or a bot that was added is missing or
    /// has changed.
    pub(crate) fn follow(&mut self, record: &Record, games: &Registry, terms: Terms) -> Result<Results, CliError> {
        self.file.decisions = record.decisions()?;
        self.entries.add_late(&self.file, record, games, terms)?;
        self.contest = ContestFile::recorded(record, &games.games)?.contest;
        self.boards = self.file.boards_of(&self.contest);
        Ok(record.check_schedule(&self.contest)?)
    }

    /// The workers that play its games on this machine, for a run that ends with `until`.
    pub(crate) fn workers(&self, isolation: IsolationArgs, until: &Until) -> Result<LocalWorkers, CliError> {
        let context = GameContext {
            ruleset: self.file.ruleset.clone(),
            bots: self.entries.bots.clone(),
            versions: self.contest.journal().versions(),
            conditions: isolation.conditions()?,
            sandboxes: Arc::clone(&self.sandboxes),
        };
        Ok(LocalWorkers::new(context, self.workers, self.pinned, until))
    }

    /// Lets `workers` play the games of `planner`.
    ///
    /// # Errors
    /// Those of the `sinks`, and [`CliError::Ended`] if the run was ended at once.
    pub(crate) fn play(
        &self,
        planner: &mut dyn Planner,
        workers: &mut dyn Workers,
        until: &Until,
        sinks: &mut [&mut dyn Sink<CliError>],
        results: &mut Results,
    ) -> Result<RunEnd, CliError> {
        let setup = |pairing: &Pairing| self.boards.setup(pairing);
        match (Run { planner, setup: &setup, workers, until, sinks }).play(results)? {
            RunEnd::Ended => Err(CliError::Ended),
            ended => Ok(ended),
        }
    }
}

/// Returns how many idle sandboxes the limit on open files permits, beside those of the workers' games.
pub(crate) fn reserve_open_files(workers: usize, seats: u8) -> Result<usize, CliError> {
    run::reserve_open_files(workers, seats).map_err(|error| CliError::Internal(error.into()))
}

/// Renames the record at `path`, so that a new one can begin there.
pub(crate) fn set_aside(path: &Path) -> Result<(), CliError> {
    let aside = Writer::set_aside(path)?;
    note!("renamed the existing record to {}", plain(aside.display()));
    Ok(())
}

/// The exit status of a command whose run ended in this way. If the run was stopped, prints how to resume it.
pub(crate) fn exit_of(ended: RunEnd, record: &Record) -> Result<Exit, CliError> {
    match ended {
        RunEnd::Finished | RunEnd::TimeIsOver => Ok(Exit::Fine),
        RunEnd::Stopped | RunEnd::Ended => {
            note!("stopped; resume with: {}", resume_command());
            Ok(Exit::No)
        }
        RunEnd::Unplayed => Err(unplayed(&record.unplayed()?)),
    }
}

/// The error that says which games could not be played.
fn unplayed(games: &[Unplayed]) -> CliError {
    /// How many of them are listed; the JSON of the standings lists all.
    const NAMED: usize = 5;
    let mut lines: Vec<String> = games.iter().take(NAMED).map(Unplayed::to_string).collect();
    let more = games.len().saturating_sub(NAMED);
    lines.extend((more > 0).then(|| format!("and {more} more")));
    let them = if games.len() == 1 { "it" } else { "them" };
    let command = resume_command();
    CliError::failure(lines.join("\n")).hint(format!("to try {them} again, run: {command}"))
}
