//! The sandbox server: the only parent a bot has. One a seat, single-threaded, and small, so that starting a
//! bot costs hardly more than the kernel's own work.

mod running;
mod sweep;

use super::level::{Isolation, Level};
use super::order::{Environment, Limits, Order, Program};
use super::report::{Ended, RunReport};
use super::sys::{self, Spawn, SpawnStack};
use super::watch::{self, Watch};
use super::wire::{self, Reply, Request};
use running::{Pipes, Running};
use rustix::io::Errno;
use rustix::process::{Resource, Rlimit};
use std::collections::BTreeSet;
use std::ffi::{CString, OsStr};
use std::fs;
use std::io;
use std::os::fd::AsFd;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::exit;

/// Where programs are looked for by a bot.
pub const PATH: &str = "/usr/local/bin:/usr/bin:/bin";

/// Serves the sandbox at the other end of standard input until that is closed, then ends the process.
pub fn serve() -> ! {
    let status = match take_socket().and_then(|socket| Server::prepare(socket)?.serve()) {
        Ok(()) => 0,
        Err(failed) => {
            eprintln!("cornerman sandbox server: {failed}");
            3
        }
    };
    exit(status);
}

/// The socket, moved away from where bots have their standard input.
fn take_socket() -> io::Result<UnixStream> {
    sys::close_inherited();
    let socket = rustix::io::fcntl_dupfd_cloexec(rustix::stdio::stdin(), 10)?;
    let null = fs::File::open("/dev/null")?;
    rustix::stdio::dup2_stdin(&null)?;
    // A bot that does not read its input must not end the server by a signal.
    sys::shrug_off(libc::SIGPIPE);
    Ok(UnixStream::from(socket))
}

struct Server {
    socket: UnixStream,
    program: Program,
    argv: Vec<CString>,
    limits: Limits,
    isolation: Isolation,
    /// A folder of the server's own, gone when it ends: the bot's `HOME`.
    home: tempfile::TempDir,
    stack: SpawnStack,
    /// Marks whose state files bots may have made, to be gone when the server ends.
    marks: BTreeSet<u8>,
}

impl Drop for Server {
    fn drop(&mut self) {
        self.marks.iter().for_each(|&mark| drop(write_state(&state_path(mark), None)));
    }
}

impl Server {
    /// Reads the opening request and sets up the level.
    fn prepare(mut socket: UnixStream) -> io::Result<Server> {
        let Some(Request::Open { program, limits, at_least: _, at_most }) = wire::receive(&mut socket)? else {
            exit(0); // The sandbox was given up before it was opened.
        };
        let home = tempfile::Builder::new().prefix(watch::HOME_PREFIX).tempdir()?;
        let isolation = establish(at_most.unwrap_or(Level::Restricted), &limits)?;
        let argv = program.argv.iter().map(|arg| c_string(arg)).collect::<io::Result<_>>()?;
        std::env::set_current_dir(&program.folder)?;
        wire::send(&mut socket, &Reply::Opened(isolation.clone()))?;
        Ok(Server {
            socket,
            program,
            argv,
            limits,
            isolation,
            home,
            stack: SpawnStack::new(),
            marks: BTreeSet::new(),
        })
    }

    fn serve(mut self) -> io::Result<()> {
        while let Some(request) = wire::receive(&mut self.socket)? {
            let reply = match request {
                Request::Run(order) => match self.run(&order) {
                    Ok(None) => return Ok(()),
                    Ok(Some(report)) => Ok(Reply::Ran(report)),
                    Err(failed) => Err(failed),
                },
                Request::ReadState(mark) => read_state(&state_path(mark)).map(Reply::State),
                Request::WriteState(mark, content) => {
                    self.marks.insert(mark);
                    write_state(&state_path(mark), content.as_deref()).map(|()| Reply::State(None))
                }
                Request::Open { .. } => Err(io::Error::other("the sandbox is already open")),
            };
            wire::send(&mut self.socket, &reply.unwrap_or_else(|failed| Reply::Failed(failed.to_string())))?;
        }
        Ok(())
    }

    /// Runs the bot once; `None` when the sandbox was given up meanwhile.
    fn run(&mut self, order: &Order) -> io::Result<Option<RunReport>> {
        self.marks.extend(order.mark);
        let watch = order.watch.then(|| self.watch(order)).transpose()?;
        let environment = self.environment(order)?;
        let cwd = order.cwd.as_deref().map(|cwd| c_string(cwd.as_os_str())).transpose()?;
        let mut argv = self.argv.clone();
        for arg in &order.args {
            argv.push(c_string(arg)?);
        }
        let (pipes, theirs) = Pipes::open(order)?;
        let spawn = Spawn {
            argv: &argv,
            environment: &environment,
            streams: [theirs[0].as_fd(), theirs[1].as_fd(), theirs[2].as_fd()],
            cwd: cwd.as_deref(),
            die_with_parent: self.isolation.level >= Level::Restricted,
        };
        let started = std::time::Instant::now();
        let child = match sys::spawn(&spawn, &mut self.stack) {
            Ok(child) => child,
            Err(errno) => return Ok(Some(cannot_start(errno))),
        };
        drop(theirs);
        let running = Running::new(child, started, pipes, order, &self.limits);
        let mut report = running.follow(self.socket.as_fd(), self.isolation.level)?;
        if let (Some(watch), Some(report)) = (watch, &mut report) {
            report.trespasses = watch.trespasses()?;
        }
        Ok(report)
    }

    fn watch(&self, order: &Order) -> io::Result<Watch> {
        let cwd = order.cwd.as_deref().unwrap_or(&self.program.folder);
        Watch::begin(&[self.home.path(), &self.program.folder, cwd], order.mark.map(state_path))
    }

    fn environment(&self, order: &Order) -> io::Result<Vec<CString>> {
        let mut environment = vec![c_string(OsStr::new(&format!("PATH={PATH}")))?];
        if order.environment == Environment::Usual {
            let home = [b"HOME=", self.home.path().as_os_str().as_bytes()].concat();
            environment.push(c_string(OsStr::from_bytes(&home))?);
            environment.push(c"TMPDIR=/tmp".to_owned());
            environment.push(c"LANG=C.UTF-8".to_owned());
        }
        Ok(environment)
    }
}

/// Sets up the best level up to `at_most`: what is set here is inherited by every bot.
fn establish(at_most: Level, limits: &Limits) -> io::Result<Isolation> {
    let mut refused = Vec::new();
    if at_most >= Level::Restricted {
        match restrict(limits) {
            Ok(()) => return Ok(Isolation { level: Level::Restricted, refused }),
            Err((step, errno)) => refused.push(super::Refusal {
                level: Level::Restricted,
                step: step.to_string(),
                why: io::Error::from(errno).to_string(),
            }),
        }
    }
    Ok(Isolation { level: Level::Plain, refused })
}

fn restrict(limits: &Limits) -> Result<(), (&'static str, Errno)> {
    rustix::process::set_child_subreaper(Some(rustix::process::getpid()))
        .map_err(|e| ("become the parent of orphans", e))?;
    rustix::thread::set_no_new_privs(true).map_err(|e| ("give up new privileges", e))?;
    let ceilings = [
        (Resource::Core, 0, "forbid core dumps"),
        (Resource::Data, limits.memory, "limit memory"),
        (Resource::Fsize, limits.file, "limit the size of files"),
        (Resource::Nofile, limits.open_files, "limit open files"),
    ];
    for (resource, limit, step) in ceilings {
        let lowered = rustix::process::getrlimit(resource).maximum.map_or(limit, |most| most.min(limit));
        let limit = Rlimit { current: Some(lowered), maximum: Some(lowered) };
        rustix::process::setrlimit(resource, limit).map_err(|e| (step, e))?;
    }
    Ok(())
}

/// The only file in which a bot may keep anything (B9).
pub fn state_path(mark: u8) -> PathBuf {
    Path::new("/tmp").join(OsStr::from_bytes(&[b"arena.".as_slice(), &[mark]].concat()))
}

/// A regular file's content, never through a link, never waiting for the other end of a pipe.
fn read_state(path: &Path) -> io::Result<Option<Vec<u8>>> {
    match fs::symlink_metadata(path) {
        Ok(found) if found.is_file() => fs::read(path).map(Some),
        Ok(_) => Ok(None),
        Err(absent) if absent.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(failed) => Err(failed),
    }
}

fn write_state(path: &Path, content: Option<&[u8]>) -> io::Result<()> {
    let removed = match fs::symlink_metadata(path) {
        Ok(found) if found.is_dir() => fs::remove_dir_all(path),
        Ok(_) => fs::remove_file(path),
        Err(absent) => Err(absent),
    };
    match removed {
        Err(failed) if failed.kind() != io::ErrorKind::NotFound => Err(failed),
        _ => content.map_or(Ok(()), |content| fs::write(path, content)),
    }
}

fn c_string(text: &OsStr) -> io::Result<CString> {
    CString::new(text.as_bytes()).map_err(io::Error::other)
}

fn cannot_start(errno: Errno) -> RunReport {
    let why = io::Error::from(errno).to_string();
    RunReport::of(Ended::CannotStart { errno: errno.raw_os_error(), why })
}
