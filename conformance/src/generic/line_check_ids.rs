//! The ids of the checks of a game in lines.

use super::GenericGame;
use crate::catalog::{Catalogue, Id};
use crate::fault::CommonCheckIds;

/// The ids of the checks of a game in lines.
#[derive(Clone, Copy, Debug)]
pub(super) struct LineCheckIds {
    pub ids: CommonCheckIds,
    pub lf: Id,
    pub one: Id,
    pub order: Id,
    pub flush: Id,
    pub moves: Id,
    pub chunk: Id,
    pub env: Id,
    pub eof: Id,
    pub determinism: Id,
}

impl LineCheckIds {
    /// The ids of `game`, found in its `catalogue`.
    pub(super) fn new(game: GenericGame, catalogue: &'static Catalogue) -> LineCheckIds {
        let id = |name| game.check(catalogue, name);
        LineCheckIds {
            ids: game.ids(catalogue, "FRESH", "ONE", None),
            lf: id("LF"),
            one: id("ONE"),
            order: id("ORDER"),
            flush: id("FLUSH"),
            moves: id("MOVE"),
            chunk: id("CHUNK"),
            env: id("ENV"),
            eof: id("EOF"),
            determinism: id("DETERMINISM"),
        }
    }

    /// The checks that a game in plain conditions can fail.
    pub(super) fn plain(&self) -> Vec<Id> {
        let CommonCheckIds { start, signal, orphan, stderr, time, .. } = self.ids;
        let own = [start, signal, orphan, time, self.lf, self.one, self.order, self.flush, self.moves];
        own.into_iter().chain(stderr).collect()
    }
}
