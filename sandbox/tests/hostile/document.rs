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

const PARTS: [Part; 5] = [
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
        begin: "<!-- The table of carriers: written by the trials, see above. -->\n",
        end: "<!-- End of the table of carriers. -->\n",
        text: carriers,
    },
    Part {
        begin: "<!-- The table of what is visible: written by the trials, see above. -->\n",
        end: "<!-- End of the table of what is visible. -->\n",
        text: visible_files,
    },
];

/// Compares the documents with the code, or rewrites them.
pub fn agrees() -> Result<(), String> {
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
        writeln!(text, "| {level} | {} | {} |", level.meaning(), level.needs()).unwrap();
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
        write!(text, " {} |", level.needs()).unwrap();
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

fn carriers() -> String {
    let mut text = "\n| what could be carried | by | answer |\n|---|---|---|\n".to_string();
    for row in calls::CARRIERS {
        let names = row.calls.split_whitespace().collect::<Vec<_>>().join(", ");
        writeln!(text, "| {} | {names} | {} |", row.carries, row.answer).unwrap();
    }
    text + "\n"
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
        let name =
            |call: &Call| if call.docker_allows() { format!("**{}**", call.name()) } else { call.name().into() };
        groups.entry(answer(call.permission(Level::Namespaced))).or_default().push(name(call));
    }
    let shown = groups.iter().map(|(answer, names)| format!("`{answer}`: {}", names.join(", ")));
    shown.collect::<Vec<_>>().join("; ")
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
