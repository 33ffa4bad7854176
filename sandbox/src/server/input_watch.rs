//! Watches whether a bot waits for its input, so that it need not be waited for: whatever it was going to write, it
//! has written.
//!
//! A bot waits for its input if one of its threads is blocked in a read of it, and nothing but input can wake any of
//! its threads: each is blocked in a call without a timeout, on something that only the bot itself makes. What a
//! thread is blocked in, its line in `/proc` says. That is read for one thread after another, so the bot is looked at
//! twice: if no thread ran between the two looks, there was a moment at which all of them were blocked. Wherever this
//! cannot be seen, the bot is taken for one that is thinking.

use super::sweep::stat_of;
use super::waits::each_task;
use crate::level::Level;
use rustix::time::{ClockId, clock_gettime};
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::os::fd::AsFd;
use std::os::unix::fs::FileExt;
use std::time::{Duration, Instant};

/// Watches one bot.
pub struct InputWatch {
    /// How the bot's input is called in `/proc/PID/fd`, and its inode there.
    input: (String, u64),
    level: Level,
    /// No process of the bot is older.
    started: Instant,
    /// Since when every look has shown the same.
    seen: Option<(Instant, BTreeMap<i32, String>)>,
}

/// What ends a thread's sleep.
struct Sleep {
    /// Whether bytes of the bot's input do.
    input: bool,
    /// After how long at the earliest something else does, as far as it is not the bot's own doing.
    left: Duration,
}

impl Sleep {
    /// A sleep that ends by the bot's own doing, after this long at the earliest by itself.
    const fn at_least(left: Duration) -> Sleep {
        Sleep { input: false, left }
    }

    /// Nothing is known of the sleep.
    const UNKNOWN: Sleep = Sleep::at_least(Duration::ZERO);

    /// The sleep that either of the two ends.
    fn or(self, other: Sleep) -> Sleep {
        Sleep { input: self.input || other.input, left: self.left.min(other.left) }
    }
}

impl InputWatch {
    /// Watches the bot that was `started` with the pipe `input`, of which this is either end, as its standard input. If
    /// the system does not name the pipe, the bot is never seen waiting.
    pub fn new(input: impl AsFd, level: Level, started: Instant) -> InputWatch {
        let inode = rustix::fs::fstat(input).map_or(0, |stat| stat.st_ino);
        InputWatch { input: (format!("pipe:[{inode}]"), inode), level, started, seen: None }
    }

    /// Looks at the bot, whose input must be empty. Returns for how long it has been seen waiting for input; zero if
    /// it was not seen by two looks. `horizon` is how long its answer would still be waited for: a timeout that ends
    /// later does not matter.
    pub fn look(&mut self, horizon: Duration) -> Duration {
        let now = Instant::now();
        let Some(tasks) = self.blocked(horizon) else {
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

    /// How often each thread has run so far, if the bot waits for input.
    fn blocked(&self, horizon: Duration) -> Option<BTreeMap<i32, String>> {
        // At `plain` the bot can have processes that are not found.
        if self.level == Level::Plain {
            return None;
        }
        let mut waits = false;
        let mut tasks = BTreeMap::new();
        for (pid, task) in each_task() {
            let state = stat_of(task)?.into_iter().next()?;
            if ["Z", "X"].contains(&state.as_str()) {
                continue;
            }
            let runs = fs::read_to_string(format!("/proc/{task}/schedstat")).ok()?;
            let call = fs::read_to_string(format!("/proc/{pid}/task/{task}/syscall")).ok()?;
            let name = fs::read_to_string(format!("/proc/{task}/comm")).ok()?;
            let sleep = Call::read(&call).map_or(Sleep::UNKNOWN, |call| self.sleep(pid, call));
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

    /// What ends the sleep of a thread of `pid` in `call`.
    fn sleep(&self, pid: i32, call: Call) -> Sleep {
        let Call { number, arguments: [a, b, c, d, e, _] } = call;
        match number {
            libc::SYS_read | libc::SYS_readv => self.file(pid, a, 0),
            libc::SYS_wait4 | libc::SYS_waitid | libc::SYS_rt_sigsuspend => Sleep::at_least(Duration::MAX),
            libc::SYS_futex => Sleep::at_least(self.futex(pid, b, d)),
            libc::SYS_ppoll => self.polled(pid, a, b).or(Sleep::at_least(self.timespec(pid, c))),
            libc::SYS_pselect6 => self.selected(pid, a, [b, c, d]).or(Sleep::at_least(self.timespec(pid, e))),
            libc::SYS_epoll_pwait => self.file(pid, a, 0).or(Sleep::at_least(self.milliseconds(d))),
            libc::SYS_epoll_pwait2 => self.file(pid, a, 0).or(Sleep::at_least(self.timespec(pid, d))),
            #[cfg(target_arch = "x86_64")]
            libc::SYS_poll => self.polled(pid, a, b).or(Sleep::at_least(self.milliseconds(c))),
            #[cfg(target_arch = "x86_64")]
            libc::SYS_select => self.selected(pid, a, [b, c, d]).or(Sleep::at_least(self.timeval(pid, e))),
            #[cfg(target_arch = "x86_64")]
            libc::SYS_epoll_wait => self.file(pid, a, 0).or(Sleep::at_least(self.milliseconds(d))),
            libc::SYS_nanosleep => Sleep::at_least(self.timespec(pid, a)),
            libc::SYS_clock_nanosleep if b == 0 => Sleep::at_least(self.timespec(pid, c)),
            _ => Sleep::UNKNOWN,
        }
    }

    /// What ends the wait for something to read from the descriptor `fd` of `pid`, which is in `depth` sets of `epoll`.
    fn file(&self, pid: i32, fd: u64, depth: u32) -> Sleep {
        const DEEPEST: u32 = 4;
        let Ok(file) = fs::read_link(format!("/proc/{pid}/fd/{}", fd as u32)) else { return Sleep::UNKNOWN };
        let file = file.to_string_lossy();
        let info = || fs::read_to_string(format!("/proc/{pid}/fdinfo/{}", fd as u32)).unwrap_or_default();
        match &*file {
            name if name == self.input.0 => Sleep { input: true, left: Duration::MAX },
            "anon_inode:[eventpoll]" if depth < DEEPEST => {
                let members = info().lines().filter_map(Member::read).collect::<Vec<_>>();
                let ended = |member: Member| match (self.file(pid, member.fd, depth + 1), member.is_read()) {
                    (Sleep { input: true, .. }, _) if member.inode != self.input.1 => Sleep::UNKNOWN,
                    (sleep, true) => sleep,
                    (Sleep { left, .. }, false) => Sleep::at_least(left),
                };
                members.into_iter().map(ended).fold(Sleep::at_least(Duration::MAX), Sleep::or)
            }
            "anon_inode:[timerfd]" => Sleep::at_least(timer(&info())),
            "anon_inode:[eventfd]" | "anon_inode:[pidfd]" => Sleep::at_least(Duration::MAX),
            name if name.starts_with("pipe:[") => Sleep::at_least(Duration::MAX),
            // Sockets that lead out of the bot can only be made below this level.
            name if name.starts_with("socket:[") && self.level >= Level::Scoped => Sleep::at_least(Duration::MAX),
            _ => Sleep::UNKNOWN,
        }
    }

    /// What ends the wait for the descriptors in the list of `count` entries at `at` (`struct pollfd`).
    fn polled(&self, pid: i32, at: u64, count: u64) -> Sleep {
        const ENTRY: usize = 8;
        let Some(list) = memory(pid, at, (count as usize).saturating_mul(ENTRY)) else { return Sleep::UNKNOWN };
        let ended = |entry: &[u8]| match *entry {
            [a, b, c, d, wanted, _, _, _] if d < 0x80 => {
                let sleep = self.file(pid, u32::from_le_bytes([a, b, c, d]).into(), 0);
                Sleep { input: sleep.input && u64::from(wanted) & READABLE != 0, ..sleep }
            }
            // A negative number is not a descriptor.
            _ => Sleep::at_least(Duration::MAX),
        };
        list.chunks(ENTRY).map(ended).fold(Sleep::at_least(Duration::MAX), Sleep::or)
    }

    /// What ends the wait for the first `count` descriptors that are in `sets` (`fd_set`), of which the first is of
    /// those to read from.
    fn selected(&self, pid: i32, count: u64, sets: [u64; 3]) -> Sleep {
        let mut all = Sleep::at_least(Duration::MAX);
        for (number, at) in sets.into_iter().enumerate().filter(|(_, at)| *at != 0) {
            let Some(set) = memory(pid, at, count.div_ceil(8) as usize) else { return Sleep::UNKNOWN };
            for fd in (0..count).filter(|fd| set[(fd / 8) as usize] >> (fd % 8) & 1 == 1) {
                let sleep = self.file(pid, fd, 0);
                all = all.or(Sleep { input: sleep.input && number == 0, ..sleep });
            }
        }
        all
    }

    /// How long the call `futex` with this operation and timeout still lasts at least.
    fn futex(&self, pid: i32, operation: u64, timeout: u64) -> Duration {
        let absolute = match operation as i32 & !(libc::FUTEX_PRIVATE_FLAG | libc::FUTEX_CLOCK_REALTIME) {
            libc::FUTEX_WAIT => false,
            libc::FUTEX_WAIT_BITSET => true,
            _ => return Duration::ZERO,
        };
        match (timeout, seconds(pid, timeout)) {
            (0, _) => Duration::MAX,
            // The thread of Go's runtime that looks after the others, while none of them does anything.
            (_, Some(IDLE_GO)) if !absolute => Duration::MAX,
            (_, Some(until)) if absolute => until.saturating_sub(now(operation as i32)),
            _ => self.timespec(pid, timeout),
        }
    }

    fn milliseconds(&self, timeout: u64) -> Duration {
        u64::try_from(timeout as i32).map_or(Duration::MAX, |timeout| self.left(Duration::from_millis(timeout)))
    }

    fn timespec(&self, pid: i32, at: u64) -> Duration {
        if at == 0 { Duration::MAX } else { seconds(pid, at).map_or(Duration::ZERO, |timeout| self.left(timeout)) }
    }

    #[cfg(target_arch = "x86_64")]
    fn timeval(&self, pid: i32, at: u64) -> Duration {
        // Microseconds are taken for nanoseconds: less than a second too early.
        self.timespec(pid, at)
    }

    /// How long a timeout still lasts at least that began at any time since the bot was started.
    fn left(&self, timeout: Duration) -> Duration {
        timeout.saturating_sub(self.started.elapsed())
    }
}

/// Threads with which virtual machines look after themselves, and which therefore have timeouts: Java's, Haskell's.
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

/// The timeout of the thread that looks after the others in a program in Go of which nothing runs.
const IDLE_GO: Duration = Duration::from_secs(60);

/// `POLLIN` and `EPOLLIN`.
const READABLE: u64 = 1;

/// A system call in which a thread is blocked.
struct Call {
    number: i64,
    arguments: [u64; 6],
}

impl Call {
    /// The call in a line of `/proc/PID/syscall`; `None` if the thread is not in one.
    fn read(line: &str) -> Option<Call> {
        let mut words = line.split_ascii_whitespace();
        let number = words.next()?.parse().ok()?;
        let mut arguments = [0; 6];
        for argument in &mut arguments {
            *argument = hexadecimal(words.next()?)?;
        }
        Some(Call { number, arguments })
    }
}

fn hexadecimal(word: &str) -> Option<u64> {
    u64::from_str_radix(word.strip_prefix("0x").unwrap_or(word), 16).ok()
}

/// A descriptor in a set of `epoll`.
struct Member {
    fd: u64,
    events: u64,
    inode: u64,
}

impl Member {
    /// The member in a line of `/proc/PID/fdinfo/FD`, if it describes one.
    fn read(line: &str) -> Option<Member> {
        let mut words = line.split_ascii_whitespace();
        let mut after = |name: &str| words.by_ref().find(|word| *word == name).and(words.next());
        let fd = after("tfd:")?.parse().ok()?;
        let events = hexadecimal(after("events:")?)?;
        let inode = words.find_map(|word| word.strip_prefix("ino:")).and_then(hexadecimal)?;
        Some(Member { fd, events, inode })
    }

    fn is_read(&self) -> bool {
        self.events & READABLE != 0
    }
}

/// How long the timer lasts that a file `/proc/PID/fdinfo/FD` describes.
fn timer(info: &str) -> Duration {
    let value =
        info.lines().find_map(|line| line.strip_prefix("it_value: (")).and_then(|rest| rest.strip_suffix(')'));
    let value = value.and_then(|value| value.split_once(", "));
    let value = value.and_then(|(seconds, rest)| Some((seconds.parse().ok()?, rest.parse().ok()?)));
    match value {
        Some((0, 0)) => Duration::MAX,
        Some((seconds, rest)) => Duration::new(seconds, rest),
        None => Duration::ZERO,
    }
}

/// Whether `pid` may be woken by a timer's signal. Go catches every signal, up to the last one.
fn has_alarm(pid: i32) -> bool {
    /// What Haskell's and Ruby's runtimes use to let their threads take turns.
    const OF_RUNTIMES: &str = "signal: 26/";
    const LAST: u32 = 64;
    let status = fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:")).map(str::trim).and_then(hexadecimal);
    let catches = |signal: u32| caught.is_none_or(|caught| caught >> (signal - 1) & 1 == 1);
    let timers = fs::read_to_string(format!("/proc/{pid}/timers")).unwrap_or_default();
    let mut signals = timers.lines().filter(|line| line.starts_with("signal: "));
    (catches(libc::SIGALRM as u32) && !catches(LAST)) || signals.any(|line| !line.starts_with(OF_RUNTIMES))
}

/// The time at the address `at` of `pid` (`struct timespec`).
fn seconds(pid: i32, at: u64) -> Option<Duration> {
    let bytes = memory(pid, at, 16)?;
    let (seconds, rest) = bytes.split_first_chunk::<8>()?;
    let rest = u64::from_le_bytes(*rest.first_chunk()?);
    Some(Duration::new(
        u64::from_le_bytes(*seconds),
        u32::try_from(rest).ok().filter(|&rest| rest < 1_000_000_000)?,
    ))
}

/// The time of the clock that a call `futex` with this operation uses.
fn now(operation: i32) -> Duration {
    let clock = if operation & libc::FUTEX_CLOCK_REALTIME == 0 { ClockId::Monotonic } else { ClockId::Realtime };
    let now = clock_gettime(clock);
    Duration::new(now.tv_sec as u64, now.tv_nsec as u32)
}

/// What is in the memory of `pid` at an address.
fn memory(pid: i32, at: u64, length: usize) -> Option<Vec<u8>> {
    const MOST: usize = 64 << 10;
    let mut bytes = vec![0; Some(length).filter(|&length| length <= MOST)?];
    File::open(format!("/proc/{pid}/mem")).and_then(|memory| memory.read_exact_at(&mut bytes, at)).ok()?;
    Some(bytes)
}
