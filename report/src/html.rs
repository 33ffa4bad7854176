//! A tournament as a web page: a single self-contained file, or a site of static files with every game.
//!
//! The page is made from the record, except the progress of a run ([`Live`]). Without JavaScript everything but the
//! replays can be read; their steps are data in the page, or in files of the site (`traces`). Untrusted text (names,
//! standard error, answers) never becomes markup: `maud` escapes what is put into HTML, and data is written so that
//! nothing in it can end its element.
//!
//! ```no_run
//! # let tournament: cornerman_report::Tournament = unimplemented!();
//! # let record: cornerman_harness::record::Record = unimplemented!();
//! # let ruleset: cornerman_harness::ruleset::Ruleset = unimplemented!();
//! # let view: &dyn cornerman_report::view::GameView = unimplemented!();
//! use cornerman_report::html::{Logs, MOST_BYTES, PageSource, page};
//! use cornerman_report::rating::Ratings;
//!
//! let source = PageSource {
//!     tournament: &tournament,
//!     record: &record,
//!     ruleset: &ruleset,
//!     view,
//!     ratings: Ratings::NONE,
//!     logs: Logs::None, live: None, why: None,
//!     command: "cargo xtask",
//! };
//! std::fs::write("club.html", page(&source, MOST_BYTES)?)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod layout;
mod picture;
#[cfg(test)]
mod tests;
mod traces;

pub use layout::GENERATOR;
pub use traces::VERSION;

use crate::doc::links::{Links, Target, file_of_entrant, name_of_match};
use crate::doc::{Block, Cell, Document, Line, Section, TableLayout, html as rendered};
use crate::entrants::{Entrants, games_table, span};
use crate::facts::{self, Facts};
use crate::rating::Ratings;
use crate::view::{GameView, Script};
use crate::why::Explanation;
use crate::{Tournament, count, plain, shown};
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use cornerman::format::{EntrantId, GameId};
use cornerman::game::Seat;
use cornerman_harness::record::{EntrantRecord, GameRecord, GameSummary, Record, RecordError, Role};
use cornerman_harness::ruleset::Ruleset;
use cornerman_harness::text::duration;
use layout::Page;
use maud::{Markup, html};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::time::Duration;
use traces::Traces;

/// The file of a site with the picture of the most decisive game.
const PICTURE: &str = "picture.png";

/// The most bytes of a page by default. Parts that do not fit are left out; the page says which, and how to get them.
pub const MOST_BYTES: usize = 5_000_000;

/// The data that a page is made from.
#[derive(Clone, Copy)]
pub struct PageSource<'a> {
    /// The tournament so far.
    pub tournament: &'a Tournament<'a>,
    /// Its record.
    pub record: &'a Record,
    /// Its rules.
    pub ruleset: &'a Ruleset,
    /// How its games are shown.
    pub view: &'a dyn GameView,
    /// Ratings; if there are none, the page has no such section.
    pub ratings: &'a Ratings,
    /// Whose logs it shows: what bots wrote to standard error at each move.
    pub logs: Logs,
    /// How a reader calls the program, for commands shown on the page: `cargo xtask`.
    pub command: &'a str,
    /// The progress of the run that plays the games, if there is one: until it is over, the page reloads itself.
    pub live: Option<&'a Live>,
    /// Explains why games were lost, if the page is to say so.
    pub why: Option<Explainer<'a>>,
}

/// Explains why a seat lost a game, the seats of which have these names; `None` if that is not known.
pub type Explain<'a> = &'a dyn Fn(&GameRecord, &[String], Seat) -> Option<Explanation>;

/// How a page finds out why games were lost, and how their seats stood.
#[derive(Clone, Copy)]
pub struct Explainer<'a> {
    /// Explains one game.
    pub explain: Explain<'a>,
    /// The most games that the page explains, the most decisive first.
    pub most: usize,
}

/// The bots whose logs a page shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Logs {
    /// Those of none: logs are for the authors of the bots.
    None,
    /// Those of all bots.
    All,
    /// Those of this bot, for whose author the page is made.
    Of(EntrantId),
}

impl Logs {
    /// Whether the logs of this bot are shown.
    pub(crate) fn have(self, bot: EntrantId) -> bool {
        match self {
            Logs::None => false,
            Logs::All => true,
            Logs::Of(own) => own == bot,
        }
    }
}

/// The progress of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Live {
    /// The games in play, with the entrants by seat.
    pub in_play: Vec<(GameId, Vec<EntrantId>)>,
    /// The number of games played.
    pub played: usize,
    /// The number of games known so far, including those played; later rounds and stages may add more.
    pub known: usize,
    /// The estimated time for the rest of the known games; `None` until it can be estimated.
    pub left: Option<Duration>,
    /// Whether the run has ended: the page no longer reloads itself.
    pub over: bool,
    /// The workers on other machines that play, in words; `None` if this machine plays.
    pub workers: Option<String>,
}

/// The page as one file of at most `most` bytes, unless the parts that it never leaves out take more. To fit, it leaves
/// out, in this order: lists of games, entrants' sections, cross-tables. Replays fill the remaining room, the most
/// decisive games first.
///
/// # Errors
/// When the record cannot be read.
pub fn page(source: &PageSource, most: usize) -> Result<String, RecordError> {
    let survey = Survey::from_source(source)?;
    let picture = survey.picture()?.map(|png| format!("data:image/png;base64,{}", BASE64_STANDARD.encode(png)));
    let picture = picture.as_deref();
    let mut text = String::new();
    for detail in PageDetail::ALL {
        let entrants = detail <= PageDetail::NoGames;
        let links = Links { entrants: source.tournament.entrants, to: Target::OnePage { entrants } };
        let sections = survey.sections(detail);
        let whole = |traces: &Traces| {
            let details = survey.details(detail.left_out(), traces.len());
            survey.whole(&sections, &details, links, None, picture, traces)
        };
        text = whole(&Traces::default());
        if let Some(room) = most.checked_sub(text.len()) {
            text = whole(&Traces::from_games(source, survey.most_decisive_first(), &survey.explained, room)?);
            break;
        }
    }
    Ok(text)
}

/// Writes the files of a site: `index.html` with the tournament, a page for each entrant in `entrants/`, the compressed
/// games of each match in `games/`, a picture of the most decisive game, if there is one, and the stylesheet and script
/// of all pages. `write` is called for each file with its path below the site's folder and its bytes; the index comes
/// last.
///
/// # Errors
/// When the record cannot be read, or `write` fails.
pub fn site(source: &PageSource, write: &mut dyn FnMut(&str, &[u8]) -> io::Result<()>) -> Result<(), SiteError> {
    let survey = Survey::from_source(source)?;
    write("page.css", layout::css(source.view.script()).as_bytes())?;
    write("page.js", layout::js(source.view.script()).as_bytes())?;
    for id in (0..source.tournament.entrants.len() as u16).map(EntrantId) {
        write(&file_of_entrant(id), survey.page_of_entrant(id).as_bytes())?;
    }
    let of_one_match = |a: &GameSummary, b: &GameSummary| {
        let key = |game: &GameSummary| GameId { game: 0, ..game.pairing.id.place() };
        key(a) == key(b)
    };
    let mut all: Vec<GameSummary> = survey.facts.games.iter().chain(&survey.facts.uncounted).cloned().collect();
    all.sort_by_key(|game| game.pairing.id);
    let matches: Vec<&[GameSummary]> = all.chunk_by(of_one_match).collect();
    for (nth, games) in matches.iter().enumerate() {
        let last_before = nth.checked_sub(1).and_then(|before| matches[before].last());
        let first_after = matches.get(nth + 1).and_then(|after| after.first());
        let name = name_of_match(games[0].pairing.id);
        let ids = games.iter().map(|game| game.pairing.id);
        let traces = Traces::from_games(source, ids, &survey.explained, usize::MAX)?;
        let script =
            traces.script(&name, [last_before, first_after].map(|game| game.map(|game| game.pairing.id)))?;
        write(&format!("games/{name}.js"), &script)?;
    }
    let picture = survey.picture()?;
    if let Some(png) = &picture {
        write(PICTURE, png)?;
    }
    let picture = picture.map(|_| PICTURE);
    let links = Links { entrants: source.tournament.entrants, to: Target::Site { up: "" } };
    let details = survey.details(None, all.len());
    let sections = survey.sections(PageDetail::NoEntrants);
    let text = survey.whole(&sections, &details, links, Some(""), picture, &Traces::default());
    Ok(write("index.html", text.as_bytes())?)
}

/// A document as a page without games that needs no other file.
pub(crate) fn simple(document: &Document, entrants: &[EntrantRecord]) -> String {
    let links = Links { entrants, to: Target::Nowhere };
    let title = shown(&document.title);
    layout::whole(&Page {
        title: &title,
        mark: None,
        picture: None,
        about: document.lead.iter().map(|line| crate::doc::words(line, entrants)).collect::<Vec<_>>().join(". "),
        up: None,
        reload: None,
        contents: &contents(&document.sections),
        body: html! {
            header.title {
                h1 { (title) }
                @for line in &document.lead { p.lead { (rendered::words(line, links)) "." } }
            }
            @for section in &document.sections { (rendered::section(section, links)) }
        },
        script: Script::TEXT,
        traces: &Traces::default(),
        absent: None,
    })
}

/// The anchors and names of sections.
fn contents(sections: &[Section]) -> Vec<(String, String)> {
    let name = |section: &Section| {
        let name = section.name.clone();
        (section.anchor.clone(), name.unwrap_or_else(|| crate::doc::words(&section.title, &[])))
    };
    sections.iter().map(name).collect()
}

/// Why a site was not written.
#[derive(Debug, thiserror::Error)]
pub enum SiteError {
    /// The record cannot be read.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// A file cannot be written.
    #[error(transparent)]
    Write(#[from] io::Error),
}

/// How much of the tournament a page shows; each level shows less than the one before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum PageDetail {
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

/// What is read from a record for its pages.
struct Survey<'a> {
    source: &'a PageSource<'a>,
    facts: Facts,
    entrants: Entrants,
    /// The games for which the page explains why they were lost.
    explained: BTreeSet<GameId>,
}

impl Survey<'_> {
    fn from_source<'a>(source: &'a PageSource) -> Result<Survey<'a>, RecordError> {
        let facts = Facts::from_record(source.record, source.tournament)?;
        let entrants = Entrants::from_record(source.record, source.tournament, &facts, source.logs)?;
        let mut survey = Survey { source, facts, entrants, explained: BTreeSet::new() };
        if let Some(why) = source.why {
            survey.explained = survey.most_decisive_first().into_iter().take(why.most).collect();
        }
        Ok(survey)
    }

    /// The sections of a page, without the details at its end.
    fn sections(&self, detail: PageDetail) -> Vec<Section> {
        let tournament = self.source.tournament;
        let mut sections = facts::sections(tournament, &self.facts, self.source.ratings);
        if let Some(order) = sections.first_mut() {
            *order = self.entrants.with_results(tournament, &self.facts, std::mem::take(order));
        }
        if detail == PageDetail::NoCrosstables {
            let is_crosstable =
                |block: &Block| matches!(block, Block::Table(table) if table.layout == TableLayout::Matrix);
            for section in &mut sections {
                section.blocks.retain(|block| !is_crosstable(block));
            }
        }
        sections.extend(self.entrants.section(tournament, &self.facts, detail));
        sections
    }

    /// The end of a page: what identifies the record, the parts that are `left_out`, and how many games can be
    /// replayed.
    fn details(&self, left_out: Option<&str>, replays: usize) -> Section {
        let header = self.source.tournament.header;
        let hosts: BTreeSet<&str> = self.facts.games.iter().map(|game| game.host.as_str()).collect();
        let hosts: Vec<&str> = hosts.into_iter().filter(|host| !host.is_empty()).collect();
        let ruleset = format!("{} ({})", self.source.ruleset.title, header.ruleset);
        let seal = self.facts.seal.map(|seal| Line::from(Cell::Code(seal.to_string())));
        let known = [
            ("Ruleset", Line::from(ruleset)),
            ("Played on", hosts.join(", ").into()),
            ("Seed", header.seed.to_string().into()),
            ("Kit", header.kit.as_str().into()),
            ("Seal", seal.unwrap_or_default()),
        ];
        let known = known.into_iter().filter(|(_, value)| !value.is_empty());
        let known = known.map(|(name, value)| (name.to_string(), value)).collect();
        let mut section = Section::new("details", "Details").with(Block::Facts(known));
        let games = self.facts.games.len() + self.facts.uncounted.len();
        let mut missing: Vec<Line> =
            left_out.map(|what| format!("Left out: {what}.").into()).into_iter().collect();
        if replays < games {
            let first = "those of the latest rounds and stages first";
            missing.push(format!("Replays: {replays} of {games} games, {first}.").into());
        }
        if !missing.is_empty() {
            let why = "This file would be too large with the rest. To see all of it, write a site: ";
            missing.push(Line::from(why).then(Cell::Code(self.site_command())));
            section = section.with(Block::List(missing));
        }
        section
    }

    /// A page of the whole tournament.
    fn whole(
        &self,
        sections: &[Section],
        details: &Section,
        links: Links,
        up: Option<&'static str>,
        picture: Option<&str>,
        traces: &Traces,
    ) -> String {
        let live = self.source.live.filter(|live| !live.over);
        let mut contents = contents(sections);
        contents.push((details.anchor.clone(), "Details".to_string()));
        layout::whole(&Page {
            title: &shown(&self.source.tournament.header.contest),
            mark: self.source.tournament.publish.mark.as_deref(),
            about: self.about(sections),
            // Services that preview links fetch a picture from its address. None of them reads one that is inside the
            // page.
            picture: picture.filter(|_| up.is_some()),
            up,
            reload: live.map(|_| layout::RELOAD),
            contents: &contents,
            body: html! {
                (self.head(links, picture))
                @if let Some(live) = live { (in_progress(live, links)) }
                @for section in sections { (rendered::section(section, links)) }
                (rendered::section(details, links))
            },
            script: self.source.view.script(),
            traces,
            absent: (!self.facts.games.is_empty()).then(|| self.absent(up.is_some())),
        })
    }

    /// The page in a few words: `Winner: gull. boxing · 2026-11-21 11:43 UTC · 6 entrants · 60 games`.
    fn about(&self, sections: &[Section]) -> String {
        let tournament = self.source.tournament;
        let result = sections.first().map(|order| crate::doc::words(&order.title, tournament.entrants));
        result.into_iter().chain([self.played()]).collect::<Vec<_>>().join(". ")
    }

    /// What was played, when, by how many entrants, and the number of games.
    fn played(&self) -> String {
        let tournament = self.source.tournament;
        let is_entry = |entrant: &&EntrantRecord| entrant.role == Role::Entry;
        let competing = tournament.entrants.iter().filter(is_entry).count();
        let when = span(&self.facts.games).map(|(from, to)| dates(from, to));
        let amounts = [count(competing, "entrant"), count(self.facts.games.len(), "game")];
        [shown(&tournament.header.game)].into_iter().chain(when).chain(amounts).collect::<Vec<_>>().join(" · ")
    }

    /// The page's title, and what was played; beside it the most decisive game, if there is a picture of it.
    fn head(&self, links: Links, picture: Option<&str>) -> Markup {
        let tournament = self.source.tournament;
        let accent = tournament.publish.accent.as_ref();
        let decisive = picture.zip(self.most_decisive_first().first().copied());
        html! {
            header.title.accented[accent.is_some()] style=[accent.map(|accent| format!("--accent: {accent}"))] {
                div {
                    h1 {
                        @if let Some(mark) = &tournament.publish.mark { span aria-hidden="true" { (mark) " " } }
                        (shown(&tournament.header.contest))
                    }
                    p.lead { (self.played()) }
                    @for line in facts::lead(tournament) { p { (rendered::words(&line, Links { entrants: &[], to: Target::Nowhere })) } }
                }
                @if let Some((picture, id)) = decisive {
                    a.decisive href=[links.replay(id, None)] { img src=(picture) alt=""; (self.players_of(id)) }
                }
            }
        }
    }

    /// `gull against tern`.
    fn players_of(&self, id: GameId) -> String {
        let game = self.facts.games.iter().find(|game| game.pairing.id == id);
        let names =
            game.iter().flat_map(|game| &game.pairing.seats).map(|seat| self.source.tournament.name(*seat));
        names.collect::<Vec<_>>().join(" against ")
    }

    /// The last board of the most decisive game as a PNG, once all games are played.
    fn picture(&self) -> Result<Option<Vec<u8>>, RecordError> {
        let first = self.most_decisive_first().first().copied().filter(|_| self.source.tournament.is_over());
        first.map_or(Ok(None), |id| picture::of_last_board(self.source, id))
    }

    /// An entrant's page in a site.
    fn page_of_entrant(&self, id: EntrantId) -> String {
        let tournament = self.source.tournament;
        let links = Links { entrants: tournament.entrants, to: Target::Site { up: "../" } };
        let own = self.entrants.of_entrant(tournament, &self.facts, id, true);
        let games = self.entrants.games_of(id);
        let games = games_table(tournament, &self.facts, games.iter().map(|at| &self.facts.games[*at as usize]));
        let name = plain(tournament.raw_name(id));
        let body = html! {
            header data-own=(name) { h1 { (name) } p { (self.facts.summary(tournament, id)) } }
            (rendered::blocks(&own, 1, links))
            (rendered::blocks(&[games.into()], 1, links))
        };
        layout::whole(&Page {
            title: &format!("{name}, {}", shown(&tournament.header.contest)),
            mark: tournament.publish.mark.as_deref(),
            about: self.facts.summary(tournament, id),
            picture: None,
            up: Some("../"),
            reload: None,
            contents: &[],
            body,
            script: self.source.view.script(),
            traces: &Traces::default(),
            absent: Some(self.absent(true)),
        })
    }

    /// What the viewer shows in place of a game that the page has no room for or, `in_site`, whose file is missing.
    fn absent(&self, in_site: bool) -> Markup {
        let replay = format!("{} replay {}", self.source.command, self.file_name());
        html! {
            p { (if in_site { "This game cannot be loaded: there is no such game, or its file is missing." }
                else { "This page does not contain this game. To see it:" }) }
            ul {
                li { "in a terminal: " code data-command=(replay) { (replay) } }
                @if !in_site { li { "in a browser, with all other games, from a site: " code { (self.site_command()) } } }
            }
        }
    }

    /// The command that writes a site, which has every game.
    fn site_command(&self) -> String {
        format!("{} report {} --site DIR", self.source.command, self.file_name())
    }

    /// The file name of the record, without its folder.
    fn file_name(&self) -> String {
        let name = self.source.record.path().file_name().unwrap_or_default();
        shown(&name.to_string_lossy())
    }

    /// All games, the most decisive first: those of later stages before others; in a stage whose rounds follow from
    /// each other, those of later rounds; then those between the best entrants. Games that do not count come last.
    fn most_decisive_first(&self) -> Vec<GameId> {
        let tournament = self.source.tournament;
        let stages = tournament.progress.iter();
        let has_rounds: Vec<bool> = stages.map(|stage| stage.rounds(tournament.results).is_some()).collect();
        let places: BTreeMap<EntrantId, usize> = self.entrants.order.iter().copied().zip(0..).collect();
        let weight = |game: &GameSummary| {
            let id = game.pairing.id;
            let round = has_rounds.get(usize::from(id.stage)).is_some_and(|has| *has).then_some(id.round);
            let worst = game.pairing.seats.iter().map(|seat| places.get(seat)).max();
            (Reverse(id.stage), Reverse(round), worst, id)
        };
        let mut weights: Vec<_> = self.facts.games.iter().map(weight).collect();
        weights.sort_unstable();
        let uncounted = self.facts.uncounted.iter().map(|game| game.pairing.id);
        weights.into_iter().map(|(.., id)| id).chain(uncounted).collect()
    }
}

/// The progress of a run that is under way.
fn in_progress(live: &Live, links: Links) -> Markup {
    let left = live.left.map(|left| format!(", about {} left", time_left(left))).unwrap_or_default();
    html! {
        section.live id="live" aria-labelledby="live-title" {
            h2 id="live-title" { "In progress" }
            p {
                progress max=(live.known) value=(live.played) aria-label="Games played" {}
                " " (live.played) " of " (count(live.known, "game")) " known so far" (left) "."
            }
            @if let Some(workers) = &live.workers { p { (plain(workers)) "." } }
            @if !live.in_play.is_empty() {
                ul.in-play {
                    @for (id, seats) in &live.in_play {
                        li { (id) ": " (rendered::words(&Line::joined(seats.iter().copied(), " against "), links)) }
                    }
                }
            }
            p { label { input type="checkbox" id="reload" checked; " Reload this page while games are being played" } }
        }
    }
}

/// A duration in at most two units: `3m 20s`.
fn time_left(left: Duration) -> String {
    if left < Duration::from_secs(1) {
        return duration(left);
    }
    let words = humantime::format_duration(Duration::from_secs(left.as_secs())).to_string();
    words.split(' ').take(2).collect::<Vec<_>>().join(" ")
}

/// `2026-11-21 11:43 to 12:08 UTC`, from milliseconds since 1970.
fn dates(from: u64, to: u64) -> String {
    let from = crate::utc(from);
    let to = crate::utc(to);
    let day = &from[..10];
    let minute = &from[11..16];
    let last_day = &to[..10];
    let last_minute = &to[11..16];
    match (day == last_day, minute == last_minute) {
        (true, true) => format!("{day} {minute} UTC"),
        (true, false) => format!("{day} {minute} to {last_minute} UTC"),
        _ => format!("{day} {minute} to {last_day} {last_minute} UTC"),
    }
}
