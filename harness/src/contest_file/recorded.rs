//! A contest on its way into a record and out of it again, so that whoever has the record needs no other file.
//!
//! The record keeps what the contest file comes to, in a form of its own, the texts of it and of the ruleset, the boards,
//! and what became of every entry. What the file says of entries (patterns, paths, authors) is not asked again: the files
//! may be gone.

use super::ContestFile;
use super::entrants::{Entrant, Out, SeedPrograms};
use super::keys::{EntrantText, top_level};
use super::stages::{self, Stage};
use crate::kit::Games;
use crate::record::{EntrantRecord, Header, Record, RecordError, Role, StageRecord};
use crate::ruleset::Ruleset;
use crate::toml_file::{Mistake, Source};
use cornerman::contest::{self, Contest, Field, Organizer};
use cornerman::format::EntrantId;
use cornerman::game::MAX_SEATS;
use serde::{Deserialize, Serialize};
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use toml::Spanned;

impl ContestFile {
    /// What a record of the contest begins with, written by this version of the `kit`.
    pub fn header(&self, kit: &str) -> Header {
        let field = self.field();
        let programs = |stage: &Stage| -> Result<Vec<_>, _> {
            stage.played.format.programs().iter().map(|&it| field.organizer(it)).collect()
        };
        let stage = |stage: &Stage| StageRecord {
            name: stage.name.clone(),
            kind: stage.played.format.name().to_string(),
            programs: programs(stage).unwrap_or_default(),
        };
        Header {
            contest: self.name.clone(),
            contest_text: self.text.clone(),
            contest_json: Some(self.resolved().to_json()),
            game: self.game.clone(),
            ruleset: self.ruleset.id.clone(),
            ruleset_text: self.ruleset.text.clone(),
            seed: self.seed,
            stages: self.stages.iter().map(stage).collect(),
            boards: self.boards.clone(),
            kit: kit.to_string(),
        }
    }

    fn resolved(&self) -> Resolved {
        let stages = self.stages.iter().map(|stage| stage.played.clone()).collect();
        Resolved { v: FORM, groups: self.groups.clone(), stages }
    }

    /// What the record says of everyone whom the contest file names, in the order of [`EntrantRecord`]'s numbers, as
    /// far as the file itself knows it. Their names are the file's or, where it has none, how it names them.
    pub fn entrant_records(&self) -> Vec<EntrantRecord> {
        let record = |entry: &Entrant, role| EntrantRecord {
            name: entry.name.clone().unwrap_or_else(|| entry.spec.clone()),
            author: entry.author.clone(),
            spec: entry.spec.clone(),
            role,
            group: entry.group.map(|group| self.groups[group].clone()),
            entered: (role == Role::Entry).then_some(entry.place),
            ..EntrantRecord::default()
        };
        let organizer = |(place, bot): (usize, &Entrant)| {
            record(bot, if self.fillers.contains(&place) { Role::Filler } else { Role::SeedProgram })
        };
        let playing = self.entrants.iter().map(|entry| record(entry, Role::Entry));
        let organizers = self.organizers.iter().enumerate().map(organizer);
        let out = |out: &Out| EntrantRecord { out: Some(out.why.clone()), ..record(&out.entry, Role::Entry) };
        playing.chain(organizers).chain(self.out.iter().map(out)).collect()
    }

    /// The contest that `record` is of, as it was begun, whatever became of the files.
    ///
    /// # Errors
    /// When the record cannot be read or does not hold a contest whole, as that of a run which ended before its
    /// first game may.
    pub fn recorded(record: &Record, games: &Games) -> Result<Recorded, RecordError> {
        let (header, entrants) = (record.header()?, record.entrants()?);
        let path = record.path();
        of(path, games, header, &entrants).map_err(|why| RecordError::NoContest { path: path.into(), why })
    }
}

/// The version of [`Resolved`]'s form: any change of what a member means is a new one.
const FORM: u32 = 1;

/// What a contest file comes to, with whatever it leaves out: tomorrow's defaults, and tomorrow's keys, make no other
/// contest of it. Who takes part is in the record's list of entrants.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Resolved {
    v: u32,
    groups: Vec<String>,
    stages: Vec<contest::Stage>,
}

impl Resolved {
    fn to_json(&self) -> String {
        serde_json::to_string_pretty(self).expect("all keys are texts")
    }

    fn from_json(json: &str) -> Result<Resolved, String> {
        #[derive(Deserialize)]
        struct Form {
            v: u32,
        }
        let wrong = |error: serde_json::Error| format!("contest_json: {error}");
        match serde_json::from_str(json).map_err(wrong)? {
            Form { v: FORM } => serde_json::from_str(json).map_err(wrong),
            Form { v } => Err(format!("it holds the contest in form {v}, and this kit knows form {FORM}")),
        }
    }

    /// What the contest file of a record that lacks the form comes to. What fits no game was not refused by the kits
    /// that wrote such records.
    fn from_text(path: &Path, header: &Header, entrants: &[EntrantRecord]) -> Result<Resolved, String> {
        let source = Source { path, text: &header.contest_text };
        let (top, tables) = top_level(source).map_err(|wrong| wrong.to_string())?;
        let mut programs = Programs { stages: header.stages.iter(), competing: competing(entrants) };
        let first = |mistakes: Vec<Mistake>| mistakes.first().map(ToString::to_string).unwrap_or_default();
        let stages = stages::read(source, tables, top.group_names(), ANY_SEATS, &mut programs).map_err(first)?;
        let groups = top.group_names().into_iter().map(str::to_string).collect();
        Ok(Resolved { v: FORM, groups, stages: stages.into_iter().map(|stage| stage.played).collect() })
    }
}

/// What a record says of its contest.
#[derive(Clone, Debug, PartialEq)]
pub struct Recorded {
    /// The rules.
    pub ruleset: Ruleset,
    /// The contest.
    pub contest: Contest,
}

fn of(path: &Path, games: &Games, header: Header, entrants: &[EntrantRecord]) -> Result<Recorded, String> {
    if entrants.is_empty() {
        return Err("the run that began it ended before its entrants were known: run it again".to_string());
    }
    let kept = |what: &str| PathBuf::from(format!("{} ({what})", path.display()));
    let ruleset = games.parse(&kept("ruleset"), &header.ruleset_text).map_err(|wrong| wrong.to_string())?;
    let (resolved, seats) = match &header.contest_json {
        Some(json) => (Resolved::from_json(json)?, ruleset.seats.0..=ruleset.seats.1),
        None => (Resolved::from_text(&kept("contest file"), &header, entrants)?, ANY_SEATS),
    };
    let field = Field { seats, ..field(entrants, &resolved.groups)? };
    // The seed that a run was begun with is a fact; the text is how it came about.
    let contest = Contest::new(field, resolved.stages, header.seed).map_err(|wrong| wrong.to_string())?;
    Ok(Recorded { ruleset, contest })
}

const ANY_SEATS: RangeInclusive<u8> = 1..=MAX_SEATS;

/// How many of the record's entrants compete: they come first.
fn competing(entrants: &[EntrantRecord]) -> u16 {
    entrants.iter().filter(|entrant| entrant.out.is_none() && entrant.role == Role::Entry).count() as u16
}

/// Who is numbered in the record, where these are the names of the groups.
fn field(entrants: &[EntrantRecord], names: &[String]) -> Result<Field, String> {
    let playing = |entry: bool| {
        entrants.iter().filter(move |entrant| entrant.out.is_none() && (entrant.role == Role::Entry) == entry)
    };
    let mut field = Field::new(competing(entrants), playing(false).count() as u16);
    field.groups.resize(names.len(), Vec::new());
    for (id, entrant) in (0..=u16::MAX).map(EntrantId).zip(playing(true).chain(playing(false))) {
        if let Some(group) = &entrant.group {
            let of_group = names.iter().position(|name| name == group);
            let missing = || format!("{} is in the group {group}, which there is not", entrant.name);
            field.groups[of_group.ok_or_else(missing)?].push(id);
        }
        field.fillers.extend((entrant.role == Role::Filler).then_some(id));
    }
    Ok(field)
}

/// The seed programs as they were, stage by stage.
struct Programs<'a> {
    stages: std::slice::Iter<'a, StageRecord>,
    /// How many entrants there are: the organizer's bots are numbered after them.
    competing: u16,
}

impl SeedPrograms for Programs<'_> {
    fn next(&mut self, _: Option<&[Spanned<EntrantText>]>) -> Result<Vec<Organizer>, Mistake> {
        let seeding = self.stages.find(|stage| !stage.programs.is_empty());
        let place = |id: &EntrantId| Organizer(id.0.saturating_sub(self.competing));
        Ok(seeding.iter().flat_map(|stage| stage.programs.iter().map(place)).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::available;
    use super::*;
    use crate::record::Writer;

    /// What comes out of a record that `file` goes into.
    fn through_a_record(file: &ContestFile, contest_json: Option<String>) -> Result<Recorded, RecordError> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("c.db");
        let mut writer = Writer::create(&path, &Header { contest_json, ..file.header("0") }).unwrap();
        writer.add_entrants(&file.entrant_records()).unwrap();
        ContestFile::recorded(&writer, available().games)
    }

    #[track_caller]
    fn check(file: &ContestFile) {
        let contest = file.contest().unwrap();
        let again = through_a_record(file, file.header("0").contest_json).unwrap();
        assert_eq!(again, Recorded { ruleset: file.ruleset.clone(), contest: contest.clone() });
        // A record of an earlier kit has only the text.
        let earlier = through_a_record(file, None).unwrap().contest;
        assert_eq!(earlier.stages(), contest.stages());
        assert_eq!(*earlier.field(), Field { seats: ANY_SEATS, ..contest.field().clone() });
    }

    #[test]
    fn every_contest_that_comes_along_is_made_again_from_its_record() {
        let contests = Path::new(env!("CARGO_MANIFEST_DIR")).join("../contests");
        let files = std::fs::read_dir(contests).unwrap().map(|file| file.unwrap().path());
        let files: Vec<PathBuf> = files.filter(|file| file.extension().is_some_and(|end| end == "toml")).collect();
        assert!(files.len() >= 4, "{files:?}");
        for path in files {
            let file = ContestFile::read(&path, available()).unwrap();
            file.contest().unwrap();
            check(&file);
            // Whoever is out, the others are numbered without them.
            for absent in 0..file.entrants.len() {
                let mut file = file.clone();
                file.leave_out(|at, _| (at == absent).then(|| "it fails BX-OUT-SIZE".to_string()));
                check(&file);
            }
        }
    }

    #[test]
    fn groups_programs_and_whoever_is_replaced_are_kept() {
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
        file.leave_out(|at, _| Some(format!("replaced by {} (B13)", by[at]?)));
        assert_eq!((file.out.len(), file.organizers.len(), file.boards.len()), (1, 3, 1));
        check(&file);
    }

    #[test]
    fn the_form_of_the_record_is_as_documented() {
        let text = "name = \"x\"\nentrants = [\"@smallest\"]\n[[groups]]\nname = \"E\"\nentrants = [\"@mirror\", \"@random\"]\n\
            [[stages]]\nkind = \"seeding\"\n[[stages]]\nkind = \"all-play-all\"\ntop = 2\n\
            [[stages]]\nkind = \"pair-swiss\"\ngroup = \"E\"\n";
        let file = ContestFile::parse(Path::new("c.toml"), text, available()).unwrap();
        insta::assert_snapshot!(file.header("0").contest_json.unwrap());
    }

    #[test]
    fn a_form_that_is_not_known_is_refused() {
        let text = "name = \"x\"\nentrants = [\"@greedy\", \"@mirror\"]\n[[stages]]\nkind = \"knockout\"\n";
        let file = ContestFile::parse(Path::new("c.toml"), text, available()).unwrap();
        let refused = |json: &str| through_a_record(&file, Some(json.to_string())).unwrap_err().to_string();
        for (json, said) in [
            ("{}", "contest_json: missing field `v`"),
            ("{ \"v\": 2, \"phases\": [] }", "it holds the contest in form 2, and this kit knows form 1"),
            ("{ \"v\": 1, \"groups\": [], \"stages\": [] }", "a contest has 1 to 256 stages, not 0"),
            ("{ \"v\": 1, \"groups\": [], \"stages\": [{}] }", "missing field `format`"),
        ] {
            let words = refused(json);
            assert!(words.contains(said), "{said:?} is not in {words}");
        }
    }

    #[test]
    fn a_record_without_entrants_is_no_contest_yet() {
        let folder = tempfile::tempdir().unwrap();
        let writer = Writer::create(&folder.path().join("c.db"), &Header::default()).unwrap();
        let wrong = ContestFile::recorded(&writer, available().games).unwrap_err();
        assert!(wrong.to_string().ends_with("ended before its entrants were known: run it again"), "{wrong}");
    }
}
