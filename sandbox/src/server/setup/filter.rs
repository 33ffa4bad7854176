//! The filter of system calls: bots make those that are listed in `calls`, and no others.

use super::refused::{Refused, Step};
use crate::calls;
use crate::level::Level;
use crate::sys::{self, Pass};

/// Installs the filter of `level` for this process and all that it starts. The pass is for calls that only the server
/// itself makes from now on; if it `traces`, watching a bot's system calls is one of them.
pub fn install(level: Level, traces: bool) -> Result<Pass, Refused> {
    let pass = Pass::namespaces_of_a_game().step("draw the server's pass for the filter of system calls")?;
    sys::filter(&calls::compile(level, pass, traces)).step("install the filter of system calls")?;
    Ok(pass)
}
