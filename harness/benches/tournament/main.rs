//! Plays whole tournaments as users do, through the command line and with a record on the disk, and compares each with
//! a C program that plays the same games with the same bots.
//!
//! `cargo bench -p cornerman-harness --bench tournament` prints a table of all fields; with `-- boxing` only of those
//! with `boxing` in their name. `docs/speed.md` says what the figures mean. The kit and the C program take turns, and
//! the table has medians: compare ratios, not absolute figures, and only those of one machine.

#[path = "../common/compile.rs"]
mod compile;
mod contenders;
mod fields;
mod script;

use contenders::{Judge, Kit, KitRun};
use cornerman_harness::sandbox;
use fields::{Field, NAMES};
use script::Script;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

/// The number of times that each tournament is played; must be odd.
const ROUNDS: usize = 5;

/// The field with which two workers are compared with one.
const SCALED: &str = "rps";

/// Fields of which even a short part takes long.
const SLOW: [&str; 2] = ["boxing-python", "go-gnugo"];

const HEAD: &str = "\
field          games  kit (s)    C (s)  ratio (least-most)   kit games/s  manager  before (s)  after (s)  isolation";

fn main() {
    sandbox::serve_if_asked();
    // `cargo test --benches` runs this without `--bench`, only to see that it works.
    let short = !std::env::args().any(|arg| arg == "--bench");
    let wanted: Vec<String> = std::env::args().skip(1).filter(|arg| !arg.starts_with('-')).collect();
    let Some(cornerman) = cornerman(short) else {
        println!("tournament: skipped, because the command line is not built");
        return;
    };
    // Not in /tmp, which may be in memory.
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("a temporary folder");
    let cores: Vec<usize> = contenders::cores().into_iter().take(2).collect();
    let rounds = if short { 1 } else { ROUNDS };
    println!("{} workers, medians of {rounds} rounds", cores.len());
    println!("{HEAD}");
    let mut notes = Vec::new();
    for name in NAMES {
        if !wanted.is_empty() && !wanted.iter().any(|part| name.contains(part.as_str())) {
            continue;
        }
        // A short run takes a moment, on any machine.
        if short && SLOW.contains(&name) {
            continue;
        }
        match Field::make(name, folder.path(), short) {
            Ok(field) => {
                let rounds = Rounds::play(&cornerman, folder.path(), &field, &cores, rounds);
                println!("{}", rounds.row(name));
                notes.extend(rounds.scaling(name));
            }
            Err(why) => println!("{name:<14} not on this machine: {why}"),
        }
    }
    for words in &notes {
        println!("{words}");
    }
}

/// The program that `CORNERMAN_PROGRAM` names, such as one that is handed out; else the command line as `cargo bench`
/// builds it, or in a `short` run, which builds nothing, as it was built before, if it was.
fn cornerman(short: bool) -> Option<PathBuf> {
    if let Some(program) = std::env::var_os("CORNERMAN_PROGRAM") {
        return Some(program.into());
    }
    if short {
        let bench = std::env::current_exe().expect("the path of this program");
        let built = bench.parent()?.parent()?.join("cornerman");
        return built.is_file().then_some(built);
    }
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["build", "--quiet", "-p", "cornerman-cli", "--bin", "cornerman", "--message-format=json"]);
    let built =
        cargo.current_dir(env!("CARGO_MANIFEST_DIR")).stderr(Stdio::inherit()).output().expect("cargo starts");
    assert!(built.status.success(), "the command line cannot be built");
    let messages = built.stdout.split(|&byte| byte == b'\n');
    let artifacts = messages.filter_map(|line| serde_json::from_slice::<serde_json::Value>(line).ok());
    artifacts.filter_map(|message| Some(message.get("executable")?.as_str()?.into())).next_back()
}

/// What was measured of one field, by round.
struct Rounds {
    games: usize,
    kit: Vec<KitRun>,
    c: Vec<Duration>,
    /// With one worker, of the kit and of the yardstick; only for [`SCALED`].
    alone: Vec<(Duration, Duration)>,
}

impl Rounds {
    /// Plays the tournament of `field` in both ways, by turns, after a first time that is not measured: it is what the
    /// script is made of, and shows that both play the same games.
    fn play(cornerman: &Path, folder: &Path, field: &Field, cores: &[usize], rounds: usize) -> Rounds {
        let kit = Kit { cornerman, folder, field };
        let first = kit.run(cores);
        let judge = Judge::new(folder, &Script::from_record(&kit.db(), &field.starters));
        let answers = folder.join("answers");
        let (_, games, bytes) = judge.run(&cores[..1], Some(&answers));
        assert_eq!(games, first.played.len(), "{}: games of the yardstick", field.name);
        Script::check_answers(&kit.db(), &field.starters, &answers);
        let mut measured = Rounds { games, kit: Vec::new(), c: Vec::new(), alone: Vec::new() };
        let checked_kit = |cores: &[usize]| {
            let run = kit.run(cores);
            assert!(run.played == first.played, "{}: the kit played other games than the first time", field.name);
            run
        };
        let checked_judge = |cores: &[usize]| {
            let (wall, games_now, bytes_now) = judge.run(cores, None);
            assert_eq!((games_now, bytes_now), (games, bytes), "{}: games and bytes of the yardstick", field.name);
            wall
        };
        for _ in 0..rounds {
            measured.kit.push(checked_kit(cores));
            measured.c.push(checked_judge(cores));
            if field.name == SCALED && cores.len() > 1 {
                measured.alone.push((checked_kit(&cores[..1]).wall, checked_judge(&cores[..1])));
            }
        }
        measured
    }

    /// The row of the table.
    fn row(&self, name: &str) -> String {
        let ratios = || self.kit.iter().zip(&self.c).map(|(kit, c)| kit.wall.as_secs_f64() / c.as_secs_f64());
        let least = ratios().fold(f64::INFINITY, f64::min);
        let most = ratios().fold(0.0, f64::max);
        let of = |figure: fn(&KitRun) -> f64| median(self.kit.iter().map(figure));
        let wall = of(|run| run.wall.as_secs_f64());
        format!(
            "{name:<14} {:>5} {wall:>8.3} {:>8.3} {:>6.2} {:<14} {:>10.1} {:>8.1}% {:>10.3} {:>10.3}  {}",
            self.games,
            median(self.c.iter().map(Duration::as_secs_f64)),
            median(ratios()),
            format!("({least:.2}-{most:.2})"),
            self.games as f64 / wall,
            of(|run| 100.0 * run.manager.as_secs_f64() / run.wall.as_secs_f64()),
            of(|run| run.before.as_secs_f64()),
            of(|run| run.after.as_secs_f64()),
            self.kit[0].isolation,
        )
    }

    /// What the second worker gains, where that was measured.
    fn scaling(&self, name: &str) -> Option<String> {
        if self.alone.is_empty() {
            return None;
        }
        let gains = self.kit.iter().zip(&self.c).zip(&self.alone).map(|((kit, c), (kit_alone, c_alone))| {
            (kit_alone.as_secs_f64() / kit.wall.as_secs_f64(), c_alone.as_secs_f64() / c.as_secs_f64())
        });
        let gains: Vec<(f64, f64)> = gains.collect();
        let kit = median(gains.iter().map(|(kit, _)| *kit));
        let c = median(gains.iter().map(|(_, c)| *c));
        let ratio = median(gains.iter().map(|(kit, c)| kit / c));
        Some(format!("two workers instead of one, {name}: kit {kit:.2}, C {c:.2} times as fast; ratio {ratio:.2}"))
    }
}

fn median(figures: impl IntoIterator<Item = f64>) -> f64 {
    let mut sorted: Vec<f64> = figures.into_iter().collect();
    sorted.sort_by(f64::total_cmp);
    sorted[sorted.len() / 2]
}
