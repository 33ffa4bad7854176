//! The keeper of a sandbox: the process that remains while one game after another is played in the sandbox.
//!
//! It sets up what all games share, at [`Level::Namespaced`] the bot's user, its network, most of the filter of system
//! calls, and the root from which each game begins. For each game it starts a server, at this level with new scratch
//! space in new process, mount, IPC and host name namespaces. They end with the server, so nothing of a game outlives
//! the game. They are not even kept after a game that left nothing: a bot could choose whether to leave something, and
//! could tell in its next game, by the age of the namespaces, what it chose. The keeper itself is outside the bot's
//! process namespace and control group, so it survives a kill or a lack of memory inside. From [`Level::Restricted`]
//! up, it ends everything that a killed server leaves.
//!
//! Keepers are forked from the launcher: this program, started again once. It is small and has one thread, so forking
//! it costs much less than starting the program for each sandbox.

use super::build_calls::BuildCalls;
use super::scratch::{PRIVATE_HOME, Scratch};
use super::setup::{self, KeeperSetup};
use super::{ServerState, StopReason, own_cpu_time, sweep};
use crate::level::Level;
use crate::sys;
use crate::wire::{Channel, SandboxSpec, ServerReply, ServerRequest, receive_descriptors, wait_until};
use rustix::event::{PollFd, PollFlags, poll};
use rustix::io::Errno;
use rustix::process::{Signal, pidfd_send_signal};
use std::fs::File;
use std::io::{self, Write};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::time::{Duration, Instant};

/// How long a server may take to end everything when the client is gone.
const PATIENCE: Duration = Duration::from_secs(10);

/// The exit status of a server that asks the keeper to start a new one.
const RENEW: i32 = 75;

/// The exit status of a keeper whose server was killed.
pub(crate) const SERVER_KILLED: i32 = 77;

/// Runs a keeper for the client at the other end of `socket`. Writes to `errors` if that fails. Exits when the client
/// closes the channel.
fn serve(socket: OwnedFd, errors: OwnedFd) -> ! {
    sys::exit(take_streams(socket, errors).and_then(run_keeper).unwrap_or_else(failed))
}

/// Writes to standard error why a process failed. Returns its exit status.
fn failed(error: io::Error) -> i32 {
    if error.kind() == io::ErrorKind::BrokenPipe {
        return 0; // The client has ended, so there is no one to report to.
    }
    writeln!(io::stderr(), "cornerman sandbox server: {error}").ok();
    3
}

/// Takes over the streams and leaves the launcher's session, so that the kernel's scheduler divides the processors
/// between sandboxes rather than between their processes.
fn take_streams(socket: OwnedFd, errors: OwnedFd) -> io::Result<UnixStream> {
    rustix::process::setsid()?;
    rustix::stdio::dup2_stderr(&errors)?;
    move_aside(&socket)
}

/// Sets up what a sandbox's servers share, and runs one server after another. Returns the exit status.
fn run_keeper(socket: UnixStream) -> io::Result<i32> {
    let mut channel = Channel::accept(socket)?;
    let Some(ServerRequest::Open(spec)) = channel.receive()? else {
        return Ok(0); // The client closed the channel before it opened a sandbox.
    };
    let base = match setup::set_up_keeper(&spec) {
        Ok(base) => base,
        Err(refused) => {
            channel.send(&ServerReply::Refused(refused.at(spec.level)))?;
            return Ok(0);
        }
    };
    let namespaces = setup::namespaces_of_a_game(spec.level);
    let status = loop {
        let home = Scratch::home_for(spec.level)?;
        let home = home.as_ref().map_or(Path::new(PRIVATE_HOME), |home| home.path());
        let (build_calls, servers_socket) = BuildCalls::for_spec(&spec, home).unzip();
        let Some(server) = sys::fork(namespaces)? else {
            drop(build_calls);
            sys::exit(run_server(channel, spec, base, home, servers_socket));
        };
        drop(servers_socket);
        let handle = base.pass().open_process(server.pid)?;
        await_end(handle.as_fd(), channel.as_fd(), build_calls)?;
        // The client may have been killed while the group was frozen, and the server is in that group.
        base.group.resume();
        if !wait_until(&handle, PollFlags::IN, Instant::now() + PATIENCE)? {
            pidfd_send_signal(&handle, Signal::KILL)?;
        }
        let ended = sys::wait(server.pid, true)?;
        if spec.level >= Level::Restricted {
            sweep::end_orphans();
        }
        match ended.and_then(|reaped| reaped.status.code()) {
            Some(RENEW) => {}
            Some(status) => break status,
            None => break SERVER_KILLED,
        }
    };
    // If the server was killed, the client checks in the group whether memory was the reason, and removes the group.
    if status != SERVER_KILLED {
        base.group.remove();
    }
    Ok(status)
}

/// Waits until the server ends or the client is gone. Makes calls for a build meanwhile.
fn await_end(server: BorrowedFd, client: BorrowedFd, mut build_calls: Option<BuildCalls>) -> io::Result<()> {
    loop {
        let mut fds = vec![
            PollFd::from_borrowed_fd(server, PollFlags::IN),
            PollFd::from_borrowed_fd(client, PollFlags::empty()),
        ];
        let source = build_calls.as_ref().and_then(BuildCalls::source);
        fds.extend(source.map(|fd| PollFd::from_borrowed_fd(fd, PollFlags::IN)));
        match poll(&mut fds, None) {
            Err(Errno::INTR) => continue,
            polled => polled?,
        };
        let has_ended = fds[..2].iter().any(|fd| !fd.revents().is_empty());
        let ready = fds.get(2).map(PollFd::revents);
        let (false, Some(build_calls), Some(ready)) = (has_ended, &mut build_calls, ready) else { return Ok(()) };
        // Make one call at a time, so that many of them cannot delay noticing the end.
        build_calls.attend(ready);
    }
}

/// Sets up a server's level and serves requests. Returns the exit status. `to_keeper` is a socket to the keeper if the
/// keeper makes calls for a build.
fn run_server(
    mut channel: Channel,
    spec: SandboxSpec,
    base: KeeperSetup,
    home: &Path,
    to_keeper: Option<UnixStream>,
) -> i32 {
    let setup = match setup::set_up_server(&spec, base, home, to_keeper) {
        Ok(setup) => setup,
        Err(refused) => {
            channel.send(&ServerReply::Refused(refused.at(spec.level))).ok();
            return 0;
        }
    };
    let served = ServerState::new(channel, spec, setup).and_then(|mut server| {
        server.channel.send(&ServerReply::Opened(own_cpu_time()))?;
        Ok(match server.serve()? {
            StopReason::ChannelClosed => 0,
            StopReason::RenewRequested => RENEW,
        })
    });
    served.unwrap_or_else(failed)
}

/// Starts a keeper for each socket that the client sends through standard input, and replies with the keeper's process
/// number, or with a negative error number. Exits when the client is gone.
pub(crate) fn launch_keepers() -> ! {
    sys::exit(take_socket().and_then(launch).unwrap_or_else(failed))
}

fn launch(client: UnixStream) -> io::Result<i32> {
    // When the client is gone, receiving fails.
    while let Ok([socket, errors]) = receive_descriptors(&client) {
        let reply: i32 = match sys::fork_sibling() {
            Ok(None) => {
                drop(client);
                serve(socket, errors);
            }
            Ok(Some(keeper)) => keeper.pid,
            Err(errno) => -errno.raw_os_error(),
        };
        (&client).write_all(&reply.to_ne_bytes())?;
    }
    Ok(0)
}

/// Closes inherited descriptors, moves the socket to the client away from standard input, which bots use, and sets how
/// signals are handled.
fn take_socket() -> io::Result<UnixStream> {
    sys::close_inherited();
    let socket = move_aside(rustix::stdio::stdin())?;
    rustix::stdio::dup2_stdin(File::open("/dev/null")?)?;
    // Signals from a terminal are meant for the client.
    for signal in [libc::SIGINT, libc::SIGQUIT, libc::SIGTSTP, libc::SIGHUP] {
        sys::ignore_signal(signal);
    }
    // The clock is looked up among the system's symbols at its first use. Use it here, so that the servers need not.
    own_cpu_time();
    // A write to a bot that closed its input must not kill the server.
    sys::ignore_signal(libc::SIGPIPE);
    sys::handle_alarms();
    Ok(socket)
}

/// Copies a descriptor to a higher number, so that a run's pipes get consecutive low ones.
pub(super) fn move_aside<T: From<OwnedFd>>(fd: impl AsFd) -> io::Result<T> {
    const ASIDE: i32 = 32;
    Ok(rustix::io::fcntl_dupfd_cloexec(fd, ASIDE)?.into())
}
