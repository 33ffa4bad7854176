//! Whether the system can execute a file, found out before any game.

use super::BotError;
use crate::entry_files;
use crate::sandbox::PATH;
use crate::toolchain::language::Languages;
use crate::toolchain::{search, tool};
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// Finds out before any game whether the system can execute `file` at all, which is `opened`; `path` is what the bot
/// was asked for by. Gives the name of the program that runs it, if it is a script.
pub fn must_be_a_program(
    path: &Path,
    file: &Path,
    opened: io::Result<File>,
    languages: &Languages,
) -> Result<Option<String>, BotError> {
    let no = |why: String| Err(BotError::NotAProgram { path: path.to_path_buf(), why });
    let mut start = Vec::new();
    match opened.and_then(|opened| opened.take(256).read_to_end(&mut start)) {
        Err(e) if e.kind() == io::ErrorKind::NotFound => {
            return no(format!("there is no program {} to run", file.display()));
        }
        Err(source) => return Err(BotError::Unreadable { path: path.to_path_buf(), source }),
        Ok(_) => {}
    }
    let kind = Kind::of(&start);
    match &kind {
        Kind::Other => {
            no(format!("neither a program nor a source ({}); scripts begin with #!", languages.extensions()))
        }
        Kind::Elf(machine) if !runs_here(*machine) => no(format!(
            "a program for another kind of machine ({}, this one is {})",
            machine_name(*machine),
            this_machine().map_or("unknown".to_string(), machine_name)
        )),
        Kind::Script(line) if script_cannot_start(line, languages).is_some() => {
            no(format!("its first line {}", script_cannot_start(line, languages).unwrap_or_default()))
        }
        _ if !search::is_executable(file) => {
            let shown = if path.is_file() { path } else { file };
            no(format!("not executable: try `chmod +x {}`", shown.display()))
        }
        Kind::Script(line) => Ok(interpreter(line)),
        _ => Ok(None),
    }
}

/// The name of the program that a script with `line` after its `#!` is run by.
fn interpreter(line: &str) -> Option<String> {
    let program = line.split_whitespace().next()?;
    let program = if program.ends_with("/env") { asked_of_env(line)? } else { program };
    Some(Path::new(program).file_name()?.to_str()?.to_string())
}

/// What `line`, which begins with `env`, asks it to start. `env -S` takes words apart; assignments come before the
/// program.
fn asked_of_env(line: &str) -> Option<&str> {
    let mut words = line.split_whitespace().skip(1).map(|word| word.strip_prefix("-S").unwrap_or(word));
    words.find(|word| !word.is_empty() && !word.contains('='))
}

/// Whether `file` is a program for the machine itself, not for an interpreter.
pub fn is_native(file: &Path) -> bool {
    let mut start = Vec::new();
    let read = entry_files::open(file).and_then(|opened| opened.take(20).read_to_end(&mut start));
    read.is_ok() && matches!(Kind::of(&start), Kind::Elf(_))
}

/// Why a script with `line` after its `#!` cannot be started, if it cannot: what the line asks for is not there.
fn script_cannot_start(line: &str, languages: &Languages) -> Option<String> {
    if line.ends_with('\r') {
        return Some("ends with a carriage return (CR LF), which becomes part of the interpreter's name: save it with line feeds alone".to_string());
    }
    let interpreter = line.split_whitespace().next().unwrap_or_default();
    if !Path::new(interpreter).exists() {
        return Some(format!("asks for {interpreter}, which is not on this machine"));
    }
    if !interpreter.ends_with("/env") {
        return None;
    }
    let tool = asked_of_env(line)?;
    let there = match tool {
        path if path.contains('/') => Path::new(path).exists(),
        option if option.starts_with('-') => true,
        name => search::is_on_path_of_bots(name),
    };
    (!there).then(|| {
        let elsewhere = tool::find(tool, languages)
            .map_or(String::new(), |file| format!(" (yours is {0}: write #!{0})", file.display()));
        format!("asks env for {tool}, which is not where bots find programs: {PATH}{elsewhere}")
    })
}

/// What a file's first bytes say it is.
enum Kind {
    /// A program for the machine of this number (`e_machine`).
    Elf(u16),
    /// A script, with what its first line says after `#!`.
    Script(String),
    Other,
}

impl Kind {
    fn of(start: &[u8]) -> Kind {
        if let (Some(b"\x7fELF"), Some(&machine)) =
            (start.get(..4), start.get(18..).and_then(|s| s.first_chunk::<2>()))
        {
            return Kind::Elf(if start[5] == 2 {
                u16::from_be_bytes(machine)
            } else {
                u16::from_le_bytes(machine)
            });
        }
        match start.strip_prefix(b"#!") {
            Some(line) => {
                let line = line.split(|&b| b == b'\n').next().unwrap_or_default();
                Kind::Script(String::from_utf8_lossy(line).into_owned())
            }
            None => Kind::Other,
        }
    }
}

/// The kind of machine that this program itself is for.
fn this_machine() -> Option<u16> {
    let mut start = [0; 20];
    File::open("/proc/self/exe").ok()?.read_exact(&mut start).ok()?;
    match Kind::of(&start) {
        Kind::Elf(machine) => Some(machine),
        _ => None,
    }
}

fn runs_here(machine: u16) -> bool {
    const X86: u16 = 3;
    const X86_64: u16 = 62;
    this_machine().is_none_or(|here| here == machine || (here, machine) == (X86_64, X86))
}

fn machine_name(machine: u16) -> String {
    match machine {
        3 => "32-bit x86".to_string(),
        40 => "32-bit ARM".to_string(),
        62 => "x86-64".to_string(),
        183 => "64-bit ARM".to_string(),
        243 => "RISC-V".to_string(),
        other => format!("ELF machine {other}"),
    }
}
