//! Games that could not be played because the kit or the machine failed, grouped by reason.

use crate::Style;
use crate::plain;
use crate::remarks::named;
use crate::style::{Grid, count};
use cornerman_harness::record::Unplayed;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// A table under a heading, for a terminal; empty if there are no such games.
pub fn text(unplayed: &[Unplayed], style: Style) -> String {
    match unplayed {
        [] => String::new(),
        some => format!("{}\n{}", style.heading(&title(some)), grid(some).text(style)),
    }
}

/// The table as Markdown; empty if there are no such games.
pub fn markdown(unplayed: &[Unplayed]) -> String {
    if unplayed.is_empty() { String::new() } else { grid(unplayed).markdown() }
}

/// A list of the games, each with its number of attempts and the reason.
pub fn json(unplayed: &[Unplayed]) -> Value {
    let one = |game: &Unplayed| json!({ "game": game.id.to_string(), "attempts": game.attempts, "why": game.why });
    unplayed.iter().map(one).collect()
}

/// `2 games could not be played`.
pub(crate) fn title(unplayed: &[Unplayed]) -> String {
    format!("{} could not be played", count(unplayed.len(), "game"))
}

/// A row for each reason: the games, the attempts in all, the reason.
pub(crate) fn grid(unplayed: &[Unplayed]) -> Grid {
    let mut by_reason = BTreeMap::<&str, Vec<&Unplayed>>::new();
    for game in unplayed {
        by_reason.entry(&game.why).or_default().push(game);
    }
    let row = |(why, games): (&str, Vec<&Unplayed>)| {
        let attempts: u64 = games.iter().map(|game| u64::from(game.attempts)).sum();
        vec![named(games.iter().map(|game| game.id)), attempts.to_string(), plain(why)]
    };
    Grid {
        header: ["games", "attempts", "why (the last time)"].map(String::from).into(),
        texts: vec![0, 2],
        rows: by_reason.into_iter().map(row).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cornerman::format::GameId;

    fn unplayed() -> Vec<Unplayed> {
        let game = |table, attempts, why: &str| Unplayed {
            id: GameId { stage: 0, round: 1, table, game: 0 },
            attempts,
            why: why.to_string(),
        };
        let mut all: Vec<Unplayed> = (0..5).map(|table| game(table, 3, "the sandbox failed: no room")).collect();
        all.push(game(7, 6, "the worker panicked: \x1b[2J|"));
        all
    }

    #[test]
    fn games_are_grouped_by_reason() {
        let wanted = "6 games could not be played\n \
             games                                             attempts  why (the last time)\n \
             s1/r2/m1/g1, s1/r2/m2/g1, s1/r2/m3/g1 and 2 more        15  the sandbox failed: no room\n \
             s1/r2/m8/g1                                              6  the worker panicked: \\u{1b}[2J|\n";
        assert_eq!(text(&unplayed(), Style::plain()), wanted);
        assert!(markdown(&unplayed()).contains("| s1/r2/m8/g1 | 6 | the worker panicked: \\\\u{1b}\\[2J\\| |\n"));
        assert_eq!(json(&unplayed())[5]["attempts"], 6);
    }

    #[test]
    fn the_table_is_empty_if_all_games_were_played() {
        assert_eq!(
            (text(&[], Style::plain()), markdown(&[]), json(&[])),
            (String::new(), String::new(), json!([]))
        );
    }
}
