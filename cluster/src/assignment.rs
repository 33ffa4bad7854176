//! Decides which worker plays which game. It has no network or clock of its own, so tests can drive it.
//!
//! All games of a match go to one worker while it stays, so that a pair meets on the same machine in both orders. A
//! worker gets about as many games as it plays in a second, but from 2 to 64 for each of its threads.
//! If a worker falls silent, other workers start its games again.

use crate::message::JobKey;
use crate::names::WorkerKey;
use cornerman::format::{EntrantId, GameId};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::time::{Duration, Instant};

/// A worker whose last status, or request to join, came this long ago is lost.
pub(crate) const SILENCE: Duration = Duration::from_secs(15);

/// How long a worker's statuses may omit a game that it was given, before the game goes to another worker.
const UNMENTIONED: Duration = Duration::from_secs(40);

/// If a worker is lost, its games that were given to workers this many times are not given to another one but reported
/// lost: the game itself may be the reason.
const MAX_ATTEMPTS: u32 = 8;

/// How much playing time each thread of a worker is given in advance.
const LOOKAHEAD: Duration = Duration::from_secs(1);

/// The fewest and the most games that a worker is given for each of its threads.
const MIN_PER_THREAD: u32 = 2;
const MAX_PER_THREAD: u32 = 64;

/// How many games of a queue are passed over at most, to find one that a worker may play.
const MAX_CANDIDATES: usize = 2_000;

/// Identifies a match: stage, round and table.
type MatchKey = (u8, u16, u32);

fn match_key(id: GameId) -> MatchKey {
    (id.stage, id.round, id.table)
}

/// The state of all games that are not over yet.
#[derive(Default)]
pub(crate) struct Assignment {
    games: BTreeMap<JobKey, OpenGame>,
    /// Games that no worker has, and that any worker may take.
    free: VecDeque<JobKey>,
    /// Games to play again for comparison that no worker has been given yet.
    replays: VecDeque<JobKey>,
    /// Games that no current worker may play.
    stuck: Vec<JobKey>,
    /// Which worker plays each match that has begun.
    matches: BTreeMap<MatchKey, WorkerKey>,
    workers: BTreeMap<WorkerKey, JoinedWorker>,
    /// The typical wall time of a game; `None` before the first game is over.
    typical_time: Option<Duration>,
}

/// A game that is not over yet.
struct OpenGame {
    bots: Vec<EntrantId>,
    /// Machines that may not play it.
    excluded: Vec<String>,
    /// How many times a worker was given it.
    attempt: u32,
    /// Every worker that was given it.
    tried: BTreeSet<WorkerKey>,
}

struct JoinedWorker {
    machine: String,
    threads: u32,
    /// Entrants that it could not build.
    unbuildable: BTreeSet<EntrantId>,
    /// The games that it was given, and when it last reported holding each.
    given: BTreeMap<JobKey, Instant>,
    /// Games that wait for this worker, because it plays their match.
    reserved: VecDeque<JobKey>,
    /// Games that it says it holds, although this manager did not give them to it.
    claimed: BTreeSet<JobKey>,
    last_seen: Instant,
    leaving: bool,
}

/// What all workers have and do together.
#[derive(Clone, Copy, Default)]
pub(crate) struct WorkerCounts {
    pub workers: usize,
    /// How many games they play at a time.
    pub threads: u32,
    /// How many games they were given that are not over yet.
    pub given: usize,
}

/// A game that was given to a worker.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Given {
    pub worker: WorkerKey,
    pub key: JobKey,
    /// Which attempt it is, from 1.
    pub attempt: u32,
}

impl Assignment {
    /// Adds a game between these `bots`, which no machine in `excluded` may play. If a worker already holds
    /// the game because an earlier manager gave it, it stays there.
    pub(crate) fn offer(&mut self, key: JobKey, bots: Vec<EntrantId>, excluded: Vec<String>, now: Instant) {
        let mut open = OpenGame { bots, excluded, attempt: 0, tried: BTreeSet::new() };
        match self.workers.iter_mut().find(|(_, member)| member.claimed.contains(&key)) {
            Some((worker, member)) => {
                member.claimed.remove(&key);
                member.given.insert(key, now);
                open.attempt = 1;
                open.tried.insert(worker.clone());
                self.matches.insert(match_key(key.id), worker.clone());
            }
            None if key.look > 0 => self.replays.push_back(key),
            None => self.free.push_back(key),
        }
        self.games.insert(key, open);
    }

    /// Removes and returns every game that no worker has, except those to play again for comparison.
    pub(crate) fn take_back(&mut self) -> Vec<JobKey> {
        let waiting = self.workers.values_mut().flat_map(|member| member.reserved.drain(..));
        let stuck = self.stuck.extract_if(.., |key| key.look == 0);
        let taken: Vec<JobKey> = self.free.drain(..).chain(waiting).chain(stuck).collect();
        for key in &taken {
            self.games.remove(key);
        }
        taken
    }

    /// Adds a worker, or notes that a worker that has joined is still there. The games that no worker could play wait
    /// for it, too.
    pub(crate) fn join(
        &mut self,
        worker: WorkerKey,
        machine: &str,
        threads: u16,
        unbuildable: BTreeSet<EntrantId>,
        now: Instant,
    ) {
        let member = JoinedWorker {
            machine: machine.to_string(),
            threads: u32::from(threads),
            unbuildable,
            given: BTreeMap::new(),
            reserved: VecDeque::new(),
            claimed: BTreeSet::new(),
            last_seen: now,
            leaving: false,
        };
        self.workers.entry(worker).or_insert(member).last_seen = now;
        let (first, replays): (Vec<_>, Vec<_>) = self.stuck.drain(..).partition(|key| key.look == 0);
        self.free.extend(first);
        self.replays.extend(replays);
    }

    /// Handles a worker's report of the games that it holds. A game that it was given and does not report becomes free
    /// for others: at once if the worker is `leaving`, otherwise after [`UNMENTIONED`].
    pub(crate) fn on_status(&mut self, worker: &WorkerKey, held: &[JobKey], leaving: bool, now: Instant) {
        let Some(member) = self.workers.get_mut(worker) else { return };
        member.last_seen = now;
        member.leaving = leaving;
        let held: BTreeSet<JobKey> = held.iter().copied().collect();
        // A worker is never given more than this. The limit stops one from claiming every game.
        let most = (member.threads * MAX_PER_THREAD) as usize;
        let others = held.iter().copied().filter(|key| !member.given.contains_key(key));
        member.claimed = others.take(most).collect();
        let mut unmentioned = Vec::new();
        for (key, last) in &mut member.given {
            if held.contains(key) {
                *last = now;
            } else if leaving || now.duration_since(*last) > UNMENTIONED {
                unmentioned.push(*key);
            }
        }
        member.given.retain(|key, _| !unmentioned.contains(key));
        unmentioned.extend(if leaving { std::mem::take(&mut member.reserved) } else { VecDeque::new() });
        self.put_back(worker, unmentioned);
    }

    /// Removes a worker. Returns how many games it still had, and which of them are given up because they were given to
    /// workers too often.
    pub(crate) fn remove_worker(&mut self, worker: &WorkerKey) -> (usize, Vec<JobKey>) {
        let Some(member) = self.workers.remove(worker) else { return (0, Vec::new()) };
        let had = member.given.len();
        let (abandoned, rest): (Vec<JobKey>, Vec<JobKey>) = member
            .given
            .into_keys()
            .chain(member.reserved)
            .partition(|key| self.games.get(key).is_some_and(|open| open.attempt >= MAX_ATTEMPTS));
        for key in &abandoned {
            self.games.remove(key);
        }
        self.matches.retain(|_, of| of != worker);
        self.put_back(worker, rest);
        (had, abandoned)
    }

    /// Puts games that `worker` had back at the front of the queues, in their order.
    fn put_back(&mut self, worker: &WorkerKey, keys: Vec<JobKey>) {
        for key in keys.into_iter().rev().filter(|key| self.games.contains_key(key)) {
            if key.look > 0 {
                self.replays.push_front(key);
                continue;
            }
            if self.matches.get(&match_key(key.id)) == Some(worker) {
                self.matches.remove(&match_key(key.id));
            }
            self.free.push_front(key);
        }
    }

    /// The workers that are lost because of their [`SILENCE`].
    pub(crate) fn silent_workers(&self, now: Instant) -> Vec<WorkerKey> {
        let silent = self.workers.iter().filter(|(_, member)| now.duration_since(member.last_seen) > SILENCE);
        silent.map(|(worker, _)| worker.clone()).collect()
    }

    /// The worker with this machine name, and how long ago it last sent a status or asked to join.
    pub(crate) fn find_by_machine(&self, machine: &str, now: Instant) -> Option<(WorkerKey, Duration)> {
        let named = self.workers.iter().find(|(_, member)| member.machine == machine);
        named.map(|(worker, member)| (worker.clone(), now.duration_since(member.last_seen)))
    }

    /// The machine name of a worker that has joined.
    pub(crate) fn machine(&self, worker: &WorkerKey) -> Option<&str> {
        self.workers.get(worker).map(|member| &*member.machine)
    }

    /// Whether a worker has been given this game and still has it.
    pub(crate) fn holds(&self, worker: &WorkerKey, key: JobKey) -> bool {
        self.workers.get(worker).is_some_and(|member| member.given.contains_key(&key))
    }

    /// Notes that a game is over after the time `wall`, or was lost if that is `None`. Returns whether it was open.
    pub(crate) fn finish(&mut self, key: JobKey, wall: Option<Duration>) -> bool {
        if let Some(wall) = wall {
            // A moving average over about ten games.
            self.typical_time = Some(self.typical_time.map_or(wall, |typical| (typical * 9 + wall) / 10));
        }
        let Some(open) = self.games.remove(&key) else { return false };
        let take = |worker| self.workers.get_mut(worker).is_some_and(|member| member.given.remove(&key).is_some());
        let holders = open.tried.iter().map(take).filter(|held| *held).count();
        if holders == 0 {
            // No worker has it, so it is in one of the queues.
            self.free.retain(|waiting| *waiting != key);
            self.replays.retain(|waiting| *waiting != key);
            self.stuck.retain(|waiting| *waiting != key);
            for member in self.workers.values_mut() {
                member.reserved.retain(|waiting| *waiting != key);
            }
        }
        true
    }

    /// Gives waiting games to workers with free capacity.
    pub(crate) fn assign(&mut self, now: Instant) -> Vec<Given> {
        let mut all = Vec::new();
        // Not zero, because it is a divisor. Before the first game is over, workers get the fewest.
        let typical = self.typical_time.map_or(Duration::MAX, |typical| typical.max(Duration::from_micros(100)));
        let games_in_time = (LOOKAHEAD.as_nanos() / typical.as_nanos()) as u32;
        let games_per_thread = games_in_time.clamp(MIN_PER_THREAD, MAX_PER_THREAD);
        let ready: Vec<WorkerKey> =
            self.workers.iter().filter(|(_, member)| !member.leaving).map(|(key, _)| key.clone()).collect();
        let threads: u32 = ready.iter().map(|key| self.workers[key].threads).sum();
        for worker in &ready {
            let member = &self.workers[worker];
            // When few games are left, no worker takes more than its share, but each may take one for every thread.
            let share = (self.free.len() as u64 * u64::from(member.threads)).div_ceil(u64::from(threads.max(1)));
            let share = (share as usize).max(member.threads as usize);
            let most = (member.threads * games_per_thread) as usize;
            let room = most.saturating_sub(member.given.len() + member.claimed.len());
            for taken in 0..room {
                let reserved = self.workers.get_mut(worker).and_then(|member| member.reserved.pop_front());
                let key = reserved.or_else(|| if taken < share { self.take_waiting(worker) } else { None });
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

    /// Removes and returns the next game that `worker` may play from the queues that are open to every worker.
    fn take_waiting(&mut self, worker: &WorkerKey) -> Option<JobKey> {
        let queues: [fn(&mut Assignment) -> &mut VecDeque<JobKey>; 2] =
            [|all| &mut all.replays, |all| &mut all.free];
        for queue in queues {
            let mut at = 0;
            while let Some(&key) = queue(self).get(at).filter(|_| at < MAX_CANDIDATES) {
                let owner = if key.look == 0 { self.matches.get(&match_key(key.id)) } else { None };
                let other = owner.filter(|other| *other != worker && !self.workers[*other].leaving).cloned();
                if let Some(other) = other {
                    queue(self).remove(at);
                    self.workers.get_mut(&other).expect("matches are of workers").reserved.push_back(key);
                } else if self.may_play(worker, key) {
                    if key.look == 0 {
                        self.matches.insert(match_key(key.id), worker.clone());
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

    /// Whether a worker has built all bots of an open game, and its machine is not excluded from it.
    fn may_play(&self, worker: &WorkerKey, key: JobKey) -> bool {
        let member = &self.workers[worker];
        let open = &self.games[&key];
        !open.bots.iter().any(|entrant| member.unbuildable.contains(entrant))
            && !open.excluded.contains(&member.machine)
    }

    /// The games that no worker may play, if there are workers and no other games are left.
    pub(crate) fn unplayable(&self) -> &[JobKey] {
        let idle = |member: &JoinedWorker| {
            member.given.is_empty() && member.reserved.is_empty() && member.claimed.is_empty()
        };
        let rest = self.free.is_empty() && self.replays.is_empty() && self.workers.values().all(idle);
        if rest && !self.workers.is_empty() { &self.stuck } else { &[] }
    }

    /// The bots of a game; empty if it is not open.
    pub(crate) fn bots(&self, key: JobKey) -> &[EntrantId] {
        self.games.get(&key).map_or(&[], |open| &open.bots)
    }

    pub(crate) fn machine_names(&self) -> Vec<String> {
        self.workers.values().map(|member| member.machine.clone()).collect()
    }

    pub(crate) fn counts(&self) -> WorkerCounts {
        let mut counts = WorkerCounts::default();
        for member in self.workers.values() {
            counts.workers += 1;
            counts.threads += member.threads;
            counts.given += member.given.len();
        }
        counts
    }
}

#[cfg(test)]
mod tests;
