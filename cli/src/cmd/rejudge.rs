//! `rejudge DB`: what other rules would have made of the games of a record, or how they count in another contest,
//! without running a bot. Nothing is written into the record.

use crate::options::PageFormat;
use crate::show::{self, plain};
use crate::{CliError, Exit, Registry, output, own, rules};
use clap::Args;
use cornerman_harness::contest_file::ContestFile;
use cornerman_harness::record::{Record, RecordErrorKind, in_force};
use cornerman_harness::rejudge::{recount, rejudge, write_rejudged};
use cornerman_harness::ruleset::Ruleset;
use cornerman_report::rejudged::RejudgedReport;
use std::path::{Path, PathBuf};

#[derive(Args)]
#[command(group = clap::ArgGroup::new("other").required(true).multiple(true).args(["ruleset", "set", "contest"]))]
pub(crate) struct RejudgeArgs {
    /// The record of a tournament
    pub db: PathBuf,
    /// The rules to judge by: a ruleset's name or file [default: the record's own]
    #[arg(long = "rules", alias = "ruleset", value_name = "RULESET")]
    pub ruleset: Option<String>,
    /// Another value of a key of these rules, such as max_square=8; can be repeated
    #[arg(long, value_name = "KEY=VALUE")]
    pub set: Vec<String>,
    /// Count the games as those of this contest (TOML), by its rules: another format or scoring
    #[arg(long, value_name = "CONTEST", conflicts_with_all = ["ruleset", "set"])]
    pub contest: Option<PathBuf>,
    /// Judge as if the organizer had decided nothing. Another contest never has the decisions of this one
    #[arg(long)]
    pub without_decisions: bool,
    /// Write the games that still count into a new record
    #[arg(long, value_name = "FILE")]
    pub into: Option<PathBuf>,
    /// Write the result as a web page
    #[arg(long, value_name = "FILE")]
    pub report: Option<PathBuf>,
    /// Output format
    #[arg(long, value_enum, default_value_t = PageFormat::Text)]
    pub format: PageFormat,
}

/// Judges the games again, or counts them.
pub(crate) fn run(args: RejudgeArgs, games: &Registry) -> Result<Exit, CliError> {
    let record = games.open(&args.db)?;
    args.report.as_deref().map_or(Ok(()), output::may_be_written)?;
    if let Some(into) = &args.into {
        output::folder_exists(output::folder_of(into))?;
        if into.exists() {
            return Err(RecordErrorKind::Exists.at(into).into());
        }
    }
    let _frozen = record.snapshot()?;
    let decided = !args.without_decisions && in_force(&record.decisions()?).next().is_some();
    if decided && args.into.is_some() {
        return Err(usage!(
            "--into: a new record cannot have the decisions of this one: add `--without-decisions`"
        ));
    }
    let header = record.header()?;
    let (rejudged, by, how) = match &args.contest {
        Some(path) => {
            let file = ContestFile::read(path, games.available())?;
            let by = format!("{} ({})", plain(&file.spec.name), plain(path.display()));
            let how = format!("counted as those of {by}");
            (recount(&record, &games.games, file)?, by, how)
        }
        None => {
            let (now, by) = ruleset(&args, &record, games)?;
            let how = format!("as judged by {by}");
            (rejudge(&record, &games.games, &now, decided)?, by, how)
        }
    };
    if let Some(into) = &args.into {
        write_rejudged(&record, &games.games, &how, &rejudged, into)?;
        let counting = show::count(rejudged.after.results.len(), "game");
        note!("wrote {} with {counting}", plain(into.display()));
    }
    let report = RejudgedReport {
        header: &header,
        rejudged: &rejudged,
        by,
        other_contest: args.contest.is_some(),
        replay: own::command_with("replay", &args.db),
    };
    args.format.print(|| report.json(), || report.document(), &rejudged.after.entrants)?;
    if let Some(page) = &args.report {
        output::to_file(page, report.page().as_bytes()).map_err(CliError::at("writing", page))?;
        note!("wrote {}", plain(page.display()));
    }
    Ok(Exit::Fine)
}

/// The ruleset to judge by, and how it is called.
///
/// # Errors
/// When there is no such ruleset or setting, or it is for another game.
fn ruleset(args: &RejudgeArgs, record: &Record, games: &Registry) -> Result<(Ruleset, String), CliError> {
    let recorded = games.recorded(record, &record.header()?)?;
    let ruleset = match &args.ruleset {
        None => recorded,
        Some(name) => {
            let ruleset = games.games.ruleset(name, Path::new(""))?;
            if ruleset.game() != recorded.game() {
                let of = ruleset.game();
                let game = recorded.game();
                return Err(usage!("the ruleset {name} is for the game {of}, but these games are of {game}"));
            }
            ruleset
        }
    };
    let mut by = ruleset.id.clone();
    if !args.set.is_empty() {
        by += &format!(" with {}", args.set.join(", "));
    }
    Ok((rules::with_settings(ruleset, &args.set, games)?, by))
}
