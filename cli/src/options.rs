//! The options that several commands have, such as output formats, limits, languages, isolation and the rules.

use crate::bots::BotLoader;
use crate::{CliError, Exit, Registry, show};
use clap::{Args, ValueEnum};
use cornerman_harness::judge::JudgeHost;
use cornerman_harness::record::EntrantRecord;
use cornerman_harness::sandbox::{Conditions, Level, LimitOverrides};
use cornerman_harness::text::Reason;
use cornerman_harness::toolchain::{BuildOptions, language};
use cornerman_report::doc::Document;
use serde::Serialize;
use std::io::Write;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::time::Duration;

/// Limits that replace those of the ruleset and of each `bot.toml`.
#[derive(Args, Clone, Copy)]
#[command(next_help_heading = "Limits")]
pub(crate) struct LimitsArgs {
    /// Time after which a move forfeits, such as 500ms or 2s [default: the ruleset's]; half of it is the soft limit. In
    /// Go, the time that `check` allows for a move once the bot's clock has run out
    #[arg(long, value_name = "TIME", value_parser = |text: &str| time(text, MILLISECOND, MOVE_TIMES))]
    pub move_time: Option<Duration>,
    /// MiB of memory for all processes of a bot together [default: the ruleset's]
    #[arg(long, value_name = "MIB", value_parser = clap::value_parser!(u64).range(16..=1_048_576))]
    pub memory: Option<u64>,
    /// Processes and threads that a bot may have at a time [default: 64, or what its language needs]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=100_000))]
    pub processes: Option<u64>,
}

impl LimitsArgs {
    pub(crate) fn overrides(self) -> LimitOverrides {
        LimitOverrides {
            move_time: self.move_time,
            memory: self.memory.map(|mib| mib << 20),
            processes: self.processes,
        }
    }
}

/// The times that a move may take.
const MOVE_TIMES: RangeInclusive<Duration> = Duration::from_millis(10)..=HOUR;

/// The unit of times that users may write without a unit, because they once were numbers of milliseconds.
pub(crate) const MILLISECOND: Duration = Duration::from_millis(1);

/// The unit of times that users may write without a unit, because they once were numbers of seconds.
pub(crate) const SECOND: Duration = Duration::from_secs(1);

pub(crate) const HOUR: Duration = Duration::from_secs(3600);

/// Reads a time, such as `500ms`, `30s`, `10m` or `1h`, that lies in `range`. A number without a unit counts in `bare`.
pub(crate) fn time(text: &str, bare: Duration, range: RangeInclusive<Duration>) -> Result<Duration, Reason> {
    let number = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let unit = match &text[number.len()..] {
        "" => Some(bare),
        "ms" => Some(MILLISECOND),
        "s" => Some(SECOND),
        "m" | "min" => Some(60 * SECOND),
        "h" => Some(HOUR),
        _ => None,
    };
    let seconds = unit.zip(number.trim().parse::<f64>().ok()).map(|(unit, number)| unit.as_secs_f64() * number);
    let given = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    given.filter(|given| range.contains(given)).ok_or_else(|| {
        let [least, most] = [range.start(), range.end()].map(|&bound| humantime::format_duration(bound));
        format!("expected a time from {least} to {most}, such as 500ms, 30s, 10m or 1h").into()
    })
}

/// How many games are played at a time.
#[derive(Args, Clone, Copy)]
pub(crate) struct Crew {
    /// Number of games played at the same time [default: one per core, unless a contest file says]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub workers: Option<u16>,
    /// Allow more than four workers per processor
    #[arg(long)]
    pub oversubscribe: bool,
}

/// The files that accompany a bot of one source file.
#[derive(Args)]
pub(crate) struct WithFiles {
    /// A file that the only BOT that is a source file needs, as a path from its folder. The bot sees no other files
    /// there
    #[arg(long, value_name = "FILE")]
    pub with: Vec<String>,
}

/// The languages that source files can be written in.
#[derive(Args, Clone, Default)]
pub(crate) struct LanguagesArgs {
    /// A file with more languages, or with other tools for the built-in ones (docs/languages.md)
    #[arg(long = "languages", value_name = "FILE", help_heading = None::<&'static str>)]
    file: Option<PathBuf>,
}

impl LanguagesArgs {
    pub(crate) fn file(&self) -> Option<&PathBuf> {
        self.file.as_ref()
    }

    /// The built-in languages, with those of the file added or replaced.
    pub(crate) fn read(&self) -> Result<language::Languages, CliError> {
        match &self.file {
            None => Ok(language::Languages::built_in().clone()),
            Some(file) => Ok(language::Languages::with_file(file)?),
        }
    }
}

/// The isolation level of bots: the best that this machine offers, within these bounds.
#[derive(Args, Clone, Copy, Default)]
#[command(next_help_heading = "Isolation")]
pub(crate) struct IsolationArgs {
    /// Require at least this isolation level: plain, restricted, scoped or namespaced
    #[arg(long, value_name = "LEVEL", value_parser = level)]
    pub isolation: Option<Level>,
    /// Use at most this isolation level, to see what happens on a machine that offers less
    #[arg(long, value_name = "LEVEL", value_parser = level)]
    pub isolation_at_most: Option<Level>,
}

impl IsolationArgs {
    /// These bounds with the level that a contest file requires.
    ///
    /// # Errors
    /// When the command line asks for a lower level than the contest file.
    pub(crate) fn of_contest(self, required: Option<Level>) -> Result<IsolationArgs, CliError> {
        for (option, asked) in [("--isolation", self.isolation), ("--isolation-at-most", self.isolation_at_most)] {
            if let (Some(required), Some(asked)) = (required, asked)
                && asked < required
            {
                return Err(usage!(
                    "{option} {asked}: the contest file requires isolation `{required}`, and the command line can \
                     raise that level but not lower it"
                ));
            }
        }
        Ok(IsolationArgs { isolation: self.isolation.or(required), ..self })
    }

    /// Sets the `languages` and these bounds for judges that are loaded from now on.
    ///
    /// # Errors
    /// When the bounds exclude every level.
    pub(crate) fn host_judges(self, languages: &language::Languages) -> Result<(), CliError> {
        JudgeHost { languages: languages.clone(), conditions: self.conditions()? }.set();
        Ok(())
    }

    /// Loads bots in these `languages`, and builds them at the required level at least.
    pub(crate) fn loader<'a>(self, languages: &'a language::Languages, games: &'a Registry) -> BotLoader<'a> {
        let options = BuildOptions { languages, at_least: self.isolation, again: false, engines: &games.engines };
        BotLoader { games, options }
    }

    /// The conditions that sandboxes are opened in.
    ///
    /// # Errors
    /// When the bounds exclude every level.
    pub(crate) fn conditions(self) -> Result<Conditions, CliError> {
        match (self.isolation, self.isolation_at_most) {
            (Some(least), Some(most)) if least > most => {
                Err(usage!("--isolation {least} and --isolation-at-most {most} exclude every level"))
            }
            (at_least, at_most) => Ok(Conditions { at_least, at_most, ..Conditions::default() }),
        }
    }
}

/// Reads the name of an isolation level.
pub(crate) fn level(name: &str) -> Result<Level, Reason> {
    Level::named(name).ok_or_else(|| {
        let names = Level::ALL.map(Level::name);
        let hint = cornerman_harness::nearest::did_you_mean(name, names);
        format!("unknown level; the levels are {}{hint}", names.join(", ")).into()
    })
}

/// The record of a command that only shows something of it.
#[derive(Args)]
pub(crate) struct RecordArgs {
    /// The record of a tournament
    pub db: PathBuf,
    /// Output format
    #[arg(long, value_enum, default_value_t = PlayFormat::Text)]
    pub format: PlayFormat,
}

/// The output formats of most commands.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum PlayFormat {
    /// Text for people
    Text,
    /// JSON: a line for each event of `play`, one value for other commands
    Json,
}

impl PlayFormat {
    /// Prints one of the two to standard output.
    pub(crate) fn print<J: Serialize>(
        self,
        json: impl FnOnce() -> J,
        text: impl FnOnce() -> String,
    ) -> Result<Exit, CliError> {
        let mut out = show::stdout();
        match self {
            PlayFormat::Json => writeln!(out, "{}", show::json(json()))?,
            PlayFormat::Text => write!(out, "{}", text())?,
        }
        Ok(Exit::Fine)
    }
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

impl PageFormat {
    /// Prints the `json` or the `document`, which is about these entrants, to standard output.
    pub(crate) fn print<J: Serialize>(
        self,
        json: impl FnOnce() -> J,
        document: impl FnOnce() -> Document,
        entrants: &[EntrantRecord],
    ) -> Result<Exit, CliError> {
        let mut out = show::stdout();
        match self {
            PageFormat::Json => writeln!(out, "{}", show::json(json()))?,
            PageFormat::Md => write!(out, "{}", document().markdown(entrants))?,
            PageFormat::Text => {
                let text = document().text(entrants, show::style());
                write!(out, "{}", show::folded_lines(&text))?;
            }
        }
        Ok(Exit::Fine)
    }
}

/// Reads a number for an option, such as a seed.
pub(crate) fn whole_number(text: &str) -> Result<u64, Reason> {
    text.parse().map_err(|_| format!("expected a whole number from 0 to {}", u64::MAX).into())
}

/// Whose logs are shown to everyone. What bots wrote to standard error is meant for their authors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum LogsArg {
    /// No one's
    None,
    /// Those of all bots
    All,
}

/// The rules that bots play each other by.
#[derive(Args)]
pub(crate) struct RulesChoice {
    /// The game: {games} [default: the one that the bots name]
    #[arg(long, value_name = "GAME")]
    pub game: Option<String>,
    /// The rules: a ruleset's name or file [default: the game's usual one]
    #[arg(long, value_name = "RULESET")]
    pub rules: Option<String>,
    /// Play this many rounds, in a game of rounds [default: as in the ruleset]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub rounds: Option<u32>,
}

/// Who one is at a NATS server.
#[derive(Args, Clone)]
#[command(next_help_heading = "Many machines")]
pub(crate) struct NatsUserArgs {
    /// A file of credentials (.creds), or with the seed of an nkey
    #[arg(long, value_name = "FILE", requires = "nats")]
    pub creds: Option<PathBuf>,
    /// A file with the certificate of the authority that signed the server's: the connection must then be TLS
    #[arg(long, value_name = "FILE", requires = "nats")]
    pub ca: Option<PathBuf>,
}

#[cfg(test)]
mod tests {
    use super::*;

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
