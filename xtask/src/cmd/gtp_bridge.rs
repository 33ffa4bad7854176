//! `gtp-bridge BOT`: a bot that speaks the contest's lines, as an engine that speaks GTP on standard input and output.

mod bridge;
mod command;

use crate::bots;
use crate::cli;
use crate::exit::{Exit, Failure};
use bridge::Bridge;
use command::Command;
use cornerman_harness::bot::Speech;
use cornerman_harness::ruleset::Ruleset;
use std::io::{self, BufRead, Write};
use std::path::Path;

/// The game, and the ruleset by which a bot's time is taken; size and komi are for whoever speaks to us to say.
const GAME: &str = "go";
const RULESET: &str = "go-usenix-1983";

/// Answers commands until `quit` or the end of input.
pub fn run(args: cli::GtpBridge) -> Result<Exit, Failure> {
    let languages = args.languages.read()?;
    let mut bot = bots::load(&args.bot, args.isolation.terms(&languages))?;
    bot.must_play(GAME)?;
    if bot.speaks == Speech::Gtp {
        return Err(Failure::usage(format!("{} speaks GTP itself: it needs no bridge", args.bot)));
    }
    let ruleset = Ruleset::find(RULESET, Path::new("")).map_err(Failure::usage)?;
    bot.limits = ruleset.limits.clone();
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
