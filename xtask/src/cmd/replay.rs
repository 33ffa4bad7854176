//! `replay DB GAME`: a recorded game, step by step; or a move of it, asked of a bot again.

mod lines;

use crate::bots;
use crate::cli::{self, PlayFormat};
use crate::exit::{Exit, Failure};
use crate::show;
use anyhow::anyhow;
use cornerman::game::Seat;
use cornerman::games::boxing::{Arena, LARGEST_SQUARE, judge};
use cornerman_harness::record::{GameRecord, Record, pairing_named};
use cornerman_harness::sandbox::{Order, Sandbox};
use cornerman_report::replay::{Replay, input_of};
use std::io::Write;

/// Shows the game, or feeds a move of it to a bot.
pub fn run(args: cli::Replay) -> Result<Exit, Failure> {
    let record = Record::open(&args.db)?;
    let game = find(&record, &args.game)?;
    let header = record.header()?;
    if matches!(header.game.as_str(), "go" | "rps") {
        return lines::run(&record, &header, &game, &args);
    }
    if let Some(fed) = &args.feed {
        return feed(&game, &fed[0], &fed[1], args.at, &args);
    }
    let entrants = record.entrants()?;
    let replay = Replay::of(&game, &entrants).map_err(Failure::usage)?;
    let mut out = anstream::stdout();
    if args.format == PlayFormat::Json {
        writeln!(out, "{}", show::plain_json(replay.json(args.at).map_err(Failure::usage)?))?;
        return Ok(Exit::Fine);
    }
    let steps = match args.at {
        Some(number) => vec![replay.steps_to(number).map_err(Failure::usage)?],
        None => (0..=replay.len()).collect(),
    };
    let style = show::style_for(&out);
    for step in steps {
        writeln!(out, "{}", replay.text(step, style))?;
    }
    Ok(Exit::Fine)
}

/// The game of this name.
///
/// # Errors
/// When there is none, or it cannot be read.
pub fn find(record: &Record, name: &str) -> Result<GameRecord, Failure> {
    let id = pairing_named(name)
        .ok_or_else(|| Failure::usage(format!("`{name}` names no game: games are named like s1/r2/m3/g1")))?;
    let game = record.game(id)?;
    game.ok_or_else(|| {
        let games = record.games().map(|games| games.len()).unwrap_or(0);
        Failure::usage(format!("game {id} is not among the {games} in {}", record.path().display()))
    })
}

/// Which move of which seat a bot is to be asked for.
fn seat_of(game: &GameRecord, seat: &str, at: Option<u32>) -> Result<(u32, Seat), Failure> {
    let number = at.ok_or_else(|| Failure::usage("--feed needs --at: which move is the bot to be asked for?"))?;
    let seats = game.pairing.seats.len();
    let seat = seat.parse::<u8>().ok().filter(|seat| (1..=seats).contains(&usize::from(*seat)));
    let seat = seat.ok_or_else(|| Failure::usage(format!("--feed: the seat is a number from 1 to {seats}")))?;
    Ok((number, Seat(seat - 1)))
}

/// Runs a bot on what a seat was given at a move, and judges what it answers now.
fn feed(game: &GameRecord, seat: &str, bot: &str, at: Option<u32>, args: &cli::Replay) -> Result<Exit, Failure> {
    let (number, seat) = seat_of(game, seat, at)?;
    let (mark, input) = input_of(game, number, Some(seat)).map_err(Failure::usage)?;
    let languages = args.languages.read()?;
    let bot = bots::load(bot, args.isolation.terms(&languages))?;
    let mut sandbox = Sandbox::open(&bot.program, &bot.limits, args.isolation.conditions()?)?;
    let report = sandbox.run(&Order::of_move(mark, &input))?;
    let mut out = anstream::stdout();
    writeln!(out, "{}", show::plain_lines(String::from_utf8_lossy(&report.output)))?;
    let arena = Arena::parse(&input).map_err(|wrong| Failure::Kit(anyhow!("the record's arena: {wrong}")))?;
    let took = show::time(report.wall);
    let exit = match judge(&arena, mark, LARGEST_SQUARE, &report.output) {
        Ok(Some(square)) => {
            writeln!(out, "{square}, legal, after {took}")?;
            Exit::Fine
        }
        Ok(None) => {
            writeln!(out, "the full arena, unchanged, after {took}")?;
            Exit::Fine
        }
        Err(violation) => {
            writeln!(out, "not legal: {violation}; it ended: {:?}, after {took}", report.ended)?;
            Exit::No
        }
    };
    let errors = report.errors_tail(20);
    if !errors.is_empty() {
        writeln!(out, "standard error:\n{}", show::plain_lines(&errors))?;
    }
    Ok(exit)
}
