//! Finds processes and files that remain, in `/proc` and `/tmp`. Waits by looking again, never for a fixed time.

use super::{PATIENCE, Scratch};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// The number of the signal that Ctrl-C sends.
pub const INT: i32 = 2;

/// The number of the signal that no process can catch.
pub const KILL: i32 = 9;

/// A process that was seen. Its start time distinguishes it from a later process with the same number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Process {
    pub pid: u32,
    began: String,
}

/// The fields of `/proc/PID/stat` that are needed here.
struct Stat {
    state: char,
    parent: u32,
    began: String,
}

impl Stat {
    fn read(pid: u32) -> Option<Stat> {
        let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
        // The name in parentheses may contain anything; the state is the first field after it.
        let fields: Vec<&str> = stat.rsplit_once(") ")?.1.split(' ').collect();
        Some(Stat {
            state: fields.first()?.chars().next()?,
            parent: fields.get(1)?.parse().ok()?,
            began: fields.get(19)?.to_string(),
        })
    }
}

impl Process {
    fn read(pid: u32) -> Option<Process> {
        Stat::read(pid).map(|stat| Process { pid, began: stat.began })
    }

    /// Whether the process still runs. A zombie does not.
    pub fn runs(&self) -> bool {
        Stat::read(self.pid).is_some_and(|stat| stat.began == self.began && !matches!(stat.state, 'Z' | 'X'))
    }

    /// Its parent process.
    pub fn parent(&self) -> Option<u32> {
        Stat::read(self.pid).filter(|stat| stat.began == self.began).map(|stat| stat.parent)
    }

    /// A variable of its environment.
    pub fn variable(&self, name: &str) -> Option<String> {
        let environment = fs::read(format!("/proc/{}/environ", self.pid)).ok()?;
        let environment = String::from_utf8_lossy(&environment);
        environment.split('\0').find_map(|pair| pair.strip_prefix(name)?.strip_prefix('=').map(String::from))
    }
}

/// All processes with `marker` in their arguments.
pub fn processes(marker: &str) -> Vec<Process> {
    let has_marker = |pid: &u32| {
        let words = fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
        String::from_utf8_lossy(&words).contains(marker)
    };
    all().filter(has_marker).filter_map(Process::read).collect()
}

/// All processes that `root` has started, directly or not.
pub fn descendants(root: u32) -> Vec<Process> {
    let parents: Vec<(u32, u32)> = all().filter_map(|pid| Some((pid, Stat::read(pid)?.parent))).collect();
    let mut family = vec![root];
    let mut at = 0;
    while let Some(&parent) = family.get(at) {
        family.extend(parents.iter().filter(|(_, of)| *of == parent).map(|(pid, _)| pid));
        at += 1;
    }
    family.into_iter().skip(1).filter_map(Process::read).collect()
}

fn all() -> impl Iterator<Item = u32> {
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok())
}

/// Waits until `there` returns something.
pub fn wait_for<T>(what: &str, mut there: impl FnMut() -> Option<T>) -> T {
    let began = Instant::now();
    loop {
        if let Some(found) = there() {
            return found;
        }
        assert!(began.elapsed() < PATIENCE, "waited in vain for {what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Waits until no process of this trial runs and no state file of `marks` is left.
pub fn wait_until_nothing_is_left(scratch: &Scratch, marks: &str) {
    wait_for("the end of the bots", || processes(scratch.marker()).iter().all(|one| !one.runs()).then_some(()));
    for mark in marks.chars() {
        wait_until_gone(&PathBuf::from(format!("/tmp/arena.{mark}")));
    }
}

/// Waits until the file or folder is gone.
pub fn wait_until_gone(path: &Path) {
    wait_for(&format!("the end of {}", path.display()), || fs::symlink_metadata(path).is_err().then_some(()));
}

/// Checks that commands started here receive SIGINT. Shells start background processes with SIGINT ignored, and all
/// processes that these start inherit that.
pub fn sigint_arrives() -> Result<(), String> {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0);
    if mask >> (INT - 1) & 1 == 1 { Err("SIGINT is ignored where these tests run".to_string()) } else { Ok(()) }
}
