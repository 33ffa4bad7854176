//! Tests the generic suites with Nim, a game that only this test has: bots with one fault each fail exactly the check
//! of that fault, in lines and with one process per move, against random moves and against themselves.

use cornerman_conformance::protocol::{LineSuite, PipeSuite};
use cornerman_conformance::{BotReport, Options, Suite, check, report};
use cornerman_harness::bot::Bot;
use cornerman_harness::sandbox::{self, Limits, Program};
use libtest_mimic::{Arguments, Failed, Trial};
use nim::NimGame;
use std::fs;
use std::path::Path;

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
    let mut suite = |name: &'static str, suite: &'static dyn Suite, program: &'static str, kinds: &[Kind]| {
        for &(kind, fails) in kinds {
            let trial = move || fails_exactly(suite, name, program, kind, fails);
            trials.push(Trial::test(format!("{name}::{kind}"), trial));
        }
    };
    // Those that play against random moves are mutants.
    suite("itself", &AGAINST_ITSELF, "bot.py", &[("none", &[]), ("tires", &["NM-MOVE"])]);
    suite("moves", &ONE_PROCESS_PER_MOVE, "mover.py", &MOVE_KINDS);
    suite("both_seats", &BOTH_SEATS, "mover.py", &[("none", &[]), ("tires", &["NM-GAME"])]);
    trials.push(Trial::test("every_check_that_can_fail_has_a_bot_that_fails_it", || {
        // No kind is a program that cannot be started. Python starts too slowly for a read to return only a part of the
        // input. The odd conditions are tried with Boxing, whose bots are faster.
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
    program: &str,
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

fn checked(suite: &'static dyn Suite, name: &str, program: &str, kind: &str) -> Result<BotReport, Failed> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("nim").join(name).join(kind);
    fs::remove_dir_all(&folder).ok();
    fs::create_dir_all(&folder)?;
    let path = folder.join(kind);
    fs::copy(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/nim").join(program), &path)?;
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
