//! The suite of rock-paper-scissors: which dialogues a bot is held in, and what comes of them.
//!
//! One dialogue in plain conditions comes first. Only a bot that can play it is held in all others, which are for
//! one check each: odd opponents, lengths, seeds, surroundings. What a check says is in `catalog/rps.toml`.

mod foe;
mod id;
mod play;
mod scenes;
mod script;

use super::probe::{Clue, Probe};
use super::{Asked, Suite};
use crate::bench::Bench;
use crate::budget::Round;
use crate::catalog::Catalogue;
use crate::fault::{Ids, Suspicion};
use crate::finding::Evidence;
use crate::job::{Found, Job};
use crate::lines::Scene;
use crate::lines::protocol::in_plain_conditions;
use crate::settle::Seen;
use crate::shared::Shared;
use cornerman::games::rps::Hand;
use cornerman_harness::kit::AnyKit;
use cornerman_harness::sandbox::SandboxError;
use std::sync::LazyLock;

/// Its checks.
pub fn catalogue() -> &'static Catalogue {
    static CATALOGUE: LazyLock<Catalogue> =
        LazyLock::new(|| Catalogue::read("rps", include_str!("../../catalog/rps.toml")));
    &CATALOGUE
}

/// The suite, as all games know it.
pub struct Rps;

impl Suite for Rps {
    fn catalogue(&self) -> &'static Catalogue {
        catalogue()
    }

    fn kit(&self) -> &'static dyn AnyKit {
        &cornerman_harness::games::rps::KIT
    }

    fn ids(&self) -> Ids {
        Ids {
            start: id::NAME,
            signal: id::SIGNAL,
            orphan: id::ORPHAN,
            stderr: Some(id::STDERR),
            time: id::TIME,
            slow: id::TIME,
            fresh: id::FRESH,
            exit: None,
            endless: id::ONE,
        }
    }

    fn next(&self, asked: &Asked, _: &Shared, seen: &Seen, round: usize) -> Option<Vec<Job>> {
        match round {
            0 => Some(vec![Job::new(&[&id::PLAIN[..], &[id::ORPHAN]].concat(), 1, plainly)]),
            1 => Some(jobs(asked, &seen.plain.first().and_then(name).unwrap_or_default())),
            _ => None,
        }
    }

    /// It says a line unprompted, and shows a hand once it was sent a seed and the number of rounds (R3–R5).
    fn recognize(&self, probe: &mut Probe) -> Result<Clue, SandboxError> {
        let plays = probe.talk(Vec::new(), |bot| {
            if bot.line()?.is_none() {
                return Ok(false);
            }
            bot.tell(b"1\n2\n")?;
            Ok(bot.line()?.is_some_and(|line| Hand::read(&line).is_ok()))
        })?;
        Ok(if plays { Clue::As("it says its name unprompted and then shows a hand") } else { Clue::No })
    }
}

/// The jobs for what is selected, in the order of the report: first those beside each other, then those that need the
/// machine alone. The bot's name was `name` in plain conditions.
fn jobs(asked: &Asked, name: &[u8]) -> Vec<Job> {
    let wanted = |id: &str| asked.selected.contains(id);
    let seed = asked.seed;
    let scenes = scenes::special(seed).into_iter();
    let scenes = scenes.filter(|scene| scene.check.is_some_and(wanted));
    let (watched, usual): (Vec<Scene>, Vec<Scene>) = scenes.partition(|scene| scene.order.watch);
    let of_scene = |scene: Scene| of_scene(scene, name.to_vec());
    let mut jobs: Vec<Job> = usual.into_iter().map(of_scene).collect();
    if wanted(id::DETERMINISM) || wanted(id::IGNORES) {
        for (round, rounds) in [(Round::Later, play::ROUNDS), (Round::Short, play::FEW_ROUNDS)] {
            let run = move |bench: &mut Bench| play::compared(bench, seed, rounds);
            let job = Job::new(&[id::DETERMINISM, id::IGNORES], play::GAMES as u32, run);
            jobs.push(Job { moves: (play::GAMES * rounds) as u32, ..job }.in_round(round));
        }
    }
    jobs.extend(watched.into_iter().map(of_scene));
    jobs
}

fn of_scene(scene: Scene, name: Vec<u8>) -> Job {
    scene.job(move |bench, scene| {
        let (mut troubles, mut held) = bench.troubles(scene)?;
        if let Some(other) = self::name(&held.evidence).filter(|other| *other != name) {
            held.faults = vec![script::renamed(&name, &other)];
            troubles.extend(held.troubles(scene, None));
        }
        Ok(Found { troubles, ..Found::default() })
    })
}

/// What the bot called itself.
fn name(evidence: &Evidence) -> Option<Vec<u8>> {
    evidence.transcript.as_ref().and_then(script::name)
}

/// The dialogue in plain conditions.
fn plainly(bench: &mut Bench) -> Result<Found, SandboxError> {
    let mut scene = scenes::plain();
    let mut held = bench.hold(&scene)?;
    // Nothing came in time: perhaps it was written, and only kept back.
    let silent = held
        .faults
        .iter()
        .any(|fault| script::SILENT.contains(&fault.id) && fault.suspicion == Some(Suspicion::Load));
    if silent && script::hands(&held).is_empty() {
        (scene, held) = bench.kept_back(scenes::kept_back(), id::FLUSH)?.unwrap_or((scene, held));
    }
    Ok(in_plain_conditions(&scene, held, &[id::ORPHAN, id::STDERR], id::EOF, id::ORPHAN))
}
