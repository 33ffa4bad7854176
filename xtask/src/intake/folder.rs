//! What lies in a folder of submissions: every name is taken for something, and nothing is passed over in silence.

use cornerman_harness::bot::Bot;
use cornerman_harness::toolchain::language::Languages;
use std::fs::{self, FileType};
use std::io::{self, Read};
use std::os::unix::fs::FileTypeExt;
use std::path::{Path, PathBuf};

/// A name in a folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// Where it is.
    pub path: PathBuf,
    /// What it is taken for.
    pub taken: Taken,
}

/// What a name is taken for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Taken {
    /// An entry, to be built and judged.
    Entry,
    /// An entry that nothing can be built from, and what its author is to do.
    Refused(String),
    /// Nothing that anybody entered, for this reason.
    Ignored(String),
}

/// Everything in `folder`, in the order of names.
///
/// # Errors
/// When the folder cannot be read.
pub fn list(folder: &Path, languages: &Languages) -> io::Result<Vec<Found>> {
    let mut names: Vec<_> =
        fs::read_dir(folder)?.map(|entry| Ok(entry?.file_name())).collect::<io::Result<_>>()?;
    names.sort();
    let found = |name: std::ffi::OsString| {
        let path = folder.join(&name);
        Found { taken: taken(&path, name.to_str(), languages), path }
    };
    Ok(names.into_iter().map(found).collect())
}

/// Why nothing can be built from `path`, which somebody named as a bot, if it is an archive. Whoever loads a bot has the
/// words for all else.
pub fn refused(path: &Path) -> Option<String> {
    (is_archive(path) && path.is_file()).then(|| ARCHIVE.to_string())
}

const ARCHIVE: &str =
    "it is an archive, and archives are not unpacked: hand in the folder that is in it, or the source itself";

fn is_archive(path: &Path) -> bool {
    let endings = ["zip", "tar", "tgz", "txz", "gz", "xz", "bz2", "zst", "7z", "rar"];
    ending(path).is_some_and(|ending| endings.contains(&ending.as_str()))
}

fn ending(path: &Path) -> Option<String> {
    Some(path.extension()?.to_str()?.to_ascii_lowercase())
}

/// `name` is the last part of `path`, if it is UTF-8.
fn taken(path: &Path, name: Option<&str>, languages: &Languages) -> Taken {
    let Some(name) = name else {
        return Taken::Refused("its name is not UTF-8: give it another".to_string());
    };
    if name.starts_with('.') {
        return Taken::Ignored("hidden".to_string());
    }
    let kind = match fs::metadata(path) {
        Ok(found) => found.file_type(),
        Err(_) if path.is_symlink() => return Taken::Refused("a link that leads nowhere".to_string()),
        Err(why) => return Taken::Refused(format!("it cannot be read: {why}")),
    };
    if kind.is_dir() {
        return folder(path, name);
    }
    if !kind.is_file() {
        return Taken::Refused(format!("it is {}, not a file or a folder", kind_in_words(kind)));
    }
    match ending(path).unwrap_or_default().as_str() {
        _ if is_archive(path) => Taken::Refused(ARCHIVE.to_string()),
        "o" | "pyc" | "class" | "obj" => Taken::Ignored("what a compiler made".to_string()),
        "h" | "hpp" | "hh" => Taken::Ignored(
            "a header: hand it in with the source that needs it (`with`), or in a folder with a bot.toml"
                .to_string(),
        ),
        _ if Bot::is_likely(path, languages) || begins_like_a_program(path) => Taken::Entry,
        _ => Taken::Ignored(format!("neither a program nor a source file ({})", languages.extensions())),
    }
}

fn folder(path: &Path, name: &str) -> Taken {
    match fs::read_dir(path).map(|mut entries| entries.next().is_none()) {
        _ if name == "__pycache__" => Taken::Ignored("what Python keeps".to_string()),
        Ok(true) => Taken::Refused("it is an empty folder: nothing was handed in".to_string()),
        Err(why) => Taken::Refused(format!("it cannot be read: {why}")),
        // Without a `bot.toml`, loading it says what is missing.
        Ok(false) => Taken::Entry,
    }
}

fn kind_in_words(kind: FileType) -> &'static str {
    match () {
        () if kind.is_fifo() => "a pipe",
        () if kind.is_socket() => "a socket",
        () => "a device",
    }
}

/// Whether a file that nobody may execute is a program all the same.
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
        let [Found { taken, .. }] = found.as_slice() else { panic!("{found:?}") };
        let (kind, words) = match taken {
            Taken::Entry => ("entry", ""),
            Taken::Refused(why) => ("refused", why.as_str()),
            Taken::Ignored(why) => ("ignored", why.as_str()),
        };
        let (wanted_kind, wanted_words) = wanted.split_once(": ").unwrap_or((wanted, ""));
        assert!(kind == wanted_kind && words.contains(wanted_words), "{name}: {kind}, {words}");
    }

    #[test]
    fn every_name_is_taken_for_something() {
        let text = |content: &'static str| move |path: &Path| fs::write(path, content);
        check(text("int main(void) {}"), "ann.c", "entry");
        check(text("#!/bin/sh\n"), "no-execute-bit", "entry");
        check(text("hello"), "README.md", "ignored: neither a program nor a source file");
        check(text("#define X"), "shared.h", "ignored: a header");
        check(text("PK"), "bob.ZIP", "refused: it is an archive");
        check(text("x"), "bob.tar.gz", "refused: it is an archive");
        check(text("x"), ".DS_Store", "ignored: hidden");
        check(|path| symlink("/nowhere/at/all", path), "link", "refused: a link that leads nowhere");
        check(|path| fs::create_dir(path), "empty", "refused: it is an empty folder");
        let full = |path: &Path| fs::create_dir(path).and_then(|()| fs::write(path.join("a.c"), ""));
        check(full, "folder", "entry");
        check(full, "__pycache__", "ignored: what Python keeps");
        let odd = |path: &Path| fs::write(path.with_file_name(std::ffi::OsString::from_vec(vec![b'a', 0xff])), "");
        use std::os::unix::ffi::OsStringExt;
        check(odd, "unused", "refused: its name is not UTF-8");
    }
}
