//! Contests with known results, and properties of all contests.

use super::*;
use crate::format::{GameId, LeftGames};
use crate::formats::scoring::{Bonus, ScoringKind};
use crate::formats::swiss::SwissSettings;
use crate::formats::testing::{PlayOrder, Played, games_as_text, invented, outcome, play_plan, standings_as_text};
use crate::formats::{
    BoardNumber, Bounded, all_play_all, brackets, gauntlet, knockout, pair_swiss, permutations, seeding,
};
use crate::game::{End, Outcome};
use alloc::string::ToString;
use core::cmp::Reverse;
use proptest::prelude::*;

mod arriving;
mod generated;
mod leaving;
mod oracle;
mod whole;

fn field(entrants: u16) -> Field {
    Field::new(entrants, 2)
}

/// A field with these groups.
fn grouped(entrants: u16, groups: &[&[u16]]) -> Field {
    let group = |ids: &&[u16]| ids.iter().copied().map(EntrantId).collect();
    Field { groups: groups.iter().map(group).collect(), ..field(entrants) }
}

fn all_play_all(board: u32, scoring: ScoringKind) -> Format {
    let boards = Some(vec![BoardNumber(board)]);
    Format::AllPlayAll(all_play_all::AllPlayAllSettings { boards, scoring: Some(scoring), ..Default::default() })
}

fn won_minus_lost() -> Format {
    all_play_all(0, ScoringKind::WonMinusLost)
}

/// The Boxing Match: B11, then B12 on board 3.
fn boxing_match(entrants: u16) -> Contest {
    let permutations = permutations::PermutationsSettings { board: Some(BoardNumber(3)), ..Default::default() };
    let stages = vec![
        Stage { format: Format::AllPlayAll(Default::default()), who: Participants::All },
        Stage { format: Format::Permutations(permutations), who: Participants::TiedForFirst { stage: 0 } },
    ];
    Contest::new(field(entrants), stages, 1).unwrap()
}

/// Two preliminaries, the second with one of the organizer's bots in it; the best two of each play a knockout.
fn two_preliminaries(seed: u64) -> Contest {
    let preliminary = |group| Stage { format: won_minus_lost(), who: Participants::Group(group) };
    let boards = Some(vec![BoardNumber(1), BoardNumber(2)]);
    let knockout = knockout::KnockoutSettings { boards, tie_break_games: Bounded::new(0), ..Default::default() };
    let last = Stage {
        format: Format::Knockout(knockout),
        who: Participants::Best(vec![Quota { stage: 0, best: 2 }, Quota { stage: 1, best: 2 }]),
    };
    let field = grouped(7, &[&[0, 2, 4, 6], &[1, 3, 5, 7]]);
    Contest::new(field, vec![preliminary(0), preliminary(1), last], seed).unwrap()
}

fn play(contest: &Contest, order: PlayOrder, judge: impl Fn(&Pairing) -> Outcome) -> Played {
    play_plan(|done| contest.plan(done).unwrap(), order, judge)
}

/// The first seat wins, except that these entrants win from any seat; earlier ones in the list beat later ones.
fn always_wins<const N: usize>(strong: [u16; N]) -> impl Fn(&Pairing) -> Outcome {
    move |game| {
        let strength =
            |id: &EntrantId| strong.iter().rev().position(|s| *s == id.0).map_or(0, |at| 10 * at as i64 + 10);
        let power = |(at, id): (usize, &EntrantId)| strength(id) + i64::from(at == 0);
        outcome(&game.seats.iter().enumerate().map(power).collect::<Vec<_>>(), End::Played)
    }
}

/// The place of each entrant, by its number.
fn places(contest: &Contest, done: &Results) -> Vec<u32> {
    let mut standings = contest.standings(done);
    standings.sort_by_key(|standing| standing.entrant);
    standings.iter().map(|standing| standing.place).collect()
}

#[test]
fn a_single_leader_needs_no_second_stage() {
    let contest = boxing_match(4);
    let played = play(&contest, PlayOrder::ALL_AT_ONCE, always_wins([2]));
    assert!(played.games.keys().all(|id| id.stage == 0));
    assert_eq!(contest.progress(&played.results)[1].state, StageState::Skipped);
    assert_eq!(places(&contest, &played.results), [2, 2, 1, 2]);
    insta::assert_debug_snapshot!(contest.remarks(&played.results), @r#"
        [
            (
                1,
                Note(
                    "not played: fewer than two entrants qualified",
                ),
            ),
        ]
        "#);
}

#[test]
fn only_those_tied_for_first_on_wins_and_score_play_every_order() {
    let contest = boxing_match(5);
    // 1, 3 and 4 win all games against 0 and 2; between equals the first seat wins. In the second stage the last seat
    // wins, except that 3 also wins from the middle seat.
    let judge = |game: &Pairing| match game.id.stage {
        0 => {
            let power = |at: usize| i64::from([1, 3, 4].contains(&game.seats[at].0)) * 2 + i64::from(at == 0);
            outcome(if power(0) > power(1) { &[7, 0] } else { &[0, 7] }, End::Played)
        }
        _ if game.seats[1] == EntrantId(3) => outcome(&[0, 5, 0], End::Played),
        _ => outcome(&[0, 0, 5], End::Played),
    };
    let played = play(&contest, PlayOrder::ALL_AT_ONCE, judge);
    let stage_two = Played {
        games: played.games.iter().filter(|(id, _)| id.stage == 1).map(|(id, game)| (*id, game.clone())).collect(),
        results: played.results.clone(),
    };
    insta::assert_snapshot!(games_as_text(&stage_two).replace(", ", "\n"), @"
        s2/r1/m1  1-3-4 board 3: 0-5-0
        1-4-3 board 3: 0-0-5
        3-1-4 board 3: 0-0-5
        3-4-1 board 3: 0-0-5
        4-1-3 board 3: 0-0-5
        4-3-1 board 3: 0-5-0
        ");
    let text = standings_as_text(&contest.columns(&played.results), &contest.standings(&played.results));
    insta::assert_snapshot!(text, @"
        place entrant stages reached, place there
        1 3 [2, 1]
        2 1 [2, 2]
        2 4 [2, 2]
        4 0 [1, 4]
        4 2 [1, 4]
        ");
}

#[test]
fn too_many_tied_entrants_are_refused_and_remain_joint_winners() {
    let contest = boxing_match(8);
    let mut done = Results::new();
    let error = loop {
        match contest.plan(&done) {
            Ok(Plan::Play(games)) => {
                for game in &games {
                    done.insert(game.id, outcome(&[1, 0], End::Played));
                }
            }
            Ok(Plan::Finished) => panic!("finished although eight are tied"),
            Err(error) => break error,
        }
    };
    assert_eq!(error.stage, Some(1));
    assert!(error.to_string().starts_with("stage 2: every order of 8 entrants is 40320 games"), "{error}");
    assert_eq!(places(&contest, &done), [1; 8]);
    assert!(contest.remarks(&done).iter().any(|(stage, _)| *stage == 1));
}

#[test]
fn the_best_of_the_preliminaries_play_the_final_and_the_organizers_bots_do_not_advance() {
    let contest = two_preliminaries(5);
    // The organizer's bot, 7, wins the second preliminary.
    let played = play(&contest, PlayOrder::ALL_AT_ONCE, |game| invented(game, |id| 30 * u64::from(id.0)));
    insta::assert_snapshot!(games_as_text(&played), @"
        s1/r1/m1  0-6 board 0: 0-47, 6-0 board 0: 54-3
        s1/r1/m2  2-4 board 0: 21-36, 4-2 board 0: 32-16
        s1/r2/m1  2-6 board 0: 16-48, 6-2 board 0: 49-24
        s1/r2/m2  4-0 board 0: 32-9, 0-4 board 0: 4-38
        s1/r3/m1  4-6 board 0: 39-45, 6-4 board 0: 45-30
        s1/r3/m2  0-2 board 0: 3-22, 2-0 board 0: 21-3
        s2/r1/m1  1-7 board 0: 17-53, 7-1 board 0: 61-9
        s2/r1/m2  3-5 board 0: 27-44, 5-3 board 0: 40-26
        s2/r2/m1  3-7 board 0: 22-57, 7-3 board 0: 55-27
        s2/r2/m2  5-1 board 0: 41-16, 1-5 board 0: 10-42
        s2/r3/m1  5-7 board 0: 40-55, 7-5 board 0: 53-47
        s2/r3/m2  1-3 board 0: 8-31, 3-1 board 0: 31-13
        s3/r1/m1  6-3 board 1: 46-29, 3-6 board 1: 27-49
        s3/r1/m2  5-4 board 1: 41-31, 4-5 board 1: 35-38
        s3/r2/m1  6-5 board 2: 47-44, 5-6 board 2: 44-45
        ");
    let stages = contest.progress(&played.results);
    let stage =
        |number: usize| standings_as_text(&stages[number].columns(), &stages[number].standings(&played.results));
    insta::assert_snapshot!(stage(0), @"
        place entrant won - lost
        1 6 [6]
        2 4 [2]
        3 2 [-2]
        4 0 [-6]
        ");
    insta::assert_snapshot!(stage(1), @"
        place entrant won - lost
        1 7 [6]
        2 5 [2]
        3 3 [-2]
        4 1 [-6]
        ");
    insta::assert_snapshot!(stage(2), @"
        place entrant rounds
        1 6 [2]
        2 5 [1]
        3 3 [0]
        3 4 [0]
        ");
    let text = standings_as_text(&contest.columns(&played.results), &contest.standings(&played.results));
    insta::assert_snapshot!(text, @"
        place entrant stages reached, place there
        1 6 [2, 1]
        2 5 [2, 2]
        3 3 [2, 3]
        3 4 [2, 3]
        5 7 [1, 1]
        6 2 [1, 3]
        7 0 [1, 4]
        7 1 [1, 4]
        ");
}

#[test]
fn preliminaries_run_side_by_side_and_the_final_waits_for_both() {
    let contest = two_preliminaries(5);
    let mut done = Results::new();
    let stages = |done: &Results| match contest.plan(done).unwrap() {
        Plan::Play(games) => {
            let mut stages: Vec<u8> = games.iter().map(|game| game.id.stage).collect();
            stages.dedup();
            (stages, games)
        }
        Plan::Finished => (vec![], vec![]),
    };
    let (under_way, games) = stages(&done);
    assert_eq!(under_way, [0, 1]);
    for game in games.into_iter().filter(|game| game.id.stage == 0) {
        done.insert(game.id, always_wins([])(&game));
    }
    assert_eq!(stages(&done).0, [1]);
    assert_eq!(contest.progress(&done)[2].state, StageState::Waiting);
}

#[test]
fn lots_order_entrants_that_share_a_place_and_are_in_the_remarks() {
    // The first seat always wins: all share the first place of both preliminaries.
    let finalists = |seed| {
        let contest = two_preliminaries(seed);
        let played = play(&contest, PlayOrder::ALL_AT_ONCE, always_wins([]));
        let lots: Vec<StageRemark> =
            contest.remarks(&played.results).into_iter().map(|(_, remark)| remark).collect();
        let drawn = |about: &str| {
            let order = lots.iter().find_map(|remark| match remark {
                StageRemark::Lot { about: found, order } if found == about => Some(order.clone()),
                _ => None,
            });
            order.expect(about)
        };
        let lot_of = |stage: u8| drawn(&format!("entrants tied for place 1 of stage {stage}"));
        let first = lot_of(1);
        let second = lot_of(2);
        let order = contest.progress(&played.results)[2].entrants.clone();
        assert_eq!(order, [first[0], second[0], first[1], second[1]]);
        order
    };
    assert_eq!(finalists(1), finalists(1));
    assert!((2..20).any(|seed| finalists(seed) != finalists(1)));
}

#[test]
fn lots_that_hold_keep_the_order_of_those_who_are_left_when_one_is_left_out() {
    // All games are ties, so lots decide everything: of seeding, a Swiss of pairs and a knockout.
    let contest = |entrants, journal| {
        let programs = vec![OrganizerBot(0)];
        let seeding = Format::Seeding(crate::formats::seeding::SeedingSettings { programs, ..Default::default() });
        let stages = [seeding, Format::PairSwiss(Default::default()), Format::Knockout(Default::default())];
        let stages = stages.into_iter().map(|format| Stage { format, who: Participants::All }).collect();
        Contest::new(field(entrants), stages, 3).unwrap().with_journal(journal)
    };
    let lots = |contest: &Contest| -> Vec<(u8, String, Vec<EntrantId>)> {
        let tie = |game: &Pairing| outcome(&vec![1; game.seats.len()], End::Played);
        let played = play(contest, PlayOrder::ALL_AT_ONCE, tie);
        let lot = |(stage, remark)| match remark {
            StageRemark::Lot { about, order } => Some((stage, about, order)),
            _ => None,
        };
        contest.remarks(&played.results).into_iter().filter_map(lot).collect()
    };
    let all = lots(&contest(12, Journal::new()));
    assert_eq!(BTreeSet::from_iter(all.iter().map(|(stage, ..)| *stage)), BTreeSet::from([0, 1, 2]));
    for out in 0..12 {
        let left = |id: &EntrantId| (id.0 != out).then(|| EntrantId(id.0 - u16::from(id.0 > out)));
        let held = all.iter().map(|(stage, about, order)| Decision::Lot {
            stage: *stage,
            about: about.clone(),
            order: order.iter().filter_map(left).collect(),
        });
        let journal = Journal { decisions: held.collect() };
        let now = lots(&contest(11, journal.clone()));
        for about in ["entrants with equal points and wins (F3)", "the order of round 1"] {
            let then = journal.decisions.iter().find_map(|decision| match decision {
                Decision::Lot { about: of, order, .. } => (of == about).then_some(order),
                _ => None,
            });
            let now = now.iter().find_map(|(_, of, order)| (of == about).then_some(order));
            assert!(now.is_some() && now == then, "{about} without {out}: {now:?}, {then:?}");
        }
    }
}

#[test]
fn no_lot_is_drawn_beyond_the_last_place_that_advances() {
    let quota = Quota { stage: 0, best: 2 };
    let standing = |(id, place)| Standing { entrant: EntrantId(id), place, figures: vec![] };
    let standings: Vec<Standing> = [(4, 1), (1, 2), (2, 3), (3, 3)].map(standing).to_vec();
    let (order, lots) = progress::best(&standings, quota, 9, |_, _| ());
    assert_eq!((order, lots), (vec![EntrantId(4), EntrantId(1)], vec![]));
}

#[test]
fn an_entrant_that_advances_from_two_stages_takes_part_once() {
    let side = || Stage { format: won_minus_lost(), who: Participants::All };
    let both = Participants::Best(vec![Quota { stage: 0, best: 2 }, Quota { stage: 1, best: 2 }]);
    let last = Stage { format: won_minus_lost(), who: both };
    let contest = Contest::new(field(4), vec![side(), side(), last], 0).unwrap();
    let judge = |game: &Pairing| match game.id.stage {
        0 => always_wins([3, 1])(game),
        _ => always_wins([2, 3])(game),
    };
    let played = play(&contest, PlayOrder::ALL_AT_ONCE, judge);
    assert_eq!(contest.progress(&played.results)[2].entrants, [3, 2, 1].map(EntrantId));
}

#[test]
fn few_entrants_play_each_other_twice_and_many_play_a_swiss() {
    let games = |n| {
        let stages = vec![Stage { format: Format::PairSwiss(Default::default()), who: Participants::All }];
        let contest = Contest::new(field(n), stages, 0).unwrap();
        play(&contest, PlayOrder::ALL_AT_ONCE, always_wins([])).games.len()
    };
    // Of eleven, one has a bye in each of five rounds of two games.
    assert_eq!((games(10), games(11)), (90, 50));
}

#[test]
fn the_standings_of_a_single_stage_are_those_of_the_contest() {
    let stages = vec![Stage { format: won_minus_lost(), who: Participants::All }];
    let contest = Contest::new(field(3), stages, 0).unwrap();
    let played = play(&contest, PlayOrder::ALL_AT_ONCE, always_wins([1, 2]));
    let text = standings_as_text(&contest.columns(&played.results), &contest.standings(&played.results));
    insta::assert_snapshot!(text, @"
        place entrant won - lost
        1 1 [4]
        2 2 [0]
        3 0 [-4]
        ");
}

/// Checks that a contest of `field` with a stage for each of `who` is refused.
#[track_caller]
fn check_refused(field: Field, who: Vec<Participants>, stage: Option<u8>, why: &str) {
    let stages = who.into_iter().map(|who| Stage { format: all_play_all(0, ScoringKind::Wins), who });
    let error = Contest::new(field, stages.collect(), 0).unwrap_err();
    assert!(error.stage == stage && error.why.contains(why), "{error}");
}

#[test]
fn contests_that_cannot_be_played_are_refused() {
    let best = |stage, best| Participants::Best(vec![Quota { stage, best }]);
    let check_refused = |entrants, who, stage, why| self::check_refused(field(entrants), who, stage, why);
    check_refused(1, vec![Participants::All], None, "at least two");
    check_refused(5, vec![], None, "1 to 256 stages");
    check_refused(65_535, vec![Participants::All], None, "too many entrants");
    check_refused(5, vec![Participants::All, best(1, 2)], Some(1), "stage 2, which is not an earlier stage");
    check_refused(
        5,
        vec![Participants::TiedForFirst { stage: 3 }],
        Some(0),
        "stage 4, which is not an earlier stage",
    );
    check_refused(5, vec![Participants::All, best(0, 0)], Some(1), "no entrant advances");
    check_refused(5, vec![Participants::All, best(0, 1)], Some(1), "at most one");
    check_refused(5, vec![Participants::All, Participants::Best(vec![])], Some(1), "at most one");
    let in_groups = |groups: &[&[u16]], stage, why| {
        let who = (0..groups.len().max(1) as u16).map(Participants::Group).collect();
        self::check_refused(grouped(5, groups), who, stage, why);
    };
    in_groups(&[], Some(0), "no group 1: the last is 0");
    in_groups(&[&[0, 1, 2, 3, 7]], Some(0), "no entrant 8: the last is 7");
    in_groups(&[&[0, 1, 2, 4], &[3]], Some(1), "group of 1");
    in_groups(&[&[0, 1, 1, 4]], Some(0), "named twice");
    in_groups(&[&[0, 1, 2, 4]], None, "entrant 4 is not in any stage");
}

/// Everyone against everyone, then brackets of `who`, and a last stage of `last` if there is one.
fn with_brackets(entrants: u16, who: Participants, last: Option<Participants>) -> Result<Contest, ContestError> {
    let brackets = brackets::BracketsSettings { first_board: Some(BoardNumber(1)), ..Default::default() };
    let field = Field { fillers: vec![EntrantId(entrants)], ..field(entrants) };
    let last = last.map(|who| Stage { format: all_play_all(2000, ScoringKind::Bonus), who });
    let stages = [
        Stage { format: won_minus_lost(), who: Participants::All },
        Stage { format: Format::Brackets(brackets), who },
    ];
    Contest::new(field, stages.into_iter().chain(last).collect(), 0)
}

#[test]
fn brackets_without_a_game_are_refused_unless_all_of_their_entrants_play_on() {
    use Participants::{All, Best, Qualified, TiedForFirst};
    let best = |stage, best| Best(vec![Quota { stage, best }]);
    let check = |entrants, who: Participants, last, number: Option<u16>| {
        let found = with_brackets(entrants, who, last).map(drop);
        let why = |number| {
            format!(
                "stage 2: brackets of {number} entrants have no games, so the order of seeding would decide: let at \
                 least 5 take part, or use another kind, such as `knockout`"
            )
        };
        assert_eq!(found.map_err(|error| error.to_string()), number.map_or(Ok(()), |number| Err(why(number))));
    };
    for entrants in 2..=4 {
        check(entrants, All, None, Some(entrants));
        check(entrants, best(0, 9), None, Some(entrants));
    }
    check(5, All, None, None);
    check(9, best(0, 4), None, Some(4));
    check(9, best(0, 5), None, None);
    check(3, TiedForFirst { stage: 0 }, None, Some(3));
    // A playoff of all of them decides.
    check(4, All, Some(Qualified { stage: 1 }), None);
    check(4, All, Some(best(1, 4)), None);
    check(4, All, Some(best(1, 3)), Some(4));
    check(4, All, Some(Qualified { stage: 0 }), Some(4));
}

#[test]
fn brackets_are_refused_once_too_few_qualify_for_a_game() {
    let tied = Participants::TiedForFirst { stage: 0 };
    let contest = with_brackets(6, tied, None).unwrap();
    // 1, 3 and 4 win all games against others and share first place.
    let judge = |game: &Pairing| {
        let power = |at: usize| i64::from([1, 3, 4].contains(&game.seats[at].0)) * 2 + i64::from(at == 0);
        outcome(&[power(0), power(1)], End::Played)
    };
    let mut done = Results::new();
    let refused = loop {
        match contest.plan(&done) {
            Ok(Plan::Play(games)) => {
                for game in games {
                    done.insert(game.id, judge(&game));
                }
            }
            Ok(Plan::Finished) => panic!("brackets without a game were played"),
            Err(error) => break error.to_string(),
        }
    };
    assert!(refused.starts_with("stage 2: brackets of 3 entrants have no games"), "{refused}");
}

#[test]
fn a_stage_that_its_known_entrants_cannot_play_is_refused_from_the_start() {
    let stages = vec![Stage { format: Format::Permutations(Default::default()), who: Participants::All }];
    let error = Contest::new(field(8), stages, 0).unwrap_err();
    assert!(error.to_string().starts_with("stage 1: every order of 8"), "{error}");
}

proptest! {
    #[test]
    fn any_play_order_gives_the_same_boxing_match(n in 2u16..6, seed: u64, batch in 1usize..30, levels in 1u64..3) {
        let contest = boxing_match(n);
        let judge = |game: &Pairing| {
            let power = |at: usize| (u64::from(game.seats[at].0) % levels) as i64 * 2 + i64::from(at == 0);
            outcome(&(0..game.seats.len()).map(power).collect::<Vec<_>>(), End::Played)
        };
        let played = play(&contest, PlayOrder { seed, batch }, judge);
        prop_assert_eq!(&played, &play(&contest, PlayOrder::ALL_AT_ONCE, judge));
        // Only the entrants of the highest level are tied.
        let tied = (0..n).filter(|id| u64::from(*id) % levels == levels - 1).count();
        let orders: usize = if tied < 2 { 0 } else { (1..=tied).product() };
        prop_assert_eq!(played.games.keys().filter(|id| id.stage == 1).count(), orders);
    }

    #[test]
    fn any_play_order_gives_the_same_contest(contest_seed: u64, seed: u64, batch in 1usize..30, levels in 1u64..4) {
        let contest = two_preliminaries(contest_seed);
        // With few levels and no chance in games, many entrants share places and lots decide.
        let judge = |game: &Pairing| {
            let power = |at: usize| (u64::from(game.seats[at].0) % levels) as i64 * 2 + i64::from(at == 0);
            outcome(&[power(0), power(1)], End::Played)
        };
        let played = play(&contest, PlayOrder { seed, batch }, judge);
        prop_assert_eq!(&played, &play(&contest, PlayOrder::ALL_AT_ONCE, judge));
        // Two groups of four play six pairs of games each; the knockout has three matches of two games.
        prop_assert_eq!(played.games.len(), 24 + 6);
        prop_assert_eq!(contest.standings(&played.results).len(), 8);
        let of_stage = |stage| played.games.keys().filter(|id: &&GameId| id.stage == stage).count();
        prop_assert_eq!([of_stage(0), of_stage(1), of_stage(2)], [12, 12, 6]);
    }
}
