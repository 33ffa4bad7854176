//! Tests of valid and invalid memories, and that other files stay untouched.

use super::*;
use std::os::unix::fs::symlink;

/// A temporary folder that is removed at the end of the test.
struct Folder(PathBuf);

impl Folder {
    fn new(test: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("reference-bots-{}-{test}", std::process::id()));
        fs::create_dir(&path).unwrap();
        Folder(path)
    }

    /// The memory of the bot called `bot` in this folder.
    fn memory(&self, bot: &str) -> StateMemory {
        StateMemory { path: self.0.join("arena.A"), bot: bot.to_string() }
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

const OWN: Square = Square { row: 0, col: 0, size: 4 };
const REPLY: Square = Square { row: 9, col: 20, size: 3 };

/// The arena after these squares, each with its mark.
fn arena(moves: &[(Square, u8)]) -> Arena {
    moves.iter().fold(Arena::open(), |mut arena, &(square, mark)| {
        arena.fill(square, mark);
        arena
    })
}

fn left() -> Arena {
    arena(&[(OWN, b'A')])
}

fn answered() -> Arena {
    arena(&[(OWN, b'A'), (REPLY, b'B')])
}

#[test]
fn a_memory_is_recalled_at_the_next_turn() {
    let folder = Folder::new("kept");
    let memory = folder.memory("tester");
    for notes in [b"".as_slice(), b"first", b"a second note, longer than the first"] {
        memory.keep(&left(), notes).unwrap();
        let recalled = memory.recall(&answered(), b'A').unwrap();
        assert_eq!(recalled, Recollection { replies: vec![REPLY], notes: notes.to_vec() });
    }
    memory.forget();
    assert_eq!(memory.recall(&answered(), b'A'), None);
}

#[test]
fn a_memory_damaged_anywhere_is_ignored() {
    let folder = Folder::new("damaged");
    let memory = folder.memory("tester");
    memory.keep(&left(), b"some notes").unwrap();
    let whole = fs::read(&memory.path).unwrap();
    let check = |damaged: &[u8]| {
        fs::write(&memory.path, damaged).unwrap();
        assert_eq!(memory.recall(&answered(), b'A'), None, "{:?}", damaged.escape_ascii().to_string());
    };
    for length in 0..whole.len() {
        check(&whole[..length]);
    }
    for at in 0..whole.len() {
        let mut flipped = whole.clone();
        flipped[at] ^= 0x10;
        check(&flipped);
    }
    check(&[&whole[..], b"!"].concat());
    check(&[0xff; 2000]);
}

#[test]
fn another_bots_memory_is_ignored() {
    let folder = Folder::new("another");
    folder.memory("somebody").keep(&left(), b"").unwrap();
    assert_eq!(folder.memory("tester").recall(&answered(), b'A'), None);
}

#[test]
fn only_one_square_each_of_the_others_continues_a_game() {
    let check = |now: &[(Square, u8)], expected: Option<Vec<Square>>| {
        assert_eq!(replies(&left(), &arena(now), b'A'), expected, "{now:?}");
    };
    let other = Square { row: 9, col: 23, size: 3 };
    check(&[(OWN, b'A'), (REPLY, b'B')], Some(vec![REPLY]));
    check(&[(OWN, b'A'), (REPLY, b'B'), (other, b'C')], Some(vec![REPLY, other]));
    check(&[(OWN, b'A'), (REPLY, 0xff)], Some(vec![REPLY]));
    // The same arena again: then it cannot be this bot's turn.
    check(&[(OWN, b'A')], None);
    // A new game, without and with a first move of the opponent.
    check(&[], None);
    check(&[(REPLY, b'B')], None);
    // Another game.
    check(&[(OWN, b'B'), (REPLY, b'A')], None);
    check(&[(OWN, b'A'), (REPLY, b'B'), (other, b'A')], None);
    check(&[(OWN, b'A'), (REPLY, b'o')], None);
    // Two squares of one opponent, side by side and apart.
    check(&[(OWN, b'A'), (REPLY, b'B'), (other, b'B')], None);
    check(&[(OWN, b'A'), (REPLY, b'B'), (Square { row: 0, col: 31, size: 1 }, b'B')], None);
}

#[test]
fn only_a_regular_file_is_read() {
    let folder = Folder::new("irregular");
    let memory = folder.memory("tester");
    let elsewhere = StateMemory { path: folder.0.join("elsewhere"), bot: "tester".to_string() };
    elsewhere.keep(&left(), b"").unwrap();
    assert!(elsewhere.recall(&answered(), b'A').is_some());

    symlink(&elsewhere.path, &memory.path).unwrap();
    assert_eq!(memory.recall(&answered(), b'A'), None);

    fs::remove_file(&memory.path).unwrap();
    fs::create_dir(&memory.path).unwrap();
    assert_eq!(memory.recall(&answered(), b'A'), None);
    memory.keep(&left(), b"").unwrap_err();
}

#[test]
fn a_link_is_replaced_and_its_target_left_alone() {
    let folder = Folder::new("link");
    let memory = folder.memory("tester");
    let target = folder.0.join("target");
    fs::write(&target, "somebody's").unwrap();
    symlink(&target, &memory.path).unwrap();

    memory.keep(&left(), b"").unwrap();
    assert!(memory.recall(&answered(), b'A').is_some());
    assert_eq!(fs::read(&target).unwrap(), b"somebody's");
}
