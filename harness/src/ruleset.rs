//! Rulesets as data: which rules a game is played by and within which limits, versioned and dated.

mod tables;

use crate::player::clock::GameClock;
use crate::sandbox::Limits;
use crate::toml_file::{Mistake, Source};
use cornerman::game::{Setup, SetupError, InProgress, LiveGame};
use cornerman::games::boxing::Boxing;
use cornerman::games::go::Go;
use cornerman::games::rps::Rps;
use std::fs;
use std::path::{Path, PathBuf};

/// The rulesets that come with the kit: their ids and files, the usual one of each game first.
pub const BUILT_IN: &[(&str, &str)] = &[
    ("boxing-1994", include_str!("../../rulesets/boxing-1994.toml")),
    ("boxing-small-squares", include_str!("../../rulesets/boxing-small-squares.toml")),
    ("rps-polyglot", include_str!("../../rulesets/rps-polyglot.toml")),
    ("rps-published", include_str!("../../rulesets/rps-published.toml")),
    ("go-usenix-1983", include_str!("../../rulesets/go-usenix-1983.toml")),
    ("go-9x9", include_str!("../../rulesets/go-9x9.toml")),
];

/// A ruleset in force.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ruleset {
    /// Its name in files, such as `boxing-1994`.
    pub id: String,
    /// Its name for people.
    pub title: String,
    /// Which version of it this is, from 1.
    pub version: u64,
    /// When this version was made: `1994-01-01`.
    pub date: String,
    /// The game's rules.
    pub rules: Rules,
    /// The fewest and the most seats.
    pub seats: (u8, u8),
    /// One byte a seat that names it on the board, in order of play; as many as the most seats.
    pub marks: Vec<u8>,
    /// What a run of a bot may use: times and memory are the ruleset's, the others the usual.
    pub limits: Limits,
    /// Whether bots may think while it is not their turn.
    pub pondering: bool,
    /// The file, whole.
    pub text: String,
}

/// The rules of one of the games.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Rules {
    /// The Boxing Match.
    Boxing(Boxing),
    /// Rock-paper-scissors.
    Rps(Rps),
    /// Go, and the clock that both sides have (G3).
    Go(Go, GameClock),
}

/// Why there is no ruleset.
#[derive(Debug, thiserror::Error)]
pub enum RulesetError {
    /// Neither a file nor built in.
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
    /// The ruleset called `name`: a built-in one, or a file, whose path counts from `folder`.
    ///
    /// # Errors
    /// When there is none or its file is wrong.
    pub fn find(name: &str, folder: &Path) -> Result<Ruleset, RulesetError> {
        if let Some((id, text)) = BUILT_IN.iter().find(|(id, _)| *id == name) {
            return Ruleset::parse(Path::new(&format!("{id}.toml")), text).map_err(RulesetError::Wrong);
        }
        let path = folder.join(name);
        match fs::read_to_string(&path) {
            Ok(text) => Ruleset::parse(&path, &text).map_err(RulesetError::Wrong),
            Err(source) if path.exists() => Err(RulesetError::Unreadable { path, source }),
            Err(_) => Err(missing(name, &path)),
        }
    }

    /// The id of the usual ruleset of a game of the registry: the first of those that come along.
    pub fn usual_id(game: &str) -> &str {
        let of_game = |id: &&str| id.strip_prefix(game).is_some_and(|rest| rest.starts_with('-'));
        BUILT_IN.iter().map(|(id, _)| *id).find(of_game).unwrap_or(game)
    }

    /// The usual ruleset of `game`, one of the registry.
    pub fn usual(game: &str) -> Ruleset {
        Ruleset::find(Ruleset::usual_id(game), Path::new("")).expect("every game has a ruleset that comes along")
    }

    /// Reads the ruleset `text` of the file `path`.
    ///
    /// # Errors
    /// The mistake, with its line.
    pub fn parse(path: &Path, text: &str) -> Result<Ruleset, Mistake> {
        tables::read(Source { path, text })
    }

    /// The game's name in the registry.
    pub fn game(&self) -> &'static str {
        match self.rules {
            Rules::Boxing(_) => "boxing",
            Rules::Rps(_) => "rps",
            Rules::Go(..) => "go",
        }
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
        match &self.rules {
            Rules::Boxing(boxing) => Ok(Box::new(InProgress::new(boxing.clone(), &setup)?)),
            Rules::Rps(rps) => Ok(Box::new(InProgress::new(rps.clone(), &setup)?)),
            Rules::Go(go, _) => Ok(Box::new(InProgress::new(go.clone(), &setup)?)),
        }
    }
}

fn missing(name: &str, path: &Path) -> RulesetError {
    let built_in = crate::nearest::did_you_mean(name, BUILT_IN.iter().map(|(id, _)| *id));
    let hint = match built_in.is_empty() {
        true => crate::nearest::did_you_mean_file(path),
        false => built_in,
    };
    RulesetError::Missing { name: name.to_string(), hint }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cornerman::game::Seat;
    use std::time::Duration;

    #[test]
    fn the_rulesets_that_come_along_are_the_usual_rules() {
        for (id, _) in BUILT_IN {
            assert_eq!(Ruleset::find(id, Path::new("")).unwrap().id, *id);
        }
        let boxing = Ruleset::find("boxing-1994", Path::new("")).unwrap();
        assert_eq!((boxing.game(), &boxing.rules), ("boxing", &Rules::Boxing(Boxing::default())));
        assert_eq!((boxing.limits, boxing.seats, boxing.marks), (Limits::default(), (2, 8), b"ABCDEFGH".to_vec()));
        assert_eq!((boxing.version, boxing.date.as_str()), (1, "1994-01-01"));
    }

    #[test]
    fn the_usual_rules_of_line_games_are_those_of_their_documents() {
        let go = Ruleset::find("go-usenix-1983", Path::new("")).unwrap();
        let clock = GameClock { budget: 60 * MINUTE, minimum: MINUTE / 4, guard: 4 };
        assert_eq!((go.game(), go.rules), ("go", Rules::Go(Go::default(), clock)));
        let rps = Ruleset::find("rps-published", Path::new("")).unwrap();
        let rules = Rps { seeds: Some([1, 2]), ..Rps::default() };
        assert_eq!((rps.game(), rps.rules), ("rps", Rules::Rps(rules)));
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
        assert_eq!(
            with_in("go-usenix-1983", "komi = 6.5", "komi = 7").unwrap().rules,
            Rules::Go(
                Go { komi_halves: 14, ..Go::default() },
                GameClock { budget: 60 * MINUTE, minimum: MINUTE / 4, guard: 4 }
            )
        );
    }

    /// A built-in file with `from` replaced by `to`.
    fn with_in(id: &str, from: &str, to: &str) -> Result<Ruleset, String> {
        let (_, text) = BUILT_IN.iter().find(|(built_in, _)| *built_in == id).unwrap();
        assert!(text.contains(from), "{from}");
        Ruleset::parse(Path::new("r.toml"), &text.replace(from, to)).map_err(|mistake| mistake.to_string())
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
        let missing = Ruleset::find("boxing-1995", Path::new("")).unwrap_err();
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
