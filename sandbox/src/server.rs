//! The sandbox server: the process that starts a bot and reports on it. A sandbox has one at a time. It is small and
//! has a single thread, so that starting a bot costs little more than the kernel's own work.

mod build_calls;
mod input_watch;
pub(crate) mod keeper;
mod running;
mod scratch;
mod session;
mod setup;
mod sweep;
mod trace;
mod usage;
mod waits;

use super::level::Level;
use super::report::{Cpu, Ended, RunReport, TaskCounts, Tasks, Usage, clock_time};
use super::run_request::{Environment, Input, RunRequest};
use super::sys::{self, Child, Spawn, Spawner};
use super::watch::{FileWatch, PrivateWatch};
use super::wire::{Channel, SandboxSpec, ServerReply, ServerRequest};
use input_watch::InputWatch;
use running::{Pipes, RunningBot, open_streams};
use rustix::io::Errno;
use rustix::thread::{CpuSet, sched_getaffinity};
use rustix::time::ClockId;
use scratch::{environment, variables};
use session::{ServedSession, StderrReader};
use setup::ServerSetup;
use std::collections::BTreeSet;
use std::ffi::{CString, OsStr};
use std::fs;
use std::io;
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

/// The `PATH` that bots get.
pub const PATH: &str = "/usr/local/bin:/usr/bin:/bin";

/// How long to wait before trying again to start a program that could not be started for an outside reason.
const RETRY_PAUSE: Duration = Duration::from_millis(1);

/// Why a server stops serving.
enum StopReason {
    /// The client closed the channel.
    ChannelClosed,
    /// The client asked for another server.
    RenewRequested,
}

struct ServerState {
    channel: Channel,
    spec: SandboxSpec,
    setup: ServerSetup,
    spawner: Spawner,
    /// The run for which `spawner` is prepared, if any.
    prepared: Option<RunRequest>,
    /// The bot that runs for a whole game, if one is running.
    session: Option<ServedSession>,
    /// The largest number of processes and threads that the session was seen to have at once.
    max_tasks_seen: u32,
    /// Whether the session was seen to have, or to have had, more than one process.
    helpers_seen: bool,
    /// The state of the file system before the session, if it is watched.
    watch: Option<FileWatch>,
    /// The state of everything that the bot can write to, if that is to be watched and no other program can write
    /// there.
    private: Option<PrivateWatch>,
    /// The state files that may exist, whether a bot or the client wrote them.
    state_files: BTreeSet<PathBuf>,
    /// How many runs there were since the control group's counters were last read.
    brief_runs: u32,
}

impl Drop for ServerState {
    fn drop(&mut self) {
        if self.spec.level.shares_tmp() {
            for path in &self.state_files {
                scratch::write_state(path, None).ok();
            }
        }
    }
}

impl ServerState {
    /// A server whose level has been set up.
    fn new(channel: Channel, spec: SandboxSpec, mut setup: ServerSetup) -> io::Result<ServerState> {
        let level = spec.level;
        let spawner = Spawner::new(sys::SpawnProgram {
            argv: spec.program.argv.iter().map(|arg| c_string(arg)).collect::<io::Result<_>>()?,
            environment: environment(&setup.scratch, spec.is_sanitized)?,
            // A PID namespace needs no group: the sweep reaches all of its processes anyway, and signals to the group
            // do not harm its first process, which is this one.
            leads_group: level != Level::Namespaced,
            // In a PID namespace all processes end with the first one anyway.
            dies_with_parent: level == Level::Restricted || level == Level::Scoped,
            rules: setup.rules.take(),
            pass: setup.pass,
        });
        let is_private = spec.conditions.watch_folder && !level.shares_tmp();
        let private = is_private.then(|| PrivateWatch::begin(setup.scratch.writable(), setup.pass)).transpose()?;
        Ok(ServerState {
            channel,
            spec,
            setup,
            spawner,
            prepared: None,
            session: None,
            max_tasks_seen: 0,
            helpers_seen: false,
            watch: None,
            private,
            state_files: BTreeSet::new(),
            brief_runs: 0,
        })
    }

    /// Handles requests until the client closes the channel or asks to renew the sandbox.
    fn serve(&mut self) -> io::Result<StopReason> {
        loop {
            if let Some(session) = &mut self.session {
                session.attend(self.channel.as_fd())?;
            }
            let Some(request) = self.channel.receive()? else { return Ok(StopReason::ChannelClosed) };
            let reply = match request {
                ServerRequest::Run(request) => {
                    let request = request.into_owned();
                    self.prepare(&request, false).and_then(|()| self.run(request))
                }
                ServerRequest::RunAgain(input) => self.run_again(input.into_owned()),
                ServerRequest::Start(_) if self.session.is_some() => {
                    Err(io::Error::other("a bot is running already"))
                }
                ServerRequest::Start(request) => self.start(&request),
                ServerRequest::Trace(request) => self.trace(&request),
                ServerRequest::Folder => self.send_folder().map(|()| ServerReply::Started),
                ServerRequest::Finish(grace) => self.finish(grace),
                ServerRequest::Renew => return Ok(StopReason::RenewRequested),
                ServerRequest::Usage | ServerRequest::BeginWaiting => {
                    if matches!(request, ServerRequest::BeginWaiting) {
                        self.setup.waits.begin();
                    }
                    let (cpu, tasks) = self.read_usage();
                    Ok(ServerReply::Usage(Usage { cpu, group_cpu: None, tasks, server_cpu: own_cpu_time() }))
                }
                ServerRequest::Waited => Ok(ServerReply::Waited(self.setup.waits.waited())),
                ServerRequest::Activity => Ok(ServerReply::Activity(self.setup.waits.watch_activity())),
                ServerRequest::WaitsForInput(horizon) => {
                    self.running_session().map(|session| ServerReply::Waited(session.input.look(horizon)))
                }
                ServerRequest::Freeze(freeze) => {
                    let session = self.running_session();
                    session
                        .map(|session| ServerReply::Frozen(if freeze { session.stop() } else { session.resume() }))
                }
                ServerRequest::ReadState(path) => scratch::read_state(&path).map(ServerReply::State),
                ServerRequest::WriteState(path, content) => {
                    let written = scratch::write_state(&path, content.as_deref())
                        .and_then(|()| self.setup.scratch.accept_present_state());
                    self.state_files.insert(path);
                    written.map(|()| ServerReply::State(None))
                }
                ServerRequest::Open(_) => Err(io::Error::other("the sandbox is already open")),
            };
            match reply {
                Err(gone) if gone.kind() == io::ErrorKind::BrokenPipe => return Ok(StopReason::ChannelClosed),
                Err(failed) => self.channel.send(&ServerReply::Failed(failed.to_string()))?,
                Ok(reply) => self.channel.send(&reply)?,
            }
        }
    }

    /// Prepares runs of `request` with any input. With `traced`, the system calls of each run are listed.
    fn prepare(&mut self, request: &RunRequest, traced: bool) -> io::Result<()> {
        self.prepared = None;
        self.spawner.prepare(Spawn {
            args: request.args.iter().map(|arg| c_string(arg)).collect::<io::Result<_>>()?,
            variables: variables(request.environment, self.spec.is_sanitized),
            cwd: request.cwd.as_deref().map(|cwd| c_string(cwd.as_os_str())).transpose()?,
            traced,
        });
        self.state_files.extend(request.state_file.clone());
        Ok(())
    }

    /// Runs the bot as last time, but with this input.
    fn run_again(&mut self, input: Vec<u8>) -> io::Result<ServerReply> {
        let mut request =
            self.prepared.take().ok_or_else(|| io::Error::other("there was no run before this one"))?;
        request.input = Input::Whole(input);
        self.run(request)
    }

    /// Runs the bot once, for a request that was prepared. Retries for a while if it cannot be started for an outside
    /// reason. Fails with a broken pipe if the client closed the channel meanwhile.
    fn run(&mut self, request: RunRequest) -> io::Result<ServerReply> {
        let began = Instant::now();
        let report = loop {
            match self.try_run(&request)? {
                report if began.elapsed() < retry_time(&report) => thread::sleep(RETRY_PAUSE),
                report => break report,
            }
        };
        self.prepared = Some(request);
        let own = self.counters_are_due(&report).then(own_cpu_time);
        Ok(ServerReply::Ran(report, own))
    }

    /// Runs the bot once. The report says if it could not be started.
    fn try_run(&mut self, request: &RunRequest) -> io::Result<RunReport> {
        let watch = self.begin_watch(request)?;
        let state_file = request.state_file.as_deref();
        let had_state = state_file.is_some_and(|path| self.setup.scratch.has_state(path));
        let (pipes, bot_ends) = Pipes::open(request, self.setup.output_file.as_ref())?;
        self.setup.waits.numbers.reset(request.environment);
        let started = Instant::now();
        let child = match self.spawn(request, bot_ends.each_ref().map(AsFd::as_fd), false) {
            Ok(child) => child,
            Err(errno) => return Ok(cannot_start(errno)),
        };
        let running = RunningBot::new(child, started, pipes, request, &self.spec.limits);
        let client = self.channel.as_fd();
        let mut report = running.follow(bot_ends, &mut self.spawner, client, self.spec.level, &mut self.setup)?;
        if let Err(errno) = self.spawner.loaded() {
            return Ok(cannot_start(errno));
        }
        self.note_files(watch, state_file, had_state, &mut report)?;
        Ok(report)
    }

    /// Starts a process of the bot, with this server's processors or, in [`Environment::Varied`], another number of
    /// them.
    fn spawn(&mut self, request: &RunRequest, streams: [BorrowedFd; 3], suspend: bool) -> Result<Child, Errno> {
        if request.environment != Environment::Varied {
            return self.spawner.start(streams, suspend);
        }
        let Ok(usual) = sched_getaffinity(None) else { return self.spawner.start(streams, suspend) };
        let all = || 0..CpuSet::MAX_CPU as u16;
        let usual: Vec<u16> = all().filter(|&one| usual.is_set(one.into())).collect();
        let other = if usual.len() > 1 { vec![usual[0]] } else { all().collect() };
        // A bot can play on any processor, so a refusal is ignored.
        self.setup.pass.use_processors(&other).ok();
        let child = self.spawner.start(streams, suspend);
        self.setup.pass.use_processors(&usual).ok();
        child
    }

    /// Whether to read the control group's counters after this run. The group may know more than the report: the
    /// processor time of processes that were never waited for, or that a process was killed for its memory. But
    /// reading the counters takes too long to do it after every short run.
    fn counters_are_due(&mut self, report: &RunReport) -> bool {
        /// In less time, a bot's children cannot use more than the inaccuracy of the counters.
        const BRIEF: Duration = Duration::from_micros(250);
        /// In such a short time a bot cannot fill this much memory.
        const MUCH: u64 = 64 << 20;
        /// The inaccuracies of this many runs together are still below `NOISE` in `keeper_handle`.
        const AT_MOST: u32 = 32;
        self.brief_runs += 1;
        let ended_itself = matches!(report.ended, Ended::Exited(_));
        let is_brief = report.wall < BRIEF && ended_itself && self.spec.limits.memory >= MUCH;
        let due = !is_brief || self.brief_runs >= AT_MOST;
        if due {
            self.brief_runs = 0;
        }
        due
    }

    /// Starts the bot for a whole game. Descriptors of its streams are sent before the reply, if it runs.
    fn start(&mut self, request: &RunRequest) -> io::Result<ServerReply> {
        let began = Instant::now();
        loop {
            match self.try_start(request)? {
                ServerReply::Ran(report, _) if began.elapsed() < retry_time(&report) => thread::sleep(RETRY_PAUSE),
                reply => return Ok(reply),
            }
        }
    }

    /// Starts the bot for a whole game. Replies `Ran` if it could not be started.
    fn try_start(&mut self, request: &RunRequest) -> io::Result<ServerReply> {
        let ([input, output, errors], bot_ends) = open_streams()?;
        let watch = self.begin_watch(request)?;
        self.prepare(request, false)?;
        self.setup.waits.numbers.reset(request.environment);
        let started = Instant::now();
        let watched_input = InputWatch::new(&bot_ends[0], self.spec.level, started);
        let child = match self.spawn(request, bot_ends.each_ref().map(AsFd::as_fd), true) {
            Ok(child) => child,
            Err(errno) => return Ok(ServerReply::Ran(cannot_start(errno), Some(own_cpu_time()))),
        };
        let [_, _, bots_errors] = bot_ends;
        if let Err(errno) = self.spawner.loaded() {
            sys::wait(child.pid, true)?;
            return Ok(ServerReply::Ran(cannot_start(errno), Some(own_cpu_time())));
        }
        self.watch = watch;
        self.max_tasks_seen = 1;
        self.helpers_seen = false;
        self.session = Some(ServedSession {
            handle: self.setup.pass.open_process(child.pid)?,
            child,
            started,
            level: self.spec.level,
            input: watched_input,
            errors: StderrReader::new(errors.into(), &self.spec.limits),
            exit: None,
        });
        // Of standard error, send the end into which the bot writes: the client only looks at how much is in the pipe,
        // and if it had the end for reading, the pipe would not break when the server closes it.
        self.channel.send_descriptors([input.as_fd(), output.as_fd(), bots_errors.as_fd()], self.setup.pass)?;
        Ok(ServerReply::Started)
    }

    /// Sends a descriptor of the program's own folder, which may be a copy that no other process can reach.
    fn send_folder(&mut self) -> io::Result<()> {
        let folder = fs::File::open(&self.spec.program.folder)?;
        self.channel.send_descriptors([folder.as_fd()], self.setup.pass)
    }

    /// Reads what the game's bot has used so far.
    fn read_usage(&mut self) -> (Cpu, Tasks) {
        let (cpu, tasks) = usage::read();
        self.helpers_seen |= tasks.processes > 1 || tasks.had_children > 0;
        // A process that waited for a child was one of two at once.
        self.max_tasks_seen =
            self.max_tasks_seen.max(tasks.threads).max(if tasks.had_children > 0 { 2 } else { 1 });
        (cpu, tasks)
    }

    fn running_session(&mut self) -> io::Result<&mut ServedSession> {
        self.session.as_mut().ok_or_else(|| io::Error::other("no bot is running"))
    }

    /// Ends the game's bot.
    fn finish(&mut self, grace: Duration) -> io::Result<ServerReply> {
        let session = self.session.take().ok_or_else(|| io::Error::other("no bot is running"))?;
        let is_alone = self.setup.waits.numbers.made() == Some(1);
        // Find out what the bot has started while it still runs.
        if !is_alone {
            self.read_usage();
        }
        let mut report = session.end(grace, is_alone)?;
        let made = self.setup.waits.numbers.made();
        let at_once = self.max_tasks_seen.max(made.unwrap_or(1).min(2));
        report.tasks = TaskCounts { at_once, made, helpers: self.helpers_seen || report.leftovers > 0 };
        let watch = self.watch.take();
        self.note_files(watch, None, false, &mut report)?;
        Ok(ServerReply::Ran(report, Some(own_cpu_time())))
    }

    /// Adds to the report what the bot did to files, and removes what it left in its scratch space. `state_file` is
    /// the bot's own, and `had_state` says whether it existed before the run.
    fn note_files(
        &mut self,
        watch: Option<FileWatch>,
        state_file: Option<&Path>,
        had_state: bool,
        report: &mut RunReport,
    ) -> io::Result<()> {
        let mut found = watch.map_or(Ok(Vec::new()), FileWatch::file_violations)?;
        if let Some(private) = &mut self.private {
            found = private.file_violations(state_file)?;
        }
        let kept = |path: &Path| self.state_files.contains(path);
        let removed = self.setup.scratch.wipe(state_file, had_state, !found.is_empty(), kept)?;
        if self.private.is_none() {
            found.extend(removed);
        }
        found.sort();
        found.dedup();
        report.file_violations = found;
        Ok(())
    }

    /// Begins to watch the file system for `request`, if it asks for that and the sandbox does not watch everything
    /// anyway.
    fn begin_watch(&mut self, request: &RunRequest) -> io::Result<Option<FileWatch>> {
        if let Some(private) = &mut self.private {
            private.accept()?;
            return Ok(None);
        }
        let cwd = request.cwd.as_deref().unwrap_or(&self.spec.program.folder);
        let private = [self.setup.scratch.home(), &self.spec.program.folder, cwd];
        let begin = || FileWatch::begin(&private, request.state_file.clone(), self.setup.pass);
        request.watch.then(begin).transpose()
    }
}

fn c_string(text: &OsStr) -> io::Result<CString> {
    CString::new(text.as_bytes()).map_err(io::Error::other)
}

/// The processor time that this process has used, to be subtracted from its control group's.
fn own_cpu_time() -> Duration {
    clock_time(ClockId::ProcessCPUTime)
}

/// For how long to retry a bot that could not be started, if the reason is not its own. `ETXTBSY`: when the client
/// has just written the program, a process that it started at that moment may still hold the file open for writing.
/// `EAGAIN`: below [`Level::Namespaced`], another bot of the same user may have made as many processes as the user
/// may have, until that bot reaches its time limit.
fn retry_time(report: &RunReport) -> Duration {
    match report.ended {
        Ended::CannotStart { errno: libc::ETXTBSY, .. } => Duration::from_secs(2),
        Ended::CannotStart { errno: libc::EAGAIN, .. } => Duration::from_secs(20),
        _ => Duration::ZERO,
    }
}

fn cannot_start(errno: Errno) -> RunReport {
    let why = io::Error::from(errno).to_string();
    RunReport::from_ended(Ended::CannotStart { errno: errno.raw_os_error(), why })
}
