//! Status files: for the author of each entry, whether it may play, what fails and how to fix it.

use crate::exit::CliError;
use crate::show;
use anyhow::Context;
use cornerman_conformance::report::{self, Layout, Style};
use cornerman_conformance::{BotReport, files};
use std::fs;
use std::path::Path;

/// Writes a file for each report into `folder`, which is created if need be. Each file is written whole or not at all.
///
/// # Errors
/// When the folder or a file cannot be written.
pub fn write(folder: &Path, reports: &[BotReport], layout: &Layout) -> Result<(), CliError> {
    let layout = &Layout { style: Style::plain(), ..layout.clone() };
    let created = fs::create_dir_all(folder).with_context(|| format!("creating {}", folder.display()));
    created.map_err(CliError::Internal)?;
    let names = files::folder_names(reports.iter().map(|report| report.name.as_str()));
    for (report, name) in reports.iter().zip(names) {
        let path = folder.join(name + ".txt");
        let write = || -> anyhow::Result<()> {
            let mut file = tempfile::NamedTempFile::new_in(folder)?;
            std::io::Write::write_all(&mut file, text(report, layout).as_bytes())?;
            file.persist(&path)?;
            Ok(())
        };
        write().with_context(|| format!("writing {}", path.display())).map_err(CliError::Internal)?;
    }
    Ok(())
}

fn text(report: &BotReport, layout: &Layout) -> String {
    let verdict = match (report.passes(layout.strict), &report.kit_failure) {
        (_, Some(_)) => "It could not be checked, because the machine failed. That is not its fault.",
        (true, None) => "It follows the rules and may play.",
        (false, None) => "It may not play as it is. The report below says why, and how to fix it.",
    };
    format!("{}\n\n{verdict}\n\n{}", show::plain(&report.name), report::human(report, layout))
}
