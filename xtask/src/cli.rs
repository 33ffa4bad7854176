//! What can be asked for. The words here are the `--help` that people read first.

use crate::exit::Failure;
use clap::{Args, Parser, Subcommand, ValueEnum};
use cornerman_harness::bot::{Bot, Terms};
use cornerman_harness::sandbox::{Conditions, Level};
use cornerman_harness::toolchain::language;
use std::path::PathBuf;
use std::time::Duration;

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
    /// Step through a recorded game, or ask a bot for a move of it again
    Replay(Replay),
    /// Write a bot that passes, to begin from
    New(New),
    /// List the reference bots
    Bots(Bots),
    /// Be a Go engine that speaks GTP, for a bot that speaks the contest's lines
    GtpBridge(GtpBridge),
    /// Tell what this machine offers for running bots, and what would give more
    Doctor(Doctor),
    /// Hold the checkout to what its architecture promises
    Tidy,
    /// Print a completion script for a shell
    Completions(Completions),
}

#[derive(Args)]
pub struct Check {
    /// Bots, and folders of bots
    #[arg(value_name = "BOT", required_unless_present_any = ["list", "explain"])]
    pub bots: Vec<String>,
    /// The game: boxing or rps [default: what each bot says it plays, else what it is seen to play]
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
    /// List the checks
    #[arg(long, conflicts_with_all = ["bots", "explain"])]
    pub list: bool,
    /// Explain a check: the rule, what is observed, what to do
    #[arg(long, value_name = "ID", conflicts_with = "bots")]
    pub explain: Option<String>,
    /// How the result is told
    #[arg(long, value_enum, default_value_t = CheckFormat::Human)]
    pub format: CheckFormat,
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
    /// The game: boxing, rps or go [default: the one that the bots say they play]
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

/// What bots may use, in place of the usual and of what their `bot.toml` says.
#[derive(Args, Clone, Copy)]
#[command(next_help_heading = "Limits")]
pub struct Limits {
    /// Milliseconds after which a move forfeits [default: 2000; in Go 15000]; half of it is the soft limit
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(10..=3_600_000))]
    pub move_time: Option<u64>,
    /// Memory in MiB of all processes of a bot together [default: 4096]
    #[arg(long, value_name = "MIB", value_parser = clap::value_parser!(u64).range(16..=1_048_576))]
    pub memory: Option<u64>,
    /// Processes and threads of a bot at a time [default: 512]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=100_000))]
    pub processes: Option<u64>,
}

impl Limits {
    /// Sets what was asked for.
    pub fn apply(self, bots: &mut [Bot]) {
        for limits in bots.iter_mut().map(|bot| &mut bot.limits) {
            if let Some(ms) = self.move_time {
                limits.hard = Duration::from_millis(ms);
                limits.soft = limits.hard / 2;
            }
            limits.memory = self.memory.map_or(limits.memory, |mib| mib << 20);
            limits.processes = self.processes.unwrap_or(limits.processes);
        }
    }
}

/// The languages of bots that are sources.
#[derive(Args, Clone)]
pub struct Languages {
    /// More languages, or other tools for those that are built in (docs/languages.md)
    #[arg(long = "languages", value_name = "FILE")]
    file: Option<PathBuf>,
}

impl Languages {
    /// Those built in, under those of the file.
    ///
    /// # Errors
    /// When the file cannot be read, or something in it is wrong.
    pub fn read(&self) -> Result<language::Languages, Failure> {
        match &self.file {
            None => Ok(language::Languages::built_in().clone()),
            Some(file) => language::Languages::with_file(file).map_err(Failure::usage),
        }
    }
}

/// How well bots are shut in: the best this machine gives, unless told otherwise.
#[derive(Args, Clone, Copy)]
#[command(next_help_heading = "Isolation")]
pub struct Isolation {
    /// Demand at least this isolation of the bots: plain, restricted, scoped or namespaced
    #[arg(long, value_name = "LEVEL", value_parser = level)]
    pub isolation: Option<Level>,
    /// Isolate bots no better than this, to see how a lesser machine does
    #[arg(long, value_name = "LEVEL", value_parser = level)]
    pub isolation_at_most: Option<Level>,
}

impl Isolation {
    /// The terms on which bots in one of `languages` are built.
    pub fn terms(self, languages: &language::Languages) -> Terms<'_> {
        Terms { languages, at_least: self.isolation }
    }

    /// The conditions asked for.
    ///
    /// # Errors
    /// When they contradict each other.
    pub fn conditions(self) -> Result<Conditions, Failure> {
        match (self.isolation, self.isolation_at_most) {
            (Some(least), Some(most)) if least > most => {
                Err(Failure::usage(format!("--isolation {least} and --isolation-at-most {most} leave no level")))
            }
            (at_least, at_most) => Ok(Conditions { at_least, at_most, ..Conditions::default() }),
        }
    }
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
    /// Show what would be played, and play nothing
    #[arg(long)]
    pub dry_run: bool,
    /// Let entries play that fail the conformance suite
    #[arg(long)]
    pub no_check: bool,
    /// Set a record that is there aside and begin anew
    #[arg(long)]
    pub force_new: bool,
    /// How the outcome is told
    #[arg(long, value_enum, default_value_t = PlayFormat::Text)]
    pub format: PlayFormat,
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
    #[arg(long, value_enum, default_value_t = PlayFormat::Text)]
    pub format: PlayFormat,
}

#[derive(Args)]
pub struct Replay {
    /// The record of a tournament
    pub db: PathBuf,
    /// The game, such as s1/r2/m3/g1
    pub game: String,
    /// Only the position after this move; 0 is the start
    #[arg(long, value_name = "N")]
    pub at: Option<u32>,
    /// Ask a bot for the move that this seat made: what it answers to the same arena
    #[arg(long, num_args = 2, value_names = ["SEAT", "BOT"])]
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
pub struct New {
    /// The bot's name, and that of the folder made for it
    pub name: String,
    /// The language: python, c, java or rust
    #[arg(long, default_value = "python")]
    pub lang: String,
    /// The game: boxing, rps or go
    #[arg(long, default_value = "boxing")]
    pub game: String,
}

#[derive(Args)]
pub struct Bots {
    /// Only those of one game: boxing, rps or go
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
    /// Lines a side of the board until `boardsize` says otherwise [default: 19]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(5..=25))]
    pub size: Option<u8>,
    #[command(flatten)]
    pub isolation: Isolation,
    #[command(flatten)]
    pub languages: Languages,
}

#[derive(Args)]
pub struct Doctor {
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

fn level(name: &str) -> Result<Level, String> {
    Level::named(name).ok_or_else(|| {
        let names = Level::ALL.map(Level::name);
        let hint = cornerman_harness::nearest::did_you_mean(name, names);
        format!("there is no such level; the levels are {}{hint}", names.join(", "))
    })
}
