//! Replays of Go and rock-paper-scissors: told as text or JSON, or a bot put in a seat's place up to a move.

use super::seat_of;
use crate::bots;
use crate::cli::{self, PlayFormat};
use crate::exit::{Exit, Failure};
use crate::games;
use crate::show;
use cornerman::game::Seat;
use cornerman_harness::player::Answer;
use cornerman_harness::player::seating::{self, Seated};
use cornerman_harness::record::{GameRecord, Header, Record};
use cornerman_harness::ruleset::Ruleset;
use cornerman_report::replay::{LineReplay, Turn};
use cornerman_report::shown;
use std::io::Write;
use std::path::Path;

/// Shows the game, or feeds a seat's part of it to a bot.
pub fn run(record: &Record, header: &Header, game: &GameRecord, args: &cli::Replay) -> Result<Exit, Failure> {
    let file = format!("{}.toml", header.ruleset);
    let ruleset = Ruleset::parse(Path::new(&file), &header.ruleset_text);
    let ruleset = ruleset
        .map_err(|mistake| Failure::usage(format!("the ruleset in {}: {mistake}", record.path().display())))?;
    let entrants = record.entrants()?;
    let replay = LineReplay::of(game, &entrants, &ruleset).map_err(Failure::usage)?;
    if let Some(fed) = &args.feed {
        let (number, seat) = seat_of(game, &fed[0], args.at)?;
        return Fed { replay: &replay, game, ruleset: &ruleset, seat }.feed(&fed[1], number, args);
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

/// A game in which a bot takes a seat's place.
struct Fed<'a> {
    replay: &'a LineReplay<'a>,
    game: &'a GameRecord,
    ruleset: &'a Ruleset,
    seat: Seat,
}

impl Fed<'_> {
    /// Tells the bot all that the seat was told up to move `number`, and judges what it answers then. Whatever it
    /// answers before, the game goes on as recorded.
    fn feed(&self, bot: &str, number: u32, args: &cli::Replay) -> Result<Exit, Failure> {
        let due = self.replay.turn(number, self.seat).map_err(Failure::usage)?;
        let languages = args.languages.read()?;
        let mut bot = bots::load(bot, args.isolation.terms(&languages))?;
        games::agree(self.ruleset.game(), std::slice::from_ref(&bot))?;
        bot.limits = bot.limits.by(&self.ruleset.limits);
        let player = seating::open(&bot, self.ruleset, self.seat, args.isolation.conditions()?)?;
        let mut seated = Seated::new(vec![player], &self.game.setup.marks)?;
        let player = &mut seated.players[0];
        player.start(&self.game.setup, self.seat)?;
        let mut out = anstream::stdout();
        let (mut alike, mut failed, mut differs) = (0u32, None, None);
        for turn in self.replay.turns_before(due) {
            let answer = player.ask(turn.view)?;
            match &answer.given {
                Err(fault) => {
                    failed = Some(format!("move {}: it forfeits: {}", turn.number, show::plain(fault)));
                    break;
                }
                Ok(given) if differs.is_none() => match self.difference(turn, given) {
                    None => alike += 1,
                    words => differs = words,
                },
                Ok(_) => {}
            }
        }
        match &differs {
            Some(words) => writeln!(out, "it differs from the record from {words}")?,
            None if alike > 0 => writeln!(out, "{} before it as recorded", show::count(alike, "answer"))?,
            None => {}
        }
        let exit = match failed {
            Some(words) => {
                writeln!(out, "{words}")?;
                Exit::No
            }
            None => self.judge(due, &player.ask(due.view)?, &mut out)?,
        };
        let errors = player.finish()?.errors_tail;
        if !errors.is_empty() {
            writeln!(out, "standard error:\n{}", show::plain_lines(&errors))?;
        }
        Ok(exit)
    }

    /// In what an answer differs from what was recorded of the turn, if it does.
    fn difference(&self, turn: Turn, given: &[u8]) -> Option<String> {
        let recorded = turn.notation?;
        // To set up the position takes longer than to look first whether that is needed.
        let same = given.eq_ignore_ascii_case(recorded.as_bytes())
            || self.replay.judge(turn, given).is_ok_and(|notation| notation == recorded);
        let given = shown(&String::from_utf8_lossy(given));
        (!same).then(|| format!("move {} on: {given}, where it has {}", turn.number, shown(recorded)))
    }

    /// Tells what the bot answered at the move that it was asked for.
    fn judge(&self, due: Turn, answer: &Answer, out: &mut dyn Write) -> Result<Exit, Failure> {
        let took = show::time(answer.spent.wall);
        let recorded = match due.notation {
            Some(notation) => format!("the record has {}", shown(notation)),
            None => "in the record it forfeits".to_string(),
        };
        let given = match &answer.given {
            Ok(given) => given,
            Err(fault) => {
                let fault = show::plain(fault);
                writeln!(out, "move {}: it forfeits: {fault}, after {took}; {recorded}", due.number)?;
                return Ok(Exit::No);
            }
        };
        writeln!(out, "{}", shown(&String::from_utf8_lossy(given)))?;
        match self.replay.judge(due, given) {
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
}
