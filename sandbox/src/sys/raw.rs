//! Makes system calls by number, without touching the C library's `errno`: a new process that still runs in its
//! parent's memory shares `errno` with it.

use rustix::io::Errno;

/// Whether [`call`] leaves `errno` alone on this architecture.
pub(super) const SPARES_ERRNO: bool = cfg!(any(target_arch = "x86_64", target_arch = "aarch64"));

/// Makes the call `number`.
///
/// # Safety
/// As for the call itself: pointers among the arguments must be valid for the call, for as long as it lasts.
///
/// # Errors
/// The system's refusal.
pub(super) unsafe fn call(number: libc::c_long, arguments: [usize; 6]) -> Result<usize, Errno> {
    let [a, b, c, d, e, f] = arguments;
    let answer: isize;
    // SAFETY: the registers are those of the architecture's system calls; the rest is the caller's promise.
    #[cfg(target_arch = "x86_64")]
    unsafe {
        std::arch::asm!(
            "syscall",
            inlateout("rax") number as isize => answer,
            in("rdi") a, in("rsi") b, in("rdx") c, in("r10") d, in("r8") e, in("r9") f,
            lateout("rcx") _, lateout("r11") _,
            options(nostack),
        );
    }
    // SAFETY: as above.
    #[cfg(target_arch = "aarch64")]
    unsafe {
        std::arch::asm!(
            "svc 0",
            in("x8") number,
            inlateout("x0") a => answer,
            in("x1") b, in("x2") c, in("x3") d, in("x4") e, in("x5") f,
            options(nostack),
        );
    }
    // SAFETY: as above.
    #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
    unsafe {
        answer = match libc::syscall(number, a, b, c, d, e, f) as isize {
            -1 => -(*libc::__errno_location() as isize),
            answer => answer,
        };
    }
    match answer {
        -4095..0 => Err(Errno::from_raw_os_error(-answer as i32)),
        answer => Ok(answer as usize),
    }
}
