//! Measures the cost of the sandbox, against small C programs (yardsticks) that do the same without protection.
//!
//! `cargo bench -p cornerman-harness --bench sandbox` prints all figures, one per line; with `-- move` only those with
//! `move` in their name. A ratio is the speed relative to the yardstick. Because machines are shared, all contestants
//! of a comparison take turns in many short rounds, and the median of the rounds' ratios is printed. Compare ratios,
//! not absolute figures, and only those of one machine.

#[path = "../common/compile.rs"]
mod compile;
mod contestants;
mod games;
mod yardstick;

use contestants::{
    Contestant, Worker, conversation, cores, open, opened_and_closed, rest, sandboxed, stay_on, std_command,
    together,
};
use cornerman_harness::sandbox::{self, Level};
use std::path::Path;
use std::time::Duration;
use yardstick::Yardsticks;

/// Rounds of each comparison, an odd number.
const ROUNDS: usize = 41;

/// Moves per round: as many as in a long game, and long compared to a time slice of the scheduler.
const MOVES: u32 = 400;

/// Round trips of lines per round.
const LINES: u32 = 10_000;

fn main() {
    sandbox::serve_if_asked();
    let wanted: Vec<String> = std::env::args().skip(1).filter(|arg| !arg.starts_with('-')).collect();
    let wants = |name: &str| wanted.is_empty() || wanted.iter().any(|part| name.contains(part.as_str()));
    let yardsticks = Yardsticks::build();
    let cores = cores();
    stay_on(cores[0]);
    moves(&yardsticks, &wants);
    if wants("move/two-workers") {
        two_workers(&yardsticks.program("move_bot"), &cores);
    }
    open_and_close(&yardsticks.program("move_bot"), &wants);
    lines(&yardsticks, &wants);
    whole_games(&yardsticks, &wants);
}

/// One process per move, on one core, against vfork, exec and wait in C.
fn moves(yardsticks: &Yardsticks, wants: &dyn Fn(&str) -> bool) {
    let bot = &yardsticks.program("move_bot");
    let mut comparison = Comparison::against(Box::new(|count| {
        rest();
        yardsticks.time("moves", "move_bot", count)
    }));
    for level in Level::ALL.into_iter().rev() {
        comparison.enter(format!("move/{level}"), wants, || sandboxed(bot, level));
    }
    comparison.enter("move/std-command".into(), wants, || Some(std_command(bot)));
    comparison.print(MOVES);
}

/// Two workers, each on its own core, against one of them alone.
fn two_workers(bot: &Path, cores: &[usize]) {
    let workers: Vec<Worker> =
        cores.iter().take(2).map_while(|&core| Worker::start(bot, Level::Namespaced, core)).collect();
    let [one, _two] = &workers[..] else {
        println!("move/two-workers: not available on this machine");
        return;
    };
    let mut comparison = Comparison::against(together(std::slice::from_ref(one)));
    comparison.enter("move/two-workers".into(), &|_| true, || Some(together(&workers)));
    comparison.print(2 * MOVES);
}

/// The time that a seat's sandbox adds to a game.
fn open_and_close(bot: &Path, wants: &dyn Fn(&str) -> bool) {
    for level in Level::ALL.into_iter().rev() {
        let name = format!("open+close/{level}");
        if !wants(&name) || open(bot, level).is_none() {
            continue;
        }
        let mut contestant = opened_and_closed(bot, level);
        let milliseconds = median((0..ROUNDS).map(|_| contestant(1).as_secs_f64() * 1000.0));
        println!("{name:<24} {milliseconds:>7.2} ms");
    }
}

/// Round trips of lines, on one core, against C with a poll before each read.
fn lines(yardsticks: &Yardsticks, wants: &dyn Fn(&str) -> bool) {
    let bot = &yardsticks.program("line_bot");
    for level in [Level::Namespaced, Level::Plain] {
        let name = format!("lines/{level}");
        if !wants(&name) {
            continue;
        }
        let (Some(first), Some(second)) = (open(bot, level), open(bot, level)) else {
            println!("{name}: not available on this machine");
            continue;
        };
        let mut comparison = Comparison::against(Box::new(|count| yardsticks.time("lines", "line_bot", count)));
        comparison.enter(name, wants, || Some(conversation(first, second)));
        comparison.print(LINES);
    }
}

/// Games through the referee, on one core, against C that plays with the same bots and does not check the rules.
fn whole_games(yardsticks: &Yardsticks, wants: &dyn Fn(&str) -> bool) {
    for level in [Level::Namespaced, Level::Plain] {
        let bot = &yardsticks.program("rps_bot");
        let mut comparison = Comparison::against(Box::new(|count| yardsticks.time("rounds", "rps_bot", count)));
        comparison.enter(format!("rps/{level}"), wants, || games::rounds(bot, level));
        comparison.print(LINES / 2);
        let bot = &yardsticks.program("gtp_bot");
        let mut comparison = Comparison::against(Box::new(|count| yardsticks.time("pingpong", "gtp_bot", count)));
        comparison.enter(format!("gtp/{level}"), wants, || games::engines(bot, level));
        comparison.print(4 * games::MOVES);
    }
}

/// Several ways to do the same, which take turns with the yardstick.
struct Comparison<'a> {
    yardstick: Contestant<'a>,
    entered: Vec<(String, Contestant<'a>)>,
}

impl<'a> Comparison<'a> {
    fn against(yardstick: Contestant<'a>) -> Comparison<'a> {
        Comparison { yardstick, entered: Vec::new() }
    }

    /// Enters a contestant, if its figure is wanted and it is available here.
    fn enter(
        &mut self,
        name: String,
        wants: &dyn Fn(&str) -> bool,
        contestant: impl FnOnce() -> Option<Contestant<'a>>,
    ) {
        if !wants(&name) {
            return;
        }
        match contestant() {
            Some(contestant) => self.entered.push((name, contestant)),
            None => println!("{name}: not available on this machine"),
        }
    }

    /// Lets all take turns, each with `count` repetitions per round, and prints the results.
    fn print(mut self, count: u32) {
        if self.entered.is_empty() {
            return;
        }
        let mut rates = vec![Vec::new(); self.entered.len()];
        let mut yardstick = Vec::new();
        for _ in 0..ROUNDS {
            yardstick.push(rate(count, (self.yardstick)(count)));
            for ((_, contestant), rates) in self.entered.iter_mut().zip(&mut rates) {
                rates.push(rate(count, contestant(count)));
            }
        }
        for ((name, _), rates) in self.entered.iter().zip(rates) {
            let ratio = median(rates.iter().zip(&yardstick).map(|(ours, theirs)| ours / theirs));
            let ours = median(rates);
            let theirs = median(yardstick.iter().copied());
            println!("{name:<24} ratio {ratio:>6.3} ({ours:.0}/s against {theirs:.0}/s)");
        }
    }
}

fn rate(count: u32, took: Duration) -> f64 {
    f64::from(count) / took.as_secs_f64()
}

fn median(figures: impl IntoIterator<Item = f64>) -> f64 {
    let mut sorted: Vec<f64> = figures.into_iter().collect();
    sorted.sort_by(f64::total_cmp);
    sorted[sorted.len() / 2]
}
