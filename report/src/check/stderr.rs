//! The part of a bot's standard error that a report shows: the lines that most likely name the cause.
//!
//! The cause is at the end of a Python traceback and of most messages, at the beginning of a sanitizer's report, and
//! above the frames of a stack trace of Java or JavaScript.

use crate::plain;
use crate::style::wrapped;

/// How many lines are shown at most, before they are wrapped.
const LINES: usize = 8;

/// How many frames of a stack trace are shown at most, where they follow the cause.
const FRAMES: usize = 2;

/// How many lines of a sanitizer's report are shown at most, besides its summary.
const SANITIZER_LINES: usize = 5;

/// How many characters of a line are shown at most: half from its beginning and half from its end.
const LINE: usize = 1200;

/// The lines of `stderr` that show the cause of a failure, wrapped at `width` characters.
pub fn cause(stderr: &[u8], width: usize) -> Vec<String> {
    let text = String::from_utf8_lossy(stderr);
    // Leaves out empty lines, and those with which Python underlines a part of the line above.
    let says_something = |line: &&str| !line.chars().all(|c| " \t~^".contains(c));
    let lines: Vec<&str> = text.lines().filter(says_something).collect();
    let chosen = sanitizer_report(&lines).unwrap_or_else(|| {
        let all = without_frames(&lines);
        all[all.len().saturating_sub(LINES)..].to_vec()
    });
    chosen.iter().flat_map(|line| broken(&middle_cut(&plain(line)), width)).collect()
}

/// The first lines of the report of a sanitizer, and its summary; `None` without such a report.
fn sanitizer_report<'a>(lines: &[&'a str]) -> Option<Vec<&'a str>> {
    let is_start = |line: &&str| {
        line.contains("Sanitizer") && ["ERROR: ", "WARNING: "].iter().any(|word| line.contains(word))
    };
    let start = lines.iter().position(is_start)?;
    let summary = lines[start..].iter().position(|line| line.starts_with("SUMMARY: ")).map(|at| start + at);
    let end = summary.unwrap_or(lines.len()).min(start + SANITIZER_LINES);
    Some(lines[start..end].iter().copied().chain(summary.map(|at| lines[at])).collect())
}

/// `lines`, with only the first frames of each stack trace of Java or JavaScript.
fn without_frames<'a>(lines: &[&'a str]) -> Vec<&'a str> {
    let is_frame = |line: &str| line.starts_with([' ', '\t']) && line.trim_start().starts_with("at ");
    let mut frames = 0;
    let keeps = |line: &&&str| {
        frames = if is_frame(line) { frames + 1 } else { 0 };
        frames <= FRAMES
    };
    lines.iter().filter(keeps).copied().collect()
}

/// `line` without its middle, if it is too long.
fn middle_cut(line: &str) -> String {
    let characters: Vec<char> = line.chars().collect();
    if characters.len() <= LINE {
        return line.to_string();
    }
    let start: String = characters[..LINE / 2].iter().collect();
    let end: String = characters[characters.len() - LINE / 2..].iter().collect();
    format!("{start} … {end}")
}

/// `line` in lines of at most `width` characters: wrapped at blanks, and within words that are longer. All of them are
/// indented like `line`, but by half of `width` at most.
fn broken(line: &str, width: usize) -> Vec<String> {
    let text = line.trim_start_matches(' ');
    let indent = (line.len() - text.len()).min(width / 2);
    let mut all = Vec::new();
    for part in wrapped(text, width - indent) {
        let characters: Vec<char> = part.chars().collect();
        for fitting in characters.chunks(width - indent) {
            all.push(format!("{:indent$}{}", "", fitting.iter().collect::<String>()));
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(stderr: &str, width: usize, wanted: &[&str]) {
        assert_eq!(cause(stderr.as_bytes(), width), wanted);
    }

    #[test]
    fn the_end_of_a_traceback_is_wrapped() {
        let frames = "  File \"bot.py\", line 1, in move\n    move()\n".repeat(20);
        let traceback =
            format!("Traceback (most recent call last):\n{frames}KeyError: 'no such square as this'\n");
        let shown = cause(traceback.as_bytes(), 24);
        assert_eq!(shown[shown.len() - 2..], ["KeyError: 'no such", "square as this'"]);
    }

    #[test]
    fn a_sanitizer_is_quoted_from_its_first_line() {
        let shadow = "  0x0c047fff8000: fa fa fd fd\n".repeat(30);
        check(
            &format!(
                "hello\n=====\n==1==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x6\nREAD of size 1\n    \
                 #0 0x55 in main bot.c:7\n    #1 0x7f in start\n    #2 0x7f in more\n    #3 0x7f in most\nSUMMARY: \
                 AddressSanitizer: heap-buffer-overflow bot.c:7 in main\n{shadow}==1==ABORTING\n"
            ),
            80,
            &[
                "==1==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x6",
                "READ of size 1",
                "    #0 0x55 in main bot.c:7",
                "    #1 0x7f in start",
                "    #2 0x7f in more",
                "SUMMARY: AddressSanitizer: heap-buffer-overflow bot.c:7 in main",
            ],
        );
    }

    #[test]
    fn the_cause_above_frames_is_shown() {
        let frames = "\tat Bot.move(Bot.java:7)\n".repeat(40);
        check(
            &format!("Exception in thread \"main\" java.lang.Error: oh\n{frames}"),
            80,
            &[
                "Exception in thread \"main\" java.lang.Error: oh",
                "\\tat Bot.move(Bot.java:7)",
                "\\tat Bot.move(Bot.java:7)",
            ],
        );
    }

    #[test]
    fn a_word_longer_than_the_width_is_broken() {
        check("abcdefghij", 4, &["abcd", "efgh", "ij"]);
        check("", 4, &[]);
    }
}
