//! Which isolation bots need, and what a command prints about the level in force.
//!
//! An organizer runs programs that others wrote: the entries of a contest, or a folder of submissions. Below
//! [`FOR_STRANGERS`] such a program can use the network and the organizer's files, so these commands refuse to run it
//! unless the user or the contest file accepts a lower level. Bots of Cornerman itself, and the bots that an author
//! names one by one, run at any level; the command prints the level once.

use crate::options::IsolationArgs;
use crate::show::plain;
use crate::{CliError, own};
use cornerman_harness::contest_file::{ContestFile, Entrant, EntrySource};
use cornerman_harness::sandbox::promises::not_kept;
use cornerman_harness::sandbox::{Conditions, Isolation, Level, SandboxError};
use std::fs;
use std::path::Path;
use std::sync::Once;

/// The lowest level at which programs of strangers run, unless the user accepts a lower one.
pub(crate) const FOR_STRANGERS: Level = Level::Scoped;

/// The example entries, as paths in the checkout.
const EXAMPLES: [&str; 7] = [
    "bots/corner-crab",
    "bots/rps/Gambler.java",
    "bots/rps/deja-vu.py",
    "bots/rps/dice.sh",
    "bots/rps/fading.js",
    "bots/rps/second-guess.c",
    "bots/tenuki",
];

/// The folder of the templates of entries, as a path in the checkout.
const TEMPLATES: &str = "reference-bots/templates";

/// What the entries of a command belong to: it decides what the refusal to run them suggests.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Batch {
    /// A contest, whose file can accept a lower level.
    Contest,
    /// A folder of submissions.
    Folder,
}

/// The bounds `asked` of a command that runs a batch of entries. If they require no level and `has_strangers`, at least
/// [`FOR_STRANGERS`] is required. Prints the level in force.
///
/// # Errors
/// When the machine does not give the level that is required, or no level is possible.
pub(crate) fn of_batch(
    asked: IsolationArgs,
    batch: Batch,
    has_strangers: bool,
) -> Result<IsolationArgs, CliError> {
    let conditions = asked.conditions()?;
    if !has_strangers || asked.isolation.is_some() {
        announce(&conditions.isolation()?);
        return Ok(asked);
    }
    match (Conditions { at_least: Some(FOR_STRANGERS), ..conditions }).isolation() {
        Ok(isolation) => {
            announce(&isolation);
            Ok(IsolationArgs { isolation: Some(FOR_STRANGERS), ..asked })
        }
        Err(error @ SandboxError::LevelRefused { .. }) => {
            let level = conditions.isolation()?.level;
            let file = match batch {
                Batch::Contest => format!(" or `isolation = \"{level}\"` in the contest file"),
                Batch::Folder => String::new(),
            };
            Err(usage!(
                "{error}\nPrograms of other people need it. To run them with less, at your own risk, add `--isolation \
                 {level}`{file}."
            ))
        }
        Err(error) => Err(error.into()),
    }
}

/// Whether a program of a stranger competes in the contest: one that is not Cornerman's own, nor an engine whose
/// command names no path and no file beside the contest file, so that it is installed on this machine.
pub(crate) fn has_strangers(file: &ContestFile) -> bool {
    let folder = file.path.parent().unwrap_or(Path::new(""));
    let is_stranger = |entry: &Entrant| match &entry.source {
        EntrySource::Path(path) => !is_shipped(path),
        EntrySource::Reference(_) => false,
        EntrySource::Engine(_, command) => {
            command.split_whitespace().any(|word| word.contains('/') || folder.join(word).exists())
        }
    };
    file.entrants.iter().any(is_stranger)
}

/// Whether the bot at `path` is an example entry or a template of the checkout.
pub(crate) fn is_shipped(path: &Path) -> bool {
    let Some(root) = own::checkout() else { return false };
    let (Ok(root), Ok(path)) = (fs::canonicalize(root), fs::canonicalize(path)) else { return false };
    let Ok(below) = path.strip_prefix(root) else { return false };
    below.starts_with(TEMPLATES) || EXAMPLES.iter().any(|example| below == Path::new(example))
}

/// Prints the level in force if it is below `level` and no level was `asked` for.
pub(crate) fn announce_below(level: Level, asked: IsolationArgs) -> Result<(), CliError> {
    if asked.isolation.is_none() {
        let isolation = asked.conditions()?.isolation()?;
        if isolation.level < level {
            announce(&isolation);
        }
    }
    Ok(())
}

/// Prints the level in force to standard error, and why it is not the best one, unless this process has done so.
pub(crate) fn announce(isolation: &Isolation) {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        note!("{}", plain(in_words(isolation)));
        for (promise, needed) in not_kept(isolation.level) {
            note!("not promised here, as it needs {}: a bot {}", needed.name(), promise.bot);
        }
    });
}

fn in_words(Isolation { level, refused }: &Isolation) -> String {
    match refused.first() {
        _ if *level == Level::Namespaced => format!("isolation: {level}"),
        None => format!("isolation: {level}; a stronger level was not tried"),
        Some(first) => format!(
            "isolation: {level}, not {}: cannot {}: {}; `{} doctor` shows how to get more",
            first.level,
            first.step,
            first.why,
            own::command()
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cornerman_harness::sandbox::Refusal;

    fn checkout(path: &str) -> std::path::PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(path)
    }

    /// The names in a folder of the checkout.
    fn names(folder: &str) -> Vec<String> {
        let names = fs::read_dir(checkout(folder)).unwrap().map(|entry| entry.unwrap().file_name());
        names.map(|name| format!("{folder}/{}", name.to_str().unwrap())).collect()
    }

    #[test]
    fn every_example_entry_is_listed() {
        let is_bot = |path: &String| checkout(path).is_file() || checkout(path).join("bot.toml").is_file();
        let (bots, folders): (Vec<_>, Vec<_>) = names("bots").into_iter().partition(is_bot);
        let mut found: Vec<String> = folders.iter().flat_map(|folder| names(folder)).chain(bots).collect();
        found.sort();
        assert_eq!(found, EXAMPLES);
    }

    #[test]
    fn only_examples_and_templates_are_shipped() {
        for (path, wanted) in [
            ("bots/corner-crab", true),
            ("contests/../bots/rps/dice.sh", true),
            ("reference-bots/templates/boxing/bot.c", true),
            ("bots/rps", false),
            ("bots/rps/nobody.py", false),
            ("README.md", false),
        ] {
            assert_eq!(is_shipped(&checkout(path)), wanted, "{path}");
        }
    }

    #[test]
    fn the_first_line_names_the_level_and_why_it_is_not_the_best() {
        let refused =
            |level| Refusal { level, step: "mount /proc".to_string(), why: "no".to_string(), errno: None };
        for (level, refused, wanted) in [
            (Level::Namespaced, vec![], "isolation: namespaced"),
            (Level::Plain, vec![], "isolation: plain; a stronger level was not tried"),
            (
                Level::Restricted,
                vec![refused(Level::Namespaced), refused(Level::Scoped)],
                "isolation: restricted, not namespaced: cannot mount /proc: no; `",
            ),
        ] {
            let words = in_words(&Isolation { level, refused });
            assert!(words.starts_with(wanted), "{words}");
        }
    }
}
