//! The kinds of mutant: what is wrong with each, and the ids of the checks that fail because of it, and no others.
//!
//! Those of Boxing; `hands/kinds.rs` has those of rock-paper-scissors. Plain data, so that tests of the suite can include this file. `not-executable` and whatever else cannot be
//! started (BX-RUN-EXEC) is no kind of program: a test makes such files itself.

/// One kind of mutant.
pub struct Kind {
    /// Its name, the program's first argument.
    pub name: &'static str,
    /// What is wrong with it.
    pub fault: &'static str,
    /// The ids of all checks that fail; none for a bot that must pass.
    pub expect: &'static [&'static str],
}

/// A kind, by name, fault and failing checks.
pub const fn kind(name: &'static str, fault: &'static str, expect: &'static [&'static str]) -> Kind {
    Kind { name, fault, expect }
}

/// Every kind of Boxing bot.
pub const KINDS: &[Kind] = &[
    // Without a fault, and looking as if there were one.
    kind("none", "no fault", &[]),
    kind("near-limit", "takes half a second for its first move", &[]),
    kind("near-chatter", "writes a few lines on standard error", &[]),
    kind("near-dribble", "writes its answer in pieces", &[]),
    kind("near-state", "leaves its state file behind", &[]),
    kind("near-child", "starts a process and waits for its end", &[]),
    // Form.
    kind("no-final-newline", "leaves out the last line feed", &["BX-OUT-FINALNL"]),
    kind("crlf", "ends rows with CR LF", &["BX-OUT-EOL"]),
    kind("bare-cr", "ends rows with CR", &["BX-OUT-EOL"]),
    kind("blank-tail", "writes an empty line after the arena", &["BX-OUT-TRAIL"]),
    kind("debug-tail", "writes a line of its own after the arena", &["BX-OUT-TRAIL"]),
    kind("nul-tail", "writes a NUL after the arena", &["BX-OUT-TRAIL"]),
    kind("arena-twice", "writes the arena twice", &["BX-OUT-TRAIL"]),
    kind("banner", "writes its name before the arena", &["BX-OUT-LEAD"]),
    kind("blank-lead", "writes an empty line before the arena", &["BX-OUT-LEAD"]),
    kind("bom", "writes a byte order mark before the arena", &["BX-OUT-LEAD"]),
    kind("15-rows", "leaves out the last row", &["BX-OUT-ROWS"]),
    kind("17-rows", "writes the last row twice", &["BX-OUT-ROWS"]),
    kind("31-columns", "leaves out the last column", &["BX-OUT-ROWS"]),
    kind("transposed", "writes columns as rows", &["BX-OUT-ROWS"]),
    kind("spaced-rows", "writes a blank at the end of each row", &["BX-OUT-ROWS"]),
    kind("empty", "writes nothing", &["BX-OUT-LEN"]),
    kind("unflushed-exit", "ends before its last 16 bytes are out", &["BX-OUT-LEN"]),
    kind("nul-cell", "writes NUL bytes for its mark", &["BX-OUT-CHARSET"]),
    // The move.
    kind("rectangle", "marks a 2x1", &["BX-MOV-SQUARE"]),
    kind("tall-rectangle", "marks a 1x3", &["BX-MOV-SQUARE"]),
    kind("row-wrap", "marks a 2x2 that goes on at the left after the right edge", &["BX-MOV-SQUARE"]),
    kind("hollow", "marks the border of a 3x3", &["BX-MOV-FILLED"]),
    kind("l-in-2x2", "marks three spots of a 2x2", &["BX-MOV-FILLED"]),
    kind("diagonal", "marks three spots in a diagonal line", &["BX-MOV-FILLED"]),
    kind("two-boxes", "marks two squares", &["BX-MOV-ONE"]),
    kind("overlap-own", "lays a square partly over its own", &["BX-MOV-VACANT"]),
    kind("over-o", "lays a square over blocked spots", &["BX-MOV-VACANT"]),
    kind("over-foe", "lays a square over an opponent's marks", &["BX-MOV-VACANT"]),
    kind("swap-foe", "turns an opponent's mark into its own with its move", &["BX-MOV-VACANT"]),
    kind("erase-own", "makes one of its own spots vacant with its move", &["BX-MOV-VACANT"]),
    kind("lowercase-mark", "writes its mark in lower case", &["BX-MOV-MARK"]),
    kind("hard-coded-A", "writes `A` whatever its mark", &["BX-MOV-MARK"]),
    kind("foe-mark", "writes another player's mark", &["BX-MOV-MARK"]),
    kind("printf-mark", "takes its mark for a format: `%` comes out as a blank", &["BX-MOV-MARK"]),
    kind(
        "glob-mark",
        "lets a shell expand its mark: `*` becomes the first letter of a file name",
        &["BX-MOV-MARK"],
    ),
    kind("escape-mark", "takes its mark for the start of an escape: `\\` comes out as `n`", &["BX-MOV-MARK"]),
    kind("null-move", "never moves", &["BX-MOV-SOME"]),
    kind("early-pass", "does not move when four spots or fewer are vacant", &["BX-MOV-SOME"]),
    kind("full-prints-nothing", "writes nothing when the arena is full", &["BX-MOV-PASS"]),
    kind("full-overwrites", "marks somebody's spot when the arena is full", &["BX-MOV-PASS"]),
    // Reading the arena.
    kind("skip-last-row", "does not see the last row", &["BX-MOV-SOME"]),
    kind("skip-last-column", "does not see the last column", &["BX-MOV-SOME"]),
    kind("only-o-blocks", "takes opponents' marks for vacant", &["BX-MOV-VACANT"]),
    kind("isalpha-foes", "takes opponents' marks that are no letters for vacant", &["BX-MOV-VACANT"]),
    kind("signed-char", "takes bytes above 127 for vacant", &["BX-MOV-VACANT"]),
    kind("third-opponent", "takes a third opponent's marks for vacant", &["BX-NPLAYER"]),
    // Whole games and memory.
    kind("illegal-at-move-40", "does not move when it is its 40th move of the game", &["BX-CHAIN"]),
    kind("sample-book", "does not move at its 12th move from the sample arena", &["BX-CHAIN"]),
    kind("tires", "does not move at its 12th move from any other arena", &["BX-SELF"]),
    kind("trusts-state", "paints what its state file says, of whatever game that is", &["BX-STATE-STALE"]),
    kind("needs-state", "gives up when its state file is gone in the middle of the game", &["BX-STATE-COLD"]),
    kind("dies-on-junk-state", "gives up when its state file is no text", &["BX-STATE-CORRUPT"]),
    kind("writes-log", "writes a log in /tmp", &["BX-STATE-ONLY"]),
    kind("shared-path", "writes to /tmp/arena, without a mark", &["BX-STATE-ONLY"]),
    kind("log-in-var-tmp", "writes a log in /var/tmp", &["BX-STATE-ONLY"]),
    kind("log-in-shared-memory", "writes a log in /dev/shm", &["BX-STATE-ONLY"]),
    kind("log-in-folder", "writes a log in the working directory", &["BX-STATE-ONLY"]),
    kind("log-at-home", "writes a log in its home directory", &["BX-STATE-ONLY"]),
    kind("reads-foe-state", "opens the state files of its opponents", &["BX-STATE-SEP"]),
    // Time.
    kind("sleep-over-limit", "sleeps for five seconds before its first move", &["BX-TIME-HARD"]),
    kind("spin", "computes for five seconds before its first move", &["BX-TIME-HARD"]),
    kind("slow-when-empty", "takes 1.3 seconds for its first move", &["BX-TIME-SOFT"]),
    // Running.
    kind("segv-after-output", "dies by a signal when it has answered", &["BX-RUN-SIGNAL"]),
    kind("exit-1", "ends with status 1", &["BX-RUN-EXIT"]),
    kind("read-once", "takes what one read gives for the whole arena", &["BX-RUN-CHUNK"]),
    kind("waits-for-end", "answers only when its input has ended", &["BX-RUN-OPEN"]),
    kind("relative-asset", "looks in the working directory for a file beside it", &["BX-RUN-CWD"]),
    kind("needs-home", "does not play without HOME", &["BX-RUN-ENV"]),
    kind("pipe-only", "does not play when its output is a file", &["BX-RUN-FILE"]),
    kind("child-holds-stdout", "leaves a process behind that holds its output open", &["BX-RUN-ORPHAN"]),
    kind("silent-child", "leaves a process behind that holds nothing", &["BX-RUN-ORPHAN"]),
    kind("daemon", "leaves a process behind whose parent is gone", &["BX-RUN-ORPHAN"]),
    kind("floods-stderr", "does not play before 128 KiB on standard error are read", &["BX-RUN-STDERR"]),
    // Odd input.
    kind("dies-on-empty-input", "dies when its input is empty", &["BX-ODD-EMPTY"]),
    kind("dies-on-short-input", "dies when its input ends early", &["BX-ODD-SHORT"]),
    kind("waits-for-the-rest", "spins for five seconds when its input ends early", &["BX-ODD-SHORT"]),
    kind("overflow-on-long-input", "dies when more than an arena comes in", &["BX-ODD-LONG"]),
    kind("dies-on-crlf", "dies when rows end with CR LF", &["BX-ODD-CRLF"]),
    kind("dies-on-nul", "dies when there is a NUL in its input", &["BX-ODD-NUL"]),
    kind("segv-without-argument", "dies without an argument", &["BX-ODD-NOARG"]),
    kind("dies-on-long-argument", "dies when its argument has two characters or more", &["BX-ODD-LONGARG"]),
    kind("dies-on-closed-pipe", "dies by abort when nobody reads its answer", &["BX-ODD-EPIPE"]),
    kind("retries-closed-pipe", "writes its answer for five seconds when nobody reads it", &["BX-ODD-EPIPE"]),
];
