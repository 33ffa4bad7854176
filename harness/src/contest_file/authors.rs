//! Reads the organizer's list of authors: a CSV file, for example from a form or spreadsheet, that says who wrote which
//! entry (B13).

use super::entrants::{Entrant, EntrySource};
use super::keys::{Top, folder_of};
use crate::bot::engine::Engine;
use crate::bot::{Bot, spec_of_path};
use crate::names;
use crate::nearest::did_you_mean;
use crate::text::{Reason, with_sources};
use crate::toml_file::{Mistake, SourceFile, all_of, read_file};
use crate::toolchain::language::Languages;
use csv::{ReaderBuilder, StringRecord, Trim};
use std::fs;
use std::iter::repeat_n;
use std::path::{Path, PathBuf};

/// The columns of the list, in any order; `name` may be left out.
const COLUMNS: [&str; 3] = ["name", "author", "path"];

/// Adds the names and authors in the list of authors to the `entrants`, if the contest file `file` has such a list.
/// Also enters files of the list [that do not look like bots](AuthorList::other_entry).
pub(super) fn listed(
    file: SourceFile,
    top: &Top,
    mut entrants: Vec<Entrant>,
    engines: &[Engine],
) -> Result<Vec<Entrant>, Vec<Mistake>> {
    let Some(named) = &top.authors else { return Ok(entrants) };
    let path = folder_of(file.path).join(named.get_ref());
    let text = read_file("list of authors", &path, |path| fs::read(path))
        .map_err(|error| vec![file.mistake(named.span().start, with_sources(&error))])?;
    let keys = entrants.iter().map(|entrant| entrant.source.canonical()).collect();
    let mut list = AuthorList { path: &path, contest: file.path, keys, engines };
    let rows = list.rows(&text)?;
    let line = file.line(named.span().start);
    let others: Vec<Entrant> = rows.iter().filter_map(|row| list.other_entry(row, line)).collect();
    if !others.is_empty() {
        let ungrouped = entrants.iter().take_while(|entrant| entrant.group.is_none()).count();
        entrants.splice(ungrouped..ungrouped, others);
        for (place, entrant) in (0..).zip(&mut entrants) {
            entrant.place = place;
        }
        list.keys = entrants.iter().map(|entrant| entrant.source.canonical()).collect();
    }
    let mistake = |row: &Row, message: Reason| list.mistake(row.line, message.0);
    all_of(rows.iter().map(|row| list.apply(row, &mut entrants).map_err(|message| mistake(row, message))))?;
    Ok(entrants)
}

/// A list of authors, and the entrants that it is about.
struct AuthorList<'a> {
    path: &'a Path,
    contest: &'a Path,
    /// The canonical source of each entrant, by its place.
    keys: Vec<EntrySource>,
    engines: &'a [Engine],
}

struct Row {
    line: usize,
    name: Option<String>,
    author: String,
    path: String,
}

impl AuthorList<'_> {
    /// Reads the rows of the list from its `text`.
    fn rows(&self, text: &[u8]) -> Result<Vec<Row>, Vec<Mistake>> {
        let mut reader = ReaderBuilder::new().trim(Trim::All).flexible(true).from_reader(text);
        let one = |line, message| vec![self.mistake(line, message)];
        let unreadable = |error: csv::Error| {
            let line = error.position().map_or(1, |at| at.line() as usize);
            one(line, "a list of authors must be text in UTF-8".to_string())
        };
        let header = reader.headers().map_err(unreadable)?.clone();
        let columns = columns(&header).map_err(|message| one(1, message.0))?;
        let records = reader.records().collect::<Result<Vec<_>, _>>().map_err(unreadable)?;
        all_of(records.iter().map(|record| {
            let line = line_of(record, text);
            let (name, author, path) =
                row(record, header.len(), columns).map_err(|message| self.mistake(line, message.0))?;
            Ok(Row { line, name, author, path })
        }))
    }

    /// Applies a row to the entrants with its path.
    fn apply(&self, row: &Row, entrants: &mut [Entrant]) -> Result<(), Reason> {
        let key = self.source_of(&row.path).canonical();
        let places: Vec<usize> = (0..entrants.len()).filter(|&place| self.keys[place] == key).collect();
        if places.is_empty() {
            let paths = self.paths(entrants);
            // A file of the same name in another folder is meant more often than a file with a similar path.
            let file = |path: &str| Path::new(path).file_name().map(ToOwned::to_owned);
            let same = paths.iter().find(|path| file(path) == file(&row.path)).unwrap_or(&row.path);
            let hint = did_you_mean(same, paths.iter().map(String::as_str));
            return Err(format!("`{}` is not an entrant of {}{hint}", row.path, self.contest.display()).into());
        }
        for place in places {
            let entrant = &mut entrants[place];
            if let Some(earlier) = entrant.listed.replace(row.line) {
                return Err(format!("`{}` is already listed in line {earlier}", row.path).into());
            }
            let given_twice =
                [("author", entrant.author.is_some()), ("name", entrant.name.is_some() && row.name.is_some())];
            if let Some((key, _)) = given_twice.into_iter().find(|(_, is_twice)| *is_twice) {
                let path = &row.path;
                let contest = self.contest.display();
                let line = entrant.line;
                return Err(format!(
                    "the `{key}` of `{path}` is also given in {contest}:{line}: remove one of the two"
                )
                .into());
            }
            entrant.author = Some(row.author.clone());
            entrant.name = entrant.name.take().or_else(|| row.name.clone());
        }
        Ok(())
    }

    /// The entrant for a file or folder of the list that does not look like a bot, such as an archive, if it lies
    /// beside an entry: it was handed in, so the check of entries has to report on it. `line` is the line of the
    /// contest file that names the list.
    fn other_entry(&self, row: &Row, line: usize) -> Option<Entrant> {
        let source = self.source_of(&row.path);
        let EntrySource::Path(path) = &source else { return None };
        let key = source.canonical();
        let EntrySource::Path(whole) = &key else { return None };
        let is_beside =
            |other: &EntrySource| matches!(other, EntrySource::Path(other) if other.parent() == whole.parent());
        let is_entry = path.exists()
            && !Bot::is_likely(path, Languages::built_in())
            && !self.keys.contains(&key)
            && self.keys.iter().any(is_beside);
        let spec = relative_spec(folder_of(self.contest), path);
        is_entry.then(|| Entrant { line, ..Entrant::new(source.clone(), spec) })
    }

    /// The bot that a row names with `path`, which is relative to the list's folder.
    fn source_of(&self, path: &str) -> EntrySource {
        EntrySource::of_spec(path, self.engines, folder_of(self.path))
    }

    /// For each entrant, the path by which a row would name it.
    fn paths(&self, entrants: &[Entrant]) -> Vec<String> {
        let folder = fs::canonicalize(folder_of(self.path).join(".")).unwrap_or_default();
        let path = |(key, entrant): (&EntrySource, &Entrant)| match key {
            EntrySource::Path(path) => spec_of_path(&relative(&folder, path)),
            _ => entrant.spec.clone(),
        };
        self.keys.iter().zip(entrants).map(path).collect()
    }

    fn mistake(&self, line: usize, message: String) -> Mistake {
        Mistake { path: self.path.into(), line, message }
    }
}

/// `path` as the contest file in `folder` would write it.
fn relative_spec(folder: &Path, path: &Path) -> String {
    spec_of_path(path.strip_prefix(folder).unwrap_or(path))
}

/// The relative path from `folder` to `path`, both absolute.
fn relative(folder: &Path, path: &Path) -> PathBuf {
    let (up, common) =
        folder.ancestors().enumerate().find(|(_, above)| path.starts_with(above)).unwrap_or((0, folder));
    repeat_n("..", up).collect::<PathBuf>().join(path.strip_prefix(common).unwrap_or(path))
}

/// The line of a row. The parser's position may be that of empty lines before it.
fn line_of(record: &StringRecord, text: &[u8]) -> usize {
    let before = record.position().map_or(0, |at| at.byte() as usize);
    let empty = text[before..].iter().take_while(|byte| matches!(byte, b'\r' | b'\n')).count();
    1 + text[..before + empty].iter().filter(|&&byte| byte == b'\n').count()
}

/// The place of each of [`COLUMNS`] in a row.
fn columns(header: &StringRecord) -> Result<[Option<usize>; 3], Reason> {
    let wanted = COLUMNS.join(",");
    for (at, name) in header.iter().enumerate() {
        if !COLUMNS.contains(&name) {
            let hint = did_you_mean(name, COLUMNS);
            return Err(format!("unknown column `{name}`{hint}, expected the header `{wanted}`").into());
        }
        if header.iter().take(at).any(|earlier| earlier == name) {
            return Err(format!("duplicate column `{name}`, expected the header `{wanted}`").into());
        }
    }
    let places = COLUMNS.map(|column| header.iter().position(|name| name == column));
    match (1..COLUMNS.len()).find(|&at| places[at].is_none()) {
        Some(at) => Err(format!("the column `{}` is missing, expected the header `{wanted}`", COLUMNS[at]).into()),
        None => Ok(places),
    }
}

/// The name, author and path of a row.
fn row(
    record: &StringRecord,
    wanted: usize,
    columns: [Option<usize>; 3],
) -> Result<(Option<String>, String, String), Reason> {
    if record.len() != wanted {
        return Err(format!("{} fields, expected {wanted} as in the header", record.len()).into());
    }
    let [name, author, path] = columns.map(|at| at.and_then(|at| record.get(at)).unwrap_or_default().to_string());
    for (column, value) in [("author", &author), ("path", &path)] {
        if value.is_empty() {
            return Err(format!("the `{column}` is empty").into());
        }
    }
    for (column, value) in [("name", &name), ("author", &author)] {
        if let Some(problem) = names::problem(value) {
            return Err(format!("the `{column}` {problem}").into());
        }
    }
    Ok((Some(name).filter(|name| !name.is_empty()), author, path))
}
