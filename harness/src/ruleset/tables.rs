//! The keys of ruleset files: a head that is the same for all games, and tables of each game's own.

use super::{Rules, Ruleset};
use crate::nearest::did_you_mean;
use crate::player::clock::GameClock;
use crate::sandbox::Limits;
use crate::toml_file::{Mistake, Source, Within};
use cornerman::game::{MAX_SEATS, Setup};
use cornerman::games::boxing::{self, Boxing};
use cornerman::games::go::{self, Go};
use cornerman::games::rps::{self, Rps};
use cornerman::games::{self, GAMES};
use serde::de::{DeserializeOwned, Error};
use serde::{Deserialize, Deserializer};
use std::time::Duration;
use toml::Spanned;

/// Reads a ruleset.
pub fn read(source: Source) -> Result<Ruleset, Mistake> {
    let GameOnly { game } = source.read()?;
    match game.get_ref().as_str() {
        "boxing" => boxing(source),
        "rps" => rps(source),
        "go" => go(source),
        unknown => {
            debug_assert!(games::find(unknown).is_none(), "a game of the registry has tables here");
            let there: Vec<String> = GAMES.iter().map(|game| format!("`{}`", game.id)).collect();
            let hint = did_you_mean(unknown, GAMES.iter().map(|game| game.id));
            let words = format!("unknown game `{unknown}`, there are {}{hint}", there.join(", "));
            Err(source.mistake(game.span().start, words))
        }
    }
}

fn boxing(source: Source) -> Result<Ruleset, Mistake> {
    let file: File<BoxingTable, WallLimits> = source.read()?;
    let (least, most) = (file.rules.seats.get_ref()[0].0 as u8, file.rules.seats.get_ref()[1].0 as u8);
    if least > most {
        let words = format!("the fewest seats, {least}, are more than the most, {most}");
        return Err(source.mistake(file.rules.seats.span().start, words));
    }
    let marks = file.rules.marks.get_ref().as_bytes().to_vec();
    let setup = Setup { seats: most, marks, ..Setup::default() };
    let marks =
        boxing::marks_of(&setup).map_err(|error| source.mistake(file.rules.marks.span().start, error.0))?;
    let rules = Rules::Boxing(Boxing { max_square: file.rules.max_square.0 as u8 });
    let limits = file.limits.of(source)?;
    Ok(file.ruleset(source, rules, (least, most), &marks, limits))
}

fn rps(source: Source) -> Result<Ruleset, Mistake> {
    let file: File<RpsTable, WallLimits> = source.read()?;
    let seeds = file.rules.seeds.as_ref().map(|seeds| [seeds[0].0 as u16, seeds[1].0 as u16]);
    let rules = Rules::Rps(Rps { rounds: file.rules.rounds.0 as u32, seeds });
    let limits = file.limits.of(source)?;
    Ok(file.ruleset(source, rules, (2, 2), b"AB", limits))
}

fn go(source: Source) -> Result<Ruleset, Mistake> {
    let file: File<GoTable, GoLimits> = source.read()?;
    let rules = Go {
        size: file.rules.size.0 as u8,
        komi_halves: file.rules.komi.0,
        superko: file.rules.superko,
        move_cap: file.rules.move_cap.0 as u32,
    };
    let clock = GameClock {
        budget: Duration::from_secs(file.limits.clock_s.0),
        minimum: Duration::from_secs(file.limits.minimum_s.0),
        guard: file.limits.guard.0 as u32,
    };
    let limits = Limits { memory: file.limits.memory_mib.0 << 20, ..Limits::default() };
    Ok(file.ruleset(source, Rules::Go(rules, clock), (2, 2), b"XO", limits))
}

/// What decides how the rest is read. Other keys are checked then.
#[derive(Deserialize)]
struct GameOnly {
    game: Spanned<String>,
}

/// A ruleset file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, bound = "Rules: DeserializeOwned, Limits: DeserializeOwned")]
struct File<Rules, Limits> {
    id: String,
    title: String,
    version: Within<1, 9999>,
    date: toml::value::Date,
    #[serde(rename = "game")]
    _game: String,
    #[serde(default)]
    pondering: bool,
    rules: Rules,
    limits: Limits,
}

impl<R, L> File<R, L> {
    fn ruleset(&self, source: Source, rules: Rules, seats: (u8, u8), marks: &[u8], limits: Limits) -> Ruleset {
        Ruleset {
            id: self.id.clone(),
            title: self.title.clone(),
            version: self.version.0,
            date: self.date.to_string(),
            rules,
            seats,
            marks: marks.to_vec(),
            limits,
            pondering: self.pondering,
            text: source.text.to_string(),
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct BoxingTable {
    max_square: Within<1, { boxing::LARGEST_SQUARE as u64 }>,
    seats: Spanned<[Within<2, { MAX_SEATS as u64 }>; 2]>,
    marks: Spanned<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RpsTable {
    rounds: Within<1, { rps::MOST_ROUNDS as u64 }>,
    seeds: Option<[Within<0, { rps::LARGEST_SEED as u64 }>; 2]>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct GoTable {
    size: Within<{ *go::SIZES.start() as u64 }, { *go::SIZES.end() as u64 }>,
    komi: Komi,
    superko: bool,
    move_cap: Within<2, 100_000>,
}

/// Points that white has on top, kept as half points: whole and half ones are what the game knows.
struct Komi(i32);

impl<'de> Deserialize<'de> for Komi {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Komi, D::Error> {
        let points = f64::deserialize(from)?;
        let halves = points * 2.0;
        if halves.fract() != 0.0 || halves.abs() > 1000.0 {
            let words = format!("komi = {points} is no number of whole or half points from -500 to 500");
            return Err(D::Error::custom(words));
        }
        Ok(Komi(halves as i32))
    }
}

/// Limits of games whose answers are timed one by one.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WallLimits {
    soft_ms: Within<1, 3_600_000>,
    hard_ms: Spanned<Within<1, 3_600_000>>,
    start_ms: Option<Within<1, 3_600_000>>,
    memory_mib: Within<16, { 1 << 20 }>,
}

impl WallLimits {
    fn of(&self, source: Source) -> Result<Limits, Mistake> {
        let (soft, hard) = (self.soft_ms.0, self.hard_ms.get_ref().0);
        if hard < soft {
            let words = format!("hard_ms = {hard} is less than soft_ms = {soft}");
            return Err(source.mistake(self.hard_ms.span().start, words));
        }
        let millis = Duration::from_millis;
        let usual = Limits::default();
        let start = self.start_ms.map_or(usual.start, |start| millis(start.0));
        Ok(Limits { soft: millis(soft), hard: millis(hard), start, memory: self.memory_mib.0 << 20, ..usual })
    }
}

/// Limits of a game with a clock (G3).
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct GoLimits {
    clock_s: Within<1, 86_400>,
    minimum_s: Within<1, 3_600>,
    guard: Within<1, 100>,
    memory_mib: Within<16, { 1 << 20 }>,
}
