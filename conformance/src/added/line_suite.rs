//! The suite of a game in lines: a bot is started once for a game, is sent a line when it is its turn, and answers with a
//! line.

use super::Added;
use super::dialogues::{Match, Play};
use super::named::Named;
use crate::bench::Bench;
use crate::budget::Round;
use crate::catalog::{Catalogue, Id};
use crate::fault::{Fault, Ids, Suspicion};
use crate::finding::Evidence;
use crate::games::{Asked, Suite};
use crate::job::{Found, Job};
use crate::lines::protocol::in_plain_conditions;
use crate::lines::{Scene, Transcript};
use crate::settle::Seen;
use crate::shared::Shared;
use crate::words::escaped;
use cornerman::game::Seat;
use cornerman_harness::kit::AnyKit;
use cornerman_harness::sandbox::SandboxError;
use std::sync::{Arc, OnceLock};

/// See the head of this file.
pub struct LineSuite {
    game: Added,
    known: OnceLock<(&'static Catalogue, Named)>,
}

/// The games of the check for legal moves after the first ones, from each seat.
const MORE_GAMES: u64 = 6;

impl LineSuite {
    /// The suite of the game of `kit`. The ids of its checks begin with `prefix`, such as `NM`; `rule` is the number of
    /// the rule that says how bots are spoken to, such as `N3`.
    pub const fn new(kit: &'static dyn AnyKit, prefix: &'static str, rule: &'static str) -> LineSuite {
        LineSuite { game: Added { kit, prefix, rule }, known: OnceLock::new() }
    }

    fn known(&self) -> (&'static Catalogue, Named) {
        *self.known.get_or_init(|| {
            let catalogue = self.game.catalogue(include_str!("../../catalog/lines.toml"));
            (catalogue, Named::of(self.game, catalogue))
        })
    }

    /// How games are played with the bot.
    fn play(&self, asked: &Asked, shared: &Shared) -> Play {
        let (_, ids) = self.known();
        let (ruleset, bot) = (asked.ruleset.clone(), Arc::new(shared.bot.clone()));
        Play { ids, ruleset, bot, conditions: shared.conditions }
    }
}

impl Suite for LineSuite {
    fn catalogue(&self) -> &'static Catalogue {
        self.known().0
    }

    fn kit(&self) -> &'static dyn AnyKit {
        self.game.kit
    }

    fn ids(&self) -> Ids {
        self.known().1.ids
    }

    fn next(&self, asked: &Asked, shared: &Shared, _: &Seen, round: usize) -> Option<Vec<Job>> {
        let play = self.play(asked, shared);
        match round {
            0 => Some(vec![plain_job(play)]),
            1 => Some(jobs(&play, asked)),
            _ => None,
        }
    }
}

/// The game in plain conditions that all others rest on: grave faults but illegal moves end the check.
fn plain_job(play: Play) -> Job {
    Job::new(&play.ids.plain(), 1, move |bench| {
        let ids = play.ids;
        let game = Match { seat: Seat(0), seed: 1 };
        let mut scene = play.watchful(game);
        let mut held = bench.hold(&scene)?;
        let waited = held.faults.iter().any(|fault| fault.suspicion == Some(Suspicion::Load));
        // Nothing came in time: perhaps it was written, and only kept back.
        if waited && lines(&held.evidence).is_empty() {
            (scene, held) = bench.kept_back(play.kept_back(game), ids.flush)?.unwrap_or((scene, held));
        }
        let harmless = [&[ids.moves, ids.ids.orphan][..], ids.ids.stderr.as_slice()].concat();
        Ok(in_plain_conditions(&scene, held, &harmless, ids.eof, ids.ids.orphan))
    })
}

/// The other jobs for what is selected.
fn jobs(play: &Play, asked: &Asked) -> Vec<Job> {
    let wanted = |id: Id| asked.selected.contains(id);
    let (ids, seed) = (play.ids, asked.seed);
    let mut jobs = Vec::new();
    if wanted(ids.moves) {
        for time in 0..=MORE_GAMES {
            for seat in super::seats(&play.ruleset) {
                let case = format!("game {} as {seat}", time + 1);
                let round = if time == 0 { Round::First } else { Round::Later };
                let scene = play.whole(None, &case, Match { seat, seed: seed.wrapping_add(time) });
                jobs.push(of_scene(Scene { round, ..scene }));
            }
        }
    }
    let first = Match { seat: Seat(0), seed: 1 };
    let scene = |check, case| play.whole(Some(check), case, first);
    let mut special = vec![
        scene(ids.chunk, "byte by byte").byte_by_byte(),
        scene(ids.env, "no environment").without_environment(),
        scene(ids.env, "foreign folder").elsewhere(),
    ];
    for (case, after) in [("end at once", 0), ("end in a game", 2), ("end after a game", usize::MAX)] {
        special.push(play.left_alone(case, first, after));
    }
    special.push(scene(ids.ids.fresh, "watched").watched());
    jobs.extend(special.into_iter().filter(|scene| scene.check.is_some_and(wanted)).map(of_scene));
    if wanted(ids.determinism) {
        let play = play.clone();
        jobs.push(Job::new(&[ids.determinism], 2, move |bench| twice(bench, &play, first)));
    }
    jobs
}

fn of_scene(scene: Scene) -> Job {
    scene.job(|bench, scene| {
        let (troubles, _) = bench.troubles(scene)?;
        Ok(Found { troubles, ..Found::default() })
    })
}

/// The same game twice.
fn twice(bench: &mut Bench, play: &Play, game: Match) -> Result<Found, SandboxError> {
    let check = play.ids.determinism;
    let scene = play.whole(Some(check), "the same game again", game);
    let [first, mut again] = [bench.hold(&scene)?, bench.hold(&scene)?];
    let [before, then] = [&first, &again].map(|held| lines(&held.evidence));
    let Some(at) = (0..before.len().min(then.len())).find(|&at| before[at] != then[at]) else {
        return Ok(Found::default());
    };
    let [before, then] = [&before[at], &then[at]].map(|line| escaped(line));
    let what = format!("answer {}: `{before}`, and in the same game again `{then}`", at + 1);
    again.faults = vec![Fault::of(check, what)];
    Ok(Found { troubles: again.troubles(&scene, Some(check)), ..Found::default() })
}

/// The lines that the bot wrote.
fn lines(evidence: &Evidence) -> Vec<Vec<u8>> {
    evidence.transcript.iter().flat_map(Transcript::lines).map(<[u8]>::to_vec).collect()
}
