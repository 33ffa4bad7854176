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
    // The network, in all its families. Pairs of connected sockets stay allowed: runtimes use them inside.
    libc::SYS_socket,
];

/// Refused with "no such system call", so that libraries fall back to the older way that can be looked into.
const UNKNOWN: &[i64] =
    &[libc::SYS_clone3, libc::SYS_io_uring_setup, libc::SYS_io_uring_enter, libc::SYS_io_uring_register];

/// Installs the filter for this process and all that it starts.
pub fn install() -> Result<(), Refused> {
    for program in programs().map_err(io::Error::other).step("write the filter of system calls")? {
        seccompiler::apply_filter(&program)
            .map_err(io::Error::other)
            .step("install the filter of system calls")?;
    }
    Ok(())
}

fn programs() -> Result<Vec<BpfProgram>, seccompiler::BackendError> {
    let forbidden = FORBIDDEN.iter().map(|&call| (call, Vec::new())).chain([
        (libc::SYS_clone, new_namespaces()?),
        (libc::SYS_ioctl, vec![typing_for_others(libc::TIOCSTI)?, typing_for_others(TIOCLINUX)?]),
        (
            libc::SYS_fcntl,
            vec![signals_by_file(libc::F_SETOWN)?, signals_by_file(F_SETOWN_EX)?, signals_by_file(F_SETSIG)?],
        ),
    ]);
    let unknown = UNKNOWN.iter().map(|&call| (call, Vec::new()));
    let refuse = |errno: i32| SeccompAction::Errno(errno as u32);
    Ok(vec![filter(forbidden.collect(), refuse(libc::EPERM))?, filter(unknown.collect(), refuse(libc::ENOSYS))?])
}

const TIOCLINUX: libc::c_ulong = 0x541C;
const F_SETOWN_EX: i32 = 15;
const F_SETSIG: i32 = 10;

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

/// An `ioctl` that puts characters into a terminal's input.
fn typing_for_others(request: libc::c_ulong) -> Result<SeccompRule, seccompiler::BackendError> {
    SeccompRule::new(vec![SeccompCondition::new(1, SeccompCmpArgLen::Dword, SeccompCmpOp::Eq, request)?])
}

/// An `fcntl` that has the kernel send signals to a process of choice.
fn signals_by_file(command: i32) -> Result<SeccompRule, seccompiler::BackendError> {
    SeccompRule::new(vec![SeccompCondition::new(1, SeccompCmpArgLen::Dword, SeccompCmpOp::Eq, command as u64)?])
}
