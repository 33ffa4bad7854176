//! Bots that are shell scripts.

use cornerman_harness::bot::Bot;
use libtest_mimic::Failed;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

/// Makes a bot of this shell script, in the file `name` of `folder`.
pub fn bot(folder: &Path, name: &str, script: &str) -> Result<Bot, Failed> {
    let path = folder.join(name);
    fs::write(&path, format!("#!/bin/sh\n{script}\n"))?;
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755))?;
    Ok(Bot::load(&path)?)
}
