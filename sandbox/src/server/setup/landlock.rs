//! Sets up Landlock's rules: which files a bot can reach, and from version 6 on that its signals and abstract sockets
//! reach only its own processes.
//!
//! The rules are those of the kernel's version of Landlock. At [`Level::Namespaced`](crate::Level::Namespaced) they
//! are a second line of defence behind namespaces, so an old version, or none, is enough. At
//! [`Level::Scoped`](crate::Level::Scoped) they are the only protection of files. There, the filter of system calls
//! refuses what an old version does not restrict, except signals.

use super::{NameStep, Refused};
use crate::run_request::Program;
use crate::sys;
use crate::visible::{DEVICES, FILES, FOLDERS, SYNTHETIC_FILES};
use ::landlock::{
    ABI, Access, AccessFs, AccessNet, BitFlags, CompatLevel, Compatible, PathBeneath, PathFd, Ruleset,
    RulesetAttr, RulesetCreated, RulesetCreatedAttr, Scope,
};
use std::io;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};

/// The newest version of Landlock that this code knows, of Linux 6.12: the first with scopes for signals and sockets.
const NEWEST_USED: ABI = ABI::V6;

/// The version whose rules are used: the kernel's, but none newer than this code knows.
fn version() -> ABI {
    let of_kernel = sys::landlock_version().and_then(|version| i32::try_from(version).ok());
    ABI::from(of_kernel.unwrap_or_default()).min(NEWEST_USED)
}

/// Puts this process, and all that it will start, under rules for the sandbox's own root: only `writable` folders and
/// devices may be written to. The rules do not restrict reading, because programs may read and execute everything in
/// that root, and the kernel would have to search for a rule whenever a file is opened.
///
/// Does nothing if the kernel has no Landlock.
pub(super) fn confine_self(writable: &[PathBuf]) -> Result<(), Refused> {
    let version = version();
    if version == ABI::Unsupported {
        return Ok(());
    }
    let rules = allow_writing(ruleset(RootKind::Own, version)?, RootKind::Own, version, writable)?;
    // There is no need to check whether the rules took effect, because the kernel has this version.
    rules.restrict_self().map(drop).map_err(io::Error::other).step("come under Landlock's rules")
}

/// Makes the rules for each bot on the machine's own root. The server is not under them, so bots cannot signal it where
/// Landlock has scopes (version 6).
pub(super) fn rules_for(program: &Program, writable: &[PathBuf]) -> Result<OwnedFd, Refused> {
    let version = version();
    if version == ABI::Unsupported {
        return Err(Refused("make Landlock's rules", io::ErrorKind::Unsupported.into()));
    }
    let mut rules = ruleset(RootKind::Host, version)?;
    let visible =
        FOLDERS.iter().chain(&FILES).chain(SYNTHETIC_FILES.iter().map(|(name, _)| name)).chain(&["/proc"]);
    let parts = program.parts.iter().map(PathBuf::as_path);
    for path in visible.map(Path::new).chain(parts) {
        rules = allow(rules, path, AccessFs::from_read(version))?;
    }
    let rules = allow_writing(rules, RootKind::Host, version, writable)?;
    let fd: Option<OwnedFd> = rules.into();
    fd.ok_or_else(|| io::Error::from(io::ErrorKind::Unsupported)).step("make Landlock's rules")
}

/// The root for which rules are made.
#[derive(Clone, Copy, PartialEq)]
enum RootKind {
    /// The sandbox's own root and network. Attempts to use this network, which is empty, fail without a rule.
    Own,
    /// The machine's own root and network.
    Host,
}

impl RootKind {
    /// The kinds of access that the rules restrict. In the sandbox's own root, truncation is left out: files outside
    /// the writable folders are on read-only mounts anyway, and the kernel would have to search for a rule whenever a
    /// file is opened, even for reading.
    fn handled(self, version: ABI) -> BitFlags<AccessFs> {
        match self {
            RootKind::Own => AccessFs::from_write(version) & !AccessFs::Truncate,
            RootKind::Host => AccessFs::from_all(version),
        }
    }
}

/// Rules that forbid all kinds of access to `root` that `version` can restrict and that are to be restricted there.
fn ruleset(root: RootKind, version: ABI) -> Result<RulesetCreated, Refused> {
    let make = || {
        let mut rules = Ruleset::default().set_compatibility(CompatLevel::HardRequirement);
        rules = rules.handle_access(root.handled(version))?;
        if root == RootKind::Host && version >= ABI::V4 {
            rules = rules.handle_access(AccessNet::from_all(version))?;
        }
        if version >= ABI::V6 {
            rules = rules.scope(Scope::from_all(version))?;
        }
        rules.create()
    };
    make().map_err(io::Error::other).step("make Landlock's rules")
}

/// Adds rules that allow writing in the `writable` folders and to devices.
fn allow_writing(
    mut rules: RulesetCreated,
    root: RootKind,
    version: ABI,
    writable: &[PathBuf],
) -> Result<RulesetCreated, Refused> {
    let handled = root.handled(version);
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
    let access = if path.is_dir() { access } else { access & AccessFs::from_file(NEWEST_USED) };
    rules.add_rule(PathBeneath::new(place, access)).map_err(io::Error::other).step("add one of Landlock's rules")
}
