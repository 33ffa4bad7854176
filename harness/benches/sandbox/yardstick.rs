//! The small C programs against which the sandbox is measured. They are built with `cc` when the benchmark starts.

use super::compile::{BARE, compile};
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;
use tempfile::TempDir;

/// The built programs, in a folder that is removed on drop.
pub struct Yardsticks {
    folder: TempDir,
}

impl Yardsticks {
    /// Builds them all.
    pub fn build() -> Yardsticks {
        let folder = tempfile::tempdir().expect("a folder for the yardsticks");
        let build =
            |name: &str, how: &[&str]| compile(&format!("sandbox/{name}.c"), how, &folder.path().join(name));
        for name in ["move_bot", "line_bot", "rps_bot", "gtp_bot"] {
            build(name, BARE);
        }
        for name in ["moves", "lines", "rounds", "pingpong"] {
            build(name, &[]);
        }
        Yardsticks { folder }
    }

    /// The path of a built program.
    pub fn program(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// How long the yardstick `name` takes for `count` repetitions with `bot`.
    pub fn time(&self, name: &str, bot: &str, count: u32) -> Duration {
        let run = Command::new(self.program(name)).arg(self.program(bot)).arg(count.to_string()).output();
        let run = run.expect("the yardstick starts");
        assert!(run.status.success(), "{name}: {}", String::from_utf8_lossy(&run.stderr));
        let nanoseconds = String::from_utf8_lossy(&run.stdout).trim().parse();
        Duration::from_nanos(nanoseconds.expect("the yardstick prints nanoseconds"))
    }
}
