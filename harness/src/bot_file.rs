//! `bot.toml`: what an entry says of itself.

use crate::nearest::did_you_mean;
use serde::Deserialize;
use std::path::Path;

/// The name of the file.
pub const FILE_NAME: &str = "bot.toml";

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
    /// The command that builds it, run in its folder.
    pub build: Option<Vec<String>>,
    /// The command that runs it; words that name files of its folder are taken from there.
    pub run: Vec<String>,
}

const KEYS: [&str; 5] = ["name", "author", "game", "build", "run"];

/// Reads a `bot.toml`.
///
/// # Errors
/// `FILE:LINE: what is wrong`, with the nearest key that exists.
pub fn parse(path: &Path, text: &str) -> Result<BotFile, String> {
    let shown = path.display();
    let file: BotFile = toml::from_str(text).map_err(|wrong| {
        let line = wrong.span().map_or(1, |span| 1 + text[..span.start].matches('\n').count());
        let words = wrong.message();
        let unknown = words.strip_prefix("unknown field `").and_then(|rest| rest.split('`').next());
        let hint = unknown.map_or(String::new(), |key| did_you_mean(key, KEYS));
        format!("{shown}:{line}: {words}{hint}")
    })?;
    let empty = |command: &Vec<String>| command.first().is_none_or(String::is_empty);
    if empty(&file.run) || file.build.as_ref().is_some_and(empty) {
        return Err(format!("{shown}: `run` and `build` are lists of words such as [\"python3\", \"bot.py\"]"));
    }
    Ok(file)
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
    fn faults_name_the_line_and_the_nearest_key() {
        check(
            "run = [\"x\"]\nauthr = \"me\"\n",
            "b/bot.toml:2: unknown field `authr`, expected one of `name`, `author`, `game`, `build`, `run` (did you mean `author`?)",
        );
        check("name = \"x\"\n", "b/bot.toml:1: missing field `run`");
        check("run = \"x\"\n", "b/bot.toml:1: invalid type: string \"x\", expected a sequence");
        check("run = []\n", "b/bot.toml: `run` and `build` are lists of words such as [\"python3\", \"bot.py\"]");
    }
}
