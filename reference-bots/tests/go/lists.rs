//! The lists of Go bots and programs agree.

use crate::programs::PROGRAMS;
use reference_bots::ReferenceProgram;
use reference_bots::games::go::{LADDER, STRATEGIES};

#[test]
fn every_bot_has_a_program_and_every_program_is_a_bot() {
    let programs: Vec<ReferenceProgram> = LADDER.bots.iter().map(|bot| bot.program).collect();
    assert_eq!(programs, PROGRAMS.map(|(name, _)| ReferenceProgram::Binary(name)));
}

#[test]
fn every_bot_is_in_the_ladder_under_its_own_name() {
    assert!(LADDER.bots.iter().map(|bot| bot.id).eq(STRATEGIES.iter().map(|(id, _)| *id)));
}
