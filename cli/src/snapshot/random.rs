//! Games of random legal moves, for rulesets whose game has no bots of Cornerman: what a judge decides in them.

use cornerman::game::{LiveGame, Reply, Setup};
use cornerman::rng::Rng;
use cornerman_harness::ruleset::Ruleset;

/// The seeds of the games, each with every number of seats.
const SEEDS: u64 = 3;

/// The most moves of a game that are played, and how many are in a line.
const MOST_MOVES: usize = 300;
const IN_A_LINE: usize = 12;

/// The games, each as a line of what it is and how it ends, and lines of its moves. A game that lists no moves is only
/// begun.
pub(super) fn games(ruleset: &Ruleset) -> Vec<String> {
    let (least, most) = ruleset.seats;
    let starts = (least..=most).flat_map(|seats| (1..=SEEDS).map(move |seed| (seats, seed)));
    starts.flat_map(|(seats, seed)| game(ruleset, seats, seed)).collect()
}

fn game(ruleset: &Ruleset, seats: u8, seed: u64) -> Vec<String> {
    let title = format!("{seats} seats, seed {seed}");
    let setup = Setup { seats, seed, board: ruleset.board(seed), ..Setup::default() };
    let mut live = match ruleset.open(&setup) {
        Ok(live) => live,
        Err(error) => return vec![format!("{title}: no such game: {error}")],
    };
    let mut rng = Rng::new(seed);
    let mut moves = Vec::new();
    while live.outcome().is_none() && moves.len() < MOST_MOVES {
        let chosen =
            |seat| rng.pick(&live.legal(seat)).map(|notation| (seat, Some(Reply::Notation(notation.clone()))));
        let Some(acts) = live.to_act().iter().map(chosen).collect::<Option<Vec<_>>>() else { break };
        let made = live.act_together(&acts);
        for ((seat, _), made) in acts.iter().zip(made) {
            let made = made.and_then(Result::ok).unwrap_or_else(|| "refused".to_string());
            moves.push(format!("{}:{made}", seat.0 + 1));
        }
    }
    let mut lines = vec![format!("{title}: {}", ended(&*live))];
    lines.extend(moves.chunks(IN_A_LINE).map(|some| format!("  {}", some.join("  "))));
    lines
}

fn ended(live: &dyn LiveGame) -> String {
    match live.outcome() {
        Some(outcome) => format!("places {:?}, points {:?}", outcome.places, outcome.points),
        None => {
            let board = String::from_utf8_lossy(&live.board()).trim_end().replace('\n', " / ");
            format!("not over; {}", cornerman_harness::text::plain(board))
        }
    }
}
