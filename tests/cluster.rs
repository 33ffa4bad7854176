//! Tournaments on many machines, with a real server: its loss, the loss of workers and managers, and strangers.
//!
//! Where `nats-server` is missing, every trial is ignored with that reason. Each has a server of its own.

mod cluster {
    pub mod lab;
    pub mod losses;
    pub mod strangers;
    pub mod whole;
}
#[expect(dead_code, reason = "the end-to-end tests use the rest")]
mod support;

use cluster::{losses, strangers, whole};
use libtest_mimic::Arguments;
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    if !arguments.list {
        support::build_reference_bots();
    }
    let trials = [whole::trials(), losses::trials(), strangers::trials()].into_iter().flatten().collect();
    libtest_mimic::run(&arguments, trials).exit_code()
}
