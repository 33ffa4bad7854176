//! A tournament as a web page: a single self-contained file, or a folder for tournaments too large for one.
//!
//! The page is made from the record alone. Without JavaScript everything but the replays can be read; their steps are
//! data in the page (`traces`). Untrusted text (names, standard error, answers) never becomes markup: `maud` escapes
//! what is put into HTML, and data is written so that nothing in it can end its element.
//!
//! ```no_run
//! # let tournament: cornerman_report::Tournament = unimplemented!();
//! # let record: cornerman_harness::record::Record = unimplemented!();
//! # let ruleset: cornerman_harness::ruleset::Ruleset = unimplemented!();
//! # let view: Box<dyn cornerman_report::view::View> = unimplemented!();
//! use cornerman_report::html::{MOST_BYTES, Source, page};
//! use cornerman_report::rating::Ratings;
//!
//! let source = Source {
//!     tournament: &tournament,
//!     record: &record,
//!     ruleset: &ruleset,
//!     view: &*view,
//!     ratings: Ratings::NONE,
//!     live: None,
//!     command: "cargo xtask",
//! };
//! std::fs::write("club.html", page(&source, MOST_BYTES)?)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod bracket;
mod context;
mod cutout;
mod details;
mod entrants;
mod games;
mod incidents;
mod layout;
mod live;
mod meetings;
mod ratings;
mod rounds;
mod source;
mod standings;
mod survey;
mod svg;
#[cfg(test)]
mod tests;
mod times;
mod traces;

pub(crate) use context::scroll;
pub use layout::GENERATOR;
pub use source::{Live, Source};
pub use traces::VERSION;

use crate::view::Script;
use context::{Context, Links, file_of_entrant, file_of_match, match_of};
use cornerman_harness::record::RecordError;
use layout::Page;
use maud::{Markup, html};
use std::io;
use survey::Survey;
use traces::Traces;

/// The most bytes of a page by default. Parts that do not fit are left out; the page says which, and how to get them.
pub const MOST_BYTES: usize = 5_000_000;

/// The page as one file of at most `most` bytes, unless the standings alone take more. To fit, it leaves out, in
/// this order: lists of games, entrants' sections, cross-tables. Replays fill the remaining room, the most
/// decisive games first.
///
/// # Errors
/// When the record cannot be read.
pub fn page(source: &Source, most: usize) -> Result<String, RecordError> {
    let survey = Survey::from_source(source)?;
    let mut text = String::new();
    for detail in PageDetail::ALL {
        let links = Links::OnePage { entrants: detail <= PageDetail::NoGames, games: detail == PageDetail::All };
        let context = Context::new(source, &survey, links);
        let body = body(&context, detail);
        let mut contents = context.contents();
        contents.retain(|(anchor, _)| *anchor != "meetings" || detail < PageDetail::NoCrosstables);
        let whole = |traces: &Traces| {
            layout::whole(&Page {
                title: &context.title(),
                up: None,
                live: source.live,
                contents: &contents,
                body: html! { (body) (details::section(&context, detail.left_out(), traces.len())) },
                script: source.view.script(),
                traces,
                absent: (!survey.games.is_empty()).then(|| details::absent(&context)),
            })
        };
        text = whole(&Traces::default());
        if let Some(room) = most.checked_sub(text.len()) {
            text = whole(&Traces::from_games(source, survey.most_decisive_first(), room)?);
            break;
        }
    }
    Ok(text)
}

/// The pages of a folder: `index.html` with the tournament, a page for each entrant in `entrants/`, one for each
/// match with its replays in `games/`, and the stylesheet and script that they share. `write` is called for each file
/// with its path below the folder and its bytes; the index comes last.
///
/// # Errors
/// When the record cannot be read, or `write` fails.
pub fn folder(source: &Source, write: &mut dyn FnMut(&str, &[u8]) -> io::Result<()>) -> Result<(), FolderError> {
    let survey = Survey::from_source(source)?;
    write("page.css", layout::css(source.view.script()).as_bytes())?;
    write("page.js", layout::js(source.view.script()).as_bytes())?;
    let below = Context::new(source, &survey, Links::Folder { up: "../" });
    for id in below.everyone() {
        let text = entrants::page(&below, id);
        write(&file_of_entrant(id), text.as_bytes())?;
    }
    for of_match in survey.games.chunk_by(|a, b| match_of(a.pairing.id) == match_of(b.pairing.id)) {
        let text = games::page(&below, of_match)?;
        write(&file_of_match(of_match[0].pairing.id), text.as_bytes())?;
    }
    let context = Context::new(source, &survey, Links::Folder { up: "" });
    let text = layout::whole(&Page {
        title: &context.title(),
        up: Some(""),
        live: source.live,
        contents: &context.contents(),
        body: html! { (body(&context, PageDetail::All)) (details::section(&context, None, survey.games.len())) },
        script: source.view.script(),
        traces: &Traces::default(),
        absent: None,
    });
    Ok(write("index.html", text.as_bytes())?)
}

/// A page without games, that needs no other file, with the anchors and names of its sections.
pub(crate) fn simple(title: &str, contents: &[(&'static str, &'static str)], body: Markup) -> String {
    layout::whole(&Page {
        title,
        up: None,
        live: None,
        contents,
        body,
        script: Script::TEXT,
        traces: &Traces::default(),
        absent: None,
    })
}

/// Why a folder was not written.
#[derive(Debug, thiserror::Error)]
pub enum FolderError {
    /// The record cannot be read.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// A page cannot be written.
    #[error(transparent)]
    Write(#[from] io::Error),
}

/// How much of the tournament a page shows; each level shows less than the one before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum PageDetail {
    All,
    NoGames,
    NoEntrants,
    NoCrosstables,
}

impl PageDetail {
    const ALL: [PageDetail; 4] =
        [PageDetail::All, PageDetail::NoGames, PageDetail::NoEntrants, PageDetail::NoCrosstables];

    /// The parts left out, in words; `None` if the page shows everything.
    fn left_out(self) -> Option<&'static str> {
        match self {
            PageDetail::All => None,
            PageDetail::NoGames => Some("lists of games"),
            PageDetail::NoEntrants => Some("the sections of entrants"),
            PageDetail::NoCrosstables => Some("the sections of entrants and cross-tables"),
        }
    }
}

/// Everything above the details: the winner, the final order, and how it came about.
fn body(context: &Context, detail: PageDetail) -> Markup {
    html! {
        (context.head())
        (live::section(context))
        (standings::section(context))
        (rounds::section(context))
        (ratings::section(context))
        @if detail < PageDetail::NoCrosstables { (meetings::section(context)) }
        (times::section(context))
        (incidents::section(context))
        (entrants::section(context))
    }
}
