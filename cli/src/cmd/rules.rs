//! `rules`: what rulesets decide. `snapshot` prints it, `test` compares it with what was accepted, `diff` with another; `keys` lists
//! what can be set.

pub(super) mod keys;

use crate::show::{self, plain};
use crate::snapshot::{self, OwnGames};
use crate::{CliError, Exit, Registry, output, rules};
use clap::{Args, Subcommand};
use cornerman_harness::ruleset::Ruleset;
use cornerman_harness::style::Style;
use cornerman_harness::text::with_sources;
use similar::{ChangeTag, TextDiff};
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

#[derive(Args)]
#[command(subcommand_required = true, arg_required_else_help = true)]
pub(crate) struct RulesArgs {
    #[command(subcommand)]
    pub command: RulesCommand,
}

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
    Keys(keys::KeysArgs),
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
pub(crate) fn run(args: RulesArgs, games: &Registry) -> Result<Exit, CliError> {
    match args.command {
        RulesCommand::Snapshot(args) => print_snapshot(&args, games),
        RulesCommand::Test(args) => test(&args, games),
        RulesCommand::Diff(args) => diff(&args, games),
        RulesCommand::Keys(args) => keys::run(&args, games),
    }
}

fn print_snapshot(args: &SnapshotArgs, games: &Registry) -> Result<Exit, CliError> {
    let ruleset = rules::with_settings(named(&args.ruleset, games)?, &args.set, games)?;
    let Some(text) = snapshot::render(&ruleset, &OwnGames::default(), games)? else { return Ok(stopped()) };
    write!(anstream::stdout(), "{text}")?;
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
        writeln!(anstream::stdout(), "{} and {} decide the same", plain(&names[0]), plain(&names[1]))?;
        return Ok(Exit::Fine);
    }
    write!(anstream::stdout(), "{}", difference(&before, &after, &names, show::style()))?;
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
    let mut out = anstream::stdout();
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

fn stopped() -> Exit {
    eprintln!("stopped; nothing was written");
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
