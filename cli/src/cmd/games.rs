//! `games DB`: lists the games of a record: who won and how, the slowest move, the length, and how to see each.

use crate::cli::{self, PlayFormat};
use crate::exit::{CliError, Exit};
use crate::own;
use crate::registry::Registry;
use crate::show::{self, plain};
use cornerman::format::EntrantId;
use cornerman_harness::contest_file::ContestFile;
use cornerman_harness::nearest::suggestion;
use cornerman_harness::record::{Digest, EntrantRecord, RecordError, Role};
use cornerman_harness::text::quoted;
use cornerman_report::played::{GameFilter, PlayedGames};
use cornerman_report::{Tournament, doc};
use std::io::Write;

/// Lists the games.
pub(crate) fn run(args: cli::GamesArgs, games: &Registry) -> Result<Exit, CliError> {
    let record = games.open_any(&args.db)?;
    let (header, entrants, digest) = record.with_snapshot(|record| {
        Ok::<_, RecordError>((record.header()?, record.entrants()?, record.digest(&mut |_| {})?))
    })?;
    let Digest { games: all, forfeits, slowest, .. } = digest;
    let named = |name: &Option<String>| name.as_ref().map(|name| find(name, &entrants)).transpose();
    let filter = GameFilter {
        bot: named(&args.bot)?,
        against: named(&args.against)?,
        lost: args.lost,
        forfeited: args.forfeited,
    };
    let contest = ContestFile::recorded(&record, &games.games)?;
    let results = record.results_in(&contest.contest, &all)?;
    let tournament = Tournament::new(&header, &entrants, &contest.contest, &results);
    let all = tournament.measured(all);
    let view = games.entry_for(&contest.ruleset).view.for_ruleset(&contest.ruleset);
    let played = PlayedGames {
        tournament: &tournament,
        games: &all,
        forfeits: &forfeits,
        slowest: &slowest,
        view: &*view,
        replay: format!("{} replay {}", own::command(), quoted(args.db.as_os_str())),
    };
    let mut out = anstream::stdout();
    match args.format {
        PlayFormat::Json => writeln!(out, "{}", show::json(played.json(filter)))?,
        PlayFormat::Text => write!(out, "{}", doc::text(&[played.section(filter)], &entrants, show::style()))?,
    }
    Ok(Exit::Fine)
}

/// The entrant of this name, or with this BOT argument.
///
/// # Errors
/// When there is none; the message suggests the nearest name.
pub(crate) fn find(name: &str, entrants: &[EntrantRecord]) -> Result<EntrantId, CliError> {
    let playing =
        || (0..).map(EntrantId).zip(entrants).filter(|(_, it)| it.out.is_none() && it.role != Role::Version);
    let by_name = playing().find(|(_, entrant)| entrant.name == name);
    let found = by_name.or_else(|| playing().find(|(_, entrant)| entrant.spec == name));
    found.map(|(id, _)| id).ok_or_else(|| {
        usage!("no entrant is called `{}`", plain(name))
            .hint(suggestion(name, playing().map(|(_, entrant)| entrant.name.as_str())))
    })
}
