//! Plays a recorded game on from one of its positions, with other bots in its seats.

use crate::bot::Bot;
use crate::player::seating::{self, Seated};
use crate::player::{Answer, Conduct, IdleCallback, Player, Turn};
use crate::record::{GameRecord, RecordedAction, actions};
use crate::referee::{self, Event};
use crate::ruleset::Ruleset;
use crate::sandbox::{Conditions, Isolation, Sandbox, SandboxError, SandboxPool};
use cornerman::game::{Outcome, Reply, Seat, Setup};
use std::collections::VecDeque;
use std::error::Error;

/// The sandboxes in which bots play games on, and the isolation that they must have.
pub struct PlayingOn<'a> {
    /// The rules of the record.
    pub ruleset: &'a Ruleset,
    /// The isolation that bots must have.
    pub conditions: Conditions,
    /// Their sandboxes between games.
    pub sandboxes: &'a SandboxPool,
}

impl PlayingOn<'_> {
    /// Repeats the first `taken` actions of `game`, and then plays it to its end with a bot for each seat. Each bot is
    /// asked for the recorded moves too, because it may keep notes, but these answers do not count. `None` if a seat
    /// forfeits, in the repeated actions or after them.
    ///
    /// # Errors
    /// If the rules do not allow the game's start, its marks cannot be claimed, a sandbox fails, or a bot does not play
    /// this game.
    ///
    /// # Panics
    /// If `game` has fewer than `taken` actions, or there is not one bot for each of its seats.
    pub fn play(&self, game: &GameRecord, taken: usize, bots: &[&Bot]) -> Result<Option<Outcome>, Box<dyn Error>> {
        let mut made = vec![VecDeque::new(); bots.len()];
        for action in &actions(game)[..taken] {
            let RecordedAction::Moved(one) = action else { return Ok(None) };
            made[one.seat.index()].push_back(one.notation.clone());
        }
        let mut players: Vec<Box<dyn Player>> = Vec::new();
        for ((seat, bot), made) in (0u8..).map(Seat).zip(bots).zip(made) {
            let sandbox = bot.sandbox_of(self.sandboxes, self.conditions)?;
            players.push(Box::new(Successor { player: seating::seat(bot, self.ruleset, seat, sandbox)?, made }));
        }
        let mut seated = Seated::new(players, &game.setup.marks)?;
        let mut live = self.ruleset.open(&game.setup)?;
        let mut forfeits = false;
        let outcome = referee::play_unseen(&mut *live, &game.setup, &mut seated.players, &mut |event| {
            forfeits |= matches!(event, Event::Faulted { .. });
        })?;
        for sandbox in seated.players.into_iter().filter_map(Player::into_sandbox) {
            self.sandboxes.give_back(sandbox);
        }
        Ok(if forfeits { None } else { Some(outcome) })
    }
}

/// A player that takes over a seat: its first answers are replaced by the moves that were `made` there.
struct Successor {
    player: Box<dyn Player>,
    made: VecDeque<String>,
}

impl Player for Successor {
    fn name(&self) -> &str {
        self.player.name()
    }
    fn isolation(&self) -> Option<&Isolation> {
        self.player.isolation()
    }
    fn shares_state_file(&self) -> bool {
        self.player.shares_state_file()
    }
    fn start(&mut self, setup: &Setup, seat: Seat) -> Result<(), SandboxError> {
        self.player.start(setup, seat)
    }
    fn ask_while(&mut self, turn: &Turn, idle: IdleCallback) -> Result<Answer, SandboxError> {
        let answer = self.player.ask_while(turn, idle)?;
        let made = self.made.pop_front();
        let reply = answer.reply.map(|given| made.map_or(given, Reply::Notation));
        Ok(Answer { reply, ..answer })
    }
    fn ask_ahead(&mut self, view: &[u8]) -> Result<(), SandboxError> {
        self.player.ask_ahead(view)
    }
    fn pause(&mut self) -> Result<bool, SandboxError> {
        self.player.pause()
    }
    fn send_final_view(&mut self, view: &[u8]) -> Result<(), SandboxError> {
        self.player.send_final_view(view)
    }
    fn finish(&mut self) -> Result<Conduct, SandboxError> {
        self.player.finish()
    }
    fn into_sandbox(self: Box<Self>) -> Option<Sandbox> {
        self.player.into_sandbox()
    }
}
