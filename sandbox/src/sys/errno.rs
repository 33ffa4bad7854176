//! Reads the C library's error number.

use rustix::io::Errno;
use std::io;

/// The error of the last call that failed.
pub(super) fn last_error() -> Errno {
    Errno::from_io_error(&io::Error::last_os_error()).unwrap_or(Errno::IO)
}
