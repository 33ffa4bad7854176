//! `bot.toml`: what an entry says of itself.

use crate::bot::Speech;
use crate::sandbox::Limits;
use crate::toml_file::{Source, Within};
use serde::Deserialize;
use serde::de::{Deserializer, Error, SeqAccess, Visitor};
use std::fmt;
use std::path::Path;

/// The name of the file.
pub const FILE_NAME: &str = "bot.toml";

/// The author in the templates that `new` writes from: left as it is, it is nobody's name.
pub const NOBODY: &str = "Your Name";

/// The content of a `bot.toml` (B13).
#[derive(Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BotFile {
    /// Its name for people; the folder's name if missing.
    pub name: Option<String>,
    /// Who wrote it.
    pub author: Option<String>,
    /// The game it plays.
    pub game: Option<String>,
    /// What it speaks: `gtp`, or what its game's contest has bots speak.
    #[serde(default)]
    pub protocol: Speech,
    /// The command that builds it, run in its folder.
    #[serde(default, deserialize_with = "some_command")]
    pub build: Option<Vec<String>>,
    /// The command that runs it; words that name files of its folder are taken from there.
    #[serde(deserialize_with = "command")]
    pub run: Vec<String>,
    /// What it does with less than it may.
    #[serde(default)]
    pub limits: OwnLimits,
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
}

/// Reads a `bot.toml`.
///
/// # Errors
/// `FILE:LINE: what is wrong`, with the nearest key that exists.
pub fn parse(path: &Path, text: &str) -> Result<BotFile, String> {
    Source { path, text }.read().map_err(|mut mistake| {
        if mistake.words == "missing field `run`" {
            mistake.words.push_str(", such as run = [\"python3\", \"bot.py\"]");
        }
        mistake.to_string()
    })
}

fn some_command<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Vec<String>>, D::Error> {
    command(from).map(Some)
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

    fn check(text: &str, wanted: &str) {
        assert_eq!(parse(Path::new("b/bot.toml"), text).unwrap_err(), wanted);
    }

    #[test]
    fn a_whole_file_is_read() {
        let file = parse(Path::new("b/bot.toml"), "name = \"N\"\nrun = [\"./n\"]\n").unwrap();
        assert_eq!((file.name.as_deref(), file.run), (Some("N"), vec!["./n".to_string()]));
    }

    #[test]
    fn own_limits_replace_the_usual_within_their_range() {
        let text = "run = [\"./n\"]\n[limits]\nmemory_mib = 64\n";
        let limits = parse(Path::new("b/bot.toml"), text).unwrap().limits.over(Limits::default());
        assert_eq!(limits, Limits { memory: 64 << 20, ..Limits::default() });
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
            "b/bot.toml:2: unknown field `authr`, expected one of `name`, `author`, `game`, `protocol`, `build`, `run`, `limits` (did you mean `author`?)",
        );
        check("name = \"x\"\n", "b/bot.toml:1: missing field `run`, such as run = [\"python3\", \"bot.py\"]");
        check(
            "run = [\"x\"]\nprotocol = \"gpt\"\n",
            "b/bot.toml:2: unknown variant `gpt`, expected `game` or `gtp`",
        );
        let list = "expected a list of words such as [\"python3\", \"bot.py\"]";
        check("run = \"x\"\n", &format!("b/bot.toml:1: invalid type: string \"x\", {list}"));
        check("\nrun = []\n", &format!("b/bot.toml:2: invalid length 0, {list}"));
        check("run = [\"x\"]\nbuild = [\"\"]\n", &format!("b/bot.toml:2: invalid length 0, {list}"));
        check("run = [1]\n", "b/bot.toml:1: invalid type: integer `1`, expected a string");
    }
}
