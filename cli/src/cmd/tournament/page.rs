//! `tournament --report`: keeps a tournament's page up to date during the run, in a thread that only reads the record.
//!
//! Bots are timed on the same machine, so pages must take little of its time. The thread that manages games only notes
//! what begins and ends. A page is written at most every few seconds, only after a change, and the longer it takes, the
//! longer the pause before the next.

use crate::cmd::report;
use crate::contest::time_left;
use crate::show::{plain, plain_lines};
use crate::{CliError, Registry, output};
use cornerman::format::{EntrantId, GameId};
use cornerman_harness::record::Record;
use cornerman_harness::run::Progress;
use cornerman_report::html::Live;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// The shortest time between two pages.
const EVERY: Duration = Duration::from_secs(5);
/// Writing pages takes at most this fraction of the time: one part in ten.
const SHARE: u32 = 10;

/// A page that is kept up to date during a run.
pub(super) struct LivePage {
    out: PathBuf,
    db: PathBuf,
    games: &'static Registry,
    most: usize,
    shared: Arc<SharedPageState>,
    maker: Option<JoinHandle<()>>,
}

#[derive(Default)]
struct SharedPageState {
    state: Mutex<PageState>,
    changed: Condvar,
}

#[derive(Default)]
struct PageState {
    in_play: Vec<(GameId, Vec<EntrantId>)>,
    played_before: usize,
    played: usize,
    known: usize,
    workers: Option<String>,
    /// Whether something has happened since the last page.
    news: bool,
    over: bool,
}

impl LivePage {
    /// Checks that a page can be written to `out`.
    ///
    /// # Errors
    /// When `out` is a folder, or a file that is not an older report.
    pub(super) fn may_be_at(out: &Path) -> Result<(), CliError> {
        if output::is_folder(out) {
            let words = "--report writes a single file, not a folder; name a file, or run `report` afterwards";
            return Err(usage!("{}: {words}", out.display()));
        }
        // It is there before the first page, which may come late.
        let folder = output::folder_of(out);
        let failed = |why| usage!("cannot make the folder {}: {why}", folder.display());
        std::fs::create_dir_all(folder).map_err(failed)?;
        output::may_be_written(out)
    }

    /// Starts the thread that writes the page of the record `db` to `out`, with at most `most` bytes. Earlier runs have
    /// played `played_before` games.
    pub(super) fn begin(
        db: &Path,
        games: &'static Registry,
        out: &Path,
        most: usize,
        played_before: usize,
    ) -> LivePage {
        let state = PageState { played_before, news: true, ..PageState::default() };
        let shared = Arc::new(SharedPageState { state: Mutex::new(state), changed: Condvar::new() });
        let of_maker = Arc::clone(&shared);
        let db_of_maker = db.to_path_buf();
        let out_of_maker = out.to_path_buf();
        let maker = thread::spawn(move || make_pages(&of_maker, &db_of_maker, games, &out_of_maker, most));
        LivePage { out: out.into(), db: db.into(), games, most, shared, maker: Some(maker) }
    }

    /// Notes what happened, to be shown on the next page, and which `workers` on other machines play, in words.
    pub(super) fn on_progress(&self, progress: &Progress, workers: Option<String>) {
        let mut state = self.shared.lock();
        state.workers = workers;
        match progress {
            Progress::Planned { open } => state.known = state.played + open,
            Progress::Begun { id, seats } => state.in_play.push((*id, seats.clone())),
            Progress::Played(games) => {
                state.played += games.len();
                state.in_play.retain(|(id, _)| games.iter().all(|game| *id != game.pairing.id));
            }
            Progress::Waiting | Progress::Late(_) => return,
            Progress::Lost { id: lost, .. } => state.in_play.retain(|(id, _)| id != lost),
        }
        state.news = true;
    }

    /// Stops the thread, and writes the final page, which does not reload itself.
    pub(super) fn end(mut self) -> Result<(), CliError> {
        self.stop();
        let record = Record::open(&self.db).map_err(|error| CliError::Internal(error.into()))?;
        let page = report::page(&record, self.games, None, self.most)?;
        output::to_file(&self.out, page.as_bytes()).map_err(CliError::at("writing", &self.out))
    }

    fn stop(&mut self) {
        self.shared.lock().over = true;
        self.shared.changed.notify_all();
        if let Some(maker) = self.maker.take() {
            // The thread has printed its errors.
            maker.join().ok();
        }
    }
}

impl Drop for LivePage {
    fn drop(&mut self) {
        self.stop();
    }
}

impl SharedPageState {
    fn lock(&self) -> MutexGuard<'_, PageState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for the time `rest` or until the run is over, and returns whether it is over.
    fn rest(&self, rest: Duration) -> bool {
        let waited = self.changed.wait_timeout_while(self.lock(), rest, |state| !state.over);
        waited.map_or_else(|poisoned| poisoned.into_inner().0.over, |(state, _)| state.over)
    }
}

impl PageState {
    /// The state of the run, which began `since` ago.
    fn live(&self, since: Duration) -> Live {
        Live {
            in_play: self.in_play.clone(),
            played: self.played_before + self.played,
            known: self.played_before + self.known.max(self.played),
            left: time_left(since, self.played, self.known),
            workers: self.workers.clone(),
            over: false,
        }
    }
}

/// Writes pages until the run is over. The first failure is printed; after any failure it tries again.
fn make_pages(shared: &SharedPageState, db: &Path, games: &Registry, out: &Path, most: usize) {
    let began = Instant::now();
    let mut warned = false;
    // The record is kept open, because opening it could make the run wait.
    let mut record = None;
    let mut rest = Duration::ZERO;
    while !shared.rest(rest) {
        rest = EVERY;
        let live = {
            let mut state = shared.lock();
            if !std::mem::take(&mut state.news) {
                continue;
            }
            state.live(began.elapsed())
        };
        let start = Instant::now();
        if let Err(error) = make(&mut record, db, games, out, most, &live)
            && !std::mem::replace(&mut warned, true)
        {
            eprintln!("cannot update the page {}: {}", plain(out.display()), plain_lines(error));
        }
        rest = EVERY.max(start.elapsed() * SHARE);
    }
}

fn make(
    record: &mut Option<Record>,
    db: &Path,
    games: &Registry,
    out: &Path,
    most: usize,
    live: &Live,
) -> Result<(), CliError> {
    let record = match record {
        Some(record) => record,
        None => record.insert(Record::open(db)?),
    };
    let page = report::page(record, games, Some(live), most)?;
    output::to_file(out, page.as_bytes()).map_err(|error| CliError::Internal(error.into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_left_is_estimated_from_the_games_of_this_run() {
        let check = |played, known, seconds, left: Option<u64>| {
            let state = PageState { played_before: 100, played, known, ..PageState::default() };
            let live = state.live(Duration::from_secs(seconds));
            assert_eq!(live.left, left.map(Duration::from_secs), "{played} of {known}");
            assert_eq!((live.played, live.known), (100 + played, 100 + known));
        };
        check(0, 40, 5, None);
        check(10, 40, 20, Some(60));
        check(40, 40, 80, Some(0));
    }
}
