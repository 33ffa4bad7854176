//! `play BOT BOT…`: a game or a match, shown as it goes.

mod json;
mod text;

use crate::bots;
use crate::cli::{self, PlayFormat};
use crate::exit::{Exit, Failure};
use cornerman::game::{MAX_SEATS, Outcome, Seat, Setup};
use cornerman::games::boxing::{Arena, LARGEST_SQUARE, marks_of};
use cornerman_harness::bot::Bot;
use cornerman_harness::nearest::did_you_mean_file;
use cornerman_harness::player::Player;
use cornerman_harness::player::arena_pipe::ArenaPipe;
use cornerman_harness::player::human::Human;
use cornerman_harness::player::seating::Seated;
use cornerman_harness::referee::{self, Event};
use cornerman_harness::sandbox::Conditions;
use std::io::{self, IsTerminal};
use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// The word for a human's seat.
const HUMAN: &str = "human";

/// The game that is played.
const GAME: &str = "boxing";

/// Everything a match is played from; nothing runs before all of it is known to be right.
struct Match {
    /// By entrant, in the order of the command line; `None` is the human.
    entrants: Vec<Option<Bot>>,
    marks: Vec<u8>,
    board: Vec<u8>,
    seed: u64,
    /// Where the board comes from, so that the game can be played again.
    origin: String,
    conditions: Conditions,
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
    // What a human types would stand between a picture and the next: then none is drawn over another.
    let watching = io::stdout().is_terminal() && !args.quiet && !args.bots.iter().any(|bot| bot == HUMAN);
    let delay = Duration::from_millis(args.delay.unwrap_or(if watching { 60 } else { 0 }));
    let (format, quiet) = (args.format, args.quiet);
    let match_ = prepare(args)?;
    let reporter: &mut dyn Reporter = match format {
        PlayFormat::Json => &mut json::Lines::new(quiet),
        PlayFormat::Text => &mut text::Picture::new(
            quiet,
            watching && text::fits_the_terminal(),
            delay,
            match_.marks.clone(),
            &match_.origin,
        ),
    };
    play(&match_, reporter)
}

fn prepare(args: cli::Play) -> Result<Match, Failure> {
    let seats = u8::try_from(args.bots.len()).unwrap_or(u8::MAX);
    if !(2..=MAX_SEATS).contains(&seats) {
        let hint = if seats == 1 { ": `@greedy` is one, `bots` lists more" } else { "" };
        return Err(Failure::usage(format!("a game has 2 to {MAX_SEATS} bots, not {}{hint}", args.bots.len())));
    }
    let (seed, board, origin) = match &args.board {
        Some(file) => (0, read_board(file)?, format!("the arena of {}", file.display())),
        None => {
            let seed = args.seed.unwrap_or_else(any_seed);
            (seed, Arena::generate(seed).to_bytes().to_vec(), format!("the arena of --seed {seed}"))
        }
    };
    let conditions = args.isolation.conditions()?;
    let marks = read_marks(args.marks, seats)?;
    let paths: Vec<&String> = args.bots.iter().filter(|spec| *spec != HUMAN).collect();
    let mut loaded = bots::load_all(paths)?;
    loaded.iter().try_for_each(|bot| bot.must_play(GAME))?;
    args.limits.apply(&mut loaded);
    let mut loaded = loaded.into_iter();
    let entrants = args.bots.iter().map(|spec| if spec == HUMAN { None } else { loaded.next() }).collect();
    let games = if args.whole_match { args.bots.len() } else { 1 };
    Ok(Match { entrants, marks, board, seed, origin, conditions, games })
}

/// The marks that were asked for, or the usual ones.
fn read_marks(wanted: Option<String>, seats: u8) -> Result<Vec<u8>, Failure> {
    let wrong = |why: String| Failure::usage(format!("--marks: {why}"));
    if wanted.as_ref().is_some_and(String::is_empty) {
        return Err(wrong(format!("no marks for {seats} seats")));
    }
    let wanted = wanted.unwrap_or_default();
    if let Some(odd) = wanted.chars().find(|mark| !mark.is_ascii()) {
        return Err(wrong(format!("`{odd}` cannot be a mark: a mark is one byte, a printable ASCII character")));
    }
    let setup = Setup { seats, marks: wanted.into_bytes(), ..Setup::default() };
    marks_of(&setup).map_err(|error| wrong(error.to_string()))
}

fn any_seed() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::from(now.subsec_nanos()) ^ now.as_secs()
}

/// Reads an arena file; what is wrong with it is told with line and column.
fn read_board(file: &Path) -> Result<Vec<u8>, Failure> {
    let shown = file.display();
    let text = std::fs::read(file).map_err(|error| {
        let hint = if error.kind() == io::ErrorKind::NotFound { did_you_mean_file(file) } else { String::new() };
        Failure::usage(format!("cannot read the arena {shown}: {error}{hint}"))
    })?;
    if text.is_empty() {
        return Err(Failure::usage(format!(
            "{shown}: the file is empty; an arena is 16 lines of 32 characters (B6)"
        )));
    }
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
        let (mut told, mut forfeited) = (Ok(()), Vec::new());
        let outcome = play_game(match_, &seats, &mut |event| {
            match &event {
                Event::Faulted { seat, .. } => forfeited.push(seats[seat.index()]),
                Event::GameVoided { .. } => forfeited.clear(),
                _ => {}
            }
            if told.is_ok() {
                told = reporter.event(game, &seats, &event);
                end_if_nobody_reads(&told);
            }
        })?;
        told?;
        forfeited.into_iter().for_each(|entrant| results[entrant].forfeits += 1);
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

/// Ends the program when what it prints has no reader any more (`play … | head`): nobody is to wait for the
/// rest of a game that nobody sees. The sandboxes end with us.
fn end_if_nobody_reads(told: &io::Result<()>) {
    if told.as_ref().is_err_and(|error| error.kind() == io::ErrorKind::BrokenPipe) {
        std::process::exit(0);
    }
}

/// One game, in which `seats` says which entrant sits where.
fn play_game(match_: &Match, seats: &[usize], watch: &mut dyn FnMut(Event)) -> Result<Outcome, Failure> {
    let setup = Setup {
        seats: seats.len() as u8,
        board: match_.board.clone(),
        marks: match_.marks.clone(),
        seed: match_.seed,
    };
    let boxing = cornerman::games::find(GAME).expect("the registry has the usual game");
    (boxing.open)(&setup).map_err(Failure::usage)?;
    let table = || (boxing.open)(&setup).expect("it was set up just so before");
    let mut players: Vec<Box<dyn Player>> = Vec::new();
    for (seat, &entrant) in (0u8..).map(Seat).zip(seats) {
        let mark = match_.marks[seat.index()];
        players.push(match &match_.entrants[entrant] {
            Some(bot) => Box::new(ArenaPipe::open(bot, mark, match_.conditions)?),
            None => {
                let read_line = |line: &mut String| io::stdin().read_line(line);
                Box::new(Human::new(mark, LARGEST_SQUARE, read_line, anstream::stderr()))
            }
        });
    }
    let mut seated = Seated::new(players, &match_.marks)?;
    Ok(referee::play(&table, &setup, &mut seated.players, watch)?)
}
