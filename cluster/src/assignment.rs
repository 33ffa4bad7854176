//! Which worker plays which game, without any network or clock of its own.
//!
//! All games of a match go to one worker, so that a pair meets on the same machine in both orders. A worker is given as
//! many games as it plays in a second or two. Games of a worker that falls silent are begun anew elsewhere.

use crate::message::JobKey;
use crate::names::WorkerKey;
use cornerman::format::{EntrantId, GameId};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::time::{Duration, Instant};

/// A worker that has not been heard of for this long is lost.
pub const SILENCE: Duration = Duration::from_secs(15);

/// How long a worker may not mention a game that it was given, before the game goes to the next one.
const UNMENTIONED: Duration = Duration::from_secs(40);

/// How many workers may be lost with a game before it is reported lost: the game itself may be the reason.
const MAX_ATTEMPTS: u32 = 8;

/// How much play a worker is given in advance.
const AHEAD: Duration = Duration::from_secs(1);

/// The fewest and the most games that a worker is given for each of its threads.
const DEPTH: (u32, u32) = (2, 64);

/// How many of the waiting games are looked at for one that a worker may play.
const MOST_LOOKED_AT: usize = 2_000;

/// The games of one match.
type Match = (u8, u16, u32);

fn match_of(id: GameId) -> Match {
    (id.stage, id.round, id.table)
}

/// The state of all games that are not over.
#[derive(Default)]
pub struct Assignment {
    games: BTreeMap<JobKey, Open>,
    /// Games that no worker has been given and whose match none has begun.
    free: VecDeque<JobKey>,
    /// Games that are to be played again, and were not given yet.
    again: VecDeque<JobKey>,
    /// Games that none of the present workers may play.
    stuck: Vec<JobKey>,
    /// The worker of each match that has begun.
    matches: BTreeMap<Match, WorkerKey>,
    workers: BTreeMap<WorkerKey, Member>,
    /// The usual time of a game; `None` before the first.
    usual: Option<Duration>,
}

/// A game that is not over.
struct Open {
    seats: Vec<EntrantId>,
    /// The machines that may not play it.
    not_on: Vec<String>,
    /// How many times it was given to a worker.
    attempt: u32,
    /// Who was ever given it.
    tried: BTreeSet<WorkerKey>,
}

/// A worker that has joined.
struct Member {
    machine: String,
    threads: u32,
    /// Entrants that it could not build.
    cannot: BTreeSet<EntrantId>,
    /// What it was given, and when it last mentioned that.
    given: BTreeMap<JobKey, Instant>,
    /// What waits for it, because it has the match.
    bound: VecDeque<JobKey>,
    /// What it says that it holds and was not given by this manager.
    others: BTreeSet<JobKey>,
    heard: Instant,
    leaving: bool,
}

/// A game given to a worker.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Given {
    /// The worker.
    pub worker: WorkerKey,
    /// The game.
    pub key: JobKey,
    /// Which attempt it is, from 1.
    pub attempt: u32,
}

impl Assignment {
    /// Adds a game of these entrants, which no machine of `not_on` may play. A game that a worker already holds, because
    /// an earlier manager has given it, stays there.
    pub fn offer(&mut self, key: JobKey, seats: Vec<EntrantId>, not_on: Vec<String>, now: Instant) {
        let mut open = Open { seats, not_on, attempt: 0, tried: BTreeSet::new() };
        match self.workers.iter_mut().find(|(_, member)| member.others.contains(&key)) {
            Some((worker, member)) => {
                member.others.remove(&key);
                member.given.insert(key, now);
                open.attempt = 1;
                open.tried.insert(worker.clone());
                self.matches.insert(match_of(key.id), worker.clone());
            }
            None if key.look > 0 => self.again.push_back(key),
            None => self.free.push_back(key),
        }
        self.games.insert(key, open);
    }

    /// Removes and returns every game that no worker was given.
    pub fn take_back(&mut self) -> Vec<JobKey> {
        let waiting = self.workers.values_mut().flat_map(|member| member.bound.drain(..));
        let stuck = self.stuck.extract_if(.., |key| key.look == 0);
        let taken: Vec<JobKey> = self.free.drain(..).chain(waiting).chain(stuck).collect();
        for key in &taken {
            self.games.remove(key);
        }
        taken
    }

    /// A worker joins, or says once more that it is there.
    pub fn join(
        &mut self,
        worker: WorkerKey,
        machine: &str,
        threads: u16,
        cannot: BTreeSet<EntrantId>,
        now: Instant,
    ) {
        let member = Member {
            machine: machine.to_string(),
            threads: u32::from(threads),
            cannot,
            given: BTreeMap::new(),
            bound: VecDeque::new(),
            others: BTreeSet::new(),
            heard: now,
            leaving: false,
        };
        self.workers.entry(worker).or_insert(member).heard = now;
        let (first, again): (Vec<_>, Vec<_>) = self.stuck.drain(..).partition(|key| key.look == 0);
        self.free.extend(first);
        self.again.extend(again);
    }

    /// A worker says what it holds. Games that it should hold and has not mentioned for long are given to others.
    pub fn hear(&mut self, worker: &WorkerKey, held: &[JobKey], leaving: bool, now: Instant) {
        let Some(member) = self.workers.get_mut(worker) else { return };
        member.heard = now;
        member.leaving = leaving;
        let held: BTreeSet<JobKey> = held.iter().copied().collect();
        // No worker was ever given more, so that none can keep the others from all games.
        let most = (member.threads * DEPTH.1) as usize;
        let others = held.iter().copied().filter(|key| !member.given.contains_key(key));
        member.others = others.take(most).collect();
        let mut unmentioned = Vec::new();
        for (key, last) in &mut member.given {
            if held.contains(key) {
                *last = now;
            } else if leaving || now.duration_since(*last) > UNMENTIONED {
                unmentioned.push(*key);
            }
        }
        member.given.retain(|key, _| !unmentioned.contains(key));
        unmentioned.extend(if leaving { std::mem::take(&mut member.bound) } else { VecDeque::new() });
        self.put_back(worker, unmentioned);
    }

    /// Removes a worker. Returns how many games it had, and those that have been lost with too many workers.
    pub fn lose(&mut self, worker: &WorkerKey) -> (usize, Vec<JobKey>) {
        let Some(member) = self.workers.remove(worker) else { return (0, Vec::new()) };
        let had = member.given.len();
        let (worn, rest): (Vec<JobKey>, Vec<JobKey>) = member
            .given
            .into_keys()
            .chain(member.bound)
            .partition(|key| self.games.get(key).is_some_and(|open| open.attempt >= MAX_ATTEMPTS));
        for key in &worn {
            self.games.remove(key);
        }
        self.matches.retain(|_, of| of != worker);
        self.put_back(worker, rest);
        (had, worn)
    }

    fn put_back(&mut self, worker: &WorkerKey, keys: Vec<JobKey>) {
        for key in keys.into_iter().rev().filter(|key| self.games.contains_key(key)) {
            if key.look > 0 {
                self.again.push_front(key);
                continue;
            }
            if self.matches.get(&match_of(key.id)) == Some(worker) {
                self.matches.remove(&match_of(key.id));
            }
            self.free.push_front(key);
        }
    }

    /// The workers that have not been heard of for [`SILENCE`].
    pub fn silent(&self, now: Instant) -> Vec<WorkerKey> {
        let silent = self.workers.iter().filter(|(_, member)| now.duration_since(member.heard) > SILENCE);
        silent.map(|(worker, _)| worker.clone()).collect()
    }

    /// The worker with this machine name, and how long ago it was heard of.
    pub fn named(&self, machine: &str, now: Instant) -> Option<(WorkerKey, Duration)> {
        let named = self.workers.iter().find(|(_, member)| member.machine == machine);
        named.map(|(worker, member)| (worker.clone(), now.duration_since(member.heard)))
    }

    /// The machine name of a worker that has joined.
    pub fn machine(&self, worker: &WorkerKey) -> Option<&str> {
        self.workers.get(worker).map(|member| &*member.machine)
    }

    /// Whether a worker has this game now.
    pub fn holds(&self, worker: &WorkerKey, key: JobKey) -> bool {
        self.workers.get(worker).is_some_and(|member| member.given.contains_key(&key))
    }

    /// A game is over after this time, or was lost. Returns whether it was open.
    pub fn over(&mut self, key: JobKey, wall: Option<Duration>) -> bool {
        if let Some(wall) = wall {
            // Of the last ten games or so.
            self.usual = Some(self.usual.map_or(wall, |usual| (usual * 9 + wall) / 10));
        }
        let Some(open) = self.games.remove(&key) else { return false };
        let held = |worker| self.workers.get_mut(worker).is_some_and(|member| member.given.remove(&key).is_some());
        if open.tried.iter().map(held).filter(|held| *held).count() == 0 {
            // It waits to be given once more.
            self.free.retain(|waiting| *waiting != key);
            self.again.retain(|waiting| *waiting != key);
            self.stuck.retain(|waiting| *waiting != key);
            for member in self.workers.values_mut() {
                member.bound.retain(|waiting| *waiting != key);
            }
        }
        true
    }

    /// Gives waiting games to workers that have room.
    pub fn assign(&mut self, now: Instant) -> Vec<Given> {
        let mut all = Vec::new();
        let usual = self.usual.map_or(Duration::MAX, |usual| usual.max(Duration::from_micros(100)));
        let depth = ((AHEAD.as_nanos() / usual.as_nanos()) as u32).clamp(DEPTH.0, DEPTH.1);
        let ready: Vec<WorkerKey> =
            self.workers.iter().filter(|(_, member)| !member.leaving).map(|(key, _)| key.clone()).collect();
        let threads: u32 = ready.iter().map(|key| self.workers[key].threads).sum();
        for worker in &ready {
            let member = &self.workers[worker];
            // When few games are left, no worker takes more than its share.
            let share = (self.free.len() as u64 * u64::from(member.threads)).div_ceil(u64::from(threads.max(1)));
            let most = (member.threads * depth) as usize;
            let room = most.saturating_sub(member.given.len() + member.others.len());
            let share = (share as usize).max(member.threads as usize);
            for taken in 0..room {
                let bound = self.workers.get_mut(worker).and_then(|member| member.bound.pop_front());
                let key = bound.or_else(|| if taken < share { self.take_waiting(worker) } else { None });
                let Some(key) = key else { break };
                let open = self.games.get_mut(&key).expect("a waiting game is open");
                open.attempt += 1;
                open.tried.insert(worker.clone());
                all.push(Given { worker: worker.clone(), key, attempt: open.attempt });
                self.workers.get_mut(worker).expect("it is there").given.insert(key, now);
            }
        }
        all
    }

    /// The next game that `worker` may play, of those that are given to whoever has room.
    fn take_waiting(&mut self, worker: &WorkerKey) -> Option<JobKey> {
        let queues: [fn(&mut Assignment) -> &mut VecDeque<JobKey>; 2] =
            [|all| &mut all.again, |all| &mut all.free];
        for queue in queues {
            let mut at = 0;
            while let Some(&key) = queue(self).get(at).filter(|_| at < MOST_LOOKED_AT) {
                let bound = if key.look == 0 { self.matches.get(&match_of(key.id)) } else { None };
                let other = bound.filter(|other| *other != worker && !self.workers[*other].leaving).cloned();
                if let Some(other) = other {
                    queue(self).remove(at);
                    self.workers.get_mut(&other).expect("matches are of workers").bound.push_back(key);
                } else if self.may_play(worker, key) {
                    if key.look == 0 {
                        self.matches.insert(match_of(key.id), worker.clone());
                    }
                    return queue(self).remove(at);
                } else if self.workers.keys().any(|worker| self.may_play(worker, key)) {
                    at += 1;
                } else {
                    queue(self).remove(at);
                    self.stuck.push(key);
                }
            }
        }
        None
    }

    fn may_play(&self, worker: &WorkerKey, key: JobKey) -> bool {
        let member = &self.workers[worker];
        let open = &self.games[&key];
        !open.seats.iter().any(|entrant| member.cannot.contains(entrant)) && !open.not_on.contains(&member.machine)
    }

    /// The games that no worker may play, if nothing else is left to be played.
    pub fn unplayable(&self) -> &[JobKey] {
        let idle =
            |member: &Member| member.given.is_empty() && member.bound.is_empty() && member.others.is_empty();
        let rest = self.free.is_empty() && self.again.is_empty() && self.workers.values().all(idle);
        if rest && !self.workers.is_empty() { &self.stuck } else { &[] }
    }

    /// The entrants of a game.
    pub fn seats(&self, key: JobKey) -> &[EntrantId] {
        self.games.get(&key).map_or(&[], |open| &open.seats)
    }

    /// The machine names of the workers.
    pub fn names(&self) -> Vec<String> {
        self.workers.values().map(|member| member.machine.clone()).collect()
    }

    /// How many workers there are, how many games they play at a time, and how many they were given.
    pub fn extent(&self) -> (usize, u32, usize) {
        let members = || self.workers.values();
        let given = members().map(|member| member.given.len()).sum();
        (self.workers.len(), members().map(|member| member.threads).sum(), given)
    }
}

#[cfg(test)]
mod tests;
