//! `decide DB`: the organizer decides that a bot is gone, comes late or has a better version, that a game is played again or
//! won by a bot, or that an earlier decision does not hold. `decisions DB` lists what was decided.
//!
//! Without `--yes` nothing is written: what would become of standings and games is shown. A decision is a row of the record,
//! in its chain of hashes, and everything that is derived from the record honours it.

mod late;
mod requests;

use crate::options::{IsolationArgs, LanguagesArgs, PlayFormat};
use crate::show::{self, plain};
use crate::{CliError, Exit, Registry, seal_log};
use clap::{Args, Subcommand, ValueEnum};
use cornerman::contest::{Contest, Decision, Replace};
use cornerman::format::{EntrantId, LeftGames, Results};
use cornerman_harness::contest_file::{ContestFile, RecordedContest};
use cornerman_harness::record::{
    self, DecidedAction, DecisionRecord, EntrantRecord, GameSummary, Header, LaterGames, Record, RecordError, Role,
    in_force, parse_game_id, with_decisions,
};
use cornerman_harness::style::Style;
use cornerman_report::{Tournament, decisions, doc};
use requests::RecordedDecision;
pub(crate) use requests::Requests;
use serde::{Deserialize, Serialize};
use std::fmt::Display;
use std::fs;
use std::io::{self, Write};
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
    /// The contest's file is corrected: its name, published texts, wider limits (from the next run on), stages that have not
    /// begun
    Amend(AmendArgs),
    /// An earlier decision does not hold any more
    Undo(UndoArgs),
}

impl DecideCommand {
    /// How it is taken.
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

    /// The bot that comes late, if it is about one.
    pub(crate) fn late(&mut self) -> Option<&mut LateBotArgs> {
        match self {
            DecideCommand::Admit(admit) => Some(&mut admit.late),
            DecideCommand::Replace(replace) => Some(&mut replace.late),
            _ => None,
        }
    }

    /// Makes its paths those that they are in every folder.
    ///
    /// # Errors
    /// When the current folder is unknown.
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
    /// Is about results alone; refused in words.
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
    /// Cross out all games that were played because of the result before, and play them anew; without this, the decision is
    /// refused if there are any
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
    /// The winner: its name, or its number as `standings --format json` has it. In a game of more than two all its bots, in the
    /// order of their places
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
    /// The number of the only stage that it takes part in without having to qualify [default: all stages that all entrants
    /// play]
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

/// A stage and a round of it, both from 0, as people write them.
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

/// A bot that is handed in while the contest is played.
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
    /// The contest file, of which nothing but `name`, `[publish]`, `[limits]` and stages that have not begun may have changed
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

#[derive(Args)]
pub(crate) struct DecisionsArgs {
    /// The record of a tournament
    pub db: PathBuf,
    /// Output format
    #[arg(long, value_enum, default_value_t = PlayFormat::Text)]
    pub format: PlayFormat,
}

/// The longest reason, in bytes.
const LONGEST_REASON: usize = 1 << 16;

/// Shows what a decision changes, and asks for it if that is wanted.
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
    // What is not possible is said before anything is built.
    case.check_late(&record, &args.what)?;
    if let Some(late) = args.what.late() {
        late.found = Some(case.judged(late, games)?);
    }
    case.decide(&record, &args.what, games)?.show()?;
    drop(frozen);
    drop(record);
    if !yes {
        eprintln!("nothing was written; to record this decision, add `--yes`");
        return Ok(Exit::Fine);
    }
    if let Some(folder) = &tell {
        fs::create_dir_all(folder).map_err(|error| usage!("--tell {}: {error}", plain(folder.display())))?;
    }
    seal_log::may_be_at(&seal_log::beside(&args.db))?;
    let RecordedDecision { number, messages } = Requests::ask(&args.db, &args.what, games)?;
    eprintln!("decision {number} was recorded");
    if let Some(folder) = &tell {
        let messages = messages.map_err(|why| usage!("--tell {}: {}", plain(folder.display()), plain(why)))?;
        eprintln!("{} written into {}", show::count(messages, "message"), plain(folder.display()));
    }
    Ok(Exit::Fine)
}

/// Refuses to play games anew because a bot is gone.
fn check_replay_later(what: &DecideCommand) -> Result<(), CliError> {
    match what {
        DecideCommand::Withdraw(leaving) | DecideCommand::Disqualify(leaving) if leaving.replay_later => {
            Err(usage!(
                "`--replay-later` belongs to `annul` and `award`: when a bot is gone, later rounds and stages that have begun stay \
             as they were played. To have them played without it, first cross them out by `award GAME BOT --replay-later`, which \
             gives one of its games to the opponent; then decide that it is gone"
            ))
        }
        _ => Ok(()),
    }
}

/// Lists the decisions of a record.
pub(crate) fn list(args: &DecisionsArgs, games: &Registry) -> Result<Exit, CliError> {
    let record = games.open(&args.db)?;
    let (entrants, taken) =
        record.with_snapshot(|record| Ok::<_, RecordError>((record.entrants()?, record.decisions()?)))?;
    let mut out = anstream::stdout();
    match args.format {
        PlayFormat::Json => writeln!(out, "{}", show::json(decisions::json(&taken, &entrants)))?,
        PlayFormat::Text => match decisions::section(&taken) {
            Some(section) => write!(out, "{}", doc::text(&[section], &entrants, show::style()))?,
            None => writeln!(out, "nothing was decided")?,
        },
    }
    Ok(Exit::Fine)
}

/// A contest about which something is decided.
struct OpenContest {
    header: Header,
    entrants: Vec<EntrantRecord>,
    recorded: RecordedContest,
    results: Results,
    /// All recorded games, with those that do not count.
    games: Vec<GameSummary>,
    decisions: Vec<DecisionRecord>,
}

/// What is decided, and what becomes of the contest.
struct DecisionOutcome {
    case: OpenContest,
    action: DecidedAction,
    /// The bot or the version that it adds.
    added: Option<EntrantRecord>,
    header: Header,
    after: Contest,
    results: Results,
}

impl OpenContest {
    fn read(record: &Record, games: &Registry) -> Result<OpenContest, CliError> {
        let header = record.header()?;
        if header.is_improvised() {
            return Err(usage!(
                "{}: nothing can be decided about this record, which is of `compare`, `spar` or `play` and has no contest file; \
                 to play without a bot or without these games, run that command again with another file for its record",
                plain(record.path().display())
            ));
        }
        let recorded = ContestFile::recorded(record, &games.games)?;
        let games = record.games()?;
        Ok(OpenContest {
            header,
            entrants: record.entrants()?,
            results: recorded.contest.journal().results(games.iter().map(GameSummary::result)),
            recorded,
            games,
            decisions: record.decisions()?,
        })
    }

    fn decide(
        mut self,
        record: &Record,
        what: &DecideCommand,
        games: &Registry,
    ) -> Result<DecisionOutcome, CliError> {
        let action = match what {
            DecideCommand::Withdraw(leaving) => self.leave(leaving, false)?,
            DecideCommand::Disqualify(leaving) => self.leave(leaving, true)?,
            DecideCommand::Annul(annul) => self.annul(record, annul)?,
            DecideCommand::Award(award) => self.award(record, award)?,
            DecideCommand::Admit(admit) => self.admit(admit)?,
            DecideCommand::Replace(replace) => self.replace(record, replace)?,
            DecideCommand::Hold(held) => self.hold(&held.bot)?,
            DecideCommand::Release(held) => self.release(&held.bot)?,
            DecideCommand::Amend(amend) => self.amend(record, &amend.contest, games)?,
            DecideCommand::Undo(undo) => self.undo(record, undo.decision)?,
        };
        let added = match what {
            DecideCommand::Admit(admit) => admit.late.found.as_ref().map(|found| self.late_entrant(found)),
            DecideCommand::Replace(replace) => {
                let found = replace.late.found.as_ref();
                found.map(|found| self.version(self.find(&replace.bot)?, replace.from, found)).transpose()?
            }
            _ => None,
        };
        self.entrants.extend(added.clone());
        let mut decisions = self.decisions.clone();
        decisions.push(DecisionRecord {
            number: decisions.len() as u32 + 1,
            place: i64::MAX,
            taken_ms: 0,
            action: action.clone(),
            why: String::new(),
        });
        let journal = with_decisions(self.recorded.contest.journal(), &decisions);
        let results = journal.results(self.games.iter().map(GameSummary::result));
        let header = self.header.clone().amended(&action);
        let after = ContestFile::recorded_as(record, &games.games, header.clone())?;
        let after = after.map_err(|why| usage!("the contest is not possible then: {}", plain(why)))?;
        let after = after.contest.with_journal(journal);
        if matches!(action, DecidedAction::Amend { .. }) {
            after
                .plan(&results)
                .map_err(|why| usage!("the contest cannot go on then: {}", plain(why.to_string())))?;
        }
        Ok(DecisionOutcome { case: self, action, added, header, after, results })
    }

    /// The decision that a bot is gone.
    fn leave(&self, leaving: &LeavingArgs, disqualified: bool) -> Result<DecidedAction, CliError> {
        let entrant = self.find(&leaving.bot)?;
        let name = || plain(&self.entrants[entrant.index()].name);
        let choice = leaving.games.map(LeftGames::from);
        let forfeits = self.recorded.forfeits(&self.header);
        let outcomes = forfeits.as_ref().map_or(&[][..], |outcomes| &outcomes[..]);
        let leave = self.recorded.contest.leave(&self.results, entrant, disqualified, choice, outcomes);
        let leave = leave.map_err(|why| usage!("{}: {why}", name()))?;
        let is_lost = leave.stages.iter().any(|leaving| leaving.games == LeftGames::Lost);
        if let (true, Err(why)) = (is_lost, forfeits) {
            let why = plain(why);
            return Err(usage!(
                "{}: its open games cannot be lost ({why}): add `--games keep` or `--games void`",
                name()
            ));
        }
        Ok(DecidedAction::Leave(leave))
    }

    /// The decision that a game is played again.
    fn annul(&self, record: &Record, annul: &AnnulArgs) -> Result<DecidedAction, CliError> {
        let game = super::replay::find(record, &annul.game)?.pairing.id;
        let (phases, outcomes) = record.history(&self.recorded.contest)?;
        let decided = record::annul(&phases, &outcomes, game, (&annul.later).into());
        Ok(DecidedAction::Annul(decided.map_err(|why| usage!("game {game} cannot be annulled: {why}"))?))
    }

    /// The decision that a game is won by a bot.
    fn award(&self, record: &Record, award: &AwardArgs) -> Result<DecidedAction, CliError> {
        let name = &award.game;
        let game = parse_game_id(name);
        let game =
            game.ok_or_else(|| usage!("`{}` is not the name of a game, such as s1/r2/m3/g1", plain(name)))?;
        let order: Vec<_> = award.bots.iter().map(|bot| self.find(bot)).collect::<Result<_, _>>()?;
        let refused = |why: &dyn Display| usage!("game {game} cannot be awarded: {}", plain(why));
        let forfeited = |seats| self.recorded.forfeited(&self.header, seats);
        let later = (&award.later).into();
        let (phases, outcomes) = record.history(&self.recorded.contest)?;
        let decided = record::award(&phases, &outcomes, game, &order, later, &forfeited);
        Ok(DecidedAction::Award(decided.map_err(|why| refused(&why))?))
    }

    /// The decision that a bot takes part although the contest has begun.
    fn admit(&self, admit: &AdmitArgs) -> Result<DecidedAction, CliError> {
        let stage = admit.stage.map(|stage| (stage - 1) as u8);
        let decided = self.recorded.contest.admit(&self.results, self.next()?, stage);
        Ok(DecidedAction::Admit(decided.map_err(|why| usage!("{}: {why}", plain(&admit.late.path)))?))
    }

    /// The decision that a better version of a bot plays its games.
    fn replace(&self, record: &Record, replace: &ReplaceArgs) -> Result<DecidedAction, CliError> {
        let entrant = self.find(&replace.bot)?;
        let (stage, round) = replace.from;
        let wanted = Replace { entrant, version: self.next()?, stage, round };
        let (phases, outcomes) = record.history(&self.recorded.contest)?;
        let decided = record::replace(&phases, &outcomes, wanted);
        let name = || plain(&self.entrants[entrant.index()].name);
        Ok(DecidedAction::Replace(decided.map_err(|why| usage!("{}: {why}", name()))?))
    }

    /// The number of the next entrant.
    fn next(&self) -> Result<EntrantId, CliError> {
        let next = u16::try_from(self.entrants.len()).map_err(|_| usage!("the record has 65536 entrants"))?;
        Ok(EntrantId(next))
    }

    /// The decision that a bot plays nothing for now.
    fn hold(&self, bot: &str) -> Result<DecidedAction, CliError> {
        let entrant = self.find(bot)?;
        let possible = self.recorded.contest.may_be_held(entrant);
        possible.map_err(|why| usage!("{}: {why}", plain(&self.entrants[entrant.index()].name)))?;
        Ok(DecidedAction::Hold { entrant })
    }

    /// The decision that a bot that is on hold plays again: its hold is undone.
    fn release(&self, bot: &str) -> Result<DecidedAction, CliError> {
        let entrant = self.find(bot)?;
        let held = in_force(&self.decisions).find(|(_, decision)| *decision == Decision::Hold(entrant));
        let (hold, _) =
            held.ok_or_else(|| usage!("{} is not on hold", plain(&self.entrants[entrant.index()].name)))?;
        Ok(DecidedAction::Undo { decision: hold.number })
    }

    /// The decision that the contest is the one of this file.
    fn amend(&self, record: &Record, path: &Path, games: &Registry) -> Result<DecidedAction, CliError> {
        let mut file = ContestFile::read(path, games.available())?;
        file.amend(record)?;
        let amended = record.amend(&file.header(crate::VERSION))?;
        amended.ok_or_else(|| usage!("{}: the record has this contest already", plain(path.display())))
    }

    /// The decision that an earlier one does not hold.
    fn undo(&self, record: &Record, number: u32) -> Result<DecidedAction, CliError> {
        let Some(decision) = self.decisions.iter().find(|it| it.number == number) else {
            let last = match self.decisions.len() {
                0 => "nothing was decided".to_string(),
                last => format!("the last is {last}"),
            };
            return Err(usage!("there is no decision {number}: {last}"));
        };
        match decision.action {
            DecidedAction::Undo { .. } => {
                return Err(usage!("decision {number} undoes another one: take that decision again instead"));
            }
            DecidedAction::Amend { .. } => {
                return Err(usage!(
                    "decision {number} cannot be undone: amend the contest again, as it was before"
                ));
            }
            _ => {}
        }
        let undoing = |it: &&DecisionRecord| it.action == DecidedAction::Undo { decision: number };
        if let Some(by) = self.decisions.iter().find(undoing) {
            return Err(usage!("decision {number} was undone by decision {}", by.number));
        }
        // What was decided since is about a contest in which later games are played anew.
        let anew = in_force(&self.decisions).find(|(it, _)| it.number == number);
        let plays_anew = anew.is_some_and(|(_, decision)| decision.plays_later_anew());
        let since = in_force(&self.decisions).filter(|(it, _)| it.number > number).last();
        if let Some((last, _)) = since.filter(|_| plays_anew) {
            return Err(usage!(
                "decision {number} cannot be undone before decision {}, which was taken after games were crossed out",
                last.number
            ));
        }
        if let Some(game) = record.first_because_of(&self.recorded.contest, number)? {
            return Err(usage!(
                "decision {number} cannot be undone: game {game} was played because of it; {} is still possible",
                match decision.action {
                    DecidedAction::Annul(_) => "to `annul` this one",
                    DecidedAction::Replace(_) => "to `replace` the bot again",
                    _ => "a decision about another bot (`withdraw`, `disqualify`)",
                }
            ));
        }
        Ok(DecidedAction::Undo { decision: number })
    }

    /// The bot of this name, or with this number.
    fn find(&self, bot: &str) -> Result<EntrantId, CliError> {
        let by_number = bot.parse::<u16>().ok().and_then(|number| number.checked_sub(1)).map(EntrantId);
        let competes = |id: &EntrantId| {
            self.entrants.get(id.index()).is_some_and(|it| it.out.is_none() && it.role == Role::Entry)
        };
        let named = |name: &EntrantRecord| name.name == bot;
        if self.entrants.iter().filter(|it| named(it)).count() > 1 {
            let numbers: Vec<String> = (1..)
                .zip(&self.entrants)
                .filter(|(_, it)| named(it))
                .map(|(n, _): (u32, _)| n.to_string())
                .collect();
            return Err(usage!(
                "several bots are called `{}`: name one by its number, {}",
                plain(bot),
                numbers.join(" or ")
            ));
        }
        match super::games::find(bot, &self.entrants, &self.decisions) {
            Ok(named) => Ok(named.entrant),
            Err(error) => by_number.filter(competes).ok_or(error),
        }
    }
}

impl DecisionOutcome {
    fn show(&self) -> Result<(), CliError> {
        let OpenContest { entrants, decisions, .. } = &self.case;
        let sections = decisions::preview(&self.action, decisions, &self.before(), &self.after());
        let text = doc::text(&sections, entrants, show::style());
        write!(anstream::stdout(), "{}", show::folded_lines(&text))?;
        Ok(())
    }

    /// Writes a message for the author of each bot that is affected, and returns how many.
    fn tell(&self, folder: &Path, why: &str) -> io::Result<usize> {
        let OpenContest { entrants, decisions, games, .. } = &self.case;
        let letters = decisions::letters(&self.action, decisions, why, &self.before(), &self.after(), games);
        for (bot, sections) in &letters {
            let file = folder.join(format!("{}.txt", bot.0 + 1));
            fs::write(file, doc::text(sections, entrants, Style::plain()))?;
        }
        Ok(letters.len())
    }

    fn before(&self) -> Tournament<'_> {
        let OpenContest { header, entrants, recorded, results, .. } = &self.case;
        Tournament::new(header, entrants, &recorded.contest, results)
    }

    fn after(&self) -> Tournament<'_> {
        Tournament::new(&self.header, &self.case.entrants, &self.after, &self.results)
    }
}
