//! A judge: its files, its program, and what it says of its game. Any thread can ask it. Each thread has a process of
//! the judge of its own, which stays for the next question: so a worker's judge runs on the worker's processor, as its
//! bots do.

use super::failure::{FailedQuestion, JudgeFailure, JudgeFault};
use super::hello::JudgeHello;
use super::process::{AskError, JudgeProcess, JudgeStopped};
use crate::bot::{Bot, BotError};
use crate::entry_files;
use crate::sandbox::{Conditions, Environment, Level};
use crate::text;
use crate::text::Reason;
use crate::toolchain::language::Languages;
use crate::toolchain::{self, BuildOptions, cache};
use serde::{Deserialize, Serialize};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::io::Read;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// The most bytes of the files of a judge.
const MAX_FILES: u64 = 4 << 20;

/// The most judges that a thread keeps running.
const MAX_RUNNING: usize = 3;

/// The languages and the isolation with which judges are built and run, as the user of the command chose them.
#[derive(Clone, Debug)]
pub struct JudgeHost {
    /// The languages that a source file can be in.
    pub languages: Languages,
    /// The isolation that judges must have.
    pub conditions: Conditions,
}

static HOST: Mutex<Option<JudgeHost>> = Mutex::new(None);

impl JudgeHost {
    /// Makes this the host of all judges that are loaded from now on.
    pub fn set(self) {
        *HOST.lock().unwrap_or_else(PoisonError::into_inner) = Some(self);
    }

    fn get() -> JudgeHost {
        let set = HOST.lock().unwrap_or_else(PoisonError::into_inner).clone();
        set.unwrap_or_else(|| JudgeHost {
            languages: Languages::built_in().clone(),
            conditions: Conditions::default(),
        })
    }
}

/// How a judge is built and started, as the table `[judge]` says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Recipe {
    /// The source file or program.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// The command that builds it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub build: Option<Vec<String>>,
    /// The command that runs it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub run: Option<Vec<String>>,
    /// Files that it needs besides.
    #[serde(skip)]
    pub with: Vec<String>,
    /// The most bytes of memory.
    #[serde(skip)]
    pub memory: u64,
    /// How long an answer may take.
    #[serde(skip)]
    pub answer: Duration,
}

/// A file of a judge, as a ruleset keeps it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct JudgeFile {
    /// Its path from the folder of the ruleset file.
    pub path: String,
    /// Its text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// Its bytes in hexadecimal digits, if it is not text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hex: Option<String>,
    /// Whether it may be executed.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub program: bool,
}

impl JudgeFile {
    fn bytes(&self) -> Result<Vec<u8>, Reason> {
        match (&self.text, &self.hex) {
            (Some(text), None) => Ok(text.clone().into_bytes()),
            (None, Some(hex)) => text::from_hex(hex)
                .ok_or_else(|| format!("the file `{}` is not written in hexadecimal digits", self.path).into()),
            _ => Err(format!("the file `{}` has either `text` or `hex`", self.path).into()),
        }
    }
}

/// A judge that can be asked.
#[derive(Debug)]
pub struct Judge {
    /// What messages call it: its source file, or the command that runs it.
    pub name: String,
    /// Its program.
    pub bot: Bot,
    /// What it says of its game.
    pub hello: JudgeHello,
    /// That answer as it was written.
    pub hello_line: String,
    /// How long an answer may take.
    pub answer: Duration,
    /// The isolation that it must have.
    pub conditions: Conditions,
    /// A hash of its files, commands and limits.
    pub key: String,
}

/// Why there is no judge to ask.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// Its files cannot be used, or its build fails.
    #[error("{0}")]
    Wrong(String),
    /// It does not say what its game is.
    #[error("the judge {judge}: {fault}{}", errors_in_words(.errors))]
    Hello {
        /// The judge.
        judge: String,
        /// What is wrong.
        fault: JudgeFault,
        /// The end of its standard error.
        errors: String,
    },
    /// Its sandbox failed, or the machine refuses it.
    #[error(transparent)]
    Failure(#[from] JudgeFailure),
}

fn errors_in_words(errors: &str) -> String {
    errors.lines().map(|line| format!("\n  its standard error: {line}")).collect()
}

impl From<BotError> for LoadError {
    fn from(error: BotError) -> LoadError {
        LoadError::Wrong(text::with_sources(&error))
    }
}

/// The judges that this process has loaded, by their keys. They are kept for its whole run, as the kits of built-in
/// games are.
static LOADED: Mutex<BTreeMap<String, &'static Judge>> = Mutex::new(BTreeMap::new());

impl Recipe {
    /// What messages call the judge.
    pub fn name(&self) -> String {
        let command = || self.run.iter().flatten().cloned().collect::<Vec<_>>().join(" ");
        self.source.clone().unwrap_or_else(command)
    }

    /// Reads the files that the judge consists of, which are in `folder`: its source, or those that its `build`
    /// command, or without one its `run` command, names; and those of `with`.
    ///
    /// # Errors
    /// When one cannot be read, or they are too large.
    pub fn read_files(&self, folder: &Path) -> Result<Vec<JudgeFile>, Reason> {
        let mut paths = BTreeSet::new();
        let in_folder =
            |word: &&String| entry_files::is_file_beneath(folder, Path::new(word)) && folder.join(word).is_file();
        match (&self.source, &self.build, &self.run) {
            (Some(source), _, _) => drop(paths.insert(source.clone())),
            // The words of `run` can name a program that the build makes, which is not among the judge's files.
            (None, Some(build), _) => paths.extend(build.iter().filter(in_folder).cloned()),
            (None, None, Some(run)) => paths.extend(run.iter().filter(in_folder).cloned()),
            (None, None, None) => {}
        }
        paths.extend(self.with.iter().cloned());
        if paths.is_empty() {
            let folder = folder.display();
            return Err(format!(
                "the commands name no file in {folder}: list the judge's files, such as `with = [\"judge.py\"]`"
            )
            .into());
        }
        let mut room = MAX_FILES;
        paths.iter().map(|path| read_file(folder, path, &mut room)).collect()
    }

    /// The judge with these `files`, built and started unless it was loaded before. With `of_record` it may be a
    /// stranger's.
    ///
    /// # Errors
    /// When it cannot be built or started, does not answer `hello` as it must, or is a stranger's and the machine does
    /// not have the isolation for that.
    pub fn load(&self, files: &[JudgeFile], of_record: bool) -> Result<&'static Judge, LoadError> {
        let host = JudgeHost::get();
        let key = self.key(files);
        let known = LOADED.lock().unwrap_or_else(PoisonError::into_inner).get(&key).copied();
        if let Some(judge) = known {
            return Ok(judge);
        }
        let mut conditions = host.conditions;
        if of_record && conditions.at_least.is_none() {
            // A record may come from anyone, and its judge is a program.
            conditions.at_least = Some(Level::Scoped);
        }
        conditions.isolation().map_err(JudgeFailure::from)?;
        let folder = self.unpack(files, &key, &host.languages)?;
        let options =
            BuildOptions { languages: &host.languages, at_least: conditions.at_least, again: false, engines: &[] };
        let mut bot = Bot::load_with_options(&folder, options)?;
        bot.limits.memory = self.memory;
        bot.spec = self.name();
        let judge = Judge::begin(self.name(), bot, self.answer, conditions, key.clone())?;
        // Another thread may have been faster.
        let mut loaded = LOADED.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(loaded.entry(key).or_insert_with(|| Box::leak(Box::new(judge))))
    }

    fn key(&self, files: &[JudgeFile]) -> String {
        let Recipe { source, build, run, with: _, memory, answer } = self;
        text::sha256(format!("{source:?} {build:?} {run:?} {memory} {answer:?} {files:?}"))
    }

    /// Writes the files into a folder of the cache, with a `bot.toml` that says how to build and run them.
    fn unpack(&self, files: &[JudgeFile], key: &str, languages: &Languages) -> Result<PathBuf, LoadError> {
        #[derive(Serialize)]
        struct BotToml<'a> {
            name: String,
            #[serde(flatten)]
            recipe: &'a Recipe,
        }
        let mut recipe = self.clone();
        // A `source` in no known language is a program, which is run itself.
        if let Some(source) = &self.source
            && languages.for_file(Path::new(source)).is_none()
        {
            recipe.run = Some(vec![source.clone()]);
            recipe.source = None;
        }
        let described = toml::to_string(&BotToml { name: "judge".to_string(), recipe: &recipe })
            .map_err(|error| LoadError::Wrong(error.to_string()))?;
        let mut contents = vec![(PathBuf::from(crate::bot_file::FILE_NAME), described.into_bytes(), false)];
        for file in files {
            let path = entry_files::beneath(Path::new(&file.path))
                .filter(|path| path.as_os_str() != crate::bot_file::FILE_NAME)
                .ok_or_else(|| LoadError::Wrong(format!("`{}` is not a file of a judge", file.path)))?;
            contents.push((path, file.bytes().map_err(|why| LoadError::Wrong(why.0))?, file.program));
        }
        toolchain::unpacked_folder("judge", key, &contents).map_err(|error| LoadError::Wrong(error.to_string()))
    }
}

/// Reads the file `path` in `folder`. Its size is subtracted from `room`.
fn read_file(folder: &Path, path: &str, room: &mut u64) -> Result<JudgeFile, Reason> {
    let below = Path::new(path);
    let wrong = |why: &dyn std::fmt::Display| {
        let hint = crate::nearest::did_you_mean_file(&folder.join(below));
        format!("cannot read the judge's file `{path}`: {why}{hint}")
    };
    let file = entry_files::open_beneath(folder, below).map_err(|error| wrong(&error))?;
    let mode = file.metadata().map_err(|error| wrong(&error))?.permissions().mode();
    let mut bytes = Vec::new();
    file.take(*room + 1).read_to_end(&mut bytes).map_err(|error| wrong(&error))?;
    *room = room
        .checked_sub(bytes.len() as u64)
        .ok_or_else(|| format!("the judge's files have more than {} MiB, which is the limit", MAX_FILES >> 20))?;
    let path = path.to_string();
    let program = mode & 0o111 != 0;
    Ok(match String::from_utf8(bytes) {
        // Only such a text comes back unchanged from a TOML file.
        Ok(text) if !text.contains(|c: char| c.is_control() && !"\n\t".contains(c)) => {
            JudgeFile { path, text: Some(text), hex: None, program }
        }
        Ok(text) => JudgeFile { path, text: None, hex: Some(text::hex(text.as_bytes())), program },
        Err(bytes) => JudgeFile { path, text: None, hex: Some(text::hex(bytes.as_bytes())), program },
    })
}

thread_local! {
    /// The processes of this thread, with the keys of their judges; the one that was asked last comes last.
    static RUNNING: RefCell<Vec<(String, JudgeProcess)>> = const { RefCell::new(Vec::new()) };
}

impl Judge {
    /// Starts the judge `bot`, and asks what its game is.
    fn begin(
        name: String,
        bot: Bot,
        answer: Duration,
        conditions: Conditions,
        key: String,
    ) -> Result<Judge, LoadError> {
        let started = JudgeProcess::start(&bot, conditions, Environment::Usual)
            .and_then(JudgeProcess::hello)
            .and_then(|(process, line)| match JudgeHello::parse(&line) {
                Ok(hello) => Ok((process, line, hello)),
                Err(fault) => Err(process.refuted(fault, line)),
            });
        let (process, line, hello) = match started {
            Ok(started) => started,
            Err(error) => {
                let JudgeStopped { fault, errors, .. } = error.stopped()?;
                return Err(LoadError::Hello { judge: name, fault, errors });
            }
        };
        keep(key.clone(), process);
        let hello_line = String::from_utf8_lossy(&line).into_owned();
        Ok(Judge { name, bot, hello, hello_line, answer, conditions, key })
    }

    /// Asks `question`, whose answer `read` interprets. If the judge fails, asks a fresh process once more.
    ///
    /// # Errors
    /// When that fails as well, or a sandbox fails.
    pub fn ask<T>(
        &self,
        question: &str,
        longest: usize,
        read: impl Fn(&[u8]) -> Result<T, JudgeFault>,
    ) -> Result<T, JudgeFailure> {
        let attempt = || -> Result<T, AskError> {
            let process = match take(&self.key) {
                Some(process) => process,
                None => self.start()?,
            };
            let (process, _, read) = process.ask_for(question, self.answer, longest, &read)?;
            keep(self.key.clone(), process);
            Ok(read)
        };
        let mut read = attempt();
        if let Err(AskError::Stopped(_)) = read {
            read = attempt();
        }
        let JudgeStopped { fault, answer, errors } = match read {
            Ok(read) => return Ok(read),
            Err(error) => error.stopped()?,
        };
        Err(JudgeFailure::Judge(Box::new(FailedQuestion {
            judge: self.name.clone(),
            fault,
            question: question.to_string(),
            answer: String::from_utf8_lossy(&answer).into_owned(),
            errors,
            file: write_questions(question),
        })))
    }

    /// A fresh process that has answered `hello`.
    fn start(&self) -> Result<JudgeProcess, AskError> {
        let (process, line) = JudgeProcess::start(&self.bot, self.conditions, Environment::Usual)?.hello()?;
        if line != self.hello_line.as_bytes() {
            let fault = JudgeFault::new("JD-FRESH", "a fresh process answers `hello` differently");
            // What is shown is the answer to the question, which was not asked.
            return Err(process.refuted(fault, Vec::new()));
        }
        Ok(process)
    }
}

/// Takes this thread's process of the judge `key`, if there is one.
fn take(key: &str) -> Option<JudgeProcess> {
    RUNNING.with_borrow_mut(|running| {
        let at = running.iter().rposition(|(known, _)| known == key)?;
        Some(running.remove(at).1)
    })
}

/// Keeps a process of the judge `key` for this thread's next question, and ends the one that was asked the longest time
/// ago if there are too many.
fn keep(key: String, process: JudgeProcess) {
    let oldest = RUNNING.with_borrow_mut(|running| {
        running.push((key, process));
        (running.len() > MAX_RUNNING).then(|| running.remove(0))
    });
    drop(oldest);
}

/// Writes `hello` and `question` into a file in the cache, so that they can be tried by hand. Returns its path.
fn write_questions(question: &str) -> Option<PathBuf> {
    let folder = cache::open().ok()?.join("questions");
    std::fs::create_dir_all(&folder).ok()?;
    let questions = format!("{}\n{question}\n", super::question::hello());
    let file = folder.join(format!("{}.jsonl", &text::sha256(&questions)[..12]));
    std::fs::write(&file, questions).ok()?;
    Some(file)
}
