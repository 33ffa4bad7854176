//! `play BOT BOT…`: a game or a match, shown as it goes.

mod json;
mod text;

use crate::bots;
use crate::cli::{self, PlayFormat};
use crate::exit::{Exit, Failure};
use cornerman::game::{MAX_SEATS, Outcome, Seat, Setup};
use cornerman::games::boxing::{Arena, LARGEST_SQUARE, marks_of};
use cornerman_harness::bot::Bot;
use cornerman_harness::player::Player;
use cornerman_harness::player::arena_pipe::ArenaPipe;
use cornerman_harness::player::human::Human;
use cornerman_harness::referee::{self, Event};
use cornerman_harness::sandbox::{Level, claim_marks};
use std::io::{self, BufReader, IsTerminal};
use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// The word for a human's seat.
const HUMAN: &str = "human";

/// Everything a match is played from; nothing runs before all of it is known to be right.
struct Match {
    /// By entrant, in the order of the command line; `None` is the human.
    entrants: Vec<Option<Bot>>,
    marks: Vec<u8>,
    board: Vec<u8>,
    seed: u64,
    isolation: Option<Level>,
    games: usize,
}

/// Something that shows games.
trait Reporter {
    /// An event of game `game`, from 0, in which `seats` says which entrant has which seat.
    fn event(&mut self, game: usize, seats: &[usize], event: &Event) -> io::Result<()>;

    /// All games are over: the results by entrant.
    fn end(&mut self, names: &[String], results: &[Tally]) -> io::Result<()>;
}

/// What an entrant made of a match.
#[derive(Clone, Copy, Debug, Default)]
struct Tally {
    wins: u32,
    score: i64,
    forfeits: u32,
}

/// Plays the match.
pub fn run(args: cli::Play) -> Result<Exit, Failure> {
    let watching = io::stdout().is_terminal() && !args.quiet;
    let delay = Duration::from_millis(args.delay.unwrap_or(if watching { 60 } else { 0 }));
    let (format, quiet) = (args.format, args.quiet);
    let match_ = prepare(args)?;
    let reporter: &mut dyn Reporter = match format {
        PlayFormat::Json => &mut json::Lines::new(quiet),
        PlayFormat::Text => &mut text::Picture::new(quiet, watching, delay, match_.marks.clone(), match_.seed),
    };
    play(&match_, reporter)
}

fn prepare(args: cli::Play) -> Result<Match, Failure> {
    let seats = u8::try_from(args.bots.len()).unwrap_or(u8::MAX);
    if !(2..=MAX_SEATS).contains(&seats) {
        return Err(Failure::usage(format!("a game has 2 to {MAX_SEATS} bots, not {}", args.bots.len())));
    }
    let seed = args.seed.unwrap_or_else(any_seed);
    let board = match &args.board {
        Some(file) => read_board(file)?,
        None => Arena::generate(seed).to_bytes().to_vec(),
    };
    let marks = args.marks.unwrap_or_default().into_bytes();
    let setup = Setup { seats, board: board.clone(), marks, seed };
    let marks = marks_of(&setup).map_err(Failure::usage)?;
    let paths: Vec<&String> = args.bots.iter().filter(|spec| *spec != HUMAN).collect();
    let mut loaded = bots::load_all(paths)?.into_iter();
    let entrants = args.bots.iter().map(|spec| if spec == HUMAN { None } else { loaded.next() }).collect();
    let games = if args.whole_match { args.bots.len() } else { 1 };
    Ok(Match { entrants, marks, board, seed, isolation: args.isolation, games })
}

fn any_seed() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::from(now.subsec_nanos()) ^ now.as_secs()
}

/// Reads an arena file; what is wrong with it is told with line and column.
fn read_board(file: &Path) -> Result<Vec<u8>, Failure> {
    let shown = file.display();
    let text = std::fs::read(file).map_err(|e| Failure::usage(format!("cannot read the arena {shown}: {e}")))?;
    let arena = Arena::parse(&text).map_err(|wrong| {
        let at = wrong.spots.first().map_or(String::new(), |at| format!("{}:{}:", at.row + 1, at.col + 1));
        Failure::usage(format!("{shown}:{at} {}; an arena is 16 lines of 32 characters (B6)", wrong.detail))
    })?;
    if arena.vacancy().is_empty() {
        return Err(Failure::usage(format!(
            "{shown}: the arena has no vacant spot (`-`): nothing to play for (B1)"
        )));
    }
    Ok(text)
}

fn play(match_: &Match, reporter: &mut dyn Reporter) -> Result<Exit, Failure> {
    let count = match_.entrants.len();
    let mut results = vec![Tally::default(); count];
    for game in 0..match_.games {
        // Each game of a match begins one entrant further on.
        let seats: Vec<usize> = (0..count).map(|seat| (seat + game) % count).collect();
        let mut told = Ok(());
        let outcome = play_game(match_, &seats, &mut |event| {
            if let Event::Faulted { seat, .. } = &event {
                results[seats[seat.index()]].forfeits += 1;
            }
            if told.is_ok() {
                told = reporter.event(game, &seats, &event);
            }
        })?;
        told?;
        for (seat, &entrant) in seats.iter().enumerate() {
            results[entrant].wins += u32::from(outcome.places[seat] == 1);
            results[entrant].score += outcome.points[seat];
        }
    }
    let name = |entrant: &Option<Bot>| entrant.as_ref().map_or(HUMAN.to_string(), |bot| bot.name.clone());
    let names: Vec<String> = match_.entrants.iter().map(name).collect();
    reporter.end(&names, &results)?;
    Ok(Exit::Fine)
}

/// One game, in which `seats` says which entrant sits where.
fn play_game(match_: &Match, seats: &[usize], watch: &mut dyn FnMut(Event)) -> Result<Outcome, Failure> {
    let setup = Setup {
        seats: seats.len() as u8,
        board: match_.board.clone(),
        marks: match_.marks.clone(),
        seed: match_.seed,
    };
    let boxing = cornerman::games::find("boxing").expect("the registry has the usual game");
    let mut table = (boxing.open)(&setup).map_err(Failure::usage)?;
    let _claim = claim_marks(&match_.marks)?;
    let mut players: Vec<Box<dyn Player>> = Vec::new();
    for (seat, &entrant) in (0u8..).map(Seat).zip(seats) {
        let mark = match_.marks[seat.index()];
        players.push(match &match_.entrants[entrant] {
            Some(bot) => Box::new(ArenaPipe::open(bot, mark, match_.isolation)?),
            None => Box::new(Human::new(mark, LARGEST_SQUARE, BufReader::new(io::stdin()), anstream::stderr())),
        });
    }
    Ok(referee::play(&mut *table, &setup, &mut players, watch)?)
}
