//! Starts keepers. They are forked from a launcher: a process that this one starts before its first sandbox, and that
//! lives as long as this one.

use super::cgroup;
use super::sys;
use super::wire::wait_until;
use rustix::event::PollFlags;
use rustix::process::{Pid, Signal, pidfd_send_signal};
use rustix::thread::{CpuSet, sched_setaffinity};
use std::io::{self, Read};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The name under which this program starts itself as the launcher.
pub(crate) const LAUNCHER_NAME: &str = "cornerman-sandbox";

/// How long a launcher may take to fork a keeper, and a keeper to end.
const PATIENCE: Duration = Duration::from_secs(30);

/// The running launcher, once there is one.
static LAUNCHER: Mutex<Option<Launcher>> = Mutex::new(None);

struct Launcher {
    process: Child,
    socket: UnixStream,
}

impl Launcher {
    fn start() -> io::Result<Launcher> {
        // Find the hierarchy first: this process may have to move into another group so that groups can be created
        // below its old one, and that works only if nothing else is in the old one, not even this launcher.
        cgroup::hierarchy().as_ref().ok();
        let (socket, theirs) = UnixStream::pair()?;
        socket.set_read_timeout(Some(PATIENCE))?;
        let process = Command::new("/proc/self/exe")
            .arg0(LAUNCHER_NAME)
            .env_clear()
            .stdin(Stdio::from(OwnedFd::from(theirs)))
            .stdout(Stdio::null())
            .stderr(Stdio::inherit())
            // In a process group of its own, because a Ctrl-C at the terminal is meant for this program.
            .process_group(0)
            .spawn()?;
        Ok(Launcher { process, socket })
    }

    /// Forks a keeper. Returns its process number, or the negative error number if the launcher could not fork.
    fn fork(&mut self, socket: &UnixStream) -> io::Result<i32> {
        sys::Pass::default().send_descriptors(self.socket.as_fd(), [socket.as_fd(), io::stderr().as_fd()])?;
        let mut reply = [0; 4];
        self.socket.read_exact(&mut reply)?;
        Ok(i32::from_ne_bytes(reply))
    }
}

impl Drop for Launcher {
    fn drop(&mut self) {
        self.process.kill().ok();
        self.process.wait().ok();
    }
}

/// Starts a keeper that serves the other end of `socket` and writes its errors to this process's standard error. The
/// launcher forks it as its own sibling, so the keeper is a child of this process.
pub(crate) fn start_keeper(socket: &UnixStream) -> io::Result<KeeperProcess> {
    let mut launcher = LAUNCHER.lock().unwrap_or_else(PoisonError::into_inner);
    let running = launcher.as_mut().and_then(|running| running.fork(socket).ok());
    let number = match running {
        Some(number) => number,
        // There is no launcher yet, or it was killed.
        None => launcher.insert(Launcher::start()?).fork(socket)?,
    };
    if number < 0 {
        return Err(io::Error::from_raw_os_error(-number));
    }
    Ok(KeeperProcess { child: sys::Child { pid: number }, ended: None })
}

#[derive(Debug)]
pub(crate) struct KeeperProcess {
    child: sys::Child,
    /// Set once it was waited for: the status with which it exited; `Some(None)` if it was killed.
    ended: Option<Option<i32>>,
}

impl KeeperProcess {
    /// A handle that becomes readable when the process ends.
    pub(crate) fn handle(&self) -> io::Result<OwnedFd> {
        Ok(sys::Pass::default().open_process(self.child.pid)?)
    }

    /// Restricts it, and the servers and bots that it will start, to these processors.
    pub(crate) fn use_processors(&self, processors: &CpuSet) -> io::Result<()> {
        Ok(sched_setaffinity(Pid::from_raw(self.child.pid), processors)?)
    }

    /// Waits until it has ended, and kills it after [`PATIENCE`]. Returns the status with which it exited; `None`
    /// if it was killed.
    pub(crate) fn wait(&mut self) -> Option<i32> {
        let wait = || {
            if let Ok(handle) = sys::Pass::default().open_process(self.child.pid)
                && matches!(wait_until(&handle, PollFlags::IN, Instant::now() + PATIENCE), Ok(false))
            {
                pidfd_send_signal(&handle, Signal::KILL).ok();
            }
            sys::wait(self.child.pid, true).ok().flatten().and_then(|exit| exit.status.code())
        };
        *self.ended.get_or_insert_with(wait)
    }
}
