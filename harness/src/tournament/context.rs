//! What the games of a tournament are played with, and what each of them starts from.

use super::Job;
use crate::bot::Bot;
use crate::player::Player;
use crate::player::seating::{self, Seated};
use crate::record::{GameRecord, Scribe};
use crate::referee;
use crate::ruleset::Ruleset;
use crate::sandbox::Conditions;
use cornerman::format::Pairing;
use cornerman::game::{Seat, Setup};
use cornerman::lots::Lots;
use std::error::Error;

/// Everything that all games of a tournament are played with.
pub struct GameContext {
    /// The rules in force.
    pub ruleset: Ruleset,
    /// The bots, by entrant.
    pub bots: Vec<Bot>,
    /// How well bots are shut in.
    pub conditions: Conditions,
}

impl GameContext {
    /// Plays one game.
    ///
    /// # Errors
    /// When the setup does not fit the rules, or the sandbox fails: a bot that fails loses.
    pub fn play(&self, job: Job) -> Result<GameRecord, Box<dyn Error>> {
        let Job { pairing, setup } = job;
        let wrong_board = |wrong| format!("board {}: {wrong}", pairing.board + 1);
        let mut table = self.ruleset.open(&setup).map_err(wrong_board)?;
        let mut players: Vec<Box<dyn Player>> = Vec::new();
        for (seat, entrant) in (0u8..).map(Seat).zip(&pairing.seats) {
            players.push(seating::open(&self.bots[entrant.index()], &self.ruleset, seat, self.conditions)?);
        }
        let mut seated = Seated::new(players, &setup.marks)?;
        let mut scribe = Scribe::new(pairing, setup.clone());
        referee::play_unseen(&mut *table, &setup, &mut seated.players, &mut |event| scribe.hear(&event))?;
        Ok(scribe.record().expect("the referee tells of the end of every game"))
    }
}

/// What the games of a contest start from.
pub struct Setups<'a> {
    /// The rules in force.
    pub ruleset: &'a Ruleset,
    /// The boards, by number.
    pub boards: &'a dyn Fn(u32) -> Vec<u8>,
    /// The contest's seed.
    pub seed: u64,
}

impl Setups<'_> {
    /// What a game starts from.
    pub fn of(&self, pairing: &Pairing) -> Setup {
        Setup {
            seats: pairing.seats.len() as u8,
            board: (self.boards)(pairing.board),
            marks: self.ruleset.marks.iter().take(pairing.seats.len()).copied().collect(),
            seed: seed_of(self.seed, pairing),
        }
    }
}

/// The seed of a game: of the contest's and of what the game is, so that it is the same whenever it is played. Games
/// of a match on one board have the same, whatever the order of play: so the sides have each other's lots in turn (R1).
fn seed_of(contest: u64, pairing: &Pairing) -> u64 {
    let id = pairing.id;
    let place = u64::from(id.stage) << 56 | u64::from(id.round) << 40 | u64::from(id.table) << 8;
    let place =
        place.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ u64::from(pairing.board).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    Lots::new(contest ^ place.wrapping_mul(0x9e37_79b9_7f4a_7c15)).draw()
}
