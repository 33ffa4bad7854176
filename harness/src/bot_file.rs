//! `bot.toml`: what an entry says of itself.

use crate::engine::Engine;
use crate::entry_files;
use crate::names;
use crate::nearest::did_you_mean;
use crate::sandbox::Limits;
use crate::toml_file::{Mistake, Source, Within};
use crate::toolchain::search;
use serde::Deserialize;
use serde::de::{Deserializer, Error, SeqAccess, Visitor};
use std::fmt;
use std::io;
use std::path::Path;
use toml::Spanned;

/// The name of the file.
pub const FILE_NAME: &str = "bot.toml";

/// The most bytes that it may have.
const MOST_BYTES: u64 = 64 << 10;

/// The author in the templates that `new` writes from: left as it is, it is nobody's name.
pub const NOBODY: &str = "Your Name";

/// The content of a `bot.toml` (B13).
#[derive(Debug, PartialEq, Eq)]
pub struct BotFile {
    /// Its name for people; the folder's name if missing.
    pub name: Option<String>,
    /// Who wrote it.
    pub author: Option<String>,
    /// The game it plays.
    pub game: Option<String>,
    /// The protocol it speaks, if that is not the one of its game's contest.
    pub engine: Option<Engine>,
    /// What is run.
    pub means: Means,
    /// What it does with less than it may.
    pub limits: OwnLimits,
}

/// How a bot is run.
#[derive(Debug, PartialEq, Eq)]
pub enum Means {
    /// By commands of its own.
    Command {
        /// The command that builds it, run in a copy of its folder.
        build: Option<Spanned<Vec<String>>>,
        /// The command that runs it; words that name files of its folder are taken from there.
        run: Spanned<Vec<String>>,
    },
    /// As a source file of its folder is in its language (R2).
    Source {
        /// The file.
        source: Spanned<String>,
        /// The language, if not the one of the file's extension.
        language: Option<Spanned<String>>,
    },
}

/// The file as it is written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Text {
    name: Option<Spanned<String>>,
    author: Option<Spanned<String>>,
    game: Option<Spanned<String>>,
    protocol: Option<Spanned<String>>,
    language: Option<Spanned<String>>,
    source: Option<Spanned<String>>,
    #[serde(default, deserialize_with = "some_command")]
    build: Option<Spanned<Vec<String>>>,
    #[serde(default, deserialize_with = "some_command")]
    run: Option<Spanned<Vec<String>>>,
    #[serde(default)]
    limits: OwnLimits,
}

/// Limits that an entry sets for itself, in the table `[limits]`. It can ask for less than the usual, so as to be
/// stopped early when it errs, and not for more: that is for the organizer to say.
#[derive(Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OwnLimits {
    memory_mib: Option<Within<16, 4096>>,
    processes: Option<Within<1, 512>>,
    open_files: Option<Within<16, 256>>,
    file_mib: Option<Within<1, 256>>,
}

impl OwnLimits {
    /// `usual` with what is set here instead.
    pub fn over(&self, usual: Limits) -> Limits {
        const MIB: u64 = 1 << 20;
        Limits {
            memory: self.memory_mib.as_ref().map_or(usual.memory, |set| set.0 * MIB),
            processes: self.processes.as_ref().map_or(usual.processes, |set| set.0),
            open_files: self.open_files.as_ref().map_or(usual.open_files, |set| set.0),
            file: self.file_mib.as_ref().map_or(usual.file, |set| set.0 * MIB),
            ..usual
        }
    }

    /// `usual` with what is set here instead, where it is less.
    pub fn within(&self, usual: Limits) -> Limits {
        let own = self.over(usual.clone());
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
/// When it is not a regular file of a reasonable size, or the system refuses.
pub fn read(folder: &Path) -> io::Result<String> {
    entry_files::read_text(folder, FILE_NAME, MOST_BYTES)
}

/// Reads the text of the `bot.toml` that is shown as `path`. Its `protocol` is one of `engines`, or the game's own.
///
/// # Errors
/// `FILE:LINE: what is wrong`, with the nearest key that exists.
pub fn parse(path: &Path, text: &str, engines: &[Engine]) -> Result<BotFile, String> {
    let source = Source { path, text };
    let read = source.read().and_then(|text: Text| {
        let means = means(source, text.language, text.source, text.build, text.run)?;
        let word = |key, said| word(source, key, said);
        let (name, author) = (word("name", text.name)?, word("author", text.author)?);
        let game = word("game", text.game)?;
        let engine = text.protocol.map_or(Ok(None), |said| engine(source, said, engines))?;
        Ok(BotFile { name, author, game, engine, means, limits: text.limits })
    });
    read.map_err(|mistake| mistake.to_string())
}

/// The protocol that `said` names; `None` for that of the game's contest.
fn engine(file: Source, said: Spanned<String>, engines: &[Engine]) -> Result<Option<Engine>, Mistake> {
    /// The contest's own protocol.
    const GAME: &str = "game";
    let name = said.get_ref().as_str();
    let found = engines.iter().find(|engine| engine.protocol == name).copied();
    if found.is_some() || name == GAME {
        return Ok(found);
    }
    let names = || [GAME].into_iter().chain(engines.iter().map(|engine| engine.protocol));
    let listed: Vec<String> = names().map(|name| format!("`{name}`")).collect();
    let (listed, hint) = (listed.join(" or "), did_you_mean(name, names()));
    Err(file.mistake(said.span().start, format!("unknown protocol `{name}`, expected {listed}{hint}")))
}

/// What `key` says, if it can be shown to people.
fn word(file: Source, key: &str, said: Option<Spanned<String>>) -> Result<Option<String>, Mistake> {
    let fault = said.as_ref().and_then(|said| Some((said.span().start, names::fault(said.get_ref())?)));
    match fault {
        Some((at, fault)) => Err(file.mistake(at, format!("the `{key}` {fault}"))),
        None => Ok(said.map(Spanned::into_inner)),
    }
}

/// Either commands or a source, and not some of each.
fn means(
    file: Source,
    language: Option<Spanned<String>>,
    source: Option<Spanned<String>>,
    build: Option<Spanned<Vec<String>>>,
    run: Option<Spanned<Vec<String>>>,
) -> Result<Means, Mistake> {
    let instead = "`source` names a file that is built and run as its language is; `build` and `run` say how: \
                   leave out one or the other";
    match (run, source, build, language) {
        (Some(run), None, build, None) => {
            build.iter().try_for_each(|build| own_or_by_name(file, "build", build))?;
            own_or_by_name(file, "run", &run)?;
            Ok(Means::Command { build, run })
        }
        (None, Some(source), None, language) => match entry_files::beneath(Path::new(source.get_ref())) {
            Some(_) => Ok(Means::Source { source, language }),
            None => {
                let words = format!("`source` names `{}`, which is not in the bot's folder", source.get_ref());
                Err(file.mistake(source.span().start, words))
            }
        },
        (Some(run), Some(source), ..) => Err(file.mistake(run.span().start.max(source.span().start), instead)),
        (None, Some(_), Some(build), _) => Err(file.mistake(build.span().start, instead)),
        (_, None, _, Some(language)) => {
            let words = "a `language` is of a `source`, such as source = \"bot.py\"";
            Err(file.mistake(language.span().start, words))
        }
        (None, None, ..) => {
            let words = "missing field `run`, such as run = [\"python3\", \"bot.py\"], or `source`";
            Err(file.mistake(0, words))
        }
    }
}

/// A command begins with a file of the bot's own folder or the name of a tool.
fn own_or_by_name(file: Source, key: &str, words: &Spanned<Vec<String>>) -> Result<(), Mistake> {
    let (program, at) = (&words.get_ref()[0], words.span().start);
    if words.get_ref().iter().any(|word| word.contains('\0')) {
        return Err(file.mistake(at, format!("a word of `{key}` holds the character U+0000")));
    }
    let path = Path::new(program);
    if entry_files::beneath(path).is_some() {
        return Ok(());
    }
    let name = path.file_name().and_then(|name| name.to_str()).filter(|name| search::is_on_path_of_bots(name));
    let words = format!(
        "`{key}` names `{program}`, which is not in the bot's folder: a bot names files of its own folder, such as \
         `./bot`, or tools by name, such as `{}`",
        name.unwrap_or("python3")
    );
    Err(file.mistake(at, words))
}

fn some_command<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Spanned<Vec<String>>>, D::Error> {
    Spanned::<Command>::deserialize(from).map(|words| Some(Spanned::new(words.span(), words.into_inner().0)))
}

struct Command(Vec<String>);

impl<'de> Deserialize<'de> for Command {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Command, D::Error> {
        command(from).map(Command)
    }
}

/// A list of words, the first of which is not empty.
fn command<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<String>, D::Error> {
    struct Words;
    impl<'de> Visitor<'de> for Words {
        type Value = Vec<String>;

        fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
            f.write_str("a list of words such as [\"python3\", \"bot.py\"]")
        }

        fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Vec<String>, A::Error> {
            let mut words = Vec::new();
            while let Some(word) = list.next_element::<String>()? {
                words.push(word);
            }
            let named = words.first().is_some_and(|program| !program.is_empty());
            if named { Ok(words) } else { Err(A::Error::invalid_length(0, &self)) }
        }
    }
    from.deserialize_seq(Words)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::go::GTP;

    fn check(text: &str, wanted: &str) {
        assert_eq!(parse(Path::new("b/bot.toml"), text, &[GTP]).unwrap_err(), wanted);
    }

    #[test]
    fn a_whole_file_is_read() {
        let file = parse(Path::new("b/bot.toml"), "name = \"N\"\nrun = [\"./n\"]\n", &[]).unwrap();
        let means = Means::Command { build: None, run: Spanned::new(0..0, vec!["./n".to_string()]) };
        assert_eq!((file.name.as_deref(), file.means), (Some("N"), means));
        let file = parse(Path::new("b/bot.toml"), "source = \"n.x\"\nlanguage = \"Python\"\n", &[]).unwrap();
        let spanned = |word: &str| Spanned::new(0..0, word.to_string());
        let means = Means::Source { source: spanned("n.x"), language: Some(spanned("Python")) };
        assert_eq!(file.means, means);
    }

    #[test]
    fn a_bot_is_run_by_commands_or_as_a_source() {
        let instead = "`source` names a file that is built and run as its language is; `build` and `run` say how: \
                       leave out one or the other";
        check("source = \"n.py\"\nrun = [\"./n\"]\n", &format!("b/bot.toml:2: {instead}"));
        check("build = [\"./n\"]\nsource = \"n.py\"\n", &format!("b/bot.toml:1: {instead}"));
        let words = "a `language` is of a `source`, such as source = \"bot.py\"";
        check("run = [\"./n\"]\nlanguage = \"Python\"\n", &format!("b/bot.toml:2: {words}"));
    }

    #[test]
    fn a_bot_names_files_of_its_folder_or_tools_by_name() {
        let refused = |key: &str, program: &str, tool: &str| {
            let words = format!(
                "b/bot.toml:2: `{key}` names `{program}`, which is not in the bot's folder: a bot names files of its \
                 own folder, such as `./bot`, or tools by name, such as `{tool}`"
            );
            let run = if key == "run" { "" } else { "run = [\"x\"]" };
            check(&format!("{run}\n{key} = [\n\"{program}\"]"), &words);
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
        check("run = [\"x\", \"a\\u0000\"]\n", "b/bot.toml:1: a word of `run` holds the character U+0000");
    }

    #[test]
    fn names_are_short_and_can_be_shown() {
        let long = "x".repeat(101);
        check(
            &format!("run = [\"./n\"]\nname = \"{long}\"\n"),
            "b/bot.toml:2: the `name` has 101 characters, and 100 is the most",
        );
        check(
            "run = [\"./n\"]\nauthor = \"a\\u202e\"\n",
            "b/bot.toml:2: the `author` holds the character U+202E, which is not shown or changes how others are shown",
        );
    }

    #[test]
    fn own_limits_replace_the_usual_within_their_range() {
        let text = "run = [\"./n\"]\n[limits]\nmemory_mib = 64\n";
        let limits = parse(Path::new("b/bot.toml"), text, &[]).unwrap().limits.over(Limits::default());
        assert_eq!(limits, Limits { memory: 64 << 20, ..Limits::default() });
        let most = Limits { processes: 64, ..Limits::default() };
        let more =
            parse(Path::new("b/bot.toml"), "run = [\"./n\"]\n[limits]\nprocesses = 512\n", &[]).unwrap().limits;
        assert_eq!(more.within(most.clone()), most);
        check("run = [\"./n\"]\n[limits]\nmemory_mib = 5000\n", "b/bot.toml:3: 5000 is out of range: 16 to 4096");
        check("run = [\"./n\"]\n[limits]\nprocesses = -1\n", "b/bot.toml:3: -1 is out of range: 1 to 512");
        check(
            "run = [\"./n\"]\n[limits]\nmemory = 1\n",
            "b/bot.toml:3: unknown field `memory`, expected one of `memory_mib`, `processes`, `open_files`, \
             `file_mib` (did you mean `memory_mib`?)",
        );
    }

    #[test]
    fn faults_name_the_line_and_the_nearest_key() {
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
