//! Lists a folder of submissions. Every name in it is an entry, refused or ignored, and nothing is skipped silently.

use cornerman_harness::bot::Bot;
use cornerman_harness::toolchain::language::Languages;
use std::fs::{self, FileType};
use std::io::{self, Read};
use std::os::unix::fs::FileTypeExt;
use std::path::{Path, PathBuf};

/// A name in a folder of submissions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ListedFile {
    /// Where it is.
    pub path: PathBuf,
    /// What it is.
    pub class: Classification,
}

/// What a name in a folder of submissions is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Classification {
    /// An entry, which can be built and judged.
    Entry,
    /// An entry that cannot be built: why, and what its author can do.
    Refused(String),
    /// Not an entry, for this reason.
    Ignored(String),
}

/// Everything in `folder`, sorted by name.
///
/// # Errors
/// When the folder cannot be read.
pub(crate) fn list(folder: &Path, languages: &Languages) -> io::Result<Vec<ListedFile>> {
    let mut names: Vec<_> =
        fs::read_dir(folder)?.map(|entry| Ok(entry?.file_name())).collect::<io::Result<_>>()?;
    names.sort();
    let found = |name: std::ffi::OsString| {
        let path = folder.join(&name);
        ListedFile { class: class(&path, name.to_str(), languages), path }
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

fn ending(path: &Path) -> Option<String> {
    Some(path.extension()?.to_str()?.to_ascii_lowercase())
}

/// `name` is the last part of `path`, if it is UTF-8.
fn class(path: &Path, name: Option<&str>, languages: &Languages) -> Classification {
    let Some(name) = name else {
        return Classification::Refused("its name is not UTF-8: give it another".to_string());
    };
    if name.starts_with('.') {
        return Classification::Ignored("hidden".to_string());
    }
    let kind = match fs::metadata(path) {
        Ok(found) => found.file_type(),
        Err(_) if path.is_symlink() => {
            return Classification::Refused("it is a link to a file that does not exist".to_string());
        }
        Err(why) => return Classification::Refused(format!("it cannot be read: {why}")),
    };
    if kind.is_dir() {
        return folder(path, name);
    }
    if !kind.is_file() {
        return Classification::Refused(format!("it is {}, not a file or a folder", kind_in_words(kind)));
    }
    match ending(path).unwrap_or_default().as_str() {
        _ if is_archive(path) => Classification::Refused(ARCHIVE.to_string()),
        "o" | "pyc" | "class" | "obj" => Classification::Ignored("a compiler's output".to_string()),
        "h" | "hpp" | "hh" => Classification::Ignored(
            "a header: submit it with the source file that needs it (`with`), or in a folder with a bot.toml"
                .to_string(),
        ),
        _ if Bot::is_likely(path, languages) || begins_like_a_program(path) => Classification::Entry,
        _ => Classification::Ignored(format!("neither a program nor a source file ({})", languages.extensions())),
    }
}

fn folder(path: &Path, name: &str) -> Classification {
    match fs::read_dir(path).map(|mut entries| entries.next().is_none()) {
        _ if name == "__pycache__" => Classification::Ignored("a cache of Python's".to_string()),
        Ok(true) => Classification::Refused("it is an empty folder".to_string()),
        Err(why) => Classification::Refused(format!("it cannot be read: {why}")),
        // If it has no `bot.toml`, the error of loading it says so.
        Ok(false) => Classification::Entry,
    }
}

fn kind_in_words(kind: FileType) -> &'static str {
    match () {
        () if kind.is_fifo() => "a pipe",
        () if kind.is_socket() => "a socket",
        () => "a device",
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
