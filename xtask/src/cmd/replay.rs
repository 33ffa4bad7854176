//! `replay DB GAME`: a recorded game, step by step; or a bot put in a seat's place up to a move.

mod feed;

use crate::cli::{self, PlayFormat};
use crate::exit::{Exit, Failure};
use crate::registry::Registry;
use crate::show;
use cornerman::game::Seat;
use cornerman_harness::record::{GameRecord, Record, pairing_named};
use cornerman_report::replay::Replay;
use feed::Fed;
use std::io::Write;

/// Shows the game, or feeds a seat's part of it to a bot.
pub fn run(args: cli::Replay, games: &Registry) -> Result<Exit, Failure> {
    let record = Record::open(&args.db)?;
    let game = find(&record, &args.game)?;
    let ruleset = games.recorded(&record, &record.header()?)?;
    let entrants = record.entrants()?;
    let replay = Replay::of(&game, &entrants, &ruleset, games.of(&ruleset).view).map_err(Failure::usage)?;
    if let Some(fed) = &args.feed {
        let (number, seat) = seat_of(&game, &fed[0], args.at)?;
        return Fed { replay: &replay, game: &game, ruleset: &ruleset, seat }.feed(&fed[1], number, &args, games);
    }
    let mut out = anstream::stdout();
    match args.format {
        PlayFormat::Json => writeln!(out, "{}", show::plain_json(replay.json(args.at).map_err(Failure::usage)?))?,
        PlayFormat::Text => {
            write!(out, "{}", replay.text(args.at, show::style_for(&out)).map_err(Failure::usage)?)?;
        }
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
