//! The files of failures: the exact bytes that a bot was given and that came back.

use crate::error::SuiteError;
use crate::finding::{CheckResult, Evidence, Files, Outcome};
use cornerman_harness::sandbox::Input;
use std::borrow::Cow;
use std::fs;
use std::path::Path;

/// What was given.
pub const INPUT: &str = "in.arena";
/// What came back.
pub const OUTPUT: &str = "out.arena";
/// What was written on standard error.
pub const ERRORS: &str = "stderr.txt";
/// The same of a game in lines.
pub const INPUT_LINES: &str = "in.txt";
/// The same of a game in lines.
pub const OUTPUT_LINES: &str = "out.txt";
/// All that was said in a game in lines, with times.
pub const TRANSCRIPT: &str = "transcript.txt";
/// What the state file held.
pub const STATE: &str = "state.in";

/// Writes the files of every check of `results` that failed into a folder of the check's name within `folder`,
/// and notes them there. Files of an earlier check are removed.
///
/// # Errors
/// When a file cannot be written.
pub fn write(folder: &Path, results: &mut [CheckResult]) -> Result<(), SuiteError> {
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
            // It is removed if nothing else is in it.
            _ => _ = fs::remove_dir(&folder),
        }
    }
    Ok(())
}

fn write_evidence(folder: &Path, evidence: &Evidence) -> Result<Vec<&'static str>, SuiteError> {
    let failed = |path: &Path| {
        let path = path.to_path_buf();
        |why| SuiteError::Files { path, why }
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
            file(OUTPUT_LINES, &transcript.heard())?;
        }
        None => {
            file(INPUT, &input(evidence))?;
            file(OUTPUT, &evidence.report.output)?;
        }
    }
    if !evidence.report.errors.is_empty() {
        file(ERRORS, &evidence.report.errors)?;
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

/// A folder's name for each bot, all different, of letters that need no quotes.
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
