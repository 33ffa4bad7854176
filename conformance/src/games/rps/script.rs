//! The scripts of the dialogues of rock-paper-scissors.

use super::game::{GamePlan, OngoingGame, Watch};
use super::id;
use crate::fault::Fault;
use crate::lines::protocol::{ends_with_its_input, extra_processes};
use crate::lines::{DialogueResult, DialogueSession, LineEvent, LineRead, Transcript};
use cornerman::games::rps::Hand;
use cornerman_harness::text::escaped;
use std::io;

/// Plays a whole game. Returns the fault, if there is one, as all scripts do.
///
/// # Errors
/// The system failed.
pub(super) fn whole(session: &mut DialogueSession, plan: &GamePlan, watch: Watch) -> io::Result<Option<Fault>> {
    OngoingGame::script(session, plan, watch, |game| {
        game.open()?;
        game.rounds(game.plan.rounds)?;
        game.end()
    })
}

/// Ends the input before anything is sent, and checks whether the bot writes its name only then.
///
/// # Errors
/// The system failed.
pub(super) fn flushes_name_at_end(session: &mut DialogueSession) -> io::Result<Option<Fault>> {
    session.close_input();
    let limit = session.limits.start;
    let held_back = matches!(session.read_line(limit)?, LineRead::Line(_));
    Ok(held_back.then(|| Fault::new(id::FLUSH, "it wrote its name only when its input ended")))
}

/// Plays a game and counts the bot's processes and threads.
///
/// # Errors
/// The system failed.
pub(super) fn counted(session: &mut DialogueSession, plan: &GamePlan) -> io::Result<Option<Fault>> {
    OngoingGame::script(session, plan, Watch::AfterEnd, |game| {
        game.open()?;
        for until in (5..=game.plan.rounds).step_by(5) {
            game.rounds(until)?;
            let fault = extra_processes(game.session, id::THREADS, true, &format!("{until} rounds"))?;
            fault.map_or(Ok(()), Err)?;
        }
        Ok(())
    })
}

/// Ends the input of a game: before the seed is sent if `after` is `None`, or else after that number of rounds. The bot
/// must end then.
///
/// # Errors
/// The system failed.
pub(super) fn input_ends_early(
    session: &mut DialogueSession,
    plan: &GamePlan,
    after: Option<usize>,
) -> io::Result<Option<Fault>> {
    OngoingGame::script(session, plan, Watch::AfterEnd, |game| {
        match after {
            Some(after) => game.open().and_then(|()| game.rounds(after))?,
            None => super::opening::name(game)?,
        }
        let patience = game.session.limits.hard;
        Err(ends_with_its_input(game.session, id::EOF, patience)?.into())
    })
}

/// The name that the bot gave itself.
pub(super) fn name(transcript: &Transcript) -> Option<Vec<u8>> {
    transcript.lines().next().map(|line| line.trim_ascii().to_vec())
}

/// Whether the bot was sent something before it had written anything, because it was silent.
pub(super) fn was_silent(transcript: &Transcript) -> bool {
    let is_line = |event: &&LineEvent| !matches!(event, LineEvent::Note(_));
    matches!(transcript.0.iter().map(|entry| &entry.event).find(is_line), Some(LineEvent::Sent(_)))
}

/// The fault of a bot whose name was `first` in one game and `then` in another.
pub(super) fn renamed(first: &[u8], then: &[u8]) -> Fault {
    let what = format!("it calls itself `{}` in one game and `{}` in another", escaped(first), escaped(then));
    Fault::new(id::NAME, what)
}

/// The hands that the bot showed in a dialogue.
pub(super) fn hands(result: &DialogueResult) -> Vec<Hand> {
    let lines = result.evidence.transcript.iter().flat_map(Transcript::lines);
    lines.skip(1).filter_map(|line| Hand::read(line).ok()).collect()
}
