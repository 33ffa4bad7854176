//! A game from another crate: all commands work in the example's program, which is built as `docs/own-game.md` says.

use crate::support::{Scratch, checkout, trial};
use libtest_mimic::Trial;
use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::{Command, Output};

pub fn trials() -> Vec<Trial> {
    vec![
        trial!(it_is_played_recorded_and_shown, ["python3"]),
        trial!(its_bots_are_checked_by_its_rules, ["python3"]),
        trial!(mistakes_in_its_files_are_reported),
        trial!(its_page_names_the_crates_that_it_uses),
    ]
}

/// The name under which this program is the example's.
const NAME: &str = "nimkit";

/// Whether this process was started as the example's program.
pub fn is_meant() -> bool {
    std::env::args_os().next().is_some_and(|program| Path::new(&program).file_name() == Some(NAME.as_ref()))
}

/// The output of the program, which must end with this exit code.
#[track_caller]
fn ran(scratch: &Scratch, args: &[&str], code: i32) -> (String, String) {
    let program = scratch.path().join(NAME);
    if !program.exists() {
        symlink(std::env::current_exe().expect("this program"), &program).expect("a link");
    }
    let mut command = Command::new(program);
    command.args(args).current_dir(scratch.path()).env("XDG_CACHE_HOME", scratch.path().join("cache"));
    let Output { status, stdout, stderr } = command.output().expect("it runs");
    let stdout = text(stdout);
    let stderr = text(stderr);
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
    let why = fine(&["why", "c.db", "--bot", "first"]);
    assert!(why.contains("as the game itself states it") && why.contains("falls from 1.00 to 0.00 by `"), "{why}");
    fine(&["report", "c.db"]);
    let page = fs::read_to_string(scratch.path().join("c.html")).expect("a page");
    assert!(page.contains("\"kind\":\"text\"") && page.contains("Nim night") && page.contains("\"lines\":[{"));
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
    let rules = fs::read_to_string(checkout("cli/examples/own_game/nim-usual.toml")).expect("a ruleset");
    scratch.file("heap.toml", rules.replace("heaps", "heap"));
    let words = "heap.toml:8: unknown field `heap`, expected `heaps` or `most` (did you mean `heaps`?)";
    check(&["play", "@nim-sum", "@nim-sum", "--rules", "heap.toml"], words);
    check(&["play", "@nim-sum", "@nim-sum", "--game", "nimm"], "\nhint: did you mean `nim`?");
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

/// The manifest on the page names exactly the crates that the example uses. Their features are not compared: `cargo xtask`,
/// which is built without the features of tests, would not build if one were missing.
fn its_page_names_the_crates_that_it_uses() {
    let example = fs::read_to_string(checkout("cli/examples/own_game.rs")).expect("the example");
    let used = example.lines().filter_map(|line| line.strip_prefix("use ")?.split("::").next());
    let used: BTreeSet<String> = used.filter(|name| *name != "std").map(str::to_string).collect();
    let page = fs::read_to_string(checkout("docs/own-game.md")).expect("the page");
    let manifest = page.split("```toml\n").nth(1).and_then(|rest| rest.split("```").next()).expect("a manifest");
    let manifest: toml::Table = manifest.parse().expect("TOML");
    let dependencies = manifest["dependencies"].as_table().expect("a table");
    let library = |name: &String| name.replace('-', "_");
    assert_eq!(dependencies.keys().map(library).collect::<BTreeSet<_>>(), used);
}
