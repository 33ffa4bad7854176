//! A bot answers invalid input with a short error, and exits.

use crate::program::{After, PROGRAMS, Run, SAMPLE_START, bot, bot_with_mark, run};
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::process::Stdio;

const REFUSED: i32 = 2;
const CANNOT_WRITE: i32 = 1;

/// Asserts that the bot exited with this status, after one line with the reason.
fn check_declined(done: &Run, status: i32, what: &str) {
    assert_eq!(done.status.code(), Some(status), "{what}: {}: {}", done.status, done.stderr);
    assert!(done.stderr.starts_with("error: ") && done.stderr.ends_with('\n'), "{what}: {}", done.stderr);
    assert_eq!(done.stderr.lines().count(), 1, "{what}: {}", done.stderr);
    assert!(done.stderr.len() < 300, "{what}: {}", done.stderr);
    assert_eq!(done.stdout, b"", "{what}");
}

#[test]
fn input_that_is_not_an_arena_is_refused() {
    let crlf = String::from_utf8(SAMPLE_START.to_vec()).unwrap().replace('\n', "\r\n").into_bytes();
    let inputs = [
        ("nothing", Vec::new()),
        ("a line feed", b"\n".to_vec()),
        ("one byte less", SAMPLE_START[..527].to_vec()),
        ("half an arena", SAMPLE_START[..264].to_vec()),
        ("carriage returns", crlf),
        ("a byte order mark", [b"\xef\xbb\xbf", SAMPLE_START].concat()),
        ("a leading line feed", [b"\n", SAMPLE_START].concat()),
        ("NULs", vec![0; 528]),
        ("line feeds", vec![b'\n'; 528]),
        ("something long", b"spam ".repeat(100_000)),
    ];
    for (binary, _) in PROGRAMS {
        for (what, input) in &inputs {
            let done = run(bot_with_mark(binary, b'A'), input, After::Closed);
            check_declined(&done, REFUSED, &format!("{binary}, {what}"));
        }
    }
}

#[test]
fn an_argument_that_is_not_a_mark_is_refused() {
    let long = [b'A'; 100_000];
    let arguments: [&[u8]; 8] = [b"", b"AB", b"-", b"o", b"\n", b"\xff", "é".as_bytes(), &long];
    for (binary, _) in PROGRAMS {
        check_declined(&run(bot(binary), SAMPLE_START, After::Closed), REFUSED, "no argument");
        for argument in arguments {
            let mut command = bot(binary);
            command.arg(OsStr::from_bytes(argument));
            let what = format!("{binary}, {}", argument[..argument.len().min(9)].escape_ascii());
            check_declined(&run(command, SAMPLE_START, After::LeftOpen), REFUSED, &what);
        }
    }
}

#[test]
fn bots_do_not_wait_for_input_after_the_arena() {
    let state = crate::program::StateFile::for_mark(b'=');
    for (binary, _) in PROGRAMS {
        for tail in [b"".as_slice(), b"\0", b"more and more", SAMPLE_START] {
            state.remove();
            let input = [SAMPLE_START, tail].concat();
            let done = run(bot_with_mark(binary, b'='), &input, After::LeftOpen);
            assert!(done.status.success(), "{binary}: {}", done.stderr);
            assert_eq!(done.stdout.len(), 528, "{binary}");
        }
    }
}

#[test]
fn a_closed_output_is_an_error_rather_than_a_signal() {
    let _state = crate::program::StateFile::for_mark(b'@');
    for (binary, _) in PROGRAMS {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let mut command = bot_with_mark(binary, b'@');
        command.stdout(Stdio::from(writer));
        check_declined(&run(command, SAMPLE_START, After::Closed), CANNOT_WRITE, binary);
    }
}
