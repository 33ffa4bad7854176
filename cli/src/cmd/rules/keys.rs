//! `rules keys`: every key of the ruleset files of each game, from the code that reads them.

use crate::options::PageFormat;
use crate::{CliError, Exit, GameEntry, Registry, show};
use clap::Args;
use cornerman_harness::kit::RulesetKey;
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::io::Write;
use std::path::Path;

#[derive(Args)]
pub(crate) struct KeysArgs {
    /// Only those of this game: {games}
    #[arg(long, value_name = "GAME")]
    pub game: Option<String>,
    /// Those of this ruleset's game: a ruleset's name or file
    #[arg(long, value_name = "RULESET", conflicts_with = "game")]
    pub rules: Option<String>,
    /// Output format
    #[arg(long, value_enum, default_value_t = PageFormat::Text)]
    pub format: PageFormat,
}

/// The marks around the generated part of `docs/rulesets.md`.
#[cfg(test)]
const MARKS: [&str; 2] = ["<!-- cargo xtask rules keys --format md -->\n", "<!-- end -->\n"];

/// Prints the keys.
pub(super) fn run(args: &KeysArgs, games: &Registry) -> Result<Exit, CliError> {
    let ruleset = args.rules.as_deref().map(|name| games.games.ruleset(name, Path::new(""))).transpose()?;
    let own = ruleset.as_ref().map(|ruleset| games.entry_for(ruleset));
    let entries = match (&own, &args.game) {
        (Some(own), _) => vec![own],
        (None, Some(game)) => vec![games.named(game)?],
        (None, None) => games.entries().iter().collect(),
    };
    let mut out = anstream::stdout();
    match args.format {
        PageFormat::Text => write!(out, "{}", show::folded_lines(&text(&entries)))?,
        PageFormat::Md => write!(out, "{}", markdown(&entries))?,
        PageFormat::Json => {
            let games = entries.iter().map(|entry| json(entry)).collect();
            writeln!(out, "{}", show::json(KeysJson { games }))?;
        }
    }
    Ok(Exit::Fine)
}

/// The keys that all games have are above the tables.
fn is_common(key: &RulesetKey) -> bool {
    key.table.is_none()
}

/// The keys of all files, then those of each game.
fn sections<'a>(entries: &[&'a GameEntry]) -> Vec<(String, Option<&'a GameEntry>, Vec<RulesetKey>)> {
    let common = entries.first().map(|entry| entry.kit.keys()).unwrap_or_default();
    let common: Vec<RulesetKey> = common.into_iter().filter(is_common).collect();
    let of_game = entries.iter().map(|entry| {
        let keys = entry.kit.keys().into_iter().filter(|key| !is_common(key)).collect();
        (format!("{} (`{}`)", entry.kit.title(), entry.id()), Some(*entry), keys)
    });
    std::iter::once(("Every ruleset".to_string(), None, common)).chain(of_game).collect()
}

/// The value of a key that is left out; empty if it must be there.
fn default(key: &RulesetKey) -> String {
    match (&key.default, key.required) {
        (Some(value), _) => format!("`{value}`"),
        (None, true) => String::new(),
        (None, false) => "may be left out".to_string(),
    }
}

fn text(entries: &[&GameEntry]) -> String {
    let mut text = String::new();
    for (title, _, keys) in sections(entries) {
        let name = |key: &RulesetKey| {
            key.table.iter().chain([&key.name]).map(String::as_str).collect::<Vec<_>>().join(".")
        };
        let plain = |text: String| text.replace('`', "");
        let rows: Vec<[String; 4]> = keys
            .iter()
            .map(|key| [name(key), plain(key.values.clone()), plain(default(key)), plain(key.meaning.clone())])
            .collect();
        let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
        let [first, second, third] = [0, 1, 2].map(width);
        writeln!(text, "{}", show::style().heading(&title)).expect("a string takes all");
        for [name, values, default, meaning] in &rows {
            let line = format!(" {name:first$}  {values:second$}  {default:third$}  {meaning}");
            text += line.trim_end();
            text.push('\n');
        }
        text.push('\n');
    }
    text
}

fn markdown(entries: &[&GameEntry]) -> String {
    let mut text = String::new();
    for (title, entry, keys) in sections(entries) {
        text += &format!("## {title}\n");
        let tables: BTreeSet<Option<&String>> = keys.iter().map(|key| key.table.as_ref()).collect();
        // `[rules]` comes before `[limits]`, as in the files.
        for table in tables.into_iter().rev() {
            let heading = table.map_or(String::new(), |table| format!("### `[{table}]`\n\n"));
            text +=
                &format!("\n{heading}| key | what it is | values | if left out |\n| --- | --- | --- | --- |\n");
            for key in keys.iter().filter(|key| key.table.as_ref() == table) {
                let default = if key.required { "it must be there".to_string() } else { default(key) };
                let default = default.replace("may be left out", "none");
                text += &format!("| `{}` | {} | {} | {default} |\n", key.name, key.meaning, key.values);
            }
        }
        let built_in = entry.map(|entry| entry.kit.rulesets()).unwrap_or_default();
        if let (Some(entry), false) = (entry, built_in.is_empty()) {
            text += "\n| built-in ruleset | what it is |\n| --- | --- |\n";
            for (id, _) in built_in {
                let title = entry.kit.built_in(id).map(|ruleset| ruleset.title).unwrap_or_default();
                text += &format!("| `{id}` | {title} |\n");
            }
        }
        text.push('\n');
    }
    text
}

/// What `rules keys` prints as JSON.
#[derive(Serialize, JsonSchema)]
pub(crate) struct KeysJson {
    /// The games.
    games: Vec<GameKeysJson>,
}

/// The keys of a game's ruleset files.
#[derive(Serialize, JsonSchema)]
struct GameKeysJson {
    /// The game.
    game: &'static str,
    /// The keys.
    keys: Vec<KeyJson>,
}

/// A key.
#[derive(Serialize, JsonSchema)]
struct KeyJson {
    /// The table that it is in, if it is in one.
    table: Option<String>,
    /// The key.
    key: String,
    /// What it is.
    meaning: String,
    /// The values that it may have.
    values: String,
    /// Whether it must be there.
    required: bool,
    /// Its value if it is left out.
    default: Option<String>,
}

fn json(entry: &GameEntry) -> GameKeysJson {
    let key = |key: RulesetKey| KeyJson {
        table: key.table,
        key: key.name,
        meaning: key.meaning,
        values: key.values,
        required: key.required,
        default: key.default,
    };
    GameKeysJson { game: entry.id(), keys: entry.kit.keys().into_iter().map(key).collect() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::path::Path;

    #[test]
    fn the_page_of_rulesets_has_every_key() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/rulesets.md");
        let page = fs::read_to_string(&path).unwrap();
        let (before, rest) = page.split_once(MARKS[0]).unwrap();
        let (there, after) = rest.split_once(MARKS[1]).unwrap();
        let registry = Registry::new(crate::games::all());
        let now = format!("\n{}", markdown(&registry.entries().iter().collect::<Vec<_>>()));
        if std::env::var_os("ACCEPT").is_some() {
            fs::write(&path, [before, MARKS[0], &now, MARKS[1], after].concat()).unwrap();
            return;
        }
        assert_eq!(there, now, "`cargo xtask accept pages` writes the page anew");
    }

    #[test]
    fn every_key_says_what_it_is_and_every_setting_of_a_game_its_rule() {
        for entry in crate::games::all() {
            for key in entry.kit.keys() {
                assert!(!key.meaning.is_empty() && !key.values.is_empty(), "{key:?}");
                let is_of_game = key.table.as_deref() == Some("rules");
                assert!(!is_of_game || key.meaning.ends_with(')'), "{key:?} names no rule");
            }
        }
    }
}
