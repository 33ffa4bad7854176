//! Bots that play a recorded game on from its positions, to find out how good these were.

use crate::bots::{self, BotLoader};
use crate::options::IsolationArgs;
use crate::show::plain;
use crate::{CliError, Registry, rules};
use cornerman::game::Seat;
use cornerman::rng::Rng;
use cornerman_harness::bot::Bot;
use cornerman_harness::record::GameRecord;
use cornerman_harness::ruleset::Ruleset;
use cornerman_harness::run::{PlayingOn, reserve_open_files};
use cornerman_harness::sandbox::{Conditions, SandboxPool};
use cornerman_harness::toolchain::language::Languages;
use cornerman_harness::{machine, pool};
use cornerman_report::why::{PlayOn, win};
use std::error::Error;
use std::sync::OnceLock;

/// Bots that take over the seats of a recorded game.
pub(super) struct Successors<'a> {
    /// The BOT arguments.
    specs: Vec<String>,
    /// The bots, once they are needed.
    bots: OnceLock<Vec<Bot>>,
    /// Their sandboxes between games.
    sandboxes: OnceLock<SandboxPool>,
    ruleset: &'a Ruleset,
    isolation: IsolationArgs,
    conditions: Conditions,
    languages: Languages,
    games: &'a Registry,
}

impl<'a> Successors<'a> {
    /// Those that the user `named`, or else the reference bots of the game as far as they run here; `None` if it has none.
    ///
    /// # Errors
    /// When one of those that are named cannot be loaded or plays another game.
    pub(super) fn choose(
        named: &[String],
        ruleset: &'a Ruleset,
        isolation: IsolationArgs,
        languages: Languages,
        games: &'a Registry,
    ) -> Result<Option<Successors<'a>>, CliError> {
        let specs = if named.is_empty() { games.ladder(ruleset) } else { named.to_vec() };
        if specs.is_empty() {
            return Ok(None);
        }
        let conditions = isolation.conditions()?;
        let (bots, sandboxes) = Default::default();
        let all = Successors { specs, bots, sandboxes, ruleset, isolation, conditions, languages, games };
        if !named.is_empty() {
            let loaded = all.specs.iter().map(|spec| all.load(spec)).collect::<Result<Vec<Bot>, CliError>>()?;
            rules::agree(ruleset.game(), &loaded)?;
            all.bots.set(loaded).ok();
        }
        Ok(Some(all))
    }

    fn load(&self, spec: &str) -> Result<Bot, CliError> {
        let loader: BotLoader = self.isolation.loader(&self.languages, self.games);
        let mut bot = bots::load(spec, loader)?;
        bot.limits = bot.limits.within(&self.ruleset.limits);
        Ok(bot)
    }

    fn bots(&self) -> &[Bot] {
        self.bots.get_or_init(|| self.specs.iter().filter_map(|spec| self.load(spec).ok()).collect())
    }

    /// Who plays in which seat, in at most `most` games: all that there is, or else drawn by lot.
    fn line_ups(&self, seats: u32, most: u32, seed: u64) -> Vec<Vec<&Bot>> {
        let bots = self.bots();
        let all = bots.len().checked_pow(seats).unwrap_or(usize::MAX);
        let mut rng = Rng::new(seed);
        (0..all.min(most as usize))
            .map(|nth| {
                let mut rest = if all <= most as usize { nth } else { rng.below(all as u64) as usize };
                let mut seat = || {
                    let bot = &bots[rest % bots.len()];
                    rest /= bots.len();
                    bot
                };
                (0..seats).map(|_| seat()).collect()
            })
            .collect()
    }
}

impl PlayOn for Successors<'_> {
    fn who(&self) -> String {
        self.bots().iter().map(|bot| plain(&bot.name)).collect::<Vec<_>>().join(", ")
    }

    fn wins(&self, game: &GameRecord, taken: usize, seat: Seat, games: u32) -> Result<Vec<f64>, Box<dyn Error>> {
        if self.bots().is_empty() {
            return Err("none of the game's reference bots can be run here".into());
        }
        let sandboxes = match self.sandboxes.get() {
            Some(open) => open,
            None => {
                let idle = reserve_open_files(machine::cores(), self.ruleset.seats.1)?;
                self.sandboxes.get_or_init(|| SandboxPool::new(idle))
            }
        };
        let playing = PlayingOn { ruleset: self.ruleset, conditions: self.conditions, sandboxes };
        let line_ups = self.line_ups(game.setup.seats.into(), games, game.setup.seed);
        let mut wins = Vec::new();
        let play = |bots: Vec<&Bot>| playing.play(game, taken, &bots).map_err(|error| error.to_string());
        pool::in_order(line_ups.into_iter(), machine::cores(), play, &mut |outcome| {
            wins.extend(outcome?.map(|outcome| win(&outcome, seat)));
            Ok::<(), String>(())
        })?;
        Ok(wins)
    }
}
