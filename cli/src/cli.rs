//! The command line's arguments. Their doc comments are the text of `--help`.

mod deciding;
mod examples;
pub(crate) mod many_machines;
mod records;
mod rules;
mod shared;
mod sparring;

pub(crate) use deciding::{
    AdmitArgs, AnnulArgs, AwardArgs, DecideArgs, DecideCommand, DecisionsArgs, LateBotArgs, LeavingArgs,
    ReplaceArgs,
};
pub(crate) use many_machines::{Elsewhere, NatsConfigArgs, NatsUserArgs, WorkerArgs};
pub(crate) use records::{
    AuditArgs, ExplainArg, ExportArgs, JSONL, LogsArg, ReplayArgs, ReportArgs, StandingsArgs, VerifyArgs,
};
pub(crate) use rules::{
    DiffRulesArgs, KeysArgs, RejudgeArgs, RulesArgs, RulesCommand, SnapshotArgs, TestRulesArgs,
};
pub(crate) use shared::{Crew, IsolationArgs, LanguagesArgs, LimitsArgs, WithFiles};
pub(crate) use sparring::{CompareArgs, GamesArgs, RulesChoice, SparArgs, SparringArgs, WhyArgs};

use crate::registry::Registry;
use clap::{Args, CommandFactory, Parser, Subcommand, ValueEnum};
use cornerman_harness::text::Reason;
use shared::{HOUR, MILLISECOND, SECOND, time};
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Develop bots, play them against each other, and run contests.
///
/// A BOT is an executable, a source file (`doctor` lists the languages), a folder with a `bot.toml`, `@name` for a
/// reference bot (`bots` lists them), or `gtp:COMMAND` for a Go engine.
///
/// Exit codes: 0 success, 1 the answer is no, 2 bad usage or input, 3 Cornerman or the machine failed.
#[derive(Parser)]
#[command(
    name = "cornerman",
    version = crate::VERSION,
    max_term_width = 100,
    propagate_version = true,
    disable_help_subcommand = true
)]
pub(crate) struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// The command line of a program with these games. Help that depends on the games has placeholders such as `{games}`,
/// which are filled in here, so that a game is named in the list of games only.
pub(crate) fn command(games: &Registry) -> clap::Command {
    let ids = one_of(games.games.ids());
    let languages = one_of(languages(games).into_iter());
    let forms = one_of(
        [JSONL]
            .into_iter()
            .chain(games.entries().iter().flat_map(|entry| entry.view.files()).map(|form| form.name)),
    );
    let usual = games.usual().id();
    let command = Cli::command();
    let command = match std::env::current_exe().ok().as_deref().and_then(Path::file_name).and_then(OsStr::to_str) {
        Some("xtask") => command.name("cargo xtask"),
        Some(name) => command.name(name.to_string()),
        None => command,
    };
    let command = command.after_help(format!("Pages, for `help PAGE`: {}", crate::cmd::help::names().join(", ")));
    let command = command.mut_subcommands(|command| match examples::for_command(command.get_name()) {
        Some(examples) => command.after_help(examples),
        None => command,
    });
    filled(command, &[("{games}", &ids), ("{forms}", &forms), ("{languages}", &languages), ("{usual}", usual)])
}

/// The languages that some game has a template in, in the order of the games.
pub(crate) fn languages(games: &Registry) -> Vec<&'static str> {
    let mut all = Vec::new();
    for template in games.entries().iter().flat_map(|entry| entry.ladder.templates) {
        if !all.contains(&template.lang) {
            all.push(template.lang);
        }
    }
    all
}

/// `boxing, rps or go`.
fn one_of<'a>(names: impl Iterator<Item = &'a str>) -> String {
    let names: Vec<&str> = names.collect();
    match names.split_last() {
        Some((last, others)) if !others.is_empty() => format!("{} or {last}", others.join(", ")),
        _ => names.concat(),
    }
}

/// The command with these placeholders in its help, and in that of its subcommands, filled in.
fn filled(command: clap::Command, words: &[(&str, &str)]) -> clap::Command {
    let fill = |text: String| words.iter().fold(text, |text, (placeholder, by)| text.replace(placeholder, by));
    let command = command.mut_args(|arg| match arg.get_help().map(|help| help.to_string()) {
        Some(help) if help.contains('{') => arg.help(fill(help)),
        _ => arg,
    });
    command.mut_subcommands(|command| filled(command, words))
}

/// A command, with its arguments.
#[derive(Subcommand)]
pub(crate) enum Command {
    /// Check that bots follow the protocol and the rules
    Check(CheckArgs),
    /// Play a game or a match and watch it
    Play(PlayArgs),
    /// Find out whether a new version of a bot is stronger than the old one
    Compare(CompareArgs),
    /// Play a bot against the reference bots, the weakest first, to see where it stands
    Spar(SparArgs),
    /// Run a contest, or resume it
    Tournament(TournamentArgs),
    /// Play games of tournaments that are managed elsewhere
    Worker(WorkerArgs),
    /// Make keys for a manager and workers, and the configuration of their NATS server
    NatsConfig(NatsConfigArgs),
    /// Decide that a bot is gone, or that an earlier decision does not hold
    Decide(DecideArgs),
    /// List what was decided about a tournament
    Decisions(DecisionsArgs),
    /// Show the standings of a tournament that is finished, stopped or still running
    Standings(StandingsArgs),
    /// List the games of a record: who won and how, the slowest move, and how to see them
    Games(GamesArgs),
    /// Find out why a game was lost, or where a bot loses most
    Why(WhyArgs),
    /// Check whether bots answer the same view differently by opponent
    Audit(AuditArgs),
    /// Export recorded games as JSON lines or in a format of their game
    Export(ExportArgs),
    /// Step through a recorded game, or ask a bot for one of its moves
    Replay(ReplayArgs),
    /// Write a tournament's report: a web page with its games to step through
    Report(ReportArgs),
    /// Verify a record: derive everything in it anew, and compare it with its seal
    Verify(VerifyArgs),
    /// Find out what other rules would have made of the games of a record
    Rejudge(RejudgeArgs),
    /// Show what a ruleset decides; compare it with another, or with what was accepted
    Rules(RulesArgs),
    /// Create a bot that passes the check, to start from
    New(NewArgs),
    /// Create a game of your own, whose rules are a program in any language, to start from
    NewGame(NewGameArgs),
    /// Check that the judge of a game of your own does what docs/judge.md says
    Judge(JudgeArgs),
    /// List the reference bots
    Bots(BotsArgs),
    /// Build a bot if need be, and run its program as it is, without a sandbox
    #[command(visible_alias = "bot")]
    Run(RunArgs),
    /// Print a board that a game starts from
    Arena(ArenaArgs),
    /// Run a Go bot as a GTP engine
    GtpBridge(GtpBridgeArgs),
    /// Print the JSON Schema of what a command prints as JSON
    Schema(SchemaArgs),
    /// Report what this machine offers for running bots, and how to get more
    Doctor(DoctorArgs),
    /// Print a shell completion script
    Completions(CompletionsArgs),
    /// Show the help of a command, or a page of the manual
    Help(HelpArgs),
}

#[derive(Args)]
pub(crate) struct CheckArgs {
    /// Bots, and folders of bots
    #[arg(value_name = "BOT", required_unless_present_any = ["list", "explain"])]
    pub bots: Vec<String>,
    #[command(flatten)]
    pub with_files: WithFiles,
    /// The game: {games} [default: the one that each bot names, or else that its answers show]
    #[arg(long, value_name = "GAME")]
    pub game: Option<String>,
    /// The rules: a ruleset's name or file [default: the game's usual one]
    #[arg(long, value_name = "RULESET")]
    pub rules: Option<String>,
    /// Run only these checks: ids, prefixes of ids, or patterns with `*`
    #[arg(long, value_name = "IDS", value_delimiter = ',')]
    pub run: Vec<String>,
    /// Skip these checks
    #[arg(long, value_name = "IDS", value_delimiter = ',')]
    pub skip: Vec<String>,
    /// Count a failed `should` as a failed `must`
    #[arg(long)]
    pub strict: bool,
    /// Show failed shoulds in full too
    #[arg(short, long)]
    pub verbose: bool,
    /// Seed of random arenas and opponents
    #[arg(long, value_name = "N", value_parser = whole_number, allow_negative_numbers = true)]
    pub seed: Option<u64>,
    /// Wall time for each bot. The most telling cases of every check run first; those that do not fit are left out
    #[arg(long, value_name = "TIME", value_parser = |text: &str| time(text, SECOND, Duration::ZERO..=24 * HOUR))]
    #[arg(default_value = humantime::format_duration(cornerman_conformance::DEFAULT_BUDGET).to_string())]
    pub budget: Duration,
    /// Play whole games against the reference bots of the game for this long instead, such as 30s, 10m or 1h, and report
    /// how rare a fault must be
    #[arg(long, value_name = "TIME", value_parser = |text: &str| time(text, SECOND, SECOND..=7 * 24 * HOUR))]
    #[arg(conflicts_with_all = ["run", "skip", "budget", "full", "fast", "list", "explain", "again", "status_dir"])]
    pub endurance: Option<Duration>,
    /// Leave no case out, however long that takes
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
    /// Output format
    #[arg(long, value_enum, default_value_t = CheckFormat::Text)]
    pub format: CheckFormat,
    /// Build and check again bots that an earlier run has built and checked
    #[arg(long)]
    pub again: bool,
    /// Write a file for the author of each entry into this folder: what fails, and how to fix it
    #[arg(long, value_name = "FOLDER")]
    pub status_dir: Option<PathBuf>,
    /// Folder for the exact bytes of failures [default: .cornerman/check]
    #[arg(long, value_name = "FOLDER")]
    pub files: Option<PathBuf>,
    #[command(flatten)]
    pub isolation: IsolationArgs,
    #[command(flatten)]
    pub limits: LimitsArgs,
    #[command(flatten)]
    pub languages: LanguagesArgs,
}

#[derive(Args)]
pub(crate) struct RunArgs {
    /// The bot
    #[arg(value_name = "BOT")]
    pub bot: String,
    /// Arguments for its program, such as its mark
    #[arg(value_name = "ARG", trailing_var_arg = true, allow_hyphen_values = true)]
    pub args: Vec<OsString>,
    #[command(flatten)]
    pub with_files: WithFiles,
    /// Start it in this folder [default: its own]
    #[arg(long, value_name = "FOLDER")]
    pub cwd: Option<PathBuf>,
    /// Start it with no environment variable except PATH
    #[arg(long)]
    pub no_env: bool,
    #[command(flatten)]
    pub isolation: IsolationArgs,
    #[command(flatten)]
    pub languages: LanguagesArgs,
}

/// The output formats of `check`.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum CheckFormat {
    /// Text for people
    #[value(alias = "human")]
    Text,
    /// A line of JSON for each bot
    Json,
    /// JUnit XML, with a suite for each bot and a case for each check
    Junit,
}

#[derive(Args)]
pub(crate) struct PlayArgs {
    /// Two to eight bots in order of play; `human` is you, at this terminal
    #[arg(value_name = "BOT", required = true)]
    pub bots: Vec<String>,
    #[command(flatten)]
    pub with_files: WithFiles,
    #[command(flatten)]
    pub rules: RulesChoice,
    /// Start from the board in this file, as its game writes boards: an arena is 16 lines of 32 characters
    #[arg(long, value_name = "FILE", conflicts_with = "seed")]
    pub board: Option<PathBuf>,
    /// Seed of the board and of what the game draws [default: another one each time, which is shown]
    #[arg(long, value_name = "N", value_parser = whole_number, allow_negative_numbers = true)]
    pub seed: Option<u64>,
    /// The bots' marks, one character each [default: ABC…]
    #[arg(long, value_name = "MARKS")]
    pub marks: Option<String>,
    /// Play as many games as there are bots, so that each bot goes first once
    #[arg(long = "match")]
    pub whole_match: bool,
    /// Record the games in this file, after those that are there: `replay`, `games` and `report` show them
    #[arg(long = "db", alias = "record", value_name = "FILE", conflicts_with = "marks")]
    pub record: Option<PathBuf>,
    /// Show only the results
    #[arg(short, long)]
    pub quiet: bool,
    /// Show every round of a game that has no board too, not only a summary
    #[arg(long, conflicts_with = "quiet")]
    pub moves: bool,
    /// How long to pause after each move [default: 60ms when drawing boards on a terminal, else none]
    #[arg(long, value_name = "TIME", value_parser = |text: &str| time(text, MILLISECOND, Duration::ZERO..=HOUR))]
    #[arg(allow_negative_numbers = true)]
    pub delay: Option<Duration>,
    /// Output format
    #[arg(long, value_enum, default_value_t = PlayFormat::Text)]
    pub format: PlayFormat,
    #[command(flatten)]
    pub isolation: IsolationArgs,
    #[command(flatten)]
    pub limits: LimitsArgs,
    #[command(flatten)]
    pub languages: LanguagesArgs,
}

/// The output formats of most commands.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum PlayFormat {
    /// Text for people
    Text,
    /// JSON: a line for each event of `play`, one value for other commands
    Json,
}

#[derive(Args)]
pub(crate) struct TournamentArgs {
    /// The contest file (TOML)
    pub contest: PathBuf,
    /// File of the record [default: the contest file's name with .db, in the current folder]
    #[arg(long, value_name = "FILE")]
    pub db: Option<PathBuf>,
    /// File for heads of the record's chain of hashes, which show later that no game was replaced [default: the record's
    /// name with .heads]
    #[arg(long, value_name = "FILE")]
    pub seal_log: Option<PathBuf>,
    #[command(flatten)]
    pub crew: Crew,
    /// Show what would be played and how long it would take, without a record
    #[arg(long)]
    pub dry_run: bool,
    /// Skip the check of the entries, so that all of them play
    #[arg(long)]
    pub no_check: bool,
    /// Build and check again entries that an earlier run has built and checked
    #[arg(long)]
    pub again: bool,
    /// Begin a new record, and rename an existing one
    #[arg(long)]
    pub force_new: bool,
    /// Write the tournament's page to this file every few seconds while games are played
    #[arg(long, value_name = "FILE")]
    pub report: Option<PathBuf>,
    /// The most megabytes of this page, as for `report` [default: 5]
    #[arg(long, value_name = "MB", requires = "report", value_parser = clap::value_parser!(u16).range(1..=1000))]
    pub page_size: Option<u16>,
    /// Output format
    #[arg(long, value_enum, default_value_t = PageFormat::Text)]
    pub format: PageFormat,
    #[command(flatten)]
    pub elsewhere: Elsewhere,
    #[command(flatten)]
    pub isolation: IsolationArgs,
    #[command(flatten)]
    pub languages: LanguagesArgs,
}

/// The output formats of standings.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum PageFormat {
    /// Text for a terminal
    Text,
    /// One JSON object
    Json,
    /// Markdown, with tables
    Md,
}

#[derive(Args)]
pub(crate) struct NewArgs {
    /// Name of the bot, and of the folder that is created for it
    pub name: String,
    /// The language: {languages}
    #[arg(long, default_value = "python")]
    pub lang: String,
    /// The game: {games} [default: {usual}]
    #[arg(long)]
    pub game: Option<String>,
}

#[derive(Args)]
pub(crate) struct NewGameArgs {
    /// Id of the game, and name of the folder that is created for it
    pub name: String,
    /// The language of its judge: python, c++, javascript or rust
    #[arg(long, default_value = "python")]
    pub lang: String,
}

#[derive(Args)]
pub(crate) struct JudgeArgs {
    /// The folder of the game, with a ruleset file that has a table `[judge]`; or that file [default: this folder]
    #[arg(value_name = "FOLDER")]
    pub folder: Option<PathBuf>,
    /// Count a failed `should` as a failed `must`
    #[arg(long)]
    pub strict: bool,
    /// About how long the check looks closer
    #[arg(long, value_name = "TIME", value_parser = |text: &str| time(text, SECOND, Duration::ZERO..=24 * HOUR))]
    #[arg(default_value = "60s")]
    pub budget: Duration,
    /// Seed of the games
    #[arg(long, value_name = "N", value_parser = whole_number, allow_negative_numbers = true)]
    pub seed: Option<u64>,
    /// List the checks
    #[arg(long, conflicts_with_all = ["folder", "explain"])]
    pub list: bool,
    /// Explain a check: the rule, what is expected, what to do
    #[arg(long, value_name = "ID", conflicts_with = "folder")]
    pub explain: Option<String>,
    /// Output format
    #[arg(long, value_enum, default_value_t = PlayFormat::Text)]
    pub format: PlayFormat,
    #[command(flatten)]
    pub isolation: IsolationArgs,
    #[command(flatten)]
    pub languages: LanguagesArgs,
}

#[derive(Args)]
pub(crate) struct BotsArgs {
    /// List only the bots of this game: {games}
    #[arg(long)]
    pub game: Option<String>,
    /// Output format
    #[arg(long, value_enum, default_value_t = PlayFormat::Text)]
    pub format: PlayFormat,
}

#[derive(Args)]
pub(crate) struct ArenaArgs {
    /// Seed of the board [default: another one each time, which is shown]
    #[arg(long, value_name = "N", value_parser = whole_number, allow_negative_numbers = true)]
    pub seed: Option<u64>,
    /// The game: {games} [default: {usual}]
    #[arg(long, value_name = "GAME")]
    pub game: Option<String>,
    /// The rules: a ruleset's name or file [default: the game's usual one]
    #[arg(long, value_name = "RULESET")]
    pub rules: Option<String>,
}

#[derive(Args)]
pub(crate) struct GtpBridgeArgs {
    /// The bot
    pub bot: String,
    /// Size of the board until the command `boardsize` changes it [default: the ruleset's]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(5..=25))]
    pub size: Option<u8>,
    /// The rules: a ruleset's name or file. Its clock applies until the command `time_settings` changes it [default:
    /// go-usenix-1983]
    #[arg(long, value_name = "RULESET")]
    pub rules: Option<String>,
    #[command(flatten)]
    pub isolation: IsolationArgs,
    #[command(flatten)]
    pub languages: LanguagesArgs,
}

#[derive(Args)]
pub(crate) struct SchemaArgs {
    /// The command, such as standings, or judge-question, judge-hello, judge-answer [default: list those that have one]
    pub name: Option<String>,
}

#[derive(Args)]
pub(crate) struct DoctorArgs {
    /// Say whether this machine is fit to play games of tournaments that are managed elsewhere: exit code 1 if not
    #[arg(long, conflicts_with = "syscalls")]
    pub worker: bool,
    /// Try at this NATS server, with a worker's key, all that no worker may do: exit code 1 if anything is possible
    #[arg(long, value_name = "URL", conflicts_with_all = ["syscalls", "worker"])]
    pub nats: Option<String>,
    #[command(flatten)]
    pub user: NatsUserArgs,
    /// Run this bot with the first input of its game, and show its system calls and which of them the sandbox refuses
    #[arg(long, value_name = "BOT")]
    pub syscalls: Option<String>,
    /// The bot's game: {games} [default: the one that it names, or else that its answers show]
    #[arg(long, requires = "syscalls")]
    pub game: Option<String>,
    /// Output format
    #[arg(long, value_enum, default_value_t = PlayFormat::Text)]
    pub format: PlayFormat,
    #[command(flatten)]
    pub isolation: IsolationArgs,
    #[command(flatten)]
    pub languages: LanguagesArgs,
}

#[derive(Args)]
pub(crate) struct CompletionsArgs {
    /// bash, zsh, fish, elvish or powershell
    pub shell: clap_complete::Shell,
}

#[derive(Args)]
pub(crate) struct HelpArgs {
    /// A command, or a page: `pages` lists them. Where both have the name, `NAME.md` is the page
    #[arg(value_name = "COMMAND|PAGE")]
    pub topic: Vec<String>,
}

fn whole_number(text: &str) -> Result<u64, Reason> {
    text.parse().map_err(|_| format!("expected a whole number from 0 to {}", u64::MAX).into())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One word for one thing in all commands: formats, rules, records that are written, and times with units.
    #[test]
    fn options_that_mean_the_same_are_called_the_same() {
        let games: &'static Registry = Box::leak(Box::new(Registry::new(crate::games::all())));
        let mut commands: Vec<clap::Command> = command(games).get_subcommands().cloned().collect();
        let nested: Vec<clap::Command> =
            commands.iter().flat_map(clap::Command::get_subcommands).cloned().collect();
        commands.extend(nested);
        assert!(commands.len() > 20);
        for command in &commands {
            let name = command.get_name();
            for argument in command.get_arguments() {
                let long = argument.get_long().unwrap_or_default();
                let forms: Vec<String> =
                    argument.get_possible_values().iter().map(|value| value.get_name().to_string()).collect();
                let is_form = long == "format" && !forms.is_empty();
                assert!(!is_form || forms[0] == "text", "{name} --{long}: {forms:?}");
                assert!(!["ruleset", "record", "seconds", "output"].contains(&long), "{name} --{long}");
                let value = argument.get_value_names().map(|names| names.join(" ")).unwrap_or_default();
                assert!(!["MS", "SECONDS", "MINUTES"].contains(&value.as_str()), "{name} --{long} <{value}>");
            }
            // A record is the file that is read, or that is written, never both.
            let has_record =
                |argument: &&clap::Arg| argument.get_id() == "db" || argument.get_long() == Some("db");
            assert!(command.get_arguments().filter(has_record).count() < 2, "{name}");
        }
    }

    #[test]
    fn times_have_units_or_the_one_that_they_had() {
        let check = |text: &str, milliseconds: u64| {
            let read = time(text, SECOND, MILLISECOND..=24 * HOUR);
            assert_eq!(read, Ok(Duration::from_millis(milliseconds)), "{text}");
        };
        check("500ms", 500);
        check("1.5s", 1500);
        check("2m", 120_000);
        check("2min", 120_000);
        check("1h", 3_600_000);
        check("20", 20_000);
        for wrong in ["", "s", "5x", "-1s", "NaN", "inf", "25h", "0s"] {
            assert!(time(wrong, SECOND, MILLISECOND..=24 * HOUR).is_err(), "{wrong}");
        }
    }
}
