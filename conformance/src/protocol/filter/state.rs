//! The jobs of the checks of the state file (B9): it is missing, from another game, or full of junk.
//!
//! A bot must be able to start a game without the file. During a game it may rely on the file, because only the bot
//! changes it then; so whatever goes wrong without the file during a game is a warning.

use super::Purpose;
use super::conditions::with_state;
use super::games::{GamePlan, Played};
use super::question::{Findings, Question};
use crate::attribution::Observations;
use crate::catalog::{Id, Severity};
use crate::finding::{Finding, NEEDS_FILE};
use crate::jobs::Job;
use crate::runner::BotRunner;
use cornerman::game::{LiveGame, Seat};
use cornerman::rng::Rng;
use std::collections::BTreeSet;

/// The number of moves, of all seats together, in games that give the bot something to remember.
pub(crate) const A_FEW_MOVES: usize = 8;

/// The job of the check `cold` in which there is no state file at the start of a game. If the bot fails then, but
/// plays with some state file, the missing file is the cause.
pub(crate) fn absent(cold: Id, asked: Question) -> Job {
    Job::new(&[cold], 1, move |runner| {
        let request = asked.request();
        let evidence = runner.ask(&asked, Purpose::Special, &request, None)?;
        let Some(cause) = asked.cause_of_play(runner, &evidence.report) else { return Ok(Vec::new()) };
        for content in [b"".as_slice(), b"0\n", b"0 0 0\n", b"[]\n", b"{}\n", &asked.input] {
            let with_file = runner.ask(&asked, Purpose::Special, &request, Some(content))?;
            if asked.cause_of_play(runner, &with_file.report).is_none() {
                let mut finding = asked.finding(None, cause, evidence);
                finding.conditions.flags |= NEEDS_FILE;
                return Ok(vec![finding]);
            }
        }
        Ok(Vec::new())
    })
}

/// The job of the check `cold` in which the state files are removed during the game of `plan`.
pub(crate) fn removed(cold: Id, plan: GamePlan) -> Job {
    Job::new(&[cold], A_FEW_MOVES as u32 + 2, move |runner| {
        runner.claiming(&plan.marks(), |runner| {
            let live = match plan.play(runner)? {
                Played::To(live) => live,
                Played::Failed(findings) => return Ok(interrupting(findings, cold)),
            };
            let mut found = Vec::new();
            for (seat, &(_, mark)) in (0..).map(Seat).zip(&plan.seats) {
                if plan.game.shows_position_to_all() || live.to_act().contains(seat) {
                    found.extend(cold_move(runner, cold, &plan, live.as_ref(), (seat, mark))?);
                }
            }
            Ok(found)
        })
    })
}

fn cold_move(
    runner: &mut BotRunner,
    cold: Id,
    plan: &GamePlan,
    live: &dyn LiveGame,
    (seat, mark): (Seat, u8),
) -> Findings {
    let case = format!("{} move {}", plan.name, plan.max_moves + 1);
    let about = "a game against itself, its state file removed".to_string();
    let asked = plan.game.question(case, about, live, seat, mark);
    let asked = Question { severity: asked.severity.min(Severity::Should), ..asked };
    let kept = runner.state(mark)?;
    let evidence = runner.ask_claimed(&asked, Purpose::Special, &asked.request(), None)?;
    // During a game, plain conditions are those with the state file.
    asked.compared(runner, cold, evidence, kept.as_deref(), true)
}

/// `findings` of a game that gives the bot something to remember: because of them `check` could not continue.
fn interrupting(findings: Vec<Finding>, check: Id) -> Vec<Finding> {
    findings.into_iter().map(|finding| finding.interrupting(check)).collect()
}

/// The job of the check `stale`: each question is asked with the state file of another game, that of the plan beside
/// it.
pub(crate) fn stale(stale: Id, asked: Vec<(Question, GamePlan)>) -> Job {
    Job::new(&[stale], (A_FEW_MOVES as u32 + 1) * asked.len() as u32, move |runner| {
        let mut found = Vec::new();
        for (question, plan) in &asked {
            let play = |runner: &mut BotRunner| Ok((plan.play(runner)?, runner.state(question.mark)?));
            match runner.claiming(&plan.marks(), play)? {
                (Played::To(live), kept) => {
                    // For a bot that keeps no state file, it contains the board of that game.
                    let state = kept.unwrap_or_else(|| live.board());
                    found.extend(with_state(runner, stale, question, "of another game", &state)?);
                }
                (Played::Failed(findings), _) => found.extend(interrupting(findings, stale)),
            }
        }
        Ok(found)
    })
}

/// The job of the check `corrupt`: the state file is empty or full of junk.
pub(crate) fn corrupt(corrupt: Id, seed: u64, questions: Vec<Question>) -> Job {
    Job::new(&[corrupt], 5, move |runner| {
        let mut found = Vec::new();
        for (question, (words, state)) in questions.iter().cycle().zip(&junk_states(seed)) {
            found.extend(with_state(runner, corrupt, question, words, state)?);
        }
        Ok(found)
    })
}

/// Contents of state files that no bot has written, each with a description. Random bytes are drawn from `seed`.
fn junk_states(seed: u64) -> [(&'static str, Vec<u8>); 5] {
    let mut rng = Rng::new(seed);
    let junk = (0..4096).map(|_| rng.draw() as u8).collect();
    [
        ("that is empty", Vec::new()),
        ("of 4096 random bytes", junk),
        ("of 1 MiB of zeros", vec![0; 1 << 20]),
        ("with words instead of numbers", b"this is not what you wrote\n".repeat(20)),
        ("with a number out of all bounds", b"-99999999999999999999\n".to_vec()),
    ]
}

/// Attributes all findings whose causes fail the same check to the check `cold` if one of them shows that the bot plays
/// with a state file.
pub(crate) fn attribute(seen: &mut Observations, cold: Id) {
    let needs_file = |finding: &&Finding| finding.conditions.flags & NEEDS_FILE != 0;
    let checks: BTreeSet<Id> = seen.in_plain_conditions().filter(needs_file).map(Finding::check).collect();
    for finding in seen.findings.iter_mut().filter(|finding| checks.contains(finding.cause.check)) {
        finding.conditions.attributed_to = Some(cold);
    }
}
