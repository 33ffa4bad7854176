//! The generic suite of a game in lines: a bot is started once per game, is sent a line on each of its turns, and
//! answers with a line.

use super::GenericGame;
use super::dialogues::{GamePlan, LineGames};
use crate::attribution::{Failure, Observations};
use crate::budget::Round;
use crate::catalog::{Catalogue, Id};
use crate::fault::{CommonCheckIds, Fault};
use crate::finding::Evidence;
use crate::games::{CheckRequest, Suite};
use crate::job::{Job, JobResult};
use crate::lines::protocol::in_plain_conditions;
use crate::lines::{Dialogue, Transcript};
use crate::runner::BotRunner;
use crate::shared::SharedState;
use cornerman::game::Seat;
use cornerman_harness::kit::AnyKit;
use cornerman_harness::sandbox::SandboxError;
use cornerman_harness::text::escaped;
use std::sync::{Arc, OnceLock};

/// The generic suite of a game in lines.
pub struct LineSuite {
    game: GenericGame,
    known: OnceLock<(&'static Catalogue, LineCheckIds)>,
}

/// The number of games of the check for legal moves from each seat, after the first one.
const MORE_GAMES: u64 = 6;

impl LineSuite {
    /// The suite of the game of `kit`. The ids of its checks begin with `prefix`, such as `NM`; `rule` is the number of
    /// the rule that describes the protocol, such as `N3`.
    pub const fn new(kit: &'static dyn AnyKit, prefix: &'static str, rule: &'static str) -> LineSuite {
        LineSuite { game: GenericGame { kit, prefix, rule }, known: OnceLock::new() }
    }

    fn known(&self) -> (&'static Catalogue, LineCheckIds) {
        *self.known.get_or_init(|| {
            let catalogue = self.game.catalogue(include_str!("../../catalog/lines.toml"));
            (catalogue, LineCheckIds::new(self.game, catalogue))
        })
    }

    /// The dialogues in which games are played with the bot.
    fn games(&self, request: &CheckRequest, shared: &SharedState) -> LineGames {
        let (_, ids) = self.known();
        let ruleset = request.ruleset.clone();
        let bot = Arc::new(shared.bot.clone());
        LineGames { ids, ruleset, bot, conditions: shared.conditions }
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
        request: &CheckRequest,
        shared: &SharedState,
        _: &Observations,
        round: usize,
    ) -> Option<Vec<Job>> {
        let games = self.games(request, shared);
        match round {
            0 => Some(vec![plain_job(games)]),
            1 => Some(jobs(&games, request)),
            _ => None,
        }
    }
}

/// The game in plain conditions. A failed must ends the whole check, except an illegal move or a process left behind,
/// because the other dialogues would only show it again.
fn plain_job(games: LineGames) -> Job {
    Job::new(&games.ids.plain(), 1, move |runner| {
        let ids = games.ids;
        let game = GamePlan { seat: Seat(0), seed: 1 };
        let mut dialogue = games.watchful(game);
        let mut result = runner.run_dialogue(&dialogue)?;
        // Nothing came in time: perhaps the bot wrote an answer, but did not flush it.
        if result.late.is_some() && lines(&result.evidence).is_empty() {
            (dialogue, result) = runner
                .flushes_only_at_end(games.flushes_only_at_end(game), ids.flush)?
                .unwrap_or((dialogue, result));
        }
        let harmless = [&[ids.moves, ids.ids.orphan, ids.ids.fresh][..], ids.ids.stderr.as_slice()].concat();
        Ok(in_plain_conditions(&dialogue, result, &harmless, ids.eof, ids.ids.orphan))
    })
}

/// The jobs of the second phase, for the selected checks.
fn jobs(games: &LineGames, request: &CheckRequest) -> Vec<Job> {
    let wanted = |id: Id| request.selected.contains(id);
    let ids = games.ids;
    let seed = request.seed;
    let mut jobs = Vec::new();
    if wanted(ids.moves) {
        for time in 0..=MORE_GAMES {
            for seat in super::seats(&games.ruleset) {
                let case = format!("game {} as {seat}", time + 1);
                let round = if time == 0 { Round::First } else { Round::Later };
                let dialogue = games.whole(None, &case, GamePlan { seat, seed: seed.wrapping_add(time) });
                jobs.push(of_game(Dialogue { round, ..dialogue }, ids.moves));
            }
        }
    }
    let first = GamePlan { seat: Seat(0), seed: 1 };
    let dialogue = |check, case| games.whole(Some(check), case, first);
    let mut special = vec![
        dialogue(ids.chunk, "byte by byte").byte_by_byte(),
        dialogue(ids.env, "no environment").without_environment(),
        dialogue(ids.env, "foreign folder").in_foreign_folder(),
    ];
    for (case, after) in [("end at once", 0), ("end in a game", 2), ("end after a game", usize::MAX)] {
        special.push(games.input_ends_early(case, first, after));
    }
    special.push(dialogue(ids.ids.fresh, "watched").watched());
    jobs.extend(special.into_iter().filter(|dialogue| dialogue.check.is_some_and(wanted)).map(of_scene));
    if wanted(ids.determinism) {
        let games = games.clone();
        jobs.push(Job::new(&[ids.determinism], 2, move |runner| twice(runner, &games, first)));
    }
    jobs
}

fn of_scene(dialogue: Dialogue) -> Job {
    dialogue.job(|runner, dialogue| {
        let (failures, _) = runner.failures(dialogue)?;
        Ok(JobResult { failures, ..JobResult::default() })
    })
}

/// The job of a game in plain conditions, which decides `moves`.
fn of_game(dialogue: Dialogue, moves: Id) -> Job {
    let job = dialogue.job(move |runner, dialogue| {
        let (failures, _) = runner.failures(dialogue)?;
        let result = JobResult { failures, ..JobResult::default() };
        Ok(result.judging(&runner.shared.ids, vec![moves], |_, _| false))
    });
    Job { checks: vec![moves], ..job }
}

/// Plays the same game twice, the second time in other surroundings, and compares the answers.
fn twice(runner: &mut BotRunner, games: &LineGames, game: GamePlan) -> Result<JobResult, SandboxError> {
    let check = games.ids.determinism;
    let dialogue = games.whole(Some(check), "the same game again", game);
    let first = runner.run_dialogue(&dialogue)?;
    let dialogue = dialogue.in_other_surroundings();
    let mut again = runner.run_dialogue(&dialogue)?;
    for result in [&first, &again] {
        if result.faults.iter().any(|fault| !fault.incidental) {
            let failed = result.failures(&dialogue, None).into_iter();
            let failures = failed.map(|failure| Failure { interrupted: Some(check), ..failure }).collect();
            return Ok(JobResult { failures, ..JobResult::default() });
        }
    }
    let [before, then] = [&first, &again].map(|result| lines(&result.evidence));
    let Some(at) = (0..before.len().min(then.len())).find(|&at| before[at] != then[at]) else {
        return Ok(JobResult::default());
    };
    let [before, then] = [&before[at], &then[at]].map(|line| escaped(line));
    let what = format!("answer {}: `{before}`, and in the same game again `{then}`", at + 1);
    again.faults = vec![Fault::new(check, what)];
    Ok(JobResult { failures: again.failures(&dialogue, Some(check)), ..JobResult::default() })
}

/// The lines that the bot wrote.
fn lines(evidence: &Evidence) -> Vec<Vec<u8>> {
    evidence.transcript.iter().flat_map(Transcript::lines).map(<[u8]>::to_vec).collect()
}

/// The ids of the checks of a game in lines.
#[derive(Clone, Copy, Debug)]
pub(super) struct LineCheckIds {
    pub ids: CommonCheckIds,
    pub lf: Id,
    pub one: Id,
    pub order: Id,
    pub flush: Id,
    pub moves: Id,
    pub chunk: Id,
    pub env: Id,
    pub eof: Id,
    pub determinism: Id,
}

impl LineCheckIds {
    /// The ids of `game`, found in its `catalogue`.
    pub(super) fn new(game: GenericGame, catalogue: &'static Catalogue) -> LineCheckIds {
        let id = |name| game.check(catalogue, name);
        LineCheckIds {
            ids: game.ids(catalogue, "FRESH", "ONE", None),
            lf: id("LF"),
            one: id("ONE"),
            order: id("ORDER"),
            flush: id("FLUSH"),
            moves: id("MOVE"),
            chunk: id("CHUNK"),
            env: id("ENV"),
            eof: id("EOF"),
            determinism: id("DETERMINISM"),
        }
    }

    /// The checks that a game in plain conditions can fail.
    pub(super) fn plain(&self) -> Vec<Id> {
        let CommonCheckIds { start, signal, orphan, stderr, time, .. } = self.ids;
        let own = [start, signal, orphan, time, self.lf, self.one, self.order, self.flush, self.moves];
        own.into_iter().chain(stderr).collect()
    }
}
