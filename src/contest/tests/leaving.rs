//! Bots that leave: in every format, earlier games keep their places, and later games are without the bot.

use super::*;
use crate::format::LeftGames;
use crate::formats::{gauntlet, pair_swiss, seeding, swiss};
use crate::rng::Rng;

/// Forfeits before the first move of the first seat and of the second.
fn forfeits() -> [Outcome; 2] {
    [outcome(&[0, 9], End::Forfeited), outcome(&[9, 0], End::Forfeited)]
}

pub(super) fn single(format: Format) -> Vec<Stage> {
    vec![Stage { format, who: Participants::All }]
}

/// A contest of each format, and of formats that follow each other.
pub(super) fn contests() -> Vec<(&'static str, Contest)> {
    let pairs = |kind| all_play_all(0, kind);
    let threes = all_play_all::AllPlayAllSettings { seats: Some(Bounded::new(3)), ..Default::default() };
    let seeding =
        seeding::SeedingSettings { programs: vec![OrganizerBot(3), OrganizerBot(4)], ..Default::default() };
    let gauntlet = gauntlet::GauntletSettings { challengers: Bounded::new(2), ..Default::default() };
    let knockout = knockout::KnockoutSettings { third_place: true, ..Default::default() };
    let many = |format| pair_swiss::PairSwissSettings { all_play_all_up_to: 0, ..format };
    let stage = |format, who| Stage { format, who };
    let best = |stage, best| Participants::Best(vec![Quota { stage, best }]);
    let all = [
        ("all-play-all", 6, single(pairs(ScoringKind::Wins))),
        ("all-play-all of three", 5, single(Format::AllPlayAll(threes))),
        ("seeding", 5, single(Format::Seeding(seeding.clone()))),
        ("gauntlet", 6, single(Format::Gauntlet(gauntlet))),
        ("permutations", 4, single(Format::Permutations(Default::default()))),
        ("pair-swiss", 9, single(Format::PairSwiss(many(Default::default())))),
        ("swiss", 10, single(Format::Swiss(swiss::SwissSettings::default()))),
        ("brackets", 11, single(Format::Brackets(brackets::BracketsSettings::default()))),
        ("knockout", 7, single(Format::Knockout(knockout.clone()))),
        (
            "all-play-all, then knockout",
            6,
            vec![
                stage(pairs(ScoringKind::Wins), Participants::All),
                stage(Format::Knockout(knockout), best(0, 4)),
            ],
        ),
        (
            "seeding, brackets, all-play-all",
            9,
            vec![
                stage(Format::Seeding(seeding), Participants::All),
                stage(Format::Brackets(Default::default()), Participants::Qualified { stage: 0 }),
                stage(pairs(ScoringKind::Wins), Participants::Qualified { stage: 1 }),
            ],
        ),
        (
            "swiss, permutations",
            8,
            vec![
                stage(Format::Swiss(swiss::SwissSettings::default()), Participants::All),
                stage(Format::Permutations(Default::default()), best(0, 4)),
            ],
        ),
    ];
    let contest = |(name, entrants, stages)| {
        let fillers = (entrants..entrants + 3).map(EntrantId).collect();
        let field = Field { fillers, ..Field::new(entrants, 5) };
        (name, Contest::new(field, stages, 5).unwrap())
    };
    all.into_iter().map(contest).collect()
}

/// An invented outcome: entrants with larger numbers are stronger, and ties occur.
pub(super) fn judge(game: &Pairing) -> Outcome {
    invented(game, |id| 7 * u64::from(id.0))
}

/// Plays on after `played` games, in the order of `seed`, until `most` games are played or all.
pub(super) fn play_on(contest: &Contest, played: &mut Played, seed: u64, most: usize) {
    let mut rng = Rng::new(seed);
    while let Plan::Play(mut games) = contest.plan(&played.results).unwrap() {
        rng.shuffle(&mut games);
        for game in games.into_iter().take(1 + rng.below(3) as usize) {
            if played.games.len() == most {
                return;
            }
            assert_eq!(played.results.get(game.id), None, "{} is planned although it has a result", game.id);
            played.results.insert(game.id, judge(&game));
            played.games.insert(game.id, game);
        }
    }
}

/// The sides of a match, and its board.
pub(super) type Sides = (Vec<EntrantId>, Option<u32>);

/// The matches of the rounds that have begun, by stage, round and number, in stages that show them.
pub(super) fn matches(contest: &Contest, done: &Results) -> BTreeMap<(u8, u16, u32), Sides> {
    let mut all = BTreeMap::new();
    for (number, stage) in (0..).zip(contest.progress(done)) {
        for round in stage.rounds(done).into_iter().flat_map(|rounds| rounds.list) {
            let matches = round.parts.iter().flat_map(|part| &part.matches).filter(|m| m.games > 0);
            for m in matches {
                let mut sides: Vec<EntrantId> = m.sides.iter().map(|side| side.entrant).collect();
                sides.sort();
                all.insert((number, round.number, m.table), (sides, round.board));
            }
        }
    }
    all
}

/// The lots, with their stage and what they are about.
pub(super) fn lots(contest: &Contest, done: &Results) -> BTreeMap<(u8, String), Vec<EntrantId>> {
    let lot = |(stage, remark)| match remark {
        StageRemark::Lot { about, order } => Some(((stage, about), order)),
        _ => None,
    };
    contest.remarks(done).into_iter().filter_map(lot).collect()
}

#[derive(Debug, Clone, Copy)]
struct Case {
    contest: usize,
    entrant: u16,
    disqualified: bool,
    choice: Option<LeftGames>,
    after: usize,
    seed: u64,
}

/// Checks one departure. Returns what became of the bot's games, by stage; `None` if the decision was refused.
fn check(case: Case) -> Option<Leave> {
    let (name, contest) = contests().swap_remove(case.contest % contests().len());
    let entrant = EntrantId(case.entrant % contest.field.entrants);
    let mut before = Played { games: BTreeMap::new(), results: Results::new() };
    play_on(&contest, &mut before, case.seed, case.after);
    let done = &before.results;
    let leave = contest.leave(done, entrant, case.disqualified, case.choice, &forfeits()).ok()?;
    let journal = Journal { decisions: vec![Decision::Leave(leave.clone())] };
    let then = contest.clone().with_journal(journal);

    // Played games keep their places.
    let shown = matches(&then, done);
    for (place, m) in matches(&contest, done) {
        assert_eq!(shown.get(&place), Some(&m), "{name}: {place:?}");
    }
    let kept = lots(&then, done);
    for (about, order) in lots(&contest, done) {
        let Some(now) = kept.get(&about) else { continue };
        // Lots of a stage that has not begun may be drawn again.
        if leave.stages[usize::from(about.0)].round > 0 {
            let both = |from: &[EntrantId], other: &[EntrantId]| -> Vec<EntrantId> {
                from.iter().filter(|id| other.contains(id)).copied().collect()
            };
            assert_eq!(both(&order, now), both(now, &order), "{name}: {about:?}");
        }
    }
    let by_stage = |contest: &Contest| -> Vec<Vec<EntrantId>> {
        let begun = contest.progress(done).into_iter().zip(&leave.stages).filter(|(_, leaving)| leaving.round > 0);
        begun.map(|(stage, _)| stage.entrants).collect()
    };
    assert_eq!(by_stage(&contest), by_stage(&then), "{name}");

    // Later games do not depend on the order in which games end, and none is the bot's.
    let finish = |seed| {
        let mut played = Played { games: before.games.clone(), results: done.clone() };
        play_on(&then, &mut played, seed, usize::MAX);
        played
    };
    let end = finish(1);
    assert_eq!(end, finish(2), "{name}");
    let later = end.games.iter().filter(|(id, _)| !before.games.contains_key(id));
    for (id, game) in later {
        assert!(!game.seats.contains(&entrant), "{name}: {id} has the bot that is gone");
    }
    let has_place = then.standings(&end.results).iter().any(|standing| standing.entrant == entrant);
    let void = leave.stages[0].games == LeftGames::Void && contest.stages.len() == 1;
    assert_eq!(
        has_place,
        !case.disqualified && !void && (leave.stages[0].round > 0 || contest.stages.len() > 1),
        "{name}"
    );
    Some(leave)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]
    #[test]
    fn a_bot_that_leaves_changes_nothing_that_was_played(
        contest in 0usize..64, entrant: u16, disqualified: bool, choice in 0usize..5, after in 0usize..120, seed: u64,
    ) {
        let choice = LeftGames::ALL.get(choice).copied();
        check(Case { contest, entrant, disqualified, choice, after, seed });
    }
}

#[test]
fn every_format_lets_a_bot_leave_while_it_is_played() {
    for (contest, (name, rules)) in contests().iter().enumerate() {
        let departure = rules.progress(&Results::new())[0].schedule.as_ref().unwrap().facts().departure;
        let format = rules.stages[0].format.name();
        assert!(departure.row()[0].split([',', ' ']).any(|word| word == format), "{name}: {departure:?}");
        for after in [0, 3, 7, 11] {
            let case = Case { contest, entrant: 1, disqualified: false, choice: None, after, seed: 4 };
            assert!(check(case).is_some(), "{name} after {after} games");
        }
    }
}

#[test]
fn an_annulled_game_is_planned_again_and_nothing_else_is_different() {
    for (name, contest) in contests() {
        for after in [0, 2, 5, 9, 20, 40] {
            let mut played = Played { games: BTreeMap::new(), results: Results::new() };
            play_on(&contest, &mut played, 4, after);
            let before = played.results.clone();
            let known: BTreeSet<GameId> = played.games.keys().copied().collect();
            play_on(&contest, &mut played, 4, after + 1);
            let Some(game) = played.games.values().find(|game| !known.contains(&game.id)).cloned() else {
                continue;
            };
            let annul = |game, attempt| Decision::Annul(Annul { game, attempt, later: Vec::new() });
            let first = annul(game.id, 1);
            let second = annul(GameId { attempt: 1, ..game.id }, 2);
            for (decisions, attempt) in [(vec![first.clone()], 1), (vec![first, second], 2)] {
                let then = contest.clone().with_journal(Journal { decisions });
                let again = GameId { attempt, ..game.id };
                assert_eq!(then.journal().results([(game.id, judge(&game))]), Results::new());
                let Plan::Play(mut due) = then.plan(&before).unwrap() else { panic!("{name}: {again} is due") };
                let planned = due.iter_mut().find(|due| due.id == again).expect("it is played again");
                planned.id = game.id;
                assert_eq!(Plan::Play(due), contest.plan(&before).unwrap(), "{name}");
                assert!(!then.counts(&before, &game), "{name}");
                let again = Pairing { id: again, ..game.clone() };
                let results = then.journal().results([(game.id, judge(&game)), (again.id, judge(&game))]);
                assert_eq!((results.len(), then.counts(&results, &again)), (1, true), "{name}");
                // Once it was played, all is as if it had counted the first time.
                let mut now = before.clone();
                now.insert(again.id, judge(&game));
                assert_eq!(now, played.results, "{name}");
                assert_eq!(then.standings(&now), contest.standings(&now), "{name}");
                assert_eq!(matches(&then, &now), matches(&contest, &now), "{name}");
            }
        }
    }
}

/// The contest after `entrants` have left one after the other.
fn without(contest: &Contest, done: &Results, entrants: &[u16], choice: Option<LeftGames>) -> Contest {
    let mut contest = contest.clone();
    for &entrant in entrants {
        let leave = contest.leave(done, EntrantId(entrant), false, choice, &forfeits()).unwrap();
        let mut journal = contest.journal.clone();
        journal.decisions.push(Decision::Leave(leave));
        contest = contest.with_journal(journal);
    }
    contest
}

#[test]
fn open_games_of_pairs_are_lost_or_fall_away_or_all_games_are_void() {
    let contest = Contest::new(field(3), single(all_play_all(0, ScoringKind::Wins)), 1).unwrap();
    let mut done = Results::new();
    let Plan::Play(games) = contest.plan(&done).unwrap() else { panic!("it is not over") };
    for game in &games[..2] {
        assert_eq!(BTreeSet::from_iter(game.seats.clone()), BTreeSet::from([EntrantId(1), EntrantId(2)]));
        done.insert(game.id, outcome(&[9, 0], End::Played));
    }
    let check = |choice, standings: &str| {
        let then = without(&contest, &done, &[2], choice);
        let found = standings_as_text(&then.columns(&done), &then.standings(&done));
        assert_eq!(found, format!("place entrant wins, score\n{standings}"), "{choice:?}");
    };
    // It has played half of its games.
    check(None, "1 0 [2, 18]\n2 1 [1, 9]\n2 2 [1, 9]");
    check(Some(LeftGames::Lost), "1 0 [2, 18]\n2 1 [1, 9]\n2 2 [1, 9]");
    check(Some(LeftGames::Keep), "1 1 [1, 9]\n1 2 [1, 9]\n3 0 [0, 0]");
    check(Some(LeftGames::Void), "1 0 [0, 0]\n1 1 [0, 0]");
    // The games of a bot that has played none are void by default.
    let then = without(&contest, &done, &[0], None);
    assert_eq!(then.standings(&done).len(), 2);
    let wrong = then.leave(&done, EntrantId(0), false, None, &forfeits()).unwrap_err();
    assert_eq!(wrong.0, "it has withdrawn already");
    let wrong = contest.leave(&done, EntrantId(3), false, None, &forfeits()).unwrap_err();
    assert_eq!(wrong.0, "it does not compete: it is the organizer's");
}

#[test]
fn where_both_sides_of_a_match_are_gone_the_next_opponent_has_a_walkover() {
    let contest = Contest::new(field(4), single(Format::Knockout(Default::default())), 1).unwrap();
    let mut played = Played { games: BTreeMap::new(), results: Results::new() };
    play_on(&contest, &mut played, 1, 1);
    let done = &played.results;
    let both = if played.games.keys().all(|id| id.table == 0) { [1, 2] } else { [0, 3] };
    let then = without(&contest, done, &both, None);
    let Plan::Play(games) = then.plan(done).unwrap() else { panic!("it is not over") };
    assert!(games.iter().all(|game| !game.seats.iter().any(|id| both.contains(&id.0))));
    play_on(&then, &mut played, 1, usize::MAX);
    let first = then.standings(&played.results)[0].entrant;
    assert!(!both.contains(&first.0) && played.games.keys().all(|id| id.round == 0), "{first:?}");
    let choice = Some(LeftGames::Void);
    let wrong = then.leave(&played.results, first, false, choice, &forfeits()).unwrap_err();
    assert_eq!(wrong.0, "its games cannot be `void` in the stages that it has played: keep");
}

#[test]
fn one_that_had_a_walkover_keeps_it_when_it_leaves_later() {
    let contest = Contest::new(field(4), single(Format::Knockout(Default::default())), 1).unwrap();
    let mut played = Played { games: BTreeMap::new(), results: Results::new() };
    play_on(&contest, &mut played, 1, 1);
    let [one, other] = if played.games.keys().all(|id| id.table == 0) { [1, 2] } else { [0, 3] };
    for (first, later) in [(one, other), (other, one)] {
        let then = without(&contest, &played.results, &[first, later], None);
        let standings = then.standings(&played.results);
        let place = |id: u16| standings.iter().find(|it| it.entrant == EntrantId(id)).unwrap().place;
        assert!(place(later) < place(first), "{first} left before {later}: {standings:?}");
    }
}

#[test]
fn the_open_match_of_a_swiss_counts_like_a_bye() {
    let settings = pair_swiss::PairSwissSettings { all_play_all_up_to: 0, ..Default::default() };
    let contest = Contest::new(field(8), single(Format::PairSwiss(settings)), 1).unwrap();
    let mut played = Played { games: BTreeMap::new(), results: Results::new() };
    play_on(&contest, &mut played, 1, 1);
    let Plan::Play(games) = contest.plan(&played.results).unwrap() else { panic!("it is not over") };
    let open = games.iter().find(|game| played.games.keys().all(|id| id.table != game.id.table)).unwrap();
    let then = without(&contest, &played.results, &[open.seats[0].0], None);
    while let Plan::Play(games) = then.plan(&played.results).unwrap()
        && games[0].id.round == 0
    {
        played.results.insert(games[0].id, outcome(&[0, 9], End::Played));
    }
    let standings = then.standings(&played.results);
    let points = |id| standings.iter().find(|standing| standing.entrant == id).unwrap().figures[0];
    // Two points for a win, in each of two games.
    assert_eq!((points(open.seats[0]), points(open.seats[1])), (0, 4));
}
