//! The arguments of the commands that read a record.

use super::shared::{IsolationArgs, LanguagesArgs};
use super::{PageFormat, PlayFormat};
use clap::{Args, ValueEnum};
use std::path::PathBuf;

#[derive(Args)]
pub(crate) struct VerifyArgs {
    /// The record of a tournament
    pub db: PathBuf,
    /// The seal that was printed when the tournament ended, or that its page shows
    #[arg(long, value_name = "SEAL")]
    pub seal: Option<String>,
    /// The log of seals that `tournament` wrote [default: the record's name with .heads, if there is one]
    #[arg(long, value_name = "FILE")]
    pub seal_log: Option<PathBuf>,
    /// Output format
    #[arg(long, value_enum, default_value_t = PlayFormat::Text)]
    pub format: PlayFormat,
}

#[derive(Args)]
pub(crate) struct StandingsArgs {
    /// The record of a tournament
    pub db: PathBuf,
    /// Output format
    #[arg(long, value_enum, default_value_t = PageFormat::Text)]
    pub format: PageFormat,
}

#[derive(Args)]
pub(crate) struct AuditArgs {
    /// The record of a tournament
    pub db: PathBuf,
    /// Output format
    #[arg(long, value_enum, default_value_t = PlayFormat::Text)]
    pub format: PlayFormat,
}

#[derive(Args)]
pub(crate) struct ExportArgs {
    /// The record of a tournament
    pub db: PathBuf,
    /// Only these games, such as s1/r2/m3/g1 [default: all]
    #[arg(value_name = "GAME")]
    pub games: Vec<String>,
    /// The format: {forms}
    #[arg(long, value_name = "FORMAT", default_value = JSONL)]
    pub format: String,
    /// The file to write; for formats other than jsonl a folder, with a file for each game [default: standard output]
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Whose logs jsonl has: what bots wrote to standard error at each move [default: as the contest file's `publish` says]
    #[arg(long, value_enum, value_name = "WHOSE")]
    pub logs: Option<LogsArg>,
    /// Copy the whole record, as it is now, to FILE, even while a run is writing to it; replaces an older copy
    #[arg(long, value_name = "FILE", conflicts_with_all = ["games", "format", "out", "logs"])]
    pub backup: Option<PathBuf>,
    /// Write an extract for the author of BOT, to the file `--out` [default: DB-for-NUMBER.db]: a record of its games, with
    /// what it wrote to standard error and nothing of what other bots wrote
    #[arg(long = "for", value_name = "BOT", conflicts_with_all = ["games", "format", "logs", "backup"])]
    pub author_of: Option<String>,
}

/// The export format that every game has: a line of JSON for each game.
pub(crate) const JSONL: &str = "jsonl";

#[derive(Args)]
pub(crate) struct ReplayArgs {
    /// The record of a tournament
    pub db: PathBuf,
    /// The game, such as s1/r2/m3/g1
    pub game: String,
    /// Show only the position after this move, counted from 1; 0 is the start
    #[arg(long, value_name = "N")]
    pub at: Option<u32>,
    /// Show what the bot in SEAT, counted from 1, or in `all` seats wrote to standard error at each move
    #[arg(long, value_name = "SEAT")]
    pub log: Option<String>,
    /// Send BOT what SEAT, counted from 1, was sent up to the move `--at`, and compare its answers with the record
    #[arg(long, num_args = 2, value_names = ["SEAT", "BOT"], conflicts_with = "format")]
    pub feed: Option<Vec<String>>,
    /// Output format
    #[arg(long, value_enum, default_value_t = PlayFormat::Text)]
    pub format: PlayFormat,
    #[command(flatten)]
    pub isolation: IsolationArgs,
    #[command(flatten)]
    pub languages: LanguagesArgs,
}

#[derive(Args)]
pub(crate) struct ReportArgs {
    /// The record of a tournament
    pub db: PathBuf,
    /// A file for a single page, or a folder (an existing one, or a name that ends with `/`) for a site [default: the
    /// record's name with .html, in the current folder]
    #[arg(long, value_name = "FILE|FOLDER")]
    pub out: Option<PathBuf>,
    /// Write a site with every game, static files for any host: the same as `--out DIR/`
    #[arg(long, value_name = "DIR", conflicts_with = "out")]
    pub site: Option<PathBuf>,
    /// The earlier name of `--site`.
    #[arg(long, value_name = "DIR", conflicts_with_all = ["out", "site"], hide = true)]
    pub split: Option<PathBuf>,
    /// The most megabytes of a single page, which has as many replays as fit, those of the last games first [default: 5]
    #[arg(long, value_name = "MB", value_parser = clap::value_parser!(u16).range(1..=1000))]
    pub page_size: Option<u16>,
    /// Whose logs the page has: what bots wrote to standard error at each move [default: as the contest file's `publish` says]
    #[arg(long, value_enum, value_name = "WHOSE")]
    pub logs: Option<LogsArg>,
    /// Make the page for the author of BOT: it has that bot's logs
    #[arg(long = "for", value_name = "BOT", conflicts_with = "logs")]
    pub author_of: Option<String>,
    /// What the page says under each board of why the game was lost, as `why` does
    #[arg(long, value_enum, default_value_t, value_name = "HOW")]
    pub explain: ExplainArg,
    /// Ask this engine for the score of each position of all games of Go, such as `gtp:gnugo --mode gtp`. It runs as a
    /// program of yours, without a sandbox
    #[arg(long, value_name = "gtp:COMMAND", conflicts_with = "explain")]
    pub engine: Option<String>,
}

/// How far a page explains games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum ExplainArg {
    /// Nothing
    None,
    /// What takes a fraction of a second a game, of at most 100 games
    #[default]
    Brief,
    /// All games, which takes up to some seconds for each
    Full,
}

/// Whose logs are shown to all: what bots wrote to standard error is for their authors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum LogsArg {
    /// No one's
    None,
    /// Those of all bots
    All,
}
