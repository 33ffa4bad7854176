//! `dist`: makes what is handed out, from a checkout: one program with everything inside, and packages of it.
//!
//! The same commit gives the same bytes in any folder: compilers leave the folder's path out, and files have the time
//! of the commit or a fixed one.

mod build;
mod layout;
mod packages;
mod portable;

use anyhow::Context;
use build::Builder;
use cargo_metadata::{CargoOpt, Metadata, MetadataCommand};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::Instant;

const HELP: &str = "\
Make what is handed out: the program, and packages of it

Usage: cargo xtask dist [--native]

Options:
  --native  Build with this machine's C compiler and glibc, not with zig for an old glibc
";

/// Builds the program and its packages, and prints what was made. The exit code is 2 for wrong arguments.
pub fn main(root: &Path) -> anyhow::Result<ExitCode> {
    let args: Vec<String> = std::env::args().skip(2).collect();
    let native = match args.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => false,
        ["--native"] => true,
        ["--help" | "-h"] => {
            anstream::print!("{HELP}");
            return Ok(ExitCode::SUCCESS);
        }
        _ => {
            anstream::eprintln!("error: `dist` takes --native or nothing, not `{}`\n\n{HELP}", args.join(" "));
            return Ok(ExitCode::from(2));
        }
    };
    run(root, native).map(|()| ExitCode::SUCCESS)
}

/// What the steps share.
struct Release {
    root: PathBuf,
    /// The folder for what is made.
    out: PathBuf,
    /// The version for names of packages: `0.1.0`.
    version: String,
    /// The time of the commit, in seconds since 1970, or `SOURCE_DATE_EPOCH`.
    time: u64,
    /// The packages that the program is built from.
    metadata: Metadata,
}

fn run(root: &Path, native: bool) -> anyhow::Result<()> {
    let release = Release::from_checkout(root.to_path_buf())?;
    std::fs::remove_dir_all(&release.out).ok();
    std::fs::create_dir_all(&release.out)?;
    let builder = Builder::new(&release, native)?;
    let bots = step("reference bots", || builder.bots())?;
    let program = step("program", || builder.program(&bots))?;
    let glibc = step("portability", || portable::check(&program, &builder.own_paths(), builder.libraries()))?;
    let tree = step("documents", || layout::write_tree(&release, &program))?;
    let packages = step("packages", || packages::make(&release, &tree, glibc))?;
    anstream::println!("{} for x86-64 Linux with glibc {}.{} or later:", cornerman_cli::VERSION, glibc.0, glibc.1);
    for file in packages.iter().chain([&program]) {
        let size = std::fs::metadata(file)?.len();
        anstream::println!("{:>6.1} MB  {}", size as f64 / 1e6, file.display());
    }
    Ok(())
}

impl Release {
    fn from_checkout(root: PathBuf) -> anyhow::Result<Release> {
        let metadata = MetadataCommand::new()
            .manifest_path(root.join("cli/Cargo.toml"))
            .features(CargoOpt::SomeFeatures(vec!["dist".to_string()]))
            .other_options(["--locked", "--filter-platform", build::TARGET].map(String::from))
            .exec()
            .context("cannot run `cargo metadata`")?;
        let version = metadata.root_package().context("the command line has no package")?.version.to_string();
        let time = match std::env::var("SOURCE_DATE_EPOCH") {
            Ok(time) => time,
            Err(_) => output(Command::new("git").args(["log", "-1", "--format=%ct"]).current_dir(&root))
                .context("the time of the commit is not known: set SOURCE_DATE_EPOCH")?,
        };
        let time = time.trim().parse().with_context(|| format!("expected seconds since 1970, not `{time}`"))?;
        let out = metadata.target_directory.as_std_path().join("dist");
        Ok(Release { root, out, version, time, metadata })
    }
}

/// Runs a step, and prints how long it took.
fn step<T>(name: &str, run: impl FnOnce() -> anyhow::Result<T>) -> anyhow::Result<T> {
    let start = Instant::now();
    anstream::eprintln!("== {name}");
    let done = run().with_context(|| format!("making the {name}"))?;
    anstream::eprintln!("== {name}: {} s", start.elapsed().as_secs());
    Ok(done)
}

/// What `command` prints.
///
/// # Errors
/// When it cannot be started or fails, with what it prints to standard error.
fn output(command: &mut Command) -> anyhow::Result<String> {
    let ran = command.output().with_context(|| format!("starting {}", command.get_program().display()))?;
    let said = String::from_utf8_lossy(&ran.stderr);
    anyhow::ensure!(ran.status.success(), "{}: {}: {said}", command.get_program().display(), ran.status);
    Ok(String::from_utf8_lossy(&ran.stdout).into_owned())
}

/// Writes a file, and the folders that it is in.
fn write(file: &Path, bytes: impl AsRef<[u8]>) -> anyhow::Result<()> {
    let write = || {
        std::fs::create_dir_all(file.parent().unwrap_or(Path::new("")))?;
        std::fs::write(file, bytes)
    };
    write().with_context(|| format!("writing {}", file.display()))
}
