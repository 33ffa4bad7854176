//! Checks that the tables in `SECURITY.md` and `docs/sandbox.md` agree with the code: the levels, their promises, the
//! visible files and the system calls.

use super::rows::{Place, ROWS, Row, Verdict};
use cornerman_sandbox::calls::{self, Call, CallPermission, Family};
use cornerman_sandbox::promises::PROMISES;
use cornerman_sandbox::{FileViolationKind, Level, visible};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;

/// A document in the checkout.
struct Document {
    /// Its file, to be rewritten.
    path: &'static str,
    text: &'static str,
    parts: &'static [Part],
}

const DOCUMENTS: [Document; 2] = [
    Document {
        path: concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/sandbox.md"),
        text: include_str!("../../../docs/sandbox.md"),
        parts: &PARTS,
    },
    Document {
        path: concat!(env!("CARGO_MANIFEST_DIR"), "/../SECURITY.md"),
        text: include_str!("../../../SECURITY.md"),
        parts: &[Part {
            begin: "<!-- The table of levels: written by the trials of hostile bots. -->\n",
            end: "<!-- End of the table of levels. -->\n",
            text: promises_of_levels,
        }],
    },
];

/// If this variable is set, the document is rewritten.
const REWRITE: &str = "REWRITE_SANDBOX_TABLE";

/// A part of the document that is generated from the code.
struct Part {
    begin: &'static str,
    end: &'static str,
    text: fn() -> String,
}

const PARTS: [Part; 4] = [
    Part {
        begin: "<!-- The table of levels: written by the trials, see below. -->\n",
        end: "<!-- End of the table of levels. -->\n",
        text: levels,
    },
    Part {
        begin: "<!-- The table of promises: written by the trials, see below. -->\n",
        end: "<!-- End of the table of promises. -->\n",
        text: promises,
    },
    Part {
        begin: "<!-- The tables of system calls: written by the trials, see above. -->\n",
        end: "<!-- End of the tables of system calls. -->\n",
        text: system_calls,
    },
    Part {
        begin: "<!-- The table of what is visible: written by the trials, see above. -->\n",
        end: "<!-- End of the table of what is visible. -->\n",
        text: visible_files,
    },
];

/// Compares the documents with the code, or rewrites them.
pub fn agrees() -> Result<(), String> {
    check_carriers()?;
    for Document { path, text, parts } in DOCUMENTS {
        let mut wanted = text.to_string();
        for Part { begin, end, text: content } in parts {
            let found =
                wanted.split_once(begin).and_then(|(before, rest)| Some((before, rest.split_once(end)?.1)));
            let Some((before, after)) = found else {
                return Err(format!("{path} has no table between the lines {begin}and {end}"));
            };
            wanted = [before, begin, &content(), end, after].concat();
        }
        if wanted == text {
            continue;
        }
        if std::env::var_os(REWRITE).is_none() {
            return Err(format!("the tables in {path} differ from the code: run the trials with {REWRITE}=1"));
        }
        fs::write(path, wanted).map_err(|e| e.to_string())?;
    }
    Ok(())
}

fn levels() -> String {
    let mut text = "\n| level | how a bot is isolated | what it needs |\n|---|---|---|\n".to_string();
    for level in Level::ALL.into_iter().rev() {
        writeln!(text, "| {level} | {} | {} |", meaning(level), needs(level)).unwrap();
    }
    text + "\n"
}

fn promises_of_levels() -> String {
    let mut text = "\n| a bot … |".to_string();
    for level in Level::ALL {
        write!(text, " {level} |").unwrap();
    }
    text += "\n|---|";
    text += &"---|".repeat(Level::ALL.len());
    text.push('\n');
    for promise in &PROMISES {
        write!(text, "| {} |", promise.bot).unwrap();
        for level in Level::ALL {
            match promise.requirement(level) {
                _ if level < promise.from => text += " – |",
                None => text += " yes |",
                Some(needed) => write!(text, " with {} |", needed.name()).unwrap(),
            }
        }
        text.push('\n');
    }
    text += "| **the level needs** |";
    for level in Level::ALL {
        write!(text, " {} |", needs(level)).unwrap();
    }
    text + "\n\n"
}

fn visible_files() -> String {
    let names = |names: &[&str]| names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
    let made: Vec<&str> = visible::SYNTHETIC_FILES.iter().map(|(name, _)| *name).collect();
    let mut text = "\n| what | where |\n|---|---|\n".to_string();
    for (what, list) in [
        ("libraries, tools and their data, if the machine has them", &visible::FOLDERS[..]),
        ("the index of libraries", &visible::FILES),
        ("users, groups and hosts: generated at `namespaced`, the machine's own at `scoped`", &made),
        ("devices", &visible::DEVICES),
    ] {
        writeln!(text, "| {what} | {} |", names(list)).unwrap();
    }
    text + "\n"
}

fn system_calls() -> String {
    let mut text = "\n| allowed | calls | why |\n|---|---|---|\n".to_string();
    for family in calls::ALLOWED {
        writeln!(text, "| {} | {} | {} |", family.name, allowed(family), family.reason).unwrap();
    }
    text += "\n| refused | calls | why |\n|---|---|---|\n";
    for family in calls::REFUSED {
        writeln!(text, "| {} | {} | {} |", family.name, refused(family), family.reason).unwrap();
    }
    text + "\n"
}

/// Checks the table of what each allowed call could carry from one game to the next, or to another bot. It is written
/// by hand, and must name each allowed call once.
fn check_carriers() -> Result<(), String> {
    let begin = "<!-- The table of carriers: the trials check that it names each allowed call. -->\n";
    let table = DOCUMENTS[0].text.split_once(begin).and_then(|(_, rest)| rest.split_once("<!-- End"));
    let (table, _) = table.ok_or("docs/sandbox.md has no table of carriers")?;
    let rows = table.lines().filter_map(|row| row.split(" | ").nth(1)).skip(1);
    let mut named: Vec<&str> = rows.flat_map(|calls| calls.split(", ")).collect();
    let mut allowed: Vec<&str> = calls::ALLOWED.iter().flat_map(Family::calls).map(Call::name).collect();
    named.sort_unstable();
    allowed.sort_unstable();
    if named == allowed {
        return Ok(());
    }
    let missing: Vec<_> = allowed.iter().filter(|call| !named.contains(call)).collect();
    Err(format!("the table of carriers does not name each allowed call once; it lacks {missing:?}"))
}

/// How a bot is isolated at `level`.
fn meaning(level: Level) -> &'static str {
    match level {
        Level::Plain => "a session of its own, and the deadline",
        Level::Restricted => {
            "limits on memory, files and processes; none of root's powers; all processes that it leaves are ended"
        }
        Level::Scoped => {
            "rules for files and signals (Landlock), and a list of allowed system calls; all bots share `/tmp`"
        }
        Level::Namespaced => {
            "a root that contains only what is listed below; its own `/tmp`, processes, network and host name; and the \
             list of allowed system calls"
        }
    }
}

/// What `level` needs of the machine.
fn needs(level: Level) -> &'static str {
    match level {
        Level::Plain | Level::Restricted => "Linux 5.10",
        Level::Scoped => "Linux 5.13, with Landlock in the list of the boot option `lsm=`",
        Level::Namespaced => "Linux 5.10, with user namespaces for the user who runs the kit",
    }
}

/// The allowed calls, in groups of the same permission.
fn allowed(family: &Family) -> String {
    let mut groups: BTreeMap<(CallPermission, CallPermission), Vec<&str>> = BTreeMap::new();
    for call in family.calls() {
        let permission = (call.permission(Level::Namespaced), call.permission(Level::Scoped));
        groups.entry(permission).or_default().push(call.name());
    }
    let shown = groups.iter().map(|(permission, names)| {
        let when = match permission {
            (CallPermission::Always, CallPermission::Always) => "",
            (CallPermission::Always, CallPermission::Never(_)) => "at `namespaced` only: ",
            (CallPermission::Always, CallPermission::OwnFilesOfBuilds) => {
                "at `namespaced`, and for builds' own files at `scoped`: "
            }
            (CallPermission::Always, CallPermission::Pretended) => {
                "does nothing at `scoped`, but seems to succeed: "
            }
            (CallPermission::Always, _) => "at `scoped` with some arguments only: ",
            (_, CallPermission::Never(_)) => "at `namespaced` only, with some arguments only: ",
            (CallPermission::Pretended, _) => "does nothing, but seems to succeed: ",
            (CallPermission::PartlyPretended, _) => "allowed with some arguments, does nothing with others: ",
            _ => "with some arguments only: ",
        };
        format!("{when}{}", names.join(", "))
    });
    shown.collect::<Vec<_>>().join("; ")
}

/// The refused calls, in groups of the same answer. Those that Docker allows are bold.
fn refused(family: &Family) -> String {
    let mut groups: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for call in family.calls() {
        let name = |call: &Call| {
            if allowed_by_docker(call) { format!("**{}**", call.name()) } else { call.name().into() }
        };
        groups.entry(answer(call.permission(Level::Namespaced))).or_default().push(name(call));
    }
    let shown = groups.iter().map(|(answer, names)| format!("`{answer}`: {}", names.join(", ")));
    shown.collect::<Vec<_>>().join("; ")
}

/// Whether Docker's default profile allows a call that is refused here.
fn allowed_by_docker(call: &Call) -> bool {
    const CALLS: &str = "name_to_handle_at ptrace process_vm_readv process_vm_writev process_mrelease inotify_init1 \
     inotify_add_watch inotify_rm_watch fanotify_mark mincore cachestat inotify_init setxattr lsetxattr \
     fsetxattr removexattr lremovexattr fremovexattr shmget shmat shmctl shmdt semget semop semtimedop semctl \
     msgget msgsnd msgrcv msgctl mq_open mq_unlink mq_timedsend mq_timedreceive mq_notify mq_getsetattr \
     memfd_create memfd_secret socket pidfd_open sendmsg sendmmsg io_setup io_destroy io_submit io_cancel \
     io_getevents vmsplice remap_file_pages seccomp landlock_create_ruleset landlock_add_rule \
     landlock_restrict_self io_pgetevents modify_ldt setfsuid setfsgid setgroups clock_adjtime adjtimex";
    CALLS.split_whitespace().any(|name| name == call.name())
}

fn answer(permission: CallPermission) -> &'static str {
    match permission {
        CallPermission::Never(errno) => calls::errno_name(errno),
        _ => "allowed",
    }
}

fn promises() -> String {
    let mut text = "\n| behaviour | what is promised |".to_string();
    for level in &Level::ALL {
        write!(text, " {level} |").unwrap();
    }
    text += " remark |\n|---|---|";
    text += &"---|".repeat(Level::ALL.len() + 1);
    text.push('\n');
    for row in ROWS {
        write!(text, "| {} | {} |", row.name, promise(row)).unwrap();
        for level in Level::ALL {
            text += match level {
                _ if level < row.from => " – |",
                Level::Scoped if row.is_of_signals => " with Landlock 6 |",
                _ => " yes |",
            };
        }
        writeln!(text, " {} |", row.remark).unwrap();
    }
    text + "\n"
}

fn promise(row: &Row) -> String {
    match row.verdict {
        Verdict::Fine => "fine".into(),
        Verdict::Leftovers(least) => format!("fine; leftover processes ended and counted ({least} or more)"),
        Verdict::Reported(Place::OwnState, FileViolationKind::NotAFile) => {
            "fine; reported as not a regular file".into()
        }
        Verdict::Reported(..) => "fine; reported as a file in a forbidden place".into(),
        Verdict::Unreported => "fine; not reported".into(),
        Verdict::Contained => "fine; attempts have no effect".into(),
        Verdict::RefusedOrReported => "fine; refused or reported".into(),
        Verdict::Cpu(least) => format!("fine; {least} ms of processor time counted"),
        Verdict::CpuOrLowerBound(least) => {
            format!("fine; {least} ms of processor time counted, or reported as a lower bound")
        }
        Verdict::TimedOut => "timeout".into(),
        Verdict::TooMuch => "too much output".into(),
        Verdict::TooLittle(bytes) => format!("too little output: {bytes} bytes"),
        Verdict::Exits(status) => format!("answered, exit status {status}"),
        Verdict::Dies(signal) => format!("died of signal {signal}"),
        Verdict::CannotStart(errno) => format!("cannot start, error number {errno}"),
    }
}
