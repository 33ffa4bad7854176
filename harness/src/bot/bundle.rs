//! Bundles: what an author handed in, in one piece that can be sent to another machine.

use super::BotError;
use crate::bot_file;
use crate::entry_files::{self, MAX_BYTES, refused};
use crate::toolchain::hash;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt, symlink};
use std::path::{Path, PathBuf};

/// The most bytes of a bundle that is accepted from another machine: a little more than its files may have together.
pub const LARGEST: u64 = entry_files::MAX_BYTES + (1 << 20);

/// The files of a bot: a folder, or a source file or executable with the files that are handed in beside it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Bundle {
    /// The file to load; `None` if the folder is the bot.
    file: Option<Vec<u8>>,
    /// The files and links.
    files: Vec<BundledFile>,
}

/// A file or link of a bundle.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct BundledFile {
    /// Its path from the bot's folder.
    path: Vec<u8>,
    content: FileContent,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
enum FileContent {
    File(Vec<u8>),
    /// A file that may be executed.
    Program(Vec<u8>),
    /// A link to this path.
    Link(Vec<u8>),
}

impl Bundle {
    /// Bundles the bot at `path`. Of a folder, or of its `bot.toml`, the files are bundled that the
    /// [hash](hash::of_folder) of the folder covers; of another file, that file and the files `with`, given as paths
    /// from its folder.
    ///
    /// # Errors
    /// When a file cannot be read, or there are too many or too large files.
    pub fn from_path(path: &Path, with: &[PathBuf]) -> Result<Bundle, BotError> {
        Bundle::read(path, with).map_err(|source| BotError::Unreadable { path: path.to_path_buf(), source })
    }

    fn read(path: &Path, with: &[PathBuf]) -> io::Result<Bundle> {
        let whole = fs::canonicalize(path)?;
        let name = whole.file_name().unwrap_or_default();
        let parent = whole.parent().unwrap_or(Path::new("/"));
        let (folder, file, paths) = if whole.is_dir() {
            (&*whole, None, hash::files_of(&whole)?)
        } else if name == bot_file::FILE_NAME {
            (parent, None, hash::files_of(parent)?)
        } else {
            let paths: BTreeSet<PathBuf> = with.iter().cloned().chain([PathBuf::from(name)]).collect();
            (parent, Some(name.as_bytes().to_vec()), paths.into_iter().collect())
        };
        let mut room = MAX_BYTES;
        let files =
            paths.iter().map(|path| BundledFile::read(folder, path, &mut room)).collect::<io::Result<_>>()?;
        Ok(Bundle { file, files })
    }

    /// Writes its files into `folder`, which exists and is empty. Returns the path of the bot there.
    ///
    /// # Errors
    /// When a file cannot be written, or its path leads out of the folder or through a link.
    pub fn unpack(&self, folder: &Path) -> io::Result<PathBuf> {
        let path = |bytes: &[u8]| {
            let path = Path::new(OsStr::from_bytes(bytes));
            entry_files::beneath(path).ok_or_else(|| refused(format!("{}: not in the folder", path.display())))
        };
        // Links come last, and nothing lies below one, so that nothing is written through a link.
        let mut links = Vec::new();
        let mut parents = BTreeSet::new();
        for BundledFile { path: name, content } in &self.files {
            let below = path(name)?;
            let whole = folder.join(&below);
            parents.extend(below.ancestors().skip(1).map(Path::to_path_buf));
            fs::create_dir_all(whole.parent().unwrap_or(folder))?;
            let (bytes, mode) = match content {
                FileContent::File(bytes) => (bytes, 0o644),
                FileContent::Program(bytes) => (bytes, 0o755),
                FileContent::Link(target) => {
                    links.push((below, target));
                    continue;
                }
            };
            OpenOptions::new().write(true).create_new(true).mode(mode).open(whole)?.write_all(bytes)?;
        }
        for (below, target) in links {
            if parents.contains(&below) {
                return Err(refused(format!("{}: a link with files below it", below.display())));
            }
            symlink(OsStr::from_bytes(target), folder.join(below))?;
        }
        match &self.file {
            None => Ok(folder.to_path_buf()),
            Some(file) => Ok(folder.join(path(file)?)),
        }
    }
}

impl BundledFile {
    /// Reads the file or link at `path` in `folder`. The size of a file is subtracted from `room`.
    fn read(folder: &Path, path: &Path, room: &mut u64) -> io::Result<BundledFile> {
        let whole = folder.join(path);
        let found = fs::symlink_metadata(&whole)?;
        let content = if found.is_symlink() {
            FileContent::Link(fs::read_link(&whole)?.into_os_string().into_encoded_bytes())
        } else {
            let bytes = contents(entry_files::open_beneath(folder, path)?, room)?;
            let is_program = found.mode() & 0o111 != 0;
            if is_program { FileContent::Program(bytes) } else { FileContent::File(bytes) }
        };
        Ok(BundledFile { path: path.as_os_str().as_bytes().to_vec(), content })
    }
}

/// The bytes of `file`, whose number is subtracted from `room`.
fn contents(file: File, room: &mut u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    file.take(room.saturating_add(1)).read_to_end(&mut bytes)?;
    *room = room
        .checked_sub(bytes.len() as u64)
        .ok_or_else(|| refused(format!("its files have more than {} MiB, which is the limit", MAX_BYTES >> 20)))?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    fn unpacked(bundle: &Bundle) -> (tempfile::TempDir, io::Result<PathBuf>) {
        let folder = tempfile::tempdir().unwrap();
        let bot = bundle.unpack(folder.path());
        (folder, bot)
    }

    #[test]
    fn a_folder_is_the_same_after_it_was_sent() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::create_dir(at("deep")).unwrap();
        for (name, mode) in [("bot.toml", 0o644), ("run.sh", 0o755), ("deep/data", 0o600)] {
            fs::write(at(name), name).unwrap();
            fs::set_permissions(at(name), PermissionsExt::from_mode(mode)).unwrap();
        }
        symlink("deep/data", at("data")).unwrap();
        symlink("/etc/passwd", at("deep/out")).unwrap();
        for path in [folder.path().to_path_buf(), at("bot.toml")] {
            let (there, bot) = unpacked(&Bundle::from_path(&path, &[]).unwrap());
            assert_eq!(bot.unwrap(), there.path());
            assert_eq!(hash::of_folder(there.path()).unwrap(), hash::of_folder(folder.path()).unwrap());
        }
    }

    #[test]
    fn a_source_is_sent_with_its_files_and_no_others() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["mine.c", "mine.h", "rival.c"] {
            fs::write(folder.path().join(name), name).unwrap();
        }
        let (there, bot) =
            unpacked(&Bundle::from_path(&folder.path().join("mine.c"), &["mine.h".into()]).unwrap());
        assert_eq!(bot.unwrap(), there.path().join("mine.c"));
        assert_eq!(hash::files_of(there.path()).unwrap(), [Path::new("mine.c"), Path::new("mine.h")]);
    }

    #[test]
    fn a_bundle_cannot_write_outside_its_folder() {
        let outside = tempfile::tempdir().unwrap();
        let file = || FileContent::File(b"x".to_vec());
        let link = |to: &Path| FileContent::Link(to.as_os_str().as_bytes().to_vec());
        let absolute = outside.path().join("made");
        for files in [
            vec![("../made", file())],
            vec![(absolute.to_str().unwrap(), file())],
            vec![("a", link(outside.path())), ("a/made", file())],
            vec![("a", link(outside.path())), ("a/made", link(Path::new("/")))],
            vec![("a", file()), ("a", file())],
        ] {
            let files = files.into_iter().map(|(path, content)| BundledFile { path: path.into(), content });
            let bundle = Bundle { file: None, files: files.collect() };
            let (_there, bot) = unpacked(&bundle);
            assert!(bot.is_err(), "{bundle:?}");
        }
        assert_eq!(fs::read_dir(outside.path()).unwrap().count(), 0);
    }
}
