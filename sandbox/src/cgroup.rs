//! Puts each sandbox into a control group, where that is possible, to limit and count everything that a bot starts.
//!
//! Groups are created below this process's own: in the unified hierarchy (v2) if its controllers are available, or else
//! in the older hierarchies (v1). If both are mounted, the unified one still freezes groups and counts their processor
//! time.

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

/// Where this machine lets this program create groups.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Hierarchy {
    /// The unified hierarchy: one folder.
    V2(PathBuf),
    /// The older hierarchies: one folder for each controller.
    V1 {
        /// The folder of the memory controller.
        memory: PathBuf,
        /// The folder of the controller that limits the number of processes.
        pids: PathBuf,
        /// The folder in which processor time is counted.
        cpu: PathBuf,
        /// Whether `cpu` is in the unified hierarchy.
        is_unified: bool,
    },
}

impl Hierarchy {
    /// Whether it can freeze groups and count how long they wait for processors, as the unified hierarchy can.
    pub fn is_unified(&self) -> bool {
        matches!(self, Hierarchy::V2(_) | Hierarchy::V1 { is_unified: true, .. })
    }

    /// Its name, as `doctor` prints it.
    pub fn name(&self) -> &'static str {
        match self {
            Hierarchy::V2(_) => "v2",
            Hierarchy::V1 { .. } => "v1",
        }
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
    /// None in either hierarchy.
    #[error("v2: {v2}; v1: {v1}")]
    InNeither {
        /// Why not in the unified one.
        v2: Box<NoGroups>,
        /// Why not in the older one.
        v1: Box<NoGroups>,
    },
}

/// Where groups can be created, which is found out once by creating one, or the reason why none can be created.
pub fn hierarchy() -> &'static Result<Hierarchy, NoGroups> {
    static FOUND: OnceLock<Result<Hierarchy, NoGroups>> = OnceLock::new();
    FOUND.get_or_init(|| {
        let own = fs::read_to_string("/proc/self/cgroup")?;
        let mounts = fs::read_to_string("/proc/self/mountinfo")?;
        let found = find_v2(&own, &mounts).or_else(|v2| {
            find_v1(&own, &mounts).map_err(|v1| NoGroups::InNeither { v2: v2.into(), v1: v1.into() })
        })?;
        remove_stale(&found);
        Ok(found)
    })
}

/// Removes groups whose makers have ended. A program that is killed after it made a group, but before its server
/// knows of the group, leaves an empty one behind.
fn remove_stale(hierarchy: &Hierarchy) {
    let folders = match hierarchy {
        Hierarchy::V2(folder) => vec![folder],
        Hierarchy::V1 { memory, pids, cpu, .. } => vec![memory, pids, cpu],
    };
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

fn find_v2(own: &str, mounts: &str) -> Result<Hierarchy, NoGroups> {
    let folder = own_unified_group(own, mounts).ok_or(NoGroups::NotMounted)?;
    let offered = fs::read_to_string(folder.join("cgroup.controllers"))?;
    for controller in ["memory", "pids"] {
        if !offered.split_whitespace().any(|name| name == controller) {
            return Err(NoGroups::NotDelegated(controller));
        }
    }
    enable_controllers(&folder).map_err(NoGroups::NotEnabled)?;
    let hierarchy = Hierarchy::V2(folder);
    try_out(&hierarchy)?;
    Ok(hierarchy)
}

/// Enables the controllers for groups below `folder`. A group may either contain processes or enable controllers
/// for others, so this process may have to move into a group of its own first.
fn enable_controllers(folder: &Path) -> io::Result<()> {
    let subtree = folder.join("cgroup.subtree_control");
    let enable = || fs::write(&subtree, "+memory +pids");
    enable().or_else(|_| {
        let own = folder.join("cornerman");
        fs::create_dir_all(&own)?;
        fs::write(own.join("cgroup.procs"), process::id().to_string())?;
        enable()
    })
}

fn find_v1(own: &str, mounts: &str) -> Result<Hierarchy, NoGroups> {
    let folder = |controller: &'static str| -> Result<PathBuf, NoGroups> {
        let missing = || NoGroups::NoController(controller);
        let has = |list: &str| list.split(',').any(|name| name == controller);
        let below = own.lines().map(|line| line.splitn(3, ':').collect::<Vec<_>>());
        let below = below.into_iter().find(|parts| parts.len() == 3 && has(parts[1])).ok_or_else(missing)?;
        let root = mount_point(mounts, |kind, options| kind == "cgroup" && has(options)).ok_or_else(missing)?;
        Ok(join(&root, below[2]))
    };
    let memory = folder("memory")?;
    let pids = folder("pids")?;
    if let Some(cpu) = own_unified_group(own, mounts) {
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
fn own_unified_group(own: &str, mounts: &str) -> Option<PathBuf> {
    let below = own.lines().find_map(|line| line.strip_prefix("0::"))?;
    let root = mount_point(mounts, |kind, _| kind == "cgroup2")?;
    Some(join(&root, below))
}

fn join(root: &Path, below: &str) -> PathBuf {
    root.join(below.trim_start_matches('/'))
}

/// The mount point of the first hierarchy whose type and options `wanted` accepts.
fn mount_point(mounts: &str, wanted: impl Fn(&str, &str) -> bool) -> Option<PathBuf> {
    mounts.lines().find_map(|line| {
        let (place, kind) = line.split_once(" - ")?;
        let mut kind = kind.split(' ');
        let (kind, options) = (kind.next()?, kind.nth(1)?);
        wanted(kind, options).then(|| place.split(' ').nth(4).map(PathBuf::from)).flatten()
    })
}

fn try_out(hierarchy: &Hierarchy) -> io::Result<()> {
    Cgroup::make_in(hierarchy, &Limits::default()).map(drop)
}

/// A sandbox's control group, removed when dropped.
#[derive(Debug)]
pub struct Cgroup {
    folders: Vec<PathBuf>,
    /// Contains its processor time.
    usage: File,
    /// Counts how many processes were killed because the group used too much memory.
    kills: File,
    /// Contains the largest number of processes and threads at once, where the kernel keeps that.
    peak: Option<File>,
    /// Freezes and resumes all its processes, in the unified hierarchy.
    freeze: Option<File>,
    /// Counts how long its processes waited for a processor, in the unified hierarchy.
    pressure: Option<File>,
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
        let mut new_folders = NewFolders(Vec::new());
        let unified_files = |group: &Path| {
            (open_freezer(group), File::open(group.join(PRESSURE)).ok().filter(|file| waited(file).is_some()))
        };
        let peak_of = |group: &Path| File::open(group.join("pids.peak")).ok();
        let (usage, kills, peak, (freeze, pressure)) = match hierarchy {
            Hierarchy::V2(folder) => {
                let group = new_folders.create(folder, &name)?;
                fs::write(group.join("memory.max"), limits.memory.to_string())?;
                // Some kernels are built without swap.
                fs::write(group.join("memory.swap.max"), "0").ok();
                fs::write(group.join("pids.max"), limits.processes.to_string())?;
                let files = unified_files(&group);
                let usage = File::open(group.join(USAGE[0]))?;
                let kills = File::open(group.join("memory.events"))?;
                (usage, kills, peak_of(&group), files)
            }
            Hierarchy::V1 { memory, pids, cpu, is_unified } => {
                let memory = new_folders.create(memory, &name)?;
                fs::write(memory.join("memory.limit_in_bytes"), limits.memory.to_string())?;
                fs::write(memory.join("memory.swappiness"), "0").ok();
                let pids = new_folders.create(pids, &name)?;
                fs::write(pids.join("pids.max"), limits.processes.to_string())?;
                let cpu = new_folders.create(cpu, &name)?;
                let usage_file = if *is_unified { USAGE[0] } else { USAGE[1] };
                let files = if *is_unified { unified_files(&cpu) } else { (None, None) };
                let kills = File::open(memory.join("memory.oom_control"))?;
                (File::open(cpu.join(usage_file))?, kills, peak_of(&pids), files)
            }
        };
        Ok(Cgroup { folders: std::mem::take(&mut new_folders.0), usage, kills, peak, freeze, pressure })
    }

    /// The group's folders: one, or one for each controller.
    pub fn folders(&self) -> &[PathBuf] {
        &self.folders
    }

    /// Processor time used in the group so far, user and system together. The kernel knows the sum exactly, but
    /// estimates the parts from samples.
    pub fn cpu(&self) -> Option<Duration> {
        read_cpu_time(&self.usage)
    }

    /// User and system time used in the group so far, which the unified hierarchy counts separately.
    pub fn user_and_system(&self) -> Option<(Duration, Duration)> {
        let text = read_start(&self.usage)?;
        let micros = |name| field(&text, name).map(Duration::from_micros);
        Some((micros("user_usec")?, micros("system_usec")?))
    }

    /// For how long no process of the group ran although one could have, because other programs used the processors.
    /// Time in which one of the group's processes waits while another one runs does not count.
    pub fn waited(&self) -> Option<Duration> {
        waited(self.pressure.as_ref()?)
    }

    /// Whether [`Cgroup::freeze`] is available.
    pub fn can_freeze(&self) -> bool {
        self.freeze.is_some()
    }

    /// Freezes or resumes all its processes. Takes effect within a fraction of a millisecond. Frozen processes can
    /// still be killed.
    ///
    /// # Errors
    /// When the system refuses, or the group cannot be frozen.
    pub fn freeze(&self, freeze: bool) -> io::Result<()> {
        let file = self.freeze.as_ref().ok_or(io::ErrorKind::Unsupported)?;
        file.write_at(if freeze { b"1" } else { b"0" }, 0).map(drop)
    }

    /// The largest number of processes and threads in the group at once since it was made; `None` where the kernel does
    /// not keep that.
    pub fn most_tasks(&self) -> Option<u32> {
        read_start(self.peak.as_ref()?)?.trim().parse().ok()
    }

    /// How many of its processes were killed because it used too much memory.
    pub fn memory_kills(&self) -> u64 {
        read_start(&self.kills).and_then(|text| field(&text, "oom_kill")).unwrap_or(0)
    }
}

/// A group's file that contains how long its processes waited for processors.
const PRESSURE: &str = "cpu.pressure";

/// Reads from that file the time in which all processes that could have run were waiting.
fn waited(pressure: &File) -> Option<Duration> {
    let text = read_start(pressure)?;
    let full = text.lines().find_map(|line| line.strip_prefix("full "))?;
    full.rsplit_once("total=")?.1.trim().parse().ok().map(Duration::from_micros)
}

/// A group's file that contains its processor time: in the unified hierarchy, and in the older ones.
const USAGE: [&str; 2] = ["cpu.stat", "cpuacct.usage"];

/// Reads from such a file the processor time used in the group so far.
fn read_cpu_time(usage: &File) -> Option<Duration> {
    let text = read_start(usage)?;
    match field(&text, "usage_usec") {
        Some(micros) => Some(Duration::from_micros(micros)),
        None => text.trim().parse().ok().map(Duration::from_nanos),
    }
}

/// Opens a group's file that freezes and resumes all its processes.
fn open_freezer(group: &Path) -> Option<File> {
    fs::OpenOptions::new().write(true).open(group.join("cgroup.freeze")).ok()
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

/// Folders created so far. Dropping this removes them, unless they were taken because all could be created.
struct NewFolders(Vec<PathBuf>);

impl NewFolders {
    fn create(&mut self, parent: &Path, name: &str) -> io::Result<PathBuf> {
        let folder = parent.join(name);
        fs::create_dir(&folder)?;
        self.0.push(folder.clone());
        Ok(folder)
    }
}

impl Drop for NewFolders {
    fn drop(&mut self) {
        remove(&self.0);
    }
}

impl Drop for Cgroup {
    fn drop(&mut self) {
        remove(&self.folders);
    }
}

/// Removes groups. Retries, because the last process may take a moment to leave a group after it was waited for.
fn remove(folders: &[PathBuf]) {
    for folder in folders {
        retry_while_busy(|| remove_tree(folder));
    }
}

/// Removes a group and those below it. The latter remain if Cornerman itself was run as a bot and was killed.
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

fn retry_while_busy(remove: impl Fn() -> io::Result<()>) {
    for _ in 0..100 {
        match remove() {
            Err(busy) if busy.kind() == io::ErrorKind::ResourceBusy => {
                std::thread::sleep(Duration::from_millis(1));
            }
            _ => return,
        }
    }
}

/// A control group as the sandbox's keeper and servers use it.
#[derive(Default)]
pub struct CgroupHandle {
    /// The parent and the name of each of the group's folders.
    places: Vec<(OwnedFd, OsString)>,
    /// The files with the lists of the group's processes. The system checked permissions when the keeper opened them.
    process_lists: Vec<OwnedFd>,
    /// Contains how long the group's processes waited for a processor, if that is counted.
    pressure: Option<File>,
    /// Contains the group's processor time.
    usage: Option<File>,
    /// Freezes and resumes all its processes, if the group supports that.
    freeze: Option<File>,
}

impl CgroupHandle {
    /// Opens the files of the group in `folders` while they can still be reached.
    ///
    /// # Errors
    /// When the system refuses.
    pub fn from_folders(folders: &[PathBuf]) -> io::Result<CgroupHandle> {
        let place = |folder: &PathBuf| {
            let parent = folder.parent().unwrap_or(Path::new("/"));
            let name = folder.file_name().unwrap_or_default().to_os_string();
            Ok((OwnedFd::from(File::open(parent)?), name))
        };
        let list = |folder: &PathBuf| {
            let list = folder.join("cgroup.procs");
            Ok(OwnedFd::from(fs::OpenOptions::new().write(true).open(list)?))
        };
        let open = |name: &str| folders.iter().find_map(|folder| File::open(folder.join(name)).ok());
        Ok(CgroupHandle {
            places: folders.iter().map(place).collect::<io::Result<_>>()?,
            process_lists: folders.iter().map(list).collect::<io::Result<_>>()?,
            pressure: open(PRESSURE),
            usage: USAGE.iter().rev().find_map(|name| open(name)),
            freeze: folders.iter().find_map(|folder| open_freezer(folder)),
        })
    }

    /// Moves this process into the group. All processes that it starts from then on are in the group, too.
    ///
    /// # Errors
    /// When the system refuses.
    pub fn join(&self) -> io::Result<()> {
        // 0 means the writing process.
        self.process_lists.iter().try_for_each(|list| Ok(rustix::io::write(list, b"0").map(drop)?))
    }

    /// The files that a server reads while a bot runs; `None` without a group.
    ///
    /// # Errors
    /// When descriptors are used up.
    pub fn files(&self) -> io::Result<Option<GroupFiles>> {
        let Some(usage) = &self.usage else { return Ok(None) };
        let pressure = self.pressure.as_ref().map(File::try_clone).transpose()?;
        Ok(Some(GroupFiles { pressure, usage: usage.try_clone()? }))
    }

    /// Resumes all processes of the group, if they were frozen.
    pub fn resume(&self) {
        self.freeze.as_ref().map(|file| file.write_at(b"0", 0).ok());
    }

    /// Removes the group, which is empty by now, in case the client was killed and cannot do it. A keeper that has
    /// become another user may not be allowed to; then the next run of the client's program removes the group.
    pub fn remove(&self) {
        for (parent, name) in &self.places {
            retry_while_busy(|| Ok(unlinkat(parent, name.as_os_str(), AtFlags::REMOVEDIR)?));
        }
    }
}

/// The counters that a server reads while a bot runs. The server is in the group as well.
pub struct GroupFiles {
    pressure: Option<File>,
    usage: File,
}

impl GroupFiles {
    /// For how long no process of the group ran although one could have; zero if that is not counted.
    pub fn waited(&self) -> Duration {
        self.pressure.as_ref().and_then(waited).unwrap_or_default()
    }

    /// Processor time used in the group so far, including ended processes; `None` if it cannot be read.
    pub fn cpu(&self) -> Option<Duration> {
        read_cpu_time(&self.usage)
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
