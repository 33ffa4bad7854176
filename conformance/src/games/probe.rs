//! Which game a bot plays that does not say so: guessed only when it is unmistakable.
//!
//! The usual game comes first, as most bots play it: one run with an arena, and whoever answers at any length is a
//! Boxing bot, right or wrong. Only who does not is started as for the games in lines, and believed to play one
//! only if it opens as nothing but a bot of that game does.

use cornerman::games::boxing::{ARENA_BYTES, Arena};
use cornerman::games::go;
use cornerman::games::rps::Hand;
use cornerman_harness::bot::Bot;
use cornerman_harness::sandbox::{Conditions, Ended, Line, Order, Sandbox, SandboxError, claim_marks};
use std::time::Instant;

/// The mark for the arena that is shown to it.
const MARK: u8 = b'A';

/// An answer of more than half an arena is meant to be one.
const LIKE_AN_ARENA: usize = ARENA_BYTES / 2;

/// No first word is longer.
const LONGEST: usize = 4096;

/// The game's name, and what gave it away; `None` if nothing did.
///
/// # Errors
/// When no sandbox can be had.
pub fn game_of(bot: &Bot, conditions: Conditions) -> Result<Option<(&'static str, &'static str)>, SandboxError> {
    let mut sandbox = Sandbox::open(&bot.program, &bot.limits, conditions)?;
    if boxes(&mut sandbox)? {
        return Ok(None);
    }
    let (hands, sandbox) = shows_hands(sandbox, bot)?;
    if hands {
        return Ok(Some(("rps", "it says its name unprompted and then shows a hand")));
    }
    Ok(opens_in_go(sandbox, bot)?.then_some(("go", "it opens with a vertex when started as `black`")))
}

/// Whether it answers an arena, if not rightly, or cannot be started at all.
fn boxes(sandbox: &mut Sandbox) -> Result<bool, SandboxError> {
    let shared = sandbox.isolation().level.shares_tmp();
    let claim = claim_marks(if shared { &[MARK] } else { &[] }).map_err(SandboxError::Start)?;
    let report = sandbox.run(&Order::of_move(MARK, &Arena::open().to_bytes()))?;
    sandbox.clear_state(MARK)?;
    drop(claim);
    Ok(report.output.len() > LIKE_AN_ARENA || matches!(report.ended, Ended::CannotStart { .. }))
}

/// Whether it says a line unprompted, and a hand once it was sent a seed and the number of rounds (R3–R5).
fn shows_hands(sandbox: Sandbox, bot: &Bot) -> Result<(bool, Sandbox), SandboxError> {
    let mut session = match sandbox.start(&Order::of_game(Vec::new()))? {
        Ok(session) => session,
        Err((_, sandbox)) => return Ok((false, sandbox)),
    };
    let mut line = || session.line(LONGEST, Instant::now() + bot.limits.hard).map_err(SandboxError::Lost);
    let named = matches!(line()?, Line::Read(_));
    let hand = named && {
        session.send(b"1\n2\n", Instant::now() + bot.limits.hard).map_err(SandboxError::Lost)?;
        let answer = session.line(LONGEST, Instant::now() + bot.limits.hard).map_err(SandboxError::Lost)?;
        matches!(answer, Line::Read(answer) if Hand::read(&answer).is_ok())
    };
    let (_, sandbox) = session.finish(bot.limits.hard)?;
    Ok((hand, sandbox))
}

/// Whether its first line, started as `black`, is a vertex (G4, G5).
fn opens_in_go(sandbox: Sandbox, bot: &Bot) -> Result<bool, SandboxError> {
    let Ok(mut session) = sandbox.start(&Order::of_game(vec!["black".into()]))? else { return Ok(false) };
    let first = session.line(LONGEST, Instant::now() + bot.limits.hard).map_err(SandboxError::Lost)?;
    session.finish(bot.limits.hard)?;
    Ok(matches!(first, Line::Read(first) if go::is_move(&first, go::Go::default().size)))
}
