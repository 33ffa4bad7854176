//! Tests the generic suites with Nim, a game that only this test has: bots with one fault each fail exactly the check
//! of that fault, in lines and with one process per move, against random moves and against themselves.

use cornerman_conformance::protocol::{LineSuite, PipeSuite};
use cornerman_conformance::{BotReport, Options, Suite, check, report};
use cornerman_harness::bot::Bot;
use cornerman_harness::sandbox::{self, Limits, Program};
use libtest_mimic::{Arguments, Failed, Trial};
use nim::NimGame;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

#[path = "nim/game.rs"]
mod nim;

static AGAINST_ITSELF: LineSuite = LineSuite::new(&NimGame { in_lines: true, lists_moves: false }, "NM", "N3");
static ONE_PROCESS_PER_MOVE: PipeSuite =
    PipeSuite::new(&NimGame { in_lines: false, lists_moves: true }, "NM", "N3");
static BOTH_SEATS: PipeSuite = PipeSuite::new(&NimGame { in_lines: false, lists_moves: false }, "NM", "N3");

/// The kinds of bot with one process per move, and the checks that they fail.
const MOVE_KINDS: [Kind; 17] = [
    ("none", &[]),
    ("mute", &["NM-OUT"]),
    ("takes-nothing", &["NM-MOVE"]),
    ("tires", &["NM-GAME"]),
    ("sleeps", &["NM-TIME"]),
    ("exits-with-1", &["NM-EXIT"]),
    ("segv", &["NM-SIGNAL"]),
    ("waits-for-end", &["NM-OPEN"]),
    ("needs-folder", &["NM-CWD"]),
    ("needs-home", &["NM-ENV"]),
    ("pipe-only", &["NM-FILE"]),
    ("leaves-process", &["NM-ORPHAN"]),
    ("writes-log", &["NM-STATE-ONLY"]),
    ("reads-opponents-state", &["NM-STATE-SEP"]),
    ("dies-on-junk", &["NM-STATE-CORRUPT"]),
    ("floods-stderr", &["NM-STDERR"]),
    ("random-moves", &[]),
];

fn main() {
    sandbox::serve_if_asked();
    let mut trials: Vec<Trial> = Vec::new();
    let [speaker, mover] = ["bot.py", "mover.c"].map(program_of);
    let mut suite = |name: &'static str, suite: &'static dyn Suite, program: &Path, kinds: &[Kind]| {
        for &(kind, fails) in kinds {
            let program = program.to_path_buf();
            let trial = move || fails_exactly(suite, name, &program, kind, fails);
            trials.push(Trial::test(format!("{name}::{kind}"), trial));
        }
    };
    // Those that play against random moves are mutants.
    suite("itself", &AGAINST_ITSELF, &speaker, &[("none", &[]), ("tires", &["NM-MOVE"])]);
    suite("moves", &ONE_PROCESS_PER_MOVE, &mover, &MOVE_KINDS);
    suite("both_seats", &BOTH_SEATS, &mover, &[("none", &[]), ("tires", &["NM-GAME"])]);
    trials.push(Trial::test("every_check_that_can_fail_has_a_bot_that_fails_it", || {
        // No kind is a program that cannot be started, or reads only a part of its input. The odd conditions are tried with
        // Boxing.
        let tried_elsewhere = ["STATE-COLD", "STATE-STALE", "ODD-EMPTY", "ODD-SHORT", "ODD-LONG", "ODD-CRLF"];
        let more = ["ODD-NUL", "ODD-NOARG", "ODD-LONGARG", "ODD-EPIPE", "DETERMINISM"];
        let but = ["START", "CHUNK"].into_iter().chain(tried_elsewhere).chain(more);
        let but: Vec<String> = but.map(|name| format!("NM-{name}")).collect();
        every_check_has_a_bot(
            &ONE_PROCESS_PER_MOVE,
            &MOVE_KINDS,
            &but.iter().map(String::as_str).collect::<Vec<_>>(),
        )
    }));
    let mut args = Arguments::from_args();
    // Most bots wait for lines.
    args.test_threads.get_or_insert(8);
    libtest_mimic::run(&args, trials).exit();
}

/// A kind of bot and the checks that it fails.
type Kind = (&'static str, &'static [&'static str]);

fn every_check_has_a_bot(suite: &dyn Suite, kinds: &[Kind], but: &[&str]) -> Result<(), Failed> {
    let checks = suite.catalogue().checks.iter().map(|check| check.id.as_str());
    let without: Vec<&str> = checks.filter(|id| !kinds.iter().any(|(_, fails)| *fails == [*id])).collect();
    if without == but { Ok(()) } else { Err(format!("{without:?}").into()) }
}

fn fails_exactly(
    suite: &'static dyn Suite,
    name: &str,
    program: &Path,
    kind: &str,
    fails: &[&str],
) -> Result<(), Failed> {
    let report = checked(suite, name, program, kind)?;
    let failed = report.results.iter().filter(|result| result.failure().is_some());
    let failed: Vec<&str> = failed.map(|result| result.check.id.as_str()).collect();
    if failed == fails && report.kit_failure.is_none() {
        return Ok(());
    }
    let shown = report::human(&report, &report::Layout::new(report::Style::plain()));
    Err(format!("`{kind}` should fail {fails:?}, but fails {failed:?}\n\n{shown}").into())
}

/// The program of `source` in a folder of the build. One in C starts quickly: some checks start it a thousand times.
fn program_of(source: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/nim").join(source);
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("nim");
    fs::create_dir_all(&folder).expect("a folder of the build");
    let program = folder.join(Path::new(source).file_stem().expect("a name"));
    if source.ends_with(".c") {
        let built = Command::new("cc").arg("-O1").arg("-o").arg(&program).arg(&path).status();
        assert!(built.is_ok_and(|status| status.success()), "{source} can be built");
    } else {
        fs::copy(&path, &program).expect("it can be copied");
    }
    program
}

fn checked(suite: &'static dyn Suite, name: &str, program: &Path, kind: &str) -> Result<BotReport, Failed> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("nim").join(name).join(kind);
    fs::remove_dir_all(&folder).ok();
    fs::create_dir_all(&folder)?;
    let path = folder.join(kind);
    // Not a copy: processes that other trials start meanwhile would keep it open for writing.
    fs::hard_link(program, &path)?;
    let bot = Bot {
        spec: path.display().to_string(),
        name: kind.to_string(),
        has_given_name: true,
        author: None,
        game: Some("nim".to_string()),
        program: Program { parts: vec![folder.clone(), path.clone()], argv: vec![path.into()], folder },
        limits: Limits::default(),
        source_sha256: None,
        program_sha256: None,
        toolchain: None,
        built: None,
        engine_protocol: None,
    };
    let options = Options { games: vec![suite], files: None, ..Options::default() };
    Ok(check(&[bot], &options, &mut |_| ())?.remove(0))
}
