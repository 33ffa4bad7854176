//! The games that a program is made of, and what is found by asking all of them.

use crate::exit::Failure;
use cornerman_conformance::games::Suite;
use cornerman_harness::kit::{AnyKit, Engine, GameKit, Games};
use cornerman_harness::nearest::did_you_mean;
use cornerman_harness::record::{Header, Record};
use cornerman_harness::ruleset::Ruleset;
use cornerman_report::view::{AnyView, GameView};
use reference_bots::{Ladder, ReferenceBot};
use std::path::Path;

/// A game, in all its layers.
#[derive(Clone, Copy)]
pub struct GameEntry {
    /// How it is run.
    pub kit: &'static dyn AnyKit,
    /// How it is shown.
    pub view: &'static dyn AnyView,
    /// How its bots are checked, if they are.
    pub suite: Option<&'static dyn Suite>,
    /// Its reference bots and templates.
    pub ladder: &'static Ladder,
}

impl GameEntry {
    /// A game. Kit and view are of the same rules.
    pub fn new<K: GameKit, V: GameView<Rules = K::Rules>>(
        kit: &'static K,
        view: &'static V,
        suite: Option<&'static dyn Suite>,
        ladder: &'static Ladder,
    ) -> GameEntry {
        GameEntry { kit, view, suite, ladder }
    }

    /// Its id.
    pub fn id(&self) -> &'static str {
        self.kit.id()
    }
}

/// All games of this program.
pub struct Registry {
    entries: Vec<GameEntry>,
    /// How they are run.
    pub games: Games,
    /// The protocols that programs speak besides those of contests.
    pub engines: Vec<Engine>,
}

impl Registry {
    /// These games, the usual one first.
    pub fn new(entries: impl IntoIterator<Item = GameEntry>) -> Registry {
        let entries: Vec<GameEntry> = entries.into_iter().collect();
        let games = Games::new(entries.iter().map(|entry| entry.kit));
        let engines = games.engines();
        Registry { entries, games, engines }
    }

    /// Each game.
    pub fn entries(&self) -> &[GameEntry] {
        &self.entries
    }

    /// The usual game.
    pub fn usual(&self) -> &GameEntry {
        &self.entries[0]
    }

    /// The game called `name`, which somebody asked for.
    ///
    /// # Errors
    /// When there is none, with the nearest.
    pub fn named(&self, name: &str) -> Result<&GameEntry, Failure> {
        self.entries.iter().find(|entry| entry.id() == name).ok_or_else(|| {
            let ids: Vec<&str> = self.games.ids().collect();
            let hint = did_you_mean(name, ids.iter().copied());
            Failure::usage(format!("there is no game `{name}`; the games are {}{hint}", ids.join(", ")))
        })
    }

    /// The game of a ruleset of this program.
    pub fn of(&self, ruleset: &Ruleset) -> &GameEntry {
        self.entries.iter().find(|entry| entry.id() == ruleset.game()).expect("rulesets are of these games")
    }

    /// The suites of those games that have one, the usual one's first.
    pub fn suites(&self) -> Vec<&'static dyn Suite> {
        self.entries.iter().filter_map(|entry| entry.suite).collect()
    }

    /// Every reference bot, with its game.
    pub fn references(&self) -> impl Iterator<Item = (&GameEntry, &'static ReferenceBot)> {
        self.entries.iter().flat_map(|entry| entry.ladder.bots.iter().map(move |bot| (entry, bot)))
    }

    /// The rules that `record` was played by.
    ///
    /// # Errors
    /// When they cannot be read: nothing is played again by other rules than those of the record.
    pub fn recorded(&self, record: &Record, header: &Header) -> Result<Ruleset, Failure> {
        let file = format!("{}.toml", header.ruleset);
        let wrong = |mistake| Failure::usage(format!("the ruleset in {}: {mistake}", record.path().display()));
        self.games.parse(Path::new(&file), &header.ruleset_text).map_err(wrong)
    }
}
