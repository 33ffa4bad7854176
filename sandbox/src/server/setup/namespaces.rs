//! Namespaces: of users and the network, which a sandbox keeps, and those that are new for each game.

use super::refused::{Refused, Step};
use crate::sys;
use rustix::fs::{OFlags, open};
use rustix::io::{Errno, fcntl_dupfd_cloexec};
use rustix::process::{DumpableBehavior, Signal, set_dumpable_behavior, set_parent_process_death_signal};
use rustix::thread::{CapabilitySet, CapabilitySets, UnshareFlags, set_capabilities};
use std::fs::{self, File};
use std::io;
use std::os::fd::OwnedFd;
use std::path::Path;

/// Who a bot is inside: an ordinary user, whoever runs the kit.
const INSIDE: u32 = 1000;

/// The namespaces that are new for each game.
pub const FRESH: UnshareFlags =
    UnshareFlags::NEWPID.union(UnshareFlags::NEWNS).union(UnshareFlags::NEWIPC).union(UnshareFlags::NEWUTS);

/// What the kernel counts for each user, and how much of it a sandbox may have: the organizer and all other sandboxes
/// share its user's account (unless the kit is run by root, see [`own_user`]).
const ACCOUNTS: [(&str, &str); 8] = [
    // The server uses one.
    ("max_inotify_instances", "8"),
    ("max_inotify_watches", "64"),
    ("max_fanotify_groups", "0"),
    ("max_fanotify_marks", "0"),
    ("max_user_namespaces", "0"),
    ("max_cgroup_namespaces", "8"),
    ("max_net_namespaces", "8"),
    ("max_time_namespaces", "0"),
];

/// Run by root, each sandbox is a user of its own, whom the host does not know: then root's files are not its, and
/// what the kernel counts for a user is counted for it alone. The number is made from that of this process, which no
/// other one has at the same time. `None` where the kit is not run by root, or root is not who it seems.
pub fn own_user() -> Option<u32> {
    const FIRST: u32 = 0x7000_0000;
    let own = FIRST + rustix::process::getpid().as_raw_nonzero().get().unsigned_abs();
    let map = fs::read_to_string("/proc/self/uid_map").unwrap_or_default();
    let is_there = map.lines().any(|line| {
        let numbers: Vec<u32> = line.split_whitespace().flat_map(str::parse).collect();
        matches!(numbers[..], [inside, _, count] if own >= inside && own - inside < count)
    });
    (rustix::process::geteuid().is_root() && is_there).then_some(own)
}

/// Moves this process, as `user` if one is given, into namespaces of users, mounts and the network.
pub fn enter_kept(user: Option<u32>) -> Result<(), Refused> {
    if let Some(user) = user {
        sys::become_user(user).step("become a user of the sandbox's own")?;
        // Else its files in /proc, by which users are mapped, would be root's.
        set_dumpable_behavior(DumpableBehavior::Dumpable).step("become dumpable")?;
    }
    let (user, users_group) = (rustix::process::geteuid().as_raw(), rustix::process::getegid().as_raw());
    sys::unshare(UnshareFlags::NEWUSER | UnshareFlags::NEWNS | UnshareFlags::NEWNET)
        .step("enter user, mount and network namespaces")?;
    fs::write("/proc/self/setgroups", "deny").step("give up other groups")?;
    fs::write("/proc/self/uid_map", format!("{INSIDE} {user} 1\n")).step("map the user")?;
    fs::write("/proc/self/gid_map", format!("{INSIDE} {users_group} 1\n")).step("map the group")?;
    for (account, most) in ACCOUNTS {
        // Not every kernel keeps all of these accounts, nor lets every container set their limits: a filter of
        // system calls keeps bots from all of them anyway.
        fs::write(Path::new("/proc/sys/user").join(account), most).ok();
    }
    Ok(())
}

/// Where the kernel takes the next number of a process from, to be set back before each move. `None` where that
/// is not to be had.
pub fn process_numbers() -> Option<File> {
    const ASIDE: i32 = 32;
    let file =
        open("/proc/sys/kernel/ns_last_pid", OFlags::WRONLY | OFlags::CLOEXEC, rustix::fs::Mode::empty()).ok()?;
    fcntl_dupfd_cloexec(file, ASIDE).ok().map(File::from)
}

/// Makes this server one that ends with its keeper and is in no group of its.
pub fn detach() -> Result<(), Refused> {
    // Bots are in this process's session, and at `namespaced` in its group: the keeper must not be.
    rustix::process::setsid().step("leave the process group")?;
    set_parent_process_death_signal(Some(Signal::KILL)).step("end with the parent")
}

/// Hides what names the machine and the control group, which this process is in by now.
pub fn hide_names() -> Result<(), Refused> {
    rustix::system::sethostname(b"ring").step("name the host")?;
    sys::unshare(UnshareFlags::NEWCGROUP).step("enter a control group namespace")
}

/// A user namespace, of no process, that maps the `owner` of files to `user`: what mounts take to give files away.
pub fn mapping(owner: u32, group: u32, user: u32) -> io::Result<OwnedFd> {
    let Some(child) = sys::fork(UnshareFlags::NEWUSER)? else {
        // It lives until it is ended.
        set_parent_process_death_signal(Some(Signal::KILL)).ok();
        loop {
            std::thread::sleep(std::time::Duration::from_secs(3600));
        }
    };
    let of_child = |file: &str| format!("/proc/{}/{file}", child.pid);
    let mapped = fs::write(of_child("uid_map"), format!("{owner} {user} 1\n"))
        .and_then(|()| fs::write(of_child("gid_map"), format!("{group} {user} 1\n")))
        .and_then(|()| File::open(of_child("ns/user")));
    let pid = rustix::process::Pid::from_raw(child.pid).ok_or(Errno::SRCH)?;
    rustix::process::kill_process(pid, Signal::KILL)?;
    sys::wait(child.pid, true)?;
    Ok(mapped?.into())
}

/// Gives up what being root, or first in a user namespace, gave, but for `kept`, which programs that are started do
/// not have either. Nobody may look into this process's memory from now on.
pub fn drop_capabilities(kept: CapabilitySet) -> Result<(), Refused> {
    for capability in CapabilitySet::all().iter() {
        // Those that this kernel does not know cannot be given up, nor had.
        rustix::thread::remove_capability_from_bounding_set(capability).ok();
    }
    let sets = CapabilitySets { effective: kept, permitted: kept, inheritable: CapabilitySet::empty() };
    set_capabilities(None, sets).step("give up capabilities")?;
    set_dumpable_behavior(DumpableBehavior::NotDumpable).step("become undumpable")
}
