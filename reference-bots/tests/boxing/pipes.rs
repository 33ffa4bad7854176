//! The programs in pipes: the rules' own test of a bot (B8), unusual marks, full arenas.

use crate::program::{After, PARTIAL_GAME, PROGRAMS, SAMPLE_START, StateFile, bot_with_mark, play, run};
use cornerman::games::boxing::{Arena, SPOTS};
use std::io::{Read, Write};
use std::process::{Child, Stdio};

#[test]
fn the_golden_arenas_are_those_of_the_rules() {
    let check = |text: &[u8], blocked, a, b, vacant| {
        let arena = Arena::parse(text).unwrap();
        let counts = [b'o', b'A', b'B', b'-'].map(|mark| arena.count(mark));
        assert_eq!(counts, [blocked, a, b, vacant]);
    };
    check(SAMPLE_START, 15, 0, 0, 497);
    check(PARTIAL_GAME, 20, 142, 185, 165);
}

/// `cat start.arena | bot A | bot B | bot A | bot B`, all running at once.
fn chain(binary: &str, marks: [u8; 4]) -> Vec<u8> {
    let mut bots: Vec<Child> = Vec::new();
    for mark in marks {
        let mut command = bot_with_mark(binary, mark);
        if let Some(before) = bots.last_mut() {
            command.stdin(Stdio::from(before.stdout.take().unwrap()));
        }
        bots.push(command.spawn().unwrap());
    }
    bots[0].stdin.take().unwrap().write_all(SAMPLE_START).unwrap();
    let mut text = Vec::new();
    bots[3].stdout.take().unwrap().read_to_end(&mut text).unwrap();
    for bot in &mut bots {
        assert!(bot.wait().unwrap().success(), "{binary}");
    }
    text
}

#[test]
fn a_bot_can_be_piped_into_itself() {
    let one = b'{';
    let two = b'}';
    let states = [one, two].map(StateFile::for_mark);
    for (binary, _) in PROGRAMS {
        let text = chain(binary, [one, two, one, two]);
        states.iter().for_each(StateFile::remove);

        // The same four moves, played and judged one by one.
        let mut arena = Arena::parse(SAMPLE_START).unwrap();
        for mark in [one, two, one, two] {
            let square = play(binary, mark, &arena).expect("four moves do not fill the arena");
            arena.fill(square, mark);
        }
        states.iter().for_each(StateFile::remove);
        assert_eq!(text.escape_ascii().to_string(), arena.to_bytes().escape_ascii().to_string(), "{binary}");
    }
}

#[test]
fn any_mark_works_and_any_byte_may_be_an_opponents_mark() {
    let mut rows = [[b'-'; 32]; 16];
    let foes = (0..=u8::MAX).filter(|byte| !b"-\r\n".contains(byte));
    for (spot, foe) in rows.as_flattened_mut()[..SPOTS / 2].iter_mut().zip(foes) {
        *spot = foe;
    }
    let arena = Arena::from_rows(rows);
    for mark in *b"%*\\7z/.?" {
        let _state = StateFile::for_mark(mark);
        for (binary, _) in PROGRAMS {
            assert!(play(binary, mark, &arena).is_some(), "{binary}");
        }
    }
}

#[test]
fn a_full_arena_comes_back_unchanged() {
    let full = Arena::from_rows(core::array::from_fn(|row| [b"oAB\xff"[row % 4]; 32])).to_bytes();
    for (binary, _) in PROGRAMS {
        let done = run(bot_with_mark(binary, b'&'), &full, After::Closed);
        assert!(done.status.success(), "{binary}: {}", done.stderr);
        assert_eq!(done.stdout, full, "{binary}");
    }
}

#[test]
fn the_last_spot_is_taken_wherever_it_is() {
    let _state = StateFile::for_mark(b';');
    for spot in [0, 31, 15 * 32, 15 * 32 + 31, 200] {
        let mut rows = [[b'B'; 32]; 16];
        rows[spot / 32][spot % 32] = b'-';
        for (binary, _) in PROGRAMS {
            let square = play(binary, b';', &Arena::from_rows(rows)).unwrap();
            assert_eq!((usize::from(square.row), usize::from(square.col), square.size), (spot / 32, spot % 32, 1));
        }
    }
}
