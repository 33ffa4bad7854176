//! What this machine offers for running bots, found by trying.

use crate::host::{self, HostLag};
use crate::sandbox::cgroup;
use crate::sandbox::{Conditions, Isolation, Limits, Order, Program, Sandbox, SandboxError, landlock_version};
use crate::toolchain;
use std::path::PathBuf;
use std::process::Command;
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
    /// Programs that build and run bots.
    pub tools: Vec<Tool>,
    /// How evenly moves are timed.
    pub timing: Timing,
}

/// A program that builds or runs bots.
#[derive(Clone, Debug)]
pub struct Tool {
    /// Its name.
    pub name: &'static str,
    /// What it is for.
    pub language: &'static str,
    /// Debian's package that has it.
    pub package: &'static str,
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
    /// How far the machine was held up meanwhile.
    pub lag: HostLag,
    /// How long opening and closing a sandbox takes, at the median.
    pub setup: Duration,
}

const TOOLS: [(&str, &str, &str, &str); 6] = [
    ("cc", "C", "gcc", "--version"),
    ("python3", "Python", "python3", "--version"),
    ("rustc", "Rust", "rustc", "--version"),
    ("node", "JavaScript", "nodejs", "--version"),
    ("java", "Java", "default-jdk-headless", "-version"),
    ("go", "Go", "golang-go", "version"),
];

/// Examines the machine; takes about a second.
///
/// # Errors
/// When not even the least sandbox can be opened.
pub fn examine() -> Result<Findings, SandboxError> {
    let name = rustix::system::uname();
    let (timing, isolation) = time_moves()?;
    Ok(Findings {
        kernel: format!("{} {}", name.sysname().to_string_lossy(), name.release().to_string_lossy()),
        cores: thread::available_parallelism().map_or(1, usize::from),
        root: rustix::process::geteuid().is_root(),
        isolation,
        landlock: landlock_version(),
        groups: cgroup::hierarchy().as_ref().map(cgroup::Hierarchy::name).map_err(Clone::clone),
        tools: TOOLS.into_iter().map(find).collect(),
        timing,
    })
}

fn find((name, language, package, question): (&'static str, &'static str, &'static str, &'static str)) -> Tool {
    let found = toolchain::find_tool(name).map(|path| {
        let said = Command::new(&path).arg(question).output();
        // Java answers on standard error.
        let said = said.map(|out| if out.stdout.is_empty() { out.stderr } else { out.stdout }).unwrap_or_default();
        let version = String::from_utf8_lossy(&said).lines().next().unwrap_or_default().trim().to_string();
        (path, version)
    });
    Tool { name, language, package, found }
}

fn time_moves() -> Result<(Timing, Isolation), SandboxError> {
    const MOVES: usize = 400;
    const SETUPS: usize = 15;
    let program =
        Program { argv: vec!["/bin/true".into()], folder: "/".into(), parts: vec![PathBuf::from("/bin/true")] };
    let open = || Sandbox::open(&program, &Limits::default(), Conditions::default());
    host::watch();
    let mut sandbox = open()?;
    let began = Instant::now();
    let mut walls = Vec::new();
    for _ in 0..MOVES {
        walls.push(sandbox.run(&Order::of_move(b'A', b""))?.wall);
    }
    let lag = host::lag_since(began);
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
