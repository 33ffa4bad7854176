//! Loads what the command line calls a BOT: `@name` is a reference bot of any game, `NAME:COMMAND` is an engine with
//! the protocol NAME, and anything else is a path.

// The program that `cargo xtask dist` makes has the reference bots inside.
#[cfg_attr(feature = "dist", path = "bots/embedded.rs")]
#[cfg_attr(not(feature = "dist"), path = "bots/programs.rs")]
mod programs;

use crate::show::plain;
use crate::{CliError, GameEntry, Registry, isolation};
use anyhow::Context;
use cornerman_harness::bot::{Bot, BotError, duplicates};
use cornerman_harness::kit::Engine;
use cornerman_harness::nearest::nearest;
use cornerman_harness::sandbox::Conditions;
use cornerman_harness::toolchain::{BuildOptions, cache};
use reference_bots::{ReferenceBot, ReferenceProgram};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// What is needed to load bots.
#[derive(Clone, Copy)]
pub(crate) struct BotLoader<'a> {
    /// The games, with their reference bots and engines.
    pub games: &'a Registry,
    /// How source files are built.
    pub options: BuildOptions<'a>,
}

/// Loads the bot `spec`, and builds it if need be.
pub(crate) fn load(spec: &str, loader: BotLoader) -> Result<Bot, CliError> {
    load_with(spec, &[], loader)
}

/// [`load`] for a source file that needs the files `with`, which are paths from its folder.
///
/// # Errors
/// Those of [`load`], and when `with` names something other than such files.
pub(crate) fn load_with(spec: &str, with: &[String], loader: BotLoader) -> Result<Bot, CliError> {
    let BotLoader { games, options } = loader;
    if let Some((engine, command)) = Engine::of_spec(options.engines, spec) {
        return Ok(Bot::engine(engine, command, Path::new(""))?);
    }
    let bot = match spec.strip_prefix('@') {
        Some(id) => reference(id, loader),
        None => Bot::load_with_files(Path::new(spec), with, options).map_err(|error| {
            match (error, find(spec, games)) {
                (BotError::Missing { path, .. }, Some((_, bot))) => {
                    CliError::usage(format!("no such bot: {} (did you mean `@{}`?)", path.display(), bot.id))
                }
                (error, _) => error.into(),
            }
        }),
    }?;
    // A build without isolation can do whatever the user can, so the user should know.
    if bot.built.as_ref().is_some_and(|built| built.fresh && built.isolation < isolation::FOR_STRANGERS) {
        isolation::announce(&Conditions::default().isolation()?);
    }
    Ok(bot)
}

/// Checks that the bot `spec` exists, without building it. Returns whether it is a path, rather than a reference bot or
/// an engine.
pub(crate) fn check_exists(spec: &str, loader: BotLoader) -> Result<bool, CliError> {
    let BotLoader { games, options } = loader;
    let path = Path::new(spec);
    match spec.strip_prefix('@') {
        // Nothing is built for an engine, so loading it is the check.
        _ if Engine::of_spec(options.engines, spec).is_some() => load(spec, loader).map(|_| false),
        Some(id) => known(id, games).map(|_| false),
        None if fs::symlink_metadata(path).is_ok() => Ok(true),
        None => Err(match (Bot::load(path), find(spec, games)) {
            (Err(error), None) => error.into(),
            (_, Some((_, bot))) => CliError::usage(format!("no such bot: {spec} (did you mean `@{}`?)", bot.id)),
            (Ok(_), None) => CliError::usage(format!("no such bot: {spec}")),
        }),
    }
}

/// Loads the bots `specs`, of which the only source file needs the files `with`.
///
/// # Errors
/// The usage errors of all the bots at once, so that the user can fix them together; or the first other error.
pub(crate) fn load_all<'a>(
    specs: impl IntoIterator<Item = &'a String>,
    with: &[String],
    loader: BotLoader,
) -> Result<Vec<Bot>, CliError> {
    let specs: Vec<&String> = specs.into_iter().collect();
    let with = CompanionFiles::for_entries(specs.iter().map(|spec| spec.as_str()), with, loader.options)?;
    all_or_errors(specs.iter().map(|spec| load_with(spec, with.of_bot(spec), loader)))
}

/// The files of `--with`, which the only source file among some bots needs.
pub(crate) struct CompanionFiles<'a> {
    source: Option<String>,
    files: &'a [String],
}

impl<'a> CompanionFiles<'a> {
    /// Assigns `files` to the only source file among `specs`.
    ///
    /// # Errors
    /// When there are files but not exactly one source file, or one of them cannot be used.
    pub(crate) fn for_entries<'b>(
        specs: impl Iterator<Item = &'b str>,
        files: &'a [String],
        options: BuildOptions,
    ) -> Result<CompanionFiles<'a>, CliError> {
        if files.is_empty() {
            return Ok(CompanionFiles { source: None, files });
        }
        let is_source = |spec: &Path| !spec.is_dir() && options.languages.for_file(spec).is_some();
        let sources: BTreeSet<&str> = specs.filter(|spec| is_source(spec.as_ref())).collect();
        let sources = Vec::from_iter(sources);
        let [source] = sources[..] else {
            let found = if sources.is_empty() { "none".to_string() } else { sources.join(", ") };
            return Err(usage!(
                "--with needs exactly one source file among the bots, but found: {found}; put a bot of several files \
                 into a folder with a `bot.toml`"
            ));
        };
        Bot::companion_files(Path::new(source), files, options)?;
        Ok(CompanionFiles { source: Some(source.to_string()), files })
    }

    /// The files of the bot `spec`: none unless it is the source file.
    pub(crate) fn of_bot(&self, spec: &str) -> &'a [String] {
        if self.source.as_deref() == Some(spec) { self.files } else { &[] }
    }
}

/// Prints which of `bots` have the same program or source file, with a line for each program.
pub(crate) fn report_duplicates(bots: &[Bot]) {
    let mut firsts = BTreeMap::new();
    for (first, second) in duplicates(bots) {
        let first = firsts.get(&first).copied().unwrap_or(first);
        firsts.entry(second).or_insert(first);
    }
    let mut groups = BTreeMap::<usize, Vec<String>>::new();
    for (second, first) in firsts {
        groups.entry(first).or_default().push(plain(&bots[second].spec));
    }
    for (first, others) in groups {
        let have = if others.len() == 1 { "has" } else { "have" };
        let others = others.join(", ");
        let first = plain(&bots[first].spec);
        note!("{others} {have} the same program or source as {first}, byte for byte");
    }
}

/// All bots, or else all usage errors in one.
///
/// # Errors
/// When at least one bot has an error. An internal error is returned at once.
pub(crate) fn all_or_errors<T>(loaded: impl IntoIterator<Item = Result<T, CliError>>) -> Result<Vec<T>, CliError> {
    let mut bots = Vec::new();
    let mut errors = Vec::new();
    for loaded in loaded {
        match loaded {
            Ok(bot) => bots.push(bot),
            Err(CliError::Usage(error)) => errors.push(error),
            Err(other) => return Err(other),
        }
    }
    match errors.len() {
        0 => Ok(bots),
        1 => Err(CliError::Usage(errors.remove(0))),
        _ => {
            let errors: Vec<String> = errors.iter().map(ToString::to_string).collect();
            Err(CliError::usage(errors.join("\n       ")))
        }
    }
}

/// The reference bot with this id, and its game.
fn known<'a>(id: &str, games: &'a Registry) -> Result<(&'a GameEntry, &'static ReferenceBot), CliError> {
    find(id, games).ok_or_else(|| {
        let nearest = nearest(id, games.references().map(|(_, bot)| bot.id));
        usage!("no such reference bot: @{id}")
            .hint(nearest.map(|name| format!("did you mean `@{name}`?")))
            .hint("`bots` lists them".to_string())
    })
}

/// Loads the reference bot with this id, and builds it if need be.
fn reference(id: &str, loader: BotLoader) -> Result<Bot, CliError> {
    let (game, found) = known(id, loader.games)?;
    let mut bot = match found.program {
        ReferenceProgram::Binary(name) => Bot::load(&programs::locate(name)?)?,
        ReferenceProgram::Source { file, text } => {
            Bot::load_with_options(&written(game.id(), file, text).map_err(CliError::of_machine)?, loader.options)?
        }
    };
    bot.spec = format!("@{id}");
    bot.name = bot.spec.clone();
    bot.has_given_name = true;
    bot.game = Some(game.id().to_string());
    Ok(bot)
}

/// The reference bot with this id, or with this name of its program, because users try that as well.
fn find<'a>(id: &str, games: &'a Registry) -> Option<(&'a GameEntry, &'static ReferenceBot)> {
    let is_called = |program| matches!(program, ReferenceProgram::Binary(name) if name == id);
    games.references().find(|(_, bot)| bot.id == id || is_called(bot.program))
}

/// Writes the source file of a reference bot into the cache, unless it is there and unchanged.
fn written(game: &str, file: &str, text: &str) -> anyhow::Result<PathBuf> {
    let folder = cache::open().context("opening the cache")?.join("reference").join(game);
    let path = folder.join(file);
    if fs::read(&path).is_ok_and(|there| there == text.as_bytes()) {
        return Ok(path);
    }
    let write = || -> std::io::Result<()> {
        fs::create_dir_all(&folder)?;
        // Renamed into place, because another process may be reading it.
        let fresh = tempfile::NamedTempFile::new_in(&folder)?;
        fs::write(fresh.path(), text)?;
        fs::set_permissions(fresh.path(), std::os::unix::fs::PermissionsExt::from_mode(0o644))?;
        Ok(fresh.persist(&path).map(drop)?)
    };
    write().with_context(|| format!("writing {}", path.display()))?;
    Ok(path)
}

/// Whether two BOT arguments name the same bot.
pub(crate) fn is_same(one: &str, other: &str) -> bool {
    let path = |spec: &str| std::fs::canonicalize(spec).ok();
    one == other || path(one).is_some_and(|one| path(other) == Some(one))
}
