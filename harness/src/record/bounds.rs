//! Whether what another machine sends can be recorded: a record with larger values would be refused when it is read.

use super::verify::{LARGEST_VALUE, NAME, TEXT};
use super::{BuildFacts, GameRecord, TimeUsed};
use crate::machine::Machine;
use std::time::Duration;

/// The largest count or move number in a game.
const COUNT: u32 = 1 << 30;

/// The longest time in a game: three years.
const LONGEST: Duration = Duration::from_secs(100_000_000);

/// The last moment, in milliseconds since 1970: the end of the year 9999.
const LAST_MS: u64 = 253_402_300_799_999;

fn fits(text: &str, most: u32) -> bool {
    text.len() <= most as usize
}

impl GameRecord {
    /// What cannot be recorded of this game; `None` if all of it can.
    pub fn unrecordable(&self) -> Option<&'static str> {
        let time = |used: &TimeUsed| used.wall.max(used.cpu).max(used.lag) <= LONGEST;
        let counts = |all: &[u32]| all.iter().all(|count| *count <= COUNT);
        let blob = |bytes: &[u8]| bytes.len() <= LARGEST_VALUE as usize;
        let checks = [
            ("its time", self.started_ms <= LAST_MS && self.wall <= LONGEST),
            ("its machine", fits(&self.host, NAME)),
            (
                "a move",
                self.moves.iter().all(|made| {
                    time(&made.used)
                        && fits(&made.notation, TEXT)
                        && fits(&made.remarks, TEXT)
                        && made.number <= COUNT
                }),
            ),
            (
                "a forfeit",
                self.faults.iter().all(|fault| {
                    let texts = fits(&fault.kind, NAME) && fits(&fault.detail, TEXT) && fits(&fault.stderr, TEXT);
                    texts && time(&fault.used) && blob(&fault.view) && blob(&fault.answer) && fault.number <= COUNT
                }),
            ),
            (
                "the behaviour of a bot",
                self.seats.iter().all(|seat| {
                    let texts = [Some(&seat.refused), Some(&seat.stderr), seat.called.as_ref()];
                    texts.into_iter().flatten().all(|text| fits(text, TEXT))
                        && counts(&[seat.asked, seat.leftovers, seat.ignored, seat.tasks])
                        && seat.slowest.max(seat.cpu) <= LONGEST
                        && seat.peak_memory <= 1 << 50
                }),
            ),
        ];
        checks.into_iter().find(|(_, holds)| !holds).map(|(what, _)| what)
    }
}

impl Machine {
    /// What cannot be recorded of this machine; `None` if all of it can.
    pub fn unrecordable(&self) -> Option<&'static str> {
        let is_name = !self.name.is_empty() && fits(&self.name, NAME) && !self.name.contains(char::is_control);
        match () {
            () if !is_name => Some("its name"),
            () if !fits(&self.processor, NAME) || !fits(&self.kernel, NAME) => Some("its processor or kernel"),
            () => None,
        }
    }
}

impl BuildFacts {
    /// Whether they can be recorded.
    pub fn is_recordable(&self) -> bool {
        let short = |text: &Option<String>, most| text.as_ref().is_none_or(|text| fits(text, most));
        short(&self.toolchain, TEXT) && short(&self.program_sha256, NAME)
    }
}
