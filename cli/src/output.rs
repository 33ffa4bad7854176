//! Writes reports and exports whole or not at all, and replaces only older reports and exports.
//!
//! A file is written under a temporary name and renamed, so that a reader sees either the old one or the new one. The
//! folder of a site is written and renamed in the same way.

use crate::CliError;
use cornerman_harness::nearest::file_suggestion;
use cornerman_report::html::GENERATOR;
use std::fs::{self, File, Permissions};
use std::io::{self, BufRead, BufReader, BufWriter, Read, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use tempfile::{NamedTempFile, TempDir};

/// How many bytes of an existing page are read to see what wrote it.
const HEAD: u64 = 512;

/// How many bytes of an existing export are read, at most, to see what wrote it.
const FIRST_LINE: u64 = 16 << 20;

/// What the names of temporary files and folders begin with.
const PREFIX: &str = ".cornerman-";

/// Whether `out` means a folder: it is one, or its name ends with `/`.
pub(crate) fn is_folder(out: &Path) -> bool {
    out.is_dir() || out.as_os_str().as_encoded_bytes().ends_with(b"/")
}

/// Writes `content` to `path`, by renaming a complete file.
///
/// # Errors
/// When the system refuses. What was there before is then unchanged.
pub(crate) fn to_file(path: &Path, content: &[u8]) -> io::Result<()> {
    let mut file = temporary_beside(path)?;
    file.write_all(content)?;
    file.persist(path)?;
    Ok(())
}

/// A temporary file in the folder of `path`. As for any new file, the user's umask decides who may read it.
fn temporary_beside(path: &Path) -> io::Result<NamedTempFile> {
    let permissions = Permissions::from_mode(0o666);
    tempfile::Builder::new().prefix(PREFIX).permissions(permissions).tempfile_in(folder_of(path))
}

/// Checks that a page may be written to `path`.
///
/// # Errors
/// When its folder does not exist, or a file is there that is not an older report.
pub(crate) fn may_be_written(path: &Path) -> Result<(), CliError> {
    folder_exists(folder_of(path))?;
    if path.exists() && !is_report(path) {
        return Err(usage!("{} exists and is not a report; name another file, or move it away", path.display()));
    }
    Ok(())
}

/// A file that is written under a temporary name in the folder of its place.
pub(crate) struct NewFile {
    place: PathBuf,
    file: BufWriter<NamedTempFile>,
}

impl NewFile {
    /// Begins a file for `place`. Only an empty file, or one that `is_ours` recognizes, may already be there.
    ///
    /// # Errors
    /// When something else is there, the folder does not exist, or the file cannot be written.
    pub(crate) fn at(place: &Path, is_ours: &dyn Fn(&mut dyn BufRead) -> bool) -> Result<NewFile, CliError> {
        let shown = place.display();
        if place.is_dir() {
            return Err(usage!("{shown} is a folder; name a file"));
        }
        let empty = fs::metadata(place).is_ok_and(|found| found.is_file() && found.len() == 0);
        let ours = || File::open(place).is_ok_and(|file| is_ours(&mut BufReader::new(file.take(FIRST_LINE))));
        if place.exists() && !empty && !ours() {
            let words = "exists and is not an export; name another file, or move it away";
            return Err(usage!("{shown} {words}"));
        }
        let folder = folder_of(place);
        folder_exists(folder)?;
        let file = temporary_beside(place).map_err(CliError::at("writing to", folder))?;
        Ok(NewFile { place: place.to_path_buf(), file: BufWriter::new(file) })
    }

    /// The temporary file.
    pub(crate) fn path(&self) -> &Path {
        self.file.get_ref().path()
    }

    /// Renames the complete file to its place.
    ///
    /// # Errors
    /// When the system refuses. What was there before is then unchanged.
    pub(crate) fn put_in_place(self) -> Result<(), CliError> {
        let NewFile { place, file } = self;
        let whole = file.into_inner().map_err(io::IntoInnerError::into_error);
        let put = whole.and_then(|file| Ok(file.persist(&place).map(drop)?));
        put.map_err(CliError::at::<io::Error>("writing", &place))
    }
}

impl Write for NewFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// Checks that `place` is not a file, and creates the folder if it does not exist.
///
/// # Errors
/// When it is a file, or its parent folder does not exist.
pub(crate) fn make_folder(place: &Path) -> Result<(), CliError> {
    if place.exists() && !place.is_dir() {
        return Err(usage!("{} is a file; name a folder", place.display()));
    }
    if place.exists() {
        return Ok(());
    }
    folder_exists(folder_of(place))?;
    fs::create_dir(place).map_err(CliError::at("creating", place))
}

/// Whether a file has games as JSON lines.
pub(crate) fn is_jsonl(file: &mut dyn BufRead) -> bool {
    let mut line = String::new();
    let read = file.read_line(&mut line).is_ok();
    let game: Option<serde_json::Value> = serde_json::from_str(&line).ok().filter(|_| read);
    game.is_some_and(|game| ["schema", "id", "seats", "moves"].iter().all(|key| game.get(key).is_some()))
}

/// Whether the first line of a file contains `sign`, which is in the first line of every game in an export format.
pub(crate) fn has_sign(sign: &str, file: &mut dyn BufRead) -> bool {
    let mut line = String::new();
    file.read_line(&mut line).is_ok() && line.contains(sign)
}

/// The folder of a site that is written under a temporary name beside its place. Files that have not changed since the
/// older site remain the same files, with their times, so that programs that copy the site to its host see what
/// changed. Where the file system has no hard links, they are written anew.
pub(crate) struct SiteFolder {
    place: PathBuf,
    made: TempDir,
    files: usize,
    changed: usize,
}

impl SiteFolder {
    /// Begins a folder for `place`.
    ///
    /// # Errors
    /// When something is there that is not an older report, or the folder cannot be created.
    pub(crate) fn beside(place: &Path) -> Result<SiteFolder, CliError> {
        let place = PathBuf::from(place.components().as_path());
        let above = folder_of(&place).to_path_buf();
        folder_exists(&above)?;
        if place.exists() && !place.is_dir() {
            return Err(usage!("{} is a file; name a folder", place.display()));
        }
        if let Some(foreign) = foreign(&place) {
            let words = "is not part of a report; name an empty folder, a new one, or one with an older report";
            return Err(usage!("{} {words}", foreign.display()));
        }
        let permissions = Permissions::from_mode(0o777);
        let made = tempfile::Builder::new().prefix(PREFIX).permissions(permissions).tempdir_in(&above);
        let made = made.map_err(CliError::at("writing to", &above))?;
        Ok(SiteFolder { place, made, files: 0, changed: 0 })
    }

    /// Writes the file `name`, a path relative to the folder.
    pub(crate) fn add(&mut self, name: &str, content: &[u8]) -> io::Result<()> {
        let path = self.made.path().join(name);
        let folder = folder_of(&path);
        if !folder.is_dir() {
            fs::create_dir_all(folder)?;
        }
        self.files += 1;
        let old = self.place.join(name);
        let is_same =
            old.symlink_metadata().is_ok_and(|found| found.is_file() && found.len() == content.len() as u64)
                && fs::read(&old).is_ok_and(|found| found == content);
        if is_same && fs::hard_link(&old, &path).is_ok() {
            return Ok(());
        }
        self.changed += 1;
        fs::write(path, content)
    }

    /// How many of its files are not those of the older site: `3 of 14 files are new`.
    pub(crate) fn changed_in_words(&self) -> String {
        format!("{} of {} files are new", self.changed, self.files)
    }

    /// Renames the folder to its place, and removes the older report that was there.
    ///
    /// # Errors
    /// When it cannot be renamed. What was there before is then put back, if that is possible.
    pub(crate) fn put_in_place(self) -> Result<(), CliError> {
        let SiteFolder { place, made, .. } = self;
        let failed = CliError::at::<io::Error>("replacing", &place);
        // Not removed automatically, so that the older report is not lost if putting it back fails as well.
        let aside = tempfile::Builder::new().prefix(PREFIX).tempdir_in(folder_of(&place)).map_err(&failed)?.keep();
        let old = aside.join("old");
        let was_there = place.is_dir();
        let moved = if was_there { fs::rename(&place, &old) } else { Ok(()) };
        let put = moved.and_then(|()| {
            fs::rename(made.path(), &place).inspect_err(|_| {
                if was_there {
                    fs::rename(&old, &place).ok();
                }
            })
        });
        match put {
            // If the older report cannot be removed, the new one is in its place all the same.
            Ok(()) => drop(fs::remove_dir_all(&aside)),
            Err(error) => {
                // This removes only an empty folder.
                fs::remove_dir(&aside).ok();
                return Err(failed(error));
            }
        }
        // The folder has its final name now, so it is no longer removed as a temporary one.
        let _ = made.keep();
        Ok(())
    }
}

/// A file in a folder that is not part of a report; `None` if there is none, or no such folder.
fn foreign(folder: &Path) -> Option<PathBuf> {
    const OURS: [&str; 6] = ["index.html", "page.css", "page.js", "picture.png", "entrants", "games"];
    let entries: Vec<PathBuf> = fs::read_dir(folder).into_iter().flatten().flatten().map(|it| it.path()).collect();
    let index = folder.join("index.html");
    if !entries.is_empty() && !is_report(&index) {
        return entries.into_iter().min();
    }
    let ours = |path: &PathBuf| path.file_name().is_some_and(|name| OURS.iter().any(|known| name == *known));
    let pages = |name: &str| fs::read_dir(folder.join(name)).into_iter().flatten().flatten().map(|it| it.path());
    // In older reports, games are pages; now they are scripts.
    let is_page =
        |path: &PathBuf| path.extension().is_some_and(|extension| extension == "html" || extension == "js");
    let other_pages = pages("entrants").chain(pages("games")).filter(|path| !is_page(path));
    entries.into_iter().filter(|path| !ours(path)).chain(other_pages).min()
}

/// Whether a file is a page of a report, by its beginning.
fn is_report(path: &Path) -> bool {
    let mut head = Vec::new();
    let read = fs::File::open(path).and_then(|file| file.take(HEAD).read_to_end(&mut head));
    read.is_ok() && String::from_utf8_lossy(&head).contains(&format!("content=\"{GENERATOR}\""))
}

/// Checks that a folder exists.
///
/// # Errors
/// When there is none, with the nearest name that exists.
pub(crate) fn folder_exists(folder: &Path) -> Result<(), CliError> {
    if folder.is_dir() {
        Ok(())
    } else if folder.exists() {
        Err(usage!("{} is a file, not a folder", folder.display()))
    } else {
        Err(usage!("no such folder: {}", folder.display()).hint(file_suggestion(folder)))
    }
}

/// The folder that `path` is in; `.` if it names none.
pub(crate) fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}
