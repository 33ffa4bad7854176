//! Checks each source file: it has a head that says what it is about and at most [`ROOM`] lines, and names no game
//! outside the games' own folders. Also counts what shows whether the code is written as Rust usually is.
//!
//! Files are read line by line, as rustfmt leaves them.

use super::Problem;
use std::fmt;

/// The most lines of a source file, without its unit tests.
const ROOM: usize = 700;

/// A file of fewer lines is short: it probably belongs to the topic of another file.
const SLIVER: usize = 60;

/// The root of the rules crate.
const RULES_ROOT: &str = "src/lib.rs";

/// The list of games.
const LIST: &str = "cli/src/games.rs";

/// Files that name programming languages, one of which has the name of a game.
const LANGUAGES: [&str; 2] = ["conformance/src/language.rs", "reference-bots/src/templates.rs"];

/// The folder in which the rules have a file for each game.
const RULES: &str = "src/games/";

/// Checks a source file. `games` are the ids of the games.
pub fn check(file: &str, text: &str, games: &[String]) -> Vec<Problem> {
    let mut problems = check_games(file, text, games);
    problems.extend(check_head(file, text));
    problems.extend(check_length(file, text));
    problems.extend(check_no_std(file, text));
    problems
}

fn check_head(file: &str, text: &str) -> Option<Problem> {
    let hint = "begin the file with `//!` and a sentence that says what is in it";
    (!text.starts_with("//! ")).then(|| Problem::new(file, 1, "no head", hint))
}

fn check_length(file: &str, text: &str) -> Option<Problem> {
    let lines = without_tests(text).len();
    let what = format!("{lines} lines without tests, more than {ROOM}");
    let hint = "find a second topic in it, and move it to a file of its own";
    (lines > ROOM && !is_tests(file)).then(|| Problem::new(file, None, what, hint))
}

/// Checks that the rules crate is `no_std`, and so has no access to clocks, files and processes.
fn check_no_std(file: &str, text: &str) -> Option<Problem> {
    let is_wrong = file == RULES_ROOT && text.lines().all(|line| line != "#![no_std]");
    is_wrong.then(|| Problem::new(file, None, "has no `#![no_std]`", "add it below the head"))
}

/// The ids of the games, from the names of all files of the repository, so that this check names no game either.
pub fn game_ids(files: &[String]) -> Vec<String> {
    let of_game = |file: &String| file.strip_prefix(RULES)?.strip_suffix(".rs").map(str::to_string);
    files.iter().filter_map(of_game).filter(|name| !name.contains('/')).collect()
}

/// Checks that a source file names none of the games with these `ids`, neither by a module's path nor by the id as a
/// string. Files in the games' own folders, tests, examples, the list of games and [`LANGUAGES`] may.
fn check_games(file: &str, text: &str, ids: &[String]) -> Vec<Problem> {
    let is_of_game = |part: &str| ids.iter().any(|id| part.strip_suffix(".rs").unwrap_or(part) == id);
    if file == LIST
        || LANGUAGES.contains(&file)
        || is_tests(file)
        || file.split('/').any(is_of_game)
        || file.contains("/examples/")
    {
        return Vec::new();
    }
    let mut problems = Vec::new();
    for (number, line) in without_tests(text) {
        let code = line.split("//").next().unwrap_or_default();
        for id in ids.iter().filter(|id| names_game(code, id)) {
            let hint = "move the code into the game's folder, and get the game from the list in cli/src/games.rs";
            problems.push(Problem::new(file, number, format!("the game `{id}` is named"), hint));
        }
    }
    problems
}

/// Whether a line of code has the game's module in a path, alone or in braces, or the id as a whole string. A list in
/// braces that goes on in the next line is not followed.
fn names_game(line: &str, id: &str) -> bool {
    let first_word =
        |text: &str| text.trim_start().split(|c: char| !c.is_alphanumeric() && c != '_').next() == Some(id);
    let names = |after: &str| match after.strip_prefix('{').and_then(|list| list.split('}').next()) {
        Some(list) => list.split(',').any(first_word),
        None => first_word(after),
    };
    line.split("games::").skip(1).any(names) || line.contains(&format!("\"{id}\""))
}

/// Whether a source file is all tests or benchmarks. Such files are mostly tables, and may be long.
fn is_tests(file: &str) -> bool {
    file.split('/').any(|part| ["tests", "tests.rs", "benches"].contains(&part))
}

/// The lines of a source file with their numbers, without its `#[cfg(test)] mod … { … }`.
fn without_tests(text: &str) -> Vec<(usize, &str)> {
    let mut left: Vec<(usize, &str)> = Vec::new();
    let mut in_tests = false;
    for (number, line) in (1..).zip(text.lines()) {
        let is_module = line.starts_with("mod ") && line.ends_with('{');
        if is_module && left.pop_if(|(_, before)| *before == "#[cfg(test)]").is_some() {
            in_tests = true;
        }
        if !in_tests {
            left.push((number, line));
        }
        in_tests &= line != "}";
    }
    left
}

/// Counts over the source files that are not all tests or benchmarks. They are printed, not judged: a change that makes
/// one of them worse should have a reason.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// The lines of each file, with its unit tests. The other counts are without these.
    lines: Vec<usize>,
    /// `let (a, b) = (x, y);`, which is better written as one `let` on each line.
    paired_lets: usize,
    /// Functions called `of`: constructors that do not say from what.
    fn_of: usize,
    /// Items and fields that are public, and those that are public in their crate or module only.
    public: [usize; 2],
}

impl Counts {
    pub fn add(&mut self, file: &str, text: &str) {
        if is_tests(file) {
            return;
        }
        self.lines.push(text.lines().count());
        for line in without_tests(text).into_iter().map(|(_, line)| line.trim_start()) {
            let is_paired = line.starts_with("let (") && line.contains(") = (") && line.ends_with(");");
            self.paired_lets += usize::from(is_paired);
            let is_of = line.contains("fn of(") || line.contains("fn of<");
            self.fn_of += usize::from(is_of && !line.contains('"'));
            let [public, within] = &mut self.public;
            *public += usize::from(line.starts_with("pub "));
            *within += usize::from(line.starts_with("pub("));
        }
    }
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let mut lines = self.lines.clone();
        lines.sort_unstable();
        let median = lines.get(lines.len() / 2).copied().unwrap_or_default();
        let short = lines.iter().filter(|&&lines| lines < SLIVER).count();
        let [public, within] = self.public;
        let all = lines.iter().sum::<usize>();
        writeln!(f, "{all} lines in {} files, median {median}, {short} under {SLIVER}", lines.len())?;
        write!(f, "{} paired lets; {} `fn of`; {public} `pub`, {within} `pub(…)`", self.paired_lets, self.fn_of)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_source_file_needs_a_head() {
        let check = |text: &str, is_there: bool| {
            assert_eq!(check_head("src/lib.rs", text).is_none(), is_there, "{text}");
        };
        check("//! Rules.\n", true);
        check("", false);
        check("// Rules.\n", false);
        check("//!\n", false);
        check("use std::fs;\n//! Late.\n", false);
    }

    #[track_caller]
    fn check_room(file: &str, text: &str, is_enough: bool) {
        assert_eq!(check_length(file, text).is_none(), is_enough, "{file}");
    }

    #[test]
    fn more_than_700_lines_without_tests_are_too_many() {
        let code = |lines: usize| format!("//! Head.\n{}", "f();\n".repeat(lines - 1));
        let tests = format!("#[cfg(test)]\nmod tests {{\n{}}}\n", "fn f() { \"}\"; }\n".repeat(300));
        check_room("src/lib.rs", &code(700), true);
        check_room("src/lib.rs", &code(701), false);
        check_room("src/lib.rs", &(code(700) + &tests), true);
        check_room("src/lib.rs", &(code(701) + &tests), false);
        check_room("src/lib.rs", &(code(697) + &tests + "f();\nf();\nf();\n"), true);
        check_room("src/lib.rs", &(code(698) + &tests + "f();\nf();\nf();\n"), false);
        check_room("tests/main.rs", &code(900), true);
        check_room("src/games/boxing/tests.rs", &code(900), true);
    }

    #[test]
    fn a_test_module_in_another_file_takes_no_lines_away() {
        let text = format!("//! Head.\n#[cfg(test)]\nmod tests;\n{}", "fn f() {}\n".repeat(698));
        check_room("src/lib.rs", &text, false);
    }

    #[test]
    fn the_rules_must_be_no_std() {
        let is_wrong = |file: &str, text: &str| check_no_std(file, text).is_some();
        assert!(is_wrong("src/lib.rs", "//! A.\n// #![no_std]\n"));
        assert!(!is_wrong("src/lib.rs", "//! A.\n#![no_std]\n"));
        assert!(!is_wrong("sandbox/src/lib.rs", "//! A.\n"));
    }

    #[track_caller]
    fn check_lines(file: &str, text: &str, due: &[usize]) {
        let ids = ["chess", "nim"].map(str::to_string);
        let lines: Vec<usize> = check_games(file, text, &ids).iter().filter_map(|problem| problem.line).collect();
        assert_eq!(lines, due, "{file}: {text}");
    }

    #[test]
    fn a_game_may_be_named_only_in_its_own_places() {
        let text = "use crate::games::chess;\nlet game = \"nim\";\nuse games::{go, nim as heaps};\n";
        check_lines("harness/src/bot.rs", text, &[1, 2, 3]);
        check_lines("src/games.rs", text, &[1, 2, 3]);
        for own in ["src/games/chess.rs", "harness/src/games/nim/clock.rs", "bots/src/bin/nim/random.rs"] {
            check_lines(own, text, &[]);
        }
        for exempt in [LIST, LANGUAGES[0], "tests/bots.rs", "report/benches/html.rs", "cli/examples/own.rs"] {
            check_lines(exempt, text, &[]);
        }
    }

    #[test]
    fn comments_and_longer_names_are_not_games() {
        let text = "// games::chess\nuse games::chessboard;\nlet words = \"a nim-like game\";\nmod chess;\n";
        check_lines("harness/src/bot.rs", text, &[]);
        check_lines(
            "harness/src/bot.rs",
            "#[cfg(test)]\nmod tests {\n    use games::nim;\n}\nx(\"nim\");\n",
            &[5],
        );
    }

    #[test]
    fn the_games_are_those_of_the_rules() {
        let files =
            ["src/games/chess.rs", "src/games/chess/board.rs", "src/games.rs", "src/lib.rs"].map(str::to_string);
        assert_eq!(game_ids(&files), ["chess"]);
    }

    #[test]
    fn code_is_counted_without_comments_and_tests() {
        let text = "//! let (a, b) = (1, 2);\npub fn of(a: u8) {\n    let (b, c) = (a, a);\n}\npub(crate) struct X;\n\
                    #[cfg(test)]\nmod tests {\n    pub fn of() {}\n}\n";
        let mut counts = Counts::default();
        counts.add("src/lib.rs", text);
        counts.add("tests/main.rs", text);
        assert_eq!(counts, Counts { lines: vec![9], paired_lets: 1, fn_of: 1, public: [1, 1] });
    }
}
