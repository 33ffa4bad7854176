//! `replay DB GAME`: steps through a recorded game, or asks a bot for one of its moves.

mod feed;

use crate::options::{IsolationArgs, LanguagesArgs, PlayFormat};
use crate::{CliError, Exit, Registry, show};
use clap::Args;
use cornerman::game::Seat;
use cornerman_harness::record::{GameRecord, Record, parse_game_id};
use cornerman_report::replay::Replay;
use feed::FedGame;
use std::io::Write;
use std::path::PathBuf;

#[derive(Args)]
pub(crate) struct ReplayArgs {
    /// The record of a tournament
    pub db: PathBuf,
    /// The game, such as s1/r2/m3/g1
    pub game: String,
    /// Show only the position after this move, counted from 1; 0 is the start
    #[arg(long, value_name = "N")]
    pub at: Option<u32>,
    /// Show what the bot in SEAT, counted from 1, or in `all` seats wrote to standard error at each move
    #[arg(long, value_name = "SEAT")]
    pub log: Option<String>,
    /// Send BOT what SEAT, counted from 1, was sent up to the move `--at`, and compare its answers with the record
    #[arg(long, num_args = 2, value_names = ["SEAT", "BOT"], conflicts_with = "format")]
    pub feed: Option<Vec<String>>,
    /// Output format
    #[arg(long, value_enum, default_value_t = PlayFormat::Text)]
    pub format: PlayFormat,
    #[command(flatten)]
    pub isolation: IsolationArgs,
    #[command(flatten)]
    pub languages: LanguagesArgs,
}

/// Prints the game, or feeds it to a bot in place of one of its seats.
pub(crate) fn run(args: ReplayArgs, games: &Registry) -> Result<Exit, CliError> {
    let record = games.open_any(&args.db)?;
    let game = find(&record, &args.game)?;
    let game = GameRecord { pairing: record.versions()?.seated(&game.pairing), ..game };
    let ruleset = games.recorded(&record, &record.header()?)?;
    let entrants = record.entrants()?;
    let logs = args.log.as_deref().map_or(Ok(Vec::new()), |log| logs(&game, log))?;
    if let Some(extract) = record.extract()?
        && logs.iter().any(|seat| game.pairing.seats[seat.index()] != extract.bot)
    {
        let bot = &entrants[extract.bot.index()].name;
        eprintln!("note: this is an extract for the author of {}: it has no logs of other bots", show::plain(bot));
    }
    let replay = Replay::new(&game, &entrants, &ruleset, games.entry_for(&ruleset).view)?.with_logs(logs);
    if let Some(fed) = &args.feed {
        let (number, seat) = seat_of(&game, &fed[0], args.at)?;
        return FedGame { replay: &replay, game: &game, ruleset: &ruleset, seat }
            .feed(&fed[1], number, &args, games);
    }
    let mut out = anstream::stdout();
    match args.format {
        PlayFormat::Json => writeln!(out, "{}", show::json(replay.json(args.at)?))?,
        PlayFormat::Text => {
            write!(out, "{}", replay.text(args.at, show::style_for(&out))?)?;
        }
    }
    Ok(Exit::Fine)
}

/// The recorded game with this name, such as `s1/r2/m3/g1`.
///
/// # Errors
/// When the name is malformed, the record has no such game, or it cannot be read.
pub(crate) fn find(record: &Record, name: &str) -> Result<GameRecord, CliError> {
    let id =
        parse_game_id(name).ok_or_else(|| usage!("`{name}` is not the name of a game, such as s1/r2/m3/g1"))?;
    let game = record.game(id)?;
    game.ok_or_else(|| {
        let games = record.games().map(|games| games.len()).unwrap_or(0);
        usage!("game {id} is not among the {games} games of {}", record.path().display())
    })
}

/// The move, from `--at`, and the seat, from `--feed`, that a bot is asked for. Both options count from 1.
fn seat_of(game: &GameRecord, seat: &str, at: Option<u32>) -> Result<(u32, Seat), CliError> {
    let number = at.ok_or_else(|| CliError::usage("--feed needs --at N, the move to ask the bot for"))?;
    let seats = game.pairing.seats.len();
    let seat =
        seat_named(game, seat).ok_or_else(|| usage!("--feed: the seat must be a number from 1 to {seats}"))?;
    Ok((number, seat))
}

/// The seats of `--log`.
fn logs(game: &GameRecord, log: &str) -> Result<Vec<Seat>, CliError> {
    let seats = game.pairing.seats.len();
    if log == "all" {
        return Ok((0..seats as u8).map(Seat).collect());
    }
    let seat = seat_named(game, log);
    let seat = seat.ok_or_else(|| usage!("--log: the seat must be a number from 1 to {seats}, or `all`"))?;
    Ok(vec![seat])
}

/// The seat with this number, counted from 1.
fn seat_named(game: &GameRecord, number: &str) -> Option<Seat> {
    let number = number.parse::<u8>().ok()?;
    (1..=game.pairing.seats.len()).contains(&usize::from(number)).then(|| Seat(number - 1))
}
