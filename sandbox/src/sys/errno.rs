//! The error number of the C library.

use rustix::io::Errno;
use std::io;

/// What the last call that failed left there.
pub fn last_error() -> Errno {
    Errno::from_io_error(&io::Error::last_os_error()).unwrap_or(Errno::IO)
}
