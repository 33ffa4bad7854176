//! The time and memory that the report of a large tournament takes, with a line for each figure.
//!
//! `cargo bench -p cornerman-report --bench html` makes a record of 100 entrants and about 30,000 games and keeps it in
//! `target/` for later runs. It then makes the page and the site in a process each, to measure their memory
//! separately. `-- 20 400` sets the numbers of entrants and games.

use cornerman::contest::{Contest, Field, Participants, Stage};
use cornerman::format::{Plan, Results};
use cornerman::formats::{BoardNumber, Format, GamesPerOrder, all_play_all};
use cornerman::game::{LiveGame, Seats, Setup};
use cornerman::games::boxing::{Arena, LARGEST_SQUARE, Square};
use cornerman_harness::games::boxing::KIT;
use cornerman_harness::kit::AnyKit;
use cornerman_harness::record::{
    EntrantRecord, GameRecord, Header, MoveRecord, Record, SeatRecord, StageRecord, TimeUsed, Writer,
};
use cornerman_report::Tournament;
use cornerman_report::games::boxing::VIEW;
use cornerman_report::html::{Logs, MOST_BYTES, PageSource, page, site};
use cornerman_report::rating::Ratings;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

/// The number of boards.
const BOARDS: u32 = 3;

fn main() {
    let args: Vec<String> = std::env::args().skip(1).filter(|arg| !arg.starts_with('-')).collect();
    let number = |at: usize, usual: u32| args.get(at).and_then(|arg| arg.parse().ok()).unwrap_or(usual);
    let entrants = number(0, 100);
    let games = number(1, 30_000);
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("bench-{entrants}-{games}.db"));
    if let Some(form) = args.get(2) {
        return measure(form, &path, entrants, games);
    }
    if !path.exists() {
        let start = Instant::now();
        invent(&path, entrants, games);
        println!("{:<44} {:>9.3} s", "making the record, once", start.elapsed().as_secs_f64());
    }
    let size = std::fs::metadata(&path).map_or(0, |data| data.len());
    println!("{:<44} {:>9.1} MB", format!("record of {entrants} entrants"), size as f64 / 1e6);
    let own = std::env::current_exe().expect("this program");
    for form in ["page", "site"] {
        let ran = Command::new(&own).args([entrants.to_string(), games.to_string(), form.to_string()]).status();
        assert!(ran.expect("this program again").success(), "{form}");
    }
}

/// Makes the page or the site, and prints what it took.
fn measure(form: &str, path: &Path, entrants: u32, games: u32) {
    let start = Instant::now();
    let record = Record::open(path).expect("the record");
    let header = record.header().expect("a header");
    let who = record.entrants().expect("entrants");
    let contest = contest(entrants, games);
    let results = record.results().expect("results");
    let tournament = Tournament::new(&header, &who, &contest, &results);
    let ruleset = KIT.default_ruleset();
    let tournament = &tournament;
    let record = &record;
    let source = PageSource {
        tournament,
        record,
        ruleset: &ruleset,
        view: &VIEW,
        ratings: Ratings::NONE,
        logs: Logs::None,
        live: None,
        why: None,
        command: "cargo xtask",
    };
    let mut files = 0u32;
    let mut bytes = 0;
    match form {
        "page" => {
            bytes = page(&source, MOST_BYTES).expect("a page").len();
            files = 1;
        }
        _ => site(&source, &mut |_, content| {
            files += 1;
            bytes += content.len();
            Ok(())
        })
        .expect("a site"),
    }
    let took = start.elapsed().as_secs_f64();
    println!("{:<44} {took:>9.3} s", format!("{form}/of {} games", results.len()));
    println!("{:<44} {:>9.3} s", format!("{form}/on a processor"), on_a_processor());
    println!("{:<44} {:>9.1} MB in {files} files", format!("{form}/size"), bytes as f64 / 1e6);
    println!("{:<44} {:>9.1} MiB", format!("{form}/most memory"), most_memory());
}

/// The processor time of this thread in seconds, which a busy machine does not distort.
fn on_a_processor() -> f64 {
    let times = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanos = times.split(' ').next().and_then(|nanos| nanos.parse::<f64>().ok());
    nanos.unwrap_or(f64::NAN) / 1e9
}

/// The largest resident memory of this process so far, in MiB.
fn most_memory() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kib = line.and_then(|line| line.trim().split(' ').next()?.parse::<f64>().ok());
    kib.unwrap_or(f64::NAN) / 1024.0
}

/// Everyone against everyone, as often as it takes to have about `games` games.
fn contest(entrants: u32, games: u32) -> Contest {
    let pairs = entrants * (entrants - 1) / 2;
    let games_per_order = GamesPerOrder::new((games / (pairs * 2 * BOARDS)).max(1));
    let boards = Some((0..BOARDS).map(BoardNumber).collect());
    let format =
        Format::AllPlayAll(all_play_all::AllPlayAllSettings { boards, games_per_order, ..Default::default() });
    let field = Field::new(entrants as u16, 0);
    Contest::new(field, vec![Stage { format, who: Participants::All }], 1).expect("a contest")
}

/// Writes a record of real games, in which random players prefer large squares.
fn invent(path: &Path, entrants: u32, games: u32) {
    let header = Header {
        contest: "Large".to_string(),
        game: "boxing".to_string(),
        ruleset: "boxing-1994".to_string(),
        ruleset_text: KIT.default_ruleset().text,
        stages: vec![StageRecord {
            name: "Everyone".to_string(),
            kind: "all-play-all".to_string(),
            ..StageRecord::default()
        }],
        ..Header::default()
    };
    let unfinished = path.with_extension("unfinished");
    std::fs::remove_file(&unfinished).ok();
    let mut writer = Writer::create_or_resume(&unfinished, &header).expect("a record");
    writer.set_durable(false).expect("durability");
    let entrant = |number: u32| EntrantRecord { name: format!("bot {number}"), ..EntrantRecord::default() };
    writer.add_entrants(&(0..entrants).map(entrant).collect::<Vec<_>>()).expect("entrants");
    let boards: Vec<Vec<u8>> = (0..BOARDS).map(|n| Arena::generate(n.into()).to_bytes().to_vec()).collect();
    let Plan::Play(due) = contest(entrants, games).plan(&Results::new()).expect("a plan") else {
        return;
    };
    for (nth, pairing) in (0u64..).zip(due) {
        let setup =
            Setup { seats: 2, board: boards[pairing.board as usize].clone(), marks: b"AB".to_vec(), seed: nth };
        let (moves, outcome) = play(&setup);
        let conduct = SeatRecord { asked: moves.len() as u32 / 2, ..SeatRecord::default() };
        let game = GameRecord {
            pairing,
            setup,
            outcome,
            started_ms: 1_700_000_000_000 + nth * 100,
            wall: Duration::from_millis(90),
            host: "bench".to_string(),
            moves,
            faults: Vec::new(),
            seats: vec![conduct.clone(), conduct],
        };
        writer.add_game(&game).expect("a game");
    }
    drop(writer);
    std::fs::rename(unfinished, path).expect("the record in its place");
}

/// A game in which both seats take one of the eight largest squares at random.
fn play(setup: &Setup) -> (Vec<MoveRecord>, cornerman::game::Outcome) {
    let rules = cornerman::games::boxing::Boxing { max_square: LARGEST_SQUARE };
    let mut table = cornerman::game::InProgress::new(rules, setup).expect("a table");
    let mut rng = cornerman::rng::Rng::new(setup.seed);
    let mut moves = Vec::new();
    while table.to_act() != Seats::NONE {
        let seat = table.to_act().iter().next().expect("a seat to act");
        let mut arena = Arena::parse(&table.view(seat)).expect("an arena");
        let mut squares: Vec<Square> = arena.vacant().squares().collect();
        squares.sort_by_key(|square| std::cmp::Reverse(square.size));
        let square = squares[rng.draw() as usize % squares.len().min(8)];
        arena.fill(square, setup.marks[seat.index()]);
        let notation = table.answer(seat, &arena.to_bytes()).expect("a legal move");
        let wall = Duration::from_micros(500 + rng.draw() % 20_000);
        let used = TimeUsed { wall, cpu: wall / 2, lag: Duration::ZERO };
        moves.push(MoveRecord { number: moves.len() as u32 + 1, seat, notation, used, remarks: Vec::new() });
    }
    (moves, table.outcome().expect("it is over"))
}
