//! A control group for each sandbox, where the machine gives one: limits and accounts for everything that a bot
//! starts, however it starts it.
//!
//! Groups are made below this process's own: by the unified hierarchy (v2) where its controllers are available, else by
//! the older ones (v1). Where the unified one is mounted beside those, it freezes groups and keeps their accounts.

use super::run_request::Limits;
use rustix::fs::{AtFlags, unlinkat};
use std::ffi::OsString;
use std::fs::{self, File};
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::process;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// Where groups can be made on this machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Hierarchy {
    /// The unified hierarchy: one folder.
    V2(PathBuf),
    /// The older ones: a folder a controller.
    V1 {
        /// Of memory.
        memory: PathBuf,
        /// Of the number of processes.
        pids: PathBuf,
        /// Of processor time.
        cpu: PathBuf,
        /// Whether that is in the unified hierarchy.
        is_unified: bool,
    },
}

impl Hierarchy {
    /// Whether it stops groups and keeps an account of how long they wait for processors: the unified one does.
    pub fn is_unified(&self) -> bool {
        matches!(self, Hierarchy::V2(_) | Hierarchy::V1 { is_unified: true, .. })
    }

    /// Its name for people.
    pub fn name(&self) -> &'static str {
        match self {
            Hierarchy::V2(_) => "v2",
            Hierarchy::V1 { .. } => "v1",
        }
    }
}

/// Where groups can be made, found out once by making one; else the machine's answer.
pub fn hierarchy() -> &'static Result<Hierarchy, String> {
    static FOUND: OnceLock<Result<Hierarchy, String>> = OnceLock::new();
    FOUND.get_or_init(|| {
        let own = fs::read_to_string("/proc/self/cgroup").map_err(|e| e.to_string())?;
        let mounts = fs::read_to_string("/proc/self/mountinfo").map_err(|e| e.to_string())?;
        let found = v2(&own, &mounts)
            .or_else(|unified| v1(&own, &mounts).map_err(|older| format!("v2: {unified}; v1: {older}")))?;
        remove_stale(&found);
        Ok(found)
    })
}

/// Removes groups of processes that are gone: a kit that is killed between making a group and telling its
/// server of it leaves one, empty.
fn remove_stale(hierarchy: &Hierarchy) {
    let folders = match hierarchy {
        Hierarchy::V2(folder) => vec![folder],
        Hierarchy::V1 { memory, pids, cpu, .. } => vec![memory, pids, cpu],
    };
    for entry in folders.into_iter().flat_map(|folder| fs::read_dir(folder).into_iter().flatten().flatten()) {
        let name = entry.file_name();
        let makers =
            name.to_str().and_then(|name| name.strip_prefix("cornerman-")?.split_once('-')?.0.parse().ok());
        if makers.is_some_and(|pid: u32| !Path::new(&format!("/proc/{pid}")).exists()) {
            // One that is not empty, because its maker is out of our sight, is not removed by this.
            fs::remove_dir(entry.path()).ok();
        }
    }
}

fn v2(own: &str, mounts: &str) -> Result<Hierarchy, String> {
    let folder = unified(own, mounts)?;
    let offered = fs::read_to_string(folder.join("cgroup.controllers")).map_err(|e| e.to_string())?;
    for controller in ["memory", "pids"] {
        if !offered.split_whitespace().any(|name| name == controller) {
            return Err(format!("the controller `{controller}` is not delegated to this process"));
        }
    }
    hand_on_controllers(&folder).map_err(|e| format!("controllers cannot be handed on: {e}"))?;
    let hierarchy = Hierarchy::V2(folder);
    try_out(&hierarchy)?;
    Ok(hierarchy)
}

/// Lets groups below `folder` have controllers. A group may hold processes or hand on controllers, not both:
/// this process moves into a group of its own first.
fn hand_on_controllers(folder: &Path) -> io::Result<()> {
    let subtree = folder.join("cgroup.subtree_control");
    let hand_on = || fs::write(&subtree, "+memory +pids");
    hand_on().or_else(|_| {
        let own = folder.join("cornerman");
        fs::create_dir_all(&own)?;
        fs::write(own.join("cgroup.procs"), process::id().to_string())?;
        hand_on()
    })
}

fn v1(own: &str, mounts: &str) -> Result<Hierarchy, String> {
    let folder = |controller: &str| -> Result<PathBuf, String> {
        let missing = || format!("the controller `{controller}` is not mounted");
        let has = |list: &str| list.split(',').any(|name| name == controller);
        let below = own.lines().map(|line| line.splitn(3, ':').collect::<Vec<_>>());
        let below = below.into_iter().find(|parts| parts.len() == 3 && has(parts[1])).ok_or_else(missing)?;
        let root = mount_point(mounts, |kind, options| kind == "cgroup" && has(options)).ok_or_else(missing)?;
        Ok(join(&root, below[2]))
    };
    let (memory, pids) = (folder("memory")?, folder("pids")?);
    if let Ok(cpu) = unified(own, mounts) {
        let hierarchy = Hierarchy::V1 { memory: memory.clone(), pids: pids.clone(), cpu, is_unified: true };
        if try_out(&hierarchy).is_ok() {
            return Ok(hierarchy);
        }
    }
    let hierarchy = Hierarchy::V1 { memory, pids, cpu: folder("cpuacct")?, is_unified: false };
    try_out(&hierarchy)?;
    Ok(hierarchy)
}

/// This process's own group in the unified hierarchy.
fn unified(own: &str, mounts: &str) -> Result<PathBuf, String> {
    let below = own.lines().find_map(|line| line.strip_prefix("0::")).ok_or("not mounted")?;
    let root = mount_point(mounts, |kind, _| kind == "cgroup2").ok_or("not mounted")?;
    Ok(join(&root, below))
}

fn join(root: &Path, below: &str) -> PathBuf {
    root.join(below.trim_start_matches('/'))
}

/// Where a hierarchy is mounted whose type and options `wanted` accepts.
fn mount_point(mounts: &str, wanted: impl Fn(&str, &str) -> bool) -> Option<PathBuf> {
    mounts.lines().find_map(|line| {
        let (place, kind) = line.split_once(" - ")?;
        let mut kind = kind.split(' ');
        let (kind, options) = (kind.next()?, kind.nth(1)?);
        wanted(kind, options).then(|| place.split(' ').nth(4).map(PathBuf::from)).flatten()
    })
}

fn try_out(hierarchy: &Hierarchy) -> Result<(), String> {
    Cgroup::make_in(hierarchy, &Limits::default()).map(drop).map_err(|e| e.to_string())
}

/// A sandbox's group, removed when dropped.
#[derive(Debug)]
pub struct Cgroup {
    folders: Vec<PathBuf>,
    /// Processor time.
    usage: File,
    /// Among other things, how many were killed for their memory.
    kills: File,
    /// What stops and resumes all its processes, in the unified hierarchy.
    freeze: Option<File>,
    /// How long its processes waited for a processor, in the unified hierarchy.
    pressure: Option<File>,
}

impl Cgroup {
    /// A group with these limits, or `None` where the machine gives none.
    ///
    /// # Errors
    /// When the machine gives groups but not this one.
    pub fn make(limits: &Limits) -> io::Result<Option<Cgroup>> {
        hierarchy().as_ref().ok().map(|hierarchy| Cgroup::make_in(hierarchy, limits)).transpose()
    }

    fn make_in(hierarchy: &Hierarchy, limits: &Limits) -> io::Result<Cgroup> {
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        let name = format!("cornerman-{}-{}", process::id(), NUMBER.fetch_add(1, Ordering::Relaxed));
        let mut made = Made(Vec::new());
        let unified_files = |group: &Path| {
            (freezer(group), File::open(group.join(PRESSURE)).ok().filter(|file| waited(file).is_some()))
        };
        let (usage, kills, (freeze, pressure)) = match hierarchy {
            Hierarchy::V2(folder) => {
                let group = made.folder(folder, &name)?;
                fs::write(group.join("memory.max"), limits.memory.to_string())?;
                // Not every kernel is built with swap.
                fs::write(group.join("memory.swap.max"), "0").ok();
                fs::write(group.join("pids.max"), limits.processes.to_string())?;
                let files = unified_files(&group);
                (File::open(group.join("cpu.stat"))?, File::open(group.join("memory.events"))?, files)
            }
            Hierarchy::V1 { memory, pids, cpu, is_unified } => {
                let memory = made.folder(memory, &name)?;
                fs::write(memory.join("memory.limit_in_bytes"), limits.memory.to_string())?;
                fs::write(memory.join("memory.swappiness"), "0").ok();
                let pids = made.folder(pids, &name)?;
                fs::write(pids.join("pids.max"), limits.processes.to_string())?;
                let cpu = made.folder(cpu, &name)?;
                let (account, files) = match is_unified {
                    true => ("cpu.stat", unified_files(&cpu)),
                    false => ("cpuacct.usage", (None, None)),
                };
                (File::open(cpu.join(account))?, File::open(memory.join("memory.oom_control"))?, files)
            }
        };
        Ok(Cgroup { folders: std::mem::take(&mut made.0), usage, kills, freeze, pressure })
    }

    /// Its folders: one, or one a controller.
    pub fn folders(&self) -> &[PathBuf] {
        &self.folders
    }

    /// Processor time used in the group so far, user and system together: the kernel knows the sum exactly, the
    /// parts only from samples.
    pub fn cpu(&self) -> Option<Duration> {
        let text = account(&self.usage)?;
        match field(&text, "usage_usec") {
            Some(micros) => Some(Duration::from_micros(micros)),
            None => text.trim().parse().ok().map(Duration::from_nanos),
        }
    }

    /// User and system time used in the group so far, as the unified hierarchy tells them apart.
    pub fn user_and_system(&self) -> Option<(Duration, Duration)> {
        let text = account(&self.usage)?;
        let micros = |name| field(&text, name).map(Duration::from_micros);
        Some((micros("user_usec")?, micros("system_usec")?))
    }

    /// How long, so far, no process of the group ran although one could have: they waited for a processor that others
    /// had. Waiting for each other does not count.
    pub fn waited(&self) -> Option<Duration> {
        waited(self.pressure.as_ref()?)
    }

    /// Whether it can be stopped and resumed as a whole.
    pub fn can_freeze(&self) -> bool {
        self.freeze.is_some()
    }

    /// Stops all its processes, or lets them go on. Takes effect within a fraction of a millisecond; what is stopped can
    /// still be killed.
    ///
    /// # Errors
    /// When the system refuses, or gives no such control.
    pub fn freeze(&self, freeze: bool) -> io::Result<()> {
        let file = self.freeze.as_ref().ok_or(io::ErrorKind::Unsupported)?;
        file.write_at(if freeze { b"1" } else { b"0" }, 0).map(drop)
    }

    /// How many of its processes were killed because it used too much memory.
    pub fn memory_kills(&self) -> u64 {
        account(&self.kills).and_then(|text| field(&text, "oom_kill")).unwrap_or(0)
    }
}

/// The file of a group that says how long its processes waited for processors.
const PRESSURE: &str = "cpu.pressure";

/// What that file says: the time in which all that could run waited.
pub fn waited(pressure: &File) -> Option<Duration> {
    let text = account(pressure)?;
    let full = text.lines().find_map(|line| line.strip_prefix("full "))?;
    full.rsplit_once("total=")?.1.trim().parse().ok().map(Duration::from_micros)
}

/// The file of a group that stops and resumes all its processes.
fn freezer(group: &Path) -> Option<File> {
    fs::OpenOptions::new().write(true).open(group.join("cgroup.freeze")).ok()
}

/// What one of a group's files says now.
fn account(file: &File) -> Option<String> {
    let mut text = [0; 1024];
    let n = file.read_at(&mut text, 0).ok()?;
    Some(String::from_utf8_lossy(&text[..n]).into_owned())
}

/// The number behind `name` in a file of lines `name number`.
fn field(text: &str, name: &str) -> Option<u64> {
    text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' ')?.trim().parse().ok())
}

/// Folders made so far, removed again unless all could be made.
struct Made(Vec<PathBuf>);

impl Made {
    fn folder(&mut self, parent: &Path, name: &str) -> io::Result<PathBuf> {
        let folder = parent.join(name);
        fs::create_dir(&folder)?;
        self.0.push(folder.clone());
        Ok(folder)
    }
}

impl Drop for Made {
    fn drop(&mut self) {
        remove(&self.0);
    }
}

impl Drop for Cgroup {
    fn drop(&mut self) {
        remove(&self.folders);
    }
}

/// Removes groups. Their last process may need a moment to be gone from them after it was waited for.
fn remove(folders: &[PathBuf]) {
    folders.iter().for_each(|folder| patiently(|| fs::remove_dir(folder)));
}

fn patiently(remove: impl Fn() -> io::Result<()>) {
    for _ in 0..100 {
        match remove() {
            Err(busy) if busy.kind() == io::ErrorKind::ResourceBusy => {
                std::thread::sleep(Duration::from_millis(1))
            }
            _ => return,
        }
    }
}

/// A group as its keeper and servers have it.
#[derive(Default)]
pub struct CgroupHandle {
    /// The folders, in those that they are in.
    places: Vec<(OwnedFd, OsString)>,
    /// The lists of the group's processes. Who opened them decides about writing, not who writes.
    lists: Vec<OwnedFd>,
    /// How long the group's processes waited for a processor, if that is known.
    pub pressure: Option<File>,
    /// What stops and resumes all its processes, if something does.
    freeze: Option<File>,
}

impl CgroupHandle {
    /// Takes hold of the group's `folders` while they can still be reached.
    ///
    /// # Errors
    /// When the system refuses.
    pub fn of(folders: &[PathBuf]) -> io::Result<CgroupHandle> {
        let place = |folder: &PathBuf| {
            let parent = folder.parent().unwrap_or(Path::new("/"));
            let name = folder.file_name().unwrap_or_default().to_os_string();
            Ok((OwnedFd::from(File::open(parent)?), name))
        };
        let list = |folder: &PathBuf| {
            let list = folder.join("cgroup.procs");
            Ok(OwnedFd::from(fs::OpenOptions::new().write(true).open(list)?))
        };
        Ok(CgroupHandle {
            places: folders.iter().map(place).collect::<io::Result<_>>()?,
            lists: folders.iter().map(list).collect::<io::Result<_>>()?,
            pressure: folders.iter().find_map(|folder| File::open(folder.join(PRESSURE)).ok()),
            freeze: folders.iter().find_map(|folder| freezer(folder)),
        })
    }

    /// Puts this process, and all that it will start, into the group.
    ///
    /// # Errors
    /// When the system refuses.
    pub fn join(&self) -> io::Result<()> {
        // 0 stands for the writer.
        self.lists.iter().try_for_each(|list| Ok(rustix::io::write(list, b"0").map(drop)?))
    }

    /// Lets all go on, if they were stopped.
    pub fn resume(&self) {
        self.freeze.as_ref().map(|file| file.write_at(b"0", 0).ok());
    }

    /// Removes the group, which nobody is in any more: the kit may have been killed. A keeper that has become another
    /// user may not; then the next run of the kit does.
    pub fn remove(&self) {
        for (parent, name) in &self.places {
            patiently(|| Ok(unlinkat(parent, name.as_os_str(), AtFlags::REMOVEDIR)?));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mounts_are_found_by_kind_and_controller() {
        let mounts = "24 1 0:20 / /sys/fs/cgroup/unified rw,relatime - cgroup2 cgroup2 rw\n\
                      25 1 0:21 / /sys/fs/cgroup/cpu rw shared:3 - cgroup cgroup rw,cpu,cpuacct\n";
        let found = |wanted: &dyn Fn(&str, &str) -> bool| mount_point(mounts, wanted);
        assert_eq!(found(&|kind, _| kind == "cgroup2"), Some("/sys/fs/cgroup/unified".into()));
        assert_eq!(found(&|_, options| options.contains("cpuacct")), Some("/sys/fs/cgroup/cpu".into()));
        assert_eq!(found(&|_, options| options.contains("memory")), None);
    }

    #[test]
    fn fields_are_found_by_their_whole_name() {
        let text = "oom_kill_disable 0\nunder_oom 0\noom_kill 3\n";
        assert_eq!(field(text, "oom_kill"), Some(3));
        assert_eq!(field(text, "oom"), None);
    }
}
