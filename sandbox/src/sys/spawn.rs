//! Starting a bot's processes: as fast as the system can, which is by lending them this process's memory at first.

use super::errno::last_error;
use super::raw;
use super::seccomp::Pass;
use super::wait::{Child, ChildExit, wait_for};
use rustix::io::Errno;
use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};
use std::convert::Infallible;
use std::ffi::CString;
use std::os::fd::{AsRawFd, BorrowedFd, OwnedFd};
use std::ptr;
use std::sync::atomic::{AtomicI32, Ordering};
use std::time::Duration;

/// A program, as its processes are started.
pub struct Program {
    /// The executable's path and the arguments that always come first.
    pub argv: Vec<CString>,
    /// The environment, as `NAME=VALUE`.
    pub environment: Vec<CString>,
    /// Whether each process leads a process group of its own. (Not a session: the kernel's scheduler keeps a group
    /// of tasks for each, and making and discarding one takes as long as all else that is done for a short run.)
    pub leads_group: bool,
    /// Whether it shall be killed when its parent dies.
    pub dies_with_parent: bool,
    /// Landlock's rules that it is put under.
    pub rules: Option<OwnedFd>,
    /// For calls that it may not make once it is loaded.
    pub pass: Pass,
}

/// How a program is to be started.
pub struct Spawn {
    /// The arguments after the program's own.
    pub args: Vec<CString>,
    /// How many variables of the environment it finds, from the first.
    pub variables: usize,
    /// The working directory, unless it is the caller's.
    pub cwd: Option<CString>,
    /// Whether this process sees its system calls, by a [`super::trace::Tracer`].
    pub traced: bool,
}

/// Starts processes of one program, one after another, and nothing is copied for them: until a process has loaded
/// its program, it runs in this process's memory, on a stack kept for that.
///
/// `vfork` does the same but suspends its caller meanwhile, which costs a short run two more changes of process.
/// Here the caller may go on, and what the new process still needs is left alone until it is gone: see
/// [`Spawner::loaded`].
pub struct Spawner {
    shared: *mut Shared,
    /// The process that may still be in this one's memory.
    inside: Option<Pid>,
}

/// What a process reads and writes before its program is loaded.
struct Shared {
    program: Program,
    args: Vec<CString>,
    cwd: Option<CString>,
    traced: bool,
    argv: Vec<*const libc::c_char>,
    variables: Vec<*const libc::c_char>,
    streams: [i32; 3],
    /// Why the program could not be loaded, if not zero.
    errno: AtomicI32,
    stack: Box<[u128]>,
}

impl Spawner {
    /// 64 KiB, in units of 16 bytes: the few frames of a new process need a small part of it.
    const STACK: usize = 4096;

    /// For processes of `program`.
    pub fn new(program: Program) -> Spawner {
        let shared = Shared {
            program,
            args: Vec::new(),
            cwd: None,
            traced: false,
            argv: Vec::new(),
            variables: Vec::new(),
            streams: [-1; 3],
            errno: AtomicI32::new(0),
            stack: vec![0; Spawner::STACK].into(),
        };
        Spawner { shared: Box::into_raw(Box::new(shared)), inside: None }
    }

    /// Makes ready for processes that are started so.
    pub fn prepare(&mut self, spawn: Spawn) {
        let shared = self.alone();
        shared.args = spawn.args;
        shared.cwd = spawn.cwd;
        shared.traced = spawn.traced;
        let Program { argv, environment, .. } = &shared.program;
        point_to(argv.iter().chain(&shared.args), &mut shared.argv);
        point_to(environment.iter().take(spawn.variables), &mut shared.variables);
    }

    /// Starts a process as was prepared. What become its standard `streams` may not be 0, 1 or 2 themselves. `suspend`:
    /// this one does not go on before the program is loaded, or cannot be.
    ///
    /// # Errors
    /// The system's refusal.
    pub fn start(&mut self, streams: [BorrowedFd; 3], suspend: bool) -> Result<Child, Errno> {
        let shared = self.alone();
        shared.streams = streams.map(|fd| fd.as_raw_fd());
        shared.errno.store(0, Ordering::Relaxed);
        // Where a failure sets the `errno` that both processes share, they may not run at once.
        let suspend = suspend || !raw::SPARES_ERRNO;
        let flags = libc::CLONE_VM | libc::SIGCHLD | if suspend { libc::CLONE_VFORK } else { 0 };
        let top = shared.stack.as_mut_ptr_range().end.cast::<libc::c_void>();
        // SAFETY: all that the new process touches is in `Shared`, which neither changes nor goes away before it is
        // known to have left this memory; the top of the stack is 16-byte aligned, being the end of a slice of u128.
        // The process runs only `child_main`, which makes system calls and neither allocates, locks nor unwinds.
        let pid = unsafe { libc::clone(child_main, top, flags, self.shared.cast()) };
        if pid < 0 {
            return Err(last_error());
        }
        self.inside = if suspend { None } else { Pid::from_raw(pid) };
        Ok(Child { pid })
    }

    /// Waits for a process like [`wait_for`].
    ///
    /// # Errors
    /// As [`wait_for`].
    pub fn wait_for(&mut self, child: &Child, patience: Duration) -> Result<Option<ChildExit>, Errno> {
        let reaped = wait_for(child.pid, patience)?;
        if reaped.is_some() && self.inside.map(Pid::as_raw_nonzero).is_some_and(|pid| pid.get() == child.pid) {
            self.inside = None;
        }
        Ok(reaped)
    }

    /// Once a process that was started has ended, or its start had suspended this one: whether it ran its program.
    ///
    /// # Errors
    /// Why its program could not be loaded.
    pub fn loaded(&mut self) -> Result<(), Errno> {
        match self.alone().errno.load(Ordering::Relaxed) {
            0 => Ok(()),
            errno => Err(Errno::from_raw_os_error(errno)),
        }
    }

    /// Waits until no other process is in this one's memory.
    fn alone(&mut self) -> &mut Shared {
        if let Some(pid) = self.inside.take() {
            // It leaves when its program is loaded, but that cannot be waited for. There is no such process any more if
            // it was waited for elsewhere.
            let only_look = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT;
            while matches!(waitid(WaitId::Pid(pid), only_look), Err(Errno::INTR)) {}
        }
        // SAFETY: the pointer is that of a live box, and no process but this one is in its memory.
        unsafe { &mut *self.shared }
    }
}

impl Drop for Spawner {
    fn drop(&mut self) {
        self.alone();
        // SAFETY: the pointer came from a box, is freed only here, and nobody else uses what it points to any more.
        drop(unsafe { Box::from_raw(self.shared) });
    }
}

fn point_to<'a>(strings: impl Iterator<Item = &'a CString>, into: &mut Vec<*const libc::c_char>) {
    into.clear();
    into.extend(strings.map(|string| string.as_ptr()));
    into.push(ptr::null());
}

extern "C" fn child_main(shared: *mut libc::c_void) -> libc::c_int {
    // SAFETY: the pointer is that of the live `Shared` of a `Spawner`, of which the other process changes nothing.
    let shared = unsafe { &*shared.cast::<Shared>() };
    let Err(errno) = become_program(shared);
    shared.errno.store(errno.raw_os_error(), Ordering::Relaxed);
    // SAFETY: the call takes a number and does not return.
    unsafe { libc::_exit(127) }
}

/// Makes this process, which is still in the other's memory, what it was started for.
fn become_program(shared: &Shared) -> Result<Infallible, Errno> {
    if shared.program.leads_group {
        shared.program.pass.lead_group()?;
    }
    if shared.program.dies_with_parent {
        rustix::process::set_parent_process_death_signal(Some(rustix::process::Signal::KILL))?;
    }
    // SAFETY: these are descriptors that the starter held open when this process was made with copies of them.
    let [input, output, errors] = shared.streams.map(|fd| unsafe { BorrowedFd::borrow_raw(fd) });
    rustix::stdio::dup2_stdin(input)?;
    rustix::stdio::dup2_stdout(output)?;
    rustix::stdio::dup2_stderr(errors)?;
    if let Some(rules) = &shared.program.rules {
        shared.program.pass.restrict_self(rules)?;
    }
    if let Some(cwd) = &shared.cwd {
        rustix::process::chdir(cwd.as_c_str())?;
    }
    if shared.traced {
        shared.program.pass.be_traced()?;
    }
    let arguments = [shared.argv[0] as usize, shared.argv.as_ptr() as usize, shared.variables.as_ptr() as usize];
    let [path, argv, variables] = arguments;
    // SAFETY: these are a string and two lists of them that end with null, which live as long as `shared`. The call
    // changes no memory of this process, and returns only on failure.
    let failed = unsafe { raw::call(libc::SYS_execve, [path, argv, variables, 0, 0, 0]) };
    Err(failed.err().unwrap_or(Errno::NOEXEC))
}
