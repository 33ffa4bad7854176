//! Where scenes are played: one [`Table`] a worker, with a sandbox of its own. What may be the machine's doing is
//! not believed before the scene has been played again alone.

use super::runtime;
use super::talk::{Doubt, Fault, Ids, Script, Talk};
use super::transcript::{Entry, Said, Transcript};
use crate::budget::{Budget, Round, Task};
use crate::finding::{Evidence, Timing};
use crate::machine;
use crate::suite::Options;
use crate::trespass::{in_words, is_of_a_runtime, place, touched_always};
use crate::words::{duration, escaped, signal_name};
use cornerman_harness::bot::Bot;
use cornerman_harness::player::clock::GameClock;
use cornerman_harness::sandbox::{
    Conditions, Ended, Isolation, Order, RunReport, Sandbox, SandboxError, Session, Trespass,
};
use std::collections::BTreeSet;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// A doubtful fault is believed when it was seen so often.
const TIMES: usize = 3;

/// After a scene a bot has so long to end by itself before it is made to, unless the scene says otherwise.
pub const GRACE: Duration = Duration::from_millis(200);

/// A dialogue to be held.
pub struct Scene<'a> {
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
    pub script: Box<Script<'a>>,
}

impl Scene<'_> {
    /// The task of holding it.
    pub fn task(&self) -> Task<()> {
        Task { round: self.round, alone: self.order.watch, runs: 1, moves: self.moves, job: () }
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

/// What the workers at one bot know together.
pub struct Shared<'a> {
    /// The bot.
    pub bot: &'a Bot,
    /// The game's ids.
    pub ids: Ids,
    /// Whether the bot's language has threads of its own.
    pub runtime_has_threads: bool,
    /// Its clock, where the game has one (G3).
    pub clock: Option<GameClock>,
    /// How long the check may take.
    pub budget: Budget,
    conditions: Conditions,
    timing: Mutex<Timing>,
    chatter: Mutex<Option<(String, u64)>>,
    believed: Mutex<BTreeSet<&'static str>>,
}

impl<'a> Shared<'a> {
    /// Nothing known yet.
    pub fn new(bot: &'a Bot, ids: Ids, options: &Options) -> Shared<'a> {
        let conditions = Conditions { watchful: true, ..options.conditions };
        Shared {
            bot,
            ids,
            runtime_has_threads: runtime::has_threads(&bot.program),
            clock: None,
            budget: Budget::begin(options),
            conditions,
            timing: Mutex::default(),
            chatter: Mutex::default(),
            believed: Mutex::default(),
        }
    }

    /// The same, of a game with a clock.
    #[must_use]
    pub fn with_clock(self, clock: GameClock) -> Shared<'a> {
        Shared { clock: Some(clock), ..self }
    }

    /// The times so far.
    pub fn timing(&self) -> Timing {
        locked(&self.timing).clone()
    }

    /// A remark on a bot that writes to standard error, if it does.
    pub fn chatter(&self) -> Option<String> {
        let chatter = locked(&self.chatter);
        let told = |(case, bytes): &(String, u64)| {
            format!("it writes to standard error ({bytes} bytes in `{case}`); silence is better")
        };
        chatter.as_ref().map(told)
    }

    fn note(&self, scene: &Scene, slowest: Option<(String, Duration)>, report: &RunReport) {
        let mut timing = locked(&self.timing);
        timing.runs += 1;
        if let Some((place, took)) = slowest
            && timing.slowest.as_ref().is_none_or(|(_, known)| took > *known)
        {
            timing.slowest = Some((format!("{} {place}", scene.case), took));
        }
        drop(timing);
        // Last words on an error are no chatter.
        if report.errors_total > 0 && matches!(report.ended, Ended::Exited(0) | Ended::Stopped) {
            locked(&self.chatter).get_or_insert_with(|| (scene.case.clone(), report.errors_total));
        }
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A worker's hold on the bot.
pub struct Table<'a> {
    /// What all workers know.
    pub shared: &'a Shared<'a>,
    isolation: Isolation,
    /// None while the bot is in dialogue, and after a failure.
    sandbox: Option<Sandbox>,
}

impl<'a> Table<'a> {
    /// Opens a sandbox for the bot.
    ///
    /// # Errors
    /// When there is none to be had.
    pub fn open(shared: &'a Shared<'a>) -> Result<Table<'a>, SandboxError> {
        let sandbox = Sandbox::open(&shared.bot.program, &shared.bot.limits, shared.conditions)?;
        Ok(Table { shared, isolation: sandbox.isolation().clone(), sandbox: Some(sandbox) })
    }

    /// How well the bot is shut in.
    pub fn isolation(&self) -> Isolation {
        self.isolation.clone()
    }

    /// Plays `scene`, again and alone if what was seen is doubtful.
    ///
    /// # Errors
    /// When the sandbox failed.
    pub fn hold(&mut self, scene: &Scene) -> Result<Held, SandboxError> {
        let held = match scene.order.watch {
            true => self.alone(scene)?,
            false => {
                let shared_machine = machine::shared();
                let held = self.play(scene);
                drop(shared_machine);
                held?
            }
        };
        let doubtful = |held: &Held| held.faults.iter().find(|fault| fault.doubt == Some(Doubt::Load)).cloned();
        let Some(first) = doubtful(&held) else { return Ok(held) };
        let mut seen = vec![held];
        while seen.len() < TIMES && !locked(&self.shared.believed).contains(first.id) {
            let again = self.alone(scene)?;
            if !again.faults.iter().any(|fault| fault.id == first.id) {
                return Ok(again);
            }
            seen.push(again);
        }
        if self.always_touched(&mut seen, &first) {
            locked(&self.shared.believed).insert(first.id);
        }
        Ok(seen.swap_remove(0))
    }

    /// Files count only if they were touched each time: other programs write to the same folders, but hardly to the
    /// same place each time. Whether the fault is still one.
    fn always_touched(&self, seen: &mut [Held], fault: &Fault) -> bool {
        if self.shared.ids.fresh != fault.id {
            return true;
        }
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

    fn alone(&mut self, scene: &Scene) -> Result<Held, SandboxError> {
        let alone = machine::alone();
        let held = self.play(scene);
        drop(alone);
        held
    }

    /// Plays `scene` once. A sandbox that fails once is replaced; one that fails again is a failure of the kit.
    fn play(&mut self, scene: &Scene) -> Result<Held, SandboxError> {
        self.play_in_sandbox(scene).or_else(|_| self.play_in_sandbox(scene))
    }

    fn play_in_sandbox(&mut self, scene: &Scene) -> Result<Held, SandboxError> {
        let shared = self.shared;
        let bot = shared.bot;
        let sandbox = match self.sandbox.take() {
            Some(sandbox) => sandbox,
            None => Sandbox::open(&bot.program, &bot.limits, self.shared.conditions)?,
        };
        let began = Instant::now();
        let mut talk = match sandbox.start(&scene.order)? {
            Ok(session) => Talk::new(session, self.shared, scene.dribbled, began),
            Err((report, sandbox)) => {
                self.sandbox = Some(sandbox);
                self.shared.note(scene, None, &report);
                return Ok(not_started(scene, *report, self.shared.ids.start));
            }
        };
        let fault = (scene.script)(&mut talk).map_err(SandboxError::Lost)?;
        let Talk { session, transcript, slowest, answers, thought, .. } = talk;
        if let Some((_, slowest)) = &slowest {
            // The slowest of a dialogue is the first one, as a rule, and longer than what the others take.
            shared.budget.note(answers - 1, thought - *slowest);
        }
        let (report, transcript, sandbox) = end(session, scene, transcript, began)?;
        self.sandbox = Some(sandbox);
        self.shared.note(scene, slowest.clone(), &report);
        let faults = self.faults(scene, fault, slowest, &report);
        let report = RunReport { output: transcript.heard(), ..report };
        let evidence = Evidence { order: scene.order.clone(), state: None, report, transcript: Some(transcript) };
        Ok(Held { faults, evidence })
    }

    fn faults(
        &self,
        scene: &Scene,
        fault: Option<Fault>,
        slowest: Option<(String, Duration)>,
        report: &RunReport,
    ) -> Vec<Fault> {
        let Ids { signal, orphan, stderr, time, fresh, .. } = self.shared.ids;
        let limits = &self.shared.bot.limits;
        let mut faults: Vec<Fault> =
            fault.and_then(|fault| at_the_end(fault, report, limits.memory, signal)).into_iter().collect();
        if let (true, Some((place, took))) = (faults.is_empty(), slowest)
            && took > limits.soft
        {
            let limit = duration(limits.soft);
            let what = format!("{place}: the answer took {}; the soft limit is {limit}", duration(took));
            faults.push(Fault::of(time, what).warning().late().aside());
        }
        // Who was made to end cannot have tidied up.
        if report.leftovers > 0 && report.ended != Ended::Stopped {
            let (processes, were) = if report.leftovers == 1 { ("process", "was") } else { ("processes", "were") };
            let what = format!("{} {processes} {were} still running when the program had ended", report.leftovers);
            faults.push(Fault::of(orphan, what).late().aside());
        }
        if let Some(id) = stderr.filter(|_| report.errors_total > limits.errors as u64) {
            let what = format!("{} bytes on standard error in one game", report.errors_total);
            faults.push(Fault::of(id, what).aside());
        }
        let touched: Vec<&Trespass> =
            report.trespasses.iter().filter(|trespass| !is_of_a_runtime(&trespass.path)).collect();
        if scene.order.watch && !touched.is_empty() {
            faults.push(Fault::of(fresh, format!("it {}", in_words(&touched))).late());
        }
        faults
    }
}

fn not_started(scene: &Scene, report: RunReport, start: &'static str) -> Held {
    let why = match &report.ended {
        Ended::CannotStart { why, .. } => escaped(why.as_bytes()),
        other => format!("{other:?}"),
    };
    let evidence =
        Evidence { order: scene.order.clone(), state: None, report, transcript: Some(Transcript::default()) };
    Held { faults: vec![Fault::of(start, format!("it cannot be started: {why}"))], evidence }
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
        Ended::Signalled(signal) => format!("it died by signal {signal}{}", signal_name(*signal)),
        Ended::OutOfMemory => "it was killed for using too much memory".to_string(),
        _ => "it was made to end".to_string(),
    };
    transcript.0.push(Entry { at: began.elapsed(), said: Said::Event(how) });
    Ok((report, transcript, sandbox))
}

/// The fault of a bot that is gone, in the words of its end: by a signal, or by itself with a status.
fn at_the_end(fault: Fault, report: &RunReport, memory: u64, signal: &'static str) -> Option<Fault> {
    let Fault { id, what, .. } = &fault;
    let (by_signal, how) = match report.ended {
        Ended::Signalled(number) => (true, format!("it died by signal {number}{}", signal_name(number))),
        Ended::OutOfMemory => (true, format!("it was killed for using more than {} MiB of memory", memory >> 20)),
        Ended::Exited(status) => (false, format!("it ended with status {status}")),
        _ => (false, "it closed its output".to_string()),
    };
    let what = format!("{what}: {how}");
    match fault.doubt {
        Some(Doubt::End) => Some(Fault { id: if by_signal { signal } else { id }, what, doubt: None, ..fault }),
        Some(Doubt::Signal) => by_signal.then_some(Fault { what, doubt: None, ..fault }),
        _ => Some(fault),
    }
}
