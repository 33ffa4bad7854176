//! Small things in words: durations, signals, bytes of a bot's.

use std::time::Duration;

/// A duration for people: `12 ms`, `1.30 s`.
pub fn duration(time: Duration) -> String {
    match time.as_millis() {
        0 => "under 1 ms".to_string(),
        ms @ 1..1000 => format!("{ms} ms"),
        _ => format!("{:.2} s", time.as_secs_f64()),
    }
}

/// Bytes of a bot's as text that no terminal takes for a command.
pub fn escaped(bytes: &[u8]) -> String {
    bytes.escape_ascii().to_string().replace("\\\"", "\"").replace("\\'", "'")
}

/// What a signal is called, and what it mostly means, with a blank before it; nothing for rare ones.
pub fn signal_name(signal: i32) -> &'static str {
    match signal {
        1 => " (HUP)",
        2 => " (INT)",
        3 => " (QUIT)",
        4 => " (ILL: an instruction that does not exist)",
        5 => " (TRAP)",
        6 => " (ABRT: it gave up by itself)",
        7 => " (BUS: memory that is not there)",
        8 => " (FPE: a division by zero)",
        9 => " (KILL)",
        11 => " (SEGV: memory that is not its own)",
        13 => " (PIPE)",
        14 => " (ALRM)",
        15 => " (TERM)",
        24 => " (XCPU)",
        25 => " (XFSZ: a file grew too large)",
        31 => " (SYS: a system call that is not allowed)",
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_leave_nothing_for_a_terminal() {
        assert_eq!(escaped(b"\x1b[31m\xc3\xa9\n\"'\\"), "\\x1b[31m\\xc3\\xa9\\n\"'\\\\");
    }
}
