//! Landlock: which files a bot can reach, and that its signals and abstract sockets stay among its own.

use super::refused::{Refused, Step};
use crate::run_request::Program;
use crate::visible::{DEVICES, FILES, FOLDERS, MADE};
use ::landlock::{
    ABI, Access, AccessFs, AccessNet, BitFlags, CompatLevel, Compatible, PathBeneath, PathFd, Ruleset,
    RulesetAttr, RulesetCreated, RulesetCreatedAttr, Scope,
};
use std::io;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};

/// The version that knows scopes: kernel 6.12.
const WANTED: ABI = ABI::V6;

/// Puts this process, and all that it starts, under rules for a root of its own: only `writable` folders may be
/// written. Everything in that root may be read and executed; a rule that says so would be looked for at every
/// opening of a file, so reading is left out of the rules.
pub fn confine_self(writable: &[PathBuf]) -> Result<(), Refused> {
    let rules = allow_writing(ruleset(RootKind::Own)?, RootKind::Own, writable)?;
    // Nothing is gained by asking whether it took effect: a missing version was an error already.
    rules.restrict_self().map(drop).map_err(io::Error::other).step("come under Landlock's rules")
}

/// Rules for each bot on the machine's own root. The server is not under them, so bots cannot signal it.
pub fn rules_for(program: &Program, writable: &[PathBuf]) -> Result<OwnedFd, Refused> {
    let mut rules = ruleset(RootKind::Host)?;
    let visible = FOLDERS.iter().chain(&FILES).chain(MADE.iter().map(|(name, _)| name)).chain(&["/proc"]);
    let parts = program.parts.iter().map(PathBuf::as_path);
    for path in visible.map(Path::new).chain(parts) {
        rules = allow(rules, path, AccessFs::from_read(WANTED))?;
    }
    let rules = allow_writing(rules, RootKind::Host, writable)?;
    let fd: Option<OwnedFd> = rules.into();
    fd.ok_or_else(|| io::Error::from(io::ErrorKind::Unsupported)).step("make Landlock's rules")
}

/// What can be reached without these rules.
#[derive(Clone, Copy, PartialEq)]
enum RootKind {
    /// A root and a network of the sandbox's own. Who tries the network fails by itself, and is counted (R8).
    Own,
    Host,
}

impl RootKind {
    /// What the rules are about. Shortening files is left to their mounts in a root of the sandbox's own, where all
    /// others are read-only: with it the kernel would look for a rule at every opening of a file, also to read it.
    fn handled(self) -> BitFlags<AccessFs> {
        match self {
            RootKind::Own => AccessFs::from_write(WANTED) & !AccessFs::Truncate,
            RootKind::Host => AccessFs::from_all(WANTED),
        }
    }
}

/// Everything that is to be ruled, forbidden. A kernel that cannot forbid all of it is an error.
fn ruleset(surroundings: RootKind) -> Result<RulesetCreated, Refused> {
    let rules = Ruleset::default().set_compatibility(CompatLevel::HardRequirement);
    let rules = rules.handle_access(surroundings.handled());
    let rules = match surroundings {
        RootKind::Own => rules,
        RootKind::Host => rules.and_then(|rules| rules.handle_access(AccessNet::from_all(WANTED))),
    };
    rules
        .and_then(|rules| rules.scope(Scope::from_all(WANTED)))
        .and_then(Ruleset::create)
        .map_err(io::Error::other)
        .step("make Landlock's rules, version 6 or later (Linux 6.12)")
}

fn allow_writing(
    mut rules: RulesetCreated,
    surroundings: RootKind,
    writable: &[PathBuf],
) -> Result<RulesetCreated, Refused> {
    let handled = surroundings.handled();
    for folder in writable {
        // Making devices and sockets is not part of keeping notes.
        let forbidden = AccessFs::MakeChar | AccessFs::MakeBlock | AccessFs::MakeSock | AccessFs::IoctlDev;
        rules = allow(rules, folder, handled & !forbidden)?;
    }
    for device in DEVICES {
        rules = allow(rules, Path::new(device), handled & (AccessFs::ReadFile | AccessFs::WriteFile))?;
    }
    Ok(rules)
}

/// Allows `access` to `path` and below; what is not there needs no rule.
fn allow(rules: RulesetCreated, path: &Path, access: BitFlags<AccessFs>) -> Result<RulesetCreated, Refused> {
    let Ok(place) = PathFd::new(path) else { return Ok(rules) };
    // Only some of the rights exist for a file that is no folder.
    let access = if path.is_dir() { access } else { access & AccessFs::from_file(WANTED) };
    rules.add_rule(PathBeneath::new(place, access)).map_err(io::Error::other).step("add one of Landlock's rules")
}
