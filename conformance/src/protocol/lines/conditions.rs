//! The checks that all games in lines share: a bot ends when its input ends, flushes its output, is one process, and
//! plays in any environment. Each game has its own ids for them.

use super::dialogue::{Dialogue, DialogueResult};
use super::session::{DialogueSession, Played};
use crate::catalog::{Catalogue, Id, Severity};
use crate::conduct::CommonCheckIds;
use crate::finding::{Cause, Finding};
use crate::job::JobResult;
use crate::runner::{IN_FOREIGN_FOLDER, WITHOUT_ENVIRONMENT};
use cornerman_harness::sandbox::{Ended, Environment};
use cornerman_harness::text::duration;
use std::time::Duration;

/// A game is abandoned after this many answers of the bot, and so is one that is played on to find out what it does.
pub(crate) const MOST_ANSWERS: usize = 10_000;

/// The longest time that a bot has to end when its input ends.
const PATIENCE_AT_END: Duration = Duration::from_secs(2);

/// The ids of the checks of a game in lines.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LineIds {
    pub common: CommonCheckIds,
    /// The bot wrote nothing in its first turn.
    pub mute: Id,
    /// It ended before the end of the game.
    pub left: Id,
    /// It wrote something before its first turn.
    pub banner: Id,
    /// It wrote text besides its answers.
    pub quiet: Id,
    /// An answer is wrong.
    pub wrong: Id,
    /// A line is longer than any answer.
    pub endless_line: Id,
    pub lf: Id,
    /// It wrote a line too many.
    pub one: Id,
    /// It wrote an answer too early.
    pub order: Id,
    pub flush: Id,
    pub eof: Id,
    pub determinism: Id,
}

impl LineIds {
    /// The ids of a game with this catalogue, which has all checks of the protocol.
    pub(crate) fn new(catalogue: &'static Catalogue) -> LineIds {
        let id = |name| catalogue.id(name);
        LineIds {
            common: CommonCheckIds::in_lines(catalogue),
            mute: id("START"),
            left: id("START"),
            banner: id("ORDER"),
            quiet: id("ONE"),
            wrong: id("MOVE"),
            endless_line: id("ONE"),
            lf: id("LF"),
            one: id("ONE"),
            order: id("ORDER"),
            flush: id("FLUSH"),
            eof: id("EOF"),
            determinism: id("DETERMINISM"),
        }
    }

    /// The checks that a game in plain conditions decides.
    pub(crate) fn plain(&self) -> Vec<Id> {
        let CommonCheckIds { start, signal, orphan, stderr, time, .. } = self.common;
        let own = [start, signal, orphan, time, self.lf, self.one, self.order, self.flush];
        let mut all: Vec<Id> = own.into_iter().chain([self.quiet, self.wrong]).chain(stderr).collect();
        all.sort_unstable();
        all.dedup();
        all
    }
}

/// How long a bot may take to end by itself in dialogues that check this.
pub(crate) const PATIENT: Duration = Duration::from_secs(4);

/// A game in lines with a bot, as the checks of the protocol play it.
pub(crate) trait Playing {
    /// The dialogue with the bot.
    fn session(&mut self) -> &mut DialogueSession;

    /// Plays until the bot has given this many answers, or the game is over; with 0, only what comes before the game.
    ///
    /// # Errors
    /// As all scripts.
    fn until(&mut self, answers: usize) -> Played;

    /// Whether the game is over.
    fn is_over(&self) -> bool;

    /// How far the game is, in words.
    fn so_far(&self) -> String;
}

/// Plays a game as a check needs it.
pub(crate) type Play = Box<dyn Fn(&mut dyn Playing) -> Played + Send + Sync>;

/// The dialogues for one check each that every game in lines has. `eof` is the check of the end of the input, which comes
/// after each number of answers in `ends`. `new` makes the dialogue for a check and a case, in which a game is played.
pub(crate) fn special(
    ids: &CommonCheckIds,
    eof: Id,
    ends: [(&str, usize); 3],
    new: impl Fn(Id, &str, Play) -> Dialogue,
) -> Vec<Dialogue> {
    let &CommonCheckIds { chunk, env, fresh, helpers, counts_threads, .. } = ids;
    let whole = |check, case: &str| new(check, case, Box::new(|game| game.until(MOST_ANSWERS)));
    let mut dialogues = vec![
        whole(chunk, "byte by byte").byte_by_byte(),
        whole(env, "no environment").without_environment(),
        whole(env, "foreign folder").in_foreign_folder(),
    ];
    if let Some(helpers) = helpers {
        dialogues.push(new(helpers, "counted", Box::new(move |game| counted(game, helpers, counts_threads))));
    }
    for (case, after) in ends {
        let ends = new(eof, case, Box::new(move |game| ends_early(game, eof, after)));
        let about = "the input ends, and the program must end by itself".to_string();
        let moves = ends.moves.min(after as u32);
        dialogues.push(Dialogue { about, moves, ..ends });
    }
    dialogues.push(whole(fresh, "watched").watched());
    dialogues
}

/// Ends the input `after` this many answers. A bot that does not end soon fails `eof`, and so does one that a signal kills.
fn ends_early(game: &mut dyn Playing, eof: Id, after: usize) -> Played {
    game.until(after)?;
    let session = game.session();
    let patience = session.limits.hard.min(PATIENCE_AT_END);
    session.close_input();
    let rest = session.read_unsolicited(patience)?;
    let cause = if rest.gone {
        Cause::new(eof, "at the end of its input").if_by_signal()
    } else if rest.flood {
        Cause::new(eof, "it kept writing after its input had ended")
    } else {
        let waited = duration(patience);
        Cause::new(eof, format!("it was still running {waited} after the end of its input"))
    };
    Err(cause.into())
}

/// Plays a game and counts the bot's processes and, if `threads`, its threads. A bot with several fails `check`.
fn counted(game: &mut dyn Playing, check: Id, threads: bool) -> Played {
    const EVERY: usize = 5;
    for until in (EVERY..=MOST_ANSWERS).step_by(EVERY) {
        game.until(until)?;
        let when = game.so_far();
        let session = game.session();
        let tasks = session.tasks()?;
        if tasks.processes > 1 {
            return Err(Cause::new(check, format!("{} processes after {when}", tasks.processes)).into());
        }
        if threads && tasks.threads > 1 && !session.runtime_has_threads {
            return Err(Cause::new(check, format!("{} threads after {when}", tasks.threads)).into());
        }
        if game.is_over() {
            break;
        }
    }
    Ok(())
}

/// The result of a dialogue in plain conditions. A failed must ends the whole check, except those of `harmless` checks.
/// A bot that had to be stopped fails `eof`; whether it leaves processes behind, which is the check `orphan`, cannot be
/// judged then.
pub(crate) fn in_plain_conditions(
    dialogue: &Dialogue,
    result: DialogueResult,
    harmless: &[Id],
    eof: Id,
    orphan: Id,
) -> JobResult {
    let mut found = JobResult { findings: result.findings(None), ..JobResult::default() };
    let is_must = |cause: &&Cause| cause.severity == Severity::Must && !harmless.contains(&cause.check);
    found.halted = result.causes.iter().find(is_must).map(|cause| cause.check);
    if found.halted.is_none() && result.evidence.report.ended == Ended::Stopped {
        let waited = duration(dialogue.grace / 2);
        let what = format!("it was still running {waited} after its game and the end of its input");
        found.findings.push(Finding::new(None, Cause::new(eof, what), result.evidence.clone()));
        found.blocked = vec![(orphan, eof)];
    }
    found.plain = vec![result.evidence];
    found
}

impl Dialogue {
    /// The same dialogue with input byte by byte.
    #[must_use]
    pub fn byte_by_byte(self) -> Self {
        Dialogue { dribbled: true, ..self }
    }

    /// The same dialogue with PATH as the only environment variable.
    #[must_use]
    pub fn without_environment(mut self) -> Self {
        WITHOUT_ENVIRONMENT(&mut self.request);
        self
    }

    /// The same dialogue in a working directory that is not the bot's own.
    #[must_use]
    pub fn in_foreign_folder(mut self) -> Self {
        IN_FOREIGN_FOLDER(&mut self.request);
        self
    }

    /// The same dialogue with everything changed that a bot may not depend on.
    #[must_use]
    pub fn in_other_surroundings(mut self) -> Self {
        self.request.environment = Environment::Varied;
        self
    }

    /// The same dialogue while the file system is watched. The bot has time to end by itself.
    #[must_use]
    pub fn watched(mut self) -> Self {
        self.request.watch = true;
        Dialogue { grace: PATIENT, ..self }
    }
}
