//! `tournament CONTEST`: runs a contest, or resumes it.

mod dry_run;
mod page;
mod remote;
mod watch;

use super::decide::Requests;
use super::report;
use crate::contest::{
    Checked, Losses, PreparedContest, ProgressLine, Stop, Terms, exit_of, reserve_open_files, resume_command,
    set_aside, to_resume,
};
use crate::isolation::{self, Batch};
use crate::options::{Crew, IsolationArgs, LanguagesArgs, PageFormat};
use crate::seal_log::{self, SealLog};
use crate::show::plain;
use crate::{CliError, Exit, Registry};
use clap::Args;
use cornerman::contest::ContestError;
use cornerman::format::{Plan, Results};
use cornerman_harness::contest_file::ContestFile;
use cornerman_harness::machine::Machine;
use cornerman_harness::record::{GameRecord, LateGames, Record, RecordErrorKind, Writer};
use cornerman_harness::run::{Progress, Recorder, RunEnd, Sink, Until};
use cornerman_harness::text::count;
use cornerman_harness::verify;
use page::{LivePage, PageMaker};
#[cfg(not(feature = "cluster"))]
pub(crate) use remote::in_whole_build;
#[cfg(feature = "cluster")]
pub(crate) use remote::server;
use remote::{Overview, Players, Remote};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};
use watch::Watch;

#[derive(Args)]
pub(crate) struct TournamentArgs {
    /// The contest file (TOML)
    pub contest: PathBuf,
    /// File of the record [default: the contest file's name with .db, in the current folder]
    #[arg(long, value_name = "FILE")]
    pub db: Option<PathBuf>,
    /// File for heads of the record's chain of hashes, which show later that no game was replaced [default: the
    /// record's name with .heads]
    #[arg(long, value_name = "FILE")]
    pub seal_log: Option<PathBuf>,
    #[command(flatten)]
    pub crew: Crew,
    /// Show what would be played and how long it would take, without a record
    #[arg(long)]
    pub dry_run: bool,
    /// Skip the check of the entries, so that all of them play
    #[arg(long)]
    pub no_check: bool,
    /// Build and check again entries that an earlier run has built and checked
    #[arg(long)]
    pub again: bool,
    /// Begin a new record, and rename an existing one
    #[arg(long)]
    pub force_new: bool,
    /// Write the tournament's page to this file every few seconds while games are played
    #[arg(long, value_name = "FILE")]
    pub report: Option<PathBuf>,
    /// The most megabytes of this page, as for `report` [default: 5]
    #[arg(long, value_name = "MB", requires = "report", value_parser = clap::value_parser!(u16).range(1..=1000))]
    pub page_size: Option<u16>,
    /// Output format
    #[arg(long, value_enum, default_value_t = PageFormat::Text)]
    pub format: PageFormat,
    #[command(flatten)]
    pub elsewhere: remote::Elsewhere,
    #[command(flatten)]
    pub isolation: IsolationArgs,
    #[command(flatten)]
    pub languages: LanguagesArgs,
}

/// Runs or resumes the contest.
pub(crate) fn run(mut args: TournamentArgs, games: &'static Registry) -> Result<Exit, CliError> {
    if let Some(page) = &args.report {
        LivePage::may_be_at(page)?;
    }
    args.isolation.host_judges(&args.languages.read()?)?;
    let db = args.db.clone().unwrap_or_else(|| default_db(&args.contest));
    let mut file = ContestFile::read(&args.contest, games.available())?;
    // With `--force-new` the existing record does not matter.
    let begun = if args.force_new { None } else { Record::open_if_begun(&db)? };
    if let Some(record) = &begun {
        file.resume(record.header()?, record.decisions()?);
    }
    // A run that was killed right after its start may not have recorded its entrants.
    let entered = begun.map(|record| record.entrants()).transpose()?;
    let entered = entered.filter(|entrants| !entrants.is_empty());
    args.isolation = args.isolation.of_contest(file.spec.isolation)?;
    let remote = remote::from_args(&args)?;
    reserve_open_files(1, file.ruleset.seats.1)?;
    // If the machine cannot isolate bots as required, this fails before any bot is built or run.
    args.isolation = isolation::of_batch(args.isolation, Batch::Contest, isolation::has_strangers(&file))?;
    let mut prepared = PreparedContest::prepare(file, games, terms(&args), entered)?;
    if args.dry_run {
        return dry_run::run(&args, &prepared);
    }
    let (mut writer, mut log) = begin_record(&args, &db, &prepared)?;
    let requests = Requests::beside(&db)?;
    requests.record_waiting(&mut writer, &mut log, games)?;
    let mut results = prepared.follow(&writer, games, terms(&args))?;
    if results.is_empty() {
        for stage in &prepared.file.spec.stages {
            for words in dry_run::notices(&stage.format, &prepared.file) {
                note!("{}: {words}", plain(&stage.name));
            }
        }
    } else {
        note!("{}: resuming after {} games", plain(db.display()), results.len());
    }
    let page = args.report.clone().map(|out| {
        let maker = PageMaker { db: db.clone(), games, out, most: report::most_bytes(args.page_size) };
        LivePage::begin(maker, results.len())
    });
    let line = ProgressLine::new();
    let stop = Stop::on_signals(line.clone(), to_resume())?;
    let ended = loop {
        let recording = (&mut writer, &mut log);
        let watching = (&requests, page.as_ref(), line.clone());
        let ended = play(&args, &prepared, remote.as_deref(), recording, &mut results, stop.until(), watching);
        if ended.is_err() || !requests.is_waiting() {
            break ended;
        }
        let decided = requests.record_waiting(&mut writer, &mut log, games).and_then(|numbers| {
            for number in numbers {
                note!("decision {number} was recorded");
            }
            prepared.follow(&writer, games, terms(&args))
        });
        match decided {
            Ok(now) => results = now,
            Err(error) => break Err(error),
        }
    };
    drop(stop);
    // Sandboxes close while the standings are made.
    prepared.sandboxes.begin_to_close();
    log.note(&writer, true)?;
    // Whatever the result, the page must no longer say that games are being played.
    let page = page.map_or(Ok(()), LivePage::end);
    let TournamentEnd { ended, refused, held } = ended?;
    writer.set_remarks(&prepared.contest.remarks(&results))?;
    report::print_standings(&writer, games, args.format)?;
    // The reasons were printed before the games, which may be long ago.
    let absent = prepared.entries.records.iter().filter(|record| record.out.is_some());
    let absent: Vec<&str> = absent.map(|record| record.name.as_str()).collect();
    if !absent.is_empty() {
        note!("entries that did not play: {}", plain(absent.join(", ")));
    }
    page?;
    if let Some(error) = refused {
        return Err(prepared.file.mistake(error).into());
    }
    if held > 0 && matches!(ended, RunEnd::Finished) {
        let games = count(held, "game");
        let command = resume_command();
        let are = if held == 1 { "is" } else { "are" };
        note!("{games} of bots that are on hold {are} open; once they are released, resume with: {command}");
        return Ok(Exit::No);
    }
    exit_of(ended, &writer)
}

/// How long a run waits for a record that someone else writes to, and how often it looks.
const PATIENCE: Duration = Duration::from_secs(5);
const POLL: Duration = Duration::from_millis(100);

/// Begins or resumes the record at `db`, and its log of seals.
fn begin_record(
    args: &TournamentArgs,
    db: &Path,
    prepared: &PreparedContest,
) -> Result<(Writer, SealLog), CliError> {
    let log = args.seal_log.clone().unwrap_or_else(|| seal_log::beside(db));
    seal_log::may_be_at(&log)?;
    if args.force_new && db.exists() {
        set_aside(db)?;
    }
    let header = prepared.file.header(crate::VERSION);
    let began = Instant::now();
    let mut writer = loop {
        match Writer::create_or_resume(db, &header) {
            // `decide` has the record for a moment only.
            Err(busy) if matches!(busy.kind, RecordErrorKind::InUse(_)) && began.elapsed() < PATIENCE => {
                thread::sleep(POLL);
            }
            opened => break opened?,
        }
    };
    writer.add_entrants(&prepared.entries.records)?;
    for line in prepared.entries.absent() {
        note!("{line}");
    }
    writer.add_machine(&Machine::this())?;
    Ok((writer, SealLog::open(&log)?))
}

/// The terms that the arguments ask for.
fn terms(args: &TournamentArgs) -> Terms<'_> {
    Terms {
        crew: args.crew,
        checked: (!args.no_check).then_some(Checked { again: args.again }),
        isolation: args.isolation,
        languages: &args.languages,
    }
}

/// The record of a contest file if the user names none: `mini.db` in the current folder for `contests/mini.toml`.
fn default_db(contest: &Path) -> PathBuf {
    Path::new(contest.file_name().unwrap_or_default()).with_extension("db")
}

/// How [`play`] ended.
struct TournamentEnd {
    ended: RunEnd,
    /// Why a stage that was due cannot be played, if there is one.
    refused: Option<ContestError>,
    /// How many open games have bots that are on hold.
    held: usize,
}

/// How long running games may go on once it is noticed that a decision is asked for.
const BEFORE_A_DECISION: Duration = Duration::from_secs(1);

/// How often to look whether a decision is asked for.
const LOOK_EVERY: Duration = Duration::from_millis(100);

/// Plays the games that are not in `results` yet, and records each, until all are played, the user stops the run or a
/// decision is asked for.
fn play(
    args: &TournamentArgs,
    prepared: &PreparedContest,
    remote: Option<&dyn Remote>,
    (writer, log): (&mut Writer, &mut SealLog),
    results: &mut Results,
    stop: &Until,
    (requests, page, line): (&Requests, Option<&LivePage>, ProgressLine),
) -> Result<TournamentEnd, CliError> {
    let until = stop.apart();
    let mut refused = None;
    let mut held = 0;
    let journal = prepared.contest.journal();
    let mut planner = |done: &Results| match prepared.contest.plan(done) {
        Ok(Plan::Play(due)) => {
            let (waiting, due): (Vec<_>, Vec<_>) =
                due.into_iter().partition(|game| game.seats.iter().any(|&bot| journal.is_on_hold(bot)));
            held = waiting.len();
            if due.is_empty() { Plan::Finished } else { Plan::Play(due) }
        }
        Ok(Plan::Finished) => Plan::Finished,
        Err(error) => {
            refused = Some(error);
            Plan::Finished
        }
    };
    let mut players: Box<dyn Players> = match remote {
        None => Box::new(prepared.workers(args.isolation, &until)?),
        Some(remote) => remote.begin(prepared, writer, &line)?,
    };
    let overview = players.overview();
    let overview = overview.as_deref();
    let mut recorder =
        JoinedRecorder { recorder: Recorder(writer), log, overview, prepared, late: None, line: line.clone() };
    let mut losses = Losses::new(&line);
    let mut watch = Watch::new(&prepared.contest, &prepared.entries.names, overview, results.len(), line);
    let mut show = |progress: &Progress, _: &Results| {
        if let Some(page) = page {
            page.on_progress(progress, overview.map(Overview::on_page));
        }
        Ok(())
    };
    let mut looked = Instant::now();
    let mut asked: Option<Instant> = None;
    let mut look = |_: &Progress, _: &Results| {
        if asked.is_some_and(|asked| asked.elapsed() >= BEFORE_A_DECISION) {
            until.end();
        } else if asked.is_none() && looked.elapsed() >= LOOK_EVERY {
            looked = Instant::now();
            if requests.is_waiting() {
                asked = Some(looked);
                until.stop();
            }
        }
        Ok(())
    };
    let sinks: &mut [&mut dyn Sink<CliError>] =
        &mut [&mut recorder, &mut losses, &mut watch, &mut show, &mut look];
    let ended = match prepared.play(&mut planner, players.workers(), &until, sinks, results) {
        // It ended for a decision: the games that were running begin again.
        Err(CliError::Ended) if stop.ended().is_none() => Ok(RunEnd::Stopped),
        ended => ended,
    };
    watch.end();
    players.end(held == 0 && matches!(ended, Ok(RunEnd::Finished)));
    Ok(TournamentEnd { ended: ended?, refused, held })
}

/// Records the machines that have joined, then the games that were played, then, from time to time, the head of the
/// chain in the log of seals.
struct JoinedRecorder<'a> {
    recorder: Recorder<'a>,
    log: &'a mut SealLog,
    overview: Option<&'a dyn Overview>,
    prepared: &'a PreparedContest,
    /// Computed when the first game comes late.
    late: Option<LateGames>,
    line: ProgressLine,
}

impl JoinedRecorder<'_> {
    /// Records a game as crossed out if a worker was given it before a decision that took it out of the plan.
    /// Ignores any other game, and one that was recorded before or contradicts the rules.
    fn record_late(&mut self, game: &GameRecord) -> Result<(), CliError> {
        let PreparedContest { contest, boards, file, .. } = self.prepared;
        let late = match &mut self.late {
            Some(late) => late,
            unknown => {
                let (phases, outcomes) = self.recorder.0.history(contest)?;
                unknown.insert(LateGames::after(&phases, &outcomes))
            }
        };
        let came = format!("game {} came from {}, and is not in the plan", game.pairing.id, game.host);
        let Some(crossed_out) = late.crossed_out(&game.pairing) else {
            self.line.say(&plain(format!("{came}: ignored")));
            return Ok(());
        };
        if let Some(why) = verify::why_wrong(game, &file.ruleset, &boards.setup(&game.pairing)) {
            self.line.say(&plain(format!("{came} and wrong ({why}): ignored")));
            return Ok(());
        }
        self.recorder.0.add_game(&GameRecord { pairing: crossed_out.clone(), ..game.clone() })?;
        self.line.say(&plain(format!("{came} since a decision: recorded crossed out, as {}", crossed_out.id)));
        late.on_recorded(crossed_out);
        self.log.note(self.recorder.0, false)
    }
}

impl Sink<CliError> for JoinedRecorder<'_> {
    fn on(&mut self, progress: &Progress, results: &Results) -> Result<(), CliError> {
        if let Some(overview) = self.overview {
            overview.record(self.recorder.0)?;
        }
        Sink::<CliError>::on(&mut self.recorder, progress, results)?;
        match progress {
            Progress::Played(_) => self.log.note(self.recorder.0, false),
            Progress::Late(game) => self.record_late(game),
            _ => Ok(()),
        }
    }
}
