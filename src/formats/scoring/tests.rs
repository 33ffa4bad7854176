//! Tables of games, and what each game is worth.

use super::*;

const WON_FIRST: [u8; 2] = [1, 2];
const WON_SECOND: [u8; 2] = [2, 1];
const TIE: [u8; 2] = [1, 1];

fn game(places: [u8; 2], points: [i64; 2], end: End) -> Outcome {
    Outcome { places: places.to_vec(), points: points.to_vec(), territory: vec![0; 2], end }
}

/// Checks what one game is worth to the first and the second seat.
#[track_caller]
fn check(scoring: Scoring, outcome: Outcome, first: &[i64], second: &[i64]) {
    let both = [0, 1].map(EntrantId);
    let totals = scoring.totals(&both, [(both, &outcome)]);
    assert_eq!(totals, [(both[0], first.to_vec()), (both[1], second.to_vec())]);
    assert_eq!(scoring.columns().len(), first.len());
}

#[test]
fn wins_count_before_the_score() {
    check(Scoring::WinsThenScore, game(WON_FIRST, [212, 0], End::Played), &[1, 212], &[0, 0]);
    check(Scoring::WinsThenScore, game(TIE, [3, 3], End::Played), &[0, 3], &[0, 3]);
}

#[test]
fn the_bonus_depends_on_the_seat_and_is_added_to_the_points() {
    let scoring = Scoring::Bonus(Bonus::default());
    check(scoring, game(WON_FIRST, [212, 30], End::Played), &[1212, 1], &[30, 0]);
    check(scoring, game(WON_SECOND, [212, 30], End::Played), &[212, 0], &[1230, 1]);
    check(scoring, game(TIE, [70, 30], End::Played), &[570, 0], &[630, 0]);
}

#[test]
fn after_a_forfeit_the_opponent_gets_the_win_bonus_and_points_still_count() {
    let scoring = Scoring::Bonus(Bonus::default());
    check(scoring, game(WON_SECOND, [212, 30], End::Forfeited), &[212, 0], &[1230, 1]);
    check(scoring, game(TIE, [212, 30], End::Forfeited), &[212, 0], &[30, 0]);
}

#[test]
fn the_bonuses_can_be_set() {
    let scoring = Scoring::Bonus(Bonus { first_win: 10, second_win: 20, first_tie: 3, second_tie: 4 });
    check(scoring, game(WON_FIRST, [1, 0], End::Played), &[11, 1], &[0, 0]);
    check(scoring, game(WON_SECOND, [1, 0], End::Played), &[1, 0], &[20, 1]);
    check(scoring, game(TIE, [0, 0], End::Played), &[3, 0], &[4, 0]);
}

#[test]
fn a_loss_cancels_a_win() {
    check(Scoring::WinsMinusLosses, game(WON_FIRST, [9, 1], End::Played), &[1], &[-1]);
    check(Scoring::WinsMinusLosses, game(TIE, [9, 9], End::Played), &[0], &[0]);
}

#[test]
fn margins_are_summed_and_then_every_game_won_or_lost_counts() {
    let scoring = Scoring::Margins;
    check(scoring, game(WON_FIRST, [131, 100], End::Played), &[31, 1], &[-31, -1]);
    check(scoring, game(WON_SECOND, [100, 132], End::Played), &[-32, -1], &[32, 1]);
}

#[test]
fn points_that_sum_to_zero_are_the_margins() {
    let scoring = Scoring::Margins;
    check(scoring, game(WON_FIRST, [8, -8], End::Played), &[8, 1], &[-8, -1]);
    check(scoring, game(WON_SECOND, [-1, 1], End::Played), &[-1, -1], &[1, 1]);
    check(scoring, game(WON_FIRST, [50, -50], End::Forfeited), &[50, 1], &[-50, -1]);
    check(scoring, game(TIE, [0, 0], End::Forfeited), &[0, 0], &[0, 0]);
    check(Scoring::WinsMinusLosses, game(WON_SECOND, [-1, 1], End::Played), &[-1], &[1]);
}

#[test]
fn in_games_of_many_seats_each_has_a_margin_over_each_other_one() {
    let check = |points: &[i64], wanted: i64| {
        let outcome = Outcome {
            places: vec![1; points.len()],
            points: points.to_vec(),
            territory: vec![0; points.len()],
            end: End::Played,
        };
        assert_eq!(margin_over(&outcome, Seat(0), Seat(1)), wanted, "{points:?}");
    };
    check(&[31, 20], 11);
    check(&[8, -8], 8);
    check(&[31, 20, 25], 11);
    check(&[8, -8, 0], 16);
}

#[test]
fn of_many_seats_one_wins_or_several_tie() {
    let outcome = |places: [u8; 4]| Outcome {
        places: places.to_vec(),
        points: vec![5; 4],
        territory: vec![0; 4],
        end: End::Played,
    };
    let verdicts = |places| [0, 1, 2, 3].map(|seat| seat_result(&outcome(places), Seat(seat)));
    use SeatResult::{Lost, Tied, Won};
    assert_eq!(verdicts([2, 1, 3, 4]), [Lost, Won, Lost, Lost]);
    assert_eq!(verdicts([1, 3, 1, 4]), [Tied, Lost, Tied, Lost]);
}

/// Checks the standings of the entrants 0 to 3 after `games`, as (entrant, place, head-to-head).
#[track_caller]
fn check_settled(games: &[([u16; 2], [u8; 2], [i64; 2])], expected: &[(u16, u32, i64)]) {
    let scoring = Scoring::Bonus(Bonus::default());
    let games: Vec<_> = games
        .iter()
        .map(|&(seats, places, points)| (seats.map(EntrantId), game(places, points, End::Played)))
        .collect();
    let games = || games.iter().map(|(seats, outcome)| (seats, outcome));
    let entrants = [0, 1, 2, 3].map(EntrantId);
    let standings = rank_with_head_to_head(&scoring, scoring.totals(&entrants, games()), games());
    let found: Vec<_> = standings.iter().map(|s| (s.entrant.0, s.place, s.figures[2])).collect();
    assert_eq!(found, expected);
}

#[test]
fn the_games_between_tied_entrants_break_the_tie() {
    // 0 and 1 have 1000 points and one win each; 1 has beaten 0.
    check_settled(
        &[([1, 0], WON_FIRST, [0, 0]), ([0, 2], WON_FIRST, [0, 0])],
        &[(1, 1, 1000), (0, 2, 0), (2, 3, 0), (3, 3, 0)],
    );
}

#[test]
fn entrants_that_are_equal_head_to_head_share_the_place() {
    check_settled(
        &[([0, 1], WON_FIRST, [0, 0]), ([1, 0], WON_FIRST, [0, 0]), ([2, 3], WON_FIRST, [0, 0])],
        &[(0, 1, 1000), (1, 1, 1000), (2, 3, 0), (3, 4, 0)],
    );
}
