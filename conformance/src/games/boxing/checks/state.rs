//! The state file (B9): absent, of another game, full of junk; and no other file touched.

use super::games::{GamePlan, Player, play};
use super::question;
use crate::attribution::Failure;
use crate::games::boxing::case::Case;
use crate::games::boxing::id;
use crate::job::Job;
use crate::pipes::protocol::{self, FileChecks, junk_states, with_state};
use crate::pipes::question::Failures;
use crate::pipes::{Purpose, job};
use crate::runner::BotRunner;
use cornerman::games::boxing::Arena;
use cornerman_harness::sandbox::SandboxError;

/// Moves of all seats in the games that give the bot something to remember.
const A_FEW_MOVES: usize = 8;

/// Has the bot play a few moves against itself, for `check`, and returns the arena, or the troubles that the
/// check ends with. The claim on the marks is the caller's; state files are left.
fn a_few_moves(
    runner: &mut BotRunner,
    check: &'static str,
    marks: [u8; 2],
    seed: u64,
) -> Result<Result<Arena, Vec<Failure>>, SandboxError> {
    let mut arena = Arena::generate(seed);
    let seats = marks.map(|mark| (Player::Bot, mark));
    let about = "the first moves of a game against itself";
    let game = GamePlan { check: id::SELF, name: "short game", about, seats, most_moves: A_FEW_MOVES };
    let found = play(runner, &game, &mut arena)?;
    if found.is_empty() {
        return Ok(Ok(arena));
    }
    Ok(Err(found.into_iter().map(|failure| Failure { ended: Some(check), ..failure }).collect()))
}

/// BX-STATE-COLD: in the middle of a game the state files are gone.
pub fn cold(seed: u64) -> Job {
    job(&[id::STATE_COLD], A_FEW_MOVES as u32 + 2, move |runner| {
        let marks = *b"mn";
        let claim = runner.claim(&marks)?;
        let mut found = Vec::new();
        match a_few_moves(runner, id::STATE_COLD, marks, seed)? {
            Ok(arena) => {
                for mark in marks {
                    found.extend(cold_move(runner, &arena, mark)?);
                }
            }
            Err(failures) => found = failures,
        }
        runner.forget(&marks)?;
        drop(claim);
        Ok(found)
    })
}

fn cold_move(runner: &mut BotRunner, arena: &Arena, mark: u8) -> Failures {
    let case = format!("short game move {}", A_FEW_MOVES + 1);
    let asked = question(case, "a game against itself, its state file removed".to_string(), arena, mark);
    let order = asked.request();
    let kept = runner.state(mark)?;
    let evidence = runner.ask_claimed(&asked.case, Purpose::Special, &order, None)?;
    // Here the run without a state file is the special one, and the game's own is plain.
    asked.compared(runner, id::STATE_COLD, evidence, (&order, kept.as_deref()), true)
}

/// BX-STATE-STALE: the state file is of another game.
pub fn stale(seed: u64, cases: Vec<Case>) -> Job {
    job(&[id::STATE_STALE], (A_FEW_MOVES as u32 + 1) * cases.len() as u32, move |runner| {
        let mut found = Vec::new();
        for case in &cases {
            let marks = [case.mark, b'q'];
            let claim = runner.claim(&marks)?;
            let elsewhere = a_few_moves(runner, id::STATE_STALE, marks, !seed)?;
            let kept = runner.state(case.mark)?;
            runner.forget(&marks)?;
            drop(claim);
            match elsewhere {
                // If the bot keeps none: what others might keep there.
                Ok(arena) => {
                    let state = kept.unwrap_or_else(|| arena.to_bytes().to_vec());
                    let asked = case.question();
                    found.extend(with_state(runner, id::STATE_STALE, &asked, "of another game", &state)?);
                }
                Err(failures) => found.extend(failures),
            }
        }
        Ok(found)
    })
}

/// BX-STATE-CORRUPT: the state file is empty, or full of junk.
pub fn corrupt(seed: u64, cases: Vec<Case>) -> Job {
    job(&[id::STATE_CORRUPT], 5, move |runner| {
        let mut found = Vec::new();
        for (case, (words, state)) in cases.iter().cycle().zip(&junk_states(seed)) {
            found.extend(with_state(runner, id::STATE_CORRUPT, &case.question(), words, state)?);
        }
        Ok(found)
    })
}

/// BX-STATE-ONLY and BX-STATE-SEP: the file system is watched. `foe` has a state file meanwhile.
pub fn watched(case: Case, foe: u8, own_state: Option<&'static [u8]>) -> Job {
    let checks = FileChecks { apart: id::STATE_SEP, only: id::STATE_ONLY };
    let run = move |runner: &mut BotRunner| protocol::watched(runner, checks, &case.question(), foe, own_state);
    Job { alone: true, ..job(&[id::STATE_ONLY, id::STATE_SEP], 1, run) }
}
