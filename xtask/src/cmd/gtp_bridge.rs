//! `gtp-bridge BOT`: a bot that speaks the contest's lines, as an engine that speaks GTP on standard input and output.

mod bridge;
mod command;

use crate::bots;
use crate::cli;
use crate::exit::{Exit, Failure};
use crate::games;
use bridge::Bridge;
use command::Command;
use cornerman_harness::bot::Speech;
use std::io::{self, BufRead, Write};

/// The game. Size, komi and time are for whoever speaks to us to say; until then they are a ruleset's.
const GAME: &str = "go";

/// Answers commands until `quit` or the end of input.
pub fn run(args: cli::GtpBridge) -> Result<Exit, Failure> {
    let languages = args.languages.read()?;
    let mut bot = bots::load(&args.bot, args.isolation.terms(&languages))?;
    bot.must_play(GAME)?;
    if bot.speaks == Speech::Gtp {
        return Err(Failure::usage(format!("{} speaks GTP itself: it needs no bridge", args.bot)));
    }
    let ruleset = games::rules(Some(GAME), args.rules.as_deref(), &[], args.isolation.conditions()?)?;
    bot.limits = bot.limits.by(&ruleset.limits);
    let mut bridge = Bridge::new(bot, &ruleset, args.size, args.isolation.conditions()?);
    let (mut input, mut output) = (io::stdin().lock(), io::stdout().lock());
    let mut line = Vec::new();
    while input.read_until(b'\n', &mut line)? > 0 {
        if let Some(command) = Command::read(&line) {
            let response = bridge.answer(&command).map_err(Failure::Kit)?;
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
