//! From a path to a [`Bot`]: an executable, a source file, or a folder whose `bot.toml` says how to build and run it.

use super::program::check_program;
use super::{Bot, BotError};
use crate::bot_file::{self, BotFile, Launch};
use crate::entry_files::{self, WithError};
use crate::names;
use crate::nearest::{did_you_mean, did_you_mean_bot, did_you_mean_file};
use crate::sandbox::{Limits, Program};
use crate::toml_file::SourceFile;
use crate::toolchain::language::{Language, Languages};
use crate::toolchain::{
    self, BuildError, BuildOptions, Built, Entry, NotBuilt, hash, installation_of, remove_nested, tool,
};
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use toml::Spanned;

impl Bot {
    /// Loads the bot at `path`, which is an executable, a source file in one of the built-in languages, a folder with a
    /// `bot.toml`, or that file itself. Builds the bot if its language or its `bot.toml` asks for that.
    ///
    /// # Errors
    /// When it does not exist, cannot be read, has a mistake in its `bot.toml`, cannot run on this machine, or its
    /// build fails.
    pub fn load(path: &Path) -> Result<Bot, BotError> {
        Bot::load_with_options(path, BuildOptions::default())
    }

    /// Like [`Bot::load`], with other `options` for the build.
    ///
    /// # Errors
    /// The same as for [`Bot::load`].
    pub fn load_with_options(path: &Path, options: BuildOptions) -> Result<Bot, BotError> {
        Bot::load_with_files(path, &[], options)
    }

    /// Like [`Bot::load_with_options`]. A bot that is a single source file is built and run with the files `with`
    /// beside it, given as paths relative to its folder. From [`Level::Scoped`](crate::sandbox::Level::Scoped) on, it
    /// cannot read any other file there.
    ///
    /// # Errors
    /// The same as for [`Bot::load`] and [`Bot::companion_files`].
    pub fn load_with_files(path: &Path, with: &[String], options: BuildOptions) -> Result<Bot, BotError> {
        let absolute = |path: &Path| fs::canonicalize(path).map_err(|_| missing(path));
        let with = Bot::companion_files(path, with, options)?;
        let loader = Loader { path, with: &with, options };
        if path.file_name().is_some_and(|name| name == bot_file::FILE_NAME) {
            let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
            return loader.folder(&absolute(folder.unwrap_or(Path::new(".")))?);
        }
        let absolute = absolute(path)?;
        match options.languages.for_file(&absolute) {
            _ if absolute.is_dir() => loader.folder(&absolute),
            Some(language) => loader.source(&absolute, language),
            None => loader.executable(&absolute),
        }
    }

    /// The files that `with` lists for the source file at `path`, as sorted paths relative to its folder.
    ///
    /// # Errors
    /// When the bot does not exist; if `with` lists any, also when one is the source itself or not a regular file in
    /// the source's folder, or when the bot is not a source file.
    pub fn companion_files(path: &Path, with: &[String], options: BuildOptions) -> Result<Vec<PathBuf>, BotError> {
        let refused = |why| BotError::With { path: path.to_path_buf(), why };
        let absolute = fs::canonicalize(path).map_err(|_| missing(path))?;
        let files = entry_files::resolve_with(&absolute, with).map_err(refused)?;
        if !with.is_empty() && !absolute.is_dir() && options.languages.for_file(&absolute).is_none() {
            return Err(refused(WithError::NoSource(options.languages.extensions())));
        }
        Ok(files)
    }

    /// Whether `path` looks like a bot: a folder with a `bot.toml`, a source file in one of `languages`, or an
    /// executable. Hidden files and folders never do.
    pub fn is_likely(path: &Path, languages: &Languages) -> bool {
        let hidden = path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.'));
        let source = || path.is_file() && languages.for_file(path).is_some();
        !hidden && (path.join(bot_file::FILE_NAME).is_file() || source() || tool::is_executable(path))
    }
}

/// The error for a `path` that does not exist, with the most similar file that does.
pub(super) fn missing(path: &Path) -> BotError {
    let hint = if path.as_os_str().is_empty() {
        "its name is empty".to_string()
    } else {
        did_you_mean_bot(Path::new(""), &path.to_string_lossy())
    };
    BotError::Missing { path: path.to_path_buf(), hint }
}

/// Checks that `launch`, in the `bot.toml` of the folder `at`, names no file there that the bot cannot see.
fn check_named_files(at: &Path, file: SourceFile, launch: &Launch) -> Result<(), BotError> {
    let (key, words, span) = match launch {
        // A build may create it.
        Launch::Command { build: Some(_), .. } => return Ok(()),
        Launch::Command { build: None, run } => ("run", run.get_ref().as_slice(), run.span()),
        Launch::Source { source, .. } => ("source", std::slice::from_ref(source.get_ref()), source.span()),
    };
    let is_unseen = |word: &&String| {
        let path = Path::new(word);
        hash::is_ignored(path) && entry_files::exists_beneath(at, path)
    };
    let Some(word) = words.iter().find(is_unseen) else { return Ok(()) };
    let message = format!(
        "`{key}` names `{word}`, but no bot sees a folder `{}`: move the file to another folder, or add a `build` \
         command that makes it",
        hash::IGNORED.join("`, `")
    );
    Err(BotError::BotFile(file.mistake(span.start, message)))
}

/// What is needed to load one bot.
#[derive(Clone, Copy)]
pub(super) struct Loader<'a> {
    /// The path as the user gave it, for messages and for [`Bot::spec`].
    pub path: &'a Path,
    /// The files that are handed in beside a source file: paths relative to its folder.
    pub with: &'a [PathBuf],
    /// How it is built.
    pub options: BuildOptions<'a>,
}

/// A folder with a `bot.toml`.
#[derive(Clone, Copy)]
struct BotFolder<'a> {
    /// The author's folder, or a copy of it without what is not part of the bot.
    at: &'a Path,
    /// Its `bot.toml`, under the path that messages show.
    file: SourceFile<'a>,
    /// The hash of the files that are part of the bot.
    sha256: &'a str,
}

/// The program that a command of a `bot.toml` begins with.
enum CommandProgram {
    /// A file in the bot's folder.
    Own(PathBuf),
    /// A program of the machine, found by its name.
    Tool(PathBuf),
}

impl Loader<'_> {
    /// The bot that is the executable file `absolute`.
    pub(super) fn executable(self, absolute: &Path) -> Result<Bot, BotError> {
        let interpreter = check_program(self.path, absolute, entry_files::open(absolute), self.options.languages)?;
        let program_sha256 = Some(self.hashed(hash::of_file(absolute))?);
        let mut bot = Bot { program_sha256, ..self.bot(absolute, vec![absolute.into()], None) };
        self.add_toolchain_needs(&mut bot, interpreter.as_deref());
        Ok(bot)
    }

    /// The bot that is the source file `absolute`.
    pub(super) fn source(self, absolute: &Path, language: &Language) -> Result<Bot, BotError> {
        let source_sha256 = self.hashed(self.hash_with(absolute))?;
        self.load_source(absolute, absolute, language, source_sha256)
    }

    /// The bot whose source file is `source`, which is `from` itself or lies in it.
    fn load_source(
        self,
        from: &Path,
        source: &Path,
        language: &Language,
        source_sha256: String,
    ) -> Result<Bot, BotError> {
        let entry = Entry { from, sha256: &source_sha256, with: self.with };
        // The output of a build is as untrusted as its source, so it is opened without following links.
        let startable = |folder: &Path, below: &Path| {
            let opened = entry_files::open_beneath(folder, below);
            self.check_built(folder, &folder.join(below), opened).map(drop)
        };
        let runnable =
            toolchain::prepare_source(entry, source, language, self.options, Limits::default(), startable);
        let runnable = runnable.map_err(|error| self.not_built(error))?;
        let program = Path::new(&runnable.argv[0]);
        // A program that was built has been checked already, before it came into the cache.
        if !runnable.built.as_ref().is_some_and(|built| program.starts_with(&built.folder)) {
            check_program(self.path, program, entry_files::open(program), self.options.languages)?;
        }
        let mut bot = self.bot(from, runnable.argv, runnable.built);
        if bot.built.is_none() {
            bot.program.parts.extend(self.with.iter().map(|file| bot.program.folder.join(file)));
        }
        bot.program.parts.extend(runnable.reads);
        remove_nested(&mut bot.program.parts);
        let program_sha256 = Some(program_hash(&bot, &source_sha256));
        let toolchain = runnable.version;
        let limits = runnable.limits;
        Ok(Bot { source_sha256: Some(source_sha256), program_sha256, toolchain, limits, ..bot })
    }

    /// The bot that is the folder `at` with its `bot.toml`.
    pub(super) fn folder(self, at: &Path) -> Result<Bot, BotError> {
        let shown = if self.path.ends_with(bot_file::FILE_NAME) {
            self.path.to_path_buf()
        } else {
            self.path.join(bot_file::FILE_NAME)
        };
        let text = match bot_file::read(at) {
            Ok(text) => text,
            Err(error) if error.kind() == ErrorKind::NotFound => return Err(self.no_bot_file(at)),
            Err(source) => return Err(BotError::Unreadable { path: shown, source }),
        };
        let parsed = bot_file::parse(&shown, &text, self.options.engines)?;
        let sha256 = &self.hashed(hash::of_folder(at))?;
        let in_file = SourceFile { path: &shown, text: &text };
        check_named_files(at, in_file, &parsed.launch)?;
        // A bot must not see what is not part of it, so it is run from a copy without that.
        let is_whole = hash::is_whole(at).map_err(|source| self.unreadable(source))?;
        let at = &if is_whole {
            at.to_path_buf()
        } else {
            toolchain::copied(at, sha256).map_err(|error| self.build_error(error))?
        };
        let folder = BotFolder { at, file: in_file, sha256 };
        let bot = match &parsed.launch {
            Launch::Command { build, run } => self.load_commands(folder, build.as_ref(), run)?,
            Launch::Source { source, language } => {
                let (source, language) = self.named_source(folder, source, language.as_ref())?;
                self.load_source(at, &source, language, sha256.clone())?
            }
        };
        Ok(parsed.applied_to(bot))
    }

    /// The bot in a folder whose `bot.toml` gives the commands that build and run it.
    fn load_commands(
        self,
        folder: BotFolder,
        build: Option<&Spanned<Vec<String>>>,
        run: &Spanned<Vec<String>>,
    ) -> Result<Bot, BotError> {
        let built = match build {
            None => None,
            Some(command) => {
                let (CommandProgram::Own(tool) | CommandProgram::Tool(tool)) =
                    self.find_program(folder, "build", command, folder.at)?;
                let entry = Entry { from: folder.at, sha256: folder.sha256, with: &[] };
                let usable = |place: &Path| self.startable(folder, run, place).map(drop);
                let commands = (command.get_ref().as_slice(), run.get_ref().as_slice());
                let built = toolchain::build_folder(entry, &tool, commands, self.options, usable);
                Some(built.map_err(|error| self.not_built(error))?)
            }
        };
        let place = built.as_ref().map_or(folder.at, |built| &built.folder).to_path_buf();
        let (start, interpreter) = self.startable(folder, run, &place)?;
        let (CommandProgram::Own(program) | CommandProgram::Tool(program)) = &start;
        // Arguments that name files of the folder become absolute, so that the bot runs in any working directory.
        let argument = |word: &String| {
            if entry_files::is_file_beneath(&place, Path::new(word)) {
                place.join(word).into()
            } else {
                OsString::from(word)
            }
        };
        let rest = run.get_ref()[1..].iter().map(argument);
        let argv = [OsString::from(program)].into_iter().chain(rest).collect();
        let command = build.unwrap_or(run).get_ref();
        let toolchain = toolchain::version_of(command, self.options.languages);
        let mut bot = self.bot(folder.at, argv, built);
        if let CommandProgram::Tool(tool) = &start {
            bot.program.parts.extend(installation_of(tool));
        }
        let tools = [build.map(|command| &command.get_ref()[0]), Some(&run.get_ref()[0]), interpreter.as_ref()];
        for tool in tools.into_iter().flatten() {
            self.add_toolchain_needs(&mut bot, Some(tool));
        }
        remove_nested(&mut bot.program.parts);
        let program_sha256 = Some(program_hash(&bot, folder.sha256));
        Ok(Bot { source_sha256: Some(folder.sha256.to_string()), program_sha256, toolchain, ..bot })
    }

    /// Finds the program that `run` begins with, where the files of the bot in `folder` are at `place`, and checks it.
    /// Returns it with the name of its interpreter if it is a script.
    fn startable(
        self,
        folder: BotFolder,
        run: &Spanned<Vec<String>>,
        place: &Path,
    ) -> Result<(CommandProgram, Option<String>), BotError> {
        let start = self.find_program(folder, "run", run, place)?;
        let languages = self.options.languages;
        let interpreter = match &start {
            CommandProgram::Tool(file) => check_program(self.path, file, entry_files::open(file), languages)?,
            CommandProgram::Own(file) => {
                let opened = entry_files::open_beneath(place, file.strip_prefix(place).unwrap_or(file));
                if place == folder.at {
                    check_program(self.path, file, opened, languages)?
                } else {
                    self.check_built(place, file, opened)?
                }
            }
        };
        Ok((start, interpreter))
    }

    /// [`check_program`] for a `file` in the folder `place` of a build, which the caller has `opened`.
    fn check_built(self, place: &Path, file: &Path, opened: io::Result<File>) -> Result<Option<String>, BotError> {
        let name = file.strip_prefix(place).unwrap_or(file).display();
        let refused = |why: String| BotError::NotAProgram { path: self.path.to_path_buf(), why };
        match &opened {
            Err(error) if error.kind() == ErrorKind::NotFound => {
                return Err(refused(format!("the build did not create `{name}`, its program")));
            }
            Ok(_) if !tool::is_executable(file) => {
                return Err(refused(format!("the build created `{name}`, which is not executable")));
            }
            _ => {}
        }
        check_program(self.path, file, opened, self.options.languages).map_err(|error| match error {
            BotError::NotAProgram { why, .. } => refused(format!("the build created `{name}`: {why}")),
            error => error,
        })
    }

    /// If `tool` belongs to a language's toolchain, gives the bot the files and the limits that programs run or built
    /// by it need.
    fn add_toolchain_needs(self, bot: &mut Bot, tool: Option<&str>) {
        if let Some(toolchain) = tool.and_then(|tool| self.options.languages.toolchain_with(tool)) {
            bot.program.parts.extend(toolchain.reads());
            remove_nested(&mut bot.program.parts);
            bot.limits = toolchain.run_limits.applied_to(bot.limits.clone());
        }
    }

    /// The source file that a `bot.toml` names, and its language.
    fn named_source(
        &self,
        folder: BotFolder,
        source: &Spanned<String>,
        language: Option<&Spanned<String>>,
    ) -> Result<(PathBuf, &Language), BotError> {
        let wrong = |at: &Spanned<String>, message: String| {
            BotError::BotFile(folder.file.mistake(at.span().start, message))
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
            Some(name) => (self.options.languages.named(name.get_ref()))
                .map_err(|unknown| wrong(name, unknown.to_string()))?,
            None => self.options.languages.for_file(&whole).ok_or_else(|| {
                let extension = whole.extension().unwrap_or_default().to_string_lossy();
                let extensions = self.options.languages.all().iter().flat_map(|language| &language.extensions);
                let hint = did_you_mean(&extension, extensions.map(String::as_str));
                let message =
                    format!("no language has the extension of `{name}`: add `language = …` or `run = …`{hint}");
                wrong(source, message)
            })?,
        };
        Ok((whole, language))
    }

    /// A bot that is run by `argv`, from the file or folder that its author handed in. Everything else has its default.
    pub(super) fn bot(self, file: &Path, argv: Vec<OsString>, built: Option<Built>) -> Bot {
        let is_folder = file.is_dir();
        let place = built.as_ref().map_or(file, |built| &built.folder);
        let folder = if is_folder || built.is_some() {
            place.to_path_buf()
        } else {
            file.parent().unwrap_or(Path::new("/")).to_path_buf()
        };
        Bot {
            spec: self.path.display().to_string(),
            name: names::sanitized(&file.file_stem().unwrap_or_default().to_string_lossy()),
            has_given_name: false,
            author: None,
            game: None,
            engine_protocol: None,
            program: Program { parts: vec![place.to_path_buf()], argv, folder },
            limits: Limits::default(),
            source_sha256: None,
            program_sha256: None,
            toolchain: None,
            built,
        }
    }

    /// Finds the program of `command`, the value of `key` in the `bot.toml`: a file beneath `place`, or a tool of the
    /// machine.
    fn find_program(
        self,
        folder: BotFolder,
        key: &str,
        command: &Spanned<Vec<String>>,
        place: &Path,
    ) -> Result<CommandProgram, BotError> {
        let word = &command.get_ref()[0];
        let wrong = |message: String| BotError::BotFile(folder.file.mistake(command.span().start, message));
        if word.contains('/') {
            // A path that leads out of the place becomes empty here, and is refused when it is opened.
            let below = entry_files::beneath(Path::new(word)).unwrap_or_default();
            let file = place.join(&below);
            return match entry_files::open_beneath(place, &below) {
                Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
                    let by = if place == folder.at { "is not in the folder" } else { "the build did not create" };
                    let hint = did_you_mean_file(&file);
                    Err(wrong(format!("`{key}` names `{word}`, which {by}{hint}")))
                }
                // A file that may not be read is not a mistake in the `bot.toml`: what reads it next reports that.
                Err(error) if error.kind() != ErrorKind::PermissionDenied => {
                    Err(wrong(format!("`{key}` names `{word}`: {error}")))
                }
                _ => Ok(CommandProgram::Own(file)),
            };
        }
        if let Some(tool) = tool::find(word, self.options.languages) {
            return Ok(CommandProgram::Tool(tool));
        }
        if entry_files::is_file_beneath(place, Path::new(word)) {
            return Err(wrong(format!("`{word}` is a file in the folder: write `./{word}`")));
        }
        let known = self.options.languages.toolchain_with(word).map(|toolchain| toolchain.packages.clone());
        Err(self.build_error(BuildError::NoTool {
            tool: word.clone(),
            wanted_for: bot_file::FILE_NAME.to_string(),
            packages: known.unwrap_or_default(),
        }))
    }

    /// The hash of the file `source`, together with the files that are handed in beside it.
    fn hash_with(self, source: &Path) -> io::Result<String> {
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

    fn unreadable(self, source: io::Error) -> BotError {
        BotError::Unreadable { path: self.path.to_path_buf(), source }
    }

    /// `hash`, with an error of the system as one of this bot.
    pub(super) fn hashed(self, hash: io::Result<String>) -> Result<String, BotError> {
        hash.map_err(|source| self.unreadable(source))
    }

    /// `error` as one of this bot. If the built program cannot run, with what the build printed.
    fn not_built(self, error: NotBuilt<BotError>) -> BotError {
        match error {
            NotBuilt::Build(source) => self.build_error(source),
            NotBuilt::Unusable { why: BotError::NotAProgram { path, why }, output } if !output.is_empty() => {
                BotError::NotAProgram { path, why: format!("{why}; the build printed:\n{output}") }
            }
            NotBuilt::Unusable { why, .. } => why,
        }
    }

    fn build_error(self, source: BuildError) -> BotError {
        BotError::Build { path: self.path.to_path_buf(), source }
    }

    fn no_bot_file(self, folder: &Path) -> BotError {
        let entries = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
        let source = entries.filter(|entry| self.options.languages.for_file(entry).is_some()).min();
        let hint = source.map_or(String::new(), |source| {
            let source = self.path.join(source.file_name().unwrap_or_default());
            format!("\n(or name a source file: {})", source.display())
        });
        BotError::NoBotFile { path: self.path.to_path_buf(), hint }
    }
}

/// The hash of what `bot` runs: of all files of its build, or of its source, which has the hash `source`.
fn program_hash(bot: &Bot, source: &str) -> String {
    bot.built.as_ref().map_or(source, |built| &built.sha256).to_string()
}

impl BotFile {
    /// `bot` with what the file says about it.
    fn applied_to(self, bot: Bot) -> Bot {
        let has_given_name = self.name.is_some();
        let name = self.name.unwrap_or(bot.name);
        let game = self.game.or_else(|| self.engine.map(|engine| engine.game.to_string()));
        let engine_protocol = self.engine.map(|engine| engine.protocol.to_string());
        let limits = self.limits.capped_at(bot.limits);
        let author = self.author.filter(|author| author != bot_file::PLACEHOLDER_AUTHOR);
        Bot { name, has_given_name, author, game, engine_protocol, limits, ..bot }
    }
}
