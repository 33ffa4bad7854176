//! The options of the commands for rule makers: `rejudge` and `rules`.

use super::PageFormat;
use clap::{Args, Subcommand};
use std::path::PathBuf;

#[derive(Args)]
#[command(group = clap::ArgGroup::new("other").required(true).multiple(true).args(["ruleset", "set", "contest"]))]
pub(crate) struct RejudgeArgs {
    /// The record of a tournament
    pub db: PathBuf,
    /// The rules to judge by: a ruleset's name or file [default: the record's own]
    #[arg(long = "rules", alias = "ruleset", value_name = "RULESET")]
    pub ruleset: Option<String>,
    /// Another value of a key of these rules, such as max_square=8; can be repeated
    #[arg(long, value_name = "KEY=VALUE")]
    pub set: Vec<String>,
    /// Count the games as those of this contest (TOML), by its rules: another format or scoring
    #[arg(long, value_name = "CONTEST", conflicts_with_all = ["ruleset", "set"])]
    pub contest: Option<PathBuf>,
    /// Judge as if the organizer had decided nothing. Another contest never has the decisions of this one
    #[arg(long)]
    pub without_decisions: bool,
    /// Write the games that still count into a new record
    #[arg(long, value_name = "FILE")]
    pub into: Option<PathBuf>,
    /// Write the result as a web page
    #[arg(long, value_name = "FILE")]
    pub report: Option<PathBuf>,
    /// Output format
    #[arg(long, value_enum, default_value_t = PageFormat::Text)]
    pub format: PageFormat,
}

#[derive(Args)]
#[command(subcommand_required = true, arg_required_else_help = true)]
pub(crate) struct RulesArgs {
    #[command(subcommand)]
    pub command: RulesCommand,
}

/// What is done with rulesets.
#[derive(Subcommand)]
pub(crate) enum RulesCommand {
    /// Print everything that a ruleset decides: verdicts, whole games, a small contest
    Snapshot(SnapshotArgs),
    /// Compare the snapshots of a folder of rulesets with the accepted ones
    Test(TestRulesArgs),
    /// Compare what two rulesets decide, or one and its change
    Diff(DiffRulesArgs),
    /// List the keys of ruleset files: their meaning, values and defaults
    Keys(KeysArgs),
}

#[derive(Args)]
pub(crate) struct SnapshotArgs {
    /// A ruleset's name or file
    pub ruleset: String,
    /// Another value of one of its keys, such as max_square=8; can be repeated
    #[arg(long, value_name = "KEY=VALUE")]
    pub set: Vec<String>,
}

#[derive(Args)]
pub(crate) struct TestRulesArgs {
    /// The folder: rulesets (NAME.toml) with their accepted snapshots (NAME.snapshot), games/ and records (*.db)
    pub folder: PathBuf,
    /// Accept the snapshots as they are now
    #[arg(long)]
    pub accept: bool,
}

#[derive(Args)]
pub(crate) struct DiffRulesArgs {
    /// A ruleset's name or file
    #[arg(value_name = "A")]
    pub before: String,
    /// Another one of the same game
    #[arg(value_name = "B", required_unless_present = "set")]
    pub after: Option<String>,
    /// Instead of B, another value of a key of A, such as max_square=8; can be repeated
    #[arg(long, value_name = "KEY=VALUE", conflicts_with = "after")]
    pub set: Vec<String>,
}

#[derive(Args)]
pub(crate) struct KeysArgs {
    /// Only those of this game: {games}
    #[arg(long, value_name = "GAME")]
    pub game: Option<String>,
    /// Those of this ruleset's game: a ruleset's name or file
    #[arg(long, value_name = "RULESET", conflicts_with = "game")]
    pub rules: Option<String>,
    /// Output format
    #[arg(long, value_enum, default_value_t = PageFormat::Text)]
    pub format: PageFormat,
}
