//! A bot, from what its author handed in to a program that can take a seat (B13).

mod engine;

pub use engine::GTP;

use crate::bot_file::{self, BotFile};
use crate::nearest::did_you_mean_file;
use crate::sandbox::{Limits, PATH, Program};
use crate::toolchain::{self, BuildError};
use serde::Deserialize;
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::Command;

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
    /// The bot at `path`: an executable, a source file, a folder with a `bot.toml`, or that file itself.
    ///
    /// # Errors
    /// When there is none, it cannot run on this machine, or its build fails.
    pub fn load(path: &Path) -> Result<Bot, BotError> {
        let absolute = fs::canonicalize(path).map_err(|_| missing(path))?;
        if absolute.file_name().is_some_and(|name| name == bot_file::FILE_NAME) {
            return from_folder(path, absolute.parent().unwrap_or(Path::new("/")));
        }
        match () {
            () if absolute.is_dir() => from_folder(path, &absolute),
            () if toolchain::is_source(&absolute) => from_source(path, &absolute),
            () => Bot::executable(path, &absolute),
        }
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

    /// Whether `path` looks like a bot among other files: a folder with a `bot.toml`, a source, an executable.
    pub fn is_likely(path: &Path) -> bool {
        let hidden = path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.'));
        let source = || path.is_file() && toolchain::is_source(path);
        !hidden && (path.join(bot_file::FILE_NAME).is_file() || source() || toolchain::is_executable(path))
    }

    /// The bot that is the executable at `absolute`, asked for as `path`.
    fn executable(path: &Path, absolute: &Path) -> Result<Bot, BotError> {
        must_be_a_program(path, absolute)?;
        Ok(Bot::of(path, absolute, vec![absolute.into()]))
    }

    fn of(path: &Path, file: &Path, argv: Vec<OsString>) -> Bot {
        let folder = file.parent().unwrap_or(Path::new("/")).to_path_buf();
        Bot {
            spec: path.display().to_string(),
            name: file.file_stem().unwrap_or_default().to_string_lossy().into_owned(),
            author: None,
            game: None,
            speaks: Speech::Game,
            program: Program { parts: parts_of(&argv, file), argv, folder },
            limits: Limits::default(),
        }
    }
}

/// What a bot consists of: its file or folder, and the installation of its interpreter if that is not the
/// system's own.
fn parts_of(argv: &[OsString], file: &Path) -> Vec<PathBuf> {
    let program = fs::canonicalize(&argv[0]).unwrap_or_else(|_| PathBuf::from(&argv[0]));
    let installation = program.parent().filter(|bin| bin.ends_with("bin")).and_then(Path::parent);
    let whole = installation.filter(|prefix| prefix.join("lib").is_dir() && prefix.components().count() > 2);
    let mut parts = vec![file.to_path_buf(), whole.map_or(program.clone(), Path::to_path_buf)];
    // Asked for by the name of a link, it is looked for there.
    parts.push(PathBuf::from(&argv[0]));
    outermost(parts)
}

/// The files and folders that lie in no other of them: mounted one after another, none hides or is in the way of what
/// another one lies in.
fn outermost(mut parts: Vec<PathBuf>) -> Vec<PathBuf> {
    parts.sort();
    parts.dedup_by(|inner, outer| inner.starts_with(&*outer));
    parts
}

fn missing(path: &Path) -> BotError {
    let hint = match path.as_os_str().is_empty() {
        true => "its name is empty".to_string(),
        false => did_you_mean_file(path),
    };
    BotError::Missing { path: path.to_path_buf(), hint }
}

fn from_source(path: &Path, absolute: &Path) -> Result<Bot, BotError> {
    let argv = toolchain::command_for(absolute);
    argv.map(|argv| Bot::of(path, absolute, argv))
        .map_err(|source| BotError::Build { path: path.to_path_buf(), source })
}

fn from_folder(path: &Path, folder: &Path) -> Result<Bot, BotError> {
    let file = folder.join(bot_file::FILE_NAME);
    let text = match fs::read_to_string(&file) {
        Ok(text) => text,
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Err(no_bot_file(path, folder)),
        Err(source) => return Err(BotError::Unreadable { path: file, source }),
    };
    let said = bot_file::parse(&path.join(bot_file::FILE_NAME), &text).map_err(BotError::BotFile)?;
    if let Some(build) = &said.build {
        let mut command = Command::new(word_of(&build[0], folder, path)?);
        command.args(&build[1..]);
        toolchain::run_build(&mut command, folder)
            .map_err(|source| BotError::Build { path: path.to_path_buf(), source })?;
    }
    let argv = argv_of(&said, folder, path)?;
    must_be_a_program(path, Path::new(&argv[0]))?;
    let mut bot = Bot::of(path, folder, argv);
    bot.program.folder = folder.to_path_buf();
    bot.name = said.name.unwrap_or(bot.name);
    bot.limits = said.limits.over(bot.limits);
    (bot.author, bot.speaks) = (said.author, said.protocol);
    bot.game = said.game.or_else(|| (bot.speaks == Speech::Gtp).then(|| engine::GO.to_string()));
    Ok(bot)
}

fn no_bot_file(path: &Path, folder: &Path) -> BotError {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let source = entries.filter(|entry| toolchain::is_source(entry)).min();
    let hint = source.map_or(String::new(), |source| {
        format!("\n(or give a source itself: {})", path.join(source.file_name().unwrap_or_default()).display())
    });
    BotError::NoBotFile { path: path.to_path_buf(), hint }
}

/// The command of `run`, independent of the working directory: its words that name files of the folder are
/// made absolute.
fn argv_of(said: &BotFile, folder: &Path, path: &Path) -> Result<Vec<OsString>, BotError> {
    let mut argv = vec![word_of(&said.run[0], folder, path)?];
    for word in &said.run[1..] {
        let file = folder.join(word);
        argv.push(if file.is_file() { file.into() } else { word.into() });
    }
    Ok(argv)
}

/// The program that the first word of a command means: a file of the folder, or a tool of the machine.
fn word_of(word: &str, folder: &Path, path: &Path) -> Result<OsString, BotError> {
    if word.contains('/') {
        return Ok(folder.join(word.trim_start_matches("./")).into());
    }
    if let Some(tool) = toolchain::find_tool(word) {
        return Ok(tool.into());
    }
    if folder.join(word).is_file() {
        let file = path.join(bot_file::FILE_NAME);
        let why = format!("{}: `{word}` is a file of the folder: write `./{word}`", file.display());
        return Err(BotError::BotFile(why));
    }
    Err(BotError::Build {
        path: path.to_path_buf(),
        source: BuildError::NoTool {
            tool: word.to_string(),
            wanted_for: bot_file::FILE_NAME.to_string(),
            package: word.to_string(),
        },
    })
}

/// Finds out before any game whether the system can execute `file` at all.
fn must_be_a_program(path: &Path, file: &Path) -> Result<(), BotError> {
    let no = |why: String| Err(BotError::NotAProgram { path: path.to_path_buf(), why });
    let mut start = Vec::new();
    match File::open(file) {
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => {
            return no(format!("there is no program {} to run", file.display()));
        }
        Err(source) => return Err(BotError::Unreadable { path: file.to_path_buf(), source }),
        Ok(opened) => opened
            .take(256)
            .read_to_end(&mut start)
            .map_err(|source| BotError::Unreadable { path: file.to_path_buf(), source })?,
    };
    match Kind::of(&start) {
        Kind::Other => {
            no(format!("neither a program nor a source ({}); scripts begin with #!", toolchain::extensions()))
        }
        Kind::Elf(machine) if !runs_here(machine) => no(format!(
            "a program for another kind of machine ({}, this one is {})",
            machine_name(machine),
            this_machine().map_or("unknown".to_string(), machine_name)
        )),
        Kind::Script(line) if script_cannot_start(&line).is_some() => {
            no(format!("its first line {}", script_cannot_start(&line).unwrap_or_default()))
        }
        _ if !toolchain::is_executable(file) => {
            let shown = if path.is_file() { path } else { file };
            no(format!("not executable: try `chmod +x {}`", shown.display()))
        }
        _ => Ok(()),
    }
}

/// Why a script with `line` after its `#!` cannot be started, if it cannot: what the line asks for is not there.
fn script_cannot_start(line: &str) -> Option<String> {
    if line.ends_with('\r') {
        return Some("ends with a carriage return (CR LF), which becomes part of the interpreter's name: save it with line feeds alone".to_string());
    }
    let mut words = line.split_whitespace();
    let interpreter = words.next().unwrap_or_default();
    if !Path::new(interpreter).exists() {
        return Some(format!("asks for {interpreter}, which is not on this machine"));
    }
    if !interpreter.ends_with("/env") {
        return None;
    }
    // `env -S` takes words apart; assignments come before the program.
    let mut asked = words.map(|word| word.strip_prefix("-S").unwrap_or(word));
    let tool = asked.find(|word| !word.is_empty() && !word.contains('='))?;
    let there = match tool {
        path if path.contains('/') => Path::new(path).exists(),
        option if option.starts_with('-') => true,
        name => toolchain::is_on_path_of_bots(name),
    };
    (!there).then(|| {
        let elsewhere = toolchain::find_tool(tool)
            .map_or(String::new(), |file| format!(" (yours is {0}: write #!{0})", file.display()));
        format!("asks env for {tool}, which is not where bots find programs: {PATH}{elsewhere}")
    })
}

/// What a file's first bytes say it is.
enum Kind {
    /// A program for the machine of this number (`e_machine`).
    Elf(u16),
    /// A script, with what its first line says after `#!`.
    Script(String),
    Other,
}

impl Kind {
    fn of(start: &[u8]) -> Kind {
        if let (Some(b"\x7fELF"), Some(&machine)) =
            (start.get(..4), start.get(18..).and_then(|s| s.first_chunk::<2>()))
        {
            return Kind::Elf(if start[5] == 2 {
                u16::from_be_bytes(machine)
            } else {
                u16::from_le_bytes(machine)
            });
        }
        match start.strip_prefix(b"#!") {
            Some(line) => {
                let line = line.split(|&b| b == b'\n').next().unwrap_or_default();
                Kind::Script(String::from_utf8_lossy(line).into_owned())
            }
            None => Kind::Other,
        }
    }
}

/// The kind of machine that this program itself is for.
fn this_machine() -> Option<u16> {
    let mut start = [0; 20];
    File::open("/proc/self/exe").ok()?.read_exact(&mut start).ok()?;
    match Kind::of(&start) {
        Kind::Elf(machine) => Some(machine),
        _ => None,
    }
}

fn runs_here(machine: u16) -> bool {
    const X86: u16 = 3;
    const X86_64: u16 = 62;
    this_machine().is_none_or(|here| here == machine || (here, machine) == (X86_64, X86))
}

fn machine_name(machine: u16) -> String {
    match machine {
        3 => "32-bit x86".to_string(),
        40 => "32-bit ARM".to_string(),
        62 => "x86-64".to_string(),
        183 => "64-bit ARM".to_string(),
        243 => "RISC-V".to_string(),
        other => format!("ELF machine {other}"),
    }
}
