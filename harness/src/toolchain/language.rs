//! Languages as data (R2): which tools build and run a source file, by its extension.
//!
//! The built-in list is `harness/languages.toml`. A user's file of the same format replaces it for the extensions that
//! it lists. `docs/languages.md` describes the format.

use super::tool;
use crate::nearest::did_you_mean;
use crate::pattern;
use crate::sandbox::Limits;
use crate::text::Reason;
use crate::toml_file::{FileError, Mistake, SourceFile, Within};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::Duration;
use toml::Spanned;

/// The languages in which a single source file can be a bot.
#[derive(Clone, Debug)]
pub struct Languages {
    all: Vec<Language>,
    tools: BTreeMap<String, WrappedTool>,
}

/// A language in which a single source file is an entry.
#[derive(Clone, Debug)]
pub struct Language {
    /// Its name, for people and for `language` in a `bot.toml`.
    pub name: String,
    /// The extensions of its source files, without the dot.
    pub extensions: Vec<String>,
    /// The ways to run it, the best first. There is at least one.
    pub toolchains: Vec<Toolchain>,
}

/// One way to run programs of a language.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Toolchain {
    /// The Debian packages that contain it.
    pub packages: Vec<String>,
    /// The command that builds a source; `None` if the source itself is run.
    #[serde(default)]
    pub(super) build: Option<Spanned<Vec<String>>>,
    /// The command that runs it.
    pub(super) run: Spanned<Vec<String>>,
    /// The command that prints the toolchain's version.
    #[serde(default)]
    pub(super) version: Option<Spanned<Vec<String>>>,
    /// The files and folders outside the system's folders that its tools read, as glob patterns.
    #[serde(default)]
    reads: Vec<String>,
    /// The limits of a build.
    #[serde(default)]
    pub(super) build_limits: BuildLimits,
    /// The limits of a run.
    #[serde(default)]
    pub(crate) run_limits: RunLimits,
}

/// The limits of a build, where they differ from the defaults.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BuildLimits {
    seconds: Option<Within<1, 3600>>,
    memory_mib: Option<Within<16, 1_048_576>>,
    processes: Option<Within<1, 100_000>>,
    output_mib: Option<Within<1, 65_536>>,
}

/// The limits of a run in a language, where they differ from the usual ones.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunLimits {
    start_ms: Option<Within<10, 3_600_000>>,
    memory_mib: Option<Within<16, 1_048_576>>,
    processes: Option<Within<1, 100_000>>,
    open_files: Option<Within<16, 65_536>>,
}

/// A tool whose name leads only to a wrapper, and the command that prints where the tool itself is: its path, or the
/// folder of its installation.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct WrappedTool {
    locate: Spanned<Vec<String>>,
}

/// The keys of a file of languages, before they are checked.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawLanguages {
    #[serde(default)]
    language: Vec<RawLanguage>,
    #[serde(default)]
    tool: BTreeMap<String, WrappedTool>,
}

/// The keys of a `[[language]]`, before they are checked.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawLanguage {
    name: String,
    extensions: Spanned<Vec<Spanned<String>>>,
    toolchain: Spanned<Vec<Toolchain>>,
}

/// The placeholders in a `build` command.
const BUILD_PLACEHOLDERS: [&str; 4] = ["folder", "program", "source", "stem"];

/// The placeholders in a `run` command.
const RUN_PLACEHOLDERS: [&str; 5] = ["class", "folder", "program", "source", "stem"];

impl Languages {
    /// The built-in languages, from `harness/languages.toml`.
    pub fn built_in() -> &'static Languages {
        static BUILT_IN: OnceLock<Languages> = OnceLock::new();
        BUILT_IN.get_or_init(|| {
            let source =
                SourceFile { path: Path::new("languages.toml"), text: include_str!("../../languages.toml") };
            parse(source).unwrap_or_else(|mistake| panic!("the built-in languages: {mistake}"))
        })
    }

    /// The built-in languages, overridden by those of the file at `path`.
    ///
    /// # Errors
    /// When the file cannot be read; or its first mistake, for an unknown key with the most similar one that exists.
    pub fn with_file(path: &Path) -> Result<Languages, FileError> {
        let unreadable = |source| FileError::Unreadable { what: "languages in", path: path.to_path_buf(), source };
        let text = fs::read_to_string(path).map_err(unreadable)?;
        let over = parse(SourceFile { path, text: &text })?;
        Ok(Languages::built_in().clone().overridden_by(over))
    }

    /// `self` with the languages and tools of `over`. Those languages take their extensions from the languages of
    /// `self`, which keep their others; those tools replace the ones of the same name.
    fn overridden_by(mut self, over: Languages) -> Languages {
        for language in &mut self.all {
            language.extensions.retain(|extension| over.by_extension(extension).is_none());
        }
        self.all.retain(|language| !language.extensions.is_empty());
        self.all.extend(over.all);
        self.all.sort_by_key(|language| language.name.to_lowercase());
        self.tools.extend(over.tools);
        self
    }

    /// All languages, sorted by name.
    pub fn all(&self) -> &[Language] {
        &self.all
    }

    /// The language of the file at `path`, by its extension.
    pub fn for_file(&self, path: &Path) -> Option<&Language> {
        self.by_extension(path.extension()?.to_str()?)
    }

    fn by_extension(&self, extension: &str) -> Option<&Language> {
        self.all.iter().find(|language| language.extensions.iter().any(|one| one == extension))
    }

    /// The language called `name`, or with that extension; upper and lower case are the same.
    ///
    /// # Errors
    /// When there is none; the message suggests the most similar name.
    pub fn named(&self, name: &str) -> Result<&Language, Reason> {
        let found = self.all.iter().find(|language| language.name.eq_ignore_ascii_case(name));
        found.or_else(|| self.by_extension(&name.to_lowercase())).ok_or_else(|| {
            let hint = did_you_mean(name, self.all.iter().map(|language| language.name.as_str()));
            Reason(format!("there is no language `{name}`{hint}"))
        })
    }

    /// The extensions of all languages as a list for messages: `.py, .c`.
    pub fn extensions(&self) -> String {
        let each = self.all.iter().flat_map(|language| &language.extensions);
        each.map(|extension| format!(".{extension}")).collect::<Vec<_>>().join(", ")
    }

    /// The command that prints where the tool `name` itself is, if its name leads only to a wrapper.
    pub(super) fn locate_command(&self, name: &str) -> Option<&[String]> {
        self.tools.get(name).map(|tool| tool.locate.get_ref().as_slice())
    }

    /// The names of the tools that have to be located by such a command.
    pub(super) fn tools_to_locate(&self) -> impl Iterator<Item = &str> {
        self.tools.keys().map(String::as_str)
    }

    /// The first toolchain whose `build` or `run` command begins with `tool`.
    pub fn toolchain_with(&self, tool: &str) -> Option<&Toolchain> {
        let toolchains = self.all.iter().flat_map(|language| &language.toolchains);
        let begins =
            |command: Option<&Spanned<Vec<String>>>| command.is_some_and(|words| words.get_ref()[0] == tool);
        toolchains.into_iter().find(|one| begins(one.build.as_ref()) || begins(Some(&one.run)))
    }
}

impl Language {
    /// The first toolchain whose tools are all on this machine.
    ///
    /// # Errors
    /// When no toolchain is complete: the first one, and the name of its first missing tool.
    pub fn choose(&self) -> Result<&Toolchain, (&Toolchain, String)> {
        match self.toolchains.iter().find(|toolchain| toolchain.missing_tool().is_none()) {
            Some(whole) => Ok(whole),
            None => {
                let first = &self.toolchains[0];
                Err((first, first.missing_tool().unwrap_or_default().to_string()))
            }
        }
    }
}

impl Toolchain {
    /// The name of the first of its tools that is not on this machine.
    fn missing_tool(&self) -> Option<&str> {
        self.tools().find(|tool| !tool::exists(tool))
    }

    /// The existing files and folders outside the system's folders that its tools read.
    pub fn reads(&self) -> Vec<PathBuf> {
        let found = self.reads.iter().flat_map(|path| pattern::paths(Path::new("/"), path));
        found.map(|(_, path)| path).filter(|path| path.exists()).collect()
    }

    /// The names of the programs that it needs: those that `build` and `run` begin with.
    pub fn tools(&self) -> impl Iterator<Item = &str> {
        let commands = self.build.iter().chain([&self.run]);
        commands.map(|words| words.get_ref()[0].as_str()).filter(|word| !word.starts_with('{'))
    }
}

impl BuildLimits {
    /// The limits for the sandbox. The defaults are two minutes, 4 GiB of memory, 512 processes and 512 MiB of files.
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
    /// `usual`, with the limits that are set here in their place.
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

/// Parses a file of languages.
fn parse(source: SourceFile) -> Result<Languages, Mistake> {
    let text: RawLanguages = source.read()?;
    let mut all: Vec<Language> = Vec::new();
    for language in text.language {
        let extensions = extensions(source, language.extensions, &all)?;
        if language.toolchain.get_ref().is_empty() {
            return Err(source.mistake(language.toolchain.span().start, "a language needs a toolchain"));
        }
        let toolchains = language.toolchain.into_inner();
        toolchains.iter().try_for_each(|toolchain| check_toolchain(source, toolchain))?;
        all.push(Language { name: language.name, extensions, toolchains });
    }
    for tool in text.tool.values() {
        check_command(source, &tool.locate, &[])?;
    }
    Ok(Languages { all, tools: text.tool })
}

/// Checks the extensions of a language, none of which may belong to one of `others`.
fn extensions(
    source: SourceFile,
    listed: Spanned<Vec<Spanned<String>>>,
    others: &[Language],
) -> Result<Vec<String>, Mistake> {
    if listed.get_ref().is_empty() {
        return Err(source.mistake(listed.span().start, "a language needs an extension, such as \"py\""));
    }
    let mut extensions: Vec<String> = Vec::new();
    for extension in listed.into_inner() {
        let at = extension.span().start;
        let extension = extension.into_inner();
        if extension.is_empty() || extension.contains(['.', '/']) {
            let message = format!("an extension is written without its dot, such as \"py\", not {extension:?}");
            return Err(source.mistake(at, message));
        }
        let other = others.iter().find(|language| language.extensions.contains(&extension));
        if other.is_some() || extensions.contains(&extension) {
            let whose = other.map_or("this language".to_string(), |language| language.name.clone());
            return Err(source.mistake(at, format!(".{extension} is already an extension of {whose}")));
        }
        extensions.push(extension);
    }
    Ok(extensions)
}

fn check_toolchain(source: SourceFile, toolchain: &Toolchain) -> Result<(), Mistake> {
    toolchain.build.iter().try_for_each(|command| check_command(source, command, &BUILD_PLACEHOLDERS))?;
    check_command(source, &toolchain.run, &RUN_PLACEHOLDERS)?;
    toolchain.version.iter().try_for_each(|command| check_command(source, command, &[]))?;
    let run = toolchain.run.get_ref().iter();
    if toolchain.build.is_none() && !run.clone().any(|word| word.contains("{source}")) {
        let message = "without a `build`, `run` must contain `{source}`";
        return Err(source.mistake(toolchain.run.span().start, message));
    }
    Ok(())
}

/// Checks that a command begins with a program, and that every placeholder in braces is one of `known`. If `known` is
/// empty, braces have no meaning.
fn check_command(source: SourceFile, command: &Spanned<Vec<String>>, known: &[&str]) -> Result<(), Mistake> {
    let at = command.span().start;
    if command.get_ref().first().is_none_or(String::is_empty) {
        return Err(source.mistake(at, "a command is a list of words that begins with a program"));
    }
    if known.is_empty() {
        return Ok(());
    }
    let braced = command.get_ref().iter().flat_map(|word| word.split('{').skip(1));
    for name in braced.map(|rest| rest.split('}').next().unwrap_or_default()) {
        if !known.contains(&name) {
            let hint = did_you_mean(name, known.iter().copied());
            let all: Vec<String> = known.iter().map(|name| format!("`{{{name}}}`")).collect();
            let all = all.join(", ");
            return Err(
                source.mistake(at, format!("unknown placeholder `{{{name}}}`, expected one of {all}{hint}"))
            );
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The extensions that the published rules list, and Rust's (R2).
    const EXTENSIONS: &str = "adb awk bf c cc clj cpp cs cxx d f90 f95 fs go hs java js lhs lisp ml php pl pro py rb rs scala scm \
                       sh tclsh";

    #[test]
    fn every_extension_of_the_published_rules_is_supported() {
        let mut there: Vec<&str> =
            Languages::built_in().all().iter().flat_map(|it| it.extensions.iter().map(String::as_str)).collect();
        there.sort_unstable();
        assert_eq!(there.join(" "), EXTENSIONS);
    }

    #[test]
    fn the_built_in_languages_are_sorted_by_name() {
        let names: Vec<String> = Languages::built_in().all().iter().map(|it| it.name.to_lowercase()).collect();
        let mut sorted = names.clone();
        sorted.sort();
        assert_eq!(names, sorted);
    }

    /// The text of a file with one language, whose keys after the name are `rest`.
    fn language(rest: &str) -> String {
        format!("[[language]]\nname = \"X\"\n{rest}\n")
    }

    #[track_caller]
    fn check(rest: &str, wanted: &str) {
        let text = language(rest);
        let mistake = parse(SourceFile { path: Path::new("l.toml"), text: &text }).unwrap_err();
        assert_eq!(mistake.to_string(), wanted);
    }

    #[test]
    fn mistakes_name_the_line_and_the_most_similar_word() {
        let fine = "extensions = [\"x\"]\n[[language.toolchain]]\npackages = []\n";
        check(&format!("{fine}run = [\"x\"]"), "l.toml:6: without a `build`, `run` must contain `{source}`");
        check(&format!("{fine}run = []"), "l.toml:6: a command is a list of words that begins with a program");
        check(
            &format!("{fine}run = [\"x\", \"{{sorce}}\"]"),
            "l.toml:6: unknown placeholder `{sorce}`, expected one of `{class}`, `{folder}`, `{program}`, `{source}`, \
             `{stem}` (did you mean `source`?)",
        );
        check(
            &format!("{fine}build = [\"x\", \"{{class}}\"]\nrun = [\"x\"]"),
            "l.toml:6: unknown placeholder `{class}`, expected one of `{folder}`, `{program}`, `{source}`, `{stem}`",
        );
        check("extensions = []\ntoolchain = []", "l.toml:3: a language needs an extension, such as \"py\"");
        check("extensions = [\"x\"]\ntoolchain = []", "l.toml:4: a language needs a toolchain");
        check(
            "extensions = [\".x\"]\ntoolchain = []",
            "l.toml:3: an extension is written without its dot, such as \"py\", not \".x\"",
        );
        check(
            "extensions = [\"x\", \"x\"]\ntoolchain = []",
            "l.toml:3: .x is already an extension of this language",
        );
        check(
            "extension = [\"x\"]\ntoolchain = []",
            "l.toml:3: unknown field `extension`, expected one of `name`, `extensions`, `toolchain` (did you mean \
             `extensions`?)",
        );
        check(
            &format!("{fine}run = [\"x\", \"{{source}}\"]\nrun_limits = {{ start_ms = 1 }}"),
            "l.toml:7: start_ms: 1 is out of range: 10 to 3600000",
        );
    }

    #[test]
    fn a_users_language_replaces_the_built_in_ones_for_its_extensions() {
        let text = "[[language]]\nname = \"My C++\"\nextensions = [\"cc\", \"new\"]\n[[language.toolchain]]\npackages = []\n\
                    run = [\"x\", \"{source}\"]\n";
        let over = parse(SourceFile { path: Path::new("l.toml"), text }).unwrap();
        let merged = Languages::built_in().clone().overridden_by(over);
        let name = |file: &str| merged.for_file(Path::new(file)).map(|language| language.name.as_str());
        assert_eq!(
            ["a.cc", "a.new", "a.cpp", "a.py", "a.old"].map(name),
            [Some("My C++"), Some("My C++"), Some("C++"), Some("Python"), None]
        );
        assert_eq!(merged.named("my c++").unwrap().extensions, ["cc", "new"]);
        assert_eq!(
            merged.named("Pyton").unwrap_err().to_string(),
            "there is no language `Pyton` (did you mean `Python`?)"
        );
    }
}
