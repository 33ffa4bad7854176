//! Which arguments are allowed, for calls that programs need only in part.

use super::CallDecision;
use super::rule::{RuleCase, Test};

const fn argument(number: u8, values: &'static [u32]) -> Test {
    Test::Argument { number, bits: u32::MAX, values }
}

const fn masked(number: u8, bits: u32, values: &'static [u32]) -> Test {
    Test::Argument { number, bits, values }
}

/// A process number of 0, which means the caller.
pub(super) const ITSELF: &[Test] = &[argument(0, &[0])];

/// `ioprio_set` of the calling process or thread.
pub(super) const OWN_DISK_PRIORITY: &[Test] = &[argument(0, &[1]), argument(1, &[0])];

/// `clone`: no new namespaces. A request for a handle of the new process gets the answer of an old kernel, because the
/// handle's number would reveal a count of all handles on the machine.
pub(super) const NEW_PROCESSES: &[RuleCase] = &[
    RuleCase { tests: &[masked(0, NAMESPACES | libc::CLONE_PIDFD as u32, &[0])], answer: CallDecision::Allowed },
    RuleCase { tests: &[masked(0, NAMESPACES, &[0])], answer: CallDecision::Refused(libc::ENOSYS) },
];

const NAMESPACES: u32 = (libc::CLONE_NEWUSER
    | libc::CLONE_NEWNS
    | libc::CLONE_NEWPID
    | libc::CLONE_NEWNET
    | libc::CLONE_NEWIPC
    | libc::CLONE_NEWUTS
    | libc::CLONE_NEWCGROUP) as u32;

/// `open`: must not empty a file that is opened for reading only, which Landlock permits before Linux 6.2.
pub(super) const NO_EMPTYING: &[Test] = &[masked(1, TRUNCATES, WRITES_OR_KEEPS)];

/// `openat`: like [`NO_EMPTYING`].
pub(super) const NO_EMPTYING_AT: &[Test] = &[masked(2, TRUNCATES, WRITES_OR_KEEPS)];

const TRUNCATES: u32 = (libc::O_ACCMODE | libc::O_TRUNC) as u32;

const WRITES_OR_KEEPS: &[u32] = &[
    libc::O_RDONLY as u32,
    libc::O_WRONLY as u32,
    libc::O_RDWR as u32,
    (libc::O_WRONLY | libc::O_TRUNC) as u32,
    (libc::O_RDWR | libc::O_TRUNC) as u32,
];

/// `getsockopt` and `setsockopt`: the kind of the socket, and its error. Other options count something across the
/// machine, or are visible to other bots.
pub(super) const SOCKET_OPTIONS: &[Test] = &[
    argument(1, &[libc::SOL_SOCKET as u32]),
    argument(2, &[libc::SO_TYPE as u32, libc::SO_ERROR as u32, libc::SO_PROTOCOL as u32, libc::SO_DOMAIN as u32]),
];

/// `preadv2` and `pwritev2`: no flags, because one of them reveals whether a part of a file is in memory.
pub(super) const NO_FLAGS: &[Test] = &[argument(5, &[0])];

/// `madvise`: must not remove pages of a file from memory, or merge pages with other processes' pages of the same
/// content.
pub(super) const MEMORY_ADVICE: &[Test] = &[argument(
    2,
    &[
        libc::MADV_NORMAL as u32,
        libc::MADV_RANDOM as u32,
        libc::MADV_SEQUENTIAL as u32,
        libc::MADV_WILLNEED as u32,
        libc::MADV_DONTNEED as u32,
        libc::MADV_FREE as u32,
        libc::MADV_REMOVE as u32,
        libc::MADV_DONTFORK as u32,
        libc::MADV_DOFORK as u32,
        libc::MADV_HUGEPAGE as u32,
        libc::MADV_NOHUGEPAGE as u32,
        libc::MADV_DONTDUMP as u32,
        libc::MADV_DODUMP as u32,
        libc::MADV_WIPEONFORK as u32,
        libc::MADV_KEEPONFORK as u32,
        libc::MADV_POPULATE_READ as u32,
        libc::MADV_POPULATE_WRITE as u32,
        libc::MADV_DONTNEED_LOCKED as u32,
        libc::MADV_COLLAPSE as u32,
    ],
)];

/// `clock_gettime` and similar: the clocks of the machine and of the caller, but not those of other processes and
/// threads.
pub(super) const CLOCKS: &[Test] = &[argument(
    0,
    &[
        libc::CLOCK_REALTIME as u32,
        libc::CLOCK_MONOTONIC as u32,
        libc::CLOCK_PROCESS_CPUTIME_ID as u32,
        libc::CLOCK_THREAD_CPUTIME_ID as u32,
        libc::CLOCK_MONOTONIC_RAW as u32,
        libc::CLOCK_REALTIME_COARSE as u32,
        libc::CLOCK_MONOTONIC_COARSE as u32,
        libc::CLOCK_BOOTTIME as u32,
        libc::CLOCK_REALTIME_ALARM as u32,
        libc::CLOCK_BOOTTIME_ALARM as u32,
        libc::CLOCK_TAI as u32,
        OWN_PROCESS,
        OWN_THREAD,
    ],
)];

/// The processor clocks of process and thread 0, which are the caller's, as defined in `linux/posix-timers.h`.
const OWN_PROCESS: u32 = !0 << 3 | 2;
const OWN_THREAD: u32 = !0 << 3 | 2 | 4;

/// `socketpair`: pairs that are connected only with each other. A datagram socket could send to any socket file, and
/// the kernel treats a raw one like it.
pub(super) const CONNECTED: &[Test] = &[
    argument(0, &[libc::AF_UNIX as u32]),
    masked(1, 0xf, &[libc::SOCK_STREAM as u32, libc::SOCK_SEQPACKET as u32]),
];

/// `mkdir`: only folders that their owner can use. At `scoped`, no process under this filter, not even the server,
/// could open and remove others.
pub(super) const OPEN_FOLDER: &[Test] = &[masked(1, 0o700, &[0o700])];

/// `mkdirat`: like [`OPEN_FOLDER`].
pub(super) const OPEN_FOLDER_AT: &[Test] = &[masked(2, 0o700, &[0o700])];

/// `umask`: like [`OPEN_FOLDER`].
pub(super) const OPEN_MASK: &[Test] = &[masked(0, 0o700, &[0])];

/// `personality`: reading it, the default, and the one without random addresses, with which SBCL restarts itself.
pub(super) const PERSONALITIES: &[Test] = &[argument(0, &[0, libc::ADDR_NO_RANDOMIZE as u32, u32::MAX])];

/// `fcntl`: copies and flags. Locks only seem to succeed, because a real lock on a file that all bots can read would be
/// visible to other bots. Not allowed are signals from files, notifications of what others do with a file (leases,
/// `F_NOTIFY`), larger pipes (which count for the whole user), and hints (which stay on a file).
pub(super) const FILE_CONTROLS: &[RuleCase] = &[
    RuleCase { tests: &[argument(1, ALLOWED_CONTROLS)], answer: CallDecision::Allowed },
    RuleCase { tests: &[argument(1, LOCKS)], answer: CallDecision::Refused(0) },
];

const LOCKS: &[u32] =
    &[libc::F_SETLK as u32, libc::F_SETLKW as u32, libc::F_OFD_SETLK as u32, libc::F_OFD_SETLKW as u32];

const ALLOWED_CONTROLS: &[u32] = &[
    libc::F_DUPFD as u32,
    libc::F_DUPFD_CLOEXEC as u32,
    F_DUPFD_QUERY,
    libc::F_GETFD as u32,
    libc::F_SETFD as u32,
    libc::F_GETFL as u32,
    libc::F_SETFL as u32,
    libc::F_GETLK as u32,
    libc::F_OFD_GETLK as u32,
    libc::F_GETOWN as u32,
    F_GETSIG,
    F_GETOWN_EX,
    libc::F_GETLEASE as u32,
    libc::F_GETPIPE_SZ as u32,
    libc::F_GET_SEALS as u32,
];

const F_DUPFD_QUERY: u32 = 1027;
const F_GETSIG: u32 = 11;
const F_GETOWN_EX: u32 = 16;

/// `ioctl`: queries about pipes, files, sockets and terminals, and the flags that `fcntl` can set as well. Nothing that
/// types into a terminal, sends signals or marks files.
pub(super) const REQUESTS: &[Test] = &[argument(
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
        RNDGETENTCNT,
    ],
)];

const FIOQSIZE: u32 = 0x5460;
const FIGETBSZ: u32 = 2;
const TCGETS2: u32 = 0x802c_542a;
const FS_IOC_GETFLAGS: u32 = 0x8008_6601;
const FS_IOC_FSGETXATTR: u32 = 0x801c_581f;
const SIOCATMARK: u32 = 0x8905;
const RNDGETENTCNT: u32 = 0x8004_5200;

/// `prctl`: what a process may query or change about itself. Not allowed are filters of its own, permissions for
/// debuggers, privileges, merging memory with other processes, and groups of processes that share a core.
pub(super) const PROCESS_CONTROLS: &[Test] = &[argument(
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
