//! A rule maker's own games and records, which a ruleset judges.
//!
//! ```toml
//! # games/corner.toml
//! game = "boxing"
//! board = "empty.arena"
//! moves = ["10x10 at row 1, column 1"]
//! answer = "…"
//! ```

use crate::show::plain;
use crate::{CliError, Registry};
use cornerman::game::{LiveGame, Reply, Setup, Violation};
use cornerman::rng::Rng;
use cornerman_harness::judge::judged as by_judge;
use cornerman_harness::kit::Within;
use cornerman_harness::nearest::did_you_mean;
use cornerman_harness::record::{GameSummary, Record, RecordError, RecordErrorKind};
use cornerman_harness::rejudge::{Judgement, rejudge};
use cornerman_harness::ruleset::Ruleset;
use cornerman_harness::toml_file::{Mistake, SourceFile};
use serde::Deserialize;
use std::fs;
use std::path::{Path, PathBuf};
use toml::Spanned;

/// The subfolder of games.
const GAMES: &str = "games";

/// The games and records of a rule maker.
#[derive(Default)]
pub(crate) struct OwnGames {
    games: Vec<OwnGame>,
    records: Vec<PathBuf>,
}

/// A game.
struct OwnGame {
    name: String,
    file: OwnGameFile,
    board: Option<Vec<u8>>,
}

/// The file of a game.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct OwnGameFile {
    /// The id of the game.
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
        let judged: Vec<&str> = rulesets.filter(|it| by_judge(it).is_some()).map(|it| it.game()).collect();
        let read = files(&folder.join(GAMES), "toml").into_iter().filter_map(|path| {
            OwnGame::read(&path, games, &judged).map_err(|mistake| wrong.push(mistake.to_string())).ok()
        });
        let own = OwnGames { games: read.collect(), records: files(folder, "db") };
        if wrong.is_empty() { Ok(own) } else { Err(CliError::usage(wrong.join("\n       "))) }
    }

    /// What `ruleset` makes of each game of its kind, in two lines.
    pub(crate) fn games(&self, ruleset: &Ruleset) -> Vec<String> {
        let of_game = self.games.iter().filter(|own| own.file.game.get_ref() == ruleset.game());
        of_game.flat_map(|own| [own.name.clone(), format!("  {}", own.judged(ruleset))]).collect()
    }

    /// What `ruleset` makes of the games of each record of its kind: how many end as they did, and which do not.
    pub(crate) fn records(&self, ruleset: &Ruleset, games: &Registry) -> Result<Vec<String>, CliError> {
        let mut lines = Vec::new();
        for path in &self.records {
            let record = games.open(path)?;
            if record.header()?.game == ruleset.game() {
                lines.push(plain(path.file_name().unwrap_or_default().to_string_lossy()));
                lines.extend(judged(&record, ruleset, games)?.iter().map(|line| format!("  {line}")));
            }
        }
        Ok(lines)
    }
}

/// What `ruleset` makes of the games of `record`.
fn judged(record: &Record, ruleset: &Ruleset, games: &Registry) -> Result<Vec<String>, CliError> {
    let rejudged = match rejudge(record, &games.games, ruleset, true) {
        Ok(rejudged) => rejudged,
        Err(RecordError { kind: RecordErrorKind::OtherRules { why, .. }, .. }) => {
            return Ok(vec![format!("no such contest: {why}")]);
        }
        Err(other) => return Err(other.into()),
    };
    let points = |points: &[i64]| points.iter().map(ToString::to_string).collect::<Vec<_>>().join(" : ");
    let line = |game: &GameSummary, judgement: &Judgement| {
        let id = game.pairing.id;
        let before = points(&game.outcome.points);
        match judgement {
            Judgement::Same => None,
            Judgement::Other { outcome, .. } => {
                Some(format!("{id}: {before}, now {}, places {:?}", points(&outcome.points), outcome.places))
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
    /// Reads the file of a game, which is one of `games` or of those that are `judged` by a program.
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

    /// What `ruleset` makes of it.
    fn judged(&self, ruleset: &Ruleset) -> String {
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
                return format!("over before move {number}: {}", ended(&*game));
            };
            match game.play(seat, &reply) {
                Ok(notation) => last = format!("after move {number}, {notation}, "),
                Err(Violation { kind, rule, detail, .. }) => {
                    return format!("move {number} of {seat} is {kind} {rule}: {detail}");
                }
            }
        }
        last + &ended(&*game)
    }
}

/// How the game stands.
fn ended(game: &dyn cornerman::game::LiveGame) -> String {
    match (game.outcome(), game.to_act().iter().next()) {
        (Some(outcome), _) => {
            let points: Vec<String> = outcome.points.iter().map(ToString::to_string).collect();
            let winners: Vec<String> = outcome.winners().map(|seat| seat.to_string()).collect();
            let who = if let [winner] = &winners[..] { format!("{winner} wins") } else { "tie".to_string() };
            format!("the game is over: {}, {who}", points.join(" : "))
        }
        (None, Some(seat)) => format!("{seat} is to move"),
        (None, None) => "nobody is to move".to_string(),
    }
}

/// The files in `folder` whose names end with `extension`, by name.
pub(crate) fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut files: Vec<PathBuf> =
        entries.filter(|path| path.is_file() && path.extension().is_some_and(|its| its == extension)).collect();
    files.sort();
    files
}

/// The seeds of the games, each with every number of seats.
const SEEDS: u64 = 3;

/// The most moves of a game that are played, and how many are in a line.
const MOST_MOVES: usize = 300;
const IN_A_LINE: usize = 12;

/// Games of random legal moves, for a judge's game, which has no bots of Cornerman: what the judge decides in them. Each as a line of what it is and how it ends, and lines of its moves. A game that lists no moves is only
/// begun.
pub(super) fn random_games(ruleset: &Ruleset) -> Vec<String> {
    let (least, most) = ruleset.seats;
    let starts = (least..=most).flat_map(|seats| (1..=SEEDS).map(move |seed| (seats, seed)));
    starts.flat_map(|(seats, seed)| random_game(ruleset, seats, seed)).collect()
}

fn random_game(ruleset: &Ruleset, seats: u8, seed: u64) -> Vec<String> {
    let title = format!("{seats} seats, seed {seed}");
    let setup = Setup { seats, seed, board: ruleset.board(seed), ..Setup::default() };
    let mut live = match ruleset.open(&setup) {
        Ok(live) => live,
        Err(error) => return vec![format!("{title}: no such game: {error}")],
    };
    let mut rng = Rng::new(seed);
    let mut moves = Vec::new();
    while live.outcome().is_none() && moves.len() < MOST_MOVES {
        let chosen =
            |seat| rng.pick(&live.legal(seat)).map(|notation| (seat, Some(Reply::Notation(notation.clone()))));
        let Some(acts) = live.to_act().iter().map(chosen).collect::<Option<Vec<_>>>() else { break };
        let made = live.act_together(&acts);
        for ((seat, _), made) in acts.iter().zip(made) {
            let made = made.and_then(Result::ok).unwrap_or_else(|| "refused".to_string());
            moves.push(format!("{}:{made}", seat.0 + 1));
        }
    }
    let mut lines = vec![format!("{title}: {}", ended_or_board(&*live))];
    lines.extend(moves.chunks(IN_A_LINE).map(|some| format!("  {}", some.join("  "))));
    lines
}

fn ended_or_board(live: &dyn LiveGame) -> String {
    match live.outcome() {
        Some(outcome) => format!("places {:?}, points {:?}", outcome.places, outcome.points),
        None => {
            let board = String::from_utf8_lossy(&live.board()).trim_end().replace('\n', " / ");
            format!("not over; {}", cornerman_harness::text::plain(board))
        }
    }
}
