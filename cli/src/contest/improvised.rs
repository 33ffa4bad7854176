//! A contest without a file: bots of the command line against each other, over as many rounds as it takes.
//!
//! It is written as a contest file would be, so its record is like any other: `standings`, `replay`, `report` and
//! `verify` read it.

use super::{PreparedContest, Terms, of_record};
use crate::bots::{self, CompanionFiles};
use crate::cli;
use crate::exit::CliError;
use crate::isolation;
use crate::registry::Registry;
use crate::rules;
use crate::show::plain;
use cornerman_harness::bot::Bot;
use cornerman_harness::contest_file::ContestFile;
use cornerman_harness::machine::Machine;
use cornerman_harness::names;
use cornerman_harness::record::{RecordError, Writer};
use cornerman_harness::ruleset::Ruleset;
use cornerman_harness::text;
use serde::Serialize;
use std::path::{Path, PathBuf};

/// The games that such a contest has for each challenger, in both orders of play: more than are played.
const MOST_PAIRS: usize = 65_536;

/// Bots of the command line that play each other.
pub(crate) struct Improvised<'a> {
    /// What the contest is called.
    pub name: String,
    /// The BOT arguments. The first ones are the challengers, who play all others.
    pub specs: Vec<&'a str>,
    /// How many challengers there are.
    pub challengers: usize,
    /// What they play with.
    pub options: &'a cli::Sparring,
}

/// The text of a contest file, with its keys in the order in which they are written.
#[derive(Serialize)]
pub(crate) struct Text<'a> {
    /// What the contest is called.
    pub name: &'a str,
    /// A ruleset's name or file.
    pub ruleset: &'a str,
    /// The seed of boards and draws.
    pub seed: u64,
    /// The files of boards.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub boards: Vec<String>,
    /// Never: versions of a bot are of one author.
    pub one_entry_per_author: bool,
    /// The bots.
    pub entrants: Vec<Entry<'a>>,
    /// The only stage.
    pub stages: [Stage; 1],
}

/// A bot in a contest file.
#[derive(Serialize)]
pub(crate) struct Entry<'a> {
    /// The BOT argument.
    pub path: &'a str,
    /// Its name.
    pub name: &'a str,
    /// The files that it needs.
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    pub with: &'a [String],
}

/// The stage of such a contest.
#[derive(Default, Serialize)]
pub(crate) struct Stage {
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    challengers: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rounds: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_entrants: Option<usize>,
}

impl Stage {
    /// The first `challengers` of the entrants against each of the others, in more rounds than are ever played.
    pub(crate) fn gauntlet(challengers: usize, entrants: usize) -> Stage {
        let opponents = entrants.saturating_sub(challengers).max(1);
        let rounds = Some(MOST_PAIRS / opponents);
        Stage { kind: "gauntlet", challengers: Some(challengers), rounds, max_entrants: None }
    }

    /// All entrants in one game, in every order.
    pub(crate) fn permutations(entrants: usize) -> Stage {
        Stage { kind: "permutations", max_entrants: Some(entrants), ..Stage::default() }
    }
}

impl Text<'_> {
    /// The contest file.
    ///
    /// # Errors
    /// When the bots cannot play such a contest, or a board cannot be used.
    pub(crate) fn read(&self, games: &Registry) -> Result<ContestFile, CliError> {
        let text = toml::to_string(self).expect("all keys are texts");
        // This file is not on the disk: its line numbers would say nothing to anyone.
        ContestFile::parse(Path::new("contest"), &text, games.available()).map_err(|mistakes| {
            let lines: Vec<String> = mistakes.into_iter().map(|mistake| mistake.message).collect();
            CliError::usage(lines.join("\n"))
        })
    }
}

impl Improvised<'_> {
    /// Builds the bots, and finds out what they play.
    ///
    /// # Errors
    /// When a bot cannot be used, or the options are wrong.
    pub(crate) fn prepare(&self, games: &Registry) -> Result<PreparedContest, CliError> {
        let options = self.options;
        let conditions = options.isolation.conditions()?;
        isolation::announce_below(isolation::FOR_STRANGERS, options.isolation)?;
        let languages = options.languages.read()?;
        let loader = options.isolation.loader(&languages, games);
        let with = &options.with_files.with;
        let specs: Vec<String> = self.specs.iter().map(ToString::to_string).collect();
        let loaded = bots::load_all(&specs, with, loader)?;
        let ruleset = rules::chosen(&options.rules, &loaded, games, conditions)?;
        let companions = CompanionFiles::for_entries(self.specs.iter().copied(), with, loader.options)?;
        let named: Vec<(String, String)> = loaded.iter().map(|bot| (bot.name.clone(), bot.spec.clone())).collect();
        let names = names::told_apart(&named);
        let entry = |(path, name)| Entry { path, name, with: companions.of_bot(path) };
        let seed = options.seed.unwrap_or_else(|| seed_of(&loaded, &ruleset));
        let text = Text {
            name: &self.name,
            ruleset: options.rules.rules.as_deref().unwrap_or(&ruleset.id),
            seed,
            boards: options.board.iter().map(|board| board.display().to_string()).collect(),
            one_entry_per_author: false,
            entrants: self.specs.iter().copied().zip(names.iter().map(String::as_str)).map(entry).collect(),
            stages: [Stage::gauntlet(self.challengers, self.specs.len())],
        };
        let mut file = text.read(games)?;
        file.limits = options.limits.overrides().apply_to(file.limits);
        file.ruleset = Ruleset { limits: file.limits.clone(), ..ruleset };
        let terms = Terms {
            crew: options.crew,
            checked: None,
            isolation: options.isolation,
            languages: &options.languages,
        };
        super::reserve_open_files(1, file.ruleset.seats.1)?;
        PreparedContest::prepare(file, games, terms, None)
    }

    /// The record that the games go into: the one that `--db` names, or else `usual` in the current folder. A record of
    /// other bots, or of other programs, is renamed if it is the usual one.
    ///
    /// # Errors
    /// When the record is of something else, or cannot be written.
    pub(crate) fn record(
        &self,
        db: Option<&Path>,
        usual: &str,
        prepared: &PreparedContest,
    ) -> Result<(PathBuf, Writer), CliError> {
        let path = db.map_or_else(|| PathBuf::from(usual), Path::to_path_buf);
        let set_aside = || {
            let aside = Writer::set_aside(&path).map_err(of_record)?;
            eprintln!("renamed the existing record to {}", plain(aside.display()));
            Ok::<(), CliError>(())
        };
        if self.options.force_new && path.exists() {
            set_aside()?;
        }
        let open = || {
            let mut writer = Writer::create_or_resume(&path, &prepared.file.header(crate::VERSION))?;
            writer.add_entrants(&prepared.entries.records)?;
            writer.add_machine(&Machine::this())?;
            Ok(writer)
        };
        let writer = match open() {
            Err(
                RecordError::Changed { .. }
                | RecordError::ProgramsChanged { .. }
                | RecordError::BoardChanged { .. },
            ) if db.is_none() => {
                set_aside()?;
                open()
            }
            opened => opened,
        };
        Ok((path.clone(), writer.map_err(of_record)?))
    }
}

/// A seed that is the same for the same programs and rules.
fn seed_of(bots: &[Bot], ruleset: &Ruleset) -> u64 {
    let program = |bot: &Bot| {
        let sha256 = bot.program_sha256.as_ref().or(bot.source_sha256.as_ref());
        sha256.unwrap_or(&bot.spec).clone()
    };
    let all: Vec<String> = bots.iter().map(program).chain([ruleset.id.clone()]).collect();
    let hash = text::sha256(all.join("\n").as_bytes());
    u64::from_str_radix(&hash[..8], 16).expect("a hash is hexadecimal")
}
