//! A file for each entry, to be mailed to its author: whether it plays, what fails and how to mend it.

use crate::exit::Failure;
use crate::show;
use anyhow::Context;
use cornerman_conformance::report::{self, Style};
use cornerman_conformance::{BotReport, files};
use std::fs;
use std::path::Path;

/// Writes the files of `reports` into `folder`, each whole or not at all.
///
/// # Errors
/// When one cannot be written.
pub fn write(folder: &Path, reports: &[BotReport]) -> Result<(), Failure> {
    let kit = |what: String| move |error: std::io::Error| Failure::Kit(anyhow::Error::from(error).context(what));
    fs::create_dir_all(folder).map_err(kit(format!("making {}", folder.display())))?;
    let names = files::folder_names(reports.iter().map(|report| report.name.as_str()));
    for (report, name) in reports.iter().zip(names) {
        let path = folder.join(name + ".txt");
        let write = || -> anyhow::Result<()> {
            let mut file = tempfile::NamedTempFile::new_in(folder)?;
            std::io::Write::write_all(&mut file, text(report).as_bytes())?;
            file.persist(&path)?;
            Ok(())
        };
        write().with_context(|| format!("writing {}", path.display())).map_err(Failure::Kit)?;
    }
    Ok(())
}

fn text(report: &BotReport) -> String {
    let verdict = match (report.passes(false), &report.kit_failure) {
        (_, Some(_)) => "It could not be checked, which is not its fault.",
        (true, None) => "It keeps to the rules and plays.",
        (false, None) => "It does not play as it is. What follows says why, and how to mend it.",
    };
    format!("{}\n\n{verdict}\n\n{}", show::plain(&report.name), report::human(report, &Style::plain()))
}
