//! The published contests, played from the first game to the last with invented results.

use super::*;
use crate::formats::{RoundCount, brackets, seeding, swiss};

/// The POTM finals: the organizer's bots are three seed programs and a filler (F1–F9).
fn finals(entrants: u16, seed: u64) -> Contest {
    let seeding = seeding::SeedingSettings { programs: (0..3).map(OrganizerBot).collect(), ..Default::default() };
    let brackets = brackets::BracketsSettings { first_board: Some(BoardNumber(2)), ..Default::default() };
    let field = Field { fillers: vec![EntrantId(entrants + 3)], ..Field::new(entrants, 4) };
    let stages = vec![
        Stage { format: Format::Seeding(seeding), who: Participants::All },
        Stage {
            format: Format::Brackets(brackets),
            who: Participants::Best(vec![Quota { stage: 0, best: entrants }]),
        },
        Stage { format: all_play_all(1, ScoringKind::Bonus), who: Participants::Qualified { stage: 1 } },
    ];
    Contest::new(field, stages, seed).unwrap()
}

/// SamurAI: two preliminaries and a final of the best four of each; the organizer's bots are fillers (S1–S6).
fn samurai(entrants: u16, seed: u64) -> Contest {
    let rounds = |first| {
        let rounds = Some(RoundCount::new(4));
        let first_board = Some(BoardNumber(first));
        Format::Swiss(swiss::SwissSettings { rounds, first_board, ..Default::default() })
    };
    let group = |half: u16| (0..entrants).filter(|id| id % 2 == half).map(EntrantId).collect();
    let fillers = (0..3).map(|nth| EntrantId(entrants + nth)).collect();
    let field = Field { groups: vec![group(0), group(1)], fillers, ..Field::new(entrants, 3) };
    let quotas = vec![Quota { stage: 0, best: 4 }, Quota { stage: 1, best: 4 }];
    let stages = vec![
        Stage { format: rounds(0), who: Participants::Group(0) },
        Stage { format: rounds(0), who: Participants::Group(1) },
        Stage { format: rounds(10), who: Participants::Best(quotas) },
    ];
    Contest::new(field, stages, seed).unwrap()
}

/// The strength of an entrant: the smaller its number, the stronger.
fn strength(id: EntrantId) -> u64 {
    400 - u64::from(id.0)
}

fn check_same_in_any_order(contest: &Contest, order: PlayOrder) {
    let judge = |game: &Pairing| invented(game, strength);
    let a = play(contest, PlayOrder::ALL_AT_ONCE, judge);
    let b = play(contest, order, judge);
    assert_eq!(a.games, b.games);
    assert_eq!(contest.standings(&a.results), contest.standings(&b.results));
}

#[test]
fn the_finals_end_with_four_to_eight_finalists_that_play_each_other_twice() {
    for entrants in [4, 5, 9, 27, 128] {
        let contest = finals(entrants, 7);
        let played = play(&contest, PlayOrder::ALL_AT_ONCE, |game| invented(game, strength));
        let finalists = contest.progress(&played.results)[2].entrants.len();
        assert!((4..=8).contains(&finalists), "{finalists} of {entrants}");
        let playoff = played.games.keys().filter(|id| id.stage == 2).count();
        assert_eq!(playoff, finalists * (finalists - 1), "{entrants}");
        let seeding = played.games.keys().filter(|id| id.stage == 0).count();
        assert_eq!(seeding, usize::from(entrants) * 6, "{entrants}");
    }
}

#[test]
fn a_hundred_samurai_teams_play_every_round_and_no_filler_reaches_the_final() {
    let contest = samurai(100, 3);
    let played = play(&contest, PlayOrder::ALL_AT_ONCE, |game| invented(game, strength));
    let last = &contest.progress(&played.results)[2].entrants;
    assert_eq!(last.len(), 8);
    assert!(last.iter().all(|id| id.0 < 100), "{last:?}");
    // 50 teams and 2 fillers are 13 tables, for 4 rounds, in two preliminaries; then 2 tables for 4 rounds.
    assert_eq!(played.games.len(), 2 * 13 * 4 + 2 * 4);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn any_order_of_completion_gives_the_same_finals(seed in any::<u64>(), batch in 1usize..5, entrants in 4u16..24) {
        check_same_in_any_order(&finals(entrants, seed), PlayOrder { seed, batch });
    }

    #[test]
    fn any_order_of_completion_gives_the_same_samurai_contest(seed in any::<u64>(), batch in 1usize..5) {
        check_same_in_any_order(&samurai(21, seed), PlayOrder { seed, batch });
    }
}
