//! Games of the reference bots by a ruleset, each with as much time as it needs.

use crate::contest::{ProgressLine, Stop, reserve_open_files};
use crate::options::{IsolationArgs, LanguagesArgs};
use crate::{CliError, Registry, bots};
use cornerman::contest::{Contest, Field, Participants, Stage, Versions};
use cornerman::format::{EntrantId, Pairing, Plan, Results};
use cornerman::formats::{Format, GameDefaults};
use cornerman_harness::bot::Bot;
use cornerman_harness::player::clock::GameClock;
use cornerman_harness::record::GameRecord;
use cornerman_harness::ruleset::Ruleset;
use cornerman_harness::run::{GameContext, LocalWorkers, MAX_OFFERS, Progress, Run, RunEnd, setup_for};
use cornerman_harness::sandbox::{Limits, SandboxPool};
use cornerman_harness::{machine, text};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

/// The time of a move, of a start and of a game's clock: longer than any reference bot thinks.
const PATIENCE: Duration = Duration::from_secs(3600);

/// The most boards on which all pairs meet. On one, a change of the rules may make no difference.
const MOST_BOARDS: u32 = 2;

/// The seed of boards and of what games draw.
const SEED: u64 = 1;

/// The reference bots of a ruleset's game.
pub(super) struct ReferenceField {
    ruleset: Ruleset,
    bots: Vec<Bot>,
}

/// Games that were played.
pub(super) struct SnapshotGames {
    /// Two lines for each game.
    pub games: Vec<String>,
    /// A line for each entrant.
    pub standings: Vec<String>,
}

impl ReferenceField {
    /// Builds the bots of the game's ladder.
    pub(super) fn for_ruleset(ruleset: &Ruleset, games: &Registry) -> Result<ReferenceField, CliError> {
        let ladder = games.entry_for(ruleset).ladder;
        let specs: Vec<String> = ladder.quick_bots().map(|bot| format!("@{}", bot.id)).collect();
        let languages = LanguagesArgs::default().read()?;
        let bots = bots::load_all(&specs, &[], IsolationArgs::default().loader(&languages, games))?;
        let patient = |limits: Limits| Limits { soft: PATIENCE, hard: PATIENCE, start: PATIENCE, ..limits };
        let limits = patient(ruleset.limits.clone());
        // Bots are notified with their first move that their budget is spent. They have as much time as before, and those
        // that search do with less: a game of Go then takes seconds, not a minute.
        let clock = ruleset.clock.map(|clock| GameClock { budget: Duration::ZERO, minimum: PATIENCE, ..clock });
        // A ladder of fewer bots than a game has seats lets them play against themselves.
        let everyone = bots.len().max(ruleset.seats.0.into());
        let again = |at: usize, bot: &Bot| match at / bots.len() {
            0 => bot.spec.clone(),
            before => format!("{} #{}", bot.spec, before + 1),
        };
        let bots = (0..everyone).zip(bots.iter().cycle());
        let bots =
            bots.map(|(at, bot)| Bot { spec: again(at, bot), limits: limits.clone(), ..bot.clone() }).collect();
        Ok(ReferenceField { ruleset: Ruleset { limits, clock, ..ruleset.clone() }, bots })
    }

    /// How many bots there are.
    pub(super) fn bots(&self) -> usize {
        self.bots.len()
    }

    /// Lets the first `entrants` bots play in `format`. `None` if the user asked to stop.
    pub(super) fn play(&self, mut format: Format, entrants: usize) -> Result<Option<SnapshotGames>, CliError> {
        let ruleset = &self.ruleset;
        let seats = ruleset.seats.0..=ruleset.seats.1;
        let usual = ruleset.rules.stage_defaults();
        format.fill_in_game_defaults(&GameDefaults { boards: usual.boards.min(MOST_BOARDS), ..usual }, 0);
        let stage = format.fill_in_defaults(&seats, 0).map(|_| Stage { format, who: Participants::All });
        let entered = Field { seats, ..Field::new(entrants as u16, 0) };
        let contest = stage
            .map_err(|error| error.why)
            .and_then(|stage| Contest::new(entered, vec![stage], SEED).map_err(|error| error.to_string()));
        let contest = match contest {
            Ok(contest) => contest,
            Err(why) => {
                return Ok(Some(SnapshotGames {
                    games: vec![format!("not played: {why}")],
                    standings: Vec::new(),
                }));
            }
        };
        let Some(mut games) = self.play_all(&contest)? else { return Ok(None) };
        games.sort_by_key(|game| game.pairing.id);
        let results: Results = games.iter().map(|game| (game.pairing.id, game.outcome.clone())).collect();
        let columns = contest.columns(&results);
        let standings = contest.standings(&results).into_iter().map(|standing| {
            let figures = columns.iter().zip(&standing.figures);
            let figures: Vec<String> =
                figures.map(|(column, figure)| format!("{} {figure}", column.name)).collect();
            format!("{} {:12} {}", standing.place, self.name(standing.entrant), figures.join(", "))
        });
        let standings = standings.collect();
        Ok(Some(SnapshotGames { games: games.iter().flat_map(|game| self.lines(game)).collect(), standings }))
    }

    fn name(&self, id: EntrantId) -> &str {
        &self.bots[id.index()].spec
    }

    /// The entrants and the board; the result, the number of moves, what tells them from others, and forfeits.
    fn lines(&self, game: &GameRecord) -> [String; 2] {
        let names: Vec<&str> = game.pairing.seats.iter().map(|id| self.name(*id)).collect();
        let moves: Vec<String> =
            game.moves.iter().map(|made| format!("{} {}\n", made.seat, made.notation)).collect();
        let hash = &text::sha256(moves.concat().as_bytes())[..8];
        let forfeits = game.faults.iter().map(|fault| {
            format!("; {} forfeits at move {}: {}", names[fault.seat.index()], fault.number, fault.kind)
        });
        let winners: Vec<&str> = game.outcome.winners().map(|seat| names[seat.index()]).collect();
        let winners = match winners[..] {
            [winner] => format!("{winner} wins"),
            _ if winners.len() == names.len() => "tie".to_string(),
            _ => format!("{} tie", winners.join(" and ")),
        };
        let points: Vec<String> = game.outcome.points.iter().map(ToString::to_string).collect();
        [
            format!("{} on board {}", names.join(", "), game.pairing.board + 1),
            format!(
                "  {winners}, {}, {} moves, {hash}{}",
                points.join(" : "),
                game.moves.len(),
                forfeits.collect::<String>()
            ),
        ]
    }

    /// Plays all games of `contest`.
    fn play_all(&self, contest: &Contest) -> Result<Option<Vec<GameRecord>>, CliError> {
        let workers = machine::cores();
        let sandboxes = Arc::new(SandboxPool::new(reserve_open_files(workers, self.ruleset.seats.1)?));
        let context = GameContext {
            ruleset: self.ruleset.clone(),
            bots: (0..).map(EntrantId).zip(self.bots.iter().cloned()).collect(),
            versions: Versions::default(),
            conditions: IsolationArgs::default().conditions()?,
            sandboxes: Arc::clone(&sandboxes),
        };
        let setup = |pairing: &Pairing| {
            let board = self.ruleset.board(SEED + u64::from(pairing.board));
            setup_for(pairing, SEED, &self.ruleset, board)
        };
        let mut planner = |results: &Results| {
            let plan = contest.plan(results);
            plan.unwrap_or(Plan::Finished)
        };
        let line = ProgressLine::new();
        let stop = Stop::on_signals(line.clone(), "nothing was written".to_string())?;
        let mut results = Results::new();
        let mut games = Vec::new();
        let mut lost = BTreeMap::new();
        let mut known = 0;
        let mut local = LocalWorkers::new(context, workers, workers > 1, stop.until());
        let mut collect = |progress: &Progress, done: &Results| {
            match progress {
                Progress::Planned { open } => known = done.len() + open,
                Progress::Played(played) => games.extend_from_slice(played),
                Progress::Lost { id, why, given_up: true } => drop(lost.insert(*id, why.clone())),
                _ => {}
            }
            line.advance(games.len(), known);
            Ok::<(), CliError>(())
        };
        let ended = Run {
            planner: &mut planner,
            setup: &setup,
            workers: &mut local,
            until: stop.until(),
            sinks: &mut [&mut collect],
        }
        .play(&mut results)?;
        line.end();
        sandboxes.begin_to_close();
        match (ended, lost.first_key_value()) {
            (RunEnd::Ended, _) => Err(CliError::Ended),
            (RunEnd::Stopped, _) => Ok(None),
            (_, Some((id, why))) => {
                Err(CliError::failure(format!("game {id} could not be played in {MAX_OFFERS} attempts: {why}")))
            }
            (_, None) => Ok(Some(games)),
        }
    }
}
