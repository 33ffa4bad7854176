//! Exit codes, the same for every command: 0 success, 1 the answer is no, 2 bad usage or input, 3 Cornerman or the
//! machine failed.

use crate::show;
use cornerman_harness::bot::BotError;
use cornerman_harness::record::RecordError;
use cornerman_harness::sandbox::SandboxError;
use cornerman_harness::toolchain::BuildError;
use std::process::ExitCode;

/// The result of a command that could do its work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exit {
    /// Success: exit code 0.
    Fine,
    /// The answer is no, such as a check that fails or a run that was stopped: exit code 1.
    No,
}

/// Why a command could not do its work.
#[derive(Debug)]
pub(crate) enum CliError {
    /// The arguments or an input file are wrong: exit code 2.
    Usage(anyhow::Error),
    /// Cornerman or the machine failed: exit code 3.
    Internal(anyhow::Error),
    /// The reader of standard output has closed it, as `head` does. The command ends silently, with exit code 0.
    OutputClosed,
}

impl CliError {
    /// A [`CliError::Usage`] with this message.
    pub(crate) fn usage(words: impl std::fmt::Display) -> CliError {
        CliError::Usage(anyhow::anyhow!("{words}"))
    }
}

/// For errors of writing to standard output. Any other input or output adds its own context.
impl From<std::io::Error> for CliError {
    fn from(error: std::io::Error) -> CliError {
        match error.kind() {
            std::io::ErrorKind::BrokenPipe => CliError::OutputClosed,
            _ => CliError::Internal(anyhow::Error::from(error).context("writing the output")),
        }
    }
}

impl From<BotError> for CliError {
    fn from(error: BotError) -> CliError {
        match error {
            BotError::Build { source: BuildError::Sandbox(error), .. } => error.into(),
            BotError::Build { source, .. } if source.is_of_machine() => CliError::Internal(source.into()),
            error => CliError::usage(error),
        }
    }
}

impl From<SandboxError> for CliError {
    fn from(error: SandboxError) -> CliError {
        match error {
            SandboxError::LevelRefused { .. } => CliError::Usage(error.into()),
            _ => CliError::Internal(error.into()),
        }
    }
}

impl From<RecordError> for CliError {
    fn from(error: RecordError) -> CliError {
        if error.is_failure() { CliError::Internal(error.into()) } else { CliError::Usage(error.into()) }
    }
}

/// Prints an error to standard error, and returns the exit code.
pub(crate) fn report(done: Result<Exit, CliError>) -> ExitCode {
    let (code, error) = match done {
        Ok(Exit::Fine) | Err(CliError::OutputClosed) => return ExitCode::SUCCESS,
        Ok(Exit::No) => return ExitCode::from(1),
        Err(CliError::Usage(error)) => (2, error),
        Err(CliError::Internal(error)) => (3, error),
    };
    // Paths and compiler messages may have control characters.
    let words = show::plain_lines(format!("{error:#}"));
    let line = format!("{}: {words}", show::paint(show::BAD, "error"));
    anstream::eprintln!("{}", show::folded_error(&line));
    ExitCode::from(code)
}

/// Prints why the arguments are refused, or the help that they ask for, and exits. Colours stay unless an argument has
/// characters that a terminal would act on.
pub(crate) fn refuse(error: &clap::Error) -> ! {
    let words = error.render().to_string();
    let safe = show::plain_lines(&words);
    if safe == words {
        error.exit();
    }
    anstream::eprint!("{safe}");
    std::process::exit(error.exit_code())
}
