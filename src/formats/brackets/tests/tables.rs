//! Small tournaments worked out by hand.

use super::*;

/// Checks a whole tournament, in which `game` gives the outcome of each game.
#[track_caller]
fn check_with(brackets: &Brackets, game: impl Fn(&Pairing) -> Outcome, expected: &[&str]) {
    let done = play(brackets, game);
    assert_eq!(tree(brackets, &done).lines().collect::<Vec<_>>(), expected);
}

#[track_caller]
fn check(n: u16, game: impl Fn(&Pairing) -> Outcome, expected: &[&str]) {
    check_with(&brackets(n), game, expected);
}

/// A tie in which the better seed has more points.
fn tie(pairing: &Pairing) -> Outcome {
    let points = |id: EntrantId| if id == FILLER { 0 } else { 100 - i64::from(id.0) };
    outcome([1, 1], [points(pairing.seats[0]), points(pairing.seats[1])])
}

fn is(pairing: &Pairing, a: u16, b: u16) -> bool {
    pairing.seats.contains(&EntrantId(a)) && pairing.seats.contains(&EntrantId(b))
}

#[test]
fn up_to_four_entrants_are_all_finalists() {
    check(0, better_seed, &["final "]);
    check(1, better_seed, &["final 1"]);
    check(2, better_seed, &["final 1 2"]);
    check(3, better_seed, &["final 1 2 3"]);
    check(4, better_seed, &["final 1 2 3 4"]);
}

#[test]
fn few_entrants_need_one_to_three_rounds() {
    check(5, better_seed, &["1w 2>5 3>4 bye 1", "final 1 2 3 4 5"]);
    check(6, better_seed, &["1w 1>6 2>5 3>4", "2l 5>6 bye 4", "final 1 2 3 4 5"]);
    check(7, better_seed, &["1w 2>7 3>6 4>5 bye 1", "2l 6>7 bye 5", "final 1 2 3 4 5 6"]);
    check(8, better_seed, &["1w 1>8 2>7 3>6 4>5", "2l 5>8 6>7", "final 1 2 3 4 5 6"]);
    // The fold of the losers' bracket would repeat 4-7 and 5-6.
    let nine = ["1w 2>9 3>8 4>7 5>6 bye 1", "2w 1>5 3>4 bye 2", "2l 6>9 7>8", "3l 4>6 5>7", "final 1 2 3 4 5"];
    check(9, better_seed, &nine);
}

#[test]
fn k_leaves_something_to_play() {
    let six = ["1w 1>6 2>5 3>4", "2l 5>6 bye 4", "final 1 2 3 4 5"];
    check_with(&with(5, k(3)), better_seed, &["1w 2>5 3>4 bye 1", "final 1 2 3 4 5"]);
    check_with(&with(6, k(3)), better_seed, &six);
    // With seven, six of the winners' bracket can be left.
    check_with(&with(7, k(3)), better_seed, &["1w 2>7 3>6 4>5 bye 1", "final 1 2 3 4 5 6 7"]);
}

#[test]
fn losers_drop_into_the_losers_bracket_and_out_of_it() {
    let sixteen = [
        "1w 1>16 2>15 3>14 4>13 5>12 6>11 7>10 8>9",
        "2w 1>8 2>7 3>6 4>5",
        "2l 9>16 10>15 11>14 12>13",
        "3l 5>11 6>12 7>9 8>10",
        "4l 5>8 6>7",
        "final 1 2 3 4 5 6",
    ];
    check(16, better_seed, &sixteen);
    check(8, stronger(&[8, 5, 2]), &["1w 8>1 2>7 3>6 5>4", "2l 1>7 4>6", "final 2 3 5 8 1 4"]);
}

#[test]
fn a_tie_keeps_both_in_their_bracket() {
    let ties = |pairing: &Pairing| is(pairing, 1, 6) || is(pairing, 3, 4);
    let game = |pairing: &Pairing| if ties(pairing) { tie(pairing) } else { better_seed(pairing) };
    check(6, game, &["1w 1=6 2>5 3=4", "2w 2>4 3>6 bye 1", "2l bye 5", "3l 5>6 bye 4", "final 1 2 3 4 5"]);
}

#[test]
fn after_one_bye_each_the_filler_plays_and_points_decide_the_tenth_round_of_ties() {
    let rounds = [
        "1w 2=5 3=4 bye 1",
        "2w 1=4 3=5 bye 2",
        "3w 1=5 2=4 bye 3",
        "4w 1=5* 2=3 bye 4",
        "5w 1=3 2=4* bye 5",
        "6w 1=2 3=F 4=5",
        "7w 1=F 2=5* 3=4*",
        "8w 1=5* 2=F 3=4*",
        "9w 1=5* 2=3* 4=F",
        "10w 1>4* 2>3* 5>F stalled",
        "final 1 2 5 3 4",
    ];
    check(5, tie, &rounds);
    let more_points_below = |pairing: &Pairing| {
        let points = |id: EntrantId| i64::from(id.0);
        outcome([1, 1], [points(pairing.seats[0]), points(pairing.seats[1])])
    };
    let ties: Vec<String> = (11..20).map(|round| format!("{round}l 1=F* 2=5*")).collect();
    let mut upside_down = [&rounds[..9], &["10w 4>1* 3>2* F>5 stalled"]].concat();
    upside_down.extend(ties.iter().map(String::as_str).chain(["20l F>1* 5>2* stalled", "final 3 4 5 1"]));
    check(5, more_points_below, &upside_down);

    // Without lots a tie with the filler stands.
    let without_lots = with(5, BracketsSettings { lots: false, ..defaults() });
    let upside_down = [&rounds[..9], &["10w 4>1* 3>2* 5=F stalled", "final 3 4 5 1 2"]].concat();
    check_with(&without_lots, more_points_below, &upside_down);
}

#[test]
fn a_lot_decides_a_stalled_match_with_equal_points_and_is_in_the_remarks() {
    let drawn = |seed, lots| {
        let brackets = seeded(8, seed, lots);
        let done = play(&brackets, |_| won_by(None));
        let mut of_lots = Vec::new();
        for remark in brackets.remarks(&done) {
            if let StageRemark::Lot { about, order } = remark
                && about.starts_with("round 10")
            {
                let table = of_lots.len() + 1;
                assert_eq!(about, format!("round 10, match {table}, which had stalled with equal points (F8)"));
                of_lots.push(order);
            }
        }
        let tree = tree(&brackets, &done);
        let stalled = tree.lines().find(|line| line.ends_with("stalled")).unwrap().to_string();
        for order in &of_lots {
            assert!(stalled.contains(&format!(" {}>{}", order[0].0, order[1].0)), "{order:?} is not in {stalled}");
        }
        (of_lots.len(), stalled)
    };
    assert_eq!(drawn(1, true), drawn(1, true));
    assert!((0..20).all(|seed| drawn(seed, true).0 == 4));
    assert!((2..20).any(|seed| drawn(seed, true) != drawn(1, true)));
    // Without lots the better seed wins.
    let (of_lots, stalled) = drawn(1, false);
    assert_eq!(of_lots, 0);
    let better = |result: &str| {
        let (winner, loser) = result.trim_end_matches('*').split_once('>').unwrap();
        winner.parse::<u16>().unwrap() < loser.parse::<u16>().unwrap()
    };
    assert!(stalled.split(' ').filter(|word| word.contains('>')).all(better), "{stalled}");
}

#[test]
fn a_loss_to_the_filler_is_a_loss() {
    let filler_wins = |pairing: &Pairing| match pairing.seats.iter().position(|&id| id == FILLER) {
        Some(seat) => won_by(Some(seat)),
        None => tie(pairing),
    };
    let rounds = [
        "1w 2=5 3=4 bye 1",
        "2w 1=4 3=5 bye 2",
        "3w 1=5 2=4 bye 3",
        "4w 1=5* 2=3 bye 4",
        "5w 1=3 2=4* bye 5",
        "6w 1=2 F>3 4=5",
        "final 1 2 4 5 3",
    ];
    check(5, filler_wins, &rounds);
}

#[test]
fn games_won_decide_a_match_unless_the_settings_say_points() {
    // 5 wins one game of two with 3 points and ties the other; 2 has 9 points in the tie.
    let game = |pairing: &Pairing| match (is(pairing, 2, 5), pairing.id.game) {
        (true, 0) => outcome([2, 1], [0, 3]),
        (true, _) => outcome([1, 1], [1, 9]),
        _ => better_seed(pairing),
    };
    check(5, game, &["1w 5>2 3>4 bye 1", "final 1 3 5 2 4"]);
    let settings = BracketsSettings { decided_by: DecidedBy::Points, ..defaults() };
    check_with(&with(5, settings.clone()), game, &["1w 2>5 3>4 bye 1", "final 1 2 3 4 5"]);
    // One game each is a tie by wins but not by points.
    let first_wins = |pairing: &Pairing| outcome([1, 2], [i64::from(pairing.seats[0].0), 0]);
    let two = |settings| brackets_after(&with(5, settings), first_wins, 1);
    assert_eq!(two(defaults()), "1w 2=5 3=4 bye 1\n");
    assert_eq!(two(settings), "1w 5>2 4>3 bye 1\n");
}

/// The first lines of the tree, one per round here.
fn brackets_after(brackets: &Brackets, game: impl Fn(&Pairing) -> Outcome, rounds: usize) -> String {
    let text = tree(brackets, &play(brackets, game));
    text.lines().take(rounds).map(|line| line.to_string() + "\n").collect()
}

#[test]
fn k_sets_the_number_of_finalists() {
    let one = ["1w 1>8 2>7 3>6 4>5", "2w 1>4 2>3", "2l 5>8 6>7", "3l 3>5 4>6", "final 1 2 3 4"];
    check_with(&with(8, k(1)), better_seed, &one);
    // 6 of the winners' bracket leave room for 2.
    let three = ["1w 1>12 2>11 3>10 4>9 5>8 6>7", "2l 7>12 8>11 9>10", "3l 8>9 bye 7", "final 1 2 3 4 5 6 7 8"];
    check_with(&with(12, k(3)), better_seed, &three);
    let five = ["1w 2>9 3>8 4>7 5>6 bye 1", "2l 6>9 7>8", "final 1 2 3 4 5 6 7"];
    check_with(&with(9, k(3)), better_seed, &five);
}

#[test]
fn the_last_eliminated_complete_four_finalists() {
    let game = |pairing: &Pairing| match pairing.seats.iter().position(|&id| id == FILLER) {
        _ if pairing.id.round < 5 => tie(pairing),
        Some(seat) => won_by(Some(seat)),
        None => better_seed(pairing),
    };
    let brackets = with(5, k(1));
    let done = play(&brackets, game);
    let text = tree(&brackets, &done);
    let end: Vec<&str> = text.lines().skip(5).collect();
    assert_eq!(end, ["6w 1>2 F>3 4>5", "7l F>2 3>5*", "final 1 4 3 2"]);
    let note = "only 3 were left, so the last eliminated make up the 4 finalists (F8)".to_string();
    assert_eq!(brackets.remarks(&done).last(), Some(&StageRemark::Note(note)));
}

#[test]
fn both_brackets_play_each_round_on_the_next_board() {
    let brackets = brackets(16);
    let mut done = Results::new();
    let mut seen = Vec::new();
    loop {
        let due = brackets.plan(&done).into_games();
        let Some(first) = due.first() else { break };
        let round = first.id.round;
        let board = first.board;
        assert!(due.iter().all(|pairing| (pairing.id.round, pairing.board) == (round, board)));
        seen.push((round, board, due.len()));
        for pair in due.chunks(2) {
            assert_eq!((pair[0].id.table, pair[0].id.stage), (pair[1].id.table, 1));
            assert_eq!((pair[0].id.game, pair[1].id.game), (0, 1));
            assert!(pair[0].seats.iter().rev().eq(&pair[1].seats), "each side is first once");
        }
        let tables: Vec<u32> = due.iter().step_by(2).map(|pairing| pairing.id.table).collect();
        assert_eq!(tables, (0..due.len() as u32 / 2).collect::<Vec<_>>());
        for pairing in &due {
            done.insert(pairing.id, better_seed(pairing));
        }
    }
    assert_eq!(seen, [(0, 40, 16), (1, 41, 16), (2, 42, 8), (3, 43, 4)]);
}

#[test]
fn every_round_has_a_board_of_its_own_however_many_there_are() {
    let brackets = brackets(16);
    let boards = [0, 1, 999, 1000, 1001, u16::MAX].map(|round| brackets.board(round));
    // Each stage has its own board numbers above a million, which files cannot name; this is stage 2.
    let far = 1_000_000 + 65_536;
    assert_eq!(boards, [40, 41, 1039, far + 1000, far + 1001, far + 65_535]);
    assert_eq!(defaults().boards(1), [40..1040, far + 1000..far + 65_536]);
}

#[test]
fn a_round_waits_for_its_last_game() {
    let brackets = brackets(6);
    let mut done = Results::new();
    for left in (1..=6).rev() {
        let due = brackets.plan(&done).into_games();
        assert_eq!((due.len(), due[0].id.round), (left, 0));
        done.insert(due[left - 1].id, better_seed(&due[left - 1]));
    }
    assert_eq!(tree(&brackets, &done), "1w 1>6 2>5 3>4\n2l 5-6 bye 4\n");
    assert_eq!(brackets.advancing(&done), None);
    let [first, _] = &brackets.plan(&done).into_games()[..] else { panic!("one match is due") };
    done.insert(first.id, better_seed(first));
    let state = BracketsState::from_results(&brackets, &done);
    assert_eq!(state.rounds[1].losers.matches[0].sides.map(|side| side.wins), [1, 0]);
    assert_eq!(tree(&brackets, &done), "1w 1>6 2>5 3>4\n2l 5-6 bye 4\n");
}

#[test]
fn finalists_come_first_then_entrants_that_lasted_longer() {
    let brackets = brackets(16);
    let figures = |done: &Results| -> Vec<Vec<i64>> {
        let standings = brackets.standings(done);
        assert!(standings.iter().zip(1..).all(|(standing, place)| standing.place == place));
        assert!(standings.iter().all(|standing| i64::from(standing.entrant.0) == standing.figures[3]));
        standings.into_iter().map(|standing| standing.figures).collect()
    };
    let done = play(&brackets, stronger(&[16]));
    assert_eq!(
        figures(&done),
        [
            [1, 2, 4, 3],
            [1, 2, 4, 4],
            [1, 2, 4, 5],
            [1, 2, 4, 16],
            [1, 1, 4, 1],
            [1, 1, 4, 2],
            [0, 0, 4, 6],
            [0, 0, 4, 7],
            [0, 0, 3, 8],
            [0, 0, 3, 9],
            [0, 0, 3, 10],
            [0, 0, 3, 11],
            [0, 0, 2, 12],
            [0, 0, 2, 13],
            [0, 0, 2, 14],
            [0, 0, 2, 15],
        ]
    );
    assert_eq!(figures(&Results::new())[0], [0, 2, 0, 1]);
}

#[test]
fn byes_repeats_fillers_and_stalls_are_in_the_remarks() {
    let brackets = brackets(5);
    let remarks = brackets.remarks(&play(&brackets, tie));
    let id = EntrantId;
    let repeat = |round, a, b| StageRemark::Repeat { round, pair: (id(a), id(b)) };
    let expected = [
        StageRemark::Bye { round: 0, entrant: id(1) },
        StageRemark::Bye { round: 1, entrant: id(2) },
        StageRemark::Bye { round: 2, entrant: id(3) },
        StageRemark::Bye { round: 3, entrant: id(4) },
        repeat(3, 1, 5),
        StageRemark::Bye { round: 4, entrant: id(5) },
        repeat(4, 2, 4),
        StageRemark::Filler { round: 5, entrant: FILLER },
    ];
    assert_eq!(remarks[..expected.len()], expected);
    let note =
        "no entrant lost in the winners' bracket for 10 rounds, so points decided the ties of round 10 (F8)";
    assert_eq!(remarks.last(), Some(&StageRemark::Note(note.to_string())));
}

#[test]
fn repeated_entrants_a_competing_filler_and_too_many_entrants_are_refused() {
    let refused = |entrants: &[u16]| {
        let entrants: Vec<EntrantId> = entrants.iter().copied().map(EntrantId).collect();
        started(&entrants, 0, defaults()).unwrap_err().to_string()
    };
    assert_eq!(refused(&[1, 2, 1]), "entrant 2 is named twice: name it once");
    assert_eq!(refused(&[1, 9999]), "entrant 10000 cannot be both the filler and a competitor (F4)");
    let many: Vec<u16> = (0..3001).collect();
    assert_eq!(refused(&many), "brackets take at most 3000 entrants, not 3001");
}
