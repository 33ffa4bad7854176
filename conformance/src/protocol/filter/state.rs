//! The state file (B9): missing, from another game, or full of junk. No other file may be used.
//!
//! A bot must start a game without the file. During a game it may rely on the file, because only the bot changes it
//! then; so everything else here is a warning.

use super::conditions::with_state;
use super::games::{GamePlan, Played};
use super::question::{Findings, Question};
use super::{Purpose, job};
use crate::attribution::Observations;
use crate::catalog::{Id, Severity};
use crate::finding::{Finding, NEEDS_FILE};
use crate::jobs::Job;
use crate::runner::BotRunner;
use cornerman::game::{LiveGame, Seat};
use cornerman::rng::Rng;
use std::collections::BTreeSet;

/// The moves of all seats in the games that give the bot something to remember.
pub(crate) const A_FEW_MOVES: usize = 8;

/// The job of the check `cold`: there is no state file at the start of a game. If a bot fails without a file and plays
/// with any, the missing file is the cause, whatever else it looks like.
pub(crate) fn absent(cold: Id, asked: Question) -> Job {
    job(&[cold], 1, move |runner| {
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

/// The job of the check `cold`: the state files are removed in the game of `plan`.
pub(crate) fn removed(cold: Id, plan: GamePlan) -> Job {
    job(&[cold], A_FEW_MOVES as u32 + 2, move |runner| {
        let claim = runner.claim(&plan.marks())?;
        let mut found = Vec::new();
        match plan.play(runner)? {
            Played::To(live) => {
                for (seat, &(_, mark)) in (0..).map(Seat).zip(&plan.seats) {
                    if plan.game.shows_position_to_all() || live.to_act().contains(seat) {
                        found.extend(cold_move(runner, cold, &plan, live.as_ref(), (seat, mark))?);
                    }
                }
            }
            Played::Failed(findings) => found = interrupting(findings, cold),
        }
        runner.forget(&plan.marks())?;
        drop(claim);
        Ok(found)
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
    let request = asked.request();
    let kept = runner.state(mark)?;
    let evidence = runner.ask_claimed(&asked, Purpose::Special, &request, None)?;
    // Here the run without a state file is the special one, and the one with it is in plain conditions.
    asked.compared(runner, cold, evidence, (&request, kept.as_deref()), true)
}

/// The findings in a game that was to give the bot something to remember for `check`.
fn interrupting(findings: Vec<Finding>, check: Id) -> Vec<Finding> {
    findings.into_iter().map(|finding| finding.interrupting(check)).collect()
}

/// The job of the check `stale`: the state file is from another game, that of the plan beside the question.
pub(crate) fn stale(stale: Id, asked: Vec<(Question, GamePlan)>) -> Job {
    job(&[stale], (A_FEW_MOVES as u32 + 1) * asked.len() as u32, move |runner| {
        let mut found = Vec::new();
        for (question, plan) in &asked {
            let claim = runner.claim(&plan.marks())?;
            let elsewhere = plan.play(runner)?;
            let kept = runner.state(question.mark)?;
            runner.forget(&plan.marks())?;
            drop(claim);
            match elsewhere {
                Played::To(live) => {
                    // A bot that keeps no state file gets what another program might store there.
                    let state = kept.unwrap_or_else(|| live.board());
                    found.extend(with_state(runner, stale, question, "of another game", &state)?);
                }
                Played::Failed(findings) => found.extend(interrupting(findings, stale)),
            }
        }
        Ok(found)
    })
}

/// The job of the check `corrupt`: the state file is empty or full of junk.
pub(crate) fn corrupt(corrupt: Id, seed: u64, questions: Vec<Question>) -> Job {
    job(&[corrupt], 5, move |runner| {
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

/// Attributes findings to the check `cold` that are alike to one of a bot that plays if it has a state file.
pub(crate) fn attribute(seen: &mut Observations, cold: Id) {
    let needs_file = |finding: &&Finding| finding.conditions.flags & NEEDS_FILE != 0;
    let checks: BTreeSet<Id> = seen.in_plain_conditions().filter(needs_file).map(Finding::check).collect();
    for finding in seen.findings.iter_mut().filter(|finding| checks.contains(finding.cause.check)) {
        finding.conditions.attributed_to = Some(cold);
    }
}
