//! The options of `compare`, `spar` and `games`, and the choice of rules that `play` has too.

use super::shared::{HOUR, SECOND, time};
use super::{Crew, IsolationArgs, LanguagesArgs, LimitsArgs, PlayFormat, WithFiles};
use clap::Args;
use cornerman::game::MAX_SEATS;
use cornerman_harness::text::Reason;
use std::path::PathBuf;
use std::time::Duration;

/// The rules that bots play each other by.
#[derive(Args)]
pub(crate) struct RulesChoice {
    /// The game: {games} [default: the one that the bots name]
    #[arg(long, value_name = "GAME")]
    pub game: Option<String>,
    /// The rules: a ruleset's name or file [default: the game's usual one]
    #[arg(long, value_name = "RULESET")]
    pub rules: Option<String>,
    /// Play this many rounds, in a game of rounds [default: as in the ruleset]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub rounds: Option<u32>,
}

/// What two bots or more are played against each other with, in games that are recorded.
#[derive(Args)]
pub(crate) struct SparringArgs {
    #[command(flatten)]
    pub with_files: WithFiles,
    #[command(flatten)]
    pub rules: RulesChoice,
    /// The seats of a game, of which copies of an opponent have all but one [default: 2, or the fewest of the rules]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(2..=i64::from(MAX_SEATS)))]
    pub seats: Option<u8>,
    /// Play the first games on the board in this file; can be repeated. The others are made from the seed
    #[arg(long, value_name = "FILE")]
    pub board: Vec<PathBuf>,
    /// Seed of the boards and of what the game draws [default: made from the programs, so that the same ones play the
    /// same boards again]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(..=i64::MAX as u64))]
    pub seed: Option<u64>,
    /// Begin a new record, and rename an existing one
    #[arg(long)]
    pub force_new: bool,
    /// Output format
    #[arg(long, value_enum, default_value_t = PlayFormat::Text)]
    pub format: PlayFormat,
    #[command(flatten)]
    pub crew: Crew,
    #[command(flatten)]
    pub isolation: IsolationArgs,
    #[command(flatten)]
    pub limits: LimitsArgs,
    #[command(flatten)]
    pub languages: LanguagesArgs,
}

#[derive(Args)]
pub(crate) struct CompareArgs {
    /// The new version
    #[arg(value_name = "NEW")]
    pub new: String,
    /// The old version
    #[arg(value_name = "OLD")]
    pub old: String,
    /// Let both versions meet these opponents, separated by commas, instead of each other
    #[arg(long, value_name = "BOT", value_delimiter = ',')]
    pub against: Vec<String>,
    /// Stop after this many games, decided or not
    #[arg(long, value_name = "N", default_value_t = 20_000, value_parser = clap::value_parser!(u32).range(2..=100_000))]
    pub games: u32,
    /// The lead, in Elo, that is not worth having
    #[arg(long, value_name = "ELO", default_value_t = 0.0, allow_negative_numbers = true, value_parser = lead)]
    pub elo0: f64,
    /// The lead, in Elo, that must not be missed: the larger, the fewer games
    #[arg(long, value_name = "ELO", default_value_t = 10.0, allow_negative_numbers = true, value_parser = lead)]
    pub elo1: f64,
    /// Both leads are in normalized Elo, which counts in standard deviations of a game's score
    #[arg(long)]
    pub normalized: bool,
    /// The probability of accepting `--elo1` when the lead is `--elo0`
    #[arg(long, value_name = "P", default_value_t = 0.05, value_parser = error_rate)]
    pub alpha: f64,
    /// The probability of accepting `--elo0` when the lead is `--elo1`
    #[arg(long, value_name = "P", default_value_t = 0.05, value_parser = error_rate)]
    pub beta: f64,
    /// File of the record [default: compare.db in the current folder, where the record of another comparison is renamed]
    #[arg(long, value_name = "FILE")]
    pub db: Option<PathBuf>,
    #[command(flatten)]
    pub sparring: SparringArgs,
}

#[derive(Args)]
pub(crate) struct SparArgs {
    /// The bot
    #[arg(value_name = "BOT")]
    pub bot: String,
    /// Stop after this many games against an opponent, decided or not
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(2..=10_000))]
    pub games: u32,
    /// Begin no more games after this time, such as 20s or 5m
    #[arg(long, alias = "seconds", value_name = "TIME")]
    #[arg(value_parser = |text: &str| time(text, SECOND, SECOND..=7 * 24 * HOUR))]
    pub time: Option<Duration>,
    /// File of the record [default: spar.db in the current folder, where the record of another bot is renamed]
    #[arg(long, value_name = "FILE")]
    pub db: Option<PathBuf>,
    #[command(flatten)]
    pub sparring: SparringArgs,
}

#[derive(Args)]
pub(crate) struct GamesArgs {
    /// The record
    pub db: PathBuf,
    /// Only the games of this entrant
    #[arg(long, value_name = "NAME")]
    pub bot: Option<String>,
    /// Only its games against this one
    #[arg(long, value_name = "NAME", requires = "bot")]
    pub against: Option<String>,
    /// Only those that it lost
    #[arg(long, requires = "bot")]
    pub lost: bool,
    /// Only those in which it forfeited; without `--bot`, those with a forfeit
    #[arg(long)]
    pub forfeited: bool,
    /// Output format
    #[arg(long, value_enum, default_value_t = PlayFormat::Text)]
    pub format: PlayFormat,
}

#[derive(Args)]
pub(crate) struct WhyArgs {
    /// The record
    pub db: PathBuf,
    /// The game, such as s1/r2/m3/g1
    #[arg(required_unless_present = "bot")]
    pub game: Option<String>,
    /// Why this entrant lost the game; without a game, where it loses most in the whole record
    #[arg(long, value_name = "NAME")]
    pub bot: Option<String>,
    /// Ask this engine for the score of each position of a game of Go, such as `gtp:gnugo --mode gtp`. It runs as a program
    /// of yours, without a sandbox
    #[arg(long, value_name = "gtp:COMMAND")]
    pub engine: Option<String>,
    /// Let these bots, separated by commas, play on from the positions of a game that cannot be calculated, and that gives
    /// its positions no value [default: the reference bots of the game; without any, moves are drawn by lot]
    #[arg(long, value_name = "BOT", value_delimiter = ',', conflicts_with = "engine")]
    pub by: Vec<String>,
    /// Output format
    #[arg(long, value_enum, default_value_t = PlayFormat::Text)]
    pub format: PlayFormat,
    #[command(flatten)]
    pub isolation: IsolationArgs,
    #[command(flatten)]
    pub languages: LanguagesArgs,
}

/// Reads a lead in Elo.
fn lead(text: &str) -> Result<f64, Reason> {
    let lead = text.parse().ok().filter(|lead: &f64| lead.abs() <= 1000.0);
    lead.ok_or_else(|| "expected a number of Elo from -1000 to 1000".into())
}

/// Reads the probability of an error.
fn error_rate(text: &str) -> Result<f64, Reason> {
    let rate = text.parse().ok().filter(|rate| (1e-6..=0.3).contains(rate));
    rate.ok_or_else(|| "expected a probability from 0.000001 to 0.3".into())
}
