//! Traces the system calls of a process and of all its descendants, with `ptrace`.

use super::last_error;
use super::seccomp::Pass;
use super::wait::under_alarm;
use rustix::io::Errno;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;
use std::ptr;
use std::time::Duration;

impl Pass {
    /// Lets the parent of this process trace it. This works while the process still runs in its parent's memory.
    pub(crate) fn be_traced(self) -> Result<(), Errno> {
        // SAFETY: this request ignores the other arguments.
        unsafe { self.call(libc::SYS_ptrace, [libc::PTRACE_TRACEME as usize, 0, 0, 0]) }.map(drop)
    }

    /// Sends a `ptrace` request, with a `number` as its data, about a stopped process that this one traces.
    fn send_request(self, request: libc::c_uint, pid: i32, number: usize) -> Result<(), Errno> {
        // SAFETY: the requests used here take numbers.
        unsafe { self.call(libc::SYS_ptrace, [request as usize, pid as usize, 0, number]) }.map(drop)
    }
}

/// A system call as a bot made it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct SystemCall {
    /// The call's number.
    pub number: u32,
    /// The registers of its arguments.
    pub arguments: [u64; 6],
}

/// What happened to a traced process.
pub(crate) enum TraceEvent {
    /// It is about to make this system call.
    Call(SystemCall),
    Ended {
        pid: i32,
        /// The status it exited with, or the signal that killed it.
        status: ExitStatus,
    },
    /// Something else happened, or nothing for a while.
    Other,
}

/// Traces the processes that were started with [`super::Spawn::traced`], and their descendants.
pub(crate) struct Tracer {
    pass: Pass,
    /// The processes that have stopped before.
    known: BTreeSet<i32>,
}

/// The kernel's information about a call, as in `linux/ptrace.h`, up to the arguments.
#[repr(C)]
#[derive(Default)]
struct CallInfo {
    kind: u8,
    architecture: u32,
    instruction: u64,
    stack: u64,
    number: u64,
    arguments: [u64; 6],
}

impl Tracer {
    /// A tracer of processes that were started with this pass.
    pub(crate) fn new(pass: Pass) -> Tracer {
        Tracer { pass, known: BTreeSet::new() }
    }

    /// Waits until something happens, for about `patience` at most, and lets the process continue.
    ///
    /// # Errors
    /// `CHILD` when no process is left.
    pub(crate) fn next(&mut self, patience: Duration) -> Result<TraceEvent, Errno> {
        let mut status = 0;
        // SAFETY: the pointer is to a live local, and no resource usage is asked for.
        let mut wait = || unsafe { libc::wait4(-1, &raw mut status, libc::__WALL, ptr::null_mut()) };
        let pid = match under_alarm(patience, || Some(wait()).filter(|&pid| pid > 0).ok_or_else(last_error)) {
            Ok(pid) => pid,
            Err(Errno::INTR) => return Ok(TraceEvent::Other),
            Err(failed) => return Err(failed),
        };
        if !libc::WIFSTOPPED(status) {
            self.known.remove(&pid);
            return Ok(TraceEvent::Ended { pid, status: ExitStatus::from_raw(status) });
        }
        let seen = self.handle_stop(pid, status);
        // It is not an error if the process was killed meanwhile.
        seen.or_else(|failed| if failed == Errno::SRCH { Ok(TraceEvent::Other) } else { Err(failed) })
    }

    /// Lets a stopped process continue. Returns the call that it is about to make, if it stopped for that.
    fn handle_stop(&mut self, pid: i32, status: i32) -> Result<TraceEvent, Errno> {
        /// This bit distinguishes a stop at a call from one for a signal.
        const CALL: i32 = 0x80;
        let signal = libc::WSTOPSIG(status);
        let is_event = status >> 16 != 0;
        let is_new = self.known.insert(pid);
        if is_new {
            let options = libc::PTRACE_O_TRACESYSGOOD
                | libc::PTRACE_O_TRACEFORK
                | libc::PTRACE_O_TRACEVFORK
                | libc::PTRACE_O_TRACECLONE
                | libc::PTRACE_O_TRACEEXEC
                | libc::PTRACE_O_EXITKILL;
            self.pass.send_request(libc::PTRACE_SETOPTIONS as _, pid, options as usize)?;
        }
        let call = if signal == libc::SIGTRAP | CALL { self.call(pid)? } else { None };
        // New processes begin with a stop, and events are reported as stops. These are not signals to deliver.
        let is_signal = !(is_event || is_new || signal == libc::SIGTRAP | CALL);
        let delivered = if is_signal { signal as usize } else { 0 };
        self.pass.send_request(libc::PTRACE_SYSCALL as _, pid, delivered)?;
        Ok(call.map_or(TraceEvent::Other, TraceEvent::Call))
    }

    /// The call that a stopped process is about to make; `None` if it has just returned from one.
    fn call(&self, pid: i32) -> Result<Option<SystemCall>, Errno> {
        const ENTRY: u8 = 1;
        const PTRACE_GET_SYSCALL_INFO: usize = 0x420e;
        let mut info = CallInfo::default();
        let arguments = [PTRACE_GET_SYSCALL_INFO, pid as usize, size_of::<CallInfo>(), (&raw mut info) as usize];
        // SAFETY: the kernel writes at most the given size to the live local, any content of which is valid.
        unsafe { self.pass.call(libc::SYS_ptrace, arguments) }?;
        let number = u32::try_from(info.number).unwrap_or(u32::MAX);
        Ok((info.kind == ENTRY).then_some(SystemCall { number, arguments: info.arguments }))
    }
}
