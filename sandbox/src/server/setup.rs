//! Setting up a level, from inside the server: what is set here, every bot inherits.

mod filter;
mod landlock;
mod namespaces;
mod refused;
mod root;

use super::scratch::Scratch;
use super::waits::WaitMeter;
use crate::cgroup::CgroupHandle;
use crate::level::Level;
use crate::run_request::Limits;
use crate::sys::{self, Pass};
use crate::wire::SandboxSpec;
use refused::{Refused, Step};
use root::RootPieces;
use rustix::fs::MemfdFlags;
use rustix::process::{Resource, Rlimit};
use rustix::thread::{CapabilitySet, UnshareFlags};
use std::fs::File;
use std::io;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};

/// What a keeper holds for all its servers.
pub struct KeeperSetup {
    /// The control group.
    pub group: CgroupHandle,
    /// Where the kernel takes numbers of processes from, if they can be set back.
    numbers: Option<File>,
    /// The bot's parts that lie below the scratch space, and where they are until that is mounted.
    waiting: Vec<(PathBuf, PathBuf)>,
}

/// Where a server stands once its level is in force.
pub struct ServerSetup {
    /// Where bots can write.
    pub scratch: Scratch,
    /// Landlock's rules for each bot, where the server itself is not under them.
    pub rules: Option<OwnedFd>,
    /// Where the next process's number can be set, which then is the same for every run.
    pub numbers: Option<File>,
    /// A regular file for runs whose output goes to one; made before making any is forbidden. None in a sandbox within
    /// another one, where it is forbidden already.
    pub output_file: Option<File>,
    /// For calls that bots may not make.
    pub pass: Pass,
    /// How long bots waited for processors.
    pub waits: WaitMeter,
}

impl ServerSetup {
    /// Has the next process get the number that the first one had: how many there were is nobody's to read.
    pub fn reset_process_numbers(&mut self) {
        // The server itself is number 1.
        if self.numbers.as_ref().is_some_and(|numbers| rustix::io::pwrite(numbers, b"1", 0).is_err()) {
            self.numbers = None;
        }
    }
}

/// Runtimes reserve much more address space than they use: Java does not start with less than this.
const LEAST_ADDRESS_SPACE: u64 = 4 << 30;

/// The namespaces that each server at `level` starts in.
pub fn namespaces_of_a_game(level: Level) -> UnshareFlags {
    if level == Level::Namespaced { namespaces::FRESH } else { UnshareFlags::empty() }
}

/// Sets up what the servers of a sandbox have in common.
///
/// # Errors
/// The step that was refused; this process is then of no use any more.
pub fn set_up_keeper(spec: &SandboxSpec) -> Result<KeeperSetup, Refused> {
    let group = CgroupHandle::of(&spec.group).step("find the control group")?;
    if spec.level >= Level::Restricted {
        // Of what a server leaves when it is killed.
        rustix::process::set_child_subreaper(Some(rustix::process::getpid()))
            .step("become the parent of orphans")?;
    }
    let (mut numbers, mut waiting) = (None, Vec::new());
    if spec.level == Level::Namespaced {
        let user = namespaces::own_user();
        let pieces = match user {
            // Root takes hold of everything as root, then becomes someone else.
            Some(_) => {
                sys::unshare(UnshareFlags::NEWNS).step("enter a mount namespace")?;
                let pieces = RootPieces::take(spec, user)?;
                namespaces::enter_kept(user)?;
                pieces
            }
            None => {
                namespaces::enter_kept(None)?;
                RootPieces::take(spec, None)?
            }
        };
        numbers = namespaces::process_numbers();
        waiting = pieces.waiting();
        pieces.move_in(spec)?;
    }
    Ok(KeeperSetup { group, numbers, waiting })
}

/// Sets up exactly the level of `spec` for one server, on what its keeper laid. `home` is the bot's, where the
/// machine's folders are its scratch space.
///
/// # Errors
/// The step that was refused; this process is then of no use any more.
pub fn set_up_server(spec: &SandboxSpec, base: &KeeperSetup, home: &Path) -> Result<ServerSetup, Refused> {
    let output_file = rustix::fs::memfd_create("standard output", MemfdFlags::CLOEXEC).ok().map(File::from);
    namespaces::detach()?;
    base.group.join().step("join the control group")?;
    let namespaced = spec.level == Level::Namespaced;
    let scratch = if namespaced {
        namespaces::hide_names()?;
        root::renew(spec, &base.waiting)?
    } else {
        Scratch::shared(home)
    };
    let waits = WaitMeter::new(base.group.pressure.as_ref().and_then(|file| file.try_clone().ok()));
    let numbers = base.numbers.as_ref().and_then(|numbers| numbers.try_clone().ok());
    let mut setup = ServerSetup { scratch, rules: None, numbers, output_file, pass: Pass::default(), waits };
    if spec.level >= Level::Restricted {
        // Also where there are no namespaces: a bot run by root is to have none of root's powers but its files.
        namespaces::drop_capabilities(if namespaced { SERVERS_OWN } else { CapabilitySet::empty() })?;
        restrict(&spec.limits, spec.level)?;
    }
    match spec.level {
        // One private root for all: the server can be under the rules itself, and bots inherit them.
        Level::Namespaced => landlock::confine_self(&setup.scratch.writable())?,
        Level::Scoped => {
            let mut writable = setup.scratch.writable();
            writable.extend(spec.builds.then(|| spec.program.folder.clone()));
            setup.rules = Some(landlock::rules_for(&spec.program, &writable)?);
        }
        Level::Plain | Level::Restricted => {}
    }
    std::env::set_current_dir(&spec.program.folder).step("enter the bot's folder")?;
    if spec.level >= Level::Scoped {
        setup.pass = filter::install(spec.level, spec.traces)?;
    }
    Ok(setup)
}

/// What a server may in its own namespaces, and no bot: to use what a bot has closed to itself, to see its processes,
/// and to number them anew.
const SERVERS_OWN: CapabilitySet =
    CapabilitySet::DAC_OVERRIDE.union(CapabilitySet::SYS_PTRACE).union(CapabilitySet::CHECKPOINT_RESTORE);

/// Lowers a limit of this process and all that it will start.
fn lower(resource: Resource, limit: u64) -> io::Result<()> {
    let lowered = rustix::process::getrlimit(resource).maximum.map_or(limit, |most| most.min(limit));
    Ok(rustix::process::setrlimit(resource, Rlimit { current: Some(lowered), maximum: Some(lowered) })?)
}

fn restrict(limits: &Limits, level: Level) -> Result<(), Refused> {
    rustix::process::set_child_subreaper(Some(rustix::process::getpid())).step("become the parent of orphans")?;
    rustix::thread::set_no_new_privs(true).step("give up new privileges")?;
    let ceilings = [
        (Resource::Core, 0, "forbid core dumps"),
        (Resource::Data, limits.memory, "limit memory"),
        // Shared memory is no data.
        (Resource::As, limits.memory.max(LEAST_ADDRESS_SPACE), "limit address space"),
        (Resource::Fsize, limits.file, "limit the size of files"),
        (Resource::Nofile, limits.open_files, "limit open files"),
        (Resource::Nproc, most_processes(limits, level), "limit processes"),
        // What the kernel counts for each user and a bot hardly needs. (In the server, not before its user namespace is
        // made: that would bound what all sandboxes of the user have together.)
        (Resource::Sigpending, 256, "limit signals that wait"),
        (Resource::Msgqueue, 0, "limit message queues"),
        (Resource::Memlock, 1 << 20, "limit memory that stays"),
    ];
    for (resource, limit, step) in ceilings {
        lower(resource, limit).step(step)?;
    }
    Ok(())
}

/// How many processes there may be of the user that a bot is. In a user namespace those outside it do not count, and
/// the keeper and the server do. Elsewhere, where there is no control group, all of the user's count: those that are
/// there come on top, and those of other games. Root is not limited by it.
fn most_processes(limits: &Limits, level: Level) -> u64 {
    const KEEPER_AND_SERVER: u64 = 2;
    const OTHER_GAMES: u64 = 1024;
    match level {
        Level::Namespaced => limits.processes + KEEPER_AND_SERVER,
        _ => u64::from(rustix::system::sysinfo().procs) + limits.processes + OTHER_GAMES,
    }
}
