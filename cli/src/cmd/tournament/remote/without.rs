//! What remains of `--nats` in a build for one machine: it runs the one for many.

use super::in_whole_build;
use crate::CliError;
use crate::cmd::tournament::TournamentArgs;
use crate::contest::{PreparedContest, ProgressLine};
use cornerman_harness::record::{RecordError, Writer};
use cornerman_harness::run::Workers;
use std::convert::Infallible;

/// There is none in this build.
pub(crate) struct Remote(Infallible);

/// There are none in this build.
pub(crate) struct RemoteWorkers<'a>(Infallible, std::marker::PhantomData<&'a ()>);

/// There is none in this build.
pub(crate) struct Overview(Infallible);

impl Remote {
    /// # Errors
    /// If the arguments ask for other machines.
    pub(crate) fn from_args(args: &TournamentArgs) -> Result<Option<Remote>, CliError> {
        if args.elsewhere.nats.is_some() { Err(in_whole_build()) } else { Ok(None) }
    }

    pub(crate) fn begin<'a>(
        &'a self,
        _: &'a PreparedContest,
        _: &Writer,
        _: &ProgressLine,
    ) -> Result<RemoteWorkers<'a>, CliError> {
        match self.0 {}
    }
}

impl RemoteWorkers<'_> {
    pub(crate) fn workers(&mut self) -> &mut dyn Workers {
        match self.0 {}
    }

    pub(crate) fn overview(&self) -> Overview {
        match self.0 {}
    }

    pub(crate) fn end(self, _: bool) {
        match self.0 {}
    }
}

impl Overview {
    pub(crate) fn record(&self, _: &mut Writer) -> Result<(), RecordError> {
        match self.0 {}
    }

    pub(crate) fn words(&self) -> String {
        match self.0 {}
    }

    pub(crate) fn on_page(&self) -> String {
        match self.0 {}
    }
}
