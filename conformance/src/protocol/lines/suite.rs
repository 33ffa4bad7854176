//! The jobs of a game in lines that has only the checks of the protocol.

use super::conditions::{plain_job, special, whole};
use super::game::{LineGame, LinePlan, LineRules, Opponent};
use super::{Dialogue, Talk, Transcript};
use crate::budget::Round;
use crate::catalog::{Catalogue, Id};
use crate::finding::{Cause, Evidence, Finding};
use crate::jobs::{Job, JobResult};
use crate::protocol::{args, begin, seats, setup};
use crate::runner::{BotRunner, IN_OTHER_SURROUNDINGS, SharedState};
use cornerman::game::{LiveGame, Reply, Seat};
use cornerman::rng::Rng;
use cornerman_harness::bot::Bot;
use cornerman_harness::player::{Player, Turn, seating};
use cornerman_harness::ruleset::Ruleset;
use cornerman_harness::sandbox::{Conditions, SandboxError};
use cornerman_harness::text::escaped;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::sync::Arc;
use std::time::Duration;

/// The number of games of the check for legal moves from each seat, after the first one.
const MORE_GAMES: u64 = 6;

/// More answers than a bot gives in a usual game.
const USUAL_ANSWERS: usize = 500;

/// How long a bot must write nothing before it is sent anything, unless it is seen to wait for input earlier. A
/// program can take this long to start.
const BEFORE_THE_FIRST: Duration = Duration::from_secs(1);

/// How long a bot must write nothing after its name. This need not be long: the output to be found here was written
/// together with the name.
pub(crate) const AFTER_NAME: Duration = Duration::from_millis(120);

/// The jobs of a phase, `None` after the last one. With `meets_itself`, the bot plays all seats.
pub(crate) fn jobs(shared: &SharedState, meets_itself: bool, phase: usize) -> Option<Vec<Job>> {
    let game = SeededGame {
        checks: shared.checks,
        ruleset: shared.ruleset.clone(),
        bot: Arc::new(shared.bot.clone()),
        conditions: shared.conditions,
        meets_itself,
        seed: 1,
    };
    match phase {
        // A bot that makes an illegal move can still be judged by other checks, so that does not end the whole check.
        0 => Some(vec![plain_job(game.plan(Seat(0)), vec![shared.checks.id("MOVE")])]),
        1 => Some(game.jobs(shared)),
        _ => None,
    }
}

/// A game that a bot plays against random moves, or against itself.
#[derive(Clone)]
struct SeededGame {
    checks: &'static Catalogue,
    ruleset: Ruleset,
    bot: Arc<Bot>,
    conditions: Conditions,
    /// Whether the bot plays all seats.
    meets_itself: bool,
    /// The seed of the game, and of random moves.
    seed: u64,
}

impl SeededGame {
    /// The plan of the game, with the bot in `seat`.
    fn plan(&self, seat: Seat) -> LinePlan {
        let greets = self.ruleset.protocol(seat, None).is_some_and(|protocol| protocol.greets());
        let rules = LineRules {
            checks: self.checks,
            turn: "turn",
            answer: "answer",
            numbers_all: false,
            greets,
            ignores_text: false,
        };
        let opponent = if self.meets_itself { "itself" } else { "random moves" };
        LinePlan {
            rules,
            about: format!("as {seat} with the seed {} against {opponent}", self.seed),
            args: args(&self.ruleset, seat),
            seat,
            turns: None,
            early: if greets { AFTER_NAME } else { BEFORE_THE_FIRST },
            form: None,
            game: Arc::new(self.clone()),
        }
    }

    /// The jobs of the second phase, for the selected checks.
    fn jobs(&self, shared: &SharedState) -> Vec<Job> {
        let wanted = |id: Id| shared.selected.contains(id);
        let wrong = self.checks.id("MOVE");
        let mut jobs = Vec::new();
        if wanted(wrong) {
            for time in 0..=MORE_GAMES {
                let game = SeededGame { seed: shared.options.seed.wrapping_add(time), ..self.clone() };
                let round = if time == 0 { Round::First } else { Round::Later };
                for seat in seats(&self.ruleset) {
                    let case = format!("game {} as {seat}", time + 1);
                    jobs.push(game_job(whole(None, case, game.plan(seat)).in_round(round), wrong));
                }
            }
        }
        let plan = self.plan(Seat(0));
        let ends = [("end at once", 0), ("end in a game", 2), ("end after a game", USUAL_ANSWERS)];
        let special = special(ends, |_| plan.clone()).into_iter();
        let special = special.filter(|dialogue| dialogue.check.is_some_and(wanted));
        jobs.extend(special.map(|dialogue| dialogue.job(|runner, dialogue| Ok(runner.findings(dialogue)?.0))));
        let determinism = self.checks.id("DETERMINISM");
        if wanted(determinism) {
            jobs.push(Job::new(&[determinism], 2, move |runner| twice(runner, plan, determinism)));
        }
        jobs
    }
}

/// The job of a game in plain conditions, which decides the check `wrong`.
fn game_job(dialogue: Dialogue, wrong: Id) -> Job {
    let job = dialogue.job(move |runner, dialogue| {
        let (findings, _) = runner.findings(dialogue)?;
        Ok(JobResult::from(findings).judging(runner.shared.checks, vec![wrong], |_, _| false))
    });
    Job { checks: vec![wrong], ..job }
}

/// Plays the same game twice, the second time in other surroundings, and compares the answers.
fn twice(runner: &mut BotRunner, plan: LinePlan, check: Id) -> Result<Vec<Finding>, SandboxError> {
    let dialogue = whole(Some(check), "the same game again", plan);
    let first = runner.run_dialogue(&dialogue)?;
    let dialogue = dialogue.under(IN_OTHER_SURROUNDINGS);
    let again = runner.run_dialogue(&dialogue)?;
    for result in [&first, &again] {
        if !result.is_whole() {
            return Ok(result.findings(None).into_iter().map(|finding| finding.interrupting(check)).collect());
        }
    }
    let [before, then] = [&first, &again].map(|result| lines(&result.evidence));
    let Some(at) = (0..before.len().min(then.len())).find(|&at| before[at] != then[at]) else {
        return Ok(Vec::new());
    };
    let [before, then] = [&before[at], &then[at]].map(|line| escaped(line));
    let what = format!("answer {}: `{before}`, and in the same game again `{then}`", at + 1);
    Ok(vec![Finding::new(Some(check), Cause::new(check, what), again.evidence)])
}

/// The lines that the bot wrote.
fn lines(evidence: &Evidence) -> Vec<Vec<u8>> {
    evidence.transcript.iter().flat_map(Transcript::lines).map(<[u8]>::to_vec).collect()
}

impl LineGame for SeededGame {
    fn open(&self) -> Talk<(Box<dyn LiveGame>, Box<dyn Opponent>)> {
        let opponent: Box<dyn Opponent> = if self.meets_itself {
            Box::new(Itself { game: self.clone(), players: BTreeMap::new() })
        } else {
            Box::new(Rng::new(self.seed))
        };
        Ok((begin(&self.ruleset, self.seed)?, opponent))
    }
}

/// An opponent that is the bot itself, with a process for each of the other seats.
struct Itself {
    game: SeededGame,
    players: BTreeMap<Seat, Box<dyn Player>>,
}

impl Opponent for Itself {
    fn reply(&mut self, live: &dyn LiveGame, seat: Seat, _: &[Vec<u8>]) -> Talk<Option<Reply>> {
        let SeededGame { bot, conditions, ruleset, seed, .. } = &self.game;
        let player = match self.players.entry(seat) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(free) => {
                let mut player = seating::seat(bot, ruleset, seat, bot.sandbox(*conditions)?)?;
                player.start(&setup(ruleset, *seed), seat)?;
                free.insert(player)
            }
        };
        let turn = Turn { view: &live.view(seat), game: live, seat };
        Ok(player.ask(&turn)?.reply.ok())
    }
}
