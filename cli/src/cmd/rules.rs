//! `rules`: what rulesets decide. `snapshot` prints it, `test` compares it with what was accepted, `diff` with another
//! ruleset's; `keys` lists what can be set.

use crate::options::PageFormat;
use crate::show::{self, plain};
use crate::snapshot::{self, OwnGames};
use crate::{CliError, Exit, GameEntry, Registry, output, rules};
use clap::{Args, Subcommand};
use cornerman_harness::kit::RulesetKey;
use cornerman_harness::ruleset::Ruleset;
use cornerman_harness::text::with_sources;
use cornerman_report::Style;
use schemars::JsonSchema;
use serde::Serialize;
use similar::{ChangeTag, TextDiff};
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

/// What is done with rulesets.
#[derive(Subcommand)]
pub(crate) enum RulesCommand {
    /// Print everything that a ruleset decides: verdicts, whole games, a small contest
    Snapshot(SnapshotArgs),
    /// Compare the snapshots of a folder of rulesets with the accepted ones
    Test(TestRulesArgs),
    /// Compare what two rulesets decide, or one and its change
    Diff(DiffRulesArgs),
    /// List the keys of ruleset files: their meaning, values and defaults
    Keys(KeysArgs),
}

#[derive(Args)]
pub(crate) struct SnapshotArgs {
    /// A ruleset's name or file
    pub ruleset: String,
    /// Another value of one of its keys, such as max_square=8; can be repeated
    #[arg(long, value_name = "KEY=VALUE")]
    pub set: Vec<String>,
}

#[derive(Args)]
pub(crate) struct TestRulesArgs {
    /// The folder: rulesets (NAME.toml) with their accepted snapshots (NAME.snapshot), games/ and records (*.db)
    pub folder: PathBuf,
    /// Accept the snapshots as they are now
    #[arg(long)]
    pub accept: bool,
}

#[derive(Args)]
pub(crate) struct DiffRulesArgs {
    /// A ruleset's name or file
    #[arg(value_name = "A")]
    pub before: String,
    /// Another one of the same game
    #[arg(value_name = "B", required_unless_present = "set")]
    pub after: Option<String>,
    /// Instead of B, another value of a key of A, such as max_square=8; can be repeated
    #[arg(long, value_name = "KEY=VALUE", conflicts_with = "after")]
    pub set: Vec<String>,
}

/// How many equal lines are shown around a difference.
const CONTEXT: usize = 2;

/// Runs the subcommand.
pub(crate) fn run(command: RulesCommand, games: &Registry) -> Result<Exit, CliError> {
    match command {
        RulesCommand::Snapshot(args) => print_snapshot(&args, games),
        RulesCommand::Test(args) => test(&args, games),
        RulesCommand::Diff(args) => diff(&args, games),
        RulesCommand::Keys(args) => print_keys(&args, games),
    }
}

fn print_snapshot(args: &SnapshotArgs, games: &Registry) -> Result<Exit, CliError> {
    let ruleset = rules::with_settings(named(&args.ruleset, games)?, &args.set, games)?;
    let Some(text) = snapshot::render(&ruleset, &OwnGames::default(), games)? else { return Ok(stopped()) };
    write!(show::stdout(), "{text}")?;
    Ok(Exit::Fine)
}

fn diff(args: &DiffRulesArgs, games: &Registry) -> Result<Exit, CliError> {
    let before = named(&args.before, games)?;
    let after = match &args.after {
        Some(after) => named(after, games)?,
        None => rules::with_settings(before.clone(), &args.set, games)?,
    };
    if before.game() != after.game() {
        let a = before.game();
        let b = after.game();
        return Err(usage!("{} is a ruleset of {a}, and {} one of {b}", before.id, after.id));
    }
    let names = [args.before.clone(), args.after.clone().unwrap_or_else(|| args.set.join(", "))];
    let own = OwnGames::default();
    let Some(before) = snapshot::render(&before, &own, games)? else { return Ok(stopped()) };
    let Some(after) = snapshot::render(&after, &own, games)? else { return Ok(stopped()) };
    if before == after {
        writeln!(show::stdout(), "{} and {} decide the same", plain(&names[0]), plain(&names[1]))?;
        return Ok(Exit::Fine);
    }
    write!(show::stdout(), "{}", difference(&before, &after, &names, show::style()))?;
    Ok(Exit::No)
}

/// Compares the snapshot of each ruleset in a folder with the one beside it.
fn test(args: &TestRulesArgs, games: &Registry) -> Result<Exit, CliError> {
    let folder = &args.folder;
    output::folder_exists(folder)?;
    let files = snapshot::files(folder, "toml");
    if files.is_empty() {
        return Err(usage!("{} has no ruleset: no file NAME.toml", folder.display()));
    }
    let own = OwnGames::read(folder, games)?;
    let mut out = show::stdout();
    let mut exit = Exit::Fine;
    let mut wrong = Vec::new();
    for path in &files {
        let ruleset = match games.games.ruleset(&path.display().to_string(), Path::new("")) {
            Ok(ruleset) => ruleset,
            Err(error) => {
                wrong.push(with_sources(&error));
                continue;
            }
        };
        let accepted = path.with_extension(SNAPSHOT);
        let before = match fs::read_to_string(&accepted) {
            Ok(text) => Some(text),
            Err(_) if !accepted.exists() => None,
            Err(error) => {
                wrong.push(format!("{}: {error}", accepted.display()));
                continue;
            }
        };
        let Some(now) = snapshot::render(&ruleset, &own, games)? else { return Ok(stopped()) };
        let file = plain(path.display());
        let beside = plain(accepted.display());
        match before {
            Some(before) if before == now => {
                writeln!(out, "{file}: as accepted")?;
                continue;
            }
            Some(before) => {
                let names = [beside.clone(), "now".to_string()];
                writeln!(out, "{file}: differs\n{}", difference(&before, &now, &names, show::style()))?;
            }
            None if !args.accept => writeln!(out, "{file}: has no accepted snapshot; `--accept` writes {beside}")?,
            None => {}
        }
        if args.accept {
            let failed = |error| CliError::internal(error, format_args!("writing {beside}"));
            output::to_file(&accepted, now.as_bytes()).map_err(failed)?;
            writeln!(out, "{file}: accepted in {beside}")?;
        } else {
            exit = Exit::No;
        }
    }
    for accepted in snapshot::files(folder, SNAPSHOT) {
        if !accepted.with_extension("toml").exists() {
            writeln!(out, "{}: its ruleset is gone; remove it too", plain(accepted.display()))?;
            exit = Exit::No;
        }
    }
    if wrong.is_empty() { Ok(exit) } else { Err(CliError::usage(wrong.join("\n       "))) }
}

/// The extension of accepted snapshots.
const SNAPSHOT: &str = "snapshot";

/// The ruleset that the user named.
fn named(name: &str, games: &Registry) -> Result<Ruleset, CliError> {
    Ok(games.games.ruleset(name, Path::new(""))?)
}

/// Says that the user stopped the games of a snapshot.
fn stopped() -> Exit {
    note!("stopped; nothing was written");
    Exit::No
}

/// The lines that differ, each below the title of its section, with a few lines around them.
fn difference(before: &str, after: &str, names: &[String; 2], style: Style) -> String {
    let diff = TextDiff::from_lines(before, after);
    let mut text =
        format!("{}\n{}\n", style.bad(&format!("--- {}", names[0])), style.good(&format!("+++ {}", names[1])));
    for group in diff.grouped_ops(CONTEXT) {
        let first = group.first().map_or(0, |op| op.old_range().start);
        text += &format!("{}\n", style.faint(&format!("@@ {} @@", title_at(before, first))));
        for change in group.iter().flat_map(|op| diff.iter_changes(op)) {
            let line = change.value().trim_end_matches('\n');
            text += &match change.tag() {
                ChangeTag::Delete => style.bad(&format!("-{line}")),
                ChangeTag::Insert => style.good(&format!("+{line}")),
                ChangeTag::Equal => format!(" {line}"),
            };
            text.push('\n');
        }
    }
    text
}

/// The title of the section that the line of this number (from 0) is in.
fn title_at(text: &str, number: usize) -> &str {
    let before = text.lines().take(number + 1).filter(|line| !line.is_empty() && !line.starts_with(' '));
    before.last().unwrap_or_default()
}

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
fn print_keys(args: &KeysArgs, games: &Registry) -> Result<Exit, CliError> {
    let ruleset = args.rules.as_deref().map(|name| games.games.ruleset(name, Path::new(""))).transpose()?;
    let own = ruleset.as_ref().map(|ruleset| games.entry_for(ruleset));
    let entries = match (&own, &args.game) {
        (Some(own), _) => vec![own],
        (None, Some(game)) => vec![games.named(game)?],
        (None, None) => games.entries().iter().collect(),
    };
    let mut out = show::stdout();
    match args.format {
        PageFormat::Text => write!(out, "{}", show::folded_lines(&keys_text(&entries)))?,
        PageFormat::Md => write!(out, "{}", keys_markdown(&entries))?,
        PageFormat::Json => {
            let games = entries.iter().map(|entry| keys_json(entry)).collect();
            writeln!(out, "{}", show::json(KeysJson { games }))?;
        }
    }
    Ok(Exit::Fine)
}

/// Whether all games have the key: such keys are above the tables.
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
fn default_of(key: &RulesetKey) -> String {
    match (&key.default, key.required) {
        (Some(value), _) => format!("`{value}`"),
        (None, true) => String::new(),
        (None, false) => "may be left out".to_string(),
    }
}

fn keys_text(entries: &[&GameEntry]) -> String {
    let mut text = String::new();
    for (title, _, keys) in sections(entries) {
        let name = |key: &RulesetKey| {
            key.table.iter().chain([&key.name]).map(String::as_str).collect::<Vec<_>>().join(".")
        };
        let plain = |text: String| text.replace('`', "");
        let rows: Vec<[String; 4]> = keys
            .iter()
            .map(|key| [name(key), plain(key.values.clone()), plain(default_of(key)), plain(key.meaning.clone())])
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

fn keys_markdown(entries: &[&GameEntry]) -> String {
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
                let default = if key.required { "it must be there".to_string() } else { default_of(key) };
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

fn keys_json(entry: &GameEntry) -> GameKeysJson {
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

    #[test]
    fn the_page_of_rulesets_has_every_key() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/rulesets.md");
        let page = fs::read_to_string(&path).unwrap();
        let (before, rest) = page.split_once(MARKS[0]).unwrap();
        let (there, after) = rest.split_once(MARKS[1]).unwrap();
        let registry = Registry::new(crate::games::all());
        let now = format!("\n{}", keys_markdown(&registry.entries().iter().collect::<Vec<_>>()));
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
