//! A referee that is killed at any moment leaves nothing behind.
//!
//! A supervisor, which is this program again, becomes the subreaper of all its descendants, lets a referee play,
//! and kills it. Then all descendants of the supervisor must end by themselves.

use super::stage::Stage;
use super::trial::{move_request, state_file};
use cornerman_sandbox::{Conditions, Level, Limits, Program, RunRequest, Sandbox, cgroup};
use rustix::process::{Pid, Signal, WaitOptions, getpid, kill_process, set_child_subreaper, wait};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// How often the referee is killed.
const TIMES: u32 = 50;
/// The longest time before the kill, long enough for several moves.
const LATEST: Duration = Duration::from_millis(60);
/// How long all descendants may take to end.
const PATIENCE: Duration = Duration::from_secs(30);

/// The first argument of a supervisor, and of its referees.
const SUPERVISOR: &str = "--supervise-a-referee-that-is-killed";
const REFEREE: &str = "--play-until-killed";

/// Runs the supervisor or the referee, if this process was started as one.
pub fn serve_if_asked() {
    let args: Vec<String> = std::env::args().collect();
    let level = |name: &str| Level::named(name).expect("the name of a level");
    match args.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        [_, SUPERVISOR, name, seed, program] => {
            let seed = seed.parse().expect("a number");
            match supervise(level(name), seed, Path::new(program)) {
                Ok(()) => std::process::exit(0),
                Err(wrong) => {
                    eprintln!("{wrong}");
                    std::process::exit(1)
                }
            }
        }
        [_, REFEREE, name, program] => play(level(name), Path::new(program)),
        _ => {}
    }
}

/// The trial.
pub fn leaves_nothing(level: Level, stage: &Stage) -> Result<(), String> {
    let seed = SystemTime::now().duration_since(UNIX_EPOCH).map_or(1, |now| now.subsec_nanos()).max(1);
    let program = stage.program();
    let run = Command::new("/proc/self/exe")
        .args([SUPERVISOR, level.name(), &seed.to_string()])
        .arg(program)
        .stdin(Stdio::null())
        .output()
        .map_err(|error| error.to_string())?;
    if run.status.success() {
        Ok(())
    } else {
        Err(format!("with seed {seed}: {}", String::from_utf8_lossy(&run.stderr)))
    }
}

/// Plays slow moves forever, and in between has a bot that is stopped.
fn play(level: Level, program: &Path) -> ! {
    let mark = mark_of(level);
    let argv = vec![program.into(), "fork-bomb-after-answering".into(), "marker=killed".into()];
    let program =
        Program { argv, folder: program.parent().unwrap_or(program).into(), parts: vec![program.into()] };
    let limits = Limits { hard: Duration::from_secs(60), ..Limits::default() };
    let conditions = Conditions { at_most: Some(level), ..Conditions::default() };
    let open = || {
        let sandbox = Sandbox::open(&program, &limits, conditions).expect("a sandbox");
        assert_eq!(sandbox.isolation().level, level);
        sandbox
    };
    loop {
        let Ok(mut session) =
            open().start(&RunRequest::for_game(Vec::new())).expect("the sandbox works").running()
        else {
            panic!("the bot does not start");
        };
        session.freeze().expect("it is stopped");
        std::thread::sleep(LATEST / 3);
        drop(session);
        let mut sandbox = open();
        for _ in 0..3 {
            sandbox.set_state(&state_file(mark), b"notes").expect("the state file is written");
            sandbox.run(&move_request(mark)).expect("a move is made");
        }
    }
}

/// A mark that no other trial uses.
fn mark_of(level: Level) -> u8 {
    match level {
        Level::Restricted => b'1',
        Level::Scoped => b'2',
        _ => b'3',
    }
}

fn supervise(level: Level, seed: u32, program: &Path) -> Result<(), String> {
    set_child_subreaper(Some(getpid())).map_err(|error| error.to_string())?;
    let homes_before = homes();
    let groups_before = groups();
    let state = state_file(mark_of(level));
    let mounts = || fs::read_to_string("/proc/self/mountinfo").unwrap_or_default();
    let mounts_before = mounts();
    let mut random = seed;
    let mut referees = Vec::new();
    for turn in 0..TIMES {
        // A 32-bit xorshift is random enough for this.
        random ^= random << 13;
        random ^= random >> 17;
        random ^= random << 5;
        let moment = LATEST.mul_f64(f64::from(random) / f64::from(u32::MAX));
        let referee = Command::new("/proc/self/exe")
            .args([REFEREE, level.name()])
            .arg(program)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .spawn()
            .map_err(|error| error.to_string())?;
        std::thread::sleep(moment);
        let pid = Pid::from_raw(referee.id() as i32).ok_or("a process without a number")?;
        kill_process(pid, Signal::KILL).map_err(|error| error.to_string())?;
        all_end().map_err(|left| format!("kill {turn}, after {moment:?}: {left}"))?;
        referees.push(referee.id());
    }
    // A group that was made but never used is removed by the next process that makes one.
    cgroup::hierarchy().as_ref().ok();
    let of_referee = |group: &&PathBuf| {
        let name = group.file_name().unwrap_or_default().to_string_lossy();
        referees.iter().any(|referee| name.starts_with(&format!("cornerman-{referee}-")))
    };
    if let Some(left) = groups().difference(&groups_before).find(of_referee) {
        return Err(format!("{} is left", left.display()));
    }
    if mounts() != mounts_before {
        return Err("there are other mounts than before".into());
    }
    if fs::symlink_metadata(&state).is_ok() {
        return Err(format!("{} is left", state.display()));
    }
    // Other trials have homes there for some time.
    let began = Instant::now();
    let fresh: BTreeSet<PathBuf> = homes().difference(&homes_before).cloned().collect();
    while let Some(left) = fresh.iter().find(|home| home.exists()) {
        if began.elapsed() > PATIENCE * 2 {
            return Err(format!("{} is left", left.display()));
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    Ok(())
}

/// Waits until this process has no descendants. Orphans among them become its children.
fn all_end() -> Result<(), String> {
    let began = Instant::now();
    loop {
        match wait(WaitOptions::NOHANG) {
            Err(_) => return Ok(()),
            Ok(Some(_)) => {}
            Ok(None) if began.elapsed() > PATIENCE => {
                let own = getpid().as_raw_nonzero();
                let left = fs::read_to_string(format!("/proc/self/task/{own}/children")).unwrap_or_default();
                let lines = left.split_whitespace().map(|pid| {
                    fs::read_to_string(format!("/proc/{pid}/cmdline")).unwrap_or_default().replace('\0', " ")
                });
                return Err(format!("still running: {:?}", lines.collect::<Vec<_>>()));
            }
            Ok(None) => std::thread::sleep(Duration::from_millis(1)),
        }
    }
}

/// The control groups of sandboxes.
fn groups() -> BTreeSet<PathBuf> {
    let mut found = BTreeSet::new();
    add_groups(Path::new("/sys/fs/cgroup"), 8, &mut found);
    found
}

fn add_groups(folder: &Path, depth: u32, found: &mut BTreeSet<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        if depth > 0 && entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            add_groups(&entry.path(), depth - 1, found);
            if entry.file_name().to_string_lossy().starts_with("cornerman-") {
                found.insert(entry.path());
            }
        }
    }
}

/// The temporary folders of sandboxes.
fn homes() -> BTreeSet<PathBuf> {
    let entries = fs::read_dir("/tmp").into_iter().flatten().flatten();
    entries
        .filter(|entry| entry.file_name().to_string_lossy().starts_with("cornerman-"))
        .map(|entry| entry.path())
        .collect()
}
