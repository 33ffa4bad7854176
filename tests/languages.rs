//! Bots in languages with large runtimes start and play at every level of isolation, within the usual limits.

use crate::support::{Ran, Scratch, marks, trial};
use libtest_mimic::Trial;
use serde_json::Value;

const LEVELS: [&str; 4] = ["plain", "restricted", "scoped", "namespaced"];

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
    LANGUAGES.iter().map(|it| trial(&format!("languages::{}", it.name), it.tools, || check(it))).collect()
}

/// Checks that the bot plays a game of six spots at each level without a forfeit. The time for a move is generous,
/// because speed is not tested here.
fn check(language: &Language) {
    let scratch = Scratch::new();
    scratch.file(&format!("bot/{}", language.file), language.source);
    scratch.file("bot/bot.toml", format!("{}\n{}\n", language.build, language.run));
    let mut arena = "o".repeat(26) + "------\n";
    arena.push_str(&("o".repeat(32) + "\n").repeat(15));
    scratch.file("six.arena", arena);
    for level in LEVELS {
        let marks = marks(2);
        let game = ["play", "bot", "@smallest", "--board", "six.arena", "--marks", &marks, "--move-time", "60000"];
        let told = ["--isolation-at-most", level, "--isolation", level, "--quiet", "--format", "json"];
        let text = Ran::of(scratch.cornerman(game.iter().chain(&told))).fine();
        let end: Value = serde_json::from_str(text.lines().last().expect("the end of the match")).expect("JSON");
        assert_eq!(end["entrants"][0]["forfeits"], 0, "at {level}: {text}");
    }
}
