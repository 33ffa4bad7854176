//! `accept`: makes what the tests find now what they expect: snapshots, golden files, generated parts of documents.
//!
//! Each kind is what one command of cargo compares with files of the checkout. With `ACCEPT=1` and insta's variable in
//! its environment, or with `--accept`, it writes them instead. What changed is then read in `git diff`, as users will
//! see the same change.

use anyhow::{Context, bail};
use std::path::Path;
use std::process::{Command, ExitCode};

/// A kind of kept files: its name, the arguments of cargo that write them, and what they are.
type KeptKind = (&'static str, &'static [&'static str], &'static str);

/// All kinds, which are accepted if none is named.
const KINDS: [KeptKind; 8] = [
    ("rules", &["test", "-p", "cornerman", "--lib"], "snapshots in `src/`"),
    ("harness", &["test", "-p", "cornerman-harness"], "snapshots in `harness/`"),
    ("report", &["test", "-p", "cornerman-report"], "snapshots in `report/`"),
    ("conformance", &["test", "-p", "cornerman-conformance"], "specimens in `conformance/`"),
    ("mutants", &["test", "-p", "cornerman-mutants"], "snapshots in `mutants/`"),
    ("pages", &["test", "-p", "cornerman-cli", "--lib"], "the keys in `docs/rulesets.md`"),
    ("trials", &["test", "-p", "cornerman-cli", "--test", "end_to_end"], "snapshots and texts in `tests/`"),
    ("rulesets", &["xtask", "rules", "test", "rulesets", "--accept"], "`rulesets/*.snapshot`"),
];

/// Not accepted unless it is named: it needs root, and plays the contests of the kept records again.
const RECORDS: &str = "records";

/// Accepts the kinds that are named first on the command line, or all. What follows them selects tests, as for
/// `cargo test`. The exit code is 2 if a word is not a kind and none was named before it.
///
/// # Errors
/// When a test fails for another reason than what is kept.
pub fn run(root: &Path) -> anyhow::Result<ExitCode> {
    let words: Vec<String> = std::env::args().skip(2).collect();
    let kind = |word: &String| KINDS.iter().find(|(name, ..)| name == word);
    let named: Vec<&KeptKind> = words.iter().map_while(kind).collect();
    let filters = &words[named.len()..];
    if named.is_empty() && filters == [RECORDS] {
        finish(Command::new("tests/data/records/make.py").arg("target/debug/cornerman"), root)?;
        return Ok(ExitCode::SUCCESS);
    }
    if let (true, Some(word)) = (named.is_empty(), filters.first()) {
        let known: Vec<String> = KINDS.iter().map(|(name, _, what)| format!("  {name:12} {what}")).collect();
        anstream::eprintln!(
            "error: `{word}` is not a kind of kept files; they are\n{}\n  {RECORDS:12} `tests/data/records/*.db`",
            known.join("\n")
        );
        return Ok(ExitCode::from(2));
    }
    let all: Vec<&KeptKind> = KINDS.iter().collect();
    for (name, arguments, _) in if named.is_empty() { all } else { named } {
        anstream::println!("== {name}");
        let mut cargo = Command::new("cargo");
        cargo.args(*arguments).args(filters).env("ACCEPT", "1").env("INSTA_UPDATE", "always");
        finish(&mut cargo, root)?;
    }
    anstream::println!("accepted: read `git diff` before you commit it");
    Ok(ExitCode::SUCCESS)
}

/// Runs a command in the checkout to its end.
fn finish(command: &mut Command, root: &Path) -> anyhow::Result<()> {
    let shown = format!("{command:?}");
    let status = command.current_dir(root).status().with_context(|| format!("starting {shown}"))?;
    if status.success() { Ok(()) } else { bail!("{shown} failed: {status}") }
}
