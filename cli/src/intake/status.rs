//! Status files: for the author of each entry, whether it may play, what fails and how to fix it, and an index of them for
//! the organizer. The authors' files name no path of the organizer's machine.

use crate::{CliError, output, show};
use cornerman_conformance::report::{self, Layout, Style};
use cornerman_conformance::{BotReport, files};
use cornerman_harness::toolchain::cache;
use std::fs;
use std::path::Path;

/// The file that lists the others: entry, file and verdict.
const INDEX: &str = "index.csv";

/// Writes a file for each report and their index into `folder`, which is created if need be. Each file is written whole
/// or not at all.
///
/// # Errors
/// When the folder or a file cannot be written.
pub(crate) fn write(folder: &Path, reports: &[BotReport], layout: &Layout) -> Result<(), CliError> {
    let layout = &Layout { style: Style::plain(), ..layout.clone() };
    fs::create_dir_all(folder)
        .map_err(|error| CliError::internal(error, format_args!("creating {}", folder.display())))?;
    let names = files::folder_names(reports.iter().map(|report| report.name.as_str()));
    let mut index = csv::Writer::from_writer(Vec::new());
    let unwritten = |error: csv::Error| CliError::Internal(error.into());
    index.write_record(["entry", "file", "verdict"]).map_err(unwritten)?;
    for (report, name) in reports.iter().zip(names) {
        let name = name + ".txt";
        write_file(&folder.join(&name), text(report, layout).as_bytes())?;
        index
            .write_record([&show::plain(&report.spec), &name, verdict(report, layout.strict)])
            .map_err(unwritten)?;
    }
    let index = index.into_inner().map_err(|error| CliError::Internal(error.into_error().into()))?;
    write_file(&folder.join(INDEX), &index)
}

fn write_file(path: &Path, content: &[u8]) -> Result<(), CliError> {
    let written = output::to_file(path, content);
    written.map_err(|error| CliError::internal(error, format_args!("writing {}", path.display())))
}

/// The verdict on an entry in a word.
fn verdict(report: &BotReport, strict: bool) -> &'static str {
    match (report.passes(strict), &report.kit_failure) {
        (_, Some(_)) => "not checked",
        (true, None) => "may play",
        (false, None) => "may not play",
    }
}

fn text(report: &BotReport, layout: &Layout) -> String {
    let verdict = match (report.passes(layout.strict), &report.kit_failure) {
        (_, Some(_)) => "It could not be checked, because the machine failed. That is not its fault.",
        (true, None) => "It follows the rules and may play.",
        (false, None) => "It may not play as it is. The report below says why, and how to fix it.",
    };
    let mut own = report.clone();
    // The author has neither the files nor the organizer's folders.
    for result in &mut own.results {
        result.files = None;
    }
    let spec = Path::new(&report.spec);
    own.spec = spec.file_name().unwrap_or(spec.as_os_str()).to_string_lossy().into_owned();
    let whole = std::path::absolute(spec).unwrap_or_default();
    let mut text = report::human(&own, layout);
    for folder in whole.parent().into_iter().chain(cache::folder().as_deref()) {
        text = text.replace(&format!("{}/", folder.display()), "");
    }
    format!("{}\n\n{verdict}\n\n{text}", show::plain(&report.name))
}
