//! What each ruleset decides, in one snapshot per ruleset: its settings, its verdict on every specimen, whole games and
//! a small contest. So the effects of a change of rules are visible before it is adopted (X5). The players are part of
//! this test, so that the snapshots do not depend on any bot.

#[path = "rulesets/by_lines.rs"]
mod by_lines;

use cornerman::contest::{Contest, Field, Journal, Participants, Stage};
use cornerman::format::{Plan, Results};
use cornerman::formats::{Format, all_play_all};
use cornerman::game::{End, Outcome, Setup, SetupError, Spot};
use cornerman::games::boxing::{Arena, Boxing, Square, judge};
use cornerman_harness::games::{boxing, go, rps};
use cornerman_harness::kit::{AnyKit, Games};
use cornerman_harness::ruleset::Ruleset;
use libtest_mimic::{Arguments, Failed, Trial};
use sha2::{Digest, Sha256};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

fn main() {
    let args = Arguments::from_args();
    let mut trials = vec![
        Trial::test("every_file_of_rulesets_is_built_in", every_file_of_rulesets_is_built_in),
        Trial::test("small_squares_differ_only_by_large_ones", small_squares_differ_only_by_large_ones),
    ];
    trials.extend(files().into_iter().map(|path| {
        let name = path.file_stem().expect("a file has a name").to_string_lossy().into_owned();
        Trial::test(name.clone(), move || decisions_are_as_reviewed(&name, &path))
    }));
    libtest_mimic::run(&args, trials).exit();
}

fn all_games() -> Games {
    let kits: [&'static dyn AnyKit; 3] = [&boxing::KIT, &rps::KIT, &go::KIT];
    Games::new(kits)
}

fn decisions_are_as_reviewed(name: &str, path: &Path) -> Result<(), Failed> {
    let ruleset = all_games().parse(path, &fs::read_to_string(path)?).map_err(|mistake| mistake.to_string())?;
    let text = match ruleset.rules_of::<Boxing>() {
        Some(_) => Decisions::of(&ruleset)?.to_text(),
        None => by_lines::decisions(&ruleset)?,
    };
    insta::with_settings!({ omit_expression => true, description => "what the ruleset decides (X5)" }, {
        insta::assert_snapshot!(name, text);
    });
    Ok(())
}

fn every_file_of_rulesets_is_built_in() -> Result<(), Failed> {
    let games = all_games();
    let rulesets = games.iter().flat_map(|kit| kit.rulesets());
    let mut built_in: Vec<(String, String)> =
        rulesets.map(|(id, text)| ((*id).to_string(), (*text).to_string())).collect();
    built_in.sort();
    let read = |path: PathBuf| {
        let id = path.file_stem().expect("a file has a name").to_string_lossy().into_owned();
        Ok((id, fs::read_to_string(path)?))
    };
    let there: Vec<(String, String)> = files().into_iter().map(read).collect::<Result<_, Failed>>()?;
    assert_eq!(built_in, there);
    Ok(())
}

/// A smaller `max_square` changes exactly the verdicts and games in which a larger square was placed.
fn small_squares_differ_only_by_large_ones() -> Result<(), Failed> {
    const MOST: u8 = 8;
    let decisions = |id: &str| Decisions::of(&boxing::KIT.built_in(id).expect("a built-in ruleset"));
    let (standard, small) = (decisions("boxing-1994")?, decisions("boxing-small-squares")?);

    let pairs = standard.settings.iter().zip(&small.settings);
    let differing: Vec<&str> = pairs.filter(|((_, a), (_, b))| a != b).map(|((key, _), _)| *key).collect();
    assert_eq!(differing, ["id", "title", "date", "largest square"]);

    let pairs = || standard.verdicts.iter().zip(&small.verdicts);
    let differing: Vec<&str> = pairs().filter(|(a, b)| a != b).map(|(a, _)| a.specimen.as_str()).collect();
    let large: Vec<&str> =
        pairs().filter(|(a, _)| a.side > Some(MOST)).map(|(a, _)| a.specimen.as_str()).collect();
    assert_eq!(differing, large);
    assert!(!large.is_empty(), "no specimen has a legal square larger than {MOST}");

    assert_eq!(standard.games.len(), small.games.len());
    for (a, b) in standard.games.iter().zip(&small.games) {
        assert_eq!(a.head, b.head);
        assert_eq!(a != b, a.side > MOST, "{}: the largest square had the side {}", a.head, a.side);
        assert!(b.side <= MOST, "{}: {}", b.head, b.side);
    }
    let large = standard.games.iter().filter(|game| game.side > MOST).count();
    assert!((1..standard.games.len()).contains(&large), "games with a large square: {large}");
    Ok(())
}

/// The decisions of a ruleset that this test covers.
struct Decisions {
    settings: Vec<(&'static str, String)>,
    verdicts: Vec<Verdict>,
    games: Vec<Played>,
    standings: String,
}

impl Decisions {
    fn of(ruleset: &Ruleset) -> Result<Decisions, Failed> {
        let verdicts = specimens()?.into_iter().map(|specimen| Verdict::of(ruleset, &specimen));
        Ok(Decisions {
            settings: settings(ruleset),
            verdicts: verdicts.collect(),
            games: games(ruleset),
            standings: standings(ruleset)?,
        })
    }

    fn to_text(&self) -> String {
        let mut text = String::from("Settings\n");
        for (key, value) in &self.settings {
            writeln!(text, "  {key:15} {value}").expect("a string takes all");
        }
        text += "\nVerdicts on the specimens\n";
        for verdict in &self.verdicts {
            writeln!(text, "  {:24} {}", verdict.specimen, verdict.words).expect("a string takes all");
        }
        text += "\nGames\n";
        for game in &self.games {
            writeln!(text, "  {}\n    {}", game.head, game.words).expect("a string takes all");
        }
        text += "\nEveryone against everyone on boards 1 to 3\n";
        text + &self.standings
    }
}

fn settings(ruleset: &Ruleset) -> Vec<(&'static str, String)> {
    let boxing = boxing_of(ruleset);
    let limits = &ruleset.limits;
    vec![
        ("id", ruleset.id.clone()),
        ("title", ruleset.title.clone()),
        ("version", ruleset.version.to_string()),
        ("date", ruleset.date.clone()),
        ("game", ruleset.game().to_string()),
        ("largest square", boxing.max_square.to_string()),
        ("seats", format!("{} to {}", ruleset.seats.0, ruleset.seats.1)),
        ("marks", ruleset.marks.escape_ascii().to_string()),
        ("warning after", format!("{} ms", limits.soft.as_millis())),
        ("forfeit after", format!("{} ms", limits.hard.as_millis())),
        ("memory", format!("{} MiB", limits.memory >> 20)),
    ]
}

fn boxing_of(ruleset: &Ruleset) -> &Boxing {
    ruleset.rules_of().expect("a ruleset of the Boxing Match")
}

/// The verdict on a specimen.
#[derive(PartialEq)]
struct Verdict {
    specimen: String,
    words: String,
    /// The side of the square, if the move is legal and places one.
    side: Option<u8>,
}

impl Verdict {
    fn of(ruleset: &Ruleset, specimen: &Specimen) -> Verdict {
        let boxing = boxing_of(ruleset);
        let judged = judge(&specimen.given, specimen.mark, boxing.max_square, &specimen.written);
        let side = judged.as_ref().ok().and_then(|square| square.map(|square| square.size));
        let words = match judged {
            Ok(Some(square)) => format!("legal: {square}"),
            Ok(None) => "legal: nothing to take".to_string(),
            Err(wrong) => format!("{} {}: {}", wrong.kind, wrong.rule, wrong.detail),
        };
        Verdict { specimen: specimen.name.clone(), words, side }
    }
}

/// An answer that a bot wrote, and the arena it was given.
struct Specimen {
    name: String,
    given: Arena,
    mark: u8,
    written: Vec<u8>,
}

fn specimens() -> Result<Vec<Specimen>, Failed> {
    listed("conformance/specimens/boxing", "arena").into_iter().map(specimen).collect()
}

/// Reads `NAME.arena`. The head of `NAME.verdict` says which case it answers, and with which mark.
fn specimen(path: PathBuf) -> Result<Specimen, Failed> {
    let text = fs::read_to_string(path.with_extension("verdict"))?;
    let value = |key: &str| text.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(' '));
    let case = value("case").ok_or("no line `case NAME`")?;
    let Some(&[mark]) = value("mark").map(str::as_bytes) else { return Err("no line `mark M`".into()) };
    let given = fs::read(root().join("conformance/cases/boxing").join(case).join("in.arena"))?;
    Ok(Specimen {
        name: path.file_stem().expect("a file has a name").to_string_lossy().into_owned(),
        given: Arena::parse(&given).map_err(|broken| broken.to_string())?,
        mark,
        written: fs::read(&path)?,
    })
}

/// A game from its beginning to its end.
#[derive(PartialEq)]
struct Played {
    /// The board and the players by seat.
    head: String,
    words: String,
    /// The side of the largest square that was placed.
    side: u8,
}

const BOARDS: [u32; 3] = [1, 2, 3];

/// Games of two, three and four players on every board; each player begins one of each.
fn games(ruleset: &Ruleset) -> Vec<Played> {
    let mut games = Vec::new();
    for board in BOARDS {
        for seats in 2..=PLAYERS.len() {
            for first in 0..PLAYERS.len() {
                let players: Vec<Player> =
                    (0..seats).map(|seat| PLAYERS[(first + seat) % PLAYERS.len()]).collect();
                games.push(played(ruleset, board, &players));
            }
        }
    }
    games
}

fn played(ruleset: &Ruleset, board: u32, players: &[Player]) -> Played {
    let names: Vec<&str> = players.iter().map(|player| player.name).collect();
    let head = format!("board {board}: {}", names.join(", "));
    match play(ruleset, board, players) {
        Err(refused) => Played { head, words: format!("not played: {refused}"), side: 0 },
        Ok(Game { outcome, moves, side, board }) => {
            let winners: Vec<&str> = outcome.winners().map(|seat| names[seat.index()]).collect();
            let end = if outcome.end == End::Forfeited { " by forfeits" } else { "" };
            let score = outcome.points.iter().max().copied().unwrap_or(0);
            let arena =
                Sha256::digest(board)[..4].iter().fold(String::new(), |hex, byte| hex + &format!("{byte:02x}"));
            let winner = winners.join(" and ");
            let words = format!(
                "{winner} wins{end}, score {score}, moves {moves}, largest square {side}, final arena {arena}"
            );
            Played { head, words, side }
        }
    }
}

/// How a game went.
struct Game {
    outcome: Outcome,
    moves: u32,
    side: u8,
    board: Vec<u8>,
}

/// Plays a game by the ruleset, which alone decides what is legal. A player that proposes no legal move forfeits.
fn play(ruleset: &Ruleset, board: u32, players: &[Player]) -> Result<Game, SetupError> {
    let setup = Setup { seats: players.len() as u8, seed: board.into(), ..Setup::default() };
    let mut game = ruleset.open(&setup)?;
    let (mut moves, mut side) = (0, 0);
    while let Some(seat) = game.to_act().iter().next() {
        let arena = Arena::parse(&game.view(seat)).expect("a bot is given an arena");
        let laid = (players[seat.index()].proposals)(&arena).into_iter().find(|&square| {
            let mut answer = arena.clone();
            answer.fill(square, ruleset.marks[seat.index()]);
            game.answer(seat, &answer.to_bytes()).is_ok()
        });
        match laid {
            Some(square) => (moves, side) = (moves + 1, side.max(square.size)),
            None => game.forfeit(seat),
        }
    }
    let outcome = game.outcome().expect("the game is over");
    Ok(Game { outcome, moves, side, board: game.board() })
}

/// The standings of a contest of the players, if the ruleset allows its games.
fn standings(ruleset: &Ruleset) -> Result<String, Failed> {
    let names = PLAYERS.map(|player| player.name);
    standings_of(&names, all_play_all::Settings::default(), &|board, seats| {
        let players: Vec<Player> = seats.iter().map(|&seat| PLAYERS[seat]).collect();
        play(ruleset, BOARDS[board as usize], &players).map(|game| game.outcome)
    })
}

/// Plays a game on the board of this number, with these players by seat.
type PlayGame<'a> = dyn Fn(u32, &[usize]) -> Result<Outcome, SetupError> + 'a;

/// The standings of an all-play-all contest of players with these names. `play` plays a game on a board.
fn standings_of(names: &[&str], settings: all_play_all::Settings, play: &PlayGame) -> Result<String, Failed> {
    let format = Format::AllPlayAll(settings);
    let field = Field::new(names.len() as u16, 0);
    let contest =
        Contest::new(field, vec![Stage { format, who: Participants::All }], 1).map_err(|e| e.to_string())?;
    let mut results = Results::new();
    while let Plan::Play(due) = contest.plan(&results, &Journal::new()).map_err(|e| e.to_string())? {
        for pairing in due {
            let seats: Vec<usize> = pairing.seats.iter().map(|id| id.index()).collect();
            match play(pairing.board, &seats) {
                Ok(outcome) => results.insert(pairing.id, outcome),
                Err(refused) => return Ok(format!("  not played: {refused}\n")),
            }
        }
    }
    let columns = contest.columns(&results, &Journal::new());
    let mut text = String::new();
    for standing in contest.standings(&results, &Journal::new()) {
        let figures =
            columns.iter().zip(&standing.figures).map(|(column, figure)| format!("{} {figure}", column.name));
        let figures: Vec<String> = figures.collect();
        let name = names[standing.entrant.index()];
        writeln!(text, "  {} {name:10} {}", standing.place, figures.join(", "))?;
    }
    Ok(text)
}

/// A player: the squares that it would place, the preferred ones first. It places the first that the rules accept, so
/// it need not know the largest allowed square.
#[derive(Clone, Copy)]
struct Player {
    name: &'static str,
    proposals: fn(&Arena) -> Vec<Square>,
}

const PLAYERS: [Player; 4] = [
    Player { name: "first-fit", proposals: first_fit },
    Player { name: "smallest", proposals: smallest },
    Player { name: "largest", proposals: largest },
    Player { name: "bold", proposals: bold },
];

/// The largest square at the first vacant spot.
fn first_fit(arena: &Arena) -> Vec<Square> {
    let Some(Spot { row, col }) = arena.vacant().spots().next() else { return Vec::new() };
    let mut squares: Vec<Square> = (1..=arena.vacant().largest()).map(|size| Square { row, col, size }).collect();
    squares.retain(|&square| arena.vacant().fits(square));
    squares.reverse();
    squares
}

/// One spot: the last vacant one.
fn smallest(arena: &Arena) -> Vec<Square> {
    let last = arena.vacant().spots().last();
    last.into_iter().map(|Spot { row, col }| Square { row, col, size: 1 }).collect()
}

/// The largest square; of several, the first.
fn largest(arena: &Arena) -> Vec<Square> {
    let mut squares: Vec<Square> = arena.vacant().squares().collect();
    squares.sort_by_key(|square| std::cmp::Reverse(square.size));
    squares
}

/// Only the largest square; of several, the last. It forfeits where the rules do not allow that square.
fn bold(arena: &Arena) -> Vec<Square> {
    arena.vacant().squares().last().into_iter().collect()
}

fn files() -> Vec<PathBuf> {
    listed("rulesets", "toml")
}

/// The files of a folder of the project whose names end with `extension`, in order.
fn listed(folder: &str, extension: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(root().join(folder)).unwrap_or_else(|error| panic!("{folder}: {error}"));
    let mut found: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    found.retain(|path| path.extension().is_some_and(|its| its == extension));
    found.sort();
    found
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}
