//! `check` that is stopped by Ctrl-C or killed: it leaves no processes and no files.

use crate::support::leftovers::{
    INT, KILL, Process, descendants, processes, sigint_arrives, wait_for, wait_until_gone,
    wait_until_nothing_is_left,
};
use crate::support::{PROGRAM, Scratch, THOROUGH_LEVELS, own_the_state_files, trial};
use libtest_mimic::Trial;
use std::os::unix::process::ExitStatusExt;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

pub fn trials() -> Vec<Trial> {
    vec![
        trial!(ctrl_c_leaves_nothing, if sigint_arrives, || at_all_levels("INT", INT)),
        trial!(being_killed_leaves_nothing, [], || at_all_levels("KILL", KILL)),
    ]
}

/// A check that takes longer than a test waits, of a bot that leaves processes and files.
struct LongCheck {
    scratch: Scratch,
    command: Child,
}

impl LongCheck {
    fn start(level: &str) -> LongCheck {
        let scratch = Scratch::new();
        scratch.script("slow", ": > \"/tmp/arena.$mark\"\n\"$0\" linger &\nsleep 1; move");
        let command = Command::new(PROGRAM)
            .args(["check", "./slow", "--isolation-at-most", level])
            .current_dir(scratch.path())
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("the command can be started");
        LongCheck { scratch, command }
    }

    /// Waits until the bot has left a process. Returns all processes that the command started, and the bot's folder.
    fn wait_until_under_way(&self) -> (Vec<Process>, PathBuf) {
        let linger = format!("tail\0-n\00\0-f\0{}", self.scratch.path().display());
        wait_for("a bot that runs", || {
            let home = processes(&linger).first()?.variable("HOME")?;
            Some((descendants(self.command.id()), PathBuf::from(home)))
        })
    }
}

impl Drop for LongCheck {
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
    let _state_files = own_the_state_files();
    let mut long = LongCheck::start(level);
    let (started, home) = long.wait_until_under_way();
    assert!(started.len() >= 3, "a server, a bot and what it left: {started:?}");
    let sent = Command::new("sh").args(["-c", &format!("kill -{name} {}", long.command.id())]).status();
    assert!(sent.is_ok_and(|status| status.success()));
    let status = wait_for("the end of the command", || long.command.try_wait().expect("it was started"));
    assert_eq!(status.signal(), Some(signal));
    // The first arena's mark.
    wait_until_nothing_is_left(&long.scratch, "K");
    wait_for("the end of all that was started", || started.iter().all(|one| !one.runs()).then_some(()));
    wait_until_gone(&home);
}
