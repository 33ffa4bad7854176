//! A contest on its way into a record and out of it again, so that whoever has the record needs no other file.
//!
//! The record keeps the texts of the contest file and of the ruleset, the boards, and what became of every entry.
//! What the file says of entries (patterns, paths, authors) is not asked again: the files may be gone.

use super::Kind;
use super::entrants::{EntrantText, SeedPrograms, reference};
use super::{ContestFile, Entrant, EntrantSource, Mistake, Out, Source, Stage, stages, top_level};
use crate::record::{EntrantRecord, Header, Record, RecordError, Role, StageRecord};
use crate::ruleset::Ruleset;
use cornerman::format::EntrantId;
use std::path::{Path, PathBuf};
use toml::Spanned;

impl ContestFile {
    /// What a record of the contest begins with, written by this version of the `kit`.
    pub fn header(&self, kit: &str) -> Header {
        let stage = |stage: &Stage| StageRecord {
            name: stage.name.clone(),
            kind: stage.kind.name().to_string(),
            programs: match &stage.kind {
                Kind::Seeding { programs, .. } => programs.iter().map(|&place| self.organizer(place)).collect(),
                _ => Vec::new(),
            },
        };
        Header {
            contest: self.name.clone(),
            contest_text: self.text.clone(),
            game: self.game.clone(),
            ruleset: self.ruleset.id.clone(),
            ruleset_text: self.ruleset.text.clone(),
            seed: self.seed,
            stages: self.stages.iter().map(stage).collect(),
            boards: self.boards.clone(),
            kit: kit.to_string(),
        }
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

    /// The contest that `record` is of, as it was begun. Nothing else is read; paths of entries are those that the
    /// contest file had, which counted from its own folder.
    ///
    /// # Errors
    /// When the record cannot be read or does not hold a contest whole, as that of a run which ended before its
    /// first game may.
    pub fn recorded(record: &Record) -> Result<ContestFile, RecordError> {
        let (header, entrants) = (record.header()?, record.entrants()?);
        let path = record.path();
        of(path, header, &entrants).map_err(|why| RecordError::NoContest { path: path.into(), why })
    }
}

fn of(path: &Path, header: Header, entrants: &[EntrantRecord]) -> Result<ContestFile, String> {
    if entrants.is_empty() {
        return Err("the run that began it ended before its entrants were known: run it again".to_string());
    }
    let first = |mistakes: Vec<Mistake>| mistakes.first().map(ToString::to_string).unwrap_or_default();
    let kept = |what: &str| PathBuf::from(format!("{} ({what})", path.display()));
    let ruleset = Ruleset::parse(&kept("ruleset"), &header.ruleset_text).map_err(|wrong| wrong.to_string())?;
    let file_path = kept("contest file");
    let source = Source { path: &file_path, text: &header.contest_text };
    let (top, tables) = top_level(source).map_err(|wrong| wrong.to_string())?;
    let who = Who::of(entrants, &top.group_names())?;
    let competing = who.entrants.len();
    let mut programs = Programs { stages: header.stages.into_iter(), competing };
    let stages = stages::read(source, tables, top.group_names(), &mut programs).map_err(first)?;
    let file = ContestFile::bare(source, top, ruleset);
    let Who { entrants, organizers, fillers, out } = who;
    // The seed that a run was begun with is a fact; the text is how it came about.
    let (seed, boards) = (header.seed, header.boards);
    Ok(ContestFile { seed, boards, entrants, organizers, fillers, out, stages, path: path.into(), ..file })
}

/// Everyone in the record, as the contest file has them.
#[derive(Default)]
struct Who {
    entrants: Vec<Entrant>,
    organizers: Vec<Entrant>,
    fillers: Vec<usize>,
    out: Vec<Out>,
}

impl Who {
    fn of(records: &[EntrantRecord], groups: &[&str]) -> Result<Who, String> {
        let mut who = Who::default();
        for record in records {
            let entry = entry(record, groups)?;
            match (&record.out, record.role) {
                (Some(why), _) => who.out.push(Out { entry, why: why.clone() }),
                (None, Role::Entry) => who.entrants.push(entry),
                (None, role) => {
                    who.fillers.extend((role == Role::Filler).then_some(who.organizers.len()));
                    who.organizers.push(entry);
                }
            }
        }
        Ok(who)
    }
}

fn entry(record: &EntrantRecord, groups: &[&str]) -> Result<Entrant, String> {
    let group = match &record.group {
        None => None,
        Some(name) => {
            let found = groups.iter().position(|group| group == name);
            Some(found.ok_or_else(|| format!("{} is in the group {name}, which there is not", record.name))?)
        }
    };
    let named = match record.spec.strip_prefix('@') {
        Some(id) => reference(id),
        None => Entrant { source: EntrantSource::Path(record.spec.clone().into()), ..reference(&record.spec) },
    };
    Ok(Entrant {
        spec: record.spec.clone(),
        name: Some(record.name.clone()),
        author: record.author.clone(),
        group,
        place: record.entered.unwrap_or_default(),
        ..named
    })
}

/// The seed programs as they were, stage by stage.
struct Programs {
    stages: std::vec::IntoIter<StageRecord>,
    /// How many entrants there are: the organizer's bots are numbered after them.
    competing: usize,
}

impl SeedPrograms for Programs {
    fn next(&mut self, _named: &[Spanned<EntrantText>]) -> Result<Vec<usize>, Mistake> {
        let seeding = self.stages.find(|stage| !stage.programs.is_empty());
        let place = |id: &EntrantId| id.index().saturating_sub(self.competing);
        Ok(seeding.iter().flat_map(|stage| stage.programs.iter().map(place)).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::REFERENCES;
    use super::*;
    use crate::record::Writer;

    /// What comes out of a record that `file` goes into.
    fn through_a_record(file: &ContestFile) -> ContestFile {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("c.db");
        let mut writer = Writer::create(&path, &file.header("0")).unwrap();
        writer.add_entrants(&file.entrant_records()).unwrap();
        ContestFile::recorded(&writer).unwrap()
    }

    #[track_caller]
    fn check(file: &ContestFile) {
        let again = through_a_record(file);
        assert_eq!(again.contest(), file.contest());
        // What is read again goes into a record as it came out.
        assert_eq!((again.header("0"), again.entrant_records()), (file.header("0"), file.entrant_records()));
        assert_eq!(
            (0..5).map(|n| again.board(n)).collect::<Vec<_>>(),
            (0..5).map(|n| file.board(n)).collect::<Vec<_>>()
        );
    }

    #[test]
    fn every_contest_that_comes_along_is_made_again_from_its_record() {
        let contests = Path::new(env!("CARGO_MANIFEST_DIR")).join("../contests");
        let files = std::fs::read_dir(contests).unwrap().map(|file| file.unwrap().path());
        let files: Vec<PathBuf> = files.filter(|file| file.extension().is_some_and(|end| end == "toml")).collect();
        assert!(files.len() >= 4, "{files:?}");
        for path in files {
            let file = ContestFile::read(&path, &REFERENCES).unwrap();
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
    fn groups_programs_boards_and_whoever_is_replaced_are_kept() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("given.arena"), cornerman::games::boxing::Arena::open().to_bytes())
            .unwrap();
        let text = "name = \"x\"\nseed = 3\nboards = [\"given.arena\"]\nfillers = [\"@random\"]\n\
            entrants = [{ path = \"@greedy\", author = \"Ann\" }, \"@mirror\"]\n\
            [[groups]]\nname = \"E\"\nentrants = [{ path = \"@first-fit\", author = \"Ann\" }, \"@smallest\"]\n\
            [[stages]]\nkind = \"seeding\"\nprograms = [\"@parity\"]\n\
            [[stages]]\nname = \"E\"\nkind = \"gauntlet\"\ngroup = \"E\"\n\
            [[stages]]\nname = \"again\"\nkind = \"seeding\"\nwho = \"all\"\nprograms = [\"@random\", \"@parity\"]\n";
        let mut file = ContestFile::parse(&folder.path().join("c.toml"), text, &REFERENCES).unwrap();
        let by = file.replaced(|_| Ok::<_, RecordError>(true)).unwrap();
        file.leave_out(|at, _| Some(format!("replaced by {} (B13)", by[at]?)));
        assert_eq!((file.out.len(), file.organizers.len(), file.boards.len()), (1, 3, 1));
        check(&file);
        let words: Vec<String> = through_a_record(&file).out.iter().map(ToString::to_string).collect();
        assert_eq!(words, ["@greedy does not play: replaced by 2 (B13)"]);
    }

    #[test]
    fn a_record_without_entrants_is_no_contest_yet() {
        let folder = tempfile::tempdir().unwrap();
        let writer = Writer::create(&folder.path().join("c.db"), &Header::default()).unwrap();
        let wrong = ContestFile::recorded(&writer).unwrap_err();
        assert!(wrong.to_string().ends_with("ended before its entrants were known: run it again"), "{wrong}");
    }
}
