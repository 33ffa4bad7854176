//! One entry per author: the organizer lists the authors of entries, and the last entry that can play plays (B13).

use super::{contest, games, games_of, tournament};
use crate::support::{Ran, Scratch, small_arena, trial};
use cornerman_harness::record::Record;
use libtest_mimic::Trial;

pub fn trials() -> Vec<Trial> {
    vec![
        trial!(the_last_entry_of_the_list_plays, ["awk"]),
        trial!(a_later_entry_that_fails_replaces_no_other, ["awk"]),
        trial!(a_bot_cannot_remove_another, ["awk"]),
        trial!(entries_that_are_all_broken_are_refused),
        trial!(lists_that_make_no_sense_are_refused),
        trial!(what_is_no_bot_has_a_verdict_and_doubles_are_named, ["awk"]),
    ]
}

/// A contest of `entrants` with the list of authors `list`, and the bots `ann-1`, `ann-2`, `bob`.
fn listed(entrants: &[&str], list: &str) -> Scratch {
    let scratch = Scratch::new();
    for name in ["ann-1", "ann-2", "bob"] {
        scratch.script(name, &format!("move # {name}"));
    }
    contest(&scratch, entrants);
    let text = std::fs::read_to_string(scratch.path().join("c.toml")).expect("a contest");
    scratch.file("c.toml", format!("authors = \"entrants.csv\"\n{text}"));
    scratch.file("entrants.csv", list);
    scratch
}

/// The name of every entry, its author, and why it does not play; `None` if it plays.
fn recorded(scratch: &Scratch) -> Vec<[String; 3]> {
    let record = Record::open(&scratch.path().join("c.db")).expect("a record");
    let entrants = record.entrants().expect("entrants").into_iter();
    let said = |said: Option<String>| said.unwrap_or_else(|| "-".to_string());
    entrants.map(|entrant| [entrant.name, said(entrant.author), said(entrant.out)]).collect()
}

/// The lines of output about entries that do not play.
fn absent(ran: &Ran) -> Vec<&str> {
    ran.stderr.lines().filter(|line| line.contains("does not play")).collect()
}

fn the_last_entry_of_the_list_plays() {
    let list = "name,author,path\nJab,Ann,ann-1\nHook,Ann,ann-2\n,Bob,bob\n";
    let scratch = listed(&["./ann-1", "./ann-2", "@greedy", "./bob"], list);
    // Every entry is listed, even one that does not play.
    let listed = tournament(&scratch, "c.toml --no-check --dry-run --workers 1").fine();
    let wanted = "\n  Jab by Ann does not play: replaced by Hook, a later entry of the same author (B13)\n  Hook by Ann\n  \
                  @greedy\n  bob by Bob\n  stage 1: ";
    assert!(listed.contains(wanted), "{listed}");
    let ran = tournament(&scratch, "c.toml --no-check");
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let why = "replaced by Hook, a later entry of the same author (B13)";
    assert_eq!(absent(&ran), [format!("Jab does not play: {why}")]);
    let wanted = [["Hook", "Ann", "-"], ["@greedy", "-", "-"], ["bob", "Bob", "-"], ["Jab", "Ann", why]];
    assert_eq!(recorded(&scratch), wanted);
    assert_eq!(games(&scratch, "c.db").len(), games_of(3));
    let again = tournament(&scratch, "c.toml --no-check");
    assert_eq!((again.code, absent(&again)), (Some(0), absent(&ran)), "{}", again.stderr);
    // The authors cannot change once there is a record.
    scratch.file("entrants.csv", list.replace("Bob", "Cid"));
    let changed = tournament(&scratch, "c.toml --no-check");
    assert_eq!((changed.code, changed.stdout.as_str()), (Some(2), ""), "{}", changed.stderr);
    assert!(changed.stderr.contains("entrants[3].author was \"Bob\", and is \"Cid\" now"), "{}", changed.stderr);
}

fn a_later_entry_that_fails_replaces_no_other() {
    let list = "author,path\nAnn,ann-1\nAnn,@parity\nAnn,ann-3.c\nAnn,ann-4\n";
    let scratch = listed(&["./ann-1", "ann-3.c", "./ann-4", "@greedy", "@parity"], list);
    scratch.file("ann-3.c", "this is not C");
    scratch.script("ann-4", "exit 0");
    let ran = tournament(&scratch, "c.toml");
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let recorded = recorded(&scratch);
    let [greedy, parity, first, third, fourth] = &recorded[..] else { panic!("{recorded:?}") };
    assert_eq!([greedy, parity], [&["@greedy", "-", "-"], &["@parity", "Ann", "-"]]);
    assert_eq!(first, &["ann-1", "Ann", "replaced by @parity, a later entry of the same author (B13)"]);
    assert!(third[2].starts_with("it cannot play: ann-3.c: the build failed: "), "{third:?}");
    assert!(fourth[2].starts_with("it fails BX-"), "{fourth:?}");
    assert_eq!(absent(&ran).len(), 3);
    assert!(ran.stderr.contains("error: "), "the compiler's words are shown: {}", ran.stderr);
    assert_eq!(games(&scratch, "c.db").len(), games_of(2));
}

fn a_bot_cannot_remove_another() {
    let scratch = Scratch::new();
    for name in ["ann", "mallory"] {
        scratch.script(&format!("{name}/bot"), &format!("move # {name}"));
        scratch.file(&format!("{name}/bot.toml"), "author = \"Ann\"\nrun = [\"./bot\"]\n");
    }
    contest(&scratch, &["ann", "mallory"]);
    tournament(&scratch, "c.toml --no-check").fine();
    assert_eq!(recorded(&scratch), [["ann", "Ann", "-"], ["mallory", "Ann", "-"]]);
}

fn entries_that_are_all_broken_are_refused() {
    let scratch = listed(&["ann-1.c", "ann-2.c", "@greedy"], "author,path\nAnn,ann-1.c\nAnn,ann-2.c\n");
    for name in ["ann-1.c", "ann-2.c"] {
        scratch.file(name, "this is not C");
    }
    let ran = tournament(&scratch, "c.toml --no-check");
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""), "{}", ran.stderr);
    for name in ["ann-1.c", "ann-2.c"] {
        assert!(ran.stderr.contains(&format!("{name}: the build failed: ")), "{}", ran.stderr);
    }
}

fn lists_that_make_no_sense_are_refused() {
    let check = |list: &str, said: &str| {
        let scratch = listed(&["./ann-1", "./bob"], list);
        scratch.file("small.arena", small_arena(6));
        let before = scratch.listing();
        let ran = tournament(&scratch, "c.toml --no-check");
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""), "{}", ran.stderr);
        assert_eq!(ran.stderr, format!("error: {said}\n"));
        assert_eq!(scratch.listing(), before);
    };
    check(
        "name,author,path\nJab,Ann,ann-1.\n",
        "entrants.csv:2: `ann-1.` is not an entrant of c.toml (did you mean `ann-1`?)",
    );
    check(
        "author,path\nAnn,ann-1\nBob,bob\nAnn,./ann-1\n",
        "entrants.csv:4: `./ann-1` is already listed in line 2",
    );
    check(
        "author,paht\nAnn,ann-1\n",
        "entrants.csv:1: unknown column `paht` (did you mean `path`?), expected the header `name,author,path`",
    );
    let scratch = listed(&["./ann-1"], "");
    std::fs::rename(scratch.path().join("entrants.csv"), scratch.path().join("entrant.csv")).expect("a file");
    let ran = tournament(&scratch, "c.toml --no-check");
    let said = "error: c.toml:1: no such list of authors: entrants.csv (did you mean `entrant.csv`?)\n";
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(2), said));
}

fn what_is_no_bot_has_a_verdict_and_doubles_are_named() {
    let list = "author,path\nAnn,ann-1\nAnn,./ann-2.tar\nCid,empty\nBob,bob\nDan,double\n";
    let scratch = listed(&["./ann-1", "./bob", "./double"], list);
    scratch.script("double", "move # bob");
    scratch.file("ann-2.tar", "not unpacked");
    std::fs::create_dir(scratch.path().join("empty")).expect("a folder");
    let ran = tournament(&scratch, "c.toml --no-check");
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let entrants = recorded(&scratch);
    let out = |name: &str| &entrants.iter().find(|entrant| entrant[0] == name).expect(name)[2];
    assert!(out("ann-2").contains("it is an archive, and archives are not unpacked"), "{entrants:?}");
    assert!(out("empty").contains("a folder is a bot only with a `bot.toml`"), "{entrants:?}");
    assert_eq!([out("ann-1"), out("bob"), out("double")], ["-"; 3]);
    for (one, other) in [("bob", "double"), ("double", "bob")] {
        let said = format!(" {one}: the same program or source as {other}, byte for byte\n");
        assert!(ran.stdout.contains(&said), "{}", ran.stdout);
    }
    assert_eq!(tournament(&scratch, "c.toml --no-check").code, Some(0), "it can be resumed");
}
