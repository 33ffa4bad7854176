//! The checks that all games in lines share: a bot ends when its input ends, flushes its output, is one process, and
//! plays in any environment. Each game has its own ids for them.

use super::dialogue::{Dialogue, DialogueResult};
use super::session::DialogueSession;
use crate::attribution::Failure;
use crate::catalog::{Id, Severity};
use crate::fault::Fault;
use crate::job::JobResult;
use crate::runner::{IN_FOREIGN_FOLDER, WITHOUT_ENVIRONMENT};
use cornerman_harness::sandbox::{Ended, Environment};
use cornerman_harness::text::duration;
use std::io;
use std::time::Duration;

/// How long a bot may take to end by itself in dialogues that check this.
pub(crate) const PATIENT: Duration = Duration::from_secs(4);

/// Closes the bot's input. A bot that does not end within `patience` fails `eof`. If it ends in time, the returned
/// fault counts only if a signal killed the bot.
///
/// # Errors
/// When the system fails.
pub(crate) fn ends_with_its_input(
    session: &mut DialogueSession,
    eof: Id,
    patience: Duration,
) -> io::Result<Fault> {
    session.close_input();
    let rest = session.read_unsolicited(patience)?;
    Ok(if rest.gone {
        Fault::new(eof, "at the end of its input").if_by_signal()
    } else if rest.flood {
        Fault::new(eof, "it kept writing after its input had ended")
    } else {
        let waited = duration(patience);
        Fault::new(eof, format!("it was still running {waited} after the end of its input"))
    })
}

/// The fault of `check` if the bot has more than one process or, if `threads`, more than one thread. `when` says after
/// which event, for the report.
///
/// # Errors
/// When the system fails.
pub(crate) fn extra_processes(
    session: &mut DialogueSession,
    check: Id,
    threads: bool,
    when: &str,
) -> io::Result<Option<Fault>> {
    let tasks = session.tasks()?;
    let processes = tasks.processes;
    let threads_count = tasks.threads;
    Ok(match () {
        () if processes > 1 => Some(Fault::new(check, format!("{processes} processes after {when}"))),
        () if threads && threads_count > 1 && !session.runtime_has_threads => {
            Some(Fault::new(check, format!("{threads_count} threads after {when}")))
        }
        () => None,
    })
}

/// The result of a dialogue in plain conditions. A failed must ends the whole check, except those of `harmless` checks.
/// A bot that had to be stopped fails `eof`; whether it leaves processes behind, which is the check `orphan`, cannot be
/// judged then.
pub(crate) fn in_plain_conditions(
    dialogue: &Dialogue,
    mut result: DialogueResult,
    harmless: &[Id],
    eof: Id,
    orphan: Id,
) -> JobResult {
    let mut found = JobResult { failures: result.failures(dialogue, None), ..JobResult::default() };
    let is_must = |failure: &&Failure| {
        let finding = &failure.finding;
        finding.severity == Severity::Must && !harmless.contains(&finding.symptom)
    };
    found.halted = found.failures.iter().find(is_must).map(|failure| failure.finding.symptom);
    if found.halted.is_none() && result.evidence.report.ended == Ended::Stopped {
        let waited = duration(dialogue.grace / 2);
        let what = format!("it was still running {waited} after its game and the end of its input");
        result.faults = vec![Fault::new(eof, what)];
        found.failures.extend(result.failures(dialogue, None));
        found.blocked = vec![(orphan, eof)];
    }
    found.plain = vec![result.evidence];
    found
}

impl Dialogue {
    /// The same dialogue with input byte by byte.
    #[must_use]
    pub fn byte_by_byte(self) -> Self {
        Dialogue { dribbled: true, ..self }
    }

    /// The same dialogue with PATH as the only environment variable.
    #[must_use]
    pub fn without_environment(mut self) -> Self {
        WITHOUT_ENVIRONMENT(&mut self.request);
        self
    }

    /// The same dialogue in a working directory that is not the bot's own.
    #[must_use]
    pub fn in_foreign_folder(mut self) -> Self {
        IN_FOREIGN_FOLDER(&mut self.request);
        self
    }

    /// The same dialogue with everything changed that a bot may not depend on.
    #[must_use]
    pub fn in_other_surroundings(mut self) -> Self {
        self.request.environment = Environment::Varied;
        self
    }

    /// The same dialogue while the file system is watched. The bot has time to end by itself.
    #[must_use]
    pub fn watched(mut self) -> Self {
        self.request.watch = true;
        Dialogue { grace: PATIENT, ..self }
    }
}
