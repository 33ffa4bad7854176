//! How long a bot waited for a processor that others had: no bot is to lose its time by that (B10, G3).
//!
//! The kernel knows it of a control group (v2): the time in which all that could run waited, so that a bot that crowds
//! the machine with its own threads gains nothing. It is too little where a bot is moved between processors, whose waits
//! the kernel takes to be at the same time. The other way is by what it keeps of each task: the longest wait of any, less
//! what its siblings used of processors meanwhile. That is too little as well, as a wait is kept only when it is over; so
//! what counts is the longer of both, and at a deadline there is a look whether it waits just then.

use super::sweep::{children_of, stat_of};
use crate::cgroup;
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::thread;
use std::time::{Duration, Instant};

/// A measure of waiting, from a beginning on: as a wait is kept only when it is over, the sum over short spells would be
/// wrong.
pub struct WaitMeter {
    /// Of the control group: its file, and what it said at the beginning.
    group: Option<(File, Duration)>,
    /// Of single tasks: what the kernel kept of each at the beginning.
    before: BTreeMap<i32, Task>,
}

/// What the kernel keeps of a task, in nanoseconds.
#[derive(Clone, Copy, Default)]
pub struct Task {
    used: u64,
    waited: u64,
}

impl WaitMeter {
    /// By the group's file, if there is one.
    pub fn new(pressure: Option<File>) -> WaitMeter {
        WaitMeter { group: pressure.map(|file| (file, Duration::ZERO)), before: BTreeMap::new() }
    }

    /// From now on.
    pub fn begin(&mut self) {
        self.restart();
        self.before = tasks();
    }

    /// From the beginning of processes that are new: single tasks have their waiting from then on, a group from now.
    pub fn restart(&mut self) {
        if let Some((file, before)) = &mut self.group {
            *before = cgroup::waited(file).unwrap_or_default();
        }
        self.before.clear();
    }

    /// The waiting since the beginning.
    pub fn so_far(&self) -> Duration {
        let of_group =
            |(file, before): &(File, Duration)| cgroup::waited(file).unwrap_or_default().saturating_sub(*before);
        let of_tasks = Duration::from_nanos(longest(&self.before, &tasks()));
        self.group.as_ref().map_or(Duration::ZERO, of_group).max(of_tasks)
    }
}

/// Long enough that the kernel notes in it of every task that runs that it does.
const LOOK: Duration = Duration::from_millis(25);

/// For how long, looked at from now on, some task could have run and none did.
pub fn waiting_now() -> Duration {
    let began = Instant::now();
    let used = |tasks: &BTreeMap<i32, Task>| tasks.values().map(|task| task.used).sum::<u64>();
    let before = used(&tasks());
    thread::sleep(LOOK);
    let now = tasks();
    match used(&now) == before && now.keys().any(|&task| is_ready(task)) {
        true => began.elapsed(),
        false => Duration::ZERO,
    }
}

/// Whether a task, of whatever process, could run or does.
fn is_ready(task: i32) -> bool {
    stat_of(task).is_some_and(|fields| fields.first().is_some_and(|state| state == "R"))
}

/// The longest wait between two looks, less what the others used meanwhile.
fn longest(before: &BTreeMap<i32, Task>, now: &BTreeMap<i32, Task>) -> u64 {
    let since = |(number, task): (&i32, &Task)| {
        let before = before.get(number).copied().unwrap_or_default();
        (task.used.saturating_sub(before.used), task.waited.saturating_sub(before.waited))
    };
    let all: u64 = now.iter().map(since).map(|(used, _)| used).sum();
    now.iter().map(since).map(|(used, waited)| waited.saturating_sub(all - used)).max().unwrap_or_default()
}

/// Every task below this process.
fn tasks() -> BTreeMap<i32, Task> {
    let mut found = BTreeMap::new();
    let mut open = children_of(rustix::process::getpid().as_raw_nonzero().get());
    while let Some(pid) = open.pop() {
        open.extend(children_of(pid));
        for entry in fs::read_dir(format!("/proc/{pid}/task")).into_iter().flatten().flatten() {
            let number = entry.file_name().to_str().and_then(|name| name.parse().ok());
            let text = fs::read_to_string(entry.path().join("schedstat"));
            if let (Some(number), Ok(text)) = (number, text) {
                let mut figures = text.split_whitespace().flat_map(str::parse);
                let (used, waited) = (figures.next().unwrap_or(0), figures.next().unwrap_or(0));
                found.insert(number, Task { used, waited });
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Tasks as (used, waited) at two looks, in the same order; those that are new come last.
    #[track_caller]
    fn check(before: &[(u64, u64)], now: &[(u64, u64)], waited: u64) {
        let tasks = |list: &[(u64, u64)]| {
            let task = |&(used, waited): &(u64, u64)| Task { used, waited };
            (1..).zip(list.iter().map(task)).collect::<BTreeMap<i32, Task>>()
        };
        assert_eq!(longest(&tasks(before), &tasks(now)), waited);
    }

    #[test]
    fn a_task_that_waits_for_others_programs_waited() {
        check(&[], &[(100, 700)], 700);
        check(&[(100, 700)], &[(150, 900)], 200);
        check(&[], &[], 0);
    }

    #[test]
    fn tasks_that_wait_for_each_other_did_not() {
        check(&[], &[(500, 500), (500, 500)], 0);
        check(&[(0, 0); 4], &[(250, 750); 4], 0);
        // Half of the time was another program's.
        check(&[], &[(250, 750), (250, 750)], 500);
    }
}
