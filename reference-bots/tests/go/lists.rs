//! What this package says it has for Go is what it has.

use crate::programs::PROGRAMS;
use reference_bots::go::LADDER;
use reference_bots::{BOTS, ReferenceBot};

fn listed<'a>(what: impl Fn(&'a ReferenceBot) -> &'a str) -> Vec<&'a str> {
    BOTS.iter().filter(|bot| bot.game == "go").map(what).collect()
}

#[test]
fn every_bot_has_a_program_and_every_program_is_a_bot() {
    assert_eq!(listed(|bot| bot.binary), PROGRAMS.map(|(name, _)| name));
}

#[test]
fn every_bot_is_in_the_ladder_under_its_own_name() {
    assert_eq!(listed(|bot| bot.id), LADDER.iter().map(|(id, _)| *id).collect::<Vec<_>>());
}
