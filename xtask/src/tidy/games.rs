//! Checks that a game is named only in its own folders, in tests, and in the list of games.
//!
//! The ids of the games are read from the rules' folder, so that this check names no game either.

use super::{Problem, code, rooms};

/// The list of games.
const LIST: &str = "cli/src/games.rs";

/// Lists of programming languages, one of which has the name of a game.
const LANGUAGES: [&str; 2] = ["conformance/src/language.rs", "reference-bots/src/templates.rs"];

/// The folder in which the rules have a file for each game.
const RULES: &str = "src/games/";

/// The ids of the games, from the names of all files of the repository.
pub fn ids(files: &[String]) -> Vec<String> {
    let of_game = |file: &String| file.strip_prefix(RULES)?.strip_suffix(".rs").map(str::to_string);
    files.iter().filter_map(of_game).filter(|name| !name.contains('/')).collect()
}

/// Checks that a source file names none of the games with these `ids`, neither by a module's path nor by the id as a
/// string.
pub fn check(file: &str, text: &str, ids: &[String]) -> Vec<Problem> {
    let is_of_game = |part: &str| ids.iter().any(|id| part.strip_suffix(".rs").unwrap_or(part) == id);
    if file == LIST
        || LANGUAGES.contains(&file)
        || rooms::is_tests(file)
        || file.split('/').any(is_of_game)
        || file.contains("/examples/")
    {
        return Vec::new();
    }
    let code = rooms::without_tests(&code::with_strings(text));
    let mut problems = Vec::new();
    for (number, line) in (1..).zip(code.lines()) {
        for id in ids.iter().filter(|id| names(line, id)) {
            let hint = "move the code into the game's folder, and get the game from the list in cli/src/games.rs";
            problems.push(Problem::new(file, number, format!("the game `{id}` is named"), hint));
        }
    }
    problems
}

/// Whether a line of code has the game's module in a path, or the id as a whole string.
fn names(line: &str, id: &str) -> bool {
    let path = format!("games::{id}");
    let is_whole = |at: usize| {
        let after = line[at + path.len()..].chars().next();
        !after.is_some_and(|c| c.is_alphanumeric() || c == '_')
    };
    line.match_indices(&path).any(|(at, _)| is_whole(at)) || line.contains(&format!("\"{id}\""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check_lines(file: &str, text: &str, due: &[usize]) {
        let ids = ["chess", "nim"].map(str::to_string);
        let lines: Vec<usize> = check(file, text, &ids).iter().filter_map(|problem| problem.line).collect();
        assert_eq!(lines, due, "{file}: {text}");
    }

    #[test]
    fn a_game_may_be_named_only_in_its_own_places() {
        let text = "use crate::games::chess;\nlet game = \"nim\";\n";
        check_lines("harness/src/bot.rs", text, &[1, 2]);
        check_lines("src/games.rs", text, &[1, 2]);
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
        assert_eq!(ids(&files), ["chess"]);
    }
}
