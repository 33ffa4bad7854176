//! The suite as a whole: bots go in, each is put through the checks of its game, and reports come out.

use crate::bot_report::BotReport;
use crate::error::{SelectionError, SuiteError};
use crate::files;
use crate::games::{CheckRequest, Suite};
use crate::jobs;
use crate::progress::Progress;
use crate::report;
use crate::select::select;
use crate::suite_choice::{SuiteChoice, choose};
use crate::verdict_cache::{CacheEntry, VerdictCache};
use cornerman_harness::bot::Bot;
use cornerman_harness::ruleset::Ruleset;
use cornerman_harness::sandbox::{Conditions, LimitOverrides};
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
    /// The suites of the games that there are, in the order in which they look at a bot that does not say what it plays.
    pub games: Vec<&'static dyn Suite>,
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
    pub verdicts: Option<VerdictCache>,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            games: Vec::new(),
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

impl Options {
    /// Where the verdict of `bot` is kept, or will be, if it is.
    fn place(&self, bot: &Bot) -> Option<CacheEntry> {
        let Options { game, run, skip, seed, conditions, ruleset, limits, budget, fast, .. } = self;
        let asked = (game, run, skip, seed, ruleset.as_ref().map(|ruleset| (&ruleset.text, &ruleset.limits)));
        let limits = (limits.move_time, limits.memory, limits.processes);
        let level = conditions.at_most.map(|level| level.name());
        self.verdicts.as_ref()?.key(bot, (asked, limits, level, budget, fast))
    }
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
    select(&options.games, &options.run, &options.skip)?;
    if bots.is_empty() {
        return Err(SuiteError::NoBot);
    }
    bots.iter().try_for_each(speaks_as_its_game)?;
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
    speaks_as_its_game(bot)?;
    let key = options.place(bot);
    let kept = key.as_ref().and_then(|key| key.kept(bot, &options.games));
    let is_cached = kept.is_some();
    let mut report = match kept {
        Some(kept) => kept,
        None => judge(bot, options, progress)?,
    };
    if let Some(key) = key.filter(|_| !is_cached) {
        key.keep(&report);
    }
    if let Some(base) = &options.files {
        files::write(&base.join(folder), &mut report.results)?;
    }
    report.results.iter().for_each(|result| progress(Progress::Judged { bot: &bot.name, result }));
    progress(Progress::Reported { report: &report });
    Ok(report)
}

/// # Errors
/// When `bot` speaks a protocol of its own.
pub fn speaks_as_its_game(bot: &Bot) -> Result<(), SuiteError> {
    match &bot.speaks {
        None => Ok(()),
        Some(protocol) => {
            Err(SuiteError::Engine { protocol: protocol.to_uppercase(), bot: report::shown(&bot.spec) })
        }
    }
}

fn judge(bot: &Bot, options: &Options, progress: &mut dyn FnMut(Progress)) -> Result<BotReport, SuiteError> {
    let selected = select(&options.games, &options.run, &options.skip)?;
    let SuiteChoice { suite, remark } =
        choose(&options.games, options.game.as_deref(), bot, &selected, options.conditions)?;
    let selected = of_game(&selected, bot, suite)?;
    let usual = || suite.kit().usual();
    let ruleset = options.ruleset.clone().filter(|ruleset| ruleset.game() == suite.game()).unwrap_or_else(usual);
    let limits = options.limits.over(bot.limits.clone().within(&ruleset.limits));
    let bot = &Bot { limits, ..bot.clone() };
    let &Options { limits, seed, budget, fast, conditions, .. } = options;
    let asked = CheckRequest { selected: &selected, ruleset: &ruleset, limits, seed, budget, fast, conditions };
    let began = Instant::now();
    let mut report = jobs::check(suite, bot, &asked, progress)?;
    report.took = began.elapsed();
    report.remarks.splice(0..0, remark);
    Ok(report)
}

/// Those of `selected` that are the `suite`'s.
fn of_game(selected: &BTreeSet<String>, bot: &Bot, suite: &dyn Suite) -> Result<BTreeSet<String>, SelectionError> {
    let is_of_game = |id: &&String| suite.catalogue().get(id).is_some();
    let of_game: BTreeSet<String> = selected.iter().filter(is_of_game).cloned().collect();
    if of_game.is_empty() {
        return Err(SelectionError::NothingOf { bot: report::shown(&bot.name), game: suite.title() });
    }
    Ok(of_game)
}
