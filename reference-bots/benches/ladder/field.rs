//! A field of strategies for rock-paper-scissors of the kinds that contests have seen, to measure the ladder against:
//! seven that predict and choose between predictions, each in another way, and six with habits.

use cornerman::games::rps::Hand;
use cornerman::rng::Rng;
use reference_bots::games::rps::{History, Start, Strategy};
use std::collections::HashMap;

/// The field, by names of kinds.
pub const FIELD: &[(&str, Start)] = &[
    ("f-iocaine", |seed| meta(seed, &[100], &[0, 1, 2], Keeps::Windows(&[1000, 100, 10, 5, 2, 1]))),
    ("f-greenberg", |seed| meta(seed, &[10, 20, 40, 1000], &[0, 1, 2], Keeps::Windows(&[1000, 100, 10, 5, 2]))),
    ("f-phasen", |seed| meta(seed, &[20, 1000], &[0, 1, 2, 3], Keeps::Decay(&[0.5, 0.8, 0.95, 0.99]))),
    ("f-drops", |seed| meta(seed, &[5, 20, 100], &[0, 1, 2, 3], Keeps::UntilItLoses)),
    ("f-recent", |seed| meta(seed, &[3, 8, 30], &[1, 2, 4], Keeps::Decay(&[0.9]))),
    ("f-mixture", mixture),
    ("f-bayes", bayes),
    ("f-coward", coward),
    ("f-flat", flat),
    ("f-shift", shift),
    ("f-anti", anti),
    ("f-cycle", cycle),
    ("f-biased", biased),
];

/// How a strategy that chooses between predictions keeps their scores.
#[derive(Clone, Copy)]
enum Keeps {
    /// Wins minus losses in the last rounds, for several numbers of rounds.
    Windows(&'static [usize]),
    /// Sums that decay by a factor each round, for several factors.
    Decay(&'static [f64]),
    /// Wins since the last loss.
    UntilItLoses,
}

/// Longest matches up to several lengths, and contexts of several lengths, each by own hands, the opponent's or both:
/// six answers each. The best answer over each horizon is its champion, and the champion with the best score over the
/// first horizon is followed.
fn meta(seed: u16, lengths: &'static [usize], contexts: &'static [usize], keeps: Keeps) -> Box<dyn Strategy> {
    let mut rng = Rng::new(seed.into());
    let horizons = match keeps {
        Keeps::Windows(windows) => windows.len(),
        Keeps::Decay(factors) => factors.len(),
        Keeps::UntilItLoses => 1,
    };
    let mut answers: Vec<Option<Hand>> = Vec::new();
    let mut gains: Vec<Vec<f64>> = Vec::new();
    let mut scores: Vec<Vec<f64>> = Vec::new();
    let mut followed: HashMap<(usize, usize, Vec<Hand>), [[f64; 3]; 2]> = HashMap::new();
    Box::new(move |history: &History| {
        let rounds = history.rounds();
        let context = |sees: usize, length: usize, end: usize| -> Option<Vec<Hand>> {
            let own = &history.own[end.checked_sub(length)?..end];
            let foes = &history.foes[end - length..end];
            Some(match sees {
                0 => own.to_vec(),
                1 => foes.to_vec(),
                _ => own.iter().chain(foes).copied().collect(),
            })
        };
        let all_contexts = || contexts.iter().flat_map(|&length| (0..3).map(move |sees| (sees, length)));
        if let Some((own, foe)) = history.last() {
            for (at, answer) in answers.iter().enumerate() {
                let gain = answer.map_or(0.0, |hand| hand.gain_against(foe) as f64);
                gains[at].push(gain);
                for horizon in 0..horizons {
                    let score = &mut scores[at][horizon];
                    match keeps {
                        Keeps::Windows(windows) => {
                            let gone = gains[at].len().checked_sub(windows[horizon] + 1);
                            *score += gain - gone.map_or(0.0, |gone| gains[at][gone]);
                        }
                        Keeps::Decay(factors) => *score = *score * factors[horizon] + gain,
                        Keeps::UntilItLoses => *score = if gain < 0.0 { 0.0 } else { *score + gain },
                    }
                }
            }
            for (sees, length) in all_contexts() {
                if let Some(before) = context(sees, length, rounds - 1) {
                    let counts = followed.entry((sees, length, before)).or_default();
                    for (counts, hand) in counts.iter_mut().zip([own, foe]) {
                        *counts = counts.map(|count| count * 0.95);
                        counts[usize::from(hand.number())] += 1.0;
                    }
                }
            }
        }
        let mut expected: Vec<Option<Hand>> = Vec::new();
        for &longest in lengths {
            for sees in 0..3 {
                let found = longest_match(history, longest, sees);
                expected.extend([found.map(|at| history.own[at]), found.map(|at| history.foes[at])]);
            }
        }
        for (sees, length) in all_contexts() {
            let counts = context(sees, length, rounds).and_then(|now| followed.get(&(sees, length, now)));
            for side in 0..2 {
                expected.push(counts.map(|counts| heaviest(counts[side])));
            }
        }
        answers =
            expected.iter().flat_map(|hand| (0..3).map(|depth| hand.map(|hand| hand.turned(depth)))).collect();
        // The champions of the horizons are answers too, scored like the others; the first horizon chooses among them.
        let count = answers.len();
        gains.resize(count + horizons, vec![0.0; rounds]);
        scores.resize(count + horizons, vec![0.0; horizons]);
        let champion = |horizon: usize| {
            let best = (0..count).max_by(|&a, &b| scores[a][horizon].total_cmp(&scores[b][horizon]));
            best.and_then(|best| answers[best])
        };
        let champions: Vec<Option<Hand>> = (0..horizons).map(champion).collect();
        answers.extend(champions);
        let chosen = (count..count + horizons).max_by(|&a, &b| scores[a][0].total_cmp(&scores[b][0]));
        let lot = Hand::ALL[rng.below(3) as usize];
        chosen.filter(|&at| scores[at][0] > 0.0 || rounds < 10).and_then(|at| answers[at]).unwrap_or(lot)
    })
}

/// The round after the longest earlier stretch like the last rounds: of own hands, of the opponent's, or of both.
fn longest_match(history: &History, longest: usize, sees: usize) -> Option<usize> {
    let rounds = history.rounds();
    let same = |a: usize, b: usize| {
        (sees == 1 || history.own[a] == history.own[b]) && (sees == 0 || history.foes[a] == history.foes[b])
    };
    let length =
        |next: usize| (1..=next.min(longest)).take_while(|&back| same(next - back, rounds - back)).count();
    (1..rounds).map(|next| (length(next), next)).filter(|(length, _)| *length > 0).max().map(|(_, next)| next)
}

fn heaviest(weights: [f64; 3]) -> Hand {
    let best = (0..3).max_by(|&a, &b| weights[a].total_cmp(&weights[b])).expect("there are three");
    Hand::ALL[best]
}

/// Mixes the frequencies after contexts of both sides by how well they predicted, and draws its hand by the result.
fn mixture(seed: u16) -> Box<dyn Strategy> {
    let mut rng = Rng::new(seed.into());
    let mut counts: Vec<HashMap<Vec<u8>, [f64; 3]>> = vec![HashMap::new(); 6];
    let mut weights = [1.0f64; 6];
    Box::new(move |history: &History| {
        let rounds = history.rounds();
        let context = |order: usize, end: usize| -> Option<Vec<u8>> {
            let from = end.checked_sub(order)?;
            Some((from..end).map(|at| history.own[at].number() * 3 + history.foes[at].number()).collect())
        };
        let share = |counts: Option<&[f64; 3]>| -> [f64; 3] {
            let counts = counts.copied().unwrap_or_default().map(|count| count + 0.2);
            let sum: f64 = counts.iter().sum();
            counts.map(|count| count / sum)
        };
        if let Some((_, foe)) = history.last() {
            for order in 0..6 {
                let Some(before) = context(order, rounds - 1) else { continue };
                weights[order] =
                    weights[order].powf(0.97) * share(counts[order].get(&before))[usize::from(foe.number())] * 3.0;
                let counts = counts[order].entry(before).or_default();
                *counts = counts.map(|count| count * 0.97);
                counts[usize::from(foe.number())] += 1.0;
            }
        }
        let mut expected = [0.0; 3];
        for order in 0..6 {
            let Some(now) = context(order, rounds) else { continue };
            let shares = share(counts[order].get(&now));
            for (sum, share) in expected.iter_mut().zip(shares) {
                *sum += weights[order] * share;
            }
        }
        draw(&mut rng, expected.map(|share| share.powi(3))).beaten_by()
    })
}

/// A hand by lot, with these weights.
fn draw(rng: &mut Rng, weights: [f64; 3]) -> Hand {
    let sum: f64 = weights.iter().sum();
    let mut lot = rng.below(1 << 32) as f64 / (1u64 << 32) as f64 * sum;
    for (hand, weight) in Hand::ALL.into_iter().zip(weights) {
        lot -= weight;
        if lot < 0.0 {
            return hand;
        }
    }
    Hand::Scissors
}

/// Believes in each of nine reactions of the opponent to the last round by how often it has held, and draws its hand by
/// the result.
fn bayes(seed: u16) -> Box<dyn Strategy> {
    let mut rng = Rng::new(seed.into());
    // Reactions: the opponent shows rock, this bot's last hand or its own last hand, turned by 0 to 2.
    let reaction = |kind: usize, last: (Hand, Hand)| match kind / 3 {
        0 => Hand::Rock.turned(kind as u8 % 3),
        1 => last.0.turned(kind as u8 % 3),
        _ => last.1.turned(kind as u8 % 3),
    };
    let mut logs = [0.0f64; 9];
    Box::new(move |history: &History| {
        if history.rounds() >= 2 {
            let at = history.rounds() - 2;
            let foe = history.foes[at + 1];
            for (kind, log) in logs.iter_mut().enumerate() {
                let hit = reaction(kind, (history.own[at], history.foes[at])) == foe;
                *log = *log * 0.97 + if hit { 0.9 } else { -0.4 };
            }
        }
        let Some(last) = history.last() else { return Hand::Paper };
        let mut expected = [0.0; 3];
        for (kind, log) in logs.iter().enumerate() {
            expected[usize::from(reaction(kind, last).number())] += log.exp();
        }
        draw(&mut rng, expected.map(|share| share * share)).beaten_by()
    })
}

/// Expects history to repeat itself; while it is 15 rounds behind or more, draws by lot.
fn coward(seed: u16) -> Box<dyn Strategy> {
    let mut rng = Rng::new(seed.into());
    let mut margin = 0;
    Box::new(move |history: &History| {
        if let Some((own, foe)) = history.last() {
            margin += own.gain_against(foe);
        }
        let lot = Hand::ALL[rng.below(3) as usize];
        let found = longest_match(history, 30, 2).filter(|_| margin > -15);
        found.map_or(lot, |at| history.foes[at].beaten_by())
    })
}

/// Shows most what it has shown least.
fn flat(seed: u16) -> Box<dyn Strategy> {
    let mut rng = Rng::new(seed.into());
    Box::new(move |history: &History| {
        let mut weights = [1.0; 3];
        for own in history.own.iter().rev().take(12) {
            weights[usize::from(own.number())] *= 0.7;
        }
        draw(&mut rng, weights)
    })
}

/// Mostly stays with a hand that won, and else mostly changes to the next.
fn shift(seed: u16) -> Box<dyn Strategy> {
    let mut rng = Rng::new(seed.into());
    Box::new(move |history: &History| {
        let lot = rng.below(10);
        let Some((own, foe)) = history.last() else { return Hand::Scissors };
        match own.gain_against(foe) {
            1 if lot < 8 => own,
            _ if lot < 7 => own.turned(1),
            _ => own.turned(2),
        }
    })
}

/// Expects an opponent that counts what follows each of its hands, and answers that.
fn anti(seed: u16) -> Box<dyn Strategy> {
    let mut rng = Rng::new(seed.into());
    let mut followed = [[0.0; 3]; 3];
    Box::new(move |history: &History| {
        let rounds = history.rounds();
        if rounds >= 2 {
            let [a, b] = [rounds - 2, rounds - 1].map(|at| usize::from(history.own[at].number()));
            followed[a] = followed[a].map(|count| count * 0.98);
            followed[a][b] += 1.0;
        }
        let lot = Hand::ALL[rng.below(3) as usize];
        let Some((own, _)) = history.last() else { return lot };
        let noise = rng.below(8) == 0;
        if noise { lot } else { heaviest(followed[usize::from(own.number())]).turned(2) }
    })
}

/// A cycle that its seed chooses, with a slip now and then.
fn cycle(seed: u16) -> Box<dyn Strategy> {
    let mut rng = Rng::new(seed.into());
    let hands: Vec<Hand> = (0..rng.below(9) + 3).map(|_| Hand::ALL[rng.below(3) as usize]).collect();
    Box::new(move |history: &History| {
        let slip = rng.below(6) == 0;
        hands[history.rounds() % hands.len()].turned(u8::from(slip))
    })
}

/// Half of all hands are the same one.
fn biased(seed: u16) -> Box<dyn Strategy> {
    let mut rng = Rng::new(seed.into());
    let favourite = Hand::ALL[usize::from(seed) % 3];
    Box::new(move |_: &History| draw(&mut rng, [2.0, 1.0, 1.0]).turned(favourite.number()))
}
