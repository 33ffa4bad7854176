//! Names of the signals that end bots, with their usual cause.

/// The name of a signal, to be put behind its number: ` (SIGKILL)`, ` (SIGFPE: …)` with the usual cause. Empty for
/// rare signals.
pub fn name(signal: i32) -> &'static str {
    match signal {
        libc::SIGHUP => " (SIGHUP)",
        libc::SIGINT => " (SIGINT)",
        libc::SIGQUIT => " (SIGQUIT)",
        libc::SIGILL => " (SIGILL: illegal instruction)",
        libc::SIGTRAP => " (SIGTRAP)",
        libc::SIGABRT => " (SIGABRT: the program aborted itself)",
        libc::SIGBUS => " (SIGBUS: access to memory that does not exist)",
        libc::SIGFPE => " (SIGFPE: arithmetic error such as division by zero)",
        libc::SIGKILL => " (SIGKILL)",
        libc::SIGSEGV => " (SIGSEGV: invalid memory access)",
        libc::SIGPIPE => " (SIGPIPE: it wrote to a closed pipe)",
        libc::SIGALRM => " (SIGALRM)",
        libc::SIGTERM => " (SIGTERM)",
        libc::SIGXCPU => " (SIGXCPU)",
        libc::SIGXFSZ => " (SIGXFSZ: a file grew too large)",
        libc::SIGSYS => " (SIGSYS: a forbidden system call)",
        _ => "",
    }
}
