//! Tests that every mutant has exactly one fault: on any arena, its answer is a legal move or breaks the one rule that
//! it is meant to break. Mutants for odd input crash on that input and on no other.

use cornerman::game::Spot;
use cornerman::games::boxing::{Arena, Square, VACANT, all_spots};
use cornerman::rng::Rng;
use cornerman_conformance::games::boxing::cause_of_answer;
use cornerman_mutants::{GAMES, MutantKind, kinds};
use std::collections::BTreeSet;
use std::io::Write;
use std::net::Shutdown;
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, Command, Output, Stdio};
use std::thread;

#[test]
fn a_wrong_move_is_wrong_in_one_way_only() {
    let arenas = arenas();
    let check_all = |kinds: &[MutantKind]| {
        for kind in kinds {
            let Some(fault) = fault_of_play(kind) else { continue };
            let wrong = arenas.iter().filter(|(mark, arena)| check(kind, *mark, arena, fault)).count();
            assert!(wrong > 0, "`{}` plays correctly on every arena", kind.name);
        }
    };
    // It starts thousands of processes.
    let (some, others) = kinds("boxing").split_at(kinds("boxing").len() / 2);
    thread::scope(|scope| {
        scope.spawn(|| check_all(some));
        check_all(others);
    });
}

#[test]
fn a_bot_without_a_fault_plays_legally() {
    // Some would leave their state files in the real `/tmp`.
    const REMEMBERING: [&str; 3] = ["near-state", "near-opening-book", "near-deletes-notes"];
    for kind in kinds("boxing").iter().filter(|kind| kind.expect.is_empty() && !REMEMBERING.contains(&kind.name)) {
        for (mark, arena) in arenas() {
            check(kind, mark, &arena, NO_FAULT);
        }
    }
}

#[test]
fn odd_input_crashes_only_the_kinds_that_it_is_meant_for() {
    for kind in deadly() {
        for (id, args, input) in odd_inputs() {
            let died = run(kind.name, args, &input).status.signal().is_some();
            assert_eq!(died, kind.expect == [id], "`{}` ({}) under {id}", kind.name, kind.fault);
        }
    }
}

#[test]
fn a_closed_output_crashes_only_the_kind_that_it_is_meant_for() {
    for kind in deadly() {
        // A socket, because it can be shut down: a process that another test is just starting could inherit the reading
        // end of a pipe and keep it open for a moment.
        let (ours, theirs) = UnixStream::pair().expect("two ends");
        ours.shutdown(Shutdown::Both).expect("it was open");
        let mut bot = start(kind.name, &["A"], OwnedFd::from(theirs).into());
        feed(&mut bot, &Arena::open().to_bytes());
        let died = bot.wait().unwrap().signal().is_some();
        assert_eq!(died, kind.name == "dies-on-closed-pipe", "`{}`", kind.name);
    }
}

#[test]
fn every_check_has_a_mutant_that_only_it_catches() {
    let caught: BTreeSet<&str> =
        kinds("boxing").iter().filter(|k| k.expect.len() == 1).map(|k| k.expect[0]).collect();
    let ids = IDS.iter().flat_map(|(group, ids)| ids.split(' ').map(move |id| format!("BX-{group}{id}")));
    for id in ids {
        assert!(caught.contains(id.as_str()), "{id}");
    }
}

#[test]
fn no_two_kinds_have_one_name() {
    let all: Vec<&MutantKind> = GAMES.iter().flat_map(|game| &*game.kinds).collect();
    let names: BTreeSet<&str> = all.iter().map(|kind| kind.name).collect();
    assert_eq!(names.len(), all.len());
}

/// All checks of the Boxing Match that can fail, except RUN-EXEC: no mutant is a program that cannot be started.
const IDS: &[(&str, &str)] = &[
    ("OUT-", "LEN ROWS EOL FINALNL LEAD TRAIL CHARSET"),
    ("MOV-", "VACANT MARK SQUARE FILLED ONE SOME PASS"),
    ("", "CHAIN SELF NPLAYER"),
    ("STATE-", "COLD STALE CORRUPT ONLY SEP"),
    ("TIME-", "HARD SOFT"),
    ("RUN-", "SIGNAL EXIT CHUNK OPEN CWD ENV FILE ORPHAN STDERR"),
    ("ODD-", "EMPTY SHORT LONG CRLF NUL NOARG LONGARG EPIPE"),
];

/// The check that an illegal answer of `kind` fails; `None` for kinds with other faults.
fn fault_of_play(kind: &MutantKind) -> Option<&'static str> {
    match *kind.expect.first()? {
        "BX-NPLAYER" if kind.name == "tires-of-many" => None,
        // These misuse their marks, which shows as something else.
        "BX-MOV-MARK" if ["letters-only", "known-marks", "mark-line-feed", "sed-mark"].contains(&kind.name) => {
            None
        }
        "BX-NPLAYER" => Some("BX-MOV-VACANT"),
        "BX-MOV-PASS" => Some(ON_THE_FULL_ARENA),
        id if id.starts_with("BX-OUT-") || id.starts_with("BX-MOV-") => Some(id),
        _ => None,
    }
}

/// Any fault, but only on the full arena.
const ON_THE_FULL_ARENA: &str = "on the full arena";
const NO_FAULT: &str = "none at all";

/// Returns whether the answer of `kind` is illegal. If so, it must fail the check `fault`. The bot must end with status
/// 0.
fn check(kind: &MutantKind, mark: u8, arena: &Arena, fault: &str) -> bool {
    let case = || format!("`{}` as {} on\n{}", kind.name, char::from(mark), arena.to_bytes().escape_ascii());
    let output = run(kind.name, &[&char::from(mark).to_string()], &arena.to_bytes());
    assert!(output.status.success(), "{} {}", output.status, case());
    let Some(found) = cause_of_answer(arena, mark, &output.stdout) else { return false };
    let expected = found.check == fault || fault == ON_THE_FULL_ARENA && arena.vacant().is_empty();
    assert!(expected, "{}: {} instead of {fault}: {}", found.check, found.what, case());
    true
}

/// The kinds that crash on odd input, without those that only hang.
fn deadly() -> impl Iterator<Item = &'static MutantKind> {
    let odd =
        kinds("boxing").iter().filter(|kind| kind.expect.first().is_some_and(|id| id.starts_with("BX-ODD-")));
    odd.filter(|kind| !["waits-for-the-rest", "retries-closed-pipe"].contains(&kind.name))
}

fn start(kind: &str, args: &[&str], stdout: Stdio) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_mutant"));
    command.arg(kind).args(args).stdin(Stdio::piped()).stdout(stdout).stderr(Stdio::null());
    // Some leave files in the working directory.
    command.current_dir(env!("CARGO_TARGET_TMPDIR"));
    command.spawn().expect("the mutant starts")
}

fn feed(bot: &mut Child, input: &[u8]) {
    // Writing fails if the bot has ended or closed its input, which is fine.
    _ = bot.stdin.take().expect("standard input is a pipe").write_all(input);
}

fn run(kind: &str, args: &[&str], input: &[u8]) -> Output {
    let mut bot = start(kind, args, Stdio::piped());
    feed(&mut bot, input);
    bot.wait_with_output().expect("the mutant ends")
}

/// Odd input that no referee sends: the id of its check, the arguments, standard input.
fn odd_inputs() -> Vec<(&'static str, &'static [&'static str], Vec<u8>)> {
    let open = Arena::open().to_bytes();
    let line = |end: &[u8]| [&open[..32], end].concat();
    let mut nul = open.to_vec();
    nul[40] = 0;
    vec![
        ("BX-ODD-EMPTY", &["A"], Vec::new()),
        ("BX-ODD-SHORT", &["A"], open[..200].to_vec()),
        ("BX-ODD-SHORT", &["A"], open[..527].to_vec()),
        ("BX-ODD-LONG", &["A"], line(b"\n").repeat(17)),
        ("BX-ODD-LONG", &["A"], line(b"\n").repeat(5000)),
        ("BX-ODD-CRLF", &["A"], line(b"\r\n").repeat(16)),
        ("BX-ODD-NUL", &["A"], nul),
        ("BX-ODD-NUL", &["A"], vec![0; 528]),
        ("BX-ODD-NOARG", &[], open.to_vec()),
        ("BX-ODD-LONGARG", &["AB"], open.to_vec()),
    ]
}

/// Arenas of every kind, each with the bot's mark.
fn arenas() -> Vec<(u8, Arena)> {
    let mut arenas = vec![
        (b'A', Arena::open()),
        (b'A', all_of(b'A')),
        (b'A', all_of(b'B')),
        (b'A', with_hole(b'B', Square { row: 0, col: 8, size: 16 })),
        (b'A', with_hole(b'A', Square { row: 3, col: 8, size: 9 })),
        (b'A', with_hole(b'A', Square { row: 7, col: 7, size: 1 })),
        (b'B', partial_game()),
    ];
    for corner in [(0, 0), (0, 31), (15, 0), (15, 31)] {
        arenas.push((b'A', with_hole(b'o', Square { row: corner.0, col: corner.1, size: 1 })));
    }
    let strips: [fn(Spot) -> bool; 2] = [|spot| spot.row % 2 == 1, |spot| spot.col % 2 == 0];
    arenas.extend(strips.map(|strip| (b'A', drawn(|spot| if strip(spot) { VACANT } else { b'A' }))));
    for mark in *b"%*\\7z" {
        arenas.push((mark, scattered(u64::from(mark), &[mark, b'X'])));
    }
    arenas.push((b'A', scattered(1, b"!\"#$%&'()*+,./:;<=>?@[]^_`{|}~")));
    arenas.push((b'A', scattered(16, b"OIabxyz")));
    arenas.push((b'A', scattered(2, &[0x80, 0xad, 0xff])));
    arenas.push((b'C', scattered(3, b"ABCDEFGH")));
    for seed in 4..16 {
        arenas.push((b'A', scattered(seed, b"ABo")));
        arenas.push((b'A', under_way(seed)));
    }
    arenas
}

fn drawn(spot: impl Fn(Spot) -> u8) -> Arena {
    let mut arena = Arena::open();
    for at in all_spots() {
        arena.set(at, spot(at));
    }
    arena
}

fn all_of(mark: u8) -> Arena {
    drawn(|_| mark)
}

fn with_hole(mark: u8, hole: Square) -> Arena {
    let mut arena = all_of(mark);
    for spot in hole.spots() {
        arena.set(spot, VACANT);
    }
    arena
}

/// An arena on which about half of the spots are vacant and each other one has a random one of `marks`.
fn scattered(seed: u64, marks: &[u8]) -> Arena {
    let mut rng = Rng::new(seed);
    let mut arena = Arena::open();
    for spot in all_spots() {
        if let Some(&mark) = marks.get(rng.below(2 * marks.len() as u64) as usize) {
            arena.set(spot, mark);
        }
    }
    arena
}

/// A game of two after some random moves.
fn under_way(seed: u64) -> Arena {
    let mut rng = Rng::new(seed);
    let mut arena = Arena::generate(seed);
    for ply in 0..rng.below(40) {
        let squares: Vec<Square> = arena.vacant().squares().collect();
        if !squares.is_empty() {
            arena.fill(squares[rng.below(squares.len() as u64) as usize], b"AB"[ply as usize % 2]);
        }
    }
    arena
}

/// The document's game in progress (B14), B to move.
fn partial_game() -> Arena {
    let rows = [
        "oAAAAA-----BBBBBBBBBBB--BBBBBBBB",
        "-AAAAA-----BBBBBBBBBBB--BBBBBBBB",
        "-AAAAA-----BBBBBBBBBBB-oBBBBBBBB",
        "-AAAAA-----BBBBBBBBBBB--BBBBBBBB",
        "-AAAAAooo--BBBBBBBBBBB--BBBBBBBB",
        "--AAAAAAAAABBBBBBBBBBB--BBBBBBBB",
        "--AAAAAAAAABBBBBBBBBBBo-BBBBBBBB",
        "--AAAAAAAAABBBBBBBBBBB--BBBBBBBB",
        "--AAAAAAAAABBBBBBBBBBB----AAAAAA",
        "ooAAAAAAAAABBBBBBBBBBB----AAAAAA",
        "-oAAAAAAAAABBBBBBBBBBB----AAAAAA",
        "--AAAAAAAAA---------------AAAAAA",
        "--AAAAAAAAA------------o--AAAAAA",
        "--AAAAAAAAA---------------AAAAAA",
        "oooo-------------------------ooo",
        "-----------------------------ooo",
    ];
    Arena::from_rows(rows.map(|row| row.as_bytes().try_into().expect("a row has 32 spots")))
}
