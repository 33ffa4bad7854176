//! `tournament --nats URL`: the games are played by workers on other machines.

#[cfg(feature = "cluster")]
#[path = "remote/with.rs"]
mod built;
#[cfg(not(feature = "cluster"))]
#[path = "remote/without.rs"]
mod built;

#[cfg(feature = "cluster")]
pub(crate) use built::server;
pub(super) use built::{Overview, Remote, RemoteWorkers};

/// Runs this command in the checkout's build for many machines, which cargo makes first. This build, of `cargo xtask`,
/// leaves out what few need and what takes long to compile. Returns only if that cannot be.
#[cfg(not(feature = "cluster"))]
pub(crate) fn in_whole_build() -> crate::exit::CliError {
    use crate::exit::CliError;
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
