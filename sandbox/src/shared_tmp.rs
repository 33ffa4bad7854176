//! Where all bots share one `/tmp`, two games must not use the same mark at the same time (B9).
//!
//! A claim is a Unix socket bound to an abstract name: it holds against threads and against other runs of the
//! kit, leaves no file, and the kernel drops it with the process, however that ends.

use rustix::net::{AddressFamily, SocketAddrUnix, SocketFlags, SocketType, bind, socket_with};
use std::os::fd::OwnedFd;
use std::time::Duration;

/// The right to use some marks' state files, until dropped.
#[derive(Debug, Default)]
pub struct MarkClaim {
    _held: Vec<OwnedFd>,
}

/// Waits until none else uses one of `marks`, and claims them.
///
/// # Errors
/// When the system gives no socket.
pub fn claim_marks(marks: &[u8]) -> std::io::Result<MarkClaim> {
    let mut sorted = marks.to_vec();
    sorted.sort_unstable();
    sorted.dedup();
    // Everyone claims in the same order, so that no two wait for each other.
    let held = sorted.into_iter().map(claim).collect::<std::io::Result<_>>()?;
    Ok(MarkClaim { _held: held })
}

fn claim(mark: u8) -> std::io::Result<OwnedFd> {
    let name = SocketAddrUnix::new_abstract_name(&[b"cornerman/arena.".as_slice(), &[mark]].concat())?;
    loop {
        let claim = socket_with(AddressFamily::UNIX, SocketType::DGRAM, SocketFlags::CLOEXEC, None)?;
        match bind(&claim, &name) {
            Ok(()) => return Ok(claim),
            Err(rustix::io::Errno::ADDRINUSE) => std::thread::sleep(Duration::from_millis(2)),
            Err(refused) => return Err(refused.into()),
        }
    }
}
