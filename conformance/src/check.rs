//! The entry points: which game a bot plays is found out if the bot does not name it; then the bot is put through the
//! checks of that game, and a report is made.

use crate::bot_report::BotReport;
use crate::conduct::killed;
use crate::error::{SelectionError, SuiteError};
use crate::files;
use crate::games::{Suite, Suites, known};
use crate::jobs;
use crate::runner::{BotRunner, SharedState};
use crate::select::select;
use crate::verdict_cache::VerdictCache;
use cornerman_harness::bot::Bot;
use cornerman_harness::kit::GameClock;
use cornerman_harness::pool::Slots;
use cornerman_harness::ruleset::Ruleset;
use cornerman_harness::sandbox::{Conditions, LimitOverrides, Limits, RunReport, SandboxError};
use cornerman_harness::text::plain;
use std::collections::BTreeSet;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The default seed. It is fixed, so that the same bot gets the same games every time.
pub const DEFAULT_SEED: u64 = 1994;

/// The default folder for the files of failures, relative to the working directory.
pub const DEFAULT_FILES: &str = ".cornerman/check";

/// The default time budget per bot on the command line.
pub const DEFAULT_BUDGET: Duration = cornerman_harness::contest_spec::CHECK_BUDGET;

/// The options of a check.
#[derive(Clone, Debug)]
pub struct Options {
    /// The suites of all games, in the order in which they try to recognize a bot that does not name its game.
    pub games: Vec<&'static dyn Suite>,
    /// The id of the game whose checks are run; `None` for the game that each bot names or seems to play.
    pub game: Option<String>,
    /// Run only checks that match one of these: ids, beginnings of ids, patterns with `*`. Empty for all.
    pub run: Vec<String>,
    /// Skip checks that match one of these.
    pub skip: Vec<String>,
    /// The seed of random arenas and opponents.
    pub seed: u64,
    /// Wall time for each bot; `None` for no limit. The most informative cases come first. Others are run only if they
    /// fit.
    pub budget: Option<Duration>,
    /// Whether the check of a bot stops at its first failed must.
    pub fast: bool,
    /// The folder for the exact bytes of failures; `None` to write none.
    pub files: Option<PathBuf>,
    /// The required isolation.
    pub conditions: Conditions,
    /// The ruleset that applies to bots of its game. `None` for the usual ruleset, which also applies to bots of other
    /// games.
    pub ruleset: Option<Ruleset>,
    /// Limits that replace those of the ruleset.
    pub limits: LimitOverrides,
    /// The cache of verdicts; `None` to check every bot again.
    pub verdicts: Option<VerdictCache>,
    /// The slots of checks that run at the same time, of which the caller holds one; `None` if there is only this
    /// check.
    pub slots: Option<Slots>,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            games: Vec::new(),
            game: None,
            run: Vec::new(),
            skip: Vec::new(),
            seed: DEFAULT_SEED,
            budget: None,
            fast: false,
            files: Some(DEFAULT_FILES.into()),
            conditions: Conditions::default(),
            ruleset: None,
            limits: LimitOverrides::default(),
            verdicts: None,
            slots: None,
        }
    }
}

/// Checks one bot, unless its verdict is cached. The files of its failures go into the subfolder `folder` of
/// [`Options::files`]. As the check proceeds, `progress` is called with the number of jobs done, and about how many there
/// are; both are the same when no more are done.
///
/// # Errors
/// When the bot cannot be checked for one of the reasons in [`SuiteError`].
pub fn check(
    bot: &Bot,
    folder: &str,
    options: &Options,
    progress: &mut dyn FnMut(usize, usize),
) -> Result<BotReport, SuiteError> {
    speaks_as_its_game(bot)?;
    let (shared, remark) = resolve(bot, options)?;
    let cache = options.verdicts.as_ref();
    let mut report = match cache.and_then(|cache| cache.verdict(&shared)) {
        Some(cached) => cached,
        None => {
            let report = jobs::check(&shared, progress)?;
            if let Some(cache) = cache {
                cache.keep_verdict(&shared, &report);
            }
            report
        }
    };
    report.remarks.splice(0..0, remark);
    if let Some(base) = &options.files
        && let Err((path, why)) = files::write(&base.join(folder), &mut report.results)
    {
        let path = path.display();
        report.remarks.push(format!("its files are not kept: {path}: {why}; `--files` names another folder"));
    }
    Ok(report)
}

/// Refuses an engine: it speaks a protocol of its own, such as GTP, instead of that of the contest.
///
/// # Errors
/// When `bot` is an engine.
pub fn speaks_as_its_game(bot: &Bot) -> Result<(), SuiteError> {
    match &bot.engine_protocol {
        None => Ok(()),
        Some(protocol) => Err(SuiteError::Engine { protocol: protocol.to_uppercase(), bot: plain(&bot.spec) }),
    }
}

/// The check of `bot` with these options; and why the bot is assumed to play this game, unless the user or the bot
/// named it.
fn resolve<'a>(bot: &Bot, options: &'a Options) -> Result<(SharedState<'a>, Option<String>), SuiteError> {
    let selected = select(&options.games, &options.run, &options.skip)?;
    let (suite, remark) = choose(bot, &selected, options)?;
    let selected = of_game(&selected, bot, suite)?;
    let of_game = options.ruleset.clone().filter(|ruleset| ruleset.game() == suite.game());
    let ruleset = of_game.unwrap_or_else(|| suite.kit().default_ruleset());
    let mut limits = options.limits.apply_to(bot.limits.clone().within(&ruleset.limits));
    let clock = clock(&ruleset, options);
    if let Some(clock) = clock {
        // A bot may think for any length of time until it is sent `time`, which happens after this hard limit.
        (limits.soft, limits.hard) = (clock.budget, clock.minimum);
    }
    let bot = Bot { limits, ..bot.clone() };
    let mut shared = SharedState::new(bot, suite, options);
    shared.selected = selected;
    shared.ruleset = ruleset;
    shared.clock = clock;
    Ok((shared, remark))
}

/// The clock by which a bot is judged: that of the ruleset, with the time per move that the user asked for, if any.
fn clock(ruleset: &Ruleset, options: &Options) -> Option<GameClock> {
    let clock = ruleset.clock?;
    Some(GameClock { minimum: options.limits.move_time.unwrap_or(clock.minimum), ..clock })
}

/// The ids among `selected` that belong to `suite`.
fn of_game(selected: &BTreeSet<String>, bot: &Bot, suite: &dyn Suite) -> Result<BTreeSet<String>, SelectionError> {
    let is_of_game = |id: &&String| suite.catalogue().get(id).is_some();
    let of_game: BTreeSet<String> = selected.iter().filter(is_of_game).cloned().collect();
    if of_game.is_empty() {
        return Err(SelectionError::NothingOf { bot: plain(&bot.name), game: suite.title() });
    }
    Ok(of_game)
}

/// Chooses the suite for `bot`: that of the game that the user named, or else that the bot names, or else the only game
/// with `selected` checks, or else the game that the bot's behaviour or its sources show. Unless the user or the bot
/// named the game, the choice comes with a remark for the report.
fn choose(
    bot: &Bot,
    selected: &BTreeSet<String>,
    options: &Options,
) -> Result<(&'static dyn Suite, Option<String>), SuiteError> {
    let games = options.games.as_slice();
    if let Some(game) = options.game.as_deref().or(bot.game.as_deref()) {
        return Ok((known(games, game)?, None));
    }
    let taken_for = |suite: &dyn Suite, why: &str| {
        format!("taken for {}, because {why}; `--game` chooses another", suite.title())
    };
    let is_selected =
        |suite: &&&dyn Suite| suite.catalogue().checks.iter().any(|check| selected.contains(&check.id));
    if let [&suite] = games.iter().filter(is_selected).collect::<Vec<_>>()[..] {
        return Ok((suite, Some(taken_for(suite, "the selected checks are those of this game"))));
    }
    let ids: Vec<&str> = games.iter().map(|suite| suite.game()).collect();
    let cache = options.verdicts.as_ref();
    if let Some((game, remark)) = cache.and_then(|cache| cache.choice(bot, &ids)) {
        return Ok((known(games, &game)?, Some(remark)));
    }
    let (suite, why) = match recognize(games, bot, options.conditions)? {
        Recognized::As(suite, why) => (suite, why),
        Recognized::Not { failed } => {
            return Err(SuiteError::UnknownGame { bot: plain(&bot.name), known: ids.join(", "), failed });
        }
    };
    let remark = taken_for(suite, why);
    if let Some(cache) = cache {
        cache.keep_choice(bot, &ids, suite.game(), &remark);
    }
    Ok((suite, Some(remark)))
}

/// What a bot that does not name its game was recognized as when it was tried out.
pub enum Recognized {
    /// A bot of this game, and why.
    As(&'static dyn Suite, &'static str),
    /// Nothing.
    Not {
        /// How it failed the first time that it did, in lines of their own; empty if it did not.
        failed: String,
    },
}

/// The suite of the game that the bot seems to play, and why: the first of `games` that recognizes the bot's behaviour,
/// or else the only one whose words are in the bot's sources, or else the first one if the bot cannot be started.
///
/// # Errors
/// When no sandbox is available, or it fails.
pub fn recognize(games: Suites, bot: &Bot, conditions: Conditions) -> Result<Recognized, SandboxError> {
    let mut failed = String::new();
    let Some(&suite) = games.first() else { return Ok(Recognized::Not { failed }) };
    // Nothing is checked, so that it does not matter whose checks and rules these are.
    let options = Options { conditions, ..Options::default() };
    let shared = SharedState::new(bot.clone(), suite, &options);
    let mut runner = BotRunner::open(&shared)?;
    for &suite in games {
        if let Some(why) = suite.recognize(&mut runner)? {
            return Ok(Recognized::As(suite, why));
        }
        if let Some(report) = shared.known().failed.take().filter(|_| failed.is_empty()) {
            failed = format!("\ntried out as a bot of {}, {}", suite.title(), failure(&report, &bot.limits));
        }
    }
    let sources = sources(Path::new(&bot.spec));
    let mentions = |suite: &&&'static dyn Suite| suite.words().iter().any(|word| sources.contains(*word));
    let mentioned: Vec<&&'static dyn Suite> = games.iter().filter(mentions).collect();
    Ok(match mentioned[..] {
        [suite] => Recognized::As(*suite, "its sources use words of this game"),
        _ if shared.given_up() => Recognized::As(suite, "it cannot be started, so that nothing else shows it"),
        _ => Recognized::Not { failed },
    })
}

/// How the bot of `report` ended, and the last lines that it wrote to standard error.
fn failure(report: &RunReport, limits: &Limits) -> String {
    /// How many lines are shown at most, and how many characters of each.
    const MOST: (usize, usize) = (8, 200);
    let how = killed(report, limits).unwrap_or_else(|| report.ended.to_string());
    let errors = report.stderr_tail(MOST.0);
    let lines: String = errors
        .lines()
        .map(|line| format!("\n  {}", plain(line.chars().take(MOST.1).collect::<String>())))
        .collect();
    if lines.is_empty() { how } else { format!("{how}; the end of its standard error:{lines}") }
}

/// The words of the source file at `path`, or of all files in the folder at `path`, in lower case. A file that is not
/// text has no words.
fn sources(path: &Path) -> BTreeSet<String> {
    /// The most bytes that are read of each file.
    const MOST: u64 = 1 << 20;
    let files = match fs::read_dir(path) {
        // Entries that are links are left out.
        Ok(entries) => {
            let files = entries.flatten().filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_file()));
            files.map(|entry| entry.path()).collect()
        }
        Err(_) => vec![path.to_path_buf()],
    };
    let mut words = BTreeSet::new();
    for file in files.iter().filter(|file| file.is_file()) {
        let mut text = String::new();
        if fs::File::open(file).and_then(|file| file.take(MOST).read_to_string(&mut text)).is_ok() {
            let of_file = text.split(|c: char| !c.is_ascii_alphanumeric()).map(str::to_ascii_lowercase);
            words.extend(of_file);
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::go::Go;

    #[test]
    fn the_clock_is_that_of_the_ruleset_unless_the_user_sets_a_time() {
        let ruleset = Go.kit().default_ruleset();
        let minimum = |move_time| {
            let limits = LimitOverrides { move_time, ..LimitOverrides::default() };
            clock(&ruleset, &Options { limits, ..Options::default() }).unwrap().minimum
        };
        assert_eq!(minimum(None), Duration::from_secs(15));
        assert_eq!(minimum(Some(Duration::from_millis(700))), Duration::from_millis(700));
    }
}
