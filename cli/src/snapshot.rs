//! Everything that a ruleset decides, as text: its settings, its verdicts on specimens of answers, whole games of the
//! reference bots, a small contest, and the games of a rule maker's own.
//!
//! The text is the same on every machine and at every isolation level: bots have as much time as they need, and what
//! they play depends on nothing but what they are sent.
//!
//! A rule maker's own game is a file:
//!
//! ```toml
//! # games/corner.toml
//! game = "boxing"
//! board = "empty.arena"
//! moves = ["10x10 at row 1, column 1"]
//! answer = "…"
//! ```

use crate::contest::{ProgressLine, Stop, reserve_open_files};
use crate::options::{IsolationArgs, LanguagesArgs};
use crate::show::plain;
use crate::{CliError, Registry, bots};
use cornerman::contest::{Contest, Field, Participants, Stage, Versions};
use cornerman::format::{EntrantId, Pairing, Plan, Results};
use cornerman::formats::{Format, GameDefaults, all_play_all, permutations};
use cornerman::game::{LiveGame, Outcome, Reply, Seat, Setup, Violation};
use cornerman::rng::Rng;
use cornerman_harness::bot::Bot;
use cornerman_harness::judge::judged;
use cornerman_harness::kit::Within;
use cornerman_harness::nearest::did_you_mean;
use cornerman_harness::player::clock::GameClock;
use cornerman_harness::record::{GameRecord, GameSummary, Record, RecordError, RecordErrorKind};
use cornerman_harness::rejudge::{Judgement, rejudge};
use cornerman_harness::ruleset::Ruleset;
use cornerman_harness::run::{GameContext, LocalWorkers, MAX_OFFERS, Progress, Run, RunEnd, setup_for};
use cornerman_harness::sandbox::{Limits, SandboxPool};
use cornerman_harness::toml_file::{Mistake, SourceFile};
use cornerman_harness::{machine, text};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use toml::Spanned;

/// With more seats than this, the reference bots play no games: for `n` seats there are `n`! of them.
const MOST_SEATS: u8 = 4;

/// What `ruleset` decides, with the games of `own`. `None` if the user asked to stop.
pub(crate) fn render(ruleset: &Ruleset, own: &OwnGames, games: &Registry) -> Result<Option<String>, CliError> {
    let mut text = section("Settings", &settings(ruleset));
    let verdicts = games.entry_for(ruleset).suite.map(|suite| suite.verdicts(ruleset)).unwrap_or_default();
    let verdicts: Vec<String> = verdicts.iter().map(|(name, words)| format!("{name:28} {words}")).collect();
    text += &section("Verdicts on specimens", &verdicts);
    text += &section("Own games", &own.games(ruleset));
    text += &section("Own records", &own.records(ruleset, games)?);
    if judged(ruleset).is_some() {
        text += &section("Games of random moves", &random_games(ruleset, false));
        return Ok(Some(text + &section("Games with forfeits", &random_games(ruleset, true))));
    }
    let field = ReferenceField::for_ruleset(ruleset, games)?;
    let least = ruleset.seats.0;
    let most = ruleset.seats.1.min(field.bots.len() as u8).min(MOST_SEATS);
    for seats in least..=most {
        let format = match seats {
            2 => Format::AllPlayAll(all_play_all::AllPlayAllSettings::default()),
            _ => Format::Permutations(permutations::PermutationsSettings::default()),
        };
        let bots = if seats == 2 { field.bots.len() } else { seats.into() };
        let Some(played) = field.play(format, bots)? else { return Ok(None) };
        let title = if seats == 2 { "Everyone against everyone".to_string() } else { format!("{seats} seats") };
        text += &section(&format!("{title}: games"), &played.games);
        text += &section(&format!("{title}: standings"), &played.standings);
    }
    Ok(Some(text))
}

/// The title and its indented lines; empty if there are none.
fn section(title: &str, lines: &[String]) -> String {
    if lines.is_empty() {
        return String::new();
    }
    let mut text = format!("{title}\n");
    for line in lines {
        writeln!(text, "  {}", line.trim_end()).expect("a string takes all");
    }
    text + "\n"
}

/// The keys of the file with their values, except comments.
fn settings(ruleset: &Ruleset) -> Vec<String> {
    let mut file: toml::Table = ruleset.text.parse().unwrap_or_default();
    // The files of a judge are long; what they decide follows.
    if let Some(judge) = file.get_mut("judge").and_then(toml::Value::as_table_mut) {
        let files = judge.remove("file").map_or(String::new(), |files| files.to_string());
        judge.remove("made");
        judge.insert("files".to_string(), text::sha256(files)[..16].into());
    }
    let (tables, keys): (Vec<_>, Vec<_>) = file.iter().partition(|(_, value)| value.is_table());
    let line = |(key, value): (&String, &toml::Value)| format!("{key:18} {value}");
    let of_table = |(name, value): &(&String, &toml::Value)| {
        let keys = value.as_table().into_iter().flatten();
        keys.map(|(key, value)| format!("{:18} {value}", format!("{name}.{key}"))).collect::<Vec<_>>()
    };
    keys.into_iter().map(line).chain(tables.iter().flat_map(of_table)).collect()
}

/// The time that a bot has to start and for each move, by its limits and by a game's clock: longer than any bot of a
/// snapshot thinks.
const PATIENCE: Duration = Duration::from_secs(3600);

/// The most boards on which all pairs meet. On one, a change of the rules may make no difference.
const MOST_BOARDS: u32 = 2;

/// The seed of boards and of what games draw.
const SEED: u64 = 1;

/// The reference bots that play for a snapshot, and the ruleset with their time limits.
struct ReferenceField {
    ruleset: Ruleset,
    bots: Vec<Bot>,
}

struct SnapshotGames {
    /// Two lines for each game, or one with the reason why none is played.
    games: Vec<String>,
    /// A line for each entrant.
    standings: Vec<String>,
}

impl ReferenceField {
    fn for_ruleset(ruleset: &Ruleset, games: &Registry) -> Result<ReferenceField, CliError> {
        let ladder = games.entry_for(ruleset).ladder;
        let specs: Vec<String> = ladder.quick_bots().map(|bot| format!("@{}", bot.id)).collect();
        let languages = LanguagesArgs::default().read()?;
        let bots = bots::load_all(&specs, &[], IsolationArgs::default().loader(&languages, games))?;
        let patient = |limits: Limits| Limits { soft: PATIENCE, hard: PATIENCE, start: PATIENCE, ..limits };
        let limits = patient(ruleset.limits.clone());
        // With an empty budget, bots that search hurry, although they have as much time as they need: a game of Go then
        // takes seconds, not a minute.
        let clock = ruleset.clock.map(|clock| GameClock { budget: Duration::ZERO, minimum: PATIENCE, ..clock });
        // If there are fewer bots than seats, bots play against themselves.
        let everyone = bots.len().max(ruleset.seats.0.into());
        let numbered = |at: usize, bot: &Bot| match at / bots.len() {
            0 => bot.spec.clone(),
            before => format!("{} #{}", bot.spec, before + 1),
        };
        let bots = (0..everyone).zip(bots.iter().cycle());
        let bots =
            bots.map(|(at, bot)| Bot { spec: numbered(at, bot), limits: limits.clone(), ..bot.clone() }).collect();
        Ok(ReferenceField { ruleset: Ruleset { limits, clock, ..ruleset.clone() }, bots })
    }

    /// Lets the first `entrants` bots play in `format`. `None` if the user asked to stop.
    fn play(&self, mut format: Format, entrants: usize) -> Result<Option<SnapshotGames>, CliError> {
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
                let games = vec![format!("not played: {why}")];
                return Ok(Some(SnapshotGames { games, standings: Vec::new() }));
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
        let games = games.iter().flat_map(|game| self.lines(game));
        Ok(Some(SnapshotGames { games: games.collect(), standings: standings.collect() }))
    }

    fn name(&self, id: EntrantId) -> &str {
        &self.bots[id.index()].spec
    }

    /// A line with the entrants and the board, and one with the result, the number of moves, their hash, and forfeits.
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
        let points = points(&game.outcome);
        let moves = game.moves.len();
        [
            format!("{} on board {}", names.join(", "), game.pairing.board + 1),
            format!("  {winners}, {points}, {moves} moves, {hash}{}", forfeits.collect::<String>()),
        ]
    }

    /// Plays all games of `contest`. `None` if the user asked to stop.
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
        let mut planner = |results: &Results| contest.plan(results).unwrap_or(Plan::Finished);
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

/// The games and records of a rule maker.
#[derive(Default)]
pub(crate) struct OwnGames {
    games: Vec<OwnGame>,
    records: Vec<PathBuf>,
}

struct OwnGame {
    name: String,
    file: OwnGameFile,
    board: Option<Vec<u8>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct OwnGameFile {
    game: Spanned<String>,
    /// The number of seats; by default the fewest that the ruleset allows.
    seats: Option<Within<1, 8>>,
    /// The seed of a generated board, and of what the game draws.
    #[serde(default)]
    seed: u64,
    /// The file of the board.
    board: Option<Spanned<String>>,
    /// The moves in the game's notation.
    #[serde(default)]
    moves: Vec<String>,
    /// What a bot then answers.
    answer: Option<String>,
}

impl OwnGames {
    /// Reads the games in `folder/games/` and finds the records in `folder`.
    ///
    /// # Errors
    /// The mistakes in the files, all at once.
    pub(crate) fn read(folder: &Path, games: &Registry) -> Result<OwnGames, CliError> {
        let mut wrong = Vec::new();
        let rulesets = files(folder, "toml").into_iter().map(|path| path.display().to_string());
        let rulesets = rulesets.filter_map(|path| games.games.ruleset(&path, Path::new("")).ok());
        let of_judges: Vec<&str> = rulesets.filter(|it| judged(it).is_some()).map(|it| it.game()).collect();
        let read = files(&folder.join("games"), "toml").into_iter().filter_map(|path| {
            OwnGame::read(&path, games, &of_judges).map_err(|mistake| wrong.push(mistake.to_string())).ok()
        });
        let own = OwnGames { games: read.collect(), records: files(folder, "db") };
        if wrong.is_empty() { Ok(own) } else { Err(CliError::usage(wrong.join("\n       "))) }
    }

    /// What `ruleset` makes of each of these games that is of its game, in two lines.
    pub(crate) fn games(&self, ruleset: &Ruleset) -> Vec<String> {
        let of_game = self.games.iter().filter(|own| own.file.game.get_ref() == ruleset.game());
        of_game.flat_map(|own| [own.name.clone(), format!("  {}", own.outcome_by(ruleset))]).collect()
    }

    /// What `ruleset` makes of the games of each record that is of its game: how many end as they did, and which do
    /// not.
    pub(crate) fn records(&self, ruleset: &Ruleset, games: &Registry) -> Result<Vec<String>, CliError> {
        let mut lines = Vec::new();
        for path in &self.records {
            let record = games.open(path)?;
            if record.header()?.game == ruleset.game() {
                lines.push(plain(path.file_name().unwrap_or_default().to_string_lossy()));
                lines.extend(rejudged_games(&record, ruleset, games)?.iter().map(|line| format!("  {line}")));
            }
        }
        Ok(lines)
    }
}

/// What `ruleset` makes of the games of `record`.
fn rejudged_games(record: &Record, ruleset: &Ruleset, games: &Registry) -> Result<Vec<String>, CliError> {
    let rejudged = match rejudge(record, &games.games, ruleset, true) {
        Ok(rejudged) => rejudged,
        Err(RecordError { kind: RecordErrorKind::OtherRules { why, .. }, .. }) => {
            return Ok(vec![format!("no such contest: {why}")]);
        }
        Err(other) => return Err(other.into()),
    };
    let line = |game: &GameSummary, judgement: &Judgement| {
        let id = game.pairing.id;
        let before = points(&game.outcome);
        match judgement {
            Judgement::Same => None,
            Judgement::Other { outcome, .. } => {
                Some(format!("{id}: {before}, now {}, places {:?}", points(outcome), outcome.places))
            }
            Judgement::Diverges { why, .. } => Some(format!("{id}: {before}, now unknown: {}", plain(why))),
        }
    };
    let differing: Vec<String> = rejudged.games.iter().filter_map(|(game, it)| line(game, it)).collect();
    let same = rejudged.games.len() - differing.len();
    let first = format!("{same} of {} games end as they did", rejudged.games.len());
    Ok(std::iter::once(first).chain(differing).collect())
}

impl OwnGame {
    /// Reads the file of a game. Its key `game` must name one of `games`, or one of those that are `judged` by a
    /// program.
    fn read(path: &Path, games: &Registry, judged: &[&str]) -> Result<OwnGame, Mistake> {
        let text = fs::read_to_string(path).map_err(|error| Mistake {
            path: path.into(),
            line: 1,
            message: error.to_string(),
        })?;
        let source = SourceFile { path, text: &text };
        let file: OwnGameFile = source.read()?;
        let game = file.game.get_ref();
        if games.games.find(game).is_none() && !judged.contains(&game.as_str()) {
            let hint = did_you_mean(game, games.games.ids());
            return Err(source.mistake(file.game.span().start, format!("there is no game `{game}`{hint}")));
        }
        let folder = path.parent().unwrap_or(Path::new(""));
        let board = file.board.as_ref().map(|board| {
            let wrong = |error| source.mistake(board.span().start, format!("{}: {error}", board.get_ref()));
            fs::read(folder.join(board.get_ref())).map_err(wrong)
        });
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        Ok(OwnGame { name, board: board.transpose()?, file })
    }

    /// How the game goes and ends by `ruleset`.
    fn outcome_by(&self, ruleset: &Ruleset) -> String {
        let OwnGameFile { seats, seed, moves, answer, .. } = &self.file;
        let board = self.board.clone().unwrap_or_else(|| ruleset.board(*seed));
        let seats = seats.as_ref().map_or(ruleset.seats.0, |seats| seats.0 as u8);
        let setup = Setup { seats, seed: *seed, board, ..Setup::default() };
        let mut game = match ruleset.open(&setup) {
            Ok(game) => game,
            Err(error) => return format!("no such game: {error}"),
        };
        let replies = moves.iter().map(|notation| Reply::Notation(notation.clone()));
        let answer = answer.iter().map(|answer| Reply::Answer(answer.as_bytes().to_vec()));
        let mut last = String::new();
        for (number, reply) in (1..).zip(replies.chain(answer)) {
            let Some(seat) = game.to_act().iter().next() else {
                return format!("over before move {number}: {}", state(&*game));
            };
            match game.play(seat, &reply) {
                Ok(notation) => last = format!("after move {number}, {notation}, "),
                Err(Violation { kind, rule, detail, .. }) => {
                    return format!("move {number} of {seat} is {kind} {rule}: {detail}");
                }
            }
        }
        last + &state(&*game)
    }
}

/// The points of a game by seat, such as `3 : 1`.
fn points(outcome: &Outcome) -> String {
    outcome.points.iter().map(ToString::to_string).collect::<Vec<_>>().join(" : ")
}

/// Whether the game is over and how it ended, or who is to move.
fn state(game: &dyn LiveGame) -> String {
    match (game.outcome(), game.to_act().iter().next()) {
        (Some(outcome), _) => {
            let winners: Vec<String> = outcome.winners().map(|seat| seat.to_string()).collect();
            let who = if let [winner] = &winners[..] { format!("{winner} wins") } else { "tie".to_string() };
            format!("the game is over: {}, {who}", points(&outcome))
        }
        (None, Some(seat)) => format!("{seat} is to move"),
        (None, None) => "nobody is to move".to_string(),
    }
}

/// The files in `folder` with this `extension`, sorted by name.
pub(crate) fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut files: Vec<PathBuf> =
        entries.filter(|path| path.is_file() && path.extension().is_some_and(|its| its == extension)).collect();
    files.sort();
    files
}

/// How many random games are played with each number of seats, with the seeds from 1.
const SEEDS: u64 = 3;

/// A random game is broken off once it has this many moves.
const MOST_MOVES: usize = 300;

/// How many moves of a random game are in a line.
const IN_A_LINE: usize = 12;

/// The games of random legal moves that show what a judge decides in its game, for which Cornerman has no bots. With
/// `forfeits`, seats forfeit in between. Each game has a line with its seats, its seed and its end, and lines of its
/// moves. If the judge lists no legal moves, its games are only begun, and forfeited with `forfeits`.
pub(super) fn random_games(ruleset: &Ruleset, forfeits: bool) -> Vec<String> {
    let (least, most) = ruleset.seats;
    let starts = (least..=most).flat_map(|seats| (1..=SEEDS).map(move |seed| (seats, seed)));
    starts.flat_map(|(seats, seed)| random_game(ruleset, seats, seed, forfeits)).collect()
}

/// A game of random moves. With `forfeits`, one seat forfeits in each turn whose number, from 1, is a multiple of the
/// seed, and so does every seat for which the game lists no moves. Without `forfeits`, the game is broken off when it
/// lists no moves for a seat.
fn random_game(ruleset: &Ruleset, seats: u8, seed: u64, forfeits: bool) -> Vec<String> {
    let title = format!("{seats} seats, seed {seed}");
    let setup = Setup { seats, seed, board: ruleset.board(seed), ..Setup::default() };
    let mut live = match ruleset.open(&setup) {
        Ok(live) => live,
        Err(error) => return vec![format!("{title}: no such game: {error}")],
    };
    let mut rng = Rng::new(seed);
    let mut moves = Vec::new();
    for turn in 1.. {
        if live.outcome().is_some() || moves.len() >= MOST_MOVES {
            break;
        }
        let acting: Vec<Seat> = live.to_act().iter().collect();
        let forfeiting =
            (forfeits && turn % seed == 0).then(|| acting.get(turn as usize % acting.len().max(1))).flatten();
        let chosen = |seat: &Seat| {
            if Some(seat) == forfeiting {
                return Some((*seat, None));
            }
            let reply = rng.pick(&live.legal(*seat)).map(|notation| Reply::Notation(notation.clone()));
            (forfeits || reply.is_some()).then_some((*seat, reply))
        };
        let Some(acts) = acting.iter().map(chosen).collect::<Option<Vec<_>>>() else { break };
        let made = live.act_together(&acts);
        for ((seat, _), made) in acts.iter().zip(made) {
            let made = match made {
                Some(Ok(notation)) => notation,
                Some(Err(_)) => "refused".to_string(),
                None => "forfeits".to_string(),
            };
            moves.push(format!("{}:{made}", seat.0 + 1));
        }
    }
    let first = format!("{title}: {}", ended_or_board(&*live));
    let lines = moves.chunks(IN_A_LINE).map(|some| format!("  {}", some.join("  ")));
    std::iter::once(first).chain(lines).collect()
}

/// The result of the game, or the board if it is not over.
fn ended_or_board(live: &dyn LiveGame) -> String {
    match live.outcome() {
        Some(outcome) => format!("places {:?}, points {:?}", outcome.places, outcome.points),
        None => {
            let board = String::from_utf8_lossy(&live.board()).trim_end().replace('\n', " / ");
            format!("not over; {}", plain(board))
        }
    }
}
