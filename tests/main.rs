//! End-to-end tests of the built command with real bots, with a file for each command or topic.
//!
//! Every trial runs the program as a user would, in a scratch folder of its own. Trials run side by side; each
//! game has marks of its own, because games with the same mark wait for each other where bots share one `/tmp`.
//! A trial whose tool is not on the machine is ignored with that reason, never passed.

mod bad_input;
mod bots;
mod browser;
mod check;
#[cfg(feature = "cluster")]
mod cluster;
mod compare;
mod doctor;
mod folders;
mod fuzz;
mod go;
mod judges;
mod languages;
mod levels;
mod new;
#[path = "../cli/examples/own_game.rs"]
mod nimkit;
mod own_game;
mod play;
mod records;
mod rejudge;
mod replay;
mod report;
mod rules;
mod schema;
mod strangers;
mod support;
mod tournament;
mod unpacked;
mod unread;
mod why;
mod with;

use libtest_mimic::{Arguments, Trial};
use std::process::ExitCode;
use support::sample::{self, Matrix};
use support::schedule;

const FILES: &[fn() -> Vec<Trial>] = &[
    bad_input::trials,
    bots::trials,
    browser::trials,
    check::trials,
    #[cfg(feature = "cluster")]
    cluster::trials,
    compare::trials,
    doctor::trials,
    folders::trials,
    fuzz::trials,
    go::trials,
    languages::trials,
    levels::trials,
    new::trials,
    judges::trials,
    own_game::trials,
    play::trials,
    records::trials,
    rejudge::trials,
    replay::trials,
    report::trials,
    rules::trials,
    schema::trials,
    strangers::trials,
    tournament::trials,
    unread::trials,
    why::trials,
    with::trials,
];

/// The trials of which each run takes a sample.
const MATRICES: &[Matrix] = &[
    Matrix {
        what: "templates of games and languages",
        one_in: 6,
        group: |name| {
            let (game, rest) = name.split_once("::the_")?;
            let (_, what) = rest.split_once("_template_")?;
            Some(format!("{game} {what}"))
        },
    },
    Matrix {
        what: "languages at levels of isolation",
        one_in: 5,
        group: |name| {
            // Each trial of a build tool is a group of its own.
            group_below("languages", name).filter(|group| group != "builds")
        },
    },
    Matrix { what: "lawful odd bots", one_in: 16, group: |name| group_below("check::lawful", name) },
    Matrix {
        what: "reference bots that are checked",
        one_in: 10,
        group: |name| group_below("check::reference", name),
    },
    Matrix { what: "kept records", one_in: 8, group: |name| group_below("records", name) },
    Matrix {
        what: "judges with one fault",
        one_in: 8,
        group: |name| name.starts_with("judges::jd-").then(String::new),
    },
    Matrix {
        what: "judges through every command",
        one_in: 8,
        group: |name| name.starts_with("judges::everything::").then(String::new),
    },
    Matrix { what: "seasons", one_in: 2, group: |name| name.contains("::a_season_is_decided").then(String::new) },
    Matrix {
        what: "bots with one fault",
        one_in: 4,
        group: |name| name.starts_with("check::broken::with::").then(String::new),
    },
    Matrix {
        what: "rulesets as accepted",
        one_in: 8,
        group: |name| name.ends_with("_decides_what_was_accepted").then(String::new),
    },
];

/// The middle of a name of three parts, of which the first is `topic`.
fn group_below(topic: &str, name: &str) -> Option<String> {
    let (group, _) = name.strip_prefix(topic)?.strip_prefix("::")?.split_once("::")?;
    Some(group.to_string())
}

fn main() -> ExitCode {
    if own_game::is_meant() {
        return nimkit::main();
    }
    // A sandbox, which trials start to find out the isolation of this machine, starts this program again.
    cornerman_harness::sandbox::serve_if_asked();
    // Some trials pose as managers and workers of the same build.
    cornerman_harness::version::set(cornerman_cli::VERSION);
    let mut arguments = Arguments::from_args();
    schedule::fill_in_threads(&mut arguments);
    if !arguments.list {
        support::build_reference_bots();
        support::forget_verdicts();
    }
    let trials = FILES.iter().flat_map(|trials| trials()).collect();
    let trials = schedule::in_order(sample::choose(&arguments, MATRICES, trials));
    let conclusion = libtest_mimic::run(&arguments, trials);
    schedule::print_slowest();
    conclusion.exit_code()
}
