//! From what is heard of a game at its table to its record.

use super::{FaultRecord, GameRecord, MoveRecord, SeatRecord, Used, VoidRecord};
use crate::referee::Event;
use cornerman::format::Pairing;
use cornerman::game::{Outcome, Setup};
use std::fs;
use std::sync::LazyLock;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// Of standard error, as many bytes are kept of a seat and of a fault: a bot that writes pages in every game must
/// not fill the disk.
const STDERR_KEPT: usize = 2048;

/// Writes down one game while it is played.
pub struct Scribe {
    pairing: Pairing,
    setup: Setup,
    started_ms: u64,
    began: Instant,
    moves: Vec<MoveRecord>,
    faults: Vec<FaultRecord>,
    voids: Vec<VoidRecord>,
    end: Option<(Outcome, Vec<SeatRecord>, Duration)>,
}

impl Scribe {
    /// Ready for the game `pairing`, about to begin from `setup`.
    pub fn new(pairing: Pairing, setup: Setup) -> Scribe {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Scribe {
            pairing,
            setup,
            started_ms: now.as_millis() as u64,
            began: Instant::now(),
            moves: Vec::new(),
            faults: Vec::new(),
            voids: Vec::new(),
            end: None,
        }
    }

    /// Takes down what happened. A void attempt leaves nothing but what made it void.
    pub fn hear(&mut self, event: &Event) {
        match event {
            Event::GameStarted { .. } => {
                self.moves.clear();
                self.faults.clear();
            }
            Event::Moved { number, seat, notation, spent, remarks, .. } => {
                let remarks: Vec<String> = remarks.iter().map(ToString::to_string).collect();
                let (notation, remarks) = (notation.clone(), remarks.join("; "));
                let used = spent.into();
                self.moves.push(MoveRecord { number: *number, seat: *seat, notation, used, remarks });
            }
            Event::Faulted { number, seat, fault, view, answer, spent, errors } => {
                self.faults.push(FaultRecord {
                    number: *number,
                    seat: *seat,
                    kind: fault.kind().to_string(),
                    detail: fault.to_string(),
                    view: view.clone(),
                    answer: answer.clone(),
                    used: Used::from(spent),
                    stderr: tail(errors),
                });
            }
            Event::GameEnded { outcome, conduct, .. } => {
                let seats = conduct.iter().map(SeatRecord::from).collect();
                self.end = Some((outcome.clone(), seats, self.began.elapsed()));
            }
        }
    }

    /// The record of the game; `None` unless it has ended.
    pub fn record(self) -> Option<GameRecord> {
        let (outcome, seats, wall) = self.end?;
        Some(GameRecord {
            pairing: self.pairing,
            setup: self.setup,
            outcome,
            started_ms: self.started_ms,
            wall,
            host: host_name().to_string(),
            moves: self.moves,
            faults: self.faults,
            voids: self.voids,
            seats,
        })
    }
}

/// The name of this machine.
pub fn host_name() -> &'static str {
    static NAME: LazyLock<String> = LazyLock::new(|| {
        let text = fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
        text.trim().to_string()
    });
    &NAME
}

/// The end of what was written to standard error, as text.
pub(super) fn tail(errors: &[u8]) -> String {
    let kept = &errors[errors.len().saturating_sub(STDERR_KEPT)..];
    // A character cut in two would become three bytes for one.
    let cut = kept.iter().take(3).take_while(|&&byte| byte & 0xc0 == 0x80).count();
    String::from_utf8_lossy(if kept.len() < errors.len() { &kept[cut..] } else { kept }).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::player::{Conduct, Fault, Remark, Spent};
    use cornerman::format::{EntrantId, PairingId};
    use cornerman::game::{End, Seat};

    fn moved(number: u32, notation: &str) -> Event {
        Event::Moved {
            number,
            seat: Seat(0),
            notation: notation.to_string(),
            board: Vec::new(),
            spent: Spent { wall: Duration::from_micros(5), ..Spent::default() },
            remarks: vec![Remark::Slow("B10"), Remark::Leftovers(1, "B9")],
            errors: Vec::new(),
        }
    }

    #[test]
    fn what_was_seen_is_kept() {
        let id = PairingId { stage: 0, round: 0, table: 0, game: 0 };
        let pairing = Pairing { id, seats: vec![EntrantId(1), EntrantId(0)], board: 4 };
        let setup = Setup { seats: 2, marks: b"AB".to_vec(), board: b"---".to_vec(), ..Setup::default() };
        let mut scribe = Scribe::new(pairing.clone(), setup.clone());
        let started = || Event::GameStarted { names: Vec::new(), setup: setup.clone(), board: b"---".to_vec() };
        let spent = Spent::default();
        let fault = Fault::TimedOut { limit: Duration::from_secs(2), rule: "B10" };
        let outcome =
            Outcome { places: vec![1, 2], points: vec![3, 0], territory: vec![3, 0], end: End::Forfeited };
        let conduct = vec![Conduct { moves: 2, ..Conduct::default() }, Conduct::default()];
        for event in [
            started(),
            moved(1, "counts"),
            Event::Faulted {
                number: 2,
                seat: Seat(1),
                fault,
                view: b"A--".to_vec(),
                answer: Vec::new(),
                spent,
                errors: b"late".to_vec(),
            },
            Event::GameEnded { outcome: outcome.clone(), moves: 1, conduct },
        ] {
            scribe.hear(&event);
        }
        let record = scribe.record().unwrap();
        assert_eq!((&record.pairing, &record.outcome, &record.setup.board[..]), (&pairing, &outcome, &b"---"[..]));
        assert_eq!(record.moves.len(), 1);
        assert_eq!(record.moves[0].notation, "counts");
        assert_eq!(record.moves[0].remarks, "slower than the soft limit (B10); left a process running (B9)");
        assert_eq!(record.voids, []);
        assert_eq!((record.faults[0].kind.as_str(), record.faults[0].stderr.as_str()), ("timeout", "late"));
        assert_eq!((record.seats[0].asked, record.seats.len()), (2, 2));
    }

    #[test]
    fn a_game_that_has_not_ended_has_no_record() {
        let id = PairingId { stage: 0, round: 0, table: 0, game: 0 };
        let mut scribe = Scribe::new(Pairing { id, seats: Vec::new(), board: 0 }, Setup::default());
        scribe.hear(&moved(1, "x"));
        assert_eq!(scribe.record(), None);
    }

    #[test]
    fn of_long_errors_the_end_is_kept_in_whole_characters() {
        assert_eq!(tail("aé".as_bytes()), "aé");
        let long = "é".repeat(STDERR_KEPT) + "x";
        assert_eq!(tail(long.as_bytes()).len(), STDERR_KEPT - 1);
        assert!(long.ends_with(&tail(long.as_bytes())));
    }
}
