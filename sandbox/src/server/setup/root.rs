//! Sets up a root of the sandbox's own: the visible files, the bot's parts, and scratch space to write.
//!
//! The keeper builds it once. First it opens everything that the root will contain, by the machine's paths. Then it
//! moves into an empty file system, and creates names only there, so that none of them can lead to the machine's
//! files. Each game's server adds scratch space and a view of its own processes.

use super::namespaces;
use super::{NameStep, Refused};
use crate::server::scratch::{FOLDER_MODE, SCRATCH, Scratch};
use crate::sys;
use crate::tree::{self, CopyLimit};
use crate::visible::{DEVICES, FILES, FOLDERS, SYNTHETIC_FILES};
use crate::wire::SandboxSpec;
use rustix::fs::{CWD, Mode, StatVfsMountFlags, fstatvfs, mkdirat, statvfs};
use rustix::io::Errno;
use rustix::mount::{
    FsMountFlags, FsOpenFlags, MountAttrFlags, MountFlags, MountPropagationFlags, MoveMountFlags, OpenTreeFlags,
    UnmountFlags, fsconfig_create, fsconfig_reconfigure, fsconfig_set_string, fsmount, fsopen, mount,
    mount_change, mount_remount, move_mount, open_tree, unmount,
};
use rustix::process::pivot_root;
use std::ffi::OsString;
use std::fs;
use std::io;
use std::os::fd::{AsFd, AsRawFd, OwnedFd};
use std::os::unix::ffi::OsStringExt;
use std::os::unix::fs::{MetadataExt, symlink};
use std::path::{Component, Path, PathBuf};

/// How many files and folders the scratch space can contain.
const FILES_IN_SCRATCH: u64 = 2048;

/// The same for a build, which may create whole libraries.
const FILES_OF_A_BUILD: u64 = 65_536;

/// Where file systems are mounted temporarily: a folder that exists on every machine and in the new root.
const STAGING: &str = "/tmp";

/// Where parts whose paths are below the scratch space are kept until that is mounted.
const WAITING: &str = "/.waiting";

/// Steps of the set-up that are taken in several places.
const COPY: &str = "copy a mount";
const SEAL: &str = "make a mount read-only";

/// The contents of the new root, opened before it is entered.
pub(super) struct RootPieces {
    /// The mounts, each with the path at which it will be.
    mounts: Vec<(PathBuf, OwnedFd)>,
    /// The links, each with its target.
    links: Vec<(PathBuf, PathBuf)>,
    /// Whether the mounts are read-only already, by [`seal_trees`].
    are_sealed: bool,
}

impl RootPieces {
    /// Opens everything of the machine's that will be visible in a sandbox of `spec`. If `user` is given, it is shown
    /// as the owner of the files of the bot's parts, because some may be readable only by their owner.
    pub(super) fn open(spec: &SandboxSpec, user: Option<u32>) -> Result<RootPieces, Refused> {
        mount_change("/", MountPropagationFlags::PRIVATE | MountPropagationFlags::REC)
            .step("make mounts private")?;
        let mut mounts = Vec::new();
        let mut links = Vec::new();
        for path in FOLDERS.iter().chain(&FILES).map(Path::new) {
            match fs::symlink_metadata(path) {
                Ok(found) if found.is_symlink() => {
                    links.push((path.to_path_buf(), fs::read_link(path).step("read a link")?));
                }
                Ok(_) => mounts.push((path.to_path_buf(), clone_mount(path).step(COPY)?)),
                Err(_) => {}
            }
        }
        let mut owners = OwnerMappings { user, known: Vec::new() };
        for path in parts(spec) {
            let tree = clone_mount(&path).step(COPY)?;
            owners.give_away(&tree, &path);
            mounts.push((path, tree));
        }
        // The kernel lets `/proc` be mounted only where one is already visible.
        for path in DEVICES.into_iter().chain(["/proc"]).map(Path::new) {
            mounts.push((path.to_path_buf(), clone_mount(path).step(COPY)?));
        }
        let are_sealed = seal_trees(&mounts).step(SEAL)?;
        Ok(RootPieces { mounts, links, are_sealed })
    }

    /// Moves into an empty root and fills it.
    pub(super) fn enter(&self, spec: &SandboxSpec) -> Result<(), Refused> {
        mount("root", STAGING, "tmpfs", MountFlags::NOSUID | MountFlags::NODEV, Some(c"mode=0755,size=1m"))
            .step("mount a new root")?;
        std::env::set_current_dir(STAGING).step("move to the new root")?;
        // With both roots stacked on the same place, the old one can be unmounted from below the new one.
        pivot_root(".", ".").step("change the root")?;
        unmount(".", UnmountFlags::DETACH).step("unmount the old root")?;
        std::env::set_current_dir("/").step("move to the new root")?;
        self.fill(spec).step("fill the new root")?;
        if !self.are_sealed {
            seal_mounts_by_name().step(SEAL)?;
        }
        mount_remount("/", MountFlags::BIND | MountFlags::RDONLY | MountFlags::NOSUID | MountFlags::NODEV, c"")
            .step("make the root read-only")
    }

    /// Creates the names in the new root, and mounts there what was opened.
    fn fill(&self, spec: &SandboxSpec) -> io::Result<()> {
        for (_, at) in SCRATCH {
            fs::create_dir_all(at)?;
        }
        for (number, (at, tree)) in self.mounts.iter().enumerate() {
            let at = if in_scratch(at) { Path::new(WAITING).join(number.to_string()) } else { at.clone() };
            mount_at(tree, &at)?;
        }
        for (link, target) in &self.links {
            link.parent().map_or(Ok(()), fs::create_dir_all)?;
            symlink(target, link)?;
        }
        for (name, content) in SYNTHETIC_FILES {
            // A language's parts may include one of these files.
            if fs::symlink_metadata(name).is_err() {
                fs::create_dir_all("/etc")?;
                fs::write(name, content)?;
            }
        }
        for (name, target) in [
            ("/dev/fd", "/proc/self/fd"),
            ("/dev/stdin", "/proc/self/fd/0"),
            ("/dev/stdout", "/proc/self/fd/1"),
            ("/dev/stderr", "/proc/self/fd/2"),
            ("/etc/mtab", "/proc/self/mounts"),
        ] {
            symlink(target, name)?;
        }
        if !in_scratch(&spec.program.folder) {
            fs::create_dir_all(&spec.program.folder)?;
        }
        Ok(())
    }

    /// The parts whose paths are below the scratch space, and where they are kept meanwhile.
    pub(super) fn waiting(&self) -> Vec<(PathBuf, PathBuf)> {
        let numbered = self.mounts.iter().enumerate().filter(|(_, (at, _))| in_scratch(at));
        numbered.map(|(number, (at, _))| (at.clone(), Path::new(WAITING).join(number.to_string()))).collect()
    }
}

/// Mounts what is new for each game: scratch space, and a view of the game's own processes.
pub(super) fn mount_for_game(spec: &SandboxSpec, waiting: &[(PathBuf, PathBuf)]) -> Result<Scratch, Refused> {
    const STEP: &str = "mount scratch space";
    let copied = copied_folder(spec);
    let (scratch, context) = scratch_space(spec, copied.is_some()).step(STEP)?;
    // Before Linux 6.15 only mounts that are attached somewhere can be copied. The folder that bots see there covers
    // this mount.
    attach(&scratch, Path::new(STAGING)).step(STEP)?;
    let mut folders = Vec::new();
    for (name, at) in SCRATCH {
        folders.push((scratch_folder(&scratch, name).step(STEP)?, at));
    }
    let copy = copied.map(|_| scratch_folder(&scratch, "folder")).transpose().step(STEP)?;
    for (folder, at) in folders {
        attach(&folder, Path::new(at)).step(STEP)?;
    }
    if let (Some(folder), Some(copy)) = (copied, copy) {
        copy_folder(spec, folder, &copy, waiting).step("copy the bot's folder")?;
        let copied = fstatvfs(&scratch).step(STEP)?;
        let bytes = (copied.f_blocks - copied.f_bfree) * copied.f_frsize;
        limit_scratch(&context, spec, bytes, copied.f_files - copied.f_ffree).step(STEP)?;
        fsconfig_reconfigure(context.as_fd()).step(STEP)?;
    }
    for (at, from) in waiting {
        if copied.is_none_or(|folder| !at.starts_with(folder)) {
            mount_at(&clone_mount(from).step(STEP)?, at).step("mount the bot's files")?;
        }
        unmount(from, UnmountFlags::DETACH).step(STEP)?;
    }
    mount_process_view().step("mount /proc")?;
    let parts = spec.program.parts.clone();
    Scratch::private(scratch, parts, copied.map(PathBuf::from)).step("look at the scratch space")
}

/// The parts of the bot that exist and are not visible anyway.
fn parts(spec: &SandboxSpec) -> impl Iterator<Item = PathBuf> {
    let is_plain = |part: &PathBuf| {
        part.is_absolute() && part.components().all(|one| matches!(one, Component::RootDir | Component::Normal(_)))
    };
    // A missing part is reported when the bot cannot start; it must not lower the level.
    spec.program.parts.iter().filter(move |part| is_plain(part) && !is_visible(part) && part.exists()).cloned()
}

/// Whether `path` is visible to every program.
fn is_visible(path: &Path) -> bool {
    FOLDERS.iter().chain(&FILES).any(|folder| path.starts_with(folder))
}

/// The bot's own folder, if it is to be a copy.
fn copied_folder(spec: &SandboxSpec) -> Option<&Path> {
    let folder = spec.program.folder.as_path();
    ((spec.conditions.watch_folder || spec.conditions.is_build) && !is_visible(folder)).then_some(folder)
}

fn in_scratch(path: &Path) -> bool {
    SCRATCH.iter().any(|(_, at)| path.starts_with(at))
}

/// Makes the mounts of all these trees read-only, and ignores set-user-ID bits and, except on [`DEVICES`], device files
/// there. Returns `false` if the kernel cannot do that (before Linux 5.12).
fn seal_trees(mounts: &[(PathBuf, OwnedFd)]) -> io::Result<bool> {
    for (path, tree) in mounts {
        let mut attributes = MountAttrFlags::MOUNT_ATTR_RDONLY | MountAttrFlags::MOUNT_ATTR_NOSUID;
        if !is_device(path) {
            attributes |= MountAttrFlags::MOUNT_ATTR_NODEV;
        }
        match sys::set_mount_attributes(tree, attributes, None) {
            Ok(()) => {}
            Err(Errno::NOSYS) => return Ok(false),
            Err(refused) => return Err(refused.into()),
        }
    }
    Ok(true)
}

/// Does the same as [`seal_trees`] for all mounts below the root, one by one, on older kernels.
fn seal_mounts_by_name() -> io::Result<()> {
    let table = fs::read("/proc/self/mountinfo")?;
    for line in table.split(|&byte| byte == b'\n') {
        let Some(name) = line.split(|&byte| byte == b' ').nth(4) else { continue };
        let path = PathBuf::from(OsString::from_vec(unescaped(name)));
        if path == Path::new("/") {
            continue;
        }
        let mut flags = MountFlags::BIND | MountFlags::RDONLY | MountFlags::NOSUID | present_flags(&path)?;
        if !is_device(&path) {
            flags |= MountFlags::NODEV;
        }
        mount_remount(&path, flags, c"")?;
    }
    Ok(())
}

/// The present flags of a mount. A new mount call must set them again: leaving one out would remove it, and only the
/// user who made the mount may do that.
fn present_flags(path: &Path) -> io::Result<MountFlags> {
    let present = statvfs(path)?.f_flag;
    let known = [
        (StatVfsMountFlags::NODEV, MountFlags::NODEV),
        (StatVfsMountFlags::NOEXEC, MountFlags::NOEXEC),
        (StatVfsMountFlags::NOATIME, MountFlags::NOATIME),
        (StatVfsMountFlags::NODIRATIME, MountFlags::NODIRATIME),
        (StatVfsMountFlags::RELATIME, MountFlags::RELATIME),
    ];
    let mut flags = MountFlags::empty();
    for (of_file_system, of_mount) in known {
        if present.contains(of_file_system) {
            flags |= of_mount;
        }
    }
    if !present.intersects(StatVfsMountFlags::NOATIME | StatVfsMountFlags::RELATIME) {
        flags |= MountFlags::STRICTATIME;
    }
    Ok(flags)
}

/// Decodes a name in the kernel's table of mounts, where blanks and some other bytes are written as a backslash and
/// three octal digits.
fn unescaped(name: &[u8]) -> Vec<u8> {
    let mut plain = Vec::new();
    let mut rest = name;
    while let [first, after @ ..] = rest {
        let digits = after.get(..3).filter(|_| *first == b'\\').and_then(|digits| str::from_utf8(digits).ok());
        let code = digits.and_then(|digits| u8::from_str_radix(digits, 8).ok());
        plain.push(code.unwrap_or(*first));
        rest = if code.is_some() { &after[3..] } else { after };
    }
    plain
}

fn is_device(path: &Path) -> bool {
    DEVICES.iter().any(|device| path == Path::new(device))
}

/// Opens a copy of the mounts at `path`.
fn clone_mount(path: &Path) -> io::Result<OwnedFd> {
    let flags = OpenTreeFlags::OPEN_TREE_CLONE | OpenTreeFlags::OPEN_TREE_CLOEXEC | OpenTreeFlags::AT_RECURSIVE;
    Ok(open_tree(CWD, path, flags)?)
}

/// The user that is shown as the owner of files, and a user namespace for each true owner (user and group).
struct OwnerMappings {
    user: Option<u32>,
    known: Vec<((u32, u32), OwnedFd)>,
}

impl OwnerMappings {
    /// Shows another owner of the files of `tree`, which is at `path`; on the disk they keep theirs. If the file system
    /// does not support that, programs see what everyone may see.
    fn give_away(&mut self, tree: &OwnedFd, path: &Path) {
        let (Some(user), Ok(found)) = (self.user, fs::symlink_metadata(path)) else { return };
        let owner = (found.uid(), found.gid());
        if !self.known.iter().any(|(known, _)| *known == owner) {
            let Ok(mapping) = namespaces::user_mapping(owner.0, owner.1, user) else { return };
            self.known.push((owner, mapping));
        }
        if let Some((_, mapping)) = self.known.iter().find(|(known, _)| *known == owner) {
            sys::set_mount_attributes(tree, MountAttrFlags::empty(), Some(mapping)).ok();
        }
    }
}

/// Creates `path`, and mounts `tree` there.
fn mount_at(tree: &OwnedFd, path: &Path) -> io::Result<()> {
    let is_folder = fs::File::from(tree.try_clone()?).metadata()?.is_dir();
    if is_folder {
        fs::create_dir_all(path)?;
    } else {
        path.parent().map_or(Ok(()), fs::create_dir_all)?;
        fs::File::create_new(path).map(drop).or_else(|taken| if path.is_file() { Ok(()) } else { Err(taken) })?;
    }
    attach(tree, path)
}

fn attach(tree: &OwnedFd, path: &Path) -> io::Result<()> {
    Ok(move_mount(tree, "", CWD, path, MoveMountFlags::MOVE_MOUNT_F_EMPTY_PATH)?)
}

/// Creates one file system for everything that bots can write, so that one call shows whether anything was written.
/// Also returns its configuration. If it `begins_with_copy` of a folder, its limits are far too high until they are set
/// again.
fn scratch_space(spec: &SandboxSpec, begins_with_copy: bool) -> io::Result<(OwnedFd, OwnedFd)> {
    /// More than any folder has. Limits can be lowered, but not set where there were none.
    const PLENTY: (u64, u64) = (1 << 40, 1 << 30);
    let context = fsopen("tmpfs", FsOpenFlags::FSOPEN_CLOEXEC)?;
    let (bytes, files) = if begins_with_copy { PLENTY } else { (0, 0) };
    limit_scratch(&context, spec, bytes, files)?;
    fsconfig_set_string(context.as_fd(), "mode", "0755")?;
    fsconfig_create(context.as_fd())?;
    // Reading does not change access times.
    let attributes =
        MountAttrFlags::MOUNT_ATTR_NOSUID | MountAttrFlags::MOUNT_ATTR_NODEV | MountAttrFlags::MOUNT_ATTR_NOATIME;
    let scratch = fsmount(context.as_fd(), FsMountFlags::FSMOUNT_CLOEXEC, attributes)?;
    Ok((scratch, context))
}

/// Limits a scratch space to what a program may write in addition to these `bytes` and `files`.
fn limit_scratch(context: &OwnedFd, spec: &SandboxSpec, bytes: u64, files: u64) -> io::Result<()> {
    let own_files = if spec.conditions.is_build { FILES_OF_A_BUILD } else { FILES_IN_SCRATCH };
    fsconfig_set_string(context.as_fd(), "size", (spec.limits.file + bytes).to_string())?;
    fsconfig_set_string(context.as_fd(), "nr_inodes", (own_files + files).to_string())?;
    Ok(())
}

/// Creates a folder in the scratch space, and opens a mount of it.
fn scratch_folder(scratch: &OwnedFd, name: &str) -> io::Result<OwnedFd> {
    mkdirat(scratch, name, Mode::from_raw_mode(FOLDER_MODE))?;
    let flags = OpenTreeFlags::OPEN_TREE_CLONE | OpenTreeFlags::OPEN_TREE_CLOEXEC;
    Ok(open_tree(scratch, name, flags)?)
}

/// Copies the bot's own folder into `copy`, a folder of the scratch space, and mounts that in its place.
fn copy_folder(
    spec: &SandboxSpec,
    folder: &Path,
    copy: &OwnedFd,
    waiting: &[(PathBuf, PathBuf)],
) -> io::Result<()> {
    let to = Path::new("/proc/self/fd").join(copy.as_raw_fd().to_string());
    for part in spec.program.parts.iter().filter(|part| part.starts_with(folder)) {
        let from = waiting.iter().find(|(at, _)| at == part).map_or(part, |(_, from)| from);
        let below = part.strip_prefix(folder).map_err(io::Error::other)?;
        tree::copy(from, &to.join(below), &[], &mut CopyLimit::unbounded())?;
    }
    mount_at(copy, folder)
}

/// Mounts a `/proc` that shows only the game's own processes, and nothing about the machine.
fn mount_process_view() -> io::Result<()> {
    let context = fsopen("proc", FsOpenFlags::FSOPEN_CLOEXEC)?;
    fsconfig_set_string(context.as_fd(), "hidepid", "ptraceable")?;
    fsconfig_set_string(context.as_fd(), "subset", "pid")?;
    fsconfig_create(context.as_fd())?;
    let attributes = MountAttrFlags::MOUNT_ATTR_RDONLY
        | MountAttrFlags::MOUNT_ATTR_NOSUID
        | MountAttrFlags::MOUNT_ATTR_NODEV
        | MountAttrFlags::MOUNT_ATTR_NOEXEC;
    let view = fsmount(context.as_fd(), FsMountFlags::FSMOUNT_CLOEXEC, attributes)?;
    unmount("/proc", UnmountFlags::DETACH)?;
    attach(&view, Path::new("/proc"))
}

#[cfg(test)]
mod tests {
    use super::unescaped;

    #[test]
    fn names_of_mounts_are_unescaped() {
        for (name, plain) in [
            ("/plain", "/plain"),
            (r"/a\040b\011", "/a b\t"),
            (r"/back\134slash", r"/back\slash"),
            (r"/\04", r"/\04"),
            (r"\", r"\"),
            (r"/\999", r"/\999"),
        ] {
            assert_eq!(unescaped(name.as_bytes()), plain.as_bytes(), "{name}");
        }
    }
}
