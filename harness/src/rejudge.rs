//! Judges recorded games again, by the rules they were played by or by others, in the same contest or in another
//! one.
//!
//! No bot is run. A game is followed move by move as long as every bot would have been sent the same and its
//! answer is still legal; what would have happened after that is unknown.

mod judgement;
mod recount;
#[cfg(test)]
mod tests;
mod timing;

pub use judgement::{Judgement, NewForfeit};
pub use recount::{RecountError, recount};

use crate::contest_file::{ContestFile, RecordedContest};
use crate::kit::Games;
use crate::record::{
    EntrantRecord, GameRecord, GameSummary, Header, Outcomes, Record, RecordError, RecordErrorKind, Writer, added,
    replan, with_decisions,
};
use crate::ruleset::Ruleset;
use cornerman::contest::Contest;
use cornerman::format::{EntrantId, GameId, Pairing, Results};
use cornerman::game::{Outcome, Setup};
use judgement::{GameJudge, as_judged};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::{Mutex, PoisonError};

/// A contest with the results of its games.
pub struct JudgedContest {
    /// The contest.
    pub contest: Contest,
    /// Its entrants.
    pub entrants: Vec<EntrantRecord>,
    /// The results.
    pub results: Results,
}

/// A record, judged by other rules or as another contest.
pub struct Rejudged {
    /// Every recorded game with its judgement, in the order of the contest.
    pub games: Vec<(GameSummary, Judgement)>,
    /// The contest as it was.
    pub before: JudgedContest,
    /// The contest as it is now, with the games that it still plays and whose results are known.
    pub after: JudgedContest,
    /// The number that each entrant had before; `None` for one that is not in the record.
    pub before_ids: Vec<Option<EntrantId>>,
    /// For each recorded game that counts now, the game whose place it takes.
    pub counts_as: BTreeMap<GameId, Pairing>,
    /// The games that the contest plays now and whose results are unknown. More may follow them.
    pub missing: Vec<Pairing>,
    /// How many games count although they were played on another board than the contest would give them.
    pub on_other_boards: usize,
    /// The number of moves in all recorded games.
    pub moves: u64,
    /// Whether `after` is another contest, rather than the same one by other rules.
    is_other_contest: bool,
    /// The rules of `after`.
    ruleset: Ruleset,
    /// The header for a record of `after`.
    header: Header,
}

/// Judges all games of `record` by the ruleset `now`, which is of the same game. If `decided`, the contest has the
/// organizer's decisions.
///
/// # Errors
/// If the record cannot be read, or its contest cannot be played by these rules.
pub fn rejudge(record: &Record, games: &Games, now: &Ruleset, decided: bool) -> Result<Rejudged, RecordError> {
    let header = record.header()?;
    let entrants = record.entrants()?;
    let then = ContestFile::recorded(record, games)?;
    let mut by_now = ContestFile::recorded_by(record, now)?;
    // Behind a lock, because boards are generated when they are first asked for.
    let boards = Mutex::new([&then, &by_now].map(|contest| contest.boards(&header)));
    let judge = GameJudge::new(&then.ruleset, &by_now.ruleset);
    let start = |game: &GameRecord| {
        let boards = boards.lock().unwrap_or_else(PoisonError::into_inner);
        // A start that does not change is taken from the record.
        match boards.each_ref().map(|boards| boards.setup(&game.pairing)) {
            [then, now] if then == now => game.setup.clone(),
            [_, now] => now,
        }
    };
    let (judged, moves) = judge_all(record, &judge, &start)?;
    let before = then.contest.journal().results(judged.iter().map(|(game, _)| game.result()));
    let known = judged.iter().filter_map(|(game, judgement)| {
        Some((game.pairing.id, (&game.pairing, judgement.outcome(&game.outcome)?)))
    });
    let known: BTreeMap<GameId, (&Pairing, &Outcome)> = known.collect();
    let decisions = if decided { record.decisions()? } else { Vec::new() };
    let mut after = Results::new();
    let mut counted = Outcomes::new();
    let mut missing = Vec::new();
    // Games that were played before a decision are planned without it.
    let mut recorded = BTreeSet::new();
    for (taken, ids) in record.games_by_decision(&decisions)?.into_iter().enumerate() {
        let journal = with_decisions(by_now.contest.journal(), &decisions[..taken]);
        after = journal.results(counted.clone());
        by_now.contest = by_now.contest.with_journal(journal);
        recorded.extend(ids);
        missing = replan(&by_now.contest, &mut after, &mut |due| {
            let (pairing, outcome) = known.get(&due.id)?;
            let outcome = (*pairing == due && recorded.contains(&due.id)).then(|| (*outcome).clone())?;
            counted.insert(due.id, outcome.clone());
            Some(outcome)
        });
    }
    let journal = by_now.contest.journal();
    let played = |id: &&GameId| !journal.is_annulled(**id) && !journal.is_awarded(**id);
    let counting = known.keys().filter(played).filter(|id| after.get(**id).is_some());
    let counts_as = counting.map(|id| (*id, known[id].0.clone())).collect();
    let side = |contest, results| JudgedContest { contest, entrants: entrants.clone(), results };
    Ok(Rejudged {
        before: side(then.contest, before),
        after: side(by_now.contest, after),
        before_ids: (0..entrants.len() as u16).map(|id| Some(EntrantId(id))).collect(),
        counts_as,
        games: judged,
        missing,
        on_other_boards: 0,
        moves,
        is_other_contest: false,
        ruleset: now.clone(),
        header: Header { ruleset: now.id.clone(), ruleset_text: now.text.clone(), ..header.clone() },
    })
}

/// Writes the games of `record` that still count, as `rejudged`, into a new record at `path`, which says where they
/// come from. `how` says how they were judged.
///
/// # Errors
/// If there is a record at `path`, games count on other boards than the contest gives them, or one of the two records
/// cannot be read or written. There is then no new record.
pub fn write_rejudged(
    record: &Record,
    games: &Games,
    how: &str,
    rejudged: &Rejudged,
    path: &Path,
) -> Result<(), RecordError> {
    /// The games of one transaction.
    const AT_ONCE: usize = 1000;
    if rejudged.on_other_boards > 0 {
        let why = format!(
            "{} of the games that count were played on other boards than this contest gives them: give it the same `seed` \
             and `boards`",
            rejudged.on_other_boards
        );
        return Err(RecordErrorKind::Refused(why).at(path));
    }
    let header = record.header()?;
    let then = ContestFile::recorded(record, games)?.boards(&header);
    let after = &rejudged.after;
    let now = RecordedContest { ruleset: rejudged.ruleset.clone(), contest: after.contest.clone() };
    let now = now.boards(&rejudged.header);
    // A start that does not change is taken from the record. If the games count in another contest now, so is the seed,
    // which bots may have been sent.
    let start = |game: &GameRecord, pairing: &Pairing| match now.setup(pairing) {
        start if rejudged.is_other_contest => Setup { seed: game.setup.seed, ..start },
        start if start == then.setup(pairing) => game.setup.clone(),
        start => start,
    };
    let file = record.path().file_name().unwrap_or_default().to_string_lossy();
    let seal = record.seal()?.map_or_else(String::new, |seal| format!(" with the seal {seal}"));
    let origin = format!("the games of {file}{seal}, which were played by {}, {how}", header.ruleset);
    let header = Header { origin: Some(origin), ..rejudged.header.clone() };
    Writer::create_whole(path, &header, &mut |writer| {
        // The new record has no decisions, and so none of the entrants that decisions added. The entrants of another
        // contest are those of its file.
        let added = if rejudged.is_other_contest { 0 } else { added(&record.decisions()?).count() };
        writer.add_entrants(&after.entrants[..after.entrants.len() - added])?;
        record.machines()?.iter().try_for_each(|machine| writer.add_machine(machine))?;
        let mut judgements = rejudged.games.iter();
        let mut waiting = Vec::new();
        record.each_full_game::<RecordError>(&mut |game| {
            let judged = judgements.next().filter(|(judged, _)| judged.pairing == game.pairing);
            if let Some(((_, judgement), pairing)) = judged.zip(rejudged.counts_as.get(&game.pairing.id)) {
                let start = start(&game, pairing);
                let judged = as_judged(game, judgement, start, &rejudged.ruleset);
                waiting.push(GameRecord { pairing: pairing.clone(), ..judged });
            }
            if waiting.len() == AT_ONCE {
                writer.add_games(&std::mem::take(&mut waiting))?;
            }
            Ok(())
        })?;
        writer.add_games(&waiting)?;
        writer.set_remarks(&after.contest.remarks(&after.results))
    })
}

/// Judges the games of `record` on all processors; `start` gives the setup with which each would begin now. Returns
/// them in the order of the contest, and the number of their moves.
fn judge_all(
    record: &Record,
    judge: &GameJudge,
    start: &(dyn Fn(&GameRecord) -> Setup + Sync),
) -> Result<(Vec<(GameSummary, Judgement)>, u64), RecordError> {
    let mut judged = Vec::new();
    let mut moves = 0;
    let work = |game: GameRecord| {
        let judgement = judge.judge(&game, &start(&game));
        (GameSummary::from(game), judgement)
    };
    record.map_games::<_, RecordError>(&work, &mut |(game, judgement)| {
        moves += u64::from(game.moves);
        judged.push((game, judgement));
        Ok(())
    })?;
    Ok((judged, moves))
}
