//! Verifies a record: derives what follows from the contest, the rules, the moves and the decisions anew, and compares.
//!
//! A record that was changed afterwards is usually inconsistent: a place does not follow from the moves, or a
//! pairing not from the places. What is consistent and nevertheless not what was played is found by comparing the
//! record's [seal](crate::record::Seal) with the one that was published.

use crate::contest_file::{ContestFile, RecordedContest};
use crate::kit::Games;
use crate::record::{
    DecidedAction, DecisionRecord, Extract, GameRecord, Header, LaterGames, Outcomes, Phase, Record, RecordError,
    RemarkColumns, Seal, annul, award, columns_of_remark, may_be_amended, out_of_schedule, replace, stage_of,
};
use crate::replay::follow;
use crate::ruleset::Ruleset;
use crate::text::{count, sha256};
use cornerman::contest::{Again, Contest};
use cornerman::format::{Pairing, Plan, Results, StageRemark};
use cornerman::game::{Outcome, Setup};
use cornerman::journal::Leave;
use std::collections::BTreeMap;
use std::fmt;

/// The result of a verification.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// What can be derived from the contest, the rules, the moves and the decisions is as recorded; in an extract,
    /// every game by itself.
    Consistent(Totals),
    /// The first thing that differs.
    Different(Difference),
}

/// The extent of a record.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// Games.
    pub games: u64,
    /// Legal moves in all of them.
    pub moves: u64,
    /// Decisions of the organizer.
    pub decisions: u64,
    /// Whether the contest is finished; `false` in an extract.
    pub is_finished: bool,
    /// What was left out, if it is an extract.
    pub extract: Option<Extract>,
}

/// Something in a record that does not follow from the rest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Where it is, such as `game s1/r2/m1/g2` or `the contest file`.
    pub place: String,
    /// What is wrong with it.
    pub what: String,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.what)
    }
}

fn different(place: impl fmt::Display, what: impl Into<String>) -> Option<Difference> {
    Some(Difference { place: place.to_string(), what: what.into() })
}

/// Verifies `record`, whose game is one of `games`: the texts against their hashes, every move through the rules, and
/// places, points, boards, seeds, pairings, lots and other remarks derived anew.
///
/// # Errors
/// If the record cannot be read, or its contest is invalid.
pub fn verify(record: &Record, games: &Games) -> Result<Verdict, RecordError> {
    let header = record.header()?;
    if let Some(difference) = check_texts(record, &record.created()?)? {
        return Ok(Verdict::Different(difference));
    }
    let recorded = ContestFile::recorded(record, games)?;
    let boards = recorded.boards(&header);
    let ruleset = &recorded.ruleset;
    let mut totals = Totals { extract: record.extract()?, ..Totals::default() };
    let mut pairings = BTreeMap::new();
    let mut outcomes = Outcomes::new();
    let mut found = None;
    // Games are followed on all processors. Their starts are compared on this one alone, which generates the boards.
    let check = |game: GameRecord| {
        let moves = game.moves.len() as u64;
        (wrong_outcome(&game, ruleset), moves, game.pairing, game.setup, game.outcome)
    };
    record.map_games::<_, RecordError>(&check, &mut |(problem, moves, pairing, setup, outcome)| {
        totals.games += 1;
        totals.moves += moves;
        if found.is_none() {
            let mut start = boards.setup(&pairing);
            // Games that come from another contest have the seeds with which they were played.
            if header.origin.is_some() {
                start.seed = setup.seed;
            }
            let problem = wrong_setup(&pairing, &setup, &start).or(problem);
            found = problem.and_then(|what| different(format_args!("game {}", pairing.id), what));
        }
        outcomes.insert(pairing.id, outcome);
        pairings.insert(pairing.id, pairing);
        Ok(())
    })?;
    totals.decisions = record.decisions()?.len() as u64;
    if found.is_none() && totals.extract.is_none() {
        let phases = record.phases(&recorded.contest, pairings)?;
        found = check_decisions(record, &recorded, &header, &phases, &outcomes)?;
        let game = out_of_schedule(phases, &outcomes).filter(|_| found.is_none());
        found = found.or(game.and_then(|(id, what)| different(format_args!("game {id}"), what)));
    }
    if totals.extract.is_none() {
        let results = recorded.contest.journal().results(outcomes);
        totals.is_finished = matches!(recorded.contest.plan(&results), Ok(Plan::Finished));
        if found.is_none() {
            found = check_remarks(&recorded.contest, &results, record.remarks()?, totals.is_finished);
        }
    }
    Ok(match found {
        Some(difference) => Verdict::Different(difference),
        None => Verdict::Consistent(totals),
    })
}

/// Compares the recorded decisions with those that follow from the games and decisions before each. Those that depend
/// on no game are checked when they are read.
fn check_decisions(
    record: &Record,
    recorded: &RecordedContest,
    header: &Header,
    phases: &[Phase],
    outcomes: &Outcomes,
) -> Result<Option<Difference>, RecordError> {
    let mut known = Outcomes::new();
    let decisions = record.decisions()?;
    let has_forfeits = |it: &DecisionRecord| match &it.action {
        DecidedAction::Leave(leave) => !leave.forfeits.is_empty(),
        _ => false,
    };
    let forfeits = if decisions.iter().any(has_forfeits) { recorded.forfeits(header).ok() } else { None };
    let forfeits = forfeits.as_ref().map_or(&[][..], |outcomes| &outcomes[..]);
    let mut header_then = record.created()?;
    for (before, (taken, (contest, games))) in (1..).zip(decisions.iter().zip(phases)) {
        known.extend(games.keys().map(|id| (*id, outcomes[id].clone())));
        let follows = match &taken.action {
            DecidedAction::Undo { .. } | DecidedAction::Hold { .. } => continue,
            DecidedAction::Amend { .. } => {
                let header = header_then.clone().amended(&taken.action);
                let has_begun = |stage: usize| {
                    known.keys().any(|game| usize::from(game.stage) == stage)
                        || decisions[..before - 1].iter().any(|it| stage_of(&it.action) == Some(stage))
                };
                let follows = may_be_amended(&header_then, &header, has_begun);
                header_then = header;
                follows
            }
            DecidedAction::Annul(taken) => {
                let derived = annul(&phases[..before], outcomes, taken.game, later_games(&taken.later));
                derived.as_ref() == Ok(taken)
            }
            DecidedAction::Award(taken) => {
                let order: Vec<_> = [taken.winner].iter().chain(&taken.others).copied().collect();
                let forfeited = |seats| recorded.forfeited(header, seats);
                let later = later_games(&taken.later);
                let derived = award(&phases[..before], outcomes, taken.game, &order, later, &forfeited);
                derived.as_ref() == Ok(taken)
            }
            DecidedAction::Admit(admit) => {
                let known = contest.journal().results(known.clone());
                let stages = (0..=u8::MAX).take(admit.stages.len()).map(Some);
                let follows =
                    |only| contest.admit(&known, admit.entrant, only).is_ok_and(|derived| derived == *admit);
                follows(None) || stages.into_iter().any(follows)
            }
            DecidedAction::Replace(taken) => replace(&phases[..before], outcomes, *taken).is_ok(),
            DecidedAction::Leave(leave) => {
                let known = contest.journal().results(known.clone());
                leave_follows(contest, &known, leave, forfeits)
            }
        };
        if !follows {
            let what = "its places in the schedule do not follow from the games and decisions before it";
            return Ok(different(format_args!("decision {}", taken.number), what));
        }
    }
    Ok(None)
}

/// Whether the decision that a bot leaves is one that the organizer could take: each stage as it is by default, or by a
/// choice.
fn leave_follows(contest: &Contest, known: &Results, leave: &Leave, forfeits: &[Outcome]) -> bool {
    let stages_follow = leave.stages.iter().enumerate().all(|(stage, leaving)| {
        [None, Some(leaving.games)].into_iter().any(|choice| {
            let derived = contest.leave(known, leave.entrant, leave.disqualified, choice, forfeits);
            derived.is_ok_and(|derived| derived.stages[stage] == *leaving)
        })
    });
    stages_follow && (leave.forfeits.is_empty() || leave.forfeits == forfeits)
}

/// Whether a decision replays the games that depend on a result, given the games that it plays `anew`.
fn later_games(anew: &[Again]) -> LaterGames {
    if anew.is_empty() { LaterGames::Keep } else { LaterGames::Replay }
}

/// The result of a comparison of seals.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SealCheck {
    /// The record has this seal, and it is the published one if that was given.
    Intact(Seal),
    /// The record has no seal, because no game and no decision has been recorded.
    Unsealed,
    /// The record was changed after it was sealed, or it is another one.
    Broken(Difference),
}

/// A head of a record's chain that was noted while its games were played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotedHead {
    /// Where it is noted: a file and a line.
    pub place: String,
    /// When it was noted.
    pub time: String,
    /// How many games and decisions had been recorded by then.
    pub links: usize,
    /// The head: the last link of the chain.
    pub link: Seal,
}

/// Compares the record with its own chain of hashes, with the `heads` that were noted, and with the seal that was
/// `published`, if one is given.
///
/// # Errors
/// If the record cannot be read.
pub fn check_seal(
    record: &Record,
    heads: &[NotedHead],
    published: Option<Seal>,
) -> Result<SealCheck, RecordError> {
    let mut present = None;
    // The first link is the contest's.
    let mut links = Vec::new();
    let mut match_at = None;
    let broken = record.check_seals(&mut |seal, link| {
        match_at = match_at.or((published == Some(seal)).then_some(links.len()));
        links.push(link);
        present = Some(seal);
    })?;
    let replaced = heads.iter().find(|head| links.get(head.links) != Some(&head.link));
    if let (None, Some(NotedHead { place, time, links, link })) = (&broken, replaced) {
        let what = format!(
            "after {links} games and decisions, at {time}, the head was {link}: some before it were changed, replaced or \
             removed since"
        );
        return Ok(SealCheck::Broken(Difference { place: place.clone(), what }));
    }
    let what = match (broken, present) {
        (Some(broken), _) => broken,
        (None, None) if published.is_none() => return Ok(SealCheck::Unsealed),
        (None, None) => "the record has no seal, so it is not the one that was sealed".to_string(),
        (None, Some(present)) => match match_at {
            _ if published.is_none_or(|published| published == present) => return Ok(SealCheck::Intact(present)),
            Some(sealed) => {
                let later = record.decisions()?.iter().filter(|it| it.place > sealed as i64).count();
                let decisions =
                    if later == 0 { String::new() } else { format!(" and {}", count(later, "decision")) };
                let games = (links.len() - 1 - sealed).saturating_sub(later);
                format!(
                    "{}{decisions} recorded after the given seal; the seal is now {present}",
                    count(games, "game")
                )
            }
            None => format!("it is {present}: this is not the record that was sealed, or not all of it"),
        },
    };
    Ok(SealCheck::Broken(Difference { place: "the seal".to_string(), what }))
}

/// Compares the texts of the contest file and the ruleset with their hashes.
fn check_texts(record: &Record, header: &Header) -> Result<Option<Difference>, RecordError> {
    for (place, key, text) in [
        ("the contest file", "contest_sha256", &header.contest_text),
        ("the ruleset", "ruleset_sha256", &header.ruleset_text),
    ] {
        if record.fact(key)? != Some(sha256(text)) {
            return Ok(different(place, format!("its text is not the one whose hash is recorded as {key}")));
        }
    }
    Ok(None)
}

/// Why a game that another machine has played is wrong by `ruleset`; `None` if it is right. It had to begin with
/// `start`.
pub fn why_wrong(game: &GameRecord, ruleset: &Ruleset, start: &Setup) -> Option<String> {
    if game.seats.len() != game.pairing.seats.len() {
        return Some("it does not say how each bot behaved".to_string());
    }
    if let Some(what) = game.unrecordable() {
        return Some(format!("it cannot be recorded: {what}"));
    }
    wrong_setup(&game.pairing, &game.setup, start).or_else(|| wrong_outcome(game, ruleset))
}

/// How the `recorded` setup of a game differs from the one with which it had to `start`.
fn wrong_setup(pairing: &Pairing, recorded: &Setup, start: &Setup) -> Option<String> {
    if recorded == start {
        return None;
    }
    let number = pairing.board + 1;
    Some(if recorded.board != start.board {
        format!("board {number} is not the one that the contest gives or generates")
    } else {
        "its marks or its seed are not those that the contest gives it".to_string()
    })
}

/// How a game contradicts the rules, or its outcome the one that follows from its moves.
fn wrong_outcome(game: &GameRecord, ruleset: &Ruleset) -> Option<String> {
    let derived = match follow(game, ruleset) {
        Err(deviation) => return Some(deviation.to_string()),
        Ok(derived) => derived,
    };
    let recorded = &game.outcome;
    let both = |what: &str, recorded: &dyn fmt::Debug, derived: &dyn fmt::Debug| {
        Some(format!("its {what} by seat are {recorded:?}, but its moves make them {derived:?}"))
    };
    if recorded.places != derived.places {
        both("places", &recorded.places, &derived.places)
    } else if recorded.points != derived.points {
        both("points", &recorded.points, &derived.points)
    } else if recorded.territory != derived.territory {
        both("territories", &recorded.territory, &derived.territory)
    } else if recorded.end != derived.end {
        Some("it was played to its end or ended by forfeits, and the record says otherwise".to_string())
    } else {
        None
    }
}

/// Compares the recorded remarks of all stages with those that follow from the results. A run that was killed has not
/// recorded the last ones, so only a finished contest must have all.
fn check_remarks(
    contest: &Contest,
    results: &Results,
    recorded: Vec<RemarkColumns>,
    is_finished: bool,
) -> Option<Difference> {
    // Words may differ between versions of Cornerman.
    let without_words = |(stage, remark): (u8, StageRemark)| {
        let (kind, round, _, entrants) = columns_of_remark(&remark);
        (stage, kind.to_string(), round, entrants)
    };
    let derived: Vec<_> = contest.remarks(results).into_iter().map(without_words).collect();
    let (stage, ..) = if is_finished {
        let at = (0..derived.len().max(recorded.len())).find(|&at| derived.get(at) != recorded.get(at))?;
        derived.get(at).or(recorded.get(at))?
    } else {
        recorded.iter().find(|remark| !derived.contains(remark))?
    };
    let what = "a bye, lot, repeat or note is not the one that follows from the results";
    different(format_args!("the remarks of stage {}", u16::from(*stage) + 1), what)
}
