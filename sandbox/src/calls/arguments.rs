//! Which arguments are allowed, for calls that programs need only in part.

use super::CallDecision;
use super::rule::{RuleCase, Test};

/// The constants of the C library, and those that the crate `libc` does not define for this machine.
#[expect(non_upper_case_globals, reason = "the names are the kernel's")]
pub(super) mod constants {
    pub(crate) use libc::*;

    pub(crate) const F_DUPFD_QUERY: i32 = 1027;
    pub(crate) const F_GETSIG: i32 = 11;
    pub(crate) const F_GETOWN_EX: i32 = 16;
    pub(crate) const FIOQSIZE: i32 = 0x5460;
    pub(crate) const FIGETBSZ: i32 = 2;
    pub(crate) const TCGETS2: i64 = 0x802c_542a;
    pub(crate) const FS_IOC_GETFLAGS: i64 = 0x8008_6601;
    pub(crate) const FS_IOC_FSGETXATTR: i64 = 0x801c_581f;
    pub(crate) const SIOCATMARK: i32 = 0x8905;
    pub(crate) const RNDGETENTCNT: i64 = 0x8004_5200;
    pub(crate) const PR_GET_AUXV: i32 = 0x4155_5856;
    pub(crate) const SYS_io_pgetevents: i64 = 333;
    pub(crate) const SYS_cachestat: i64 = 451;
    pub(crate) const SYS_map_shadow_stack: i64 = 453;
    pub(crate) const SYS_futex_wake: i64 = 454;
    pub(crate) const SYS_futex_wait: i64 = 455;
    pub(crate) const SYS_futex_requeue: i64 = 456;
    pub(crate) const SYS_setxattrat: i64 = 463;
    pub(crate) const SYS_removexattrat: i64 = 466;
    pub(crate) const SYS_file_setattr: i64 = 469;

    /// The processor clocks of process and thread 0, which are the caller's, as defined in `linux/posix-timers.h`.
    pub(crate) const OWN_PROCESS_CLOCK: u32 = !0 << 3 | 2;
    pub(crate) const OWN_THREAD_CLOCK: u32 = !0 << 3 | 2 | 4;
}

/// Lists the values of constants.
macro_rules! values {
    ($($name:ident $(| $more:ident)*)*) => { &[$((constants::$name $(| constants::$more)*) as u32),*] };
}
pub(super) use values;

const fn argument(number: u8, values: &'static [u32]) -> Test {
    Test::Argument { number, bits: u32::MAX, values }
}

const fn masked(number: u8, bits: u32, values: &'static [u32]) -> Test {
    Test::Argument { number, bits, values }
}

const fn allow(tests: &'static [Test]) -> RuleCase {
    RuleCase { tests, answer: CallDecision::Allowed }
}

const fn refuse(tests: &'static [Test], errno: i32) -> RuleCase {
    RuleCase { tests, answer: CallDecision::Refused(errno) }
}

/// A process number of 0, which means the caller.
pub(super) const ITSELF: &[RuleCase] = &[allow(&[argument(0, &[0])])];

/// `ioprio_set` of the calling process or thread.
pub(super) const OWN_DISK_PRIORITY: &[RuleCase] = &[allow(&[argument(0, &[1]), argument(1, &[0])])];

/// `clone`: no new namespaces. A request for a handle of the new process gets the answer of an old kernel, because the
/// handle's number would reveal a count of all handles on the machine.
pub(super) const NEW_PROCESSES: &[RuleCase] = &[
    allow(&[masked(0, NAMESPACES | libc::CLONE_PIDFD as u32, &[0])]),
    refuse(&[masked(0, NAMESPACES, &[0])], libc::ENOSYS),
];

const NAMESPACES: u32 = (libc::CLONE_NEWUSER
    | libc::CLONE_NEWNS
    | libc::CLONE_NEWPID
    | libc::CLONE_NEWNET
    | libc::CLONE_NEWIPC
    | libc::CLONE_NEWUTS
    | libc::CLONE_NEWCGROUP) as u32;

/// `open`: must not empty a file that is opened for reading only, which Landlock permits before Linux 6.2.
pub(super) const NO_EMPTYING: &[RuleCase] = &[allow(&[masked(1, TRUNCATES, WRITES_OR_KEEPS)])];

/// `openat`: like [`NO_EMPTYING`].
pub(super) const NO_EMPTYING_AT: &[RuleCase] = &[allow(&[masked(2, TRUNCATES, WRITES_OR_KEEPS)])];

const TRUNCATES: u32 = (libc::O_ACCMODE | libc::O_TRUNC) as u32;

const WRITES_OR_KEEPS: &[u32] = values! { O_RDONLY O_WRONLY O_RDWR O_WRONLY | O_TRUNC O_RDWR | O_TRUNC };

/// `getsockopt` and `setsockopt`: the kind of the socket, and its error. Other options count something across the
/// machine, or are visible to other bots.
pub(super) const SOCKET_OPTIONS: &[RuleCase] = &[allow(&[
    argument(1, values! { SOL_SOCKET }),
    argument(2, values! { SO_TYPE SO_ERROR SO_PROTOCOL SO_DOMAIN }),
])];

/// `preadv2` and `pwritev2`: no flags, because one of them reveals whether a part of a file is in memory.
pub(super) const NO_FLAGS: &[RuleCase] = &[allow(&[argument(5, &[0])])];

/// `madvise`: must not remove pages of a file from memory, or merge pages with other processes' pages of the same
/// content.
pub(super) const MEMORY_ADVICE: &[RuleCase] = &[allow(&[argument(
    2,
    values! {
        MADV_NORMAL MADV_RANDOM MADV_SEQUENTIAL MADV_WILLNEED MADV_DONTNEED MADV_FREE MADV_REMOVE MADV_DONTFORK
        MADV_DOFORK MADV_HUGEPAGE MADV_NOHUGEPAGE MADV_DONTDUMP MADV_DODUMP MADV_WIPEONFORK MADV_KEEPONFORK
        MADV_POPULATE_READ MADV_POPULATE_WRITE MADV_DONTNEED_LOCKED MADV_COLLAPSE
    },
)])];

/// `clock_gettime` and similar: the clocks of the machine and of the caller, but not those of other processes and
/// threads.
pub(super) const CLOCKS: &[RuleCase] = &[allow(&[argument(
    0,
    values! {
        CLOCK_REALTIME CLOCK_MONOTONIC CLOCK_PROCESS_CPUTIME_ID CLOCK_THREAD_CPUTIME_ID CLOCK_MONOTONIC_RAW
        CLOCK_REALTIME_COARSE CLOCK_MONOTONIC_COARSE CLOCK_BOOTTIME CLOCK_REALTIME_ALARM CLOCK_BOOTTIME_ALARM CLOCK_TAI
        OWN_PROCESS_CLOCK OWN_THREAD_CLOCK
    },
)])];

/// `socketpair`: pairs that are connected only with each other. A datagram socket could send to any socket file, and
/// the kernel treats a raw socket like a datagram socket.
pub(super) const CONNECTED: &[RuleCase] =
    &[allow(&[argument(0, values! { AF_UNIX }), masked(1, 0xf, values! { SOCK_STREAM SOCK_SEQPACKET })])];

/// `mkdir`: only folders that their owner can use. At `scoped`, no process under this filter, not even the server,
/// could open and remove others.
pub(super) const OPEN_FOLDER: &[RuleCase] = &[allow(&[masked(1, 0o700, &[0o700])])];

/// `mkdirat`: like [`OPEN_FOLDER`].
pub(super) const OPEN_FOLDER_AT: &[RuleCase] = &[allow(&[masked(2, 0o700, &[0o700])])];

/// `umask`: like [`OPEN_FOLDER`].
pub(super) const OPEN_MASK: &[RuleCase] = &[allow(&[masked(0, 0o700, &[0])])];

/// `personality`: reading it, the default, and the one without random addresses, with which SBCL restarts itself.
pub(super) const PERSONALITIES: &[RuleCase] =
    &[allow(&[argument(0, &[0, libc::ADDR_NO_RANDOMIZE as u32, u32::MAX])])];

/// `fcntl`: copies and flags. Locks only seem to succeed, because a real lock on a file that all bots can read would be
/// visible to other bots. Not allowed are signals from files, notifications of what others do with a file (leases,
/// `F_NOTIFY`), larger pipes (which count for the whole user), and hints (which stay on a file).
pub(super) const FILE_CONTROLS: &[RuleCase] = &[
    allow(&[argument(
        1,
        values! {
            F_DUPFD F_DUPFD_CLOEXEC F_DUPFD_QUERY F_GETFD F_SETFD F_GETFL F_SETFL F_GETLK F_OFD_GETLK F_GETOWN F_GETSIG
            F_GETOWN_EX F_GETLEASE F_GETPIPE_SZ F_GET_SEALS
        },
    )]),
    refuse(&[argument(1, values! { F_SETLK F_SETLKW F_OFD_SETLK F_OFD_SETLKW })], 0),
];

/// `ioctl`: queries about pipes, files, sockets and terminals, and the flags that `fcntl` can set as well. Nothing that
/// types into a terminal, sends signals or marks files.
pub(super) const REQUESTS: &[RuleCase] = &[allow(&[argument(
    1,
    values! {
        FIONREAD FIONBIO FIOCLEX FIONCLEX FIOQSIZE FIGETBSZ TCGETS TCGETS2 TIOCGWINSZ TIOCGPGRP TIOCGSID TIOCOUTQ
        FS_IOC_GETFLAGS FS_IOC_FSGETXATTR SIOCATMARK RNDGETENTCNT
    },
)])];

/// `prctl`: what a process may query or change about itself. Not allowed are filters of its own, permissions for
/// debuggers, privileges, merging memory with other processes, and groups of processes that share a core.
pub(super) const PROCESS_CONTROLS: &[RuleCase] = &[allow(&[argument(
    0,
    values! {
        PR_SET_PDEATHSIG PR_GET_PDEATHSIG PR_GET_DUMPABLE PR_SET_DUMPABLE PR_GET_KEEPCAPS PR_SET_NAME PR_GET_NAME
        PR_GET_SECCOMP PR_CAPBSET_READ PR_CAPBSET_DROP PR_GET_TSC PR_GET_SECUREBITS PR_SET_TIMERSLACK
        PR_GET_TIMERSLACK PR_SET_CHILD_SUBREAPER PR_GET_CHILD_SUBREAPER PR_SET_NO_NEW_PRIVS PR_GET_NO_NEW_PRIVS
        PR_GET_TID_ADDRESS PR_SET_THP_DISABLE PR_GET_THP_DISABLE PR_GET_SPECULATION_CTRL PR_SET_SPECULATION_CTRL
        PR_SET_MDWE PR_GET_MDWE PR_SET_VMA PR_GET_AUXV
    },
)])];
