//! `new NAME`: a bot that keeps its game's rules, in the language of choice, to begin from.

use crate::cli;
use crate::exit::{Exit, Failure};
use crate::own;
use crate::registry::{GameEntry, Registry};
use anyhow::Context;
use cornerman_harness::nearest::did_you_mean;
use reference_bots::{Filled, Template};
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Writes the bot's folder.
pub fn run(args: cli::New, games: &Registry) -> Result<Exit, Failure> {
    let folder = PathBuf::from(&args.name);
    let name = folder.file_name().unwrap_or(folder.as_os_str()).to_string_lossy();
    let game = args.game.as_deref().map_or(Ok(games.usual()), |game| games.named(game))?;
    let template = template(game, &args.lang)?;
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
    let first = game.ladder.try_first.replace("{dir}", &folder.to_string_lossy());
    writeln!(out, "Next: {} {first}", own::command())?;
    Ok(Exit::Fine)
}

fn template(game: &GameEntry, lang: &str) -> Result<&'static Template, Failure> {
    let templates = game.ladder.templates;
    if templates.is_empty() {
        return Err(Failure::usage(format!("the game `{}` has no templates", game.id())));
    }
    templates.iter().find(|template| template.lang == lang).ok_or_else(|| {
        let known: Vec<&str> = templates.iter().map(|template| template.lang).collect();
        let hint = did_you_mean(lang, known.iter().copied());
        Failure::usage(format!("no template in `{lang}`{hint}; there is one in {}", known.join(", ")))
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
