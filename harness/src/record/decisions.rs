//! The organizer's decisions in a record: rows beside the games, in the same sequence and the same chain of hashes.

use super::row::{self, Wrong};
use super::seal::{SealChain, hash_of_decision};
use super::write::insert_entrant;
use super::{EntrantRecord, Header, Record, RecordError, RecordErrorKind, Role, StageRecord, Writer, verify};
use crate::contest_spec::ContestSpec;
use cornerman::format::{EntrantId, GameId};
use cornerman::journal::{Admit, Again, Annul, Award, Decision, Journal, Leave, Replace, Versions};
use rusqlite::params;
use rusqlite::types::Value;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::time::{SystemTime, UNIX_EPOCH};

/// The longest reason of a decision, in bytes.
pub const LONGEST_REASON: usize = row::TEXT;

/// The columns of a decision between its number and its link, in the order of the table.
pub(super) const COLUMNS: &str = "taken_ms, action, why";

/// A decision as it was recorded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DecisionRecord {
    /// Its number among the decisions, from 1.
    pub number: u32,
    /// Its number in the sequence of games and decisions.
    pub place: i64,
    /// When it was taken: milliseconds since 1970.
    pub taken_ms: u64,
    /// What was decided.
    pub action: DecidedAction,
    /// Why, in the organizer's words.
    pub why: String,
}

/// What was decided.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum DecidedAction {
    /// A bot leaves the contest.
    Leave(Leave),
    /// A game is played again.
    Annul(Annul),
    /// A game is won by one of its bots, whatever was played.
    Award(Award),
    /// A bot takes part although the contest has begun. Its row among the entrants belongs to the decision.
    Admit(Admit),
    /// A better version of a bot plays from here on. The version's row among the entrants belongs to the decision.
    Replace(Replace),
    /// A bot plays nothing until this is undone.
    Hold {
        /// The bot.
        entrant: EntrantId,
    },
    /// The contest is another one, which changes nothing that was played.
    Amend {
        /// The text of its file.
        file: String,
        /// The contest, as in [`Header::contest_json`].
        contest: Box<ContestSpec>,
        /// Its stages, in order.
        stages: Vec<StageRecord>,
    },
    /// An earlier decision does not hold any more.
    Undo {
        /// Its number, from 1.
        decision: u32,
    },
}

impl DecidedAction {
    /// Its effect on what is played; `None` if it has none, or only undoes an earlier decision.
    fn decision(&self) -> Option<Decision> {
        match self {
            DecidedAction::Leave(leave) => Some(Decision::Leave(leave.clone())),
            DecidedAction::Annul(annul) => Some(Decision::Annul(annul.clone())),
            DecidedAction::Award(award) => Some(Decision::Award(award.clone())),
            DecidedAction::Admit(admit) => Some(Decision::Admit(admit.clone())),
            DecidedAction::Replace(replace) => Some(Decision::Replace(*replace)),
            DecidedAction::Hold { entrant } => Some(Decision::Hold(*entrant)),
            DecidedAction::Amend { .. } | DecidedAction::Undo { .. } => None,
        }
    }
}

/// The decisions that hold (were not undone) and affect what is played, each with its effect.
pub fn in_force(decisions: &[DecisionRecord]) -> impl Iterator<Item = (&DecisionRecord, Decision)> {
    let undone = decisions.iter().filter_map(|it| match it.action {
        DecidedAction::Undo { decision } => Some(decision),
        _ => None,
    });
    let undone: BTreeSet<u32> = undone.collect();
    let holds = move |it: &&DecisionRecord| !undone.contains(&it.number);
    decisions.iter().filter(holds).filter_map(|it| Some((it, it.action.decision()?)))
}

/// The bots and versions of bots that decisions added, even decisions that were undone. They are the last of the
/// record's entrants, in this order.
pub fn added(decisions: &[DecisionRecord]) -> impl Iterator<Item = EntrantId> {
    decisions.iter().filter_map(|it| match &it.action {
        DecidedAction::Admit(admit) => Some(admit.entrant),
        DecidedAction::Replace(replace) => Some(replace.version),
        _ => None,
    })
}

/// The journal of a contest that began with `journal` and in which these decisions were taken. Of `journal` only lots
/// are kept, because it may already have decisions of the same record.
pub fn with_decisions(journal: &Journal, decisions: &[DecisionRecord]) -> Journal {
    let begun = journal.decisions.iter().filter(|decision| matches!(decision, Decision::Lot { .. })).cloned();
    let taken = in_force(decisions).map(|(_, decision)| decision);
    Journal { decisions: begun.chain(taken).collect() }
}

impl Record {
    /// The decisions, in the order in which they were taken.
    ///
    /// # Errors
    /// If the record cannot be read, or a decision is not one about this contest.
    pub fn decisions(&self) -> Result<Vec<DecisionRecord>, RecordError> {
        let rows = self.list(&format!("SELECT id, {COLUMNS} FROM decisions ORDER BY id"), |row| {
            Ok((row.get(0)?, row.get::<_, i64>(1)?.cast_unsigned(), row.get::<_, String>(2)?, row.get(3)?))
        })?;
        if rows.is_empty() {
            return Ok(Vec::new());
        }
        let stages = self.created()?.stages.len();
        let entrants = self.entrants()?;
        let mut decisions: Vec<DecisionRecord> = Vec::new();
        for (number, (place, taken_ms, action, why)) in (1..).zip(rows) {
            let action = serde_json::from_str(&action).map_err(|error| error.to_string());
            let action = action.and_then(|action| check(&action, stages, &entrants, &decisions).map(|()| action));
            let damaged = |why: Wrong| {
                let why = format!("decisions.action should be a decision: number {number}: {why}");
                RecordErrorKind::Damaged(why).at(self.path())
            };
            decisions.push(DecisionRecord { number, place, taken_ms, action: action.map_err(damaged)?, why });
        }
        let added: Vec<usize> = added(&decisions).map(EntrantId::index).collect();
        let last = entrants.len().saturating_sub(added.len())..entrants.len();
        if last.ne(added) {
            let why = "the entrants that decisions added should be the last ones, in the order of the decisions"
                .to_string();
            return Err(RecordErrorKind::Damaged(why).at(self.path()));
        }
        Ok(decisions)
    }

    /// Checks that this decision, which adds the bot or version `added`, if any, can be recorded after those before.
    ///
    /// # Errors
    /// If a name is too long, or it is not a decision about this contest: a reader would refuse the record.
    pub fn check_decision(
        &self,
        action: &DecidedAction,
        added: Option<&EntrantRecord>,
    ) -> Result<(), RecordError> {
        let mut entrants = self.entrants()?;
        if let Some(bot) = added {
            verify::check_names(self.path(), bot)?;
            entrants.push(bot.clone());
        }
        let checked = check(action, self.created()?.stages.len(), &entrants, &self.decisions()?);
        checked.map_err(|why| {
            RecordErrorKind::Refused(format!("the decision cannot be recorded: {why}")).at(self.path())
        })
    }

    /// Which versions play the games of which bots.
    pub fn versions(&self) -> Result<Versions, RecordError> {
        Ok(with_decisions(&Journal::new(), &self.decisions()?).versions())
    }

    /// The games by the decisions between which they were recorded: those before the first decision, those between the
    /// first and the second, and so on.
    pub(crate) fn games_by_decision(
        &self,
        decisions: &[DecisionRecord],
    ) -> Result<Vec<BTreeSet<GameId>>, RecordError> {
        let mut phases = vec![BTreeSet::new(); decisions.len() + 1];
        self.list("SELECT stage, round, tbl, game, attempt, id FROM games", |row| {
            let id: i64 = row.get(5)?;
            phases[decisions.partition_point(|decision| decision.place < id)].insert(row::game_id(row, 0)?);
            Ok(())
        })?;
        Ok(phases)
    }
}

/// Checks that `action` is possible in a contest with this number of `stages` and these `entrants`, after the decisions
/// `before`.
fn check(
    action: &DecidedAction,
    stages: usize,
    entrants: &[EntrantRecord],
    before: &[DecisionRecord],
) -> Result<(), Wrong> {
    let plays = |bot: &EntrantId| entrants.get(bot.index()).is_some_and(|it| it.out.is_none());
    let competes = |bot: &EntrantId| {
        let competes = plays(bot) && entrants[bot.index()].role == Role::Entry;
        if competes { Ok(()) } else { Err(format!("entrant {} does not compete", bot.0)) }
    };
    let has_all_stages = |found: usize| {
        if found == stages { Ok(()) } else { Err(format!("it has {found} stages, but the contest has {stages}")) }
    };
    match action {
        DecidedAction::Leave(leave) => {
            competes(&leave.entrant)?;
            has_all_stages(leave.stages.len())?;
            if leave.stages.iter().any(|leaving| leaving.round > u32::from(u16::MAX) + 1) {
                return Err("a round is beyond the last".to_string());
            }
            leave.forfeits.iter().try_for_each(|outcome| row::check_outcome(outcome, 2))?;
        }
        DecidedAction::Annul(Annul { game, attempt, later }) => {
            check_stage(*game, stages)?;
            if *attempt <= game.attempt {
                return Err(not_next(*game, *attempt));
            }
            check_later(*game, later, stages)?;
        }
        DecidedAction::Award(Award { game, winner, others, outcome, later }) => {
            check_stage(*game, stages)?;
            if let Some(stranger) = [winner].into_iter().chain(others).find(|bot| !plays(bot)) {
                return Err(format!("there is no entrant {}", stranger.0));
            }
            row::check_outcome(outcome, 1 + others.len().max(1))?;
            check_later(*game, later, stages)?;
        }
        DecidedAction::Admit(admit) => {
            competes(&admit.entrant)?;
            has_all_stages(admit.stages.len())?;
        }
        DecidedAction::Replace(Replace { entrant, version, stage, .. }) => {
            competes(entrant)?;
            if entrants.get(version.index()).is_none_or(|it| it.role != Role::Version) {
                return Err(format!("entrant {} is not a version", version.0));
            }
            if usize::from(*stage) >= stages {
                return Err(format!("it is about stage {}, but the contest has {stages}", u16::from(*stage) + 1));
            }
        }
        DecidedAction::Hold { entrant } => {
            competes(entrant)?;
            if in_force(before).any(|(_, decision)| decision == Decision::Hold(*entrant)) {
                return Err(format!("entrant {} is on hold already", entrant.0));
            }
        }
        DecidedAction::Amend { contest, stages: list, .. } => {
            if list.iter().map(|stage| &stage.name).chain([&contest.name]).any(|name| name.len() > row::NAME) {
                return Err(format!("a name has more than {} bytes", row::NAME));
            }
            has_all_stages(list.len())?;
            if list.iter().flat_map(|stage| &stage.programs).any(|bot| !plays(bot)) {
                return Err("a stage has a program that does not play".to_string());
            }
        }
        DecidedAction::Undo { decision } => {
            if !in_force(before).any(|(it, _)| it.number == *decision) {
                return Err(format!("decision {decision}, which it undoes, does not hold"));
            }
        }
    }
    Ok(())
}

/// Checks that `game` is of one of this number of `stages`.
fn check_stage(game: GameId, stages: usize) -> Result<(), Wrong> {
    if usize::from(game.stage) < stages {
        Ok(())
    } else {
        Err(format!("game {game} is of stage {}, but the contest has {stages}", game.stage + 1))
    }
}

/// The message that a decision names an attempt that cannot be played instead of `game`.
fn not_next(game: GameId, attempt: u16) -> Wrong {
    format!("attempt {} does not follow game {game}", u32::from(attempt) + 1)
}

/// Checks the list of games that are played anew because they depended on the result of `corrected`.
fn check_later(corrected: GameId, later: &[Again], stages: usize) -> Result<(), Wrong> {
    let mut places = BTreeSet::from([corrected.place()]);
    for Again { game, attempt } in later {
        check_stage(*game, stages)?;
        if *attempt < game.attempt {
            return Err(not_next(*game, *attempt));
        }
        if !places.insert(game.place()) {
            return Err(format!("the place of game {game} is played anew twice"));
        }
    }
    Ok(())
}

impl Writer {
    /// Records a decision with the bot or version that it adds, if any. Both are on the disk when this returns. Returns
    /// the decision's number.
    ///
    /// # Errors
    /// Those of [`Record::check_decision`], if the reason `why` is too long, and if the record cannot be written. It is
    /// then unchanged.
    pub fn decide(
        &mut self,
        action: &DecidedAction,
        added: Option<&EntrantRecord>,
        why: &str,
    ) -> Result<u32, RecordError> {
        self.check_decision(action, added)?;
        if why.len() > LONGEST_REASON {
            let why =
                format!("the reason is {} bytes long: give one of at most {LONGEST_REASON} bytes", why.len());
            return Err(RecordErrorKind::Refused(why).at(self.path()));
        }
        let number = self.decisions()?.len() as u32 + 1;
        let entrants = self.entrants()?.len();
        let taken = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let action = serde_json::to_string(action).expect("all keys are texts");
        let columns =
            [Value::Integer(taken.as_millis() as i64), Value::Text(action), Value::Text(why.to_string())];
        self.transaction("recording a decision", |db| {
            let mut chain = SealChain::end_of(db)?;
            // The first link does not cover the bot.
            if let Some(bot) = added {
                insert_entrant(db, entrants, bot)?;
            }
            let link = chain.add(hash_of_decision(db, &columns)?);
            let [taken_ms, action, why] = &columns;
            let insert = "INSERT INTO decisions VALUES (?, ?, ?, ?, ?)";
            db.execute(insert, params![chain.place, taken_ms, action, why, link.to_vec()]).map(drop)
        })?;
        Ok(number)
    }
}

impl Header {
    /// The contest and its rules after this decision.
    #[must_use]
    pub fn amended(self, action: &DecidedAction) -> Header {
        let DecidedAction::Amend { file, contest, stages } = action.clone() else { return self };
        let contest_json = contest.to_json();
        Header { contest: contest.name, contest_text: file, contest_json, stages, ..self }
    }
}

/// The bot that `action` is about; `decisions` are those before it.
pub fn about(action: &DecidedAction, decisions: &[DecisionRecord]) -> Option<EntrantId> {
    match action {
        DecidedAction::Leave(leave) => Some(leave.entrant),
        DecidedAction::Annul(_) | DecidedAction::Amend { .. } => None,
        DecidedAction::Award(award) => Some(award.winner),
        DecidedAction::Admit(admit) => Some(admit.entrant),
        DecidedAction::Replace(replace) => Some(replace.entrant),
        DecidedAction::Hold { entrant } => Some(*entrant),
        DecidedAction::Undo { decision } => {
            let undone = decisions.iter().find(|it| it.number == *decision)?;
            about(&undone.action, &[])
        }
    }
}
