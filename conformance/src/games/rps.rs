//! The suite of rock-paper-scissors: which dialogues a bot is held in, and what comes of them.
//!
//! One dialogue in plain conditions comes first. Only a bot that can play it is held in all others, which are for
//! one check each: odd opponents, lengths, seeds, surroundings. What a check says is in `catalog/rps.toml`.

mod foe;
mod id;
mod play;
mod scenes;
mod script;

use super::{Asked, Suite};
use crate::budget::{Round, Task};
use crate::catalog::Severity;
use crate::finding::{BotReport, LeftOut};
use crate::lines::{Doubt, Ids, Scene, Seen, Shared, Table, Trouble, results, troubles};
use crate::suite::{Progress, SuiteError};
use cornerman_harness::bot::Bot;
use cornerman_harness::sandbox::{Ended, SandboxError};

/// The suite, as all games know it.
pub struct Rps;

const IDS: Ids = Ids {
    start: id::NAME,
    signal: id::SIGNAL,
    orphan: id::ORPHAN,
    stderr: Some(id::STDERR),
    time: id::TIME,
    fresh: id::FRESH,
};

impl Suite for Rps {
    fn game(&self) -> &'static str {
        "rps"
    }

    fn check(
        &self,
        bot: &Bot,
        asked: &Asked,
        progress: &mut dyn FnMut(Progress),
    ) -> Result<BotReport, SuiteError> {
        let mut report = BotReport::unchecked(self.game(), bot, asked.options.seed);
        let shared = Shared::new(bot, IDS, asked.options);
        let mut table = match Table::open(&shared) {
            Ok(table) => table,
            Err(refused @ (SandboxError::LevelRefused { .. } | SandboxError::NotReady)) => {
                return Err(refused.into());
            }
            Err(failed) => {
                report.kit_failure = Some(failed.to_string());
                return Ok(report);
            }
        };
        report.isolation = Some(table.isolation());
        match look(&mut table, asked, progress) {
            Ok((seen, left_out)) => {
                report.results = results(self.catalogue(), &seen, asked.selected);
                report.left_out = left_out;
            }
            Err(failed) => report.kit_failure = Some(failed.to_string()),
        }
        report.timing = shared.timing();
        report.remarks.extend(shared.chatter());
        Ok(report)
    }
}

/// Work for one worker.
struct Job<'a> {
    /// Where what comes of it stands in the report.
    place: usize,
    /// What it is for.
    checks: Vec<&'static str>,
    /// The work; the bot's name in plain conditions is given to it.
    #[expect(clippy::type_complexity, reason = "it is named here and nowhere else")]
    run: Box<dyn FnOnce(&mut Table, &[u8]) -> Result<Found, SandboxError> + Send + 'a>,
}

/// What a job brought.
#[derive(Default)]
struct Found {
    troubles: Vec<Trouble>,
    judged: Vec<&'static str>,
    blocked: Vec<(&'static str, &'static str)>,
}

/// Holds the dialogues that there is time for.
fn look(
    table: &mut Table,
    asked: &Asked,
    progress: &mut dyn FnMut(Progress),
) -> Result<(Seen, Option<LeftOut>), SandboxError> {
    let shared = table.shared;
    let bot = &shared.bot.name;
    let tasks = jobs(asked);
    let jobs = 1 + tasks.len();
    progress(Progress::Started { bot, jobs });
    let (mut seen, name) = plainly(table)?;
    let mut done = 1;
    progress(Progress::Advanced { bot, done, jobs });
    if seen.halted.is_some() {
        return Ok((seen, None));
    }
    let note = |trouble: &Trouble| shared.budget.note_trouble(trouble.check(), trouble.finding.severity);
    seen.troubles.iter().for_each(note);
    let mut all: Vec<(usize, Result<Found, SandboxError>)> = Vec::new();
    let remainder = shared.budget.spend(
        tasks,
        || Table::open(shared).map_err(|failed| (usize::MAX, Err(failed))),
        |table, job: Job| (job.place, (job.run)(table, &name)),
        &mut |(place, found): (usize, Result<Found, SandboxError>)| {
            done += 1;
            progress(Progress::Advanced { bot, done, jobs });
            found.iter().flat_map(|found| &found.troubles).for_each(note);
            all.push((place, found));
        },
    );
    progress(Progress::Advanced { bot, done: jobs, jobs });
    // Whoever was done first, the report is the same.
    all.sort_by_key(|(place, _)| *place);
    for (_, found) in all {
        let found = found?;
        seen.troubles.extend(found.troubles);
        seen.judged.extend(found.judged);
        seen.blocked.extend(found.blocked);
    }
    let left_out = shared.budget.left_out(&remainder, shared.timing().runs);
    let checks = remainder.left.iter().flat_map(|task| task.job.checks.iter().copied());
    seen.leave_out(checks, left_out.map(|left_out| left_out.why));
    Ok((seen, left_out))
}

/// The jobs for what is selected, in the order of the report: first those beside each other, then those that need the
/// machine alone.
fn jobs<'a>(asked: &Asked) -> Vec<Task<Job<'a>>> {
    let wanted = |id: &str| asked.selected.contains(id);
    let seed = asked.options.seed;
    let scenes = scenes::special(seed).into_iter();
    let scenes = scenes.filter(|scene| scene.check.is_some_and(wanted));
    let (watched, usual): (Vec<Scene>, Vec<Scene>) = scenes.partition(|scene| scene.order.watch);
    let mut tasks: Vec<Task<Job>> = usual.into_iter().map(of_scene).collect();
    if wanted(id::DETERMINISM) || wanted(id::IGNORES) {
        for (round, rounds) in [(Round::Later, play::ROUNDS), (Round::Short, play::FEW_ROUNDS)] {
            let checks = vec![id::DETERMINISM, id::IGNORES];
            let run = Box::new(move |table: &mut Table, _: &[u8]| play::compared(table, seed, rounds));
            let (runs, moves) = (play::GAMES as u32, (play::GAMES * rounds) as u32);
            tasks.push(Task { round, alone: false, runs, moves, job: Job { place: 0, checks, run } });
        }
    }
    tasks.extend(watched.into_iter().map(of_scene));
    tasks.iter_mut().enumerate().for_each(|(place, task)| task.job.place = place);
    tasks
}

fn of_scene(scene: Scene<'_>) -> Task<Job<'_>> {
    let checks: Vec<&'static str> = scene.check.into_iter().collect();
    let judged = checks.clone();
    let task = scene.task();
    let run = Box::new(move |table: &mut Table, name: &[u8]| {
        let (mut found, mut held) = troubles(table, &scene)?;
        let called = held.evidence.transcript.as_ref().and_then(script::name);
        if let Some(other) = called.filter(|other| other != name) {
            held.faults = vec![script::renamed(name, &other)];
            found.extend(Trouble::of(None, &scene, &held));
        }
        Ok(Found { troubles: found, judged, ..Found::default() })
    });
    task.with(Job { place: 0, checks, run })
}

/// The dialogue in plain conditions: what it shows, and the bot's name.
fn plainly(table: &mut Table) -> Result<(Seen, Vec<u8>), SandboxError> {
    let mut scene = scenes::plain();
    let mut held = table.hold(&scene)?;
    // Nothing came in time: perhaps it was written, and only kept back.
    let silent =
        held.faults.iter().any(|fault| script::SILENT.contains(&fault.id) && fault.doubt == Some(Doubt::Load));
    if silent && script::hands(&held).is_empty() {
        let other = scenes::kept_back();
        let kept_back = table.hold(&other)?;
        if kept_back.faults.iter().any(|fault| fault.id == id::FLUSH) {
            (scene, held) = (other, kept_back);
        }
    }
    let mut seen = Seen { troubles: Trouble::of(None, &scene, &held), ..Seen::default() };
    let script_failed = |trouble: &&Trouble| {
        let finding = &trouble.finding;
        finding.severity == Severity::Must && ![id::ORPHAN, id::STDERR].contains(&finding.symptom)
    };
    seen.halted = seen.troubles.iter().find(script_failed).map(|trouble| trouble.finding.symptom);
    if seen.halted.is_none() {
        seen.judged.extend(id::PLAIN.into_iter().chain([id::ORPHAN]));
        if held.evidence.report.ended == Ended::Stopped {
            // Who does not end by itself cannot be seen to leave something behind.
            held.faults = vec![script::stays(&scene)];
            seen.troubles.extend(Trouble::of(None, &scene, &held));
            seen.blocked.insert(id::ORPHAN, id::EOF);
        }
    }
    let name = held.evidence.transcript.as_ref().and_then(script::name).unwrap_or_default();
    Ok((seen, name))
}
