//! The isolation that bots had. Games at a weaker level than the best one are still valid, but less of what a bot
//! does is prevented or seen, so reports say so.

use crate::style::{count, in_markdown};
use crate::{SCHEMA, Style, Tournament, plain};
use cornerman::format::EntrantId;
use cornerman_harness::record::ResourceUse;
use cornerman_harness::sandbox::Level;
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// The best level of isolation.
const BEST: Level = Level::Namespaced;

/// The bots that had one isolation.
struct Group<'a> {
    /// `None` for humans.
    level: Option<Level>,
    /// The steps to a better level that the machine refused, one per line.
    refused: &'a str,
    entrants: BTreeSet<EntrantId>,
    /// The number of seats in games.
    seats: u32,
}

/// The isolations in the order in which they first occur.
fn groups(all: &[ResourceUse]) -> Vec<Group<'_>> {
    let mut groups: Vec<Group> = Vec::new();
    for one in all {
        let is_it = |group: &Group| (group.level, group.refused) == (one.level, one.refused.as_str());
        let at = groups.iter().position(is_it).unwrap_or_else(|| {
            groups.push(Group { level: one.level, refused: &one.refused, entrants: BTreeSet::new(), seats: 0 });
            groups.len() - 1
        });
        groups[at].entrants.insert(one.entrant);
        groups[at].seats += one.games;
    }
    groups
}

/// A sentence for each isolation weaker than the best level.
pub fn weaker(all: &[ResourceUse]) -> Vec<String> {
    let sentence = |group: Group| {
        let level = group.level.filter(|level| *level != BEST)?;
        let why = match group.refused {
            "" => "a better level was not requested".to_string(),
            refused => format!("the machine refused {}", plain(refused.replace('\n', "; "))),
        };
        let bots = count(group.entrants.len(), "bot");
        let best = BEST.name();
        let games = count(group.seats, "time");
        Some(format!("{bots} played at {}, which is weaker than {best}, {games} in all: {why}", level.name()))
    };
    groups(all).into_iter().filter_map(sentence).collect()
}

/// The lines of [`weaker`] under a heading; empty if there are none.
pub fn text(all: &[ResourceUse], style: Style) -> String {
    let lines: String = weaker(all).iter().map(|line| format!(" {line}\n")).collect();
    if lines.is_empty() { lines } else { format!("{}\n{lines}", style.heading("Isolation")) }
}

/// The same as a list in Markdown.
pub fn markdown(all: &[ResourceUse]) -> String {
    weaker(all).iter().map(|line| format!("- {}\n", in_markdown(line))).collect()
}

/// Every isolation that bots had, the best level included.
pub fn json(tournament: &Tournament, all: &[ResourceUse]) -> Value {
    let one = |group: &Group| {
        let entrants = group.entrants.iter().map(|&id| tournament.entrant_json(id));
        json!({
            "level": group.level.map(|level| level.name()),
            "refused": group.refused.lines().collect::<Vec<_>>(),
            "is_best": group.level == Some(BEST),
            "seats": group.seats,
            "entrants": entrants.collect::<Vec<_>>(),
        })
    };
    let groups = groups(all);
    let bots = groups.iter().filter(|group| group.level.is_some());
    json!({ "schema": SCHEMA, "isolations": bots.map(one).collect::<Vec<_>>() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    fn used(entrant: u16, level: Option<Level>, refused: &str, games: u32) -> ResourceUse {
        ResourceUse {
            entrant: EntrantId(entrant),
            level,
            refused: refused.to_string(),
            games,
            slowest: Duration::ZERO,
            cpu: Duration::ZERO,
            peak_memory: 0,
            leftovers: 0,
        }
    }

    #[test]
    fn a_weaker_level_than_the_best_is_said_with_the_reason() {
        let check = |all: &[ResourceUse], wanted: &[&str]| assert_eq!(weaker(all), wanted);
        check(&[used(0, Some(BEST), "", 4), used(1, None, "", 4)], &[]);
        let refused = "namespaced: unshare: Operation not permitted\nnamespaced: mount: \u{1b}";
        check(
            &[
                used(0, Some(Level::Scoped), refused, 4),
                used(1, Some(Level::Scoped), refused, 1),
                used(1, Some(BEST), "", 3),
                used(2, Some(Level::Plain), "", 1),
            ],
            &[
                "2 bots played at scoped, which is weaker than namespaced, 5 times in all: the machine refused \
                 namespaced: unshare: Operation not permitted; namespaced: mount: \\u{1b}",
                "1 bot played at plain, which is weaker than namespaced, 1 time in all: a better level was not requested",
            ],
        );
    }

    #[test]
    fn text_and_markdown_are_empty_at_the_best_level() {
        let best = [used(0, Some(BEST), "", 4)];
        assert_eq!((text(&best, Style::plain()), markdown(&best)), (String::new(), String::new()));
        let weak = [used(0, Some(Level::Scoped), "", 4)];
        let line = "1 bot played at scoped, which is weaker than namespaced, 4 times in all: a better level was not requested";
        assert_eq!(text(&weak, Style::plain()), format!("Isolation\n {line}\n"));
        assert_eq!(markdown(&weak), format!("- {line}\n"));
    }
}
