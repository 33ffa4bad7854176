//! Sets up a level of isolation, from inside the keeper and the server. Bots inherit it.

mod landlock;
mod namespaces;
mod root;

use super::scratch::Scratch;
use super::usage::ProcessNumbers;
use super::waits::WaitMeter;
use crate::calls::{self, Grants, ProgramPart};
use crate::cgroup::CgroupHandle;
use crate::level::{Level, Refusal};
use crate::machine::kernel_is_at_least;
use crate::run_request::Limits;
use crate::sys::{self, Instruction, Pass};
use crate::wire::SandboxSpec;
use root::RootPieces;
use rustix::fs::MemfdFlags;
use rustix::process::{Resource, Rlimit};
use rustix::thread::{CapabilitySet, UnshareFlags};
use std::fs::File;
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};

/// What a keeper sets up for all its servers.
pub(super) struct KeeperSetup {
    pub group: CgroupHandle,
    /// The kernel's file with the last process number in the namespace, if it can be written.
    numbers: Option<File>,
    /// The bot's parts whose paths are below the scratch space, and where they are kept until that is mounted.
    waiting: Vec<(PathBuf, PathBuf)>,
    /// The filter of system calls, from [`Level::Scoped`] up.
    filter: Option<ServerFilter>,
}

impl KeeperSetup {
    /// The pass for calls that no process under the filter may make without it.
    pub(super) fn pass(&self) -> Pass {
        self.filter.as_ref().map_or(Pass::default(), |filter| filter.pass)
    }
}

/// What a server needs once its level is in force.
pub(super) struct ServerSetup {
    pub scratch: Scratch,
    /// Landlock's rules for the bots, if the server itself is not under them.
    pub rules: Option<OwnedFd>,
    /// A regular file for runs whose output goes to a file. Made before the filter forbids making one; `None` inside
    /// another sandbox, which already forbids it.
    pub output_file: Option<File>,
    /// The pass for calls that bots may not make.
    pub pass: Pass,
    /// Measures how long bots wait for a processor.
    pub waits: WaitMeter,
}

/// Runtimes reserve much more address space than they use: Java does not start with less than this.
const LEAST_ADDRESS_SPACE: u64 = 4 << 30;

/// The namespaces that are new for each server at `level`.
pub(super) fn namespaces_of_a_game(level: Level) -> UnshareFlags {
    if level == Level::Namespaced { namespaces::NEW_FOR_EACH_GAME } else { UnshareFlags::empty() }
}

/// Sets up what all servers of a sandbox share.
///
/// # Errors
/// The step that was refused. This process cannot be used any more then.
pub(super) fn set_up_keeper(spec: &SandboxSpec) -> Result<KeeperSetup, Refused> {
    let group = CgroupHandle::from_folders(&spec.group).step("find the control group")?;
    if spec.level >= Level::Restricted {
        // The keeper becomes the parent of the processes that a killed server leaves.
        rustix::process::set_child_subreaper(Some(rustix::process::getpid()))
            .step("become the parent of orphans")?;
    }
    let mut numbers = None;
    let mut waiting = Vec::new();
    if spec.level == Level::Namespaced {
        let user = namespaces::own_user();
        let pieces = match user {
            // Open everything as root, then become another user.
            Some(_) => {
                sys::unshare(UnshareFlags::NEWNS).step("enter a mount namespace")?;
                let pieces = RootPieces::open(spec, user)?;
                namespaces::enter_namespaces_of_the_seat(user)?;
                pieces
            }
            None => {
                namespaces::enter_namespaces_of_the_seat(None)?;
                RootPieces::open(spec, None)?
            }
        };
        numbers = namespaces::open_process_numbers();
        waiting = pieces.waiting();
        pieces.enter(spec)?;
    }
    if spec.level >= Level::Restricted {
        namespaces::withhold_capabilities();
    }
    // Last, because it forbids some of the calls above.
    let filter = (spec.level >= Level::Scoped).then(|| ServerFilter::prepare(spec)).transpose()?;
    Ok(KeeperSetup { group, numbers, waiting, filter })
}

/// Sets up exactly the level of `spec` for one server, on top of its keeper's set-up. `home` is the bot's home folder
/// if the scratch space consists of the machine's own folders. `to_keeper` is a socket to the keeper if the keeper
/// makes calls for a build.
///
/// # Errors
/// The step that was refused. This process cannot be used any more then.
pub(super) fn set_up_server(
    spec: &SandboxSpec,
    base: KeeperSetup,
    home: &Path,
    to_keeper: Option<UnixStream>,
) -> Result<ServerSetup, Refused> {
    let output_file = rustix::fs::memfd_create("standard output", MemfdFlags::CLOEXEC).ok().map(File::from);
    namespaces::detach()?;
    base.group.join().step("join the control group")?;
    let namespaced = spec.level == Level::Namespaced;
    let scratch = if namespaced {
        namespaces::hide_names()?;
        root::mount_for_game(spec, &base.waiting)?
    } else {
        Scratch::shared(home)
    };
    let waits = WaitMeter::new(base.group.into_counters(), ProcessNumbers::new(base.numbers));
    let mut setup = ServerSetup { scratch, rules: None, output_file, pass: Pass::default(), waits };
    if spec.level >= Level::Restricted {
        // At `restricted`, too: a bot that root runs gets none of root's powers, except over root's files.
        namespaces::drop_capabilities(if namespaced { SERVER_CAPABILITIES } else { CapabilitySet::empty() })?;
        set_limits(&spec.limits, spec.level, spec.is_sanitized)?;
    }
    match spec.level {
        // The server and its bots share the same root, so the server itself comes under the rules and bots inherit
        // them.
        Level::Namespaced => landlock::confine_self(&setup.scratch.writable())?,
        Level::Scoped => {
            let mut writable = setup.scratch.writable();
            writable.extend(spec.conditions.is_build.then(|| spec.program.folder.clone()));
            setup.rules = Some(landlock::rules_for(&spec.program, &writable)?);
        }
        Level::Plain | Level::Restricted => {}
    }
    std::env::set_current_dir(&spec.program.folder).step("enter the bot's folder")?;
    if let Some(filter) = &base.filter {
        setup.pass = filter.install(to_keeper.as_ref())?;
    }
    Ok(setup)
}

/// The capabilities that a server keeps in its own namespaces, and that no bot gets: to open files whose permissions
/// a bot has removed, to see the bot's processes, and to set the next process number.
const SERVER_CAPABILITIES: CapabilitySet =
    CapabilitySet::DAC_OVERRIDE.union(CapabilitySet::SYS_PTRACE).union(CapabilitySet::CHECKPOINT_RESTORE);

/// Lowers a resource limit of this process and of all that it will start.
fn lower_limit(resource: Resource, limit: u64) -> io::Result<()> {
    let lowered = rustix::process::getrlimit(resource).maximum.map_or(limit, |most| most.min(limit));
    Ok(rustix::process::setrlimit(resource, Rlimit { current: Some(lowered), maximum: Some(lowered) })?)
}

/// Limits the resources of this process and its bots, and makes it the parent of their orphans.
fn set_limits(limits: &Limits, level: Level, is_sanitized: bool) -> Result<(), Refused> {
    rustix::process::set_child_subreaper(Some(rustix::process::getpid())).step("become the parent of orphans")?;
    rustix::thread::set_no_new_privs(true).step("give up new privileges")?;
    let ceilings = [
        (Resource::Core, 0, "forbid core dumps"),
        (Resource::Data, limits.memory, "limit memory"),
        // Shared memory does not count as data.
        (Resource::As, limits.memory.max(LEAST_ADDRESS_SPACE), "limit address space"),
        (Resource::Fsize, limits.file, "limit the size of files"),
        (Resource::Nofile, limits.open_files, "limit open files"),
        (Resource::Nproc, max_processes(limits, level), "limit processes"),
        // The kernel counts these for each user, and bots hardly need them. (If these limits were set before the user
        // namespace is made, they would limit all sandboxes of the user together.)
        (Resource::Sigpending, 256, "limit signals that wait"),
        (Resource::Msgqueue, 0, "limit message queues"),
        (Resource::Memlock, 1 << 20, "limit memory that stays"),
    ];
    // What a sanitizer reserves would count as data and address space. Such a program is limited by the control group
    // only.
    let reserves = |resource: Resource| is_sanitized && matches!(resource, Resource::Data | Resource::As);
    for (resource, limit, step) in ceilings.into_iter().filter(|(resource, ..)| !reserves(*resource)) {
        lower_limit(resource, limit).step(step)?;
    }
    Ok(())
}

/// The limit on processes of the bot's user. In a user namespace, from Linux 5.14 on, only the processes inside it
/// count: the bot's, the keeper and the server. Elsewhere, all processes of the user count, so this adds the machine's
/// present ones and room for other games. The limit does not apply to root.
fn max_processes(limits: &Limits, level: Level) -> u64 {
    const KEEPER_AND_SERVER: u64 = 2;
    const OTHER_GAMES: u64 = 1024;
    if level == Level::Namespaced && namespaces_count_for_themselves() {
        limits.processes + KEEPER_AND_SERVER
    } else {
        u64::from(rustix::system::sysinfo().procs) + limits.processes + OTHER_GAMES
    }
}

/// Whether the kernel counts the processes and signals of a user in each user namespace separately.
pub(super) fn namespaces_count_for_themselves() -> bool {
    kernel_is_at_least((5, 14))
}

/// A step that the machine refused, and the system's error.
pub(crate) struct Refused(pub &'static str, pub io::Error);

impl Refused {
    /// The refusal in the form in which it is reported.
    pub(crate) fn at(self, level: Level) -> Refusal {
        Refusal { level, step: self.0.to_string(), why: self.1.to_string(), errno: self.1.raw_os_error() }
    }
}

/// Names the step that failed with an error.
trait NameStep<T> {
    /// The value, or the error as a refusal of `step`.
    fn step(self, step: &'static str) -> Result<T, Refused>;
}

impl<T, E: Into<io::Error>> NameStep<T> for Result<T, E> {
    fn step(self, step: &'static str) -> Result<T, Refused> {
        self.map_err(|error| Refused(step, error.into()))
    }
}

/// The filter that a sandbox's servers install, each for itself and its bots.
struct ServerFilter {
    /// The pass for calls that only the keeper and its servers may make.
    pass: Pass,
    program: Vec<Instruction>,
    /// The program for a build, if the keeper makes calls for it.
    notifying: Option<Vec<Instruction>>,
}

impl ServerFilter {
    /// Prepares the filter in the keeper. At [`Level::Namespaced`], already installs the part that does not keep
    /// servers from setting up games, because installing a long program takes half a millisecond.
    fn prepare(spec: &SandboxSpec) -> Result<ServerFilter, Refused> {
        let level = spec.level;
        let grants = Grants { tracing: spec.conditions.can_trace, notifying: false };
        let pass = Pass::random().step("draw the server's pass for the filter of system calls")?;
        let mut rest = ProgramPart::Whole;
        if level == Level::Namespaced {
            rustix::thread::set_no_new_privs(true).step("give up new privileges")?;
            install(&calls::compile(level, ProgramPart::AllGames, pass, grants))?;
            rest = ProgramPart::EachGame;
        }
        let notifies = spec.conditions.is_build && level == Level::Scoped;
        let notifying = notifies.then(|| calls::compile(level, rest, pass, Grants { notifying: true, ..grants }));
        Ok(ServerFilter { pass, program: calls::compile(level, rest, pass, grants), notifying })
    }

    /// Completes the filter for this server and all processes that it starts. Returns the pass for calls that only the
    /// server may make from now on. If the keeper makes calls for a build, sends the listener `to_keeper`, where the
    /// machine provides one.
    fn install(&self, to_keeper: Option<&UnixStream>) -> Result<Pass, Refused> {
        if let (Some(program), Some(keeper)) = (&self.notifying, to_keeper)
            && let Ok(listener) = sys::filter_with_listener(program)
        {
            // This fails only if the keeper has ended. The calls then fail as well.
            self.pass.send_descriptors(keeper.as_fd(), [listener.as_fd()]).ok();
            return Ok(self.pass);
        }
        install(&self.program)?;
        Ok(self.pass)
    }
}

fn install(program: &[Instruction]) -> Result<(), Refused> {
    sys::filter(program).step("install the filter of system calls")
}
