//! Tests the sandbox with bad bots: every behaviour at every level that promises something about it.
//!
//! The bots are one C program. The table of promises is in `rows`, and `canaries` are what must come to no harm. If
//! the machine refuses a level, that level's trials are ignored, with the machine's reason.

mod apart;
mod canaries;
mod document;
mod referee_killed;
mod rows;
#[path = "../../../tests/support/sample.rs"]
mod sample;
mod sessions;
mod stage;
mod trial;

use cornerman_sandbox::promises::Requirement;
use cornerman_sandbox::{Conditions, Level, Limits, Program, Refusal, Sandbox};
use libtest_mimic::{Arguments, Trial};
use sample::Matrix;
use stage::Stage;
use std::collections::BTreeMap;
use std::os::fd::OwnedFd;
use std::process::ExitCode;
use std::sync::Arc;

/// In a sample of the tests, each behaviour is tried at one or two of the levels.
const MATRICES: &[Matrix] = &[Matrix {
    what: "hostile bots at levels of isolation",
    one_in: 3,
    group: |name| {
        let (level, what) = name.split_once("::")?;
        Level::ALL.iter().any(|known| known.name() == level).then(|| what.to_string())
    },
}];

fn main() -> ExitCode {
    cornerman_sandbox::serve_if_asked();
    referee_killed::serve_if_asked();
    let mut args = Arguments::from_args();
    // Most trials wait for something, so it pays to run more of them at once than there are processors.
    args.test_threads.get_or_insert(12);
    let leak = leave_open().expect("a descriptor is left open for bots to find");
    let stage = Arc::new(Stage::set_up().expect("the hostile bots are compiled"));
    let refused = if args.list { BTreeMap::new() } else { refusals() };
    let conclusion = libtest_mimic::run(&args, sample::choose(&args, MATRICES, trials(&stage, &refused)));
    drop((stage, leak));
    conclusion.exit_code()
}

fn trials(stage: &Arc<Stage>, refused: &BTreeMap<Level, String>) -> Vec<Trial> {
    let mut trials = vec![Trial::test("the_document_shows_these_promises", || Ok(document::agrees()?))];
    for level in Level::ALL {
        let why = refused.get(&level);
        for row in rows::ROWS.iter().filter(|row| level >= row.from) {
            let stage = stage.clone();
            let number = trials.len();
            let run = move || Ok(trial::run(row, level, &stage, number)?);
            let trial = given(level, why, Trial::test(format!("{level}::{}", row.name), run));
            let lacking = (row.is_of_signals && level == Level::Scoped).then_some(Requirement::LandlockScopes);
            trials.push(with_need(lacking, trial));
        }
        if level >= Level::Scoped {
            let stage = stage.clone();
            let number = trials.len();
            for (name, run) in sessions::TRIALS {
                let stage = stage.clone();
                let run = move || Ok(run(level, &stage, number)?);
                trials.push(given(level, why, Trial::test(format!("{level}::session::{name}"), run)));
            }
        }
        if level >= Level::Restricted {
            let stage = stage.clone();
            let run = move || Ok(referee_killed::leaves_nothing(level, &stage)?);
            let name = format!("{level}::a_killed_referee_leaves_nothing");
            trials.push(given(level, why, Trial::test(name, run)));
        }
    }
    for (name, level, run) in apart::TRIALS {
        let stage = stage.clone();
        let trial = Trial::test(format!("{level}::{name}"), move || Ok(run(&stage)?));
        let trial = given(level, refused.get(&level), trial);
        trials.push(match apart::lacking(name) {
            Some(why) => trial.with_ignored_flag(true).with_kind(why),
            None => trial,
        });
    }
    trials
}

/// Marks the trial as ignored if the machine refuses its level.
fn given(level: Level, why: Option<&String>, trial: Trial) -> Trial {
    match why {
        Some(why) => trial.with_ignored_flag(true).with_kind(format!("{level} is not available: {why}")),
        None => trial,
    }
}

/// Marks the trial as ignored if the machine does not meet the requirement.
fn with_need(needed: Option<Requirement>, trial: Trial) -> Trial {
    match needed.filter(|needed| !needed.is_met()) {
        Some(unmet) => trial.with_ignored_flag(true).with_kind(format!("needs {}", unmet.name())),
        None => trial,
    }
}

/// The levels that this machine refuses, and its reasons.
fn refusals() -> BTreeMap<Level, String> {
    let program = Program { argv: vec!["/bin/true".into()], folder: "/".into(), parts: Vec::new() };
    let refused = |&level: &Level| {
        let conditions = Conditions { at_most: Some(level), ..Conditions::default() };
        let sandbox = Sandbox::open(&program, &Limits::default(), conditions).expect("some level is given");
        let in_words = |refusal: &Refusal| format!("{}: {}", refusal.step, refusal.why);
        let why = sandbox.isolation().refused.iter().find(|refusal| refusal.level == level).map(in_words);
        (sandbox.isolation().level < level).then(|| (level, why.unwrap_or_default()))
    };
    Level::ALL.iter().filter_map(refused).collect()
}

/// Opens descriptors that every process started by this program inherits, as a careless caller might.
fn leave_open() -> std::io::Result<Vec<OwnedFd>> {
    let secret = std::fs::File::open("/etc/passwd")?;
    let mut left_open = Vec::new();
    for number in [100, 1000] {
        let fd = rustix::io::fcntl_dupfd_cloexec(&secret, number)?;
        rustix::io::fcntl_setfd(&fd, rustix::io::FdFlags::empty())?;
        left_open.push(fd);
    }
    Ok(left_open)
}
