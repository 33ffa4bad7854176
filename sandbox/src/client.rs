//! A sandbox as its user sees it: a handle on the server that runs one seat's bot.

use super::cgroup::Cgroup;
use super::level::{Isolation, Level, Refusal};
use super::order::{Input, Limits, Order, Program};
use super::overdue::Questions;
use super::report::{Ended, RunReport};
use super::secrets::secret_files;
use super::server;
use super::wire::{Channel, Opening, Reply, Request};
use std::borrow::Cow;
use std::fs::File;
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// The name under which this program starts itself as a sandbox server.
const SERVER_NAME: &str = "cornerman-sandbox";

/// What a server may take longer than the bot's hard limit before it is given up.
const PATIENCE: Duration = Duration::from_secs(30);

/// Differences between the kernel's accounts below this are of their making, not of a bot's.
const NOISE: Duration = Duration::from_millis(1);

static READY: AtomicBool = AtomicBool::new(false);

/// Serves a sandbox and never returns, if that is what this process was started for. Every program that opens
/// sandboxes calls it first in `main`.
pub fn serve_if_asked() {
    if std::env::args_os().next().is_some_and(|name| name == SERVER_NAME) {
        server::serve();
    }
    READY.store(true, Ordering::Relaxed);
}

/// A failure of the sandbox itself, never of a bot.
#[derive(Debug, thiserror::Error)]
pub enum SandboxError {
    /// The program did not call [`serve_if_asked`].
    #[error("this program cannot open a sandbox: its main does not begin with sandbox::serve_if_asked()")]
    NotReady,
    /// The server could not be started.
    #[error("cannot start a sandbox server: {0}")]
    Start(#[source] io::Error),
    /// The server did not answer.
    #[error("the sandbox server stopped answering: {0}")]
    Lost(#[source] io::Error),
    /// The server could not do what was asked.
    #[error("the sandbox failed: {0}")]
    Failed(String),
    /// The machine does not give the level that was demanded.
    #[error("isolation `{demanded}` cannot be had on this machine: {why}")]
    LevelRefused {
        /// What was demanded.
        demanded: Level,
        /// The step that failed, and the machine's answer.
        why: String,
    },
}

/// Refused steps in words, with what would help.
fn told(refused: &[Refusal]) -> String {
    let told = |r: &Refusal| format!("\n  to {}: {}; {}", r.step, r.why, r.advice());
    match refused {
        [] => "no better level was to be tried".to_string(),
        refused => refused.iter().map(told).collect(),
    }
}

impl SandboxError {
    /// An answer that does not belong to the question.
    pub(super) fn unexpected(reply: &Reply) -> SandboxError {
        match reply {
            Reply::Failed(why) => SandboxError::Failed(why.clone()),
            other => SandboxError::Failed(format!("an answer to another question came: {other:?}")),
        }
    }
}

/// One seat's sandbox: everything in it ends when it is dropped.
#[derive(Debug)]
pub struct Sandbox {
    channel: Channel,
    server: Child,
    questions: Arc<Questions>,
    isolation: Isolation,
    hard: Duration,
    /// What the server was asked to run last, without its input.
    latest: Option<Order>,
    /// After the server, so that it is removed when nobody is in it any more.
    group: Option<Cgroup>,
    /// What the group's accounts said when last looked into, if they can be read.
    accounts: Option<Accounts>,
}

/// What is in a control group's accounts at a moment.
#[derive(Debug)]
struct Accounts {
    /// Processor time of all in the group.
    in_all: Duration,
    /// The server's own part of that.
    servers_own: Duration,
    /// What reports since then have said of processor time.
    reported: Duration,
    /// Processes killed for using too much memory.
    memory_kills: u64,
}

impl Accounts {
    fn look(group: &Cgroup, servers_own: Duration) -> Option<Accounts> {
        let (in_all, memory_kills) = (group.cpu()?, group.memory_kills());
        Some(Accounts { in_all, servers_own, reported: Duration::ZERO, memory_kills })
    }
}

/// Under which conditions a sandbox is opened, besides the limits of its runs.
#[derive(Clone, Copy, Debug, Default)]
pub struct Conditions {
    /// The level demanded.
    pub at_least: Option<Level>,
    /// No better level than this: for tests of the lesser ones.
    pub at_most: Option<Level>,
    /// Whether to see what the bot would write into its own folder, which is a copy then.
    pub watchful: bool,
    /// Whether what runs is a build: it may write into its own folder, which is a copy where the level allows that.
    /// [`Sandbox::folder`] gives what became of it.
    pub builds: bool,
    /// Whether to see which system calls it makes: see [`Sandbox::trace`].
    pub traces: bool,
}

/// The best level that this machine gave so far, and what it refused above it: found out once a process.
static FOUND: Mutex<Option<Isolation>> = Mutex::new(None);

impl Sandbox {
    /// Opens a sandbox for `program`, at the best level the machine gives. Which one that is, is found by
    /// setting it up.
    ///
    /// # Errors
    /// When no server can be started, or the level demanded is refused.
    pub fn open(program: &Program, limits: &Limits, conditions: Conditions) -> Result<Sandbox, SandboxError> {
        if !READY.load(Ordering::Relaxed) {
            return Err(SandboxError::NotReady);
        }
        let known = FOUND.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let at_most = conditions.at_most.unwrap_or(Level::Namespaced);
        let best = known.as_ref().map_or(at_most, |found| found.level.min(at_most));
        let mut refused = known.map_or(Vec::new(), |found| found.refused);
        let mut level = best;
        loop {
            if let Some(demanded) = conditions.at_least.filter(|&demanded| level < demanded) {
                let why = told(&refused);
                return Err(SandboxError::LevelRefused { demanded, why });
            }
            match Sandbox::open_at(level, program, limits, conditions)? {
                Ok(mut sandbox) => {
                    sandbox.isolation.refused = refused;
                    if conditions.at_most.is_none() {
                        *FOUND.lock().unwrap_or_else(PoisonError::into_inner) = Some(sandbox.isolation.clone());
                    }
                    return Ok(sandbox);
                }
                Err(refusal) => {
                    let why = refusal.why.clone();
                    refused.push(refusal);
                    level = level.lesser().ok_or(SandboxError::Failed(why))?;
                }
            }
        }
    }

    /// Opens a sandbox at exactly `level`, or gives the machine's refusal.
    fn open_at(
        level: Level,
        program: &Program,
        limits: &Limits,
        conditions: Conditions,
    ) -> Result<Result<Sandbox, Refusal>, SandboxError> {
        let (channel, theirs) = Channel::open().map_err(SandboxError::Start)?;
        let server = Command::new("/proc/self/exe")
            .arg0(SERVER_NAME)
            .env_clear()
            .stdin(Stdio::from(OwnedFd::from(theirs)))
            .stdout(Stdio::null())
            .stderr(Stdio::inherit())
            // Its own group: a Ctrl-C at the terminal is the user's word to us, not to the servers.
            .process_group(0)
            .spawn()
            .map_err(SandboxError::Start)?;
        let questions = Questions::to(&server, limits.hard + PATIENCE).map_err(SandboxError::Start)?;
        let isolation = Isolation { level, refused: Vec::new() };
        let group = if level > Level::Plain { Cgroup::make(limits).map_err(SandboxError::Start)? } else { None };
        let folders = group.as_ref().map_or(Vec::new(), |group| group.folders().to_vec());
        let mut sandbox = Sandbox {
            channel,
            server,
            questions,
            isolation,
            hard: limits.hard,
            latest: None,
            group,
            accounts: None,
        };
        let (program, limits) = (program.clone(), limits.clone());
        let Conditions { watchful, builds, traces, .. } = conditions;
        let hidden = secret_files().to_vec();
        let opening = Opening { program, limits, level, watchful, builds, traces, group: folders, hidden };
        match sandbox.ask(&Request::Open(opening))? {
            Reply::Opened(servers_own) => {
                // What the server used up before it was in the group is in nobody's account.
                sandbox.accounts = sandbox.group.as_ref().and_then(|group| Accounts::look(group, servers_own));
                Ok(Ok(sandbox))
            }
            Reply::Refused(refusal) => Ok(Err(refusal)),
            other => Err(SandboxError::unexpected(&other)),
        }
    }

    /// The level in force.
    pub fn isolation(&self) -> &Isolation {
        &self.isolation
    }

    /// The wall time after which a run is ended.
    pub fn hard_limit(&self) -> Duration {
        self.hard
    }

    /// Runs the bot once, from its start to its end.
    ///
    /// # Errors
    /// When the sandbox failed; whatever the bot does is in the report.
    pub fn run(&mut self, order: &Order) -> Result<RunReport, SandboxError> {
        let request = match &order.input {
            Input::Whole(input) if self.latest.as_ref().is_some_and(|latest| order.repeats(latest)) => {
                Request::Again(Cow::Borrowed(input))
            }
            _ => {
                self.latest = Some(Order { input: Input::Whole(Vec::new()), ..order.clone() });
                Request::Run(Cow::Borrowed(order))
            }
        };
        match self.ask(&request)? {
            Reply::Ran(report, servers_own) => Ok(self.account(report, servers_own)),
            other => {
                self.latest = None;
                Err(SandboxError::unexpected(&other))
            }
        }
    }

    /// Adds to a report what only the control group knows: the time of processes that nobody waited for, and that
    /// one was killed for the memory of all together. The server's own time is in the group's account and is taken
    /// off. `None` for it: the run was too brief for either.
    pub(super) fn account(&mut self, mut report: RunReport, servers_own: Option<Duration>) -> RunReport {
        let (Some(group), Some(before)) = (&self.group, &mut self.accounts) else { return report };
        before.reported += report.cpu.total();
        report.cpu.lower_bound = false;
        let Some(servers_own) = servers_own else { return report };
        let Some(now) = Accounts::look(group, servers_own) else {
            report.cpu.lower_bound = true;
            return report;
        };
        let in_all = now.in_all.saturating_sub(before.in_all);
        let unseen = in_all.saturating_sub(now.servers_own.saturating_sub(before.servers_own) + before.reported);
        if unseen > NOISE {
            report.cpu.user += unseen;
        }
        if report.ended == Ended::Signalled(libc::SIGKILL) && now.memory_kills > before.memory_kills {
            report.ended = Ended::OutOfMemory;
        }
        self.accounts = Some(now);
        report
    }

    /// The content of the state file of `mark` (B9), if it is a regular file.
    ///
    /// # Errors
    /// When the sandbox failed.
    pub fn state(&mut self, mark: u8) -> Result<Option<Vec<u8>>, SandboxError> {
        self.ask_state(&Request::ReadState(mark))
    }

    /// Gives the state file of `mark` this content.
    ///
    /// # Errors
    /// When the sandbox failed.
    pub fn set_state(&mut self, mark: u8, content: &[u8]) -> Result<(), SandboxError> {
        self.ask_state(&Request::WriteState(mark, Some(content.to_vec()))).map(drop)
    }

    /// Removes the state file of `mark`, or whatever stands in its place, as before and after every game (B9).
    ///
    /// # Errors
    /// When the sandbox failed.
    pub fn clear_state(&mut self, mark: u8) -> Result<(), SandboxError> {
        self.ask_state(&Request::WriteState(mark, None)).map(drop)
    }

    fn ask_state(&mut self, request: &Request) -> Result<Option<Vec<u8>>, SandboxError> {
        match self.ask(request)? {
            Reply::State(content) => Ok(content),
            other => Err(SandboxError::unexpected(&other)),
        }
    }

    /// The program's own folder as it is in the sandbox, where a build has written into it.
    ///
    /// # Errors
    /// When the sandbox failed.
    pub fn folder(&mut self) -> Result<File, SandboxError> {
        let [folder, _] =
            self.ask_for_streams(&Request::Folder)?.map_err(|other| SandboxError::unexpected(&other))?;
        Ok(folder)
    }

    /// Asks to start the bot: its standard input and output, or another answer.
    pub(super) fn ask_for_streams(&mut self, request: &Request) -> Result<Result<[File; 2], Reply>, SandboxError> {
        self.latest = None;
        match self.ask(request)? {
            Reply::Started => {
                let streams = self.in_time(|channel| channel.receive_descriptors())?;
                Ok(Ok(streams.map(File::from)))
            }
            other => Ok(Err(other)),
        }
    }

    pub(super) fn ask(&mut self, request: &Request) -> Result<Reply, SandboxError> {
        self.in_time(|channel| {
            channel.send(request)?;
            channel.receive()?.ok_or_else(|| io::ErrorKind::UnexpectedEof.into())
        })
    }

    /// What comes through the channel, unless the server is given up before.
    fn in_time<T>(&mut self, exchange: impl FnOnce(&mut Channel) -> io::Result<T>) -> Result<T, SandboxError> {
        self.questions.asked();
        let answer = exchange(&mut self.channel);
        self.questions.answered();
        answer.map_err(|failed| {
            let given_up = self.questions.given_up();
            SandboxError::Lost(if given_up { io::ErrorKind::TimedOut.into() } else { failed })
        })
    }
}

impl Drop for Sandbox {
    /// The server sees its channel close, ends everything in the sandbox and itself.
    fn drop(&mut self) {
        self.questions.asked();
        self.channel.close();
        self.server.wait().ok();
    }
}
