//! Chooses games that another worker plays again, and compares their moves.

use crate::message::JobKey;
use cornerman::format::GameId;
use cornerman::game::{Outcome, Seat};
use cornerman::rng::Rng;
use cornerman_harness::record::GameRecord;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;

/// The games under comparison. Bots that use random numbers make different moves each time, so a difference does not
/// always mean that a machine is wrong: the third play decides.
pub(crate) struct Samples {
    /// The share of games that are compared, from 0 to 1.
    share: f64,
    rng: Rng,
    /// The plays so far of each game whose comparison goes on.
    open: BTreeMap<GameId, Vec<SampledPlay>>,
    /// How many games had the same moves on both machines.
    pub same: usize,
    /// How many games did not.
    pub different: usize,
}

/// One play of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
struct SampledPlay {
    machine: String,
    moves: Vec<(Seat, String)>,
    outcome: Outcome,
}

impl SampledPlay {
    /// The play of `game`; `None` if it has faults, which may depend on time or the machine and cannot be compared.
    fn from_game(game: &GameRecord) -> Option<SampledPlay> {
        let moves = game.moves.iter().map(|made| (made.seat, made.notation.clone())).collect();
        let machine = game.host.clone();
        let outcome = game.outcome.clone();
        game.faults.is_empty().then_some(SampledPlay { machine, moves, outcome })
    }

    fn is_same_as(&self, other: &SampledPlay) -> bool {
        (&self.moves, &self.outcome) == (&other.moves, &other.outcome)
    }
}

/// A game that is to be played again, as the job `key`, on a machine that is not one of `excluded`.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Replay {
    pub key: JobKey,
    pub excluded: Vec<String>,
}

/// A game whose plays differ.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct DifferingGame {
    /// The machine whose moves differ from those of two others; `None` if no two agree.
    pub outlier: Option<String>,
    /// The other machines, or all of them without an outlier.
    pub others: Vec<String>,
    /// The number of the first move in which the first two plays differ, from 1, and the seat that made it. If only
    /// their outcomes differ, the number is one more than there are moves, and there is no seat.
    pub at: (usize, Option<Seat>),
}

impl Samples {
    /// Compares this `share` of the games, from 0 to 1. They are drawn with a `secret`, because a worker that could
    /// predict them could cheat in all others.
    pub(crate) fn new(share: f64, secret: &str) -> Samples {
        let rng = Rng::new(Sha256::digest(secret).iter().fold(0, |seed: u64, byte| seed << 8 | u64::from(*byte)));
        Samples { share, rng, open: BTreeMap::new(), same: 0, different: 0 }
    }

    /// Handles a game that is being recorded. Decides whether to play it again.
    pub(crate) fn on_recorded(&mut self, game: &GameRecord) -> Option<Replay> {
        let id = game.pairing.id;
        // 53 bits, as many as a float has.
        let drawn = (self.rng.draw() >> 11) as f64 / (1u64 << 53) as f64;
        let play = SampledPlay::from_game(game).filter(|_| drawn < self.share)?;
        let excluded = vec![play.machine.clone()];
        self.open.insert(id, vec![play]);
        Some(Replay { key: JobKey { id, look: 1 }, excluded })
    }

    /// Handles a game that was played again. Returns a further play if that is needed, or else the difference, if any.
    /// A play with faults ends the comparison without a result.
    pub(crate) fn on_replayed(&mut self, game: &GameRecord) -> (Option<Replay>, Option<DifferingGame>) {
        let id = game.pairing.id;
        let Some(mut plays) = self.open.remove(&id) else { return (None, None) };
        let Some(play) = SampledPlay::from_game(game) else { return (None, None) };
        plays.push(play);
        match &plays[..] {
            [first, second] if first.is_same_as(second) => {
                self.same += 1;
                (None, None)
            }
            [first, second] => {
                let excluded = vec![first.machine.clone(), second.machine.clone()];
                self.open.insert(id, plays);
                (Some(Replay { key: JobKey { id, look: 2 }, excluded }), None)
            }
            _ => (None, self.deviation(&plays)),
        }
    }

    /// Stops comparing a game that no further machine can play. Returns what its plays so far show.
    pub(crate) fn give_up(&mut self, id: GameId) -> Option<DifferingGame> {
        let plays = self.open.remove(&id)?;
        self.deviation(&plays)
    }

    /// How the plays of a game differ, if there is more than one of them. The first two are known to differ.
    fn deviation(&mut self, plays: &[SampledPlay]) -> Option<DifferingGame> {
        let [first, second, rest @ ..] = plays else { return None };
        self.different += 1;
        let outlier = match rest.first() {
            Some(third) if third.is_same_as(first) => Some(second.machine.clone()),
            Some(third) if third.is_same_as(second) => Some(first.machine.clone()),
            _ => None,
        };
        let machines = plays.iter().map(|play| play.machine.clone());
        let others = machines.filter(|machine| outlier.as_ref() != Some(machine)).collect();
        let at = first.moves.iter().zip(&second.moves).position(|(a, b)| a != b);
        let at = at.unwrap_or(first.moves.len().min(second.moves.len()));
        let seat = first.moves.get(at).or(second.moves.get(at)).map(|(seat, _)| *seat);
        Some(DifferingGame { outlier, others, at: (at + 1, seat) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cornerman::format::Pairing;
    use cornerman::game::{End, Setup};
    use std::time::Duration;

    const ID: GameId = GameId { stage: 0, round: 0, table: 0, game: 0, attempt: 0 };

    fn game(host: &str, moves: &[&str]) -> GameRecord {
        let made = |(number, notation): (u32, &&str)| cornerman_harness::record::MoveRecord {
            number,
            seat: Seat((number % 2) as u8),
            notation: notation.to_string(),
            used: Default::default(),
            remarks: Vec::new(),
        };
        GameRecord {
            pairing: Pairing { id: ID, seats: Vec::new(), board: 0 },
            setup: Setup { seats: 2, board: Vec::new(), marks: Vec::new(), seed: 7 },
            outcome: Outcome { places: Vec::new(), points: Vec::new(), territory: Vec::new(), end: End::Played },
            started_ms: 0,
            wall: Duration::ZERO,
            host: host.to_string(),
            moves: (1..).zip(moves).map(made).collect(),
            faults: Vec::new(),
            seats: Vec::new(),
        }
    }

    #[test]
    fn the_machine_that_differs_from_two_others_is_named() {
        let usual = ["a", "b", "c"];
        let other = ["a", "x", "c"];
        let named = |outlier: Option<&str>, others: &[&str]| {
            let others = others.iter().map(|name| name.to_string()).collect();
            Some(DifferingGame { outlier: outlier.map(str::to_string), others, at: (2, Some(Seat(0))) })
        };
        for (second, third, same, deviation) in [
            (usual, None, 1, None),
            (other, Some(usual), 0, named(Some("two"), &["one", "three"])),
            (other, Some(other), 0, named(Some("one"), &["two", "three"])),
            (other, Some(["z", "z", "z"]), 0, named(None, &["one", "two", "three"])),
            (other, None, 0, named(None, &["one", "two"])),
        ] {
            let mut samples = Samples::new(1.0, "secret");
            let next = samples.on_recorded(&game("one", &usual));
            let key = JobKey { id: ID, look: 1 };
            assert_eq!(next, Some(Replay { key, excluded: vec!["one".to_string()] }));
            let (_, mut found) = samples.on_replayed(&game("two", &second));
            if let Some(third) = third {
                found = samples.on_replayed(&game("three", &third)).1;
            }
            found = found.or_else(|| samples.give_up(ID));
            assert_eq!((samples.same, found), (same, deviation), "{second:?} {third:?}");
        }
    }

    #[test]
    fn about_as_many_games_are_compared_as_asked_for() {
        for share in [0.0, 0.02, 0.5, 1.0] {
            let mut samples = Samples::new(share, "secret");
            let chosen = (0..10_000).filter(|_| samples.on_recorded(&game("one", &["a"])).is_some());
            let found = chosen.count() as f64 / 1e4;
            assert!((found - share).abs() < 0.02, "{found} {share}");
        }
    }
}
