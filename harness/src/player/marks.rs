//! The mark of a bot that is one process a move: its argument, and its state file (B5, B9). Where all bots share one
//! `/tmp`, two games must not use the same mark at the same time, so a game claims its marks.
//!
//! A claim is a Unix socket that is bound to an abstract name. It works between threads and between processes, leaves
//! no file, and the kernel releases it when the process ends, even if it is killed. Because any process can bind such
//! a name, waiting for a claim has a limit.

use crate::sandbox::RunRequest;
use rustix::net::{AddressFamily, SocketAddrUnix, SocketFlags, SocketType, bind, socket_with};
use std::ffi::OsStr;
use std::fs;
use std::io::{self, Write};
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// The prefix of every claim's name. The mark follows it.
const PREFIX: &[u8] = b"cornerman/arena.";

/// How often to try again to claim a mark.
const RETRY_EVERY: Duration = Duration::from_millis(2);

/// How long to wait for a claim before looking for its holder, and then between two such looks. Most games are over by
/// then.
const SILENT_WAIT: Duration = Duration::from_secs(5);

/// How long a game of another process may hold a claim before a wait for it fails; counted for each game separately. By
/// the built-in rulesets a game with one process for each move has at most 512 moves of two seconds each, 17 minutes,
/// without the time that bots wait for a processor (B10). Other games and rulesets allow longer ones, so this process's
/// own games are waited for until they end.
const LONGEST_GAME: Duration = Duration::from_secs(2 * 3600);

/// The only file in which the bot with `mark` may keep anything between its moves (B9).
pub fn state_file(mark: u8) -> PathBuf {
    Path::new("/tmp").join(OsStr::from_bytes(&[b"arena.".as_slice(), &[mark]].concat()))
}

/// The mark to which the state file `path` belongs, if it is a state file.
pub fn mark_of(path: &Path) -> Option<u8> {
    path.as_os_str().as_bytes().last().copied().filter(|mark| state_file(*mark) == path)
}

/// The run for one move: `mark` is its argument and names its state file (B5).
pub fn move_request(mark: u8, input: &[u8]) -> RunRequest {
    let args = vec![char::from(mark).to_string().into()];
    RunRequest { state_file: Some(state_file(mark)), ..RunRequest::with_input(args, input) }
}

/// The right to use the state files of some marks, until dropped.
#[derive(Debug, Default)]
pub struct MarkClaim {
    _held: Vec<OwnedFd>,
}

/// Waits until no other game uses one of `marks`, and claims them. If it waits for another process, it prints on
/// standard error after some seconds which one that is.
///
/// # Errors
/// When the system refuses a socket, or one game of another process holds a claim for two hours.
pub fn claim_marks(marks: &[u8]) -> io::Result<MarkClaim> {
    claim_all(marks, &mut RealTime(Instant::now()))
}

/// The clock and the output that a wait uses. Tests replace them.
trait Wait {
    /// Waits for a moment and returns the time since the wait began.
    fn pause(&mut self) -> Duration;
    /// Prints a message for the user.
    fn note(&mut self, words: &str);
    /// This process. Its own games wait for each other without a message.
    fn own_process(&self) -> u32 {
        std::process::id()
    }
}

struct RealTime(Instant);

impl Wait for RealTime {
    fn pause(&mut self) -> Duration {
        std::thread::sleep(RETRY_EVERY);
        self.0.elapsed()
    }

    fn note(&mut self, words: &str) {
        // Not `eprintln!`, which panics if standard error is closed.
        writeln!(io::stderr(), "{words}").ok();
    }
}

/// [`claim_marks`] with the clock and the output of `wait`.
fn claim_all(marks: &[u8], wait: &mut dyn Wait) -> io::Result<MarkClaim> {
    let mut sorted = marks.to_vec();
    sorted.sort_unstable();
    sorted.dedup();
    // All games claim in the same order, so that no two wait for each other.
    let held = sorted.into_iter().map(|mark| claim(mark, wait)).collect::<io::Result<_>>()?;
    Ok(MarkClaim { _held: held })
}

/// Claims one mark, once no other game has it. Prints at most one message meanwhile.
fn claim(mark: u8, wait: &mut dyn Wait) -> io::Result<OwnedFd> {
    let name = [PREFIX, &[mark]].concat();
    let address = SocketAddrUnix::new_abstract_name(&name)?;
    let mut began = None;
    let mut noted = false;
    let mut holder: Option<ClaimHolder> = None;
    loop {
        let claim = socket_with(AddressFamily::UNIX, SocketType::DGRAM, SocketFlags::CLOEXEC, None)?;
        match bind(&claim, &address) {
            Ok(()) => return Ok(claim),
            Err(rustix::io::Errno::ADDRINUSE) => {}
            Err(refused) => return Err(refused.into()),
        }
        let now = wait.pause();
        let began = *began.get_or_insert(now);
        // Searching `/proc` takes longer than most games have left, so it is done rarely.
        let next_look = holder.as_ref().map_or(began, |holder| holder.seen) + SILENT_WAIT;
        if now < next_look {
            continue;
        }
        let socket = socket_bound_to(&name);
        match &mut holder {
            Some(holder) if holder.socket == socket => {
                holder.seen = now;
                if now - holder.since < LONGEST_GAME {
                    continue;
                }
                let process = process_with_socket(socket);
                if process != Some(wait.own_process()) {
                    let mark = mark.escape_ascii();
                    let holder_name = describe_process(process);
                    return Err(io::Error::new(
                        io::ErrorKind::TimedOut,
                        format!(
                            "{holder_name} has held the mark `{mark}` for {} minutes, longer than a game takes: end \
                             that process, or play with other marks",
                            (now - holder.since).as_secs() / 60
                        ),
                    ));
                }
            }
            other => {
                let process = process_with_socket(socket);
                if !noted && process != Some(wait.own_process()) {
                    let mark = mark.escape_ascii();
                    let holder_name = describe_process(process);
                    wait.note(&format!("waiting for the mark `{mark}`, which {holder_name} holds"));
                    noted = true;
                }
                *other = Some(ClaimHolder { socket, since: now, seen: now });
            }
        }
    }
}

/// The game that holds a claim.
struct ClaimHolder {
    /// The inode of its socket, if that can be found. It is different for each game.
    socket: Option<u64>,
    /// When this holder was first and last seen, as the time since the wait began.
    since: Duration,
    seen: Duration,
}

/// The inode of the socket with this abstract name.
fn socket_bound_to(name: &[u8]) -> Option<u64> {
    let sockets = fs::read("/proc/net/unix").ok()?;
    let end = [b" @", name].concat();
    let line = sockets.split(|&byte| byte == b'\n').find(|line| line.ends_with(&end))?;
    let mut fields = line[..line.len() - end.len()].split(|byte| byte.is_ascii_whitespace());
    std::str::from_utf8(fields.next_back()?).ok()?.parse().ok()
}

/// The process that has this socket open, as far as this user can see it.
fn process_with_socket(socket: Option<u64>) -> Option<u32> {
    let wanted = format!("socket:[{}]", socket?);
    let processes = fs::read_dir("/proc").into_iter().flatten().flatten();
    let mut pids = processes.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    let holds = |pid: &u32| {
        let descriptors = fs::read_dir(format!("/proc/{pid}/fd")).into_iter().flatten().flatten();
        descriptors.filter_map(|entry| fs::read_link(entry.path()).ok()).any(|link| link.as_os_str() == &*wanted)
    };
    pids.find(holds)
}

/// Describes a process, such as `process 123 (cornerman)`.
fn describe_process(process: Option<u32>) -> String {
    let Some(pid) = process else { return "a process of another user".to_string() };
    let program = fs::read(format!("/proc/{pid}/comm")).unwrap_or_default();
    // A process chooses this name itself, so it is escaped.
    format!("process {pid} ({})", program.trim_ascii_end().escape_ascii())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A clock on which every pause takes a minute, and the messages printed meanwhile.
    #[derive(Default)]
    struct Minutes {
        passed: u64,
        messages: Vec<String>,
        /// The process that waits.
        own_process: u32,
        /// Something to do at this minute.
        event: Option<(u64, Box<dyn FnOnce()>)>,
    }

    impl Wait for Minutes {
        fn pause(&mut self) -> Duration {
            self.passed += 1;
            if self.event.as_ref().is_some_and(|(at, _)| *at == self.passed) {
                self.event.take().unwrap().1();
            }
            Duration::from_secs(60 * self.passed)
        }

        fn note(&mut self, words: &str) {
            self.messages.push(words.to_string());
        }

        fn own_process(&self) -> u32 {
            self.own_process
        }
    }

    /// The holder of this test's claims, as messages name it.
    fn own_name() -> String {
        let comm = fs::read("/proc/self/comm").unwrap();
        format!("process {} ({})", std::process::id(), comm.trim_ascii_end().escape_ascii())
    }

    #[test]
    fn a_process_that_holds_a_mark_for_longer_than_a_game_is_named() {
        let _held = claim_marks(&[1]).unwrap();
        let mut wait = Minutes::default();
        let refused = claim_all(&[1], &mut wait).unwrap_err();
        let holder = own_name();
        let words = format!(
            "{holder} has held the mark `\\x01` for 120 minutes, longer than a game takes: end that process, or play \
             with other marks"
        );
        assert_eq!((refused.kind(), refused.to_string()), (io::ErrorKind::TimedOut, words));
        assert_eq!(wait.messages, [format!("waiting for the mark `\\x01`, which {holder} holds")]);
    }

    #[test]
    fn games_that_follow_each_other_are_waited_for() {
        let first = claim_marks(&[2]).unwrap();
        let (send, receive) = std::sync::mpsc::channel();
        let hand_over = move || {
            drop(first);
            send.send(claim_marks(&[2]).unwrap()).unwrap();
        };
        let mut wait = Minutes { event: Some((100, Box::new(hand_over))), ..Minutes::default() };
        assert_eq!(claim_all(&[2], &mut wait).unwrap_err().kind(), io::ErrorKind::TimedOut);
        assert!(wait.passed > 200, "the second game did not have two hours of its own: {}", wait.passed);
        drop(receive);

        let held = claim_marks(&[2]).unwrap();
        let mut wait = Minutes { event: Some((100, Box::new(move || drop(held)))), ..Minutes::default() };
        claim_all(&[2], &mut wait).unwrap();
    }

    #[test]
    fn a_game_of_this_process_is_waited_for_however_long_it_is() {
        let held = claim_marks(&[5]).unwrap();
        let event = Some((500, Box::new(move || drop(held)) as Box<dyn FnOnce()>));
        let mut wait = Minutes { event, own_process: std::process::id(), ..Minutes::default() };
        claim_all(&[5], &mut wait).unwrap();
        assert_eq!(wait.passed, 500);
    }

    #[test]
    fn a_free_mark_is_not_waited_for() {
        let mut wait = Minutes::default();
        claim_all(&[3, 4, 3], &mut wait).unwrap();
        assert_eq!((wait.passed, wait.messages.len()), (0, 0));
    }
}
