//! The files of the machine that every program can see in a sandbox that hides the others.
//!
//! Other files that a program needs are its parts ([`crate::Program::parts`]). At
//! [`Level::Namespaced`](crate::Level::Namespaced) the sandbox's own root contains only these of the machine's files,
//! and the parts; at [`Level::Scoped`](crate::Level::Scoped) Landlock's rules restrict programs to these, the parts,
//! `/proc` and the folders in which they may write. Weaker levels hide nothing.

/// Folders of libraries, tools and their data, which programs may read and execute. A folder that is a link on the
/// machine is a link in the sandbox, too.
pub const FOLDERS: [&str; 20] = [
    "/bin",
    "/lib",
    "/lib32",
    "/lib64",
    "/libx32",
    "/usr/bin",
    "/usr/include",
    "/usr/lib",
    "/usr/lib32",
    "/usr/lib64",
    "/usr/libexec",
    "/usr/libx32",
    "/usr/share",
    "/usr/local/bin",
    "/usr/local/include",
    "/usr/local/lib",
    "/usr/local/lib64",
    "/usr/local/share",
    "/nix/store",
    // Links that select one of several tools with the same name.
    "/etc/alternatives",
];

/// Files of the machine that tell programs where libraries are.
pub const FILES: [&str; 1] = ["/etc/ld.so.cache"];

/// Files that name users, groups and hosts, with their content in a sandbox's own root, unless a program's parts
/// include them. At [`Level::Scoped`](crate::Level::Scoped) programs see the machine's own.
pub const SYNTHETIC_FILES: [(&str, &str); 4] = [
    ("/etc/passwd", "root:x:0:0:root:/root:/bin/sh\nbot:x:1000:1000:bot:/home/bot:/bin/sh\n"),
    ("/etc/group", "root:x:0:\nbot:x:1000:\n"),
    ("/etc/hosts", "127.0.0.1 localhost ring\n::1 localhost\n"),
    ("/etc/nsswitch.conf", "passwd: files\ngroup: files\nhosts: files\n"),
];

/// Devices that nearly every program needs.
pub const DEVICES: [&str; 5] = ["/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"];
