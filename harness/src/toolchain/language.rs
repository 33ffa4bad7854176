//! Languages as data (R2): which tools turn a source file of which extension into what is run.
//!
//! The built-in list is `harness/languages.toml`; a user's file of the same form takes the place of it for the
//! extensions that it names. `docs/languages.md` describes the form.

use super::search;
use crate::nearest::did_you_mean;
use crate::pattern;
use crate::sandbox::Limits;
use crate::toml_file::{Mistake, Source, Within};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::Duration;
use toml::Spanned;

/// Every language that is known.
#[derive(Clone, Debug)]
pub struct Languages {
    all: Vec<Language>,
    tools: BTreeMap<String, Tool>,
}

/// A language in which a single source file is an entry.
#[derive(Clone, Debug)]
pub struct Language {
    /// Its name for people.
    pub name: String,
    /// Endings of its files' names, without the dot.
    pub extensions: Vec<String>,
    /// Ways to run it, the best first.
    pub toolchains: Vec<Toolchain>,
}

/// One way to run programs of a language.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Toolchain {
    /// Debian's packages that have it.
    pub packages: Vec<String>,
    /// The command that makes a program of a source, where one is needed.
    #[serde(default)]
    pub(super) build: Option<Spanned<Vec<String>>>,
    /// The command that runs it.
    pub(super) run: Spanned<Vec<String>>,
    /// The command that tells the toolchain's version.
    #[serde(default)]
    pub(super) version: Option<Spanned<Vec<String>>>,
    /// Files and folders outside the system's own that its tools read.
    #[serde(default)]
    reads: Vec<String>,
    /// What the build may use.
    #[serde(default)]
    pub(super) build_limits: BuildLimits,
    /// What a run may use.
    #[serde(default)]
    pub(crate) run_limits: RunLimits,
}

/// What a build may use.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BuildLimits {
    seconds: Option<Within<1, 3600>>,
    memory_mib: Option<Within<16, 1_048_576>>,
    processes: Option<Within<1, 100_000>>,
    output_mib: Option<Within<1, 65_536>>,
}

/// What a bot in a language may use, where that is not the usual.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunLimits {
    start_ms: Option<Within<10, 3_600_000>>,
    memory_mib: Option<Within<16, 1_048_576>>,
    processes: Option<Within<1, 100_000>>,
    open_files: Option<Within<16, 65_536>>,
}

/// A tool that is not itself what is found by its name.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Tool {
    locate: Spanned<Vec<String>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Text {
    #[serde(default)]
    language: Vec<LanguageText>,
    #[serde(default)]
    tool: BTreeMap<String, Tool>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct LanguageText {
    name: String,
    extensions: Spanned<Vec<Spanned<String>>>,
    toolchain: Spanned<Vec<Toolchain>>,
}

/// Why a file of languages is of no use.
#[derive(Debug, thiserror::Error)]
pub enum LanguagesError {
    /// It cannot be read.
    #[error("cannot read the languages in {}: {source}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The system's answer.
        source: io::Error,
    },
    /// Something in it is wrong.
    #[error("{0}")]
    Wrong(Mistake),
}

/// What stands for something else in the words of a build.
const IN_BUILDS: [&str; 4] = ["folder", "program", "source", "stem"];

/// The same in the words that run a program.
const IN_RUNS: [&str; 5] = ["class", "folder", "program", "source", "stem"];

impl Languages {
    /// Those of `harness/languages.toml`.
    pub fn built_in() -> &'static Languages {
        static BUILT_IN: OnceLock<Languages> = OnceLock::new();
        BUILT_IN.get_or_init(|| {
            let source = Source { path: Path::new("languages.toml"), text: include_str!("../../languages.toml") };
            parse(source).unwrap_or_else(|mistake| panic!("the built-in languages: {mistake}"))
        })
    }

    /// The built-in languages under those of the file at `path`.
    ///
    /// # Errors
    /// `FILE:LINE: what is wrong`, with the nearest key that exists.
    pub fn with_file(path: &Path) -> Result<Languages, LanguagesError> {
        let text = fs::read_to_string(path)
            .map_err(|source| LanguagesError::Unreadable { path: path.to_path_buf(), source })?;
        let over = parse(Source { path, text: &text }).map_err(LanguagesError::Wrong)?;
        Ok(Languages::built_in().clone().under(over))
    }

    /// `self` with what `over` says instead: of the same extension, and of the same tool.
    fn under(mut self, over: Languages) -> Languages {
        for language in &mut self.all {
            language.extensions.retain(|extension| over.by_extension(extension).is_none());
        }
        self.all.retain(|language| !language.extensions.is_empty());
        self.all.extend(over.all);
        self.all.sort_by_key(|language| language.name.to_lowercase());
        self.tools.extend(over.tools);
        self
    }

    /// All of them, by name.
    pub fn all(&self) -> &[Language] {
        &self.all
    }

    /// The language of the source file at `path`, if it is one.
    pub fn of(&self, path: &Path) -> Option<&Language> {
        self.by_extension(path.extension()?.to_str()?)
    }

    fn by_extension(&self, extension: &str) -> Option<&Language> {
        self.all.iter().find(|language| language.extensions.iter().any(|one| one == extension))
    }

    /// The language of this name, in capitals or not.
    ///
    /// # Errors
    /// The words for one that does not exist, with the nearest that does.
    pub fn named(&self, name: &str) -> Result<&Language, String> {
        let found = self.all.iter().find(|language| language.name.eq_ignore_ascii_case(name));
        found.ok_or_else(|| {
            let hint = did_you_mean(name, self.all.iter().map(|language| language.name.as_str()));
            format!("there is no language `{name}`{hint}")
        })
    }

    /// The extensions of sources, for messages.
    pub fn extensions(&self) -> String {
        let each = self.all.iter().flat_map(|language| &language.extensions);
        each.map(|extension| format!(".{extension}")).collect::<Vec<_>>().join(", ")
    }

    /// The command that tells where the tool `name` itself is, where one is needed.
    pub(super) fn locating(&self, name: &str) -> Option<&[String]> {
        self.tools.get(name).map(|tool| tool.locate.get_ref().as_slice())
    }

    /// Tools that may be elsewhere than they are found by name.
    pub(super) fn movable(&self) -> impl Iterator<Item = &str> {
        self.tools.keys().map(String::as_str)
    }

    /// The toolchain that the command of these words begins with, if it is one of ours.
    pub fn toolchain_with(&self, tool: &str) -> Option<&Toolchain> {
        let toolchains = self.all.iter().flat_map(|language| &language.toolchains);
        let begins = |words: Option<&Spanned<Vec<String>>>| words.is_some_and(|words| words.get_ref()[0] == tool);
        toolchains.into_iter().find(|one| begins(one.build.as_ref()) || begins(Some(&one.run)))
    }
}

impl Language {
    /// The first toolchain whose tools are all on this machine.
    ///
    /// # Errors
    /// The first of all where none is there, and the tool that it lacks.
    pub fn choose(&self) -> Result<&Toolchain, (&Toolchain, String)> {
        match self.toolchains.iter().find(|toolchain| toolchain.lacks().is_none()) {
            Some(whole) => Ok(whole),
            None => {
                let first = &self.toolchains[0];
                Err((first, first.lacks().unwrap_or_default().to_string()))
            }
        }
    }
}

impl Toolchain {
    /// The first of its tools that is not on this machine.
    fn lacks(&self) -> Option<&str> {
        self.tools().find(|tool| !search::exists(tool))
    }

    /// What its tools read outside the system's own, as far as it is there.
    pub fn reads(&self) -> Vec<PathBuf> {
        let found = self.reads.iter().flat_map(|path| pattern::paths(Path::new("/"), path));
        found.map(|(_, path)| path).filter(|path| path.exists()).collect()
    }

    /// The programs of the machine that it needs: those that its commands begin with.
    pub fn tools(&self) -> impl Iterator<Item = &str> {
        let commands = self.build.iter().chain([&self.run]);
        commands.map(|words| words.get_ref()[0].as_str()).filter(|word| !word.starts_with('{'))
    }
}

impl BuildLimits {
    /// As the sandbox takes them: two minutes, 4 GiB, 512 processes, and 512 MiB of what is written, unless said
    /// otherwise.
    pub fn limits(&self) -> Limits {
        let time = Duration::from_secs(self.seconds.map_or(120, |set| set.0));
        Limits {
            soft: time,
            hard: time,
            memory: self.memory_mib.map_or(4 << 10, |set| set.0) << 20,
            processes: self.processes.map_or(512, |set| set.0),
            file: self.output_mib.map_or(512, |set| set.0) << 20,
            output: 16 << 20,
            open_files: 4096,
            ..Limits::default()
        }
    }
}

impl RunLimits {
    /// `usual` with what is set here instead.
    pub fn applied_to(&self, usual: Limits) -> Limits {
        Limits {
            start: self.start_ms.map_or(usual.start, |set| Duration::from_millis(set.0)),
            memory: self.memory_mib.map_or(usual.memory, |set| set.0 << 20),
            processes: self.processes.map_or(usual.processes, |set| set.0),
            open_files: self.open_files.map_or(usual.open_files, |set| set.0),
            ..usual
        }
    }
}

fn parse(source: Source) -> Result<Languages, Mistake> {
    let text: Text = source.read()?;
    let mut all: Vec<Language> = Vec::new();
    for language in text.language {
        let extensions = extensions(source, language.extensions, &all)?;
        if language.toolchain.get_ref().is_empty() {
            return Err(source.mistake(language.toolchain.span().start, "a language needs a toolchain"));
        }
        let toolchains = language.toolchain.into_inner();
        toolchains.iter().try_for_each(|toolchain| check(source, toolchain))?;
        all.push(Language { name: language.name, extensions, toolchains });
    }
    for tool in text.tool.values() {
        check_words(source, &tool.locate, &[])?;
    }
    Ok(Languages { all, tools: text.tool })
}

/// The extensions of a language, none of which one of `others` has.
fn extensions(
    source: Source,
    said: Spanned<Vec<Spanned<String>>>,
    others: &[Language],
) -> Result<Vec<String>, Mistake> {
    if said.get_ref().is_empty() {
        return Err(source.mistake(said.span().start, "a language needs an extension, such as \"py\""));
    }
    let mut extensions: Vec<String> = Vec::new();
    for extension in said.into_inner() {
        let at = extension.span().start;
        let extension = extension.into_inner();
        if extension.is_empty() || extension.contains(['.', '/']) {
            let words = format!("an extension is written without its dot, such as \"py\", not {extension:?}");
            return Err(source.mistake(at, words));
        }
        let other = others.iter().find(|language| language.extensions.contains(&extension));
        if other.is_some() || extensions.contains(&extension) {
            let whose = other.map_or("this language".to_string(), |language| language.name.clone());
            return Err(source.mistake(at, format!(".{extension} is an extension of {whose} already")));
        }
        extensions.push(extension);
    }
    Ok(extensions)
}

fn check(source: Source, toolchain: &Toolchain) -> Result<(), Mistake> {
    toolchain.build.iter().try_for_each(|words| check_words(source, words, &IN_BUILDS))?;
    check_words(source, &toolchain.run, &IN_RUNS)?;
    toolchain.version.iter().try_for_each(|words| check_words(source, words, &[]))?;
    let run = toolchain.run.get_ref().iter();
    if toolchain.build.is_none() && !run.clone().any(|word| word.contains("{source}")) {
        let words = "without a `build`, `run` has to name the `{source}`";
        return Err(source.mistake(toolchain.run.span().start, words));
    }
    Ok(())
}

/// A command begins with a program, and what stands in braces is one of `known`; where none is, braces are braces.
fn check_words(source: Source, words: &Spanned<Vec<String>>, known: &[&str]) -> Result<(), Mistake> {
    let at = words.span().start;
    if words.get_ref().first().is_none_or(String::is_empty) {
        return Err(source.mistake(at, "a command is a list of words, the first a program"));
    }
    if known.is_empty() {
        return Ok(());
    }
    let braced = words.get_ref().iter().flat_map(|word| word.split('{').skip(1));
    for name in braced.map(|rest| rest.split('}').next().unwrap_or_default()) {
        if !known.contains(&name) {
            let hint = did_you_mean(name, known.iter().copied());
            let all: Vec<String> = known.iter().map(|name| format!("`{{{name}}}`")).collect();
            let all = all.join(", ");
            return Err(source.mistake(at, format!("`{{{name}}}` stands for nothing here; {all} do{hint}")));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
