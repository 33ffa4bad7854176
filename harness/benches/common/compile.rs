//! Compiles the C programs of the benches with the machine's own `cc`.

use std::path::Path;
use std::process::Command;

/// Options for programs without a C library, on machines for which `bare.h` has an entry point.
pub const BARE: &[&str] = if cfg!(any(target_arch = "x86_64", target_arch = "aarch64")) {
    &[
        "-static",
        "-nostdlib",
        "-ffreestanding",
        "-fno-stack-protector",
        "-fno-pie",
        "-no-pie",
        // Loops stay loops: there is no `memset` or `memmove` to call.
        "-fno-tree-loop-distribute-patterns",
    ]
} else {
    &["-static"]
};

/// Compiles `source`, a file below `benches`, to the program `into`.
pub fn compile(source: &str, how: &[&str], into: &Path) {
    let benches = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches");
    let mut cc = Command::new("cc");
    cc.arg("-O2").args(how).arg("-I").arg(benches.join("common")).arg(benches.join(source)).arg("-o").arg(into);
    assert!(cc.status().expect("`cc` is installed").success(), "cc {source}");
}
