//! The filter of system calls: ways to keep, send or change things that no game needs are closed.

use super::{Refused, Step};
use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter, SeccompRule,
    TargetArch,
};
use std::collections::BTreeMap;
use std::io;

/// Refused with "operation not permitted".
const FORBIDDEN: &[i64] = &[
    // Namespaces and mounts.
    libc::SYS_unshare,
    libc::SYS_setns,
    libc::SYS_mount,
    libc::SYS_umount2,
    libc::SYS_pivot_root,
    libc::SYS_chroot,
    libc::SYS_open_tree,
    libc::SYS_move_mount,
    libc::SYS_fsopen,
    libc::SYS_fsconfig,
    libc::SYS_fsmount,
    libc::SYS_fspick,
    libc::SYS_mount_setattr,
    libc::SYS_open_by_handle_at,
    // Other processes' insides.
    libc::SYS_ptrace,
    libc::SYS_process_vm_readv,
    libc::SYS_process_vm_writev,
    libc::SYS_process_madvise,
    libc::SYS_kcmp,
    libc::SYS_pidfd_getfd,
    libc::SYS_perf_event_open,
    libc::SYS_bpf,
    libc::SYS_userfaultfd,
    // Memory and messages that outlive a process or pass between processes unseen.
    libc::SYS_shmget,
    libc::SYS_shmat,
    libc::SYS_shmctl,
    libc::SYS_semget,
    libc::SYS_semop,
    libc::SYS_semctl,
    libc::SYS_msgget,
    libc::SYS_msgsnd,
    libc::SYS_msgrcv,
    libc::SYS_msgctl,
    libc::SYS_mq_open,
    libc::SYS_mq_unlink,
    libc::SYS_add_key,
    libc::SYS_request_key,
    libc::SYS_keyctl,
    libc::SYS_memfd_create,
    libc::SYS_memfd_secret,
    // The machine's own affairs.
    libc::SYS_init_module,
    libc::SYS_finit_module,
    libc::SYS_delete_module,
    libc::SYS_kexec_load,
    libc::SYS_kexec_file_load,
    libc::SYS_reboot,
    libc::SYS_swapon,
    libc::SYS_swapoff,
    libc::SYS_syslog,
    libc::SYS_acct,
    libc::SYS_quotactl,
    libc::SYS_sethostname,
    libc::SYS_setdomainname,
    libc::SYS_settimeofday,
    libc::SYS_clock_settime,
    libc::SYS_clock_adjtime,
    libc::SYS_adjtimex,
    libc::SYS_vhangup,
    libc::SYS_fanotify_init,
];

/// Refused with "no such system call", so that libraries fall back to the older way that can be looked into.
const UNKNOWN: &[i64] =
    &[libc::SYS_clone3, libc::SYS_io_uring_setup, libc::SYS_io_uring_enter, libc::SYS_io_uring_register];

/// What Landlock's rules about files do not cover: their mode, owner, times and marks. Where there is no root of
/// the sandbox's own, any file of the user's could be changed by it. Refused with "operation not permitted".
const ATTRIBUTES: &[i64] = &[
    #[cfg(target_arch = "x86_64")]
    libc::SYS_chmod,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_chown,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_lchown,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_utime,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_utimes,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_futimesat,
    libc::SYS_fchmod,
    libc::SYS_fchmodat,
    libc::SYS_fchmodat2,
    libc::SYS_fchown,
    libc::SYS_fchownat,
    libc::SYS_utimensat,
    libc::SYS_setxattr,
    libc::SYS_lsetxattr,
    libc::SYS_fsetxattr,
    libc::SYS_removexattr,
    libc::SYS_lremovexattr,
    libc::SYS_fremovexattr,
    SYS_SETXATTRAT,
    SYS_REMOVEXATTRAT,
    SYS_FILE_SETATTR,
];

/// Numbers that are the same on every architecture, and newer than the library's list.
const SYS_SETXATTRAT: i64 = 463;
const SYS_REMOVEXATTRAT: i64 = 466;
const SYS_FILE_SETATTR: i64 = 469;

/// Installs the filter for this process and all that it starts. `shares_root`: the machine's own files are in
/// sight.
pub fn install(shares_root: bool) -> Result<(), Refused> {
    for program in programs(shares_root).map_err(io::Error::other).step("write the filter of system calls")? {
        seccompiler::apply_filter(&program)
            .map_err(io::Error::other)
            .step("install the filter of system calls")?;
    }
    Ok(())
}

fn programs(shares_root: bool) -> Result<Vec<BpfProgram>, seccompiler::BackendError> {
    let attributes = if shares_root { ATTRIBUTES } else { &[] };
    let always = |calls: &[i64]| calls.iter().map(|&call| (call, Vec::new())).collect::<BTreeMap<_, _>>();
    let mut forbidden = always(FORBIDDEN);
    forbidden.extend(always(attributes));
    forbidden.extend(conditional(shares_root)?);
    let refuse = |errno: i32| SeccompAction::Errno(errno as u32);
    Ok(vec![
        filter(forbidden, refuse(libc::EPERM))?,
        filter(always(UNKNOWN), refuse(libc::ENOSYS))?,
        // No error at all: Mono sets the priority of each of its threads, by their numbers, and dies if it cannot.
        filter(pretended()?, refuse(0))?,
        #[cfg(target_arch = "x86_64")]
        without_x32(),
    ])
}

type Rules = Vec<(i64, Vec<SeccompRule>)>;

/// Calls that are refused for some of their arguments only.
fn conditional(shares_root: bool) -> Result<Rules, seccompiler::BackendError> {
    let one_of = |argument: u8, values: &[u64]| -> Result<Vec<SeccompRule>, seccompiler::BackendError> {
        values.iter().map(|&value| rule(argument, SeccompCmpOp::Eq, value)).collect()
    };
    let not = |argument: u8, value: u64| rule(argument, SeccompCmpOp::Ne, value);
    let other_than_itself = || -> Result<Vec<SeccompRule>, seccompiler::BackendError> { Ok(vec![not(0, 0)?]) };
    let mut requests = vec![libc::TIOCSTI, TIOCLINUX, FIOSETOWN, SIOCSPGRP];
    if shares_root {
        requests.extend([FS_IOC_SETFLAGS, FS_IOC32_SETFLAGS, FS_IOC_FSSETXATTR]);
    }
    let mut rules = vec![
        (libc::SYS_clone, new_namespaces()?),
        // Typing into a terminal, signals from files, marks on files.
        (libc::SYS_ioctl, one_of(1, &requests)?),
        (libc::SYS_fcntl, one_of(1, &[libc::F_SETOWN as u64, F_SETOWN_EX, F_SETSIG])?),
        // Pairs of connected sockets stay allowed below: runtimes use them inside.
        (libc::SYS_socket, if shares_root { Vec::new() } else { not_internet()? }),
        // A pair of datagram sockets can send to any socket file; type 3 is another name for that.
        (
            libc::SYS_socketpair,
            vec![
                not(0, libc::AF_UNIX as u64)?,
                rule(1, SeccompCmpOp::MaskedEq(0b10), libc::SOCK_DGRAM as u64 & 0b10)?,
            ],
        ),
        // What needs no signal to slow down or cripple another process of the same user, the server for one.
        (libc::SYS_prlimit64, other_than_itself()?),
        (libc::SYS_sched_setaffinity, other_than_itself()?),
        (libc::SYS_sched_setattr, other_than_itself()?),
        (libc::SYS_migrate_pages, other_than_itself()?),
        (libc::SYS_move_pages, other_than_itself()?),
        (libc::SYS_setpriority, vec![not(0, libc::PRIO_PROCESS as u64)?, not(1, 0)?]),
        (libc::SYS_ioprio_set, vec![not(0, IOPRIO_WHO_PROCESS)?, not(1, 0)?]),
    ];
    if shares_root {
        rules.extend(closed_folders()?);
    }
    Ok(rules)
}

/// All families of sockets but the internet's: in a network of the sandbox's own those lead nowhere, and the kernel
/// counts who tries (R8).
fn not_internet() -> Result<Vec<SeccompRule>, seccompiler::BackendError> {
    let not =
        |family: libc::c_int| SeccompCondition::new(0, SeccompCmpArgLen::Dword, SeccompCmpOp::Ne, family as u64);
    Ok(vec![SeccompRule::new(vec![not(libc::AF_INET)?, not(libc::AF_INET6)?])?])
}

/// Calls that seem to succeed and do nothing, unless a process means itself.
fn pretended() -> Result<BTreeMap<i64, Vec<SeccompRule>>, seccompiler::BackendError> {
    let others =
        || -> Result<Vec<SeccompRule>, seccompiler::BackendError> { Ok(vec![rule(0, SeccompCmpOp::Ne, 0)?]) };
    Ok([(libc::SYS_sched_setscheduler, others()?), (libc::SYS_sched_setparam, others()?)].into())
}

/// Folders that their owner cannot use from the start: nobody under this filter, the server for one, could open
/// and remove them.
fn closed_folders() -> Result<Rules, seccompiler::BackendError> {
    let bits = |argument: u8, value: fn(u64) -> u64| -> Result<Vec<SeccompRule>, seccompiler::BackendError> {
        [0o400, 0o200, 0o100]
            .map(|bit| rule(argument, SeccompCmpOp::MaskedEq(bit), value(bit)))
            .into_iter()
            .collect()
    };
    Ok(vec![
        #[cfg(target_arch = "x86_64")]
        (libc::SYS_mkdir, bits(1, |_| 0)?),
        (libc::SYS_mkdirat, bits(2, |_| 0)?),
        (libc::SYS_umask, bits(0, |bit| bit)?),
    ])
}

const TIOCLINUX: u64 = 0x541C;
const FIOSETOWN: u64 = 0x8901;
const SIOCSPGRP: u64 = 0x8902;
const FS_IOC_SETFLAGS: u64 = 0x4008_6602;
const FS_IOC32_SETFLAGS: u64 = 0x4004_6602;
const FS_IOC_FSSETXATTR: u64 = 0x401c_5820;
const F_SETOWN_EX: u64 = 15;
const F_SETSIG: u64 = 10;
const IOPRIO_WHO_PROCESS: u64 = 1;

/// Refuses, with "no such system call", all calls by their numbers in the x32 table, which is open next to the usual
/// one on some kernels. No system builds programs for it any more, and all its numbers are told by one bit.
#[cfg(target_arch = "x86_64")]
fn without_x32() -> BpfProgram {
    use libc::{BPF_ABS, BPF_JMP, BPF_JSET, BPF_K, BPF_LD, BPF_RET, BPF_W};
    const X32: u32 = 0x4000_0000;
    let number = std::mem::offset_of!(libc::seccomp_data, nr) as u32;
    let refused = libc::SECCOMP_RET_ERRNO | libc::ENOSYS as u32;
    let step = |code: u32, jt, jf, k| seccompiler::sock_filter { code: code as u16, jt, jf, k };
    vec![
        step(BPF_LD | BPF_W | BPF_ABS, 0, 0, number),
        step(BPF_JMP | BPF_JSET | BPF_K, 0, 1, X32),
        step(BPF_RET | BPF_K, 0, 0, refused),
        step(BPF_RET | BPF_K, 0, 0, libc::SECCOMP_RET_ALLOW),
    ]
}

/// The lower half of an argument, which is all of it that the kernel looks at in these calls.
fn rule(argument: u8, op: SeccompCmpOp, value: u64) -> Result<SeccompRule, seccompiler::BackendError> {
    SeccompRule::new(vec![SeccompCondition::new(argument, SeccompCmpArgLen::Dword, op, value)?])
}

fn filter(
    rules: BTreeMap<i64, Vec<SeccompRule>>,
    action: SeccompAction,
) -> Result<BpfProgram, seccompiler::BackendError> {
    SeccompFilter::new(rules, SeccompAction::Allow, action, target())?.try_into()
}

fn target() -> TargetArch {
    if cfg!(target_arch = "aarch64") { TargetArch::aarch64 } else { TargetArch::x86_64 }
}

/// `clone` with one of the flags that ask for a namespace.
fn new_namespaces() -> Result<Vec<SeccompRule>, seccompiler::BackendError> {
    const NEW: [i32; 7] = [
        libc::CLONE_NEWUSER,
        libc::CLONE_NEWNS,
        libc::CLONE_NEWPID,
        libc::CLONE_NEWNET,
        libc::CLONE_NEWIPC,
        libc::CLONE_NEWUTS,
        libc::CLONE_NEWCGROUP,
    ];
    let asks_for =
        |flag: u64| SeccompCondition::new(0, SeccompCmpArgLen::Qword, SeccompCmpOp::MaskedEq(flag), flag);
    NEW.iter().map(|&flag| SeccompRule::new(vec![asks_for(flag as u64)?])).collect()
}
