//! `export DB`: writes recorded games in formats that other programs read: JSON lines, or a format of their game; or
//! copies the record, all of it or the games of a bot for its author.
//!
//! Games with their moves are read and written one after another, and never all held in memory. Files are renamed into
//! place when they are complete, and replace only older exports.

use super::replay;
use crate::options::LogsArg;
use crate::show::{self, plain};
use crate::{CliError, Exit, GameEntry, Registry, output};
use clap::Args;
use cornerman::format::{EntrantId, GameId};
use cornerman_harness::contest_file::ContestFile;
use cornerman_harness::nearest::suggestion;
use cornerman_harness::record::{GameRecord, GameSummary, Record, RecordError};
use cornerman_report::view::{FileForm, RecordedGame};
use cornerman_report::{Tournament, export};
use std::collections::BTreeMap;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

#[derive(Args)]
pub(crate) struct ExportArgs {
    /// The record of a tournament
    pub db: PathBuf,
    /// Only these games, such as s1/r2/m3/g1 [default: all]
    #[arg(value_name = "GAME")]
    pub games: Vec<String>,
    /// The format: {forms}
    #[arg(long, value_name = "FORMAT", default_value = JSONL)]
    pub format: String,
    /// The file to write; for formats other than jsonl a folder, with a file for each game [default: standard output]
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Whose logs jsonl has: what bots wrote to standard error at each move [default: as the contest file's `publish`
    /// says]
    #[arg(long, value_enum, value_name = "WHOSE")]
    pub logs: Option<LogsArg>,
    /// Copy the whole record, as it is now, to FILE, even while a run is writing to it; replaces an older copy
    #[arg(long, value_name = "FILE", conflicts_with_all = ["games", "format", "out", "logs"])]
    pub backup: Option<PathBuf>,
    /// Write an extract for the author of BOT, to the file `--out` [default: DB-for-NUMBER.db]: a record of its games,
    /// with what it wrote to standard error and nothing of what other bots wrote
    #[arg(long = "for", value_name = "BOT", conflicts_with_all = ["games", "format", "logs", "backup"])]
    pub author_of: Option<String>,
}

/// The export format that every game has: a line of JSON for each game.
const JSONL: &str = "jsonl";

/// Exports the games, or copies the record.
pub(crate) fn run(args: ExportArgs, games: &Registry) -> Result<Exit, CliError> {
    check_format(&args.format, games)?;
    if let Some(bot) = &args.author_of {
        return extract(&args, bot, &games.open(&args.db)?);
    }
    let record = games.open_any(&args.db)?;
    if let Some(to) = &args.backup {
        return backup(&record, to);
    }
    let _frozen = record.snapshot()?;
    match args.format.as_str() {
        JSONL => jsonl(&record, &args, games)?,
        _ => in_files(&record, &args, games)?,
    }
    Ok(Exit::Fine)
}

/// Copies all of the record to the file `to`.
fn backup(record: &Record, to: &Path) -> Result<Exit, CliError> {
    put_record(record, to, record.extract()?.map(|it| it.bot), &|file| record.copy_to(file))?;
    note!("wrote {}", plain(to.display()));
    Ok(Exit::Fine)
}

/// Writes the games of a bot with its logs, for its author.
fn extract(args: &ExportArgs, bot: &str, record: &Record) -> Result<Exit, CliError> {
    let bot = super::games::find(bot, &record.entrants()?, &record.decisions()?)?.entrant;
    let to = args.out.clone().unwrap_or_else(|| super::report::default_out(&args.db, Some(bot), "db"));
    put_record(record, &to, Some(bot), &|file| record.extract_to(file, bot))?;
    let written = Record::open_any(&to)?;
    let games = written.games_played()?;
    let all = games + written.extract()?.map_or(0, |it| it.games_left_out);
    note!("wrote {} with {games} of {}", plain(to.display()), show::count(all, "game"));
    Ok(Exit::Fine)
}

/// Writes a copy of a record, or an extract for the author of `bot`, to the file `to`.
fn put_record(
    record: &Record,
    to: &Path,
    bot: Option<EntrantId>,
    write: &dyn Fn(&Path) -> Result<(), RecordError>,
) -> Result<(), CliError> {
    if !to.is_dir() {
        // If the file that is there may not be replaced, the mistake is in the arguments.
        record.may_replace(to, bot).map_err(|error| CliError::Usage(error.into()))?;
    }
    let file = output::NewFile::at(to, &|_| true)?;
    write(file.path())?;
    file.put_in_place()
}

/// The names of the export formats.
pub(super) fn forms(games: &Registry) -> impl Iterator<Item = &'static str> {
    let files = games.entries().iter().flat_map(|game| game.view.files()).map(|form| form.name);
    [JSONL].into_iter().chain(files)
}

/// Checks that `form` is an export format.
fn check_format(form: &str, games: &Registry) -> Result<(), CliError> {
    let forms: Vec<&str> = forms(games).collect();
    if forms.contains(&form) {
        return Ok(());
    }
    Err(usage!("--format: unknown format `{form}`; the formats are {}", forms.join(", "))
        .hint(suggestion(form, forms.iter().copied())))
}

/// Calls `each` with the named games, or with all games in the order of the contest if none are named.
fn each_game(
    record: &Record,
    names: &[String],
    each: &mut dyn FnMut(&GameRecord) -> Result<(), CliError>,
) -> Result<(), CliError> {
    if names.is_empty() {
        return record.each_full_game(&mut |game| each(&game));
    }
    // Wrong names are reported before anything is written.
    names.iter().try_for_each(|name| replay::find(record, name).map(drop))?;
    names.iter().try_for_each(|name| each(&replay::find(record, name)?))
}

/// The games that do not count after the organizer's decisions, each with the reason.
fn uncounted(record: &Record, games: &Registry) -> Result<BTreeMap<GameId, &'static str>, CliError> {
    if record.decisions()?.is_empty() {
        return Ok(BTreeMap::new());
    }
    let contest = ContestFile::recorded(record, &games.games)?.contest;
    let all = record.games()?;
    let results = record.results_in(&contest, &all)?;
    let header = record.header()?;
    let entrants = record.entrants()?;
    let tournament = Tournament::new(&header, &entrants, &contest, &results);
    let why = |game: &GameSummary| Some((game.pairing.id, tournament.uncounted(&game.pairing)?));
    Ok(all.iter().filter_map(why).collect())
}

/// Writes games as JSON lines, to the file `--out` or to standard output.
fn jsonl(record: &Record, args: &ExportArgs, games: &Registry) -> Result<(), CliError> {
    let header = record.header()?;
    let entrants = record.entrants()?;
    let logs = args.logs.map_or_else(|| header.publish().logs, |logs| logs == LogsArg::All);
    let uncounted = uncounted(record, games)?;
    let versions = record.versions()?;
    let line = |game: &GameRecord| {
        let uncounted = uncounted.get(&game.pairing.id).copied();
        show::json(export::json(&header, &entrants, &versions, game, logs, uncounted))
    };
    let write_to = |out: &mut dyn Write, path: Option<&Path>| {
        let mut write = |line| writeln!(out, "{line}").map_err(|error| written(path, error));
        if args.games.is_empty() {
            return record.map_games(&|game| line(&game), &mut write);
        }
        each_game(record, &args.games, &mut |game| write(line(game)))
    };
    match &args.out {
        None => {
            let mut out = BufWriter::new(io::stdout().lock());
            write_to(&mut out, None)?;
            Ok(out.flush()?)
        }
        Some(path) => {
            let mut file = output::NewFile::at(path, &output::is_jsonl)?;
            write_to(&mut file, Some(path))?;
            file.put_in_place()
        }
    }
}

/// Writes games in a format of their game: each into a file of its own if there is a folder, else one after the other
/// to standard output.
fn in_files(record: &Record, args: &ExportArgs, games: &Registry) -> Result<(), CliError> {
    let header = record.header()?;
    let entrants = record.entrants()?;
    let ruleset = games.recorded(record, &header)?;
    let game = games.entry_for(&ruleset);
    let view = game.view;
    let form = args.format.as_str();
    let Some(FileForm { sign, .. }) = game.view.files().iter().find(|known| known.name == form) else {
        let has_form = |game: &&GameEntry| game.view.files().iter().any(|known| known.name == form);
        let of = games.entries().iter().find(has_form).map_or("another game", |game| game.kit.title());
        let db = record.path().display();
        let form = form.to_uppercase();
        let own = game.id();
        return Err(usage!(
            "{db} has games of {own}, but {form} is for games of {of}; use `--format {JSONL}` instead"
        ));
    };
    let uncounted = uncounted(record, games)?;
    let versions = record.versions()?;
    let written_as = |game: &GameRecord| {
        let uncounted = uncounted.get(&game.pairing.id).copied();
        let record = &GameRecord { pairing: versions.seated(&game.pairing), ..game.clone() };
        let game = RecordedGame {
            header: &header,
            title: &ruleset.title,
            rules: &ruleset,
            entrants: &entrants,
            record,
            uncounted,
        };
        view.write(form, &game).map_err(CliError::from)
    };
    match &args.out {
        None => {
            let mut out = BufWriter::new(io::stdout().lock());
            each_game(record, &args.games, &mut |game| Ok(out.write_all(written_as(game)?.as_bytes())?))?;
            Ok(out.flush()?)
        }
        Some(path) => {
            output::make_folder(path)?;
            each_game(record, &args.games, &mut |game| {
                let name = format!("{}.{form}", game.pairing.id.to_string().replace('/', "-"));
                let place = path.join(name);
                let mut file = output::NewFile::at(&place, &|file| output::has_sign(sign, file))?;
                file.write_all(written_as(game)?.as_bytes()).map_err(CliError::at("writing", &place))?;
                file.put_in_place()
            })
        }
    }
}

/// The error of writing to the file `path`, or to standard output, whose reader may be gone.
fn written(path: Option<&Path>, error: io::Error) -> CliError {
    match path {
        None => error.into(),
        Some(path) => CliError::at("writing", path)(error),
    }
}
