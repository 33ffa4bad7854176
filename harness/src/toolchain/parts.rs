//! The files and folders of the machine that a bot has to see besides its own, and a hint for one that it does not
//! see.

use crate::entry_files;
use std::fs;
use std::path::{Path, PathBuf};

/// The files that a tool found by its name needs: itself, or the whole installation that it belongs to, and the link by
/// which it was found. Never call it for a file of a bot: a folder `lib` nearby would make everything there visible.
pub(crate) fn installation_of(named: &Path) -> Vec<PathBuf> {
    let program = fs::canonicalize(named).unwrap_or_else(|_| named.to_path_buf());
    let installation = program.parent().filter(|bin| bin.ends_with("bin")).and_then(Path::parent);
    let whole = installation.filter(|prefix| prefix.join("lib").is_dir() && prefix.components().count() > 2);
    vec![whole.map_or(program.clone(), Path::to_path_buf), named.to_path_buf()]
}

/// Sorts `parts` and removes those that lie in others: they are mounted one after another, and a later mount would hide
/// an earlier one inside it.
pub(crate) fn remove_nested(parts: &mut Vec<PathBuf>) {
    parts.sort();
    parts.dedup_by(|inner, outer| inner.starts_with(&*outer));
}

/// A hint if the `output` of a compiler, or of the bot with the source file `from`, names a file beside the source
/// that the bot needs and cannot read; `None` if it names none. `sees` says whether it can read a file, given as a
/// path from its folder.
pub fn hint_for_unseen_file(from: &Path, sees: impl Fn(&Path) -> bool, output: &str) -> Option<String> {
    let folder = from.parent().filter(|_| from.is_file())?;
    let source = Path::new(from.file_name()?);
    let names = output.split(|c: char| c.is_whitespace() || "\"'`‘’“”<>()[],;:".contains(c));
    // Compilers name modules without their extension.
    let extension = from.extension().unwrap_or_default().to_string_lossy();
    let mut files = names.flat_map(|name| [PathBuf::from(name), PathBuf::from(format!("{name}.{extension}"))]);
    let is_unseen = |file: &PathBuf| file != source && !sees(file) && entry_files::is_beneath(folder, file);
    let file = files.find(is_unseen)?;
    let source = source.display();
    let file = file.display();
    Some(format!(
        "`{file}` lies beside {source}, but a bot that is one file can read only files handed in with it: add `with = \
         [\"{file}\"]` to the contest file or `--with {file}`, or hand in a folder with a `bot.toml`"
    ))
}
