//! What all trials need: the command, scratch folders, tools that may be missing, marks.

pub mod leftovers;
pub mod sample;
pub mod schedule;

use cornerman_harness::sandbox::{Conditions, Level};
use libtest_mimic::{Completion, Trial};
use std::ffi::OsStr;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// The program under test.
pub const PROGRAM: &str = env!("CARGO_BIN_EXE_cornerman");

/// How long to wait for something that must happen. Nothing is expected to take this long, even where many
/// trials share few processors.
pub const PATIENCE: Duration = Duration::from_secs(300);

/// The isolation levels that end all processes that a bot has started, even in a session of their own.
pub const THOROUGH_LEVELS: [&str; 3] = ["restricted", "scoped", "namespaced"];

/// A trial named after a function and its module: `trial!(function)`, or with the tools that it needs,
/// `trial!(function, ["cc"])`, or with a function that says whether it can be run, `trial!(function, if is_there)`. If a
/// body follows, that is run, and the name is only a name: `trial!(name, ["cc"], || check("c"))`.
macro_rules! named_trial {
    ($name:ident) => {
        $crate::support::trial!($name, [])
    };
    ($name:ident, [$($tool:literal),*]) => {
        $crate::support::trial!($name, [$($tool),*], $name)
    };
    ($name:ident, [$($tool:literal),*], $body:expr) => {
        $crate::support::trial(concat!(module_path!(), "::", stringify!($name)), &[$($tool),*], $body)
    };
    ($name:ident, if $can_be_run:expr) => {
        $crate::support::trial!($name, if $can_be_run, $name)
    };
    ($name:ident, if $can_be_run:expr, $body:expr) => {
        $crate::support::trial_if(concat!(module_path!(), "::", stringify!($name)), $can_be_run, $body)
    };
}
pub(crate) use named_trial as trial;

/// A trial called `name`, ignored with the reason when one of `tools` is not on this machine.
pub fn trial(name: &str, tools: &'static [&'static str], body: impl FnOnce() + Send + 'static) -> Trial {
    let missing = move || tools.iter().find(|tool| !is_installed(tool));
    trial_if(name, move || missing().map_or(Ok(()), |tool| Err(format!("{tool} is not on this machine"))), body)
}

/// A trial called `name`, ignored with the reason that `can_be_run` gives against it.
pub fn trial_if(
    name: &str,
    can_be_run: impl FnOnce() -> Result<(), String> + Send + 'static,
    body: impl FnOnce() + Send + 'static,
) -> Trial {
    let program = concat!(env!("CARGO_CRATE_NAME"), "::");
    let name = name.strip_prefix(program).unwrap_or(name).to_string();
    Trial::ignorable_test(name.clone(), move || match can_be_run() {
        Err(reason) => Ok(Completion::ignored_with(reason)),
        Ok(()) => {
            schedule::run(&name, body);
            Ok(Completion::Completed)
        }
    })
}

/// Whether this machine gives bots the isolation `level`.
///
/// # Errors
/// The level that it gives instead, in words.
pub fn is_offered(level: Level) -> Result<(), String> {
    let offered = Conditions::default().isolation().map_err(|error| error.to_string())?.level;
    if offered < level { Err(format!("this machine gives isolation {offered}, not {level}")) } else { Ok(()) }
}

/// Arguments of `unshare` that run a command as on a machine whose user namespaces are used up.
const NAMESPACES_USED_UP: [&str; 4] =
    ["-Ur", "sh", "-c", "echo 0 > /proc/sys/user/max_user_namespaces && exec \"$0\" \"$@\""];

/// Whether [`Scratch::without_namespaces`] can be used here, and leaves the level `scoped`.
///
/// # Errors
/// The reason against it.
pub fn namespaces_can_be_used_up() -> Result<(), String> {
    is_offered(Level::Scoped)?;
    let tried = Command::new("unshare").args(NAMESPACES_USED_UP).arg("true").output();
    match tried {
        Ok(tried) if tried.status.success() => Ok(()),
        Ok(tried) => Err(format!(
            "no user namespace can be made that allows no more of them: {}",
            String::from_utf8_lossy(&tried.stderr).trim()
        )),
        Err(error) => Err(format!("unshare cannot be started: {error}")),
    }
}

/// Whether this machine has a program of this name.
pub fn is_installed(tool: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| folder.join(tool).is_file())
}

/// Builds the reference bots if they are not there, once, so that trials do not wait for each other's builds.
pub fn build_reference_bots() {
    let ran = Ran::from_command(cornerman(["play", "@greedy", "@parity", "--quiet", "--marks", "{}"]));
    assert_eq!(ran.code, Some(0), "the reference bots do not play at all: {}", ran.stderr);
}

/// The command with these arguments, without the user's settings for colours and caches.
pub fn cornerman<A: AsRef<OsStr>>(args: impl IntoIterator<Item = A>) -> assert_cmd::Command {
    prepared(assert_cmd::Command::new(PROGRAM), args)
}

/// `command` with these arguments, the patience of trials and their cache.
fn prepared<A: AsRef<OsStr>>(
    mut command: assert_cmd::Command,
    args: impl IntoIterator<Item = A>,
) -> assert_cmd::Command {
    command.args(args).timeout(PATIENCE).env("XDG_CACHE_HOME", cache());
    for name in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE"] {
        command.env_remove(name);
    }
    command
}

/// The cache of built programs during tests.
pub fn cache() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("cache")
}

/// Removes the verdicts of earlier test runs, so that bots are checked again.
pub fn forget_verdicts() {
    fs::remove_dir_all(cache().join("cornerman/verdicts")).ok();
}

/// How a run of the command ended and what it printed.
#[derive(Debug)]
pub struct Ran {
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

impl Ran {
    /// Runs `command` and waits until it ends.
    pub fn from_command(mut command: assert_cmd::Command) -> Ran {
        let output = command.output().expect("the command can be started");
        let text = |bytes| String::from_utf8(bytes).expect("the command prints UTF-8");
        Ran { code: output.status.code(), stdout: text(output.stdout), stderr: text(output.stderr) }
    }

    /// The standard output of a run, which must have succeeded without messages on standard error.
    #[track_caller]
    pub fn fine(self) -> String {
        assert_eq!((self.code, self.messages().as_str()), (Some(0), ""), "{}", self.stdout);
        self.stdout
    }

    /// Standard error without what depends on the machine ([`messages_of`]).
    pub fn messages(&self) -> String {
        messages_of(&self.stderr)
    }
}

/// A command's standard error without the lines that depend on the machine: about the level of isolation, about waiting for
/// the marks of other trials where bots share `/tmp`, and about the progress of a run that takes long.
pub fn messages_of(stderr: &str) -> String {
    let is_of_machine = |line: &&str| {
        ["isolation: ", "not promised here", "waiting for the mark `"].iter().any(|begin| line.starts_with(begin))
            || line.contains(" games known so far, ")
    };
    stderr.split_inclusive('\n').filter(|line| !is_of_machine(line)).collect()
}

/// A folder for one trial, gone at its end. It is not in `/tmp`, which bots may see as another folder.
pub struct Scratch(tempfile::TempDir);

impl Scratch {
    pub fn new() -> Scratch {
        let parent = env!("CARGO_TARGET_TMPDIR");
        Scratch(tempfile::Builder::new().prefix("trial-").tempdir_in(parent).expect("a scratch folder"))
    }

    pub fn path(&self) -> &Path {
        self.0.path()
    }

    /// Its name, which no other folder has: processes with it in their arguments belong to this trial.
    pub fn marker(&self) -> &str {
        self.path().file_name().and_then(OsStr::to_str).expect("the name is ASCII")
    }

    /// Writes a file, and creates the folders above it.
    pub fn file(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path().join(name);
        fs::create_dir_all(path.parent().expect("a file is in a folder")).expect("a folder");
        fs::write(&path, content).expect("a file");
        path
    }

    /// Writes a file that can be executed.
    pub fn executable(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.file(name, content);
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("permissions");
        path
    }

    /// Writes a bot that is a shell script. In `body`, `$mark` is its mark, the command `move` makes a legal move, and
    /// `"$0" linger` never ends: it is a single process with the script's path as its last argument. The script needs
    /// no other file.
    pub fn script(&self, name: &str, body: &str) -> PathBuf {
        let head = "#!/bin/sh\n[ \"$1\" = linger ] && exec tail -n 0 -f \"$0\"\nmark=$1\n";
        let first_vacant =
            "move() { awk -v mark=\"$mark\" '{ if (!done && sub(/-/, mark)) done = 1; print }'; }\n";
        self.executable(name, format!("{head}{first_vacant}{body}\n"))
    }

    /// The command with these arguments, to be run in this folder.
    pub fn cornerman<A: AsRef<OsStr>>(&self, args: impl IntoIterator<Item = A>) -> assert_cmd::Command {
        let mut command = cornerman(args);
        command.current_dir(self.path());
        command
    }

    /// [`Scratch::cornerman`] as on a machine whose user namespaces are used up, so that bots have the isolation `scoped`.
    pub fn without_namespaces<A: AsRef<OsStr>>(&self, args: impl IntoIterator<Item = A>) -> assert_cmd::Command {
        let mut command = assert_cmd::Command::new("unshare");
        command.args(NAMESPACES_USED_UP).arg(PROGRAM).current_dir(self.path());
        prepared(command, args)
    }

    /// The relative path of every file and folder, with the content of files.
    pub fn listing(&self) -> Vec<(PathBuf, Vec<u8>)> {
        let mut found = Vec::new();
        list(self.path(), self.path(), &mut found);
        found.sort();
        found
    }
}

fn list(root: &Path, folder: &Path, found: &mut Vec<(PathBuf, Vec<u8>)>) {
    for entry in fs::read_dir(folder).expect("a folder of our own").flatten() {
        let relative = entry.path().strip_prefix(root).expect("it is below").to_path_buf();
        found.push((relative, fs::read(entry.path()).unwrap_or_default()));
        if entry.path().is_dir() {
            list(root, &entry.path(), found);
        }
    }
}

/// A file of the checkout.
pub fn checkout(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the checkout").join(path)
}

/// `count` marks that differ from those of the trials that run at the same time.
pub fn marks(count: usize) -> String {
    const LETTERS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnpqrstuvwxyz0123456789";
    static NEXT: AtomicUsize = AtomicUsize::new(0);
    let first = NEXT.fetch_add(count, Ordering::Relaxed);
    (first..first + count).map(|at| char::from(LETTERS[at % LETTERS.len()])).collect()
}

/// Held by a trial whose bots keep files in the machine's own `/tmp` under the marks that the kit itself gives (`A`, `B`,
/// `K`): two such trials at once would remove each other's.
pub fn own_the_state_files() -> MutexGuard<'static, ()> {
    static STATE_FILES: Mutex<()> = Mutex::new(());
    STATE_FILES.lock().unwrap_or_else(PoisonError::into_inner)
}

/// An arena whose first `vacant` spots are vacant and whose other spots are blocked.
pub fn small_arena(vacant: usize) -> String {
    let spots: Vec<char> = (0..512).map(|at| if at < vacant { '-' } else { 'o' }).collect();
    spots.chunks(32).map(|row| row.iter().chain(&['\n']).collect::<String>()).collect()
}

/// How often a trial does something random, such as a kill: a tenth of `all` times, but at least twice; `all` times with
/// `ALL_TRIALS=1`.
pub fn times(all: usize, what: &str) -> usize {
    if sample::runs_all() {
        return all;
    }
    let some = (all / 10).max(2);
    println!("{some} {what}; with ALL_TRIALS=1 in the environment {all}");
    some
}
