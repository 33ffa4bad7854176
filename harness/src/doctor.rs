//! What this machine offers for running bots, found by trying.

use crate::sandbox::cgroup;
use crate::sandbox::{Conditions, Isolation, Limits, Order, Program, Sandbox, SandboxError, landlock_version};
use crate::toolchain::language::{Language, Languages};
use crate::toolchain::{cache, tool};
use std::fs;
use std::path::PathBuf;
use std::thread;
use std::time::{Duration, Instant};

/// What was found.
#[derive(Clone, Debug)]
pub struct Findings {
    /// The kernel's name and version.
    pub kernel: String,
    /// Processors that may be used.
    pub cores: usize,
    /// Whether the kit is run by root.
    pub root: bool,
    /// The best level of isolation, and what is missing for better ones.
    pub isolation: Isolation,
    /// Landlock's version, if the kernel has it.
    pub landlock: Option<u32>,
    /// The control groups that sandboxes get, or why they get none.
    pub groups: Result<&'static str, String>,
    /// Whether they measure how long bots wait for processors and stop whoever is not to move; else it is done by single
    /// tasks and signals.
    pub are_unified: bool,
    /// Programs that build and run bots.
    pub tools: Vec<Tool>,
    /// Where built programs are kept, how many bytes they have, and how many they may have.
    pub cache: (PathBuf, u64, u64),
    /// How evenly moves are timed.
    pub timing: Timing,
}

/// A program that builds or runs bots.
#[derive(Clone, Debug)]
pub struct Tool {
    /// Its name.
    pub name: String,
    /// What it is for.
    pub language: String,
    /// Debian's packages that have it.
    pub package: String,
    /// Where it is and what it says of its version, if it is there.
    pub found: Option<(PathBuf, String)>,
}

/// The wall time of moves of a bot that does nothing, started one after another.
#[derive(Clone, Copy, Debug)]
pub struct Timing {
    /// How many.
    pub moves: usize,
    /// Half of them took at most this.
    pub median: Duration,
    /// All but one in a hundred.
    pub percentile_99: Duration,
    /// The slowest.
    pub worst: Duration,
    /// How long this program waited for a processor meanwhile.
    pub lag: Duration,
    /// How long opening and closing a sandbox takes, at the median.
    pub setup: Duration,
}

/// Examines the machine; takes about a second.
///
/// # Errors
/// When not even the least sandbox can be opened.
pub fn examine(languages: &Languages) -> Result<Findings, SandboxError> {
    let name = rustix::system::uname();
    let (timing, isolation) = time_moves()?;
    Ok(Findings {
        kernel: format!("{} {}", name.sysname().to_string_lossy(), name.release().to_string_lossy()),
        cores: thread::available_parallelism().map_or(1, usize::from),
        root: rustix::process::geteuid().is_root(),
        isolation,
        landlock: landlock_version(),
        groups: cgroup::hierarchy().as_ref().map(cgroup::Hierarchy::name).map_err(Clone::clone),
        are_unified: cgroup::hierarchy().as_ref().is_ok_and(cgroup::Hierarchy::is_unified),
        tools: languages.all().iter().map(|language| find(language, languages)).collect(),
        cache: (cache::folder(), cache::bytes(), cache::MOST_BYTES),
        timing,
    })
}

/// The first toolchain of a language that is whole, else what the first of all lacks.
fn find(language: &Language, languages: &Languages) -> Tool {
    let (toolchain, name) = match language.choose() {
        Ok(toolchain) => (toolchain, toolchain.tools().next().unwrap_or_default().to_string()),
        Err((toolchain, missing)) => (toolchain, missing),
    };
    let found = language.choose().ok().and_then(|toolchain| {
        let version = tool::version(toolchain, languages).unwrap_or_default();
        Some((tool::find(&name, languages)?, version))
    });
    Tool { language: language.name.clone(), package: toolchain.packages.join(" "), name, found }
}

/// How long this thread has waited for a processor so far; nothing where the kernel keeps no account of that.
fn waited() -> Duration {
    let text = fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    Duration::from_nanos(text.split_whitespace().nth(1).and_then(|figure| figure.parse().ok()).unwrap_or(0))
}

fn time_moves() -> Result<(Timing, Isolation), SandboxError> {
    const MOVES: usize = 400;
    const SETUPS: usize = 15;
    let program =
        Program { argv: vec!["/bin/true".into()], folder: "/".into(), parts: vec![PathBuf::from("/bin/true")] };
    let open = || Sandbox::open(&program, &Limits::default(), Conditions::default());
    let mut sandbox = open()?;
    let before = waited();
    let mut walls = Vec::new();
    for _ in 0..MOVES {
        walls.push(sandbox.run(&Order::of_move(b'A', b""))?.wall);
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
    let timing = Timing {
        moves: MOVES,
        median: walls[MOVES / 2],
        percentile_99: walls[MOVES * 99 / 100],
        worst: walls[MOVES - 1],
        lag,
        setup: setups[SETUPS / 2],
    };
    Ok((timing, isolation))
}
