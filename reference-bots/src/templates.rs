//! Templates of a minimal bot, one for each game and language: the files that `cargo xtask new` puts into a new folder.
//!
//! Each is a bot that follows its game's rules (those for Boxing pass every check of level "must"), written for readers
//! who have never written one. The files are in `templates/GAME/LANGUAGE/`, ready for use except for two placeholders:
//! `{{name}}` is the bot's name, and `{{dir}}` its folder.

use std::error::Error;
use std::fmt;

/// A minimal bot in one language.
#[derive(Clone, Copy, Debug)]
pub struct Template {
    /// The language, as `--lang` names it: `python`, `c`, `java`, `rust`.
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

/// The template of a game in a language, from these files of `templates/GAME/LANGUAGE/`.
macro_rules! template {
    ($game:literal, $lang:literal, [$($file:literal),+]) => {
        $crate::Template {
            lang: $lang,
            files: &[$((
                $file,
                include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/templates/", $game, "/", $lang, "/", $file)),
            )),+],
        }
    };
}

pub(crate) use template;

impl Template {
    /// The files of a bot called `name` in the folder `dir`, a path as a user would type it.
    ///
    /// # Errors
    /// When `name` is not a valid name: see [`BadName`].
    pub fn fill(&self, name: &str, dir: &str) -> Result<Vec<Filled>, BadName> {
        if !is_name(name) {
            return Err(BadName { name: name.to_string() });
        }
        let fill = |text: &str| text.replace("{{name}}", name).replace("{{dir}}", dir);
        Ok(self.files.iter().map(|&(file, text)| Filled { file, contents: fill(text) }).collect())
    }
}

/// An invalid name for a bot. A valid one has 1 to 40 ASCII letters, digits, `-` and `_`, and begins with a letter or a
/// digit: it needs no quoting in TOML, in comments of any language, or in a shell.
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
    fn every_placeholder_is_filled_in() {
        for (game, template) in templates() {
            for Filled { file, contents } in template.fill("left-hook", "bots/left-hook").unwrap() {
                let place = format!("{game} {} {file}", template.lang);
                assert!(!contents.contains("{{") && !contents.contains("}}"), "{place}");
                assert!(contents.ends_with('\n') && contents.contains("left-hook"), "{place}");
            }
        }
    }

    #[test]
    fn every_game_has_the_same_languages() {
        let langs = |game: &str| templates().filter(|t| t.0 == game).map(|t| t.1.lang).collect::<Vec<_>>();
        assert_eq!(langs("boxing"), ["python", "c", "java", "rust"]);
        assert_eq!([langs("rps"), langs("go")], [langs("boxing"), langs("boxing")]);
    }

    #[test]
    fn every_template_has_its_name_and_the_commands_to_try_next() {
        for (game, template) in templates() {
            let files = template.fill("jab", "my bots/jab").unwrap();
            let file = |name: &str| &files.iter().find(|f| f.file == name).unwrap().contents;
            assert!(file("bot.toml").contains("name = \"jab\"\n"));
            assert!(file("bot.toml").contains(&format!("game = \"{game}\"\n")));
            let commands: Vec<&str> =
                file("README.md").lines().filter_map(|line| line.trim().strip_prefix("cargo xtask ")).collect();
            let due: &[&str] = match game {
                "boxing" => &["check my bots/jab", "play my bots/jab @greedy", "play human my bots/jab"],
                "rps" => &["play my bots/jab @beat-last", "play my bots/jab @hydra"],
                _ => &["play my bots/jab my bots/jab"],
            };
            assert_eq!(commands, due, "{game} {}", template.lang);
            let try_first = GAMES.iter().find(|(id, _)| *id == game).unwrap().1.try_first;
            assert_eq!(try_first.replace("{dir}", "my bots/jab"), due[0]);
        }
    }

    #[test]
    fn a_name_that_would_need_quoting_is_refused() {
        let check = |name: &str, good: bool| {
            assert_eq!(games::boxing::LADDER.templates[0].fill(name, "d").is_ok(), good, "{name}")
        };
        for name in ["a", "left-hook", "X_9", "0", &"n".repeat(40)] {
            check(name, true);
        }
        for name in ["", "-a", "_a", "a b", "a\"", "a/b", "../a", "a\n", "*/", "é", &"n".repeat(41)] {
            check(name, false);
        }
    }
}
