//! Games of the bots beside the judge. Only the judge's author can tell whether the scores are the right way round,
//! because only the author knows which bot is the better one.

use super::Engine;
use crate::judges::session::{Checked, players};
use crate::protocol::setup;
use cornerman::game::{End, Outcome, Seat};
use cornerman_harness::bot::Bot;
use cornerman_harness::player::seating::Seated;
use cornerman_harness::referee::play_unseen;
use cornerman_harness::text::count;
use std::fmt;
use std::time::{Duration, Instant};

/// For how long games are begun.
const PATIENCE: Duration = Duration::from_secs(5);

/// In how many games a bot sits in each seat, if games differ by seed.
const SEEDS: u64 = 5;

/// The results of a bot in games against another one, which has all other seats.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BotTally {
    /// The bot.
    pub bot: String,
    /// The other one.
    pub against: String,
    /// The number of games.
    pub games: u32,
    /// Those that it won alone.
    pub won: u32,
    /// Those in which it shared the first place.
    pub tied: u32,
    /// Those that ended by a forfeit, of any seat.
    pub forfeited: u32,
}

impl BotTally {
    /// Counts a game in which the bot had this seat.
    fn add(&mut self, outcome: &Outcome, own: Seat) {
        self.games += 1;
        self.forfeited += u32::from(outcome.end == End::Forfeited);
        if outcome.places[own.index()] == 1 {
            let counter = if outcome.winners().count() == 1 { &mut self.won } else { &mut self.tied };
            *counter += 1;
        }
    }
}

impl fmt::Display for BotTally {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let BotTally { bot, against, games, won, tied, forfeited } = self;
        write!(f, "{bot} won {won} of {} against {against}", count(*games, "game"))?;
        if *tied > 0 {
            write!(f, ", {tied} tied")?;
        }
        if *forfeited > 0 {
            write!(f, "; {forfeited} ended by a forfeit")?;
        }
        Ok(())
    }
}

impl Engine<'_> {
    /// Lets each bot play against the one before it, in every seat.
    pub(super) fn bots(&self) -> Checked<Vec<BotTally>> {
        let until = Instant::now() + PATIENCE;
        let seats = self.request.ruleset.seats.0;
        let seeds = if self.hello.seeded { SEEDS } else { 1 };
        let mut tallies = Vec::new();
        for pair in self.request.bots.windows(2).filter(|_| seats > 1) {
            let [other, own] = pair else { unreachable!("windows of two") };
            let (bot, against) = (own.name.clone(), other.name.clone());
            let mut tally = BotTally { bot, against, games: 0, won: 0, tied: 0, forfeited: 0 };
            let games = (0..seeds).flat_map(|seed| (0..seats).map(move |seat| (seed, Seat(seat))));
            for (seed, own_seat) in games.take_while(|_| Instant::now() < until) {
                let seated = (0..seats).map(|seat| if Seat(seat) == own_seat { own } else { other });
                if let Some(outcome) = self.game_of_bots(seed, seated)? {
                    tally.add(&outcome, own_seat);
                }
            }
            if tally.games > 0 {
                tallies.push(tally);
            }
        }
        Ok(tallies)
    }

    /// The outcome of a game of these bots; `None` if it cannot start.
    fn game_of_bots<'b>(&self, seed: u64, bots: impl Iterator<Item = &'b Bot>) -> Checked<Option<Outcome>> {
        let setup = setup(self.request.ruleset, seed);
        let Ok(mut live) = self.request.ruleset.open(&setup) else { return Ok(None) };
        let mut seated = Seated::new(players(self.request, bots)?, &setup.marks)?;
        Ok(Some(play_unseen(&mut *live, &setup, &mut seated.players, &mut |_| {})?))
    }
}
