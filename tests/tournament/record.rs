//! Records on machines that lack something, and records that are disturbed, damaged or copied.

use super::{FIVE, contest, played, tournament, unattended};
use crate::support::leftovers::wait_for;
use crate::support::{PROGRAM, Ran, Scratch, trial};
use crate::unpacked;
use cornerman_harness::record::Record;
use libtest_mimic::Trial;
use std::fs;
use std::process::{Child, Command};

pub fn trials() -> Vec<Trial> {
    vec![
        trial!(one_that_is_deleted_stops_the_run, ["awk"]),
        trial!(one_under_way_can_be_copied, ["awk"]),
        trial!(one_that_lacks_a_game_is_refused),
        trial!(too_few_open_files_are_named, ["sh"]),
        trial!(a_full_disk_loses_no_game, if small_disks),
        trial!(standings_are_printed_when_the_page_does_not_fit, if small_disks),
    ]
}

/// A run whose first game is in the record.
fn under_way(scratch: &Scratch) -> Child {
    scratch.script("slow", "sleep 0.2; move");
    contest(scratch, &["@parity", "./slow"]);
    let run = unattended(scratch, "c.toml --no-check --workers 1").spawn().expect("it can be started");
    wait_for("the first game", || (played(scratch, "c.db") > 0).then_some(()));
    run
}

fn one_that_is_deleted_stops_the_run() {
    let scratch = Scratch::new();
    let run = under_way(&scratch);
    fs::remove_file(scratch.path().join("c.db")).expect("it is there");
    let output = run.wait_with_output().expect("it was started");
    let told = String::from_utf8(output.stderr).expect("it prints UTF-8");
    assert_eq!(output.status.code(), Some(3), "{told}");
    assert!(told.contains("c.db: the run was stopped, because "), "{told}");
    assert!(told.contains("c.db was deleted or renamed while it was writing to it: put the original"), "{told}");
}

fn one_under_way_can_be_copied() {
    let scratch = Scratch::new();
    let mut run = under_way(&scratch);
    let export =
        |args: &str| Ran::from_command(scratch.cornerman(["export", "c.db"].into_iter().chain(args.split(' '))));
    let copied = export("--backup copy.db");
    run.kill().expect("it was started");
    run.wait().expect("it was started");
    assert_eq!((copied.code, copied.stderr.as_str()), (Some(0), "wrote copy.db\n"));
    assert!(played(&scratch, "copy.db") > 0);
    assert_eq!(tournament(&scratch, "c.toml --no-check --db copy.db").code, Some(0), "a copy can be resumed");
    tournament(&scratch, "c.toml --no-check");
    assert_eq!(export("--backup copy.db").code, Some(0), "an older copy is replaced");
    let before = scratch.listing();
    for (to, said) in [
        (
            "c.toml",
            "c.db: cannot be copied to c.toml: it exists and is not a copy of this record: name another file",
        ),
        ("c.db", "c.db: cannot be copied to c.db: it is the record itself"),
        (".", ". is a folder; name a file"),
        ("no/copy.db", "no such folder: no"),
    ] {
        let ran = export(&format!("--backup {to}"));
        assert_eq!(ran.code, Some(2), "{}", ran.stderr);
        assert!(ran.stderr.contains(said), "{said:?} is not in {}", ran.stderr);
    }
    assert_eq!(scratch.listing(), before, "nothing is written or left over");
}

fn one_that_lacks_a_game_is_refused() {
    let scratch = Scratch::new();
    contest(&scratch, &FIVE);
    let text = fs::read_to_string(scratch.path().join("c.toml")).expect("a contest");
    scratch.file("c.toml", text.replace("all-play-all", "knockout"));
    tournament(&scratch, "c.toml --no-check").fine();
    let first = "(SELECT id FROM games WHERE round = 0)";
    let of_game = ["seats", "moves", "faults"].map(|table| format!("DELETE FROM {table} WHERE game IN {first};"));
    let exchanged = "UPDATE seats SET entrant = 4 - entrant WHERE game = 1".to_string();
    let seatless = "DELETE FROM moves WHERE game = 1; DELETE FROM faults WHERE game = 1;
                    DELETE FROM seats WHERE game = 1 AND seat = 1; UPDATE games SET moves = 0 WHERE id = 1";
    for (change, said) in [
        (of_game.concat() + &format!("DELETE FROM games WHERE id IN {first}"), "before game s1/r1/m"),
        ("UPDATE games SET tbl = 90 WHERE id = 1".to_string(), ", which is not in the record"),
        (
            "UPDATE games SET round = 90 WHERE round = 2".to_string(),
            "game s1/r91/m1/g1: the contest plays no such game",
        ),
        (exchanged, "its entrants or their seats are not those that the results before it give"),
        (seatless.to_string(), "its entrants or their seats are not those"),
    ] {
        fs::copy(scratch.path().join("c.db"), scratch.path().join("damaged.db")).expect("it can be copied");
        let db = rusqlite::Connection::open(scratch.path().join("damaged.db")).expect("a record");
        // Only the seal shows that Cornerman did not make the change.
        db.pragma_update(None, "foreign_keys", false).expect("a setting");
        unpacked::change(&db, &change).expect("it can be changed");
        drop(db);
        for command in [
            "standings damaged.db",
            "report damaged.db",
            "export damaged.db",
            "replay damaged.db s1/r2/m1/g1",
            "tournament c.toml --no-check --db damaged.db",
        ] {
            let ran = Ran::from_command(scratch.cornerman(command.split(' ')));
            assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""), "{command}: {change}: {}", ran.stderr);
            assert!(ran.stderr.contains("damaged.db: the record is damaged"), "{command}: {}", ran.stderr);
            assert!(ran.stderr.contains(said), "{command}: {said:?} is not in {}", ran.stderr);
        }
    }
    assert!(Record::open(&scratch.path().join("c.db")).is_ok());
}

/// Runs a script, in which `$0` is the command.
fn script(scratch: &Scratch, shell: &[&str], script: &str) -> Ran {
    let mut command = assert_cmd::Command::new(shell[0]);
    command.args(&shell[1..]).args(["-c", script, PROGRAM]).current_dir(scratch.path());
    Ran::from_command(command)
}

fn too_few_open_files_are_named() {
    let scratch = Scratch::new();
    contest(&scratch, &FIVE);
    let before = scratch.listing();
    let ran = script(&scratch, &["sh"], "ulimit -n 24; exec \"$0\" tournament c.toml --no-check --workers 1");
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(3), ""), "{}", ran.stderr);
    let said = "a worker needs to open 144 files at a time, but the limit is 24: raise it with `ulimit -n 144`\n";
    assert!(ran.stderr.contains(said), "{}", ran.stderr);
    assert_eq!(scratch.listing(), before);
    let raised =
        script(&scratch, &["sh"], "ulimit -S -n 24; exec \"$0\" tournament c.toml --no-check --workers 1");
    assert_eq!(raised.code, Some(0), "the kit raises the limit where it may: {}", raised.stderr);
}

/// A shell that may mount file systems of its own.
const MOUNTS: [&str; 3] = ["unshare", "-Urm", "sh"];

fn small_disks() -> Result<(), String> {
    let tried =
        Command::new(MOUNTS[0]).args(&MOUNTS[1..]).args(["-c", "mount -t tmpfs -o size=16k none /mnt"]).output();
    match tried {
        Ok(tried) if tried.status.success() => Ok(()),
        other => Err(format!("no file system of its own: {other:?}")),
    }
}

fn a_full_disk_loses_no_game() {
    for (kib, at_least) in [(8, 0), (20, 0), (250, 1)] {
        let scratch = Scratch::new();
        contest(&scratch, &FIVE);
        let run = "\"$0\" tournament c.toml --no-check --workers 1 --db disk/c.db";
        let commands = format!(
            "mkdir disk; mount -t tmpfs -o size={kib}k none disk || exit 99; {run}; echo ended with $?
             mount -o remount,size=50m disk || exit 99; {run} > /dev/null; echo ended with $?; cp disk/c.db whole.db"
        );
        let ran = script(&scratch, &MOUNTS, &commands);
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        assert_eq!(ran.stdout, "ended with 3\nended with 0\n", "{kib} KiB: {}", ran.stderr);
        let said = "disk/c.db: the disk is full: make room, then resume; all games finished so far are safe\n";
        assert!(ran.stderr.contains(said), "{kib} KiB: {}", ran.stderr);
        let resumed =
            ran.stderr.lines().find_map(|line| line.strip_prefix("disk/c.db: resuming after ")?.split(' ').next());
        let kept: usize = resumed.map_or(0, |games| games.parse().expect("a number"));
        assert!(kept >= at_least, "{kib} KiB: {}", ran.stderr);
        assert_eq!(played(&scratch, "whole.db"), 40);
    }
}

fn standings_are_printed_when_the_page_does_not_fit() {
    let scratch = Scratch::new();
    contest(&scratch, &FIVE);
    let commands = "mkdir disk; mount -t tmpfs -o size=8k none disk || exit 99
                    exec \"$0\" tournament c.toml --no-check --report disk/c.html";
    let ran = script(&scratch, &MOUNTS, commands);
    assert_eq!(ran.code, Some(3), "{}", ran.stderr);
    assert!(ran.stdout.contains("all-play-all") && ran.stdout.contains("@parity"), "{}", ran.stdout);
    assert!(ran.stderr.contains("error: writing disk/c.html: No space left on device"), "{}", ran.stderr);
}
