//! Bad entries: one that fails the check does not play, and one that fails in a game loses it.

use super::{contest, games, games_of, tournament};
use crate::support::{Scratch, trial};
use cornerman_harness::record::Record;
use libtest_mimic::Trial;

pub fn trials() -> Vec<Trial> {
    vec![trial!(one_that_fails_the_check_is_out), trial!(one_that_crashes_loses)]
}

fn one_that_fails_the_check_is_out() {
    let scratch = Scratch::new();
    scratch.script("mute", "exit 0");
    contest(&scratch, &["@parity", "./mute", "@greedy"]);
    let ran = tournament(&scratch, "c.toml");
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let why = ran.stdout.lines().find(|line| line.contains("mute")).expect("the table has it");
    assert!(why.starts_with(" mute: it fails BX-") && why.contains(" (writes 528 bytes)"), "{why}");
    let record = Record::open(&scratch.path().join("c.db")).expect("a record");
    let entrants = record.entrants().expect("entrants");
    let specs: Vec<&str> = entrants.iter().map(|entrant| entrant.spec.as_str()).collect();
    assert_eq!(specs, ["@parity", "@greedy", "./mute"], "entries that do not play have the last numbers");
    let verdicts: Vec<&str> = entrants.iter().filter_map(|entrant| entrant.verdict.as_deref()).collect();
    assert!(matches!(verdicts[..], ["passed", "passed", fails] if fails.starts_with("fails BX-")), "{verdicts:?}");
    assert!(entrants.iter().all(|entrant| entrant.out.is_some() || entrant.program_sha256.is_some()));
    assert_eq!(games(&scratch, "c.db").len(), games_of(2));
}

fn one_that_crashes_loses() {
    let scratch = Scratch::new();
    scratch.script("glass-jaw", "kill -SEGV $$");
    contest(&scratch, &["@parity", "./glass-jaw", "@greedy"]);
    tournament(&scratch, "c.toml --no-check").fine();
    let games = games(&scratch, "c.db");
    assert_eq!(games.len(), games_of(3));
    let (its, others): (Vec<_>, Vec<_>) = games.iter().partition(|(_, seats, ..)| seats.contains(&1));
    assert_eq!((its.len(), others.len()), (2 * games_of(2), games_of(2)));
    for (id, seats, outcome, _) in its {
        let winners: Vec<usize> = outcome.winners().map(|seat| seats[seat.index()]).collect();
        assert!(winners.len() == 1 && winners[0] != 1, "{id}: {winners:?} won");
    }
    assert!(others.iter().all(|(.., moves)| !moves.is_empty()), "the others played on");
}
