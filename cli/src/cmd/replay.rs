//! `replay DB GAME`: steps through a recorded game; with `--feed`, sends a bot what a seat of it was sent, and compares
//! its answers with the record.

use crate::options::{IsolationArgs, LanguagesArgs, PlayFormat};
use crate::{CliError, Exit, Registry, bots, rules, show};
use clap::Args;
use cornerman::game::{LiveGame, Reply, Seat};
use cornerman_harness::player::seating::{self, Seated};
use cornerman_harness::player::{self, Answer};
use cornerman_harness::record::{GameRecord, Record, parse_game_id};
use cornerman_harness::ruleset::Ruleset;
use cornerman_report::replay::{Replay, ReplayedTurn};
use cornerman_report::shown;
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
        note!("note: this is an extract for the author of {}: it has no logs of other bots", show::plain(bot));
    }
    let replay = Replay::new(&game, &entrants, &ruleset, games.entry_for(&ruleset).view)?.with_logs(logs);
    if let Some(fed) = &args.feed {
        let number = args.at.ok_or_else(|| CliError::usage("--feed needs --at N, the move to ask the bot for"))?;
        let seat = seat_named(&game, "--feed", &fed[0], "")?;
        return FedGame { replay: &replay, game: &game, ruleset: &ruleset, seat }
            .feed(&fed[1], number, &args, games);
    }
    let mut out = show::stdout();
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

/// The seats of `--log`.
fn logs(game: &GameRecord, log: &str) -> Result<Vec<Seat>, CliError> {
    match log {
        "all" => Ok((0..game.pairing.seats.len() as u8).map(Seat).collect()),
        number => Ok(vec![seat_named(game, "--log", number, ", or `all`")?]),
    }
}

/// The seat with this number, counted from 1, as `option` names it. `alternative` is what the option may say instead.
fn seat_named(game: &GameRecord, option: &str, number: &str, alternative: &str) -> Result<Seat, CliError> {
    let seats = game.pairing.seats.len();
    let number = number.parse::<u8>().ok().filter(|number| (1..=seats).contains(&usize::from(*number)));
    let wrong = || usage!("{option}: the seat must be a number from 1 to {seats}{alternative}");
    number.map(|number| Seat(number - 1)).ok_or_else(wrong)
}

/// A recorded game in which a bot takes the place of a seat.
struct FedGame<'a> {
    pub replay: &'a Replay<'a>,
    /// The same game as the record has it.
    pub game: &'a GameRecord,
    pub ruleset: &'a Ruleset,
    pub seat: Seat,
}

impl FedGame<'_> {
    /// Sends the bot everything that the seat was sent up to move `number`, counted from 1, and judges its answer
    /// there. Before that the game goes on as recorded, whatever the bot answers, unless it forfeits: that ends it. A
    /// bot that is started anew for each move is asked for its earlier moves too, because it may keep notes (B9).
    ///
    /// # Errors
    /// When the seat has no such move, the bot cannot be loaded or plays another game, or the sandbox fails.
    fn feed(&self, bot: &str, number: u32, args: &ReplayArgs, games: &Registry) -> Result<Exit, CliError> {
        let turns = self.replay.turns(number, self.seat)?;
        let (&due, earlier) = turns.split_last().expect("the move is the last of them");
        let languages = args.languages.read()?;
        let mut bot = bots::load(bot, args.isolation.loader(&languages, games))?;
        rules::agree(self.ruleset.game(), std::slice::from_ref(&bot))?;
        bot.limits = bot.limits.within(&self.ruleset.limits);
        let player = seating::seat(&bot, self.ruleset, self.seat, bot.sandbox(args.isolation.conditions()?)?)?;
        let mut seated = Seated::new(vec![player], &self.game.setup.marks)?;
        let player = &mut seated.players[0];
        player.start(&self.game.setup, self.seat)?;
        let mut out = show::stdout();
        let mut alike = 0u32;
        let mut failed = None;
        let mut differs = None;
        let mut follower = self.replay.follow();
        for &turn in earlier {
            let live = follower.before(turn);
            let answer = player.ask(&player::Turn { view: turn.view, game: live, seat: turn.seat })?;
            match &answer.reply {
                Err(fault) => {
                    failed = Some(format!("move {}: the bot forfeits: {}", turn.number, show::plain(fault)));
                    break;
                }
                Ok(given) if differs.is_none() => match difference(live, turn, given) {
                    None => alike += 1,
                    words => differs = words,
                },
                Ok(_) => {}
            }
        }
        match &differs {
            Some(words) => writeln!(out, "its answers differ from the record from {words}")?,
            None if alike > 0 => {
                writeln!(out, "{} before move {number} as recorded", show::count(alike, "answer"))?;
            }
            None => {}
        }
        let exit = match failed {
            Some(words) => {
                writeln!(out, "{words}")?;
                Exit::No
            }
            None => {
                let live = follower.before(due);
                let answer = player.ask(&player::Turn { view: due.view, game: live, seat: due.seat })?;
                judge(live, due, &answer, &mut out)?
            }
        };
        let errors = player.finish()?.errors_tail;
        if !errors.is_empty() {
            writeln!(out, "standard error:\n{}", show::plain_lines(&errors))?;
        }
        Ok(exit)
    }
}

/// How an answer differs from the recorded one, if it does, in words that follow "from".
fn difference(live: &dyn LiveGame, turn: ReplayedTurn, given: &Reply) -> Option<String> {
    let recorded = turn.notation?;
    let same = live.judge(turn.seat, given).is_ok_and(|notation| notation == recorded);
    let given = shown(&String::from_utf8_lossy(given.as_bytes()));
    (!same).then(|| format!("move {} on: {given} instead of {}", turn.number, shown(recorded)))
}

/// Prints the bot's answer at the move that it was asked for, and whether it is legal.
fn judge(live: &dyn LiveGame, due: ReplayedTurn, answer: &Answer, out: &mut dyn Write) -> Result<Exit, CliError> {
    let took = show::duration(answer.spent.wall);
    let recorded = match due.notation {
        Some(notation) => format!("the record has {}", shown(notation)),
        None => "in the record, the seat forfeits".to_string(),
    };
    let given = match &answer.reply {
        Ok(given) => given,
        Err(fault) => {
            let fault = show::plain(fault);
            writeln!(out, "move {}: the bot forfeits: {fault}, after {took}; {recorded}", due.number)?;
            return Ok(Exit::No);
        }
    };
    let text = String::from_utf8_lossy(given.as_bytes()).trim_end_matches('\n').to_string();
    writeln!(out, "{}", show::plain_lines(text))?;
    match live.judge(due.seat, given) {
        Ok(notation) if due.notation == Some(&notation) => {
            writeln!(out, "{notation}, legal, as recorded, after {took}")?;
            Ok(Exit::Fine)
        }
        Ok(notation) => {
            writeln!(out, "{notation}, legal, after {took}; {recorded}")?;
            Ok(Exit::Fine)
        }
        Err(violation) => {
            writeln!(out, "not legal: {}, after {took}; {recorded}", show::plain(violation))?;
            Ok(Exit::No)
        }
    }
}
