//! Judges, bots, their sandboxes and the runner are killed at random moments: no game is lost, doubled, or decided by the
//! death of its judge.

use super::{RIGHT, RULESET, command, ran};
use crate::support::leftovers::{Process, descendants, wait_for};
use crate::support::{Scratch, times, trial};
use cornerman::game::End;
use cornerman::rng::Rng;
use cornerman_harness::record::Record;
use libtest_mimic::Trial;
use std::collections::BTreeMap;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// The number of processes that are killed with `ALL_TRIALS=1`.
const KILLS: usize = 1000;

/// The longest time between two kills, in milliseconds.
const LONGEST: u64 = 60;

/// The games of the contest: three entrants, all pairs, both orders, three boards.
const GAMES: usize = 18;

const CUP: &str = "name = \"cup\"\nruleset = \"pick.toml\"\nseed = 3\nentrants = [\"low.py\", \"high.py\", \"middle.py\"]\n\
                   [[stages]]\nkind = \"all-play-all\"\n";

pub fn trials() -> Vec<Trial> {
    vec![trial!(killed_at_any_moment, ["python3"])]
}

fn killed_at_any_moment() {
    let scratch = Scratch::new();
    scratch.file("judge.py", RIGHT);
    scratch.file("pick.toml", RULESET.replace("[limits]", "seats = 2\n[limits]"));
    for (name, card) in [("low.py", "at + 1"), ("high.py", "4 - at"), ("middle.py", "[2, 3, 1, 4][at]")] {
        let bot = format!(
            "import sys\nfor at, line in enumerate(sys.stdin): print({card}, flush=True) if at < 4 else 0\n"
        );
        scratch.file(name, bot);
    }
    scratch.file("cup.toml", CUP);
    ran(&scratch, &["tournament", "cup.toml", "--no-check", "--db", "whole.db"], 0);
    let whole = games(&scratch, "whole.db");
    assert_eq!(whole.len(), GAMES);
    let seed = SystemTime::now().duration_since(UNIX_EPOCH).expect("after 1970").subsec_nanos().into();
    println!("killed by the seed {seed}");
    let mut rng = Rng::new(seed);
    let kills = times(KILLS, "kills");
    let mut killed = 0;
    for record in 0.. {
        let db = format!("{record}.db");
        while !plays_on(&scratch, &db, &mut rng, &mut killed, kills) {}
        let now = games(&scratch, &db);
        assert_eq!(now.len(), GAMES, "seed {seed}");
        for (id, game) in &now {
            // A bot that was killed has forfeited, and nothing else makes a difference.
            assert!(
                game.1 == End::Forfeited || whole[id] == *game,
                "seed {seed}: {id}: {game:?}, not {:?}",
                whole[id]
            );
        }
        ran(&scratch, &["verify", &db], 0);
        if killed >= kills {
            return;
        }
    }
}

/// Runs the contest while processes are killed, and returns whether it has finished.
fn plays_on(scratch: &Scratch, db: &str, rng: &mut Rng, killed: &mut usize, kills: usize) -> bool {
    let args = ["tournament", "cup.toml", "--no-check", "--db", db, "--workers", "2"];
    let mut tournament = command(scratch, &args);
    let tournament = tournament.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
    let mut run = tournament.spawn().expect("it can be started");
    let mut started: Vec<Process> = Vec::new();
    while run.try_wait().expect("it was started").is_none() {
        sleep(Duration::from_millis(rng.below(LONGEST)));
        let all = descendants(run.id());
        started.extend(all.iter().cloned());
        if *killed >= kills {
            continue;
        }
        // One in eight is the runner.
        let victim = if rng.below(8) == 0 { None } else { rng.pick(&all) };
        *killed += usize::from(kill(&mut run, victim));
    }
    let output = run.wait_with_output().expect("it was started");
    wait_for("the end of all that was started", || started.iter().all(|one| !one.runs()).then_some(()));
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(!errors.contains("panicked"), "{errors}");
    match output.status.code() {
        Some(0) => true,
        // The run was killed, or a process that it needed, such as the judge, which it asks for the rules when it begins.
        None | Some(3) => false,
        Some(2) if errors.replace('\n', " ").contains("signal 9 (SIGKILL)") => false,
        Some(code) => panic!("exit code {code}: {errors}"),
    }
}

/// Kills `victim`, or the `run` itself, and returns whether it was there.
fn kill(run: &mut Child, victim: Option<&Process>) -> bool {
    match victim {
        None => run.kill().is_ok(),
        Some(victim) => {
            let pid = victim.pid.to_string();
            let sent = || Command::new("kill").args(["-KILL", &pid]).stderr(Stdio::null()).status();
            victim.runs() && sent().is_ok_and(|status| status.success())
        }
    }
}

/// The games of a record: places, how each ended, and the notations of its moves.
fn games(scratch: &Scratch, db: &str) -> BTreeMap<String, (Vec<u8>, End, Vec<String>)> {
    let record = Record::open(&scratch.path().join(db)).expect("a record");
    let heads = record.games().expect("they can be read").into_iter();
    let games = heads.map(|head| {
        let game = record.game(head.pairing.id).expect("it can be read").expect("it is in the list");
        let moves = game.moves.into_iter().map(|made| made.notation).collect();
        (head.pairing.id.to_string(), (head.outcome.places, head.outcome.end, moves))
    });
    games.collect()
}
