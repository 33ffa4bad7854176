//! The sandbox server: the only parent a bot has. One a seat, single-threaded, and small, so that starting a
//! bot costs hardly more than the kernel's own work.

mod running;
mod scratch;
mod setup;
mod sweep;

use super::level::Level;
use super::order::{Environment, Limits, Order, Program};
use super::report::{Ended, RunReport};
use super::sys::{self, Spawn, SpawnStack};
use super::watch::Watch;
use super::wire::{self, Reply, Request};
use running::{Pipes, Running};
use rustix::fs::{Mode, OFlags};
use rustix::io::Errno;
use scratch::is_regular;
use setup::Ground;
use std::collections::BTreeSet;
use std::ffi::{CString, OsStr};
use std::fs;
use std::io::{self, Read, Write};
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
    level: Level,
    ground: Ground,
    stack: SpawnStack,
    /// Marks whose state files bots or the kit may have made.
    marks: BTreeSet<u8>,
}

impl Drop for Server {
    fn drop(&mut self) {
        if self.level.shares_tmp() {
            scratch::forget(self.marks.iter().copied());
        }
    }
}

impl Server {
    /// Reads the opening request and sets up the level.
    fn prepare(mut socket: UnixStream) -> io::Result<Server> {
        let Some(Request::Open(opening)) = wire::receive(&mut socket)? else {
            exit(0); // The sandbox was given up before it was opened.
        };
        let ground = setup::establish(&opening).unwrap_or_else(|refused| {
            wire::send(&mut socket, &Reply::Refused(refused.at(opening.level))).ok();
            exit(0);
        });
        let argv = opening.program.argv.iter().map(|arg| c_string(arg)).collect::<io::Result<_>>()?;
        std::env::set_current_dir(&opening.program.folder)?;
        wire::send(&mut socket, &Reply::Opened)?;
        let (program, limits, level) = (opening.program, opening.limits, opening.level);
        Ok(Server {
            socket,
            program,
            argv,
            limits,
            level,
            ground,
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
                    write_state(&state_path(mark), content.as_deref())
                        .and_then(|()| self.ground.scratch.settle())
                        .map(|()| Reply::State(None))
                }
                Request::Open(_) => Err(io::Error::other("the sandbox is already open")),
            };
            wire::send(&mut self.socket, &reply.unwrap_or_else(|failed| Reply::Failed(failed.to_string())))?;
        }
        Ok(())
    }

    /// Runs the bot once; `None` when the sandbox was given up meanwhile.
    fn run(&mut self, order: &Order) -> io::Result<Option<RunReport>> {
        self.marks.extend(order.mark);
        let watch = order.watch.then(|| self.watch(order)).transpose()?;
        let had_state = !self.level.shares_tmp() && order.mark.is_some_and(|mark| is_regular(&state_path(mark)));
        let environment = self.environment(order)?;
        let cwd = order.cwd.as_deref().map(|cwd| c_string(cwd.as_os_str())).transpose()?;
        let mut argv = self.argv.clone();
        for arg in &order.args {
            argv.push(c_string(arg)?);
        }
        let (pipes, theirs) = Pipes::open(order, &self.ground.output_file)?;
        let spawn = Spawn {
            argv: &argv,
            environment: &environment,
            streams: [theirs[0].as_fd(), theirs[1].as_fd(), theirs[2].as_fd()],
            cwd: cwd.as_deref(),
            die_with_parent: self.level >= Level::Restricted,
            rules: self.ground.rules.as_ref().map(AsFd::as_fd),
        };
        let started = std::time::Instant::now();
        let child = match sys::spawn(&spawn, &mut self.stack) {
            Ok(child) => child,
            Err(errno) => return Ok(Some(cannot_start(errno))),
        };
        drop(theirs);
        let running = Running::new(child, started, pipes, order, &self.limits);
        let Some(mut report) = running.follow(self.socket.as_fd(), self.level)? else { return Ok(None) };
        report.trespasses = watch.map_or(Ok(Vec::new()), Watch::trespasses)?;
        let kept = |path: &Path| self.marks.iter().any(|&mark| state_path(mark) == path);
        report.trespasses.extend(self.ground.scratch.wipe(order.mark, had_state, kept)?);
        report.trespasses.sort();
        report.trespasses.dedup();
        Ok(Some(report))
    }

    fn watch(&self, order: &Order) -> io::Result<Watch> {
        let cwd = order.cwd.as_deref().unwrap_or(&self.program.folder);
        Watch::begin(&[self.ground.scratch.home(), &self.program.folder, cwd], order.mark.map(state_path))
    }

    fn environment(&self, order: &Order) -> io::Result<Vec<CString>> {
        let mut environment = vec![c_string(OsStr::new(&format!("PATH={PATH}")))?];
        if order.environment == Environment::Usual {
            let home = [b"HOME=", self.ground.scratch.home().as_os_str().as_bytes()].concat();
            environment.push(c_string(OsStr::from_bytes(&home))?);
            environment.push(c"TMPDIR=/tmp".to_owned());
            environment.push(c"LANG=C.UTF-8".to_owned());
        }
        Ok(environment)
    }
}

/// The only file in which a bot may keep anything (B9).
pub fn state_path(mark: u8) -> PathBuf {
    Path::new("/tmp").join(OsStr::from_bytes(&[b"arena.".as_slice(), &[mark]].concat()))
}

/// A regular file's content, never through a link, never waiting for the other end of a pipe.
fn read_state(path: &Path) -> io::Result<Option<Vec<u8>>> {
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let mut file = match rustix::fs::open(path, flags, Mode::empty()) {
        Ok(opened) => fs::File::from(opened),
        // Not there, a link, a socket, or closed by the bot itself.
        Err(Errno::NOENT | Errno::LOOP | Errno::NXIO | Errno::ACCESS) => return Ok(None),
        Err(failed) => return Err(failed.into()),
    };
    let mut content = Vec::new();
    let is_regular = file.metadata()?.is_file();
    if is_regular {
        file.read_to_end(&mut content)?;
    }
    Ok(is_regular.then_some(content))
}

fn write_state(path: &Path, content: Option<&[u8]>) -> io::Result<()> {
    match scratch::remove(path) {
        Err(failed) if failed.kind() != io::ErrorKind::NotFound => return Err(failed),
        _ => {}
    }
    // Only ever a new file: nothing that stands there by now is followed.
    content.map_or(Ok(()), |content| fs::File::create_new(path)?.write_all(content))
}

fn c_string(text: &OsStr) -> io::Result<CString> {
    CString::new(text.as_bytes()).map_err(io::Error::other)
}

fn cannot_start(errno: Errno) -> RunReport {
    let why = io::Error::from(errno).to_string();
    RunReport::of(Ended::CannotStart { errno: errno.raw_os_error(), why })
}
