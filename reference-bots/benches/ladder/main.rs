//! The strength of the reference bots: every pair of Boxing bots on the same arenas, each side first once, and
//! every pair of bots for rock-paper-scissors with the same seeds.
//!
//! `cargo bench -p reference-bots --bench ladder` prints a line for each pair: the share of games that the later one in
//! the ladder won and the average length of a game, or its average margin over 1000 rounds. A number after `--` sets
//! the number of arenas and of seeds.

use cornerman::games::boxing::Arena;
use reference_bots::games::boxing::{Choose, STRATEGIES, bout};
use reference_bots::games::rps;

const ARENAS: u64 = 200;
const ROUNDS: u32 = 1000;

fn main() {
    let arenas = std::env::args().skip(1).find_map(|argument| argument.parse().ok()).unwrap_or(ARENAS);
    println!("{arenas} arenas, each side first once: {} games a pairing", 2 * arenas);
    for (rank, stronger) in STRATEGIES.iter().enumerate() {
        for weaker in &STRATEGIES[..rank] {
            measure(*stronger, *weaker, arenas);
        }
    }
    println!("rock-paper-scissors over {ROUNDS} rounds, {arenas} pairs of seeds");
    for (rank, stronger) in rps::STRATEGIES.iter().enumerate() {
        for weaker in &rps::STRATEGIES[..rank] {
            measure_rps(*stronger, *weaker, arenas);
        }
    }
}

/// Plays one pair with this many pairs of seeds, and prints its line.
fn measure_rps((name, bot): (&str, rps::Start), (other_name, other): (&str, rps::Start), seeds: u64) {
    let margins = (0..seeds).map(|seed| rps::bout(ROUNDS, [2 * seed as u16, 2 * seed as u16 + 1], [bot, other]));
    let average = margins.sum::<i64>() as f64 / seeds.max(1) as f64;
    println!("{name:>10} - {other_name:<10} {average:+7.1}");
}

/// Plays one pair and prints its line.
fn measure((name, bot): (&str, Choose), (other_name, other): (&str, Choose), arenas: u64) {
    let mut won = 0;
    let mut won_first = 0;
    let mut moves = 0;
    for arena in (0..arenas).map(Arena::generate) {
        let first = bout(&arena, &[bot, other]).expect("the ladder's bots follow the rules");
        let second = bout(&arena, &[other, bot]).expect("the ladder's bots follow the rules");
        won_first += u64::from(first.winner == 0);
        won += u64::from(first.winner == 0) + u64::from(second.winner == 1);
        moves += (first.moves + second.moves) as u64;
    }
    let percent = |part: u64, whole: u64| 100.0 * part as f64 / whole.max(1) as f64;
    println!(
        "{name:>9} beats {other_name:<9} {:5.1} %   (moving first {:5.1} %)   {:5.1} moves a game",
        percent(won, 2 * arenas),
        percent(won_first, arenas),
        moves as f64 / (2 * arenas).max(1) as f64,
    );
}
