//! Enters namespaces: the user and network namespaces, which a sandbox keeps, and those that are new for each game.

use super::{NameStep, Refused};
use crate::server::keeper::move_aside;
use crate::sys;
use rustix::io::Errno;
use rustix::process::{DumpableBehavior, Signal, set_dumpable_behavior, set_parent_process_death_signal};
use rustix::thread::{CapabilitySet, CapabilitySets, UnshareFlags, set_capabilities};
use std::fs::{self, File};
use std::io;
use std::os::fd::OwnedFd;
use std::path::Path;

/// The user number that a bot has inside its namespace. It is an ordinary user even if root runs the sandbox.
const USER_INSIDE: u32 = 1000;

/// The namespaces that are new for each game.
pub(super) const NEW_FOR_EACH_GAME: UnshareFlags =
    UnshareFlags::NEWPID.union(UnshareFlags::NEWNS).union(UnshareFlags::NEWIPC).union(UnshareFlags::NEWUTS);

/// Resources that the kernel counts for each user, and how many of each a sandbox may have. Unless root runs the
/// sandbox (see [`own_user`]), the organizer and all other sandboxes count as the same user.
const USER_LIMITS: [(&str, &str); 8] = [
    // The server uses one.
    ("max_inotify_instances", "8"),
    ("max_inotify_watches", "256"),
    ("max_fanotify_groups", "0"),
    ("max_fanotify_marks", "0"),
    ("max_user_namespaces", "0"),
    ("max_cgroup_namespaces", "8"),
    ("max_net_namespaces", "8"),
    ("max_time_namespaces", "0"),
];

/// A user of the sandbox's own that the host does not know, for a sandbox that root runs. It does not own root's
/// files, and the kernel counts its resources separately. Its number is derived from this process's number, which no
/// other process has at the same time. `None` if another user than root runs the sandbox, if root may not become
/// another user (as in many containers), or if the number is not mapped in this user namespace,
/// for users and for groups.
pub(super) fn own_user() -> Option<u32> {
    /// Far above the numbers that machines usually give to users.
    const FIRST: u32 = 0x7000_0000;
    let own = FIRST + rustix::process::getpid().as_raw_nonzero().get().unsigned_abs();
    let is_there = ["/proc/self/uid_map", "/proc/self/gid_map"].into_iter().all(|map| {
        fs::read_to_string(map).unwrap_or_default().lines().any(|line| {
            let numbers: Vec<u32> = line.split_whitespace().flat_map(str::parse).collect();
            matches!(numbers[..], [inside, _, count] if own >= inside && own - inside < count)
        })
    });
    let may =
        rustix::thread::capabilities(None).is_ok_and(|sets| sets.effective.contains(NEEDED_FOR_ANOTHER_USER));
    (rustix::process::geteuid().is_root() && may && is_there).then_some(own)
}

/// What root must be allowed to do to open a sandbox as root and run it as another user.
const NEEDED_FOR_ANOTHER_USER: CapabilitySet =
    CapabilitySet::SYS_ADMIN.union(CapabilitySet::SETUID).union(CapabilitySet::SETGID);

/// Moves this process, as `user` if one is given, into new user, mount and network namespaces.
pub(super) fn enter_namespaces_of_the_seat(user: Option<u32>) -> Result<(), Refused> {
    if let Some(user) = user {
        sys::become_user(user).step("become a user of the sandbox's own")?;
        // Otherwise root would own this process's files in `/proc`, and this process could not write its user map
        // there.
        set_dumpable_behavior(DumpableBehavior::Dumpable).step("become dumpable")?;
    }
    let user = rustix::process::geteuid().as_raw();
    let users_group = rustix::process::getegid().as_raw();
    sys::unshare(UnshareFlags::NEWUSER | UnshareFlags::NEWNS | UnshareFlags::NEWNET)
        .step("enter user, mount and network namespaces")?;
    fs::write("/proc/self/setgroups", "deny").step("give up other groups")?;
    fs::write("/proc/self/uid_map", format!("{USER_INSIDE} {user} 1\n")).step("map the user")?;
    fs::write("/proc/self/gid_map", format!("{USER_INSIDE} {users_group} 1\n")).step("map the group")?;
    for (resource, most) in USER_LIMITS {
        // Some kernels do not have all of these limits, and some containers cannot set them: the filter of system
        // calls keeps bots from using these resources anyway.
        fs::write(Path::new("/proc/sys/user").join(resource), most).ok();
    }
    Ok(())
}

/// Opens the kernel's file with the last process number in the namespace, which is reset before each run and read after
/// it. `None` if it cannot be opened.
pub(super) fn open_process_numbers() -> Option<File> {
    let file = File::options().read(true).write(true).open("/proc/sys/kernel/ns_last_pid").ok()?;
    move_aside(file).ok()
}

/// Detaches this server from its keeper's session, and makes the kernel kill it when the keeper ends.
pub(super) fn detach() -> Result<(), Refused> {
    // Bots are in this server's session, and at `namespaced` in its process group. The keeper must be in neither.
    rustix::process::setsid().step("leave the process group")?;
    set_parent_process_death_signal(Some(Signal::KILL)).step("end with the parent")
}

/// Hides the names of the machine and of the control group, which this process has joined by now.
pub(super) fn hide_names() -> Result<(), Refused> {
    // Some containers refuse this. Bots then see the container's name.
    rustix::system::sethostname(b"ring").ok();
    sys::unshare(UnshareFlags::NEWCGROUP).step("enter a control group namespace")
}

/// Makes a user namespace that maps the `owner` of files, and their `group`, to the number `user`. It contains no
/// process any more when this returns. A mount needs such a namespace to show its files with another owner.
pub(super) fn user_mapping(owner: u32, group: u32, user: u32) -> io::Result<OwnedFd> {
    let Some(child) = sys::fork(UnshareFlags::NEWUSER)? else {
        // The child waits until it is killed.
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

/// Keeps the programs that this process and its children start from getting any capability. Done once, in the keeper,
/// because it takes a system call for each capability.
pub(super) fn withhold_capabilities() {
    for capability in CapabilitySet::all().iter() {
        // Capabilities that this kernel does not know cannot be given up, and need not be.
        rustix::thread::remove_capability_from_bounding_set(capability).ok();
    }
}

/// Gives up the capabilities of root, or of the first process in a user namespace, except `kept`. From now on, no
/// process without privileges can read this one's memory.
pub(super) fn drop_capabilities(kept: CapabilitySet) -> Result<(), Refused> {
    let sets = CapabilitySets { effective: kept, permitted: kept, inheritable: CapabilitySet::empty() };
    set_capabilities(None, sets).step("give up capabilities")?;
    set_dumpable_behavior(DumpableBehavior::NotDumpable).step("become undumpable")
}
