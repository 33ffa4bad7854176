//! The suite of a game with one process for each move that has no checks but those of the protocol: a bot is started for
//! every move with its mark as the argument, reads what its seat may see, and writes its answer.

use super::conditions::{FilterIds, condition_jobs, odd_jobs, twice_job, watched_job};
use super::games::{FilterGame, GamePlan, Move, Player};
use super::question::Question;
use super::state::{A_FEW_MOVES, absent, attribute, corrupt, removed, stale};
use super::{Purpose, job};
use crate::attribution::Observations;
use crate::budget::Round;
use crate::catalog::{Catalogue, FILTER, Id, Severity};
use crate::conduct::CommonCheckIds;
use crate::finding::Cause;
use crate::games::{CheckRequest, Suite};
use crate::jobs::Job;
use crate::protocol::{GenericGame, begin, drawn, marks, seats};
use crate::runner::SharedState;
use cornerman::game::{LiveGame, Reply, Seat};
use cornerman::rng::Rng;
use cornerman_harness::kit::AnyKit;
use cornerman_harness::ruleset::Ruleset;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

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

/// Draws the move of an opponent.
const DRAWN: Move = |live, seat, number| drawn(live, seat, &mut Rng::new(number));

/// The suite of a game with one process for each move that has no checks but those of the protocol.
pub struct PipeSuite {
    game: GenericGame,
    known: OnceLock<(&'static Catalogue, FilterIds)>,
}

impl PipeSuite {
    /// The suite of the game of `kit`. The ids of its checks begin with `prefix`, such as `NM`; `rule` is the number of
    /// the rule that describes the protocol, such as `N3`.
    pub const fn new(kit: &'static dyn AnyKit, prefix: &'static str, rule: &'static str) -> PipeSuite {
        PipeSuite { game: GenericGame { kit, prefix, rule }, known: OnceLock::new() }
    }

    fn known(&self) -> (&'static Catalogue, FilterIds) {
        *self.known.get_or_init(|| {
            let catalogue = self.game.catalogue(FILTER);
            (catalogue, FilterIds::new(catalogue, catalogue.id("OUT")))
        })
    }

    fn id(&self, name: &str) -> Id {
        self.known().0.id(name)
    }

    /// The jobs of the first phase: questions in plain conditions about the start of a game and later positions.
    fn plain_jobs(&self, games: &Games) -> Vec<Job> {
        let names = ["START", "OUT", "MOVE", "EXIT", "TIME", "SIGNAL", "ORPHAN", "STDERR"];
        let plain = names.map(|name| self.id(name));
        let Games { out, moves, .. } = *games;
        let job_of = |question: Question| {
            let job = Job::new(&plain, 1, move |runner| {
                let evidence = runner.ask(&question, Purpose::Move, &question.request(), None)?;
                // An answer that is an illegal move has passed the check of its form.
                Ok(question.judged(
                    runner,
                    &evidence,
                    |_| None,
                    plain.to_vec(),
                    |failed, id| [failed, id] == [moves, out],
                ))
            });
            Job { comes_first: true, ..job }
        };
        games.questions().into_iter().map(job_of).collect()
    }

    /// The jobs of the second phase, for the selected checks.
    fn jobs(&self, games: &Games, request: &CheckRequest) -> Vec<Job> {
        let (_, ids) = self.known();
        let seed = request.seed;
        let check = self.id("GAME");
        let mut jobs = Vec::new();
        for time in 0..=MORE_GAMES {
            for seat in seats(&games.ruleset) {
                let plan = games.plan(check, Some(seat), seed.wrapping_add(time), MOST_MOVES);
                let round = if time == 0 { Round::First } else { Round::Later };
                jobs.push(job(&[check], USUAL_MOVES, move |runner| plan.play_whole(runner)).in_round(round));
            }
        }
        let questions = games.questions();
        jobs.extend(condition_jobs(&ids, &questions[..questions.len().min(2)]));
        if let Some(first) = questions.first() {
            let few = |seed| games.plan(check, None, seed, A_FEW_MOVES.min(MOST_MOVES));
            jobs.extend(odd_jobs(&ids, first));
            jobs.push(absent(ids.cold, first.clone()));
            jobs.push(removed(ids.cold, few(seed)));
            jobs.push(stale(ids.stale, vec![(first.clone(), few(!seed))]));
            jobs.push(corrupt(ids.corrupt, seed, questions.clone()));
            jobs.push(twice_job(&ids, first.clone()));
            jobs.push(watched_job(&ids, first.clone(), OPPONENT, None));
        }
        jobs.retain(|job| job.checks.iter().any(|id| request.selected.contains(*id)));
        jobs
    }
}

impl Suite for PipeSuite {
    fn catalogue(&self) -> &'static Catalogue {
        self.known().0
    }

    fn kit(&self) -> &'static dyn AnyKit {
        self.game.kit
    }

    fn ids(&self) -> CommonCheckIds {
        self.known().1.common
    }

    fn phase_jobs(
        &self,
        request: &CheckRequest,
        _: &SharedState,
        _: &Observations,
        phase: usize,
    ) -> Option<Vec<Job>> {
        let games = Games { out: self.id("OUT"), moves: self.id("MOVE"), ruleset: request.ruleset.clone() };
        match phase {
            0 => Some(self.plain_jobs(&games)),
            1 => Some(self.jobs(&games, request)),
            _ => None,
        }
    }

    fn attribute(&self, seen: &mut Observations) {
        attribute(seen, self.known().1.cold);
    }
}

/// The games that a bot plays in a suite without checks of its own: against random moves, or against itself.
#[derive(Clone)]
struct Games {
    /// The check of a missing answer.
    out: Id,
    /// The check of an illegal one.
    moves: Id,
    ruleset: Ruleset,
}

impl FilterGame for Games {
    fn question(&self, case: String, about: String, live: &dyn LiveGame, seat: Seat, mark: u8) -> Question {
        let Games { out, moves, .. } = *self;
        let input = live.view(seat);
        let position = Mutex::new(live.fork());
        let judge = move |output: &[u8]| {
            let position = position.lock().unwrap_or_else(PoisonError::into_inner);
            let violation = position.judge(seat, &Reply::Answer(output.to_vec())).err()?;
            if output.trim_ascii().is_empty() {
                return Some(Cause::new(out, "nothing was written"));
            }
            Some(Cause::new(moves, violation.to_string()))
        };
        let severity = Severity::Must;
        Question { case, about, input, mark, severity, flags: 0, judge: Arc::new(judge) }
    }
}

impl Games {
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
