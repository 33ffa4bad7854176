//! Finds out, by trying, what this machine offers for running bots.

use crate::machine;
use crate::sandbox::cgroup;
use crate::sandbox::{
    Conditions, Isolation, Limits, Program, RunRequest, Sandbox, SandboxError, landlock_version,
};
use crate::toolchain::language::{Language, Languages};
use crate::toolchain::{cache, tool};
use std::fs;
use std::io;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// The result of examining the machine.
#[derive(Debug)]
pub struct MachineFindings {
    /// The kernel's name and version.
    pub kernel: String,
    /// The number of processors that this process may use.
    pub cores: usize,
    /// Whether this process is run by root.
    pub root: bool,
    /// The best level of isolation, and what is missing for better ones.
    pub isolation: Isolation,
    /// The version of Landlock; `None` if the kernel has none.
    pub landlock: Option<u32>,
    /// The version of the control groups that sandboxes use, or why they use none.
    pub control_groups: Result<&'static str, &'static cgroup::NoGroups>,
    /// Whether control groups measure how long bots wait for a processor and stop the bots that are not to move.
    /// Otherwise single tasks are measured, and signals stop them.
    pub has_unified_groups: bool,
    /// The tools that build and run bots, one for each language.
    pub tools: Vec<Tool>,
    /// The folder of the cache of built programs, or why there is none.
    pub cache: io::Result<PathBuf>,
    /// The size of the cache, and the most that it may have, in bytes.
    pub cache_bytes: (u64, u64),
    /// How evenly moves are timed.
    pub timing: MoveTimes,
}

/// A program that builds or runs bots.
#[derive(Clone, Debug)]
pub struct Tool {
    /// Its name.
    pub name: String,
    /// The language that it is for.
    pub language: String,
    /// The Debian packages that contain it, separated by spaces.
    pub package: String,
    /// Its path and its version line, which is empty if unknown; `None` if it is not on this machine.
    pub found: Option<(PathBuf, String)>,
}

/// The wall time of moves of a bot that does nothing, played one after another.
#[derive(Clone, Copy, Debug)]
pub struct MoveTimes {
    /// The number of moves.
    pub moves: usize,
    /// The median of their times.
    pub median: Duration,
    /// The 99th percentile of their times.
    pub percentile_99: Duration,
    /// The time of the slowest move.
    pub worst: Duration,
    /// How long the thread that asked for the moves waited for a processor meanwhile.
    pub lag: Duration,
    /// The median time to open and close a sandbox.
    pub setup: Duration,
}

impl MoveTimes {
    /// Whether other programs seem to slow moves down.
    pub fn is_noisy(&self) -> bool {
        const MOST: Duration = Duration::from_millis(50);
        self.worst > MOST || self.lag > MOST
    }
}

/// Examines the machine, which takes about a second. `languages` are those whose tools are looked for.
///
/// # Errors
/// When no sandbox can be opened, even at the lowest level of isolation, or it fails.
pub fn examine(languages: &Languages) -> Result<MachineFindings, SandboxError> {
    let (timing, isolation) = time_moves()?;
    Ok(MachineFindings {
        kernel: machine::kernel(),
        cores: machine::cores(),
        root: rustix::process::geteuid().is_root(),
        isolation,
        landlock: landlock_version(),
        control_groups: cgroup::hierarchy().as_ref().map(cgroup::Hierarchy::name),
        has_unified_groups: cgroup::hierarchy().as_ref().is_ok_and(cgroup::Hierarchy::is_unified),
        tools: languages.all().iter().map(|language| find(language, languages)).collect(),
        cache: cache::open(),
        cache_bytes: (cache::bytes(), cache::MAX_BYTES),
        timing,
    })
}

/// The first tool of a language's first complete toolchain; if none is complete, the first missing tool of its first
/// toolchain.
fn find(language: &Language, languages: &Languages) -> Tool {
    let (toolchain, name, found) = match language.choose() {
        Ok(toolchain) => {
            let name = toolchain.tools().next().unwrap_or_default().to_string();
            let version = tool::version(toolchain, languages).unwrap_or_default();
            let found = tool::find(&name, languages).map(|path| (path, version));
            (toolchain, name, found)
        }
        Err((toolchain, missing)) => (toolchain, missing, None),
    };
    Tool { language: language.name.clone(), package: toolchain.packages.join(" "), name, found }
}

/// How long this thread has waited for a processor so far; zero if the kernel does not count that.
fn waited() -> Duration {
    let text = fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    Duration::from_nanos(text.split_whitespace().nth(1).and_then(|figure| figure.parse().ok()).unwrap_or(0))
}

/// Measures moves and sandboxes; also returns the isolation that was reached.
fn time_moves() -> Result<(MoveTimes, Isolation), SandboxError> {
    const MOVES: usize = 400;
    const SETUPS: usize = 15;
    let program =
        Program { argv: vec!["/bin/true".into()], folder: "/".into(), parts: vec![PathBuf::from("/bin/true")] };
    let open = || Sandbox::open(&program, &Limits::default(), Conditions::default());
    let mut sandbox = open()?;
    let before = waited();
    let mut walls = Vec::new();
    for _ in 0..MOVES {
        walls.push(sandbox.run(&RunRequest::with_input(Vec::new(), b""))?.wall);
    }
    let lag = waited().saturating_sub(before);
    let isolation = sandbox.isolation().clone();
    drop(sandbox);
    let mut setups = Vec::new();
    for _ in 0..SETUPS {
        let began = Instant::now();
        drop(open()?);
        setups.push(began.elapsed());
    }
    walls.sort_unstable();
    setups.sort_unstable();
    let timing = MoveTimes {
        moves: MOVES,
        median: walls[MOVES / 2],
        percentile_99: walls[MOVES * 99 / 100],
        worst: walls[MOVES - 1],
        lag,
        setup: setups[SETUPS / 2],
    };
    Ok((timing, isolation))
}
