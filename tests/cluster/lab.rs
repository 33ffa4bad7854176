//! A server, workers and managers, as processes that end with the trial.

use crate::support::leftovers::wait_for;
use crate::support::{PATIENCE, PROGRAM, Ran, Scratch, cache, is_offered, small_arena};
use cornerman_harness::sandbox::Level;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Instant;

/// A process that is killed at the end, and its output.
pub struct Running {
    child: Child,
    log: PathBuf,
}

impl Running {
    /// Starts `command`, whose output goes to the file `log`.
    pub fn start(mut command: Command, log: PathBuf) -> Running {
        let file = File::options().create(true).append(true).open(&log).expect("the log can be written");
        let child = command.stdin(Stdio::null()).stdout(file.try_clone().expect("a file")).stderr(file).spawn();
        Running { child: child.unwrap_or_else(|error| panic!("{command:?}: {error}")), log }
    }

    /// What it has printed.
    pub fn log(&self) -> String {
        fs::read_to_string(&self.log).unwrap_or_default()
    }

    /// Waits until it has printed this.
    #[track_caller]
    pub fn wait_for(&self, words: &str) {
        let began = Instant::now();
        while !self.log().contains(words) {
            assert!(began.elapsed() < PATIENCE, "waited in vain for `{words}` in:\n{}", self.log());
            std::thread::sleep(std::time::Duration::from_millis(20));
        }
    }

    /// Ends it at once, as a power failure would.
    pub fn kill(&mut self) {
        self.child.kill().ok();
        self.child.wait().ok();
    }

    /// Sends it a signal.
    pub fn signal(&self, signal: &str) {
        let status = Command::new("kill").args([format!("-{signal}"), self.child.id().to_string()]).status();
        assert!(status.expect("kill runs").success());
    }

    /// Whether it still runs.
    pub fn runs(&mut self) -> bool {
        self.child.try_wait().expect("it is our child").is_none()
    }

    /// Its exit code, once it has ended.
    #[track_caller]
    pub fn code(&mut self) -> Option<i32> {
        let began = Instant::now();
        loop {
            match self.child.try_wait().expect("it is our child") {
                Some(status) => return status.code(),
                None => assert!(began.elapsed() < 2 * PATIENCE, "it does not end:\n{}", self.log()),
            }
            std::thread::sleep(std::time::Duration::from_millis(20));
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.kill();
    }
}

/// The arguments of a worker on a machine that does not give the isolation that it demands by default.
pub fn lowest_isolation() -> Vec<&'static str> {
    if is_offered(Level::Namespaced).is_ok() { Vec::new() } else { vec!["--isolation", "plain"] }
}

/// A server in a folder of its own.
pub struct Lab {
    pub scratch: Scratch,
    pub port: u16,
    /// The key with which each user is let in by the server.
    pub creds: BTreeMap<&'static str, PathBuf>,
    server: Option<Running>,
}

impl Lab {
    /// Starts a server that lets everyone in.
    pub fn new() -> Lab {
        let lab = Lab::unstarted();
        lab.scratch.file("nats.conf", format!("port: {}\njetstream {{ store_dir: \"nats-store\" }}\n", lab.port));
        lab.started()
    }

    /// Starts a server that lets in a manager and these workers, with the configuration that `nats-config` writes.
    pub fn with_keys(workers: &[&'static str]) -> Lab {
        let mut lab = Lab::unstarted();
        let listen = format!("127.0.0.1:{}", lab.port);
        let args = ["nats-config", "--out", ".", "--listen", &listen, "--workers", &workers.join(",")];
        Ran::from_command(lab.scratch.cornerman(args)).fine();
        let key = |user: &&'static str| (*user, lab.scratch.path().join(format!("{user}.key")));
        lab.creds = workers.iter().chain(&["manager"]).map(key).collect();
        lab.started()
    }

    fn unstarted() -> Lab {
        let port = TcpListener::bind("127.0.0.1:0").and_then(|free| free.local_addr()).expect("a port").port();
        Lab { scratch: Scratch::new(), port, creds: BTreeMap::new(), server: None }
    }

    fn started(mut self) -> Lab {
        self.start_server();
        self
    }

    pub fn start_server(&mut self) {
        let mut command = Command::new("nats-server");
        command.args(["-c", "nats.conf"]).current_dir(self.scratch.path());
        self.server = Some(Running::start(command, self.scratch.path().join("nats.log")));
        let port = self.port;
        wait_for("the server", || TcpStream::connect(("127.0.0.1", port)).ok());
    }

    pub fn kill_server(&mut self) {
        self.server = None;
    }

    /// Sends the server a signal.
    pub fn signal_server(&self, signal: &str) {
        self.server.as_ref().expect("it runs").signal(signal);
    }

    pub fn url(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port)
    }

    fn log_of(&self, name: &str) -> PathBuf {
        self.scratch.path().join(format!("{name}.log"))
    }

    /// The command with these arguments, as the user `user` of the server.
    pub fn command(&self, user: &str, args: &[&str]) -> Command {
        let mut command = Command::new(PROGRAM);
        command.args(args).current_dir(self.scratch.path()).env("XDG_CACHE_HOME", cache());
        if let Some(creds) = self.creds.get(user) {
            command.arg("--creds").arg(creds);
        }
        command
    }

    /// A worker of one game at a time.
    pub fn worker(&self, name: &str) -> Running {
        self.worker_with(name, &[])
    }

    /// [`Lab::worker`] with these further arguments.
    pub fn worker_with(&self, name: &str, more: &[&str]) -> Running {
        let url = self.url();
        let args = ["worker", "--nats", &url, "--name", name, "--workers", "1"];
        let args: Vec<&str> = args.iter().chain(&lowest_isolation()).chain(more).copied().collect();
        Running::start(self.command(name, &args), self.log_of(name))
    }

    /// The tournament of this contest file, recorded in `many.db`.
    pub fn manager(&self, contest: &Path, more: &[&str]) -> Running {
        let url = self.url();
        let args =
            ["tournament", contest.to_str().expect("UTF-8"), "--db", "many.db", "--no-check", "--nats", &url];
        let args: Vec<&str> = args.iter().chain(&["--require", "timing=any"]).chain(more).copied().collect();
        Running::start(self.command("manager", &args), self.log_of("manager"))
    }

    /// `doctor` with the key of `user`, as JSON.
    pub fn doctor(&self, user: &str) -> assert_cmd::Command {
        let url = self.url();
        let args = ["doctor", "--nats", &url, "--format", "json"];
        let creds = self.creds.get(user).and_then(|path| path.to_str());
        self.scratch.cornerman(args.into_iter().chain(creds.iter().flat_map(|creds| ["--creds", creds])))
    }

    /// A contest in which these entrants meet on this number of boards. Unless `more` names other rules, they play Boxing on
    /// arenas that are nearly full: an empty one takes a hundred moves, with a process for each.
    pub fn contest(&self, entrants: &[&str], more: &str, boards: u32) -> PathBuf {
        let arena = |board: u32| {
            let name = format!("{board}.arena");
            self.scratch.file(&name, small_arena(60 + 5 * board as usize));
            name
        };
        let arenas = if more.is_empty() { (1..=boards).map(arena).collect() } else { Vec::new() };
        let boards: Vec<u32> = (1..=boards).collect();
        let head = format!("name = \"Many\"\nseed = 7\nentrants = {entrants:?}\nboards = {arenas:?}\n{more}\n");
        let stage = format!("[[stages]]\nkind = \"all-play-all\"\nboards = {boards:?}\n");
        self.scratch.file("contest.toml", head + &stage)
    }

    /// The games of the record `db`, by their ids, without what differs from machine to machine.
    pub fn games(&self, db: &str) -> BTreeMap<String, Value> {
        let lines = Ran::from_command(self.scratch.cornerman(["export", db])).fine();
        let game = |line: &str| {
            let mut game: Value = serde_json::from_str(line).expect("a line is JSON");
            let id = game["id"].as_str().expect("it has an id").to_string();
            let all = game.as_object_mut().expect("a game is an object");
            all.retain(|key, _| ["seats", "moves", "board", "seed", "end", "faults"].contains(&key.as_str()));
            for made in game["moves"].as_array_mut().expect("it has moves") {
                *made = made["move"].clone();
            }
            for fault in game["faults"].as_array_mut().expect("it has faults") {
                *fault = fault["kind"].clone();
            }
            for seat in game["seats"].as_array_mut().expect("it has seats") {
                let seat = seat.as_object_mut().expect("a seat is an object");
                seat.retain(|key, _| ["name", "place", "points", "territory"].contains(&key.as_str()));
            }
            (id, game)
        };
        lines.lines().map(game).collect()
    }

    /// The games of this contest, played by this machine alone, more at once than it has processors: some bots sleep.
    pub fn games_without(&self, contest: &Path) -> BTreeMap<String, Value> {
        let contest = contest.to_str().expect("UTF-8");
        let args = ["tournament", contest, "--db", "one.db", "--no-check", "--workers", "6", "--oversubscribe"];
        let ran = Ran::from_command(self.scratch.cornerman(args));
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        self.games("one.db")
    }

    /// What a query of `many.db` returns, as text.
    pub fn query(&self, sql: &str) -> Vec<String> {
        let db = rusqlite::Connection::open(self.scratch.path().join("many.db")).expect("the record opens");
        let mut select = db.prepare(sql).expect("the query is valid");
        let rows = select.query_map([], |row| row.get::<_, String>(0)).expect("it can be asked");
        rows.map(|row| row.expect("a row")).collect()
    }

    /// Checks that the record is whole, and follows from its moves.
    #[track_caller]
    pub fn verify(&self) {
        Ran::from_command(self.scratch.cornerman(["verify", "many.db"])).fine();
    }
}
