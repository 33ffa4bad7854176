//! Counts recorded games as those of another contest: the same entrants in another format, or with another scoring.

use super::judgement::GameJudge;
use super::{JudgedContest, Rejudged, judge_all};
use crate::contest_file::ContestFile;
use crate::kit::Games;
use crate::record::{EntrantRecord, Record, RecordError, replan};
use crate::toml_file::Mistake;
use cornerman::format::{EntrantId, GameId, Pairing, Results, StageRemark};
use cornerman::game::Outcome;
use cornerman::journal::Decision;
use std::collections::{BTreeMap, VecDeque};

/// Why games cannot be counted as those of another contest.
#[derive(Debug, thiserror::Error)]
pub enum RecountError {
    /// The record cannot be read.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// The contest is not possible.
    #[error(transparent)]
    Contest(#[from] Mistake),
    /// The contest is of another game, or fewer than two of its entrants are in the record.
    #[error("{0}")]
    Different(String),
}

/// A recorded game between entrants of another contest, which may take the place of one of its games.
struct Known<'a> {
    board: Vec<u8>,
    id: GameId,
    outcome: &'a Outcome,
}

/// Counts the games of `record` as those of the contest of `file`, by its rules. A recorded game that was not annulled
/// can take the place of one game in which the same entrants have the same seats: on the same board if possible, or
/// else on another.
///
/// # Errors
/// If the record cannot be read, or this is not a contest of its entrants.
pub fn recount(record: &Record, games: &Games, mut file: ContestFile) -> Result<Rejudged, RecountError> {
    let header = record.header()?;
    let entrants = record.entrants()?;
    let recorded = ContestFile::recorded(record, games)?;
    if file.game() != header.game {
        let path = file.path.display();
        let own = file.game();
        let of = &header.game;
        return Err(RecountError::Different(format!("{path} is a contest of {own}, but these games are of {of}")));
    }
    let places: Vec<Option<usize>> = file.entrant_records().iter().map(|now| place_of(now, &entrants)).collect();
    // Entries that could not play, or were replaced by a later one (B13), still do not play.
    file.exclude(|at, _| places[at].and_then(|place| entrants[place].out.clone()));
    let playing = file.entrants.len() + file.organizers.len();
    let mut after_entrants = file.entrant_records();
    let places: Vec<Option<usize>> = after_entrants.iter().map(|now| place_of(now, &entrants)).collect();
    for (now, place) in after_entrants.iter_mut().zip(&places) {
        // Names that bots gave themselves, and their programs, are known only from the record.
        let Some(place) = *place else { continue };
        let then = entrants[place].clone();
        let EntrantRecord { spec, role, group, entered, out, .. } = std::mem::take(now);
        *now = EntrantRecord { spec, role, group, entered, out, ..then };
    }
    let before_ids: Vec<Option<EntrantId>> =
        places.iter().take(playing).map(|place| place.map(|place| EntrantId(place as u16))).collect();
    if before_ids.iter().flatten().count() < 2 {
        let names: Vec<&str> = entrants.iter().map(|entrant| entrant.name.as_str()).collect();
        let path = file.path.display();
        let names = names.join(", ");
        return Err(RecountError::Different(format!(
            "{path} has no two entrants whose games are in the record; those of the record are {names}"
        )));
    }
    let id_now = |before: &EntrantId| {
        let at = before_ids.iter().position(|id| *id == Some(*before))?;
        Some(EntrantId(at as u16))
    };
    let judge = GameJudge::new(&recorded.ruleset, &file.ruleset);
    let (judged, moves) = judge_all(record, &judge, &|game| game.setup.clone())?;
    let mut pool: BTreeMap<Vec<EntrantId>, VecDeque<Known>> = BTreeMap::new();
    let journal = recorded.contest.journal();
    for (game, judgement) in judged.iter().filter(|(game, _)| !journal.is_annulled(game.pairing.id)) {
        let seats: Option<Vec<EntrantId>> = game.pairing.seats.iter().map(id_now).collect();
        if let (Some(seats), Some(outcome)) = (seats, judgement.outcome(&game.outcome)) {
            let board = record.board(game.pairing.board)?.unwrap_or_default();
            pool.entry(seats).or_default().push_back(Known { board, id: game.pairing.id, outcome });
        }
    }
    let before = journal.results(judged.iter().map(|(game, _)| game.result()));
    // Lots between entrants of both contests hold, so that leaving one out does not redraw a bracket.
    for (stage, remark) in recorded.contest.remarks(&before) {
        let StageRemark::Lot { about, order } = remark else { continue };
        let order: Vec<EntrantId> = order.iter().filter_map(id_now).collect();
        file.journal.decisions.extend((order.len() > 1).then_some(Decision::Lot { stage, about, order }));
    }
    let contest = file.contest().map_err(RecountError::Contest)?;
    let boards = file.boards_of(&contest);
    let mut on_other_boards = 0;
    let mut counts_as = BTreeMap::new();
    let mut after = Results::new();
    let missing = replan(&contest, &mut after, &mut |due: &Pairing| {
        let games = pool.get_mut(&due.seats)?;
        let board = boards.get(due.board);
        let same = games.iter().position(|known| known.board == board);
        on_other_boards += usize::from(same.is_none() && !games.is_empty());
        let known = games.remove(same.unwrap_or(0))?;
        counts_as.insert(known.id, due.clone());
        Some(known.outcome.clone())
    });
    Ok(Rejudged {
        before: JudgedContest { contest: recorded.contest, entrants, results: before },
        after: JudgedContest { contest, entrants: after_entrants, results: after },
        games: judged,
        before_ids,
        counts_as,
        missing,
        on_other_boards,
        moves,
        is_other_contest: true,
        header: file.header(&header.kit),
        ruleset: file.ruleset,
    })
}

/// The index in `recorded` of the entrant `now` of the contest file, found by its name, else by its spec, else by
/// its name without folders, `@` and file ending.
fn place_of(now: &EntrantRecord, recorded: &[EntrantRecord]) -> Option<usize> {
    let short = now.name.rsplit('/').next().unwrap_or_default().trim_start_matches('@');
    let short = short.split_once('.').map_or(short, |(stem, _)| stem);
    let by = |is_same: &dyn Fn(&EntrantRecord) -> bool| recorded.iter().position(is_same);
    by(&|then| then.name == now.name)
        .or_else(|| by(&|then| then.spec == now.spec))
        .or_else(|| by(&|then| then.name == short))
}
