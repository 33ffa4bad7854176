//! What programs of all games share: reading and writing lines, and reporting why they stopped.

use std::fmt::Display;
use std::io::{self, BufRead, Read, Write};
use std::process::ExitCode;

/// The most bytes that are read as one line, more than any line of a protocol has.
const LONGEST_LINE: u64 = 64;

/// Why a bot stops before its game ends, or does not answer.
#[derive(Debug)]
pub(crate) struct Stopped {
    /// The exit status: 1 if it cannot write to standard output, 2 if its arguments or its input do not follow the
    /// protocol.
    pub status: u8,
    /// The message for standard error.
    pub reason: String,
}

/// Prints to standard error why the bot stopped early, if it did, and returns its exit status.
pub(crate) fn exit(ended: Result<(), Stopped>) -> ExitCode {
    let Err(Stopped { status, reason }) = ended else { return ExitCode::SUCCESS };
    // Not `eprintln!`, which panics if standard error is closed.
    let _ = writeln!(io::stderr(), "error: {reason}");
    ExitCode::from(status)
}

/// The error for input that does not follow the protocol.
pub(crate) fn not_understood(reason: String) -> Stopped {
    Stopped { status: 2, reason }
}

pub(crate) fn unreadable(error: io::Error) -> Stopped {
    not_understood(format!("cannot read standard input: {error}"))
}

/// Writes a line and flushes it.
pub(crate) fn say(output: &mut impl Write, what: impl Display) -> Result<(), Stopped> {
    writeln!(output, "{what}")
        .and_then(|()| output.flush())
        .map_err(|error| Stopped { status: 1, reason: format!("cannot write a line to standard output: {error}") })
}

/// The next line without its line feed; of a line longer than [`LONGEST_LINE`], the rest is read as the next line.
/// `None` at the end of input.
pub(crate) fn line(input: &mut impl BufRead) -> Result<Option<Vec<u8>>, Stopped> {
    let mut text = Vec::new();
    input.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut text).map_err(unreadable)?;
    Ok(text.strip_suffix(b"\n").map(<[u8]>::to_vec).or((!text.is_empty()).then_some(text)))
}
