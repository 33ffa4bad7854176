//! Seating: making the players of a game from bots and a ruleset.

use super::Player;
use super::clock::GameClock;
use super::lines::LinePlayer;
use super::marks::{MarkClaim, claim_marks};
use super::pipe::PipePlayer;
use super::protocol::Protocol;
use crate::bot::Bot;
use crate::ruleset::Ruleset;
use crate::sandbox::{Conditions, Sandbox, SandboxError, SandboxPool};
use cornerman::game::{Seat, Setup};

/// The player for `bot` in `seat` of games by `ruleset`, in its own `sandbox`.
///
/// # Errors
/// When the game does not support the protocol that the bot speaks.
pub fn seat(bot: &Bot, ruleset: &Ruleset, seat: Seat, sandbox: Sandbox) -> Result<Box<dyn Player>, SandboxError> {
    let unknown = || {
        let spec = &bot.spec;
        let speaks = bot.engine_protocol.as_deref().unwrap_or("the game's protocol");
        SandboxError::Failed(format!("{spec} speaks {speaks}, which is not a protocol of {}", ruleset.game()))
    };
    let protocol = ruleset.protocol(seat, bot.engine_protocol.as_deref()).ok_or_else(unknown)?;
    Ok(seat_with(protocol, bot, ruleset.clock, ruleset.pondering, sandbox))
}

/// The player for `bot`, which speaks `protocol`, in its own `sandbox`. Without a `clock` for the whole game, the bot's
/// limits hold for each answer. With `ponders` it may think while it is not its turn.
pub fn seat_with(
    protocol: Protocol,
    bot: &Bot,
    clock: Option<GameClock>,
    ponders: bool,
    sandbox: Sandbox,
) -> Box<dyn Player> {
    match protocol {
        Protocol::Pipe(pipe) => Box::new(PipePlayer::new(bot, pipe, sandbox)),
        Protocol::Lines(lines) => Box::new(LinePlayer::new(bot, lines, clock, ponders, sandbox)),
    }
}

/// Starts `bot` and returns the name that it prints, if the protocol of `ruleset` asks for one (R3). `None` if the
/// protocol does not, or the bot prints no name in time.
///
/// # Errors
/// When no sandbox can be opened under `conditions`, or the sandbox fails.
pub fn announced_name(
    bot: &Bot,
    ruleset: &Ruleset,
    sandboxes: &SandboxPool,
    conditions: Conditions,
) -> Result<Option<String>, SandboxError> {
    let protocol = ruleset.protocol(Seat(0), bot.engine_protocol.as_deref());
    if !protocol.is_some_and(|protocol| protocol.greets()) {
        return Ok(None);
    }
    let sandbox = bot.sandbox_of(sandboxes, conditions)?;
    let mut player = seat(bot, ruleset, Seat(0), sandbox)?;
    player.start(&Setup { seats: ruleset.seats.0, ..Setup::default() }, Seat(0))?;
    let name = player.finish()?.called.filter(|name| !name.is_empty());
    if let Some(sandbox) = player.into_sandbox() {
        sandboxes.give_back(sandbox);
    }
    Ok(name)
}

/// The players of a game. Where bots share `/tmp`, also a claim to the state files there that these bots use, so that
/// no other game uses them meanwhile.
pub struct Seated {
    /// One player for each seat, in order of play.
    pub players: Vec<Box<dyn Player>>,
    _claim: MarkClaim,
}

impl Seated {
    /// Seats `players`, whose bots use `marks`. Where their state files are in a shared `/tmp`, this waits until no
    /// other game uses any of these marks.
    ///
    /// # Errors
    /// When the claim cannot be made, or another process keeps it for longer than a game takes.
    pub fn new(players: Vec<Box<dyn Player>>, marks: &[u8]) -> Result<Seated, SandboxError> {
        let wanted = if players.iter().any(|player| player.shares_state_file()) { marks } else { &[] };
        let claim = claim_marks(wanted).map_err(|error| SandboxError::Failed(error.to_string()))?;
        Ok(Seated { players, _claim: claim })
    }
}
