//! Rulesets as data: which rules a game is played by and within which limits, versioned and dated.

use crate::engine::Engine;
use crate::nearest::did_you_mean;
use crate::player::clock::GameClock;
use crate::player::protocol::Protocol;
use crate::sandbox::Limits;
use crate::toml_file::{Mistake, Source};
use cornerman::game::{LiveGame, Seat, Setup, SetupError, Spot};
use serde::Deserialize;
use std::any::Any;
use std::fmt::Debug;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use toml::Spanned;

/// A ruleset in force.
#[derive(Clone, Debug)]
pub struct Ruleset {
    /// Its name in files, such as `boxing-1994`.
    pub id: String,
    /// Its name for people.
    pub title: String,
    /// Which version of it this is, from 1.
    pub version: u64,
    /// When this version was made: `1994-01-01`.
    pub date: String,
    /// The fewest and the most seats.
    pub seats: (u8, u8),
    /// One byte a seat that names it on the board, in order of play; as many as the most seats.
    pub marks: Vec<u8>,
    /// What a run of a bot may use: times and memory are the ruleset's, the others the usual.
    pub limits: Limits,
    /// The clock of a whole game, where the game has one; else the limits are for each answer (G3).
    pub clock: Option<GameClock>,
    /// Whether bots may think while it is not their turn.
    pub pondering: bool,
    /// The file, whole.
    pub text: String,
    /// The game's rules.
    pub rules: Arc<dyn RulesInForce>,
}

/// Two are equal that were read from the same text.
impl PartialEq for Ruleset {
    fn eq(&self, other: &Ruleset) -> bool {
        self.text == other.text
    }
}

/// Why there is no ruleset.
#[derive(Debug, thiserror::Error)]
pub enum RulesetError {
    /// Neither a file nor one that comes along.
    #[error("no such ruleset: {name}{hint}")]
    Missing {
        /// What was asked for.
        name: String,
        /// The nearest that exists.
        hint: String,
    },
    /// The file cannot be read.
    #[error("cannot read the ruleset {}: {source}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The system's answer.
        source: std::io::Error,
    },
    /// The file makes no sense.
    #[error("{0}")]
    Wrong(Mistake),
}

impl Ruleset {
    /// The ruleset in the file `path`, which is a ruleset of one of `games` and was asked for as `name`.
    ///
    /// # Errors
    /// When there is none or the file is wrong.
    pub(crate) fn of_file(games: &Games, name: &str, path: &Path) -> Result<Ruleset, RulesetError> {
        match fs::read_to_string(path) {
            Ok(text) => games.parse(path, &text).map_err(RulesetError::Wrong),
            Err(source) if path.exists() => Err(RulesetError::Unreadable { path: path.to_path_buf(), source }),
            Err(_) => Err(missing(games, name, path)),
        }
    }

    /// What the kit knows of the game.
    pub fn kit(&self) -> &'static dyn AnyKit {
        self.rules.kit()
    }

    /// The game's id.
    pub fn game(&self) -> &'static str {
        self.kit().id()
    }

    /// The rules as those of a certain game, `G`; `None` if they are of another.
    pub fn rules_of<G: 'static>(&self) -> Option<&G> {
        self.rules.rules().downcast_ref()
    }

    /// Sets up a game by these rules; seats without marks get the ruleset's.
    ///
    /// # Errors
    /// When the setup does not fit the rules.
    pub fn open(&self, setup: &Setup) -> Result<Box<dyn LiveGame>, SetupError> {
        let (least, most) = self.seats;
        if !(least..=most).contains(&setup.seats) {
            let (id, seats) = (&self.id, setup.seats);
            return Err(SetupError(format!("{seats} seats, where the ruleset {id} has {least} to {most}")));
        }
        let mut setup = setup.clone();
        if setup.marks.is_empty() {
            setup.marks = self.marks[..usize::from(setup.seats)].to_vec();
        }
        self.rules.open(&setup)
    }

    /// How a bot in `seat` is spoken to that speaks the protocol `speaks`, or the game's own; `None` where the game does
    /// not know that.
    pub fn protocol(&self, seat: Seat, speaks: Option<&str>) -> Option<Protocol> {
        self.rules.protocol(seat, self.marks[seat.index()], speaks)
    }

    /// The board of this seed; empty where a game has none.
    pub fn board(&self, seed: u64) -> Vec<u8> {
        self.rules.board(seed)
    }

    /// Whether a game can begin on `board`.
    ///
    /// # Errors
    /// What is wrong with it, and where.
    pub fn check_board(&self, board: &[u8]) -> Result<(), BoardError> {
        self.rules.check_board(board)
    }

    /// The notation of the move that a human's line means.
    ///
    /// # Errors
    /// What is wrong with the line.
    pub fn typed(&self, line: &str) -> Result<String, String> {
        self.rules.typed(line)
    }
}

fn missing(games: &Games, name: &str, path: &Path) -> RulesetError {
    let ids = games.iter().flat_map(|kit| kit.rulesets()).map(|(id, _)| *id);
    let built_in = crate::nearest::did_you_mean(name, ids);
    let hint = match built_in.is_empty() {
        true => crate::nearest::did_you_mean_file(path),
        false => built_in,
    };
    RulesetError::Missing { name: name.to_string(), hint }
}

/// What is wrong with a board.
pub struct BoardError {
    /// The first spot concerned, if it is one.
    pub at: Option<Spot>,
    /// In words.
    pub words: String,
}

/// What differs from game to game of a contest, and so what a seed stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Start {
    /// A board, which is made from the seed; what it is called.
    Board(&'static str),
    /// What the game draws from the seed.
    Seed,
    /// Nothing.
    Fixed,
}

/// What one game is to everything that knows no game: the object-safe face of a [`GameKit`](crate::kit::GameKit).
pub trait AnyKit: Send + Sync {
    /// Its name in files and on the command line.
    fn id(&self) -> &'static str;
    /// Its name for people.
    fn title(&self) -> &'static str;
    /// The rulesets that come along, the usual one first: their ids and the text of their files.
    fn rulesets(&self) -> &'static [(&'static str, &'static str)];
    /// Other protocols that programs of it speak.
    fn engines(&self) -> &'static [Engine];
    /// What differs from game to game of a contest.
    fn start(&self) -> Start;
    /// The marks that somebody wants, or what is wrong with them; `None` where marks cannot be chosen.
    fn marks(&self, wanted: &str, seats: u8) -> Option<Result<Vec<u8>, String>>;
    /// What a human is to type.
    fn prompt(&self) -> &'static str;
    /// Reference bots that fill up where a contest names no fillers.
    fn fillers(&self) -> &'static [&'static str];
    /// Reference bots that seed entrants where a stage names no programs.
    fn seed_programs(&self) -> &'static [&'static str];
    /// The ruleset that a file of this game holds.
    ///
    /// # Errors
    /// The mistake, with its line.
    fn read(&'static self, file: Source) -> Result<Ruleset, Mistake>;

    /// The ruleset `id` of those that come along.
    fn built_in(&'static self, id: &str) -> Option<Ruleset> {
        let (id, text) = self.rulesets().iter().find(|(built_in, _)| *built_in == id)?;
        let path = format!("{id}.toml");
        Some(self.read(Source { path: Path::new(&path), text }).expect("a ruleset that comes along is right"))
    }

    /// The usual ruleset.
    fn usual(&'static self) -> Ruleset {
        self.built_in(self.rulesets()[0].0).expect("it is among them")
    }
}

/// The rules of a game in force: what a [`Ruleset`] knows of its game.
pub trait RulesInForce: Send + Sync + Debug {
    /// The game's kit.
    fn kit(&self) -> &'static dyn AnyKit;
    /// Sets up a game.
    ///
    /// # Errors
    /// When the setup does not fit the rules.
    fn open(&self, setup: &Setup) -> Result<Box<dyn LiveGame>, SetupError>;
    /// How a bot in `seat` with `mark` is spoken to that speaks the protocol `speaks`, or the game's own; `None` where
    /// the game does not know that.
    fn protocol(&self, seat: Seat, mark: u8, speaks: Option<&str>) -> Option<Protocol>;
    /// The board of this seed; empty where a game has none.
    fn board(&self, seed: u64) -> Vec<u8>;
    /// Whether a game can begin on `board`.
    ///
    /// # Errors
    /// What is wrong with it, and where.
    fn check_board(&self, board: &[u8]) -> Result<(), BoardError>;
    /// The notation of the move that a human's line means.
    ///
    /// # Errors
    /// What is wrong with the line.
    fn typed(&self, line: &str) -> Result<String, String>;
    /// The rules themselves, for code of the same game.
    fn rules(&self) -> &dyn Any;
}

/// The games there are, the usual one first.
#[derive(Clone)]
pub struct Games(Arc<[&'static dyn AnyKit]>);

impl Games {
    /// These games.
    ///
    /// # Panics
    /// Where there is none.
    pub fn new(kits: impl IntoIterator<Item = &'static dyn AnyKit>) -> Games {
        let kits: Arc<[_]> = kits.into_iter().collect();
        assert!(!kits.is_empty(), "a kit has a game");
        Games(kits)
    }

    /// Each of them.
    pub fn iter(&self) -> impl Iterator<Item = &'static dyn AnyKit> {
        self.0.iter().copied()
    }

    /// The game that is meant where no game is named.
    pub fn usual(&self) -> &'static dyn AnyKit {
        self.0[0]
    }

    /// Their ids.
    pub fn ids(&self) -> impl Iterator<Item = &'static str> {
        self.iter().map(AnyKit::id)
    }

    /// The game with this id.
    pub fn find(&self, id: &str) -> Option<&'static dyn AnyKit> {
        self.iter().find(|kit| kit.id() == id)
    }

    /// The protocols that programs speak besides those of contests.
    pub fn engines(&self) -> Vec<Engine> {
        self.iter().flat_map(|kit| kit.engines()).copied().collect()
    }

    /// The ruleset called `name`: one that comes along, or a file, whose path counts from `folder`.
    ///
    /// # Errors
    /// When there is none or its file is wrong.
    pub fn ruleset(&self, name: &str, folder: &Path) -> Result<Ruleset, RulesetError> {
        match self.iter().find_map(|kit| kit.built_in(name)) {
            Some(ruleset) => Ok(ruleset),
            None => Ruleset::of_file(self, name, &folder.join(name)),
        }
    }

    /// Reads the ruleset `text` of the file `path`.
    ///
    /// # Errors
    /// The mistake, with its line.
    pub fn parse(&self, path: &Path, text: &str) -> Result<Ruleset, Mistake> {
        let source = Source { path, text };
        let game = game_of(source)?;
        self.find(game.get_ref()).map_or_else(
            || {
                let there: Vec<String> = self.ids().map(|id| format!("`{id}`")).collect();
                let (unknown, there) = (game.get_ref(), there.join(", "));
                let words =
                    format!("unknown game `{unknown}`, there are {there}{}", did_you_mean(unknown, self.ids()));
                Err(source.mistake(game.span().start, words))
            },
            |kit| kit.read(source),
        )
    }
}

/// The game that a file names. Its other keys are read by that game.
fn game_of(source: Source) -> Result<Spanned<String>, Mistake> {
    /// What decides how the rest is read.
    #[derive(Deserialize)]
    struct GameOnly {
        game: Spanned<String>,
    }
    source.read().map(|GameOnly { game }| game)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::all as games;
    use cornerman::games::boxing::Boxing;
    use cornerman::games::go::Go;
    use cornerman::games::rps::Rps;
    use std::time::Duration;

    fn find(name: &str) -> Result<Ruleset, RulesetError> {
        games().ruleset(name, Path::new(""))
    }

    #[test]
    fn the_rulesets_that_come_along_are_the_usual_rules() {
        for (id, _) in games().iter().flat_map(|kit| kit.rulesets()) {
            assert_eq!(find(id).unwrap().id, *id);
        }
        let boxing = find("boxing-1994").unwrap();
        assert_eq!((boxing.game(), boxing.rules_of()), ("boxing", Some(&Boxing::default())));
        assert_eq!((boxing.limits, boxing.seats, boxing.marks), (Limits::default(), (2, 8), b"ABCDEFGH".to_vec()));
        assert_eq!((boxing.version, boxing.date.as_str()), (1, "1994-01-01"));
    }

    #[test]
    fn the_usual_rules_of_line_games_are_those_of_their_documents() {
        let go = find("go-usenix-1983").unwrap();
        let clock = GameClock { budget: 60 * MINUTE, minimum: MINUTE / 4, guard: 4 };
        assert_eq!((go.game(), go.rules_of(), go.clock), ("go", Some(&Go::default()), Some(clock)));
        let rps = find("rps-published").unwrap();
        let rules = Rps { seeds: Some([1, 2]), ..Rps::default() };
        assert_eq!((rps.game(), rps.rules_of(), rps.clock), ("rps", Some(&rules), None));
        assert_eq!((rps.limits.hard, rps.limits.start), (MINUTE / 60, MINUTE / 12));
    }

    const MINUTE: Duration = Duration::from_secs(60);

    #[test]
    fn each_game_has_keys_of_its_own() {
        let go = |from: &str, to: &str| with_in("go-usenix-1983", from, to).unwrap_err();
        assert_eq!(
            go("komi = 6.5", "komi = 6.25"),
            "r.toml:10: komi = 6.25 is no number of whole or half points from -500 to 500"
        );
        assert_eq!(go("size = 19", "size = 26"), "r.toml:9: 26 is out of range: 5 to 25");
        assert!(go("superko", "super_ko").contains("did you mean `superko`?"));
        let rps = |from: &str, to: &str| with_in("rps-published", from, to).unwrap_err();
        assert_eq!(rps("seeds = [1, 2]", "seeds = [1, 60001]"), "r.toml:10: 60001 is out of range: 0 to 60000");
        assert!(rps("rounds", "max_square").starts_with("r.toml:9: unknown field `max_square`"));
        let seven = with_in("go-usenix-1983", "komi = 6.5", "komi = 7").unwrap();
        assert_eq!(seven.rules_of(), Some(&Go { komi_halves: 14, ..Go::default() }));
    }

    /// A built-in file with `from` replaced by `to`.
    fn with_in(id: &str, from: &str, to: &str) -> Result<Ruleset, String> {
        let text = find(id).unwrap().text;
        assert!(text.contains(from), "{from}");
        games().parse(Path::new("r.toml"), &text.replace(from, to)).map_err(|mistake| mistake.to_string())
    }

    /// The built-in file with `from` replaced by `to`.
    fn with(from: &str, to: &str) -> Result<Ruleset, String> {
        with_in("boxing-1994", from, to)
    }

    #[track_caller]
    fn check(from: &str, to: &str, wanted: &str) {
        assert_eq!(with(from, to).unwrap_err(), wanted);
    }

    #[test]
    fn mistakes_have_their_line_and_the_nearest_key() {
        check("max_square = 16", "max_square = 17", "r.toml:9: 17 is out of range: 1 to 16");
        check("max_square = 16", "max_square = \"16\"", "r.toml:9: invalid type: string \"16\", expected i64");
        check(
            "max_square",
            "max_sqare",
            "r.toml:9: unknown field `max_sqare`, expected one of `max_square`, `seats`, `marks` (did you mean `max_square`?)",
        );
        check("[2, 8]", "[2, 9]", "r.toml:10: 9 is out of range: 2 to 8");
        check("[2, 8]", "[4, 3]", "r.toml:10: the fewest seats, 4, are more than the most, 3");
        check("ABCDEFGH", "ABCDEFG", "r.toml:11: 7 marks for 8 seats");
        check("ABCDEFGH", "ABCDEFGA", "r.toml:11: seats 1 and 8 have the same mark `A`");
        check(
            "ABCDEFGH",
            "ABCDEFGo",
            "r.toml:11: `o` cannot be a mark: a printable character other than `-` and `o` can",
        );
        check("hard_ms = 2000", "hard_ms = 999", "r.toml:15: hard_ms = 999 is less than soft_ms = 1000");
        check("\"boxing\"", "\"chess\"", "r.toml:6: unknown game `chess`, there are `boxing`, `rps`, `go`");
        check("title = \"The Boxing Match, 1994\"\n", "", "r.toml:1: missing field `title`");
        check(
            "1994-01-01",
            "\"long ago\"",
            "r.toml:5: invalid type: string \"long ago\", expected a TOML datetime",
        );
    }

    #[test]
    fn a_ruleset_that_is_not_there_is_named_with_the_nearest() {
        let missing = find("boxing-1995").unwrap_err();
        assert_eq!(missing.to_string(), "no such ruleset: boxing-1995 (did you mean `boxing-1994`?)");
    }

    #[test]
    fn rules_are_those_of_the_file() {
        let small = with("max_square = 16", "max_square = 1").unwrap();
        let board = cornerman::games::boxing::Arena::open().to_bytes().to_vec();
        let setup = Setup { seats: 2, board, ..Setup::default() };
        let mut table = small.open(&setup).unwrap();
        // Two by two spots in the corner of an open arena, then one.
        let mut answer = table.view(Seat(0));
        [0, 1, 33, 34].iter().for_each(|&spot| answer[spot] = b'A');
        assert_eq!(table.answer(Seat(0), &answer).unwrap_err().rule, "B2");
        [1, 33, 34].iter().for_each(|&spot| answer[spot] = b'-');
        assert!(table.answer(Seat(0), &answer).is_ok());
        let three = with("[2, 8]", "[3, 8]").unwrap();
        let refused = three.open(&setup).err().unwrap();
        assert_eq!(refused.0, "2 seats, where the ruleset boxing-1994 has 3 to 8");
    }
}
