//! Namespaces of the server's own: users, mounts, processes, network, messages, host name, control groups.

use super::{Refused, Step};
use crate::cgroup::Membership;
use crate::sys;
use rustix::process::{DumpableBehavior, Signal, set_dumpable_behavior, set_parent_process_death_signal};
use rustix::thread::{CapabilitySet, CapabilitySets, UnshareFlags, set_capabilities};
use std::fs;

/// Who a bot is inside: an ordinary user, whoever runs the kit.
const INSIDE: u32 = 1000;

/// Moves this process into fresh namespaces, in which it is the first process: when it ends, the kernel ends
/// everything in them. The process that called goes on only to keep its place for whoever waits for it.
///
/// The process that stays outside also stays outside the control `group`, and removes it in the end.
pub fn enter(group: Membership) -> Result<(), Refused> {
    let (user, users_group) = (rustix::process::geteuid().as_raw(), rustix::process::getegid().as_raw());
    let all = UnshareFlags::NEWUSER
        | UnshareFlags::NEWNS
        | UnshareFlags::NEWPID
        | UnshareFlags::NEWNET
        | UnshareFlags::NEWIPC
        | UnshareFlags::NEWUTS
        | UnshareFlags::NEWCGROUP;
    sys::unshare(all).step("enter user, mount, process, network, message, name and control group namespaces")?;
    fs::write("/proc/self/setgroups", "deny").step("give up other groups")?;
    fs::write("/proc/self/uid_map", format!("{INSIDE} {user} 1\n")).step("map the user")?;
    fs::write("/proc/self/gid_map", format!("{INSIDE} {users_group} 1\n")).step("map the group")?;
    sys::go_on_as_child(group.descriptors(), || group.leave_and_remove())
        .step("start the first process of the namespaces")?;
    // Bots are in this process's group: the one outside must not be.
    rustix::process::setsid().step("leave the process group")?;
    group.join().step("join the control group")?;
    set_parent_process_death_signal(Some(Signal::KILL)).step("end with the parent")?;
    rustix::system::sethostname(b"ring").step("name the host")
}

/// Gives up what being root, or first in a user namespace, gave, for ever. Nobody may look into this process's
/// memory from now on.
pub fn give_up_capabilities() -> Result<(), Refused> {
    for capability in CapabilitySet::all().iter() {
        // Those that this kernel does not know cannot be given up, nor had.
        rustix::thread::remove_capability_from_bounding_set(capability).ok();
    }
    let none = CapabilitySet::empty();
    set_capabilities(None, CapabilitySets { effective: none, permitted: none, inheritable: none })
        .step("give up capabilities")?;
    set_dumpable_behavior(DumpableBehavior::NotDumpable).step("become undumpable")
}
