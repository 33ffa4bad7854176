//! Verdicts on recorded outputs, which need no bot. `NAME.arena` is an output. `NAME.verdict` begins with the case and
//! the mark that the bot was given; after a line `---` follows the verdict, which is compared as bytes.

use cornerman::games::boxing::Arena;
use cornerman_conformance::games::boxing::{Boxing, case, cause_of_answer};
use cornerman_conformance::{Evidence, Finding, PICTURE_COLUMNS, Suite};
use cornerman_harness::player::marks::move_request;
use cornerman_harness::sandbox::{Ended, RunReport};
use libtest_mimic::{Arguments, Failed, Trial};
use std::fs;
use std::path::{Path, PathBuf};

const RULE: &str = "---\n";

fn main() {
    let args = Arguments::from_args();
    let mut trials: Vec<Trial> = specimens().into_iter().map(trial).collect();
    let count = trials.len();
    trials.push(Trial::test("there_are_enough_specimens", move || {
        if count >= 30 { Ok(()) } else { Err(format!("only {count}").into()) }
    }));
    libtest_mimic::run(&args, trials).exit();
}

fn specimens() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("specimens/boxing");
    let entries = fs::read_dir(&folder).expect("the folder of specimens");
    let mut found: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    found.retain(|path| path.extension().is_some_and(|extension| extension == "arena"));
    found.sort();
    found
}

fn trial(path: PathBuf) -> Trial {
    let name = path.file_stem().expect("a file has a name").to_string_lossy().into_owned();
    Trial::test(name, move || check(&path))
}

fn check(path: &Path) -> Result<(), Failed> {
    let output = fs::read(path)?;
    let golden = path.with_extension("verdict");
    let text = fs::read_to_string(&golden)?;
    let (head, wanted) = text.split_once(RULE).ok_or("no line `---` in the verdict")?;
    let (case, mark) = case::specimen(head)?;
    let said = verdict(&case.arena, mark, output);
    if said.as_bytes() == wanted.as_bytes() {
        return Ok(());
    }
    if std::env::var_os("ACCEPT").is_some() {
        return Ok(fs::write(&golden, format!("{head}{RULE}{said}"))?);
    }
    let difference = similar::TextDiff::from_lines(wanted, said.as_str());
    Err(format!("{}", difference.unified_diff().header("golden", "said").missing_newline_hint(true)).into())
}

/// The verdict on `output` as the answer of the bot with `mark` to `arena`: `legal`, or the check that it fails, with
/// the cause and a picture.
fn verdict(arena: &Arena, mark: u8, output: Vec<u8>) -> String {
    let Some(cause) = cause_of_answer(arena, mark, &output) else { return "legal\n".to_string() };
    let check = Boxing.catalogue().get(cause.check).expect("the catalogue has the ids of all causes");
    let mut lines = vec![format!("{} {} {}", check.id, check.severity, check.requirement), cause.what.clone()];
    let evidence = Evidence {
        case: String::new(),
        about: String::new(),
        request: move_request(mark, &arena.to_bytes()),
        state: None,
        report: RunReport { output, ..RunReport::from_ended(Ended::Exited(0)) },
        transcript: None,
    };
    let picture = Boxing.picture(&Finding::new(None, cause, evidence), PICTURE_COLUMNS);
    lines.extend(picture.into_iter().map(|line| line.margin + &line.text));
    lines.join("\n") + "\n"
}
