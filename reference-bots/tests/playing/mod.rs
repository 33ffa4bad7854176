//! A running program, to send lines to and read lines from.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdout, Command, Stdio};

pub struct Playing {
    child: Child,
    lines: BufReader<ChildStdout>,
}

impl Playing {
    pub fn start(path: &str, args: &[&str]) -> Playing {
        let mut command = Command::new(path);
        command.args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap());
        Playing { child, lines }
    }

    pub fn send(&mut self, text: &str) {
        self.child.stdin.as_mut().unwrap().write_all(text.as_bytes()).unwrap();
    }

    /// Waits for the next line and returns it.
    pub fn line(&mut self) -> String {
        let mut line = String::new();
        self.lines.read_line(&mut line).unwrap();
        line.strip_suffix('\n').expect("a whole line").to_string()
    }

    /// Closes its input. Returns the rest of its standard output, its standard error, and its exit status.
    pub fn end(mut self) -> (String, String, Option<i32>) {
        drop(self.child.stdin.take());
        let mut rest = String::new();
        let mut errors = String::new();
        self.lines.read_to_string(&mut rest).unwrap();
        self.child.stderr.take().unwrap().read_to_string(&mut errors).unwrap();
        (rest, errors, self.child.wait().unwrap().code())
    }
}
