//! A bot, from what its author handed in to a program that can take a seat (B13).

mod named;
mod parts;
mod program;

use crate::bot_file::{self, BotFile, Means};
use crate::nearest::{did_you_mean, did_you_mean_file};
use crate::sandbox::{Level, Limits, Program};
use crate::toolchain::language::{Language, Languages};
use crate::toolchain::{self, BuildError, Built, Entry, hash, tool};
pub(crate) use parts::{installation_of, without_inner};
use program::must_be_a_program;
use serde::Deserialize;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

/// A bot whose program is built and can be run.
#[derive(Clone, Debug)]
pub struct Bot {
    /// How it was named by whoever asked for it: a path or `@name`.
    pub spec: String,
    /// Its name for people (B13).
    pub name: String,
    /// Who wrote it, as far as `bot.toml` says.
    pub author: Option<String>,
    /// The game it plays, as far as is known: `boxing`.
    pub game: Option<String>,
    /// What it speaks.
    pub speaks: Speech,
    /// What to run.
    pub program: Program,
    /// What a run may use.
    pub limits: Limits,
    /// The SHA-256 of what its author handed in, where that is a source or a folder: 64 hexadecimal digits.
    pub source_sha256: Option<String>,
    /// The SHA-256 of what is run: the executable, or the files of the bot if there are several or an interpreter
    /// runs them.
    pub program_sha256: Option<String>,
    /// What the compiler or interpreter says of its version.
    pub toolchain: Option<String>,
    /// What was built for it, now or earlier, where something had to be.
    pub built: Option<Built>,
}

/// On what terms bots are built.
#[derive(Clone, Copy, Debug)]
pub struct Terms<'a> {
    /// The languages that there are (R2).
    pub languages: &'a Languages,
    /// The isolation that is demanded of builds.
    pub at_least: Option<Level>,
}

impl Default for Terms<'_> {
    /// The built-in languages, and the best isolation that the machine gives.
    fn default() -> Self {
        Terms { languages: Languages::built_in(), at_least: None }
    }
}

/// What a bot speaks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Speech {
    /// The protocol of its game's contest.
    #[default]
    Game,
    /// GTP, version 2: a Go engine.
    Gtp,
}

/// What comes before the command of an engine where a bot is asked for: `gtp:gnugo --mode gtp`.
pub const GTP: &str = "gtp:";

/// The game that engines play.
const GO: &str = "go";

/// Why there is no bot to run.
#[derive(Debug, thiserror::Error)]
pub enum BotError {
    /// No such file.
    #[error("no such bot: {}{hint}", path.display())]
    Missing {
        /// What was asked for.
        path: PathBuf,
        /// The nearest that exists.
        hint: String,
    },
    /// A folder that does not say how it is run.
    #[error("{}: a folder is a bot only with a `bot.toml`, such as\n  name = \"My Bot\"\n  run = [\"python3\", \"bot.py\"]{hint}", path.display())]
    NoBotFile {
        /// The folder.
        path: PathBuf,
        /// A source in it that would do.
        hint: String,
    },
    /// A `bot.toml` that cannot be read.
    #[error("{0}")]
    BotFile(String),
    /// A file that is no program.
    #[error("{}: {why}", path.display())]
    NotAProgram {
        /// The file.
        path: PathBuf,
        /// Why it cannot run, and what would help.
        why: String,
    },
    /// A source that did not become a program.
    #[error("{}: {source}", path.display())]
    Build {
        /// The source or folder.
        path: PathBuf,
        /// What went wrong.
        source: BuildError,
    },
    /// An engine whose command makes no sense.
    #[error("{GTP}{command}: {why}, such as `{GTP}gnugo --mode gtp`")]
    Command {
        /// The command.
        command: String,
        /// What is wrong with it.
        why: &'static str,
    },
    /// It cannot play what it is to play.
    #[error("{spec} plays {plays}, and the game here is {wanted}")]
    OtherGame {
        /// The bot.
        spec: String,
        /// Its game.
        plays: String,
        /// The game that is played.
        wanted: String,
    },
    /// The file cannot be read.
    #[error("cannot read {}: {source}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The system's answer.
        source: std::io::Error,
    },
}

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
        let absolute = fs::canonicalize(path).map_err(|_| missing(path))?;
        let loader = Loader { path, terms };
        if absolute.file_name().is_some_and(|name| name == bot_file::FILE_NAME) {
            return loader.folder(absolute.parent().unwrap_or(Path::new("/")));
        }
        match terms.languages.of(&absolute) {
            _ if absolute.is_dir() => loader.folder(&absolute),
            Some(language) => loader.source(&absolute, language),
            None => loader.executable(&absolute),
        }
    }

    /// The Go engine that `command`, words as in a shell, runs and that speaks GTP. Words that name files, which count
    /// from `folder`, are made absolute, and it sees those files.
    ///
    /// # Errors
    /// When the words make no sense, or there is no such program.
    pub fn gtp(command: &str, folder: &Path) -> Result<Bot, BotError> {
        let wrong = |why| BotError::Command { command: command.to_string(), why };
        let words = shlex::split(command).ok_or_else(|| wrong("a quotation mark lacks the other"))?;
        let program = words.first().filter(|word| !word.is_empty()).ok_or_else(|| wrong("no command"))?;
        let spec = format!("{GTP}{command}");
        let file = match program.contains('/') {
            true => fs::canonicalize(folder.join(program)).map_err(|_| missing(&folder.join(program)))?,
            false => tool::find(program, Languages::built_in()).ok_or_else(|| BotError::Build {
                path: PathBuf::from(&spec),
                source: BuildError::NoTool {
                    tool: program.clone(),
                    wanted_for: "the engine".to_string(),
                    package: program.clone(),
                },
            })?,
        };
        let loader = Loader { path: Path::new(&spec), terms: Terms::default() };
        must_be_a_program(loader.path, &file, loader.terms.languages)?;
        let file_named = |word: &String| fs::canonicalize(folder.join(word)).ok().filter(|path| path.is_file());
        let argument = |word: &String| file_named(word).map_or_else(|| word.into(), OsString::from);
        let argv = [OsString::from(&file)].into_iter().chain(words[1..].iter().map(argument)).collect();
        let program_sha256 = Some(loader.hashed(hash::of_file(&file))?);
        let mut bot = Bot { program_sha256, ..loader.bot(&file, argv, None) };
        bot.program.parts.extend(words[1..].iter().filter_map(file_named));
        (bot.speaks, bot.game) = (Speech::Gtp, Some(GO.to_string()));
        Ok(bot)
    }

    /// Nothing, unless it is known that the bot plays another game than `game`.
    ///
    /// # Errors
    /// Which game it plays.
    pub fn must_play(&self, game: &str) -> Result<(), BotError> {
        match &self.game {
            Some(plays) if plays != game => {
                let (spec, plays, wanted) = (self.spec.clone(), plays.clone(), game.to_string());
                Err(BotError::OtherGame { spec, plays, wanted })
            }
            _ => Ok(()),
        }
    }

    /// Whether `path` looks like a bot among other files: a folder with a `bot.toml`, a source in one of `languages`,
    /// an executable.
    pub fn is_likely(path: &Path, languages: &Languages) -> bool {
        let hidden = path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.'));
        let source = || path.is_file() && languages.of(path).is_some();
        !hidden && (path.join(bot_file::FILE_NAME).is_file() || source() || tool::is_executable(path))
    }
}

/// A bot on its way from what was asked for.
#[derive(Clone, Copy)]
struct Loader<'a> {
    /// As it was asked for.
    path: &'a Path,
    terms: Terms<'a>,
}

impl Loader<'_> {
    /// The executable at `absolute`.
    fn executable(self, absolute: &Path) -> Result<Bot, BotError> {
        must_be_a_program(self.path, absolute, self.terms.languages)?;
        let program_sha256 = Some(self.hashed(hash::of_file(absolute))?);
        Ok(Bot { program_sha256, ..self.bot(absolute, vec![absolute.into()], None) })
    }

    /// The bot that is the single source file `absolute`.
    fn source(self, absolute: &Path, language: &Language) -> Result<Bot, BotError> {
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

    fn folder(self, folder: &Path) -> Result<Bot, BotError> {
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
    fn bot(self, file: &Path, argv: Vec<OsString>, built: Option<Built>) -> Bot {
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

    fn hashed(self, hash: std::io::Result<String>) -> Result<String, BotError> {
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

fn missing(path: &Path) -> BotError {
    let hint = match path.as_os_str().is_empty() {
        true => "its name is empty".to_string(),
        false => did_you_mean_file(path),
    };
    BotError::Missing { path: path.to_path_buf(), hint }
}
