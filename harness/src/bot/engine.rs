//! Engines: bots that are given as a command and speak a protocol of their own, such as GTP.

use super::loader::{Loader, missing};
use super::program::check_program;
use super::{Bot, BotError};
use crate::entry_files;
use crate::toolchain::language::Languages;
use crate::toolchain::{BuildError, BuildOptions, hash, installation_of, remove_nested, tool};
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

/// A protocol of existing programs that a game supports besides its own, such as GTP for Go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Engine {
    /// Its name: the `protocol` in a `bot.toml`, and the part before the colon in the BOT argument `gtp:COMMAND`.
    pub protocol: &'static str,
    /// The game's id.
    pub game: &'static str,
    /// A complete BOT argument, for messages: `gtp:gnugo --mode gtp`.
    pub example: &'static str,
}

impl Engine {
    /// The BOT argument for a program that is run by `command` and speaks this protocol: `gtp:COMMAND`.
    pub fn spec(&self, command: &str) -> String {
        format!("{}:{command}", self.protocol)
    }

    /// Splits a BOT argument such as `gtp:gnugo --mode gtp` into the engine, one of `engines`, and its command. `None`
    /// if it names no engine.
    pub fn of_spec<'a>(engines: &[Engine], spec: &'a str) -> Option<(Engine, &'a str)> {
        let (protocol, command) = spec.split_once(':')?;
        engines.iter().find(|engine| engine.protocol == protocol).map(|engine| (*engine, command))
    }
}

impl Bot {
    /// The bot that is run by `command`, written as in a shell, and speaks the protocol of `engine`. Arguments that
    /// name files, relative to `folder`, are made absolute, and the engine can read those files.
    ///
    /// # Errors
    /// When the command cannot be parsed, or its program does not exist or cannot be executed.
    pub fn engine(engine: Engine, command: &str, folder: &Path) -> Result<Bot, BotError> {
        let spec = engine.spec(command);
        let wrong = |why| BotError::Command { spec: spec.clone(), example: engine.example, why };
        let words = shlex::split(command).ok_or_else(|| wrong("a quotation mark is not closed"))?;
        let program = words.first().filter(|word| !word.is_empty()).ok_or_else(|| wrong("no command"))?;
        let is_path = program.contains('/');
        let file = if is_path {
            fs::canonicalize(folder.join(program)).map_err(|_| missing(&folder.join(program)))?
        } else {
            tool::find(program, Languages::built_in()).ok_or_else(|| BotError::Build {
                path: PathBuf::from(&spec),
                source: BuildError::NoTool {
                    tool: program.clone(),
                    wanted_for: "the engine".to_string(),
                    packages: Vec::new(),
                },
            })?
        };
        let loader = Loader { path: Path::new(&spec), with: &[], options: BuildOptions::default() };
        check_program(loader.path, &file, entry_files::open(&file), loader.options.languages)?;
        let file_named = |word: &String| fs::canonicalize(folder.join(word)).ok().filter(|path| path.is_file());
        let argument = |word: &String| file_named(word).map_or_else(|| word.into(), OsString::from);
        let argv = [OsString::from(&file)].into_iter().chain(words[1..].iter().map(argument)).collect();
        let program_sha256 = Some(loader.hashed(hash::of_file(&file))?);
        let mut bot = Bot { program_sha256, ..loader.bot(&file, argv, None) };
        bot.program.parts.extend(words[1..].iter().filter_map(file_named));
        if !is_path {
            bot.program.parts.extend(installation_of(&file));
        }
        remove_nested(&mut bot.program.parts);
        bot.has_given_name = true;
        (bot.engine_protocol, bot.game) = (Some(engine.protocol.to_string()), Some(engine.game.to_string()));
        Ok(bot)
    }
}
