//! Starts a bot's processes as fast as possible: in this process's memory, without copying it.

use super::seccomp::Pass;
use super::wait::{Child, ChildExit, wait_for};
use super::{exit, last_error, raw_call};
use rustix::io::Errno;
use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};
use std::convert::Infallible;
use std::ffi::CString;
use std::mem::MaybeUninit;
use std::ops::Range;
use std::os::fd::{AsRawFd, BorrowedFd, OwnedFd};
use std::ptr;
use std::sync::atomic::{AtomicI32, Ordering};
use std::time::Duration;

/// A program, and what all of its processes have in common.
pub(crate) struct SpawnProgram {
    /// The executable's path and the arguments that always come first.
    pub argv: Vec<CString>,
    /// The environment, as `NAME=VALUE`.
    pub environment: Vec<CString>,
    /// Whether each process leads a process group of its own. (Not a session: the kernel's scheduler keeps a group
    /// of tasks for each session, and creating and removing that takes as long as everything else in a short run.)
    pub leads_group: bool,
    /// Whether each process is killed when its parent dies.
    pub dies_with_parent: bool,
    /// Landlock's rules for each process.
    pub rules: Option<OwnedFd>,
    /// The pass for calls that the filter forbids and that are made before the program is loaded.
    pub pass: Pass,
}

/// How a process of the program is started.
#[derive(Default)]
pub(crate) struct Spawn {
    /// The arguments after the program's own.
    pub args: Vec<CString>,
    /// Which variables of the environment it gets.
    pub variables: Range<usize>,
    /// The working directory; the caller's if `None`.
    pub cwd: Option<CString>,
    /// Whether a [`super::trace::Tracer`] in this process sees its system calls.
    pub traced: bool,
}

/// Starts processes of one program, one after another, without copying anything for them: until a process has loaded
/// its program, it runs in this process's memory, on a stack that is kept for that purpose.
///
/// `vfork` does the same but suspends its caller meanwhile, which costs a short run two more context switches. Here the
/// caller may continue, and does not touch what the new process still needs until that process is gone (see
/// [`Spawner::loaded`]).
pub(crate) struct Spawner {
    shared: *mut SpawnShared,
    /// The process that may still run in this one's memory.
    sharing_memory: Option<Pid>,
}

/// What a new process reads and writes before its program is loaded.
struct SpawnShared {
    program: SpawnProgram,
    spawn: Spawn,
    argv: Vec<*const libc::c_char>,
    variables: Vec<*const libc::c_char>,
    streams: [i32; 3],
    /// The error with which the program could not be loaded; 0 if none.
    errno: AtomicI32,
    /// Not filled with zeros, which would write every page: a new process touches only a few pages, and the kernel
    /// makes a page only when it is first written.
    stack: Box<[MaybeUninit<u128>]>,
}

impl Spawner {
    /// 64 KiB, in units of 16 bytes. A new process needs only a small part of it.
    const STACK: usize = 4096;

    pub(crate) fn new(program: SpawnProgram) -> Spawner {
        let shared = SpawnShared {
            program,
            spawn: Spawn::default(),
            argv: Vec::new(),
            variables: Vec::new(),
            streams: [-1; 3],
            errno: AtomicI32::new(0),
            stack: Box::new_uninit_slice(Spawner::STACK),
        };
        Spawner { shared: Box::into_raw(Box::new(shared)), sharing_memory: None }
    }

    /// Prepares to start processes with the arguments, variables and working directory of `spawn`.
    pub(crate) fn prepare(&mut self, spawn: Spawn) {
        let shared = self.wait_until_alone();
        shared.spawn = spawn;
        let SpawnProgram { argv, environment, .. } = &shared.program;
        fill_pointers(argv.iter().chain(&shared.spawn.args), &mut shared.argv);
        fill_pointers(environment[shared.spawn.variables.clone()].iter(), &mut shared.variables);
    }

    /// Starts a process as prepared. The descriptors that become its standard `streams` must not be 0, 1 or 2
    /// themselves. With `suspend`, this process does not continue until the program is loaded or has failed to load.
    pub(crate) fn start(&mut self, streams: [BorrowedFd; 3], suspend: bool) -> Result<Child, Errno> {
        let shared = self.wait_until_alone();
        shared.streams = streams.map(|fd| fd.as_raw_fd());
        shared.errno.store(0, Ordering::Relaxed);
        let flags = libc::CLONE_VM | libc::SIGCHLD | if suspend { libc::CLONE_VFORK } else { 0 };
        let top = shared.stack.as_mut_ptr_range().end.cast::<libc::c_void>();
        // SAFETY: all that the new process touches is in `SpawnShared`, which neither changes nor is freed before the
        // process is known to have left this memory; the top of the stack is 16-byte aligned, as the end of a slice
        // of u128. The process runs only `child_main`, which makes system calls and neither allocates, locks nor
        // unwinds.
        let pid = unsafe { libc::clone(child_main, top, flags, self.shared.cast()) };
        if pid < 0 {
            return Err(last_error());
        }
        self.sharing_memory = if suspend { None } else { Pid::from_raw(pid) };
        Ok(Child { pid })
    }

    /// Waits for a process like [`wait_for`].
    pub(crate) fn wait_for(&mut self, child: &Child, patience: Duration) -> Result<Option<ChildExit>, Errno> {
        let reaped = wait_for(child.pid, patience)?;
        if reaped.is_some() && self.sharing_memory == Pid::from_raw(child.pid) {
            self.sharing_memory = None;
        }
        Ok(reaped)
    }

    /// Checks whether the last process loaded its program. Waits for that process to end, unless its start suspended
    /// this one.
    ///
    /// # Errors
    /// The error with which the program could not be loaded.
    pub(crate) fn loaded(&mut self) -> Result<(), Errno> {
        match self.wait_until_alone().errno.load(Ordering::Relaxed) {
            0 => Ok(()),
            errno => Err(Errno::from_raw_os_error(errno)),
        }
    }

    /// Waits until no other process runs in this one's memory.
    fn wait_until_alone(&mut self) -> &mut SpawnShared {
        if let Some(pid) = self.sharing_memory.take() {
            // The process leaves this memory when its program is loaded. That moment cannot be awaited, so wait for its
            // end. An error other than an interruption means that it was already waited for elsewhere.
            let only_look = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT;
            while matches!(waitid(WaitId::Pid(pid), only_look), Err(Errno::INTR)) {}
        }
        // SAFETY: the pointer is that of a live box, and no other process runs in this memory.
        unsafe { &mut *self.shared }
    }
}

impl Drop for Spawner {
    fn drop(&mut self) {
        self.wait_until_alone();
        // SAFETY: the pointer came from a box and is freed only here, and nothing else uses what it points to any
        // more.
        drop(unsafe { Box::from_raw(self.shared) });
    }
}

fn fill_pointers<'a>(strings: impl Iterator<Item = &'a CString>, into: &mut Vec<*const libc::c_char>) {
    into.clear();
    into.extend(strings.map(|string| string.as_ptr()));
    into.push(ptr::null());
}

extern "C" fn child_main(shared: *mut libc::c_void) -> libc::c_int {
    // SAFETY: the pointer is that of the live `SpawnShared` of a `Spawner`, which the parent does not change meanwhile.
    let shared = unsafe { &*shared.cast::<SpawnShared>() };
    let Err(errno) = become_program(shared);
    shared.errno.store(errno.raw_os_error(), Ordering::Relaxed);
    exit(127)
}

/// Turns this process, which still runs in its parent's memory, into the program.
fn become_program(shared: &SpawnShared) -> Result<Infallible, Errno> {
    if shared.program.leads_group {
        shared.program.pass.lead_group()?;
    }
    if shared.program.dies_with_parent {
        rustix::process::set_parent_process_death_signal(Some(rustix::process::Signal::KILL))?;
    }
    // SAFETY: the parent held these descriptors open when this process got its copies of them.
    let [input, output, errors] = shared.streams.map(|fd| unsafe { BorrowedFd::borrow_raw(fd) });
    rustix::stdio::dup2_stdin(input)?;
    rustix::stdio::dup2_stdout(output)?;
    rustix::stdio::dup2_stderr(errors)?;
    if let Some(rules) = &shared.program.rules {
        shared.program.pass.restrict_self(rules)?;
    }
    if let Some(cwd) = &shared.spawn.cwd {
        rustix::process::chdir(cwd.as_c_str())?;
    }
    if shared.spawn.traced {
        shared.program.pass.be_traced()?;
    }
    let path = shared.argv[0] as usize;
    let argv = shared.argv.as_ptr() as usize;
    let variables = shared.variables.as_ptr() as usize;
    // SAFETY: these are a string and two null-terminated lists of strings, which live as long as `shared`. The call
    // changes no memory of this process, and returns only on failure.
    let failed = unsafe { raw_call(libc::SYS_execve, [path, argv, variables, 0, 0, 0]) };
    Err(failed.err().unwrap_or(Errno::NOEXEC))
}
