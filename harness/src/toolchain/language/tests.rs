//! The built-in list is whole; mistakes in a user's list are told with their line.

use super::*;

/// The document's extensions, and Rust's (R2).
const DUE: &str = "adb awk bf c cc clj cpp cs cxx d f90 f95 fs go hs java js lhs lisp ml php pl pro py rb rs scala scm \
                   sh tclsh";

#[test]
fn every_extension_of_the_document_is_there() {
    let mut there: Vec<&str> =
        Languages::built_in().all().iter().flat_map(|it| it.extensions.iter().map(String::as_str)).collect();
    there.sort_unstable();
    assert_eq!(there.join(" "), DUE);
}

#[test]
fn the_built_in_languages_are_in_the_order_of_their_names() {
    let names: Vec<String> = Languages::built_in().all().iter().map(|it| it.name.to_lowercase()).collect();
    let mut sorted = names.clone();
    sorted.sort();
    assert_eq!(names, sorted);
}

/// A language of which only `rest` is to be looked at.
fn language(rest: &str) -> String {
    format!("[[language]]\nname = \"X\"\n{rest}\n")
}

#[track_caller]
fn check(rest: &str, wanted: &str) {
    let text = language(rest);
    let mistake = parse(Source { path: Path::new("l.toml"), text: &text }).unwrap_err();
    assert_eq!(mistake.to_string(), wanted);
}

#[test]
fn mistakes_name_the_line_and_the_nearest() {
    let fine = "extensions = [\"x\"]\n[[language.toolchain]]\npackages = []\n";
    check(&format!("{fine}run = [\"x\"]"), "l.toml:6: without a `build`, `run` has to name the `{source}`");
    check(&format!("{fine}run = []"), "l.toml:6: a command is a list of words, the first a program");
    check(
        &format!("{fine}run = [\"x\", \"{{sorce}}\"]"),
        "l.toml:6: `{sorce}` stands for nothing here; `{class}`, `{folder}`, `{program}`, `{source}`, `{stem}` do (did \
         you mean `source`?)",
    );
    check(
        &format!("{fine}build = [\"x\", \"{{class}}\"]\nrun = [\"x\"]"),
        "l.toml:6: `{class}` stands for nothing here; `{folder}`, `{program}`, `{source}`, `{stem}` do",
    );
    check("extensions = []\ntoolchain = []", "l.toml:3: a language needs an extension, such as \"py\"");
    check("extensions = [\"x\"]\ntoolchain = []", "l.toml:4: a language needs a toolchain");
    check(
        "extensions = [\".x\"]\ntoolchain = []",
        "l.toml:3: an extension is written without its dot, such as \"py\", not \".x\"",
    );
    check("extensions = [\"x\", \"x\"]\ntoolchain = []", "l.toml:3: .x is an extension of this language already");
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
fn a_users_language_takes_its_extensions_from_the_built_in_ones() {
    let text = "[[language]]\nname = \"My C++\"\nextensions = [\"cc\", \"new\"]\n[[language.toolchain]]\npackages = []\n\
                run = [\"x\", \"{source}\"]\n";
    let over = parse(Source { path: Path::new("l.toml"), text }).unwrap();
    let merged = Languages::built_in().clone().under(over);
    let name = |file: &str| merged.of(Path::new(file)).map(|language| language.name.as_str());
    assert_eq!(
        ["a.cc", "a.new", "a.cpp", "a.py", "a.old"].map(name),
        [Some("My C++"), Some("My C++"), Some("C++"), Some("Python"), None]
    );
    assert_eq!(merged.named("my c++").unwrap().extensions, ["cc", "new"]);
    assert_eq!(merged.named("Pyton").unwrap_err(), "there is no language `Pyton` (did you mean `Python`?)");
}
