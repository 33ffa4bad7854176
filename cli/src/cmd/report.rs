//! A tournament's results, from the record alone, which a run may still be writing; the contest file and the entries
//! may be gone. `report DB` writes them as a page or a site, and `standings DB` prints them as text, JSON or Markdown,
//! as `tournament` does at its end.

use super::why::Explainer;
use crate::options::{LogsArg, PageFormat};
use crate::output::{self, SiteFolder, is_folder, to_file};
use crate::show::plain;
use crate::{CliError, Exit, Registry, own};
use clap::{Args, ValueEnum};
use cornerman::format::EntrantId;
use cornerman_harness::contest_file::{ContestFile, RecordedContest};
use cornerman_harness::record::Record;
use cornerman_report::Tournament;
use cornerman_report::facts::{self, Facts, document};
use cornerman_report::html::{self, Live, Logs, PageSource, SiteError};
use cornerman_report::rating::ratings;
use cornerman_report::why::{Effort, Means};
use std::cell::RefCell;
use std::path::{Path, PathBuf};

#[derive(Args)]
pub(crate) struct ReportArgs {
    /// The record of a tournament
    pub db: PathBuf,
    /// A file for a single page, or a folder (an existing one, or a name that ends with `/`) for a site [default: the
    /// record's name with .html, in the current folder]
    #[arg(long, value_name = "FILE|FOLDER")]
    pub out: Option<PathBuf>,
    /// Write a site with every game, static files for any host: the same as `--out DIR/`
    #[arg(long, value_name = "DIR", conflicts_with = "out")]
    pub site: Option<PathBuf>,
    /// The earlier name of `--site`.
    #[arg(long, value_name = "DIR", conflicts_with_all = ["out", "site"], hide = true)]
    pub split: Option<PathBuf>,
    /// The most megabytes of a single page, which has as many replays as fit, those of the last games first [default:
    /// 5]
    #[arg(long, value_name = "MB", value_parser = clap::value_parser!(u16).range(1..=1000))]
    pub page_size: Option<u16>,
    /// Whose logs the page has: what bots wrote to standard error at each move [default: as the contest file's
    /// `publish` says]
    #[arg(long, value_enum, value_name = "WHOSE")]
    pub logs: Option<LogsArg>,
    /// Make the page for the author of BOT: it has that bot's logs
    #[arg(long = "for", value_name = "BOT", conflicts_with = "logs")]
    pub author_of: Option<String>,
    /// What the page says under each board of why the game was lost, as `why` does
    #[arg(long, value_enum, default_value_t, value_name = "HOW")]
    pub explain: ExplainArg,
    /// Ask this engine for the score of each position of all games of Go, such as `gtp:gnugo --mode gtp`. It runs as a
    /// program of yours, without a sandbox
    #[arg(long, value_name = "gtp:COMMAND", conflicts_with = "explain")]
    pub engine: Option<String>,
}

/// How far a page explains games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum ExplainArg {
    /// Nothing
    None,
    /// What takes a fraction of a second a game, of at most 100 games
    #[default]
    Brief,
    /// All games, which takes up to some seconds for each
    Full,
}

/// Writes the page or the site.
pub(crate) fn run(args: ReportArgs, games: &Registry) -> Result<Exit, CliError> {
    let record = games.open_any(&args.db)?;
    let own = match &args.author_of {
        Some(name) => Some(super::games::find(name, &record.entrants()?, &record.decisions()?)?.entrant),
        None => None,
    };
    let logs = match (own, args.logs) {
        (Some(own), _) => Some(Logs::Of(own)),
        (None, logs) => logs.map(|logs| if logs == LogsArg::All { Logs::All } else { Logs::None }),
    };
    let engine = args.engine.as_deref();
    let effort = match args.explain {
        ExplainArg::None => None,
        ExplainArg::Brief => Some(Effort::Brief),
        ExplainArg::Full => Some(Effort::Thorough),
    };
    let explain = Explain { effort, engine };
    if args.split.is_some() {
        note!("note: --split is called --site now");
    }
    let site = args.site.or(args.split);
    let is_site = site.is_some();
    let out = site.or(args.out).unwrap_or_else(|| default_out(&args.db, own, "html"));
    if is_site || is_folder(&out) {
        if args.page_size.is_some() {
            let words = "--page-size is for a single page; a site has every game, whatever it takes";
            return Err(CliError::usage(words));
        }
        let mut folder = SiteFolder::beside(&out)?;
        with_source(&record, games, None, logs, explain, |source| {
            html::site(source, &mut |name, content| folder.add(name, content)).map_err(|error| match error {
                SiteError::Record(error) => error.into(),
                SiteError::Write(error) => CliError::at("writing", &out)(error),
            })
        })?;
        let changed = folder.changed_in_words();
        folder.put_in_place()?;
        let index = out.join("index.html");
        note!("wrote {}, {changed}; open {}", plain(out.display()), plain(index.display()));
        return Ok(Exit::Fine);
    }
    output::may_be_written(&out)?;
    let most = most_bytes(args.page_size);
    let page = with_source(&record, games, None, logs, explain, |source| Ok(html::page(source, most)?))?;
    to_file(&out, page.as_bytes()).map_err(CliError::at("writing", &out))?;
    note!("wrote {}", plain(out.display()));
    Ok(Exit::Fine)
}

/// The most bytes of a page for which a `--page-size` in megabytes may be given.
pub(crate) fn most_bytes(page_size: Option<u16>) -> usize {
    page_size.map_or(html::MOST_BYTES, |size| usize::from(size) * 1_000_000)
}

/// The page of a record with at most `most` bytes, unless the standings alone take more, from a snapshot of it. `live`
/// is the state of a run that is still writing the record.
pub(crate) fn page(
    record: &Record,
    games: &Registry,
    live: Option<&Live>,
    most: usize,
) -> Result<String, CliError> {
    // A page that is made again every few seconds does not calculate.
    let effort = live.is_none_or(|live| live.over).then_some(Effort::Brief);
    with_source(record, games, live, None, Explain { effort, engine: None }, |source| {
        Ok(html::page(source, most)?)
    })
}

/// How many games a page explains with [`Effort::Brief`], at most.
const EXPLAINED_BRIEFLY: usize = 100;

/// How a page explains why games were lost: by the engine, or else with this effort, or else not at all.
#[derive(Clone, Copy)]
struct Explain<'a> {
    effort: Option<Effort>,
    engine: Option<&'a str>,
}

/// Calls `make` with what a page is made from. If `logs` is `None`, the page has the logs that the contest file
/// publishes, and in an extract all that it has.
fn with_source<T>(
    record: &Record,
    games: &Registry,
    live: Option<&Live>,
    logs: Option<Logs>,
    explain: Explain,
    make: impl FnOnce(&PageSource) -> Result<T, CliError>,
) -> Result<T, CliError> {
    let _frozen = record.snapshot()?;
    let header = record.header()?;
    let entrants = record.entrants()?;
    let RecordedContest { ruleset, contest, .. } = ContestFile::recorded(record, &games.games)?;
    let summaries = record.games()?;
    let results = record.results_in(&contest, &summaries)?;
    let tournament = Tournament::new(&header, &entrants, &contest, &results);
    let ratings = ratings(&tournament.counted(summaries), header.seed);
    // An extract has the logs of one bot.
    let published = if tournament.publish.logs || record.extract()?.is_some() { Logs::All } else { Logs::None };
    let logs = logs.unwrap_or(published);
    let ruleset = &ruleset;
    let view = games.entry_for(ruleset).view;
    let tournament = &tournament;
    let ratings = &ratings;
    let command = &own::command();
    let effort = explain.effort.unwrap_or(Effort::Brief);
    let means = Means { effort, bots: None };
    let explainer = Explainer::new(view, ruleset, explain.engine, means, games)?;
    let is_brief = explain.engine.is_none() && effort == Effort::Brief;
    let failed = RefCell::new(None);
    let why = html::Explainer {
        // That a game contradicts the rules is said elsewhere on the page.
        explain: &|game, names, seat| match explainer.explain(tournament, game, names, seat) {
            Ok(explanation) => Some(explanation),
            Err(why) => {
                failed.borrow_mut().get_or_insert((game.pairing.id, why));
                None
            }
        },
        most: if is_brief { EXPLAINED_BRIEFLY } else { usize::MAX },
    };
    let why = (explain.effort.is_some() || explain.engine.is_some()).then_some(why);
    let made = make(&PageSource { tournament, record, ruleset, view, ratings, logs, live, why, command })?;
    match failed.into_inner().filter(|_| explain.engine.is_some()) {
        Some((id, why)) => Err(usage!("game {id}: {}", plain(format!("{why:#}")))),
        None => Ok(made),
    }
}

/// The file that is written for the record `db` if the user names none: for `runs/mini.db` it is `mini.html` in the
/// current folder, and for the author of its third bot `mini-for-3.html`.
pub(crate) fn default_out(db: &Path, own: Option<EntrantId>, extension: &str) -> PathBuf {
    let mut name = db.file_stem().unwrap_or_default().to_os_string();
    name.push(own.map(|id| format!("-for-{}", u32::from(id.0) + 1)).unwrap_or_default());
    name.push(".");
    name.push(extension);
    name.into()
}

#[derive(Args)]
pub(crate) struct StandingsArgs {
    /// The record of a tournament
    pub db: PathBuf,
    /// Output format
    #[arg(long, value_enum, default_value_t = PageFormat::Text)]
    pub format: PageFormat,
}

/// Prints the standings of a record.
pub(crate) fn standings(args: StandingsArgs, games: &Registry) -> Result<Exit, CliError> {
    print_standings(&games.open(&args.db)?, games, args.format)
}

/// Prints the standings of `record` and all that goes with them to standard output.
pub(crate) fn print_standings(record: &Record, games: &Registry, format: PageFormat) -> Result<Exit, CliError> {
    let frozen = record.snapshot()?;
    let header = record.header()?;
    let entrants = record.entrants()?;
    let contest = ContestFile::recorded(record, &games.games)?.contest;
    let results = record.results()?;
    let tournament = Tournament::new(&header, &entrants, &contest, &results);
    let facts = Facts::from_record(record, &tournament)?;
    drop(frozen);
    let ratings = ratings(&facts.games, header.seed);
    let json = || facts::json(&tournament, &facts, &ratings);
    format.print(json, || document(&tournament, &facts, &ratings), &entrants)
}
