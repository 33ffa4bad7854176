//! A bot that is to be admitted late is built and checked like the entries that were there from the beginning.

use super::OpenContest;
use crate::cli;
use crate::contest::{Checked, Entries, Terms, late_entry};
use crate::exit::CliError;
use crate::isolation::{self, Batch};
use crate::registry::Registry;
use crate::show::plain;
use cornerman_harness::contest_file::ContestFile;
use cornerman_harness::names;
use cornerman_harness::record::{EntrantRecord, Role};
use cornerman_harness::sandbox::SandboxPool;

impl OpenContest {
    /// Builds and checks the bot, and returns its row of the record.
    ///
    /// # Errors
    /// When there is no such bot, it may not play, or the sandbox fails.
    pub(super) fn judged(&self, admit: &cli::Admit, games: &Registry) -> Result<EntrantRecord, CliError> {
        let entry = late_entry(&admit.bot, &games.engines);
        let mut file = ContestFile::for_late_entry(&self.header, &self.recorded, entry)?;
        let asked = admit.isolation.of_contest(file.spec.isolation)?;
        let terms = Terms {
            crew: cli::Crew { workers: None, oversubscribe: false },
            checked: (!admit.no_check).then_some(Checked { again: false }),
            isolation: isolation::of_batch(asked, Batch::Contest, isolation::has_strangers(&file))?,
            languages: &admit.languages,
        };
        let entries = Entries::gather(&mut file, games, terms, None, &SandboxPool::new(1))?;
        let [found] = &entries.records[..] else { return Err(usage!("{}: it is not one bot", plain(&admit.bot))) };
        if let Some(why) = &found.out {
            return Err(usage!("{} does not play: {}", plain(&found.name), plain(why)));
        }
        let is_same = |other: &&EntrantRecord| {
            found.program_sha256.is_some() && other.program_sha256 == found.program_sha256
        };
        let programs = self.entrants.iter().filter(|it| it.role == Role::SeedProgram);
        if let Some(program) = programs.clone().find(is_same) {
            return Err(usage!(
                "{} is the same program as {}, which seeds the entries and may not compete (F1)",
                plain(&found.name),
                plain(&program.name)
            ));
        }
        let everyone: Vec<_> =
            self.entrants.iter().chain([found]).map(|it| (it.name.clone(), it.spec.clone())).collect();
        let name = names::told_apart(&everyone).pop().unwrap_or_default();
        Ok(EntrantRecord { name, entered: None, ..found.clone() })
    }
}
