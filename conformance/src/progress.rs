//! Progress events of a check.

use crate::bot_report::BotReport;
use crate::finding::CheckResult;

/// An event during a check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Progress<'a> {
    /// The check of a bot begins.
    Started {
        /// The bot's name.
        bot: &'a str,
        /// The total number of jobs for it.
        jobs: usize,
    },
    /// Another job is done.
    Advanced {
        /// The bot's name.
        bot: &'a str,
        /// The number of jobs done.
        done: usize,
        /// The total number of jobs.
        jobs: usize,
    },
    /// The result of a check is known.
    Judged {
        /// The bot's name.
        bot: &'a str,
        /// The check and its outcome.
        result: &'a CheckResult,
    },
    /// The report about a bot is complete, and the files of its failures are written.
    Reported {
        /// The report.
        report: &'a BotReport,
    },
}
