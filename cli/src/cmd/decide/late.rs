//! A bot that is handed in late, as a new entrant or as a better version of one, is built and checked like the entries that
//! were there from the beginning.

use super::OpenContest;
use crate::cmd::decide::{DecideCommand, LateBotArgs};
use crate::contest::{Checked, Entries, Terms, late_entry};
use crate::isolation::{self, Batch};
use crate::options::Crew;
use crate::show::plain;
use crate::{CliError, Registry};
use cornerman::format::{EntrantId, GameId};
use cornerman_harness::contest_file::ContestFile;
use cornerman_harness::names;
use cornerman_harness::record::{DecidedAction, EntrantRecord, Record, Role};
use cornerman_harness::sandbox::SandboxPool;

impl OpenContest {
    /// Checks that the decision about a bot that is handed in late is possible, whatever the bot does.
    ///
    /// # Errors
    /// When it is not.
    pub(super) fn check_late(&self, record: &Record, what: &DecideCommand) -> Result<(), CliError> {
        match what {
            DecideCommand::Admit(admit) => self.admit(admit).map(drop),
            DecideCommand::Replace(replace) => self.replace(record, replace).map(drop),
            _ => Ok(()),
        }
    }

    /// Builds and checks the bot, and returns what was found.
    ///
    /// # Errors
    /// When there is no such bot, it may not play, or the sandbox fails.
    pub(super) fn judged(&self, late: &LateBotArgs, games: &Registry) -> Result<EntrantRecord, CliError> {
        let entry = late_entry(&late.path, &games.engines);
        let mut file = ContestFile::for_late_entry(&self.header, &self.recorded, entry)?;
        let asked = late.isolation.of_contest(file.spec.isolation)?;
        let terms = Terms {
            crew: Crew { workers: None, oversubscribe: false },
            checked: (!late.no_check).then_some(Checked { again: false }),
            isolation: isolation::of_batch(asked, Batch::Contest, isolation::has_strangers(&file))?,
            languages: &late.languages,
        };
        let entries = Entries::gather(&mut file, games, terms, None, &SandboxPool::new(1))?;
        let [found] = &entries.records[..] else { return Err(usage!("{}: it is not one bot", plain(&late.path))) };
        if let Some(why) = &found.out {
            return Err(usage!("{} does not play: {}", plain(&found.name), plain(why)));
        }
        let mut programs = self.entrants.iter().filter(|it| it.role == Role::SeedProgram);
        if let Some(program) = programs.find(|program| is_same_program(found, program)) {
            return Err(usage!(
                "{} is the same program as {}, which seeds the entries and may not compete (F1)",
                plain(&found.name),
                plain(&program.name)
            ));
        }
        Ok(EntrantRecord { entered: None, ..found.clone() })
    }

    /// The row of a bot that is admitted, by what was found of it: with a name that no other one has.
    pub(super) fn late_entrant(&self, found: &EntrantRecord) -> EntrantRecord {
        let everyone: Vec<_> =
            self.entrants.iter().chain([found]).map(|it| (it.name.clone(), it.spec.clone())).collect();
        let name = names::told_apart(&everyone).pop().unwrap_or_default();
        EntrantRecord { name, ..found.clone() }
    }

    /// The row of a version that plays the games of `entrant` from this stage and round on, by what was found of it. Its name
    /// is that of the bot, with a number.
    ///
    /// # Errors
    /// When it is the program that plays them already.
    pub(super) fn version(
        &self,
        entrant: EntrantId,
        (stage, round): (u8, u16),
        found: &EntrantRecord,
    ) -> Result<EntrantRecord, CliError> {
        let bot = &self.entrants[entrant.index()];
        let game = GameId { stage, round, table: 0, game: 0, attempt: 0 };
        let present = self.recorded.contest.journal().versions().playing(entrant, game);
        if is_same_program(found, &self.entrants[present.index()]) {
            return Err(usage!("{} is the same program as its present version", plain(&bot.name)));
        }
        let replaced = |it: &DecidedAction| matches!(it, DecidedAction::Replace(it) if it.entrant == entrant);
        let before = self.decisions.iter().filter(|it| replaced(&it.action)).count();
        let name = format!("{} (version {})", bot.name, before + 2);
        let author = bot.author.clone().or_else(|| found.author.clone());
        Ok(EntrantRecord { name, author, role: Role::Version, ..found.clone() })
    }
}

/// Whether both are known to be one program.
fn is_same_program(one: &EntrantRecord, other: &EntrantRecord) -> bool {
    one.program_sha256.is_some() && one.program_sha256 == other.program_sha256
}
