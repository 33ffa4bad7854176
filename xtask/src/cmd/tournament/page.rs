//! The page of a tournament while it is played: made anew by a thread of its own, which only reads the record.
//!
//! The manager of the games only notes what begins and ends, which takes no time. A page is made at most every few
//! seconds, only when something is new, and the longer one takes to make, the longer the rest before the next: bots
//! are timed on the same machine.

use crate::cmd::report::{self, write};
use crate::exit::Failure;
use crate::registry::Registry;
use crate::show::{plain, plain_lines};
use cornerman::format::{EntrantId, PairingId};
use cornerman_harness::record::Record;
use cornerman_harness::tournament::Progress;
use cornerman_report::html::Live;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// The least time between two pages.
const EVERY: Duration = Duration::from_secs(5);
/// Of all time, making pages takes at most one part in so many.
const SHARE: u32 = 10;

/// A page that is kept up to date.
pub struct LivePage {
    out: PathBuf,
    db: PathBuf,
    games: &'static Registry,
    shared: Arc<Shared>,
    maker: Option<JoinHandle<()>>,
}

#[derive(Default)]
struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    in_play: Vec<(PairingId, Vec<EntrantId>)>,
    played_before: usize,
    played: usize,
    known: usize,
    /// Whether something has happened since the last page.
    news: bool,
    over: bool,
}

impl LivePage {
    /// That a page can be kept at `out`.
    ///
    /// # Errors
    /// When something is in the way, as bad input.
    pub fn may_be_at(out: &Path) -> Result<(), Failure> {
        if write::is_folder(out) {
            let words =
                "--report writes one file, and this is a folder: name a file, and make the folder in the end";
            return Err(Failure::usage(format!("{}: {words}", out.display())));
        }
        write::may_be_written(out)
    }

    /// Keeps a page of the record `db` at `out`; `played_before` games were played in earlier runs.
    pub fn begin(db: &Path, games: &'static Registry, out: &Path, played_before: usize) -> LivePage {
        let state = State { played_before, news: true, ..State::default() };
        let shared = Arc::new(Shared { state: Mutex::new(state), changed: Condvar::new() });
        let (of_maker, db_of_maker, out_of_maker) = (Arc::clone(&shared), db.to_path_buf(), out.to_path_buf());
        let maker = thread::spawn(move || make_pages(&of_maker, &db_of_maker, games, &out_of_maker));
        LivePage { out: out.into(), db: db.into(), games, shared, maker: Some(maker) }
    }

    /// Notes what happened.
    pub fn tell(&self, progress: &Progress) {
        let mut state = self.shared.lock();
        match progress {
            Progress::Planned { open } => state.known = state.played + open,
            Progress::Begun { id, seats } => state.in_play.push((*id, seats.clone())),
            Progress::Played(game) => {
                state.played += 1;
                state.in_play.retain(|(id, _)| *id != game.pairing.id);
            }
            Progress::Lost { id: lost, .. } => state.in_play.retain(|(id, _)| id != lost),
        }
        state.news = true;
    }

    /// Writes the last page, which reloads itself no more.
    ///
    /// # Errors
    /// When it cannot be made or written.
    pub fn end(mut self) -> Result<(), Failure> {
        self.stop();
        let record = Record::open(&self.db).map_err(|error| Failure::Kit(error.into()))?;
        let page = report::page(&record, self.games, None)?;
        write::to_file(&self.out, page.as_bytes()).map_err(|error| {
            Failure::Kit(anyhow::Error::from(error).context(format!("writing {}", self.out.display())))
        })
    }

    fn stop(&mut self) {
        self.shared.lock().over = true;
        self.shared.changed.notify_all();
        if let Some(maker) = self.maker.take() {
            // What went wrong there has been told.
            maker.join().ok();
        }
    }
}

impl Drop for LivePage {
    fn drop(&mut self) {
        self.stop();
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for as long, or until all is over; whether it is.
    fn rest(&self, rest: Duration) -> bool {
        let waited = self.changed.wait_timeout_while(self.lock(), rest, |state| !state.over);
        waited.map_or_else(|poisoned| poisoned.into_inner().0.over, |(state, _)| state.over)
    }
}

impl State {
    /// How far the run is, after it has gone on for `since`.
    fn live(&self, since: Duration) -> Live {
        let left = self.known.saturating_sub(self.played);
        let each = (self.played > 0).then(|| since.div_f64(self.played as f64));
        Live {
            in_play: self.in_play.clone(),
            played: self.played_before + self.played,
            known: self.played_before + self.known.max(self.played),
            left: each.map(|each| each.mul_f64(left as f64)),
            over: false,
        }
    }
}

/// Makes pages until all is over. A page that cannot be made is told of once, and tried again.
fn make_pages(shared: &Shared, db: &Path, games: &Registry, out: &Path) {
    let began = Instant::now();
    let mut told = false;
    // The record is opened once: opening it again and again would be one more thing that the run waits for.
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
        if let Err(error) = make(&mut record, db, games, out, &live)
            && !std::mem::replace(&mut told, true)
        {
            eprintln!("the page {} is not up to date: {}", plain(out.display()), plain_lines(error));
        }
        rest = EVERY.max(start.elapsed() * SHARE);
    }
}

fn make(record: &mut Option<Record>, db: &Path, games: &Registry, out: &Path, live: &Live) -> Result<(), String> {
    let record = match record {
        Some(record) => record,
        None => record.insert(Record::open(db).map_err(|error| error.to_string())?),
    };
    let page = report::page(record, games, Some(live)).map_err(|failure| match failure {
        Failure::Usage(error) | Failure::Kit(error) => format!("{error:#}"),
        Failure::NobodyReads => String::new(),
    })?;
    write::to_file(out, page.as_bytes()).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_is_told_from_the_games_of_this_run() {
        let check = |played, known, seconds, left: Option<u64>| {
            let state = State { played_before: 100, played, known, ..State::default() };
            let live = state.live(Duration::from_secs(seconds));
            assert_eq!(live.left, left.map(Duration::from_secs), "{played} of {known}");
            assert_eq!((live.played, live.known), (100 + played, 100 + known));
        };
        check(0, 40, 5, None);
        check(10, 40, 20, Some(60));
        check(40, 40, 80, Some(0));
    }
}
