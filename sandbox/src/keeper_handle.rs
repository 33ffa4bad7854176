//! A sandbox that is open: its keeper's process, what passes between, and the control group.

use super::cgroup::Cgroup;
use super::error::SandboxError;
use super::level::{Level, LevelSetup};
use super::report::{Ended, RunReport};
use super::server::keeper::SERVER_KILLED;
use super::watchdog::Watchdog;
use super::wire::{Channel, Reply, Request, SandboxSpec};
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

/// The name under which this program starts itself as the keeper of a sandbox.
pub const KEEPER_NAME: &str = "cornerman-sandbox";

/// What a server may take longer than the bot's hard limit before it is given up.
const PATIENCE: Duration = Duration::from_secs(30);

/// Differences between the kernel's accounts below this are of their making, not of a bot's.
const NOISE: Duration = Duration::from_millis(1);

/// See the head of this file. Everything in the sandbox ends when it is dropped.
#[derive(Debug)]
pub struct KeeperHandle {
    channel: Channel,
    process: Child,
    watchdog: Arc<Watchdog>,
    /// After the keeper, so that it is removed when nobody is in it any more.
    group: Option<Cgroup>,
    /// What the group's accounts said when last looked into, if they can be read.
    accounts: Option<GroupUsage>,
    /// Whether all processes of the group are stopped.
    frozen: bool,
}

/// What is in a control group's accounts at a moment.
#[derive(Debug)]
struct GroupUsage {
    /// Processor time of all in the group.
    in_all: Duration,
    /// The server's own part of that.
    servers_own: Duration,
    /// What reports since then have said of processor time.
    reported: Duration,
    /// Processes killed for using too much memory.
    memory_kills: u64,
}

impl GroupUsage {
    fn look(group: &Cgroup, servers_own: Duration) -> Option<GroupUsage> {
        let (in_all, memory_kills) = (group.cpu()?, group.memory_kills());
        Some(GroupUsage { in_all, servers_own, reported: Duration::ZERO, memory_kills })
    }
}

impl KeeperHandle {
    /// Opens what `spec` asks for, in a control group of its own where the machine gives one, or tells which step
    /// was refused.
    ///
    /// # Errors
    /// When no keeper can be started, or it ends.
    pub fn open(spec: &SandboxSpec) -> Result<LevelSetup<KeeperHandle>, SandboxError> {
        let (channel, theirs) = Channel::open().map_err(SandboxError::Start)?;
        let process = Command::new("/proc/self/exe")
            .arg0(KEEPER_NAME)
            .env_clear()
            .stdin(Stdio::from(OwnedFd::from(theirs)))
            .stdout(Stdio::null())
            .stderr(Stdio::inherit())
            // Its own group: a Ctrl-C at the terminal is the user's word to us, not to the keepers.
            .process_group(0)
            .spawn()
            .map_err(SandboxError::Start)?;
        let watchdog = Watchdog::to(&process, spec.limits.hard * 10 + PATIENCE).map_err(SandboxError::Start)?;
        let mut keeper = KeeperHandle { channel, process, watchdog, group: None, accounts: None, frozen: false };
        if spec.level > Level::Plain {
            keeper.group = Cgroup::make(&spec.limits).map_err(SandboxError::Start)?;
        }
        let group = keeper.group.as_ref().map_or(Vec::new(), |group| group.folders().to_vec());
        Ok(match keeper.open_game(&Request::Open(SandboxSpec { group, ..spec.clone() }))? {
            LevelSetup::Done(()) => LevelSetup::Done(keeper),
            LevelSetup::Refused(refusal) => LevelSetup::Refused(refusal),
        })
    }

    /// Has a game's server started, by the first request or by one to renew.
    ///
    /// # Errors
    /// When the keeper or the server ends.
    pub fn open_game(&mut self, request: &Request) -> Result<LevelSetup<()>, SandboxError> {
        match self.ask(request)? {
            Reply::Opened(servers_own) => {
                // What the server used up before it was in the group is in nobody's account.
                self.accounts = self.group.as_ref().and_then(|group| GroupUsage::look(group, servers_own));
                Ok(LevelSetup::Done(()))
            }
            Reply::Refused(refusal) => Ok(LevelSetup::Refused(refusal)),
            other => Err(SandboxError::unexpected(&other)),
        }
    }

    /// Whether the server was killed because the bot used up the memory that both have.
    pub fn died_of_memory(&mut self) -> bool {
        let ended = self.process.wait().ok().and_then(|status| status.code());
        let (Some(group), Some(before)) = (&self.group, &self.accounts) else { return false };
        ended == Some(SERVER_KILLED) && group.memory_kills() > before.memory_kills
    }

    /// Adds to a report what only the control group knows: the time of processes that nobody waited for, and that
    /// one was killed for the memory of all together. The server's own time is in the group's account and is taken
    /// off. `None` for it: the run was too brief for either.
    pub fn account(&mut self, mut report: RunReport, servers_own: Option<Duration>) -> RunReport {
        let (Some(group), Some(before)) = (&self.group, &mut self.accounts) else { return report };
        before.reported += report.cpu.total();
        report.cpu.lower_bound = false;
        let Some(servers_own) = servers_own else { return report };
        let Some(now) = GroupUsage::look(group, servers_own) else {
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

    /// Stops or resumes all processes of the control group: the processor time that it has used while it ran. `None`
    /// where there is no group that can do it.
    ///
    /// # Errors
    /// When the system refuses.
    pub fn freeze_group(&mut self, freeze: bool) -> Result<Option<Duration>, SandboxError> {
        let Some(group) = self.group.as_ref().filter(|group| group.can_freeze()) else { return Ok(None) };
        let used = group.cpu();
        if self.frozen != freeze {
            group.freeze(freeze).map_err(SandboxError::Lost)?;
            self.frozen = freeze;
        }
        Ok(used)
    }

    /// How long the bot has waited for processors so far, if its control group knows.
    pub fn waited(&self) -> Option<Duration> {
        self.group.as_ref()?.waited()
    }

    /// Processor time of all that the bot started since the game began, if its control group knows; the server itself
    /// has used `servers_own`.
    pub fn used(&self, servers_own: Duration) -> Option<Duration> {
        let (group, before) = (self.group.as_ref()?, self.accounts.as_ref()?);
        let servers = servers_own.saturating_sub(before.servers_own);
        Some(group.cpu()?.saturating_sub(before.in_all + servers))
    }

    /// Asks the server, and waits for its answer.
    ///
    /// # Errors
    /// When the server ends, or is given up.
    pub fn ask(&mut self, request: &Request) -> Result<Reply, SandboxError> {
        if self.frozen {
            // The server is in the group.
            self.freeze_group(false)?;
        }
        self.in_time(|channel| {
            channel.send(request)?;
            channel.receive()?.ok_or_else(|| io::ErrorKind::UnexpectedEof.into())
        })
    }

    /// What comes through the channel, unless the server is given up before.
    ///
    /// # Errors
    /// When the server ends, or is given up.
    pub fn in_time<T>(&mut self, exchange: impl FnOnce(&mut Channel) -> io::Result<T>) -> Result<T, SandboxError> {
        self.watchdog.asked();
        let answer = exchange(&mut self.channel);
        self.watchdog.answered();
        answer.map_err(|failed| {
            let given_up = self.watchdog.given_up();
            SandboxError::Lost(if given_up { io::ErrorKind::TimedOut.into() } else { failed })
        })
    }
}

impl Drop for KeeperHandle {
    /// The server sees its channel close, ends everything in the sandbox and itself; then the keeper ends.
    fn drop(&mut self) {
        // What is stopped cannot end.
        if self.frozen {
            self.freeze_group(false).ok();
        }
        self.watchdog.asked();
        self.channel.close();
        self.process.wait().ok();
    }
}
