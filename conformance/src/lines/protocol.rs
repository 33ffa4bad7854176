//! What the protocol of every game in lines asks of a bot, whatever is played: that it ends when its input does, keeps
//! nothing back, is one process, and plays in any surroundings. Games give these checks their ids.

use super::dialogue::{Dialogue, DialogueResult};
use super::session::DialogueSession;
use crate::attribution::Failure;
use crate::catalog::{Id, Severity};
use crate::fault::Fault;
use crate::job::JobResult;
use crate::runner::BotRunner;
use crate::special_conditions::{IN_FOREIGN_FOLDER, WITHOUT_ENVIRONMENT};
use crate::text::duration;
use cornerman_harness::sandbox::{Ended, SandboxError};
use std::io;
use std::time::Duration;

/// How long a bot may take to end by itself where that is looked at.
pub const PATIENT: Duration = Duration::from_secs(4);

/// Ends the bot's input: it is to end then, within `patience`, or it fails `eof`.
///
/// # Errors
/// When the system fails.
pub fn ends_with_its_input(talk: &mut DialogueSession, eof: Id, patience: Duration) -> io::Result<Fault> {
    talk.close_input();
    let rest = talk.read_unsolicited(patience)?;
    Ok(match rest.gone {
        true => Fault::of(eof, "at the end of its input").if_by_signal(),
        false if rest.flood => Fault::of(eof, "it went on writing without end when its input had ended"),
        false => {
            let waited = duration(patience);
            Fault::of(eof, format!("it was still running {waited} after the end of its input")).may_be_load()
        }
    })
}

/// The fault, of `check`, of a bot that has more than one process, or thread if those count; `when` says after what.
///
/// # Errors
/// When the system fails.
pub fn is_single(talk: &mut DialogueSession, check: Id, threads: bool, when: &str) -> io::Result<Option<Fault>> {
    let tasks = talk.tasks()?;
    let (processes, threads_count) = (tasks.processes, tasks.threads);
    Ok(match () {
        () if processes > 1 => Some(Fault::of(check, format!("{processes} processes after {when}"))),
        () if threads && threads_count > 1 && !talk.runtime_has_threads => {
            Some(Fault::of(check, format!("{threads_count} threads after {when}")))
        }
        () => None,
    })
}

/// What a dialogue in plain conditions shows. A grave trouble, but those of `harmless` checks, halts the whole check. A
/// bot that had to be made to end fails `eof`, and cannot be seen to leave processes behind, which is the check
/// `orphan`.
pub fn in_plain_conditions(
    dialogue: &Dialogue,
    mut result: DialogueResult,
    harmless: &[Id],
    eof: Id,
    orphan: Id,
) -> JobResult {
    let mut found = JobResult { failures: result.failures(dialogue, None), ..JobResult::default() };
    let grave = |failure: &&Failure| {
        let finding = &failure.finding;
        finding.severity == Severity::Must && !harmless.contains(&finding.symptom)
    };
    found.halted = found.failures.iter().find(grave).map(|failure| failure.finding.symptom);
    if found.halted.is_none() && result.evidence.report.ended == Ended::Stopped {
        let waited = duration(dialogue.grace / 2);
        let what = format!("it was still running {waited} after its game, when its input had ended");
        result.faults = vec![Fault::of(eof, what)];
        found.failures.extend(result.failures(dialogue, None));
        found.blocked = vec![(orphan, eof)];
    }
    found.plain = vec![result.evidence];
    found
}

impl BotRunner<'_> {
    /// `other` in place of a dialogue of a silent bot, if it shows that the bot had only kept back what it wrote: then
    /// it fails `flush`.
    ///
    /// # Errors
    /// When the sandbox failed.
    pub fn kept_back(
        &mut self,
        other: Dialogue,
        flush: Id,
    ) -> Result<Option<(Dialogue, DialogueResult)>, SandboxError> {
        let result = self.run_dialogue(&other)?;
        Ok(result.faults.iter().any(|fault| fault.id == flush).then_some((other, result)))
    }
}

impl Dialogue {
    /// The same with input byte by byte.
    #[must_use]
    pub fn byte_by_byte(self) -> Self {
        Dialogue { dribbled: true, ..self }
    }

    /// The same without an environment.
    #[must_use]
    pub fn without_environment(mut self) -> Self {
        WITHOUT_ENVIRONMENT(&mut self.request);
        self
    }

    /// The same in another folder.
    #[must_use]
    pub fn in_foreign_folder(mut self) -> Self {
        IN_FOREIGN_FOLDER(&mut self.request);
        self
    }

    /// The same while the file system is watched, in which a bot has time to end by itself.
    #[must_use]
    pub fn watched(mut self) -> Self {
        self.request.watch = true;
        Dialogue { grace: PATIENT, ..self }
    }
}
