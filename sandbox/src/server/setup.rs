//! Setting up a level, from inside the server: what is set here, every bot inherits.

mod filter;
mod landlock;
mod namespaces;
mod root;

use super::scratch::Scratch;
use crate::cgroup::Membership;
use crate::level::{Level, Refusal};
use crate::order::Limits;
use crate::sys::Pass;
use crate::wire::Opening;
use rustix::fs::MemfdFlags;
use rustix::process::{Resource, Rlimit};
use std::fs::File;
use std::io;
use std::os::fd::OwnedFd;

/// Where a server stands once its level is in force.
pub struct Ground {
    /// Where bots can write.
    pub scratch: Scratch,
    /// Landlock's rules for each bot, where the server itself is not under them.
    pub rules: Option<OwnedFd>,
    /// The control group, unless a process outside the namespaces has care of it.
    pub group: Membership,
    /// A regular file for runs whose output goes to one; made before making any is forbidden. None in a sandbox within
    /// another one, where it is forbidden already.
    pub output_file: Option<File>,
    /// For calls that bots may not make.
    pub pass: Pass,
}

/// A step that the machine refused, and its answer.
pub struct Refused(pub &'static str, pub io::Error);

impl Refused {
    /// For the report.
    pub fn at(self, level: Level) -> Refusal {
        Refusal { level, step: self.0.to_string(), why: self.1.to_string() }
    }
}

/// Names the step that an error comes from.
trait Step<T> {
    fn step(self, step: &'static str) -> Result<T, Refused>;
}

impl<T, E: Into<io::Error>> Step<T> for Result<T, E> {
    fn step(self, step: &'static str) -> Result<T, Refused> {
        self.map_err(|error| Refused(step, error.into()))
    }
}

/// Runtimes reserve much more address space than they use: Java does not start with less than this.
const LEAST_ADDRESS_SPACE: u64 = 4 << 30;

/// Sets up exactly the level of `opening`.
///
/// # Errors
/// The step that was refused; this process is then of no use any more.
pub fn establish(opening: &Opening) -> Result<Ground, Refused> {
    let output_file = rustix::fs::memfd_create("standard output", MemfdFlags::CLOEXEC).ok().map(File::from);
    let group = Membership::of(&opening.group).step("find the control group")?;
    let mut ground = match opening.level {
        Level::Namespaced => {
            namespaces::enter(group)?;
            let scratch = root::change(opening)?;
            Ground { scratch, rules: None, group: Membership::default(), output_file, pass: Pass::default() }
        }
        _ => {
            group.join().step("join the control group")?;
            Ground {
                scratch: Scratch::shared().step("make a folder")?,
                rules: None,
                group,
                output_file,
                pass: Pass::default(),
            }
        }
    };
    if opening.level >= Level::Restricted {
        // Also where there are no namespaces: a bot run by root is to have none of root's powers but its files.
        namespaces::give_up_capabilities()?;
        restrict(&opening.limits, opening.level)?;
    }
    match opening.level {
        // One private root for all: the server can be under the rules itself, and bots inherit them.
        Level::Namespaced => landlock::confine_self(&ground.scratch.writable())?,
        Level::Scoped => {
            let mut writable = ground.scratch.writable();
            writable.extend(opening.builds.then(|| opening.program.folder.clone()));
            ground.rules = Some(landlock::rules_for(&opening.program, &writable, &opening.hidden)?);
        }
        Level::Plain | Level::Restricted => {}
    }
    if opening.level >= Level::Scoped {
        ground.pass = filter::install(opening.level, opening.traces)?;
    }
    Ok(ground)
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
    ];
    for (resource, limit, step) in ceilings {
        let lowered = rustix::process::getrlimit(resource).maximum.map_or(limit, |most| most.min(limit));
        let limit = Rlimit { current: Some(lowered), maximum: Some(lowered) };
        rustix::process::setrlimit(resource, limit).step(step)?;
    }
    Ok(())
}

/// For where there is no control group. All processes of the user count, at least on older kernels, so those
/// that are there come on top; and where they count for certain, those of other games. Root is not limited by it.
fn most_processes(limits: &Limits, level: Level) -> u64 {
    const OTHER_GAMES: u64 = 4096;
    let there = u64::from(rustix::system::sysinfo().procs);
    there + limits.processes + if level.shares_tmp() { OTHER_GAMES } else { 0 }
}
