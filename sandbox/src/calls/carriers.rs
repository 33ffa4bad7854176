//! Explains for each allowed call what it could carry from one game to the next, or from one bot to another that runs
//! at the same time, and why it does not. A test fails if an allowed call is missing here.

/// Calls that could carry the same kind of information.
#[derive(Clone, Copy, Debug)]
pub struct Carrier {
    /// Their names, separated by blanks.
    pub calls: &'static str,
    /// What they could carry.
    pub carries: &'static str,
    /// Why they do not, or to what extent they still can.
    pub answer: &'static str,
}

const fn carrier(carries: &'static str, calls: &'static str, answer: &'static str) -> Carrier {
    Carrier { calls, carries, answer }
}

/// The answers for all calls that are allowed at `scoped` or `namespaced`.
pub const CARRIERS: &[Carrier] = &[
    carrier(
        "content and size of files",
        "read write readv writev pread64 pwrite64 preadv pwritev open openat openat2 creat close close_range lseek dup dup2 \
         dup3 truncate ftruncate fallocate copy_file_range sendfile fsync fdatasync sync syncfs sync_file_range",
        "a bot can write only to its own scratch space, which is replaced if anything was done to it in a game",
    ),
    carrier(
        "names, modes, owners and times of files",
        "getdents getdents64 getcwd chdir fchdir stat lstat fstat newfstatat statx access faccessat faccessat2 readlink \
         readlinkat rename renameat renameat2 unlink unlinkat rmdir link linkat symlink symlinkat mknod mknodat mkdir \
         mkdirat umask chmod fchmod fchmodat fchmodat2 chown fchown lchown fchownat utime utimes utimensat futimesat",
        "the same; common files are mounted read-only, so that not even the times of reading change. The numbers of \
         scratch files are compared after each game; numbers of pipes and sockets are counters of the machine (see below)",
    ),
    carrier("free space of file systems", "statfs fstatfs", "a bot can fill only its own scratch space"),
    carrier(
        "attributes of files",
        "getxattr lgetxattr fgetxattr listxattr llistxattr flistxattr",
        "they can be read, and not set",
    ),
    carrier(
        "which parts of common files are in memory",
        "preadv2 pwritev2 readahead fadvise64 madvise mmap mremap msync munmap",
        "asking for it and removing them are refused or do nothing. That a part was read before makes reading it faster: \
         see below",
    ),
    carrier(
        "locks, owners of signals, sizes of pipes",
        "fcntl flock",
        "setting a lock on any file seems to succeed and does nothing; pipes cannot be made larger",
    ),
    carrier(
        "flags and settings of files and devices",
        "ioctl",
        "questions about the bot's own pipes and files only",
    ),
    carrier(
        "memory",
        "brk mprotect mlock mlock2 munlock mlockall munlockall mseal pkey_alloc pkey_free pkey_mprotect map_shadow_stack",
        "it ends with the process; shared memory without a file has a number that is a counter of the machine (see below)",
    ),
    carrier(
        "processes and their numbers",
        "fork vfork clone execve execveat exit exit_group wait4 waitid getpid getppid getpgid getpgrp getsid setpgid setsid \
         gettid set_tid_address",
        "all end with the game. Numbers begin again for each game, after which the namespace is replaced if more than one \
         process or thread was made",
    ),
    carrier(
        "settings and counters of a process",
        "prctl arch_prctl personality prlimit64 getrlimit setrlimit getrusage times capget capset membarrier rseq \
         set_robust_list get_robust_list",
        "they belong to the process and end with it; those of process 1, which stays, cannot be seen or set",
    ),
    carrier(
        "wake-ups between processes that map the same page",
        "futex futex_waitv futex_wake futex_wait futex_requeue",
        "nothing stays once a process ends. Two bots that run at the same time can wake each other: see below",
    ),
    carrier(
        "signals",
        "kill tkill tgkill pidfd_send_signal rt_sigaction rt_sigprocmask rt_sigpending rt_sigsuspend rt_sigtimedwait \
         rt_sigqueueinfo rt_tgsigqueueinfo rt_sigreturn sigaltstack signalfd signalfd4 restart_syscall pause",
        "they reach only the bot's own processes; process 1 gets none that it does not handle",
    ),
    carrier(
        "clocks and timers",
        "clock_gettime clock_getres clock_nanosleep nanosleep gettimeofday time alarm setitimer getitimer timerfd_create \
         timerfd_settime timerfd_gettime timer_create timer_settime timer_gettime timer_getoverrun timer_delete",
        "the machine's clocks and the bot's own only, none of which it can set; timers end with the process, or never fire",
    ),
    carrier(
        "what waits for files",
        "poll ppoll select pselect6 epoll_create epoll_create1 epoll_ctl epoll_wait epoll_pwait epoll_pwait2 eventfd eventfd2",
        "it ends with the process. The kernel counts watched files for the user: see below",
    ),
    carrier(
        "pipes and pairs of sockets",
        "pipe pipe2 splice tee socketpair sendto recvfrom recvmsg recvmmsg shutdown getsockname getpeername getsockopt \
         setsockopt connect bind listen accept accept4",
        "they connect the bot's own processes. Options that number sockets or set anything are refused. The kernel counts \
         memory of pipes for the user, and numbers all pipes and sockets: see below",
    ),
    carrier(
        "priorities and processors",
        "sched_yield sched_getaffinity sched_setaffinity sched_getscheduler sched_setscheduler sched_getparam \
         sched_setparam sched_getattr sched_setattr sched_get_priority_max sched_get_priority_min sched_rr_get_interval \
         getpriority setpriority ioprio_get ioprio_set getcpu",
        "all that set something do nothing, except for the bot's own access to disks. Which processor a bot runs on does \
         not depend on any bot",
    ),
    carrier(
        "users and names",
        "getuid geteuid getgid getegid getresuid getresgid getgroups setuid setgid setreuid setregid \
         setresuid setresgid uname getrandom",
        "they are the same in each game, or random",
    ),
    carrier(
        "load, free memory and number of processes of the machine",
        "sysinfo",
        "any program changes them: see below",
    ),
];

#[cfg(test)]
mod tests {
    use super::super::families::ALLOWED;
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_allowed_call_has_one_answer() {
        let answered: Vec<&str> = CARRIERS.iter().flat_map(|row| row.calls.split_whitespace()).collect();
        let unique: BTreeSet<&str> = answered.iter().copied().collect();
        assert_eq!(answered.len(), unique.len(), "a call has two answers");
        let allowed = ALLOWED.iter().flat_map(|family| family.calls()).map(|call| call.name()).collect();
        let without: Vec<_> = unique.symmetric_difference(&allowed).collect();
        assert!(without.is_empty(), "calls without an answer, or answers without a call: {without:?}");
    }
}
