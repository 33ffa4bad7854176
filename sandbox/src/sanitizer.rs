//! Recognizes programs that were built with a sanitizer (`-fsanitize=address` and similar options).
//!
//! They reserve terabytes of address space, so the usual limit on it would keep them from starting.

use crate::run_request::Program;
use memchr::memmem;
use std::collections::BTreeMap;
use std::fs::{self, Metadata};
use std::path::{Path, PathBuf};
use std::sync::{LazyLock, Mutex, PoisonError};
use std::time::SystemTime;

/// Functions that a program calls if it was built with a sanitizer that reserves address space: for addresses,
/// uninitialized memory, threads and leaks.
const INIT_FUNCTIONS: [&[u8]; 5] =
    [b"__asan_init", b"__hwasan_init", b"__msan_init", b"__tsan_init", b"__lsan_init"];

/// The end that all of these names share.
const INIT_SUFFIX: &[u8] = b"san_init";

/// Larger files are not searched.
const MAX_BYTES: u64 = 256 << 20;

/// At most this many files of each of a bot's folders are searched.
const MAX_FILES: usize = 64;

/// Whether the command of `program`, or a file directly in a folder that is one of its parts, was built with a
/// sanitizer.
pub(crate) fn is_sanitized(program: &Program) -> bool {
    let Some(command) = program.argv.first().map(|word| program.folder.join(word)) else { return false };
    if calls_a_sanitizer(&command) {
        return true;
    }
    // The command may be a script that starts a program in one of the bot's folders.
    program.parts.iter().filter(|part| part.is_dir()).any(|folder| {
        let files = fs::read_dir(folder).into_iter().flatten().flatten().take(MAX_FILES);
        files.map(|file| file.path()).any(|file| file != command && calls_a_sanitizer(&file))
    })
}

/// The answers so far, because a sandbox is opened for the same bot many times: by path, with the length and the
/// modification time of the file.
type KnownAnswers = BTreeMap<PathBuf, (u64, Option<SystemTime>, bool)>;

fn calls_a_sanitizer(file: &Path) -> bool {
    static KNOWN: LazyLock<Mutex<KnownAnswers>> = LazyLock::new(Mutex::default);
    let Ok(found) = fs::metadata(file) else { return false };
    let length = found.len();
    let time = found.modified().ok();
    let known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner).get(file).copied();
    if let Some((.., answer)) = known.filter(|(known, at, _)| (*known, *at) == (length, time)) {
        return answer;
    }
    let answer = search_file(file, &found);
    KNOWN.lock().unwrap_or_else(PoisonError::into_inner).insert(file.to_path_buf(), (length, time, answer));
    answer
}

/// Whether `file` is machine code in which one of [`INIT_FUNCTIONS`] is named.
fn search_file(file: &Path, found: &Metadata) -> bool {
    if !found.is_file() || found.len() > MAX_BYTES {
        return false;
    }
    let Ok(bytes) = fs::read(file) else { return false };
    let is_call = |end: usize| INIT_FUNCTIONS.iter().any(|call| bytes[..end].ends_with(call));
    bytes.starts_with(b"\x7fELF")
        && memmem::find_iter(&bytes, INIT_SUFFIX).any(|start| is_call(start + INIT_SUFFIX.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_machine_code_that_calls_a_sanitizer_has_one() {
        let folder = tempfile::tempdir().unwrap();
        let check = |name: &str, content: &[u8], wanted: bool| {
            let path = folder.path().join(name);
            fs::write(&path, content).unwrap();
            let program = Program { argv: vec![path.clone().into()], folder: "/".into(), parts: vec![path] };
            assert_eq!(is_sanitized(&program), wanted, "{name}");
        };
        check("asan", b"\x7fELF...\0__asan_init\0", true);
        check("tsan", b"\x7fELF...\0___tsan_init\0", true);
        check("plain", b"\x7fELF...\0__libc_start_main\0", false);
        check("script", b"#!/bin/sh\n# __asan_init\n", false);
        let beside =
            Program { argv: vec!["/bin/sh".into()], folder: "/".into(), parts: vec![folder.path().into()] };
        assert!(is_sanitized(&beside));
    }
}
