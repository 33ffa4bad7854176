//! The environment variables of bots.

use super::super::run_request::Environment;
use super::scratch::Scratch;
use super::{PATH, c_string};
use std::ffi::{CString, OsStr};
use std::io;
use std::ops::Range;
use std::os::unix::ffi::OsStrExt;

/// Variables without which the sandbox's limits would harm a program. By default, glibc reserves 64 MiB of the limited
/// address space for nearly every thread, so that a Java virtual machine sometimes cannot get more memory.
const COMMON: [&[u8]; 1] = [b"MALLOC_ARENA_MAX=2"];

/// The same for a program with a sanitizer. It must not search for leaks at its end: that search uses tracing, which
/// the filter of system calls refuses.
const COMMON_SANITIZED: [&[u8]; 3] = [COMMON[0], b"ASAN_OPTIONS=detect_leaks=0", b"LSAN_OPTIONS=detect_leaks=0"];

/// The variables that every environment of a program contains.
fn common_variables(is_sanitized: bool) -> &'static [&'static [u8]] {
    if is_sanitized { &COMMON_SANITIZED } else { &COMMON }
}

/// The variables of all environments, in one list. [`variables`] returns the part that belongs to each environment.
pub(super) fn environment(scratch: &Scratch, is_sanitized: bool) -> io::Result<Vec<CString>> {
    let path = format!("PATH={PATH}");
    let home = [b"HOME=", scratch.home().as_os_str().as_bytes()].concat();
    // The same folders and encoding, spelled differently, so that only a bot that looks at the spelling can tell.
    let same_home = [home.as_slice(), b"/."].concat();
    let usual = [home.as_slice(), b"TMPDIR=/tmp", b"LANG=C.UTF-8"];
    let varied = [b"TZ=UTC-5".as_slice(), b"LANG=C.utf8", b"TMPDIR=/tmp/.", &same_home, path.as_bytes()];
    let common = common_variables(is_sanitized);
    let all = [&[path.as_bytes()], common, &usual, &varied, common].concat();
    all.into_iter().map(|variable| c_string(OsStr::from_bytes(variable))).collect()
}

/// Which of the variables in the list of [`environment`] belong to this environment.
pub(super) fn variables(environment: Environment, is_sanitized: bool) -> Range<usize> {
    let common = common_variables(is_sanitized).len();
    match environment {
        Environment::Usual => 0..4 + common,
        Environment::Minimal => 0..1 + common,
        Environment::Varied => 4 + common..9 + 2 * common,
    }
}
