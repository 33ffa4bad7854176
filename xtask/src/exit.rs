//! Exit codes, the same for every command: 0 fine, 1 the answer is no, 2 usage or bad input, 3 the kit failed.

use crate::show;
use cornerman_harness::bot::BotError;
use cornerman_harness::record::RecordError;
use cornerman_harness::sandbox::SandboxError;
use cornerman_harness::toolchain::BuildError;
use std::process::ExitCode;

/// How a command ended that did what it was asked to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// All is well.
    Fine,
    /// It was found out, and the answer is no.
    No,
}

/// Why a command could not do what it was asked to.
#[derive(Debug)]
pub enum Failure {
    /// What was asked for does not exist or makes no sense: nothing was done.
    Usage(anyhow::Error),
    /// The kit or the machine failed.
    Kit(anyhow::Error),
    /// Nobody reads what the command prints any more.
    NobodyReads,
}

impl Failure {
    /// Bad input, in these words.
    pub fn usage(words: impl std::fmt::Display) -> Failure {
        Failure::Usage(anyhow::anyhow!("{words}"))
    }
}

/// Of writing what the command prints; other input and output says itself what it was about.
impl From<std::io::Error> for Failure {
    fn from(error: std::io::Error) -> Failure {
        match error.kind() {
            std::io::ErrorKind::BrokenPipe => Failure::NobodyReads,
            _ => Failure::Kit(anyhow::Error::from(error).context("writing the output")),
        }
    }
}

impl From<BotError> for Failure {
    fn from(error: BotError) -> Failure {
        match error {
            BotError::Build { source: BuildError::Sandbox(error), .. } => error.into(),
            error => Failure::usage(error),
        }
    }
}

impl From<SandboxError> for Failure {
    fn from(error: SandboxError) -> Failure {
        match error {
            SandboxError::LevelRefused { .. } => Failure::Usage(error.into()),
            _ => Failure::Kit(error.into()),
        }
    }
}

impl From<RecordError> for Failure {
    fn from(error: RecordError) -> Failure {
        if error.is_failure() { Failure::Kit(error.into()) } else { Failure::Usage(error.into()) }
    }
}

/// Tells of a failure on standard error, and gives the exit code.
pub fn report(done: Result<Exit, Failure>) -> ExitCode {
    let (code, error) = match done {
        Ok(Exit::Fine) | Err(Failure::NobodyReads) => return ExitCode::SUCCESS,
        Ok(Exit::No) => return ExitCode::from(1),
        Err(Failure::Usage(error)) => (2, error),
        Err(Failure::Kit(error)) => (3, error),
    };
    // Paths, and the words of a compiler about an entry, come from outside.
    let words = show::plain_lines(format!("{error:#}"));
    anstream::eprintln!("{}: {words}", show::paint(show::BAD, "error"));
    ExitCode::from(code)
}
