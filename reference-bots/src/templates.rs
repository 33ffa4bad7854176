//! Templates of a minimal bot, one for each game and language: the files that `cornerman new` puts into a new folder.
//!
//! Each passes every check of level "must" and is written for people who have never written a bot. The sources and a
//! README are in `templates/GAME/`, ready for use except for two placeholders: `{{name}}` is the bot's name, and
//! `{{command}}` is the command that starts Cornerman.

use std::error::Error;
use std::fmt;

/// A minimal bot in one language.
#[derive(Clone, Copy, Debug)]
pub struct Template {
    /// The language's name in lower case: `python`, `c++`.
    pub lang: &'static str,
    /// The names and contents of its files, with placeholders.
    pub files: &'static [(&'static str, &'static str)],
}

/// A file of a template with its placeholders filled in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Filled {
    /// Its name in the new folder.
    pub file: &'static str,
    /// Its contents.
    pub contents: String,
}

/// The templates of a game, from the files in `templates/GAME/`: for each language its name, its source file and its
/// commands in `bot.toml`.
macro_rules! templates {
    ($game:literal) => {
        &[
            $crate::templates::template!($game, "python", "bot.py", r#"run = ["python3", "bot.py"]"#),
            $crate::templates::template!(
                $game,
                "c",
                "bot.c",
                r#"build = ["cc", "-O2", "-o", "bot", "bot.c"]
run = ["./bot"]"#
            ),
            $crate::templates::template!(
                $game,
                "c++",
                "bot.cpp",
                r#"build = ["c++", "-O2", "-o", "bot", "bot.cpp"]
run = ["./bot"]"#
            ),
            $crate::templates::template!(
                $game,
                "java",
                "Main.java",
                r#"build = ["sh", "-c", "javac Main.java && jar cfe bot.jar Main *.class"]
run = ["java", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-jar", "bot.jar"]"#
            ),
            $crate::templates::template!(
                $game,
                "rust",
                "bot.rs",
                r#"build = ["rustc", "-O", "--edition", "2024", "-o", "bot", "bot.rs"]
run = ["./bot"]"#
            ),
            $crate::templates::template!(
                $game,
                "go",
                "bot.go",
                r#"build = ["go", "build", "-o", "bot", "bot.go"]
run = ["./bot"]"#
            ),
            $crate::templates::template!($game, "javascript", "bot.js", r#"run = ["node", "bot.js"]"#),
            $crate::templates::template!($game, "bash", "bot.sh", r#"run = ["bash", "bot.sh"]"#),
        ]
    };
}

macro_rules! template {
    ($game:literal, $lang:literal, $source:literal, $commands:literal) => {
        $crate::Template {
            lang: $lang,
            files: &[
                (
                    "bot.toml",
                    concat!(
                        "name = \"{{name}}\"\nauthor = \"Your Name\"\ngame = \"",
                        $game,
                        "\"\n",
                        $commands,
                        "\n"
                    ),
                ),
                ($source, $crate::templates::template!(file $game, $source)),
                ("README.md", $crate::templates::template!(file $game, "README.md")),
            ],
        }
    };
    (file $game:literal, $file:literal) => {
        include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/templates/", $game, "/", $file))
    };
}

pub(crate) use {template, templates};

impl Template {
    /// The files of a bot called `name`; `command` starts Cornerman in the bot's folder.
    ///
    /// # Errors
    /// When `name` is not a valid name: see [`BadName`].
    pub fn fill(&self, name: &str, command: &str) -> Result<Vec<Filled>, BadName> {
        if !is_name(name) {
            return Err(BadName { name: name.to_string() });
        }
        let fill = |text: &str| text.replace("{{name}}", name).replace("{{command}}", command);
        Ok(self.files.iter().map(|&(file, text)| Filled { file, contents: fill(text) }).collect())
    }
}

/// An invalid name for a bot. A valid one has 1 to 40 ASCII letters, digits, `-` and `_`, and begins with a letter or a
/// digit: it needs no escaping in TOML, in comments of any language, or in a shell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadName {
    /// The invalid name.
    pub name: String,
}

impl fmt::Display for BadName {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(
            f,
            "`{}` cannot be the name of a bot: use 1 to 40 ASCII letters, digits, `-` and `_`, a letter or a digit first",
            self.name.escape_debug()
        )
    }
}

impl Error for BadName {}

fn is_name(name: &str) -> bool {
    name.len() <= 40
        && name.starts_with(|first: char| first.is_ascii_alphanumeric())
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Ladder, games};

    const GAMES: [(&str, Ladder); 3] =
        [("boxing", games::boxing::LADDER), ("rps", games::rps::LADDER), ("go", games::go::LADDER)];

    fn templates() -> impl Iterator<Item = (&'static str, &'static Template)> {
        GAMES.iter().flat_map(|(game, ladder)| ladder.templates.iter().map(|template| (*game, template)))
    }

    #[test]
    fn every_file_has_the_bots_name_and_no_placeholder_is_left() {
        for (game, template) in templates() {
            for Filled { file, contents } in template.fill("left-hook", "cornerman").unwrap() {
                let place = format!("{game} {} {file}", template.lang);
                assert!(!contents.contains("{{") && !contents.contains("}}"), "{place}");
                assert!(contents.ends_with('\n') && contents.contains("left-hook"), "{place}");
            }
        }
    }

    #[test]
    fn a_bot_file_has_the_name_the_game_and_the_commands() {
        let check = |lang: &str, expected: &str| {
            let template = games::rps::LADDER.templates.iter().find(|template| template.lang == lang).unwrap();
            let files = template.fill("jab", "cornerman").unwrap();
            let head = "name = \"jab\"\nauthor = \"Your Name\"\ngame = \"rps\"\n";
            assert_eq!(files[0].contents, format!("{head}{expected}"));
        };
        check("python", "run = [\"python3\", \"bot.py\"]\n");
        check("c++", "build = [\"c++\", \"-O2\", \"-o\", \"bot\", \"bot.cpp\"]\nrun = [\"./bot\"]\n");
    }

    #[test]
    fn a_name_that_would_need_quoting_is_refused() {
        let check = |name: &str, good: bool| {
            assert_eq!(games::boxing::LADDER.templates[0].fill(name, "d").is_ok(), good, "{name}");
        };
        for name in ["a", "left-hook", "X_9", "0", &"n".repeat(40)] {
            check(name, true);
        }
        for name in ["", "-a", "_a", "a b", "a\"", "a/b", "../a", "a\n", "*/", "é", &"n".repeat(41)] {
            check(name, false);
        }
    }
}
