//! What every program in a sandbox can see of the machine: a list, and nothing besides.
//!
//! What a program needs beyond it is among its parts ([`crate::Program::parts`]). In a root of the sandbox's own the
//! list is all there is; on the machine's own root Landlock holds programs to it.

/// Folders of libraries, tools and their data, to be read and executed. Those that are links are links inside, too.
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
    // Links, by which one of several tools of a name is chosen.
    "/etc/alternatives",
];

/// Files of the machine's: where libraries are.
pub const FILES: [&str; 1] = ["/etc/ld.so.cache"];

/// Files that say who and where a program is: made for a root of the sandbox's own, else the machine's.
pub const MADE: [(&str, &str); 4] = [
    ("/etc/passwd", "root:x:0:0:root:/root:/bin/sh\nbot:x:1000:1000:bot:/home/bot:/bin/sh\n"),
    ("/etc/group", "root:x:0:\nbot:x:1000:\n"),
    ("/etc/hosts", "127.0.0.1 localhost ring\n::1 localhost\n"),
    ("/etc/nsswitch.conf", "passwd: files\ngroup: files\nhosts: files\n"),
];

/// Devices without which hardly a program starts.
pub const DEVICES: [&str; 5] = ["/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"];
