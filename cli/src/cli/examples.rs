//! The examples at the end of each command's `--help`.

/// Two examples for each command.
pub(super) const EXAMPLES: &[(&str, [&str; 2])] = &[
    ("check", ["cornerman check ./left-hook", "cornerman check inbox --format json --status-dir verdicts"]),
    ("play", ["cornerman play ./left-hook @greedy --seed 3", "cornerman play human @hydra --rounds 20"]),
    (
        "compare",
        [
            "cornerman compare ./left-hook ./left-hook-1",
            "cornerman compare ./left-hook ./left-hook-1 --against @greedy,@parity",
        ],
    ),
    ("spar", ["cornerman spar ./left-hook", "cornerman spar ./left-hook --time 20s"]),
    (
        "tournament",
        ["cornerman tournament contests/mini.toml", "cornerman tournament contests/mini.toml --dry-run"],
    ),
    (
        "worker",
        [
            "cornerman worker --nats nats://ring1:4222",
            "cornerman worker --nats tls://ring1:4222 --creds ring2.key",
        ],
    ),
    (
        "nats-config",
        [
            "cornerman nats-config --workers ring2,ring3",
            "cornerman nats-config --workers ring2 --listen ring1:4222 --tls-cert ring1.pem --tls-key ring1-key.pem",
        ],
    ),
    (
        "decide",
        [
            "cornerman decide mini.db withdraw left-hook --why ill",
            "cornerman decide mini.db annul s1/r1/m1/g1 --why outage --yes",
        ],
    ),
    ("decisions", ["cornerman decisions mini.db", "cornerman decisions mini.db --format json"]),
    ("standings", ["cornerman standings mini.db", "cornerman standings mini.db --format md"]),
    ("games", ["cornerman games mini.db", "cornerman games compare.db --bot left-hook --lost"]),
    ("why", ["cornerman why spar.db s1/r1/m6/g1", "cornerman why spar.db --bot left-hook"]),
    ("audit", ["cornerman audit mini.db", "cornerman audit mini.db --format json"]),
    (
        "export",
        [
            "cornerman export mini.db --out games.jsonl",
            "cornerman export mini.db --for left-hook --out left-hook.db",
        ],
    ),
    (
        "replay",
        [
            "cornerman replay mini.db s1/r1/m1/g1",
            "cornerman replay mini.db s1/r1/m1/g1 --at 5 --feed 1 ./left-hook",
        ],
    ),
    ("report", ["cornerman report mini.db", "cornerman report mini.db --out public/"]),
    ("verify", ["cornerman verify mini.db", "cornerman verify mini.db --format json"]),
    ("rejudge", ["cornerman rejudge mini.db --set max_square=8", "cornerman rejudge mini.db --rules mine.toml"]),
    ("rules", ["cornerman rules snapshot boxing-1994", "cornerman rules diff boxing-1994 --set max_square=8"]),
    ("new", ["cornerman new left-hook", "cornerman new paper-cut --game rps --lang js"]),
    ("new-game", ["cornerman new-game dots", "cornerman new-game dots --lang js"]),
    ("judge", ["cornerman judge dots", "cornerman judge dots --format json"]),
    ("bots", ["cornerman bots", "cornerman bots --game go"]),
    (
        "run",
        [
            "cornerman run ./left-hook A <start",
            "cornerman arena | cornerman bot @greedy A | cornerman bot @parity B",
        ],
    ),
    ("arena", ["cornerman arena --seed 1 >start", "cornerman arena --seed 1 | cornerman bot @greedy A"]),
    ("gtp-bridge", ["cornerman gtp-bridge ./tengen", "cornerman gtp-bridge @capture --size 9"]),
    ("schema", ["cornerman schema", "cornerman schema standings"]),
    ("doctor", ["cornerman doctor", "cornerman doctor --syscalls ./left-hook"]),
    (
        "completions",
        [
            "cornerman completions bash >~/.local/share/bash-completion/completions/cornerman",
            "cornerman completions fish | source",
        ],
    ),
    ("help", ["cornerman help check", "cornerman help write-a-bot"]),
];

/// The end of the help of the command `name`.
pub(super) fn for_command(name: &str) -> Option<String> {
    let (_, examples) = EXAMPLES.iter().find(|(command, _)| *command == name)?;
    Some(format!("Examples:\n  {}", examples.join("\n  ")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry::Registry;

    /// The commands of a line of shell, without the files that they read from and write to.
    fn commands(line: &str) -> impl Iterator<Item = Vec<&str>> {
        line.split('|').map(|part| part.split_whitespace().filter(|word| !word.starts_with(['<', '>'])).collect())
    }

    #[test]
    fn every_command_has_two_examples_which_parse() {
        let command = crate::cli::command(&Registry::new(crate::games::all()));
        let names: Vec<&str> = command.get_subcommands().map(|command| command.get_name()).collect();
        assert_eq!(EXAMPLES.iter().map(|(name, _)| *name).collect::<Vec<_>>(), names);
        for (name, examples) in EXAMPLES {
            for example in examples {
                let shows = |words: &Vec<&str>| words[1] == *name || (*name == "run" && words[1] == "bot");
                assert!(commands(example).any(|words| shows(&words)), "{example} is of {name}");
                for words in commands(example).filter(|words| words[0] == "cornerman") {
                    let parsed = command.clone().try_get_matches_from(&words);
                    assert!(parsed.is_ok(), "{example}: {}", parsed.unwrap_err());
                }
            }
        }
    }
}
