//! What is heard of a check while it goes on.

use crate::bot_report::BotReport;
use crate::finding::CheckResult;

/// How far the suite is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Progress<'a> {
    /// A bot's check begins.
    Started {
        /// The bot's name.
        bot: &'a str,
        /// How many jobs there are for it.
        jobs: usize,
    },
    /// One more job is done.
    Advanced {
        /// The bot's name.
        bot: &'a str,
        /// How many are done.
        done: usize,
        /// How many there are.
        jobs: usize,
    },
    /// The result of a check is known.
    Judged {
        /// The bot's name.
        bot: &'a str,
        /// What came of the check.
        result: &'a CheckResult,
    },
    /// All there is to say about a bot is known, and the files of its failures are written.
    Reported {
        /// The report.
        report: &'a BotReport,
    },
}
