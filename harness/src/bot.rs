//! Loading a bot: from what its author handed in to a program that can take a seat (B13). Also which bots a pattern
//! names, and which are the same program.

pub mod bundle;
pub(crate) mod engine;
mod loader;
mod program;

use crate::entry_files;
use crate::entry_files::WithError;
use crate::pattern::paths;
use crate::sandbox::{Conditions, Isolation, Limits, Program, Sandbox, SandboxError, SandboxPool};
use crate::toml_file::Mistake;
use crate::toolchain::language::Languages;
use crate::toolchain::{BuildError, Built, hash};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use tracing::debug;

/// A bot whose program is built and can be run.
#[derive(Clone, Debug)]
pub struct Bot {
    /// The BOT argument as the user wrote it: a path, `@name` or `PROTOCOL:COMMAND`.
    pub spec: String,
    /// Its display name (B13).
    pub name: String,
    /// Whether its author or the user chose that name, or it is an engine. If not, the name is derived from the file's
    /// name, and one that the bot itself prints can take its place (R3).
    pub has_given_name: bool,
    /// The author that its `bot.toml` names, if any.
    pub author: Option<String>,
    /// The id of the game that it plays, such as `boxing`; `None` if unknown.
    pub game: Option<String>,
    /// The engine protocol that it speaks, such as `gtp`; `None` if it speaks its game's own protocol.
    pub engine_protocol: Option<String>,
    /// The program to run.
    pub program: Program,
    /// The limits of a run.
    pub limits: Limits,
    /// The SHA-256 of the folder, or of the source with the files beside it, that its author handed in, as 64
    /// hexadecimal digits; an executable has none.
    pub source_sha256: Option<String>,
    /// The SHA-256 of what is run, as 64 hexadecimal digits: of the files of its build; without a build the same as
    /// `source_sha256`; for an executable or the command of an engine, of that one file.
    pub program_sha256: Option<String>,
    /// The version line that the compiler or interpreter prints.
    pub toolchain: Option<String>,
    /// The result of its build, now or from the cache; `None` if nothing had to be built.
    pub built: Option<Built>,
}

/// Why a bot could not be loaded.
#[derive(Debug, thiserror::Error)]
pub enum BotError {
    /// The file does not exist.
    #[error("no such bot: {}{hint}", path.display())]
    Missing {
        /// The path that was given.
        path: PathBuf,
        /// A hint, such as the most similar file that exists; may be empty.
        hint: String,
    },
    /// A folder without a `bot.toml`.
    #[error("{}: a folder is a bot only with a `bot.toml`, such as\n  name = \"My Bot\"\n  run = [\"python3\", \"bot.py\"]{hint}", path.display())]
    NoBotFile {
        /// The folder.
        path: PathBuf,
        /// A suggestion: a source file in the folder, or empty.
        hint: String,
    },
    /// A `bot.toml` with a mistake.
    #[error(transparent)]
    BotFile(#[from] Mistake),
    /// A file that the system cannot execute.
    #[error("{}: {why}", path.display())]
    NotAProgram {
        /// The bot, as the user named it.
        path: PathBuf,
        /// Why it cannot run; where a remedy is known, also that.
        why: String,
    },
    /// A file named by `with` that cannot be handed in beside the bot.
    #[error("{}: {why}", path.display())]
    With {
        /// The bot.
        path: PathBuf,
        /// The reason.
        why: WithError,
    },
    /// The build failed.
    #[error("{}", path.display())]
    Build {
        /// The bot, as the user named it.
        path: PathBuf,
        /// What went wrong.
        source: BuildError,
    },
    /// An engine's command that cannot be parsed.
    #[error("{spec}: {why}, such as `{example}`")]
    Command {
        /// The BOT argument.
        spec: String,
        /// A valid BOT argument.
        example: &'static str,
        /// What is wrong with the command.
        why: &'static str,
    },
    /// It plays another game than the one at hand.
    #[error("{spec} plays {plays}, and the game here is {wanted}")]
    OtherGame {
        /// The bot.
        spec: String,
        /// The bot's game.
        plays: String,
        /// The game at hand.
        wanted: String,
    },
    /// A file of the bot cannot be read.
    #[error("cannot use {}", path.display())]
    Unreadable {
        /// The bot or its `bot.toml`, as the user named it.
        path: PathBuf,
        /// The system's error.
        source: std::io::Error,
    },
}

impl Bot {
    /// Checks that the bot may play `game`, a game's id. A bot whose game is unknown may play any.
    ///
    /// # Errors
    /// [`BotError::OtherGame`] when the bot is known to play another game.
    pub fn check_plays(&self, game: &str) -> Result<(), BotError> {
        match &self.game {
            Some(plays) if plays != game => {
                let spec = self.spec.clone();
                let plays = plays.clone();
                let wanted = game.to_string();
                Err(BotError::OtherGame { spec, plays, wanted })
            }
            _ => Ok(()),
        }
    }

    /// Opens a sandbox for the bot.
    ///
    /// # Errors
    /// When none can be opened under `conditions`.
    pub fn sandbox(&self, conditions: Conditions) -> Result<Sandbox, SandboxError> {
        self.logged(Sandbox::open(&self.program, &self.limits, conditions))
    }

    /// Takes an idle sandbox of the bot from `pool`, or opens one.
    pub(crate) fn sandbox_of(&self, pool: &SandboxPool, conditions: Conditions) -> Result<Sandbox, SandboxError> {
        self.logged(pool.take(&self.program, &self.limits, conditions))
    }

    /// Logs which level of isolation a sandbox has and what the machine refused, or why there is no sandbox.
    fn logged(&self, opened: Result<Sandbox, SandboxError>) -> Result<Sandbox, SandboxError> {
        match &opened {
            Ok(sandbox) => {
                let Isolation { level, refused } = sandbox.isolation();
                debug!(bot = ?self.name, %level, ?refused, "has a sandbox");
            }
            Err(error) => debug!(bot = ?self.name, ?error, "has no sandbox"),
        }
        opened
    }
}

/// The pairs of `bots` that share one of their [`contents`], as pairs of indices, the smaller first. Bots with the same
/// BOT argument are not a pair.
pub fn duplicates(bots: &[Bot]) -> Vec<(usize, usize)> {
    let contents: Vec<BTreeSet<String>> = bots.iter().map(contents).collect();
    let pairs = (0..bots.len()).flat_map(|second| (0..second).map(move |first| (first, second)));
    let are_duplicates = |&(first, second): &(usize, usize)| {
        bots[first].spec != bots[second].spec && !contents[first].is_disjoint(&contents[second])
    };
    pairs.filter(are_duplicates).collect()
}

/// The hashes of the bot's own files that its command names, unless they are empty, of its source and of its program.
/// None for an engine that is given as a command, because the same program plays differently with other options.
pub fn contents(bot: &Bot) -> BTreeSet<String> {
    if bot.engine_protocol.is_some() && bot.source_sha256.is_none() {
        return BTreeSet::new();
    }
    if bot.source_sha256.is_none() {
        // An executable, which was hashed when it was loaded.
        return bot.program_sha256.iter().cloned().collect();
    }
    let own = bot.program.argv.iter().map(Path::new).filter(|file| file.starts_with(&bot.program.folder));
    let named = own.filter(|file| file.is_absolute()).filter_map(|file| {
        let is_empty = entry_files::open(file).ok()?.metadata().ok()?.len() == 0;
        if is_empty { None } else { hash::of_file(file).ok() }
    });
    named.chain(bot.source_sha256.clone()).chain(bot.program_sha256.clone()).collect()
}

/// The BOT argument for the file or folder `path`: the path, behind `./` where the path alone would be read as a
/// reference bot or as the command of an engine.
pub fn spec_of_path(path: &Path) -> String {
    let spec = path.display().to_string();
    let is_read_otherwise = spec.starts_with('@') || spec.split('/').next().is_some_and(|name| name.contains(':'));
    if is_read_otherwise { format!("./{spec}") } else { spec }
}

/// The bots that `pattern` matches, relative to `folder` and sorted by name: each as it would be written in a contest
/// file, and its path. Files that do not look like bots are skipped, unless the pattern ends with their extension. If
/// the pattern leads into another folder, every folder there counts as handed in (B13a). Beside the contest file a
/// folder must look like a bot, because the organizer may have others there.
pub(crate) fn matching(folder: &Path, pattern: &str) -> Vec<(String, PathBuf)> {
    // The extension may be one of a language that only the user's own file of languages has (R2).
    let has_extension =
        pattern.rsplit_once('.').is_some_and(|(_, end)| !end.is_empty() && !end.contains(['*', '?', '/']));
    let are_submissions = pattern.contains('/');
    let is_bot = |path: &Path| {
        Bot::is_likely(path, Languages::built_in())
            || has_extension && path.is_file()
            || are_submissions && path.is_dir() && !path.ends_with("__pycache__")
    };
    let found = paths(folder, pattern).into_iter().filter(|(_, path)| is_bot(path));
    found.map(|(spec, path)| (spec_of_path(Path::new(&spec)), path)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::go::GTP;
    use crate::toolchain::BuildOptions;
    use crate::toolchain::language::Languages;
    use std::fs;
    use std::os::unix::fs::PermissionsExt;
    use std::path::Path;
    use tempfile::TempDir;

    /// A temporary folder with these files, all executable.
    fn folder(files: &[(&str, &str)]) -> TempDir {
        let folder = tempfile::tempdir().unwrap();
        for (name, content) in files {
            let file = folder.path().join(name);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(&file, content).unwrap();
            fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).unwrap();
        }
        folder
    }

    #[test]
    fn a_bot_can_read_what_the_toolchain_of_its_tool_reads() {
        let folder = folder(&[
            ("conf-1/x", ""),
            ("conf-2/x", ""),
            ("script", "#!/bin/sh\n"),
            ("by-env", "#!/usr/bin/env -S sh\n"),
            ("other", "#!/bin/bash\n"),
            ("named/bot.toml", "run = [\"sh\", \"bot\"]\n"),
            ("own/bot.toml", "run = [\"./bot\"]\n[limits]\nprocesses = 3\n"),
            ("own/bot", "#!/bin/sh\n"),
        ]);
        let at = folder.path().canonicalize().unwrap();
        let text = format!(
            "[[language]]\nname = \"X\"\nextensions = [\"x\"]\n[[language.toolchain]]\npackages = []\nrun = [\"sh\", \
             \"{{source}}\"]\nreads = [\"{0}/conf-*\", \"{0}/missing\"]\nrun_limits = {{ processes = 700 }}\n",
            at.display()
        );
        fs::write(at.join("languages.toml"), text).unwrap();
        let languages = Languages::with_file(&at.join("languages.toml")).unwrap();
        let check = |bot: &str, reads: bool, processes: u64| {
            let bot = Bot::load_with_options(
                &at.join(bot),
                BuildOptions { languages: &languages, ..BuildOptions::default() },
            )
            .unwrap();
            let seen = ["conf-1", "conf-2"].map(|conf| bot.program.parts.contains(&at.join(conf)));
            assert_eq!(
                (seen, bot.limits.processes),
                ([reads; 2], processes),
                "{}: {:?}",
                bot.spec,
                bot.program.parts
            );
            assert!(!bot.program.parts.contains(&at.join("missing")));
        };
        check("script", true, 700);
        check("by-env", true, 700);
        check("named", true, 700);
        check("own", true, 3);
        check("other", false, Limits::default().processes);
    }

    #[test]
    fn a_folder_beside_a_bot_is_not_part_of_it() {
        let folder = folder(&[
            ("bin/bot.toml", "run = [\"./bot\"]\n"),
            ("bin/bot", "#!/bin/sh\n"),
            ("bot/bin/foe", "#!/bin/sh\n"),
            ("bot/lib/x", ""),
            ("bot/bot.toml", "run = [\"bin/foe\"]\n"),
            ("lib/foe", ""),
        ]);
        let at = folder.path().canonicalize().unwrap();
        for (bot, part) in [("bin", "bin"), ("bin/bot.toml", "bin"), ("bin/bot", "bin/bot"), ("bot", "bot")] {
            assert_eq!(Bot::load(&at.join(bot)).unwrap().program.parts, [at.join(part)], "{bot}");
        }
        let engine = format!("{}/bot/bin/foe", at.display());
        assert_eq!(Bot::engine(GTP, &engine, Path::new("")).unwrap().program.parts, [at.join("bot/bin/foe")]);
    }

    #[test]
    fn a_copy_under_another_name_is_a_duplicate() {
        let folder = tempfile::tempdir().unwrap();
        let load = |name: &str, files: &[(&str, &str)]| {
            for (file, content) in files {
                fs::create_dir_all(folder.path().join(name)).unwrap();
                fs::write(folder.path().join(name).join(file), content).unwrap();
            }
            let single = files.len() == 1;
            Bot::load(&if single { folder.path().join(name).join(files[0].0) } else { folder.path().join(name) })
        };
        let run = |name: &str| format!("name = \"{name}\"\nrun = [\"sh\", \"bot.sh\"]\n");
        let bots = [
            load("a", &[("bot.sh", "echo 1\n"), ("bot.toml", &run("a"))]),
            load("b", &[("bot.sh", "echo 2\n"), ("bot.toml", &run("b"))]),
            load("c", &[("copy.sh", "echo 1\n")]),
            load("d", &[("bot.sh", "echo 2\n"), ("bot.toml", &run("d"))]),
        ];
        assert_eq!(duplicates(&bots.map(Result::unwrap)), [(0, 2), (1, 3)]);
    }
}
