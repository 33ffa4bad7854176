//! `replay --feed`: sends a bot what a seat of a recorded game was sent, and compares its answers with the record.

use crate::cmd::replay::ReplayArgs;
use crate::{CliError, Exit, Registry, bots, rules, show};
use cornerman::game::{LiveGame, Reply, Seat};
use cornerman_harness::player::seating::{self, Seated};
use cornerman_harness::player::{self, Answer};
use cornerman_harness::record::GameRecord;
use cornerman_harness::ruleset::Ruleset;
use cornerman_report::replay::{Replay, ReplayedTurn};
use cornerman_report::shown;
use std::io::Write;

/// A recorded game in which a bot takes the place of a seat.
pub(super) struct FedGame<'a> {
    /// The game, which can be stepped through.
    pub replay: &'a Replay<'a>,
    /// The same game as the record has it.
    pub game: &'a GameRecord,
    /// The ruleset of the record.
    pub ruleset: &'a Ruleset,
    /// The seat.
    pub seat: Seat,
}

impl FedGame<'_> {
    /// Sends the bot everything that the seat was sent up to move `number`, counted from 1, and judges its answer
    /// there. Before that the game goes on as recorded, whatever the bot answers. A bot that is started anew for each
    /// move is asked for its earlier moves too, because it may keep notes (B9).
    ///
    /// # Errors
    /// When the seat has no such move, the bot cannot be loaded or plays another game, or the sandbox fails.
    pub(super) fn feed(
        &self,
        bot: &str,
        number: u32,
        args: &ReplayArgs,
        games: &Registry,
    ) -> Result<Exit, CliError> {
        let due = self.replay.turn(number, self.seat)?;
        let languages = args.languages.read()?;
        let mut bot = bots::load(bot, args.isolation.loader(&languages, games))?;
        rules::agree(self.ruleset.game(), std::slice::from_ref(&bot))?;
        bot.limits = bot.limits.within(&self.ruleset.limits);
        let player = seating::seat(&bot, self.ruleset, self.seat, bot.sandbox(args.isolation.conditions()?)?)?;
        let mut seated = Seated::new(vec![player], &self.game.setup.marks)?;
        let player = &mut seated.players[0];
        player.start(&self.game.setup, self.seat)?;
        let mut out = anstream::stdout();
        let mut alike = 0u32;
        let mut failed = None;
        let mut differs = None;
        let mut follower = self.replay.follow();
        for turn in self.replay.turns_before(due) {
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
