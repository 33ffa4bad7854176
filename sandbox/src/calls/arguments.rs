//! The allowed arguments of calls that programs need only in part.

use super::rule::Test;

const fn argument(number: u8, values: &'static [u32]) -> Test {
    Test::Argument { number, bits: u32::MAX, values }
}

const fn masked(number: u8, bits: u32, values: &'static [u32]) -> Test {
    Test::Argument { number, bits, values }
}

/// A process number of 0, which means the caller.
pub const ITSELF: &[Test] = &[argument(0, &[0])];

/// `ioprio_set` of the calling process or thread.
pub const OWN_DISK_PRIORITY: &[Test] = &[argument(0, &[1]), argument(1, &[0])];

/// `clone` without a new namespace.
pub const NO_NAMESPACE: &[Test] = &[masked(0, NAMESPACES, &[0])];

const NAMESPACES: u32 = (libc::CLONE_NEWUSER
    | libc::CLONE_NEWNS
    | libc::CLONE_NEWPID
    | libc::CLONE_NEWNET
    | libc::CLONE_NEWIPC
    | libc::CLONE_NEWUTS
    | libc::CLONE_NEWCGROUP) as u32;

/// `open`: not to empty a file that is opened for reading only, which Landlock permits before Linux 6.2.
pub const NO_EMPTYING: &[Test] = &[masked(1, TRUNCATES, WRITES_OR_KEEPS)];

/// `openat`: like [`NO_EMPTYING`].
pub const NO_EMPTYING_AT: &[Test] = &[masked(2, TRUNCATES, WRITES_OR_KEEPS)];

const TRUNCATES: u32 = (libc::O_ACCMODE | libc::O_TRUNC) as u32;

const WRITES_OR_KEEPS: &[u32] = &[
    libc::O_RDONLY as u32,
    libc::O_WRONLY as u32,
    libc::O_RDWR as u32,
    (libc::O_WRONLY | libc::O_TRUNC) as u32,
    (libc::O_RDWR | libc::O_TRUNC) as u32,
];

/// Sockets of the internet's families.
pub const INTERNET: &[Test] = &[argument(0, &[libc::AF_INET as u32, libc::AF_INET6 as u32])];

/// Pairs of sockets that are connected only with each other. A datagram socket could send to any socket file, and
/// the kernel treats a raw one alike.
pub const CONNECTED: &[Test] = &[
    argument(0, &[libc::AF_UNIX as u32]),
    masked(1, 0xf, &[libc::SOCK_STREAM as u32, libc::SOCK_SEQPACKET as u32]),
];

/// `setresuid` and `setresgid` of the effective ID alone. All three IDs are the same, and without privileges the kernel
/// accepts no other.
pub const EFFECTIVE_ID: &[Test] = &[argument(0, &[u32::MAX]), argument(2, &[u32::MAX])];

/// `mkdir`: folders that their owner can use. At `scoped` no process under this filter, including the server, could
/// open and remove others.
pub const OPEN_FOLDER: &[Test] = &[masked(1, 0o700, &[0o700])];

/// `mkdirat`: like [`OPEN_FOLDER`].
pub const OPEN_FOLDER_AT: &[Test] = &[masked(2, 0o700, &[0o700])];

/// `umask`: like [`OPEN_FOLDER`].
pub const OPEN_MASK: &[Test] = &[masked(0, 0o700, &[0])];

/// `personality`: reading it, the default one, and one without random addresses, with which SBCL restarts itself.
pub const PERSONALITIES: &[Test] = &[argument(0, &[0, libc::ADDR_NO_RANDOMIZE as u32, u32::MAX])];

/// `fcntl`: copies, flags and locks. Not allowed: signals from files, news of what others do with a file (leases,
/// `F_NOTIFY`), larger pipes (which count for the whole user), and hints, which stay on a file.
pub const FILE_CONTROLS: &[Test] = &[argument(
    1,
    &[
        libc::F_DUPFD as u32,
        libc::F_DUPFD_CLOEXEC as u32,
        F_DUPFD_QUERY,
        libc::F_GETFD as u32,
        libc::F_SETFD as u32,
        libc::F_GETFL as u32,
        libc::F_SETFL as u32,
        libc::F_GETLK as u32,
        libc::F_SETLK as u32,
        libc::F_SETLKW as u32,
        libc::F_OFD_GETLK as u32,
        libc::F_OFD_SETLK as u32,
        libc::F_OFD_SETLKW as u32,
        libc::F_GETOWN as u32,
        F_GETSIG,
        F_GETOWN_EX,
        libc::F_GETLEASE as u32,
        libc::F_GETPIPE_SZ as u32,
        libc::F_GET_SEALS as u32,
    ],
)];

const F_DUPFD_QUERY: u32 = 1027;
const F_GETSIG: u32 = 11;
const F_GETOWN_EX: u32 = 16;

/// `ioctl`: questions about pipes, files, sockets and terminals, and the flags that `fcntl` can set as well.
/// Nothing that types into a terminal, sends signals or marks files.
pub const REQUESTS: &[Test] = &[argument(
    1,
    &[
        libc::FIONREAD as u32,
        libc::FIONBIO as u32,
        libc::FIOCLEX as u32,
        libc::FIONCLEX as u32,
        FIOQSIZE,
        FIGETBSZ,
        libc::TCGETS as u32,
        TCGETS2,
        libc::TIOCGWINSZ as u32,
        libc::TIOCGPGRP as u32,
        libc::TIOCGSID as u32,
        libc::TIOCOUTQ as u32,
        FS_IOC_GETFLAGS,
        FS_IOC_FSGETXATTR,
        SIOCATMARK,
        SIOCGIFNAME,
        SIOCGIFCONF,
        SIOCGIFFLAGS,
        SIOCGIFADDR,
        SIOCGIFBRDADDR,
        SIOCGIFNETMASK,
        SIOCGIFMTU,
        SIOCGIFHWADDR,
        SIOCGIFINDEX,
        RNDGETENTCNT,
    ],
)];

const FIOQSIZE: u32 = 0x5460;
const FIGETBSZ: u32 = 2;
const TCGETS2: u32 = 0x802c_542a;
const FS_IOC_GETFLAGS: u32 = 0x8008_6601;
const FS_IOC_FSGETXATTR: u32 = 0x801c_581f;
const SIOCATMARK: u32 = 0x8905;
const SIOCGIFNAME: u32 = 0x8910;
const SIOCGIFCONF: u32 = 0x8912;
const SIOCGIFFLAGS: u32 = 0x8913;
const SIOCGIFADDR: u32 = 0x8915;
const SIOCGIFBRDADDR: u32 = 0x8919;
const SIOCGIFNETMASK: u32 = 0x891b;
const SIOCGIFMTU: u32 = 0x8921;
const SIOCGIFHWADDR: u32 = 0x8927;
const SIOCGIFINDEX: u32 = 0x8933;
const RNDGETENTCNT: u32 = 0x8004_5200;

/// `prctl`: what a process may ask or change about itself. Not allowed: filters of its own, marks for a debugger,
/// privileges, memory shared with others of the same content, and groups of processes that share a core.
pub const PROCESS_CONTROLS: &[Test] = &[argument(
    0,
    &[
        libc::PR_SET_PDEATHSIG as u32,
        libc::PR_GET_PDEATHSIG as u32,
        libc::PR_GET_DUMPABLE as u32,
        libc::PR_SET_DUMPABLE as u32,
        libc::PR_GET_KEEPCAPS as u32,
        libc::PR_SET_NAME as u32,
        libc::PR_GET_NAME as u32,
        libc::PR_GET_SECCOMP as u32,
        libc::PR_CAPBSET_READ as u32,
        libc::PR_CAPBSET_DROP as u32,
        libc::PR_GET_TSC as u32,
        libc::PR_GET_SECUREBITS as u32,
        libc::PR_SET_TIMERSLACK as u32,
        libc::PR_GET_TIMERSLACK as u32,
        libc::PR_SET_CHILD_SUBREAPER as u32,
        libc::PR_GET_CHILD_SUBREAPER as u32,
        libc::PR_SET_NO_NEW_PRIVS as u32,
        libc::PR_GET_NO_NEW_PRIVS as u32,
        libc::PR_GET_TID_ADDRESS as u32,
        libc::PR_SET_THP_DISABLE as u32,
        libc::PR_GET_THP_DISABLE as u32,
        PR_SVE_SET_VL,
        PR_SVE_GET_VL,
        libc::PR_GET_SPECULATION_CTRL as u32,
        libc::PR_SET_SPECULATION_CTRL as u32,
        PR_PAC_RESET_KEYS,
        PR_SET_TAGGED_ADDR_CTRL,
        PR_GET_TAGGED_ADDR_CTRL,
        PR_SME_SET_VL,
        PR_SME_GET_VL,
        libc::PR_SET_MDWE as u32,
        libc::PR_GET_MDWE as u32,
        libc::PR_SET_VMA as u32,
        PR_GET_AUXV,
    ],
)];

const PR_SVE_SET_VL: u32 = 50;
const PR_SVE_GET_VL: u32 = 51;
const PR_PAC_RESET_KEYS: u32 = 54;
const PR_SET_TAGGED_ADDR_CTRL: u32 = 55;
const PR_GET_TAGGED_ADDR_CTRL: u32 = 56;
const PR_SME_SET_VL: u32 = 63;
const PR_SME_GET_VL: u32 = 64;
const PR_GET_AUXV: u32 = 0x4155_5856;
