//! The machines that the games were played on.

use crate::style::Grid;
use crate::{Style, plain};
use cornerman_harness::machine::Machine;
use cornerman_harness::record::GameSummary;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// A machine with the number of its games.
type Rows<'a> = Vec<(&'a str, usize, Option<&'a Machine>)>;

fn rows<'a>(games: &'a [GameSummary], machines: &'a [Machine]) -> Rows<'a> {
    let mut counts = BTreeMap::<&str, usize>::new();
    for game in games {
        *counts.entry(&game.host).or_default() += 1;
    }
    let known = |name: &str| machines.iter().find(|machine| machine.name == name);
    counts.into_iter().map(|(name, games)| (name, games, known(name))).collect()
}

/// A table under a heading, for a terminal; empty if all games were played on one machine.
pub fn text(games: &[GameSummary], machines: &[Machine], style: Style) -> String {
    grid(games, machines)
        .map_or(String::new(), |grid| format!("{}\n{}", style.heading("Machines"), grid.text(style)))
}

/// The table as Markdown; empty if all games were played on one machine.
pub fn markdown(games: &[GameSummary], machines: &[Machine]) -> String {
    grid(games, machines).map_or(String::new(), |grid| grid.markdown())
}

/// A list of the machines: `name`, `games` and, if they are recorded, `processor`, `cores` and `kernel`.
pub fn json(games: &[GameSummary], machines: &[Machine]) -> Value {
    let one = |(name, games, machine): (&str, usize, Option<&Machine>)| {
        json!({
            "name": name,
            "games": games,
            "processor": machine.map(|machine| &machine.processor),
            "cores": machine.map(|machine| machine.cores),
            "kernel": machine.map(|machine| &machine.kernel),
        })
    };
    rows(games, machines).into_iter().map(one).collect()
}

fn grid(games: &[GameSummary], machines: &[Machine]) -> Option<Grid> {
    let rows = rows(games, machines);
    let row = |(name, games, machine): (&str, usize, Option<&Machine>)| {
        let fact = |fact: fn(&Machine) -> &str| plain(machine.map_or("", fact));
        vec![plain(name), games.to_string(), fact(|machine| &machine.processor), fact(|machine| &machine.kernel)]
    };
    (rows.len() > 1).then(|| Grid {
        header: ["name", "games", "processor", "kernel"].map(String::from).into(),
        texts: vec![0, 2, 3],
        rows: rows.into_iter().map(row).collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing;

    fn games(hosts: &[&str]) -> Vec<GameSummary> {
        let game = |host: &&str| GameSummary { host: host.to_string(), ..testing::summary() };
        hosts.iter().map(game).collect()
    }

    #[test]
    fn machines_are_shown_when_there_are_several() {
        let machine =
            Machine { name: "ring1".into(), processor: "Xeon".into(), cores: 2, kernel: "Linux 6".into() };
        let machines = [machine];
        assert_eq!(text(&games(&["ring1", "ring1"]), &machines, Style::plain()), "");
        let all = games(&["ring2", "ring1", "ring1"]);
        let table = markdown(&all, &machines);
        assert!(table.contains("| ring1 |") && table.contains("Xeon") && table.contains("| ring2 |"), "{table}");
        let found = json(&all, &machines);
        assert_eq!((&found[0]["games"], &found[1]["processor"]), (&json!(2), &Value::Null));
    }
}
