//! Writes a contest into a record and restores it from there, so that a record can be read without any other file.
//!
//! The record keeps the contest with all defaults filled in, the texts of the contest file and the ruleset, the boards,
//! and all entries. Patterns and paths of entries are not resolved again, because their files may no longer exist.

use super::entrants::{Entrant, ExcludedEntry};
use super::{Boards, ContestFile};
use crate::contest_spec::{ContestSpec, StageSpec};
use crate::kit::Games;
use crate::record::{
    DecisionRecord, EntrantRecord, Header, Record, RecordError, RecordErrorKind, Role, StageRecord, added,
    reseated, with_decisions,
};
use crate::ruleset::Ruleset;
use crate::text::Reason;
use cornerman::contest::{Contest, Field};
use cornerman::format::{EntrantId, GameId, Pairing};
use cornerman::game::{Outcome, Reply};
use cornerman::journal::Journal;
use std::collections::BTreeMap;
use std::path::PathBuf;

impl ContestFile {
    /// The header for a record of this contest; `kit` is the version of Cornerman.
    pub fn header(&self, kit: &str) -> Header {
        let field = self.field();
        let stage = |stage: &StageSpec| {
            let programs = stage.format.seed_programs().iter().map(|&program| field.organizer(program));
            StageRecord {
                name: stage.name.clone(),
                kind: stage.format.name().to_string(),
                programs: programs.collect::<Result<_, _>>().unwrap_or_default(),
            }
        };
        Header {
            contest: self.spec.name.clone(),
            contest_text: self.text.clone(),
            contest_json: self.spec.to_json(),
            journal: self.journal.clone(),
            game: self.game().to_string(),
            ruleset: self.ruleset.id.clone(),
            ruleset_text: self.ruleset.text.clone(),
            seed: self.spec.seed,
            stages: self.spec.stages.iter().map(stage).collect(),
            boards: self.boards.clone(),
            kit: kit.to_string(),
            origin: None,
        }
    }

    /// Continues the contest of a record with this `header` and these `decisions`. If the contest was begun with this
    /// file, it keeps its settings, even if the version of Cornerman that began it had other defaults.
    pub fn resume(&mut self, header: Header, decisions: Vec<DecisionRecord>) {
        // A record that cannot be used is reported when it is opened for writing.
        if let (true, Ok(spec)) = (header.has_contest_text(&self.text), header.spec()) {
            self.spec = spec;
        }
        self.journal = header.journal;
        self.decisions = decisions;
    }

    /// Makes this the contest of `record`, amended: excludes the entries that do not play there, and takes over its
    /// decisions.
    ///
    /// # Errors
    /// If the record cannot be read.
    pub fn amend(&mut self, record: &Record) -> Result<(), RecordError> {
        let entrants = record.entrants()?;
        let out: BTreeMap<_, _> = entrants.into_iter().filter_map(|it| Some((it.entered?, it.out?))).collect();
        self.exclude(|_, entry| out.get(&entry.place).cloned());
        self.resume(record.header()?, record.decisions()?);
        Ok(())
    }

    /// A contest with `entry` alone, which is to join the contest of `header` late. It has the rules and limits of that
    /// contest, so that the entry is built and checked in the same way.
    ///
    /// # Errors
    /// If the record's contest cannot be read, in words.
    pub fn for_late_entry(
        header: &Header,
        recorded: &RecordedContest,
        entry: Entrant,
    ) -> Result<ContestFile, Reason> {
        let spec = header.spec()?;
        let format = recorded.contest.stages()[0].format.clone();
        let ruleset = recorded.ruleset.clone();
        let mut file = ContestFile::of_one_stage(&spec.name, ruleset, spec.seed, Vec::new(), vec![entry], format)
            .map_err(|error| Reason(error.to_string()))?;
        (file.spec.limits, file.spec.isolation) = (spec.limits, spec.isolation);
        file.spec.check_budget_s = spec.check_budget_s;
        Ok(file)
    }

    /// The bots of the contest file in the order of their numbers in the record, with what the file says about them. A
    /// bot that has no name in the file is named by its path or `@name`.
    pub fn entrant_records(&self) -> Vec<EntrantRecord> {
        let record = |entry: &Entrant, role| EntrantRecord {
            name: entry.name.clone().unwrap_or_else(|| entry.spec.clone()),
            author: entry.author.clone(),
            spec: entry.spec.clone(),
            role,
            group: entry.group.map(|group| self.spec.groups[group].clone()),
            entered: (role == Role::Entry).then_some(entry.place),
            ..EntrantRecord::default()
        };
        let organizer = |(place, bot): (usize, &Entrant)| {
            record(bot, if self.spec.fillers.contains(&place) { Role::Filler } else { Role::SeedProgram })
        };
        let playing = self.entrants.iter().map(|entry| record(entry, Role::Entry));
        let organizers = self.organizers.iter().enumerate().map(organizer);
        let excluded =
            |it: &ExcludedEntry| EntrantRecord { out: Some(it.why.clone()), ..record(&it.entry, Role::Entry) };
        playing.chain(organizers).chain(self.excluded.iter().map(excluded)).collect()
    }

    /// Restores the contest of `record`, as amended and with its decisions, without any other file.
    ///
    /// # Errors
    /// If the record cannot be read, or its contest is invalid or incomplete, as after a run that ended before its
    /// first game.
    pub fn recorded(record: &Record, games: &Games) -> Result<RecordedContest, RecordError> {
        let restored = ContestFile::recorded_as(record, games, record.header()?)?;
        restored.map_err(|why| RecordErrorKind::InvalidContest(why.0).at(record.path()))
    }

    /// The contest of `record` as it would be by another `ruleset` of its game.
    ///
    /// # Errors
    /// As for [`ContestFile::recorded`], and if the contest's stages are not possible by these rules.
    pub fn recorded_by(record: &Record, ruleset: &Ruleset) -> Result<RecordedContest, RecordError> {
        let parts = ContestParts::new(&record.header()?, &record.entrants()?, &record.decisions()?);
        let parts = parts.map_err(|why| RecordErrorKind::InvalidContest(why.0).at(record.path()))?;
        let other_rules = |why: Reason| RecordErrorKind::OtherRules { ruleset: ruleset.id.clone(), why: why.0 };
        parts.played_by(ruleset.clone()).map_err(|why| other_rules(why).at(record.path()))
    }

    /// The contest of `record` with an amended `header`.
    ///
    /// # Errors
    /// If the record cannot be read. The inner error says why the contest is not possible.
    pub fn recorded_as(
        record: &Record,
        games: &Games,
        header: Header,
    ) -> Result<Result<RecordedContest, Reason>, RecordError> {
        let parts = ContestParts::new(&header, &record.entrants()?, &record.decisions()?);
        let path = PathBuf::from(format!("{} (ruleset)", record.path().display()));
        let ruleset = || games.parse(&path, &header.ruleset_text).map_err(|wrong| Reason(wrong.to_string()));
        Ok(parts.and_then(|parts| parts.played_by(ruleset()?)))
    }
}

/// A contest restored from a record.
#[derive(Clone, Debug, PartialEq)]
pub struct RecordedContest {
    /// The rules.
    pub ruleset: Ruleset,
    /// The contest.
    pub contest: Contest,
}

impl RecordedContest {
    /// The outcome of a game of two in which the first seat forfeits before its first move, and of one in which the
    /// second seat does.
    ///
    /// # Errors
    /// Why the rules do not give these outcomes, in words.
    pub fn forfeits(&self, header: &Header) -> Result<[Outcome; 2], Reason> {
        let first = self.forfeited(header, 2)?;
        let second = reseated(&first, &[1, 0]);
        Ok([first, second])
    }

    /// The outcome of a game of this many seats in which all but the last forfeit before their first moves, one after
    /// the other.
    ///
    /// # Errors
    /// Why the rules do not give this outcome, in words.
    pub fn forfeited(&self, header: &Header, seats: u8) -> Result<Outcome, Reason> {
        let pairing = Pairing {
            id: GameId { stage: 0, round: 0, table: 0, game: 0, attempt: 0 },
            seats: (0..u16::from(seats)).map(EntrantId).collect(),
            board: 0,
        };
        let id = &self.ruleset.id;
        let mut game =
            self.ruleset.open(&self.boards(header).setup(&pairing)).map_err(|error| error.to_string())?;
        while let Some(seat) = game.to_act().iter().next() {
            if seat.0 + 1 < seats {
                game.forfeit(seat);
                continue;
            }
            let any = game.legal(seat).into_iter().next();
            let any =
                any.ok_or_else(|| format!("{id} does not list the moves with which a forfeit is answered"))?;
            game.play(seat, &Reply::Notation(any)).map_err(|wrong| wrong.to_string())?;
        }
        Ok(game.outcome().ok_or_else(|| format!("by {id} a game goes on after a forfeit"))?)
    }

    /// The boards of the contest, whose record has this `header`.
    pub fn boards(&self, header: &Header) -> Boards {
        Boards::new(&self.ruleset, &header.boards, header.seed, &self.contest)
    }
}

/// A contest of a record without its rules.
struct ContestParts {
    spec: ContestSpec,
    /// The entrants; its numbers of seats are those of the ruleset, which are set later.
    field: Field,
    journal: Journal,
}

impl ContestParts {
    fn new(
        header: &Header,
        entrants: &[EntrantRecord],
        decisions: &[DecisionRecord],
    ) -> Result<ContestParts, Reason> {
        if entrants.is_empty() {
            return Err("the run ended before the entrants were recorded: run the contest again".into());
        }
        let spec = header.spec()?;
        let field = field(entered(entrants, decisions), &spec.groups)?;
        Ok(ContestParts { spec, field, journal: with_decisions(&header.journal, decisions) })
    }

    /// The contest by `ruleset`.
    fn played_by(self, ruleset: Ruleset) -> Result<RecordedContest, Reason> {
        let ContestParts { spec, field, journal } = self;
        let field = Field { seats: ruleset.seats.0..=ruleset.seats.1, ..field };
        let contest = Contest::new(field, spec.played(), spec.seed).map_err(|wrong| wrong.to_string())?;
        Ok(RecordedContest { ruleset, contest: contest.with_journal(journal) })
    }
}

/// The entrants with which the record began: without those that decisions added, which come last.
fn entered<'a>(entrants: &'a [EntrantRecord], decisions: &[DecisionRecord]) -> &'a [EntrantRecord] {
    &entrants[..entrants.len().saturating_sub(added(decisions).count())]
}

/// The numbers of entrants, groups and fillers in the record, given the `names` of the groups.
fn field(entrants: &[EntrantRecord], names: &[String]) -> Result<Field, Reason> {
    let playing = entrants.iter().filter(|entrant| entrant.out.is_none());
    let (competing, organizers): (Vec<_>, Vec<_>) = playing.partition(|entrant| entrant.role == Role::Entry);
    let mut field = Field::new(competing.len() as u16, organizers.len() as u16);
    field.groups.resize(names.len(), Vec::new());
    for (id, entrant) in (0..=u16::MAX).map(EntrantId).zip(competing.into_iter().chain(organizers)) {
        if let Some(group) = &entrant.group {
            let of_group = names.iter().position(|name| name == group);
            let missing = || format!("{} is in the group {group}, which does not exist", entrant.name);
            field.groups[of_group.ok_or_else(missing)?].push(id);
        }
        if entrant.role == Role::Filler {
            field.fillers.push(id);
        }
    }
    Ok(field)
}

#[cfg(test)]
mod tests {
    use super::super::tests::available;
    use super::*;
    use crate::record::Writer;
    use cornerman::formats::Format;
    use std::path::Path;

    /// Writes `file` into a record, and restores the contest from it.
    fn through_a_record(file: &ContestFile, contest_json: String) -> Result<RecordedContest, RecordError> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("c.db");
        let mut writer = Writer::create_or_resume(&path, &Header { contest_json, ..file.header("0") }).unwrap();
        writer.add_entrants(&file.entrant_records()).unwrap();
        ContestFile::recorded(&writer, available().games)
    }

    #[track_caller]
    fn check(file: &ContestFile) {
        let contest = file.contest().unwrap();
        let again = through_a_record(file, file.header("0").contest_json).unwrap();
        assert_eq!((&again.ruleset, &again.contest), (&file.ruleset, &contest));
    }

    #[test]
    fn every_example_contest_is_restored_from_its_record() {
        let contests = Path::new(env!("CARGO_MANIFEST_DIR")).join("../contests");
        let files = std::fs::read_dir(contests).unwrap().map(|file| file.unwrap().path());
        // The game of one is a program, which a unit test cannot start: `tests/judges.rs` plays it.
        let is_playable = |file: &PathBuf| {
            file.extension().is_some_and(|end| end == "toml") && !file.ends_with("pahtum-finals.toml")
        };
        let files: Vec<PathBuf> = files.filter(is_playable).collect();
        assert!(files.len() >= 4, "{files:?}");
        for path in files {
            let file = ContestFile::read(&path, available()).unwrap();
            file.contest().unwrap();
            check(&file);
            // Whichever entry is excluded, the others are numbered without gaps.
            for absent in 0..file.entrants.len() {
                let mut file = file.clone();
                file.exclude(|at, _| (at == absent).then(|| "it fails BX-OUT-SIZE".to_string()));
                check(&file);
            }
        }
    }

    #[test]
    fn groups_programs_and_replaced_entries_are_restored() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("given.arena"), cornerman::games::boxing::Arena::open().to_bytes())
            .unwrap();
        let text = "name = \"x\"\nseed = 3\nboards = [\"given.arena\"]\nfillers = [\"@random\"]\n\
            entrants = [{ path = \"@greedy\", author = \"Ann\" }, \"@mirror\"]\n\
            [[groups]]\nname = \"E\"\nentrants = [{ path = \"@first-fit\", author = \"Ann\" }, \"@smallest\"]\n\
            [[stages]]\nkind = \"seeding\"\nprograms = [\"@parity\"]\n\
            [[stages]]\nname = \"E\"\nkind = \"gauntlet\"\ngroup = \"E\"\n\
            [[stages]]\nname = \"again\"\nkind = \"seeding\"\nwho = \"all\"\nprograms = [\"@random\", \"@parity\"]\n";
        let mut file = ContestFile::parse(&folder.path().join("c.toml"), text, available()).unwrap();
        let by = file.replaced(|_| Ok::<_, RecordError>(true)).unwrap();
        file.exclude(|at, _| Some(format!("replaced by {} (B13)", by[at]?)));
        assert_eq!((file.excluded.len(), file.organizers.len(), file.boards.len()), (1, 3, 1));
        check(&file);
    }

    #[test]
    fn the_form_of_the_record_is_as_documented() {
        let text = "name = \"x\"\nentrants = [\"@smallest\"]\n[[groups]]\nname = \"E\"\nentrants = [\"@mirror\", \"@random\"]\n\
            [[stages]]\nkind = \"seeding\"\n[[stages]]\nkind = \"all-play-all\"\ntop = 2\n\
            [[stages]]\nkind = \"pair-swiss\"\ngroup = \"E\"\n";
        let file = ContestFile::parse(Path::new("c.toml"), text, available()).unwrap();
        insta::assert_snapshot!(file.header("0").contest_json);
    }

    #[test]
    fn a_contest_goes_on_with_the_settings_that_it_began_with() {
        let text = |seed| {
            let stages = "[[stages]]\nkind = \"brackets\"\n[[stages]]\nkind = \"knockout\"\nboards = [2]\n";
            let text = format!("name = \"x\"\nseed = {seed}\nentrants = [\"@greedy\", \"@mirror\"]\n{stages}");
            ContestFile::parse(Path::new("c.toml"), &text, available()).unwrap()
        };
        // As a version with other defaults would record it.
        let mut file = text(7);
        let now = file.header("0");
        let began = now.contest_json.replace("\"k\": 2", "\"k\": 1");
        let began = began.replace("\"tie_break_games\": 2", "\"tie_break_games\": 4");
        file.resume(Header { contest_json: began.clone(), ..now }, Vec::new());
        assert_eq!(file.header("0").contest_json, began);
        let formats: Vec<&Format> = file.spec.stages.iter().map(|stage| &stage.format).collect();
        let [Format::Brackets(brackets), Format::Knockout(knockout)] = formats[..] else { panic!("{file:?}") };
        assert_eq!((brackets.k.get(), knockout.tie_break_games.get()), (1, 4));

        // The text of the contest file is another one.
        let mut file = text(7);
        file.resume(Header { contest_json: began, ..text(8).header("0") }, Vec::new());
        assert_eq!(file, text(7));
    }

    #[test]
    fn a_contest_json_of_another_version_or_contest_is_refused() {
        let text = "name = \"x\"\nentrants = [\"@greedy\", \"@mirror\"]\n[[stages]]\nkind = \"knockout\"\n";
        let file = ContestFile::parse(Path::new("c.toml"), text, available()).unwrap();
        let began = file.header("0").contest_json;
        let refused = |json: &str| through_a_record(&file, json.to_string()).unwrap_err().to_string();
        for (json, said) in [
            ("{}", "contest_json: missing field `v`"),
            ("{ \"v\": 2, \"phases\": [] }", "contest_json has version 2, but this kit reads version 1"),
            (
                &began.replace("\"name\": \"x\"", "\"name\": \"y\""),
                "contest_json has another name, seed or stages",
            ),
            (&began.replace("\"who\": \"all\"", "\"whom\": \"all\""), "missing field `who`"),
            (&began.replace("\"kind\": \"knockout\",", ""), "missing field `kind`"),
        ] {
            let message = refused(json);
            assert!(message.contains(said), "{said:?} is not in {message}");
        }
    }

    #[test]
    fn a_record_without_entrants_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let writer = Writer::create_or_resume(&folder.path().join("c.db"), &Header::default()).unwrap();
        let wrong = ContestFile::recorded(&writer, available().games).unwrap_err();
        assert!(
            wrong.to_string().ends_with("ended before the entrants were recorded: run the contest again"),
            "{wrong}"
        );
    }
}
