//! What a judge did wrong, and how a game ends because of it.

use crate::sandbox::SandboxError;
use std::any::Any;
use std::fmt;
use std::panic::resume_unwind;
use std::path::PathBuf;

/// Something that a judge did wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JudgeFault {
    /// The id of the check that finds it, such as `JD-FIELD`.
    pub id: &'static str,
    /// What is wrong, in words for the judge's author.
    pub what: String,
}

impl JudgeFault {
    /// The fault that the check `id` finds, described by `what`, which is cut to 300 characters.
    pub fn new(id: &'static str, what: impl Into<String>) -> JudgeFault {
        JudgeFault { id, what: shortened(&what.into()) }
    }
}

impl fmt::Display for JudgeFault {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{} ({})", self.what, self.id)
    }
}

/// Why a game cannot go on, though no bot is to blame.
#[derive(Debug, thiserror::Error)]
pub enum JudgeFailure {
    /// The judge failed to answer the same question twice, in two processes; or its game went on for more moves than it
    /// said.
    #[error("{}", message(.0))]
    Judge(Box<FailedQuestion>),
    /// The sandbox of the judge failed.
    #[error("the sandbox of the judge")]
    Sandbox(#[from] SandboxError),
}

/// A question that a judge did not answer as it must.
#[derive(Clone, Debug)]
pub struct FailedQuestion {
    /// The judge, as its ruleset names it.
    pub judge: String,
    /// What is wrong.
    pub fault: JudgeFault,
    /// The question.
    pub question: String,
    /// The answer that is wrong; empty if there was none.
    pub answer: String,
    /// The end of what the judge wrote to standard error.
    pub errors: String,
    /// A file with the question, to be tried by hand.
    pub file: Option<PathBuf>,
}

/// The most characters of a question or an answer that a message shows.
const SHOWN: usize = 300;

/// What a person is shown of a failed question: a line for each thing that is known about it.
fn message(failed: &FailedQuestion) -> String {
    let FailedQuestion { judge, fault, question, answer, errors, file } = failed;
    let mut lines = vec![format!("the judge {judge}: {fault}"), format!("  asked    {}", shortened(question))];
    if !answer.is_empty() {
        lines.push(format!("  answered {}", shortened(answer)));
    }
    lines.extend(errors.lines().map(|line| format!("  its standard error: {line}")));
    if let Some(file) = file {
        lines.push(format!("  to try it by hand, give it the questions in {}", file.display()));
    }
    let advice = "No bot is to blame, so the game does not count; `judge FOLDER` looks for what is wrong.";
    lines.push(advice.to_string());
    lines.join("\n")
}

/// The first [`SHOWN`] characters of `text`.
fn shortened(text: &str) -> String {
    let mut shown: String = text.chars().take(SHOWN).collect();
    if shown.len() < text.len() {
        shown.push('…');
    }
    shown
}

/// Ends the game in progress because of `failure`: unwinds the stack to the code that plays the game, without the
/// message that a panic prints.
pub fn throw(failure: JudgeFailure) -> ! {
    resume_unwind(Box::new(failure))
}

/// The failure that was [thrown](throw), given the payload of an unwound stack; `None` if it is that of another panic.
pub fn caught(panic: &(dyn Any + Send)) -> Option<&JudgeFailure> {
    panic.downcast_ref()
}
