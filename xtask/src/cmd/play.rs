//! `play BOT BOT…`: a game or a match, shown as it goes.

mod json;
mod text;

use crate::bots;
use crate::cli::{self, PlayFormat};
use crate::exit::{Exit, Failure};
use crate::registry::Registry;
use crate::rules;
use cornerman::game::{MAX_SEATS, Outcome, Seat, Setup};
use cornerman_harness::bot::Bot;
use cornerman_harness::kit::Start;
use cornerman_harness::nearest::did_you_mean_file;
use cornerman_harness::player::Player;
use cornerman_harness::player::human::Human;
use cornerman_harness::player::seating::{self, Seated};
use cornerman_harness::referee::{self, Event};
use cornerman_harness::ruleset::Ruleset;
use cornerman_harness::sandbox::Conditions;
use std::io::{self, IsTerminal};
use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// The word for a human's seat.
const HUMAN: &str = "human";

/// Everything a match is played from; nothing runs before all of it is known to be right.
struct Match {
    /// By entrant, in the order of the command line; `None` is the human.
    entrants: Vec<Option<Bot>>,
    /// The rules, with the marks of this match.
    ruleset: Ruleset,
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
pub fn run(args: cli::Play, games: &Registry) -> Result<Exit, Failure> {
    // What a human types would stand between a picture and the next: then none is drawn over another.
    let watching = io::stdout().is_terminal() && !args.quiet && !args.bots.iter().any(|bot| bot == HUMAN);
    let (format, quiet, delay) = (args.format, args.quiet, args.delay);
    let match_ = prepare(args, games)?;
    let look = games.of(&match_.ruleset).view.of(&match_.ruleset);
    // Rounds without a board go by too fast to be watched one by one.
    let usual_delay = if watching && look.extent().is_some() { 60 } else { 0 };
    let delay = Duration::from_millis(delay.unwrap_or(usual_delay));
    let reporter: &mut dyn Reporter = match format {
        PlayFormat::Json => &mut json::Lines::new(quiet),
        PlayFormat::Text => {
            let in_place = watching && text::fits_the_terminal(&*look);
            let marks = match_.ruleset.marks.clone();
            &mut text::Picture::new(look, quiet, in_place, delay, marks, &match_.origin)
        }
    };
    play(&match_, reporter)
}

fn prepare(args: cli::Play, games: &Registry) -> Result<Match, Failure> {
    let seats = u8::try_from(args.bots.len()).unwrap_or(u8::MAX);
    if !(2..=MAX_SEATS).contains(&seats) {
        let hint = if seats == 1 { ": `@greedy` is one, `bots` lists more" } else { "" };
        return Err(Failure::usage(format!("a game has 2 to {MAX_SEATS} bots, not {}{hint}", args.bots.len())));
    }
    let conditions = args.isolation.conditions()?;
    let paths: Vec<&String> = args.bots.iter().filter(|spec| *spec != HUMAN).collect();
    let languages = args.languages.read()?;
    let mut loaded = bots::load_all(paths, &args.handed_in.with, args.isolation.makings(&languages, games))?;
    let mut ruleset = rules::rules(args.game.as_deref(), args.rules.as_deref(), &loaded, games, conditions)?;
    let (least, most) = ruleset.seats;
    if !(least..=most).contains(&seats) {
        let title = &ruleset.title;
        let wanted = if least == most { least.to_string() } else { format!("{least} to {most}") };
        return Err(Failure::usage(format!("{title} has {wanted} bots, not {seats}")));
    }
    ruleset.marks = marks(&ruleset, args.marks, seats)?;
    let (seed, board, origin) = start(&ruleset, args.board.as_deref(), args.seed)?;
    let overrides = args.limits.overrides();
    loaded.iter_mut().for_each(|bot| bot.limits = overrides.over(bot.limits.clone().by(&ruleset.limits)));
    let mut loaded = loaded.into_iter();
    let entrants = args.bots.iter().map(|spec| if spec == HUMAN { None } else { loaded.next() }).collect();
    let count = if args.whole_match { args.bots.len() } else { 1 };
    Ok(Match { entrants, ruleset, board, seed, origin, conditions, games: count })
}

/// The seed, the board and where it comes from, so that the game can be played again.
fn start(ruleset: &Ruleset, board: Option<&Path>, seed: Option<u64>) -> Result<(u64, Vec<u8>, String), Failure> {
    let start = ruleset.kit().start();
    let what = if let Start::Board(what) = start { what } else { "board" };
    if let Some(file) = board {
        return Ok((0, read_board(ruleset, file, what)?, format!("the {what} of {}", file.display())));
    }
    let title = &ruleset.title;
    let seed = match start {
        Start::Fixed => seed.unwrap_or(0),
        Start::Board(_) | Start::Seed => seed.unwrap_or_else(any_seed),
    };
    let origin = match start {
        Start::Board(what) => format!("the {what} of --seed {seed}"),
        Start::Seed => format!("{title}, --seed {seed}"),
        Start::Fixed => title.clone(),
    };
    Ok((seed, ruleset.board(seed), origin))
}

/// The marks of a match: those asked for where they can be chosen, else the ruleset's.
fn marks(ruleset: &Ruleset, wanted: Option<String>, seats: u8) -> Result<Vec<u8>, Failure> {
    let wrong = |why: String| Failure::usage(format!("--marks: {why}"));
    match wanted {
        None => Ok(ruleset.marks[..usize::from(seats)].to_vec()),
        Some(wanted) => match ruleset.kit().marks(&wanted, seats) {
            Some(marks) => marks.map_err(wrong),
            None => Err(wrong(format!("{} has no marks to choose", ruleset.title))),
        },
    }
}

fn any_seed() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::from(now.subsec_nanos()) ^ now.as_secs()
}

/// Reads the file of a board, called `what`; what is wrong with it is reported with line and column.
fn read_board(ruleset: &Ruleset, file: &Path, what: &str) -> Result<Vec<u8>, Failure> {
    let shown = file.display();
    let board = std::fs::read(file).map_err(|error| {
        let hint = if error.kind() == io::ErrorKind::NotFound { did_you_mean_file(file) } else { String::new() };
        Failure::usage(format!("cannot read the {what} {shown}: {error}{hint}"))
    })?;
    ruleset.check_board(&board).map_err(|wrong| {
        let at = wrong.at.map_or(String::new(), |at| format!("{}:{}:", at.row + 1, at.col + 1));
        Failure::usage(format!("{shown}:{at} {}", wrong.words))
    })?;
    Ok(board)
}

fn play(match_: &Match, reporter: &mut dyn Reporter) -> Result<Exit, Failure> {
    let count = match_.entrants.len();
    let mut results = vec![Tally::default(); count];
    for game in 0..match_.games {
        // Each game of a match begins one entrant further on.
        let seats: Vec<usize> = (0..count).map(|seat| (seat + game) % count).collect();
        let (mut told, mut forfeited) = (Ok(()), Vec::new());
        let outcome = play_game(match_, &seats, &mut |event| {
            if let Event::Faulted { seat, .. } = &event {
                forfeited.push(seats[seat.index()]);
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
        marks: match_.ruleset.marks.clone(),
        seed: match_.seed,
    };
    let ruleset = &match_.ruleset;
    let mut table = ruleset.open(&setup).map_err(Failure::usage)?;
    let mut players: Vec<Box<dyn Player>> = Vec::new();
    for (seat, &entrant) in (0u8..).map(Seat).zip(seats) {
        players.push(match &match_.entrants[entrant] {
            Some(bot) => seating::open(bot, ruleset, seat, match_.conditions)?,
            None => human(ruleset),
        });
    }
    let mut seated = Seated::new(players, &setup.marks)?;
    Ok(referee::play(&mut *table, &setup, &mut seated.players, watch)?)
}

/// The human at the terminal.
fn human(ruleset: &Ruleset) -> Box<dyn Player> {
    let by = ruleset.clone();
    let typed = Box::new(move |line: &str| by.typed(line));
    let read_line = |line: &mut String| io::stdin().read_line(line);
    Box::new(Human::new(typed, ruleset.kit().prompt(), read_line, anstream::stderr()))
}
