//! The two programs that play the same tournament: the kit's command line and the yardstick in C.

use super::compile::compile;
use super::fields::Field;
use super::script::Script;
use cornerman::format::GameId;
use cornerman::game::Outcome;
use cornerman_harness::record::{Record, RecordError};
use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};
use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// The result of a game and the notation of its moves.
pub type Played = Vec<(GameId, Outcome, Vec<String>)>;

/// One tournament of the kit.
pub struct KitRun {
    /// From the start of the command to its end.
    pub wall: Duration,
    /// Processor time of the main thread, which plans the games and records them.
    pub manager: Duration,
    /// From the start of the command to the start of the first game.
    pub before: Duration,
    /// From the end of the last game to the end of the command.
    pub after: Duration,
    /// The games.
    pub played: Played,
    /// The isolation of the bots.
    pub isolation: String,
}

/// The kit's command line, playing one field.
pub struct Kit<'a> {
    /// The program.
    pub cornerman: &'a Path,
    /// A folder on the disk, for the contest file and the record.
    pub folder: &'a Path,
    /// The field.
    pub field: &'a Field,
}

impl Kit<'_> {
    /// The path of the last run's record.
    pub fn db(&self) -> PathBuf {
        self.folder.join(self.field.name).with_extension("db")
    }

    /// Plays the tournament with a worker for each of `cores`, into a new record.
    pub fn run(&self, cores: &[usize]) -> KitRun {
        let contest = self.folder.join(self.field.name).with_extension("toml");
        fs::write(&contest, &self.field.contest).expect("the contest file is written");
        if self.db().exists() {
            fs::remove_file(self.db()).expect("the record of the last run can be removed");
        }
        let said = self.folder.join("stderr");
        let mut command = Command::new(self.cornerman);
        command.arg("tournament").arg(&contest).arg("--no-check").arg("--db").arg(self.db());
        command.args(["--workers", &cores.len().to_string()]).current_dir(self.folder).stdin(Stdio::null());
        // Progress is shown on a terminal only.
        command.stdout(Stdio::null()).stderr(File::create(&said).expect("a file for messages"));
        let began_at = SystemTime::now();
        let began = Instant::now();
        let mut child = confined(cores, || command.spawn().expect("the kit starts"));
        let pid = Pid::from_child(&child);
        // A process that is not waited for yet keeps its figures.
        waitid(WaitId::Pid(pid), WaitIdOptions::EXITED | WaitIdOptions::NOWAIT).expect("the kit ends");
        let wall = began.elapsed();
        let manager = processor_time(pid);
        let status = child.wait().expect("the kit ends");
        let words = || fs::read_to_string(&said).unwrap_or_default();
        assert!(status.success(), "the kit failed: {}\n{}", words(), self.field.contest);
        let ended_at = began_at + wall;
        let mut played = Vec::new();
        let mut first = ended_at;
        let mut last = began_at;
        let mut isolation = String::new();
        let record = Record::open(&self.db()).expect("the record");
        record
            .each_full_game::<RecordError>(&mut |game| {
                let start = UNIX_EPOCH + Duration::from_millis(game.started_ms);
                (first, last) = (first.min(start), last.max(start + game.wall));
                isolation = game.seats[0].level.map_or_else(String::new, |level| level.to_string());
                let moves = game.moves.into_iter().map(|made| made.notation).collect();
                played.push((game.pairing.id, game.outcome, moves));
                Ok(())
            })
            .expect("the games of the record");
        // The record has milliseconds, so a game may seem to have begun too early or to have ended too late.
        let before = first.duration_since(began_at).unwrap_or_default();
        let after = ended_at.duration_since(last).unwrap_or_default();
        KitRun { wall, manager, before, after, played, isolation }
    }
}

/// The yardstick, with the script of one field.
pub struct Judge {
    program: PathBuf,
    script: PathBuf,
}

impl Judge {
    /// Compiles it and writes `script`, both in `folder`.
    pub fn new(folder: &Path, script: &Script) -> Judge {
        let judge = Judge { program: folder.join("judge"), script: folder.join("script") };
        compile("tournament/judge.c", &[], &judge.program);
        fs::write(&judge.script, script.to_bytes()).expect("the script is written");
        judge
    }

    /// Plays all games with a process for each of `cores`, and returns how long that took, the number of games and that
    /// of bytes that the bots wrote. Writes all that they wrote to `answers`, if that is given.
    pub fn run(&self, cores: &[usize], answers: Option<&Path>) -> (Duration, usize, usize) {
        let mut command = Command::new(&self.program);
        command.arg(&self.script).arg(answers.unwrap_or(Path::new("-"))).args(cores.iter().map(usize::to_string));
        let began = Instant::now();
        let run = command.stdin(Stdio::null()).stderr(Stdio::inherit()).output().expect("the yardstick starts");
        let wall = began.elapsed();
        assert!(run.status.success(), "the yardstick failed");
        let words = String::from_utf8(run.stdout).expect("the yardstick prints numbers");
        let mut numbers = words.split_whitespace().map(|word| word.parse().expect("the yardstick prints numbers"));
        (wall, numbers.next().expect("the number of games"), numbers.next().expect("the number of bytes"))
    }
}

/// The processors that this program may use.
pub fn cores() -> Vec<usize> {
    let given = sched_getaffinity(None).expect("the processors of this process");
    (0..CpuSet::MAX_CPU).filter(|&core| given.is_set(core)).collect()
}

/// Calls `start` while this thread, and what it starts, may only use `cores`.
fn confined<T>(cores: &[usize], start: impl FnOnce() -> T) -> T {
    let before = sched_getaffinity(None).expect("the processors of this process");
    let mut only = CpuSet::new();
    for &core in cores {
        only.set(core);
    }
    sched_setaffinity(None, &only).expect("processors of this process");
    let started = start();
    sched_setaffinity(None, &before).expect("the processors of before");
    started
}

/// The processor time of the main thread of a process that has ended but is not waited for.
fn processor_time(pid: Pid) -> Duration {
    let id = pid.as_raw_nonzero();
    let figures = fs::read_to_string(format!("/proc/{id}/task/{id}/schedstat")).unwrap_or_default();
    let nanoseconds = figures.split_whitespace().next().and_then(|word| word.parse().ok());
    Duration::from_nanos(nanoseconds.unwrap_or(0))
}
