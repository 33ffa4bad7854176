//! `decide DB replace`: a better version of a bot plays its games from a place of the schedule on.

use super::admitted::{seal, seal_by_script};
use super::decisions::{every_change_is_found, fine, run, standings, stopped};
use super::{FIVE, contest, contest_text, games, played, tournament, unattended};
use crate::support::leftovers::wait_for;
use crate::support::{Scratch, trial};
use cornerman::contest::Replace;
use cornerman::format::EntrantId;
use cornerman_harness::record::{DecidedAction, EntrantRecord, Record, Role, Writer};
use libtest_mimic::Trial;
use std::fs;

pub fn trials() -> Vec<Trial> {
    vec![
        trial!(a_version_plays_from_its_round_on_and_the_past_stays, ["python3"]),
        trial!(a_recorded_replacement_in_rounds_that_were_played_is_found),
        trial!(a_version_that_may_not_play_is_refused),
        trial!(a_run_that_is_killed_goes_on_with_the_version),
        trial!(a_version_for_a_later_stage_plays_nothing_before_it),
    ]
}

/// The number of `@greedy`, which is replaced.
const OLD: usize = 3;

/// The round of the game of this name, from 1.
fn round(game: &str) -> u32 {
    game.split('/').nth(1).and_then(|round| round[1..].parse().ok()).expect("a round")
}

fn a_version_plays_from_its_round_on_and_the_past_stays() {
    let scratch = Scratch::new();
    stopped(&scratch, &contest_text(7, &FIVE), 22);
    // For comparison: the same contest, which the new version plays from the beginning.
    scratch.file("new.toml", contest_text(7, &FIVE.map(|bot| if bot == "@greedy" { "@smallest" } else { bot })));
    tournament(&scratch, "new.toml --no-check --db new.db").fine();
    let early = seal(&scratch);
    let before = fs::read(scratch.path().join("c.db")).expect("a record");
    let replace = "decide c.db replace @greedy @smallest --from s1/r4 --why 'it is better'";
    let shown = fine(&scratch, replace).stdout;
    for said in ["@greedy is replaced: @greedy (version 2) plays for it", "from stage 1, round 4 on", "plays 4."] {
        assert!(shown.contains(said), "{said:?} is not in {shown}");
    }
    assert_eq!(fs::read(scratch.path().join("c.db")).expect("a record"), before, "a preview writes nothing");
    fine(&scratch, &format!("{replace} --yes --tell letters"));
    let letters: Vec<_> = fs::read_dir(scratch.path().join("letters")).expect("a folder").flatten().collect();
    assert_eq!(letters.len(), 1, "only its author is told");
    assert_eq!(seal_by_script(&scratch), seal(&scratch));
    fine(&scratch, "verify c.db");
    // As long as no game was played because of it, it can be undone.
    fine(&scratch, "decide c.db undo 1 --why x --yes");
    fine(&scratch, "tournament c.toml --no-check --db c.db");
    assert_eq!(games(&scratch, "c.db"), games(&scratch, "whole.db"));
    let over = run(&scratch, &format!("{replace} --yes"));
    assert!(over.code == Some(2) && over.stderr.contains("version has played game s1/r"), "{over:?}");

    fs::write(scratch.path().join("c.db"), before).expect("a record");
    fs::remove_file(scratch.path().join("c.heads")).ok();
    fine(&scratch, &format!("{replace} --yes"));
    fine(&scratch, "tournament c.toml --no-check --db c.db");
    let all = games(&scratch, "c.db");
    let of = |db: &str, later: bool| -> Vec<_> {
        games(&scratch, db).into_iter().filter(|(id, ..)| (round(id) >= 4) == later).collect()
    };
    let expected = [of("whole.db", false), of("new.db", true)].concat();
    assert_eq!(all, expected, "by a naive second derivation");
    let own =
        |db: &str| of(db, true).into_iter().filter(|(_, seats, ..)| seats.contains(&OLD)).collect::<Vec<_>>();
    assert_ne!(own("c.db"), own("whole.db"), "the versions play differently");
    let names: Vec<String> = standings(&scratch, "c.db").into_iter().map(|(name, ..)| name).collect();
    assert!(names.len() == 5 && names.iter().any(|name| name == "@greedy"), "{names:?}");
    for command in ["verify c.db", "rejudge c.db --rules boxing-1994", "audit c.db"] {
        fine(&scratch, command);
    }
    let later = run(&scratch, &format!("verify c.db --seal {early}"));
    assert!(later.stdout.contains("18 games and 1 decision recorded after the given seal"), "{later:?}");
    assert_eq!(seal_by_script(&scratch), seal(&scratch));

    // The version that played is named wherever a game is shown.
    let version = "@greedy (version 2)";
    for command in ["games c.db --format json", "export c.db"] {
        let printed = fine(&scratch, command).stdout;
        assert_eq!(printed.matches(&format!("\"version\":\"{version}\"")).count(), 4, "{command}: {printed}");
    }
    let named = fine(&scratch, &format!("games c.db --bot '{version}' --format json")).stdout;
    let named: serde_json::Value = serde_json::from_str(&named).expect("JSON");
    let listed: Vec<&str> =
        named["games"].as_array().expect("a list").iter().filter_map(|game| game["game"].as_str()).collect();
    assert_eq!(listed, own("c.db").iter().map(|(id, ..)| id.as_str()).collect::<Vec<_>>(), "its own alone");
    let why = fine(&scratch, &format!("why c.db --bot '{version}'")).stdout;
    assert!(
        why.starts_with("@greedy lost ") && why.lines().next().is_some_and(|line| line.ends_with(" of 4 games"))
    );
    fine(&scratch, &format!("export c.db --for '{version}' --out greedy.db"));
    let (last, ..) = own("c.db").pop().expect("a game");
    for command in [&format!("replay c.db {last}"), "games c.db --bot @greedy", "standings c.db", "decisions c.db"]
    {
        let printed = fine(&scratch, command).stdout;
        let notes = printed.contains("another version from stage 1, round 4 on");
        assert!(printed.contains(version) || notes, "{command}: {printed}");
    }
    fine(&scratch, "report c.db --out c.html");
    let page = fs::read_to_string(scratch.path().join("c.html")).expect("a page");
    assert!(page.contains("Replaced by") && page.contains("another version from stage 1, round 4 on"));
    let listed = fine(&scratch, "decisions c.db --format json").stdout;
    let listed: serde_json::Value = serde_json::from_str(&listed).expect("JSON");
    assert_eq!(listed["decisions"][0]["what"], "replace");
    let wanted = serde_json::json!({ "entrant": 6, "name": version, "stage": 1, "round": 4 });
    assert_eq!(listed["decisions"][0]["version"], wanted);
    let undone = run(&scratch, "decide c.db undo 1 --why x");
    assert!(
        undone.code == Some(2) && undone.stderr.contains("was played because of it; to `replace`"),
        "{undone:?}"
    );
    fine(&scratch, "rejudge c.db --rules boxing-1994 --without-decisions --into without.db");
    assert_eq!(games(&scratch, "without.db"), all);
    fine(&scratch, "verify without.db");

    // What the seal covers of it.
    let changes = [
        ("its program", "UPDATE entrants SET program_sha256 = 'x' WHERE number = 5", "decision 1 was changed"),
        ("its name", "UPDATE entrants SET name = 'other' WHERE number = 5", "decision 1 was changed"),
        ("another's name", "UPDATE entrants SET name = 'other' WHERE number = 4", "the contest or its entrants"),
        ("its round", "UPDATE decisions SET action = replace(action, '\"round\":3', '\"round\":4')", "decision 1"),
        ("its number", "UPDATE decisions SET action = replace(action, ':5', ':4')", "is not a version"),
        ("its role", "UPDATE entrants SET role = 'entry' WHERE number = 5", "is not a version"),
    ];
    every_change_is_found(&scratch, &changes);
}

fn a_recorded_replacement_in_rounds_that_were_played_is_found() {
    for (round, code) in [(3, 0), (1, 1)] {
        let scratch = Scratch::new();
        stopped(&scratch, &contest_text(7, &FIVE), 22);
        let path = scratch.path().join("c.db");
        let header = Record::open(&path).expect("a record").header().expect("a header");
        let [entrant, version] = [OLD, FIVE.len()].map(|number| EntrantId(number as u16));
        let replace = DecidedAction::Replace(Replace { entrant, version, stage: 0, round });
        let row = EntrantRecord { name: "other".to_string(), role: Role::Version, ..EntrantRecord::default() };
        let mut writer = Writer::resume(&path, &header).expect("a record");
        writer.decide(&replace, Some(&row), "a trial").expect("it can be written");
        drop(writer);
        let verified = run(&scratch, "verify c.db");
        assert_eq!(verified.code, Some(code), "round {round}: {verified:?}");
        assert_eq!(verified.stdout.contains("decision 1: its places"), code == 1, "{verified:?}");
    }
}

fn a_version_that_may_not_play_is_refused() {
    let scratch = Scratch::new();
    stopped(&scratch, &contest_text(7, &FIVE), 22);
    scratch.script("bots/mute", "exit 3");
    for (args, said) in [
        ("@greedy @smallest", "--from <STAGE|ROUND>"),
        ("@greedy @smallest --from 1", "did you mean `s1`?"),
        ("@greedy @smallest --from s1/m4", "neither a stage, such as s2, nor a round of one, such as s1/r4"),
        ("@greedy @smallest --from s0", "neither a stage"),
        ("@greedy @smallest --from s2", "there is no stage 2: the last one is stage 1"),
        ("@greedy @smallest --from s1", "a new one can play from round 4 of stage 1 on at the earliest"),
        ("@greedy @smallest --from s1/r9", "it has no game from there on in this stage"),
        ("@gredy @smallest --from s1/r4", "did you mean `@greedy`?"),
        ("@greedy @smalest --from s1/r4", "did you mean"),
        ("@greedy bots/none --from s1/r4", "no such bot"),
        ("@greedy bots/mute --from s1/r4", "mute does not play: it fails "),
        ("@greedy @greedy --from s1/r4", "is the same program as its present version"),
    ] {
        let ran = run(&scratch, &format!("decide c.db replace {args} --why better --yes"));
        assert!(ran.code == Some(2) && ran.stderr.contains(said), "{args}: {said:?} is not in {ran:?}");
    }
    assert_eq!(fine(&scratch, "decisions c.db").stdout, "nothing was decided\n");
    // The last decision counts, and names a third version.
    fine(&scratch, "decide c.db replace @greedy @smallest --no-check --from s1/r4 --why better --yes");
    let again = fine(&scratch, "decide c.db replace 4 @random --no-check --from s1/r5 --why 'better still' --yes");
    assert!(again.stdout.contains("@greedy (version 3)"), "{again:?}");
    fine(&scratch, "decide c.db withdraw @greedy --games keep --why 'it is gone' --yes");
    let gone = run(&scratch, "decide c.db replace @greedy @parity --from s1/r5 --why x");
    assert!(gone.code == Some(2) && gone.stderr.contains("@greedy: it is gone"), "{gone:?}");
    fine(&scratch, "tournament c.toml --no-check --db c.db");
    fine(&scratch, "verify c.db");
}

fn a_run_that_is_killed_goes_on_with_the_version() {
    let scratch = Scratch::new();
    scratch.script("old", "sleep 0.1; move");
    // It forfeits, which shows that it plays.
    scratch.script("new", "exit 3");
    contest(&scratch, &["@parity", "./old", "@greedy", "@mirror"]);
    let start = || unattended(&scratch, "c.toml --no-check --workers 1").spawn().expect("it can be started");
    let mut playing = start();
    wait_for("the first game", || (played(&scratch, "c.db") > 0).then_some(()));
    let decided = fine(&scratch, "decide c.db replace old new --no-check --from s1/r3 --why better --yes");
    assert!(decided.stderr.contains("decision 1 was recorded"), "{}", decided.stderr);
    assert!(playing.try_wait().expect("it was started").is_none(), "the run takes it up and goes on");
    let before = played(&scratch, "c.db");
    wait_for("another game", || (played(&scratch, "c.db") > before).then_some(()));
    playing.kill().expect("it runs");
    playing.wait().expect("it was started");
    assert_eq!(start().wait().expect("it was started").code(), Some(0));
    fine(&scratch, "verify c.db");
    let own: Vec<_> = games(&scratch, "c.db").into_iter().filter(|(_, seats, ..)| seats.contains(&1)).collect();
    assert_eq!(own.len(), 12, "four games against each");
    for (id, seats, outcome, _) in own {
        let seat = seats.iter().position(|bot| *bot == 1).expect("it plays");
        let forfeited = outcome.end == cornerman::game::End::Forfeited && outcome.places[seat] == 2;
        assert_eq!(forfeited, round(&id) >= 3, "{id}: {outcome:?}");
    }
    // A run that resumes plays with that version, or not at all.
    scratch.script("new", "exit 4");
    let other = run(&scratch, "tournament c.toml --no-check");
    assert!(
        other.code == Some(2) && other.stderr.contains("the program of old (version 2) has changed"),
        "{other:?}"
    );
}

fn a_version_for_a_later_stage_plays_nothing_before_it() {
    let scratch = Scratch::new();
    let text = contest_text(7, &FIVE) + "[[stages]]\nname = \"Final\"\nkind = \"knockout\"\ntop = 4\n";
    stopped(&scratch, &text, 10);
    fine(&scratch, "decide c.db replace @parity @random --no-check --from s2 --why better --yes");
    fine(&scratch, "tournament c.toml --no-check --db c.db");
    fine(&scratch, "verify c.db");
    let of_first =
        |db| games(&scratch, db).into_iter().filter(|(id, ..)| id.starts_with("s1")).collect::<Vec<_>>();
    assert_eq!(of_first("c.db"), of_first("whole.db"));
    let printed = fine(&scratch, "export c.db").stdout;
    let by_version: Vec<&str> = printed.lines().filter(|game| game.contains("@parity (version 2)")).collect();
    assert!(!by_version.is_empty() && by_version.iter().all(|game| game.contains("\"id\":\"s2/")));
}
