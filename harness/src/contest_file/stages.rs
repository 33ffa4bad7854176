//! Reads the stages of a contest: the format of each, and who takes part.

use super::entrants::Organizers;
use super::keys::EntrantText;
use crate::contest_spec::StageSpec;
use crate::nearest::did_you_mean;
use crate::toml_file::{Mistake, SourceFile, Within, all_of};
use cornerman::contest::{Participants, Quota};
use cornerman::formats::{Format, GameDefaults, Repetition, SettingsError};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::ops::{Range, RangeInclusive};
use toml::Spanned;
use toml::de::{DeTable, Deserializer};

/// The keys that stages of every kind have.
const COMMON: [&str; 6] = ["kind", "name", "who", "top", "from", "group"];

/// The values of the keys in [`COMMON`].
#[derive(Deserialize)]
struct Common {
    kind: Spanned<String>,
    name: Option<String>,
    who: Option<Spanned<String>>,
    top: Option<Spanned<OneOrMore<Within<1, 65535>>>>,
    from: Option<Spanned<OneOrMore<String>>>,
    group: Option<Spanned<String>>,
}

/// The key for [programs](Format::has_seed_programs) that entrants play against. The file has their paths or names, the
/// format their numbers.
const PROGRAMS: &str = "programs";

#[derive(Deserialize)]
struct Programs {
    programs: Option<Vec<Spanned<EntrantText>>>,
}

/// One value, or a list of values.
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

/// Reads the stages. Returns each with the line of the file where it begins, from 1. A stage can refer to the `groups`
/// of entrants, and its format must fit the numbers of `seats` of a game. What it leaves out has the `defaults` of the
/// game. Its seed programs are added to `organizers`.
pub(super) fn read(
    source: SourceFile,
    tables: Vec<Spanned<DeTable>>,
    groups: Vec<&str>,
    seats: RangeInclusive<u8>,
    organizers: &mut Organizers,
    defaults: &GameDefaults,
) -> Result<Vec<(StageSpec, usize)>, Vec<Mistake>> {
    let named_boards = named_boards(&tables);
    let names = Vec::new();
    let mut reader = StageReader { source, groups, seats, defaults, named_boards, next_board: 0, names };
    all_of(tables.into_iter().map(|table| reader.stage(table, organizers)))
}

/// The numbers of the boards that stages name. Stages with mistakes count as if they named none.
fn named_boards(tables: &[Spanned<DeTable>]) -> Vec<Range<u32>> {
    let of_stage = |(stage, table): (u8, &Spanned<DeTable>)| {
        let keys = table.get_ref().iter().filter(|(key, _)| !COMMON.contains(&&**key.get_ref()));
        let own: DeTable = keys
            .filter(|(key, _)| **key.get_ref() != *PROGRAMS)
            .map(|(key, value)| (key.clone(), value.clone()))
            .collect();
        let kind = table.get_ref().get("kind")?.get_ref().as_str()?;
        let format = Format::read(kind, Deserializer::from(Spanned::new(table.span(), own)))?.ok()?;
        Some(format.boards(stage))
    };
    (0..=u8::MAX).zip(tables).filter_map(of_stage).flatten().collect()
}

/// Reads one stage after another.
struct StageReader<'a> {
    source: SourceFile<'a>,
    groups: Vec<&'a str>,
    seats: RangeInclusive<u8>,
    defaults: &'a GameDefaults,
    /// The numbers of the boards that any stage names.
    named_boards: Vec<Range<u32>>,
    /// The first board number after those of all stages so far, because each stage has its own boards by default.
    next_board: u32,
    /// The names and lines of all stages so far, including invalid ones, because later stages may refer to them.
    names: Vec<(String, usize)>,
}

impl StageReader<'_> {
    /// Reads the next stage. Returns it with the line where it begins, from 1.
    fn stage(
        &mut self,
        table: Spanned<DeTable>,
        organizers: &mut Organizers,
    ) -> Result<(StageSpec, usize), Mistake> {
        let span = table.span();
        let (common, own) =
            table.into_inner().into_iter().partition(|(key, _)| COMMON.contains(&&**key.get_ref()));
        let common: DeTable = common;
        let common = Common::deserialize(Deserializer::from(Spanned::new(span.clone(), common)))
            .map_err(|error| self.common_mistake(&error))?;
        let name = common.name.clone().unwrap_or_else(|| format!("Stage {}", self.names.len() + 1));
        let line = self.source.line(span.start);
        let who = self.participants(&common, span.start);
        let namesake = self.names.iter().find(|(earlier, _)| *earlier == name).map(|(_, line)| *line);
        self.names.push((name.clone(), line));
        if let Some(line) = namesake {
            let message = format!("the stage in line {line} is also called `{name}`: give each its own `name`");
            return Err(self.source.mistake(span.start, message));
        }
        let format = self.format(&common.kind, Spanned::new(span, own), organizers)?;
        Ok((StageSpec { name, format, who: who? }, line))
    }

    /// Reads the format of this kind from a table that contains only the format's own keys.
    fn format(
        &mut self,
        kind: &Spanned<String>,
        table: Spanned<DeTable>,
        organizers: &mut Organizers,
    ) -> Result<Format, Mistake> {
        let span = table.span();
        let name = kind.get_ref().as_str();
        let explain = |error: toml::de::Error| self.source.explain(&error, &COMMON);
        let has_seed_programs = Format::has_seed_programs(name);
        let (named, own): (DeTable, DeTable) =
            table.into_inner().into_iter().partition(|(key, _)| has_seed_programs && **key.get_ref() == *PROGRAMS);
        let places = own.keys().map(|key| (key.get_ref().to_string(), key.span().start));
        let mut places: BTreeMap<String, usize> = places.collect();
        places.insert("kind".to_string(), kind.span().start);
        let Some(format) = Format::read(name, Deserializer::from(Spanned::new(span.clone(), own))) else {
            let names = Format::NAMES;
            let hint = did_you_mean(name, names.iter().copied());
            let message = format!("unknown kind `{name}`{hint}; the kinds are {}", names.join(", "));
            return Err(self.source.mistake(kind.span().start, message));
        };
        let mut format = format.map_err(explain)?;
        if self.defaults.repetition == Repetition::IsTheSame && format.games_per_order() > 1 {
            let why = "the rules have the same seeds for every game, so that more games of a pair in the same order would \
                       be the same game again: leave this out, or `seeds` out of the rules";
            return Err(self.source.mistake(*places.get("games_per_order").unwrap_or(&span.start), why));
        }
        let error = |SettingsError { key, why }| self.source.mistake(*places.get(key).unwrap_or(&span.start), why);
        self.next_board = self.fill_in_defaults(&mut format).map_err(error)?;
        if let Some(numbers) = format.seed_programs_mut() {
            let named = Programs::deserialize(Deserializer::from(Spanned::new(span.clone(), named)));
            let named = named.map_err(explain)?.programs;
            *numbers = organizers.seed_programs(kind.span().start, named.as_deref())?;
            if numbers.is_empty() {
                let message = if named.is_some() {
                    "`programs` is empty: name at least one, or leave the key out to use the default ones"
                } else {
                    "this game has no seed programs of its own: name at least one in `programs`"
                };
                return Err(self.source.mistake(span.start, message));
            }
        }
        Ok(format)
    }

    /// Fills in the defaults of the stage that is read. By default it plays on boards that no earlier stage has and no
    /// stage names (F6). Returns the first board number after those of this stage and of all before it.
    fn fill_in_defaults(&self, format: &mut Format) -> Result<u32, SettingsError> {
        let stage = self.names.len() as u8 - 1;
        let mut next_board = self.next_board;
        let own = format.boards(stage);
        loop {
            let mut filled = format.clone();
            filled.fill_in_game_defaults(self.defaults, next_board);
            let after = filled.fill_in_defaults(&self.seats, next_board)?;
            let mut chosen = filled.boards(stage).into_iter().filter(|numbers| !own.contains(numbers));
            let is_taken = |numbers: Range<u32>| {
                let overlaps = |named: &&Range<u32>| named.start < numbers.end && numbers.start < named.end;
                self.named_boards.iter().find(overlaps)
            };
            match chosen.find_map(is_taken) {
                Some(named) => next_board = named.end,
                None => {
                    *format = filled;
                    return Ok(after);
                }
            }
        }
    }

    /// The mistake in the keys of [`COMMON`] that `error` reports.
    fn common_mistake(&self, error: &toml::de::Error) -> Mistake {
        let mut mistake = self.source.explain(error, &COMMON);
        if mistake.message == "missing field `kind`" {
            mistake.message = format!("the stage has no `kind`, which is one of {}", Format::NAMES.join(", "));
        } else if mistake.message.contains("untagged enum") {
            mistake.message =
                "expected one value or a list: numbers from 1 to 65535 for `top`, names for `from`".to_string();
        }
        mistake
    }

    /// The participants of the next stage, whose table begins at byte `at`.
    fn participants(&self, common: &Common, at: usize) -> Result<Participants, Mistake> {
        let given = [common.who.is_some(), common.top.is_some(), common.group.is_some()];
        if given.iter().filter(|given| **given).count() > 1 {
            return Err(self.source.mistake(at, "a stage can have only one of `who`, `top` and `group`"));
        }
        if let Some(group) = &common.group {
            let found = self.groups.iter().position(|name| name == group.get_ref());
            return found.map(|group| Participants::Group(group as u16)).ok_or_else(|| {
                let hint = did_you_mean(group.get_ref(), self.groups.iter().copied());
                self.source.mistake(group.span().start, format!("no group is called `{}`{hint}", group.get_ref()))
            });
        }
        let who = common.who.as_ref().map(|who| (who.get_ref().as_str(), who.span().start));
        if common.from.is_some() && who.is_some_and(|(who, _)| who == "all") {
            return Err(self
                .source
                .mistake(at, "`who = \"all\"` means everyone in the contest: leave out `from`"));
        }
        let is_later = !self.names.is_empty() || common.from.is_some();
        match (who, &common.top) {
            (None, None) if !is_later => Ok(Participants::All),
            (Some(("all", _)), _) => Ok(Participants::All),
            (None, Some(top)) => self.best_of(&self.sources(common, at)?, top),
            (None, None) | (Some(("qualified", _)), _) => {
                self.one_source(common, at).map(|stage| Participants::Qualified { stage })
            }
            (Some(("tied", _)), _) => {
                self.one_source(common, at).map(|stage| Participants::TiedForFirst { stage })
            }
            (Some((other, at)), _) => {
                let hint = did_you_mean(other, ["all", "tied", "qualified"]);
                let message = format!("unknown `who`: `{other}`{hint}; it is one of all, qualified, tied");
                Err(self.source.mistake(at, message))
            }
        }
    }

    /// The best entrants of the stages `from`: `top` of each.
    fn best_of(&self, from: &[u8], top: &Spanned<OneOrMore<Within<1, 65535>>>) -> Result<Participants, Mistake> {
        let best = top.get_ref().list();
        let one_for_all = matches!(top.get_ref(), OneOrMore::One(_));
        if !one_for_all && best.len() != from.len() {
            let message = format!(
                "`top` lists {}, and `from` {}: list a number for each stage, or write one number for all, as in top = 4",
                best.len(),
                from.len()
            );
            return Err(self.source.mistake(top.span().start, message));
        }
        let quotas = from.iter().zip(best.iter().cycle());
        Ok(Participants::Best(quotas.map(|(&stage, best)| Quota { stage, best: best.0 as u16 }).collect()))
    }

    /// The only stage from which the next one takes its entrants.
    fn one_source(&self, common: &Common, at: usize) -> Result<u8, Mistake> {
        match self.sources(common, at)?[..] {
            [stage] => Ok(stage),
            _ => Err(self
                .source
                .mistake(at, "`from` has several stages: say how many of each advance, as in top = 4")),
        }
    }

    /// The stages from which the next one takes its entrants: those in `from`, or else the one before.
    fn sources(&self, common: &Common, at: usize) -> Result<Vec<u8>, Mistake> {
        let Some(from) = &common.from else {
            let before = self.names.len().checked_sub(1);
            let none = || self.source.mistake(at, "the first stage has no earlier stage to take entrants from");
            return before.map(|stage| vec![stage as u8]).ok_or_else(none);
        };
        let place = |name: &String| {
            let found = self.names.iter().position(|(earlier, _)| earlier == name);
            found.map(|stage| stage as u8).ok_or_else(|| {
                let hint = did_you_mean(name, self.names.iter().map(|(earlier, _)| earlier.as_str()));
                self.source.mistake(from.span().start, format!("no earlier stage is called `{name}`{hint}"))
            })
        };
        from.get_ref().list().iter().map(place).collect()
    }
}
