//! The sandbox server: the only parent a bot has. One a game of a seat, single-threaded, and small, so that starting a
//! bot costs hardly more than the kernel's own work.

pub mod keeper;
mod running;
mod scratch;
mod session;
mod setup;
mod state;
mod sweep;
mod trace;
mod usage;
mod waits;

use super::level::Level;
use super::report::{Ended, RunReport, Usage};
use super::run_request::{Environment, Input, Limits, Program, RunRequest};
use super::sys::{self, Spawn, Spawner};
use super::watch::FileWatch;
use super::wire::{Channel, Reply, Request, SandboxSpec};
use running::{Pipes, RunningBot};
use rustix::fs::OFlags;
use rustix::io::Errno;
use rustix::pipe::{PipeFlags, pipe_with};
use rustix::process::{Pid, getppid};
use scratch::Scratch;
use session::Session;
use setup::ServerSetup;
use std::collections::BTreeSet;
use std::ffi::{CString, OsStr};
use std::fs;
use std::io;
use std::os::fd::AsFd;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

/// Where programs are looked for by a bot.
pub const PATH: &str = "/usr/local/bin:/usr/bin:/bin";

/// How long a program that is still open for writing is waited for, and how often it is tried.
const WRITER_PATIENCE: Duration = Duration::from_secs(2);
const WRITER_PAUSE: Duration = Duration::from_millis(1);

/// The socket, moved away from where bots have their standard input, and from the low numbers, which the pipes of a
/// run are to have in a row.
fn take_socket() -> io::Result<UnixStream> {
    const ASIDE: i32 = 32;
    sys::close_inherited();
    lead_session()?;
    let socket = rustix::io::fcntl_dupfd_cloexec(rustix::stdio::stdin(), ASIDE)?;
    let null = fs::File::open("/dev/null")?;
    rustix::stdio::dup2_stdin(&null)?;
    // A bot that does not read its input must not end the server by a signal.
    sys::ignore_signal(libc::SIGPIPE);
    sys::handle_alarms();
    Ok(UnixStream::from(socket))
}

/// Leaves the terminal that the kit may run in, for all bots at once. A leader of a process group cannot, so this
/// process, which was started as one lest a Ctrl-C should end it, goes back to its parent's group for a moment.
fn lead_session() -> io::Result<()> {
    for signal in [libc::SIGINT, libc::SIGQUIT, libc::SIGTSTP, libc::SIGHUP] {
        sys::ignore_signal(signal);
    }
    // Within another sandbox the parent's group may be out of sight; there is no terminal either then.
    if let Some(group) = parents_group() {
        rustix::process::setpgid(None, Some(group))?;
        rustix::process::setsid()?;
    }
    Ok(())
}

/// The process group of this process's parent, if it is in the same process namespace.
fn parents_group() -> Option<Pid> {
    let stat = sweep::stat_of(getppid()?.as_raw_nonzero().get())?;
    stat.get(2)?.parse().ok().and_then(Pid::from_raw)
}

struct Server {
    channel: Channel,
    program: Program,
    limits: Limits,
    level: Level,
    setup: ServerSetup,
    spawner: Spawner,
    /// What `spawner` is prepared for, if it is for a run.
    prepared: Option<RunRequest>,
    /// The bot that runs for a whole game, if one does.
    session: Option<Session>,
    /// What was seen before it began, if it is watched.
    watch: Option<FileWatch>,
    /// Marks whose state files bots or the kit may have made.
    marks: BTreeSet<u8>,
    /// Runs since the control group's accounts were last looked into.
    brief_runs: u32,
}

impl Drop for Server {
    fn drop(&mut self) {
        if self.level.shares_tmp() {
            scratch::forget(self.marks.iter().copied());
        }
    }
}

impl Server {
    /// A server whose level is in force.
    fn new(channel: Channel, spec: SandboxSpec, mut setup: ServerSetup) -> io::Result<Server> {
        let SandboxSpec { program, limits, level, .. } = spec;
        let spawner = Spawner::new(sys::Program {
            argv: program.argv.iter().map(|arg| c_string(arg)).collect::<io::Result<_>>()?,
            environment: environment(&setup.scratch)?,
            // In a namespace of processes the first process is safe from the group's signals, and sweeps without it.
            leads_group: level != Level::Namespaced,
            // All others end with that first process anyway.
            dies_with_parent: level == Level::Restricted || level == Level::Scoped,
            rules: setup.rules.take(),
            pass: setup.pass,
        });
        Ok(Server {
            channel,
            program,
            limits,
            level,
            setup,
            spawner,
            prepared: None,
            session: None,
            watch: None,
            marks: BTreeSet::new(),
            brief_runs: 0,
        })
    }

    /// Does what it is asked to until the sandbox is given up, or is to go on as new: whether that is so.
    fn serve(&mut self) -> io::Result<bool> {
        loop {
            if let Some(session) = &mut self.session {
                session.attend(self.channel.as_fd())?;
            }
            let Some(request) = self.channel.receive()? else { return Ok(false) };
            let reply = match request {
                Request::Run(request) => {
                    let request = request.into_owned();
                    match self.prepare(&request, false).and_then(|()| self.run(request)).transpose() {
                        None => return Ok(false),
                        Some(ran) => ran,
                    }
                }
                Request::RunAgain(input) => match self.run_again(input.into_owned()).transpose() {
                    None => return Ok(false),
                    Some(ran) => ran,
                },
                Request::Start(_) if self.session.is_some() => Err(io::Error::other("a bot is under way already")),
                Request::Start(request) => match self.start(&request) {
                    Ok(Reply::Started) => continue,
                    other => other,
                },
                Request::Trace(request) => self.trace(&request),
                Request::Folder => match self.lend_folder() {
                    Ok(()) => continue,
                    Err(failed) => Err(failed),
                },
                Request::Finish(grace) => self.finish(grace),
                Request::Renew => return Ok(true),
                Request::Usage | Request::BeginWaiting => {
                    if matches!(request, Request::BeginWaiting) {
                        self.setup.waits.begin();
                    }
                    let (cpu, tasks) = usage::so_far();
                    let waited = self.setup.waits.so_far();
                    Ok(Reply::Usage(Usage { cpu, account: None, tasks, waited, servers_own: own_cpu_time() }))
                }
                Request::IsWaiting => Ok(Reply::Waited(waits::waiting_now())),
                Request::Freeze(freeze) => {
                    let session = self.session.as_ref().ok_or_else(|| io::Error::other("no bot is under way"));
                    session.map(|session| Reply::Frozen(if freeze { session.stop() } else { session.resume() }))
                }
                Request::ReadState(mark) => state::read(&state::path(mark)).map(Reply::State),
                Request::WriteState(mark, content) => {
                    self.marks.insert(mark);
                    state::write(&state::path(mark), content.as_deref())
                        .and_then(|()| self.setup.scratch.settle())
                        .map(|()| Reply::State(None))
                }
                Request::Open(_) => Err(io::Error::other("the sandbox is already open")),
            };
            self.channel.send(&reply.unwrap_or_else(|failed| Reply::Failed(failed.to_string())))?;
        }
    }

    /// Makes ready for runs by `request`, whatever their input. `traced`: the system calls of each are seen.
    fn prepare(&mut self, request: &RunRequest, traced: bool) -> io::Result<()> {
        self.prepared = None;
        self.spawner.prepare(Spawn {
            args: request.args.iter().map(|arg| c_string(arg)).collect::<io::Result<_>>()?,
            variables: match request.environment {
                Environment::Usual => usize::MAX,
                Environment::Minimal => 1,
            },
            cwd: request.cwd.as_deref().map(|cwd| c_string(cwd.as_os_str())).transpose()?,
            traced,
        });
        self.marks.extend(request.mark);
        Ok(())
    }

    /// Runs the bot as the last time, but with this input.
    fn run_again(&mut self, input: Vec<u8>) -> io::Result<Option<Reply>> {
        let mut request = self.prepared.take().ok_or_else(|| io::Error::other("nothing was run before"))?;
        request.input = Input::Whole(input);
        self.run(request)
    }

    /// Runs the bot once by an order that was prepared for; `None` when the sandbox was given up meanwhile.
    fn run(&mut self, request: RunRequest) -> io::Result<Option<Reply>> {
        let report = self.report_of(&request)?;
        self.prepared = Some(request);
        Ok(report.map(|report| {
            let own = self.accounts_are_due(&report).then(own_cpu_time);
            Reply::Ran(report, own)
        }))
    }

    fn report_of(&mut self, request: &RunRequest) -> io::Result<Option<RunReport>> {
        let patient = Instant::now() + WRITER_PATIENCE;
        loop {
            match self.attempt(request)? {
                Some(report) if is_still_written(&report) && Instant::now() < patient => {
                    thread::sleep(WRITER_PAUSE)
                }
                reported => return Ok(reported),
            }
        }
    }

    fn attempt(&mut self, request: &RunRequest) -> io::Result<Option<RunReport>> {
        let watch = request.watch.then(|| self.watch(request)).transpose()?;
        let had_state = request.mark.is_some_and(|mark| self.setup.scratch.has_state(mark));
        let (pipes, theirs) = Pipes::open(request, self.setup.output_file.as_ref())?;
        self.setup.reset_process_numbers();
        let started = Instant::now();
        let child = match self.spawner.start(theirs.each_ref().map(AsFd::as_fd), false) {
            Ok(child) => child,
            Err(errno) => return Ok(Some(cannot_start(errno))),
        };
        let running = RunningBot::new(child, started, pipes, request, &self.limits);
        let followed =
            running.follow(theirs, &mut self.spawner, self.channel.as_fd(), self.level, &mut self.setup.waits)?;
        let Some(mut report) = followed else { return Ok(None) };
        if let Err(errno) = self.spawner.loaded() {
            return Ok(Some(cannot_start(errno)));
        }
        report.file_violations = watch.map_or(Ok(Vec::new()), FileWatch::file_violations)?;
        self.wipe(request.mark, had_state, &mut report)?;
        Ok(Some(report))
    }

    /// Whether the control group may know more of a run than its report says: time that nobody waited for, or a
    /// process killed for its memory. Looking is dear against a short run, which is spared it.
    fn accounts_are_due(&mut self, report: &RunReport) -> bool {
        /// In so short a time a bot cannot have children that use up more than the noise in the accounts.
        const BRIEF: Duration = Duration::from_micros(250);
        /// Nor can it fill this much memory.
        const MUCH: u64 = 64 << 20;
        /// So many runs together make less noise than is told from a bot's doing.
        const AT_MOST: u32 = 32;
        self.brief_runs += 1;
        let ended_itself = matches!(report.ended, Ended::Exited(_));
        let is_brief = report.wall < BRIEF && ended_itself && self.limits.memory >= MUCH;
        let due = !is_brief || self.brief_runs >= AT_MOST;
        if due {
            self.brief_runs = 0;
        }
        due
    }

    /// Starts the bot for a whole game. Its input and output follow the reply to whoever owns the sandbox.
    fn start(&mut self, request: &RunRequest) -> io::Result<Reply> {
        let patient = Instant::now() + WRITER_PATIENCE;
        loop {
            match self.attempt_start(request)? {
                Reply::Ran(report, _) if is_still_written(&report) && Instant::now() < patient => {
                    thread::sleep(WRITER_PAUSE);
                }
                reply => return Ok(reply),
            }
        }
    }

    fn attempt_start(&mut self, request: &RunRequest) -> io::Result<Reply> {
        let (bots_input, input) = pipe_with(PipeFlags::CLOEXEC)?;
        let (output, bots_output) = pipe_with(PipeFlags::CLOEXEC)?;
        let (errors, bots_errors) = pipe_with(PipeFlags::CLOEXEC)?;
        for fd in [&input, &output] {
            rustix::fs::fcntl_setfl(fd, OFlags::NONBLOCK)?;
        }
        let watch = request.watch.then(|| self.watch(request)).transpose()?;
        self.prepare(request, false)?;
        self.setup.reset_process_numbers();
        let started = Instant::now();
        let theirs = [bots_input, bots_output, bots_errors];
        let child = match self.spawner.start(theirs.each_ref().map(AsFd::as_fd), true) {
            Ok(child) => child,
            Err(errno) => return Ok(Reply::Ran(cannot_start(errno), Some(own_cpu_time()))),
        };
        drop(theirs);
        if let Err(errno) = self.spawner.loaded() {
            sys::wait(child.pid, true)?;
            return Ok(Reply::Ran(cannot_start(errno), Some(own_cpu_time())));
        }
        self.watch = watch;
        self.session = Some(Session::new(child, started, Some(errors.into()), &self.limits, self.level)?);
        self.channel.send(&Reply::Started)?;
        self.channel.send_descriptors([input.as_fd(), output.as_fd()])?;
        Ok(Reply::Started)
    }

    /// Hands out the program's own folder, which nobody else sees where it is a copy.
    fn lend_folder(&mut self) -> io::Result<()> {
        let folder = fs::File::open(&self.program.folder)?;
        self.channel.send(&Reply::Started)?;
        self.channel.send_descriptors([folder.as_fd(), folder.as_fd()])
    }

    /// Ends the game's bot.
    fn finish(&mut self, grace: Duration) -> io::Result<Reply> {
        let session = self.session.take().ok_or_else(|| io::Error::other("no bot is under way"))?;
        let mut report = session.end(grace)?;
        if self.level == Level::Namespaced {
            // In a network where nothing was done before.
            report.network = usage::network_attempts();
        }
        report.file_violations = self.watch.take().map_or(Ok(Vec::new()), FileWatch::file_violations)?;
        self.wipe(None, false, &mut report)?;
        Ok(Reply::Ran(report, Some(own_cpu_time())))
    }

    /// Removes what a bot left in its scratch space and adds it to the report.
    fn wipe(&mut self, own: Option<u8>, had_state: bool, report: &mut RunReport) -> io::Result<()> {
        let kept = |path: &Path| self.marks.iter().any(|&mark| state::path(mark) == path);
        report.file_violations.extend(self.setup.scratch.wipe(own, had_state, kept)?);
        report.file_violations.sort();
        report.file_violations.dedup();
        Ok(())
    }

    fn watch(&self, request: &RunRequest) -> io::Result<FileWatch> {
        let cwd = request.cwd.as_deref().unwrap_or(&self.program.folder);
        FileWatch::begin(
            &[self.setup.scratch.home(), &self.program.folder, cwd],
            request.mark.map(state::path),
            self.setup.pass,
        )
    }
}

/// The environment that a bot usually finds, `PATH` first.
fn environment(scratch: &Scratch) -> io::Result<Vec<CString>> {
    let path = format!("PATH={PATH}");
    let home = [b"HOME=", scratch.home().as_os_str().as_bytes()].concat();
    let variables = [path.as_bytes(), &home, b"TMPDIR=/tmp", b"LANG=C.UTF-8"];
    variables.iter().map(|variable| c_string(OsStr::from_bytes(variable))).collect()
}

fn c_string(text: &OsStr) -> io::Result<CString> {
    CString::new(text.as_bytes()).map_err(io::Error::other)
}

/// Processor time that this process has used, to be told from that of bots in the same control group.
fn own_cpu_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

/// Whether the bot could not be started because its program is open for writing. Any process that the kit was
/// starting when it wrote the program holds it so for an instant.
fn is_still_written(report: &RunReport) -> bool {
    matches!(report.ended, Ended::CannotStart { errno: libc::ETXTBSY, .. })
}

fn cannot_start(errno: Errno) -> RunReport {
    let why = io::Error::from(errno).to_string();
    RunReport::of(Ended::CannotStart { errno: errno.raw_os_error(), why })
}
