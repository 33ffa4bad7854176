//! Installs the filter of system calls: bots can make the calls that are listed in `calls`, and no others.

use super::{Refused, Step};
use crate::calls::Grants;
use crate::calls::{self, Part};
use crate::level::Level;
use crate::sys::{self, Instruction, Pass};
use crate::wire::SandboxSpec;
use std::os::fd::AsFd;
use std::os::unix::net::UnixStream;

/// The filter that a sandbox's servers install, each for itself and its bots.
pub(super) struct Filter {
    /// The pass for calls that only the keeper and its servers may make.
    pub pass: Pass,
    program: Vec<Instruction>,
    /// The program for a build, if the keeper makes calls for it.
    notifying: Option<Vec<Instruction>>,
}

impl Filter {
    /// Prepares the filter in the keeper. At [`Level::Namespaced`], already installs the part that does not keep
    /// servers from setting up games, because installing a long program takes half a millisecond.
    pub(super) fn prepare(spec: &SandboxSpec) -> Result<Filter, Refused> {
        let level = spec.level;
        let grants = Grants { tracing: spec.can_trace, notifying: false };
        let pass = Pass::random().step("draw the server's pass for the filter of system calls")?;
        let mut rest = Part::Whole;
        if level == Level::Namespaced {
            rustix::thread::set_no_new_privs(true).step("give up new privileges")?;
            install(&calls::compile(level, Part::AllGames, pass, grants))?;
            rest = Part::EachGame;
        }
        let notifies = spec.is_build && level == Level::Scoped;
        let notifying = notifies.then(|| calls::compile(level, rest, pass, Grants { notifying: true, ..grants }));
        Ok(Filter { pass, program: calls::compile(level, rest, pass, grants), notifying })
    }

    /// Completes the filter for this server and all processes that it starts. Returns the pass for calls that only the
    /// server may make from now on. If the `keeper` makes calls for a build, sends it the listener, where the machine
    /// provides one.
    pub(super) fn install(&self, keeper: Option<&UnixStream>) -> Result<Pass, Refused> {
        if let (Some(program), Some(keeper)) = (&self.notifying, keeper)
            && let Ok(listener) = sys::filter_with_listener(program)
        {
            // This fails only if the keeper has ended. The calls then fail as well.
            self.pass.send_descriptors(keeper.as_fd(), [listener.as_fd(), listener.as_fd()]).ok();
            return Ok(self.pass);
        }
        install(&self.program)?;
        Ok(self.pass)
    }
}

fn install(program: &[Instruction]) -> Result<(), Refused> {
    sys::filter(program).step("install the filter of system calls")
}
