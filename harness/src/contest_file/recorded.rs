//! Writes a contest into a record and restores it from there, so that a record can be read without any other file.
//!
//! The record keeps the contest with all defaults filled in, the texts of the contest file and the ruleset, the boards,
//! and all entries. Patterns and paths of entries are not resolved again, because their files may no longer exist.

use super::entrants::{Entrant, ExcludedEntry, SeedPrograms};
use super::keys::{EntrantText, TopLevel, top_level};
use super::stages::{self, Defaults, Stage};
use super::{Boards, ContestFile};
use crate::kit::Games;
use crate::record::{EntrantRecord, Header, Record, RecordError, Role, StageRecord};
use crate::ruleset::Ruleset;
use crate::toml_file::{Mistake, Source};
use crate::tournament::GameSeeds;
use cornerman::contest::{self, Contest, Field, OrganizerBot};
use cornerman::format::EntrantId;
use cornerman::game::MAX_SEATS;
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use toml::Spanned;

impl ContestFile {
    /// The header for a record of this contest; `kit` is the version of the kit.
    pub fn header(&self, kit: &str) -> Header {
        let field = self.field();
        let programs = |stage: &Stage| -> Result<Vec<_>, _> {
            stage.played.format.seed_programs().iter().map(|&it| field.organizer(it)).collect()
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
            origin: None,
        }
    }

    fn resolved(&self) -> Resolved {
        let stages = self.stages.iter().map(|stage| stage.played.clone()).collect();
        let distinct_boards = self.distinct_boards;
        let seeds_vary = self.seeds_vary;
        Resolved { v: FORM, groups: self.groups.clone(), stages, distinct_boards, seeds_vary }
    }

    /// Takes the settings of the stages and the boards from the `header` of a record that was begun with this file, so
    /// that a contest goes on as it began even if the kit that began it had other defaults.
    pub fn resume(&mut self, header: &Header) {
        if !header.has_same_contest_text(&self.text) {
            return;
        }
        let resolved = match &header.contest_json {
            Some(json) => Resolved::from_json(json),
            None => {
                let seed_programs = |stage: &Stage| stage.played.format.seed_programs().to_vec();
                let mut programs = Programs(self.stages.iter().map(seed_programs).collect());
                Resolved::from_text(&self.path, header, self.seats(), &mut programs)
            }
        };
        // A record that cannot be used is reported when it is opened for writing.
        let Ok(resolved) = resolved else { return };
        if resolved.stages.len() == self.stages.len() {
            (self.distinct_boards, self.seeds_vary) = (resolved.distinct_boards, resolved.seeds_vary);
            for (stage, mut played) in self.stages.iter_mut().zip(resolved.stages) {
                played.format.take_limits(&stage.played.format);
                stage.played = played;
            }
        }
    }

    /// The bots of the contest file in the order of their numbers in the record, with what the file itself says of
    /// them. A bot without a name in the file gets its path or `@name`.
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
        let excluded =
            |it: &ExcludedEntry| EntrantRecord { out: Some(it.why.clone()), ..record(&it.entry, Role::Entry) };
        playing.chain(organizers).chain(self.excluded.iter().map(excluded)).collect()
    }

    /// Restores the contest of `record` as it was when the record was created, without any other file.
    ///
    /// # Errors
    /// If the record cannot be read, or its contest is invalid or incomplete, as after a run that ended before its
    /// first game.
    pub fn recorded(record: &Record, games: &Games) -> Result<RecordedContest, RecordError> {
        let path = record.path();
        let header = record.header()?;
        let restored = read_contest(path, games, header, &record.entrants()?);
        restored.map_err(|why| RecordError::InvalidContest { path: path.into(), why })
    }

    /// The contest of `record` as it would be by another `ruleset` of its game.
    ///
    /// # Errors
    /// As for [`ContestFile::recorded`], and if the contest's stages are not possible by these rules.
    pub fn recorded_by(record: &Record, games: &Games, ruleset: &Ruleset) -> Result<RecordedContest, RecordError> {
        let path = record.path();
        let then = record.header()?;
        let header = Header { ruleset_text: ruleset.text.clone(), ..then };
        read_contest(path, games, header, &record.entrants()?).map_err(|why| RecordError::OtherRules {
            path: path.into(),
            ruleset: ruleset.id.clone(),
            why,
        })
    }
}

/// The version of the JSON form of [`Resolved`]. Changing the meaning of a member requires a new version.
const FORM: u32 = 1;

/// A contest file with all defaults filled in, so that new defaults or keys of a later kit do not change the contest.
/// The entrants are in the record's own list.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Resolved {
    v: u32,
    groups: Vec<String>,
    stages: Vec<contest::Stage>,
    /// Not in records of earlier kits.
    #[serde(default, skip_serializing_if = "is_false")]
    distinct_boards: bool,
    /// Not in records of earlier kits.
    #[serde(default, skip_serializing_if = "is_false")]
    seeds_vary: bool,
}

fn is_false(flag: &bool) -> bool {
    !flag
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
            Form { v } => Err(format!("contest_json has version {v}, but this kit reads version {FORM}")),
        }
    }

    /// Resolves the contest file of a record without `contest_json`, with the defaults of the kits that wrote such
    /// records.
    fn from_text(
        path: &Path,
        header: &Header,
        seats: RangeInclusive<u8>,
        programs: &mut Programs,
    ) -> Result<Resolved, String> {
        let source = Source { path, text: &header.contest_text };
        let TopLevel { top, stages: tables, .. } = top_level(source).map_err(|wrong| wrong.to_string())?;
        let first = |mistakes: Vec<Mistake>| mistakes.first().map(ToString::to_string).unwrap_or_default();
        let groups = top.group_names();
        let defaults = Defaults::OfEarlierKits;
        let stages = stages::read(source, tables, groups, seats, programs, defaults).map_err(first)?;
        let groups = top.group_names().into_iter().map(str::to_string).collect();
        let stages = stages.into_iter().map(|stage| stage.played).collect();
        Ok(Resolved { v: FORM, groups, stages, distinct_boards: false, seeds_vary: false })
    }
}

/// A contest restored from a record.
#[derive(Clone, Debug, PartialEq)]
pub struct RecordedContest {
    /// The rules.
    pub ruleset: Ruleset,
    /// The contest.
    pub contest: Contest,
    /// Whether generated boards differ from each other and from those of the contest file (F6).
    distinct_boards: bool,
    /// Whether repetitions of a game have seeds of their own.
    seeds_vary: bool,
}

impl RecordedContest {
    /// The boards of the contest, whose record has this `header`.
    pub fn boards(&self, header: &Header) -> Boards {
        Boards::new(&self.ruleset, &header.boards, header.seed, &self.contest, self.distinct_boards)
    }

    /// The seeds of the games of the contest, whose record has this `header`.
    pub fn game_seeds(&self, header: &Header) -> GameSeeds {
        GameSeeds { contest: header.seed, vary: self.seeds_vary }
    }
}

fn read_contest(
    path: &Path,
    games: &Games,
    header: Header,
    entrants: &[EntrantRecord],
) -> Result<RecordedContest, String> {
    if entrants.is_empty() {
        return Err("the run ended before the entrants were recorded: run the contest again".to_string());
    }
    let kept = |what: &str| PathBuf::from(format!("{} ({what})", path.display()));
    let ruleset = games.parse(&kept("ruleset"), &header.ruleset_text).map_err(|wrong| wrong.to_string())?;
    let (resolved, seats) = match &header.contest_json {
        Some(json) => (Resolved::from_json(json)?, ruleset.seats.0..=ruleset.seats.1),
        None => {
            // Those kits did not check that formats fit the number of seats.
            let mut programs = Programs::recorded(&header.stages, competing(entrants));
            (Resolved::from_text(&kept("contest file"), &header, ANY_SEATS, &mut programs)?, ANY_SEATS)
        }
    };
    let field = Field { seats, ..field(entrants, &resolved.groups)? };
    // The recorded seed counts, whatever the text of the contest file says.
    let contest = Contest::new(field, resolved.stages, header.seed).map_err(|wrong| wrong.to_string())?;
    let distinct_boards = resolved.distinct_boards;
    let seeds_vary = resolved.seeds_vary;
    Ok(RecordedContest { ruleset, contest, distinct_boards, seeds_vary })
}

const ANY_SEATS: RangeInclusive<u8> = 1..=MAX_SEATS;

/// The number of the record's entrants that compete; they come first.
fn competing(entrants: &[EntrantRecord]) -> u16 {
    entrants.iter().filter(|entrant| entrant.out.is_none() && entrant.role == Role::Entry).count() as u16
}

/// The numbers of entrants, groups and fillers in the record, given the names of the groups.
fn field(entrants: &[EntrantRecord], names: &[String]) -> Result<Field, String> {
    let playing = |entry: bool| {
        entrants.iter().filter(move |entrant| entrant.out.is_none() && (entrant.role == Role::Entry) == entry)
    };
    let mut field = Field::new(competing(entrants), playing(false).count() as u16);
    field.groups.resize(names.len(), Vec::new());
    for (id, entrant) in (0..=u16::MAX).map(EntrantId).zip(playing(true).chain(playing(false))) {
        if let Some(group) = &entrant.group {
            let of_group = names.iter().position(|name| name == group);
            let missing = || format!("{} is in the group {group}, which does not exist", entrant.name);
            field.groups[of_group.ok_or_else(missing)?].push(id);
        }
        field.fillers.extend((entrant.role == Role::Filler).then_some(id));
    }
    Ok(field)
}

/// The seed programs that are known already, stage by stage.
struct Programs(VecDeque<Vec<OrganizerBot>>);

impl Programs {
    /// Those of a record's stages, whose organizer's bots are numbered after this many that compete.
    fn recorded(stages: &[StageRecord], competing: u16) -> Programs {
        let place = |id: &EntrantId| OrganizerBot(id.0.saturating_sub(competing));
        Programs(stages.iter().map(|stage| stage.programs.iter().map(place).collect()).collect())
    }
}

impl SeedPrograms for Programs {
    fn next(&mut self, _: usize, _: Option<&[Spanned<EntrantText>]>) -> Result<Vec<OrganizerBot>, Mistake> {
        // Stages of other kinds have none.
        while self.0.front().is_some_and(Vec::is_empty) {
            self.0.pop_front();
        }
        Ok(self.0.pop_front().unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::available;
    use super::*;
    use crate::record::Writer;
    use cornerman::formats::{Board, Format};
    use std::collections::BTreeSet;

    /// Writes `file` into a record, and restores the contest from it.
    fn through_a_record(file: &ContestFile, contest_json: Option<String>) -> Result<RecordedContest, RecordError> {
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
        assert_eq!((&again.ruleset, &again.contest), (&file.ruleset, &contest));
        // Records of earlier kits have only the text.
        let earlier = through_a_record(file, None).unwrap().contest;
        let mut file = file.clone();
        file.resume(&Header { contest_json: None, ..file.header("0") });
        let contest = file.contest().unwrap();
        assert_eq!(earlier.stages(), contest.stages());
        assert_eq!(*earlier.field(), Field { seats: ANY_SEATS, ..contest.field().clone() });
    }

    #[test]
    fn every_example_contest_is_restored_from_its_record() {
        let contests = Path::new(env!("CARGO_MANIFEST_DIR")).join("../contests");
        let files = std::fs::read_dir(contests).unwrap().map(|file| file.unwrap().path());
        let files: Vec<PathBuf> = files.filter(|file| file.extension().is_some_and(|end| end == "toml")).collect();
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
        insta::assert_snapshot!(file.header("0").contest_json.unwrap());
    }

    #[test]
    fn a_contest_goes_on_with_the_settings_and_boards_that_it_began_with() {
        let text = |seed| {
            let brackets = "[[stages]]\nkind = \"brackets\"\n[[stages]]\nkind = \"knockout\"\nboards = [2]\n";
            let text = format!("name = \"x\"\nseed = {seed}\nentrants = [\"@greedy\", \"@mirror\"]\n{brackets}");
            ContestFile::parse(Path::new("c.toml"), &text, available()).unwrap()
        };
        // What an earlier kit recorded: equal boards, the better seed instead of tie-break games and lots.
        let json = |first_board| {
            format!(
                r#"{{
  "v": 1,
  "groups": [],
  "stages": [
    {{
      "format": {{
        "brackets": {{
          "first_board": {first_board},
          "k": 2,
          "decided_by": "wins"
        }}
      }},
      "who": "all"
    }},
    {{
      "format": {{
        "knockout": {{
          "boards": [
            2
          ],
          "games_per_order": 1,
          "third_place": false
        }}
      }},
      "who": {{
        "qualified": {{
          "stage": 0
        }}
      }}
    }}
  ]
}}"#
            )
        };
        let mut equal = 0;
        for seed in 0..40 {
            let mut file = text(seed);
            let now = file.header("0");
            assert_ne!(now.contest_json, Some(json(1)));
            let texts = |file: &ContestFile| {
                let boards = file.boards_of(&file.contest().unwrap());
                (0..40).map(|number| boards.get(number)).collect::<Vec<_>>()
            };
            let before = texts(&file);
            file.resume(&Header { contest_json: Some(json(1)), ..now.clone() });
            assert_eq!(file.header("0").contest_json, Some(json(1)), "it cannot be resumed");
            let Format::Brackets(settings) = &file.stages[0].played.format else { panic!("{file:?}") };
            assert_eq!((settings.first_board, settings.lots), (Some(Board(0)), None));
            let after = texts(&file);
            let distinct: BTreeSet<&Vec<u8>> = after.iter().collect();
            equal += usize::from(distinct.len() < after.len());
            let changed = before.iter().zip(&after).filter(|(before, after)| before != after).count();
            assert_eq!(changed > 0, distinct.len() < after.len(), "seed {seed}");
        }
        assert!(equal > 0, "no seed gives equal boards");

        // Without `contest_json`, and with another text of the contest file.
        let mut file = text(7);
        file.resume(&Header { contest_json: None, ..file.header("0") });
        assert_eq!(file.header("0").contest_json, Some(json(1)));
        let mut file = text(7);
        let other = text(8);
        file.resume(&Header { contest_json: Some(json(1)), ..other.header("0") });
        assert_eq!(file, text(7));
    }

    #[test]
    fn an_unknown_version_of_contest_json_is_refused() {
        let text = "name = \"x\"\nentrants = [\"@greedy\", \"@mirror\"]\n[[stages]]\nkind = \"knockout\"\n";
        let file = ContestFile::parse(Path::new("c.toml"), text, available()).unwrap();
        let refused = |json: &str| through_a_record(&file, Some(json.to_string())).unwrap_err().to_string();
        for (json, said) in [
            ("{}", "contest_json: missing field `v`"),
            ("{ \"v\": 2, \"phases\": [] }", "contest_json has version 2, but this kit reads version 1"),
            ("{ \"v\": 1, \"groups\": [], \"stages\": [] }", "a contest has 1 to 256 stages, not 0"),
            ("{ \"v\": 1, \"groups\": [], \"stages\": [{}] }", "missing field `format`"),
        ] {
            let message = refused(json);
            assert!(message.contains(said), "{said:?} is not in {message}");
        }
    }

    #[test]
    fn a_record_without_entrants_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let writer = Writer::create(&folder.path().join("c.db"), &Header::default()).unwrap();
        let wrong = ContestFile::recorded(&writer, available().games).unwrap_err();
        assert!(
            wrong.to_string().ends_with("ended before the entrants were recorded: run the contest again"),
            "{wrong}"
        );
    }
}
