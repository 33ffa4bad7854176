//! The log of a record's seals: while a tournament is played, heads of its chain of hashes are written into a file, by
//! default beside the record. Until the seal is published, an organizer could otherwise play the last games of the
//! record again without a trace. If others have copies of the log's lines, these show it.

use crate::CliError;
use crate::show::plain;
use cornerman_harness::record::{Record, Seal};
use cornerman_harness::verify::NotedHead;
use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

/// How often a head is written, at most, while games are played.
const EVERY: Duration = Duration::from_secs(10);

/// What a line has, for messages.
const FORM: &str = "a time, a record, a number of games and decisions, and 64 hexadecimal digits";

/// The path of the log of the record `db`: `mini.heads` for `mini.db`.
pub(crate) fn beside(db: &Path) -> PathBuf {
    db.with_extension("heads")
}

/// Checks that a log may be written at `path`.
///
/// # Errors
/// When another file is there.
pub(crate) fn may_be_at(path: &Path) -> Result<(), CliError> {
    if path.exists() { read(path).map(drop) } else { Ok(()) }
}

/// A log of seals that is open for writing.
pub(crate) struct SealLog {
    path: PathBuf,
    file: File,
    /// When [`SealLog::note`] last looked at the head.
    noted: Option<Instant>,
    /// The head at that time.
    head: Option<Seal>,
}

impl SealLog {
    /// Opens the log at `path`, to write behind what is there.
    pub(crate) fn open(path: &Path) -> Result<SealLog, CliError> {
        let file = OpenOptions::new().create(true).append(true).open(path);
        let file = file.map_err(|error| usage!("cannot write the log of seals {}: {error}", path.display()))?;
        Ok(SealLog { path: path.into(), file, noted: None, head: None })
    }

    /// Writes the head of `record` if it has changed, but not more often than [`EVERY`] unless `end` says that a run
    /// ends or a decision was recorded.
    pub(crate) fn note(&mut self, record: &Record, end: bool) -> Result<(), CliError> {
        if !end && self.noted.is_some_and(|noted| noted.elapsed() < EVERY) {
            return Ok(());
        }
        let head = record.head()?;
        if let Some(head) = head.filter(|head| self.head != Some(*head)) {
            let now = humantime::format_rfc3339_seconds(SystemTime::now());
            let line = format!("{now} {} {} {head}\n", name_of(record)?, record.links()?);
            let written = self.file.write_all(line.as_bytes()).and_then(|()| self.file.sync_data());
            written.map_err(CliError::at("writing the log of seals", &self.path))?;
        }
        self.noted = Some(Instant::now());
        self.head = head;
        Ok(())
    }
}

/// What tells a record from others, as `SEED-TIME`: its seed, and when it was begun, in milliseconds since 1970.
fn name_of(record: &Record) -> Result<String, CliError> {
    let parts: Vec<String> = record.identity()?.iter().map(ToString::to_string).collect();
    Ok(parts.join("-"))
}

/// The heads of `record` in the log at `path`. A log is empty if its run ended before it wrote the first line.
///
/// # Errors
/// When the file cannot be read, a line of it is malformed, or all its heads are of other records although something is
/// recorded in `record`.
pub(crate) fn heads_of(record: &Record, path: &Path) -> Result<Vec<NotedHead>, CliError> {
    let own = name_of(record)?;
    let lines = read(path)?;
    let is_empty = lines.is_empty();
    let heads: Vec<NotedHead> =
        lines.into_iter().filter_map(|(name, head)| (name == own).then_some(head)).collect();
    if heads.is_empty() && !is_empty && record.links()? > 0 {
        return Err(usage!(
            "{} has no line of the record {}, which is {own} there",
            path.display(),
            record.path().display()
        ));
    }
    Ok(heads)
}

/// The lines of the log at `path`: of which record, by [`name_of`], and the head.
fn read(path: &Path) -> Result<Vec<(String, NotedHead)>, CliError> {
    let text = fs::read_to_string(path);
    let text = text.map_err(|error| usage!("cannot read the log of seals {}: {error}", path.display()))?;
    let line = |(number, line): (usize, &str)| {
        let place = format!("{}:{number}", path.display());
        let parts: Vec<&str> = line.split(' ').collect();
        let head = match parts[..] {
            [time, name, links, link] => links.parse().ok().zip(Seal::parse(link)).map(|(links, link)| {
                (name.to_string(), NotedHead { place: place.clone(), time: plain(time), links, link })
            }),
            _ => None,
        };
        head.ok_or_else(|| usage!("{place}: expected {FORM}, not `{}`", plain(line)))
    };
    (1..).zip(text.lines()).map(line).collect()
}
