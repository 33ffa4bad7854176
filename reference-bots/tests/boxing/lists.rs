//! The lists of Boxing bots and programs agree.

use crate::program::PROGRAMS;
use reference_bots::games::boxing::{LADDER, STRATEGIES, THINKERS};
use reference_bots::games::{go, rps};
use reference_bots::{Ladder, ReferenceBot, ReferenceProgram};
use std::path::Path;

#[test]
fn every_bot_has_a_program_and_every_program_is_a_bot() {
    let listed: Vec<ReferenceProgram> = LADDER.bots.iter().map(|bot| bot.program).collect();
    let built: Vec<ReferenceProgram> = PROGRAMS.iter().map(|(name, _)| ReferenceProgram::Binary(name)).collect();
    assert_eq!(listed, built);
    for (name, path) in PROGRAMS {
        assert!(Path::new(path).is_file(), "{name}");
    }
}

#[test]
fn every_bot_is_in_the_ladder_under_its_own_name() {
    let strategies = STRATEGIES.iter().map(|(id, _)| *id).chain(THINKERS.iter().map(|(id, _)| *id));
    assert!(LADDER.bots.iter().map(|bot| bot.id).eq(strategies));
}

#[test]
fn ids_are_unique_across_games_and_programs_are_named_after_game_and_id() {
    let ladders: [(&str, Ladder); 3] = [("boxing", LADDER), ("rps", rps::LADDER), ("go", go::LADDER)];
    let mut ids = Vec::new();
    for (game, ladder) in ladders {
        for ReferenceBot { id, about, program, .. } in ladder.bots {
            let plain = id.strip_prefix(game).and_then(|rest| rest.strip_prefix('-')).unwrap_or(id);
            let name = format!("{game}-{plain}");
            assert!(matches!(program, ReferenceProgram::Binary(binary) if *binary == name), "{id}");
            assert!(!about.is_empty() && !about.contains('\n'), "{id}");
            assert!(!ids.contains(id), "another bot has the id {id}");
            ids.push(id);
        }
    }
}
