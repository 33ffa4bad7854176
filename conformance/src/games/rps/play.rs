//! The built-in opponents, and comparisons of a bot's games: with the same seed and opponent it must show the same
//! hands again, and not the same against all opponents (R8).

use super::{GamePlan, PLAIN, game, hands, id, renamed, varies};
use crate::catalog::Id;
use crate::finding::{Cause, Evidence, Finding};
use crate::jobs::JobResult;
use crate::protocol::lines::{self, Dialogue, Talk};
use crate::runner::{BotRunner, IN_OTHER_SURROUNDINGS};
use cornerman::game::{LiveGame, Reply, Seat};
use cornerman::games::rps::Hand;
use cornerman::rng::Rng;
use cornerman_harness::pool::Slots;
use cornerman_harness::sandbox::SandboxError;
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// The rounds of each game that is compared.
pub(super) const ROUNDS: usize = 100;

/// The rounds of each game if there is little time. So few can show that a bot varies, but not that it never does.
pub(super) const FEW_ROUNDS: usize = 10;

/// The number of games that RP-IGNORES compares.
pub(super) const GAMES: usize = 4;

/// The game of this many `rounds` against the random opponent of `seed`, with which others are compared. The first job
/// that needs it plays it.
pub(super) struct FirstGame {
    seed: u64,
    rounds: usize,
    played: Mutex<Option<PlayedOnce>>,
}

/// When the game ended, and the game; `None` if the bot failed in it.
type PlayedOnce = (SystemTime, Option<Evidence>);

impl FirstGame {
    pub(super) fn new(seed: u64, rounds: usize) -> FirstGame {
        FirstGame { seed, rounds, played: Mutex::default() }
    }

    /// The game. If it is played now, what the bot does wrong in it is added to `found`.
    pub(super) fn played(
        &self,
        runner: &mut BotRunner,
        found: &mut JobResult,
    ) -> Result<PlayedOnce, SandboxError> {
        let mut known = self.played.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = &*known {
            return Ok(known.clone());
        }
        let mut first = compared(id::DETERMINISM, "random", Opponent::Random(self.seed), self.rounds);
        first.plan.about.push_str(", to be compared");
        let played = play(runner, &first, found)?;
        Ok(known.insert((SystemTime::now(), played)).clone())
    }
}

/// A game of `rounds` rounds whose hands are compared with those of another game.
fn compared(check: Id, case: &str, opponent: Opponent, rounds: usize) -> Dialogue {
    game(check, case, GamePlan { opponent, rounds, ..PLAIN })
}

/// Plays the game of `dialogue` and adds to `found` what the bot does wrong in it. Returns `None` if the bot fails,
/// because then there is nothing to compare.
fn play(
    runner: &mut BotRunner,
    dialogue: &Dialogue,
    found: &mut JobResult,
) -> Result<Option<Evidence>, SandboxError> {
    let result = runner.run_dialogue(dialogue)?;
    // Only a bot that leaves early fails because of the opponent.
    let left_early = result.of_play().all(|cause| cause.check == id::ROUNDS);
    found.findings.extend(result.findings(left_early.then_some(id::ALLIN)));
    if result.is_whole() {
        return Ok(Some(result.evidence));
    }
    found.blocked = vec![(id::DETERMINISM, id::ALLIN), (id::IGNORES, id::ALLIN)];
    Ok(None)
}

/// When a game is played again.
pub(super) enum When {
    AtOnce,
    /// When the clock shows another second. Other checks may have this one's slot meanwhile.
    NextSecond(Option<Slots>),
}

impl When {
    /// Waits until it is time, and returns in words when that is.
    fn wait(&self, ended: SystemTime) -> &'static str {
        match self {
            When::AtOnce => return "again",
            When::NextSecond(Some(slots)) => slots.lend(|| await_next_second(ended)),
            When::NextSecond(None) => await_next_second(ended),
        }
        "a second later"
    }
}

/// Judges RP-DETERMINISM by the `first` game and the same game again: in another process, and then in other
/// surroundings as well, so that the report can name what made the difference.
pub(super) fn again(runner: &mut BotRunner, first: &FirstGame, when: &When) -> Result<JobResult, SandboxError> {
    let mut found = JobResult::default();
    let FirstGame { seed, rounds, .. } = *first;
    let (ended, Some(first)) = first.played(runner, &mut found)? else { return Ok(found) };
    let when = when.wait(ended);
    let again = || compared(id::DETERMINISM, "the same game again", Opponent::Random(seed), rounds);
    let others = "with another process number, other variables and another number of processors";
    for (dialogue, how) in [(again(), "in another process"), (again().under(IN_OTHER_SURROUNDINGS), others)] {
        let Some(evidence) = play(runner, &dialogue, &mut found)? else { return Ok(found) };
        let renamed = renamed(&first, &evidence).map(Cause::incidental);
        found.findings.extend(renamed.map(|cause| Finding::new(None, cause, evidence.clone())));
        if let Some(cause) = varies(&evidence, &first, &format!("{when}, {how}")) {
            found.findings.push(Finding::new(Some(id::DETERMINISM), cause, evidence));
            found.blocked = vec![(id::IGNORES, id::DETERMINISM)];
            break;
        }
    }
    Ok(found)
}

/// Waits until the clock shows another second than at the time `then`, so that a bot that draws from the clock's
/// seconds does not get the same ones.
fn await_next_second(then: SystemTime) {
    let since_epoch = then.duration_since(UNIX_EPOCH).unwrap_or_default();
    let next = UNIX_EPOCH + Duration::from_secs(since_epoch.as_secs() + 1);
    // No longer than a second, even if the clock is set back.
    thread::sleep(next.duration_since(SystemTime::now()).unwrap_or_default().min(Duration::from_secs(1)));
}

/// Judges RP-IGNORES by the `first` game and games of the same seed against other opponents.
pub(super) fn ignores(runner: &mut BotRunner, first: &FirstGame) -> Result<JobResult, SandboxError> {
    let mut found = JobResult::default();
    let rounds = first.rounds;
    let (_, Some(first)) = first.played(runner, &mut found)? else { return Ok(found) };
    let shown = hands(&first);
    let mut same = None;
    let others = [("always rock", Hand::Rock), ("always paper", Hand::Paper), ("always scissors", Hand::Scissors)];
    for (name, hand) in others {
        let dialogue = compared(id::IGNORES, name, Opponent::Always(hand), rounds);
        let Some(evidence) = play(runner, &dialogue, &mut found)? else { return Ok(found) };
        if hands(&evidence) != shown {
            return Ok(found);
        }
        same.get_or_insert(evidence);
    }
    if rounds < ROUNDS {
        found.judged = Some(Vec::new());
    } else if let Some(evidence) = same {
        let what = format!("the same {} hands against each of {} opponents", shown.len(), GAMES);
        let cause = Cause::new(id::IGNORES, what);
        found.findings.push(Finding::new(Some(id::IGNORES), cause, evidence));
    }
    Ok(found)
}

/// How an opponent plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Opponent {
    /// Shows the same hand in all rounds.
    Always(Hand),
    /// Advances by this number of steps in each round.
    Cycle(u8),
    /// Shows random hands, with this seed.
    Random(u64),
    /// Shows every sequence of [`PATTERN_LENGTH`] hands.
    AllPatterns,
    /// Shows the bot's last hand advanced by this number of steps: 0 for the same hand, 1 for the hand that beats it,
    /// 2 for the hand that it beats.
    FollowsBot(u8),
}

/// The length of the sequences of [`Opponent::AllPatterns`].
pub(super) const PATTERN_LENGTH: u32 = 5;

impl lines::game::Opponent for Opponent {
    fn reply(&mut self, _: &dyn LiveGame, _: Seat, answers: &[Vec<u8>]) -> Talk<Option<Reply>> {
        // Like any player, it has seen only the hands of earlier rounds.
        let (_, before) = answers.split_last().unwrap_or((&Vec::new(), &[]));
        let last = before.last().and_then(|line| Hand::read(line).ok());
        Ok(Some(Reply::Notation(self.hand(before.len(), last).digit().to_string())))
    }
}

impl Opponent {
    /// A description of the opponent, after "against".
    pub(super) fn in_words(self) -> String {
        let shows = match self {
            Opponent::Always(hand) => return format!("an opponent that always shows {hand}"),
            Opponent::Cycle(1) => "0, 1 and 2 in turn",
            Opponent::Cycle(_) => "0, 2 and 1 in turn",
            Opponent::Random(_) => "random hands",
            Opponent::AllPatterns => "every sequence of five hands",
            Opponent::FollowsBot(0) => "the bot's last hand",
            Opponent::FollowsBot(1) => "what beats the bot's last hand",
            Opponent::FollowsBot(_) => "what the bot's last hand beats",
        };
        format!("an opponent that shows {shows}")
    }

    /// The opponent's hand in round `round`, counted from 0, where `last` is the bot's hand in the round before.
    fn hand(self, round: usize, last: Option<Hand>) -> Hand {
        let turned = |steps: u64| Hand::Rock.turned((steps % 3) as u8);
        match self {
            Opponent::Always(hand) => hand,
            Opponent::Cycle(steps) => turned(round as u64 * u64::from(steps)),
            Opponent::Random(seed) => turned(Rng::new(seed ^ (round as u64) << 32).below(3)),
            Opponent::AllPatterns => turned(pattern(round)),
            Opponent::FollowsBot(steps) => last.map_or(Hand::Rock, |last| last.turned(steps)),
        }
    }
}

/// Hand `round`, as a number from 0 to 2, in the concatenation of all sequences of [`PATTERN_LENGTH`] hands.
fn pattern(round: usize) -> u64 {
    let number = round as u64 / u64::from(PATTERN_LENGTH);
    let place = (round % PATTERN_LENGTH as usize) as u32;
    number / 3_u64.pow(PATTERN_LENGTH - 1 - place) % 3
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn all_patterns_contain_every_sequence() {
        let all: Vec<u64> = (0..243 * 5).map(pattern).collect();
        assert_eq!(all.chunks(5).collect::<BTreeSet<_>>().len(), 243);
    }

    #[test]
    fn random_hands_vary_and_depend_on_the_seed() {
        let drawn = |seed| (0..50).map(|round| Opponent::Random(seed).hand(round, None)).collect::<Vec<_>>();
        assert_eq!(drawn(7), drawn(7));
        assert_ne!(drawn(7), drawn(8));
        assert!(Hand::ALL.iter().all(|hand| drawn(7).contains(hand)));
    }

    #[test]
    fn an_opponent_that_follows_the_bot_sees_only_finished_rounds() {
        use crate::protocol::lines::game::Opponent as _;
        let game = crate::games::rps::PLAIN.lines();
        let (live, _) = game.game.open().unwrap();
        let answers = [b"1".to_vec(), b"0".to_vec()];
        let shown = |count| Opponent::FollowsBot(1).reply(live.as_ref(), Seat(1), &answers[..count]).unwrap();
        assert_eq!([1, 2].map(shown), ["0", "2"].map(|hand| Some(Reply::Notation(hand.to_string()))));
    }
}
