//! Collects the events of a game into its record.

use super::{FaultRecord, GameRecord, MoveRecord, SaidRecord, SeatRecord, TimeUsed, actions};
use crate::player::{Conduct, Remark, SaidPart};
use crate::referee::Event;
use cornerman::format::Pairing;
use cornerman::game::{Seat, Setup};
use std::fs;
use std::sync::LazyLock;
use std::time::{Instant, SystemTime, UNIX_EPOCH};

/// How many bytes of the end of standard error are kept for each seat and each fault, besides what is kept by move: a
/// bot must not fill the disk.
const STDERR_KEPT: usize = 2048;

/// Records one game while it is played. Pass it every event, then take the [`record`](GameRecorder::record).
pub struct GameRecorder {
    game: GameRecord,
    began: Instant,
    has_ended: bool,
}

impl GameRecorder {
    /// A recorder for the game `pairing`, which is about to begin from `setup`.
    pub fn new(pairing: Pairing, setup: Setup) -> GameRecorder {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let host = host_name().to_string();
        let game = GameRecord { started_ms: now.as_millis() as u64, host, ..GameRecord::begun(pairing, setup) };
        GameRecorder { game, began: Instant::now(), has_ended: false }
    }

    /// Adds an event. A game that starts again discards the moves and forfeits recorded so far.
    pub fn on_event(&mut self, event: &Event) {
        let game = &mut self.game;
        match event {
            Event::GameStarted { .. } => {
                game.moves.clear();
                game.faults.clear();
            }
            Event::Moved { number, seat, notation, spent, remarks, .. } => {
                let notation = notation.clone();
                let remarks = remarks.clone();
                let used = spent.into();
                game.moves.push(MoveRecord { number: *number, seat: *seat, notation, used, remarks });
            }
            Event::Faulted { number, seat, fault, view, answer, spent, errors } => {
                game.faults.push(FaultRecord {
                    number: *number,
                    seat: *seat,
                    kind: fault.kind().to_string(),
                    detail: fault.to_string(),
                    view: view.clone(),
                    answer: answer.clone(),
                    used: TimeUsed::from(spent),
                    stderr: tail(errors),
                });
            }
            Event::GameEnded { outcome, conduct, .. } => {
                for (seat, conduct) in (0u8..).map(Seat).zip(conduct).filter(|(_, conduct)| conduct.files > 0) {
                    // A remark about the game as a whole is added to the seat's last move, if there is one.
                    if let Some(last) = game.moves.iter_mut().rev().find(|made| made.seat == seat) {
                        last.remarks.push(Remark::FilesOfGame(conduct.files));
                    }
                }
                let record = |(seat, conduct): (Seat, &Conduct)| SeatRecord {
                    said: said(game, seat, conduct),
                    ..SeatRecord::from(conduct)
                };
                game.seats = (0u8..).map(Seat).zip(conduct).map(record).collect();
                game.outcome = outcome.clone();
                game.wall = self.began.elapsed();
                self.has_ended = true;
            }
        }
    }

    /// The record of the game; `None` if the game has not ended.
    pub fn record(self) -> Option<GameRecord> {
        self.has_ended.then_some(self.game)
    }
}

/// What the bot in `seat` wrote to standard error, by the numbers of its moves in the game.
fn said(game: &GameRecord, seat: Seat, conduct: &Conduct) -> Vec<SaidRecord> {
    let parts = conduct.said.parts();
    if parts.is_empty() {
        return Vec::new();
    }
    let own = actions(game).into_iter().filter(|action| action.seat() == seat);
    // `SaidPart::nth` counts the bot's own moves from 1; 0 is before the first.
    let mut numbers = vec![0];
    numbers.extend(own.map(|action| action.number()));
    let record = |part: &SaidPart| SaidRecord {
        // The bot may have been asked for a move that the end of the game made needless. What it wrote then
        // has the number of its last one, or 0.
        number: numbers[(part.nth as usize).min(numbers.len() - 1)],
        text: String::from_utf8_lossy(&part.bytes).into_owned(),
        left_out: part.left_out,
    };
    parts.iter().map(record).collect()
}

/// The host name of this machine.
pub fn host_name() -> &'static str {
    static NAME: LazyLock<String> = LazyLock::new(|| {
        let text = fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
        text.trim().to_string()
    });
    &NAME
}

/// The last [`STDERR_KEPT`] bytes of what was written to standard error, as text.
pub(super) fn tail(errors: &[u8]) -> String {
    let kept = &errors[errors.len().saturating_sub(STDERR_KEPT)..];
    // Without its first bytes, a character would be replaced by U+FFFD, which is longer.
    let cut = kept.iter().take(3).take_while(|&&byte| byte & 0xc0 == 0x80).count();
    String::from_utf8_lossy(if kept.len() < errors.len() { &kept[cut..] } else { kept }).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::player::{Conduct, Fault, Said, Spent};
    use cornerman::format::{EntrantId, GameId};
    use cornerman::game::{End, Outcome};
    use std::time::Duration;

    fn moved(number: u32, notation: &str) -> Event {
        Event::Moved {
            number,
            seat: Seat(0),
            notation: notation.to_string(),
            board: Vec::new(),
            spent: Spent { wall: Duration::from_micros(5), ..Spent::default() },
            remarks: vec![Remark::Slow("B10".into()), Remark::Leftovers(1, "B9".into())],
            errors: Vec::new(),
        }
    }

    #[test]
    fn what_was_seen_is_kept() {
        let id = GameId { stage: 0, round: 0, table: 0, game: 0, attempt: 0 };
        let pairing = Pairing { id, seats: vec![EntrantId(1), EntrantId(0)], board: 4 };
        let setup = Setup { seats: 2, marks: b"AB".to_vec(), board: b"---".to_vec(), ..Setup::default() };
        let mut recorder = GameRecorder::new(pairing.clone(), setup.clone());
        let started = || Event::GameStarted { names: Vec::new(), setup: setup.clone(), board: b"---".to_vec() };
        let spent = Spent::default();
        let fault = Fault::TimedOut { limit: Duration::from_secs(2), rule: "B10" };
        let outcome =
            Outcome { places: vec![1, 2], points: vec![3, 0], territory: vec![3, 0], end: End::Forfeited };
        let mut said = Said::default();
        said.add(0, b"hello", 0);
        said.add(1, b"one", 2);
        said.add(9, b"bye", 0);
        let conduct = vec![
            Conduct { moves: 2, files: 2, said: said.clone(), ..Conduct::default() },
            Conduct { said, ..Conduct::default() },
        ];
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
            recorder.on_event(&event);
        }
        let record = recorder.record().unwrap();
        assert_eq!((&record.pairing, &record.outcome, &record.setup.board[..]), (&pairing, &outcome, &b"---"[..]));
        assert_eq!(record.moves.len(), 1);
        assert_eq!(record.moves[0].notation, "counts");
        assert_eq!(
            record.moves[0].remarks_in_words(),
            "slower than the soft limit (B10); left a process running (B9); left 2 files or folders behind"
        );
        assert_eq!((record.faults[0].kind.as_str(), record.faults[0].stderr.as_str()), ("timeout", "late"));
        let said =
            |seat: usize| record.seats[seat].said.iter().map(|said| (said.number, &*said.text, said.left_out));
        assert!(said(0).eq([(0, "hello", 0), (1, "one", 2), (1, "bye", 0)]));
        assert!(said(1).eq([(0, "hello", 0), (2, "one", 2), (2, "bye", 0)]));
        assert_eq!((record.seats[0].asked, record.seats.len()), (2, 2));
    }

    #[test]
    fn a_game_that_has_not_ended_has_no_record() {
        let id = GameId { stage: 0, round: 0, table: 0, game: 0, attempt: 0 };
        let mut recorder = GameRecorder::new(Pairing { id, seats: Vec::new(), board: 0 }, Setup::default());
        recorder.on_event(&moved(1, "x"));
        assert_eq!(recorder.record(), None);
    }

    #[test]
    fn the_end_of_long_standard_error_is_kept_in_whole_characters() {
        assert_eq!(tail("aé".as_bytes()), "aé");
        let long = "é".repeat(STDERR_KEPT) + "x";
        assert_eq!(tail(long.as_bytes()).len(), STDERR_KEPT - 1);
        assert!(long.ends_with(&tail(long.as_bytes())));
    }
}
