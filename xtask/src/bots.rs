//! From the BOT of a command line to a bot that can play: `@name` is a reference bot of any game, `NAME:COMMAND` an
//! engine that speaks the protocol NAME, anything else a path.

use crate::exit::CliError;
use crate::registry::{GameEntry, Registry};
use anyhow::Context;
use cornerman_harness::bot::duplicates::duplicates;
use cornerman_harness::bot::{Bot, BotError};
use cornerman_harness::kit::Engine;
use cornerman_harness::nearest::nearest;
use cornerman_harness::sandbox::Level;
use cornerman_harness::toolchain::BuildOptions;
use cornerman_harness::toolchain::cache;
use reference_bots::{Program, ReferenceBot};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::SystemTime;

/// What a BOT can mean, and how it is built.
#[derive(Clone, Copy)]
pub struct Makings<'a> {
    /// The games, with their reference bots and engines.
    pub games: &'a Registry,
    /// On what terms sources are built.
    pub terms: BuildOptions<'a>,
}

/// The bot that `spec` means.
pub fn load(spec: &str, makings: Makings) -> Result<Bot, CliError> {
    load_with(spec, &[], makings)
}

/// The same, where a source is built and run with the files `with` beside it: paths from its folder.
pub fn load_with(spec: &str, with: &[String], makings: Makings) -> Result<Bot, CliError> {
    let Makings { games, terms } = makings;
    if let Some((engine, command)) = Engine::of_spec(terms.engines, spec) {
        return Ok(Bot::engine(engine, command, Path::new(""))?);
    }
    let bot = match spec.strip_prefix('@') {
        Some(id) => reference(id, makings),
        None => Bot::load_with_files(Path::new(spec), with, terms).map_err(|error| match (error, find(spec, games)) {
            (BotError::Missing { path, .. }, Some((_, bot))) => {
                CliError::usage(format!("no such bot: {} (did you mean `@{}`?)", path.display(), bot.id))
            }
            (error, _) => error.into(),
        }),
    }?;
    // Not shut in, a build can do what the user can.
    if let Some(built) = bot.built.as_ref().filter(|built| built.fresh && built.isolation < Level::Scoped) {
        anstream::eprintln!(
            "{}: built at isolation {}: `doctor` says what would give more",
            crate::show::plain(&bot.spec),
            built.isolation
        );
    }
    Ok(bot)
}

/// Whether `spec` is a path, which exists; else it is a reference bot, which there is, or an engine.
///
/// # Errors
/// When it is none of these.
pub fn must_exist(spec: &str, makings: Makings) -> Result<bool, CliError> {
    let Makings { games, terms } = makings;
    let path = Path::new(spec);
    match spec.strip_prefix('@') {
        _ if Engine::of_spec(terms.engines, spec).is_some() => Ok(false),
        Some(id) => known(id, games).map(|_| false),
        None if fs::symlink_metadata(path).is_ok() => Ok(true),
        None => Err(match (Bot::load(path), find(spec, games)) {
            (Err(error), None) => error.into(),
            (_, Some((_, bot))) => CliError::usage(format!("no such bot: {spec} (did you mean `@{}`?)", bot.id)),
            (Ok(_), None) => CliError::usage(format!("no such bot: {spec}")),
        }),
    }
}

/// The bots that `specs` mean, of which one source has the files `with`. All are tried, so that every error is seen at
/// once.
pub fn load_all<'a>(
    specs: impl IntoIterator<Item = &'a String>,
    with: &[String],
    makings: Makings,
) -> Result<Vec<Bot>, CliError> {
    let specs: Vec<&String> = specs.into_iter().collect();
    let with = With::of(specs.iter().map(|spec| spec.as_str()), with, makings.terms)?;
    all(specs.iter().map(|spec| load_with(spec, with.of_bot(spec), makings)))
}

/// The files that come with the one source among some bots.
pub struct With<'a> {
    source: Option<String>,
    files: &'a [String],
}

impl<'a> With<'a> {
    /// The files `with`, which go with the only source among `specs`.
    ///
    /// # Errors
    /// When there are files and not exactly one source.
    pub fn of<'b>(
        specs: impl Iterator<Item = &'b str>,
        files: &'a [String],
        terms: BuildOptions,
    ) -> Result<With<'a>, CliError> {
        let is_source = |spec: &Path| !spec.is_dir() && terms.languages.of(spec).is_some();
        let sources: BTreeSet<&str> = specs.filter(|spec| is_source(spec.as_ref())).collect();
        if !files.is_empty() && sources.len() != 1 {
            let found = if sources.is_empty() { "none".to_string() } else { Vec::from_iter(sources).join(", ") };
            return Err(CliError::usage(format!(
                "`--with` goes with exactly one source file, and here are: {found}; a folder with a `bot.toml` holds \
                 all that a bot needs"
            )));
        }
        let source = sources.first().filter(|_| !files.is_empty());
        source.map(|source| Bot::companion_files(Path::new(source), files, terms)).transpose()?;
        Ok(With { source: sources.into_iter().next().map(str::to_string).filter(|_| !files.is_empty()), files })
    }

    /// Those of the bot `spec`.
    pub fn of_bot(&self, spec: &str) -> &'a [String] {
        if self.source.as_deref() == Some(spec) { self.files } else { &[] }
    }
}

/// Says which of `bots` are the same program, a line for each program.
pub fn tell_of_twins(bots: &[Bot]) {
    let (mut firsts, mut groups) = (BTreeMap::new(), BTreeMap::<usize, Vec<String>>::new());
    for (first, second) in duplicates(bots) {
        let first = firsts.get(&first).copied().unwrap_or(first);
        firsts.entry(second).or_insert_with(|| {
            groups.entry(first).or_default().push(crate::show::plain(&bots[second].spec));
            first
        });
    }
    for (first, others) in groups {
        let (others, have) = (others.join(", "), if others.len() == 1 { "has" } else { "have" });
        let first = crate::show::plain(&bots[first].spec);
        anstream::eprintln!("{others}: {have} the same program or source as {first}, byte for byte");
    }
}

/// All that were `loaded`, or every error.
pub fn all<T>(loaded: impl IntoIterator<Item = Result<T, CliError>>) -> Result<Vec<T>, CliError> {
    let (mut bots, mut errors) = (Vec::new(), Vec::new());
    for loaded in loaded {
        match loaded {
            Ok(bot) => bots.push(bot),
            Err(CliError::Usage(error)) => errors.push(format!("{error:#}")),
            Err(other) => return Err(other),
        }
    }
    if errors.is_empty() { Ok(bots) } else { Err(CliError::usage(errors.join("\n       "))) }
}

fn known<'a>(id: &str, games: &'a Registry) -> Result<(&'a GameEntry, &'static ReferenceBot), CliError> {
    find(id, games).ok_or_else(|| {
        let hint = nearest(id, games.references().map(|(_, bot)| bot.id));
        let hint = hint.map_or(String::new(), |name| format!(" (did you mean `@{name}`?)"));
        CliError::usage(format!("no such reference bot: @{id}{hint}; `bots` lists them"))
    })
}

fn reference(id: &str, makings: Makings) -> Result<Bot, CliError> {
    let (game, found) = known(id, makings.games)?;
    let mut bot = match found.program {
        Program::Binary(name) => Bot::load(&binary(name).map_err(CliError::Internal)?)?,
        Program::Source { file, text } => {
            Bot::load_with_options(&written(game.id(), file, text).map_err(CliError::Internal)?, makings.terms)?
        }
    };
    bot.spec = format!("@{id}");
    bot.name = bot.spec.clone();
    bot.has_given_name = true;
    bot.game = Some(game.id().to_string());
    Ok(bot)
}

/// The reference bot with this id or, as people try that too, whose program is called so.
fn find<'a>(id: &str, games: &'a Registry) -> Option<(&'a GameEntry, &'static ReferenceBot)> {
    let is_called = |program| matches!(program, Program::Binary(name) if name == id);
    games.references().find(|(_, bot)| bot.id == id || is_called(bot.program))
}

/// The source of a reference bot as a file, which is written if it is not there as it should be.
fn written(game: &str, file: &str, text: &str) -> anyhow::Result<PathBuf> {
    let folder = cache::folder().join("reference").join(game);
    let path = folder.join(file);
    if fs::read(&path).is_ok_and(|there| there == text.as_bytes()) {
        return Ok(path);
    }
    let write = || -> std::io::Result<()> {
        fs::create_dir_all(&folder)?;
        // Others may read it meanwhile: it appears whole.
        let fresh = tempfile::NamedTempFile::new_in(&folder)?;
        fs::write(fresh.path(), text)?;
        fs::set_permissions(fresh.path(), std::os::unix::fs::PermissionsExt::from_mode(0o644))?;
        Ok(fresh.persist(&path).map(drop)?)
    };
    write().with_context(|| format!("writing {}", path.display()))?;
    Ok(path)
}

/// The program of a reference bot. An installed one lies beside this program. Where this one was built in a checkout, or
/// lies anywhere else while there is a checkout, it is built first if it is missing or older than its sources.
fn binary(name: &str) -> anyhow::Result<PathBuf> {
    let here = std::env::current_exe().context("finding this program's own folder")?;
    let folder = here.parent().unwrap_or(Path::new("/"));
    // Examples are a folder further down.
    let folder = folder.parent().filter(|_| folder.ends_with("examples")).unwrap_or(folder);
    let is_build = folder.ends_with("debug") || folder.ends_with("release");
    let checkout = Path::new(env!("CARGO_MANIFEST_DIR")).parent().filter(|root| root.join("Cargo.toml").is_file());
    match checkout {
        Some(root) if is_build => built(root, folder, name),
        _ if folder.join(name).is_file() => Ok(folder.join(name)),
        Some(root) => {
            let target =
                std::env::var_os("CARGO_TARGET_DIR").map_or(root.join("target"), |target| root.join(target));
            built(root, &target.join("debug"), name)
        }
        None => anyhow::bail!(
            "the reference bot {name} is not beside {}: install them with `cargo install --path reference-bots`",
            here.display()
        ),
    }
}

/// The program `name` in `folder`, a folder of cargo's for one profile, where all reference bots of the checkout `root` are
/// built if this one is missing or out of date.
fn built(root: &Path, folder: &Path, name: &str) -> anyhow::Result<PathBuf> {
    let program = folder.join(name);
    if is_fresh(&program, root) {
        return Ok(program);
    }
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.args(["build", "--quiet", "--package", "reference-bots", "--bins"]).current_dir(root);
    cargo.args(folder.ends_with("release").then_some("--release"));
    if let Some(target) = folder.parent() {
        cargo.arg("--target-dir").arg(target);
    }
    let status = cargo.status().context("building the reference bots with cargo")?;
    anyhow::ensure!(status.success(), "building the reference bots failed: {cargo:?}: {status}");
    // Cargo leaves a program alone whose sources are newer but the same.
    let made = fs::File::options().write(true).open(&program);
    made.and_then(|made| made.set_modified(SystemTime::now()))
        .with_context(|| format!("building the reference bots did not make {}: {cargo:?}", program.display()))?;
    Ok(program)
}

fn is_fresh(binary: &Path, root: &Path) -> bool {
    let modified = |path: &Path| fs::metadata(path).and_then(|found| found.modified()).ok();
    let newest = ["src", "reference-bots/src", "reference-bots/Cargo.toml"]
        .iter()
        .filter_map(|part| newest_below(&root.join(part)))
        .max();
    modified(binary).is_some_and(|built| newest.is_none_or(|newest| newest <= built))
}

/// When the newest file in `path` was last written.
fn newest_below(path: &Path) -> Option<SystemTime> {
    if path.is_dir() {
        return fs::read_dir(path).ok()?.flatten().filter_map(|entry| newest_below(&entry.path())).max();
    }
    fs::metadata(path).and_then(|found| found.modified()).ok()
}
