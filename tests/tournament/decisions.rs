//! `decide` and `decisions`: bots withdraw and are disqualified while a contest is played, all commands follow the
//! decisions, and the record proves them.

use super::annulled::counted_in_sql;
use super::{FIVE, contest, contest_text, games, games_of, played, tournament, unattended};
use crate::support::leftovers::wait_for;
use crate::support::{Ran, Scratch, checkout, trial};
use cornerman::contest::Contest;
use cornerman::format::{Departure, EntrantId, GameId};
use cornerman::game::Outcome;
use cornerman_harness::contest_file::ContestFile;
use cornerman_harness::kit::Games;
use cornerman_harness::record::{
    DecidedAction, GameRecord, LaterGames, Record, RecordError, Writer, annul, out_of_schedule,
};
use cornerman_harness::verify::{SealCheck, Verdict, check_seal, verify};
use libtest_mimic::Trial;
use rusqlite::Connection;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock};

pub fn trials() -> Vec<Trial> {
    vec![
        trial!(a_bot_withdraws_in_the_middle_and_comes_back),
        trial!(a_disqualified_bot_has_no_place),
        trial!(a_walkover_that_was_played_on_cannot_be_undone),
        trial!(a_bot_on_hold_plays_nothing_until_it_is_released),
        trial!(decisions_are_in_the_seal),
        trial!(a_chain_that_was_computed_anew_without_a_decision_is_found, ["python3"]),
        trial!(every_kept_record_takes_decisions_at_any_time),
        trial!(a_decision_is_taken_up_by_the_run_that_plays, ["awk"]),
        trial!(a_request_is_recorded_once_whenever_its_run_was_killed),
        trial!(wrong_decisions_say_what_is_possible),
        trial!(the_page_has_the_table_of_formats),
    ]
}

/// A command with these arguments, in which `'` encloses one with blanks.
pub(super) fn run(scratch: &Scratch, args: &str) -> Ran {
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
pub(super) fn fine(scratch: &Scratch, args: &str) -> Ran {
    let ran = run(scratch, args);
    assert_eq!(ran.code, Some(0), "{args}: {}", ran.stderr);
    ran
}

/// Makes `c.db`, the record of a run of `c.toml` that was stopped after `played` games, and `whole.db`, the record of a
/// complete run.
pub(super) fn stopped(scratch: &Scratch, text: &str, played: usize) {
    contest(scratch, &FIVE);
    scratch.file("c.toml", text);
    let whole = scratch.file("whole.db", whole_record(text));
    let whole = Record::open(&whole).expect("a record");
    drop(beginning(&whole, played, &scratch.path().join("c.db")));
}

/// The record of a whole run of the contest `text`. It is played once for all trials.
fn whole_record(text: &str) -> Vec<u8> {
    static RECORDS: Mutex<BTreeMap<String, Arc<OnceLock<Vec<u8>>>>> = Mutex::new(BTreeMap::new());
    let record = Arc::clone(RECORDS.lock().expect("no trial panics with it").entry(text.to_string()).or_default());
    let play = || {
        let scratch = Scratch::new();
        contest(&scratch, &FIVE);
        scratch.file("c.toml", text);
        tournament(&scratch, "c.toml --no-check --db whole.db").fine();
        fs::read(scratch.path().join("whole.db")).expect("a record")
    };
    record.get_or_init(play).clone()
}

/// Checks that `verify` finds each change of `c.db`: what it changes, the SQL, and words of the message.
#[track_caller]
pub(super) fn every_change_is_found(scratch: &Scratch, changes: &[(&str, &str, &str)]) {
    for (what, change, said) in changes {
        fs::copy(scratch.path().join("c.db"), scratch.path().join("changed.db")).expect("a copy");
        let db = Connection::open(scratch.path().join("changed.db")).expect("a record");
        assert_eq!(db.execute(change, []).expect("SQL"), 1, "{what}");
        drop(db);
        let ran = run(scratch, "verify changed.db");
        let told = ran.stdout.split_whitespace().collect::<Vec<_>>().join(" ") + &ran.stderr;
        assert!(ran.code != Some(0) && told.contains(said), "{what}: {said:?} is not in {told}");
    }
}

/// The standings of `db` as name, place and figures.
pub(super) fn standings(scratch: &Scratch, db: &str) -> Vec<(String, u64, Vec<i64>)> {
    let json: serde_json::Value =
        serde_json::from_str(&fine(scratch, &format!("standings {db} --format json")).stdout).expect("JSON");
    rows(&json["final"]["standings"])
}

/// The rows of standings in JSON.
pub(super) fn rows(standings: &serde_json::Value) -> Vec<(String, u64, Vec<i64>)> {
    let row = |it: &serde_json::Value| {
        let figures = it["figures"].as_array().unwrap().iter().map(|figure| figure.as_i64().unwrap()).collect();
        (it["name"].as_str().unwrap().to_string(), it["place"].as_u64().unwrap(), figures)
    };
    standings.as_array().unwrap().iter().map(row).collect()
}

/// The standings by wins, then points, worked out from the games of `db` and the rule alone: a game of `gone` that
/// was not played is won by the other, without points.
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

    let taken = fine(&scratch, "decide c.db withdraw 3 --why 'on holiday' --yes --tell letters");
    let said = "decision 1 was recorded\n5 messages written into letters\n";
    assert_eq!((taken.stdout, taken.stderr.as_str()), (shown.stdout, said));
    let letter = fs::read_to_string(scratch.path().join("letters/2.txt")).expect("a message");
    for (said, is_there) in [
        ("To the author of @random", true),
        ("@mirror withdraws; its open games are lost", true),
        ("The reason: on holiday", true),
        ("no longer to be played", true),
        ("@greedy", false),
    ] {
        assert_eq!(letter.contains(said), is_there, "{said:?} in {letter}");
    }
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
    assert_eq!(counted_in_sql(&scratch), 24, "four bots have played each other");
    fine(&scratch, "verify c.db");
    // By rules that change nothing, the standings are those of the record, with its decisions or without them.
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

fn a_bot_on_hold_plays_nothing_until_it_is_released() {
    let scratch = Scratch::new();
    stopped(&scratch, &contest_text(7, &FIVE), 10);
    let of_mirror = || games(&scratch, "c.db").iter().filter(|(_, seats, ..)| seats.contains(&2)).count();
    let before = of_mirror();
    let shown = fine(&scratch, "decide c.db hold @mirror --why 'its author mends it' --yes").stdout;
    let waiting = 16 - before;
    let others = games_of(5) - 10 - waiting;
    let said =
        format!("{others} open games may be played, {waiting} games of bots on hold may not; 10 games so far");
    assert!(shown.contains(&said), "{said:?} is not in {shown}");
    let again = run(&scratch, "decide c.db hold 3 --why 'its author mends it'");
    assert_eq!((again.code, again.stderr.as_str()), (Some(2), "error: @mirror: it is on hold already\n"));
    let ran = run(&scratch, "tournament c.toml --no-check --db c.db");
    assert_eq!(ran.code, Some(1), "{}", ran.stderr);
    let open = games_of(5) - games(&scratch, "c.db").len();
    assert!(ran.stderr.contains(&format!("{open} games of bots that are on hold are open")), "{}", ran.stderr);
    assert_eq!((of_mirror(), open), (before, 16 - before), "all others are played");
    fine(&scratch, "verify c.db");
    fine(&scratch, "decide c.db release @mirror --why 'it is mended' --yes");
    let again = run(&scratch, "decide c.db release @mirror --why 'it is mended'");
    assert_eq!((again.code, again.stderr.as_str()), (Some(2), "error: @mirror is not on hold\n"));
    tournament(&scratch, "c.toml --no-check --db c.db");
    assert_eq!(games(&scratch, "c.db"), games(&scratch, "whole.db"));
    assert_eq!(standings(&scratch, "c.db"), standings(&scratch, "whole.db"));
    fine(&scratch, "verify c.db");
}

/// The owner of a record can remove a decision and compute the chain of hashes again. Seals that others kept reveal it.
fn a_chain_that_was_computed_anew_without_a_decision_is_found() {
    let scratch = Scratch::new();
    stopped(&scratch, &contest_text(7, &FIVE), 40);
    fine(&scratch, "decide c.db disqualify @parity --why copied --yes");
    fine(&scratch, "decide c.db undo 1 --why 'it was another' --yes");
    let copy =
        |from: &str, to: &str| assert!(fs::copy(scratch.path().join(from), scratch.path().join(to)).is_ok());
    let seal = Record::open(&scratch.path().join("c.db")).unwrap().seal().unwrap().expect("a seal");
    copy("c.heads", "kept.heads");
    let script = "import hashlib, sqlite3, sys\nsys.path.insert(0, sys.argv[1])\nimport seal\n\
        db = sqlite3.connect(sys.argv[2])\n\
        db.execute('DELETE FROM decisions')\n\
        link = hashlib.sha256(b''.join(seal.rows(db, sql) for sql in seal.CONTEST)).digest()\n\
        for number, in db.execute('SELECT id FROM games ORDER BY id').fetchall():\n  \
        game = hashlib.sha256(b''.join(seal.rows(db, sql, [number]) for sql in seal.GAME)).digest()\n  \
        link = hashlib.sha256(link + game).digest()\n  \
        db.execute('UPDATE games SET link = ? WHERE id = ?', (link, number))\n\
        db.commit()\n";
    copy("c.db", "forged.db");
    let forged = std::process::Command::new("python3")
        .args(["-B", "-c", script])
        .arg(checkout("docs"))
        .arg(scratch.path().join("forged.db"))
        .output()
        .expect("python3");
    assert!(forged.status.success(), "{}", String::from_utf8_lossy(&forged.stderr));
    assert!(!fine(&scratch, "verify forged.db").stdout.contains("decision"), "it is consistent in itself");
    for (kept, said) in [
        (format!("--seal {seal}"), "this is not the record that was sealed, or not all of it"),
        ("--seal-log kept.heads".to_string(), "after 41 games and decisions, at "),
    ] {
        let ran = run(&scratch, &format!("verify forged.db {kept}"));
        let told = ran.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(ran.code == Some(1) && told.contains(said), "{kept}: {said:?} is not in {told}{}", ran.stderr);
        assert_eq!(run(&scratch, &format!("verify c.db {kept}")).code, Some(0), "{kept}");
    }
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
    assert!(later.stdout.contains("games and 1 decision recorded after the given seal"), "{}", later.stdout);
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
        (
            "no decision",
            "DELETE FROM decisions",
            "was changed, or a game or decision before it was added or removed",
        ),
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
pub(super) fn beginning(whole: &Record, played: usize, path: &Path) -> Writer {
    let mut first: Vec<GameRecord> = Vec::new();
    whole
        .each_full_game::<RecordError>(&mut |game| {
            first.extend((first.len() < played).then_some(game));
            Ok(())
        })
        .expect("games");
    let mut writer = Writer::create_or_resume(path, &whole.header().expect("a header")).expect("a record");
    writer.add_entrants(&whole.entrants().expect("entrants")).expect("entrants");
    writer.add_games(&first).expect("games");
    writer
}

fn every_kept_record_takes_decisions_at_any_time() {
    let games = Games::new(cornerman_cli::games::all().iter().map(|game| game.kit));
    let mut taken = BTreeMap::new();
    let mut annulled = [0, 0];
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
                writer.decide(&DecidedAction::Leave(leave), None, "a trial").expect("it can be written");
                *taken.entry(path.clone()).or_insert(0) += 1;
            }
            for id in annulments(&writer) {
                let contest = contest_of(&writer).expect("a contest").contest;
                let (phases, outcomes) = writer.history(&contest).expect("it can be read");
                let annul = annul(&phases, &outcomes, id, LaterGames::Keep);
                annulled[usize::from(annul.is_ok())] += 1;
                let Ok(annul) = annul else { continue };
                writer.decide(&DecidedAction::Annul(annul.clone()), None, "a trial").expect("it can be written");
                let mut again = writer.game(id).expect("it can be read").expect("it is there");
                again.pairing.id.attempt = annul.attempt;
                any_result_fits(&writer, &contest_of(&writer).expect("a contest").contest, &again);
                // The last stays open.
                if id.game == 0 {
                    writer.add_game(&again).expect("it can be written");
                }
            }
            follows_from_its_decisions(writer, &format!("{} after {played} games", path.display()));
        }
    }
    assert!(taken.len() > 12 && taken.values().sum::<i32>() > 100, "{taken:?}");
    assert!(annulled.iter().all(|number| *number > 50), "refused and taken: {annulled:?}");
}

/// Some games of a record: the first and the last of each round.
fn annulments(record: &Record) -> Vec<GameId> {
    let all: Vec<GameId> = record.games().expect("games").iter().map(|game| game.pairing.id).collect();
    let rounds = all.chunk_by(|a, b| (a.stage, a.round) == (b.stage, b.round));
    rounds.flat_map(|games| BTreeSet::from([games[0], games[games.len() - 1]])).collect()
}

/// Checks that all other games of the record keep their places in the schedule, whatever the result of a game that is
/// played again.
fn any_result_fits(record: &Record, contest: &Contest, again: &GameRecord) {
    for places in [again.outcome.places.clone(), again.outcome.places.iter().rev().copied().collect()] {
        let points = places.iter().map(|place| -i64::from(*place)).collect();
        let (mut phases, mut outcomes) = record.history(contest).expect("it can be read");
        let (_, last) = phases.last_mut().expect("a phase");
        last.insert(again.pairing.id, again.pairing.clone());
        outcomes.insert(again.pairing.id, Outcome { places, points, ..again.outcome.clone() });
        assert_eq!(out_of_schedule(phases, &outcomes), None, "{}", record.path().display());
    }
}

/// Checks that a record with decisions, once its remarks are recorded too, follows from its contest and the decisions.
#[track_caller]
pub(super) fn follows_from_its_decisions(mut writer: Writer, place: &str) {
    let games = Games::new(cornerman_cli::games::all().iter().map(|game| game.kit));
    let contest = ContestFile::recorded(&writer, &games).expect("a contest").contest;
    writer.set_remarks(&contest.remarks(&writer.results().expect("results"))).expect("remarks");
    let path = writer.path().to_path_buf();
    drop(writer);
    let record = Record::open(&path).expect("a record");
    match verify(&record, &games).expect("it can be read") {
        Verdict::Consistent(_) => {}
        Verdict::Different(difference) => panic!("{place}: {difference}"),
    }
    assert!(matches!(check_seal(&record, &[], None), Ok(SealCheck::Intact(_))), "{place}");
    record.check_schedule(&contest).expect(place);
}

/// The records in `tests/data/records/` that have games of built-in rules.
pub(super) fn kept_records() -> Vec<PathBuf> {
    let files =
        fs::read_dir(checkout("tests/data/records")).expect("a folder").map(|file| file.expect("a file").path());
    let mut records: Vec<PathBuf> = files.filter(|file| file.extension().is_some_and(|end| end == "db")).collect();
    records
        .retain(|path| Record::open(path).is_ok_and(|record| record.games_played().is_ok_and(|games| games > 0)));
    records.sort();
    records
}

fn a_decision_is_taken_up_by_the_run_that_plays() {
    let scratch = Scratch::new();
    // `slow` waits until the decision is taken. The first games are between the others, then it meets the bot that
    // withdraws.
    scratch.script("slow", "while [ ! -e \"$(dirname \"$0\")/go\" ]; do sleep 0.05; done; move");
    let entrants = ["./slow", "@parity", "@greedy"];
    contest(&scratch, &entrants);
    let rules = fs::read_to_string(checkout("rulesets/boxing-1994.toml")).expect("the ruleset");
    scratch.file("patient.toml", rules.replace("hard_ms = 2000", "hard_ms = 600000"));
    scratch.file("c.toml", contest_text(7, &entrants).replace("seed = 7", "ruleset = \"patient.toml\"\nseed = 7"));
    let options = "c.toml --no-check --workers 1 --isolation restricted --isolation-at-most restricted";
    let mut playing = unattended(&scratch, options).spawn().expect("it can be started");
    wait_for("the first game", || (played(&scratch, "c.db") > 0).then_some(()));
    let shown = fine(&scratch, "decide c.db withdraw @greedy --why ill");
    assert!(shown.stderr.contains("nothing was written"), "{}", shown.stderr);
    let refused = run(&scratch, "decide c.db award s9/r9/m9/g9 @greedy --why ill --yes");
    assert!(refused.code == Some(2) && refused.stderr.contains("neither played nor due"), "{}", refused.stderr);
    let decided = fine(&scratch, "decide c.db withdraw @greedy --games keep --why ill --yes --tell letters");
    assert!(decided.stderr.contains("decision 1 was recorded"), "{}", decided.stderr);
    assert!(fs::exists(scratch.path().join("letters/3.txt")).expect("a folder"), "{}", decided.stderr);
    // The run is not over, and goes on with the decision.
    assert!(playing.try_wait().expect("it was started").is_none());
    scratch.file("go", "");
    let before = games(&scratch, "c.db").iter().filter(|(_, seats, ..)| seats.contains(&2)).count();
    assert_eq!(playing.wait().expect("it was started").code(), Some(0));
    let all = games(&scratch, "c.db");
    assert_eq!(all.iter().filter(|(_, seats, ..)| seats.contains(&2)).count(), before);
    assert_eq!(all.len(), before + 4);
    fine(&scratch, "verify c.db");
    assert!(!fs::exists(scratch.path().join("c.db.decide")).expect("a folder"));
}

/// A request to withdraw a bot, as the file in the folder beside the record has it.
const REQUEST: &str =
    r#"{"Withdraw":{"bot":"@greedy","games":"Keep","taken":{"why":"ill","yes":true,"tell":null}}}"#;

fn a_request_is_recorded_once_whenever_its_run_was_killed() {
    // How far the run got with the request, and whether the decision was recorded.
    for (state, recorded) in [("", false), (".1", false), (".1", true), (".0", false)] {
        for next in ["tournament c.toml --no-check", "decide c.db withdraw @mirror --games keep --why late --yes"]
        {
            let scratch = Scratch::new();
            stopped(&scratch, &contest_text(7, &FIVE), 12);
            if recorded {
                fine(&scratch, "decide c.db withdraw @greedy --games keep --why ill --yes");
            }
            fs::create_dir(scratch.path().join("c.db.decide")).expect("a folder");
            // This process waits for an answer to the request; no process waits for the other answer.
            let file = |asker: u32, ending: &str| format!("c.db.decide/000001754300000-{asker}{ending}");
            let here = std::process::id();
            scratch.file(&file(here, &format!("{state}.request")), REQUEST);
            scratch.file(&file(u32::MAX, ".answer"), "");
            fine(&scratch, next);
            let decisions = fine(&scratch, "decisions c.db").stdout;
            let is_refused = state == ".0";
            let withdrawals = decisions.matches("@greedy withdraws").count();
            assert_eq!(withdrawals, usize::from(!is_refused), "{state}, {next}: {decisions}");
            let answer = fs::read_to_string(scratch.path().join(file(here, ".answer"))).expect("an answer");
            let due = if is_refused { r#"{"Err":"it was refused by a run that"# } else { r#"{"Ok":{"number":1,"# };
            assert!(answer.starts_with(due), "{state}, {next}: {answer}");
            assert!(!fs::exists(scratch.path().join(file(u32::MAX, ".answer"))).expect("a folder"));
            fine(&scratch, "verify c.db");
        }
    }
}

fn wrong_decisions_say_what_is_possible() {
    let scratch = Scratch::new();
    stopped(&scratch, &contest_text(7, &FIVE), 12);
    let check = |args: &str, said: &str| {
        let ran = run(&scratch, args);
        assert_eq!(ran.code, Some(2), "{args}: {}", ran.stdout);
        assert!(ran.stderr.contains(said), "{args}: {said:?} is not in {}", ran.stderr);
    };
    check("decide c.db withdraw @miror --why x", "no entrant is called `@miror`\nhint: did you mean `@mirror`?");
    check("decide c.db withdraw @mirror", "--why <TEXT>");
    check("decide c.db withdraw @mirror --why ' '", "--why: say in a sentence");
    check("decide c.db withdraw @mirror --why x --games half", "[possible values: keep, void, lost]");
    check("decide c.db undo 1 --why x", "there is no decision 1: nothing was decided");
    for leaves in ["withdraw", "disqualify"] {
        let args = format!("decide c.db {leaves} @mirror --games void --replay-later --why x");
        check(&args, "`--replay-later` belongs to `annul` and `award`");
    }
    fine(&scratch, "play @greedy @parity --quiet --record played.db");
    check("decide played.db withdraw @greedy --why x", "has no contest file; to play without a bot");
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
        let [formats, rule] = departure.row();
        let row = format!("| {formats} | {rule} |");
        assert!(page.contains(&row), "docs/run-a-contest.md needs the row\n{row}");
    }
}
