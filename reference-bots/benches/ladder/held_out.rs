//! Strategies for rock-paper-scissors of other kinds than those of the field, against which no bot of the ladder was
//! tuned.

use cornerman::games::rps::Hand;
use cornerman::rng::Rng;
use reference_bots::games::rps::{History, Start, Strategy};
use std::collections::HashMap;

/// The strategies, by names of kinds.
pub const HELD_OUT: &[(&str, Start)] = &[
    ("h-regress", |seed| learns_weights(seed, 6)),
    ("h-hedge", hedge),
    ("h-alike", alike),
    ("h-backoff", backs_off),
];

/// The position of a hand in a list of three.
fn number(hand: Hand) -> usize {
    usize::from(hand.number())
}

/// The answer that gains most against hands with these weights; among equal answers, a random one.
fn best_answer(weights: [f64; 3], rng: &mut Rng) -> Hand {
    let gain = |hand: Hand| weights[number(hand.turned(2))] - weights[number(hand.turned(1))];
    let first = rng.below(3) as u8;
    let hands = [0, 1, 2].map(|step| Hand::ALL[0].turned(first + step));
    hands.into_iter().max_by(|&a, &b| gain(a).total_cmp(&gain(b))).expect("there are three")
}

/// Regression with a weight for each hand of either side in each of the last rounds, adjusted after every round: once to
/// predict the opponent's next hand, and once to predict its own, as an opponent may that then beats it. It follows the
/// prediction that has gained more in the last rounds.
fn learns_weights(seed: u16, rounds_seen: usize) -> Box<dyn Strategy> {
    const RATE: f64 = 0.08;
    let mut rng = Rng::new(seed.into());
    let mut weights = [vec![[0.0f64; 3]; 6 * rounds_seen + 1], vec![[0.0f64; 3]; 6 * rounds_seen + 1]];
    let mut inputs: Vec<usize> = Vec::new();
    let mut shares = [[1.0 / 3.0; 3]; 2];
    let mut answers = [Hand::Rock; 2];
    let mut paid = [0.0; 2];
    Box::new(move |history: &History| {
        if let Some((own, foe)) = history.last() {
            for (side, hand) in [foe, own].into_iter().enumerate() {
                paid[side] = paid[side] * 0.9 + answers[side].gain_against(foe) as f64;
                for &input in &inputs {
                    for (at, weight) in weights[side][input].iter_mut().enumerate() {
                        *weight += RATE * (f64::from(u8::from(at == number(hand))) - shares[side][at]);
                    }
                }
            }
        }
        // The last weight counts in every round.
        inputs = vec![6 * rounds_seen];
        for back in 1..=rounds_seen.min(history.rounds()) {
            let round = history.rounds() - back;
            inputs.push(6 * (back - 1) + number(history.own[round]));
            inputs.push(6 * (back - 1) + 3 + number(history.foes[round]));
        }
        for (shares, weights) in shares.iter_mut().zip(&weights) {
            let powers = [0, 1, 2].map(|hand| inputs.iter().map(|&input| weights[input][hand]).sum::<f64>().exp());
            *shares = powers.map(|power| power / powers.iter().sum::<f64>());
        }
        // An opponent that foresees this bot's hand shows the one that beats it.
        let [foes, own] = shares;
        answers = [best_answer(foes, &mut rng), best_answer([own[2], own[0], own[1]], &mut rng)];
        answers[usize::from(paid[1] > paid[0])]
    })
}

/// Draws its hand by the weights of experts. Each of them answers with one side's hand of one of the last five rounds, turned
/// by 0 to 2 steps, and its weight grows or shrinks by what that would have gained.
fn hedge(seed: u16) -> Box<dyn Strategy> {
    const BACK: usize = 5;
    let mut rng = Rng::new(seed.into());
    let mut logs = [0.0f64; BACK * 6];
    // The hand of a side, a number of rounds back.
    let shown = |history: &History, back: usize, side: usize| {
        let hands = if side == 0 { &history.own } else { &history.foes };
        hands.len().checked_sub(back).map(|round| hands[round])
    };
    Box::new(move |history: &History| {
        let mut chances = [1.0; 3];
        for (at, log) in logs.iter_mut().enumerate() {
            let [turn, side, back] = [at % 3, at / 3 % 2, at / 6 + 1];
            let turn = turn as u8;
            if let (Some(foe), Some(before)) = (history.foes.last(), shown(history, back + 1, side)) {
                *log = *log * 0.95 + 0.6 * before.turned(turn).gain_against(*foe) as f64;
            }
            if let Some(now) = shown(history, back, side) {
                chances[number(now.turned(turn))] += log.exp();
            }
        }
        let mut lot = rng.below(1 << 32) as f64 / (1u64 << 32) as f64 * chances.iter().sum::<f64>();
        let drawn = Hand::ALL.into_iter().find(|&hand| {
            lot -= chances[number(hand)];
            lot < 0.0
        });
        drawn.unwrap_or(Hand::Scissors)
    })
}

/// Every earlier round from the ninth on votes for the opponent's hand in it. Its vote doubles for each hand in the
/// eight rounds before it that equals the corresponding one before the present round, and fades with its age.
fn alike(seed: u16) -> Box<dyn Strategy> {
    const SEEN: usize = 8;
    let mut rng = Rng::new(seed.into());
    Box::new(move |history: &History| {
        let rounds = history.rounds();
        let mut votes = [0.0; 3];
        for round in SEEN..rounds {
            let same = (1..=SEEN).map(|back| {
                i32::from(history.own[round - back] == history.own[rounds - back])
                    + i32::from(history.foes[round - back] == history.foes[rounds - back])
            });
            let weight = 2f64.powi(same.sum()) * 0.995f64.powi((rounds - round) as i32);
            votes[number(history.foes[round])] += weight;
        }
        best_answer(votes, &mut rng)
    })
}

/// Predicts the opponent's hand from the longest sequence of both sides' last hands that it has met at least twice, and
/// turns the prediction by the number of steps that has gained the most in the last rounds.
fn backs_off(seed: u16) -> Box<dyn Strategy> {
    const LONGEST: usize = 6;
    let mut rng = Rng::new(seed.into());
    let mut followed: HashMap<Vec<u8>, [f64; 3]> = HashMap::new();
    let mut paid = [0.0; 3];
    let mut foretold = Hand::Rock;
    Box::new(move |history: &History| {
        let rounds = history.rounds();
        let context = |length: usize, end: usize| -> Option<Vec<u8>> {
            let from = end.checked_sub(length)?;
            Some((from..end).map(|at| history.own[at].number() * 3 + history.foes[at].number()).collect())
        };
        if let Some((_, foe)) = history.last() {
            for (turn, paid) in (0u8..).zip(&mut paid) {
                *paid = *paid * 0.8 + foretold.turned(turn).gain_against(foe) as f64;
            }
            for before in (0..=LONGEST).filter_map(|length| context(length, rounds - 1)) {
                let counts = followed.entry(before).or_default();
                *counts = counts.map(|count| count * 0.9);
                counts[number(foe)] += 1.0;
            }
        }
        let met = (0..=LONGEST).rev().filter_map(|length| followed.get(&context(length, rounds)?).copied());
        let weights = met.into_iter().find(|counts| counts.iter().sum::<f64>() > 1.5).unwrap_or_default();
        foretold = best_answer(weights, &mut rng).turned(2);
        let turn = (0..3).max_by(|&a, &b| paid[usize::from(a)].total_cmp(&paid[usize::from(b)]));
        foretold.turned(turn.expect("there are three"))
    })
}
