//! Requests for decisions: files in a folder beside the record. The process that has the record's lock records the
//! decisions and answers. This is the run that plays, or, if there is none, a `decide`.
//!
//! Before a decision is recorded, its request is renamed to have the number that the decision will get. So if a process
//! is killed at any moment, the next one knows whether the decision was recorded, and none is lost or recorded twice.

use super::OpenContest;
use crate::cmd::decide::DecideCommand;
use crate::contest::Stop;
use crate::seal_log::{self, SealLog};
use crate::show::plain;
use crate::{CliError, Registry, output};
use anyhow::Context;
use cornerman_harness::record::{LONGEST_REASON, RecordError, RecordErrorKind, Writer};
use cornerman_harness::text::Reason;
use serde::{Deserialize, Serialize};
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};
use std::{fs, process, thread};

/// How often `decide` looks for the answer to its request.
const POLL: Duration = Duration::from_millis(100);

/// How long `decide` waits before it says that it waits.
const SILENT_WAIT: Duration = Duration::from_secs(5);

/// The longest request that is read, in bytes. JSON may write one byte of a reason as six.
const LONGEST: u64 = 8 * LONGEST_REASON as u64;

/// The answer to a request: the decision, or why it is not possible.
type RequestAnswer = Result<RecordedDecision, Reason>;

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct RecordedDecision {
    pub number: u32,
    /// How many messages for authors were written, or why none could be.
    pub messages: Result<usize, Reason>,
}

/// The folder of requests beside a record.
pub(crate) struct Requests(PathBuf);

struct DecisionRequest {
    /// The time at which it was made, in milliseconds and always 15 digits, so that names sort by it; and the id of the
    /// process that made it.
    name: String,
    /// The number that its decision has got or will get, if its recording has begun; 0 if it was refused.
    number: Option<u32>,
}

impl Requests {
    /// Those beside the record at `db`, which exists: in `cup.db.decide` for `cup.db`.
    pub(crate) fn beside(db: &Path) -> Result<Requests, CliError> {
        let mut folder = OsString::from(fs::canonicalize(db).map_err(at(db))?);
        folder.push(".decide");
        Ok(Requests(folder.into()))
    }

    /// Asks for the decision `what` about the record at `db`, and waits for the answer.
    ///
    /// # Errors
    /// When the decision is not possible, it or the request cannot be written, or Ctrl-C or someone else withdraws the
    /// request.
    pub(super) fn ask(db: &Path, what: &DecideCommand, games: &Registry) -> Result<RecordedDecision, CliError> {
        let requests = Requests::beside(db)?;
        let log = seal_log::beside(db);
        let stop = Stop::at_once()?;
        let name = requests.put(what)?;
        let began = Instant::now();
        let mut is_waiting = false;
        let answered = loop {
            if let Some(answer) = requests.answer(&name)? {
                break answer.map_err(CliError::from);
            }
            if stop.until().ended().is_some() && requests.withdraw(&name) {
                break Err(CliError::Ended);
            }
            let header = games.open(db)?.header()?;
            match Writer::resume(db, &header) {
                Ok(mut writer) => {
                    let taken = SealLog::open(&log)
                        .and_then(|mut log| requests.record_waiting(&mut writer, &mut log, games));
                    let answer = taken.and_then(|_| requests.answer(&name));
                    requests.withdraw(&name);
                    let folder = requests.0.display();
                    let gone = || usage!("{folder}: somebody removed the request for this decision");
                    break answer.and_then(|answer| Ok(answer.ok_or_else(gone)??));
                }
                Err(busy @ RecordError { kind: RecordErrorKind::InUse(_), .. }) => {
                    if !is_waiting && began.elapsed() >= SILENT_WAIT {
                        is_waiting = true;
                        note!("{}", plain(busy.to_string()));
                    }
                }
                Err(error) => {
                    requests.withdraw(&name);
                    break Err(error.into());
                }
            }
            thread::sleep(POLL);
        };
        // This fails if others have requests there, as it should.
        fs::remove_dir(&requests.0).ok();
        answered
    }

    /// Whether a request waits.
    pub(crate) fn is_waiting(&self) -> bool {
        !self.list().is_empty()
    }

    /// Records the decisions that are asked for, and answers the requests. Returns the numbers of the decisions.
    ///
    /// # Errors
    /// When the record or an answer cannot be written. If a decision is not possible, that is its answer.
    pub(crate) fn record_waiting(
        &self,
        writer: &mut Writer,
        log: &mut SealLog,
        games: &Registry,
    ) -> Result<Vec<u32>, CliError> {
        self.remove_unawaited_answers();
        let mut recorded = Vec::new();
        for request in self.list() {
            let answer = self.record(&request, writer, log, games)?;
            recorded.extend(answer.iter().map(|it| it.number));
            if is_awaited(&request.name) {
                let text = serde_json::to_string(&answer).expect("all keys are texts");
                let file = self.file(&request.name, "answer");
                output::to_file(&file, text.as_bytes()).map_err(at(&file))?;
            }
            // It may have been renamed meanwhile, after the number of its decision.
            for done in self.list().iter().filter(|it| it.name == request.name) {
                fs::remove_file(self.request(&done.name, done.number)).ok();
            }
        }
        fs::remove_dir(&self.0).ok();
        Ok(recorded)
    }

    /// Records the decision of a request, unless it is not possible or recorded already, and returns the answer.
    fn record(
        &self,
        DecisionRequest { name, number }: &DecisionRequest,
        writer: &mut Writer,
        log: &mut SealLog,
        games: &Registry,
    ) -> Result<RequestAnswer, CliError> {
        let file = self.request(name, *number);
        let take = |number| fs::rename(&file, self.request(name, Some(number))).map_err(at(&file));
        let refused = |why: String| take(0).map(|()| Err(Reason(why)));
        let mut what = match read(&file) {
            Ok(what) => what,
            Err(why) => return refused(format!("{why:#}")),
        };
        let why = what.taken().why.clone();
        let tell = what.taken().tell.clone();
        match *number {
            Some(0) => return Ok(Err("it was refused by a run that ended before it said why".into())),
            // An earlier process has recorded it, but ended before it answered.
            Some(number) if writer.decisions()?.iter().any(|it| it.number == number && it.why == why) => {
                return Ok(Ok(RecordedDecision { number, messages: Ok(0) }));
            }
            _ => {}
        }
        let decided = match OpenContest::read(writer, games)?.decide(writer, &what, games) {
            Ok(decided) => decided,
            Err(CliError::Usage(why)) => return refused(why.to_string()),
            Err(error) => return Err(error),
        };
        take(writer.decisions()?.len() as u32 + 1)?;
        let number = writer.decide(&decided.action, decided.added.as_ref(), &why)?;
        writer.set_remarks(&decided.after.remarks(&decided.results))?;
        log.note(writer, true)?;
        let messages = tell.map_or(Ok(0), |folder| decided.tell(&folder, &why));
        Ok(Ok(RecordedDecision { number, messages: messages.map_err(|error| Reason(error.to_string())) }))
    }

    /// Puts a request into the folder, and returns its name.
    fn put(&self, what: &DecideCommand) -> Result<String, CliError> {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_millis();
        let name = format!("{now:015}-{}", process::id());
        let text =
            serde_json::to_string(what).map_err(|error| CliError::internal(error, "asking for a decision"))?;
        let put = || {
            fs::create_dir_all(&self.0)?;
            output::to_file(&self.request(&name, None), text.as_bytes())
        };
        // Another process may remove the empty folder between the two steps, so they are tried twice.
        put().or_else(|_| put()).map_err(at(&self.0))?;
        Ok(name)
    }

    /// Removes a request that is not being recorded yet. Returns whether it was there.
    fn withdraw(&self, name: &str) -> bool {
        fs::remove_file(self.request(name, None)).is_ok()
    }

    /// Reads the answer to a request, and removes it.
    fn answer(&self, name: &str) -> Result<Option<RequestAnswer>, CliError> {
        let file = self.file(name, "answer");
        let Ok(text) = fs::read(&file) else { return Ok(None) };
        fs::remove_file(&file).ok();
        Ok(Some(serde_json::from_slice(&text).map_err(at(&file))?))
    }

    /// The requests, in the order in which they were made.
    fn list(&self) -> Vec<DecisionRequest> {
        let request = |name: OsString| {
            let name = name.to_str()?.strip_suffix(".request")?;
            Some(match name.split_once('.') {
                Some((name, number)) => {
                    DecisionRequest { name: name.to_string(), number: Some(number.parse().ok()?) }
                }
                None => DecisionRequest { name: name.to_string(), number: None },
            })
        };
        let files = fs::read_dir(&self.0).into_iter().flatten().flatten().map(|file| file.file_name());
        let mut requests: Vec<DecisionRequest> = files.filter_map(request).collect();
        requests.sort_by(|a, b| a.name.cmp(&b.name));
        requests
    }

    /// Removes the answers for processes that have ended.
    fn remove_unawaited_answers(&self) {
        let files = fs::read_dir(&self.0).into_iter().flatten().flatten().map(|file| file.path());
        for answer in files.filter(|path| path.extension() == Some("answer".as_ref())) {
            if !answer.file_stem().and_then(OsStr::to_str).is_some_and(is_awaited) {
                fs::remove_file(&answer).ok();
            }
        }
    }

    /// The file of a request, with the number of its decision if its recording has begun.
    fn request(&self, name: &str, number: Option<u32>) -> PathBuf {
        match number {
            Some(number) => self.file(name, &format!("{number}.request")),
            None => self.file(name, "request"),
        }
    }

    fn file(&self, name: &str, ending: &str) -> PathBuf {
        self.0.join(format!("{name}.{ending}"))
    }
}

/// Whether the process that made the request `name` still runs.
fn is_awaited(name: &str) -> bool {
    name.split_once('-').is_some_and(|(_, asker)| Path::new("/proc").join(asker).exists())
}

/// For `map_err`: a failure with the file or folder at `path`.
fn at<E: Into<anyhow::Error>>(path: &Path) -> impl Fn(E) -> CliError {
    move |error| CliError::internal(error, path.display())
}

fn read(file: &Path) -> anyhow::Result<DecideCommand> {
    let length = fs::metadata(file)?.len();
    anyhow::ensure!(length <= LONGEST, "{}: it has {length} bytes", file.display());
    let read = serde_json::from_slice(&fs::read(file)?);
    let mut what: DecideCommand = read.with_context(|| format!("{}", file.display()))?;
    anyhow::ensure!(what.taken().why.len() <= LONGEST_REASON, "{}: its reason is too long", file.display());
    Ok(what)
}
