//! The choice of the suite for a bot.

use crate::error::SuiteError;
use crate::games::probe::{Probe, Recognition};
use crate::games::{Suite, Suites, known};
use crate::suite::Options;
use crate::{report, select};
use cornerman_harness::bot::Bot;
use cornerman_harness::sandbox::{Conditions, SandboxError};
use std::collections::BTreeSet;
use std::fs;
use std::io::Read;
use std::path::Path;

/// The suite for a bot.
pub struct SuiteChoice {
    /// The suite.
    pub suite: &'static dyn Suite,
    /// A remark for the report, unless the user or the bot named the game.
    pub remark: Option<String>,
}

/// Chooses the suite for `bot` among those of `options`: that of the game that the user named, or else that of the game
/// that the bot names, of the only game with `selected` checks, or of the game that the bot's behaviour or its sources
/// show. The report says so, unless the user or the bot named the game.
///
/// # Errors
/// When the game has no checks, when nothing shows it, or when the bot must be run and no sandbox is available.
pub fn choose(bot: &Bot, selected: &BTreeSet<String>, options: &Options) -> Result<SuiteChoice, SuiteError> {
    let games = options.games.as_slice();
    if let Some(game) = options.game.as_deref().or(bot.game.as_deref()) {
        return Ok(SuiteChoice { suite: known(games, game)?, remark: None });
    }
    let taken_for = |suite: &dyn Suite, why: &str| {
        format!("taken for {}, because {why}; `--game` chooses another", suite.title())
    };
    if let [suite] = select::games(games, selected)[..] {
        let remark = Some(taken_for(suite, "the selected checks are those of this game"));
        return Ok(SuiteChoice { suite, remark });
    }
    let ids: Vec<&str> = games.iter().map(|suite| suite.game()).collect();
    let known_before = options.verdicts.as_ref().and_then(|cache| cache.choice(bot, &ids));
    if let Some((game, remark)) = known_before.as_ref().and_then(|cached| cached.load()) {
        return Ok(SuiteChoice { suite: known(games, &game)?, remark: Some(remark) });
    }
    let Some((suite, why)) = recognize(games, bot, options.conditions)? else {
        return Err(SuiteError::UnknownGame { bot: report::shown(&bot.name), known: ids.join(", ") });
    };
    let remark = taken_for(suite, why);
    if let Some(cached) = known_before {
        cached.store(suite.game(), &remark);
    }
    Ok(SuiteChoice { suite, remark: Some(remark) })
}

/// The suite of the game that the bot's behaviour shows, or else the words of its sources, and why; `None` if nothing
/// shows it. The `games` are tried in their order, and the first that recognizes the bot is taken.
///
/// # Errors
/// When no sandbox is available.
pub fn recognize(
    games: Suites,
    bot: &Bot,
    conditions: Conditions,
) -> Result<Option<(&'static dyn Suite, &'static str)>, SandboxError> {
    let mut probe = Probe::open(bot, conditions)?;
    for &suite in games {
        if let Recognition::Yes(why) = suite.recognize(&mut probe)? {
            return Ok(Some((suite, why)));
        }
    }
    let sources = sources(Path::new(&bot.spec));
    let mentions = |suite: &&&'static dyn Suite| suite.words().iter().any(|word| sources.contains(*word));
    let mentioned: Vec<&&'static dyn Suite> = games.iter().filter(mentions).collect();
    Ok(match mentioned[..] {
        [suite] => Some((*suite, "its sources use words of this game")),
        _ if probe.cannot_start => {
            games.first().map(|suite| (*suite, "it cannot be started, so that nothing else shows it"))
        }
        _ => None,
    })
}

/// The words of a source file or of the files in a folder, in lower case; none of a program.
fn sources(path: &Path) -> BTreeSet<String> {
    /// The most bytes that are read of each file.
    const MOST: u64 = 1 << 20;
    let files = match fs::read_dir(path) {
        // Links of an entry are not followed.
        Ok(entries) => {
            let files = entries.flatten().filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_file()));
            files.map(|entry| entry.path()).collect()
        }
        Err(_) => vec![path.to_path_buf()],
    };
    let mut words = BTreeSet::new();
    for file in files.iter().filter(|file| file.is_file()) {
        let mut text = String::new();
        // A file that is not text is taken for a program.
        if fs::File::open(file).and_then(|file| file.take(MOST).read_to_string(&mut text)).is_ok() {
            let of_file = text.split(|c: char| !c.is_ascii_alphanumeric()).map(str::to_ascii_lowercase);
            words.extend(of_file);
        }
    }
    words
}
