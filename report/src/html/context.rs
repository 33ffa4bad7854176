//! The context that all parts of a page share: the tournament, the facts from its record, and where links lead.

use super::source::Source;
use super::survey::{Facts, Survey};
use crate::style::count;
use crate::{Tournament, shown, standings};
use cornerman::format::{EntrantId, GameId};
use maud::{Markup, html};

/// Where links to entrants and games lead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Links {
    /// To the same page, which may leave some of them out.
    OnePage {
        /// Whether it has sections of entrants.
        entrants: bool,
        /// Whether it lists the games of entrants.
        games: bool,
    },
    /// To pages of their own in a folder.
    Folder {
        /// The path from the page to the folder: empty, or `../`.
        up: &'static str,
    },
}

/// A step of a game. A forfeit and the move that another seat then makes share a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum At {
    /// The move of this number, from 1.
    Move(u32),
    /// The forfeit at the move of this number.
    Forfeit(u32),
}

/// The context that all parts of a page share.
pub(super) struct Context<'a> {
    /// The data that the page is made from.
    pub source: &'a Source<'a>,
    /// The facts from the record.
    pub survey: &'a Survey,
    /// Where links lead.
    pub links: Links,
}

impl<'a> Context<'a> {
    /// The context of one page.
    pub(super) fn new(source: &'a Source<'a>, survey: &'a Survey, links: Links) -> Context<'a> {
        Context { source, survey, links }
    }

    pub(super) fn tournament(&self) -> &'a Tournament<'a> {
        self.source.tournament
    }

    /// All entrants, by number.
    pub(super) fn everyone(&self) -> impl Iterator<Item = EntrantId> + use<> {
        (0..self.source.tournament.entrants.len() as u16).map(EntrantId)
    }

    pub(super) fn facts(&self, id: EntrantId) -> &'a Facts {
        self.survey.facts(id)
    }

    /// The name of the contest.
    pub(super) fn title(&self) -> String {
        shown(&self.tournament().header.contest)
    }

    /// The file name of the record, without its folder.
    pub(super) fn file_name(&self) -> String {
        let name = self.source.record.path().file_name().unwrap_or_default();
        shown(&name.to_string_lossy())
    }

    /// An entrant's name, linked to its section or page.
    pub(super) fn entrant(&self, id: EntrantId) -> Markup {
        let name = self.tournament().name(id);
        let known = id.index() < self.tournament().entrants.len();
        let target = match self.links {
            _ if !known => None,
            Links::OnePage { entrants: true, .. } => Some(format!("#{}", anchor(id))),
            Links::OnePage { .. } => None,
            Links::Folder { up } => Some(format!("{up}{}", file_of_entrant(id))),
        };
        html! { @if let Some(target) = target { a href=(target) { (name) } } @else { (name) } }
    }

    /// A game's name, linked to its replay, at step `at` if there is one.
    pub(super) fn game(&self, id: GameId, at: Option<At>) -> Markup {
        self.game_as(id, at, &id.to_string())
    }

    /// The same as [`Context::game`], with other link text.
    pub(super) fn game_as(&self, id: GameId, at: Option<At>, words: &str) -> Markup {
        html! { a href=(self.replay(id, at)) { (words) } }
    }

    /// The address of a game's replay. On a page that has no room for it, the viewer says how to see it.
    pub(super) fn replay(&self, id: GameId, at: Option<At>) -> String {
        let number = match at {
            None => String::new(),
            Some(At::Move(number)) => format!("/{number}"),
            Some(At::Forfeit(number)) => format!("/{number}f"),
        };
        match self.links {
            Links::OnePage { .. } => format!("#{id}{number}"),
            Links::Folder { up } => format!("{up}{}#{id}{number}", file_of_match(id)),
        }
    }

    /// The page's title, and what was played, when and by how many.
    pub(super) fn head(&self) -> Markup {
        let header = self.tournament().header;
        let survey = self.survey;
        let competing = self.tournament().entrants.iter().filter(|entrant| is_entry(entrant)).count();
        html! {
            header.title {
                h1 { (self.title()) }
                p.lead {
                    (shown(&header.game)) " · "
                    @if let Some((from, to)) = survey.span { (dates(from, to)) " · " }
                    (count(competing, "entrant")) " · " (count(survey.games.len(), "game"))
                }
                @if let Some(origin) = standings::origin(self.tournament()) { p { (origin) } }
            }
        }
    }

    /// The anchors and names of the page's sections.
    pub(super) fn contents(&self) -> Vec<(&'static str, &'static str)> {
        let survey = self.survey;
        let all = [
            (true, "standings", "Standings"),
            (super::rounds::has_content(self), "rounds", "The way there"),
            (!self.source.ratings.list.is_empty(), "rating", "Ratings"),
            (!survey.games.is_empty(), "meetings", "Who beat whom"),
            (!survey.games.is_empty(), "times", "Times"),
            (true, "incidents", "Forfeits and remarks"),
            (true, "entrants", "Entrants"),
            (true, "details", "Details"),
        ];
        all.into_iter().filter(|(there, ..)| *there).map(|(_, anchor, name)| (anchor, name)).collect()
    }
}

/// The anchor of an entrant's section.
pub(super) fn anchor(id: EntrantId) -> String {
    format!("e{}", u32::from(id.0) + 1)
}

/// The page of an entrant below the folder.
pub(super) fn file_of_entrant(id: EntrantId) -> String {
    format!("entrants/{}.html", u32::from(id.0) + 1)
}

/// The stage, round and table of a game, which identify its match.
pub(super) fn match_of(id: GameId) -> (u8, u16, u32) {
    (id.stage, id.round, id.table)
}

/// The page of a game's match below the folder.
pub(super) fn file_of_match(id: GameId) -> String {
    let from_one = |part: u32| u64::from(part) + 1;
    let [stage, round, table] = [id.stage.into(), id.round.into(), id.table].map(from_one);
    format!("games/s{stage}-r{round}-m{table}.html")
}

fn is_entry(entrant: &cornerman_harness::record::EntrantRecord) -> bool {
    entrant.role == cornerman_harness::record::Role::Entry
}

/// `2026-11-21 11:43 to 12:08 UTC`, from milliseconds since 1970.
pub(super) fn dates(from: u64, to: u64) -> String {
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

/// A table that scrolls inside its own box, which the keyboard can reach.
pub(crate) fn scroll(name: &str, content: Markup) -> Markup {
    html! { div.scroll tabindex="0" role="region" aria-label=(name) { (content) } }
}

#[cfg(test)]
mod tests {
    use super::dates;

    #[test]
    fn dates_leave_out_what_repeats() {
        let check = |from: u64, to: u64, wanted: &str| assert_eq!(dates(from * 1000, to * 1000), wanted);
        check(0, 59, "1970-01-01 00:00 UTC");
        check(784_000_000, 784_003_600, "1994-11-05 01:46 to 02:46 UTC");
        check(784_000_000, 784_086_400, "1994-11-05 01:46 to 1994-11-06 01:46 UTC");
        check(0, u64::MAX / 1000, "1970-01-01 00:00 to 9999-12-31 23:59 UTC");
    }
}
