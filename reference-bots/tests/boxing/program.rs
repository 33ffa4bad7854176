//! Runs a bot's program, and returns its output and exit status.

use cornerman::games::boxing::{Arena, LARGEST_SQUARE, Square, judge};
use std::ffi::OsStr;
use std::io::{Read, Write};
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// The sample start of the rules (B14).
pub const SAMPLE_START: &[u8] = include_bytes!("arenas/sample-start.arena");
/// The partial game of the rules (B14).
pub const PARTIAL_GAME: &[u8] = include_bytes!("arenas/partial-game.arena");

/// The names of the programs and their paths, which Cargo sets when it builds this test.
pub const PROGRAMS: &[(&str, &str)] = &[
    ("boxing-first-fit", env!("CARGO_BIN_EXE_boxing-first-fit")),
    ("boxing-smallest", env!("CARGO_BIN_EXE_boxing-smallest")),
    ("boxing-random", env!("CARGO_BIN_EXE_boxing-random")),
    ("boxing-mirror", env!("CARGO_BIN_EXE_boxing-mirror")),
    ("boxing-greedy", env!("CARGO_BIN_EXE_boxing-greedy")),
    ("boxing-parity", env!("CARGO_BIN_EXE_boxing-parity")),
    ("boxing-solver", env!("CARGO_BIN_EXE_boxing-solver")),
    ("boxing-tree", env!("CARGO_BIN_EXE_boxing-tree")),
    ("boxing-champion", env!("CARGO_BIN_EXE_boxing-champion")),
];

/// A bot that still runs after this time hangs; even a slow one takes far less.
const HANGS: Duration = Duration::from_secs(60);

/// The command that runs a bot's program, with all its standard streams piped.
pub fn bot(binary: &str) -> Command {
    let (_, path) = PROGRAMS.iter().find(|(name, _)| *name == binary).expect("a program of this package");
    let mut command = Command::new(path);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// The command that plays one move with `mark`.
pub fn bot_with_mark(binary: &str, mark: u8) -> Command {
    let mut command = bot(binary);
    command.arg(OsStr::from_bytes(&[mark]));
    command
}

/// How a run of a program ended.
pub struct Run {
    pub stdout: Vec<u8>,
    pub stderr: String,
    pub status: ExitStatus,
}

/// Whether standard input is closed after the given bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum After {
    Closed,
    LeftOpen,
}

/// Runs `command` on `input`.
pub fn run(mut command: Command, input: &[u8], after: After) -> Run {
    let mut child = command.spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    // A bot may exit before it has read everything.
    let _ = stdin.write_all(input);
    let open = (after == After::LeftOpen).then_some(stdin);
    let status = wait(&mut child);
    drop(open);
    let mut stdout = Vec::new();
    let mut stderr = String::new();
    if let Some(mut pipe) = child.stdout.take() {
        pipe.read_to_end(&mut stdout).unwrap();
    }
    child.stderr.take().unwrap().read_to_string(&mut stderr).unwrap();
    Run { stdout, stderr, status }
}

/// Waits for a program to exit. Its output must fit into a pipe.
fn wait(child: &mut Child) -> ExitStatus {
    let start = Instant::now();
    loop {
        if let Some(status) = child.try_wait().unwrap() {
            return status;
        }
        if start.elapsed() > HANGS {
            child.kill().unwrap();
            child.wait().unwrap();
            panic!("the bot hangs");
        }
        thread::sleep(Duration::from_millis(1));
    }
}

/// Plays one move and judges it. Returns the square, or `None` if the arena was full (B7).
pub fn play(binary: &str, mark: u8, arena: &Arena) -> Option<Square> {
    let done = run(bot_with_mark(binary, mark), &arena.to_bytes(), After::Closed);
    let who = format!("{binary} as `{}`", mark.escape_ascii());
    assert!(done.status.success(), "{who}: {}: {}", done.status, done.stderr);
    assert_eq!(done.stderr, "", "{who}");
    judge(arena, mark, LARGEST_SQUARE, &done.stdout).unwrap_or_else(|violation| panic!("{who}: {violation}"))
}

/// The state file of `mark` (B9), removed now and again at the end of the test.
pub struct StateFile(pub PathBuf);

impl StateFile {
    pub fn for_mark(mark: u8) -> StateFile {
        let name = [b"/tmp/arena.".as_slice(), &[mark]].concat();
        let file = StateFile(PathBuf::from(OsStr::from_bytes(&name)));
        file.remove();
        file
    }

    pub fn remove(&self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

impl Drop for StateFile {
    fn drop(&mut self) {
        self.remove();
    }
}
