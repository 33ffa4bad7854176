//! `decide DB`: the organizer decides that a bot is gone, on hold, comes late or has a better version, that a game is
//! played again or won by a bot, that the contest's file is corrected, or that an earlier decision does not hold.
//! `decisions DB` lists what was decided.
//!
//! Without `--yes` nothing is recorded: the command shows what would become of standings and games. A decision is a row
//! of the record, in its chain of hashes, and everything that is derived from the record honours it.

mod outcome;
mod requests;

use crate::options::{IsolationArgs, LanguagesArgs, RecordArgs};
use crate::show::{self, plain};
use crate::{CliError, Exit, Registry, seal_log};
use clap::{Args, Subcommand, ValueEnum};
use cornerman::format::LeftGames;
use cornerman_harness::record::{EntrantRecord, LONGEST_REASON, LaterGames};
use cornerman_report::{decisions, doc};
use outcome::OpenContest;
use requests::RecordedDecision;
pub(crate) use requests::Requests;
use serde::{Deserialize, Serialize};
use std::fs;
use std::io;
use std::path::{self, Path, PathBuf};

#[derive(Args)]
pub(crate) struct DecideArgs {
    /// The record of a tournament
    pub db: PathBuf,
    /// What is decided
    #[command(subcommand)]
    pub what: DecideCommand,
}

/// What is decided.
#[derive(Subcommand, Serialize, Deserialize)]
pub(crate) enum DecideCommand {
    /// A bot withdraws: it plays no more games
    Withdraw(LeavingArgs),
    /// A bot is disqualified: it plays no more games, and has no place in standings
    Disqualify(LeavingArgs),
    /// A game does not count, and is played again by the next run
    Annul(AnnulArgs),
    /// A game is won by one of its bots, whatever was played
    Award(AwardArgs),
    /// A bot takes part although the contest has begun: it is built and checked like the others
    Admit(Box<AdmitArgs>),
    /// A better version of a bot plays its games from here on; the games before it stay
    Replace(Box<ReplaceArgs>),
    /// A bot plays nothing until it is released
    Hold(HeldArgs),
    /// A bot that is on hold plays again
    Release(HeldArgs),
    /// The contest's file is corrected: its name, published texts, wider limits (from the next run on), stages that
    /// have not begun
    Amend(AmendArgs),
    /// An earlier decision does not hold any more
    Undo(UndoArgs),
}

impl DecideCommand {
    /// The arguments that all decisions have.
    pub(crate) fn taken(&mut self) -> &mut TakenArgs {
        match self {
            DecideCommand::Withdraw(leaving) | DecideCommand::Disqualify(leaving) => &mut leaving.taken,
            DecideCommand::Annul(annul) => &mut annul.taken,
            DecideCommand::Award(award) => &mut award.taken,
            DecideCommand::Admit(admit) => &mut admit.taken,
            DecideCommand::Replace(replace) => &mut replace.taken,
            DecideCommand::Hold(held) | DecideCommand::Release(held) => &mut held.taken,
            DecideCommand::Amend(amend) => &mut amend.taken,
            DecideCommand::Undo(undo) => &mut undo.taken,
        }
    }

    /// The bot that comes late, if the decision is about one.
    pub(crate) fn late(&mut self) -> Option<&mut LateBotArgs> {
        match self {
            DecideCommand::Admit(admit) => Some(&mut admit.late),
            DecideCommand::Replace(replace) => Some(&mut replace.late),
            _ => None,
        }
    }

    /// Makes its paths absolute, because another process may use them.
    pub(crate) fn make_paths_absolute(&mut self) -> io::Result<()> {
        if let DecideCommand::Amend(amend) = self {
            amend.contest = path::absolute(&amend.contest)?;
        }
        if let Some(late) = self.late()
            && !late.path.starts_with('@')
            && Path::new(&late.path).exists()
        {
            late.path = path::absolute(&late.path)?.display().to_string();
        }
        if let Some(folder) = &mut self.taken().tell {
            *folder = path::absolute(&folder)?;
        }
        Ok(())
    }
}

#[derive(Args, Serialize, Deserialize)]
pub(crate) struct LeavingArgs {
    /// The bot: its name, or its number as `standings --format json` has it
    #[arg(value_name = "BOT")]
    pub bot: String,
    /// What becomes of its games [default: what the format of each stage says, see `help run-a-contest`]
    #[arg(long, value_enum, value_name = "WHAT")]
    pub games: Option<RemainingGames>,
    /// Only decisions about results have this option; here it is refused with an explanation.
    #[arg(long, hide = true)]
    #[serde(skip)]
    pub replay_later: bool,
    #[command(flatten)]
    pub taken: TakenArgs,
}

/// What becomes of the games of a bot that is gone.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
pub(crate) enum RemainingGames {
    /// Those that were played count; the others are not played
    Keep,
    /// None of them counts
    Void,
    /// Those that were played count; the others are won by the opponents
    Lost,
}

impl From<RemainingGames> for LeftGames {
    fn from(games: RemainingGames) -> LeftGames {
        match games {
            RemainingGames::Keep => LeftGames::Keep,
            RemainingGames::Void => LeftGames::Void,
            RemainingGames::Lost => LeftGames::Lost,
        }
    }
}

#[derive(Args, Serialize, Deserialize)]
pub(crate) struct AnnulArgs {
    /// The game, as `games` and `standings` name it: `s1/r2/m3/g1`
    #[arg(value_name = "GAME")]
    pub game: String,
    #[command(flatten)]
    pub later: LaterArgs,
    #[command(flatten)]
    pub taken: TakenArgs,
}

/// What becomes of the games that depend on a result.
#[derive(Args, Serialize, Deserialize)]
pub(crate) struct LaterArgs {
    /// Cross out all games that were played because of the result before, and play them anew; without this, the
    /// decision is refused if there are any
    #[arg(long)]
    pub replay_later: bool,
}

impl From<&LaterArgs> for LaterGames {
    fn from(later: &LaterArgs) -> LaterGames {
        if later.replay_later { LaterGames::Replay } else { LaterGames::Keep }
    }
}

#[derive(Args, Serialize, Deserialize)]
pub(crate) struct AwardArgs {
    /// The game, played or to be played, as `games` and `standings` name it: `s1/r2/m3/g1`
    #[arg(value_name = "GAME")]
    pub game: String,
    /// The winner: its name, or its number as `standings --format json` has it. In a game of more than two all its
    /// bots, in the order of their places
    #[arg(value_name = "BOT", required = true)]
    pub bots: Vec<String>,
    #[command(flatten)]
    pub later: LaterArgs,
    #[command(flatten)]
    pub taken: TakenArgs,
}

#[derive(Args, Serialize, Deserialize)]
pub(crate) struct AdmitArgs {
    #[command(flatten)]
    pub late: LateBotArgs,
    /// The number of the only stage that it takes part in without having to qualify [default: all stages that all
    /// entrants play]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub stage: Option<u16>,
    #[command(flatten)]
    pub taken: TakenArgs,
}

#[derive(Args, Serialize, Deserialize)]
pub(crate) struct ReplaceArgs {
    /// The bot: its name, or its number as `standings --format json` has it
    #[arg(value_name = "BOT")]
    pub bot: String,
    #[command(flatten)]
    pub late: LateBotArgs,
    /// The first stage or round that the new version plays: `s2`, or `s1/r4`
    #[arg(long, value_name = "STAGE|ROUND", value_parser = parse_place)]
    pub from: (u8, u16),
    #[command(flatten)]
    pub taken: TakenArgs,
}

/// Reads a stage and a round of it, which people count from 1, as numbers from 0. A stage alone means its first round.
fn parse_place(text: &str) -> Result<(u8, u16), String> {
    let number =
        |part: &str, sign: char| -> Option<u32> { part.strip_prefix(sign)?.parse::<u32>().ok()?.checked_sub(1) };
    let place = match text.split_once('/') {
        None => number(text, 's').map(|stage| (stage, 0)),
        Some((stage, round)) => number(stage, 's').zip(number(round, 'r')),
    };
    let place = place.and_then(|(stage, round)| Some((stage.try_into().ok()?, round.try_into().ok()?)));
    place.ok_or_else(|| {
        let hint = match text.parse::<u8>() {
            Ok(stage) => format!(": did you mean `s{stage}`?"),
            Err(_) => String::new(),
        };
        format!("it is neither a stage, such as s2, nor a round of one, such as s1/r4{hint}")
    })
}

/// A bot that is handed in after the contest has begun.
#[derive(Args, Serialize, Deserialize)]
pub(crate) struct LateBotArgs {
    /// What is handed in: a file, a folder or `@name`
    #[arg(value_name = "PATH")]
    pub path: String,
    /// Do not check the bot
    #[arg(long)]
    pub no_check: bool,
    #[command(flatten)]
    #[serde(skip)]
    pub isolation: IsolationArgs,
    #[command(flatten)]
    #[serde(skip)]
    pub languages: LanguagesArgs,
    /// What was found when it was built and checked.
    #[arg(skip)]
    pub found: Option<EntrantRecord>,
}

#[derive(Args, Serialize, Deserialize)]
pub(crate) struct HeldArgs {
    /// The bot: its name, or its number as `standings --format json` has it
    #[arg(value_name = "BOT")]
    pub bot: String,
    #[command(flatten)]
    pub taken: TakenArgs,
}

#[derive(Args, Serialize, Deserialize)]
pub(crate) struct AmendArgs {
    /// The contest file, of which nothing but `name`, `[publish]`, `[limits]` and stages that have not begun may have
    /// changed
    #[arg(value_name = "CONTEST.toml")]
    pub contest: PathBuf,
    #[command(flatten)]
    pub taken: TakenArgs,
}

#[derive(Args, Serialize, Deserialize)]
pub(crate) struct UndoArgs {
    /// The number of the decision, as `decisions` lists them
    #[arg(value_name = "N")]
    pub decision: u32,
    #[command(flatten)]
    pub taken: TakenArgs,
}

/// How every decision is taken.
#[derive(Args, Serialize, Deserialize)]
pub(crate) struct TakenArgs {
    /// The reason, which everyone can read in the record
    #[arg(long, value_name = "TEXT")]
    pub why: String,
    /// Record the decision; without this, show what would become of standings and games, and write nothing
    #[arg(long)]
    pub yes: bool,
    /// Write a message for the author of each bot that this affects into a folder, as text: `3.txt` for bot 3
    #[arg(long, value_name = "FOLDER", requires = "yes")]
    pub tell: Option<PathBuf>,
}

/// Shows what a decision changes and, with `--yes`, has it recorded.
pub(crate) fn run(mut args: DecideArgs, games: &Registry) -> Result<Exit, CliError> {
    let taken = args.what.taken();
    taken.why = taken.why.trim().to_string();
    if taken.why.is_empty() || taken.why.len() > LONGEST_REASON {
        return Err(usage!("--why: say in a sentence why this is decided; everyone can read it in the record"));
    }
    let yes = taken.yes;
    let tell = taken.tell.clone();
    check_replay_later(&args.what)?;
    args.what.make_paths_absolute()?;
    if let Some(late) = args.what.late() {
        late.isolation.host_judges(&late.languages.read()?)?;
    }
    let record = games.open(&args.db)?;
    let frozen = record.snapshot()?;
    let case = OpenContest::read(&record, games)?;
    // No bot is built for a decision that is known to be impossible.
    case.check_late(&record, &args.what)?;
    if let Some(late) = args.what.late() {
        late.found = Some(case.judged(late, games)?);
    }
    case.decide(&record, &args.what, games)?.show()?;
    drop(frozen);
    drop(record);
    if !yes {
        note!("nothing was written; to record this decision, add `--yes`");
        return Ok(Exit::Fine);
    }
    if let Some(folder) = &tell {
        fs::create_dir_all(folder).map_err(|error| usage!("--tell {}: {error}", plain(folder.display())))?;
    }
    seal_log::may_be_at(&seal_log::beside(&args.db))?;
    let RecordedDecision { number, messages } = Requests::ask(&args.db, &args.what, games)?;
    note!("decision {number} was recorded");
    if let Some(folder) = &tell {
        let messages = messages.map_err(|why| usage!("--tell {}: {}", plain(folder.display()), plain(why)))?;
        note!("{} written into {}", show::count(messages, "message"), plain(folder.display()));
    }
    Ok(Exit::Fine)
}

/// Refuses `--replay-later` for a bot that is gone.
fn check_replay_later(what: &DecideCommand) -> Result<(), CliError> {
    if let DecideCommand::Withdraw(leaving) | DecideCommand::Disqualify(leaving) = what
        && leaving.replay_later
    {
        return Err(usage!(
            "`--replay-later` belongs to `annul` and `award`: when a bot is gone, later rounds and stages that have begun stay \
             as they were played. To have them played without it, first cross them out by `award GAME BOT --replay-later`, which \
             gives one of its games to the opponent; then decide that it is gone"
        ));
    }
    Ok(())
}

/// Prints the decisions in a record.
pub(crate) fn list(args: &RecordArgs, games: &Registry) -> Result<Exit, CliError> {
    let record = games.open(&args.db)?;
    let frozen = record.snapshot()?;
    let entrants = record.entrants()?;
    let taken = record.decisions()?;
    drop(frozen);
    let text = || match decisions::section(&taken) {
        Some(section) => doc::text(&[section], &entrants, show::style()),
        None => "nothing was decided\n".to_string(),
    };
    args.format.print(|| decisions::json(&taken, &entrants), text)
}
