//! Makes sure that a run may open as many files as its workers need, because a sandbox cannot say what it lacks.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// The files that a run needs besides its workers: the record, the page, builds, and a sandbox to try levels.
const BASE: u64 = 48;

/// The files that the sandbox of one seat needs: two pipes and a socket for messages, a handle of its process,
/// five files of its control group, and two pipes to the bot.
const PER_SEAT: u64 = 11;

/// The most sandboxes that wait for the next game of their bots. Each has two small processes.
pub const MAX_IDLE_SANDBOXES: usize = 64;

/// Raises this process's limit on open files to what this many `workers` need that play games of this many `seats`, and
/// further for idle sandboxes. Returns how many of these the limit permits, at most [`MAX_IDLE_SANDBOXES`].
///
/// # Errors
/// If the machine does not permit what the workers need, in words.
pub fn reserve_open_files(workers: usize, seats: u8) -> Result<usize, String> {
    let limit = getrlimit(Resource::Nofile);
    let needed = BASE + PER_SEAT * u64::from(seats) * workers as u64;
    let wanted = limit.maximum.unwrap_or(u64::MAX).min(needed + PER_SEAT * MAX_IDLE_SANDBOXES as u64);
    let places = |now: u64| ((now - needed) / PER_SEAT).min(MAX_IDLE_SANDBOXES as u64) as usize;
    match limit.current {
        None => return Ok(MAX_IDLE_SANDBOXES),
        Some(now) if now >= needed.max(wanted) => return Ok(places(now)),
        Some(_) => {}
    }
    let raised = match limit.maximum {
        Some(most) if most < needed => Err(format!("the limit is {most}")),
        _ => setrlimit(Resource::Nofile, Rlimit { current: Some(wanted), ..limit }).map_err(|no| no.to_string()),
    };
    raised.map(|()| places(wanted)).map_err(|why| {
        let them = if workers == 1 { "a worker needs" } else { &format!("{workers} workers need") };
        let fewer = if workers == 1 { "" } else { ", or use fewer workers" };
        format!("{them} to open {needed} files at a time, but {why}: raise it with `ulimit -n {needed}`{fewer}")
    })
}
