//! What mutants of several games require of their environment, and the processes that they start.

use std::env;
use std::fs;
use std::os::unix::fs::symlink;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, ExitCode, Stdio};
use std::thread::sleep;
use std::time::Duration;

/// Fails without `HOME`.
pub fn home() -> Result<(), String> {
    env::var_os("HOME").map(drop).ok_or_else(|| "HOME is not set".to_string())
}

/// Fails unless the working directory is that of the program. It looks there for the program's own file, the link or
/// script by which it was started, or its `bot.toml`.
pub fn asset() -> Result<(), String> {
    let called = env::args_os().next().unwrap_or_default();
    let own_name = Path::new(&called).file_name().map(Path::new);
    let names = ["relative-asset", "relative-asset.sh", "bot.toml"].map(Path::new);
    own_name
        .into_iter()
        .chain(names)
        .find_map(|name| fs::read(name).ok())
        .map(drop)
        .ok_or_else(|| "the openings are missing".to_string())
}

/// Replaces the link by which it was started, if it is one, with another to the same program; errors are ignored.
pub fn replace_itself() {
    let called = env::args_os().next().unwrap_or_default();
    let link = Path::new(&called);
    if let (Ok(program), true) = (env::current_exe(), link.is_symlink()) {
        _ = fs::remove_file(link).and_then(|()| symlink(program, link));
    }
}

/// How long a process left behind runs, unless it is killed.
const LINGER: Duration = Duration::from_secs(15);

/// Does the work of a process that some bots start, which is this program with a special `argument`; `None` if it is
/// not one.
pub fn helper(argument: &str) -> Option<ExitCode> {
    match argument {
        "--linger" => sleep(LINGER),
        "--detach" => return Some(leave_child(Stdio::null()).map_or(ExitCode::FAILURE, |()| ExitCode::SUCCESS)),
        "--nothing" => (),
        _ => return None,
    }
    Some(ExitCode::SUCCESS)
}

/// The command that starts this program with `argument`.
pub fn myself(argument: &str, stdout: Stdio) -> Result<Command, String> {
    let program = env::current_exe().map_err(|error| format!("cannot find its own program: {error}"))?;
    let mut command = Command::new(program);
    command.arg0("mutant").arg(argument).stdin(Stdio::null()).stdout(stdout).stderr(Stdio::null());
    Ok(command)
}

/// Starts a process that runs for a while.
pub fn child(stdout: Stdio) -> Result<Child, String> {
    myself("--linger", stdout)?.spawn().map_err(|error| format!("cannot start a process: {error}"))
}

/// Starts a process that runs for a while, and does not wait for it.
pub fn leave_child(stdout: Stdio) -> Result<(), String> {
    child(stdout).map(drop)
}

/// Runs `command` to its end.
pub fn run(command: &mut Command) -> Result<(), String> {
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("the process it started ended with {status}")),
        Err(error) => Err(format!("cannot start a process: {error}")),
    }
}
