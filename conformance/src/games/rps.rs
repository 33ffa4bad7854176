//! The suite of rock-paper-scissors: which dialogues a bot is held in, and what comes of them.

use super::{Asked, Suite};
use crate::finding::BotReport;
use crate::suite::{Progress, SuiteError};
use cornerman_harness::bot::Bot;

/// The suite, as all games know it.
pub struct Rps;

impl Suite for Rps {
    fn game(&self) -> &'static str {
        "rps"
    }

    fn check(&self, bot: &Bot, asked: &Asked, _p: &mut dyn FnMut(Progress)) -> Result<BotReport, SuiteError> {
        Ok(BotReport::unchecked("rps", bot, asked.options.seed))
    }
}
