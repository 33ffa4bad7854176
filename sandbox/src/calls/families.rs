//! The families of system calls. Calls that belong to no family are refused with "no such system call".

use super::arguments::{
    CLOCKS, CONNECTED, FILE_CONTROLS, ITSELF, MEMORY_ADVICE, NEW_PROCESSES, NO_EMPTYING, NO_EMPTYING_AT, NO_FLAGS,
    OPEN_FOLDER, OPEN_FOLDER_AT, OPEN_MASK, OWN_DISK_PRIORITY, PERSONALITIES, PROCESS_CONTROLS, REQUESTS,
    SOCKET_OPTIONS,
};
use super::rule::{Call, CallRule, Family, Test};
use libc::{EAFNOSUPPORT, EINVAL, ENOPROTOOPT, ENOSYS, ENOTTY, EOPNOTSUPP, EPERM};

/// Lists calls by the names of libc's constants, each with its restrictions.
macro_rules! calls {
    ($($symbol:ident $(. $rule:ident ($($argument:expr),*))*),* $(,)?) => {
        &[$(Call::new(stringify!($symbol), Some(libc::$symbol as u32))$(.$rule($($argument),*))*),*]
    };
}

/// Lists calls that exist only on x86-64.
#[cfg(target_arch = "x86_64")]
macro_rules! older {
    ($($all:tt)*) => { calls![$($all)*] };
}
#[cfg(not(target_arch = "x86_64"))]
macro_rules! older {
    ($($symbol:ident $(. $rule:ident ($($argument:expr),*))*),* $(,)?) => {
        &[$(Call::new(stringify!($symbol), None)$(.$rule($($argument),*))*),*]
    };
}

/// A newer call. It has the same number on all architectures, but libc does not define it on each.
const fn newer(symbol: &'static str, number: u32) -> Call {
    Call::new(symbol, Some(number))
}

/// An older call that libc does not define on every architecture: its number on x86-64 and on the others.
const fn numbered(symbol: &'static str, x86_64: u32, others: u32) -> Call {
    Call::new(symbol, Some(if cfg!(target_arch = "x86_64") { x86_64 } else { others }))
}

const PASS: &[Test] = &[Test::Pass];

/// The rule for calls that belong to no family.
pub(super) const UNKNOWN: CallRule = CallRule::Refuse(libc::ENOSYS);

/// Families that bots need.
pub const ALLOWED: &[Family] = &[
    Family::new(
        "file contents",
        "programs, libraries, input, output and state are files; what one bot can do to a common file that another one \
         notices seems to succeed (locks, and removing it from memory), or is refused (asking what is in memory); at \
         `scoped` not the calls that empty a file by name, because old versions of Landlock have no rules about them",
        calls! {
            SYS_read, SYS_write, SYS_readv, SYS_writev, SYS_pread64, SYS_pwrite64, SYS_preadv, SYS_pwritev,
            SYS_preadv2.only(NO_FLAGS, EOPNOTSUPP), SYS_pwritev2.only(NO_FLAGS, EOPNOTSUPP),
            SYS_openat.at_scoped_only(NO_EMPTYING_AT, EPERM), SYS_openat2.not_at_scoped(ENOSYS), SYS_close, SYS_close_range, SYS_lseek, SYS_dup, SYS_dup3,
            SYS_ftruncate, SYS_truncate.not_at_scoped(EPERM), SYS_fallocate, SYS_fsync, SYS_fdatasync,
            SYS_readahead, SYS_fadvise64.refused(0), SYS_copy_file_range, SYS_sendfile, SYS_flock.refused(0),
            SYS_fcntl.by_cases(FILE_CONTROLS, EPERM),
            SYS_ioctl.only(REQUESTS, ENOTTY),
            // They would wait until all files of the machine are written.
            SYS_sync.refused(0), SYS_syncfs.refused(0),
        },
    )
    .others(&[numbered("sync_file_range", 277, 84)])
    .older(older! {
        SYS_open.at_scoped_only(NO_EMPTYING, EPERM), SYS_creat, SYS_dup2,
    }),
    Family::new(
        "folders and names",
        "libraries and state files are found by name; modes, owners and times only where the root is the sandbox's \
         own, because Landlock has no rules about them; for builds at `scoped` the keeper checks the file and makes the \
         call",
        calls! {
            SYS_getdents64, SYS_getcwd, SYS_chdir, SYS_fchdir, SYS_fstat, SYS_newfstatat, SYS_statx, SYS_statfs,
            SYS_fstatfs, SYS_faccessat, SYS_faccessat2, SYS_readlinkat, SYS_renameat2, SYS_unlinkat, SYS_linkat,
            SYS_symlinkat, SYS_mknodat, SYS_getxattr, SYS_lgetxattr, SYS_fgetxattr, SYS_listxattr,
            SYS_llistxattr, SYS_flistxattr, SYS_mkdirat.at_scoped_only(OPEN_FOLDER_AT, EPERM),
            SYS_umask.at_scoped_only(OPEN_MASK, EPERM), SYS_fchmod.by_keeper_at_scoped(EPERM),
            SYS_fchmodat.by_keeper_at_scoped(EPERM), SYS_fchown.by_keeper_at_scoped(EPERM),
            SYS_fchownat.by_keeper_at_scoped(EPERM), SYS_utimensat.by_keeper_at_scoped(EPERM),
        },
    )
    .others(&[numbered("renameat", 264, 38), newer("fchmodat2", 452).by_keeper_at_scoped(EPERM)])
    .older(older! {
        SYS_getdents, SYS_stat, SYS_lstat, SYS_access, SYS_readlink, SYS_rename, SYS_rmdir, SYS_unlink, SYS_link,
        SYS_symlink, SYS_mknod, SYS_mkdir.at_scoped_only(OPEN_FOLDER, EPERM), SYS_chmod.by_keeper_at_scoped(EPERM),
        SYS_chown.by_keeper_at_scoped(EPERM), SYS_lchown.by_keeper_at_scoped(EPERM), SYS_utime.not_at_scoped(EPERM),
        SYS_utimes.not_at_scoped(EPERM), SYS_futimesat.not_at_scoped(EPERM),
    }),
    Family::new(
        "memory",
        "allocators, garbage collectors and just-in-time compilers need them; amounts are limited elsewhere",
        calls! {
            SYS_brk, SYS_mmap, SYS_munmap, SYS_mprotect, SYS_mremap, SYS_madvise.only(MEMORY_ADVICE, EINVAL), SYS_msync,
            SYS_mlock, SYS_mlock2, SYS_munlock, SYS_mlockall, SYS_munlockall, SYS_mseal, SYS_pkey_alloc, SYS_pkey_free,
            SYS_pkey_mprotect,
        },
    )
    .others(&[newer("map_shadow_stack", 453)]),
    Family::new(
        "processes",
        "compilers and shells start other programs; at `scoped` all processes stay in the bot's process group, by \
         which they are ended, and `setpgid`, without which `ninja` starts no command, does nothing",
        calls! {
            SYS_clone.by_cases(NEW_PROCESSES, EPERM), SYS_execve, SYS_execveat, SYS_exit, SYS_exit_group, SYS_wait4,
            SYS_waitid, SYS_getpid, SYS_getppid, SYS_getpgid, SYS_getsid,
            SYS_setpgid.at_scoped_only(PASS, 0), SYS_setsid.not_at_scoped(EPERM),
            SYS_prctl.only(PROCESS_CONTROLS, EINVAL), SYS_personality.only(PERSONALITIES, EINVAL),
            SYS_prlimit64.only(ITSELF, EPERM), SYS_getrusage, SYS_times,
        },
    )
    .others(&[numbered("getrlimit", 97, 163), numbered("setrlimit", 160, 164)])
    .older(older! {
        SYS_fork, SYS_vfork, SYS_getpgrp, SYS_arch_prctl,
    }),
    Family::new(
        "threads",
        "runtimes use threads, and locks between them",
        calls! {
            SYS_gettid, SYS_futex, SYS_futex_waitv, SYS_set_robust_list, SYS_get_robust_list,
            SYS_set_tid_address, SYS_rseq, SYS_membarrier,
        },
    )
    .others(&[newer("futex_wake", 454), newer("futex_wait", 455), newer("futex_requeue", 456)]),
    Family::new(
        "signals",
        "runtimes stop their threads with signals, and shells end their children; Landlock, or the process \
         namespace, keeps signals inside",
        calls! {
            SYS_kill, SYS_tkill, SYS_tgkill, SYS_pidfd_send_signal, SYS_rt_sigaction, SYS_rt_sigprocmask,
            SYS_rt_sigpending, SYS_rt_sigsuspend, SYS_rt_sigtimedwait, SYS_rt_sigqueueinfo,
            SYS_rt_tgsigqueueinfo, SYS_rt_sigreturn, SYS_sigaltstack, SYS_signalfd4, SYS_restart_syscall,
        },
    )
    .older(older! {
        SYS_signalfd, SYS_pause,
    }),
    Family::new(
        "time",
        "bots observe their time limit, and runtimes switch between tasks; timers that send any signal never fire, because \
         with them a bot that is stopped while another one thinks would wake itself, and programs of GHC do not start \
         without",
        calls! {
            SYS_clock_gettime.only(CLOCKS, EINVAL), SYS_clock_getres.only(CLOCKS, EINVAL),
            SYS_clock_nanosleep.only(CLOCKS, EINVAL), SYS_nanosleep, SYS_gettimeofday,
            SYS_setitimer, SYS_getitimer, SYS_timerfd_create, SYS_timerfd_settime, SYS_timerfd_gettime,
            SYS_timer_create.pretended(), SYS_timer_settime.pretended(), SYS_timer_gettime.pretended(),
            SYS_timer_getoverrun.pretended(), SYS_timer_delete.pretended(),
        },
    )
    .older(older! {
        SYS_time, SYS_alarm,
    }),
    Family::new(
        "waiting for input",
        "how runtimes wait for their input",
        calls! {
            SYS_ppoll, SYS_pselect6, SYS_epoll_create1, SYS_epoll_ctl, SYS_epoll_pwait, SYS_epoll_pwait2,
            SYS_eventfd2,
        },
    )
    .older(older! {
        SYS_poll, SYS_select, SYS_epoll_create, SYS_epoll_wait, SYS_eventfd,
    }),
    Family::new(
        "pipes and pairs of sockets",
        "how threads and processes of one bot communicate",
        calls! {
            SYS_pipe2, SYS_splice, SYS_tee, SYS_socketpair.only(CONNECTED, EPERM), SYS_sendto, SYS_recvfrom,
            SYS_recvmsg, SYS_recvmmsg, SYS_shutdown, SYS_getsockname, SYS_getpeername,
            SYS_getsockopt.only(SOCKET_OPTIONS, ENOPROTOOPT), SYS_setsockopt.only(SOCKET_OPTIONS, ENOPROTOOPT),
        },
    )
    .older(older! {
        SYS_pipe,
    }),
    Family::new(
        "connections",
        "only at `namespaced`, where they lead nowhere, because a bot can make no socket but a connected pair",
        calls! {
            SYS_connect.not_at_scoped(EPERM), SYS_bind.not_at_scoped(EPERM), SYS_listen.not_at_scoped(EPERM),
            SYS_accept.not_at_scoped(EPERM), SYS_accept4.not_at_scoped(EPERM),
        },
    ),
    Family::new(
        "scheduling",
        "runtimes ask how many processors there are and set their threads' priorities, and Mono exits if it cannot; \
         a bot that made itself idle or nice would wait on purpose, and one that left its processor would take another \
         bot's",
        calls! {
            SYS_sched_yield, SYS_sched_getaffinity, SYS_sched_getscheduler, SYS_sched_getparam,
            SYS_sched_getattr, SYS_sched_get_priority_max, SYS_sched_get_priority_min, SYS_sched_rr_get_interval,
            SYS_getpriority, SYS_ioprio_get, SYS_getcpu, SYS_sched_setaffinity.server_only(0),
            SYS_sched_setattr.pretended(), SYS_setpriority.pretended(), SYS_ioprio_set.only(OWN_DISK_PRIORITY, EPERM),
            SYS_sched_setscheduler.pretended(), SYS_sched_setparam.pretended(),
        },
    ),
    Family::new(
        "identity and machine",
        "a process may ask for its user and its machine, and become the user that it is, as `make` does for each command: \
         the kernel refuses any other to a process without privileges",
        calls! {
            SYS_getuid, SYS_geteuid, SYS_getgid, SYS_getegid, SYS_getresuid, SYS_getresgid, SYS_getgroups,
            SYS_setuid, SYS_setgid, SYS_setreuid, SYS_setregid, SYS_setresuid, SYS_setresgid, SYS_capget, SYS_capset,
            SYS_uname, SYS_sysinfo, SYS_getrandom,
        },
    ),
];

/// Families that are refused for a special reason. Other refused calls belong to no family.
pub const REFUSED: &[Family] = &[
    Family::new(
        "namespaces and mounts",
        "they change what can be seen, and expose most vulnerabilities of the kernel",
        calls! {
            SYS_unshare.refused(EPERM), SYS_setns.refused(EPERM), SYS_mount.refused(EPERM),
            SYS_umount2.refused(EPERM), SYS_pivot_root.refused(EPERM), SYS_chroot.refused(EPERM),
            SYS_open_tree.refused(EPERM), SYS_move_mount.refused(EPERM), SYS_fsopen.refused(EPERM),
            SYS_fsconfig.refused(EPERM), SYS_fsmount.refused(EPERM), SYS_fspick.refused(EPERM),
            SYS_mount_setattr.refused(EPERM), SYS_open_by_handle_at.refused(EPERM),
            SYS_name_to_handle_at.refused(EPERM).docker_allows(),
        },
    ),
    Family::new(
        "new processes by clone3",
        "its arguments are in memory, which a filter cannot read; libraries fall back to `clone`",
        calls! {
            SYS_clone3.refused(ENOSYS),
        },
    ),
    Family::new(
        "other processes' memory",
        "they read and change memory and descriptors of other processes",
        calls! {
            SYS_ptrace.refused(EPERM).docker_allows(), SYS_process_vm_readv.refused(EPERM).docker_allows(),
            SYS_process_vm_writev.refused(EPERM).docker_allows(), SYS_process_madvise.refused(EPERM),
            SYS_process_mrelease.refused(EPERM).docker_allows(), SYS_kcmp.refused(EPERM),
            SYS_pidfd_getfd.refused(EPERM), SYS_perf_event_open.refused(EPERM),
        },
    ),
    Family::new(
        "watching others",
        "which files are opened, and which parts of them are in memory, would tell one bot what another one does",
        calls! {
            SYS_inotify_init1.server_only(ENOSYS).docker_allows(),
            SYS_inotify_add_watch.server_only(ENOSYS).docker_allows(),
            SYS_inotify_rm_watch.refused(ENOSYS).docker_allows(), SYS_fanotify_init.refused(ENOSYS),
            SYS_fanotify_mark.refused(ENOSYS).docker_allows(), SYS_mincore.refused(ENOSYS).docker_allows(),
        },
    )
    .others(&[newer("cachestat", 451).refused(ENOSYS).docker_allows()])
    .older(older! {
        SYS_inotify_init.refused(ENOSYS).docker_allows(),
    }),
    Family::new(
        "extended attributes",
        "they keep data outside the state file",
        calls! {
            SYS_setxattr.refused(EOPNOTSUPP).docker_allows(), SYS_lsetxattr.refused(EOPNOTSUPP).docker_allows(),
            SYS_fsetxattr.refused(EOPNOTSUPP).docker_allows(), SYS_removexattr.refused(EOPNOTSUPP).docker_allows(),
            SYS_lremovexattr.refused(EOPNOTSUPP).docker_allows(), SYS_fremovexattr.refused(EOPNOTSUPP).docker_allows(),
        },
    )
    .others(&[
        newer("setxattrat", 463).refused(ENOSYS),
        newer("removexattrat", 466).refused(ENOSYS),
        newer("file_setattr", 469).refused(ENOSYS),
    ]),
    Family::new(
        "memory and messages outside processes",
        "they outlive a process, or pass between processes unseen; those of System V and POSIX count for \
         the whole user",
        calls! {
            SYS_shmget.refused(ENOSYS).docker_allows(), SYS_shmat.refused(ENOSYS).docker_allows(),
            SYS_shmctl.refused(ENOSYS).docker_allows(), SYS_shmdt.refused(ENOSYS).docker_allows(),
            SYS_semget.refused(ENOSYS).docker_allows(), SYS_semop.refused(ENOSYS).docker_allows(),
            SYS_semtimedop.refused(ENOSYS).docker_allows(), SYS_semctl.refused(ENOSYS).docker_allows(),
            SYS_msgget.refused(ENOSYS).docker_allows(), SYS_msgsnd.refused(ENOSYS).docker_allows(),
            SYS_msgrcv.refused(ENOSYS).docker_allows(), SYS_msgctl.refused(ENOSYS).docker_allows(),
            SYS_mq_open.refused(ENOSYS).docker_allows(), SYS_mq_unlink.refused(ENOSYS).docker_allows(),
            SYS_mq_timedsend.refused(ENOSYS).docker_allows(), SYS_mq_timedreceive.refused(ENOSYS).docker_allows(),
            SYS_mq_notify.refused(ENOSYS).docker_allows(), SYS_mq_getsetattr.refused(ENOSYS).docker_allows(),
            SYS_add_key.refused(ENOSYS), SYS_request_key.refused(ENOSYS), SYS_keyctl.refused(ENOSYS),
            SYS_memfd_create.refused(ENOSYS).docker_allows(), SYS_memfd_secret.refused(ENOSYS).docker_allows(),
        },
    ),
    Family::new(
        "sockets",
        "a bot has no network; libraries take the refusal for a machine without one. What a socket of a kept network was \
         used for can be read from counters and labels",
        calls! {
            SYS_socket.refused(EAFNOSUPPORT).docker_allows(),
        },
    ),
    Family::new(
        "handles of processes",
        "their numbers count all handles of the machine; libraries take the refusal for an older kernel",
        calls! {
            SYS_pidfd_open.server_only(ENOSYS).docker_allows(),
        },
    ),
    Family::new(
        "sending descriptors",
        "descriptors that were sent and not received count for the whole user, so that no other program of the user \
         could send any",
        calls! {
            SYS_sendmsg.server_only(EPERM).docker_allows(), SYS_sendmmsg.refused(EPERM).docker_allows(),
        },
    ),
    Family::new(
        "large parts of the kernel",
        "few programs need them, all can do without, and they have had many vulnerabilities; the limit of `io_setup` \
         is shared by the whole machine",
        calls! {
            SYS_io_uring_setup.refused(ENOSYS), SYS_io_uring_enter.refused(ENOSYS),
            SYS_io_uring_register.refused(ENOSYS), SYS_io_setup.refused(ENOSYS).docker_allows(),
            SYS_io_destroy.refused(ENOSYS).docker_allows(), SYS_io_submit.refused(ENOSYS).docker_allows(),
            SYS_io_cancel.refused(ENOSYS).docker_allows(), SYS_io_getevents.refused(ENOSYS).docker_allows(),
            SYS_userfaultfd.refused(ENOSYS), SYS_bpf.refused(ENOSYS), SYS_vmsplice.refused(ENOSYS).docker_allows(),
            SYS_remap_file_pages.refused(ENOSYS).docker_allows(), SYS_seccomp.refused(ENOSYS).docker_allows(),
            SYS_landlock_create_ruleset.refused(ENOSYS).docker_allows(),
            SYS_landlock_add_rule.refused(ENOSYS).docker_allows(),
            SYS_landlock_restrict_self.server_only(ENOSYS).docker_allows(),
        },
    )
    .others(&[numbered("io_pgetevents", 333, 292).refused(ENOSYS).docker_allows()])
    .older(older! {
        SYS_modify_ldt.refused(ENOSYS).docker_allows(),
    }),
    Family::new(
        "placement of memory",
        "bots have no use for it; libraries take the refusal for a machine with one memory node",
        calls! {
            SYS_get_mempolicy.refused(ENOSYS), SYS_set_mempolicy.refused(ENOSYS), SYS_mbind.refused(ENOSYS),
            SYS_migrate_pages.refused(ENOSYS), SYS_move_pages.refused(ENOSYS),
        },
    ),
    Family::new(
        "becoming another user",
        "a bot is one user, and has no privileges to become another",
        calls! {
            SYS_setfsuid.refused(EPERM).docker_allows(), SYS_setfsgid.refused(EPERM).docker_allows(),
            SYS_setgroups.refused(EPERM).docker_allows(),
        },
    ),
    Family::new(
        "settings of the machine",
        "the clock, modules, disks and names are the organizer's",
        calls! {
            SYS_settimeofday.refused(EPERM), SYS_clock_settime.refused(EPERM),
            SYS_clock_adjtime.refused(EPERM).docker_allows(), SYS_adjtimex.refused(EPERM).docker_allows(),
            SYS_sethostname.refused(EPERM), SYS_setdomainname.refused(EPERM), SYS_init_module.refused(EPERM),
            SYS_finit_module.refused(EPERM), SYS_delete_module.refused(EPERM), SYS_kexec_load.refused(EPERM),
            SYS_reboot.refused(EPERM), SYS_swapon.refused(EPERM), SYS_swapoff.refused(EPERM),
            SYS_syslog.refused(EPERM), SYS_acct.refused(EPERM), SYS_quotactl.refused(EPERM),
            SYS_vhangup.refused(EPERM),
        },
    )
    .older(older! {
        SYS_iopl.refused(EPERM), SYS_ioperm.refused(EPERM),
    }),
];

/// All families, allowed and refused.
pub(super) fn families() -> impl Iterator<Item = &'static Family> {
    ALLOWED.iter().chain(REFUSED)
}
