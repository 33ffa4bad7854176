//! Reads what a running bot and everything it started use: processor time, processes and threads.

use super::sweep::{descendants, own_number, stat_of, state_of};
use crate::report::{Cpu, Tasks};
use crate::run_request::Environment;
use rustix::param::clock_ticks_per_second;
use std::fs::File;
use std::path::Path;
use std::time::Duration;

/// Reads the processor time of all descendants of this process, in the kernel's ticks (usually a hundredth of a
/// second), and counts the descendants. Includes the time of ended processes that were not waited for yet.
pub(super) fn read() -> (Cpu, Tasks) {
    let mut user = 0;
    let mut system = 0;
    let mut tasks = Tasks::default();
    for pid in descendants() {
        let Some(stat) = stat_of(pid) else {
            // Usually it ended after it was listed, and its parent, which waited for it, now has its time.
            tasks.unreadable += u32::from(Path::new(&format!("/proc/{pid}")).exists());
            continue;
        };
        let number = |at: usize| stat.get(at).and_then(|field| field.parse::<u64>().ok()).unwrap_or_default();
        user += number(UTIME) + number(UTIME + 2);
        system += number(UTIME + 1) + number(UTIME + 3);
        // Every process has page faults when it starts, so this is above zero once a child was waited for.
        tasks.had_children += u32::from(number(CHILDREN_FAULTS) > 0);
        let has_ended = stat.first().is_some_and(|state| state == "Z");
        // An ended child of the bot, for which its parent has not waited yet.
        tasks.had_children += u32::from(has_ended && number(PARENT) != own_number() as u64);
        if !has_ended {
            tasks.processes += 1;
            tasks.threads += number(THREADS).max(1) as u32;
        }
    }
    let time = |ticks: u64| Duration::from_micros(ticks * 1_000_000 / clock_ticks_per_second().max(1));
    (Cpu { user: time(user), system: time(system), lower_bound: true }, tasks)
}

/// Whether all descendants of this process are stopped or have ended.
pub(super) fn all_are_stopped() -> bool {
    let mut states = descendants().filter_map(state_of);
    states.all(|state| ["T", "Z", "X"].contains(&state.as_str()))
}

// Indices of fields of `/proc/PID/stat` after the name.
const PARENT: usize = 1;
/// Minor page faults of children that were waited for.
const CHILDREN_FAULTS: usize = 8;
/// `utime`, followed by `stime`, `cutime` and `cstime`.
const UTIME: usize = 11;
const THREADS: usize = 17;

/// The numbers that the kernel gives to processes and threads in the sandbox's own namespace.
pub(super) struct ProcessNumbers {
    /// The kernel's file with the last number, if it can be written.
    file: Option<File>,
    /// The number before that of the first process since [`ProcessNumbers::reset`].
    before: u32,
}

impl ProcessNumbers {
    /// The numbers of the kernel's `file`, if there is one.
    pub(super) fn new(file: Option<File>) -> ProcessNumbers {
        ProcessNumbers { file, before: 1 }
    }

    /// Resets the numbers so that the next process gets the first number for this `environment`. Otherwise a bot
    /// could read from its number how many processes there were before.
    pub(super) fn reset(&mut self, environment: Environment) {
        // The server itself is number 1.
        self.before = if environment == Environment::Varied { 1986 } else { 1 };
        let text = self.before.to_string();
        if self.file.as_ref().is_some_and(|file| rustix::io::pwrite(file, text.as_bytes(), 0).is_err()) {
            self.file = None;
        }
    }

    /// How many processes and threads were made since [`ProcessNumbers::reset`]; `None` if the numbers cannot be reset.
    /// (`/proc/loadavg` contains the same number, but the `/proc` of a sandbox lacks it.)
    pub(super) fn made(&self) -> Option<u32> {
        let mut text = [0; 16];
        let n = rustix::io::pread(self.file.as_ref()?, &mut text, 0).ok()?;
        let last: u32 = str::from_utf8(&text[..n]).ok()?.trim().parse().ok()?;
        Some(last.saturating_sub(self.before))
    }
}
