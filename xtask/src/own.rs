//! The name that this program was called by, for the commands that it prints.

pub use cornerman_conformance::report::quoted;
use std::ffi::{OsStr, OsString};
use std::path::Path;

/// What to type to call this program again: `cargo xtask` if cargo runs it, else the program as it was called.
pub fn command() -> String {
    let program = program();
    if is_by_cargo(&program) { "cargo xtask".to_string() } else { quoted(&program) }
}

/// What to type in `folder` to call this program again. Outside the checkout cargo does not know `xtask`, and a path
/// from the current folder does not lead to the program.
pub fn command_in(folder: &Path) -> String {
    let program = program();
    let is_path = Path::new(&program).components().count() > 1;
    let checkout = Path::new(env!("CARGO_MANIFEST_DIR")).parent();
    let is_inside =
        || std::path::absolute(folder).is_ok_and(|f| checkout.is_some_and(|checkout| f.starts_with(checkout)));
    match std::env::current_exe() {
        Ok(whole) if is_path && !(is_by_cargo(&program) && is_inside()) => quoted(whole.as_os_str()),
        _ => command(),
    }
}

fn program() -> OsString {
    std::env::args_os().next().unwrap_or_else(|| "cornerman".into())
}

fn is_by_cargo(program: &OsStr) -> bool {
    std::env::var_os("CARGO").is_some() && is_of_a_build(Path::new(program))
}

/// Whether `program` is `cornerman` in a folder that cargo builds into.
fn is_of_a_build(program: &Path) -> bool {
    let is_built = |folder: &Path| folder.ends_with("debug") || folder.ends_with("release");
    program.file_name().is_some_and(|name| name == "cornerman") && program.parent().is_some_and(is_built)
}
