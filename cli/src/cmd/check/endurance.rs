//! `check --endurance TIME BOT`: whole games against the ladder of the game, to find faults that are rare.
//!
//! Opponents, boards and seats take turns. The result is an exact interval for how often a fault occurs, or an upper
//! bound if none did.

use crate::bots::BotLoader;
use crate::cmd::check::{CheckArgs, CheckFormat};
use crate::contest::Stop;
use crate::options::LimitsArgs;
use crate::{CliError, Exit, Registry, bots, rules, show};
use anyhow::Context;
use cornerman::contest::Versions;
use cornerman::format::{EntrantId, GameId, Pairing, Plan, Results};
use cornerman::game::{Seat, Setup};
use cornerman_conformance::{DEFAULT_FILES, DEFAULT_SEED, files};
use cornerman_harness::bot::Bot;
use cornerman_harness::machine;
use cornerman_harness::record::{FaultRecord, GameRecord};
use cornerman_harness::referee::Event;
use cornerman_harness::ruleset::Ruleset;
use cornerman_harness::run::{GameContext, Job, LocalWorkers, MAX_IDLE_SANDBOXES, Planner, Progress, Run, Until};
use cornerman_harness::sandbox::{Level, SandboxPool};
use cornerman_harness::text::{grouped, plain_json, plural, quoted};
use cornerman_report::check::{self, Layout};
use indicatif::{ProgressBar, ProgressStyle};
use schemars::JsonSchema;
use serde::Serialize;
use std::error::Error;
use std::ffi::OsStr;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// How many faulty games are kept and reported one by one; more are only counted.
const MOST_SHOWN: usize = 10;

/// The index of the tested bot. Its opponents follow it.
const TESTED: usize = 0;

/// A fault, with the game in which it occurred.
struct FoundFault {
    game: GameRecord,
    fault: FaultRecord,
    file: PathBuf,
}

/// What the games of a bot have shown.
struct Endurance {
    /// The bots: the tested one, then its opponents.
    specs: Vec<String>,
    game: &'static str,
    title: String,
    games: u64,
    /// Moves of the tested bot without a fault, including those of unfinished games.
    moves: u64,
    faults: u64,
    found: Vec<FoundFault>,
    took: Duration,
}

/// Lets each bot play for `time`, and prints what was found.
pub(super) fn run(args: &CheckArgs, time: Duration, layout: &Layout, games: &Registry) -> Result<Exit, CliError> {
    if args.format == CheckFormat::Junit {
        return Err(CliError::usage("--endurance has the formats text and json, not junit"));
    }
    let languages = args.languages.read()?;
    let loader = args.isolation.loader(&languages, games);
    let loaded = bots::load_all(&args.bots, &args.with_files.with, loader)?;
    let stop = Stop::at_once()?;
    let folders = files::folder_names(loaded.iter().map(|bot| bot.name.as_str()));
    let base = args.files.clone().unwrap_or_else(|| PathBuf::from(DEFAULT_FILES));
    let mut is_faultless = true;
    for (bot, folder) in loaded.into_iter().zip(folders) {
        let folder = base.join(folder).join("endurance");
        let done = endure(bot, args, time, stop.until(), &folder, games)?;
        is_faultless &= done.faults == 0;
        let text = match args.format {
            CheckFormat::Json => show::json(done.json(layout)) + "\n",
            _ => done.human(layout),
        };
        write!(show::stdout(), "{text}")?;
        if stop.until().ended().is_some() {
            break;
        }
    }
    // Ctrl-C only makes the test shorter, so it does not change the exit status.
    Ok(if is_faultless { Exit::Fine } else { Exit::No })
}

/// Plays `bot` until `time` is over, or until the user ends it. The records of the first [`MOST_SHOWN`] faulty games
/// are written into `folder`.
fn endure(
    bot: Bot,
    args: &CheckArgs,
    time: Duration,
    asked: &Until,
    folder: &Path,
    games: &Registry,
) -> Result<Endurance, CliError> {
    let conditions = args.isolation.conditions()?;
    let isolation = conditions.isolation()?;
    if isolation.level < Level::Namespaced && args.format == CheckFormat::Text {
        note!("bots are isolated at level {}; `doctor` shows how to get more", isolation.level);
    }
    let languages = args.languages.read()?;
    let loader = args.isolation.loader(&languages, games);
    let ruleset =
        rules::rules(args.game.as_deref(), args.rules.as_deref(), std::slice::from_ref(&bot), games, conditions)?;
    let all = field(bot, &ruleset, args.limits, loader)?;
    let mut done = Endurance {
        specs: all.iter().map(|bot| bot.spec.clone()).collect(),
        game: games.entry_for(&ruleset).id(),
        title: ruleset.title.clone(),
        games: 0,
        moves: 0,
        faults: 0,
        found: Vec::new(),
        took: Duration::ZERO,
    };
    let mut rotation = Rotation {
        seats: ruleset.seats.0,
        opponents: all.len() - 1,
        seed: args.seed.unwrap_or(DEFAULT_SEED),
        ahead: 2 * machine::cores() as u32,
        offered: 0,
    };
    let sandboxes = Arc::new(SandboxPool::new(MAX_IDLE_SANDBOXES));
    let bots = (0..).map(EntrantId).zip(all).collect();
    let versions = Versions::default();
    let context = Arc::new(GameContext { ruleset, bots, versions, conditions, sandboxes: Arc::clone(&sandboxes) });
    let moves = Arc::new(AtomicU64::new(0));
    let began = Instant::now();
    let until = asked.by(Some(began + time));
    let mut workers = {
        let context = Arc::clone(&context);
        let moves = Arc::clone(&moves);
        let play = move |job| play(&context, job, &moves);
        LocalWorkers::with(play, machine::cores(), false).ended_by(&until, sandboxes)
    };
    let setups = rotation.clone();
    let setup = |pairing: &Pairing| setups.setup(pairing, &context.ruleset);
    let style = ProgressStyle::with_template("{elapsed}: {wide_msg}").expect("the template is valid");
    let bar = ProgressBar::new_spinner().with_style(style);
    let mut collect = |progress: &Progress, _: &Results| {
        match progress {
            Progress::Played(games) => games.iter().try_for_each(|game| done.add(game, folder))?,
            Progress::Lost { why, .. } => return Err(CliError::failure(why)),
            _ => {}
        }
        let moves = moves.load(Ordering::Relaxed);
        bar.set_message(format!("{} games, {moves} moves, {} faults", done.games, done.faults));
        Ok(())
    };
    let run = Run {
        planner: &mut rotation,
        setup: &setup,
        workers: &mut workers,
        until: &until,
        sinks: &mut [&mut collect],
    };
    run.play(&mut Results::new())?;
    bar.finish_and_clear();
    done.took = began.elapsed();
    drop(workers);
    done.moves = moves.load(Ordering::Relaxed);
    Ok(done)
}

/// The bot that is tested, and after it its opponents: the reference bots of the game, except those that think long.
fn field(bot: Bot, ruleset: &Ruleset, limits: LimitsArgs, loader: BotLoader) -> Result<Vec<Bot>, CliError> {
    let thinkers = loader.games.entry_for(ruleset).ladder.bots.iter().filter(|bot| bot.thinks);
    let thinkers: Vec<String> = thinkers.map(|bot| format!("@{}", bot.id)).collect();
    let mut specs = loader.games.ladder(ruleset);
    specs.retain(|spec| !thinkers.contains(spec));
    if specs.is_empty() {
        let title = &ruleset.title;
        return Err(usage!("--endurance: {title} has no reference bots to play against"));
    }
    let opponents = bots::load_all(&specs, &[], loader)?;
    let mut all: Vec<Bot> = [bot].into_iter().chain(opponents).collect();
    for bot in &mut all {
        bot.limits = limits.overrides().apply_to(bot.limits.clone().within(&ruleset.limits));
    }
    Ok(all)
}

/// Which games are played, without an end: against every opponent in turn; then again with the tested bot in its next
/// seat; and after its last seat, again from its first one with the next seed.
#[derive(Clone)]
struct Rotation {
    seats: u8,
    opponents: usize,
    seed: u64,
    /// How many games are planned at a time.
    ahead: u32,
    /// How many games have been planned.
    offered: u32,
}

impl Planner for Rotation {
    fn plan(&mut self, _: &Results) -> Plan {
        let first = self.offered;
        self.offered += self.ahead;
        Plan::from_games((first..self.offered).map(|number| self.pairing(number)))
    }

    fn needs_results(&self) -> bool {
        false
    }
}

impl Rotation {
    /// The game of this number, from 0.
    fn pairing(&self, number: u32) -> Pairing {
        let opponents = self.opponents as u32;
        let seats = u32::from(self.seats);
        let own_seat = number / opponents % seats;
        let others = (0..opponents).map(|at| 1 + ((number + at) % opponents) as u16).cycle();
        let mut entrants: Vec<EntrantId> = others.take(seats as usize - 1).map(EntrantId).collect();
        entrants.insert(own_seat as usize, EntrantId(TESTED as u16));
        let id = GameId { stage: 0, round: 0, table: number, game: 0, attempt: 0 };
        Pairing { id, seats: entrants, board: 0 }
    }

    /// The start of a game. The seed changes when all opponents were met from all seats.
    fn setup(&self, pairing: &Pairing, ruleset: &Ruleset) -> Setup {
        let round = pairing.id.table / self.opponents as u32 / u32::from(self.seats);
        let seed = self.seed.wrapping_add(round.into());
        let marks = ruleset.marks[..usize::from(self.seats)].to_vec();
        Setup { seats: self.seats, board: ruleset.board(seed), marks, seed }
    }
}

/// Plays a game, and counts each legal move of the tested bot in `moves` as soon as it is made.
fn play(context: &GameContext, job: Job, moves: &AtomicU64) -> Result<GameRecord, Box<dyn Error>> {
    let own = seat_of_tested(&job.pairing);
    context.play_watched(job, &mut |event| {
        if matches!(event, Event::Moved { seat, .. } if *seat == own) {
            moves.fetch_add(1, Ordering::Relaxed);
        }
    })
}

fn seat_of_tested(pairing: &Pairing) -> Seat {
    let at = pairing.seats.iter().position(|entrant| usize::from(entrant.0) == TESTED);
    Seat(at.expect("the tested bot plays in every game") as u8)
}

impl Endurance {
    /// Counts a game and the tested bot's fault in it, if there is one. Keeps the first [`MOST_SHOWN`] games with a
    /// fault, and writes their records into `folder`.
    fn add(&mut self, game: &GameRecord, folder: &Path) -> Result<(), CliError> {
        self.games += 1;
        let own = seat_of_tested(&game.pairing);
        let Some(fault) = game.faults.iter().find(|fault| fault.seat == own).cloned() else { return Ok(()) };
        self.faults += 1;
        if self.found.len() < MOST_SHOWN {
            let file = folder.join(format!("game-{}.json", game.pairing.id.table + 1));
            let write = || -> anyhow::Result<()> {
                fs::create_dir_all(folder)?;
                Ok(fs::write(&file, plain_json(serde_json::to_string(game)?))?)
            };
            write().with_context(|| format!("writing {}", file.display())).map_err(CliError::of_machine)?;
            self.found.push(FoundFault { game: game.clone(), fault, file });
        }
        Ok(())
    }

    /// How often a move of the bot has a fault.
    fn interval(&self) -> RateInterval {
        RateInterval::from_counts(self.faults, self.moves + self.faults)
    }

    /// The bots of a game in their seats.
    fn seated(&self, game: &GameRecord) -> Vec<&str> {
        game.pairing.seats.iter().map(|entrant| self.specs[usize::from(entrant.0)].as_str()).collect()
    }

    /// The command that plays a game again.
    fn command(&self, game: &GameRecord, layout: &Layout) -> String {
        let bots: Vec<String> = self.seated(game).iter().map(|spec| quoted(OsStr::new(spec))).collect();
        let Layout { program, load_options, check_options, .. } = layout;
        let bots = bots.join(" ");
        let seed = game.setup.seed;
        let id = self.game;
        format!("{program} play {bots} --game {id} --seed {seed}{load_options}{check_options}")
    }

    fn human(&self, layout: &Layout) -> String {
        let style = layout.style;
        let trials = self.moves + self.faults;
        let name = style.heading(&show::plain(&self.specs[TESTED]));
        let of = format!("{} of {} of {}", counted(trials, "move"), counted(self.games, "game"), self.title);
        let took = show::duration(self.took);
        let interval = self.interval();
        if trials == 0 {
            return format!("{} {name}: no move was made in {took}\n", style.warning("warn "));
        }
        if self.faults == 0 {
            let bound = format!("fewer than {}", one_in(interval.upper, f64::floor));
            return format!(
                "{} {name}: no fault in {of}: {bound} with {CONFIDENCE} % confidence ({took})\n",
                style.good("ok   ")
            );
        }
        let least = one_in(interval.lower, f64::ceil);
        let most = one_in(interval.upper, f64::floor);
        let mut text = format!(
            "{} {name}: {} in {of}: {} moves, {CONFIDENCE} % interval from {least} to {most} ({took})\n",
            style.bad("FAIL "),
            counted(self.faults, "fault"),
            one_in(self.faults as f64 / trials as f64, f64::round),
        );
        for FoundFault { game, fault, file } in &self.found {
            let bots = self.seated(game).iter().map(show::plain).collect::<Vec<_>>().join(" against ");
            let seat = usize::from(fault.seat.0) + 1;
            text += &format!(
                "\ngame {}: {bots}, seed {}, seat {seat}, move {}: {}\n",
                game.pairing.id.table + 1,
                game.setup.seed,
                fault.number,
                show::plain(&fault.detail)
            );
            for line in check::cause(fault.stderr.as_bytes(), style.width.saturating_sub(2).max(40)) {
                text += &format!("  {line}\n");
            }
            text += &format!("  see it again  {}\n", self.command(game, layout));
            text += &format!("  record        {}\n", show::plain(file.display()));
        }
        if self.faults as usize > self.found.len() {
            text += &format!("\nand {} more\n", self.faults as usize - self.found.len());
        }
        text
    }

    fn json(&self, layout: &Layout) -> EnduranceJson<'_> {
        let RateInterval { lower, upper } = self.interval();
        let found = self.found.iter().map(|FoundFault { game, fault, file }| FoundFaultJson {
            game: game.pairing.id.table + 1,
            bots: self.seated(game),
            seed: game.setup.seed,
            seat: fault.seat.0 + 1,
            r#move: fault.number,
            kind: &fault.kind,
            what: &fault.detail,
            stderr: &fault.stderr,
            command: self.command(game, layout),
            file: Some(file.display().to_string()),
        });
        EnduranceJson {
            spec: &self.specs[TESTED],
            game: self.game,
            passes: self.faults == 0,
            endurance: PlayedJson {
                took_ms: self.took.as_millis() as u64,
                opponents: &self.specs[TESTED + 1..],
                games: self.games,
                moves: self.moves + self.faults,
                faults: self.faults,
                confidence: f64::from(CONFIDENCE) / 100.0,
                rate_at_least: lower,
                rate_at_most: upper,
                found: found.collect(),
            },
        }
    }
}

/// What `check --endurance` prints as JSON.
#[derive(Serialize, JsonSchema)]
pub(crate) struct EnduranceJson<'a> {
    /// The BOT argument on the command line.
    spec: &'a str,
    /// The game that it was checked for.
    game: &'a str,
    /// Whether no fault occurred.
    passes: bool,
    /// The games that were played.
    endurance: PlayedJson<'a>,
}

#[derive(Serialize, JsonSchema)]
struct PlayedJson<'a> {
    /// How long games were played.
    took_ms: u64,
    /// The reference bots.
    opponents: &'a [String],
    /// How many games ended.
    games: u64,
    /// The moves of the bot, those with a fault and those of unfinished games included.
    moves: u64,
    /// The moves by which the bot forfeited a game.
    faults: u64,
    /// The confidence of the interval.
    confidence: f64,
    /// The least share of moves with a fault.
    rate_at_least: f64,
    /// The largest share of moves with a fault.
    rate_at_most: f64,
    /// The first faults.
    found: Vec<FoundFaultJson<'a>>,
}

#[derive(Serialize, JsonSchema)]
struct FoundFaultJson<'a> {
    /// The number of the game.
    game: u32,
    /// The bots in their seats.
    bots: Vec<&'a str>,
    /// The seed of the game.
    seed: u64,
    /// The seat of the bot.
    seat: u8,
    /// The move, from 1.
    r#move: u32,
    /// The identifier of the fault.
    kind: &'a str,
    /// The message that explains the fault.
    what: &'a str,
    /// The end of what the bot wrote to standard error at that move.
    stderr: &'a str,
    /// Plays the game again.
    command: String,
    /// The record of the game in JSON.
    file: Option<String>,
}

/// A number of things, such as `1,435 moves`.
fn counted(count: u64, what: &str) -> String {
    format!("{} {}", grouped(count), plural(count, what))
}

/// A rate as `1 in 1,435`, with the number rounded by `round`.
fn one_in(rate: f64, round: impl Fn(f64) -> f64) -> String {
    format!("1 in {}", grouped(round(1.0 / rate).max(1.0) as u64))
}

/// The confidence of an interval, in percent.
const CONFIDENCE: u32 = 95;

/// How often a bisection halves its interval: enough for all digits of a number.
const HALVINGS: usize = 200;

/// A confidence interval of how often an event occurs in a trial.
#[derive(Clone, Copy, Debug, PartialEq)]
struct RateInterval {
    pub lower: f64,
    pub upper: f64,
}

impl RateInterval {
    /// The exact interval of Clopper and Pearson after this number of `events` in `trials`. Without an event the lower
    /// bound is 0, so all of the remaining doubt is on the other side: with n trials the upper bound is 1 - 0.05^(1/n),
    /// about 3/n.
    fn from_counts(events: u64, trials: u64) -> RateInterval {
        let doubt = 1.0 - f64::from(CONFIDENCE) / 100.0;
        if events == 0 {
            return RateInterval { lower: 0.0, upper: 1.0 - doubt.powf(1.0 / trials.max(1) as f64) };
        }
        let side = doubt / 2.0;
        // At a rate below the lower bound, `events` or more are too unlikely; above the upper bound, `events` or fewer.
        let lower = bisected(|rate| 1.0 - at_most(events - 1, trials, rate) < side);
        let upper = if events >= trials { 1.0 } else { bisected(|rate| at_most(events, trials, rate) > side) };
        RateInterval { lower, upper }
    }
}

/// The greatest rate from 0 to 1 for which `is_below` is true. It must be true below some rate and false above it.
fn bisected(is_below: impl Fn(f64) -> bool) -> f64 {
    let mut low = 0.0;
    let mut high = 1.0;
    for _ in 0..HALVINGS {
        let middle = (low + high) / 2.0;
        if is_below(middle) {
            low = middle;
        } else {
            high = middle;
        }
    }
    low
}

/// The probability of at most this many `events` in `trials` at `rate`, which is greater than 0 and less than 1.
fn at_most(events: u64, trials: u64, rate: f64) -> f64 {
    let events = events as f64;
    let trials = trials as f64;
    // The logarithm of the probability of each number of events follows from the one before.
    let mut log = trials * (-rate).ln_1p();
    let mut sum = 0.0;
    let mut k = 0.0;
    while k <= events {
        sum += log.exp();
        log += ((trials - k) / (k + 1.0)).ln() + rate.ln() - (-rate).ln_1p();
        k += 1.0;
    }
    sum.min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(events: u64, trials: u64, lower: f64, upper: f64) {
        let found = RateInterval::from_counts(events, trials);
        let near = |a: f64, b: f64| (a - b).abs() < 5e-5;
        assert!(near(found.lower, lower) && near(found.upper, upper), "{found:?}");
    }

    #[test]
    fn intervals_are_those_of_the_tables() {
        check(0, 10, 0.0, 0.2589);
        check(1, 10, 0.0025, 0.4450);
        check(5, 10, 0.1871, 0.8129);
        check(10, 10, 0.6915, 1.0);
        check(3, 1000, 0.0006, 0.0087);
    }

    #[test]
    fn no_event_in_n_trials_is_about_the_rule_of_three() {
        let upper = RateInterval::from_counts(0, 4300).upper;
        assert!((1.0 / upper - 4300.0 / 3.0).abs() < 5.0, "{upper}");
    }
}
