//! Which game a bot plays, if neither the user nor the bot names it: the bot is tried out, and its sources are read.

use crate::check::Options;
use crate::conduct::killed;
use crate::error::SuiteError;
use crate::games::{Suite, Suites, known};
use crate::runner::{BotRunner, SharedState};
use cornerman_harness::bot::Bot;
use cornerman_harness::sandbox::{Conditions, Limits, RunReport, SandboxError};
use cornerman_harness::text::plain;
use std::collections::BTreeSet;
use std::fs;
use std::io::Read;
use std::path::Path;

/// Chooses the suite for `bot`: that of the game that the user named, or else that the bot names, or else the only game
/// with `selected` checks, or else the game that the bot's behaviour or its sources show. Unless the user or the bot
/// named the game, the choice comes with a remark for the report.
pub(crate) fn choose(
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
    let shared = SharedState::new(bot.clone(), suite, suite.kit().default_ruleset(), &options);
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
