//! Showing a tournament: standings, cross-tables, brackets, remarks and games, as text for people and as JSON.
//!
//! Everything starts from a record and the contest it is of; nothing is kept, and nothing is decided here.
//! [`Tournament`] holds what all pages need. Text is plain unless a [`Style`] asks for colours, and names, which
//! come from strangers, are no orders to a terminal in it. JSON carries `"schema": 1` and names as they are.
//!
//! ```no_run
//! # use cornerman::contest::Contest;
//! use cornerman_harness::record::Record;
//! use cornerman_report::{Style, Tournament, standings};
//! use std::path::Path;
//!
//! # let contest: Contest = unimplemented!();
//! let record = Record::open(Path::new("club.db"))?;
//! let (header, entrants, results) = (record.header()?, record.entrants()?, record.results()?);
//! let tournament = Tournament::new(&header, &entrants, &contest, &results);
//! print!("{}", standings::text(&tournament, Style::plain()));
//! # Ok::<(), cornerman_harness::record::RecordError>(())
//! ```

pub mod bracket;
pub mod conduct;
pub mod crosstable;
pub mod export;
pub mod games;
pub mod html;
pub mod rating;
pub mod remarks;
pub mod replay;
pub mod standings;
mod style;
#[cfg(test)]
mod testing;
pub mod times;
pub mod trace;
pub mod unplayed;
pub mod view;

pub use style::{Style, seat_style, shown, time};

pub(crate) use cornerman_harness::plain::plain;

use cornerman::contest::{Contest, Journal, Progress, State};
use cornerman::format::{Column, EntrantId, Results, Standing};
use cornerman_harness::record::{EntrantRecord, Header, Role};
use serde_json::{Value, json};

/// The version of all JSON that this crate writes: any change of what a member means is a new one.
pub const SCHEMA: u32 = 1;

/// What a record says of the organizer's decisions, of which there are none yet.
const RECORDED: &Journal = &Journal::new();

/// A tournament as far as it has come.
pub struct Tournament<'a> {
    /// The contest, by name.
    pub header: &'a Header,
    /// Who takes part, by number.
    pub entrants: &'a [EntrantRecord],
    /// What is played.
    pub contest: &'a Contest,
    /// What has been played.
    pub results: &'a Results,
    /// How far every stage has come.
    pub progress: Vec<Progress>,
}

impl<'a> Tournament<'a> {
    /// The tournament of `contest` as far as `results` go.
    pub fn new(
        header: &'a Header,
        entrants: &'a [EntrantRecord],
        contest: &'a Contest,
        results: &'a Results,
    ) -> Tournament<'a> {
        let progress = contest.progress(results, RECORDED);
        Tournament { header, entrants, contest, results, progress }
    }

    /// The final order so far.
    pub fn standings(&self) -> Vec<Standing> {
        self.contest.standings(self.results, RECORDED)
    }

    /// What the figures of the final order are.
    pub fn columns(&self) -> Vec<Column> {
        self.contest.columns(self.results, RECORDED)
    }

    /// The stages, from 0.
    pub fn stages(&self) -> impl Iterator<Item = (u8, &Progress)> {
        (0..=u8::MAX).zip(&self.progress)
    }

    /// The name of an entrant, as text for a terminal.
    pub fn name(&self, id: EntrantId) -> String {
        name_of(self.entrants, id)
    }

    /// `Stage 2, Finals (brackets): under way`, as far as it has a name.
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
        let state = self.progress.get(usize::from(stage)).map_or("not of this contest", |p| state(&p.state));
        format!("{title}: {state}")
    }

    /// What JSON says of an entrant wherever it is named.
    fn who(&self, id: EntrantId) -> Value {
        json!({ "entrant": id.0, "name": raw_name_of(self.entrants, id) })
    }

    /// What JSON says of a stage: its number from 0, name, format and state.
    fn stage_json(&self, stage: u8) -> Value {
        let record = self.header.stages.get(usize::from(stage));
        json!({
            "stage": stage,
            "name": record.map(|record| &record.name),
            "format": record.map(|record| &record.kind),
            "state": self.progress.get(usize::from(stage)).map(|progress| state(&progress.state)),
        })
    }

    fn role(&self, id: EntrantId) -> Role {
        self.entrants.get(id.index()).map_or(Role::Entry, |entrant| entrant.role)
    }
}

/// A stage's state in words.
fn state(state: &State) -> &'static str {
    match state {
        State::Waiting => "waiting for stages before it",
        State::Skipped => "not needed",
        State::Refused(_) => "cannot be played",
        State::Playing(_) => "under way",
        State::Done => "over",
    }
}

/// The name of an entrant, as text for a terminal.
fn name_of(entrants: &[EntrantRecord], id: EntrantId) -> String {
    shown(&raw_name_of(entrants, id))
}

/// The name of an entrant as it is, or its number where the record does not know it.
fn raw_name_of(entrants: &[EntrantRecord], id: EntrantId) -> String {
    let unknown = || format!("entrant {}", u32::from(id.0) + 1);
    entrants.get(id.index()).map_or_else(unknown, |entrant| entrant.name.clone())
}
