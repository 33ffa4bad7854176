//! Text for people: counts, durations, sizes, signals, hashes, words of a shell, and text from strangers.
//!
//! What comes from strangers (a bot's name, its standard error, a file name) is made safe to print. Terminals obey
//! control characters, including C1 ones such as U+009B, and both terminals and browsers reverse text at bidirectional
//! controls such as U+202E. These are escaped. In what is known to be text, letters of all languages stay as they are.

use sha2::{Digest, Sha256};
use std::error::Error;
use std::ffi::OsStr;
use std::fmt::{Display, Write};
use std::os::unix::ffi::OsStrExt;
use std::time::Duration;

/// Why something is not possible, in words for people. It is for errors that are only shown: an error with a source, or
/// one that code distinguishes from others, has a type of its own.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, serde::Serialize, serde::Deserialize)]
#[error("{0}")]
pub struct Reason(pub String);

impl From<String> for Reason {
    fn from(words: String) -> Reason {
        Reason(words)
    }
}

impl From<&str> for Reason {
    fn from(words: &str) -> Reason {
        Reason(words.to_string())
    }
}

/// A number with its noun: `1 mark`, `2 marks`, `3 processes`, `4 matches`.
pub fn count<N: Copy + Display + PartialEq + From<u8>>(number: N, noun: &str) -> String {
    format!("{number} {}", plural(number, noun))
}

/// The form of `noun` after a number.
pub fn plural<N: PartialEq + From<u8>>(number: N, noun: &str) -> String {
    if number == N::from(1) {
        noun.to_string()
    } else if ["s", "x", "z", "ch", "sh"].iter().any(|end| noun.ends_with(end)) {
        format!("{noun}es")
    } else if let Some(stem) = noun.strip_suffix('y').filter(|stem| !stem.ends_with(['a', 'e', 'o', 'u'])) {
        format!("{stem}ies")
    } else {
        format!("{noun}s")
    }
}

/// A number with commas between thousands.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let parts: Vec<&str> =
        digits.as_bytes().rchunks(3).rev().map(|part| str::from_utf8(part).unwrap_or("")).collect();
    parts.join(",")
}

/// A measured time: `0`, `7 µs`, `1.8 ms`, `120 ms`, `1.25 s`.
pub fn duration(time: Duration) -> String {
    let ms = time.as_secs_f64() * 1e3;
    match ms {
        _ if time.is_zero() => "0".to_string(),
        ms if ms < 1.0 => format!("{} µs", time.as_micros()),
        ms if ms < 10.0 => format!("{ms:.1} ms"),
        ms if ms < 1000.0 => format!("{ms:.0} ms"),
        ms => format!("{:.2} s", ms / 1e3),
    }
}

/// An estimated time: `40 s`, `3 min`, `2 h 10 min`.
pub fn rounded_duration(time: Duration) -> String {
    let seconds = time.as_secs_f64();
    match seconds {
        s if s < 1.0 => "a second".to_string(),
        s if s < 10.0 => format!("{s:.0} s"),
        s if s < 100.0 => format!("{:.0} s", (s / 5.0).round() * 5.0),
        s if s < 6000.0 => format!("{:.0} min", s / 60.0),
        s => format!("{:.0} h {:.0} min", (s / 3600.0).floor(), (s % 3600.0 / 600.0).floor() * 10.0),
    }
}

/// A size in bytes, rounded up: `3 KiB`, `512 MiB`.
pub fn size(bytes: u64) -> String {
    match bytes {
        small if small < 1 << 20 => format!("{} KiB", small.div_ceil(1 << 10)),
        large => format!("{} MiB", large.div_ceil(1 << 20)),
    }
}

/// The name of a signal, to be put behind its number: ` (SIGKILL)`, ` (SIGFPE: …)` with the usual cause. Empty for
/// rare signals.
pub fn signal_name(signal: i32) -> &'static str {
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

/// The message of an error, followed by those of its sources.
pub fn with_sources(error: &dyn Error) -> String {
    let mut words = error.to_string();
    let mut next = error.source();
    while let Some(source) = next {
        words += &format!(": {source}");
        next = source.source();
    }
    words
}

/// Two hexadecimal digits a byte.
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The bytes that [`hex`] wrote as `digits`, in capitals or not; `None` if these are not pairs of hexadecimal digits.
pub fn from_hex(digits: &str) -> Option<Vec<u8>> {
    let pair = |pair: &[u8]| match pair {
        [high, low] => Some((char::from(*high).to_digit(16)? << 4 | char::from(*low).to_digit(16)?) as u8),
        _ => None,
    };
    digits.as_bytes().chunks(2).map(pair).collect()
}

/// The SHA-256 of some bytes, as 64 hexadecimal digits.
pub fn sha256(bytes: impl AsRef<[u8]>) -> String {
    hex(&Sha256::digest(bytes))
}

/// `word` as it is pasted into a shell, in quotes where it needs them. Control characters become escapes, so that the
/// terminal does not obey them.
pub fn quoted(word: &OsStr) -> String {
    let bytes = word.as_bytes();
    let plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"/._-+=:,@%".contains(byte);
    if !bytes.is_empty() && bytes.iter().all(plain) {
        return String::from_utf8_lossy(bytes).into_owned();
    }
    match word.to_str() {
        Some(text) if !text.chars().any(alters_display) => format!("'{}'", text.replace('\'', "'\\''")),
        _ => format!("$'{}'", escaped(bytes).replace('\'', "\\'")),
    }
}

/// Bytes from a program, escaped so that a terminal does not obey them. What is not ASCII is escaped as well.
pub fn escaped(bytes: &[u8]) -> String {
    bytes.escape_ascii().to_string().replace("\\\"", "\"").replace("\\'", "'")
}

/// Whether a character is a control character, or one of the invisible ones that can change how the text around them is
/// displayed.
pub fn alters_display(c: char) -> bool {
    c.is_control()
        || matches!(
            c,
            '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}'
        )
}

/// `text` with every character that a terminal or a browser would act on escaped: `\n`, `\u{202e}`.
pub fn plain(text: impl Display) -> String {
    let text = text.to_string();
    let mut plain = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\t' | '\n' | '\r' => plain.extend(c.escape_default()),
            c if alters_display(c) => plain.extend(c.escape_unicode()),
            c => plain.push(c),
        }
    }
    plain
}

/// Like [`plain`], but line feeds stay, and carriage returns at the ends of lines are removed.
pub fn plain_lines(text: impl Display) -> String {
    let text = text.to_string();
    let lines = text.split('\n').map(|line| plain(line.trim_end_matches('\r')));
    lines.collect::<Vec<_>>().join("\n")
}

/// `json` with every character in its strings that [alters the display](alters_display) escaped, as in `\u202e`. It
/// parses to the same value.
pub fn plain_json(json: impl Display) -> String {
    let json = json.to_string();
    // Usually there is nothing to escape, which is quicker to find out byte by byte.
    if json.bytes().all(|byte| byte.is_ascii() && byte != 0x7f) {
        return json;
    }
    let mut plain = String::with_capacity(json.len());
    for c in json.chars() {
        match c {
            // Control characters below U+0020 are escaped in strings already: here they are white space between values.
            c if alters_display(c) && c >= ' ' => {
                write!(plain, "\\u{:04x}", u32::from(c)).expect("writing to a string cannot fail");
            }
            c => plain.push(c),
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One of each kind: C0, DEL, C1, bidirectional controls and invisible characters.
    const ALTERING: &str = "\x1b\x7f\u{80}\u{9b}\u{9f}\u{61c}\u{200b}\u{200e}\u{200f}\u{2028}\u{202a}\u{202e}\u{2066}\u{2069}\u{feff}";

    #[test]
    fn numbers_have_their_nouns() {
        assert_eq!(
            [count(1, "mark"), count(0u64, "process"), count(3usize, "match")],
            ["1 mark", "0 processes", "3 matches"]
        );
        assert_eq!([1, 999, 1000, 1_234_567].map(grouped), ["1", "999", "1,000", "1,234,567"]);
        assert_eq!([1, 1 << 20, 513 << 20].map(size), ["1 KiB", "1 MiB", "513 MiB"]);
    }

    #[test]
    fn durations_have_a_unit_in_which_they_are_not_nothing() {
        let check = |micros: u64, wanted: &str| assert_eq!(duration(Duration::from_micros(micros)), wanted);
        check(0, "0");
        check(7, "7 µs");
        check(999, "999 µs");
        check(1000, "1.0 ms");
        check(9949, "9.9 ms");
        check(120_400, "120 ms");
        check(1_254_000, "1.25 s");
    }

    #[test]
    fn estimated_times_are_rounded() {
        for (seconds, wanted) in
            [(0.2, "a second"), (7.4, "7 s"), (43.0, "45 s"), (400.0, "7 min"), (9000.0, "2 h 30 min")]
        {
            assert_eq!(rounded_duration(Duration::from_secs_f64(seconds)), wanted);
        }
    }

    #[test]
    fn words_are_quoted_for_the_shell() {
        let check = |word: &[u8], wanted: &str| assert_eq!(quoted(OsStr::from_bytes(word)), wanted);
        check(b"/home/me/bot-1.py", "/home/me/bot-1.py");
        check(b"*", "'*'");
        check(b"it's", "'it'\\''s'");
        check(b"", "''");
        check("/home/jörg/bot".as_bytes(), "'/home/jörg/bot'");
        check("a\u{202e}b".as_bytes(), "$'a\\xe2\\x80\\xaeb'");
        check(b"\x1b[31m", "$'\\x1b[31m'");
    }

    #[test]
    fn escapes_leave_nothing_for_a_terminal() {
        assert_eq!(escaped(b"\x1b[31m\xc3\xa9\n\"'\\"), "\\x1b[31m\\xc3\\xa9\\n\"'\\\\");
    }

    #[test]
    fn control_characters_are_escaped_and_letters_stay() {
        let check = |text: &str, wanted: &str| assert_eq!(plain(text), wanted);
        check("Jäb \"\x1b[31m\n", "Jäb \"\\u{1b}[31m\\n");
        check("gull\u{202e}nret\u{9b}", "gull\\u{202e}nret\\u{9b}");
        check("שלום 日本 e\u{301}", "שלום 日本 e\u{301}");
        assert!(!plain(ALTERING).chars().any(alters_display));
        assert_eq!(plain_lines("a\r\nb\u{9b}\n"), "a\nb\\u{9b}\n");
    }

    #[test]
    fn json_keeps_its_value() {
        let quoted = format!("[\"a\\n{}\", 1]\n", ALTERING.replace('\x1b', "\\u001b"));
        let printed = plain_json(&quoted);
        assert!(!printed.trim_end().chars().any(alters_display), "{printed}");
        assert!(printed.starts_with("[\"a\\n\\u001b\\u007f\\u0080\\u009b"), "{printed}");
    }
}
