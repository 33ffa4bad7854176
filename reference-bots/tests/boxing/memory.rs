//! The mirror's memory in `/tmp/arena.MARK`: the bot uses it, and no content of the file can harm it (B9).

use crate::program::{SAMPLE_START, StateFile, play};
use cornerman::games::boxing::{Arena, Square};
use std::fs;
use std::os::unix::fs::symlink;
use std::process::Command;

const MIRROR: &str = "boxing-mirror";
const REPLY: Square = Square { row: 1, col: 2, size: 3 };
const IMAGE: Square = Square { row: 12, col: 27, size: 3 };

/// The open arena after the mirror's first move with `mark`, and a reply to it.
fn after_two_moves(mark: u8) -> Arena {
    let mut arena = Arena::open();
    arena.fill(play(MIRROR, mark, &arena).unwrap(), mark);
    arena.fill(REPLY, b'B');
    arena
}

#[test]
fn a_reply_is_answered_with_its_image() {
    let _state = StateFile::for_mark(b'<');
    assert_eq!(play(MIRROR, b'<', &after_two_moves(b'<')), Some(IMAGE));
}

#[test]
fn without_a_valid_memory_the_mirror_plays_on() {
    let mark = b'>';
    let state = StateFile::for_mark(mark);
    let check = |what: &str, spoil: &dyn Fn()| {
        let arena = after_two_moves(mark);
        spoil();
        assert!(play(MIRROR, mark, &arena).is_some_and(|square| square != IMAGE), "{what}");
        // Afterwards it remembers again.
        state.remove();
        assert_eq!(play(MIRROR, mark, &after_two_moves(mark)), Some(IMAGE), "{what}");
        state.remove();
    };
    check("absent", &|| state.remove());
    check("empty", &|| fs::write(&state.0, "").unwrap());
    check("junk", &|| fs::write(&state.0, [0xfe; 5000]).unwrap());
    check("cut short", &|| {
        let whole = fs::read(&state.0).unwrap();
        fs::write(&state.0, &whole[..whole.len() - 1]).unwrap();
    });
    check("a pipe without a writer", &|| {
        state.remove();
        assert!(Command::new("mkfifo").arg(&state.0).status().unwrap().success());
    });
    check("a link to an endless device", &|| {
        state.remove();
        symlink("/dev/zero", &state.0).unwrap();
    });
    check("from another game", &|| {
        play(MIRROR, mark, &Arena::parse(SAMPLE_START).unwrap());
    });
}

#[test]
fn no_file_is_left_when_the_game_ends() {
    let mark = b'(';
    let state = StateFile::for_mark(mark);
    let mut arena = after_two_moves(mark);
    while let Some(square) = play(MIRROR, mark, &arena) {
        arena.fill(square, mark);
        let over = arena.vacant().is_empty();
        assert_eq!(state.0.exists(), !over);
        if let Some(spot) = arena.vacant().spots().next() {
            arena.set(spot, b'B');
        }
    }
    assert!(!state.0.exists());
}
