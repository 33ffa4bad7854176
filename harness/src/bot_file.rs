//! Reading `bot.toml`: how an entry is named, built, run and limited.

use crate::bot::engine::Engine;
use crate::entry_files;
use crate::names;
use crate::nearest::did_you_mean;
use crate::sandbox::Limits;
use crate::toml_file::{Mistake, SourceFile, Within};
use crate::toolchain::tool;
use serde::Deserialize;
use serde::de::{Deserializer, Error, SeqAccess, Visitor, value::SeqAccessDeserializer};
use std::fmt;
use std::io;
use std::path::Path;
use toml::Spanned;

/// The name of the file.
pub(crate) const FILE_NAME: &str = "bot.toml";

/// Its largest size in bytes.
const MAX_BYTES: u64 = 64 << 10;

/// The author in the templates of `new`. Left unchanged, it counts as no author.
pub(crate) const PLACEHOLDER_AUTHOR: &str = "Your Name";

/// The content of a `bot.toml` (B13).
#[derive(Debug, PartialEq, Eq)]
pub struct BotFile {
    /// Its display name; `None` for the folder's name.
    pub name: Option<String>,
    /// Its author.
    pub author: Option<String>,
    /// The id of the game that it plays.
    pub game: Option<String>,
    /// The engine protocol that it speaks; `None` for its game's own protocol.
    pub engine: Option<Engine>,
    /// What is run.
    pub launch: Launch,
    /// The limits that it sets for itself.
    pub limits: OwnLimits,
}

/// How a bot is run.
#[derive(Debug, PartialEq, Eq)]
pub enum Launch {
    /// By its own commands.
    Command {
        /// The command that builds it, run in a copy of its folder.
        build: Option<Spanned<Vec<String>>>,
        /// The command that runs it. The first word is a tool, or with a `/` a file in its folder; later words that
        /// name files there mean those files.
        run: Spanned<Vec<String>>,
    },
    /// As its language runs a source file (R2).
    Source {
        /// The path of the file in the folder.
        source: Spanned<String>,
        /// The name of the language; `None` for the one that the file's extension has.
        language: Option<Spanned<String>>,
    },
}

/// The keys of the file, before they are checked.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawBotFile {
    name: Option<Spanned<String>>,
    author: Option<Spanned<String>>,
    game: Option<Spanned<String>>,
    protocol: Option<Spanned<String>>,
    language: Option<Spanned<String>>,
    source: Option<Spanned<String>>,
    build: Option<Spanned<CommandWords>>,
    run: Option<Spanned<CommandWords>>,
    #[serde(default)]
    limits: OwnLimits,
}

/// The table `[limits]` of a `bot.toml` or of a contest file. An entry can only lower the usual limits
/// ([`capped_at`](OwnLimits::capped_at)), so that a runaway bot is stopped early; the organizer can also raise them
/// ([`applied_to`](OwnLimits::applied_to)).
#[derive(Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OwnLimits {
    memory_mib: Option<Within<16, 4096>>,
    processes: Option<Within<1, 512>>,
    open_files: Option<Within<16, 256>>,
    file_mib: Option<Within<1, 256>>,
}

impl OwnLimits {
    /// `usual`, with the limits that are set here in their place.
    pub fn applied_to(&self, usual: Limits) -> Limits {
        const MIB: u64 = 1 << 20;
        Limits {
            memory: self.memory_mib.as_ref().map_or(usual.memory, |set| set.0 * MIB),
            processes: self.processes.as_ref().map_or(usual.processes, |set| set.0),
            open_files: self.open_files.as_ref().map_or(usual.open_files, |set| set.0),
            file: self.file_mib.as_ref().map_or(usual.file, |set| set.0 * MIB),
            ..usual
        }
    }

    /// `usual`, with the limits that are set here in their place where they are lower.
    pub fn capped_at(&self, usual: Limits) -> Limits {
        let own = self.applied_to(usual.clone());
        Limits {
            memory: own.memory.min(usual.memory),
            processes: own.processes.min(usual.processes),
            open_files: own.open_files.min(usual.open_files),
            file: own.file.min(usual.file),
            ..usual
        }
    }
}

/// The text of the `bot.toml` in `folder`.
///
/// # Errors
/// When it is not a regular file, is larger than 64 KiB, is not UTF-8, or cannot be read.
pub(crate) fn read(folder: &Path) -> io::Result<String> {
    entry_files::read_text(folder, FILE_NAME, MAX_BYTES)
}

/// Parses the `text` of a `bot.toml`; messages show it as `path`. Its `protocol` must be one of `engines`, or `game`.
///
/// # Errors
/// The first mistake; for an unknown key, with the most similar one that exists.
pub fn parse(path: &Path, text: &str, engines: &[Engine]) -> Result<BotFile, Mistake> {
    let source = SourceFile { path, text };
    let raw: RawBotFile = source.read()?;
    let words = |command: Spanned<CommandWords>| Spanned::new(command.span(), command.into_inner().0);
    let launch = launch(source, raw.language, raw.source, raw.build.map(words), raw.run.map(words))?;
    let name = printable(source, "name", raw.name)?;
    let author = printable(source, "author", raw.author)?;
    let game = printable(source, "game", raw.game)?;
    let engine = match raw.protocol {
        None => None,
        Some(key) => engine(source, key, engines)?,
    };
    Ok(BotFile { name, author, game, engine, launch, limits: raw.limits })
}

/// The engine whose protocol is `key`'s value; `None` for the game's own protocol.
fn engine(file: SourceFile, key: Spanned<String>, engines: &[Engine]) -> Result<Option<Engine>, Mistake> {
    /// The name of the game's own protocol.
    const GAME: &str = "game";
    let name = key.get_ref().as_str();
    let found = engines.iter().find(|engine| engine.protocol == name).copied();
    if found.is_some() || name == GAME {
        return Ok(found);
    }
    let names = || [GAME].into_iter().chain(engines.iter().map(|engine| engine.protocol));
    let listed: Vec<String> = names().map(|name| format!("`{name}`")).collect();
    let listed = listed.join(" or ");
    let hint = did_you_mean(name, names());
    Err(file.mistake(key.span().start, format!("unknown protocol `{name}`, expected {listed}{hint}")))
}

/// The value of `key`, checked to be short and printable.
fn printable(file: SourceFile, key: &str, value: Option<Spanned<String>>) -> Result<Option<String>, Mistake> {
    let fault = value.as_ref().and_then(|value| Some((value.span().start, names::problem(value.get_ref())?)));
    match fault {
        Some((at, fault)) => Err(file.mistake(at, format!("the `{key}` {fault}"))),
        None => Ok(value.map(Spanned::into_inner)),
    }
}

/// How the bot is run: by commands or as a source file. A mixture of the two is a mistake.
fn launch(
    file: SourceFile,
    language: Option<Spanned<String>>,
    source: Option<Spanned<String>>,
    build: Option<Spanned<Vec<String>>>,
    run: Option<Spanned<Vec<String>>>,
) -> Result<Launch, Mistake> {
    let instead = "`source` is built and run the way its language is, `build` and `run` are commands: use one or the \
                   other";
    match (run, source, build, language) {
        (Some(run), None, build, None) => {
            build.iter().try_for_each(|build| check_program(file, "build", build))?;
            check_program(file, "run", &run)?;
            Ok(Launch::Command { build, run })
        }
        (None, Some(source), None, language) => match entry_files::beneath(Path::new(source.get_ref())) {
            Some(_) => Ok(Launch::Source { source, language }),
            None => {
                let message = format!("`source` names `{}`, which is not in the bot's folder", source.get_ref());
                Err(file.mistake(source.span().start, message))
            }
        },
        (Some(run), Some(source), ..) => Err(file.mistake(run.span().start.max(source.span().start), instead)),
        (None, Some(_), Some(build), _) => Err(file.mistake(build.span().start, instead)),
        (_, None, _, Some(language)) => {
            let message = "`language` needs a `source`, such as source = \"bot.py\"";
            Err(file.mistake(language.span().start, message))
        }
        (None, None, ..) => {
            let message = "missing field `run`, such as run = [\"python3\", \"bot.py\"], or `source`";
            Err(file.mistake(0, message))
        }
    }
}

/// Checks that a command begins with a path in the bot's folder or the name of a tool, whether or not that exists, and
/// that no word contains U+0000.
fn check_program(file: SourceFile, key: &str, command: &Spanned<Vec<String>>) -> Result<(), Mistake> {
    let program = &command.get_ref()[0];
    let at = command.span().start;
    if command.get_ref().iter().any(|word| word.contains('\0')) {
        return Err(file.mistake(at, format!("a word of `{key}` contains the character U+0000")));
    }
    let path = Path::new(program);
    if entry_files::beneath(path).is_some() {
        return Ok(());
    }
    let name = path.file_name().and_then(|name| name.to_str()).filter(|name| tool::is_on_path_of_bots(name));
    let message = format!(
        "`{key}` names `{program}`, which is not in the bot's folder: name a file in that folder, such as `./bot`, or \
         a tool, such as `{}`",
        name.unwrap_or("python3")
    );
    Err(file.mistake(at, message))
}

/// A list of words, the first of which is not empty.
struct CommandWords(Vec<String>);

impl<'de> Deserialize<'de> for CommandWords {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<CommandWords, D::Error> {
        struct Words;
        impl<'de> Visitor<'de> for Words {
            type Value = CommandWords;

            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("a list of words such as [\"python3\", \"bot.py\"]")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<CommandWords, A::Error> {
                let words = Vec::<String>::deserialize(SeqAccessDeserializer::new(list))?;
                let has_program = words.first().is_some_and(|program| !program.is_empty());
                if has_program { Ok(CommandWords(words)) } else { Err(A::Error::invalid_length(0, &self)) }
            }
        }
        from.deserialize_seq(Words)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::go::GTP;

    fn check(text: &str, wanted: &str) {
        assert_eq!(parse(Path::new("b/bot.toml"), text, &[GTP]).unwrap_err().to_string(), wanted);
    }

    #[test]
    fn a_whole_file_is_read() {
        let file = parse(Path::new("b/bot.toml"), "name = \"N\"\nrun = [\"./n\"]\n", &[]).unwrap();
        let launch = Launch::Command { build: None, run: Spanned::new(0..0, vec!["./n".to_string()]) };
        assert_eq!((file.name.as_deref(), file.launch), (Some("N"), launch));
        let file = parse(Path::new("b/bot.toml"), "source = \"n.x\"\nlanguage = \"Python\"\n", &[]).unwrap();
        let spanned = |word: &str| Spanned::new(0..0, word.to_string());
        let launch = Launch::Source { source: spanned("n.x"), language: Some(spanned("Python")) };
        assert_eq!(file.launch, launch);
    }

    #[test]
    fn a_bot_is_run_by_commands_or_as_a_source() {
        let instead = "`source` is built and run the way its language is, `build` and `run` are commands: use one or \
                       the other";
        check("source = \"n.py\"\nrun = [\"./n\"]\n", &format!("b/bot.toml:2: {instead}"));
        check("build = [\"./n\"]\nsource = \"n.py\"\n", &format!("b/bot.toml:1: {instead}"));
        let message = "`language` needs a `source`, such as source = \"bot.py\"";
        check("run = [\"./n\"]\nlanguage = \"Python\"\n", &format!("b/bot.toml:2: {message}"));
    }

    #[test]
    fn a_command_begins_with_a_file_of_the_folder_or_a_tool() {
        let refused = |key: &str, program: &str, tool: &str| {
            let message = format!(
                "b/bot.toml:2: `{key}` names `{program}`, which is not in the bot's folder: name a file in that \
                 folder, such as `./bot`, or a tool, such as `{tool}`"
            );
            let run = if key == "run" { "" } else { "run = [\"x\"]" };
            check(&format!("{run}\n{key} = [\n\"{program}\"]"), &message);
        };
        for program in ["/home/../home/x", "../rival/foe", "./a/../../foe", "..", ".", "/", "a/.."] {
            refused("run", program, "python3");
            refused("build", program, "python3");
        }
        refused("run", "/usr/bin/sh", "sh");
        check(
            "source = \"../foe.py\"\n",
            "b/bot.toml:1: `source` names `../foe.py`, which is not in the bot's folder",
        );
        check("run = [\"x\", \"a\\u0000\"]\n", "b/bot.toml:1: a word of `run` contains the character U+0000");
    }

    #[test]
    fn names_are_short_and_can_be_shown() {
        let long = "x".repeat(101);
        check(
            &format!("run = [\"./n\"]\nname = \"{long}\"\n"),
            "b/bot.toml:2: the `name` has 101 characters; at most 100 are allowed",
        );
        check(
            "run = [\"./n\"]\nauthor = \"a\\u202e\"\n",
            "b/bot.toml:2: the `author` contains the control or invisible character U+202E",
        );
    }

    #[test]
    fn own_limits_replace_the_usual_within_their_range() {
        let text = "run = [\"./n\"]\n[limits]\nmemory_mib = 64\n";
        let limits = parse(Path::new("b/bot.toml"), text, &[]).unwrap().limits.applied_to(Limits::default());
        assert_eq!(limits, Limits { memory: 64 << 20, ..Limits::default() });
        let most = Limits { processes: 64, ..Limits::default() };
        let more =
            parse(Path::new("b/bot.toml"), "run = [\"./n\"]\n[limits]\nprocesses = 512\n", &[]).unwrap().limits;
        assert_eq!(more.capped_at(most.clone()), most);
        check(
            "run = [\"./n\"]\n[limits]\nmemory_mib = 5000\n",
            "b/bot.toml:3: memory_mib: 5000 is out of range: 16 to 4096",
        );
        check(
            "run = [\"./n\"]\n[limits]\nprocesses = -1\n",
            "b/bot.toml:3: processes: -1 is out of range: 1 to 512",
        );
        check(
            "run = [\"./n\"]\n[limits]\nmemory = 1\n",
            "b/bot.toml:3: unknown field `memory`, expected one of `memory_mib`, `processes`, `open_files`, \
             `file_mib` (did you mean `memory_mib`?)",
        );
    }

    #[test]
    fn mistakes_name_the_line_and_the_most_similar_key() {
        check(
            "run = [\"x\"]\nauthr = \"me\"\n",
            "b/bot.toml:2: unknown field `authr`, expected one of `name`, `author`, `game`, `protocol`, `language`, `source`, `build`, `run`, `limits` (did you mean `author`?)",
        );
        check(
            "name = \"x\"\n",
            "b/bot.toml:1: missing field `run`, such as run = [\"python3\", \"bot.py\"], or `source`",
        );
        check(
            "run = [\"x\"]\nprotocol = \"gpt\"\n",
            "b/bot.toml:2: unknown protocol `gpt`, expected `game` or `gtp`",
        );
        let list = "expected a list of words such as [\"python3\", \"bot.py\"]";
        check("run = \"x\"\n", &format!("b/bot.toml:1: invalid type: string \"x\", {list}"));
        check("\nrun = []\n", &format!("b/bot.toml:2: invalid length 0, {list}"));
        check("run = [\"x\"]\nbuild = [\"\"]\n", &format!("b/bot.toml:2: invalid length 0, {list}"));
        check("run = [1]\n", "b/bot.toml:1: invalid type: integer `1`, expected a string");
    }
}
