//! The suite as a whole: bots go in, each is put through the checks of its game, and reports come out.

use crate::catalog::{Catalogue, Severity};
use crate::files;
use crate::finding::{BotReport, CheckResult};
use crate::games::{self, Asked, Chosen};
use crate::kept::Verdicts;
use crate::select::{SelectionError, select};
use cornerman_harness::bot::{Bot, Speech};
use cornerman_harness::ruleset::Ruleset;
use cornerman_harness::sandbox::{Conditions, LimitOverrides, SandboxError};
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// The seed of all lots unless another is asked for: a check is the same every time.
pub const DEFAULT_SEED: u64 = 1994;

/// Where the files of failures go unless another folder is asked for, seen from the working directory.
pub const DEFAULT_FILES: &str = "target/cornerman/check";

/// The budget of a check where somebody waits for it.
pub const DEFAULT_BUDGET: Duration = Duration::from_secs(60);

/// How to check.
#[derive(Clone, Debug)]
pub struct Options {
    /// The game whose checks are run; `None`: each bot's own, as far as that can be found out.
    pub game: Option<String>,
    /// Only checks that fit one of these: ids, beginnings of ids, patterns with `*`. Empty: all.
    pub run: Vec<String>,
    /// No checks that fit one of these.
    pub skip: Vec<String>,
    /// Whether a failed should counts as a must: for reports and the exit code, the checks are the same.
    pub strict: bool,
    /// What lots are drawn from: random arenas, opponents.
    pub seed: u64,
    /// Wall time for each bot. The most telling cases of every check are asked first, whatever they take, and then what
    /// still fits; `None`: everything is asked. A bot whose whole check fits is asked the same with any budget.
    pub budget: Option<Duration>,
    /// Whether a bot is asked no more once it has failed a must.
    pub fast: bool,
    /// The folder for the exact bytes of failures; `None`: none are written.
    pub files: Option<PathBuf>,
    /// The isolation that is demanded.
    pub conditions: Conditions,
    /// Whose limits a bot is to keep; `None`: the usual one's of its game.
    pub ruleset: Option<Ruleset>,
    /// Limits in place of those.
    pub limits: LimitOverrides,
    /// Where verdicts are kept, to be found again; `None`: every bot is judged anew.
    pub verdicts: Option<Verdicts>,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            game: None,
            run: Vec::new(),
            skip: Vec::new(),
            strict: false,
            seed: DEFAULT_SEED,
            budget: None,
            fast: false,
            files: Some(DEFAULT_FILES.into()),
            conditions: Conditions::default(),
            ruleset: None,
            limits: LimitOverrides::default(),
            verdicts: None,
        }
    }
}

/// How far the suite is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Progress<'a> {
    /// A bot's check begins.
    Started {
        /// The bot's name.
        bot: &'a str,
        /// How many jobs there are for it.
        jobs: usize,
    },
    /// One more job is done.
    Advanced {
        /// The bot's name.
        bot: &'a str,
        /// How many are done.
        done: usize,
        /// How many there are.
        jobs: usize,
    },
    /// The result of a check is known.
    Judged {
        /// The bot's name.
        bot: &'a str,
        /// What came of the check.
        result: &'a CheckResult,
    },
    /// All there is to say about a bot is known, and the files of its failures are written.
    Reported {
        /// The report.
        report: &'a BotReport,
    },
}

/// Why nothing was checked. What a bot does wrong is in its report, as is a sandbox that fails midway.
#[derive(Debug, thiserror::Error)]
pub enum SuiteError {
    /// What was selected.
    #[error(transparent)]
    Selection(#[from] SelectionError),
    /// No sandbox can be had as demanded.
    #[error(transparent)]
    Sandbox(#[from] SandboxError),
    /// There are no checks of this game.
    #[error("there are no checks of the game `{game}`{hint}; there are of {known}", known = games::names())]
    NoChecks {
        /// Its name.
        game: String,
        /// The nearest that there are, if any is near.
        hint: String,
    },
    /// An engine was given: the checks are of the protocol of a contest, which it does not speak.
    #[error(
        "{bot} speaks GTP, and `check` is about the lines of the contest, which engines do not speak; `play` and \
         `tournament` take engines as they are"
    )]
    Engine {
        /// How it was asked for.
        bot: String,
    },
    /// No bot was given.
    #[error("no bot was given to be checked")]
    NoBot,
    /// The files of failures cannot be written.
    #[error("cannot write the bytes of a failure to {path}: {why}", path = .path.display())]
    Files {
        /// The file or folder.
        path: PathBuf,
        /// The system's answer.
        why: std::io::Error,
    },
}

/// Checks `bots`, one after another, each on all processors and by the checks of its game; `progress` hears how it
/// goes.
///
/// # Errors
/// When there is nothing to do, the sandbox that is demanded cannot be had, or files cannot be written.
pub fn check(
    bots: &[Bot],
    options: &Options,
    progress: &mut dyn FnMut(Progress),
) -> Result<Vec<BotReport>, SuiteError> {
    select(&options.run, &options.skip)?;
    if bots.is_empty() {
        return Err(SuiteError::NoBot);
    }
    if let Some(engine) = bots.iter().find(|bot| bot.speaks == Speech::Gtp) {
        return Err(SuiteError::Engine { bot: crate::report::shown(&engine.spec) });
    }
    let folders = files::folder_names(bots.iter().map(|bot| bot.name.as_str()));
    let mut reports = Vec::new();
    for (bot, folder) in bots.iter().zip(folders) {
        reports.push(check_one(bot, &folder, options, progress)?);
    }
    Ok(reports)
}

/// Checks one bot, or takes the verdict that was kept of it; the files of its failures go into the folder called
/// `folder` within that of all.
///
/// # Errors
/// As those of [`check`].
pub fn check_one(
    bot: &Bot,
    folder: &str,
    options: &Options,
    progress: &mut dyn FnMut(Progress),
) -> Result<BotReport, SuiteError> {
    if bot.speaks == Speech::Gtp {
        return Err(SuiteError::Engine { bot: crate::report::shown(&bot.spec) });
    }
    let key = options.verdicts.as_ref().and_then(|verdicts| verdicts.key(bot, options));
    let kept = key.as_ref().and_then(|key| key.kept(bot));
    let is_kept = kept.is_some();
    let mut report = match kept {
        Some(kept) => kept,
        None => judge(bot, options, progress)?,
    };
    if let Some(key) = key.filter(|_| !is_kept) {
        key.keep(&report);
    }
    if let Some(base) = &options.files {
        files::write(&base.join(folder), &mut report)?;
    }
    report.results.iter().for_each(|result| progress(Progress::Judged { bot: &bot.name, result }));
    progress(Progress::Reported { report: &report });
    Ok(report)
}

fn judge(bot: &Bot, options: &Options, progress: &mut dyn FnMut(Progress)) -> Result<BotReport, SuiteError> {
    let selected = select(&options.run, &options.skip)?;
    let Chosen { suite, remark } = games::choose(bot, options, &selected)?;
    let selected = of_game(&selected, bot, suite.catalogue())?;
    let usual = || Ruleset::usual(suite.game());
    let ruleset = options.ruleset.clone().filter(|ruleset| ruleset.game() == suite.game()).unwrap_or_else(usual);
    let limits = options.limits.over(bot.limits.clone().by(&ruleset.limits));
    let bot = &Bot { limits, ..bot.clone() };
    let asked = Asked { options, selected: &selected, ruleset: &ruleset };
    let began = Instant::now();
    let mut report = suite.check(bot, &asked, progress)?;
    report.took = began.elapsed();
    report.remarks.splice(0..0, remark);
    Ok(report)
}

/// Those of `selected` that are in the bot's `catalogue`.
fn of_game(
    selected: &BTreeSet<String>,
    bot: &Bot,
    catalogue: &Catalogue,
) -> Result<BTreeSet<String>, SelectionError> {
    let of_game: BTreeSet<String> = selected.iter().filter(|id| catalogue.get(id).is_some()).cloned().collect();
    if of_game.is_empty() {
        let game = games::title(catalogue.game);
        return Err(SelectionError::NothingOf { bot: crate::report::shown(&bot.name), game });
    }
    Ok(of_game)
}

/// The severity of what fails under `strict`.
pub(crate) fn fails(severity: Severity, strict: bool) -> bool {
    severity == Severity::Must || (strict && severity == Severity::Should)
}
