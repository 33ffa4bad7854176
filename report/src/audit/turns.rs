//! The turns of a recorded game: what each bot was sent, as a hash, and what it answered.

use cornerman::game::Seat;
use cornerman_harness::player::protocol::Protocol;
use cornerman_harness::record::{GameRecord, RecordedAction, actions};
use cornerman_harness::replay::{Deviation, open, play_again};
use cornerman_harness::ruleset::Ruleset;
use sha2::{Digest, Sha256};

/// The hash of what a bot knows at its turn. It is the same in two games if the entrant has the same seat, the
/// number of seats is the same, and it was sent the same: the view of this move if every move has its own process,
/// or all views so far if one process plays the whole game. Marks are first replaced by the numbers of their
/// seats.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ViewHash([u8; 16]);

impl ViewHash {
    /// The hash of `parts`. All but the last must have a fixed length.
    pub(super) fn from_parts(parts: &[&[u8]]) -> ViewHash {
        let mut hash = Sha256::new();
        for part in parts {
            hash.update(part);
        }
        let whole: [u8; 32] = hash.finalize().into();
        ViewHash(whole[..16].try_into().expect("it is 32 bytes long"))
    }

    /// Its first half.
    pub(super) fn beginning(self) -> u64 {
        u64::from_le_bytes(self.0[..8].try_into().expect("it is 16 bytes long"))
    }
}

/// A turn that a bot answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnsweredTurn {
    /// Which move of the game, from 1.
    pub number: u32,
    /// The hash of what the bot knew.
    pub view: ViewHash,
    /// The hash of all that it had been sent before, from the start of the game.
    pub before: ViewHash,
    /// Its move in the game's notation, or that its answer was illegal.
    pub notation: String,
}

/// Plays `game` again by `ruleset` and returns the turns of each seat that were answered. A turn whose answer the rules
/// rejected is among them; one that ended without an answer, such as by a crash, is not.
///
/// # Errors
/// With the reason, if the record contradicts the rules.
pub fn turns(game: &GameRecord, ruleset: &Ruleset) -> Result<Vec<Vec<AnsweredTurn>>, Deviation> {
    let mut live = open(ruleset, game)?;
    let seats = game.pairing.seats.len();
    let marks = if game.setup.marks.is_empty() { &ruleset.marks } else { &game.setup.marks };
    let marks = renamed(&marks[..seats.min(marks.len())]);
    let is_one_process = matches!(ruleset.protocol(Seat(0), None), Some(Protocol::Lines(_)));
    let start = |(seat, entrant): (u8, &cornerman::format::EntrantId)| {
        ViewHash::from_parts(&[&entrant.0.to_le_bytes(), &[game.setup.seats, seat]])
    };
    let start: Vec<ViewHash> = (0..).zip(&game.pairing.seats).map(start).collect();
    let mut before = start.clone();
    let mut turns = vec![Vec::new(); seats];
    play_again(&mut *live, &actions(game), &mut |step| {
        let at = step.action.seat().index();
        let number = step.action.number();
        let sent: Vec<u8> = step.view.iter().map(|byte| marks[usize::from(*byte)]).collect();
        let history = ViewHash::from_parts(&[&before[at].0, &sent]);
        let view = if is_one_process { history } else { ViewHash::from_parts(&[&start[at].0, &sent]) };
        let notation = match step.action {
            RecordedAction::Moved(made) => Some(made.notation.clone()),
            RecordedAction::Forfeited(fault) if fault.answer.is_empty() => None,
            RecordedAction::Forfeited(fault) => Some(format!("an illegal answer ({})", fault.kind)),
        };
        turns[at].extend(notation.map(|notation| AnsweredTurn { number, view, before: before[at], notation }));
        before[at] = history;
    })?;
    Ok(turns)
}

/// What each byte becomes when marks are replaced by the numbers of their seats. Different bytes stay different.
fn renamed(marks: &[u8]) -> [u8; 256] {
    let mut to: [u8; 256] = std::array::from_fn(|byte| byte as u8);
    for (seat, mark) in (0u8..).zip(marks) {
        let now = to.iter().position(|byte| *byte == seat).expect("every byte is there once");
        to.swap(now, usize::from(*mark));
    }
    to
}
