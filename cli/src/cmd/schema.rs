//! `schema NAME`: the JSON Schema of what a command prints as JSON, of what judges read and write, or of a contest as a
//! record has it, from the types.

use super::check::endurance::EnduranceJson;
use super::doctor::DoctorJson;
use super::play::json::EventJson;
use super::rules::KeysJson;
use super::verify::VerifyJson;
use crate::{CliError, Exit, show};
use clap::Args;
use cornerman_harness::contest_spec::ContestSpec;
use cornerman_harness::judge::answer::AnswerFields;
use cornerman_harness::judge::hello::JudgeHello;
use cornerman_harness::judge::question::Question;
use cornerman_harness::nearest::suggestion;
use cornerman_report::audit::AuditReport;
use cornerman_report::check::BotObject;
use cornerman_report::comparison::ComparisonJson;
use cornerman_report::decisions::DecisionsJson;
use cornerman_report::export::ExportedJson;
use cornerman_report::facts::StandingsJson;
use cornerman_report::json::JsonOutput;
use cornerman_report::played::GamesJson;
use cornerman_report::rejudged::RejudgedJson;
use cornerman_report::replay::ReplayJson;
use cornerman_report::spar::ClimbJson;
use cornerman_report::why::WhyJson;
use schemars::{JsonSchema, Schema, schema_for};
use std::io::Write;

#[derive(Args)]
pub(crate) struct SchemaArgs {
    /// The command, such as standings, or judge-question, judge-hello, judge-answer [default: list those that have one]
    pub name: Option<String>,
}

/// Makes the schema of an output.
type MakeSchema = fn() -> Schema;

/// The schemas by their names: of outputs, each named after the command that prints it, of what judges read and write,
/// and of a contest as a record has it.
const OUTPUTS: [(&str, MakeSchema); 20] = [
    ("audit", schema::<AuditReport>),
    ("check", || schema_for!(BotObject)),
    ("check-endurance", schema::<EnduranceJson>),
    ("compare", schema::<ComparisonJson>),
    ("contest", || schema_for!(ContestSpec)),
    ("decisions", schema::<DecisionsJson>),
    ("doctor", schema::<DoctorJson>),
    ("export", schema::<ExportedJson>),
    ("games", schema::<GamesJson>),
    ("judge-answer", || schema_for!(AnswerFields)),
    ("judge-hello", || schema_for!(JudgeHello)),
    ("judge-question", || schema_for!(Question)),
    ("play", schema::<EventJson>),
    ("rejudge", schema::<RejudgedJson>),
    ("replay", schema::<ReplayJson>),
    ("rules-keys", schema::<KeysJson>),
    ("spar", schema::<ClimbJson>),
    ("standings", schema::<StandingsJson>),
    ("verify", schema::<VerifyJson>),
    ("why", schema::<WhyJson>),
];

fn schema<T: JsonSchema>() -> Schema {
    schema_for!(JsonOutput<T>)
}

/// Prints the schema, or the names of all.
pub(crate) fn run(args: &SchemaArgs) -> Result<Exit, CliError> {
    let mut out = show::stdout();
    let names = OUTPUTS.map(|(name, _)| name);
    let Some(wanted) = &args.name else {
        writeln!(out, "{}", names.join("\n"))?;
        return Ok(Exit::Fine);
    };
    let Some((_, schema)) = OUTPUTS.iter().find(|(name, _)| name == wanted) else {
        return Err(usage!("there is no schema `{}`; there are {}", show::plain(wanted), names.join(", "))
            .hint(suggestion(wanted, names)));
    };
    let text = serde_json::to_string_pretty(&schema()).expect("a schema is JSON");
    writeln!(out, "{text}")?;
    Ok(Exit::Fine)
}
