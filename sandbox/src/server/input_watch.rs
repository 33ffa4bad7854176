//! Detects that a bot waits for its input. Then it has written everything that it is going to write, and there is no
//! need to wait for more.
//!
//! A bot waits for its input if one of its threads is blocked in reading it, and nothing but input can wake any of its
//! threads while the answer is awaited: each is blocked on something that only the bot itself can change, with no
//! timeout before then. (Some threads of runtimes, which never answer, may have timeouts.) `/proc` shows the call in
//! which a thread is blocked. It must be read for one thread after another, so the bot is checked twice: if no thread
//! ran between the two checks, there was a moment at which all of them were blocked. If this cannot be determined, the
//! bot counts as thinking.

use super::sweep::state_of;
use super::waits::each_task;
use crate::level::Level;
use crate::report::clock_time;
use crate::sys::SystemCall;
use rustix::time::ClockId;
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::os::fd::AsFd;
use std::os::unix::fs::FileExt;
use std::time::{Duration, Instant};

/// Checks whether one bot waits for its input.
pub(super) struct InputWatch {
    /// The name of the bot's input in `/proc/PID/fd`.
    input_name: String,
    input_inode: u64,
    level: Level,
    /// When the bot was started. No process of the bot is older.
    started: Instant,
    /// Since when no thread has run, and the scheduler's counters of each thread, which change when it runs. Threads of
    /// [`HOUSEKEEPING`] do not count.
    seen: Option<(Instant, BTreeMap<i32, String>)>,
}

/// What can end a thread's sleep.
struct Sleep {
    /// Whether input for the bot can end it.
    input: bool,
    /// How long it lasts at least, unless that input or the bot's own threads end it.
    left: Duration,
}

impl Sleep {
    /// A sleep that only the bot's own threads can end before this time has passed.
    const fn at_least(left: Duration) -> Sleep {
        Sleep { input: false, left }
    }

    /// A sleep that only the bot's own threads can end.
    const UNTIL_OWN: Sleep = Sleep::at_least(Duration::MAX);

    /// Nothing is known of the sleep.
    const UNKNOWN: Sleep = Sleep::at_least(Duration::ZERO);

    /// A sleep that ends when either of the two would end.
    fn or(self, other: Sleep) -> Sleep {
        Sleep { input: self.input || other.input, left: self.left.min(other.left) }
    }
}

impl InputWatch {
    /// Watches the bot that was `started` with the pipe `input` (either end of it) as its standard input. If the system
    /// does not name the pipe, the bot is never seen waiting.
    pub(super) fn new(input: impl AsFd, level: Level, started: Instant) -> InputWatch {
        let input_inode = rustix::fs::fstat(input).map_or(0, |stat| stat.st_ino);
        InputWatch { input_name: format!("pipe:[{input_inode}]"), input_inode, level, started, seen: None }
    }

    /// Checks the bot, whose input must be empty. Returns for how long it has been seen waiting for input; zero
    /// unless two checks in a row have seen that. `horizon` is how long its answer would still be awaited: a timeout
    /// that ends later does not matter.
    pub(super) fn look(&mut self, horizon: Duration) -> Duration {
        let now = Instant::now();
        let Some(tasks) = self.waiting_tasks(horizon) else {
            self.seen = None;
            return Duration::ZERO;
        };
        match &self.seen {
            Some((since, seen)) if *seen == tasks => since.elapsed(),
            _ => {
                self.seen = Some((now, tasks));
                Duration::ZERO
            }
        }
    }

    /// The scheduler's counters of each thread, which change when it runs, if the bot waits for input; `None` if it
    /// does not.
    fn waiting_tasks(&self, horizon: Duration) -> Option<BTreeMap<i32, String>> {
        // At `plain`, the bot can have processes that cannot be found.
        if self.level == Level::Plain {
            return None;
        }
        let mut waits = false;
        let mut tasks = BTreeMap::new();
        for (pid, task) in each_task() {
            let state = state_of(task)?;
            if ["Z", "X"].contains(&state.as_str()) {
                continue;
            }
            let runs = fs::read_to_string(format!("/proc/{task}/schedstat")).ok()?;
            let call = fs::read_to_string(format!("/proc/{pid}/task/{task}/syscall")).ok()?;
            let name = fs::read_to_string(format!("/proc/{task}/comm")).ok()?;
            let sleep = parse_call(&call).map_or(Sleep::UNKNOWN, |call| self.sleep_in_call(pid, call));
            if state != "S" || runs.starts_with("0 ") || (pid == task && has_alarm(pid)) {
                return None;
            }
            if !HOUSEKEEPING.contains(&name.trim_end()) {
                if sleep.left <= horizon {
                    return None;
                }
                tasks.insert(task, runs);
            }
            waits |= sleep.input;
        }
        waits.then_some(tasks)
    }

    /// What can end the sleep of a thread of `pid` that is blocked in `call`.
    fn sleep_in_call(&self, pid: i32, call: SystemCall) -> Sleep {
        let [a, b, c, d, e, _] = call.arguments;
        let (sleep, left) = match i64::from(call.number) {
            libc::SYS_read | libc::SYS_readv => (self.sleep_on_file(pid, a, 0), Duration::MAX),
            libc::SYS_wait4 | libc::SYS_waitid | libc::SYS_rt_sigsuspend => (Sleep::UNTIL_OWN, Duration::MAX),
            libc::SYS_futex => (Sleep::UNTIL_OWN, self.futex_left(pid, b, d)),
            libc::SYS_poll => (self.sleep_in_poll(pid, a, b), self.milliseconds_left(c)),
            libc::SYS_ppoll => (self.sleep_in_poll(pid, a, b), self.timespec_left(pid, c)),
            // For `select`, this reads microseconds as nanoseconds. The result is too early by less than a second,
            // which is safe.
            libc::SYS_select | libc::SYS_pselect6 => {
                (self.sleep_in_select(pid, a, [b, c, d]), self.timespec_left(pid, e))
            }
            libc::SYS_epoll_wait | libc::SYS_epoll_pwait => {
                (self.sleep_on_file(pid, a, 0), self.milliseconds_left(d))
            }
            libc::SYS_epoll_pwait2 => (self.sleep_on_file(pid, a, 0), self.timespec_left(pid, d)),
            libc::SYS_nanosleep => (Sleep::UNTIL_OWN, self.timespec_left(pid, a)),
            libc::SYS_clock_nanosleep if b == 0 => (Sleep::UNTIL_OWN, self.timespec_left(pid, c)),
            _ => (Sleep::UNKNOWN, Duration::ZERO),
        };
        sleep.or(Sleep::at_least(left))
    }

    /// What can end a wait for something to read from the descriptor `fd` of `pid`, which is nested in `depth` sets of
    /// `epoll`.
    fn sleep_on_file(&self, pid: i32, fd: u64, depth: u32) -> Sleep {
        const DEEPEST: u32 = 4;
        let Ok(file) = fs::read_link(format!("/proc/{pid}/fd/{}", fd as u32)) else { return Sleep::UNKNOWN };
        let file = file.to_string_lossy();
        let info = || fs::read_to_string(format!("/proc/{pid}/fdinfo/{}", fd as u32)).unwrap_or_default();
        match &*file {
            name if name == self.input_name => Sleep { input: true, left: Duration::MAX },
            "anon_inode:[eventpoll]" if depth < DEEPEST => {
                let mut all = Sleep::UNTIL_OWN;
                for member in info().lines().filter_map(EpollMember::read) {
                    let sleep = self.sleep_on_file(pid, member.fd, depth + 1);
                    // The descriptor's number was reused for the bot's input, so the file that the set contains is not
                    // known.
                    let is_reused = sleep.input && member.inode != self.input_inode;
                    all = all.or(match sleep {
                        _ if is_reused => Sleep::UNKNOWN,
                        sleep if member.is_read() => sleep,
                        Sleep { left, .. } => Sleep::at_least(left),
                    });
                }
                all
            }
            "anon_inode:[timerfd]" => Sleep::at_least(timer_left(&info())),
            "anon_inode:[eventfd]" | "anon_inode:[pidfd]" => Sleep::UNTIL_OWN,
            name if name.starts_with("pipe:[") => Sleep::UNTIL_OWN,
            // From this level up, a bot's sockets lead only to the bot itself.
            name if name.starts_with("socket:[") && self.level >= Level::Scoped => Sleep::UNTIL_OWN,
            _ => Sleep::UNKNOWN,
        }
    }

    /// What can end a wait for the descriptors in the list of `count` entries at the address `at` (`struct pollfd`).
    fn sleep_in_poll(&self, pid: i32, at: u64, count: u64) -> Sleep {
        const ENTRY: usize = 8;
        let Some(list) = read_memory(pid, at, (count as usize).saturating_mul(ENTRY)) else {
            return Sleep::UNKNOWN;
        };
        let ended = |entry: &[u8]| match *entry {
            [a, b, c, d, wanted, _, _, _] if d < 0x80 => {
                let sleep = self.sleep_on_file(pid, u32::from_le_bytes([a, b, c, d]).into(), 0);
                Sleep { input: sleep.input && u64::from(wanted) & READABLE != 0, ..sleep }
            }
            // The kernel ignores entries with negative numbers.
            _ => Sleep::UNTIL_OWN,
        };
        list.chunks(ENTRY).map(ended).fold(Sleep::UNTIL_OWN, Sleep::or)
    }

    /// What can end a wait for those of the first `count` descriptors that are in `sets` (`fd_set`). The first set
    /// contains those to read from.
    fn sleep_in_select(&self, pid: i32, count: u64, sets: [u64; 3]) -> Sleep {
        let mut all = Sleep::UNTIL_OWN;
        for (number, at) in sets.into_iter().enumerate().filter(|(_, at)| *at != 0) {
            let Some(set) = read_memory(pid, at, count.div_ceil(8) as usize) else { return Sleep::UNKNOWN };
            for fd in (0..count).filter(|fd| set[(fd / 8) as usize] >> (fd % 8) & 1 == 1) {
                let sleep = self.sleep_on_file(pid, fd, 0);
                all = all.or(Sleep { input: sleep.input && number == 0, ..sleep });
            }
        }
        all
    }

    /// The shortest time until a call of `futex` with this operation and timeout times out.
    fn futex_left(&self, pid: i32, operation: u64, timeout: u64) -> Duration {
        let absolute = match operation as i32 & !(libc::FUTEX_PRIVATE_FLAG | libc::FUTEX_CLOCK_REALTIME) {
            libc::FUTEX_WAIT => false,
            libc::FUTEX_WAIT_BITSET => true,
            _ => return Duration::ZERO,
        };
        match (timeout, read_timespec(pid, timeout)) {
            (0, _) => Duration::MAX,
            // The thread of Go's runtime that supervises the others, while all of them are idle.
            (_, Some(IDLE_GO)) if !absolute => Duration::MAX,
            (_, Some(until)) if absolute => until.saturating_sub(futex_clock_now(operation as i32)),
            _ => self.timespec_left(pid, timeout),
        }
    }

    fn milliseconds_left(&self, timeout: u64) -> Duration {
        u64::try_from(timeout as i32)
            .map_or(Duration::MAX, |timeout| self.timeout_left(Duration::from_millis(timeout)))
    }

    fn timespec_left(&self, pid: i32, at: u64) -> Duration {
        if at == 0 {
            Duration::MAX
        } else {
            read_timespec(pid, at).map_or(Duration::ZERO, |timeout| self.timeout_left(timeout))
        }
    }

    /// The shortest time until a timeout ends that may have begun at any time since the bot was started.
    fn timeout_left(&self, timeout: Duration) -> Duration {
        timeout.saturating_sub(self.started.elapsed())
    }
}

/// Housekeeping threads of the runtimes of Java and Haskell. They have timeouts, but never write an answer.
const HOUSEKEEPING: [&str; 11] = [
    "VM Thread",
    "VM Periodic Tas",
    "Monitor Deflati",
    "Sweeper thread",
    "C1 CompilerThre",
    "C2 CompilerThre",
    "G1 Service",
    "Common-Cleaner",
    "Service Thread",
    "Attach Listener",
    "ghc_ticker",
];

/// The timeout of the supervising thread in a Go program that is idle.
const IDLE_GO: Duration = Duration::from_secs(60);

/// `POLLIN` and `EPOLLIN`.
const READABLE: u64 = 1;

/// Parses a line of `/proc/PID/syscall`. Returns `None` if the thread is not in a call.
fn parse_call(line: &str) -> Option<SystemCall> {
    let mut words = line.split_ascii_whitespace();
    let number = words.next()?.parse().ok()?;
    let mut arguments = [0; 6];
    for argument in &mut arguments {
        *argument = parse_hexadecimal(words.next()?)?;
    }
    Some(SystemCall { number, arguments })
}

fn parse_hexadecimal(word: &str) -> Option<u64> {
    u64::from_str_radix(word.strip_prefix("0x").unwrap_or(word), 16).ok()
}

/// A descriptor in a set of `epoll`.
struct EpollMember {
    fd: u64,
    events: u64,
    inode: u64,
}

impl EpollMember {
    /// Parses a line of `/proc/PID/fdinfo/FD`. Returns `None` if it does not describe a member.
    fn read(line: &str) -> Option<EpollMember> {
        let mut words = line.split_ascii_whitespace();
        let mut after = |name: &str| words.by_ref().find(|word| *word == name).and(words.next());
        let fd = after("tfd:")?.parse().ok()?;
        let events = parse_hexadecimal(after("events:")?)?;
        let inode = words.find_map(|word| word.strip_prefix("ino:")).and_then(parse_hexadecimal)?;
        Some(EpollMember { fd, events, inode })
    }

    fn is_read(&self) -> bool {
        self.events & READABLE != 0
    }
}

/// The time until the timer fires that `info`, the content of `/proc/PID/fdinfo/FD`, describes.
fn timer_left(info: &str) -> Duration {
    let parse = |line: &str| {
        let (seconds, rest) = line.strip_prefix("it_value: (")?.strip_suffix(')')?.split_once(", ")?;
        Some((seconds.parse().ok()?, rest.parse().ok()?))
    };
    match info.lines().find_map(parse) {
        Some((0, 0)) => Duration::MAX,
        Some((seconds, rest)) => Duration::new(seconds, rest),
        None => Duration::ZERO,
    }
}

/// Whether a timer's signal may wake `pid`. A process that catches even the last signal is taken for a Go program:
/// these catch every signal, so catching the alarm's says nothing.
fn has_alarm(pid: i32) -> bool {
    /// The signal with which the runtimes of Haskell and Ruby switch between their threads.
    const OF_RUNTIMES: &str = "signal: 26/";
    const LAST: u32 = 64;
    let status = fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    let caught =
        status.lines().find_map(|line| line.strip_prefix("SigCgt:")).map(str::trim).and_then(parse_hexadecimal);
    let catches = |caught: u64, signal: u32| caught >> (signal - 1) & 1 == 1;
    let catches_alarm = |caught| catches(caught, libc::SIGALRM as u32) && !catches(caught, LAST);
    let timers = fs::read_to_string(format!("/proc/{pid}/timers")).unwrap_or_default();
    let mut signals = timers.lines().filter(|line| line.starts_with("signal: "));
    caught.is_none_or(catches_alarm) || signals.any(|line| !line.starts_with(OF_RUNTIMES))
}

/// Reads the time at the address `at` of `pid` (`struct timespec`).
fn read_timespec(pid: i32, at: u64) -> Option<Duration> {
    let bytes = read_memory(pid, at, 16)?;
    let seconds = u64::from_le_bytes(*bytes.first_chunk()?);
    let rest = u64::from_le_bytes(*bytes.last_chunk()?);
    (rest < 1_000_000_000).then(|| Duration::new(seconds, rest as u32))
}

/// The time of the clock that a call of `futex` with this operation uses.
fn futex_clock_now(operation: i32) -> Duration {
    let clock = if operation & libc::FUTEX_CLOCK_REALTIME == 0 { ClockId::Monotonic } else { ClockId::Realtime };
    clock_time(clock)
}

/// Reads the memory of `pid` at the address `at`; `None` if it cannot be read or is too long.
fn read_memory(pid: i32, at: u64, length: usize) -> Option<Vec<u8>> {
    const MOST: usize = 64 << 10;
    let mut bytes = vec![0; Some(length).filter(|&length| length <= MOST)?];
    File::open(format!("/proc/{pid}/mem")).and_then(|memory| memory.read_exact_at(&mut bytes, at)).ok()?;
    Some(bytes)
}
