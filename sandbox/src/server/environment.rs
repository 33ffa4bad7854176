//! The variables that bots find in their environment.

use super::super::run_request::Environment;
use super::scratch::Scratch;
use super::{PATH, c_string};
use std::ffi::{CString, OsStr};
use std::io;
use std::ops::Range;
use std::os::unix::ffi::OsStrExt;

/// Variables without which the sandbox's limits would harm a program. Otherwise glibc reserves 64 MiB of the limited
/// address space for nearly every thread, and then a virtual machine of Java sometimes gets no more memory.
const OF_ALL: [&[u8]; 1] = [b"MALLOC_ARENA_MAX=2"];

/// The same for a program with a sanitizer: no search for leaks at its end, which traces the program, so that the
/// filter of system calls refuses it.
const OF_SANITIZED: [&[u8]; 3] = [OF_ALL[0], b"ASAN_OPTIONS=detect_leaks=0", b"LSAN_OPTIONS=detect_leaks=0"];

/// The variables that are in every environment of a program.
fn of_all(is_sanitized: bool) -> &'static [&'static [u8]] {
    if is_sanitized { &OF_SANITIZED } else { &OF_ALL }
}

/// The variables of all the environments that bots can have; [`variables`] says which belong to each.
pub fn environment(scratch: &Scratch, is_sanitized: bool) -> io::Result<Vec<CString>> {
    let path = format!("PATH={PATH}");
    let home = [b"HOME=", scratch.home().as_os_str().as_bytes()].concat();
    // The same folders and characters in other words, so that only a bot that uses the words themselves can tell.
    let same_home = [home.as_slice(), b"/."].concat();
    let usual = [home.as_slice(), b"TMPDIR=/tmp", b"LANG=C.UTF-8"];
    let varied = [b"TZ=UTC-5".as_slice(), b"LANG=C.utf8", b"TMPDIR=/tmp/.", &same_home, path.as_bytes()];
    let of_all = of_all(is_sanitized);
    let all = [&[path.as_bytes()], of_all, &usual, &varied, of_all].concat();
    all.into_iter().map(|variable| c_string(OsStr::from_bytes(variable))).collect()
}

/// Which of the variables of [`environment`] belong to this one.
pub fn variables(environment: Environment, is_sanitized: bool) -> Range<usize> {
    let of_all = of_all(is_sanitized).len();
    match environment {
        Environment::Usual => 0..4 + of_all,
        Environment::Minimal => 0..1 + of_all,
        Environment::Varied => 4 + of_all..9 + 2 * of_all,
    }
}
