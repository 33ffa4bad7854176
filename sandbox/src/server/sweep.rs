//! Ends everything that a bot left running, after each run.

use crate::level::Level;
use crate::report::{Cpu, Ended, RunReport};
use crate::sys::{self, ChildExit};
use rustix::io::Errno;
use rustix::process::{Pid, Signal, kill_process, kill_process_group};
use std::fs;
use std::io::{self, Write};
use std::thread;
use std::time::{Duration, Instant};

/// The processes that a bot left running.
#[derive(Default)]
pub(super) struct Leftovers {
    pub count: u32,
    /// How many of them had ended already, and had merely not been waited for.
    pub zombies: u32,
    /// Their processor time in user mode.
    pub user: Duration,
    /// Their processor time in the kernel.
    pub system: Duration,
}

impl Leftovers {
    /// The report on a bot that `ended` in this way, with what it and these processes used.
    pub(super) fn report(self, ended: Ended, exit: &ChildExit) -> RunReport {
        RunReport {
            // Not counted are processes whose parent ignored their end (`SIGCHLD`) and, at `plain`, those for which the
            // bot did not wait.
            cpu: Cpu { user: exit.user + self.user, system: exit.system + self.system, lower_bound: true },
            peak_memory: exit.peak_memory,
            major_faults: exit.major_faults,
            leftovers: self.count,
            zombies: self.zombies,
            ..RunReport::from_ended(ended)
        }
    }
}

/// How long a sweep keeps killing processes that multiply as fast as they are killed.
const LONGEST: Duration = Duration::from_secs(5);

/// Kills and waits for the processes that the ended bot `pid` left behind. Its orphans are children of this process,
/// which is the subreaper. At `plain`, only the process group can be reached.
pub(super) fn sweep(pid: i32, level: Level) -> Leftovers {
    let mut leftovers = Leftovers::default();
    if level == Level::Plain {
        kill_rest(pid, level);
        return leftovers;
    }
    let mut began = None;
    loop {
        match sys::wait(-1, false) {
            Err(_) => return leftovers,
            Ok(Some(gone)) => {
                leftovers.count += 1;
                leftovers.zombies += u32::from(began.is_none());
                leftovers.user += gone.user;
                leftovers.system += gone.system;
            }
            Ok(None) if began.get_or_insert_with(Instant::now).elapsed() > LONGEST => return leftovers,
            Ok(None) => {
                kill_rest(pid, level);
                // Killed processes need a moment to end. Checking again immediately would take the processor from them.
                thread::sleep(Duration::from_micros(100));
            }
        }
    }
}

/// Kills the bot `pid` and all that it started, and waits for them.
pub(super) fn end_all(pid: i32, level: Level) {
    kill_tree(pid, level);
    sys::wait(pid, true).ok();
    sweep(pid, level);
}

/// Kills the bot `pid` and what it started, as far as the level allows, without waiting for them.
pub(super) fn kill_tree(pid: i32, level: Level) {
    kill(pid);
    kill_rest(pid, level);
}

/// Sends `signal` to the bot `pid` and to those of its processes that one call can reach.
pub(super) fn signal_all(pid: i32, level: Level, signal: Signal) {
    match level {
        Level::Namespaced => sys::signal_all_others(signal.as_raw()),
        Level::Plain | Level::Restricted | Level::Scoped => {
            if let Some(group) = Pid::from_raw(pid) {
                kill_process_group(group, signal).ok();
            }
        }
    }
}

/// Kills what the bot `pid` started, as far as the level allows. In a PID namespace, one call kills all processes,
/// however fast they multiply. Elsewhere it kills the process group, and the orphans that this process inherited.
fn kill_rest(pid: i32, level: Level) {
    match level {
        Level::Namespaced => sys::signal_all_others(libc::SIGKILL),
        Level::Plain => kill_group(pid),
        Level::Restricted | Level::Scoped => {
            kill_group(pid);
            for child in children_of(own_number()) {
                kill(child);
            }
        }
    }
}

/// Kills what a killed server left: the orphans that this subreaper inherited, and their process groups.
pub(super) fn end_orphans() {
    let began = Instant::now();
    while began.elapsed() < LONGEST {
        match sys::wait(-1, false) {
            Err(_) => return,
            Ok(Some(_)) => continue,
            Ok(None) => {}
        }
        for child in children_of(own_number()) {
            let group = Pid::from_raw(child).and_then(|pid| rustix::process::getpgid(Some(pid)).ok());
            if let Some(group) = group.filter(|&group| Some(group) != rustix::process::getpgid(None).ok()) {
                kill_group(group.as_raw_nonzero().get());
            }
            kill(child);
        }
        thread::sleep(Duration::from_micros(100));
    }
}

/// Kills only the process `pid`.
pub(super) fn kill(pid: i32) {
    if let Some(pid) = Pid::from_raw(pid) {
        kill_process(pid, Signal::KILL).ok();
    }
}

fn kill_group(leader: i32) {
    // The leader may have been waited for, but its number is not given to another process while its group has members.
    match Pid::from_raw(leader).map(|group| kill_process_group(group, Signal::KILL)) {
        None | Some(Ok(()) | Err(Errno::SRCH | Errno::PERM)) => {}
        Some(Err(unforeseen)) => {
            writeln!(io::stderr(), "cornerman sandbox server: killing group {leader}: {unforeseen}").ok();
        }
    }
}

pub(super) fn own_number() -> i32 {
    rustix::process::getpid().as_raw_nonzero().get()
}

/// All descendants of this process.
pub(super) fn descendants() -> impl Iterator<Item = i32> {
    let mut open = children_of(own_number());
    std::iter::from_fn(move || {
        let pid = open.pop()?;
        open.extend(children_of(pid));
        Some(pid)
    })
}

/// The children of all threads of `pid`.
fn children_of(pid: i32) -> Vec<i32> {
    let Ok(threads) = fs::read_dir(format!("/proc/{pid}/task")) else { return Vec::new() };
    let mut children = Vec::new();
    for thread in threads.flatten() {
        let Ok(list) = fs::read_to_string(thread.path().join("children")) else { return children_by_search(pid) };
        children.extend(list.split_ascii_whitespace().flat_map(str::parse::<i32>));
    }
    children
}

/// Like [`children_of`], on kernels that were built without lists of children.
fn children_by_search(parent: i32) -> Vec<i32> {
    let parent = parent.to_string();
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    let pids = entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    pids.filter(|&pid| stat_of(pid).is_some_and(|stat| stat.get(1) == Some(&parent))).collect()
}

/// The kernel's letter for the state of a process or thread: `R` if it runs or could run, `S` if it sleeps, `D` if it
/// waits for a disk, `T` if it is stopped, `Z` or `X` if it has ended.
pub(super) fn state_of(task: i32) -> Option<String> {
    stat_of(task)?.into_iter().next()
}

/// The fields of `/proc/PID/stat` after the name (the state, the parent's number and so on); `None` if the process
/// does not exist. The name is in parentheses and may contain any bytes.
pub(super) fn stat_of(pid: i32) -> Option<Vec<String>> {
    let stat = fs::read(format!("/proc/{pid}/stat")).ok()?;
    let name_end = stat.iter().rposition(|&byte| byte == b')')?;
    let fields = str::from_utf8(&stat[name_end + 1..]).ok()?;
    Some(fields.split_ascii_whitespace().map(str::to_string).collect())
}
