//! Arguments for tournaments whose games are played on other machines.

use super::Languages;
use clap::Args;
use std::path::PathBuf;

/// Who plays a tournament's games, if not this machine.
#[derive(Args)]
#[command(next_help_heading = "Many machines")]
pub struct Elsewhere {
    /// Let workers on other machines play, which are reached through this NATS server (docs/many-machines.md)
    #[arg(long, value_name = "URL", conflicts_with_all = ["workers", "oversubscribe"])]
    pub nats: Option<String>,
    /// What workers must offer: isolation=LEVEL, toolchain=same, timing=any
    #[arg(long, value_name = "KEY=VALUE", requires = "nats")]
    pub require: Option<String>,
    /// Play this part of the games once more on another machine, such as 2%, and name machines whose moves differ
    #[arg(long, value_name = "PERCENT", value_parser = percent, requires = "nats")]
    pub verify: Option<f64>,
    #[command(flatten)]
    pub user: NatsUser,
}

/// Who one is at a NATS server.
#[derive(Args, Clone)]
#[command(next_help_heading = "Many machines")]
pub struct NatsUser {
    /// A file of credentials (.creds), or with the seed of an nkey
    #[arg(long, value_name = "FILE", requires = "nats")]
    pub creds: Option<PathBuf>,
    /// A file with the certificate of the authority that signed the server's: the connection must then be TLS
    #[arg(long, value_name = "FILE", requires = "nats")]
    pub ca: Option<PathBuf>,
}

#[derive(Args)]
pub struct Worker {
    /// The NATS server at which the tournament is managed
    #[arg(long, value_name = "URL", required_unless_present = "make_key")]
    pub nats: Option<String>,
    /// Write a new secret key for a manager or workers to this file, and print the public key, which is for the server
    #[arg(long, value_name = "FILE", exclusive = true)]
    pub make_key: Option<PathBuf>,
    /// Name of this worker in records [default: this machine's name]
    #[arg(long, value_name = "NAME")]
    pub name: Option<String>,
    /// Number of games played at the same time [default: one per core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub workers: Option<u16>,
    #[command(flatten)]
    pub user: NatsUser,
    #[command(flatten)]
    pub languages: Languages,
}

/// Reads a part of the whole, such as `2%`.
fn percent(text: &str) -> Result<f64, String> {
    let number = text.trim_end_matches('%').trim().parse::<f64>().ok();
    let number = number.filter(|number| (0.0..=100.0).contains(number));
    number
        .map(|number| number / 100.0)
        .ok_or_else(|| "expected a percentage from 0% to 100%, such as 2%".to_string())
}
