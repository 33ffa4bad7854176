//! Measures how long a bot waited for a processor that other programs used. That time must not count against it (B10,
//! G3).
//!
//! There are two measures. For a control group (v2), the kernel counts the time in which all processes that could
//! have run were waiting. This is too low for a bot that moves between processors, because the kernel counts waits on
//! different processors as simultaneous. For each task, the kernel counts the task's waits (`schedstat`). The second
//! measure is the wait of the task that waited longest, less the processor time that the bot's other tasks used
//! meanwhile. This is too low as well, because a wait is counted only when it is over. So the higher of the two
//! measures is used, and at a deadline the tasks are watched to see whether they are waiting at that moment.
//!
//! A bot must not pass off its own work as that of other programs. So the bot is never credited with more than the
//! time in which nothing of it ran: the elapsed time less all of its processor time, including that of ended tasks. A
//! control group counts that. Without one, the time of an ended task is known only if its process still runs or was
//! waited for, which cannot be determined. So nothing is credited if any task has ended.

use super::own_cpu_time;
use super::sweep::{descendants, state_of};
use super::usage::{self, ProcessNumbers};
use crate::cgroup::GroupFiles;
use crate::report::Activity;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::thread;
use std::time::{Duration, Instant};

/// Smaller differences between the kernel's counters are inaccuracies.
const NOISE: Duration = Duration::from_millis(1);

/// Measures waiting since a given moment. Adding up many short intervals would be wrong, because a wait is counted only
/// when it is over.
pub(super) struct WaitMeter {
    group: Option<GroupFiles>,
    /// Counts the tasks that were made.
    pub numbers: ProcessNumbers,
    /// The counters at the moment from which waiting is measured.
    before: BotReading,
}

/// The kernel's counters at one moment.
struct BotReading {
    at: Instant,
    /// How long the control group has waited, if that is counted.
    group_waited: Duration,
    /// The processor time of the whole bot, as far as it is known.
    cpu: Duration,
    /// How many tasks the bot has made, if that is counted.
    made: Option<u32>,
    tasks: BTreeMap<i32, TaskCounters>,
}

/// The kernel's counters for a task, in nanoseconds.
#[derive(Clone, Copy, Default)]
struct TaskCounters {
    process: i32,
    cpu_time: u64,
    waited: u64,
}

impl WaitMeter {
    /// A meter that uses the files of a control group, if there is one that counts processor time.
    pub(super) fn new(group: Option<GroupFiles>, numbers: ProcessNumbers) -> WaitMeter {
        let before = BotReading {
            at: Instant::now(),
            group_waited: Duration::ZERO,
            cpu: Duration::ZERO,
            made: None,
            tasks: BTreeMap::new(),
        };
        WaitMeter { group: group.filter(|group| group.cpu().is_some()), numbers, before }
    }

    /// Begins to measure.
    pub(super) fn begin(&mut self) {
        self.before = self.read();
    }

    /// Begins to measure for a process that was just started: its tasks have not waited yet.
    pub(super) fn restart(&mut self) {
        let made = self.numbers.made().map(|_| 0);
        self.before = BotReading { made, tasks: BTreeMap::new(), ..self.read_group() };
    }

    /// How long the bot has waited since measuring began.
    pub(super) fn waited(&self) -> Duration {
        let now = self.read_group();
        let elapsed = now.at.saturating_duration_since(self.before.at);
        let nothing_ran = |ran: Duration| elapsed.saturating_sub(ran);
        let of_group = now.group_waited.saturating_sub(self.before.group_waited);
        let ran = now.cpu.saturating_sub(self.before.cpu);
        if self.group.is_some() && of_group + NOISE >= nothing_ran(ran) {
            // The tasks cannot show more waiting, and listing them takes long if there are many.
            return of_group.min(nothing_ran(ran));
        }
        let now = BotReading { tasks: read_tasks(), ..now };
        let by_task = counter_changes(&self.before.tasks, &now.tasks);
        let alive_ran: u64 = by_task.iter().map(|task| task.cpu_time).sum();
        let ran = ran.max(Duration::from_nanos(alive_ran));
        let of_tasks = if self.group.is_none() && tasks_have_ended(&self.before, &now) {
            Duration::ZERO
        } else {
            Duration::from_nanos(longest_wait(&by_task, ran.as_nanos() as u64))
        };
        of_group.max(of_tasks).min(nothing_ran(ran))
    }

    /// Watches the bot for a moment. The bot waits if some task could have run in that time but none did. It rests if
    /// none could have run and none waits for a disk.
    pub(super) fn watch_activity(&self) -> Activity {
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
                && counter_changes(&before.tasks, &now.tasks).iter().all(|task| task.cpu_time == 0)
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
        // Count the tasks before listing them: then a task that is counted but not listed must have ended.
        let reading = self.read_group();
        BotReading { tasks: read_tasks(), ..reading }
    }

    /// Reads everything except the tasks.
    fn read_group(&self) -> BotReading {
        let of_group = |group: &GroupFiles| Some(group.cpu()?.saturating_sub(own_cpu_time()));
        let cpu = match &self.group {
            Some(group) => of_group(group).unwrap_or_default(),
            None => usage::read().0.total(),
        };
        BotReading {
            at: Instant::now(),
            group_waited: self.group.as_ref().and_then(GroupFiles::waited).unwrap_or_default(),
            cpu,
            made: self.numbers.made(),
            tasks: BTreeMap::new(),
        }
    }
}

/// Whether any task has ended that existed `before` or was made since.
fn tasks_have_ended(before: &BotReading, now: &BotReading) -> bool {
    match (before.made, now.made) {
        (Some(earlier), Some(made)) => {
            before.tasks.len() + made.saturating_sub(earlier) as usize > now.tasks.len()
        }
        _ => before.tasks.keys().any(|task| !now.tasks.contains_key(task)),
    }
}

/// For each task that exists `now`, its processor time and waiting since `before`.
fn counter_changes(before: &BTreeMap<i32, TaskCounters>, now: &BTreeMap<i32, TaskCounters>) -> Vec<TaskCounters> {
    let since = |(number, task): (&i32, &TaskCounters)| {
        let mut earlier = before.get(number).copied().unwrap_or_default();
        if task.process == *number {
            // A thread that loads another program ends the others and takes the first one's number. Therefore the
            // present first thread may be any of those that seem to have ended. Assume the highest of their counters
            // for it.
            let ended = before.iter().filter(|(other, it)| it.process == *number && !now.contains_key(other));
            for (_, other) in ended {
                earlier.cpu_time = earlier.cpu_time.max(other.cpu_time);
                earlier.waited = earlier.waited.max(other.waited);
            }
        }
        let cpu_time = task.cpu_time.saturating_sub(earlier.cpu_time);
        let waited = task.waited.saturating_sub(earlier.waited);
        TaskCounters { process: task.process, cpu_time, waited }
    };
    now.iter().map(since).collect()
}

/// The longest wait of a task, less the processor time of the bot's other tasks. `ran` is the time of all tasks
/// together.
fn longest_wait(by_task: &[TaskCounters], ran: u64) -> u64 {
    let less_others = |task: &TaskCounters| {
        let others_ran = ran.saturating_sub(task.cpu_time);
        task.waited.saturating_sub(others_ran)
    };
    by_task.iter().map(less_others).max().unwrap_or_default()
}

/// Reads the counters of every task of this process's descendants.
fn read_tasks() -> BTreeMap<i32, TaskCounters> {
    let figures = |(process, task): (i32, i32)| {
        let text = fs::read_to_string(format!("/proc/{process}/task/{task}/schedstat")).ok()?;
        let mut figures = text.split_whitespace().flat_map(str::parse);
        let cpu_time = figures.next().unwrap_or(0);
        let waited = figures.next().unwrap_or(0);
        Some((task, TaskCounters { process, cpu_time, waited }))
    };
    each_task().filter_map(figures).collect()
}

/// The process number and task number of every task of this process's descendants.
pub(super) fn each_task() -> impl Iterator<Item = (i32, i32)> {
    descendants().flat_map(|pid| {
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
            let task = |&(cpu_time, waited): &(u64, u64)| TaskCounters { process: 1, cpu_time, waited };
            (1..).zip(list.iter().map(task)).collect::<BTreeMap<i32, TaskCounters>>()
        };
        assert_eq!(longest_wait(&counter_changes(&tasks(before), &tasks(now)), ran), waited);
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
