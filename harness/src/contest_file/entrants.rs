//! Reads the entrants and the organizer's bots: paths, patterns, reference bots, engines.

use super::keys::{EntrantKeys, EntrantText, Top, folder_of};
use crate::bot;
use crate::bot::engine::Engine;
use crate::bot_file;
use crate::contest_spec::BotSpec;
use crate::entry_files;
use crate::nearest::{did_you_mean, did_you_mean_bot};
use crate::pattern;
use crate::ruleset::AnyKit;
use crate::toml_file::{Mistake, SourceFile, all_of};
use cornerman::contest::OrganizerBot;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use toml::Spanned;

/// The bots that can be entered other than by a path, and the game, which has defaults for some.
#[derive(Clone, Copy)]
pub(super) struct EntrantReferences<'a> {
    /// The reference bots, by their names without `@`.
    pub ids: &'a [&'a str],
    /// The protocols of engines, by the name before the colon.
    pub engines: &'a [Engine],
    /// The game.
    pub kit: &'static dyn AnyKit,
}

/// An entry of a contest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entrant {
    /// Where its bot is.
    pub source: EntrySource,
    /// What the file writes for it, or the file that a pattern found: a path from the file's folder, `@name`, or the
    /// command of an engine with its protocol.
    pub spec: String,
    /// Its name for people, if the organizer gives one; else the bot's own name is used.
    pub name: Option<String>,
    /// The files that its source may see, as paths from the source's folder.
    pub with: Vec<String>,
    /// Its author, if the organizer gives one (B13). An author in its `bot.toml` does not count here.
    pub author: Option<String>,
    /// The line of the organizer's list of authors that names it, if there is one.
    pub listed: Option<usize>,
    /// The line of the contest file that enters it; 0 if no file does.
    pub line: usize,
    /// The number of its group, from 0, if it is in one.
    pub group: Option<usize>,
    /// Its place among all entries of the file, from 0, whether they play or not; 0 for the organizer's bots.
    pub place: u32,
}

/// Where the bot of an entry is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EntrySource {
    /// A file or folder.
    Path(PathBuf),
    /// The reference bot of this name, without the `@`.
    Reference(String),
    /// The engine that this command starts (`gtp:COMMAND`). Paths in it are relative to the file's folder.
    Engine(Engine, String),
}

impl EntrySource {
    /// The bot that `spec` names: `@name`, one of the `engines`, or else a path from `folder`.
    pub fn of_spec(spec: &str, engines: &[Engine], folder: &Path) -> EntrySource {
        match (spec.strip_prefix('@'), Engine::of_spec(engines, spec)) {
            (Some(id), _) => EntrySource::Reference(id.to_string()),
            (_, Some((engine, command))) => EntrySource::Engine(engine, command.to_string()),
            _ => EntrySource::Path(folder.join(spec)),
        }
    }

    /// The same with a canonical path, so that two sources are equal if they are the same file or folder.
    pub(super) fn canonical(&self) -> EntrySource {
        let EntrySource::Path(path) = self else { return self.clone() };
        let path = fs::canonicalize(path).unwrap_or_else(|_| path.clone());
        let folder = path.parent().filter(|_| path.ends_with(bot_file::FILE_NAME));
        EntrySource::Path(folder.unwrap_or(&path).to_path_buf())
    }
}

impl Entrant {
    /// The entry of a bot, of which nothing else is said.
    pub fn new(source: EntrySource, spec: String) -> Entrant {
        Entrant {
            source,
            spec,
            name: None,
            with: Vec::new(),
            author: None,
            listed: None,
            line: 0,
            group: None,
            place: 0,
        }
    }

    /// The entry in the form of a [`ContestSpec`](crate::contest_spec::ContestSpec).
    pub(super) fn to_spec(&self) -> BotSpec {
        BotSpec {
            path: self.spec.clone(),
            name: self.name.clone(),
            author: self.author.clone(),
            group: self.group,
        }
    }
}

/// An entry that does not play.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExcludedEntry {
    /// The entry.
    pub entry: Entrant,
    /// Why it does not play.
    pub why: String,
}

impl fmt::Display for ExcludedEntry {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let name = self.entry.name.as_ref().unwrap_or(&self.entry.spec);
        write!(f, "{name} does not play: {}", self.why)
    }
}

/// Reads the entrants of the file: those without a group, then group by group.
///
/// # Errors
/// A mistake for each entry that does not exist or is entered twice.
pub(super) fn read(
    file: SourceFile,
    top: &Top,
    references: EntrantReferences,
) -> Result<Vec<Entrant>, Vec<Mistake>> {
    let ungrouped = top.entrants.iter().map(|text| (None, text));
    let grouped = (0..).zip(&top.groups).flat_map(|(n, group)| group.entrants.iter().map(move |e| (Some(n), e)));
    let mut all = Vec::new();
    let mut mistakes = Vec::new();
    for (group, text) in ungrouped.chain(grouped) {
        match resolve(file, text, references) {
            Ok(found) => all.extend(found.into_iter().map(|mut found| {
                found.entrant.group = group;
                found
            })),
            Err(mistake) => mistakes.push(mistake),
        }
    }
    let (mut entrants, twice) = once_each(file, all);
    for (place, entrant) in (0..).zip(&mut entrants) {
        entrant.place = place;
    }
    mistakes.extend(twice);
    mistakes.extend(with_other_entries(file, &entrants));
    if mistakes.is_empty() { Ok(entrants) } else { Err(mistakes) }
}

/// Removes entries found by a pattern that are also entered by path or found by an earlier pattern. Returns the rest,
/// and a mistake for each that is entered twice under one name.
fn once_each(file: SourceFile, all: Vec<FoundEntry>) -> (Vec<Entrant>, Vec<Mistake>) {
    let keys: Vec<EntrySource> = all.iter().map(|found| found.entrant.source.canonical()).collect();
    let mut entrants = Vec::new();
    let mut mistakes = Vec::new();
    for (at, FoundEntry { is_exact, entrant }) in all.iter().enumerate() {
        let mut others = (0..all.len()).filter(|&other| other != at && keys[other] == keys[at]);
        if !is_exact && others.any(|other| all[other].is_exact || other < at) {
            continue;
        }
        let is_same =
            |&other: &usize| other < at && all[other].is_exact && all[other].entrant.name == entrant.name;
        if let Some(earlier) = others.find(is_same) {
            let spec = &entrant.spec;
            let line = all[earlier].entrant.line;
            let message =
                format!("`{spec}` is already entered in line {line}: to enter it twice, give each its own `name`");
            mistakes.push(Mistake { path: file.path.into(), line: entrant.line, message });
        }
        entrants.push(entrant.clone());
    }
    (entrants, mistakes)
}

/// A mistake for each source whose `with` names a file of another entry.
fn with_other_entries(file: SourceFile, entrants: &[Entrant]) -> Vec<Mistake> {
    let mut mistakes = Vec::new();
    for entrant in entrants {
        let EntrySource::Path(source) = entrant.source.canonical() else { continue };
        for name in &entrant.with {
            let named = source.with_file_name(name);
            let named = fs::canonicalize(&named).unwrap_or(named);
            let contains_it = |entry: &&Entrant| match entry.source.canonical() {
                EntrySource::Path(at) => named.starts_with(&at),
                EntrySource::Reference(_) | EntrySource::Engine(..) => false,
            };
            if let Some(Entrant { spec, line, .. }) = entrants.iter().find(contains_it) {
                let message = format!(
                    "`{}`: `with` names `{name}`, which belongs to the entry `{spec}` in line {line}: no source may \
                     see another entry",
                    entrant.spec
                );
                mistakes.push(Mistake { path: file.path.into(), line: entrant.line, message });
            }
        }
    }
    mistakes
}

/// Collects the organizer's bots.
pub(super) struct Organizers<'a> {
    file: SourceFile<'a>,
    references: EntrantReferences<'a>,
    entrants: &'a [Entrant],
    list: Vec<Entrant>,
}

impl<'a> Organizers<'a> {
    pub(super) fn new(
        file: SourceFile<'a>,
        references: EntrantReferences<'a>,
        entrants: &'a [Entrant],
    ) -> Organizers<'a> {
        Organizers { file, references, entrants, list: Vec::new() }
    }

    /// Adds the programs of the next seeding stage, whose `kind` is at byte `at`: those `named` in the file, or else
    /// the default ones.
    ///
    /// # Errors
    /// If one does not exist, or is also an entrant (F1).
    pub(super) fn seed_programs(
        &mut self,
        at: usize,
        named: Option<&[Spanned<EntrantText>]>,
    ) -> Result<Vec<OrganizerBot>, Mistake> {
        let default = |id: &&str| Spanned::new(at..at, EntrantText::from_path(&format!("@{id}")));
        let default: Vec<_> = self.references.kit.facts().seed_programs.iter().map(default).collect();
        let mut places = Vec::new();
        for text in named.unwrap_or(&default) {
            for FoundEntry { entrant: program, .. } in resolve(self.file, text, self.references)? {
                let source = program.source.canonical();
                if let Some(entry) = self.entrants.iter().find(|entry| entry.source.canonical() == source) {
                    let mut message = format!(
                        "the seed program `{}` is also an entrant, in line {} (F1)",
                        program.spec, entry.line
                    );
                    if named.is_none() {
                        let default: Vec<_> =
                            default.iter().map(|text| format!("`{}`", text.get_ref().0.path)).collect();
                        let default = default.join(", ");
                        message.push_str(&format!(
                            ": this stage names no `programs`, so they are {default}; name some that do not compete"
                        ));
                    }
                    return Err(self.file.mistake(text.span().start, message));
                }
                places.push(OrganizerBot(self.add(program) as u16));
            }
        }
        Ok(places)
    }

    /// Adds the fillers: those of the file, or else the default ones if any are `needed`. Returns all of the
    /// organizer's bots and the places of the fillers among them.
    pub(super) fn with_fillers(
        mut self,
        texts: Option<&[Spanned<EntrantText>]>,
        needed: bool,
    ) -> Result<(Vec<Entrant>, Vec<usize>), Vec<Mistake>> {
        let found = all_of(texts.into_iter().flatten().map(|text| resolve(self.file, text, self.references)))?;
        let mut fillers: Vec<Entrant> = found.into_iter().flatten().map(|found| found.entrant).collect();
        if texts.is_none() && needed {
            let EntrantReferences { ids, kit, .. } = self.references;
            let default = kit.facts().fillers.iter().filter(|name| ids.contains(name));
            fillers.extend(default.map(|name| reference(name)));
        }
        let first = self.list.len();
        self.list.extend(fillers);
        let places = (first..self.list.len()).collect();
        Ok((self.list, places))
    }

    /// Adds a seed program unless an earlier stage has it too. Returns its place.
    fn add(&mut self, program: Entrant) -> usize {
        let known =
            self.list.iter().position(|known| (&known.source, &known.name) == (&program.source, &program.name));
        known.unwrap_or_else(|| {
            self.list.push(program);
            self.list.len() - 1
        })
    }
}

/// The entry of the reference bot `name`, without the `@`.
pub(super) fn reference(name: &str) -> Entrant {
    Entrant::new(EntrySource::Reference(name.to_string()), format!("@{name}"))
}

/// An entry that an item of the file stands for.
struct FoundEntry {
    /// Whether the item names it by its path, and not by a pattern.
    is_exact: bool,
    entrant: Entrant,
}

/// The entries that one item of the file stands for.
fn resolve(
    file: SourceFile,
    text: &Spanned<EntrantText>,
    references: EntrantReferences,
) -> Result<Vec<FoundEntry>, Mistake> {
    let at = text.span().start;
    let line = file.line(at);
    let folder = folder_of(file.path);
    let EntrantKeys { path: spec, name, author, with } = text.get_ref().0.clone();
    let source = EntrySource::of_spec(&spec, references.engines, folder);
    let is_path = matches!(source, EntrySource::Path(_));
    let is_pattern = is_path && pattern::is_pattern(&spec);
    if !with.is_empty() && (is_pattern || !is_path) {
        let message = format!("`with` is allowed only for a single source file, which `{spec}` is not");
        return Err(file.mistake(at, message));
    }
    match &source {
        EntrySource::Reference(id) if !references.ids.contains(&id.as_str()) => {
            let hint = nearest_reference(id, references.ids);
            return Err(file.mistake(at, format!("no such reference bot: {spec}{hint}")));
        }
        EntrySource::Path(_) if is_pattern => {
            if name.is_some() {
                let message =
                    format!("the pattern `{spec}` can match several bots, which cannot all have one `name`");
                return Err(file.mistake(at, message));
            }
            let found = bot::matching(folder, &spec);
            if found.is_empty() {
                return Err(file.mistake(at, format!("no bot matches `{}`", folder.join(&spec).display())));
            }
            let entry = |(spec, path)| {
                let entrant = Entrant::new(EntrySource::Path(path), spec);
                FoundEntry { is_exact: false, entrant: Entrant { author: author.clone(), line, ..entrant } }
            };
            return Ok(found.into_iter().map(entry).collect());
        }
        EntrySource::Path(path) if !path.exists() => {
            let hint = Some(nearest_reference(&spec, references.ids)).filter(|hint| !hint.is_empty());
            let hint = hint.unwrap_or_else(|| did_you_mean_bot(folder, &spec));
            return Err(file.mistake(at, format!("no such bot: {}{hint}", path.display())));
        }
        EntrySource::Path(path) => {
            let wrong = |wrong| file.mistake(at, format!("`{spec}`: {wrong}"));
            entry_files::resolve_with(path, &with).map_err(wrong)?;
        }
        EntrySource::Reference(_) | EntrySource::Engine(..) => {}
    }
    let entrant = Entrant { name, author, with, line, ..Entrant::new(source, spec) };
    Ok(vec![FoundEntry { is_exact: true, entrant }])
}

/// ` (did you mean `@…`?)`, or empty if no reference bot has a similar name.
fn nearest_reference(wanted: &str, references: &[&str]) -> String {
    let hint = did_you_mean(wanted.trim_start_matches('@'), references.iter().copied());
    hint.replacen('`', "`@", 1)
}
