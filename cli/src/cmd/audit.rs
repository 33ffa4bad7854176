//! `audit DB`: compares each bot's answers to the same view in different games (B13b).

use crate::options::PlayFormat;
use crate::{CliError, Exit, Registry, show};
use clap::Args;
use cornerman_harness::record::{GameRecord, Record};
use cornerman_harness::replay::Deviation;
use cornerman_report::audit::{self, AnsweredTurn, Audit};
use cornerman_report::replay::ReplayError;
use std::io::Write;
use std::path::PathBuf;

#[derive(Args)]
pub(crate) struct AuditArgs {
    /// The record of a tournament
    pub db: PathBuf,
    /// Output format
    #[arg(long, value_enum, default_value_t = PlayFormat::Text)]
    pub format: PlayFormat,
}

/// Prints what differs. The answer is no if anything does.
pub(crate) fn run(args: AuditArgs, games: &Registry) -> Result<Exit, CliError> {
    let record = Record::open(&args.db)?;
    let (header, entrants, report) = record.with_snapshot(|record| {
        let header = record.header()?;
        let ruleset = games.recorded(record, &header)?;
        let turns = |game: &GameRecord| -> Result<Vec<Vec<AnsweredTurn>>, CliError> {
            let wrong = |why: Deviation| ReplayError::Rules {
                id: game.pairing.id,
                ruleset: ruleset.id.clone(),
                why: why.to_string(),
            };
            Ok(audit::turns(game, &ruleset).map_err(wrong)?)
        };
        // Versions of a bot are as different as two bots.
        let versions = record.versions()?;
        let seated = |game: GameRecord| GameRecord { pairing: versions.seated(&game.pairing), ..game };
        let mut audit = Audit::default();
        record.each_full_game::<CliError>(&mut |game| {
            audit.note(&turns(&seated(game))?);
            Ok(())
        })?;
        record.each_full_game::<CliError>(&mut |game| {
            let game = seated(game);
            audit.compare(&game.pairing, &turns(&game)?);
            Ok(())
        })?;
        Ok::<_, CliError>((header, record.entrants()?, audit.finish()))
    })?;
    let mut out = anstream::stdout();
    match args.format {
        PlayFormat::Json => writeln!(out, "{}", show::json(audit::json(&report, &header, &entrants)))?,
        PlayFormat::Text => {
            write!(
                out,
                "{}",
                show::folded_lines(&audit::document(&report, &header).text(&entrants, show::style()))
            )?;
        }
    }
    Ok(if report.listed().next().is_some() { Exit::No } else { Exit::Fine })
}
