//! The suite of a game in lines: a bot is started once for a game, is sent a line when it is its turn, and answers with
//! a line.

use super::GenericGame;
use super::dialogues::{GamePlan, Play};
use super::line_check_ids::LineCheckIds;
use crate::attribution::Observations;
use crate::budget::Round;
use crate::catalog::{Catalogue, Id};
use crate::fault::{CommonCheckIds, Fault, Suspicion};
use crate::finding::Evidence;
use crate::games::{CheckRequest, Suite};
use crate::job::{Job, JobResult};
use crate::lines::protocol::in_plain_conditions;
use crate::lines::{Dialogue, Transcript};
use crate::runner::BotRunner;
use crate::shared::SharedState;
use crate::text::escaped;
use cornerman::game::Seat;
use cornerman_harness::kit::AnyKit;
use cornerman_harness::sandbox::SandboxError;
use std::sync::{Arc, OnceLock};

/// See the head of this file.
pub struct LineSuite {
    game: GenericGame,
    known: OnceLock<(&'static Catalogue, LineCheckIds)>,
}

/// The games of the check for legal moves after the first ones, from each seat.
const MORE_GAMES: u64 = 6;

impl LineSuite {
    /// The suite of the game of `kit`. The ids of its checks begin with `prefix`, such as `NM`; `rule` is the number of
    /// the rule that says how bots are spoken to, such as `N3`.
    pub const fn new(kit: &'static dyn AnyKit, prefix: &'static str, rule: &'static str) -> LineSuite {
        LineSuite { game: GenericGame { kit, prefix, rule }, known: OnceLock::new() }
    }

    fn known(&self) -> (&'static Catalogue, LineCheckIds) {
        *self.known.get_or_init(|| {
            let catalogue = self.game.catalogue(include_str!("../../catalog/lines.toml"));
            (catalogue, LineCheckIds::of(self.game, catalogue))
        })
    }

    /// How games are played with the bot.
    fn play(&self, asked: &CheckRequest, shared: &SharedState) -> Play {
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

    fn ids(&self) -> CommonCheckIds {
        self.known().1.ids
    }

    fn phase_jobs(
        &self,
        asked: &CheckRequest,
        shared: &SharedState,
        _: &Observations,
        round: usize,
    ) -> Option<Vec<Job>> {
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
    Job::new(&play.ids.plain(), 1, move |runner| {
        let ids = play.ids;
        let game = GamePlan { seat: Seat(0), seed: 1 };
        let mut dialogue = play.watchful(game);
        let mut result = runner.run_dialogue(&dialogue)?;
        let waited = result.faults.iter().any(|fault| fault.suspicion == Some(Suspicion::Load));
        // Nothing came in time: perhaps it was written, and only kept back.
        if waited && lines(&result.evidence).is_empty() {
            (dialogue, result) = runner.kept_back(play.kept_back(game), ids.flush)?.unwrap_or((dialogue, result));
        }
        let harmless = [&[ids.moves, ids.ids.orphan][..], ids.ids.stderr.as_slice()].concat();
        Ok(in_plain_conditions(&dialogue, result, &harmless, ids.eof, ids.ids.orphan))
    })
}

/// The other jobs for what is selected.
fn jobs(play: &Play, asked: &CheckRequest) -> Vec<Job> {
    let wanted = |id: Id| asked.selected.contains(id);
    let (ids, seed) = (play.ids, asked.seed);
    let mut jobs = Vec::new();
    if wanted(ids.moves) {
        for time in 0..=MORE_GAMES {
            for seat in super::seats(&play.ruleset) {
                let case = format!("game {} as {seat}", time + 1);
                let round = if time == 0 { Round::First } else { Round::Later };
                let dialogue = play.whole(None, &case, GamePlan { seat, seed: seed.wrapping_add(time) });
                jobs.push(of_scene(Dialogue { round, ..dialogue }));
            }
        }
    }
    let first = GamePlan { seat: Seat(0), seed: 1 };
    let dialogue = |check, case| play.whole(Some(check), case, first);
    let mut special = vec![
        dialogue(ids.chunk, "byte by byte").byte_by_byte(),
        dialogue(ids.env, "no environment").without_environment(),
        dialogue(ids.env, "foreign folder").in_foreign_folder(),
    ];
    for (case, after) in [("end at once", 0), ("end in a game", 2), ("end after a game", usize::MAX)] {
        special.push(play.input_ends_early(case, first, after));
    }
    special.push(dialogue(ids.ids.fresh, "watched").watched());
    jobs.extend(special.into_iter().filter(|dialogue| dialogue.check.is_some_and(wanted)).map(of_scene));
    if wanted(ids.determinism) {
        let play = play.clone();
        jobs.push(Job::new(&[ids.determinism], 2, move |runner| twice(runner, &play, first)));
    }
    jobs
}

fn of_scene(dialogue: Dialogue) -> Job {
    dialogue.job(|runner, dialogue| {
        let (failures, _) = runner.failures(dialogue)?;
        Ok(JobResult { failures, ..JobResult::default() })
    })
}

/// The same game twice.
fn twice(runner: &mut BotRunner, play: &Play, game: GamePlan) -> Result<JobResult, SandboxError> {
    let check = play.ids.determinism;
    let dialogue = play.whole(Some(check), "the same game again", game);
    let [first, mut again] = [runner.run_dialogue(&dialogue)?, runner.run_dialogue(&dialogue)?];
    let [before, then] = [&first, &again].map(|result| lines(&result.evidence));
    let Some(at) = (0..before.len().min(then.len())).find(|&at| before[at] != then[at]) else {
        return Ok(JobResult::default());
    };
    let [before, then] = [&before[at], &then[at]].map(|line| escaped(line));
    let what = format!("answer {}: `{before}`, and in the same game again `{then}`", at + 1);
    again.faults = vec![Fault::of(check, what)];
    Ok(JobResult { failures: again.failures(&dialogue, Some(check)), ..JobResult::default() })
}

/// The lines that the bot wrote.
fn lines(evidence: &Evidence) -> Vec<Vec<u8>> {
    evidence.transcript.iter().flat_map(Transcript::lines).map(<[u8]>::to_vec).collect()
}
