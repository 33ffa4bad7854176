//! `decide` and `decisions`: bots withdraw and are disqualified while a contest is played, everything honours it, and the
//! record proves it.

use super::{FIVE, contest, contest_text, games, played, tournament, unattended};
use crate::support::leftovers::wait_for;
use crate::support::{Ran, Scratch, checkout, trial};
use cornerman::format::{Departure, EntrantId};
use cornerman_harness::contest_file::ContestFile;
use cornerman_harness::kit::Games;
use cornerman_harness::record::{DecidedAction, GameRecord, Record, RecordError, Writer};
use cornerman_harness::verify::{SealCheck, Verdict, check_seal, verify};
use libtest_mimic::Trial;
use rusqlite::Connection;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

pub fn trials() -> Vec<Trial> {
    vec![
        trial!(a_bot_withdraws_in_the_middle_and_comes_back),
        trial!(a_disqualified_bot_has_no_place),
        trial!(a_walkover_that_was_played_on_cannot_be_undone),
        trial!(decisions_are_in_the_seal),
        trial!(every_kept_record_takes_decisions_at_any_time),
        trial!(while_a_run_writes_decisions_are_only_shown, ["awk"]),
        trial!(wrong_decisions_say_what_is_possible),
        trial!(the_page_has_the_table_of_formats),
    ]
}

/// A command with these arguments, in which `'` encloses one with blanks.
fn run(scratch: &Scratch, args: &str) -> Ran {
    let mut words = Vec::new();
    for (nth, part) in args.split('\'').enumerate() {
        if nth % 2 == 1 {
            words.push(part.to_string());
        } else {
            words.extend(part.split_whitespace().map(str::to_string));
        }
    }
    Ran::from_command(scratch.cornerman(words))
}

#[track_caller]
fn fine(scratch: &Scratch, args: &str) -> Ran {
    let ran = run(scratch, args);
    assert_eq!(ran.code, Some(0), "{args}: {}", ran.stderr);
    ran
}

/// Makes `c.db`, the record of a run of `c.toml` that was stopped after `played` games, and `whole.db`, that of one that
/// was not.
fn stopped(scratch: &Scratch, text: &str, played: usize) {
    contest(scratch, &FIVE);
    scratch.file("c.toml", text);
    tournament(scratch, "c.toml --no-check --db whole.db").fine();
    let whole = Record::open(&scratch.path().join("whole.db")).expect("a record");
    drop(beginning(&whole, played, &scratch.path().join("c.db")));
}

/// The standings of `db` as name, place and figures.
fn standings(scratch: &Scratch, db: &str) -> Vec<(String, u64, Vec<i64>)> {
    let json: serde_json::Value =
        serde_json::from_str(&fine(scratch, &format!("standings {db} --format json")).stdout).expect("JSON");
    rows(&json["final"]["standings"])
}

/// The rows of standings in JSON.
fn rows(standings: &serde_json::Value) -> Vec<(String, u64, Vec<i64>)> {
    let row = |it: &serde_json::Value| {
        let figures = it["figures"].as_array().unwrap().iter().map(|figure| figure.as_i64().unwrap()).collect();
        (it["name"].as_str().unwrap().to_string(), it["place"].as_u64().unwrap(), figures)
    };
    standings.as_array().unwrap().iter().map(row).collect()
}

/// The standings by wins, then points, worked out from the games of `db` and the rule alone: a game of `gone` that was not
/// played is won by the other, without points.
fn derived(scratch: &Scratch, db: &str, gone: usize) -> Vec<(String, u64, Vec<i64>)> {
    let mut rows: BTreeMap<usize, Vec<i64>> = (0..FIVE.len()).map(|bot| (bot, vec![0, 0])).collect();
    let mut against: BTreeMap<usize, i64> = BTreeMap::new();
    for (_, seats, outcome, _) in games(scratch, db) {
        for (seat, bot) in seats.iter().enumerate() {
            let row = rows.get_mut(bot).unwrap();
            row[0] += i64::from(outcome.places[seat] == 1);
            row[1] += outcome.points[seat];
            *against.entry(*bot).or_default() += i64::from(seats.contains(&gone));
        }
    }
    for (bot, row) in &mut rows {
        // Each pair plays two games on each of two boards.
        row[0] += if *bot == gone { 0 } else { 4 - against.get(bot).copied().unwrap_or(0) };
    }
    let place = |own: &Vec<i64>| 1 + rows.values().filter(|other| *other > own).count() as u64;
    let mut all: Vec<_> =
        rows.iter().map(|(bot, row)| (FIVE[*bot].to_string(), place(row), row.clone())).collect();
    all.sort_by_key(|(name, place, _)| (*place, FIVE.iter().position(|bot| bot == name)));
    all
}

fn a_bot_withdraws_in_the_middle_and_comes_back() {
    let scratch = Scratch::new();
    stopped(&scratch, &contest_text(7, &FIVE), 22);
    let before = fs::read(scratch.path().join("c.db")).expect("a record");
    let shown = fine(&scratch, "decide c.db withdraw @mirror --why 'on holiday'");
    for said in ["@mirror withdraws; its open games are lost", "no longer to be played", "wins, score now"] {
        assert!(shown.stdout.contains(said), "{said:?} is not in {}", shown.stdout);
    }
    assert_eq!(shown.stderr, "nothing was written; to record this decision, add `--yes`\n");
    assert_eq!(fs::read(scratch.path().join("c.db")).expect("a record"), before, "a preview writes nothing");

    let taken = fine(&scratch, "decide c.db withdraw 3 --why 'on holiday' --yes");
    assert_eq!((taken.stdout, taken.stderr.as_str()), (shown.stdout, "decision 1 was recorded\n"));
    tournament(&scratch, "c.toml --no-check --db c.db");
    let of_mirror = |db| games(&scratch, db).iter().filter(|(_, seats, ..)| seats.contains(&2)).count();
    assert_eq!((of_mirror("c.db"), of_mirror("whole.db")), (of_mirror("c.db").min(15), 16));
    assert_eq!(standings(&scratch, "c.db"), derived(&scratch, "c.db", 2));
    let verified = fine(&scratch, "verify c.db").stdout;
    assert!(verified.contains("1 decision"), "{verified}");
    let listed = fine(&scratch, "standings c.db").stdout;
    assert!(listed.contains("on holiday"), "{listed}");

    // No game was played because of it, so it can be undone, and then nothing is different.
    fine(&scratch, "decide c.db undo 1 --why 'the flight was cancelled' --yes");
    tournament(&scratch, "c.toml --no-check --db c.db");
    assert_eq!(games(&scratch, "c.db"), games(&scratch, "whole.db"));
    assert_eq!(standings(&scratch, "c.db"), standings(&scratch, "whole.db"));
    fine(&scratch, "verify c.db");
    let listed = fine(&scratch, "decisions c.db --format json").stdout;
    let json: serde_json::Value = serde_json::from_str(&listed).expect("JSON");
    for (at, wanted) in [
        ("/decisions/0/what", "withdraw".into()),
        ("/decisions/0/name", "@mirror".into()),
        ("/decisions/0/stages/0/games", "lost".into()),
        ("/decisions/0/undone_by", 2.into()),
        ("/decisions/1/undoes", 1.into()),
        ("/decisions/1/why", "the flight was cancelled".into()),
    ] {
        assert_eq!(json.pointer(at), Some(&wanted), "{at}");
    }
}

fn a_disqualified_bot_has_no_place() {
    let scratch = Scratch::new();
    stopped(&scratch, &contest_text(7, &FIVE), 40);
    let all = standings(&scratch, "c.db");
    let best = &all[0].0;
    fine(&scratch, &format!("decide c.db disqualify {best} --why 'it is the work of another' --yes"));
    let now = standings(&scratch, "c.db");
    let kept: Vec<_> = all[1..].iter().map(|(name, _, figures)| (name, figures)).collect();
    assert_eq!(now.iter().map(|(name, _, figures)| (name, figures)).collect::<Vec<_>>(), kept);
    assert_eq!(now[0].1, 1);
    // After that its games are void as well.
    fine(&scratch, "decide c.db undo 1 --why 'its games count neither' --yes");
    fine(&scratch, &format!("decide c.db disqualify {best} --games void --why 'neither do its games' --yes"));
    let without = FIVE.iter().position(|bot| bot == best).unwrap();
    let counted = games(&scratch, "c.db").into_iter().filter(|(_, seats, ..)| !seats.contains(&without));
    let mut wins: BTreeMap<&str, i64> = BTreeMap::new();
    for (_, seats, outcome, _) in counted {
        for (seat, bot) in seats.iter().enumerate() {
            *wins.entry(FIVE[*bot]).or_default() += i64::from(outcome.places[seat] == 1);
        }
    }
    let now = standings(&scratch, "c.db");
    assert_eq!(now.iter().map(|(name, _, figures)| (name.as_str(), figures[0])).collect::<BTreeMap<_, _>>(), wins);
    fine(&scratch, "verify c.db");
    // By rules that decide nothing otherwise, the standings are those of the record, with its decisions or without them.
    let judged = |more: &str| -> Vec<_> {
        let json = fine(&scratch, &format!("rejudge c.db --set max_square=16 --format json{more}")).stdout;
        let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
        rows(&json["standings"])
    };
    assert_eq!(judged(""), now);
    assert_eq!(judged(" --without-decisions"), all);
    let refused = run(&scratch, "rejudge c.db --set max_square=16 --into other.db");
    assert_eq!(refused.code, Some(2));
    assert!(refused.stderr.contains("add `--without-decisions`"), "{}", refused.stderr);
    let page = fine(&scratch, "report c.db --out c.html");
    assert_eq!(page.code, Some(0));
    let page = fs::read_to_string(scratch.path().join("c.html")).expect("a page");
    assert!(page.contains("neither do its games"));
}

fn a_walkover_that_was_played_on_cannot_be_undone() {
    let scratch = Scratch::new();
    let text = contest_text(7, &FIVE)
        .replace("kind = \"all-play-all\"\nboards = [1, 2]", "kind = \"knockout\"\nboards = [1]");
    // Of five, seeds 4 and 5 play the first round.
    stopped(&scratch, &text, 1);
    let refused = run(&scratch, "decide c.db withdraw @greedy --games void --why 'ill'");
    assert_eq!(refused.code, Some(2));
    assert!(
        refused.stderr.contains("its games cannot be `void` in the stages that it has played: keep"),
        "{}",
        refused.stderr
    );
    fine(&scratch, "decide c.db withdraw @greedy --why 'ill' --yes");
    let printed = tournament(&scratch, "c.toml --no-check --db c.db").stdout;
    assert!(printed.contains("round 1, match 2: decided by a walkover"), "{printed}");
    fine(&scratch, "verify c.db");
    let refused = run(&scratch, "decide c.db undo 1 --why 'well again' --yes");
    assert_eq!(refused.code, Some(2));
    let said = "decision 1 cannot be undone: game s1/r2/m1/g1 was played because of it";
    assert!(refused.stderr.contains(said), "{}", refused.stderr);
}

fn decisions_are_in_the_seal() {
    let scratch = Scratch::new();
    stopped(&scratch, &contest_text(7, &FIVE), 12);
    let seal =
        |db: &str| Record::open(&scratch.path().join(db)).unwrap().seal().unwrap().expect("a seal").to_string();
    let early = seal("c.db");
    fine(&scratch, "decide c.db withdraw @mirror --games keep --why 'ill' --yes");
    tournament(&scratch, "c.toml --no-check --db c.db");
    let later = run(&scratch, &format!("verify c.db --seal {early}"));
    assert!(later.stdout.contains("games and 1 decision were recorded after the given seal"), "{}", later.stdout);
    let script = std::process::Command::new("python3")
        .arg(checkout("docs/seal.py"))
        .arg(scratch.path().join("c.db"))
        .output()
        .expect("python3");
    assert_eq!(String::from_utf8_lossy(&script.stdout).trim(), seal("c.db"));
    for (what, change, said) in [
        ("its reason", "UPDATE decisions SET why = 'lazy'", "decision 1 was changed"),
        ("its time", "UPDATE decisions SET taken_ms = taken_ms - 1", "decision 1 was changed"),
        ("its place", "UPDATE decisions SET id = (SELECT max(id) + 1 FROM games)", "was changed"),
        ("a round", "UPDATE decisions SET action = replace(action, '\"round\":2', '\"round\":3')", "decision 1"),
        ("no decision", "DELETE FROM decisions", "was changed, or a game before it was added or removed"),
        (
            "another bot",
            "UPDATE decisions SET action = replace(action, '\"entrant\":2', '\"entrant\":7')",
            "entrant 7 does not compete",
        ),
        ("no JSON", "UPDATE decisions SET action = '{}'", "decisions.action should be a decision"),
    ] {
        fs::copy(scratch.path().join("c.db"), scratch.path().join("changed.db")).expect("a copy");
        let db = Connection::open(scratch.path().join("changed.db")).expect("a record");
        assert_eq!(db.execute(change, []).expect("SQL"), 1, "{what}");
        drop(db);
        let ran = run(&scratch, "verify changed.db");
        assert_ne!(ran.code, Some(0), "{what}: {}", ran.stdout);
        assert!(
            (ran.stdout.clone() + &ran.stderr).contains(said),
            "{what}: {said:?} is not in {}{}",
            ran.stdout,
            ran.stderr
        );
    }
}

/// The record of the first `played` games of `whole`, in the order of the contest.
fn beginning(whole: &Record, played: usize, path: &Path) -> Writer {
    let mut first: Vec<GameRecord> = Vec::new();
    whole
        .each_full_game::<RecordError>(&mut |game| {
            first.extend((first.len() < played).then_some(game));
            Ok(())
        })
        .expect("games");
    let mut writer = Writer::create(path, &whole.header().expect("a header")).expect("a record");
    writer.add_entrants(&whole.entrants().expect("entrants")).expect("entrants");
    writer.add_games(&first).expect("games");
    writer
}

fn every_kept_record_takes_decisions_at_any_time() {
    let games = Games::new(cornerman_cli::games::all().iter().map(|game| game.kit));
    let mut taken = BTreeMap::new();
    for path in kept_records() {
        let whole = Record::open(&path).expect("a record");
        let all = whole.games_played().expect("a number") as usize;
        let contest_of = |record: &Record| ContestFile::recorded(record, &games);
        let Ok(recorded) = contest_of(&whole) else { continue };
        let forfeits = recorded.forfeits(&whole.header().expect("a header"));
        let forfeits = forfeits.as_ref().map_or(&[][..], |outcomes| &outcomes[..]);
        for (nth, played) in [1, all / 3, all / 2, all * 3 / 4, all].into_iter().enumerate() {
            let scratch = Scratch::new();
            let mut writer = beginning(&whole, played, &scratch.path().join("c.db"));
            // Two bots leave, one after the other.
            for (entrant, disqualified) in [(nth as u16, false), (nth as u16 + 1, true)] {
                let contest = contest_of(&writer).expect("a contest").contest;
                let results = writer.results().expect("results");
                let Ok(leave) = contest.leave(&results, EntrantId(entrant), disqualified, None, forfeits) else {
                    continue;
                };
                writer.decide(&DecidedAction::Leave(leave), "a trial").expect("it can be written");
                *taken.entry(path.clone()).or_insert(0) += 1;
            }
            let contest = contest_of(&writer).expect("a contest").contest;
            writer.record_remarks(&contest, &writer.results().expect("results")).expect("remarks");
            drop(writer);
            let record = Record::open(&scratch.path().join("c.db")).expect("a record");
            let place = format!("{} after {played} games", path.display());
            match verify(&record, &games).expect("it can be read") {
                Verdict::Consistent(_) => {}
                Verdict::Different(difference) => panic!("{place}: {difference}"),
            }
            assert!(matches!(check_seal(&record, &[], None), Ok(SealCheck::Intact(_))), "{place}");
            record.check_schedule(&contest).expect(&place);
        }
    }
    assert!(taken.len() > 12 && taken.values().sum::<i32>() > 100, "{taken:?}");
}

/// The records in `tests/data/records/` that have games of built-in rules.
fn kept_records() -> Vec<PathBuf> {
    let files =
        fs::read_dir(checkout("tests/data/records")).expect("a folder").map(|file| file.expect("a file").path());
    let mut records: Vec<PathBuf> = files.filter(|file| file.extension().is_some_and(|end| end == "db")).collect();
    records
        .retain(|path| Record::open(path).is_ok_and(|record| record.games_played().is_ok_and(|games| games > 0)));
    records.sort();
    records
}

fn while_a_run_writes_decisions_are_only_shown() {
    let scratch = Scratch::new();
    scratch.script("slow", "sleep 0.2; move");
    contest(&scratch, &["@parity", "./slow", "@greedy"]);
    let mut playing = unattended(&scratch, "c.toml --no-check --workers 1").spawn().expect("it can be started");
    wait_for("the first game", || (played(&scratch, "c.db") > 0).then_some(()));
    let shown = run(&scratch, "decide c.db withdraw @greedy --why ill");
    let refused = run(&scratch, "decide c.db withdraw @greedy --why ill --yes");
    playing.kill().expect("it was started");
    playing.wait().expect("it was started");
    assert_eq!((shown.code, refused.code), (Some(0), Some(2)), "{}{}", shown.stderr, refused.stderr);
    assert!(refused.stderr.contains("another run is writing to it"), "{}", refused.stderr);
    assert_eq!(fine(&scratch, "decisions c.db").stdout, "nothing was decided\n");
    // After a run that was killed a decision is recorded, and the next run goes on with it.
    fine(&scratch, "decide c.db withdraw @greedy --games keep --why ill --yes");
    let before = games(&scratch, "c.db").iter().filter(|(_, seats, ..)| seats.contains(&2)).count();
    assert_eq!(tournament(&scratch, "c.toml --no-check").code, Some(0));
    let all = games(&scratch, "c.db");
    assert_eq!(all.iter().filter(|(_, seats, ..)| seats.contains(&2)).count(), before);
    assert_eq!(all.len(), before + 4);
    fine(&scratch, "verify c.db");
}

fn wrong_decisions_say_what_is_possible() {
    let scratch = Scratch::new();
    stopped(&scratch, &contest_text(7, &FIVE), 12);
    let check = |args: &str, said: &str| {
        let ran = run(&scratch, args);
        assert_eq!(ran.code, Some(2), "{args}: {}", ran.stdout);
        assert!(ran.stderr.contains(said), "{args}: {said:?} is not in {}", ran.stderr);
    };
    check("decide c.db withdraw @miror --why x", "no entrant is called `@miror` (did you mean `@mirror`?)");
    check("decide c.db withdraw @mirror", "--why <TEXT>");
    check("decide c.db withdraw @mirror --why ' '", "--why: say in a sentence");
    check("decide c.db withdraw @mirror --why x --games half", "[possible values: keep, void, lost]");
    check("decide c.db undo 1 --why x", "there is no decision 1: nothing was decided");
    check("decide none.db undo 1 --why x", "no such record");
    fine(&scratch, "decide c.db withdraw @mirror --why x --yes");
    check("decide c.db withdraw @mirror --why x", "@mirror: it has withdrawn already");
    check("decide c.db undo 3 --why x", "there is no decision 3: the last is 1");
    fine(&scratch, "decide c.db undo 1 --why x --yes");
    check("decide c.db undo 1 --why x", "decision 1 was undone by decision 2");
    check("decide c.db undo 2 --why x", "decision 2 undoes another one: take that decision again instead");
    assert_eq!(fine(&scratch, "decisions whole.db").stdout, "nothing was decided\n");
}

fn the_page_has_the_table_of_formats() {
    let page = fs::read_to_string(checkout("docs/run-a-contest.md")).expect("a page");
    for departure in Departure::ALL {
        let row = format!("| {} | {} |", departure.formats(), departure.rule());
        assert!(page.contains(&row), "docs/run-a-contest.md needs the row\n{row}");
    }
}
