//! The name that this program was called by, for the commands that it prints.

pub(crate) use cornerman_harness::text::quoted;
use std::ffi::{OsStr, OsString};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether [`command`] was called, so that its result has probably been printed.
static IS_NAMED: AtomicBool = AtomicBool::new(false);

/// What to type to call this program again: `cargo xtask` if cargo runs it, else its name. If it was called by a path,
/// the [`legend`] explains the name at the end.
pub(crate) fn command() -> String {
    IS_NAMED.store(true, Ordering::Relaxed);
    let program = program();
    if is_xtask(&program) { "cargo xtask".to_string() } else { quoted(name_of(&program)) }
}

/// The command of this program called `name` with one argument, such as `cornerman replay cup.db`.
pub(crate) fn command_with(name: &str, argument: impl AsRef<OsStr>) -> String {
    format!("{} {name} {}", command(), quoted(argument.as_ref()))
}

/// What to type in `folder` to call this program again. Outside the checkout cargo does not know `xtask`.
pub(crate) fn command_in(folder: &Path) -> String {
    let is_inside = std::path::absolute(folder)
        .is_ok_and(|folder| checkout().is_some_and(|checkout| folder.starts_with(checkout)));
    let program = program();
    if is_xtask(&program) && is_inside { command() } else { quoted(name_of(&program)) }
}

/// A line that says where the program is, if it was called by a path, which [`command`] leaves out.
pub(crate) fn legend() -> Option<String> {
    let program = program();
    let is_path = IS_NAMED.load(Ordering::Relaxed) && Path::new(&program).components().count() > 1;
    let whole = std::env::current_exe().ok().filter(|_| is_path && !is_xtask(&program))?;
    Some(format!("`{}` is {}", quoted(name_of(&program)), quoted(whole.as_os_str())))
}

/// The checkout that this program was built in, if it is still there; `None` for what is handed out.
pub(crate) fn checkout() -> Option<&'static Path> {
    #[cfg(feature = "dist")]
    return None;
    #[cfg(not(feature = "dist"))]
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().filter(|root| root.join("Cargo.toml").is_file())
}

fn name_of(program: &OsStr) -> &OsStr {
    Path::new(program).file_name().unwrap_or(program)
}

fn program() -> OsString {
    std::env::args_os().next().unwrap_or_else(|| "cornerman".into())
}

/// Whether `cargo xtask` calls `program` again: cargo has set its variables, and it is one of this workspace's
/// programs, in a folder that cargo builds into.
fn is_xtask(program: &OsStr) -> bool {
    let is_build = |folder: &Path| folder.ends_with("debug") || folder.ends_with("release");
    let is_own = ["cornerman", "xtask"].iter().any(|name| name_of(program) == *name);
    std::env::var_os("CARGO").is_some() && is_own && Path::new(program).parent().is_some_and(is_build)
}
