//! `tournament CONTEST`: a whole contest, begun or taken up where it was.

mod dry_run;
mod field;
mod page;
mod stop;
mod watch;

use super::standings;
use crate::cli;
use crate::exit::{Exit, Failure};
use crate::show::{plain, plain_lines};
use cornerman::contest::Contest;
use cornerman::format::{Plan, Results};
use cornerman_harness::contest_file::{ContestFile, ContestFileError};
use cornerman_harness::record::{RecordError, Writer};
use cornerman_harness::tournament::{self, Ended, Hall, Progress, Running, TournamentError};
use field::Entries;
use page::LivePage;
use std::path::{Path, PathBuf};
use stop::Stop;
use watch::{Line, Watch};

/// Runs the contest.
pub fn run(args: cli::Tournament) -> Result<Exit, Failure> {
    args.report.as_deref().map_or(Ok(()), LivePage::may_be_at)?;
    let db = args.db.clone().unwrap_or_else(|| default_db(&args.contest));
    let ready = Preparation::of(&args, &db)?;
    if args.dry_run {
        return dry_run::run(&args, &ready);
    }
    if args.force_new && db.exists() {
        let aside = Writer::set_aside(&db).map_err(of_record)?;
        eprintln!("the record that was there is {} now", plain(aside.display()));
    }
    let header = ready.file.header(env!("CARGO_PKG_VERSION"));
    let mut writer = Writer::create_or_resume(&db, &header).map_err(of_record)?;
    writer.add_entrants(&ready.entries.records).map_err(of_record)?;
    for line in ready.entries.absent() {
        eprintln!("{}", plain(line));
    }
    let mut results = writer.results().map_err(of_record)?;
    if !results.is_empty() {
        eprintln!("{}: {} games are played already; going on", plain(db.display()), results.len());
    }
    let page = args.report.as_ref().map(|out| LivePage::begin(&db, out, results.len()));
    let ended = play(&args, &ready, &mut writer, &mut results, page.as_ref());
    // However it ended, the page is no longer one of a run.
    let page = page.map_or(Ok(()), LivePage::end);
    let ended = ended?;
    for (stage, remarks) in by_stage(&ready.contest, &results) {
        writer.set_remarks(stage, &remarks).map_err(of_record)?;
    }
    page?;
    standings::tell(&writer, args.format)?;
    if ended == Ended::Stopped {
        eprintln!("stopped; go on with: {}", stop::again());
        return Ok(Exit::No);
    }
    Ok(Exit::Fine)
}

/// `contests/mini.toml` is recorded in `mini.db` of the current folder.
fn default_db(contest: &Path) -> PathBuf {
    Path::new(contest.file_name().unwrap_or_default()).with_extension("db")
}

fn of_record(error: RecordError) -> Failure {
    match error {
        RecordError::Changed { .. } | RecordError::OtherPrograms { .. } | RecordError::BoardChanged { .. } => {
            Failure::usage(format!(
                "{error}\n(`--force-new` begins another, and keeps this one under another name)"
            ))
        }
        error => error.into(),
    }
}

/// A contest that could begin.
struct Preparation {
    file: ContestFile,
    entries: Entries,
    contest: Contest,
    workers: usize,
    /// Whether each worker has a processor of its own.
    pinned: bool,
}

impl Preparation {
    /// The contest that was asked for, which is or will be recorded in `db`.
    fn of(args: &cli::Tournament, db: &Path) -> Result<Preparation, Failure> {
        let references: Vec<&str> = reference_bots::BOTS.iter().map(|bot| bot.id).collect();
        let mut file = ContestFile::read(&args.contest, &references).map_err(|wrong| match wrong {
            ContestFileError::Unreadable { .. } => Failure::Kit(wrong.into()),
            _ => Failure::usage(wrong),
        })?;
        let entries = Entries::gather(&mut file, db, args)?;
        let contest = file.contest().map_err(Failure::usage)?;
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let workers = args.workers.map(usize::from).or(file.workers).unwrap_or(cores);
        Ok(Preparation { file, entries, contest, workers, pinned: workers > 1 && workers <= cores })
    }

    fn hall(&self, args: &cli::Tournament) -> Result<Hall, Failure> {
        let boards = self.file.clone();
        Ok(Hall {
            ruleset: self.file.ruleset.clone(),
            bots: self.entries.bots.clone(),
            boards: Box::new(move |number| boards.board(number)),
            seed: self.file.seed,
            conditions: args.isolation.conditions()?,
        })
    }
}

/// Plays on from `results`, and writes down every game.
fn play(
    args: &cli::Tournament,
    ready: &Preparation,
    writer: &mut Writer,
    results: &mut Results,
    page: Option<&LivePage>,
) -> Result<Ended, Failure> {
    let (hall, line) = (ready.hall(args)?, Line::new());
    let stop = Stop::on_signals(line.clone())?;
    let running = Running { workers: ready.workers, pinned: ready.pinned, stop: stop.asked() };
    let refused = std::cell::RefCell::new(None);
    let plan = |done: &Results| {
        ready.contest.plan(done).unwrap_or_else(|error| {
            *refused.borrow_mut() = Some(error);
            Plan::Finished
        })
    };
    let mut watch = Watch::new(&ready.contest, &ready.entries.names, results.len(), line);
    let ended = tournament::run(&hall, &plan, results, running, &mut |progress, results| {
        if let Progress::Played(game) = &progress {
            writer.add_game(game)?;
        }
        watch.tell(&progress, results);
        page.iter().for_each(|page| page.tell(&progress));
        Ok::<(), RecordError>(())
    });
    watch.end();
    if let Some(error) = refused.into_inner() {
        eprintln!("{}", plain_lines(error));
    }
    ended.map_err(|error| match error {
        TournamentError::Watcher(error) => of_record(error),
        TournamentError::Kit { id, source } => {
            Failure::Kit(anyhow::Error::from(source).context(format!("game {id}; what was played is recorded")))
        }
    })
}

type Remarks = Vec<(u8, Vec<cornerman::format::Remark>)>;

fn by_stage(contest: &Contest, results: &Results) -> Remarks {
    let mut stages: Remarks = Vec::new();
    for (stage, remark) in contest.remarks(results) {
        match stages.last_mut() {
            Some((last, remarks)) if *last == stage => remarks.push(remark),
            _ => stages.push((stage, vec![remark])),
        }
    }
    stages
}
