//! Steps that mutants of several games share: reading and writing lines, and faults beside the game.

use crate::process::{child, leave_child, myself, run};
use std::fs::{self, File};
use std::hash::{BuildHasher, RandomState};
use std::io::{self, Read, Write};
use std::os::fd::AsFd;
use std::process::{Child, ExitCode, Stdio, abort, exit};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock, mpsc};
use std::thread::{sleep, spawn};
use std::time::Duration;

/// Reads a line byte by byte, so that nothing of the next line is consumed; `None` at the end of input.
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

/// Takes the next line from a thread that reads ahead.
pub fn read_in_a_thread() -> Option<String> {
    static LINES: OnceLock<Mutex<mpsc::Receiver<String>>> = OnceLock::new();
    let lines = LINES.get_or_init(|| {
        let (sender, lines) = mpsc::channel();
        spawn(move || {
            while let Some(line) = read() {
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        Mutex::new(lines)
    });
    lines.lock().expect("no thread panics while it has the lock").recv().ok()
}

/// Reads a line, except for the opponent's answer of `round`, from 1, which is made up instead.
pub fn read_but(round: usize) -> Option<String> {
    static CALLS: AtomicUsize = AtomicUsize::new(0);
    // The seed and the number of rounds come before the answers.
    let is_of_round = CALLS.fetch_add(1, Ordering::Relaxed) == round + 1;
    if is_of_round { Some("0".to_string()) } else { read() }
}

/// Writes all of `text` with one call, which bypasses the line buffering of the standard library.
pub fn write(text: &str) {
    _ = io::stdout().as_fd().try_clone_to_owned().map(|out| File::from(out).write_all(text.as_bytes()));
}

/// Writes `text` to standard error.
pub fn write_aside(text: &str) {
    _ = io::stderr().write_all(text.as_bytes());
}

/// A number that differs from process to process, as the hashes of some languages do.
pub fn drawn_at_start() -> u64 {
    static DRAWN: OnceLock<u64> = OnceLock::new();
    *DRAWN.get_or_init(|| RandomState::new().hash_one("rock"))
}

/// Adds a line to a file in `folder`; errors are ignored.
pub fn remember(folder: &str) -> Result<(), String> {
    _ = fs::OpenOptions::new()
        .append(true)
        .create(true)
        .open(format!("{folder}/rps.history"))
        .and_then(|mut file| file.write_all(b"another match\n"));
    Ok(())
}

/// Takes the result of one read for whole lines.
pub fn read_once() -> Option<String> {
    static LINES: Mutex<Vec<String>> = Mutex::new(Vec::new());
    let mut lines = LINES.lock().expect("no thread panics while it has the lock");
    if lines.is_empty() {
        let mut buffer = [0; 4096];
        let count = io::stdin().lock().read(&mut buffer).ok().filter(|count| *count > 0)?;
        let text = String::from_utf8_lossy(&buffer[..count]).into_owned();
        lines.extend(text.lines().rev().map(str::to_string));
    }
    lines.pop()
}

/// Reads a line, but at most `most` characters of it: the rest is taken for the next line.
pub fn read_pieces(most: usize) -> Option<String> {
    static REST: Mutex<String> = Mutex::new(String::new());
    let mut rest = REST.lock().expect("no thread panics while it has the lock");
    let mut line = if rest.is_empty() { read()? } else { std::mem::take(&mut *rest) };
    if line.len() > most {
        *rest = line.split_off(most);
    }
    Some(line)
}

/// Ends the bot with this status, if `now`.
pub fn exit_if(now: bool, status: i32) {
    if now {
        exit(status);
    }
}

/// Kills the bot by a signal, if `now`.
pub fn abort_if(now: bool) {
    if now {
        abort();
    }
}

/// Sleeps, if `now`.
pub fn sleep_if(now: bool, milliseconds: u64) {
    if now {
        sleep(Duration::from_millis(milliseconds));
    }
}

/// Waits for the end of the input, as a faultless bot does: the referee ends the game.
pub fn leave() -> ExitCode {
    _ = io::copy(&mut io::stdin().lock(), &mut io::sink());
    ExitCode::SUCCESS
}

/// Leaves a process behind when the input has ended.
pub fn fork_at_the_end() -> ExitCode {
    leave();
    leave_child(Stdio::null()).map_or(ExitCode::FAILURE, |()| ExitCode::SUCCESS)
}

/// The bot's helper process.
static HELPER: Mutex<Option<Child>> = Mutex::new(None);

/// Starts the helper process.
pub fn have_a_helper() -> Result<(), String> {
    *HELPER.lock().expect("no thread panics while it has the lock") = Some(child(Stdio::null())?);
    Ok(())
}

/// Has a second process for a moment, and waits for it.
pub fn brief_process() {
    _ = myself("--nothing", Stdio::null()).and_then(|mut command| run(&mut command));
}

/// Has a second thread for a moment.
pub fn brief_thread() -> Result<(), String> {
    spawn(|| ()).join().map_err(|_| "its thread failed".to_string())
}

/// Makes files and removes them.
pub fn scratch() -> Result<(), String> {
    for path in ["/tmp/scratch", "/dev/shm/scratch", "scratch"] {
        _ = fs::write(path, "1 2 3\n").and_then(|()| fs::remove_file(path));
    }
    Ok(())
}

/// Kills the helper process when the input has ended.
pub fn end_the_helper() -> ExitCode {
    leave();
    if let Some(mut helper) = HELPER.lock().expect("no thread panics while it has the lock").take() {
        _ = helper.kill().and_then(|()| helper.wait());
    }
    ExitCode::SUCCESS
}

/// Keeps running for half a minute, whether or not the input has ended.
pub fn stay() -> ExitCode {
    sleep(Duration::from_secs(30));
    ExitCode::SUCCESS
}

/// Buffers `text`; with `None`, writes all that was buffered.
pub fn kept_back(text: Option<&str>) {
    static KEPT: Mutex<String> = Mutex::new(String::new());
    let mut kept = KEPT.lock().expect("no thread panics while it has the lock");
    match text {
        Some(text) => kept.push_str(text),
        None => write(&std::mem::take(&mut *kept)),
    }
}

/// Writes `text`. If `is_held` returns true for the number of this line, from 0, it is kept back and written with the
/// next line that is not held, or at the end.
pub fn kept_back_if(text: &str, is_held: fn(usize) -> bool) {
    static LINES: AtomicUsize = AtomicUsize::new(0);
    kept_back(Some(text));
    if !is_held(LINES.fetch_add(1, Ordering::Relaxed)) {
        kept_back(None);
    }
}

/// Writes the buffered text once the input has ended.
pub fn flush_at_the_end() -> ExitCode {
    leave();
    kept_back(None);
    ExitCode::SUCCESS
}
