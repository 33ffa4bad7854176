//! Durations and bytes as text for people.

use std::time::Duration;

/// A duration, such as `12 ms` or `1.30 s`.
pub(crate) fn duration(time: Duration) -> String {
    match time.as_millis() {
        0 => "under 1 ms".to_string(),
        ms @ 1..1000 => format!("{ms} ms"),
        _ => format!("{:.2} s", time.as_secs_f64()),
    }
}

/// Bytes from a bot, escaped so that a terminal does not obey them.
pub(crate) fn escaped(bytes: &[u8]) -> String {
    bytes.escape_ascii().to_string().replace("\\\"", "\"").replace("\\'", "'")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_leave_nothing_for_a_terminal() {
        assert_eq!(escaped(b"\x1b[31m\xc3\xa9\n\"'\\"), "\\x1b[31m\\xc3\\xa9\\n\"'\\\\");
    }
}
