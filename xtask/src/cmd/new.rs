//! `new NAME`: a bot that keeps its game's rules, in the language of choice, to begin from.

use crate::cli;
use crate::exit::{Exit, Failure};
use anyhow::Context;
use cornerman_harness::nearest::did_you_mean;
use reference_bots::{Filled, TEMPLATES, Template};
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Writes the bot's folder.
pub fn run(args: cli::New) -> Result<Exit, Failure> {
    let folder = PathBuf::from(&args.name);
    let name = folder.file_name().unwrap_or(folder.as_os_str()).to_string_lossy();
    let template = template(&args)?;
    let files = template.fill(&name, &folder.to_string_lossy()).map_err(Failure::usage)?;
    if folder.exists() {
        return Err(Failure::usage(format!("{} exists already: nothing was written", folder.display())));
    }
    if let Some(file) = folder.ancestors().skip(1).find(|parent| parent.is_file()) {
        return Err(Failure::usage(format!("{} is a file, not a folder: nothing was written", file.display())));
    }
    write_folder(&folder, &files).map_err(Failure::Kit)?;
    let mut out = anstream::stdout();
    writeln!(out, "Wrote {}:", folder.display())?;
    for filled in &files {
        writeln!(out, "  {}", folder.join(filled.file).display())?;
    }
    writeln!(out, "Next: cargo xtask {}", template.first_command(&folder.to_string_lossy()))?;
    Ok(Exit::Fine)
}

fn template(args: &cli::New) -> Result<&'static Template, Failure> {
    let of_game: Vec<&Template> = TEMPLATES.iter().filter(|template| template.game == args.game).collect();
    if of_game.is_empty() {
        let hint = did_you_mean(&args.game, TEMPLATES.iter().map(|template| template.game));
        return Err(Failure::usage(format!("no templates for the game `{}`{hint}", args.game)));
    }
    of_game.iter().find(|template| template.lang == args.lang).copied().ok_or_else(|| {
        let known: Vec<&str> = of_game.iter().map(|template| template.lang).collect();
        let hint = did_you_mean(&args.lang, known.iter().copied());
        Failure::usage(format!("no template in `{}`{hint}; there is one in {}", args.lang, known.join(", ")))
    })
}

/// Writes all files or none: they are put together beside the folder and moved into place.
fn write_folder(folder: &Path, files: &[Filled]) -> anyhow::Result<()> {
    let parent = folder.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    fs::create_dir_all(parent).with_context(|| format!("making {}", parent.display()))?;
    let fresh = tempfile::Builder::new().prefix(".new-bot-").tempdir_in(parent)?;
    for Filled { file, contents } in files {
        fs::write(fresh.path().join(file), contents).with_context(|| format!("writing {file}"))?;
    }
    // A temporary folder is its owner's alone; a bot's is as any other.
    fs::set_permissions(fresh.path(), std::os::unix::fs::PermissionsExt::from_mode(0o755))?;
    fs::rename(fresh.path(), folder).with_context(|| format!("writing {}", folder.display()))
}
