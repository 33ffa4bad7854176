//! The state file (B9): missing, from another game, or full of junk. No other file may be used.
//!
//! A bot must start a game without the file. During a game it may rely on the file, because only the bot changes it
//! then; so everything else here is a warning.

use super::games::{GamePlan, Player, play};
use super::{question, without_notes};
use crate::attribution::Failure;
use crate::games::boxing::attribute::NEEDS_FILE;
use crate::games::boxing::case::Case;
use crate::games::boxing::id;
use crate::job::Job;
use crate::pipes::protocol::{self, junk_states, with_state};
use crate::pipes::question::Failures;
use crate::pipes::{Purpose, job};
use crate::runner::BotRunner;
use cornerman::games::boxing::Arena;
use cornerman_harness::sandbox::SandboxError;

/// The moves of both seats in the games that give the bot something to remember.
const A_FEW_MOVES: usize = 8;

/// The result of playing the first moves of a game of the bot against itself.
enum FirstMoves {
    /// The arena after them.
    Played(Box<Arena>),
    /// The failures that interrupt the check.
    Failed(Vec<Failure>),
}

/// Plays a few moves of the bot against itself for `check`, and leaves the state files. The caller must hold the claim
/// on the marks.
fn a_few_moves(
    runner: &mut BotRunner,
    check: &'static str,
    marks: [u8; 2],
    seed: u64,
) -> Result<FirstMoves, SandboxError> {
    let mut arena = Arena::generate(seed);
    let seats = &marks.map(|mark| (Player::Bot, mark));
    let about = "the first moves of a game against itself";
    let game = GamePlan { check: id::SELF, name: "short game", about, seats, max_moves: A_FEW_MOVES };
    let found = play(runner, &game, &mut arena)?;
    if found.is_empty() {
        return Ok(FirstMoves::Played(Box::new(arena)));
    }
    let interrupting = |failure| Failure { interrupted: Some(check), ..failure };
    Ok(FirstMoves::Failed(found.into_iter().map(interrupting).collect()))
}

/// BX-STATE-COLD: there is no state file at the start of a game. If a bot fails without a file and plays with any, the
/// missing file is the cause, whatever else its failures look like.
pub(crate) fn absent(case: Case) -> Job {
    job(&[id::STATE_COLD], 1, move |runner| {
        let asked = case.question();
        let request = asked.request();
        let evidence = runner.ask(&asked, Purpose::Special, &request, None)?;
        let Some(fault) = asked.fault_of_play(runner, &evidence.report) else { return Ok(Vec::new()) };
        for content in [b"".as_slice(), b"0\n", b"0 0 0\n", b"[]\n", b"{}\n", &asked.input] {
            let with_file = runner.ask(&asked, Purpose::Special, &request, Some(content))?;
            if asked.fault_of_play(runner, &with_file.report).is_none() {
                let failure = asked.failure(None, fault, evidence);
                let circumstances = failure.circumstances | NEEDS_FILE;
                return Ok(vec![Failure { circumstances, ..failure }]);
            }
        }
        Ok(Vec::new())
    })
}

/// BX-STATE-COLD: the state files are removed during a game.
pub(crate) fn cold(seed: u64) -> Job {
    job(&[id::STATE_COLD], A_FEW_MOVES as u32 + 2, move |runner| {
        let marks = *b"mn";
        let claim = runner.claim(&marks)?;
        let mut found = Vec::new();
        match a_few_moves(runner, id::STATE_COLD, marks, seed)? {
            FirstMoves::Played(arena) => {
                for mark in marks {
                    found.extend(cold_move(runner, &arena, mark)?);
                }
            }
            FirstMoves::Failed(failures) => found = failures,
        }
        runner.forget(&marks)?;
        drop(claim);
        Ok(found)
    })
}

fn cold_move(runner: &mut BotRunner, arena: &Arena, mark: u8) -> Failures {
    let case = format!("short game move {}", A_FEW_MOVES + 1);
    let about = "a game against itself, its state file removed".to_string();
    let asked = without_notes(question(case, about, arena, mark));
    let request = asked.request();
    let kept = runner.state(mark)?;
    let evidence = runner.ask_claimed(&asked, Purpose::Special, &request, None)?;
    // Here the run without a state file is the special one, and the one with it is in plain conditions.
    asked.compared(runner, id::STATE_COLD, evidence, (&request, kept.as_deref()), true)
}

/// BX-STATE-STALE: the state file is from another game.
pub(crate) fn stale(seed: u64, cases: Vec<Case>) -> Job {
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
                FirstMoves::Played(arena) => {
                    // A bot that keeps no state file gets what another program might store there.
                    let state = kept.unwrap_or_else(|| arena.to_bytes().to_vec());
                    let asked = case.question();
                    found.extend(with_state(runner, id::STATE_STALE, &asked, "of another game", &state)?);
                }
                FirstMoves::Failed(failures) => found.extend(failures),
            }
        }
        Ok(found)
    })
}

/// BX-STATE-CORRUPT: the state file is empty or full of junk.
pub(crate) fn corrupt(seed: u64, cases: Vec<Case>) -> Job {
    job(&[id::STATE_CORRUPT], 5, move |runner| {
        let mut found = Vec::new();
        for (case, (words, state)) in cases.iter().cycle().zip(&junk_states(seed)) {
            found.extend(with_state(runner, id::STATE_CORRUPT, &case.question(), words, state)?);
        }
        Ok(found)
    })
}

/// BX-STATE-ONLY and BX-STATE-SEP: the file system is watched, and the mark `opponent` has a state file.
pub(crate) fn watched(case: Case, opponent: u8, own_state: Option<&'static [u8]>) -> Job {
    let run = move |runner: &mut BotRunner| protocol::watched(runner, &case.question(), opponent, own_state);
    Job { watched: true, ..job(&[id::STATE_ONLY, id::STATE_SEP], 1, run) }
}
