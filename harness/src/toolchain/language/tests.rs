//! The built-in list is complete; a mistake in a user's file is reported with its line.

use super::*;

/// The extensions that the published rules list, and Rust's (R2).
const EXTENSIONS: &str = "adb awk bf c cc clj cpp cs cxx d f90 f95 fs go hs java js lhs lisp ml php pl pro py rb rs scala scm \
                   sh tclsh";

#[test]
fn every_extension_of_the_published_rules_is_supported() {
    let mut there: Vec<&str> =
        Languages::built_in().all().iter().flat_map(|it| it.extensions.iter().map(String::as_str)).collect();
    there.sort_unstable();
    assert_eq!(there.join(" "), EXTENSIONS);
}

#[test]
fn the_built_in_languages_are_sorted_by_name() {
    let names: Vec<String> = Languages::built_in().all().iter().map(|it| it.name.to_lowercase()).collect();
    let mut sorted = names.clone();
    sorted.sort();
    assert_eq!(names, sorted);
}

/// The text of a file with one language, whose keys after the name are `rest`.
fn language(rest: &str) -> String {
    format!("[[language]]\nname = \"X\"\n{rest}\n")
}

#[track_caller]
fn check(rest: &str, wanted: &str) {
    let text = language(rest);
    let mistake = parse(SourceFile { path: Path::new("l.toml"), text: &text }).unwrap_err();
    assert_eq!(mistake.to_string(), wanted);
}

#[test]
fn mistakes_name_the_line_and_the_most_similar_word() {
    let fine = "extensions = [\"x\"]\n[[language.toolchain]]\npackages = []\n";
    check(&format!("{fine}run = [\"x\"]"), "l.toml:6: without a `build`, `run` must contain `{source}`");
    check(&format!("{fine}run = []"), "l.toml:6: a command is a list of words that begins with a program");
    check(
        &format!("{fine}run = [\"x\", \"{{sorce}}\"]"),
        "l.toml:6: unknown placeholder `{sorce}`, expected one of `{class}`, `{folder}`, `{program}`, `{source}`, \
         `{stem}` (did you mean `source`?)",
    );
    check(
        &format!("{fine}build = [\"x\", \"{{class}}\"]\nrun = [\"x\"]"),
        "l.toml:6: unknown placeholder `{class}`, expected one of `{folder}`, `{program}`, `{source}`, `{stem}`",
    );
    check("extensions = []\ntoolchain = []", "l.toml:3: a language needs an extension, such as \"py\"");
    check("extensions = [\"x\"]\ntoolchain = []", "l.toml:4: a language needs a toolchain");
    check(
        "extensions = [\".x\"]\ntoolchain = []",
        "l.toml:3: an extension is written without its dot, such as \"py\", not \".x\"",
    );
    check("extensions = [\"x\", \"x\"]\ntoolchain = []", "l.toml:3: .x is already an extension of this language");
    check(
        "extension = [\"x\"]\ntoolchain = []",
        "l.toml:3: unknown field `extension`, expected one of `name`, `extensions`, `toolchain` (did you mean \
         `extensions`?)",
    );
    check(
        &format!("{fine}run = [\"x\", \"{{source}}\"]\nrun_limits = {{ start_ms = 1 }}"),
        "l.toml:7: 1 is out of range: 10 to 3600000",
    );
}

#[test]
fn a_users_language_replaces_the_built_in_ones_for_its_extensions() {
    let text = "[[language]]\nname = \"My C++\"\nextensions = [\"cc\", \"new\"]\n[[language.toolchain]]\npackages = []\n\
                run = [\"x\", \"{source}\"]\n";
    let over = parse(SourceFile { path: Path::new("l.toml"), text }).unwrap();
    let merged = Languages::built_in().clone().overridden_by(over);
    let name = |file: &str| merged.for_file(Path::new(file)).map(|language| language.name.as_str());
    assert_eq!(
        ["a.cc", "a.new", "a.cpp", "a.py", "a.old"].map(name),
        [Some("My C++"), Some("My C++"), Some("C++"), Some("Python"), None]
    );
    assert_eq!(merged.named("my c++").unwrap().extensions, ["cc", "new"]);
    assert_eq!(
        merged.named("Pyton").unwrap_err().to_string(),
        "there is no language `Pyton` (did you mean `Python`?)"
    );
}
