//! Canaries: processes, sockets and files of the same user that no bot may harm.

use super::stage::{Place, processes};
use rustix::fs::FlockOperation;
use std::fs;
use std::io;
use std::net::{TcpListener, UdpSocket};
use std::os::linux::net::SocketAddrExt;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::os::unix::net::{SocketAddr, UnixDatagram, UnixListener};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// How long killed processes may take to be gone.
const PATIENCE: Duration = Duration::from_secs(30);

/// The content of a file that bots must not see at the levels that promise it.
pub const SECRET: &str = "the combination is 4-8-15-16-23-42";

/// The canaries of one trial.
pub struct Canaries {
    /// Part of the name of everything that the trial's bots make, by which it is recognised.
    pub marker: String,
    victim: Child,
    /// What [`conduct`] returned for the victim at first.
    victims_conduct: String,
    tcp: TcpListener,
    udp: UdpSocket,
    unix: UnixListener,
    unix_datagram: UnixDatagram,
    r#abstract: UnixListener,
    abstract_datagram: UnixDatagram,
    secret: PathBuf,
    readable: PathBuf,
    files: Vec<(PathBuf, Snapshot)>,
    bot: PathBuf,
}

/// What shows whether a file was changed.
#[derive(PartialEq, Eq, Debug)]
struct Snapshot {
    content: Vec<u8>,
    mode: u32,
    owner: u32,
    modified: (i64, i64),
    links: u64,
}

impl Canaries {
    /// Sets up canaries for the trial at `place`.
    pub fn set_up(place: &Place, marker: String) -> io::Result<Canaries> {
        let host = &place.hosts_folder;
        let secret = host.join("secret");
        let readable = host.join("readable");
        fs::write(&secret, SECRET)?;
        fs::set_permissions(&secret, fs::Permissions::from_mode(0o600))?;
        fs::write(&readable, "anyone may know this")?;
        let victim = Command::new("sleep")
            .arg("600")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()?;
        let tcp = TcpListener::bind("127.0.0.1:0")?;
        let udp = UdpSocket::bind("127.0.0.1:0")?;
        let unix = UnixListener::bind(host.join("s"))?;
        let unix_datagram = UnixDatagram::bind(host.join("d"))?;
        let r#abstract = UnixListener::bind_addr(&SocketAddr::from_abstract_name(format!("{marker}.s"))?)?;
        let abstract_datagram = UnixDatagram::bind_addr(&SocketAddr::from_abstract_name(format!("{marker}.d"))?)?;
        tcp.set_nonblocking(true)?;
        udp.set_nonblocking(true)?;
        unix.set_nonblocking(true)?;
        unix_datagram.set_nonblocking(true)?;
        r#abstract.set_nonblocking(true)?;
        abstract_datagram.set_nonblocking(true)?;
        let files = [&secret, &readable, &place.bot];
        let files = files.into_iter().filter(|path| path.exists());
        let files = files.map(|path| Ok((path.clone(), Snapshot::read(path)?))).collect::<io::Result<_>>()?;
        let victims_conduct = conduct(victim.id());
        Ok(Canaries {
            marker,
            victim,
            victims_conduct,
            tcp,
            udp,
            unix,
            unix_datagram,
            r#abstract,
            abstract_datagram,
            secret,
            readable,
            files,
            bot: place.bot.clone(),
        })
    }

    /// The arguments from which the program knows where the canaries are.
    pub fn arguments(&self) -> io::Result<Vec<String>> {
        let host = self.secret.parent().unwrap_or(Path::new("/"));
        Ok(vec![
            format!("marker={}", self.marker),
            format!("victim={}", self.victim.id()),
            format!("tcp={}", self.tcp.local_addr()?.port()),
            format!("udp={}", self.udp.local_addr()?.port()),
            format!("unix={}", host.join("s").display()),
            format!("unix-datagram={}", host.join("d").display()),
            format!("abstract={}.s", self.marker),
            format!("abstract-datagram={}.d", self.marker),
            format!("secret={}", self.secret.display()),
            format!("readable={}", self.readable.display()),
        ])
    }

    /// Checks that nothing was harmed.
    pub fn check(&mut self) -> Result<(), String> {
        if let Ok(Some(ended)) = self.victim.try_wait() {
            return Err(format!("another process of the same user was ended: {ended}"));
        }
        let conduct = conduct(self.victim.id());
        if conduct != self.victims_conduct {
            return Err(format!("another process was changed:\n{}\nis now\n{conduct}", self.victims_conduct));
        }
        self.check_sockets()?;
        for (path, before) in &self.files {
            let after = Snapshot::read(path).map_err(|gone| format!("{}: {gone}", path.display()))?;
            if after != *before {
                return Err(format!("{} was changed: {after:?}", path.display()));
            }
            let file = fs::File::open(path).map_err(|error| error.to_string())?;
            if rustix::fs::flock(&file, FlockOperation::NonBlockingLockExclusive).is_err() {
                return Err(format!("{} is still locked", path.display()));
            }
        }
        self.check_nothing_runs()
    }

    fn check_sockets(&self) -> Result<(), String> {
        let mut byte = [0];
        let reached = [
            ("TCP", self.tcp.accept().is_ok()),
            ("UDP", self.udp.recv(&mut byte).is_ok()),
            ("a socket file", self.unix.accept().is_ok()),
            ("a datagram socket file", self.unix_datagram.recv(&mut byte).is_ok()),
            ("an abstract socket", self.r#abstract.accept().is_ok()),
            ("an abstract datagram socket", self.abstract_datagram.recv(&mut byte).is_ok()),
        ];
        match reached.iter().find(|(_, was_reached)| *was_reached) {
            Some((how, _)) => Err(format!("the bot reached a socket outside by {how}")),
            None => Ok(()),
        }
    }

    /// Waits until no process of the trial's bots is left.
    fn check_nothing_runs(&self) -> Result<(), String> {
        let program = fs::metadata(&self.bot).map(|found| (found.dev(), found.ino())).ok();
        let began = Instant::now();
        loop {
            let left = processes().filter(|&pid| self.is_of_trial(pid, program)).collect::<Vec<_>>();
            if left.is_empty() {
                return Ok(());
            }
            if began.elapsed() > PATIENCE {
                return Err(format!("processes are left running: {left:?}"));
            }
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    fn is_of_trial(&self, pid: u32, program: Option<(u64, u64)>) -> bool {
        let line = fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
        let runs = fs::metadata(format!("/proc/{pid}/exe")).map(|found| (found.dev(), found.ino())).ok();
        let is_named = line.windows(self.marker.len()).any(|part| part == self.marker.as_bytes());
        is_named || runs.is_some() && runs == program
    }

    /// Lists what the trial's bots made in the machine's common folders, and removes it.
    pub fn left_in_common_folders(&self) -> Vec<PathBuf> {
        let folders = ["/tmp", "/var/tmp", "/dev/shm"];
        let entries = folders.iter().flat_map(|folder| fs::read_dir(folder).into_iter().flatten().flatten());
        let left: Vec<PathBuf> = entries
            .filter(|entry| entry.file_name().to_string_lossy().contains(&self.marker))
            .map(|entry| entry.path())
            .collect();
        for path in &left {
            fs::remove_file(path).or_else(|_| fs::remove_dir_all(path)).ok();
        }
        left
    }
}

impl Drop for Canaries {
    fn drop(&mut self) {
        self.victim.kill().ok();
        self.victim.wait().ok();
    }
}

impl Snapshot {
    fn read(path: &Path) -> io::Result<Snapshot> {
        let found = fs::symlink_metadata(path)?;
        Ok(Snapshot {
            content: fs::read(path)?,
            mode: found.mode(),
            owner: found.uid(),
            modified: (found.mtime(), found.mtime_nsec()),
            links: found.nlink(),
        })
    }
}

/// What other processes can change of a process without ending it: priority, processors, limits, and whether it is
/// traced.
fn conduct(pid: u32) -> String {
    let read = |file: &str| fs::read_to_string(format!("/proc/{pid}/{file}")).unwrap_or_default();
    let status = read("status");
    let shown = status.lines().filter(|line| line.starts_with("TracerPid") || line.starts_with("Cpus_allowed"));
    let stat = read("stat");
    let numbers = stat.rsplit_once(") ").map_or("", |(_, rest)| rest);
    let fields: Vec<&str> = numbers.split(' ').collect();
    let priority = fields.get(15..17).map(|pair| pair.join(" ")).unwrap_or_default();
    format!(
        "{}\npriority {priority}\n{}{}",
        shown.collect::<Vec<_>>().join("\n"),
        read("limits"),
        read("oom_score_adj")
    )
}
