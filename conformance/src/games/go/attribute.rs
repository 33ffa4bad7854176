//! The attribution of failures in games of Go to their causes, as far as all games of a bot together show them.

use super::misconception::{PlayedGame, turns};
use super::play::ONLY_A_PASS;
use super::{id, misconception, played, silence};
use crate::attribution::{Failure, Observations};
use crate::catalog::Id;
use crate::protocol::lines::LineEvent;
use cornerman::games::go::{Colour, Go, Move};
use cornerman_harness::sandbox::Ended;

/// The symptoms of a bot that stops playing.
pub(super) const SILENT: [Id; 4] = [id::TURN, id::LONG, id::CLOCK, id::PASS];

/// Attributes illegal moves and silences to their causes.
pub(super) fn attribute(seen: &mut Observations) {
    let games: Vec<PlayedGame> = seen.plain.iter().map(played).collect();
    illegal_moves(seen, &games);
    silences(seen, &games);
    of_one_size(seen, &games);
    same_at_the_end(seen, id::ONE, id::END, |_| true);
    // A bot that dies when the game is over may die when its input ends for the same reason.
    let died = |failure: &Failure| matches!(failure.finding.evidence.report.ended, Ended::Signalled(_));
    same_at_the_end(seen, id::SIGNAL, id::EOF, died);
}

/// Whether the failure is an illegal move.
pub(super) fn is_illegal(failure: &Failure) -> bool {
    id::ILLEGAL.contains(&failure.finding.symptom)
}

/// An illegal move is due to the misconception that explains all games, if one does. A bot that moves illegally
/// only where a pass is the only legal move does not know that it must pass.
fn illegal_moves(seen: &mut Observations, games: &[PlayedGame]) {
    let mut illegal: Vec<&mut Failure> = seen.failures.iter_mut().filter(|failure| is_illegal(failure)).collect();
    if illegal.is_empty() {
        return;
    }
    if illegal.iter().all(|failure| failure.finding.expected.as_deref() == Some(ONLY_A_PASS)) {
        for failure in &mut illegal {
            failure.finding.symptom = id::PASS;
            failure.finding.what.push_str("; it had no legal point left");
        }
    } else if illegal.iter().all(|failure| failure.finding.symptom == id::KO) {
        // Retaking a ko is its own explanation.
    } else if let Some(misconception) = misconception::find(games) {
        for failure in &mut illegal {
            failure.finding.symptom = misconception.id();
            failure.finding.what.push_str(&format!("; {}", misconception.in_words()));
        }
    }
}

/// Silences are due to what was new to the bot in all of them. Otherwise, if the bot was silent where it had to
/// pass, and never passed in any game, all silences are due to passing.
fn silences(seen: &mut Observations, games: &[PlayedGame]) {
    let mut silent: Vec<&mut Failure> = seen.failures.iter_mut().filter(|failure| is_silent(failure)).collect();
    let ended: Vec<PlayedGame> = silent.iter().map(|failure| played(&failure.finding.evidence)).collect();
    let passes = games.iter().any(|game| turns(game).any(|turn| turn.colour == game.bot && turn.m == Move::Pass));
    let must_pass = silent.iter().any(|failure| failure.finding.symptom == id::PASS);
    let (id, why) = match silence::reason(&ended, games) {
        Some(reason) => (reason.id(), reason.in_words()),
        None if must_pass && !passes => (id::PASS, "it never wrote `pass` in any game".to_string()),
        None => return,
    };
    let known: Vec<Id> = silent.iter().map(|failure| failure.finding.symptom).collect();
    for by in seen.blocked.values_mut().filter(|by| known.contains(by)) {
        *by = id;
    }
    for failure in &mut silent {
        failure.finding.symptom = id;
        failure.finding.what.push_str(&format!("; {why}"));
    }
}

/// Whether the bot wrote nothing in answer to the opponent's last move, in a game whose conditions do not matter.
pub(super) fn is_silent(failure: &Failure) -> bool {
    let transcript = failure.finding.evidence.transcript.as_ref();
    let wrote_nothing = || {
        let last = transcript.and_then(|transcript| misconception::lines(transcript).last());
        matches!(last, Some(LineEvent::Sent(_)))
    };
    failure.special_check().is_none() && SILENT.contains(&failure.finding.symptom) && wrote_nothing()
}

/// A bot that fails in most games on one small board, and on no other, does not cope with its size.
fn of_one_size(seen: &mut Observations, games: &[PlayedGame]) {
    let of_rules = |failure: &&mut Failure| id::RULES.contains(&failure.finding.symptom);
    let mut failures: Vec<&mut Failure> = seen.failures.iter_mut().filter(of_rules).collect();
    let sizes = failures.iter().map(|failure| played(&failure.finding.evidence).size);
    let failed: Vec<u8> = sizes.collect();
    let Some(&size) = failed.first() else { return };
    let all = games.iter().filter(|game| game.size == size && game.bot == Colour::Black).count();
    let others = games.iter().any(|game| game.size != size && game.size != Go::default().size);
    let is_only = failed.iter().all(|&other| other == size) && size != Go::default().size;
    if is_only && others && failed.len() >= all {
        for failure in &mut failures {
            failure.seen_by = Some(id::SIZE);
        }
    }
}

/// What fails the check `earlier` at any time may also happen at the end, and fail the check `end`: that is the same
/// fault, if `is_same`. A bot that makes two moves a turn also does so when the game ends.
fn same_at_the_end(seen: &mut Observations, earlier: Id, end: Id, is_same: impl Fn(&Failure) -> bool) {
    let follows = |failure: &Failure| failure.finding.symptom == end && is_same(failure);
    let is_known = seen.in_plain_conditions().any(|failure| failure.finding.symptom == earlier);
    if is_known && seen.failures.iter().any(follows) {
        seen.failures.retain(|failure| !follows(failure));
        seen.blocked.insert(end, earlier);
    }
}
