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
            Event::GameStarted { board, .. } => {
                self.setup.board.clone_from(board);
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
            Event::GameVoided { seat, number, spent } => {
                self.voids.push(VoidRecord { seat: *seat, number: *number, used: spent.into() });
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
