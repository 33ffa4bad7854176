//! Files that are written whole or not at all, and replace only older files of the same kind.

use crate::exit::CliError;
use anyhow::Context;
use cornerman_harness::nearest::did_you_mean_file;
use std::fs::{self, File, Permissions};
use std::io::{self, BufRead, BufReader, BufWriter, Read, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

/// How many bytes of an existing file are read, at most, to see what wrote it.
const HEAD: u64 = 16 << 20;

/// A file that is written under a temporary name in the folder of its place.
pub(super) struct NewFile {
    place: PathBuf,
    file: BufWriter<NamedTempFile>,
}

impl NewFile {
    /// Begins a file for `place`. Only an empty file, or one that `is_ours` recognizes, may already be there.
    ///
    /// # Errors
    /// When something else is there, the folder does not exist, or the file cannot be written.
    pub(super) fn at(place: &Path, is_ours: &dyn Fn(&mut dyn BufRead) -> bool) -> Result<NewFile, CliError> {
        let shown = place.display();
        if place.is_dir() {
            return Err(CliError::usage(format!("{shown} is a folder; name a file")));
        }
        let empty = fs::metadata(place).is_ok_and(|found| found.is_file() && found.len() == 0);
        let ours = || File::open(place).is_ok_and(|file| is_ours(&mut BufReader::new(file.take(HEAD))));
        if place.exists() && !empty && !ours() {
            let words = "exists and is not an export; name another file, or move it away";
            return Err(CliError::usage(format!("{shown} {words}")));
        }
        let folder = folder_of(place);
        exists(folder)?;
        // As for any new file, the user's umask decides who may read it.
        let permissions = Permissions::from_mode(0o666);
        let file = tempfile::Builder::new().prefix(".export-").permissions(permissions).tempfile_in(folder);
        let file = file.with_context(|| format!("writing to {}", folder.display())).map_err(CliError::Internal)?;
        Ok(NewFile { place: place.to_path_buf(), file: BufWriter::new(file) })
    }

    /// The temporary path.
    pub(super) fn path(&self) -> &Path {
        self.file.get_ref().path()
    }

    /// Renames the complete file to its place.
    ///
    /// # Errors
    /// When the system refuses. What was there before is then unchanged.
    pub(super) fn put_in_place(self) -> Result<(), CliError> {
        let NewFile { place, file } = self;
        let whole = file.into_inner().map_err(io::IntoInnerError::into_error);
        let put = whole.and_then(|file| Ok(file.persist(&place).map(drop)?));
        put.with_context(|| format!("writing {}", place.display())).map_err(CliError::Internal)
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

/// The folder that files are exported into.
pub(super) struct Folder(PathBuf);

impl Folder {
    /// The folder `place`, which is created if it does not exist.
    ///
    /// # Errors
    /// When it is a file, or its parent folder does not exist.
    pub(super) fn at(place: &Path) -> Result<Folder, CliError> {
        if place.exists() && !place.is_dir() {
            return Err(CliError::usage(format!("{} is a file; name a folder", place.display())));
        }
        if !place.exists() {
            exists(folder_of(place))?;
            fs::create_dir(place)
                .with_context(|| format!("creating {}", place.display()))
                .map_err(CliError::Internal)?;
        }
        Ok(Folder(place.to_path_buf()))
    }

    /// The folder's path.
    pub(super) fn path(&self) -> &Path {
        &self.0
    }
}

/// Whether a file has games as JSON lines.
pub(super) fn is_jsonl(file: &mut dyn BufRead) -> bool {
    let mut line = String::new();
    let read = file.read_line(&mut line).is_ok();
    let game: Option<serde_json::Value> = serde_json::from_str(&line).ok().filter(|_| read);
    game.is_some_and(|game| ["schema", "id", "pairing", "moves"].iter().all(|key| game.get(key).is_some()))
}

/// Whether the first line of a file contains `sign`, as that of every game that was exported in its format.
pub(super) fn has_sign(sign: &str, file: &mut dyn BufRead) -> bool {
    let mut line = String::new();
    file.read_line(&mut line).is_ok() && line.contains(sign)
}

/// Checks that a folder exists.
///
/// # Errors
/// When it does not; the message suggests the nearest.
fn exists(folder: &Path) -> Result<(), CliError> {
    if folder.is_dir() {
        Ok(())
    } else {
        Err(CliError::usage(format!("no such folder: {}{}", folder.display(), did_you_mean_file(folder))))
    }
}

fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}
