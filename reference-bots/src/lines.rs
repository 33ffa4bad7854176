//! What every bot does that speaks in lines: it reads and writes them, and says why it stopped.

use std::fmt::Display;
use std::io::{self, BufRead, Read, Write};
use std::process::ExitCode;

/// No line of a protocol is longer than this, in bytes.
const LONGEST_LINE: u64 = 64;

/// Why a game does not go on.
#[derive(Debug)]
pub(crate) struct Stopped {
    /// The exit status: 1: standard output did not take a line. 2: something was sent that is not in the protocol.
    pub status: u8,
    pub reason: String,
}

/// The exit status of a bot whose game ended so; the reason goes to standard error.
pub(crate) fn exit(ended: Result<(), Stopped>) -> ExitCode {
    let Err(Stopped { status, reason }) = ended else { return ExitCode::SUCCESS };
    // Not `eprintln!`, which panics where standard error is closed as well.
    let _ = writeln!(io::stderr(), "error: {reason}");
    ExitCode::from(status)
}

/// Something was sent that is not in the protocol.
pub(crate) fn not_understood(reason: String) -> Stopped {
    Stopped { status: 2, reason }
}

pub(crate) fn unreadable(error: io::Error) -> Stopped {
    not_understood(format!("cannot read standard input: {error}"))
}

/// Writes a line and sends it off.
pub(crate) fn say(output: &mut impl Write, what: impl Display) -> Result<(), Stopped> {
    writeln!(output, "{what}")
        .and_then(|()| output.flush())
        .map_err(|error| Stopped { status: 1, reason: format!("cannot write a line to standard output: {error}") })
}

/// The next line without its line feed; `None` at the end of input.
pub(crate) fn line(input: &mut impl BufRead) -> Result<Option<Vec<u8>>, Stopped> {
    let mut text = Vec::new();
    input.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut text).map_err(unreadable)?;
    Ok(text.strip_suffix(b"\n").map(<[u8]>::to_vec).or((!text.is_empty()).then_some(text)))
}
