//! The stages of a contest: a format each, and who takes part.

mod kinds;
mod settings;

pub use kinds::{Bonus, DecidedBy, Kind, RoundBoards, Scoring};

use super::entrants::SeedPrograms;
use crate::nearest::did_you_mean;
use crate::toml_file::{Mistake, Source, Within};
use serde::Deserialize;
use settings::{KINDS, Kinds};
use toml::Spanned;
use toml::de::{DeTable, DeValue, Deserializer};

/// A stage of the contest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stage {
    /// Its name for people and for later stages.
    pub name: String,
    /// How it is played.
    pub kind: Kind,
    /// Who takes part.
    pub who: Who,
    /// The line of the file where it begins.
    pub line: usize,
}

/// Who takes part in a stage, best seed first. Stages count from 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Who {
    /// Every entrant, in the contest's order.
    All,
    /// The entrants of the group of this number (S1).
    Group(usize),
    /// The best of earlier stages.
    Top(Vec<Quota>),
    /// Everyone whom an earlier stage lets through, in the order of its standings: the finalists of brackets (F8),
    /// all of any other.
    Qualified(u8),
    /// Those who share first place in an earlier stage (B12).
    Tied(u8),
}

/// How many of a stage advance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Quota {
    /// The stage.
    pub stage: u8,
    /// How many.
    pub best: u16,
}

/// The keys that stages of all kinds have.
const COMMON: [&str; 6] = ["kind", "name", "who", "top", "from", "group"];

/// See [`COMMON`].
#[derive(Deserialize)]
struct Common {
    kind: Spanned<String>,
    name: Option<String>,
    who: Option<Spanned<String>>,
    top: Option<Spanned<OneOrMore<Within<1, 65535>>>>,
    from: Option<Spanned<OneOrMore<String>>>,
    group: Option<Spanned<String>>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum OneOrMore<T> {
    One(T),
    More(Vec<T>),
}

impl<T> OneOrMore<T> {
    fn list(&self) -> &[T] {
        match self {
            OneOrMore::One(one) => std::slice::from_ref(one),
            OneOrMore::More(list) => list,
        }
    }
}

/// The tables in the value of the key `stages`.
///
/// # Errors
/// When it is no list of tables or has too many.
pub fn tables<'a>(source: Source, stages: Spanned<DeValue<'a>>) -> Result<Vec<Spanned<DeTable<'a>>>, Mistake> {
    let at = stages.span().start;
    let wrong = |at| source.mistake(at, "stages are tables, each headed by [[stages]]");
    let DeValue::Array(list) = stages.into_inner() else { return Err(wrong(at)) };
    if list.is_empty() || list.len() > 200 {
        return Err(source.mistake(at, format!("a contest has 1 to 200 stages, not {}", list.len())));
    }
    let table = |value: Spanned<DeValue<'a>>| {
        let span = value.span();
        match value.into_inner() {
            DeValue::Table(table) => Ok(Spanned::new(span, table)),
            _ => Err(wrong(span.start)),
        }
    };
    list.into_iter().map(table).collect()
}

/// The stages of the file, where there are `groups` of entrants.
///
/// # Errors
/// Every stage that makes no sense.
pub fn read(
    source: Source,
    tables: Vec<Spanned<DeTable>>,
    groups: Vec<&str>,
    programs: &mut dyn SeedPrograms,
) -> Result<Vec<Stage>, Vec<Mistake>> {
    let mut reader = Reader { source, groups, kinds: Kinds::default(), stages: Vec::new() };
    let mut mistakes = Vec::new();
    for table in tables {
        if let Err(mistake) = reader.stage(table, programs) {
            mistakes.push(mistake);
        }
    }
    if mistakes.is_empty() { Ok(reader.stages) } else { Err(mistakes) }
}

struct Reader<'a> {
    source: Source<'a>,
    groups: Vec<&'a str>,
    kinds: Kinds,
    stages: Vec<Stage>,
}

impl Reader<'_> {
    fn stage(&mut self, table: Spanned<DeTable>, programs: &mut dyn SeedPrograms) -> Result<(), Mistake> {
        let span = table.span();
        let (common, own) =
            table.into_inner().into_iter().partition(|(key, _)| COMMON.contains(&&**key.get_ref()));
        let common: DeTable = common;
        let common = Common::deserialize(Deserializer::from(Spanned::new(span.clone(), common)))
            .map_err(|wrong| self.common_mistake(&wrong))?;
        let own = Deserializer::from(Spanned::new(span.clone(), own));
        let name = common.name.clone().unwrap_or_else(|| format!("Stage {}", self.stages.len() + 1));
        // Also kept if it is wrong, so that later stages can name it.
        let placeholder = Kind::Permutations { board: 0, scoring: Scoring::WinsThenScore, max_entrants: 7 };
        let line = self.source.line(span.start);
        let who = self.who(&common, span.start);
        let twice = self.stages.iter().find(|stage| stage.name == name).map(|stage| stage.line);
        self.stages.push(Stage { name: name.clone(), kind: placeholder, who: Who::All, line });
        if let Some(line) = twice {
            let words = format!("the stage in line {line} is called `{name}` too: give each its own `name`");
            return Err(self.source.mistake(span.start, words));
        }
        let kind = common.kind.get_ref().as_str();
        if !KINDS.contains(&kind) {
            let words =
                format!("unknown kind `{kind}`{}, there are {}", did_you_mean(kind, KINDS), KINDS.join(", "));
            return Err(self.source.mistake(common.kind.span().start, words));
        }
        let kind = self.kinds.read(kind, own, programs).map_err(|wrong| match wrong {
            settings::Wrong::Toml(wrong) => self.source.explain(&wrong, &COMMON),
            settings::Wrong::Mistake(mistake) => mistake,
            settings::Wrong::Words(words) => self.source.mistake(span.start, words),
        })?;
        let stage = self.stages.last_mut().expect("just pushed");
        (stage.kind, stage.who) = (kind, who?);
        Ok(())
    }

    fn common_mistake(&self, wrong: &toml::de::Error) -> Mistake {
        let mut mistake = self.source.explain(wrong, &COMMON);
        if mistake.words == "missing field `kind`" {
            mistake.words = format!("a stage without `kind`, which is one of {}", KINDS.join(", "));
        } else if mistake.words.contains("untagged enum") {
            mistake.words =
                "expected one, or a list: numbers from 1 to 65535 for `top`, names for `from`".to_string();
        }
        mistake
    }

    /// Who takes part in the next stage, whose table begins at the byte `at`.
    fn who(&self, common: &Common, at: usize) -> Result<Who, Mistake> {
        let given = [common.who.is_some(), common.top.is_some(), common.group.is_some()];
        if given.iter().filter(|given| **given).count() > 1 {
            return Err(self.source.mistake(at, "of `who`, `top` and `group` a stage has one"));
        }
        if let Some(group) = &common.group {
            let found = self.groups.iter().position(|name| name == group.get_ref());
            return found.map(Who::Group).ok_or_else(|| {
                let hint = did_you_mean(group.get_ref(), self.groups.iter().copied());
                self.source.mistake(group.span().start, format!("no group is called `{}`{hint}", group.get_ref()))
            });
        }
        let who = common.who.as_ref().map(|who| (who.get_ref().as_str(), who.span().start));
        if common.from.is_some() && who.is_some_and(|(who, _)| who == "all") {
            return Err(self.source.mistake(at, "`who = \"all\"` is everyone in the contest: leave out `from`"));
        }
        let is_later = !self.stages.is_empty() || common.from.is_some();
        match (who, &common.top) {
            (None, None) if !is_later => Ok(Who::All),
            (Some(("all", _)), _) => Ok(Who::All),
            (None, Some(top)) => self.top(&self.from(common, at)?, top),
            (None, None) | (Some(("qualified", _)), _) => self.one_from(common, at).map(Who::Qualified),
            (Some(("tied", _)), _) => self.one_from(common, at).map(Who::Tied),
            (Some((other, at)), _) => {
                let hint = did_you_mean(other, ["all", "tied", "qualified"]);
                let words = format!("unknown `who`: `{other}`{hint}, there are all, qualified, tied");
                Err(self.source.mistake(at, words))
            }
        }
    }

    fn top(&self, from: &[u8], top: &Spanned<OneOrMore<Within<1, 65535>>>) -> Result<Who, Mistake> {
        let best = top.get_ref().list();
        if best.len() != 1 && best.len() != from.len() {
            let words =
                format!("{} numbers for {} stages: give one for all or one for each", best.len(), from.len());
            return Err(self.source.mistake(top.span().start, words));
        }
        let quotas = from.iter().zip(best.iter().cycle());
        Ok(Who::Top(quotas.map(|(&stage, best)| Quota { stage, best: best.0 as u16 }).collect()))
    }

    fn one_from(&self, common: &Common, at: usize) -> Result<u8, Mistake> {
        match self.from(common, at)?[..] {
            [stage] => Ok(stage),
            _ => Err(self.source.mistake(at, "of several stages say how many of each advance, such as top = 4")),
        }
    }

    /// The stages that the next one takes its entrants from: those it names, or the one before.
    fn from(&self, common: &Common, at: usize) -> Result<Vec<u8>, Mistake> {
        let Some(from) = &common.from else {
            let before = self.stages.len().checked_sub(1);
            let none = || self.source.mistake(at, "there is no stage before this one to take entrants from");
            return before.map(|stage| vec![stage as u8]).ok_or_else(none);
        };
        let place = |name: &String| {
            let found = self.stages.iter().position(|stage| stage.name == *name);
            found.map(|stage| stage as u8).ok_or_else(|| {
                let hint = did_you_mean(name, self.stages.iter().map(|stage| stage.name.as_str()));
                self.source.mistake(from.span().start, format!("no earlier stage is called `{name}`{hint}"))
            })
        };
        from.get_ref().list().iter().map(place).collect()
    }
}
