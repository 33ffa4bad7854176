//! The fields that the tournaments are played with: bots, and the contest file of each.

use super::compile::{BARE, compile};
use super::script::Starter;
use cornerman_harness::bot::Bot;
use cornerman_harness::games::go;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// A tournament to be measured.
pub struct Field {
    /// Its name in the table.
    pub name: &'static str,
    /// How its bots are started, by what the contest file calls them.
    pub starters: BTreeMap<String, Starter>,
    /// The contest file.
    pub contest: String,
}

/// The names of the fields.
pub const NAMES: [&str; 9] = [
    "rps",
    "judge-c",
    "judge-python",
    "judge-lines",
    "boxing",
    "judge-filter",
    "boxing-python",
    "go-lines",
    "go-gnugo",
];

/// The strategies of `rps.c`.
const STRATEGIES: [&str; 6] = ["Seed", "Rotate", "Beat Last", "Copy Last", "Random", "Rock or Paper"];
/// What the bots of `rps.c` do when the rounds are over: the word in their names, and its `ENDS`.
const ENDS: [(&str, u8); 4] = [("exits", 0), ("leaves", 0), ("sleeps", 1), ("spins", 2)];

/// One bot in this many is linked statically.
const STATIC: usize = 4;

impl Field {
    /// Makes the field of this name, with programs in `folder`; `short` makes a small part of it. `Err` says why this
    /// machine does not have it.
    pub fn make(name: &str, folder: &Path, short: bool) -> Result<Field, String> {
        Ok(match name {
            "rps" => rps(folder, if short { 4 } else { 24 }),
            "judge-c" => rps_judged("judge-c", folder, "rps_judge.c", if short { 4 } else { 24 }, 50),
            "judge-python" => rps_judged("judge-python", folder, "rps_judge.py", if short { 4 } else { 24 }, 50),
            "judge-lines" => rps_judged("judge-lines", folder, "rps_judge.c", 4, if short { 50 } else { 10_000 }),
            "boxing" => boxing("boxing", folder, "boxing-1994", short),
            "judge-filter" => {
                let rules = judged_ruleset("judge-filter", folder, "boxing_judge.c", 0);
                boxing("judge-filter", folder, &rules, short)
            }
            "boxing-python" => boxing_in_python(short)?,
            "go-lines" => go_lines(folder, short),
            _ => gnugo()?,
        })
    }

    /// A field in which all `entrants`, by their specs, play each other; `stage` has further keys of the stage.
    fn new(name: &'static str, ruleset: &str, entrants: Vec<(String, Starter)>, stage: &str) -> Field {
        // A bot that is entered twice needs two names.
        let line = |(nth, (spec, _)): (usize, &(String, Starter))| {
            let again = entrants[..nth].iter().any(|(earlier, _)| earlier == spec);
            if again {
                format!("    {{ path = '{spec}', name = \"Again\" }},\n")
            } else {
                format!("    '{spec}',\n")
            }
        };
        let listed: Vec<String> = entrants.iter().enumerate().map(line).collect();
        let contest = format!(
            "name = \"Bench {name}\"\nruleset = \"{ruleset}\"\nseed = 1\nentrants = [\n{}]\n\n[[stages]]\nkind = \
             \"all-play-all\"\n{stage}\n",
            listed.concat()
        );
        Field { name, starters: entrants.into_iter().collect(), contest }
    }
}

/// Rock-paper-scissors: all pairs twice, 50 rounds each. Half of the bots never end by themselves, and half of those
/// spin when their input ends.
fn rps(folder: &Path, bots: usize) -> Field {
    let entrants = rps_bots(folder, bots, true);
    Field::new("rps", "rps-published", entrants, "boards = [1]")
}

/// The same game with the same bots and this many rounds, except that the bots do not print their names. A program judges
/// it.
fn rps_judged(name: &'static str, folder: &Path, judge: &str, bots: usize, rounds: u32) -> Field {
    Field::new(name, &judged_ruleset(name, folder, judge, rounds), rps_bots(folder, bots, false), "boards = [1]")
}

/// Writes the ruleset `name` of the game of `judge`, a program beside this file, into `folder`. Returns its path. The game has
/// this many rounds, if the judge counts any.
fn judged_ruleset(name: &str, folder: &Path, judge: &str, rounds: u32) -> String {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/tournament").join(judge);
    let source = fs::read_to_string(source).expect("the judge can be read");
    let judge = format!("{name}-{judge}");
    fs::write(folder.join(&judge), source.replace("ROUNDS = 50", &format!("ROUNDS = {rounds}")))
        .expect("the judge can be written");
    let ruleset = folder.join(name).with_extension("rules.toml");
    let text = format!(
        "id = \"{name}\"\ntitle = \"{name}\"\nversion = 1\ndate = 2026-01-01\n[judge]\nsource = \"{judge}\"\n\
         [limits]\nsoft_ms = 1000\nhard_ms = 2000\nmemory_mib = 512\n"
    );
    fs::write(&ruleset, text).expect("the ruleset can be written");
    ruleset.display().to_string()
}

/// The bots of rock-paper-scissors, which introduce themselves if `greet`.
fn rps_bots(folder: &Path, bots: usize, greet: bool) -> Vec<(String, Starter)> {
    let kinds = ENDS.iter().flat_map(|end| (0..STRATEGIES.len()).map(move |strategy| (end, strategy)));
    let entrants = kinds.enumerate().step_by(24 / bots).map(|(nth, (&(ending, ends), strategy))| {
        let name = format!("{} {ending}", STRATEGIES[strategy]);
        let mut defines = vec![format!("-DSTRATEGY={strategy}"), format!("-DENDS={ends}")];
        defines.extend(greet.then(|| format!("-DNAME=\"{name}\"")));
        let mut how: Vec<&str> = defines.iter().map(String::as_str).collect();
        how.extend((nth % STATIC == 0).then_some("-static"));
        let of = if greet { "rps" } else { "judged" };
        program(folder, &format!("{of}-{nth}"), "rps", &how)
    });
    entrants.collect()
}

/// The Boxing Match, by the rules of the kit or of a judge: all pairs in both orders on three boards.
fn boxing(name: &'static str, folder: &Path, ruleset: &str, short: bool) -> Field {
    let entrants = (0..if short { 2 } else { 8 }).map(|nth| {
        let defines = [format!("-DCORNER={}", nth % 4), format!("-DSIDE={}", [4, 16][nth / 4])];
        let how: Vec<&str> = defines.iter().map(String::as_str).chain(BARE.iter().copied()).collect();
        program(folder, &format!("boxing-{nth}"), "boxing", &how)
    });
    Field::new(name, ruleset, entrants.collect(), if short { "boards = [1]" } else { "boards = [1, 2, 3]" })
}

/// A bot in Python against itself: its starts take most of the time.
fn boxing_in_python(short: bool) -> Result<Field, String> {
    let bot = Path::new(env!("CARGO_MANIFEST_DIR")).join("../reference-bots/templates/boxing/bot.py");
    let path = bot.canonicalize().map_err(|error| error.to_string())?;
    let bot = Bot::load(&path).map_err(|error| error.to_string())?;
    let entrant = (path.display().to_string(), Starter { argv: bot.program.argv, engine: None });
    let stage = if short { "boards = [1]" } else { "boards = [1]\ngames_per_order = 2" };
    Ok(Field::new("boxing-python", "boxing-1994", vec![entrant.clone(), entrant], stage))
}

/// Go on 9 by 9 between bots that answer at once.
fn go_lines(folder: &Path, short: bool) -> Field {
    let entrants = (0..if short { 2 } else { 4 }).map(|nth| {
        let order = format!("-DORDER={nth}");
        program(folder, &format!("go-{nth}"), "go", &[&order])
    });
    let stage = if short { "boards = [1]" } else { "boards = [1]\ngames_per_order = 40" };
    Field::new("go-lines", "go-9x9", entrants.collect(), stage)
}

/// GNU Go at its lowest level against itself, in GTP. Without `--max-level` it would raise its level as long as its
/// clock allows, and so play otherwise on a busy machine.
fn gnugo() -> Result<Field, String> {
    let entrants = [1, 2].map(|seed| {
        let command = format!("gnugo --mode gtp --level 0 --max-level 0 --seed {seed}");
        let bot = Bot::engine(go::GTP, &command, Path::new("")).map_err(|error| error.to_string())?;
        Ok((bot.spec, Starter { argv: bot.program.argv, engine: bot.engine_protocol }))
    });
    let entrants: Vec<_> = entrants.into_iter().collect::<Result<_, String>>()?;
    Ok(Field::new("go-gnugo", "go-9x9", entrants, "boards = [1]\ngames_per_order = 10"))
}

/// Compiles the bot `name` from the source of its field.
fn program(folder: &Path, name: &str, source: &str, how: &[&str]) -> (String, Starter) {
    let path: PathBuf = folder.join(name);
    compile(&format!("tournament/{source}.c"), how, &path);
    (path.display().to_string(), Starter { argv: vec![path.into()], engine: None })
}
