//! `decide DB amend`: the contest's file is corrected while the contest is played.

use super::decisions::{fine, run, standings, stopped};
use super::{FIVE, contest_text, games, tournament};
use crate::support::{Scratch, trial};
use cornerman_harness::contest_spec::ContestSpec;
use cornerman_harness::record::{DecidedAction, Header, Record, Writer};
use libtest_mimic::Trial;
use std::fs;

pub fn trials() -> Vec<Trial> {
    vec![
        trial!(the_name_the_texts_and_wider_limits_of_a_contest_are_amended_and_nothing_else),
        trial!(stages_that_have_not_begun_are_amended),
        trial!(a_stage_of_an_amended_contest_allows_more_entrants_once_that_is_decided),
        trial!(a_recorded_amendment_of_a_stage_that_had_begun_is_found),
    ]
}

fn the_name_the_texts_and_wider_limits_of_a_contest_are_amended_and_nothing_else() {
    let scratch = Scratch::new();
    let text = contest_text(7, &FIVE);
    stopped(&scratch, &text, 10);
    let named = |name: &str| text.replace("Short", name);
    scratch.file("c.toml", named("Club <night>"));
    let refused = run(&scratch, "tournament c.toml --no-check --db c.db");
    assert!(
        refused.code == Some(2) && refused.stderr.contains("record that with `decide … amend`"),
        "{refused:?}"
    );
    scratch.file("other.toml", named("Club").replace("seed = 7", "seed = 8"));
    let refused = run(&scratch, "decide c.db amend other.toml --why x --yes");
    assert!(refused.code == Some(2) && refused.stderr.contains("seed was 7, and is 8 now"), "{refused:?}");
    scratch.file("long.toml", named(&"x".repeat(1025)));
    for yes in ["", " --yes"] {
        let refused = run(&scratch, &format!("decide c.db amend long.toml --why x{yes}"));
        let why = "the decision cannot be recorded: a name has more than 1024 bytes";
        assert!(refused.code == Some(2) && refused.stderr.contains(why), "{refused:?}");
    }
    let amend = "decide c.db amend c.toml --why 'it was too short'";
    fine(&scratch, amend);
    assert_eq!(fine(&scratch, "decisions c.db").stdout, "nothing was decided\n");
    fine(&scratch, &format!("{amend} --yes"));
    let again = run(&scratch, &format!("{amend} --yes"));
    assert!(again.code == Some(2) && again.stderr.contains("the record has this contest already"), "{again:?}");
    let undone = run(&scratch, "decide c.db undo 1 --why x");
    assert!(undone.code == Some(2) && undone.stderr.contains("amend the contest again"), "{undone:?}");
    tournament(&scratch, "c.toml --no-check --db c.db");
    assert_eq!(games(&scratch, "c.db"), games(&scratch, "whole.db"));
    assert_eq!(standings(&scratch, "c.db"), standings(&scratch, "whole.db"));
    assert!(fine(&scratch, "standings c.db").stdout.starts_with("Club <night>\n"));
    fine(&scratch, "verify c.db");
    fine(&scratch, "report c.db --out c.html");
    let page = fs::read_to_string(scratch.path().join("c.html")).expect("a page");
    assert!(page.contains("<title>Club &lt;night&gt;"), "the page has the new name");
    // An amendment is taken back by amending the contest to what it was before; only a text differs here.
    scratch.file("c.toml", format!("{text}[publish]\ncontact = \"Ann\"\n"));
    let shown = fine(&scratch, "decide c.db amend c.toml --why 'it was better' --yes").stdout;
    let limited = |limits: &str| {
        scratch.file("c.toml", format!("{text}[publish]\ncontact = \"Ann\"\n[limits]\n{limits}"));
        run(&scratch, "decide c.db amend c.toml --why 'bots grow' --yes")
    };
    for (limits, refused) in [
        ("processes = 63\n", "limits.processes was 64, and is 63 now; it may only be raised"),
        ("processes = 128\n", ""),
        ("processes = 127\n", "limits.processes was 128, and is 127 now; it may only be raised"),
        ("", "limits.processes was 128, and is 64 now; it may only be raised"),
        ("processes = 200\n", ""),
    ] {
        let ran = limited(limits);
        assert!(
            ran.code == Some(if refused.is_empty() { 0 } else { 2 }) && ran.stderr.contains(refused),
            "{ran:?}"
        );
    }
    assert!(shown.contains("publish.contact was left out, and is \"Ann\" now"), "{shown}");
    assert!(fine(&scratch, "standings c.db").stdout.starts_with("Short\nContact: Ann\n"));
    fine(&scratch, "tournament c.toml --no-check --db c.db");
    fine(&scratch, "verify c.db");
}

/// A stage that is played after the first one.
const FINAL: &str = "[[stages]]\nname = \"Final\"\nkind = \"knockout\"\ntop = 2\n";

fn stages_that_have_not_begun_are_amended() {
    let scratch = Scratch::new();
    let text = contest_text(7, &FIVE) + FINAL;
    stopped(&scratch, &text, 10);
    let amended = text.replace("\"knockout\"\ntop = 2", "\"all-play-all\"\ntop = 3\nboards = [2]");
    scratch.file("other.toml", &amended);
    tournament(&scratch, "other.toml --no-check --db wanted.db").fine();
    // The first stage has begun.
    scratch.file("wrong.toml", amended.replacen("boards = [1, 2]", "boards = [1]", 1));
    let refused = run(&scratch, "decide c.db amend wrong.toml --why x --yes");
    assert!(refused.code == Some(2) && refused.stderr.contains("stages[1].boards"), "{refused:?}");
    // The organizer's bots cannot change.
    scratch.file("wrong.toml", amended.replacen("entrants", "fillers = [\"@smallest\"]\nentrants", 1));
    let refused = run(&scratch, "decide c.db amend wrong.toml --why x --yes");
    assert!(
        refused.code == Some(2) && refused.stderr.contains("organizers has {\"path\":\"@smallest\"} now"),
        "{refused:?}"
    );
    // Nor can an entry be added, because it would get the number of one of the organizer's bots.
    scratch.file("wrong.toml", amended.replacen("\"@parity\"", "\"@parity\", \"@smallest\"", 1));
    let refused = run(&scratch, "decide c.db amend wrong.toml --why x --yes");
    let said = "entrants has {\"path\":\"@smallest\"} now";
    assert!(refused.code == Some(2) && refused.stderr.contains(said), "{refused:?}");
    // A stage of one entrant has no games.
    scratch.file("wrong.toml", amended.replacen("top = 3", "top = 1", 1));
    assert_eq!(run(&scratch, "decide c.db amend wrong.toml --why x --yes").code, Some(2));
    let shown = fine(&scratch, "decide c.db amend other.toml --why 'the hall is free for longer' --yes").stdout;
    assert!(shown.contains("stages[2].kind was \"knockout\", and is \"all-play-all\" now"), "{shown}");
    let before = run(&scratch, "tournament c.toml --no-check --db c.db");
    assert!(before.code == Some(2) && before.stderr.contains("`decide … amend`"), "{before:?}");
    fine(&scratch, "tournament other.toml --no-check --db c.db");
    assert_eq!(games(&scratch, "c.db"), games(&scratch, "wanted.db"));
    assert_eq!(standings(&scratch, "c.db"), standings(&scratch, "wanted.db"));
    assert!(fine(&scratch, "standings c.db").stdout.contains("Stage 2, Final (all-play-all): over"));
    for command in ["verify c.db", "rejudge c.db --rules boxing-1994", "report c.db --out c.html", "audit c.db"] {
        fine(&scratch, command);
    }
    // Now the second has begun as well.
    let late = run(&scratch, "decide c.db amend c.toml --why x --yes");
    assert!(late.code == Some(2) && late.stderr.contains("stages[2].kind"), "{late:?}");
}

fn a_stage_of_an_amended_contest_allows_more_entrants_once_that_is_decided() {
    let scratch = Scratch::new();
    let text = contest_text(7, &FIVE)
        + "[[stages]]\nname = \"Tie\"\nkind = \"permutations\"\nwho = \"tied\"\nmax_entrants = 2\n";
    stopped(&scratch, &text, 10);
    let amended = text.replace("Short", "Club");
    scratch.file("c.toml", &amended);
    fine(&scratch, "decide c.db amend c.toml --why 'its name' --yes");
    scratch.file("c.toml", amended.replace("max_entrants = 2", "max_entrants = 3"));
    let refused = run(&scratch, "tournament c.toml --no-check --db c.db");
    assert!(refused.code == Some(2) && refused.stderr.contains("a stage allows more entrants"), "{refused:?}");
    let shown = fine(&scratch, "decide c.db amend c.toml --why 'many are tied' --yes").stdout;
    assert!(shown.contains("a stage allows more entrants"), "{shown}");
    fine(&scratch, "tournament c.toml --no-check --db c.db");
    fine(&scratch, "verify c.db");
}

fn a_recorded_amendment_of_a_stage_that_had_begun_is_found() {
    let scratch = Scratch::new();
    stopped(&scratch, &(contest_text(7, &FIVE) + FINAL), 10);
    let path = scratch.path().join("c.db");
    let header = Record::open(&path).expect("a record").header().expect("a header");
    let Header { contest_text, contest_json, stages, .. } = header.clone();
    let amended = contest_json.replacen("\"games_per_order\": 1", "\"games_per_order\": 2", 1);
    assert_ne!(amended, contest_json);
    let contest = Box::new(ContestSpec::from_json(&amended).expect("a contest"));
    let amend = DecidedAction::Amend { file: contest_text, contest, stages };
    Writer::resume(&path, &header)
        .and_then(|mut writer| writer.decide(&amend, None, "more games"))
        .expect("a decision");
    let verified = run(&scratch, "verify c.db");
    assert!(verified.code == Some(1) && verified.stdout.contains("decision 1"), "{verified:?}");
}
