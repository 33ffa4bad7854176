//! `new NAME`: a bot that passes `check`, in the language of choice, to begin from.

use crate::cli;
use crate::exit::{Exit, Failure};
use anyhow::Context;
use cornerman_harness::nearest::did_you_mean;
use reference_bots::TEMPLATES;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Writes the bot's folder.
pub fn run(args: cli::New) -> Result<Exit, Failure> {
    let folder = PathBuf::from(&args.name);
    let name = folder.file_name().and_then(|name| name.to_str()).filter(|name| is_plain(name)).ok_or_else(|| {
        Failure::usage(format!("`{}` cannot be a bot's name: letters, digits, `-` and `_` can", args.name))
    })?;
    let template = TEMPLATES.iter().find(|t| t.game == args.game && t.lang == args.lang).ok_or_else(|| {
        let known: Vec<&str> = TEMPLATES.iter().filter(|t| t.game == args.game).map(|t| t.lang).collect();
        match known.is_empty() {
            true => Failure::usage(format!(
                "no such game: {}{}",
                args.game,
                did_you_mean(&args.game, TEMPLATES.iter().map(|t| t.game))
            )),
            false => Failure::usage(format!(
                "no template in `{}`{}; there is one in {}",
                args.lang,
                did_you_mean(&args.lang, known.iter().copied()),
                known.join(", ")
            )),
        }
    })?;
    if folder.exists() {
        return Err(Failure::usage(format!("{} exists already: nothing was written", folder.display())));
    }
    let files = template.files_for(name);
    write_folder(&folder, &files).map_err(Failure::Kit)?;
    let mut out = anstream::stdout();
    writeln!(out, "Wrote {}:", folder.display())?;
    for (file, _) in &files {
        writeln!(out, "  {}", folder.join(file).display())?;
    }
    writeln!(out, "Next: cargo xtask check {}", folder.display())?;
    Ok(Exit::Fine)
}

fn is_plain(name: &str) -> bool {
    !name.is_empty()
        && !name.starts_with('-')
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_')
}

/// Writes all files or none: they are put together beside the folder and moved into place.
fn write_folder(folder: &Path, files: &[(String, String)]) -> anyhow::Result<()> {
    let parent = folder.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    fs::create_dir_all(parent).with_context(|| format!("making {}", parent.display()))?;
    let fresh = tempfile::Builder::new().prefix(".new-bot-").tempdir_in(parent)?;
    for (name, content) in files {
        fs::write(fresh.path().join(name), content).with_context(|| format!("writing {name}"))?;
    }
    let kept = fresh.keep();
    // A temporary folder is its owner's alone; a bot's is as any other.
    fs::set_permissions(&kept, std::os::unix::fs::PermissionsExt::from_mode(0o755))?;
    fs::rename(&kept, folder).with_context(|| format!("writing {}", folder.display()))
}
