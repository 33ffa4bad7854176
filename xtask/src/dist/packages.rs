//! Packs an installation as an archive, a Debian package and a Python wheel, and lists their checksums.

use super::build::hex;
use super::layout::{InstallTree, PROGRAM, set_all_permissions};
use super::portable::Glibc;
use super::{Release, output, write};
use anyhow::Context;
use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use sha2::{Digest, Sha256};
use std::fs::{self, File};
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

const SUMMARY: &str =
    "Test, pit and rank bots: a conformance checker, a sandboxed referee and a tournament runner";

/// Makes all packages of the installation `tree`, whose program needs this `glibc`, and returns their paths.
pub fn make(release: &Release, tree: &InstallTree, glibc: Glibc) -> anyhow::Result<Vec<PathBuf>> {
    let packages = [archive(release, tree)?, debian(release, tree, glibc)?, wheel(release, tree, glibc)?];
    let mut sums = String::new();
    for package in &packages {
        let name = package.file_name().unwrap_or_default().display();
        sums += &format!("{}  {name}\n", hex(&Sha256::digest(fs::read(package)?)));
    }
    write(&release.out.join("SHA256SUMS"), sums)?;
    Ok(packages.into())
}

/// An archive with one folder, which can be used where it is unpacked.
fn archive(release: &Release, tree: &InstallTree) -> anyhow::Result<PathBuf> {
    let name = tree.folder.file_name().context("the installation has no name")?;
    let archive = release.out.join(format!("{}.tar.xz", name.display()));
    let mut tar = Command::new("tar");
    tar.args(["--create", "--xz", "--sort=name", "--owner=0", "--group=0", "--numeric-owner", "--format=gnu"]);
    tar.arg(format!("--mtime=@{}", release.time)).env("XZ_OPT", "-9e").env("LC_ALL", "C");
    output(tar.arg("--file").arg(&archive).arg("--directory").arg(&release.out).arg(name))?;
    Ok(archive)
}

fn debian(release: &Release, tree: &InstallTree, glibc: Glibc) -> anyhow::Result<PathBuf> {
    let package = release.out.join(format!("cornerman_{}_amd64.deb", release.version));
    let folder = release.out.join("deb");
    fs::create_dir(&folder)?;
    fs::create_dir(folder.join("DEBIAN"))?;
    let mut bytes = 0;
    for file in &tree.files {
        let to = folder.join("usr").join(file);
        fs::create_dir_all(to.parent().unwrap_or(&folder))?;
        bytes += fs::copy(tree.folder.join(file), &to)?;
    }
    let control = format!(
        "Package: cornerman\nVersion: {}\nArchitecture: amd64\nMaintainer: the developers of Cornerman \
         <cornerman@localhost>\nInstalled-Size: {}\nDepends: libc6 (>= {}.{})\nSection: games\nPriority: \
         optional\nDescription: {SUMMARY}\n",
        release.version,
        bytes.div_ceil(1024),
        glibc.0,
        glibc.1
    );
    write(&folder.join("DEBIAN/control"), control)?;
    set_all_permissions(&folder)?;
    let mut build = Command::new("dpkg-deb");
    build.args(["--build", "--root-owner-group", "-Zxz"]).env("SOURCE_DATE_EPOCH", release.time.to_string());
    output(build.arg(&folder).arg(&package))?;
    fs::remove_dir_all(&folder)?;
    Ok(package)
}

/// A Python wheel. There is no Python in it: `pip` puts the program where it puts commands.
fn wheel(release: &Release, tree: &InstallTree, glibc: Glibc) -> anyhow::Result<PathBuf> {
    let version = &release.version;
    let tag = format!("py3-none-manylinux_{}_{}_x86_64", glibc.0, glibc.1);
    let wheel = release.out.join(format!("cornerman-{version}-{tag}.whl"));
    let mut packed = Packed { zip: ZipWriter::new(File::create(&wheel)?), record: String::new() };
    for file in &tree.files {
        let place =
            if file == Path::new(PROGRAM) { "scripts/cornerman".into() } else { Path::new("data").join(file) };
        let name = format!("cornerman-{version}.data/{}", place.display());
        let from = tree.folder.join(file);
        packed.add(&name, &fs::read(&from)?, fs::metadata(&from)?.permissions().mode())?;
    }
    let info = format!("cornerman-{version}.dist-info");
    let metadata = format!(
        "Metadata-Version: 2.1\nName: cornerman\nVersion: {version}\nSummary: {SUMMARY}\nLicense: MIT OR Apache-2.0\n"
    );
    packed.add(&format!("{info}/METADATA"), metadata.as_bytes(), 0o644)?;
    let kind = format!("Wheel-Version: 1.0\nGenerator: cornerman\nRoot-Is-Purelib: false\nTag: {tag}\n");
    packed.add(&format!("{info}/WHEEL"), kind.as_bytes(), 0o644)?;
    let record = format!("{info}/RECORD");
    let lines = format!("{}{record},,\n", packed.record);
    packed.add(&record, lines.as_bytes(), 0o644)?;
    packed.zip.finish()?;
    Ok(wheel)
}

/// A wheel that is being written.
struct Packed {
    zip: ZipWriter<File>,
    /// Its list of files: their names, hashes and sizes.
    record: String,
}

impl Packed {
    fn add(&mut self, name: &str, bytes: &[u8], mode: u32) -> anyhow::Result<()> {
        // Without the time of day, the same files make the same bytes.
        let options = SimpleFileOptions::default().unix_permissions(mode).compression_level(Some(9));
        self.zip.start_file(name, options)?;
        self.zip.write_all(bytes)?;
        let hash = BASE64_URL_SAFE_NO_PAD.encode(Sha256::digest(bytes));
        self.record += &format!("{name},sha256={hash},{}\n", bytes.len());
        Ok(())
    }
}
