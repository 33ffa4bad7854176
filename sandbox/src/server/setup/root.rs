//! A root of the sandbox's own: the system's folders to read, the bot's own, and scratch space to write.

use super::{Refused, Step};
use crate::server::scratch::{FOLDER_MODE, PRIVATE_HOME, Scratch};
use crate::sys;
use crate::tree::{self, Room};
use crate::wire::Opening;
use rustix::fs::{CWD, Mode, mkdirat};
use rustix::mount::{
    FsMountFlags, FsOpenFlags, MountAttrFlags, MountFlags, MountPropagationFlags, MoveMountFlags, OpenTreeFlags,
    UnmountFlags, fsconfig_create, fsconfig_set_string, fsmount, fsopen, mount, mount_change, mount_remount,
    move_mount, open_tree, unmount,
};
use rustix::process::pivot_root;
use std::fs;
use std::io;
use std::os::fd::{AsFd, AsRawFd, OwnedFd};
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

/// Folders of the system that programs of every language may need, all read-only.
const SYSTEM: [&str; 9] = ["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/etc", "/opt", "/nix/store"];

/// Devices without which hardly a program starts.
const DEVICES: [&str; 5] = ["/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"];

/// Files and folders that the scratch space holds.
const FILES: &str = "2048";

/// The same for a build, which may have whole libraries to make.
const FILES_OF_A_BUILD: &str = "65536";

/// Where the new root is put together: a folder that every machine has, and that is hidden afterwards.
const SITE: &str = "/tmp";

/// Builds the new root and moves into it; gives the scratch space in it.
pub fn change(opening: &Opening) -> Result<Scratch, Refused> {
    mount_change("/", MountPropagationFlags::PRIVATE | MountPropagationFlags::REC).step("make mounts private")?;
    // Everything is taken hold of before anything is hidden.
    let mut pieces = Vec::new();
    for path in system_folders().chain(parts(opening)) {
        pieces.push((path.clone(), piece(&path, true)?));
    }
    for device in DEVICES {
        pieces.push((PathBuf::from(device), piece(Path::new(device), false)?));
    }
    let copied = copied_folder(opening);
    let (scratch, folders) = scratch_folders(opening, copied)?;
    mount("root", SITE, "tmpfs", MountFlags::NOSUID | MountFlags::NODEV, Some(c"mode=0755,size=1m"))
        .step("mount a new root")?;
    // Scratch space first: the bot itself may lie below `/tmp`.
    for (at, tree) in folders.into_iter().chain(pieces) {
        put(&tree, &at).step("mount a folder into the new root")?;
    }
    small_things(opening).step("furnish the new root")?;
    mount("proc", below("/proc"), "proc", MountFlags::NOSUID | MountFlags::NODEV | MountFlags::NOEXEC, None)
        .step("mount /proc")?;
    // Read-only, because /proc/sys would be writable where the kit is run by root.
    mount_remount(
        below("/proc"),
        MountFlags::BIND | MountFlags::RDONLY | MountFlags::NOSUID | MountFlags::NODEV | MountFlags::NOEXEC,
        c"",
    )
    .step("make /proc read-only")?;
    std::env::set_current_dir(SITE).step("move to the new root")?;
    // Stacked on the same place, the old root can be taken away from under the new one.
    pivot_root(".", ".").step("change the root")?;
    unmount(".", UnmountFlags::DETACH).step("take away the old root")?;
    std::env::set_current_dir("/").step("move to the new root")?;
    mount_remount("/", MountFlags::BIND | MountFlags::RDONLY | MountFlags::NOSUID | MountFlags::NODEV, c"")
        .step("make the root read-only")?;
    Scratch::private(scratch, opening.program.parts.clone(), copied.map(PathBuf::from))
        .step("look at the scratch space")
}

/// `path` as it is while the new root is put together.
fn below(path: impl AsRef<Path>) -> PathBuf {
    let path = path.as_ref();
    Path::new(SITE).join(path.strip_prefix("/").unwrap_or(path))
}

/// The system's folders that are folders here; links among them are made anew.
fn system_folders() -> impl Iterator<Item = PathBuf> {
    SYSTEM.iter().map(PathBuf::from).filter(|path| fs::symlink_metadata(path).is_ok_and(|found| found.is_dir()))
}

/// What the bot consists of, as far as neither the system's folders nor the copy of its own hold it already.
fn parts(opening: &Opening) -> impl Iterator<Item = PathBuf> {
    let copied = copied_folder(opening);
    let is_there = move |part: &PathBuf| in_system(part) || copied.is_some_and(|folder| part.starts_with(folder));
    // What is missing is told when the bot cannot start; it is no reason for a lesser level.
    opening.program.parts.iter().filter(move |part| !is_there(part) && part.exists()).cloned()
}

/// The bot's own folder, if it is to be a copy.
fn copied_folder(opening: &Opening) -> Option<&Path> {
    let folder = opening.program.folder.as_path();
    ((opening.watchful || opening.builds) && !in_system(folder)).then_some(folder)
}

fn in_system(path: &Path) -> bool {
    SYSTEM.iter().any(|system| path.starts_with(system))
}

/// A copy of the mounts at `path`, read-only.
fn piece(path: &Path, no_devices: bool) -> Result<OwnedFd, Refused> {
    let flags = OpenTreeFlags::OPEN_TREE_CLONE | OpenTreeFlags::OPEN_TREE_CLOEXEC | OpenTreeFlags::AT_RECURSIVE;
    let tree = open_tree(CWD, path, flags).step("copy a mount")?;
    let mut attributes = MountAttrFlags::MOUNT_ATTR_RDONLY | MountAttrFlags::MOUNT_ATTR_NOSUID;
    if no_devices {
        attributes |= MountAttrFlags::MOUNT_ATTR_NODEV;
    }
    sys::set_mount_attributes(&tree, attributes).step("make a mount read-only")?;
    Ok(tree)
}

/// Mounts `tree` where `path` will be, and makes that place first.
fn put(tree: &OwnedFd, path: &Path) -> io::Result<()> {
    let at = below(path);
    let is_folder = fs::File::from(tree.try_clone()?).metadata()?.is_dir();
    if is_folder {
        fs::create_dir_all(&at)?;
    } else {
        at.parent().map_or(Ok(()), fs::create_dir_all)?;
        fs::File::create(&at)?;
    }
    Ok(move_mount(tree, "", CWD, &at, MoveMountFlags::MOVE_MOUNT_F_EMPTY_PATH)?)
}

/// One file system for all that can be written, so that one question tells whether anything was.
fn scratch_folders(
    opening: &Opening,
    copied: Option<&Path>,
) -> Result<(OwnedFd, Vec<(PathBuf, OwnedFd)>), Refused> {
    const STEP: &str = "mount scratch space";
    let context = fsopen("tmpfs", FsOpenFlags::FSOPEN_CLOEXEC).step(STEP)?;
    fsconfig_set_string(context.as_fd(), "size", opening.limits.file.to_string()).step(STEP)?;
    let files = if opening.builds { FILES_OF_A_BUILD } else { FILES };
    fsconfig_set_string(context.as_fd(), "nr_inodes", files).step(STEP)?;
    fsconfig_set_string(context.as_fd(), "mode", "0755").step(STEP)?;
    fsconfig_create(context.as_fd()).step(STEP)?;
    let attributes = MountAttrFlags::MOUNT_ATTR_NOSUID | MountAttrFlags::MOUNT_ATTR_NODEV;
    let scratch = fsmount(context.as_fd(), FsMountFlags::FSMOUNT_CLOEXEC, attributes).step(STEP)?;
    let mut folders = Vec::new();
    for (name, at) in [("tmp", "/tmp"), ("var-tmp", "/var/tmp"), ("shm", "/dev/shm"), ("home", PRIVATE_HOME)] {
        folders.push((PathBuf::from(at), scratch_folder(&scratch, name).step(STEP)?));
    }
    if let Some(folder) = copied {
        let copy = scratch_folder(&scratch, "folder").step(STEP)?;
        let to = Path::new("/proc/self/fd").join(copy.as_raw_fd().to_string());
        for part in opening.program.parts.iter().filter(|part| part.starts_with(folder)) {
            let place = part.strip_prefix(folder).map(|below| to.join(below)).map_err(io::Error::other);
            place
                .and_then(|place| tree::copy(part, &place, &[], &mut Room::unbounded()))
                .step("copy the bot's folder")?;
        }
        folders.push((folder.to_path_buf(), copy));
    }
    Ok((scratch, folders))
}

fn scratch_folder(scratch: &OwnedFd, name: &str) -> io::Result<OwnedFd> {
    mkdirat(scratch, name, Mode::from_raw_mode(FOLDER_MODE))?;
    let flags = OpenTreeFlags::OPEN_TREE_CLONE | OpenTreeFlags::OPEN_TREE_CLOEXEC;
    Ok(open_tree(scratch, name, flags)?)
}

/// Links, empty folders, and what is to be hidden.
fn small_things(opening: &Opening) -> io::Result<()> {
    for link in SYSTEM {
        if let Ok(target) = fs::read_link(link) {
            symlink(target, below(link))?;
        }
    }
    for (name, target) in [
        ("fd", "/proc/self/fd"),
        ("stdin", "/proc/self/fd/0"),
        ("stdout", "/proc/self/fd/1"),
        ("stderr", "/proc/self/fd/2"),
    ] {
        symlink(target, below("/dev").join(name))?;
    }
    fs::create_dir_all(below("/proc"))?;
    fs::create_dir_all(below(&opening.program.folder))?;
    for hidden in &opening.hidden {
        let at = below(hidden);
        match fs::symlink_metadata(&at) {
            Ok(found) if found.is_dir() => {
                mount(
                    "hidden",
                    &at,
                    "tmpfs",
                    MountFlags::RDONLY | MountFlags::NOSUID | MountFlags::NODEV,
                    Some(c"size=4k"),
                )?;
            }
            Ok(found) if found.is_file() => rustix::mount::mount_bind(below("/dev/null"), &at)?,
            _ => {}
        }
    }
    Ok(())
}
