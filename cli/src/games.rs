//! The built-in games. Code outside a game's own folders gets the game from this list, as `cargo xtask tidy` checks.

mod go;

use crate::GameEntry;
use cornerman_conformance::games as suites;
use cornerman_harness::games as kits;
use cornerman_report::games as views;
pub(crate) use go::analyst::Analyst;
pub(crate) use go::{GtpBridgeArgs, run as gtp_bridge};
use reference_bots::games as ladders;

/// Every built-in game. The first is used where nothing says which game is meant.
pub fn all() -> Vec<GameEntry> {
    vec![
        GameEntry::new(
            &kits::boxing::KIT,
            &views::boxing::VIEW,
            Some(&suites::boxing::Boxing),
            &ladders::boxing::LADDER,
        ),
        GameEntry::new(&kits::rps::KIT, &views::rps::VIEW, Some(&suites::rps::Rps), &ladders::rps::LADDER),
        GameEntry::new(&kits::go::KIT, &views::go::VIEW, Some(&suites::go::Go), &ladders::go::LADDER),
    ]
}
