//! Compares games of a bot: it must play the same again with the same seed and opponent, and not the same against all
//! opponents (R8).

use super::opponent::Opponent;
use super::{dialogues, id, script};
use crate::attribution::Failure;
use crate::fault::Fault;
use crate::job::JobResult;
use crate::lines::{Dialogue, DialogueResult};
use crate::runner::BotRunner;
use cornerman::games::rps::Hand;
use cornerman_harness::sandbox::SandboxError;

/// The rounds of each game that is compared.
pub const ROUNDS: usize = 100;

/// The rounds of each game if there is little time. They suffice to show that a bot varies, but not that it never does.
pub const FEW_ROUNDS: usize = 10;

/// The number of games that are compared.
pub const GAMES: usize = 5;

/// Judges RP-DETERMINISM and RP-IGNORES by games of `rounds` rounds with the same seed: two against the same opponent,
/// and then one against each of the others.
///
/// # Errors
/// The sandbox failed.
pub fn compared(runner: &mut BotRunner, seed: u64, rounds: usize) -> Result<JobResult, SandboxError> {
    let drawn = Opponent::Random(seed);
    let (twice, ignores) = (id::DETERMINISM, id::IGNORES);
    let again = dialogues::compared(twice, "the same game again", drawn, rounds);
    let mut first = dialogues::compared(twice, "random", drawn, rounds);
    first.about.push_str(", to be compared");
    let (mut games, mut found) = (Vec::new(), JobResult::default());
    for dialogue in [first, again].into_iter().chain(others(rounds)) {
        let mut result = runner.run_dialogue(&dialogue)?;
        let aside = result.faults.iter().filter(|fault| fault.incidental).cloned().collect();
        let broken =
            std::mem::replace(&mut result.faults, aside).into_iter().filter(|fault| !fault.incidental).collect();
        found.failures.extend(result.failures(&dialogue, None));
        result.faults = broken;
        if !result.faults.is_empty() {
            // Another check covers a bot that fails against an opponent; here it leaves nothing to compare.
            found.failures.extend(result.failures(&dialogue, Some(id::ALLIN)));
            found.blocked = vec![(twice, id::ALLIN), (ignores, id::ALLIN)];
            return Ok(found);
        }
        games.push((dialogue, result));
    }
    let hands: Vec<Vec<Hand>> = games.iter().map(|(_, result)| script::hands(result)).collect();
    if let Some(at) = (0..hands[0].len()).find(|&at| hands[1].get(at) != Some(&hands[0][at])) {
        let what =
            format!("round {}: {}, but in the same game again {}", at + 1, hands[0][at], shown(hands[1].get(at)));
        found.failures.extend(failure(twice, what, &mut games, 1));
        found.blocked = vec![(ignores, twice)];
    } else if hands[1..].iter().all(|other| *other == hands[0]) {
        if rounds < ROUNDS {
            found.judged = Some(vec![twice]);
            return Ok(found);
        }
        let what = format!("the same {} hands against each of {} opponents", hands[0].len(), hands.len() - 1);
        found.failures.extend(failure(ignores, what, &mut games, 2));
    }
    Ok(found)
}

fn others(rounds: usize) -> impl Iterator<Item = Dialogue> {
    let opponents =
        [("always rock", Hand::Rock), ("always paper", Hand::Paper), ("always scissors", Hand::Scissors)];
    opponents
        .into_iter()
        .map(move |(name, hand)| dialogues::compared(id::IGNORES, name, Opponent::Always(hand), rounds))
}

fn failure(
    check: &'static str,
    what: String,
    games: &mut Vec<(Dialogue, DialogueResult)>,
    at: usize,
) -> Vec<Failure> {
    let (dialogue, mut result) = games.swap_remove(at);
    result.faults = vec![Fault::of(check, what)];
    result.failures(&dialogue, Some(check))
}

fn shown(hand: Option<&Hand>) -> String {
    hand.map_or("none".to_string(), ToString::to_string)
}
