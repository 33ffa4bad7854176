//! Tests of rock-paper-scissors: which lines are hands, what bots are sent, how games end, and a comparison with a
//! naive implementation of the document's rules.

use super::*;
use crate::format::EntrantId;
use crate::formats::scoring::{Scoring, SeatResult, seat_result};
use crate::game::{InProgress, LiveGame};
use proptest::prelude::*;

fn setup() -> Setup {
    Setup { seats: 2, ..Setup::default() }
}

fn game(rounds: u32, seeds: [u16; 2]) -> InProgress<Rps> {
    InProgress::new(Rps { rounds, seeds: Some(seeds) }, &setup()).unwrap()
}

/// Plays `script`: a word of two characters per round, one per seat, in which `x` is a forfeit.
fn play(game: &mut dyn LiveGame, script: &str) {
    for (round, hands) in script.split_whitespace().enumerate() {
        assert_eq!(game.to_act(), Seats::first(2), "round {round} of `{script}`");
        for (seat, hand) in (0u8..).map(Seat).zip(hands.chars()) {
            match hand {
                'x' => game.forfeit(seat),
                hand => assert_eq!(game.answer(seat, hand.to_string().as_bytes()), Ok(hand.to_string())),
            }
        }
    }
}

mod lines {
    use super::*;

    #[track_caller]
    fn check(line: &str, expected: Result<Hand, &str>) {
        match (Hand::read(line.as_bytes()), expected) {
            (Ok(found), Ok(expected)) => assert_eq!(found, expected, "{line:?}"),
            (Err(violation), Err(words)) => {
                assert_eq!((violation.kind, violation.rule, violation.spots), ("token", "R6", vec![]));
                let detail = violation.detail.replace("expected 0 (rock), 1 (paper) or 2 (scissors)", "EXPECTED");
                assert_eq!(detail, words, "{line:?}");
            }
            (found, _) => panic!("{line:?}: {found:?}"),
        }
    }

    #[test]
    fn a_number_is_a_hand() {
        check("0", Ok(Hand::Rock));
        check("1", Ok(Hand::Paper));
        check("2", Ok(Hand::Scissors));
    }

    #[test]
    fn white_space_around_a_number_is_ignored() {
        for line in ["1\r", " 1", "1 ", "\t1\t", "  1 \r", "\r1"] {
            check(line, Ok(Hand::Paper));
        }
    }

    #[test]
    fn every_other_line_breaks_the_rules_for_a_stated_reason() {
        check("", Err("the line is empty: EXPECTED"));
        check(" \r", Err("the line is empty: EXPECTED"));
        check("rock", Err("`rock` is a word: write its number, 0"));
        check("Paper\r", Err("`Paper` is a word: write its number, 1"));
        check("S", Err("`S` is a word: write its number, 2"));
        for longer in ["+1", "01", "1.0", "-0", "002", "+0.00", "2."] {
            check(longer, Err(&format!("`{longer}` is not a single digit: EXPECTED")));
        }
        for other in ["3", "-1", "10", "1.5", "0.1", "99999999999999999999", "-0.1", ".5"] {
            check(other, Err(&format!("`{other}` is not a hand: EXPECTED")));
        }
        for noise in ["x", "1x", "0x1", "1e0", "--1", "+-1", "1.0.0", ".", "+", "1\u{0}", "nan", "inf"] {
            let shown = noise.replace('\u{0}', "\\x00");
            check(noise, Err(&format!("`{shown}` is not a number: EXPECTED")));
        }
        check("1 2", Err("`1 2` is more than one word: EXPECTED"));
        check("1\r1", Err("`1\\r1` is more than one word: EXPECTED"));
    }

    #[test]
    fn a_message_quotes_the_beginning_of_a_line_and_escapes_it() {
        check(&"7".repeat(1000), Err(&format!("`{}…` is not a hand: EXPECTED", "7".repeat(40))));
        check("\u{1b}[2J", Err("`\\x1b[2J` is not a number: EXPECTED"));
        check("é", Err("`\\xc3\\xa9` is not a number: EXPECTED"));
    }

    proptest! {
        #[test]
        fn only_the_three_numbers_are_hands(line in prop::collection::vec(
            prop_oneof![prop::sample::select(&b"012 \t\r+-.x"[..]), any::<u8>()], 0..6,
        )) {
            let text: String = line.iter().map(|&byte| char::from(byte)).collect();
            let expected = match text.trim_matches([' ', '\t', '\r']) {
                "0" => Some(Hand::Rock),
                "1" => Some(Hand::Paper),
                "2" => Some(Hand::Scissors),
                _ => None,
            };
            let found = Hand::read(&line);
            prop_assert_eq!(found.as_ref().ok().copied(), expected);
            if let Err(violation) = found {
                prop_assert!(violation.detail.bytes().all(|byte| (b' '..=b'~').contains(&byte)), "{}", violation);
            }
        }
    }
}

#[test]
fn each_hand_beats_one_and_loses_to_one() {
    let check = |one: Hand, two: Hand, expected: i64| {
        assert_eq!(one.gain_against(two), expected, "{one:?} against {two:?}");
        assert_eq!(one.beats(two), expected == 1);
    };
    use Hand::{Paper, Rock, Scissors};
    for (one, two) in [(Rock, Scissors), (Scissors, Paper), (Paper, Rock)] {
        check(one, two, 1);
        check(two, one, -1);
        check(one, one, 0);
        assert_eq!(two.beaten_by(), one);
    }
    assert_eq!(Hand::ALL.map(|hand| hand.turned(255)), Hand::ALL, "255 steps are 85 whole cycles");
}

mod sent {
    use super::*;

    /// Plays `script`: `expected` is what each bot is sent next, with `/` for line feeds.
    #[track_caller]
    fn check(rounds: u32, script: &str, expected: [&str; 2]) {
        let mut game = game(rounds, [31241, 7]);
        play(&mut game, script);
        let sent = [0, 1].map(|seat| String::from_utf8(game.view(Seat(seat))).unwrap().replace('\n', "/"));
        assert_eq!(sent, expected, "{script}");
    }

    #[test]
    fn the_seed_and_the_rounds_come_first_then_the_opponents_numbers() {
        check(5, "", ["31241/5/", "7/5/"]);
        check(5, "01", ["1/", "0/"]);
        check(5, "01 12", ["2/", "1/"]);
    }

    #[test]
    fn the_opponents_last_number_is_sent_too() {
        check(2, "01 12", ["2/", "1/"]);
        check(1, "20", ["0/", "2/"]);
    }

    #[test]
    fn nothing_is_sent_after_a_forfeit() {
        check(5, "01 1x", ["", ""]);
        check(5, "xx", ["", ""]);
    }

    #[test]
    fn nothing_is_sent_before_both_have_answered() {
        let mut game = game(3, [1, 2]);
        game.answer(Seat(1), b"2").unwrap();
        assert_eq!((game.view(Seat(0)), game.board()), (b"1\n3\n".to_vec(), b"round 0 of 3: 0".to_vec()));
        assert_eq!(game.to_act(), Seats::only(Seat(0)));
    }

    #[test]
    fn the_documents_example_is_reproduced() {
        let mut game = game(5, [31241, 0]);
        let mut dialogue = String::new();
        for own in ["0", "1", "1", "1", "1"] {
            dialogue += &String::from_utf8(game.view(Seat(0))).unwrap();
            game.answer(Seat(0), own.as_bytes()).unwrap();
            game.answer(Seat(1), if own == "0" { b"1" } else { b"2" }).unwrap();
            dialogue += &format!("< {own}\n");
        }
        dialogue += &String::from_utf8(game.view(Seat(0))).unwrap();
        assert_eq!(dialogue, "31241\n5\n< 0\n1\n< 1\n2\n< 1\n2\n< 1\n2\n< 1\n2\n");
    }
}

mod seeds {
    use super::*;

    fn drawn(seed: u64) -> [u16; 2] {
        let state = Rps::default().start(&Setup { seed, ..setup() }).unwrap();
        [state.seed(Seat(0)), state.seed(Seat(1))]
    }

    #[test]
    fn they_depend_on_the_seed_of_the_game() {
        assert_eq!(drawn(9), drawn(9));
        assert_ne!(drawn(9), drawn(10));
        let all: Vec<u16> = (0..2000).flat_map(drawn).collect();
        assert!(all.iter().all(|&seed| seed <= MAX_SEED), "{:?}", all.iter().max());
        assert!(all.iter().any(|&seed| seed > 59_900) && all.iter().any(|&seed| seed < 100));
        assert!(
            (0..100).map(drawn).filter(|[one, two]| one != two).count() > 95,
            "the two seeds are drawn separately"
        );
    }

    #[test]
    fn seeds_in_the_rules_are_sent_by_seat() {
        let sent = game(50, [1, 2]);
        assert_eq!([sent.view(Seat(0)), sent.view(Seat(1))], [b"1\n50\n", b"2\n50\n"]);
    }
}

mod ends {
    use super::*;

    /// Plays `script`, which must end the game, and checks the board and the outcome.
    #[track_caller]
    fn check(rounds: u32, script: &str, board: &str, places: [u8; 2], points: [i64; 2], end: End) {
        let mut game = game(rounds, [0, 0]);
        play(&mut game, script);
        assert_eq!(String::from_utf8(game.board()).unwrap(), board, "{script}");
        let outcome = game.outcome().expect(script);
        assert_eq!((&outcome.places[..], &outcome.points[..]), (&places[..], &points[..]), "{script}");
        assert_eq!((outcome.end, &outcome.territory[..]), (end, &[0, 0][..]), "{script}");
        assert_eq!(game.to_act(), Seats::NONE);
    }

    #[test]
    fn the_margin_decides() {
        check(1, "10", "round 1 of 1: +1", [1, 2], [1, -1], End::Played);
        check(3, "02 21 20", "round 3 of 3: +1", [1, 2], [1, -1], End::Played);
        check(3, "20 01 11", "round 3 of 3: -2", [2, 1], [-2, 2], End::Played);
        check(2, "20 02", "round 2 of 2: 0", [1, 1], [0, 0], End::Played);
    }

    #[test]
    fn a_forfeit_loses_all_rounds_of_the_game() {
        check(50, "10 10 x0", "round 2 of 50, forfeited: -50", [2, 1], [-50, 50], End::Forfeited);
        check(50, "1x", "round 0 of 50, forfeited: +50", [1, 2], [50, -50], End::Forfeited);
        check(2, "01 0x", "round 1 of 2, forfeited: +2", [1, 2], [2, -2], End::Forfeited);
    }

    #[test]
    fn forfeits_by_both_seats_are_a_draw() {
        check(50, "10 10 xx", "round 2 of 50, forfeited: 0", [1, 1], [0, 0], End::Forfeited);
    }

    #[test]
    fn after_an_illegal_answer_the_seat_can_answer_again_or_forfeit() {
        let mut game = game(1, [0, 0]);
        assert_eq!(game.answer(Seat(0), b"3").unwrap_err().kind, "token");
        assert_eq!(game.to_act(), Seats::first(2));
        play(&mut game, "x1");
        assert!(game.outcome().unwrap().winners().eq([Seat(1)]));
    }
}

#[track_caller]
fn check_refused(rps: Rps, setup: Setup, words: &str) {
    assert_eq!(rps.start(&setup).unwrap_err().0, words);
}

#[test]
fn a_setup_that_does_not_fit_is_refused_with_the_reason() {
    let usual = Rps::default;
    for seats in [0, 1, 3, 8] {
        let words = format!("rock-paper-scissors has 2 seats, not {seats}");
        check_refused(usual(), Setup { seats, ..setup() }, &words);
    }
    let board = Setup { board: b"-".to_vec(), ..setup() };
    check_refused(usual(), board, "rock-paper-scissors is played without a board, but one is given");
    check_refused(Rps { rounds: 0, ..usual() }, setup(), "a game has 1 to 1000000 rounds, not 0");
    check_refused(Rps { rounds: 1_000_001, ..usual() }, setup(), "a game has 1 to 1000000 rounds, not 1000001");
    let seeds = Rps { seeds: Some([0, 60_001]), ..usual() };
    check_refused(seeds, setup(), "a bot's seed is 0 to 60000, not 60001");
    assert!(Rps { rounds: MAX_ROUNDS, seeds: Some([0, MAX_SEED]) }.start(&setup()).is_ok());
    assert!(usual().start(&Setup { marks: b"AB".to_vec(), ..setup() }).is_ok(), "marks are ignored");
}

/// A hand, or rarely a forfeit.
fn any_act() -> impl Strategy<Value = char> {
    prop_oneof![40 => prop::sample::select(&['0', '1', '2'][..]), 1 => Just('x')]
}

/// The margins of both seats by the words of the document; `None` while the game is in progress.
fn naive(rounds: u32, played: &[(char, char)]) -> Option<[i64; 2]> {
    let won = |one: &char, two: &char| matches!((one, two), ('0', '2') | ('1', '0') | ('2', '1'));
    let mut first = 0;
    let mut second = 0;
    for (one, two) in played {
        match (one, two) {
            ('x', 'x') => return Some([0, 0]),
            ('x', _) => return Some([-i64::from(rounds), i64::from(rounds)]),
            (_, 'x') => return Some([i64::from(rounds), -i64::from(rounds)]),
            _ => {
                first += i64::from(won(one, two));
                second += i64::from(won(two, one));
            }
        }
    }
    (played.len() as u32 == rounds).then_some([first - second, second - first])
}

proptest! {
    #[test]
    fn games_agree_with_a_naive_referee(
        acts in prop::collection::vec((any_act(), any_act()), 1..80), second_first: bool,
    ) {
        let rounds = acts.len() as u32;
        let mut game = game(rounds, [0, 0]);
        for (round, (one, two)) in acts.iter().enumerate() {
            let expected = naive(rounds, &acts[..round]);
            prop_assert_eq!(game.outcome().map(|outcome| outcome.points), expected.map(|points| points.to_vec()));
            if expected.is_some() {
                break;
            }
            let mut answers = [(Seat(0), one), (Seat(1), two)];
            if second_first {
                answers.reverse();
            }
            for (seat, act) in answers {
                match act {
                    'x' => game.forfeit(seat),
                    hand => drop(game.answer(seat, hand.to_string().as_bytes()).unwrap()),
                }
            }
            let played = &acts[..=round];
            if !played.iter().any(|(one, two)| [*one, *two].contains(&'x')) {
                prop_assert_eq!(game.view(Seat(0)), format!("{two}\n").into_bytes());
                prop_assert_eq!(game.view(Seat(1)), format!("{one}\n").into_bytes());
            }
        }
        let outcome = game.outcome().expect("every round is played, or a seat has forfeited");
        let expected = naive(rounds, &acts).or_else(|| (0..acts.len()).find_map(|n| naive(rounds, &acts[..n]))).unwrap();
        prop_assert_eq!(&outcome.points[..], &expected[..]);
        // Both tables of the document are computed from the margin (R9).
        let both = [0, 1].map(EntrantId);
        let won_minus_lost = Scoring::WinsMinusLosses.totals(&both, [(both, &outcome)]);
        let margins = Scoring::Margins.totals(&both, [(both, &outcome)]);
        for (seat, margin) in expected.into_iter().enumerate() {
            prop_assert_eq!(&won_minus_lost[seat].1, &[margin.signum()]);
            prop_assert_eq!(&margins[seat].1, &[margin, margin.signum()]);
            prop_assert_eq!(seat_result(&outcome, Seat(seat as u8)) == SeatResult::Tied, margin == 0);
        }
    }

    #[test]
    fn the_history_has_every_hand(acts in prop::collection::vec((0usize..3, 0usize..3), 0..50)) {
        let game = Rps::default();
        let mut state = game.start(&setup()).unwrap();
        let hands: Vec<[Hand; 2]> = acts.iter().map(|&(one, two)| [Hand::ALL[one], Hand::ALL[two]]).collect();
        for &[one, two] in &hands {
            game.apply(&mut state, &[(Seat(0), Action::Move(one)), (Seat(1), Action::Move(two))]);
        }
        prop_assert!(state.history().eq(hands));
    }
}
