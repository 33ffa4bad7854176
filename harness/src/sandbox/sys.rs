//! The few system calls that have no safe form. The only unsafe code of the project.
#![expect(unsafe_code, reason = "the one file of unsafe code, each block with its argument")]

use rustix::io::Errno;
use rustix::mount::MountAttrFlags;
use rustix::process::{Pid, PidfdFlags, WaitId, WaitIdOptions, pidfd_open, waitid};
use rustix::thread::UnshareFlags;
use std::convert::Infallible;
use std::ffi::CString;
use std::io;
use std::os::fd::{AsRawFd, BorrowedFd, OwnedFd};
use std::ptr;
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};
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
}

/// How a program is to be started.
pub struct Spawn {
    /// The arguments after the program's own.
    pub args: Vec<CString>,
    /// How many variables of the environment it finds, from the first.
    pub variables: usize,
    /// The working directory, unless it is the caller's.
    pub cwd: Option<CString>,
}

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
        // A failure of Landlock's, and of a program's loading where that is the C library's, sets the `errno` that
        // both processes share: then they may not run at once.
        let suspend = suspend || shared.program.rules.is_some() || !execute::SPARES_ERRNO;
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
    pub fn wait_for(&mut self, child: &Child, patience: Duration) -> Result<Option<Reaped>, Errno> {
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
        rustix::process::setpgid(None, None)?;
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
        // SAFETY: the call takes two numbers.
        if unsafe { libc::syscall(libc::SYS_landlock_restrict_self, rules.as_raw_fd(), 0) } != 0 {
            return Err(last_error());
        }
    }
    if let Some(cwd) = &shared.cwd {
        rustix::process::chdir(cwd.as_c_str())?;
    }
    Err(execute::execute(&shared.argv, &shared.variables))
}

/// The loading of a program, by a call that leaves `errno` alone where the architecture is a common one.
mod execute {
    use rustix::io::Errno;

    /// Whether it does.
    pub const SPARES_ERRNO: bool = cfg!(any(target_arch = "x86_64", target_arch = "aarch64"));

    /// Loads the program that the first of `argv` names. Both lists end with null. Returns only on failure.
    pub fn execute(argv: &[*const libc::c_char], environment: &[*const libc::c_char]) -> Errno {
        let answer: libc::c_long;
        // SAFETY: the pointers are to strings and lists of them that live as long as the caller, and the call
        // changes no memory. The registers are those of the architecture's calls of the system.
        #[cfg(target_arch = "x86_64")]
        unsafe {
            std::arch::asm!(
                "syscall",
                inlateout("rax") libc::SYS_execve => answer,
                in("rdi") argv[0], in("rsi") argv.as_ptr(), in("rdx") environment.as_ptr(),
                lateout("rcx") _, lateout("r11") _,
                options(nostack),
            );
        }
        // SAFETY: as above.
        #[cfg(target_arch = "aarch64")]
        unsafe {
            std::arch::asm!(
                "svc 0",
                in("x8") libc::SYS_execve,
                inlateout("x0") argv[0] => answer,
                in("x1") argv.as_ptr(), in("x2") environment.as_ptr(),
                options(nostack),
            );
        }
        // SAFETY: as above.
        #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
        unsafe {
            libc::execve(argv[0], argv.as_ptr(), environment.as_ptr());
            answer = -libc::c_long::from(*libc::__errno_location());
        }
        Errno::from_raw_os_error(answer.unsigned_abs() as i32)
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
    WAITING.store(true, Ordering::Relaxed);
    if !ALARM_IS_ON.swap(true, Ordering::Relaxed) {
        set_alarm(patience.max(Duration::from_micros(1)));
    }
    let found = wait_once(pid, 0);
    WAITING.store(false, Ordering::Relaxed);
    match found {
        Err(Errno::INTR) => Ok(None),
        other => other,
    }
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

/// Moves this process, which has one thread, into new namespaces.
///
/// # Errors
/// The system's refusal.
pub fn unshare(flags: UnshareFlags) -> Result<(), Errno> {
    // SAFETY: descriptors are not unshared (`FILES` is not among the flags used), and there is one thread.
    unsafe { rustix::thread::unshare_unsafe(flags) }
}

/// Goes on in a child of this process. This one closes all but the descriptors `kept`, waits for that child, does
/// what is to be done `at_the_end`, and ends as the child ended.
///
/// # Errors
/// The system's refusal.
pub fn go_on_as_child<'a>(
    kept: impl Iterator<Item = BorrowedFd<'a>>,
    at_the_end: impl FnOnce(),
) -> Result<(), Errno> {
    // SAFETY: there is one thread, so the child has all of the process that there is.
    match unsafe { libc::fork() } {
        0 => Ok(()),
        -1 => Err(last_error()),
        child => {
            close_others(kept);
            let ended = wait(child, true).ok().flatten();
            at_the_end();
            std::process::exit(ended.and_then(|reaped| reaped.exited).unwrap_or(3));
        }
    }
}

/// Closes every descriptor from 3 up but those `kept`.
fn close_others<'a>(kept: impl Iterator<Item = BorrowedFd<'a>>) {
    let mut kept: Vec<u32> = kept.map(|fd| fd.as_raw_fd() as u32).collect();
    kept.sort_unstable();
    let mut first = 3;
    for fd in kept.into_iter().chain([u32::MAX]) {
        if fd > first {
            // SAFETY: whoever owns these descriptors never runs again in this process, which only waits.
            unsafe { libc::syscall(libc::SYS_close_range, first, fd - 1, 0) };
        }
        first = fd.saturating_add(1);
    }
}

/// Gives a tree of mounts, and all mounts below it, these attributes.
///
/// # Errors
/// The system's refusal.
pub fn set_mount_attributes(tree: &OwnedFd, attributes: MountAttrFlags) -> Result<(), Errno> {
    let wanted =
        libc::mount_attr { attr_set: u64::from(attributes.bits()), attr_clr: 0, propagation: 0, userns_fd: 0 };
    // SAFETY: the path is an empty string of static life, the structure a live local, its size its own.
    let result = unsafe {
        libc::syscall(
            libc::SYS_mount_setattr,
            tree.as_raw_fd(),
            c"".as_ptr(),
            libc::AT_EMPTY_PATH | libc::AT_RECURSIVE,
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

/// Kills every other process of this namespace of processes, of which this one must be the first: elsewhere it
/// does nothing.
pub fn kill_all_others() {
    if rustix::process::getpid().is_init() {
        // SAFETY: the call takes two numbers; the first process of a namespace is itself exempt.
        unsafe { libc::kill(-1, libc::SIGKILL) };
    }
}
