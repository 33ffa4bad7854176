//! Faults of memory (B9): bots that trust an old state file, need one, fail on a damaged one, or write and read other
//! files; and bots whose fault appears only late in a game (B8).

use super::bot::{Bot, Turn, around, largest_in};
use super::memory::{Memory, state_file};
use cornerman::game::Spot;
use cornerman::games::boxing::{Arena, BLOCKED, SpotSet, Square};
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::Path;

/// The bot with the fault `kind`, if it is one of these.
pub fn bot(kind: &str) -> Option<Bot> {
    let prepare: fn(&Turn) -> Result<(), String> = match kind {
        "illegal-at-move-40" => {
            return choosing(|turn| counting(turn, |turn| turn.fill(at_most_2x2(turn)), |moves| moves == 40));
        }
        "sample-book" => {
            return choosing(|turn| {
                counting(turn, Turn::largest, |moves| moves == LATE && is_sample(&turn.arena))
            });
        }
        "tires" => {
            return choosing(|turn| {
                counting(turn, Turn::largest, |moves| moves == LATE && !is_sample(&turn.arena))
            });
        }
        "trusts-state" => return choosing(trusting),
        "needs-state" => return Some(Bot { prepare: need_state, choose: remembering_ones, ..Bot::default() }),
        "dies-on-junk-state" => die_on_junk,
        "writes-log" => |turn| log(turn, Path::new("/tmp/boxing.log")),
        "shared-path" => |turn| log(turn, Path::new("/tmp/arena")),
        "log-in-var-tmp" => |turn| log(turn, Path::new("/var/tmp/boxing.log")),
        "log-in-shared-memory" => |turn| log(turn, Path::new("/dev/shm/boxing.log")),
        "log-in-folder" => |turn| log(turn, Path::new("boxing.log")),
        "log-at-home" => |turn| match std::env::var_os("HOME") {
            Some(home) => log(turn, &Path::new(&home).join(".boxing.log")),
            None => Ok(()),
        },
        "reads-foe-state" => read_foes,
        _ => return None,
    };
    Some(Bot { prepare, ..Bot::default() })
}

fn choosing(choose: fn(&Turn) -> Arena) -> Option<Bot> {
    Some(Bot { choose, ..Bot::default() })
}

/// A move that only whole games reach; checks that play a few moves to get a state file stay below it.
const LATE: u8 = 12;

/// Plays the move of `play`, and counts moves in the state file; at moves for which `fault_at` is true, plays none.
fn counting(turn: &Turn, play: impl Fn(&Turn) -> Arena, fault_at: impl Fn(u8) -> bool) -> Arena {
    let moves = Memory::of_this_game(turn).map_or(1, |memory| memory.moves.saturating_add(1));
    let after = if fault_at(moves) { turn.arena.clone() } else { play(turn) };
    Memory { moves, arena: after.clone() }.keep(turn.mark);
    after
}

/// The largest square of at most 2×2: small squares make a long game.
fn at_most_2x2(turn: &Turn) -> Option<Square> {
    let small = turn.arena.vacant().squares().take_while(|square| square.size <= 2);
    small.max_by_key(|square| (square.size, std::cmp::Reverse((square.row, square.col))))
}

/// Whether `arena` began as the sample arena of the rules (B14).
fn is_sample(arena: &Arena) -> bool {
    const BLOCKED_THERE: [(u8, u8); 15] = [
        (2, 5),
        (7, 16),
        (8, 15),
        (8, 17),
        (9, 18),
        (9, 31),
        (10, 2),
        (10, 3),
        (10, 19),
        (11, 2),
        (11, 3),
        (12, 2),
        (12, 3),
        (15, 30),
        (15, 31),
    ];
    let there = BLOCKED_THERE.map(|(row, col)| Spot { row, col });
    arena.count(BLOCKED) == 15 && there.iter().all(|&spot| arena.at(spot) == BLOCKED)
}

/// Marks again the spots that its memory has as its own, even if they are of another game.
fn trusting(turn: &Turn) -> Arena {
    let owned = Memory::read(turn.mark)
        .map_or(SpotSet::NONE, |memory| Turn { mark: turn.mark, arena: memory.arena }.own());
    if turn.arena.vacant().is_empty() {
        return turn.arena.clone();
    }
    let vacant = turn.arena.vacant();
    // Apart from the remembered spots, so that both together can never be one square.
    let near = around(owned);
    let free = SpotSet(std::array::from_fn(|row| vacant.0[row] & !near.0[row]));
    let square = largest_in(free).or_else(|| largest_in(vacant));
    let after = turn.paint(square.into_iter().flat_map(Square::spots).chain(owned.spots()));
    Memory { moves: 0, arena: after.clone() }.keep(turn.mark);
    after
}

/// The number of single spots that [`remembering_ones`] takes first.
const ONES: u32 = 40;

/// Gives up if its file is missing during a game.
///
/// Any arena with own marks could be from a game in progress, and the suite shows such arenas to bots without a file
/// for other reasons. So this bot plays in a way that it recognises: it accepts a game as its own only if its marks are
/// few and no two of them touch.
fn need_state(turn: &Turn) -> Result<(), String> {
    let own = turn.own();
    let mine = (1..=ONES).contains(&own.count()) && own.spots().all(|spot| alone(own, spot));
    let under_way = mine && turn.arena.rows().as_flattened().iter().any(|&spot| turn.is_foe(spot));
    if under_way && !state_file(turn.mark).exists() {
        return Err("the game has begun, but its state file is missing".to_string());
    }
    Ok(())
}

fn alone(own: SpotSet, spot: Spot) -> bool {
    let near = around([spot].into_iter().collect());
    own.spots().filter(|&other| near.contains(other)).count() == 1
}

/// Takes single spots that do not touch, up to [`ONES`], then the largest squares.
fn remembering_ones(turn: &Turn) -> Arena {
    let own = turn.own();
    let (near, vacant) = (around(own), turn.arena.vacant());
    let free = SpotSet(std::array::from_fn(|row| vacant.0[row] & !near.0[row]));
    let single = free.spots().next().filter(|_| own.count() < ONES);
    let after = single.map_or_else(|| turn.largest(), |spot| turn.paint([spot]));
    Memory { moves: 0, arena: after.clone() }.keep(turn.mark);
    after
}

/// Exits without an answer if its file is not text, or is very large.
fn die_on_junk(turn: &Turn) -> Result<(), String> {
    const PLENTY: usize = 1 << 16;
    let text = fs::read(state_file(turn.mark)).unwrap_or_default();
    let is_text = |byte: &u8| !byte.is_ascii_control() || byte.is_ascii_whitespace();
    if text.len() > PLENTY || !text.iter().all(is_text) {
        return Err("the state file of this game cannot be read".to_string());
    }
    Memory { moves: 0, arena: turn.arena.clone() }.keep(turn.mark);
    Ok(())
}

/// Writes a line to a file that it may not write; errors are ignored.
fn log(turn: &Turn, path: &Path) -> Result<(), String> {
    if let Ok(mut file) = OpenOptions::new().create(true).append(true).open(path) {
        _ = writeln!(file, "{} spots are vacant", turn.arena.vacant().count());
    }
    Ok(())
}

/// Reads the state files of the opponents on the arena, and ignores what they contain. If there is no opponent yet, it
/// tries only `A` or `B`, because other files could belong to other games.
fn read_foes(turn: &Turn) -> Result<(), String> {
    let on_arena = (b'!'..=b'~').filter(|&mark| turn.is_foe(mark) && turn.arena.count(mark) > 0);
    let mut foes: Vec<u8> = on_arena.collect();
    if foes.is_empty() {
        foes.push(if turn.mark == b'A' { b'B' } else { b'A' });
    }
    for mark in foes {
        _ = fs::read(state_file(mark));
    }
    Ok(())
}
