//! Bots that are admitted late: what every format keeps of the games before, and what the bot plays.

use super::leaving::{contests, lots, matches, play_on, single};
use super::*;
use crate::format::Arrival;
use crate::journal::Admit;

/// The contest of this number, its name, and the number for a bot that is admitted, which no participant has.
fn contest(number: usize) -> (&'static str, Contest, EntrantId) {
    let (name, contest) = contests().swap_remove(number % contests().len());
    let next = EntrantId(contest.field.entrants + contest.field.organizer_bots + 2);
    (name, contest, next)
}

fn played(contest: &Contest, seed: u64, most: usize) -> Played {
    let mut played = Played { games: BTreeMap::new(), results: Results::new() };
    play_on(contest, &mut played, seed, most);
    played
}

fn admitted(contest: &Contest, admit: Admit) -> Contest {
    let mut journal = contest.journal.clone();
    journal.decisions.push(Decision::Admit(admit));
    contest.clone().with_journal(journal)
}

/// Admits two bots one after the other, and checks what that changes. Returns whether the first was admitted.
fn check(number: usize, only: Option<u8>, after: usize, seed: u64) -> bool {
    let (name, contest, first) = contest(number);
    let mut before = played(&contest, seed, after);
    let Ok(admit) = contest.admit(&before.results, first, only) else { return false };
    let mut then = admitted(&contest, admit.clone());
    check_past(name, &contest, &then, &before.results);
    play_on(&then, &mut before, seed ^ 1, after + after / 2);
    let second = EntrantId(first.0 + 1);
    if let Ok(admit) = then.admit(&before.results, second, only) {
        let both = admitted(&then, admit);
        check_past(name, &then, &both, &before.results);
        then = both;
    }
    let end = |seed| {
        let mut played = Played { games: before.games.clone(), results: before.results.clone() };
        play_on(&then, &mut played, seed, usize::MAX);
        played
    };
    let all = end(1);
    assert_eq!(all, end(2), "{name}");
    assert!(all.games.values().any(|game| game.seats.contains(&first)), "{name}: {first:?} plays");
    let mut ranked: Vec<EntrantId> =
        then.standings(&all.results).iter().map(|standing| standing.entrant).collect();
    ranked.sort();
    ranked.dedup();
    let competing: BTreeSet<EntrantId> = then.competing().collect();
    assert!(competing.iter().all(|id| ranked.contains(id)), "{name}: {ranked:?}");
    for (stage, first_round) in (0..).zip(&admit.stages) {
        let own = all.games.keys().filter(|id| id.stage == stage && all.games[*id].seats.contains(&first));
        if let Some(first_round) = first_round {
            let is_of_rounds =
                !matches!(then.stages[usize::from(stage)].format, Format::Gauntlet(_) | Format::Seeding(_));
            assert!(!is_of_rounds || own.into_iter().all(|id| u32::from(id.round) >= *first_round), "{name}");
        }
    }
    true
}

/// Checks that played games keep their places, and that standings derived from games keep their order.
fn check_past(name: &str, before: &Contest, then: &Contest, done: &Results) {
    let shown = matches(then, done);
    for (place, m) in matches(before, done) {
        assert_eq!(shown.get(&place), Some(&m), "{name}: {place:?}");
    }
    let kept = lots(then, done);
    for (about, order) in lots(before, done).into_iter().filter(|((stage, _), _)| done.has_stage(*stage)) {
        assert_eq!(kept.get(&about), Some(&order), "{name}: {about:?}");
    }
    // The open games of rounds that have begun are the same.
    let open = |contest: &Contest| -> BTreeMap<GameId, Pairing> {
        let Plan::Play(due) = contest.plan(done).unwrap() else { return BTreeMap::new() };
        let begun = due.into_iter().filter(|game| u32::from(game.id.round) < done.next_round(game.id.stage));
        begun.map(|game| (game.id, game)).collect()
    };
    let now = open(then);
    for (id, game) in open(before) {
        assert_eq!(now.get(&id), Some(&game), "{name}");
    }
    // Standings that are derived from games keep their order.
    let order = |contest: &Contest| -> Vec<EntrantId> {
        let stage = &contest.progress(done)[0];
        stage.standings(done).iter().map(|standing| standing.entrant).filter(|id| before.competes(*id)).collect()
    };
    if done.has_stage(0) && before.stages.len() == 1 {
        assert_eq!(order(before), order(then), "{name}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]
    #[test]
    fn a_bot_that_is_late_changes_nothing_that_was_played(
        number in 0usize..64, only in 0u8..5, after in 0usize..120, seed: u64,
    ) {
        check(number, (only < 3).then_some(only), after, seed);
    }
}

#[test]
fn formats_that_have_begun_admit_a_bot_or_not() {
    for (number, (name, rules)) in contests().iter().enumerate() {
        let arrival = rules.progress(&Results::new())[0].schedule.as_ref().unwrap().facts().arrival;
        let format = rules.stages[0].format.name();
        assert!(arrival.row()[0].split(", ").any(|word| word == format), "{name}: {arrival:?}");
        assert!(check(number, None, 0, 4), "{name}: before the first game");
        for after in [1, 2] {
            assert_eq!(check(number, None, after, 4), arrival != Arrival::Never, "{name} after {after} games");
        }
    }
}

#[test]
fn one_that_is_late_meets_all_others_in_new_rounds() {
    let contest = Contest::new(field(3), single(all_play_all(0, ScoringKind::Wins)), 1).unwrap();
    let before = played(&contest, 1, 1);
    let late = EntrantId(9);
    let admit = contest.admit(&before.results, late, None).unwrap();
    let then = admitted(&contest, admit);
    let Plan::Play(due) = then.plan(&before.results).unwrap() else { panic!("it is not over") };
    let own: Vec<_> = due.iter().filter(|game| game.seats.contains(&late) && game.id.game == 0).collect();
    let rounds: Vec<u16> = own.iter().map(|game| game.id.round).collect();
    let others: Vec<EntrantId> = own.iter().map(|game| game.seats[0]).collect();
    assert_eq!((rounds, others), (vec![3, 4, 5], [0, 1, 2].map(EntrantId).to_vec()));
}

#[test]
fn a_stage_that_is_over_or_has_chosen_the_next_one_admits_no_one() {
    let check = |name: &str, after, only, wrong: &str| {
        let number = contests().iter().position(|(other, _)| *other == name).unwrap();
        let (_, contest, next) = contest(number);
        let refused = contest.admit(&played(&contest, 1, after).results, next, only);
        assert_eq!(refused.unwrap_err().to_string(), wrong, "{name}");
    };
    check("gauntlet", usize::MAX, None, "stage 1: it is over");
    check(
        "all-play-all, then knockout",
        usize::MAX,
        None,
        "stage 1: its standings chose the entrants of stage 2, which has begun",
    );
    check(
        "knockout",
        1,
        None,
        "stage 1: a knockout stage that has begun admits no one: `--stage` names a later one",
    );
    check("knockout", 1, Some(7), "there is no stage 8: the last one is stage 1");
}
