//! Waits for processes, and installs handlers for the signals that end a wait or are ignored.

use super::last_error;
use rustix::io::{Errno, retry_on_intr};
use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;
use std::ptr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// A process that was started and not yet waited for.
#[derive(Debug)]
pub(crate) struct Child {
    pub pid: i32,
}

/// How a process ended, and what it and the processes it waited for used.
pub(crate) struct ChildExit {
    /// The status it exited with, or the signal that killed it.
    pub status: ExitStatus,
    /// Time in user mode.
    pub user: Duration,
    /// Time in the kernel.
    pub system: Duration,
    /// The largest resident memory, in bytes.
    pub peak_memory: u64,
    /// How often a page had to be read from a disk.
    pub major_faults: u64,
}

/// Waits for a child, or for any child if `pid` is -1. Without `block`, returns `None` if none has ended yet.
///
/// # Errors
/// `CHILD` when there is no such child process.
pub(crate) fn wait(pid: i32, block: bool) -> Result<Option<ChildExit>, Errno> {
    retry_on_intr(|| wait_once(pid, if block { 0 } else { libc::WNOHANG }))
}

/// Waits for a child for about `patience` at most, or until a signal comes. Returns `None` if it has not ended yet.
///
/// The alarm that ends the wait stays on for the next wait, so that consecutive waits need no system call for it. A
/// process handle and a poll would take three. An alarm that comes between waits turns itself off. `patience` should
/// be the same each time, because the alarm keeps the first value.
///
/// # Errors
/// `CHILD` when there is no such child.
pub(super) fn wait_for(pid: i32, patience: Duration) -> Result<Option<ChildExit>, Errno> {
    match under_alarm(patience, || wait_once(pid, 0)) {
        Err(Errno::INTR) => Ok(None),
        other => other,
    }
}

/// Calls `wait`, which an alarm interrupts after about `patience`.
pub(super) fn under_alarm<T>(patience: Duration, wait: impl FnOnce() -> T) -> T {
    WAITING.store(true, Ordering::Relaxed);
    if !ALARM_IS_ON.swap(true, Ordering::Relaxed) {
        set_alarm(patience.max(Duration::from_micros(1)));
    }
    let found = wait();
    WAITING.store(false, Ordering::Relaxed);
    found
}

/// Whether a wait is going on that an alarm may end.
static WAITING: AtomicBool = AtomicBool::new(false);
/// Whether the repeating alarm is set.
static ALARM_IS_ON: AtomicBool = AtomicBool::new(false);

/// Installs the handler for the alarms that end [`wait_for`].
pub(crate) fn handle_alarms() {
    extern "C" fn alarm(_: i32) {
        if !WAITING.load(Ordering::Relaxed) {
            set_alarm(Duration::ZERO);
            ALARM_IS_ON.store(false, Ordering::Relaxed);
        }
    }
    set_handler(libc::SIGALRM, alarm, 0);
}

/// Makes this process receive an alarm each time that the interval `every` has passed; zero turns it off. The alarm
/// repeats because a single one that came before the wait began would be lost.
fn set_alarm(every: Duration) {
    let every = libc::timeval { tv_sec: every.as_secs() as _, tv_usec: every.subsec_micros().into() };
    let timer = libc::itimerval { it_interval: every, it_value: every };
    // SAFETY: the structure is a live local, and the old timer is not asked for. A signal handler may call this,
    // because it does nothing but one system call.
    unsafe { libc::setitimer(libc::ITIMER_REAL, &raw const timer, ptr::null_mut()) };
}

fn wait_once(pid: i32, flags: i32) -> Result<Option<ChildExit>, Errno> {
    let mut status = 0;
    // SAFETY: all zeroes is a valid `rusage`, a structure of integers.
    let mut usage: libc::rusage = unsafe { std::mem::zeroed() };
    // SAFETY: both pointers are to live locals of the right types.
    match unsafe { libc::wait4(pid, &raw mut status, flags, &raw mut usage) } {
        0 => Ok(None),
        -1 => Err(last_error()),
        _ => Ok(Some(ChildExit {
            status: ExitStatus::from_raw(status),
            user: to_duration(usage.ru_utime),
            system: to_duration(usage.ru_stime),
            peak_memory: usage.ru_maxrss as u64 * 1024,
            major_faults: usage.ru_majflt.cast_unsigned(),
        })),
    }
}

fn to_duration(time: libc::timeval) -> Duration {
    Duration::from_secs(time.tv_sec as u64) + Duration::from_micros(time.tv_usec as u64)
}

/// Ignores a signal in this process. The programs that it starts get the default action.
pub(crate) fn ignore_signal(signal: i32) {
    extern "C" fn nothing(_: i32) {}
    set_handler(signal, nothing, libc::SA_RESTART);
}

/// Installs `handler` for `signal`. It may do only what is allowed in a signal handler.
fn set_handler(signal: i32, handler: extern "C" fn(i32), flags: i32) {
    // SAFETY: the two handlers of this file touch only atomics and the timer, so they may interrupt anything; the
    // structure is valid when zeroed.
    unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        action.sa_sigaction = handler as libc::sighandler_t;
        action.sa_flags = flags;
        libc::sigaction(signal, &raw const action, ptr::null_mut());
    }
}
