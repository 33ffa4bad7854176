//! The suite of rock-paper-scissors.
//!
//! It begins with one dialogue in plain conditions. A bot that can play it is tested further, in dialogues for one
//! check each: with other opponents, lengths, seeds and environments. The texts of the checks are in
//! `catalog/rps.toml`.

mod answers;
mod dialogues;
mod game;
mod id;
mod opening;
mod opponent;
mod play;
mod script;
mod silence;
mod surplus;

use super::probe::{Probe, Recognition};
use super::{CheckRequest, Suite};
use crate::attribution::{Failure, Observations};
use crate::budget::{Budget, Round};
use crate::catalog::Catalogue;
use crate::fault::CommonCheckIds;
use crate::finding::Evidence;
use crate::games::Specimen;
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

    fn specimens(&self) -> &'static [Specimen] {
        SPECIMENS
    }

    fn depends_on_rules(&self) -> bool {
        false
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
        shared: &SharedState,
        seen: &Observations,
        phase: usize,
    ) -> Option<Vec<Job>> {
        match phase {
            0 => Some(vec![Job::new(&[&id::PLAIN[..], &[id::ORPHAN]].concat(), 1, plain)]),
            1 => Some(jobs(request, &shared.budget, &seen.plain.first().and_then(name).unwrap_or_default())),
            _ => None,
        }
    }

    fn words(&self) -> &'static [&'static str] {
        &["rock", "scissors"]
    }

    /// Recognizes a bot that writes a line unprompted, another after it was sent a seed and the number of rounds,
    /// and shows a hand or writes a line for each round (R3–R5). A wrong token is no reason to take it for another
    /// game's, and neither is output that it holds back until its input ends.
    fn recognize(&self, probe: &mut Probe) -> Result<Recognition, SandboxError> {
        let plays = probe.hold_dialogue(Vec::new(), |bot| {
            if bot.line()?.is_none() {
                bot.send(b"1\n2\n0\n0\n")?;
                let held_back = bot.last_lines(2)?;
                return Ok(held_back.get(1).is_some_and(|line| Hand::read(line).is_ok()));
            }
            bot.send(b"1\n2\n")?;
            let Some(line) = bot.line()? else { return Ok(false) };
            if Hand::read(&line).is_ok() {
                return Ok(true);
            }
            bot.send(b"0\n")?;
            Ok(bot.line()?.is_some())
        })?;
        Ok(if plays { Recognition::Yes("it sends a name and then a hand") } else { Recognition::No })
    }
}

/// The jobs for the selected checks, within `budget`. `name` is the bot's name in plain conditions.
fn jobs(request: &CheckRequest, budget: &Budget, name: &[u8]) -> Vec<Job> {
    let wanted = |id: &str| request.selected.contains(id);
    let seed = request.seed;
    let dialogues = dialogues::special(seed).into_iter();
    let dialogues = dialogues.filter(|dialogue| dialogue.check.is_some_and(wanted));
    let (watched, usual): (Vec<Dialogue>, Vec<Dialogue>) = dialogues.partition(|dialogue| dialogue.request.watch);
    let dialogue_job = |dialogue: Dialogue| dialogue_job(dialogue, name.to_vec());
    let mut compared = Vec::new();
    let mut again = Vec::new();
    let mut jobs = Vec::new();
    for (round, rounds) in [(Round::Later, play::ROUNDS), (Round::Short, play::FEW_ROUNDS)] {
        let first = Arc::new(FirstGame::default());
        let games = |check, games: usize, run| {
            let moves = (games * rounds) as u32;
            Job { moves, ..Job::new(&[check], games as u32, run) }.in_round(round)
        };
        // The clock must show another second before the same game is played again.
        if round == Round::Later && wanted(id::DETERMINISM) && budget.fits_on_all(rounds as u32) {
            let shared = first.clone();
            jobs.push(Job::new(&[], 1, move |runner| shared.prepare(runner, (seed, rounds))));
        }
        let shared = first.clone();
        let run: Run = Box::new(move |runner| play::ignores(runner, seed, rounds, &shared));
        compared.push(games(id::IGNORES, play::GAMES, run));
        let slots = request.slots.clone();
        let run: Run = Box::new(move |runner| play::again(runner, seed, rounds, &first, slots.as_ref()));
        again.push(games(id::DETERMINISM, 1, run));
    }
    let wanted_job = |job: &Job| job.checks.iter().any(|check| wanted(check));
    jobs.extend(usual.into_iter().map(dialogue_job));
    jobs.extend(compared.into_iter().filter(wanted_job));
    jobs.extend(watched.into_iter().map(dialogue_job));
    jobs.extend(again.into_iter().filter(wanted_job));
    jobs
}

fn dialogue_job(dialogue: Dialogue, name: Vec<u8>) -> Job {
    dialogue.job(move |runner, dialogue| {
        let (mut failures, mut result) = runner.failures(dialogue)?;
        failures = failures.into_iter().map(|failure| of_any_game(failure, dialogue)).collect();
        if let Some(other) = self::name(&result.evidence).filter(|other| *other != name) {
            result.faults = vec![script::renamed(&name, &other)];
            failures.extend(result.failures(dialogue, None));
        }
        Ok(JobResult { failures, ..JobResult::default() })
    })
}

/// A failure in `dialogue`. A bot that leaves early fails the check of the game's length or of its opponent.
/// Whatever else goes wrong in such a game, such as a wrong token in a late round, could go wrong in any game: it
/// fails the check of its symptom.
fn of_any_game(failure: Failure, dialogue: &Dialogue) -> Failure {
    let check = dialogue.check.filter(|check| [id::ROUNDS, id::ALLIN].contains(check));
    match check {
        Some(check) if failure.seen_by == Some(check) && failure.finding.symptom != id::ROUNDS => {
            Failure { seen_by: None, interrupted: Some(check), ..failure }
        }
        _ => failure,
    }
}

/// The name that the bot gave itself in the dialogue of `evidence`.
fn name(evidence: &Evidence) -> Option<Vec<u8>> {
    evidence.transcript.as_ref().and_then(script::name)
}

/// Holds the dialogue in plain conditions.
fn plain(runner: &mut BotRunner) -> Result<JobResult, SandboxError> {
    let mut dialogue = dialogues::plain();
    let mut result = runner.run_dialogue(&dialogue)?;
    let has_no_name = result.faults.iter().any(|fault| fault.id == id::NAME);
    if has_no_name && result.evidence.transcript.as_ref().is_some_and(script::was_silent) {
        (dialogue, result) =
            runner.flushes_only_at_end(dialogues::flushes_only_at_end(), id::FLUSH)?.unwrap_or((dialogue, result));
    }
    let found = in_plain_conditions(&dialogue, result, &[id::ORPHAN, id::STDERR, id::FRESH], id::EOF, id::ORPHAN);
    // A bot need not end by itself (R7), and what it has started ends with it.
    Ok(JobResult { blocked: Vec::new(), ..found })
}

/// Answers, and games before them.
const SPECIMENS: &[Specimen] = &[
    Specimen::new("rock", "", "0"),
    Specimen::new("paper", "", "1"),
    Specimen::new("scissors", "", "2"),
    Specimen::new("blanks-and-return", "", " 1\r"),
    Specimen::new("three", "", "3"),
    Specimen::new("minus-one", "", "-1"),
    Specimen::new("a-word", "", "rock"),
    Specimen::new("nothing", "", ""),
    Specimen::new("two-numbers", "", "0 1"),
    Specimen::new("a-leading-nought", "", "01"),
    Specimen::new("later", "0 1 2 2", "2"),
];
