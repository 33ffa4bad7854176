//! The keys of ruleset files, as pages and messages show them.
//!
//! The structs that read a file are the only description of its keys, except for the rules that a judge declares: the
//! comment on a field is the key's meaning, its type the values. Both are read from the JSON schema of the structs.

use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde_json::Value;

/// A key of a ruleset file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RulesetKey {
    /// The table that it is in, such as `rules`; `None` if it is above the tables.
    pub table: Option<String>,
    /// Its name, such as `max_square`.
    pub name: String,
    /// What it means, with the numbers of its rules, such as `The largest side of a square (B2)`.
    pub meaning: String,
    /// The values that it can have, such as `1 to 16`.
    pub values: String,
    /// Whether every file must have it.
    pub required: bool,
    /// The value, as in a file, that it has if it is left out; `None` if it then has none.
    pub default: Option<String>,
}

/// The keys of a file that is read as a `File`: first those above the tables, then those of each table; in both, first
/// those that every file must have, in the order of the fields, then the others by name.
pub(crate) fn keys_of<File: JsonSchema>() -> Vec<RulesetKey> {
    let settings = SchemaSettings::default().with(|settings| settings.inline_subschemas = true);
    let file = settings.into_generator().into_root_schema_for::<File>().to_value();
    let (tables, above): (Vec<_>, Vec<_>) = fields(&file).partition(|field| is(field.schema, "object"));
    let mut keys: Vec<RulesetKey> = above.iter().map(|field| field.key(None)).collect();
    for table in tables {
        keys.extend(fields(table.schema).map(|field| field.key(Some(table.name))));
    }
    keys
}

/// A field of a struct, as its JSON schema describes it.
struct SchemaField<'a> {
    name: &'a str,
    schema: &'a Value,
    required: bool,
}

/// The fields of the struct with this `schema`: first the required ones, which a schema lists in the order of the
/// struct, then the others, which it lists by name.
fn fields(schema: &Value) -> impl Iterator<Item = SchemaField<'_>> {
    let required: Vec<&str> =
        schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    let properties = schema["properties"].as_object().into_iter().flatten();
    let mut fields: Vec<(usize, SchemaField)> = properties
        .map(|(name, schema)| {
            let place = required.iter().position(|required| required == name);
            (place.unwrap_or(usize::MAX), SchemaField { name, schema, required: place.is_some() })
        })
        .collect();
    fields.sort_by_key(|(place, _)| *place);
    fields.into_iter().map(|(_, field)| field)
}

impl SchemaField<'_> {
    fn key(&self, table: Option<&str>) -> RulesetKey {
        let meaning = self.schema["description"].as_str().unwrap_or_default().replace('\n', " ");
        RulesetKey {
            table: table.map(str::to_string),
            name: self.name.to_string(),
            meaning: meaning.trim_end_matches('.').to_string(),
            values: values(self.schema),
            required: self.required,
            default: self.schema.get("default").filter(|value| !value.is_null()).map(Value::to_string),
        }
    }
}

/// Whether values of this `schema` can be of the JSON type `name`. An optional value can also be null.
fn is(schema: &Value, name: &str) -> bool {
    match &schema["type"] {
        Value::Array(types) => types.iter().any(|one| one == name),
        one => one == name,
    }
}

/// The values that a `schema` allows, in words.
fn values(schema: &Value) -> String {
    if let Some(forms) = schema["anyOf"].as_array() {
        let forms: Vec<String> = forms.iter().filter(|form| !is(form, "null")).map(values).collect();
        forms.join(", or ")
    } else if let Some(choices) = schema["enum"].as_array() {
        let choices: Vec<String> = choices.iter().filter(|choice| !choice.is_null()).map(code).collect();
        choices.join(", ")
    } else if is(schema, "boolean") {
        "`true` or `false`".to_string()
    } else if is(schema, "string") {
        if schema["format"] == "date" { "a date" } else { "a string" }.to_string()
    } else if is(schema, "array") {
        let each = values(&schema["items"]);
        match (&schema["minItems"], &schema["maxItems"]) {
            (Value::Number(least), Value::Number(most)) if least == most => {
                format!("a list of {least}, each {each}")
            }
            _ => format!("a list, each {each}"),
        }
    } else if is(schema, "integer") || is(schema, "number") {
        let range = match (&schema["minimum"], &schema["maximum"]) {
            (Value::Number(least), Value::Number(most)) => format!("{least} to {most}"),
            (Value::Number(least), _) => format!("{least} or more"),
            (_, Value::Number(most)) => format!("{most} or less"),
            _ => if is(schema, "integer") { "a whole number" } else { "a number" }.to_string(),
        };
        match &schema["multipleOf"] {
            Value::Number(step) => format!("{range} in steps of {step}"),
            _ => range,
        }
    } else {
        "a table".to_string()
    }
}

fn code(value: &Value) -> String {
    format!("`{value}`")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kit::Within;
    use serde::Deserialize;

    /// A file of a game that is not among the built-in ones.
    #[derive(Deserialize, JsonSchema)]
    #[expect(dead_code, reason = "only its description is used")]
    struct UnlistedGameFile {
        /// A name
        /// on two lines.
        id: String,
        rules: UnlistedGameRules,
        #[serde(default)]
        fast: bool,
        empty: Empty,
    }

    #[derive(Deserialize, JsonSchema)]
    struct Empty {}

    #[derive(Deserialize, JsonSchema)]
    #[serde(rename_all = "kebab-case")]
    #[expect(dead_code, reason = "only its description is used")]
    struct UnlistedGameRules {
        zeal: Within<3, 9>,
        #[serde(default = "two")]
        boards: Within<1, 4>,
        any: u32,
        names: Option<Vec<String>>,
        colour: Option<StoneColour>,
        pair: [i64; 2],
        half: f64,
    }

    #[derive(Deserialize, JsonSchema)]
    #[serde(rename_all = "lowercase")]
    enum StoneColour {
        Red,
        Green,
    }

    fn two() -> Within<1, 4> {
        Within(2)
    }

    #[test]
    fn keys_are_those_of_the_structs_that_read_the_file() {
        let keys = keys_of::<UnlistedGameFile>();
        let shown: Vec<String> = keys
            .iter()
            .map(|RulesetKey { table, name, values, required, default, .. }| {
                let table = table.as_deref().unwrap_or("-");
                let default = default.as_deref().unwrap_or("-");
                format!("{table} {name}: {values}{} {default}", if *required { "," } else { ", optional," })
            })
            .collect();
        assert_eq!(
            shown,
            [
                "- id: a string, -",
                "- fast: `true` or `false`, optional, false",
                "rules zeal: 3 to 9, -",
                "rules any: 0 or more, -",
                "rules pair: a list of 2, each a whole number, -",
                "rules half: a number, -",
                "rules boards: 1 to 4, optional, 2",
                "rules colour: `\"red\"`, `\"green\"`, optional, -",
                "rules names: a list, each a string, optional, -",
            ]
        );
        assert_eq!(keys[0].meaning, "A name on two lines");
    }
}
