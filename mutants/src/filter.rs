//! Faults that a bot of any game with one process for each move can have, because they are faults of the protocol.
//! Each is a set of steps with which the bots of all these games are made.

use crate::lines::abort_if;
use crate::process::{asset, home, leave_child, myself, run};
use std::ffi::{OsStr, OsString};
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::os::fd::AsFd;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::symlink;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{ExitCode, Stdio, abort};
use std::sync::mpsc;
use std::thread::{sleep, spawn};
use std::time::{Duration, Instant};

/// How many bytes of an input are the position; `None` if it is not complete.
pub type PositionLength = fn(&[u8]) -> Option<usize>;

/// The steps of a bot that no game decides, in their order.
pub struct FilterSteps {
    /// Reads standard input: at least the position, or less if the input ends early.
    pub read: fn(PositionLength) -> Vec<u8>,
    /// Sees the arguments and the input before they are parsed.
    pub heed: fn(&Invocation),
    /// Runs before the move is chosen, with the bot's mark; an error ends the bot.
    pub prepare: fn(u8) -> Result<(), String>,
    /// Writes the answer to standard output.
    pub write: fn(&[u8]) -> io::Result<()>,
    /// Runs after the answer, and returns the exit status.
    pub finish: fn() -> ExitCode,
}

/// The bot without a fault.
impl Default for FilterSteps {
    fn default() -> FilterSteps {
        FilterSteps { read, heed: |_| (), prepare: |_| Ok(()), write, finish: || ExitCode::SUCCESS }
    }
}

impl FilterSteps {
    /// Makes one move; `args` are the arguments after the kind. The game says how long a position is and whether it
    /// `is_first`, and makes the `answer`.
    pub fn run(
        &self,
        args: Vec<OsString>,
        length: PositionLength,
        is_first: fn(&[u8]) -> bool,
        answer: impl FnOnce(&Invocation) -> Result<Vec<u8>, String>,
    ) -> ExitCode {
        let args = args.into_iter().map(OsString::into_vec).collect();
        let input = (self.read)(length);
        let position = length(&input);
        let is_first = position.is_some_and(|length| is_first(&input[..length]));
        let given = Invocation { args, input, position, is_first };
        (self.heed)(&given);
        match given.mark().and_then(self.prepare).and_then(|()| answer(&given)) {
            // A closed pipe means that the move is not wanted, so it is not reported.
            Ok(text) => (self.write)(&text).map_or(ExitCode::FAILURE, |()| (self.finish)()),
            Err(why) => {
                // Not `eprintln!`, which panics if standard error is closed.
                _ = writeln!(io::stderr(), "error: {why}");
                ExitCode::FAILURE
            }
        }
    }
}

/// What a bot was started with.
pub struct Invocation {
    /// The arguments after the kind.
    pub args: Vec<Vec<u8>>,
    /// What was read from standard input.
    pub input: Vec<u8>,
    /// How many bytes of it are the position; `None` if it is not complete.
    pub position: Option<usize>,
    /// Whether the position is the one from which every game starts, or another one that checks are certain to try.
    pub is_first: bool,
}

impl Invocation {
    /// The bot's mark.
    pub fn mark(&self) -> Result<u8, String> {
        match self.args.first().map(Vec::as_slice) {
            Some(&[mark]) => Ok(mark),
            _ => Err("the first argument must be a mark: one character".to_string()),
        }
    }
}

/// The steps of the bot with the fault `name`, if it is one of these.
pub fn steps(name: &str) -> Option<FilterSteps> {
    let sound = FilterSteps::default();
    let prepare: fn(u8) -> Result<(), String> = match name {
        "none" => |_| Ok(()),
        // What it requires, and what it leaves behind.
        "needs-home" => |_| home(),
        "hangs-without-home" => |_| {
            if home().is_err() {
                sleep(TOO_LONG);
            }
            Ok(())
        },
        "relative-asset" => |_| asset(),
        "pipe-only" => |_| need_pipe(),
        "child-holds-stdout" => |_| leave_child(Stdio::inherit()),
        "silent-child" => |_| leave_child(Stdio::null()),
        "daemon" => |_| leave_daemon(),
        "near-zombie" => |_| leave_zombie(),
        "near-child" => |_| run(&mut myself("--nothing", Stdio::null())?),
        "floods-stderr" => |_| flood(),
        // The state file, and other files.
        "near-state" => |mark| log(state_file(mark)),
        "needs-file" => |mark| fs::read(state_file(mark)).map(drop).map_err(|error| error.to_string()),
        "dies-on-junk-state" => die_on_junk,
        "writes-log" => |_| log("/tmp/boxing.log"),
        "shared-path" => |_| log("/tmp/arena"),
        "log-in-var-tmp" => |_| log("/var/tmp/boxing.log"),
        "log-in-shared-memory" => |_| log("/dev/shm/boxing.log"),
        "log-in-folder" => |_| log("boxing.log"),
        "log-at-home" => {
            |_| std::env::var_os("HOME").map_or(Ok(()), |home| log(Path::new(&home).join(".boxing.log")))
        }
        "log-as-b" => |mark| if mark == b'B' { log("/tmp/boxing.log") } else { Ok(()) },
        "hidden-state" => |mark| log(format!("/tmp/.arena.{}", char::from(mark))),
        "doubled-mark" => |mark| log(format!("/tmp/arena.{0}{0}", char::from(mark))),
        "log-in-new-folder" => |_| {
            _ = fs::create_dir_all("/tmp/boxing/notes");
            log("/tmp/boxing/notes/log")
        },
        "keeps-link" => |_| {
            _ = symlink("another move", "/tmp/boxing.link");
            Ok(())
        },
        "linked-state" => |mark| {
            _ = symlink("/dev/null", state_file(mark));
            Ok(())
        },
        "fixed-path" => |_| log("/tmp/arena.A"),
        "scratch-files" => |_| {
            for path in ["/tmp/boxing.scratch", "/dev/shm/boxing.scratch", "scratch"] {
                log(path)?;
                _ = fs::remove_file(path);
            }
            Ok(())
        },
        "near-runtime-files" => |_| {
            _ = fs::create_dir_all("/tmp/hsperfdata_me").and_then(|()| fs::create_dir_all("__pycache__"));
            log("/tmp/hsperfdata_me/2")?;
            log("__pycache__/bot.cpython-312.pyc")
        },
        _ => return heeding(name).or_else(|| reading_or_writing(name)),
    };
    Some(FilterSteps { prepare, ..sound })
}

/// The bot that reads, writes or ends in another way.
fn reading_or_writing(name: &str) -> Option<FilterSteps> {
    let sound = FilterSteps::default();
    Some(match name {
        "read-once" => FilterSteps { read: |_| read_once(), ..sound },
        "waits-for-end" => FilterSteps { read: |_| read_to_the_end(), ..sound },
        "reads-one-more" => FilterSteps { read: read_one_more, ..sound },
        "near-expects-more" => FilterSteps { read: expect_more, ..sound },
        "overflow-on-long-input" => FilterSteps { read: read_beyond, heed: overflow, ..sound },
        "answers-on-standard-error" => FilterSteps { write: |text| io::stderr().write_all(text), ..sound },
        "near-dribble" => FilterSteps { write: dribble, ..sound },
        "dies-on-closed-pipe" => FilterSteps { write: |text| write(text).or_else(|_| abort()), ..sound },
        "retries-closed-pipe" => FilterSteps { write: or_retry, ..sound },
        "segv-after-output" => FilterSteps { finish: || abort(), ..sound },
        "exit-1" => FilterSteps { finish: || ExitCode::from(1), ..sound },
        _ => return None,
    })
}

/// The bot that fails on some input or arguments. A fault of time appears only in one position, or only if the input
/// ends early, so that the suite waits for the limit only once.
fn heeding(name: &str) -> Option<FilterSteps> {
    let heed: fn(&Invocation) = match name {
        "dies-on-empty-input" => |given| abort_if(given.input.is_empty()),
        "dies-on-short-input" => |given| abort_if(is_short(given)),
        "waits-for-the-rest" => |given| {
            if is_short(given) {
                spin();
            }
        },
        "dies-on-crlf" => |given| abort_if(given.input.contains(&b'\r')),
        "dies-on-nul" => |given| abort_if(given.input.contains(&0)),
        "segv-without-argument" => |given| abort_if(given.args.first().is_none_or(Vec::is_empty)),
        "dies-on-long-argument" => |given| abort_if(given.args.first().is_some_and(|mark| mark.len() > 1)),
        "sleep-over-limit" => |given| at_first(given, || sleep(TOO_LONG)),
        "spin" => |given| at_first(given, spin),
        "slow-when-empty" => |given| at_first(given, || sleep(Duration::from_millis(1300))),
        "near-limit" => |given| at_first(given, || sleep(Duration::from_millis(500))),
        _ => return None,
    };
    Some(FilterSteps { heed, ..FilterSteps::default() })
}

/// Passes time if the position is the [first](Invocation::is_first).
fn at_first(given: &Invocation, pass_time: fn()) {
    if given.is_first {
        pass_time();
    }
}

/// Whether the input is a part of a position, and not unusual in other ways as well.
fn is_short(given: &Invocation) -> bool {
    given.position.is_none() && !given.input.is_empty() && !has_odd_bytes(&given.input)
}

fn has_odd_bytes(input: &[u8]) -> bool {
    input.contains(&b'\r') || input.contains(&0)
}

/// Aborts if the input is a position and more, of characters that a position can have.
fn overflow(given: &Invocation) {
    let is_longer = given.position.is_some_and(|length| given.input.len() > length);
    abort_if(is_longer && !has_odd_bytes(&given.input));
}

/// Appends the result of one read to `input`, and returns its number of bytes.
fn read_some(input: &mut Vec<u8>) -> usize {
    let mut buffer = [0; 8192];
    loop {
        match io::stdin().lock().read(&mut buffer) {
            Ok(count) => {
                input.extend_from_slice(&buffer[..count]);
                return count;
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => (),
            Err(_) => return 0,
        }
    }
}

fn read(position: PositionLength) -> Vec<u8> {
    let mut input = Vec::new();
    while position(&input).is_none() && read_some(&mut input) > 0 {}
    input
}

/// Takes the result of one read for the whole input.
fn read_once() -> Vec<u8> {
    let mut input = Vec::new();
    read_some(&mut input);
    input
}

fn read_to_the_end() -> Vec<u8> {
    let mut input = Vec::new();
    _ = io::stdin().lock().read_to_end(&mut input);
    input
}

/// Reads the position and at least one byte more, or to the end of the input.
fn read_one_more(position: PositionLength) -> Vec<u8> {
    let mut input = Vec::new();
    while position(&input).is_none_or(|length| input.len() <= length) && read_some(&mut input) > 0 {}
    input
}

/// The results of reads in another thread.
fn pieces() -> mpsc::Receiver<Vec<u8>> {
    let (sender, pieces) = mpsc::channel();
    spawn(move || {
        let mut piece = Vec::new();
        while read_some(&mut piece) > 0 && sender.send(std::mem::take(&mut piece)).is_ok() {}
    });
    pieces
}

/// Reads the position, and then until nothing more comes for a quarter of a second.
fn expect_more(position: PositionLength) -> Vec<u8> {
    let pieces = pieces();
    let mut input = Vec::new();
    loop {
        match pieces.recv_timeout(Duration::from_millis(250)) {
            Ok(piece) => input.extend(piece),
            Err(mpsc::RecvTimeoutError::Timeout) if position(&input).is_none() => {}
            Err(_) => return input,
        }
    }
}

/// Reads the position, and what follows at once. Waiting until the input is closed would be another fault.
fn read_beyond(position: PositionLength) -> Vec<u8> {
    const AT_ONCE: Duration = Duration::from_millis(150);
    let pieces = pieces();
    let mut input = Vec::new();
    while position(&input).is_none() {
        let Ok(piece) = pieces.recv() else { return input };
        input.extend(piece);
    }
    let enough = 2 * position(&input).unwrap_or_default();
    let until = Instant::now() + AT_ONCE;
    while input.len() < enough {
        let Ok(piece) = pieces.recv_timeout(until.saturating_duration_since(Instant::now())) else { break };
        input.extend(piece);
    }
    input
}

/// Writes all of `text` with one call, which bypasses the line buffering of the standard library.
fn write(text: &[u8]) -> io::Result<()> {
    File::from(io::stdout().as_fd().try_clone_to_owned()?).write_all(text)
}

/// Writes the answer in a dozen pieces.
fn dribble(text: &[u8]) -> io::Result<()> {
    for piece in text.chunks(text.len().div_ceil(12).max(1)) {
        write(piece)?;
        sleep(Duration::from_millis(2));
    }
    Ok(())
}

/// Retries a failed write for [`TOO_LONG`].
fn or_retry(text: &[u8]) -> io::Result<()> {
    let until = Instant::now() + TOO_LONG;
    while let Err(error) = write(text) {
        if Instant::now() > until {
            return Err(error);
        }
        sleep(Duration::from_millis(10));
    }
    Ok(())
}

/// Fails if standard output is a file.
fn need_pipe() -> Result<(), String> {
    let output = io::stdout().as_fd().try_clone_to_owned().and_then(|fd| File::from(fd).metadata());
    match output {
        Ok(output) if output.is_file() => Err("standard output is a file".to_string()),
        _ => Ok(()),
    }
}

/// Leaves a process whose parent has ended, in a new process group.
fn leave_daemon() -> Result<(), String> {
    run(myself("--detach", Stdio::null())?.process_group(0))
}

/// Starts a process that ends before the bot does, and does not wait for it.
fn leave_zombie() -> Result<(), String> {
    let mut command = myself("--nothing", Stdio::piped())?;
    let mut child = command.spawn().map_err(|error| format!("cannot start a process: {error}"))?;
    // The child's output is closed while the child ends. A moment later the child is a zombie.
    _ = child.stdout.take().map(|mut out| out.read_to_end(&mut Vec::new()));
    let state = format!("/proc/{}/stat", child.id());
    while fs::read_to_string(&state).is_ok_and(|stat| !stat.contains(") Z ")) {
        sleep(Duration::from_millis(1));
    }
    Ok(())
}

/// Writes twice the capacity of a pipe to standard error, and fails if it cannot.
fn flood() -> Result<(), String> {
    let line = b"thinking of all the moves that are still possible, one after another, aloud\n";
    io::stderr()
        .write_all(&line.repeat((1 << 17) / line.len()))
        .map_err(|error| format!("standard error cannot be written: {error}"))
}

/// Adds a line to a file; errors are ignored.
pub fn log(path: impl AsRef<Path>) -> Result<(), String> {
    if let Ok(mut file) = OpenOptions::new().create(true).append(true).open(path) {
        _ = writeln!(file, "another move");
    }
    Ok(())
}

/// Exits without an answer if its file is not text, or is very large; else adds a line to it.
fn die_on_junk(mark: u8) -> Result<(), String> {
    const PLENTY: usize = 1 << 16;
    let text = fs::read(state_file(mark)).unwrap_or_default();
    let is_text = |byte: &u8| !byte.is_ascii_control() || byte.is_ascii_whitespace();
    if text.len() > PLENTY || !text.iter().all(is_text) {
        return Err("the state file of this game cannot be read".to_string());
    }
    log(state_file(mark))
}

/// `/tmp/arena.MARK`.
pub fn state_file(mark: u8) -> PathBuf {
    Path::new("/tmp").join(OsStr::from_bytes(&[b"arena.".as_slice(), &[mark]].concat()))
}

/// Well past the hard limit, even for a bot that mostly waits for a processor; the bot ends then if it is not killed.
const TOO_LONG: Duration = Duration::from_secs(30);

/// Computes for [`TOO_LONG`].
fn spin() {
    let since = Instant::now();
    while since.elapsed() < TOO_LONG {
        std::hint::spin_loop();
    }
}
