//! `worker --nats URL`: plays games of tournaments that are managed elsewhere.

use crate::cli;
use crate::exit::{CliError, Exit};
use crate::registry::Registry;

/// Plays until Ctrl-C.
#[cfg(not(feature = "cluster"))]
pub fn run(_: cli::Worker, _: &'static Registry) -> Result<Exit, CliError> {
    Err(CliError::usage(super::tournament::LEFT_OUT))
}

/// Plays until Ctrl-C.
#[cfg(feature = "cluster")]
pub fn run(args: cli::Worker, games: &'static Registry) -> Result<Exit, CliError> {
    use super::doctor;
    use super::tournament::server;
    use crate::bots::{self, BotLoader};
    use crate::contest::{ProgressLine, Stop, reserve_open_files};
    use crate::isolation;
    use crate::show::{plain, plain_lines};
    use cornerman_cluster::worker::{LoadBounds, Worker};
    use cornerman_harness::machine::Machine;
    use cornerman_harness::toolchain::BuildOptions;
    use std::io::Write;
    use std::sync::Arc;

    if let Some(path) = &args.make_key {
        writeln!(anstream::stdout(), "{}", cornerman_cluster::make_key(path)?)?;
        return Ok(Exit::Fine);
    }
    let url = args.nats.as_deref().unwrap_or_default();
    let mut machine = Machine::this();
    if let Some(name) = args.name {
        machine.name = name;
    }
    let cores = machine.cores as usize;
    let threads = args.workers.map_or(cores, usize::from);
    let languages = args.languages.read()?;
    let found = cornerman_harness::doctor::examine(&languages)?;
    isolation::announce(&found.isolation);
    let line = ProgressLine::new();
    let ended = "the manager lets other workers play its games";
    let stop = Stop::on_signals(line.clone(), ended.to_string())?;
    let load = move |spec: &str, with: &[String], bounds: LoadBounds| {
        let options = BuildOptions {
            languages: &languages,
            at_least: bounds.at_least,
            again: false,
            engines: &games.engines,
        };
        let loaded = bots::load_with(spec, with, BotLoader { games, options });
        loaded.map_err(|error| match error {
            CliError::Usage(why) | CliError::Internal(why) => plain_lines(format!("{why:#}")),
            CliError::OutputClosed => "the output is closed".to_string(),
        })
    };
    let most_seats = games.games.iter().map(|kit| kit.default_ruleset().seats.1).max().unwrap_or(2);
    let worker = Worker {
        threads: threads.min(usize::from(u16::MAX)) as u16,
        pinned: threads > 1 && threads <= cores,
        places: reserve_open_files(threads, most_seats)?,
        level: found.isolation.level,
        noise: doctor::noise(&found.timing),
        games: games.games.clone(),
        load: Arc::new(load),
        say: Arc::new(move |words: &str| line.say(&plain(words))),
        machine,
    };
    worker.run(&server(url, &args.user), stop.asked())?;
    Ok(Exit::Fine)
}
