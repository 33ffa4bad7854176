//! What came of a tournament, as text or as JSON: standings, who met whom, rounds, remarks, forfeits.

use crate::cli::PlayFormat;
use crate::exit::Failure;
use cornerman::contest::Contest;
use cornerman::format::Results;
use cornerman_harness::record::{Header, Record, RecordError};
use cornerman_report::bracket::Rounds;
use cornerman_report::crosstable::Crosstable;
use cornerman_report::{Style, Tournament, remarks, standings};
use serde_json::{Value, json};
use std::io::Write;

/// Prints it, in the colours that a terminal wants.
pub fn tell(
    record: &Record,
    header: &Header,
    contest: &Contest,
    results: &Results,
    out: &[String],
    format: PlayFormat,
) -> Result<(), Failure> {
    let read = |error: RecordError| Failure::Kit(error.into());
    let (entrants, games, incidents) =
        (record.entrants().map_err(read)?, record.games().map_err(read)?, record.incidents().map_err(read)?);
    let tournament = Tournament::new(header, &entrants, contest, results);
    let begun = || tournament.stages().filter(|(_, progress)| progress.has_begun()).map(|(stage, _)| stage);
    let mut print = anstream::stdout();
    if format == PlayFormat::Json {
        let stage = |stage: u8| {
            let crosstable = Crosstable::of(&tournament, stage, &games).json(&tournament);
            let rounds = Rounds::of(&tournament, stage, &games).map(|rounds| rounds.json(&tournament));
            json!({ "stage": stage + 1, "crosstable": crosstable, "rounds": rounds })
        };
        let mut value = standings::json(&tournament);
        value["meetings"] = Value::from(begun().map(stage).collect::<Vec<_>>());
        value["remarks"] = remarks::json(&tournament, &incidents);
        value["not_playing"] = json!(out);
        writeln!(print, "{value}")?;
        return Ok(());
    }
    let style = Style::coloured();
    writeln!(print, "{}", standings::text(&tournament, style))?;
    for stage in begun() {
        writeln!(print, "{}", tournament.stage_title(stage))?;
        match Rounds::of(&tournament, stage, &games) {
            Some(rounds) => writeln!(print, "{}", rounds.text(&tournament, style))?,
            None => writeln!(print, "{}", Crosstable::of(&tournament, stage, &games).text(&tournament, style))?,
        }
    }
    write!(
        print,
        "{}{}",
        remarks::text(&tournament, style),
        remarks::incidents_text(&tournament, &incidents, style)
    )?;
    for line in out {
        writeln!(print, "{}", cornerman_report::shown(line))?;
    }
    Ok(())
}
