//! Intake: from what was handed in to a verdict on each entry, whatever it is.
//!
//! Every entry is judged by itself. What cannot be read, built or started is that entry's verdict, with the compiler's
//! words or ours (R1), and the others go on. Entries are judged side by side, so that all processors are busy; what is
//! known is reported in the order of the entries, as soon as all before it are known.

mod folder;
mod progress;
mod status;

pub use folder::{Found, Taken, list, refused};
pub use progress::Bar;
pub use status::write as write_status;

use crate::exit::Failure;
use cornerman_conformance::{BotReport, Options, Progress, SuiteError, check_one, files, games};
use cornerman_harness::bot::Bot;
use std::collections::{BTreeMap, VecDeque};
use std::sync::{Mutex, PoisonError, mpsc};

/// How often what fails because of the machine is tried in all.
const TRIES: u32 = 3;

/// Something that was handed in.
#[derive(Clone, Debug)]
pub struct Submission {
    /// How it is named: a path or `@name`.
    pub spec: String,
    /// Why nothing can be built from it, if that is known already.
    pub refused: Option<String>,
}

impl Submission {
    /// One of which nothing is known yet.
    pub fn of(spec: impl Into<String>) -> Submission {
        Submission { spec: spec.into(), refused: None }
    }

    /// Its name until a bot says another: that of its file, without the ending.
    pub fn name(&self) -> String {
        let path = std::path::Path::new(&self.spec);
        path.file_stem().map_or(self.spec.clone(), |stem| stem.to_string_lossy().into_owned())
    }
}

/// An entry that was judged.
#[derive(Debug)]
pub struct Judged {
    /// The bot, if one could be built.
    pub bot: Option<Bot>,
    /// The verdict. `None` if it was not checked: an engine does not speak the lines that the suite is about.
    pub report: Option<BotReport>,
}

/// How far it is.
pub enum Event<'a> {
    /// One of the entries is looked at from now on.
    Began(&'a str),
    /// So many jobs of its check are done, of so many.
    Advanced(usize, usize),
    /// One of the entries is judged.
    Ended(&'a str),
    /// The next entry, in their order, is known.
    Known(&'a Judged),
}

/// From a submission to a bot.
pub type Load<'a> = &'a (dyn Fn(usize) -> Result<Bot, Failure> + Sync);

enum Message {
    Began(usize),
    Advanced(usize, usize),
    Judged(usize, Result<Box<Judged>, Failure>),
}

/// Judges `submissions`, which `load` makes bots of, by their numbers; `watch` hears how it goes. In the order given.
/// Without `options` they are built and not checked.
///
/// # Errors
/// When what was asked makes no sense, or for no entry a sandbox can be had; whatever is wrong with an entry is its
/// verdict.
pub fn judge(
    submissions: &[Submission],
    load: Load,
    options: Option<&Options>,
    watch: &mut dyn FnMut(Event) -> Result<(), Failure>,
) -> Result<Vec<Judged>, Failure> {
    let names: Vec<String> = submissions.iter().map(Submission::name).collect();
    let folders = files::folder_names(names.iter().map(String::as_str));
    let workers = std::thread::available_parallelism().map_or(1, usize::from).min(submissions.len());
    let queue = Mutex::new((0..submissions.len()).collect::<VecDeque<_>>());
    let next = || queue.lock().unwrap_or_else(PoisonError::into_inner).pop_front();
    let give_up = || queue.lock().unwrap_or_else(PoisonError::into_inner).clear();
    let (sender, messages) = mpsc::channel();
    let (mut judged, mut waiting, mut failed) = (Vec::new(), BTreeMap::new(), None);
    std::thread::scope(|scope| {
        for _ in 0..workers {
            let (sender, next, folders) = (sender.clone(), &next, &folders);
            scope.spawn(move || {
                while let Some(number) = next() {
                    sender.send(Message::Began(number)).ok();
                    let mut advanced = |done, jobs| drop(sender.send(Message::Advanced(done, jobs)));
                    let one = one(&submissions[number], number, load, &folders[number], options, &mut advanced);
                    if sender.send(Message::Judged(number, one.map(Box::new))).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        for message in messages {
            let told = match message {
                Message::Began(number) => watch(Event::Began(&submissions[number].spec)),
                Message::Advanced(done, jobs) => watch(Event::Advanced(done, jobs)),
                Message::Judged(number, Ok(one)) => {
                    waiting.insert(number, *one);
                    let mut told = watch(Event::Ended(&submissions[number].spec));
                    while let Some(one) = waiting.remove(&judged.len()) {
                        told = told.and_then(|()| watch(Event::Known(&one)));
                        judged.push(one);
                    }
                    told
                }
                Message::Judged(_, Err(failure)) => Err(failure),
            };
            if let Err(failure) = told {
                give_up();
                failed.get_or_insert(failure);
            }
        }
    });
    failed.map_or(Ok(judged), Err)
}

/// The verdict on one submission.
fn one(
    submission: &Submission,
    number: usize,
    load: Load,
    folder: &str,
    options: Option<&Options>,
    advanced: &mut dyn FnMut(usize, usize),
) -> Result<Judged, Failure> {
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
        if matches!(loaded, Err(Failure::Kit(_))) {
            loaded = load(number);
        }
    }
    let bot = match loaded {
        Ok(bot) => bot,
        Err(Failure::Usage(why)) => return unfit(format!("{why:#}")),
        Err(other) => return Err(other),
    };
    let Some(options) = options.filter(|_| bot.speaks.is_none()) else {
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
        Err(SuiteError::Sandbox(error)) => Err(error.into()),
        Err(error @ SuiteError::Files { .. }) => Err(Failure::Kit(error.into())),
        Err(error) => Err(Failure::usage(error)),
    }
}
