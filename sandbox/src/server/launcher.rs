//! The launcher: this program, started again once, from which the keepers of all sandboxes are forked. It is small
//! and has one thread, so forking it costs much less than starting the program for each sandbox.

use super::keeper;
use crate::sys;
use crate::wire::receive_descriptors;
use std::fs::File;
use std::io::{self, Write};
use std::os::fd::AsFd;
use std::os::unix::net::UnixStream;
use std::process::exit;

/// Starts a keeper for each socket that the client sends through standard input, and replies with the keeper's process
/// number, or with a negative error number. Exits when the client is gone.
pub(crate) fn serve() -> ! {
    exit(take_socket().and_then(launch).unwrap_or_else(keeper::failed))
}

fn launch(kit: UnixStream) -> io::Result<i32> {
    // When the client is gone, receiving fails.
    while let Ok([socket, errors]) = receive_descriptors(&kit) {
        let reply: i32 = match sys::fork_sibling() {
            Ok(None) => {
                drop(kit);
                keeper::serve(socket, errors);
            }
            Ok(Some(keeper)) => keeper.pid,
            Err(errno) => -errno.raw_os_error(),
        };
        (&kit).write_all(&reply.to_ne_bytes())?;
    }
    Ok(0)
}

/// Moves the socket to the client away from standard input, which bots use, and closes all other descriptors.
fn take_socket() -> io::Result<UnixStream> {
    sys::close_inherited();
    let socket = move_aside(rustix::stdio::stdin())?;
    rustix::stdio::dup2_stdin(File::open("/dev/null")?)?;
    // Signals from a terminal are meant for the client.
    for signal in [libc::SIGINT, libc::SIGQUIT, libc::SIGTSTP, libc::SIGHUP] {
        sys::ignore_signal(signal);
    }
    // A write to a bot that closed its input must not kill the server.
    sys::ignore_signal(libc::SIGPIPE);
    sys::handle_alarms();
    Ok(socket)
}

/// Copies a socket to a higher descriptor number, so that a run's pipes get consecutive low ones.
pub(crate) fn move_aside(socket: impl AsFd) -> io::Result<UnixStream> {
    const ASIDE: i32 = 32;
    Ok(rustix::io::fcntl_dupfd_cloexec(socket, ASIDE)?.into())
}
