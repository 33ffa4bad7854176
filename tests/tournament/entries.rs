//! Bad entries: one that fails the check does not play, and one that fails in a game loses it.

use super::{contest, games, games_of, tournament};
use crate::support::{Scratch, trial};
use cornerman_harness::record::Record;
use libtest_mimic::Trial;
use std::collections::BTreeSet;

pub fn trials() -> Vec<Trial> {
    vec![
        trial!(one_that_fails_the_check_is_out),
        trial!(one_that_crashes_loses),
        trial!(what_a_pattern_finds_is_a_path, ["awk"]),
        trial!(a_folder_without_a_bot_is_listed, ["awk"]),
        trial!(a_name_stays_in_its_line, ["awk"]),
    ]
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

/// Names that would mean a reference bot, or the command of an engine, as BOT arguments.
fn what_a_pattern_finds_is_a_path() {
    let scratch = Scratch::new();
    for name in ["@greedy", "@zzz", "gtp:touch PWNED", "plain"] {
        scratch.script(name, &format!("move # {name}"));
    }
    contest(&scratch, &["*"]);
    let ran = tournament(&scratch, "c.toml --no-check");
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let entrants = Record::open(&scratch.path().join("c.db")).and_then(|record| record.entrants());
    let entrants = entrants.expect("a record with entrants");
    let specs: Vec<&str> = entrants.iter().map(|entrant| entrant.spec.as_str()).collect();
    assert_eq!(specs, ["./@greedy", "./@zzz", "./gtp:touch PWNED", "plain"]);
    let programs: BTreeSet<_> = entrants.iter().map(|entrant| entrant.program_sha256.as_deref()).collect();
    assert!(programs.len() == 4 && !programs.contains(&None), "each plays with its own program: {programs:?}");
    assert!(!scratch.path().join("PWNED").exists());
    // The record names the same bots when the run resumes, and so does a list of authors.
    let again = tournament(&scratch, "c.toml --no-check");
    assert_eq!(again.code, Some(0), "{}", again.stderr);
    let text = std::fs::read_to_string(scratch.path().join("c.toml")).expect("a contest");
    scratch.file("listed.toml", format!("authors = \"authors.csv\"\n{text}"));
    scratch.file("authors.csv", "path,author\n./@greedy,Ann\nplain,Bob\n");
    let listed = tournament(&scratch, "listed.toml --no-check --dry-run --workers 1").fine();
    assert!(listed.contains("  @greedy by Ann\n"), "{listed}");
    scratch.file("authors.csv", "path,author\n@zzz,Ann\n");
    let refused = tournament(&scratch, "listed.toml --dry-run");
    let words = "authors.csv:2: `@zzz` is not an entrant of listed.toml (did you mean `./@zzz`?)";
    assert!(refused.code == Some(2) && refused.stderr.contains(words), "{}", refused.stderr);
}

/// Everyone who handed something in is listed (B13a).
fn a_folder_without_a_bot_is_listed() {
    let scratch = Scratch::new();
    for name in ["ann", "bob"] {
        scratch.script(&format!("inbox/{name}"), &format!("move # {name}"));
    }
    scratch.file("inbox/readme-only/README.md", "My bot follows.");
    std::fs::create_dir(scratch.path().join("inbox/empty")).expect("a folder");
    contest(&scratch, &["inbox/*"]);
    let text = std::fs::read_to_string(scratch.path().join("c.toml")).expect("a contest");
    scratch.file("listed.toml", format!("authors = \"authors.csv\"\n{text}"));
    scratch.file("authors.csv", "path,author\ninbox/empty,Cid\n");
    for (file, author) in [("c.toml", ""), ("listed.toml", " by Cid")] {
        let ran = tournament(&scratch, &format!("{file} --no-check --dry-run --workers 1"));
        for (name, author) in [("empty", author), ("readme-only", "")] {
            let line = format!(
                "\n  {name}{author} does not play: it cannot play: inbox/{name}: a folder is a bot only with a \
                 `bot.toml`\n"
            );
            assert!(ran.code == Some(0) && ran.stdout.contains(&line), "{line}{}{}", ran.stdout, ran.stderr);
        }
    }
}

fn a_name_stays_in_its_line() {
    let scratch = Scratch::new();
    scratch.script("a\n  Best by Ann/bot", "move # a");
    scratch.script("b/bot", "move # b");
    contest(&scratch, &["*/bot"]);
    let listed = tournament(&scratch, "c.toml --no-check --dry-run --workers 1").fine();
    assert!(listed.contains("\n  bot (a\u{fffd}  Best by Ann)\n  bot (b)\n"), "{listed}");
}
