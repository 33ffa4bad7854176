//! Compares the contest that a record was created with to the present one, key by key.

use super::{AmendedStages, DecidedAction, EntrantRecord, Header, Record, RecordError};
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// Keys of a contest file that do not affect which games are played or how they end.
const IGNORED: [&str; 1] = ["workers"];

/// The keys of a contest file that an organizer may amend, because nothing that is played depends on them.
const AMENDABLE: [&str; 2] = ["name", "publish"];

/// The table of a contest file in which an organizer may amend numbers to greater ones: a bot that kept to the limits before
/// keeps to wider ones.
const WIDENABLE: &str = "limits";

/// Keys of stages whose numbers may be raised while the contest is under way, because a greater one only allows more
/// (B12).
const RAISABLE: [&str; 1] = ["max_entrants"];

/// What has changed since a record was created.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Changes {
    /// Whether a number was raised that may be raised.
    pub allows_more: bool,
    /// What may be amended, as in `forbidden`.
    pub amendable: Vec<String>,
    /// Every other change: `seed was 7, and is 8 now`.
    pub forbidden: Vec<String>,
    /// The stages that have not begun, from 1, of which everything may be amended.
    pub open_stages: Vec<usize>,
}

impl Changes {
    /// No changes yet of the contest of `record`.
    fn none_yet(record: &Record) -> Result<Changes, RecordError> {
        let begun = record.begun_stages()?;
        let stages = 1..=record.created()?.stages.len();
        let open_stages = stages.filter(|stage| !begun.contains(&(stage - 1))).collect();
        Ok(Changes { open_stages, ..Changes::default() })
    }

    /// The changes from `then` to `now`, two TOML texts. Comments, white space and the number of workers do not matter.
    fn of_files(then: &str, now: &str) -> Changes {
        Changes::default().and_of_files(then, now)
    }

    /// The same with the changes from `then` to `now`, two TOML texts.
    fn and_of_files(self, then: &str, now: &str) -> Changes {
        let meaning = |text: &str| {
            let mut table: toml::Table = toml::from_str(text).ok()?;
            for key in &IGNORED {
                table.remove(*key);
            }
            serde_json::to_value(table).ok()
        };
        self.and_of_texts(then, now, meaning)
    }

    /// The changes from `then` to `now`, two JSON texts.
    fn of_json(then: &str, now: &str) -> Changes {
        Changes::default().and_of_json(then, now)
    }

    /// The same with the changes from `then` to `now`, two JSON texts.
    fn and_of_json(self, then: &str, now: &str) -> Changes {
        self.and_of_texts(then, now, |text| serde_json::from_str(text).ok())
    }

    fn and_of_texts(mut self, then: &str, now: &str, meaning: impl Fn(&str) -> Option<Value>) -> Changes {
        if then != now {
            self.compare("", meaning(then).as_ref(), meaning(now).as_ref());
        }
        self
    }

    /// The list to which a change of the value that is called `key` belongs.
    fn list(&mut self, key: &str, is_raised: bool) -> &mut Vec<String> {
        let top = key.split_once('.').map_or(key, |(top, _)| top);
        let is_open = self.open_stages.iter().any(|stage| {
            key.strip_prefix(&format!("stages[{stage}]"))
                .is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        });
        let is_amendable = AMENDABLE.contains(&top) || is_open || is_raised;
        if is_amendable { &mut self.amendable } else { &mut self.forbidden }
    }

    /// Adds the changes of the value that is called `key`; `None` is one that is left out.
    fn compare(&mut self, key: &str, then: Option<&Value>, now: Option<&Value>) {
        let member = |name: &str| if key.is_empty() { name.to_string() } else { format!("{key}.{name}") };
        match (then, now) {
            _ if then == now => {}
            (Some(Value::Object(then)), Some(Value::Object(now))) => {
                for name in then.keys().chain(now.keys()).collect::<BTreeSet<_>>() {
                    self.compare(&member(name), then.get(name), now.get(name));
                }
            }
            (None, Some(Value::Object(now))) if key == WIDENABLE => {
                for (name, now) in now {
                    self.compare(&member(name), None, Some(now));
                }
            }
            (Some(Value::Array(then)), Some(Value::Array(now))) if then.len() == now.len() => {
                for (at, (then, now)) in (1..).zip(then.iter().zip(now)) {
                    self.compare(&format!("{key}[{at}]"), Some(then), Some(now));
                }
            }
            (Some(Value::Array(then)), Some(Value::Array(now))) => {
                let has = |list: &[Value], item: &&Value| list.contains(item);
                let gone = then.iter().filter(|item| !has(now, item));
                let gone = gone.map(|item| format!("{key} had {item}, and has it no more"));
                let new = now.iter().filter(|item| !has(then, item));
                let mut changes: Vec<String> =
                    gone.chain(new.map(|item| format!("{key} has {item} now, and had not"))).collect();
                if changes.is_empty() {
                    changes.push(format!("{key} had {} items, and has {} now", then.len(), now.len()));
                }
                self.list(key, false).extend(changes);
            }
            _ => {
                let top = key.split_once('.').map_or(key, |(top, _)| top);
                let is_limit = top == WIDENABLE;
                let may_be_raised = is_limit || RAISABLE.iter().any(|name| key.ends_with(name));
                // A number that was left out had a default, which is compared in the resolved contest.
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
                self.list(key, is_raised).push(change);
            }
        }
    }

    /// Whether more is allowed now.
    ///
    /// # Errors
    /// [`RecordError::Changed`] or [`RecordError::NotAmended`], if anything else has changed in `what`.
    fn allowed(self, record: &Record, what: &'static str) -> Result<bool, RecordError> {
        let path = record.path().into();
        if !self.forbidden.is_empty() {
            let changes = [self.forbidden, self.amendable].concat();
            return Err(RecordError::Changed { path, what, changes });
        }
        if !self.amendable.is_empty() {
            return Err(RecordError::NotAmended { path, changes: self.amendable });
        }
        Ok(self.allows_more)
    }
}

/// Checks that the record was created with `header`, or one that allows less. Returns whether the new one allows more.
///
/// # Errors
/// [`RecordError::Changed`] or [`RecordError::BoardChanged`], with what differs.
pub(super) fn unchanged(record: &Record, header: &Header) -> Result<bool, RecordError> {
    let then = record.header()?;
    let own = |header: &Header| json!({ "name": header.contest, "seed": header.seed }).to_string();
    let mut allows_more = false;
    for (what, changes) in [
        ("the contest file", Changes::none_yet(record)?.and_of_files(&then.contest_text, &header.contest_text)),
        ("the contest", Changes::of_json(&own(&then), &own(header))),
        ("the ruleset", Changes::of_files(&then.ruleset_text, &header.ruleset_text)),
        // Another version of the kit may have other defaults for the same file.
        (
            "this kit's interpretation of the contest file",
            Changes::none_yet(record)?.and_of_json(&then.contest_json, &header.contest_json),
        ),
    ] {
        allows_more |= changes.allowed(record, what)?;
    }
    match (0..).zip(then.boards.iter().zip(&header.boards)).find(|(_, (then, now))| then != now) {
        Some((number, _)) => Err(RecordError::BoardChanged { path: record.path().into(), number }),
        None => Ok(allows_more),
    }
}

/// Checks that the record's entrants, which were `then`, are those of `now`, apart from their programs.
///
/// # Errors
/// [`RecordError::Changed`].
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
    changes.allowed(record, "the list of entrants").map(drop)
}

impl Record {
    /// The decision that the contest is the one of `header` from here on; `None` if the record's is the same already.
    ///
    /// # Errors
    /// If the record cannot be read, or its contest differs in more than may be amended.
    pub fn amend(&self, header: &Header) -> Result<Option<DecidedAction>, RecordError> {
        let then = self.header()?;
        let Header { contest_text, contest_json, contest, .. } = then.clone();
        unchanged(self, &Header { contest, contest_text, contest_json, ..header.clone() })?;
        let changes = Changes::none_yet(self)?.and_of_files(&then.contest_text, &header.contest_text);
        let is_amended = !changes.amendable.is_empty();
        Changes { amendable: Vec::new(), ..changes }.allowed(self, "the contest file")?;
        let played = Changes::none_yet(self)?.and_of_json(&then.contest_json, &header.contest_json);
        Changes { amendable: Vec::new(), ..played }
            .allowed(self, "this kit's interpretation of the contest file")?;
        let is_played_otherwise = (&then.contest_json, &then.stages) != (&header.contest_json, &header.stages);
        let stages = is_played_otherwise
            .then(|| AmendedStages { resolved: header.contest_json.clone(), list: header.stages.clone() });
        let contest = header.contest.clone();
        let file = header.contest_text.clone();
        Ok((is_amended || stages.is_some()).then_some(DecidedAction::Amend { contest, file, stages }))
    }

    /// The stages, from 0, of which a game was recorded, or about which something was decided.
    ///
    /// # Errors
    /// If the record cannot be read.
    pub fn begun_stages(&self) -> Result<BTreeSet<usize>, RecordError> {
        let played = self.list("SELECT DISTINCT stage FROM games", |row| Ok(usize::from(row.get::<_, u8>(0)?)))?;
        let decided = self.decisions()?;
        let decided = decided.iter().filter_map(|taken| stage_of(&taken.action));
        Ok(played.into_iter().chain(decided).collect())
    }
}

/// The stage, from 0, of the game or the round that is decided about.
pub(crate) fn stage_of(action: &DecidedAction) -> Option<usize> {
    match action {
        DecidedAction::Annul(annul) => Some(annul.game.stage.into()),
        DecidedAction::Award(award) => Some(award.game.stage.into()),
        DecidedAction::Replace(replace) => Some(replace.stage.into()),
        _ => None,
    }
}

impl Header {
    /// Whether the contest file was this `text`, apart from changes that a contest under way may have.
    pub(crate) fn has_same_contest_text(&self, text: &str) -> bool {
        Changes::of_files(&self.contest_text, text).forbidden.is_empty()
    }

    /// What differs if the contest file is amended to be this `text`, key by key.
    pub fn amendments(&self, text: &str) -> Vec<String> {
        let Changes { forbidden, amendable, .. } = Changes::of_files(&self.contest_text, text);
        [amendable, forbidden].concat()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(then: &str, now: &str, allows_more: bool, forbidden: &[&str]) {
        let forbidden = forbidden.iter().map(ToString::to_string).collect();
        let changes = Changes { allows_more, forbidden, ..Changes::default() };
        assert_eq!(Changes::of_files(then, now), changes, "{then}, then {now}");
    }

    #[test]
    fn comments_and_the_number_of_workers_may_change() {
        check("seed = 1\n", "seed = 1\n", false, &[]);
        check("seed = 1\nworkers = 2\n", "# a comment\nworkers = 3\nseed=1", false, &[]);
    }

    #[test]
    fn other_changes_are_named_key_by_key() {
        check("seed = 1\n", "seed = 2\n", false, &["seed was 1, and is 2 now"]);
        check("", "seed = 2", false, &["seed was left out, and is 2 now"]);
        check("isolation = \"plain\"", "", false, &["isolation was \"plain\", and is left out now"]);
        check(
            "seed = 1\nentrants = [\"a\", \"b\"]\n[rules]\nrounds = 5",
            "seed = 1\nentrants = [\"a\", \"c\"]\n[rules]\nrounds = 6",
            false,
            &["entrants[2] was \"b\", and is \"c\" now", "rules.rounds was 5, and is 6 now"],
        );
        check(
            "entrants = [\"a\", \"b\"]",
            "entrants = [\"b\", \"c\", \"d\"]",
            false,
            &[
                "entrants had \"a\", and has it no more",
                "entrants has \"c\" now, and had not",
                "entrants has \"d\" now, and had not",
            ],
        );
        check("e = [1, 1]", "e = [1]", false, &["e had 2 items, and has 1 now"]);
    }

    #[test]
    fn the_name_and_the_texts_of_the_contest_may_be_amended_and_the_name_of_an_entrant_may_not() {
        let file = |name: &str, bot: &str| format!("name = \"{name}\"\n[[entrants]]\nname = \"{bot}\"");
        let changes = Changes::of_files(&file("Cup", "ann"), &file("Club cup", "bob"));
        assert_eq!(changes.amendable, ["name was \"Cup\", and is \"Club cup\" now"]);
        let texts = Changes::of_files(
            "[publish]\ncontact = \"Ann\"\nnotes.a = \"b\"",
            "[publish]\ncontact = \"Bob\"\n[published]",
        );
        let wanted = [
            "publish.contact was \"Ann\", and is \"Bob\" now",
            "publish.notes was {\"a\":\"b\"}, and is left out now",
        ];
        assert_eq!(texts.amendable, wanted);
        assert_eq!(texts.forbidden, ["published was left out, and is {} now"]);
        assert_eq!(changes.forbidden, ["entrants[1].name was \"ann\", and is \"bob\" now"]);
    }

    #[test]
    fn limits_may_be_amended_to_wider_ones() {
        let limits = |keys: &str| format!("[limits]\n{keys}");
        let changes = Changes::of_files(&limits("memory_mib = 64"), &limits("memory_mib = 128\nprocesses = 9"));
        assert_eq!(changes.forbidden, [""; 0]);
        assert_eq!(
            changes.amendable,
            ["limits.memory_mib was 64, and is 128 now", "limits.processes was left out, and is 9 now"]
        );
        assert_eq!(
            Changes::of_files("", &limits("processes = 9")).amendable,
            ["limits.processes was left out, and is 9 now"]
        );
        for (now, said) in [("memory_mib = 32", "is 32 now"), ("", "is left out now")] {
            let said = format!("limits.memory_mib was 64, and {said}; it may only be raised");
            check(&limits("memory_mib = 64"), &limits(now), false, &[&said]);
        }
    }

    #[test]
    fn the_most_entrants_of_a_stage_may_be_raised() {
        let stages = |keys: &str| format!("[[stages]]\nkind = \"permutations\"\n{keys}");
        check(&stages("max_entrants = 7"), &stages("max_entrants = 8"), true, &[]);
        check(&stages(""), &stages("max_entrants = 8"), true, &[]);
        for (then, now, said) in [
            (
                "max_entrants = 8",
                "max_entrants = 7",
                "stages[1].max_entrants was 8, and is 7 now; it may only be raised",
            ),
            ("max_entrants = 7", "", "stages[1].max_entrants was 7, and is left out now; it may only be raised"),
        ] {
            check(&stages(then), &stages(now), false, &[said]);
        }
        let with_board = "max_entrants = 8\nboard = 1";
        check(
            &stages("max_entrants = 7"),
            &stages(with_board),
            true,
            &["stages[1].board was left out, and is 1 now"],
        );
        check(
            &stages("max_entrants = 7"),
            &stages("max_entrants = 8\n[[stages]]"),
            false,
            &[
                "stages had {\"kind\":\"permutations\",\"max_entrants\":7}, and has it no more",
                "stages has {\"kind\":\"permutations\",\"max_entrants\":8} now, and had not",
                "stages has {} now, and had not",
            ],
        );
    }

    #[test]
    fn a_default_that_is_raised_is_compared_in_the_resolved_contest() {
        let json =
            |most: u32| format!("{{ \"stages\": [{{ \"permutations\": {{ \"max_entrants\": {most} }} }}] }}");
        let changes = |now| Changes::of_json(&json(7), &json(now));
        assert_eq!(changes(7), Changes::default());
        assert_eq!(changes(8), Changes { allows_more: true, ..Changes::default() });
        assert_eq!(changes(6).forbidden.len(), 1);
    }
}
