//! What can be asked for. The words here are the `--help` that people read first.

mod shared;

pub use shared::{Isolation, Languages, Limits, With};

use crate::registry::Registry;
use clap::{Args, CommandFactory, Parser, Subcommand, ValueEnum};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// Develop bots, play them against each other, and run the contest.
///
/// A BOT is an executable, a source file in one of some 26 languages (`doctor` lists them), a folder with a
/// `bot.toml`, `@name` for a reference bot (`bots` lists them), or `gtp:COMMAND` for a Go engine.
///
/// Exit codes: 0 fine, 1 the answer is no, 2 usage or bad input, 3 the kit itself failed.
#[derive(Parser)]
#[command(name = "cornerman", version, max_term_width = 100, propagate_version = true)]
pub struct Cli {
    #[command(subcommand)]
    pub command: Command,
}

/// The command line of a program that has these games.
pub fn command(games: &Registry) -> clap::Command {
    let ids = one_of(games.games.ids());
    let forms = one_of(
        [JSONL]
            .into_iter()
            .chain(games.entries().iter().flat_map(|entry| entry.view.files()).map(|form| form.name)),
    );
    let usual = games.usual().id();
    let command = Cli::command();
    let command = match std::env::current_exe().ok().as_deref().and_then(Path::file_name).and_then(OsStr::to_str) {
        Some(name) => command.name(name.to_string()),
        None => command,
    };
    filled(command, &[("{games}", &ids), ("{forms}", &forms), ("{usual}", usual)])
}

/// `boxing, rps or go`.
fn one_of<'a>(names: impl Iterator<Item = &'a str>) -> String {
    let names: Vec<&str> = names.collect();
    match names.split_last() {
        Some((last, others)) if !others.is_empty() => format!("{} or {last}", others.join(", ")),
        _ => names.concat(),
    }
}

/// The command with these words in its help replaced.
fn filled(command: clap::Command, words: &[(&str, &str)]) -> clap::Command {
    let fill = |text: String| words.iter().fold(text, |text, (word, by)| text.replace(word, by));
    let command = command.mut_args(|arg| match arg.get_help().map(|help| help.to_string()) {
        Some(help) if help.contains('{') => arg.help(fill(help)),
        _ => arg,
    });
    command.mut_subcommands(|command| filled(command, words))
}

#[derive(Subcommand)]
pub enum Command {
    /// Check that bots keep to the protocol
    Check(Check),
    /// Play a game or a match, shown as it goes
    Play(Play),
    /// Run a whole contest, or go on with it
    Tournament(Tournament),
    /// Show how a tournament stands, from its record: finished, stopped or under way
    Standings(Standings),
    /// Write recorded games for other programs: JSON lines, or their game's own form
    Export(Export),
    /// Step through a recorded game, or ask a bot for a move of it again
    Replay(Replay),
    /// Write a tournament as a page to publish, with its games to step through
    Report(Report),
    /// Write a bot that passes, to begin from
    New(New),
    /// List the reference bots
    Bots(Bots),
    /// Be a Go engine that speaks GTP, for a bot that speaks the contest's lines
    GtpBridge(GtpBridge),
    /// Tell what this machine offers for running bots, and what would give more
    Doctor(Doctor),
    /// Print a completion script for a shell
    Completions(Completions),
}

#[derive(Args)]
pub struct Check {
    /// Bots, and folders of bots
    #[arg(value_name = "BOT", required_unless_present_any = ["list", "explain"])]
    pub bots: Vec<String>,
    #[command(flatten)]
    pub handed_in: With,
    /// The game: {games} [default: what each bot says it plays, else what it is seen to play]
    #[arg(long, value_name = "GAME")]
    pub game: Option<String>,
    /// Only these checks: ids, beginnings of ids, patterns with `*`
    #[arg(long, value_name = "IDS", value_delimiter = ',')]
    pub run: Vec<String>,
    /// Not these checks
    #[arg(long, value_name = "IDS", value_delimiter = ',')]
    pub skip: Vec<String>,
    /// Count a failed `should` as a failed `must`
    #[arg(long)]
    pub strict: bool,
    /// Draw random arenas and opponents from this number
    #[arg(long, value_name = "N", value_parser = whole_number, allow_negative_numbers = true)]
    pub seed: Option<u64>,
    /// Seconds of wall time for each bot: the most telling cases of every check come first, and what would take longer
    /// is left out
    #[arg(long, value_name = "SECONDS", default_value_t = cornerman_conformance::DEFAULT_BUDGET.as_secs())]
    #[arg(value_parser = clap::value_parser!(u64).range(..=86_400))]
    pub budget: u64,
    /// Leave nothing out, however long it takes
    #[arg(long, conflicts_with = "budget")]
    pub full: bool,
    /// Stop at the first `must` that fails
    #[arg(long)]
    pub fast: bool,
    /// List the checks
    #[arg(long, conflicts_with_all = ["bots", "explain"])]
    pub list: bool,
    /// Explain a check: the rule, what is observed, what to do
    #[arg(long, value_name = "ID", conflicts_with = "bots")]
    pub explain: Option<String>,
    /// How the result is told
    #[arg(long, value_enum, default_value_t = CheckFormat::Human)]
    pub format: CheckFormat,
    /// Judge anew what was judged earlier
    #[arg(long)]
    pub again: bool,
    /// Write a file for each entry here, to be mailed to its author: what fails, and how to mend it
    #[arg(long, value_name = "FOLDER")]
    pub status_dir: Option<PathBuf>,
    /// Where the exact bytes of failures go [default: target/cornerman/check]
    #[arg(long, value_name = "FOLDER")]
    pub files: Option<PathBuf>,
    #[command(flatten)]
    pub isolation: Isolation,
    #[command(flatten)]
    pub limits: Limits,
    #[command(flatten)]
    pub languages: Languages,
}

/// How `check` tells its result.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum CheckFormat {
    /// For people
    Human,
    /// One JSON object a line and bot
    Json,
    /// JUnit XML: a suite a bot, a case a check
    Junit,
}

#[derive(Args)]
pub struct Play {
    /// Two to eight bots in order of play; `human` is you, at this terminal
    #[arg(value_name = "BOT", required = true)]
    pub bots: Vec<String>,
    #[command(flatten)]
    pub handed_in: With,
    /// The game: {games} [default: the one that the bots say they play]
    #[arg(long, value_name = "GAME")]
    pub game: Option<String>,
    /// The rules: a ruleset's name or file [default: the game's usual one]
    #[arg(long, value_name = "RULESET")]
    pub rules: Option<String>,
    /// Start from this board, in its game's text form: an arena is 16 lines of 32 characters
    #[arg(long, value_name = "FILE", conflicts_with = "seed")]
    pub board: Option<PathBuf>,
    /// Generate the arena from this number; without it every game has another, and says which
    #[arg(long, value_name = "N", value_parser = whole_number, allow_negative_numbers = true)]
    pub seed: Option<u64>,
    /// The bots' marks, one character each [default: ABC…]
    #[arg(long, value_name = "MARKS")]
    pub marks: Option<String>,
    /// Play one game for each order of play, so that each bot goes first once
    #[arg(long = "match")]
    pub whole_match: bool,
    /// Show only the results
    #[arg(short, long)]
    pub quiet: bool,
    /// Milliseconds to rest after each move, for watching [default: 60 on a terminal, else 0]
    #[arg(long, value_name = "MS", value_parser = whole_number, allow_negative_numbers = true)]
    pub delay: Option<u64>,
    /// How the game is told
    #[arg(long, value_enum, default_value_t = PlayFormat::Text)]
    pub format: PlayFormat,
    #[command(flatten)]
    pub isolation: Isolation,
    #[command(flatten)]
    pub limits: Limits,
    #[command(flatten)]
    pub languages: Languages,
}

/// How `play` tells a game.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum PlayFormat {
    /// For people
    Text,
    /// One JSON object a line and event
    Json,
}

#[derive(Args)]
pub struct Tournament {
    /// The contest file (TOML)
    pub contest: PathBuf,
    /// Where it is recorded [default: the contest file's name with .db, in the current folder]
    #[arg(long, value_name = "FILE")]
    pub db: Option<PathBuf>,
    /// Games played at a time [default: what the file says, else one a core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub workers: Option<u16>,
    /// Allow more than four workers a processor
    #[arg(long)]
    pub oversubscribe: bool,
    /// Show what would be played, and play nothing
    #[arg(long)]
    pub dry_run: bool,
    /// Let entries play that fail the conformance suite
    #[arg(long)]
    pub no_check: bool,
    /// Check entries anew that were checked earlier
    #[arg(long)]
    pub again: bool,
    /// Set a record that is there aside and begin anew
    #[arg(long)]
    pub force_new: bool,
    /// Write the tournament as a page to this file every few seconds while it is played
    #[arg(long, value_name = "FILE")]
    pub report: Option<PathBuf>,
    /// How the outcome is told
    #[arg(long, value_enum, default_value_t = PageFormat::Text)]
    pub format: PageFormat,
    #[command(flatten)]
    pub isolation: Isolation,
    #[command(flatten)]
    pub languages: Languages,
}

#[derive(Args)]
pub struct Standings {
    /// The record of a tournament
    pub db: PathBuf,
    /// How they are told
    #[arg(long, value_enum, default_value_t = PageFormat::Text)]
    pub format: PageFormat,
}

/// How a tournament's standings and what goes with them are told.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum PageFormat {
    /// For people, in a terminal
    Text,
    /// One JSON object
    Json,
    /// Markdown, with tables
    Md,
}

#[derive(Args)]
pub struct Export {
    /// The record of a tournament
    pub db: PathBuf,
    /// Only these games, such as s1/r2/m3/g1 [default: all]
    #[arg(value_name = "GAME")]
    pub games: Vec<String>,
    /// In which form: {forms}
    #[arg(long, value_name = "FORMAT", default_value = JSONL)]
    pub format: String,
    /// The file they go to; for other forms than jsonl the folder, which gets a file a game [default: standard output]
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
}

/// The form of exported games that all games have: one JSON object a line and game.
pub const JSONL: &str = "jsonl";

#[derive(Args)]
pub struct Replay {
    /// The record of a tournament
    pub db: PathBuf,
    /// The game, such as s1/r2/m3/g1
    pub game: String,
    /// Only the position after this move; 0 is the start
    #[arg(long, value_name = "N")]
    pub at: Option<u32>,
    /// Ask a bot for the move that this seat made: what it answers to the same arena, or to all that was told before
    #[arg(long, num_args = 2, value_names = ["SEAT", "BOT"], conflicts_with = "format")]
    pub feed: Option<Vec<String>>,
    /// How it is told
    #[arg(long, value_enum, default_value_t = PlayFormat::Text)]
    pub format: PlayFormat,
    #[command(flatten)]
    pub isolation: Isolation,
    #[command(flatten)]
    pub languages: Languages,
}

#[derive(Args)]
pub struct Report {
    /// The record of a tournament
    pub db: PathBuf,
    /// A file for all in one page, or a folder (an existing one, or ending with `/`) with pages of matches and
    /// entrants [default: the record's name with .html, in the current folder]
    #[arg(long, value_name = "FILE|FOLDER")]
    pub out: Option<PathBuf>,
}

#[derive(Args)]
pub struct New {
    /// The bot's name, and that of the folder made for it
    pub name: String,
    /// The language: python, c, java or rust
    #[arg(long, default_value = "python")]
    pub lang: String,
    /// The game: {games} [default: {usual}]
    #[arg(long)]
    pub game: Option<String>,
}

#[derive(Args)]
pub struct Bots {
    /// Only those of one game: {games}
    #[arg(long)]
    pub game: Option<String>,
    /// How they are listed
    #[arg(long, value_enum, default_value_t = PlayFormat::Text)]
    pub format: PlayFormat,
}

#[derive(Args)]
pub struct GtpBridge {
    /// The bot
    pub bot: String,
    /// Lines a side of the board until `boardsize` says otherwise [default: the ruleset's]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(5..=25))]
    pub size: Option<u8>,
    /// The ruleset: a built-in one or a file. Its clock holds until `time_settings` says otherwise [default:
    /// go-usenix-1983]
    #[arg(long, value_name = "RULESET")]
    pub rules: Option<String>,
    #[command(flatten)]
    pub isolation: Isolation,
    #[command(flatten)]
    pub languages: Languages,
}

#[derive(Args)]
pub struct Doctor {
    /// Show the system calls that a bot makes in its sandbox, started with the first input of its game, and which are
    /// refused
    #[arg(long, value_name = "BOT")]
    pub syscalls: Option<String>,
    /// The bot's game: {games} [default: what it says it plays, else what it is seen to play]
    #[arg(long, requires = "syscalls")]
    pub game: Option<String>,
    #[command(flatten)]
    pub isolation: Isolation,
    /// How it is told
    #[arg(long, value_enum, default_value_t = PlayFormat::Text)]
    pub format: PlayFormat,
    #[command(flatten)]
    pub languages: Languages,
}

#[derive(Args)]
pub struct Completions {
    /// bash, zsh, fish, elvish or powershell
    pub shell: clap_complete::Shell,
}

fn whole_number(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| format!("a whole number from 0 to {} is needed", u64::MAX))
}
