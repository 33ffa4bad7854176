//! The checks themselves, a file a group. Each is a [`Job`]: runs of the bot, and the [`Trouble`] seen in them.
//! Which check a trouble fails is decided once all jobs are done, in [`super::attribute`].

pub mod answers;
pub mod games;
pub mod odd;
pub mod running;
pub mod state;

use super::case::Case;
use super::runner::{Hand, Purpose};
use super::verdict::{self, Fault};
use crate::budget::Round;
use crate::catalog::{Severity, id};
use crate::finding::{Evidence, Finding};
use cornerman::games::boxing::Arena;
use cornerman_harness::sandbox::{Order, SandboxError};

/// Something a bot did wrong.
#[derive(Clone, Debug)]
pub struct Trouble {
    /// The check with special conditions in which it was seen; `None`: in plain conditions.
    pub seen_by: Option<&'static str>,
    /// The check with special conditions that went no further because of it.
    pub ended: Option<&'static str>,
    /// The arena was full.
    pub full: bool,
    /// The bot had marks on the arena.
    pub own_marks: bool,
    /// It was seen with the bot's own state file of the same game, and without it.
    pub despite_state: bool,
    /// What it did.
    pub finding: Finding,
}

/// What came of a job.
pub type Found = Result<Vec<Trouble>, SandboxError>;

/// Some runs of the bot that belong together.
pub struct Job<'a> {
    /// The checks it is for; empty: those in plain conditions, which all others are compared with.
    pub checks: &'static [&'static str],
    /// Whether it needs the machine to itself.
    pub alone: bool,
    /// When it is done.
    pub round: Round,
    /// How many runs it takes, about, of a bot without faults.
    pub runs: u32,
    /// Does it.
    pub run: Box<dyn FnOnce(&mut Hand) -> Found + Send + 'a>,
}

impl<'a> Job<'a> {
    /// A job for `checks` of about this many `runs`, beside others, in the first round.
    pub fn new(
        checks: &'static [&'static str],
        runs: u32,
        run: impl FnOnce(&mut Hand) -> Found + Send + 'a,
    ) -> Job<'a> {
        Job { checks, alone: false, round: Round::First, runs, run: Box::new(run) }
    }

    /// The same in another round.
    #[must_use]
    pub fn in_round(self, round: Round) -> Job<'a> {
        Job { round, ..self }
    }
}

impl Trouble {
    /// The check that it fails unless another one explains it.
    pub fn check(&self) -> &'static str {
        self.seen_by.unwrap_or(self.finding.symptom)
    }
}

/// What was asked, in words.
#[derive(Clone, Debug)]
pub struct Asked<'a> {
    /// The case's name.
    pub case: String,
    /// What it is.
    pub about: String,
    /// The arena to be answered.
    pub arena: &'a Arena,
    /// The bot's mark.
    pub mark: u8,
    /// How much a failure weighs.
    pub severity: Severity,
}

impl<'a> Asked<'a> {
    /// The question of a case.
    pub fn of(case: &'a Case) -> Asked<'a> {
        Asked {
            case: case.name.clone(),
            about: case.title.clone(),
            arena: &case.arena,
            mark: case.mark,
            severity: case.severity,
        }
    }

    /// The trouble that `fault` is, seen in `evidence`.
    pub fn trouble(&self, seen_by: Option<&'static str>, fault: Fault, evidence: Evidence) -> Trouble {
        Trouble {
            seen_by,
            ended: None,
            full: self.arena.vacancy().is_empty(),
            own_marks: self.arena.count(self.mark) > 0,
            despite_state: false,
            finding: Finding {
                symptom: fault.id,
                case: self.case.clone(),
                about: self.about.clone(),
                severity: self.severity,
                what: fault.what,
                spots: fault.spots,
                expected: None,
                evidence,
            },
        }
    }
}

/// Judges a run under the special conditions of `check`; `plain` is the same question in plain conditions. What
/// a plain run shows as well is a trouble of plain conditions, and so is what the special conditions do not show
/// a second time: it is a matter of chance, not of the conditions. The claim on the mark is the caller's.
pub fn compared(
    hand: &mut Hand,
    check: &'static str,
    asked: &Asked,
    evidence: Evidence,
    (plain, plain_state): (&Order, Option<&[u8]>),
) -> Found {
    let limits = hand.shared.bot.limits.clone();
    let judge = |evidence: &Evidence| verdict::of_play(asked.arena, asked.mark, &evidence.report, &limits);
    let Some(fault) = judge(&evidence) else { return Ok(Vec::new()) };
    let again = hand.ask_claimed(&asked.case, Purpose::Move, plain, plain_state)?;
    if let Some(same) = judge(&again).filter(|same| same.id == fault.id) {
        let own_state = matches!(check, id::CHAIN | id::SELF | id::STATE_COLD)
            && (evidence.state.is_some() || again.state.is_some());
        let trouble = asked.trouble(None, same, again);
        return Ok(vec![Trouble { ended: Some(check), despite_state: own_state, ..trouble }]);
    }
    let (order, state) = (&evidence.order, evidence.state.as_deref());
    let repeated = hand.ask_claimed(&asked.case, Purpose::Special, order, state)?;
    if judge(&repeated).is_some() {
        return Ok(vec![asked.trouble(Some(check), fault, evidence)]);
    }
    let what = format!("{}; not every time, so it is a matter of chance", fault.what);
    let trouble = asked.trouble(None, Fault { what, ..fault }, evidence);
    Ok(vec![Trouble { ended: Some(check), despite_state: true, ..trouble }])
}
