//! `play` that is stopped by closing its output, by Ctrl-C or by force: it leaves no processes and no files.

use crate::support::leftovers::{
    INT, KILL, Process, descendants, processes, sigint_arrives, wait_for, wait_until_gone,
    wait_until_nothing_is_left,
};
use crate::support::{PROGRAM, Ran, Scratch, THOROUGH_LEVELS, marks, messages_of, trial};
use libtest_mimic::Trial;
use std::io::{BufRead, BufReader, Read};
use std::os::unix::process::ExitStatusExt;
use std::path::PathBuf;
use std::process::{Child, ChildStdout, Command, ExitStatus, Stdio};

pub fn trials() -> Vec<Trial> {
    vec![
        trial!(a_reader_that_goes_away_ends_it_quietly),
        trial!(a_full_disk_is_reported),
        trial!(ctrl_c_leaves_nothing, if sigint_arrives, || at_all_levels("INT", INT)),
        trial!(being_killed_leaves_nothing, ["awk"], || at_all_levels("KILL", KILL)),
    ]
}

/// A game that takes longer than a test waits, with bots that leave processes, and files in `/tmp`.
struct LongGame {
    scratch: Scratch,
    marks: String,
    command: Child,
}

impl LongGame {
    fn start(level: &str) -> LongGame {
        let scratch = Scratch::new();
        let slow = scratch.script("slow", ": > \"/tmp/arena.$mark\"\n\"$0\" linger &\nsleep 1; move");
        let marks = marks(8);
        let command = Command::new(PROGRAM)
            .args(["play", "--game", "boxing", "--isolation-at-most", level, "--marks", &marks])
            .args([&slow; 8])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the command can be started");
        LongGame { scratch, marks, command }
    }

    /// Waits until a bot has left a process. Returns all processes that the command started, and the bots' folder.
    fn wait_until_under_way(&self) -> (Vec<Process>, PathBuf) {
        let linger = format!("tail\0-n\00\0-f\0{}", self.scratch.path().display());
        wait_for("a bot that runs", || {
            let home = processes(&linger).first()?.variable("HOME")?;
            Some((descendants(self.command.id()), PathBuf::from(home)))
        })
    }

    /// Waits until the command ends, and returns its last output.
    fn end(mut self) -> (ExitStatus, String) {
        let status = wait_for("the end of the command", || self.command.try_wait().expect("it was started"));
        let mut said = String::new();
        self.command.stderr.take().expect("it is piped").read_to_string(&mut said).expect("UTF-8");
        wait_until_nothing_is_left(&self.scratch, &self.marks);
        (status, messages_of(&said))
    }
}

impl Drop for LongGame {
    /// Even a trial that fails leaves nothing running.
    fn drop(&mut self) {
        self.command.kill().ok();
        self.command.wait().ok();
    }
}

fn at_all_levels(name: &str, signal: i32) {
    for level in &THOROUGH_LEVELS {
        check(name, signal, level);
    }
}

fn check(name: &str, signal: i32, level: &str) {
    let game = LongGame::start(level);
    let (started, home) = game.wait_until_under_way();
    assert!(started.len() >= 10, "eight servers, a bot and what it left: {started:?}");
    let sent = Command::new("sh").args(["-c", &format!("kill -{name} {}", game.command.id())]).status();
    assert!(sent.is_ok_and(|status| status.success()));
    let (status, said) = game.end();
    assert_eq!((status.signal(), said.as_str()), (Some(signal), ""));
    wait_for("the end of all that was started", || started.iter().all(|one| !one.runs()).then_some(()));
    wait_until_gone(&home);
}

/// Reads one line and closes the pipe, as `head -1` does.
fn read_a_line(stdout: ChildStdout) -> String {
    let mut line = String::new();
    BufReader::new(stdout).read_line(&mut line).expect("a line");
    line
}

fn a_reader_that_goes_away_ends_it_quietly() {
    let mut game = LongGame::start("namespaced");
    let (started, home) = game.wait_until_under_way();
    assert!(read_a_line(game.command.stdout.take().expect("it is piped")).starts_with("Game 1: "));
    let (status, said) = game.end();
    assert_eq!((status.code(), said.as_str()), (Some(0), ""));
    wait_for("the end of all that was started", || started.iter().all(|one| !one.runs()).then_some(()));
    wait_until_gone(&home);
    for args in [&["bots"][..], &["completions", "bash"], &["--help"]] {
        let shell = format!("{PROGRAM} {} | true", args.join(" "));
        let ran = Command::new("sh").args(["-c", &shell]).output().expect("a shell");
        assert_eq!(String::from_utf8_lossy(&ran.stderr), "", "{shell}");
    }
}

fn a_full_disk_is_reported() {
    let args = ["play", "@greedy", "@parity", "-q", "--marks", &marks(2)];
    let mut shell = assert_cmd::Command::new("sh");
    shell.args(["-c", &format!("{PROGRAM} {} >/dev/full", args.join(" "))]);
    let ran = Ran::from_command(shell);
    assert_eq!(
        (ran.code, ran.messages().as_str()),
        (Some(3), "error: writing the output: No space left on device (os error 28)\n")
    );
}
