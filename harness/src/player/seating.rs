//! From a bot and the rules to a player in its seat.

use super::Player;
use super::clock::GameClock;
use super::lines::LinePlayer;
use super::pipe::PipePlayer;
use super::protocol::Protocol;
use crate::bot::Bot;
use crate::ruleset::Ruleset;
use crate::sandbox::{Conditions, Level, MarkClaim, SandboxError, claim_marks};
use cornerman::game::{Seat, Setup};

/// Seats `bot` for a game by `ruleset`, in a sandbox of its own.
///
/// # Errors
/// When no sandbox can be opened under `conditions`, or the game has no such protocol as the bot speaks.
pub fn open(
    bot: &Bot,
    ruleset: &Ruleset,
    seat: Seat,
    conditions: Conditions,
) -> Result<Box<dyn Player>, SandboxError> {
    let unknown = || {
        let (spec, speaks) = (&bot.spec, bot.speaks.as_deref().unwrap_or("the game's protocol"));
        SandboxError::Failed(format!("{spec} speaks {speaks}, which is not a protocol of {}", ruleset.game()))
    };
    let protocol = ruleset.protocol(seat, bot.speaks.as_deref()).ok_or_else(unknown)?;
    open_with(protocol, bot, ruleset.clock, ruleset.pondering, conditions)
}

/// Seats `bot`, which is spoken to by `protocol`, in a sandbox of its own. It has its own limits for each answer, or the
/// game's `clock`; `ponders`: it may think while it is not its turn.
///
/// # Errors
/// When no sandbox can be opened under `conditions`.
pub fn open_with(
    protocol: Protocol,
    bot: &Bot,
    clock: Option<GameClock>,
    ponders: bool,
    conditions: Conditions,
) -> Result<Box<dyn Player>, SandboxError> {
    Ok(match protocol {
        Protocol::Pipe(pipe) => Box::new(PipePlayer::open(bot, pipe, conditions)?),
        Protocol::Lines(lines) => Box::new(LinePlayer::open(bot, lines, clock, ponders, conditions)?),
    })
}

/// What `bot` calls itself when it is started for a game by `ruleset`, where the game has it say so; `None` if it says
/// nothing within its time (R3).
///
/// # Errors
/// When it cannot be started in a sandbox under `conditions`.
pub fn announced_name(
    bot: &Bot,
    ruleset: &Ruleset,
    conditions: Conditions,
) -> Result<Option<String>, SandboxError> {
    let protocol = ruleset.protocol(Seat(0), bot.speaks.as_deref());
    if !protocol.is_some_and(|protocol| protocol.greets()) {
        return Ok(None);
    }
    let mut player = open(bot, ruleset, Seat(0), conditions)?;
    player.start(&Setup { seats: ruleset.seats.0, ..Setup::default() }, Seat(0))?;
    Ok(player.finish()?.called.filter(|name| !name.is_empty()))
}

/// Players in their seats, and what they hold while they play.
pub struct Seated {
    /// One a seat, in order of play.
    pub players: Vec<Box<dyn Player>>,
    _claim: MarkClaim,
}

impl Seated {
    /// Seats `players`, who will use `marks`. Where bots share `/tmp`, this waits until no other game uses these.
    ///
    /// # Errors
    /// When the system gives no claim, or another process holds it for longer than a game takes.
    pub fn new(players: Vec<Box<dyn Player>>, marks: &[u8]) -> Result<Seated, SandboxError> {
        let mut levels = players.iter().filter_map(|player| player.isolation()).map(|isolation| isolation.level);
        let wanted = if levels.any(Level::shares_tmp) { marks } else { &[] };
        let claim = claim_marks(wanted).map_err(|error| SandboxError::Failed(error.to_string()))?;
        Ok(Seated { players, _claim: claim })
    }
}
