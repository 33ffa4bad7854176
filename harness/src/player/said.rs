//! What a bot writes to standard error, kept by move: its author's log.

use crate::sandbox::{Moment, RunReport};

/// The most bytes that are kept of one move: the last ones.
const OF_A_MOVE: usize = 1 << 10;

/// The most bytes that are kept of one game, those of the last moves.
const OF_A_GAME: usize = 64 << 10;

/// What a bot wrote to standard error in one game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Said {
    parts: Vec<SaidPart>,
    /// How many bytes all parts have together.
    kept: usize,
}

/// What it wrote at one of its moves: from one question to the next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SaidPart {
    /// Which of its moves, counted from 1; 0 is before it was first asked.
    pub nth: u32,
    /// The end of it; empty if only the number of its bytes is known.
    pub bytes: Vec<u8>,
    /// How many bytes before these were left out. The first part also counts those of all moves before it.
    pub left_out: u64,
}

impl Said {
    /// The parts, in the order of their moves.
    pub fn parts(&self) -> &[SaidPart] {
        &self.parts
    }

    /// Adds `bytes` that it wrote at its move `nth`, after `left_out` others that were not kept.
    pub(crate) fn add(&mut self, nth: u32, bytes: &[u8], left_out: u64) {
        if bytes.is_empty() && left_out == 0 {
            return;
        }
        if self.parts.last().is_none_or(|last| last.nth != nth) {
            self.parts.push(SaidPart { nth, bytes: Vec::new(), left_out: 0 });
        }
        let Some(part) = self.parts.last_mut() else { return };
        part.bytes.extend_from_slice(bytes);
        let surplus = part.bytes.len().saturating_sub(OF_A_MOVE);
        part.bytes.drain(..surplus);
        part.left_out += left_out + surplus as u64;
        self.kept = self.kept + bytes.len() - surplus;
        if self.kept > OF_A_GAME {
            self.forget_the_first();
        }
    }

    /// Forgets as many of the first moves as possible while at least half of [`OF_A_GAME`] remains.
    fn forget_the_first(&mut self) {
        let mut forgotten = 0;
        let first = self.parts.iter().position(|part| {
            let remains = self.kept - part.bytes.len() >= OF_A_GAME / 2;
            if remains {
                self.kept -= part.bytes.len();
                forgotten += part.bytes.len() as u64 + part.left_out;
            }
            !remains
        });
        self.parts.drain(..first.unwrap_or(0));
        if let Some(part) = self.parts.first_mut() {
            part.left_out += forgotten;
        }
    }

    /// What a bot with one process for the whole game wrote, divided at the moments at which it was `asked`.
    pub(super) fn from_game(report: &RunReport, asked: &[Moment]) -> Said {
        let mut said = Said::default();
        let RunReport { stderr, stderr_parts: parts, .. } = report;
        let mut from = parts.first().map_or(stderr.len(), |part| part.from);
        let mut left_out = report.stderr_total - (stderr.len() - from) as u64;
        let ends = asked.iter().map(|moment| moment.offset(stderr, parts)).chain([stderr.len()]);
        for (nth, end) in (0..).zip(ends) {
            if end > from {
                said.add(nth, &stderr[from..end], std::mem::take(&mut left_out));
                from = end;
            }
        }
        said
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sandbox::StderrPart;
    use std::time::Duration;

    fn in_short(said: &Said) -> Vec<(u32, usize, u64)> {
        said.parts().iter().map(|part| (part.nth, part.bytes.len(), part.left_out)).collect()
    }

    #[test]
    fn a_move_and_a_game_are_bounded() {
        let mut said = Said::default();
        said.add(1, b"", 0);
        said.add(1, &[b'a'; OF_A_MOVE], 0);
        said.add(1, b"bc", 5);
        said.add(2, b"d", 0);
        assert_eq!(in_short(&said), [(1, OF_A_MOVE, 7), (2, 1, 0)]);
        assert!(said.parts()[0].bytes.ends_with(b"abc"));
        for nth in 3..=1000 {
            said.add(nth, &[b'e'; OF_A_MOVE], 1);
            assert!(
                said.kept <= OF_A_GAME
                    && said.kept == said.parts.iter().map(|part| part.bytes.len()).sum::<usize>()
            );
        }
        let all = OF_A_MOVE as u64 + 7 + 1 + 998 * (OF_A_MOVE as u64 + 1);
        let counted: u64 = said.parts().iter().map(|part| part.bytes.len() as u64 + part.left_out).sum();
        assert_eq!(counted, all);
        assert!(said.kept >= OF_A_GAME / 2 && said.parts().last().unwrap().nth == 1000);
    }

    #[test]
    fn the_moment_decides_the_move() {
        let at = Duration::from_millis;
        let part = |ms, from| StderrPart { read_at: at(ms), from };
        let report = RunReport {
            stderr: b"hello one, still one two".to_vec(),
            stderr_parts: vec![part(1, 0), part(10, 6), part(14, 11), part(20, 21)],
            stderr_total: 24 + 100,
            ..RunReport::from_ended(crate::sandbox::Ended::Exited(0))
        };
        let asked = |ms, unread| Moment { at: at(ms), unread };
        let said = Said::from_game(&report, &[asked(9, 0), asked(13, 5), asked(20, 0), asked(21, 0)]);
        let text = |part: &SaidPart| String::from_utf8(part.bytes.clone()).unwrap();
        let parts: Vec<(u32, String, u64)> =
            said.parts().iter().map(|part| (part.nth, text(part), part.left_out)).collect();
        assert_eq!(
            parts,
            [(0, "hello ".to_string(), 100), (1, "one, still".to_string(), 0), (2, " one two".to_string(), 0)]
        );
    }
}
