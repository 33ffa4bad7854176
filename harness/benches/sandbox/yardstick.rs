//! The small C programs against which the sandbox is measured. They are built with `cc` when the benchmark starts.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;
use tempfile::TempDir;

/// Options to build programs without a C library, on machines for which `bare.h` has an entry point.
const BARE: &[&str] = if cfg!(any(target_arch = "x86_64", target_arch = "aarch64")) {
    &["-static", "-nostdlib", "-ffreestanding", "-fno-stack-protector", "-fno-pie", "-no-pie"]
} else {
    &["-static"]
};

/// The built programs, in a folder that is removed on drop.
pub struct Yardsticks {
    folder: TempDir,
}

impl Yardsticks {
    /// Builds them all.
    pub fn build() -> Yardsticks {
        let folder = tempfile::tempdir().expect("a folder for the yardsticks");
        for name in ["move_bot", "line_bot", "rps_bot", "gtp_bot"] {
            compile(name, BARE, folder.path());
        }
        for name in ["moves", "lines", "rounds", "pingpong"] {
            compile(name, &[], folder.path());
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

fn compile(name: &str, how: &[&str], into: &Path) {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/sandbox").join(name).with_extension("c");
    let built = Command::new("cc").arg("-O2").args(how).arg(&source).arg("-o").arg(into.join(name)).status();
    assert!(built.expect("`cc` is installed").success(), "cc {}", source.display());
}
