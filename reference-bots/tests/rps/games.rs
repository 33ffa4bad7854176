//! Whole games between the ideas: who beats whom.

use cornerman::games::rps::Hand;
use reference_bots::games::rps::{
    IDEAS, Idea, Past, Start, beat_last, bout, frequency, hydra, markov, random, rock, rotate,
};

const ROUNDS: u32 = 1000;

/// Four standard deviations of the margin between two that draw their hands by lot: 1000 rounds of variance 2/3.
const BY_CHANCE: i64 = 104;

/// Margins of `bot` against `other` with several seeds, from either seat.
fn margins(bot: Start, other: Start) -> Vec<i64> {
    let seeds = [[1, 2], [2, 1], [31241, 7], [60000, 0]];
    let first = seeds.map(|seeds| bout(ROUNDS, seeds, [bot, other]));
    let second = seeds.map(|seeds| -bout(ROUNDS, seeds, [other, bot]));
    [first, second].concat()
}

#[track_caller]
fn check(bot: Start, other: Start, at_least: i64) {
    let margins = margins(bot, other);
    assert!(margins.iter().all(|&margin| margin >= at_least), "{margins:?}, {at_least} was due");
}

#[test]
fn the_plain_ideas_beat_whom_they_see_through() {
    check(beat_last::start, rock::start, 990);
    check(frequency::start, rock::start, 990);
    check(markov::start, rock::start, 990);
    check(markov::start, rotate::start, 990);
    check(markov::start, beat_last::start, 900);
}

#[test]
fn hydra_beats_everyone_that_does_not_draw_lots() {
    for other in [rock::start, rotate::start, beat_last::start, frequency::start, markov::start] {
        check(hydra::start, other, 900);
    }
}

#[test]
fn nobody_is_beaten_by_random_or_beats_it_but_by_chance() {
    for (id, start) in IDEAS {
        let margins = margins(*start, random::start);
        // The same seed is never on both sides.
        assert!(margins.iter().all(|margin| margin.abs() <= BY_CHANCE), "{id}: {margins:?}");
    }
}

/// An opponent that knows Hydra by heart, but not its seed: it beats what Hydra would show with seed 12345.
fn slayer(_seed: u16) -> Box<dyn Idea> {
    let mut known = hydra::start(12345);
    Box::new(move |past: &Past| {
        let seen_from_there = Past { own: past.foes.clone(), foes: past.own.clone() };
        known.choose(&seen_from_there).beaten_by()
    })
}

/// Others that people have tried against predictors.
fn tricks() -> [(&'static str, Start); 6] {
    [
        ("copies the last hand", |_| Box::new(|past: &Past| past.foes.last().copied().unwrap_or(Hand::Paper))),
        ("beats its own last hand's winner", |_| {
            Box::new(|past: &Past| past.own.last().map_or(Hand::Rock, |own| own.turned(2)))
        }),
        ("changes its mind every hundred rounds", |_| {
            Box::new(|past: &Past| {
                past.foes.last().map_or(Hand::Rock, |foe| foe.turned((past.rounds() / 100 % 3) as u8))
            })
        }),
        ("beats whoever beats its last hand", |_| {
            Box::new(|past: &Past| past.last().map_or(Hand::Rock, |(own, foe)| own.turned(foe.number() + 1)))
        }),
        ("keeps what wins, else goes on", |_| {
            Box::new(|past: &Past| match past.last() {
                Some((own, foe)) if own.beats(foe) => own,
                Some((own, _)) => own.turned(1),
                None => Hand::Rock,
            })
        }),
        ("writes the rounds in base 3", |_| {
            Box::new(|past: &Past| Hand::ALL[(0..9).map(|d| past.rounds() / 3usize.pow(d)).sum::<usize>() % 3])
        }),
    ]
}

#[test]
fn hydra_sees_through_tricks() {
    for (trick, start) in tricks() {
        let margins = margins(hydra::start, start);
        assert!(margins.iter().all(|&margin| margin > 700), "{trick}: {margins:?}");
    }
}

#[test]
fn hydra_loses_little_even_to_one_that_knows_it() {
    check(hydra::start, slayer, -BY_CHANCE);
    check(hydra::start, hydra::start, -BY_CHANCE);
}

#[test]
fn a_game_is_the_same_for_the_same_seeds() {
    for (id, start) in IDEAS {
        let played = || bout(200, [5, 6], [*start, hydra::start]);
        assert_eq!(played(), played(), "{id}");
    }
}
