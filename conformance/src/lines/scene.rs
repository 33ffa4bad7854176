//! Dialogues to be held, and how a bench holds them.

use super::talk::{Script, Talk};
use super::transcript::{Entry, Said, Transcript};
use crate::bench::{Bench, Repeated, Repeats};
use crate::budget::Round;
use crate::catalog::Id;
use crate::fault::{Fault, Suspicion, beside, killed, not_started};
use crate::finding::Evidence;
use crate::job::{Found, Job};
use crate::settle::Trouble;
use crate::trespass::{in_words, is_of_a_runtime, place, touched_always};
use crate::words::duration;
use cornerman_harness::sandbox::{Ended, Order, RunReport, Sandbox, SandboxError, Session, Trespass};
use cornerman_harness::signal;
use std::time::{Duration, Instant};

/// A doubtful fault is believed when two more dialogues show it, unless it was believed of the bot before.
const REPEATS: Repeats = Repeats { most: 2, believing: true };

/// After a scene a bot has this long to end by itself before it is made to, unless the scene says otherwise.
pub const GRACE: Duration = Duration::from_millis(200);

/// A dialogue to be held.
pub struct Scene {
    /// The check with special conditions that it is for; `None`: it shows the bot in plain conditions.
    pub check: Option<&'static str>,
    /// Its name in reports.
    pub case: String,
    /// What it is.
    pub about: String,
    /// What the bot is started with. If it is watched, nothing else runs meanwhile.
    pub order: Order,
    /// Whether the bot gets its input byte by byte.
    pub dribbled: bool,
    /// How long it has to end by itself once its input has ended.
    pub grace: Duration,
    /// When it is held.
    pub round: Round,
    /// How many moves the bot makes in it, about.
    pub moves: u32,
    /// What is said.
    pub script: Script,
}

impl Scene {
    fn evidence(&self, report: RunReport, transcript: Transcript) -> Evidence {
        Evidence { order: self.order.clone(), state: None, report, transcript: Some(transcript) }
    }

    /// The job of holding it with `run`, for its check.
    pub fn job(self, run: impl FnOnce(&mut Bench, &Scene) -> Result<Found, SandboxError> + Send + 'static) -> Job {
        let (round, alone, moves) = (self.round, self.order.watch, self.moves);
        let checks: Vec<Id> = self.check.into_iter().collect();
        Job { round, alone, moves, ..Job::new(&checks, 1, move |bench| run(bench, &self)) }
    }
}

/// A dialogue that was held.
#[derive(Clone, Debug)]
pub struct Held {
    /// What the bot did wrong; the first is what the script saw, if it saw something.
    pub faults: Vec<Fault>,
    /// All of it.
    pub evidence: Evidence,
}

impl Held {
    /// The troubles of the dialogue of `scene`, one a fault, as seen under the special conditions of the check `seen_by`.
    pub fn troubles(&self, scene: &Scene, seen_by: Option<Id>) -> Vec<Trouble> {
        let trouble = |fault: &Fault| {
            let finding = fault.clone().finding(&scene.case, &scene.about, self.evidence.clone());
            Trouble::new(seen_by.filter(|_| !fault.aside), finding)
        };
        self.faults.iter().map(trouble).collect()
    }
}

impl Bench<'_> {
    /// Holds `scene`, again and alone if what was seen is doubtful: the first one counts then.
    ///
    /// # Errors
    /// When the sandbox failed.
    pub fn hold(&mut self, scene: &Scene) -> Result<Held, SandboxError> {
        let held = match scene.order.watch {
            true => self.alone(|bench| bench.play(scene))?,
            false => self.beside_others(|bench| bench.play(scene))?,
        };
        let by_load = |fault: &&Fault| fault.suspicion == Some(Suspicion::Load);
        let Some(doubtful) = held.faults.iter().find(by_load).cloned() else { return Ok(held) };
        let again = |bench: &mut Self| bench.play(scene);
        let shows = |_: &Self, held: &Held| held.faults.iter().any(|fault| fault.id == doubtful.id);
        let mut seen = match self.repeat(held, doubtful.id, REPEATS, again, shows)? {
            Repeated::Vanished(held) => return Ok(held),
            Repeated::Always(seen) => seen,
        };
        if self.shared.ids.fresh != doubtful.id || always_touched(&mut seen, &doubtful) {
            self.shared.believe(doubtful.id);
        }
        Ok(seen.swap_remove(0))
    }

    /// The troubles of `scene`. What special conditions do not show a second time is intermittent, and not their doing.
    ///
    /// # Errors
    /// When the sandbox failed.
    pub fn troubles(&mut self, scene: &Scene) -> Result<(Vec<Trouble>, Held), SandboxError> {
        let held = self.hold(scene)?;
        let mut troubles = held.troubles(scene, scene.check);
        if troubles.iter().any(|trouble| trouble.special_check().is_some()) {
            let again = self.hold(scene)?;
            for trouble in troubles.iter_mut().filter(|trouble| trouble.special_check().is_some()) {
                if !again.faults.iter().any(|fault| fault.id == trouble.finding.symptom) {
                    trouble.is_intermittent();
                }
            }
        }
        Ok((troubles, held))
    }

    /// Holds `scene` once. A sandbox that fails once is replaced; one that fails again is a failure of the kit.
    fn play(&mut self, scene: &Scene) -> Result<Held, SandboxError> {
        self.play_in_sandbox(scene).or_else(|_| self.play_in_sandbox(scene))
    }

    fn play_in_sandbox(&mut self, scene: &Scene) -> Result<Held, SandboxError> {
        let shared = self.shared;
        let sandbox = self.take_sandbox()?;
        let began = Instant::now();
        let mut talk = match sandbox.start(&scene.order)? {
            Ok(session) => Talk::new(session, shared, scene.dribbled, began),
            Err((report, sandbox)) => {
                self.put_sandbox(sandbox);
                shared.note(&scene.case, true, None, &report);
                let why =
                    not_started(&report).unwrap_or_else(|| format!("it cannot be started: {:?}", report.ended));
                let evidence = scene.evidence(*report, Transcript::default());
                return Ok(Held { faults: vec![Fault::of(shared.ids.start, why)], evidence });
            }
        };
        let fault = (scene.script)(&mut talk).map_err(SandboxError::Lost)?;
        let Talk { session, transcript, slowest, answers, thought, .. } = talk;
        if let Some((_, slowest)) = &slowest {
            // The slowest of a dialogue is the first one, as a rule, and longer than what the others take.
            shared.budget.note(answers - 1, thought - *slowest);
        }
        let (report, transcript, sandbox) = end(session, scene, transcript, began)?;
        self.put_sandbox(sandbox);
        let placed = slowest.clone().map(|(place, took)| (format!("{} {place}", scene.case), took));
        shared.note(&scene.case, true, placed, &report);
        let faults = self.faults(scene, fault, slowest, &report);
        let report = RunReport { output: transcript.heard(), ..report };
        Ok(Held { faults, evidence: scene.evidence(report, transcript) })
    }

    fn faults(
        &self,
        scene: &Scene,
        fault: Option<Fault>,
        slowest: Option<(String, Duration)>,
        report: &RunReport,
    ) -> Vec<Fault> {
        let (ids, limits) = (&self.shared.ids, &self.shared.bot.limits);
        let how = killed(report, limits);
        let fault = fault.and_then(|fault| at_the_end(fault, report, how, ids.signal));
        let slow = slowest.filter(|(_, took)| fault.is_none() && *took > limits.soft);
        let slow = slow.map(|(place, took)| format!("{place}: the answer took {}", duration(took)));
        let mut faults: Vec<Fault> = fault.into_iter().chain(beside(ids, limits, report, slow, "game")).collect();
        let touched: Vec<&Trespass> =
            report.trespasses.iter().filter(|trespass| !is_of_a_runtime(&trespass.path)).collect();
        if scene.order.watch && !touched.is_empty() {
            faults.push(Fault::of(ids.fresh, format!("it {}", in_words(&touched))).late());
        }
        faults
    }
}

/// Files count only if they were touched each time: other programs write to the same folders, but hardly to the same
/// place each time. Whether the fault is still one.
fn always_touched(seen: &mut [Held], fault: &Fault) -> bool {
    let runs: Vec<Evidence> = seen.iter().map(|held| held.evidence.clone()).collect();
    let always = touched_always(&runs);
    let of_bot = |trespass: &&Trespass| always.contains(&place(&trespass.path));
    let touched: Vec<&Trespass> = runs[0].report.trespasses.iter().filter(of_bot).collect();
    seen[0].faults.retain(|other| other.id != fault.id);
    if !touched.is_empty() {
        let what = format!("it {}", in_words(&touched));
        seen[0].faults.push(Fault { what, ..fault.clone() });
    }
    !touched.is_empty()
}

fn end(
    session: Session,
    scene: &Scene,
    mut transcript: Transcript,
    began: Instant,
) -> Result<(RunReport, Transcript, Sandbox), SandboxError> {
    let (report, sandbox) = session.finish(scene.grace)?;
    let how = match &report.ended {
        Ended::Exited(status) => format!("it ended with status {status}"),
        Ended::Signalled(signal) => format!("it died by signal {signal}{}", signal::name(*signal)),
        Ended::OutOfMemory => "it was killed for using too much memory".to_string(),
        _ => "it was made to end".to_string(),
    };
    transcript.0.push(Entry { at: began.elapsed(), said: Said::Event(how) });
    Ok((report, transcript, sandbox))
}

/// The fault of a bot that is gone, in the words of its end: `killed` by the system, or by itself with a status.
fn at_the_end(fault: Fault, report: &RunReport, killed: Option<String>, signal: Id) -> Option<Fault> {
    let was_killed = killed.is_some();
    let how = killed.unwrap_or_else(|| match report.ended {
        Ended::Exited(status) => format!("it ended with status {status}"),
        _ => "it closed its output".to_string(),
    });
    let what = format!("{}: {how}", fault.what);
    match fault.suspicion {
        Some(Suspicion::End) if was_killed => Some(Fault { id: signal, what, suspicion: None, ..fault }),
        Some(Suspicion::End) => Some(Fault { what, suspicion: None, ..fault }),
        Some(Suspicion::Signal) => was_killed.then_some(Fault { what, suspicion: None, ..fault }),
        _ => Some(fault),
    }
}
