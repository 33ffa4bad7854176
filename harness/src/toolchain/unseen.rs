//! Files that lie beside a bot that is one source file, and that it does not see.

use crate::entry_files;
use std::path::{Path, PathBuf};

/// What to do if the `output` of a compiler, or of the bot that is the source file `from`, names a file beside it that it
/// needs and cannot read; `None` if it names none. `sees` is whether it can read a file, given as a path from its folder.
pub fn hint(from: &Path, sees: impl Fn(&Path) -> bool, output: &str) -> Option<String> {
    let (folder, source) = (from.parent().filter(|_| from.is_file())?, Path::new(from.file_name()?));
    let names = output.split(|c: char| c.is_whitespace() || "\"'`‘’“”<>()[],;:".contains(c));
    // Compilers name modules without their extension.
    let extension = from.extension().unwrap_or_default().to_string_lossy();
    let mut files = names.flat_map(|name| [PathBuf::from(name), PathBuf::from(format!("{name}.{extension}"))]);
    let is_unseen = |file: &PathBuf| file != source && !sees(file) && entry_files::is_beneath(folder, file);
    let (file, source) = (files.find(is_unseen)?, source.display());
    let file = file.display();
    Some(format!(
        "`{file}` lies beside {source}, but a bot that is one file can read only files handed in with it: add `with = \
         [\"{file}\"]` to the contest file or `--with {file}`, or hand in a folder with a `bot.toml`"
    ))
}
