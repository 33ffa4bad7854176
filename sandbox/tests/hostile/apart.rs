//! Runs, games and neighbours do not affect each other: trials with several moves or several bots.

use super::stage::{Stage, processes, text};
use super::trial::{move_request, state_file};
use cornerman_sandbox::promises::Requirement;
use cornerman_sandbox::{
    Conditions, Ended, FileViolationKind, Level, Limits, Program, ReadLine, RunReport, RunRequest, Sandbox,
    Session, cgroup, kernel_is_at_least, landlock_version, visible,
};
use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::thread::{self, ScopedJoinHandle};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

type Trial = fn(&Stage) -> Result<(), String>;

/// All trials, with their names and levels.
pub const TRIALS: [(&str, Level, Trial); 17] = [
    ("a_move_sees_nothing_of_the_last", Level::Namespaced, a_move_sees_nothing_of_the_last),
    ("a_renewed_sandbox_is_as_new", Level::Namespaced, a_renewed_sandbox_is_as_new),
    ("a_game_learns_nothing_of_the_last", Level::Namespaced, a_game_learns_nothing_of_the_last),
    ("a_bot_sees_nothing_of_what_another_one_does", Level::Scoped, a_bot_sees_nothing_of_another),
    ("only_what_is_listed_is_visible", Level::Namespaced, only_what_is_listed_is_visible),
    (NEIGHBOUR, Level::Namespaced, neighbours),
    ("bots_that_make_all_processes_only_delay_the_others", Level::Scoped, no_process_left),
    (KILLED_FOR_MEMORY, Level::Namespaced, a_server_killed_for_memory),
    (GROUPS_BELOW, Level::Namespaced, groups_below),
    ("a_file_named_by_any_bytes_is_reported", Level::Namespaced, any_bytes),
    ("names_cannot_lead_outside", Level::Namespaced, names_cannot_lead_outside),
    ("a_large_folder_is_copied", Level::Namespaced, a_large_folder_is_copied),
    ("a_program_without_a_sandbox_cannot_start", Level::Namespaced, without_a_sandbox),
    ("a_build_cannot_close_folders", Level::Scoped, a_build_cannot_close_folders),
    ("a_flood_of_calls_for_the_keeper_ends_with_the_build", Level::Scoped, a_flood_ends),
    ("a_server_that_is_killed_leaves_nothing", Level::Scoped, a_killed_server_leaves_nothing),
    ("a_server_that_is_killed_leaves_nothing", Level::Namespaced, a_killed_server_leaves_nothing_of_its_own),
];

/// The trial that needs a control group, because nothing else limits the memory of server and bot together.
const KILLED_FOR_MEMORY: &str = "a_server_killed_for_memory_is_the_bots_end";

/// The trial of control groups that a bot made in its own.
const GROUPS_BELOW: &str = "groups_that_a_bot_made_in_its_own_are_removed";

/// The trial of what the kernel counts for each user.
const NEIGHBOUR: &str = "a_neighbour_that_takes_everything_takes_it_from_itself";

/// What the trial `name` needs and this machine does not provide, if anything.
pub fn lacking(name: &str) -> Option<String> {
    match name {
        KILLED_FOR_MEMORY | GROUPS_BELOW => {
            let why = cgroup::hierarchy().as_ref().err()?;
            Some(format!("no control group is available: {why}"))
        }
        NEIGHBOUR if !Requirement::CountsOfNamespaces.is_met() => {
            Some(format!("needs {}", Requirement::CountsOfNamespaces.name()))
        }
        _ => None,
    }
}

const GENEROUS: Duration = Duration::from_secs(300);

fn limits() -> Limits {
    Limits { hard: GENEROUS, output: 528, memory: 512 << 20, file: 16 << 20, ..Limits::default() }
}

fn program(path: &Path, behaviour: &str) -> Program {
    let argv = vec![path.into(), behaviour.into(), "marker=apart".into()];
    Program { argv, folder: path.parent().unwrap_or(path).into(), parts: vec![path.into()] }
}

fn open(program: &Program, limits: &Limits, level: Level) -> Result<Sandbox, String> {
    Sandbox::open(program, limits, Conditions { at_most: Some(level), ..Conditions::default() }).map_err(text)
}

fn play(sandbox: &mut Sandbox, mark: u8) -> Result<RunReport, String> {
    sandbox.run(&move_request(mark)).map_err(text)
}

/// Starts the bot for a game, and waits for its first line, which must be `expected`.
fn start(sandbox: Sandbox, expected: impl Fn(&[u8]) -> bool) -> Result<Session, String> {
    let started = sandbox.start(&RunRequest::for_game(vec!["A".into()])).map_err(text)?;
    let mut session = started.running().map_err(|report| format!("{report:?}"))?;
    match session.line(100, Instant::now() + GENEROUS).map_err(text)? {
        ReadLine::Read(line) if expected(&line) => Ok(session),
        other => Err(format!("{other:?}")),
    }
}

fn is_ready(line: &[u8]) -> bool {
    line == b"ready"
}

/// What the bot saw, which it wrote to standard error.
fn seen(report: &RunReport) -> String {
    String::from_utf8_lossy(&report.stderr).into_owned()
}

fn a_move_sees_nothing_of_the_last(stage: &Stage) -> Result<(), String> {
    let mut sandbox = open(&program(&stage.program(), "leaves-traces"), &limits(), Level::Namespaced)?;
    // If a state file is always there, the server has more to check.
    for with_state in [false, true] {
        if with_state {
            sandbox.set_state(&state_file(b'A'), b"notes").map_err(text)?;
        }
        let first = seen(&play(&mut sandbox, b'A')?);
        for _ in 0..3 {
            same(&seen(&play(&mut sandbox, b'A')?), &first)?;
        }
    }
    Ok(())
}

fn same(found: &str, wanted: &str) -> Result<(), String> {
    if found == wanted && found.contains("sees ") {
        Ok(())
    } else {
        Err(format!("at first\n{wanted}\nthen\n{found}"))
    }
}

fn a_renewed_sandbox_is_as_new(stage: &Stage) -> Result<(), String> {
    let program = program(&stage.program(), "leaves-traces-in-the-game");
    let mut sandbox = open(&program, &limits(), Level::Namespaced)?;
    let first = seen(&play(&mut sandbox, b'A')?);
    for game in 0..3 {
        let second = seen(&play(&mut sandbox, b'A')?);
        if game == 0 && second == first {
            return Err(format!("the second move does not see the game's own notes:\n{second}"));
        }
        sandbox.renew().map_err(text)?;
        same(&seen(&play(&mut sandbox, b'A')?), &first)?;
    }
    Ok(())
}

/// Each bot plays in lines, sees what it can, and then leaves one trace. It must see the same in each game, and
/// whatever it leaves, each game has a server of its own: otherwise a bot could tell from what is new whether it left
/// something.
fn a_game_learns_nothing_of_the_last(stage: &Stage) -> Result<(), String> {
    const GAMES: usize = 4;
    /// The kernel takes the times of files from a clock that may be this much late.
    const TICK: Duration = Duration::from_millis(20);
    let ways = [
        "nothing",
        "by-pairs",
        "by-number",
        "by-file-number",
        "by-file",
        "by-removed-file",
        "by-times",
        "by-mode",
        "by-network",
        "by-common-files",
        "by-child",
    ];
    // A copy of the program, because its processes are looked for.
    let bot = stage.place("remembers").map_err(text)?.bot;
    for way in ways {
        let program = program(&bot, &format!("remembers-{way}"));
        let mut sandbox = open(&program, &limits(), Level::Namespaced)?;
        let mut first = None;
        let mut servers = BTreeSet::new();
        let mut ended = Duration::ZERO;
        for _ in 0..GAMES {
            let session = start(sandbox, is_ready).map_err(|why| format!("{way}: {why}"))?;
            servers.extend(server_of(&bot));
            let (report, idle) = session.finish(Duration::ZERO).map_err(text)?;
            sandbox = idle;
            let report = seen(&report);
            let (ages, now): (Vec<&str>, Vec<&str>) = report.lines().partition(|line| line.starts_with("made "));
            if ages.len() < 5 || ages.iter().any(|line| time_of(line).is_none_or(|made| made < ended)) {
                return Err(format!(
                    "{way}: the last game ended at {ended:?}, and since then not all was {ages:?}"
                ));
            }
            let now = now.join("\n");
            same(&now, first.get_or_insert(now.clone())).map_err(|why| format!("{way}: {why}"))?;
            thread::sleep(TICK);
            ended = SystemTime::now().duration_since(UNIX_EPOCH).map_err(text)?.saturating_sub(TICK);
        }
        if servers.len() != GAMES {
            return Err(format!("{way}: {GAMES} games had the servers {servers:?}"));
        }
    }
    Ok(())
}

/// The time in a line "made SECONDS.NANOSECONDS PATH".
fn time_of(line: &str) -> Option<Duration> {
    let (seconds, nanoseconds) = line.split(' ').nth(1)?.split_once('.')?;
    Some(Duration::new(seconds.parse().ok()?, nanoseconds.parse().ok()?))
}

/// One bot does what it can to a file that both can read, and keeps running. The other bot sees the same as before.
fn a_bot_sees_nothing_of_another(stage: &Stage) -> Result<(), String> {
    for level in [Level::Scoped, Level::Namespaced] {
        let sees = || -> Result<String, String> {
            Ok(seen(&play(&mut open(&program(&stage.program(), "sees-common-traces"), &limits(), level)?, b'A')?))
        };
        let before = sees()?;
        let sandbox = open(&program(&stage.program(), "leaves-common-traces"), &limits(), level)?;
        let _other = start(sandbox, is_ready).map_err(|why| format!("{level}: {why}"))?;
        same(&sees()?, &before).map_err(|why| format!("{level}: {why}"))?;
    }
    Ok(())
}

/// The parent of the processes that run `program` and have a parent that does not.
fn server_of(program: &Path) -> Option<u32> {
    let runs_it = |pid: &u32| fs::read_link(format!("/proc/{pid}/exe")).is_ok_and(|exe| exe == program);
    let parent = |pid: u32| stat(pid).and_then(|stat| stat.get(1)?.parse::<u32>().ok());
    processes().filter(runs_it).filter_map(parent).find(|pid| !runs_it(pid))
}

/// Compares the whole tree: the root's file system, and where others are mounted.
fn only_what_is_listed_is_visible(stage: &Stage) -> Result<(), String> {
    let folder = stage.place("visible").map_err(text)?.bot.parent().map(PathBuf::from).unwrap_or_default();
    let beside = folder.join("secret");
    fs::write(&beside, "the owner's alone").map_err(text)?;
    fs::set_permissions(&beside, fs::Permissions::from_mode(0o600)).map_err(text)?;
    let part = folder.join("part");
    fs::create_dir(&part).map_err(text)?;
    fs::write(part.join("own"), "the bot's").map_err(text)?;
    fs::set_permissions(part.join("own"), fs::Permissions::from_mode(0o600)).map_err(text)?;
    symlink(&beside, part.join("link")).map_err(text)?;
    let script = "find / -xdev; echo; cut -d' ' -f5 /proc/self/mountinfo; echo; ls /proc; echo
        cat own link; head -c 1 /proc/1/environ | tr '\\0' x; cat /etc/shadow; echo done";
    let argv = ["/bin/sh", "-c", script].map(Into::into).to_vec();
    let program = Program { argv, folder: part.clone(), parts: vec![part.clone()] };
    let report = play(&mut open(&program, &Limits { output: 1 << 20, ..limits() }, Level::Namespaced)?, b'A')?;
    let output = String::from_utf8_lossy(&report.output).into_owned();
    let [tree, mounts, processes, content] = output.split("\n\n").collect::<Vec<_>>()[..] else {
        return Err(format!("{report:?}\n{output}"));
    };
    let lines = |text: &str| text.lines().map(str::to_string).collect::<BTreeSet<_>>();
    let (links, mounted) = listed(&part);
    compare("mounts", &lines(mounts), &mounted.iter().map(shown).chain(["/".into()]).collect())?;
    let skeleton = mounted.iter().chain(&links).flat_map(|path| path.ancestors().map(PathBuf::from));
    compare("tree", &lines(tree), &skeleton.map(|path| shown(&path)).collect())?;
    let foreign = lines(processes).into_iter().filter(|name| name.parse::<u32>().is_err());
    compare("view of processes", &foreign.collect(), &lines("self\nthread-self"))?;
    // Before that version, it depends on the file system whether root's sandboxes can read what only the owner may.
    let owners_are_mapped = !rustix::process::geteuid().is_root() || kernel_is_at_least((6, 3));
    match content {
        "the bot'sdone\n" => Ok(()),
        "done\n" if !owners_are_mapped => Ok(()),
        other => Err(format!("the bot read {other:?}")),
    }
}

fn shown(path: impl AsRef<Path>) -> String {
    path.as_ref().display().to_string()
}

/// What is to be visible: the links and generated files, and what is mounted.
fn listed(part: &Path) -> (Vec<PathBuf>, Vec<PathBuf>) {
    let listed = visible::FOLDERS.iter().chain(&visible::FILES).map(PathBuf::from);
    let there = listed.filter_map(|path| Some((fs::symlink_metadata(&path).ok()?.is_symlink(), path)));
    let (links, mounted): (Vec<_>, Vec<_>) = there.partition(|(is_link, _)| *is_link);
    let paths = |found: Vec<(bool, PathBuf)>| found.into_iter().map(|(_, path)| path).collect::<Vec<_>>();
    let mut links = paths(links);
    let mut mounted = paths(mounted);
    links.extend(visible::SYNTHETIC_FILES.map(|(name, _)| name.into()));
    links.extend(["/dev/fd", "/dev/stdin", "/dev/stdout", "/dev/stderr", "/etc/mtab"].map(PathBuf::from));
    mounted.extend(visible::DEVICES.map(PathBuf::from));
    mounted.extend(["/tmp", "/var/tmp", "/dev/shm", "/home/bot", "/proc"].map(PathBuf::from));
    mounted.push(part.to_path_buf());
    (links, mounted)
}

fn compare(what: &str, found: &BTreeSet<String>, wanted: &BTreeSet<String>) -> Result<(), String> {
    let list = |left: &BTreeSet<String>, right: &BTreeSet<String>| {
        left.difference(right).cloned().collect::<Vec<_>>().join(" ")
    };
    if found == wanted {
        Ok(())
    } else {
        Err(format!("{what}: not listed: {}; missing: {}", list(found, wanted), list(wanted, found)))
    }
}

fn neighbours(stage: &Stage) -> Result<(), String> {
    let greedy = open(&program(&stage.program(), "takes-everything"), &limits(), Level::Namespaced)?;
    let mut other = open(&program(&stage.program(), "takes-a-little"), &limits(), Level::Namespaced)?;
    let greedy = start(greedy, |line| line.starts_with(b"taken by "))?;
    let report = play(&mut other, b'B')?;
    let fresh =
        play(&mut open(&program(&stage.program(), "takes-a-little"), &limits(), Level::Namespaced)?, b'C')?;
    greedy.finish(Duration::ZERO).map_err(text)?;
    for report in [report, fresh] {
        if report.ended != Ended::Exited(0) || !report.stderr.is_empty() {
            return Err(format!("{:?}: {}", report.ended, seen(&report)));
        }
    }
    Ok(())
}

/// Without namespaces, the processes of all bots count against one limit of their user.
fn no_process_left(stage: &Stage) -> Result<(), String> {
    const BOMBS: u8 = 4;
    let bombs_limits = Limits { hard: Duration::from_secs(1), ..limits() };
    let mut quiet = open(&program(&stage.program(), "fine"), &limits(), Level::Scoped)?;
    let bombs: Result<Vec<Sandbox>, String> =
        (0..BOMBS).map(|_| open(&program(&stage.program(), "fork-bomb"), &bombs_limits, Level::Scoped)).collect();
    thread::scope(|scope| {
        let bombs: Vec<_> =
            (b'B'..).zip(bombs?).map(|(mark, mut bomb)| scope.spawn(move || play(&mut bomb, mark))).collect();
        while !bombs.iter().all(ScopedJoinHandle::is_finished) {
            let report = play(&mut quiet, b'A')?;
            if report.ended != Ended::Exited(0) {
                return Err(format!("the quiet bot's move: {:?}", report.ended));
            }
        }
        bombs.into_iter().try_for_each(|bomb| match bomb.join().expect("no panic")?.ended {
            // Four bombs can keep a slow machine so busy that none gets its second.
            Ended::TimedOut | Ended::Starved => Ok(()),
            other => Err(format!("a bomb ended otherwise: {other:?}")),
        })
    })
}

fn a_server_killed_for_memory(stage: &Stage) -> Result<(), String> {
    let limits = Limits { memory: 24 << 20, file: 256 << 20, ..limits() };
    let mut sandbox = open(&program(&stage.program(), "huge-state"), &limits, Level::Namespaced)?;
    for _ in 0..2 {
        let ended = play(&mut sandbox, b'A')?.ended;
        if ended != Ended::OutOfMemory {
            return Err(format!("{ended:?}"));
        }
        sandbox.clear_state(&state_file(b'A')).map_err(text)?;
    }
    // In a game, too, whatever is asked about the bot before the game ends.
    let started = sandbox.start(&RunRequest::for_game(vec!["A".into()])).map_err(text)?;
    let mut session = started.running().map_err(|report| format!("{report:?}"))?;
    let line = session.line(100, Instant::now() + GENEROUS).map_err(text)?;
    session.usage().map_err(text)?;
    session.begin_waiting().map_err(text)?;
    session.waited_in_full().map_err(text)?;
    session.waits_for_input(Duration::ZERO).map_err(text)?;
    session.activity().map_err(text)?;
    session.freeze().map_err(text)?;
    session.thaw().map_err(text)?;
    let (report, mut sandbox) = session.finish(Duration::ZERO).map_err(text)?;
    let again = play(&mut sandbox, b'A')?.ended;
    if (&line, &report.ended, &again) != (&ReadLine::Ended(Vec::new()), &Ended::OutOfMemory, &Ended::OutOfMemory) {
        return Err(format!("{line:?}, {:?}, {again:?}", report.ended));
    }
    Ok(())
}

/// Cornerman itself, if it is run as a bot, makes groups below its own, and leaves them when it is killed.
fn groups_below(_: &Stage) -> Result<(), String> {
    let group = cgroup::Cgroup::make(&limits()).map_err(text)?.ok_or("no control group")?;
    let folders = group.folders().to_vec();
    for folder in &folders {
        fs::create_dir_all(folder.join("cornerman-1-0/deeper")).map_err(text)?;
    }
    drop(group);
    match folders.iter().find(|folder| folder.exists()) {
        Some(left) => Err(format!("{} is left", left.display())),
        None => Ok(()),
    }
}

fn any_bytes(stage: &Stage) -> Result<(), String> {
    let mut sandbox = open(&program(&stage.program(), "leaves-traces"), &limits(), Level::Namespaced)?;
    let report = play(&mut sandbox, b'A')?;
    let is_it = |path: &Path| path.as_os_str().as_encoded_bytes().starts_with(b"/tmp/\xff");
    let found =
        report.file_violations.iter().any(|one| is_it(&one.path) && one.kind == FileViolationKind::Created);
    if found { Ok(()) } else { Err(format!("{:?}", report.file_violations)) }
}

/// A name with `..` cannot lead to a file of the machine, neither in a program's command nor in its parts.
fn names_cannot_lead_outside(stage: &Stage) -> Result<(), String> {
    let place = stage.place("names").map_err(text)?;
    let host = place.hosts_folder.join("file");
    fs::write(&host, "the organizer's").map_err(text)?;
    fs::set_permissions(&host, fs::Permissions::from_mode(0o755)).map_err(text)?;
    let around = PathBuf::from(format!("/home/../../..{}", host.display()));
    for parts in [vec![around.clone()], vec![place.bot.clone(), around.clone()], vec!["../..".into()]] {
        let folder = place.bot.parent().unwrap_or(&place.bot).to_path_buf();
        let program = Program { argv: vec![around.clone().into()], folder, parts };
        let report = play(&mut open(&program, &limits(), Level::Namespaced)?, b'A')?;
        if !matches!(report.ended, Ended::CannotStart { .. }) {
            return Err(format!("{report:?}"));
        }
    }
    match fs::read_to_string(&host).map_err(text)?.as_str() {
        "the organizer's" => Ok(()),
        other => Err(format!("a file of the organizer's now contains {other:?}")),
    }
}

/// A folder that is larger, and has more files, than what a bot may write is copied all the same. The bot may still
/// write as much as any other, in addition to the copy, and no more.
fn a_large_folder_is_copied(stage: &Stage) -> Result<(), String> {
    const MUCH: u64 = 24 << 20;
    let place = stage.place("large").map_err(text)?;
    let folder = place.bot.parent().unwrap_or(&place.bot).to_path_buf();
    for number in 0..2100 {
        fs::write(folder.join(format!("file-{number}")), "").map_err(text)?;
    }
    // Not a hole, because a copy has none.
    fs::write(folder.join("book"), vec![b'x'; MUCH as usize]).map_err(text)?;
    let script = "wc -c < book; ls | grep -c '^file-'; for at in 1 2 3 4 5 6; do
        head -c 4194304 /dev/zero > /tmp/more-$at || break; done 2> /dev/null; cat /tmp/more-* | wc -c
        at=0; while true > /tmp/small-$at; do at=$((at+1)); done 2> /dev/null; [ $at -lt 2048 ] && echo limited";
    let argv = ["/bin/sh", "-c", script].map(Into::into).to_vec();
    let program = Program { argv, folder: folder.clone(), parts: vec![folder] };
    let conditions = Conditions { at_most: Some(Level::Namespaced), watch_folder: true, ..Conditions::default() };
    let limits = limits();
    let report = play(&mut Sandbox::open(&program, &limits, conditions).map_err(text)?, b'A')?;
    let output = String::from_utf8_lossy(&report.output).into_owned();
    match output.split_whitespace().collect::<Vec<_>>()[..] {
        // Of six times 4 MiB, those that fit into the limit, and a part of the next.
        [book, "2100", more, "limited"]
            if book == MUCH.to_string()
                && more.parse::<u64>().is_ok_and(|more| (limits.file / 2..=limits.file).contains(&more)) =>
        {
            Ok(())
        }
        _ => Err(format!("{output:?}, {report:?}")),
    }
}

/// A program for which no sandbox can be set up cannot start, and does not lower the level for any other.
fn without_a_sandbox(stage: &Stage) -> Result<(), String> {
    let place = stage.place("unfit").map_err(text)?;
    let folder = place.bot.parent().unwrap_or(&place.bot).to_path_buf();
    let own = Program { argv: vec![place.bot.clone().into()], folder: folder.clone(), parts: vec![folder] };
    let zero = Program { argv: vec!["/bin/tr\0ue".into()], ..own.clone() };
    let nowhere = Program { folder: "/proc/1/cwd/nowhere".into(), ..program(&place.bot, "fine") };
    let mut unfit = vec![(zero, false, limits()), (nowhere, false, limits())];
    if landlock_version().is_some() {
        // With this few open files, there can be no rules about files.
        unfit.push((own, true, Limits { open_files: 4, ..limits() }));
    }
    for (program, watch_folder, own_limits) in unfit {
        let conditions = Conditions { at_most: Some(Level::Namespaced), watch_folder, ..Conditions::default() };
        let mut sandbox = Sandbox::open(&program, &own_limits, conditions).map_err(text)?;
        match (play(&mut sandbox, b'A')?.ended, sandbox.isolation().level) {
            (Ended::CannotStart { why, .. }, Level::Namespaced) if why.contains("no sandbox can be set up") => {}
            other => return Err(format!("{other:?}")),
        }
        let mut other = open(&self::program(&stage.program(), "fine"), &limits(), Level::Namespaced)?;
        match (play(&mut other, b'A')?.ended, other.isolation().level) {
            (Ended::Exited(0), Level::Namespaced) => {}
            unforeseen => return Err(format!("another's sandbox: {unforeseen:?}")),
        }
    }
    Ok(())
}

fn open_build(program: &Program) -> Result<Sandbox, String> {
    let conditions = Conditions { at_most: Some(Level::Scoped), is_build: true, ..Conditions::default() };
    Sandbox::open(program, &limits(), conditions).map_err(text)
}

fn a_build_cannot_close_folders(stage: &Stage) -> Result<(), String> {
    let bot = stage.place("closes-folders-in-a-build").map_err(text)?.bot;
    let seen = seen(&play(&mut open_build(&program(&bot, "closes-folders-in-a-build"))?, b'A')?);
    let refused = seen.matches("refused (1, ").count();
    if refused == 4 && !seen.contains("succeeded") { Ok(()) } else { Err(seen) }
}

/// The client hangs up, or the server is killed, while a build keeps the keeper busy.
fn a_flood_ends(stage: &Stage) -> Result<(), String> {
    let place = stage.place("floods-in-a-build").map_err(text)?;
    let is_bots = |pid: &u32| fs::read_link(format!("/proc/{pid}/exe")).is_ok_and(|exe| exe == place.bot);
    let keepers = |server: u32| stat(server).and_then(|stat| stat.get(1)?.parse::<u32>().ok());
    for is_server_killed in [false, true] {
        let sandbox = open_build(&program(&place.bot, "floods-in-a-build"))?;
        let session = start(sandbox, |line| line == b"flooding")?;
        let server = server_of(&place.bot).ok_or("the build has no server as its parent")?;
        let keeper = keepers(server).ok_or("the server has no keeper as its parent")?;
        if is_server_killed {
            let server = rustix::process::Pid::from_raw(server as i32).ok_or("no number")?;
            rustix::process::kill_process(server, rustix::process::Signal::KILL).map_err(text)?;
        }
        drop(session);
        wait_until("nothing of the build is left", || !processes().any(|pid| is_bots(&pid) || pid == keeper))?;
    }
    Ok(())
}

fn a_killed_server_leaves_nothing(stage: &Stage) -> Result<(), String> {
    killed_server(stage, Level::Scoped)
}

fn a_killed_server_leaves_nothing_of_its_own(stage: &Stage) -> Result<(), String> {
    killed_server(stage, Level::Namespaced)
}

/// Kills the server from outside while the bot multiplies.
fn killed_server(stage: &Stage, level: Level) -> Result<(), String> {
    let place = stage.place(&format!("killed-server-{level}")).map_err(text)?;
    let is_bots = |pid: &u32| fs::read_link(format!("/proc/{pid}/exe")).is_ok_and(|exe| exe == place.bot);
    let bots = || processes().filter(is_bots).collect::<Vec<_>>();
    let sandbox = open(&program(&place.bot, "fork-bomb"), &limits(), level)?;
    let request = RunRequest::for_game(vec!["A".into()]);
    let session = sandbox.start(&request).map_err(text)?.running().map_err(|report| format!("{report:?}"))?;
    wait_until("the bot multiplies", || bots().len() > 10)?;
    let server = server_of(&place.bot).ok_or("the bot has no server as its parent")?;
    let server = rustix::process::Pid::from_raw(server as i32).ok_or("no number")?;
    rustix::process::kill_process(server, rustix::process::Signal::KILL).map_err(text)?;
    wait_until("nothing of the bot is left", || bots().is_empty())?;
    match session.finish(Duration::ZERO) {
        Err(_) => Ok(()),
        Ok((report, _)) => Err(format!("a report of a server that was killed: {report:?}")),
    }
}

fn wait_until(what: &str, holds: impl Fn() -> bool) -> Result<(), String> {
    let began = Instant::now();
    while !holds() {
        if began.elapsed() > GENEROUS {
            return Err(format!("this did not happen: {what}"));
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    Ok(())
}

fn stat(pid: u32) -> Option<Vec<String>> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    Some(stat.rsplit_once(") ")?.1.split_ascii_whitespace().map(str::to_string).collect())
}
