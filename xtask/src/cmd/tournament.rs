//! `tournament CONTEST`: a whole contest, begun or taken up where it was.

mod field;
mod page;
mod tell;
mod watch;

use crate::cli;
use crate::exit::{Exit, Failure};
use crate::show::{self, DIM, NAME};
use cornerman::contest::Contest;
use cornerman::format::{Plan, Results};
use cornerman_harness::contest_file::{ContestFile, ContestFileError};
use cornerman_harness::record::{Header, RecordError, StageRecord, Writer};
use cornerman_harness::tournament::{self, Ended, Hall, Progress, Running, TournamentError};
use field::Entries;
use page::LivePage;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use watch::Watch;

/// Runs the contest.
pub fn run(args: cli::Tournament) -> Result<Exit, Failure> {
    args.report.as_deref().map_or(Ok(()), LivePage::may_be_at)?;
    let references: Vec<&str> = reference_bots::BOTS.iter().map(|bot| bot.id).collect();
    let mut file = ContestFile::read(&args.contest, &references).map_err(|wrong| match wrong {
        ContestFileError::Unreadable { .. } => Failure::Kit(wrong.into()),
        _ => Failure::usage(wrong),
    })?;
    let db = args.db.clone().unwrap_or_else(|| default_db(&args.contest));
    let entries = Entries::gather(&mut file, &db, &args)?;
    let contest = file.contest().map_err(Failure::usage)?;
    if args.dry_run {
        return dry_run(&file, &contest, &entries);
    }
    if args.force_new && db.exists() {
        let aside = Writer::set_aside(&db).map_err(of_record)?;
        eprintln!("the record that was there is {} now", aside.display());
    }
    let header = header(&file);
    let mut writer = Writer::create_or_resume(&db, &header).map_err(of_record)?;
    writer.add_entrants(&entries.records).map_err(of_record)?;
    let mut results = writer.results().map_err(of_record)?;
    let resumed = results.len();
    if resumed > 0 {
        eprintln!("{}: {resumed} games are played already; going on", db.display());
    }
    let page = args.report.as_ref().map(|out| LivePage::begin(&db, out, resumed));
    let ended = play(&args, &file, &contest, &entries, &mut writer, &mut results, page.as_ref());
    // However it ended, the page is no longer one of a run.
    let page = page.map_or(Ok(()), LivePage::end);
    let ended = ended?;
    for (stage, remarks) in by_stage(&contest, &results) {
        writer.set_remarks(stage, &remarks).map_err(of_record)?;
    }
    page?;
    tell::tell(&writer, &header, &contest, &results, &entries.out, args.format)?;
    if ended == Ended::Stopped {
        let contest = args.contest.display();
        eprintln!("stopped; go on with: cargo xtask tournament {contest} --db {}", db.display());
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
        RecordError::Full { .. } | RecordError::CannotWrite { .. } | RecordError::Sqlite { .. } => {
            Failure::Kit(error.into())
        }
        _ => Failure::usage(error),
    }
}

fn header(file: &ContestFile) -> Header {
    let stage = |stage: &cornerman_harness::contest_file::Stage| StageRecord {
        name: stage.name.clone(),
        kind: stage.kind.name().to_string(),
    };
    Header {
        contest: file.name.clone(),
        contest_text: file.text.clone(),
        game: file.game.clone(),
        ruleset: file.ruleset.id.clone(),
        ruleset_text: file.ruleset.text.clone(),
        seed: file.seed,
        stages: file.stages.iter().map(stage).collect(),
        kit: env!("CARGO_PKG_VERSION").to_string(),
    }
}

fn play(
    args: &cli::Tournament,
    file: &ContestFile,
    contest: &Contest,
    entries: &Entries,
    writer: &mut Writer,
    results: &mut Results,
    page: Option<&LivePage>,
) -> Result<Ended, Failure> {
    let (rules, boards) = (file.ruleset.clone(), file.clone());
    let hall = Hall {
        open: Box::new(move |setup| rules.open(setup)),
        bots: entries.bots.clone(),
        marks: file.ruleset.marks.clone(),
        boards: Box::new(move |number| boards.board(number)),
        seed: file.seed,
        conditions: args.isolation.conditions()?,
    };
    let stop = Arc::new(AtomicBool::new(false));
    // The first signal lets the games in play end; one more ends the program, and the sandboxes with it.
    for signal in [signal_hook::consts::SIGINT, signal_hook::consts::SIGTERM] {
        signal_hook::flag::register_conditional_shutdown(signal, 130, Arc::clone(&stop))?;
        signal_hook::flag::register(signal, Arc::clone(&stop))?;
    }
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let workers = args.workers.map(usize::from).or(file.workers).unwrap_or(cores);
    let running = Running { workers, pinned: workers > 1 && workers <= cores, stop: &stop };
    let refused = std::cell::RefCell::new(None);
    let plan = |done: &Results| {
        contest.plan(done).unwrap_or_else(|error| {
            *refused.borrow_mut() = Some(error);
            Plan::Finished
        })
    };
    let mut watch = Watch::new(&entries.names, results.len());
    let ended = tournament::run(&hall, &plan, results, running, &mut |progress| {
        if let Progress::Played(game) = &progress {
            writer.add_game(game)?;
        }
        watch.tell(&progress);
        page.iter().for_each(|page| page.tell(&progress));
        Ok::<(), RecordError>(())
    });
    watch.end();
    if let Some(error) = refused.into_inner() {
        eprintln!("{error}");
    }
    ended.map_err(|error| match error {
        TournamentError::Watcher(error) => of_record(error),
        TournamentError::Kit { id, source } => {
            Failure::Kit(anyhow::Error::from(source).context(format!("game {id}; what was played is recorded")))
        }
    })
}

/// What would be played, without playing it.
fn dry_run(file: &ContestFile, contest: &Contest, entries: &Entries) -> Result<Exit, Failure> {
    let out = &mut anstream::stdout();
    let results = Results::new();
    writeln!(out, "{}: {} entrants, rules {}", show::paint(NAME, &file.name), entries.competing, file.ruleset.id)?;
    let Plan::Play(games) = contest.plan(&results).map_err(Failure::usage)? else { return Ok(Exit::Fine) };
    for stage in file.stages.iter().enumerate() {
        let open = games.iter().filter(|game| usize::from(game.id.stage) == stage.0).count();
        let what =
            if open > 0 { format!("{open} games can begin at once") } else { "after the ones before".into() };
        writeln!(out, "  stage {}: {} ({}), {what}", stage.0 + 1, stage.1.name, stage.1.kind.name())?;
    }
    for game in games.iter().take(5) {
        let names: Vec<&str> = game.seats.iter().map(|id| entries.names[id.index()].as_str()).collect();
        writeln!(out, "  {} on board {}: {}", game.id, game.board + 1, names.join(" against "))?;
    }
    if games.len() > 5 {
        writeln!(out, "{}", show::paint(DIM, format!("  … and {} more", games.len() - 5)))?;
    }
    Ok(Exit::Fine)
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
