//! Faults of memory (B9): bots that trust what they wrote down, miss it, choke on it, or write and read
//! elsewhere; and bots that err only once a game has gone on for a while (B8).

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

/// A move that only whole games reach: whoever plays a few moves to have a state file stays below.
const LATE: u8 = 12;

/// The move of `play`, counted in the state file; none at all where the fault is due.
fn counting(turn: &Turn, play: impl Fn(&Turn) -> Arena, fault_at: impl Fn(u8) -> bool) -> Arena {
    let moves = Memory::of_this_game(turn).map_or(1, |memory| memory.moves.saturating_add(1));
    let after = if fault_at(moves) { turn.arena.clone() } else { play(turn) };
    Memory { moves, arena: after.clone() }.keep(turn.mark);
    after
}

/// Small squares make a long game.
fn at_most_2x2(turn: &Turn) -> Option<Square> {
    let small = turn.arena.vacant().squares().take_while(|square| square.size <= 2);
    small.max_by_key(|square| (square.size, std::cmp::Reverse((square.row, square.col))))
}

/// Whether `arena` began as the document's sample (B14).
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

/// Paints again what it remembers as its own, of whatever game that was.
fn trusting(turn: &Turn) -> Arena {
    let owned = Memory::read(turn.mark)
        .map_or(SpotSet::NONE, |memory| Turn { mark: turn.mark, arena: memory.arena }.own());
    if turn.arena.vacant().is_empty() {
        return turn.arena.clone();
    }
    let vacant = turn.arena.vacant();
    // Away from what it remembers, so that the two can never make one square.
    let near = around(owned);
    let free = SpotSet(std::array::from_fn(|row| vacant.0[row] & !near.0[row]));
    let square = largest_in(free).or_else(|| largest_in(vacant));
    let after = turn.paint(square.into_iter().flat_map(Square::spots).chain(owned.spots()));
    Memory { moves: 0, arena: after.clone() }.keep(turn.mark);
    after
}

/// How many single spots [`remembering_ones`] takes first.
const ONES: u32 = 40;

/// Gives up in a game under way when its file is missing.
///
/// Any arena with own marks could be a game under way, and the suite shows such arenas to bots without a file
/// for other reasons. So this one plays in a way that it recognises: as its own game it knows only one in
/// which its marks are few and no two of them touch.
fn need_state(turn: &Turn) -> Result<(), String> {
    let own = turn.own();
    let mine = (1..=ONES).contains(&own.count()) && own.spots().all(|spot| alone(own, spot));
    let under_way = mine && turn.arena.rows().as_flattened().iter().any(|&spot| turn.is_foe(spot));
    if under_way && !state_file(turn.mark).exists() {
        return Err("the game has begun, but what was written down of it is gone".to_string());
    }
    Ok(())
}

fn alone(own: SpotSet, spot: Spot) -> bool {
    let near = around([spot].into_iter().collect());
    own.spots().filter(|&other| near.contains(other)).count() == 1
}

/// Single spots apart from one another while there are any and they are few; then the largest squares.
fn remembering_ones(turn: &Turn) -> Arena {
    let own = turn.own();
    let (near, vacant) = (around(own), turn.arena.vacant());
    let free = SpotSet(std::array::from_fn(|row| vacant.0[row] & !near.0[row]));
    let single = free.spots().next().filter(|_| own.count() < ONES);
    let after = single.map_or_else(|| turn.largest(), |spot| turn.paint([spot]));
    Memory { moves: 0, arena: after.clone() }.keep(turn.mark);
    after
}

/// Ends without an answer when its file holds what no text does, or more than anybody would write there.
fn die_on_junk(turn: &Turn) -> Result<(), String> {
    const PLENTY: usize = 1 << 16;
    let text = fs::read(state_file(turn.mark)).unwrap_or_default();
    let is_text = |byte: &u8| !byte.is_ascii_control() || byte.is_ascii_whitespace();
    if text.len() > PLENTY || !text.iter().all(is_text) {
        return Err("what was written down of this game cannot be read".to_string());
    }
    Memory { moves: 0, arena: turn.arena.clone() }.keep(turn.mark);
    Ok(())
}

/// Writes a line where nothing may be written. Where nothing can be, it plays on all the same.
fn log(turn: &Turn, path: &Path) -> Result<(), String> {
    if let Ok(mut file) = OpenOptions::new().create(true).append(true).open(path) {
        _ = writeln!(file, "{} spots are vacant", turn.arena.vacant().count());
    }
    Ok(())
}

/// Looks into the state files of the opponents on the arena, and learns nothing. Before there is one, of `A`
/// or `B`: not of more, for they could be those of other games.
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
