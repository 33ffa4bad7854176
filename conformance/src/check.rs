//! The entry point: a bot is put through the checks of its game with some options, and a report is made.

use crate::bot_report::BotReport;
use crate::error::{SelectionError, SuiteError};
use crate::files;
use crate::games::Suite;
use crate::jobs;
use crate::recognize::choose;
use crate::runner::SharedState;
use crate::select::select;
use crate::verdict_cache::VerdictCache;
use cornerman_harness::bot::Bot;
use cornerman_harness::kit::GameClock;
use cornerman_harness::pool::Slots;
use cornerman_harness::ruleset::Ruleset;
use cornerman_harness::sandbox::{Conditions, LimitOverrides};
use cornerman_harness::text::plain;
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::time::Duration;

/// The default seed. It is fixed, so that the same bot gets the same games every time.
pub const DEFAULT_SEED: u64 = 1994;

/// The default folder for the files of failures, relative to the working directory.
pub const DEFAULT_FILES: &str = ".cornerman/check";

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
    /// Wall time for each bot; `None` for no limit. The most informative cases are run even if they do not fit.
    /// Others are run only if they do; short ones may stand in for long ones.
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
/// [`Options::files`]. As the check proceeds, `progress` is called with the number of jobs done, and about how many
/// there are; both are the same when no more are done.
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
    let mut shared = SharedState::new(bot, suite, ruleset, options);
    shared.selected = selected;
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
