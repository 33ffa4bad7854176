//! The state file (B9): absent, of another game, full of junk; and no other file touched.

use super::games::{Match, Player, play};
use super::{Asked, Found, Job, Trouble, compared};
use crate::catalog::{Severity, id};
use crate::finding::Evidence;
use crate::games::boxing::case::Case;
use crate::games::boxing::runner::{Hand, Purpose};
use crate::games::boxing::verdict::Fault;
use crate::trespass::{in_words, is_of_a_runtime, place, touched_always};
use cornerman::games::boxing::Arena;
use cornerman::lots::Lots;
use cornerman_harness::sandbox::{Order, SandboxError, Trespass, TrespassKind};
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

/// Moves of all seats in the games that give the bot something to remember.
const A_FEW_MOVES: usize = 8;

/// A watched run is made so often before a touched file is believed to be the bot's doing.
const WATCHED_RUNS: usize = 3;

/// Has the bot play a few moves against itself, for `check`, and returns the arena, or the troubles that the
/// check ends with. The claim on the marks is the caller's; state files are left.
fn a_few_moves(
    hand: &mut Hand,
    check: &'static str,
    marks: [u8; 2],
    seed: u64,
) -> Result<Result<Arena, Vec<Trouble>>, SandboxError> {
    let mut arena = Arena::generate(seed);
    let seats = marks.map(|mark| (Player::Bot, mark));
    let about = "the first moves of a game against itself";
    let game = Match { check: id::SELF, name: "short game", about, seats, most_moves: A_FEW_MOVES };
    let found = play(hand, &game, &mut arena)?;
    if found.is_empty() {
        return Ok(Ok(arena));
    }
    Ok(Err(found.into_iter().map(|trouble| Trouble { ended: Some(check), ..trouble }).collect()))
}

fn forget(hand: &mut Hand, marks: &[u8]) -> Result<(), SandboxError> {
    marks.iter().try_for_each(|&mark| hand.put_state(mark, None))
}

/// BX-STATE-COLD: in the middle of a game the state files are gone.
pub fn cold<'a>(seed: u64) -> Job<'a> {
    Job::new(&[id::STATE_COLD], A_FEW_MOVES as u32 + 2, move |hand| {
        let marks = *b"mn";
        let claim = hand.claim(&marks)?;
        let mut found = Vec::new();
        match a_few_moves(hand, id::STATE_COLD, marks, seed)? {
            Ok(arena) => {
                for mark in marks {
                    found.extend(cold_move(hand, &arena, mark)?);
                }
            }
            Err(troubles) => found = troubles,
        }
        forget(hand, &marks)?;
        drop(claim);
        Ok(found)
    })
}

fn cold_move(hand: &mut Hand, arena: &Arena, mark: u8) -> Found {
    let asked = Asked {
        case: format!("short game move {}", A_FEW_MOVES + 1),
        about: "a game against itself, its state file removed".to_string(),
        arena,
        mark,
        severity: Severity::Must,
    };
    let order = Order::of_move(mark, &arena.to_bytes());
    let kept = hand.state(mark)?;
    let evidence = hand.ask_claimed(&asked.case, Purpose::Special, &order, None)?;
    // Here the run without a state file is the special one, and the game's own is plain.
    compared(hand, id::STATE_COLD, &asked, evidence, (&order, kept.as_deref()))
}

/// BX-STATE-STALE: the state file is of another game.
pub fn stale<'a>(seed: u64, cases: Vec<&'a Case>) -> Job<'a> {
    Job::new(&[id::STATE_STALE], (A_FEW_MOVES as u32 + 1) * cases.len() as u32, move |hand| {
        let mut found = Vec::new();
        for case in cases {
            let marks = [case.mark, b'q'];
            let claim = hand.claim(&marks)?;
            let elsewhere = a_few_moves(hand, id::STATE_STALE, marks, !seed)?;
            let kept = hand.state(case.mark)?;
            forget(hand, &marks)?;
            drop(claim);
            match elsewhere {
                // If the bot keeps none: what others might keep there.
                Ok(arena) => {
                    let state = kept.unwrap_or_else(|| arena.to_bytes().to_vec());
                    found.extend(with_state(hand, id::STATE_STALE, case, "of another game", &state)?);
                }
                Err(troubles) => found.extend(troubles),
            }
        }
        Ok(found)
    })
}

/// BX-STATE-CORRUPT: the state file is empty, or full of junk.
pub fn corrupt<'a>(seed: u64, cases: Vec<&'a Case>) -> Job<'a> {
    Job::new(&[id::STATE_CORRUPT], 5, move |hand| {
        let mut lots = Lots::new(seed);
        let junk = (0..4096).map(|_| lots.draw() as u8).collect();
        let states: [(&str, Vec<u8>); 5] = [
            ("that is empty", Vec::new()),
            ("of 4096 random bytes", junk),
            ("of 1 MiB of zeros", vec![0; 1 << 20]),
            ("with words instead of numbers", b"this is not what you wrote\n".repeat(20)),
            ("with a number out of all bounds", b"-99999999999999999999\n".to_vec()),
        ];
        let mut found = Vec::new();
        for (case, (words, state)) in cases.iter().cycle().zip(&states) {
            found.extend(with_state(hand, id::STATE_CORRUPT, case, words, state)?);
        }
        Ok(found)
    })
}

fn with_state(hand: &mut Hand, check: &'static str, case: &Case, words: &str, state: &[u8]) -> Found {
    let asked = Asked { about: format!("{}, with a state file {words}", case.title), ..Asked::of(case) };
    let order = Order::of_move(case.mark, &case.input());
    let claim = hand.claim(&[case.mark])?;
    let evidence = hand.ask_claimed(&asked.case, Purpose::Special, &order, Some(state))?;
    let found = compared(hand, check, &asked, evidence, (&order, None));
    hand.put_state(case.mark, None)?;
    drop(claim);
    found
}

/// BX-STATE-ONLY and BX-STATE-SEP: the file system is watched. `foe` has a state file meanwhile.
pub fn watched<'a>(case: &'a Case, foe: u8, own_state: Option<&'static [u8]>) -> Job<'a> {
    let run = move |hand: &mut Hand| {
        let order = Order { watch: true, ..Order::of_move(case.mark, &case.input()) };
        let mut marks = vec![case.mark, foe];
        let first = watched_run(hand, case, foe, &order, own_state, &marks)?;
        if first.report.trespasses.iter().all(|trespass| is_of_a_runtime(&trespass.path)) {
            return Ok(Vec::new());
        }
        // Another game's files may have come and gone: now the marks of all that were touched are claimed.
        marks.extend(first.report.trespasses.iter().filter_map(|trespass| mark_of(&trespass.path)));
        let runs: Result<Vec<Evidence>, SandboxError> =
            (0..WATCHED_RUNS).map(|_| watched_run(hand, case, foe, &order, own_state, &marks)).collect();
        Ok(trespasses(case, foe, runs?))
    };
    Job { alone: true, ..Job::new(&[id::STATE_ONLY, id::STATE_SEP], 1, run) }
}

fn watched_run(
    hand: &mut Hand,
    case: &Case,
    foe: u8,
    order: &Order,
    own_state: Option<&[u8]>,
    marks: &[u8],
) -> Result<Evidence, SandboxError> {
    let claim = hand.claim(marks)?;
    hand.put_state(foe, Some(b"none of your business\n"))?;
    let evidence = hand.ask_alone(&case.name, Purpose::Move, order, own_state)?;
    forget(hand, &[foe, case.mark])?;
    drop(claim);
    Ok(evidence)
}

/// The mark whose state file `path` is, if it is one.
fn mark_of(path: &Path) -> Option<u8> {
    match path.as_os_str().as_bytes().strip_prefix(b"/tmp/arena.") {
        Some(&[mark]) => Some(mark),
        _ => None,
    }
}

fn trespasses(case: &Case, foe: u8, mut runs: Vec<Evidence>) -> Vec<Trouble> {
    let asked = Asked::of(case);
    let always = touched_always(&runs);
    let evidence = runs.swap_remove(0);
    let foes_file = Path::new("/tmp").join(OsStr::from_bytes(&[b"arena.".as_slice(), &[foe]].concat()));
    let seen = evidence.report.trespasses.iter().filter(|trespass| always.contains(&place(&trespass.path)));
    let (foes, others): (Vec<&Trespass>, Vec<&Trespass>) =
        seen.partition(|trespass| trespass.kind == TrespassKind::Opened || trespass.path == foes_file);
    [(id::STATE_SEP, foes), (id::STATE_ONLY, others)]
        .into_iter()
        .filter(|(_, seen)| !seen.is_empty())
        .map(|(check, seen)| {
            let fault = Fault { id: check, what: in_words(&seen), spots: Vec::new() };
            asked.trouble(Some(check), fault, evidence.clone())
        })
        .collect()
}
