//! Lines read and written by mutants of several games, and what those do beside.

use crate::process::{child, leave_child};
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::os::fd::AsFd;
use std::process::{Child, ExitCode, Stdio};
use std::sync::Mutex;
use std::thread::sleep;
use std::time::Duration;

/// Byte by byte, so that nothing is taken that belongs to the next line.
pub fn read() -> Option<String> {
    let mut line = Vec::new();
    let mut byte = [0];
    loop {
        match io::stdin().lock().read(&mut byte) {
            Ok(0) => return None,
            Ok(_) if byte[0] == b'\n' => return Some(String::from_utf8_lossy(&line).into_owned()),
            Ok(_) => line.push(byte[0]),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(_) => return None,
        }
    }
}

/// All of `text` in one piece, past the buffering that the standard library does by lines.
pub fn write(text: &str) {
    _ = io::stdout().as_fd().try_clone_to_owned().map(|out| File::from(out).write_all(text.as_bytes()));
}

/// Adds a line to the file of its past matches in `folder`; if it cannot, it plays without.
pub fn remember(folder: &str) -> Result<(), String> {
    _ = fs::OpenOptions::new()
        .append(true)
        .create(true)
        .open(format!("{folder}/rps.history"))
        .and_then(|mut file| file.write_all(b"another match\n"));
    Ok(())
}

/// What one read gives is taken for whole lines.
pub fn read_once() -> Option<String> {
    static LINES: Mutex<Vec<String>> = Mutex::new(Vec::new());
    let mut lines = LINES.lock().expect("nobody panics");
    if lines.is_empty() {
        let mut buffer = [0; 4096];
        let count = io::stdin().lock().read(&mut buffer).ok().filter(|count| *count > 0)?;
        let text = String::from_utf8_lossy(&buffer[..count]).into_owned();
        lines.extend(text.lines().rev().map(str::to_string));
    }
    lines.pop()
}

/// Leaves a process behind when the input has ended.
pub fn fork_at_the_end() -> ExitCode {
    _ = io::copy(&mut io::stdin().lock(), &mut io::sink());
    leave_child(Stdio::null()).map_or(ExitCode::FAILURE, |()| ExitCode::SUCCESS)
}

/// The process that helps it.
static HELPER: Mutex<Option<Child>> = Mutex::new(None);

/// Starts a process that stays.
pub fn have_a_helper() -> Result<(), String> {
    *HELPER.lock().expect("nobody panics") = Some(child(Stdio::null())?);
    Ok(())
}

/// Ends it when the input has ended.
pub fn end_the_helper() -> ExitCode {
    _ = io::copy(&mut io::stdin().lock(), &mut io::sink());
    if let Some(mut helper) = HELPER.lock().expect("nobody panics").take() {
        _ = helper.kill().and_then(|()| helper.wait());
    }
    ExitCode::SUCCESS
}

/// Stays although the input has ended.
pub fn stay() -> ExitCode {
    sleep(Duration::from_secs(30));
    ExitCode::SUCCESS
}

/// Keeps `text`; gives out all that was kept when there is none.
pub fn kept_back(text: Option<&str>) {
    static KEPT: Mutex<String> = Mutex::new(String::new());
    let mut kept = KEPT.lock().expect("nobody panics");
    match text {
        Some(text) => kept.push_str(text),
        None => write(&kept),
    }
}

/// Gives out what was kept back once the input has ended.
pub fn flush_at_the_end() -> ExitCode {
    _ = std::io::copy(&mut std::io::stdin().lock(), &mut std::io::sink());
    kept_back(None);
    ExitCode::SUCCESS
}
