//! `tournament --nats URL`: the games are played by workers on other machines.

#[cfg(feature = "cluster")]
mod nats;

#[cfg(not(feature = "cluster"))]
use super::TournamentArgs;
use crate::CliError;
use crate::contest::{PreparedContest, ProgressLine};
use crate::options::NatsUserArgs;
use clap::Args;
use cornerman_harness::record::{RecordError, Writer};
use cornerman_harness::run::{LocalWorkers, Workers};
use cornerman_harness::text::Reason;
#[cfg(feature = "cluster")]
pub(crate) use nats::{from_args, server};

/// The options for games that other machines play.
#[derive(Args)]
#[command(next_help_heading = "Many machines")]
pub(crate) struct Elsewhere {
    /// Let workers on other machines play, which are reached through this NATS server (`help many-machines`)
    #[arg(long, value_name = "URL", conflicts_with_all = ["workers", "oversubscribe"])]
    pub nats: Option<String>,
    /// What workers must offer: isolation=LEVEL, toolchain=same, timing=any
    #[arg(long, value_name = "KEY=VALUE", requires = "nats")]
    pub require: Option<String>,
    /// Play this part of the games once more on another machine, such as 2%, and name machines whose moves differ
    #[arg(long, value_name = "PERCENT", value_parser = percent, requires = "nats")]
    pub verify: Option<f64>,
    #[command(flatten)]
    pub user: NatsUserArgs,
}

/// Reads a percentage, such as `2%`, as a share from 0 to 1.
fn percent(text: &str) -> Result<f64, Reason> {
    let number = text.trim_end_matches('%').trim().parse::<f64>().ok();
    let number = number.filter(|number| (0.0..=100.0).contains(number));
    number.map(|number| number / 100.0).ok_or_else(|| "expected a percentage from 0% to 100%, such as 2%".into())
}

/// How workers on other machines are reached.
pub(super) trait Remote {
    /// Connects to the server, and lets workers join.
    fn begin<'a>(
        &'a self,
        prepared: &'a PreparedContest,
        writer: &Writer,
        line: &ProgressLine,
    ) -> Result<Box<dyn Players + 'a>, CliError>;
}

/// The workers that play the games.
pub(super) trait Players {
    /// What the run hands its games to.
    fn workers(&mut self) -> &mut dyn Workers;

    /// An overview, if they are on other machines.
    fn overview(&self) -> Option<Box<dyn Overview>> {
        None
    }

    /// Ends them. Nothing is kept for another run if the tournament is `over`.
    fn end(self: Box<Self>, _over: bool) {}
}

/// Threads of this process.
impl Players for LocalWorkers {
    fn workers(&mut self) -> &mut dyn Workers {
        self
    }
}

/// An overview of the workers on other machines.
pub(super) trait Overview {
    /// Records the machines that have joined since the last time.
    fn record(&self, writer: &mut Writer) -> Result<(), RecordError>;

    /// The workers in words, for the terminal.
    fn words(&self) -> String;

    /// The workers in words, for the page.
    fn on_page(&self) -> String;
}

/// A build for one machine cannot use `--nats`: it runs the build that can, if there is a checkout.
#[cfg(not(feature = "cluster"))]
pub(super) fn from_args(args: &TournamentArgs) -> Result<Option<Box<dyn Remote>>, CliError> {
    if args.elsewhere.nats.is_some() { Err(in_whole_build()) } else { Ok(None) }
}

/// Runs this command in the checkout's build for many machines, which cargo makes first. The usual build of
/// `cargo xtask` leaves that part out, because few need it and it takes long to compile. Returns only if cargo does not
/// run this program, the checkout is gone or cargo cannot be started.
#[cfg(not(feature = "cluster"))]
pub(crate) fn in_whole_build() -> CliError {
    use std::env;
    use std::os::unix::process::CommandExt;
    use std::process::Command;

    let Some((cargo, checkout)) = env::var_os("CARGO").zip(crate::own::checkout()) else {
        return CliError::usage(
            "this program was built for one machine: `cargo install --path cli` builds one for many \
             (`help many-machines`)",
        );
    };
    let whole = ["run", "--quiet", "--package", "xtask", "--manifest-path"];
    let mut command = Command::new(cargo);
    command.args(whole).arg(checkout.join("Cargo.toml")).arg("--").args(env::args_os().skip(1));
    CliError::internal(command.exec(), "starting cargo")
}
