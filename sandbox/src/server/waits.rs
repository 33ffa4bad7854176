//! Measures how long a bot waited for a processor that other programs used, which must not count against it (B10,
//! G3).
//!
//! There are two ways to measure it. For a control group (v2) the kernel counts the time in which all processes that
//! could run waited. This is too little for a bot that moves between processors, because the kernel counts their waits
//! as simultaneous. For each task (`schedstat`) it counts the task's waits: the longest one, less what the bot's other
//! tasks used of processors meanwhile, is the second measure. This is too little as well, because a wait is counted
//! only when it is over. So the longer of the two counts, and at a deadline the tasks are watched to see whether
//! they wait just then.
//!
//! A bot must not pass off its own work as that of other programs. So no more is granted than the time in which nothing
//! of the bot ran: the time that passed, less all processor time of the bot, that of tasks that are gone included. A
//! control group counts that. Without one, a task that is gone was counted only if its process still runs or was waited
//! for, which cannot be seen, so that nothing is granted if any task is gone.

use super::own_cpu_time;
use super::sweep::{children_of, stat_of};
use super::usage::{self, ProcessNumbers};
use crate::cgroup::GroupFiles;
use crate::report::Activity;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::thread;
use std::time::{Duration, Instant};

/// Smaller differences between the kernel's counters are inaccuracies.
const NOISE: Duration = Duration::from_millis(1);

/// Measures waiting from a beginning on. Measuring many short intervals and adding them up would be wrong, because
/// a wait is counted only when it is over.
pub struct WaitMeter {
    group: Option<GroupFiles>,
    /// Counts the tasks that were made.
    pub numbers: ProcessNumbers,
    /// The beginning.
    before: BotReading,
}

/// What the kernel has counted at one moment.
struct BotReading {
    at: Instant,
    /// How long the control group has waited, if that is counted.
    group_waited: Duration,
    /// Processor time of the whole bot, as far as it is known.
    cpu: Duration,
    /// How many tasks the bot has made, if that is counted.
    made: Option<u32>,
    tasks: BTreeMap<i32, TaskCounters>,
}

/// What the kernel counts for a task, in nanoseconds.
#[derive(Clone, Copy, Default)]
struct TaskCounters {
    process: i32,
    used: u64,
    waited: u64,
}

impl WaitMeter {
    /// A measure that uses the control group's files, if there is one that counts processor time.
    pub fn new(group: Option<GroupFiles>, numbers: ProcessNumbers) -> WaitMeter {
        let before = BotReading {
            at: Instant::now(),
            group_waited: Duration::ZERO,
            cpu: Duration::ZERO,
            made: None,
            tasks: BTreeMap::new(),
        };
        WaitMeter { group: group.filter(|group| group.cpu().is_some()), numbers, before }
    }

    /// Begins to measure now.
    pub fn begin(&mut self) {
        self.before = self.read();
    }

    /// Begins to measure for a process that was just started: its tasks have not waited yet.
    pub fn restart(&mut self) {
        let made = self.numbers.made().map(|_| 0);
        self.before = BotReading { made, tasks: BTreeMap::new(), ..self.read_group() };
    }

    /// How long the bot has waited since the beginning.
    pub fn so_far(&self) -> Duration {
        let now = self.read_group();
        let elapsed = now.at.saturating_duration_since(self.before.at);
        let nothing_ran = |ran: Duration| elapsed.saturating_sub(ran);
        let of_group = now.group_waited.saturating_sub(self.before.group_waited);
        let ran = now.cpu.saturating_sub(self.before.cpu);
        if self.group.is_some() && of_group + NOISE >= nothing_ran(ran) {
            // The tasks can tell no more. Listing those of a bot that crowds its processor would take long.
            return of_group.min(nothing_ran(ran));
        }
        let now = BotReading { tasks: tasks(), ..now };
        let by_task = changes(&self.before.tasks, &now.tasks);
        let alive_ran: u64 = by_task.iter().map(|task| task.used).sum();
        let ran = ran.max(Duration::from_nanos(alive_ran));
        let of_tasks = if self.group.is_none() && some_are_gone(&self.before, &now) {
            Duration::ZERO
        } else {
            Duration::from_nanos(longest(&by_task, ran.as_nanos() as u64))
        };
        of_group.max(of_tasks).min(nothing_ran(ran))
    }

    /// Watches the bot for a moment. It waits if some task could have run in that time and none did, and rests if none
    /// could.
    pub fn right_now(&self) -> Activity {
        /// Long enough for the kernel to update its count for every task that runs.
        const LOOK: Duration = Duration::from_millis(25);
        let before = if self.group.is_some() { self.read_group() } else { self.read() };
        thread::sleep(LOOK);
        let none_ran = if self.group.is_some() {
            self.read_group().cpu.saturating_sub(before.cpu) < NOISE
        } else {
            let now = self.read();
            before.tasks.keys().eq(now.tasks.keys())
                && before.made == now.made
                && changes(&before.tasks, &now.tasks).iter().all(|task| task.used == 0)
        };
        if !none_ran {
            return Activity::Works;
        }
        let states: BTreeSet<String> = each_task().filter_map(|(_, task)| state_of(task)).collect();
        if states.contains("R") {
            Activity::Waits(before.at.elapsed())
        } else if states.contains("D") {
            Activity::Works
        } else {
            Activity::Rests
        }
    }

    fn read(&self) -> BotReading {
        // In this order, no task is in the count but not in the list unless it is gone.
        let reading = self.read_group();
        BotReading { tasks: tasks(), ..reading }
    }

    /// All but the tasks.
    fn read_group(&self) -> BotReading {
        let of_group = |group: &GroupFiles| Some(group.cpu()?.saturating_sub(own_cpu_time()));
        let cpu = match &self.group {
            Some(group) => of_group(group).unwrap_or_default(),
            None => usage::so_far().0.total(),
        };
        BotReading {
            at: Instant::now(),
            group_waited: self.group.as_ref().map(GroupFiles::waited).unwrap_or_default(),
            cpu,
            made: self.numbers.made(),
            tasks: BTreeMap::new(),
        }
    }
}

/// The kernel's letter for a task's state: `R` if it runs or could run, `D` if it waits for a disk.
fn state_of(task: i32) -> Option<String> {
    stat_of(task)?.into_iter().next()
}

/// Whether a task was there, or was made, and is gone.
fn some_are_gone(before: &BotReading, now: &BotReading) -> bool {
    match (before.made, now.made) {
        (Some(earlier), Some(made)) => {
            before.tasks.len() + made.saturating_sub(earlier) as usize > now.tasks.len()
        }
        _ => before.tasks.keys().any(|task| !now.tasks.contains_key(task)),
    }
}

/// What each task that is there `now` used and waited since `before`.
fn changes(before: &BTreeMap<i32, TaskCounters>, now: &BTreeMap<i32, TaskCounters>) -> Vec<TaskCounters> {
    let since = |(number, task): (&i32, &TaskCounters)| {
        let mut earlier = before.get(number).copied().unwrap_or_default();
        if task.process == *number {
            // A thread that loads another program ends the others and takes the number of the first one. So this may
            // be any of those that are gone.
            let gone = before.iter().filter(|(other, it)| it.process == *number && !now.contains_key(other));
            for (_, other) in gone {
                earlier.used = earlier.used.max(other.used);
                earlier.waited = earlier.waited.max(other.waited);
            }
        }
        let used = task.used.saturating_sub(earlier.used);
        let waited = task.waited.saturating_sub(earlier.waited);
        TaskCounters { process: task.process, used, waited }
    };
    now.iter().map(since).collect()
}

/// The longest wait of a task, less what the rest of the bot used meanwhile, which used `ran` with it.
fn longest(by_task: &[TaskCounters], ran: u64) -> u64 {
    let of_others = |task: &TaskCounters| task.waited.saturating_sub(ran.saturating_sub(task.used));
    by_task.iter().map(of_others).max().unwrap_or_default()
}

/// Every task of this process's descendants.
fn tasks() -> BTreeMap<i32, TaskCounters> {
    let figures = |(process, task): (i32, i32)| {
        let text = fs::read_to_string(format!("/proc/{process}/task/{task}/schedstat")).ok()?;
        let mut figures = text.split_whitespace().flat_map(str::parse);
        let used = figures.next().unwrap_or(0);
        let waited = figures.next().unwrap_or(0);
        Some((task, TaskCounters { process, used, waited }))
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

    /// Checks tasks given as (used, waited) at two readings, in the same order; new tasks come last. The bot used `ran`
    /// in all.
    #[track_caller]
    fn check(before: &[(u64, u64)], now: &[(u64, u64)], ran: u64, waited: u64) {
        let tasks = |list: &[(u64, u64)]| {
            let task = |&(used, waited): &(u64, u64)| TaskCounters { process: 1, used, waited };
            (1..).zip(list.iter().map(task)).collect::<BTreeMap<i32, TaskCounters>>()
        };
        assert_eq!(longest(&changes(&tasks(before), &tasks(now)), ran), waited);
    }

    #[test]
    fn a_task_that_waits_for_other_programs_has_waited() {
        check(&[], &[(100, 700)], 100, 700);
        check(&[(100, 700)], &[(150, 900)], 50, 200);
        check(&[], &[], 0, 0);
    }

    #[test]
    fn tasks_that_wait_for_each_other_have_not_waited() {
        check(&[], &[(500, 500), (500, 500)], 1000, 0);
        check(&[(0, 0); 4], &[(250, 750); 4], 1000, 0);
        // Another program used half of the time.
        check(&[], &[(250, 750), (250, 750)], 500, 500);
    }

    #[test]
    fn a_task_that_waits_for_tasks_that_are_gone_has_not_waited() {
        check(&[], &[(100, 700)], 800, 0);
        check(&[], &[(100, 700)], 500, 300);
    }

    #[test]
    fn a_thread_that_takes_anothers_number_brings_no_waiting_with_it() {
        check(&[(10, 0), (100, 700)], &[(110, 720)], 10, 20);
    }
}
