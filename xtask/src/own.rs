//! The name that this program was called by, for the commands that it prints.

use cornerman_conformance::report::quoted;
use std::path::Path;

/// What to type to call this program again: `cargo xtask` if cargo runs it, else the program as it was called.
pub fn command() -> String {
    let program = std::env::args_os().next().unwrap_or_else(|| "cornerman".into());
    let by_cargo = std::env::var_os("CARGO").is_some() && is_of_a_build(Path::new(&program));
    if by_cargo { "cargo xtask".to_string() } else { quoted(&program) }
}

/// Whether `program` is `cornerman` in a folder that cargo builds into.
fn is_of_a_build(program: &Path) -> bool {
    let is_built = |folder: &Path| folder.ends_with("debug") || folder.ends_with("release");
    program.file_name().is_some_and(|name| name == "cornerman") && program.parent().is_some_and(is_built)
}
