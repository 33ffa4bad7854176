//! Ruleset files with a table `[judge]`. When one is read, the judge's files become part of the text of the ruleset. So
//! records, workers on other machines and changed rulesets contain the judge itself, and a ruleset with another judge
//! is another ruleset.

use super::JudgedRules;
use super::failure::throw;
use super::hello::{JudgeHello, RuleKind};
use super::program::LoadError;
use super::program::{Judge, JudgeFile, Recipe};
use crate::kit::{KeyError, LimitsTable, Mistake, RulesetKey, SourceFile, WallLimits, Within};
use crate::nearest::did_you_mean;
use crate::ruleset::Ruleset;
use crate::sandbox::Limits;
use crate::text::Reason;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use toml::Spanned;

/// The most bytes of a bot's answer: a line, or all output of a process.
const MAX_LINE_ANSWER: usize = 64 << 10;
const MAX_FILTER_ANSWER: usize = 1 << 20;

/// A ruleset file of a judged game. The comments on the fields say what its keys mean: pages and messages show them.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct JudgedRulesetFile {
    /// Its name in contest files, in records and on the command line.
    id: String,
    /// Its name on pages.
    title: String,
    /// Its version: a change of what any key says is a new one.
    version: Within<1, 9999>,
    /// The date of this version.
    #[schemars(with = "String", extend("format" = "date"))]
    date: toml::value::Date,
    /// Whether bots may think while it is not their turn.
    #[serde(default)]
    pondering: bool,
    /// What the judge declares.
    #[serde(default)]
    #[schemars(skip)]
    rules: BTreeMap<String, Spanned<toml::Value>>,
    limits: WallLimits,
    #[schemars(with = "JudgeTable")]
    judge: Spanned<JudgeTable>,
}

/// The table `[judge]`.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct JudgeTable {
    /// The judge's source file, or its program.
    #[schemars(with = "Option<String>")]
    source: Option<Spanned<String>>,
    /// The command that builds it, as a list of words.
    build: Option<Vec<String>>,
    /// The command that runs it, as a list of words.
    #[schemars(with = "Option<Vec<String>>")]
    run: Option<Spanned<Vec<String>>>,
    /// Files that it needs besides.
    #[serde(default)]
    with: Vec<String>,
    /// Milliseconds that an answer may take.
    #[serde(default = "usual_answer")]
    answer_ms: Within<1, 3_600_000>,
    /// Memory of the judge, in MiB.
    #[serde(default = "usual_memory")]
    memory_mib: Within<16, { 1 << 20 }>,
    /// The number of seats, or the fewest and the most, if not those of the judge.
    #[schemars(with = "Option<SeatsKey>")]
    seats: Option<Spanned<SeatsKey>>,
    /// Written by this program: the files.
    #[serde(default)]
    #[schemars(skip)]
    file: Vec<JudgeFile>,
    /// Written by this program: what was made of them.
    #[schemars(skip)]
    made: Option<Made>,
}

/// What was made of a judge's files.
#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct Made {
    /// The answer to `hello`.
    hello: String,
    /// The SHA-256 of the program.
    #[serde(skip_serializing_if = "Option::is_none")]
    program_sha256: Option<String>,
    /// The version line of the compiler or interpreter.
    #[serde(skip_serializing_if = "Option::is_none")]
    toolchain: Option<String>,
}

/// A number of seats, or a range.
#[derive(Clone, Copy, Deserialize, JsonSchema)]
#[serde(untagged, expecting = "seats: expected a number from 1 to 8, or the fewest and the most, such as [2, 4]")]
enum SeatsKey {
    One(Within<1, 8>),
    Range([Within<1, 8>; 2]),
}

fn usual_answer() -> Within<1, 3_600_000> {
    Within(2000)
}

fn usual_memory() -> Within<16, { 1 << 20 }> {
    Within(1024)
}

/// Whether `source` is a ruleset of a judged game: it has a table `[judge]`, and no `game`.
pub(crate) fn is_judged(source: SourceFile) -> bool {
    #[derive(Deserialize)]
    struct OnlyJudge {
        judge: Option<toml::Value>,
        game: Option<toml::Value>,
    }
    toml::from_str(source.text).is_ok_and(|OnlyJudge { judge, game }| judge.is_some() && game.is_none())
}

/// Why a ruleset of a judge cannot be read.
#[derive(Debug)]
pub enum ReadError {
    /// The file has a mistake.
    Mistake(Mistake),
    /// The judge cannot be asked: why, and the same as a mistake in the line that names it.
    Judge(Box<LoadError>, Mistake),
}

impl From<Mistake> for ReadError {
    fn from(mistake: Mistake) -> ReadError {
        ReadError::Mistake(mistake)
    }
}

/// Reads the ruleset file `source` of a judged game, whose judge is in the folder of its path unless the text has it.
///
/// # Errors
/// The mistake, with its line; also when the judge cannot be built, or does not say what its game is. A failure of its
/// sandbox unwinds the stack ([`throw`]).
pub(crate) fn read(source: SourceFile) -> Result<Ruleset, Mistake> {
    read_judged(source).map_err(|error| match error {
        ReadError::Mistake(mistake) => mistake,
        // The machine is at fault, and not the file.
        ReadError::Judge(error, mistake) => match *error {
            LoadError::Failure(failure) => throw(failure),
            _ => mistake,
        },
    })
}

/// Like [`read`], but a judge that cannot be asked is an error of its own.
///
/// # Errors
/// A mistake in the file, or why there is no judge.
pub fn read_judged(source: SourceFile) -> Result<Ruleset, ReadError> {
    let file: JudgedRulesetFile = source.read()?;
    let at = file.judge.span().start;
    let table = file.judge.into_inner();
    let recipe = recipe(&table, source, at)?;
    let of_text = !table.file.is_empty();
    let folder = source.path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let files =
        if of_text { table.file } else { recipe.read_files(folder).map_err(|why| source.mistake(at, why.0))? };
    let judge = recipe.load(&files, of_text).map_err(|error| {
        let mistake = source.mistake(at, error.to_string());
        ReadError::Judge(Box::new(error), mistake)
    })?;
    let hello = &judge.hello;
    if table.made.as_ref().is_some_and(|made| made.hello != judge.hello_line) {
        let why = "the judge does not answer `hello` as it did when these rules were written";
        return Err(source.mistake(at, why).into());
    }
    let wrong = |KeyError { at, message }| source.mistake(at, message);
    let seats = seats(table.seats, hello).map_err(wrong)?;
    let rules = rules(&file.rules, hello, source)?;
    let (limits, clock) = file.limits.read().map_err(wrong)?;
    let limits = Limits { output: if hello.filter { MAX_FILTER_ANSWER } else { MAX_LINE_ANSWER }, ..limits };
    let text = if of_text { source.text.to_string() } else { complete(source.text, &files, judge) };
    let folder = (!of_text).then(|| folder.to_path_buf());
    Ok(Ruleset {
        id: file.id,
        title: file.title,
        version: file.version.0,
        date: file.date.to_string(),
        seats,
        marks: hello.marks[..usize::from(seats.1)].to_vec(),
        limits,
        clock,
        pondering: file.pondering,
        text,
        rules: Arc::new(JudgedRules { judge, rules, seats, folder }),
    })
}

/// The ruleset file of the game in `folder`: the only one with a table `[judge]`; or `folder` itself, if it is a file.
///
/// # Errors
/// When there is none, or more than one.
pub fn ruleset_file(folder: &Path) -> Result<PathBuf, Reason> {
    if !folder.is_dir() {
        if folder.exists() {
            return Ok(folder.to_path_buf());
        }
        return Err(
            format!("no such folder: {}{}", folder.display(), crate::nearest::did_you_mean_file(folder)).into()
        );
    }
    let files = fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let has_judge = |path: &PathBuf| {
        path.extension().is_some_and(|end| end == "toml")
            && fs::read_to_string(path).is_ok_and(|text| is_judged(SourceFile { path, text: &text }))
    };
    let mut found: Vec<PathBuf> = files.flatten().map(|file| file.path()).filter(has_judge).collect();
    found.sort();
    match &found[..] {
        [one] => Ok(one.clone()),
        [] => Err(format!("{}: no file NAME.toml there has a table `[judge]`", folder.display()).into()),
        several => {
            let names: Vec<String> = several.iter().map(|path| path.display().to_string()).collect();
            Err(format!("{} has several rulesets with a judge; name one: {}", folder.display(), names.join(", "))
                .into())
        }
    }
}

/// How the judge of the `table`, which begins at byte `at`, is built and started.
fn recipe(table: &JudgeTable, source: SourceFile, at: usize) -> Result<Recipe, Mistake> {
    let wrong = match (&table.source, &table.build, &table.run) {
        (Some(named), None, None) if named.get_ref().is_empty() => Some((named.span().start, "`source` is empty")),
        (Some(_), None, None) => None,
        (None, _, Some(run)) if run.get_ref().is_empty() => Some((run.span().start, "`run` has no word")),
        (None, _, Some(_)) => None,
        (Some(_), _, _) => Some((at, "`[judge]` has either `source`, or `run` and perhaps `build`")),
        (None, _, None) => Some((at, "`[judge]` needs a `source`, such as `source = \"judge.py\"`, or `run`")),
    };
    if let Some((at, why)) = wrong {
        return Err(source.mistake(at, why));
    }
    Ok(Recipe {
        source: table.source.as_ref().map(|source| source.get_ref().clone()),
        build: table.build.clone(),
        run: table.run.as_ref().map(|run| run.get_ref().clone()),
        with: table.with.clone(),
        memory: table.memory_mib.0 << 20,
        answer: Duration::from_millis(table.answer_ms.0),
    })
}

/// The fewest and the most seats: those that are `given`, if the judge allows them, or else the judge's.
fn seats(given: Option<Spanned<SeatsKey>>, hello: &JudgeHello) -> Result<(u8, u8), KeyError> {
    let Some(given) = given else { return Ok(hello.seats) };
    let (least, most) = match *given.get_ref() {
        SeatsKey::One(Within(seats)) => (seats as u8, seats as u8),
        SeatsKey::Range([Within(least), Within(most)]) => (least as u8, most as u8),
    };
    if hello.seats.0 <= least && least <= most && most <= hello.seats.1 {
        return Ok((least, most));
    }
    let (least, most) = hello.seats;
    Err(KeyError { at: given.span().start, message: format!("seats: the judge allows {least} to {most}") })
}

/// The values of the rules as a JSON object, with the defaults filled in.
fn rules(
    given: &BTreeMap<String, Spanned<toml::Value>>,
    hello: &JudgeHello,
    source: SourceFile,
) -> Result<String, Mistake> {
    for (name, value) in given {
        if !hello.rules.iter().any(|rule| rule.name == *name) {
            let names: Vec<&str> = hello.rules.iter().map(|rule| rule.name.as_str()).collect();
            let hint = did_you_mean(name, names.iter().copied());
            let there = if names.is_empty() { "none".to_string() } else { names.join(", ") };
            let message = format!("the judge has no rule `{name}`{hint}; its rules are: {there}");
            return Err(source.mistake(value.span().start, message));
        }
    }
    let mut values = Map::new();
    for rule in &hello.rules {
        let value = match given.get(&rule.name) {
            None => rule.default.clone(),
            Some(given) => {
                let wrong = |why: Reason| source.mistake(given.span().start, format!("{}: {why}", rule.name));
                let value = json(given.get_ref(), rule.kind).map_err(wrong)?;
                rule.check(&value).map_err(wrong)?;
                value
            }
        };
        values.insert(rule.name.clone(), value);
    }
    Ok(Value::Object(values).to_string())
}

/// `value` as JSON. Fails if no rule can have it, or a rule of this `kind` cannot because it is not a whole number.
fn json(value: &toml::Value, kind: RuleKind) -> Result<Value, Reason> {
    Ok(match value {
        toml::Value::String(text) => Value::from(text.as_str()),
        toml::Value::Integer(number) => Value::from(*number),
        toml::Value::Float(number) if kind == RuleKind::Int => {
            return Err(format!("{number} is not a whole number").into());
        }
        toml::Value::Float(number) if number.is_finite() => Value::from(*number),
        toml::Value::Boolean(flag) => Value::from(*flag),
        other => return Err(format!("{other} is not a value that a rule can have").into()),
    })
}

/// The text of a ruleset with the files of its judge.
fn complete(text: &str, files: &[JudgeFile], judge: &Judge) -> String {
    #[derive(Serialize)]
    struct RulesetParts<'a> {
        judge: JudgeParts<'a>,
    }
    #[derive(Serialize)]
    struct JudgeParts<'a> {
        file: &'a [JudgeFile],
        made: Made,
    }
    let made = Made {
        hello: judge.hello_line.clone(),
        program_sha256: judge.bot.program_sha256.clone(),
        toolchain: judge.bot.toolchain.clone(),
    };
    let parts = RulesetParts { judge: JudgeParts { file: files, made } };
    let added = toml::to_string_pretty(&parts).expect("texts can be written");
    // If the author wrote the table `judge` in one line, nothing can be appended to it, so the file is written anew.
    let whole =
        format!("{}\n\n# What the judge consists of, for records and other machines.\n{added}", text.trim_end());
    if whole.parse::<toml::Table>().is_ok() {
        return whole;
    }
    let mut table: toml::Table = text.parse().expect("it was read before");
    let added: toml::Table = added.parse().expect("it was just written");
    if let (Some(toml::Value::Table(judge)), Some(toml::Value::Table(parts))) =
        (table.get_mut("judge"), added.get("judge"))
    {
        judge.extend(parts.clone());
    }
    table.to_string()
}

/// The keys of ruleset files of a judge with this `hello`.
pub(super) fn keys(hello: &JudgeHello) -> Vec<RulesetKey> {
    let mut keys = crate::kit::keys::keys_of::<JudgedRulesetFile>();
    let rules = hello.rules.iter().map(|rule| RulesetKey {
        table: Some("rules".to_string()),
        name: rule.name.clone(),
        meaning: rule.about.clone(),
        values: rule.values(),
        required: false,
        default: Some(rule.default.to_string()),
    });
    let at = keys.iter().position(|key| key.table.is_some()).unwrap_or(keys.len());
    keys.splice(at..at, rules);
    keys
}
