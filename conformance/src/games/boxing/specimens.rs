//! Arenas that bots wrote or could write, right and wrong. The files in `specimens/boxing/` are part of the program.

use super::case::{self, Case};
use cornerman::games::boxing::{Boxing, judge};
use cornerman_harness::ruleset::Ruleset;
use include_dir::{Dir, File, include_dir};
use std::path::Path;

static FILES: Dir = include_dir!("$CARGO_MANIFEST_DIR/specimens/boxing");

/// The verdict of `ruleset` on each specimen, by name.
pub(super) fn verdicts(ruleset: &Ruleset) -> Vec<(String, String)> {
    let Some(boxing) = ruleset.rules_of::<Boxing>() else { return Vec::new() };
    let cases = case::fixed();
    let mut verdicts: Vec<(String, String)> =
        FILES.files().filter(|file| is_answer(file)).map(|file| verdict(file, boxing, cases)).collect();
    verdicts.sort();
    verdicts
}

fn is_answer(file: &File) -> bool {
    file.path().extension().is_some_and(|extension| extension == "arena")
}

/// The verdict on the answer `NAME.arena`. The head of `NAME.verdict` says which case it answers, and with which mark.
fn verdict(file: &File, boxing: &Boxing, cases: &[Case]) -> (String, String) {
    let name = file.path().file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let head = FILES.get_file(Path::new(&format!("{name}.verdict"))).and_then(File::contents_utf8);
    let value = |key: &str| head?.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(' '));
    let case = value("case").and_then(|name| cases.iter().find(|case| case.name == name));
    let case = case.unwrap_or_else(|| panic!("{name}.verdict has no line `case NAME`, or there is no such case"));
    let Some(&[mark]) = value("mark").map(str::as_bytes) else { panic!("{name}.verdict has no line `mark M`") };
    let words = match judge(&case.arena, mark, boxing.max_square, file.contents()) {
        Ok(Some(square)) => format!("legal: {square}"),
        Ok(None) => "legal: nothing to take".to_string(),
        Err(wrong) => format!("{} {}: {}", wrong.kind, wrong.rule, wrong.detail),
    };
    (name, words)
}
