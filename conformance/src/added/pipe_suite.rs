//! The suite of a game of a process a move: a bot is started for every move with its mark as the argument, is given what its
//! seat may see, and writes its answer.

use super::{Added, begin, drawn, marks, seats, view};
use crate::bench::Bench;
use crate::budget::Round;
use crate::catalog::{Catalogue, Id, Severity};
use crate::fault::{Fault, Ids};
use crate::games::{Asked, Suite};
use crate::job::Job;
use crate::pipes::protocol::{self, Watched, odd_states};
use crate::pipes::question::{Question, Troubles};
use crate::pipes::{Purpose, job};
use crate::settle::Seen;
use crate::shared::Shared;
use crate::surroundings::{BYTE_BY_BYTE, Condition, ELSEWHERE, INTO_A_FILE, WITHOUT_ENVIRONMENT};
use cornerman::game::{LiveGame, Reply, Seat};
use cornerman::lots::Lots;
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
    game: Added,
    known: OnceLock<(&'static Catalogue, Ids)>,
}

impl PipeSuite {
    /// The suite of the game of `kit`. The ids of its checks begin with `prefix`, such as `NM`; `rule` is the number of
    /// the rule that says how bots are spoken to, such as `N3`.
    pub const fn new(kit: &'static dyn AnyKit, prefix: &'static str, rule: &'static str) -> PipeSuite {
        PipeSuite { game: Added { kit, prefix, rule }, known: OnceLock::new() }
    }

    fn known(&self) -> (&'static Catalogue, Ids) {
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

    fn play(&self, asked: &Asked) -> Play {
        let ids = [self.id("OUT"), self.id("MOVE")];
        Play { ids, ruleset: asked.ruleset.clone() }
    }

    /// The jobs in plain conditions: the start of a game, and positions after it.
    fn plain_jobs(&self, play: &Play) -> Vec<Job> {
        let job_of = |question: Question| {
            let job = job(&self.plain(), 1, move |bench| {
                let evidence = bench.ask(&question.case, Purpose::Move, &question.order(), None)?;
                let faults = question.faults(bench, &evidence.report);
                Ok(faults.into_iter().map(|fault| question.trouble(None, fault, evidence.clone())).collect())
            });
            Job { comes_first: true, ..job }
        };
        POSITIONS.into_iter().filter_map(|moves| play.after(moves)).map(job_of).collect()
    }

    /// The other jobs for what is selected.
    fn jobs(&self, play: &Play, asked: &Asked) -> Vec<Job> {
        let seed = asked.seed;
        let mut jobs = Vec::new();
        for time in 0..=MORE_GAMES {
            for seat in seats(&play.ruleset) {
                let (play, check) = (play.clone(), self.id("GAME"));
                let round = if time == 0 { Round::First } else { Round::Later };
                let run = move |bench: &mut Bench| play.whole(bench, check, seat, seed.wrapping_add(time));
                jobs.push(job(&[check], USUAL_MOVES, run).in_round(round));
            }
        }
        let questions: Vec<Question> = POSITIONS.into_iter().filter_map(|moves| play.after(moves)).collect();
        let mut on = |name: &str, question: &Question, run: fn(&mut Bench, Id, &Question) -> Troubles| {
            let (check, question) = (self.id(name), question.clone());
            jobs.push(job(&[check], 1, move |bench| run(bench, check, &question)));
        };
        for question in questions.iter().take(2) {
            on("CHUNK", question, |bench, check, question| condition(bench, check, question, BYTE_BY_BYTE));
            on("CWD", question, |bench, check, question| condition(bench, check, question, ELSEWHERE));
            on("ENV", question, |bench, check, question| condition(bench, check, question, WITHOUT_ENVIRONMENT));
            on("FILE", question, |bench, check, question| condition(bench, check, question, INTO_A_FILE));
        }
        if let Some(question) = questions.first() {
            on("OPEN", question, protocol::input_left_open);
            on("DETERMINISM", question, protocol::twice);
            on("STATE-CORRUPT", question, |bench, check, question| {
                let mut found = Vec::new();
                for (words, state) in odd_states(u64::from(question.mark)) {
                    found.extend(protocol::with_state(bench, check, question, words, &state)?);
                }
                Ok(found)
            });
            let checks = Watched { apart: self.id("STATE-SEP"), only: self.id("STATE-ONLY") };
            let question = question.clone();
            let run = move |bench: &mut Bench| protocol::watched(bench, checks, &question, FOE, None);
            jobs.push(Job { alone: true, ..job(&[checks.only, checks.apart], 1, run) });
        }
        jobs.retain(|job| job.checks.iter().any(|id| asked.selected.contains(*id)));
        jobs
    }
}

fn condition(bench: &mut Bench, check: Id, question: &Question, condition: Condition) -> Troubles {
    protocol::under_condition(bench, check, question, condition)
}

impl Suite for PipeSuite {
    fn catalogue(&self) -> &'static Catalogue {
        self.known().0
    }

    fn kit(&self) -> &'static dyn AnyKit {
        self.game.kit
    }

    fn ids(&self) -> Ids {
        self.known().1
    }

    fn next(&self, asked: &Asked, _: &Shared, _: &Seen, round: usize) -> Option<Vec<Job>> {
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
        let (seed, mut lots, mut history) = (moves as u64, Lots::new(moves as u64), History::new());
        let mut table = begin(&self.ruleset, seed).ok()?;
        for _ in 0..moves {
            let seat = table.to_act().iter().next()?;
            let reply = drawn(table.as_ref(), seat, &mut lots)?;
            table.play(seat, &reply).ok()?;
            history.push((seat, reply));
        }
        let seat = table.to_act().iter().next()?;
        let (case, about) = (format!("position {}", moves + 1), format!("a game after {moves} moves"));
        self.question(case, about, seat, seed, history)
    }

    /// A whole game with the bot in `seat`, for `check`; the state files live as long as it does.
    fn whole(&self, bench: &mut Bench, check: Id, seat: Seat, seed: u64) -> Troubles {
        let claim = bench.claim(marks(&self.ruleset))?;
        bench.forget(marks(&self.ruleset))?;
        let found = self.moves(bench, check, seat, seed);
        bench.forget(marks(&self.ruleset))?;
        drop(claim);
        found
    }

    fn moves(&self, bench: &mut Bench, check: Id, own: Seat, seed: u64) -> Troubles {
        let (mut lots, mut history) = (Lots::new(seed), History::new());
        let failed = |what: String| SandboxError::Failed(format!("a game cannot be set up: {what}"));
        let mut table = begin(&self.ruleset, seed).map_err(|error| failed(error.to_string()))?;
        while let (Some(seat), true) = (table.to_act().iter().next(), history.len() < MOST_MOVES) {
            if bench.shared.given_up() {
                break;
            }
            let drawn = drawn(table.as_ref(), seat, &mut lots).filter(|_| seat != own);
            let reply = match drawn {
                Some(reply) => reply,
                None => match self.bots_answer(bench, check, seat, seed, &history)? {
                    Ok(answer) => Reply::Answer(answer),
                    Err(troubles) => return Ok(troubles),
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
        bench: &mut Bench,
        check: Id,
        seat: Seat,
        seed: u64,
        history: &History,
    ) -> Result<Result<Vec<u8>, Vec<crate::settle::Trouble>>, SandboxError> {
        let (case, about) = (format!("game {seed} move {}", history.len() + 1), format!("a game as {seat}"));
        let question = self.question(case, about, seat, seed, history.clone());
        let question = question.ok_or_else(|| SandboxError::Failed("a game cannot be replayed".to_string()))?;
        let state = bench.state(question.mark)?;
        let evidence = bench.ask_claimed(&question.case, Purpose::Move, &question.order(), state.as_deref())?;
        let output = evidence.report.output.clone();
        let found = question.compared(bench, check, evidence, (&question.order(), None), true)?;
        Ok(if found.is_empty() { Ok(output) } else { Err(found) })
    }
}
