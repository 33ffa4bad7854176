//! The games of a program, with their rulesets, suites and reference bots.

use crate::CliError;
use cornerman_conformance::games::Suite;
use cornerman_conformance::protocol::judged_suite;
use cornerman_harness::contest_file::{Available, ContestFile};
use cornerman_harness::judge::judged;
use cornerman_harness::kit::{AnyKit, Engine, Games};
use cornerman_harness::nearest::suggestion;
use cornerman_harness::record::{Header, Record, RecordError, RecordErrorKind};
use cornerman_harness::ruleset::Ruleset;
use cornerman_report::view::GameView;
use reference_bots::{Ladder, ReferenceBot};
use std::path::Path;

/// A game as the command line needs it: one value for each crate that knows games.
#[derive(Clone, Copy)]
pub struct GameEntry {
    /// Runs it: rulesets, protocol and boards.
    pub kit: &'static dyn AnyKit,
    /// Shows it in the terminal and on the page.
    pub view: &'static dyn GameView,
    /// Checks its bots; `None` if they cannot be checked.
    pub suite: Option<&'static dyn Suite>,
    /// Its reference bots and templates.
    pub ladder: &'static Ladder,
}

impl GameEntry {
    /// A game of these parts.
    pub fn new(
        kit: &'static dyn AnyKit,
        view: &'static dyn GameView,
        suite: Option<&'static dyn Suite>,
        ladder: &'static Ladder,
    ) -> GameEntry {
        GameEntry { kit, view, suite, ladder }
    }

    /// The game's id, such as the value of `--game`.
    pub fn id(&self) -> &'static str {
        self.kit.id()
    }
}

/// A judge's game has no reference bots in this program: those in the folder of the judge take their place.
static NO_LADDER: Ladder = Ladder { bots: &[], templates: &[] };

/// All games of a program.
pub(crate) struct Registry {
    entries: Vec<GameEntry>,
    /// The kits of the games.
    pub games: Games,
    /// The engine protocols of the games, such as GTP.
    pub engines: Vec<Engine>,
    /// The names that may follow an `@`.
    reference_ids: Vec<&'static str>,
}

impl Registry {
    /// These games, of which the first is the usual one.
    pub(crate) fn new(entries: impl IntoIterator<Item = GameEntry>) -> Registry {
        let entries: Vec<GameEntry> = entries.into_iter().collect();
        let games = Games::new(entries.iter().map(|entry| entry.kit));
        let engines = games.engines();
        let reference_ids = entries.iter().flat_map(|entry| entry.ladder.bots).map(|bot| bot.id).collect();
        Registry { entries, games, engines, reference_ids }
    }

    /// What a contest file may refer to.
    pub(crate) fn available(&self) -> Available<'_> {
        Available { games: &self.games, references: &self.reference_ids }
    }

    /// The games, the usual one first.
    pub(crate) fn entries(&self) -> &[GameEntry] {
        &self.entries
    }

    /// The game that is used where nothing says which game is meant.
    pub(crate) fn usual(&self) -> &GameEntry {
        &self.entries[0]
    }

    /// The game with the id `name`, as given on the command line.
    ///
    /// # Errors
    /// When no game has that id; the message suggests the nearest.
    pub(crate) fn named(&self, name: &str) -> Result<&GameEntry, CliError> {
        self.entries.iter().find(|entry| entry.id() == name).ok_or_else(|| {
            let ids: Vec<&str> = self.games.ids().collect();
            usage!("there is no game `{name}`; the games are {}", ids.join(", "))
                .hint(suggestion(name, ids.iter().copied()))
        })
    }

    /// The game of a ruleset that this registry has read.
    pub(crate) fn entry_for(&self, ruleset: &Ruleset) -> GameEntry {
        if let Some(rules) = judged(ruleset) {
            let suite = judged_suite(rules.judge);
            return GameEntry::new(rules.judge, &cornerman_report::judged::VIEW, Some(suite), &NO_LADDER);
        }
        *self.entries.iter().find(|entry| entry.id() == ruleset.game()).expect("rulesets are of these games")
    }

    /// The bots of a ruleset's game that others are measured against, as BOT arguments: the reference bots, the weakest
    /// first, or those in the folder of a judge, in the order of their names.
    pub(crate) fn ladder(&self, ruleset: &Ruleset) -> Vec<String> {
        match judged(ruleset) {
            Some(rules) => rules.bots().iter().map(|path| path.display().to_string()).collect(),
            None => self.entry_for(ruleset).ladder.bots.iter().map(|bot| format!("@{}", bot.id)).collect(),
        }
    }

    /// The suites among which bots of `ruleset` find theirs by the id of the game. For a judge's game it is only its
    /// own, because the game may have the id of a built-in one.
    pub(crate) fn suites_for(&self, ruleset: &Ruleset) -> Vec<&'static dyn Suite> {
        match judged(ruleset) {
            Some(_) => self.entry_for(ruleset).suite.into_iter().collect(),
            None => self.suites(),
        }
    }

    /// The suites of the games that have one, the usual game's first.
    pub(crate) fn suites(&self) -> Vec<&'static dyn Suite> {
        self.entries.iter().filter_map(|entry| entry.suite).collect()
    }

    /// All reference bots, with their games.
    pub(crate) fn references(&self) -> impl Iterator<Item = (&GameEntry, &'static ReferenceBot)> {
        self.entries.iter().flat_map(|entry| entry.ladder.bots.iter().map(move |bot| (entry, bot)))
    }

    /// Opens the record at `path` to show its games, which must be games of its contest. If the contest cannot be
    /// restored, that is not checked: the games can be shown without it.
    ///
    /// # Errors
    /// When it is not a valid record or only an extract of one, or cannot be read.
    pub(crate) fn open(&self, path: &Path) -> Result<Record, CliError> {
        self.checked(Record::open(path)?)
    }

    /// Like [`Registry::open`], but an extract is opened as well, which has only some of the games that its contest
    /// plans.
    ///
    /// # Errors
    /// When it is not a valid record, or cannot be read.
    pub(crate) fn open_any(&self, path: &Path) -> Result<Record, CliError> {
        let record = Record::open_any(path)?;
        if record.extract()?.is_some() { Ok(record) } else { self.checked(record) }
    }

    /// Checks that the games of a record are games of its contest, if that can be restored.
    fn checked(&self, record: Record) -> Result<Record, CliError> {
        // A run may record a decision between two reads.
        let checked = record.snapshot().and_then(|_frozen| {
            let recorded = ContestFile::recorded(&record, &self.games)?;
            record.check_schedule(&recorded.contest)
        });
        match checked {
            Ok(_) | Err(RecordError { kind: RecordErrorKind::InvalidContest(_), .. }) => Ok(record),
            Err(other) => Err(other.into()),
        }
    }

    /// The ruleset that `record` was played by, which is kept in its `header`.
    ///
    /// # Errors
    /// When it cannot be read: a recorded game is never replayed by other rules.
    pub(crate) fn recorded(&self, record: &Record, header: &Header) -> Result<Ruleset, CliError> {
        let file = format!("{}.toml", header.ruleset);
        let wrong = |mistake| usage!("the ruleset in {}: {mistake}", record.path().display());
        self.games.parse(Path::new(&file), &header.ruleset_text).map_err(wrong)
    }
}
