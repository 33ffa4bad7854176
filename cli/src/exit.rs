//! Exit codes, the same for every command: 0 success, 1 the answer is no, 2 bad usage or input, 3 Cornerman or the
//! machine failed, 130 ended at once by the user.

use crate::show;
use cornerman::contest::ContestError;
use cornerman::formats::SettingsError;
use cornerman::game::SetupError;
use cornerman_conformance::{SelectionError, SuiteError};
use cornerman_harness::bot::BotError;
use cornerman_harness::kit::Mistake;
use cornerman_harness::record::RecordError;
use cornerman_harness::rejudge::RecountError;
use cornerman_harness::sandbox::SandboxError;
use cornerman_harness::text::Reason;
use cornerman_harness::toml_file::FileError;
use cornerman_harness::toolchain::BuildError;
use cornerman_report::replay::ReplayError;
use cornerman_report::view::ExportError;
use reference_bots::BadName;
use std::fmt::{self, Display};
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

/// A [`CliError::Usage`] with a message that is written as for `format!`.
macro_rules! usage {
    ($($words:tt)*) => {
        $crate::exit::CliError::usage(format!($($words)*))
    };
}

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
    Usage(Explained),
    /// Cornerman or the machine failed: exit code 3.
    Internal(Explained),
    /// The reader of standard output, such as `head`, has gone, and the command does nothing but write to it, such as
    /// `play` and `export`: it ends silently, with exit code 0. Other commands go on without a reader
    /// ([`show::stdout`]).
    OutputClosed,
    /// The user ended it at once, with Ctrl-C or SIGTERM: exit code 130, by the convention of shells for Ctrl-C.
    Ended,
}

/// An error with its sources, and what the user can do.
#[derive(Debug)]
pub(crate) struct Explained {
    error: anyhow::Error,
    /// Sentences without a full stop.
    hints: Vec<String>,
}

impl<E: Into<anyhow::Error>> From<E> for Explained {
    fn from(error: E) -> Explained {
        Explained { error: error.into(), hints: Vec::new() }
    }
}

/// The error, its sources and its hints in one line.
impl Display for Explained {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{:#}", self.error)?;
        self.hints.iter().try_for_each(|hint| write!(f, " ({hint})"))
    }
}

impl CliError {
    /// A [`CliError::Usage`] with this message. Errors of other types are converted with `From` instead, which keeps
    /// their sources.
    pub(crate) fn usage(words: impl Into<String>) -> CliError {
        CliError::Usage(Explained { error: anyhow::Error::msg(words.into()), hints: Vec::new() })
    }

    /// A [`CliError::Internal`] with this message.
    pub(crate) fn failure(words: impl Into<String>) -> CliError {
        CliError::Internal(Explained { error: anyhow::Error::msg(words.into()), hints: Vec::new() })
    }

    /// A [`CliError::Internal`], from an error that says what was attempted.
    pub(crate) fn of_machine(error: anyhow::Error) -> CliError {
        CliError::Internal(error.into())
    }

    /// A [`CliError::Internal`] that says what was attempted when `error` occurred.
    pub(crate) fn internal(error: impl Into<anyhow::Error>, attempted: impl Display) -> CliError {
        CliError::Internal(Explained { error: error.into().context(attempted.to_string()), hints: Vec::new() })
    }

    /// For `map_err`: a [`CliError::Internal`] that says what was attempted with the file or folder at `path`.
    pub(crate) fn at<E: Into<anyhow::Error>>(attempted: &str, path: &Path) -> impl Fn(E) -> CliError {
        move |error| CliError::internal(error, format_args!("{attempted} {}", path.display()))
    }

    /// The same error; if it says that a record is of another contest, it also names the option that begins a new
    /// record.
    pub(crate) fn or_force_new(self) -> CliError {
        match &self {
            CliError::Usage(Explained { error, .. })
                if error.downcast_ref().is_some_and(RecordError::is_other_contest) =>
            {
                usage!("{error}\n(`--force-new` begins a new record and renames this one)")
            }
            _ => self,
        }
    }

    /// The same error with a hint, if there is one: what the user can do.
    pub(crate) fn hint(mut self, hint: impl Into<Option<String>>) -> CliError {
        if let CliError::Usage(explained) | CliError::Internal(explained) = &mut self {
            explained.hints.extend(hint.into());
        }
        self
    }
}

/// The message, with its sources and hints.
impl Display for CliError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            CliError::Usage(error) | CliError::Internal(error) => error.fmt(f),
            CliError::OutputClosed => f.write_str("the output is closed"),
            CliError::Ended => f.write_str("ended by Ctrl-C"),
        }
    }
}

/// Errors that are always in the arguments or in a file that they name.
macro_rules! usage_errors {
    ($($error:ty),*) => {
        $(impl From<$error> for CliError {
            fn from(error: $error) -> CliError {
                CliError::Usage(error.into())
            }
        })*
    };
}

usage_errors!(
    BadName,
    ContestError,
    ExportError,
    FileError,
    Mistake,
    Reason,
    ReplayError,
    SelectionError,
    SettingsError,
    SetupError
);

impl From<RecountError> for CliError {
    fn from(error: RecountError) -> CliError {
        match error {
            RecountError::Record(error) => error.into(),
            error => CliError::Usage(error.into()),
        }
    }
}

impl From<SuiteError> for CliError {
    fn from(error: SuiteError) -> CliError {
        match error {
            SuiteError::Sandbox(error) => error.into(),
            error => CliError::Usage(error.into()),
        }
    }
}

/// For errors of writing to standard output. Any other input or output adds its own context.
impl From<std::io::Error> for CliError {
    fn from(error: std::io::Error) -> CliError {
        match error.kind() {
            std::io::ErrorKind::BrokenPipe => CliError::OutputClosed,
            _ => CliError::internal(error, "writing the output"),
        }
    }
}

impl From<BotError> for CliError {
    fn from(error: BotError) -> CliError {
        match error {
            BotError::Build { source: BuildError::Sandbox(error), .. } => error.into(),
            BotError::Build { source, .. } if source.is_of_machine() => CliError::Internal(source.into()),
            error => CliError::Usage(error.into()),
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

/// Prints an error and its hints to standard error, and returns the exit code.
pub(crate) fn report(done: Result<Exit, CliError>) -> ExitCode {
    let (code, error) = match done {
        Ok(Exit::Fine) | Err(CliError::OutputClosed) => return ExitCode::SUCCESS,
        Ok(Exit::No) => return ExitCode::from(1),
        Err(CliError::Ended) => return ExitCode::from(130),
        Err(CliError::Usage(error)) => (2, error),
        Err(CliError::Internal(error)) => (3, error),
    };
    let print = |label: String, words: &dyn Display| {
        // Paths and compiler messages may have control characters.
        let words = show::plain_lines(words);
        note!("{}", show::folded_error(&format!("{label}: {words}")));
    };
    print(show::paint(show::BAD, "error"), &format_args!("{:#}", error.error));
    for hint in &error.hints {
        print(show::paint(show::NAME, "hint"), hint);
    }
    ExitCode::from(code)
}

/// Prints why the arguments are refused, or the help that they ask for, and returns the exit code. Colours stay unless
/// an argument has characters that a terminal would act on.
pub(crate) fn refuse(error: &clap::Error) -> ExitCode {
    let words = error.render().to_string();
    let safe = show::plain_lines(&words);
    if safe == words {
        // If the message cannot be written, neither can an error about that.
        error.print().ok();
    } else {
        write!(anstream::stderr(), "{safe}").ok();
    }
    if error.use_stderr() { ExitCode::from(2) } else { ExitCode::SUCCESS }
}
