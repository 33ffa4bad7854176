//! `completions SHELL`: prints the script with which a shell completes the command line.

use crate::{CliError, Exit, Registry, show};
use clap::builder::PossibleValuesParser;
use clap::{Arg, Args, ValueEnum};
use clap_complete::Shell;

#[derive(Args)]
pub(crate) struct CompletionsArgs {
    /// bash, zsh, fish, elvish or powershell
    pub shell: clap_complete::Shell,
}

/// Prints the script for a shell.
pub(crate) fn run(args: CompletionsArgs, games: &Registry) -> Result<Exit, CliError> {
    let mut command = with_values(super::command(games), games);
    let name = command.get_name().to_string();
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut command, &name, &mut script);
    let mut script = String::from_utf8_lossy(&script).into_owned();
    let bots = bots(games).join(" ");
    // A BOT argument may also be a file. For it, zsh would offer only the reference bots, and fish none of them.
    match args.shell {
        Shell::Zsh => script = script.replace(&format!(":({bots})"), &format!(":{{_files; compadd -- {bots}}}")),
        Shell::Fish => {
            script +=
                &format!("complete -c {name} -n 'string match -q \"@*\" -- (commandline -ct)' -a '{bots}'\n");
            // The script for fish has no values of arguments without a dash.
            let shells: Vec<String> = Shell::value_variants().iter().map(ToString::to_string).collect();
            let condition = format!("__fish_{name}_using_subcommand completions");
            script += &format!("complete -c {name} -n '{condition}' -f -a '{}'\n", shells.join(" "));
        }
        _ => {}
    }
    std::io::Write::write_all(&mut show::raw_stdout(), script.as_bytes())?;
    Ok(Exit::Fine)
}

/// The command with the values that a shell offers for arguments that take names. For completion only: when a command
/// is run, these arguments accept more, such as files.
fn with_values(command: clap::Command, games: &Registry) -> clap::Command {
    let command = command.mut_args(|arg| match values(&arg, games) {
        Some(values) => arg.value_parser(PossibleValuesParser::new(values)),
        None => arg,
    });
    command.mut_subcommands(|command| with_values(command, games))
}

/// The values to offer for `arg`; `None` if there are none.
fn values(arg: &Arg, games: &Registry) -> Option<Vec<String>> {
    let strings = |all: Vec<&str>| Some(all.into_iter().map(String::from).collect());
    match arg.get_id().as_str() {
        "bot" | "bots" | "syscalls" => Some(bots(games)),
        "game" if !arg.is_positional() => strings(games.games.ids().collect()),
        "topic" => {
            let commands = super::command(games);
            let commands = commands.get_subcommands().map(|command| command.get_name().to_string());
            Some(commands.chain(super::help::names().into_iter().map(String::from)).collect())
        }
        "lang" => strings(super::languages(games)),
        "rules" => strings(games.games.iter().flat_map(|kit| kit.rulesets()).map(|(id, _)| *id).collect()),
        "run" | "skip" | "explain" => {
            let checks = games.suites().into_iter().flat_map(|suite| &suite.catalogue().checks);
            Some(checks.map(|check| check.id.clone()).collect())
        }
        _ => None,
    }
}

/// The reference bots as BOT arguments.
fn bots(games: &Registry) -> Vec<String> {
    games.references().map(|(_, bot)| format!("@{}", bot.id)).collect()
}
