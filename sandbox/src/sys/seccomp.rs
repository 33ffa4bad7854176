//! Installs filters of system calls, and makes the server's own calls with a pass that bots do not have.

use super::raw_call;
use rustix::fs::inotify::WatchFlags;
use rustix::io::Errno;
use rustix::rand::{GetRandomFlags, getrandom};
use rustix::thread::CpuSet;
use std::ffi::CStr;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, FromRawFd, OwnedFd};

/// A random word that the server puts into the sixth argument of a call. The kernel ignores it because these calls have
/// fewer arguments, but the filter sees it. Bots are under the same filter but cannot learn the word: they start with
/// clean registers and cannot read the server's memory.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Pass(u64);

impl Pass {
    /// Draws a new pass.
    pub(crate) fn random() -> Result<Pass, Errno> {
        let mut word = [0; size_of::<u64>()];
        let written = getrandom(&mut word, GetRandomFlags::empty())?;
        if written == word.len() { Ok(Pass(u64::from_ne_bytes(word))) } else { Err(Errno::AGAIN) }
    }

    /// The word that the filter compares with.
    pub(crate) fn word(self) -> u64 {
        self.0
    }

    /// Makes this process the leader of a new process group. Works while it still runs in its parent's memory.
    pub(crate) fn lead_group(self) -> Result<(), Errno> {
        // SAFETY: the call takes two numbers.
        unsafe { self.call(libc::SYS_setpgid, [0; 4]) }.map(drop)
    }

    /// Puts this process under Landlock's `rules`. Works while it still runs in its parent's memory.
    pub(crate) fn restrict_self(self, rules: &OwnedFd) -> Result<(), Errno> {
        // SAFETY: the call takes a descriptor, which is open, and a number.
        unsafe { self.call(libc::SYS_landlock_restrict_self, [rules.as_raw_fd() as usize, 0, 0, 0]) }.map(drop)
    }

    /// Like [`rustix::fs::inotify::init`], with a descriptor that never blocks and is closed on exec.
    pub(crate) fn watch_files(self) -> Result<OwnedFd, Errno> {
        let flags = libc::IN_CLOEXEC | libc::IN_NONBLOCK;
        // SAFETY: the call takes a number.
        let fd = unsafe { self.call(libc::SYS_inotify_init1, [flags as usize, 0, 0, 0]) }?;
        // SAFETY: the call gave a new descriptor, which nothing else owns.
        Ok(unsafe { OwnedFd::from_raw_fd(fd as i32) })
    }

    /// Like [`rustix::fs::inotify::add_watch`].
    pub(crate) fn watch_file(self, watch: impl AsFd, path: &CStr, what: WatchFlags) -> Result<i32, Errno> {
        let arguments = [watch.as_fd().as_raw_fd() as usize, path.as_ptr() as usize, what.bits() as usize, 0];
        // SAFETY: the call takes a descriptor, which is open, a string that ends with zero and lives on, and a number.
        let watched = unsafe { self.call(libc::SYS_inotify_add_watch, arguments) }?;
        Ok(watched as i32)
    }

    /// Restricts this process, and all that it will start, to the processors with these numbers.
    pub(crate) fn use_processors(self, processors: &[u16]) -> Result<(), Errno> {
        let mut set = CpuSet::new();
        for &processor in processors {
            set.set(processor.into());
        }
        let arguments = [0, size_of_val(&set), (&raw const set) as usize, 0];
        // SAFETY: the call takes the number 0 for this process, and the size and the address of a live local.
        unsafe { self.call(libc::SYS_sched_setaffinity, arguments) }.map(drop)
    }

    /// Makes a handle that becomes readable when the process ends. A process under the filter needs its pass for that.
    pub(crate) fn open_process(self, pid: i32) -> Result<OwnedFd, Errno> {
        // SAFETY: the call takes two numbers.
        let fd = unsafe { self.call(libc::SYS_pidfd_open, [pid as usize, 0, 0, 0]) }?;
        // SAFETY: the call gave a new descriptor, which nothing else owns.
        Ok(unsafe { OwnedFd::from_raw_fd(fd as i32) })
    }

    /// Sends descriptors through `socket`, along with a zero byte.
    pub(crate) fn send_descriptors<const N: usize>(
        self,
        socket: BorrowedFd,
        descriptors: [BorrowedFd; N],
    ) -> Result<(), Errno> {
        /// A control message with descriptors, in the kernel's format.
        #[repr(C)]
        struct DescriptorsMessage<const N: usize> {
            header: libc::cmsghdr,
            descriptors: [i32; N],
        }
        // SAFETY: both structures consist of numbers and pointers, which may be zero.
        let (mut rights, mut message) = unsafe { std::mem::zeroed::<(DescriptorsMessage<N>, libc::msghdr)>() };
        // Without the padding at the end of the structure.
        rights.header.cmsg_len = (size_of::<libc::cmsghdr>() + size_of_val(&rights.descriptors)) as _;
        rights.header.cmsg_level = libc::SOL_SOCKET;
        rights.header.cmsg_type = libc::SCM_RIGHTS;
        rights.descriptors = descriptors.map(|one| one.as_raw_fd());
        let mut byte = 0u8;
        let mut content = libc::iovec { iov_base: (&raw mut byte).cast(), iov_len: 1 };
        message.msg_iov = &raw mut content;
        message.msg_iovlen = 1;
        message.msg_control = (&raw mut rights).cast();
        message.msg_controllen = size_of_val(&rights) as _;
        let arguments =
            [socket.as_raw_fd() as usize, (&raw const message) as usize, libc::MSG_NOSIGNAL as usize, 0];
        // SAFETY: the call takes a descriptor, which is open, a structure that points to live locals of the given
        // sizes, and a number.
        unsafe { self.call(libc::SYS_sendmsg, arguments) }.map(drop)
    }

    /// Makes a call of at most four arguments, with the pass.
    ///
    /// # Safety
    /// As for [`raw_call`].
    pub(super) unsafe fn call(self, number: libc::c_long, arguments: [usize; 4]) -> Result<usize, Errno> {
        let [a, b, c, d] = arguments;
        // SAFETY: the caller guarantees the call's own arguments; the call does not use the last one.
        unsafe { raw_call(number, [a, b, c, d, 0, self.0 as usize]) }
    }
}

/// One instruction of a filter, in the kernel's format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Instruction {
    pub code: u16,
    /// How many instructions to skip if a comparison is true.
    pub if_true: u8,
    /// How many instructions to skip if it is false.
    pub if_false: u8,
    /// The operation's operand: an offset, a value or an answer.
    pub operand: u32,
}

/// Permanently puts this process, which has one thread, and all processes that it will start under `program`. It must
/// have given up new privileges.
pub(crate) fn filter(program: &[Instruction]) -> Result<(), Errno> {
    install(program, 0).map(drop)
}

/// Like [`filter`], but returns the listener that receives the notifications of `program`. A call with a notification
/// waits for the reply; once the notification was received, only a signal that kills the caller ends the wait.
///
/// # Errors
/// The system's refusal, for instance when this process is already under a program with a listener.
pub(crate) fn filter_with_listener(program: &[Instruction]) -> Result<OwnedFd, Errno> {
    let flags = libc::SECCOMP_FILTER_FLAG_NEW_LISTENER | libc::SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV;
    let fd = install(program, flags as usize)?;
    // SAFETY: with these flags the call gives a new descriptor, which nothing else owns.
    Ok(unsafe { OwnedFd::from_raw_fd(fd as i32) })
}

fn install(program: &[Instruction], flags: usize) -> Result<usize, Errno> {
    let instruction = |one: &Instruction| libc::sock_filter {
        code: one.code,
        jt: one.if_true,
        jf: one.if_false,
        k: one.operand,
    };
    let mut program: Vec<libc::sock_filter> = program.iter().map(instruction).collect();
    let len = program.len().try_into().map_err(|_| Errno::TOOBIG)?;
    let program = libc::sock_fprog { len, filter: program.as_mut_ptr() };
    // SAFETY: the structure is a live local and points to as many instructions as it says, which live on; the kernel
    // copies and examines them.
    unsafe {
        raw_call(
            libc::SYS_seccomp,
            [libc::SECCOMP_SET_MODE_FILTER as usize, flags, (&raw const program) as usize, 0, 0, 0],
        )
    }
}
