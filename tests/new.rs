//! `new`: every template is a bot that plays, and no file is overwritten.

mod dialogue;
mod go;
mod rps;

use crate::support::{Ran, Scratch, marks, trial};
use dialogue::of_each;
use libtest_mimic::Trial;
use std::fs;

pub fn trials() -> Vec<Trial> {
    let mut trials = vec![
        trial!(python_is_the_language_if_none_is_named),
        trial!(a_language_has_several_names),
        trial!(an_unknown_language_is_answered_with_the_list, [], || {
            check_refused(
                "golang",
                "no template in `golang`; the languages are python, c, c++, java, rust, go, javascript, bash\nhint: did you mean `go`?",
            );
            check_refused(
                "scheme",
                "no template in `scheme`; the languages are python, c, c++, java, rust, go, javascript,",
            );
        }),
        trial!(a_bot_may_be_made_in_another_folder),
    ];
    trials.extend(of_each("boxing", "plays_a_whole_game", check_template));
    trials.extend(of_each("boxing", "has_a_readme_whose_commands_work", |lang| check_readme("boxing", lang)));
    trials.extend(of_each("rps", "has_a_readme_whose_commands_work", |lang| check_readme("rps", lang)));
    trials.extend(of_each("go", "has_a_readme_whose_commands_work", |lang| check_readme("go", lang)));
    trials.extend(rps::trials());
    trials.extend(go::trials());
    trials
}

/// Runs the commands of the README in the new folder as they stand there, except that `check` has less time, `play` is quiet,
/// and no human plays.
fn check_readme(game: &str, lang: &str) {
    let scratch = Scratch::new();
    Ran::from_command(scratch.cornerman(["new", "left-hook", "--game", game, "--lang", lang])).fine();
    let folder = scratch.path().join("left-hook");
    let readme = fs::read_to_string(folder.join("README.md")).expect("a README");
    let commands: Vec<&str> = readme.lines().filter_map(|line| line.strip_prefix("    cargo xtask ")).collect();
    assert!(commands.len() > 1 && commands[0] == "check .", "{readme}");
    for command in commands.into_iter().filter(|command| !command.contains("human")) {
        let shorter: &[&str] = if command.starts_with("check") { &["--budget", "0"] } else { &["--quiet"] };
        let mut command_here = scratch.cornerman(command.split(' ').chain(shorter.iter().copied()));
        command_here.current_dir(&folder);
        let text = Ran::from_command(command_here).fine();
        assert!(text.contains("left-hook"), "{command}: {text}");
    }
}

fn a_language_has_several_names() {
    let names = [("js", "bot.js"), ("C++", "bot.cpp"), ("cpp", "bot.cpp"), ("sh", "bot.sh"), ("Python", "bot.py")];
    for (lang, file) in names {
        let scratch = Scratch::new();
        Ran::from_command(scratch.cornerman(["new", "jab", "--lang", lang])).fine();
        assert!(scratch.path().join("jab").join(file).is_file(), "{lang}");
    }
}

fn check_refused(lang: &str, said: &str) {
    let scratch = Scratch::new();
    let ran = Ran::from_command(scratch.cornerman(["new", "jab", "--lang", lang]));
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""));
    assert!(ran.stderr.contains(said), "{}", ran.stderr);
    assert!(scratch.listing().is_empty());
}

fn check_template(lang: &str) {
    let scratch = Scratch::new();
    let text = Ran::from_command(scratch.cornerman(["new", "left-hook", "--lang", lang])).fine();
    assert!(text.starts_with("Wrote left-hook:\n  left-hook/bot.toml\n"), "{text}");
    assert!(text.ends_with("\nNext: cargo xtask check left-hook\n"), "{text}");
    for (file, content) in scratch.listing() {
        let content = String::from_utf8_lossy(&content);
        assert!(!content.contains("{{"), "a placeholder is left in {}: {content}", file.display());
    }
    for bots in [["left-hook", "@greedy"], ["@greedy", "left-hook"]] {
        let text =
            Ran::from_command(scratch.cornerman(["play", bots[0], bots[1], "-q", "--marks", &marks(2)])).fine();
        assert!(text.contains("fills the last spot and wins"), "{text}");
        assert!(text.contains("left-hook:"), "{text}");
    }
}

fn python_is_the_language_if_none_is_named() {
    let scratch = Scratch::new();
    Ran::from_command(scratch.cornerman(["new", "jab"])).fine();
    assert!(scratch.path().join("jab/bot.py").is_file());
}

fn a_bot_may_be_made_in_another_folder() {
    let scratch = Scratch::new();
    Ran::from_command(scratch.cornerman(["new", "my/bots/jab", "--lang", "c"])).fine();
    let file = fs::read_to_string(scratch.path().join("my/bots/jab/bot.toml")).expect("a bot.toml");
    assert!(file.contains("name = \"jab\"\n"), "{file}");
    let readme = fs::read_to_string(scratch.path().join("my/bots/jab/README.md")).expect("a README");
    assert!(readme.contains("    cargo xtask check .\n"), "{readme}");
}
