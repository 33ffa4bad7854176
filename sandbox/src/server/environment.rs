//! The variables that bots find in their environment.

use super::super::run_request::Environment;
use super::scratch::Scratch;
use super::{PATH, c_string};
use std::ffi::{CString, OsStr};
use std::io;
use std::ops::Range;
use std::os::unix::ffi::OsStrExt;

/// Variables that turn off the search for leaks at the end of a program with a sanitizer: it traces the program, which
/// the filter of system calls refuses.
pub const SANITIZER_OPTIONS: [&[u8]; 2] = [b"ASAN_OPTIONS=detect_leaks=0", b"LSAN_OPTIONS=detect_leaks=0"];

/// The variables of all the environments that bots can have; [`variables`] says which belong to each. The first
/// `sanitizer` of [`SANITIZER_OPTIONS`] belong to all of them.
pub fn environment(scratch: &Scratch, sanitizer: usize) -> io::Result<Vec<CString>> {
    let path = format!("PATH={PATH}");
    let home = [b"HOME=", scratch.home().as_os_str().as_bytes()].concat();
    // The same folders and characters in other words, so that only a bot that uses the words themselves can tell.
    let same_home = [home.as_slice(), b"/."].concat();
    let usual = [home.as_slice(), b"TMPDIR=/tmp", b"LANG=C.UTF-8"];
    let varied = [b"TZ=UTC-5".as_slice(), b"LANG=C.utf8", b"TMPDIR=/tmp/.", &same_home, path.as_bytes()];
    let options = &SANITIZER_OPTIONS[..sanitizer];
    let all = [&[path.as_bytes()], options, &usual, &varied, options].concat();
    all.into_iter().map(|variable| c_string(OsStr::from_bytes(variable))).collect()
}

/// Which of the variables of [`environment`] belong to this one.
pub fn variables(environment: Environment, sanitizer: usize) -> Range<usize> {
    match environment {
        Environment::Usual => 0..4 + sanitizer,
        Environment::Minimal => 0..1 + sanitizer,
        Environment::Varied => 4 + sanitizer..9 + 2 * sanitizer,
    }
}
