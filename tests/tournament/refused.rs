//! What `tournament` refuses before any game is played, and with which message.

use super::{FIVE, contest, contest_text, games, played, tournament, unattended};
use crate::support::leftovers::wait_for;
use crate::support::{Ran, Scratch, checkout, namespaces_can_be_used_up, small_arena, trial};
use cornerman_harness::record::Record;
use libtest_mimic::Trial;

pub fn trials() -> Vec<Trial> {
    vec![
        trial!(a_second_run_on_the_same_record, ["awk"]),
        trial!(a_contest_that_has_changed),
        trial!(more_tied_than_a_stage_allows_until_it_allows_more),
        trial!(an_entry_whose_program_has_changed, ["awk"]),
        trial!(an_entry_that_is_a_seed_program, ["python3"]),
        trial!(less_isolation_than_the_contest_demands),
        trial!(a_machine_that_gives_less_isolation_than_the_contest_demands, if namespaces_can_be_used_up),
        trial!(wrong_contest_files),
        trial!(a_record_in_no_folder, [], || {
            nothing_is_written(&Scratch::new(), "nowhere/c.db", |_| ());
        }),
        // A folder in which not even root may write.
        trial!(a_record_in_a_read_only_folder, [], || {
            nothing_is_written(&Scratch::new(), "/sys/kernel/c.db", |_| ());
        }),
    ]
}

#[track_caller]
fn nothing_is_written(scratch: &Scratch, db: &str, prepare: impl Fn(&Scratch)) {
    contest(scratch, &FIVE);
    prepare(scratch);
    let before = scratch.listing();
    let ran = tournament(scratch, &format!("c.toml --no-check --db {db}"));
    assert!(matches!(ran.code, Some(2 | 3)), "{ran:?}");
    assert!(ran.stderr.contains(db) && ran.stderr.contains("cannot write the record"), "{}", ran.stderr);
    assert_eq!((scratch.listing(), ran.stdout.as_str()), (before, ""));
}

fn a_second_run_on_the_same_record() {
    let scratch = Scratch::new();
    scratch.script("slow", "sleep 0.2; move");
    contest(&scratch, &["@parity", "./slow"]);
    let mut first = unattended(&scratch, "c.toml --no-check --workers 1").spawn().expect("it can be started");
    wait_for("the first game", || (played(&scratch, "c.db") > 0).then_some(()));
    let second = tournament(&scratch, "c.toml --no-check");
    let anew = tournament(&scratch, "c.toml --no-check --force-new");
    first.kill().expect("it was started");
    first.wait().expect("it was started");
    for ran in [second, anew] {
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""), "{}", ran.stderr);
        let holder = format!("another run is writing to it (process {}", first.id());
        assert!(ran.stderr.contains(&holder), "{} does not name {}", ran.stderr, first.id());
    }
}

fn a_contest_that_has_changed() {
    let scratch = Scratch::new();
    contest(&scratch, &FIVE);
    tournament(&scratch, "c.toml --no-check").fine();
    let before = games(&scratch, "c.db");
    let text = contest_text(8, &FIVE);
    scratch.file("c.toml", text);
    let ran = tournament(&scratch, "c.toml --no-check");
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""), "{}", ran.stderr);
    for said in ["the contest file has changed", "seed was 7, and is 8 now\n"] {
        assert!(ran.stderr.contains(said), "{said:?} is not in {}", ran.stderr);
    }
    assert_eq!(games(&scratch, "c.db"), before, "a refused run changes nothing");
    let ran = tournament(&scratch, "c.toml --no-check --force-new");
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(ran.stderr.contains("c.old-1.db"), "{}", ran.stderr);
    assert_eq!(games(&scratch, "c.old-1.db"), before, "the old record is kept");
    let seed = |db: &str| Record::open(&scratch.path().join(db)).and_then(|record| record.header()).unwrap().seed;
    assert_eq!((seed("c.old-1.db"), seed("c.db")), (7, 8));
    assert_eq!(games(&scratch, "c.db").len(), before.len());
}

fn more_tied_than_a_stage_allows_until_it_allows_more() {
    let scratch = Scratch::new();
    scratch.file("small.arena", small_arena(6));
    let entrants = ["one", "two", "three"].map(|name| format!("{{ path = \"@first-fit\", name = \"{name}\" }}"));
    let allowing = |most: &str| {
        let head =
            format!("name = \"Tied\"\nboards = [\"small.arena\"]\nentrants = [{}]\n\n", entrants.join(", "));
        let first = "[[stages]]\nkind = \"all-play-all\"\nboards = [1]\n\n";
        let tied = format!("[[stages]]\nkind = \"permutations\"\nwho = \"tied\"\nboard = 1\n{most}\n");
        scratch.file("c.toml", head + first + &tied);
    };
    let refused = |most: &str, said: &str| {
        allowing(most);
        let ran = tournament(&scratch, "c.toml --no-check");
        assert_eq!(ran.code, Some(2), "{most}: {}", ran.stderr);
        assert!(ran.stderr.contains(said), "{most}: {said:?} is not in {}", ran.stderr);
    };
    refused(
        "max_entrants = 2",
        "c.toml:9: every order of 3 entrants is 6 games, but at most 2 entrants may play (B12)",
    );
    let before = games(&scratch, "c.db");
    assert_eq!(before.len(), 6);
    refused(
        "max_entrants = 2",
        "set `max_entrants = 3` in this stage of the contest file and run the contest again",
    );
    refused("max_entrants = 3\nscoring = \"bonus\"", "the contest file has changed");
    assert_eq!(games(&scratch, "c.db"), before);

    allowing("max_entrants = 3");
    let finished = tournament(&scratch, "c.toml --no-check");
    assert_eq!(finished.code, Some(0), "{}", finished.stderr);
    assert!(finished.stderr.contains("resuming after 6 games"), "{}", finished.stderr);
    let after = games(&scratch, "c.db");
    assert_eq!((&after[..6], after.len()), (&before[..], 12), "played games stay");
    // The record has the changed file, and needs no other.
    let header = Record::open(&scratch.path().join("c.db")).and_then(|record| record.header()).expect("a header");
    let json = header.contest_json;
    assert!(header.contest_text.contains("max_entrants = 3") && json.contains("\"max_entrants\": 3"), "{json}");
    let shown = Ran::from_command(scratch.cornerman(["standings", "c.db"])).fine();
    assert!(shown.contains("Stage 2 (permutations): over"), "{shown}");
    refused("max_entrants = 2", "stages[2].max_entrants was 3, and is 2 now; it may only be raised");
}

fn an_entry_whose_program_has_changed() {
    let scratch = Scratch::new();
    scratch.script("jab", "move");
    contest(&scratch, &["@parity", "./jab", "@greedy"]);
    tournament(&scratch, "c.toml --no-check").fine();
    let before = games(&scratch, "c.db");
    scratch.script("jab", "move # better");
    let ran = tournament(&scratch, "c.toml --no-check");
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""), "{}", ran.stderr);
    for said in ["the program of jab has changed", "`--force-new`"] {
        assert!(ran.stderr.contains(said), "{said:?} is not in {}", ran.stderr);
    }
    assert_eq!(games(&scratch, "c.db"), before, "a refused run changes nothing");
    assert_eq!(tournament(&scratch, "c.toml --no-check --force-new").code, Some(0));
}

fn an_entry_that_is_a_seed_program() {
    let scratch = Scratch::new();
    let template = std::fs::read(checkout("reference-bots/templates/boxing/bot.py")).expect("a template");
    scratch.file("house.py", &template);
    scratch.file("mine.py", &template);
    let stages = "[[stages]]\nkind = \"seeding\"\nprograms = [\"@parity\", \"house.py\"]\n";
    scratch.file("c.toml", format!("name = \"x\"\nentrants = [\"@greedy\",\n\"mine.py\"]\n{stages}"));
    for args in ["c.toml --no-check", "c.toml --no-check --dry-run"] {
        let ran = tournament(&scratch, args);
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""), "{}", ran.stderr);
        let said = "c.toml:3: `mine.py` is the same program as `house.py`, which seeds the entries and may not compete (F1)";
        assert!(ran.stderr.contains(said), "{}", ran.stderr);
    }
    assert!(!scratch.path().join("c.db").exists());
    // In a folder with other files, it is still the same program.
    scratch.file("other/house.py", &template);
    scratch.file("other/readme", "mine");
    scratch.file("other/bot.toml", "name = \"Other\"\nrun = [\"python3\", \"house.py\"]\n");
    scratch.file("c.toml", format!("name = \"x\"\nentrants = [\"@greedy\",\n\"other\"]\n{stages}"));
    let ran = tournament(&scratch, "c.toml --no-check");
    assert!(
        ran.code == Some(2) && ran.stderr.contains("`other` is the same program as `house.py`"),
        "{}",
        ran.stderr
    );
}

/// A contest that requires the isolation `level`.
fn demanding(scratch: &Scratch, level: &str) {
    contest(scratch, &FIVE);
    let head = format!("isolation = \"{level}\"\n");
    let rest = contest_text(7, &FIVE);
    scratch.file("c.toml", head + &rest);
}

fn less_isolation_than_the_contest_demands() {
    let scratch = Scratch::new();
    demanding(&scratch, "restricted");
    let before = scratch.listing();
    for option in ["--isolation plain", "--isolation-at-most plain"] {
        let ran = tournament(&scratch, &format!("c.toml --no-check {option}"));
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""), "{}", ran.stderr);
        let said = format!(
            "{option}: the contest file requires isolation `restricted`, and the command line can raise that"
        );
        assert!(ran.stderr.contains(&said), "{}", ran.stderr);
    }
    assert_eq!(scratch.listing(), before);
    let shown = tournament(&scratch, "c.toml --no-check --dry-run --isolation-at-most restricted").fine();
    assert!(shown.contains("\n  isolation restricted; at least restricted is required\n"), "{shown}");
    // The level of a contest that has begun cannot change, but a run may require a higher one.
    tournament(&scratch, "c.toml --no-check").fine();
    let again = tournament(&scratch, "c.toml --no-check --isolation restricted");
    assert_eq!(again.code, Some(0), "{}", again.stderr);
    demanding(&scratch, "plain");
    let ran = tournament(&scratch, "c.toml --no-check");
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""), "{}", ran.stderr);
    assert!(ran.stderr.contains("isolation was \"restricted\", and is \"plain\" now\n"), "{}", ran.stderr);
}

fn a_machine_that_gives_less_isolation_than_the_contest_demands() {
    let scratch = Scratch::new();
    demanding(&scratch, "namespaced");
    scratch.file("broken.c", "this is not C");
    let text = std::fs::read_to_string(scratch.path().join("c.toml")).expect("a contest");
    scratch.file("c.toml", text.replace("@random", "broken.c"));
    let before = scratch.listing();
    let ran = Ran::from_command(scratch.without_namespaces(["tournament", "c.toml"]));
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""), "{}", ran.stderr);
    let said = "isolation `namespaced` is not available on this machine: \n  to enter user";
    assert!(ran.stderr.contains(said), "{}", ran.stderr);
    assert!(!ran.stderr.contains("broken.c"), "nothing is built: {}", ran.stderr);
    assert_eq!(scratch.listing(), before);
}

fn wrong_contest_files() {
    let good = contest_text(7, &FIVE);
    for (what, instead, said) in [
        ("seed =", "sede =", "c.toml:2: unknown field `sede`"),
        ("seed =", "sede =", "did you mean `seed`?"),
        ("@greedy", "./greedy", "c.toml:4: "),
        ("@greedy", "@gredy", "@greedy"),
        ("all-play-all", "all-play-al", "c.toml:7: "),
        ("all-play-all", "all-play-al", "all-play-all"),
        ("larger.arena", "large.arena", "c.toml:3: "),
        ("seed = 7", "isolation = \"namespced\"", "c.toml:2: unknown variant `namespced`"),
        ("seed = 7", "isolation = \"namespced\"", "did you mean `namespaced`?"),
    ] {
        let scratch = Scratch::new();
        contest(&scratch, &FIVE);
        assert!(good.contains(what));
        scratch.file("c.toml", good.replace(what, instead));
        let before = scratch.listing();
        let ran = tournament(&scratch, "c.toml --no-check");
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""), "{instead}: {}", ran.stderr);
        assert!(ran.stderr.contains(said), "{said:?} is not in {}", ran.stderr);
        assert_eq!(scratch.listing(), before, "{instead}");
    }
    let ran = tournament(&Scratch::new(), "none.toml");
    assert_eq!(ran.code, Some(2));
    assert!(ran.stderr.contains("no such contest: none.toml"), "{}", ran.stderr);
}
