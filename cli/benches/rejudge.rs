//! Measures how many recorded moves a second `rejudge` judges, as a user runs it: with the start of the program and the
//! check of the record. By limits only, each game is followed once; by other rules twice, to compare what bots are sent.
//! `verify`, which does the same by the record's own rules, is measured beside it.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

/// A contest, and the change of its rules for the second figure.
struct Field {
    name: &'static str,
    contest: &'static str,
    change: &'static str,
}

const FIELDS: [Field; 2] = [
    Field {
        name: "rps",
        contest: "ruleset = \"rps-polyglot\"\nentrants = [\"@hydra\", \"@markov\", \"@frequency\", \"@rotate\", \"@rock\"]\n\
            [[stages]]\nkind = \"all-play-all\"\ngames_per_order = GAMES\n",
        change: "seeds=[1,1]",
    },
    Field {
        name: "boxing",
        contest: "entrants = [\"@greedy\", \"@parity\", \"@first-fit\", \"@smallest\"]\n\
            [[stages]]\nkind = \"all-play-all\"\ngames_per_order = GAMES\n",
        change: "max_square=15",
    },
];

fn main() {
    // `cargo test` runs this without `--bench`, only to see that it works.
    let (games, rounds) = if std::env::args().any(|arg| arg == "--bench") { (20, 5) } else { (1, 1) };
    // Not in /tmp, which may be in memory.
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("a temporary folder");
    println!(
        "{:8} {:>9}  {:>22}  {:>22}  {:>22}",
        "field", "moves", "rejudge by limits", "rejudge by rules", "verify"
    );
    for Field { name, contest, change } in FIELDS {
        let contest = contest.replace("GAMES", &games.to_string());
        let file = format!("name = \"{name}\"\nseed = 1\n{contest}");
        std::fs::write(folder.path().join("field.toml"), file).expect("a contest file");
        run(folder.path(), &["tournament", "field.toml", "--no-check", "--force-new"]);
        let moves = moves(&run(folder.path(), &["verify", "field.db", "--format", "json"]));
        let commands: [&[&str]; 3] = [
            &["rejudge", "field.db", "--set", "hard_ms=50000"],
            &["rejudge", "field.db", "--set", change],
            &["verify", "field.db"],
        ];
        let cells = commands.map(|command| {
            let mut times: Vec<f64> = (0..rounds).map(|_| timed(folder.path(), command)).collect();
            times.sort_by(f64::total_cmp);
            let median = times[rounds / 2];
            format!("{median:.2} s, {:.2} M moves/s", moves / median / 1e6)
        });
        println!("{name:8} {moves:>9}  {:>22}  {:>22}  {:>22}", cells[0], cells[1], cells[2]);
    }
}

fn timed(folder: &Path, command: &[&str]) -> f64 {
    let began = Instant::now();
    run(folder, command);
    began.elapsed().as_secs_f64()
}

/// Runs the command, and returns what it prints.
fn run(folder: &Path, args: &[&str]) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cornerman"));
    let ran = command.args(args).current_dir(folder).stderr(Stdio::inherit()).output().expect("it starts");
    assert!(ran.status.success(), "{args:?}: {}", ran.status);
    String::from_utf8(ran.stdout).expect("text")
}

/// The number of moves that `verify` says.
fn moves(json: &str) -> f64 {
    let value: serde_json::Value = serde_json::from_str(json).expect("JSON");
    value["moves"].as_f64().expect("a number")
}
