//! Tests the suite with mutants: bots with one fault each. Every mutant fails exactly the checks that the table of
//! kinds lists, near misses fail none, and every check has a mutant that only it catches.

use cornerman_conformance::games::Suite;
use cornerman_conformance::protocol::ProtocolSuite;
use cornerman_conformance::{BotReport, Catalogue, Options, Outcome, Severity, check, games};
use cornerman_harness::bot::Bot;
use cornerman_harness::ruleset::Ruleset;
use cornerman_harness::sandbox::{self, Conditions, Level, Limits, Program};
use cornerman_mutants::{GAMES, MutantKind, kinds};
use cornerman_report::Style;
use cornerman_report::check::{Layout, text};
use libtest_mimic::{Arguments, Failed, Trial};
use nim::NimGame;
use sample::Matrix;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::num::NonZero;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::sync::{LazyLock, OnceLock};
use std::thread;
use std::time::Duration;

mod nim;
#[path = "../../tests/support/sample.rs"]
mod sample;

/// The program that plays as every kind of mutant.
const MUTANT: &str = env!("CARGO_BIN_EXE_mutant");

/// Files that some mutants leave behind at levels of isolation that do not remove them.
const LITTER: [&str; 6] = [
    "/tmp/boxing.log",
    "/tmp/arena",
    "/var/tmp/boxing.log",
    "/dev/shm/boxing.log",
    "/tmp/rps.history",
    "/dev/shm/rps.history",
];

fn main() {
    sandbox::serve_if_asked();
    let mut args = Arguments::from_args();
    // Most mutants wait: for a limit, or for lines. So more trials run at a time than there are processors.
    args.test_threads.get_or_insert(5 * thread::available_parallelism().map_or(1, NonZero::get));
    // The slowest come first.
    let slowest = ["go", "rps", "boxing", "nim", "heaps"];
    let mut all: Vec<&'static MutantKind> = slowest.into_iter().flat_map(kinds).collect();
    // On a machine with one processor, that number is the same in all surroundings.
    let is_single = thread::available_parallelism().is_ok_and(|many| many.get() == 1);
    all.retain(|kind| kind.name != "rps-processor-seeded" || !is_single);
    all.sort_by_key(|kind| !is_waiting(kind.name));
    let mut trials = vec![
        Trial::test("once::hangs", || fails_for_one_move("hangs", "sleep 60", &["BX-TIME-HARD"])),
        Trial::test("once::aborts", || {
            fails_for_one_move("aborts", "kill -ABRT $$", &["BX-RUN-SIGNAL", "BX-MOV-MARK"])
        }),
    ];
    for &kind in &all {
        trials.push(Trial::test(format!("mutant::{}", kind.name), || fails_exactly(kind)));
    }
    for kind in all {
        if takes_the_right_cases(kind) {
            trials.push(Trial::test(format!("first_round::{}", kind.name), || in_first_round(kind)));
        }
    }
    trials.extend([
        Trial::test("near_miss::shell_script", || passes("wrapper.sh", "boxing")),
        Trial::test("near_miss::python", || passes("largest.py", "boxing")),
        Trial::test("near_miss::python_hands", || passes("counting.py", "rps")),
        Trial::test("itself::none", || against_itself("nim-none", &AGAINST_ITSELF, &[])),
        Trial::test("itself::nonsense", || against_itself("nim-nonsense", &AGAINST_ITSELF, &["NM-MOVE"])),
        Trial::test("both_seats::none", || against_itself("heaps-none", &BOTH_SEATS, &[])),
        Trial::test("both_seats::tires", || against_itself("heaps-tires", &BOTH_SEATS, &["HP-GAME"])),
        Trial::test("exec::not_executable", || cannot_start("not-executable", b"#!/bin/sh\ncat\n", 0o644)),
        Trial::test("exec::bad_interpreter", || {
            cannot_start("bad-interpreter", b"#!/no/such/interpreter\n", 0o755)
        }),
        Trial::test("exec::other_machine", || cannot_start("other-machine", b"\x7fELF nothing else", 0o755)),
    ]);
    for suite in SUITES {
        let trial = || every_check_has_a_mutant_of_its_own(kinds(suite.game()), suite.catalogue());
        trials.push(Trial::test(format!("every_check_of_{}_has_a_mutant_of_its_own", suite.game()), trial));
    }
    let mut trials = sample::choose(&args, MATRICES, trials);
    // They compare the kinds that run.
    let run: BTreeSet<String> =
        trials.iter().filter_map(|it| it.name().strip_prefix("mutant::")).map(String::from).collect();
    for game in GAMES.iter() {
        let run = run.clone();
        let name =
            if game.id == "boxing" { "kill_matrix".to_string() } else { format!("kill_matrix_{}", game.id) };
        trials.push(Trial::test(name.clone(), move || kill_matrix(&name, &game.kinds, &run)));
    }
    let conclusion = libtest_mimic::run(&args, trials);
    if !args.list {
        for path in &LITTER {
            _ = fs::remove_file(path);
        }
    }
    conclusion.exit();
}

/// Each run takes a sample of the mutants, some for each check.
const MATRICES: &[Matrix] = &[
    Matrix { what: "mutants", one_in: 9, group: |name| Some(check_that_fails(name.strip_prefix("mutant::")?)) },
    Matrix {
        what: "mutants in the first round",
        one_in: 12,
        group: |name| Some(check_that_fails(name.strip_prefix("first_round::")?)),
    },
];

/// The first check that a kind fails. What Nim's checks find, those of other games find too.
fn check_that_fails(name: &str) -> String {
    if let Some(game) = ["nim", "heaps"].into_iter().find(|game| name.starts_with(game)) {
        return game.to_string();
    }
    let kind = GAMES.iter().flat_map(|game| &*game.kinds).find(|kind| kind.name == name);
    kind.and_then(|kind| kind.expect.first()).map_or_else(String::new, ToString::to_string)
}

/// The report about each kind, which is made only once.
static REPORTS: LazyLock<BTreeMap<&str, OnceLock<BotReport>>> = LazyLock::new(|| {
    let kinds = GAMES.iter().flat_map(|game| &*game.kinds);
    kinds.map(|kind| (kind.name, OnceLock::new())).collect()
});

fn report_of(kind: &MutantKind) -> &'static BotReport {
    REPORTS[kind.name].get_or_init(|| {
        let folder = folder(kind.name);
        mutant(kind.name, folder, &options(kind.name, game_of(kind.name)))
    })
}

/// The report about a link to the mutant in `folder`. A copy of the program would be copied again for every sandbox.
fn mutant(name: &str, folder: PathBuf, options: &Options) -> BotReport {
    let path = folder.join(name);
    symlink(MUTANT, &path).expect("a link to the program");
    checked(name, path, folder, options)
}

/// Kinds whose fault shows only in cases that are left out without a time budget.
const MISSED: &[&str] = &[
    "illegal-at-move-40",
    "capital-o-vacant",
    "sample-book",
    "rps-stops-at-999",
    "rps-room-for-a-thousand",
    "rps-leaves-after-ties",
    "rps-dies-late",
    "rps-dies-of-losses",
    "rps-sleeps-late",
    "rps-ignores",
    "rps-history-late",
    "go-keeps-captured-stones-warily",
    "go-dies-at-400",
    "go-waits-at-250",
    "go-captures-one-chain",
    "go-loses-column-t",
    "go-reads-column-i",
    "go-ignores-column-t",
];

/// Kinds of which a few games show that something is wrong, but not what, or not each time.
const UNCLEAR: &[&str] =
    &["go-captures-single-stones", "go-rows-from-top", "rps-rarely-another-name", "rps-rarely-another-hand"];

/// Ids of checks, or their beginnings, that every run can fail, including the first.
const SEEN_ANYWHERE: [&str; 13] = [
    "BX-OUT-", "RP-QUIET", "RP-TOKEN", "RP-LF", "RP-ONE", "RP-ORDER", "RP-FLUSH", "GO-TURN", "GO-LF", "GO-ONE",
    "GO-FLUSH", "NM-", "HP-",
];

/// Whether the fault of a kind shows only in the right cases, and soon.
fn takes_the_right_cases(kind: &MutantKind) -> bool {
    let anywhere = |id: &&str| SEEN_ANYWHERE.iter().any(|known| id.starts_with(known));
    !kind.expect.iter().any(anywhere) && !is_waiting(kind.name) && !UNCLEAR.contains(&kind.name)
}

/// Checks that a kind fails the same checks if only the first round fits the budget, or none if its fault takes longer
/// to show.
fn in_first_round(kind: &MutantKind) -> Result<(), Failed> {
    let options = Options { budget: Some(Duration::ZERO), ..options(kind.name, game_of(kind.name)) };
    let report = mutant(kind.name, folder(&format!("first-round/{}", kind.name)), &options);
    let missed = MISSED.contains(&kind.name);
    expect(&report, if missed { &[] } else { &kind.expect })
}

/// The id of the game that a kind plays.
fn game_of(kind: &str) -> &'static str {
    let found = GAMES.iter().find(|game| game.kinds.iter().any(|other| other.name == kind));
    found.unwrap_or_else(|| panic!("no game has the kind `{kind}`")).id
}

/// An empty folder outside of those in which all programs write.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("bots").join(name);
    fs::remove_dir_all(&folder).ok();
    fs::create_dir_all(&folder).expect("a folder for a bot");
    folder
}

/// Kinds that run until a limit stops them. They get shorter limits, so that the tests wait less.
const WAITING: &[&str] = &[
    "sleep-over-limit",
    "spin",
    "waits-for-end",
    "waits-for-the-rest",
    "retries-closed-pipe",
    "rps-waits-first",
    "rps-name-without-lf",
    "rps-flushes-its-name",
    "rps-near-ignores-eof",
    "rps-holds-its-name",
    "rps-starts-late",
    "rps-no-lf-late",
    "rps-last-without-lf",
    "rps-forgets-to-flush-late",
    "rps-shows-nothing-late",
    "go-black-waits",
    "go-slow-after-time",
    "go-sleeps-after-time",
    "go-hangs-on-junk",
    "go-answers-time",
];

/// Those of the protocol, in all games.
const WAITING_IN_LINES: &[&str] = &[
    "no-lf",
    "no-lf-once",
    "cr-only",
    "buffered",
    "flushes-every-second",
    "holds-one-back",
    "sleeps",
    "reads-first",
    "read-once",
    "needs-home",
    "ignores-eof",
];

fn is_waiting(name: &str) -> bool {
    let of_protocol = without_game(name).unwrap_or(name);
    let in_lines = of_protocol != name && !name.starts_with("heaps-");
    WAITING.contains(&name)
        || if in_lines { WAITING_IN_LINES.contains(&of_protocol) } else { WAITING.contains(&of_protocol) }
}

/// The name of a kind of a protocol, without that of its game.
fn without_game(name: &str) -> Option<&str> {
    GAMES.iter().find_map(|game| name.strip_prefix(game.id)?.strip_prefix('-'))
}

/// The suites of the games whose mutants these are.
static SUITES: [&dyn Suite; 5] = [&games::boxing::Boxing, &games::rps::Rps, &games::go::Go, &NIM, &HEAPS];

/// A game whose checks are those of the protocol alone, in lines and with one process for each move.
static NIM: ProtocolSuite = ProtocolSuite::in_lines(&NimGame { in_lines: true, lists_moves: true }, "NM", "N3");
static HEAPS: ProtocolSuite =
    ProtocolSuite::with_pipes(&NimGame { in_lines: false, lists_moves: true }, "HP", "N3");

/// The same without lists of legal moves, so that a bot plays against itself.
static AGAINST_ITSELF: ProtocolSuite =
    ProtocolSuite::in_lines(&NimGame { in_lines: true, lists_moves: false }, "NM", "N3");
static BOTH_SEATS: ProtocolSuite =
    ProtocolSuite::with_pipes(&NimGame { in_lines: false, lists_moves: false }, "HP", "N3");

/// Checks that a kind fails exactly the checks `ids` if it plays against itself.
fn against_itself(name: &str, suite: &'static dyn Suite, ids: &[&str]) -> Result<(), Failed> {
    let options = Options { games: vec![suite], ..options(name, suite.game()) };
    expect(&mutant(name, folder(&format!("itself/{name}")), &options), ids)
}

fn options(name: &str, game: &str) -> Options {
    let game_named = Some(game.to_string());
    let mut options = Options { games: SUITES.to_vec(), game: game_named, files: None, ..Options::default() };
    if is_waiting(name) {
        let usual = games::suite(&SUITES, game).expect("a suite").kit().default_ruleset();
        let limits = Limits { start: usual.limits.start / 3, ..usual.limits.clone() };
        options.ruleset = Some(Ruleset { limits, ..usual });
        options.limits.move_time = Some(Duration::from_secs(1));
    }
    options
}

fn checked(name: &str, path: PathBuf, folder: PathBuf, options: &Options) -> BotReport {
    let bot = Bot {
        spec: path.display().to_string(),
        name: name.to_string(),
        has_given_name: true,
        author: None,
        game: options.game.clone(),
        program: Program { parts: vec![folder.clone(), MUTANT.into()], argv: vec![path.into()], folder },
        limits: Limits::default(),
        source_sha256: None,
        program_sha256: None,
        toolchain: None,
        built: None,
        engine_protocol: None,
    };
    check(&bot, "", options, &mut |_, _| ()).expect("the suite runs")
}

fn failed(report: &BotReport) -> BTreeSet<&str> {
    report.results.iter().filter(|r| r.failure().is_some()).map(|r| r.check.id.as_str()).collect()
}

fn expect(report: &BotReport, ids: &[&str]) -> Result<(), Failed> {
    if failed(report) == ids.iter().copied().collect() && report.kit_failure.is_none() {
        return Ok(());
    }
    let shown = text(report, &Layout::new(Style::plain()));
    Err(format!("it should fail {ids:?}, but fails {:?}\n\n{shown}", failed(report)).into())
}

fn fails_exactly(kind: &MutantKind) -> Result<(), Failed> {
    expect(report_of(kind), &kind.expect).map_err(|failed| {
        let message = failed.message().unwrap_or_default();
        format!("`{}`, which {}: {message}", kind.name, kind.fault).into()
    })
}

fn passes(script: &str, game: &str) -> Result<(), Failed> {
    let folder = folder(script);
    let path = folder.join(script);
    fs::copy(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/near-misses").join(script), &path)?;
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755))?;
    fs::copy(MUTANT, folder.join("mutant"))?;
    expect(&checked(script, path, folder, &options(script, game)), &[])
}

/// Checks that a bot that does `fault` in a single one of its moves, and not when it is asked again, fails one of the
/// checks `ids`, or that of arenas with many marks, whichever move it is.
fn fails_for_one_move(name: &str, fault: &str, ids: &[&str]) -> Result<(), Failed> {
    for at in (3..=30).step_by(3) {
        let folder = folder(&format!("{name}/{at}"));
        let path = folder.join(name);
        // Its files outlive a run only where bots share the machine's own.
        let counts = format!("cd '{}'\nprintf x >>count\n", folder.display());
        let fails = format!("[ $(wc -c <count) -ge {at} ] && mkdir done 2>/dev/null && {fault}\n");
        fs::write(&path, format!("#!/bin/sh\n{counts}{fails}exec '{MUTANT}' none \"$@\"\n"))?;
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755))?;
        let conditions = Conditions { at_most: Some(Level::Plain), ..Conditions::default() };
        let run: Vec<String> = ids.iter().chain(&["BX-NPLAYER"]).map(ToString::to_string).collect();
        let budget = Some(Duration::ZERO);
        let options = Options { conditions, run, budget, ..options(name, "boxing") };
        let report = checked(name, path, folder, &options);
        if failed(&report).len() != 1 {
            let shown = text(&report, &Layout::new(Style::plain()));
            return Err(format!("it {name} at move {at}, and fails {:?}\n\n{shown}", failed(&report)).into());
        }
    }
    Ok(())
}

fn cannot_start(name: &str, content: &[u8], mode: u32) -> Result<(), Failed> {
    let folder = folder(name);
    let path = folder.join(name);
    fs::write(&path, content)?;
    fs::set_permissions(&path, fs::Permissions::from_mode(mode))?;
    let report = checked(name, path, folder, &options(name, "boxing"));
    expect(&report, &["BX-RUN-EXEC"])?;
    let others = report.results.iter().filter(|result| result.check.id != "BX-RUN-EXEC");
    let blocked = |outcome: &Outcome| matches!(outcome, Outcome::Blocked { by } if by == "BX-RUN-EXEC");
    let judged: Vec<&str> =
        others.filter(|result| !blocked(&result.outcome)).map(|result| result.check.id.as_str()).collect();
    if judged.is_empty() {
        Ok(())
    } else {
        Err(format!("judged although the bot cannot be started: {judged:?}").into())
    }
}

/// The checks of programs that cannot be started.
const WITHOUT_MUTANT: [&str; 2] = ["BX-RUN-EXEC", "HP-START"];

fn every_check_has_a_mutant_of_its_own(kinds: &[MutantKind], catalogue: &Catalogue) -> Result<(), Failed> {
    let lonely = |id: &str| !kinds.iter().any(|kind| kind.expect == [id]);
    let without: Vec<&str> = catalogue
        .checks
        .iter()
        .filter(|check| {
            check.severity > Severity::Info && !WITHOUT_MUTANT.contains(&&*check.id) && lonely(&check.id)
        })
        .map(|check| check.id.as_str())
        .collect();
    let faultless = |name: &str| {
        let name = without_game(name).unwrap_or(name);
        name == "none" || name.starts_with("near-")
    };
    let harmless: Vec<&str> = kinds
        .iter()
        .filter(|kind| kind.expect.is_empty() && !faultless(kind.name))
        .map(|kind| kind.name)
        .collect();
    if without.is_empty() && harmless.is_empty() {
        return Ok(());
    }
    Err(format!("checks without a mutant of their own: {without:?}; mutants that no check catches: {harmless:?}")
        .into())
}

/// Compares a text with its snapshot that lists, for every kind, the checks that it fails and those not judged because
/// of that. Kinds that are not among those `run` have the line of the snapshot.
fn kill_matrix(name: &str, kinds: &[MutantKind], run: &BTreeSet<String>) -> Result<(), Failed> {
    let file = format!("{}/tests/snapshots/mutants__{name}.snap", env!("CARGO_MANIFEST_DIR"));
    let accepted = fs::read_to_string(file).unwrap_or_default();
    let mut matrix = String::new();
    for kind in kinds {
        let is_of_kind = |line: &&str| line.split(' ').next() == Some(kind.name);
        if let Some(line) = accepted.lines().find(is_of_kind).filter(|_| !run.contains(kind.name)) {
            matrix.push_str(&format!("{line}\n"));
            continue;
        }
        let report = report_of(kind);
        let failed = report.results.iter().filter_map(|result| {
            result.failure().map(|severity| match severity {
                Severity::Must => result.check.id.clone(),
                _ => format!("({})", result.check.id),
            })
        });
        let failed: Vec<String> = failed.collect();
        let blocked: Vec<&str> = report
            .results
            .iter()
            .filter(|result| matches!(result.outcome, Outcome::Blocked { .. }))
            .map(|result| result.check.id.split_once('-').map_or("", |(_, id)| id))
            .collect();
        let fails = if failed.is_empty() { "-".to_string() } else { failed.join(" ") };
        let unjudged =
            if blocked.is_empty() { String::new() } else { format!("  not judged: {}", blocked.join(" ")) };
        matrix.push_str(&format!("{:24} {fails}{unjudged}\n", kind.name));
    }
    std::panic::catch_unwind(|| insta::assert_snapshot!(name, matrix))
        .map_err(|_| "the matrix differs from its snapshot: see above".into())
}
