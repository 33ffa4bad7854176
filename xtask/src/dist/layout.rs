//! Lays out the files of an installation: the program, its pages for `man`, completions, documents and licences.

use super::{Release, licences, output, write};
use anyhow::Context;
use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The files of an installation, in a folder that takes the place of `/usr` or `~/.local`.
pub struct InstallTree {
    /// The folder.
    pub folder: PathBuf,
    /// Its files, as sorted paths in it.
    pub files: Vec<PathBuf>,
}

/// The file of the program in a [`Tree`].
pub const PROGRAM: &str = "bin/cornerman";

/// The completions: the shell, and where its file is.
const COMPLETIONS: [(&str, &str); 3] = [
    ("bash", "share/bash-completion/completions/cornerman"),
    ("fish", "share/fish/vendor_completions.d/cornerman.fish"),
    ("zsh", "share/zsh/site-functions/_cornerman"),
];

/// The documents and examples of the checkout.
const DOCUMENTS: [&str; 8] =
    ["CHANGELOG.md", "LICENSE-APACHE", "LICENSE-MIT", "README.md", "SECURITY.md", "bots", "contests", "docs"];

/// Writes the files of an installation of `program`.
pub fn write_tree(release: &Release, program: &Path) -> anyhow::Result<InstallTree> {
    let folder = release.out.join(format!("cornerman-{}-x86_64-linux", release.version));
    let documents = folder.join("share/doc/cornerman");
    copy(program, &folder.join(PROGRAM))?;
    for (shell, file) in COMPLETIONS {
        write(&folder.join(file), output(Command::new(program).args(["completions", shell]))?)?;
    }
    let pages = folder.join("share/man/man1");
    fs::create_dir_all(&pages)?;
    clap_mangen::generate_to(cornerman_cli::command(), &pages).context("writing the pages for `man`")?;
    let mut list = Command::new("git");
    list.args(["ls-files", "--"]).args(DOCUMENTS).current_dir(&release.root);
    for name in output(&mut list)?.lines() {
        copy(&release.root.join(name), &documents.join(name))?;
    }
    write(&documents.join("THIRD-PARTY.txt"), licences::text(&release.metadata)?)?;
    let files = settle(&folder)?;
    Ok(InstallTree { folder, files })
}

fn copy(from: &Path, to: &Path) -> anyhow::Result<()> {
    fs::create_dir_all(to.parent().unwrap_or(Path::new("")))?;
    fs::copy(from, to).with_context(|| format!("copying {}", from.display()))?;
    Ok(())
}

/// Gives all files below `root` permissions that do not depend on who made them, and returns their sorted paths there.
pub fn settle(root: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    settle_below(root, Path::new(""), &mut files)?;
    files.sort();
    Ok(files)
}

fn settle_below(root: &Path, below: &Path, files: &mut Vec<PathBuf>) -> anyhow::Result<()> {
    let folder = root.join(below);
    fs::set_permissions(&folder, Permissions::from_mode(0o755))?;
    for entry in fs::read_dir(&folder)? {
        let path = below.join(entry?.file_name());
        if root.join(&path).is_dir() {
            settle_below(root, &path, files)?;
        } else {
            let mode = fs::metadata(root.join(&path))?.permissions().mode();
            let mode = if mode & 0o100 != 0 { 0o755 } else { 0o644 };
            fs::set_permissions(root.join(&path), Permissions::from_mode(mode))?;
            files.push(path);
        }
    }
    Ok(())
}
