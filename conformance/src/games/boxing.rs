//! The suite of the Boxing Match.
//!
//! Data flows one way: cases and special conditions become jobs, jobs run the bot and return findings, [`attribute`]
//! decides which check each finding belongs to, and the report is made from the result.

mod attribute;
pub mod case;
mod diagnosis;
mod games;
mod picture;

pub use diagnosis::cause_of_answer;

use super::Suite;
use crate::attribution::Observations;
use crate::catalog::{Catalogue, FILTER, Id};
use crate::conduct::is_process_check;
use crate::finding::{Cause, Finding, PictureLine};
use crate::jobs::Job;
use crate::protocol::filter::Purpose;
use crate::protocol::filter::conditions::{condition_jobs, odd_jobs, special, twice_job, watched_job};
use crate::protocol::filter::state;
use crate::runner::{BotRunner, SharedState};
use attribute::ODD_MARK;
use case::{Case, Group};
use cornerman::games::boxing::{ARENA_BYTES, Arena};
use cornerman_harness::kit::AnyKit;
use cornerman_harness::player::marks::move_request;
use cornerman_harness::ruleset::Ruleset;
use cornerman_harness::sandbox::SandboxError;
use std::collections::BTreeSet;
use std::sync::LazyLock;

/// The arenas from which games start. Answers to them are timed before the bot runs on all processors (B10).
const EARLY: [&str; 2] = ["open", "document-start"];

/// The mark of a bot whose game is being found out.
const SHOWN_MARK: u8 = b'A';

/// Whether `output` looks like an arena, right or wrong: it is longer than half of one, and its lines are not short.
fn is_like_an_arena(output: &[u8]) -> bool {
    /// Lines with at most this many bytes, on average, are short.
    const SHORT: usize = 8;
    let lines = output.iter().filter(|&&byte| byte == b'\n').count();
    output.len() > ARENA_BYTES / 2 && output.len() > lines * SHORT
}

/// The ids of the checks that code names. The other checks are of the protocol, or belong to kinds of illegal answers.
pub(crate) mod id {
    use crate::catalog::ids;

    ids! {
        OUT_LEN = "BX-OUT-LEN";
        OUT_TRAIL = "BX-OUT-TRAIL";
        MOV_VACANT = "BX-MOV-VACANT";
        MOV_MARK = "BX-MOV-MARK";
        MOV_SQUARE = "BX-MOV-SQUARE";
        MOV_PASS = "BX-MOV-PASS";
        CHAIN = "BX-CHAIN";
        SELF = "BX-SELF";
        NPLAYER = "BX-NPLAYER";
        STATE_COLD = "BX-STATE-COLD";
        STATE_STALE = "BX-STATE-STALE";
        STATE_CORRUPT = "BX-STATE-CORRUPT";
        RUN_SIGNAL = "BX-RUN-SIGNAL";
    }
}

/// The checks of the suite.
pub fn catalogue() -> &'static Catalogue {
    static CATALOGUE: LazyLock<Catalogue> =
        LazyLock::new(|| Catalogue::read("boxing", include_str!("../../catalog/boxing.toml"), FILTER));
    &CATALOGUE
}

/// The job that asks `case` in plain conditions: without a state file, with the whole input at once and the output
/// into a pipe. Jobs in special conditions are compared with these. Failures belong to the checks of output, moves,
/// time and running or, on arenas with many marks, to BX-NPLAYER.
fn plain_job(case: Case) -> Job {
    /// The mark with which a case of an unusual one is asked again.
    const USUAL: u8 = b'C';
    let round = case.round;
    let alone = EARLY.contains(&case.name.as_str());
    let job = Job::new(&judged_in_plain_conditions(), 1, move |runner| {
        let question = case.question();
        let evidence = runner.ask(&question, Purpose::Move, &question.request(), None)?;
        if alone {
            runner.shared.known().timing.early.push((case.name.clone(), evidence.report.wall));
        }
        let seen_by = |cause: &Cause| {
            (case.group == Group::Nplayer && !is_process_check(catalogue(), cause.check)).then_some(id::NPLAYER)
        };
        let mut found = question.judged(runner, &evidence, seen_by, decided_by(&case), is_read_before_moves);
        if case.group == Group::Marks && !found.findings.is_empty() {
            let usual = Case { mark: USUAL, ..case }.question();
            let evidence = runner.ask(&usual, Purpose::Special, &usual.request(), None)?;
            let shown = usual.cause_of_play(runner, &evidence.report).map(|cause| cause.check);
            // What both marks show is not due to the mark.
            for finding in found.findings.iter_mut().filter(|finding| shown == Some(finding.cause.check)) {
                finding.conditions.flags &= !ODD_MARK;
            }
        }
        Ok(found)
    });
    Job { comes_first: true, alone, round, ..job }
}

/// The checks that an answer to `case` judges. Only a full arena shows whether the bot passes (B7), and nothing else
/// of moves.
fn decided_by(case: &Case) -> Vec<Id> {
    let is_full = case.arena.vacant().is_empty();
    let decides = |id: &Id| match case.group {
        Group::Nplayer => *id == id::NPLAYER,
        _ if *id == id::NPLAYER => false,
        _ => group(id) != "moves" || (*id == id::MOV_PASS) == is_full,
    };
    judged_in_plain_conditions().into_iter().filter(decides).collect()
}

/// Whether `id` is a check of form, which an answer has passed if it could be read and fails `failed`, a check of
/// moves.
fn is_read_before_moves(failed: Id, id: Id) -> bool {
    group(failed) == "moves" && group(id) == "output"
}

fn group(id: Id) -> &'static str {
    catalogue().get(id).map_or("", |check| &check.group)
}

/// The other jobs for the `selected` checks. Those in plain conditions are always included, because others are
/// compared with them.
fn later_jobs(seed: u64, selected: &BTreeSet<String>) -> Vec<Job> {
    let all = case::all(seed);
    let named = |name: &str| case::named(&all, name).unwrap_or_else(|| panic!("there is no case `{name}`"));
    let mut jobs = games::jobs(&named("document-start").arena, seed);
    let later = |case: &&Case| !EARLY.contains(&case.name.as_str());
    // Cases with the document's marks, A and B, come after the others, because other jobs claim these marks too.
    let (documents, others): (Vec<&Case>, Vec<&Case>) =
        all.iter().filter(later).partition(|case| b"AB".contains(&case.mark));
    jobs.extend(others.into_iter().cloned().map(plain_job));
    let asked = |name: &str| named(name).question();
    jobs.push(state::absent(id::STATE_COLD, asked("random-2")));
    jobs.push(state::removed(id::STATE_COLD, games::a_few_moves(*b"mn", seed)));
    let of_another_game = ["random-10", "random-30"].map(|name| {
        let question = asked(name);
        let plan = games::a_few_moves([question.mark, b'q'], !seed);
        (question, plan)
    });
    jobs.push(state::stale(id::STATE_STALE, of_another_game.into()));
    jobs.push(state::corrupt(id::STATE_CORRUPT, seed, ["random-17", "random-42", "strips"].map(asked).into()));
    jobs.extend(condition_jobs(catalogue(), &["random-21", "three-marks"].map(asked)));
    jobs.extend(odd_jobs(catalogue(), &asked("random-33")));
    jobs.extend(["hole-16", "random-50"].map(|name| twice_job(catalogue(), asked(name))));
    jobs.extend(documents.into_iter().cloned().map(plain_job));
    jobs.push(watched_job(catalogue(), asked("document-partial"), b'A', None));
    jobs.push(watched_job(catalogue(), asked("three-marks"), b'D', None));
    jobs.push(watched_job(catalogue(), asked("hole-16"), b'X', Some(b"a note to myself\n")));
    jobs.retain(|job| job.comes_first || job.checks.iter().any(|id| selected.contains(*id)));
    jobs
}

/// The checks that the jobs in plain conditions judge: all but those [with jobs of their own](with_own_jobs).
fn judged_in_plain_conditions() -> Vec<Id> {
    let with_own_jobs = with_own_jobs();
    let ids = catalogue().checks.iter().map(|check| check.id.as_str());
    ids.filter(|id| !with_own_jobs.contains(id)).collect()
}

/// The checks that are judged only by jobs of their own.
fn with_own_jobs() -> Vec<Id> {
    special().filter_map(|name| catalogue().named(name)).chain([id::CHAIN, id::SELF]).collect()
}

/// The suite of the Boxing Match.
pub struct Boxing;

impl Suite for Boxing {
    fn catalogue(&self) -> &'static Catalogue {
        catalogue()
    }

    fn kit(&self) -> &'static dyn AnyKit {
        &cornerman_harness::games::boxing::KIT
    }

    fn verdicts(&self, ruleset: &Ruleset) -> Vec<(String, String)> {
        case::specimen_verdicts(ruleset)
    }

    fn depends_on_rules(&self) -> bool {
        false
    }

    fn phase_jobs(&self, shared: &SharedState, _: &Observations, phase: usize) -> Option<Vec<Job>> {
        match phase {
            0 => {
                let early = EARLY.into_iter().filter_map(|name| case::named(case::fixed(), name));
                Some(early.cloned().map(plain_job).collect())
            }
            1 => Some(later_jobs(shared.options.seed, &shared.selected)),
            _ => None,
        }
    }

    fn attribute(&self, seen: &mut Observations) {
        attribute::attribute(seen);
    }

    fn is_answer(&self, text: &[u8]) -> bool {
        is_like_an_arena(text)
    }

    fn words(&self) -> &'static [&'static str] {
        &["arena", "boxing", "528"]
    }

    /// A bot whose answer to an arena looks like an arena plays this game, whether the answer is right or wrong.
    fn recognize(&self, runner: &mut BotRunner) -> Result<Option<&'static str>, SandboxError> {
        let request = move_request(SHOWN_MARK, &Arena::open().to_bytes());
        let report = runner.claiming(&[SHOWN_MARK], |runner| runner.run(SHOWN_MARK, &request, None))?;
        runner.shared.note_end(false, &report);
        Ok(is_like_an_arena(&report.output).then_some("it answers with an arena"))
    }

    fn picture(&self, finding: &Finding, columns: usize) -> Vec<PictureLine> {
        picture::of_finding(finding, columns)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::budget::Round;

    #[test]
    fn a_selection_has_only_the_jobs_that_it_needs() {
        let count = |id: &str| {
            let jobs = later_jobs(1, &BTreeSet::from([id.to_string()]));
            jobs.iter().filter(|job| job.round != Round::Short).count()
        };
        assert_eq!(count("BX-SELF"), count("BX-OUT-EOL") + 6);
        assert_eq!(count("BX-CHAIN"), count("BX-OUT-EOL") + 1);
    }

    #[test]
    fn every_check_with_its_own_jobs_has_one() {
        let all: BTreeSet<String> = catalogue().checks.iter().map(|check| check.id.clone()).collect();
        let jobs = later_jobs(1, &all);
        let done: BTreeSet<&str> = jobs.iter().flat_map(|job| &job.checks).copied().collect();
        let nplayer = case::fixed().iter().any(|case| case.group == case::Group::Nplayer);
        assert!(nplayer);
        for id in with_own_jobs() {
            assert!(done.contains(id), "there is no job for {id}");
        }
    }
}
