//! From a path to a bot: an executable, a source, or a folder that says how it is built and run.

use super::engine::GO;
use super::program::{self, must_be_a_program};
use super::{Bot, BotError, Speech, Terms, parts, without_inner};
use crate::bot_file::{self, BotFile, Means};
use crate::nearest::{did_you_mean, did_you_mean_file};
use crate::sandbox::{Limits, Program};
use crate::toolchain::language::Language;
use crate::toolchain::{self, BuildError, Built, Entry, hash, tool};
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

/// A bot on its way from what was asked for.
#[derive(Clone, Copy)]
pub struct Loader<'a> {
    /// As it was asked for.
    pub path: &'a Path,
    /// On what terms it is built.
    pub terms: Terms<'a>,
}

impl Loader<'_> {
    /// The executable at `absolute`.
    pub fn executable(self, absolute: &Path) -> Result<Bot, BotError> {
        must_be_a_program(self.path, absolute, self.terms.languages)?;
        let program_sha256 = Some(self.hashed(hash::of_file(absolute))?);
        Ok(Bot { program_sha256, ..self.bot(absolute, vec![absolute.into()], None) })
    }

    /// The bot that is the single source file `absolute`.
    pub fn source(self, absolute: &Path, language: &Language) -> Result<Bot, BotError> {
        let source_sha256 = self.hashed(hash::of_file(absolute))?;
        self.written(absolute, absolute, language, source_sha256)
    }

    /// The bot that is the source file `source`, which is `from` itself or lies in it.
    fn written(
        self,
        from: &Path,
        source: &Path,
        language: &Language,
        source_sha256: String,
    ) -> Result<Bot, BotError> {
        let entry = Entry { from, sha256: &source_sha256 };
        let runnable = toolchain::of_source(entry, source, language, self.terms, Limits::default());
        let runnable = runnable.map_err(|error| self.unbuilt(error))?;
        must_be_a_program(self.path, Path::new(&runnable.argv[0]), self.terms.languages)?;
        let mut bot = self.bot(from, runnable.argv, runnable.built);
        bot.program.parts.extend(runnable.reads);
        without_inner(&mut bot.program.parts);
        let program_sha256 = Some(self.program_hash(&bot, from)?);
        let (toolchain, limits) = (runnable.version, runnable.limits);
        Ok(Bot { source_sha256: Some(source_sha256), program_sha256, toolchain, limits, ..bot })
    }

    pub fn folder(self, folder: &Path) -> Result<Bot, BotError> {
        let file = folder.join(bot_file::FILE_NAME);
        let shown = match self.path.ends_with(bot_file::FILE_NAME) {
            true => self.path.to_path_buf(),
            false => self.path.join(bot_file::FILE_NAME),
        };
        let text = match fs::read_to_string(&file) {
            Ok(text) => text,
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Err(self.no_bot_file(folder)),
            Err(source) => return Err(BotError::Unreadable { path: file, source }),
        };
        let said = bot_file::parse(&shown, &text).map_err(BotError::BotFile)?;
        let source_sha256 = self.hashed(hash::of_folder(folder))?;
        let bot = match &said.means {
            Means::Command { build, run } => {
                self.commanded(folder, &shown, build.as_deref(), run, source_sha256)?
            }
            Means::Source { source, language } => {
                let (source, language) = self.named(folder, &shown, source, language.as_deref())?;
                self.written(folder, &source, language, source_sha256)?
            }
        };
        Ok(said.over(bot))
    }

    /// The bot of a folder that says which commands build and run it.
    fn commanded(
        self,
        folder: &Path,
        shown: &Path,
        build: Option<&[String]>,
        run: &[String],
        source_sha256: String,
    ) -> Result<Bot, BotError> {
        let built = match build {
            None => None,
            Some(words) => {
                let tool = self.word(&words[0], folder, shown)?;
                let entry = Entry { from: folder, sha256: &source_sha256 };
                let built = toolchain::of_folder(entry, &tool, words, self.terms);
                Some(built.map_err(|error| self.unbuilt(error))?)
            }
        };
        let place = built.as_ref().map_or(folder, |built| &built.folder).to_path_buf();
        let argv = self.argv(run, &place, shown)?;
        must_be_a_program(self.path, Path::new(&argv[0]), self.terms.languages)?;
        let toolchain = toolchain::version_of(build.unwrap_or(run), self.terms.languages);
        let bot = self.bot(folder, argv, built);
        let program_sha256 = Some(self.program_hash(&bot, &place)?);
        Ok(Bot { source_sha256: Some(source_sha256), program_sha256, toolchain, ..bot })
    }

    /// The source that a folder names, and its language.
    fn named(
        &self,
        folder: &Path,
        shown: &Path,
        source: &str,
        language: Option<&str>,
    ) -> Result<(PathBuf, &Language), BotError> {
        let wrong = |words: String| BotError::BotFile(format!("{}: {words}", shown.display()));
        let whole = folder.join(source.trim_start_matches("./"));
        if !whole.is_file() {
            return Err(wrong(format!("there is no source `{source}`{}", did_you_mean_file(&whole))));
        }
        let language = match language {
            Some(name) => self.terms.languages.named(name).map_err(wrong)?,
            None => self.terms.languages.of(&whole).ok_or_else(|| {
                let name = whole.extension().unwrap_or_default().to_string_lossy();
                let extensions = self.terms.languages.all().iter().flat_map(|language| &language.extensions);
                let hint = did_you_mean(&name, extensions.map(String::as_str));
                wrong(format!("no language has sources like `{source}`: say `language = …`, or `run = …`{hint}"))
            })?,
        };
        Ok((whole, language))
    }

    /// The bot that is run by `argv`; what its author handed in is at `file`.
    pub fn bot(self, file: &Path, argv: Vec<OsString>, built: Option<Built>) -> Bot {
        let is_folder = file.is_dir();
        let place = built.as_ref().map_or(file, |built| &built.folder);
        let folder = match is_folder || built.is_some() {
            true => place.to_path_buf(),
            false => file.parent().unwrap_or(Path::new("/")).to_path_buf(),
        };
        Bot {
            spec: self.path.display().to_string(),
            name: file.file_stem().unwrap_or_default().to_string_lossy().into_owned(),
            author: None,
            game: None,
            speaks: Speech::Game,
            program: Program { parts: parts::of(&argv, place), argv, folder },
            limits: Limits::default(),
            source_sha256: None,
            program_sha256: None,
            toolchain: None,
            built,
        }
    }

    /// The command of `run`, independent of the working directory: its words that name files of the folder are made
    /// absolute.
    fn argv(self, run: &[String], folder: &Path, shown: &Path) -> Result<Vec<OsString>, BotError> {
        let mut argv = vec![self.word(&run[0], folder, shown)?.into()];
        for word in &run[1..] {
            let file = folder.join(word);
            argv.push(if file.is_file() { file.into() } else { word.into() });
        }
        Ok(argv)
    }

    /// The program that the first word of a command means: a file of the folder, or a tool of the machine.
    fn word(self, word: &str, folder: &Path, shown: &Path) -> Result<PathBuf, BotError> {
        if word.contains('/') {
            return Ok(folder.join(word.trim_start_matches("./")));
        }
        if let Some(tool) = tool::find(word, self.terms.languages) {
            return Ok(tool);
        }
        if folder.join(word).is_file() {
            let why = format!("{}: `{word}` is a file of the folder: write `./{word}`", shown.display());
            return Err(BotError::BotFile(why));
        }
        let known = self.terms.languages.toolchain_with(word).map(|toolchain| toolchain.packages.join(" "));
        Err(self.unbuilt(BuildError::NoTool {
            tool: word.to_string(),
            wanted_for: bot_file::FILE_NAME.to_string(),
            package: known.unwrap_or_else(|| word.to_string()),
        }))
    }

    /// The hash of what is run: the executable, if it is the bot's own and nothing else is; else all files at `place`.
    fn program_hash(self, bot: &Bot, place: &Path) -> Result<String, BotError> {
        let program = Path::new(&bot.program.argv[0]);
        let place = bot.built.as_ref().map_or(place, |built| &built.folder);
        let own = program.starts_with(place) && program::is_native(program);
        self.hashed(match () {
            () if own => hash::of_file(program),
            () if place.is_dir() => hash::of_folder(place),
            () => hash::of_file(place),
        })
    }

    pub fn hashed(self, hash: std::io::Result<String>) -> Result<String, BotError> {
        hash.map_err(|source| BotError::Unreadable { path: self.path.to_path_buf(), source })
    }

    fn unbuilt(self, source: BuildError) -> BotError {
        BotError::Build { path: self.path.to_path_buf(), source }
    }

    fn no_bot_file(self, folder: &Path) -> BotError {
        let entries = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
        let source = entries.filter(|entry| self.terms.languages.of(entry).is_some()).min();
        let hint = source.map_or(String::new(), |source| {
            let source = self.path.join(source.file_name().unwrap_or_default());
            format!("\n(or give a source itself: {})", source.display())
        });
        BotError::NoBotFile { path: self.path.to_path_buf(), hint }
    }
}

impl BotFile {
    /// `bot` with what the file says of it.
    fn over(self, bot: Bot) -> Bot {
        let name = self.name.unwrap_or(bot.name);
        let speaks = self.protocol;
        let game = self.game.or_else(|| (speaks == Speech::Gtp).then(|| GO.to_string()));
        Bot { name, author: self.author, game, speaks, limits: self.limits.over(bot.limits), ..bot }
    }
}
