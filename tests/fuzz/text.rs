//! Files that people write, and what bots answer.

use cornerman::game::{LiveGame, Setup};
use cornerman::games::boxing::{Arena, LARGEST_SQUARE, judge};
use cornerman_harness::contest_file::{Available, ContestFile};
use cornerman_harness::fuzzing;
use cornerman_harness::kit::Games;
use cornerman_harness::toolchain::language::Languages;
use std::fs;
use std::path::Path;

/// The games that come along.
pub fn games() -> Games {
    Games::new(cornerman_cli::games::all().into_iter().map(|game| game.kit))
}

/// As text: readers of files refuse anything else at once.
fn utf8(input: &[u8]) -> String {
    String::from_utf8_lossy(input).into_owned()
}

/// A `bot.toml`.
pub fn bot_file(input: &[u8]) {
    drop(fuzzing::bot_file(Path::new("bot.toml"), &utf8(input), &games().engines()));
}

/// A contest file, and the contest that it describes.
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
            drop(contest.plan(&cornerman::format::Results::new(), &cornerman::contest::Journal::new()));
            drop((file.header("0"), file.entrant_records()));
        }
        Err(mistakes) => mistakes.iter().for_each(|mistake| drop(mistake.to_string())),
    }
}

/// A ruleset file, and a game by it.
pub fn ruleset(input: &[u8]) {
    match games().parse(Path::new("fuzz.toml"), &utf8(input)) {
        Ok(ruleset) => {
            let seats = ruleset.seats.0;
            drop(ruleset.open(&Setup { seats, ..Setup::default() }).map(|table| table.board()));
        }
        Err(mistake) => drop(mistake.to_string()),
    }
}

/// A file of languages.
pub fn languages(input: &[u8]) {
    let file = tempfile::NamedTempFile::new().expect("a file");
    fs::write(file.path(), utf8(input)).expect("it can be written");
    drop(Languages::with_file(file.path()).map_err(|error| error.to_string()));
}

/// What an engine responds.
pub fn gtp(input: &[u8]) {
    cornerman_harness::games::go::read_gtp(input);
}

/// What bots that speak in lines answer: the first byte chooses the game, and lines are the seats' in turn.
pub fn lines(input: &[u8]) {
    let Some((&game, answers)) = input.split_first() else { return };
    let ruleset = ["rps-published", "go-usenix-1983", "go-9x9"][usize::from(game % 3)];
    let ruleset = games().ruleset(ruleset, Path::new("")).expect("it is built in");
    let mut table = ruleset.open(&Setup { seats: 2, ..Setup::default() }).expect("it can be set up");
    play(&mut *table, answers.split(|&byte| byte == b'\n'));
}

/// An arena that a contest gives, and one that a bot answers: the input is taken for both.
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

/// Plays `answers` in turn; whoever answers what is not legal forfeits.
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
