//! Puts each sandbox into a control group, where that is possible, to limit and count everything that a bot starts.
//!
//! Groups are created below this process's own: in the unified hierarchy (v2) if its controllers are available, or else
//! in the older hierarchies (v1). In the latter case the unified one, if it is mounted, still freezes groups and counts
//! their processor time.

use super::run_request::Limits;
use rustix::fs::{AtFlags, unlinkat};
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs::{self, File};
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::process;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

/// Where this machine lets this program create groups.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hierarchy {
    /// The folder of the memory controller.
    memory: PathBuf,
    /// The folder of the controller that limits the number of processes.
    pids: PathBuf,
    /// The folder in which processor time is counted. In the unified hierarchy (v2) all three folders are the same.
    cpu: PathBuf,
    /// Whether memory and processes are limited in the unified hierarchy (v2).
    is_v2: bool,
    /// Whether processor time is counted in the unified hierarchy.
    is_unified: bool,
}

impl Hierarchy {
    /// Whether processor time is counted in the unified hierarchy, which can also freeze groups and, with most kernels,
    /// count how long they wait for processors.
    pub fn is_unified(&self) -> bool {
        self.is_unified
    }

    /// Its name, as `doctor` prints it.
    pub fn name(&self) -> &'static str {
        if self.is_v2 { "v2" } else { "v1" }
    }
}

/// Why no control group can be created.
#[derive(Debug, thiserror::Error)]
pub enum NoGroups {
    /// The unified hierarchy is not mounted.
    #[error("not mounted")]
    NotMounted,
    /// This controller of the older hierarchy is not mounted.
    #[error("the controller `{0}` is not mounted")]
    NoController(&'static str),
    /// This controller of the unified hierarchy is not available to this process.
    #[error("the controller `{0}` is not delegated to this process")]
    NotDelegated(&'static str),
    /// The controllers of the unified hierarchy cannot be enabled.
    #[error("controllers cannot be enabled for groups: {0}")]
    NotEnabled(io::Error),
    /// The system refuses something else.
    #[error(transparent)]
    Refused(#[from] io::Error),
    /// No group can be created in either hierarchy.
    #[error("v2: {v2}; v1: {v1}")]
    InNeither {
        /// The reason in the unified one.
        v2: Box<NoGroups>,
        /// The reason in the older ones.
        v1: Box<NoGroups>,
    },
}

/// Where groups can be created, or the reason why none can be. Found out once, by creating one.
pub fn hierarchy() -> &'static Result<Hierarchy, NoGroups> {
    static FOUND: OnceLock<Result<Hierarchy, NoGroups>> = OnceLock::new();
    FOUND.get_or_init(|| {
        let own = fs::read_to_string("/proc/self/cgroup")?;
        let mounts = fs::read_to_string("/proc/self/mountinfo")?;
        let found = find_v2(&own, &mounts).or_else(|v2| {
            find_v1(&own, &mounts).map_err(|v1| NoGroups::InNeither { v2: v2.into(), v1: v1.into() })
        })?;
        remove_stale(&found);
        thread::Builder::new().spawn(get_ready_to_move).ok();
        Ok(found)
    })
}

/// Moves this process into the group that it is in already. The first move after a while makes the kernel wait for
/// all processors, for 10 to 20 ms. Because this wait begins here, in a thread of its own, the first server that joins
/// its group waits less.
fn get_ready_to_move() -> io::Result<()> {
    let own = fs::read_to_string("/proc/self/cgroup")?;
    let mounts = fs::read_to_string("/proc/self/mountinfo")?;
    for group in own_unified_group(&own, &mounts).into_iter().chain(own_group(&own, &mounts, "memory")) {
        if fs::write(group.join(PROCESSES), process::id().to_string()).is_ok() {
            break;
        }
    }
    Ok(())
}

/// Removes groups whose makers have ended. A program that is killed after it made a group, but before its server
/// knows of the group, leaves an empty one behind.
fn remove_stale(hierarchy: &Hierarchy) {
    let folders = BTreeSet::from([&hierarchy.memory, &hierarchy.pids, &hierarchy.cpu]);
    for entry in folders.into_iter().flat_map(|folder| fs::read_dir(folder).into_iter().flatten().flatten()) {
        let name = entry.file_name();
        let maker =
            name.to_str().and_then(|name| name.strip_prefix("cornerman-")?.split_once('-')?.0.parse().ok());
        if maker.is_some_and(|pid: u32| !Path::new(&format!("/proc/{pid}")).exists()) {
            // Fails, as it should, for a group in use whose owner this process cannot see.
            remove_tree(&entry.path()).ok();
        }
    }
}

/// Where groups can be created in the unified hierarchy. `own` and `mounts` are the contents of `/proc/self/cgroup` and
/// `/proc/self/mountinfo`.
fn find_v2(own: &str, mounts: &str) -> Result<Hierarchy, NoGroups> {
    let folder = own_unified_group(own, mounts).ok_or(NoGroups::NotMounted)?;
    let offered = fs::read_to_string(folder.join("cgroup.controllers"))?;
    for controller in ["memory", "pids"] {
        if !offered.split_whitespace().any(|name| name == controller) {
            return Err(NoGroups::NotDelegated(controller));
        }
    }
    enable_controllers(&folder).map_err(NoGroups::NotEnabled)?;
    let [memory, pids, cpu] = [folder.clone(), folder.clone(), folder];
    Ok(try_out(Hierarchy { memory, pids, cpu, is_v2: true, is_unified: true })?)
}

/// Enables the controllers for groups below `folder`. A group may either contain processes or enable controllers
/// for others, so this process may have to move into a group of its own first.
fn enable_controllers(folder: &Path) -> io::Result<()> {
    let subtree = folder.join("cgroup.subtree_control");
    let enable = || fs::write(&subtree, "+memory +pids");
    enable().or_else(|_| {
        let own = folder.join("cornerman");
        fs::create_dir_all(&own)?;
        fs::write(own.join(PROCESSES), process::id().to_string())?;
        enable()
    })
}

/// Like [`find_v2`], in the older hierarchies.
fn find_v1(own: &str, mounts: &str) -> Result<Hierarchy, NoGroups> {
    let memory = own_group(own, mounts, "memory")?;
    let pids = own_group(own, mounts, "pids")?;
    let try_with = |cpu, is_unified| {
        try_out(Hierarchy { memory: memory.clone(), pids: pids.clone(), cpu, is_v2: false, is_unified })
    };
    match own_unified_group(own, mounts).and_then(|cpu| try_with(cpu, true).ok()) {
        Some(hierarchy) => Ok(hierarchy),
        None => Ok(try_with(own_group(own, mounts, "cpuacct")?, false)?),
    }
}

/// This process's own group in the older hierarchy of `controller`.
fn own_group(own: &str, mounts: &str, controller: &'static str) -> Result<PathBuf, NoGroups> {
    let missing = || NoGroups::NoController(controller);
    let has = |list: &str| list.split(',').any(|name| name == controller);
    let mut groups = own.lines().map(|line| line.splitn(3, ':').collect::<Vec<_>>());
    let below = groups.find(|parts| parts.len() == 3 && has(parts[1])).ok_or_else(missing)?;
    let root = mount_point(mounts, |kind, options| kind == "cgroup" && has(options)).ok_or_else(missing)?;
    Ok(join(&root, below[2]))
}

/// This process's own group in the unified hierarchy.
fn own_unified_group(own: &str, mounts: &str) -> Option<PathBuf> {
    let below = own.lines().find_map(|line| line.strip_prefix("0::"))?;
    let root = mount_point(mounts, |kind, _| kind == "cgroup2")?;
    Some(join(&root, below))
}

fn join(root: &Path, below: &str) -> PathBuf {
    root.join(below.trim_start_matches('/'))
}

/// The mount point of the first hierarchy in `mounts`, the content of `/proc/self/mountinfo`, whose type and options
/// `wanted` accepts.
fn mount_point(mounts: &str, wanted: impl Fn(&str, &str) -> bool) -> Option<PathBuf> {
    mounts.lines().find_map(|line| {
        let (mount, file_system) = line.split_once(" - ")?;
        let mount_point = mount.split(' ').nth(4)?;
        let mut words = file_system.split(' ');
        let (kind, options) = (words.next()?, words.nth(1)?);
        wanted(kind, options).then(|| mount_point.into())
    })
}

/// Checks that groups can be created in `hierarchy`, by creating one.
fn try_out(hierarchy: Hierarchy) -> io::Result<Hierarchy> {
    Cgroup::make_in(&hierarchy, &Limits::default())?;
    Ok(hierarchy)
}

/// A sandbox's control group, removed when dropped.
#[derive(Debug)]
pub struct Cgroup {
    folders: GroupFolders,
    /// Its processor time, and for how long its processes waited.
    pub(crate) counters: GroupFiles,
    /// Counts how many processes were killed because the group used too much memory.
    kills: File,
    /// Contains the largest number of processes and threads at once, where the kernel keeps that.
    peak: Option<File>,
    /// Freezes and resumes all its processes, in the unified hierarchy.
    freeze: Option<File>,
}

impl Cgroup {
    /// Makes a group with these limits. Returns `None` where no groups can be made.
    ///
    /// # Errors
    /// When groups can be made, but the machine refuses this one.
    pub fn make(limits: &Limits) -> io::Result<Option<Cgroup>> {
        hierarchy().as_ref().ok().map(|hierarchy| Cgroup::make_in(hierarchy, limits)).transpose()
    }

    fn make_in(hierarchy: &Hierarchy, limits: &Limits) -> io::Result<Cgroup> {
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        let name = format!("cornerman-{}-{}", process::id(), NUMBER.fetch_add(1, Ordering::Relaxed));
        let mut folders = GroupFolders(Vec::new());
        let memory = folders.create(&hierarchy.memory, &name)?;
        let pids = folders.create(&hierarchy.pids, &name)?;
        folders.create(&hierarchy.cpu, &name)?;
        let [most, swap, kills] = if hierarchy.is_v2 {
            ["memory.max", "memory.swap.max", "memory.events"]
        } else {
            ["memory.limit_in_bytes", "memory.swappiness", "memory.oom_control"]
        };
        fs::write(memory.join(most), limits.memory.to_string())?;
        // Some kernels are built without swap, and some do not let it be turned off.
        fs::write(memory.join(swap), "0").ok();
        // The server is in the group, too.
        fs::write(pids.join("pids.max"), (limits.processes + 1).to_string())?;
        Ok(Cgroup {
            counters: GroupFiles::open(&folders.0)?,
            kills: File::open(memory.join(kills))?,
            peak: File::open(pids.join("pids.peak")).ok(),
            freeze: open_freezer(&folders.0),
            folders,
        })
    }

    /// The group's folders: one, or one for each controller.
    pub fn folders(&self) -> &[PathBuf] {
        &self.folders.0
    }

    /// Whether [`Cgroup::freeze`] is available.
    pub(crate) fn can_freeze(&self) -> bool {
        self.freeze.is_some()
    }

    /// Freezes or resumes all its processes. Takes effect within a fraction of a millisecond. Frozen processes can
    /// still be killed.
    pub(crate) fn freeze(&self, freeze: bool) -> io::Result<()> {
        let file = self.freeze.as_ref().ok_or(io::ErrorKind::Unsupported)?;
        file.write_at(if freeze { b"1" } else { b"0" }, 0).map(drop)
    }

    /// The largest number of processes and threads in the group at once since it was made; `None` where the kernel does
    /// not keep that.
    pub fn most_tasks(&self) -> Option<u32> {
        read_start(self.peak.as_ref()?)?.trim().parse().ok()
    }

    /// How many of its processes were killed because it used too much memory.
    pub(crate) fn memory_kills(&self) -> u64 {
        read_start(&self.kills).and_then(|text| field(&text, "oom_kill")).unwrap_or(0)
    }
}

/// A group's file that lists its processes, and moves a process whose number is written to it into the group.
const PROCESSES: &str = "cgroup.procs";

/// The counters of a group that are read while a bot runs.
#[derive(Debug)]
pub(crate) struct GroupFiles {
    /// Contains the group's processor time.
    usage: File,
    /// Contains how long its processes waited for a processor, in the unified hierarchy.
    pressure: Option<File>,
}

impl GroupFiles {
    /// Opens the counters of the group in `folders`.
    fn open(folders: &[PathBuf]) -> io::Result<GroupFiles> {
        let open = |name: &str| {
            let mut opened = Err(io::ErrorKind::NotFound.into());
            for folder in folders.iter().rev() {
                opened = opened.or_else(|_: io::Error| File::open(folder.join(name)));
            }
            opened
        };
        // The folder that counts processor time is the last. In an older hierarchy `cpu.stat` has other content.
        let usage = open("cpuacct.usage").or_else(|_| open("cpu.stat"))?;
        Ok(GroupFiles { usage, pressure: open("cpu.pressure").ok() })
    }

    /// For how long no process of the group ran although one could have, because other programs used the processors;
    /// `None` if that is not counted. Time in which one process waits while another one runs does not count.
    pub(crate) fn waited(&self) -> Option<Duration> {
        let text = read_start(self.pressure.as_ref()?)?;
        let full = text.lines().find_map(|line| line.strip_prefix("full "))?;
        full.rsplit_once("total=")?.1.trim().parse().ok().map(Duration::from_micros)
    }

    /// Processor time used in the group so far, user and system together, including ended processes; `None` if it
    /// cannot be read. The kernel knows the sum exactly, but estimates the parts from samples.
    pub(crate) fn cpu(&self) -> Option<Duration> {
        let text = read_start(&self.usage)?;
        match field(&text, "usage_usec") {
            Some(micros) => Some(Duration::from_micros(micros)),
            None => text.trim().parse().ok().map(Duration::from_nanos),
        }
    }
}

/// Opens the file that freezes and resumes all processes of the group in `folders`.
fn open_freezer(folders: &[PathBuf]) -> Option<File> {
    folders.iter().find_map(|folder| File::options().write(true).open(folder.join("cgroup.freeze")).ok())
}

/// The current content of one of a group's files.
fn read_start(file: &File) -> Option<String> {
    let mut text = [0; 1024];
    let n = file.read_at(&mut text, 0).ok()?;
    Some(String::from_utf8_lossy(&text[..n]).into_owned())
}

/// The number after `name` in a file of lines `name number`.
fn field(text: &str, name: &str) -> Option<u64> {
    text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' ')?.trim().parse().ok())
}

/// A group's folders, removed when dropped.
#[derive(Debug)]
struct GroupFolders(Vec<PathBuf>);

impl GroupFolders {
    fn create(&mut self, parent: &Path, name: &str) -> io::Result<PathBuf> {
        let folder = parent.join(name);
        if !self.0.contains(&folder) {
            fs::create_dir(&folder)?;
            self.0.push(folder.clone());
        }
        Ok(folder)
    }
}

impl Drop for GroupFolders {
    /// Retries, because the last process may take a moment to leave a group after it was waited for.
    fn drop(&mut self) {
        for folder in &self.0 {
            retry_while_busy(|| remove_tree(folder));
        }
    }
}

/// Removes a group and those below it, which exist if Cornerman itself was run as a bot and was killed.
fn remove_tree(folder: &Path) -> io::Result<()> {
    fs::remove_dir(folder).or_else(|_| {
        for entry in fs::read_dir(folder)?.flatten() {
            if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                remove_tree(&entry.path())?;
            }
        }
        fs::remove_dir(folder)
    })
}

/// Calls `remove` until it succeeds or fails for another reason than a busy group, up to 100 times, a millisecond
/// apart.
fn retry_while_busy(remove: impl Fn() -> io::Result<()>) {
    for _ in 0..100 {
        match remove() {
            Err(busy) if busy.kind() == io::ErrorKind::ResourceBusy => {
                thread::sleep(Duration::from_millis(1));
            }
            _ => return,
        }
    }
}

/// A control group as the sandbox's keeper and servers use it.
#[derive(Default)]
pub(crate) struct CgroupHandle {
    /// The parent and the name of each of the group's folders.
    places: Vec<(OwnedFd, OsString)>,
    /// The files with the lists of the group's processes. The system checked permissions when the keeper opened them.
    process_lists: Vec<OwnedFd>,
    counters: Option<GroupFiles>,
    /// Freezes and resumes all its processes, if the group supports that.
    freeze: Option<File>,
}

impl CgroupHandle {
    /// Opens the files of the group in `folders` while they can still be reached.
    pub(crate) fn from_folders(folders: &[PathBuf]) -> io::Result<CgroupHandle> {
        let mut handle = CgroupHandle::default();
        for folder in folders {
            let parent = File::open(folder.parent().unwrap_or(Path::new("/")))?;
            handle.places.push((parent.into(), folder.file_name().unwrap_or_default().to_os_string()));
            handle.process_lists.push(File::options().write(true).open(folder.join(PROCESSES))?.into());
        }
        handle.counters = GroupFiles::open(folders).ok();
        handle.freeze = open_freezer(folders);
        Ok(handle)
    }

    /// Moves this process into the group. All processes that it starts from then on are in the group, too.
    pub(crate) fn join(&self) -> io::Result<()> {
        for list in &self.process_lists {
            // 0 means the writing process.
            rustix::io::write(list, b"0")?;
        }
        Ok(())
    }

    /// The counters, for a server; `None` without a group.
    pub(crate) fn into_counters(self) -> Option<GroupFiles> {
        self.counters
    }

    /// Resumes all processes of the group, if they were frozen.
    pub(crate) fn resume(&self) {
        if let Some(file) = &self.freeze {
            file.write_at(b"0", 0).ok();
        }
    }

    /// Removes the group, which is empty by now, in case the client was killed and cannot do it. A keeper that has
    /// become another user may not be allowed to; then the next run of the client's program removes the group.
    pub(crate) fn remove(&self) {
        for (parent, name) in &self.places {
            retry_while_busy(|| Ok(unlinkat(parent, name.as_os_str(), AtFlags::REMOVEDIR)?));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mounts_are_found_by_type_and_controller() {
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
