//! What standard error says about a bot that wrote nothing to standard output: the error that stopped it at its
//! start, such as a missing module or a syntax error; or the answer itself, in the wrong place.

use crate::finding::Finding;
use crate::jobs::JobResult;
use crate::language::LANGUAGES;
use cornerman_harness::sandbox::{Ended, RunReport};
use cornerman_harness::text::escaped;

/// The most bytes of an error that are shown.
const MOST: usize = 200;

/// If the bot of `found`, a result in plain conditions, stopped at its start, or wrote an answer to standard error,
/// says so in the finding and ends the whole check: other runs would only show the same.
pub(crate) fn explain(found: &mut JobResult, is_answer: impl Fn(&[u8]) -> bool) {
    let explained = |finding: &mut Finding| {
        let report = &finding.evidence.report;
        let (what, hint) = match error(report) {
            _ if finding.cause.incidental => return None,
            Some(error) => (format!("it stopped at its start: {error}"), None),
            None if report.output.is_empty() && is_answer(&report.stderr) => (
                "it wrote its answer to standard error, and nothing to standard output".to_string(),
                Some(
                    "Write answers to standard output. What goes to standard error is only kept for you."
                        .to_string(),
                ),
            ),
            None => return None,
        };
        (finding.cause.what, finding.cause.hint) = (what, hint);
        Some(finding.cause.check)
    };
    let halted = found.findings.iter_mut().find_map(explained);
    found.halted = halted.or(found.halted);
}

/// The error that stopped the program of `report` before it wrote anything, if it names one.
fn error(report: &RunReport) -> Option<String> {
    let has_failed = matches!(report.ended, Ended::Exited(status) if status != 0);
    if !has_failed || !report.output.is_empty() {
        return None;
    }
    let text = String::from_utf8_lossy(&report.stderr);
    let names_error = |line: &&str| {
        LANGUAGES.start_errors_begin.iter().any(|words| line.starts_with(words))
            || LANGUAGES.start_errors_contain.iter().any(|words| line.contains(words))
    };
    let line = text.lines().map(str::trim).rfind(names_error)?;
    Some(escaped(&line.as_bytes()[..line.len().min(MOST)]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(stderr: &str, found: Option<&str>) {
        let report = RunReport { stderr: stderr.as_bytes().to_vec(), ..RunReport::from_ended(Ended::Exited(1)) };
        assert_eq!(error(&report).as_deref(), found);
        assert_eq!(error(&RunReport { output: b"0\n".to_vec(), ..report.clone() }), None);
        assert_eq!(error(&RunReport { ended: Ended::Exited(0), ..report }), None);
    }

    #[test]
    fn errors_at_the_start_are_told_from_others() {
        let python =
            "Traceback (most recent call last):\n  File \"bot.py\", line 1, in <module>\n    import numpy\n";
        let missing = "ModuleNotFoundError: No module named 'numpy'";
        check(&format!("{python}{missing}\n"), Some(missing));
        check(
            "  File \"bot.py\", line 3\n    x = (\n        ^\nSyntaxError: '(' was never closed\n",
            Some("SyntaxError: '(' was never closed"),
        );
        let library = "./bot: error while loading shared libraries: libx.so.1: cannot open shared object file";
        check(library, Some(library));
        check(&format!("{python}IndexError: list index out of range\n"), None);
        check("", None);
    }
}
