//! Safe functions around the few system calls that have no safe interface: the only unsafe code of the project.
//! If the system refuses a call, they return its error.

#![expect(unsafe_code, reason = "the one module of unsafe code, each block with its argument")]

mod notification;
mod seccomp;
mod spawn;
mod trace;
mod wait;
pub(crate) use notification::{Listener, Notification};
pub(crate) use seccomp::{Instruction, Pass, filter, filter_with_listener};
pub(crate) use spawn::{Spawn, SpawnProgram, Spawner};
pub use trace::SystemCall;
pub(crate) use trace::{TraceEvent, Tracer};
pub(crate) use wait::{Child, ChildExit, handle_alarms, ignore_signal, wait};

use rustix::io::Errno;
use rustix::mount::MountAttrFlags;
use rustix::thread::UnshareFlags;
use std::os::fd::{AsRawFd, FromRawFd, IntoRawFd, OwnedFd};
use std::ptr;

/// Closes every descriptor from 3 up, so that bots do not inherit any that the client happened to have open.
/// (If an outer filter refuses `close_range`, descriptors that are not close-on-exec leak.)
pub(crate) fn close_inherited() {
    // SAFETY: called first in a fresh single-threaded process, in which nothing yet owns these descriptors.
    unsafe { libc::syscall(libc::SYS_close_range, 3, u32::MAX, 0) };
}

/// Closes descriptors, with one system call if their numbers are consecutive.
pub(crate) fn close_together<const N: usize>(fds: [OwnedFd; N]) {
    let mut numbers = fds.map(OwnedFd::into_raw_fd);
    numbers.sort_unstable();
    if let [first, .., last] = numbers[..]
        && numbers.windows(2).all(|pair| pair[0] + 1 == pair[1])
        // SAFETY: these are exactly the numbers that were given up above.
        && unsafe { libc::syscall(libc::SYS_close_range, first, last, 0) } == 0
    {
        return;
    }
    for number in numbers {
        // SAFETY: it was given up above, and has not been closed.
        drop(unsafe { OwnedFd::from_raw_fd(number) });
    }
}

/// Ends this process at once, without the functions that the program has registered for its end: those belong to the
/// process from which this one was forked, and may change memory that both still share.
pub(crate) fn exit(status: i32) -> ! {
    // SAFETY: the call takes a number and does not return.
    unsafe { libc::_exit(status) }
}

/// Changes this process's user and group to `id` for good, with no supplementary groups.
pub(crate) fn become_user(id: u32) -> Result<(), Errno> {
    let id = libc::c_long::from(id);
    // SAFETY: the calls take numbers, and a list of no entries.
    let done = unsafe {
        libc::syscall(libc::SYS_setgroups, 0, ptr::null::<libc::gid_t>()) == 0
            && libc::syscall(libc::SYS_setresgid, id, id, id) == 0
            && libc::syscall(libc::SYS_setresuid, id, id, id) == 0
    };
    if done { Ok(()) } else { Err(last_error()) }
}

/// Moves this process, which has one thread, into new namespaces.
pub(crate) fn unshare(flags: UnshareFlags) -> Result<(), Errno> {
    // SAFETY: descriptors are not unshared (`FILES` is not among the flags used), and there is one thread.
    unsafe { rustix::thread::unshare_unsafe(flags) }
}

/// Forks this process, which has one thread, into the new namespaces of `flags`. Returns `None` in the child.
pub(crate) fn fork(flags: UnshareFlags) -> Result<Option<Child>, Errno> {
    fork_with(flags.bits() as i32)
}

/// Forks this process, which has one thread. The new process is a child of this one's parent. Returns `None` in it.
pub(crate) fn fork_sibling() -> Result<Option<Child>, Errno> {
    fork_with(libc::CLONE_PARENT)
}

fn fork_with(flags: i32) -> Result<Option<Child>, Errno> {
    let flags = libc::c_long::from(flags | libc::SIGCHLD);
    // SAFETY: without a stack and without shared memory this call is `fork`, and there is only one thread, so the
    // child has a copy of all that the process consists of.
    match unsafe { libc::syscall(libc::SYS_clone, flags, 0, 0, 0, 0) } {
        0 => Ok(None),
        -1 => Err(last_error()),
        pid => Ok(Some(Child { pid: pid as i32 })),
    }
}

/// Sets attributes of a mount and, without `owners`, of all mounts below it. `owners` is a user namespace that maps the
/// owners on the disk (inside) to users of this machine (outside).
pub(crate) fn set_mount_attributes(
    tree: &OwnedFd,
    attributes: MountAttrFlags,
    owners: Option<&OwnedFd>,
) -> Result<(), Errno> {
    let mapped = if owners.is_some() { libc::MOUNT_ATTR_IDMAP } else { 0 };
    let wanted = libc::mount_attr {
        attr_set: u64::from(attributes.bits()) | mapped,
        attr_clr: 0,
        propagation: 0,
        userns_fd: owners.map_or(0, |owners| owners.as_raw_fd() as u64),
    };
    // SAFETY: the path is an empty string of static life, the structure a live local, its size its own.
    let result = unsafe {
        libc::syscall(
            libc::SYS_mount_setattr,
            tree.as_raw_fd(),
            c"".as_ptr(),
            // Owners can be mapped only for one mount at a time.
            libc::AT_EMPTY_PATH | if owners.is_some() { 0 } else { libc::AT_RECURSIVE },
            &raw const wanted,
            size_of::<libc::mount_attr>(),
        )
    };
    if result == 0 { Ok(()) } else { Err(last_error()) }
}

/// The version of Landlock that the kernel supports, if any.
pub fn landlock_version() -> Option<u32> {
    const VERSION: u32 = 1;
    // SAFETY: with this flag the call reads no memory and returns a number.
    let version = unsafe { libc::syscall(libc::SYS_landlock_create_ruleset, ptr::null::<u8>(), 0, VERSION) };
    u32::try_from(version).ok()
}

/// Sends `signal` to every other process of this PID namespace, if this process is the first one in it. Otherwise
/// does nothing.
pub(crate) fn signal_all_others(signal: i32) {
    if rustix::process::getpid().is_init() {
        // SAFETY: the call takes two numbers; the first process of a namespace is itself exempt.
        unsafe { libc::kill(-1, signal) };
    }
}

/// The error of the last call of the C library that failed.
fn last_error() -> Errno {
    Errno::from_io_error(&std::io::Error::last_os_error()).unwrap_or(Errno::IO)
}

/// Makes the system call `number` without touching the C library's `errno`, which a new process that still runs in its
/// parent's memory shares with the parent.
///
/// # Safety
/// As for the call itself: pointers among the arguments must be valid for the call, for as long as it lasts.
unsafe fn raw_call(number: libc::c_long, arguments: [usize; 6]) -> Result<usize, Errno> {
    let [a, b, c, d, e, f] = arguments;
    let answer: isize;
    // SAFETY: the registers are those of the architecture's system calls; the rest is the caller's promise.
    unsafe {
        std::arch::asm!(
            "syscall",
            inlateout("rax") number as isize => answer,
            in("rdi") a, in("rsi") b, in("rdx") c, in("r10") d, in("r8") e, in("r9") f,
            lateout("rcx") _, lateout("r11") _,
            options(nostack),
        );
    }
    match answer {
        -4095..0 => Err(Errno::from_raw_os_error(-answer as i32)),
        answer => Ok(answer as usize),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    use rustix::io::fcntl_dupfd_cloexec;
    use rustix::pipe::{PipeFlags, pipe_with};

    /// Closes one end of a pipe at each of the numbers `together`. Ends at the numbers `kept` must stay open.
    #[track_caller]
    fn check_closed(together: [i32; 3], kept: &[i32]) {
        let at = |number: &i32| {
            let (ours, end) = pipe_with(PipeFlags::CLOEXEC).unwrap();
            let end = fcntl_dupfd_cloexec(end, *number).unwrap();
            assert_eq!(end.as_raw_fd(), *number);
            (ours, end)
        };
        // A process that another test is starting may hold a copy for a moment.
        let ends_within = |seconds: i64, ours: &OwnedFd| {
            let patience = Timespec { tv_sec: seconds, tv_nsec: 0 };
            poll(&mut [PollFd::new(ours, PollFlags::IN)], Some(&patience)) == Ok(1)
        };
        let others: Vec<_> = kept.iter().map(at).collect();
        let [(a, end_a), (b, end_b), (c, end_c)] = together.each_ref().map(at);
        close_together([end_a, end_b, end_c]);
        assert_eq!([a, b, c].map(|ours| ends_within(60, &ours)), [true; 3]);
        assert!(others.iter().all(|(ours, _)| !ends_within(0, ours)));
    }

    #[test]
    fn only_the_given_descriptors_are_closed() {
        check_closed([201, 202, 203], &[200, 204]);
        check_closed([213, 211, 212], &[210, 214]);
        check_closed([221, 222, 224], &[220, 223, 225]);
    }
}
