//! What a record says of its games and entrants, collected in one pass over all of it: forfeits, conduct, resources.
//!
//! Conduct is what entrants did besides playing: processes left running, ignored lines, remarks on moves, and names.

use super::{FaultRecord, GameRecord, GameSummary, Record, RecordError, SeatRecord};
use crate::player::Remark;
use crate::sandbox::Level;
use cornerman::format::{EntrantId, GameId};
use cornerman::game::Seat;
use schemars::JsonSchema;
use serde::{Serialize, Serializer};
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::fmt::Display;
use std::time::Duration;

/// The most names that are kept for an entrant.
const MOST_NAMES: usize = 5;

/// The most different remarks on moves that are kept for an entrant.
const MOST_REMARKS: usize = 20;

/// What a record says of its games and entrants.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Digest {
    /// All games without their moves, in the order of the contest.
    pub games: Vec<GameSummary>,
    /// Every forfeit, in the order of the contest.
    pub forfeits: Vec<Forfeit>,
    /// How every entrant that has played behaved.
    pub behaviour: BTreeMap<EntrantId, Behaviour>,
    /// The wall time of the slowest move of each seat of every game, by seat.
    pub slowest: BTreeMap<GameId, Vec<Duration>>,
}

/// A forfeit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Forfeit {
    /// The game.
    pub id: GameId,
    /// The entrant that forfeited.
    pub entrant: EntrantId,
    /// Its seat.
    pub seat: Seat,
    /// Which move of the game it would have been, from 1.
    pub number: u32,
    /// The identifier of its fault, such as `timeout`.
    pub kind: String,
    /// The message that explains the fault.
    pub detail: String,
}

/// How an entrant behaved over all its games.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Behaviour {
    /// Its conduct.
    pub conduct: ConductTotals,
    /// The resources that it used, one item for each isolation it had.
    pub resources: Vec<ResourceUse>,
}

/// An entrant's conduct over all its games.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ConductTotals {
    /// The number of games it has played.
    pub games: u32,
    /// Processes that it left running.
    pub leftovers: Occurrences,
    /// Lines that were not answers (G5).
    pub ignored: Occurrences,
    /// The most threads and processes that it had at once (R8); 0 if each move is a process of its own.
    pub tasks: u32,
    /// The names that it gave itself most often.
    pub called: Vec<CalledName>,
    /// The number of different names, of which more than one breaks R3.
    pub names: u32,
    /// The remarks on its moves.
    pub remarks: Vec<RemarkTotals>,
}

/// A name that a bot gave itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "CalledJson")]
pub struct CalledName {
    /// The name.
    pub name: String,
    /// The number of games.
    pub games: u32,
}

/// A remark on moves. Processes left running are no remark here, but [`ConductTotals::leftovers`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "MoveRemarkJson", description = "A remark on moves.")]
pub struct RemarkTotals {
    /// The remark, such as `slower than the soft limit (B10)`.
    #[serde(serialize_with = "in_words")]
    #[schemars(with = "String")]
    pub remark: Remark,
    /// The number of moves with it.
    pub moves: u64,
    /// The number of games with it.
    pub games: u32,
}

/// Writes a value as JSON as people read it.
pub(super) fn in_words<S: Serializer>(value: &impl Display, to: S) -> Result<S::Ok, S::Error> {
    to.collect_str(value)
}

/// How often something happened.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "OccurrencesJson")]
pub struct Occurrences {
    /// The number of times.
    pub all: u64,
    /// The number of games with any.
    pub games: u32,
}

impl Occurrences {
    /// Adds a game in which it happened `more` times.
    fn add(&mut self, more: u64) {
        self.all += more;
        self.games += u32::from(more > 0);
    }
}

/// The resources that an entrant used over all its games with one isolation: at one level, with the same steps refused.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ResourceUse {
    /// Its isolation; `None` for a human.
    pub level: Option<Level>,
    /// The steps to a better level that the machine refused, one per line; usually empty.
    pub refused: String,
    /// The number of these games.
    pub games: u32,
    /// Its total processor time.
    pub cpu: Duration,
    /// The largest resident memory, in bytes.
    pub peak_memory: u64,
    /// How many processes it left running.
    pub leftovers: u32,
}

impl Record {
    /// Reads all games, and calls `each` with every one of them in the order of the contest.
    pub fn digest(&self, each: &mut dyn FnMut(&GameRecord)) -> Result<Digest, RecordError> {
        let mut digest = Digest::default();
        let mut names: BTreeMap<EntrantId, BTreeMap<String, u32>> = BTreeMap::new();
        self.each_full_game::<RecordError>(&mut |mut game| {
            each(&game);
            for (entrant, seat) in game.pairing.seats.iter().zip(&game.seats) {
                digest.behaviour.entry(*entrant).or_default().add_seat(seat);
                if let Some(name) = &seat.called {
                    *names.entry(*entrant).or_default().entry(name.clone()).or_default() += 1;
                }
            }
            let mut remarks: Vec<(EntrantId, &Remark, u64)> = Vec::new();
            for made in &game.moves {
                let entrant = game.pairing.seats[made.seat.index()];
                for remark in made.remarks.iter().filter(|remark| !matches!(remark, Remark::Leftovers(..))) {
                    match remarks.iter_mut().find(|(who, other, _)| (*who, *other) == (entrant, remark)) {
                        Some((.., times)) => *times += 1,
                        None => remarks.push((entrant, remark, 1)),
                    }
                }
            }
            for (entrant, remark, times) in remarks {
                digest.behaviour.entry(entrant).and_modify(|behaviour| behaviour.add_remark(remark, times));
            }
            let id = game.pairing.id;
            digest.slowest.insert(id, game.seats.iter().map(|seat| seat.slowest).collect());
            for FaultRecord { number, seat, kind, detail, .. } in std::mem::take(&mut game.faults) {
                let entrant = game.pairing.seats[seat.index()];
                digest.forfeits.push(Forfeit { id, entrant, seat, number, kind, detail });
            }
            digest.games.push(game.into());
            Ok(())
        })?;
        for (entrant, Behaviour { conduct, resources }) in &mut digest.behaviour {
            let names = names.remove(entrant).unwrap_or_default();
            conduct.names = names.len() as u32;
            conduct.called = names.into_iter().map(|(name, games)| CalledName { name, games }).collect();
            conduct.called.sort_by_key(|called| Reverse(called.games));
            conduct.called.truncate(MOST_NAMES);
            resources.sort_by_key(|used| used.level);
        }
        Ok(digest)
    }
}

impl Behaviour {
    fn add_seat(&mut self, seat: &SeatRecord) {
        let conduct = &mut self.conduct;
        conduct.games += 1;
        conduct.leftovers.add(seat.leftovers.into());
        conduct.ignored.add(seat.ignored.into());
        conduct.tasks = conduct.tasks.max(seat.tasks);
        let is_same = |used: &ResourceUse| (used.level, &used.refused) == (seat.level, &seat.refused);
        let at = self.resources.iter().position(is_same).unwrap_or_else(|| {
            let refused = seat.refused.clone();
            self.resources.push(ResourceUse { level: seat.level, refused, ..ResourceUse::default() });
            self.resources.len() - 1
        });
        let used = &mut self.resources[at];
        used.games += 1;
        used.cpu = used.cpu.saturating_add(seat.cpu);
        used.peak_memory = used.peak_memory.max(seat.peak_memory);
        used.leftovers = used.leftovers.saturating_add(seat.leftovers);
    }

    /// Adds a remark on this many moves of a game.
    fn add_remark(&mut self, remark: &Remark, times: u64) {
        let known = &mut self.conduct.remarks;
        let is_full = known.len() == MOST_REMARKS;
        match known.iter_mut().find(|counted| counted.remark == *remark) {
            Some(counted) => {
                counted.moves += times;
                counted.games += 1;
            }
            None if is_full => {}
            None => known.push(RemarkTotals { remark: remark.clone(), moves: times, games: 1 }),
        }
    }
}
