//! Compares the contest, the rules and the entrants of a record with the present ones, key by key.

use super::{DecidedAction, EntrantRecord, Header, Record, RecordError, RecordErrorKind};
use crate::contest_spec::ContestSpec;
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// The members of a contest that an organizer may amend, because nothing that is played depends on them.
const AMENDABLE: [&str; 2] = ["name", "publish"];

/// The member of a contest whose numbers an organizer may raise: a bot that kept to the old limits keeps to wider ones.
const WIDENABLE: &str = "limits";

/// Keys of stages whose numbers may be raised while the contest is under way, because a greater one only allows more
/// (B12).
const RAISABLE: [&str; 1] = ["max_entrants"];

/// The change of a contest in which one of them was raised.
pub(super) const MORE_ENTRANTS: &str = "a stage allows more entrants";

/// The member of a stage that names its format. Stages of different formats have different other members.
const KIND: &str = "kind";

/// What is compared, in messages.
const CONTEST: &str = "the contest file";

/// What differs between a record and the present contest, rules or entrants.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Changes {
    /// Whether a number of one of the [`RAISABLE`] keys was raised.
    pub allows_more: bool,
    /// The changes that an organizer may make by an amendment, in the same form as `forbidden`.
    pub amendable: Vec<String>,
    /// Every other change: `seed was 7, and is 8 now`.
    pub forbidden: Vec<String>,
    /// The stages that have not begun, from 1, of which everything may be amended.
    pub open_stages: Vec<usize>,
}

impl Changes {
    /// The changes from one contest to another. `has_begun` says whether the stage of this number, from 0, has begun.
    fn of_contest(then: &ContestSpec, now: &ContestSpec, has_begun: impl Fn(usize) -> bool) -> Changes {
        let stages = 1..=then.stages.len();
        let open_stages = stages.filter(|stage| !has_begun(stage - 1)).collect();
        let mut changes = Changes { open_stages, ..Changes::default() };
        let [then, now] = [then, now].map(|spec| serde_json::to_value(spec).expect("all keys are texts"));
        changes.compare("", Some(&then), Some(&now));
        changes
    }

    /// The changes from the contest of `record`, which has the header `then`.
    ///
    /// # Errors
    /// If the record cannot be read, or one of the two contests is invalid.
    fn of_record(record: &Record, then: &Header, now: &Header) -> Result<Changes, RecordError> {
        if then.contest_json == now.contest_json {
            return Ok(Changes::default());
        }
        let begun = record.begun_stages()?;
        Ok(Changes::of_contest(&record.contest_of(then)?, &record.contest_of(now)?, |stage| {
            begun.contains(&stage)
        }))
    }

    /// The changes from one ruleset to another. Comments and white space do not matter.
    fn of_rulesets(then: &str, now: &str) -> Changes {
        let meaning =
            |text| toml::from_str(text).ok().and_then(|table: toml::Table| serde_json::to_value(table).ok());
        let mut changes = Changes::default();
        if then != now {
            changes.compare("", meaning(then).as_ref(), meaning(now).as_ref());
        }
        changes
    }

    /// The list for a change of the value that is called `key`: `amendable` or `forbidden`.
    fn list_for(&mut self, key: &str, is_raised: bool) -> &mut Vec<String> {
        let top = key.split_once('.').map_or(key, |(top, _)| top);
        let is_open = self.open_stages.iter().any(|stage| {
            key.strip_prefix(&format!("stages[{stage}]"))
                .is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        });
        let is_amendable = AMENDABLE.contains(&top) || is_open || is_raised;
        if is_amendable { &mut self.amendable } else { &mut self.forbidden }
    }

    /// Adds the changes of the value that is called `key`. `None` and null both mean that it is left out.
    fn compare(&mut self, key: &str, then: Option<&Value>, now: Option<&Value>) {
        let member = |name: &str| if key.is_empty() { name.to_string() } else { format!("{key}.{name}") };
        let [then, now] = [then, now].map(|value| value.filter(|value| !value.is_null()));
        match (then, now) {
            _ if then == now => {}
            (Some(Value::Object(then)), Some(Value::Object(now))) => {
                // Settings that only one of two formats has are not compared.
                let is_same_kind = then.get(KIND) == now.get(KIND);
                let names = then.keys().chain(now.keys()).collect::<BTreeSet<_>>();
                let is_shared = |name: &&String| then.contains_key(*name) && now.contains_key(*name);
                for name in names.into_iter().filter(|name| is_same_kind || is_shared(name)) {
                    self.compare(&member(name), then.get(name), now.get(name));
                }
            }
            (Some(Value::Array(then)), Some(Value::Array(now))) if then.len() == now.len() => {
                for (at, (then, now)) in (1..).zip(then.iter().zip(now)) {
                    self.compare(&format!("{key}[{at}]"), Some(then), Some(now));
                }
            }
            (Some(Value::Array(then)), Some(Value::Array(now))) => {
                let gone = then.iter().filter(|item| !now.contains(item));
                let new = now.iter().filter(|item| !then.contains(item));
                let mut changes: Vec<String> =
                    gone.map(|item| format!("{key} had {item}, and has it no more")).collect();
                changes.extend(new.map(|item| format!("{key} has {item} now, and had not")));
                if changes.is_empty() {
                    changes.push(format!("{key} had {} items, and has {} now", then.len(), now.len()));
                }
                self.list_for(key, false).extend(changes);
            }
            // A file, such as one of a judge.
            (Some(Value::String(then)), Some(Value::String(now))) if then.contains('\n') || now.contains('\n') => {
                let [mut then, mut now] = [then, now].map(|text| text.split_inclusive('\n'));
                let same = then.clone().zip(now.clone()).take_while(|(then, now)| then == now).count();
                let was = then.nth(same).unwrap_or_default();
                let is = now.nth(same).unwrap_or_default();
                let change = format!("line {} of {key} was {was:?}, and is {is:?} now", same + 1);
                self.list_for(key, false).push(change);
            }
            _ => self.compare_single(key, then, now),
        }
    }

    /// Adds the change of a value as a whole, from `then` to `now`.
    fn compare_single(&mut self, key: &str, then: Option<&Value>, now: Option<&Value>) {
        let is_limit = key.split('.').next() == Some(WIDENABLE);
        let may_be_raised = is_limit || RAISABLE.iter().any(|name| key.ends_with(name));
        // A number that was left out counts as lower than any other.
        let is_raised =
            may_be_raised && now.is_some() && then.and_then(Value::as_u64) <= now.and_then(Value::as_u64);
        if is_raised && !is_limit {
            self.allows_more = true;
            return;
        }
        let was = then.map_or("was left out".to_string(), |then| format!("was {then}"));
        let is = now.map_or("is left out".to_string(), |now| format!("is {now}"));
        let only = if may_be_raised && !is_raised { "; it may only be raised" } else { "" };
        let change = format!("{key} {was}, and {is} now{only}");
        self.list_for(key, is_raised).push(change);
    }

    /// Whether the changes in `what` allow more than before, when nothing else has changed.
    ///
    /// # Errors
    /// [`RecordErrorKind::Changed`] or [`RecordErrorKind::NotAmended`], if anything else has changed.
    fn allow_more(self, record: &Record, what: &'static str) -> Result<bool, RecordError> {
        if !self.forbidden.is_empty() {
            let changes = [self.forbidden, self.amendable].concat();
            return Err(RecordErrorKind::Changed { what, changes }.at(record.path()));
        }
        if !self.amendable.is_empty() {
            return Err(RecordErrorKind::NotAmended(self.amendable).at(record.path()));
        }
        Ok(self.allows_more)
    }
}

/// Checks that the record's contest and rules are those of `header`, or allow less. Returns whether they allow less.
///
/// # Errors
/// [`RecordErrorKind::Changed`], [`RecordErrorKind::NotAmended`] or [`RecordErrorKind::BoardChanged`], with what
/// differs.
pub(super) fn unchanged(record: &Record, header: &Header) -> Result<bool, RecordError> {
    let then = record.header()?;
    let allows_more = Changes::of_record(record, &then, header)?.allow_more(record, CONTEST)?;
    same_rules(record, &then, header)?;
    Ok(allows_more)
}

/// Checks that the record, whose header is `then`, was created with the ruleset and the boards of `header`.
///
/// # Errors
/// [`RecordErrorKind::Changed`] or [`RecordErrorKind::BoardChanged`], with what differs.
fn same_rules(record: &Record, then: &Header, header: &Header) -> Result<(), RecordError> {
    let mut changes = Changes::of_rulesets(&then.ruleset_text, &header.ruleset_text);
    let [boards_then, boards_now] = [then, header].map(|header| json!(header.boards.len()));
    changes.compare("the number of boards", Some(&boards_then), Some(&boards_now));
    changes.allow_more(record, "the ruleset")?;
    match (0..).zip(then.boards.iter().zip(&header.boards)).find(|(_, (then, now))| then != now) {
        Some((number, _)) => Err(RecordErrorKind::BoardChanged(number).at(record.path())),
        None => Ok(()),
    }
}

/// Whether an organizer may amend the contest of `then` to be that of `now`. `has_begun` says whether the stage of this
/// number, from 0, has begun.
pub(crate) fn may_be_amended(then: &Header, now: &Header, has_begun: impl Fn(usize) -> bool) -> bool {
    let (Ok(then), Ok(now)) = (then.spec(), now.spec()) else { return false };
    Changes::of_contest(&then, &now, has_begun).forbidden.is_empty()
}

/// Checks that the record's entrants, which were `then`, are those of `now`, by name, author, path, role and whether
/// they play. Their programs are not compared.
///
/// # Errors
/// [`RecordErrorKind::Changed`].
pub(super) fn same_entrants(
    record: &Record,
    then: &[EntrantRecord],
    now: &[EntrantRecord],
) -> Result<(), RecordError> {
    let identity = |who: &EntrantRecord| {
        json!({
            "name": who.name,
            "author": who.author,
            "path": who.spec,
            "role": who.role.name(),
            "plays": who.out.is_none(),
        })
    };
    let list = |entrants: &[EntrantRecord]| entrants.iter().map(identity).collect();
    let mut changes = Changes::default();
    changes.compare("entrants", Some(&list(then)), Some(&list(now)));
    changes.allow_more(record, "the list of entrants").map(drop)
}

impl Record {
    /// The decision that amends the contest to be that of `header`; `None` if nothing differs that must be amended.
    ///
    /// # Errors
    /// If the record cannot be read, or its contest differs in more than may be amended.
    pub fn amend(&self, header: &Header) -> Result<Option<DecidedAction>, RecordError> {
        let then = self.header()?;
        let changes = Changes::of_record(self, &then, header)?;
        let differs = !changes.amendable.is_empty();
        let allows_more = Changes { amendable: Vec::new(), ..changes }.allow_more(self, CONTEST)?;
        // A file that only allows more needs no decision, because the record takes it over when it is resumed; but once
        // the contest was amended, the file of the last amendment counts.
        let needs_decision = differs || allows_more && self.is_amended()?;
        same_rules(self, &then, header)?;
        let contest = Box::new(self.contest_of(header)?);
        Ok(needs_decision.then(|| DecidedAction::Amend {
            file: header.contest_text.clone(),
            contest,
            stages: header.stages.clone(),
        }))
    }

    /// Whether the contest was amended before: then the file of the last amendment counts, not the one that the record
    /// began with.
    pub(super) fn is_amended(&self) -> Result<bool, RecordError> {
        Ok(self.decisions()?.iter().any(|taken| matches!(taken.action, DecidedAction::Amend { .. })))
    }

    /// The contest of `header`, which is a header of this record.
    fn contest_of(&self, header: &Header) -> Result<ContestSpec, RecordError> {
        header.spec().map_err(|why| RecordErrorKind::InvalidContest(why.0).at(self.path()))
    }

    /// The stages, from 0, of which a game was recorded, or about which something was decided.
    pub(super) fn begun_stages(&self) -> Result<BTreeSet<usize>, RecordError> {
        let played = self.list("SELECT DISTINCT stage FROM games", |row| Ok(usize::from(row.get::<_, u8>(0)?)))?;
        let decided = self.decisions()?;
        let decided = decided.iter().filter_map(|taken| stage_of(&taken.action));
        Ok(played.into_iter().chain(decided).collect())
    }
}

/// The stage, from 0, of the game or round that `action` is about; `None` if it is about neither.
pub(crate) fn stage_of(action: &DecidedAction) -> Option<usize> {
    match action {
        DecidedAction::Annul(annul) => Some(annul.game.stage.into()),
        DecidedAction::Award(award) => Some(award.game.stage.into()),
        DecidedAction::Replace(replace) => Some(replace.stage.into()),
        _ => None,
    }
}

impl Header {
    /// What differs if the contest is amended to be `now`, key by key.
    pub fn amendments(&self, now: &ContestSpec) -> Vec<String> {
        let Ok(then) = self.spec() else { return Vec::new() };
        let Changes { forbidden, amendable, allows_more, .. } = Changes::of_contest(&then, now, |_| true);
        let more = allows_more.then(|| MORE_ENTRANTS.to_string());
        amendable.into_iter().chain(forbidden).chain(more).collect()
    }

    /// Whether the contest file has this `text`, apart from comments, white space and the number of workers, none of
    /// which changes what is played.
    pub(crate) fn has_contest_text(&self, text: &str) -> bool {
        let meaning = |text| {
            let table: Result<toml::Table, _> = toml::from_str(text);
            table.ok().map(|mut table| {
                table.remove("workers");
                table
            })
        };
        self.contest_text == text || meaning(&self.contest_text) == meaning(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contest_spec::{BotSpec, StageSpec};
    use crate::sandbox::Limits;
    use cornerman::contest::Participants;
    use cornerman::formats::{Bounded, Format, knockout, permutations};

    /// A contest of two stages, after `change`.
    fn contest(change: impl FnOnce(&mut ContestSpec)) -> ContestSpec {
        let named = |name: &str, format| StageSpec { name: name.to_string(), format, who: Participants::All };
        let settings =
            permutations::PermutationsSettings { max_entrants: Some(Bounded::new(7)), ..Default::default() };
        let stages = vec![named("All", Format::Permutations(settings)), named("Cup", knockout())];
        let mut spec = ContestSpec::new("Cup", 1, stages, &Limits::default());
        spec.entrants = ["a", "b"].map(|path| BotSpec { path: path.to_string(), ..BotSpec::default() }).to_vec();
        change(&mut spec);
        spec
    }

    fn knockout() -> Format {
        Format::Knockout(knockout::KnockoutSettings::default())
    }

    /// The changes from the contest to the one after `change`, when only the first stage has begun.
    fn changes(change: impl FnOnce(&mut ContestSpec)) -> Changes {
        Changes::of_contest(&contest(|_| ()), &contest(change), |stage| stage == 0)
    }

    #[track_caller]
    fn check(change: impl FnOnce(&mut ContestSpec), amendable: &[&str], forbidden: &[&str]) {
        let Changes { amendable: found_amendable, forbidden: found_forbidden, allows_more, .. } = changes(change);
        assert_eq!((&found_amendable[..], &found_forbidden[..]), (&owned(amendable)[..], &owned(forbidden)[..]));
        assert!(!allows_more);
    }

    fn owned(lines: &[&str]) -> Vec<String> {
        lines.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn most_changes_are_forbidden_and_named_key_by_key() {
        check(|_| (), &[], &[]);
        check(|now| now.seed = 2, &[], &["seed was 1, and is 2 now"]);
        check(|now| now.one_entry_per_author = false, &[], &["one_entry_per_author was true, and is false now"]);
        check(
            |now| now.isolation = Some(crate::sandbox::Level::Plain),
            &[],
            &["isolation was left out, and is \"plain\" now"],
        );
        check(
            |now| now.entrants[1].path = "c".to_string(),
            &[],
            &["entrants[2].path was \"b\", and is \"c\" now"],
        );
        check(
            |now| now.entrants[0].name = Some("Ann".to_string()),
            &[],
            &["entrants[1].name was left out, and is \"Ann\" now"],
        );
        check(
            |now| now.entrants[0].path = "a\nb".to_string(),
            &[],
            &["line 1 of entrants[1].path was \"a\", and is \"a\\n\" now"],
        );
        check(|now| drop(now.entrants.remove(0)), &[], &["entrants had {\"path\":\"a\"}, and has it no more"]);
        check(|now| now.entrants.push(now.entrants[0].clone()), &[], &["entrants had 2 items, and has 3 now"]);
    }

    #[test]
    fn the_name_and_the_texts_may_be_amended() {
        check(|now| now.name = "Club".to_string(), &["name was \"Cup\", and is \"Club\" now"], &[]);
        check(
            |now| now.publish.contact = Some("Ann".to_string()),
            &["publish.contact was left out, and is \"Ann\" now"],
            &[],
        );
    }

    #[test]
    fn limits_may_be_amended_to_wider_ones() {
        check(|now| now.limits.processes = 65, &["limits.processes was 64, and is 65 now"], &[]);
        let lower = "limits.processes was 64, and is 63 now; it may only be raised";
        check(|now| now.limits.processes = 63, &[], &[lower]);
    }

    #[test]
    fn stages_may_be_amended_before_they_begin() {
        let named = "name was \"Cup\", and is \"Final\" now";
        check(|now| now.stages[1].name = "Final".to_string(), &[&format!("stages[2].{named}")], &[]);
        check(
            |now| now.stages[1].format = now.stages[0].format.clone(),
            &["stages[2].kind was \"knockout\", and is \"permutations\" now"],
            &[],
        );
        check(
            |now| now.stages[0].format = knockout(),
            &[],
            &["stages[1].kind was \"permutations\", and is \"knockout\" now"],
        );
    }

    #[test]
    fn the_most_entrants_of_a_stage_may_be_raised() {
        let most = |most| {
            move |now: &mut ContestSpec| {
                let Format::Permutations(settings) = &mut now.stages[0].format else { unreachable!() };
                settings.max_entrants = Some(Bounded::new(most));
            }
        };
        let raised = changes(most(8));
        assert!(raised.allows_more && raised.amendable.is_empty() && raised.forbidden.is_empty(), "{raised:?}");
        check(most(6), &[], &["stages[1].max_entrants was 7, and is 6 now; it may only be raised"]);
    }

    #[test]
    fn rules_may_not_change_but_comments_may() {
        let forbidden = |then, now| Changes::of_rulesets(then, now).forbidden;
        assert_eq!(forbidden("rounds = 1\n", "# a comment\nrounds=1"), [""; 0]);
        assert_eq!(forbidden("[rules]\nrounds = 5", "[rules]\nrounds = 6"), ["rules.rounds was 5, and is 6 now"]);
    }

    #[test]
    fn comments_and_the_number_of_workers_do_not_make_another_contest_file() {
        let header = Header { contest_text: "seed = 1\nworkers = 2\n".to_string(), ..Header::default() };
        assert!(header.has_contest_text("# a comment\nworkers = 3\nseed=1"));
        assert!(!header.has_contest_text("seed = 2"));
    }
}
