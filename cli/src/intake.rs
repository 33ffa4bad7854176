//! Intake: builds and checks each submitted entry, and gives a verdict on it, whatever was submitted.
//!
//! Entries are independent: one that cannot be read, built or started gets that as its verdict, with the compiler's
//! message or ours (R1), and the others go on. Several entries are judged at a time, to use all processors, but
//! reported in their order.
//!
//! Status files say to the author of each entry whether it may play, what fails and how to fix it, and an index of them is
//! for the organizer. The authors' files name no path of the organizer's machine.

mod folder;

use crate::{CliError, output, show};
use cornerman_conformance::report::{self, Layout, Style};
use cornerman_conformance::{BotReport, Options, Progress, SuiteError, check_one, files, games};
use cornerman_harness::bot::Bot;
use cornerman_harness::machine;
use cornerman_harness::pool::{self, Slots};
use cornerman_harness::toolchain::cache;
pub(crate) use folder::{Classification, ListedFile, list, refused};
use indicatif::{ProgressBar, ProgressStyle};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::mpsc::Sender;
use std::sync::{Mutex, PoisonError};

/// How many times in all a build or check is tried that fails because of the machine.
const TRIES: u32 = 3;

/// A submitted entry, which may be anything.
#[derive(Clone, Debug)]
pub(crate) struct Submission {
    /// The entry as a BOT of the command line: a path or `@name`.
    pub spec: String,
    /// Why it cannot be built, if that is known without loading it.
    pub refused: Option<String>,
}

impl Submission {
    /// A submission that is not refused.
    pub(crate) fn new(spec: impl Into<String>) -> Submission {
        Submission { spec: spec.into(), refused: None }
    }

    /// Its name until its bot is loaded: the file's name without the extension.
    pub(crate) fn name(&self) -> String {
        let path = std::path::Path::new(&self.spec);
        path.file_stem().map_or(self.spec.clone(), |stem| stem.to_string_lossy().into_owned())
    }
}

/// The verdict on a submission.
#[derive(Debug)]
pub(crate) struct Judged {
    /// The bot; `None` if it could not be loaded.
    pub bot: Option<Bot>,
    /// The report of its check. `None` if it was loaded but not checked: engines have a protocol of their own, which
    /// the suites do not cover.
    pub report: Option<BotReport>,
}

/// The progress of [`judge`].
pub(crate) enum IntakeEvent<'a> {
    /// The entry with this spec is being judged.
    Began(&'a str),
    /// Of an entry's check, this number of jobs are done, and this number there are in all.
    Advanced(usize, usize),
    /// The entry with this spec has been judged.
    Ended(&'a str),
    /// The verdict on the next entry, in the order of the submissions.
    Known(&'a Judged),
}

/// Loads the bot of the submission with this index.
pub(crate) type LoadSubmission<'a> = &'a (dyn Fn(usize) -> Result<Bot, CliError> + Sync);

enum Message {
    Began(usize),
    Advanced(usize, usize),
    Judged(usize, Result<Box<Judged>, CliError>),
}

/// Judges `submissions`, whose bots `load` loads by index, and returns the verdicts in the same order. `watch` receives
/// the progress. Without `options` the bots are loaded but not checked.
///
/// # Errors
/// When the options are wrong, the sandbox is not available, or `watch` returns an error. What is wrong with an entry
/// is its verdict, not an error.
pub(crate) fn judge(
    submissions: &[Submission],
    load: LoadSubmission,
    options: Option<&Options>,
    watch: &mut dyn FnMut(IntakeEvent) -> Result<(), CliError>,
) -> Result<Vec<Judged>, CliError> {
    let names: Vec<String> = submissions.iter().map(Submission::name).collect();
    let folders = files::folder_names(names.iter().map(String::as_str));
    let slots = Slots::new(machine::cores());
    let options = options.map(|options| Options { slots: Some(slots.clone()), ..options.clone() });
    // While some wait, others are judged.
    let workers = (2 * machine::cores()).min(submissions.len());
    let is_one_of_many = submissions.len() > 1;
    let queue = Mutex::new(0..submissions.len());
    let next = || queue.lock().unwrap_or_else(PoisonError::into_inner).next();
    let give_up = || *queue.lock().unwrap_or_else(PoisonError::into_inner) = 0..0;
    let mut judged = Vec::new();
    let mut waiting = BTreeMap::new();
    let mut failed = None;
    let work = |_, sender: &Sender<Message>| {
        while let Some(number) = next() {
            let mut advanced = |done, jobs| drop(sender.send(Message::Advanced(done, jobs)));
            let entry = (&submissions[number], is_one_of_many);
            let one = slots.hold(|| {
                sender.send(Message::Began(number)).ok();
                one(entry, number, load, &folders[number], options.as_ref(), &mut advanced)
            });
            sender.send(Message::Judged(number, one.map(Box::new))).ok();
        }
    };
    pool::run(workers, work, &mut |message| {
        let watched = match message {
            Message::Began(number) => watch(IntakeEvent::Began(&submissions[number].spec)),
            Message::Advanced(done, jobs) => watch(IntakeEvent::Advanced(done, jobs)),
            Message::Judged(number, Ok(one)) => {
                waiting.insert(number, *one);
                let mut watched = watch(IntakeEvent::Ended(&submissions[number].spec));
                while let Some(one) = waiting.remove(&judged.len()) {
                    watched = watched.and_then(|()| watch(IntakeEvent::Known(&one)));
                    judged.push(one);
                }
                watched
            }
            Message::Judged(_, Err(failure)) => Err(failure),
        };
        if let Err(failure) = watched {
            give_up();
            failed.get_or_insert(failure);
        }
    });
    failed.map_or(Ok(judged), Err)
}

/// Judges the submission with the index `number`, alone or among others.
fn one(
    (submission, is_one_of_many): (&Submission, bool),
    number: usize,
    load: LoadSubmission,
    folder: &str,
    options: Option<&Options>,
    advanced: &mut dyn FnMut(usize, usize),
) -> Result<Judged, CliError> {
    let suite = options.and_then(|options| games::suite(&options.games, options.game.as_deref()?));
    let seed = options.map_or(0, |options| options.seed);
    let unfit = |why: String| {
        let report = BotReport::unfit(submission.spec.clone(), submission.name(), why, suite, seed);
        Ok(Judged { bot: None, report: Some(report) })
    };
    if let Some(why) = &submission.refused {
        return unfit(why.clone());
    }
    let mut loaded = load(number);
    for _ in 1..TRIES {
        if matches!(loaded, Err(CliError::Internal(_))) {
            loaded = load(number);
        }
    }
    let bot = match loaded {
        Ok(bot) => bot,
        Err(CliError::Usage(why)) => return unfit(why.to_string()),
        Err(other) => return Err(other),
    };
    let Some(options) = options.filter(|_| bot.engine_protocol.is_none()) else {
        return Ok(Judged { bot: Some(bot), report: None });
    };
    let mut check = || {
        check_one(&bot, folder, options, &mut |progress| {
            if let Progress::Advanced { done, jobs, .. } = progress {
                advanced(done, jobs);
            }
        })
    };
    let mut report = check();
    for _ in 1..TRIES {
        if report.as_ref().is_ok_and(|report| report.kit_failure.is_some()) {
            report = check();
        }
    }
    match report {
        Ok(report) => Ok(Judged { bot: Some(bot), report: Some(report) }),
        // The game is what the entry says that it plays: the other entries are judged.
        Err(error @ (SuiteError::NoChecks { .. } | SuiteError::UnknownGame { .. }))
            if options.game.is_none() && is_one_of_many =>
        {
            unfit(error.to_string())
        }
        Err(error) => Err(error.into()),
    }
}

/// A progress bar: of the jobs of a single entry's check, or of the entries if there are several. It is hidden if
/// standard error is not a terminal.
pub(crate) struct IntakeBar {
    bar: ProgressBar,
    many: bool,
    /// The entries that are being checked.
    busy: Vec<String>,
}

impl IntakeBar {
    /// A bar for this number of entries.
    pub(crate) fn new(entries: usize) -> IntakeBar {
        let many = entries > 1;
        let template = if many {
            "{pos} of {len} {bar:30} {elapsed}, {eta} to go: {wide_msg}"
        } else {
            "{wide_msg} {bar:30} {pos}/{len} {elapsed}"
        };
        let style = ProgressStyle::with_template(template).expect("the template is valid");
        let bar = ProgressBar::new(if many { entries as u64 } else { 0 }).with_style(style);
        IntakeBar { bar, many, busy: Vec::new() }
    }

    /// Shows the progress that `event` reports.
    pub(crate) fn on_event(&mut self, event: &IntakeEvent) {
        match event {
            IntakeEvent::Began(spec) => self.busy.push(show::plain(spec)),
            IntakeEvent::Ended(spec) => {
                let spec = show::plain(spec);
                if let Some(at) = self.busy.iter().position(|busy| *busy == spec) {
                    self.busy.remove(at);
                }
                self.bar.inc(u64::from(self.many));
            }
            IntakeEvent::Advanced(done, jobs) if !self.many => {
                self.bar.set_length(*jobs as u64);
                self.bar.set_position(*done as u64);
                return;
            }
            IntakeEvent::Advanced(..) | IntakeEvent::Known(_) => return,
        }
        self.bar.set_message(self.busy.join(", "));
    }

    /// Runs `write`, which writes to the terminal, while the bar is hidden.
    pub(crate) fn suspend<T>(&self, write: impl FnOnce() -> T) -> T {
        self.bar.suspend(write)
    }
}

impl Drop for IntakeBar {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

/// The file that lists the others: entry, file and verdict.
const INDEX: &str = "index.csv";

/// Writes a file for each report and their index into `folder`, which is created if need be. Each file is written whole
/// or not at all.
///
/// # Errors
/// When the folder or a file cannot be written.
pub(crate) fn write_status(folder: &Path, reports: &[BotReport], layout: &Layout) -> Result<(), CliError> {
    let layout = &Layout { style: Style::plain(), ..layout.clone() };
    fs::create_dir_all(folder)
        .map_err(|error| CliError::internal(error, format_args!("creating {}", folder.display())))?;
    let names = files::folder_names(reports.iter().map(|report| report.name.as_str()));
    let mut index = csv::Writer::from_writer(Vec::new());
    let unwritten = |error: csv::Error| CliError::Internal(error.into());
    index.write_record(["entry", "file", "verdict"]).map_err(unwritten)?;
    for (report, name) in reports.iter().zip(names) {
        let name = name + ".txt";
        write_file(&folder.join(&name), status_text(report, layout).as_bytes())?;
        index
            .write_record([&show::plain(&report.spec), &name, verdict(report, layout.strict)])
            .map_err(unwritten)?;
    }
    let index = index.into_inner().map_err(|error| CliError::Internal(error.into_error().into()))?;
    write_file(&folder.join(INDEX), &index)
}

fn write_file(path: &Path, content: &[u8]) -> Result<(), CliError> {
    let written = output::to_file(path, content);
    written.map_err(|error| CliError::internal(error, format_args!("writing {}", path.display())))
}

/// The verdict on an entry in a word.
fn verdict(report: &BotReport, strict: bool) -> &'static str {
    match (report.passes(strict), &report.kit_failure) {
        (_, Some(_)) => "not checked",
        (true, None) => "may play",
        (false, None) => "may not play",
    }
}

fn status_text(report: &BotReport, layout: &Layout) -> String {
    let verdict = match (report.passes(layout.strict), &report.kit_failure) {
        (_, Some(_)) => "It could not be checked, because the machine failed. That is not its fault.",
        (true, None) => "It follows the rules and may play.",
        (false, None) => "It may not play as it is. The report below says why, and how to fix it.",
    };
    let mut own = report.clone();
    // The author has neither the files nor the organizer's folders.
    for result in &mut own.results {
        result.files = None;
    }
    let spec = Path::new(&report.spec);
    own.spec = spec.file_name().unwrap_or(spec.as_os_str()).to_string_lossy().into_owned();
    let whole = std::path::absolute(spec).unwrap_or_default();
    let mut text = report::human(&own, layout);
    for folder in whole.parent().into_iter().chain(cache::folder().as_deref()) {
        text = text.replace(&format!("{}/", folder.display()), "");
    }
    format!("{}\n\n{verdict}\n\n{text}", show::plain(&report.name))
}
