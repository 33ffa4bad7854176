//! The few system calls that have no safe form. The only unsafe code of the project.
#![expect(unsafe_code, reason = "the one module of unsafe code, each block with its argument")]

mod raw;
mod seccomp;
mod spawn;
mod trace;

pub use seccomp::{Pass, filter};
pub use spawn::{Program, Spawn, Spawner};
pub use trace::{Seen, Tracer};

use rustix::io::Errno;
use rustix::mount::MountAttrFlags;
use rustix::process::{Pid, PidfdFlags, pidfd_open};
use rustix::thread::UnshareFlags;
use std::io;
use std::os::fd::{AsRawFd, OwnedFd};
use std::ptr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// A process that was started and not yet waited for.
pub struct Child {
    /// Its number.
    pub pid: i32,
}

impl Child {
    /// A handle that becomes readable when it ends. Making one costs a short run too much, so it is made when a
    /// run turns out to be longer.
    ///
    /// # Errors
    /// When descriptors are used up.
    pub fn handle(&self) -> Result<OwnedFd, Errno> {
        pidfd_open(Pid::from_raw(self.pid).ok_or(Errno::SRCH)?, PidfdFlags::empty())
    }
}

fn last_error() -> Errno {
    Errno::from_io_error(&io::Error::last_os_error()).unwrap_or(Errno::IO)
}

/// What the kernel says of an ended process and of those that it waited for.
pub struct Reaped {
    /// The status it exited with.
    pub exited: Option<i32>,
    /// The signal it died of.
    pub signal: Option<i32>,
    /// Time in user mode.
    pub user: Duration,
    /// Time in the kernel.
    pub system: Duration,
    /// The largest resident memory, in bytes.
    pub peak_memory: u64,
}

/// Waits for a child (`pid` -1: any), or, unless `block`, only looks. `None`: none has ended yet.
///
/// # Errors
/// `CHILD` when there is no such child.
pub fn wait(pid: i32, block: bool) -> Result<Option<Reaped>, Errno> {
    loop {
        match wait_once(pid, if block { 0 } else { libc::WNOHANG }) {
            Err(Errno::INTR) => {}
            other => return other,
        }
    }
}

/// Waits for a child for no longer than about `patience`, or until a signal comes. `None`: it has not ended yet.
///
/// The alarm that ends the wait is left on, for the next one: with one wait after another that is no call of the
/// system at all, where a handle of the process and a poll would be three. One that comes while nobody waits
/// turns itself off. `patience` should be the same each time, as the alarm keeps the first one's.
///
/// # Errors
/// `CHILD` when there is no such child.
fn wait_for(pid: i32, patience: Duration) -> Result<Option<Reaped>, Errno> {
    match under_alarm(patience, || wait_once(pid, 0)) {
        Err(Errno::INTR) => Ok(None),
        other => other,
    }
}

/// A wait that an alarm interrupts.
fn under_alarm<T>(patience: Duration, wait: impl FnOnce() -> T) -> T {
    WAITING.store(true, Ordering::Relaxed);
    if !ALARM_IS_ON.swap(true, Ordering::Relaxed) {
        set_alarm(patience.max(Duration::from_micros(1)));
    }
    let found = wait();
    WAITING.store(false, Ordering::Relaxed);
    found
}

static WAITING: AtomicBool = AtomicBool::new(false);
static ALARM_IS_ON: AtomicBool = AtomicBool::new(false);

/// Lets alarms end [`Spawner::wait_for`], and nothing else.
pub fn heed_alarms() {
    extern "C" fn alarm(_: i32) {
        if !WAITING.load(Ordering::Relaxed) {
            set_alarm(Duration::ZERO);
            ALARM_IS_ON.store(false, Ordering::Relaxed);
        }
    }
    on(libc::SIGALRM, alarm, 0);
}

/// Sends this process an alarm after `every`, and again until it is turned off by zero: one that came before
/// the wait began would be lost.
fn set_alarm(every: Duration) {
    let every = libc::timeval { tv_sec: every.as_secs() as _, tv_usec: every.subsec_micros().into() };
    let timer = libc::itimerval { it_interval: every, it_value: every };
    // SAFETY: the structure is a live local, and the old timer is not asked for. Nothing but a call of the system
    // happens, as in a handler of signals nothing else may.
    unsafe { libc::setitimer(libc::ITIMER_REAL, &raw const timer, ptr::null_mut()) };
}

fn wait_once(pid: i32, flags: i32) -> Result<Option<Reaped>, Errno> {
    let mut status = 0;
    // SAFETY: all zeroes is a valid `rusage`, a structure of integers.
    let mut usage: libc::rusage = unsafe { std::mem::zeroed() };
    // SAFETY: both pointers are to live locals of the right types.
    match unsafe { libc::wait4(pid, &raw mut status, flags, &raw mut usage) } {
        0 => Ok(None),
        -1 => Err(last_error()),
        _ => Ok(Some(Reaped {
            exited: libc::WIFEXITED(status).then(|| libc::WEXITSTATUS(status)),
            signal: libc::WIFSIGNALED(status).then(|| libc::WTERMSIG(status)),
            user: duration(usage.ru_utime),
            system: duration(usage.ru_stime),
            peak_memory: usage.ru_maxrss as u64 * 1024,
        })),
    }
}

fn duration(time: libc::timeval) -> Duration {
    Duration::from_secs(time.tv_sec as u64) + Duration::from_micros(time.tv_usec as u64)
}

/// Ends a signal's effect on this process, but not on programs it starts, which get the usual effect.
pub fn shrug_off(signal: i32) {
    extern "C" fn nothing(_: i32) {}
    on(signal, nothing, libc::SA_RESTART);
}

/// Has `signal` handled by `handler`, which may do only what is safe at any moment.
fn on(signal: i32, handler: extern "C" fn(i32), flags: i32) {
    // SAFETY: the two handlers of this file touch nothing but atomics and the timer, so they may interrupt
    // anything; the structure is valid when zeroed.
    unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        action.sa_sigaction = handler as libc::sighandler_t;
        action.sa_flags = flags;
        libc::sigaction(signal, &raw const action, ptr::null_mut());
    }
}

/// Closes every descriptor from 3 up: what the caller happened to have open is not for bots (and
/// `close_range` exists since Linux 5.9; where it is missing, descriptors not marked close-on-exec leak).
pub fn close_inherited() {
    // SAFETY: called first in a fresh single-threaded process, in which nothing yet owns these descriptors.
    unsafe { libc::syscall(libc::SYS_close_range, 3, u32::MAX, 0) };
}

/// Closes descriptors, by a single call of the system if their numbers follow each other.
pub fn close_together<const N: usize>(fds: [OwnedFd; N]) {
    let mut numbers = fds.each_ref().map(AsRawFd::as_raw_fd);
    numbers.sort_unstable();
    let follow_each_other = numbers.windows(2).all(|pair| pair[0] + 1 == pair[1]);
    if let (true, [first, .., last]) = (follow_each_other, &numbers[..]) {
        // SAFETY: these are just the numbers of `fds`, all owned here, and once they are closed nobody closes them again.
        if unsafe { libc::syscall(libc::SYS_close_range, *first, *last, 0) } == 0 {
            std::mem::forget(fds);
        }
    }
}

/// Becomes this user and group, and has no others, for ever.
///
/// # Errors
/// The system's refusal.
pub fn become_user(id: u32) -> Result<(), Errno> {
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
///
/// # Errors
/// The system's refusal.
pub fn unshare(flags: UnshareFlags) -> Result<(), Errno> {
    // SAFETY: descriptors are not unshared (`FILES` is not among the flags used), and there is one thread.
    unsafe { rustix::thread::unshare_unsafe(flags) }
}

/// Starts a copy of this process, which has one thread, in the new namespaces of `flags`. `None` in the copy.
///
/// # Errors
/// The system's refusal.
pub fn fork(flags: UnshareFlags) -> Result<Option<Child>, Errno> {
    let flags = libc::c_long::from(flags.bits() as i32) | libc::c_long::from(libc::SIGCHLD);
    // SAFETY: without a stack of its own and without shared memory the call is `fork`, and there is one thread, so the
    // copy has all of the process that there is.
    match unsafe { libc::syscall(libc::SYS_clone, flags, 0, 0, 0, 0) } {
        0 => Ok(None),
        -1 => Err(last_error()),
        pid => Ok(Some(Child { pid: pid as i32 })),
    }
}

/// Gives a tree of mounts, and all mounts below it, these attributes. `owners` is a user namespace whose map says who
/// owns the files there: of those on the disk (inside), which users of this machine (outside).
///
/// # Errors
/// The system's refusal.
pub fn set_mount_attributes(
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
            // Owners can be given to one mount at a time only.
            libc::AT_EMPTY_PATH | if owners.is_some() { 0 } else { libc::AT_RECURSIVE },
            &raw const wanted,
            size_of::<libc::mount_attr>(),
        )
    };
    if result == 0 { Ok(()) } else { Err(last_error()) }
}

/// The version of Landlock that the kernel has, if any.
pub fn landlock_version() -> Option<u32> {
    const VERSION: u32 = 1;
    // SAFETY: with this flag the call reads nothing and only answers with a number.
    let version = unsafe { libc::syscall(libc::SYS_landlock_create_ruleset, ptr::null::<u8>(), 0, VERSION) };
    u32::try_from(version).ok()
}

/// Sends `signal` to every other process of this namespace of processes, of which this one must be the first: elsewhere
/// it does nothing.
pub fn signal_all_others(signal: i32) {
    if rustix::process::getpid().is_init() {
        // SAFETY: the call takes two numbers; the first process of a namespace is itself exempt.
        unsafe { libc::kill(-1, signal) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    use rustix::io::fcntl_dupfd_cloexec;
    use rustix::pipe::{PipeFlags, pipe_with};

    /// Closes ends of a pipe each at these numbers; others have ends of theirs at `kept`.
    #[track_caller]
    fn check_closed(together: [i32; 3], kept: &[i32]) {
        let at = |number: &i32| {
            let (ours, end) = pipe_with(PipeFlags::CLOEXEC).unwrap();
            let end = fcntl_dupfd_cloexec(end, *number).unwrap();
            assert_eq!(end.as_raw_fd(), *number);
            (ours, end)
        };
        // A process that another test is just starting may have a copy for a moment.
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
    fn just_the_descriptors_given_are_closed() {
        check_closed([201, 202, 203], &[200, 204]);
        check_closed([213, 211, 212], &[210, 214]);
        check_closed([221, 222, 224], &[220, 223, 225]);
    }
}
