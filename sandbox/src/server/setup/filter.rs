//! Installs the filter of system calls: bots can make those listed in `calls` and no others.

use super::refused::{Refused, Step};
use crate::calls;
use crate::level::Level;
use crate::sys::{self, Pass};

/// Installs the filter of `level` for this process and all that it starts. Returns the pass for calls that only the
/// server may make from now on; with `can_trace`, tracing a bot is one of them.
pub fn install(level: Level, can_trace: bool) -> Result<Pass, Refused> {
    let pass = Pass::random().step("draw the server's pass for the filter of system calls")?;
    sys::filter(&calls::compile(level, pass, can_trace)).step("install the filter of system calls")?;
    Ok(pass)
}
