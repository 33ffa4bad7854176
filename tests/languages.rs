//! Bots in languages with large runtimes start and play at every level of isolation, within the usual limits, and the
//! usual tools build them.

mod builds;

use crate::support::{Ran, Scratch, is_installed, is_offered, marks, namespaces_can_be_used_up, trial_if};
use cornerman_harness::sandbox::Level;
use libtest_mimic::Trial;
use serde_json::Value;

/// A language: the tools it needs, a bot's source, and the commands that build and run it.
struct Language {
    name: &'static str,
    tools: &'static [&'static str],
    file: &'static str,
    source: &'static str,
    build: &'static str,
    run: &'static str,
}

const LANGUAGES: [Language; 5] = [
    Language {
        name: "c",
        tools: &["cc"],
        file: "bot.c",
        source: include_str!("languages/bot.c"),
        build: r#"build = ["cc", "-o", "bot", "bot.c"]"#,
        run: r#"run = ["./bot"]"#,
    },
    Language {
        name: "python",
        tools: &["python3"],
        file: "bot.py",
        source: include_str!("languages/bot.py"),
        build: "",
        run: r#"run = ["python3", "bot.py"]"#,
    },
    Language {
        name: "java",
        tools: &["java", "javac"],
        file: "Bot.java",
        source: include_str!("languages/Bot.java"),
        build: r#"build = ["javac", "Bot.java"]"#,
        run: r#"run = ["java", "-cp", ".", "Bot"]"#,
    },
    Language {
        name: "node",
        tools: &["node"],
        file: "bot.js",
        source: include_str!("languages/bot.js"),
        build: "",
        run: r#"run = ["node", "bot.js"]"#,
    },
    Language {
        name: "go",
        tools: &["go"],
        file: "bot.go",
        source: include_str!("languages/bot.go"),
        build: r#"build = ["go", "build", "-o", "bot", "bot.go"]"#,
        run: r#"run = ["./bot"]"#,
    },
];

pub fn trials() -> Vec<Trial> {
    let at_level = |it: &'static Language, level: Level| {
        let can_be_run = move || it.is_installed().and_then(|()| is_offered(level));
        trial_if(&format!("languages::{}::{level}", it.name), can_be_run, move || check_at(it, level))
    };
    let used_up = |it: &'static Language| {
        let can_be_run = || it.is_installed().and_then(|()| namespaces_can_be_used_up());
        trial_if(&format!("languages::{}::without_namespaces", it.name), can_be_run, || {
            // It is built at that level too.
            check(it, &["--isolation", "scoped"], Scratch::without_namespaces);
        })
    };
    let of_language = |it| Level::ALL.into_iter().map(move |level| at_level(it, level)).chain([used_up(it)]);
    LANGUAGES.iter().flat_map(of_language).chain(builds::trials()).collect()
}

impl Language {
    /// Whether all of its tools are on this machine; if not, which one is missing.
    fn is_installed(&self) -> Result<(), String> {
        let missing = self.tools.iter().find(|tool| !is_installed(tool));
        missing.map_or(Ok(()), |tool| Err(format!("{tool} is not on this machine")))
    }
}

fn check_at(language: &Language, level: Level) {
    let level = level.name();
    check(language, &["--isolation-at-most", level, "--isolation", level], Scratch::cornerman);
}

/// Checks that the language's bot plays with these options, run by `command`.
fn check(language: &Language, options: &[&str], command: impl Fn(&Scratch, Vec<String>) -> assert_cmd::Command) {
    let scratch = Scratch::new();
    scratch.file(&format!("bot/{}", language.file), language.source);
    scratch.file("bot/bot.toml", format!("{}\n{}\n", language.build, language.run));
    plays(&scratch, options, command);
}

/// Checks that the bot in the folder `bot` plays a game of six spots with these options, run by `command`, without a
/// forfeit. The time for a move is generous, because speed is not tested here.
fn plays(scratch: &Scratch, options: &[&str], command: impl Fn(&Scratch, Vec<String>) -> assert_cmd::Command) {
    let mut arena = "o".repeat(26) + "------\n";
    arena.push_str(&("o".repeat(32) + "\n").repeat(15));
    scratch.file("six.arena", arena);
    let marks = marks(2);
    let game = ["play", "bot", "@smallest", "--board", "six.arena", "--marks", &marks, "--move-time", "60000"];
    let args = game.iter().chain(options).chain(&["--quiet", "--format", "json"]);
    let text = Ran::from_command(command(scratch, args.map(ToString::to_string).collect())).fine();
    let end: Value = serde_json::from_str(text.lines().last().expect("the end of the match")).expect("JSON");
    assert_eq!(end["entrants"][0]["forfeits"], 0, "with {options:?}: {text}");
}
