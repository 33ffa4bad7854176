//! `doctor --syscalls`: which system calls a bot makes, and which are refused.

use crate::support::{Ran, Scratch, trial};
use libtest_mimic::Trial;
use serde_json::Value;

pub fn trials() -> Vec<Trial> {
    vec![trial!(refused_system_calls_are_named, ["unshare"])]
}

fn refused_system_calls_are_named() {
    let scratch = Scratch::new();
    let bot = scratch.script("bot.sh", "unshare -U true\ncat\n");
    let bot = bot.to_str().expect("a path in UTF-8");
    let asked = ["doctor", "--syscalls", bot, "--game", "boxing"];
    let text = Ran::from_command(scratch.cornerman(asked)).fine();
    assert!(text.contains("exit status 0") && text.contains("file contents"), "{text}");
    let json = Ran::from_command(scratch.cornerman([&asked[..], &["--format", "json"]].concat())).fine();
    let told: Value = serde_json::from_str(&json).expect("JSON");
    let calls = told["calls"].as_array().expect("a list of calls");
    let named = |name: &str| calls.iter().find(|call| call["name"] == name).expect("the call is there");
    assert_eq!(named("read")["refused"], 0);
    // The lower levels have no filter of system calls.
    let is_filtered = ["namespaced", "scoped"].contains(&told["isolation"].as_str().expect("a level"));
    assert_eq!(named("unshare")["refused"], u64::from(is_filtered));
    assert_eq!(text.contains("unshare("), is_filtered, "{text}");
}
