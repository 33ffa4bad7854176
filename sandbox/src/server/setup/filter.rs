//! The filter of system calls: bots can make those listed in `calls` and no others.

use super::refused::{Refused, Step};
use crate::calls::{self, Part};
use crate::level::Level;
use crate::sys::{self, Instruction, Pass};

/// The filter that a sandbox's servers install, each for itself and its bots.
pub struct Filter {
    pass: Pass,
    program: Vec<Instruction>,
}

impl Filter {
    /// Prepares the filter of `level` in the keeper. At [`Level::Namespaced`] this installs the part of it that does not
    /// hinder servers in setting up games: installing a long program takes half a millisecond. With `can_trace`, the
    /// servers may trace bots.
    pub fn prepare(level: Level, can_trace: bool) -> Result<Filter, Refused> {
        let pass = Pass::random().step("draw the server's pass for the filter of system calls")?;
        let mut rest = Part::Whole;
        if level == Level::Namespaced {
            rustix::thread::set_no_new_privs(true).step("give up new privileges")?;
            install(&calls::compile(level, Part::AllGames, pass, can_trace))?;
            rest = Part::EachGame;
        }
        Ok(Filter { pass, program: calls::compile(level, rest, pass, can_trace) })
    }

    /// Completes the filter for this server and all that it starts. Returns the pass for calls that only the server may
    /// make from now on.
    pub fn install(&self) -> Result<Pass, Refused> {
        install(&self.program)?;
        Ok(self.pass)
    }
}

fn install(program: &[Instruction]) -> Result<(), Refused> {
    sys::filter(program).step("install the filter of system calls")
}
