//! An added game: a crate outside the checkout adds the game of the example, and all commands work in its program.

use crate::support::{Scratch, checkout, trial};
use libtest_mimic::Trial;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::LazyLock;

pub fn trials() -> Vec<Trial> {
    vec![
        trial!(it_is_played_recorded_and_shown, ["python3"]),
        trial!(its_bots_are_checked_by_its_rules, ["python3"]),
        trial!(mistakes_in_its_files_are_reported),
    ]
}

/// The program, built once.
static NIMKIT: LazyLock<PathBuf> = LazyLock::new(|| {
    let folder = tempfile::Builder::new().prefix("nimkit-").tempdir().expect("a folder outside the checkout");
    let program = built(folder.path());
    // The program is kept in the target folder, with the files of other tests, and removed with it.
    let kept = Path::new(env!("CARGO_TARGET_TMPDIR")).join("nimkit");
    fs::copy(program, &kept).expect("the program");
    kept
});

/// Builds a crate in `folder` whose program is the example, and returns the program's path.
fn built(folder: &Path) -> PathBuf {
    let checkout = fs::canonicalize(checkout(".")).expect("the checkout");
    let manifest = fs::read_to_string(checkout.join("Cargo.toml")).expect("a manifest");
    // With the workspace's profiles, and the features of its tests' dependencies, everything except the crate itself is
    // already built. `cargo xtask` shows that our crates need no such feature.
    let for_tests = manifest.split_once("# For tests.\n").and_then(|(_, rest)| rest.split_once("\n\n"));
    let for_tests = for_tests.expect("dependencies of tests at the end of a table").0;
    let profiles = manifest.split_once("[profile.dev]").and_then(|(_, rest)| rest.split_once("[package]\n"));
    let profiles = profiles.expect("profiles before the package").0;
    let ours = [
        ("cornerman", "."),
        ("cornerman-conformance", "conformance"),
        ("cornerman-harness", "harness"),
        ("cornerman-report", "report"),
        ("reference-bots", "reference-bots"),
        ("xtask", "xtask"),
    ];
    let dependency = |(name, at): (&str, &str)| format!("{name} = {{ path = {:?} }}\n", checkout.join(at));
    let manifest = format!(
        "[package]\nname = \"nimkit\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[dependencies]\n\
         serde = {{ version = \"1\", features = [\"derive\"] }}\n{for_tests}\n{}\n[workspace]\n\n[profile.dev]{profiles}",
        ours.map(dependency).concat()
    );
    let source = folder.join("src");
    fs::create_dir(&source).expect("a folder");
    fs::write(folder.join("Cargo.toml"), manifest).expect("a manifest");
    fs::copy(checkout.join("Cargo.lock"), folder.join("Cargo.lock")).expect("a lock file");
    let example = checkout.join("xtask/examples");
    fs::copy(example.join("own_game.rs"), source.join("main.rs")).expect("the example");
    fs::create_dir(source.join("own_game")).expect("a folder");
    for file in fs::read_dir(example.join("own_game")).expect("its files") {
        let file = file.expect("a file");
        fs::copy(file.path(), source.join("own_game").join(file.file_name())).expect("a copy");
    }
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().expect("the target folder");
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.args(["build", "--quiet", "--offline", "--target-dir"]).arg(target).current_dir(folder);
    let built = cargo.output().expect("cargo runs");
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    target.join("debug/nimkit")
}

/// The output of the program, which must end with this exit code.
#[track_caller]
fn ran(scratch: &Scratch, args: &[&str], code: i32) -> (String, String) {
    let mut command = Command::new(&*NIMKIT);
    command.args(args).current_dir(scratch.path()).env("XDG_CACHE_HOME", scratch.path().join("cache"));
    let Output { status, stdout, stderr } = command.output().expect("it runs");
    let (stdout, stderr) = (text(stdout), text(stderr));
    assert_eq!(status.code(), Some(code), "{args:?}: {stdout}{stderr}");
    (stdout, stderr)
}

fn text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).expect("the command prints UTF-8")
}

fn it_is_played_recorded_and_shown() {
    let scratch = Scratch::new();
    let fine = |args: &[&str]| ran(&scratch, args, 0).0;
    assert!(fine(&["--help"]).contains("Usage: nimkit"));
    assert!(fine(&["play", "--help"]).contains("boxing, rps, go or nim"));
    let wrote = fine(&["new", "first", "--game", "nim"]);
    assert!(wrote.contains("Next: ") && wrote.trim_end().ends_with("nimkit check first"), "{wrote}");
    assert_eq!(fine(&["bots", "--game", "nim"]).lines().count(), 1);

    let game = fine(&["play", "first", "@nim-sum", "--seed", "3"]);
    assert!(game.contains("1 4 4") && game.contains("@nim-sum wins with 1 point, after 8 moves"), "{game}");
    scratch.file("small.board", "1 2\n");
    let board = ["play", "first", "@nim-sum", "--board", "small.board", "--format", "json"];
    assert!(fine(&board).contains("\"board\":[\"1 2\"]"));

    let contest = "name = \"Nim night\"\ngame = \"nim\"\nseed = 4\nentrants = [\"first\", \"@nim-sum\"]\n\
        [[stages]]\nkind = \"all-play-all\"\n";
    scratch.file("c.toml", contest);
    assert!(ran(&scratch, &["tournament", "c.toml"], 0).1.contains("checking 2 entries"));
    let standings = fine(&["standings", "c.db"]);
    assert!(standings.contains("     1  @nim-sum     2      2"), "{standings}");
    let replay = fine(&["replay", "c.db", "s1/r1/m1/g1"]);
    assert!(replay.contains("the start\n2 8 7\n") && replay.contains("   1. A first 1 1\n1 8 7\n"), "{replay}");
    let fed = fine(&["replay", "c.db", "s1/r1/m1/g1", "--at", "3", "--feed", "1", "first"]);
    assert!(fed.contains("1 answer before move 3 as recorded") && fed.contains("legal, as recorded"), "{fed}");
    fine(&["report", "c.db"]);
    let page = fs::read_to_string(scratch.path().join("c.html")).expect("a page");
    assert!(page.contains("\"kind\":\"text\"") && page.contains("Nim night"));
    let rejudged = fine(&["rejudge", "c.db", "--set", "hard_ms=60000"]);
    assert!(rejudged.contains("2 of 2 games end as they did"), "{rejudged}");
    let snapshot = fine(&["rules", "snapshot", "nim-usual"]);
    for words in ["Verdicts on specimens", "@nim-sum, @nim-sum #2 on board 1"] {
        assert!(snapshot.contains(words), "{words}: {snapshot}");
    }
    let games = fine(&["export", "c.db"]);
    assert_eq!(games.lines().filter(|line| line.contains("\"game\":\"nim\"")).count(), 2);
}

fn its_bots_are_checked_by_its_rules() {
    let scratch = Scratch::new();
    ran(&scratch, &["new", "first", "--game", "nim"], 0);
    let (report, _) = ran(&scratch, &["check", "first", "@nim-sum"], 0);
    assert!(report.contains("2 of 2 bots pass all musts"), "{report}");
    let takes_nothing = "import sys\nfor line in sys.stdin:\n    print('1 0', flush=True)\n";
    fs::write(scratch.path().join("first/bot.py"), takes_nothing).expect("a bot");
    let (report, _) = ran(&scratch, &["check", "first"], 1);
    assert!(report.contains("NM-MOVE") && report.contains("not 0 (N2)"), "{report}");
    let listed = ran(&scratch, &["check", "--list", "--game", "nim"], 0).0;
    assert!(listed.contains("NM-START") && listed.contains("NM-EOF"), "{listed}");
}

fn mistakes_in_its_files_are_reported() {
    let scratch = Scratch::new();
    let check = |args: &[&str], wanted: &str| {
        let (_, said) = ran(&scratch, args, 2);
        assert!(said.contains(wanted), "{wanted}: {said}");
    };
    let rules = fs::read_to_string(checkout("xtask/examples/own_game/nim-usual.toml")).expect("a ruleset");
    scratch.file("heap.toml", rules.replace("heaps", "heap"));
    let words = "heap.toml:8: unknown field `heap`, expected `heaps` or `most` (did you mean `heaps`?)";
    check(&["play", "@nim-sum", "@nim-sum", "--rules", "heap.toml"], words);
    check(&["play", "@nim-sum", "@nim-sum", "--game", "nimm"], "(did you mean `nim`?)");
    check(&["play", "@nim-sum", "@greedy"], "plays boxing, not nim");
    scratch.file("bad.board", "1 two\n");
    check(
        &["play", "@nim-sum", "@nim-sum", "--board", "bad.board"],
        "bad.board: heaps are numbers, such as `3 5 7`",
    );
    let contest =
        "name = \"x\"\ngame = \"nim\"\nentrants = [\"@nim-sum\", \"@greedy\"]\n\n[[stages]]\nkind = \"swiss\"\n";
    scratch.file("c.toml", contest);
    check(&["tournament", "c.toml"], "c.toml:6: swiss plays games of 4 seats");
}
