//! Arguments for tournaments whose games are played on other machines.

use super::LanguagesArgs;
use super::shared::{HOUR, MILLISECOND, SECOND, level, time};
use clap::Args;
use cornerman_harness::sandbox::Level;
use cornerman_harness::text::Reason;
use std::path::PathBuf;
use std::time::Duration;

/// Who plays a tournament's games, if not this machine.
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

/// Who one is at a NATS server.
#[derive(Args, Clone)]
#[command(next_help_heading = "Many machines")]
pub(crate) struct NatsUserArgs {
    /// A file of credentials (.creds), or with the seed of an nkey
    #[arg(long, value_name = "FILE", requires = "nats")]
    pub creds: Option<PathBuf>,
    /// A file with the certificate of the authority that signed the server's: the connection must then be TLS
    #[arg(long, value_name = "FILE", requires = "nats")]
    pub ca: Option<PathBuf>,
}

#[derive(Args)]
pub(crate) struct WorkerArgs {
    /// The NATS server at which the tournament is managed
    #[arg(long, value_name = "URL", required_unless_present = "make_key")]
    pub nats: Option<String>,
    /// Write a new secret key for a manager or workers to this file, and print the public key, which is for the server
    #[arg(long, value_name = "FILE", exclusive = true)]
    pub make_key: Option<PathBuf>,
    /// Name of this worker in records [default: the name that its key is for, or this machine's]
    #[arg(long, value_name = "NAME")]
    pub name: Option<String>,
    /// Public key of the manager whose tournaments are played [default: the one in the file of the key, or anyone's]
    #[arg(long, value_name = "KEY")]
    pub manager: Option<String>,
    /// Play and build only at this isolation or better, whatever a tournament asks for
    #[arg(long, value_name = "LEVEL", value_parser = level, default_value_t = Level::Namespaced)]
    pub isolation: Level,
    /// Refuse tournaments whose bots may have more memory, in MiB [default: the memory of this machine]
    #[arg(long, value_name = "MIB")]
    pub most_memory: Option<u64>,
    /// Refuse tournaments whose bots may have more processes
    #[arg(long, value_name = "N", default_value_t = 4096)]
    pub most_processes: u64,
    /// Refuse tournaments whose bots may write larger files, in MiB
    #[arg(long, value_name = "MIB", default_value_t = 4096)]
    pub most_disk: u64,
    /// Refuse tournaments whose bots may take longer for a move
    #[arg(long, value_name = "TIME", default_value = "10m")]
    #[arg(value_parser = |text: &str| time(text, SECOND, MILLISECOND..=24 * HOUR))]
    pub most_time: Duration,
    /// Number of games played at the same time [default: one per core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub workers: Option<u16>,
    #[command(flatten)]
    pub user: NatsUserArgs,
    #[command(flatten)]
    pub languages: LanguagesArgs,
}

/// Arguments of `nats-config`.
#[derive(Args)]
pub(crate) struct NatsConfigArgs {
    /// Names of the workers, each of which gets a key of its own
    #[arg(long, value_name = "NAME", value_delimiter = ',', required = true)]
    pub workers: Vec<String>,
    /// Folder for the configuration and the keys; keys that are there are kept
    #[arg(long, value_name = "DIR", default_value = "nats")]
    pub out: PathBuf,
    /// Where the server listens
    #[arg(long, value_name = "HOST:PORT", default_value = "127.0.0.1:4222")]
    pub listen: String,
    /// The server's certificate, which is needed unless it listens on this machine only
    #[arg(long, value_name = "FILE", requires = "tls_key")]
    pub tls_cert: Option<PathBuf>,
    /// The certificate's key
    #[arg(long, value_name = "FILE", requires = "tls_cert")]
    pub tls_key: Option<PathBuf>,
}

/// Reads a part of the whole, such as `2%`.
fn percent(text: &str) -> Result<f64, Reason> {
    let number = text.trim_end_matches('%').trim().parse::<f64>().ok();
    let number = number.filter(|number| (0.0..=100.0).contains(number));
    number.map(|number| number / 100.0).ok_or_else(|| "expected a percentage from 0% to 100%, such as 2%".into())
}
