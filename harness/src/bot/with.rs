//! The files that the organizer hands in beside a bot that is a single source file. They lie in its folder; it can read
//! no other files there, as these may be the sources of its rivals.

use crate::bot_file;
use crate::entry_files;
use crate::nearest::did_you_mean_file;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// The files that `names` lists, as paths relative to the folder of the file `source`, sorted and without duplicates.
///
/// # Errors
/// Why one of them cannot be handed in, as a message.
pub(crate) fn resolve(source: &Path, names: &[String]) -> Result<Vec<PathBuf>, String> {
    let whole = fs::canonicalize(source).unwrap_or_else(|_| source.to_path_buf());
    let file = match (names, whole.file_name()) {
        ([], _) => return Ok(Vec::new()),
        (_, Some(file)) if !whole.is_dir() && file != bot_file::FILE_NAME => Path::new(file),
        _ => return Err("`with` applies only to a source file: a folder is an entry as it is".to_string()),
    };
    let folder = whole.parent().unwrap_or(Path::new("/"));
    let mut files = Vec::new();
    for name in names {
        let wrong = |why: String| Err(format!("`with` names `{name}`{why}"));
        let Some(below) = entry_files::beneath(Path::new(name)) else {
            return wrong(", which is not in the source's folder".to_string());
        };
        match entry_files::open_beneath(folder, &below) {
            Ok(_) if below == file => return wrong(", which is the source itself".to_string()),
            Ok(_) => files.push(below),
            Err(error) if error.kind() == ErrorKind::NotFound => {
                let hint = did_you_mean_file(&folder.join(&below));
                return wrong(format!(", which is not in the source's folder{hint}"));
            }
            Err(error) => return wrong(format!(": {error}")),
        }
    }
    files.sort();
    files.dedup();
    Ok(files)
}
