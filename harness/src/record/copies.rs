//! Copies a record while a run may be writing to it, and makes extracts for the authors of bots. An extract has the
//! games of one bot, with what that bot wrote to standard error.
//!
//! An extract has the whole contest, all entrants and all decisions. It keeps the hashes of the games and logs that it
//! lacks, from which the chain is computed, so it has the seal of the whole record. It has no remarks and no list of
//! games that could not be played; of builds it has those of its bot, and of machines those of its games and builds.

use super::{GameSummary, Record, RecordError, RecordErrorKind, files, seal};
use cornerman::contest::Contest;
use cornerman::format::{EntrantId, Results};
use rusqlite::limits::Limit;
use rusqlite::{Connection, named_params, params};
use std::fs::File;
use std::path::Path;

/// Deletes from a copy of a record what an extract for the bot of the number `:bot` does not have.
const REST: &str = "
    DELETE FROM logs WHERE NOT EXISTS (
        SELECT 1 FROM games g, json_each(g.seats) s
        WHERE g.id = logs.game AND s.key = logs.seat AND json_extract(s.value, '$[0]') = :bot);
    DELETE FROM games WHERE id IN (SELECT id FROM left_out);
    DELETE FROM boards WHERE number >= (SELECT value FROM meta WHERE key = 'boards')
        AND number NOT IN (SELECT board FROM games);
    DELETE FROM isolations WHERE NOT EXISTS (
        SELECT 1 FROM games g, json_each(g.seats) s WHERE json_extract(s.value, '$[5]') = isolations.id);
    DELETE FROM remarks;
    DELETE FROM unplayed;
    DELETE FROM builds WHERE entrant <> :bot;
    DELETE FROM machines WHERE host NOT IN (SELECT host FROM games UNION ALL SELECT host FROM builds);
    INSERT INTO meta VALUES ('extract', :bot)";

/// What an extract has and lacks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extract {
    /// The bot whose games and logs it has.
    pub bot: EntrantId,
    /// The number of games that it lacks.
    pub games_left_out: u64,
    /// The number of logs that it lacks in the games that it has: what other bots wrote to standard error in a game.
    pub logs_left_out: u64,
}

impl Record {
    /// Writes the record as it is now into the file `to`, which must be empty or not exist.
    ///
    /// # Errors
    /// [`RecordErrorKind::NotCopied`], for example if the disk is full.
    pub fn copy_to(&self, to: &Path) -> Result<(), RecordError> {
        let not = |why: String| RecordErrorKind::NotCopied { to: to.into(), why }.at(self.path());
        let file = to.to_str().ok_or_else(|| not("its path is not UTF-8".to_string()))?;
        let db = self.db();
        // SQLite attaches the new file while it writes, which records otherwise forbid.
        let copied = db
            .set_limit(Limit::SQLITE_LIMIT_ATTACHED, 1)
            .and_then(|_| db.execute("VACUUM INTO ?", [file]))
            .and(db.set_limit(Limit::SQLITE_LIMIT_ATTACHED, 0));
        copied.map_err(|error| match RecordError::new(to, "copying", error).kind {
            RecordErrorKind::Full => not("the disk is full".to_string()),
            RecordErrorKind::CannotWrite(why) => not(why),
            RecordErrorKind::Sqlite(_, source) => not(source.to_string()),
            damaged => damaged.at(to),
        })?;
        File::open(to).and_then(|file| file.sync_all()).map_err(|error| not(error.to_string()))
    }

    /// Checks that a copy of this record, or an extract for the author of `bot`, may replace the file at `to`, if there
    /// is one: it must be a copy or extract of the same kind with no more games, which no run is using.
    ///
    /// # Errors
    /// [`RecordErrorKind::NotCopied`], with what is there instead.
    pub fn may_replace(&self, to: &Path, bot: Option<EntrantId>) -> Result<(), RecordError> {
        let not = |why: String| Err(RecordErrorKind::NotCopied { to: to.into(), why }.at(self.path()));
        let other = match Record::open_any_if_begun(to) {
            Ok(None) => return Ok(()),
            Ok(Some(other)) => other,
            Err(_) => return not("it exists and is not a copy of this record: name another file".to_string()),
        };
        let resolved = |path: &Path| std::fs::canonicalize(path).ok();
        if resolved(to) == resolved(self.path()) {
            return not("it is the record itself".to_string());
        }
        if ["-wal", "-journal", ".lock"].iter().any(|suffix| files::beside(to, suffix).exists()) {
            return not("a run is writing to it, or it was not closed: name another file".to_string());
        }
        if other.identity()? != self.identity()? {
            return not("it exists and is a copy of another record: name another file".to_string());
        }
        if other.extract()?.map(|it| it.bot) != bot {
            return not("it exists and has other games of this record: name another file".to_string());
        }
        match (other.games_played()?, self.games_played()?) {
            (there, here) if there > here => {
                not(format!("it exists and has {there} games, and this record only {here}: name another file"))
            }
            _ => Ok(()),
        }
    }

    /// What a record shares with its copies and extracts alone: the contest's seed, and when the record was begun, in
    /// milliseconds since 1970.
    pub fn identity(&self) -> Result<Vec<i64>, RecordError> {
        let sql = "SELECT value FROM meta WHERE key IN ('started_ms', 'seed') ORDER BY key";
        self.list(sql, |row| row.get(0))
    }

    /// What this record has and lacks if it is an extract; `None` if it is whole.
    pub fn extract(&self) -> Result<Option<Extract>, RecordError> {
        let sql = "SELECT value, (SELECT count(*) FROM left_out), \
                   (SELECT count(json_extract(s.value, '$[14]')) FROM games, json_each(seats) s) \
                   - (SELECT count(*) FROM logs) FROM meta WHERE key = 'extract'";
        let found = self.list(sql, |row| {
            Ok(Extract {
                bot: EntrantId(row.get(0)?),
                games_left_out: row.get::<_, i64>(1)?.cast_unsigned(),
                logs_left_out: row.get::<_, i64>(2)?.max(0).cast_unsigned(),
            })
        })?;
        Ok(found.into_iter().next())
    }

    /// The results of these `games` of the record's `contest`, from which standings and plans follow. In an extract no
    /// game counts, because neither follows from a part of the games.
    pub fn results_in(&self, contest: &Contest, games: &[GameSummary]) -> Result<Results, RecordError> {
        let games = if self.extract()?.is_some() { &[] } else { games };
        Ok(contest.journal().results(games.iter().map(GameSummary::result)))
    }

    /// The record, unless it is an extract.
    pub(super) fn whole(self) -> Result<Record, RecordError> {
        let Some(extract) = self.extract()? else { return Ok(self) };
        let games = self.games_played()?;
        let all = games + extract.games_left_out;
        let bot = self.entrants()?.swap_remove(extract.bot.index()).name;
        let why = format!(
            "it is an extract with {games} of {all} games, for the author of {bot}; this needs the whole record"
        );
        Err(RecordErrorKind::Refused(why).at(self.path()))
    }

    /// Writes an extract for the author of `bot` into `to`, which must be empty or not exist, as one file.
    ///
    /// # Errors
    /// If the record cannot be read, or the file cannot be written.
    pub fn extract_to(&self, to: &Path, bot: EntrantId) -> Result<(), RecordError> {
        self.copy_to(to)?;
        let reduced = || {
            let mut db = Connection::open(to)?;
            // Nothing that is deleted may stay in the file, or in one beside it.
            db.query_row("PRAGMA journal_mode = off", [], |_| Ok(()))?;
            let change = db.transaction()?;
            let left_out: Vec<i64> = {
                let sql = "SELECT id FROM games WHERE NOT EXISTS \
                           (SELECT 1 FROM json_each(seats) WHERE json_extract(value, '$[0]') = ?) ORDER BY id";
                change.prepare(sql)?.query_map([bot.0], |row| row.get(0))?.collect::<Result<_, _>>()?
            };
            for id in left_out {
                let [hash, link] = seal::game(&change, id)?;
                change.execute("INSERT INTO left_out VALUES (?, ?, ?)", params![id, hash.0, link.0])?;
            }
            for sql in REST.split_inclusive(';') {
                let mut statement = change.prepare(sql)?;
                let parameters: &[_] = named_params! { ":bot": bot.0 };
                statement.execute(&parameters[..statement.parameter_count()])?;
            }
            change.commit()?;
            db.execute_batch("VACUUM")
        };
        reduced().map_err(|error| RecordError::new(to, "writing an extract", error))?;
        File::open(to).and_then(|file| file.sync_all()).map_err(|error| RecordError::of_system(to, &error))
    }
}
