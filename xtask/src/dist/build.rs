//! Builds the reference bots and the program that embeds them.
//!
//! The program is dynamic, so that names of hosts are resolved as on the user's machine, and, without `--native`,
//! linked by zig against the symbols of an old glibc, so that it runs with that. zig links the code that unwinds the
//! stack too, so no `libgcc_s` is needed.

use super::{Release, output, write};
use anyhow::{Context, ensure};
use cargo_metadata::TargetKind;
use sha2::{Digest, Sha256};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What the program is built for.
pub const TARGET: &str = "x86_64-unknown-linux-gnu";

/// The oldest glibc that Rust's standard library runs with.
const GLIBC: &str = "2.17";

/// Builds for [`TARGET`].
pub struct Builder<'a> {
    release: &'a Release,
    /// The folder that cargo builds into. It is not the developer's, whose builds have other flags.
    folder: PathBuf,
    /// The folders of this machine that no program may name, each with what it is called instead.
    folders: Vec<(PathBuf, &'static str)>,
    has_zig: bool,
}

impl<'a> Builder<'a> {
    /// Builds with zig. If `native` is asked for, or if zig cannot be used, which is reported, builds with this
    /// machine's compiler and glibc.
    pub fn new(release: &'a Release, native: bool) -> anyhow::Result<Builder<'a>> {
        let sysroot = output(Command::new("rustc").args(["--print", "sysroot"]).current_dir(&release.root))?;
        let home = std::env::home_dir().context("this user has no home folder")?;
        let cargo = std::env::var_os("CARGO_HOME").map_or(home.join(".cargo"), PathBuf::from);
        let folder = release.metadata.target_directory.as_std_path().join("dist-build");
        let mut folders = vec![(sysroot.trim().into(), "/rust"), (cargo, "/cargo")];
        if !folder.starts_with(&release.root) {
            folders.push((folder.clone(), "/cornerman/target"));
        }
        folders.push((release.root.clone(), "/cornerman"));
        for (folder, _) in &folders {
            let is_plain = folder.to_str().is_some_and(|path| !path.contains([' ', '=']));
            ensure!(is_plain, "{}: compilers need a path without spaces and `=`", folder.display());
        }
        let zig = output(Command::new("cargo-zigbuild").arg("--version"));
        if let (false, Err(why)) = (native, &zig) {
            anstream::eprintln!("built with this machine's glibc, because zig cannot be used: {why:#}");
            anstream::eprintln!("for an old one: `pip install ziglang` and `cargo install cargo-zigbuild`");
        }
        Ok(Builder { release, folder, folders, has_zig: !native && zig.is_ok() })
    }

    /// The paths of this machine that no program may contain.
    pub fn own_paths(&self) -> Vec<&Path> {
        self.folders.iter().map(|(folder, _)| folder.as_path()).collect()
    }

    /// The libraries that the program needs besides those of glibc.
    pub fn libraries(&self) -> &'static [&'static str] {
        if self.has_zig { &[] } else { &["libgcc_s.so.1"] }
    }

    /// Builds each reference bot as a program of its own, compresses them together, and returns the folder with the
    /// files that the program embeds.
    pub fn bots(&self) -> anyhow::Result<PathBuf> {
        let package = self.release.metadata.packages.iter().find(|package| package.name == "reference-bots");
        let targets = &package.context("there is no package of reference bots")?.targets;
        let names =
            targets.iter().filter(|target| target.kind.contains(&TargetKind::Bin)).map(|target| &target.name);
        let built = self.cargo("dist-bots", &["--package", "reference-bots", "--bins"], None)?;
        let mut list = Vec::new();
        let mut programs = zstd::Encoder::new(Vec::new(), 19)?;
        // The programs are alike, so a large window (2^24 bytes) lets each refer to those before it.
        programs.window_log(24)?;
        programs.long_distance_matching(true)?;
        for name in names {
            let program = built.join(name);
            let bytes = std::fs::read(&program).with_context(|| format!("reading {}", program.display()))?;
            let sha256 = hex(&Sha256::digest(&bytes));
            list.push(serde_json::json!({ "name": name, "bytes": bytes.len(), "sha256": sha256 }));
            programs.write_all(&bytes)?;
        }
        let folder = self.folder.join("bots");
        write(&folder.join("programs.json"), serde_json::to_string(&list)?)?;
        write(&folder.join("programs.zst"), programs.finish()?)?;
        Ok(folder)
    }

    /// Builds the program with the embedded files of the folder `bots`, and returns its path.
    pub fn program(&self, bots: &Path) -> anyhow::Result<PathBuf> {
        let args = ["--package", "cornerman-cli", "--bin", "cornerman", "--features", "dist"];
        Ok(self.cargo("dist", &args, Some(bots))?.join("cornerman"))
    }

    /// Builds with a profile, and returns the folder of its programs.
    fn cargo(&self, profile: &str, args: &[&str], bots: Option<&Path>) -> anyhow::Result<PathBuf> {
        let map = |option: &str| {
            let words = self.folders.iter().map(|(folder, name)| format!("{option}={}={name}", folder.display()));
            words.collect::<Vec<_>>().join(" ")
        };
        let (command, target) =
            if self.has_zig { ("zigbuild", format!("{TARGET}.{GLIBC}")) } else { ("build", TARGET.to_string()) };
        let mut cargo = Command::new("cargo");
        cargo.args([command, "--locked", "--target", &target, "--profile", profile]).args(args);
        cargo.current_dir(&self.release.root).env("CARGO_TARGET_DIR", &self.folder);
        // The cache of verdicts recognizes a build by this id.
        let flags = format!("{} -Clink-arg=-Wl,--build-id=sha1", map("--remap-path-prefix"));
        cargo.env("RUSTFLAGS", flags).env("CFLAGS", map("-ffile-prefix-map"));
        cargo.env("SOURCE_DATE_EPOCH", self.release.time.to_string());
        cargo.env_remove("CARGO_ENCODED_RUSTFLAGS");
        cargo.envs(bots.map(|folder| ("CORNERMAN_BOTS", folder)));
        let status = cargo.status().context("starting cargo")?;
        ensure!(status.success(), "`cargo {command} {}` failed: {status}", args.join(" "));
        Ok(self.folder.join(TARGET).join(profile))
    }
}

pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
