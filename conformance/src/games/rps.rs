//! The suite of rock-paper-scissors.
//!
//! It begins with one dialogue in plain conditions. A bot that can play it is tested further, in dialogues for one
//! check each: with other opponents, lengths, seeds and environments. The texts of the checks are in
//! `catalog/rps.toml`.

mod dialogues;
mod id;
mod opponent;
mod play;
mod script;

use super::probe::{Probe, Recognition};
use super::{CheckRequest, Suite};
use crate::attribution::Observations;
use crate::budget::Round;
use crate::catalog::Catalogue;
use crate::fault::{CommonCheckIds, Fault};
use crate::finding::Evidence;
use crate::job::{Job, JobResult, Run};
use crate::lines::Dialogue;
use crate::lines::protocol::in_plain_conditions;
use crate::runner::BotRunner;
use crate::shared::SharedState;
use cornerman::games::rps::Hand;
use cornerman_harness::kit::AnyKit;
use cornerman_harness::sandbox::SandboxError;
use play::FirstGame;
use std::sync::{Arc, LazyLock};

/// The checks of the suite.
pub fn catalogue() -> &'static Catalogue {
    static CATALOGUE: LazyLock<Catalogue> =
        LazyLock::new(|| Catalogue::read("rps", include_str!("../../catalog/rps.toml")));
    &CATALOGUE
}

/// The suite of rock-paper-scissors.
pub struct Rps;

impl Suite for Rps {
    fn catalogue(&self) -> &'static Catalogue {
        catalogue()
    }

    fn kit(&self) -> &'static dyn AnyKit {
        &cornerman_harness::games::rps::KIT
    }

    fn ids(&self) -> CommonCheckIds {
        CommonCheckIds {
            start: id::NAME,
            signal: id::SIGNAL,
            orphan: id::ORPHAN,
            stderr: Some(id::STDERR),
            time: id::TIME,
            slow: id::TIME,
            fresh: id::FRESH,
            foreign_state: None,
            helpers: Some(id::THREADS),
            counts_threads: true,
            exit: None,
            endless: id::ONE,
        }
    }

    fn phase_jobs(
        &self,
        request: &CheckRequest,
        _: &SharedState,
        seen: &Observations,
        phase: usize,
    ) -> Option<Vec<Job>> {
        match phase {
            0 => Some(vec![Job::new(&[&id::PLAIN[..], &[id::ORPHAN]].concat(), 1, plain)]),
            1 => Some(jobs(request, &seen.plain.first().and_then(name).unwrap_or_default())),
            _ => None,
        }
    }

    /// Recognizes a bot that writes a line unprompted, and shows a hand after it was sent a seed and the number of
    /// rounds (R3–R5).
    fn recognize(&self, probe: &mut Probe) -> Result<Recognition, SandboxError> {
        let plays = probe.hold_dialogue(Vec::new(), |bot| {
            if bot.line()?.is_none() {
                return Ok(false);
            }
            bot.send(b"1\n2\n")?;
            Ok(bot.line()?.is_some_and(|line| is_meant_as_a_hand(&line)))
        })?;
        Ok(if plays { Recognition::Yes("it sends a name and then a hand") } else { Recognition::No })
    }
}

/// Whether `line` is a hand, or another word for one, with which the bot fails the check of its hands.
fn is_meant_as_a_hand(line: &[u8]) -> bool {
    const WORDS: [&str; 7] = ["rock", "paper", "scissors", "stone", "r", "p", "s"];
    let word = String::from_utf8_lossy(line).trim().to_lowercase();
    Hand::read(line).is_ok() || WORDS.contains(&word.as_str()) || word.parse::<i8>().is_ok()
}

/// The jobs for the selected checks: first those that can run in parallel, then those during which nothing else may
/// run. `name` is the bot's name in plain conditions.
fn jobs(request: &CheckRequest, name: &[u8]) -> Vec<Job> {
    let wanted = |id: &str| request.selected.contains(id);
    let seed = request.seed;
    let dialogues = dialogues::special(seed).into_iter();
    let dialogues = dialogues.filter(|dialogue| dialogue.check.is_some_and(wanted));
    let (watched, usual): (Vec<Dialogue>, Vec<Dialogue>) = dialogues.partition(|dialogue| dialogue.request.watch);
    let dialogue_job = |dialogue: Dialogue| dialogue_job(dialogue, name.to_vec());
    let mut jobs: Vec<Job> = usual.into_iter().map(dialogue_job).collect();
    let (mut compared, mut again) = (Vec::new(), Vec::new());
    for (round, rounds) in [(Round::Later, play::ROUNDS), (Round::Short, play::FEW_ROUNDS)] {
        let first = Arc::new(FirstGame::default());
        let games = |check, games: usize, run| {
            let moves = (games * rounds) as u32;
            Job { moves, ..Job::new(&[check], games as u32, run) }.in_round(round)
        };
        let shared = first.clone();
        let run: Run = Box::new(move |runner| play::ignores(runner, seed, rounds, &shared));
        compared.push(games(id::IGNORES, play::GAMES, run));
        let run: Run = Box::new(move |runner| play::again(runner, seed, rounds, &first));
        again.push(games(id::DETERMINISM, 1, run));
    }
    let wanted_job = |job: &Job| job.checks.iter().any(|check| wanted(check));
    jobs.extend(compared.into_iter().filter(wanted_job));
    jobs.extend(watched.into_iter().map(dialogue_job));
    // Last, because it waits until enough time has passed since the game with which it is compared.
    jobs.extend(again.into_iter().filter(wanted_job));
    jobs
}

fn dialogue_job(dialogue: Dialogue, name: Vec<u8>) -> Job {
    dialogue.job(move |runner, dialogue| {
        let (mut failures, mut result) = runner.failures(dialogue)?;
        if let Some(other) = self::name(&result.evidence).filter(|other| *other != name) {
            result.faults = vec![script::renamed(&name, &other)];
            failures.extend(result.failures(dialogue, None));
        }
        Ok(JobResult { failures, ..JobResult::default() })
    })
}

/// The name that the bot gave itself in the dialogue of `evidence`.
fn name(evidence: &Evidence) -> Option<Vec<u8>> {
    evidence.transcript.as_ref().and_then(script::name)
}

/// Holds the dialogue in plain conditions.
fn plain(runner: &mut BotRunner) -> Result<JobResult, SandboxError> {
    let mut dialogue = dialogues::plain();
    let mut result = runner.run_dialogue(&dialogue)?;
    // The bot wrote nothing in time: perhaps its buffers hold back the output.
    let nothing = result.evidence.transcript.as_ref().is_none_or(|transcript| transcript.received().is_empty());
    let silent = |fault: &Fault| fault.id == id::TIME || (fault.id == id::NAME && nothing);
    let silent = result.faults.iter().any(silent);
    if silent && script::hands(&result).is_empty() {
        (dialogue, result) =
            runner.flushes_only_at_end(dialogues::flushes_only_at_end(), id::FLUSH)?.unwrap_or((dialogue, result));
    }
    Ok(in_plain_conditions(&dialogue, result, &[id::ORPHAN, id::STDERR, id::FRESH], id::EOF, id::ORPHAN))
}
