//! What a running bot and everything it started use: processor time, processes and threads.

use super::sweep::{children_of, stat_of};
use crate::report::{Cpu, Tasks};
use crate::run_request::Environment;
use rustix::param::clock_ticks_per_second;
use std::fs::File;
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::time::Duration;

/// What all descendants of this process have used so far, in the kernel's ticks (mostly a hundredth of a second),
/// and how many they are. Includes ended processes that were not yet waited for.
pub fn so_far() -> (Cpu, Tasks) {
    let (mut user, mut system, mut tasks) = (0, 0, Tasks::default());
    let mut open = children_of(rustix::process::getpid().as_raw_nonzero().get());
    let own: Vec<i32> = open.clone();
    while let Some(pid) = open.pop() {
        open.extend(children_of(pid));
        let Some(stat) = stat_of(pid) else {
            // Mostly it ended after it was listed: its parent, which waited for it, now has its time.
            tasks.unreadable += u32::from(Path::new(&format!("/proc/{pid}")).exists());
            continue;
        };
        let number = |at: usize| stat.get(at).and_then(|field| field.parse::<u64>().ok()).unwrap_or_default();
        user += number(UTIME) + number(UTIME + 2);
        system += number(UTIME + 1) + number(UTIME + 3);
        tasks.had_children += u32::from(number(CHILDREN_FAULTS) > 0);
        let has_ended = stat.first().is_some_and(|state| state == "Z");
        // Its parent has not waited for it yet.
        tasks.had_children += u32::from(has_ended && !own.contains(&pid));
        if !has_ended {
            tasks.processes += 1;
            tasks.threads += number(THREADS).max(1) as u32;
        }
    }
    let time = |ticks: u64| Duration::from_micros(ticks * 1_000_000 / clock_ticks_per_second().max(1));
    (Cpu { user: time(user), system: time(system), lower_bound: true }, tasks)
}

/// Whether all descendants of this process are stopped or have ended.
pub fn all_are_stopped() -> bool {
    let mut open = children_of(rustix::process::getpid().as_raw_nonzero().get());
    while let Some(pid) = open.pop() {
        open.extend(children_of(pid));
        let state = stat_of(pid).and_then(|fields| fields.into_iter().next());
        if state.is_some_and(|state| !["T", "Z", "X"].contains(&state.as_str())) {
            return false;
        }
    }
    true
}

/// Indices of fields of `/proc/PID/stat` after the name: page faults of children that were waited for; `utime`,
/// followed by `stime`, `cutime` and `cstime`; the number of threads.
const CHILDREN_FAULTS: usize = 8;
const UTIME: usize = 11;
const THREADS: usize = 17;

/// The numbers that the kernel gives to processes and threads in a sandbox's own namespace.
pub struct ProcessNumbers {
    /// The kernel's file with the last number, if it can be written.
    file: Option<File>,
    /// The number before that of the first process of the run.
    before: u32,
}

impl ProcessNumbers {
    /// The numbers of the kernel's `file`, if there is one.
    pub fn new(file: Option<File>) -> ProcessNumbers {
        ProcessNumbers { file, before: 1 }
    }

    /// Gives the next process the number that the first one in this `environment` had, so that no bot can read from it
    /// how many there were.
    pub fn reset(&mut self, environment: Environment) {
        // The server itself is number 1.
        self.before = if environment == Environment::Varied { 1986 } else { 1 };
        let text = self.before.to_string();
        if self.file.as_ref().is_some_and(|file| rustix::io::pwrite(file, text.as_bytes(), 0).is_err()) {
            self.file = None;
        }
    }

    /// How many processes and threads were made since [`ProcessNumbers::reset`]; `None` if the numbers cannot be set
    /// back. (`/proc/loadavg` has the same number, but bots' view of `/proc` lacks it.)
    pub fn made(&self) -> Option<u32> {
        let mut text = [0; 16];
        let n = rustix::io::pread(self.file.as_ref()?, &mut text, 0).ok()?;
        let last: u32 = str::from_utf8(&text[..n]).ok()?.trim().parse().ok()?;
        Some(last.saturating_sub(self.before))
    }
}

/// The network of a sandbox, which leads nowhere, and the files with all the counters in which a bot can read what was
/// done there. They begin at zero and only grow.
///
/// The files stay open: on old kernels (5.10), a view of `/proc` that shows only processes lacks
/// them.
pub struct Network {
    /// The files in `/proc/self/net`, in the order of [`Network::FILES`]; `None` for one that does not exist.
    files: [Option<File>; 5],
    when_new: NetworkCounters,
}

/// The content of the files of a [`Network`].
#[derive(PartialEq, Eq)]
pub struct NetworkCounters([Option<String>; 5]);

impl Network {
    const FILES: [&str; 5] = ["snmp", "snmp6", "netstat", "dev", "sockstat"];

    /// The network of this process's namespace, which is new.
    pub fn open() -> Network {
        let files = Network::FILES.map(|name| File::open(format!("/proc/self/net/{name}")).ok());
        let when_new = read_counters(&files);
        Network { files, when_new }
    }

    /// The present counters.
    pub fn counters(&self) -> NetworkCounters {
        read_counters(&self.files)
    }

    /// Whether a network with these counters is as it was when it was new.
    pub fn is_as_new(&self, counters: &NetworkCounters) -> bool {
        *counters == self.when_new
    }
}

fn read_counters(files: &[Option<File>; 5]) -> NetworkCounters {
    let mut texts = files.each_ref().map(|file| read_from_start(file.as_ref()?));
    let [.., sockets] = &mut texts;
    *sockets = sockets.as_deref().map(of_this_network);
    NetworkCounters(texts)
}

fn read_from_start(file: &File) -> Option<String> {
    let mut text = Vec::new();
    let mut part = [0; 4096];
    loop {
        match file.read_at(&mut part, text.len() as u64).ok()? {
            0 => return String::from_utf8(text).ok(),
            count => text.extend_from_slice(&part[..count]),
        }
    }
}

impl NetworkCounters {
    /// How often a process tried to send something; `None` if the kernel does not count that.
    pub fn attempts(&self) -> Option<u64> {
        let [v4, v6, ..] = &self.0;
        Some(of_v4(v4.as_ref()?) + of_v6(v6.as_deref().unwrap_or_default()))
    }
}

/// The file `sockstat` without the counts that are of the whole machine.
fn of_this_network(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    let is_of_machine = |name: &str| ["orphan", "alloc", "mem"].contains(&name);
    let before = |at: usize| at.checked_sub(1).map_or("", |before| words[before]);
    let kept = words.iter().enumerate().filter(|(at, word)| !is_of_machine(word) && !is_of_machine(before(*at)));
    kept.map(|(_, word)| *word).collect::<Vec<_>>().join(" ")
}

/// The count in a file with two lines `Ip:`, one of names and one of numbers.
fn of_v4(text: &str) -> u64 {
    let mut lines = text.lines().filter_map(|line| line.strip_prefix("Ip:"));
    let (Some(names), Some(numbers)) = (lines.next(), lines.next()) else { return 0 };
    let pairs = names.split_whitespace().zip(numbers.split_whitespace());
    pairs.filter(|(name, _)| *name == "OutNoRoutes").filter_map(|(_, number)| number.parse::<u64>().ok()).sum()
}

/// The count in a file with one line for each name.
fn of_v6(text: &str) -> u64 {
    let mut lines = text.lines().filter_map(|line| line.strip_prefix("Ip6OutNoRoutes"));
    lines.next().and_then(|number| number.trim().parse().ok()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_of_the_whole_machine_are_left_out() {
        let with = |used: u32, inuse: u32, orphan: u32, memory: u32| {
            of_this_network(&format!(
                "sockets: used {used}\nTCP: inuse {inuse} orphan {orphan} tw 0 alloc {orphan} mem {memory}\n\
                 UDP: inuse 0 mem {memory}\nFRAG: inuse 0 memory 0\n"
            ))
        };
        assert_eq!(with(1, 0, 0, 0), with(1, 0, 7, 9));
        assert_ne!(with(1, 0, 0, 0), with(2, 0, 0, 0));
        assert_ne!(with(1, 0, 0, 0), with(1, 1, 0, 0));
    }

    #[test]
    fn network_attempts_are_found_by_name() {
        assert_eq!(of_v4("Ip: Forwarding OutNoRoutes X\nIp: 1 7 3\nTcp: OutNoRoutes\nTcp: 9\n"), 7);
        assert_eq!(of_v4(""), 0);
        assert_eq!(of_v6("Ip6OutRequests \t5\nIp6OutNoRoutes   \t4\n"), 4);
    }
}
