//! The page of a tournament in a real browser: its content, its behaviour, and its layout on a narrow screen.
//!
//! Chromium is driven through chromedriver; where either is missing, every trial is ignored with that reason. One
//! tournament is played for all trials, and each has a browser of its own.

mod browser {
    pub mod driver;
    pub mod lines;
    pub mod looks;
    pub mod trials;
}
#[expect(dead_code, reason = "the end-to-end tests use the rest")]
mod support;

use browser::driver::{Driver, missing};
use browser::trials;
use libtest_mimic::Arguments;
use std::process::ExitCode;
use std::sync::Arc;

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let site = match (arguments.list, missing()) {
        (false, None) => Some(Arc::new(trials::Site::build(Driver::start()))),
        _ => None,
    };
    let trials = trials::trials(site.as_ref(), missing());
    let conclusion = libtest_mimic::run(&arguments, trials);
    // The driver is ended and the tournament's folder removed before this program exits.
    drop(site);
    conclusion.exit_code()
}
