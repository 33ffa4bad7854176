//! The generic suite of a game with one process per move: a bot is started for every move with its mark as the
//! argument, reads what its seat may see, and writes its answer.

use super::{GenericGame, begin, drawn, marks, seats, view};
use crate::attribution::{Failure, Observations};
use crate::budget::Round;
use crate::catalog::{Catalogue, Id, Severity};
use crate::fault::{CommonCheckIds, Fault};
use crate::games::{CheckRequest, Suite};
use crate::job::{Job, JobResult};
use crate::pipes::protocol::{self, junk_states};
use crate::pipes::question::{Failures, Question, decides};
use crate::pipes::{Purpose, job};
use crate::runner::BotRunner;
use crate::runner::{BYTE_BY_BYTE, IN_FOREIGN_FOLDER, OUTPUT_TO_FILE, SpecialCondition, WITHOUT_ENVIRONMENT};
use crate::shared::SharedState;
use cornerman::game::{LiveGame, Reply, Seat};
use cornerman::rng::Rng;
use cornerman_harness::kit::AnyKit;
use cornerman_harness::ruleset::Ruleset;
use cornerman_harness::sandbox::SandboxError;
use std::sync::{Arc, OnceLock};

/// The positions of single questions, as numbers of moves since the start. Only the first is used if the game does not
/// list legal moves.
const POSITIONS: [usize; 4] = [0, 1, 2, 4];

/// The number of whole games after the first one; the greatest number of moves in each; and about how many the bot
/// makes.
const MORE_GAMES: u64 = 3;
const MOST_MOVES: usize = 100;
const USUAL_MOVES: u32 = 10;

/// The mark of a state file that belongs to another player, but to none of the seats.
const OPPONENT: u8 = b'~';

/// The generic suite of a game with one process per move.
pub struct PipeSuite {
    game: GenericGame,
    known: OnceLock<(&'static Catalogue, CommonCheckIds)>,
}

impl PipeSuite {
    /// The suite of the game of `kit`. The ids of its checks begin with `prefix`, such as `NM`; `rule` is the number of
    /// the rule that describes the protocol, such as `N3`.
    pub const fn new(kit: &'static dyn AnyKit, prefix: &'static str, rule: &'static str) -> PipeSuite {
        PipeSuite { game: GenericGame { kit, prefix, rule }, known: OnceLock::new() }
    }

    fn known(&self) -> (&'static Catalogue, CommonCheckIds) {
        *self.known.get_or_init(|| {
            let catalogue = self.game.catalogue(include_str!("../../catalog/pipes.toml"));
            let ids = self.game.ids(catalogue, "STATE-ONLY", "OUT", Some("EXIT"));
            let foreign_state = Some(self.game.check(catalogue, "STATE-SEP"));
            (catalogue, CommonCheckIds { foreign_state, ..ids })
        })
    }

    fn id(&self, name: &str) -> Id {
        self.game.check(self.known().0, name)
    }

    /// The checks that runs in plain conditions can fail.
    fn plain(&self) -> Vec<Id> {
        let names = ["START", "OUT", "MOVE", "EXIT", "TIME", "SIGNAL", "ORPHAN", "STDERR"];
        names.map(|name| self.id(name)).into()
    }

    fn games(&self, request: &CheckRequest) -> PipeGames {
        let ids = [self.id("OUT"), self.id("MOVE")];
        PipeGames { ids, ruleset: request.ruleset.clone() }
    }

    /// The jobs of the first phase: questions in plain conditions about the start of a game and later positions.
    fn plain_jobs(&self, games: &PipeGames) -> Vec<Job> {
        let job_of = |question: Question| {
            let ([out, moves], plain) = (games.ids, self.plain());
            let job = Job::new(&self.plain(), 1, move |runner| {
                let evidence = runner.ask(&question, Purpose::Move, &question.request(), None)?;
                let faults = question.faults(runner, &evidence.report);
                let failures = faults.into_iter().map(|fault| question.failure(None, fault, evidence.clone()));
                let result = JobResult { failures: failures.collect(), ..JobResult::default() };
                let ids = &runner.shared.ids;
                // An answer that is an illegal move has passed the check of its form.
                let is_earlier = |failed, id| [failed, id] == [moves, out];
                Ok(result.judging(ids, plain, |failure, id| decides(ids, failure, id, is_earlier)))
            });
            Job { comes_first: true, ..job }
        };
        POSITIONS.into_iter().filter_map(|moves| games.after(moves)).map(job_of).collect()
    }

    /// The jobs of the second phase, for the selected checks.
    fn jobs(&self, games: &PipeGames, request: &CheckRequest) -> Vec<Job> {
        let seed = request.seed;
        let mut jobs = Vec::new();
        for time in 0..=MORE_GAMES {
            for seat in seats(&games.ruleset) {
                let games = games.clone();
                let check = self.id("GAME");
                let round = if time == 0 { Round::First } else { Round::Later };
                let run = move |runner: &mut BotRunner| games.whole(runner, check, seat, seed.wrapping_add(time));
                jobs.push(job(&[check], USUAL_MOVES, run).in_round(round));
            }
        }
        let questions: Vec<Question> = POSITIONS.into_iter().filter_map(|moves| games.after(moves)).collect();
        let mut on = |name: &str, question: &Question, run: fn(&mut BotRunner, Id, &Question) -> Failures| {
            let check = self.id(name);
            let question = question.clone();
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
            let checks = [self.id("STATE-ONLY"), self.id("STATE-SEP")];
            let question = question.clone();
            let run = move |runner: &mut BotRunner| protocol::watched(runner, &question, OPPONENT, None);
            jobs.push(Job { watched: true, ..job(&checks, 1, run) });
        }
        jobs.retain(|job| job.checks.iter().any(|id| request.selected.contains(*id)));
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
        request: &CheckRequest,
        _: &SharedState,
        _: &Observations,
        round: usize,
    ) -> Option<Vec<Job>> {
        let games = self.games(request);
        match round {
            0 => Some(self.plain_jobs(&games)),
            1 => Some(self.jobs(&games, request)),
            _ => None,
        }
    }
}

/// Plays games with a bot.
#[derive(Clone)]
struct PipeGames {
    /// The ids of the checks for a missing answer and for an illegal one.
    ids: [Id; 2],
    ruleset: Ruleset,
}

/// The bot's answer on one of its turns.
enum BotAnswer {
    /// The bytes of a faultless answer.
    Played(Vec<u8>),
    /// The failures because of which the game ends.
    Failed(Vec<Failure>),
}

/// The moves so far, each with its seat.
type History = Vec<(Seat, Reply)>;

impl PipeGames {
    /// The position after `history`.
    fn replay(&self, seed: u64, history: &History) -> Option<Box<dyn LiveGame>> {
        let mut live = begin(&self.ruleset, seed).ok()?;
        history.iter().try_for_each(|(seat, reply)| live.play(*seat, reply).map(drop)).ok()?;
        Some(live)
    }

    /// The question to `seat` after `history`; `None` if `history` cannot be replayed.
    fn question(&self, case: String, about: String, seat: Seat, seed: u64, history: History) -> Option<Question> {
        let live = self.replay(seed, &history)?;
        let games = self.clone();
        let input = view(live.as_ref(), seat);
        let judge = move |output: &[u8]| {
            let [out, moves] = games.ids;
            if output.trim_ascii().is_empty() {
                return Some(Fault::new(out, "nothing was written"));
            }
            let violation = games.replay(seed, &history)?.answer(seat, output).err()?;
            Some(Fault::new(moves, violation.to_string()))
        };
        let mark = self.ruleset.marks[seat.index()];
        let severity = Severity::Must;
        let judge = Arc::new(judge);
        Some(Question { case, about, input, mark, severity, circumstances: 0, judge })
    }

    /// The question after this many random moves; `None` if the game does not list legal moves, or is over by then.
    fn after(&self, moves: usize) -> Option<Question> {
        let seed = moves as u64;
        let mut rng = Rng::new(moves as u64);
        let mut history = History::new();
        let mut live = begin(&self.ruleset, seed).ok()?;
        for _ in 0..moves {
            let seat = live.to_act().iter().next()?;
            let reply = drawn(live.as_ref(), seat, &mut rng)?;
            live.play(seat, &reply).ok()?;
            history.push((seat, reply));
        }
        let seat = live.to_act().iter().next()?;
        let case = format!("position {}", moves + 1);
        let about = format!("a game after {moves} moves");
        self.question(case, about, seat, seed, history)
    }

    /// Plays a whole game with the bot in `seat`, for `check`. State files are kept from move to move and removed
    /// afterwards.
    fn whole(&self, runner: &mut BotRunner, check: Id, seat: Seat, seed: u64) -> Failures {
        let claim = runner.claim(marks(&self.ruleset))?;
        runner.forget(marks(&self.ruleset))?;
        let found = self.moves(runner, check, seat, seed);
        runner.forget(marks(&self.ruleset))?;
        drop(claim);
        found
    }

    fn moves(&self, runner: &mut BotRunner, check: Id, own: Seat, seed: u64) -> Failures {
        let mut rng = Rng::new(seed);
        let mut history = History::new();
        let failed = |what: String| SandboxError::Failed(format!("a game cannot be set up: {what}"));
        let mut live = begin(&self.ruleset, seed).map_err(|error| failed(error.to_string()))?;
        while let (Some(seat), true) = (live.to_act().iter().next(), history.len() < MOST_MOVES) {
            if runner.shared.given_up() {
                break;
            }
            let drawn = drawn(live.as_ref(), seat, &mut rng).filter(|_| seat != own);
            let reply = match drawn {
                Some(reply) => reply,
                None => match self.bots_answer(runner, check, seat, seed, &history)? {
                    BotAnswer::Played(answer) => Reply::Answer(answer),
                    BotAnswer::Failed(failures) => return Ok(failures),
                },
            };
            if live.play(seat, &reply).is_err() {
                break;
            }
            history.push((seat, reply));
        }
        Ok(Vec::new())
    }

    /// The bot's answer in a game after `history`.
    fn bots_answer(
        &self,
        runner: &mut BotRunner,
        check: Id,
        seat: Seat,
        seed: u64,
        history: &History,
    ) -> Result<BotAnswer, SandboxError> {
        let case = format!("game {seed} move {}", history.len() + 1);
        let about = format!("a game as {seat}");
        let question = self.question(case, about, seat, seed, history.clone());
        let question = question.ok_or_else(|| SandboxError::Failed("a game cannot be replayed".to_string()))?;
        let state = runner.state(question.mark)?;
        let evidence = runner.ask_claimed(&question, Purpose::Move, &question.request(), state.as_deref())?;
        let output = evidence.report.output.clone();
        let found = question.compared(runner, check, evidence, (&question.request(), None), true)?;
        Ok(if found.is_empty() { BotAnswer::Played(output) } else { BotAnswer::Failed(found) })
    }
}
