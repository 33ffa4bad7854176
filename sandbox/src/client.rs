//! A sandbox as its user sees it: a handle for running one bot.

use super::calls::ObservedCall;
use super::error::{SandboxError, describe_refusals, expect_reply};
use super::keeper_handle::{Ender, KeeperHandle};
use super::launcher::LAUNCHER_NAME;
use super::level::{Isolation, Level};
use super::machine::{self, PROBE};
use super::report::{Activity, Ended, RunReport, Usage};
use super::run_request::{Input, Limits, Program, RunRequest};
use super::sanitizer::is_sanitized;
use super::server::keeper;
use super::wire::{SandboxSpec, ServerReply, ServerRequest};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::fs::File;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Whether [`serve_if_asked`] was called.
static READY: AtomicBool = AtomicBool::new(false);

/// If this process was started to serve sandboxes, or to try one out, does so and never returns. Every program that
/// opens sandboxes must call this first in `main`.
pub fn serve_if_asked() {
    let mut args = std::env::args_os();
    if args.next().is_some_and(|name| name == LAUNCHER_NAME) {
        keeper::launch_keepers();
    }
    if args.next().is_some_and(|first| first == PROBE) {
        std::process::exit(0);
    }
    READY.store(true, Ordering::Relaxed);
}

/// How a sandbox is opened, besides the limits of its runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Conditions {
    /// The weakest level to accept.
    pub at_least: Option<Level>,
    /// The strongest level to set up, for tests of the weaker ones.
    pub at_most: Option<Level>,
    /// Whether to report, at [`Level::Namespaced`], what the bot writes into its own folder, which is then a copy. At
    /// weaker levels, [`RunRequest::watch`] alone decides.
    pub watch_folder: bool,
    /// Whether the program is a build, which may write into its own folder (into a copy at [`Level::Namespaced`]).
    /// [`Sandbox::folder`] gives access to the result.
    pub is_build: bool,
    /// Whether the sandbox allows [`Sandbox::trace`].
    pub can_trace: bool,
}

impl Conditions {
    /// The isolation of sandboxes under these conditions: the strongest level up to [`Conditions::at_most`] that the
    /// machine provides. The first time, this program finds it by running itself in a sandbox of each level, beginning
    /// with the strongest, until one succeeds.
    ///
    /// # Errors
    /// When that level is weaker than [`Conditions::at_least`], the machine refuses every level, a level cannot be
    /// tried, or [`serve_if_asked`] was not called.
    pub fn isolation(self) -> Result<Isolation, SandboxError> {
        if !READY.load(Ordering::Relaxed) {
            return Err(SandboxError::NotReady);
        }
        let isolation = machine::find_strongest(self.at_most.unwrap_or(Level::Namespaced))?;
        match self.at_least.filter(|&demanded| isolation.level < demanded) {
            Some(demanded) => {
                Err(SandboxError::LevelRefused { demanded, why: describe_refusals(&isolation.refused) })
            }
            None => Ok(isolation),
        }
    }
}

/// The sandbox of one bot. Dropping it ends everything in it.
#[derive(Debug)]
pub struct Sandbox {
    state: SandboxState,
    spec: SandboxSpec,
    isolation: Isolation,
    ender: Ender,
    /// The last request to run, without its input.
    latest: Option<RunRequest>,
    /// Whether a bot was run, traced or started since the sandbox was opened or renewed.
    used: bool,
}

/// Whether a sandbox could be set up for the program.
#[derive(Debug)]
enum SandboxState {
    /// Its keeper runs.
    Open(Box<KeeperHandle>),
    /// The machine provides sandboxes, but none can be set up for this program, for this reason. Each of its runs is
    /// reported as one that cannot start.
    CannotSetUp(String),
    /// Its server was killed, and the bot with it, because the bot used up the memory that both share. The sandbox is
    /// opened anew when it is next used.
    OutOfMemory,
}

/// The reply to `request` when no bot can run because of `ended`.
fn reply_without_bot(request: &ServerRequest, ended: Ended) -> ServerReply {
    match request {
        ServerRequest::ReadState(_) | ServerRequest::WriteState(..) => ServerReply::State(None),
        ServerRequest::Usage | ServerRequest::BeginWaiting => ServerReply::Usage(Usage::default()),
        ServerRequest::Waited | ServerRequest::WaitsForInput(_) => ServerReply::Waited(Duration::ZERO),
        ServerRequest::Activity => ServerReply::Activity(Activity::Works),
        ServerRequest::Freeze(_) => ServerReply::Frozen(Duration::ZERO),
        _ => ServerReply::Ran(RunReport::from_ended(ended), None),
    }
}

/// Whether `request` is about a bot that runs for a whole game.
fn is_about_session(request: &ServerRequest) -> bool {
    use ServerRequest::{Activity, BeginWaiting, Finish, Freeze, Usage, Waited, WaitsForInput};
    matches!(request, Usage | BeginWaiting | Waited | Activity | WaitsForInput(_) | Freeze(_) | Finish(_))
}

impl Sandbox {
    /// Opens a sandbox for `program`, at the level of [`Conditions::isolation`]. If none can be set up for this
    /// program, for instance because there is a zero byte in its command, every run is reported as
    /// [`Ended::CannotStart`] with the reason.
    ///
    /// # Errors
    /// When no server can be started, or the machine refuses the level demanded.
    pub fn open(program: &Program, limits: &Limits, conditions: Conditions) -> Result<Sandbox, SandboxError> {
        Sandbox::open_with(program, limits, conditions, Ender::default())
    }

    /// Like [`Sandbox::open`], for a sandbox that `ender` can end.
    pub(super) fn open_with(
        program: &Program,
        limits: &Limits,
        conditions: Conditions,
        ender: Ender,
    ) -> Result<Sandbox, SandboxError> {
        let isolation = conditions.isolation()?;
        let spec = SandboxSpec {
            program: program.clone(),
            limits: limits.clone(),
            level: isolation.level,
            conditions,
            is_sanitized: is_sanitized(program),
            group: Vec::new(),
        };
        let state = open_keeper(&spec, &ender)?;
        Ok(Sandbox { state, spec, isolation, ender, latest: None, used: false })
    }

    /// Restores the sandbox to its initial state: at [`Level::Namespaced`], nothing remains of what ran in it, neither
    /// a file nor a process number. From now on it uses the processors that the calling thread may use. This does
    /// nothing if nothing ran and these processors have not changed.
    ///
    /// # Errors
    /// When the sandbox failed.
    pub fn renew(&mut self) -> Result<(), SandboxError> {
        self.latest = None;
        match &mut self.state {
            SandboxState::CannotSetUp(_) => return Ok(()),
            SandboxState::OutOfMemory => {}
            SandboxState::Open(keeper) => {
                let moved = keeper.follow_thread();
                if (!std::mem::take(&mut self.used) && !moved) || keeper.open_game(&ServerRequest::Renew).is_ok() {
                    return Ok(());
                }
            }
        }
        self.open_anew()
    }

    /// Replaces the keeper, which was lost or has ended.
    fn open_anew(&mut self) -> Result<(), SandboxError> {
        self.state = open_keeper(&self.spec, &self.ender)?;
        Ok(())
    }

    /// Whether the sandbox can be used for `program` with exactly these limits and conditions: it was opened for them,
    /// and has not been ended since.
    pub(super) fn is_for(&self, program: &Program, limits: &Limits, conditions: Conditions) -> bool {
        let spec = &self.spec;
        let is_closing = matches!(&self.state, SandboxState::Open(keeper) if keeper.is_closing());
        !is_closing && (&spec.program, &spec.limits, spec.conditions) == (program, limits, conditions)
    }

    /// Begins to close the sandbox, which must not be used any more. Dropping it waits until it is closed.
    pub(super) fn begin_to_close(&mut self) {
        if let Some(keeper) = self.keeper() {
            keeper.hang_up();
        }
    }

    pub(super) fn keeper(&mut self) -> Option<&mut KeeperHandle> {
        match &mut self.state {
            SandboxState::Open(keeper) => Some(keeper),
            SandboxState::CannotSetUp(_) | SandboxState::OutOfMemory => None,
        }
    }

    /// Why no sandbox can be set up for the program, if that is so.
    pub fn cannot_set_up(&self) -> Option<&str> {
        match &self.state {
            SandboxState::CannotSetUp(why) => Some(why),
            SandboxState::Open(_) | SandboxState::OutOfMemory => None,
        }
    }

    /// The level in force.
    pub fn isolation(&self) -> &Isolation {
        &self.isolation
    }

    /// Runs the bot once, from its start to its end.
    ///
    /// # Errors
    /// When the sandbox failed. What the bot does wrong is in the report.
    pub fn run(&mut self, request: &RunRequest) -> Result<RunReport, SandboxError> {
        let request = match &request.input {
            Input::Whole(input) if self.latest.as_ref().is_some_and(|latest| request.repeats(latest)) => {
                ServerRequest::RunAgain(Cow::Borrowed(input))
            }
            _ => {
                self.latest = Some(RunRequest { input: Input::Whole(Vec::new()), ..request.clone() });
                ServerRequest::Run(Cow::Borrowed(request))
            }
        };
        match self.ask(&request)? {
            ServerReply::Ran(report, server_cpu) => Ok(self.add_group_usage(report, server_cpu)),
            other => {
                self.latest = None;
                Err(SandboxError::unexpected(&other))
            }
        }
    }

    /// Runs the bot once and lists the system calls that it makes, under the usual filter. The bot gets its input
    /// all at once, as far as it fits into a pipe. The sandbox must have been opened with [`Conditions::can_trace`].
    ///
    /// # Errors
    /// When the sandbox failed, or the system does not let the server trace the bot.
    pub fn trace(&mut self, request: &RunRequest) -> Result<CallTrace, SandboxError> {
        match self.ask(&ServerRequest::Trace(Cow::Borrowed(request)))? {
            ServerReply::Traced(calls, report) => Ok(CallTrace { calls, report }),
            other => Err(SandboxError::unexpected(&other)),
        }
    }

    /// Adds to a report what only the control group knows.
    pub(super) fn add_group_usage(&mut self, report: RunReport, server_cpu: Option<Duration>) -> RunReport {
        match self.keeper() {
            Some(keeper) => keeper.add_group_usage(report, server_cpu),
            None => report,
        }
    }

    /// The content of the state file at `path`, if it is a regular file.
    ///
    /// # Errors
    /// When the sandbox failed.
    pub fn state(&mut self, path: &Path) -> Result<Option<Vec<u8>>, SandboxError> {
        expect_reply!(self.ask(&ServerRequest::ReadState(path.into()))?, State)
    }

    /// Writes the state file at `path`.
    ///
    /// # Errors
    /// When the sandbox failed.
    pub fn set_state(&mut self, path: &Path, content: &[u8]) -> Result<(), SandboxError> {
        let request = ServerRequest::WriteState(path.into(), Some(content.to_vec()));
        expect_reply!(self.ask(&request)?, State).map(drop)
    }

    /// Removes the state file at `path`, or anything else in its place. Done before and after every game of a bot that
    /// may keep a state file (B9).
    ///
    /// # Errors
    /// When the sandbox failed.
    pub fn clear_state(&mut self, path: &Path) -> Result<(), SandboxError> {
        expect_reply!(self.ask(&ServerRequest::WriteState(path.into(), None))?, State).map(drop)
    }

    /// The program's own folder as it is inside the sandbox, where a build has written into it.
    ///
    /// # Errors
    /// When the sandbox failed.
    pub fn folder(&mut self) -> Result<File, SandboxError> {
        match self.ask(&ServerRequest::Folder)? {
            ServerReply::Started => self.receive_files().map(|[folder]| folder),
            other => Err(SandboxError::unexpected(&other)),
        }
    }

    /// Renews the sandbox if it was used, and starts the bot for a whole game. The server has sent the bot's streams if
    /// the reply is [`ServerReply::Started`].
    pub(super) fn start_renewed(&mut self, request: &RunRequest) -> Result<ServerReply, SandboxError> {
        self.renew()?;
        self.ask(&ServerRequest::Start(Cow::Borrowed(request)))
    }

    /// Receives files that the server sends.
    pub(super) fn receive_files<const N: usize>(&mut self) -> Result<[File; N], SandboxError> {
        let Some(keeper) = self.keeper() else { return Err(SandboxError::unexpected(&ServerReply::Started)) };
        let files = keeper.with_watchdog(|channel| channel.receive_descriptors())?;
        Ok(files.map(File::from))
    }

    /// Sends `request` to the server. If the server was killed because the bot used up the memory that both share, the
    /// reply to a run or a finished game reports that. Until then, the replies about a bot that runs for a whole game
    /// are those about one that does nothing.
    pub(super) fn ask(&mut self, request: &ServerRequest) -> Result<ServerReply, SandboxError> {
        if matches!(self.state, SandboxState::OutOfMemory) && !is_about_session(request) {
            self.open_anew()?;
        }
        let keeper = match &mut self.state {
            SandboxState::Open(keeper) => keeper,
            SandboxState::CannotSetUp(why) => {
                let why = format!("no sandbox can be set up for it: {why}");
                return Ok(reply_without_bot(request, Ended::CannotStart { errno: 0, why }));
            }
            SandboxState::OutOfMemory => return Ok(reply_without_bot(request, Ended::OutOfMemory)),
        };
        self.used |= matches!(
            request,
            ServerRequest::Run(_) | ServerRequest::RunAgain(_) | ServerRequest::Start(_) | ServerRequest::Trace(_)
        );
        match keeper.ask(request) {
            Err(SandboxError::Lost(_)) if keeper.died_of_memory() => {
                self.latest = None;
                self.state = SandboxState::OutOfMemory;
                Ok(reply_without_bot(request, Ended::OutOfMemory))
            }
            other => other,
        }
    }
}

/// Opens a sandbox at a level that the machine is known to provide. If the machine refuses it twice, but still provides
/// it for Cornerman's own program ([`machine::try_level`]), the bot's program is the reason.
fn open_keeper(spec: &SandboxSpec, ender: &Ender) -> Result<SandboxState, SandboxError> {
    let has_zero = |word: &std::ffi::OsString| word.as_bytes().contains(&0);
    if spec.program.argv.iter().any(has_zero) {
        return Ok(SandboxState::CannotSetUp("there is a zero byte in its command".to_string()));
    }
    let opened = match KeeperHandle::open(spec, ender) {
        // A resource that had run out may be available again.
        Err(SandboxError::Refused(_)) => KeeperHandle::open(spec, ender),
        opened => opened,
    };
    let refusal = match opened {
        Ok(keeper) => return Ok(SandboxState::Open(Box::new(keeper))),
        Err(SandboxError::Refused(refusal)) => refusal,
        Err(failed) => return Err(failed),
    };
    let words = format!("to {}: {}", refusal.step, refusal.why);
    match machine::try_level(spec.level) {
        Ok(()) => Ok(SandboxState::CannotSetUp(words)),
        Err(SandboxError::Refused(_)) => {
            let level = spec.level;
            Err(SandboxError::Failed(format!("this machine gave `{level}` before, and refuses it now: {words}")))
        }
        Err(failed) => Err(failed),
    }
}

/// A run whose system calls were listed.
#[derive(Clone, Debug)]
pub struct CallTrace {
    /// The system calls that the bot and the processes it started made, in the order of their numbers.
    pub calls: Vec<ObservedCall>,
    /// How the run ended, and its output. Its times are too long, because the run is stopped at each call.
    pub report: RunReport,
}
