//! Measures `check`, with the build, on the templates of a native and an interpreted bot of each game, and beside it how long
//! the bot's program alone takes to start as often as the check starts it. Then measures a tournament of ten small bots in C:
//! with builds and checks, with the verdicts that an earlier run kept, and without checks.

use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

const GAMES: [&str; 3] = ["boxing", "rps", "go"];

/// The bots of the tournament differ in `NUMBER`.
const BOT: &str = r#"#include <stdio.h>

int main(void) {
    unsigned state = NUMBER;
    int seed, rounds, other, last = 0;
    puts("Bot NUMBER");
    fflush(stdout);
    if (scanf("%d %d", &seed, &rounds) != 2)
        return 1;
    state += seed;
    for (int round = 0; round < rounds; round++) {
        state = state * 1103515245u + 12345u;
        printf("%d\n", state >> 16 & 3 ? (int)((state >> 18) % 3) : (last + 1) % 3);
        fflush(stdout);
        if (scanf("%d", &other) != 1)
            return 0;
        last = other;
    }
    return 0;
}
"#;

const RULES: &str = "id = \"fifty-rounds\"\ntitle = \"Fifty rounds\"\nversion = 1\ndate = 2026-01-01\ngame = \"rps\"\n\n\
    [rules]\nrounds = 50\n\n[limits]\nsoft_ms = 500\nhard_ms = 1000\nstart_ms = 5000\nmemory_mib = 4096\n";

const CONTEST: &str = "name = \"First\"\nruleset = \"fifty-rounds.toml\"\nseed = 1\nentrants = [\"bots/*\"]\n\n\
    [[stages]]\nkind = \"all-play-all\"\nboards = [1]\n";

fn main() {
    // `cargo test` runs this without `--bench`, only to see that it works.
    let (times, bots) = if std::env::args().any(|arg| arg == "--bench") { (9, 10) } else { (1, 2) };
    let folder = tempfile::tempdir().expect("a temporary folder");
    let folder = folder.path();
    let python =
        Command::new("python3").args(["-c", "import sys; print(sys.executable)"]).output().expect("Python");
    // Not a wrapper that chooses among versions.
    let python = String::from_utf8(python.stdout).expect("a path");
    println!("{:16} {:>8} {:>6} {:>26}", "check", "median", "runs", "starts of the bot alone");
    for game in GAMES {
        for (language, start) in [("c", &["./program"][..]), ("python", &[python.trim(), "bot.py"])] {
            let bot = format!("{game}-{language}");
            cornerman(folder, &["new", &bot, "--game", game, "--lang", language]);
            let check = ["check", &bot, "--again", "--format", "json"];
            let mut report = String::new();
            // Another moment of the clock's second each time: a check may wait for the next one.
            let mut pause = Duration::ZERO;
            let median = median(times, || {
                thread::sleep(pause);
                pause = Duration::from_millis((pause.as_millis() as u64 + 370) % 1000);
                timed(|| report = cornerman(folder, &check))
            });
            let report: serde_json::Value = serde_json::from_str(&report).expect("JSON");
            let runs = report["runs"].as_f64().expect("a number");
            if language == "c" {
                let mut compiler = Command::new("cc");
                compiler.args(["-O2", "-o", "program", "bot.c"]).current_dir(folder.join(&bot));
                assert!(compiler.status().is_ok_and(|built| built.success()), "{bot} can be compiled");
            }
            let alone = self::median(21, || timed(|| started(&folder.join(&bot), start)));
            println!("{bot:16} {median:6.2} s {runs:>6} {:>24.2} s", runs * alone);
        }
    }
    std::fs::create_dir(folder.join("bots")).expect("a folder");
    for number in 0..bots {
        let text = BOT.replace("NUMBER", &number.to_string());
        std::fs::write(folder.join(format!("bots/bot{number}.c")), text).expect("a source file");
    }
    std::fs::write(folder.join("fifty-rounds.toml"), RULES).expect("a ruleset");
    std::fs::write(folder.join("first.toml"), CONTEST).expect("a contest");
    println!("\n{:28} {:>8}", "tournament of ten", "median");
    for (name, options) in [
        ("bots seen for the first time", &["--again"][..]),
        ("with the verdicts kept", &[]),
        ("without checks", &["--no-check"]),
    ] {
        let command = [&["tournament", "first.toml", "--force-new"], options].concat();
        let median = median(times, || {
            let took = timed(|| drop(cornerman(folder, &command)));
            for old in std::fs::read_dir(folder).expect("the folder").flatten() {
                if old.path().extension().is_some_and(|extension| extension == "db") {
                    std::fs::remove_file(old.path()).expect("a record is removed");
                }
            }
            took
        });
        println!("{name:28} {median:6.2} s");
    }
}

fn median(times: usize, measure: impl FnMut() -> f64) -> f64 {
    let mut all: Vec<f64> = std::iter::repeat_with(measure).take(times).collect();
    all.sort_by(f64::total_cmp);
    all[times / 2]
}

fn timed(work: impl FnOnce()) -> f64 {
    let began = Instant::now();
    work();
    began.elapsed().as_secs_f64()
}

/// Starts a bot whose input ends at once, and waits for its end.
fn started(folder: &Path, command: &[&str]) {
    let mut program = Command::new(command[0]);
    program.args(&command[1..]).current_dir(folder);
    program.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    program.status().expect("the bot starts");
}

/// Runs the command with a cache of its own, and returns what it prints.
fn cornerman(folder: &Path, args: &[&str]) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cornerman"));
    command.args(args).current_dir(folder).env("XDG_CACHE_HOME", folder.join("cache")).stderr(Stdio::null());
    let ran = command.output().expect("it starts");
    assert!(ran.status.success(), "{args:?}: {}", ran.status);
    String::from_utf8(ran.stdout).expect("text")
}
