//! Properties of all tournaments, whatever the results, checked with separate counts of losses, byes and meetings.

use super::whole::invented;
use super::*;
use crate::rng::Rng;
use alloc::collections::{BTreeMap, BTreeSet};
use proptest::prelude::*;

/// Invented results in which `ties` of 100 games are ties.
fn with_ties(pairing: &Pairing, seed: u64, ties: u64) -> Outcome {
    let untied = invented(pairing, seed);
    let name = [pairing.id.round.into(), pairing.id.table.into(), pairing.id.game.into()];
    let mixed = name.iter().fold(!seed, |mixed, &part: &u64| Rng::new(mixed ^ part).draw());
    if Rng::new(mixed).below(100) < ties { outcome([1, 1], [5, 5]) } else { untied }
}

/// The losses, byes and meetings of the entrants after some rounds.
#[derive(Default)]
struct Ledger {
    losses: BTreeMap<EntrantId, usize>,
    byes: BTreeSet<EntrantId>,
    met: BTreeSet<[EntrantId; 2]>,
}

impl Ledger {
    /// The entrants with this number of losses, the best seed first.
    fn with_losses(&self, losses: usize) -> Vec<EntrantId> {
        self.losses.iter().filter(|&(_, &of)| of == losses).map(|(&id, _)| id).collect()
    }

    /// Checks that a bracket has the right members in a round and is paired by the rules.
    fn check(&self, mut members: Vec<EntrantId>, side: &BracketRound) {
        let rightful_bye = members.iter().find(|id| members.len() % 2 == 1 && !self.byes.contains(id)).copied();
        assert_eq!(side.bye, rightful_bye, "the bye did not go to the best seed that had none");
        members.retain(|&id| Some(id) != side.bye);
        if members.len() % 2 == 1 {
            members.push(FILLER);
        }
        let mut playing: Vec<EntrantId> = side.matches.iter().flat_map(|m| m.pair()).collect();
        playing.sort_unstable();
        assert_eq!(playing, members, "the bracket has the wrong members");
        for m in &side.matches {
            assert!(m.pair()[0] < m.pair()[1], "the better seed is not first");
            assert_eq!(
                m.repeat,
                self.met.contains(&m.pair()),
                "wrongly marked as a repeat or not: {:?}",
                m.pair()
            );
            assert_eq!(m.filler, m.pair()[1] == FILLER);
        }
        if members.len() <= 8 {
            let at = |id: EntrantId| members.binary_search(&id).unwrap();
            let pairs: Vec<_> = side.matches.iter().map(|m| (at(m.pair()[0]), at(m.pair()[1]))).collect();
            let all: Vec<usize> = (0..members.len()).collect();
            let known = |a: usize| {
                let met =
                    all.iter().copied().filter(|&b| self.met.contains(&[members[a.min(b)], members[a.max(b)]]));
                met.collect()
            };
            assert_eq!(pairs, by_trying_all(&all, &all.iter().copied().map(known).collect::<Vec<_>>()).1);
        }
    }

    /// Records a round of one bracket.
    fn record(&mut self, side: &BracketRound) {
        self.byes.extend(side.bye);
        for m in &side.matches {
            self.met.insert(m.pair());
            if let Some(MatchResult::WonBy(winner)) = m.result {
                let loser = m.pair()[usize::from(m.pair()[0] == winner)];
                self.losses.entry(loser).and_modify(|losses| *losses += 1);
            }
        }
    }
}

/// Checks that points decide exactly the tenth round in a row without a loss. `quiet` is the number of such rounds
/// before this one; returns the number after it.
fn check_stall(quiet: u32, side: &BracketRound) -> u32 {
    let lost = |m: &BracketMatch| {
        m.result != Some(MatchResult::Tied) && (!m.filler || m.result == Some(MatchResult::WonBy(FILLER)))
    };
    if side.stalled {
        assert_eq!(quiet, 9, "points decided ties too early");
        return 0;
    }
    if side.matches.iter().any(lost) || side.matches.iter().all(|m| m.filler) {
        return 0;
    }
    assert!(quiet < 9, "points did not decide the ties");
    quiet + 1
}

/// Checks a finished tournament, from the first round to the finalists.
fn check_whole(brackets: &Brackets, done: &Results) {
    let k = brackets.k;
    let mut ledger = Ledger::default();
    ledger.losses.extend(brackets.entrants.iter().map(|&id| (id, 0)));
    let mut quiet = [0; 2];
    let rounds = BracketsState::from_results(brackets, done).rounds;
    for (number, round) in rounds.iter().enumerate() {
        assert_eq!((usize::from(round.number), round.board as usize), (number, 40 + number));
        let winners = ledger.with_losses(0);
        let losers = ledger.with_losses(1);
        assert!(winners.len() + losers.len() > 4, "a round after the end");
        assert!(winners.len() > 2 * k || losers.len() > k.min(8 - winners.len()), "a round after the end");
        if winners.len() > 2 * k {
            ledger.check(winners, &round.winners);
        } else {
            assert_eq!(round.winners, BracketRound::default(), "the winners' bracket was done");
        }
        ledger.check(losers, &round.losers);
        for (quiet, side) in quiet.iter_mut().zip([&round.winners, &round.losers]) {
            ledger.record(side);
            *quiet = check_stall(*quiet, side);
        }
    }
    let finalists = brackets.advancing(done).expect("the tournament is over");
    let n = brackets.entrants.len();
    assert!((n.min(4)..=8.min(n)).contains(&finalists.len()), "{} finalists of {n}", finalists.len());
    let left: Vec<EntrantId> = [ledger.with_losses(0), ledger.with_losses(1)].concat();
    assert_eq!(finalists[..left.len()], left);
    assert_eq!(finalists.iter().collect::<BTreeSet<_>>().len(), finalists.len());
    let standings: Vec<EntrantId> = brackets.standings(done).iter().map(|standing| standing.entrant).collect();
    assert_eq!(standings[..finalists.len()], finalists);
    assert_eq!(standings.iter().collect::<BTreeSet<_>>().len(), n);
}

/// Plays with results that arrive in random order, a few at a time.
fn play_out_of_order(brackets: &Brackets, game: impl Fn(&Pairing) -> Outcome, rng: &mut Rng) -> Results {
    let mut done = Results::new();
    let mut asked: Vec<Pairing> = Vec::new();
    loop {
        let mut due = brackets.plan(&done).into_games();
        if due.is_empty() {
            return done;
        }
        // Planned games without a result are planned again, unchanged.
        assert!(asked.iter().all(|pairing| due.contains(pairing)));
        rng.shuffle(&mut due);
        let left = due.split_off(rng.below(due.len() as u64) as usize + 1);
        for pairing in &due {
            done.insert(pairing.id, game(pairing));
        }
        asked = left;
    }
}

fn any_settings() -> impl Strategy<Value = BracketsSettings> {
    let decided_by = prop_oneof![3 => Just(DecidedBy::Wins), 1 => Just(DecidedBy::Points)];
    let lots = prop_oneof![3 => Just(true), 1 => Just(false)];
    (1u32..=3, decided_by, lots).prop_map(|(k, decided_by, lots)| BracketsSettings {
        decided_by,
        lots,
        ..super::k(k)
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(50))]

    #[test]
    fn every_tournament_follows_the_rules(
        n in 0u16..=40,
        settings in any_settings(),
        seed in any::<u64>(),
        ties in prop_oneof![Just(0), Just(30), Just(90), Just(100)],
    ) {
        let brackets = with(n, settings);
        check_whole(&brackets, &play(&brackets, |pairing| with_ties(pairing, seed, ties)));
    }

    #[test]
    fn results_in_any_order_make_the_same_tournament(n in 5u16..=24, seed in any::<u64>(), ties in 0u64..60) {
        let brackets = brackets(n);
        let game = |pairing: &Pairing| with_ties(pairing, seed, ties);
        let in_order = play(&brackets, game);
        prop_assert_eq!(play_out_of_order(&brackets, game, &mut Rng::new(seed)), in_order);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2))]

    #[test]
    fn large_tournaments_follow_the_rules(
        n in 41u16..=300,
        settings in any_settings(),
        seed in any::<u64>(),
        ties in prop_oneof![Just(0), Just(30), Just(90)],
    ) {
        let brackets = with(n, settings);
        check_whole(&brackets, &play(&brackets, |pairing| with_ties(pairing, seed, ties)));
    }
}

#[test]
fn sixty_four_entrants_play_to_the_end_even_if_all_games_are_ties() {
    let brackets = brackets(64);
    check_whole(&brackets, &play(&brackets, |_| won_by(None)));
}
