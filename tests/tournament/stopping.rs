//! Tournaments that are killed or stopped by Ctrl-C, and resumed: no game is lost, and the results are the same.

use super::{FIVE, contest, contest_text, decided, games, games_of, played, tournament, unattended};
use crate::go::{self, GNUGO, gnugo_is_there};
use crate::support::leftovers::{descendants, processes, sigint_arrives, wait_for, wait_until_nothing_is_left};
use crate::support::{PROGRAM, Ran, Scratch, THOROUGH_LEVELS, own_the_state_files, times, trial};
use cornerman::rng::Rng;
use cornerman_harness::record::{Header, Record, Writer};
use libtest_mimic::Trial;
use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Child, Command};
use std::thread::sleep;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

pub fn trials() -> Vec<Trial> {
    let killed = |workers| move || killed_at_any_moment(&BOXING, workers);
    vec![
        trial!(killed_at_any_moment_with_one_worker, [], killed(1)),
        trial!(killed_at_any_moment_with_three_workers, [], killed(3)),
        trial!(go_killed_at_any_moment, if gnugo_is_there, || killed_at_any_moment(&GO, 2)),
        trial!(a_contest_goes_on_with_the_settings_that_it_began_with),
        trial!(ctrl_c_lets_games_end, if sigint_arrives),
        trial!(a_second_ctrl_c_ends_at_once, if sigint_arrives),
        trial!(games_that_are_played_again_are_not_in_the_log, if sigint_arrives),
        trial!(a_run_waits_while_a_decision_is_written),
    ]
}

/// A contest that is stopped.
struct Subject {
    /// Writes the contest file `c.toml`.
    write: fn(&Scratch),
    games: usize,
    /// How many times it is killed when all kills are asked for.
    kills: usize,
    /// The longest time before a run is killed, in milliseconds.
    longest: u64,
}

const BOXING: Subject = Subject { write: |scratch| contest(scratch, &FIVE), games: 40, kills: 50, longest: 350 };

/// Bots that are one process for a whole game, one of them an engine.
const GO: Subject = Subject {
    write: |scratch| {
        let entrants = ["@go-random", "@capture", GNUGO].map(|entrant| format!("{entrant:?}"));
        go::contest(scratch, &entrants);
    },
    games: 6,
    kills: 12,
    longest: 1500,
};

fn a_contest_goes_on_with_the_settings_that_it_began_with() {
    let scratch = Scratch::new();
    let last = "[[stages]]\nkind = \"knockout\"\ntop = 2\nboards = [1]\n";
    contest(&scratch, &[]);
    scratch.file("c.toml", contest_text(7, &["@first-fit", "@mirror"]) + last);
    let check = |db: &str, wanted: &str| {
        let ran = tournament(&scratch, &format!("c.toml --no-check --db {db}"));
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        assert!(ran.stdout.contains(wanted), "{wanted:?} is not in {}", ran.stdout);
        Record::open(&scratch.path().join(db)).and_then(|record| record.header()).expect("a header")
    };
    let now = check("now.db", "match 1: decided by tie-break games: wins and points were equal");
    // As a kit with other defaults would have begun it.
    let began = now.contest_json.replace("\"tie_break_games\": 2", "\"tie_break_games\": 0");
    let began = began.replace("\"tie_break_board\": 3", "\"tie_break_board\": null");
    let header = Header { contest_json: began.clone(), ..now };
    drop(Writer::create_or_resume(&scratch.path().join("begun.db"), &header).expect("a record"));
    assert_eq!(check("begun.db", "round 1, match 1, where wins and points were equal").contest_json, began);
}

/// Kills run after run, and begins a new record whenever one is complete.
fn killed_at_any_moment(subject: &Subject, workers: usize) {
    let _state_files = own_the_state_files();
    let scratch = Scratch::new();
    (subject.write)(&scratch);
    let standings = tournament(&scratch, "c.toml --no-check --db whole.db").fine();
    let whole = games(&scratch, "whole.db");
    assert_eq!(whole.len(), subject.games);
    let seed = SystemTime::now().duration_since(UNIX_EPOCH).expect("after 1970").subsec_nanos().into();
    println!("{workers} workers are killed by the seed {seed}");
    let mut rng = Rng::new(seed);
    let mut killed = 0;
    let mut record = 0;
    let mut seen = 0;
    let kills = times(subject.kills, "kills");
    while killed < kills {
        // Half of the runs have the best isolation level, and half a level at which bots share more.
        let level = if rng.draw().is_multiple_of(2) { THOROUGH_LEVELS[2] } else { THOROUGH_LEVELS[killed % 2] };
        let args = format!(
            "c.toml --no-check --workers {workers} --db {record}.db --isolation restricted --isolation-at-most {level}"
        );
        match run_for(&scratch, &args, Duration::from_millis(rng.draw() % subject.longest)) {
            None => {
                killed += 1;
                let db = scratch.path().join(format!("{record}.db"));
                // Before the first game there may be no record yet.
                let now = match Record::open(&db).and_then(|record| record.games_played()) {
                    Err(_) if seen == 0 => continue,
                    now => now.unwrap_or_else(|error| panic!("seed {seed}: after {seen} games: {error:?}")),
                };
                assert!(now >= seen, "seed {seed}: {seen} games were recorded, and {now} are left");
                seen = now;
            }
            Some(printed) => {
                assert_eq!(decided(&printed), decided(&standings), "seed {seed}");
                assert_eq!(games(&scratch, &format!("{record}.db")), whole, "seed {seed}");
                (record, seen) = (record + 1, 0);
            }
        }
    }
    let last = tournament(&scratch, &format!("c.toml --no-check --workers {workers} --db {record}.db"));
    assert_eq!(last.code, Some(0), "seed {seed}: {}", last.stderr);
    assert_eq!(decided(&last.stdout), decided(&standings), "seed {seed}");
    assert_eq!(games(&scratch, &format!("{record}.db")), whole, "seed {seed}");
    wait_until_nothing_is_left(&scratch, "AB");
}

/// Runs the command, kills it after the given time, and checks that nothing of it remains. Returns its output if it had
/// finished by then.
fn run_for(scratch: &Scratch, args: &str, time: Duration) -> Option<String> {
    // Folders that bots get where they share `/tmp` are made here, so that those of other trials do not count.
    let temporary = scratch.path().join("tmp");
    fs::create_dir_all(&temporary).expect("a folder");
    let mut run = unattended(scratch, args).env("TMPDIR", &temporary).spawn().expect("it can be started");
    sleep(time);
    let started = descendants(run.id());
    run.kill().expect("it was started");
    let output = run.wait_with_output().expect("it was started");
    wait_for("the end of all that was started", || started.iter().all(|one| !one.runs()).then_some(()));
    wait_for("the end of folders for bots", || is_empty(&temporary).then_some(()));
    let code = output.status.code()?;
    assert_eq!(code, 0, "{}", String::from_utf8_lossy(&output.stderr));
    Some(String::from_utf8(output.stdout).expect("it prints UTF-8"))
}

fn is_empty(folder: &Path) -> bool {
    fs::read_dir(folder).expect("a folder of our own").next().is_none()
}

/// A run in which one game has been played and another is running.
fn under_way(scratch: &Scratch) -> (Child, u64) {
    scratch.script("slow", "sleep 0.2; move");
    contest(scratch, &["@parity", "./slow"]);
    let run = unattended(scratch, "c.toml --no-check --workers 1").spawn().expect("it can be started");
    let before = wait_for("a game, and a bot that plays another", || {
        let before = played(scratch, "c.db");
        (before > 0 && !processes(&format!("{}/slow", scratch.marker())).is_empty()).then_some(before)
    });
    (run, before)
}

fn interrupt(run: &Child) {
    let sent = Command::new("sh").args(["-c", &format!("kill -INT {}", run.id())]).status();
    assert!(sent.is_ok_and(|status| status.success()));
}

/// Resumes as `told` says, and compares the results with those of an uninterrupted run.
fn resumes_as_told(scratch: &Scratch, told: &str) {
    let stopped = games(scratch, "c.db");
    assert!(stopped.len() < games_of(2), "it was stopped");
    let (_, command) = told.split_once("resume with: ").expect("what to do");
    let (program, args) = command.trim_end().split_once(" tournament ").expect("the command as it was called");
    assert!(program == "cargo xtask" || program == PROGRAM, "{program}");
    assert_eq!(args, "c.toml --no-check --workers 1");
    let rest = tournament(scratch, args);
    assert_eq!(rest.code, Some(0), "{}", rest.stderr);
    let all = games(scratch, "c.db");
    assert_eq!(all.len(), games_of(2));
    assert!(stopped.iter().all(|game| all.contains(game)), "played games stay");
    tournament(scratch, "c.toml --no-check --db whole.db").fine();
    assert_eq!(games(scratch, "whole.db"), all, "the same as without the stop");
    wait_until_nothing_is_left(scratch, "AB");
}

fn ctrl_c_lets_games_end() {
    let scratch = Scratch::new();
    let (run, before) = under_way(&scratch);
    interrupt(&run);
    let output = run.wait_with_output().expect("it was started");
    let told = String::from_utf8(output.stderr).expect("it prints UTF-8");
    assert_eq!(output.status.code(), Some(1), "{told}");
    let after_level = told.split_once('\n').map_or("", |(_, others)| others);
    let said = "stopping: the running games are played to their end; press Ctrl-C again";
    assert!(after_level.starts_with(said), "{told}");
    assert!(played(&scratch, "c.db") > before, "the game in play is in the record: {before} before, {told}");
    resumes_as_told(&scratch, &told);
}

fn a_second_ctrl_c_ends_at_once() {
    let scratch = Scratch::new();
    let (mut run, _) = under_way(&scratch);
    let started = descendants(run.id());
    let mut told = BufReader::new(run.stderr.take().expect("it is piped"));
    let mut lines = String::new();
    interrupt(&run);
    // The second signal is sent only after the first has been handled. The first line is the level of isolation.
    told.read_line(&mut lines).expect("it prints UTF-8");
    told.read_line(&mut lines).expect("it prints UTF-8");
    assert!(lines.contains("\nstopping: "), "{lines}");
    interrupt(&run);
    told.read_to_string(&mut lines).expect("it prints UTF-8");
    let ended = run.wait().expect("it was started");
    assert_eq!(ended.code(), Some(130), "{lines}");
    wait_for("the end of all that was started", || started.iter().all(|one| !one.runs()).then_some(()));
    resumes_as_told(&scratch, &lines);
}

/// Before a seal is published, the last games could be played again until their results please: the log shows it.
fn games_that_are_played_again_are_not_in_the_log() {
    let scratch = Scratch::new();
    let (run, _) = under_way(&scratch);
    interrupt(&run);
    assert_eq!(run.wait_with_output().expect("it was started").status.code(), Some(1));
    let at = |name: &str| scratch.path().join(name);
    let copy = |from: &str, to: &str| assert!(fs::copy(at(from), at(to)).is_ok());
    copy("c.db", "stopped.db");
    let resume = "c.toml --no-check --workers 1";
    assert_eq!(tournament(&scratch, resume).code, Some(0));
    copy("c.heads", "kept.heads");
    let verify = |args: &[&str]| Ran::from_command(scratch.cornerman([&["verify", "c.db"], args].concat()));
    let shown = verify(&[]).fine();
    assert!(shown.contains("heads of c.heads in its chain"), "{shown}");
    copy("stopped.db", "c.db");
    assert_eq!(tournament(&scratch, resume).code, Some(0));
    for log in [&["--seal-log", "kept.heads"][..], &[]] {
        let ran = verify(log);
        let words = "the head was ";
        assert!(ran.code == Some(1) && ran.stdout.contains(words), "{log:?}: {}{}", ran.stdout, ran.stderr);
    }
    // A log that has nothing of this record, or is none, is not a verdict about it.
    scratch.file("other.heads", "2026-11-27T04:00:00Z 1-2 3 ".to_string() + &"0".repeat(64) + "\n");
    scratch.file("broken.heads", "2026-11-27T04:00:00Z 3\n");
    for (log, words) in [
        ("other.heads", "other.heads has no line of the record c.db, which is "),
        (
            "broken.heads",
            "broken.heads:1: expected a time, a record, a number of games and decisions, and 64 hexadecimal digits, not",
        ),
        ("none.heads", "cannot read the log of seals none.heads: "),
    ] {
        let ran = verify(&["--seal-log", log]);
        assert!(ran.code == Some(2) && ran.stderr.replace('\n', " ").contains(words), "{log}: {}", ran.stderr);
    }
    // A run can be killed before it writes the first line.
    scratch.file("empty.heads", "");
    let shown = verify(&["--seal-log", "empty.heads"]).fine();
    assert!(shown.contains("empty.heads has no head yet: "), "{shown}");
    let ran = tournament(&scratch, "c.toml --no-check --force-new --seal-log c.toml");
    assert!(ran.code == Some(2) && ran.stderr.contains("c.toml:1: expected a time"), "{}", ran.stderr);
}

fn a_run_waits_while_a_decision_is_written() {
    let scratch = Scratch::new();
    contest(&scratch, &["@greedy", "@parity"]);
    assert_eq!(tournament(&scratch, "c.toml --no-check").code, Some(0));
    let db = scratch.path().join("c.db");
    let header = Record::open(&db).and_then(|record| record.header()).expect("a record");
    let writer = Writer::create_or_resume(&db, &header).expect("no one else writes");
    let run = unattended(&scratch, "c.toml --no-check").spawn().expect("it can be started");
    sleep(Duration::from_secs(1));
    drop(writer);
    let ran = run.wait_with_output().expect("it was started");
    assert_eq!(ran.status.code(), Some(0), "{}", String::from_utf8_lossy(&ran.stderr));
}
