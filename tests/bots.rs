//! `bots`, `completions`, `--help` and `--version`: commands that only print.

use crate::support::{Ran, cornerman, marks, trial};
use libtest_mimic::Trial;
use serde_json::Value;

pub fn trials() -> Vec<Trial> {
    vec![
        trial!(every_bot_that_is_listed_plays),
        trial!(the_list_for_people_names_the_same_bots),
        trial!(the_list_can_be_of_one_game),
        trial!(completions_offer_what_the_lists_have),
        trial!(reference_bots_are_filters),
        trial!(completions_are_written_for_every_shell),
        trial!(help_names_every_command_and_the_exit_codes),
        trial!(every_command_explains_itself),
        trial!(every_option_for_a_game_lists_all_games),
        trial!(help_shows_commands_and_pages),
        trial!(the_version_is_printed),
    ]
}

/// The ids that `bots --format json` prints with these further arguments.
fn listed(more: &[&str]) -> Vec<String> {
    let text = Ran::from_command(cornerman([&["bots", "--format", "json"], more].concat())).fine();
    let list: Vec<Value> = serde_json::from_str(&text).expect("a list");
    assert!(!list.is_empty());
    list.iter().map(|bot| bot["id"].as_str().expect("an id").to_string()).collect()
}

/// The solver's memory is full in one of its turns.
const SEED: &str = "1331138198";

fn every_bot_that_is_listed_plays() {
    for id in listed(&["--game", "boxing"]) {
        let text = Ran::from_command(cornerman([
            "play",
            &format!("@{id}"),
            "@greedy",
            "-q",
            "--marks",
            &marks(2),
            "--seed",
            SEED,
        ]))
        .fine();
        assert!(text.contains("fills the last spot and wins"), "{id}: {text}");
    }
}

fn the_list_for_people_names_the_same_bots() {
    let text = Ran::from_command(cornerman(["bots"])).fine();
    let names: Vec<&str> = text.lines().filter_map(|line| line.split(' ').next()?.strip_prefix('@')).collect();
    assert_eq!(names, listed(&[]));
}

fn the_list_can_be_of_one_game() {
    let [boxing, rps, go] = ["boxing", "rps", "go"].map(|game| listed(&["--game", game]));
    assert_eq!([&boxing[..], &rps[..], &go[..]].concat(), listed(&[]));
    for (bots, one) in [(boxing, "greedy"), (rps, "hydra"), (go, "monte")] {
        assert!(bots.contains(&one.to_string()), "{one} is not among {bots:?}");
    }
}

fn completions_are_written_for_every_shell() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = Ran::from_command(cornerman(["completions", shell])).fine();
        assert!(script.contains("cornerman") && script.contains("play"), "{shell}: {script}");
    }
}

fn completions_offer_what_the_lists_have() {
    for shell in ["bash", "zsh", "fish"] {
        let script = Ran::from_command(cornerman(["completions", shell])).fine();
        for offered in ["@greedy", "@hydra", "BX-", "RP-NAME", "boxing", "javascript", "go-9x9"] {
            assert!(script.contains(offered), "{shell}: {offered}");
        }
    }
}

/// The document's own test of a bot (B8), in one line of shell.
fn reference_bots_are_filters() {
    let pipe = "\"$0\" arena --seed 1 | \"$0\" bot @greedy A | \"$0\" bot @parity B | \"$0\" bot @smallest '*'";
    let text = |shell: &str| {
        let mut command = assert_cmd::Command::new("sh");
        command.args(["-c", shell, crate::support::PROGRAM]);
        Ran::from_command(command)
    };
    let start = text("\"$0\" arena --seed 1").fine();
    let after = text(pipe).fine();
    assert_eq!((start.len(), after.len()), (528, 528), "{after}");
    let changed = start.chars().zip(after.chars()).filter(|(before, after)| before != after);
    let marks: std::collections::BTreeSet<char> = changed
        .map(|(before, after)| {
            assert_eq!(before, '-');
            after
        })
        .collect();
    assert_eq!(marks.into_iter().collect::<String>(), "*AB");
    let shown = Ran::from_command(cornerman(["arena"]));
    assert!(shown.stderr.starts_with("the arena of --seed "), "{}", shown.stderr);
    assert_eq!(text("\"$0\" bot @greedy A </dev/null").code, Some(2), "the bot's own exit status");
    let none = Ran::from_command(cornerman(["arena", "--game", "rps"]));
    assert_eq!(none.code, Some(2), "{}", none.stdout);
    assert!(none.stderr.contains("does not start from a board"), "{}", none.stderr);
    assert_eq!(text("printf '5\\n2\\n' | \"$0\" bot @rock").fine().lines().last(), Some("0"));
}

/// The commands that `--help` lists.
fn commands() -> Vec<String> {
    let help = Ran::from_command(cornerman(["--help"])).fine();
    let list = help.split("Commands:\n").nth(1).expect("a list of commands").split("\n\n").next();
    list.unwrap_or_default().lines().filter_map(|line| line.split_whitespace().next()).map(String::from).collect()
}

fn help_names_every_command_and_the_exit_codes() {
    let help = Ran::from_command(cornerman(["--help"])).fine();
    assert!(help.contains(
        "Exit codes: 0 success, 1 the answer is no, 2 bad usage or input, 3 Cornerman or the machine failed"
    ));
    let known = commands();
    for command in ["play", "new", "bots", "completions"] {
        assert!(known.iter().any(|name| name == command), "{command}: {help}");
    }
}

fn every_command_explains_itself() {
    for command in commands().iter().filter(|name| *name != "help") {
        let help = Ran::from_command(cornerman([command, "--help"])).fine();
        assert!(help.contains(&format!("Usage: cornerman {command}")), "{help}");
        let undescribed =
            help.lines().filter(|line| line.trim_start().starts_with("--") && !line.contains("  ")).count();
        assert_eq!(undescribed, 0, "{help}");
    }
}

fn help_shows_commands_and_pages() {
    let help = |topic: &[&str]| {
        let mut command = cornerman([&["help"], topic].concat());
        // As users call it, not cargo.
        command.env_remove("CARGO");
        Ran::from_command(command)
    };
    assert!(help(&[]).fine().contains("many-machines, own-game"));
    let completions = Ran::from_command(cornerman(["completions", "bash"])).fine();
    assert!(completions.contains("many-machines own-game"), "{completions}");
    assert!(help(&["rules", "diff"]).fine().contains("Usage: cornerman rules diff"));
    assert!(help(&["compare"]).fine().contains("Page: cornerman help compare.md"));
    let list = help(&["pages"]).fine();
    for line in list.lines() {
        let (name, title) = line.split_once("  ").expect("a name and a title");
        let page = help(&[&format!("{name}.md")]).fine();
        assert_eq!(page.lines().next(), Some(title.trim()));
        assert!(!page.contains("cargo xtask check") && !page.contains('\x1b'), "{page}");
    }
    assert!(list.lines().count() > 20, "{list}");
    let wrong = help(&["write-a-bto"]);
    assert_eq!(wrong.code, Some(2), "{}", wrong.stdout);
    assert!(wrong.stderr.contains("did you mean `write-a-bot`?"), "{}", wrong.stderr);
}

fn every_option_for_a_game_lists_all_games() {
    let ids: Vec<&str> = cornerman_cli::games::all().iter().map(|game| game.id()).collect();
    let (last, others) = ids.split_last().expect("games");
    let list = format!("{} or {last}", others.join(", "));
    let mut with_game = Vec::new();
    for command in commands().iter().filter(|name| *name != "help") {
        let help = Ran::from_command(cornerman([command, "--help"])).fine();
        if let Some((_, option)) = help.split_once("--game <GAME>") {
            let words = option.split_whitespace().collect::<Vec<_>>().join(" ");
            assert!(words.split('[').next().unwrap_or_default().contains(&list), "{command}: {words}");
            with_game.push(command.clone());
        }
    }
    assert_eq!(with_game, ["check", "play", "compare", "spar", "new", "bots", "arena", "doctor"]);
}

fn the_version_is_printed() {
    let version = Ran::from_command(cornerman(["--version"])).fine();
    assert_eq!(version, format!("cornerman {}\n", cornerman_cli::VERSION));
}
