//! What several commands can be asked for alike: limits, languages, isolation.

use crate::bots::Makings;
use crate::exit::Failure;
use crate::registry::Registry;
use clap::Args;
use cornerman_harness::sandbox::{Conditions, Level, LimitOverrides};
use cornerman_harness::toolchain::Terms;
use cornerman_harness::toolchain::language;
use std::path::PathBuf;
use std::time::Duration;

/// What bots may use, in place of the usual and of what their `bot.toml` says.
#[derive(Args, Clone, Copy)]
#[command(next_help_heading = "Limits")]
pub struct Limits {
    /// Milliseconds after which a move forfeits [default: what the ruleset says]; half of it is the soft limit; in
    /// Go what `check` gives a bot for each move once its time is up
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(10..=3_600_000))]
    pub move_time: Option<u64>,
    /// Memory in MiB of all processes of a bot together [default: what the ruleset says]
    #[arg(long, value_name = "MIB", value_parser = clap::value_parser!(u64).range(16..=1_048_576))]
    pub memory: Option<u64>,
    /// Processes and threads of a bot at a time [default: 64, or what its language needs]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=100_000))]
    pub processes: Option<u64>,
}

impl Limits {
    /// What was asked for.
    pub fn overrides(self) -> LimitOverrides {
        LimitOverrides {
            move_time: self.move_time.map(Duration::from_millis),
            memory: self.memory.map(|mib| mib << 20),
            processes: self.processes,
        }
    }
}

/// What is handed in with a bot that is one source file.
#[derive(Args)]
pub struct With {
    /// Hand this file in with the BOT that is a source file, which sees no other files beside it; a path from the
    /// source's folder
    #[arg(long, value_name = "FILE")]
    pub with: Vec<String>,
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
    /// The same for a contest whose file demands at least `demanded`.
    ///
    /// # Errors
    /// When less is asked for than is demanded.
    pub fn of_contest(self, demanded: Option<Level>) -> Result<Isolation, Failure> {
        let below = |asked: Option<Level>| demanded.zip(asked).filter(|(demanded, asked)| asked < demanded);
        for (option, asked) in [("--isolation", self.isolation), ("--isolation-at-most", self.isolation_at_most)] {
            if let Some((demanded, asked)) = below(asked) {
                return Err(Failure::usage(format!(
                    "{option} {asked}: the contest file demands isolation `{demanded}`, and the command line can demand \
                     more but not less"
                )));
            }
        }
        Ok(Isolation { isolation: self.isolation.or(demanded), ..self })
    }

    /// What bots can be, with sources in one of `languages`.
    pub fn makings<'a>(self, languages: &'a language::Languages, games: &'a Registry) -> Makings<'a> {
        Makings { games, terms: Terms { languages, at_least: self.isolation, engines: &games.engines } }
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

fn level(name: &str) -> Result<Level, String> {
    Level::named(name).ok_or_else(|| {
        let names = Level::ALL.map(Level::name);
        let hint = cornerman_harness::nearest::did_you_mean(name, names);
        format!("there is no such level; the levels are {}{hint}", names.join(", "))
    })
}
