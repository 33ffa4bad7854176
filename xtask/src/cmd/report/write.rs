//! Putting a report where it is asked for: all of it or nothing, and in place of nothing but an older report.
//!
//! A page is written beside its place and renamed into it, so that whoever opens or publishes it meanwhile has the
//! old one or the new one. A folder is made whole beside its place in the same way.

use crate::exit::Failure;
use cornerman_harness::nearest::did_you_mean_file;
use cornerman_report::html::GENERATOR;
use std::fs::{self, Permissions};
use std::io::{self, Read, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// Of a page, as many bytes are looked at for what made it.
const HEAD: u64 = 512;
/// What files beside the place of a report are called while they are made.
const PREFIX: &str = ".report-";

/// Whether this names a folder: one that is there, or a name that ends as folders' do.
pub fn is_folder(out: &Path) -> bool {
    out.is_dir() || out.as_os_str().as_encoded_bytes().ends_with(b"/")
}

/// Writes `content` to `path` at once.
///
/// # Errors
/// Whatever the system says; the file is then as it was.
pub fn to_file(path: &Path, content: &[u8]) -> io::Result<()> {
    // Those for anyone, less what the user's mask takes away: a page is there to be read.
    let permissions = Permissions::from_mode(0o666);
    let mut file =
        tempfile::Builder::new().prefix(PREFIX).permissions(permissions).tempfile_in(folder_of(path))?;
    file.write_all(content)?;
    file.persist(path)?;
    Ok(())
}

/// That a page may be written to `path`: its folder is there, and no file but an older report.
///
/// # Errors
/// What is in the way, as bad input.
pub fn may_be_written(path: &Path) -> Result<(), Failure> {
    let folder = folder_of(path);
    if !folder.is_dir() {
        let hint = did_you_mean_file(folder);
        return Err(Failure::usage(format!("no such folder: {}{hint}", folder.display())));
    }
    if path.exists() && !is_report(path) {
        return Err(Failure::usage(format!(
            "{} is there and is no report: name another file, or move it away",
            path.display()
        )));
    }
    Ok(())
}

/// A folder of pages that is being made beside its place.
pub struct Folder {
    place: PathBuf,
    made: TempDir,
}

impl Folder {
    /// Begins the folder that is to be at `place`.
    ///
    /// # Errors
    /// When something else is there.
    pub fn beside(place: &Path) -> Result<Folder, Failure> {
        let place = PathBuf::from(place.components().as_path());
        let above = folder_of(&place).to_path_buf();
        if !above.is_dir() {
            let hint = did_you_mean_file(&above);
            return Err(Failure::usage(format!("no such folder: {}{hint}", above.display())));
        }
        if place.exists() && !place.is_dir() {
            return Err(Failure::usage(format!("{} is a file: name a folder", place.display())));
        }
        if let Some(foreign) = foreign(&place) {
            let words = "is in the way: name an empty folder, a new one, or one with an older report";
            return Err(Failure::usage(format!("{} {words}", foreign.display())));
        }
        let permissions = Permissions::from_mode(0o777);
        let made = tempfile::Builder::new().prefix(PREFIX).permissions(permissions).tempdir_in(&above);
        let made = made.map_err(|error| {
            Failure::Kit(anyhow::Error::from(error).context(format!("writing to {}", above.display())))
        })?;
        Ok(Folder { place, made })
    }

    /// Writes a page, by its path below the folder.
    ///
    /// # Errors
    /// Whatever the system says.
    pub fn add(&self, name: &str, content: &[u8]) -> io::Result<()> {
        let path = self.made.path().join(name);
        let folder = folder_of(&path);
        if !folder.is_dir() {
            fs::create_dir_all(folder)?;
        }
        fs::write(path, content)
    }

    /// Puts it in its place, and takes away the older report that was there.
    ///
    /// # Errors
    /// When it cannot be renamed; what was there then stays.
    pub fn put_in_place(self) -> Result<(), Failure> {
        let Folder { place, made } = self;
        let failed = |error: io::Error| {
            Failure::Kit(anyhow::Error::from(error).context(format!("replacing {}", place.display())))
        };
        // Not removed by itself: should putting the older report back fail too, it is still there.
        let aside = tempfile::Builder::new().prefix(PREFIX).tempdir_in(folder_of(&place)).map_err(failed)?.keep();
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
            // What cannot be removed is an older report that nobody asks for any more.
            Ok(()) => drop(fs::remove_dir_all(&aside)),
            Err(error) => {
                // Only if it is empty.
                fs::remove_dir(&aside).ok();
                return Err(failed(error));
            }
        }
        // Under its new name it is nothing to be removed any more.
        let _ = made.keep();
        Ok(())
    }
}

/// Something in a folder that no report has put there; nothing if it is empty, not there, or holds a report.
fn foreign(folder: &Path) -> Option<PathBuf> {
    const OURS: [&str; 5] = ["index.html", "page.css", "page.js", "entrants", "games"];
    let entries: Vec<PathBuf> = fs::read_dir(folder).into_iter().flatten().flatten().map(|it| it.path()).collect();
    let index = folder.join("index.html");
    if !entries.is_empty() && !is_report(&index) {
        return entries.into_iter().min();
    }
    let ours = |path: &PathBuf| path.file_name().is_some_and(|name| OURS.iter().any(|known| name == *known));
    let pages = |name: &str| fs::read_dir(folder.join(name)).into_iter().flatten().flatten().map(|it| it.path());
    let is_page = |path: &PathBuf| path.extension().is_some_and(|extension| extension == "html");
    let other_pages = pages("entrants").chain(pages("games")).filter(|path| !is_page(path));
    entries.into_iter().filter(|path| !ours(path)).chain(other_pages).min()
}

/// Whether a page is one of ours.
fn is_report(path: &Path) -> bool {
    let mut head = Vec::new();
    let read = fs::File::open(path).and_then(|file| file.take(HEAD).read_to_end(&mut head));
    read.is_ok() && String::from_utf8_lossy(&head).contains(&format!("content=\"{GENERATOR}\""))
}

fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}
