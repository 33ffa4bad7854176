//! Intake: builds and checks each submitted entry, and gives a verdict on it, whatever was submitted.
//!
//! Entries are independent: if one cannot be read, built or started, its verdict says so, with the compiler's message
//! or ours (R1), and the others are judged all the same. Several entries are judged at a time, to use all processors,
//! but reported in their order.
//!
//! A status file tells the author of each entry whether it may play, what fails and how to fix it, without the paths of
//! the organizer's folders that the entry and the cache are in. An index of these files is for the organizer.

use crate::{CliError, output, show};
use cornerman_conformance::{BotReport, Options, SuiteError, check, files, games};
use cornerman_harness::bot::Bot;
use cornerman_harness::machine;
use cornerman_harness::pool::{self, Slots};
use cornerman_harness::toolchain::cache;
use cornerman_harness::toolchain::language::Languages;
use cornerman_report::Style;
use cornerman_report::check::{self, Layout};
use indicatif::{ProgressBar, ProgressStyle};
use std::collections::BTreeMap;
use std::fs::{self, FileType};
use std::io::{self, Read};
use std::os::unix::fs::FileTypeExt;
use std::path::{Path, PathBuf};
use std::sync::mpsc::Sender;
use std::sync::{Mutex, PoisonError};

/// How many times in all a build or check is tried if it fails because of the machine.
const TRIES: u32 = 3;

/// A submitted entry, which may be anything.
#[derive(Clone, Debug)]
pub(crate) struct Submission {
    /// The entry as a BOT of the command line: a path or `@name`.
    pub spec: String,
    /// Why it is not loaded: it cannot be a bot.
    pub refused: Option<String>,
}

impl Submission {
    /// A submission that is not refused.
    pub(crate) fn new(spec: impl Into<String>) -> Submission {
        Submission { spec: spec.into(), refused: None }
    }

    /// Its name until its bot is loaded: the file's name without the extension.
    pub(crate) fn name(&self) -> String {
        let path = Path::new(&self.spec);
        path.file_stem().map_or(self.spec.clone(), |stem| stem.to_string_lossy().into_owned())
    }
}

/// The verdict on an entry.
#[derive(Debug)]
pub(crate) struct IntakeVerdict {
    /// The bot; `None` if it could not be loaded, or says that it plays a game without checks.
    pub bot: Option<Bot>,
    /// The report of its check. `None` if it was loaded but not checked, because no check was asked for or it is an
    /// engine: engines have a protocol of their own, which the suites do not cover.
    pub report: Option<BotReport>,
}

/// The progress of [`judge`].
pub(crate) enum IntakeEvent<'a> {
    /// The entry with this spec is being judged.
    Began(&'a str),
    /// This number of jobs of an entry's check are done, of this number in all.
    Advanced(usize, usize),
    /// The entry with this spec has been judged.
    Ended(&'a str),
    /// The verdict on the next entry, in the order of the submissions.
    Known(&'a IntakeVerdict),
}

/// Loads the bot of the submission with this index.
pub(crate) type LoadSubmission<'a> = &'a (dyn Fn(usize) -> Result<Bot, CliError> + Sync);

/// What the threads of [`judge`] report of the submissions, by index.
enum Message {
    Began(usize),
    Advanced(usize, usize),
    Judged(usize, Result<Box<IntakeVerdict>, CliError>),
}

/// Judges `submissions`, whose bots `load` loads by index, and returns the verdicts in the same order. `watch` receives
/// the progress. Without `options` the bots are loaded but not checked.
///
/// # Errors
/// When the options are wrong, the sandbox is not available, or `watch` returns an error. What is wrong with an entry
/// is its verdict, not an error.
pub(crate) fn judge(
    submissions: &[Submission],
    load: LoadSubmission,
    options: Option<&Options>,
    watch: &mut dyn FnMut(IntakeEvent) -> Result<(), CliError>,
) -> Result<Vec<IntakeVerdict>, CliError> {
    let names: Vec<String> = submissions.iter().map(Submission::name).collect();
    let folders = files::folder_names(names.iter().map(String::as_str));
    let slots = Slots::new(machine::cores());
    let options = options.map(|options| Options { slots: Some(slots.clone()), ..options.clone() });
    // More workers than slots: while an entry waits, it lends its slot to another one.
    let workers = (2 * machine::cores()).min(submissions.len());
    let queue = Mutex::new(0..submissions.len());
    let next = || queue.lock().unwrap_or_else(PoisonError::into_inner).next();
    let give_up = || *queue.lock().unwrap_or_else(PoisonError::into_inner) = 0..0;
    let mut judged = Vec::new();
    let mut waiting = BTreeMap::new();
    let mut failed = None;
    let work = |_, sender: &Sender<Message>| {
        while let Some(number) = next() {
            let mut advanced = |done, jobs| drop(sender.send(Message::Advanced(done, jobs)));
            let one = slots.hold(|| {
                sender.send(Message::Began(number)).ok();
                judge_one(submissions, number, load, &folders[number], options.as_ref(), &mut advanced)
            });
            sender.send(Message::Judged(number, one.map(Box::new))).ok();
        }
    };
    pool::run(workers, work, &mut |message| {
        let watched = match message {
            Message::Began(number) => watch(IntakeEvent::Began(&submissions[number].spec)),
            Message::Advanced(done, jobs) => watch(IntakeEvent::Advanced(done, jobs)),
            Message::Judged(number, Ok(one)) => {
                waiting.insert(number, *one);
                let mut watched = watch(IntakeEvent::Ended(&submissions[number].spec));
                while let Some(one) = waiting.remove(&judged.len()) {
                    watched = watched.and_then(|()| watch(IntakeEvent::Known(&one)));
                    judged.push(one);
                }
                watched
            }
            Message::Judged(_, Err(failure)) => Err(failure),
        };
        if let Err(failure) = watched {
            give_up();
            failed.get_or_insert(failure);
        }
    });
    failed.map_or(Ok(judged), Err)
}

/// Judges the submission with the index `number`. `folder` is the name of the folder for the files of its failures.
fn judge_one(
    submissions: &[Submission],
    number: usize,
    load: LoadSubmission,
    folder: &str,
    options: Option<&Options>,
    advanced: &mut dyn FnMut(usize, usize),
) -> Result<IntakeVerdict, CliError> {
    let submission = &submissions[number];
    let suite = options.and_then(|options| games::suite(&options.games, options.game.as_deref()?));
    let seed = options.map_or(0, |options| options.seed);
    let unfit = |why: String| {
        let spec = submission.spec.clone();
        let name = submission.name();
        let report = BotReport { unfit: Some(why), suite, name, spec, seed, ..BotReport::default() };
        Ok(IntakeVerdict { bot: None, report: Some(report) })
    };
    if let Some(why) = &submission.refused {
        return unfit(why.clone());
    }
    let mut loaded = load(number);
    for _ in 1..TRIES {
        if matches!(loaded, Err(CliError::Internal(_))) {
            loaded = load(number);
        }
    }
    let bot = match loaded {
        Ok(bot) => bot,
        Err(CliError::Usage(why)) => return unfit(why.to_string()),
        Err(other) => return Err(other),
    };
    let Some(options) = options.filter(|_| bot.engine_protocol.is_none()) else {
        return Ok(IntakeVerdict { bot: Some(bot), report: None });
    };
    let mut checked = || check(&bot, folder, options, advanced);
    let mut report = checked();
    for _ in 1..TRIES {
        if report.as_ref().is_ok_and(|report| report.kit_failure.is_some()) {
            report = checked();
        }
    }
    match report {
        Ok(report) => Ok(IntakeVerdict { bot: Some(bot), report: Some(report) }),
        // The game is what the entry says that it plays: the other entries are judged.
        Err(error @ (SuiteError::NoChecks { .. } | SuiteError::UnknownGame { .. }))
            if options.game.is_none() && submissions.len() > 1 =>
        {
            unfit(error.to_string())
        }
        Err(error) => Err(error.into()),
    }
}

/// A progress bar: of the jobs of a single entry's check, or of the entries if there are several. It is hidden if
/// standard error is not a terminal.
pub(crate) struct IntakeBar {
    bar: ProgressBar,
    many: bool,
    /// The entries that are being checked.
    busy: Vec<String>,
}

impl IntakeBar {
    pub(crate) fn new(entries: usize) -> IntakeBar {
        let many = entries > 1;
        let template = if many {
            "{pos} of {len} {bar:30} {elapsed}, {eta} to go: {wide_msg}"
        } else {
            "{wide_msg} {bar:30} {pos}/{len} {elapsed}"
        };
        let style = ProgressStyle::with_template(template).expect("the template is valid");
        let bar = ProgressBar::new(if many { entries as u64 } else { 0 }).with_style(style);
        IntakeBar { bar, many, busy: Vec::new() }
    }

    pub(crate) fn on_event(&mut self, event: &IntakeEvent) {
        match event {
            IntakeEvent::Began(spec) => self.busy.push(show::plain(spec)),
            IntakeEvent::Ended(spec) => {
                let spec = show::plain(spec);
                if let Some(at) = self.busy.iter().position(|busy| *busy == spec) {
                    self.busy.remove(at);
                }
                self.bar.inc(u64::from(self.many));
            }
            IntakeEvent::Advanced(done, jobs) if !self.many => {
                self.bar.set_length(*jobs as u64);
                self.bar.set_position(*done as u64);
                return;
            }
            IntakeEvent::Advanced(..) | IntakeEvent::Known(_) => return,
        }
        self.bar.set_message(self.busy.join(", "));
    }

    /// Runs `write`, which writes to the terminal, while the bar is hidden.
    pub(crate) fn suspend<T>(&self, write: impl FnOnce() -> T) -> T {
        self.bar.suspend(write)
    }
}

impl Drop for IntakeBar {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

/// The file that lists the others: entry, file and verdict.
const INDEX: &str = "index.csv";

/// Writes a file for each report and their index into `folder`, which is created if need be. Each file is written whole
/// or not at all.
pub(crate) fn write_status(folder: &Path, reports: &[BotReport], layout: &Layout) -> Result<(), CliError> {
    let layout = &Layout { style: Style::plain(), ..layout.clone() };
    fs::create_dir_all(folder).map_err(CliError::at("creating", folder))?;
    let names = files::folder_names(reports.iter().map(|report| report.name.as_str()));
    let mut index = csv::Writer::from_writer(Vec::new());
    let unwritten = |error: csv::Error| CliError::Internal(error.into());
    index.write_record(["entry", "file", "verdict"]).map_err(unwritten)?;
    for (report, name) in reports.iter().zip(names) {
        let name = name + ".txt";
        write_file(&folder.join(&name), status_text(report, layout).as_bytes())?;
        index
            .write_record([&show::plain(&report.spec), &name, verdict(report, layout.strict).0])
            .map_err(unwritten)?;
    }
    let index = index.into_inner().map_err(|error| CliError::Internal(error.into_error().into()))?;
    write_file(&folder.join(INDEX), &index)
}

fn write_file(path: &Path, content: &[u8]) -> Result<(), CliError> {
    output::to_file(path, content).map_err(CliError::at("writing", path))
}

/// The verdict on an entry in a few words, and in sentences for its author.
fn verdict(report: &BotReport, strict: bool) -> (&'static str, &'static str) {
    match (report.passes(strict), &report.kit_failure) {
        (_, Some(_)) => {
            ("not checked", "It could not be checked, because the machine failed. That is not its fault.")
        }
        (true, None) => ("may play", "It follows the rules and may play."),
        (false, None) => {
            ("may not play", "It may not play as it is. The report below says why, and how to fix it.")
        }
    }
}

/// The status file of an entry, for its author: without the paths of the organizer's folders.
fn status_text(report: &BotReport, layout: &Layout) -> String {
    let (_, verdict) = verdict(report, layout.strict);
    let mut own = report.clone();
    // The author has neither the files nor the organizer's folders.
    for result in &mut own.results {
        result.files = None;
    }
    let spec = Path::new(&report.spec);
    own.spec = spec.file_name().unwrap_or(spec.as_os_str()).to_string_lossy().into_owned();
    let whole = std::path::absolute(spec).unwrap_or_default();
    let mut text = check::text(&own, layout);
    for folder in whole.parent().into_iter().chain(cache::folder().as_deref()) {
        text = text.replace(&format!("{}/", folder.display()), "");
    }
    format!("{}\n\n{verdict}\n\n{text}", show::plain(&report.name))
}

/// A name in a folder of submissions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ListedFile {
    pub path: PathBuf,
    pub class: Classification,
}

/// What a name in a folder of submissions is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Classification {
    /// An entry, which is to be built and judged.
    Entry,
    /// An entry that cannot be built, for this reason.
    Refused(String),
    /// Not an entry, for this reason.
    Ignored(String),
}

/// Everything in `folder`, sorted by name.
pub(crate) fn list(folder: &Path, languages: &Languages) -> io::Result<Vec<ListedFile>> {
    let mut names: Vec<_> =
        fs::read_dir(folder)?.map(|entry| Ok(entry?.file_name())).collect::<io::Result<_>>()?;
    names.sort();
    let found = |name: std::ffi::OsString| {
        let path = folder.join(&name);
        ListedFile { class: classify(&path, name.to_str(), languages), path }
    };
    Ok(names.into_iter().map(found).collect())
}

/// Why `path`, which was named as a bot, cannot be built, if it is an archive. Other reasons are the errors of loading
/// the bot.
pub(crate) fn refused(path: &Path) -> Option<String> {
    (is_archive(path) && path.is_file()).then(|| ARCHIVE.to_string())
}

const ARCHIVE: &str =
    "it is an archive, and archives are not unpacked: submit the folder in it, or the source file itself";

fn is_archive(path: &Path) -> bool {
    let endings = ["zip", "tar", "tgz", "txz", "gz", "xz", "bz2", "zst", "7z", "rar"];
    ending(path).is_some_and(|ending| endings.contains(&ending.as_str()))
}

/// The extension of a file, in small letters.
fn ending(path: &Path) -> Option<String> {
    Some(path.extension()?.to_str()?.to_ascii_lowercase())
}

/// What is at `path`. `name` is its last part; `None` if that is not UTF-8.
fn classify(path: &Path, name: Option<&str>, languages: &Languages) -> Classification {
    let refused = |why: &str| Classification::Refused(why.to_string());
    let ignored = |why: &str| Classification::Ignored(why.to_string());
    let Some(name) = name else { return refused("its name is not UTF-8: give it another") };
    if name.starts_with('.') {
        return ignored("hidden");
    }
    let kind = match fs::metadata(path) {
        Ok(found) => found.file_type(),
        Err(_) if path.is_symlink() => return refused("it is a link to a file that does not exist"),
        Err(why) => return Classification::Refused(format!("it cannot be read: {why}")),
    };
    if kind.is_dir() {
        return classify_folder(path, name);
    }
    if !kind.is_file() {
        return Classification::Refused(format!("it is {}, not a file or a folder", kind_in_words(kind)));
    }
    match ending(path).unwrap_or_default().as_str() {
        _ if is_archive(path) => refused(ARCHIVE),
        "o" | "pyc" | "class" | "obj" => ignored("a compiler's output"),
        "h" | "hpp" | "hh" => ignored(
            "a header: submit it with the source file that needs it (`with`), or in a folder with a bot.toml",
        ),
        _ if Bot::is_likely(path, languages) || begins_like_a_program(path) => Classification::Entry,
        _ => Classification::Ignored(format!("neither a program nor a source file ({})", languages.extensions())),
    }
}

fn classify_folder(path: &Path, name: &str) -> Classification {
    match fs::read_dir(path).map(|mut entries| entries.next().is_none()) {
        _ if name == "__pycache__" => Classification::Ignored("a cache of Python's".to_string()),
        Ok(true) => Classification::Refused("it is an empty folder".to_string()),
        Err(why) => Classification::Refused(format!("it cannot be read: {why}")),
        // If it has no `bot.toml`, the error of loading it says so.
        Ok(false) => Classification::Entry,
    }
}

fn kind_in_words(kind: FileType) -> &'static str {
    if kind.is_fifo() {
        "a pipe"
    } else if kind.is_socket() {
        "a socket"
    } else {
        "a device"
    }
}

/// Whether a file starts as a script or a program does, even if it is not executable.
fn begins_like_a_program(path: &Path) -> bool {
    let mut start = [0; 4];
    let read = fs::File::open(path).and_then(|mut file| file.read_exact(&mut start));
    read.is_ok() && (start.starts_with(b"#!") || &start == b"\x7fELF")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    #[track_caller]
    fn check(make: impl Fn(&Path) -> io::Result<()>, name: &str, wanted: &str) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(name);
        make(&path).unwrap();
        let found = list(folder.path(), Languages::built_in()).unwrap();
        let [ListedFile { class, .. }] = found.as_slice() else { panic!("{found:?}") };
        let (kind, words) = match class {
            Classification::Entry => ("entry", ""),
            Classification::Refused(why) => ("refused", why.as_str()),
            Classification::Ignored(why) => ("ignored", why.as_str()),
        };
        let (wanted_kind, wanted_words) = wanted.split_once(": ").unwrap_or((wanted, ""));
        assert!(kind == wanted_kind && words.contains(wanted_words), "{name}: {kind}, {words}");
    }

    #[test]
    fn every_name_is_an_entry_refused_or_ignored() {
        let text = |content: &'static str| move |path: &Path| fs::write(path, content);
        check(text("int main(void) {}"), "ann.c", "entry");
        check(text("#!/bin/sh\n"), "no-execute-bit", "entry");
        check(text("hello"), "README.md", "ignored: neither a program nor a source file");
        check(text("#define X"), "shared.h", "ignored: a header");
        check(text("PK"), "bob.ZIP", "refused: it is an archive");
        check(text("x"), "bob.tar.gz", "refused: it is an archive");
        check(text("x"), ".DS_Store", "ignored: hidden");
        check(
            |path| symlink("/nowhere/at/all", path),
            "link",
            "refused: it is a link to a file that does not exist",
        );
        check(|path| fs::create_dir(path), "empty", "refused: it is an empty folder");
        let full = |path: &Path| fs::create_dir(path).and_then(|()| fs::write(path.join("a.c"), ""));
        check(full, "folder", "entry");
        check(full, "__pycache__", "ignored: a cache of Python's");
        let odd = |path: &Path| fs::write(path.with_file_name(std::ffi::OsString::from_vec(vec![b'a', 0xff])), "");
        use std::os::unix::ffi::OsStringExt;
        check(odd, "unused", "refused: its name is not UTF-8");
    }
}
