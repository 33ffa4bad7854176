//! Builds a template's bot as its `bot.toml` says, and talks to it line by line as a tournament does.

use crate::support::{Ran, Scratch, trial};
use libtest_mimic::Trial;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdout, Command, Stdio};

/// The languages of the templates, and the tools each needs.
const LANGUAGES: [(&str, &[&str]); 8] = [
    ("python", &["python3"]),
    ("c", &["cc"]),
    ("c++", &["c++"]),
    ("java", &["javac", "jar", "java"]),
    ("rust", &["rustc"]),
    ("go", &["go"]),
    ("javascript", &["node"]),
    ("bash", &["bash"]),
];

/// A trial of the template for `game` in each language; `body` is given the bot, built.
pub fn trials(game: &'static str, what: &str, body: fn(&Built)) -> Vec<Trial> {
    of_each(game, what, move |lang| body(&Built::new(game, lang)))
}

/// A trial for `game` in each language; `body` is given the language.
pub fn of_each(game: &str, what: &str, body: impl Fn(&str) + Copy + Send + 'static) -> Vec<Trial> {
    let name = |lang: &str| format!("new::{game}::the_{lang}_template_{what}");
    LANGUAGES.map(|(lang, tools)| trial(&name(lang), tools, move || body(lang))).into_iter().collect()
}

/// A bot that can be run.
pub struct Built {
    scratch: Scratch,
    run: Vec<String>,
}

impl Built {
    fn new(game: &str, lang: &str) -> Built {
        let scratch = Scratch::new();
        let text =
            Ran::from_command(scratch.cornerman(["new", "left-hook", "--game", game, "--lang", lang])).fine();
        assert!(text.contains("\nNext: cargo xtask check left-hook\n"), "{text}");
        let file = std::fs::read_to_string(scratch.path().join("left-hook/bot.toml")).expect("a bot.toml");
        let said: toml::Table = file.parse().expect("TOML");
        assert_eq!(said["game"].as_str(), Some(game));
        let command = |key: &str| -> Option<Vec<String>> { said.get(key)?.clone().try_into().ok() };
        let built = Built { scratch, run: command("run").expect("a command") };
        if let Some(build) = command("build") {
            let status = built.command(&build).stdin(Stdio::null()).status().expect("the build can be started");
            assert!(status.success(), "{build:?}");
        }
        built
    }

    fn command(&self, words: &[String]) -> Command {
        let folder = self.scratch.path().join("left-hook");
        let program = match words[0].strip_prefix("./") {
            Some(file) => folder.join(file).into_os_string(),
            None => words[0].clone().into(),
        };
        let mut command = Command::new(program);
        command.args(&words[1..]).current_dir(folder);
        command
    }

    /// Starts the bot for one game.
    pub fn start(&self, arguments: &[&str]) -> Bot {
        let mut command = self.command(&self.run);
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("the bot can be started");
        let lines = BufReader::new(child.stdout.take().expect("it is piped"));
        Bot { child, lines }
    }
}

/// A bot in a game. It is killed when it is dropped.
pub struct Bot {
    child: Child,
    lines: BufReader<ChildStdout>,
}

impl Bot {
    /// Sends a line.
    #[track_caller]
    pub fn send(&mut self, line: &str) {
        let pipe = self.child.stdin.as_mut().expect("it is piped");
        pipe.write_all(format!("{line}\n").as_bytes()).and_then(|()| pipe.flush()).expect("the bot reads");
    }

    /// Waits for a line.
    #[track_caller]
    pub fn line(&mut self) -> String {
        let mut line = String::new();
        self.lines.read_line(&mut line).expect("the bot writes text");
        line.strip_suffix('\n').unwrap_or_else(|| panic!("the bot has ended: {}", self.errors())).to_string()
    }

    /// Sends a line and waits for one.
    #[track_caller]
    pub fn ask(&mut self, line: &str) -> String {
        self.send(line);
        self.line()
    }

    /// Closes the bot's input. The bot must write nothing more and exit with success.
    #[track_caller]
    pub fn end(mut self) {
        drop(self.child.stdin.take());
        let mut rest = String::new();
        self.lines.read_to_string(&mut rest).expect("the bot writes text");
        let errors = self.errors();
        let status = self.child.wait().expect("it is ours").code();
        assert_eq!((rest.as_str(), errors.as_str(), status), ("", "", Some(0)));
    }

    fn errors(&mut self) -> String {
        let mut errors = String::new();
        let pipe = self.child.stderr.as_mut().expect("it is piped");
        pipe.read_to_string(&mut errors).expect("the bot writes text");
        errors
    }
}

impl Drop for Bot {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
