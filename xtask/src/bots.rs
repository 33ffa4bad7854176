//! From the BOT of a command line to a bot that can play: `@name` is a reference bot of whatever game,
//! `gtp:COMMAND` a Go engine, anything else a path.

use crate::exit::Failure;
use anyhow::Context;
use cornerman_harness::bot::{Bot, BotError, GTP, Terms, twins};
use cornerman_harness::nearest::nearest;
use cornerman_harness::sandbox::Level;
use reference_bots::{BOTS, ReferenceBot};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::SystemTime;

/// The bot that `spec` means, built on these terms.
pub fn load(spec: &str, terms: Terms) -> Result<Bot, Failure> {
    load_with(spec, &[], terms)
}

/// The same, where a source is built and run with the files `with` beside it: paths from its folder.
pub fn load_with(spec: &str, with: &[String], terms: Terms) -> Result<Bot, Failure> {
    if let Some(command) = spec.strip_prefix(GTP) {
        return Ok(Bot::gtp(command, Path::new(""))?);
    }
    let bot = match spec.strip_prefix('@') {
        Some(id) => reference(id),
        None => Bot::load_with(Path::new(spec), with, terms).map_err(|error| match (error, find(spec)) {
            (BotError::Missing { path, .. }, Some(bot)) => {
                Failure::usage(format!("no such bot: {} (did you mean `@{}`?)", path.display(), bot.id))
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
pub fn must_exist(spec: &str) -> Result<bool, Failure> {
    let path = Path::new(spec);
    match spec.strip_prefix('@') {
        _ if spec.starts_with(GTP) => Ok(false),
        Some(id) => known(id).map(|_| false),
        None if fs::symlink_metadata(path).is_ok() => Ok(true),
        None => Err(match (Bot::load(path), find(spec)) {
            (Err(error), None) => error.into(),
            (_, Some(bot)) => Failure::usage(format!("no such bot: {spec} (did you mean `@{}`?)", bot.id)),
            (Ok(_), None) => Failure::usage(format!("no such bot: {spec}")),
        }),
    }
}

/// The bots that `specs` mean, of which one source has the files `with`. All are tried, so that every error is seen at
/// once.
pub fn load_all<'a>(
    specs: impl IntoIterator<Item = &'a String>,
    with: &[String],
    terms: Terms,
) -> Result<Vec<Bot>, Failure> {
    let specs: Vec<&String> = specs.into_iter().collect();
    let with = With::of(specs.iter().map(|spec| spec.as_str()), with, terms)?;
    all(specs.iter().map(|spec| load_with(spec, with.of_bot(spec), terms)))
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
        terms: Terms,
    ) -> Result<With<'a>, Failure> {
        let is_source = |spec: &Path| !spec.is_dir() && terms.languages.of(spec).is_some();
        let sources: BTreeSet<&str> = specs.filter(|spec| is_source(spec.as_ref())).collect();
        if !files.is_empty() && sources.len() != 1 {
            let found = if sources.is_empty() { "none".to_string() } else { Vec::from_iter(sources).join(", ") };
            return Err(Failure::usage(format!(
                "`--with` goes with exactly one source file, and here are: {found}; a folder with a `bot.toml` holds \
                 all that a bot needs"
            )));
        }
        let source = sources.first().filter(|_| !files.is_empty());
        source.map(|source| Bot::must_take(Path::new(source), files, terms)).transpose()?;
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
    for (first, second) in twins(bots) {
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
pub fn all<T>(loaded: impl IntoIterator<Item = Result<T, Failure>>) -> Result<Vec<T>, Failure> {
    let (mut bots, mut errors) = (Vec::new(), Vec::new());
    for loaded in loaded {
        match loaded {
            Ok(bot) => bots.push(bot),
            Err(Failure::Usage(error)) => errors.push(format!("{error:#}")),
            Err(other) => return Err(other),
        }
    }
    if errors.is_empty() { Ok(bots) } else { Err(Failure::usage(errors.join("\n       "))) }
}

fn known(id: &str) -> Result<&'static ReferenceBot, Failure> {
    find(id).ok_or_else(|| {
        let hint = nearest(id, BOTS.iter().map(|bot| bot.id));
        let hint = hint.map_or(String::new(), |name| format!(" (did you mean `@{name}`?)"));
        Failure::usage(format!("no such reference bot: @{id}{hint}; `bots` lists them"))
    })
}

fn reference(id: &str) -> Result<Bot, Failure> {
    let found = known(id)?;
    let mut bot = Bot::load(&binary(found).map_err(Failure::Kit)?)?;
    bot.spec = format!("@{id}");
    bot.name = bot.spec.clone();
    bot.has_given_name = true;
    bot.game = Some(found.game.to_string());
    Ok(bot)
}

fn find(id: &str) -> Option<&'static ReferenceBot> {
    BOTS.iter().find(|bot| bot.id == id || bot.binary == id)
}

/// The program of a reference bot: it lies beside this one. From a checkout, it is built first if it is not
/// there or older than its sources.
fn binary(bot: &ReferenceBot) -> anyhow::Result<PathBuf> {
    let here = std::env::current_exe().context("finding this program's own folder")?;
    let beside = here.with_file_name(bot.binary);
    let checkout = Path::new(env!("CARGO_MANIFEST_DIR")).parent().filter(|root| root.join("Cargo.toml").is_file());
    match checkout {
        Some(root) if !is_fresh(&beside, root) => build(root, &beside, &here),
        Some(_) => Ok(beside),
        None if beside.is_file() => Ok(beside),
        None => anyhow::bail!(
            "the reference bot {} is not beside {}: install them with `cargo install --path reference-bots`",
            bot.binary,
            here.display()
        ),
    }
}

/// Builds all reference bots in the profile of this program.
fn build(root: &Path, beside: &Path, here: &Path) -> anyhow::Result<PathBuf> {
    let profile = here.parent().and_then(Path::file_name).filter(|name| *name == "release");
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.args(["build", "--quiet", "--package", "reference-bots", "--bins"]).current_dir(root);
    cargo.args(profile.map(|_| "--release"));
    if let Some(target) = here.parent().and_then(Path::parent) {
        cargo.arg("--target-dir").arg(target);
    }
    let status = cargo.status().context("building the reference bots with cargo")?;
    anyhow::ensure!(status.success() && beside.is_file(), "building the reference bots failed: {cargo:?}");
    // Cargo leaves a program alone whose sources are newer but the same.
    fs::File::options().write(true).open(beside)?.set_modified(SystemTime::now())?;
    Ok(beside.to_path_buf())
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
