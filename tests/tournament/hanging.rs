//! No bot can hang a contest: it loses its own games, and all games are recorded.

use super::{games, tournament};
use crate::support::leftovers::wait_until_nothing_is_left;
use crate::support::{Ran, Scratch, trial};
use cornerman::game::Outcome;
use libtest_mimic::Trial;

pub fn trials() -> Vec<Trial> {
    vec![trial!(bots_that_hang_lose_and_all_games_are_played, ["python3"])]
}

/// Bots that hang, each in another way, with their names.
const HANGING: [(&str, &str); 10] = [
    ("sleeps", "time.sleep(600)"),
    ("spins", "while True: pass"),
    ("stops", "os.kill(os.getpid(), signal.SIGSTOP)"),
    ("fills", "while True: os.write(1, b'0' * 4096)"),
    ("complains", "while True: os.write(2, b'0' * 4096)"),
    ("closes", "os.close(0); os.close(1); time.sleep(600)"),
    ("forks", "while True:\n    try: os.fork()\n    except OSError: pass"),
    ("outlives", "os.fork() or [signal.signal(one, signal.SIG_IGN) for one in (1, 2, 15)]\nwhile True: pass"),
    (
        "sends",
        "held = []\nwhile True:\n    a, b = socket.socketpair()\n    held += [a, b]\n    for _ in range(200):\n        \
         try: socket.send_fds(a, [b'0'], [0] * 50)\n        except OSError: time.sleep(600)",
    ),
    ("grows", "held = []\nwhile True: held.append(bytes(1 << 20))"),
];

const RULES: &str = "id = \"quick\"\ntitle = \"Quick\"\nversion = 1\ndate = 2026-01-01\ngame = \"rps\"\n\n[rules]\n\
                     rounds = 3\nseeds = [1, 2]\n\n[limits]\nsoft_ms = 400\nhard_ms = 400\nmemory_mib = 512\n";

fn bots_that_hang_lose_and_all_games_are_played() {
    let scratch = Scratch::new();
    scratch.file("quick.toml", RULES);
    let mut entrants = vec!["@rotate".to_string(), "@rock".to_string()];
    for (name, body) in HANGING {
        let head = "import os, signal, socket, time\nprint('hangs', flush=True)\n";
        scratch.file(&format!("{name}.py"), format!("{head}{body}\n"));
        entrants.push(format!("{name}.py"));
    }
    let head = "name = \"Cup\"\nruleset = \"quick.toml\"\nseed = 5\n";
    // The first meets each of the others.
    let stage = "[[stages]]\nkind = \"gauntlet\"\n";
    scratch.file("cup.toml", format!("{head}entrants = {entrants:?}\n{stage}"));
    // On a busy machine, games may be left to be tried again.
    let play = || tournament(&scratch, "cup.toml --no-check --workers 2");
    let is_too_busy = |run: &Ran| run.code == Some(3) && run.stderr.contains("the machine was too busy");
    let run = (0..5).map(|_| play()).find(|run| !is_too_busy(run)).expect("the machine is not always too busy");
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let all = games(&scratch, "cup.db");
    assert_eq!(all.len(), 2 * (entrants.len() - 1));
    for (id, seats, Outcome { places, .. }, _) in all {
        let names: Vec<&String> = seats.iter().map(|&seat| &entrants[seat]).collect();
        let hung = seats.iter().position(|&seat| seat >= 2);
        assert!(hung.is_none_or(|at| places[at] == 2), "{id} of {names:?} was not lost: {places:?}");
    }
    wait_until_nothing_is_left(&scratch, "AB");
}
