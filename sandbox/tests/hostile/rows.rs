//! All hostile behaviours, the outcome promised for each, and the weakest level that promises it.
//!
//! `docs/sandbox.md` shows this table. A trial checks that the two agree.

use cornerman_sandbox::{FileViolationKind, Level};

/// One behaviour of a bot.
pub struct Row {
    /// Its name in trials and in the document.
    pub name: &'static str,
    /// The promised outcome.
    pub verdict: Verdict,
    /// The weakest level that promises it.
    pub from: Level,
    /// Attempts that may succeed, because they have no effect on others.
    pub harmless: &'static [&'static str],
    /// What an organizer should know about it.
    pub remark: &'static str,
    /// Whether the promise depends on Landlock's rules about signals at `scoped`.
    pub is_of_signals: bool,
}

/// The promised outcome of a run. In addition, nothing else may come to harm.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// The right answer, and nothing else to report.
    Fine,
    /// The right answer; at least this many processes were left running, and were ended.
    Leftovers(u32),
    /// The right answer; the report says that this was done to a file in this place.
    Reported(Place, FileViolationKind),
    /// The right answer; the report does not mention what the bot made.
    Unreported,
    /// The right answer; no attempt had an effect.
    Contained,
    /// The right answer; the attempt was refused or is reported.
    RefusedOrReported,
    /// The right answer; at least this many milliseconds of processor time are reported.
    Cpu(u64),
    /// The same, or the report says that the figure is a lower bound.
    CpuOrLowerBound(u64),
    /// Ended at the hard limit.
    TimedOut,
    /// Ended because of too much output.
    TooMuch,
    /// Exited after this many bytes of the right answer.
    TooLittle(usize),
    /// Exited with this status after the right answer.
    Exits(i32),
    /// Died of this signal.
    Dies(i32),
    /// Never started, with this error number.
    CannotStart(i32),
}

/// Where a bot left a file.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// At a path that contains the trial's marker.
    Marked,
    /// In the place of its own state file.
    OwnState,
}

impl Row {
    const fn allowing(self, harmless: &'static [&'static str]) -> Row {
        Row { harmless, ..self }
    }

    const fn remark(self, remark: &'static str) -> Row {
        Row { remark, ..self }
    }

    const fn of_signals(self) -> Row {
        Row { is_of_signals: true, ..self }
    }
}

const fn row(name: &'static str, verdict: Verdict, from: Level) -> Row {
    Row { name, verdict, from, harmless: &[], remark: "", is_of_signals: false }
}

use FileViolationKind::{Created, NotAFile};
use Level::{Namespaced, Plain, Restricted, Scoped};
use Verdict::*;

const SIGABRT: i32 = 6;
const SIGKILL: i32 = 9;
const SIGSEGV: i32 = 11;
const SIGPIPE: i32 = 13;
const ENOENT: i32 = 2;
const EACCES: i32 = 13;

/// The table.
pub const ROWS: &[Row] = &[
    row("fine", Fine, Plain),
    row("reads-nothing", Fine, Plain),
    row("closes-stdin", Fine, Plain),
    row("nonblocking-stdout", Fine, Plain),
    row("keeps-state", Fine, Plain).remark("in its own state file, which lasts for the game"),
    row("much-stderr", Fine, Plain).remark("the end is kept, the rest is counted"),
    // Processes left behind.
    row("grandchild-holds-stdout", Leftovers(1), Plain).remark("at plain swept but not counted"),
    row("grandchild-writes-late", Leftovers(1), Plain).remark("at plain swept but not counted"),
    row("setsid-daemon", Leftovers(1), Restricted),
    row("fork-bomb-after-answering", Leftovers(1), Restricted),
    row("hydra", Leftovers(1), Restricted).remark("each process starts the next and ends"),
    row("zombies", Leftovers(200), Restricted).remark("processes that ended but were never waited for count"),
    row("renamed-subreaper", Leftovers(2), Restricted),
    row("sibling", Leftovers(1), Restricted).remark("a child made to look like the server's own"),
    // Things kept where they should not be.
    row("many-files", Reported(Place::Marked, Created), Namespaced).remark("100,000 are tried; 2,048 fit"),
    row("state-symlink", Reported(Place::OwnState, NotAFile), Plain),
    row("state-fifo", Reported(Place::OwnState, NotAFile), Plain),
    row("state-directory", Reported(Place::OwnState, NotAFile), Plain),
    row("closed-folder", Fine, Plain).remark("in the state file's place; it can still be removed"),
    row("java-counters", Unreported, Namespaced)
        .remark("what Java leaves in /tmp by itself; removed without a report"),
    row("state-unreadable", Fine, Plain).remark("its mode is up to the bot; it can still be removed"),
    row("swaps-file-for-state", Reported(Place::Marked, Created), Plain),
    row("deep-folders", Reported(Place::Marked, Created), Namespaced),
    row("closes-folders", Reported(Place::Marked, Created), Namespaced),
    row("writes-home", Reported(Place::Marked, Created), Plain),
    row("writes-tmp", Reported(Place::Marked, Created), Plain),
    row("writes-var-tmp", Reported(Place::Marked, Created), Plain),
    row("writes-dev-shm", Reported(Place::Marked, Created), Plain),
    row("writes-cwd", RefusedOrReported, Plain).remark("from scoped on refused, except in a watched copy"),
    row("writes-own-folder", RefusedOrReported, Plain).remark("from scoped on refused, except in a watched copy"),
    row("opens-foes-state", RefusedOrReported, Plain).remark("at namespaced it does not exist"),
    // Attempts on others.
    row("huge-state", Contained, Restricted),
    row("thread-bomb", Fine, Restricted).remark(
        "limited by a control group, or at namespaced unless root runs the kit; threads end with their process",
    ),
    row("reads-secret", Contained, Scoped),
    row("kills-parent", Contained, Scoped)
        .allowing(&["kill the parent", "stop the parent", "terminate the parent"])
        .of_signals()
        .remark("at namespaced the kernel accepts the signal and ignores it"),
    row("kills-victim", Contained, Scoped).of_signals(),
    row("kills-group", Contained, Plain)
        .allowing(&["terminate the group", "hang up the group", "interrupt the group"])
        .remark("the group is the bot's own, or its sandbox's"),
    row("kills-everything", Contained, Scoped)
        .allowing(&["kill everything"])
        .of_signals()
        .remark("it can reach only its own processes"),
    row("looks-into-others", Contained, Scoped),
    row("hampers-others", Contained, Scoped).remark("priority, processors, limits"),
    row("file-signals", Contained, Scoped),
    row("tcp", Contained, Scoped),
    row("udp", Contained, Scoped),
    row("raw", Contained, Scoped),
    row("netlink", Contained, Scoped),
    row("vsock", Contained, Scoped),
    row("unix-path", Contained, Scoped),
    row("unix-abstract", Contained, Scoped),
    row("pair-sends-elsewhere", Contained, Scoped),
    row("sends-descriptors", Contained, Scoped).remark("their number is limited for the whole user"),
    row("io-uring", Contained, Scoped),
    row("sysv", Contained, Scoped),
    row("keyring", Contained, Scoped),
    row("memfd", Contained, Scoped),
    row("new-namespaces", Contained, Scoped),
    row("mounts", Contained, Scoped),
    row("chroots", Contained, Scoped),
    row("older-calls", Contained, Scoped).remark("forbidden calls by their x32 and i386 numbers, and bpf"),
    row("newest-calls", Contained, Scoped).remark("calls on no list fail as if they did not exist"),
    row("odd-arguments", Contained, Scoped).remark("of clone, prctl, ioctl, fcntl and personality"),
    row("watches-files", Contained, Scoped).remark("inotify and similar calls"),
    row("looks-into-cache", Contained, Scoped).remark("mincore and cachestat"),
    row("marks-files", Contained, Scoped).remark("extended attributes, flags and hints"),
    row("asynchronous-files", Contained, Scoped).remark("their limit is shared by the whole machine"),
    row("wakes-itself", Contained, Scoped).remark("by timers that send signals"),
    row("message-queues", Contained, Scoped),
    row("leaves-group", Contained, Scoped)
        .allowing(&[
            "begin a session",
            "lead a process group",
            "lead a process group with a guess",
            "lead a process group with all bits",
            "put a child into a group of its own",
        ])
        .remark("allowed at namespaced, where all its processes end with their namespace"),
    row("names-host", Contained, Scoped),
    row("terminal", Contained, Scoped),
    row("own-program", Contained, Scoped).remark("write, rename, link, delete"),
    row("changes-attributes", Contained, Scoped).remark("mode, owner, times, marks of any file"),
    row("changes-attributes-in-a-build", Contained, Scoped)
        .allowing(&["let others run a file as its user"])
        .remark(
            "the same in a build, which may change its own files; at namespaced set-user-ID bits have no effect",
        ),
    row("sets-clock", Contained, Restricted),
    row("setuids", Contained, Restricted),
    row("raises-limits", Contained, Restricted),
    row("raises-priority", Contained, Restricted),
    row("waits-on-purpose", Contained, Scoped)
        .remark("idle, nice, or on another processor; the calls seem to succeed"),
    row("oom-score", Contained, Restricted),
    row("leaked-descriptors", Contained, Plain),
    row("leaked-environment", Fine, Plain),
    row("locks", Leftovers(1), Restricted)
        .allowing(&["lock another file", "lock its own program"])
        .remark("they seem to succeed, because Java needs them, and lock nothing"),
    // Processor time.
    row("burns-itself", Cpu(300), Plain),
    row("burns-in-child", Cpu(300), Plain),
    row("burns-in-orphan", Cpu(300), Restricted),
    row("burns-in-leftover", Cpu(300), Restricted),
    row("burns-in-auto-reaped", CpuOrLowerBound(300), Plain)
        .remark("only a control group counts the time of a child that is not waited for"),
    // No end.
    row("sleeps", TimedOut, Plain),
    row("spins", TimedOut, Plain),
    row("ignores-signals", TimedOut, Plain),
    row("stops-itself", TimedOut, Plain),
    row("closes-stdout-and-hangs", TimedOut, Plain),
    row("answers-and-hangs", TimedOut, Plain),
    row("partly-answers-and-hangs", TimedOut, Plain),
    row("dribbles", TimedOut, Plain),
    row("fork-bomb", TimedOut, Restricted),
    row("vfork-hangs", TimedOut, Plain),
    row("crowds-with-threads", TimedOut, Plain).remark("it waits only for itself, and gets no extension"),
    row("crowds-with-children", TimedOut, Plain).remark("as above"),
    row("crowds-with-brief-children", TimedOut, Namespaced)
        .remark("as above; no child lives long enough to be seen, and no one waits for it"),
    row("crowds-while-idle", TimedOut, Plain).remark("as above, though it lets all other programs run first"),
    row("thinks-at-the-deadline", TimedOut, Plain).remark("as above, after it slept for most of its time"),
    row("endless-stderr", TimedOut, Plain),
    row("leaves-input-in-the-pipe", TimedOut, Plain),
    // Wrong amounts.
    row("endless-stdout", TooMuch, Plain),
    row("endless-stdout-ignoring-sigpipe", TooMuch, Plain),
    row("long-line", TooMuch, Plain),
    row("one-byte-more", TooMuch, Plain),
    row("nothing", TooLittle(0), Plain),
    row("hundred-bytes", TooLittle(100), Plain),
    row("one-byte-less", TooLittle(527), Plain),
    // Deaths.
    row("exits-3", Exits(3), Plain),
    row("segfaults", Dies(SIGSEGV), Plain),
    row("aborts", Dies(SIGABRT), Plain),
    row("kills-itself", Dies(SIGKILL), Plain),
    row("dies-of-stderr", Dies(SIGPIPE), Plain).remark("64 MiB of it are read, then it is closed"),
    row("dumps-core", Dies(SIGABRT), Restricted).remark("and no core file is made"),
    row("bad-interpreter", CannotStart(ENOENT), Plain),
    row("not-executable", CannotStart(EACCES), Plain),
    row("missing", CannotStart(ENOENT), Plain),
    // Memory.
    row("private-memory", Contained, Restricted),
    row("shared-memory", Contained, Restricted),
    row("memory-in-a-file", Contained, Scoped),
    row("memory-of-children", Leftovers(1), Restricted)
        .allowing(&["take 64 MB in each of ten children"])
        .remark("only a control group limits the sum; the memory is freed with the bot"),
];
