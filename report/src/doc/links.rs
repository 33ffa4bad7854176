//! Where the links of a page lead.

use super::GameStep;
use cornerman::format::{EntrantId, GameId};
use cornerman_harness::contest_file::is_web_address;
use cornerman_harness::record::EntrantRecord;
use maud::{Markup, html};

/// The names on a page, and where they lead.
#[derive(Clone, Copy)]
pub(crate) struct Links<'a> {
    /// The entrants, by number.
    pub entrants: &'a [EntrantRecord],
    /// Where their links lead.
    pub to: Target,
}

/// Where links to entrants and games lead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Target {
    /// Nowhere: the page has neither sections of entrants nor replays.
    Nowhere,
    /// To the same page, which may leave the entrants out.
    OnePage {
        /// Whether it has sections of entrants.
        entrants: bool,
    },
    /// To pages of their own of the entrants in a site; each page shows every game.
    Site {
        /// The path from the page to the top of the site: empty, or `../`.
        up: &'static str,
    },
}

impl Links<'_> {
    /// The name of an entrant, escaped and shortened.
    pub(crate) fn name(&self, id: EntrantId) -> String {
        crate::name_of(self.entrants, id)
    }

    /// An entrant's name, linked to its section or page.
    pub(crate) fn entrant(&self, id: EntrantId) -> Markup {
        let known = id.index() < self.entrants.len();
        let target = match self.to {
            Target::OnePage { entrants: true } if known => Some(format!("#{}", anchor(id))),
            Target::Site { up } if known => Some(format!("{up}{}", file_of_entrant(id))),
            _ => None,
        };
        let name = self.name(id);
        html! { @if let Some(target) = target { a href=(target) { (name) } } @else { (name) } }
    }

    /// The address of an entrant's games against another, if the page has them.
    pub(crate) fn meetings(&self, [of, against]: [EntrantId; 2]) -> Option<String> {
        let row = meetings_anchor([of, against]);
        match self.to {
            Target::OnePage { entrants: true } => Some(format!("#{row}")),
            Target::Site { up } => Some(format!("{up}{}#{row}", file_of_entrant(of))),
            _ => None,
        }
    }

    /// A game, linked to its replay, from step `at` on if there is one.
    pub(crate) fn game(&self, id: GameId, at: Option<GameStep>, words: &str) -> Markup {
        html! { @if let Some(target) = self.replay(id, at) { a href=(target) { (words) } } @else { (words) } }
    }

    /// The address of a game's replay. The page has such an address even for a game that it leaves out, and says there
    /// how to see it.
    pub(crate) fn replay(&self, id: GameId, at: Option<GameStep>) -> Option<String> {
        let number = match at {
            None => String::new(),
            Some(GameStep::Move(number)) => format!("/{number}"),
            Some(GameStep::Forfeit(number)) => format!("/{number}f"),
        };
        match self.to {
            Target::Nowhere => None,
            Target::OnePage { .. } | Target::Site { .. } => Some(format!("#{id}{number}")),
        }
    }
}

/// The address of a page or of a person as a link; other words as they are.
pub(crate) fn address(text: &str) -> Markup {
    let words = crate::plain(text);
    let target = match text.split_once('@') {
        _ if is_web_address(text) => Some(text.to_string()),
        Some((user, host)) if is_part_of_mail(user) && is_part_of_mail(host) => Some(format!("mailto:{text}")),
        _ => None,
    };
    html! { @if let Some(target) = target { a href=(target) rel="nofollow noreferrer" { (words) } } @else { (words) } }
}

/// Whether `text` can be a side of the `@` in an e-mail address, and has no other meaning in a link.
fn is_part_of_mail(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_alphanumeric() || "._+-".contains(c))
}

/// The anchor of an entrant's section.
pub(crate) fn anchor(id: EntrantId) -> String {
    format!("e{}", u32::from(id.0) + 1)
}

/// The anchor of the games of the first against the second, in the first one's section or page.
pub(crate) fn meetings_anchor([of, against]: [EntrantId; 2]) -> String {
    format!("{}-{}", anchor(of), u32::from(against.0) + 1)
}

/// The page of an entrant below the top of a site.
pub(crate) fn file_of_entrant(id: EntrantId) -> String {
    format!("entrants/{}.html", u32::from(id.0) + 1)
}

/// The name of a game's match in the files of a site.
pub(crate) fn name_of_match(id: GameId) -> String {
    let from_one = |part: u32| u64::from(part) + 1;
    let [stage, round, table] = [id.stage.into(), id.round.into(), id.table].map(from_one);
    format!("s{stage}-r{round}-m{table}")
}
