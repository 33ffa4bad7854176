//! A bot put in a seat's place: it is sent what the seat was sent, and its answers are compared with the record.

use crate::bots;
use crate::cli;
use crate::exit::{Exit, CliError};
use crate::registry::Registry;
use crate::rules;
use crate::show;
use cornerman::game::{LiveGame, Reply, Seat};
use cornerman_harness::player::protocol::Protocol;
use cornerman_harness::player::seating::{self, Seated};
use cornerman_harness::player::{self, Answer};
use cornerman_harness::record::GameRecord;
use cornerman_harness::ruleset::Ruleset;
use cornerman_report::replay::{Replay, Turn};
use cornerman_report::shown;
use std::io::Write;

/// A game in which a bot takes a seat's place.
pub struct Fed<'a> {
    pub replay: &'a Replay<'a>,
    pub game: &'a GameRecord,
    pub ruleset: &'a Ruleset,
    pub seat: Seat,
}

impl Fed<'_> {
    /// Sends the bot all that the seat was sent up to move `number`, and judges what it answers then. Whatever it answers
    /// before, the game goes on as recorded. A bot that is a process a move is asked for that move alone.
    pub fn feed(&self, bot: &str, number: u32, args: &cli::Replay, games: &Registry) -> Result<Exit, CliError> {
        let due = self.replay.turn(number, self.seat).map_err(CliError::usage)?;
        let languages = args.languages.read()?;
        let mut bot = bots::load(bot, args.isolation.makings(&languages, games))?;
        rules::agree(self.ruleset.game(), std::slice::from_ref(&bot))?;
        bot.limits = bot.limits.within(&self.ruleset.limits);
        let player = seating::open(&bot, self.ruleset, self.seat, args.isolation.conditions()?)?;
        let mut seated = Seated::new(vec![player], &self.game.setup.marks)?;
        let player = &mut seated.players[0];
        player.start(&self.game.setup, self.seat)?;
        let mut out = anstream::stdout();
        let (mut alike, mut failed, mut differs) = (0u32, None, None);
        let is_asked_all =
            matches!(self.ruleset.protocol(self.seat, bot.speaks.as_deref()), Some(Protocol::Lines(_)));
        let mut follower = self.replay.follow();
        for turn in self.replay.turns_before(due).filter(|_| is_asked_all) {
            let live = follower.before(turn);
            let answer = player.ask(&player::Turn { view: turn.view, game: live, seat: turn.seat })?;
            match &answer.reply {
                Err(fault) => {
                    failed = Some(format!("move {}: it forfeits: {}", turn.number, show::plain(fault)));
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
            Some(words) => writeln!(out, "it differs from the record from {words}")?,
            None if alike > 0 => writeln!(out, "{} before it as recorded", show::count(alike, "answer"))?,
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

/// In what an answer differs from what was recorded of the turn, if it does.
fn difference(live: &dyn LiveGame, turn: Turn, given: &Reply) -> Option<String> {
    let recorded = turn.notation?;
    let same = live.judge(turn.seat, given).is_ok_and(|notation| notation == recorded);
    let given = shown(&String::from_utf8_lossy(given.as_bytes()));
    (!same).then(|| format!("move {} on: {given}, where it has {}", turn.number, shown(recorded)))
}

/// Tells what the bot answered at the move that it was asked for.
fn judge(live: &dyn LiveGame, due: Turn, answer: &Answer, out: &mut dyn Write) -> Result<Exit, CliError> {
    let took = show::time(answer.spent.wall);
    let recorded = match due.notation {
        Some(notation) => format!("the record has {}", shown(notation)),
        None => "in the record it forfeits".to_string(),
    };
    let given = match &answer.reply {
        Ok(given) => given,
        Err(fault) => {
            let fault = show::plain(fault);
            writeln!(out, "move {}: it forfeits: {fault}, after {took}; {recorded}", due.number)?;
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
