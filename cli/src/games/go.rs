//! `gtp-bridge BOT`: runs a Go bot as a GTP engine on standard input and output.

pub(super) mod analyst;
mod bridge;
mod command;

use crate::options::{IsolationArgs, LanguagesArgs};
use crate::{CliError, Exit, Registry, bots, rules};
use bridge::Bridge;
use clap::Args;
use command::GtpCommand;
use cornerman_harness::games::go::KIT;
use cornerman_harness::kit::AnyKit;
use std::io::{self, BufRead, Write};

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

/// Answers GTP commands until `quit` or the end of the input.
pub(crate) fn run(args: GtpBridgeArgs, games: &Registry) -> Result<Exit, CliError> {
    let languages = args.languages.read()?;
    let mut bot = bots::load(&args.bot, args.isolation.loader(&languages, games))?;
    bot.check_plays(KIT.id())?;
    if bot.engine_protocol.is_some() {
        return Err(usage!("{} already speaks GTP and needs no bridge", args.bot));
    }
    let ruleset = rules::rules(Some(KIT.id()), args.rules.as_deref(), &[], games, args.isolation.conditions()?)?;
    bot.limits = bot.limits.within(&ruleset.limits);
    let mut bridge = Bridge::new(bot, &ruleset, args.size, args.isolation.conditions()?);
    let mut input = io::stdin().lock();
    let mut output = io::stdout().lock();
    let mut line = Vec::new();
    while input.read_until(b'\n', &mut line)? > 0 {
        if let Some(command) = GtpCommand::read(&line) {
            let response = bridge.answer(&command).map_err(CliError::of_machine)?;
            output.write_all(&command.response(&response))?;
            output.flush()?;
            if command.name == "quit" {
                break;
            }
        }
        line.clear();
    }
    Ok(Exit::Fine)
}
