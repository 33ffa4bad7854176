//! What a single run of a bot shows: its faults, each under the id of the check that it fails.
//!
//! The most specific diagnosis wins, and what merely follows from it is not told again: of a run that was
//! killed or crashed the output is not judged.

use crate::catalog::{Catalogue, id};
use crate::words::{duration, escaped, signal_name};
use cornerman::game::Spot;
use cornerman::games::boxing::{Arena, LARGEST_SQUARE, judge};
use cornerman_harness::sandbox::{Ended, Limits, RunReport};

/// One fault seen in one run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The id of the check it fails.
    pub id: &'static str,
    /// What was seen, in words for the bot's author.
    pub what: String,
    /// Where on the arena, if it is anywhere.
    pub spots: Vec<Spot>,
}

impl Fault {
    fn of(id: &'static str, what: String) -> Fault {
        Fault { id, what, spots: Vec::new() }
    }
}

/// The fault of `output` as the answer of the bot with `mark` to `arena`, if it has one.
pub fn of_answer(arena: &Arena, mark: u8, output: &[u8]) -> Option<Fault> {
    let broken = judge(arena, mark, LARGEST_SQUARE, output).err()?;
    let check = Catalogue::boxing().of_violation(broken.kind);
    let id = check.unwrap_or_else(|| panic!("no check is for violations of kind `{}`", broken.kind)).id.as_str();
    Some(Fault { id, what: broken.detail, spots: broken.spots })
}

/// How a run ended, if it ended badly: not started, killed at the limit, dead by a signal.
pub fn of_end(report: &RunReport, limits: &Limits) -> Option<Fault> {
    match &report.ended {
        Ended::CannotStart { why, .. } => {
            Some(Fault::of(id::RUN_EXEC, format!("it cannot be started: {}", escaped(why.as_bytes()))))
        }
        Ended::TimedOut => {
            let what = match report.output.len() {
                0 => "nothing was written".to_string(),
                528 => "528 bytes were written, but the program went on".to_string(),
                n => format!("{n} bytes were written"),
            };
            Some(Fault::of(id::TIME_HARD, format!("killed after {}: {what}", duration(limits.hard))))
        }
        Ended::Signalled(signal) => {
            Some(Fault::of(id::RUN_SIGNAL, format!("it died by signal {signal}{}", signal_name(*signal))))
        }
        Ended::OutOfMemory => {
            let most = limits.memory >> 20;
            Some(Fault::of(id::RUN_SIGNAL, format!("it was killed for using more than {most} MiB of memory")))
        }
        // Only a bot that runs for a whole game is ever stopped.
        Ended::Exited(_) | Ended::TooMuch | Ended::Stopped | Ended::Starved => None,
    }
}

/// All faults of a run in plain conditions in which `arena` was to be answered.
pub fn of_run(arena: &Arena, mark: u8, report: &RunReport, limits: &Limits) -> Vec<Fault> {
    if let Some(fault) = of_end(report, limits) {
        return vec![fault];
    }
    let mut faults: Vec<Fault> = of_answer(arena, mark, &report.output).into_iter().collect();
    if report.ended == Ended::TooMuch && faults.is_empty() {
        faults.push(Fault::of("BX-OUT-TRAIL", "the output did not come to an end".to_string()));
    }
    if let Ended::Exited(status @ (1.. | ..=-1)) = report.ended {
        match faults.first_mut() {
            // The usual end of a program in Python that stops on an error: the status says where to look.
            Some(first) => first.what.push_str(&format!("; it ended with status {status}")),
            None => faults.push(Fault::of(id::RUN_EXIT, format!("the exit status was {status}"))),
        }
    }
    if report.own_wall() > limits.soft {
        let what =
            format!("the answer took {}; the soft limit is {}", duration(report.wall), duration(limits.soft));
        faults.push(Fault::of(id::TIME_SOFT, what));
    }
    if report.leftovers > 0 {
        let (processes, were) = if report.leftovers == 1 { ("process", "was") } else { ("processes", "were") };
        let what = format!("{} {processes} {were} still running when the program had ended", report.leftovers);
        faults.push(Fault::of(id::RUN_ORPHAN, what));
    }
    if report.errors_total > limits.errors as u64 {
        let what = format!("{} bytes on standard error in one move", report.errors_total);
        faults.push(Fault::of(id::RUN_STDERR, what));
    }
    faults
}

/// The faults that tell whether a bot plays at all, as they are looked for in games and under special
/// conditions: the end and the answer.
pub fn of_play(arena: &Arena, mark: u8, report: &RunReport, limits: &Limits) -> Option<Fault> {
    of_run(arena, mark, report, limits)
        .into_iter()
        .find(|fault| ![id::RUN_EXIT, id::TIME_SOFT, id::RUN_ORPHAN, id::RUN_STDERR].contains(&fault.id))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    fn report(ended: Ended, output: &[u8]) -> RunReport {
        RunReport {
            ended,
            output: output.to_vec(),
            errors: Vec::new(),
            errors_total: 0,
            wall: Duration::from_millis(1),
            waited: std::time::Duration::ZERO,
            cpu: Default::default(),
            peak_memory: 0,
            leftovers: 0,
            network: None,
            trespasses: Vec::new(),
        }
    }

    fn check(report: &RunReport, ids: &[&str]) {
        let found = of_run(&Arena::open(), b'A', report, &Limits::default());
        assert_eq!(found.iter().map(|fault| fault.id).collect::<Vec<_>>(), ids, "{report:?}");
    }

    fn legal() -> Vec<u8> {
        let mut answer = Arena::open().to_bytes().to_vec();
        answer[0] = b'A';
        answer
    }

    #[test]
    fn a_right_answer_has_no_fault() {
        check(&report(Ended::Exited(0), &legal()), &[]);
    }

    #[test]
    fn a_killed_or_crashed_run_is_not_judged_further() {
        check(&report(Ended::TimedOut, b"junk"), &["BX-TIME-HARD"]);
        check(&report(Ended::Signalled(11), &legal()), &["BX-RUN-SIGNAL"]);
        check(&report(Ended::Signalled(11), b""), &["BX-RUN-SIGNAL"]);
    }

    #[test]
    fn a_status_is_a_fault_of_its_own_only_beside_a_right_answer() {
        check(&report(Ended::Exited(1), &legal()), &["BX-RUN-EXIT"]);
        check(&report(Ended::Exited(1), b""), &["BX-OUT-LEN"]);
    }

    #[test]
    fn independent_faults_are_all_told() {
        let mut both = report(Ended::Exited(0), &legal()[..527]);
        (both.leftovers, both.wall) = (2, Duration::from_secs(2));
        check(&both, &["BX-OUT-FINALNL", "BX-TIME-SOFT", "BX-RUN-ORPHAN"]);
    }
}
