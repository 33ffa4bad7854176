//! The programming language of a bot, if it can be known: hints depend on it. And whether its runtime starts threads by
//! itself, which are not the author's fault (R8).

use cornerman_harness::bot::Bot;
use cornerman_harness::sandbox::Program;
use memchr::memmem;
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::Read;
use std::path::Path;
use std::sync::LazyLock;

/// A language of `catalog/languages.toml`, by its name there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Language(&'static str);

/// The content of `catalog/languages.toml`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Languages {
    runtimes_with_threads: Vec<String>,
    pub start_errors_begin: Vec<String>,
    pub start_errors_contain: Vec<String>,
    language: BTreeMap<String, LanguageEntry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct LanguageEntry {
    title: String,
    extensions: Vec<String>,
    tools: Vec<String>,
}

pub(crate) static LANGUAGES: LazyLock<Languages> = LazyLock::new(|| {
    toml::from_str(include_str!("../catalog/languages.toml")).unwrap_or_else(|error| panic!("languages: {error}"))
});

impl<'de> Deserialize<'de> for Language {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Language, D::Error> {
        let name = String::deserialize(from)?;
        let known = LANGUAGES.language.get_key_value(&name);
        known.map(|(name, _)| Language(name)).ok_or_else(|| D::Error::custom(format!("no language {name}")))
    }
}

impl Language {
    /// Its name for people.
    pub fn title(self) -> &'static str {
        &LANGUAGES.language[self.0].title
    }

    /// The language of `bot`: that of its source file, of the program that runs it, of the first line of a script, of a
    /// source file among its arguments, or, if a folder was given, of the only kind of source files in it. `None` if
    /// nothing shows it, as with an executable alone.
    pub fn for_bot(bot: &Bot) -> Option<Language> {
        let spec = Path::new(&bot.spec);
        let argv = &bot.program.argv;
        let command = argv.first().map(Path::new);
        let of_argument = || argv.iter().find_map(|word| of_source(Path::new(word)));
        of_source(spec)
            .or_else(|| command.and_then(of_tool))
            .or_else(|| of_script(command?))
            .or_else(of_argument)
            .or_else(|| of_folder(spec))
    }
}

/// The first language of which `is_sought` returns true.
fn find(is_sought: impl Fn(&LanguageEntry) -> bool) -> Option<Language> {
    LANGUAGES.language.iter().find(|(_, entry)| is_sought(entry)).map(|(name, _)| Language(name))
}

fn of_source(path: &Path) -> Option<Language> {
    let extension = path.extension()?.to_str()?;
    find(|entry| entry.extensions.iter().any(|known| known == extension))
}

/// The language of the interpreter or compiler `program`, such as `/usr/bin/python3.11`.
fn of_tool(program: &Path) -> Option<Language> {
    let name = program.file_name()?.to_str()?;
    let name = name.trim_end_matches(|c: char| c.is_ascii_digit() || ".-".contains(c));
    find(|entry| entry.tools.iter().any(|known| known == name))
}

/// The language of the script `path`, by its first line.
fn of_script(path: &Path) -> Option<Language> {
    let mut start = Vec::new();
    File::open(path).ok()?.take(256).read_to_end(&mut start).ok()?;
    words_of_script(&start)?.find_map(of_tool)
}

/// The words in the first line of a script, which is `content` or begins with it: the program that runs it, and its
/// arguments. `None` if it is not a script.
fn words_of_script(content: &[u8]) -> Option<impl Iterator<Item = &Path>> {
    let first = content.strip_prefix(b"#!")?.split(|byte| *byte == b'\n').next()?;
    Some(str::from_utf8(first).ok()?.split_whitespace().map(Path::new))
}

/// The language of all source files in `folder`, if it is the same.
fn of_folder(folder: &Path) -> Option<Language> {
    let files = fs::read_dir(folder).ok()?.flatten();
    let found: BTreeSet<Language> = files.filter_map(|file| of_source(Path::new(&file.file_name()))).collect();
    found.first().copied().filter(|_| found.len() == 1)
}

/// The markers that the toolchains of Go and Haskell put into every program. They are backwards so that this program
/// does not contain them.
const MARKERS_BACKWARDS: [&[u8]; 2] = [b":fnidliub oG \xff", b"STR CHG"];

/// The most bytes of a program that are searched.
const MOST: u64 = 256 << 20;

/// Whether `program` runs in a runtime that starts threads by itself.
pub(crate) fn has_threads(program: &Program) -> bool {
    let Some(first) = program.argv.first().map(Path::new) else { return false };
    // The interpreter may be the second word, as in `env java`.
    program.argv.iter().take(2).any(|word| is_threaded(Path::new(word))) || file_has_threads(first)
}

fn is_threaded(word: &Path) -> bool {
    word.file_name().is_some_and(|name| LANGUAGES.runtimes_with_threads.iter().any(|known| name == known.as_str()))
}

/// Whether the file is a script for such a runtime, or was built with one.
fn file_has_threads(program: &Path) -> bool {
    let mut content = Vec::new();
    let read = File::open(program).and_then(|file| file.take(MOST).read_to_end(&mut content));
    if let Some(mut words) = words_of_script(&content) {
        return words.any(is_threaded);
    }
    let has = |backwards: &[u8]| {
        let marker: Vec<u8> = backwards.iter().rev().copied().collect();
        memmem::find(&content, &marker).is_some()
    };
    read.is_ok() && content.starts_with(b"\x7fELF") && MARKERS_BACKWARDS.into_iter().any(has)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(found: Option<Language>, wanted: Option<&str>) {
        assert_eq!(found.map(|language| language.0), wanted);
    }

    #[test]
    fn sources_and_tools_show_the_language() {
        check(of_source(Path::new("jab.c")), Some("c"));
        check(of_source(Path::new("jab.cc")), Some("cpp"));
        check(of_source(Path::new("jab")), None);
        check(of_tool(Path::new("/usr/bin/python3.11")), Some("python"));
        check(of_tool(Path::new("g++-12")), Some("cpp"));
        check(of_tool(Path::new("mybot")), None);
    }

    #[test]
    fn a_script_and_a_folder_show_the_language() {
        let folder = tempfile::tempdir().unwrap();
        let file = |name: &str, text: &str| {
            fs::write(folder.path().join(name), text).unwrap();
            folder.path().join(name)
        };
        check(of_script(&file("a", "#!/usr/bin/env -S python3 -u\n")), Some("python"));
        check(of_script(&file("b", "#!/bin/sh\n")), Some("shell"));
        check(of_script(&file("c", "\x7fELF")), None);
        check(of_folder(folder.path()), None);
        file("bot.c", "");
        check(of_folder(folder.path()), Some("c"));
        file("helper.py", "");
        check(of_folder(folder.path()), None);
    }

    #[track_caller]
    fn check_threads(argv: &[&str], threads: bool) {
        let argv = argv.iter().map(Into::into).collect();
        assert_eq!(has_threads(&Program { argv, folder: "/".into(), parts: Vec::new() }), threads);
    }

    #[test]
    fn runtimes_with_threads_are_known_by_their_names() {
        check_threads(&["/usr/bin/java", "-cp", "bot.jar", "Main"], true);
        check_threads(&["/usr/bin/env", "node", "bot.js"], true);
        check_threads(&["/usr/bin/python3", "bot.py"], false);
        check_threads(&["/usr/bin/guile", "-s", "bot.scm"], true);
        check_threads(&["/proc/self/exe"], false);
    }
}
