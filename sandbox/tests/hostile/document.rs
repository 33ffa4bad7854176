//! The table of promises in the document is the one in the code.

use super::rows::{Place, ROWS, Row, Verdict};
use cornerman_sandbox::{Level, TrespassKind};
use std::fmt::Write;
use std::fs;

/// Where the document is rewritten, in the checkout.
const DOCUMENT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/sandbox.md");
const TEXT: &str = include_str!("../../../docs/sandbox.md");
const BEGIN: &str = "<!-- The table of promises: written by the trials, see below. -->\n";
const END: &str = "<!-- End of the table of promises. -->\n";

/// Set to anything, it has the document rewritten.
const REWRITE: &str = "REWRITE_SANDBOX_TABLE";

/// Compares, or rewrites.
pub fn agrees() -> Result<(), String> {
    let parts = TEXT.split_once(BEGIN).and_then(|(before, rest)| Some((before, rest.split_once(END)?)));
    let Some((before, (found, after))) = parts else {
        return Err("docs/sandbox.md has no table of promises between its two marks".to_string());
    };
    let wanted = table();
    if found == wanted {
        return Ok(());
    }
    if std::env::var_os(REWRITE).is_some() {
        return fs::write(DOCUMENT, [before, BEGIN, &wanted, END, after].concat()).map_err(|e| e.to_string());
    }
    Err(format!("docs/sandbox.md does not show what the trials promise: run them with {REWRITE}=1"))
}

fn table() -> String {
    let mut text = "\n| behaviour | what is promised |".to_string();
    Level::ALL.iter().for_each(|level| write!(text, " {level} |").unwrap());
    text += " remark |\n|---|---|";
    text += &"---|".repeat(Level::ALL.len() + 1);
    text.push('\n');
    for row in ROWS {
        write!(text, "| {} | {} |", row.name, promise(row)).unwrap();
        for level in Level::ALL {
            text += if level >= row.from { " yes |" } else { " – |" };
        }
        writeln!(text, " {} |", row.remark).unwrap();
    }
    text + "\n"
}

fn promise(row: &Row) -> String {
    match row.verdict {
        Verdict::Fine => "fine".into(),
        Verdict::Leftovers(least) => format!("fine; leftovers swept and counted ({least} at least)"),
        Verdict::Reported(Place::OwnState, TrespassKind::NotAFile) => "fine; reported as no regular file".into(),
        Verdict::Reported(..) => "fine; reported as a file made where none may be".into(),
        Verdict::Unreported => "fine; not reported".into(),
        Verdict::Contained => "fine; without effect".into(),
        Verdict::NotUnnoticed => "fine; refused or reported".into(),
        Verdict::Cpu(least) => format!("fine; {least} ms of processor time counted"),
        Verdict::CpuOrLowerBound(least) => {
            format!("fine; {least} ms of processor time counted, or the figure marked a lower bound")
        }
        Verdict::TimedOut => "timeout".into(),
        Verdict::TooMuch => "too much output".into(),
        Verdict::TooLittle(bytes) => format!("too little output: {bytes} bytes"),
        Verdict::Exits(status) => format!("answered, exit status {status}"),
        Verdict::Dies(signal) => format!("died of signal {signal}"),
        Verdict::CannotStart(errno) => format!("cannot start, error number {errno}"),
    }
}
