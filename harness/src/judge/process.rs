//! A judge's process: one line in, one line out.

use super::failure::{JudgeFailure, JudgeFault};
use super::question;
use crate::bot::Bot;
use crate::sandbox::{
    AnswerTimer, Conditions, Ended, Environment, ReadLine, RunReport, RunRequest, Sandbox, SandboxError,
    SendStatus, Session, StartOutcome,
};
use crate::text::{duration, escaped, signal_name};
use std::cell::Cell;
use std::time::{Duration, Instant};

/// How long a judge may take for its first answer.
pub const FIRST_ANSWER: Duration = Duration::from_secs(10);

/// How long a judge may take to end when its input has ended.
pub const END: Duration = Duration::from_secs(2);

/// After an answer that took longer, the time that the judge waited for a processor is looked up.
const SLOW_ANSWER: Duration = Duration::from_millis(1);

/// The most bytes that are shown of each line where there should be only one.
const SHOWN_LINE: usize = 120;

/// How many of the last lines of standard error are shown: Node writes the message of an exception above a list of
/// calls.
pub const SHOWN_ERRORS: usize = 24;

thread_local! {
    /// How long all answers to questions of this thread took together.
    static ANSWER_TIME: Cell<Duration> = const { Cell::new(Duration::ZERO) };
}

/// How long judges took for all answers to questions of this thread so far, without the time that slow ones waited for
/// a processor.
pub fn answer_time_of_this_thread() -> Duration {
    ANSWER_TIME.get()
}

/// A judge that runs.
#[derive(Debug)]
pub struct JudgeProcess {
    /// Boxed, because the process is moved with each question.
    session: Box<Session>,
    /// A buffer for questions with their line feed.
    line: Vec<u8>,
}

/// A process that cannot be asked any more.
#[derive(Debug)]
pub struct JudgeStopped {
    /// What is wrong.
    pub fault: JudgeFault,
    /// The answer that is wrong; empty if there was none.
    pub answer: Vec<u8>,
    /// What it wrote to standard error last.
    pub errors: String,
}

/// A fault of the judge, or a failure of its sandbox.
#[derive(Debug)]
pub enum AskError {
    /// The judge did not answer as it must. Its process has been ended.
    Stopped(JudgeStopped),
    /// The sandbox failed.
    Sandbox(JudgeFailure),
}

impl AskError {
    /// The process that stopped.
    ///
    /// # Errors
    /// When the sandbox failed.
    pub fn stopped(self) -> Result<JudgeStopped, JudgeFailure> {
        match self {
            AskError::Stopped(stopped) => Ok(stopped),
            AskError::Sandbox(failure) => Err(failure),
        }
    }
}

impl<E: Into<SandboxError>> From<E> for AskError {
    fn from(error: E) -> AskError {
        AskError::Sandbox(JudgeFailure::Sandbox(error.into()))
    }
}

impl JudgeProcess {
    /// Starts the judge `bot`, without asking it anything.
    ///
    /// # Errors
    /// When it cannot be started, or the sandbox fails.
    pub fn start(bot: &Bot, conditions: Conditions, environment: Environment) -> Result<JudgeProcess, AskError> {
        let sandbox = Sandbox::open(&bot.program, &bot.limits, conditions)?;
        let request = RunRequest { environment, ..RunRequest::for_game(Vec::new()) };
        match sandbox.start(&request)? {
            StartOutcome::Running(session) => Ok(JudgeProcess { session: Box::new(session), line: Vec::new() }),
            StartOutcome::CannotStart(report, _) => {
                let why = match report.ended {
                    Ended::CannotStart { why, .. } => why,
                    other => format!("{other:?}"),
                };
                let fault = JudgeFault::new("JD-START", format!("it cannot be started: {why}"));
                Err(AskError::Stopped(JudgeStopped { fault, answer: Vec::new(), errors: String::new() }))
            }
        }
    }

    /// Asks `hello`, and returns the answer.
    ///
    /// # Errors
    /// When there is none, or the sandbox fails.
    pub fn hello(self) -> Result<(JudgeProcess, Vec<u8>), AskError> {
        self.ask(&question::hello(), FIRST_ANSWER, super::MAX_LINE).map_err(|error| match error {
            AskError::Stopped(stopped) if ["JD-TIME", "JD-EXIT"].contains(&stopped.fault.id) => {
                let JudgeFault { id, what } = &stopped.fault;
                let ask = if *id == "JD-TIME" { "; does it flush its output after each line?" } else { "" };
                let fault = JudgeFault::new("JD-START", format!("no answer to `hello`: {what}{ask}"));
                AskError::Stopped(JudgeStopped { fault, ..stopped })
            }
            other => other,
        })
    }

    /// Asks `question` like [`JudgeProcess::ask`], and also returns what `read` reads in the answer.
    ///
    /// # Errors
    /// As with [`JudgeProcess::ask`], and when the answer is wrong. Then the process is ended, because its next answers may
    /// belong to earlier questions.
    pub fn ask_for<T>(
        self,
        question: &str,
        limit: Duration,
        longest: usize,
        read: impl FnOnce(&[u8]) -> Result<T, JudgeFault>,
    ) -> Result<(JudgeProcess, Vec<u8>, T), AskError> {
        let (process, answer) = self.ask(question, limit, longest)?;
        match read(&answer) {
            Ok(read) => Ok((process, answer, read)),
            Err(fault) => Err(process.refuted(fault, answer)),
        }
    }

    /// Ends the process because its `answer` is wrong, and returns the error for it.
    pub fn refuted(self, fault: JudgeFault, answer: Vec<u8>) -> AskError {
        match self.session.finish(Duration::ZERO) {
            Ok((report, _)) => {
                AskError::Stopped(JudgeStopped { fault, answer, errors: report.stderr_tail(SHOWN_ERRORS) })
            }
            Err(error) => error.into(),
        }
    }

    /// Asks `question`, and returns the process with the answer, of at most `longest` bytes.
    ///
    /// # Errors
    /// When none comes within `limit`, not counting the time that the judge waits for a processor; when it is longer,
    /// or more than one line; or when the sandbox fails.
    pub fn ask(
        mut self,
        question: &str,
        limit: Duration,
        longest: usize,
    ) -> Result<(JudgeProcess, Vec<u8>), AskError> {
        self.line.clear();
        self.line.extend_from_slice(question.as_bytes());
        self.line.push(b'\n');
        let mut timer = AnswerTimer::begin();
        let sent = self.session.send(&self.line, Instant::now() + limit).map_err(SandboxError::Lost)?;
        if sent == SendStatus::TimedOut {
            return Err(
                self.fault("JD-TIME", &format!("it does not read its questions within {}", duration(limit)))?
            );
        }
        let line = timer.line_within(&mut self.session, longest, limit, &mut || Ok(false))?;
        if let ReadLine::Read(_) = line {
            self.count_answer(timer)?;
        }
        match line {
            ReadLine::Read(answer) if self.session.has_unread() => {
                let more = self.surplus()?;
                let next = more.split(|byte| *byte == b'\n').next().unwrap_or_default();
                let [first, next] = [&answer[..], next].map(|line| escaped(&line[..line.len().min(SHOWN_LINE)]));
                let what = format!("it wrote more than one line to one question: `{first}` and then `{next}`");
                Err(self.fault("JD-JSON", &what)?)
            }
            ReadLine::Read(answer) => Ok((self, answer)),
            ReadLine::TimedOut => Err(self.fault("JD-TIME", &format!("no answer within {}", duration(limit)))?),
            ReadLine::TooLong(_) => {
                Err(self.fault("JD-SIZE", &format!("an answer of more than {longest} bytes"))?)
            }
            ReadLine::Ended(unfinished) => {
                let cut = if unfinished.is_empty() { "" } else { ", with a last line that has no line feed" };
                let stopped = self.stopped("JD-EXIT", "it ended instead of answering")?;
                let what = format!("{}{cut}", stopped.fault.what);
                let fault = JudgeFault { what, ..stopped.fault };
                Err(AskError::Stopped(JudgeStopped { fault, ..stopped }))
            }
        }
    }

    /// Adds the time of the answer that `timer` measured to [`ANSWER_TIME`].
    fn count_answer(&mut self, timer: AnswerTimer) -> Result<(), AskError> {
        let wall = timer.wall();
        let waited = if wall < SLOW_ANSWER { Duration::ZERO } else { timer.waited(&mut self.session)? };
        ANSWER_TIME.set(ANSWER_TIME.get() + wall.saturating_sub(waited));
        Ok(())
    }

    /// What it has written beyond its answers.
    ///
    /// # Errors
    /// When the sandbox fails.
    pub fn surplus(&mut self) -> Result<Vec<u8>, SandboxError> {
        self.session.pending().map(<[u8]>::to_vec).map_err(SandboxError::Lost)
    }

    /// Ends its input, waits for `grace` at most until it ends, and kills it if it does not.
    ///
    /// # Errors
    /// When the sandbox fails.
    pub fn end(mut self, grace: Duration) -> Result<RunReport, SandboxError> {
        self.session.close_input();
        if !grace.is_zero() {
            // It may write until it ends.
            let deadline = Instant::now() + grace;
            while let ReadLine::Read(_) =
                self.session.line(super::MAX_LINE, deadline).map_err(SandboxError::Lost)?
            {}
        }
        Ok(self.session.finish(grace)?.0)
    }

    /// Ends the process because of a fault, and returns the error for it. Fails itself if the sandbox does.
    fn fault(self, id: &'static str, what: &str) -> Result<AskError, AskError> {
        self.stopped(id, what).map(AskError::Stopped)
    }

    fn stopped(self, id: &'static str, what: &str) -> Result<JudgeStopped, AskError> {
        // A judge that has closed its output is probably about to exit, and its exit status helps its author.
        let grace = if id == "JD-EXIT" { Duration::from_millis(500) } else { Duration::ZERO };
        let (report, _) = self.session.finish(grace)?;
        let how = match &report.ended {
            Ended::Signalled(number) => format!("{what}: signal {number}{}", signal_name(*number)),
            Ended::OutOfMemory => format!("{what}: it used more memory than it may"),
            Ended::Exited(status) if id == "JD-EXIT" => format!("{what}: exit status {status}"),
            _ => what.to_string(),
        };
        let errors = report.stderr_tail(SHOWN_ERRORS);
        Ok(JudgeStopped { fault: JudgeFault::new(id, how), answer: Vec::new(), errors })
    }
}
