//! From sources to programs: which commands build and run what, and what is known of the result (R1, R2, B13).

mod build;
pub mod cache;
pub mod hash;
pub mod language;
mod parts;
mod request;
pub mod search;
pub mod tool;

pub use build::Built;
pub(crate) use parts::{installation_of, remove_nested};
pub use request::{BuildError, BuildOptions, Entry};

use crate::sandbox::Limits;
use build::Build;
use language::{Language, Languages, Toolchain};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// What `{program}` stands for in the folder of a build: a name that no file of an author's is likely to have.
const PROGRAM: &str = "bot.program";

/// A source that can be run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Runnable {
    /// The command.
    pub argv: Vec<OsString>,
    /// What was built, where something had to be.
    pub built: Option<Built>,
    /// Where its interpreter is installed, and what its toolchain reads besides.
    pub reads: Vec<PathBuf>,
    /// What the toolchain says of its version.
    pub version: Option<String>,
    /// What a run may use in its language.
    pub limits: Limits,
}

/// Makes the source file `source`, written in `language`, runnable: that is the `entry` itself, or lies in it. `usual`
/// is what a run may use in most languages.
///
/// # Errors
/// When a tool is missing or the compiler refuses.
pub fn of_source(
    entry: Entry,
    source: &Path,
    language: &Language,
    options: BuildOptions,
    usual: Limits,
) -> Result<Runnable, BuildError> {
    let lacking = |toolchain: &Toolchain, tool: &str| BuildError::NoTool {
        tool: tool.to_string(),
        wanted_for: format!("{} ({})", source.display(), language.name),
        package: toolchain.packages.join(" "),
    };
    let toolchain = language.choose().map_err(|(toolchain, tool)| lacking(toolchain, &tool))?;
    let find = |tool: &str| tool::find(tool, options.languages).ok_or_else(|| lacking(toolchain, tool));
    let version = tool::version(toolchain, options.languages);
    let below = source.strip_prefix(entry.from).ok().filter(|below| !below.as_os_str().is_empty());
    let below = below.or(source.file_name().map(Path::new)).unwrap_or(source);
    let built = match &toolchain.build {
        None => None,
        Some(words) => {
            let words = in_build(words.get_ref(), below);
            let build = Build {
                entry,
                tool: find(&words[0])?,
                words: &words,
                version: version.as_deref(),
                others: Vec::new(),
                reads: toolchain.reads(),
                limits: toolchain.build_limits.limits(),
                at_least: options.at_least,
            };
            Some(build.get()?)
        }
    };
    let source = built.as_ref().map_or(source.to_path_buf(), |built| built.folder.join(below));
    let mut reads = toolchain.reads();
    let mut argv: Vec<OsString> = Vec::new();
    for word in toolchain.run.get_ref() {
        argv.push(match word.as_str() {
            tool if argv.is_empty() && !tool.starts_with('{') => {
                let tool = find(tool)?;
                reads.extend(installation_of(&tool));
                tool.into()
            }
            // As it is, be its name UTF-8 or not.
            "{source}" => source.clone().into(),
            word => in_run(word, &source).into(),
        });
    }
    Ok(Runnable { argv, built, reads, version, limits: toolchain.run_limits.applied_to(usual) })
}

/// Builds the folder `entry` by the command `words`, which its author wrote; `tool` is the program that they begin
/// with. The folder itself is not written to.
///
/// # Errors
/// When the build fails.
pub fn of_folder(entry: Entry, tool: &Path, words: &[String], options: BuildOptions) -> Result<Built, BuildError> {
    let languages = options.languages;
    let version = version_of(words, languages);
    let elsewhere = languages.movable().filter(|tool| !search::is_on_path_of_bots(tool));
    let build = Build {
        entry,
        tool: tool.to_path_buf(),
        words,
        version: version.as_deref(),
        others: elsewhere.filter_map(|tool| tool::find(tool, languages)).collect(),
        limits: language::BuildLimits::default().limits(),
        // A script or a `make` may start the tools of any language.
        reads: languages
            .all()
            .iter()
            .flat_map(|language| &language.toolchains)
            .flat_map(Toolchain::reads)
            .collect(),
        at_least: options.at_least,
    };
    build.get()
}

/// What the tool that a command begins with says of its version, if it is one of our languages'.
pub fn version_of(words: &[String], languages: &Languages) -> Option<String> {
    tool::version(languages.toolchain_with(words.first()?)?, languages)
}

/// The words of a build that runs in its folder, of the source at `below` in it. Paths are relative, so that what
/// compilers write into programs does not depend on where they were built.
fn in_build(words: &[String], below: &Path) -> Vec<String> {
    let source = match below.to_string_lossy() {
        option if option.starts_with('-') => format!("./{option}"),
        name => name.into_owned(),
    };
    let folder = below.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    words.iter().map(|word| filled(word, &source, folder, below, "")).collect()
}

/// A word of a command that runs the source or what was built of it.
fn in_run(word: &str, source: &Path) -> String {
    let folder = source.parent().unwrap_or(Path::new("/"));
    // The class with the entry point is the document's `Main` where there is one, whatever the file's name.
    let has_main = folder.join("Main.class").is_file();
    let stem = source.file_stem().unwrap_or_default().to_string_lossy();
    let class = if has_main { "Main" } else { &stem };
    filled(word, &source.to_string_lossy(), folder, source, class)
}

fn filled(word: &str, source: &str, folder: &Path, file: &Path, class: &str) -> String {
    let program = folder.join(PROGRAM);
    let program = program.strip_prefix(".").unwrap_or(&program);
    let mut filled = word.to_string();
    for (name, value) in [
        ("{source}", source),
        ("{program}", &program.to_string_lossy()),
        ("{folder}", &folder.to_string_lossy()),
        ("{stem}", &file.file_stem().unwrap_or_default().to_string_lossy()),
        ("{class}", class),
    ] {
        filled = filled.replace(name, value);
    }
    filled
}

#[cfg(test)]
mod tests;
