//! The suite of a game of a process a move: a bot is started for every move with its mark as the argument, is given
//! what its seat may see, and writes its answer.

use super::{GenericGame, begin, drawn, marks, seats, view};
use crate::attribution::Observations;
use crate::budget::Round;
use crate::catalog::{Catalogue, Id, Severity};
use crate::fault::{CommonCheckIds, Fault};
use crate::games::{CheckRequest, Suite};
use crate::job::Job;
use crate::pipes::protocol::{self, FileChecks, junk_states};
use crate::pipes::question::{Failures, Question};
use crate::pipes::{Purpose, job};
use crate::runner::BotRunner;
use crate::shared::SharedState;
use crate::special_conditions::{
    BYTE_BY_BYTE, IN_FOREIGN_FOLDER, OUTPUT_TO_FILE, SpecialCondition, WITHOUT_ENVIRONMENT,
};
use cornerman::game::{LiveGame, Reply, Seat};
use cornerman::rng::Rng;
use cornerman_harness::kit::AnyKit;
use cornerman_harness::ruleset::Ruleset;
use cornerman_harness::sandbox::SandboxError;
use std::sync::{Arc, OnceLock};

/// The positions that a bot is asked about, each this many moves after the start, if the game knows its legal moves.
const POSITIONS: [usize; 4] = [0, 1, 2, 4];

/// The whole games after the first one, and how many moves of the bot each has, at most and about.
const MORE_GAMES: u64 = 3;
const MOST_MOVES: usize = 100;
const USUAL_MOVES: u32 = 10;

/// The mark of a state file that belongs to no seat.
const FOE: u8 = b'~';

/// See the head of this file.
pub struct PipeSuite {
    game: GenericGame,
    known: OnceLock<(&'static Catalogue, CommonCheckIds)>,
}

impl PipeSuite {
    /// The suite of the game of `kit`. The ids of its checks begin with `prefix`, such as `NM`; `rule` is the number of
    /// the rule that says how bots are spoken to, such as `N3`.
    pub const fn new(kit: &'static dyn AnyKit, prefix: &'static str, rule: &'static str) -> PipeSuite {
        PipeSuite { game: GenericGame { kit, prefix, rule }, known: OnceLock::new() }
    }

    fn known(&self) -> (&'static Catalogue, CommonCheckIds) {
        *self.known.get_or_init(|| {
            let catalogue = self.game.catalogue(include_str!("../../catalog/pipes.toml"));
            (catalogue, self.game.ids(catalogue, "STATE-ONLY", "OUT", Some("EXIT")))
        })
    }

    fn id(&self, name: &str) -> Id {
        self.game.check(self.known().0, name)
    }

    /// What runs in plain conditions show.
    fn plain(&self) -> Vec<Id> {
        let names = ["START", "OUT", "MOVE", "EXIT", "TIME", "SIGNAL", "ORPHAN", "STDERR"];
        names.map(|name| self.id(name)).into()
    }

    fn play(&self, asked: &CheckRequest) -> Play {
        let ids = [self.id("OUT"), self.id("MOVE")];
        Play { ids, ruleset: asked.ruleset.clone() }
    }

    /// The jobs in plain conditions: the start of a game, and positions after it.
    fn plain_jobs(&self, play: &Play) -> Vec<Job> {
        let job_of = |question: Question| {
            let job = job(&self.plain(), 1, move |runner| {
                let evidence = runner.ask(&question.case, Purpose::Move, &question.request(), None)?;
                let faults = question.faults(runner, &evidence.report);
                Ok(faults.into_iter().map(|fault| question.failure(None, fault, evidence.clone())).collect())
            });
            Job { comes_first: true, ..job }
        };
        POSITIONS.into_iter().filter_map(|moves| play.after(moves)).map(job_of).collect()
    }

    /// The other jobs for what is selected.
    fn jobs(&self, play: &Play, asked: &CheckRequest) -> Vec<Job> {
        let seed = asked.seed;
        let mut jobs = Vec::new();
        for time in 0..=MORE_GAMES {
            for seat in seats(&play.ruleset) {
                let (play, check) = (play.clone(), self.id("GAME"));
                let round = if time == 0 { Round::First } else { Round::Later };
                let run = move |runner: &mut BotRunner| play.whole(runner, check, seat, seed.wrapping_add(time));
                jobs.push(job(&[check], USUAL_MOVES, run).in_round(round));
            }
        }
        let questions: Vec<Question> = POSITIONS.into_iter().filter_map(|moves| play.after(moves)).collect();
        let mut on = |name: &str, question: &Question, run: fn(&mut BotRunner, Id, &Question) -> Failures| {
            let (check, question) = (self.id(name), question.clone());
            jobs.push(job(&[check], 1, move |runner| run(runner, check, &question)));
        };
        for question in questions.iter().take(2) {
            on("CHUNK", question, |runner, check, question| condition(runner, check, question, BYTE_BY_BYTE));
            on("CWD", question, |runner, check, question| condition(runner, check, question, IN_FOREIGN_FOLDER));
            on("ENV", question, |runner, check, question| condition(runner, check, question, WITHOUT_ENVIRONMENT));
            on("FILE", question, |runner, check, question| condition(runner, check, question, OUTPUT_TO_FILE));
        }
        if let Some(question) = questions.first() {
            on("OPEN", question, protocol::input_left_open);
            on("DETERMINISM", question, protocol::twice);
            on("STATE-CORRUPT", question, |runner, check, question| {
                let mut found = Vec::new();
                for (words, state) in junk_states(u64::from(question.mark)) {
                    found.extend(protocol::with_state(runner, check, question, words, &state)?);
                }
                Ok(found)
            });
            let checks = FileChecks { apart: self.id("STATE-SEP"), only: self.id("STATE-ONLY") };
            let question = question.clone();
            let run = move |runner: &mut BotRunner| protocol::watched(runner, checks, &question, FOE, None);
            jobs.push(Job { alone: true, ..job(&[checks.only, checks.apart], 1, run) });
        }
        jobs.retain(|job| job.checks.iter().any(|id| asked.selected.contains(*id)));
        jobs
    }
}

fn condition(runner: &mut BotRunner, check: Id, question: &Question, condition: SpecialCondition) -> Failures {
    protocol::under_condition(runner, check, question, condition)
}

impl Suite for PipeSuite {
    fn catalogue(&self) -> &'static Catalogue {
        self.known().0
    }

    fn kit(&self) -> &'static dyn AnyKit {
        self.game.kit
    }

    fn ids(&self) -> CommonCheckIds {
        self.known().1
    }

    fn phase_jobs(
        &self,
        asked: &CheckRequest,
        _: &SharedState,
        _: &Observations,
        round: usize,
    ) -> Option<Vec<Job>> {
        let play = self.play(asked);
        match round {
            0 => Some(self.plain_jobs(&play)),
            1 => Some(self.jobs(&play, asked)),
            _ => None,
        }
    }
}

/// How games are played with a bot.
#[derive(Clone)]
struct Play {
    /// The ids of no answer and of an illegal one.
    ids: [Id; 2],
    ruleset: Ruleset,
}

/// The moves so far, each of a seat.
type History = Vec<(Seat, Reply)>;

impl Play {
    /// The position after `history`.
    fn replay(&self, seed: u64, history: &History) -> Option<Box<dyn LiveGame>> {
        let mut table = begin(&self.ruleset, seed).ok()?;
        history.iter().try_for_each(|(seat, reply)| table.play(*seat, reply).map(drop)).ok()?;
        Some(table)
    }

    /// The question to `seat` after `history`.
    fn question(&self, case: String, about: String, seat: Seat, seed: u64, history: History) -> Option<Question> {
        let table = self.replay(seed, &history)?;
        let (play, input) = (self.clone(), view(table.as_ref(), seat));
        let judge = move |output: &[u8]| {
            let [out, moves] = play.ids;
            if output.trim_ascii().is_empty() {
                return Some(Fault::of(out, "nothing was written"));
            }
            let violation = play.replay(seed, &history)?.answer(seat, output).err()?;
            Some(Fault::of(moves, violation.to_string()))
        };
        let mark = self.ruleset.marks[seat.index()];
        let (severity, judge) = (Severity::Must, Arc::new(judge));
        Some(Question { case, about, input, mark, severity, circumstances: 0, judge })
    }

    /// The question after this many moves drawn by lot; none if the game knows no legal moves, or is over.
    fn after(&self, moves: usize) -> Option<Question> {
        let (seed, mut rng, mut history) = (moves as u64, Rng::new(moves as u64), History::new());
        let mut table = begin(&self.ruleset, seed).ok()?;
        for _ in 0..moves {
            let seat = table.to_act().iter().next()?;
            let reply = drawn(table.as_ref(), seat, &mut rng)?;
            table.play(seat, &reply).ok()?;
            history.push((seat, reply));
        }
        let seat = table.to_act().iter().next()?;
        let (case, about) = (format!("position {}", moves + 1), format!("a game after {moves} moves"));
        self.question(case, about, seat, seed, history)
    }

    /// A whole game with the bot in `seat`, for `check`; the state files live as long as it does.
    fn whole(&self, runner: &mut BotRunner, check: Id, seat: Seat, seed: u64) -> Failures {
        let claim = runner.claim(marks(&self.ruleset))?;
        runner.forget(marks(&self.ruleset))?;
        let found = self.moves(runner, check, seat, seed);
        runner.forget(marks(&self.ruleset))?;
        drop(claim);
        found
    }

    fn moves(&self, runner: &mut BotRunner, check: Id, own: Seat, seed: u64) -> Failures {
        let (mut rng, mut history) = (Rng::new(seed), History::new());
        let failed = |what: String| SandboxError::Failed(format!("a game cannot be set up: {what}"));
        let mut table = begin(&self.ruleset, seed).map_err(|error| failed(error.to_string()))?;
        while let (Some(seat), true) = (table.to_act().iter().next(), history.len() < MOST_MOVES) {
            if runner.shared.given_up() {
                break;
            }
            let drawn = drawn(table.as_ref(), seat, &mut rng).filter(|_| seat != own);
            let reply = match drawn {
                Some(reply) => reply,
                None => match self.bots_answer(runner, check, seat, seed, &history)? {
                    Ok(answer) => Reply::Answer(answer),
                    Err(failures) => return Ok(failures),
                },
            };
            if table.play(seat, &reply).is_err() {
                break;
            }
            history.push((seat, reply));
        }
        Ok(Vec::new())
    }

    /// What the bot answers in a game, or the troubles that it ends with.
    fn bots_answer(
        &self,
        runner: &mut BotRunner,
        check: Id,
        seat: Seat,
        seed: u64,
        history: &History,
    ) -> Result<Result<Vec<u8>, Vec<crate::attribution::Failure>>, SandboxError> {
        let (case, about) = (format!("game {seed} move {}", history.len() + 1), format!("a game as {seat}"));
        let question = self.question(case, about, seat, seed, history.clone());
        let question = question.ok_or_else(|| SandboxError::Failed("a game cannot be replayed".to_string()))?;
        let state = runner.state(question.mark)?;
        let evidence = runner.ask_claimed(&question.case, Purpose::Move, &question.request(), state.as_deref())?;
        let output = evidence.report.output.clone();
        let found = question.compared(runner, check, evidence, (&question.request(), None), true)?;
        Ok(if found.is_empty() { Ok(output) } else { Err(found) })
    }
}
