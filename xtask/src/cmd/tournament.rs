//! `tournament CONTEST`: runs a contest, or resumes it.

mod dry_run;
mod field;
mod page;
mod remote;
mod stop;
mod watch;

use super::standings;
use crate::cli;
use crate::exit::{CliError, Exit};
use crate::registry::Registry;
use crate::show::{plain, plain_lines};
use cornerman::contest::{Contest, ContestError, Journal};
use cornerman::format::{EntrantId, Pairing, Plan, Results};
use cornerman::game::Setup;
use cornerman_harness::contest_file::{Available, Boards, ContestFile};
use cornerman_harness::machine::Machine;
use cornerman_harness::record::{EntrantRecord, Record, RecordError, Unplayed, Writer};
use cornerman_harness::sandbox::SandboxPool;
use cornerman_harness::tournament::{
    self, GameContext, LocalWorkers, MAX_IDLE_SANDBOXES, MAX_OFFERS, Progress, RunEnd, Setups, TournamentRun,
    Workers,
};
use field::Entries;
use page::LivePage;
#[cfg(not(feature = "cluster"))]
pub use remote::LEFT_OUT;
#[cfg(feature = "cluster")]
pub use remote::server;
use remote::{Remote, RemoteWorkers};
use std::path::{Path, PathBuf};
use std::sync::Arc;
pub use stop::Stop;
pub use watch::ProgressLine;
use watch::Watch;

/// Runs or resumes the contest.
pub fn run(mut args: cli::Tournament, games: &'static Registry) -> Result<Exit, CliError> {
    args.report.as_deref().map_or(Ok(()), LivePage::may_be_at)?;
    let remote = Remote::of(&args)?;
    let db = args.db.clone().unwrap_or_else(|| default_db(&args.contest));
    let mut file = contest_file(&args, games)?;
    // With `--force-new` the existing record does not matter.
    let begun = if args.force_new { None } else { Record::open_if_begun(&db).map_err(of_record)? };
    if let Some(record) = &begun {
        file.resume(&record.header().map_err(of_record)?);
    }
    // A run that was killed right after its start has not recorded its entrants.
    let entered = begun.map(|record| record.entrants()).transpose().map_err(of_record)?;
    let entered = entered.filter(|entrants| !entrants.is_empty());
    args.isolation = args.isolation.of_contest(file.isolation)?;
    reserve_open_files(1, file.ruleset.seats.1)?;
    // If the machine cannot isolate bots as required, this fails before anything is built or run.
    let isolation = args.isolation.conditions()?.isolation()?;
    let prepared = PreparedContest::of(file, games, &args, entered)?;
    if args.dry_run {
        return dry_run::run(&args, &prepared, &isolation);
    }
    if args.force_new && db.exists() {
        let aside = Writer::set_aside(&db).map_err(of_record)?;
        eprintln!("renamed the existing record to {}", plain(aside.display()));
    }
    let header = prepared.file.header(env!("CARGO_PKG_VERSION"));
    let mut writer = Writer::create_or_resume(&db, &header).map_err(of_record)?;
    writer.add_entrants(&prepared.entries.records).map_err(of_record)?;
    for line in prepared.entries.absent() {
        eprintln!("{}", plain_lines(line));
    }
    writer.add_machine(&Machine::this()).map_err(of_record)?;
    let mut results = writer.check_schedule(&prepared.contest).map_err(of_record)?;
    if !results.is_empty() {
        eprintln!("{}: resuming after {} games", plain(db.display()), results.len());
    }
    let page = args
        .report
        .as_ref()
        .map(|out| LivePage::begin(&db, games, out, super::report::most_bytes(args.page_size), results.len()));
    let ended = play(&args, &prepared, remote.as_ref(), &mut writer, &mut results, page.as_ref());
    // They close while the standings are made.
    prepared.sandboxes.begin_to_close();
    // Whatever the result, the page must no longer say that games are being played.
    let page = page.map_or(Ok(()), LivePage::end);
    let (ended, refused) = ended?;
    for (stage, remarks) in by_stage(&prepared.contest, &results) {
        writer.set_remarks(stage, &remarks).map_err(of_record)?;
    }
    standings::print(&writer, games, args.format)?;
    page?;
    if let Some(error) = refused {
        return Err(CliError::usage(prepared.file.mistake(error)));
    }
    match ended {
        RunEnd::Finished => Ok(Exit::Fine),
        RunEnd::Stopped => {
            eprintln!("stopped; resume with: {}", stop::resume_command());
            Ok(Exit::No)
        }
        RunEnd::Unplayed => Err(unplayed(&writer.unplayed().map_err(of_record)?)),
    }
}

/// The error that these games could not be played.
fn unplayed(games: &[Unplayed]) -> CliError {
    /// How many of them are listed; the standings list all.
    const NAMED: usize = 5;
    let mut lines: Vec<String> = games.iter().take(NAMED).map(Unplayed::to_string).collect();
    let more = games.len().saturating_sub(NAMED);
    lines.extend((more > 0).then(|| format!("and {more} more")));
    let them = if games.len() == 1 { "it" } else { "them" };
    let command = stop::resume_command();
    CliError::Internal(anyhow::anyhow!("{}; to try {them} again, run: {command}", lines.join("\n")))
}

/// Returns how many idle sandboxes the limit on open files permits.
pub fn reserve_open_files(workers: usize, seats: u8) -> Result<usize, CliError> {
    tournament::reserve_open_files(workers, seats).map_err(|why| CliError::Internal(anyhow::anyhow!(why)))
}

/// The record of `contests/mini.toml` is `mini.db` in the current folder.
fn default_db(contest: &Path) -> PathBuf {
    Path::new(contest.file_name().unwrap_or_default()).with_extension("db")
}

fn of_record(error: RecordError) -> CliError {
    match error {
        RecordError::Changed { .. } | RecordError::ProgramsChanged { .. } | RecordError::BoardChanged { .. } => {
            CliError::usage(format!("{error}\n(`--force-new` begins a new record and renames this one)"))
        }
        error => error.into(),
    }
}

/// With more workers per processor than this, a tournament only gets slower.
const MOST_WORKERS_A_PROCESSOR: usize = 4;

/// A contest that is prepared to be run.
struct PreparedContest {
    file: ContestFile,
    entries: Entries,
    contest: Contest,
    boards: Boards,
    workers: usize,
    /// Whether each worker has a processor of its own.
    pinned: bool,
    /// The sandboxes of bots between games.
    sandboxes: Arc<SandboxPool>,
}

/// Reads the contest file.
fn contest_file(args: &cli::Tournament, games: &Registry) -> Result<ContestFile, CliError> {
    let references: Vec<&str> = games.references().map(|(_, bot)| bot.id).collect();
    let available = Available { games: &games.games, references: &references };
    ContestFile::read(&args.contest, available).map_err(CliError::usage)
}

impl PreparedContest {
    /// Prepares the contest of `file`: builds and checks its entries. If its record has begun, `entered` are the entrants
    /// in it.
    ///
    /// # Errors
    /// When there would be too many workers, an entry does not exist, or those that can play are too few.
    fn of(
        mut file: ContestFile,
        games: &Registry,
        args: &cli::Tournament,
        entered: Option<Vec<EntrantRecord>>,
    ) -> Result<PreparedContest, CliError> {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let workers = args.workers.map(usize::from).or(file.workers).unwrap_or(cores);
        if workers > cores {
            let many = format!("{workers} workers share {}", crate::show::count(cores as i64, "processor"));
            if workers > cores * MOST_WORKERS_A_PROCESSOR && !args.oversubscribe {
                return Err(CliError::usage(format!(
                    "{many}: bots would spend most of the time waiting for each other; use at most {} workers, or add \
                     `--oversubscribe`",
                    cores * MOST_WORKERS_A_PROCESSOR
                )));
            }
            eprintln!("{many}: bots wait for each other, which costs them no time but makes games take longer");
        }
        let sandboxes = SandboxPool::new(reserve_open_files(workers, file.ruleset.seats.1)?);
        let entries = Entries::gather(&mut file, games, args, entered, &sandboxes)?;
        let contest = file.contest().map_err(|wrong| {
            // The reason may be that too few entries can play.
            entries.absent().for_each(|line| eprintln!("{}", plain_lines(line)));
            CliError::usage(wrong)
        })?;
        let boards = file.boards_of(&contest);
        let pinned = workers > 1 && workers <= cores;
        Ok(PreparedContest { file, entries, contest, boards, workers, pinned, sandboxes: Arc::new(sandboxes) })
    }

    /// The workers that play its games on this machine.
    fn workers(&self, args: &cli::Tournament) -> Result<LocalWorkers, CliError> {
        let context = GameContext {
            ruleset: self.file.ruleset.clone(),
            bots: (0..).map(EntrantId).zip(self.entries.bots.iter().cloned()).collect(),
            conditions: args.isolation.conditions()?,
            sandboxes: Arc::clone(&self.sandboxes),
        };
        Ok(LocalWorkers::new(context, self.workers, self.pinned))
    }

    /// The setup of one of its games.
    fn setup(&self, pairing: &Pairing) -> Setup {
        let boards = |number| self.boards.get(number);
        Setups { ruleset: &self.file.ruleset, boards: &boards, seed: self.file.seed }.of(pairing)
    }
}

/// Plays the games that are not in `results` yet, and records each. Also returns why a stage that was due cannot be
/// played.
fn play(
    args: &cli::Tournament,
    prepared: &PreparedContest,
    remote: Option<&Remote>,
    writer: &mut Writer,
    results: &mut Results,
    page: Option<&LivePage>,
) -> Result<(RunEnd, Option<ContestError>), CliError> {
    let line = ProgressLine::new();
    let stop = Stop::on_signals(line.clone(), stop::to_resume())?;
    let refused = std::cell::RefCell::new(None);
    let plan = |done: &Results| {
        prepared.contest.plan(done, &Journal::new()).unwrap_or_else(|error| {
            *refused.borrow_mut() = Some(error);
            Plan::Finished
        })
    };
    let setup = |pairing: &Pairing| prepared.setup(pairing);
    let mut players = match remote {
        None => Players::Here(prepared.workers(args)?),
        Some(remote) => Players::Elsewhere(remote.begin(prepared, writer, results, &line)?),
    };
    let (workers, places) = match &players {
        Players::Here(_) => (prepared.workers, prepared.sandboxes.places()),
        Players::Elsewhere(_) => (remote::MOST_WORKERS, MAX_IDLE_SANDBOXES),
    };
    let running = TournamentRun { plan: &plan, setup: &setup, workers, places, stop: stop.asked() };
    let mut watch = Watch::new(&prepared.contest, &prepared.entries.names, results.len(), line);
    let overview = players.overview();
    let ended = tournament::run(players.workers(), running, results, &mut |progress, results| {
        let words = overview.as_ref().map(|overview| overview.record(writer)).transpose()?;
        match &progress {
            Progress::Played(games) => writer.add_games(games)?,
            Progress::Lost { id, why, given_up: true } => writer.add_unplayed(*id, MAX_OFFERS, why)?,
            _ => {}
        }
        watch.on_progress(&progress, results, words);
        page.iter().for_each(|page| page.on_progress(&progress));
        Ok::<(), RecordError>(())
    });
    watch.end();
    players.end(matches!(ended, Ok(RunEnd::Finished)));
    ended.map(|ended| (ended, refused.into_inner())).map_err(of_record)
}

/// Who plays the games.
enum Players<'a> {
    /// Threads of this process.
    Here(LocalWorkers),
    /// Workers on other machines.
    Elsewhere(RemoteWorkers<'a>),
}

impl Players<'_> {
    fn workers(&mut self) -> &mut dyn Workers {
        match self {
            Players::Here(workers) => workers,
            Players::Elsewhere(workers) => workers.workers(),
        }
    }

    fn overview(&self) -> Option<remote::Overview> {
        match self {
            Players::Here(_) => None,
            Players::Elsewhere(workers) => Some(workers.overview()),
        }
    }

    /// Ends them. Nothing is kept for another run if the tournament is `over`.
    fn end(self, over: bool) {
        if let Players::Elsewhere(workers) = self {
            workers.end(over);
        }
    }
}

type Remarks = Vec<(u8, Vec<cornerman::format::Remark>)>;

fn by_stage(contest: &Contest, results: &Results) -> Remarks {
    let mut stages: Remarks = Vec::new();
    for (stage, remark) in contest.remarks(results, &Journal::new()) {
        match stages.last_mut() {
            Some((last, remarks)) if *last == stage => remarks.push(remark),
            _ => stages.push((stage, vec![remark])),
        }
    }
    stages
}
