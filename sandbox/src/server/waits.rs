//! Measures how long a bot waited for a processor that other programs used, which must not count against it (B10,
//! G3).
//!
//! There are two ways to measure it, and neither shows too much. For a control group (v2) the kernel counts the
//! time in which all processes that could run waited, so a bot that crowds the machine with its own threads gains
//! nothing. This is too little for a bot that moves between processors, because the kernel counts their waits as
//! simultaneous. For each task (`schedstat`) it counts the task's waits: the longest one, less what the bot's other
//! tasks used of processors meanwhile, is the second measure. This is too little as well, because a wait is counted
//! only when it is over. So the longer of the two counts, and at a deadline the tasks are watched to see whether
//! they wait just then.

use super::sweep::{children_of, stat_of};
use crate::cgroup;
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::thread;
use std::time::{Duration, Instant};

/// Measures waiting from a beginning on. Measuring many short intervals and adding them up would be wrong, because
/// a wait is counted only when it is over.
pub struct WaitMeter {
    /// The control group's file, and its count at the beginning.
    group: Option<(File, Duration)>,
    /// The kernel's counts for each task at the beginning.
    before: BTreeMap<i32, Task>,
}

/// What the kernel counts for a task, in nanoseconds.
#[derive(Clone, Copy, Default)]
pub struct Task {
    used: u64,
    waited: u64,
}

impl WaitMeter {
    /// A measure that uses the control group's file, if there is one.
    pub fn new(pressure: Option<File>) -> WaitMeter {
        WaitMeter { group: pressure.map(|file| (file, Duration::ZERO)), before: BTreeMap::new() }
    }

    /// Begins to measure now.
    pub fn begin(&mut self) {
        self.restart();
        self.before = tasks();
    }

    /// Begins to measure for a process that was just started: its tasks have not waited yet.
    pub fn restart(&mut self) {
        if let Some((file, before)) = &mut self.group {
            *before = cgroup::waited(file).unwrap_or_default();
        }
        self.before.clear();
    }

    /// How long the bot has waited since the beginning.
    pub fn so_far(&self) -> Duration {
        let of_group =
            |(file, before): &(File, Duration)| cgroup::waited(file).unwrap_or_default().saturating_sub(*before);
        let of_tasks = Duration::from_nanos(longest(&self.before, &tasks()));
        self.group.as_ref().map_or(Duration::ZERO, of_group).max(of_tasks)
    }
}

/// Long enough for the kernel to update its count for every task that runs.
const LOOK: Duration = Duration::from_millis(25);

/// Watches the tasks for a moment. Returns how long, if in that time some task could have run and none did, else
/// zero.
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

/// Whether a task can run or is running.
fn is_ready(task: i32) -> bool {
    stat_of(task).is_some_and(|fields| fields.first().is_some_and(|state| state == "R"))
}

/// The longest wait of a task between two readings, less what the other tasks used meanwhile.
fn longest(before: &BTreeMap<i32, Task>, now: &BTreeMap<i32, Task>) -> u64 {
    let since = |(number, task): (&i32, &Task)| {
        let before = before.get(number).copied().unwrap_or_default();
        (task.used.saturating_sub(before.used), task.waited.saturating_sub(before.waited))
    };
    let all: u64 = now.iter().map(since).map(|(used, _)| used).sum();
    now.iter().map(since).map(|(used, waited)| waited.saturating_sub(all - used)).max().unwrap_or_default()
}

/// Every task of this process's descendants.
fn tasks() -> BTreeMap<i32, Task> {
    let figures = |(pid, task): (i32, i32)| {
        let text = fs::read_to_string(format!("/proc/{pid}/task/{task}/schedstat")).ok()?;
        let mut figures = text.split_whitespace().flat_map(str::parse);
        let (used, waited) = (figures.next().unwrap_or(0), figures.next().unwrap_or(0));
        Some((task, Task { used, waited }))
    };
    each_task().filter_map(figures).collect()
}

/// The numbers of every task of this process's descendants, each after that of its process.
pub fn each_task() -> impl Iterator<Item = (i32, i32)> {
    let mut open = children_of(rustix::process::getpid().as_raw_nonzero().get());
    let next = move || {
        let pid = open.pop()?;
        open.extend(children_of(pid));
        Some(pid)
    };
    std::iter::from_fn(next).flat_map(|pid| {
        let entries = fs::read_dir(format!("/proc/{pid}/task")).into_iter().flatten().flatten();
        entries.filter_map(move |entry| Some((pid, entry.file_name().to_str()?.parse().ok()?)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks tasks given as (used, waited) at two readings, in the same order; new tasks come last.
    #[track_caller]
    fn check(before: &[(u64, u64)], now: &[(u64, u64)], waited: u64) {
        let tasks = |list: &[(u64, u64)]| {
            let task = |&(used, waited): &(u64, u64)| Task { used, waited };
            (1..).zip(list.iter().map(task)).collect::<BTreeMap<i32, Task>>()
        };
        assert_eq!(longest(&tasks(before), &tasks(now)), waited);
    }

    #[test]
    fn a_task_that_waits_for_other_programs_has_waited() {
        check(&[], &[(100, 700)], 700);
        check(&[(100, 700)], &[(150, 900)], 200);
        check(&[], &[], 0);
    }

    #[test]
    fn tasks_that_wait_for_each_other_have_not_waited() {
        check(&[], &[(500, 500), (500, 500)], 0);
        check(&[(0, 0); 4], &[(250, 750); 4], 0);
        // Another program used half of the time.
        check(&[], &[(250, 750), (250, 750)], 500);
    }
}
