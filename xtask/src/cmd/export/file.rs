//! Files that appear whole or not at all, in place of nothing but older ones of the same kind.

use crate::exit::Failure;
use anyhow::Context;
use cornerman_harness::nearest::did_you_mean_file;
use std::fs::{self, File, Permissions};
use std::io::{self, BufRead, BufReader, BufWriter, Read, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

/// Of a file that is there, so much is looked at for what wrote it.
const HEAD: u64 = 16 << 20;

/// A file that is being written beside its place.
pub struct NewFile {
    place: PathBuf,
    file: BufWriter<NamedTempFile>,
}

impl NewFile {
    /// Begins the file that is to be at `place`, where nothing may be but what `is_ours` knows.
    ///
    /// # Errors
    /// When something else is there, or its folder is not.
    pub fn at(place: &Path, is_ours: &dyn Fn(&mut dyn BufRead) -> bool) -> Result<NewFile, Failure> {
        let shown = place.display();
        if place.is_dir() {
            return Err(Failure::usage(format!("{shown} is a folder: name a file")));
        }
        let empty = fs::metadata(place).is_ok_and(|found| found.is_file() && found.len() == 0);
        let ours = || File::open(place).is_ok_and(|file| is_ours(&mut BufReader::new(file.take(HEAD))));
        if place.exists() && !empty && !ours() {
            let words = "is there and is no export: name another file, or move it away";
            return Err(Failure::usage(format!("{shown} {words}")));
        }
        let folder = folder_of(place);
        exists(folder)?;
        // Those for anyone, less what the user's mask takes away: an export is there to be read.
        let permissions = Permissions::from_mode(0o666);
        let file = tempfile::Builder::new().prefix(".export-").permissions(permissions).tempfile_in(folder);
        let file = file.with_context(|| format!("writing to {}", folder.display())).map_err(Failure::Kit)?;
        Ok(NewFile { place: place.to_path_buf(), file: BufWriter::new(file) })
    }

    /// Puts it in its place.
    ///
    /// # Errors
    /// Whatever the system says; what was there then stays.
    pub fn put_in_place(self) -> Result<(), Failure> {
        let NewFile { place, file } = self;
        let whole = file.into_inner().map_err(io::IntoInnerError::into_error);
        let put = whole.and_then(|file| Ok(file.persist(&place).map(drop)?));
        put.with_context(|| format!("writing {}", place.display())).map_err(Failure::Kit)
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

/// A folder that files go into; it is made if it is not there.
pub struct Folder(PathBuf);

impl Folder {
    /// The folder at `place`.
    ///
    /// # Errors
    /// When something else is there, or the folder above it is not.
    pub fn at(place: &Path) -> Result<Folder, Failure> {
        if place.exists() && !place.is_dir() {
            return Err(Failure::usage(format!("{} is a file: name a folder", place.display())));
        }
        if !place.exists() {
            exists(folder_of(place))?;
            fs::create_dir(place).with_context(|| format!("making {}", place.display())).map_err(Failure::Kit)?;
        }
        Ok(Folder(place.to_path_buf()))
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.0
    }
}

/// Whether these are games as JSON lines.
pub fn is_jsonl(file: &mut dyn BufRead) -> bool {
    let mut line = String::new();
    let read = file.read_line(&mut line).is_ok();
    let game: Option<serde_json::Value> = serde_json::from_str(&line).ok().filter(|_| read);
    game.is_some_and(|game| ["schema", "id", "pairing", "moves"].iter().all(|key| game.get(key).is_some()))
}

/// Whether the first line has this sign, as a game that we wrote does.
pub fn has_sign(sign: &str, file: &mut dyn BufRead) -> bool {
    let mut line = String::new();
    file.read_line(&mut line).is_ok() && line.contains(sign)
}

/// # Errors
/// When there is no such folder.
fn exists(folder: &Path) -> Result<(), Failure> {
    match folder.is_dir() {
        true => Ok(()),
        false => Err(Failure::usage(format!("no such folder: {}{}", folder.display(), did_you_mean_file(folder)))),
    }
}

fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}
