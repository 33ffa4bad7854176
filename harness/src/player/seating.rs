//! Who speaks what: from a bot and the rules to a player in its seat.

use super::Player;
use super::arena_pipe::ArenaPipe;
use super::dialect::Dialect;
use super::gtp::Gtp;
use super::lines::Lines;
use crate::bot::{Bot, Speech};
use crate::ruleset::{Rules, Ruleset};
use crate::sandbox::{Conditions, Level, MarkClaim, SandboxError, claim_marks};
use cornerman::game::{Seat, Setup};

/// Seats `bot` for a game by `ruleset`, in a sandbox of its own.
///
/// # Errors
/// When no sandbox can be opened under `conditions`.
pub fn open(
    bot: &Bot,
    ruleset: &Ruleset,
    seat: Seat,
    conditions: Conditions,
) -> Result<Box<dyn Player>, SandboxError> {
    Ok(match &ruleset.rules {
        Rules::Boxing(_) => Box::new(ArenaPipe::open(bot, ruleset.marks[seat.index()], conditions)?),
        Rules::Rps(_) => {
            let limits = &bot.limits;
            Box::new(Lines::open(
                bot,
                Dialect::rps(limits.start, limits.soft, limits.hard),
                ruleset.pondering,
                conditions,
            )?)
        }
        Rules::Go(go, clock) if bot.speaks == Speech::Gtp => {
            Box::new(Gtp::open(bot, go, *clock, ruleset.pondering, conditions)?)
        }
        Rules::Go(go, clock) => {
            Box::new(Lines::open(bot, Dialect::go(seat, go.size, *clock), ruleset.pondering, conditions)?)
        }
    })
}

/// What `bot` calls itself when it is started for a game by `ruleset`, where the game has it say so; `None` if it says
/// nothing within its time (R3).
///
/// # Errors
/// When it cannot be started in a sandbox under `conditions`.
pub fn introduction(bot: &Bot, ruleset: &Ruleset, conditions: Conditions) -> Result<Option<String>, SandboxError> {
    if !matches!(ruleset.rules, Rules::Rps(_)) {
        return Ok(None);
    }
    let mut player = open(bot, ruleset, Seat(0), conditions)?;
    player.start(&Setup { seats: 2, board: Vec::new(), marks: Vec::new(), seed: 0 }, Seat(0))?;
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
