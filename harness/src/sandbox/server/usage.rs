//! What a bot that is still running uses, with everything it started: processor time, processes and threads.

use super::sweep::{children_of, stat_of};
use crate::sandbox::report::{Cpu, Tasks};
use rustix::param::clock_ticks_per_second;
use std::time::Duration;

/// What all processes below this one have used so far, to the kernel's tick (a hundredth of a second, mostly).
/// Ended ones count as well, as long as nobody else has waited for them.
pub fn so_far() -> Cpu {
    let (mut user, mut system) = (0, 0);
    let mut open = children_of(rustix::process::getpid().as_raw_nonzero().get());
    while let Some(pid) = open.pop() {
        open.extend(children_of(pid));
        // Gone between the listing and now: its parent, who waited for it, has its time.
        let Some(stat) = stat_of(pid) else { continue };
        let ticks = |at: usize| stat.get(at).and_then(|field| field.parse::<u64>().ok()).unwrap_or_default();
        user += ticks(UTIME) + ticks(UTIME + 2);
        system += ticks(UTIME + 1) + ticks(UTIME + 3);
    }
    let time = |ticks: u64| Duration::from_micros(ticks * 1_000_000 / clock_ticks_per_second().max(1));
    Cpu { user: time(user), system: time(system), lower_bound: true }
}

/// The processes below this one, and their threads. Those that have ended and were not waited for do not count.
pub fn tasks() -> Tasks {
    let mut tasks = Tasks::default();
    let mut open = children_of(rustix::process::getpid().as_raw_nonzero().get());
    while let Some(pid) = open.pop() {
        open.extend(children_of(pid));
        let Some(stat) = stat_of(pid).filter(|stat| stat.first().is_some_and(|state| state != "Z")) else {
            continue;
        };
        tasks.processes += 1;
        tasks.threads += stat.get(THREADS).and_then(|field| field.parse::<u32>().ok()).unwrap_or(1);
    }
    tasks
}

/// Where `num_threads` stands among the same fields.
const THREADS: usize = 17;

/// Where `utime` stands among the fields behind the name; `stime`, `cutime` and `cstime` follow.
const UTIME: usize = 11;
