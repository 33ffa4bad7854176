//! Why an answer is illegal, where the bytes say so: the fault is undone, and if a legal move remains, that fault is
//! the cause. The cause has its own words and its own hint, since one check can fail for many reasons.

mod form;
mod mark;
mod moves;

pub(super) use mark::MEANING;
pub(super) use moves::{PLACES, Place, places};

use crate::catalog::Id;
use crate::finding::Cause;
use cornerman::game::Violation;
use cornerman::games::boxing::{ARENA_BYTES, Arena, LARGEST_SQUARE, judge};

/// An illegal answer.
pub(super) struct Answer<'a> {
    /// The arena that the bot was given, and its 528 bytes.
    pub arena: &'a Arena,
    pub was: [u8; ARENA_BYTES],
    pub mark: u8,
    /// What the bot wrote.
    pub output: &'a [u8],
    /// What the rules say about it.
    pub violation: &'a Violation,
    /// The check of such violations.
    pub check: Id,
}

impl Answer<'_> {
    /// Whether the bot would have made a legal move by writing `corrected`.
    fn is_undone_by(&self, corrected: &[u8]) -> bool {
        judge(self.arena, self.mark, LARGEST_SQUARE, corrected).is_ok()
    }

    /// A cause of failing the check of the violation, with how to fix it.
    fn cause(&self, what: impl Into<String>, hint: &str) -> Cause {
        Cause::new(self.check, what).hint(hint)
    }

    /// The lines of the output, without their line feeds.
    fn lines(&self) -> Vec<&[u8]> {
        self.output.strip_suffix(b"\n").unwrap_or(self.output).split(|&byte| byte == b'\n').collect()
    }
}

/// Why `answer` is illegal, if that is known.
pub(super) fn cause(answer: &Answer) -> Option<Cause> {
    moves::slanted(answer)
        .or_else(|| mark::cause(answer))
        .or_else(|| form::cause(answer))
        .or_else(|| moves::cause(answer))
}

/// Rows as text, each ended by a line feed.
fn text<R: AsRef<[u8]>>(rows: impl IntoIterator<Item = R>) -> Vec<u8> {
    rows.into_iter().flat_map(|row| [row.as_ref(), b"\n"].concat()).collect()
}

/// The beginning of `text`, escaped and in quotes.
fn quote(text: &[u8]) -> String {
    const SHOWN: usize = 48;
    let more = if text.len() > SHOWN { "…" } else { "" };
    format!("`{}{more}`", text[..text.len().min(SHOWN)].escape_ascii())
}
