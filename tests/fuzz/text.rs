//! Fuzzes the files that people write, and the answers of bots.

use cornerman::game::{LiveGame, Setup};
use cornerman::games::boxing::{ARENA_BYTES, Arena, LARGEST_SQUARE, Square, judge};
use cornerman_harness::contest_file::{Available, ContestFile};
use cornerman_harness::fuzzing;
use cornerman_harness::kit::Games;
use cornerman_harness::toolchain::language::Languages;
use std::fs;
use std::path::Path;

/// The built-in games.
pub fn games() -> Games {
    Games::new(cornerman_cli::games::all().into_iter().map(|game| game.kit))
}

/// The input as text, because anything else is refused at once.
fn utf8(input: &[u8]) -> String {
    String::from_utf8_lossy(input).into_owned()
}

/// A `bot.toml`.
pub fn bot_file(input: &[u8]) {
    drop(fuzzing::bot_file(Path::new("bot.toml"), &utf8(input), &games().engines()));
}

/// A contest file, and the contest in it.
pub fn contest(input: &[u8]) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../contests");
    let references = ["random", "greedy", "mirror", "parity", "first-fit", "smallest", "rock"];
    match ContestFile::parse(
        &folder.join("fuzz.toml"),
        &utf8(input),
        Available { games: &games(), references: &references },
    ) {
        Ok(file) => {
            let Ok(contest) = file.contest() else { return };
            drop(contest.plan(&cornerman::format::Results::new()));
            drop((file.header("0"), file.entrant_records()));
        }
        Err(mistakes) => mistakes.iter().for_each(|mistake| drop(mistake.to_string())),
    }
}

/// A ruleset file, and a game by its rules.
pub fn ruleset(input: &[u8]) {
    match games().parse(Path::new("fuzz.toml"), &utf8(input)) {
        Ok(ruleset) => {
            let seats = ruleset.seats.0;
            drop(ruleset.open(&Setup { seats, ..Setup::default() }).map(|table| table.board()));
        }
        Err(mistake) => drop(mistake.to_string()),
    }
}

/// A languages file.
pub fn languages(input: &[u8]) {
    let file = tempfile::NamedTempFile::new().expect("a file");
    fs::write(file.path(), utf8(input)).expect("it can be written");
    drop(Languages::with_file(file.path()).map_err(|error| error.to_string()));
}

/// An engine's responses.
pub fn gtp(input: &[u8]) {
    cornerman_harness::games::go::gtp::read_gtp(input);
}

/// The answers of bots in line games. The first byte chooses the game, and the seats answer a line each in turn.
pub fn lines(input: &[u8]) {
    let Some((&game, answers)) = input.split_first() else { return };
    let ruleset = ["rps-published", "go-usenix-1983", "go-9x9"][usize::from(game % 3)];
    let ruleset = games().ruleset(ruleset, Path::new("")).expect("it is built in");
    let mut table = ruleset.open(&Setup { seats: 2, ..Setup::default() }).expect("it can be set up");
    play(&mut *table, answers.split(|&byte| byte == b'\n'));
}

/// The input as the arena of a contest, and as a bot's answer.
pub fn arena(input: &[u8]) {
    let open = Arena::open();
    drop(judge(&open, b'A', LARGEST_SQUARE, input));
    let Ok(arena) = Arena::parse(input) else { return };
    drop(judge(&arena, b'A', LARGEST_SQUARE, &open.to_bytes()));
    let ruleset = games().ruleset("boxing-1994", Path::new("")).expect("it is built in");
    let setup = Setup { seats: 2, board: input.to_vec(), ..Setup::default() };
    if let Ok(mut table) = ruleset.open(&setup) {
        play(&mut *table, [input, &open.to_bytes()[..], input].into_iter());
    }
}

/// An answer in the middle of a game. The first byte is the seed of an arena and the second the number of moves before it,
/// each of which the next byte chooses. The rest changes the arena: two bytes for the place, one for what is there then.
pub fn judged(input: &[u8]) {
    let [seed, moves, rest @ ..] = input else { return };
    let mut arena = Arena::generate(u64::from(*seed));
    let (moves, changes) = rest.split_at(rest.len().min(usize::from(*moves)));
    for (&choice, mark) in moves.iter().zip(b"ABC".iter().cycle()) {
        let squares: Vec<Square> = arena.vacant().squares().collect();
        let Some(&square) = squares.get(squares.len() * usize::from(choice) / 256) else { break };
        arena.fill(square, *mark);
    }
    let mut answer = arena.to_bytes();
    for change in changes.chunks_exact(3) {
        answer[usize::from(u16::from_le_bytes([change[0], change[1]])) % ARENA_BYTES] = change[2];
    }
    match judge(&arena, b'A', LARGEST_SQUARE, &answer) {
        Ok(Some(square)) => {
            assert!(arena.vacant().fits(square));
            arena.fill(square, b'A');
            assert_eq!(arena.to_bytes(), answer);
        }
        Ok(None) => assert!(arena.vacant().is_empty() && arena.to_bytes() == answer),
        Err(violation) => drop(violation.to_string()),
    }
}

/// Plays `answers` in turn; a seat whose answer is not legal forfeits.
fn play<'a>(table: &mut dyn LiveGame, answers: impl Iterator<Item = &'a [u8]>) {
    for answer in answers {
        let Some(seat) = table.to_act().iter().next() else { break };
        drop(table.view(seat));
        if let Err(violation) = table.answer(seat, answer) {
            drop(violation.to_string());
            table.forfeit(seat);
        }
    }
    drop((table.board(), table.outcome()));
}
