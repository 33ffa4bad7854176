//! GNU Go as a reference for the rules: a process that answers commands of the Go Text Protocol.

use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// A GNU Go that runs until it is dropped.
pub struct GnuGo {
    child: Child,
    commands: ChildStdin,
    answers: BufReader<ChildStdout>,
}

/// The path of GNU Go on this machine. Debian installs it in `/usr/games`, which may not be in `PATH`.
///
/// # Errors
/// A message that it is not installed.
pub fn program() -> Result<PathBuf, String> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::env::split_paths(&path).chain([PathBuf::from("/usr/games")]);
    let found = folders.map(|folder| folder.join("gnugo")).find(|program| program.is_file());
    found.ok_or_else(|| "gnugo is not installed".to_string())
}

impl GnuGo {
    /// Starts GNU Go with these additional options.
    pub fn start(options: &[&str]) -> Result<GnuGo, String> {
        let mut child = Command::new(program()?)
            .args(["--mode", "gtp", "--chinese-rules"])
            .args(options)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|error| format!("gnugo does not start: {error}"))?;
        let commands = child.stdin.take().expect("its input is a pipe");
        let answers = BufReader::new(child.stdout.take().expect("its output is a pipe"));
        Ok(GnuGo { child, commands, answers })
    }

    /// Sends `command` and returns the answer, whose lines are separated by line feeds.
    ///
    /// # Errors
    /// The message with which GNU Go refuses the command, or that it has ended.
    pub fn ask(&mut self, command: &str) -> Result<String, String> {
        writeln!(self.commands, "{command}").map_err(|error| format!("{command}: {error}"))?;
        let mut answer = String::new();
        loop {
            let mut line = String::new();
            match self.answers.read_line(&mut line) {
                Ok(0) => return Err(format!("{command}: gnugo has ended")),
                Err(error) => return Err(format!("{command}: {error}")),
                // An empty line ends an answer.
                Ok(_) if line == "\n" && !answer.is_empty() => break,
                Ok(_) => answer.push_str(&line),
            }
        }
        match answer.split_at(1) {
            ("=", rest) => Ok(rest.trim().to_string()),
            (_, rest) => Err(format!("{command}: {}", rest.trim())),
        }
    }

    /// Sends `command` and returns the answer as sorted names of points.
    ///
    /// # Errors
    /// As for [`GnuGo::ask`].
    pub fn points(&mut self, command: &str) -> Result<Vec<String>, String> {
        let mut points: Vec<String> = self.ask(command)?.split_whitespace().map(str::to_string).collect();
        points.sort_unstable();
        Ok(points)
    }
}

impl Drop for GnuGo {
    fn drop(&mut self) {
        self.child.kill().ok();
        self.child.wait().ok();
    }
}
