//! Everything that a ruleset decides, as text: its settings, its verdicts on specimens of answers, whole games of the
//! reference bots, a small contest, and the games of a rule maker's own.
//!
//! The text is the same on every machine and at every isolation level: bots have as much time as they need, and what they
//! play depends on nothing but what they are sent.

mod contest;
mod own;

use crate::{CliError, Registry};
use contest::ReferenceField;
use cornerman::formats::{Format, all_play_all, permutations};
use cornerman_harness::judge::judged;
use cornerman_harness::ruleset::Ruleset;
use cornerman_harness::text;
pub(crate) use own::{OwnGames, files};
use std::fmt::Write as _;

/// The most seats of the games that are played beside those of the contest: `n` bots play `n`! games.
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
        return Ok(Some(text + &section("Games of random moves", &own::random_games(ruleset))));
    }
    let field = ReferenceField::for_ruleset(ruleset, games)?;
    let least = ruleset.seats.0;
    let most = ruleset.seats.1.min(field.bots() as u8).min(MOST_SEATS);
    for seats in least..=most {
        let format = match seats {
            2 => Format::AllPlayAll(all_play_all::AllPlayAllSettings::default()),
            _ => Format::Permutations(permutations::PermutationsSettings::default()),
        };
        let bots = if seats == 2 { field.bots() } else { seats.into() };
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
