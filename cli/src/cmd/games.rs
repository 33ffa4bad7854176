//! `games DB`: lists the games of a record: who won and how, the slowest move, the length, and how to see each.

use crate::options::PlayFormat;
use crate::show::{self, plain};
use crate::{CliError, Exit, Registry, own};
use clap::Args;
use cornerman::contest::Replace;
use cornerman::format::EntrantId;
use cornerman_harness::contest_file::ContestFile;
use cornerman_harness::nearest::suggestion;
use cornerman_harness::record::{DecidedAction, DecisionRecord, Digest, EntrantRecord, Role};
use cornerman_report::played::{GameFilter, PlayedGames};
use cornerman_report::{Tournament, doc};
use std::path::PathBuf;

#[derive(Args)]
pub(crate) struct GamesArgs {
    /// The record
    pub db: PathBuf,
    /// Only the games of this entrant
    #[arg(long, value_name = "NAME")]
    pub bot: Option<String>,
    /// Only its games against this one
    #[arg(long, value_name = "NAME", requires = "bot")]
    pub against: Option<String>,
    /// Only those that it lost
    #[arg(long, requires = "bot")]
    pub lost: bool,
    /// Only those in which it forfeited; without `--bot`, those with a forfeit
    #[arg(long)]
    pub forfeited: bool,
    /// Output format
    #[arg(long, value_enum, default_value_t = PlayFormat::Text)]
    pub format: PlayFormat,
}

/// Lists the games.
pub(crate) fn run(args: GamesArgs, games: &Registry) -> Result<Exit, CliError> {
    let record = games.open_any(&args.db)?;
    let frozen = record.snapshot()?;
    let contest = ContestFile::recorded(&record, &games.games)?;
    let decisions = record.decisions()?;
    let header = record.header()?;
    let entrants = record.entrants()?;
    let Digest { games: all, forfeits, slowest, .. } = record.digest(&mut |_| {})?;
    drop(frozen);
    let named = |name: &Option<String>| name.as_ref().map(|name| find(name, &entrants, &decisions)).transpose();
    let bot = named(&args.bot)?;
    let against = named(&args.against)?;
    let filter = GameFilter {
        bot: bot.map(|bot| bot.entrant),
        against: against.map(|bot| bot.entrant),
        versions: [bot, against].map(|bot| bot?.version),
        lost: args.lost,
        forfeited: args.forfeited,
    };
    let results = record.results_in(&contest.contest, &all)?;
    let tournament = Tournament::new(&header, &entrants, &contest.contest, &results);
    let all = tournament.measured(all);
    let played = PlayedGames {
        tournament: &tournament,
        games: &all,
        forfeits: &forfeits,
        slowest: &slowest,
        view: games.entry_for(&contest.ruleset).view,
        ruleset: &contest.ruleset,
        replay: own::command_with("replay", &args.db),
    };
    let text = || doc::text(&[played.section(filter)], &entrants, show::style());
    args.format.print(|| played.json(filter), text)
}

/// A bot that the user names.
#[derive(Clone, Copy)]
pub(crate) struct NamedBot {
    pub entrant: EntrantId,
    /// The version of it that is meant, if the name is that of a version that a decision added.
    pub version: Option<EntrantId>,
}

/// The entrant that plays under this name or with this BOT argument, or a version of one that these `decisions` added.
///
/// # Errors
/// When there is none; the message suggests the nearest name.
pub(crate) fn find(
    name: &str,
    entrants: &[EntrantRecord],
    decisions: &[DecisionRecord],
) -> Result<NamedBot, CliError> {
    let mut known: Vec<(NamedBot, &EntrantRecord)> = (0..)
        .map(EntrantId)
        .zip(entrants)
        .filter(|(_, it)| it.out.is_none() && it.role != Role::Version)
        .map(|(entrant, it)| (NamedBot { entrant, version: None }, it))
        .collect();
    known.extend(decisions.iter().filter_map(|decision| {
        let DecidedAction::Replace(Replace { entrant, version, .. }) = decision.action else { return None };
        Some((NamedBot { entrant, version: Some(version) }, entrants.get(version.index())?))
    }));
    let by_name = known.iter().find(|(_, it)| it.name == name);
    let found = by_name.or_else(|| known.iter().find(|(_, it)| it.spec == name));
    found.map(|(bot, _)| *bot).ok_or_else(|| {
        usage!("no entrant is called `{}`", plain(name))
            .hint(suggestion(name, known.iter().map(|(_, it)| it.name.as_str())))
    })
}
