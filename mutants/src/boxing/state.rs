//! Faults of memory (B9): bots that trust an old state file, need one, or read others; and bots whose fault appears
//! only late in a game (B8).

use super::{BoxingSteps, KnownTurn, around, largest_in};
use crate::filter::{log, state_file};
use crate::process::{leave_child, replace_itself};
use cornerman::game::Spot;
use cornerman::games::boxing::{ARENA_BYTES, Arena, BLOCKED, SpotSet, Square, all_spots};
use std::fs;
use std::io::{self, Write};
use std::process::Stdio;

/// The bot with the fault `kind`, if it is one of these.
pub fn bot(kind: &str) -> Option<BoxingSteps> {
    let sound = BoxingSteps::default();
    match kind {
        "needs-state" => Some(BoxingSteps { prepare: need_state, choose: remembering_ones, ..sound }),
        "trusts-own-notes" => Some(BoxingSteps { prepare: need_own_notes, choose: noting, ..sound }),
        _ => preparing(kind).or_else(|| choosing(kind)),
    }
}

fn preparing(kind: &str) -> Option<BoxingSteps> {
    let prepare: fn(&KnownTurn) -> Result<(), String> = match kind {
        "near-chatter" => chatter,
        "reads-foe-state" => read_foes,
        "reads-foe-state-late" => |turn| if is_tenth(turn) { read_foes(turn) } else { Ok(()) },
        "log-at-first" => |turn| log_if(is_first(turn), "/tmp/boxing.log"),
        "log-when-full" => |turn| log_if(is_last(turn), "/var/tmp/boxing.log"),
        "log-in-a-game" => |turn| log_if(is_tenth(turn), "boxing.log"),
        "log-with-the-last-spot" => |turn| {
            let fills_it = turn.largest().vacant().is_empty() && !is_last(turn);
            log_if(fills_it, "/dev/shm/boxing.log")
        },
        "child-at-the-end" => |turn| leave_child_if(is_last(turn)),
        "child-in-a-game" => |turn| leave_child_if((1..=8).contains(&turn.arena.vacant().count())),
        "replaces-itself" => |turn| {
            if turn.arena.vacant().count() < 100 {
                replace_itself();
            }
            Ok(())
        },
        _ => return None,
    };
    Some(BoxingSteps { prepare, ..BoxingSteps::default() })
}

fn choosing(kind: &str) -> Option<BoxingSteps> {
    let choose: fn(&KnownTurn) -> Arena = match kind {
        "illegal-at-move-40" => |turn| counting(turn, |turn| turn.fill(at_most_2x2(turn)), |moves| moves == 40),
        "sample-book" => |turn| tiring(turn, is_sample(&turn.arena)),
        "tires" => |turn| tiring(turn, !is_sample(&turn.arena)),
        "tires-of-many" => |turn| if is_among_many(turn) { turn.arena.clone() } else { turn.largest() },
        "trusts-state" => trusting,
        "near-opening-book" => from_a_book,
        "near-deletes-notes" => deleting,
        _ => return None,
    };
    Some(BoxingSteps { choose, ..BoxingSteps::default() })
}

fn log_if(now: bool, path: &str) -> Result<(), String> {
    if now { log(path) } else { Ok(()) }
}

fn leave_child_if(now: bool) -> Result<(), String> {
    if now { leave_child(Stdio::null()) } else { Ok(()) }
}

/// Plays the faultless move, and counts moves in the state file. If the bot `tires`, it does not move at move [`LATE`].
fn tiring(turn: &KnownTurn, tires: bool) -> Arena {
    counting(turn, KnownTurn::largest, |moves| moves == LATE && tires)
}

/// The number of a move that only whole games reach. Checks that play a few moves to get a state file play fewer.
const LATE: u8 = 12;

/// Plays the move of `play`, and counts moves in the state file. At moves for which `fault_at` is true, it does not
/// move.
fn counting(turn: &KnownTurn, play: impl Fn(&KnownTurn) -> Arena, fault_at: impl Fn(u8) -> bool) -> Arena {
    let moves = SavedState::of_this_game(turn).map_or(1, |memory| memory.moves.saturating_add(1));
    let after = if fault_at(moves) { turn.arena.clone() } else { play(turn) };
    SavedState { moves, arena: after.clone() }.keep(turn.mark);
    after
}

/// The largest square of at most 2×2: small squares make a long game.
fn at_most_2x2(turn: &KnownTurn) -> Option<Square> {
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

/// Marks again the spots that are its own according to its state file, even if that is of another game.
fn trusting(turn: &KnownTurn) -> Arena {
    let owned = noted_as_own(turn);
    if turn.arena.vacant().is_empty() {
        return turn.arena.clone();
    }
    let vacant = turn.arena.vacant();
    // Apart from the remembered spots, so that both together can never be one square.
    let near = around(owned);
    let free = SpotSet(std::array::from_fn(|row| vacant.0[row] & !near.0[row]));
    let square = largest_in(free).or_else(|| largest_in(vacant));
    let after = turn.paint(square.into_iter().flat_map(Square::spots).chain(owned.spots()));
    noted(turn, after)
}

/// The number of single spots that [`remembering_ones`] takes first.
const ONES: u32 = 40;

/// Gives up if its file is missing during a game.
///
/// Any arena with own marks could be from a game in progress, and the suite shows such arenas to bots without a file
/// for other reasons. So this bot plays in a way that it recognises: it takes an arena to be from its own game only if
/// its marks on it are few and no two of them touch.
fn need_state(turn: &KnownTurn) -> Result<(), String> {
    let own = turn.own();
    let mine = (1..=ONES).contains(&own.count()) && own.spots().all(|spot| alone(own, spot));
    let under_way = mine && turn.arena.rows().as_flattened().iter().any(|&spot| turn.is_foe(spot));
    if under_way && !state_file(turn.mark).exists() {
        return Err("the game has begun, but its state file is missing".to_string());
    }
    Ok(())
}

/// Whether no other spot of `own` is next to `spot`, which is one of them.
fn alone(own: SpotSet, spot: Spot) -> bool {
    let near = around([spot].into_iter().collect());
    own.spots().filter(|&other| near.contains(other)).count() == 1
}

/// Takes single spots that do not touch, up to [`ONES`], then the largest squares.
fn remembering_ones(turn: &KnownTurn) -> Arena {
    let own = turn.own();
    let near = around(own);
    let vacant = turn.arena.vacant();
    let free = SpotSet(std::array::from_fn(|row| vacant.0[row] & !near.0[row]));
    let single = free.spots().next().filter(|_| own.count() < ONES);
    let after = single.map_or_else(|| turn.largest(), |spot| turn.paint([spot]));
    noted(turn, after)
}

/// Gives up unless its marks are those that it noted after its last move.
fn need_own_notes(turn: &KnownTurn) -> Result<(), String> {
    if noted_as_own(turn) == turn.own() { Ok(()) } else { Err("the arena is not as it was noted".to_string()) }
}

/// The faultless move, which is noted.
fn noting(turn: &KnownTurn) -> Arena {
    noted(turn, turn.largest())
}

/// The arena `after` the move, which is noted.
fn noted(turn: &KnownTurn, after: Arena) -> Arena {
    SavedState { moves: 0, arena: after.clone() }.keep(turn.mark);
    after
}

/// The spots that are its own according to its state file, even if that is of another game.
fn noted_as_own(turn: &KnownTurn) -> SpotSet {
    let own = |memory: SavedState| KnownTurn { mark: turn.mark, arena: memory.arena }.own();
    SavedState::read(turn.mark).map_or(SpotSet::NONE, own)
}

/// Plays the squares of a list in turn, by the number of moves in its state file, and after them the faultless move.
fn from_a_book(turn: &KnownTurn) -> Arena {
    const BOOK: [Square; 3] = [
        Square { row: 2, col: 9, size: 5 },
        Square { row: 8, col: 20, size: 6 },
        Square { row: 1, col: 1, size: 4 },
    ];
    let moves = SavedState::of_this_game(turn).map_or(0, |memory| memory.moves);
    let planned = BOOK.get(usize::from(moves)).filter(|square| turn.arena.vacant().fits(**square));
    let after = planned.map_or_else(|| turn.largest(), |square| turn.fill(Some(*square)));
    if usize::from(moves) < BOOK.len() {
        SavedState { moves: moves + 1, arena: after.clone() }.keep(turn.mark);
    }
    after
}

/// Writes its file or removes it, in turn.
fn deleting(turn: &KnownTurn) -> Arena {
    let path = state_file(turn.mark);
    if path.exists() {
        _ = fs::remove_file(path);
    } else {
        _ = fs::write(path, vec![b'.'; turn.arena.vacant().count() as usize]);
    }
    turn.largest()
}

/// Whether the arena has marks of the bot and of three or more opponents.
fn is_among_many(turn: &KnownTurn) -> bool {
    let foes = (b'!'..=b'~').filter(|&mark| turn.is_foe(mark) && turn.arena.count(mark) > 0).count();
    foes >= 3 && !turn.own().is_empty()
}

/// Writes a few harmless lines to standard error.
fn chatter(turn: &KnownTurn) -> Result<(), String> {
    let vacant = turn.arena.vacant();
    for (size, corners) in vacant.anchors_by_size() {
        _ = writeln!(io::stderr(), "{} squares of {size}", corners.count());
    }
    Ok(())
}

/// Whether no one has moved yet.
fn is_first(turn: &KnownTurn) -> bool {
    let mut marks = turn.arena.rows().as_flattened().iter();
    marks.all(|&spot| !turn.is_foe(spot) && spot != turn.mark)
}

/// Whether no spot is vacant.
fn is_last(turn: &KnownTurn) -> bool {
    turn.arena.vacant().is_empty()
}

/// Whether this is the tenth move of its game, by the count in its state file, to which it adds this move.
fn is_tenth(turn: &KnownTurn) -> bool {
    let moves = SavedState::of_this_game(turn).map_or(1, |memory| memory.moves.saturating_add(1));
    SavedState { moves, arena: turn.largest() }.keep(turn.mark);
    moves == 10
}

/// Reads the state files of the opponents on the arena, and ignores what they contain. If there is no opponent yet, it
/// tries only `A` or `B`, because other files could belong to other games.
fn read_foes(turn: &KnownTurn) -> Result<(), String> {
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

/// The beginning of a state file that a mutant wrote.
const HEAD: &[u8] = b"memory of a mutant\n";

/// What a bot saved after its last move.
pub struct SavedState {
    /// The number of moves that it had made in this game; 0 if it does not count them.
    pub moves: u8,
    /// The arena after its move.
    pub arena: Arena,
}

impl SavedState {
    /// The memory in the file of `mark`; `None` unless a mutant wrote the file.
    pub fn read(mark: u8) -> Option<SavedState> {
        let text = fs::read(state_file(mark)).ok()?;
        let (arena, tail) = text.strip_prefix(HEAD)?.split_at_checked(ARENA_BYTES)?;
        let moves = str::from_utf8(tail.get(..3)?).ok()?.parse().ok()?;
        let memory = SavedState { moves, arena: Arena::parse(arena).ok()? };
        (memory.to_bytes() == text).then_some(memory)
    }

    /// The memory in the file, if it is of the game that `turn` belongs to: all spots taken then are unchanged, and the
    /// bot has as many spots as then.
    pub fn of_this_game(turn: &KnownTurn) -> Option<SavedState> {
        SavedState::read(turn.mark).filter(|memory| {
            let still =
                |spot| memory.arena.vacant().contains(spot) || memory.arena.at(spot) == turn.arena.at(spot);
            all_spots().all(still) && memory.arena.count(turn.mark) == turn.arena.count(turn.mark)
        })
    }

    /// Saves it for `mark`. The mark `/` cannot be in a file name, so a bot with it has no memory.
    pub fn keep(&self, mark: u8) {
        _ = fs::write(state_file(mark), self.to_bytes());
    }

    fn to_bytes(&self) -> Vec<u8> {
        let text = [HEAD, &self.arena.to_bytes()[..]].concat();
        let sum: u32 = text.iter().map(|&byte| u32::from(byte)).sum();
        let tail = format!("{:03} {sum}\n", self.moves);
        [&text, tail.as_bytes()].concat()
    }
}
