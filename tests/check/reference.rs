//! `check`: each reference bot passes, in a trial of its own.

use super::{check_report, ids, reports};
use crate::check::stones::check_all_but;
use crate::support::{Scratch, trial};
use libtest_mimic::Trial;
use reference_bots::{Ladder, ReferenceBot, games};
use serde_json::Value;

pub fn trials() -> Vec<Trial> {
    let of = |game: &'static str, ladder: &'static Ladder, check: fn(&ReferenceBot)| {
        let name = move |bot: &ReferenceBot| format!("check::reference::{game}::{}", bot.id);
        ladder.bots.iter().map(move |bot| trial(&name(bot), &[], move || check(bot)))
    };
    let boxing = of("boxing", &games::boxing::LADDER, boxes);
    let rps = of("rps", &games::rps::LADDER, plays_hands);
    let go = of("go", &games::go::LADDER, plays_stones);
    boxing.chain(rps).chain(go).collect()
}

/// The report about `bot`, which no must fails.
fn report_of(bot: &ReferenceBot, options: &[&str]) -> Value {
    let spec = format!("@{}", bot.id);
    let (code, mut reports) = reports(&Scratch::new(), &[&[spec.as_str()], options].concat());
    assert_eq!((code, reports.len()), (Some(0), 1), "{spec}");
    reports.remove(0)
}

/// On a busy machine, a bot that calculates may be slower than it should be: then it is checked again.
fn boxes(bot: &ReferenceBot) {
    let judge = || report_of(bot, &[]);
    let mut report = judge();
    for _ in 0..2 {
        if ids(&report, "fail") == ["BX-TIME-SOFT"] {
            report = judge();
        }
    }
    check_report(&report);
}

/// Warnings are allowed.
fn plays_hands(bot: &ReferenceBot) {
    let report = report_of(bot, &[]);
    let judged =
        |check: &Value| check["outcome"] == "pass" || check["outcome"] == "note" || check["weighs"] == "should";
    let checks = report["checks"].as_array().unwrap();
    assert!(checks.iter().all(judged) && checks[0]["id"] == "RP-NAME", "{report:#}");
}

/// Warnings are allowed. A bot that thinks takes an eighth of a second for each move, so it plays one short case of each
/// check. On a busy machine there may be no time for some: then it is checked again.
fn plays_stones(bot: &ReferenceBot) {
    if !bot.thinks {
        return check_all_but(&[], &report_of(bot, &["--full"]));
    }
    let judge = || report_of(bot, &["--budget", "0"]);
    let mut report = judge();
    for _ in 0..2 {
        if ids(&report, "left-out").len() > 1 {
            report = judge();
        }
    }
    check_all_but(&["GO-LONG"], &report);
}
