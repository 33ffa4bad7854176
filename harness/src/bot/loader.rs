//! From a path to a bot: an executable, a source, or a folder that says how it is built and run.

use super::program::{self, must_be_a_program};
use super::with::handed;
use super::{Bot, BotError};
use crate::bot_file::{self, BotFile, Means};
use crate::entry_files;
use crate::names;
use crate::nearest::{did_you_mean, did_you_mean_file};
use crate::sandbox::{Limits, Program};
use crate::toml_file::Source;
use crate::toolchain::language::{Language, Languages};
use crate::toolchain::{
    self, BuildError, Built, Entry, Terms, hash, installation_of, search, tool, without_inner,
};
use std::ffi::OsString;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use toml::Spanned;

impl Bot {
    /// The bot at `path`: an executable, a source file, a folder with a `bot.toml`, or that file itself; its
    /// language one of those built in.
    ///
    /// # Errors
    /// When there is none, it cannot run on this machine, or its build fails.
    pub fn load(path: &Path) -> Result<Bot, BotError> {
        Bot::load_on(path, Terms::default())
    }

    /// The same on other `terms`.
    ///
    /// # Errors
    /// As those of [`Bot::load`].
    pub fn load_on(path: &Path, terms: Terms) -> Result<Bot, BotError> {
        Bot::load_with(path, &[], terms)
    }

    /// The same, where a source at `path` is built and run with the files `with` beside it: paths from its folder. It
    /// sees no other files there.
    ///
    /// # Errors
    /// As those of [`Bot::load`], and when `with` names what is not a regular file of the source's folder, or the bot is
    /// not a source.
    pub fn load_with(path: &Path, with: &[String], terms: Terms) -> Result<Bot, BotError> {
        let absolute = |path: &Path| fs::canonicalize(path).map_err(|_| missing(path));
        let with = Bot::must_take(path, with, terms)?;
        let loader = Loader { path, with: &with, terms };
        if path.file_name().is_some_and(|name| name == bot_file::FILE_NAME) {
            let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
            return loader.folder(&absolute(folder.unwrap_or(Path::new(".")))?);
        }
        let absolute = absolute(path)?;
        match terms.languages.of(&absolute) {
            _ if absolute.is_dir() => loader.folder(&absolute),
            Some(language) => loader.source(&absolute, language),
            None => loader.executable(&absolute),
        }
    }

    /// The files `with` that a source at `path` is handed, as paths from its folder.
    ///
    /// # Errors
    /// When they are not regular files of the source's folder, or the bot is not a source.
    pub fn must_take(path: &Path, with: &[String], terms: Terms) -> Result<Vec<PathBuf>, BotError> {
        let refused = |why| BotError::With { path: path.to_path_buf(), why };
        let absolute = fs::canonicalize(path).map_err(|_| missing(path))?;
        let handed = handed(&absolute, with).map_err(refused)?;
        if !with.is_empty() && !absolute.is_dir() && terms.languages.of(&absolute).is_none() {
            let extensions = terms.languages.extensions();
            return Err(refused(format!("`with` goes with a source file ({extensions}), and this is not one")));
        }
        Ok(handed)
    }

    /// Whether `path` looks like a bot among other files: a folder with a `bot.toml`, a source in one of `languages`,
    /// an executable.
    pub fn is_likely(path: &Path, languages: &Languages) -> bool {
        let hidden = path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.'));
        let source = || path.is_file() && languages.of(path).is_some();
        !hidden && (path.join(bot_file::FILE_NAME).is_file() || source() || search::is_executable(path))
    }
}

pub fn missing(path: &Path) -> BotError {
    let hint = match path.as_os_str().is_empty() {
        true => "its name is empty".to_string(),
        false => did_you_mean_file(path),
    };
    BotError::Missing { path: path.to_path_buf(), hint }
}

/// A bot on its way from what was asked for.
#[derive(Clone, Copy)]
pub struct Loader<'a> {
    /// As it was asked for.
    pub path: &'a Path,
    /// What it is handed with, if it is a source: paths from its folder.
    pub with: &'a [PathBuf],
    /// On what terms it is built.
    pub terms: Terms<'a>,
}

/// A folder with a `bot.toml`.
#[derive(Clone, Copy)]
struct Folder<'a> {
    /// Where it is.
    at: &'a Path,
    /// Its `bot.toml`, by the path that messages show.
    file: Source<'a>,
    /// The hash of all that its author handed in.
    sha256: &'a str,
}

/// What a command begins with.
enum Start {
    /// A file of the bot's own.
    Own(PathBuf),
    /// A program of the machine, found by its name.
    Tool(PathBuf),
}

impl Loader<'_> {
    /// The executable at `absolute`.
    pub fn executable(self, absolute: &Path) -> Result<Bot, BotError> {
        let interpreter =
            must_be_a_program(self.path, absolute, entry_files::open(absolute), self.terms.languages)?;
        let program_sha256 = Some(self.hashed(hash::of_file(absolute))?);
        let mut bot = Bot { program_sha256, ..self.bot(absolute, vec![absolute.into()], None) };
        self.equip(&mut bot, interpreter.as_deref());
        Ok(bot)
    }

    /// The bot that is the single source file `absolute`.
    pub fn source(self, absolute: &Path, language: &Language) -> Result<Bot, BotError> {
        let source_sha256 = self.hashed(self.hash_with(absolute))?;
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
        let entry = Entry { from, sha256: &source_sha256, with: self.with };
        let runnable = toolchain::of_source(entry, source, language, self.terms, Limits::default());
        let runnable = runnable.map_err(|error| self.unbuilt(error))?;
        let program = Path::new(&runnable.argv[0]);
        // What a build made is a stranger's work as well.
        let opened = match runnable
            .built
            .as_ref()
            .and_then(|built| Some((built, program.strip_prefix(&built.folder).ok()?)))
        {
            Some((built, below)) => entry_files::open_beneath(&built.folder, below),
            None => entry_files::open(program),
        };
        must_be_a_program(self.path, program, opened, self.terms.languages)?;
        let mut bot = self.bot(from, runnable.argv, runnable.built);
        if bot.built.is_none() {
            bot.program.parts.extend(self.with.iter().map(|file| bot.program.folder.join(file)));
        }
        bot.program.parts.extend(runnable.reads);
        without_inner(&mut bot.program.parts);
        let program_sha256 = Some(self.program_hash(&bot, from)?);
        let (toolchain, limits) = (runnable.version, runnable.limits);
        Ok(Bot { source_sha256: Some(source_sha256), program_sha256, toolchain, limits, ..bot })
    }

    /// The bot in the folder `at`.
    pub fn folder(self, at: &Path) -> Result<Bot, BotError> {
        let shown = match self.path.ends_with(bot_file::FILE_NAME) {
            true => self.path.to_path_buf(),
            false => self.path.join(bot_file::FILE_NAME),
        };
        let text = match bot_file::read(at) {
            Ok(text) => text,
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Err(self.no_bot_file(at)),
            Err(source) => return Err(BotError::Unreadable { path: shown, source }),
        };
        let said = bot_file::parse(&shown, &text, self.terms.engines).map_err(BotError::BotFile)?;
        let sha256 = &self.hashed(hash::of_folder(at))?;
        let folder = Folder { at, file: Source { path: &shown, text: &text }, sha256 };
        let bot = match &said.means {
            Means::Command { build, run } => self.commanded(folder, build.as_ref(), run)?,
            Means::Source { source, language } => {
                let (source, language) = self.named(folder, source, language.as_ref())?;
                self.written(at, &source, language, sha256.clone())?
            }
        };
        Ok(said.over(bot))
    }

    /// The bot of a folder that says which commands build and run it.
    fn commanded(
        self,
        folder: Folder,
        build: Option<&Spanned<Vec<String>>>,
        run: &Spanned<Vec<String>>,
    ) -> Result<Bot, BotError> {
        let built = match build {
            None => None,
            Some(words) => {
                let (Start::Own(tool) | Start::Tool(tool)) = self.start(folder, "build", words, folder.at)?;
                let entry = Entry { from: folder.at, sha256: folder.sha256, with: &[] };
                let built = toolchain::of_folder(entry, &tool, words.get_ref(), self.terms);
                Some(built.map_err(|error| self.unbuilt(error))?)
            }
        };
        let place = built.as_ref().map_or(folder.at, |built| &built.folder).to_path_buf();
        let start = self.start(folder, "run", run, &place)?;
        let (program, opened) = match &start {
            Start::Own(file) => {
                (file, entry_files::open_beneath(&place, file.strip_prefix(&place).unwrap_or(file)))
            }
            Start::Tool(file) => (file, entry_files::open(file)),
        };
        let interpreter = must_be_a_program(self.path, program, opened, self.terms.languages)?;
        // Words that name files of the folder do so from any working directory.
        let argument = |word: &String| match entry_files::is_beneath(&place, Path::new(word)) {
            true => place.join(word).into(),
            false => OsString::from(word),
        };
        let rest = run.get_ref()[1..].iter().map(argument);
        let argv = [OsString::from(program)].into_iter().chain(rest).collect();
        let words = build.unwrap_or(run).get_ref();
        let toolchain = toolchain::version_of(words, self.terms.languages);
        let mut bot = self.bot(folder.at, argv, built);
        if let Start::Tool(tool) = &start {
            bot.program.parts.extend(installation_of(tool));
        }
        let tools = [build.map(|words| &words.get_ref()[0]), Some(&run.get_ref()[0]), interpreter.as_ref()];
        tools.into_iter().flatten().for_each(|tool| self.equip(&mut bot, Some(tool)));
        without_inner(&mut bot.program.parts);
        let program_sha256 = Some(self.program_hash(&bot, &place)?);
        Ok(Bot { source_sha256: Some(folder.sha256.to_string()), program_sha256, toolchain, ..bot })
    }

    /// Gives a bot what programs need that `tool` runs or made, if it is one of a language's.
    fn equip(self, bot: &mut Bot, tool: Option<&str>) {
        if let Some(toolchain) = tool.and_then(|tool| self.terms.languages.toolchain_with(tool)) {
            bot.program.parts.extend(toolchain.reads());
            without_inner(&mut bot.program.parts);
            bot.limits = toolchain.run_limits.over(bot.limits.clone());
        }
    }

    /// The source that a folder names, and its language.
    fn named(
        &self,
        folder: Folder,
        source: &Spanned<String>,
        language: Option<&Spanned<String>>,
    ) -> Result<(PathBuf, &Language), BotError> {
        let wrong = |at: &Spanned<String>, words: String| {
            BotError::BotFile(folder.file.mistake(at.span().start, words).to_string())
        };
        let name = source.get_ref();
        let below = entry_files::beneath(Path::new(name)).unwrap_or_default();
        let whole = folder.at.join(&below);
        entry_files::open_beneath(folder.at, &below).map_err(|error| match error.kind() {
            ErrorKind::NotFound => {
                wrong(source, format!("there is no source `{name}`{}", did_you_mean_file(&whole)))
            }
            _ => wrong(source, format!("cannot use the source `{name}`: {error}")),
        })?;
        let language = match language {
            Some(said) => self.terms.languages.named(said.get_ref()).map_err(|words| wrong(said, words))?,
            None => self.terms.languages.of(&whole).ok_or_else(|| {
                let extension = whole.extension().unwrap_or_default().to_string_lossy();
                let extensions = self.terms.languages.all().iter().flat_map(|language| &language.extensions);
                let hint = did_you_mean(&extension, extensions.map(String::as_str));
                let words =
                    format!("no language has sources like `{name}`: say `language = …`, or `run = …`{hint}");
                wrong(source, words)
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
            name: names::tidy(&file.file_stem().unwrap_or_default().to_string_lossy()),
            has_given_name: false,
            author: None,
            game: None,
            speaks: None,
            program: Program { parts: vec![place.to_path_buf()], argv, folder },
            limits: Limits::default(),
            source_sha256: None,
            program_sha256: None,
            toolchain: None,
            built,
        }
    }

    /// What the command `words`, which the `key` of the `bot.toml` gives, begins with: a file beneath `place`, or a tool
    /// of the machine.
    fn start(
        self,
        folder: Folder,
        key: &str,
        words: &Spanned<Vec<String>>,
        place: &Path,
    ) -> Result<Start, BotError> {
        let word = &words.get_ref()[0];
        let wrong = |said: String| BotError::BotFile(folder.file.mistake(words.span().start, said).to_string());
        if word.contains('/') {
            let below = entry_files::beneath(Path::new(word)).unwrap_or_default();
            let file = place.join(&below);
            return match entry_files::open_beneath(place, &below) {
                Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
                    let by = if place == folder.at { "is not in the folder" } else { "the build did not make" };
                    let hint = did_you_mean_file(&file);
                    Err(wrong(format!("`{key}` names `{word}`, which {by}{hint}")))
                }
                Err(error) if error.kind() != ErrorKind::PermissionDenied => {
                    Err(wrong(format!("`{key}` names `{word}`: {error}")))
                }
                _ => Ok(Start::Own(file)),
            };
        }
        if let Some(tool) = tool::find(word, self.terms.languages) {
            return Ok(Start::Tool(tool));
        }
        if entry_files::is_beneath(place, Path::new(word)) {
            return Err(wrong(format!("`{word}` is a file of the folder: write `./{word}`")));
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
            () => self.hash_with(place),
        })
    }

    /// The hash of the source at `source`, together with what it is handed with.
    fn hash_with(self, source: &Path) -> std::io::Result<String> {
        match (source.parent(), source.file_name()) {
            (Some(folder), Some(name)) if !self.with.is_empty() => {
                let mut files = self.with.to_vec();
                files.push(name.into());
                files.sort();
                hash::of_files(folder, &files)
            }
            _ => hash::of_file(source),
        }
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
        let has_given_name = self.name.is_some();
        let name = self.name.unwrap_or(bot.name);
        let game = self.game.or_else(|| self.engine.map(|engine| engine.game.to_string()));
        let speaks = self.engine.map(|engine| engine.protocol.to_string());
        let limits = self.limits.within(bot.limits);
        let author = self.author.filter(|author| author != bot_file::NOBODY);
        Bot { name, has_given_name, author, game, speaks, limits, ..bot }
    }
}
