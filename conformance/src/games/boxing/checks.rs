//! The jobs of the checks: those of special and odd conditions here, the others in one file per group. A
//! [`Job`](crate::job::Job) runs the bot and returns the failures that it sees. Once all jobs are done,
//! [`crate::attribution`] decides which check each failure belongs to.

pub(crate) mod answers;
pub(crate) mod games;
pub(crate) mod state;

use super::attribute::{FULL, MANY_MARKS, ODD_MARK, OWN_MARKS};
use super::case::{Case, Group};
use super::id;
use super::verdict;
use crate::catalog::{Id, Severity};
use crate::job::Job;
use crate::pipes::question::Question;
use crate::pipes::{job, protocol};
use crate::runner::{BYTE_BY_BYTE, IN_FOREIGN_FOLDER, OUTPUT_TO_FILE, SpecialCondition, WITHOUT_ENVIRONMENT};
use cornerman::games::boxing::{Arena, BLOCKED, VACANT};
use cornerman_harness::sandbox::{Input, Output, RunRequest};
use std::collections::BTreeSet;
use std::sync::Arc;

/// The question in which the bot with `mark` must answer `arena`.
fn question(case: String, about: String, arena: &Arena, mark: u8) -> Question {
    let full = if arena.vacant().is_empty() { FULL } else { 0 };
    let own_marks = if arena.count(mark) > 0 { OWN_MARKS } else { 0 };
    let spots = arena.rows().as_flattened().iter();
    let foes: BTreeSet<u8> = spots.copied().filter(|spot| ![VACANT, BLOCKED, mark].contains(spot)).collect();
    let many_marks = if foes.len() > 1 { MANY_MARKS } else { 0 };
    let circumstances = full | own_marks | many_marks;
    let input = arena.to_bytes().to_vec();
    let arena = arena.clone();
    let judge = Arc::new(move |output: &[u8]| verdict::of_answer(&arena, mark, output));
    Question { case, about, input, mark, severity: Severity::Must, circumstances, judge }
}

impl Case {
    /// The question in which the bot must answer the arena of the case.
    pub fn question(&self) -> Question {
        let plain = without_notes(question(self.name.clone(), self.title.clone(), &self.arena, self.mark));
        let odd = if self.group == Group::Marks { ODD_MARK } else { 0 };
        let circumstances = plain.circumstances | odd;
        Question { severity: self.severity.min(plain.severity), circumstances, ..plain }
    }
}

/// `question`, asked although the bot has no state file. A bot may keep all that it knows of a game in that file (B9),
/// so that if it has moved before, a wrong answer is a warning only.
fn without_notes(question: Question) -> Question {
    let has_moved = question.circumstances & OWN_MARKS != 0;
    let severity = if has_moved { Severity::Should } else { question.severity };
    Question { severity, ..question }
}

/// The bytes after the two arenas of BX-ODD-LONG.
const TAIL: &[u8] = b"and on\n";

/// Turns a request in plain conditions, for the arena given, into an odd one.
type MakeOdd = fn(&mut RunRequest, &[u8]);

const ODD_CONDITIONS: [(&[Id], &str, MakeOdd); 9] = [
    (&[id::ODD_EMPTY], "no input", |request, _| request.input = Input::Whole(Vec::new())),
    (&[id::ODD_SHORT], "the first 300 bytes of an arena", |request, arena| {
        request.input = Input::Whole(arena[..300].to_vec());
    }),
    (&[id::ODD_LONG], "two arenas and 7 more bytes", |request, arena| {
        request.input = Input::Whole([arena, arena, TAIL].concat());
    }),
    (&[id::ODD_LONG], "100,000 bytes that begin with an arena", |request, arena| {
        request.input = Input::Whole(arena.iter().copied().cycle().take(100_000).collect());
    }),
    (&[id::ODD_CRLF], "an arena whose rows end with CR LF", |request, arena| {
        let lines = arena.split_inclusive(|&byte| byte == b'\n');
        request.input = Input::Whole(lines.flat_map(|line| [&line[..line.len() - 1], b"\r\n"].concat()).collect());
    }),
    (&[id::ODD_NUL], "an arena with NUL bytes", |request, arena| {
        let nul = |(at, byte): (usize, &u8)| if at % 7 == 3 && *byte != b'\n' { 0 } else { *byte };
        request.input = Input::Whole(arena.iter().enumerate().map(nul).collect());
    }),
    (&[id::ODD_NOARG], "no argument", |request, _| request.args.clear()),
    (&[id::ODD_LONGARG], "an argument of 300 characters", |request, _| {
        request.args = vec!["A".repeat(300).into()];
    }),
    (&[id::ODD_EPIPE], "a closed output", |request, _| request.output = Output::Broken),
];

/// A job for each odd condition, with the arena of `case`.
pub(crate) fn odd_jobs(case: &Case) -> Vec<Job> {
    let odd_job = |(checks, words, make_odd): (&'static [Id], &'static str, MakeOdd)| {
        let question =
            Question { case: words.to_string(), about: format!("made from `{}`", case.name), ..case.question() };
        let mut request = question.request();
        make_odd(&mut request, &question.input);
        job(checks, 1, move |runner| protocol::only_has_to_end(runner, checks[0], &question, &request))
    };
    ODD_CONDITIONS.map(odd_job).into()
}

const CONDITIONS: [(Id, SpecialCondition); 4] = [
    (id::RUN_CHUNK, BYTE_BY_BYTE),
    (id::RUN_CWD, IN_FOREIGN_FOLDER),
    (id::RUN_ENV, WITHOUT_ENVIRONMENT),
    (id::RUN_FILE, OUTPUT_TO_FILE),
];

/// A job for each condition with each of `cases`, and one for an input that is left open, with the first case.
pub(crate) fn condition_jobs(cases: &[Case]) -> Vec<Job> {
    let mut jobs: Vec<Job> = Vec::new();
    for question in cases.iter().map(Case::question) {
        jobs.extend(CONDITIONS.map(|(check, condition)| {
            let question = question.clone();
            job(&[check], 1, move |runner| protocol::under_condition(runner, check, &question, condition))
        }));
    }
    let question = cases[0].question();
    jobs.push(job(&[id::RUN_OPEN], 1, move |runner| protocol::input_left_open(runner, id::RUN_OPEN, &question)));
    jobs
}
