//! Signals by name, and what they mostly mean to the author of a bot.

/// What a signal is called, with a blank before it, such as ` (SIGKILL)`; nothing for rare ones.
pub fn name(signal: i32) -> &'static str {
    match signal {
        libc::SIGHUP => " (SIGHUP)",
        libc::SIGINT => " (SIGINT)",
        libc::SIGQUIT => " (SIGQUIT)",
        libc::SIGILL => " (SIGILL: an instruction that does not exist)",
        libc::SIGTRAP => " (SIGTRAP)",
        libc::SIGABRT => " (SIGABRT: the program gave up itself)",
        libc::SIGBUS => " (SIGBUS: memory that is not there)",
        libc::SIGFPE => " (SIGFPE: such as division by zero)",
        libc::SIGKILL => " (SIGKILL)",
        libc::SIGSEGV => " (SIGSEGV: memory that is not the program's)",
        libc::SIGPIPE => " (SIGPIPE: it wrote where nobody reads)",
        libc::SIGALRM => " (SIGALRM)",
        libc::SIGTERM => " (SIGTERM)",
        libc::SIGXCPU => " (SIGXCPU)",
        libc::SIGXFSZ => " (SIGXFSZ: a file grew too large)",
        libc::SIGSYS => " (SIGSYS: a forbidden system call)",
        _ => "",
    }
}
