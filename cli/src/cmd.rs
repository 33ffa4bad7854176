//! The commands: in each file the arguments, whose doc comments are the text of `--help`, and the code. A command calls
//! the crates that do the work, prints the result and returns the exit status.

pub(crate) mod check;
pub(crate) mod compare;
pub(crate) mod completions;
pub(crate) mod decide;
pub(crate) mod doctor;
pub(crate) mod export;
pub(crate) mod games;
pub(crate) mod help;
pub(crate) mod judge;
pub(crate) mod nats_config;
pub(crate) mod new;
pub(crate) mod play;
pub(crate) mod rejudge;
pub(crate) mod replay;
pub(crate) mod report;
pub(crate) mod rules;
pub(crate) mod run;
pub(crate) mod schema;
pub(crate) mod spar;
pub(crate) mod tournament;
pub(crate) mod verify;
pub(crate) mod why;
pub(crate) mod worker;

use crate::options::RecordArgs;
use crate::{CliError, Exit, Registry};
use clap::{CommandFactory, Parser};
use std::ffi::OsStr;
use std::path::Path;

/// Two examples for each command.
const EXAMPLES: &str = include_str!("cmd/examples.txt");

/// The command line of a program with these games. Help that depends on the games has placeholders such as `{games}`,
/// which are filled in here, so that it has every game of the program.
pub(crate) fn command(games: &Registry) -> clap::Command {
    let ids = one_of(games.games.ids());
    let languages = one_of(languages(games).into_iter());
    let forms = one_of(export::forms(games));
    let usual = games.usual().id();
    let command = Command::command();
    let command = match std::env::current_exe().ok().as_deref().and_then(Path::file_name).and_then(OsStr::to_str) {
        Some("xtask") => command.name("cargo xtask"),
        Some(name) => command.name(name.to_string()),
        None => command,
    };
    let command = command.after_help(format!("Pages, for `help PAGE`: {}", help::names().join(", ")));
    let command = command.mut_subcommands(|command| match examples(command.get_name()) {
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
pub(crate) enum Command {
    /// Check that bots follow the protocol and the rules
    Check(check::CheckArgs),
    /// Play a game or a match and watch it
    Play(play::PlayArgs),
    /// Find out whether a new version of a bot is stronger than the old one
    Compare(compare::CompareArgs),
    /// Play a bot against the reference bots, the weakest first, to see where it stands
    Spar(spar::SparArgs),
    /// Run a contest, or resume it
    Tournament(tournament::TournamentArgs),
    /// Play games of tournaments that are managed elsewhere
    Worker(worker::WorkerArgs),
    /// Make keys for a manager and workers, and the configuration of their NATS server
    NatsConfig(nats_config::NatsConfigArgs),
    /// Decide that a bot is gone, or that an earlier decision does not hold
    Decide(decide::DecideArgs),
    /// List what was decided about a tournament
    Decisions(RecordArgs),
    /// Show the standings of a tournament that is finished, stopped or still running
    Standings(report::StandingsArgs),
    /// List the games of a record: who won and how, the slowest move, and how to see them
    Games(games::GamesArgs),
    /// Find out why a game was lost, or where a bot loses most
    Why(why::WhyArgs),
    /// Check whether bots answer the same view differently by opponent
    Audit(RecordArgs),
    /// Export recorded games as JSON lines or in a format of their game
    Export(export::ExportArgs),
    /// Step through a recorded game, or ask a bot for one of its moves
    Replay(replay::ReplayArgs),
    /// Write a tournament's report: a web page with its games to step through
    Report(report::ReportArgs),
    /// Verify a record: derive everything in it anew, and compare it with its seal
    Verify(verify::VerifyArgs),
    /// Find out what other rules would have made of the games of a record
    Rejudge(rejudge::RejudgeArgs),
    /// Show what a ruleset decides; compare it with another, or with what was accepted
    #[command(subcommand)]
    Rules(rules::RulesCommand),
    /// Create a bot that passes the check, to start from
    New(new::NewArgs),
    /// Create a game of your own, whose rules are a program in any language, to start from
    NewGame(new::NewGameArgs),
    /// Check that the judge of a game of your own does what docs/judge.md says
    Judge(judge::JudgeArgs),
    /// List the reference bots
    Bots(run::BotsArgs),
    /// Build a bot if need be, and run its program as it is, without a sandbox
    #[command(visible_alias = "bot")]
    Run(run::RunArgs),
    /// Print a board that a game starts from
    Arena(run::ArenaArgs),
    /// Run a Go bot as a GTP engine
    GtpBridge(crate::games::GtpBridgeArgs),
    /// Print the JSON Schema of what a command prints as JSON
    Schema(schema::SchemaArgs),
    /// Report what this machine offers for running bots, and how to get more
    Doctor(doctor::DoctorArgs),
    /// Print a shell completion script
    Completions(completions::CompletionsArgs),
    /// Show the help of a command, or a page of the manual
    Help(help::HelpArgs),
}

/// Runs the command. If a judge fails outside a game that can be played again, a panic with its failure leaves this
/// function.
pub(crate) fn run(command: Command, games: &'static Registry) -> Result<Exit, CliError> {
    match command {
        Command::Check(args) => check::run(args, games),
        Command::Play(args) => play::run(args, games),
        Command::Compare(args) => compare::run(args, games).map_err(CliError::or_force_new),
        Command::Spar(args) => spar::run(args, games).map_err(CliError::or_force_new),
        Command::Tournament(args) => tournament::run(args, games).map_err(CliError::or_force_new),
        #[cfg(feature = "cluster")]
        Command::Worker(args) => worker::run(args, games),
        #[cfg(feature = "cluster")]
        Command::NatsConfig(args) => nats_config::run(&args),
        #[cfg(not(feature = "cluster"))]
        Command::Worker(_) | Command::NatsConfig(_) => Err(tournament::in_whole_build()),
        Command::Decide(args) => decide::run(args, games),
        Command::Decisions(args) => decide::list(&args, games),
        Command::Standings(args) => report::standings(args, games),
        Command::Rules(args) => rules::run(args, games),
        Command::Verify(args) => verify::run(args, games),
        Command::Rejudge(args) => rejudge::run(args, games),
        Command::Games(args) => games::run(args, games),
        Command::Why(args) => why::run(args, games),
        Command::Audit(args) => verify::audit(args, games),
        Command::Export(args) => export::run(args, games),
        Command::Replay(args) => replay::run(args, games),
        Command::Report(args) => report::run(args, games),
        Command::New(args) => new::run(args, games),
        Command::NewGame(args) => new::new_game(args),
        Command::Judge(args) => judge::run(args, games),
        Command::Arena(args) => run::print_board(args, games),
        Command::Bots(args) => run::list_bots(args, games),
        Command::Run(args) => run::run(args, games),
        Command::GtpBridge(args) => crate::games::gtp_bridge(args, games),
        Command::Schema(args) => schema::run(&args),
        Command::Doctor(args) => doctor::run(args, games),
        Command::Completions(args) => completions::run(args, games),
        Command::Help(args) => help::run(&args, games),
    }
}

/// The end of the help of the command `name`: two examples. The file has a paragraph for each command, which begins
/// with the command's name.
fn examples(name: &str) -> Option<String> {
    let mut paragraphs = EXAMPLES.split("\n\n").filter_map(|paragraph| paragraph.split_once('\n'));
    let (_, examples) = paragraphs.find(|(command, _)| *command == name)?;
    Some(format!("Examples:\n{}", examples.trim_end()))
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

    /// The commands of a line of shell, without the files that they read from and write to.
    fn commands(line: &str) -> impl Iterator<Item = Vec<&str>> {
        line.split('|').map(|part| part.split_whitespace().filter(|word| !word.starts_with(['<', '>'])).collect())
    }

    #[test]
    fn every_command_has_two_examples_which_parse() {
        let command = command(&Registry::new(crate::games::all()));
        let names: Vec<&str> = command.get_subcommands().map(clap::Command::get_name).collect();
        let in_file: Vec<&str> = EXAMPLES.split("\n\n").filter_map(|paragraph| paragraph.lines().next()).collect();
        assert_eq!(in_file, names);
        for name in names {
            let examples = examples(name).unwrap_or_default();
            let examples: Vec<&str> = examples.lines().skip(1).collect();
            assert_eq!(examples.len(), 2, "{name}");
            for example in examples {
                let shows = |words: &Vec<&str>| words[1] == name || (name == "run" && words[1] == "bot");
                assert!(commands(example).any(|words| shows(&words)), "{example} is of {name}");
                for words in commands(example).filter(|words| words[0] == "cornerman") {
                    let parsed = command.clone().try_get_matches_from(&words);
                    assert!(parsed.is_ok(), "{example}: {}", parsed.unwrap_err());
                }
            }
        }
    }
}
