//! Checking before any game that the system can execute a bot's program, so that a mistake is reported early.

use super::BotError;
use crate::sandbox::PATH;
use crate::toolchain::language::Languages;
use crate::toolchain::tool;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// Checks that the system can execute `file`, which the caller has `opened`; `path` is the bot's path as the user gave
/// it. For a script, returns the name of its interpreter.
///
/// # Errors
/// When the file cannot be read or executed; the message says why, and names the remedy where one is known.
pub(super) fn check_program(
    path: &Path,
    file: &Path,
    opened: io::Result<File>,
    languages: &Languages,
) -> Result<Option<String>, BotError> {
    let refuse = |why: String| Err(BotError::NotAProgram { path: path.to_path_buf(), why });
    let mut start = Vec::new();
    // The kernel decides by the first 256 bytes how to execute a file.
    match opened.and_then(|opened| opened.take(256).read_to_end(&mut start)) {
        Err(e) if e.kind() == io::ErrorKind::NotFound => {
            return refuse(format!("the program {} does not exist", file.display()));
        }
        Err(source) => return Err(BotError::Unreadable { path: path.to_path_buf(), source }),
        Ok(_) => {}
    }
    let kind = FileKind::from_start(&start);
    match &kind {
        FileKind::Other => {
            let extensions = languages.extensions();
            return refuse(format!(
                "neither a program nor a source file ({extensions}); a script must begin with #!"
            ));
        }
        FileKind::Elf(machine) if !runs_here(*machine) => {
            let wanted = machine_name(*machine);
            let this = this_machine().map_or("unknown".to_string(), machine_name);
            return refuse(format!("a program for another kind of machine ({wanted}; this machine is {this})"));
        }
        FileKind::Elf(_) => {}
        FileKind::Script(line) => {
            if let Some(why) = script_cannot_start(line, languages) {
                return refuse(format!("its first line {why}"));
            }
        }
    }
    if !tool::is_executable(file) {
        let shown = if path.is_file() { path } else { file };
        return refuse(format!("not executable: try `chmod +x {}`", shown.display()));
    }
    if tool::is_on_noexec(file) {
        return refuse(format!(
            "{} is on a file system that is mounted `noexec`: move it to another one (for the cache, `XDG_CACHE_HOME` \
             names the place)",
            file.display()
        ));
    }
    match kind {
        FileKind::Script(line) => Ok(interpreter(&line)),
        FileKind::Elf(_) | FileKind::Other => Ok(None),
    }
}

/// The name of the program that runs a script whose first line is `#!` and `line`.
fn interpreter(line: &str) -> Option<String> {
    let program = line.split_whitespace().next()?;
    let program = if program.ends_with("/env") { env_target(line)? } else { program };
    Some(Path::new(program).file_name()?.to_str()?.to_string())
}

/// The program that `line` asks `env`, its first word, to start: the first word after `-S` and after assignments. If
/// `env` has another option, this returns the option instead.
fn env_target(line: &str) -> Option<&str> {
    let mut words = line.split_whitespace().skip(1).map(|word| word.strip_prefix("-S").unwrap_or(word));
    words.find(|word| !word.is_empty() && !word.contains('='))
}

/// Why a script whose first line is `#!` and `line` cannot be started, worded to follow "its first line"; `None` if its
/// interpreter exists, or options of `env` hide which one it is.
fn script_cannot_start(line: &str, languages: &Languages) -> Option<String> {
    if line.ends_with('\r') {
        let why = "ends with a carriage return (CR LF), which becomes part of the interpreter's name: save it with line \
                   feeds alone";
        return Some(why.to_string());
    }
    let interpreter = line.split_whitespace().next().unwrap_or_default();
    if !Path::new(interpreter).exists() {
        return Some(format!("asks for {interpreter}, which is not on this machine"));
    }
    if !interpreter.ends_with("/env") {
        return None;
    }
    let tool = env_target(line)?;
    let there = match tool {
        path if path.contains('/') => Path::new(path).exists(),
        option if option.starts_with('-') => true,
        name => tool::is_on_path_of_bots(name),
    };
    (!there).then(|| {
        let elsewhere = tool::find(tool, languages)
            .map_or(String::new(), |file| format!(" (yours is {0}: write #!{0})", file.display()));
        format!("asks env for {tool}, which is not in the PATH that bots have: {PATH}{elsewhere}")
    })
}

/// The kind of a file, by its first bytes.
enum FileKind {
    /// Machine code, with the architecture that it is for (`e_machine` of the ELF header).
    Elf(u16),
    /// A script, with the rest of its first line after `#!`.
    Script(String),
    Other,
}

impl FileKind {
    /// The kind of a file whose first bytes are `start`.
    fn from_start(start: &[u8]) -> FileKind {
        if let (Some(b"\x7fELF"), Some(&machine)) =
            (start.get(..4), start.get(18..).and_then(|s| s.first_chunk::<2>()))
        {
            // Byte 5 is 2 if numbers are big-endian.
            return FileKind::Elf(if start[5] == 2 {
                u16::from_be_bytes(machine)
            } else {
                u16::from_le_bytes(machine)
            });
        }
        match start.strip_prefix(b"#!") {
            Some(line) => {
                let line = line.split(|&b| b == b'\n').next().unwrap_or_default();
                FileKind::Script(String::from_utf8_lossy(line).into_owned())
            }
            None => FileKind::Other,
        }
    }
}

/// The architecture that this program itself was built for.
fn this_machine() -> Option<u16> {
    let mut start = [0; 20];
    File::open("/proc/self/exe").ok()?.read_exact(&mut start).ok()?;
    match FileKind::from_start(&start) {
        FileKind::Elf(machine) => Some(machine),
        _ => None,
    }
}

/// Whether this machine should be able to execute programs for `machine`: those for its own architecture, and on x86-64
/// also those for x86. True if its own is unknown.
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
