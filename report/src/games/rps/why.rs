//! Why a game of rock-paper-scissors was lost: a habit that a simple predictor finds.
//!
//! A predictor looks at a part of the last rounds, and expects the hand that the loser most often showed after the
//! same. In dozens of rounds one of several predictors wins by luck. So the one that wins the most in the first half of
//! the game is taken, and it counts only if it wins both halves by more than luck explains.

use super::HANDS;
use crate::count;
use crate::why::{Cause, Curve, CurveLine, Explanation, Lost, MeanInterval};
use cornerman::game::Seat;
use cornerman::games::rps::Hand;
use std::collections::BTreeMap;

/// What a predictor looks at in the rounds so far, each with the loser's hand and its opponent's; `None` if there are
/// too few.
type LooksAt = fn(&[[Hand; 2]]) -> Option<Vec<Hand>>;

/// What each predictor looks at, in words that follow "after".
const PREDICTORS: [(&str, LooksAt); 6] = [
    ("", |_| Some(Vec::new())),
    ("its own", |rounds| Some(vec![rounds.last()?[0]])),
    ("its opponent's", |rounds| Some(vec![rounds.last()?[1]])),
    ("in the round before, its own and its opponent's", |rounds| Some(rounds.last()?.to_vec())),
    ("its own last two", |rounds| Some(last_two(rounds)?.map(|round| round[0]).to_vec())),
    ("its opponent's last two", |rounds| Some(last_two(rounds)?.map(|round| round[1]).to_vec())),
];

fn last_two(rounds: &[[Hand; 2]]) -> Option<[[Hand; 2]; 2]> {
    rounds.last_chunk().copied()
}

/// The habit of the loser that the best predictor finds.
pub(super) fn explain(lost: &Lost) -> Explanation {
    let rounds = rounds(lost);
    let half = rounds.len() / 2;
    let best = PREDICTORS.into_iter().map(|(words, looks_at)| (gains(&rounds, looks_at), words));
    let Some(((gains, shown), words)) = best.max_by_key(|((gains, _), _)| margins(gains)[0]) else {
        return Explanation::default();
    };
    let [first, second] = margins(&gains);
    // Two standard deviations of the sum of half the rounds, if they are random. Luck exceeds that in one half of
    // forty.
    let luck = 2.0 * (rounds.len() as f64 / 3.0).sqrt();
    if (first as f64) < luck || (second as f64) < luck {
        let text = format!(
            "no simple predictor wins both halves of it, {} each: it was predicted in a way that is not simple, or by luck",
            count(half, "round")
        );
        return Explanation::from_causes(vec![Cause::general("unknown", text)]);
    }
    let after =
        if words.is_empty() { "counts its hands".to_string() } else { format!("counts its hands after {words}") };
    let text = format!(
        "a bot that only {after} would have won by {}: by {first} in the first half, by {second} in the second",
        count(first + second, "round")
    );
    let mut causes = vec![Cause::general("habit", text)];
    causes.extend(habits(&shown, words));
    let about = format!("lead of a bot that only {after}, against the hands of {}", lost.name(lost.seat));
    let curve = Curve::from_lines(about, vec![CurveLine { seat: None, values: leads(lost, &gains) }]);
    Explanation { causes, curve: Some(curve) }
}

/// The lead of the predictor at each position of the game.
fn leads(lost: &Lost, gains: &[i64]) -> Vec<Option<MeanInterval>> {
    let own = lost.turns.iter().filter(|turn| turn.seat == lost.seat);
    let mut leads = vec![None; lost.positions.len()];
    leads[0] = Some((0.0, 0.0));
    let mut lead = 0;
    for (turn, gain) in own.zip(gains) {
        lead += gain;
        leads[turn.after] = Some((lead as f64, 0.0));
    }
    leads
}

/// The hands of the loser and of its opponent, by round.
fn rounds(lost: &Lost) -> Vec<[Hand; 2]> {
    let of = |seat: Seat| -> Vec<Hand> {
        let turns = lost.turns.iter().filter(|turn| turn.seat == seat);
        turns.filter_map(|turn| Hand::read(turn.notation?.as_bytes()).ok()).collect()
    };
    let other = Seat(1 - lost.seat.0);
    of(lost.seat).into_iter().zip(of(other)).map(|(own, foe)| [own, foe]).collect()
}

/// How often each hand was shown after what a predictor saw.
type ShownHands = BTreeMap<Vec<Hand>, [u32; 3]>;

/// What the predictor would have won in each round against the loser's hands, and the hands that the loser showed.
fn gains(rounds: &[[Hand; 2]], looks_at: LooksAt) -> (Vec<i64>, ShownHands) {
    let mut shown = ShownHands::new();
    let gain = |(at, [own, _]): (usize, &[Hand; 2])| {
        let Some(seen) = looks_at(&rounds[..at]) else { return 0 };
        let counts = shown.entry(seen).or_default();
        let gain = most(counts).map_or(0, |expected| expected.beaten_by().gain_against(*own));
        counts[usize::from(own.number())] += 1;
        gain
    };
    let gains = rounds.iter().enumerate().map(gain).collect();
    (gains, shown)
}

/// The sum of the gains in each half.
fn margins(gains: &[i64]) -> [i64; 2] {
    let (first, second) = gains.split_at(gains.len().div_ceil(2));
    [first, second].map(|half| half.iter().sum())
}

/// The hand that was shown most often; `None` if none was shown.
fn most(counts: &[u32; 3]) -> Option<Hand> {
    let hand = Hand::ALL.into_iter().rev().max_by_key(|hand| counts[usize::from(hand.number())])?;
    (counts[usize::from(hand.number())] > 0).then_some(hand)
}

/// The strongest habits of the loser in words: `after its own rock: paper in 83 % of 120 rounds`.
fn habits(shown: &ShownHands, words: &str) -> Vec<Cause> {
    let name = |hand: Hand| HANDS[usize::from(hand.number())].1;
    let mut habits: Vec<(i64, String)> = shown
        .iter()
        .filter_map(|(seen, counts)| {
            let hand = most(counts)?;
            let all: u32 = counts.iter().sum();
            let times = counts[usize::from(hand.number())];
            let hands: Vec<&str> = seen.iter().map(|hand| name(*hand)).collect();
            let after =
                if seen.is_empty() { String::new() } else { format!("after {words} {}: ", hands.join(", ")) };
            let text =
                format!("{after}{} in {} % of {}", name(hand), 100 * times / all, count(all as usize, "round"));
            // Three times the rounds by which the hand exceeds a third of all.
            Some((i64::from(3 * times) - i64::from(all), text))
        })
        .collect();
    habits.sort_by_key(|(strength, _)| std::cmp::Reverse(*strength));
    habits.into_iter().take(3).map(|(_, text)| Cause::general("habit", text)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hands(digits: &str) -> Vec<Hand> {
        digits.bytes().map(|digit| Hand::read(&[digit]).unwrap()).collect()
    }

    #[test]
    fn a_predictor_is_measured_in_both_halves() {
        let check = |own: &str, foe: &str, predictor: usize, wanted: [i64; 2]| {
            let rounds: Vec<[Hand; 2]> =
                hands(own).into_iter().zip(hands(foe)).map(|(own, foe)| [own, foe]).collect();
            assert_eq!(margins(&gains(&rounds, PREDICTORS[predictor].1).0), wanted, "{own} {foe}");
        };
        check("00000000", "00000000", 0, [3, 4]);
        check("01201201", "00000000", 1, [0, 4]);
        check("01201201", "20120120", 2, [0, 4]);
        check("", "", 0, [0, 0]);
    }
}
