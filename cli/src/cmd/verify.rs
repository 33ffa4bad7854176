//! Whether a record can be believed: `verify DB` derives everything in it anew from its contest, its rules and its
//! moves, and compares it with the seal that was published; `audit DB` compares each bot's answers to the same view in
//! different games.

use crate::options::{PlayFormat, RecordArgs};
use crate::show::{self, count, folded, plain};
use crate::{CliError, Exit, Registry, seal_log};
use clap::Args;
use cornerman_harness::record::{GameRecord, Record, Seal};
use cornerman_harness::replay::Deviation;
use cornerman_harness::verify::{SealCheck, Totals, Verdict, check_seal, verify};
use cornerman_report::audit::{self, AnsweredTurn, Audit};
use cornerman_report::replay::ReplayError;
use schemars::JsonSchema;
use serde::Serialize;
use std::path::PathBuf;

#[derive(Args)]
pub(crate) struct VerifyArgs {
    /// The record of a tournament
    pub db: PathBuf,
    /// The seal that was printed when the tournament ended, or that its page shows
    #[arg(long, value_name = "SEAL")]
    pub seal: Option<String>,
    /// The log of seals that `tournament` wrote [default: the record's name with .heads, if there is one]
    #[arg(long, value_name = "FILE")]
    pub seal_log: Option<PathBuf>,
    /// Output format
    #[arg(long, value_enum, default_value_t = PlayFormat::Text)]
    pub format: PlayFormat,
}

/// Verifies the record: [`Exit::No`] if anything in it, its seal or its log of seals differs.
pub(crate) fn run(args: VerifyArgs, games: &Registry) -> Result<Exit, CliError> {
    let published = args.seal.as_deref().map(seal).transpose()?;
    let record = Record::open_any(&args.db)?;
    let log = args.seal_log.clone().or_else(|| Some(seal_log::beside(&args.db)).filter(|log| log.exists()));
    let frozen = record.snapshot()?;
    let heads = log.as_deref().map_or(Ok(Vec::new()), |log| seal_log::heads_of(&record, log))?;
    let seal = check_seal(&record, &heads, published)?;
    let verdict = verify(&record, &games.games)?;
    drop(frozen);
    let (sealed, broken) = match seal {
        SealCheck::Intact(seal) => (Some(seal.to_string()), None),
        SealCheck::Unsealed => (None, None),
        SealCheck::Broken(difference) => (None, Some(difference)),
    };
    let (totals, different) = match verdict {
        Verdict::Consistent(totals) => (Some(totals), None),
        Verdict::Different(difference) => (None, Some(difference)),
    };
    let differences: Vec<String> = different.iter().chain(&broken).map(ToString::to_string).collect();
    let extract = totals.and_then(|totals| totals.extract);
    let bot =
        extract.map_or(Ok(String::new()), |it| record.entrants().map(|all| all[it.bot.index()].name.clone()))?;
    let json = || VerifyJson {
        consistent: differences.is_empty(),
        differences: &differences,
        games: totals.map(|totals| totals.games),
        decisions: totals.map(|totals| totals.decisions),
        moves: totals.map(|totals| totals.moves),
        finished: totals.filter(|it| it.extract.is_none()).map(|totals| totals.is_finished),
        extract: extract.map(|it| ExtractJson {
            bot: &bot,
            games_left_out: it.games_left_out,
            logs_left_out: it.logs_left_out,
        }),
        seal: sealed.clone(),
        heads: log.as_ref().map(|_| heads.len()),
    };
    let text = || {
        let db = plain(args.db.display());
        let mut lines: Vec<String> = differences.iter().map(|it| format!("{db}: {}", plain(it))).collect();
        if let Some(totals) = totals.filter(|_| differences.is_empty()) {
            lines.push(format!("{db}: {}", in_words(&totals, &bot)));
        }
        if let Some(log) = log.as_ref().filter(|_| broken.is_none()) {
            let log = plain(log.display());
            lines.push(match heads.len() {
                0 => format!("{log} has no head yet: the run ended before it wrote one, and the next run does"),
                heads => format!("{} of {log} in its chain", count(heads, "head")),
            });
        }
        match &sealed {
            Some(seal) => lines.push(format!("seal {seal}")),
            None if broken.is_none() => lines.push("no seal: no game has been recorded".to_string()),
            None => {}
        }
        lines.iter().map(|line| folded(line, 2) + "\n").collect()
    };
    args.format.print(json, text)?;
    Ok(if differences.is_empty() { Exit::Fine } else { Exit::No })
}

/// What a consistent record has. If it is an extract, it is for the author of `bot`.
fn in_words(totals: &Totals, bot: &str) -> String {
    let decisions = match totals.decisions {
        0 => String::new(),
        some => format!(" with {}", count(some, "decision")),
    };
    let (games, rest) = match totals.extract {
        Some(it) => {
            let all = count(totals.games + it.games_left_out, "game");
            let left_out = count(it.games_left_out, "game");
            let logs = count(it.logs_left_out, "log");
            (
                format!("an extract for the author of {}: {} of {all}", plain(bot), totals.games),
                format!("left out, with their hashes in the chain: {left_out} and {logs} of other bots"),
            )
        }
        None => {
            let is_finished = if totals.is_finished { "is finished" } else { "is not finished" };
            (count(totals.games, "game"), format!("the contest {is_finished}"))
        }
    };
    let moves = count(totals.moves, "move");
    format!("{games} and {moves} follow from the contest and its rules{decisions}; {rest}")
}

/// What `verify` prints as JSON.
#[derive(Serialize, JsonSchema)]
pub(crate) struct VerifyJson<'a> {
    /// Whether everything follows from the contest, its rules and its moves.
    consistent: bool,
    /// What does not, in words.
    differences: &'a [String],
    /// The number of games; null if something differs.
    games: Option<u64>,
    /// The number of the organizer's decisions.
    decisions: Option<u64>,
    /// The number of moves.
    moves: Option<u64>,
    /// Whether the contest is over; null in an extract.
    finished: Option<bool>,
    /// What was left out, if this is an extract for the author of a bot.
    extract: Option<ExtractJson<'a>>,
    /// The record's seal.
    seal: Option<String>,
    /// With a log of heads: how many of them were compared.
    heads: Option<usize>,
}

/// What an extract lacks.
#[derive(Serialize, JsonSchema)]
struct ExtractJson<'a> {
    /// The name of the bot whose games and logs it has.
    bot: &'a str,
    /// The number of games that it lacks.
    games_left_out: u64,
    /// The number of logs that it lacks in the games that it has: what another bot wrote to standard error in a game.
    logs_left_out: u64,
}

fn seal(text: &str) -> Result<Seal, CliError> {
    let wrong = || usage!("--seal: expected the 64 hexadecimal digits of a seal, not `{}`", plain(text));
    Seal::parse(text.trim()).ok_or_else(wrong)
}

/// Compares each bot's answers to the same view in different games (B13b), and prints what differs. The answer is no if
/// anything does.
pub(crate) fn audit(args: RecordArgs, games: &Registry) -> Result<Exit, CliError> {
    let record = Record::open(&args.db)?;
    let frozen = record.snapshot()?;
    let header = record.header()?;
    let entrants = record.entrants()?;
    let ruleset = games.recorded(&record, &header)?;
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
    let mut audit = Audit::new(&entrants);
    record.each_full_game::<CliError>(&mut |game| {
        audit.note(&turns(&seated(game))?);
        Ok(())
    })?;
    record.each_full_game::<CliError>(&mut |game| {
        let game = seated(game);
        audit.compare(&game.pairing, &turns(&game)?);
        Ok(())
    })?;
    let report = audit.finish(&header.contest);
    drop(frozen);
    let text = || show::folded_lines(&report.document().text(&entrants, show::style()));
    args.format.print(|| &report, text)?;
    Ok(if report.listed().next().is_some() { Exit::No } else { Exit::Fine })
}
