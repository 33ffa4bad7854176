//! Landlock's rules: which files a bot can reach, and that its signals and abstract sockets reach only its own
//! processes.

use super::refused::{Refused, Step};
use crate::run_request::Program;
use crate::visible::{DEVICES, FILES, FOLDERS, GENERATED};
use ::landlock::{
    ABI, Access, AccessFs, AccessNet, BitFlags, CompatLevel, Compatible, PathBeneath, PathFd, Ruleset,
    RulesetAttr, RulesetCreated, RulesetCreatedAttr, Scope,
};
use std::io;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};

/// The version that has scopes for signals and sockets: Linux 6.12.
const WANTED: ABI = ABI::V6;

/// Puts this process, and all that it will start, under rules for the sandbox's own root: only `writable` folders
/// may be written. The rules leave out reading, because programs may read and execute everything in that root, and
/// the kernel would search for such a rule whenever a file is opened.
pub fn confine_self(writable: &[PathBuf]) -> Result<(), Refused> {
    let rules = allow_writing(ruleset(RootKind::Own)?, RootKind::Own, writable)?;
    // Whether the rules took effect need not be checked: a missing version was an error already.
    rules.restrict_self().map(drop).map_err(io::Error::other).step("come under Landlock's rules")
}

/// Makes the rules for each bot on the machine's own root. The server is not under them, so bots cannot signal it.
pub fn rules_for(program: &Program, writable: &[PathBuf]) -> Result<OwnedFd, Refused> {
    let mut rules = ruleset(RootKind::Host)?;
    let visible = FOLDERS.iter().chain(&FILES).chain(GENERATED.iter().map(|(name, _)| name)).chain(&["/proc"]);
    let parts = program.parts.iter().map(PathBuf::as_path);
    for path in visible.map(Path::new).chain(parts) {
        rules = allow(rules, path, AccessFs::from_read(WANTED))?;
    }
    let rules = allow_writing(rules, RootKind::Host, writable)?;
    let fd: Option<OwnedFd> = rules.into();
    fd.ok_or_else(|| io::Error::from(io::ErrorKind::Unsupported)).step("make Landlock's rules")
}

/// The root for which rules are made.
#[derive(Clone, Copy, PartialEq)]
enum RootKind {
    /// The sandbox's own root and network. Attempts to use the network fail without a rule, and are counted (R8).
    Own,
    /// The machine's own root and network.
    Host,
}

impl RootKind {
    /// The kinds of access that the rules restrict. In the sandbox's own root, truncation is left out: files
    /// outside the writable folders are on read-only mounts anyway, and with it the kernel would search for a rule
    /// whenever a file is opened, even for reading.
    fn handled(self) -> BitFlags<AccessFs> {
        match self {
            RootKind::Own => AccessFs::from_write(WANTED) & !AccessFs::Truncate,
            RootKind::Host => AccessFs::from_all(WANTED),
        }
    }
}

/// Rules that forbid all kinds of access that are restricted. It is an error if the kernel cannot forbid one of
/// them.
fn ruleset(root: RootKind) -> Result<RulesetCreated, Refused> {
    let rules = Ruleset::default().set_compatibility(CompatLevel::HardRequirement);
    let rules = rules.handle_access(root.handled());
    let rules = match root {
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
    root: RootKind,
    writable: &[PathBuf],
) -> Result<RulesetCreated, Refused> {
    let handled = root.handled();
    for folder in writable {
        // Bots need neither devices nor sockets to keep notes.
        let forbidden = AccessFs::MakeChar | AccessFs::MakeBlock | AccessFs::MakeSock | AccessFs::IoctlDev;
        rules = allow(rules, folder, handled & !forbidden)?;
    }
    for device in DEVICES {
        rules = allow(rules, Path::new(device), handled & (AccessFs::ReadFile | AccessFs::WriteFile))?;
    }
    Ok(rules)
}

/// Allows `access` to `path` and below. A path that does not exist needs no rule.
fn allow(rules: RulesetCreated, path: &Path, access: BitFlags<AccessFs>) -> Result<RulesetCreated, Refused> {
    let Ok(place) = PathFd::new(path) else { return Ok(rules) };
    // Only some of the rights exist for files that are not folders.
    let access = if path.is_dir() { access } else { access & AccessFs::from_file(WANTED) };
    rules.add_rule(PathBeneath::new(place, access)).map_err(io::Error::other).step("add one of Landlock's rules")
}
