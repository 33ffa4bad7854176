//! Keeps the programs small, because checks copy the bot into their sandboxes, and quick to start, because some are
//! started for every move. They have no symbols, and where the C toolchain has a static stack unwinder, it is
//! linked into them instead of loaded as a library.

use std::path::Path;
use std::process::Command;

fn main() {
    // Every package that shares this script has this file.
    println!("cargo::rerun-if-changed=Cargo.toml");
    println!("cargo::rustc-link-arg-bins=-s");
    // The answer is an absolute path only if the file exists.
    let unwinder = Command::new("cc").arg("-print-file-name=libgcc_eh.a").output();
    let is_there =
        unwinder.is_ok_and(|answer| Path::new(String::from_utf8_lossy(&answer.stdout).trim()).is_absolute());
    if let (true, Some(folder)) = (is_there, std::env::var_os("OUT_DIR")) {
        let script = Path::new(&folder).join("libgcc_s.so");
        std::fs::write(&script, "INPUT(-lgcc_eh)\n").expect("cargo made the folder");
        println!("cargo::rustc-link-search=native={}", Path::new(&folder).display());
    }
}
