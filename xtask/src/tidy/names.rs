//! Checks that the files that documents name exist.
//!
//! A name is checked when it is written in backticks, outside code blocks, as one word that
//! - has a slash and ends with a slash or a known extension, or begins with a top folder of the repository:
//!   it is looked for from the root;
//! - or has no slash and ends with `.rs`: a file of that name is looked for anywhere.
//!
//! `{a,b}` and `*` are expanded; every alternative must exist, and a `*` must match something. Names that are the
//! reader's own, such as `./mybot.rs`, `~/bots/` or `/tmp/arena.A`, begin with `./`, `..`, a tilde or a slash; they are
//! not checked, and neither are names below `target/` and names that do not fit the rules above. Targets of links are
//! checked too.

use super::Problem;

const EXTENSIONS: &[&str] = &["arena", "c", "json", "md", "py", "rs", "sh", "snap", "toml"];

/// Checks the names in one document; `files` are all files of the repository.
pub fn check(document: &str, text: &str, files: &[String]) -> Vec<Problem> {
    let mut problems = Vec::new();
    for (number, line) in prose(text) {
        for name in backticked(line).filter(|name| is_path(name, files)) {
            for path in expand(name).into_iter().filter(|path| !exists(path, files)) {
                let hint = "name a file that exists; write the reader's own files with a leading `./`";
                problems.push(Problem::new(document, number, format!("`{path}` does not exist"), hint));
            }
        }
        for path in linked(line).filter_map(|target| resolve(document, target)) {
            if !exists(&path, files) {
                let what = format!("the link's target `{path}` does not exist");
                problems.push(Problem::new(document, number, what, "link to a file that exists"));
            }
        }
    }
    problems
}

/// Checks that every rule in the table names the files that implement and test it: the last two columns name files, or
/// say `not built` without backticks.
pub fn check_requirements(document: &str, text: &str) -> Vec<Problem> {
    let rows = prose(text).filter_map(|(number, line)| {
        let cells: Vec<&str> =
            line.trim().strip_prefix('|')?.strip_suffix('|')?.split('|').map(str::trim).collect();
        let (letter, digits) = cells[0].split_at_checked(1)?;
        let is_rule = letter.chars().all(|c| c.is_ascii_uppercase()) && digits.parse::<u32>().is_ok();
        is_rule.then_some((number, cells))
    });
    let unnamed = rows.filter(|(_, cells)| {
        let cites = |cell: &&&str| backticked(cell).next().is_some() || cell.starts_with("not built");
        let cited = cells.iter().rev().take(2).filter(cites).count();
        cells.len() < 4 || cited < 2
    });
    unnamed
        .map(|(number, cells)| {
            let what = format!("{} does not say where it is implemented and where tested", cells[0]);
            Problem::new(document, number, what, "name the files in the last two columns")
        })
        .collect()
}

/// The lines outside code blocks, with their numbers.
fn prose(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut in_block = false;
    (1..).zip(text.lines()).filter(move |(_, line)| {
        let fence = line.trim_start().starts_with("```");
        in_block ^= fence;
        !in_block && !fence
    })
}

fn backticked(line: &str) -> impl Iterator<Item = &str> {
    line.split('`').skip(1).step_by(2)
}

/// The targets of links such as `[words](target)`.
fn linked(line: &str) -> impl Iterator<Item = &str> {
    line.split("](").skip(1).filter_map(|rest| rest.split_once(')')).map(|(target, _)| target)
}

/// The path from the root that a link in `document` means; `None` for one out of the repository.
fn resolve(document: &str, target: &str) -> Option<String> {
    let path = target.split('#').next().filter(|path| !path.is_empty() && !path.contains(':'))?;
    let mut folders: Vec<&str> = document.split('/').collect();
    folders.pop();
    for part in path.split('/') {
        match part {
            "." => {}
            ".." => drop(folders.pop()),
            part => folders.push(part),
        }
    }
    Some(folders.join("/"))
}

/// Whether a text in backticks is a name to check, by the rules at the head of this file.
fn is_path(name: &str, files: &[String]) -> bool {
    let in_alphabet = |c: char| c.is_ascii_alphanumeric() || "_-./{},*".contains(c);
    let of_the_reader = name.starts_with(['/', '~']) || name.starts_with("./") || name.starts_with("..");
    if of_the_reader || !name.chars().all(in_alphabet) || name.starts_with("target/") {
        return false;
    }
    let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
    match name.split_once('/') {
        None => extension == "rs",
        Some((first, _)) => {
            let top = format!("{first}/");
            name.ends_with('/')
                || EXTENSIONS.contains(&extension)
                || files.iter().any(|file| file.starts_with(&top))
        }
    }
}

/// Each name that `{a,b}` in `name` stands for.
fn expand(name: &str) -> Vec<String> {
    let braces = name.split_once('{').and_then(|(head, rest)| Some((head, rest.split_once('}')?)));
    match braces {
        None => vec![name.to_owned()],
        Some((head, (choices, tail))) => {
            choices.split(',').flat_map(|choice| expand(&format!("{head}{choice}{tail}"))).collect()
        }
    }
}

/// Whether `path` is a file or folder of the repository; without a slash, a file anywhere in it.
fn exists(path: &str, files: &[String]) -> bool {
    let parts: Vec<&str> = path.trim_end_matches('/').split('/').collect();
    files.iter().any(|file| {
        let of_file: Vec<&str> = file.split('/').collect();
        let is_file = of_file.len() == parts.len() && !path.ends_with('/');
        let is_folder = of_file.len() > parts.len();
        let begins = parts.iter().zip(&of_file).all(|(pattern, name)| matches(pattern, name));
        let anywhere = parts.len() == 1 && !path.ends_with('/') && of_file.last() == parts.last();
        anywhere || begins && (is_file || is_folder)
    })
}

/// Whether `name` fits `pattern`, in which `*` stands for anything.
fn matches(pattern: &str, name: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == name,
        Some((head, tail)) => name
            .strip_prefix(head)
            .is_some_and(|rest| (0..=rest.len()).filter_map(|at| rest.get(at..)).any(|rest| matches(tail, rest))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check_document(text: &str, due: &[&str]) {
        let files =
            ["README.md", "docs/protocol.md", "src/game.rs", "src/games/boxing.rs", "src/games/boxing/arena.rs"]
                .map(str::to_owned);
        let found: Vec<String> = check("docs/rules.md", text, &files).into_iter().map(|p| p.what).collect();
        assert_eq!(found, due, "{text}");
    }

    #[test]
    fn a_name_that_exists_is_fine() {
        check_document("`src/game.rs`, `src/games/`, `src/games`, `boxing.rs`, `src/games/boxing/`", &[]);
        check_document("`src/{game,games/boxing}.rs` and `src/games/*.rs`, `src/*/boxing/`", &[]);
        check_document("[how](protocol.md), [what](../README.md#what), [out](https://example.org/x.md)", &[]);
    }

    #[test]
    fn a_name_that_does_not_exist_is_found() {
        check_document("`src/gone.rs`", &["`src/gone.rs` does not exist"]);
        check_document("`gone.rs`", &["`gone.rs` does not exist"]);
        check_document("`src/gone`", &["`src/gone` does not exist"]);
        check_document("`gone/`", &["`gone/` does not exist"]);
        check_document("`gone/game.rs`", &["`gone/game.rs` does not exist"]);
        check_document("`src/game.rs/`", &["`src/game.rs/` does not exist"]);
        check_document("`src/{game,gone}.rs`", &["`src/gone.rs` does not exist"]);
        check_document("`src/games/*.toml`", &["`src/games/*.toml` does not exist"]);
        check_document("[how](README.md)", &["the link's target `docs/README.md` does not exist"]);
    }

    #[test]
    fn names_that_are_not_paths_of_the_repository_are_not_checked() {
        check_document("`./mybot.rs`, `~/bots/`, `/tmp/arena.A`, `../other/x.rs`, `target/debug/x`", &[]);
        check_document("`and/or`, `bot.toml`, `X::Y`, `cargo xtask check src/gone.rs`, src/gone.rs", &[]);
        check_document("```sh\ncat `src/gone.rs`\n```\n", &[]);
    }

    #[test]
    fn a_rule_names_the_files_that_implement_and_test_it() {
        let check = |row: &str| check_requirements("docs/requirements.md", row).len();
        assert_eq!(check("| B1 | 32 by 16 | `src/a.rs` | `src/b.rs` |"), 0);
        assert_eq!(check("| B1 | 32 by 16 | `src/a.rs` | |"), 1);
        assert_eq!(check("| B14 | `-` is vacant | by hand | `src/b.rs` |"), 1);
        assert_eq!(check("| B1 | `a` `b` |"), 1);
        assert_eq!(check("| B11 | six games | not built | not built |"), 0);
        assert_eq!(check("| id | rule | implemented in | tested in |\n|---|---|---|---|"), 0);
    }
}
