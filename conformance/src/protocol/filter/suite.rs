//! The jobs of a game with one process for each move that has only the checks of the protocol. A bot is started for
//! every move with its mark as the argument, reads what its seat may see, and writes its answer.

use super::Purpose;
use super::conditions::{condition_jobs, odd_jobs, twice_job, watched_job};
use super::games::{FilterGame, GamePlan, Move, Player};
use super::question::Question;
use super::state::{A_FEW_MOVES, absent, corrupt, removed, stale};
use crate::budget::Round;
use crate::catalog::{Catalogue, Id, Severity};
use crate::finding::Cause;
use crate::jobs::Job;
use crate::protocol::{begin, drawn, marks, seats};
use crate::runner::SharedState;
use cornerman::game::{LiveGame, Reply, Seat};
use cornerman::rng::Rng;
use cornerman_harness::ruleset::Ruleset;
use std::sync::{Arc, Mutex, PoisonError};

/// The positions of single questions, as numbers of random moves since the start. If the game does not list legal
/// moves, only the first is used.
const POSITIONS: [usize; 4] = [0, 1, 2, 4];

/// The number of whole games from each seat after the first one.
const MORE_GAMES: u64 = 3;

/// A whole game is broken off after this many moves.
const MOST_MOVES: usize = 100;

/// About how many moves a bot makes in a whole game.
const USUAL_MOVES: u32 = 10;

/// The mark of a state file that belongs to another player, but to none of the seats.
const OPPONENT: u8 = b'~';

/// An opponent that makes random legal moves.
const DRAWN: Move = |live, seat, number| drawn(live, seat, &mut Rng::new(number));

/// The jobs of a phase, `None` after the last one.
pub(crate) fn jobs(shared: &SharedState, phase: usize) -> Option<Vec<Job>> {
    let games = Games { checks: shared.checks, ruleset: shared.ruleset.clone() };
    match phase {
        0 => Some(games.plain_jobs()),
        1 => Some(games.jobs(shared)),
        _ => None,
    }
}

/// The games that a bot plays: against random moves, or against itself.
#[derive(Clone)]
struct Games {
    checks: &'static Catalogue,
    ruleset: Ruleset,
}

impl FilterGame for Games {
    fn question(&self, case: String, about: String, live: &dyn LiveGame, seat: Seat, mark: u8) -> Question {
        let checks = self.checks;
        let input = live.view(seat);
        let position = Mutex::new(live.fork());
        let judge = move |output: &[u8]| {
            let position = position.lock().unwrap_or_else(PoisonError::into_inner);
            let violation = position.judge(seat, &Reply::Answer(output.to_vec())).err()?;
            if output.trim_ascii().is_empty() {
                return Some(Cause::new(checks.id("OUT"), "nothing was written"));
            }
            Some(Cause::new(checks.id("MOVE"), violation.to_string()))
        };
        let severity = Severity::Must;
        Question { case, about, input, mark, severity, flags: 0, judge: Arc::new(judge) }
    }
}

impl Games {
    /// The jobs of the first phase: questions in plain conditions about the start of a game and later positions.
    fn plain_jobs(&self) -> Vec<Job> {
        let names = ["START", "OUT", "MOVE", "EXIT", "TIME", "SIGNAL", "ORPHAN", "STDERR"];
        let plain = names.map(|name| self.checks.id(name));
        let moves_and_out = ["MOVE", "OUT"].map(|name| self.checks.id(name));
        let job_of = |question: Question| {
            let job = Job::new(&plain, 1, move |runner| {
                let evidence = runner.ask(&question, Purpose::Move, &question.request(), None)?;
                // An answer that is an illegal move has passed the check of its form.
                let is_earlier = |failed, id| [failed, id] == moves_and_out;
                Ok(question.judged(runner, &evidence, |_| None, plain.to_vec(), is_earlier))
            });
            Job { comes_first: true, ..job }
        };
        self.questions().into_iter().map(job_of).collect()
    }

    /// The jobs of the second phase, for the selected checks.
    fn jobs(&self, shared: &SharedState) -> Vec<Job> {
        let checks = self.checks;
        let seed = shared.options.seed;
        let check = checks.id("GAME");
        let mut jobs = Vec::new();
        for time in 0..=MORE_GAMES {
            for seat in seats(&self.ruleset) {
                let plan = self.plan(check, Some(seat), seed.wrapping_add(time), MOST_MOVES);
                let round = if time == 0 { Round::First } else { Round::Later };
                jobs.push(Job::new(&[check], USUAL_MOVES, move |runner| plan.play_whole(runner)).in_round(round));
            }
        }
        let questions = self.questions();
        jobs.extend(condition_jobs(checks, &questions[..questions.len().min(2)]));
        if let Some(first) = questions.first() {
            let few = |seed| self.plan(check, None, seed, A_FEW_MOVES.min(MOST_MOVES));
            jobs.extend(odd_jobs(checks, first));
            jobs.push(absent(checks.id("STATE-COLD"), first.clone()));
            jobs.push(removed(checks.id("STATE-COLD"), few(seed)));
            jobs.push(stale(checks.id("STATE-STALE"), vec![(first.clone(), few(!seed))]));
            jobs.push(corrupt(checks.id("STATE-CORRUPT"), seed, questions.clone()));
            jobs.push(twice_job(checks, first.clone()));
            jobs.push(watched_job(checks, first.clone(), OPPONENT, None));
        }
        jobs.retain(|job| job.checks.iter().any(|id| shared.selected.contains(*id)));
        jobs
    }

    /// The questions about the start of a game and later positions.
    fn questions(&self) -> Vec<Question> {
        POSITIONS.into_iter().filter_map(|moves| self.after(moves)).collect()
    }

    /// The question after this many random moves; `None` if the game does not list legal moves, or is over by then.
    fn after(&self, moves: usize) -> Option<Question> {
        let mut rng = Rng::new(moves as u64);
        let mut live = begin(&self.ruleset, moves as u64).ok()?;
        for _ in 0..moves {
            let seat = live.to_act().iter().next()?;
            let reply = drawn(live.as_ref(), seat, &mut rng)?;
            live.play(seat, &reply).ok()?;
        }
        let seat = live.to_act().iter().next()?;
        let mark = self.ruleset.marks[seat.index()];
        let about = format!("a game after {moves} moves");
        Some(self.question(format!("position {}", moves + 1), about, live.as_ref(), seat, mark))
    }

    /// A game with the bot in the seat `own`, or in all of them.
    fn plan(&self, check: Id, own: Option<Seat>, seed: u64, max_moves: usize) -> GamePlan {
        let player =
            |seat: Seat| if own.is_none_or(|own| own == seat) { Player::Bot } else { Player::Opponent(DRAWN) };
        let about = own.map_or("a game against itself".to_string(), |own| format!("a game as {own}"));
        let ruleset = self.ruleset.clone();
        GamePlan {
            check,
            judges_all: false,
            name: format!("game {seed}"),
            about,
            seats: seats(&self.ruleset)
                .zip(marks(&self.ruleset))
                .map(|(seat, mark)| (player(seat), *mark))
                .collect(),
            open: Arc::new(move || begin(&ruleset, seed)),
            max_moves,
            game: Arc::new(self.clone()),
        }
    }
}
