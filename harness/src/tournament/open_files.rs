//! Makes sure that a run may open as many files as its workers need, because a sandbox cannot say what it lacks.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// What a run without workers needs: the record, the page, builds, and the sandbox in which levels are tried.
const BASE: u64 = 48;

/// What the sandbox of one seat needs.
const PER_SEAT: u64 = 8;

/// Raises this process's limit on open files to what this many `workers` need that play games of this many `seats`.
///
/// # Errors
/// If the machine does not permit it, in words.
pub fn reserve_open_files(workers: usize, seats: u8) -> Result<(), String> {
    let limit = getrlimit(Resource::Nofile);
    let needed = BASE + PER_SEAT * u64::from(seats) * workers as u64;
    if limit.current.is_none_or(|now| now >= needed) {
        return Ok(());
    }
    let raised = match limit.maximum {
        Some(most) if most < needed => Err(format!("the limit is {most}")),
        _ => setrlimit(Resource::Nofile, Rlimit { current: Some(needed), ..limit }).map_err(|no| no.to_string()),
    };
    raised.map_err(|why| {
        let them = if workers == 1 { "a worker needs" } else { &format!("{workers} workers need") };
        let fewer = if workers == 1 { "" } else { ", or use fewer workers" };
        format!("{them} to open {needed} files at a time, but {why}: raise it with `ulimit -n {needed}`{fewer}")
    })
}
