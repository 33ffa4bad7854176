//! Rulesets: the rules and limits by which a game is played, read from versioned and dated files.

use crate::bot::engine::Engine;
use crate::judge;
use crate::kit::GameFacts;
use crate::kit::RulesetKey;
use crate::nearest::did_you_mean;
use crate::player::clock::GameClock;
use crate::player::protocol::Protocol;
use crate::sandbox::Limits;
use crate::text::Reason;
use crate::toml_file::{FileError, Mistake, SourceFile, read_toml};
use cornerman::formats::GameDefaults;
use cornerman::game::{LiveGame, Seat, Setup, SetupError, Spot};
use serde::Deserialize;
use std::any::Any;
use std::fmt::Debug;
use std::path::Path;
use std::sync::Arc;
use toml::Spanned;

/// A ruleset: the rules of a game with their settings, and the limits for bots.
#[derive(Clone, Debug)]
pub struct Ruleset {
    /// Its name in files, such as `boxing-1994`.
    pub id: String,
    /// Its name for people.
    pub title: String,
    /// Its version, from 1.
    pub version: u64,
    /// The date of this version, such as `1994-01-01`.
    pub date: String,
    /// The fewest and the most seats of a game.
    pub seats: (u8, u8),
    /// The byte that marks each seat on the board, in order of play, for the greatest number of seats.
    pub marks: Vec<u8>,
    /// The limits for one run of a bot. The ruleset sets times and memory, a judged game also how long an answer may
    /// be; all others are the defaults.
    pub limits: Limits,
    /// The clock for a whole game; `None` if the time limits are for each answer (G3).
    pub clock: Option<GameClock>,
    /// Whether bots may think while it is not their turn.
    pub pondering: bool,
    /// The text of the ruleset file; that of a judged game includes the judge's files.
    pub text: String,
    /// The game's rules.
    pub rules: Arc<dyn RulesInForce>,
}

/// Two rulesets are equal if they were read from the same text.
impl PartialEq for Ruleset {
    fn eq(&self, other: &Ruleset) -> bool {
        self.text == other.text
    }
}

impl Ruleset {
    /// The kit of its game.
    pub fn kit(&self) -> &'static dyn AnyKit {
        self.rules.kit()
    }

    /// The id of its game, such as `boxing`.
    pub fn game(&self) -> &'static str {
        self.kit().id()
    }

    /// The rules as those of the game `G`; `None` if they are of another game.
    pub fn rules_of<G: 'static>(&self) -> Option<&G> {
        self.rules.rules().downcast_ref()
    }

    /// Starts a game by these rules. If the setup has no marks, the ruleset's are used.
    ///
    /// # Errors
    /// If the setup does not fit the rules.
    pub fn open(&self, setup: &Setup) -> Result<Box<dyn LiveGame>, SetupError> {
        let (least, most) = self.seats;
        if !(least..=most).contains(&setup.seats) {
            let id = &self.id;
            let seats = setup.seats;
            return Err(SetupError(format!("{seats} seats, but the ruleset {id} allows {least} to {most}")));
        }
        let mut setup = setup.clone();
        if setup.marks.is_empty() {
            setup.marks = self.marks[..usize::from(setup.seats)].to_vec();
        }
        self.rules.open(&setup)
    }

    /// The protocol for a bot in `seat`: `engine_protocol`, such as `gtp`, or else the game's own. `None` if the game
    /// does not know this engine protocol.
    ///
    /// # Panics
    /// If the ruleset allows no such seat.
    pub fn protocol(&self, seat: Seat, engine_protocol: Option<&str>) -> Option<Protocol> {
        self.rules.protocol(seat, self.marks[seat.index()], engine_protocol)
    }

    /// The board generated from this seed, in the game's text form; empty if the game has no boards.
    pub fn board(&self, seed: u64) -> Vec<u8> {
        self.rules.board(seed)
    }
}

/// What is wrong with a board.
pub struct BoardError {
    /// The first spot that is wrong; `None` if the mistake is not about a spot.
    pub at: Option<Spot>,
    /// The message.
    pub message: String,
}

/// What a game uses its seed for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SeedUse {
    /// A board is generated from it. The text is the game's word for a board, such as `arena`.
    Board(&'static str),
    /// The game makes random draws with it.
    Draws,
    /// All games start in the same way.
    Unused,
}

/// One game, as all code that works with any game sees it: the object-safe form of a [`GameKit`](crate::kit::GameKit).
pub trait AnyKit: Send + Sync + 'static {
    /// What it says of itself.
    fn facts(&self) -> GameFacts<'_>;
    /// The marks that a user chose, as in [`GameKit::marks`](crate::kit::GameKit::marks).
    fn marks(&self, wanted: &str, seats: u8) -> Option<Result<Vec<u8>, Reason>>;
    /// The keys of its ruleset files: first those above the tables, then those of each table; in both, first those that
    /// every file must have.
    fn keys(&self) -> Vec<RulesetKey>;
    /// Reads a ruleset file of this game.
    ///
    /// # Errors
    /// The mistake, with its line.
    fn read(&'static self, file: SourceFile) -> Result<Ruleset, Mistake>;

    /// Its name in files and on the command line, such as `boxing`.
    fn id(&self) -> &str {
        self.facts().id
    }

    /// Its display name.
    fn title(&self) -> &str {
        self.facts().title
    }

    /// The built-in rulesets as pairs of an id and the text of its file, the default one first.
    fn rulesets(&self) -> &'static [(&'static str, &'static str)] {
        self.facts().rulesets
    }

    /// The built-in ruleset `id`; `None` if there is no such ruleset.
    fn built_in(&'static self, id: &str) -> Option<Ruleset> {
        let (id, text) = self.rulesets().iter().find(|(built_in, _)| *built_in == id)?;
        let path = format!("{id}.toml");
        Some(self.read(SourceFile { path: Path::new(&path), text }).expect("a built-in ruleset is correct"))
    }

    /// The default ruleset.
    ///
    /// # Panics
    /// If the game has no built-in ruleset.
    fn default_ruleset(&'static self) -> Ruleset {
        self.built_in(self.rulesets()[0].0).expect("it is among them")
    }
}

/// The rules of a game with the settings of a ruleset, as all code that works with any game sees them.
pub trait RulesInForce: Send + Sync + Debug {
    /// The kit of the game.
    fn kit(&self) -> &'static dyn AnyKit;
    /// Starts a game.
    ///
    /// # Errors
    /// If the setup does not fit the rules.
    fn open(&self, setup: &Setup) -> Result<Box<dyn LiveGame>, SetupError>;
    /// The protocol for a bot in `seat` with `mark`: `engine_protocol`, such as `gtp`, or else the game's own. `None`
    /// if the game does not know this engine protocol.
    fn protocol(&self, seat: Seat, mark: u8, engine_protocol: Option<&str>) -> Option<Protocol>;
    /// The board generated from this seed, in the game's text form; empty if the game has no boards.
    fn board(&self, seed: u64) -> Vec<u8>;
    /// Checks that a game can begin on `board`.
    ///
    /// # Errors
    /// What is wrong with it, and where.
    fn check_board(&self, board: &[u8]) -> Result<(), BoardError>;
    /// Parses a line that a human typed into a move in the game's notation.
    ///
    /// # Errors
    /// What is wrong with the line.
    fn parse_typed(&self, line: &str) -> Result<String, Reason>;
    /// The defaults of the game for stages of a contest.
    fn stage_defaults(&self) -> GameDefaults;
    /// The rules themselves, for the game's own code to downcast.
    fn rules(&self) -> &dyn Any;
}

/// The available games, the default one first.
#[derive(Clone)]
pub struct Games(Arc<[&'static dyn AnyKit]>);

impl Games {
    /// A list of these games.
    ///
    /// # Panics
    /// If `kits` is empty.
    pub fn new(kits: impl IntoIterator<Item = &'static dyn AnyKit>) -> Games {
        let kits: Arc<[_]> = kits.into_iter().collect();
        assert!(!kits.is_empty(), "there must be a game");
        Games(kits)
    }

    /// Iterates over the games.
    pub fn iter(&self) -> impl Iterator<Item = &'static dyn AnyKit> {
        self.0.iter().copied()
    }

    /// The default game.
    pub fn default_game(&self) -> &'static dyn AnyKit {
        self.0[0]
    }

    /// The ids of the games.
    pub fn ids(&self) -> impl Iterator<Item = &'static str> {
        self.iter().map(|kit| kit.id())
    }

    /// The game with this id, if there is one.
    pub fn find(&self, id: &str) -> Option<&'static dyn AnyKit> {
        self.iter().find(|kit| kit.id() == id)
    }

    /// The existing protocols through which programs can play one of the games, such as GTP.
    pub fn engines(&self) -> Vec<Engine> {
        self.iter().flat_map(|kit| kit.facts().engines).copied().collect()
    }

    /// The ruleset `name`: the id of a built-in one, or the path of a file relative to `folder`.
    ///
    /// # Errors
    /// If there is no such ruleset, or its file has a mistake.
    pub fn ruleset(&self, name: &str, folder: &Path) -> Result<Ruleset, FileError> {
        if let Some(ruleset) = self.iter().find_map(|kit| kit.built_in(name)) {
            return Ok(ruleset);
        }
        let path = folder.join(name);
        let text = read_toml("ruleset", &path).map_err(|error| match error {
            FileError::Missing { what, hint, .. } => {
                let ids: Vec<&str> = self.iter().flat_map(|kit| kit.rulesets()).map(|(id, _)| *id).collect();
                let hints = [did_you_mean(name, ids.iter().copied()), hint];
                let near = hints.into_iter().find(|hint| !hint.is_empty());
                let hint = near.unwrap_or_else(|| format!("; the built-in rulesets are {}", ids.join(", ")));
                FileError::Missing { what, name: name.to_string(), hint }
            }
            error => error,
        })?;
        Ok(self.parse(&path, &text)?)
    }

    /// The ruleset with another number of rounds in a game.
    ///
    /// # Errors
    /// When its rules have no rounds, or not that many are possible.
    pub fn with_rounds(&self, ruleset: &Ruleset, rounds: u32) -> Result<Ruleset, Reason> {
        if ruleset.kit().keys().iter().any(|key| key.name == "rounds") {
            self.with_setting(ruleset, "rounds", &rounds.to_string())
        } else {
            Err(format!("{} has no number of rounds to choose", ruleset.title).into())
        }
    }

    /// The ruleset with another value of a key in one of its tables, or of one above them that may be left out. The
    /// value is written as in a file; quotes around a string can be left out.
    ///
    /// # Errors
    /// When there is no such key, or it cannot have this value.
    pub fn with_setting(&self, ruleset: &Ruleset, key: &str, value: &str) -> Result<Ruleset, Reason> {
        let value = toml::from_str::<toml::Table>(&format!("value = {value}"))
            .ok()
            .and_then(|mut table| table.remove("value"))
            .unwrap_or_else(|| toml::Value::String(value.to_string()));
        // The required keys above the tables are not settings: they say which ruleset this is.
        self.with_value(ruleset, key, value, |known| known.table.is_some() || !known.required)
    }

    /// The ruleset with other values of keys in its table `[rules]`. Its title says so.
    ///
    /// # Errors
    /// For each change that is not possible, its index in `changes` and why: there is no such key, or it cannot have
    /// this value.
    pub fn with_rules(
        &self,
        ruleset: Ruleset,
        changes: &[(&str, toml::Value)],
    ) -> Result<Ruleset, Vec<(usize, Reason)>> {
        if changes.is_empty() {
            return Ok(ruleset);
        }
        let words: Vec<String> = changes.iter().map(|(key, value)| format!("{key} = {value}")).collect();
        let title = format!("{}, with {}", ruleset.title, words.join(" and "));
        let mut changed = ruleset;
        let mut wrong = Vec::new();
        for (at, (key, value)) in changes.iter().enumerate() {
            let is_rule = |known: &RulesetKey| known.table.as_deref() == Some("rules");
            match self.with_value(&changed, key, value.clone(), is_rule) {
                Ok(now) => changed = now,
                Err(why) => wrong.push((at, why)),
            }
        }
        if wrong.is_empty() {
            self.with_value(&changed, "title", title.into(), |_| true).map_err(|why| vec![(0, why)])
        } else {
            Err(wrong)
        }
    }

    /// The ruleset with another `value` of `key`, which must be a key for which `may_change` returns true.
    fn with_value(
        &self,
        ruleset: &Ruleset,
        key: &str,
        value: toml::Value,
        may_change: impl Fn(&RulesetKey) -> bool,
    ) -> Result<Ruleset, Reason> {
        let mut keys = ruleset.kit().keys();
        keys.retain(may_change);
        let Some(known) = keys.iter().find(|known| known.name == key) else {
            let names: Vec<&str> = keys.iter().map(|key| key.name.as_str()).collect();
            let hint = did_you_mean(key, names.iter().copied());
            return Err(
                format!("{} has no key `{key}`{hint}; its keys are {}", ruleset.id, names.join(", ")).into()
            );
        };
        let mut file: toml::Table = ruleset.text.parse().map_err(|error: toml::de::Error| error.to_string())?;
        let table = match &known.table {
            Some(table) => file.entry(table).or_insert_with(|| toml::Table::new().into()).as_table_mut(),
            None => Some(&mut file),
        };
        table.expect("the file was read with these tables").insert(key.to_string(), value);
        // The caller names the key.
        let prefix = format!("{key}: ");
        self.parse(Path::new(&ruleset.id), &file.to_string())
            .map_err(|Mistake { message, .. }| Reason(message.trim_start_matches(&prefix).to_string()))
    }

    /// Reads the ruleset `text` of the file `path`.
    ///
    /// # Errors
    /// The mistake, with its line.
    pub fn parse(&self, path: &Path, text: &str) -> Result<Ruleset, Mistake> {
        let source = SourceFile { path, text };
        if judge::is_judged(source) {
            return judge::read(source);
        }
        /// The key that says whose kit reads the file.
        #[derive(Deserialize)]
        struct GameOnly {
            game: Spanned<String>,
        }
        let GameOnly { game } = source.read()?;
        let name = game.get_ref();
        if let Some(kit) = self.find(name) {
            return kit.read(source);
        }
        let hint = did_you_mean(name, self.ids());
        let known: Vec<String> = self.ids().map(|id| format!("`{id}`")).collect();
        let message = format!("unknown game `{name}`{hint}; the games are {}", known.join(", "));
        Err(source.mistake(game.span().start, message))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::all as games;
    use cornerman::games::boxing::Boxing;
    use cornerman::games::go::Go;
    use cornerman::games::rps::Rps;
    use std::collections::BTreeMap;
    use std::fs;
    use std::path::PathBuf;
    use std::time::Duration;

    fn find(name: &str) -> Result<Ruleset, FileError> {
        games().ruleset(name, Path::new(""))
    }

    #[test]
    fn every_file_of_rulesets_is_built_in() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../rulesets");
        let files = fs::read_dir(folder).unwrap().map(|file| file.unwrap().path());
        let files = files.filter(|path| path.extension().is_some_and(|end| end == "toml"));
        let read = |path: PathBuf| {
            (path.file_stem().unwrap().to_str().unwrap().to_string(), fs::read_to_string(&path).unwrap())
        };
        let there: BTreeMap<String, String> = files.map(read).collect();
        let games = games();
        let built_in = games.iter().flat_map(|kit| kit.rulesets());
        assert_eq!(
            built_in.map(|(id, text)| ((*id).to_string(), (*text).to_string())).collect::<BTreeMap<_, _>>(),
            there
        );
    }

    #[test]
    fn built_in_rulesets_are_the_standard_rules() {
        for (id, _) in games().iter().flat_map(|kit| kit.rulesets()) {
            assert_eq!(find(id).unwrap().id, *id);
        }
        let boxing = find("boxing-1994").unwrap();
        assert_eq!((boxing.game(), boxing.rules_of()), ("boxing", Some(&Boxing::default())));
        assert_eq!((boxing.limits, boxing.seats, boxing.marks), (Limits::default(), (2, 8), b"ABCDEFGH".to_vec()));
        assert_eq!((boxing.version, boxing.date.as_str()), (1, "1994-01-01"));
    }

    #[test]
    fn the_default_rules_of_line_games_are_those_of_their_documents() {
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
            "r.toml:10: komi = 6.25 is not a whole or half number of points from -500 to 500"
        );
        assert_eq!(go("size = 19", "size = 26"), "r.toml:9: size: 26 is out of range: 5 to 25");
        assert!(go("superko", "super_ko").contains("did you mean `superko`?"));
        let rps = |from: &str, to: &str| with_in("rps-published", from, to).unwrap_err();
        assert_eq!(
            rps("seeds = [1, 2]", "seeds = [1, 60001]"),
            "r.toml:10: seeds: 60001 is out of range: 0 to 60000"
        );
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
        check("max_square = 16", "max_square = 17", "r.toml:9: max_square: 17 is out of range: 1 to 16");
        check(
            "max_square = 16",
            "max_square = \"16\"",
            "r.toml:9: invalid type: string \"16\", expected a whole number",
        );
        check(
            "max_square",
            "max_sqare",
            "r.toml:9: unknown field `max_sqare`, expected one of `max_square`, `seats`, `marks` (did you mean `max_square`?)",
        );
        check("[2, 8]", "[2, 9]", "r.toml:10: seats: 9 is out of range: 2 to 8");
        check("[2, 8]", "[4, 3]", "r.toml:10: the minimum of 4 seats is greater than the maximum of 3");
        check("ABCDEFGH", "ABCDEFG", "r.toml:11: 7 marks for 8 seats");
        check("ABCDEFGH", "ABCDEFGA", "r.toml:11: seats 1 and 8 have the same mark `A`");
        check(
            "ABCDEFGH",
            "ABCDEFGo",
            "r.toml:11: `o` cannot be a mark: a printable character other than `-` and `o` can",
        );
        check("hard_ms = 2000", "hard_ms = 999", "r.toml:15: hard_ms = 999 is less than soft_ms = 1000");
        check("\"boxing\"", "\"chess\"", "r.toml:6: unknown game `chess`; the games are `boxing`, `rps`, `go`");
        check("title = \"The Boxing Match, 1994\"\n", "", "r.toml:1: missing field `title`");
        check(
            "1994-01-01",
            "\"long ago\"",
            "r.toml:5: invalid type: string \"long ago\", expected a TOML datetime",
        );
    }

    #[test]
    fn a_setting_is_found_in_the_table_of_its_key() {
        let games = games();
        let set = |id: &str, key: &str, value: &str| games.with_setting(&find(id).unwrap(), key, value);
        assert_eq!(set("boxing-1994", "max_square", "8").unwrap().rules_of(), Some(&Boxing { max_square: 8 }));
        // The file has neither of these two.
        assert_eq!(set("boxing-1994", "start_ms", "7").unwrap().limits.start, Duration::from_millis(7));
        assert!(set("boxing-1994", "pondering", "true").unwrap().pondering);
        assert_eq!(set("boxing-1994", "marks", "HGFEDCBA").unwrap().marks, b"HGFEDCBA");
        let refused = |id, key, value| set(id, key, value).unwrap_err().0;
        assert_eq!(refused("boxing-1994", "max_square", "17"), "17 is out of range: 1 to 16");
        assert_eq!(
            refused("rps-polyglot", "start_mss", "8"),
            "rps-polyglot has no key `start_mss` (did you mean `start_ms`?); its keys are pondering, rounds, seeds, \
             soft_ms, hard_ms, memory_mib, start_ms"
        );
        assert!(refused("boxing-1994", "id", "mine").starts_with("boxing-1994 has no key `id`"));
    }

    #[test]
    fn only_a_game_of_rounds_can_have_another_number_of_them() {
        let with_rounds = |id, rounds| games().with_rounds(&find(id).unwrap(), rounds);
        assert_eq!(with_rounds("rps-polyglot", 20).unwrap().rules_of(), Some(&Rps { rounds: 20, seeds: None }));
        assert_eq!(with_rounds("rps-polyglot", 0).unwrap_err().0, "0 is out of range: 1 to 1000000");
        assert_eq!(
            with_rounds("go-9x9", 5).unwrap_err().0,
            "Go on a small board has no number of rounds to choose"
        );
    }

    #[test]
    fn a_missing_ruleset_is_reported_with_the_nearest() {
        let missing = find("boxing-1995").unwrap_err();
        assert_eq!(missing.to_string(), "no such ruleset: boxing-1995 (did you mean `boxing-1994`?)");
    }

    #[test]
    fn games_are_played_by_the_rules_of_the_file() {
        let small = with("max_square = 16", "max_square = 1").unwrap();
        let board = cornerman::games::boxing::Arena::open().to_bytes().to_vec();
        let setup = Setup { seats: 2, board, ..Setup::default() };
        let mut game = small.open(&setup).unwrap();
        // Two by two spots in the corner of an open arena, then one.
        let mut answer = game.view(Seat(0));
        for &spot in &[0, 1, 33, 34] {
            answer[spot] = b'A';
        }
        assert_eq!(game.answer(Seat(0), &answer).unwrap_err().rule, "B2");
        for &spot in &[1, 33, 34] {
            answer[spot] = b'-';
        }
        assert!(game.answer(Seat(0), &answer).is_ok());
        let three = with("[2, 8]", "[3, 8]").unwrap();
        let refused = three.open(&setup).err().unwrap();
        assert_eq!(refused.0, "2 seats, but the ruleset boxing-1994 allows 3 to 8");
    }
}
