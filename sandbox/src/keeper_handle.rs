//! The client's side of an open sandbox: the keeper's process, the channel to it, and the control group.

use super::cgroup::Cgroup;
use super::error::{SandboxError, expect_reply};
use super::launcher::{KeeperProcess, start_keeper};
use super::level::{Level, Refusal};
use super::report::{Ended, RunReport};
use super::server::keeper::SERVER_KILLED;
use super::watchdog::Watchdog;
use super::wire::{self, Channel, SandboxSpec, SendingEnd, ServerReply, ServerRequest};
use rustix::thread::{CpuSet, sched_getaffinity};
use std::fs::File;
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

/// How much longer than a bot's hard limit with its longest extension (B10) a server may take before it is killed.
const PATIENCE: Duration = Duration::from_secs(30);

/// Differences between the kernel's counters that are smaller than this are inaccuracies, not a bot's processor time.
const NOISE: Duration = Duration::from_millis(1);

/// The client's side of an open sandbox. Dropping it ends everything in the sandbox.
#[derive(Debug)]
pub(crate) struct KeeperHandle {
    channel: Channel,
    process: KeeperProcess,
    watchdog: Arc<Watchdog>,
    /// Dropped after the keeper has ended, so that the group is empty when it is removed.
    group: Option<Cgroup>,
    /// The group's counters when they were last read, if they can be read.
    counters: Option<GroupCounters>,
    /// Whether all processes of the group are frozen.
    frozen: bool,
    /// The processors that the keeper may use, and its servers and bots with it; `None` if unknown.
    processors: Option<CpuSet>,
}

/// A control group's counters at one moment.
#[derive(Debug)]
struct GroupCounters {
    /// Processor time of all processes in the group.
    total: Duration,
    /// The server's own processor time by then, including what it used before it joined the group.
    server_cpu: Duration,
    /// Processor time that reports have included since then.
    reported: Duration,
    /// Processes killed for using too much memory.
    memory_kills: u64,
    /// The largest number of processes and threads at once since the group was made, if that is counted.
    most_tasks: Option<u32>,
}

impl GroupCounters {
    fn read(group: &Cgroup, server_cpu: Duration) -> Option<GroupCounters> {
        let total = group.counters.cpu()?;
        let memory_kills = group.memory_kills();
        let most_tasks = group.most_tasks();
        Some(GroupCounters { total, server_cpu, reported: Duration::ZERO, memory_kills, most_tasks })
    }

    /// The counters after the run of `report`. If the bot was always one process with one thread, and was not killed,
    /// only the processor time can have changed, so nothing else is read.
    fn read_after(&self, report: &RunReport, group: &Cgroup, server_cpu: Duration) -> Option<GroupCounters> {
        if report.tasks.made != Some(1) || report.ended == KILLED {
            return GroupCounters::read(group, server_cpu);
        }
        Some(GroupCounters { total: group.counters.cpu()?, server_cpu, reported: Duration::ZERO, ..*self })
    }
}

/// The end of a bot that was perhaps killed for its memory.
const KILLED: Ended = Ended::Signalled(libc::SIGKILL);

impl KeeperHandle {
    /// Opens a sandbox, above [`Level::Plain`] in a control group of its own where that is possible.
    ///
    /// # Errors
    /// When no keeper or control group can be made, the keeper ends, the machine refuses the level, or `ender` has
    /// ended all.
    pub(crate) fn open(spec: &SandboxSpec, ender: &Ender) -> Result<KeeperHandle, SandboxError> {
        let (channel, theirs) = Channel::open().map_err(|error| match error.kind() {
            io::ErrorKind::PermissionDenied => SandboxError::InSandbox,
            _ => SandboxError::Start(error),
        })?;
        ender.watch(channel.sending_end())?;
        let process = start_keeper(&theirs).map_err(SandboxError::Start)?;
        drop(theirs);
        let handle = process.handle().map_err(SandboxError::Start)?;
        let watchdog = Watchdog::for_server(handle, spec.limits.hard * 10 + PATIENCE);
        let group = None;
        let counters = None;
        let mut keeper =
            KeeperHandle { channel, process, watchdog, group, counters, frozen: false, processors: None };
        keeper.follow_thread();
        if spec.level > Level::Plain {
            keeper.group = Cgroup::make(&spec.limits).map_err(SandboxError::Start)?;
        }
        let group = keeper.group.as_ref().map_or(Vec::new(), |group| group.folders().to_vec());
        match keeper.open_game(&ServerRequest::Open(SandboxSpec { group, ..spec.clone() })) {
            Err(SandboxError::Lost(_)) if keeper.died_of_memory() => Err(SandboxError::Refused(Refusal {
                level: spec.level,
                step: "copy the bot's folder".to_string(),
                why: format!("it does not fit into the bot's memory of {} MiB", spec.limits.memory >> 20),
                errno: None,
            })),
            opened => opened.map(|()| keeper),
        }
    }

    /// Sends `request`, which opens or renews the sandbox. The keeper starts a server for it.
    pub(crate) fn open_game(&mut self, request: &ServerRequest) -> Result<(), SandboxError> {
        let server_cpu = expect_reply!(self.ask(request)?, Opened)?;
        self.begin_counting(server_cpu);
        Ok(())
    }

    /// Reads the group's counters when a server that has used `server_cpu` begins to serve: the group does not count
    /// what the server used before it joined.
    fn begin_counting(&mut self, server_cpu: Duration) {
        self.counters = self.group.as_ref().and_then(|group| GroupCounters::read(group, server_cpu));
    }

    /// Lets the next server run on the processors that the calling thread may use. Returns whether they have changed.
    pub(crate) fn follow_thread(&mut self) -> bool {
        let Some(processors) = sched_getaffinity(None).ok().filter(|now| self.processors.as_ref() != Some(now))
        else {
            return false;
        };
        // Games can be played on any processor, so a refusal is ignored.
        self.process.use_processors(&processors).ok();
        self.processors = Some(processors);
        true
    }

    /// Whether the channel was closed, by [`KeeperHandle::hang_up`] or by [`Ender::end`].
    pub(crate) fn is_closing(&self) -> bool {
        self.channel.is_closed()
    }

    /// Closes the channel. The server then ends everything in the sandbox and exits, and so does the keeper.
    pub(crate) fn hang_up(&mut self) {
        // A frozen process cannot end.
        if self.frozen {
            self.freeze_group(false).ok();
        }
        self.channel.hang_up();
    }

    /// Whether the server was killed because the bot used up the memory of the control group that both share.
    pub(crate) fn died_of_memory(&mut self) -> bool {
        let ended = self.process.wait();
        let Some(group) = &self.group else { return false };
        let before = self.counters.as_ref().map_or(0, |before| before.memory_kills);
        ended == Some(SERVER_KILLED) && group.memory_kills() > before
    }

    /// Adds to a report what only the control group knows: the processor time of processes that were never waited
    /// for, whether a process was killed because the group used too much memory, and how many tasks a session had at
    /// once. The group also counts the server's own time, `server_cpu`, which is subtracted. If that is `None`, the
    /// run was too brief to read the group's counters.
    pub(crate) fn add_group_usage(&mut self, mut report: RunReport, server_cpu: Option<Duration>) -> RunReport {
        let (Some(group), Some(before)) = (&self.group, &mut self.counters) else { return report };
        before.reported += report.cpu.total();
        report.cpu.lower_bound = false;
        let Some(server_cpu) = server_cpu else { return report };
        let Some(now) = before.read_after(&report, group, server_cpu) else {
            report.cpu.lower_bound = true;
            return report;
        };
        let total = now.total.saturating_sub(before.total);
        let uncounted = total.saturating_sub(now.server_cpu.saturating_sub(before.server_cpu) + before.reported);
        if uncounted > NOISE {
            report.cpu.user += uncounted;
        }
        if report.ended == KILLED && now.memory_kills > before.memory_kills {
            report.ended = Ended::OutOfMemory;
        }
        // The maximum covers all games in this sandbox. If it has grown, it is this game's, including the server.
        if report.tasks.at_once > 0 && now.most_tasks > before.most_tasks {
            let most = now.most_tasks.unwrap_or_default().saturating_sub(1);
            report.tasks.at_once = report.tasks.at_once.max(most);
        }
        self.counters = Some(now);
        report
    }

    /// Stops or resumes all processes of the control group, and returns the processor time that the group has used
    /// so far; `None` without a group that can be frozen.
    pub(crate) fn freeze_group(&mut self, freeze: bool) -> Result<Option<Duration>, SandboxError> {
        let Some(group) = self.group.as_ref().filter(|group| group.can_freeze()) else { return Ok(None) };
        // Read the time while the group is frozen, because this process may have to wait between the two steps.
        let cpu_before = if freeze { None } else { group.counters.cpu() };
        if self.frozen != freeze {
            group.freeze(freeze).map_err(SandboxError::Lost)?;
            self.frozen = freeze;
        }
        Ok(cpu_before.or_else(|| group.counters.cpu()))
    }

    /// How long the control group has waited for a processor since it was made, if it counts that.
    pub(crate) fn waited(&self) -> Option<Duration> {
        self.group.as_ref()?.counters.waited()
    }

    /// Processor time of everything the bot started since the game began, if a control group counts it. `server_cpu` is
    /// the server's own time, which is subtracted from the group's.
    pub(crate) fn bot_cpu_time(&self, server_cpu: Duration) -> Option<Duration> {
        let group = self.group.as_ref()?;
        let before = self.counters.as_ref()?;
        let server_part = server_cpu.saturating_sub(before.server_cpu);
        Some(group.counters.cpu()?.saturating_sub(before.total + server_part))
    }

    /// Sends `request` and waits for the reply.
    ///
    /// # Errors
    /// When the server ends, or is killed because it does not answer.
    pub(crate) fn ask(&mut self, request: &ServerRequest) -> Result<ServerReply, SandboxError> {
        if self.frozen {
            // The server is in the frozen group as well.
            self.freeze_group(false)?;
        }
        self.with_watchdog(|channel| {
            channel.send(request)?;
            channel.receive()?.ok_or_else(|| io::ErrorKind::UnexpectedEof.into())
        })
    }

    /// Runs `exchange` on the channel, and fails if the server does not answer in time.
    pub(crate) fn with_watchdog<T>(
        &mut self,
        exchange: impl FnOnce(&mut Channel) -> io::Result<T>,
    ) -> Result<T, SandboxError> {
        self.watchdog.note_message();
        let answer = exchange(&mut self.channel);
        self.watchdog.note_message();
        answer.map_err(|failed| {
            let given_up = self.watchdog.given_up();
            SandboxError::Lost(if given_up { io::ErrorKind::TimedOut.into() } else { failed })
        })
    }
}

impl Drop for KeeperHandle {
    /// Ends everything in the sandbox, and waits until it has ended.
    fn drop(&mut self) {
        if !self.is_closing() {
            self.hang_up();
        }
        self.process.wait();
    }
}

/// Ends all sandboxes that were opened with it, from another thread than those that use them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ender(Arc<Mutex<WatchedSandboxes>>);

#[derive(Debug, Default)]
struct WatchedSandboxes {
    have_ended: bool,
    /// The clients' ends of the channels to the keepers. Those of dropped sandboxes are removed when another is opened.
    open: Vec<Weak<Mutex<Option<File>>>>,
}

impl Ender {
    /// Ends everything in the sandboxes. Requests that await an answer fail, and no more sandboxes are opened.
    pub(crate) fn end(&self) {
        let mut watched = self.lock();
        watched.have_ended = true;
        for end in watched.open.drain(..).filter_map(|end| end.upgrade()) {
            wire::close(&end);
        }
    }

    /// Lets sandboxes be opened again.
    pub(crate) fn reopen(&self) {
        self.lock().have_ended = false;
    }

    /// Adds a sandbox, by its end of the channel, to those that [`Ender::end`] ends. Fails if it was called before.
    fn watch(&self, end: &SendingEnd) -> Result<(), SandboxError> {
        let mut watched = self.lock();
        if watched.have_ended {
            return Err(SandboxError::Ended);
        }
        watched.open.retain(|end| end.strong_count() > 0);
        watched.open.push(Arc::downgrade(end));
        Ok(())
    }

    fn lock(&self) -> MutexGuard<'_, WatchedSandboxes> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
