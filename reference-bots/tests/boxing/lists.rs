//! What this package says it has is what it has.

use crate::program::PROGRAMS;
use reference_bots::boxing::LADDER;
use reference_bots::{BOTS, find};
use std::path::Path;

#[test]
fn every_bot_has_a_program_and_every_program_is_a_bot() {
    let listed: Vec<&str> = BOTS.iter().filter(|bot| bot.game == "boxing").map(|bot| bot.binary).collect();
    let built: Vec<&str> = PROGRAMS.iter().map(|(name, _)| *name).collect();
    assert_eq!(listed, built);
    for (name, path) in PROGRAMS {
        assert!(Path::new(path).is_file(), "{name}");
    }
}

#[test]
fn every_bot_is_in_the_ladder_under_its_own_name() {
    let listed: Vec<&str> = BOTS.iter().filter(|bot| bot.game == "boxing").map(|bot| bot.id).collect();
    let playing: Vec<&str> = LADDER.iter().map(|(id, _)| *id).collect();
    assert_eq!(listed, playing);
}

#[test]
fn an_id_is_one_bots_in_all_games_and_a_program_is_called_after_both() {
    for bot in BOTS {
        assert_eq!(find(bot.id), Some(bot), "another bot has this id");
        let plain = bot.id.strip_prefix(bot.game).and_then(|rest| rest.strip_prefix('-')).unwrap_or(bot.id);
        assert_eq!(bot.binary, format!("{}-{plain}", bot.game));
        assert!(!bot.about.is_empty() && !bot.about.contains('\n'), "{}", bot.id);
    }
    assert_eq!(find("nobody"), None);
}
