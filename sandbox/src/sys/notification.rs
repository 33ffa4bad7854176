//! Receives notifications of system calls that a filter leaves to another process, and replies to them.

use super::last_error;
use super::trace::SystemCall;
use rustix::io::Errno;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};

/// Receives notifications of calls and sends the replies, by a descriptor that [`super::filter_with_listener`]
/// returned. When it is closed, the calls fail with `ENOSYS`.
#[derive(Debug)]
pub(crate) struct Listener(pub OwnedFd);

/// A call that waits for a reply.
#[derive(Debug)]
pub(crate) struct Notification {
    /// The kernel's number for this notification.
    pub id: u64,
    /// The number of the thread that made the call; 0 if it is outside this process's namespace.
    pub thread: u32,
    pub call: SystemCall,
}

impl Listener {
    /// Receives a notification. Does not block if the listener is readable and nothing else receives from it.
    ///
    /// # Errors
    /// `NOENT` if the caller was killed meanwhile.
    pub(crate) fn receive(&self) -> Result<Notification, Errno> {
        // SAFETY: the structure consists of integers, for which zero is valid; the kernel demands zeros.
        let mut found: libc::seccomp_notif = unsafe { std::mem::zeroed() };
        // SAFETY: the descriptor is open; the kernel writes the structure that belongs to this request to a live local.
        if unsafe { libc::ioctl(self.0.as_raw_fd(), libc::SECCOMP_IOCTL_NOTIF_RECV, &raw mut found) } != 0 {
            return Err(last_error());
        }
        let call = SystemCall { number: found.data.nr as u32, arguments: found.data.args };
        Ok(Notification { id: found.id, thread: found.pid, call })
    }

    /// Whether the call still waits. If it does, the number of its thread has not been reused.
    pub(crate) fn still_waits(&self, notification: &Notification) -> bool {
        let id = notification.id;
        // SAFETY: the descriptor is open; the kernel reads a number of this size from a live local.
        unsafe { libc::ioctl(self.0.as_raw_fd(), libc::SECCOMP_IOCTL_NOTIF_ID_VALID, &raw const id) == 0 }
    }

    /// Makes the call return `result`. Does nothing if its caller was killed.
    pub(crate) fn reply(&self, notification: &Notification, result: Result<(), Errno>) {
        let error = result.map_or_else(|errno| -errno.raw_os_error(), |()| 0);
        let reply = libc::seccomp_notif_resp { id: notification.id, val: 0, error, flags: 0 };
        // SAFETY: the descriptor is open; the kernel reads the structure that belongs to this request from a live
        // local.
        unsafe { libc::ioctl(self.0.as_raw_fd(), libc::SECCOMP_IOCTL_NOTIF_SEND, &raw const reply) };
    }
}

impl AsFd for Listener {
    /// Readable when a call waits, hung up when all processes under the filter have ended.
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.0.as_fd()
    }
}
