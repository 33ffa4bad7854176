//! Shows a tournament: standings, cross-tables, brackets, ratings and games, as text, Markdown, JSON and web pages.
//!
//! It also shows what checks of bots found ([`check`]), and has the statistics of comparisons ([`strength`]).
//!
//! A report of a tournament is a function of its record and contest, and starts from a [`Tournament`]. Text is plain
//! unless a [`Style`] asks for colours. Names come from strangers, so text escapes their control characters. JSON has
//! the names of entrants unchanged ([`json::EntrantJson`]), and the version of its `schema`.
//!
//! ```no_run
//! # use cornerman::contest::Contest;
//! use cornerman_harness::record::Record;
//! use cornerman_report::facts::{Facts, document};
//! use cornerman_report::rating::Ratings;
//! use cornerman_report::{Style, Tournament};
//! use std::path::Path;
//!
//! # let contest: Contest = unimplemented!();
//! let record = Record::open(Path::new("club.db"))?;
//! let (header, entrants, results) = (record.header()?, record.entrants()?, record.results()?);
//! let tournament = Tournament::new(&header, &entrants, &contest, &results);
//! let facts = Facts::from_record(&record, &tournament)?;
//! print!("{}", document(&tournament, &facts, Ratings::NONE).text(&entrants, Style::plain()));
//! # Ok::<(), cornerman_harness::record::RecordError>(())
//! ```

#![warn(unreachable_pub)]
#![forbid(unsafe_code)]

pub mod audit;
pub mod check;
pub mod comparison;
mod conduct;
mod crosstable;
pub mod decisions;
pub mod doc;
mod entrants;
pub mod export;
pub mod facts;
/// The views of the games that come with the kit.
pub mod games {
    pub mod boxing;
    pub mod go;
    pub mod rps;
}
pub mod html;
pub mod json;
pub mod judged;
pub mod played;
pub mod rating;
pub mod rejudged;
mod remarks;
pub mod replay;
mod rounds;
pub mod spar;
mod standings;
pub mod strength;
pub mod style;
#[cfg(test)]
mod testing;
pub mod times;
pub mod view;
pub mod why;

pub use style::Style;
pub use view::seat_style;

pub(crate) use cornerman_harness::text::{count, plain};

use cornerman::contest::{Contest, StageProgress, StageState};
use cornerman::format::{EntrantId, Measure, Pairing, Results, Round, Standing, StandingsColumn};
use cornerman::game::Outcome;
use cornerman_harness::contest_spec::Publish;
use cornerman_harness::record::{EntrantRecord, GameSummary, Header, Role};

/// A tournament with the results so far: what most reports start from.
pub struct Tournament<'a> {
    /// The record's header: the contest's name, its game, ruleset and stages.
    pub header: &'a Header,
    /// The entrants; an [`EntrantId`] is an index into this list.
    pub entrants: &'a [EntrantRecord],
    /// The stages and their formats.
    pub contest: &'a Contest,
    /// The results so far. After the organizer's decisions: without annulled games, and with awarded results.
    pub results: &'a Results,
    /// The progress of every stage, by stage number from 0.
    pub progress: Vec<StageProgress>,
    /// What the organizer says to everyone, and how pages are marked as the contest's.
    pub publish: Publish,
}

impl<'a> Tournament<'a> {
    /// The tournament of `contest` with the `results` so far.
    pub fn new(
        header: &'a Header,
        entrants: &'a [EntrantRecord],
        contest: &'a Contest,
        results: &'a Results,
    ) -> Tournament<'a> {
        let progress = contest.progress(results);
        Tournament { header, entrants, contest, results, progress, publish: header.publish() }
    }

    /// The final order so far.
    pub fn standings(&self) -> Vec<Standing> {
        self.contest.standings(self.results)
    }

    /// The columns of the final order: names and units of its figures.
    pub fn columns(&self) -> Vec<StandingsColumn> {
        self.contest.columns(self.results)
    }

    /// Whether it has begun and all its stages are over.
    fn is_over(&self) -> bool {
        !self.results.is_empty() && self.progress.iter().all(StageProgress::is_over)
    }

    /// The stages with their numbers, from 0.
    pub fn stages(&self) -> impl Iterator<Item = (u8, &StageProgress)> {
        (0..=u8::MAX).zip(&self.progress)
    }

    /// The name of an entrant, escaped and shortened for a terminal.
    pub fn name(&self, id: EntrantId) -> String {
        name_of(self.entrants, id)
    }

    /// The name of an entrant unchanged.
    fn raw_name(&self, id: EntrantId) -> String {
        raw_name_of(self.entrants, id)
    }

    /// The author of an entrant, if known.
    fn author(&self, id: EntrantId) -> Option<&str> {
        self.entrants.get(id.index())?.author.as_deref()
    }

    /// What decides the games of a stage, from 0; `None` if the game's own winners do, or the stage has not begun.
    pub fn measure(&self, stage: u8) -> Option<Measure> {
        self.progress.get(usize::from(stage))?.measure()
    }

    /// The entrants by seat in a game. An entrant that was replaced is named by the version that plays for it.
    pub fn playing(&self, game: &Pairing) -> Vec<EntrantId> {
        self.contest.journal().versions().seated(game).seats
    }

    /// Why a recorded game does not count after the organizer's decisions, in a word: it was `annulled` or is an
    /// attempt that no decision asks for, its place was `awarded` to a bot, or it is `void`, because one of its bots is
    /// gone. `None` if it counts.
    pub fn uncounted(&self, game: &Pairing) -> Option<&'static str> {
        if self.contest.journal().is_annulled(game.id) {
            return Some("annulled");
        }
        if self.contest.journal().is_awarded(game.id) {
            return Some("awarded");
        }
        let stage = self.progress.get(usize::from(game.id.stage));
        stage.is_some_and(|stage| !stage.counts(game)).then_some("void")
    }

    /// The games that count, as [`measured`](Self::measured) gives them.
    pub fn counted(&self, games: Vec<GameSummary>) -> Vec<GameSummary> {
        let mut games = self.measured(games);
        games.retain(|game| self.uncounted(&game.pairing).is_none());
        games
    }

    /// Recorded games with the places and points that count in their stages.
    pub fn measured(&self, mut games: Vec<GameSummary>) -> Vec<GameSummary> {
        for game in &mut games {
            game.outcome = self.counted_outcome(&game.pairing, &game.outcome);
        }
        games
    }

    /// The outcome of a game with the places and points that count in its stage, which may differ from the game's own
    /// (S3).
    pub fn counted_outcome(&self, game: &Pairing, outcome: &Outcome) -> Outcome {
        self.measure(game.id.stage).map_or_else(|| outcome.clone(), |measure| measure.counted(outcome))
    }

    /// Whether a stage, from 0, has standings to show: before its first game, everyone would share first place.
    fn has_standings(&self, stage: u8, progress: &StageProgress) -> bool {
        match progress.state {
            StageState::Playing(_) => self.results.has_stage(stage),
            _ => progress.has_begun(),
        }
    }

    /// `Stage 2, Finals (brackets): under way`; without a name or format that the record does not have.
    pub fn stage_title(&self, stage: u8) -> String {
        let mut title = format!("Stage {}", u16::from(stage) + 1);
        if let Some(record) = self.header.stages.get(usize::from(stage)) {
            if !record.name.is_empty() && record.name != title {
                title.push_str(&format!(", {}", shown(&record.name)));
            }
            if !record.kind.is_empty() {
                title.push_str(&format!(" ({})", shown(&record.kind)));
            }
        }
        let state = match self.progress.get(usize::from(stage)).map(|progress| &progress.state) {
            None => "not part of this contest",
            Some(StageState::Playing(_)) if !self.results.has_stage(stage) => "not begun",
            Some(StageState::Playing(_)) if self.header.is_improvised() => "open-ended",
            Some(known) => state(known),
        };
        format!("{title}: {state}")
    }

    /// What a stage is called: `Finals`, or `Stage 2`.
    fn stage_name(&self, stage: u8) -> String {
        let named = self.header.stages.get(usize::from(stage)).filter(|record| !record.name.is_empty());
        named.map_or_else(|| format!("Stage {}", u16::from(stage) + 1), |record| shown(&record.name))
    }

    /// What the organizer says of a stage.
    fn note(&self, stage: u8) -> Option<&str> {
        let record = self.header.stages.get(usize::from(stage))?;
        self.publish.notes.get(&record.name).map(String::as_str)
    }

    fn role(&self, id: EntrantId) -> Role {
        self.entrants.get(id.index()).map_or(Role::Entry, |entrant| entrant.role)
    }
}

/// A stage's state in words.
fn state(state: &StageState) -> &'static str {
    match state {
        StageState::Waiting => "waiting for stages before it",
        StageState::Skipped => "not needed",
        StageState::Refused(_) => "cannot be played",
        StageState::Playing(_) => "under way",
        StageState::Done => "over",
    }
}

/// A round's title, in the terminal and on the page: `Round 2, board 5`, or `Round 2` if the round as a whole has no
/// board. Both numbers count from 1.
fn round_title(round: &Round) -> String {
    let board = round.board.map(|board| format!(", board {}", u64::from(board) + 1)).unwrap_or_default();
    format!("Round {}{board}", u32::from(round.number) + 1)
}

/// A time in milliseconds since 1970, as `1983-07-13T14:00:00Z`; at most the last second of the year 9999, because
/// a wrong clock may give any number.
fn utc(ms: u64) -> String {
    let at = std::time::UNIX_EPOCH + std::time::Duration::from_millis(ms.min(253_402_300_799_000));
    humantime::format_rfc3339_seconds(at).to_string()
}

/// The most characters shown of a name: longer ones would break tables.
const LONGEST_NAME: usize = 40;

/// Untrusted text, safe for a terminal: control characters and those that change the direction of writing are escaped,
/// and text of more than 40 characters is cut.
pub fn shown(text: &str) -> String {
    let mut clean = plain(text);
    if let Some((cut, _)) = clean.char_indices().nth(LONGEST_NAME) {
        clean.truncate(cut);
        clean.push('…');
    }
    clean
}

/// The first of each of these values, in their order.
fn distinct<T: PartialEq>(values: impl IntoIterator<Item = T>) -> Vec<T> {
    let mut found = Vec::new();
    for value in values {
        if !found.contains(&value) {
            found.push(value);
        }
    }
    found
}

/// The name of an entrant, escaped and shortened for a terminal.
fn name_of(entrants: &[EntrantRecord], id: EntrantId) -> String {
    shown(&raw_name_of(entrants, id))
}

/// The name of an entrant unchanged, or its number from 1 if the record does not have it.
fn raw_name_of(entrants: &[EntrantRecord], id: EntrantId) -> String {
    let unknown = || format!("entrant {}", u32::from(id.0) + 1);
    entrants.get(id.index()).map_or_else(unknown, |entrant| entrant.name.clone())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_are_escaped() {
        assert_eq!(shown("Jäb \"\x1b[31m\n"), "Jäb \"\\u{1b}[31m\\n");
        assert_eq!(shown("gull\u{202e}nret\u{9b}"), "gull\\u{202e}nret\\u{9b}");
        assert_eq!(shown(&"é".repeat(50)), "é".repeat(40) + "…");
    }
}
