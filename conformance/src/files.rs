//! The files of failures, with the exact bytes that a bot was given and that it wrote.

use crate::finding::{CheckResult, Evidence, Files, Outcome};
use cornerman_harness::sandbox::Input;
use std::borrow::Cow;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The input, in a game with one process per move.
pub const INPUT: &str = "in.arena";
/// The output, in a game with one process per move.
pub const OUTPUT: &str = "out.arena";
/// Standard error.
pub const ERRORS: &str = "stderr.txt";
/// The input, in a game in lines.
pub const INPUT_LINES: &str = "in.txt";
/// The output, in a game in lines.
pub const OUTPUT_LINES: &str = "out.txt";
/// The input and the output with times, in a game in lines.
pub const TRANSCRIPT: &str = "transcript.txt";
/// The content of the state file before the run.
pub const STATE: &str = "state.in";

/// Writes the files of the first finding of every failed check of `results` into the subfolder of `folder` named by the
/// check's id, and notes them in the result. Files of an earlier check are removed.
///
/// # Errors
/// When a file cannot be written: its path, and the system's error.
pub fn write(folder: &Path, results: &mut [CheckResult]) -> Result<(), (PathBuf, io::Error)> {
    for result in results {
        let folder = folder.join(&result.check.id);
        for name in [INPUT, OUTPUT, INPUT_LINES, OUTPUT_LINES, TRANSCRIPT, ERRORS, STATE] {
            fs::remove_file(folder.join(name)).ok();
        }
        match &result.outcome {
            Outcome::Fail(findings) => {
                let names = write_evidence(&folder, &findings[0].evidence)?;
                result.files = Some(Files { folder, names });
            }
            // Removes the folder only if it is empty.
            _ => _ = fs::remove_dir(&folder),
        }
    }
    Ok(())
}

fn write_evidence(folder: &Path, evidence: &Evidence) -> Result<Vec<&'static str>, (PathBuf, io::Error)> {
    let failed = |path: &Path| {
        let path = path.to_path_buf();
        |why| (path, why)
    };
    fs::create_dir_all(folder).map_err(failed(folder))?;
    let mut names = Vec::new();
    let mut file = |name: &'static str, content: &[u8]| {
        names.push(name);
        let path = folder.join(name);
        fs::write(&path, content).map_err(failed(&path))
    };
    match &evidence.transcript {
        Some(transcript) => {
            file(TRANSCRIPT, transcript.text().as_bytes())?;
            file(INPUT_LINES, &transcript.sent())?;
            file(OUTPUT_LINES, &transcript.received())?;
        }
        None => {
            file(INPUT, &input(evidence))?;
            file(OUTPUT, &evidence.report.output)?;
        }
    }
    if !evidence.report.stderr.is_empty() {
        file(ERRORS, &evidence.report.stderr)?;
    }
    if let Some(state) = &evidence.state {
        file(STATE, state)?;
    }
    Ok(names)
}

/// The bytes that were given to the bot.
pub fn input(evidence: &Evidence) -> Cow<'_, [u8]> {
    match (&evidence.transcript, &evidence.request.input) {
        (Some(transcript), _) => transcript.sent().into(),
        (None, Input::Whole(bytes) | Input::Dribbled(bytes) | Input::LeftOpen(bytes)) => bytes.into(),
    }
}

/// A folder name for each bot. The names are unique, and none needs quotes in a shell.
pub fn folder_names<'a>(names_of_bots: impl Iterator<Item = &'a str>) -> Vec<String> {
    let plain = |c: char| if c.is_ascii_alphanumeric() || "._-".contains(c) { c } else { '_' };
    let mut names: Vec<String> = Vec::new();
    for name in names_of_bots {
        let name: String = name.chars().map(plain).collect();
        let name = if name.trim_matches('.').is_empty() { "bot".to_string() } else { name };
        let free = (2..).map(|n| format!("{name}-{n}")).find(|other| !names.contains(other));
        names.push(if names.contains(&name) { free.unwrap_or_default() } else { name });
    }
    names
}
