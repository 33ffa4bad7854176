//! Intake: builds and checks each submitted entry, and gives a verdict on it, whatever was submitted.
//!
//! Entries are independent: one that cannot be read, built or started gets that as its verdict, with the compiler's
//! message or ours (R1), and the others go on. Several entries are judged at a time, to use all processors, but
//! reported in their order.

mod folder;
mod progress;
mod status;

use crate::CliError;
use cornerman_conformance::{BotReport, Options, Progress, SuiteError, check_one, files, games};
use cornerman_harness::bot::Bot;
use cornerman_harness::machine;
use cornerman_harness::pool::{self, Slots};
pub(crate) use folder::{Classification, ListedFile, list, refused};
pub(crate) use progress::IntakeBar;
pub(crate) use status::write as write_status;
use std::collections::BTreeMap;
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
