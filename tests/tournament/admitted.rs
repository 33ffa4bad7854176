//! `decide DB admit`: a bot takes part although the contest has begun.

use super::decisions::{
    beginning, every_change_is_found, fine, follows_from_its_decisions, kept_records, run, standings, stopped,
};
use super::{FIVE, contest, contest_text, games, played, unattended};
use crate::support::leftovers::wait_for;
use crate::support::{Scratch, checkout, trial};
use cornerman::contest::Admit;
use cornerman::format::{Arrival, EntrantId};
use cornerman_harness::contest_file::ContestFile;
use cornerman_harness::kit::Games;
use cornerman_harness::record::{DecidedAction, EntrantRecord, Record, Writer};
use libtest_mimic::Trial;
use std::fs;

pub fn trials() -> Vec<Trial> {
    vec![
        trial!(a_late_bot_meets_all_others_and_the_past_stays, ["python3"]),
        trial!(a_recorded_admission_to_another_round_is_found),
        trial!(a_bot_that_may_not_play_is_not_admitted),
        trial!(a_running_contest_takes_up_a_late_bot),
        trial!(a_stage_that_has_not_begun_takes_a_late_bot),
        trial!(every_kept_record_admits_a_bot_or_says_why_not),
        trial!(the_page_has_the_table_of_arrivals),
    ]
}

/// The number of the bot that is admitted to a contest of five.
const LATE: usize = 5;

fn a_late_bot_meets_all_others_and_the_past_stays() {
    let scratch = Scratch::new();
    stopped(&scratch, &contest_text(7, &FIVE), 22);
    scratch.script("bots/late Füller", "move");
    let early = seal(&scratch);
    let before = fs::read(scratch.path().join("c.db")).expect("a record");
    let admit = "decide c.db admit 'bots/late Füller' --no-check --why 'its letter was late'";
    let shown = fine(&scratch, admit).stdout;
    for said in ["late Füller is admitted, from round 4", "to be played instead", "late Füller - "] {
        assert!(shown.contains(said) || shown.contains("- late Füller"), "{said:?} is not in {shown}");
    }
    assert_eq!(fs::read(scratch.path().join("c.db")).expect("a record"), before, "a preview writes nothing");
    fine(&scratch, &format!("{admit} --yes"));
    assert_eq!(seal_by_script(&scratch), seal(&scratch));
    fine(&scratch, "verify c.db");
    // As long as no game was played because of it, it can be undone; its number stays.
    fine(&scratch, "decide c.db undo 1 --why x --yes");
    fine(&scratch, "tournament c.toml --no-check --db c.db");
    assert_eq!(standings(&scratch, "c.db"), standings(&scratch, "whole.db"));
    let over = run(&scratch, &format!("{admit} --yes"));
    assert!(over.code == Some(2) && over.stderr.contains("stage 1: it is over"), "{over:?}");

    fs::write(scratch.path().join("c.db"), before).expect("a record");
    fs::remove_file(scratch.path().join("c.heads")).ok();
    fine(&scratch, &format!("{admit} --yes"));
    fine(&scratch, "tournament c.toml --no-check --db c.db");
    let all = games(&scratch, "c.db");
    let (own, others): (Vec<_>, Vec<_>) = all.into_iter().partition(|(_, seats, ..)| seats.contains(&LATE));
    assert_eq!(others, games(&scratch, "whole.db"), "what others play is the same");
    // Two games on each of two boards against each, in rounds after the five.
    assert_eq!(own.len(), 4 * FIVE.len());
    assert!(
        own.iter().all(|(id, ..)| ["r6", "r7", "r8", "r9", "r10"]
            .iter()
            .any(|round| id.contains(&format!("/{round}/"))))
    );
    assert_eq!(standings(&scratch, "c.db"), derived(&scratch), "by a naive second derivation");
    for command in
        ["verify c.db", "games c.db --bot 'late Füller'", "rejudge c.db --rules boxing-1994", "audit c.db"]
    {
        fine(&scratch, command);
    }
    let later = run(&scratch, &format!("verify c.db --seal {early}"));
    assert!(later.stdout.contains("games and 1 decision recorded after the given seal"), "{}", later.stdout);
    assert_eq!(seal_by_script(&scratch), seal(&scratch));
    fine(&scratch, "report c.db --out c.html");
    let page = fs::read_to_string(scratch.path().join("c.html")).expect("a page");
    assert!(
        page.contains("late Füller is admitted") || page.contains(" is admitted, from round 4"),
        "the page says so"
    );
    let listed = fine(&scratch, "decisions c.db --format json").stdout;
    let listed: serde_json::Value = serde_json::from_str(&listed).expect("JSON");
    assert_eq!(listed["decisions"][0]["what"], "admit");
    assert_eq!(listed["decisions"][0]["admitted_to"], serde_json::json!([{ "stage": 1, "round": 4 }]));
    let undone = run(&scratch, "decide c.db undo 1 --why x");
    assert!(undone.code == Some(2) && undone.stderr.contains("was played because of it"), "{undone:?}");
    fine(&scratch, "rejudge c.db --rules boxing-1994 --without-decisions --into without.db");
    assert_eq!(games(&scratch, "without.db").len(), others.len());
    fine(&scratch, "verify without.db");
    // What the seal covers of it.
    let changes = [
        ("its name", "UPDATE entrants SET name = 'other' WHERE number = 5", "decision 1 was changed"),
        ("its verdict", "UPDATE entrants SET verdict = 'passed' WHERE number = 5", "decision 1 was changed"),
        ("another's name", "UPDATE entrants SET name = 'other' WHERE number = 4", "the contest or its entrants"),
        ("its round", "UPDATE decisions SET action = replace(action, '[3]', '[2]')", "decision 1"),
        ("its number", "UPDATE decisions SET action = replace(action, ':5', ':4')", "should be the last ones"),
    ];
    every_change_is_found(&scratch, &changes);
    // A run that resumes plays what was admitted, or nothing.
    scratch.script("bots/late Füller", "sleep 0; move");
    let other = run(&scratch, "tournament c.toml --no-check --db c.db");
    assert!(other.code == Some(2) && other.stderr.contains("late Füller"), "{other:?}");
}

/// The standings by wins, then points, worked out from the games alone.
fn derived(scratch: &Scratch) -> Vec<(String, u64, Vec<i64>)> {
    let names: Vec<&str> = FIVE.into_iter().chain(["late Füller"]).collect();
    let mut rows = vec![vec![0, 0]; names.len()];
    for (_, seats, outcome, _) in games(scratch, "c.db") {
        for (seat, bot) in seats.into_iter().enumerate() {
            rows[bot][0] += i64::from(outcome.places[seat] == 1);
            rows[bot][1] += outcome.points[seat];
        }
    }
    let place = |own: &Vec<i64>| 1 + rows.iter().filter(|other| *other > own).count() as u64;
    let mut all: Vec<_> =
        names.iter().zip(&rows).map(|(name, row)| (name.to_string(), place(row), row.clone())).collect();
    all.sort_by_key(|(name, place, _)| (*place, names.iter().position(|bot| bot == name)));
    all
}

pub(super) fn seal(scratch: &Scratch) -> String {
    Record::open(&scratch.path().join("c.db")).unwrap().seal().unwrap().expect("a seal").to_string()
}

pub(super) fn seal_by_script(scratch: &Scratch) -> String {
    let mut script = std::process::Command::new("python3");
    let script =
        script.arg("-B").arg(checkout("docs/seal.py")).arg(scratch.path().join("c.db")).output().expect("python3");
    String::from_utf8_lossy(&script.stdout).trim().to_string()
}

fn a_recorded_admission_to_another_round_is_found() {
    for (round, code) in [(3, 0), (2, 1)] {
        let scratch = Scratch::new();
        stopped(&scratch, &contest_text(7, &FIVE), 22);
        let path = scratch.path().join("c.db");
        let header = Record::open(&path).expect("a record").header().expect("a header");
        let admit = DecidedAction::Admit(Admit { entrant: EntrantId(LATE as u16), stages: vec![Some(round)] });
        let bot = EntrantRecord { name: "late".to_string(), ..EntrantRecord::default() };
        let mut writer = Writer::resume(&path, &header).expect("a record");
        writer.decide(&admit, Some(&bot), "a trial").expect("it can be written");
        drop(writer);
        let verified = run(&scratch, "verify c.db");
        assert!(
            verified.code == Some(code) && verified.stdout.contains("1 decision") == (code == 0),
            "{verified:?}"
        );
        assert_eq!(verified.stdout.contains("decision 1: its places"), code == 1, "{verified:?}");
    }
}

fn a_bot_that_may_not_play_is_not_admitted() {
    let scratch = Scratch::new();
    stopped(&scratch, &contest_text(7, &FIVE), 10);
    scratch.script("bots/mute", "exit 3");
    for (args, said) in [
        ("bots/none", "no such bot"),
        ("@smalest", "did you mean"),
        ("bots/mute", "mute does not play: it fails "),
        ("@smallest --stage 2", "there is no stage 2: the last one is stage 1"),
    ] {
        let ran = run(&scratch, &format!("decide c.db admit {args} --why late --yes"));
        assert!(ran.code == Some(2) && ran.stderr.contains(said), "{args}: {said:?} is not in {ran:?}");
    }
    assert_eq!(fine(&scratch, "decisions c.db").stdout, "nothing was decided\n");
    fine(&scratch, "decide c.db admit @smallest --why late --yes --tell letters");
    let letter = fs::read_to_string(scratch.path().join("letters/6.txt")).expect("a message");
    assert!(letter.contains("@smallest is admitted"), "{letter}");
    // One of the same name gets another, and both can leave by their numbers.
    fine(&scratch, "decide c.db admit @smallest --no-check --why 'another copy' --yes");
    fine(&scratch, "decide c.db withdraw 7 --games void --why 'it was the same' --yes");
    fine(&scratch, "tournament c.toml --no-check --db c.db");
    fine(&scratch, "verify c.db");
    assert_eq!(standings(&scratch, "c.db").len(), 6);
}

fn a_running_contest_takes_up_a_late_bot() {
    let scratch = Scratch::new();
    scratch.script("slow", "sleep 0.2; move");
    contest(&scratch, &["@parity", "./slow", "@greedy"]);
    let mut playing = unattended(&scratch, "c.toml --no-check --workers 1").spawn().expect("it can be started");
    wait_for("the first game", || (played(&scratch, "c.db") > 0).then_some(()));
    let decided = fine(&scratch, "decide c.db admit @mirror --no-check --why late --yes");
    assert!(decided.stderr.contains("decision 1 was recorded"), "{}", decided.stderr);
    assert!(playing.try_wait().expect("it was started").is_none());
    assert_eq!(playing.wait().expect("it was started").code(), Some(0));
    let own = games(&scratch, "c.db").into_iter().filter(|(_, seats, ..)| seats.contains(&3)).count();
    assert_eq!(own, 12, "four games against each");
    fine(&scratch, "verify c.db");
    assert_eq!(standings(&scratch, "c.db").len(), 4);
}

fn a_stage_that_has_not_begun_takes_a_late_bot() {
    let scratch = Scratch::new();
    let text = contest_text(7, &FIVE) + "[[stages]]\nname = \"Final\"\nkind = \"knockout\"\ntop = 2\n";
    stopped(&scratch, &text, 10);
    fine(&scratch, "decide c.db admit @smallest --stage 2 --no-check --why 'a guest' --yes");
    fine(&scratch, "tournament c.toml --no-check --db c.db");
    let of_guest = games(&scratch, "c.db").into_iter().filter(|(_, seats, ..)| seats.contains(&LATE));
    let stages: Vec<String> = of_guest.map(|(id, ..)| id[..2].to_string()).collect();
    assert!(!stages.is_empty() && stages.iter().all(|stage| stage == "s2"), "{stages:?}");
    fine(&scratch, "verify c.db");
    let begun = run(&scratch, "decide c.db admit @center --stage 2 --no-check --why late --yes");
    assert_eq!(begun.code, Some(2), "{begun:?}");
}

fn every_kept_record_admits_a_bot_or_says_why_not() {
    let games = Games::new(cornerman_cli::games::all().iter().map(|game| game.kit));
    let mut admitted = [0, 0];
    for path in kept_records() {
        let whole = Record::open(&path).expect("a record");
        let all = whole.games_played().expect("a number") as usize;
        let contest_of = |record: &Record| ContestFile::recorded(record, &games);
        if contest_of(&whole).is_err() {
            continue;
        }
        for played in [1, all / 2, all] {
            let scratch = Scratch::new();
            let mut writer = beginning(&whole, played, &scratch.path().join("c.db"));
            for _ in 0..2 {
                let contest = contest_of(&writer).expect("a contest").contest;
                let next = EntrantId(writer.entrants().expect("entrants").len() as u16);
                let admit = contest.admit(&writer.results().expect("results"), next, None);
                admitted[usize::from(admit.is_ok())] += 1;
                let Ok(admit) = admit else { continue };
                let bot = EntrantRecord { name: "late".to_string(), ..EntrantRecord::default() };
                writer.decide(&DecidedAction::Admit(admit), Some(&bot), "a trial").expect("it can be written");
            }
            follows_from_its_decisions(writer, &format!("{} after {played} games", path.display()));
        }
    }
    assert!(admitted.iter().all(|number| *number > 20), "refused and admitted: {admitted:?}");
}

fn the_page_has_the_table_of_arrivals() {
    let page = fs::read_to_string(checkout("docs/run-a-contest.md")).expect("a page");
    for arrival in Arrival::ALL {
        let [formats, rule] = arrival.row();
        let row = format!("| {formats} | {rule} |");
        assert!(page.contains(&row), "docs/run-a-contest.md needs the row\n{row}");
    }
}
