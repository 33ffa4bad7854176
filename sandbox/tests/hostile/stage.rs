//! The folders of trials: the program is compiled once, and each trial has a folder with a copy of it.

use include_dir::{Dir, File, include_dir};
use std::fs;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The sources of the program. They are included, because another user, who cannot read the checkout, may run the
/// trials.
static SOURCES: Dir = include_dir!("$CARGO_MANIFEST_DIR/tests/hostile/bots");

/// Folders in which bots may write at every level. The bots themselves must not be below them.
const WRITABLE: [&str; 3] = ["/tmp", "/var/tmp", "/dev/shm"];

/// The folder of all trials.
pub struct Stage {
    folder: tempfile::TempDir,
}

/// The folder of one trial.
pub struct Place {
    /// The bot.
    pub bot: PathBuf,
    /// A folder for files that are not the bot's.
    pub hosts_folder: PathBuf,
}

impl Stage {
    /// Compiles the program.
    pub fn set_up() -> io::Result<Stage> {
        let folder = tempfile::Builder::new().prefix(".hostile-").tempdir_in(site()?)?;
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755))?;
        let sources_folder = folder.path().join("bots");
        fs::create_dir(&sources_folder)?;
        SOURCES.extract(&sources_folder)?;
        let is_source = |file: &&File| file.path().extension().is_some_and(|end| end == "c");
        let sources = SOURCES.files().filter(is_source).map(|file| sources_folder.join(file.path()));
        let built = Command::new("cc")
            .args(["-std=gnu11", "-O1", "-w", "-D_GNU_SOURCE", "-pthread", "-o"])
            .arg(folder.path().join("hostile"))
            .args(sources)
            .arg("-lrt")
            .status()
            .map_err(|error| io::Error::other(format!("cannot run `cc`, which compiles the bots: {error}")))?;
        if !built.success() {
            return Err(io::Error::other("cc could not compile the hostile bots"));
        }
        Ok(Stage { folder })
    }

    /// Makes the folder for the trial called `name`.
    pub fn place(&self, name: &str) -> io::Result<Place> {
        let bots_folder = self.folder.path().join(name);
        let hosts_folder = self.folder.path().join(format!("{name}.host"));
        fs::create_dir(&bots_folder)?;
        fs::create_dir(&hosts_folder)?;
        let bot = bots_folder.join("hostile");
        fs::copy(self.program(), &bot)?;
        Ok(Place { bot, hosts_folder })
    }

    /// The compiled program, for trials that do not change it.
    pub fn program(&self) -> PathBuf {
        self.folder.path().join("hostile")
    }
}

/// An error, for people.
pub fn text(error: impl std::fmt::Display) -> String {
    error.to_string()
}

/// The numbers of all processes.
pub fn processes() -> impl Iterator<Item = u32> {
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok())
}

/// The parent of the trials' folder: the build's folder, or the home folder if bots may write in the former.
fn site() -> io::Result<PathBuf> {
    let is_build = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let is_writable = |path: &Path| WRITABLE.iter().any(|folder| path.starts_with(folder));
    let may_write = rustix::fs::access(is_build, rustix::fs::Access::WRITE_OK).is_ok();
    if may_write && !is_writable(is_build) {
        return Ok(is_build.to_path_buf());
    }
    std::env::home_dir()
        .filter(|home| !is_writable(home))
        .ok_or_else(|| io::Error::other("there is no folder for the bots: set HOME to one that is not below /tmp"))
}
