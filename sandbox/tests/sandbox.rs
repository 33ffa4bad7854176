//! Tests the sandbox with real programs: small shell scripts with one behaviour each.

#[path = "sandbox/builds.rs"]
mod builds;
#[path = "sandbox/pool.rs"]
mod pool;
#[path = "sandbox/waits.rs"]
mod waits;

use cornerman_sandbox::{
    AnswerTimer, Conditions, Ended, Environment, FileViolationKind, Input, Level, Limits, Output, Program,
    ReadLine, RunRequest, Sandbox, SendStatus, Session, TaskCounts, Tasks, calls, cgroup,
};
use libtest_mimic::{Arguments, Failed, Trial};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::thread;
use std::time::{Duration, Instant};

/// The run for one move of the bot with `mark`.
fn for_move(mark: u8, input: &[u8]) -> RunRequest {
    let mark = char::from(mark).to_string();
    let state_file = Some(format!("/tmp/arena.{mark}").into());
    RunRequest { state_file, ..RunRequest::with_input(vec![mark.into()], input) }
}

fn main() {
    cornerman_sandbox::serve_if_asked();
    let mut args = Arguments::from_args();
    // Most trials wait for bots that sleep.
    args.test_threads.get_or_insert(8);
    let mut trials = vec![
        Trial::test("output_and_status_are_reported", || {
            check("printf hello; exit 3", b"", Ended::Exited(3), b"hello")
        }),
        Trial::test("input_reaches_the_bot", || check("cat", b"abc", Ended::Exited(0), b"abc")),
        Trial::test("a_signal_is_not_a_timeout", || check("kill -9 $$", b"", Ended::Signalled(9), b"")),
        Trial::test("sleeping_past_the_limit_times_out", || {
            check("printf x; sleep 60", b"", Ended::TimedOut, b"x")
        }),
        Trial::test("unread_input_is_not_a_fault", || {
            check("exec <&-; sleep 0.1; printf x", &[7; 200_000], Ended::Exited(0), b"x")
        }),
        Trial::test("a_grandchild_that_holds_the_output_does_not_delay", leftovers_are_swept),
        Trial::test("a_flood_on_standard_error_does_not_block_a_move", || {
            check("head -c 1000000 /dev/zero >&2; printf x", b"", Ended::Exited(0), b"x")
        }),
        Trial::test("the_environment_is_minimal", the_environment_is_minimal),
        Trial::test("other_surroundings_have_another_number_of_processors", processors_vary)
            .with_ignored_flag(thread::available_parallelism().is_ok_and(|many| many.get() == 1)),
        Trial::test("descriptors_are_closed", descriptors_are_closed),
        Trial::test("bots_are_in_a_group_of_their_sandbox_without_a_terminal", bots_are_in_a_group),
        Trial::test("input_byte_by_byte", || {
            with("cat", |request| request.input = Input::Dribbled(b"some bytes".to_vec()), b"some bytes")
        }),
        Trial::test("output_to_a_file", || with("cat", |request| request.output = Output::File, b"in")),
        Trial::test("lines_go_back_and_forth_in_one_process", lines_go_back_and_forth),
        Trial::test("a_line_that_does_not_come_times_out_however_slowly_bytes_drip", a_dripping_line_times_out),
        Trial::test("a_bot_that_ends_early_is_distinguished_from_one_that_is_stopped", ends_are_distinguished),
        Trial::test("a_bot_that_does_not_read_does_not_block_the_referee", unread_lines_time_out),
        Trial::test("a_flood_on_standard_error_does_not_stop_a_session", a_flood_does_not_stop_a_session),
        Trial::test("what_is_written_after_the_end_of_input_can_be_read", after_the_end_of_input),
        Trial::test("bytes_that_are_dribbled_come_one_by_one", dribbled_one_by_one),
        Trial::test("processes_of_a_session_are_counted", processes_are_counted),
        Trial::test("files_of_a_watched_session_are_reported", a_watched_session),
        Trial::test("files_that_come_and_go_are_told_from_those_that_stay", files_that_come_and_go)
            .with_ignored_flag(level_of(Level::Namespaced) != Level::Namespaced),
        Trial::test("finishing_sweeps_what_the_bot_started", finishing_sweeps),
        Trial::test("others_are_stopped_while_an_answer_takes_long", others_are_stopped),
        Trial::test("system_calls_are_seen", system_calls_are_seen),
        Trial::test("waiting_for_a_processor_extends_the_deadline", waiting_extends_the_deadline),
        Trial::test("a_bot_that_crowds_the_machine_itself_gets_no_extension", own_crowding_gets_no_extension),
        Trial::test("a_program_that_is_still_being_written_is_waited_for", a_program_being_written),
        a_memory_kill_is_reported_once(),
    ];
    trials.extend(builds::trials());
    trials.extend(pool::trials());
    for level in Level::ALL {
        let refused = level_of(level) != level;
        let hostile = |name: &str, run: fn(Level) -> Result<(), Failed>| {
            let kind = if refused { "not available on this machine" } else { "" };
            let trial = Trial::test(format!("{level}::session::{name}"), move || run(level));
            trial.with_kind(kind).with_ignored_flag(refused)
        };
        trials.extend([
            hostile("leaves_children", leaves_children),
            hostile("starts_processes_that_end_before_it_does", starts_processes),
            hostile("uses_all_processes_of_its_limit", uses_all_processes),
            hostile("floods_output_without_line_feeds", floods_output),
            hostile("floods_errors", floods_errors),
            hostile("closes_its_input", closes_its_input),
            hostile("closes_its_output", closes_its_output),
            hostile("ignores_the_request_to_end", ignores_the_request_to_end),
            hostile("never_reads", never_reads),
            hostile("is_stopped_while_it_is_not_its_turn", is_stopped),
            hostile("waits_for_its_input", waits::seen),
            hostile("answers_later", waits::not_seen),
        ]);
    }
    libtest_mimic::run(&args, trials).exit();
}

fn open(script: &str) -> Sandbox {
    open_under(script, Conditions::default())
}

fn open_under(script: &str, conditions: Conditions) -> Sandbox {
    let limits = Limits {
        hard: Duration::from_secs(if script.contains("sleep 60") { 1 } else { 20 }),
        ..Limits::default()
    };
    Sandbox::open(&shell(script), &limits, conditions).unwrap()
}

fn shell(script: &str) -> Program {
    Program {
        argv: ["/bin/sh", "-c", script, "bot"].map(Into::into).to_vec(),
        folder: "/".into(),
        parts: Vec::new(),
    }
}

fn check(script: &str, input: &[u8], ended: Ended, output: &[u8]) -> Result<(), Failed> {
    let report = open(script).run(&for_move(b'A', input))?;
    if (&report.ended, report.output.as_slice()) == (&ended, output) {
        Ok(())
    } else {
        Err(format!("{report:?}").into())
    }
}

fn with(script: &str, change: impl Fn(&mut RunRequest), output: &[u8]) -> Result<(), Failed> {
    let mut request = for_move(b'A', b"in");
    change(&mut request);
    let report = open(script).run(&request)?;
    if report.output == output { Ok(()) } else { Err(format!("{report:?}").into()) }
}

fn leftovers_are_swept() -> Result<(), Failed> {
    let report = open("sleep 600 & setsid sleep 600 & printf x").run(&for_move(b'A', b""))?;
    if report.output != b"x" || report.leftovers != 2 || report.wall > Duration::from_secs(15) {
        return Err(format!("{report:?}").into());
    }
    Ok(())
}

/// A program that was just written may be open for writing for a moment, in a process that its writer is starting.
fn a_program_being_written() -> Result<(), Failed> {
    for is_session in [false, true] {
        let folder = tempfile::tempdir()?;
        let path = folder.path().join("bot");
        fs::write(&path, "#!/bin/sh\necho ready\n")?;
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755))?;
        let written = fs::OpenOptions::new().append(true).open(&path)?;
        let program = Program { argv: vec![path.clone().into()], folder: folder.path().into(), parts: vec![path] };
        let mut bot = Sandbox::open(&program, &Limits::default(), Conditions::default())?;
        let writer = thread::spawn(move || {
            thread::sleep(Duration::from_millis(100));
            drop(written);
        });
        if is_session {
            expect(session_in(bot)?.line(100, in_time())?, ReadLine::Read(b"ready".to_vec()))?;
        } else {
            expect(bot.run(&for_move(b'A', b""))?.ended, Ended::Exited(0))?;
        }
        writer.join().map_err(|_| "the writer failed")?;
    }
    Ok(())
}

fn processors_vary() -> Result<(), Failed> {
    let mut sandbox = open("nproc");
    let usual = RunRequest::with_input(Vec::new(), b"");
    let other = RunRequest { environment: Environment::Varied, ..usual.clone() };
    let first = sandbox.run(&usual)?.output;
    expect(sandbox.run(&other)?.output == first, false)?;
    expect(sandbox.run(&usual)?.output, first)
}

fn the_environment_is_minimal() -> Result<(), Failed> {
    let report = open("env | sed 's/=.*//' | sort | tr '\\n' ' '").run(&for_move(b'A', b""))?;
    let names = String::from_utf8(report.output)?;
    if names == "HOME LANG MALLOC_ARENA_MAX PATH PWD TMPDIR " { Ok(()) } else { Err(names.into()) }
}

fn descriptors_are_closed() -> Result<(), Failed> {
    let report = open("exec ls /proc/self/fd").run(&for_move(b'A', b""))?;
    let open = String::from_utf8(report.output)?;
    // The fourth one is the folder that `ls` reads.
    if open == "0\n1\n2\n3\n" { Ok(()) } else { Err(open.into()) }
}

/// At every level: a bot that signals its group must not reach another sandbox's processes, and no bot may have the
/// client's terminal. Where the server is the first process of a namespace, such signals do not harm it, so the bot is
/// in its group.
fn bots_are_in_a_group() -> Result<(), Failed> {
    // Number, name, state, parent, group, session, terminal. A number from outside the namespace is 0.
    let script = "read pid name state parent group session tty rest </proc/self/stat
        echo $((group == pid)) $((group == parent)) $((session == parent || session == 0)) $tty";
    for level in Level::ALL {
        let report = open_under(script, at(level)).run(&for_move(b'A', b""))?;
        let own = level_of(level) == Level::Namespaced;
        let wanted = if own { "0 1 1 0\n" } else { "1 0 1 0\n" };
        expect(String::from_utf8_lossy(&report.output).as_ref(), wanted)?;
    }
    Ok(())
}

/// At every level, for the bot and its children, with the filter's refusals in force.
fn system_calls_are_seen() -> Result<(), Failed> {
    let number = |name: &str| {
        let mut all = calls::ALLOWED.iter().chain(calls::REFUSED).flat_map(calls::Family::calls);
        all.find(|call| call.name() == name).map(|call| call.number)
    };
    for level in Level::ALL {
        let mut sandbox = open_under("cat; unshare -U true; exit 3", Conditions { can_trace: true, ..at(level) });
        let trace = sandbox.trace(&for_move(b'A', b"some bytes"))?;
        expect((&trace.report.ended, trace.report.output.as_slice()), (&Ended::Exited(3), b"some bytes"))?;
        let seen = |name: &str| trace.calls.iter().find(|call| Some(call.number) == number(name));
        expect(["read", "write", "openat", "mmap", "unshare"].map(|name| seen(name).is_some()), [true; 5])?;
        // Some calls of `cat` seem to succeed.
        let fails = |call: &&calls::ObservedCall| call.refusal.is_some_and(|(errno, _)| errno != 0);
        let refused = trace.calls.iter().filter(fails).map(|call| call.number);
        let is_filtered = level_of(level) >= Level::Scoped;
        expect(refused.collect::<Vec<_>>(), number("unshare").filter(|_| is_filtered).into_iter().collect())?;
        // The bot can play on in the same sandbox.
        let report = sandbox.run(&for_move(b'A', b"more"))?;
        expect((&report.ended, report.output.as_slice()), (&Ended::Exited(3), b"more"))?;
    }
    Ok(())
}

const SOON: Duration = Duration::from_millis(300);

fn in_time() -> Instant {
    Instant::now() + Duration::from_secs(20)
}

fn expect<T: PartialEq + std::fmt::Debug>(found: T, wanted: T) -> Result<(), Failed> {
    if found == wanted { Ok(()) } else { Err(format!("{found:?} instead of {wanted:?}").into()) }
}

/// Starts `script` for a whole game.
fn session(script: &str) -> Result<Session, Failed> {
    session_in(open(script))
}

/// The same, at a level.
fn session_at(level: Level, script: &str) -> Result<Session, Failed> {
    session_in(open_under(script, at(level)))
}

fn at(level: Level) -> Conditions {
    Conditions { at_most: Some(level), ..Conditions::default() }
}

/// The strongest level up to this one that the machine provides.
fn level_of(level: Level) -> Level {
    open_under("", at(level)).isolation().level
}

fn session_in(sandbox: Sandbox) -> Result<Session, Failed> {
    sandbox.start(&RunRequest::for_game(Vec::new()))?.running().map_err(|report| format!("{report:?}").into())
}

fn lines_go_back_and_forth() -> Result<(), Failed> {
    let mut session = session("echo name; while read line; do echo got $line; done; exit 4")?;
    expect(session.line(100, in_time())?, ReadLine::Read(b"name".to_vec()))?;
    for n in 0..100 {
        expect(session.send(format!("{n}\n").as_bytes(), in_time())?, SendStatus::Whole)?;
        expect(session.line(100, in_time())?, ReadLine::Read(format!("got {n}").into_bytes()))?;
    }
    expect(session.pending()?, b"")?;
    let (report, sandbox) = session.finish(Duration::from_secs(20))?;
    expect(report.ended, Ended::Exited(4))?;
    // The same sandbox can start the bot again for the next game.
    expect(session_in(sandbox)?.line(100, in_time())?, ReadLine::Read(b"name".to_vec()))
}

fn a_dripping_line_times_out() -> Result<(), Failed> {
    let mut session = session("for i in 1 2 3 4 5 6 7 8 9 10 11 12; do printf x; sleep 0.05; done; sleep 60")?;
    expect(session.line(100, Instant::now() + SOON)?, ReadLine::TimedOut)?;
    expect(session.finish(Duration::ZERO)?.0.ended, Ended::Stopped)
}

fn ends_are_distinguished() -> Result<(), Failed> {
    let mut session = session("printf 'one\nhalf'; exit 3")?;
    expect(session.line(100, in_time())?, ReadLine::Read(b"one".to_vec()))?;
    expect(session.line(100, in_time())?, ReadLine::Ended(b"half".to_vec()))?;
    expect(session.finish(Duration::from_secs(20))?.0.ended, Ended::Exited(3))
}

fn unread_lines_time_out() -> Result<(), Failed> {
    let mut session = session("sleep 60")?;
    expect(session.send(&vec![b'x'; 1 << 20], Instant::now() + SOON)?, SendStatus::TimedOut)
}

fn after_the_end_of_input() -> Result<(), Failed> {
    let mut session = session("while read line; do :; done; echo bye; exit 3")?;
    expect(session.send(b"1\n", in_time())?, SendStatus::Whole)?;
    session.close_input();
    expect(session.line(100, in_time())?, ReadLine::Read(b"bye".to_vec()))?;
    expect(session.send(b"2\n", in_time())?, SendStatus::Gone)?;
    expect(session.finish(Duration::from_secs(20))?.0.ended, Ended::Exited(3))
}

fn dribbled_one_by_one() -> Result<(), Failed> {
    // Each `dd` makes one read of up to ten bytes.
    let mut session = session("for i in 1 2 3; do dd bs=10 count=1 2>/dev/null | wc -c; done; cat >/dev/null")?;
    expect(session.dribble(b"abc", in_time())?, SendStatus::Whole)?;
    for _ in 0..3 {
        let line = session.line(100, in_time())?;
        expect(matches!(&line, ReadLine::Read(count) if count.trim_ascii() == b"1"), true)?;
    }
    Ok(())
}

fn processes_are_counted() -> Result<(), Failed> {
    let mut session = session("echo one; read line; sleep 60 & echo two; read line; kill $!")?;
    for processes in [1, 2] {
        expect(matches!(session.line(100, in_time())?, ReadLine::Read(_)), true)?;
        expect(session.usage()?.tasks, Tasks { processes, threads: processes, had_children: 0, unreadable: 0 })?;
        expect(session.send(b"\n", in_time())?, SendStatus::Whole)?;
    }
    Ok(())
}

fn a_watched_session() -> Result<(), Failed> {
    let watched = RunRequest { watch: true, ..RunRequest::for_game(Vec::new()) };
    let Ok(mut session) = open("echo kept >$HOME/note; echo done; read line").start(&watched)?.running() else {
        return Err("it does not start".into());
    };
    expect(session.line(100, in_time())?, ReadLine::Read(b"done".to_vec()))?;
    let (report, _) = session.finish(Duration::from_secs(20))?;
    expect(report.file_violations.iter().any(|violation| violation.path.ends_with("note")), true)
}

fn files_that_come_and_go() -> Result<(), Failed> {
    let script = "echo 1 >/tmp/gone; rm /tmp/gone; echo 2 >/tmp/kept";
    let program = Program { folder: "/usr/bin".into(), ..shell(script) };
    let conditions = Conditions { watch_folder: true, ..Conditions::default() };
    let report = Sandbox::open(&program, &Limits::default(), conditions)?.run(&for_move(b'A', b""))?;
    let found: Vec<_> = report.file_violations.iter().map(|one| (one.path.to_str(), one.kind)).collect();
    let [gone, kept] = [FileViolationKind::Transient, FileViolationKind::Created];
    expect(found, vec![(Some("/tmp/gone"), gone), (Some("/tmp/kept"), kept)])
}

fn a_flood_does_not_stop_a_session() -> Result<(), Failed> {
    let mut session = session("head -c 1000000 /dev/zero >&2; echo done; read line; exit 0")?;
    expect(session.line(100, in_time())?, ReadLine::Read(b"done".to_vec()))?;
    let (report, _) = session.finish(Duration::from_secs(20))?;
    expect((report.stderr.len(), report.stderr_total), (64 * 1024, 1_000_000))
}

fn finishing_sweeps() -> Result<(), Failed> {
    let mut session = session("setsid sleep 600 & sleep 600 & echo ready; read line")?;
    expect(session.line(100, in_time())?, ReadLine::Read(b"ready".to_vec()))?;
    expect(session.finish(Duration::from_secs(20))?.0.leftovers, 2)
}

/// Whatever the bot leaves after its own end is killed, and the sandbox can start it again. At `plain` only its
/// process group is killed, and nothing is counted.
fn leaves_children(level: Level) -> Result<(), Failed> {
    let mut session = session_at(level, "(sleep 600 &) ; sleep 600 & sleep 600 & echo ready; read line; exit 0")?;
    expect(session.line(100, in_time())?, ReadLine::Read(b"ready".to_vec()))?;
    let (report, sandbox) = session.finish(Duration::from_secs(20))?;
    let swept = if level == Level::Plain { 0 } else { 3 };
    expect((report.ended, report.leftovers), (Ended::Exited(0), swept))?;
    expect(session_in(sandbox)?.line(100, in_time())?, ReadLine::Read(b"ready".to_vec()))
}

/// Processes that have ended before the session does are counted: the most at once where the control group keeps the
/// maximum, and all where the bot has a process namespace. Otherwise it is known whether there was more than one.
/// Each game of a sandbox is counted for itself.
fn starts_processes(level: Level) -> Result<(), Failed> {
    const SCRIPT: &str = "echo what; read what; [ $what = few ] || {
        sleep 600 & a=$!; sleep 600 & b=$!; sleep 600 & kill $a $b $!; wait $a; wait $b; wait $!
        }; echo done; read line; exit 0";
    let group = cgroup::Cgroup::make(&Limits::default())?.filter(|_| level > Level::Plain);
    let has_peak = group.and_then(|group| group.most_tasks()).is_some();
    let has_numbers = level == Level::Namespaced && fs::exists("/proc/sys/kernel/ns_last_pid")?;
    for games in [["many", "few"], ["few", "many"]] {
        let mut sandbox = open_under(SCRIPT, at(level));
        for what in games {
            let mut session = session_in(sandbox)?;
            expect(session.line(100, in_time())?, ReadLine::Read(b"what".to_vec()))?;
            expect(session.send(format!("{what}\n").as_bytes(), in_time())?, SendStatus::Whole)?;
            expect(session.line(100, in_time())?, ReadLine::Read(b"done".to_vec()))?;
            session.usage()?;
            let (report, again) = session.finish(Duration::from_secs(20))?;
            let (at_once, made) = match what {
                "few" => (1, 1),
                _ if has_peak => (4, 4),
                _ => (2, 4),
            };
            let made = has_numbers.then_some(made);
            let helpers = what == "many";
            expect(report.tasks, TaskCounts { at_once, made, helpers })?;
            sandbox = again;
        }
    }
    Ok(())
}

/// The limit is the bot's alone: its server, which is in the same control group, does not use it up.
fn uses_all_processes(level: Level) -> Result<(), Failed> {
    let limits = Limits { processes: 2, ..Limits::default() };
    let script = "sleep 600 >/dev/null & echo two; (echo three); read line";
    let mut session = session_in(Sandbox::open(&shell(script), &limits, at(level))?)?;
    expect(session.line(100, in_time())?, ReadLine::Read(b"two".to_vec()))?;
    // Below `namespaced`, only a control group limits root.
    if level > Level::Plain && cgroup::hierarchy().is_ok() {
        expect(session.line(100, in_time())?, ReadLine::Ended(Vec::new()))?;
    }
    Ok(())
}

fn floods_output(level: Level) -> Result<(), Failed> {
    let mut session = session_at(level, "exec cat /dev/zero")?;
    match session.line(100, in_time())? {
        ReadLine::TooLong(beginning) if beginning.len() > 100 && beginning.len() < 65_536 => {}
        other => return Err(format!("{other:?}").into()),
    }
    expect(session.finish(Duration::from_millis(100))?.0.ended, Ended::Stopped)
}

/// The server reads 64 MiB, then closes the pipe, and that kills the bot.
fn floods_errors(level: Level) -> Result<(), Failed> {
    let mut session = session_at(level, "exec cat /dev/zero >&2")?;
    expect(session.line(100, in_time())?, ReadLine::Ended(Vec::new()))?;
    let (report, _) = session.finish(Duration::from_secs(20))?;
    expect((report.ended, report.stderr.len()), (Ended::Signalled(13), 64 * 1024))
}

fn closes_its_input(level: Level) -> Result<(), Failed> {
    let mut session = session_at(level, "exec <&-; echo ready; exec sleep 600")?;
    expect(session.line(100, in_time())?, ReadLine::Read(b"ready".to_vec()))?;
    expect(session.send(b"1\n", in_time())?, SendStatus::Gone)?;
    expect(session.finish(Duration::ZERO)?.0.ended, Ended::Stopped)
}

fn closes_its_output(level: Level) -> Result<(), Failed> {
    let mut session = session_at(level, "exec >&-; read line; exit 5")?;
    expect(session.line(100, in_time())?, ReadLine::Ended(Vec::new()))?;
    expect(session.send(b"1\n", in_time())?, SendStatus::Whole)?;
    expect(session.finish(Duration::from_secs(20))?.0.ended, Ended::Exited(5))
}

fn ignores_the_request_to_end(level: Level) -> Result<(), Failed> {
    let script = "trap '' TERM HUP INT; echo ready; while :; do sleep 600; done";
    let mut session = session_at(level, script)?;
    expect(session.line(100, in_time())?, ReadLine::Read(b"ready".to_vec()))?;
    expect(session.finish(Duration::from_millis(20))?.0.ended, Ended::Stopped)
}

fn never_reads(level: Level) -> Result<(), Failed> {
    let mut session = session_at(level, "exec sleep 600")?;
    expect(session.send(&vec![b'x'; 1 << 20], Instant::now() + SOON)?, SendStatus::TimedOut)?;
    expect(session.finish(Duration::ZERO)?.0.ended, Ended::Stopped)
}

/// Uses about a second of processor time.
const BURN: &str = "i=0; while [ $i -lt 1000000 ]; do i=$((i+1)); done";

/// Programs that keep every processor busy. Dropping them ends them.
struct Spinners(Vec<std::process::Child>);

impl Spinners {
    fn start() -> Spinners {
        let count = 4 * std::thread::available_parallelism().map_or(1, usize::from);
        let spin = || std::process::Command::new("/bin/sh").args(["-c", "while :; do :; done"]).spawn();
        Spinners((0..count).map(|_| spin().expect("a shell")).collect())
    }
}

impl Drop for Spinners {
    fn drop(&mut self) {
        for spinner in &mut self.0 {
            spinner.kill().and_then(|()| spinner.wait()).ok();
        }
    }
}

fn burning(script: &str, hard: Duration, at: Conditions) -> Result<Ended, Failed> {
    let limits = Limits { hard, ..Limits::default() };
    Ok(Sandbox::open(&shell(script), &limits, at)?.run(&for_move(b'A', b""))?.ended)
}

/// With twice the time it takes alone, a bot finishes however busy the machine is, or the machine is reported as
/// too busy.
fn waiting_extends_the_deadline() -> Result<(), Failed> {
    let began = Instant::now();
    expect(burning(BURN, Duration::from_secs(60), Conditions::default())?, Ended::Exited(0))?;
    let hard = began.elapsed() * 2;
    let _spinners = Spinners::start();
    for level in [Level::Scoped, Level::Namespaced] {
        match burning(BURN, hard, at(level))? {
            Ended::Exited(0) | Ended::Starved => {}
            other => return Err(format!("{level}: {other:?}").into()),
        }
    }
    Ok(())
}

fn own_crowding_gets_no_extension() -> Result<(), Failed> {
    let script = "for i in 1 2 3 4 5 6 7 8 9; do while :; do :; done & done; while :; do :; done";
    for level in [Level::Scoped, Level::Namespaced] {
        expect(burning(script, Duration::from_millis(500), at(level))?, Ended::TimedOut)?;
    }
    Ok(())
}

/// While it is stopped for a second, it uses almost no processor time.
fn is_stopped(level: Level) -> Result<(), Failed> {
    let mut session = session_at(level, "(while :; do :; done) & echo ready; while :; do :; done")?;
    expect(session.line(100, in_time())?, ReadLine::Read(b"ready".to_vec()))?;
    let used = |session: &mut Session| session.usage().map(|usage| usage.group_cpu.unwrap_or(usage.cpu.total()));
    let before = used(&mut session)?;
    session.freeze()?;
    std::thread::sleep(Duration::from_secs(1));
    let meanwhile = session.thaw()?;
    let after = used(&mut session)?;
    expect(
        meanwhile < Duration::from_millis(200) && after.saturating_sub(before) < Duration::from_millis(400),
        true,
    )
}

/// The caller, which is to stop the other bots, is called once an answer has taken long, even if that was known before
/// the answer is read. It is not called if the answer is there.
fn others_are_stopped() -> Result<(), Failed> {
    const LONG: Duration = Duration::from_millis(20);
    let mut session = session("sleep 2; echo 1; echo 2")?;
    let mut timer = AnswerTimer::begin();
    for (answer, calls) in [("1", 1), ("2", 0)] {
        thread::sleep(LONG);
        expect(timer.has_arrived(&mut session)?, answer == "2")?;
        let mut times = 0;
        let mut idle = || {
            times += 1;
            Ok(false)
        };
        let line = timer.line_within(&mut session, 100, Duration::from_secs(60), &mut idle)?;
        expect((line, times), (ReadLine::Read(answer.into()), calls))?;
        while answer == "1" && session.pending()?.is_empty() {
            thread::sleep(LONG);
        }
    }
    Ok(())
}

/// A child that the kernel killed for its memory in one move is not the reason for the bot's end in the next.
fn a_memory_kill_is_reported_once() -> Trial {
    // Children that hold memory forever, until one is killed. What they try to write is never read.
    let script = r#"[ "$1" = B ] && kill -9 $$
        mkfifo /tmp/unread; exec 3<>/tmp/unread
        hold() { head -c 20000000 /dev/zero | tail -c 20000000 >&3 2>/dev/null
            [ $? = 137 ] && : >/tmp/killed; }
        until [ -e /tmp/killed ]; do hold & sleep 0.05; done
        printf x"#;
    let run = move || {
        let limits = Limits { hard: Duration::from_secs(20), memory: 64 << 20, ..Limits::default() };
        let mut sandbox = Sandbox::open(&shell(script), &limits, Conditions::default())?;
        let first = sandbox.run(&for_move(b'A', b""))?;
        if first.ended != Ended::Exited(0) {
            return Err(format!("{first:?}").into());
        }
        expect(sandbox.run(&for_move(b'B', b""))?.ended, Ended::Signalled(9))
    };
    let lacking = match (level_of(Level::Namespaced), cgroup::hierarchy()) {
        (Level::Namespaced, Ok(_)) => None,
        (Level::Namespaced, Err(why)) => Some(format!("no control group is available: {why}")),
        (level, _) => Some(format!("no private /tmp at {level}")),
    };
    let trial = Trial::test("a_memory_kill_is_reported_once", run);
    match lacking {
        None => trial,
        Some(why) => trial.with_ignored_flag(true).with_kind(why),
    }
}
