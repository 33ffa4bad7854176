//! The processor time of a bot that is still running, with everything it started.

use super::sweep::{children_of, stat_of};
use crate::sandbox::report::Cpu;
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

/// Where `utime` stands among the fields behind the name; `stime`, `cutime` and `cstime` follow.
const UTIME: usize = 11;
