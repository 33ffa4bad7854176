//! Which decisions a contest that has begun allows, and what they make of it. A bot that is handed in late, as a new
//! entrant or as a better version of one, is built and checked like the entries that were there from the beginning.

use super::{AdmitArgs, AnnulArgs, AwardArgs, DecideCommand, LateBotArgs, LeavingArgs, ReplaceArgs};
use crate::cmd::{games, replay};
use crate::contest::{Checked, Entries, Terms, entrant_of_spec};
use crate::isolation::{self, Batch};
use crate::options::Crew;
use crate::show::{self, plain};
use crate::{CliError, Registry};
use cornerman::contest::{Contest, Decision, Replace};
use cornerman::format::{EntrantId, GameId, LeftGames, Results};
use cornerman_harness::contest_file::{ContestFile, RecordedContest};
use cornerman_harness::names;
use cornerman_harness::record::{
    self, DecidedAction, DecisionRecord, EntrantRecord, GameSummary, Header, Record, Role, in_force,
    parse_game_id, with_decisions,
};
use cornerman_harness::sandbox::SandboxPool;
use cornerman_report::{Style, Tournament, decisions, doc};
use std::fs;
use std::io::{self, Write};
use std::path::Path;

/// A contest about which something is decided, as its record has it.
pub(super) struct OpenContest {
    header: Header,
    entrants: Vec<EntrantRecord>,
    recorded: RecordedContest,
    results: Results,
    /// All recorded games, with those that do not count.
    games: Vec<GameSummary>,
    decisions: Vec<DecisionRecord>,
}

/// What is decided, and what becomes of the contest.
pub(super) struct DecisionOutcome {
    old: OpenContest,
    pub(super) action: DecidedAction,
    /// The bot or the version that it adds.
    pub(super) added: Option<EntrantRecord>,
    header: Header,
    pub(super) after: Contest,
    /// The results that count after the decision.
    pub(super) results: Results,
}

impl OpenContest {
    /// The contest of `record`, which must have a contest file.
    pub(super) fn read(record: &Record, games: &Registry) -> Result<OpenContest, CliError> {
        let header = record.header()?;
        if header.is_improvised() {
            return Err(usage!(
                "{}: nothing can be decided about this record, which is of `compare`, `spar` or `play` and has no contest file; \
                 to play without a bot or without these games, run that command again with another file for its record",
                plain(record.path().display())
            ));
        }
        let recorded = ContestFile::recorded(record, &games.games)?;
        let games = record.games()?;
        Ok(OpenContest {
            header,
            entrants: record.entrants()?,
            results: recorded.contest.journal().results(games.iter().map(GameSummary::result)),
            recorded,
            games,
            decisions: record.decisions()?,
        })
    }

    /// What becomes of the contest by the decision `what`.
    ///
    /// # Errors
    /// When the contest does not allow it.
    pub(super) fn decide(
        mut self,
        record: &Record,
        what: &DecideCommand,
        games: &Registry,
    ) -> Result<DecisionOutcome, CliError> {
        let action = match what {
            DecideCommand::Withdraw(leaving) => self.leave(leaving, false)?,
            DecideCommand::Disqualify(leaving) => self.leave(leaving, true)?,
            DecideCommand::Annul(annul) => self.annul(record, annul)?,
            DecideCommand::Award(award) => self.award(record, award)?,
            DecideCommand::Admit(admit) => self.admit(admit)?,
            DecideCommand::Replace(replace) => self.replace(record, replace)?,
            DecideCommand::Hold(held) => self.hold(&held.bot)?,
            DecideCommand::Release(held) => self.release(&held.bot)?,
            DecideCommand::Amend(amend) => self.amend(record, &amend.contest, games)?,
            DecideCommand::Undo(undo) => self.undo(record, undo.decision)?,
        };
        let added = match what {
            DecideCommand::Admit(admit) => admit.late.found.as_ref().map(|found| self.late_entrant(found)),
            DecideCommand::Replace(replace) => {
                let found = replace.late.found.as_ref();
                found.map(|found| self.version(self.find(&replace.bot)?, replace.from, found)).transpose()?
            }
            _ => None,
        };
        self.entrants.extend(added.clone());
        let mut decisions = self.decisions.clone();
        decisions.push(DecisionRecord {
            number: decisions.len() as u32 + 1,
            place: i64::MAX,
            taken_ms: 0,
            action: action.clone(),
            why: String::new(),
        });
        let journal = with_decisions(self.recorded.contest.journal(), &decisions);
        let results = journal.results(self.games.iter().map(GameSummary::result));
        let header = self.header.clone().amended(&action);
        let after = ContestFile::recorded_as(record, &games.games, header.clone())?;
        let after = after.map_err(|why| usage!("the contest is not possible then: {}", plain(why)))?;
        let after = after.contest.with_journal(journal);
        if matches!(action, DecidedAction::Amend { .. }) {
            after
                .plan(&results)
                .map_err(|why| usage!("the contest cannot go on then: {}", plain(why.to_string())))?;
        }
        record.check_decision(&action, added.as_ref())?;
        Ok(DecisionOutcome { old: self, action, added, header, after, results })
    }

    /// The decision that a bot is gone.
    fn leave(&self, leaving: &LeavingArgs, disqualified: bool) -> Result<DecidedAction, CliError> {
        let entrant = self.find(&leaving.bot)?;
        let choice = leaving.games.map(LeftGames::from);
        let forfeits = self.recorded.forfeits(&self.header);
        let outcomes = forfeits.as_ref().map_or(&[][..], |outcomes| &outcomes[..]);
        let leave = self.recorded.contest.leave(&self.results, entrant, disqualified, choice, outcomes);
        let leave = leave.map_err(|why| usage!("{}: {why}", self.name(entrant)))?;
        let is_lost = leave.stages.iter().any(|leaving| leaving.games == LeftGames::Lost);
        if let (true, Err(why)) = (is_lost, forfeits) {
            return Err(usage!(
                "{}: its open games cannot be lost ({}): add `--games keep` or `--games void`",
                self.name(entrant),
                plain(why)
            ));
        }
        Ok(DecidedAction::Leave(leave))
    }

    /// The decision that a game is played again.
    fn annul(&self, record: &Record, annul: &AnnulArgs) -> Result<DecidedAction, CliError> {
        let game = replay::find(record, &annul.game)?.pairing.id;
        let (phases, outcomes) = record.history(&self.recorded.contest)?;
        let decided = record::annul(&phases, &outcomes, game, (&annul.later).into());
        Ok(DecidedAction::Annul(decided.map_err(|why| usage!("game {game} cannot be annulled: {why}"))?))
    }

    /// The decision that a game is won by a bot.
    fn award(&self, record: &Record, award: &AwardArgs) -> Result<DecidedAction, CliError> {
        let name = plain(&award.game);
        let game = parse_game_id(&award.game);
        let game = game.ok_or_else(|| usage!("`{name}` is not the name of a game, such as s1/r2/m3/g1"))?;
        let order: Vec<_> = award.bots.iter().map(|bot| self.find(bot)).collect::<Result<_, _>>()?;
        let forfeited = |seats| self.recorded.forfeited(&self.header, seats);
        let (phases, outcomes) = record.history(&self.recorded.contest)?;
        let decided = record::award(&phases, &outcomes, game, &order, (&award.later).into(), &forfeited);
        let decided = decided.map_err(|why| usage!("game {game} cannot be awarded: {}", plain(why)))?;
        Ok(DecidedAction::Award(decided))
    }

    /// The decision that a bot takes part although the contest has begun.
    fn admit(&self, admit: &AdmitArgs) -> Result<DecidedAction, CliError> {
        let stage = admit.stage.map(|stage| (stage - 1) as u8);
        let decided = self.recorded.contest.admit(&self.results, self.next()?, stage);
        Ok(DecidedAction::Admit(decided.map_err(|why| usage!("{}: {why}", plain(&admit.late.path)))?))
    }

    /// The decision that a better version of a bot plays its games.
    fn replace(&self, record: &Record, replace: &ReplaceArgs) -> Result<DecidedAction, CliError> {
        let entrant = self.find(&replace.bot)?;
        let (stage, round) = replace.from;
        let wanted = Replace { entrant, version: self.next()?, stage, round };
        let (phases, outcomes) = record.history(&self.recorded.contest)?;
        let decided = record::replace(&phases, &outcomes, wanted);
        Ok(DecidedAction::Replace(decided.map_err(|why| usage!("{}: {why}", self.name(entrant)))?))
    }

    /// The number of the next entrant.
    fn next(&self) -> Result<EntrantId, CliError> {
        let next = u16::try_from(self.entrants.len()).map_err(|_| usage!("the record has 65536 entrants"))?;
        Ok(EntrantId(next))
    }

    /// The decision that a bot plays nothing for now.
    fn hold(&self, bot: &str) -> Result<DecidedAction, CliError> {
        let entrant = self.find(bot)?;
        let possible = self.recorded.contest.may_be_held(entrant);
        possible.map_err(|why| usage!("{}: {why}", self.name(entrant)))?;
        Ok(DecidedAction::Hold { entrant })
    }

    /// The decision that a bot that is on hold plays again: its hold is undone.
    fn release(&self, bot: &str) -> Result<DecidedAction, CliError> {
        let entrant = self.find(bot)?;
        let held = in_force(&self.decisions).find(|(_, decision)| *decision == Decision::Hold(entrant));
        let (hold, _) = held.ok_or_else(|| usage!("{} is not on hold", self.name(entrant)))?;
        Ok(DecidedAction::Undo { decision: hold.number })
    }

    /// The decision that the contest is the one of this file.
    fn amend(&self, record: &Record, path: &Path, games: &Registry) -> Result<DecidedAction, CliError> {
        let mut file = ContestFile::read(path, games.available())?;
        file.amend(record)?;
        let amended = record.amend(&file.header(crate::VERSION))?;
        amended.ok_or_else(|| usage!("{}: the record has this contest already", plain(path.display())))
    }

    /// The decision that an earlier one does not hold.
    fn undo(&self, record: &Record, number: u32) -> Result<DecidedAction, CliError> {
        let Some(decision) = self.decisions.iter().find(|it| it.number == number) else {
            let last = match self.decisions.len() {
                0 => "nothing was decided".to_string(),
                last => format!("the last is {last}"),
            };
            return Err(usage!("there is no decision {number}: {last}"));
        };
        match decision.action {
            DecidedAction::Undo { .. } => {
                return Err(usage!("decision {number} undoes another one: take that decision again instead"));
            }
            DecidedAction::Amend { .. } => {
                return Err(usage!(
                    "decision {number} cannot be undone: amend the contest again, as it was before"
                ));
            }
            _ => {}
        }
        let undoing = |it: &&DecisionRecord| it.action == DecidedAction::Undo { decision: number };
        if let Some(by) = self.decisions.iter().find(undoing) {
            return Err(usage!("decision {number} was undone by decision {}", by.number));
        }
        // Decisions since then are about a contest in which later games are played anew, so they must be undone first.
        let anew = in_force(&self.decisions).find(|(it, _)| it.number == number);
        let plays_anew = anew.is_some_and(|(_, decision)| decision.plays_later_anew());
        let since = in_force(&self.decisions).filter(|(it, _)| it.number > number).last();
        if let Some((last, _)) = since.filter(|_| plays_anew) {
            return Err(usage!(
                "decision {number} cannot be undone before decision {}, which was taken after games were crossed out",
                last.number
            ));
        }
        if let Some(game) = record.first_because_of(&self.recorded.contest, number)? {
            return Err(usage!(
                "decision {number} cannot be undone: game {game} was played because of it; {} is still possible",
                match decision.action {
                    DecidedAction::Annul(_) => "to `annul` this one",
                    DecidedAction::Replace(_) => "to `replace` the bot again",
                    _ => "a decision about another bot (`withdraw`, `disqualify`)",
                }
            ));
        }
        Ok(DecidedAction::Undo { decision: number })
    }

    /// The bot with this name, BOT argument or number, counted from 1.
    fn find(&self, bot: &str) -> Result<EntrantId, CliError> {
        let namesakes = (1u32..).zip(&self.entrants).filter(|(_, it)| it.name == bot);
        let numbers: Vec<String> = namesakes.map(|(number, _)| number.to_string()).collect();
        if numbers.len() > 1 {
            let numbers = numbers.join(" or ");
            return Err(usage!("several bots are called `{}`: name one by its number, {numbers}", plain(bot)));
        }
        games::find(bot, &self.entrants, &self.decisions).map(|named| named.entrant).or_else(|error| {
            let by_number = bot.parse::<u16>().ok().and_then(|number| number.checked_sub(1)).map(EntrantId);
            let entry = by_number.and_then(|id| self.entrants.get(id.index()));
            let competes = entry.is_some_and(|it| it.out.is_none() && it.role == Role::Entry);
            by_number.filter(|_| competes).ok_or(error)
        })
    }

    /// The name of a bot, for messages.
    fn name(&self, entrant: EntrantId) -> String {
        plain(&self.entrants[entrant.index()].name)
    }
}

impl DecisionOutcome {
    /// Prints what would become of standings and games.
    pub(super) fn show(&self) -> Result<(), CliError> {
        let OpenContest { entrants, decisions, .. } = &self.old;
        let sections = decisions::preview(&self.action, decisions, &self.before(), &self.after());
        let text = doc::text(&sections, entrants, show::style());
        write!(show::stdout(), "{}", show::folded_lines(&text))?;
        Ok(())
    }

    /// Writes a message for the author of each bot that is affected, and returns how many.
    pub(super) fn tell(&self, folder: &Path, why: &str) -> io::Result<usize> {
        let OpenContest { entrants, decisions, games, .. } = &self.old;
        let letters = decisions::letters(&self.action, decisions, why, &self.before(), &self.after(), games);
        for (bot, sections) in &letters {
            let file = folder.join(format!("{}.txt", bot.0 + 1));
            fs::write(file, doc::text(sections, entrants, Style::plain()))?;
        }
        Ok(letters.len())
    }

    fn before(&self) -> Tournament<'_> {
        let OpenContest { header, entrants, recorded, results, .. } = &self.old;
        Tournament::new(header, entrants, &recorded.contest, results)
    }

    fn after(&self) -> Tournament<'_> {
        Tournament::new(&self.header, &self.old.entrants, &self.after, &self.results)
    }
}

impl OpenContest {
    /// Checks that the decision about a bot that is handed in late is possible, whatever the bot does.
    pub(super) fn check_late(&self, record: &Record, what: &DecideCommand) -> Result<(), CliError> {
        match what {
            DecideCommand::Admit(admit) => self.admit(admit).map(drop),
            DecideCommand::Replace(replace) => self.replace(record, replace).map(drop),
            _ => Ok(()),
        }
    }

    /// Builds the bot, checks it unless `--no-check` is given, and returns what was found.
    ///
    /// # Errors
    /// When there is no such bot, it may not play, or the sandbox fails.
    pub(super) fn judged(&self, late: &LateBotArgs, games: &Registry) -> Result<EntrantRecord, CliError> {
        let entry = entrant_of_spec(&late.path, &games.engines);
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

    /// The row of a bot that is admitted: what was `found` about it, with a name that no other bot has.
    pub(super) fn late_entrant(&self, found: &EntrantRecord) -> EntrantRecord {
        let everyone: Vec<_> =
            self.entrants.iter().chain([found]).map(|it| (it.name.clone(), it.spec.clone())).collect();
        let name = names::told_apart(&everyone).pop().unwrap_or_default();
        EntrantRecord { name, ..found.clone() }
    }

    /// The row of a version that plays the games of `entrant` from this stage and round on, both counted from 0: what
    /// was `found` about it, under the name of the bot with a number.
    ///
    /// # Errors
    /// When it is the same program as the one that plays these games already.
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
