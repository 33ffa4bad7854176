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
    maker: PageMaker,
    shared: Arc<SharedPageState>,
    thread: Option<JoinHandle<()>>,
}

/// What a page is made from, and where it is written.
#[derive(Clone)]
pub(super) struct PageMaker {
    /// The file of the record.
    pub db: PathBuf,
    pub games: &'static Registry,
    /// The file of the page.
    pub out: PathBuf,
    /// The most bytes of the page.
    pub most: usize,
}

struct SharedPageState {
    state: Mutex<PageState>,
    changed: Condvar,
}

#[derive(Default)]
struct PageState {
    in_play: Vec<(GameId, Vec<EntrantId>)>,
    played_before: usize,
    /// How many games this run has played.
    played: usize,
    /// How many games of this run are known so far, with those that were played.
    known: usize,
    /// The workers on other machines, in words.
    workers: Option<String>,
    /// Whether something has happened since the last page.
    news: bool,
    over: bool,
}

impl LivePage {
    /// Checks that a page can be written to `out`, and creates the folder that it is in.
    ///
    /// # Errors
    /// When `out` is a folder, or a file that is not an older report, or its folder cannot be created.
    pub(super) fn may_be_at(out: &Path) -> Result<(), CliError> {
        if output::is_folder(out) {
            let words = "--report writes a single file, not a folder; name a file, or run `report` afterwards";
            return Err(usage!("{}: {words}", out.display()));
        }
        // It is created now, so that a mistake is found before the games.
        let folder = output::folder_of(out);
        let failed = |why| usage!("cannot make the folder {}: {why}", folder.display());
        std::fs::create_dir_all(folder).map_err(failed)?;
        output::may_be_written(out)
    }

    /// Starts the thread that writes the page. Earlier runs have played `played_before` games.
    pub(super) fn begin(maker: PageMaker, played_before: usize) -> LivePage {
        let state = PageState { played_before, news: true, ..PageState::default() };
        let shared = Arc::new(SharedPageState { state: Mutex::new(state), changed: Condvar::new() });
        let of_thread = maker.clone();
        let shared_with_thread = Arc::clone(&shared);
        let thread = thread::spawn(move || of_thread.make_pages(&shared_with_thread));
        LivePage { maker, shared, thread: Some(thread) }
    }

    /// Notes what happened, and the `workers` on other machines, in words. The next page shows both.
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
        let PageMaker { db, games, out, most } = &self.maker;
        let record = Record::open(db).map_err(|error| CliError::Internal(error.into()))?;
        let page = report::page(&record, games, None, *most)?;
        output::to_file(out, page.as_bytes()).map_err(CliError::at("writing", out))
    }

    /// Stops the thread, and waits for its end.
    fn stop(&mut self) {
        self.shared.lock().over = true;
        self.shared.changed.notify_all();
        if let Some(thread) = self.thread.take() {
            // The thread has printed its errors.
            thread.join().ok();
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

impl PageMaker {
    /// Writes pages until the run is over. The first failure is printed; after any failure it tries again once
    /// something more has happened.
    fn make_pages(&self, shared: &SharedPageState) {
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
            if let Err(error) = self.update(&mut record, &live)
                && !std::mem::replace(&mut warned, true)
            {
                note!("cannot update the page {}: {}", plain(self.out.display()), plain_lines(error));
            }
            rest = EVERY.max(start.elapsed() * SHARE);
        }
    }

    /// Writes the page anew, from the record, which is opened if need be.
    fn update(&self, record: &mut Option<Record>, live: &Live) -> Result<(), CliError> {
        let record = match record {
            Some(record) => record,
            None => record.insert(Record::open(&self.db)?),
        };
        let page = report::page(record, self.games, Some(live), self.most)?;
        output::to_file(&self.out, page.as_bytes()).map_err(|error| CliError::Internal(error.into()))
    }
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
