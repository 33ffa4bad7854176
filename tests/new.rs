//! `new`: every template is a bot that plays, and no file is overwritten.

mod dialogue;
mod go;
mod rps;

use crate::support::{Ran, Scratch, marks, trial};
use libtest_mimic::Trial;
use std::fs;

pub fn trials() -> Vec<Trial> {
    let boxing = vec![
        trial("new::the_python_template_plays_a_whole_game", &["python3"], || check_template("python")),
        trial("new::the_c_template_plays_a_whole_game", &["cc"], || check_template("c")),
        trial("new::the_java_template_plays_a_whole_game", &["javac", "jar", "java"], || check_template("java")),
        trial("new::the_rust_template_plays_a_whole_game", &["rustc"], || check_template("rust")),
        trial("new::python_is_the_language_if_none_is_named", &[], python_is_the_language_if_none_is_named),
        trial("new::a_bot_may_be_made_in_another_folder", &[], a_bot_may_be_made_in_another_folder),
    ];
    [boxing, rps::trials(), go::trials()].into_iter().flatten().collect()
}

fn check_template(lang: &str) {
    let scratch = Scratch::new();
    let text = Ran::of(scratch.cornerman(["new", "left-hook", "--lang", lang])).fine();
    assert!(text.starts_with("Wrote left-hook:\n  left-hook/bot.toml\n"), "{text}");
    assert!(text.ends_with("\nNext: cargo xtask check left-hook\n"), "{text}");
    for (file, content) in scratch.listing() {
        let content = String::from_utf8_lossy(&content);
        assert!(!content.contains("{{"), "a placeholder is left in {}: {content}", file.display());
    }
    for bots in [["left-hook", "@greedy"], ["@greedy", "left-hook"]] {
        let text = Ran::of(scratch.cornerman(["play", bots[0], bots[1], "-q", "--marks", &marks(2)])).fine();
        assert!(text.contains("fills the last spot and wins"), "{text}");
        assert!(text.contains("left-hook:"), "{text}");
    }
}

fn python_is_the_language_if_none_is_named() {
    let scratch = Scratch::new();
    Ran::of(scratch.cornerman(["new", "jab"])).fine();
    assert!(scratch.path().join("jab/bot.py").is_file());
}

fn a_bot_may_be_made_in_another_folder() {
    let scratch = Scratch::new();
    Ran::of(scratch.cornerman(["new", "my/bots/jab", "--lang", "c"])).fine();
    let file = fs::read_to_string(scratch.path().join("my/bots/jab/bot.toml")).expect("a bot.toml");
    assert!(file.contains("name = \"jab\"\n"), "{file}");
    let readme = fs::read_to_string(scratch.path().join("my/bots/jab/README.md")).expect("a README");
    assert!(readme.contains("check my/bots/jab\n"), "{readme}");
}
