//! Seeing the system calls of a process and of all that it starts, with `ptrace`.

use super::errno::last_error;
use super::seccomp::Pass;
use super::wait::under_alarm;
use rustix::io::Errno;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::ptr;
use std::time::Duration;

impl Pass {
    /// Lets the parent of this process, which may still be in its memory, see its system calls.
    ///
    /// # Errors
    /// The system's refusal.
    pub fn be_traced(self) -> Result<(), Errno> {
        // SAFETY: this request ignores the other arguments.
        unsafe { self.call(libc::SYS_ptrace, [libc::PTRACE_TRACEME as usize, 0, 0, 0]) }.map(drop)
    }

    /// Asks for something about a process that is stopped for this one.
    fn about(self, request: libc::c_uint, pid: i32, number: usize) -> Result<(), Errno> {
        // SAFETY: the requests that are used take numbers.
        unsafe { self.call(libc::SYS_ptrace, [request as usize, pid as usize, 0, number]) }.map(drop)
    }
}

/// A call as it was made: its number and its arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Made {
    /// Its number.
    pub number: u32,
    /// What was in the registers of its arguments.
    pub arguments: [u64; 6],
}

/// What happened to a process that is traced.
pub enum TraceEvent {
    /// It is about to make this call.
    Call(Made),
    /// The process of this number ended.
    Ended {
        /// Its number.
        pid: i32,
        /// The status it exited with.
        exited: Option<i32>,
        /// The signal it died of.
        signal: Option<i32>,
    },
    /// Something else, or nothing for a while.
    Other,
}

/// Sees what processes do that were started to be traced by this one.
pub struct Tracer {
    pass: Pass,
    known: BTreeSet<i32>,
}

/// What the kernel tells of a call, as in `linux/ptrace.h`, up to the arguments.
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
    /// For processes started with this pass.
    pub fn new(pass: Pass) -> Tracer {
        Tracer { pass, known: BTreeSet::new() }
    }

    /// Waits for about `patience` until something happens, and lets the process go on.
    ///
    /// # Errors
    /// `CHILD` when there is no process any more.
    pub fn next(&mut self, patience: Duration) -> Result<TraceEvent, Errno> {
        let mut status = 0;
        // SAFETY: the pointer is to a live local, and no account is asked for.
        let mut wait = || unsafe { libc::wait4(-1, &raw mut status, libc::__WALL, ptr::null_mut()) };
        let pid = match under_alarm(patience, || Some(wait()).filter(|&pid| pid > 0).ok_or_else(last_error)) {
            Ok(pid) => pid,
            Err(Errno::INTR) => return Ok(TraceEvent::Other),
            Err(failed) => return Err(failed),
        };
        if !libc::WIFSTOPPED(status) {
            let exited = libc::WIFEXITED(status).then(|| libc::WEXITSTATUS(status));
            let signal = libc::WIFSIGNALED(status).then(|| libc::WTERMSIG(status));
            self.known.remove(&pid);
            return Ok(TraceEvent::Ended { pid, exited, signal });
        }
        let seen = self.at_stop(pid, status);
        // One that was killed meanwhile is not there to go on.
        seen.or_else(|failed| if failed == Errno::SRCH { Ok(TraceEvent::Other) } else { Err(failed) })
    }

    fn at_stop(&mut self, pid: i32, status: i32) -> Result<TraceEvent, Errno> {
        /// By this bit a stop at a call differs from one for a signal.
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
            self.pass.about(libc::PTRACE_SETOPTIONS as _, pid, options as usize)?;
        }
        let made = if signal == libc::SIGTRAP | CALL { self.call(pid)? } else { None };
        // A new process begins with a stop, and an event comes as one: none of these is a signal of its own.
        let is_signal = !(is_event || is_new || signal == libc::SIGTRAP | CALL);
        let delivered = if is_signal { signal as usize } else { 0 };
        self.pass.about(libc::PTRACE_SYSCALL as _, pid, delivered)?;
        Ok(made.map_or(TraceEvent::Other, TraceEvent::Call))
    }

    /// The call that a stopped process is about to make; `None` if it has just made one.
    fn call(&self, pid: i32) -> Result<Option<Made>, Errno> {
        const ENTRY: u8 = 1;
        const PTRACE_GET_SYSCALL_INFO: usize = 0x420e;
        let mut info = CallInfo::default();
        let arguments = [PTRACE_GET_SYSCALL_INFO, pid as usize, size_of::<CallInfo>(), (&raw mut info) as usize];
        // SAFETY: the kernel writes at most the given size to the live local, any content of which is valid.
        unsafe { self.pass.call(libc::SYS_ptrace, arguments) }?;
        let number = u32::try_from(info.number).unwrap_or(u32::MAX);
        Ok((info.kind == ENTRY).then_some(Made { number, arguments: info.arguments }))
    }
}
