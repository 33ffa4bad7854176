//! Keeps programs small that are copied for every sandbox in which they play, and quick to start, which some do for every
//! move: what unwinds the stack is linked into them where the C toolchain has it, instead of loaded as a library.

use std::path::Path;
use std::process::Command;

fn main() {
    // A file that every package has which shares this one.
    println!("cargo::rerun-if-changed=Cargo.toml");
    println!("cargo::rustc-link-arg-bins=-s");
    let unwinder = Command::new("cc").arg("-print-file-name=libgcc_eh.a").output();
    let is_there =
        unwinder.is_ok_and(|answer| Path::new(String::from_utf8_lossy(&answer.stdout).trim()).is_absolute());
    if let (true, Some(folder)) = (is_there, std::env::var_os("OUT_DIR")) {
        let script = Path::new(&folder).join("libgcc_s.so");
        std::fs::write(&script, "INPUT(-lgcc_eh)\n").expect("cargo made the folder");
        println!("cargo::rustc-link-search=native={}", Path::new(&folder).display());
    }
}
