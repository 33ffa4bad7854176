//! The families of system calls. Calls that belong to no family are refused with "no such system call".

use super::arguments::{
    CLOCKS, CONNECTED, FILE_CONTROLS, ITSELF, MEMORY_ADVICE, NEW_PROCESSES, NO_EMPTYING, NO_EMPTYING_AT, NO_FLAGS,
    OPEN_FOLDER, OPEN_FOLDER_AT, OPEN_MASK, OWN_DISK_PRIORITY, PERSONALITIES, PROCESS_CONTROLS, REQUESTS,
    SOCKET_OPTIONS, constants,
};
use super::rule::{
    ALWAYS, BY_KEEPER_AT_SCOPED, Call, CallRule, Family, SERVER, not_at_scoped, only, only_at_scoped, refused,
};
use libc::{EAFNOSUPPORT, EINVAL, ENOPROTOOPT, ENOSYS, ENOTTY, EOPNOTSUPP, EPERM};

/// Lists families: the name of each and why its calls are allowed or refused, then its calls by their rules.
macro_rules! families {
    ($($name:literal, $reason:literal { $($rules:expr => $($symbol:ident)+;)+ })+) => {
        &[$(Family {
            name: $name,
            reason: $reason,
            calls: &[$($(
                Call { symbol: stringify!($symbol), number: constants::$symbol as u32, rules: $rules }
            ),+),+],
        }),+]
    };
}

/// The rule for calls that belong to no family.
pub(super) const UNKNOWN: CallRule = CallRule::only(&[], libc::ENOSYS);

/// Families that bots need.
pub const ALLOWED: &[Family] = families! {
    "file contents",
    "programs, libraries, input, output and state are files; what one bot can do to a common file that another \
     one notices seems to succeed (locks, and removing it from memory), or is refused (asking what is in memory); \
     at `scoped` not the calls that empty a file by name, because old versions of Landlock have no rules about \
     them" {
        ALWAYS => SYS_read SYS_write SYS_readv SYS_writev SYS_pread64 SYS_pwrite64 SYS_preadv SYS_pwritev SYS_close
            SYS_close_range SYS_lseek SYS_dup SYS_dup3 SYS_ftruncate SYS_fallocate SYS_fsync SYS_fdatasync
            SYS_readahead SYS_copy_file_range SYS_sendfile SYS_sync_file_range SYS_creat SYS_dup2;
        only(NO_FLAGS, EOPNOTSUPP) => SYS_preadv2 SYS_pwritev2;
        only_at_scoped(NO_EMPTYING_AT, EPERM) => SYS_openat;
        not_at_scoped(ENOSYS) => SYS_openat2;
        not_at_scoped(EPERM) => SYS_truncate;
        // `sync` would wait until all files of the machine are written.
        refused(0) => SYS_fadvise64 SYS_flock SYS_sync SYS_syncfs;
        only(FILE_CONTROLS, EPERM) => SYS_fcntl;
        only(REQUESTS, ENOTTY) => SYS_ioctl;
        only_at_scoped(NO_EMPTYING, EPERM) => SYS_open;
    }
    "folders and names",
    "libraries and state files are found by name; modes, owners and times only where the root is the sandbox's \
     own, because Landlock has no rules about them; for builds at `scoped` the keeper checks the file and makes \
     the call" {
        ALWAYS => SYS_getdents64 SYS_getcwd SYS_chdir SYS_fchdir SYS_fstat SYS_newfstatat SYS_statx SYS_statfs
            SYS_fstatfs SYS_faccessat SYS_faccessat2 SYS_readlinkat SYS_renameat2 SYS_unlinkat SYS_linkat
            SYS_symlinkat SYS_mknodat SYS_getxattr SYS_lgetxattr SYS_fgetxattr SYS_listxattr SYS_llistxattr
            SYS_flistxattr SYS_renameat SYS_getdents SYS_stat SYS_lstat SYS_access SYS_readlink SYS_rename
            SYS_rmdir SYS_unlink SYS_link SYS_symlink SYS_mknod;
        only_at_scoped(OPEN_FOLDER_AT, EPERM) => SYS_mkdirat;
        only_at_scoped(OPEN_MASK, EPERM) => SYS_umask;
        BY_KEEPER_AT_SCOPED => SYS_fchmod SYS_fchmodat SYS_fchown SYS_fchownat SYS_utimensat SYS_fchmodat2
            SYS_chmod SYS_chown SYS_lchown;
        only_at_scoped(OPEN_FOLDER, EPERM) => SYS_mkdir;
        not_at_scoped(EPERM) => SYS_utime SYS_utimes SYS_futimesat;
    }
    "memory",
    "allocators, garbage collectors and just-in-time compilers need them; amounts are limited elsewhere" {
        ALWAYS => SYS_brk SYS_mmap SYS_munmap SYS_mprotect SYS_mremap SYS_msync SYS_mlock SYS_mlock2 SYS_munlock
            SYS_mlockall SYS_munlockall SYS_mseal SYS_pkey_alloc SYS_pkey_free SYS_pkey_mprotect
            SYS_map_shadow_stack;
        only(MEMORY_ADVICE, EINVAL) => SYS_madvise;
    }
    "processes",
    "compilers and shells start other programs; at `scoped` all processes stay in the bot's process group, by \
     which they are ended, and `setpgid`, without which `ninja` starts no command, does nothing" {
        only(NEW_PROCESSES, EPERM) => SYS_clone;
        ALWAYS => SYS_execve SYS_execveat SYS_exit SYS_exit_group SYS_wait4 SYS_waitid SYS_getpid SYS_getppid
            SYS_getpgid SYS_getsid SYS_getrusage SYS_times SYS_getrlimit SYS_setrlimit SYS_fork SYS_vfork
            SYS_getpgrp SYS_arch_prctl;
        only_at_scoped(SERVER, 0) => SYS_setpgid;
        not_at_scoped(EPERM) => SYS_setsid;
        only(PROCESS_CONTROLS, EINVAL) => SYS_prctl;
        only(PERSONALITIES, EINVAL) => SYS_personality;
        only(ITSELF, EPERM) => SYS_prlimit64;
    }
    "threads", "runtimes use threads, and locks between them" {
        ALWAYS => SYS_gettid SYS_futex SYS_futex_waitv SYS_set_robust_list SYS_get_robust_list SYS_set_tid_address
            SYS_rseq SYS_membarrier SYS_futex_wake SYS_futex_wait SYS_futex_requeue;
    }
    "signals",
    "runtimes stop their threads with signals, and shells end their children; Landlock, or the process namespace, \
     keeps signals inside" {
        ALWAYS => SYS_kill SYS_tkill SYS_tgkill SYS_pidfd_send_signal SYS_rt_sigaction SYS_rt_sigprocmask
            SYS_rt_sigpending SYS_rt_sigsuspend SYS_rt_sigtimedwait SYS_rt_sigqueueinfo SYS_rt_tgsigqueueinfo
            SYS_rt_sigreturn SYS_sigaltstack SYS_signalfd4 SYS_restart_syscall SYS_signalfd SYS_pause;
    }
    "time",
    "bots observe their time limit, and runtimes switch between tasks; timers that send any signal never fire, \
     because with them a bot that is stopped while another one thinks would wake itself, and programs of GHC do \
     not start without" {
        only(CLOCKS, EINVAL) => SYS_clock_gettime SYS_clock_getres SYS_clock_nanosleep;
        ALWAYS => SYS_nanosleep SYS_gettimeofday SYS_setitimer SYS_getitimer SYS_timerfd_create SYS_timerfd_settime
            SYS_timerfd_gettime SYS_time SYS_alarm;
        refused(0) => SYS_timer_create SYS_timer_settime SYS_timer_gettime SYS_timer_getoverrun SYS_timer_delete;
    }
    "waiting for input", "how runtimes wait for their input" {
        ALWAYS => SYS_ppoll SYS_pselect6 SYS_epoll_create1 SYS_epoll_ctl SYS_epoll_pwait SYS_epoll_pwait2
            SYS_eventfd2 SYS_poll SYS_select SYS_epoll_create SYS_epoll_wait SYS_eventfd;
    }
    "pipes and pairs of sockets", "how threads and processes of one bot communicate" {
        ALWAYS => SYS_pipe2 SYS_splice SYS_tee SYS_sendto SYS_recvfrom SYS_recvmsg SYS_recvmmsg SYS_shutdown
            SYS_getsockname SYS_getpeername SYS_pipe;
        only(CONNECTED, EPERM) => SYS_socketpair;
        only(SOCKET_OPTIONS, ENOPROTOOPT) => SYS_getsockopt SYS_setsockopt;
    }
    "connections",
    "only at `namespaced`, where they lead nowhere, because a bot can make no socket but a connected pair" {
        not_at_scoped(EPERM) => SYS_connect SYS_bind SYS_listen SYS_accept SYS_accept4;
    }
    "scheduling",
    "runtimes ask how many processors there are and set their threads' priorities, and Mono exits if it cannot; a \
     bot that made itself idle or nice would wait on purpose, and one that left its processor would take another \
     bot's" {
        ALWAYS => SYS_sched_yield SYS_sched_getaffinity SYS_sched_getscheduler SYS_sched_getparam SYS_sched_getattr
            SYS_sched_get_priority_max SYS_sched_get_priority_min SYS_sched_rr_get_interval SYS_getpriority
            SYS_ioprio_get SYS_getcpu;
        only(SERVER, 0) => SYS_sched_setaffinity;
        refused(0) => SYS_sched_setattr SYS_setpriority SYS_sched_setscheduler SYS_sched_setparam;
        only(OWN_DISK_PRIORITY, EPERM) => SYS_ioprio_set;
    }
    "identity and machine",
    "a process may ask for its user and its machine, and become the user that it is, as `make` does for each \
     command: the kernel refuses any other to a process without privileges" {
        ALWAYS => SYS_getuid SYS_geteuid SYS_getgid SYS_getegid SYS_getresuid SYS_getresgid SYS_getgroups
            SYS_setuid SYS_setgid SYS_setreuid SYS_setregid SYS_setresuid SYS_setresgid SYS_capget SYS_capset
            SYS_uname SYS_sysinfo SYS_getrandom;
    }
};

/// Families that are refused for a special reason. Other refused calls belong to no family.
pub const REFUSED: &[Family] = families! {
    "namespaces and mounts", "they change what can be seen, and expose most vulnerabilities of the kernel" {
        refused(EPERM) => SYS_unshare SYS_setns SYS_mount SYS_umount2 SYS_pivot_root SYS_chroot SYS_open_tree
            SYS_move_mount SYS_fsopen SYS_fsconfig SYS_fsmount SYS_fspick SYS_mount_setattr SYS_open_by_handle_at
            SYS_name_to_handle_at;
    }
    "new processes by clone3",
    "its arguments are in memory, which a filter cannot read; libraries fall back to `clone`" {
        refused(ENOSYS) => SYS_clone3;
    }
    "other processes' memory", "they read and change memory and descriptors of other processes" {
        refused(EPERM) => SYS_ptrace SYS_process_vm_readv SYS_process_vm_writev SYS_process_madvise
            SYS_process_mrelease SYS_kcmp SYS_pidfd_getfd SYS_perf_event_open;
    }
    "watching others",
    "which files are opened, and which parts of them are in memory, would tell one bot what another one does" {
        only(SERVER, ENOSYS) => SYS_inotify_init1 SYS_inotify_add_watch;
        refused(ENOSYS) => SYS_inotify_rm_watch SYS_fanotify_init SYS_fanotify_mark SYS_mincore SYS_cachestat
            SYS_inotify_init;
    }
    "extended attributes", "they keep data outside the state file" {
        refused(EOPNOTSUPP) => SYS_setxattr SYS_lsetxattr SYS_fsetxattr SYS_removexattr SYS_lremovexattr
            SYS_fremovexattr;
        refused(ENOSYS) => SYS_setxattrat SYS_removexattrat SYS_file_setattr;
    }
    "memory and messages outside processes",
    "they outlive a process, or pass between processes unseen; those of System V and POSIX count for the whole \
     user" {
        refused(ENOSYS) => SYS_shmget SYS_shmat SYS_shmctl SYS_shmdt SYS_semget SYS_semop SYS_semtimedop SYS_semctl
            SYS_msgget SYS_msgsnd SYS_msgrcv SYS_msgctl SYS_mq_open SYS_mq_unlink SYS_mq_timedsend
            SYS_mq_timedreceive SYS_mq_notify SYS_mq_getsetattr SYS_add_key SYS_request_key SYS_keyctl
            SYS_memfd_create SYS_memfd_secret;
    }
    "sockets",
    "a bot has no network; libraries take the refusal for a machine without one. What a socket of a kept network \
     was used for can be read from counters and labels" {
        refused(EAFNOSUPPORT) => SYS_socket;
    }
    "handles of processes",
    "their numbers count all handles of the machine; libraries take the refusal for an older kernel" {
        only(SERVER, ENOSYS) => SYS_pidfd_open;
    }
    "sending descriptors",
    "descriptors that were sent and not received count for the whole user, so that no other program of the user \
     could send any" {
        only(SERVER, EPERM) => SYS_sendmsg;
        refused(EPERM) => SYS_sendmmsg;
    }
    "large parts of the kernel",
    "few programs need them, all can do without, and they have had many vulnerabilities; the limit of `io_setup` \
     is shared by the whole machine" {
        refused(ENOSYS) => SYS_io_uring_setup SYS_io_uring_enter SYS_io_uring_register SYS_io_setup SYS_io_destroy
            SYS_io_submit SYS_io_cancel SYS_io_getevents SYS_userfaultfd SYS_bpf SYS_vmsplice SYS_remap_file_pages
            SYS_seccomp SYS_landlock_create_ruleset SYS_landlock_add_rule;
        only(SERVER, ENOSYS) => SYS_landlock_restrict_self;
        refused(ENOSYS) => SYS_io_pgetevents SYS_modify_ldt;
    }
    "placement of memory",
    "bots have no use for it; libraries take the refusal for a machine with one memory node" {
        refused(ENOSYS) => SYS_get_mempolicy SYS_set_mempolicy SYS_mbind SYS_migrate_pages SYS_move_pages;
    }
    "becoming another user", "a bot is one user, and has no privileges to become another" {
        refused(EPERM) => SYS_setfsuid SYS_setfsgid SYS_setgroups;
    }
    "settings of the machine", "the clock, modules, disks and names are the organizer's" {
        refused(EPERM) => SYS_settimeofday SYS_clock_settime SYS_clock_adjtime SYS_adjtimex SYS_sethostname
            SYS_setdomainname SYS_init_module SYS_finit_module SYS_delete_module SYS_kexec_load SYS_reboot
            SYS_swapon SYS_swapoff SYS_syslog SYS_acct SYS_quotactl SYS_vhangup SYS_iopl SYS_ioperm;
    }
};

/// All families, allowed and refused.
pub(super) fn families() -> impl Iterator<Item = &'static Family> {
    ALLOWED.iter().chain(REFUSED)
}
