//! The state file (B9): absent, of another game, full of junk; and no other file touched.

use super::games::{Match, Player, play};
use super::question;
use crate::bench::Bench;
use crate::games::boxing::case::Case;
use crate::games::boxing::id;
use crate::job::Job;
use crate::pipes::protocol::{self, Watched, odd_states, with_state};
use crate::pipes::question::Troubles;
use crate::pipes::{Purpose, job};
use crate::settle::Trouble;
use cornerman::games::boxing::Arena;
use cornerman_harness::sandbox::SandboxError;

/// Moves of all seats in the games that give the bot something to remember.
const A_FEW_MOVES: usize = 8;

/// Has the bot play a few moves against itself, for `check`, and returns the arena, or the troubles that the
/// check ends with. The claim on the marks is the caller's; state files are left.
fn a_few_moves(
    bench: &mut Bench,
    check: &'static str,
    marks: [u8; 2],
    seed: u64,
) -> Result<Result<Arena, Vec<Trouble>>, SandboxError> {
    let mut arena = Arena::generate(seed);
    let seats = marks.map(|mark| (Player::Bot, mark));
    let about = "the first moves of a game against itself";
    let game = Match { check: id::SELF, name: "short game", about, seats, most_moves: A_FEW_MOVES };
    let found = play(bench, &game, &mut arena)?;
    if found.is_empty() {
        return Ok(Ok(arena));
    }
    Ok(Err(found.into_iter().map(|trouble| Trouble { ended: Some(check), ..trouble }).collect()))
}

/// BX-STATE-COLD: in the middle of a game the state files are gone.
pub fn cold(seed: u64) -> Job {
    job(&[id::STATE_COLD], A_FEW_MOVES as u32 + 2, move |bench| {
        let marks = *b"mn";
        let claim = bench.claim(&marks)?;
        let mut found = Vec::new();
        match a_few_moves(bench, id::STATE_COLD, marks, seed)? {
            Ok(arena) => {
                for mark in marks {
                    found.extend(cold_move(bench, &arena, mark)?);
                }
            }
            Err(troubles) => found = troubles,
        }
        bench.forget(&marks)?;
        drop(claim);
        Ok(found)
    })
}

fn cold_move(bench: &mut Bench, arena: &Arena, mark: u8) -> Troubles {
    let case = format!("short game move {}", A_FEW_MOVES + 1);
    let asked = question(case, "a game against itself, its state file removed".to_string(), arena, mark);
    let order = asked.order();
    let kept = bench.state(mark)?;
    let evidence = bench.ask_claimed(&asked.case, Purpose::Special, &order, None)?;
    // Here the run without a state file is the special one, and the game's own is plain.
    asked.compared(bench, id::STATE_COLD, evidence, (&order, kept.as_deref()), true)
}

/// BX-STATE-STALE: the state file is of another game.
pub fn stale(seed: u64, cases: Vec<Case>) -> Job {
    job(&[id::STATE_STALE], (A_FEW_MOVES as u32 + 1) * cases.len() as u32, move |bench| {
        let mut found = Vec::new();
        for case in &cases {
            let marks = [case.mark, b'q'];
            let claim = bench.claim(&marks)?;
            let elsewhere = a_few_moves(bench, id::STATE_STALE, marks, !seed)?;
            let kept = bench.state(case.mark)?;
            bench.forget(&marks)?;
            drop(claim);
            match elsewhere {
                // If the bot keeps none: what others might keep there.
                Ok(arena) => {
                    let state = kept.unwrap_or_else(|| arena.to_bytes().to_vec());
                    let asked = case.question();
                    found.extend(with_state(bench, id::STATE_STALE, &asked, "of another game", &state)?);
                }
                Err(troubles) => found.extend(troubles),
            }
        }
        Ok(found)
    })
}

/// BX-STATE-CORRUPT: the state file is empty, or full of junk.
pub fn corrupt(seed: u64, cases: Vec<Case>) -> Job {
    job(&[id::STATE_CORRUPT], 5, move |bench| {
        let mut found = Vec::new();
        for (case, (words, state)) in cases.iter().cycle().zip(&odd_states(seed)) {
            found.extend(with_state(bench, id::STATE_CORRUPT, &case.question(), words, state)?);
        }
        Ok(found)
    })
}

/// BX-STATE-ONLY and BX-STATE-SEP: the file system is watched. `foe` has a state file meanwhile.
pub fn watched(case: Case, foe: u8, own_state: Option<&'static [u8]>) -> Job {
    let checks = Watched { apart: id::STATE_SEP, only: id::STATE_ONLY };
    let run = move |bench: &mut Bench| protocol::watched(bench, checks, &case.question(), foe, own_state);
    Job { alone: true, ..job(&[id::STATE_ONLY, id::STATE_SEP], 1, run) }
}
