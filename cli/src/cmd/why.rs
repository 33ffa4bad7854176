//! `why DB GAME`: says why a game was lost; `why DB --bot B` says it of all games that a bot lost.

use super::games::{NamedBot, find};
use super::replay;
use crate::bots::{self, BotLoader};
use crate::contest::ProgressLine;
use crate::games::Analyst;
use crate::options::{IsolationArgs, LanguagesArgs, PlayFormat};
use crate::show::{self, plain};
use crate::{CliError, Exit, Registry, rules};
use anyhow::Context;
use clap::Args;
use cornerman::format::{EntrantId, GameId};
use cornerman::game::Seat;
use cornerman::rng::Rng;
use cornerman_harness::bot::Bot;
use cornerman_harness::contest_file::ContestFile;
use cornerman_harness::record::{GameRecord, GameSummary, Record, RecordError};
use cornerman_harness::ruleset::Ruleset;
use cornerman_harness::run::{PlayingOn, reserve_open_files};
use cornerman_harness::sandbox::{Conditions, SandboxPool};
use cornerman_harness::toolchain::language::Languages;
use cornerman_harness::{machine, pool};
use cornerman_report::Tournament;
use cornerman_report::json::EntrantJson;
use cornerman_report::view::GameView;
use cornerman_report::why::{
    self, Effort, Explained, Explanation, LossTally, Lost, Means, PlayOn, WhyJson, summary,
};
use std::collections::BTreeMap;
use std::error::Error;
use std::path::PathBuf;
use std::sync::{Mutex, OnceLock, PoisonError};

#[derive(Args)]
pub(crate) struct WhyArgs {
    /// The record
    pub db: PathBuf,
    /// The game, such as s1/r2/m3/g1
    #[arg(required_unless_present = "bot")]
    pub game: Option<String>,
    /// Why this entrant lost the game; without a game, where it loses most in the whole record
    #[arg(long, value_name = "NAME")]
    pub bot: Option<String>,
    /// Ask this engine for the score of each position of a game of Go, such as `gtp:gnugo --mode gtp`. It runs as a
    /// program of yours, without a sandbox
    #[arg(long, value_name = "gtp:COMMAND")]
    pub engine: Option<String>,
    /// Let these bots, separated by commas, play on from the positions of a game that cannot be calculated, and that
    /// gives its positions no value [default: the reference bots of the game; without any, moves are drawn by lot]
    #[arg(long, value_name = "BOT", value_delimiter = ',', conflicts_with = "engine")]
    pub by: Vec<String>,
    /// Output format
    #[arg(long, value_enum, default_value_t = PlayFormat::Text)]
    pub format: PlayFormat,
    #[command(flatten)]
    pub isolation: IsolationArgs,
    #[command(flatten)]
    pub languages: LanguagesArgs,
}

/// How many games of a whole record are explained, at most: more would take minutes.
const MOST: usize = 40;

/// Says why games were lost: by an engine, or else as the game itself can.
pub(crate) struct Explainer<'a> {
    view: &'a dyn GameView,
    ruleset: &'a Ruleset,
    engine: Option<Mutex<Analyst<'a>>>,
    means: Means<'a>,
}

impl<'a> Explainer<'a> {
    /// An explainer of games by `ruleset`, whose positions `view` shows. Starts `engine`, a BOT argument such as
    /// `gtp:gnugo --mode gtp`, if one is given; otherwise games are explained by `means`.
    ///
    /// # Errors
    /// When the engine cannot be started, or does not play by the ruleset.
    pub(crate) fn new(
        view: &'a dyn GameView,
        ruleset: &'a Ruleset,
        engine: Option<&str>,
        means: Means<'a>,
        games: &Registry,
    ) -> Result<Explainer<'a>, CliError> {
        let engine = engine.map(|spec| Analyst::start(spec, ruleset, games)).transpose()?;
        Ok(Explainer { view, ruleset, engine: engine.map(Mutex::new), means })
    }

    /// Why `seat` lost `game`, the seats of which have these `names`.
    ///
    /// # Errors
    /// When the engine fails, or the record contradicts the rules.
    pub(crate) fn explain(
        &self,
        tournament: &Tournament,
        game: &GameRecord,
        names: &[String],
        seat: Seat,
    ) -> anyhow::Result<Explanation> {
        match &self.engine {
            Some(engine) => {
                let mut engine = engine.lock().unwrap_or_else(PoisonError::into_inner);
                engine.explain(game, seat).context("the engine failed")
            }
            None => {
                let loser = (seat, tournament.measure(game.pairing.id.stage));
                why::explain(self.view, self.ruleset, game, names, loser, self.means)
                    .context("it cannot be replayed")
            }
        }
    }
}

/// Explains one game, or those that a bot lost.
pub(crate) fn run(args: WhyArgs, games: &Registry) -> Result<Exit, CliError> {
    let record = games.open_any(&args.db)?;
    let frozen = record.snapshot()?;
    let contest = ContestFile::recorded(&record, &games.games)?.contest;
    let header = record.header()?;
    let entrants = record.entrants()?;
    let decisions = record.decisions()?;
    let all = record.games()?;
    drop(frozen);
    let results = contest.journal().results(all.iter().map(GameSummary::result));
    let tournament = Tournament::new(&header, &entrants, &contest, &results);
    let named = args.bot.as_deref().map(|name| find(name, &entrants, &decisions)).transpose()?;
    let bot = named.map(|bot| bot.entrant);
    let ruleset = games.recorded(&record, &header)?;
    let view = games.entry_for(&ruleset).view;
    let effort = if args.game.is_some() { Effort::Thorough } else { Effort::Usual };
    let successors = Successors::choose(&args.by, &ruleset, args.isolation, args.languages.read()?, games)?;
    let means = Means { effort, bots: successors.as_ref().map(|bots| bots as &dyn PlayOn) };
    let explainer = Explainer::new(view, &ruleset, args.engine.as_deref(), means, games)?;
    let reader = WhyReader { tournament: &tournament, explainer };
    let name = |id: EntrantId| reader.name(id);
    if let Some(game) = &args.game {
        let explained = reader.explain(&replay::find(&record, game)?, bot)?;
        let text = show::folded_lines(&explained.text());
        return args.format.print(|| WhyJson::Game(explained), || text);
    }
    let named = named.expect("without a game there is a bot");
    let bot = named.entrant;
    let lost = LostGames::from_record(named, &record, &tournament, all)?;
    let explained = reader.explain_all(&lost.ids[..lost.ids.len().min(MOST)], &record, bot)?;
    let played = show::count(lost.played, "game");
    let mut text = format!("{} lost {} of {played}\n", name(bot), lost.ids.len());
    text += &summary(&explained, &lost.against, &lost.boards, name);
    if lost.ids.len() > MOST {
        text += &format!("  (only the first {MOST} of them were explained)\n");
    }
    for game in &explained {
        text += &format!("\n{}", show::folded_lines(&game.text()));
    }
    let bot = reader.raw_name(bot);
    let json = || WhyJson::Bot { bot, played: lost.played, lost: lost.ids.len(), games: explained };
    args.format.print(json, || text)
}

/// Explains the games of a tournament.
struct WhyReader<'a> {
    tournament: &'a Tournament<'a>,
    explainer: Explainer<'a>,
}

impl WhyReader<'_> {
    /// The name of a bot as the record has it, for JSON.
    fn raw_name(&self, id: EntrantId) -> String {
        EntrantJson::new(id, self.tournament.entrants).name
    }

    /// The name of a bot, escaped for the terminal.
    fn name(&self, id: EntrantId) -> String {
        plain(self.raw_name(id))
    }

    /// Why `bot` lost these games, on all processors.
    fn explain_all(&self, ids: &[GameId], record: &Record, bot: EntrantId) -> Result<Vec<Explained>, CliError> {
        let progress = ProgressLine::new();
        let mut explained = Vec::new();
        let games = ids.iter().map(|id| replay::find(record, &id.to_string()));
        let explain = |game: Result<GameRecord, CliError>| self.explain(&game?, Some(bot));
        let done = pool::in_order(games, machine::cores(), explain, &mut |game| {
            explained.push(game?);
            progress.advance(explained.len(), ids.len());
            Ok(())
        });
        progress.end();
        done.map(|()| explained)
    }

    /// Why `bot`, or the first seat that did, lost `game`.
    fn explain(&self, game: &GameRecord, bot: Option<EntrantId>) -> Result<Explained, CliError> {
        let seats = &game.pairing.seats;
        let id = game.pairing.id;
        let counted = self.tournament.counted_outcome(&game.pairing, &game.outcome);
        let is_winner = |seat: usize| counted.places.get(seat) == Some(&1);
        let winners: Vec<usize> = (0..seats.len()).filter(|&seat| is_winner(seat)).collect();
        let losers = (0..seats.len()).filter(|&seat| !is_winner(seat));
        let loser = match bot {
            None => losers.into_iter().next(),
            Some(bot) => {
                let seat = seats.iter().position(|id| *id == bot);
                let seat = seat.ok_or_else(|| usage!("{} did not play game {id}", self.name(bot)))?;
                Some(seat).filter(|&seat| !is_winner(seat))
            }
        };
        let Some(loser) = loser else {
            let who = bot.map_or_else(|| "everyone".to_string(), |bot| self.name(bot));
            return Err(usage!("{who} is in first place of game {id}: there is no loss to explain"));
        };
        let names: Vec<String> = seats.iter().map(|id| self.name(*id)).collect();
        let seat = Seat(loser as u8);
        let explanation = self.explainer.explain(self.tournament, game, &names, seat);
        let explanation = explanation.map_err(|why| usage!("game {id}: {}", plain(format!("{why:#}"))))?;
        Ok(Explained {
            game: id.to_string(),
            moves: game.moves.len(),
            lost: self.raw_name(seats[loser]),
            won: winners.into_iter().map(|seat| self.raw_name(seats[seat])).collect(),
            causes: explanation.causes,
        })
    }
}

/// The games of a bot: which it lost, and how many it played against whom and on which boards.
#[derive(Default)]
struct LostGames {
    ids: Vec<GameId>,
    played: usize,
    against: BTreeMap<EntrantId, LossTally>,
    boards: BTreeMap<Vec<u8>, LossTally>,
}

impl LostGames {
    /// The games of the bot that the user `named`, or only those of its version if the name is that of a version. `all`
    /// are the games of `record`; those that do not count are left out.
    fn from_record(
        named: NamedBot,
        record: &Record,
        tournament: &Tournament,
        all: Vec<GameSummary>,
    ) -> Result<LostGames, RecordError> {
        let mut lost = LostGames::default();
        let NamedBot { entrant: bot, version } = named;
        let is_meant = |game: &GameSummary| {
            version.is_none_or(|version| tournament.playing(&game.pairing).contains(&version))
        };
        for game in tournament.counted(all).into_iter().filter(is_meant) {
            let Some(seat) = game.pairing.seats.iter().position(|id| *id == bot) else { continue };
            lost.played += 1;
            let id = game.pairing.id;
            let is_lost = game.outcome.places.get(seat) != Some(&1);
            for (other, place) in game.pairing.seats.iter().zip(&game.outcome.places).filter(|(id, _)| **id != bot)
            {
                lost.against.entry(*other).or_default().add(id, is_lost && *place == 1);
            }
            if let Some(whole) = record.game(id)? {
                lost.boards.entry(whole.setup.board).or_default().add(id, is_lost);
            }
            if is_lost {
                lost.ids.push(id);
            }
        }
        Ok(lost)
    }
}

/// Bots that take over the seats of a recorded game.
struct Successors<'a> {
    /// The BOT arguments.
    specs: Vec<String>,
    /// The bots, once they are loaded: at once if the user named them, else when they are first needed.
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
    /// The bots that the user `named`, or else those of the game's ladder that can be loaded here; `None` if it has no
    /// ladder.
    ///
    /// # Errors
    /// When a bot that is named cannot be loaded or plays another game.
    fn choose(
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

    /// The bots that can be loaded. They are loaded when this is first called, unless the user named them.
    fn bots(&self) -> &[Bot] {
        self.bots.get_or_init(|| self.specs.iter().filter_map(|spec| self.load(spec).ok()).collect())
    }

    /// The bots in the seats of at most `most` games: every combination if there are no more than `most`, else random
    /// ones.
    fn line_ups(&self, seats: u32, most: u32, seed: u64) -> Vec<Vec<&Bot>> {
        let bots = self.bots();
        let all = bots.len().checked_pow(seats).unwrap_or(usize::MAX);
        let mut rng = Rng::new(seed);
        // The digits of a combination's number, written in the base of the number of bots, choose the bot of each seat.
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

    fn wins(&self, lost: &Lost, taken: usize, games: u32) -> Result<Vec<f64>, Box<dyn Error>> {
        let game = lost.record;
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
            wins.extend(outcome?.map(|outcome| lost.win(&outcome)));
            Ok::<(), String>(())
        })?;
        Ok(wins)
    }
}
