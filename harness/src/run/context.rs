//! The context that all games of a tournament share, and the start of each.

use super::Job;
use crate::bot::Bot;
use crate::player::Player;
use crate::player::seating::{self, Seated};
use crate::record::{GameRecord, GameRecorder};
use crate::referee::{self, Event};
use crate::ruleset::Ruleset;
use crate::sandbox::{Conditions, SandboxPool};
use cornerman::contest::Versions;
use cornerman::format::{EntrantId, GameId, Pairing};
use cornerman::game::{Seat, Setup};
use cornerman::rng::Rng;
use std::collections::BTreeMap;
use std::error::Error;
use std::sync::Arc;

/// Everything that the games of a tournament share.
pub struct GameContext {
    /// The rules in force.
    pub ruleset: Ruleset,
    /// The bots that can play here.
    pub bots: BTreeMap<EntrantId, Bot>,
    /// Which of them play the games of the entrants.
    pub versions: Versions,
    /// The isolation that bots must have.
    pub conditions: Conditions,
    /// Their sandboxes between games.
    pub sandboxes: Arc<SandboxPool>,
}

impl GameContext {
    /// Whether this game can begin at once, because sandboxes of all its bots are open.
    pub fn is_ready(&self, job: &Job) -> bool {
        let mut bots = job.pairing.seats.iter().map(|entrant| self.bot(*entrant, job.pairing.id));
        bots.all(|bot| bot.is_some_and(|bot| self.sandboxes.has(&bot.program, &bot.limits, self.conditions)))
    }

    /// The bot that plays a game of an entrant; `None` if it is not here.
    fn bot(&self, entrant: EntrantId, game: GameId) -> Option<&Bot> {
        self.bots.get(&self.versions.playing(entrant, game))
    }

    /// Plays one game.
    ///
    /// # Errors
    /// If the setup does not fit the rules, a bot is not here, or the sandbox fails. A failure of a bot is not an
    /// error: the bot loses.
    pub fn play(&self, job: Job) -> Result<GameRecord, Box<dyn Error>> {
        self.play_watched(job, &mut |_| ())
    }

    /// Plays one game, of which `watch` receives every event.
    ///
    /// # Errors
    /// Those of [`GameContext::play`].
    pub fn play_watched(&self, job: Job, watch: &mut dyn FnMut(&Event)) -> Result<GameRecord, Box<dyn Error>> {
        let Job { pairing, setup } = job;
        let wrong_board = |wrong| format!("board {}: {wrong}", pairing.board + 1);
        let mut game = self.ruleset.open(&setup).map_err(wrong_board)?;
        let mut players: Vec<Box<dyn Player>> = Vec::new();
        for (seat, entrant) in (0u8..).map(Seat).zip(&pairing.seats) {
            let no_bot = || format!("the bot of entrant {} is not here", entrant.0 + 1);
            let bot = self.bot(*entrant, pairing.id).ok_or_else(no_bot)?;
            let sandbox = bot.sandbox_of(&self.sandboxes, self.conditions)?;
            players.push(seating::seat(bot, &self.ruleset, seat, sandbox)?);
        }
        let mut seated = Seated::new(players, &setup.marks)?;
        let mut recorder = GameRecorder::new(pairing, setup.clone());
        referee::play_unseen(&mut *game, &setup, &mut seated.players, &mut |event| {
            watch(&event);
            recorder.on_event(&event);
        })?;
        let idle = seated.players.into_iter().filter_map(Player::into_sandbox);
        for sandbox in idle {
            self.sandboxes.give_back(sandbox);
        }
        Ok(recorder.record().expect("the referee reports the end of every game"))
    }
}

/// The start of the game `pairing` of a contest that draws its lots from `contest_seed`, by `ruleset` and on `board`.
///
/// Its seed depends only on the contest's seed, on the board's number and on the game's place in the contest, so that
/// it is the same whenever the game is played. The two games in which a pair swaps its seats on a board have the same
/// seed, so that the sides swap their lots (R1); the next two games of the pair have another. In games of more than two
/// entrants, all games at a table on one board have the same seed. If the rules [seed by
/// board](crate::kit::GameFacts::seeds_by_board), all games on a board have the same seed.
pub fn setup_for(pairing: &Pairing, contest_seed: u64, ruleset: &Ruleset, board: Vec<u8>) -> Setup {
    let seats = pairing.seats.len();
    let id = pairing.id;
    // The odd constants are those of SplitMix64: they spread each part over all bits.
    let repetition = if seats == 2 { u64::from(id.game / 2) } else { 0 };
    let place = u64::from(id.stage) << 56 | u64::from(id.round) << 40 | u64::from(id.table) << 8;
    let place = place ^ repetition.wrapping_mul(0x94d0_49bb_1331_11eb);
    let place =
        place.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ u64::from(pairing.board).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    // By board, all entrants get the same luck.
    let key = if ruleset.kit().facts().seeds_by_board { u64::from(pairing.board) + 1 } else { place };
    let seed = Rng::new(contest_seed ^ key.wrapping_mul(0x9e37_79b9_7f4a_7c15)).draw();
    Setup { seats: seats as u8, board, marks: ruleset.marks.iter().take(seats).copied().collect(), seed }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::rps;
    use crate::kit::AnyKit;
    use cornerman::format::{EntrantId, GameId};

    /// Checks the seeds of the first six games at a table: for each game, `alike` has the index of the first game with
    /// the same seed.
    #[track_caller]
    fn check(seats: u16, alike: [usize; 6]) {
        let ruleset = rps::KIT.default_ruleset();
        let seed = |game| {
            let id = GameId { stage: 0, round: 1, table: 2, game, attempt: 0 };
            let pairing = Pairing { id, seats: (0..seats).map(EntrantId).collect(), board: 3 };
            setup_for(&pairing, 7, &ruleset, Vec::new()).seed
        };
        let seeds: Vec<u64> = (0..6).map(seed).collect();
        let first = |seed: &u64| seeds.iter().position(|other| other == seed).unwrap();
        assert_eq!(seeds.iter().map(first).collect::<Vec<_>>(), alike);
    }

    #[test]
    fn a_pair_swaps_its_lots_and_then_draws_others() {
        check(2, [0, 0, 2, 2, 4, 4]);
        check(4, [0; 6]);
    }
}
