//! What the protocol of every game in lines asks of a bot, whatever is played: that it ends when its input does, keeps
//! nothing back, is one process, and plays in any surroundings. Games give these checks their ids.

use super::scene::{Held, Scene};
use super::talk::Talk;
use crate::bench::Bench;
use crate::catalog::{Id, Severity};
use crate::fault::Fault;
use crate::job::Found;
use crate::settle::Trouble;
use crate::surroundings::{ELSEWHERE, WITHOUT_ENVIRONMENT};
use crate::words::duration;
use cornerman_harness::sandbox::{Ended, SandboxError};
use std::io;
use std::time::Duration;

/// How long a bot may take to end by itself where that is looked at.
pub const PATIENT: Duration = Duration::from_secs(4);

/// Ends the bot's input: it is to end then, within `patience`, or it fails `eof`.
///
/// # Errors
/// When the system fails.
pub fn ends_with_its_input(talk: &mut Talk, eof: Id, patience: Duration) -> io::Result<Fault> {
    talk.close_input();
    let rest = talk.listen(patience)?;
    Ok(match rest.gone {
        true => Fault::of(eof, "at the end of its input").if_by_signal(),
        false if rest.flood => Fault::of(eof, "it went on writing without end when its input had ended"),
        false => {
            let waited = duration(patience);
            Fault::of(eof, format!("it was still running {waited} after the end of its input")).late()
        }
    })
}

/// The fault, of `check`, of a bot that has more than one process, or thread if those count; `when` says after what.
///
/// # Errors
/// When the system fails.
pub fn is_single(talk: &mut Talk, check: Id, threads: bool, when: &str) -> io::Result<Option<Fault>> {
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

/// What a dialogue in plain conditions shows. A grave trouble, but those of `harmless` checks, halts the whole check. A bot
/// that had to be made to end fails `eof`, and cannot be seen to leave processes behind, which is the check `orphan`.
pub fn in_plain_conditions(scene: &Scene, mut held: Held, harmless: &[Id], eof: Id, orphan: Id) -> Found {
    let mut found = Found { troubles: held.troubles(scene, None), ..Found::default() };
    let grave = |trouble: &&Trouble| {
        let finding = &trouble.finding;
        finding.severity == Severity::Must && !harmless.contains(&finding.symptom)
    };
    found.halted = found.troubles.iter().find(grave).map(|trouble| trouble.finding.symptom);
    if found.halted.is_none() && held.evidence.report.ended == Ended::Stopped {
        let waited = duration(scene.grace / 2);
        let what = format!("it was still running {waited} after its game, when its input had ended");
        held.faults = vec![Fault::of(eof, what)];
        found.troubles.extend(held.troubles(scene, None));
        found.blocked = vec![(orphan, eof)];
    }
    found.plain = vec![held.evidence];
    found
}

impl Bench<'_> {
    /// `other` in place of a dialogue of a silent bot, if it shows that the bot had only kept back what it wrote: then it
    /// fails `flush`.
    ///
    /// # Errors
    /// When the sandbox failed.
    pub fn kept_back(&mut self, other: Scene, flush: Id) -> Result<Option<(Scene, Held)>, SandboxError> {
        let held = self.hold(&other)?;
        Ok(held.faults.iter().any(|fault| fault.id == flush).then_some((other, held)))
    }
}

impl Scene {
    /// The same with input byte by byte.
    #[must_use]
    pub fn byte_by_byte(self) -> Self {
        Scene { dribbled: true, ..self }
    }

    /// The same without an environment.
    #[must_use]
    pub fn without_environment(mut self) -> Self {
        WITHOUT_ENVIRONMENT(&mut self.order);
        self
    }

    /// The same in another folder.
    #[must_use]
    pub fn elsewhere(mut self) -> Self {
        ELSEWHERE(&mut self.order);
        self
    }

    /// The same while the file system is watched, in which a bot has time to end by itself.
    #[must_use]
    pub fn watched(mut self) -> Self {
        self.order.watch = true;
        Scene { grace: PATIENT, ..self }
    }
}
