//! `schema`: what commands print as JSON, and the samples of the documents, are as their schemas say.

use crate::support::{Ran, Scratch, checkout, trial};
use libtest_mimic::Trial;
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;

pub fn trials() -> Vec<Trial> {
    vec![
        trial!(what_commands_print_fits_its_schema),
        trial!(samples_of_the_documents_have_only_members_of_their_schemas),
        trial!(a_wrong_name_is_refused_with_the_nearest),
    ]
}

/// Commands that print JSON, with the name of its schema. `r.db` is a record of two stages.
const COMMANDS: [(&str, &str); 15] = [
    ("standings", "standings r.db --format json"),
    ("games", "games r.db --bot @greedy --format json"),
    ("audit", "audit r.db --format json"),
    ("decisions", "decisions r.db --format json"),
    ("export", "export r.db"),
    ("replay", "replay r.db s1/r1/m1/g1 --format json"),
    ("verify", "verify r.db --format json"),
    ("why", "why r.db s1/r1/m1/g1 --format json"),
    ("why", "why r.db --bot @greedy --format json"),
    ("rejudge", "rejudge r.db --set max_square=3 --format json"),
    ("rules-keys", "rules keys --format json"),
    ("check", "check @rock @random --run RP-NAME,BX-MOV --budget 1s --format json"),
    ("check-endurance", "check @rock --endurance 1s --format json"),
    ("doctor", "doctor --worker --format json"),
    ("play", "play @greedy @parity --format json"),
];

/// The pages with samples, and their schemas.
const SAMPLES: [(&str, &str); 5] = [
    ("docs/check-json.md", "check"),
    ("docs/standings-json.md", "standings"),
    ("docs/audit-json.md", "audit"),
    ("docs/export.md", "export"),
    ("docs/events-json.md", "play"),
];

/// The schema with this name.
pub fn schema(scratch: &Scratch, name: &str) -> Value {
    let ran = Ran::from_command(scratch.cornerman(["schema", name]));
    serde_json::from_str(&ran.fine()).expect("a schema is JSON")
}

fn what_commands_print_fits_its_schema() {
    let scratch = Scratch::new();
    scratch.file("r.db", fs::read(checkout("tests/data/records/samurai.db")).expect("a record"));
    for (name, command) in COMMANDS {
        let schema = schema(&scratch, name);
        let ran = Ran::from_command(scratch.cornerman(command.split_whitespace()));
        assert!(!ran.stdout.is_empty(), "{command}: {}", ran.stderr);
        for line in ran.stdout.lines() {
            let value = serde_json::from_str(line).expect("JSON");
            if let Err(why) = fits(&schema, &schema, &value) {
                panic!("{command}: {why}");
            }
            assert_eq!(value["schema"], 1, "{command}");
        }
    }
}

/// Whether a value is as a schema says. Only the keywords that occur in our schemas are understood.
pub fn fits(root: &Value, schema: &Value, value: &Value) -> Result<(), String> {
    if let Some(path) = schema["$ref"].as_str() {
        let referred = root.pointer(path.trim_start_matches('#')).ok_or("no such definition")?;
        fits(root, referred, value)?;
    }
    for either in ["anyOf", "oneOf"] {
        if let Some(all) = schema[either].as_array() {
            let tried: Vec<_> = all.iter().map(|one| fits(root, one, value)).collect();
            if tried.iter().all(Result::is_err) {
                return Err(format!("{value} is none of {either}: {tried:?}"));
            }
        }
    }
    let types: Vec<&str> = match &schema["type"] {
        Value::String(one) => vec![one],
        Value::Array(all) => all.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    };
    let own = match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(number) if number.is_f64() => "number",
        Value::Number(_) => "integer",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    };
    if !types.is_empty() && !types.iter().any(|name| *name == own || (*name == "number" && own == "integer")) {
        return Err(format!("{value} is not {types:?}"));
    }
    if schema.get("const").is_some_and(|wanted| wanted != value) {
        return Err(format!("{value} is not {}", schema["const"]));
    }
    for name in schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str) {
        value.get(name).filter(|_| value.is_object()).ok_or(format!("`{name}` is missing in {value}"))?;
    }
    for (name, inner) in schema["properties"].as_object().into_iter().flatten() {
        if let Some(member) = value.get(name) {
            fits(root, inner, member).map_err(|why| format!("{name}: {why}"))?;
        }
    }
    if let (Some(items), Some(all)) = (schema.get("items"), value.as_array()) {
        all.iter().try_for_each(|item| fits(root, items, item))?;
    }
    Ok(())
}

/// Samples leave out much (`…`), so that only their members can be compared.
fn samples_of_the_documents_have_only_members_of_their_schemas() {
    let scratch = Scratch::new();
    for (page, name) in SAMPLES {
        let mut known = BTreeSet::new();
        members(&schema(&scratch, name), &mut known);
        let text = fs::read_to_string(checkout(page)).expect("a page");
        let blocks = text.split("```").skip(1).step_by(2);
        let samples: Vec<&str> = blocks.filter(|block| block.contains("\"schema\":")).collect();
        assert!(!samples.is_empty(), "{page} has no sample");
        for sample in samples {
            for part in sample.split("\":").collect::<Vec<_>>().split_last().map_or(&[][..], |(_, parts)| parts) {
                let member = part.rsplit('"').next().unwrap_or_default();
                assert!(known.contains(member), "{page} has `{member}`, which is not in the schema {name}");
            }
        }
    }
}

/// The names of all members of a schema.
fn members(schema: &Value, known: &mut BTreeSet<String>) {
    match schema {
        Value::Object(all) => {
            known.extend(
                all.get("properties")
                    .and_then(Value::as_object)
                    .into_iter()
                    .flatten()
                    .map(|(name, _)| name.clone()),
            );
            for inner in all.values() {
                members(inner, known);
            }
        }
        Value::Array(all) => {
            for inner in all {
                members(inner, known);
            }
        }
        _ => {}
    }
}

fn a_wrong_name_is_refused_with_the_nearest() {
    let scratch = Scratch::new();
    let all = Ran::from_command(scratch.cornerman(["schema"])).fine();
    assert!(COMMANDS.iter().all(|(name, _)| all.lines().any(|line| line == *name)), "{all}");
    let ran = Ran::from_command(scratch.cornerman(["schema", "standing"]));
    assert_eq!(ran.code, Some(2));
    assert!(ran.stderr.contains("did you mean `standings`?"), "{}", ran.stderr);
}
