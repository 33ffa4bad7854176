//! Whole games through the referee, as in a contest: what a move costs in addition to the bots' own time.

use super::contestants::Contestant;
use cornerman::game::{Seat, Setup};
use cornerman_harness::bot::Bot;
use cornerman_harness::games::{go, rps};
use cornerman_harness::kit::{AnyKit, SourceFile};
use cornerman_harness::player::Player;
use cornerman_harness::player::seating;
use cornerman_harness::referee::{self, Event};
use cornerman_harness::ruleset::Ruleset;
use cornerman_harness::sandbox::{Conditions, Level};
use std::path::Path;
use std::time::{Duration, Instant};

/// Moves that are timed in a game between two copies of `gtp_bot`: all but the first, for which a copy has to start.
pub const MOVES: u32 = 341;

/// Rounds of rock-paper-scissors, all rounds of a measurement in one game.
pub fn rounds(program: &Path, level: Level) -> Option<Contestant<'static>> {
    let bot = Bot::load(program).expect("a bot of the bench's own");
    let default = rps::KIT.default_ruleset();
    let mut players = seated(&bot, &default, level)?;
    Some(Box::new(move |count| {
        let text = default.text.replace("rounds = 1000 ", &format!("rounds = {count} "));
        let text = text.replace("# seeds = [1, 2]", "seeds = [7, 7]");
        let ruleset = rps::KIT.read(SourceFile { path: Path::new("bench.toml"), text: &text }).expect("a ruleset");
        played(&ruleset, &mut players, 2 * count)
    }))
}

/// Moves of Go between engines that speak GTP, in as many games as needed.
pub fn engines(program: &Path, level: Level) -> Option<Contestant<'static>> {
    let bot =
        Bot { engine_protocol: Some("gtp".to_string()), ..Bot::load(program).expect("a bot of the bench's own") };
    let ruleset = go::KIT.default_ruleset();
    let mut players = seated(&bot, &ruleset, level)?;
    Some(Box::new(move |count| (0..count / MOVES).map(|_| played(&ruleset, &mut players, MOVES + 1)).sum()))
}

/// The bot in both seats, if the machine provides exactly `level`.
fn seated(bot: &Bot, ruleset: &Ruleset, level: Level) -> Option<Vec<Box<dyn Player>>> {
    let conditions = Conditions { at_least: Some(level), at_most: Some(level), ..Conditions::default() };
    let seat = |seat| seating::seat(bot, ruleset, seat, bot.sandbox(conditions).ok()?).ok();
    [Seat(0), Seat(1)].into_iter().map(seat).collect()
}

/// Plays a game of this many moves. Returns the time until the last of them: in a game with a clock from the first of
/// them, or else from when all players have been started.
fn played(ruleset: &Ruleset, players: &mut [Box<dyn Player>], moves: u32) -> Duration {
    let setup = Setup { seats: 2, ..Setup::default() };
    let mut game = ruleset.open(&setup).expect("the default setup");
    let mut first = None;
    let mut last = None;
    let mut made = 0;
    let heard = &mut |event| match event {
        Event::GameStarted { .. } if ruleset.clock.is_none() => first = Some(Instant::now()),
        Event::Moved { number, .. } => {
            made = number;
            if number == 1 || number == moves {
                last = Some(Instant::now());
                first = first.or(last);
            }
        }
        Event::Faulted { fault, .. } => panic!("the bench's own bot failed: {fault}"),
        _ => {}
    };
    referee::play_unseen(&mut *game, &setup, players, heard).expect("the sandbox runs");
    assert_eq!(made, moves, "the game has its length");
    last.zip(first).map_or(Duration::ZERO, |(last, first)| last - first)
}
