//! End-to-end tests of the built command with real bots, with a file for each command or topic.
//!
//! Every trial runs the program as a user would, in a scratch folder of its own. Trials run side by side; each
//! game has marks of its own, because games with the same mark wait for each other where bots share one `/tmp`.
//! A trial whose tool is not on the machine is ignored with that reason, never passed.

mod bad_input;
mod bots;
mod check;
mod compare;
mod doctor;
mod folders;
mod go;
mod languages;
mod levels;
mod new;
mod own_game;
mod play;
mod rejudge;
mod replay;
mod report;
mod rules;
mod strangers;
mod support;
mod tournament;
mod with;

use libtest_mimic::{Arguments, Trial};
use std::process::ExitCode;

fn main() -> ExitCode {
    // Trials ask which isolation this machine gives.
    cornerman_harness::sandbox::serve_if_asked();
    let arguments = Arguments::from_args();
    if !arguments.list {
        support::build_reference_bots();
        support::forget_verdicts();
    }
    let files: [fn() -> Vec<Trial>; 19] = [
        bad_input::trials,
        bots::trials,
        check::trials,
        compare::trials,
        doctor::trials,
        folders::trials,
        go::trials,
        languages::trials,
        levels::trials,
        new::trials,
        own_game::trials,
        play::trials,
        rejudge::trials,
        replay::trials,
        report::trials,
        rules::trials,
        strangers::trials,
        tournament::trials,
        with::trials,
    ];
    let trials = files.iter().flat_map(|trials| trials()).collect();
    libtest_mimic::run(&arguments, trials).exit_code()
}
