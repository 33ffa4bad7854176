//! `worker --nats URL`: plays games of tournaments that are managed elsewhere.

use crate::options::{HOUR, LanguagesArgs, MILLISECOND, NatsUserArgs, SECOND, level, time};
#[cfg(feature = "cluster")]
use crate::{CliError, Exit, Registry, show};
use clap::Args;
use cornerman_harness::sandbox::Level;
use std::path::PathBuf;
use std::time::Duration;

#[derive(Args)]
pub(crate) struct WorkerArgs {
    /// The NATS server at which the tournament is managed
    #[arg(long, value_name = "URL", required_unless_present = "make_key")]
    pub nats: Option<String>,
    /// Write a new secret key for a manager or workers to this file, and print the public key, which is for the server
    #[arg(long, value_name = "FILE", exclusive = true)]
    pub make_key: Option<PathBuf>,
    /// Name of this worker in records [default: the name that its key is for, or this machine's]
    #[arg(long, value_name = "NAME")]
    pub name: Option<String>,
    /// Public key of the manager whose tournaments are played [default: the one in the file of the key, or anyone's]
    #[arg(long, value_name = "KEY")]
    pub manager: Option<String>,
    /// Play and build only at this isolation or better, whatever a tournament asks for
    #[arg(long, value_name = "LEVEL", value_parser = level, default_value_t = Level::Namespaced)]
    pub isolation: Level,
    /// Refuse tournaments whose bots may have more memory, in MiB [default: the memory of this machine]
    #[arg(long, value_name = "MIB")]
    pub most_memory: Option<u64>,
    /// Refuse tournaments whose bots may have more processes
    #[arg(long, value_name = "N", default_value_t = 4096)]
    pub most_processes: u64,
    /// Refuse tournaments whose bots may write larger files, in MiB
    #[arg(long, value_name = "MIB", default_value_t = 4096)]
    pub most_disk: u64,
    /// Refuse tournaments whose bots may take longer for a move
    #[arg(long, value_name = "TIME", default_value = "10m")]
    #[arg(value_parser = |text: &str| time(text, SECOND, MILLISECOND..=24 * HOUR))]
    pub most_time: Duration,
    /// Number of games played at the same time [default: one per core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub workers: Option<u16>,
    #[command(flatten)]
    pub user: NatsUserArgs,
    #[command(flatten)]
    pub languages: LanguagesArgs,
}

/// Plays until Ctrl-C or SIGTERM; or makes a key with `--make-key`.
#[cfg(feature = "cluster")]
pub(crate) fn run(args: WorkerArgs, games: &'static Registry) -> Result<Exit, CliError> {
    use super::doctor;
    use super::tournament::server;
    use crate::bots::{self, BotLoader};
    use crate::contest::{ProgressLine, Stop, reserve_open_files};
    use crate::isolation;
    use crate::show::{plain, plain_lines};
    use cornerman_cluster::worker::{Floor, LoadBounds, Worker};
    use cornerman_harness::machine::{self, Machine};
    use cornerman_harness::text::Reason;
    use cornerman_harness::toolchain::BuildOptions;
    use std::io::Write;
    use std::sync::Arc;

    if let Some(path) = &args.make_key {
        writeln!(show::stdout(), "{}", cornerman_cluster::make_key(path, None)?)?;
        return Ok(Exit::Fine);
    }
    let server = server(args.nats.as_deref().unwrap_or_default(), &args.user);
    let identity = server.identity()?;
    let mut machine = Machine::this();
    if let (Some(name), Some(own)) =
        (&args.name, identity.worker.as_ref().filter(|own| args.name.as_ref() != Some(own)))
    {
        return Err(usage!("--name {name}: the key of `--creds` is for the worker {own}"));
    }
    if let Some(name) = args.name.or(identity.worker) {
        machine.name = name;
    }
    let manager = args.manager.or(identity.manager);
    if identity.key.is_some() && manager.is_none() {
        note!("without `--manager KEY`, this worker plays for anyone who may announce a tournament at the server");
    }
    let memory = args.most_memory.map_or_else(machine::memory, |mib| mib << 20);
    let floor = Floor {
        isolation: args.isolation,
        memory,
        processes: args.most_processes,
        file: args.most_disk << 20,
        time: args.most_time,
    };
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
        loaded.map_err(|error| Reason(plain_lines(error)))
    };
    let most_seats = games.games.iter().map(|kit| kit.default_ruleset().seats.1).max().unwrap_or(2);
    let worker = Worker {
        threads: threads.min(usize::from(u16::MAX)) as u16,
        pinned: threads > 1 && threads <= cores,
        places: reserve_open_files(threads, most_seats)?,
        level: found.isolation.level,
        floor,
        manager,
        noise: doctor::noise(&found.timing),
        games: games.games.clone(),
        load: Arc::new(load),
        log: Arc::new(move |words: &str| line.say(&plain(words))),
        machine,
    };
    worker.run(&server, stop.until())?;
    stop.until().ended().map_or(Ok(Exit::Fine), |_| Err(CliError::Ended))
}
