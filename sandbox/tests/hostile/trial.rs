//! One behaviour at one level: the bot plays a move, and afterwards nothing may be harmed.

use super::canaries::{Canaries, SECRET};
use super::rows::{Place as Kept, Row, Verdict};
use super::stage::{Place, Stage, text};
use cornerman_sandbox::{
    Conditions, Ended, Environment, FileViolationKind, Input, Level, Limits, Program, RunReport, RunRequest,
    Sandbox, cgroup,
};
use std::fs;
use std::io::ErrorKind;
use std::os::linux::net::SocketAddrExt;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::{SocketAddr, UnixDatagram};
use std::path::PathBuf;
use std::sync::{PoisonError, RwLock};
use std::thread::sleep;
use std::time::Duration;

/// What went wrong, for people.
type Wrong = String;

/// A long time, in case the machine is busy with something else.
const GENEROUS: Duration = Duration::from_secs(300);
/// For bots that are to reach their time limit.
const SHORT: Duration = Duration::from_millis(700);

/// Runs `row` at `level`, as trial number `number`.
pub fn run(row: &Row, level: Level, stage: &Stage, number: usize) -> Result<(), Wrong> {
    let place = stage.place(&format!("{level}.{}", row.name)).map_err(text)?;
    prepare(row, &place)?;
    let marker = format!("hostile-{}-{number}.", std::process::id());
    let mut canaries = Canaries::set_up(&place, marker).map_err(text)?;
    let (mark, foes_mark) = marks(number);
    let claim = level
        .shares_tmp()
        .then(|| claim(mark).and_then(|one| Ok([one, claim(foes_mark)?])))
        .transpose()
        .map_err(text)?;
    let mut foe = open(program(stage.program(), "keeps-state", &canaries)?, Verdict::Fine, level)?;
    foe.set_state(&state_file(foes_mark), b"7").map_err(text)?;
    let mut hostile = program(place.bot.clone(), row.name, &canaries)?;
    hostile.argv.push(format!("foe={}", state_file(foes_mark).display()).into());
    let mut bot = open(hostile, row.verdict, level)?;
    bot.clear_state(&state_file(mark)).map_err(text)?;

    let report = run_until_judged(&mut bot, row, &request(row, mark, level))?;
    let checked =
        check(row, level, mark, &report, &canaries.marker).and_then(|()| state_is_sound(row, mark, &mut bot));
    // The bot must not make the sandbox fail later, either.
    bot.clear_state(&state_file(mark)).map_err(|failed| format!("the state file cannot be removed: {failed}"))?;
    let still = bot.run(&move_request(mark));
    still.map_err(|failed| format!("the bot cannot be run again: {failed}"))?;
    bot.clear_state(&state_file(mark)).map_err(text)?;
    let opponent = opponent_plays_on(&mut foe, foes_mark);
    drop((bot, foe));
    let left = canaries.left_in_common_folders();
    checked
        .and(opponent)
        .and_then(|()| canaries.check())
        .map_err(|wrong| format!("{wrong}\n{}", shown(&report)))?;
    let are_gone = state_files_are_gone(&[mark, foes_mark], level);
    drop(claim);
    match left.as_slice() {
        [first, ..] if !level.shares_tmp() => Err(format!("the host now has {}", first.display())),
        _ if are_gone => Ok(()),
        _ => Err("a state file is left in /tmp".into()),
    }
}

/// Runs the bot, and again without the bots of other trials if the machine was too busy to judge the sandbox. One that
/// wrongly gives a bot more time does so every time; one that merely got no processor at the deadline does not.
fn run_until_judged(bot: &mut Sandbox, row: &Row, request: &RunRequest) -> Result<RunReport, Wrong> {
    const TRIES_ALONE: u32 = 5;
    static MACHINE: RwLock<()> = RwLock::new(());
    let mut run = || bot.run(request).map_err(|failed| format!("the sandbox failed: {failed}"));
    let shared = MACHINE.read().unwrap_or_else(PoisonError::into_inner);
    let mut report = run()?;
    drop(shared);
    for _ in 0..TRIES_ALONE {
        if report.ended != Ended::Starved && !gained_time(row, &report) {
            break;
        }
        let _alone = MACHINE.write().unwrap_or_else(PoisonError::into_inner);
        report = run()?;
    }
    Ok(report)
}

/// Whether a bot that never ends used clearly more processor time than its limit allows, even with several processors.
fn gained_time(row: &Row, report: &RunReport) -> bool {
    row.verdict == Verdict::TimedOut && report.cpu.total() > 4 * SHORT
}

/// The marks of the bot and its opponent. Trials that run at the same time mostly use different ones; the others
/// wait.
fn marks(number: usize) -> (u8, u8) {
    let letter = (number % 26) as u8;
    (b'A' + letter, b'a' + letter)
}

/// The state file of the bot with `mark`.
pub fn state_file(mark: u8) -> PathBuf {
    format!("/tmp/arena.{}", char::from(mark)).into()
}

/// The run for one move of the bot with `mark`.
pub fn move_request(mark: u8) -> RunRequest {
    let args = vec![char::from(mark).to_string().into()];
    RunRequest { state_file: Some(state_file(mark)), ..RunRequest::with_input(args, &arena()) }
}

/// Waits until no game and no other trial uses `mark`, and claims it as games do.
fn claim(mark: u8) -> std::io::Result<UnixDatagram> {
    let name = SocketAddr::from_abstract_name([b"cornerman/arena.".as_slice(), &[mark]].concat())?;
    loop {
        match UnixDatagram::bind_addr(&name) {
            Err(taken) if taken.kind() == ErrorKind::AddrInUse => sleep(Duration::from_millis(2)),
            bound => return bound,
        }
    }
}

/// An arena of 16 rows of 32 vacant spots.
fn arena() -> Vec<u8> {
    format!("{}\n", "-".repeat(32)).repeat(16).into_bytes()
}

fn right_answer(mark: u8) -> Vec<u8> {
    let mut answer = arena();
    answer[0] = mark;
    answer
}

/// Replaces the bot by one that cannot start, if the row says so.
fn prepare(row: &Row, place: &Place) -> Result<(), Wrong> {
    match row.name {
        "bad-interpreter" => fs::write(&place.bot, "#!/no/such/interpreter\n").map_err(text),
        "not-executable" => fs::set_permissions(&place.bot, fs::Permissions::from_mode(0o644)).map_err(text),
        "missing" => fs::remove_file(&place.bot).map_err(text),
        _ => Ok(()),
    }
}

fn program(path: PathBuf, behaviour: &str, canaries: &Canaries) -> Result<Program, Wrong> {
    let mut argv = vec![path.clone().into_os_string(), behaviour.into()];
    argv.extend(canaries.arguments().map_err(text)?.into_iter().map(Into::into));
    argv.push(format!("program={}", path.display()).into());
    let folder = path.parent().map(PathBuf::from).unwrap_or_default();
    Ok(Program { argv, folder, parts: vec![path] })
}

fn open(mut program: Program, verdict: Verdict, level: Level) -> Result<Sandbox, Wrong> {
    let hard = if verdict == Verdict::TimedOut { SHORT } else { GENEROUS };
    let processes = match verdict {
        // Allows for the processes that it is to leave.
        Verdict::Leftovers(many) => u64::from(many) + Limits::default().processes,
        _ => Limits::default().processes,
    };
    let limits = Limits { hard, output: 528, memory: 512 << 20, processes, file: 16 << 20, ..Limits::default() };
    let watch_folder = verdict == Verdict::RefusedOrReported;
    // Without a process namespace, a real signal that got through would end the test suite, so a harmless one is
    // sent.
    let signal = if level == Level::Namespaced { "signal=9" } else { "signal=23" };
    program.argv.push(signal.into());
    let is_build = program.argv.iter().any(|word| word.to_string_lossy().ends_with("-in-a-build"));
    let conditions = Conditions { at_most: Some(level), watch_folder, is_build, ..Conditions::default() };
    let sandbox = Sandbox::open(&program, &limits, conditions).map_err(text)?;
    if sandbox.isolation().level == level {
        Ok(sandbox)
    } else {
        Err(format!("the level in force is not {level} but {:?}", sandbox.isolation()))
    }
}

fn request(row: &Row, mark: u8, level: Level) -> RunRequest {
    let mut request = move_request(mark);
    request.watch = level.shares_tmp() || row.verdict == Verdict::RefusedOrReported;
    match row.name {
        "leaves-input-in-the-pipe" => request.input = Input::Whole(arena().repeat(1000)),
        "leaked-environment" => request.environment = Environment::Minimal,
        _ => {}
    }
    request
}

fn check(row: &Row, level: Level, mark: u8, report: &RunReport, marker: &str) -> Result<(), Wrong> {
    let right = right_answer(mark);
    let (ended, output) = match row.verdict {
        Verdict::TimedOut => (Ended::TimedOut, None),
        Verdict::TooMuch => (Ended::TooMuchOutput, None),
        Verdict::TooLittle(bytes) => (Ended::Exited(0), Some(&right[..bytes])),
        Verdict::Exits(status) => (Ended::Exited(status), Some(right.as_slice())),
        Verdict::Dies(signal) => (Ended::Signalled(signal), Some(b"".as_slice())),
        Verdict::CannotStart(errno) => return check_never_started(errno, &report.ended),
        _ => (Ended::Exited(0), Some(right.as_slice())),
    };
    if report.ended != ended {
        return Err(format!("it should have ended with {ended:?}"));
    }
    if output.is_some_and(|output| output != report.output) || report.output.len() > 529 {
        return Err("the output is not what the bot wrote".into());
    }
    let errors = String::from_utf8_lossy(&report.stderr);
    if level >= Level::Scoped && errors.contains(SECRET) {
        return Err("a secret file was read".into());
    }
    check_attempts(row, level, &errors)?;
    check_verdict(row, level, mark, report, marker)
}

fn check_verdict(row: &Row, level: Level, mark: u8, report: &RunReport, marker: &str) -> Result<(), Wrong> {
    let own = state_file(mark).display().to_string();
    let found = |kind: FileViolationKind, part: &str| {
        report.file_violations.iter().any(|one| one.kind == kind && one.path.to_string_lossy().contains(part))
    };
    let used = report.cpu.total()
        >= Duration::from_millis(match row.verdict {
            Verdict::Cpu(least) | Verdict::CpuOrLowerBound(least) => least,
            _ => 0,
        });
    let holds = match row.verdict {
        Verdict::Leftovers(least) => level < Level::Restricted || report.leftovers >= least,
        Verdict::Reported(Kept::Marked, kind) => found(kind, marker),
        Verdict::Reported(Kept::OwnState, kind) => found(kind, &own),
        Verdict::RefusedOrReported => {
            let was_refused = String::from_utf8_lossy(&report.stderr).contains(": refused");
            was_refused
                || found(FileViolationKind::Created, marker)
                || found(FileViolationKind::Opened, "/tmp/arena.")
        }
        Verdict::Cpu(_) => used,
        Verdict::CpuOrLowerBound(_) => used || report.cpu.lower_bound && !has_groups(level),
        Verdict::Unreported => {
            !report.file_violations.iter().any(|one| one.path.to_string_lossy().contains(marker))
        }
        Verdict::Fine => report.leftovers == 0,
        Verdict::TimedOut => !gained_time(row, report),
        _ => true,
    };
    let refused = String::from_utf8_lossy(&report.stderr).contains(": refused");
    match (holds, row.name) {
        (true, "thread-bomb") if !refused && (has_groups(level) || is_limited(level)) => {
            Err("the number of threads is not limited".into())
        }
        (true, "memory-of-children") if !refused && has_groups(level) => {
            Err("the memory of all processes together is not limited".into())
        }
        (true, "crowds-with-brief-children") if !has_groups(level) && report.waited > SHORT => {
            Err("its own children's work counts as waiting".into())
        }
        (false, _) => Err("the report does not say what it should".into()),
        (true, "much-stderr") if report.stderr_total != 2 << 20 || report.stderr.len() != 64 * 1024 => {
            Err(format!("{} bytes of standard error, {} kept", report.stderr_total, report.stderr.len()))
        }
        (true, "leaked-environment") if report.stderr.iter().filter(|&&byte| byte == b'\n').count() != 2 => {
            Err("there is more than PATH and MALLOC_ARENA_MAX in the environment".into())
        }
        (true, "dumps-core") => no_core_file(report),
        (true, _) => Ok(()),
    }
}

/// Whether the machine provides control groups, and the level uses them.
fn has_groups(level: Level) -> bool {
    level >= Level::Restricted && cgroup::hierarchy().is_ok()
}

/// Whether a bot's threads are limited to fewer than the thread bomb tries, even without a control group: that limit
/// does not hold for root, and is too high if many other processes run.
fn is_limited(level: Level) -> bool {
    let others = rustix::system::sysinfo().procs;
    level == Level::Namespaced && !rustix::process::geteuid().is_root() && others < 800
}

/// Checks that there was an attempt, and that every attempt was refused.
fn check_attempts(row: &Row, level: Level, errors: &str) -> Result<(), Wrong> {
    let attempts: Vec<&str> = errors.lines().filter_map(|line| line.strip_prefix("tried ")).collect();
    let is_harmless = |attempt: &str| row.harmless.iter().any(|name| attempt.starts_with(&format!("{name}: ")));
    let through = attempts.iter().find(|attempt| attempt.contains(": succeeded") && !is_harmless(attempt));
    match (row.verdict, through) {
        (Verdict::Contained, Some(through)) => Err(format!("an attempt was not refused: {through}")),
        (Verdict::Contained, None) if attempts.is_empty() => Err("nothing was attempted".into()),
        // Only in a process namespace are these attempts harmless.
        (Verdict::Contained, None)
            if level == Level::Scoped
                && matches!(row.name, "kills-parent" | "leaves-group" | "changes-attributes-in-a-build") =>
        {
            match attempts.iter().find(|attempt| attempt.contains(": succeeded")) {
                Some(through) => Err(format!("an attempt was not refused: {through}")),
                None => Ok(()),
            }
        }
        _ => Ok(()),
    }
}

fn check_never_started(errno: i32, ended: &Ended) -> Result<(), Wrong> {
    match ended {
        Ended::CannotStart { errno: found, why } if *found == errno && !why.is_empty() => Ok(()),
        _ => Err(format!("it should not have started, with error number {errno}")),
    }
}

fn no_core_file(report: &RunReport) -> Result<(), Wrong> {
    match report.file_violations.iter().find(|one| one.path.to_string_lossy().contains("core")) {
        Some(core) => Err(format!("a core file was made: {}", core.path.display())),
        None => Ok(()),
    }
}

/// Reads the state file, which must neither follow a link, nor wait, nor fail.
fn state_is_sound(row: &Row, mark: u8, bot: &mut Sandbox) -> Result<(), Wrong> {
    let state =
        bot.state(&state_file(mark)).map_err(|failed| format!("the state file cannot be read: {failed}"))?;
    match (row.name, state) {
        ("keeps-state", Some(content)) if content == b"1" => Ok(()),
        ("keeps-state", other) => Err(format!("the state file is {other:?}")),
        (_, Some(content)) if String::from_utf8_lossy(&content).contains(SECRET) => {
            Err("a link in the state file's place was followed".into())
        }
        (_, Some(_)) if matches!(row.verdict, Verdict::Reported(Kept::OwnState, _)) => {
            Err("something other than a regular file was read".into())
        }
        _ => Ok(()),
    }
}

/// Checks that the opponent finds its notes unchanged and answers correctly.
fn opponent_plays_on(foe: &mut Sandbox, mark: u8) -> Result<(), Wrong> {
    let report = foe.run(&move_request(mark)).map_err(|failed| format!("the opponent: {failed}"))?;
    let errors = String::from_utf8_lossy(&report.stderr);
    let right = report.ended == Ended::Exited(0) && report.output == right_answer(mark);
    match (right, errors.contains("moves so far: 7")) {
        (true, true) => Ok(()),
        (false, _) => Err(format!("the opponent's move failed: {}", shown(&report))),
        (true, false) => Err(format!("the opponent's state file was changed: {errors}")),
    }
}

fn state_files_are_gone(marks: &[u8], level: Level) -> bool {
    let exists = |&mark: &u8| fs::symlink_metadata(state_file(mark)).is_ok();
    !level.shares_tmp() || !marks.iter().any(exists)
}

/// A short form of a report.
fn shown(report: &RunReport) -> String {
    let mut short = report.clone();
    let file_violations = short.file_violations.len();
    let errors = short.stderr_tail(60);
    short.output.truncate(16);
    short.stderr.clear();
    short.file_violations.truncate(5);
    format!("{short:?}\n{file_violations} file violations; standard error:\n{errors}")
}
