//! How this program is called, for the commands that it prints.

use cornerman_conformance::report::quoted;
use std::path::Path;

/// What somebody types to call this program again: `cargo xtask` from the kit's own checkout, else as it was called.
pub fn command() -> String {
    let program = std::env::args_os().next().unwrap_or_else(|| "cornerman".into());
    let by_cargo = std::env::var_os("CARGO").is_some() && is_of_a_build(Path::new(&program));
    if by_cargo { "cargo xtask".to_string() } else { quoted(&program) }
}

/// Whether it is the kit's own program, where cargo puts what it builds and runs itself.
fn is_of_a_build(program: &Path) -> bool {
    let is_built = |folder: &Path| folder.ends_with("debug") || folder.ends_with("release");
    program.file_name().is_some_and(|name| name == "cornerman") && program.parent().is_some_and(is_built)
}
