//! The dialogues of the checks that all games in lines share: a bot plays a game in plain conditions, ends when its
//! input ends, flushes its output, is one process, and plays in any environment.

use super::game::{GameDialogue, LinePlan, MOST_ANSWERS, Watch};
use super::session::{LineRead, Played};
use super::transcript::{LineEvent, Transcript};
use super::{Dialogue, DialogueResult, GRACE};
use crate::budget::Round;
use crate::catalog::{Catalogue, Id, Severity};
use crate::finding::{Cause, Finding};
use crate::jobs::{Job, JobResult};
use crate::runner::{IN_FOREIGN_FOLDER, SpecialCondition, WITHOUT_ENVIRONMENT};
use cornerman_harness::sandbox::{Ended, RunRequest};
use cornerman_harness::text::{count, duration};
use std::collections::BTreeSet;
use std::time::Duration;

/// The longest time that a bot has to end when its input ends.
const PATIENCE_AT_END: Duration = Duration::from_secs(2);

/// The [grace](Dialogue::grace) in dialogues that check whether a bot ends by itself.
pub(crate) const PATIENT: Duration = Duration::from_secs(4);

/// About how many moves a bot makes in a game without a known number of turns.
const USUAL_MOVES: u32 = 20;

/// A dialogue for `check` in which `play` plays the game of `plan`.
pub(crate) fn dialogue(
    check: Option<Id>,
    case: impl Into<String>,
    plan: LinePlan,
    play: impl Fn(&mut GameDialogue) -> Played + Send + Sync + 'static,
) -> Dialogue {
    Dialogue {
        check,
        case: case.into(),
        request: RunRequest::for_game(plan.args.clone()),
        moves: plan.turns.map_or(USUAL_MOVES, |turns| turns as u32),
        plan,
        watch: Watch::AfterEnd,
        dribbled: false,
        grace: GRACE,
        round: Round::First,
        play: Box::new(play),
    }
}

/// A dialogue in which a whole game is played.
pub(crate) fn whole(check: Option<Id>, case: impl Into<String>, plan: LinePlan) -> Dialogue {
    dialogue(check, case, plan, |game| game.until(MOST_ANSWERS))
}

/// The dialogues in special conditions that every game in lines has. Each of `ends` is a case in which the input ends
/// after this number of answers. `plan` makes the game of a case.
pub(crate) fn special(ends: [(&str, usize); 3], plan: impl Fn(&str) -> LinePlan) -> Vec<Dialogue> {
    let checks = plan("watched").rules.checks;
    let whole = |check, case| whole(Some(checks.id(check)), case, plan(case));
    let mut dialogues = vec![
        Dialogue { dribbled: true, ..whole("CHUNK", "byte by byte") },
        whole("ENV", "no environment").under(WITHOUT_ENVIRONMENT),
        whole("ENV", "foreign folder").under(IN_FOREIGN_FOLDER),
    ];
    if let Some(helpers) = checks.named("HELPERS") {
        let play = move |game: &mut GameDialogue| counted(game, helpers);
        dialogues.push(dialogue(Some(helpers), "counted", plan("counted"), play));
    }
    let eof = checks.id("EOF");
    for (case, after) in ends {
        let play = move |game: &mut GameDialogue| ends_early(game, eof, after);
        let about = "the input ends, and the program must end by itself".to_string();
        let ends = dialogue(Some(eof), case, LinePlan { about, ..plan(case) }, play);
        let moves = ends.moves.min(after as u32);
        dialogues.push(Dialogue { moves, ..ends });
    }
    // The bot has time to end by itself.
    dialogues.push(Dialogue { grace: PATIENT, ..whole("FRESH", "watched").under(|request| request.watch = true) });
    dialogues
}

/// Ends the input `after` this many answers. A bot that does not end soon, keeps writing, or is killed by a signal,
/// fails `eof`.
fn ends_early(game: &mut GameDialogue, eof: Id, after: usize) -> Played {
    game.until(after)?;
    let session = &mut *game.session;
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

/// Plays a game and counts the bot's processes and, if the game has a check of them, its threads. A bot with several
/// fails `check`.
fn counted(game: &mut GameDialogue, check: Id) -> Played {
    const EVERY: usize = 5;
    for until in (EVERY..=MOST_ANSWERS).step_by(EVERY) {
        game.until(until)?;
        let when = count(game.answers.len(), game.plan.rules.turn);
        let session = &mut *game.session;
        let tasks = session.tasks()?;
        if tasks.processes > 1 {
            return Err(Cause::new(check, format!("{} processes after {when}", tasks.processes)).into());
        }
        let counts_threads = game.plan.rules.checks.named("THREADS").is_some();
        if counts_threads && tasks.threads > 1 && !session.shared.runtime_has_threads() {
            return Err(Cause::new(check, format!("{} threads after {when}", tasks.threads)).into());
        }
        if game.is_ended() {
            break;
        }
    }
    Ok(())
}

/// The checks that a game in plain conditions decides.
const PLAIN: [&str; 11] =
    ["START", "SIGNAL", "ORPHAN", "STDERR", "TIME", "LF", "ONE", "ORDER", "FLUSH", "QUIET", "MOVE"];

/// The job of the game in plain conditions, whose result is that of [`in_plain_conditions`]. A bot that writes no name
/// is tested once more, to see whether it holds its output back.
pub(crate) fn plain_job(plan: LinePlan, harmless: Vec<Id>) -> Job {
    let checks = plan.rules.checks;
    let plain: BTreeSet<Id> = PLAIN.iter().filter_map(|name| checks.named(name)).collect();
    Job::new(&Vec::from_iter(plain), 1, move |runner| {
        let dialogue = whole(None, "plain", plan.clone());
        let mut dialogue = Dialogue { grace: PATIENT, watch: Watch::StartAndEnd, ..dialogue };
        let mut result = runner.run_dialogue(&dialogue)?;
        let is_start = result.causes.iter().any(|cause| cause.check == checks.id("START"));
        if plan.rules.greets && is_start && result.evidence.transcript.as_ref().is_some_and(was_silent) {
            let held_back = flushes_name_at_end(plan);
            let shown = runner.run_dialogue(&held_back)?;
            if shown.causes.iter().any(|cause| cause.check == checks.id("FLUSH")) {
                (dialogue, result) = (held_back, shown);
            }
        }
        Ok(in_plain_conditions(checks, &dialogue, result, &harmless))
    })
}

/// Whether the bot was sent something before it had written anything, because it was silent.
fn was_silent(transcript: &Transcript) -> bool {
    let mut lines =
        transcript.0.iter().map(|entry| &entry.event).filter(|event| !matches!(event, LineEvent::Note(_)));
    matches!(lines.next(), Some(LineEvent::Sent(_)))
}

/// The dialogue in which the input ends before anything is sent, to see whether the bot writes its name only then.
fn flushes_name_at_end(plan: LinePlan) -> Dialogue {
    let about = "the input ends before anything is sent".to_string();
    dialogue(None, "end at once", LinePlan { about, ..plan }, |game| {
        game.session.close_input();
        match game.session.read_line(game.session.limits.start)? {
            LineRead::Line(_) => Err(game.cause("FLUSH", "it wrote its name only when its input ended").into()),
            _ => Ok(()),
        }
    })
}

/// The result of a dialogue in plain conditions. A failed must ends the whole check, unless it is one of conduct or
/// one of the `harmless` checks. A bot that had to be stopped fails the check of the end of its input, and whether it
/// leaves processes behind cannot be judged then.
pub(crate) fn in_plain_conditions(
    checks: &'static Catalogue,
    dialogue: &Dialogue,
    result: DialogueResult,
    harmless: &[Id],
) -> JobResult {
    let mut found = JobResult::from(result.findings(None));
    let is_harmless = |check| harmless.contains(&check) || checks.is_any(check, &["ORPHAN", "FRESH", "STDERR"]);
    let is_must = |cause: &&Cause| cause.severity == Severity::Must && !is_harmless(cause.check);
    found.halted = result.causes.iter().find(is_must).map(|cause| cause.check);
    if found.halted.is_none() && result.evidence.report.ended == Ended::Stopped {
        // A bot that has not ended by itself after half of its grace is asked to end by a signal.
        let waited = duration(dialogue.grace / 2);
        let what = format!("it was still running {waited} after its game and the end of its input");
        let eof = checks.id("EOF");
        found.findings.push(Finding::new(None, Cause::new(eof, what), result.evidence.clone()));
        found.blocked = vec![(checks.id("ORPHAN"), eof)];
    }
    found.plain = vec![result.evidence];
    found
}

impl Dialogue {
    /// The same dialogue with a bot that is started under a special condition.
    #[must_use]
    pub(crate) fn under(mut self, condition: SpecialCondition) -> Dialogue {
        condition(&mut self.request);
        self
    }
}
